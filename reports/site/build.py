"""Writing the report: pages, plots and hands, some matches at a time, so that memory stays bounded."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import numpy as np
from jinja2 import Environment

from ...analytics.luck import fit_store, kept_terms
from ...analytics.steadiness import SHUFFLES
from ...variants.properties import Properties
from .. import curves, koper
from ..answers import MatchName, find_matches, ids
from . import duel, evidence, hands, overview, people, tells
from .drawing import Painters
from .logs import Logs
from .markup import ASSETS, TEMPLATES, common_folder, environment, match_page
from .numbers import Numbers
from .rows import Row

if TYPE_CHECKING:
    from ...analytics.store import Store

INDEX: Final = "index.html"
_TOGETHER: Final = 32
_QUERIES_MOST: Final = "400MiB"
"""Memory of DuckDB; pages and Python's rows come on top of it."""
_SPARK_CELLS: Final = 40
_KOPER_STATISTICS: Final = ("koper_fold", "koper_showdown", "w$sd")
_KEY_STATISTICS: Final = ("vpip", "pfr", "3bet", "cbet_flop", "fold_to_cbet", "wtsd", "w$sd", "afq")


@dataclass(frozen=True)
class Spark:
    """A curve a line high: the points of an SVG polyline 160 by 32, and where zero lies."""

    points: str
    zero: float


def spark(curve: curves.Curve) -> Spark:
    """The bankroll of the player who ended highest."""
    lines = [line.bankroll[~np.isnan(line.bankroll)] for line in curve.lines]
    values = max(lines, key=lambda line: line[-1] if len(line) else -np.inf)
    kept = curves.downsample(values, _SPARK_CELLS)
    low, high = min(values.min(initial=0), 0), max(values.max(initial=0), 0)
    down = 28 / (high - low) if high > low else 0.0
    across = 160 / max(len(values) - 1, 1)
    places = zip((kept * across).tolist(), (2 + (high - values[kept]) * down).tolist(), strict=True)
    return Spark(" ".join(f"{x:.1f},{y:.1f}" for x, y in places), 2 + high * down)


@dataclass
class Listed:
    """What the list of matches says of one."""

    match: MatchName
    results: list[Row]
    verdicts: list[Row]
    spark: Spark

    @property
    def keys(self) -> str:
        """Its event and players, as addresses call them."""
        return " ".join(
            [
                people.key_of(self.match.event, self.match.game),
                *(people.person(row).key for row in self.results),
            ]
        )


def known_deviations() -> dict[str, str]:
    """What every engine deviation does, by name."""
    from ...variants.registry import GAMES

    return {deviation.name: deviation.effect for game in GAMES for deviation in game.deviations}


def key_statistics(rules: Properties) -> tuple[str, ...]:
    """The rates of a game's players that the overview shows."""
    return _KOPER_STATISTICS if rules.simultaneous else _KEY_STATISTICS


