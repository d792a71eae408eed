"""Builds the report: one folder of pages, plots and hands."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import numpy as np
from jinja2 import Environment

from ...analytics.luck import fit_store, kept_terms
from ...analytics.steadiness import SHUFFLES
from ...variants.properties import Properties
from .. import event_plots, information, opponent, plots
from ..matches import (
    MatchName,
    Row,
    all_matches,
    chosen_matches,
    ids,
    short_hand,
    short_names,
    some_at_a_time,
)
from ..plots import Painters
from ..public_luck import ends_of
from . import answers, curves, hand_list, overview, players, summary
from . import matches as match_pages
from .folder import check_folder, replaced
from .long_lists import PAGE_MOST, LongLists
from .markup import ASSETS, TEMPLATES, common_folder, environment, match_page
from .matches import Logs

if TYPE_CHECKING:
    from ...analytics.store import Store

INDEX: Final = "index.html"
_TOGETHER: Final = 32
_QUERIES_MOST: Final = "400MiB"
"""DuckDB's memory limit; pages and Python's rows come on top of it."""
_SPARK_CELLS: Final = 40
_SPARK_CELLS_LEAST: Final = 10
_SPARKS_MOST: Final = 20_000
"""Stretches of all sparklines of the list of matches, some 20 bytes each, before each has fewest."""
CROSSED_MOST: Final = 30
"""Players of a table of who beat whom, and rounds of a run-off; both grow with the square of the players."""
CROSSED_WIDE: Final = 10
"""Players of the widest table of who beat whom in large letters."""
IMPORTANT: Final = (
    "First those with violations, damaged hands, another winner by the written rules; then the largest wins."
)
"""The order of `Report._important`."""
_KOPER_STATISTICS: Final = ("koper_fold", "koper_showdown", "w$sd")
_KEY_STATISTICS: Final = ("vpip", "pfr", "3bet", "cbet_flop", "fold_to_cbet", "wtsd", "w$sd", "afq")


@dataclass(frozen=True)
class Spark:
    """A curve as high as a line of text: an SVG path in a box of 320 by 64, and the height of zero."""

    path: str
    zero: int


def spark(curve: plots.Curve, cells: int = _SPARK_CELLS) -> Spark:
    """The sparkline of the player who ended highest, in at most `cells` stretches of four points."""
    lines = [line.bankroll[~np.isnan(line.bankroll)] for line in curve.lines]
    values = max(lines, key=lambda line: line[-1] if len(line) else -np.inf)
    kept = plots.downsample(values, cells)
    low, high = min(values.min(initial=0), 0), max(values.max(initial=0), 0)
    down = 56 / (high - low) if high > low else 0.0
    across = 320 / max(len(values) - 1, 1)
    # Half a pixel of the page at a step: whole numbers, from point to point, are a third of the text.
    places = np.rint(np.column_stack([kept * across, 4 + (high - values[kept]) * down])).astype(np.int64)
    steps = "".join(
        f"{number:d}" if number < 0 else f" {number:d}" for number in np.diff(places, axis=0).flat
    )
    path = f"M{places[0][0]} {places[0][1]}l{steps.lstrip()}" if len(places) > 1 else ""
    return Spark(path, round(4 + high * down))


@dataclass
class Listed:
    """A row of the list of matches."""

    match: MatchName
    results: list[Row]
    verdicts: list[Row]
    spark: Spark

    @property
    def keys(self) -> str:
        """The keys of its event and players in addresses."""
        return " ".join(
            [
                players.key_of(self.match.event, self.match.game),
                *(players.person(row).key for row in self.results),
            ]
        )


def known_deviations() -> dict[str, str]:
    """The effect of every engine deviation, by name."""
    from ...variants.registry import GAMES

    return {deviation.name: deviation.effect for game in GAMES for deviation in game.deviations}


def key_statistics(rules: Properties) -> tuple[str, ...]:
    """The statistics of a game that the overview shows."""
    return _KOPER_STATISTICS if rules.simultaneous else _KEY_STATISTICS


def hand_names(store: "Store", matches: Sequence[MatchName], public: bool) -> Callable[[int, int], str]:
    """The function (match_id, hand_index) that names a hand of any match as commands do, or by the match's number."""
    names = {match.match_id: match.path for match in matches} if public else short_names(all_matches(store))
    return lambda match_id, hand_index: short_hand(names, match_id, hand_index)


