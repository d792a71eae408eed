"""The detectors together."""

from collections.abc import Callable
from typing import Final

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

Progress = Callable[[int, int], None]


def look(material: Material, seed: int = 0, progress: Progress | None = None) -> list[Evidence]:
    """All evidence about one event and game, the strongest first; seed: of the permutations."""
    found: dict[str, list[Evidence]] = {}
    steps = len(OF_TWO) + 1 if material.heads_up else 2

    def told(step: int) -> None:
        if progress:
            progress(step, steps)

    if not len(material.decisions):
        pass
    elif isinstance(material, koper.KoperMaterial):
        found = koper.look(material, seed)
    elif material.heads_up:
        study = Study(material, valued(material), len(OF_TWO) + 1, seed)
        for place, detector in enumerate(OF_TWO):
            found[detector.NAME] = detector.look(study)
            told(place + 1)
        found[clones.NAME] = clones.look(material)
    else:
        found = coalition.look(material, seed)
        told(1)
        found[clones.NAME] = clones.look(material)
    told(steps)
    return judged(found)
