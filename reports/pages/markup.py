"""The templates' environment: how names, cards, numbers and links are written in the pages."""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2.bccache import Bucket, BytecodeCache
from markupsafe import Markup

from ...analytics.settings import DRAWS, FEW, FEW_IN_CELL, LEVEL
from ...replay.games import ROUNDS_PER_BOUNTY
from .. import terminal
from ..matches import MatchName, Row, name_of
from ..plots import BAND_FROM, PLAYERS
from ..public_luck import LEAST
from ..replayer import ended_on
from ..starting_hands import hand_at
from ..terminal import (
    SUIT_SIGNS,
    brief_interval,
    by_chance,
    chance,
    chips,
    counted,
    interval,
    percent,
    printable,
    signed,
    won_chips,
)
from .answers import winner
from .overview import SHOWN_ALIKE
from .players import koper_ends, koper_figure

TEMPLATES: Final = Path(__file__).parent.parent / "templates"
_OWN: Final = (
    *("style.css", "curves.css", "page.js", "words.js", "hand.js", "list.js", "replay.js"),
    "curves.js",
)
ASSETS: Final = {
    **{name: name for name in _OWN},
    **{name: f"vendor/{name}" for name in ("uplot.js", "uplot.css", "uplot-LICENSE.txt")},
}
"""The files of a report's assets, and where they are below `TEMPLATES`."""
_WORDS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_RANKS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
_LOADER: Final = (
    'for(const name of %s){const one=document.createElement("script");one.src=`assets/${name}.js`;'
    "one.async=false;document.head.append(one)}"
)


LOADERS: Final = {
    "page": _LOADER % '["page"]',
    "curves": _LOADER % '["page","uplot","curves"]',
    "match": _LOADER % '["page","uplot","curves","words","hand","list"]',
    "replay": _LOADER % '["page","words","hand","replay"]',
}
"""The script in each page that loads the others, by what the page is."""


_NAME_MOST: Final = 120
_TEXT_MOST: Final = 2_000
"""Characters of a name, and of another text from a log, that a page shows."""


def cut(text: str, most: int) -> str:
    """A text of at most `most` characters: of a longer one its beginning and its end, where like names differ."""
    return text if len(text) <= most else f"{text[: most * 2 // 3]}…{text[most * 2 // 3 + 1 - most :]}"


def text(said: str) -> str:
    """A text from a log, as far as a page shows it."""
    return printable(cut(said, _TEXT_MOST))


_UNBROKEN: Final = 14
"""Characters of a name that stay together: a table with longer ones would scroll."""
_JOINTS: Final = re.compile(r"(?<=[/._\-])(?=[^/._\-])|(?<=[a-z0-9])(?=[A-Z])")
_PATH_JOINTS: Final = re.compile(r"(?<=[/._])(?=[^/._])")


def _joined(pieces: Sequence[str]) -> Markup:
    """Pieces between which a line may end; it may also end within long ones."""
    parts = (piece[at : at + _UNBROKEN] for piece in pieces for at in range(0, len(piece), _UNBROKEN))
    return Markup("<wbr>").join(parts)


def name(text: str | None, seat: int | None = None) -> Markup:
    """A name, isolated from the writing direction around it, with its seat if one match has the name twice."""
    said = "–" if text is None else printable(cut(text, _NAME_MOST))
    shown = Markup("<bdi>{}</bdi>").format(_joined(_JOINTS.split(said) if len(said) > _UNBROKEN else [said]))
    return shown if seat is None else shown + Markup(' <span class="sub">seat {}</span>').format(seat)


def words(text: str, seat: int | None) -> Markup:
    """A name that may break only at the end of a word, as in AllIn|Annie and all_in|annie, and in long words."""
    shown = Markup("<bdi>{}</bdi>").format(_joined(_JOINTS.split(printable(cut(text, _NAME_MOST)))))
    return shown if seat is None else shown + Markup(' <span class="sub">seat {}</span>').format(seat)


def called(text: str, seat: int | None) -> str:
    """The same as plain text."""
    return printable(name_of(cut(text, _NAME_MOST), seat))


def seated(match: MatchName, seat: int | None) -> Markup:
    """The name of the player in a seat; a dash for no seat."""
    return name(None) if seat is None else name(match.players[seat], match.namesakes[seat])


def others(match: MatchName, seat: int) -> Markup:
    """The names of the others at the table, in the order of the names."""
    order = sorted(range(len(match.players)), key=lambda one: (match.players[one], one))
    return Markup(" + ").join(seated(match, one) for one in order if one != seat)


@lru_cache(maxsize=4096)
def _card(card: str) -> Markup:
    return Markup('<span class="card suit-{}" role="img" aria-label="{} of {}">{}{}</span>').format(
        card[1], _RANKS.get(card[0], card[0]), _WORDS[card[1]], card[0], SUIT_SIGNS[card[1]]
    )


def cards(held: Sequence[str] | None) -> Markup:
    """Cards with suit signs and a class for the suit's colour; read aloud as `ace of hearts`."""
    made = [_card(card) for card in held or () if card and len(card) == 2 and card[1] in SUIT_SIGNS]
    if not made:
        return Markup('<span class="none">–</span>')
    return Markup('<span class="cards">{}</span>').format(Markup(" ").join(made))


def rate(value: float | None) -> str:
    """A signed figure, as `terminal.rate`; a dash for none."""
    return terminal.rate(value) or "–"


def game_name(event: str, game: str) -> str:
    """An event and its game without saying the same twice: `acpc, holdem.limit.3p`; `bounty`."""
    if event == game:
        return printable(event)
    return f"{printable(event)}, {printable(game.removeprefix(event + '/'))}"


