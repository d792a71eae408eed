"""What the first pages show beside standings: verdicts, deviations, violations, the ledger, biggest pots."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ...analytics.audit import KINDS
from ..answers import MatchName, ids, rows_of
from . import decks
from .rows import Row

if TYPE_CHECKING:
    from ...analytics.store import Store

LISTED: Final = 100
SHOWN_POTS: Final = 25
OF_A_MATCH: Final = 3
"""The biggest pots of one match among those of several."""
SHOWN_AUDITED: Final = 25

# `winners_as_written` names them, which of two namesakes it was the seat tells.
_WINNERS: Final = """
    select match_id, list(seat order by seat) filter (where place = 1) as winners,
        list(seat order by seat) filter (where place_written = 1) as winners_written
    from (
        select match_id, seat, rank() over (partition by match_id order by delta desc) as place,
            rank() over (partition by match_id order by delta_written desc) as place_written
        from results where list_contains($ids, match_id)
    ) group by match_id
"""
_READ: Final = """
    (file_id in (select file_id from matches where list_contains($ids, match_id))
        or (select count(*) from matches) = len($ids))
"""
"""The files that the matches lie in; of all matches of a store also files without one."""

_QUERIES: Final = {
    "verdicts": """
        select verdict, sum(hands)::bigint as hands from verdicts where list_contains($ids, match_id)
        group by all order by hands desc
    """,
    "verdicts_by_game": """
        select *, (sum(hands) over (partition by game))::bigint as of_game from (
            select game, verdict, count(*) as hands from hands where list_contains($ids, match_id) group by all
        ) order by game, hands desc
    """,
    "deviations": """
        select d.*, coalesce(w.moved, 0) as chips
        from (
            select m.game, x.deviation, x.kind, count(distinct x.match_id) as matches,
                count(distinct (x.match_id, x.hand_index)) filter (where x.hand_index is not null) as hands,
                min((x.match_id, x.hand_index)) as example
            from findings x join matches m using (match_id)
            where x.deviation is not null and list_contains($ids, x.match_id) group by all
        ) d left join (
            select game, deviation, sum(moved) as moved from (
                select distinct game, match_id, deviation, moved from who_gained where list_contains($ids, match_id)
            ) group by all
        ) w using (game, deviation)
        order by d.game, hands desc, d.deviation
    """,
    "gainers": f"""
        select d.match_id, d.deviation, d.seat, d.player, d.hands, d.chips, count(*) over () as in_all
        from deviations d where list_contains($ids, d.match_id) and d.kind = 'pay' and d.chips > 0
        order by d.chips desc, d.match_id, d.seat limit {SHOWN_AUDITED}
    """,
    "violations": f"""
        select x.*, path from findings x left join files using (file_id)
        where verdict = 'violation' and list_contains($ids, match_id)
        order by path, line limit {LISTED}
    """,
    "faults": """
        select p.event, p.game, p.player, p.namesake_seat as seat, x.kind, count(*) as lines,
            count(distinct x.match_id) as matches,
            min((x.match_id, x.hand_index)) filter (where x.hand_index < m.hands) as example
        from faults x join matches m using (match_id) left join players p on p.match_id = x.match_id and p.seat = x.seat
        where list_contains($ids, x.match_id) group by all order by lines desc, p.event, p.player, x.kind
    """,
    "files": f"select * from files where {_READ} order by status = 'ok', path",
    "unknown": f"""
        select u.*, path from unknown_lines u left join files using (file_id) where {_READ}
        order by path, line limit {LISTED}
    """,
    "statistics": "select * from statistics order by place",
}
# In games of fixed stacks every all-in has the same pot: who won or lost most comes first.
_POTS: Final = f"""
    with candidates as (
        select h.match_id, h.hand_index, m.event, h.game, h.pot, h.pot / m.unit as bb, h.board, h.ended_by,
            m.shown
        from hands h join (
            select *, if(count(*) over (partition by event, game) > 1, {OF_A_MATCH}, {SHOWN_POTS}) as shown
            from matches where list_contains($ids, match_id)
        ) m using (match_id)
        where verdict <> 'damaged' and h.pot / m.unit > 0
        qualify rank() over (partition by h.match_id order by h.pot desc) <= shown
    ),
    weighed as (
        select c.*, max(abs(s.delta)) as most from candidates c join seats s using (match_id, hand_index) group by all
    ),
    of_matches as (
        select * from weighed
        qualify row_number() over (partition by match_id order by pot desc, most desc, hand_index) <= shown
    ),
    chosen as (
        select *, row_number() over (partition by event, game
            order by pot desc, most desc, list_position($ids, match_id), hand_index) as place
        from of_matches qualify place <= {SHOWN_POTS}
    )
    select c.*, list({{'seat': s.seat, 'hole': s.hole_final, 'delta': s.delta}} order by s.delta desc) as seats
    from chosen c join seats s using (match_id, hand_index)
    group by all order by c.event, c.game, c.place