class Report:
    """A report that is being written into a folder."""

    def __init__(
        self,
        store: "Store",
        out: Path,
        matches: Sequence[MatchName],
        progress: Callable[[int, int], None] | None = None,
        with_evidence: bool = False,
        public: bool = False,
        title: str = "",
        behind: "Store | None" = None,
    ) -> None:
        """`progress` is called with (steps done, all steps); with_evidence: look for collusion and hidden facts too.

        public: the store is as spectators saw it; what would be wrong of such a store, or is nobody's business, is left
        out. behind: the whole store then, of which the luck of the cards is told in sums over whole blocks of hands.
        """
        self.store, self.out, self.matches, self.public = store, out, matches, public
        self.effects = known_deviations()
        self.shared = overview.overview(store, matches, public)
        self.shared["title"] = title
        self.shared["key_statistics"] = key_statistics
        self.shared["koper_key_means"] = players.KOPER_KEY_MEANS
        self.tables = players.standings(store, matches, public)
        self.shared["tables"] = self.tables
        self.shared["pots_by_game"] = overview.biggest_pots(store, matches)
        self._behind = behind
        self.slopes = fit_store(behind or store)
        # A digest of hidden cards would tell whether a guess of them is right.
        self.shared["slopes"] = "" if public else self.slopes.digest
        self._luckiest = overview.Luckiest()
        self.environment: Environment = environment(
            common_folder([file["path"] for file in self.shared["files"]]),
            self.effects,
            {match.match_id: match.address for match in matches},
        )
        sizes = store.execute("select size_name(range + 1) from range($n)", n=players.SIZES).fetchall()
        self.environment.globals["size_names"] = [name for (name,) in sizes]
        self.environment.globals["with_evidence"] = self.with_evidence = with_evidence
        self.environment.globals |= {"public": public, "report_title": title or "railbird"}
        self.environment.globals["heat"] = players.heat
        lists = LongLists(self.page)
        self.environment.globals |= {
            "long_table": lists.table,
            "long_cards": lists.cards,
            "long_sections": lists.sections,
        }
        self.environment.globals |= {"list_address": lists.address, "page_of": lists.page_of}
        self.environment.globals |= {
            "PAGE_MOST": PAGE_MOST,
            "CROSSED_MOST": CROSSED_MOST,
            "CROSSED_WIDE": CROSSED_WIDE,
        }
        self.environment.globals |= {"key_of": players.key_of, "keys_of": lambda one: one.keys}
        self.environment.globals |= {"important": self._important, "IMPORTANT": IMPORTANT}
        self.shared["event_ids"] = [f"event-{table.key}" for table in self.tables]
        paths = Counter(match.path for match in matches)
        self.environment.globals["is_one_of_several"] = lambda match: paths[match.path] > 1
        self.environment.globals["named"] = {match.match_id: match for match in matches}
        self.environment.globals["hand_in"] = hand_names(store, matches, public)
        self.environment.globals["OF_A_MATCH"] = overview.OF_A_MATCH
        self.environment.globals["person"] = players.person
        self.environment.globals["SHUFFLES"] = SHUFFLES
        self.environment.globals |= {"SHOWN_WON": summary.SHOWN_WON, "FIRST_EVENTS": summary.FIRST_EVENTS}
        self.environment.globals["WON_BY_MOST"] = match_pages.WON_BY_MOST
        self.environment.globals["SHOWN_HANDS"] = hand_list.SHOWN_HANDS
        self.environment.globals["SHOWN_CHANGES"] = players.SHOWN_CHANGES
        self.environment.globals |= {"LEAKS_MOST": answers.LEAKS_MOST, "LEAK_HANDS": answers.LEAK_HANDS}
        self.environment.globals["SHUFFLED_MOST"] = players.SHUFFLED_MOST
        self.environment.globals["RANKED_MOST"] = players.RANKED_MOST
        self.environment.globals |= {"line_of": opponent.line_of, "choice_of": opponent.choice_of}
        self.listed: list[Listed] = []
        self._cells = min(_SPARK_CELLS, max(_SPARK_CELLS_LEAST, _SPARKS_MOST // (len(matches) or 1)))
        # By the key of an event the name of its picture and curves; not there without hands.
        self.shared["curves"] = {}
        self._places: dict[tuple[str, str, int | None], int] = {}
        self._progress = progress
        self._done = 0
        self._steps = len(matches) + sum(len(table.players) for table in self.tables) + 1

    def _tick(self) -> None:
        self._done += 1
        if self._progress:
            self._progress(self._done, self._steps)

    def _important(self) -> list[Listed]:
        """The matches in the order in which they need a look, as `IMPORTANT` says; wins in big blinds."""

        def rank(one: Listed) -> tuple[bool, bool, bool, float]:
            verdicts = {row["verdict"] for row in one.verdicts}
            paid, written = (
                {row["seat"] for row in one.results if row[key] == max(each[key] for each in one.results)}
                for key in ("delta", "delta_written")
            )
            won = max(((row["bb_per_100"] or 0) * row["hands"] for row in one.results), default=0.0)
            moved = not self.public and paid != written
            return "violation" not in verdicts, "damaged" not in verdicts, not moved, -won

        return sorted(self.listed, key=rank)

    def page(self, name: str, template: str, **context: Any) -> Path:
        """Write one page from a template, with the shared context and its own."""
        path = self.out / name
        text = self.environment.get_template(template).render(self.shared | context)
        path.write_text(text, encoding="utf-8")
        return path

    def assets(self) -> None:
        """Copy the style and the scripts."""
        (self.out / "assets").mkdir(parents=True, exist_ok=True)
        for name, path in ASSETS.items():
            (self.out / "assets" / name).write_bytes((TEMPLATES / path).read_bytes())

    def match_pages(self) -> None:
        """Write a page, a plot and the hands of every match."""
        (self.out / "plots").mkdir(exist_ok=True)
        logs = None if self.public else Logs(self.store, ids(self.matches))
        with Painters(self.out / "plots", len(self.matches)) as painters:
            for some in some_at_a_time(self.matches, _TOGETHER):
                self._some_matches(some, logs, painters)
        place = {match: k for k, match in enumerate(ids(self.matches))}
        self.listed.sort(key=lambda one: place[one.match.match_id])

    def _some_matches(self, some: Sequence[MatchName], logs: Logs | None, painters: Painters) -> None:
        found = match_pages.by_match(self.store, some)
        match_pages.write_hands(self.store, some, logs, self.out, self.effects)
        lists = hand_list.write_lists(self.store, some, self.out, self.public)
        luck = plots.luck_of(self._behind or self.store, some, self.slopes)
        known = {seat: hands for seat, (hands, _, _) in luck.items()}
        blocks = ends_of(self.store, known) if self.public else None
        if not self.public:
            self._luckiest.add(self.store, some)
        locks = {key: rows["lock"][0]["hand_index"] + 1 for key, rows in found.items() if rows["lock"]}
        drawn = plots.of_matches(self.store, some, locks, luck, blocks)
        for match in some:
            rows, curve = found[match.match_id], drawn[match.match_id]
            painters.draw(curve)
            self._curve_script(match.address, curves.of_match(curve))
            self.listed.append(Listed(match, rows["results"], rows["verdicts"], spark(curve, self._cells)))
            self.page(
                match_page(match.address),
                "match.html",
                **match_pages.context(match, rows, curve, self.public),
                answer=answers.match_answer(match, rows, curve, self.public),
                hand_list=lists[match.match_id],
            )
            self._tick()

    def _curve_script(self, name: str, data: dict[str, Any]) -> None:
        (self.out / "plots" / f"{name}.js").write_text(curves.script(name, data), encoding="utf-8")

    def event_curves(self) -> None:
        """Write the picture and the curves of every event; of a single match they are those of the match."""
        several: list[MatchName] = []
        for table in self.tables:
            mine = [one for one in self.matches if (one.event, one.game) == (table.event, table.game)]
            if len(mine) > 1:
                several += mine
            elif mine[0].hands:
                self.shared["curves"][table.key] = f"plots/{mine[0].address}"
        if not several:
            return
        addresses = {match.match_id: match.address for match in several}
        for drawn in event_plots.event_curves(self.store, several, self.slopes, self._behind):
            if not any(len(one.bankroll) for one in drawn.totals):
                continue
            key = players.key_of(drawn.event, drawn.game)
            name = f"event-{key}"
            self._curve_script(name, curves.of_event(drawn, addresses))
            for form, picture in event_plots.pictures(drawn, plots.FORMS).items():
                (self.out / "plots" / f"{name}.{form}").write_bytes(picture)
            self.shared["curves"][key] = f"plots/{name}"
            self._places |= {(key, one.player, one.namesake): place for place, one in enumerate(drawn.totals)}

    def _place(self, table: players.Standing, who: players.Person) -> int:
        """The place of a player among the curves of its event."""
        mine = [one for one in self.matches if (one.event, one.game) == (table.event, table.game)]
        if len(mine) > 1:
            return self._places.get((table.key, who.player, who.seat), 0)
        return list(zip(mine[0].players, mine[0].namesakes, strict=True)).index((who.player, who.seat))

    def player_pages(self) -> None:
        """Write a page for every player."""
        dossiers = players.Dossiers(self.store, self.matches, self.tables, self.public)
        for table in self.tables:
            for row in table.players:
                who = row["person"]
                place = self._place(table, who) if table.key in self.shared["curves"] else 0
                self.page(who.page, "player.html", **dossiers.of(who, table), place=place)
                self._tick()

    def first_pages(self) -> Path:
        """Write the overview, the lists of matches and hands, integrity, definitions and the replayer."""
        first = self.matches[0]
        self.page("matches.html", "matches.html", listed=self.listed)
        self.page("hands.html", "hands.html", luckiest=self._luckiest.rows(self.store))
        self.page("integrity.html", "integrity.html")
        self.page("definitions.html", "definitions.html")
        if self.with_evidence:
            self.page("evidence.html", "evidence.html", found=overview.evidence(self.store, self.matches))
            told = information.cards(self.store, self.matches)
            self.page("information.html", "information.html", found=told)
        self.page("replay.html", "replay.html", together=match_pages.TOGETHER, first=f"{first.address}/0")
        habits = players.habits(self.store, self.matches)
        first_lines = summary.summary(self.tables, self.shared, self.public)
        path = self.page(INDEX, "index.html", listed=self.listed, habits=habits, summary=first_lines)
        self._tick()
        return path


def write_report(
    store: "Store",
    out: Path,
    text: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    with_evidence: bool = False,
    public: bool = False,
    title: str = "",
    event: str | None = None,
    game: str | None = None,
) -> Path:
    """Write the report of a store, or of the matches of `text`, an event and a game; returns its first page.

    Files: index.html and the pages it links to, `match-ID.html`, `player-KEY.html`, plots/ID.svg and .png,
    hands/ID/N.js, assets/. They replace an older report in `out`; UserError if anything else is there.
    With evidence the events are searched for collusion and for uses of hidden facts, which takes minutes.
    public: for strangers (docs/report.md says what is left out); ValueError together with evidence
    title: of the first page, and at the end of every page's title
    `progress` gets (steps done, steps in all).
    """
    if public and with_evidence:
        raise ValueError("evidence rests on hidden cards: a public report has none")
    check_folder(out)
    if public:
        with store.as_spectators_saw() as seen:
            matches = [
                replace(match, path=f"match {number}", match_no=1, number=number)
                for number, match in enumerate(chosen_matches(seen, text, event, game), 1)
            ]
            _write(seen, out, matches, progress, title=title, behind=store)
    else:
        _write(store, out, chosen_matches(store, text, event, game), progress, with_evidence, title=title)
    return out / INDEX


def _write(
    store: "Store",
    out: Path,
    matches: Sequence[MatchName],
    progress: Callable[[int, int], None] | None,
    with_evidence: bool = False,
    title: str = "",
    behind: "Store | None" = None,
) -> None:
    """Write all pages; as of `write_report`. behind: the whole store, for a public report on `store`."""
    whole = behind or store
    with (
        replaced(out) as fresh,
        _bounded(store),
        _bounded(behind) if behind else nullcontext(),
        kept_terms(whole),
    ):
        report = Report(store, fresh, matches, progress, with_evidence, bool(behind), title, behind)
        report.assets()
        report.match_pages()
        report.event_curves()
        report.player_pages()
        report.first_pages()


@contextmanager
def _bounded(store: "Store") -> Iterator[None]:
    """Limit the memory of the store's queries; they use a temporary file for the rest."""
    import duckdb

    before = store.execute("select current_setting('memory_limit')").fetchall()[0][0]
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
