"""The decisions of one event and game, with what their players could not know."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...progress import Progress
from .. import hidden_ranks
from ..players import chunks, names_of, order_of_play, rules_of
from ..views import queries
from .facts import Fact, facts_of

if TYPE_CHECKING:
    from ..store import Store

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHOICES: Final = ("fold", "check", "call", "bet", "raise")
"""Actions that put chips at stake, or do not."""

MOST: Final = 600_000
"""Most hands analysed of an event and game, to limit the memory; of more, evenly spread runs of 25 of each match."""
RUN: Final = 25
"""Hands in a row that are one unit of the intervals: within it depend what a bot learns, and facts that stay."""
_HANDS: Final = 50_000
"""Hands read at a time, of those that are analysed."""
_FOLD, _CHECK, _CALL = range(3)
_MOST_SHARE: Final = 3.0
_MOST_STAKE: Final = 10.0


@dataclass(frozen=True)
class Decisions:
    """A own decisions in the order of matches, hands and actions. Chips in bb.

    match, hand    (A,) index in `Material.matches`, and hand_index
    player, other  player codes; other is -1 where there are several opponents
    street, position, level, active   as in `actions`; faces: whether there is something to call; lead: 0 if nobody has
                   bet in the hand, 1 if the player bet last, 2 if another did
    size           chips to call / the pot before that bet; pot: in bb; room: stack / pot
    high, low, paired, suited   ranks of the own cards as dealt, 0 the deuce; whether two are of one rank, of one suit
    own, before    own equity against unseen cards, and that of the street before (own, before the flop)
    choice         the pot that the decision plays for / the pot after a call: 0 a fold, 1 a check or call, up to 3
    stake          the pot after a call in bb, at most 10: what choices are weighted by
    actual         share of the pot that is won against the cards really held; NaN if a hidden card was shown before
    change         what the next cards add to that share; NaN if none were dealt
    belief, live   where the game has bounties: the chance that the opponent's rank is in play, for the player and with
                   the rank known; NaN elsewhere
    """

    match: NDArray[np.int32]
    hand: NDArray[np.int32]
    player: NDArray[np.int16]
    other: NDArray[np.int16]
    street: NDArray[np.int8]
    position: NDArray[np.int8]
    level: NDArray[np.int8]
    active: NDArray[np.int8]
    faces: NDArray[np.bool_]
    lead: NDArray[np.int8]
    size: NDArray[np.float32]
    pot: NDArray[np.float32]
    room: NDArray[np.float32]
    high: NDArray[np.int8]
    low: NDArray[np.int8]
    paired: NDArray[np.bool_]
    suited: NDArray[np.bool_]
    own: NDArray[np.float32]
    before: NDArray[np.float32]
    choice: NDArray[np.float32]
    stake: NDArray[np.float32]
    actual: NDArray[np.float32]
    change: NDArray[np.float32]
    belief: NDArray[np.float32]
    live: NDArray[np.float32]

    def __len__(self) -> int:
        """The number of decisions."""
        return len(self.match)

    @cached_property
    def crowded(self) -> bool:
        """Whether there are more than two players at a table."""
        return bool((self.other < 0).any())

    @cached_property
    def has_beliefs(self) -> bool:
        """Whether the game has bounties."""
        return bool((~np.isnan(self.belief)).any())


@dataclass(frozen=True)
class Bids:
    """B bids made after the opponent's, in the order of matches and hands. Chips as in the log.

    match, hand, player, other   as in `Decisions`
    bid, sealed    the player's bid and the opponent's, made before
    pot, stack     the pot, and the player's stack; bound: the opponent's stack, the most that it could bid
    """

    match: NDArray[np.int32]
    hand: NDArray[np.int32]
    player: NDArray[np.int16]
    other: NDArray[np.int16]
    bid: Floats
    sealed: Floats
    pot: Floats
    stack: Floats
    bound: Floats

    def __len__(self) -> int:
        """The number of bids."""
        return len(self.match)


@dataclass(frozen=True)
class Material:
    """The decisions and bids of one event and game.

    players   names by code; with the seat if one match holds a name twice
    streets   their names; win_factor: what a winner whose rank is in play gets for each chip won, else 1
    matches   match_ids in the order of play; units (M,) chips a bb
    hands     hands analysed, of `played`
    """

    event: str
    game: str
    players: tuple[str, ...]
    streets: tuple[str, ...]
    matches: tuple[int, ...]
    units: Floats
    hands: int
    played: int
    facts: tuple[Fact, ...]
    win_factor: float
    decisions: Decisions
    bids: Bids


@dataclass(frozen=True)
class _Group:
    """Matches that are read together: index by match_id, player codes by seat, chips a bb."""

    place: dict[int, int]
    seats: list[list[int]]
    units: Floats
    every: int

    def places(self, matches: NDArray[Any]) -> Ints:
        ids, at = np.unique(matches, return_inverse=True)
        found: Ints = np.array([self.place[int(one)] for one in ids.tolist()], np.int64)[at]
        return found

    def people(self, match: Ints, seat: Ints) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """The codes of the players of some seats, and of their only opponents."""
        width = max(map(len, self.seats))
        table = np.full((len(self.seats), width), -1, np.int16)
        for row, seats in zip(table, self.seats, strict=True):
            row[: len(seats)] = seats
        only = (table >= 0).sum(axis=1) == 2
        other = table[match, np.where(only[match], 1 - seat, 0)] if width > 1 else np.full(len(match), -1)
        return table[match, seat], np.where(only[match], other, -1).astype(np.int16)


def _columns(store: "Store", group: _Group, name: str, **asked: Any) -> list[NDArray[Any]]:
    """The columns of a query's rows, those of one match after another in the order of play."""
    found = store.execute(queries("information")[name], **asked).fetchnumpy()
    columns = [
        np.ma.filled(column.astype(np.float64), np.nan) if np.ma.isMaskedArray(column) else column
        for column in found.values()
    ]
    order = np.argsort(group.places(columns[0]), kind="stable")
    return [column[order] for column in columns]


