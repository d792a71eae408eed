"""Maintenance of the repository: generated pages, sample logs and benchmark tournaments. Not part of the wheel."""
