"""Logs whose round lines have only a number: their cut, and their bankrolls.

Later engines print both bankrolls after every hand, one per line, and again after the last hand.
"""

from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import events, hand_cut, mit
from .dialect import MatchText, Text, line_at
from .grammar import Template, number_in
from .marks import lines_with
from .reading import Scanned, with_room

NAME: Final = "bare-rounds"
"""The most general dialect with this `cut`."""

_ROUND_WORD: Final = b"Round #"
_ROUND: Final = Template("round", "Round #{n}").regex
_LINES_TO_BLINDS: Final = 4
_ROUNDS_TO_NAMES: Final = 40
_LONGEST_HEADER: Final = 1 << 10
_ROUND_VALUES: Final = 5
_MOST_VALUES: Final = 1 << 10
"""The most values of an event: no line is longer."""

Ints = NDArray[np.int64]


def cut(text: Text) -> list[MatchText]:
    """The matches of a text, in order: each begins with a header, or with round 1 without one."""
    numbers: dict[int, int] = {}
    for at in lines_with(text, _ROUND_WORD).tolist():
        if said := _ROUND.fullmatch(line_at(text, at)):
            numbers[at] = number_in(said[1])
    rounds = list(numbers)
    firsts = [at for k, at in enumerate(rounds) if k == 0 or numbers[at] == 1]
    found: list[MatchText] = []
    for k, (first, following) in enumerate(pairwise([*firsts, len(text)])):
        own = [at for at in rounds if first <= at < following][:_ROUNDS_TO_NAMES]
        names = _players(text, [(at, numbers[at]) for at in own], following)
        above = found[-1].body if k else 0
        start = hand_cut.own_header(text, first, above, names) if names else first
        fits = start < first or not names or not _is_another_header(text, first, above, names)
        if k:
            found[-1] = replace(found[-1], end=start)
        # Text before the first match belongs to it.
        cut_short = following == len(text) and not text.endswith(b"\n")
        found.append(
            MatchText(start if k else 0, first, following, names, fits, cut_short, opening=start, engine=NAME)
        )
    return found


def _is_another_header(text: Text, first: int, above: int, names: tuple[bytes, ...]) -> bool:
    """True if the line above a match's first round is a header that does not name its players."""
    last = bytes(text[max(above, first - _LONGEST_HEADER) : first]).rstrip().rpartition(b"\n")[2]
    return hand_cut.VERSUS in last and not hand_cut.is_header(last, names)


def _players(text: Text, rounds: list[tuple[int, int]], end: int) -> tuple[bytes, ...]:
    """The players by seat, from the blinds of the first round that has both: seat 0 deals the odd rounds."""
    for at, number in rounds:
        posted: list[bytes] = []
        for _ in range(_LINES_TO_BLINDS):
            at += len(line_at(text, at))
            if at < end and (poster := mit.cut.poster(line_at(text, at))) is not None:
                posted.append(poster)
        if len(posted) == 2:
            return tuple(posted if number % 2 else posted[::-1])
    return ()


class _Both(NamedTuple):
    """The first two lines of a kind in each round.

    players, numbers  (rounds, 2) in the order of the lines; whole: (rounds,) whether there are two
    """

    players: Ints
    numbers: Ints
    whole: NDArray[np.bool_]

    def by_seat(self, dealer: Ints) -> Ints:
        """(rounds, 2) the numbers by seat, 0 if there are not two; of one name twice the dealer's is first."""
        first = np.where(self.players[:, 0] == self.players[:, 1], dealer, self.players[:, 0])
        seats = np.arange(2)[None]
        numbers = np.where(seats == first[:, None], self.numbers[:, :1], self.numbers[:, 1:])
        return np.where(self.whole[:, None], numbers, 0)


