"""Which of some dialects a match is of, by its hands replayed by the rules of each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ..parsers import events
from ..parsers.dialect import Dialect, MatchText
from ..parsers.reading import Pool, read_events
from .outcome import MatchInfo
from .replaying import game_named, replay

_LOOKED_AT: Final = 4 << 20
_RIGHT: Final = ("ok", "engine_deviation")


def recognise(text: bytes, match: MatchText, among: Sequence[Dialect], pool: Pool) -> Dialect:
    """The dialect by which most hands of a match are right; of equals the first."""
    last = text.rfind(b"\n" + among[0].opens, match.body, match.body + _LOOKED_AT)
    if match.end - match.body > _LOOKED_AT and last > match.body:
        match = replace(match, end=last + 1, cut_short=False)
    return max(among, key=lambda dialect: _fit(text, match, dialect, pool))


def _fit(text: bytes, match: MatchText, dialect: Dialect, pool: Pool) -> int:
    """Hands of a match that are right by a dialect, and all of whose lines it has."""
    scanned = read_events(np.frombuffer(text, np.uint8), [match], dialect.grammar, pool)
    replayed = replay(scanned, [match], game_named(dialect.game), pool)
    names = tuple(name.decode("utf-8", "backslashreplace") for name in match.names)
    hands, _ = replayed.tables(scanned, [MatchInfo(0, 0, names, 0)])["hands"]
    right = np.isin(hands["verdict"].to_numpy(), _RIGHT)
    lines = scanned.events.lines[: scanned.first_event[-1]]
    unknown = lines[scanned.events.codes[: len(lines)] == events.UNKNOWN]
    begins = hands["line"].to_numpy()
    in_hand = np.searchsorted(begins, unknown, side="right") - 1
    right[in_hand[in_hand >= 0]] = False
    return int(right.sum())
