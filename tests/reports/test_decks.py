"""Matches of the same cards, put together."""

from itertools import combinations
from pathlib import Path
from typing import Any

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.reports.matches import all_matches, rows_of
from railbird.reports.pages import overview
from railbird.reports.pages.build import write_report
from railbird.reports.pages.overview import deck_groups


def pair(one: int, other: int, reuse: str | None, shared: int = 50, game: str = "koper") -> dict[str, Any]:
    return {
        "game": game,
        "match_id": one,
        "other_match_id": other,
        "reuse": reuse,
        "shared": shared,
        "hands": 50,
        "share": shared / 50,
    }


def test_pairs_of_one_deck_are_one_group() -> None:
    pairs = [pair(a, b, "series", 50 - a) for a, b in combinations((1, 2, 3), 2)]
    pairs += [pair(3, 9, None), pair(5, 6, "seed", game="bounty"), pair(5, 6, "seed")]
    found = deck_groups(pairs, [9, 6, 5, 3, 2, 1])
    assert [(row["game"], row["matches"], row["concern"]) for row in found] == [
        ("koper", [9, 3, 2, 1], True),
        ("bounty", [6, 5], False),
        ("koper", [6, 5], False),
    ]
    first = found[0]
    assert (first["pairs"], first["shared"], first["hands"]) == (4, (48, 50), (50, 50))
    assert [count for _, count, _ in first["told"]] == [3, 1]
    assert [concern for _, _, concern in first["told"]] == [False, True]


def test_few_shared_hands_without_a_stated_reason_join_no_groups() -> None:
    pairs = [pair(1, 2, "seed"), pair(3, 4, None, 30), pair(2, 3, None, 5), pair(1, 1, None, 3)]
    found = deck_groups(pairs, [1, 2, 3, 4])
    assert sorted((row["matches"], row["shared"][0]) for row in found) == [
        ([1], 3),
        ([1, 2], 50),
        ([2, 3], 5),
        ([3, 4], 30),
    ]
    # Where both are of one group without it, it is one of that group's pairs.
    pairs = [pair(1, 2, "seed"), pair(2, 3, "seed"), pair(1, 3, None, 5), pair(3, 3, None, 4)]
    found = deck_groups(pairs, [1, 2, 3])
    assert [(row["matches"], row["pairs"], row["shared"], row["concern"]) for row in found] == [
        ([1, 2, 3], 3, (5, 50), True),
        ([3], 1, (4, 4), True),
    ]


def test_the_page_names_every_match_by_its_place_in_the_log(sample_logs: Path, tmp_path: Path) -> None:
    ingest([sample_logs / "koper" / "v2-one-class.all_games.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        matches = all_matches(store)
        pairs = rows_of(store, "select * from repeated_deals")
        (row,) = overview.overview(store, matches)["audit_deals"]
        page = write_report(store, tmp_path / "report").parent / "integrity.html"
    assert row["pairs"] == len(pairs) > 1
    assert row["matches"] == [match.match_id for match in matches]
    text = page.read_text(encoding="utf-8").partition('id="cards"')[2]
    places = [text.index(f'<span class="sub together">match {match.match_no}</span>') for match in matches]
    assert places == sorted(places)
