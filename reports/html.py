"""The HTML report: a folder of pages and plots that open from the file system and fetch nothing.

Pages hold no script, and a content security policy forbids what they do not need. All text of logs goes
through Jinja's autoescape and `printable`.
"""

import base64
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from . import curves, gathering, plots, terminal
from .answers import MatchName, find_matches, hand_name
from .gathering import Row
from .styles import FEW
from .terminal import chips, percent, printable, signed

if TYPE_CHECKING:
    from ..analytics.store import Store

INDEX: Final = "index.html"
TEMPLATES: Final = Path(__file__).parent / "templates"
_TOGETHER: Final = 32
_SPARK_CELLS: Final = 40
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_KEY_STATISTICS: Final = ("vpip", "pfr", "3bet", "cbet_flop", "fold_to_cbet", "wtsd", "w$sd")


def _name(text: str | None) -> Markup:
    """A name, kept apart from the writing direction around it."""
    shown = "–" if text is None else printable(text)
    return Markup("<bdi>{}</bdi>").format(shown)


def _cards(cards: Sequence[str] | None) -> Markup:
    """Cards with suit signs and a class for the suit's colour."""
    made = [
        Markup('<span class="card {}">{}{}</span>').format(f"suit-{card[1]}", card[0], _SUITS[card[1]])
        for card in cards or ()
        if len(card) == 2 and card[1] in _SUITS
    ]
    return Markup(" ").join(made) or Markup('<span class="none">–</span>')


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:+.1f}".replace("-", "−")


def _span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{_rate(low)} to {_rate(high)}"


def _common_folder(paths: Sequence[str]) -> str:
    """What all paths begin with, up to a slash: left out on pages, which other people read."""
    folder = paths[0].rpartition("/")[0]
    while folder and not all(path.startswith(f"{folder}/") for path in paths):
        folder = folder.rpartition("/")[0]
    return f"{folder}/" if folder else ""


def _environment(folder: str) -> Environment:
    def place(path: str | None) -> str:
        return printable((path or "").removeprefix(folder))

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        name=_name,
        place=place,
        cards=_cards,
        chips=chips,
        signed=signed,
        percent=percent,
        bb=_rate,
        text=printable,
    )
    made.globals.update(
        span=_span, interval=terminal.interval, FEW=FEW, hand_name=hand_name, abs=abs, max=max
    )
    made.globals["COLOURS"] = len(plots.PLAYERS)
    source = (TEMPLATES / "style.css").read_text()
    digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
    made.globals["style"] = Markup(source)
    made.globals["policy"] = (
        f"default-src 'none'; img-src 'self' file:; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return made


def _winner(results: Sequence[Row]) -> Row | None:
    """The row of who won more than anyone else; None where nobody did."""
    ranked = sorted(results, key=lambda row: -(row["delta"] or 0))
    if len(ranked) < 2 or (ranked[0]["delta"] or 0) <= max(ranked[1]["delta"] or 0, 0):
        return None
    return ranked[0]


def _headline(match: MatchName, results: Sequence[Row]) -> Markup:
    """Who beat whom, or that nobody did."""
    won = _winner(results)
    if won is None:
        return Markup(" v ").join(map(_name, match.players))
    beaten = [_name(player) for seat, player in enumerate(match.players) if seat != won["seat"]]
    return Markup("{} beats {}").format(_name(won["player"]), Markup(", ").join(beaten))


def _margin(match: MatchName, results: Sequence[Row]) -> str:
    """By how much the winner won: the chips are the other's where there are two."""
    won = _winner(results)
    if won is None:
        return ""
    return f"{'by' if len(match.players) == 2 else 'and wins'} {chips(won['delta'])} chips "


def _pairs(rows: Sequence[Row], *keys: str) -> list[tuple[Row, dict[int, Row]]]:
    """Rows of several seats side by side: for each value of the keys one row as example, and all by seat."""
    grouped: dict[Any, dict[int, Row]] = {}
    for row in rows:
        grouped.setdefault(tuple(row[key] for key in keys), {})[row["seat"]] = row
    return [(next(iter(seats.values())), seats) for seats in grouped.values()]


def _match_context(match: MatchName, rows: dict[str, list[Row]], curve: curves.Curve) -> dict[str, Any]:
    return {
        **rows,
        "match": match,
        "headline": _headline(match, rows["results"]),
        "margin": _margin(match, rows["results"]),
        "tendencies": _pairs(rows["tendencies"], "statistic"),
        "folds": _pairs(rows["folds"], "street", "position"),
        "caption": plots.caption(curve),
        "plot": f"plots/{match.match_id}",
        "plot_height": plots.height(curve),
        "seats": range(len(match.players)),
    }


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


def _save_plots(curve: curves.Curve, out: Path) -> None:
    for form in ("svg", "png"):
        path = out / "plots" / f"{curve.match.match_id}.{form}"
        path.write_bytes(plots.picture(curve, form))


def page_name(match: MatchName) -> str:
    """The file name of a match's page; of a log's own text nothing goes into it."""
    return f"match-{match.match_id}.html"


def write_report(
    store: "Store",
    out: Path,
    text: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write the report of a store, or of the matches that `text` names; returns its first page.

    Files: index.html, a page a match where there are several, plots/MATCH.svg and .png. `progress` gets
    (pages written, pages in all).
    """
    matches = find_matches(store, text)
    (out / "plots").mkdir(parents=True, exist_ok=True)
    shared = {"deviation_of": gathering.known_deviations(), **gathering.overview(store, matches)}
    environment = _environment(_common_folder([file["path"] for file in shared["files"]]))
    alone = len(matches) == 1
    results: dict[int, list[Row]] = {}
    verdicts: dict[int, list[Row]] = {}
    sparks: dict[int, Spark] = {}
    context: dict[str, Any] = {}
    for start in range(0, len(matches), _TOGETHER):
        some = matches[start : start + _TOGETHER]
        found = gathering.by_match(store, some)
        for place, match in enumerate(some, start):
            curve = curves.of_match(store, match)
            _save_plots(curve, out)
            rows = found[match.match_id]
            sparks[match.match_id] = spark(curve)
            results[match.match_id], verdicts[match.match_id] = rows["results"], rows["verdicts"]
            context = _match_context(match, rows, curve)
            if not alone:
                page = environment.get_template("match.html").render(shared | context)
                (out / page_name(match)).write_text(page, encoding="utf-8")
            if progress:
                progress(place + 1, len(matches) + 1)
    first = out / INDEX
    if alone:
        page = environment.get_template("single.html").render(shared | context)
    else:
        page = environment.get_template("index.html").render(
            shared,
            matches=matches,
            results=results,
            match_verdicts=verdicts,
            sparks=sparks,
            page_name=page_name,
            headline=_headline,
            standings=gathering.standings(store, matches),
            habits=gathering.habits(store, _KEY_STATISTICS),
            key_statistics=(*_KEY_STATISTICS, "afq"),
        )
    first.write_text(page, encoding="utf-8")
    if progress:
        progress(len(matches) + 1, len(matches) + 1)
    return first
