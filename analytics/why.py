"""Why one player loses to another: who won, where the chips went, what each gives away, and the hands to look at.

What a player gives away are its leaks (analytics/exploit), in the matches of the two if these are enough hands, else in
all its matches. They are ordered by how much more the change of play wins from the player than it would win from the
other, so that habits of both come last (docs/why.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress
from ..variants.properties import Properties
from . import luck
from .exploit.leaks import Leak, Leaks, find_leaks
from .exploit.material import NoLeaks, Spots, matches_of, priced_matches, read_spots
from .exploit.plays import LEAST, LEAST_HANDS, Bid, Change, price, rows_of, spots_named
from .exploit.pricing import Prices
from .intervals import Estimate, ratio
from .players import Asked, Player, matches_in_order, rules_of
from .views import queries

if TYPE_CHECKING:
    import polars as pl

    from .store import Store

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ENOUGH: Final = 1000
"""Hands of the two below which leaks are looked for in all matches of a player."""
LEAST_SHOWN: Final = 3
"""Hands that stand behind a leak at least."""
LOOK_AT: Final = 3
_ANY: Final = 127
"""No street comes later."""
_PER_100: Final = 100.0
_HOLES: Final = ("pair", "suited", "offsuit", "not seen")
_ENDS: Final = ("showdown", "mixed", "fold", "unknown")


class WhyError(ValueError):
    """Two players about whom nothing can be said; the message is one line."""


@dataclass(frozen=True)
class Met:
    """The matches in which both sat, in the order of play.

    ids, seats  match_ids, and the player's seat in each; larger: how many of them had more than two players
    """

    ids: tuple[int, ...]
    seats: tuple[int, ...]
    larger: int


@dataclass(frozen=True)
class Outcome:
    """What a player won in the matches of the two, in bb per 100 hands.

    won       raw, adjusted: without the luck of the cards, both with intervals
    cards     what the luck of the cards brought: raw - adjusted
    bb        chips won in all, in bb
    """

    matches: int
    hands: int
    bb: float
    won: Estimate
    cards: float
    adjusted: Estimate


@dataclass(frozen=True)
class Part:
    """What was won in some of the hands.

    breakdown  street (of the hand's last choice), position, hole (kind of hole cards) or ended
    value      which of them; street: its number, one more than the last for a run
    won        bb per 100 of *all* hands, so that the parts of a breakdown add up to what was won in all
    """

    breakdown: str
    value: str | int
    hands: int
    bb: float
    won: Estimate


@dataclass(frozen=True)
class Weakness:
    """A leak of the player; other: what the same change of play wins from the other in bb/100, None if not known."""

    leak: Leak
    other: float | None


@dataclass(frozen=True)
class Weaknesses:
    """What a player gives away.

    found        the largest first; looked: plays that were looked at; hands, matches: those that were read
    of_the_two   only the matches of the two were read
    reason       why leaks could not be priced; None if they could
    """

    player: Player
    found: tuple[Weakness, ...] = ()
    looked: int = 0
    hands: int = 0
    matches: int = 0
    of_the_two: bool = True
    reason: str | None = None


@dataclass(frozen=True)
class Loss:
    """A hand that the player lost, in bb; pot: what could be won.

    street, action  its own last choice; equity: its share of the pot to expect then, against the cards really held
    """

    match_id: int
    hand_index: int
    won: float
    pot: float
    players: int
    street: int | None
    action: str | None
    equity: float | None


@dataclass(frozen=True)
class Why:
    """What `why` found; own: what the player gives away, of_other: what the other does."""

    player: Player
    against: Player
    met: Met
    outcome: Outcome
    parts: tuple[Part, ...]
    own: Weaknesses
    of_other: Weaknesses
    losses: tuple[Loss, ...]


def why(
    store: "Store",
    player: Player,
    against: Player,
    as_of: int | None = None,
    progress: Progress | None = None,
) -> Why:
    """Why a player loses to another, from the matches up to one (match_id as_of).

    Raises WhyError if they did not meet, UnknownMatch if as_of is not of their event and game.
    """
    met = met_in(store, player, against, as_of)
    store.count_equities()
    rules = rules_of(store, player.game)
    hands = _hands(store, met, rules)
    if not len(hands):
        raise WhyError(f"{player} and {against.name!r} have no hand whose award is in the log")
    outcome, parts = _where(rules, hands)
    return Why(
        player,
        against,
        met,
        outcome,
        parts,
        weaknesses(store, player, against, as_of, progress),
        weaknesses(store, against, player, as_of, progress),
        _losses(store, met),
    )


def met_in(store: Asked, player: Player, against: Player, as_of: int | None = None) -> Met:
    """The matches in which two players sat; WhyError if there are none."""
    if player == against:
        raise WhyError(f"{player} cannot be compared with itself")
    size: dict[int, int] = {}
    seats: tuple[dict[int, int], dict[int, int]] = ({}, {})
    order: dict[int, None] = {}
    for match, _, _, _, place, name, namesake, _ in matches_in_order(store, player.event, player.game, as_of):
        order[match] = None
        size[match] = size.get(match, 0) + 1
        for one, found in zip((player, against), seats, strict=True):
            if (name, namesake) == (one.name, one.seat):
                found[match] = place
    ids = [match for match in order if match in seats[0] and match in seats[1]]
    if not ids:
        until = "" if as_of is None else f" up to match {as_of}"
        raise WhyError(f"{player} and {against.name!r} did not meet{until}")
    return Met(tuple(ids), tuple(seats[0][match] for match in ids), sum(size[match] > 2 for match in ids))


def _hands(store: "Store", met: Met, rules: Properties) -> "pl.DataFrame":
    """A row for each hand: bb and adjusted (in bb), the breakdowns, and its deck and cluster."""
    import polars as pl

    asked = {
        "ids": list(met.ids),
        "seats": list(met.seats),
        "last": len(rules.streets) if rules.runs else _ANY,
    }
    facts: pl.DataFrame = store.sql(queries("why")["hands"], **asked).pl()
    results = luck.with_decks(store, luck.hands(store, matches=met.ids))
    units: pl.DataFrame = store.sql("select match_id, unit from matches").pl()
    found = facts.join(results, on=["match_id", "hand_index", "seat"]).join(units, on="match_id")
    return found.with_columns(
        bb=pl.col("delta") / pl.col("unit"), adjusted=pl.col("chance_adjusted") / pl.col("unit")
    )


def _where(rules: Properties, hands: "pl.DataFrame") -> tuple[Outcome, tuple[Part, ...]]:
    unit, sizes = luck.clusters(hands)
    bb, adjusted = hands["bb"].to_numpy(), hands["adjusted"].to_numpy()

    def per_100(won: Floats) -> Estimate:
        found = ratio(np.bincount(unit, won, len(sizes)).astype(np.float64), sizes)
        mean, low, high = (None if one is None else _PER_100 * one for one in found)
        return mean, low, high

    raw, kept = per_100(bb), per_100(adjusted)
    outcome = Outcome(
        hands["match_id"].n_unique(),
        len(hands),
        float(bb.sum()),
        raw,
        _PER_100 * float((bb - adjusted).sum()) / len(hands),
        kept,
    )
    kind = "hole" if rules.hole_cards == 2 and rules.boards == 1 else "ended"
    order = {"hole": _HOLES, "ended": _ENDS}
    parts = []
    for breakdown in ("street", "position", kind):
        column = hands[breakdown].to_numpy()
        values = sorted({*column.tolist()})
        if breakdown == "position":
            places = dict(zip(hands["position"].to_list(), hands["position_place"].to_list(), strict=True))
            values.sort(key=lambda value: (places[value], value))
        elif breakdown in order:
            values.sort(key=order[breakdown].index)
        if breakdown == "position" and values == [""]:
            continue
        for value in values:
            here = column == value
            won = np.where(here, bb, 0.0)
            parts.append(Part(breakdown, value, int(here.sum()), float(won.sum()), per_100(won)))
    return outcome, tuple(parts)


def weaknesses(
    store: "Store", player: Player, other: Player, as_of: int | None = None, progress: Progress | None = None
) -> Weaknesses:
    """What a player gives away, those things first that the other does not give away."""
    try:
        met, everywhere = (sum(matches_of(store, player, as_of, one)[1]) for one in (other, None))
        of_the_two = met >= ENOUGH or met == everywhere
        found = find_leaks(store, player, as_of, progress=progress, against=other if of_the_two else None)
    except NoLeaks as error:
        return Weaknesses(player, reason=str(error))
    leaks = [leak for leak in found.leaks if leak.listed and len(leak.hands) >= LEAST_SHOWN]
    return Weaknesses(
        player,
        tuple(_ordered(store, leaks, found, other, as_of, of_the_two)),
        found.looked,
        found.hands,
        found.matches,
        of_the_two,
    )


def _ordered(
    store: Asked, leaks: Sequence[Leak], found: Leaks, other: Player, as_of: int | None, of_the_two: bool
) -> list[Weakness]:
    """Leaks by how much more their plays win from the player than from the other, both as counted in their hands."""
    if not leaks:
        return []
    player = found.player
    own = _priced(store, player, as_of, other if of_the_two else None)
    theirs = _priced(store, other, as_of, player if of_the_two else None)
    weighed = []
    for leak in leaks:
        won, same = own.gain(leak.play), theirs.gain(leak.play)
        more = leak.gain if won is None else won - max(same or 0.0, 0.0)
        weighed.append((-more, Weakness(leak, same)))
    return [one for _, one in sorted(weighed, key=lambda row: row[0])]


@dataclass
class _Priced:
    """The decisions of a player, ready to price plays; None if there is nothing to price."""

    spots: Spots | None

    def __post_init__(self) -> None:
        if self.spots is not None:
            self.prices, self.names = Prices(self.spots), spots_named(self.spots)

    def gain(self, play: Change) -> float | None:
        """What a play wins, in bb/100; None where it would change too few decisions, or is the player's own."""
        if self.spots is None or isinstance(play, Bid) or play.fact:
            return None
        rows = sum(len(rows_of(part, self.spots, self.names)) for part in play.parts)
        return price(play, self.spots, self.prices, self.names).gain if rows >= LEAST else None


def _priced(store: Asked, player: Player, as_of: int | None, against: Player | None) -> _Priced:
    try:
        spots = read_spots(store, player, priced_matches(store, player, as_of, against))
    except NoLeaks:
        return _Priced(None)
    return _Priced(spots if spots.mine.any() and spots.hands.sum() >= LEAST_HANDS else None)


def _losses(store: "Store", met: Met) -> tuple[Loss, ...]:
    rows = store.sql(
        queries("why")["losses"], ids=list(met.ids), seats=list(met.seats), most=LOOK_AT
    ).fetchall()
    return tuple(Loss(*row) for row in rows)
