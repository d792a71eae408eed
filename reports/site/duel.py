"""What the page of a match shows, read from the views for many matches at a time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from .. import plots
from ..answers import MatchName, ids, rows_of
from ..curves import Curve
from .rows import Row, side_by_side

if TYPE_CHECKING:
    from ...analytics.store import Store

SHOWN_POTS: Final = 10
SHOWN_FINDINGS: Final = 25


def _mean(value: str, most: int | None = None) -> str:
    """SQL of the mean of a value over the games of one match: n, and its 95% interval from 0 to `most`."""
    half = (
        f"mean_half(sum({value}), count({value}), sum(({value}) ** 2),"
        " {'clusters': 0, 'kk': 0.0, 'nn': 0.0, 'kn': 0.0})"
    )
    return (
        f"{{'n': count({value}), 'mean': avg({value}), 'low': low_end(avg({value}) - {half}),"
        f" 'high': high_end(avg({value}) + {half}, {'null' if most is None else most})}}"
    )


_BY_MATCH: Final = {
    "results": """
        select r.*, namesake_seat from results r join players p using (match_id, seat)
        where list_contains($ids, match_id) order by match_id, seat
    """,
    "tendencies": """
        select t.*, label from tendencies_by_match t join statistics using (statistic)
        where list_contains($ids, match_id) order by match_id, place, seat
    """,
    "aggression": """
        select * from aggression_by_match where list_contains($ids, match_id) order by match_id, seat
    """,
    "folds": """
        select *, street_name(street, game) as street_name from fold_frequency_by_match
        where list_contains($ids, match_id) order by match_id, street, position_place(position), position, seat
    """,
    "equities": f"""
        select match_id, seat, player, count(*) as opportunities, count(*) filter (where folded) as folds,
            rate_of(folds, opportunities) as rate, wilson_low(folds, opportunities) as low,
            wilson_high(folds, opportunities) as high,
            {_mean("if(folded, win_prob, null)", 1)} as when_folding,
            {_mean("if(folded, null, win_prob)", 1)} as when_betting,
            {_mean("if(folded, null, chips_added)")} as bet
        from (
            select *, action = 'fold' as folded from actions anti join damaged_hands using (match_id, hand_index)
            where list_contains($ids, match_id) and street = 1 and origin = 'choice' and win_prob is not null
        )
        group by all order by match_id, seat
    """,
    "bounties": """
        select * from bounty_hits_by_match where list_contains($ids, match_id) order by match_id, seat
    """,
    "won_by": """
        select s.match_id, s.seat, s.position, position_place(s.position) as place, h.ended_by,
            least(h.streets, 5) as streets, count(*) as hands,
            sum(s.delta) as chips
        from seats s join hands h using (match_id, hand_index)
        where list_contains($ids, s.match_id) and s.delta is not null and h.verdict <> 'damaged'
        group by all order by s.match_id, streets, ended_by, place, position, seat
    """,
    "lock": """
        select * from lock_points where list_contains($ids, match_id) and hand_index is not null
    """,
    "origins": """
        select * from origins where list_contains($ids, match_id) order by match_id, seat
    """,
    "verdicts": """
        select * from verdicts where list_contains($ids, match_id) order by match_id, hands desc
    """,
    "deviations": """
        select d.*, first_hand from deviations d join (
            select match_id, seat, deviation, min(hand_index) as first_hand from findings group by all
        ) f on f.match_id = d.match_id and f.seat is not distinct from d.seat and f.deviation = d.deviation
        where list_contains($ids, d.match_id) order by d.match_id, hands desc, d.deviation, d.seat
    """,
    "faults": """
        select x.match_id, seat, kind, count(*) as lines, min(x.line) as line,
            min(hand_index) filter (where hand_index < m.hands) as first_hand
        from faults x join matches m using (match_id)
        where list_contains($ids, x.match_id) group by all order by x.match_id, seat, kind
    """,
    "gaps": """
        select * from final_gaps where list_contains($ids, match_id) order by match_id, seat
    """,
    "pots": f"""
        select * from (
            select h.match_id, h.hand_index, h.hand_no, h.line, h.pot, h.board, h.ended_by, h.verdict,
                list({{'seat': s.seat, 'hole': s.hole_final, 'delta': s.delta}} order by s.seat) as seats,
                max(abs(s.delta)) as most
            from (select * from hands where list_contains($ids, match_id) and verdict <> 'damaged'
                qualify rank() over (partition by match_id order by pot desc) <= {SHOWN_POTS}) h
            join seats s using (match_id, hand_index)
            group by all
        )
        qualify row_number() over (partition by match_id order by pot desc, most desc, hand_index) <= {SHOWN_POTS}
        order by match_id, pot desc, most desc, hand_index
    """,
    "findings": f"""
        select *, count(*) over (partition by match_id) as total
        from findings where list_contains($ids, match_id) and verdict <> 'engine_deviation'
        qualify row_number() over (partition by match_id order by verdict = 'violation' desc, hand_index, seq)
            <= {SHOWN_FINDINGS}
        order by match_id, verdict = 'violation' desc, hand_index, seq
    """,
}


def by_match(store: "Store", matches: Sequence[MatchName]) -> dict[int, dict[str, list[Row]]]:
    """For each match_id the rows that its page shows, by the keys of `_BY_MATCH`."""
    found: dict[int, dict[str, list[Row]]] = {m.match_id: {key: [] for key in _BY_MATCH} for m in matches}
    for key, query in _BY_MATCH.items():
        for row in rows_of(store, query, ids=ids(matches)):
            found[row["match_id"]][key].append(row)
    return found


def context(match: MatchName, rows: dict[str, list[Row]], curve: Curve) -> dict[str, Any]:
    """What the template of a match's page needs, beside the rows of `by_match`."""
    return {
        **rows,
        "match": match,
        "tendencies": side_by_side(rows["tendencies"], "statistic"),
        "folds": side_by_side(rows["folds"], "street", "position"),
        "won_by": side_by_side(rows["won_by"], "streets", "ended_by", "position"),
        "plot": f"plots/{match.match_id}",
        "plot_height": plots.height(curve),
        "luck": plots.has_luck(curve),
        "band": plots.has_band(curve),
        "seats": range(len(match.players)),
    }
