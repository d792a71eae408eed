"""Is player A better than player B, and may a user who looks after every match stop now (docs/compare.md)?

A step is a match, or all matches that were dealt the same cards, in A's winnings or in A's less B's. Results are
adjusted for luck with what was known before each hand (`luck.fit_store`), and the difference has a confidence sequence
(`intervals`), which holds at all times at once.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil, inf, isfinite, sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..storage.locations import natural_order
from . import luck
from .intervals import sequence_quantile
from .players import check_named, check_player, order_of_play, rules_of, unknown

if TYPE_CHECKING:
    from .store import Store

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BETTER, WORSE, EQUAL, UNDECIDED = "better", "worse", "equal", "undecided"
_MOST_HANDS: Final = 1e12
"""More hands than this would never be played."""
_BB_100: Final = 100.0


class CompareError(ValueError):
    """Players that cannot be compared; the message is one line."""


@dataclass(frozen=True)
class Part:
    """A's or B's side of a match.

    side      0: A, 1: B
    opponent  who sat there else
    cards     what was dealt: equal in matches with the same cards
    by        for each breakdown the value of each hand
    results   (hands,) adjusted, in bb; of a match with A and B at a larger table A's less B's
    """

    place: int
    side: int
    opponent: str
    cards: str
    results: Floats
    by: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Match:
    """A match in its order.

    cards  equal in matches that were dealt the same cards
    unit   chips of a bb; limit: bb that a player can win in a hand at most
    """

    match_id: int
    event: str
    players: tuple[str, ...]
    cards: str
    unit: float
    limit: float


@dataclass(frozen=True)
class Look:
    """The state after some matches: difference and bounds in bb per 100 hands, and how much was played.

    freedom, error  degrees of freedom, and the standard error of the difference; infinite before it is known
    counted         hands that it rests on
    """

    difference: float
    low: float
    high: float
    hands: int
    freedom: float = 0.0
    error: float = inf
    counted: float = 0.0

    @property
    def is_bounded(self) -> bool:
        """False while the bounds are those that the stacks give."""
        return isfinite(self.error) and isfinite(sequence_quantile(self.freedom, self.counted))

    def verdict(self, margin: float | None) -> str:
        """In one word; margin in bb per 100 hands, None: never equal."""
        if self.low > 0:
            return BETTER
        if self.high < 0:
            return WORSE
        if margin is not None and -margin <= self.low and self.high <= margin:
            return EQUAL
        return UNDECIDED

    def hands_to_decide(self, margin: float | None) -> int | None:
        """Further hands until a verdict at this difference and spread; None if there is one, or never will be."""
        if self.verdict(margin) != UNDECIDED or not (isfinite(self.error) and self.error > 0):
            return None
        wanted = [abs(self.difference)]
        if margin is not None:
            wanted.append(margin - abs(self.difference))
        widest = max(wanted)

        def half(times: float) -> float:
            return sequence_quantile(self.freedom * times, self.counted * times) * self.error / sqrt(times)

        most = _MOST_HANDS / max(self.hands, 1)
        if widest <= 0 or half(most) >= widest:
            return None
        low, high = 1.0, most
        for _ in range(100):
            middle = sqrt(low * high)
            low, high = (low, middle) if half(middle) < widest else (middle, high)
        return max(ceil(self.hands * (high - 1)), 1)


class Steps:
    """The parts of some matches as arrays: one number a part for each of side, opponent, cards, hands and results."""

    def __init__(self, parts: Sequence[Part], limits: Sequence[float], head_to_head: bool) -> None:
        """limits: of each match, by `Part.place`."""
        self.parts, self.head_to_head = parts, head_to_head
        self.place = np.array([part.place for part in parts], np.int64)
        self.side = np.array([part.side for part in parts], np.int64)
        self.opponent = _numbered([part.opponent for part in parts])
        self.cards = _numbered([part.cards for part in parts])
        self.hands = np.array([len(part.results) for part in parts], np.float64)
        self.won = np.array([part.results.sum() for part in parts])
        self.limit = np.array([limits[part.place] for part in parts])

    def look(self, until: int, won: Floats | None = None, hands: Floats | None = None) -> Look:
        """The state when the match at a place was over.

        won, hands: of each part, those of some of its hands; None: of all
        """
        won = self.won if won is None else won
        hands = self.hands if hands is None else hands
        seen = self.place <= until
        used = np.flatnonzero(seen & self._counts(until) & (hands > 0))
        total = int(hands[seen].sum())
        widest = _BB_100 * float(self.limit[seen].max(initial=0.0)) * (1 if self.head_to_head else 2)
        # Cells of A have even numbers, those of B the odd ones after them.
        cell = self.side[used] + (0 if self.head_to_head else 2 * self.opponent[used])
        size = int(cell.max(initial=0)) // 2 * 2 + 2
        played = np.bincount(cell, hands[used], size)
        mean = np.divide(np.bincount(cell, won[used], size), played, out=np.zeros(size), where=played > 0)
        both = played[::2] if self.head_to_head else np.minimum(played[::2], played[1::2])
        if not both.sum():
            return Look(0.0, -widest, widest, total)
        weight = np.repeat(both / both.sum(), 2) * (1.0 - 2.0 * (np.arange(size) % 2)) * (played > 0)
        difference = float((weight * mean).sum())
        share = np.divide(weight, played, out=np.zeros(size), where=played > 0)
        used, cell = used[share[cell] != 0], cell[share[cell] != 0]
        # The error of the difference is a sum over matches, and independent between cards.
        units, unit = np.unique(self.cards[used], return_inverse=True)
        error = np.bincount(unit, share[cell] * (won[used] - mean[cell] * hands[used]), len(units))
        freedom = len(units) - _means(cell, unit, self.head_to_head)
        counted = float(hands[used].sum())
        spread = sqrt(float((error**2).sum()) * len(units) / freedom) if freedom > 0 else inf
        half = sequence_quantile(freedom, counted) * spread if freedom > 0 else inf
        difference, half = _BB_100 * difference, _BB_100 * half
        low, high = max(difference - half, -widest), min(difference + half, widest)
        return Look(
            difference,
            min(low, difference),
            max(high, difference),
            total,
            freedom,
            _BB_100 * spread,
            counted,
        )

    def of(self, breakdown: str, value: object) -> tuple[Floats, Floats]:
        """For each part the winnings in the hands with a value of a breakdown, and the number of these hands."""
        chosen = [part.by[breakdown] == value for part in self.parts]
        won = [part.results[some].sum() for part, some in zip(self.parts, chosen, strict=True)]
        return np.array(won, np.float64), np.array([some.sum() for some in chosen], np.float64)

    def _counts(self, until: int) -> NDArray[np.bool_]:
        """The matches that count. If most so far share cards with another, only those whose partner was played."""
        seen = self.place <= until
        number = np.bincount(self.cards[seen], minlength=int(self.cards.max(initial=-1)) + 1)
        paired = number[self.cards] > 1
        alone = seen & ~paired & (self.place < until)
        enough = (seen & paired).sum() / 2 > alone.sum()
        return paired if enough else np.ones(len(self.place), np.bool_)


def _means(cell: Ints, unit: Ints, head_to_head: bool) -> int:
    """The number of means that were taken: of two sides that were always dealt the same cards only the difference."""
    cells = len(np.unique(cell))
    if head_to_head:
        return cells
    sides = np.zeros(int(unit.max(initial=-1)) + 1)
    np.add.at(sides, unit, np.where(cell % 2 == 0, 1.0, -1.0))
    return cells // 2 if not sides.any() else cells


def _numbered(names: Sequence[str]) -> Ints:
    places = {name: k for k, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names], np.int64)


BREAKDOWNS: Final = ("opponent", "position", "street")


@dataclass(frozen=True)
class Comparison:
    """What `compare` found.

    matches  matches that the difference rests on; pairs: card sequences that several of them were dealt
    by       (breakdown, value, look)
    path     (match_id, look) after each match, if asked for
    """

    one: str
    other: str
    game: str
    head_to_head: bool
    matches: int
    pairs: int
    look: Look
    by: Sequence[tuple[str, str, Look]]
    path: Sequence[tuple[int, Look]] = ()


@dataclass(frozen=True)
class Version:
    """A version of a league: its winnings against all, and its comparison with the version before."""

    player: str
    matches: int
    hands: int
    winnings: float
    before: str | None = None
    against_before: Comparison | None = None


class Material:
    """The matches of one game in their order, and the adjusted results of those that comparisons ask for."""

    def __init__(self, store: "Store", game: str, event: str | None = None, as_of: int | None = None) -> None:
        """as_of: a match_id, the last match that counts."""
        self.game = game
        self._store = store
        self.matches = _matches(store, game, event)
        if as_of is not None:
            places = [k for k, match in enumerate(self.matches) if match.match_id == as_of]
            if not places:
                raise CompareError(f"match {as_of} is not of game {game!r}" + _of_event(event))
            self.matches = self.matches[: places[0] + 1]
        self._limits = [match.limit for match in self.matches]
        self._results: dict[tuple[int, int], tuple[Floats, Ints]] = {}
        self._streets: dict[int, dict[int, int]] = {}
        self._positions: dict[tuple[int, int], dict[int, str]] = {}

    def read(self, names: set[str]) -> None:
        """Adjust the matches of some players; what was played before them in their events is read as well."""
        last = {m.event: k for k, m in enumerate(self.matches) if names & set(m.players)}
        wanted = [m for k, m in enumerate(self.matches) if k <= last.get(m.event, -1)]
        with luck.kept_terms(self._store), _known_cards(self._store):
            # Values of one event do not change when another one is read.
            for event in dict.fromkeys(match.event for match in wanted):
                order = [match.match_id for match in wanted if match.event == event]
                frame = luck.hands(self._store, luck.fit_store(self._store, order), order)
                for key, rows in frame.partition_by("match_id", "seat", as_dict=True).items():
                    hands = rows["hand_index"].to_numpy().astype(np.int64)
                    self._results[int(key[0]), int(key[1])] = rows["chance_adjusted"].to_numpy(), hands
        ids = [match.match_id for match in wanted if names & set(match.players)]
        for match_id, hand, street in self._store.execute(_LAST_CHOICES, ids=ids).fetchall():
            self._streets.setdefault(match_id, {})[hand] = street
        for match_id, seat, hand, position in self._store.execute(_POSITIONS, ids=ids).fetchall():
            self._positions.setdefault((match_id, seat), {})[hand] = position

    def steps(
        self,
        one: str,
        other: str,
        against: str | None = None,
        common: bool = False,
        without: set[str] | None = None,
    ) -> Steps:
        """What A and B won from each other, or if they never met, what both won from common opponents.

        against  only this opponent; common: common opponents even if A and B met; without: opponents left out
        """
        if against is None and not common and (met := list(self._met(one, other))):
            return Steps(met, self._limits, head_to_head=True)
        parts = [
            part
            for side, (name, rival) in enumerate(((one, other), (other, one)))
            for part in self._parts(name, side)
            if rival not in self.matches[part.place].players
            and (against is None or part.opponent == against)
            and part.opponent not in (without or ())
        ]
        faced = [{part.opponent for part in parts if part.side == side} for side in (0, 1)]
        parts = [part for part in parts if part.opponent in faced[0] & faced[1]]
        return Steps(sorted(parts, key=lambda part: part.place), self._limits, head_to_head=False)

    def _met(self, one: str, other: str) -> Iterator[Part]:
        for place, match in enumerate(self.matches):
            if match.players.count(one) == 1 and match.players.count(other) == 1:
                there = match.players.index(other) if len(match.players) > 2 else None
                part = self._part(place, match.players.index(one), 0, there)
                if part is not None:
                    yield part

    def _parts(self, name: str, side: int) -> Iterator[Part]:
        for place, match in enumerate(self.matches):
            if match.players.count(name) == 1:
                part = self._part(place, match.players.index(name), side)
                if part is not None:
                    yield part

    def won(self, name: str) -> list[Part]:
        """All that a player played."""
        return list(self._parts(name, 0))

    def _part(self, place: int, seat: int, side: int, rival: int | None = None) -> Part | None:
        """A seat's part of a match; rival: a seat whose results are taken from it."""
        match = self.matches[place]
        if (match.match_id, seat) not in self._results:
            return None
        results, hands = self._results[match.match_id, seat]
        if rival is not None:
            if (match.match_id, rival) not in self._results:
                return None
            # At a table that players leave and join, only the hands in which both sat.
            theirs, at = self._results[match.match_id, rival]
            hands, own, other = np.intersect1d(hands, at, assume_unique=True, return_indices=True)
            if not len(hands):
                return None
            results = results[own] - theirs[other]
        opponent = " + ".join(sorted(name for k, name in enumerate(match.players) if k != seat))
        streets, positions = self._streets[match.match_id], self._positions[match.match_id, seat]
        by: dict[str, NDArray[Any]] = {
            "opponent": np.full(len(hands), opponent, object),
            "position": np.array([positions[hand] for hand in hands.tolist()], object),
            "street": np.array([streets[hand] for hand in hands.tolist()], object),
        }
        return Part(place, side, opponent, match.cards, results / match.unit, by)


