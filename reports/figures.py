"""How figures are written where there is little room: intervals by as few digits as say something."""

from typing import Final

from .terminal import interval

_MOST_DIGITS: Final = 2


def brief_interval(low: float | None, high: float | None, digits: int = 0) -> str:
    """An interval of shares in whole percent: 12–45%; with more digits where its ends are alike or say 0% or 100%.

    99.86–99.97%, 0.0–0.4% of 0 to 0.004; an end that is 0 or 1 is written so.
    """
    if low is None or high is None:
        return ""
    while digits < _MOST_DIGITS and _says_too_little(low, high, digits):
        digits += 1
    return interval(low, high, digits)


def _says_too_little(low: float, high: float, digits: int) -> bool:
    ends = [(value, round(100 * value, digits)) for value in (low, high)]
    alike = low < high and ends[0][1] == ends[1][1]
    return alike or any(said in (0, 100) and 0 < value < 1 for value, said in ends)


def by_chance(expected: float) -> str:
    """How many of some are expected: with a digit below ten, where whole numbers would say 0 of some."""
    return f"{expected:.1f}" if expected < 10 else f"{expected:.0f}"
