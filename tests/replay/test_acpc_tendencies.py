"""The flags of ACPC hands, by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from railbird.replay import records
from railbird.replay.acpc import state as s
from railbird.replay.acpc.tendencies import hand_flags
from railbird.replay.heads_up import tendencies as t

LATER = ~(t.ACTED_PREFLOP | t.VPIP | t.PFR | t.RFI_CHANCE | t.RFI | t.LIMP_CHANCE | t.LIMP)


def flags_of(script: list[tuple[int, int]], streets: int) -> list[int]:
    """Flags by position of a hand of two whose actions before the flop are (position, action)."""
    actions = np.zeros(len(script), s.ACTION)
    for row, (position, action) in zip(actions, script, strict=True):
        row["position"], row["action"], row["origin"], row["level"] = position, action, records.CHOICE, 1
    # What another hand left there: both have checked.
    hand: Any = SimpleNamespace(flags=np.zeros(2, np.int64), checked=np.ones(2, np.int64))
    hand_flags(actions, 0, len(actions), hand, 2, streets)
    found: list[int] = hand.flags.tolist()
    return found


def test_a_hand_without_a_flop_has_no_flags_of_later_streets() -> None:
    script = [(0, records.CALL), (1, records.RAISE), (0, records.FOLD)]
    assert [flags & LATER for flags in flags_of(script, streets=1)] == [0, 0]
    assert all(flags & t.SAW_FLOP for flags in flags_of(script[:2], streets=2))
