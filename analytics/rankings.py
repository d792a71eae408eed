"""The order of a competition and how certain it is: bootstrap ranks, the run-off, and the order without one opponent.

A lineup is a group of players who sat at one table, heads-up a pair; its chips are those of all its matches and
seatings. The units of a stratum are what was reset (view `entrants`): nothing carries over from one to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .settings import DRAWS
from .views import queries

if TYPE_CHECKING:
    from .store import Store

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Key = tuple[str, int | None]
"""A player: the name, and the seat if one match holds the name twice."""

_LEFT_OUT: Final = 0.05

DIGITS: Final = 6
"""Totals are compared to the millionth of a chip, as precise as any log: sums of fractions are not exact."""

MOST_UNITS: Final = 1000
"""A stratum of more hands is divided into this many runs of consecutive hands."""


@dataclass(frozen=True)
class Stratum:
    """Lineups that are resampled together, by the units they share.

    lineups  (n,) their indices in the table's lineups
    chips    (U, n, K) chips won by the members of each lineup in each unit; 0 if it was not played
    played   (U, n) whether the lineup played the unit
    """

    lineups: Ints
    chips: Floats
    played: NDArray[np.bool_]


@dataclass(frozen=True)
class Table:
    """A competition of P players in L lineups of at most K.

    players  by total bankroll, the leader first; equal chips by name
    members  (L, K) indices of players; P fills lineups of fewer than K
    chips    (L, K) chips won
    bb       (L, K) the same in bb
    hands    (L,) hands played
    member_hands  (L, K) hands of each member, fewer for players eliminated in Koper; 0 fills lineups of fewer than K
    strata   the groups that are resampled separately; each lineup is in one of them
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
        """The players' sums of chips (..., L, K) over the lineups `played` (..., L): (..., P), rounded to `DIGITS`.

        lineups: indices (L,) of the lineups in chips, if not all.
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
        """The fewest units of a player in a stratum, ignoring strata with up to 5% of its hands: (P,)."""
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


_KINDS: Final = {"text": pl.String, "seat": pl.Int8, "int": pl.Int64, "float": pl.Float64, "bool": pl.Boolean}


def framed(rows: Sequence[Sequence[Any]], columns: str) -> pl.DataFrame:
    """A frame of rows with the columns NAME:KIND, a kind of `_KINDS` each."""
    named = (column.partition(":") for column in columns.split())
    return pl.DataFrame(rows, schema={name: _KINDS[kind] for name, _, kind in named}, orient="row")


def read_tables(
    store: "Store", event: str | None = None, game: str | None = None, most_units: int = MOST_UNITS
) -> list[Table]:
    """The competitions of a store, an event or a game that have hands, ordered by both names."""
    named = {"event": event, "game": game}
    cells = store.sql(queries("rankings")["cells"], **named).pl()
    units = store.sql(
        queries("rankings")["units"], most=most_units, order=store.order_of_draws(), **named
    ).pl()
    by_event = units.partition_by("event", "game", as_dict=True)
    return [
        _table(key, group, by_event[key])
        for key, group in cells.partition_by("event", "game", as_dict=True, maintain_order=True).items()
        if key in by_event
    ]


def _table(event: tuple[Any, ...], cells: pl.DataFrame, units: pl.DataFrame) -> Table:
    """The table of one event and game, from its frames."""
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
    """The stratum of a frame of units, ordered by unit."""
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


SCARCE: Final = 10
"""With 2 to 8 units a nominal 95% interval covered 71 to 91% of normal results (docs/standings.md)."""

HELD: Final = 0.05
"""Strata of one unit with no more than this share of the hands stay as they are in every draw."""


def held_share(table: Table) -> float:
    """The share of all hands that lies in strata of one unit."""
    single = [stratum.lineups for stratum in table.strata if len(stratum.chips) < 2]
    return float(sum(table.hands[lineups].sum() for lineups in single) / table.hands.sum())


def draw(table: Table, draws: int = DRAWS, seed: int = 0) -> Floats | None:
    """Bootstrap draws of the competition, chips (draws, L, K); None if more than HELD cannot be drawn.

    In each draw a stratum gets as many of its units as it has, with replacement (Efron, Annals of Statistics 7 (1979)
    1-26), the same ones for all its lineups; with common seeds the units are seeds over the whole table. A stratum of
    one unit cannot be resampled: it is kept if it is a small part of the hands, else nothing is drawn. A sum over few
    units spreads too little, by sqrt((U - 1) / U), and its tails are too short: what a draw adds to the result is
    multiplied by sqrt(U / (U - 1)), and in each draw by sqrt(f / chi2), chi-square with f degrees of freedom
    (`_freedom`), so that totals spread as Student's t does. Below SCARCE units the figures are marked as doubtful.
    """
    if held_share(table) > HELD:
        return None
    random = np.random.default_rng(seed)
    drawn = np.zeros((draws, *table.chips.shape))
    freedom = _freedom(table)
    wider = np.sqrt(freedom / random.chisquare(freedom, (draws, 1))) if freedom else np.ones((draws, 1))
    for stratum in table.strata:
        units = len(stratum.chips)
        each = stratum.chips.reshape(units, -1)
        # A stratum of one unit stays as it is.
        times = random.multinomial(units, np.full(units, 1 / units), size=draws)
        added = (times - 1.0) @ each
        sums = each.sum(axis=0) + wider * sqrt(units / max(units - 1, 1)) * added
        drawn[:, stratum.lineups] = sums.reshape(draws, len(stratum.lineups), -1)
    return drawn


def _freedom(table: Table) -> float:
    """Degrees of freedom of the variance of a player's total: the fewest of all players; 0 if no total varies.

    (sum of v)^2 / sum of v^2 / (U - 1) over the player's strata of U units, v being the variance of the sum over a
    stratum (Satterthwaite, Biometrics Bulletin 2 (1946) 110-114).
    """
    size = len(table.players)
    variance, squares = np.zeros(size + 1), np.zeros(size + 1)
    for stratum in table.strata:
        units = len(stratum.chips)
        if units < 2:
            continue
        players, inverse = np.unique(table.members[stratum.lineups], return_inverse=True)
        each, own = stratum.chips.reshape(units, -1), inverse.reshape(-1)
        won = np.stack([each[:, own == k].sum(axis=1) for k in range(len(players))], axis=1)
        spread = units * won.var(axis=0, ddof=1)
        variance[players] += spread
        squares[players] += spread**2 / (units - 1)
    varies = squares[:size] > 0
    return float((variance[:size][varies] ** 2 / squares[:size][varies]).min()) if varies.any() else 0.0


def scarce(table: Table) -> NDArray[np.bool_]:
    """Whether a player has too few independent units for reliable figures: (P,)."""
    return table.resets < SCARCE


def ranks(table: Table, drawn: Floats | None) -> pl.DataFrame:
    """The ranks by total bankroll over the draws; a row a player, figures null without draws.

    Columns: player, seat, resets (`Table.resets`), scarce (resets below SCARCE), p_first (share of draws in which the
    player leads; a shared lead is divided), rank_low, rank_high (2.5% and 97.5% quantiles of the rank, 1 + players with
    more), chips_low, chips_high (those of the total bankroll).
    """
    frame = pl.DataFrame(
        {
            "player": [name for name, _ in table.players],
            "seat": [seat for _, seat in table.players],
            "resets": table.resets,
            "scarce": scarce(table),
        },
        schema_overrides={"seat": pl.Int8},
    )
    names = ("p_first", "rank_low", "rank_high", "chips_low", "chips_high")
    kinds = (pl.Float64, pl.Int64, pl.Int64, pl.Float64, pl.Float64)
    if drawn is None:
        return frame.with_columns(
            pl.lit(None, dtype=kind).alias(name) for name, kind in zip(names, kinds, strict=True)
        )
    totals = table.totals(drawn)
    leads = totals == totals.max(axis=1, keepdims=True)
    p_first = (leads / leads.sum(axis=1, keepdims=True)).mean(axis=0)
    # One player at a time, because all pairs of a large field would not fit in memory.
    rank = np.stack([1 + (totals > totals[:, [k]]).sum(axis=1) for k in range(len(table.players))], axis=1)
    low, high = np.quantile(rank, (0.025, 0.975), axis=0, method="inverted_cdf")
    chips_low, chips_high = np.quantile(totals, (0.025, 0.975), axis=0)
    figures = (p_first, low.astype(np.int64), high.astype(np.int64), chips_low, chips_high)
    return frame.with_columns(pl.Series(name, values) for name, values in zip(names, figures, strict=True))


def beats(table: Table, drawn: Floats | None) -> Floats:
    """P(row has more than column in total bankroll), a tie half: (P, P); nan without draws and on the diagonal."""
    size = len(table.players)
    found = np.full((size, size), np.nan)
    if drawn is not None:
        totals = table.totals(drawn)
        for k in range(size):
            more, same = totals[:, [k]] > totals, totals[:, [k]] == totals
            found[k] = more.mean(axis=0) + same.mean(axis=0) / 2
        np.fill_diagonal(found, np.nan)
    return found


def eliminate(table: Table, chips: Floats) -> tuple[Ints, Floats]:
    """The bankroll instant run-off: drop the player with the lowest total and all its matches until one is left.

    The Annual Computer Poker Competition ranked players so: large wins against weak players count only while those are
    in. Over chips (D, L, K); returns the player dropped in each round (D, P - 1), and totals by round (D, P - 1, P).

    Totals are those among the survivors, nan for dropped players. The run-off ends when a survivor has no lineup left
    (two players of a table of three, four of Koper's five): the totals of the round before place the survivors, and
    later totals are nan. Of equal totals the player with less in the round before is dropped, then the later in order.
    """
    draws, size = len(chips), len(table.players)
    holds, rows = table.holds(), np.arange(draws)
    left = np.ones((draws, size), np.bool_)
    played = np.ones((draws, len(table.members)), np.bool_)
    order = np.zeros((draws, size))
    out, totals = np.zeros((draws, size - 1), np.int64), np.full((draws, size - 1, size), np.nan)
    deciding = np.zeros((draws, size))
    now = table.totals(chips)
    tables = np.tile(table.totals(np.ones(table.chips.shape)), (draws, 1))
    decided = np.ones((draws, 1), np.bool_)
    for turn in range(size - 1):
        now = np.round(now, DIGITS)
        decided &= ((tables > 0) | ~left).all(axis=1, keepdims=True)
        order = np.where(decided & (turn > 0), deciding, order)
        deciding = np.where(decided, now, deciding)
        lowest = np.where(left, deciding, np.inf).min(axis=1, keepdims=True)
        tied = left & (deciding == lowest)
        last_first = np.where(tied, order, np.inf)[:, ::-1]
        out[:, turn] = size - 1 - last_first.argmin(axis=1)
        totals[:, turn] = np.where(left & decided, now, np.nan)
        left[rows, out[:, turn]] = False
        for gone in np.unique(out[:, turn]).tolist():
            among, lineups = np.ix_(out[:, turn] == gone, holds[:, gone])
            lost = np.where(played[among, lineups][..., None], chips[among, lineups], 0.0)
            now[among[:, 0]] -= table.totals(lost, lineups=lineups[0])
            tables[among[:, 0]] -= table.totals(np.ones(lost.shape), played[among, lineups], lineups[0])
            played[among, lineups] = False
    return out, totals


def places(out: Ints) -> Ints:
    """The final place of each player, from 1, of run-offs (D, P - 1): (D, P)."""
    draws, size = len(out), out.shape[1] + 1
    found = np.ones((draws, size), np.int64)
    found[np.arange(draws)[:, None], out] = size - np.arange(size - 1)
    return found


def run_off(table: Table, drawn: Floats | None = None) -> pl.DataFrame:
    """The run-off round by round; a row a round and player still in it, the lowest last.

    Columns: round (from 1), player, seat, hands (among the survivors), chips (won among them), mbb_per_hand, chips_low,
    chips_high (2.5% and 97.5% quantiles over the draws, for these survivors; null for `scarce` players, whose quantiles
    are far too narrow), dropped (after this round), final_place (from 1). The last round has more than two players if
    those left have no table among themselves: it places all of them.
    """
    size = len(table.players)
    out, totals = eliminate(table, table.chips[None])
    final, holds, few = places(out)[0], table.holds(), scarce(table)
    played: NDArray[np.bool_] = np.ones(len(table.members), np.bool_)
    rows = []
    for turn in range(size - 1):
        if np.isnan(totals[0, turn]).all():
            break
        hands = table.totals(table.member_hands.astype(np.float64), played)
        bb = table.totals(table.bb, played)
        spread = None
        if drawn is not None:
            spread = np.quantile(table.totals(drawn, played), (0.025, 0.975), axis=0)
        still = [k for k in range(size) if final[k] <= size - turn]
        for k in sorted(still, key=lambda k: (-totals[0, turn, k], final[k])):
            rows.append(
                (
                    turn + 1,
                    *table.players[k],
                    int(hands[k]),
                    float(totals[0, turn, k]),
                    float(1000 * bb[k] / hands[k]) if hands[k] else None,
                    *((None, None) if spread is None or few[k] else map(float, spread[:, k])),
                    k == out[0, turn],
                    int(final[k]),
                )
            )
        played &= ~holds[:, out[0, turn]]
    return framed(
        rows,
        "round:int player:text seat:seat hands:int chips:float mbb_per_hand:float chips_low:float chips_high:float "
        "dropped:bool final_place:int",
    )


def _ranks(totals: NDArray[np.float64], left: NDArray[np.bool_]) -> NDArray[np.int64]:
    """1 + the number of remaining players with more: (P,)."""
    more: NDArray[np.int64] = ((totals[None] > totals[:, None]) & left[None]).sum(axis=1)
    return more + 1


def without_one(table: Table) -> pl.DataFrame:
    """The standings without one player; a row a removed player and remaining player.

    Columns: removed, removed_seat, player, seat, chips (won in lineups without the removed one), rank (by chips among
    players with such a lineup), change (rank less the rank among the same players with all chips: below 0 the player
    gains by the removal), winner_changes (the leader differs from that of the same players with all chips). chips, rank
    and change are null for players with no lineup without the removed one.
    """
    holds, whole = table.holds(), table.totals(table.chips)
    rows = []
    for gone, (name, seat) in enumerate(table.players):
        left = np.any(holds[~holds[:, gone]], axis=0, keepdims=True)[0]
        totals = table.totals(table.chips, ~holds[:, gone])
        rank, before = _ranks(totals, left), _ranks(whole, left)
        changes = bool(set(np.flatnonzero(left & (rank == 1))) != set(np.flatnonzero(left & (before == 1))))
        rows += [
            (
                name,
                seat,
                *table.players[k],
                *((float(totals[k]), int(rank[k]), int(rank[k] - before[k])) if left[k] else (None,) * 3),
                changes,
            )
            for k in sorted(range(len(left)), key=lambda k: (not left[k], rank[k], k))
            if k != gone
        ]
    return framed(
        rows,
        "removed:text removed_seat:seat player:text seat:seat chips:float rank:int change:int winner_changes:bool",
    )


def decisive_pairs(table: Table) -> pl.DataFrame:
    """Pairs of players without whose common matches another player would have won; a row a pair and new winner.

    Columns: player, seat, opponent, opponent_seat (the pair), hands (of their lineups), winner, winner_seat (the leader
    without those matches, among players with a lineup left), margin (its lead in chips over the present leader; null if
    that one has no lineup left).
    """
    holds, whole = table.holds(), table.totals(table.chips)
    leaders = set(np.flatnonzero(whole == whole.max()).tolist())
    rows = []
    for one, other in combinations(range(len(table.players)), 2):
        both = holds[:, one] & holds[:, other]
        if not both.any():
            continue
        left = np.any(holds[~both], axis=0, keepdims=True)[0]
        if not left.any():
            continue
        totals = table.totals(table.chips, ~both)
        winners = set(np.flatnonzero(left & (totals == totals[left].max())).tolist())
        staying = [k for k in sorted(leaders) if left[k]]
        rows += [
            (
                *table.players[one],
                *table.players[other],
                int(table.hands[both].sum()),
                *table.players[k],
                float(totals[k] - totals[staying].max()) if staying else None,
            )
            for k in sorted(winners - leaders)
        ]
    return framed(
        rows,
        "player:text seat:seat opponent:text opponent_seat:seat hands:int winner:text winner_seat:seat margin:float",
    )
