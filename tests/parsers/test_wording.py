"""Lines as some engines and tools leave them: blanks before their ends, `10s`, `2.0`, suits in capitals."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.stores import rows

from railbird.ingest import ingest
from railbird.parsers import events
from railbird.parsers.dialect import MatchText
from railbird.parsers.grammar import Grammar
from railbird.parsers.reading import Pool, read_events
from railbird.replay.cards import CARD_TEXT

LOGS = (
    "bounty/faults.txt",
    "blotto/2021-01-27.txt",
    "permutation/2020-01-05.txt",
    "river-of-blood/as-written.txt",
    "auction/faults.txt",
    "toss/faults.txt",
    "swap/faults.txt",
    "acpc/Heron.Otter.0.log",
    "koper/v1-folds.txt",
    "koper/v2-mixed.all_games.txt",
)


def read(text: bytes, folder: Path) -> tuple[Any, ...]:
    """What is stored of a text: every row of hands and seats, and how many lines are unknown."""
    folder.mkdir()
    (folder / "log").write_bytes(text)
    (account,) = ingest([folder / "log"], folder / "store").files
    told = [
        sorted(
            str({k: v for k, v in row.items() if k not in ("match_id", "file_id")})
            for row in rows(folder / "store", table)
        )
        for table in ("hands", "seats")
    ]
    return *told, account.lines_unknown


@pytest.mark.parametrize("blanks", [b" \t", b" \r"])
@pytest.mark.parametrize("log", LOGS)
def test_blanks_before_the_end_of_a_line_mean_nothing(
    log: str, blanks: bytes, sample_logs: Path, tmp_path: Path
) -> None:
    text = (sample_logs / log).read_bytes()
    changed = text.replace(b"\n", blanks + b"\n")
    assert changed != text
    assert read(changed, tmp_path / "blanks") == read(text, tmp_path / "log")


WORDINGS: dict[str, tuple[bytes, bytes | Callable[[re.Match[bytes]], bytes]]] = {
    "tens": (rb"T(?=[cdhs]\b)", b"10"),
    "suits": (rb"\b([2-9TJQKA])([cdhs])\b", lambda said: said[1] + said[2].upper()),
    "points": (rb"((?:raises to|bets|awarded|blind of) -?\d+)\b", rb"\1.0"),
}


# ACPC and Koper print no chips after such words.
WORDED = [
    (log, wording)
    for log in LOGS
    for wording in WORDINGS
    if wording != "points" or not log.startswith(("acpc/", "koper/"))
]


@pytest.mark.parametrize(("log", "wording"), WORDED)
def test_a_line_worded_in_another_way_says_the_same(
    log: str, wording: str, sample_logs: Path, tmp_path: Path
) -> None:
    form, to = WORDINGS[wording]
    if log.startswith("acpc"):
        form = rb"T(?=[cdhs])" if wording == "tens" else rb"([2-9TJQKA])([cdhs])"
    text = (sample_logs / log).read_bytes()
    if b" misformatted: " in text:
        lines = text.split(b"\n")
        text = b"\n".join(line for line in lines if b" misformatted: " not in line)
    changed = re.sub(form, to, text)
    assert changed != text
    said = read(text, tmp_path / "log")
    assert said[0]
    assert read(changed, tmp_path / "worded") == said


def test_a_log_of_which_no_hand_can_be_read_is_no_fault_of_railbird(
    sample_logs: Path, tmp_path: Path
) -> None:
    text = (sample_logs / "acpc" / "Heron.Otter.0.log").read_bytes()
    (tmp_path / "log").write_bytes(re.sub(rb"([2-9TJQKA])[cdhs]", rb"\1.0", text))
    (account,) = ingest([tmp_path / "log"], tmp_path / "store").files
    assert rows(tmp_path / "store", "hands") == []
    assert "its line cannot be read as a hand" in account.reason


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"SPADES 10", [1, 35]),
        (b"CLUBS 2 ", [1, 0]),
        (b"DIAMONDS A", [1, 49]),
        (b"HEARTS J\r", [1, 38]),
        (b"HEARTS", None),
        (b"HEARTS 1", None),
        (b"SPADE S 10", None),
        (b"CLUBS 10 2", None),
    ],
)
def test_a_card_in_words(line: bytes, said: list[int] | None) -> None:
    grammar = Grammar("card {w}")
    text = np.frombuffer(line + b"\n", np.uint8)
    match = MatchText(0, 0, len(text), (b"A", b"B"))
    scanned = read_events(text, [match], grammar, Pool())
    assert scanned.first_event[-1] == 1
    if said is None:
        assert scanned.events.codes[0] == events.UNKNOWN
    else:
        assert scanned.events.codes[0] == events.CARD
        assert scanned.events.values[scanned.events.args[0] :][:2].tolist() == said
        card = CARD_TEXT[said[1]]
        assert grammar.write("card", [card]).encode() == line.strip()
    assert grammar.accepts(line) == (said is not None)
