"""What the pages of the HTML report show, read from the views for many matches at a time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from .answers import MatchName, ids, rows_of

if TYPE_CHECKING:
    from ..analytics.store import Store

Row = dict[str, Any]

SHOWN_POTS: Final = 8
SHOWN_FINDINGS: Final = 12
LISTED: Final = 100

_BY_MATCH: Final = {
    "results": "select * from results where list_contains($ids, match_id) order by match_id, seat",
    "tendencies": """
        select t.*, label from tendencies_by_match t join statistics using (statistic)
        where list_contains($ids, match_id) order by match_id, place, seat
    """,
    "aggression": """
        select * from aggression_by_match where list_contains($ids, match_id) order by match_id, seat
    """,
    "folds": """
        select *, street_name(street) as street_name from fold_frequency_by_match
        where list_contains($ids, match_id) order by match_id, street, position_place(position), position, seat
    """,
    "equities": """
        select match_id, seat, player, count(*) as opportunities, count(*) filter (where action = 'fold') as folds,
            rate_of(folds, opportunities) as rate, wilson_low(folds, opportunities) as low,
            wilson_high(folds, opportunities) as high,
            avg(win_prob) filter (where action = 'fold') as when_folding,
            avg(win_prob) filter (where action <> 'fold') as when_playing,
            avg(chips_added) filter (where action <> 'fold') as bet
        from actions where list_contains($ids, match_id) and street = 1 and origin = 'choice'
            and win_prob is not null
        group by all order by match_id, seat
    """,
    "bounties": """
        select * from bounty_hits_by_match where list_contains($ids, match_id) order by match_id, seat
    """,
    "origins": """
        select * from origins where list_contains($ids, match_id) order by match_id, seat
    """,
    "verdicts": """
        select * from verdicts where list_contains($ids, match_id) order by match_id, hands desc
    """,
    "deviations": """
        select * from deviations where list_contains($ids, match_id)
        order by match_id, hands desc, deviation, seat
    """,
    "faults": """
        select match_id, seat, kind, count(*) as lines, min(line) as line from faults
        where list_contains($ids, match_id) group by all order by match_id, seat, kind
    """,
    "pots": f"""
        select h.match_id, h.hand_index, h.hand_no, h.line, h.pot, h.board, h.ended_by,
            list({{'seat': s.seat, 'hole': s.hole_final, 'delta': s.delta}} order by s.seat) as seats
        from (select * from hands where list_contains($ids, match_id) and verdict <> 'damaged'
            qualify row_number() over (partition by match_id order by pot desc, hand_index) <= {SHOWN_POTS}) h
        join seats s using (match_id, hand_index)
        group by all order by h.match_id, h.pot desc, h.hand_index
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


def known_deviations() -> dict[str, Any]:
    """What every engine deviation is, by name."""
    from ..replay.replaying import GAMES

    return {deviation.name: deviation for game in GAMES for deviation in game.deviations}


def _pooled(results: Sequence[Row]) -> Row:
    """One player's matches added up.

    The interval pools the matches as independent: half-width^2 = sum((hands * half-width)^2) / hands^2.
    """
    hands = sum(row["hands"] for row in results)
    spans = [
        row["hands"] * (row["bb_per_100_high"] - row["bb_per_100_low"]) / 2
        for row in results
        if row["bb_per_100_high"] is not None
    ]
    rate = sum(row["hands"] * (row["bb_per_100"] or 0) for row in results) / hands if hands else None
    half = sum(span * span for span in spans) ** 0.5 / hands if hands and len(spans) == len(results) else None
    return {
        "player": results[0]["player"],
        "seat": results[0]["namesake_seat"],
        "matches": len(results),
        "won": sum(bool(row["won"]) for row in results),
        "hands": hands,
        "delta": sum(row["delta"] or 0 for row in results),
        "off": sum((row["delta"] or 0) - (row["delta_written"] or 0) for row in results),
        "bb_per_100": rate,
        "low": None if rate is None or half is None else rate - half,
        "high": None if rate is None or half is None else rate + half,
    }


def standings(store: "Store", matches: Sequence[MatchName]) -> dict[tuple[str, str], list[Row]]:
    """For each (event, game) its players by what they won."""
    people: defaultdict[tuple[str, str], defaultdict[Any, list[Row]]] = defaultdict(lambda: defaultdict(list))
    query = """
        select r.*, namesake_seat, delta > 0 and delta = max(delta) over (partition by match_id) as won
        from results r join players p using (match_id, seat)
        where list_contains($ids, match_id) order by match_id, seat
    """
    for row in rows_of(store, query, ids=ids(matches)):
        people[row["event"], row["game"]][row["player"], row["namesake_seat"]].append(row)
    return {
        key: sorted(map(_pooled, named.values()), key=lambda row: (-row["delta"], row["player"]))
        for key, named in sorted(people.items())
    }


def habits(store: "Store", statistics: Iterable[str]) -> dict[tuple[str, str], dict[Any, dict[str, Row]]]:
    """For each (event, game) and (player, seat) some statistics over all matches, and AFq."""
    found: dict[tuple[str, str], dict[Any, dict[str, Row]]] = {}
    query = """
        select event, game, player, seat, statistic, opportunities, rate, low, high from tendencies
        where list_contains($statistics, statistic)
        union all
        select event, game, player, seat, 'afq', bets + raises + calls + folds, afq, afq_low, afq_high
        from aggression
    """
    for row in rows_of(store, query, statistics=list(statistics)):
        group = found.setdefault((row["event"], row["game"]), {})
        group.setdefault((row["player"], row["seat"]), {})[row["statistic"]] = row
    return found


def overview(store: "Store", matches: Sequence[MatchName]) -> dict[str, Any]:
    """What the first page shows besides standings: verdicts, deviations, violations, the ledger of files."""
    chosen = ids(matches)
    return {
        "verdicts": rows_of(
            store,
            "select verdict, sum(hands)::bigint as hands from verdicts where list_contains($ids, match_id)"
            " group by all order by hands desc",
            ids=chosen,
        ),
        "deviations": rows_of(
            store,
            "select game, deviation, kind, sum(hands)::bigint as hands, sum(greatest(chips, 0)) as chips"
            " from deviations where list_contains($ids, match_id)"
            " group by all order by game, hands desc, deviation",
            ids=chosen,
        ),
        "violations": rows_of(
            store,
            "select x.*, path from findings x left join files using (file_id)"
            " where verdict = 'violation' and list_contains($ids, match_id)"
            f" order by path, line limit {LISTED}",
            ids=chosen,
        ),
        "files": rows_of(
            store,
            "select * from files order by status = 'ok', path",
        ),
        "unknown": rows_of(
            store,
            "select u.*, path from unknown_lines u left join files using (file_id)"
            f" order by path, line limit {LISTED}",
        ),
        "statistics": rows_of(store, "select * from statistics order by place"),
    }