@contextmanager
def _known_cards(store: "Store") -> Iterator[None]:
    """Let `matches` say within the block which ones were dealt the same cards, also where logs do not promise it."""
    store.sql("""
        create or replace temp table matches as
        select m.* replace (seen_card_set(m.card_set, c.cards) as card_set)
        from main.matches as m
        left join card_sequences as c on c.match_id = m.match_id
    """)
    try:
        yield
    finally:
        store.sql("drop table temp.matches")


_LAST_CHOICES: Final = """
    select h.match_id, h.hand_index, cast(coalesce(max(a.street) filter (where a.origin = 'choice'), 0) as integer)
    from hands as h
    left join actions as a on a.match_id = h.match_id and a.hand_index = h.hand_index
    where among(h.match_id, $ids)
    group by all
"""
_POSITIONS: Final = """
    select match_id, seat, hand_index, coalesce(position, '')
    from seats
    where among(match_id, $ids)
"""
_MATCHES: Final = """
    select
      m.match_id, m.event, coalesce(f.path, '') as path, m.match_no, m.played_at, m.players, m.unit,
      coalesce(c.cards, 'match ' || m.match_id) as cards, s.stack / m.unit as stack, s.most / m.unit as most
    from matches as m
    left join files as f using (file_id)
    left join card_sequences as c on c.match_id = m.match_id
    left join (
      select match_id, max(stack_start) as stack, max(abs(delta)) as most
      from seats
      group by match_id
    ) as s on s.match_id = m.match_id
    where m.game = $game and ($event is null or m.event = $event)
"""


