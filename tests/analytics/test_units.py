"""What is taken as one unit in the ACPC's games: the match that resets, and a hand's cards by number."""

from __future__ import annotations

import re
from pathlib import Path

from railbird.analytics.store import open_store
from railbird.ingest import ingest

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs" / "acpc"


def test_an_acpc_log_of_an_unknown_game_is_reset_by_the_match(tmp_path: Path) -> None:
    text = re.sub(r"(?m)^#.*\n", "", (SAMPLES / "side-pots.log").read_text())
    (tmp_path / "headless.log").write_text(re.sub(r"(?m)^STATE:0:.*\n", "", text))
    ingest([tmp_path / "headless.log"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.sql("select distinct game, reset from entrants").fetchall() == [("acpc", "duplicate match")]
        ((first, last),) = store.sql("select min(part), max(part) from unit_results").fetchall()
        assert (first, last) == (1, 39)
        assert store.sql("select * from lock_points").fetchall() == []
