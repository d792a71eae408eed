"""The output of `railbird audit information`: players whose choices depend on what the rules hide from them."""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from ..analytics.settings import LEVEL
from ..progress import Progress
from . import LISTED, Format, terminal
from .matches import MatchName, Target, chosen_matches, hand_name, ids, numbered
from .terminal import Answer

if TYPE_CHECKING:
    from ..analytics.information.evidence import Row
    from ..analytics.information.material import Material
    from ..analytics.store import Store

_COLUMNS: Final = (
    *(
        "event",
        "game",
        "player",
        "fact",
        "decisions",
        "bits",
        "chips",
        "low",
        "high",
        "p",
        "q",
        "flag",
        "since",
    ),
    *("hands", "said", "tried"),
)
_FOOT: Final = (
    "Evidence, not a verdict. bits: what a choice says about the hidden fact. chips: bb/100, with its 95% interval "
    "over runs of 25 hands. p: how often honest play would show as much; q: the share of false alarms to expect "
    "among rows with such a q, over all rows of the event. docs/information.md has the method and its power; "
    "`railbird replay HAND` opens a hand."
)


def _records(material: "Material", row: "Row") -> dict[str, Any]:
    """A row by column name."""
    hands = [hand_name(material.matches[match], hand) for match, hand, _ in row.shown]
    since = hand_name(material.matches[row.since[0]], row.since[1])
    return {
        "event": material.event,
        "game": material.game,
        "player": material.players[row.player],
        "fact": row.fact.name,
        "decisions": row.decisions,
        "bits": row.bits,
        "chips": row.chips,
        "low": row.low,
        "high": row.high,
        "p": row.p,
        "q": row.q,
        "flag": row.flag,
        "since": since if row.flag else None,
        "hands": hands if row.flag else [],
        "said": [said for _, _, said in row.shown] if row.flag else [],
        "tried": [f"{what}: {terminal.digits(value)}" for what, value in row.tried],
    }


def print_rows(
    store: "Store",
    text: str | None,
    every: bool,
    form: Format,
    looking: Callable[[], AbstractContextManager[Progress]],
    event: str | None = None,
    game: str | None = None,
) -> int:
    """Print the rows of some matches, the flagged ones as cards; returns how many are flagged.

    every: all rows instead of the first. JSON is one object, with `rows` and `untestable`.
    """
    from ..analytics.information.evidence import look
    from ..analytics.information.material import materials

    chosen = _chosen(store, text, event, game)
    records: list[dict[str, Any]] = []
    untestable: list[dict[str, str]] = []
    cards: list[tuple[Material, Row]] = []
    with looking() as progress:
        for material in materials(store, ids=chosen, progress=progress):
            rows = look(material)
            records += [_records(material, row) for row in rows]
            cards += [(material, row) for row in rows if row.flag]
            tested = {row.player for row in rows}
            untestable += [
                {"event": material.event, "game": material.game, "player": name, "why": "too few decisions"}
                for code, name in enumerate(material.players)
                if code not in tested
            ]
    records.sort(key=_order)
    if form is Format.JSON:
        found = {"rows": [_json(record) for record in records], "untestable": untestable}
        sys.stdout.write(f"{json.dumps(found)}\n")
    elif form is Format.CSV:
        terminal.write(Answer(_COLUMNS, [tuple(record.values()) for record in records]), form)
    else:
        _print(store, records, cards, untestable, every)
    return len(cards)


def _order(record: dict[str, Any]) -> tuple[Any, ...]:
    return not record["flag"], record["q"], record["p"]


def _chosen(store: "Store", text: str | None, event: str | None, game: str | None) -> list[int] | None:
    """The match_ids of some matches; None for all."""
    found = ids(chosen_matches(store, text, event, game))
    return None if text is event is game is None else found


