"""Tables for people and programs: nothing of a log reaches a terminal as a control code."""

import csv
import io
import json
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from railbird.analytics.settings import Grouping
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import Format, Show, terminal, winnings
from railbird.reports.stats import print_table
from railbird.reports.terminal import Answer, plain, printable, signed, sparkline, write


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(answer: Answer, form: Format, screen: bool = False) -> str:
    out = Screen() if screen else io.StringIO()
    write(answer, form, out)
    return out.getvalue()


@given(st.text())
def test_printable_text_holds_no_control_character(text: str) -> None:
    assert all(char.isprintable() or char == "\u3000" or char.isspace() for char in printable(text))
    assert not set(printable(text)) & set("\x1b\x07\x9b\u202e\u2028\r\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("Zoë 李", "Zoë 李"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb\x9b", "a\\u202eb\\x9b"),
        ("line\nbreak\u2028", "line\\nbreak\\u2028"),
    ],
)
def test_printable_shows_the_rest_as_it_is(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize("form", Format)
def test_no_format_sends_control_codes_to_a_screen(form: Format) -> None:
    text = printed(Answer(["\x1bname"], [["\x1b[2J\u202e\x9b"], [["\x1b"]]]), form, screen=True)
    # Rich makes the heading bold by a code of its own.
    assert not re.search("\x1b(?!\\[[01]?m)|[\u202e\x9b]", text)


def test_csv_in_a_file_holds_the_exact_text() -> None:
    text = printed(Answer(["name", "cards"], [['a,"\x1b', ["Ah", "Kd"]], [None, None]]), Format.CSV)
    assert list(csv.reader(io.StringIO(text))) == [["name", "cards"], ['a,"\x1b', '["Ah", "Kd"]'], ["", ""]]


def test_json_is_one_array_of_objects() -> None:
    rows = [[2**63, float("nan"), Decimal("2.50"), ["Ah"], {"a": float("inf")}, b"\xff", True]]
    text = printed(Answer(list("abcdefg"), rows), Format.JSON)
    assert json.loads(text) == [
        {"a": str(2**63), "b": None, "c": 2.5, "d": ["Ah"], "e": {"a": None}, "f": "ff", "g": True}
    ]
    assert text.isascii()
    assert json.loads(printed(Answer(["a"], []), Format.JSON)) == []


@pytest.mark.parametrize("form", [Format.CSV, Format.JSON])
def test_figures_have_the_digits_that_every_run_has_alike(form: Format) -> None:
    rows = [[0.1 + 0.2, [4788.0937634007805], 1234567890123457.0]]
    assert printed(Answer(list("abc"), rows), form) == printed(
        Answer(list("abc"), [[0.3, [4788.0937634], 1234567890123457.0]]), form
    )
    assert "1234567890123457" in printed(Answer(list("abc"), rows), form)
    assert repr(0.1 + 0.2) in printed(Answer(list("abc"), rows, exact=True), form)


def test_a_table_is_as_wide_as_its_cells_where_it_is_piped() -> None:
    text = printed(Answer(["long"], [["x" * 500]]), Format.TABLE)
    assert "x" * 500 in text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (3.0, "3"), (0.12345, "0.1235"), (2.5, "2.50"), (True, "yes"), (["Ah", "2c"], "[Ah 2c]")],
)
def test_plain_values(value: object, text: str) -> None:
    assert plain(value) == text


def test_cards_in_brackets_get_their_suits() -> None:
    shown = terminal.with_suits("is dealt [As Th 2c] as [9d], not [xx], [A], \x1b[2J")
    assert shown.plain == "is dealt A♠ T♥ 2♣ as 9♦, not [xx], [A], \\x1b[2J"
    assert [shown.plain[span.start : span.end] for span in shown.spans if "red" in str(span.style)] == [
        "T♥",
        "9♦",
    ]


def test_a_line_parts_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("preflop", 1), ("preflop", 2), ("flop", 3)]
    text = printed(Answer(["street", "line"], rows, part=lambda row: row[0]), Format.TABLE)
    lines = [line.strip() for line in text.splitlines()]
    first, second, third = (
        next(k for k, line in enumerate(lines) if line.endswith(str(n))) for n in (1, 2, 3)
    )
    assert (second - first, third - second) == (1, 2)


