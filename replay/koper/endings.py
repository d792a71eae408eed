"""The lines that end a game or a match: winners, prizes, shares, and the stacks afterwards.

Each takes the line's number, and where its values begin (`here`); each tells whether the line fits what came before.
"""

import numpy as np

from ...jit.compile import part
from .. import findings as rules
from . import layout as at
from . import reading as r
from .reading import Reading, chips, differs, named, row_of


@part
def early_win(reading: Reading, line: float, here: int) -> bool:
    """All others have folded on the flop."""
    now, game = reading.now, reading.games[reading.now[r.GAME]]
    seat = named(reading, here, at.IN, at.S_WON, 0)
    if now[r.STAGE] != r.FLOP or seat < 0:
        return False
    game[at.G_END], game[at.G_LINE_POT] = at.EARLY, line
    game[at.G_POT] = chips(reading, here + 1)
    game[at.G_PAID] = reading.seats[row_of(reading, seat), at.S_WON] = chips(reading, here + 2)
    now[r.STAGE], now[r.COUNTED] = r.STACKS if now[r.VERSION] == 1 else r.AFTER, 0
    return True


@part
def nobody(reading: Reading, line: float, here: int) -> bool:
    """Version 1: all have folded, says the round of the turn."""
    now, game = reading.now, reading.games[reading.now[r.GAME]]
    if now[r.STAGE] != r.TURN or reading.values[here] != 2 or now[r.VISIBLE] != 2:
        return False
    game[at.G_END], game[at.G_LINE_POT], game[at.G_STREETS] = at.ALL_FOLD, line, 2
    now[r.STAGE], now[r.COUNTED] = r.STACKS, 0
    return True


@part
def all_folded(reading: Reading, line: float) -> bool:
    """Version 2: all have folded."""
    now, game = reading.now, reading.games[reading.now[r.GAME]]
    if now[r.STAGE] != r.FLOP:
        return False
    game[at.G_END], game[at.G_LINE_POT] = at.ALL_FOLD, line
    now[r.STAGE], now[r.CURSOR] = r.AFTER, 0
    for k in range(at.PLAYERS):
        # Nobody receives anything where all were eliminated.
        if reading.seats[row_of(reading, k), at.S_STATE] == at.FOLDED:
            now[r.STAGE] = r.RECEIVING
    return True


@part
def receives(reading: Reading, line: float, here: int) -> bool:
    """The share of a player after all have folded."""
    now = reading.now
    seat = named(reading, here, at.FOLDED, at.S_RECEIVED, now[r.CURSOR])
    if now[r.STAGE] != r.RECEIVING or seat < 0:
        return False
    now[r.CURSOR] = seat + 1
    row = reading.seats[row_of(reading, seat)]
    row[at.S_RECEIVED], row[at.S_LINE_STACK] = chips(reading, here + 1), line
    for k in range(at.PLAYERS):
        other = reading.seats[row_of(reading, k)]
        if other[at.S_STATE] == at.FOLDED and np.isnan(other[at.S_RECEIVED]):
            return True
    now[r.STAGE] = r.AFTER
    return True


@part
def showdown(reading: Reading) -> bool:
    """The river's round is over."""
    if reading.now[r.STAGE] != r.RIVER:
        return False
    reading.games[reading.now[r.GAME], at.G_END], reading.now[r.STAGE] = at.SHOWDOWN, r.SHOWING
    return True


@part
def winners(reading: Reading, line: float, here: int, count: int) -> bool:
    """Version 1: who has the best hand, and its score."""
    values, game = reading.values, reading.games[reading.now[r.GAME]]
    if reading.now[r.STAGE] != r.SHOWING or not np.isnan(game[at.G_SCORE]):
        return False
    for k in range(count):
        reading.seats[row_of(reading, values[here + k]), at.S_WON] = 1
    game[at.G_SCORE], game[at.G_COUNT], game[at.G_LINE_POT] = values[here + count], count, line
    return True