def records_of(
    store: "Store", text: str | None = None, event: str | None = None, game: str | None = None
) -> list[dict[str, Any]]:
    """The rows of some matches as programs read them, the flagged and strongest first."""
    from ..analytics.information.evidence import look
    from ..analytics.information.material import materials

    chosen = _chosen(store, text, event, game)
    found = [_records(material, row) for material in materials(store, ids=chosen) for row in look(material)]
    return sorted(found, key=_order)


def _json(record: dict[str, Any]) -> dict[str, Any]:
    return {name: terminal.json_value(value) for name, value in record.items()}


def _hand(name: str | None) -> Target:
    """The hand of a name as `hand_name` writes it."""
    if name is None:
        return None
    match, _, hand = name.partition("#")
    return int(match), int(hand)


def _print(
    store: "Store",
    records: list[dict[str, Any]],
    cards: Sequence[tuple["Material", "Row"]],
    untestable: Sequence[dict[str, str]],
    every: bool,
) -> None:
    print(
        f"Players who use what the rules hide (q < {LEVEL}): {len(cards)} of {terminal.counted(len(records), 'test')}."
    )
    shown = records if every else records[: max(LISTED, len(cards))]
    columns = ("event", "game", "player", "fact", "decisions", "bits", "chips", "95%", "q", "p", "since")
    rows = [
        (
            *(record[name] for name in columns[:7]),
            " to ".join(terminal.minus(f"{record[end]:+.2f}") for end in ("low", "high")),
            record["q"],
            record["p"],
            record["since"],
        )
        for record in shown
    ]
    formats: dict[str, Callable[[Any], str]] = {
        "decisions": terminal.chips,
        "bits": lambda value: f"{value:.4f}",
        "chips": lambda value: terminal.minus(f"{value:+.2f}"),
        **dict.fromkeys(("q", "p"), terminal.chance),
    }
    if rows:
        title = "Do choices depend on hidden facts?"
        faint = columns.index("q")
        minor = terminal.alike(shown, ("game", "event"))
        table = Answer(columns, rows, title, formats, lambda row: row[faint] >= LEVEL, minor=minor)
        terminal.write(numbered(store, table, [_hand(record["since"]) for record in shown]))
    if len(shown) < len(records):
        print(f"{len(shown)} of {len(records)} rows, the strongest first; --all lists every one.")
    for material, row in cards:
        print()
        for line in card(material, row):
            print(terminal.printable(line))
    if untestable:
        print(f"Not tested, for too few decisions: {terminal.counted(len(untestable), 'player')}.")
    terminal.say(_FOOT)


def card(material: "Material", row: "Row") -> list[str]:
    """The lines of a flagged row: what, how strong, since when, hands to look at, innocent explanations."""
    record = _records(material, row)
    chips, low, high = (terminal.minus(f"{value:+.2f}") for value in (row.chips, row.low, row.high))
    return [
        f"{record['player']}, {row.fact.name} ({material.event}, {material.game})",
        f"  honest play: {row.fact.asks}.",
        f"  effect: {row.bits:.3f} bits a decision, {chips} bb/100 ({low} to {high}): {row.fact.chips}.",
        f"  since: {record['since']}",
        *(f"  {hand}: {said}" for hand, said in zip(record["hands"], record["said"], strict=True)),
        f"  exchanged by: {row.fact.law}.",
        f"  other explanations: {'; '.join(record['tried'])}",
    ]


def cards(store: "Store", matches: Sequence[MatchName]) -> list[dict[str, Any]]:
    """For the report's page: each event and game with its rows, those flagged with their sentences and hands."""
    from ..analytics.information.evidence import look
    from ..analytics.information.material import materials

    found = []
    for material in materials(store, ids=ids(matches)):
        rows = look(material)
        found.append(
            {
                "event": material.event,
                "game": material.game,
                "rows": [
                    {
                        **_records(material, row),
                        "asks": row.fact.asks,
                        "counts": row.fact.chips,
                        "law": row.fact.law,
                        "begins": (material.matches[row.since[0]], row.since[1]),
                        "shown": [(material.matches[match], hand, said) for match, hand, said in row.shown],
                    }
                    for row in rows
                ],
            }
        )
    return found
