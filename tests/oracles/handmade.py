"""Short logs written by hand, for the tests of the oracle."""

from __future__ import annotations

from .decoded import Hand
from .mit_reader import parse_match


def hand_text(number: int, players: tuple[str, str], *body: str, bank: int = 0) -> str:
    """A round with fixed hole cards; `{0}` and `{1}` in `body` are the dealer's and the big blind's names."""
    lines = [
        "Round #{n}, {0} ({b}), {1} ({m})",
        "{0} posts the blind of 1",
        "{1} posts the blind of 2",
        "{0} dealt [Ah Kd]",
        "{1} dealt [Qs 9s]",
        *body,
    ]
    return "\n".join(line.format(*players, n=number, b=bank, m=-bank) for line in lines)


def played(*body: str) -> Hand:
    """One round of X (dealer) against Y without header."""
    return parse_match("6.176 MIT Pokerbots - X vs Y\n\n" + hand_text(1, ("X", "Y"), *body))["hands"][0]


FLOP = "Flop [2c 7d 8h], {0} (6), {1} (6)"
TURN = "Turn [2c 7d 8h Jc], {0} (6), {1} (6)"
RIVER = "River [2c 7d 8h Jc 3s], {0} (6), {1} (6)"
ALL_IN = ("{0} raises to 400", "{1} calls", "Flop [2c 7d 8h], {0} (400), {1} (400)")
