"""Bounty's hidden ranks in the opponent file: what the player gave away, what he learnt, and what he did with it.

The estimates are those of `bounty_knowledge` and `bounty_shift`. In a store as another player saw it, what the player
could know is counted from what the other was told (docs/bounty-knowledge.md).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from .people import Player

if TYPE_CHECKING:
    from .store import Store

_USED: Final[Mapping[str, str]] = {
    "street": "street",
    "statistic": "statistic",
    "live_n": "live_opportunities",
    "live_k": "live_successes",
    "live_rate": "live_rate",
    "live_low": "live_low",
    "live_high": "live_high",
    "other_n": "opportunities",
    "other_k": "successes",
    "other_rate": "rate",
    "other_low": "low",
    "other_high": "high",
    "shift": "shift",
    "low": "shift_low",
    "high": "shift_high",
    "blocks": "blocks",
}
"""Columns of `bounty_shift.shifts` and what the document calls them, as the view bounty_shift does."""

_GIVEN: Final[Mapping[str, str]] = {"low": "bits_low", "high": "bits_high"}


def knowledge_of(store: "Store", player: Player, lock: bool) -> dict[str, list[dict[str, Any]]]:
    """Rows about a player's ranks; all numbers with their n and 95% interval.

    lock  only the hands before the lock point of each match

    rank_given_away  by opponent who learned it: the columns of `leaks`, its interval as bits_low and bits_high
    rank_learnt      by opponent whose rank it is: the same
    rank_used        by street and statistic: the columns of `shifts`, named as in the view bounty_shift
    """
    from .bounty_knowledge import leaks
    from .bounty_shift import shifts

    given, learnt = [], []
    for row in leaks(store, lock).to_dicts():
        if row["event"] != player.event:
            continue
        who, seat, other = row.pop("player"), row.pop("seat"), row["opponent"]
        told = {_GIVEN.get(name, name): value for name, value in row.items() if name != "event"}
        if (who, seat) == (player.name, player.seat):
            given.append(told)
        # Two of one name: the row is of the one in the other seat.
        if other == player.name and seat == (None if player.seat is None else 1 - player.seat):
            learnt.append(told | {"opponent": who})
    used = [
        {name: row[column] for column, name in _USED.items()}
        for row in shifts(store, lock).to_dicts()
        if (row["event"], row["player"], row["seat"]) == (player.event, player.name, player.seat)
    ]
    return {"rank_given_away": given, "rank_learnt": learnt, "rank_used": used}
