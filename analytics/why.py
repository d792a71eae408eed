"""Why one player loses to another: who won, where the chips went, what each gives away, and the hands to look at.

What a player gives away are its leaks (analytics/exploit), in the matches of the two if these are enough hands, else in
all its matches. Habits that its opponents do not have come first, for what both do explains no difference between them;
the plays against these habits are a family of their own, so that their intervals are narrower (docs/why.md).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress
from ..variants.properties import Properties
from . import luck
from .exploit.auctions import read_auctions
from .exploit.leaks import leak_of
from .exploit.material import NoLeaks, matches_of, priced_matches, read_spots
from .exploit.plays import (
    Change,
    Priced,
    judged,
)
from .exploit.search import UNSURE, Habits, Weakness, all_plays, sure_habits
from .intervals import Estimate, ratio
from .players import Asked, Player, matches_in_order, rules_of
from .views import queries

if TYPE_CHECKING:
    import polars as pl

    from .store import Store

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ENOUGH: Final = 1000
"""With fewer hands of the two players, leaks are searched in all matches of a player."""
LEAST_SHOWN: Final = 3
"""The fewest hands that support a leak."""
LOOK_AT: Final = 3
_ANY: Final = 127
"""No street comes later."""
_PER_100: Final = 100.0
_HOLES: Final = ("pair", "suited", "offsuit", "not seen")
_ENDS: Final = ("showdown", "mixed", "fold", "unknown")


class WhyError(ValueError):
    """Two players that cannot be compared; the message is one line."""


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
        weaknesses(store, player, against, as_of, progress, every=True),
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
    store: "Store",
    player: Player,
    other: Player,
    as_of: int | None = None,
    progress: Progress | None = None,
    every: bool = False,
) -> Weaknesses:
    """What a player gives away, the habits first that its opponents do not have.

    every  also sure habits at a price that is not certain, up to UNSURE habits of its own in all
    """
    try:
        met, everywhere = (sum(matches_of(store, player, as_of, one).hands) for one in (other, None))
        of_the_two = met >= ENOUGH or met == everywhere
        matches = priced_matches(store, player, as_of, other if of_the_two else None)
        spots = read_spots(store, player, matches, progress)
    except NoLeaks as error:
        return Weaknesses(player, reason=str(error))
    if not spots.mine.any():
        return Weaknesses(player, reason="In none of the hands are both players' cards known")
    plays, *more = all_plays(spots, auctions := read_auctions(store, spots, matches))
    habits = Habits(spots)
    found = [habits.weakness(one, leak_of(one, spots, False, auctions)) for one in plays]
    apart: tuple[list[Priced[Change]], list[Priced[Change]]] = ([], [])
    for one, weakness in zip(plays, found, strict=True):
        apart[not weakness.is_own].append(one)
    listed = judged(*filter(None, (*apart, *more)))
    shown = [habits.weakness(one, leak_of(one, spots, True, auctions)) for one in listed]
    if every:
        room = UNSURE - sum(one.is_own for one in shown)
        shown += [one for _, one in sure_habits(list(zip(plays, found, strict=True)), listed, room)]
    shown = [one for one in shown if len(one.leak.hands) >= LEAST_SHOWN]
    shown.sort(
        key=lambda one: (not one.is_own, not one.leak.listed, -one.leak.gain if one.leak.listed else 0)
    )
    looked = len(plays) + sum(map(len, more))
    return Weaknesses(player, tuple(shown), looked, int(spots.hands.sum()), len(spots.ids), of_the_two)


def _losses(store: "Store", met: Met) -> tuple[Loss, ...]:
    rows = store.sql(
        queries("why")["losses"], ids=list(met.ids), seats=list(met.seats), most=LOOK_AT
    ).fetchall()
    return tuple(Loss(*row) for row in rows)
