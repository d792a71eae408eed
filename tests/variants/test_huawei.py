"""Hands of Huawei's contest: tables at which players leave, chips in reserve, answers that the server corrects."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.failures import no_failure
from support.huawei import BOARD, HOLES, Act, Seat, hand, held, replay, table

from railbird.analytics.store import open_store
from railbird.ingest import ingest

NAME = "huawei-2015"


def read(text: str, folder: Path, query: str) -> list[tuple[Any, ...]]:
    (folder / "replay.txt").write_text(text)
    ingest([folder / "replay.txt"], folder / "store")
    with open_store(folder / "store") as store:
        rows: list[tuple[Any, ...]] = store.execute(query).fetchall()
        return rows


def rules(text: str, folder: Path) -> list[tuple[str, str, str | None]]:
    """The rules that the hands break, with verdict and deviation."""
    return read(text, folder, "select rule, verdict, deviation from findings order by hand_index, seq")


FIVE: tuple[Seat, ...] = tuple((p, 2000, 1000) for p in HOLES)
FOLDED = [("1004", "fold", 0), ("1005", "fold", 0), ("1001", "fold", 0), ("1002", "fold", 20)]


def test_the_last_player_is_asked_and_if_it_folds_nobody_wins_the_pot(tmp_path: Path) -> None:
    text = replay(hand(1, FIVE, [*FOLDED, ("1003", "fold", 40)], {}))
    found = read(
        text,
        tmp_path,
        "select verdict, sum(delta) from hands join seats using (match_id, hand_index) group by all",
    )
    assert found == [("ok", -60)]


def test_the_last_player_wins_if_it_does_not_fold(tmp_path: Path) -> None:
    text = replay(hand(1, FIVE, [*FOLDED, ("1003", "check", 40)], {"1003": 60}))
    found = read(
        text,
        tmp_path,
        "select verdict, delta from hands join seats using (match_id, hand_index) where player = '1003'",
    )
    assert found == [("ok", 20)]


def test_a_last_player_who_is_not_asked_is_missing(tmp_path: Path) -> None:
    found = rules(replay(hand(1, FIVE, FOLDED, {"1003": 60})), tmp_path)
    assert [rule for rule, _, _ in found] == ["not-asked"]


TWO: tuple[Seat, ...] = (("1001", 2000, 0), ("1002", 1500, 0))


def test_of_two_only_one_posts_and_the_other_acts_first(tmp_path: Path) -> None:
    acts: list[Act | str] = [
        ("1001", "call", 20),
        ("1002", "check", 20),
        "flop",
        ("1002", "fold", 20),
        ("1001", "check", 20),
    ]
    text = replay(hand(1, TWO, acts, {"1001": 40}))
    found = read(
        text, tmp_path, "select verdict, position, delta from hands join seats using (match_id, hand_index)"
    )
    assert sorted(found) == [("ok", "BTN", 20), ("ok", "SB", -20)]


def test_players_leave_buy_chips_and_the_button_passes_over_who_has_left(tmp_path: Path) -> None:
    first = hand(
        1,
        [
            ("1001", 2000, 1000),
            ("1002", 2000, 0),
            ("1003", 2000, 1000),
            ("1004", 2000, 1000),
            ("1005", 2000, 1000),
        ],
        [
            *(("1004", "fold", 0), ("1005", "fold", 0), ("1001", "all_in", 2000), ("1002", "all_in", 2000)),
            *(("1003", "all_in", 2000), "flop", "turn", "river"),
        ],
        {"1001": 6000},
        ("1002", "1003", "1001"),
    )
    # 1002 has nothing left, and 1003 buys all that it has in reserve.
    second = hand(
        2,
        [("1003", 1000, 0), ("1004", 2000, 1000), ("1005", 2000, 1000), ("1001", 6000, 1000)],
        [("1001", "fold", 0), ("1003", "fold", 0), ("1004", "fold", 20), ("1005", "check", 40)],
        {"1005": 60},
    )
    query = """
        select hand_index, verdict, player, position, bankroll_before, stack_start
        from hands join seats using (match_id, hand_index) where hand_index = 1 order by player"""
    assert read(replay(first, second), tmp_path, query) == [
        (1, "ok", "1001", "CO", 7000, 6000),
        (1, "ok", "1003", "BTN", 1000, 1000),
        (1, "ok", "1004", "SB", 3000, 2000),
        (1, "ok", "1005", "BB", 3000, 2000),
    ]
    with open_store(tmp_path / "store") as store:
        named = store.execute(
            "select seat, position from decisions where hand_index = 1 order by seq"
        ).fetchall()
        flags = store.execute("""
            select player from seats where hand_index = 1 and limp_chance order by seat""").fetchall()
    assert named == [(0, "CO"), (2, "BTN"), (3, "SB"), (4, "BB")]
    assert flags == [("1004",)]


def test_a_player_does_not_buy_more_than_the_first_hand_shows_at_the_table(tmp_path: Path) -> None:
    first = hand(
        1,
        [("1001", 2000, 0), ("1002", 2000, 3000)],
        [("1001", "all_in", 2000), ("1002", "all_in", 2000), "flop", "turn", "river"],
        {"1001": 4000},
        ("1002", "1001"),
    )
    second = hand(
        2,
        [("1002", 2500, 500), ("1001", 4000, 0)],
        [("1002", "fold", 0), ("1001", "check", 20)],
        {"1001": 20},
    )
    assert rules(replay(first, second), tmp_path) == [("stacks", "violation", None)]


def test_time_outs_are_folds_of_the_engine_also_where_a_check_is_free(tmp_path: Path) -> None:
    acts: list[Act | str] = [
        ("1004", "fold", 0),
        ("1005", "fold", 0),
        ("1001", "call", 40),
        ("1002", "call", 40),
        ("1003", "fold"),
    ]
    acts += ["flop", ("1002", "fold", 40), ("1001", "check", 40)]
    found = read(
        replay(hand(1, FIVE, acts, {"1001": 120})),
        tmp_path,
        """select verdict, kind, a.action, a.origin from hands join faults as f using (match_id, hand_index)
        join actions as a using (match_id, hand_index) where a.player = f.player and a.action <> 'post'""",
    )
    assert found == [("ok", "late", "fold", "substitute")]


def test_a_player_who_is_lost_has_no_money_afterwards(tmp_path: Path) -> None:
    one = hand(
        1,
        FIVE,
        [*FOLDED[:2], ("1001", "fold", 0), ("1002", "fold"), ("1003", "check", 40)],
        {"1003": 60},
        totals={"1002": 0},
    )
    lines = [line.replace("1002 time out", "1002 off line") for line in one]
    final = [f"score of {p}: 1 {chips} 0 {rank}" for p, chips, rank in (("1002", 0, 2), ("1003", 3020, 1))]
    text = replay(lines, [*final, "game over"])
    found = read(
        text,
        tmp_path,
        """select verdict, kind, complete, logged_final
        from hands join faults using (match_id, hand_index) join matches using (match_id)""",
    )
    ((verdict, kind, complete, finals),) = found
    assert (verdict, kind, complete) == ("ok", "disconnected", True)
    assert finals[1:3] == [0, 3020]


ODD: tuple[Seat, ...] = (("1001", 2000, 0), ("1002", 2000, 0), ("1003", 2000, 0))


@pytest.mark.parametrize(
    ("wins", "deviation"),
    [
        ({"1002": 533, "1003": 534, "1001": 533}, {None}),
        ({"1002": 534, "1003": 533, "1001": 533}, set()),
        ({"1002": 533, "1003": 533, "1001": 534}, {f"{NAME}.odd-chip-to-the-last"}),
        ({"1002": 533, "1003": 533, "1001": 533}, {f"{NAME}.odd-chip-dropped"}),
    ],
)
def test_chips_that_do_not_divide_go_to_the_first_after_the_button_and_known_engines_do_otherwise(
    wins: dict[str, int], deviation: set[str | None], tmp_path: Path
) -> None:
    seats = [*((p, 2000, 0) for p in ("1001", "1002", "1003", "1004"))]
    acts: list[Act | str] = [
        ("1004", "raise", 400),
        ("1001", "call", 400),
        ("1002", "call", 400),
        ("1003", "call", 400),
        "flop",
    ]
    acts += [("1002", "check", 400), ("1003", "check", 400), ("1004", "fold", 400), ("1001", "check", 400)]
    for street in ("turn", "river"):
        acts += [street, *((p, "check", 400) for p in ("1002", "1003", "1001"))]
    text = replay(hand(1, seats, acts, wins, ("1002", "1003", "1001")))
    for old, new in zip(BOARD, ("CLUBS 5", "DIAMONDS 6", "CLUBS 7", "DIAMONDS 8", "CLUBS 9"), strict=True):
        text = text.replace(f"\n{old}\n", f"\n{new}\n")
    found = rules(text.replace("ONE_PAIR", "STRAIGHT"), tmp_path)
    assert {each for rule, _, each in found if rule == "award"} == deviation


@pytest.mark.parametrize(
    ("wins", "deviation"),
    [
        ({"1001": 1500 + 20, "1002": 1000}, set()),
        ({"1001": 1500 + 520, "1002": 500}, {f"{NAME}.folded-money-to-the-main-pot"}),
        ({"1001": 1500, "1002": 1020}, {None}),
    ],
)
def test_money_of_a_folded_player_goes_to_the_pots_that_it_was_put_into(
    wins: dict[str, int], deviation: set[str | None], tmp_path: Path
) -> None:
    """1001 is all-in for 500; 1004 puts in 1000 and folds to more."""
    seats = [("1004", 2000, 0), ("1005", 2000, 0), ("1001", 500, 0), ("1002", 2000, 0)]
    acts: list[Act | str] = [
        ("1002", "raise", 100),
        ("1004", "raise", 200),
        ("1005", "fold", 20),
        ("1001", "all_in", 500),
    ]
    acts += [
        ("1002", "call", 500),
        ("1004", "call", 500),
        "flop",
        ("1002", "raise", 750),
        ("1004", "raise", 1000),
    ]
    acts += [("1002", "call", 1000), "turn", ("1002", "check", 1000), ("1004", "fold", 1000), "river"]
    found = rules(replay(hand(1, seats, acts, wins, ("1001", "1002"))), tmp_path)
    assert {each for rule, _, each in found if rule == "award"} == deviation


@pytest.mark.parametrize(
    ("wins", "deviation"),
    [
        ({"1001": 800, "1002": 900, "1003": 1000}, set()),
        ({"1001": 1600, "1002": 600, "1003": 500}, {f"{NAME}.folded-money-to-the-main-pot"}),
        ({"1001": 1100, "1002": 1100, "1003": 500}, {f"{NAME}.folded-money-to-the-main-pot"}),
        ({"1001": 1100, "1002": 1000, "1003": 600}, {None}),
    ],
)
def test_of_several_all_ins_each_is_the_end_of_a_pot(
    wins: dict[str, int], deviation: set[str | None], tmp_path: Path
) -> None:
    """All-ins of 200 and 500; 1004 puts in 1000 and folds."""
    seats = [("1003", 2000, 0), ("1001", 200, 0), ("1002", 500, 0), ("1004", 2000, 0)]
    acts: list[Act | str] = [("1004", "raise", 100), ("1003", "call", 100), ("1001", "all_in", 200)]
    acts += [("1002", "all_in", 500), ("1004", "call", 500), ("1003", "call", 500), "flop"]
    acts += [("1004", "raise", 1000), ("1003", "call", 1000), "turn", ("1004", "fold", 1000), "river"]
    found = rules(replay(hand(1, seats, acts, wins, ("1001", "1002", "1003"))), tmp_path)
    assert {each for rule, _, each in found if rule == "award"} == deviation


def test_only_a_full_raise_reopens_the_betting(tmp_path: Path) -> None:
    seats = [("1001", 2000, 0), ("1002", 2000, 0), ("1003", 130, 0)]
    acts: list[Act | str] = [("1001", "raise", 100), ("1002", "call", 100), ("1003", "all_in", 130)]
    acts += [("1001", "raise", 230), ("1002", "fold", 100), "flop", "turn", "river"]
    found = rules(replay(hand(1, seats, acts, {"1001": 460}, ("1003", "1001"))), tmp_path)
    assert found == [("not-reopened", "engine_deviation", f"{NAME}.raise-not-reopened")]


def test_who_has_no_chips_left_or_nothing_to_call_may_be_asked_by_the_engine(tmp_path: Path) -> None:
    seats = [("1001", 2000, 0), ("1002", 2000, 0), ("1003", 40, 0)]
    acts: list[Act | str] = [("1001", "call", 40), ("1002", "fold", 20), ("1003", "check", 40), "flop"]
    acts += [("1003", "check", 40), ("1001", "check", 40), "turn", "river"]
    found = rules(replay(hand(1, seats, acts, {"1001": 100}, ("1003", "1001"))), tmp_path)
    assert found == [
        ("asked-all-in", "engine_deviation", f"{NAME}.blind-all-in-is-asked"),
        ("asked-all-in", "engine_deviation", f"{NAME}.blind-all-in-is-asked"),
        ("asked-for-nothing", "engine_deviation", f"{NAME}.asked-though-nothing-is-open"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("player 1003 win pot: 60", "player 1003 win pot: 70", "award"),
        ("player 1003 bet 40 rest 1960", "player 1003 bet 50 rest 1950", "pot"),
        ("player 1003 bet 40 rest 1960", "player 1003 bet 40 rest 1970", "stacks"),
        ("player 1004 bet 0 rest", "player 1004 bet 10 rest", "contribution"),
        ("pot num 60", "pot num 61", "pot"),
        ("score of 1002: 1 0 2980 0", "score of 1002: 1 0 2990 0", "chips-after"),
        ("player 1004 action fold", "player 1005 action fold", "turn"),
        ("SPADES 4", "SPADES A", "deck"),
        ("player 1002:hold/", "player 1003:hold/", "deal-order"),
        ("player 1004 action fold", "player 1004 action check", "check"),
    ],
)
def test_an_edited_line_is_found(old: str, new: str, rule: str, tmp_path: Path) -> None:
    text = replay(hand(1, FIVE, [*FOLDED, ("1003", "check", 40)], {"1003": 60}))
    assert old in text
    found = rules(text.replace(old, new, 1), tmp_path)
    assert rule in {each for each, verdict, _ in found if verdict in ("violation", "damaged")}


# The server's log


def log_of(*hands: Sequence[str]) -> str:
    lines = ["===VERSION 1.26===", "---GAME START @ 2015-5-29-9-8-4---", *(f"reg: {p} same " for p in HOLES)]
    lines += ["close registration", *(line for each in hands for line in each), "game-over"]
    return "".join(f"{line}\n" for line in lines)


def asked(player: str, answer: str | None, *listed: str) -> list[str]:
    said = [] if answer is None else [f"recv from player {player}: {answer} "]
    return [
        f"send inquire msg to player {player}(seat:1) ",
        "inquire/ ",
        *listed,
        "total pot: 60 ",
        "/inquire ",
        *said,
        "",
    ]


ANSWERS = [
    *(
        "-----1 Hand-----",
        *table(*ODD),
        "blind/ ",
        "1002: 20 ",
        "1003: 40 ",
        "/blind ",
        *held(("1002", "1003", "1001")),
    ),
    *asked("1001", "raise 1"),
    *asked("1002", "check", "1001 1920 0 80 raise "),
    *asked("1003", None, "1002 1920 0 80 call ", "1001 1920 0 80 raise "),
    *("flop/ ", *BOARD[:3], "/flop "),
    *asked("1002", "call", "1003 1960 0 40 fold "),
    *asked("1001", "raise 100", "1002 1920 0 80 check "),
    *asked("1002", "hold on", "1001 1820 0 180 raise "),
    *("pot-win/ ", "1001: 300 ", "/pot-win ", "it is player 1002's turn to be button"),
]


def test_a_log_tells_what_players_said_and_what_the_server_made_of_it(tmp_path: Path) -> None:
    text = log_of(ANSWERS)
    found = read(text, tmp_path, "select player, kind, text from faults order by line")
    assert found == [
        ("1001", "illegal", "RaiseAction by 1"),
        ("1002", "illegal", "CheckAction"),
        ("1003", "late", ""),
        ("1002", "illegal", "CallAction"),
        ("1002", "misformatted", "hold on "),
    ]
    with open_store(tmp_path / "store") as store:
        assert store.execute("select dialect, complete from matches").fetchall() == [("huawei-log", True)]
        assert store.execute("select verdict from hands").fetchall() == [("ok",)]
        acts = store.execute(
            "select player, action, origin, amount_to from actions where action <> 'post' order by seq"
        ).fetchall()
        (unknown,) = store.execute("select lines_unknown from files").fetchone() or (None,)
    assert acts == [
        ("1001", "raise", "choice", 80),
        ("1002", "call", "choice", 80),
        ("1003", "fold", "substitute", 40),
        ("1002", "check", "choice", 0),
        ("1001", "bet", "choice", 100),
        ("1002", "fold", "substitute", 0),
    ]
    assert unknown == 0


def test_a_log_whose_list_is_not_what_the_rules_make_is_found(tmp_path: Path) -> None:
    found = rules(log_of(ANSWERS).replace("1002 1920 0 80 check", "1002 1910 0 80 check"), tmp_path)
    assert found == [("stacks", "violation", None)]


REPLAYED = hand(
    1,
    ODD,
    [
        *(("1001", "raise", 80), ("1002", "call", 80), ("1003", "fold"), "flop"),
        *(("1002", "check", 80), ("1001", "raise", 180), ("1002", "fold", 80)),
    ],
    {"1001": 300},
)


def test_a_log_beside_its_replay_adds_answers_and_no_match(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "replay_7.txt").write_text(replay(REPLAYED))
    (tmp_path / "logs" / "log_7.txt").write_text(log_of(ANSWERS))
    (tmp_path / "logs" / "data_7.csv").write_text(
        "Pid, Money, HandNum, ShowDownNum, NetWin, NutHand, Rank, Status\n"
    )
    ingest([tmp_path / "logs"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        files = store.execute("select status, matches, hands_stored from files order by path").fetchall()
        faults = store.execute("""
            select split_part(path, '/', -1), player, kind, text from faults join files using (file_id)
            order by path, line""").fetchall()
        assert store.execute("select verdict from hands").fetchall() == [("ok",)]
    assert files == [("sidecar", 0, 0), ("sidecar", 0, 0), ("ok", 1, 1)]
    assert faults == [
        ("log_7.txt", "1001", "illegal", "RaiseAction by 1"),
        ("log_7.txt", "1002", "illegal", "CheckAction"),
        ("log_7.txt", "1002", "illegal", "CallAction"),
        ("log_7.txt", "1002", "misformatted", ""),
        ("replay_7.txt", "1003", "late", ""),
    ]


def test_a_log_of_another_game_beside_a_replay_is_a_match_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "replay.txt").write_text(
        replay(hand(1, FIVE, [*FOLDED, ("1003", "check", 40)], {"1003": 60}))
    )
    (tmp_path / "log.txt").write_text(log_of(ANSWERS))
    ingest([tmp_path / "replay.txt", tmp_path / "log.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        dialects = store.execute("select dialect from matches order by 1").fetchall()
    assert dialects == [("huawei-log",), ("huawei-replay",)]


def test_answers_come_to_a_match_that_was_stored_before(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "replay.txt").write_text(replay(REPLAYED))
    ingest([logs], tmp_path / "store")
    (logs / "log.txt").write_text(log_of(ANSWERS))
    ingest([logs], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select count(*), sum(hands) from matches").fetchall() == [(1, 1)]
        assert store.execute("select count(*) from faults").fetchall() == [(5,)]


def test_what_is_known_of_a_player_ends_with_the_game(tmp_path: Path) -> None:
    """In the first game 1002 is lost; in the second its chips count again."""
    one = hand(
        1, FIVE, [*FOLDED[:2], ("1001", "fold", 0), ("1002", "fold"), ("1003", "check", 40)], {"1003": 60}
    )
    lost = [line.replace("1002 time out", "1002 off line") for line in one]
    acts: list[Act | str] = [("1001", "fold", 0), ("1002", "fold", 20), ("1003", "check", 40)]
    other = hand(1, ODD, acts, {"1003": 60}, totals={"1002": 7})
    found = rules(replay(lost, ["game over"]) + replay(other, ["game over"]), tmp_path)
    assert found == [("chips-after", "violation", None)]
    with open_store(tmp_path / "store") as store:
        assert store.execute(
            "select match_no, verdict from matches join hands using (match_id) order by 1"
        ).fetchall() == [
            (1, "ok"),
            (2, "violation"),
        ]


def test_a_hand_without_its_seats_is_played_by_those_who_have_chips(tmp_path: Path) -> None:
    """It was stored without a player, and the ingest failed on the match."""
    second = [line for line in hand(2, TWO, [("1001", "fold", 20)], {"1002": 20}) if line]
    begin, end = (second.index(word) for word in ("seat/ ", "/seat "))
    text = replay(
        hand(1, TWO, [("1001", "fold", 20)], {"1002": 20}),
        [*second[:begin], *second[end + 1 :]],
        hand(3, TWO, [("1001", "fold", 20)], {"1002": 20}),
    )
    with no_failure():
        found = read(
            text,
            tmp_path,
            """select hand_no, n_players, verdict, list(player order by seat)
            from hands join seats using (match_id, hand_index) group by all order by all""",
        )
    assert [(number, players, names) for number, players, _, names in found] == [
        (number, 2, ["1001", "1002"]) for number in (1, 2, 3)
    ]
    assert found[1][2] == "damaged"


@pytest.mark.parametrize("digits", [16, 30, 5000])
def test_chips_of_many_digits_are_a_finding_and_no_failure(digits: int, tmp_path: Path) -> None:
    text = replay(hand(1, TWO, [("1001", "fold", 20)], {"1002": 20})).replace(" 1500 0", f" {'9' * digits} 0")
    text = text.replace("bet 20 rest", f"bet {'9' * digits} rest")
    with no_failure():
        read(text, tmp_path, "select * from hands")
