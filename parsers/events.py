"""The events that log lines are turned into: one small vocabulary for every dialect.

A dialect's table names an event for each of its line templates; from there on no engine's wording is
known to the rest of the package. Codes are plain integers because compiled kernels compare them.

Values that an event carries, in the order of the template's fields (see `grammar`): `{p}` seat index, `{n}`
integer, `{d}` ten thousandths, `{c}`, `{q}`, `{l}` and `{w}` count then card codes, `{r}` rank, `{*}` offset then
length in the text. A line of two events, `first+decision`, names the player first: the first event has its own values
and then the seat, the decision has the seat and then its amount.
"""

from typing import Final

UNKNOWN: Final = 0
ROUND: Final = 1
BLIND: Final = 2
DEALT: Final = 3
FOLD: Final = 4
CALL: Final = 5
CHECK: Final = 6
BET: Final = 7
RAISE: Final = 8
FLOP: Final = 9
TURN: Final = 10
RIVER: Final = 11
RUN: Final = 12
STACKS: Final = 13
SHOW: Final = 14
AWARD: Final = 15
COUNTS: Final = 16
FINAL: Final = 17
MARKER: Final = 18
BOUNTIES: Final = 19
HIT: Final = 20
EV_PREFLOP: Final = 21
EV_FLOP: Final = 22
EV_TURN: Final = 23
HEADER: Final = 24
ILLEGAL_FOLD: Final = 30
ILLEGAL_CALL: Final = 31
ILLEGAL_CHECK: Final = 32
ILLEGAL_RAISE: Final = 33
MISFORMATTED: Final = 34
LATE: Final = 35
GONE: Final = 36
ILLEGAL_BID: Final = 37
ILLEGAL_DISCARD: Final = 38
NO_SUCH_CARD: Final = 39
INDEX_ERROR: Final = 40
ILLEGAL_RAISE_TO: Final = 41
DECIMAL_RAISE: Final = 42
DECIMAL_BID: Final = 43
ILLEGAL_CLASS: Final = 44
ILLEGAL_PASS: Final = 45
NO_SUCH_PLACES: Final = 46
ILLEGAL_BET: Final = 47
ILLEGAL_RAISE_BY: Final = 48
# Blotto: faults, then other lines
ILLEGAL_ASSIGN: Final = 60
ILLEGAL_ASSIGNMENT: Final = 61
TOO_FEW_ACTIONS: Final = 62
NET_RAISES: Final = 63
NET_SUMS: Final = 64
COMBINATION: Final = 65
BELOW_MINIMUM: Final = 66
UNMATCHABLE: Final = 67
AFTER_END: Final = 68
ILLEGIBLE: Final = 69
BLINDS: Final = 140
ASSIGN: Final = 141
BOARD: Final = 142
ALL_IN: Final = 143
SWEEP: Final = 144
TABLE: Final = 145
BOARD_WON: Final = 146
BOARD_TIED: Final = 147
# Auction
BID: Final = 160
AUCTION_WON: Final = 161
BIDS: Final = 162
NO_AUCTION: Final = 163
KEY_ERROR: Final = 164
VALUE_ERROR: Final = 165
# Toss
DISCARD: Final = 166
DISCARD_1: Final = 167
DISCARD_2: Final = 168
STREET_NOTE: Final = 169
# Sneak Peek, and logs that leave out what follows from the rules: hands without blinds, amounts without a word
REVEALED: Final = 170
HAND_ONLY: Final = 171
AMOUNT_ONLY: Final = 172
# Anaconda: streets that begin with an exchange, then its other lines
DOUBLE_PASS: Final = 80
SINGLE_PASS: Final = 81
BETTING_1: Final = 82
BETTING_2: Final = 83
BETTING_3: Final = 84
PASSES: Final = 85
PASS_PLACES: Final = 86
SHOW_HIGH_CARD: Final = 90
SHOW_PAIR: Final = 91
SHOW_TWO_PAIR: Final = 92
SHOW_TRIPS: Final = 93
SHOW_STRAIGHT: Final = 94
SHOW_FLUSH: Final = 95
SHOW_FULL_HOUSE: Final = 96
SHOW_QUADS: Final = 97
SHOW_STRAIGHT_FLUSH: Final = 98
# Koper
BUY_IN: Final = 100
COMMUNITY: Final = 101
TOO_FEW: Final = 102
FLOP_BETTING: Final = 103
VISIBLE: Final = 104
TURN_BETTING: Final = 105
RIVER_BETTING: Final = 106
OUT: Final = 107
SAID: Final = 108
CLOSING_FOLD: Final = 109
CLOSING_BET: Final = 110
LATER_BET: Final = 111
NOBODY: Final = 112
EARLY_WIN: Final = 113
ALL_FOLDED: Final = 114
RECEIVES: Final = 115
SHOWDOWN: Final = 116
WINNER: Final = 117
DRAW_2: Final = 118
DRAW_3: Final = 119
DRAW_4: Final = 120
DRAW_5: Final = 121
TOTAL: Final = 122
REDISTRIBUTED: Final = 123
STACK: Final = 124
MATCH_OVER: Final = 125
STANDINGS: Final = 126
WINS: Final = 127
WIN_COUNT: Final = 128
PRIZE: Final = 129
LEFT: Final = 130
# River of Blood: streets whose line is the bare word, and what is said of a run
BARE_FLOP: Final = 150
BARE_TURN: Final = 151
BARE_RIVER: Final = 152
RUN_REACHED: Final = 153
RUN_WON: Final = 154
# Swap
HOLE: Final = 155
SWAP_AWARD: Final = 156
# Permutation
PERMUTATION: Final = 157
FRAME: Final = 158
STRAIGHTS: Final = 159
# Redraws
REVEAL_HOLE: Final = 210
REVEAL_BOARD: Final = 211
REDRAW_HOLE: Final = 212
REDRAW_BOARD: Final = 213
# A drawn line between hands; of a table, what parts two bettings where there is no board
SEPARATOR: Final = 214
# Whole pots
CALL_TO: Final = 190
EXCHANGE: Final = 191
RETURNED: Final = 192
TIE: Final = 193
SEAT_1: Final = 195
SEAT_2: Final = 196
SEAT_3: Final = 197
NOTE: Final = 198
# Seats with chips in reserve, and chips after a bet; `Grammar.translate` replaces the first two
SEATED: Final = 173
CARD: Final = 174
CHIPS: Final = 175
POT_SUM: Final = 176
# A server's log: the actions in its lists, the players' answers, and the events that translation makes of both
LISTED_FOLD: Final = 178
LISTED_CALL: Final = 179
LISTED_CHECK: Final = 180
LISTED_RAISE: Final = 181
LISTED_ALL_IN: Final = 182
LISTED_BLIND: Final = 183
LIST_END: Final = 184
SAID_FOLD: Final = 185
SAID_CALL: Final = 186
SAID_CHECK: Final = 187
SAID_RAISE: Final = 188
SAID_ALL_IN: Final = 189
SAID_OTHER: Final = 194
ASKED: Final = 199
ANSWER: Final = 200
AS_SAID: Final = 201
HAND_OVER: Final = 202
PAYS: Final = 203
PAID_TO: Final = 204
COMMON: Final = 205
# Cards by numbers, and decisions whose kind follows from earlier ones; `Grammar.translate` replaces them
UP: Final = 215
DOWN: Final = 216
NUMBER_DEALT: Final = 217
NUMBER_SHOWN: Final = 218
# A player's bankroll on a line of its own, and street lines with the chips in the pot
BANKROLL: Final = 148
POT_FLOP: Final = 219
POT_TURN: Final = 220
POT_RIVER: Final = 221
# Lines of a table (`table_lines`), which translators of records write
LIMIT: Final = 25
ANTE: Final = 26
SMALL: Final = 27
BIG: Final = 28
STRADDLE: Final = 29
DEAD: Final = 75
PRICE: Final = 76
FIRST: Final = 77
HIDDEN: Final = 78
AGAIN: Final = 79
MUCK: Final = 87
NET: Final = 88
RAKE: Final = 89
REASON: Final = 206
UNFINISHED: Final = 207
SKIP: Final = 177
LEAVE: Final = 149
CALLED: Final = 208
# Tables: raises by so many chips, and a cell that contradicts the rows above it
RAISE_BY: Final = 222
CONTRADICTS: Final = 209
LOST: Final = 99
# The result of a match as a record has it
OUTCOME: Final = 223
# ACPC
STATE: Final = 70
SCORE: Final = 71
HEADING: Final = 72
TIMING: Final = 73
SUMS: Final = 74