def breakable(text: str) -> Markup:
    """A path, escaped, which may break only after `/`, `.` and `_`, and in long pieces.

    In one element, as sorting reads what a cell's first node says.
    """
    return Markup("<span>{}</span>").format(_joined(_PATH_JOINTS.split(printable(text))))


def span(low: float | None, high: float | None) -> str:
    """An interval of signed figures."""
    return "" if low is None or high is None else f"{rate(low)} to {rate(high)}"


def verdict(said: str) -> Markup:
    """A verdict in words, as a badge."""
    words = {
        "ok": ("as the rules say", "good"),
        "engine_deviation": ("engine deviation", "warn"),
        "violation": ("violation", "bad"),
        "damaged": ("damaged log", "bad"),
        "unverified": ("not verified", "warn"),
    }
    text, kind = words.get(said, (said, ""))
    return Markup('<span class="badge {}">{}</span>').format(kind, text)


def ended(by: str | None) -> str:
    """How a hand ended; several boards each end by themselves."""
    return "folds and showdown" if by == "mixed" else by or "–"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def position_name(position: str | None, players: int = 0) -> str:
    """A position as pages show it: a number, from 0, as the turn; heads-up the small blind is the dealer."""
    if position is None:
        return "–"
    if position.isdigit():
        return f"acts {ordinal(int(position) + 1)}"
    return "dealer (SB)" if position == "SB" and players == 2 else position


def match_page(address: str | int) -> str:
    """The file name of a match's page: its `MatchName.address`, which but in public reports is the match_id."""
    return f"match-{address}.html"


def common_folder(paths: Sequence[str]) -> str:
    """The common beginning of all paths, up to a slash: pages leave it out, because other people read them."""
    folder = paths[0].rpartition("/")[0] if paths else ""
    while folder and not all(path.startswith(f"{folder}/") for path in paths):
        folder = folder.rpartition("/")[0]
    return f"{folder}/" if folder else ""


def headline(match: MatchName, results: Sequence[Row]) -> Markup:
    """The result of a match in words: the winner and the others, or a draw."""
    won = winner(results)
    if won is None:
        return Markup(" v ").join(map(words, match.players, match.namesakes))
    names = [words(*one) for one in zip(match.players, match.namesakes, strict=True)]
    first = names.pop(won["seat"])
    wins = Markup("{} beats {}" if len(names) == 1 else "{} wins against {}")
    return wins.format(first, Markup(", ").join(names))


def margin(results: Sequence[Row]) -> str:
    """What the winner won."""
    won = winner(results)
    if won is None:
        return ""
    return f"{chips(won['delta'])} chips won "


def hash_of(script: str) -> str:
    """A script as the content security policy of its page names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _policy(script: str) -> str:
    return (
        f"default-src 'none'; script-src {hash_of(script)} 'strict-dynamic'; style-src 'self' file:; "
        "img-src 'self' file:; base-uri 'none'; form-action 'none'"
    )


class _CompiledTemplates(BytecodeCache):
    """The templates that this process has compiled: each report has an environment of its own, over the same ones."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give the code of a template, if it was compiled from the same text."""
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template."""
        self._code[bucket.key, bucket.checksum] = bucket.code


_COMPILED: Final = _CompiledTemplates()


def environment(folder: str, effects: dict[str, str], addresses: Mapping[int, str]) -> Environment:
    """The environment of the templates; `folder` is left out of paths, `effects` explains each engine deviation.

    addresses  `MatchName.address` by match_id
    """

    def page_of(match_id: int) -> str:
        return match_page(addresses[match_id])

    def hand_link(match_id: int, hand_index: int, text: object = None) -> Markup:
        """A link that opens a hand in the replayer, by default the hand's number, as in MATCH#HAND."""
        said = text if text is not None else f"hand #{hand_index}"
        return Markup('<a href="replay.html#{}/{}">{}</a>').format(addresses[match_id], hand_index, said)

    def place(path: str | None) -> str:
        return printable((path or "").removeprefix(folder))

    def effect(named: str | None) -> str:
        return "; ".join(effects[one] for one in (named or "").split("+") if one in effects)

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        # A filter of a constant is worked out as a template is compiled: `verdict` alone has one, and knows no report.
        bytecode_cache=_COMPILED,
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (
        name,
        words,
        called,
        place,
        cards,
        chips,
        chance,
        counted,
        signed,
        won_chips,
        percent,
        breakable,
        verdict,
        text,
    )
    figures = (span, interval, brief_interval, by_chance, koper_figure, koper_ends, margin, abs, max)
    about_players = (seated, others, headline, game_name, hand_link, ended_on, position_name)
    made.filters.update({each.__name__: each for each in (*filters, effect, ended)}, bb=rate)
    made.globals.update(
        {each.__name__: each for each in (*figures, *about_players)},
        match_page=page_of,
        BAND_FROM=BAND_FROM,
        DRAWS=DRAWS,
        FEW=FEW,
        FEW_IN_CELL=FEW_IN_CELL,
        hand_at=hand_at,
        LEAST_IN_BLOCK=LEAST,
        LEVEL=LEVEL,
        ROUNDS_PER_BOUNTY=ROUNDS_PER_BOUNTY,
        COLOURS=len(PLAYERS),
        SHOWN_ALIKE=SHOWN_ALIKE,
        # Those of a report for its owner, without a title.
        public=False,
        report_title="railbird",
    )
    made.globals["loaders"] = {
        key: {"script": Markup(script), "policy": _policy(script)} for key, script in LOADERS.items()
    }
    return made
