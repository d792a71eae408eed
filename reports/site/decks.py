"""Matches that were dealt the same cards, put together: of eight matches one row says what 28 pairs would."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from .rows import Row

_ALIKE: Final = 0.5
"""Share of the hands from which on two matches are of one deck; unannounced pairs that share less stand alone."""
SHOWN_ALIKE: Final = 10
"""Matches of one group that are named."""
REUSES: Final = {
    "duplicate": "the same card set in other seats",
    "series": "one tournament’s matches in one log",
    "seed": "the headers print one seed",
    None: "nothing",
}
"""What announces that cards come again, as pages say it."""


def groups(pairs: Sequence[Row], order: Sequence[int]) -> list[Row]:
    """Rows of `repeated_deals` as groups of matches, those that nothing announces first, then the largest.

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
    """True where the cards come again within one match."""
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
