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