def test_counts_in_tables_have_thousands_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = [("Hawk", "calling-station"), ("Dove", "calling-station")]
    (tmp_path / "log.txt").write_text(simulate("holdem-mit", players, 1000, 1), newline="")
    ingest([tmp_path / "log.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        for show in (Show.WINNINGS, Show.WHERE):
            print_table(store, show, "Hawk", False, False, Format.TABLE)
            shown = capsys.readouterr().out
            assert " 1,000 " in shown and " 1000 " not in shown, show
        write(winnings.results(store, None, Format.TABLE))
        assert " 1,000 " in capsys.readouterr().out


def test_signs_of_amounts() -> None:
    assert [signed(value) for value in (1234.0, -1.5, 0.0, None)] == ["+1,234", "−1.50", "0", ""]
    assert [signed(value) for value in (799.9999999, -0.001, 0.004, -3.0049)] == ["+800", "0", "0", "−3"]


def test_a_sparkline_rises_with_its_values() -> None:
    assert sparkline(range(8), 8) == "▁▂▃▄▅▆▇█"
    assert sparkline([], 8) == ""
    assert sparkline([1, 1, 1], 8) == "▁▁▁"


def test_an_answer_is_read_piece_by_piece(sample_store: Store) -> None:
    answer = terminal.answer(sample_store, "select range as x from range($n)", n=5000)
    assert list(answer.columns) == ["x"]
    assert sum(row[0] for row in answer.rows) == 5000 * 4999 // 2


_NARROW = Answer(
    ["game", "match_id", "unverified", "chips", "what the engine said", "none"],
    [
        ("acpc/holdem.limit.2p", 12985575425261211583, 3, -1234567.5, "a long message, and a_word_too_long", None),
        ("bounty", 7, 0, 4.0, "", None),
    ],
    "A title",
    {"chips": signed},
)  # fmt: skip


@pytest.mark.parametrize("width", [10, 20, 40, 60, 80, 100, 200])
def test_every_cell_can_be_read_at_any_width(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = re.sub(r"\x1b\[\d*m", "", printed(_NARROW, Format.TABLE, screen=True))
    assert max(map(len, text.splitlines())) <= width
    cells = "".join(
        str(_NARROW.formats.get(name, plain)(value))
        for row in _NARROW.rows
        for name, value in zip(_NARROW.columns, row, strict=True)
    )
    assert not Counter(cells.replace(" ", "")) - Counter(text)
    # Numbers and what people copy stay in one piece.
    assert width < 40 or {"12985575425261211583", "−1,234,567.50"} <= set(text.split())
    assert width < 20 or ("match id: 7" in text) == (width < 80)


@pytest.mark.parametrize(
    ("width", "cells"),
    [
        (40, "bounty.split-paid-to-dealer"),
        (13, "bounty.split-\npaid-to-\ndealer"),
        (9, "bounty.\nsplit-\npaid-to-\ndealer"),
        (4, "boun\nty.\nspli\nt-\npaid\n-to-\ndeal\ner"),
    ],
)
def test_long_words_are_broken_behind_their_signs(width: int, cells: str) -> None:
    assert terminal._folded(Text("bounty.split-paid-to-dealer"), width).plain == cells
    assert terminal._folded(Text("a bc def"), 3).plain == "a bc def"
    assert terminal._folded(Text("日本語"), 4).plain == "日本\n語"


@pytest.mark.parametrize("width", [30, 40, 60, 80, 100, 140])
def test_numbers_and_headings_are_never_broken(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    names = ["player", "clusters", "raw", "all-in-adjusted", "opportunities"]
    rows = [
        ("TagTim", 200, "+2,719.9 [+2,203.0, +3,236.8]", "−1,448.3 [−1,854.0, −1,042.5]", "12.25–100.00%"),
        ("CallingStation", 40, "+0.1 [−12,203.0, +3,236.8]", "0.0 [−1.5, +1.5]", "irrational folds"),
    ]
    text = re.sub(r"\x1b\[\d*m", "", printed(Answer(names, rows), Format.TABLE, screen=True))
    pieces = text.replace(":", " ").split()
    for word in " ".join(str(cell) for row in rows for cell in row).split():
        assert word in pieces
    # A heading is parted at its hyphens at most.
    assert {"player", "clusters", "opportunities"} <= set(pieces)
    assert "all-in-adjusted" in text or {"all-in-", "adjusted"} <= set(pieces)


def test_a_long_text_takes_no_more_than_some_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = "what a player does when he is in a spot that nobody has ever met, said at length " * 2
    rows = [("a" * 8, 10**k, said.strip()) for k in range(3)]
    text = printed(Answer(["name", "a-very-wide-heading", "said"], rows), Format.TABLE, screen=True)
    assert text.count("\n") <= 3 * 6 + 4
    wide = [("word" * 4, "other" * 3, 10**12, said.strip())]
    text = printed(Answer(["name", "what-is-it", "n", "said"], wide), Format.TABLE, screen=True)
    text = re.sub(r"\x1b\[\d*m", "", text)
    assert max(map(len, text.splitlines())) <= 80 and text.count("\n") <= 6


@pytest.mark.parametrize(
    ("width", "left_out"),
    [(80, None), (62, "Left out at this width: third (777); --format csv has all.")],
)
def test_a_narrow_table_leaves_out_what_matters_least(
    width: int, left_out: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    # Numbers are never broken.
    rows = [(10**29, 10**29, 777), (10**28, 10**28, 777)]
    answer = Answer(("first", "second", "third"), rows, minor=("third", "second"))
    text = printed(answer, Format.TABLE, screen=True)
    assert "first: " not in text and "second" in text and text.count("777") == (2 if left_out is None else 1)
    assert left_out is None or left_out in " ".join(text.split())
    assert "Left out" not in printed(answer, Format.TABLE)


def test_where_no_table_fits_a_record_has_every_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    answer = Answer(("first", "second", "third"), [(10**49, 10**29, 777)], minor=("third", "second"))
    text = printed(answer, Format.TABLE, screen=True)
    text = re.sub(r"\x1b\[\d*m", "", text)
    assert "third: 777" in text and "Left out" not in text


def test_numbers_have_one_minus_sign() -> None:
    assert [plain(value) for value in (-2.5, -54568.48, -3, -1e-7, "-x")] == [
        "−2.50", "−54568.48", "−3", "−1e-07", "-x",
    ]  # fmt: skip
    assert [terminal.percent(value) for value in (-0.058, 0.5, -0.0001)] == ["−5.8%", "50.0%", "0.0%"]


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.123, 0.456, "12.3–45.6%"),
        (-0.058, -0.006, "−5.8 to −0.6%"),
        (-0.185, 0.067, "−18.5 to 6.7%"),
        (-0.0001, 0.5, "0.0–50.0%"),
        (None, 0.5, ""),
    ],
)
def test_an_interval_with_a_negative_end_says_to(low: float | None, high: float, said: str) -> None:
    assert terminal.interval(low, high) == said


def test_a_key_is_shown_as_words() -> None:
    rows = [("engine_deviation", 1), ("ok", 2)]
    answer = Answer(["verdict", "hands"], rows, formats={"verdict": terminal.words})
    assert "engine deviation" in printed(answer, Format.TABLE)
    assert "engine_deviation" in printed(answer, Format.CSV)


def test_luck_fits_a_narrow_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = {"delta": (-1175.8, 486.5), "all_in_adjusted": (1136.4, 409.7), "chance_adjusted": (None, None)}
    row: dict[str, Any] = {"event": "2026", "game": "holdem-mit", "player": "Dr. No, Jr.", "namesake_seat": 1}
    row |= {"hands": 12345, "clusters": 29, "sd_removed": float("nan")}
    for name, (mean, half) in figures.items():
        row |= {name: mean, f"{name}_high": None if mean is None or half is None else mean + half}
    monkeypatch.setenv("COLUMNS", "80")
    (table,) = winnings.luck_tables(pl.DataFrame([row]), Grouping.PLAYER)
    text = re.sub(r"\x1b\[\d*m", "", printed(table, Format.TABLE, screen=True))
    assert max(map(len, text.splitlines())) <= 80 and "player:" not in text
    assert {"−1,175.8", "±486.5", "+1,136.4", "±409.7", "12,345"} <= set(text.split())
    assert table.faint and [table.faint(cells) for cells in table.rows] == [True]


def test_numbers_of_any_size_have_no_exponent() -> None:
    said = {
        9254.3: "9,254",
        -0.25: "-0.25",
        9.09e-5: "0.0000909",
        1234567.8: "1,234,568",
        0.0: "0",
        12.0: "12",
        0.9996: "1",
    }
    assert {value: terminal.digits(value) for value in said} == said
    assert terminal.digits(12.3456, 4) == "12.35"
    assert terminal.digits(float("inf")) == "inf"


class Terminal(io.StringIO):
    """A terminal, as wide as COLUMNS says."""

    def isatty(self) -> bool:
        return True


def test_prose_is_broken_in_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between words, at 80 cells, or as narrow as the terminal; line ends of the text are spaces."""
    text = f"{'one two three ' * 7}\n{'four five ' * 10}\nsix".replace(" \n", "\n")
    for stream, columns, width in (
        (Terminal(), "60", 60),
        (Terminal(), "80", 80),
        (Terminal(), "120", 80),
        (io.StringIO(), "60", 80),
    ):
        monkeypatch.setenv("COLUMNS", columns)
        monkeypatch.setattr("sys.stdout", stream)
        terminal.say(text, "1. ", "   ")
        first, *others = stream.getvalue().splitlines()
        assert first.startswith("1. one") and all(re.match(r"   \w", line) for line in others)
        assert " ".join([first, *others]).split() == ["1.", *text.split()]
        assert width - 8 < max(map(len, [first, *others])) <= width


def test_a_column_that_says_one_thing_goes_before_an_interval_is_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ends = [f"+{k}00.5 to +{k}00,000.5" for k in range(1, 4)]
    rows = [
        ("holdem-mit", "cup", "Ann", f"a part of all of the hands played {k}", 7 + k, end)
        for k, end in enumerate(ends)
    ]
    columns = ("game", "event", "player", "part", "n", "95% interval")
    table = Answer(columns, rows, "", {"95% interval": str}, minor=("game", "event", "n"))
    text = re.sub(r"\x1b\[\d*m", "", printed(table, Format.TABLE, screen=True))
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert all(any(row[3] in line and row[5] in line for line in lines) for row in rows)
    assert "Left out at this width: game (holdem-mit); --format csv has all." in text
    # The others stay: nothing is broken any more.
    assert {"event", "n"} <= set(text.split())


def test_minor_columns_go_before_an_interval_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "36")
    rows = [(f"p{k}", k, "−100,000.5 to +200,000.5") for k in range(10_000, 10_003)]
    table = Answer(("player", "n", "95% interval"), rows, "", {"95% interval": str}, minor=("n",))
    text = re.sub(r"\x1b\[\d*m", "", printed(table, Format.TABLE, screen=True))
    assert all(re.search(rf"^ ?p{row[1]} *{re.escape(row[2])} *$", text, re.MULTILINE) for row in rows)
    assert "Left out at this width: n; --format csv has all." in " ".join(text.split())


def test_a_broken_interval_takes_two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "32")
    rows = [(10**17, "−100,000.5 to +200,000.5"), (10**17 + 1, "+1.5 to +200,000.5")]
    table = Answer(("chips", "95% interval"), rows, "", {"95% interval": str})
    text = re.sub(r"\x1b\[\d*m", "", printed(table, Format.TABLE, screen=True))
    cells = [line.strip() for line in text.splitlines()][-4:]
    assert cells[0].endswith(" −100,000.5 to") and cells[1] == "+200,000.5"
    assert cells[2].endswith(" +1.5 to") and cells[3] == "+200,000.5"


def test_a_column_without_a_cell_goes_before_others_are_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"a name of several words {k}", None, "+100,000.5 to +200,000.5") for k in range(2)]
    table = Answer(("player", "chance of first place", "95% interval"), rows, "")
    for columns, is_shown in (("60", False), ("90", True)):
        monkeypatch.setenv("COLUMNS", columns)
        assert ("chance" in printed(table, Format.TABLE, screen=True)) == is_shown
