"""The fields of a hand that functions of a user's file may read: its payout, and handlers of its own lines.

`Game.payout` may be such a function, and `Game.lines` has the handlers. They run compiled (`jit.hooks`), or as plain
Python on small logs.
"""

from typing import Final

MOST_HOLES: Final = 8
MOST_BOARD: Final = 16
MEMORY: Final = 8
"""Numbers that functions may keep during a hand; they are 0 when it begins."""
MOST_VALUES: Final = 8
"""Numbers of a line that a handler sees."""

FIELDS: Final = (
    ("number", "i8"),
    ("street", "i8"),
    ("showdown", "i8"),
    ("wins", "i8"),
    ("usual", "f8"),
    ("pot", "f8"),
    ("dealer_put", "f8"),
    ("other_put", "f8"),
    ("small_blind", "f8"),
    ("big_blind", "f8"),
    ("dealer_kind", "i8"),
    ("other_kind", "i8"),
    ("dealer_strength", "i8"),
    ("other_strength", "i8"),
    ("dealer_hole", "i8", (MOST_HOLES,)),
    ("other_hole", "i8", (MOST_HOLES,)),
    ("board", "i8", (MOST_BOARD,)),
    ("dealer_steps", "i8"),
    ("other_steps", "i8"),
    ("deviations", "i8"),
    ("memory", "f8", (MEMORY,)),
    ("by_dealer", "i8"),
    ("values", "f8", (MOST_VALUES,)),
)
"""The fields of a hand (`hand.pot`):

number           of the hand
street           0 before the flop
showdown         1 if both hands are compared, 0 if somebody folded
wins             1 the dealer wins, -1 the other player, 0 a split pot; 0 in handlers
usual            what the dealer gains if the winner takes the pot: the chips that the other player put in, or minus
                 its own; in a split pot half the difference; 0 in handlers
pot              chips of both
dealer_put, other_put         chips that each put in, prices of steps included
small_blind, big_blind        chips
dealer_kind, other_kind       the best five cards at a showdown, HIGH_CARD to STRAIGHT_FLUSH of `replay.evaluator`; -1
                 without one, and in a game with an order of hands of its own
dealer_strength, other_strength  a number that is larger for the better hand; -1 without a showdown
dealer_hole, other_hole, board   cards as they are now, 4 * rank + suit, the deuce and clubs are 0; -1 after the last
dealer_steps, other_steps     the steps that each did, a bit each in the order of `Game.steps`
deviations       those in force, a bit each in the order of `Game.deviations`; 0 for the written rules
memory           numbers that handlers may write and the payout may read; 0 when a hand begins
by_dealer        in a handler: 1 if the line names the dealer, 0 if it names the other player
values           in a handler: the line's numbers and cards after the player; cards as a count, then the cards
"""

NAMES: Final = tuple(field[0] for field in FIELDS)

OWN: Final = (("pay_place", "i8"), ("pay_address", "i8"), ("failed", "i8"))
"""For kernels: the payout's function (`jit.hooks.Hook`), and 1 + the place of a function that has failed."""
