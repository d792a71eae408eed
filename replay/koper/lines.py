"""The lines of a game: what each says is put down where it fits what came before; only order is judged here.

Each takes the line's number, and where its values begin (`here`); each but `begin` tells whether the line fits.
"""

import numpy as np

from ...jit.compile import part, step
from ...parsers import events
from .. import findings as rules
from .. import records
from ..records import fill
from . import game as rule
from . import layout as at
from . import reading as r
from .picking import FOLDS, closing, follow, holding
from .reading import Reading, chips, damage, differs, in_turn, named, row_of


@step
def begin(reading: Reading, line: float, here: int, event: int) -> None:
    """A heading: the next game."""
    now, used, values = reading.now, reading.used, reading.values
    match = reading.matches[now[r.MATCH]]
    number = float(values[here] if now[r.VERSION] == 1 else values[here + 1])
    if now[r.VERSION] == 2 and np.isnan(match[at.M_NUMBER]):
        match[at.M_NUMBER] = values[here]
    before, ended = number - 1.0, False
    if now[r.GAME] >= 0:
        last = reading.games[now[r.GAME]]
        if now[r.STAGE] != r.CLOSED and now[r.STAGE] < r.AFTER:
            damage(reading, line, rules.INCOMPLETE, np.nan)
        share = last[at.G_LEFT] / max(last[at.G_AMONG], 1.0)
        follow(reading.rough, reading.seats, row_of(reading, 0), share)
        before = last[at.G_NUMBER]
        ended = now[r.STAGE] >= r.OVER or last[at.G_END] == at.ABORTED
    now[r.GAME] = records.next_row(used, records.HANDS, len(reading.games))
    now[r.FIRST_EVENT], now[r.FIRST_FINDING] = event, used[records.FINDINGS]
    game = reading.games[now[r.GAME]]
    fill(game, np.nan)
    game[at.G_MATCH], game[at.G_NUMBER], game[at.G_LINE] = now[r.MATCH], number, line
    game[at.G_DAMAGED] = game[at.G_PRIZES] = 0
    game[at.G_STREETS], game[at.G_END] = 1, at.RUNNING
    game[at.G_LAST], game[at.G_LAST_LINE] = event, line
    for k in range(at.PLAYERS):
        seat = reading.seats[row_of(reading, k)]
        fill(seat, np.nan)
        seat[at.S_STATE] = at.ABSENT
    if number != before + 1:
        game[at.G_NUMBER] = before
        damage(reading, line, rules.SEQUENCE, number)
        game[at.G_NUMBER] = number
    if ended:
        damage(reading, line, rules.MISPLACED, np.nan)
    now[r.STAGE], now[r.CURSOR], now[r.OPEN_SEAT] = r.OPENED, 0, -1


@part
def dealt(reading: Reading, line: float, here: int) -> bool:
    """Hole cards."""
    now, values = reading.now, reading.values
    # Version 1 has the name before the cards, version 2 after them.
    cards = here + 1 if now[r.VERSION] == 1 else here
    count = values[cards]
    name = here if now[r.VERSION] == 1 else here + 1 + count
    seat = named(reading, name, at.ABSENT, at.S_HOLE, now[r.CURSOR])
    if now[r.STAGE] != r.DEALING or seat < 0:
        return False
    if count == 2:
        in_turn(reading, line, seat, rules.DEAL_ORDER)
    else:
        differs(reading, line, seat, rules.DEAL, 2.0, float(count))
        now[r.CURSOR] = seat + 1
    now[r.MISSED] &= ~(1 << seat)
    row = reading.seats[row_of(reading, seat)]
    row[at.S_STATE], row[at.S_LINE_DEAL] = at.IN, line
    for k in range(2):
        row[at.S_HOLE + k] = values[cards + 1 + k] if k < count else -1
    return True


@part
def out(reading: Reading, line: float, here: int) -> bool:
    """A player is eliminated, for want of the buy-in or of the flop's stake."""
    now = reading.now
    at_flop = now[r.STAGE] == r.FLOP and now[r.DECIDED] == 0
    if at_flop:
        mask = reading.same[now[r.MATCH], reading.values[here]]
        had = chips(reading, here + 1) + rule.BUY_IN
        seat = holding(reading.seats, row_of(reading, 0), mask, reading.rough, had)
    else:
        seat = named(reading, here, at.ABSENT, at.S_HOLE, now[r.CURSOR])
    if seat < 0 or (now[r.STAGE] != r.DEALING and not at_flop):
        return False
    in_turn(reading, line, seat, rules.TURN)
    now[r.LOST] |= 1 << seat
    row = reading.seats[row_of(reading, seat)]
    row[at.S_STATE] = at.OUT_AT_FLOP if at_flop else at.OUT_AT_BUY_IN
    row[at.S_STUB], row[at.S_LINE_OUT] = chips(reading, here + 1), line
    return True


