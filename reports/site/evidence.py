"""The page of evidence: pairs of players who behave as if they shared more than a table.

It is made only where it is asked for, as it takes long.
"""

from collections.abc import Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Final

from .. import suspicion
from ..answers import MatchName
from .rows import Row

if TYPE_CHECKING:
    from ...analytics.store import Store

SHOWN: Final = 20


def evidence(store: "Store", matches: Sequence[MatchName]) -> list[Row]:
    """For each event and game that is looked at: how many tests, and its strongest rows with the hands that carry them.

    Only events of these matches, but all of their matches. A row has detector, one, other, q, p, effect, interval,
    hands, carrying ((match_id, hand_index), ...), did (by pairs of these what both did), explanations, note; one has
    compares, ((detector, what it compares), ...) of its rows.
    """
    from ...analytics.collusion.detectors import COMPARES, look, materials
    from ...analytics.settings import LEVEL

    known = {match.match_id for match in matches}
    found = []
    for event in sorted({match.event for match in matches}):
        for material in materials(store, event):
            rows = look(material)
            names = material.players
            found.append(
                {
                    "event": material.event,
                    "game": material.game,
                    "players": len(names),
                    "tests": len(rows),
                    "strong": sum(row.q_all < LEVEL for row in rows),
                    "compares": [
                        (name, said)
                        for name, said in COMPARES.items()
                        if name in {row.detector for row in rows[:SHOWN]}
                    ],
                    "rows": [
                        {
                            "detector": row.detector,
                            "one": names[row.one],
                            "other": names[row.other],
                            "q": row.q_all,
                            "p": row.p,
                            "effect": suspicion.effect(row.effect),
                            "interval": suspicion.interval(row),
                            "hands": row.hands,
                            "carrying": [
                                (material.matches[match], hand)
                                for match, hand in row.carrying
                                if material.matches[match] in known
                            ],
                            "did": list(dict.fromkeys(pair.did for pair in row.alike)),
                            "explanations": list(starmap(suspicion.explained, row.explanations)),
                            "note": row.note,
                        }
                        for row in rows[:SHOWN]
                    ],
                }
            )
    return found
