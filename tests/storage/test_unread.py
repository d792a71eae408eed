"""What is no log, and what is one but for a margin or NUL bytes, is told with its line and the reason."""

import re
from pathlib import Path
from typing import Any

import pytest
from bench.material import another

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers import mit
from railbird.storage.ledger import not_as_it_is, why_none

LOGS = ("bounty/2025-01-05.txt", "acpc/faults.log", "koper/v1-mixed.txt", "koper/v2-mixed.all_games.txt")


@pytest.fixture
def log(sample_logs: Path) -> bytes:
    return (sample_logs / LOGS[0]).read_bytes()


def told(text: bytes, folder: Path) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """The row of `files`, and of the unknown lines the numbers and reasons."""
    path = folder / "x.txt"
    path.write_bytes(text)
    ingest([path], folder / "store")
    with open_store(folder / "store") as store:
        (row,) = store.sql("select * from files").pl().rows(named=True)
        lines = store.execute("select line, reason from unknown_lines order by line").fetchall()
    return row, lines


@pytest.mark.parametrize(
    ("margin", "said"), [(b"    ", "4 blanks"), (b"\t", "a tab"), (b"> ", "'> '"), (b" | ", "' | '")]
)
@pytest.mark.parametrize("name", LOGS)
def test_a_margin_is_told_with_what_takes_it_away(
    margin: bytes, said: str, name: str, sample_logs: Path
) -> None:
    text = (sample_logs / name).read_bytes()
    assert not_as_it_is(text) == ""
    inset = b"".join(margin + line if line.strip() else line for line in text.splitlines(keepends=True))
    why = f"its lines begin with {said}, which no engine writes; `cut -c{len(margin) + 1}-` makes a log of it"
    assert not_as_it_is(inset) == not_as_it_is(b"\r\n" + inset) == why
    # What stands behind no margin may be a log, and garbage is none without it.
    assert not_as_it_is(inset + text) == ""
    assert not_as_it_is(b"  hello\n  you\n") == ""


def test_a_log_with_a_margin_is_refused_in_one_line(log: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(re.sub(rb"(?m)^", b"  ", log))
    summary = ingest([path], tmp_path / "store")
    why = "its lines begin with 2 blanks, which no engine writes; `cut -c3-` makes a log of it"
    assert summary.complaints == [f"{path}: line 1: {why}"]
    assert summary.nothing_read


def test_nul_bytes_alone_are_not_called_a_binary() -> None:
    assert why_none(b"\0" * 5000) == "only NUL bytes, as a crash during writing leaves"
    assert why_none(b"\0\1") == "binary, not a log"


def test_a_line_with_nul_bytes_says_so(log: bytes, tmp_path: Path) -> None:
    row, lines = told(log + b"\0" * 300, tmp_path)
    assert (row["status"], row["hands_stored"]) == ("ok", 60)
    assert lines == [(log.count(b"\n") + 1, "no template accepts it: it holds NUL bytes")]


@pytest.mark.parametrize(
    "header",
    [
        b"6.9630 MIT Pokerbots - A vs B\n\n",
        b"# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 30 9\n",
    ],
)
def test_lines_behind_a_header_alone_are_counted_as_unknown(header: bytes, tmp_path: Path) -> None:
    row, lines = told(header + b"LBR hand 0: 120\nLBR hand 1: -50\n", tmp_path)
    first = header.count(b"\n") + 1
    assert lines == [(first, "no template accepts it"), (first + 1, "no template accepts it")]
    assert (row["lines_unknown"], row["hands_seen"], row["status"]) == (2, 0, "partial")
    assert row["reason"] == f"no complete hand in it yet, and no template accepts 2 of its {first + 1} lines"


def test_a_log_just_begun_has_no_unknown_line(log: bytes, tmp_path: Path) -> None:
    row, lines = told(log[: log.index(b"Round #1,")], tmp_path)
    assert (row["reason"], row["lines_unknown"], lines) == ("no complete hand in it yet", 0, [])


def test_a_template_accepts_whoever_plays_and_no_line_of_megabytes() -> None:
    def known(line: bytes) -> bool:
        return mit.GRAMMAR.accepts(line)

    assert known(b"A B folds") and known(b"Round #7, x (1), y (-1)\r")
    assert not known(b"A B fold") and not known(b"x" * (1 << 24))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (
            b"6.S912 MIT Pokerbots - A vs B (stack=200, bb=2)\nDeal 1: A (0), B (0)\nA posts the blind of 1\n"
            b"B posts the blind of 2\nDealt to A [6h 5d]\nDealt to B [As 9d]\nA folds\nB wins the pot (3)\n\nDeal 2\n",
            2,
            "no known engine writes lines such as 'Deal 1: A (0), B (0)'",
        ),
        (
            b"My Pokerbots - A vs B\n\nRound #1, A (0), B (0)\nA stakes 2\nB stakes 5\nA dealt [Jc 3h]\n"
            b"B dealt [2d 5h]\nA redraws\nB redraws\nA redraws\nA folds\nA awarded -2\nB awarded 2\n",
            4,
            "no known engine writes lines such as 'A stakes 2'",
        ),
        (
            b"Round #1, A (0), B (0)\nA stakes 10\nB stakes 20\n",
            1,
            "no known engine writes lines such as 'A stakes 10'",
        ),
        (b"SCORE:3|-3:a|b\n", 1, "no hand in it, though engines write lines such as 'SCORE:3|-3:a|b'"),
    ],
)
def test_what_begins_like_a_log_and_is_of_no_known_engine(
    text: bytes, line: int, said: str, tmp_path: Path
) -> None:
    (tmp_path / "x.txt").write_bytes(text)
    summary = ingest([tmp_path / "x.txt"], tmp_path / "store")
    assert summary.complaints == [f"{tmp_path / 'x.txt'}: line {line}: {said}"]
    assert summary.nothing_read
    assert not (tmp_path / "store").exists()


def of_another_game(log: bytes, hands: int) -> bytes:
    """A log whose first hands deal three cards to each."""
    parts = re.split(rb"(?m)^(?=Round #)", log)
    dealt = [re.sub(rb" dealt \[(.. ..)\]", rb" dealt [\1 2c]", part) for part in parts[1 : hands + 1]]
    return b"".join([parts[0], *dealt, *parts[hands + 1 :]])


def test_a_game_of_other_cards_is_none_that_is_known_whatever_its_lines_say(
    log: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(of_another_game(log, 60))
    summary = ingest([path], tmp_path / "store")
    why = "no game that railbird knows: 3 cards dealt to each player in every hand, bounty has 2"
    assert summary.complaints == [f"{path}: line 1: {why}"]
    assert summary.nothing_read
    # Beside others it takes none with it, and one hand as it should be makes the rest violations.
    other = tmp_path / "y.txt"
    other.write_bytes(another(log, 1))
    most = tmp_path / "z.txt"
    most.write_bytes(of_another_game(another(log, 2), 59))
    summary = ingest([path, other, most], tmp_path / "store")
    assert [(a.status, a.hands_stored) for a in summary.files] == [("rejected", 0), ("ok", 60), ("ok", 60)]
    with open_store(tmp_path / "store") as store:
        found = store.execute("select line, reason from unknown_lines").fetchall()
        rows = store.execute("select status, reason from files where status <> 'ok'").fetchall()
    assert found == [(1, f"60 hands: {why}")]
    assert rows == [("rejected", why)]
