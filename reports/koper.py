"""How Koper's figures are read and written: means over games, and folds and bets by the equity told."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ..analytics.views import over_matches
from .answers import MatchName, ids, rows_of
from .figures import brief_interval
from .terminal import chips, percent

if TYPE_CHECKING:
    from ..analytics.store import Store

_SHARES: Final = frozenset({"win_prob_folded", "win_prob_bet", "cap_use"})
_CHIPS: Final = frozenset({"bet_1", "redistributed"})
KEY_MEANS: Final = {
    "bet_1": ("bet of round 1", "mean bet of round 1 where the player bet, chips"),
    "step_2": ("bet 2 / bet 1", "mean of bet 2 / bet 1, from 0.5 to 1.5 but for players out of chips"),
    "step_3": ("bet 3 / bet 2", "mean of bet 3 / bet 2, from 0.75 to 1.25 but for players out of chips"),
    "cap_use": ("cap use", "mean at a showdown of min(pot, winning cap) / pot"),
}
"""Those of the overview: a heading, and what they are."""

_MEANS: Final = f"select * from ({over_matches('koper_tendencies', 'koper_history')}) order by place"
_FOLDS: Final = f"""
    select *, tenth_name(chance_bin) as chance from ({over_matches("koper_folds", "koper_history")})
    order by chance_bin
"""


def figure(statistic: str, value: float | None) -> str:
    """A mean of `koper_tendencies`: a share in percent, chips, else a ratio."""
    if value is None:
        return "–"
    if statistic in _SHARES:
        return percent(value)
    return chips(value) if statistic in _CHIPS else f"{value:.2f}"


def ends(statistic: str, low: float | None, high: float | None) -> str:
    """Its 95% interval; nothing where there is none."""
    if low is None or high is None:
        return ""
    if statistic in _SHARES:
        return brief_interval(low, high, 1)
    return f"{figure(statistic, low)}–{figure(statistic, high)}"


def means(store: "Store", matches: Sequence[MatchName]) -> list[dict[str, Any]]:
    """Rows of `koper_tendencies` over some matches, with the game."""
    return _of_game(store, matches, _MEANS)


def folds(store: "Store", matches: Sequence[MatchName]) -> list[dict[str, Any]]:
    """Rows of `koper_folds` over some matches, with the game and the bin's name, `chance`."""
    return _of_game(store, matches, _FOLDS)


def _of_game(store: "Store", matches: Sequence[MatchName], query: str) -> list[dict[str, Any]]:
    games: dict[str, list[MatchName]] = {}
    for match in matches:
        if match.rules.simultaneous:
            games.setdefault(match.game, []).append(match)
    return [
        row | {"game": game}
        for game, chosen in games.items()
        for row in rows_of(store, query, ids=ids(chosen))
    ]
