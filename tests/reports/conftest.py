"""A store of the sample logs, one of hostile names, the reports on both, and a browser, made once."""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from conftest import MadeOnce
from support.browser import Tab, chromium, tab

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports.pages.build import write_report

HOSTILE = ("<script>alert(1)</script>", "\u202egnp.$x^{2}$ \x1b[31m\"'&</title>")


@pytest.fixture(scope="session")
def sample_store(samples: Store) -> Store:
    """All sample logs in one store, opened once; only to be read."""
    return samples


@pytest.fixture(scope="session")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("<b>hostile & co")
    log = folder / "x'\"><img src=y>.txt"
    first, second = HOSTILE
    log.write_text(simulate("bounty", [(first, "loose-aggressive"), (second, "faulty")], 60, 3), newline="")
    ingest([log], folder / "store")
    with open_store(folder / "store") as store:
        yield store


@pytest.fixture(scope="session")
def report_and_progress(sample_store: Store, made_once: MadeOnce) -> tuple[Path, list[tuple[int, int]]]:
    """The folder of a report on the sample logs, written once for all workers, and the progress that it told."""

    def make(fresh: Path) -> None:
        told: list[tuple[int, int]] = []
        fresh.mkdir()
        write_report(
            sample_store, fresh / "new folder #1?", None, lambda done, total: told.append((done, total))
        )
        (fresh / "progress.json").write_text(json.dumps(told))

    made = made_once("samples-report", make)
    told = [(done, total) for done, total in json.loads((made / "progress.json").read_text())]
    return made / "new folder #1?", told


@pytest.fixture(scope="session")
def report(report_and_progress: tuple[Path, list[tuple[int, int]]]) -> Path:
    """The folder of a report on the sample logs; only to be read."""
    return report_and_progress[0]


@pytest.fixture(scope="session")
def gaps(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    """A match whose log leaves out hand 7, and the folder of a report on it."""
    folder = tmp_path_factory.mktemp("gaps")
    log = folder / "gap.log"
    lines = (sample_logs / "acpc" / "Heron.Otter.0.log").read_text().splitlines(keepends=True)
    log.write_text("".join(line for line in lines if not line.startswith("STATE:7:")), newline="")
    ingest([log], folder / "store")
    with open_store(folder / "store") as store:
        ((match,),) = store.execute("select match_id from matches").fetchall()
        return match, write_report(store, folder / "report").parent


@pytest.fixture(scope="session")
def hostile(hostile_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report on hostile names."""
    return write_report(hostile_store, tmp_path_factory.mktemp("hostile")).parent


@pytest.fixture(scope="session")
def evidence(made_once: MadeOnce) -> Path:
    """The folder of a report with evidence on three bots, one of a hostile name, made once for all workers."""

    def make(fresh: Path) -> None:
        bots = {"Ann": "tight-passive", "<i>Bob": "maniac", "Cid": "calling-station"}
        (fresh / "cup").mkdir(parents=True)
        for seed, (one, other) in enumerate(combinations(bots, 2)):
            text = simulate("holdem-mit", [(one, bots[one]), (other, bots[other])], 60, seed)
            (fresh / "cup" / f"{seed}.txt").write_text(text, newline="")
        ingest([fresh / "cup"], fresh / "store")
        with open_store(fresh / "store") as store:
            write_report(store, fresh / "report", with_evidence=True)

    return made_once("evidence", make) / "report"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium; tests are skipped without one."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def page_of(browser: Any) -> Iterator[Tab]:
    """A tab whose console stays silent."""
    with tab(browser, viewport={"width": 1300, "height": 1000}) as opened:
        yield opened
