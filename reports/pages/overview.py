"""The overview pages: verdicts, deviations, violations, the ledger, biggest pots, repeated deals and evidence."""

from collections import Counter
from collections.abc import Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final

from ...analytics import dealer
from ...analytics.audit import KINDS
from ...analytics.views import queries
from .. import collusion
from ..matches import MatchName, Row, ids, rows_of, some_at_a_time

if TYPE_CHECKING:
    from ...analytics.store import Store

LISTED: Final = 100
SHOWN_POTS: Final = 25
OF_A_MATCH: Final = 3
"""The most pots of one match in a list of several matches."""
SHOWN_AUDITED: Final = 25
_AUDITED: Final = ("winners", "deals")


def overview(store: "Store", matches: Sequence[MatchName], public: bool = False) -> dict[str, Any]:
    """The lists of the overview, integrity and definitions pages, by the names of the queries in `overview`.

    public: the tests of cards and payouts are left out, since a store as spectators saw it has too few cards for them
    """
    chosen = ids(matches)
    found: dict[str, Any] = {
        key: rows_of(store, query, ids=chosen, audited=SHOWN_AUDITED, listed=LISTED)
        for key, query in queries("overview").items()
    }
    found |= {"audit_balance": [], "dealer_power": ""}
    found |= {f"audit_{kind}": [] for kind in _AUDITED} | {f"{kind}_in_all": 0 for kind in _AUDITED}
    found["winners_same"] = 0
    named = found.pop("named_deviations")
    if public:
        return found | {"deviations": named}
    known = set(chosen)
    dealers = dealer.tests(store, chosen)
    found["audit_balance"] = [row._asdict() | {"said": row.sentence} for row in dealers]
    found["dealer_power"] = dealer.power(dealers)
    for kind in _AUDITED:
        columns, rows = KINDS[kind](store, chosen)
        if kind == "deals":
            # Cards dealt twice concern both matches; a report on one has no page of the other.
            both = columns.index("match_id"), columns.index("other_match_id")
            rows = [row for row in rows if all(row[one] in known for one in both)]
        listed = [dict(zip(columns, row, strict=True)) for row in rows]
        if kind == "deals":
            listed = deck_groups(listed, chosen)
        else:
            # Where the winner stays there is little to see.
            found["winners_same"] = len(listed)
            listed = [row for row in listed if row["concern"]]
            found["winners_same"] -= len(listed)
        found[f"{kind}_in_all"] = len(listed)
        found[f"audit_{kind}"] = listed[:SHOWN_AUDITED]
    audited = [row["match_id"] for row in found["audit_winners"]]
    seats = {row["match_id"]: row for row in rows_of(store, queries("pages")["winners"], ids=audited)}
    found["audit_winners"] = [row | seats[row["match_id"]] for row in found["audit_winners"]]
    return found


class Luckiest:
    """For each (event, game), the luckiest hands; matches are added some at a time."""

    def __init__(self) -> None:
        """None yet."""
        self._best: dict[tuple[str, str], list[tuple[float, int, int, int]]] = {}

    def add(self, store: "Store", matches: Sequence[MatchName]) -> None:
        """Add some matches."""
        rows = store.execute(queries("pages")["lucky_hands"], ids=ids(matches), most=SHOWN_POTS).fetchall()
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
        for row in rows_of(store, queries("pages")["luckiest"], **chosen):
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
    shown = {"most": SHOWN_POTS, "of_a_match": OF_A_MATCH}
    chosen = ids(matches)
    place = {match: k for k, match in enumerate(chosen)}
    for some in some_at_a_time(matches):
        for row in rows_of(store, queries("pages")["biggest_pots"], ids=chosen, some=ids(some), **shown):
            found.setdefault((row["event"], row["game"]), []).append(row)
    for key, rows in found.items():
        rows.sort(key=lambda row: (-row["pot"], -row["most"], place[row["match_id"]], row["hand_index"]))
        found[key] = [row | {"place": k} for k, row in enumerate(rows[:SHOWN_POTS], 1)]
    return {key: found[key] for key in sorted(found)}


_ALIKE: Final = 0.5
"""Matches that share at least this share of hands are grouped; other pairs without a stated reason are listed alone."""
SHOWN_ALIKE: Final = 10
"""The most matches of a group that are named."""
REUSES: Final = {
    "duplicate": "the same card set in other seats",
    "series": "one tournament’s matches in one log",
    "seed": "the headers print the same seed",
    None: "none",
}
"""The reasons that logs state for repeated deals, as pages word them."""


def deck_groups(pairs: Sequence[Row], order: Sequence[int]) -> list[Row]:
    """Rows of `repeated_deals` as groups of matches: those without a stated reason first, then the largest.

    Each row: game, matches (match_ids in `order`, one where the cards come again within it), told (the stated
    reason and its number of pairs, the most pairs first), pairs, shared and hands (least and most over the pairs),
    concern.
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

    Only events of these matches, but all of their matches. If there is no test, why is the reason. A row has detector,
    one, other, q, p, effect, interval, hands, carrying ((match_id, hand_index), ...), did (by pairs of these what both
    did), explanations, note; one has compares, ((detector, what it compares), ...) of its rows, and same_program,
    the names that play alike beyond chance: one, other, alike, independent (how alike two others are), q, hands, pairs
    of hands.
    """
    from ...analytics.collusion.clones import INDEPENDENT
    from ...analytics.collusion.detectors import COMPARES, look, materials, same_program

    known = {match.match_id for match in matches}
    found = []
    for event in sorted({match.event for match in matches}):
        for material in materials(store, event):
            looked = look(material)
            rows = [row for row in looked if not same_program(row)]
            names = material.players
            found.append(
                {
                    "event": material.event,
                    "game": material.game,
                    "players": len(names),
                    "tests": len(rows),
                    "why": "" if rows else collusion.why_untested(material),
                    "strong": sum(row.flag for row in rows),
                    "same_program": [
                        {
                            "one": names[row.one],
                            "other": names[row.other],
                            "alike": row.effect,
                            "independent": dict(row.explanations)[INDEPENDENT],
                            "q": row.q_all,
                            "hands": row.hands,
                            "pairs": [
                                [(material.matches[match], hand) for match, hand in pair[:2]]
                                for pair in row.alike
                                if known.issuperset(material.matches[match] for match, _ in pair[:2])
                            ],
                        }
                        for row in looked
                        if same_program(row) and row.flag
                    ],
                    "cards": [card.among(known) for card in collusion.cards(material, rows)],
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
