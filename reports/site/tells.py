"""What the size of a player's bets says of the hand behind them, and whether habits change within a match."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ...analytics.thresholds import FEW
from ..answers import MatchName, ids, rows_of
from .rows import Row

if TYPE_CHECKING:
    from ...analytics.store import Store

_BY_SIZE: Final = """
    select *, street_name(street, game) as street_name from bets_by_size where bets > 0 order by street, size
"""
_TELLS: Final = "select * from size_tells"

# The halves of a player's matches; its interval takes each match as one draw (linearised difference of two ratios).
_HALVES: Final = """
    with played as (
        select c.match_id, p.event, p.game, p.player, p.namesake_seat as seat, c.statistic, c.opportunities,
            c.successes, in_second_half(c.hand_index, coalesce(l.hand_index, m.hands)) as late
        from chances_before_lock c join matches m using (match_id) join players p using (match_id, seat)
        left join lock_points l on l.match_id = c.match_id
        where list_contains($ids, c.match_id) and p.game <> 'koper'
            and list_contains(['vpip', 'pfr', 'rfi', '3bet', 'cbet_flop', 'fold_to_cbet', 'wtsd'], c.statistic)
    ), halves as (
        select match_id, event, game, player, seat, statistic,
            coalesce(sum(opportunities) filter (where not late), 0)::double as n1,
            coalesce(sum(successes) filter (where not late), 0)::double as k1,
            coalesce(sum(opportunities) filter (where late), 0)::double as n2,
            coalesce(sum(successes) filter (where late), 0)::double as k2
        from played group by all
    ), totals as (
        select event, game, player, seat, statistic, count(*) as matches, sum(n1) as all_n1, sum(k1) as all_k1,
            sum(n2) as all_n2, sum(k2) as all_k2
        from halves group by all
    ), spread as (
        select t.event, t.game, t.player, t.seat, t.statistic, sum(((h.k2 - t.all_k2 / t.all_n2 * h.n2) / t.all_n2
            - (h.k1 - t.all_k1 / t.all_n1 * h.n1) / t.all_n1) ** 2) as squares
        from halves h join totals t on h.event = t.event and h.game = t.game and h.player = t.player
            and h.seat is not distinct from t.seat and h.statistic = t.statistic
        where t.all_n1 > 0 and t.all_n2 > 0
        group by all
    )
    select t.event, t.game, t.player, t.seat, t.statistic, s.label, t.matches, t.all_n1::bigint as n1,
        t.all_n2::bigint as n2, t.all_k1 / t.all_n1 as first, t.all_k2 / t.all_n2 as second,
        second - first as difference,
        if(t.matches < 2 or least(t.all_n1, t.all_n2) < $few or squares = 0, null,
            t_975(t.matches - 1) * sqrt(t.matches / (t.matches - 1) * squares)) as half
    from totals t join spread x on x.event = t.event and x.game = t.game and x.player = t.player
        and x.seat is not distinct from t.seat and x.statistic = t.statistic
    join statistics s on s.statistic = t.statistic
    order by s.place
"""
_SHUFFLED_MOST: Final = 60
"""Matches of a report up to which each match's change is looked for by shuffling, which takes long."""
SHOWN_CHANGES: Final = 10
RANKED_MOST: Final = 200
"""Matches of a report up to which bets are ranked by size for `size_tells`; more do not fit into its memory."""


def by_size(store: "Store", matches: Sequence[MatchName]) -> list[Row]:
    """Rows of `bets_by_size`, each with the `size_tells` of its street.

    matches  all of the store; of more than `RANKED_MOST` no `size_tells`
    """
    ranked = rows_of(store, _TELLS) if len(matches) <= RANKED_MOST else []
    tells = {street_of(row): row for row in ranked}
    return [row | {"tell": tells.get(street_of(row))} for row in rows_of(store, _BY_SIZE)]


def street_of(row: Row) -> tuple[Any, ...]:
    """Whose bets, and on which street."""
    return tuple(row[key] for key in ("event", "game", "player", "seat", "street"))


def halves(store: "Store", matches: Sequence[MatchName]) -> list[Row]:
    """For each player and some tendencies the rates of the first and the second half of his matches.

    matches, n1, n2, first, second, difference; low, high: its 95% interval over matches, null of one match and where
    n1 or n2 is below FEW
    """
    return [
        row
        | {
            end: None if row["half"] is None else row["difference"] + sign * row["half"]
            for end, sign in _ENDS
        }
        for row in rows_of(store, _HALVES, ids=ids(matches), few=FEW)
    ]


_ENDS: Final = (("low", -1), ("high", 1))


def changes(store: "Store", matches: Sequence[MatchName]) -> list[Row] | None:
    """Rows of `analytics.drift` with the label of the statistic, the least p first; None of too many matches."""
    if len(matches) > _SHUFFLED_MOST:
        return None
    from ...analytics.drift import drift

    labels = dict(store.sql("select statistic, label from statistics").fetchall())
    seats = store.sql("select match_id, seat, namesake_seat from players").fetchall()
    named = {(match, seat): namesake for match, seat, namesake in seats}
    known = set(ids(matches))
    rows = [
        row | {"seat": named[row["match_id"], row["seat"]], "label": labels[row["statistic"]]}
        for row in drift(store).iter_rows(named=True)
        if row["match_id"] in known
    ]
    return sorted(rows, key=lambda row: (row["change_p"], row["p"], row["match_id"]))
