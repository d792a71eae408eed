"""What the store says of cards that change, of ranks that count as others, and of boards that go on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

GAMES = ("river-of-blood", "permutation", "swap")
SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("relatives")
    ingest([SAMPLES / game for game in GAMES], folder)
    with open_store(folder) as found:
        yield found


def lines_of(store: Store, query: str) -> list[tuple[str, list[str], list[str] | None]]:
    """Rows of a query that has match_id, line, cards and effective: the log's line and the cards."""
    rows = store.execute(
        f"select path, q.line, q.cards, q.effective from ({query}) as q "
        "join matches using (match_id) join files using (file_id)"
    ).fetchall()
    texts = {path: Path(path).read_text().split("\n") for path in {row[0] for row in rows}}
    return [(texts[path][line - 1], cards, effective) for path, line, cards, effective in rows]


def test_every_card_event_stands_on_its_line(store: Store) -> None:
    rows = lines_of(
        store,
        "select match_id, d.line, cards, cards_effective as effective from deals as d join matches using "
        "(match_id) where engine_profile <> '2023-01-02a'",
    )
    assert len(rows) > 1000
    for line, cards, effective in rows:
        printed = re.findall(r"\b[2-9TJQKA][cdhs]\b", line)
        assert set(cards) <= set(printed), line
        if effective:
            # Cards are printed twice, in brackets as they count.
            assert printed[len(printed) // 2 :][-len(cards) :] == effective
            assert printed[: len(printed) // 2][-len(cards) :] == cards


def test_cards_count_as_others_in_permutation_alone(store: Store) -> None:
    assert store.execute(
        "select distinct game, cards_effective is null, permutation is null from deals join matches using (match_id) "
        "order by all"
    ).fetchall() == [("permutation", False, False), ("river-of-blood", True, True), ("swap", True, True)]


def test_swaps_make_the_hand_at_the_end_of_the_one_that_was_dealt(store: Store) -> None:
    found = store.execute(
        """
        select hole, hole_final, swapped from seats
        left join (
          select match_id, hand_index, seat, flatten(list(cards order by seq)) as swapped
          from deals where kind = 'swap' group by all
        ) using (match_id, hand_index, seat)
        join matches using (match_id) where game = 'swap'
        """
    ).fetchall()
    assert sum(swapped is not None for *_, swapped in found) > 20
    for hole, final, swapped in found:
        new = [card for card in final if card not in hole]
        assert set(new) <= set(swapped or []), (hole, final, swapped)
        assert (final == hole) == (swapped is None)


def test_events_of_a_hand_are_numbered_in_the_order_of_their_lines(store: Store) -> None:
    assert not store.execute(
        """
        select * from (
          select seq, row_number() over (partition by match_id, hand_index order by line) - 1 as place from deals
        ) where seq <> place
        """
    ).fetchall()


def test_showdowns_on_boards_that_are_not_printed_are_won_by_whom_the_log_pays(
    sample_logs: Path, tmp_path: Path
) -> None:
    ingest([sample_logs / "river-of-blood" / "2023-01-02a.txt"], tmp_path)
    with open_store(tmp_path) as store:
        found = store.execute(
            "select player, statistic, successes, opportunities from tendencies "
            "where statistic in ('wtsd', 'w$sd', 'tied_showdown') order by all"
        ).fetchall()
    assert found == [
        ("Brook", "tied_showdown", 2, 29),
        ("Brook", "w$sd", 15, 29),
        ("Brook", "wtsd", 29, 36),
        ("Delta", "tied_showdown", 2, 29),
        ("Delta", "w$sd", 12, 29),
        ("Delta", "wtsd", 29, 36),
    ]


def test_a_run_goes_on_past_the_river_and_its_streets_are_counted(store: Store) -> None:
    streets, board, deepest = store.execute(
        "select max(streets), max(len(board)), max(street) from hands join actions using (match_id, hand_index)"
    ).fetchall()[0]
    assert streets > 6
    assert (board, deepest) == (streets + 1, streets - 1)
    # Bets of the run are decisions like any; the statistics that name a street mean that street.
    counts = store.execute(
        """
        select count(*) filter (where a.street >= 4 and a.origin = 'choice') > 100,
          count(distinct (a.match_id, a.hand_index, a.seat)) filter (where a.street = 3)
            >= (select count(*) from seats where cbet_river_chance)
        from actions as a
        """
    ).fetchall()
    assert counts == [(True, True)]


def test_stacks_are_those_of_the_revision(store: Store) -> None:
    assert store.execute(
        "select distinct game, engine_profile = 'initial', starting_stacks[1], "
        "(select max(stack_start) from seats where seats.match_id = matches.match_id) from matches order by all"
    ).fetchall() == [
        ("permutation", False, 200.0, 200.0),
        ("permutation", True, 400.0, 400.0),
        ("river-of-blood", False, 400.0, 400.0),
        ("swap", False, 200.0, 200.0),
        ("swap", True, 400.0, 400.0),
    ]
