"""From the rows of games and seats to those of hands, seats, actions and cards (`records`)."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from .. import records
from ..records import Sheets
from . import game as rule
from . import layout as at

Floats = NDArray[np.float64]

MOST_ACTS: Final = 5 * at.PLAYERS
"""Rows of a game at most: a buy-in, a stub lost and three bets of each player."""
_MILLION: Final = 1e6
# The columns of an act.
_LINE, _BY, _ON, _DOES = range(4)


@part
def _rounded(value: float) -> Any:
    """To six digits, never -0.0: without what sums of floats add to an amount."""
    return np.rint(value * _MILLION) / _MILLION + 0.0


@part
def _acts_of(seats: Floats, game: int, acts: Floats) -> int:
    """Fill acts with (line, seat, street, action) of a game in the order of their lines; how many there are."""
    count = 0
    for kind in range(5):
        for k in range(at.PLAYERS):
            seat = game * at.PLAYERS + k
            state = seats[seat, at.S_STATE]
            if state == at.ABSENT:
                continue
            if kind == 0:
                there = state != at.OUT_AT_BUY_IN
                line, street, action = seats[seat, at.S_LINE_DEAL], 0, records.POST
            elif kind == 1:
                there = state == at.OUT_AT_BUY_IN or state == at.OUT_AT_FLOP
                line, street, action = seats[seat, at.S_LINE_OUT], int(state == at.OUT_AT_FLOP), records.POST
            else:
                street = kind - 1
                line, action = seats[seat, at.S_LINE_1 + street - 1], records.PLAY
                there = not np.isnan(seats[seat, at.S_BET_1 + street - 1])
                if street == 1 and state == at.FOLDED and not there:
                    there, action = not np.isnan(seats[seat, at.S_PROB_1]), records.FOLD
            if there:
                # Nearly always its place is the last.
                place = count
                while place > 0 and acts[place - 1, _LINE] > line:
                    for note in range(4):
                        acts[place, note] = acts[place - 1, note]
                    place -= 1
                acts[place, _LINE], acts[place, _BY], acts[place, _ON], acts[place, _DOES] = (
                    line,
                    k,
                    street,
                    action,
                )
                count += 1
    return count


@part
def _limits(seats: Floats, seat: int, street: int) -> tuple[float, float]:
    """The least and the most that a seat may bet in a round; NaN where neither its stack nor its last bet is known."""
    before = 0.0
    has = seats[seat, at.S_START] - rule.BUY_IN
    for column in range(at.S_BET_1, at.S_BET_1 + street - 1):
        before = seats[seat, column]
        has -= 0.0 if np.isnan(before) else before
    return np.fmin(rule.least_bet(street, before), has), np.fmin(rule.most_bet(street, before), has)


@part
def _write_actions(seats: Floats, game: int, acts: Floats, put: Floats, sheets: Sheets) -> None:
    """The rows of a game's actions; acts and put are scratch: the acts, what each seat has put in."""
    base, active, pot = game * at.PLAYERS, 0, 0.0
    for k in range(at.PLAYERS):
        put[k] = 0.0
        active += seats[base + k, at.S_STATE] != at.ABSENT
    for seq in range(_acts_of(seats, game, acts)):
        line, k = acts[seq, _LINE], int(acts[seq, _BY])
        street, action = int(acts[seq, _ON]), int(acts[seq, _DOES])
        seat = base + k
        amount, least, most, chance = np.nan, np.nan, np.nan, np.nan
        origin = records.CHOICE
        leaves = action == records.FOLD
        if action == records.POST:
            origin = records.FORCED
            leaves = line == seats[seat, at.S_LINE_OUT]
            amount = seats[seat, at.S_STUB] if leaves else rule.BUY_IN
        else:
            chance = seats[seat, at.S_PROB_1 + street - 1] / 100
            least, most = _limits(seats, seat, street)
            if action == records.PLAY:
                amount = seats[seat, at.S_BET_1 + street - 1]
        place = records.next_row(sheets.used, records.ACTS, len(sheets.actions))
        row = sheets.actions[place]
        row["hand"], row["line"], row["seq"], row["street"] = game, int(line), seq, street
        row["seat"] = k
        row["action"], row["origin"], row["level"], row["aggressor"] = action, origin, 0, -1
        row["board"], row["active"] = 0, active
        row["raise_to"], row["own"], row["pip"], row["to_call"] = _rounded(amount), put[k], 0.0, 0.0
        row["pot"] = _rounded(pot)
        limit = sheets.limits[records.next_row(sheets.used, records.LIMITS, len(sheets.limits))]
        limit["act"], limit["told"] = place, 1
        limit["lowest"], limit["highest"] = _rounded(least), _rounded(most)
        limit["stack"] = _rounded(_rounded(seats[seat, at.S_START]) - put[k])
        limit["other"], limit["chance"] = np.nan, _rounded(chance)
        if not np.isnan(amount):
            put[k] += amount
            pot += amount
        active -= leaves


