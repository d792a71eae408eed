"""Poker AI 2025 and 2026 (CMU): 27 cards of three suits, of which players throw some away. Logs are tables (CSV)."""

import re
from typing import Final

from ..parsers.dialect import Dialect
from ..replay.games import HOLDEM_STREETS, POT_BY_ORDER, Deviation, Game, Profile
from ..replay.orders import HandOrder
from ..replay.replaying import heads_up
from .properties import DECISIONS, Properties, Variant

_NAME: Final = "cmu-2025"
_LATER: Final = "cmu-2026"
_STACK: Final = 100
_KEPT: Final = 2
_DEALT: Final = 5
_REDRAWS: Final = 2
"""Streets on which a player may replace a card."""
_RANKS: Final = "23456789A"
_SUITS: Final = "dhs"
_ORDER: Final = f"{_NAME}.hand-order"
_DOUBLED: Final = "{}.doubled-minimum-raise"
_OPEN: Final = f"{_NAME}.small-blind-call-leaves-street-open"
_NO_OPTION: Final = f"{_NAME}.no-option-for-the-big-blind"
_LAST_CHIP: Final = f"{_NAME}.last-chip-raise-refused"


def _doubled(game: str, since: str, until: str = "") -> Deviation:
    return Deviation(
        _DOUBLED.format(game),
        "legality",
        since,
        until,
        "a raise of at least the last raise, but of less than the last raiser has put in on the street, is a fold",
    )


GAME: Final = Game(
    name=_NAME,
    stack=_STACK,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the rules and the engine of 2025",
    deviations=(
        Deviation(_ORDER, "pay", "2024-12-10", "2025-03-22", "6 7 8 9 A is no straight"),
        _doubled(_NAME, "2024-12-10"),
        Deviation(
            _OPEN,
            "legality",
            "2024-12-10",
            "2025-03-23",
            "a call of the small blind does not end the first street: the big blind acts again",
        ),
        Deviation(
            _NO_OPTION,
            "legality",
            "2024-12-10",
            "2025-03-21",
            "in odd hands the big blind is not asked after a limp",
        ),
        Deviation(
            _LAST_CHIP,
            "legality",
            "2024-12-10",
            "2025-03-22",
            "a bet of the last chip on a new street, which the player is told to be possible, is a fold",
        ),
    ),
    profiles=(
        Profile("2024-12-10", (_ORDER, _DOUBLED.format(_NAME), _OPEN, _NO_OPTION, _LAST_CHIP)),
        Profile("2025-03-21", (_ORDER, _DOUBLED.format(_NAME), _OPEN, _LAST_CHIP)),
        Profile("2025-03-22", (_DOUBLED.format(_NAME), _OPEN)),
        Profile("2025-03-23", (_DOUBLED.format(_NAME),)),
    ),
    payout=POT_BY_ORDER,
    redraws=_REDRAWS,
    free_folds=True,
    order=HandOrder(ace_as="T"),
    engine_order=HandOrder(ace_as="A"),
    deck=(_RANKS, _SUITS),
    rows=True,
    dealer_leads=True,
    family=heads_up,
)

LATER: Final = Game(
    name=_LATER,
    stack=_STACK,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the rules and the engine of 2026",
    deviations=(_doubled(_LATER, "2026-02-12"),),
    profiles=(Profile("2026-03-09", (_DOUBLED.format(_LATER),)),),
    hole_cards=_DEALT,
    free_folds=True,
    order=HandOrder(ace_as="T"),
    deck=(_RANKS, _SUITS),
    rows=True,
    keeps=_KEPT,
    family=heads_up,
)

_UNREAD: Final = (
    (
        re.compile(rb"\{\\rtf"),
        "rich text of a word processor: export it as plain text, and railbird may read it",
    ),
    (
        re.compile(rb"# Team 0: .*, Team 1: |hand_number,street,active_team,"),
        "a table of CMU's Poker AI with other columns than those of 2025 and 2026",
    ),
)


def _dialect(keeps: bool) -> Dialect:
    """Loaded when a text is none of MIT's."""
    from ..parsers import cmu_table as table

    return Dialect(
        table.NAME_OF_KEEPS if keeps else table.NAME,
        _LATER if keeps else _NAME,
        table.GRAMMAR_WITH_KEEPS if keeps else table.GRAMMAR,
        table.cut,
        opens=table.CELL,
        closes=b"', '",
        header=(table.COLUMNS_WITH_KEEPS if keeps else table.COLUMNS).encode(),
        unread=() if keeps else _UNREAD,
        in_lines=True,
    )


def _properties(game: Game, title: str) -> Properties:
    return Properties.of(
        game,
        title,
        decisions=(*DECISIONS, "discard"),
        suits=None,
        ranks=None,
        first_hand_no=0,
        own_rules=game.keeps > 0,
    )


VARIANTS: Final = (
    Variant(GAME, _properties(GAME, "Redraw of a card (CMU 2025)"), lambda: (_dialect(keeps=False),)),
    Variant(LATER, _properties(LATER, "Two of five cards (CMU 2026)"), lambda: (_dialect(keeps=True),)),
)
