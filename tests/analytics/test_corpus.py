"""Answers over many matches at once, against what is known of the corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest


@pytest.fixture(scope="module")
def bounty(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """All Bounty logs of the corpus in one store."""
    folder = tmp_path_factory.mktemp("bounty")
    ingest([corpus / "bounty-2025"], folder)
    with open_store(folder) as store:
        yield store


@pytest.fixture(scope="module")
def expected(corpus: Path) -> dict[str, dict[str, Any]]:
    """What is known of each Bounty log, by file name."""
    known: dict[str, dict[str, Any]] = json.loads((corpus / "expected.json").read_text())["bounty-2025"]
    assert known
    return known


def by_file(store: Store, query: str) -> dict[str, tuple[Any, ...]]:
    """Rows of a query that has match_id, by the name of the match's file, without match_id."""
    found = store.execute(
        f"select parse_filename(path), q.* exclude (match_id) from ({query}) as q "
        "join matches using (match_id) join files using (file_id)"
    ).fetchall()
    return {row[0]: row[1:] for row in found}


def test_deviations_file_by_file(bounty: Store, expected: dict[str, dict[str, Any]]) -> None:
    found = by_file(
        bounty,
        """
        select
          match_id,
          coalesce(sum(hands) filter (where kind = 'pay'), 0),
          coalesce(sum(hands) filter (where kind = 'pay' and deviation like '%split-paid-to-dealer%'), 0),
          coalesce(sum(hands) filter (where kind = 'legality'), 0)
        from deviations group by match_id
        """,
    )
    for name, known in expected.items():
        wanted = ("awards_not_as_written", "of_those_split_sign_bug", "folds_when_check_is_free")
        assert found.get(name, (0, 0, 0)) == tuple(known[key] for key in wanted), name


def test_hits_and_ties_file_by_file(bounty: Store, expected: dict[str, dict[str, Any]]) -> None:
    found = by_file(
        bounty,
        """
        select match_id, count(*), count(*) filter (where hit), count(*) filter (where tie) from (
          select match_id, bool_or(bounty_hit) as hit, bool_or(tied_showdown) as tie
          from seats group by match_id, hand_index
        ) group by match_id
        """,
    )
    for name, known in expected.items():
        wanted = ("hands", "hands_with_a_bounty_hit_by_anyone", "ties")
        assert found[name] == tuple(known[key] for key in wanted), name


def test_there_is_no_violation(bounty: Store) -> None:
    assert bounty.execute("select distinct verdict from verdicts order by 1").fetchall() == [
        ("engine_deviation",),
        ("ok",),
    ]


@pytest.mark.parametrize(
    ("view", "key", "counts"),
    [
        ("tendencies", "statistic", ("opportunities", "successes")),
        ("fold_frequency", "street, position", ("opportunities", "successes")),
        ("aggression", "game", ("bets", "raises", "calls", "checks", "folds")),
        (
            "bounty_hits",
            "game",
            ("hands", "hits", "wins", "hits_when_winning", "chips_brought", "chips_cost"),
        ),
    ],
)
def test_a_player_is_the_sum_over_opponents_and_over_matches(
    bounty: Store, view: str, key: str, counts: tuple[str, ...]
) -> None:
    sums = ", ".join(f"cast(sum({name}) as double)" for name in counts)
    player = "event, player"
    whole = bounty.execute(f"select {player}, {key}, {sums} from {view} group by all order by all").fetchall()
    for finer in ("by_opponent", "by_match"):
        parts = f"select {player}, {key}, {sums} from {view}_{finer} group by all order by all"
        assert bounty.execute(parts).fetchall() == whole
    assert len(whole) > 20


def test_what_a_bounty_brings_one_player_costs_the_other(bounty: Store) -> None:
    assert not bounty.execute(
        """
        select a.match_id from bounty_hits_by_match as a join bounty_hits_by_match as b using (match_id)
        where a.seat = 0 and b.seat = 1 and (a.chips_brought, a.chips_cost) <> (b.chips_cost, b.chips_brought)
        """
    ).fetchall()


def test_all_results_sum_to_zero_and_end_where_the_log_says(bounty: Store) -> None:
    assert bounty.execute("select sum(delta), sum(delta_written) from results").fetchall() == [(0, 0)]
    assert not bounty.execute(
        "select * from results join matches using (match_id) where delta <> logged_final[seat + 1]"
    ).fetchall()
