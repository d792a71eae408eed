"""Records of every kind damaged by chance: a damaged line costs its hand, and nothing fails or is silently lost.

The suite tries a few damages of one seed; `make fuzz-records` tries others for as many seconds as it is given.
"""

from pathlib import Path

import pytest
from support.damage import DAMAGES, FILES, LOCAL, sample, stored, tried

SEED = 33


@pytest.mark.parametrize("kind", FILES)
def test_damage_costs_what_is_damaged(kind: str, corpus: Path, tmp_path: Path) -> None:
    plain = stored(corpus, kind, sample(corpus, kind), tmp_path / "plain")
    assert plain.hands.total() > 0
    # Of each kind another damage of one line, and others.
    place, others = list(FILES).index(kind), [*(DAMAGES.keys() - LOCAL.keys())]
    others.sort()
    some = [list(LOCAL)[place % len(LOCAL)], others[place % len(others)]]
    found = {}
    for number, damage in enumerate(some):
        found[damage] = tried(corpus, kind, damage, f"{SEED} {kind}", plain, tmp_path / str(number))
    assert found == dict.fromkeys(some, "")
