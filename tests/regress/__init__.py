"""Answers of this version beside those of an older one, run by `make regress`."""