@part
def _position(seats: Floats, base: int, seat: int) -> int:
    """How many of those still in the match sit before a seat."""
    position = 0
    for k in range(base, base + seat):
        position += seats[k, at.S_STATE] != at.ABSENT
    return position


@part
def _write_seat(games: Floats, seats: Floats, game: int, k: int, sheets: Sheets) -> None:
    """The row of a seat that is still in its match, and what it is paid."""
    base = game * at.PLAYERS
    seat, unknown = base + k, np.nan if games[game, at.G_DAMAGED] > 0 else 0.0
    state, start = seats[seat, at.S_STATE], seats[seat, at.S_START]
    out = sheets.seats[records.next_row(sheets.used, records.SEATS, len(sheets.seats))]
    out["seat"], out["position"] = k, _position(seats, base, k)
    out["hole_count"] = out["final_count"] = out["hit"] = out["shown"] = out["flags"] = 0
    out["rank"] = -1
    for column in range(at.S_HOLE, at.S_HOLE + 2):
        if seats[seat, column] >= 0:
            card = records.next_row(sheets.used, records.HOLES, len(sheets.holes))
            sheets.holes[card] = int(seats[seat, column])
            out["hole_count"] += 1
    payout, share, put = seats[seat, at.S_PAYOUT], seats[seat, at.S_SHARE], seats[seat, at.S_PUT]
    gained = seats[seat, at.S_AFTER] - start
    if np.isnan(gained):
        gained = payout + share - put + unknown
    # As printed where the log prints it, else as computed.
    if seats[seat, at.S_WON] > 1:
        payout = seats[seat, at.S_WON]
    elif seats[seat, at.S_WINS] == 1 and not np.isnan(games[game, at.G_PAID]):
        payout = games[game, at.G_PAID]
    out["stack"] = out["bank"] = _rounded(start)
    out["put"], out["delta"] = _rounded(put), _rounded(gained)
    out["written"] = out["engine"] = np.nan
    off, score = seats[seat, at.S_OFF], seats[seat, at.S_SCORE]
    prize = sheets.prizes[records.next_row(sheets.used, records.PRIZES, len(sheets.prizes))]
    prize["written_off"] = _rounded(seats[seat, at.S_ADJUST] + off) + unknown
    prize["engine_off"] = _rounded(off) + unknown
    prize["hand_score"] = -1 if np.isnan(score) or score == 0 else int(score)
    prize["payout"], prize["win_cap"] = _rounded(payout), _rounded(seats[seat, at.S_CAP])
    prize["redistributed"], prize["win_share"] = _rounded(share), seats[seat, at.S_WINS]
    prize["eliminated"] = state == at.OUT_AT_BUY_IN or state == at.OUT_AT_FLOP


@part
def _note_line(sheets: Sheets, first: float, line: float) -> int:
    """Append the line of a card event to those of its game; how many that makes: none where it is not told."""
    if np.isnan(line):
        return 0
    place = records.next_row(sheets.used, records.LINES, len(sheets.card_lines))
    sheets.card_lines[place] = records.lines_below(int(first), int(line))
    return 1


@kernel
def write_rows(games: Floats, seats: Floats, acts: Floats, put: Floats, sheets: Sheets) -> None:
    """Write the rows of all games, whose verdicts are given.

    games, seats  rows of `layout`
    acts, put     (MOST_ACTS, 4), (5,) scratch
    """
    used = sheets.used
    count = used[records.HANDS] + 0
    used[records.HANDS] = 0
    for game in range(count):
        row, told = sheets.hands[records.next_row(used, records.HANDS, len(sheets.hands))], games[game]
        row["match"], row["number"], row["line"] = (
            int(told[at.G_MATCH]),
            int(told[at.G_NUMBER]),
            int(told[at.G_LINE]),
        )
        row["first_seat"], row["first_act"] = used[records.SEATS], used[records.ACTS]
        row["first_card"], row["dealer"] = used[records.HOLES], -1
        row["streets"], end = int(told[at.G_STREETS]), int(told[at.G_END])
        row["ended_by"] = records.BY_FOLD if end >= at.EARLY else -1
        if end == at.SHOWDOWN:
            row["ended_by"] = records.BY_SHOWDOWN
        row["players"] = row["board_count"] = row["undealt_count"] = row["line_count"] = 0
        for column in range(at.G_BOARD, at.G_BOARD + 5):
            if told[column] >= 0:
                sheets.board[records.next_row(used, records.BOARD, len(sheets.board))] = int(told[column])
                row["board_count"] += 1
        for k in range(at.PLAYERS):
            seat = game * at.PLAYERS + k
            if seats[seat, at.S_STATE] != at.ABSENT:
                _write_seat(games, seats, game, k, sheets)
                row["players"] += 1
            row["line_count"] += _note_line(sheets, told[at.G_LINE], seats[seat, at.S_LINE_DEAL])
        for column in range(at.G_LINE_1, at.G_LINE_1 + int(told[at.G_STREETS]) - 1):
            row["line_count"] += _note_line(sheets, told[at.G_LINE], told[column])
        _write_actions(seats, game, acts, put, sheets)
