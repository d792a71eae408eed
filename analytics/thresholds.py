"""What counts as little, what as beyond chance, and how wide 95% is: everywhere the same."""

from typing import Final

FEW: Final = 30
"""Below so many cases a rate or an interval says little: files say so, tables and pages show it faint."""

FEW_IN_CELL: Final = 5
"""The same for one of the 169 cells of a grid of hole cards, over which decisions spread thin."""

LEVEL: Final = 0.05
"""What has a p or q below this is no longer put down to chance."""

Z: Final = 1.959963984540054
"""The 97.5% quantile of the normal distribution: half of a 95% interval in standard errors."""
