"""The detectors together."""

from collections.abc import Iterator
from typing import Final

from ...progress import Progress
from . import (
    advance,
    clones,
    coalition,
    folds,
    hidden_cards,
    kingmaking,
    koper,
    signals,
    soft_play,
    transfer,
    trigger,
)
from .evidence import Evidence, judged
from .material import Material
from .study import Study
from .value import valued

COMPARES: Final = {
    transfer.NAME: "bb a hand that PLAYER loses while WITH is in beyond its usual play in the same spots; against what "
    "it loses this way to others, or at tables without WITH",
    soft_play.NAME: "bb a hand that both forgo by missing bets and raises that would have won, in both directions; "
    "against what they forgo this way to others",
    hidden_cards.NAME: "do PLAYER's bets and folds follow cards of WITH that it cannot see; against other cards in "
    "the same situation, and other opponents; effect: bb a hand gained beyond its usual play",
    folds.NAME: "bb a hand given up by folding strong hands at good odds beyond PLAYER's own rate of it; against its "
    "folds to others",
    kingmaking.NAME: "bb a hand that PLAYER loses to WITH, who wins the event, beyond what it loses to the second",
    signals.NAME: "does PLAYER fold to raises of WITH that end in one digit; against WITH's other raises in the same "
    "situation; effect: bb a hand lost beyond its usual play",
    trigger.NAME: "does PLAYER begin to lose to WITH at some hand of a match; against the same hands in another "
    "order, and other opponents; effect: bb a hand lost in all",
    advance.NAME: f"bb a hand that PLAYER gains in the first {advance.EARLY} hands of a match beyond its usual play; "
    "against those with others",
    clones.NAME: "the share of their hands, 0 to 1, in which either could be playing as the other; against all other "
    "pairs",
    coalition.NAME: "bb a hand that PLAYER's decisions do for WITH beyond its usual play; against tables without WITH; "
    "where there are none, against what it does for everybody and everybody does for WITH (Koper: buy-ins a game)",
}
"""What each detector compares, PLAYER with WITH, and the unit of its effect."""

OF_TWO: Final = (transfer, soft_play, hidden_cards, folds, kingmaking, signals, trigger, advance)
"""Those that look at a game of two, beside the clones."""


def look(material: Material, seed: int = 0, progress: Progress | None = None) -> list[Evidence]:
    """All evidence about one event and game, the strongest first; seed: of the permutations."""
    found: dict[str, list[Evidence]] = {}
    steps = len(OF_TWO) + 1 if material.heads_up else 2
    for done, some in enumerate(_steps(material, seed), 1):
        found |= some
        if progress:
            progress(done, steps)
    if progress:
        progress(steps, steps)
    return judged(found)


def _steps(material: Material, seed: int) -> Iterator[dict[str, list[Evidence]]]:
    """Evidence by detector, as the detectors finish; nothing where nobody decided anything."""
    if not len(material.decisions):
        return
    if isinstance(material, koper.KoperMaterial):
        yield koper.look(material, seed)
        return
    if material.heads_up:
        study = Study(material, valued(material), len(OF_TWO) + 1, seed)
        for detector in OF_TWO:
            yield {detector.NAME: detector.look(study)}
    else:
        yield coalition.look(material, seed)
    yield {clones.NAME: clones.look(material)}
