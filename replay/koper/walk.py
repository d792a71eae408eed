"""One compiled pass over the events of Koper matches, which assigns each line to its game."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from ...parsers import events as ev
from ...parsers.reading import Events
from .. import findings as rules
from .. import records
from ..outcome import LINE_REJECTED, LINE_STRAY, LINE_UNKNOWN
from ..records import fill
from . import game as rule
from . import lines as read
from . import state as s
from .state import Table

_STAGES: Final = np.full((256, 2), -1)
"""By event, the stage that is due and the stage that follows; -1 if the line's function knows it."""
for _code, _stages in {
    ev.BUY_IN: (s.OPENED, s.DEALING),
    ev.DEALT: (s.DEALING, -1),
    ev.COMMUNITY: (s.DEALING, s.DEALT),
    ev.TOO_FEW: (s.DEALT, s.AFTER),
    ev.FLOP_BETTING: (s.DEALT, s.FLOP),
    **dict.fromkeys((ev.FOLD, ev.BET, ev.SAID, ev.CLOSING_FOLD, ev.CLOSING_BET), (s.FLOP, -1)),
    ev.EARLY_WIN: (s.FLOP, -1),
    ev.ALL_FOLDED: (s.FLOP, s.AFTER),
    ev.RECEIVES: (s.RECEIVING, -1),
    ev.TURN_BETTING: (s.FLOP, s.TURN),
    ev.NOBODY: (s.TURN, -1),
    ev.RIVER_BETTING: (s.TURN, s.RIVER),
    ev.SHOWDOWN: (s.RIVER, s.SHOWING),
    **dict.fromkeys((ev.WINNER, *range(ev.DRAW_2, ev.DRAW_5 + 1), ev.WIN_COUNT, ev.PRIZE), (s.SHOWING, -1)),
    ev.TOTAL: (s.SHOWING, -1),
    ev.MATCH_OVER: (s.AFTER, s.OVER),
    ev.STANDINGS: (s.OVER, s.STANDINGS),
}.items():
    _STAGES[_code] = _stages


@part
def _begin_match(table: Table, match: int) -> None:
    now, row = table.now, table.matches[match]
    now["match"], now["version"] = match, row["version"]
    now["stage"], now["game"], now["lost"], now["missed"] = s.CLOSED, -1, 0, 0
    fill(now["rough"], rule.STACK if np.isnan(row["start"]) else row["start"])
    table.sheets.matches[match]["first_hand"] = table.sheets.used[records.HANDS]


@part
def _fits(table: Table, code: int, here: int) -> bool:
    """Note a line of a game; False if it does not fit there."""
    now, match, game = table.now, table.matches[table.now["match"]], table.games[table.now["game"]]
    due, following = _STAGES[code, 0], _STAGES[code, 1]
    if due >= 0 and now["stage"] != due:
        return False
    fits: bool = following >= 0
    if fits:
        now["stage"] = following
    if code == ev.FOLD or code == ev.BET or code == ev.SAID:
        fits = read.choose(table, here, code)
    elif code == ev.CLOSING_FOLD or code == ev.CLOSING_BET:
        fits = read.close(table, here, code == ev.CLOSING_FOLD)
    elif code == ev.LATER_BET:
        fits = read.later_bet(table, here)
    elif code == ev.DEALT:
        fits = read.dealt(table, here)
    elif code == ev.OUT:
        fits = read.out(table, here)
    elif code == ev.COMMUNITY:
        read.community(table, here)
    elif code == ev.TOO_FEW:
        game["end"] = s.ABORTED
    elif code == ev.VISIBLE:
        fits = read.visible(table, here)
    elif code == ev.FLOP_BETTING or code == ev.TURN_BETTING or code == ev.RIVER_BETTING:
        read.betting(table)
    elif code == ev.EARLY_WIN:
        fits = read.early_win(table, here)
    elif code == ev.NOBODY:
        fits = read.nobody(table, here)
    elif code == ev.ALL_FOLDED:
        read.all_folded(table)
    elif code == ev.RECEIVES:
        fits = read.receives(table, here)
    elif code == ev.SHOWDOWN:
        game["end"] = s.SHOWDOWN
    elif code == ev.WINNER:
        fits = read.winners(table, here, 1)
    elif ev.DRAW_2 <= code <= ev.DRAW_5:
        fits = read.winners(table, here, code - ev.DRAW_2 + 2)
    elif code == ev.TOTAL:
        fits = read.total(table, here)
    elif code == ev.WIN_COUNT:
        fits = read.win_count(table, here)
    elif code == ev.PRIZE:
        fits = read.prize(table, here)
    elif code == ev.REDISTRIBUTED or code == ev.LEFT:
        fits = read.left_over(table, here)
    elif code == ev.STACK and now["version"] == 1 and now["stage"] >= s.OVER:
        fits = read.standing(table, here, match["final"], match["final_line"])
    elif code == ev.STACK:
        fits = read.stack(table, here)
    elif code == ev.WINS:
        fits = read.standing(table, here, match["wins"], match["wins_line"])
    return fits


