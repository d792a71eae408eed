"""Files are read whole, whatever the file system says of their size."""

import os
import threading
from pathlib import Path

import pytest

from railbird.parsers.chunks import WHOLE_BYTES, examine
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


def test_a_text_that_begins_with_a_round_has_no_match_before_it(sample_logs: Path) -> None:
    log = (sample_logs / "bounty" / "2025-01-05.txt").read_bytes()
    rounds = log[log.index(b"Round #1,") :] + b"\n"
    found = cut_for(rounds + rounds)
    assert found is not None
    assert [(match.start, match.end) for match in found[1]] == [
        (0, len(rounds)),
        (len(rounds), 2 * len(rounds)),
    ]
