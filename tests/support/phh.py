"""Hands of PHH as published files have them, and odd ones; files of many."""

from collections.abc import Sequence

PLAYED = """\
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 5]
blinds_or_straddles = [0.25, 0.50, 0]
min_bet = 0.50
starting_stacks = [40.90, 5.5, inf]
actions = ['d dh p1 AhKh', 'd dh p2 ????', 'd dh p3 2c2d', 'p3 cbr 2.00', 'p1 cc', 'p2 f', 'd db 3s4s9d', 'p1 cc', \
'p3 cc', 'd db Ts', 'p1 cc', 'p3 cc', 'd db Jc', 'p1 cc', 'p3 cc', 'p1 sm -', 'p3 sm 2c2d']
venue = 'A Room'
time = 00:00:14
event = 'Event #43'
table = 'QO/g'
players = ['Ann', 'Bea #1', 'Cy']
winnings = [0, 0, 4.5]
"""
FOLDED = """\
variant = "FT"
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [1000, 2000]
actions = ['d dh p1 ????', 'd dh p2 AcAd', 'p2 cc', 'p1 cbr 20', 'p2 f']
hand = 3017249004
players = ['Dan', '']
finishing_stacks = [1010.25, 1989.75]
"""
LIMITED = PLAYED.replace("'NT'", "'PO'").replace("table = 'QO/g'", "table = 'Two'")
ODD = (
    PLAYED.replace("'p2 f'", "'p2 f # slow'"),
    PLAYED.replace("'p2 f'", "'p2 raises'"),
    PLAYED.replace("'p2 f'", "'p2 f', 'round'"),
    PLAYED.replace("'NT'", "'KUHN'"),
    PLAYED.replace("'Ann', 'Bea #1'", "'Ann', 'Ann'"),
    PLAYED.replace("[0, 0, 4.5]", "[\n0,\n[1]\n]"),
    PLAYED.replace("[0, 0, 4.5]", "[\n0,\n0,\n4.5\n]"),
    FOLDED + "hand = 4\n",
    FOLDED.replace("'p2 f']", "'p2 f'"),
    FOLDED.replace('"FT"', "'N2L1D'"),
    "# nothing but a comment\n",
    "",
)
MIXED = [PLAYED, FOLDED, LIMITED, ODD[0], PLAYED, *ODD, FOLDED, PLAYED]


def file_of(hands: Sequence[str]) -> bytes:
    return "\n".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, 1)).encode()
