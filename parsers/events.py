"""The events that log lines are turned into: one small vocabulary for every dialect.

A dialect's table names an event for each of its line templates; from there on no engine's wording is
known to the rest of the package. Codes are plain integers because compiled kernels compare them.

Values that an event carries, in the order of the template's fields (see `grammar`): `{p}` seat index, `{n}`
integer, `{c}` count then card codes, `{r}` rank, `{*}` offset then length in the text.
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

CODES: Final[dict[str, int]] = {
    name.lower(): value
    for name, value in sorted(globals().items())
    if name.isupper() and isinstance(value, int)
}

FIRST_FAULT: Final = ILLEGAL_FOLD
LAST_FAULT: Final = GONE
FAULT_KINDS: Final = {
    ILLEGAL_FOLD: "illegal",
    ILLEGAL_CALL: "illegal",
    ILLEGAL_CHECK: "illegal",
    ILLEGAL_RAISE: "illegal",
    MISFORMATTED: "misformatted",
    LATE: "late",
    GONE: "disconnected",
}
FAULT_TEXTS: Final = {
    ILLEGAL_FOLD: "FoldAction",
    ILLEGAL_CALL: "CallAction",
    ILLEGAL_CHECK: "CheckAction",
    ILLEGAL_RAISE: "RaiseAction",
}

OPENS_HAND: Final = (ROUND,)
"""The events of the lines with which hands begin."""
