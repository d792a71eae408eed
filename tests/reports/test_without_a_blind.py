"""A match whose big blind nobody knows has no winnings in bb, anywhere."""

import re
from pathlib import Path

import pytest
from conftest import Run

from railbird.ingest import ingest

LOG = """\
# name/game/hands/seed m holdem.nolimit.4p.mine.game 2 7
STATE:0:ffr300f:KdTh|2c3c|9s9d|AhAs:-50|-100|0|150:a|b|c|d
STATE:1:fff:KdTh|2c3c|9s9d|AhAs:-50|50|0|0:b|c|d|a
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / "x.log").write_text(LOG)
    ingest([tmp_path / "x.log"], tmp_path / "store")
    return tmp_path / "store"


def test_a_report_is_written(store: Path, tmp_path: Path, run: Run) -> None:
    code, _, _ = run("report", "--store", store, "--out", tmp_path / "report")
    assert code == 0
    pages = [path.read_text() for path in (tmp_path / "report").glob("*.html")]
    assert len(pages) > 3
    assert not any(re.search(r"nan\b|>\s*None\s*<", page) for page in pages)


@pytest.mark.parametrize("command", ["luck", "standings", "bankroll", "audit", "stats --show winnings"])
@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_no_figure_stands_in_its_place(store: Path, command: str, form: str, run: Run) -> None:
    code, out, err = run(*command.split(), "--store", store, "--format", form)
    assert code in (0, 1), err
    assert "nan" not in out.lower().replace("maniac", "")
    if command == "stats --show winnings" and form == "csv":
        heads, row, *_ = (line.split(",") for line in out.splitlines())
        assert dict(zip(heads, row, strict=True))["sd_per_100"] == ""
