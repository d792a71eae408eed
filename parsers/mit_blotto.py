"""The dialect of Blotto Hold'em (MIT Pokerbots 2021), every revision, and a team's annotated log of it."""

from typing import Final

from . import mit
from .dialect import Dialect
from .grammar import Grammar

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
