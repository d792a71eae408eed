"""The lines of MIT's engines of 2012 to 2019, Java archives, and how their logs are cut into matches."""

import re
from bisect import bisect, bisect_left
from typing import Final

import numpy as np

from .dialect import MatchText, StakedMatch, Text, line_at, line_start
from .grammar import PLAYER, Grammar, number_in
from .marks import lines_with, places_of

NAME: Final = "mit-jar"
"""The dialect without signs; all other dialects with this `cut` have some."""
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
"""Street lines include the chips in the pot."""

TWO: Final = Grammar(
    """
    round  Hand #{n}, {p} ({n}), {p} ({n})
    call   {p} calls
    final  FINAL: {p} ({n}) {p} ({n})
    """,
    base=CHIPS,
)
"""Two players."""

HAND_LINE: Final = TWO.hand_word
_NAME: Final = rb"(\S+)"
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


class JarCut:
    """The cut for these engines, by the words of their grammars; names contain no blanks."""

    def __init__(self) -> None:
        """Without a learned grammar, it finds no hands."""
        self._rounds: dict[str, tuple[re.Pattern[bytes], list[bool]]] = {}
        self._seats: dict[str, re.Pattern[bytes]] = {}
        self._dealt: dict[str, re.Pattern[bytes]] = {}

    def learn(self, grammar: Grammar) -> None:
        """Add another grammar's first lines of hands, lines of seats and lines of hole cards."""
        for template in grammar.templates:
            form = template.of_players(_NAME)
            if template.event == "round":
                kinds = [field == PLAYER for field in template.fields]
                self._rounds.setdefault(template.pattern, (form, kinds))
            elif template.event in ("seat_1", "seat_2", "seat_3"):
                self._seats.setdefault(template.pattern, form)
            elif template.event == "dealt":
                self._dealt.setdefault(template.pattern, form)

    def _opens(self, line: bytes) -> bool:
        """True for the first line of a hand."""
        return any(form.fullmatch(line) for form, _ in self._rounds.values())

    def _hand(self, text: Text, at: int) -> tuple[int, list[bytes], list[bytes]] | None:
        """Number, players and bankrolls of the hand whose first line is at an offset; None if it opens no hand."""
        line = line_at(text, at)
        for form, kinds in self._rounds.values():
            if (found := form.fullmatch(line)) is None:
                continue
            said = list(zip(found.groups(), kinds, strict=True))[1:]
            names = [word for word, is_name in said if is_name]
            banks = [word for word, is_name in said if not is_name]
            if not names:
                names = self._seated(text, at + len(line))
            return (number_in(found[1]), names, banks) if names else None
        return None

    def _seated(self, text: Text, at: int) -> list[bytes]:
        """The three players in the lines of seats from an offset on; empty if there are not three."""
        names: list[bytes] = []
        while len(names) < 3:
            line = line_at(text, at)
            seat = next((said for form in self._seats.values() if (said := form.fullmatch(line))), None)
            if seat is None:
                return []
            names.append(seat[1])
            at += len(line)
        return names

    def _players(self, text: Text, hands: list[int], end: int) -> tuple[bytes, ...]:
        """The players by seat: seat 0 is first in the first hand, and the last player of a hand is first in the next.

        With three players, they are those of the first hand that names no player twice: a doubled line repeats one.
        """
        doubtful: tuple[bytes, ...] = ()
        for k, at in enumerate(hands):
            if at >= end:
                break
            if (hand := self._hand(text, at)) is None:
                continue
            number, names, banks = hand
            size = len(names)
            if size > 2 and b"0" in banks and number > 1:
                # A player without chips is named last; cards are dealt in the order of all players.
                after = hands[k + 1] if k + 1 < len(hands) else end
                dealt = self._dealt_in(text, at, min(after, end))
                names = dealt if sorted(dealt) == sorted(names) else names
            first = -(number - 1) % size
            found = tuple(names[(seat - first) % size] for seat in range(size))
            if size < 3 or len(set(found)) == size:
                return found
            doubtful = doubtful or found
        return doubtful

    def _dealt_in(self, text: Text, at: int, end: int) -> list[bytes]:
        """The players who are dealt cards in text[at:end], in order."""
        lines = bytes(text[at:end]).split(b"\n")
        return [said[1] for line in lines for form in self._dealt.values() if (said := form.fullmatch(line))]

    def __call__(self, text: Text) -> list[MatchText]:
        """The matches of a text, in order: each begins with a header, or with hand 1 without one."""
        lines = lines_with(text, HAND_LINE)
        if not len(lines):
            return []
        hands = lines.tolist()
        headers = _headers(text)
        headed = set(headers)
        starts = list(headers)
        numbers = lines + len(HAND_LINE)
        ones = np.flatnonzero(np.frombuffer(text, np.uint8)[numbers[numbers < len(text)]] == ord("1"))
        for k in ones.tolist():
            before, at = hands[k - 1] if k else -1, hands[k]
            is_first = text.startswith((b"1,", b"1\n", b"1\r"), at + len(HAND_LINE))
            # The first hand after a header is the header's.
            if is_first and bisect(headers, before) == bisect(headers, at) and self._opens(line_at(text, at)):
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
            names = self._players(text, hands[bisect_left(hands, start) : bisect_left(hands, end)], end)
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
                    stack=number_in(stakes[1]) if stakes else 0,
                    small_blind=number_in(stakes[2]) // 2 if stakes else 0,
                    big_blind=number_in(stakes[2]) if stakes else 0,
                )
            )
        return found


cut: Final = JarCut()
