"""Huawei's contest of 2015: no-limit hold'em at tables of up to eight, with chips in reserve.

Neither the server nor its rules are published: the rules here are those that hold in the logs, and that players tell.
"""

import re
from typing import Final

from ..parsers.dialect import Dialect
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import whole_pots
from .properties import Properties, Variant

_NAME: Final = "huawei-2015"


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers import huawei as h

    return (
        Dialect(
            h.NAME,
            _NAME,
            h.REPLAY,
            h.cut,
            opens=h.HAND_LINE,
            closes=h.CLOSES,
            dense=2,
            beside=((re.compile(rb"Pid, Money, HandNum, "), "the final table of a server"),),
        ),
        Dialect(h.NAME_OF_LOG, _NAME, h.LOG, h.cut_log, opens=h.HAND_LINE_OF_LOG, closes=h.CLOSES, dense=2),
    )


_DEVIATIONS: Final = tuple(
    Deviation(f"{_NAME}.{name}", kind, "", "", effect)
    for name, kind, effect in (
        (
            "asked-though-nothing-is-open",
            "legality",
            "a player with nothing to call is asked although all others are all-in; chips that it bets are returned",
        ),
        (
            "blind-all-in-is-asked",
            "legality",
            "a player whose last chips went into a blind or a raise is asked again, and may fold",
        ),
        (
            "raise-not-reopened",
            "legality",
            "a player who has acted raises again after an all-in raise below the minimum",
        ),
        (
            "folded-money-to-the-main-pot",
            "pay",
            "what a folded player put in above an all-in is won with the pot of that all-in, not with the next",
        ),
        (
            "odd-chip-to-the-last",
            "pay",
            "the chips of a pot that do not divide go to the last winner after the dealer, not to the first",
        ),
        ("odd-chip-dropped", "pay", "the chips of a pot that do not divide are paid to nobody"),
    )
)

GAME: Final = Game(
    name=_NAME,
    stack=2000,
    blinds=(20, 40),
    streets=HOLDEM_STREETS,
    source="logs of the contest's server, versions 1.24 to 1.31",
    players=(2, 8),
    deviations=_DEVIATIONS,
    profiles=(Profile("2015-05", tuple(d.name for d in _DEVIATIONS), frozenset({"totals"})),),
    free_folds=True,
    returns="never",
    carries=True,
    deals_from=1,
    reserves=True,
    blinds_of_two=1,
    all_may_fold=True,
    fault_folds=True,
    full_raises_reopen=True,
    family=whole_pots,
)

PROPERTIES: Final = Properties(
    game=_NAME,
    title="Huawei's contest (2015)",
    players=None,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
)

VARIANT: Final = Variant(GAME, PROPERTIES, dialects)