CODES: Final[dict[str, int]] = {
    name.lower(): value
    for name, value in sorted(globals().items())
    if name.isupper() and isinstance(value, int)
}

FIRST_OWN: Final = 131
"""The first of `MOST_OWN` codes for events that only users' games have (`own`)."""
MOST_OWN: Final = 9
_own: Final[dict[str, int]] = {}


def own(name: str) -> int:
    """The code of an event of users' games; games that use one name share it. ValueError if no code is left."""
    if name in CODES:
        raise ValueError(f"{name!r} is an event that railbird has; give yours another name")
    if name not in _own and len(_own) == MOST_OWN:
        raise ValueError(f"there is room for {MOST_OWN} events of users' own, {name!r} is one more")
    return _own.setdefault(name, FIRST_OWN + len(_own))


def code_of(name: str) -> int:
    """The code of an event; KeyError if there is none of this name."""
    return _own[name] if name in _own else CODES[name]


def is_own(name: str) -> bool:
    """True for an event of users' games."""
    return name in _own


def is_known(name: str) -> bool:
    """True for an event of the package, or of a user's games."""
    return name in CODES or name in _own


FIRST_JOINT: Final = 224
"""From here on codes denote lines of a grammar with two events, until they are split (`reading`)."""
MOST_JOINTS: Final = 31