_BOARD: Final = (0, 3, 4, 5)


def _in_play(
    store: "Store", ids: list[int], match: NDArray[Any], hand: Ints, seat: Ints, street: Ints
) -> tuple[Floats, Floats]:
    """`Decisions.belief` and `Decisions.live`; NaN in hands whose ranks the log does not give."""
    ranks = hidden_ranks.read_hands(store, ids)
    order = {
        key: row
        for row, key in enumerate(zip(ranks.match_id.tolist(), ranks.hand_index.tolist(), strict=True))
    }
    row = np.array([order.get(key, -1) for key in zip(match.tolist(), hand.tolist(), strict=True)], np.int64)
    found = np.full((2, len(row)), np.nan)
    for one in (0, 1):
        before, _ = hidden_ranks.posteriors(ranks, one)
        at = np.flatnonzero((row >= 0) & (seat == one))
        of, rank = row[at], ranks.rank[row[at], 1 - one]
        lying = np.arange(len(_BOARD) + 1) < np.array(_BOARD)[np.minimum(street[at], 3)][:, None]
        chance = hidden_ranks.hit_chance(ranks.hole[of, one], np.where(lying, ranks.board[of], -1))
        found[0, at] = (before[of] * chance).sum(axis=1)
        found[1, at] = np.where(rank >= 0, chance[np.arange(len(at)), rank], np.nan)
    return found[0], found[1]


