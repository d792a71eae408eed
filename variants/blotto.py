"""Blotto Hold'em (2021): six cards are assigned to three boards, each of which is a pot of its own.

Every revision of the engine, and a team's annotated log of it.
"""

from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.blotto.game import DEALT_CARDS, DEVIATIONS
from ..replay.forward.orders import Order, Played
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import several_boards
from .properties import DECISIONS, Properties, Variant

# Whose lines are those of every year; where several boards are played an action names its board.
_SHARED: Final = (
    *("header", "round", "dealt", "award", "final", "late", "gone", "marker"),
    *("illegal_fold", "illegal_call", "illegal_check", "illegal_raise"),
)

GRAMMAR: Final = Grammar(
    """
    blinds              {p} posts the blind of {n} on each board
    blind               {p} posts the blind of {n}
    assign              {p} assigns [{c}] to board {n}
    assign              {p} assigns [{c}] to board {n}, with EV {*}
    fold                {p} folds on board {n}
    call                {p} calls on board {n}
    check               {p} checks on board {n}
    bet                 {p} bets {n} on board {n}
    raise               {p} raises to {n} on board {n}
    all_in              {p} went all in
    flop                Flop [{c}], ({n}), {p} ({n}), {p} ({n}) on board {n}
    turn                Turn [{c}], ({n}), {p} ({n}), {p} ({n}) on board {n}
    river               River [{c}], ({n}), {p} ({n}), {p} ({n}) on board {n}
    board               Board {n}, ({n})
    show                {p} shows [{c}] on board {n}
    board_won           {p} wins Board {n} net winnings {n}
    board_tied          Tie on Board {n} winnings...
    sweep               {p} sweeps
    table               Table {n}, {p} ({n}), {p} ({n})
    misformatted        {p} response misformatted: {*}
    illegible           {p} response misformatted
    illegal_assign      {p} attempted illegal AssignAction
    illegal_assignment  {p} attempted illegal assignment
    too_few_actions     {p} did not submit 3 actions
    net_raises          {p} attempted net illegal RaiseAction's
    net_sums            {p} attempted net illegal RaiseAction's or CallAction's
    combination         {p} attempted an illegal combination of RaiseAction's and/or CallAction's
    below_minimum       {p} did not meet minimum raise amount on board {n}
    unmatchable         {p} attempted net RaiseAction's which opponent cannot match
    after_end           {p} attempted an action after the round has ended
    """
    + "\n".join(f"{t.event} {t.pattern}" for t in mit.GRAMMAR.templates if t.event in _SHARED)
)

_OF_BOARDS: Final = "assign fold call check bet raise flop turn river show below_minimum"

DIALECT: Final = Dialect("mit-blotto", "blotto", GRAMMAR, mit.cut, signs=((b" on board 3", _OF_BOARDS),))

_OVERSPENT, _UNMATCHED, _WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT = (
    f"blotto.{name}" for name in DEVIATIONS
)
_EARLY: Final = frozenset({"net-raises", "silent-all-in", "no-tables"})
_LATE: Final = frozenset({"blind-on-each", "misformatted-text"})


def play(order: Order) -> Played:
    """A match of the engine."""
    from ..replay.forward.blotto import play

    return play(order)


GAME: Final = Game(
    name="blotto",
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    hole_cards=DEALT_CARDS,
    free_chips=(1.0, 2.0, 3.0),
    family=several_boards,
    forward=play,
    source="rules document of Blotto Hold'em, 2021",
    deviations=(
        Deviation(
            _OVERSPENT,
            "legality",
            "2021-01-02",
            "2021-01-06",
            "the chips of three actions may be more than the player has: stacks go below zero",
        ),
        Deviation(
            _UNMATCHED,
            "legality",
            "2021-01-02",
            "2021-01-07",
            "raises on several boards may be more in all than the opponent can call",
        ),
        Deviation(
            _WAIVED,
            "legality",
            "2021-01-07",
            "",
            "no raise has a minimum where the three actions take the player's last chip",
        ),
        Deviation(
            _CUT_DOWN,
            "legality",
            "2021-01-07",
            "",
            "raises that the opponent cannot match are cut down, in order of the boards: to less than the "
            "minimum, or to a call with nothing to call",
        ),
        Deviation(
            _EMPTY_CALL,
            "legality",
            "2021-01-07",
            "",
            "a raise to what the opponent has bet is taken as a call, with nothing to call as well",
        ),
        Deviation(
            _ASSIGNMENT,
            "legality",
            "2021-01-02",
            "",
            "six cards are assigned otherwise than two to a board, or one of them twice",
        ),
    ),
    profiles=(
        Profile("2021-01-02", (_OVERSPENT, _UNMATCHED, _ASSIGNMENT), _EARLY | {"blind", "misformatted"}),
        Profile("2021-01-04", (_OVERSPENT, _UNMATCHED, _ASSIGNMENT), _EARLY | {"blind", "misformatted-text"}),
        Profile("2021-01-06", (_UNMATCHED, _ASSIGNMENT), _EARLY | _LATE | {"net-sums"}),
        Profile(
            "2021-01-07",
            (_WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT),
            _LATE | {"triple-faults", "silent-all-in", "no-tables"},
        ),
        Profile(
            "2021-01-26",
            (_WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT),
            _LATE | {"triple-faults", "all-in", "no-tables"},
        ),
        Profile(
            "2021-01-27",
            (_WAIVED, _CUT_DOWN, _EMPTY_CALL, _ASSIGNMENT),
            _LATE | {"triple-faults", "all-in", "tables"},
        ),
    ),
)

PROPERTIES: Final = Properties(
    game="blotto",
    title="Blotto",
    boards=GAME.pots,
    hole_cards=GAME.hole_cards,
    decisions=("assign", *DECISIONS),
    free_chips=GAME.free_chips,
    cluster="hand",
)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
