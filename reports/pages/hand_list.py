"""The list of a match's hands, which its page filters as `railbird hands` does: a file that the page's script loads.

The file has the facts that the command's conditions ask for, by the views that it asks: the page compares, and works
nothing out. So a list and the command find the same hands.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...analytics.found_hands import MOVES, SITUATIONS
from ...analytics.views import queries
from ..matches import MatchName, ids
from .matches import FOLDER, packed

if TYPE_CHECKING:
    from ...analytics.store import Store

LIST: Final = "list"
"""The name of a match's file, which lies with those of its hands."""
LISTED_HANDS: Final = 20_000
"""The most hands of a match that its list has."""
SHOWN_HANDS: Final = 200
"""Hands that a page shows at once."""


@dataclass(frozen=True)
class HandList:
    """What the form on a match's page offers: words that occur in some hand.

    hands  how many the list has; all hands of the match but for LISTED_HANDS
    """

    hands: int
    moves: list[str]
    situations: list[str]


def write_lists(
    store: "Store", matches: Sequence[MatchName], out: Path, public: bool = False
) -> dict[int, HandList]:
    """Write the lists of some matches below `out`, whose folders are there; what each offers, by match_id.

    public: without situations that rest on hidden cards
    """
    some, asked = ids(matches), queries("listed")
    units = dict(
        store.execute("select match_id, unit from matches where among(match_id, $ids)", ids=some).fetchall()
    )

    def found(name: str) -> dict[tuple[int, int], list[str]]:
        rows = store.execute(asked[name], ids=some, most=LISTED_HANDS).fetchall()
        return {(match, hand): sorted(texts) for match, hand, texts in rows}

    moves = found("moves")
    situations = found("betting")
    if not public:
        for key, texts in found("cards").items():
            situations[key] = sorted({*situations.get(key, ()), *texts})
    hands: dict[int, list[str]] = {match: [] for match in some}
    said: dict[int, tuple[set[str], set[str]]] = {match: (set(), set()) for match in some}
    for match, index, *facts, seats in store.execute(
        f"select * from ({asked['hands']}) order by match_id, hand_index", ids=some, most=LISTED_HANDS
    ).fetchall():
        lists = moves.get((match, index), []), situations.get((match, index), [])
        for words, texts in zip(said[match], lists, strict=True):
            words.update(json.loads(text)[2] for text in texts)
        own = ",".join(f"[{','.join(texts)}]" for texts in (seats, *lists))
        hands[match].append(f"[{index},{json.dumps(facts, default=float)[1:-1]},{own}]")
    made = {}
    for one in matches:
        rows = hands[one.match_id]
        head = json.dumps(_about(one, units[one.match_id]))
        body = packed(f'{{"match":{head},"hands":[{",".join(rows)}]}}')
        path = out / FOLDER / one.address / f"{LIST}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'railbird("{one.address}","{LIST}","{body}");\n', encoding="utf-8")
        did, situated = said[one.match_id]
        order = [*MOVES, *sorted(did - {*MOVES})]
        made[one.match_id] = HandList(
            len(rows),
            [word for word in order if word in did],
            [word for word in SITUATIONS if word in situated],
        )
    return made


def _about(match: MatchName, unit: float | None) -> dict[str, Any]:
    return {"streets": match.rules.streets, "players": match.labels, "names": match.players, "unit": unit}