@part
def _is_cut(table: Table) -> bool:
    """Whether the text ends within the game at hand."""
    stage, game = table.now["stage"], table.games[table.now["game"]]
    if table.now["version"] == 2 and stage == s.AFTER and game["end"] == s.SHOWDOWN:
        paid = 0.0
        for k in range(game["prizes"]):
            paid += game["prize"][k]
        # The rest of the pot is still to be shared.
        cut: bool = game["pot"] - paid > 0.05
    else:
        cut = stage < s.AFTER and stage != s.CLOSED
    return cut


@part
def _is_empty(table: Table) -> bool:
    """Whether no player was dealt in or eliminated in the game at hand: it would have no seats."""
    seated = 0
    for seat in range(rule.PLAYERS):
        seated += table.seats[s.row_of(table, seat)]["state"] != s.ABSENT
    return seated == 0


@part
def _leave_out(table: Table, notes: NDArray[np.uint8], last: int) -> None:
    """Take the last game back, and reject its lines. last: the event after them."""
    now, sheets = table.now, table.sheets
    sheets.used[records.HANDS] -= 1
    sheets.used[records.FINDINGS] = now["first_finding"]
    for event in range(now["first_event"], last):
        if notes[event] == 0:
            notes[event] = LINE_REJECTED


@part
def _forget_game(table: Table) -> None:
    """Let the next game follow the one before the game at hand, which is left out: it begins in its row."""
    now, hands = table.now, table.sheets.hands
    now["stage"] = s.CLOSED
    if now["game"] > table.sheets.matches[now["match"]]["first_hand"]:
        hands[now["game"]]["number"] = hands[now["game"] - 1]["number"]
    else:
        now["game"] = -1


@part
def _end_match(table: Table) -> None:
    """Note how many games the match has, and whether it ends as a finished one does.

    The engine plays 50 games, or until fewer than two players are left; version 1 says so.
    """
    now, sheets = table.now, table.sheets
    record, match = sheets.matches[now["match"]], table.matches[now["match"]]
    last = sheets.used[records.HANDS] - 1
    record["hands"], record["end"], record["final"] = last + 1 - record["first_hand"], -1, 0
    if record["hands"]:
        game = table.games[last]
        finished = game["end"] == s.ABORTED or sheets.hands[last]["number"] == rule.GAMES
        if now["version"] == 1:
            finished = now["stage"] >= s.OVER
            for k in range(rule.PLAYERS):
                finished = finished and not np.isnan(match["final"][k] + match["wins"][k])
        record["end"], record["final"] = game["last_event"], finished


@kernel
def walk(found: Events, first_event: NDArray[np.int64], table: Table, notes: NDArray[np.uint8]) -> None:
    """Note what the lines of some matches say.

    found, first_event  the scanner's events and where each match's begin
    table               out: games, seats and matches
    notes               (events,) out: LINE_UNKNOWN, LINE_STRAY (in no game), LINE_REJECTED (game left out)

    The last game of a match is left out if its lines stop before it is over, as is each game without players.
    """
    now = table.now
    for match in range(len(table.matches)):
        _begin_match(table, match)
        unread = first_event[match + 1] - 1 if table.matches[match]["cut"] else -1
        for event in range(first_event[match], first_event[match + 1]):
            code, here = found.codes[event] + 0, found.args[event] + 0
            now["event"], now["line"], notes[event] = event, found.lines[event], 0
            if code == ev.UNKNOWN or event == unread:
                notes[event] = LINE_UNKNOWN
            elif code == ev.HEADING:
                continue
            elif code == ev.ROUND:
                if now["game"] >= 0 and _is_empty(table):
                    _leave_out(table, notes, event)
                    _forget_game(table)
                read.begin(table, here)
            elif now["game"] < 0:
                notes[event] = LINE_STRAY
            elif code == ev.MARKER:
                read.damage(table, rules.MARKER, np.nan, np.nan)
            else:
                if now["stage"] < s.AFTER and now["stage"] != s.CLOSED:
                    game = table.games[now["game"]]
                    game["last_event"], game["last_line"] = event, now["line"]
                if not _fits(table, code, here):
                    read.damage(table, rules.MISPLACED, np.nan, np.nan)
        if now["game"] >= 0:
            is_cut = _is_cut(table)
            if is_cut:
                record = table.sheets.matches[match]
                record["rejected"], record["reject_line"] = 1, table.sheets.hands[now["game"]]["line"]
            if is_cut or _is_empty(table):
                _leave_out(table, notes, first_event[match + 1])
        _end_match(table)
