"""From rows to columns: what Arrow wants of the games' and seats' rows, in one compiled pass each."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel, part
from .. import records
from ..rows import ActionColumns
from . import game as rule
from . import layout as at

Floats = NDArray[np.float64]

MOST_ACTS: Final = 5 * at.PLAYERS
"""Rows of a game at most: a buy-in, a stub lost and three bets of each player."""
_MILLION: Final = 1e6
# What is noted of an act.
_LINE, _BY, _ON, _DOES = range(4)


@bundle
class SeatColumns(NamedTuple):
    """The columns of `seats` by their names, as `columns.filled` takes them, codes of names, and the match's place."""

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seat: NDArray[np.int8]
    player: NDArray[np.int32]
    position: NDArray[np.int32]
    card_count: NDArray[np.int32]
    stack_start: NDArray[np.float64]
    contribution: NDArray[np.float64]
    delta: NDArray[np.float64]
    written_off: NDArray[np.float64]
    engine_off: NDArray[np.float64]
    bankroll_before: NDArray[np.float64]
    shown: NDArray[np.bool_]
    flags: NDArray[np.uint64]
    hand_score: NDArray[np.int16]
    payout: NDArray[np.float64]
    win_cap: NDArray[np.float64]
    redistributed: NDArray[np.float64]
    win_share: NDArray[np.float64]
    eliminated: NDArray[np.bool_]
    match: NDArray[np.int32]


def first_rows(room: ActionColumns, size: int) -> ActionColumns:
    """The first rows of the columns."""
    columns: Iterable[NDArray[Any]] = room
    return ActionColumns(*(column[:size] for column in columns))


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


@kernel
def spread_actions(
    games: Floats,
    seats: Floats,
    index: NDArray[np.int64],
    ids: NDArray[np.uint64],
    bases: NDArray[np.int64],
    acts: Floats,
    put: Floats,
    out: ActionColumns,
) -> int:
    """Fill the columns; returns how many rows there are.

    index          (games,) the game's number in its match
    ids, bases     (matches,) the match's id, the line above its body
    acts, put      (MOST_ACTS, 4), (5,) scratch: the acts of a game, what each seat has put in
    """
    row = 0
    for game in range(len(games)):
        match, base = int(games[game, at.G_MATCH]), game * at.PLAYERS
        active = 0
        pot = 0.0
        for k in range(at.PLAYERS):
            put[k] = 0.0
            if seats[base + k, at.S_STATE] != at.ABSENT:
                active += 1
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
            out.match_id[row] = ids[match]
            out.hand_index[row] = index[game]
            out.line[row] = int(line) + bases[match]
            out.seq[row], out.street[row], out.seat[row] = seq, street, k
            out.action[row], out.origin[row] = action, origin
            out.bet_level[row], out.active_players[row] = 0, active
            out.raise_to[row] = _rounded(amount)
            out.pip_before[row] = out.to_call[row] = 0.0
            out.pot_before[row] = _rounded(pot)
            out.stack_before[row] = _rounded(_rounded(seats[seat, at.S_START]) - put[k])
            out.has_bounds[row] = True
            out.min_raise_to[row], out.max_raise_to[row] = _rounded(least), _rounded(most)
            out.win_prob[row] = _rounded(chance)
            out.match[row] = match
            if not np.isnan(amount):
                put[k] += amount
                pot += amount
            active -= leaves
            row += 1
    return row


@kernel
def spread_seats(
    games: Floats,
    seats: Floats,
    index: NDArray[np.int64],
    ids: NDArray[np.uint64],
    players: NDArray[np.int32],
    pool: NDArray[np.int8],
    out: SeatColumns,
) -> int:
    """Fill the columns with the seats still in their match; returns how many cards there are.

    index     (games,) the game's number in its match
    ids       (matches,) the match's id
    players   (matches, 5) codes of the names by seat
    pool      (2 x rows,) out: the hole cards
    """
    row = cards = 0
    for game in range(len(games)):
        match, position = int(games[game, at.G_MATCH]), 0
        unknown = np.nan if games[game, at.G_DAMAGED] > 0 else 0.0
        for k in range(at.PLAYERS):
            seat = game * at.PLAYERS + k
            state, start = seats[seat, at.S_STATE], seats[seat, at.S_START]
            if state == at.ABSENT:
                continue
            out.match_id[row], out.hand_index[row] = ids[match], index[game]
            out.seat[row], out.player[row], out.position[row] = k, players[match, k], position
            out.card_count[row] = 0
            for column in range(at.S_HOLE, at.S_HOLE + 2):
                if seats[seat, column] >= 0:
                    pool[cards] = int(seats[seat, column])
                    out.card_count[row] += 1
                    cards += 1
            payout, share, put = seats[seat, at.S_PAYOUT], seats[seat, at.S_SHARE], seats[seat, at.S_PUT]
            gained = seats[seat, at.S_AFTER] - start
            if np.isnan(gained):
                gained = payout + share - put + unknown
            # As printed where the log prints it, else as computed.
            if seats[seat, at.S_WON] > 1:
                payout = seats[seat, at.S_WON]
            elif seats[seat, at.S_WINS] == 1 and not np.isnan(games[game, at.G_PAID]):
                payout = games[game, at.G_PAID]
            off = seats[seat, at.S_OFF]
            out.stack_start[row] = out.bankroll_before[row] = _rounded(start)
            out.contribution[row] = _rounded(put)
            out.shown[row], out.flags[row] = False, 0
            out.delta[row] = _rounded(gained)
            out.written_off[row] = _rounded(seats[seat, at.S_ADJUST] + off) + unknown
            out.engine_off[row] = _rounded(off) + unknown
            score = seats[seat, at.S_SCORE]
            out.hand_score[row] = -1 if np.isnan(score) or score == 0 else int(score)
            out.payout[row], out.win_cap[row] = _rounded(payout), _rounded(seats[seat, at.S_CAP])
            out.redistributed[row], out.win_share[row] = _rounded(share), seats[seat, at.S_WINS]
            out.eliminated[row] = state == at.OUT_AT_BUY_IN or state == at.OUT_AT_FLOP
            out.match[row] = match
            position += 1
            row += 1
    return cards


@kernel
def spread_cards(
    games: Floats,
    seats: Floats,
    cards: NDArray[np.int32],
    board: NDArray[np.int8],
    events: NDArray[np.int32],
    lines: NDArray[np.int16],
) -> None:
    """Fill `hands.board` and `hands.card_lines`.

    cards, events   (games,) out: how many of the board's cards and of the lines are the game's
    board, lines    (5 x games,), (8 x games,) out
    """
    dealt = said = 0
    for game in range(len(games)):
        cards[game] = events[game] = 0
        first = int(games[game, at.G_LINE])
        for column in range(at.G_BOARD, at.G_BOARD + 5):
            if games[game, column] >= 0:
                board[dealt] = int(games[game, column])
                cards[game] += 1
                dealt += 1
        for seat in range(game * at.PLAYERS, (game + 1) * at.PLAYERS):
            if not np.isnan(seats[seat, at.S_LINE_DEAL]):
                lines[said] = records.lines_below(first, int(seats[seat, at.S_LINE_DEAL]))
                events[game] += 1
                said += 1
        for column in range(at.G_LINE_1, at.G_LINE_1 + int(games[game, at.G_STREETS]) - 1):
            if not np.isnan(games[game, column]):
                lines[said] = records.lines_below(first, int(games[game, column]))
                events[game] += 1
                said += 1
