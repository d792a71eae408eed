"""The dialect of the MIT Pokerbots base engine, which all its years share."""

from typing import Final

from .grammar import Grammar
from .hand_cut import HandCut

GRAMMAR: Final = Grammar(
    """
    header         {*} Pokerbots - {*} vs {*}
    round          Round #{n}, {p} ({n}), {p} ({n})
    blind          {p} posts the blind of {n}
    dealt          {p} dealt [{c}]
    fold           {p} folds
    call           {p} calls
    check          {p} checks
    bet            {p} bets {n}
    raise          {p} raises to {n}
    flop           Flop [{c}], {p} ({n}), {p} ({n})
    turn           Turn [{c}], {p} ({n}), {p} ({n})
    river          River [{c}], {p} ({n}), {p} ({n})
    show           {p} shows [{c}]
    award          {p} awarded {n}
    final          Final, {p} ({n}), {p} ({n})
    illegal_fold   {p} attempted illegal FoldAction
    illegal_call   {p} attempted illegal CallAction
    illegal_check  {p} attempted illegal CheckAction
    illegal_raise  {p} attempted illegal RaiseAction
    misformatted   {p} response misformatted: {*}
    illegible      {p} response misformatted
    late           {p} ran out of time
    gone           {p} disconnected
    marker         <<<<<<<{*}
    marker         |||||||{*}
    marker         =======
    marker         >>>>>>>{*}
    """
)

NAME: Final = "mit"
COURSES: Final = ("6.176 MIT", "6.9630 MIT")
"""The beginnings of headers, the latest last."""

cut: Final = HandCut(NAME, GRAMMAR, COURSES)
