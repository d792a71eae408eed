"""What `railbird collusion` prints: pairs that behave as if they shared more than a table, and the hands to look at."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ..analytics.people import check_event
from ..analytics.thresholds import LEVEL
from ..progress import Progress
from . import Format, terminal
from .answers import hand_name
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
    "measures",
    "hands",
    "evidence",
    "explained_by",
    "note",
)


class _Course:
    """One bar for hands that are read and then looked at, event after event: each hand counts once for either."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress, self.read, self.looked, self.all = progress, 0, 0, 0

    def reading(self, done: int, total: int) -> None:
        """So many hands of all are read."""
        self.read, self.all = done, total
        self._tell(0)

    def looking(self, done: int, total: int) -> None:
        """So many detectors have looked at what was read last."""
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
        measures,
        found.hands,
        hands,
        explained,
        found.note,
    )


def _said(material: "Material") -> str:
    return f"{terminal.printable(material.event)}, {material.game}: {len(material.players)} players"


def _small(value: float) -> str:
    return f"{value:.1g}" if value < 0.001 else f"{value:.3f}"


def print_evidence(
    store: "Store", event: str | None, every: bool, seed: int, form: Format, progress: Progress | None
) -> int:
    """Print the evidence about each event and game; returns how many pairs and detectors are below `LEVEL`.

    every: all pairs of all detectors, not only those and the next strongest. As CSV or JSON every row comes anyway.
    """
    from ..analytics.collusion.reading import GAMES, materials
    from ..analytics.collusion.suite import look

    if event is not None:
        check_event(store, event)
    flagged, rows, seen = 0, [], 0
    course = _Course(progress)
    for material in materials(store, event, course.reading):
        evidence = look(material, seed, course.looking)
        seen += 1
        strong = [found for found in evidence if found.q_all < LEVEL]
        flagged += len(strong)
        if form is not Format.TABLE:
            rows += [_row(material, found) for found in evidence]
            continue
        if not evidence:
            print(f"{_said(material)}: too few players to compare anybody with himself elsewhere.")
            continue
        shown = evidence if every else strong or evidence[:1]
        _print_table(material, shown, len(evidence), len(strong))
    if form is not Format.TABLE:
        terminal.write(Answer(_COLUMNS, rows), form)
    elif not seen:
        print(f"No match here is of a game that is looked at: {', '.join(GAMES)} or one of the ACPC.")
    else:
        print(_FOOT)
    return flagged


_FOOT: Final = (
    "Evidence, not a verdict: q is the share of false alarms to expect among rows with such a q, over all detectors.\n"
    "docs/collusion.md says what each detector looks at and how well it tells; `railbird replay HAND` opens a hand."
)


def _print_table(material: "Material", shown: "list[Evidence]", tests: int, strong: int) -> None:
    title = f"{_said(material)}, {tests} tests, {strong} with q < {LEVEL}"
    looked, played = int(material.hands.sum()), int(material.played.sum())
    if looked < played:
        title += f"; {looked:,} of {played:,} hands looked at"
    names = material.players
    rows = [
        (
            found.detector,
            names[found.one],
            names[found.other],
            found.q_all,
            found.p,
            found.effect,
            found.hands,
            " ".join(hand_name(material.matches[match], hand) for match, hand in found.carrying[:2]),
            "; ".join([*(f"{what}: {value:.3g}" for what, value in found.explanations), found.note]).rstrip(
                "; "
            ),
        )
        for found in shown
    ]
    columns = (
        "detector",
        "player",
        "with",
        "q",
        "p",
        "effect",
        "hands",
        "hand",
        "what else would explain it",
    )
    formats: dict[str, Callable[[float], str]] = {"q": _small, "p": _small, "effect": "{:+.3f}".format}
    faint = 3
    terminal.write(Answer(columns, rows, title, formats, lambda row: row[faint] >= LEVEL))
    if not strong and shown:
        print("Nothing beyond chance; the strongest row is shown.")
