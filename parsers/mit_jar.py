"""The lines of MIT's engines of 2012 to 2019, Java archives, and how their logs are cut into matches."""

import re
from bisect import bisect, bisect_left
from itertools import pairwise
from typing import Final

from .dialect import MatchText, StakedMatch, Text, line_at, line_start
from .grammar import Grammar
from .marks import lines_with, places_of

NAME: Final = "mit-jar"
"""The dialect without signs; every other dialect with this `cut` has some."""
HAND_LINE: Final = b"Hand #"
CLOSES: Final = b" the pot ("
_HEADER_WORD: Final = b" Pokerbots - "

SHARED: Final = Grammar(
    """
    blind          {p} posts the blind of {n}
    dealt          Dealt to {p} [{c}]
    fold           {p} folds
    check          {p} checks
    bet            {p} bets {n}
    raise          {p} raises to {n}
    returned       Uncalled bet of {n} returned to {p}
    award          {p} wins the pot ({n})
    tie            {p} ties for the pot ({n})
    illegal_fold   ### ILLEGAL ACTION: Fold [player={p}]
    illegal_call   ### ILLEGAL ACTION: Call [player={p}]
    illegal_check  ### ILLEGAL ACTION: Check [player={p}]
    illegal_raise_to  ### ILLEGAL ACTION: Raise [player={p}][amount={n}]
    illegal_bet    ### ILLEGAL ACTION: Bet [player={p}][amount={n}]
    late           ### {p} took too long to respond. Playing default...
    gone           ### {p} is not available. Playing default...
    gone           ### {p} disconncted. Playing default...
    gone           ### {p} never connected - compiling might have errored? Playing default...
    illegible      ### {p} had an unparseable response. Playing default...
    marker         <<<<<<<{*}
    marker         |||||||{*}
    marker         =======
    marker         >>>>>>>{*}
    """
)
"""Lines of all years."""

CHIPS: Final = Grammar(
    """
    header {*} Pokerbots - {*} vs {*}
    flop   *** FLOP *** ({n}) [{c}]
    turn   *** TURN *** ({n}) [{c}] [{c}]
    river  *** RIVER *** ({n}) [{c}] [{c}]
    show   {p} shows [{c}]
    """,
    base=SHARED,
)
"""Streets are printed with the chips in the pot."""

TWO: Final = Grammar(
    """
    round  Hand #{n}, {p} ({n}), {p} ({n})
    call   {p} calls
    final  FINAL: {p} ({n}) {p} ({n})
    """,
    base=CHIPS,
)
"""Two players."""

_NAMED: Final = rb"(\S+) \((-?\d+)\)"
_HAND: Final = re.compile(rb"Hand #(\d+)(?:, %s, %s(?:, %s)?)?[ \t]*\r?(?:\n|\Z)" % (_NAMED, _NAMED, _NAMED))
_SEAT: Final = re.compile(rb"Seat [123] \((?:Button|SB|BB)\): (\S+) -?\d+[ \t]*\r?(?:\n|\Z)")
_DEALT: Final = re.compile(rb"^Dealt to (\S+) \[", re.MULTILINE)
_STAKES: Final = re.compile(rb" \(stack=(\d{1,9}), bb=(\d{1,9})\)[ \t]*\r?\n?\Z")
_VERSUS: Final = re.compile(rb" vs\.? ")


def _headers(text: Text) -> list[int]:
    """Offsets of the header lines."""
    found = []
    for at in places_of(text, _HEADER_WORD).tolist():
        start = line_start(text, at)
        if _VERSUS.search(line_at(text, start)[at - start :]):
            found.append(start)
    return found


def _hand(text: Text, at: int) -> tuple[int, list[bytes], list[bytes]] | None:
    """Number, players and bankrolls of the hand whose first line is at an offset, None if that line opens no hand."""
    line = line_at(text, at)
    found = _HAND.fullmatch(line)
    if found is None:
        return None
    names, banks = [n for n in found.groups()[1::2] if n], [n for n in found.groups()[2::2] if n]
    if not names:
        at += len(line)
        while len(names) < 3 and (seat := _SEAT.fullmatch(line := line_at(text, at))):
            names.append(seat[1])
            at += len(line)
        if len(names) < 3:
            return None
    return int(found[1]), names, banks


def _players(text: Text, hands: list[int], end: int) -> tuple[bytes, ...]:
    """The players by seat: the first hand's first is seat 0, and the last of a hand is first in the next."""
    for k, at in enumerate(hands):
        if at >= end:
            break
        if (hand := _hand(text, at)) is None:
            continue
        number, names, banks = hand
        size = len(names)
        if size > 2 and b"0" in banks and number > 1:
            # A player without chips stands last; cards are dealt in the order of all.
            after = hands[k + 1] if k + 1 < len(hands) else end
            dealt = _DEALT.findall(text, at, min(after, end))
            names = dealt if sorted(dealt) == sorted(names) else names
        first = -(number - 1) % size
        return tuple(names[(seat - first) % size] for seat in range(size))
    return ()


def _fits(head: bytes, names: tuple[bytes, ...]) -> bool:
    """True if a header names the players; it may leave out the end of a name."""
    said = _STAKES.sub(b"", head.rstrip()).split(_HEADER_WORD, 1)[1]
    left = list(names)
    for word in _VERSUS.split(said):
        fitting = [name for name in left if name == word] or [name for name in left if name.startswith(word)]
        if not fitting:
            return False
        left.remove(fitting[0])
    return not left


def cut(text: Text) -> list[MatchText]:
    """The matches of a text, in order: each begins with a header, or with hand 1 without one."""
    hands = lines_with(text, HAND_LINE).tolist()
    if not hands:
        return []
    headers = _headers(text)
    headed = set(headers)
    starts = list(headers)
    for before, at in pairwise([-1, *hands]):
        is_first = text.startswith((b"1,", b"1\n", b"1\r"), at + len(HAND_LINE))
        # The first hand after a header is the header's.
        if is_first and bisect(headers, before) == bisect(headers, at) and _HAND.fullmatch(line_at(text, at)):
            starts.append(at)
    starts.sort()
    if not starts or hands[0] < starts[0]:
        starts.insert(0, 0)
    found: list[MatchText] = []
    for k, start in enumerate(starts):
        end = starts[k + 1] if k + 1 < len(starts) else len(text)
        head = line_at(text, start)
        is_headed = start in headed
        body = start + len(head) if is_headed else start
        names = _players(text, hands[bisect_left(hands, start) : bisect_left(hands, end)], end)
        stakes = _STAKES.search(head) if is_headed else None
        found.append(
            StakedMatch(
                start if k else 0,
                body,
                end,
                names,
                not is_headed or not names or _fits(head, names),
                end == len(text) and not text.endswith(b"\n"),
                opening=start,
                engine=NAME,
                stack=int(stakes[1]) if stakes else 0,
                small_blind=int(stakes[2]) // 2 if stakes else 0,
                big_blind=int(stakes[2]) if stakes else 0,
            )
        )
    return found
