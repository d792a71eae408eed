"""From events to games: which line belongs to which game, and whether it fits there."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from ...parsers import events as ev
from ...parsers.reading import Events
from .. import findings as rules
from .. import records
from ..outcome import LINE_REJECTED, LINE_STRAY, LINE_UNKNOWN
from ..records import fill
from . import endings as end
from . import game as rule
from . import layout as at
from . import lines as read
from . import reading as r
from .reading import Reading, damage


@part
def _begin_match(reading: Reading, match: int) -> None:
    now, row = reading.now, reading.matches[match]
    fill(now, 0)
    now[r.MATCH], now[r.VERSION] = match, int(row[at.M_VERSION])
    now[r.STAGE], now[r.GAME], now[r.OPEN_SEAT] = r.CLOSED, -1, -1
    # Until a stack is printed, the rough count tells which player has less.
    fill(reading.rough, rule.STACK if np.isnan(row[at.M_START]) else row[at.M_START])
    row[at.M_FIRST] = reading.used[records.HANDS]


@part
def _fits(reading: Reading, code: int, line: float, here: int, event: int) -> bool:
    """Put down what a line of a game says; False where it cannot stand there."""
    stage, version = reading.now[r.STAGE], reading.now[r.VERSION]
    if code == ev.FOLD or code == ev.BET or code == ev.SAID:
        return read.choose(reading, line, here, code)
    if code == ev.CLOSING_FOLD or code == ev.CLOSING_BET:
        return read.close(reading, here, code == ev.CLOSING_FOLD)
    if code == ev.LATER_BET:
        return read.later_bet(reading, line, here)
    if code == ev.BUY_IN:
        return end.next_stage(reading, r.OPENED, r.DEALING)
    if code == ev.DEALT:
        return read.dealt(reading, line, here)
    if code == ev.OUT:
        return read.out(reading, line, here)
    if code == ev.COMMUNITY:
        return read.community(reading, line, here)
    if code == ev.TOO_FEW:
        return read.too_few(reading)
    if code == ev.VISIBLE:
        return read.visible(reading, line, here)
    if code == ev.FLOP_BETTING:
        return read.flop_betting(reading, line)
    if code == ev.TURN_BETTING or code == ev.RIVER_BETTING:
        return read.later_betting(reading, line, r.TURN if code == ev.TURN_BETTING else r.RIVER)
    if code == ev.EARLY_WIN:
        return end.early_win(reading, line, here)
    if code == ev.NOBODY:
        return end.nobody(reading, line, here)
    if code == ev.ALL_FOLDED:
        return end.all_folded(reading, line)
    if code == ev.RECEIVES:
        return end.receives(reading, line, here)
    if code == ev.SHOWDOWN:
        return end.showdown(reading)
    if code == ev.WINNER:
        return end.winners(reading, line, here, 1)
    if ev.DRAW_2 <= code <= ev.DRAW_5:
        return end.winners(reading, line, here, code - ev.DRAW_2 + 2)
    if code == ev.TOTAL:
        return end.total(reading, line, here)
    if code == ev.WIN_COUNT:
        return end.win_count(reading, here)
    if code == ev.PRIZE:
        return end.prize(reading, line, here)
    if code == ev.REDISTRIBUTED or code == ev.LEFT:
        return end.left_over(reading, line, here, event)
    if code == ev.STACK and version == 1 and stage >= r.OVER:
        return end.standing(reading, line, here, at.M_FINAL, at.M_FINAL_LINE, at.M_FINALS)
    if code == ev.STACK:
        return end.stack(reading, line, here)
    if code == ev.MATCH_OVER:
        return version == 1 and end.next_stage(reading, r.AFTER, r.OVER)
    if code == ev.STANDINGS:
        return end.next_stage(reading, r.OVER, r.STANDINGS)
    if code == ev.WINS:
        return end.standing(reading, line, here, at.M_WIN, at.M_WIN_LINE, at.M_WINS)
    return False


@part
def _is_cut(reading: Reading) -> bool:
    """Whether the text ends within the game."""
    stage, game = reading.now[r.STAGE], reading.games[reading.now[r.GAME]]
    if reading.now[r.VERSION] == 2 and stage == r.AFTER and game[at.G_END] == at.SHOWDOWN:
        paid = 0.0
        for k in range(int(game[at.G_PRIZES])):
            paid += game[at.G_PRIZE_WON + k]
        # The rest of the pot is still to be shared.
        cut: bool = game[at.G_POT] - paid > 0.05
    else:
        cut = stage < r.AFTER and stage != r.CLOSED
    return cut


@part
def _leave_out(reading: Reading, notes: NDArray[np.uint8], last: int) -> None:
    """Take the last game back, and reject its lines."""
    now, used = reading.now, reading.used
    reading.matches[now[r.MATCH], at.M_REJECTED] = reading.games[now[r.GAME], at.G_LINE]
    used[records.HANDS] -= 1
    used[records.FINDINGS] = now[r.FIRST_FINDING]
    for event in range(now[r.FIRST_EVENT], last):
        if notes[event] == 0:
            notes[event] = LINE_REJECTED


@kernel
def gather(found: Events, first_event: NDArray[np.int64], reading: Reading, notes: NDArray[np.uint8]) -> None:
    """Fill rows of games, seats and matches (`layout`) from the events of some matches.

    found, first_event  the scanner's events and where each match's begin
    reading             scratch for one match, and what is filled
    notes               (events,) out: LINE_UNKNOWN, LINE_STRAY (in no game), LINE_REJECTED (game left out)

    The last game of a match is left out where its lines stop before it is over.
    """
    now, matches = reading.now, reading.matches
    for match in range(len(matches)):
        _begin_match(reading, match)
        unread = first_event[match + 1] - 1 if matches[match, at.M_CUT] else -1
        for event in range(first_event[match], first_event[match + 1]):
            code, line, here = found.codes[event] + 0, float(found.lines[event]), found.args[event] + 0
            notes[event] = 0
            if code == ev.UNKNOWN or event == unread:
                notes[event] = LINE_UNKNOWN
            elif code == ev.HEADING:
                continue
            elif code == ev.ROUND:
                read.begin(reading, line, here, event)
            elif now[r.GAME] < 0:
                notes[event] = LINE_STRAY
            elif code == ev.MARKER:
                damage(reading, line, rules.MARKER, np.nan)
            else:
                if now[r.STAGE] < r.AFTER and now[r.STAGE] != r.CLOSED:
                    game = reading.games[now[r.GAME]]
                    game[at.G_LAST], game[at.G_LAST_LINE] = event, line
                if not _fits(reading, code, line, here, event):
                    damage(reading, line, rules.MISPLACED, np.nan)
        if now[r.GAME] >= 0 and _is_cut(reading):
            _leave_out(reading, notes, first_event[match + 1])
        matches[match, at.M_GAMES] = reading.used[records.HANDS] - matches[match, at.M_FIRST]
        matches[match, at.M_OVER] = now[r.STAGE] >= r.OVER