FIRST_FAULT: Final = ILLEGAL_FOLD
LAST_FAULT: Final = ILLEGIBLE
FAULT_KINDS: Final = {
    ILLEGAL_FOLD: "illegal",
    ILLEGAL_CALL: "illegal",
    ILLEGAL_CHECK: "illegal",
    ILLEGAL_RAISE: "illegal",
    MISFORMATTED: "misformatted",
    LATE: "late",
    GONE: "disconnected",
    ILLEGAL_RAISE_TO: "illegal",
    ILLEGAL_BET: "illegal",
    ILLEGAL_RAISE_BY: "illegal",
    ILLEGAL_BID: "illegal",
    ILLEGAL_DISCARD: "illegal",
    NO_SUCH_CARD: "illegal",
    INDEX_ERROR: "misformatted",
    DECIMAL_RAISE: "illegal",
    DECIMAL_BID: "illegal",
    ILLEGAL_CLASS: "illegal",
    ILLEGAL_PASS: "illegal",
    NO_SUCH_PLACES: "illegal",
    ILLEGAL_ASSIGN: "illegal",
    ILLEGAL_ASSIGNMENT: "illegal",
    TOO_FEW_ACTIONS: "misformatted",
    NET_RAISES: "illegal",
    NET_SUMS: "illegal",
    COMBINATION: "illegal",
    BELOW_MINIMUM: "illegal",
    UNMATCHABLE: "illegal",
    AFTER_END: "illegal",
    ILLEGIBLE: "misformatted",
}
FAULT_TEXTS: Final = {
    ILLEGAL_FOLD: "FoldAction",
    ILLEGAL_CALL: "CallAction",
    ILLEGAL_CHECK: "CheckAction",
    ILLEGAL_RAISE: "RaiseAction",
    ILLEGAL_RAISE_TO: "RaiseAction to",
    ILLEGAL_BET: "BetAction",
    ILLEGAL_RAISE_BY: "RaiseAction by",
    ILLEGAL_BID: "BidAction",
    ILLEGAL_DISCARD: "DiscardAction",
    NO_SUCH_CARD: "discard of card",
    DECIMAL_RAISE: "RaiseAction of a fraction",
    DECIMAL_BID: "BidAction of a fraction",
    ILLEGAL_CLASS: "PassAction",
    ILLEGAL_PASS: "pass of so many cards:",
    ILLEGAL_ASSIGN: "AssignAction",
    ILLEGAL_ASSIGNMENT: "assignment",
    TOO_FEW_ACTIONS: "not one action a board",
    NET_RAISES: "raises in all",
    NET_SUMS: "raises or calls in all",
    COMBINATION: "more chips in all than the stack",
    BELOW_MINIMUM: "raise below the minimum",
    UNMATCHABLE: "raises in all that the opponent cannot match",
    AFTER_END: "action after the round has ended",
}
FAULTS_WITH_AMOUNTS: Final = (
    ILLEGAL_RAISE_TO,
    ILLEGAL_RAISE_BY,
    ILLEGAL_BET,
    ILLEGAL_BID,
    NO_SUCH_CARD,
    ILLEGAL_PASS,
)

NOT_SAID: Final = -(2**40)
"""In place of a pot or award that the log does not print."""

OPENS_HAND: Final = (ROUND, STATE)
"""The events of the lines with which hands begin."""
HAND_IN_A_LINE: Final = (STATE,)
"""The events whose line is a complete hand."""
