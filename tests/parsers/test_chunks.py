"""Files are read whole, whatever the file system says of their size."""

import os
import re
import threading
from itertools import count
from pathlib import Path

import pytest

from railbird.parsers import chunks
from railbird.parsers.chunks import WHOLE_BYTES, examine, pieces
from railbird.parsers.dialect import Cut, MatchText, Text
from railbird.parsers.dialects import cut_for
from railbird.parsers.sources import sources

TEXT = b"Round #1, A (0), B (0)\n" * 3


def opened(path: Path) -> bytes:
    """The head of a file, of which no complaint is made."""
    complaints: list[str] = []
    (source,) = sources([path], complaints.append)
    found = examine(source)
    assert not complaints
    assert found.whole == (found.size == len(found.head))
    return found.head


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_whose_size_nobody_knows_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(TEXT,))
    writer.start()
    assert opened(pipe) == TEXT
    writer.join()


def test_a_small_file_is_kept_whole_and_of_a_large_one_the_head(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(TEXT)
    large.write_bytes(b"x" * (WHOLE_BYTES + 1))
    assert opened(small) == TEXT
    assert len(opened(large)) == WHOLE_BYTES


def long_match(log: bytes, times: int) -> bytes:
    """A match that goes on with its own rounds again, which are counted on."""
    head, _, rounds = log.partition(b"\n\n")
    body, _, _ = rounds.rpartition(b"\n\n")
    numbers = count(1)
    return (
        head
        + b"\n\n"
        + re.sub(rb"Round #\d+", lambda _: b"Round #%d" % next(numbers), (body + b"\n\n") * times)
    )


@pytest.mark.parametrize("block", [700, 5_000, 40_000])
def test_a_long_match_is_cut_a_few_times_and_no_match_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample_logs: Path, block: int
) -> None:
    short, log = (
        (sample_logs / "bounty" / name).read_bytes() for name in ("2025-01-27.txt", "2025-01-05.txt")
    )
    # Rounds that start over without a header are matches, too.
    text = short + long_match(log, 12) + log[log.index(b"Round #1,") :] + short + long_match(log, 3) + short
    path = tmp_path / "long.txt"
    path.write_bytes(text)
    wanted = cut_for(text)
    assert wanted is not None
    assert len(wanted[1]) == 6
    longest = max(match.end - match.start for match in wanted[1])
    cut: list[int] = []

    def counting(text: Text, first: Cut | None = None) -> tuple[Cut, list[MatchText]] | None:
        cut.append(len(text))
        return cut_for(text, first)

    monkeypatch.setattr(chunks, "WHOLE_BYTES", 2_000)
    monkeypatch.setattr(chunks, "_BLOCK", block)
    monkeypatch.setattr(chunks, "cut_for", counting)
    (source,) = sources([path], print)
    starts: list[int] = []
    begin = 0
    for piece in pieces(source, examine(source)):
        assert piece.matches_before == len(starts)
        assert piece.lines_before == text[:begin].count(b"\n")
        assert len(piece.text) <= 2 * longest + 2 * block
        starts += [begin + match.start for match in piece.matches]
        begin += len(piece.take())
    assert begin == len(text)
    assert starts == [match.start for match in wanted[1]]
    # Blocks of one size would be hundreds of times the text at 700 a block.
    assert sum(cut) < 8 * (len(text) + block)


def test_a_text_that_begins_with_a_round_has_no_match_before_it(sample_logs: Path) -> None:
    log = (sample_logs / "bounty" / "2025-01-05.txt").read_bytes()
    rounds = log[log.index(b"Round #1,") :] + b"\n"
    found = cut_for(rounds + rounds)
    assert found is not None
    assert [(match.start, match.end) for match in found[1]] == [
        (0, len(rounds)),
        (len(rounds), 2 * len(rounds)),
    ]