def _matches(store: "Store", game: str, event: str | None) -> list[Match]:
    """The matches of a game in the order of play."""
    rules = rules_of(store, game)
    rows = store.execute(_MATCHES, game=game, event=event).fetchall()
    rows.sort(key=lambda row: order_of_play(row[4], row[1], row[2], row[3], row[0]))
    found = []
    for match_id, of, _path, _number, _at, players, unit, cards, stack, most in rows:
        limit = (stack or 0.0) * (len(players) - 1) * (rules.bounty_factor or 1.0)
        limit = max(limit + (rules.bounty_bonus or 0.0) / unit, most or 0.0)
        found.append(Match(match_id, of, tuple(players), cards, unit, limit))
    return found


def _of_event(event: str | None) -> str:
    return "" if event is None else f" in event {event!r}"


def game_of(store: "Store", names: Sequence[str], event: str | None = None, game: str | None = None) -> str:
    """The game that some players are compared in; CompareError if they play several and none is named."""
    check_named(store, event)
    for name in names:
        check_player(store, name, event)
    rows = store.execute(
        "select distinct game from players where list_contains($names, player) "
        "and ($event is null or event = $event) order by game",
        names=list(names),
        event=event,
    ).fetchall()
    games = [found for (found,) in rows]
    if game is not None:
        if game not in games:
            raise CompareError(
                unknown(f"{' and '.join(map(repr, names[:2]))} played no game called", game, games)
            )
        return game
    if len(games) > 1:
        raise CompareError(f"they played several games; choose with --game: {', '.join(games)}")
    return str(games[0])


