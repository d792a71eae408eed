"""The overview pages: verdicts, deviations, violations, the ledger, biggest pots, repeated deals and evidence."""

from collections import Counter
from collections.abc import Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final

from ...analytics.audit import KINDS
from .. import collusion
from ..matches import MatchName, Row, ids, rows_of

if TYPE_CHECKING:
    from ...analytics.store import Store

LISTED: Final = 100
SHOWN_POTS: Final = 25
OF_A_MATCH: Final = 3
"""The most pots of one match in a list of several matches."""
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
"""The files of the matches; for all matches of a store, also files without a match."""

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
    """The lists of the overview, integrity and definitions pages, by the keys of `_QUERIES`."""
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
            listed = deck_groups(listed, chosen)
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
    """For each (event, game), the luckiest hands; matches are added some at a time."""

    def __init__(self) -> None:
        """None yet."""
        self._best: dict[tuple[str, str], list[tuple[float, int, int, int]]] = {}

    def add(self, store: "Store", matches: Sequence[MatchName]) -> None:
        """Add some matches."""
        rows = store.sql(_BROUGHT, ids=ids(matches), most=SHOWN_POTS).fetchall()
        for event, game, match, hand, seat, luck in rows:
            self._best.setdefault((event, game), []).append((-luck, match, hand, seat))
        for found in self._best.values():
            found.sort()
            del found[SHOWN_POTS:]

    def rows(self, store: "Store") -> dict[tuple[str, str], list[Row]]:
        """The rows that the page shows, the luckiest first."""
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
    """For each (event, game), the hands with the biggest pots; at most `OF_A_MATCH` of a match if there are several."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows_of(store, _POTS, ids=ids(matches)):
        found.setdefault((row["event"], row["game"]), []).append(row)
    return found


_ALIKE: Final = 0.5
"""Matches that share at least this share of hands are grouped; unannounced pairs that share less are listed alone."""
SHOWN_ALIKE: Final = 10
"""The most matches of a group that are named."""
REUSES: Final = {
    "duplicate": "the same card set in other seats",
    "series": "one tournament’s matches in one log",
    "seed": "the headers print one seed",
    None: "nothing",
}
"""The reasons for announced repeats, as pages word them."""


def deck_groups(pairs: Sequence[Row], order: Sequence[int]) -> list[Row]:
    """Rows of `repeated_deals` as groups of matches: unannounced ones first, then the largest.

    Each row: game, matches (match_ids in `order`, one where the cards come again within it), told (what announces
    it and of how many pairs, the most pairs first), pairs, shared and hands (least and most over the pairs), concern.
    """
    first: dict[Any, Any] = {}

    def find(one: Any) -> Any:
        while first.setdefault(one, one) != one:
            one = first[one]
        return one

    def of(pair: Row) -> Any:
        return find((pair["game"], pair["match_id"]))

    alike: list[Row] = []
    alone: list[Row] = []
    for pair in pairs:
        deck = pair["reuse"] is not None or pair["share"] >= _ALIKE
        (alike if deck and not _within(pair) else alone).append(pair)
    for pair in alike:
        first[of(pair)] = find((pair["game"], pair["other_match_id"]))
    together: dict[Any, list[Row]] = {}
    for pair in alike:
        together.setdefault(of(pair), []).append(pair)
    # Pairs that share little are no row of their own where others put both matches into one group.
    for pair in alone[:]:
        root = of(pair)
        if root in together and root == find((pair["game"], pair["other_match_id"])) and not _within(pair):
            together[root].append(pair)
            alone.remove(pair)
    place = {match: k for k, match in enumerate(order)}
    found = [_group(rows, place) for rows in [*together.values(), *([pair] for pair in alone)]]
    return sorted(
        found,
        key=lambda row: (not row["concern"], -len(row["matches"]), row["game"], place[row["matches"][0]]),
    )


def _within(pair: Row) -> bool:
    """True if the cards repeat within one match."""
    return bool(pair["match_id"] == pair["other_match_id"])


def _group(pairs: Sequence[Row], place: dict[int, int]) -> Row:
    matches = {pair[key] for pair in pairs for key in ("match_id", "other_match_id")}
    told = Counter(pair["reuse"] for pair in pairs)
    return {
        "game": pairs[0]["game"],
        "matches": sorted(matches, key=place.__getitem__),
        "told": [(REUSES.get(reuse, reuse), count, reuse is None) for reuse, count in told.most_common()],
        "pairs": len(pairs),
        "shared": (min(pair["shared"] for pair in pairs), max(pair["shared"] for pair in pairs)),
        "hands": (min(pair["hands"] for pair in pairs), max(pair["hands"] for pair in pairs)),
        "concern": None in told,
    }


SHOWN: Final = 20


def evidence(store: "Store", matches: Sequence[MatchName]) -> list[Row]:
    """For each event and game, the number of tests and the strongest rows with their hands.

    Only events of these matches, but all of their matches. A row has detector, one, other, q, p, effect, interval,
    hands, carrying ((match_id, hand_index), ...), did (by pairs of these what both did), explanations, note; one has
    compares, ((detector, what it compares), ...) of its rows.
    """
    from ...analytics.collusion.detectors import COMPARES, look, materials
    from ...analytics.settings import LEVEL

    known = {match.match_id for match in matches}
    found = []
    for event in sorted({match.event for match in matches}):
        for material in materials(store, event):
            rows = look(material)
            names = material.players
            found.append(
                {
                    "event": material.event,
                    "game": material.game,
                    "players": len(names),
                    "tests": len(rows),
                    "strong": sum(row.q_all < LEVEL for row in rows),
                    "compares": [
                        (name, said)
                        for name, said in COMPARES.items()
                        if name in {row.detector for row in rows[:SHOWN]}
                    ],
                    "rows": [
                        {
                            "detector": row.detector,
                            "one": names[row.one],
                            "other": names[row.other],
                            "q": row.q_all,
                            "p": row.p,
                            "effect": collusion.effect(row.effect),
                            "interval": collusion.interval(row),
                            "hands": row.hands,
                            "carrying": [
                                (material.matches[match], hand)
                                for match, hand in row.carrying
                                if material.matches[match] in known
                            ],
                            "did": list(dict.fromkeys(pair.did for pair in row.alike)),
                            "explanations": list(starmap(collusion.explained, row.explanations)),
                            "note": row.note,
                        }
                        for row in rows[:SHOWN]
                    ],
                }
            )
    return found
