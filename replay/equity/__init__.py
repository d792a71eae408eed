"""Exact equities: every run-out counted, none drawn at random."""