class Report:
    """A report being written into a folder."""

    def __init__(
        self,
        store: "Store",
        out: Path,
        matches: Sequence[MatchName],
        progress: Callable[[int, int], None] | None = None,
        with_evidence: bool = False,
    ) -> None:
        """Of some matches; `progress` gets (steps done, steps in all); with_evidence: look for collusion too."""
        self.store, self.out, self.matches = store, out, matches
        self.effects = known_deviations()
        self.numbers = Numbers(store, matches)
        self.shared = overview.overview(store, matches)
        self.shared["key_statistics"] = key_statistics
        self.shared["koper_key_means"] = koper.KEY_MEANS
        self.tables = people.standings(store, matches)
        self.shared["tables"] = self.tables
        self.shared["pots_by_game"] = overview.biggest_pots(store, matches)
        self.slopes = fit_store(store)
        self.shared["slopes"] = self.slopes.digest
        self._luckiest = overview.Luckiest()
        self.environment: Environment = environment(
            common_folder([file["path"] for file in self.shared["files"]]), self.effects, self.numbers
        )
        sizes = store.sql("select size_name(range + 1) from range($n)", n=people.SIZES).fetchall()
        self.environment.globals["size_names"] = [name for (name,) in sizes]
        self.environment.globals["with_evidence"] = self.with_evidence = with_evidence
        self.environment.globals["heat"] = people.heat
        paths = Counter(match.path for match in matches)
        self.environment.globals["is_one_of_several"] = lambda match: paths[match.path] > 1
        self.environment.globals["named"] = {match.match_id: match for match in matches}
        self.environment.globals["OF_A_MATCH"] = overview.OF_A_MATCH
        self.environment.globals["person"] = people.person
        self.environment.globals["SHUFFLES"] = SHUFFLES
        self.environment.globals["SHOWN_CHANGES"] = tells.SHOWN_CHANGES
        self.environment.globals["RANKED_MOST"] = tells.RANKED_MOST
        self.listed: list[Listed] = []
        self._progress = progress
        self._done = 0
        self._steps = len(matches) + sum(len(table.players) for table in self.tables) + 1

    def _tick(self) -> None:
        self._done += 1
        if self._progress:
            self._progress(self._done, self._steps)

    def page(self, name: str, template: str, **context: Any) -> Path:
        """Write one page; the templates see what all share, and its own context."""
        path = self.out / name
        text = self.environment.get_template(template).render(self.shared | context)
        path.write_text(text, encoding="utf-8")
        return path

    def assets(self) -> None:
        """Style and scripts, as they are."""
        (self.out / "assets").mkdir(parents=True, exist_ok=True)
        for name in ASSETS:
            (self.out / "assets" / name).write_bytes((TEMPLATES / name).read_bytes())

    def match_pages(self) -> None:
        """A page, a plot and the hands of every match."""
        (self.out / "plots").mkdir(exist_ok=True)
        logs = Logs(self.store, ids(self.matches))
        with Painters(self.out / "plots", len(self.matches)) as painters:
            for start in range(0, len(self.matches), _TOGETHER):
                self._some_matches(self.matches[start : start + _TOGETHER], logs, painters)

    def _some_matches(self, some: Sequence[MatchName], logs: Logs, painters: Painters) -> None:
        found = duel.by_match(self.store, some)
        hands.write(self.store, some, logs, self.out, self.effects, self.numbers)
        luck = curves.luck_of(self.store, some, self.slopes)
        self._luckiest.add(self.store, some)
        locks = {key: rows["lock"][0]["hand_index"] + 1 for key, rows in found.items() if rows["lock"]}
        drawn = curves.of_matches(self.store, some, locks, luck)
        for match in some:
            rows, curve = found[match.match_id], drawn[match.match_id]
            painters.draw(curve)
            self.listed.append(Listed(match, rows["results"], rows["verdicts"], spark(curve)))
            self.page(match_page(match.match_id), "match.html", **duel.context(match, rows, curve))
            self._tick()

    def player_pages(self) -> None:
        """A dossier of every player."""
        dossiers = people.Dossiers(self.store, self.matches, self.tables)
        for table in self.tables:
            for row in table.players:
                who = row["person"]
                self.page(who.page, "player.html", **dossiers.of(who, table))
                self._tick()

    def first_pages(self) -> Path:
        """The overview, the lists of matches and of hands, integrity, definitions, the replayer."""
        first = self.matches[0]
        self.page("matches.html", "matches.html", listed=self.listed)
        self.page("hands.html", "hands.html", luckiest=self._luckiest.rows(self.store))
        self.page("integrity.html", "integrity.html")
        self.page("definitions.html", "definitions.html")
        if self.with_evidence:
            self.page("evidence.html", "evidence.html", found=evidence.evidence(self.store, self.matches))
        self.page("replay.html", "replay.html", together=hands.TOGETHER, first=f"{first.match_id}/0")
        habits = people.habits(self.store, self.matches)
        path = self.page(INDEX, "index.html", listed=self.listed, habits=habits)
        self._tick()
        return path


def write_report(
    store: "Store",
    out: Path,
    text: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    with_evidence: bool = False,
) -> Path:
    """Write the report of a store, or of the matches that `text` names; returns its first page.

    Files: index.html and the pages it links to, `match-ID.html`, `player-KEY.html`, plots/ID.svg and .png,
    hands/ID/N.js, assets/.
    With evidence the events are searched for collusion, which takes minutes. `progress` gets
    (steps done, steps in all).
    """
    matches = find_matches(store, text)
    with _bounded(store), kept_terms(store):
        report = Report(store, out, matches, progress, with_evidence)
        report.assets()
        report.match_pages()
        report.player_pages()
        return report.first_pages()


@contextmanager
def _bounded(store: "Store") -> Iterator[None]:
    """A store whose queries stay below a limit of memory; what does not fit lies in a temporary file meanwhile."""
    import duckdb

    before = store.sql("select current_setting('memory_limit')").fetchall()[0][0]
    # DuckDB makes this folder when it needs it, and removes it when the store is closed.
    folder = str(Path(gettempdir()) / f"railbird-{uuid4().hex}").replace("'", "''")
    # Once files lie in it, it stays where it is.
    with suppress(duckdb.Error):
        store.sql(f"set temp_directory = '{folder}'")
    store.sql(f"set memory_limit = '{_QUERIES_MOST}'")
    try:
        yield
    finally:
        store.sql(f"set memory_limit = '{before}'")