"""


def overview(store: "Store", matches: Sequence[MatchName]) -> dict[str, Any]:
    """Lists for the first page, that of integrity and that of definitions, by the keys of `_QUERIES`."""
    chosen = ids(matches)
    found: dict[str, Any] = {
        key: rows_of(store, query, **({"ids": chosen} if "$ids" in query else {}))
        for key, query in _QUERIES.items()
    }
    known = set(chosen)
    for kind in ("winners", "deals", "balance"):
        columns, rows = KINDS[kind](store, chosen)
        if kind == "deals":
            # Cards dealt twice are told of both matches; a report on one has no page of the other.
            both = columns.index("match_id"), columns.index("other_match_id")
            rows = [row for row in rows if all(row[one] in known for one in both)]
        listed = [dict(zip(columns, row, strict=True)) for row in rows]
        if kind == "deals":
            listed = decks.groups(listed, chosen)
        found[f"{kind}_in_all"] = len(listed)
        found[f"audit_{kind}"] = listed if kind == "balance" else listed[:SHOWN_AUDITED]
    audited = [row["match_id"] for row in found["audit_winners"]]
    seats = {row["match_id"]: row for row in rows_of(store, _WINNERS, ids=audited)}
    found["audit_winners"] = [row | seats[row["match_id"]] for row in found["audit_winners"]]
    return found


_BROUGHT: Final = """
    select m.event, m.game, e.match_id, e.hand_index, e.seat, e.luck / m.unit as luck_bb
    from (
        select match_id, hand_index, seat, sum(value - value_before) as luck from equities
        where list_contains($ids, match_id) group by all
    ) e join matches m using (match_id)
    where e.luck > 0
    qualify row_number() over (partition by m.event, m.game order by e.luck / m.unit desc, e.match_id,
        e.hand_index, e.seat) <= $most
"""
_LUCKIEST: Final = """
    select s.match_id, s.hand_index, s.seat, m.event, m.game, h.pot, h.pot / m.unit as bb, h.board,
        m.unit, s.delta, s.hole_final as hole
    from seats s join hands h using (match_id, hand_index) join matches m using (match_id)
    where list_contains($ids, s.match_id) and list_contains($hands, s.hand_index)
"""


class Luckiest:
    """For each (event, game) the hands in which the cards brought one player most, found some matches at a time."""

    def __init__(self) -> None:
        """None yet."""
        self._best: dict[tuple[str, str], list[tuple[float, int, int, int]]] = {}

    def add(self, store: "Store", matches: Sequence[MatchName]) -> None:
        """Take in some matches."""
        rows = store.sql(_BROUGHT, ids=ids(matches), most=SHOWN_POTS).fetchall()
        for event, game, match, hand, seat, luck in rows:
            self._best.setdefault((event, game), []).append((-luck, match, hand, seat))
        for found in self._best.values():
            found.sort()
            del found[SHOWN_POTS:]

    def rows(self, store: "Store") -> dict[tuple[str, str], list[Row]]:
        """What the page shows of them, the luckiest first."""
        best = {one[1:]: -one[0] for found in self._best.values() for one in found}
        if not best:
            return {}
        chosen = {
            "ids": sorted({match for match, _, _ in best}),
            "hands": sorted({hand for _, hand, _ in best}),
        }
        found: dict[tuple[str, str], list[Row]] = {}
        for row in rows_of(store, _LUCKIEST, **chosen):
            luck = best.get((row["match_id"], row["hand_index"], row["seat"]))
            if luck is not None:
                more = {"luck_bb": luck, "luck": luck * row["unit"]}
                found.setdefault((row["event"], row["game"]), []).append(row | more)
        for rows in found.values():
            rows.sort(key=lambda row: (-row["luck_bb"], row["match_id"], row["hand_index"], row["seat"]))
        return found


def biggest_pots(store: "Store", matches: Sequence[MatchName]) -> dict[tuple[str, str], list[Row]]:
    """For each (event, game) the hands with the most chips in the pot; of several matches `OF_A_MATCH` at most."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows_of(store, _POTS, ids=ids(matches)):
        found.setdefault((row["event"], row["game"]), []).append(row)
    return found
