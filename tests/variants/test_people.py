"""Hands of people, read into stores: what PokerNow's house and IRC's dealers do that no engine does."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support.pokernow import BLINDS, END, OMAHA, RUN_TWICE, STACKS, START, A, B, C, export

from railbird.analytics.store import open_store
from railbird.ingest import ingest

DELTAS = "select player, delta from seats order by hand_index, seat"
VERDICTS = "select hand_no, verdict from hands order by hand_no"


def asked(path: Path, lines: Iterable[str], *queries: str) -> list[list[Any]]:
    """What a store of one table answers."""
    (path / "table.csv").write_text("\n".join(export([*lines])) + "\n")
    ingest([path / "table.csv"], path / "store")
    with open_store(path / "store") as store:
        return [store.execute(query).fetchall() for query in queries]


def test_a_hand_run_twice_pays_half_by_each_board(tmp_path: Path) -> None:
    found = asked(tmp_path, RUN_TWICE, DELTAS, VERDICTS, "select board from hands")
    assert found == [
        [("BBBBBBBBBB", 1.0), ("CCCCCCCCCC", -2.0), ("AAAAAAAAAA", 1.0)],
        [(1, "ok")],
        [(["9d", "8h", "2c", "3d", "4s"],)],
    ]


def test_the_second_board_is_its_hands_alone(tmp_path: Path) -> None:
    """Also after a hand that is left out, and one with a line too many; viewers are shown no hand twice."""
    plain = [line for line in RUN_TWICE if "second run" not in line or "collected" in line]
    short = [line for line in RUN_TWICE if "River (second" not in line]
    hands = [
        [line for line in RUN_TWICE if "collected" not in line and line != END.format(1)],
        plain,
        short,
        [*RUN_TWICE],
    ]
    lines = [line.replace("#1 (id", f"#{k} (id") for k, hand in enumerate(hands, 1) for line in hand]
    number = iter(range(1, 9))
    lines = [END.format(next(number)) if line == END.format(1) else line for line in lines]
    boards = (
        "select hand_no, board_no, cards from boards join hands using (match_id, hand_index) order by all"
    )
    shown = "select count(*) from visible where item = 'shown' and cards is null"
    first = ["9d", "8h", "2c", "3d", "4s"]
    assert asked(tmp_path, lines, "select hand_no, board from hands order by 1", boards, shown) == [
        [(number, first) for number in (2, 3, 4)],
        [
            (3, 1, first),
            (3, 2, [*first[:4], "Kd"]),
            (4, 1, first),
            (4, 2, [*first[:3], "Kd", "5s"]),
        ],
        [(0,)],
    ]


def test_a_half_that_goes_to_the_worse_hand_is_found(tmp_path: Path) -> None:
    lines = [
        OMAHA.format(1, A),
        STACKS,
        *(f"{player} posts a bet of 5 (bomb pot bet)" for player in (B, C, A)),
        "Flop:  [9♦, 8♥, 2♣]",
        "Flop (second board):  [K♦, Q♥, J♣]",
        *(f"{player} checks" for player in (B, C, A)),
        "Turn: 9♦, 8♥, 2♣ [3♦]",
        "Turn (second board): K♦, Q♥, J♣ [3♠]",
        *(f"{player} checks" for player in (B, C, A)),
        "River: 9♦, 8♥, 2♣, 3♦ [4♠]",
        "River (second board): K♦, Q♥, J♣, 3♠ [4♥]",
        *(f"{player} checks" for player in (B, C, A)),
        f"{B} shows a A♠, A♥, 5♣, 6♣.",
        f"{C} shows a 7♠, 7♥, 6♦, 6♥.",
        f"{A} shows a A♦, T♠, 5♥, 5♠.".replace("T♠", "10♠"),
        f"{B} collected 8 from pot with Straight (combination: 6♣, 5♣, 4♠, 3♦, 2♣)",
        f"{B} collected 7 from pot with Pair on the second board  (combination: A♠, A♥, K♦, Q♥, J♣)",
        END.format(1),
    ]
    query = "select player, delta, delta_written from seats order by seat"
    boards = "select hand_index, board_no, cards, pot, ended_by from boards order by all"
    # With the second board the dealer has the straight to the ace.
    *found, both = asked(tmp_path, lines, query, VERDICTS, boards)
    assert both == [
        (0, 1, ["9d", "8h", "2c", "3d", "4s"], None, "showdown"),
        (0, 2, ["Kd", "Qh", "Jc", "3s", "4h"], None, "showdown"),
    ]
    assert found == [
        [("BBBBBBBBBB", 10.0, 3.0), ("CCCCCCCCCC", -5.0, -5.0), ("AAAAAAAAAA", -5.0, 2.0)],
        [(1, "violation")],
    ]


@pytest.mark.parametrize("all_in", ["", " and go all in"])
def test_a_missing_small_blind_is_dead_and_no_part_of_a_bet(all_in: str, tmp_path: Path) -> None:
    lines = [
        START.format(1, A),
        STACKS.replace("(80)", "(20)") if all_in else STACKS,
        *BLINDS,
        f"{A} posts a missing small blind of 1",
        f"{A} raises to 20",
        f"{B} calls 20",
        f"{C} calls 20{all_in}",
        "Flop:  [9♦, 8♥, 2♣]",
        *(() if all_in else (f"{B} checks", f"{C} checks")),
        *((f"{B} checks",) if all_in else ()),
        f"{A} bets 10",
        f"{B} folds",
        *(() if all_in else (f"{C} folds",)),
        f"Uncalled bet of 10 returned to {A}",
        *(
            (
                f"{A} shows a A♠, A♥.",
                f"{C} shows a K♠, K♥.",
                "Turn: 9♦, 8♥, 2♣ [3♦]",
                "River: 9♦, 8♥, 2♣, 3♦ [4♠]",
            )
            if all_in
            else ()
        ),
        f"{A} collected 61 from pot",
        END.format(1),
    ]
    assert asked(tmp_path, lines, DELTAS, VERDICTS) == [
        [("BBBBBBBBBB", -20.0), ("CCCCCCCCCC", -20.0), ("AAAAAAAAAA", 40.0)],
        [(1, "ok")],
    ]


def test_a_hand_whose_cards_are_not_shown_keeps_its_chips(tmp_path: Path) -> None:
    streets = ("Flop:  [9♦, 8♥, 2♣]", "Turn: 9♦, 8♥, 2♣ [3♦]", "River: 9♦, 8♥, 2♣, 3♦ [4♠]")
    lines = [
        START.format(1, A),
        STACKS,
        *BLINDS,
        f"{A} folds",
        f"{B} calls 2",
        f"{C} checks",
        *(line for street in streets for line in (street, f"{B} checks", f"{C} checks")),
        f"{C} shows a 9♠.",
        f"{C} collected 4 from pot with Pair (combination: 9♠, 9♦, 8♥, 4♠, 3♦)",
        END.format(1),
    ]
    message = "select kind, message from findings"
    assert asked(tmp_path, lines, DELTAS, VERDICTS, message) == [
        [("BBBBBBBBBB", -2.0), ("CCCCCCCCCC", 2.0), ("AAAAAAAAAA", 0.0)],
        [(1, "unverified")],
        [("unverified", "a player at the showdown does not show")],
    ]


def test_a_game_without_rules_keeps_its_chips_and_says_so(tmp_path: Path) -> None:
    start = START.format(1, A).replace("No Limit Texas Hold'em", "Seven Card Stud")
    lines = [start, *folded(1)[1:]]
    message = "select kind, message from findings"
    assert asked(tmp_path, lines, DELTAS, message) == [
        [("BBBBBBBBBB", -1.0), ("CCCCCCCCCC", 1.0), ("AAAAAAAAAA", 0.0)],
        [("unverified", "no rules for Seven Card Stud")],
    ]


def folded(number: int) -> list[str]:
    """A short hand."""
    return [
        START.format(number, A),
        STACKS,
        *BLINDS,
        f"{A} folds",
        f"{B} folds",
        f"Uncalled bet of 1 returned to {C}",
        f"{C} collected 2 from pot",
        END.format(number),
    ]


def test_a_table_that_grew_replaces_its_earlier_export_and_another_players_is_the_same(
    tmp_path: Path,
) -> None:
    newcomer = '"Dee @ DDDDDDDDDD"'
    more = [line.replace(A, newcomer).replace("(100)", "(60)") for line in folded(3)]
    own = [line if "stacks" not in line else f"{line}\nYour hand is A♠, A♥" for line in folded(2)]
    exports = {
        "early": [*folded(1), *folded(2)],
        "late": [*folded(1), *folded(2), *more],
        "other": [*folded(1), *"\n".join(own).split("\n"), *more],
    }
    for name, lines in exports.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(export(lines)) + "\n")
        ingest([tmp_path / f"{name}.csv"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select hands, len(players) from matches").fetchall() == [(3, 4)]
        assert store.execute("select status from files order by path").fetchall() == [
            ("partial",),
            ("ok",),
            ("ignored",),
        ]


TIME = 797300001
MONTH = {
    "hdb": f"{TIME} 2 51 3 0/0 0/0 0/0 1/15\n{TIME + 9} 2 52 3 0/0 0/0 0/0 1/15\n",
    "hroster": f"{TIME} 3 fern moss wren\n",
    "pdb/pdb.fern": f"fern {TIME} 3 1 B - - - 500 5 15\n",
    "pdb/pdb.moss": f"moss {TIME} 3 2 BQ - - - 400 10 0\n",
    "pdb/pdb.wren": f"wren {TIME} 3 3 f - - - 300 0 0\n",
}


@pytest.mark.parametrize("given", ["199504", "199504/hdb"])
def test_a_month_is_its_list_of_hands_and_what_lies_beside_it(given: str, tmp_path: Path) -> None:
    for name, text in MONTH.items():
        path = tmp_path / "199504" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    ingest([tmp_path / given], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        # The big blind leaves before the small blind has acted.
        assert store.execute(VERDICTS).fetchall() == [(TIME, "ok")]
        assert store.execute(DELTAS).fetchall() == [("fern", 10.0), ("moss", -10.0), ("wren", 0.0)]
        assert store.execute("select line, text from unknown_lines").fetchall() == [
            (2, "unread: not in hroster")
        ]
        sidecars = store.execute("select count(*) from files where status = 'sidecar'").fetchone()
        assert sidecars == (len(MONTH) - 1 if given == "199504" else 0,)


def test_the_exporters_own_cards_are_known_where_nobody_sees_them(tmp_path: Path) -> None:
    first = folded(1)
    first[2:2] = ["Your hand is 7♠, 2♦"]
    first[-2:-2] = [f"{B} shows a 7♠, 2♦."]
    second = folded(2)
    second[2:2] = ["Your hand is K♠, 9♦"]
    query = "select player, hole, shown from seats where hole is not null order by hand_index"
    assert asked(tmp_path, [*first, *second], query) == [
        [("BBBBBBBBBB", ["7s", "2d"], True), ("BBBBBBBBBB", ["Ks", "9d"], False)]
    ]


def test_a_hand_that_does_not_say_who_plays_it_is_lost_alone(tmp_path: Path) -> None:
    lines = [*folded(1), *(line for line in folded(2) if "stacks" not in line), *folded(3)]
    unread = "select text from unknown_lines"
    assert asked(tmp_path, lines, VERDICTS, unread) == [
        [(1, "ok"), (3, "ok")],
        [("unread: hand 2 does not say who plays it",)],
    ]
