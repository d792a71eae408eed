"""What counts as little, everywhere the same."""

from typing import Final

FEW: Final = 30
"""Below so many cases a rate or an interval says little: files say so, tables and pages show it faint."""