@part
def total(reading: Reading, line: float, here: int) -> bool:
    """Version 1: the pot, and the part of it that is paid."""
    now, game = reading.now, reading.games[reading.now[r.GAME]]
    if now[r.STAGE] != r.SHOWING or not np.isnan(game[at.G_POT]):
        return False
    game[at.G_POT], game[at.G_PAID] = chips(reading, here), chips(reading, here + 1)
    game[at.G_LINE_LEFT] = line
    now[r.STAGE], now[r.COUNTED] = r.STACKS, 0
    return True


@part
def win_count(reading: Reading, here: int) -> bool:
    """Version 2: how many have the best hand."""
    game = reading.games[reading.now[r.GAME]]
    if reading.now[r.STAGE] != r.SHOWING or not np.isnan(game[at.G_COUNT]):
        return False
    game[at.G_COUNT] = reading.values[here]
    return True


@part
def prize(reading: Reading, line: float, here: int) -> bool:
    """Version 2: what one of them has, his cap and the pot."""
    now, game = reading.now, reading.games[reading.now[r.GAME]]
    k = int(game[at.G_PRIZES])
    if now[r.STAGE] != r.SHOWING or k >= at.PLAYERS:
        return False
    game[at.G_PRIZES] = k + 1
    game[at.G_PRIZE_MASK + k] = reading.same[now[r.MATCH], reading.values[here]]
    game[at.G_PRIZE_WON + k], game[at.G_PRIZE_CAP + k] = chips(reading, here + 1), chips(reading, here + 2)
    game[at.G_PRIZE_LINE + k] = game[at.G_LINE_POT] = line
    pot = chips(reading, here + 3)
    if k and pot != game[at.G_POT]:
        differs(reading, line, -1, rules.POT, game[at.G_POT], pot)
    game[at.G_POT] = pot
    now[r.COUNTED] = 0
    return True


@part
def left_over(reading: Reading, line: float, here: int, event: int) -> bool:
    """What nobody could win is shared; the last line of a game in version 2."""
    now, game = reading.now, reading.games[reading.now[r.GAME]]
    due = r.STACKS if now[r.VERSION] == 1 else r.AFTER
    if now[r.STAGE] != due or game[at.G_END] != at.SHOWDOWN or not np.isnan(game[at.G_LEFT]):
        return False
    game[at.G_LEFT], game[at.G_LINE_LEFT] = chips(reading, here), line
    if now[r.VERSION] == 1:
        game[at.G_EACH] = chips(reading, here + 1)
        game[at.G_AMONG] = reading.values[here + 2]
    else:
        game[at.G_AMONG] = reading.values[here + 1]
        now[r.STAGE] = r.CLOSED
    game[at.G_LAST], game[at.G_LAST_LINE] = event, line
    return True


@part
def stack(reading: Reading, line: float, here: int) -> bool:
    """A stack after a game, in the order of the seats."""
    now, values = reading.now, reading.values
    after_prizes = (
        now[r.STAGE] == r.SHOWING and now[r.VERSION] == 2 and reading.games[now[r.GAME], at.G_PRIZES] > 0
    )
    whose = reading.same[now[r.MATCH], values[here]] >> now[r.COUNTED] & 1
    if not whose or (now[r.STAGE] != r.STACKS and not after_prizes):
        return False
    row = reading.seats[row_of(reading, now[r.COUNTED])]
    row[at.S_PRINTED], row[at.S_LINE_STACK] = chips(reading, here + 1), line
    now[r.COUNTED] += 1
    now[r.STAGE] = r.STACKS if now[r.COUNTED] < at.PLAYERS else r.AFTER
    return True


@part
def next_stage(reading: Reading, due: int, stage: int) -> bool:
    """A line that says no more than that something is over."""
    if reading.now[r.STAGE] != due:
        return False
    reading.now[r.STAGE] = stage
    return True


@part
def standing(reading: Reading, line: float, here: int, figure: int, figure_line: int, count: int) -> bool:
    """Version 1: a final stack or a number of wins; the columns of the figure, its line, and how many there are."""
    match, seat = reading.matches[reading.now[r.MATCH]], reading.values[here]
    if reading.now[r.STAGE] != r.STANDINGS or not np.isnan(match[figure + seat]):
        return False
    match[figure + seat], match[figure_line + seat] = chips(reading, here + 1), line
    match[count] += 1
    return True