def compare(
    store: "Store",
    one: str,
    other: str,
    *,
    event: str | None = None,
    game: str | None = None,
    against: str | None = None,
    as_of: int | None = None,
    path: bool = False,
) -> Comparison:
    """Compare two players of a store.

    against  only what both won from this opponent
    as_of    a match_id: as if the store ended with that match
    path     also the state after each match

    Raises CompareError for players that cannot be compared, UnknownPlayer for names that no player has.
    """
    if one == other:
        raise CompareError(f"{one!r} cannot be compared with itself")
    game = game_of(store, (one, other), event, game)
    if against in (one, other):
        raise CompareError(
            f"--against {against!r} is one of the two: without it their own matches are compared"
        )
    if against is not None:
        check_player(store, against, event)
    material = Material(store, game, event, as_of)
    material.read({one, other})
    steps = material.steps(one, other, against)
    if against is not None and not steps.parts:
        raise CompareError(f"{one!r} and {other!r} did not both meet {against!r} alone")
    return _compared(material, one, other, steps, path)


def _compared(material: Material, one: str, other: str, steps: Steps, path: bool = False) -> Comparison:
    if not steps.parts:
        raise CompareError(f"{one!r} and {other!r} did not meet, and no opponent met both")
    end = int(steps.place.max())
    by = [
        (breakdown, _shown(value), steps.look(end, *steps.of(breakdown, value)))
        for breakdown in BREAKDOWNS
        for value in sorted({value for part in steps.parts for value in part.by[breakdown].tolist()})
    ]
    looks = [
        (material.matches[place].match_id, steps.look(place))
        for place in (sorted(set(steps.place.tolist())) if path else ())
    ]
    _, counts = np.unique(steps.cards, return_counts=True)
    return Comparison(
        one,
        other,
        material.game,
        steps.head_to_head,
        len(set(steps.place.tolist())),
        int((counts > 1).sum()),
        steps.look(end),
        by,
        looks,
    )


