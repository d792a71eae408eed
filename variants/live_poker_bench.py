"""Hold'em of live-poker-bench: tournaments of five language models, whose blinds double every twenty hands."""

import re
from typing import Final

from ..parsers.dialect import Dialect
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import tables
from .properties import Properties, Variant

_NAME: Final = "live-poker-bench"


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers.dialect import Records, no_cut
    from ..parsers.table_lines import CLOSES, GRAMMAR, OPENS

    signs = b'"hand_number"', b'"button_seat"', b'"pots_awarded"'
    records = Records("document", signs, "live_poker_bench", together=True)
    beside = (
        (re.compile(rb'\s*\{\s*"seed"\s*:\s*\d+\s*,\s*"num_players"'), "the setting of a tournament"),
        (re.compile(rb'\s*\{\s*"run_number"\s*:'), "the results of a tournament"),
    )
    return (
        Dialect(
            "live-poker-bench",
            _NAME,
            GRAMMAR,
            no_cut,
            opens=OPENS,
            closes=CLOSES,
            records=records,
            beside=beside,
        ),
    )


_DEVIATIONS: Final = tuple(
    Deviation(f"{_NAME}.{name}", kind, "", "", effect)
    for name, kind, effect in (
        (
            "dead-money-lost",
            "pay",
            "once somebody is all-in, what folded players put in is paid to nobody or twice: the stacks of the next "
            "hand are not what the rules pay",
        ),
        (
            "side-pots-not-written",
            "log",
            "the hand's record divides the whole pot among the best hands, even if there are side pots",
        ),
        (
            "short-big-blind",
            "legality",
            "if the big blind is all-in for less, nobody faces a bet and the wrong seat begins",
        ),
        (
            "asked-though-nothing-is-open",
            "legality",
            "a player with nothing to call is asked although all others are all-in",
        ),
    )
)

GAME: Final = Game(
    name=_NAME,
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="hands of the tournaments with the seeds 12398 to 12407",
    players=(2, 10),
    deviations=_DEVIATIONS,
    profiles=(Profile("2026", tuple(d.name for d in _DEVIATIONS)),),
    free_folds=True,
    carries=True,
    family=tables,
)

PROPERTIES: Final = Properties(
    game=_NAME,
    title="live-poker-bench",
    players=None,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
)

VARIANT: Final = Variant(GAME, PROPERTIES, dialects)
