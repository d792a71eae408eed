"""A replayer page of some hands alone, which `railbird hands --format playlist` makes."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .. import UserError
from ..matches import MatchName, ids
from .build import known_deviations
from .folder import replaced
from .markup import TEMPLATES, common_folder, environment
from .matches import TOGETHER, Logs, write_hands

if TYPE_CHECKING:
    from ...analytics.store import Store

PAGE: Final = "index.html"
_ASSETS: Final = ("style.css", "page.js", "words.js", "hand.js", "replay.js")
"""What its page loads."""
_OF_REPORTS: Final = "matches.html"
"""A page that a report has and a playlist lacks."""


def write_playlist(
    store: "Store", out: Path, matches: Sequence[MatchName], rows: Sequence[dict[str, Any]], asked: str
) -> Path:
    """Write a page that replays hands in their order, its scripts and its hands; returns the page.

    It replaces an older one in `out`; UserError if a report or anything else is there.

    matches  matches, of which only those of the hands are read
    rows     the hands, at least one, as `found_hands` has them
    asked    the conditions that they meet, in words
    """
    if (out / _OF_REPORTS).exists():
        raise UserError(f"{out} is a report: choose another folder for the page")
    with replaced(out) as fresh:
        _write(store, fresh, matches, rows, asked)
    return out / PAGE


def _write(
    store: "Store", out: Path, matches: Sequence[MatchName], rows: Sequence[dict[str, Any]], asked: str
) -> None:
    named = {row["match_id"] for row in rows}
    some = [match for match in matches if match.match_id in named]
    effects = known_deviations()
    (out / "assets").mkdir(parents=True, exist_ok=True)
    for name in _ASSETS:
        (out / "assets" / name).write_bytes((TEMPLATES / name).read_bytes())
    only = {(row["match_id"], row["hand_index"]) for row in rows}
    write_hands(store, some, Logs(store, ids(some)), out, effects, only)
    addresses = {match.match_id: match.address for match in some}
    made = environment(common_folder([match.path for match in matches]), effects, addresses)
    made.globals["with_evidence"] = False
    hands = [f"{row['match_id']}/{row['hand_index']}" for row in rows]
    text = made.get_template("playlist.html").render(
        together=TOGETHER,
        first=hands[0],
        chosen=" ".join(hands),
        rows=rows,
        total=rows[0]["total"],
        asked=asked,
    )
    (out / PAGE).write_text(text, encoding="utf-8")