def _decisions(store: "Store", group: _Group, ids: list[int], bounties: bool) -> Decisions:
    columns = _columns(store, group, "decisions", ids=ids, actions=[*CHOICES], run=RUN, every=group.every)
    found, hand, seat, street, action, to_call, pot, added, stack, level, active, lead, position = columns[
        :13
    ]
    high, low, paired, suited, own, before, actual, change, revealed = columns[13:]
    match, seat = group.places(found), seat.astype(np.int64)
    player, other = group.people(match, seat)
    called = np.maximum(pot + to_call, 1e-9)
    raised = (pot + 2 * added - to_call) / called
    choice = np.where(action == _FOLD, 0.0, np.where((action == _CHECK) | (action == _CALL), 1.0, raised))
    unit = group.units[match]
    belief, live = np.full((2, len(match)), np.nan)
    if bounties:
        belief, live = _in_play(store, ids, found, hand.astype(np.int64), seat, street.astype(np.int64))
    return Decisions(
        match=match.astype(np.int32),
        hand=hand.astype(np.int32),
        player=player,
        other=other,
        street=street.astype(np.int8),
        position=position.astype(np.int8),
        level=np.minimum(level, 9).astype(np.int8),
        active=active.astype(np.int8),
        faces=to_call > 0,
        lead=lead.astype(np.int8),
        size=(to_call / np.maximum(pot - to_call, 1e-9)).astype(np.float32),
        pot=(pot / unit).astype(np.float32),
        room=(stack / np.maximum(pot, 1e-9)).astype(np.float32),
        high=high.astype(np.int8),
        low=low.astype(np.int8),
        paired=paired.astype(np.bool_),
        suited=suited.astype(np.bool_),
        own=own.astype(np.float32),
        before=np.where(np.isnan(before), own, before).astype(np.float32),
        choice=np.clip(choice, 0.0, _MOST_SHARE).astype(np.float32),
        stake=np.minimum(called / unit, _MOST_STAKE).astype(np.float32),
        actual=np.where(revealed.astype(np.bool_), np.nan, actual).astype(np.float32),
        change=np.where(revealed.astype(np.bool_), np.nan, change).astype(np.float32),
        belief=belief.astype(np.float32),
        live=live.astype(np.float32),
    )


def _bids(store: "Store", group: _Group, ids: list[int]) -> Bids:
    found, hand, seat, bid, sealed, pot, stack, bound = _columns(store, group, "bids", ids=ids)
    match = group.places(found)
    player, other = group.people(match, seat.astype(np.int64))
    return Bids(
        match=match.astype(np.int32),
        hand=hand.astype(np.int32),
        player=player,
        other=other,
        **{
            name: value.astype(np.float64)
            for name, value in (
                ("bid", bid),
                ("sealed", sealed),
                ("pot", pot),
                ("stack", stack),
                ("bound", bound),
            )
        },
    )


_BID_KINDS: Final = (np.int32, np.int32, np.int16, np.int16, *[np.float64] * 5)


def _joined(parts: Sequence[Any]) -> dict[str, NDArray[Any]]:
    return {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in type(parts[0]).__annotations__
    }


def materials(
    store: "Store",
    event: str | None = None,
    ids: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> Iterator[Material]:
    """The material of each event and game; event, ids: only this event, only these matches.

    progress  called with the hands read and their total
    """
    rows = store.execute(
        queries("information")["matches"], event=event, ids=None if ids is None else list(ids)
    ).fetchall()
    rows.sort(key=lambda row: (row[1], row[2], order_of_play(row[9], row[1], row[7], row[8], row[0])))
    total, done = sum(row[6] for row in rows), 0
    for (name, game), group in groupby(rows, key=lambda row: (row[1], row[2])):
        found = list(group)
        rules = rules_of(store, game)
        matches, hands = [int(row[0]) for row in found], [int(row[6]) for row in found]
        people = [names_of(row[3], row[4]) for row in found]
        players = tuple(sorted({player for seated in people for player in seated}))
        code = {player: k for k, player in enumerate(players)}
        read = _Group(
            {match: k for k, match in enumerate(matches)},
            [[code[player] for player in seated] for seated in people],
            np.array([float(row[5]) for row in found]),
            max(1, -(-sum(hands) // MOST)),
        )
        facts = facts_of(rules)
        decisions, bids = [], []
        for chunk in chunks(matches, hands, _HANDS * read.every):
            decisions.append(_decisions(store, read, chunk, rules.bounties))
            if rules.auctions:
                bids.append(_bids(store, read, chunk))
            done += sum(hands[read.place[match]] for match in chunk)
            if progress:
                progress(done, total)
        yield Material(
            name,
            game,
            players,
            rules.streets,
            tuple(matches),
            read.units,
            hands=sum(hands) // read.every,
            played=sum(hands),
            facts=facts,
            win_factor=rules.bounty_factor or 1.0,
            decisions=Decisions(**_joined(decisions)),
            bids=Bids(**_joined(bids)) if bids else Bids(*(np.zeros(0, kind) for kind in _BID_KINDS)),
        )
