"""Hands of the IRC poker database: joined by their time stamps, amounts derived from letters and limits."""

from collections.abc import Sequence
from pathlib import Path

from railbird.parsers.irc import OPEN_AMOUNTS, Month, Months, listed, record_of, translate
from railbird.parsers.records import Record
from railbird.parsers.sources import sources
from railbird.parsers.table_lines import Lines

TIME = 797300001
LISTED = f"{TIME}   2   51  3  3/30  2/50  2/90  2/130  5c Tc Ah 5s 2d"
PLAYERS = (
    f"fern {TIME} 3 1 Bc k f - 500 10 0",
    f"moss {TIME} 3 2 Bk b c k 400 60 130 Ac Kd",
    f"wren {TIME} 3 3 c c b b 300 60 0 2c 2h",
)


def month(roster: str, *players: str) -> Month:
    """What lies beside a list of one hand."""
    found = [one for one in map(record_of, players) if one is not None]
    return Month({TIME: tuple(roster.split())}, {TIME: {one.name: one for _, one in found}})


def run(listed: Sequence[str], beside: Month, out: Lines) -> None:
    records = (Record(number, line.encode(), "hdb") for number, line in enumerate(listed, 1))
    for _ in translate(records, out, lambda _: beside):
        continue


def lines_of(listed: str, *players: str) -> list[str]:
    out = Lines()
    names = " ".join(player.split()[0] for player in players)
    run([listed], month(names, *players), out)
    (table,) = out.tables
    return table.lines


def test_amounts_follow_from_the_limits() -> None:
    listed = f"{TIME} 2 51 3 3/30 2/50 2/90 2/130 5c Tc Ah 5s 2d"
    players = (
        f"fern {TIME} 3 1 Bc kf - - 500 10 0",
        f"moss {TIME} 3 2 Bk b c kc 400 60 130 Ac Kd",
        f"wren {TIME} 3 3 c c b b 300 60 0 2c 2h",
    )
    assert lines_of(listed, *players)[:1] == [f"hand {TIME} 2"]
    # A check before a bet: fern checks and folds, moss bets, wren calls; moss checks the turn and calls.
    checked = players[1].replace(" b c kc ", " b kc kc ")
    assert lines_of(listed, players[0], checked, players[2]) == [
        f"hand {TIME} 2",
        "limit 2 10 20",
        "seat 0 500",
        "seat 1 400",
        "seat 2 300",
        "small 0 5",
        "big 1 10",
        "hidden 0 2",
        "deal 1 Ac Kd",
        "deal 2 2c 2h",
        "call 2",
        "call 0",
        "check 1",
        "board 5c Tc Ah",
        "check 0",
        "raise 1 10",
        "call 2",
        "fold 0",
        "board 5s",
        "check 1",
        "raise 2 20",
        "call 1",
        "board 2d",
        "check 1",
        "raise 2 20",
        "call 1",
        "show 1 Ac Kd",
        "show 2 2c 2h",
        "total 1 130",
        "end",
    ]


def test_one_blind_is_the_big_one_and_the_next_player_acts_first() -> None:
    lines = lines_of(
        f"{TIME} 1 7 2 0/0 0/0 0/0 1/10",
        f"fern {TIME} 2 1 B - - - 500 10 10",
        f"moss {TIME} 2 2 f - - - 300 0 0",
    )
    assert lines == [
        f"hand {TIME} 1",
        "limit 2 10 20",
        "seat 0 500",
        "seat 1 300",
        "big 0 10",
        "first 1",
        "hidden 0 2",
        "hidden 1 2",
        "fold 1",
        "total 0 10",
        "end",
    ]


def test_an_all_in_bet_for_less_leaves_the_amounts_open() -> None:
    lines = lines_of(
        f"{TIME} 1 7 2 2/20 0/0 0/0 2/30 5c Tc Ah 5s 2d",
        f"fern {TIME} 2 1 Bc bA - - 15 15 30 Ac Kd",
        f"moss {TIME} 2 2 Bk c - - 300 15 0 2c Kh",
    )
    assert lines[1] == f"reason {OPEN_AMOUNTS}"
    assert lines[-3:] == ["net 0 15", "net 1 -15", "end"]
    assert not any(line.startswith("raise") for line in lines)


def test_a_hand_whose_three_places_disagree_is_left_unread() -> None:
    out = Lines()
    other = month("fern moss", *PLAYERS[:2])
    run([LISTED, LISTED.replace(str(TIME), "797300002")], other, out)
    assert out.first_unread == (1, "unread: records do not agree")


def test_a_line_with_a_number_of_too_many_digits_is_none() -> None:
    many = "1" * 19
    assert listed(1, LISTED) is not None
    assert record_of(PLAYERS[0]) is not None
    for old, new in ((" 51 ", f" {many} "), ("/30 ", f"/{many} ")):
        assert listed(1, LISTED.replace(old, new)) is None
    for old, new in ((" 500 ", f" {many} "), (str(TIME), many)):
        assert record_of(PLAYERS[0].replace(old, new)) is None


def test_the_other_files_are_found_on_disk_and_among_the_inputs(tmp_path: Path) -> None:
    folder = tmp_path / "199504"
    (folder / "pdb").mkdir(parents=True)
    (folder / "hdb").write_text(LISTED + "\r\n")
    (folder / "hroster").write_text(f"{TIME} 3 fern moss wren\r\n")
    for line in PLAYERS:
        name = line.split()[0]
        (folder / "pdb" / f"pdb.{name}").write_text(line + "\r\n")
    complaints: list[str] = []
    given = list(sources([folder], complaints.append))
    alone = [source for source in given if source.path.endswith("hdb")]
    for some in (given, alone):
        months = Months(some, complaints.append)
        assert months.beside(str(folder)) == month("fern moss wren", *PLAYERS)
        assert [months.is_part(source) for source in given] == [
            not source.path.endswith("hdb") for source in given
        ]
    assert complaints == []
