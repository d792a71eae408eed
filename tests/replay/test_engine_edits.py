"""An edited log of the ACPC dealer, Koper or Blotto is noticed: random single edits to clean logs of many sources."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import NO_CORPUS, ROOT, corpus_root
from support import acpc_edits, blotto_edits, edits, koper_edits


@dataclass(frozen=True)
class Engine:
    """How one engine's logs are edited, and which share of the edits must be noticed.

    pattern  its logs in the folder of a corpus; clean: reads them, and leaves out those with findings
    kinds    the edits by name; measure: makes some
    counts   edits of a kind, by the corpus
    floors   the least share noticed, of kinds of which not all are: what is seen in any corpus, less a margin
             (docs/edits.md has the table)
    """

    pattern: str
    clean: Callable[[list[Path]], Any]
    kinds: Mapping[str, Any]
    measure: Callable[[Any, Any, int, int], Any]
    counts: Mapping[str, int]
    floors: Mapping[str, float]
    seed: int = 2025


ENGINES = {
    "acpc": Engine(
        "acpc/**/*.log",
        acpc_edits.clean_logs,
        acpc_edits.ALWAYS | acpc_edits.SOMETIMES,
        acpc_edits.measure,
        {"sample_logs": 200, "corpus": 200},
        {"action kind": 0.97, "action dropped": 0.85, "amount": 0.35},
    ),
    "koper": Engine(
        "koper/**/*.txt",
        koper_edits.clean_logs,
        koper_edits.EDITS,
        koper_edits.measure,
        {"sample_logs": 60, "corpus": 60},
        # What no line contradicts: cards that decide nothing, equities, players of one class who bet the same.
        {"hole card": 0.2, "community card": 0.75, "win probability": 0.05, "two players exchanged": 0.9},
    ),
    "blotto": Engine(
        "blotto*/**/*.txt",
        blotto_edits.blotto_logs,
        blotto_edits.ALWAYS | blotto_edits.SOMETIMES,
        edits.measure,
        {"sample_logs": 120, "corpus": 30},
        {
            "assigned card": 0.98,
            "all-in dropped": 0.9,
            "action kind": 0.93,
            "amount": 0.7,
            "dealt hole card": 0.75,
            "board card": 0.7,
            "line dropped": 0.99,
        },
        seed=2021,
    ),
}
KINDS = [(engine, kind) for engine, its in ENGINES.items() for kind in its.kinds]


@cache
def clean_logs(engine: str, folder: Path) -> Any:
    paths = [path for path in sorted(folder.glob(ENGINES[engine].pattern)) if path.is_file()]
    return ENGINES[engine].clean([path for path in paths if ".stdout." not in path.name])


@pytest.mark.parametrize("corpus_name", ["sample_logs", "corpus"])
@pytest.mark.parametrize(("engine", "kind"), KINDS)
def test_edits_are_noticed(engine: str, kind: str, corpus_name: str) -> None:
    root = ROOT / "sample_logs" if corpus_name == "sample_logs" else corpus_root()
    if root is None:
        pytest.skip(NO_CORPUS)
    its = ENGINES[engine]
    count = its.counts[corpus_name]
    tally = its.measure(clean_logs(engine, root), its.kinds[kind], count, its.seed)
    assert tally.made == count
    if kind in its.floors:
        assert tally.share >= its.floors[kind]
    else:
        assert not tally.unseen
        # More than another named deviation.
        assert getattr(tally, "flagged", count) == count


@pytest.mark.parametrize("engine", ["acpc", "blotto"])
def test_at_least_2000_edits_must_all_be_noticed(engine: str) -> None:
    its = ENGINES[engine]
    each = max(its.counts.values()) if engine == "acpc" else sum(its.counts.values())
    assert each * len(its.kinds.keys() - its.floors.keys()) >= 2000