@part
def community(reading: Reading, line: float, here: int) -> bool:
    """The board, dealt as a whole; all players who have the buy-in have cards by now."""
    now, values, game = reading.now, reading.values, reading.games[reading.now[r.GAME]]
    if now[r.STAGE] != r.DEALING:
        return False
    now[r.STAGE] = r.DEALT
    for k in range(5):
        game[at.G_BOARD + k] = values[here + 1 + k] if k < values[here] else -1
    opens = now[r.GAME] == reading.matches[now[r.MATCH], at.M_FIRST]
    undealt = False
    for k in range(at.PLAYERS):
        if reading.seats[row_of(reading, k), at.S_STATE] == at.ABSENT and not now[r.LOST] >> k & 1:
            if opens and game[at.G_NUMBER] > 1:
                now[r.LOST] |= 1 << k
            else:
                # Out since a game that is damaged: told once.
                undealt = undealt or not now[r.MISSED] >> k & 1
                now[r.MISSED] |= 1 << k
    if undealt:
        damage(reading, line, rules.UNDEALT, np.nan)
    elif values[here] != 5:
        differs(reading, line, -1, rules.BOARD_SIZE, 5.0, float(values[here]))
    return True


@part
def too_few(reading: Reading) -> bool:
    """Nobody is left to play with."""
    if reading.now[r.STAGE] != r.DEALT:
        return False
    reading.games[reading.now[r.GAME], at.G_END], reading.now[r.STAGE] = at.ABORTED, r.AFTER
    return True


@part
def flop_betting(reading: Reading, line: float) -> bool:
    """The first round of bets begins."""
    now, game = reading.now, reading.games[reading.now[r.GAME]]
    if now[r.STAGE] != r.DEALT:
        return False
    now[r.STAGE], now[r.CURSOR], now[r.DECIDED], now[r.VISIBLE] = r.FLOP, 0, 0, 0
    game[at.G_LINE_1], game[at.G_STREETS] = line, 2
    return True


@part
def later_betting(reading: Reading, line: float, stage: int) -> bool:
    """The bets of the turn or the river begin."""
    now, game = reading.now, reading.games[reading.now[r.GAME]]
    if now[r.STAGE] != stage - 1:
        return False
    now[r.STAGE], now[r.CURSOR] = stage, 0
    game[at.G_LINE_1 + stage - r.FLOP] = line
    game[at.G_STREETS] = 2 + stage - r.FLOP
    return True


@part
def visible(reading: Reading, line: float, here: int) -> bool:
    """The board cards that are turned up."""
    now, values, game = reading.now, reading.values, reading.games[reading.now[r.GAME]]
    street, count = values[here], values[here + 1]
    fits = r.FLOP <= now[r.STAGE] <= r.RIVER and street == now[r.STAGE] - r.FLOP + 1
    if not fits or now[r.VISIBLE] != street - 1:
        return False
    now[r.VISIBLE] = street
    if count != street + 2:
        differs(reading, line, -1, rules.BOARD_SIZE, float(street + 2), float(count))
        return True
    other = -1
    for k in range(count):
        if values[here + 2 + k] != game[at.G_BOARD + k]:
            other = k
    if other >= 0:
        differs(reading, line, -1, rules.BOARD, game[at.G_BOARD + other], float(values[here + 2 + other]))
    return True


@part
def choose(reading: Reading, line: float, here: int, code: int) -> bool:
    """A bet or fold on the flop, with the chance of winning; or what a strategy wrote, which may end so."""
    now, values = reading.now, reading.values
    if not now[r.DECIDED]:
        now[r.CURSOR] = 0
    seat = named(reading, here + 1, at.IN, at.S_PROB_1, now[r.CURSOR])
    if now[r.STAGE] != r.FLOP or seat < 0 or now[r.VISIBLE] != 1:
        return False
    now[r.DECIDED] = 1
    in_turn(reading, line, seat, rules.TURN)
    row = reading.seats[row_of(reading, seat)]
    row[at.S_PROB_1], row[at.S_LINE_1] = chips(reading, here), line
    if code == events.BET:
        row[at.S_BET_1] = chips(reading, here + 2)
        return True
    bet = FOLDS
    if code == events.SAID:
        bet = closing(reading.text, values[here + 2], values[here + 3])
        now[r.OPEN_SEAT] = seat if np.isnan(bet) else -1
    if bet >= 0:
        row[at.S_BET_1] = bet
    elif bet == FOLDS:
        row[at.S_STATE] = at.FOLDED
    return True


@part
def close(reading: Reading, here: int, folds: bool) -> bool:
    """The end of a line that a strategy wrote line breaks into."""
    now = reading.now
    fits: bool = now[r.STAGE] == r.FLOP and now[r.OPEN_SEAT] >= 0
    if fits and folds:
        reading.seats[row_of(reading, now[r.OPEN_SEAT]), at.S_STATE] = at.FOLDED
    elif fits:
        reading.seats[row_of(reading, now[r.OPEN_SEAT]), at.S_BET_1] = chips(reading, here)
    now[r.OPEN_SEAT] = -1
    return fits


@part
def later_bet(reading: Reading, line: float, here: int) -> bool:
    """A bet on the turn or the river; nobody folds there."""
    now = reading.now
    street = reading.values[here + 3] - 1
    seat = named(reading, here + 1, at.IN, at.S_PROB_1 + min(max(street, 1), 2), now[r.CURSOR])
    fits = 1 <= street <= 2 and now[r.STAGE] == r.FLOP + street and seat >= 0
    if not fits or now[r.VISIBLE] != (street + 1 if now[r.VERSION] == 1 else 1):
        return False
    in_turn(reading, line, seat, rules.TURN)
    row = reading.seats[row_of(reading, seat)]
    row[at.S_PROB_1 + street], row[at.S_LINE_1 + street] = chips(reading, here), line
    row[at.S_BET_1 + street] = chips(reading, here + 2)
    return True
