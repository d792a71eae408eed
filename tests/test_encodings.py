"""No command ends in an encoding error, whatever standard output takes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import railbird

RAILBIRD = "import sys; from railbird.cli import run; sys.argv[0] = 'railbird'; run()"


@pytest.fixture(scope="module")
def store(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("encodings") / "store"
    railbird.ingest([sample_logs / "bounty", sample_logs / "acpc"], root)
    return root


def said(encoding: str, *arguments: object) -> bytes:
    """What a command prints; it does not fail."""
    command = [sys.executable, "-c", RAILBIRD, *map(str, arguments)]
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, timeout=120, check=False, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit",),
        ("bankroll",),
        ("stats",),
        ("standings", "--crosstable", "--draws", "100"),
        ("replay", "bounty/one-name#3"),
        ("verify",),
        ("sql", "select '李' as a"),
    ],
)
def test_tables_come_out_where_only_ascii_does(store: Path, arguments: tuple[str, ...]) -> None:
    out = said("ascii", *arguments, "--store", store)
    assert out.isascii()
    if arguments[0] == "sql":
        assert b"\\u674e" in out
    else:
        assert b"\\u" not in out and b"\\x" not in out


def test_an_encoding_that_has_some_signs_gets_them(store: Path) -> None:
    out = said("cp1252", "sql", "select '–−é' as a", "--store", store)
    assert "–-é" in out.decode("cp1252")


def test_what_another_program_reads_is_utf_8(store: Path) -> None:
    query = ("sql", "select '−é' as a", "--store", store, "--format", "csv")
    assert said("ascii", *query) == "a\n−é\n".encode()
    log = said("ascii", "simulate", "bounty", "--player", "Aé=maniac", "--player", "B=maniac", "--hands", "2")
    assert "Aé" in log.decode("utf-8")
