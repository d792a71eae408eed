"""What counts as little and what as beyond chance, everywhere the same."""

from typing import Final

FEW: Final = 30
"""Below so many cases a rate or an interval says little: files say so, tables and pages show it faint."""

LEVEL: Final = 0.05
"""What has a p or q below this is no longer put down to chance."""