def translate(scanned: Scanned) -> Scanned:
    """Add players and bankrolls to round lines, and merge two lines of bankrolls into one, or into the final line."""
    found = scanned.events
    last = int(scanned.first_event[-1])
    codes, args = found.codes[:last], found.args[:last].astype(np.int64)
    rounds = np.flatnonzero(codes == events.ROUND)
    if not len(rounds):
        return scanned
    values, used = with_room(scanned, _MOST_VALUES, _ROUND_VALUES * len(rounds))
    # The round of an event, -1 for one above the first of its match.
    match_of = np.repeat(np.arange(len(scanned.first_event) - 1), np.diff(scanned.first_event))
    of = np.cumsum(codes == events.ROUND) - 1
    of[(of < 0) | (match_of[rounds[of]] != match_of)] = -1
    number = values[args[rounds]]
    blinds = _first_two(codes, args, values, of, len(rounds), events.BLIND)
    named = blinds.whole & (blinds.players[:, 0] != blinds.players[:, 1])
    dealer = np.where(named, blinds.players[:, 0], (number + 1) % 2)
    awards = _first_two(codes, args, values, of, len(rounds), events.AWARD).by_seat(dealer)
    printed = _first_two(codes, args, values, of, len(rounds), events.BANKROLL)
    before = _before(
        match_of[rounds],
        number,
        awards,
        printed.by_seat(dealer),
        printed.whole,
    )
    at = used + _ROUND_VALUES * np.arange(len(rounds))
    row = np.arange(len(rounds))
    values[at] = number
    values[at + 1], values[at + 2] = dealer, before[row, dealer]
    values[at + 3], values[at + 4] = 1 - dealer, before[row, 1 - dealer]
    found.args[rounds] = at
    keep = _join(codes, found.args, values, of, dealer)
    tally = np.bincount(codes[keep], minlength=len(scanned.tally)).astype(np.int64)
    kept = np.flatnonzero(keep)
    for column in (found.codes, found.starts, found.lines, found.args):
        column[: len(kept)] = column[kept]
    first_event = np.append(0, np.cumsum(keep))[scanned.first_event]
    return replace(scanned, events=found._replace(values=values), first_event=first_event, tally=tally)


def _first_two(codes: NDArray[np.uint8], args: Ints, values: Ints, of: Ints, rounds: int, code: int) -> _Both:
    """Player and number in the first two lines of an event, round by round; -1 for no player."""
    at = np.flatnonzero((codes == code) & (of >= 0))
    place = np.arange(len(at)) - np.searchsorted(of[at], of[at])
    players, numbers = np.full((rounds, 2), -1, np.int64), np.zeros((rounds, 2), np.int64)
    early = at[place < 2]
    cell = of[early], place[place < 2]
    players[cell], numbers[cell] = values[args[early]], values[args[early] + 1]
    return _Both(players, numbers, players.min(axis=1) >= 0)


def _before(match: Ints, number: Ints, awards: Ints, printed: Ints, has: NDArray[np.bool_]) -> Ints:
    """(rounds, 2) the bankrolls before each round: printed after the previous round, else the sum of the awards.

    Lines that contradict the rounds around them are wrong and are ignored.
    """
    row = np.arange(len(number))
    first = np.maximum.accumulate(np.where(np.append(True, match[1:] != match[:-1]), row, 0))
    total = np.cumsum(awards, axis=0)
    # The bankrolls minus the sum of the awards so far.
    more = printed - total
    latest = np.append(-1, np.maximum.accumulate(np.where(has, row, -1))[:-1])
    latest = np.where(latest >= first, latest, -1)
    earlier = np.where(latest >= 0, latest[latest], -1)
    is_next = (row > first) & (number == np.roll(number, 1) + 1)
    confirmed = has & (latest >= 0) & (earlier >= 0) & (more != more[latest]).any(axis=1)
    confirmed &= (more == more[earlier]).all(axis=1)
    none = -(total - awards)[first]
    chosen = np.where((latest >= 0)[:, None], more[latest], none)
    own = has & (confirmed | (~is_next & ~((row == first) & (number == 1))))
    return (total - awards) + np.where(own[:, None], more, chosen)


def _join(
    codes: NDArray[np.uint8], args: NDArray[np.int32], values: Ints, of: Ints, dealer: Ints
) -> NDArray[np.bool_]:
    """Turn the second of two lines of bankrolls into a line of both, and the fourth of a round into the final line.

    Returns a mask of the remaining events, without the first of two, whose values precede those of the second. A line
    without a partner is unchanged.
    """
    at = np.flatnonzero((codes == events.BANKROLL) & (of >= 0))
    place = np.arange(len(at)) - np.searchsorted(of[at], of[at])
    keep = np.ones(len(codes), np.bool_)
    for first_place, code in ((0, events.COUNTS), (2, events.FINAL)):
        first = at[place == first_place]
        first = first[(first + 1 < len(codes))]
        second = first + 1
        pairs = (codes[second] == events.BANKROLL) & (of[second] == of[first])
        first, second = first[pairs], second[pairs]
        args[second] = args[first]
        codes[second] = code
        keep[first] = False
        if code == events.FINAL:
            # As in other logs, the dealer of the next round is named first.
            turned = first[values[args[first]] == dealer[of[first]]]
            where = args[turned].astype(np.int64)[:, None]
            values[where + np.arange(4)] = values[where + np.array([2, 3, 0, 1])]
    return keep
