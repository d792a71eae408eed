"""Figures where there is little room."""

import pytest

from railbird.reports.terminal import brief_interval, by_chance


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.123, 0.456, "12–46%"),
        (0.9986, 0.9997, "99.86–99.97%"),
        (0.0, 0.004, "0.0–0.4%"),
        (0.0, 0.0004, "0.00–0.04%"),
        (0.996, 1.0, "99.6–100.0%"),
        (0.5, 0.5, "50–50%"),
        (0.0, 1.0, "0–100%"),
        (None, None, ""),
    ],
)
def test_an_interval_has_as_many_digits_as_say_something(
    low: float | None, high: float | None, said: str
) -> None:
    assert brief_interval(low, high) == said


def test_few_that_are_expected_are_not_told_as_none() -> None:
    assert [by_chance(number) for number in (0.45, 1.0, 9.96, 12.4)] == ["0.5", "1.0", "10.0", "12"]