def _shown(value: object) -> str:
    from ..schema.words import STREETS_AND_RUNS

    return STREETS_AND_RUNS[value] if isinstance(value, int) else str(value)


def league(
    store: "Store",
    pattern: str,
    *,
    event: str | None = None,
    game: str | None = None,
    as_of: int | None = None,
) -> list[Version]:
    """The players whose names match an expression as versions of one bot, in the order of their first matches.

    Each is compared with the version before by what both won from common opponents, and if there is none, from each
    other. Errors as of `compare`.
    """
    try:
        expression = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise CompareError(f"--league {pattern!r} is no regular expression: {error}") from None
    check_named(store, event)
    rows = store.execute(
        "select distinct player from players where $event is null or event = $event order by all", event=event
    ).fetchall()
    names = {name for (name,) in rows if expression.fullmatch(name)}
    if not names:
        raise CompareError(unknown("no player's name matches --league", pattern, [name for (name,) in rows]))
    material = Material(store, game_of(store, sorted(names), event, game), event, as_of)
    material.read(names)
    first: dict[str, int] = {}
    for place, match in enumerate(material.matches):
        for name in sorted(names & set(match.players), key=natural_order):
            first.setdefault(name, place)
    found: list[Version] = []
    for name in first:
        parts = material.won(name)
        hands = sum(len(part.results) for part in parts)
        winnings = _BB_100 * sum(float(part.results.sum()) for part in parts) / max(hands, 1)
        before = found[-1].player if found else None
        against = None
        if before is not None:
            steps = material.steps(name, before, common=True, without=names)
            steps = steps if steps.parts else material.steps(name, before)
            against = _compared(material, name, before, steps) if steps.parts else None
        found.append(Version(name, len(parts), hands, winnings, before, against))
    return found
