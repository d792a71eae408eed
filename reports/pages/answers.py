"""The first block of a match's page and of a player's: the answers in words, each with its figures and its hands."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...analytics.players import Player
from ...analytics.views import queries
from ...variants.properties import Properties
from ..exploit import habits, sentence
from ..matches import MatchName, Row, ids, rows_of, some_at_a_time
from ..plots import Curve
from ..replayer import ended_on
from ..terminal import counted
from ..why import reason_said, shortened

if TYPE_CHECKING:
    from ...analytics.exploit.leaks import Leak
    from ...analytics.store import Store

SHOWN_LEAKS: Final = 5
SHOWN_HANDS: Final = 3
LEAKS_MOST: Final = 8
"""Players of a report whose leaks are priced, those with the most hands first."""
LEAK_HANDS: Final = 30_000
"""Hands in all that are read for leaks."""

_ENDED: Final = {
    "showdown": "that came to a showdown",
    "others folded": "in which the others folded",
    "folded": "that it folded",
}


@dataclass(frozen=True)
class MatchAnswer:
    """What a match comes to.

    row    the winner's, of view `results`; None of a match that nobody won
    sure   a sentence on the winner's interval
    luck   chips that the winner won without the luck of the cards, and the ends of their 95% interval; None if unknown
    where  the rows of query `match/parts` that say where the winner's chips came from, each with words
    pots   the largest pots
    """

    row: Row | None
    sure: str
    luck: tuple[float, float, float] | None
    where: list[tuple[str, Row]]
    pots: list[Row]


def match_answer(
    match: MatchName, rows: Mapping[str, list[Row]], curve: Curve, public: bool = False
) -> MatchAnswer:
    """The answer from what the page of the match shows.

    public: without the luck of the cards, which is published for whole blocks of hands only
    """
    won = winner(rows["results"])
    pots = rows["pots"][:SHOWN_HANDS]
    if won is None:
        return MatchAnswer(None, "", None, [], pots)
    own = [row for row in rows["parts"] if row["seat"] == won["seat"]]
    said = sure_of(won["bb_per_100_low"], won["bb_per_100_high"])
    luck = None if public else _lucky(curve, won["seat"])
    return MatchAnswer(won, said, luck, [*_where(match, own)], pots)


def winner(results: Sequence[Row]) -> Row | None:
    """The row of the only winner; None if there is none."""
    ranked = sorted(results, key=lambda row: -(row["delta"] or 0))
    if len(ranked) < 2 or (ranked[0]["delta"] or 0) <= max(ranked[1]["delta"] or 0, 0):
        return None
    return ranked[0]


def sure_of(low: float | None, high: float | None) -> str:
    """What the 95% interval of winnings says of who is better, as a sentence."""
    if low is None or high is None:
        return "There are too few independent hands or matches to say how sure that is."
    if low <= 0 <= high:
        return "The 95% interval of what it won holds 0, so that may be luck."
    return f"The 95% interval of what it won lies {'above' if low > 0 else 'below'} 0."


def _lucky(curve: Curve, seat: int) -> tuple[float, float, float] | None:
    """What the seat won without the luck of the cards, and the ends of its band; a bankroll may begin with chips."""
    line = curve.lines[seat]
    if not len(line.adjusted) or np.isnan(line.adjusted[-1]) or np.isnan(line.half[-1]):
        return None
    end, half = float(line.adjusted[-1]) - line.opening, float(line.half[-1])
    return end, end - half, end + half


def _where(match: MatchName, parts: Sequence[Row]) -> Iterator[tuple[str, Row]]:
    """The parts of each breakdown that won most, then those that lost most; without parts that contain all hands."""
    parts = [row for row in parts if row["hands"] < match.hands]
    for breakdown in ("street", "end"):
        mine = [row for row in parts if row["part"] == breakdown and row["chips"] > 0]
        if mine:
            best = max(mine, key=lambda row: (row["chips"], row["hands"]))
            yield _said(match.rules, best), best
    lost = [row for row in parts if row["chips"] < 0]
    if lost:
        worst = min(lost, key=lambda row: (row["chips"], row["part"]))
        yield _said(match.rules, worst), worst


def _said(rules: Properties, part: Row) -> str:
    """The hands of a part, as words behind their number."""
    if part["part"] == "end":
        return _ENDED[part["ended"]]
    if part["street"] is None:
        return "without a choice of its own"
    return f"with its last choice {ended_on(rules, part['street'])}"


@dataclass(frozen=True)
class PlayerLeaks:
    """The leaks of a player that a page shows.

    said    (the leak's kind, its sentence, match_id and hand_index of some of its hands), the largest gain first
    reason  why there are none, as a sentence
    """

    said: list[tuple[str, str, tuple[tuple[int, int], ...]]]
    hands: int = 0
    looked: int = 0
    more: int = 0
    reason: str = ""


Who = tuple[str, str, str, int | None]
"""A player: event, game, name, and the seat if one match has the name twice."""


def leaks_of_players(
    store: "Store", matches: Sequence[MatchName], players: Sequence[tuple[Row, Properties]]
) -> dict[Who, PlayerLeaks]:
    """The leaks of those players who are priced, from the matches of two among some matches.

    players  a row of each with person and hands, and the rules of its game

    At most `LEAKS_MOST` players with `LEAK_HANDS` hands in all, those with the most hands first.
    """
    chosen = {match.match_id for match in matches}
    left, found = LEAK_HANDS, {}
    for row, rules in sorted(players, key=lambda one: -one[0]["hands"])[:LEAKS_MOST]:
        who: Who = row["person"]
        made, read = _leaks(store, who, rules, chosen, left)
        if made is not None:
            found[who] = made
        left -= read
    return found


def _leaks(
    store: "Store", who: Who, rules: Properties, chosen: Collection[int], left: int
) -> tuple[PlayerLeaks | None, int]:
    """A player's leaks and the hands that were read; None if it has more hands than are left."""
    from ...analytics.exploit.material import Matches, NoLeaks, priced_matches
    from ...analytics.exploit.search import find_leaks

    player = Player(*who)
    try:
        every = priced_matches(store, player)
        kept = [k for k, match in enumerate(every.ids) if match in chosen]
        matches, hands, seats = ([column[k] for k in kept] for column in every[:3])
        some = Matches(matches, hands, seats, every.larger)
        if not kept:
            return PlayerLeaks([], reason="None of these matches is one of two players."), 0
        if sum(some.hands) > left:
            return None, 0
        leaks = find_leaks(store, player, matches=some)
    except NoLeaks as error:
        return PlayerLeaks([], reason=reason_said(str(error))), 0
    name = shortened(player.name)
    once = habits(leaks.leaks)
    said = [_leak_said(one, name, rules) for one in once[:SHOWN_LEAKS]]
    reason = ""
    if not said:
        looked = counted(leaks.looked, "change")
        none = f"none of {looked} of play has its whole interval above 0" if leaks.looked else "too few hands"
        reason = f"Nothing certain: {none}."
    return PlayerLeaks(said, leaks.hands, leaks.looked, len(once) - len(said), reason), leaks.hands


def _leak_said(leak: "Leak", name: str, rules: Properties) -> tuple[str, str, tuple[tuple[int, int], ...]]:
    return leak.kind, sentence(leak, name, rules), leak.hands[:SHOWN_HANDS]


def losses(store: "Store", matches: Sequence[MatchName]) -> list[dict[str, Any]]:
    """The hands in which each player lost most."""
    place = {match: k for k, match in enumerate(ids(matches))}
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for some in some_at_a_time(matches):
        for row in rows_of(store, queries("player")["losses"], ids=ids(some), most=SHOWN_HANDS):
            who = tuple(row[key] for key in ("event", "game", "player", "namesake_seat"))
            found.setdefault(who, []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: (row["bb"], place[row["match_id"]], row["hand_index"]))
    return [row for rows in found.values() for row in rows[:SHOWN_HANDS]]
