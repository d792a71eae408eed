"""PokerNow's tables as table lines: the newest line first, totals of a street, dead chips, two boards, odd names."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from support.pokernow import END, OMAHA, STACKS, START, A, B, C, export, run_twice

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers.pokernow import translate
from railbird.parsers.records import Record
from railbird.parsers.table_lines import Lines, Table


def tables(rows: Iterable[str]) -> list[Table]:
    out = Lines()
    records = (Record(number, row.encode(), "") for number, row in enumerate(rows, 1))
    for _ in translate(records, out):
        continue
    return out.tables


def lines_of(*said: str) -> list[str]:
    (table,) = tables(export(said))
    return table.lines


def test_a_hand_is_told_in_order_with_totals_of_the_street() -> None:
    assert lines_of(
        START.format(12, A),
        STACKS,
        f"{B} posts a small blind of 1",
        f"{C} posts a big blind of 2",
        f"{A} raises to 6",
        f"{B} folds",
        f"{C} calls 6",
        "Flop:  [9♦, 10♥, 2♣]",
        f"{C} checks",
        f"{A} bets 4",
        f"{C} folds",
        f"Uncalled bet of 4 returned to {A}",
        f"{A} collected 13 from pot",
        END.format(12),
    ) == [
        "hand 12 2",
        "limit 0 2 0",
        "seat 0 90",
        "seat 1 80",
        "seat 2 100",
        "small 0 1",
        "big 1 2",
        "hidden 0 2",
        "hidden 1 2",
        "hidden 2 2",
        "raise 2 6",
        "fold 0",
        "call_to 1 6",
        "board 9d Th 2c",
        "check 1",
        "raise 2 4",
        "fold 1",
        "back 2 4",
        "win 2 13",
        "end",
    ]


def test_every_line_says_where_it_stands_in_the_file() -> None:
    said = [START.format(1, A), STACKS, f"{B} posts a small blind of 1", f"{C} posts a big blind of 2"]
    (table,) = tables(export([*said, f"{A} folds"]))
    assert table.names == ["BBBBBBBBBB", "CCCCCCCCCC", "AAAAAAAAAA"]
    where = dict(table.places)
    assert [where[table.lines.index(line)] for line in ("hand 1 2", "small 0 1", "big 1 2", "fold 2")] == [
        6,
        4,
        3,
        2,
    ]


def test_what_a_player_missed_is_dead_or_a_bet() -> None:
    lines = lines_of(
        START.format(1, A),
        STACKS,
        f"{B} posts a small blind of 1",
        f"{C} posts a big blind of 2",
        f"{A} posts a missing small blind of 1",
        f"{A} posts a missed big blind of 2",
    )
    assert lines[5:10] == ["small 0 1", "big 1 2", "dead 2 1", "big 2 2", "first 2"]


def test_chips_are_added_by_a_dead_blind_behind_a_live_one(tmp_path: Path) -> None:
    log = tmp_path / "table.csv"
    said = [START.format(1, A), STACKS, f"{B} posts a small blind of 1", f"{C} posts a big blind of 2"]
    said += [f"{A} posts a missed big blind of 2", f"{A} posts a missing small blind of 1"]
    said += [f"{B} folds", f"{C} checks", f"{A} raises to 6", f"{C} folds"]
    said += [f"Uncalled bet of 4 returned to {A}", f"{A} collected 6 from pot", END.format(1)]
    log.write_text("\n".join(export(said)) + "\n")
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        rows = store.execute(
            "select player, amount_to, chips_added from actions where action = 'post' order by seq"
        )
        assert rows.fetchall() == [
            ("BBBBBBBBBB", 1, 1),
            ("CCCCCCCCCC", 2, 2),
            ("AAAAAAAAAA", 2, 2),
            ("AAAAAAAAAA", 3, 1),
        ]
        assert store.execute("select contribution from seats order by seat").fetchall() == [(1,), (2,), (7,)]


def test_a_straddle_counts_the_own_blind_and_a_short_blind_costs_the_whole_one() -> None:
    lines = lines_of(
        "The game's big blind was changed from 10 to 20.",
        START.format(1, A),
        STACKS,
        f"{B} posts a small blind of 10",
        f"{C} posts a big blind of 15 and go all in ",
        f"{B} posts a straddle of 18",
    )
    assert lines[1] == "limit 0 20 0"
    assert lines[5:9] == ["small 0 10", "big 1 15", "straddle 0 8", "price 20"]


def test_chips_are_cents_where_any_amount_has_them() -> None:
    (table,) = tables(
        export([START.format(1, A), STACKS.replace("(90)", "(90.50)"), f"{B} posts a small blind of 1"])
    )
    assert table.unit == 100
    assert table.lines[2:6] == ["seat 0 9050", "seat 1 8000", "seat 2 10000", "small 0 100"]


def test_a_bomb_pot_goes_straight_to_two_flops() -> None:
    lines = lines_of(
        OMAHA.format(3, A),
        STACKS,
        f"{B} posts a bet of 5 (bomb pot bet)",
        f"{C} calls 5 (bomb pot bet)",
        f"{A} calls 5 (bomb pot bet)",
        "Flop:  [9♦, 8♥, 2♣]",
        "Flop (second board):  [K♦, Q♥, J♣]",
    )
    assert lines[1] == "limit 1 0 0"
    assert lines[5:12] == [
        "ante 0 5",
        "ante 1 5",
        "ante 2 5",
        "skip",
        "hidden 0 4",
        "hidden 1 4",
        "hidden 2 4",
    ]
    assert lines[12:] == ["board 9d 8h 2c", "again Kd Qh Jc", "unfinished"]


def test_a_dead_button_stands_before_who_posts_first() -> None:
    start = START.format(1, A).replace(f"dealer: {A}", "dead button")
    assert lines_of(start, STACKS, f"{C} posts a small blind of 1")[:5] == [
        "hand 1 -1",
        "limit 0 0 0",
        "seat 0 80",
        "seat 1 100",
        "seat 2 90",
    ]


def test_cards_shown_at_any_time_are_dealt_and_those_of_the_showdown_shown() -> None:
    lines = lines_of(
        START.format(1, A),
        STACKS,
        f"{B} posts a small blind of 1",
        f"{C} posts a big blind of 2",
        f"{A} shows a A♠.",
        f"{A} folds",
        f"{B} calls 2",
        f"{C} shows a K♠, K♦.",
        f"{C} collected 4 from pot with Pair (combination: K♠, K♦, 9♥, 8♥, 7♣)",
        END.format(1),
        f"{B} shows a 2♠, 2♦.",
        f"{A} shows a Q♦.",
    )
    # By what a player at the showdown shows behind the hand, its pay is not checked.
    assert lines[7:10] == ["hidden 0 2", "deal 1 Ks Kd", "deal 2 As Qd"]
    assert lines[-4:] == ["muck 0", "show 1 Ks Kd", "win 1 4", "end"]


def test_two_games_of_a_table_are_two_matches() -> None:
    hand = [STACKS, f"{B} posts a small blind of 1", f"{A} folds", f"{C} collected 1 from pot"]
    found = tables(
        export(
            [
                *(START.format(1, A), *hand, END.format(1)),
                *(OMAHA.format(2, A), *hand, END.format(2)),
                *(START.format(3, A), *hand, END.format(3)),
            ]
        )
    )
    assert [table.engine for table in found] == ["pokernow", "pokernow-omaha"]
    assert [[line for line in table.lines if line.startswith("hand ")] for table in found] == [
        ["hand 1 2", "hand 3 2"],
        ["hand 2 2"],
    ]


def test_a_game_without_rules_says_so() -> None:
    start = START.format(1, A).replace("No Limit Texas Hold'em", "Seven Card Stud")
    assert lines_of(start, STACKS)[1] == "reason no rules for Seven Card Stud"


def test_a_name_may_look_like_a_line() -> None:
    hostile = f'x @ AAAAAAAAAA" folds ({A}) collected 5 from pot | #9 "y'
    player = f'"{hostile} @ DDDDDDDDDD"'
    (table,) = tables(
        export(
            [
                START.format(1, player),
                f"Player stacks: #1 {player} (100) | #2 {B} (50)",
                f"{player} posts a small blind of 1",
                f"{B} posts a big blind of 2",
                f"{player} raises to 6",
                f"{B} folds",
            ]
        )
    )
    assert table.names == ["BBBBBBBBBB", "DDDDDDDDDD"]
    assert table.lines[0] == "hand 1 1"
    assert table.lines[-3:] == ["raise 1 6", "fold 0", "unfinished"]


def test_a_player_has_its_last_id_everywhere() -> None:
    (table,) = tables(
        export(
            [
                START.format(1, A),
                STACKS,
                f"{B} posts a small blind of 1",
                'The player "Ann @ ZZZZZZZZZZ" changed the ID from AAAAAAAAAA to ZZZZZZZZZZ because of a login.',
            ]
        )
    )
    assert table.names == ["BBBBBBBBBB", "CCCCCCCCCC", "ZZZZZZZZZZ"]


def test_rows_that_say_nothing_known_are_left_unread() -> None:
    rows = export([START.format(1, A), STACKS, f"{B} dances"])
    out = Lines()
    for _ in translate((Record(k, row.encode(), "") for k, row in enumerate([*rows, "a,b"], 1)), out):
        continue
    text = out.take().text
    assert b'unread: "Ben @ BBBBBBBBBB" dances\n' in text
    assert b"unread: a,b\n" in text


def test_who_shows_a_hand_that_it_need_not_show_has_shown_it() -> None:
    lines = lines_of(
        START.format(1, A),
        STACKS,
        f"{B} posts a small blind of 1",
        f"{C} posts a big blind of 2",
        f"{A} folds",
        f"{B} folds",
        f"{B} shows a 7♠, 2♦.",
        f"Uncalled bet of 1 returned to {C}",
        f"{C} collected 2 from pot",
        f"{C} shows a K♠.",
        END.format(1),
    )
    assert lines[-4:] == ["back 1 1", "show 0 7s 2d", "win 1 2", "end"]


def test_a_row_with_a_carriage_return_costs_itself_alone() -> None:
    rows = export([START.format(1, A), STACKS, END.format(1)])
    out, plain = Lines(), tables(rows)
    said = [*rows, "a\r b,2025-01-07T05:59:42.159Z,173622958215999"]
    for _ in translate((Record(number, row.encode(), "") for number, row in enumerate(said, 1)), out):
        continue
    assert [table.lines for table in out.tables] == [table.lines for table in plain]
    assert out.first_unread is not None and out.first_unread[0] == len(said)


@pytest.mark.parametrize(
    ("number", "posted", "called"), [("12", "9" * 5000, "2"), ("12", "1", "1" * 19), ("1" * 19, "1", "2")]
)
def test_a_hand_with_a_number_of_too_many_digits_is_left_out(number: str, posted: str, called: str) -> None:
    lines = lines_of(
        START.format(11, A),
        STACKS,
        END.format(11),
        START.format(number, A),
        STACKS,
        f"{B} posts a small blind of {posted}",
        f"{C} posts a big blind of 2",
        f"{A} calls {called}",
        END.format(number),
        START.format(13, A),
        STACKS,
        END.format(13),
    )
    quoted = f"hand {12 if number == '12' else 'without one'}"
    assert [line for line in lines if f"a number of more than 18 digits\t{quoted}" in line]
    assert [line for line in lines if line.startswith("hand 1")] == ["hand 11 2", "hand 13 2"]


def test_a_hand_without_its_end_is_quoted_from_its_own_file(tmp_path: Path) -> None:
    """The newest line stands first, so that lines are not in order: a line of another file's match was quoted."""
    hand = (
        STACKS,
        f"{B} posts a small blind of 1",
        f"{C} posts a big blind of 2",
        f"{A} folds",
        f"{B} folds",
    )
    paid = (f"Uncalled bet of 1 returned to {C}", f"{C} collected 2 from pot")
    said = [START.format(1, A), *hand, *paid, END.format(1), START.format(2, A), *hand]
    (tmp_path / "a.csv").write_text("\n".join(export(said)) + "\n")
    (tmp_path / "b.csv").write_text(run_twice().replace("Ann", "Dee"))
    ingest([tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        rows = store.execute("select line, text, reason from unknown_lines").fetchall()
    (row,) = [row for row in rows if "ends before" in row[2]]
    assert row[0] == 1 + len(hand) + 1
    assert row[1].startswith("hand 2 ")
