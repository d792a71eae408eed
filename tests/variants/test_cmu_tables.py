"""Tables of CMU's Poker AI 2025 and 2026 whose rows are actions, written by hand."""

from pathlib import Path
from typing import Any

import pytest
from support.cmu_tables import TEAMS, keeps, redraws

from oracles.cmu_tables import GOES_ON, LIMP_ENDS, RAISE_CALLED, told
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate


def read(text: str, folder: Path) -> Store:
    log = folder / "match.csv"
    log.write_text(text, newline="")
    ingest([log], folder / "store")
    return open_store(folder / "store")


def rows(store: Store, query: str) -> list[Any]:
    return list(store.execute(query).fetchall())


def test_a_redraw_changes_a_card_and_the_highest_straight_has_an_ace_on_top(tmp_path: Path) -> None:
    with read(redraws(), tmp_path) as store:
        assert rows(store, "select players, game, hands from matches") == [
            (["Ann", "X, Team 1: Y"], "cmu-2025", 4)
        ]
        assert rows(store, "select hole, hole_final, delta from seats where hand_index = 0 and seat = 0") == [
            (["6s", "2d"], ["6s", "5h"], 12.0)
        ]
        assert rows(store, "select hand_no, verdict from hands order by 1") == [
            (0, "ok"),
            (1, "ok"),
            (2, "engine_deviation"),
            (3, "ok"),
        ]
        # The fault that is one by the rules, too, then the raise of too little by the engine alone.
        assert rows(
            store, "select hand_no, text from faults join hands using (match_id, hand_index) order by 1"
        ) == [
            (1, "RaiseAction by 1"),
            (2, "RaiseAction by 3"),
        ]
        assert rows(store, "select rule, expected, logged from findings") == [("doubled-minimum", "4", "3")]
        # What no row says: the last hand's result.
        assert rows(store, "select delta from seats where hand_index = 3 order by seat") == [(1.0,), (-1.0,)]


def test_players_keep_two_cards_and_a_row_with_another_card_is_a_finding(tmp_path: Path) -> None:
    with read(keeps(), tmp_path) as store:
        assert rows(store, "select hole_final, delta from seats where hand_index = 0 order by seat") == [
            (["7h", "7d"], -2.0),
            (["Ad", "As"], 2.0),
        ]
        assert rows(store, "select rule, expected, logged, line from findings") == [("show", "7d", "8d", 12)]
        assert rows(
            store, "select action from actions where hand_index = 1 and action <> 'post' order by seq"
        ) == [
            ("call",),
            ("check",),
            ("discard",),
            ("fold",),
        ]


@pytest.mark.parametrize(
    ("line", "old", "new", "found"),
    [
        (5, b",10,", b",x,", "unknown"),
        (4, b"0,0,CALL", b"1,0,CALL", "bank-changes"),
        (6, b",2,2\r", b",3,3\r", "contribution"),
        (8, b"'7d'", b"'7h'", "board"),
    ],
)
def test_a_wrong_cell_is_found_in_its_row(
    line: int, old: bytes, new: bytes, found: str, tmp_path: Path
) -> None:
    lines = redraws().encode().splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    with read(b"".join(lines).decode(), tmp_path) as store:
        if found == "unknown":
            assert rows(store, "select line from unknown_lines") == [(line,)]
        else:
            assert (found, line) in rows(store, "select rule, line from findings")
        # The other hands are as they were.
        assert rows(store, "select hand_no from hands where verdict in ('violation', 'damaged')") == [(0,)]


def test_matches_one_below_the_other_are_two(tmp_path: Path) -> None:
    both = redraws() + keeps(TEAMS.replace("Ann", "Bea")) + redraws("# Team 0: Cid, Team 1: Dan")
    with read(both, tmp_path) as store:
        assert rows(store, "select players[1], game, hands from matches order by line") == [
            ("Ann", "cmu-2025", 4),
            ("Bea", "cmu-2026", 2),
            ("Cid", "cmu-2025", 4),
        ]


def test_a_limp_without_an_option_is_no_call_of_a_raise(corpus: Path, tmp_path: Path) -> None:
    log = corpus / "cmu/engine/2025num_01_random_random.csv"
    calls = [
        (hand.number % 2, seat, how) for hand in told(log.read_bytes().decode()) for seat, how in hand.calls
    ]
    assert calls.count((1, 1, LIMP_ENDS)) == 55
    assert calls.count((1, 1, RAISE_CALLED)) == 10
    # The engine ends the first street by team 1's calls alone.
    assert {seat for _, seat, how in calls if how == GOES_ON} == {0}
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        deviations = "(select unnest(deviations) as deviation from hands)"
        limps = f"select count(*) from {deviations} where deviation like '%.no-option-for-the-big-blind'"
        assert rows(store, limps) == [(55,)]


@pytest.mark.parametrize("game", ["cmu-2025", "cmu-2026"])
def test_given_stakes_judge_a_table_whose_hands_say_others(game: str, tmp_path: Path) -> None:
    log = tmp_path / "match.csv"
    log.write_text(simulate(game, [("A", "random"), ("B", "maniac")], 40, 5), newline="")
    ingest([log], tmp_path / "store")
    ingest([log], tmp_path / "given", stack=100, blinds=(2, 4))
    with open_store(tmp_path / "store") as store:
        assert rows(store, "select blinds, starting_stacks from matches") == [([1, 2], [100, 100])]
        assert rows(store, "select distinct verdict from hands") == [("ok",)]
    with open_store(tmp_path / "given") as store:
        assert rows(store, "select blinds from matches") == [([2, 4],)]
        assert rows(store, "select count(*) from findings where rule = 'blind'") == [(80,)]
