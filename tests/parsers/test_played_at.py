"""When a match began, as its records say it: `matches.played_at`."""

import csv
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.pokernow import BLINDS, END, STACKS, START, A, export

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers.chunks import examine
from railbird.parsers.dialect import RecordMatch
from railbird.parsers.dialects import records_for
from railbird.parsers.irc import Months
from railbird.parsers.record_values import clock, known_date, moment
from railbird.parsers.records import translated
from railbird.parsers.sources import sources


def began(path: Path) -> list[str]:
    """When each match of a file began."""
    given = list(sources([path], pytest.fail))
    found = []
    with closing(examine(given[0])) as opened:
        dialect = records_for(opened.head)
        assert dialect is not None
        for piece in translated(given[0], opened, dialect, 64 << 20, Months(given, pytest.fail).of):
            for match in piece.matches or ():
                assert isinstance(match, RecordMatch)
                found.append(match.played_at)
    return found


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ("json-arenas/engine/kaggle_m01*.json", ["2026-11-25 03:04:21"]),
        ("json-arenas/real/*demo-6llm.canonical_private.jsonl", ["2026-04-27 22:06:57"]),
        ("json-arenas/real/*demo-6llm.public_replay.jsonl", [""]),
        ("json-arenas/real/*huskyholdem-bench__05_01.json", ["2025-08-10 01:19:41"]),
        ("json-arenas/real/krish*__00.json", [""]),
        ("json-arenas/engine/openspiel_repeated_2p_reset.log", [""]),
        ("other-engines/pypokerengine/real/game_00_example.json", [""]),
        ("other-engines/pypokerengine/real/game_01.json", ["2017-09-24 14:06:53"]),
        ("other-engines/live-poker-bench/real/tournament_007/hand_001.json", [""]),
        ("phh/wsop/63.phh", ["2023-06-22"]),
        ("phh/dwan-ivey-2009.phh", ["2009"]),
        ("phh/antonius-blom-2009.phh", ["2009-11"]),
        ("people/real/irc_199504/hdb", ["1995-04-06 23:27:48"]),
    ],
)
def test_a_match_begins_when_its_records_say_so(files: str, told: list[str], corpus: Path) -> None:
    assert began(next(corpus.glob(files)))[: len(told)] == told


@pytest.mark.parametrize("number", range(1, 15))
def test_a_table_of_pokernow_begins_with_its_first_hand(number: int, corpus: Path) -> None:
    """`order` counts hundredths of a millisecond, `at` says the same moment."""
    path = corpus / f"people/real/pokernow_{number:02}.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["entry"].startswith("-- starting hand")]
    of_game: dict[str, int] = {}
    for row in rows:
        game, order = row["entry"].split("(")[2], int(row["order"])
        of_game[game] = min(of_game.get(game, order), order)
    told = sorted(f"{datetime.fromtimestamp(order // 100_000, UTC):%F %T}" for order in of_game.values())
    assert sorted(began(path)) == told


def test_each_table_of_a_phh_file_begins_with_its_own_first_hand(tmp_path: Path) -> None:
    """Also where the file is not as published, and goes through a parser of TOML."""
    hand = (
        "[{n}]\nvariant = 'NT'\nante_trimming_status = false\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\n"
        "min_bet = 2\nstarting_stacks = [100, 100]\nactions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']\n"
        "table = '{table}'\n{when}\n"
    )
    whens = (
        ("a", "time = 21:13:05\nday = 30\nmonth = 9\nyear = 2009"),
        ("b", "time = 21:13:05"),
        ("a", "time = 21:13:06\nday = 30\nmonth = 9\nyear = 2009"),
        ("c", "day = 31\nmonth = 9\nyear = 2009"),
        ("d", "time = '21:13'\nday = 3\nmonth = 9\nyear = 2009"),
        ("e", "time = 21:13:05\nmonth = 13\nyear = 2009"),
        ("f", "time = 01:02:03.25\nday = 3\nmonth = 9\nyear = 2009"),
        ("g", "day = 'third'\nmonth = 9\nyear = 2009"),
        ("h", "time = '21:13:05'\nday = 30\nmonth = 9\nyear = 2009"),
        ("i", "day = 30\nmonth = 9\nyear = '2009'"),
    )
    texts = [hand.format(n=n, table=table, when=when) for n, (table, when) in enumerate(whens, 1)]
    told = [
        "2009-09-30 21:13:05",
        "",
        "",
        "2009-09-03",
        "",
        "2009-09-03 01:02:03",
        "2009-09",
        "2009-09-30",
        "",
    ]
    path = tmp_path / "tables.phhs"
    path.write_text("\n".join(texts))
    assert began(path) == told
    path.write_text("\n".join(texts).replace("antes = [0, 0]", "antes = [\n  0, 0,\n]"))
    assert began(path) == told


def test_clocks() -> None:
    assert clock("2024-12-27T01:16:43.045Z") == "2024-12-27 01:16:43"
    assert clock("2024-12-27T01:16:43+02:00") == "2024-12-26 23:16:43"
    assert clock("2024-12-27 01:16:43") == "2024-12-27 01:16:43"
    for wrong in ("", None, 5, "2024-12-27", "2024-13-27T01:16:43Z", "0001-01-01T00:00:00+02:00", "1 am"):
        assert clock(wrong) == "", wrong
    assert moment(797300001) == "1995-04-08 00:13:21"
    for number in (None, True, "5", 0, -1, 10**30, 1e300, float("nan"), float("inf"), 1754788781035):
        assert moment(number) == "", number
    assert known_date(2009, -1, 5, 7) == "2009"
    assert known_date(2009, 2, 30, -1) == known_date(-1, 2, 3, 4) == known_date(0, 2, 3, 4) == ""
    assert known_date(476, 9, 4, 0) == "0476-09-04 00:00:00"


def test_lines_of_cards_in_a_log_that_is_written_backwards(tmp_path: Path) -> None:
    """The newest line stands first: cards are dealt above the hand's first line."""
    lines = [
        START.format(1, A),
        STACKS,
        *BLINDS,
        f"{A} calls 2",
        BLINDS[0].split(" posts")[0] + " folds",
        BLINDS[1].split(" posts")[0] + " checks",
        "Flop:  [9♦, 8♥, 2♣]",
        BLINDS[1].split(" posts")[0] + " checks",
        f"{A} bets 4",
        BLINDS[1].split(" posts")[0] + " folds",
        f"Uncalled bet of 4 returned to {A}",
        f"{A} collected 5 from pot",
        END.format(1),
        f"{A} shows a A♠, A♥.",
    ]
    rows = export(lines)
    (tmp_path / "table.csv").write_text("\n".join(rows) + "\n")
    ingest([tmp_path / "table.csv"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        ((line, cards),) = store.execute("select line, cards from deals where kind = 'board'").fetchall()
        (hand,) = store.execute(
            "select h.line, played_at from hands as h join matches using (match_id)"
        ).fetchall()
    assert cards == ["9d", "8h", "2c"]
    assert "Flop" in rows[line - 1]
    assert "starting hand" in rows[hand[0] - 1]
    assert hand[1] == "2025-01-07 05:59:42"
