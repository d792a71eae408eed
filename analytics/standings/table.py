"""What a competition was played in: lineups, the chips of each, and the units that are resampled together.

A lineup is a group of players who sat at one table, heads-up a pair; its chips are those of all its matches and
seatings. The units of a stratum are what was reset (view `entrants`): nothing carries over from one to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..store import Store

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Key = tuple[str, int | None]
"""A player: the name, and the seat where one match holds the name twice."""

_LEFT_OUT: Final = 0.05

DIGITS: Final = 6
"""Totals are compared by the millionth of a chip, as fine as any log prints them: sums of fractions are not exact."""

MOST_UNITS: Final = 1000
"""A stratum of more hands is cut into so many runs of hands that follow each other."""

_CELLS: Final = """
    select * from lineup_results
    where ($event is null or event = $event) and ($game is null or game = $game)
    order by event, game, lineup, player, seat
"""
_UNITS: Final = """
    select
        e.event, e.game, e.stratum, e.lineup, e.table_unit,
        case
            when e.reset in ('match', 'duplicate match', 'card set') then 0
            when e.reset = 'hand' and m.hands > $most / n.matches
                then r.part * greatest($most // n.matches, 1) // m.hands
            else r.part
        end as part,
        e.player, e.namesake_seat as seat, chips_of(r.delta) as chips
    from unit_results as r
    join entrants as e on e.match_id = r.match_id and e.seat = r.seat
    join matches as m on m.match_id = r.match_id
    join (select event, game, stratum, count(distinct match_id) as matches from entrants group by all) as n
        on n.event = e.event and n.game = e.game and n.stratum = e.stratum
    where ($event is null or e.event = $event) and ($game is null or e.game = $game)
    group by all
    order by e.event, e.game, e.stratum, e.table_unit, part, e.lineup, e.player, seat
"""


@dataclass(frozen=True)
class Stratum:
    """Lineups that are resampled together, by the units they share.

    lineups  (n,) their places among the table's lineups
    chips    (U, n, K) what each unit brought the members of each lineup; 0 where it was not played
    played   (U, n) whether the lineup played the unit
    """

    lineups: Ints
    chips: Floats
    played: NDArray[np.bool_]


@dataclass(frozen=True)
class Table:
    """A competition of P players in L lineups of at most K.

    players  by total bankroll, the first leads; equal chips by name
    members  (L, K) places among the players; P where a lineup has fewer than K
    chips    (L, K) chips won
    bb       (L, K) the same in bb
    hands    (L,) hands played
    member_hands  (L, K) those of each member: Koper's eliminated play no more; 0 where a lineup has fewer than K
    strata   what is resampled by itself; every lineup is in one of them
    """

    event: str
    game: str
    players: Sequence[Key]
    members: Ints
    chips: Floats
    bb: Floats
    hands: Ints
    member_hands: Ints
    strata: Sequence[Stratum]

    def totals(
        self, chips: Floats, played: NDArray[np.bool_] | None = None, lineups: Ints | None = None
    ) -> Floats:
        """The players' sums of chips (..., L, K), of the lineups played (..., L) only: (..., P), to `DIGITS`.

        lineups: their places (L,), where chips has not all of them.
        """
        if played is not None:
            chips = chips * played[..., None]
        members = self.members if lineups is None else self.members[lineups]
        seat = np.zeros((members.size, len(self.players) + 1))
        seat[np.arange(members.size), members.ravel()] = 1
        shape = chips.shape[:-2]
        sums = (chips.reshape(*shape, -1) @ seat)[..., :-1].reshape(*shape, len(self.players))
        return np.round(sums, DIGITS)

    def holds(self) -> NDArray[np.bool_]:
        """Whether a lineup has a player: (L, P)."""
        places: NDArray[np.bool_] = (self.members[:, :, None] == np.arange(len(self.players))).any(axis=1)
        return places

    @property
    def resets(self) -> Ints:
        """The fewest units that a player has in a stratum, leaving out 5% of his hands: (P,)."""
        fewest = np.zeros(len(self.players), np.int64)
        holds = self.holds()
        for player in range(len(self.players)):
            found = []
            for stratum in self.strata:
                own = holds[stratum.lineups, player]
                if own.any():
                    units = int(stratum.played[:, own].any(axis=1).sum())
                    found.append((units, int(self.hands[stratum.lineups[own]].sum())))
            found.sort()
            hands = np.cumsum([count for _, count in found])
            fewest[player] = found[int(np.searchsorted(hands, _LEFT_OUT * hands[-1], side="right"))][0]
        return fewest


def read_tables(
    store: "Store", event: str | None = None, game: str | None = None, most_units: int = MOST_UNITS
) -> list[Table]:
    """The competitions of a store, of one event or of one game, ordered by both names; none has no hand."""
    named = {"event": event, "game": game}
    cells = store.sql(_CELLS, **named).pl()
    units = store.sql(_UNITS, most=most_units, **named).pl()
    by_event = units.partition_by("event", "game", as_dict=True)
    return [
        _table(key, group, by_event[key])
        for key, group in cells.partition_by("event", "game", as_dict=True, maintain_order=True).items()
        if key in by_event
    ]


def _table(event: tuple[Any, ...], cells: pl.DataFrame, units: pl.DataFrame) -> Table:
    """The table of the frames of one event and game."""
    rows = cells.select("lineup", "player", "seat", "hands", "chips", "bb").rows()
    won: dict[Key, float] = {}
    for _, player, seat, _, chips, _ in rows:
        won[player, seat] = won.get((player, seat), 0.0) + chips
    players = sorted(won, key=lambda key: (-round(won[key], DIGITS), key[0], key[1] or 0))
    place = {key: number for number, key in enumerate(players)}
    lineups: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        lineups.setdefault(row[0], []).append(row)
    members = np.full((len(lineups), max(map(len, lineups.values()))), len(players), np.int64)
    chips_of, bb_of = np.zeros(members.shape), np.zeros(members.shape)
    hands_of = np.zeros(members.shape, np.int64)
    for number, seated in enumerate(lineups.values()):
        for k, (_, player, seat, hands, chips, bb) in enumerate(seated):
            members[number, k] = place[player, seat]
            chips_of[number, k], bb_of[number, k] = chips, bb
            hands_of[number, k] = hands
    numbers = {key: number for number, key in enumerate(lineups)}
    strata = [_stratum(group, numbers, members, place) for group in units.partition_by("stratum")]
    return Table(
        event[0], event[1], players, members, chips_of, bb_of, hands_of.max(axis=1), hands_of, strata
    )


def _stratum(group: pl.DataFrame, lineups: dict[int, int], members: Ints, place: dict[Key, int]) -> Stratum:
    """The stratum of a frame of its units, ordered by unit."""
    numbers = np.array([lineups[key] for key in group["lineup"].to_list()])
    people = [place[key] for key in zip(group["player"].to_list(), group["seat"].to_list(), strict=True)]
    own, lineup = np.unique(numbers, return_inverse=True)
    unit = group.select(pl.struct("table_unit", "part").rle_id()).to_series().to_numpy()
    column = (members[numbers] == np.array(people)[:, None]).argmax(axis=1)
    chips = np.zeros((int(unit[-1]) + 1, len(own), members.shape[1]))
    chips[unit, lineup, column] = group["chips"].to_numpy()
    played = np.zeros(chips.shape[:2], np.bool_)
    played[unit, lineup] = True
    return Stratum(own, chips, played)
