"""Koper: five players pay a buy-in and bet at the same time in three rounds; a win is capped."""

from typing import Final

from .properties import Properties

PROPERTIES: Final = Properties(
    game="koper",
    title="Koper",
    players=5,
    streets=("buy-in", "flop", "turn", "river"),
    first_street=1,
    decisions=("fold", "play"),
    forced="buy-in",
    unit="100 chips",
    simultaneous=True,
    button=False,
    win_cap=4.0,
    cluster="match",
    shared_cards=True,
    seats_rotate=True,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
    shows_folded=True,
)
