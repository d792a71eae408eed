"""What the live page shows: who leads, the curves of a competition, and its last faults.

`watch` prints the leaders of the same table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from ..analytics.players import matches_in_order
from ..analytics.views import queries
from .matches import Row, hand_name, name_of, rows_of
from .terminal import counted, printable, signed

if TYPE_CHECKING:
    from ..analytics.store import Store

LINES: Final = 30
"""The most curves of one picture."""
_POINTS: Final = 240
"""About the number of points of a curve; another is drawn at its last hand."""
_FAULTS: Final = 25
_LEADERS: Final = 3
_NAMED: Final = 5
"""The most competitions whose leaders one pass of `watch` prints."""


@dataclass(frozen=True)
class Competition:
    """The players of an event and game, most chips first, as query `live/scoreboard` has them."""

    event: str
    game: str
    players: Sequence[Row]

    @property
    def key(self) -> tuple[str, str]:
        """Its event and game."""
        return self.event, self.game

    @property
    def hands(self) -> int:
        """Hands of the players, added up: each hand counts once for each player."""
        return sum(row["hands"] for row in self.players)

    @property
    def leaders(self) -> str:
        """Who leads, in one line."""
        first, *others = self.players[:_LEADERS]
        tied = [row for row in self.players if row["chips"] == first["chips"]]
        if len(tied) > 1:
            names = " and ".join(_name(row) for row in tied[:_LEADERS])
            more = f" and {len(tied) - _LEADERS} more" if len(tied) > _LEADERS else ""
            return f"{names}{more} lead, {signed(first['chips'])} chips each"
        behind = "".join(f"; {_name(row)} {signed(row['chips'])}" for row in others)
        return f"{_name(first)} leads, {signed(first['chips'])} chips in {counted(first['hands'], 'hand')}{behind}"


def _name(row: Row) -> str:
    return printable(name_of(row["player"], row["seat"]))


def competitions(store: "Store") -> list[Competition]:
    """The competitions of a store, the one with most hands first."""
    rows = rows_of(store, queries("live")["scoreboard"])
    grouped = groupby(rows, key=lambda row: (row["event"], row["game"]))
    return [Competition(event, game, list(found)) for (event, game), found in grouped]


class Leaders:
    """The lines that say who leads; a competition without new hands is not named again."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self._said: dict[tuple[str, str], int] = {}

    def lines(self, found: Sequence[Competition]) -> Iterator[str]:
        """A line for each competition that has other hands than before, those with most hands first."""
        new = [one for one in found if self._said.get(one.key) != one.hands]
        self._said = {one.key: one.hands for one in found}
        for one in new[:_NAMED]:
            yield f"{printable(one.game)}, event {printable(one.event)}: {one.leaders}"
        if len(new) > _NAMED:
            yield f"and {len(new) - _NAMED} more; `railbird standings` has all"


def scoreboard(found: Sequence[Competition]) -> dict[str, Any]:
    """The answer of /api/scoreboard."""
    return {"players": [row for one in found for row in one.players]}


def details(store: "Store", competition: Competition) -> dict[str, Any]:
    """The curves, the last faults and the verdicts of a competition.

    curves    {player, seat, hands, chips, matches, indices}: chips after so many of the player's hands, of at most
              LINES players; the place in `matches` and the hand_index of the hand that was then played
    matches   match_ids as text
    faults    {hand, player, kind, said, file, line}, the last one first; said: the answer or the finding
    verdicts  {verdict, hands}
    """
    rows = matches_in_order(store, competition.event, competition.game)
    chosen = list(dict.fromkeys(row[0] for row in rows))
    shown = competition.players[:LINES]
    curves = rows_of(
        store,
        queries("live")["curve"],
        ids=chosen,
        names=[row["player"] for row in shown],
        seats=[row["seat"] for row in shown],
        points=_POINTS,
    )
    places = {(row["player"], row["seat"]): place for place, row in enumerate(shown)}
    curves.sort(key=lambda row: places[row["player"], row["seat"]])
    matches = {match: k for k, match in enumerate(dict.fromkeys(m for row in curves for m in row["matches"]))}
    for row in curves:
        row["matches"] = [matches[match] for match in row["matches"]]
    faults = [
        {
            "hand": None if row["hand_index"] is None else hand_name(row["match_id"], row["hand_index"]),
            "player": row["player"],
            "kind": row["kind"],
            "said": row["said"],
            "file": PurePath(row["path"] or "").name,
            "line": row["line"],
        }
        for row in rows_of(store, queries("live")["faults"], ids=chosen, most=_FAULTS)
    ]
    verdicts = rows_of(store, queries("overview")["verdicts"], ids=chosen)
    return {"curves": curves, "matches": list(matches), "faults": faults, "verdicts": verdicts}
