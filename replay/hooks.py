"""What a function of a user's file may know of a hand: for what it pays, and for lines of its own.

`Game.payout` may be such a function, and so are the handlers of `Game.lines`. They run compiled (`jit.hooks`), or as
plain Python for small logs.
"""

from typing import Final

MOST_HOLES: Final = 8
MOST_BOARD: Final = 16
MEMORY: Final = 8
"""Numbers of a function's own, which are 0 as a hand begins."""
MOST_VALUES: Final = 8
"""Numbers of a line that are read."""

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
"""A hand as a function has it, `hand.pot`:

number           of the hand
street           0 before the flop
showdown         1 where both hands are compared, 0 where somebody folded
wins             1 the dealer wins, -1 the other player, 0 a split pot
usual            what the dealer gains where the winner takes the pot: the chips that the other player put in, or minus
                 its own; in a split pot half the difference
pot              chips of both
dealer_put, other_put         chips that each put in, prices of steps included
small_blind, big_blind        chips
dealer_kind, other_kind       the best five cards at a showdown, HIGH_CARD to STRAIGHT_FLUSH of `replay.evaluator`; -1
                 without one, and in a game with an order of hands of its own
dealer_strength, other_strength  a number that is larger for the better hand; -1 without a showdown
dealer_hole, other_hole, board   cards as they are now, 4 * rank + suit, the deuce and clubs are 0; -1 after the last
dealer_steps, other_steps     the steps that each did, a bit each in the order of `Game.steps`
deviations       those in force, a bit each in the order of `Game.deviations`; 0 for the written rules
memory           numbers that handlers of lines may write, and that are 0 as a hand begins
by_dealer        of a line: 1 where it names the dealer, 0 the other player, -1 nobody
values           of a line: its numbers and cards behind the player, cards as a count and the cards
"""

NAMES: Final = tuple(field[0] for field in FIELDS)

OWN: Final = (("pay_place", "i8"), ("pay_address", "i8"), ("failed", "i8"))
"""For kernels: the payout's function (`jit.hooks.Hook`), and 1 + the place of a function that has failed."""
