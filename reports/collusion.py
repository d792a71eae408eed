"""The output of `railbird collusion`: pairs whose play shows signs of collusion, and the hands to look at."""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import starmap
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from ..analytics.players import check_event
from ..analytics.settings import LEVEL
from ..progress import Progress
from . import Format, terminal
from .matches import hand_name
from .terminal import Answer

if TYPE_CHECKING:
    from ..analytics.collusion.evidence import Evidence
    from ..analytics.collusion.material import Material
    from ..analytics.store import Store

_COLUMNS: Final = (
    "event",
    "game",
    "detector",
    "player",
    "other",
    "q",
    "q_within",
    "p",
    "score",
    "effect",
    "effect_low",
    "effect_high",
    "measures",
    "hands",
    "evidence",
    "alike",
    "explained_by",
    "note",
)

_HANDS: Final = 2
"""Hands, or pairs of hands, that a table row names."""


class _Course:
    """One progress bar for reading and testing hands, event after event; each hand counts once for each."""

    def __init__(self) -> None:
        self.progress: Progress | None = None
        self.read, self.looked, self.all = 0, 0, 0

    def reading(self, done: int, total: int) -> None:
        """Report hands that were read."""
        self.read, self.all = done, total
        self._tell(0)

    def looking(self, done: int, total: int) -> None:
        """Report detectors that are done with the hands read last."""
        self._tell((self.read - self.looked) * done // total)
        if done == total:
            self.looked = self.read

    def _tell(self, looked: int) -> None:
        if self.progress:
            self.progress(self.read + self.looked + looked, 2 * self.all)


def _row(material: "Material", found: "Evidence") -> tuple[object, ...]:
    names = material.players
    hands = [hand_name(material.matches[match], hand) for match, hand in found.carrying]
    explained, measures = (
        [f"{what}: {value:.3g}" for what, value in said] for said in (found.explanations, found.measures)
    )
    return (
        material.event,
        material.game,
        found.detector,
        names[found.one],
        names[found.other],
        found.q_all,
        found.q,
        found.p,
        found.score,
        found.effect,
        *(None if math.isnan(found.margin) else found.effect + way * found.margin for way in (-1, 1)),
        measures,
        found.hands,
        hands,
        [
            [*(hand_name(material.matches[match], hand) for match, hand in pair[:2]), pair.did]
            for pair in found.alike
        ],
        explained,
        found.note,
    )


def _said(material: "Material") -> str:
    seats = material.seats.shape[1]
    tables = "" if seats == 2 else f", {seats} at a table"
    return f"{terminal.printable(material.event)}, {material.game}: {len(material.players)} players{tables}"


def untestable(material: "Material") -> str:
    """Why no pair can be tested."""
    if not len(material.decisions):
        return "no decisions in these hands"
    if material.seats.shape[1] == 2:
        return "each player meets only one other, so its play against others is unknown"
    return (
        "all players always sit together, so play without one of them is unknown; detectors need at least four "
        "players who are not all at every table"
    )


def print_evidence(
    store: "Store",
    event: str | None,
    every: bool,
    seed: int,
    form: Format,
    looking: Callable[[], AbstractContextManager[Progress]],
) -> int:
    """Print the evidence for each event and game; returns the number of rows with q below `LEVEL`.

    every: all pairs of all detectors, not only those and the next strongest. As CSV or JSON every row comes anyway.
    looking: shows the progress; it is closed before a line is printed.
    """
    from ..analytics.collusion.detectors import look, materials

    if event is not None:
        check_event(store, event)
    flagged, rows, seen = 0, [], 0
    course = _Course()
    detectors: set[str] = set()
    read = materials(store, event, course.reading)
    while True:
        with looking() as course.progress:
            material = next(read, None)
            if material is None:
                break
            evidence = look(material, seed, course.looking)
        seen += 1
        strong = [found for found in evidence if found.q_all < LEVEL]
        flagged += len(strong)
        if form is not Format.TABLE:
            rows += [_row(material, found) for found in evidence]
            continue
        if not evidence:
            _print(f"{_said(material)}: no pair tested: {untestable(material)}.")
            continue
        shown = evidence if every else strong or evidence[:1]
        detectors |= {found.detector for found in shown}
        _print_table(material, shown, len(evidence), len(strong))
    if form is not Format.TABLE:
        terminal.write(Answer(_COLUMNS, rows), form)
    elif not seen:
        held = store.execute("select distinct game from matches order by game").fetchall()
        _print(
            "The detectors read none of the games here. They read games with one board and hole cards that stay "
            "as dealt, and games in which all bet at once. The store holds "
            f"{', '.join(game for (game,) in held) or 'no match'}."
        )
    else:
        _print_legend(detectors)
    return flagged


def _print(line: str, indent: int = 0) -> None:
    """Print a line of prose, broken between words; later lines are indented."""
    width = terminal.console().width
    print("\n".join(wrap(line, width - 1, subsequent_indent=" " * indent, break_on_hyphens=False)) or line)


_FOOT: Final = (
    "Evidence, not a verdict. p: how often honest play would show as much, by permutation. q: the share of false "
    "alarms to expect among rows with such a q, over all detectors and pairs. 95%: of the effect of this pair by "
    "itself, over blocks of hands (Koper: card sets); it does not allow for the pair being picked, q does. Clones have "
    "none. Hands: those in which the two met; of clones those of the one who has fewer.",
    "docs/collusion.md says what each detector compares and how reliable it is; `railbird replay HAND` opens a hand.",
)


def _print_legend(detectors: set[str]) -> None:
    from ..analytics.collusion.detectors import COMPARES

    for name, said in COMPARES.items():
        if name in detectors:
            _print(f"{name}: {said}.", 2)
    for line in _FOOT:
        _print(line)


def explained(what: str, value: float) -> str:
    """An innocent explanation with the result of its test."""
    return f"{what}: {terminal.minus(f'{value:.3g}')}"


def _details(material: "Material", found: "Evidence") -> list[str]:
    """The lines below the table that explain one of its rows."""

    def named(hand: tuple[int, int]) -> str:
        return hand_name(material.matches[hand[0]], hand[1])

    lines = [
        f"{named(pair.one)} and {named(pair.other)}: each {pair.did}, as few others there"
        for pair in found.alike[:_HANDS]
    ]
    if not found.alike and found.carrying:
        lines.append(f"strongest hands: {', '.join(map(named, found.carrying[:_HANDS]))}")
    if found.note:
        lines.append(found.note)
    if found.explanations:
        lines.append(f"other explanations: {'; '.join(starmap(explained, found.explanations))}")
    return lines


def _print_table(material: "Material", shown: "list[Evidence]", tests: int, strong: int) -> None:
    title = f"{_said(material)}, {tests} tests, {strong} with q < {LEVEL}"
    looked, played = int(material.hands.sum()), int(material.played.sum())
    if looked < played:
        title += f"; {looked:,} of {played:,} hands analysed"
    names = material.players
    rows = [
        (
            place,
            found.detector,
            names[found.one],
            names[found.other],
            found.q_all,
            found.p,
            found.effect,
            interval(found),
            found.hands,
        )
        for place, found in enumerate(shown, 1)
    ]
    columns = ("row", "detector", "player", "with", "q", "p", "effect", "95%", "hands")
    formats: dict[str, Callable[[float], str]] = {
        **dict.fromkeys(("q", "p"), terminal.chance),
        "effect": effect,
        "hands": terminal.chips,
    }
    faint = columns.index("q")
    terminal.write(Answer(columns, rows, title, formats, lambda row: row[faint] >= LEVEL))
    if not strong and shown:
        print("Nothing beyond chance; strongest row first.")
    for place, found in enumerate(shown, 1):
        for line in _details(material, found):
            _print(f"{place}: {terminal.printable(line)}", len(str(place)) + 2)
    print()


def effect(value: float) -> str:
    """The effect of a row: +0.366."""
    return terminal.minus(f"{value:+.3f}")


def interval(found: "Evidence") -> str:
    """The 95% interval of the effect: +0.290 to +0.441; empty if it has none."""
    if math.isnan(found.margin):
        return ""
    return f"{effect(found.effect - found.margin)} to {effect(found.effect + found.margin)}"
