"""What is taken as one unit in the ACPC's games: the match that resets, and a hand's cards by number."""

from __future__ import annotations

import math
import re
import statistics
from collections import defaultdict
from pathlib import Path

import pytest
from scipy import stats

from railbird.analytics import luck
from railbird.analytics.store import open_store
from railbird.ingest import ingest

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs" / "acpc"


def test_hands_of_the_same_cards_are_paired_by_number(tmp_path: Path) -> None:
    """The second half of a duplicate match lacks a hand: the others keep their partners."""
    texts = [(SAMPLES / f"Heron.Otter.{half}.log").read_text() for half in (0, 1)]
    texts[1] = re.sub(r"(?m)^STATE:20:.*\n", "", texts[1])
    won: defaultdict[str, list[float]] = defaultdict(list)
    for half, text in enumerate(texts):
        (tmp_path / f"Heron.Otter.{half}.log").write_text(text)
        for number, values, names in re.findall(r"(?m)^STATE:(\d+):.*:([^:]*):([^:]*)$", text):
            won[number].append(float(values.split("|")[names.split("|").index("Heron")]) / 100)
    sizes = [len(each) for each in won.values()]
    assert sorted(sizes) == [1, *[2] * 39]
    mean = statistics.fmean(bb for each in won.values() for bb in each)
    squares = math.fsum((math.fsum(each) - len(each) * mean) ** 2 for each in won.values())
    half_width = stats.t.ppf(0.975, 39) * math.sqrt(40 / 39 * squares) / sum(sizes)
    wanted = [100 * figure for figure in (mean, mean - half_width, mean + half_width)]
    ingest(sorted(tmp_path.glob("*.log")), tmp_path / "store")
    query = "select blocks, bb_per_100, bb_per_100_low, bb_per_100_high from {} where player = 'Heron'"
    with open_store(tmp_path / "store") as store:
        for view in ("winnings", "winnings_by_opponent"):
            ((blocks, *found),) = store.execute(query.format(view)).fetchall()
            assert blocks == 40
            assert found == pytest.approx(wanted, rel=1e-6)
        (told,) = luck.winnings(store).filter(player="Heron").to_dicts()
    assert told["clusters"] == 40
    assert [told[name] for name in ("delta", "delta_low", "delta_high")] == pytest.approx(wanted)


def test_an_acpc_log_of_an_unknown_game_is_reset_by_the_match(tmp_path: Path) -> None:
    text = re.sub(r"(?m)^#.*\n", "", (SAMPLES / "side-pots.log").read_text())
    (tmp_path / "headless.log").write_text(re.sub(r"(?m)^STATE:0:.*\n", "", text))
    ingest([tmp_path / "headless.log"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select distinct game, reset from entrants").fetchall() == [
            ("acpc", "duplicate match")
        ]
        ((first, last),) = store.execute("select min(part), max(part) from unit_results").fetchall()
        assert (first, last) == (1, 39)
        assert store.execute("select * from lock_points").fetchall() == []
