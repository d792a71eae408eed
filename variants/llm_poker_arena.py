"""llm-poker-arena: language models play no-limit hold'em at a table of six, each hand with 10,000 chips.

The rules are those of PokerKit, to which the arena gives the players in the fixed order of their seats: after the flop
the lowest seat begins, wherever the button is.
"""

from typing import Final

from ..parsers.dialect import Dialect, Holds, Records, no_cut
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import tables
from .properties import Properties, Variant

_NAME: Final = "llm-poker-arena"


def dialects() -> tuple[Dialect, ...]:
    """Loaded when a log of another engine than MIT's is read."""
    from ..parsers import table_lines as t

    private = Records("lines", (b'"hole_cards"', b'"net_pnl"', b'"button_seat"'), "llm_arena")
    public = Records("lines", (b'"street_events"', b'"hand_started"'), "llm_arena_public")
    return (
        Dialect(
            "llm-poker-arena-private",
            _NAME,
            t.GRAMMAR,
            no_cut,
            opens=t.OPENS,
            closes=t.CLOSES,
            beside=(
                (Holds(b'"view_at_turn_start"', blanks=False), "what each model saw and thought"),
                (Holds(b'"agent_config_per_seat"'), "the models and sums of a session"),
                (Holds(b'"max_utility_calls"'), "how a session is set up"),
                (Holds(b'"api_error"', blanks=False), "hands dropped because a model failed"),
            ),
            records=private,
            views=True,
        ),
        Dialect(
            "llm-poker-arena-public",
            _NAME,
            t.GRAMMAR,
            no_cut,
            opens=t.OPENS,
            closes=t.CLOSES,
            records=public,
            views=True,
        ),
    )


_DEVIATIONS: Final = tuple(
    Deviation(f"{_NAME}.{name}", kind, "", "", effect)
    for name, kind, effect in (
        (
            "turn-order",
            "legality",
            "after the flop the lowest seat acts first, not the next after the button",
        ),
        (
            "showdown-flag-missing",
            "log",
            "no cards are shown if the last bet was called or checked, although the best hand is paid",
        ),
    )
)

GAME: Final = Game(
    name=_NAME,
    stack=10_000,
    blinds=(50, 100),
    streets=HOLDEM_STREETS,
    source="llm-poker-arena over PokerKit",
    players=(2, 10),
    family=tables,
    deviations=_DEVIATIONS,
    profiles=(Profile("2026-04", tuple(d.name for d in _DEVIATIONS)),),
)

PROPERTIES: Final = Properties(
    game=_NAME,
    title="llm-poker-arena",
    players=None,
    most_chips_win=False,
    final_is_delta=False,
    bankrolls=False,
)

VARIANT: Final = Variant(GAME, PROPERTIES, dialects)
