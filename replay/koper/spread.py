"""From rows to columns: what Arrow wants of the games' and seats' rows, in one compiled pass each."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel, part
from .. import act_bits, records
from . import game as rule
from . import layout as at

Floats = NDArray[np.float64]

MOST_ACTS: Final = 5 * at.PLAYERS
"""Rows of a game at most: a buy-in, a stub lost and three bets of each player."""
_MOST_LINES: Final = 127
_MILLION: Final = 1e6
# What is noted of an act.
_LINE, _BY, _ON, _DOES = range(4)


@bundle
class ActionColumns(NamedTuple):
    """The columns of `actions`, NaN for null, and the match's place."""

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    line: NDArray[np.int64]
    act: NDArray[np.int64]
    raise_to: Floats
    pot: Floats
    stack: Floats
    least: Floats
    most: Floats
    win_prob: Floats
    match: NDArray[np.int32]


@bundle
class SeatColumns(NamedTuple):
    """The columns of `seats`, NaN for null, and the match's place."""

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seat: NDArray[np.int8]
    player: NDArray[np.int32]
    position: NDArray[np.int32]
    card_count: NDArray[np.int32]
    stack: Floats
    put: Floats
    delta: Floats
    written_off: Floats
    engine_off: Floats
    score: NDArray[np.int16]
    payout: Floats
    cap: Floats
    share: Floats
    wins: Floats
    eliminated: NDArray[np.bool_]
    match: NDArray[np.int32]


# Arrow takes the arrays over, so they are made anew each time.


def action_columns(size: int) -> ActionColumns:
    """Room for so many rows."""
    kinds = ("u8", "i4", "i8", "i8", "f8", "f8", "f8", "f8", "f8", "f8", "i4")
    return ActionColumns(*(np.empty(size, kind) for kind in kinds))


def first_rows(room: ActionColumns, size: int) -> ActionColumns:
    """The first rows of the columns."""
    columns: Iterable[NDArray[Any]] = room
    return ActionColumns(*(column[:size] for column in columns))


def seat_columns(size: int) -> SeatColumns:
    """Room for so many rows."""
    kinds = ("u8", "i4", "i1", "i4", "i4", "i4", *5 * ("f8",), "i2", *4 * ("f8",), "?", "i4")
    return SeatColumns(*(np.empty(size, kind) for kind in kinds))


@part
def _rounded(value: float) -> Any:
    """To six digits, never -0.0: without what sums of floats add to an amount."""
    return np.rint(value * _MILLION) / _MILLION + 0.0


@part
def _buy_ins(games: Floats, seats: Floats, game: int) -> int:
    """Lines from the game's to its first buy-in where one follows the other by seat; 0: they do not."""
    base, paid, first = game * at.PLAYERS, 0, 0.0
    for seat in range(base, base + at.PLAYERS):
        state, line = seats[seat, at.S_STATE], seats[seat, at.S_LINE_DEAL]
        if state == at.OUT_AT_BUY_IN:
            return 0
        if state != at.ABSENT:
            first = line if paid == 0 else first
            if line != first + paid:
                return 0
            paid += 1
    lines = int(first - games[game, at.G_LINE]) if paid > 0 else 0
    return lines if lines <= _MOST_LINES else 0


@part
def _acts_of(seats: Floats, game: int, posted: bool, acts: Floats) -> int:
    """Fill acts with (line, seat, street, action) of a game in the order of their lines; how many there are.

    posted  its buy-ins are as all are, and left out
    """
    count = 0
    for kind in range(5):
        for k in range(at.PLAYERS):
            seat = game * at.PLAYERS + k
            state = seats[seat, at.S_STATE]
            if state == at.ABSENT:
                continue
            if kind == 0:
                there = state != at.OUT_AT_BUY_IN and not posted
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
    posts: NDArray[np.int8],
    out: ActionColumns,
) -> int:
    """Fill the columns; returns how many rows there are.

    index          (games,) the game's number in its match
    ids, bases     (matches,) the match's id, the line above its body
    acts, put      (MOST_ACTS, 4), (5,) scratch: the acts of a game, what each seat has put in
    posts          (games,) out: `hands.posts`, 0 for null
    """
    row = 0
    for game in range(len(games)):
        match, base = int(games[game, at.G_MATCH]), game * at.PLAYERS
        posts[game] = _buy_ins(games, seats, game)
        posted = posts[game] > 0
        seq = active = 0
        pot = 0.0
        for k in range(at.PLAYERS):
            put[k] = 0.0
            if seats[base + k, at.S_STATE] != at.ABSENT:
                active += 1
                if posted:
                    put[k] = rule.BUY_IN
                    pot += rule.BUY_IN
                    seq += 1
        for place in range(_acts_of(seats, game, posted, acts)):
            line, k = acts[place, _LINE], int(acts[place, _BY])
            street, action = int(acts[place, _ON]), int(acts[place, _DOES])
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
            out.act[row] = act_bits.packed(action, origin, street, k, -1, seq, 0, active)
            out.raise_to[row] = _rounded(amount)
            out.pot[row] = _rounded(pot)
            out.stack[row] = _rounded(_rounded(seats[seat, at.S_START]) - put[k])
            out.least[row], out.most[row] = _rounded(least), _rounded(most)
            out.win_prob[row] = _rounded(chance)
            out.match[row] = match
            if not np.isnan(amount):
                put[k] += amount
                pot += amount
            active -= leaves
            seq += 1
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
            out.stack[row], out.put[row] = _rounded(start), _rounded(put)
            out.delta[row] = _rounded(gained)
            out.written_off[row] = _rounded(seats[seat, at.S_ADJUST] + off) + unknown
            out.engine_off[row] = _rounded(off) + unknown
            score = seats[seat, at.S_SCORE]
            out.score[row] = 0 if np.isnan(score) else int(score)
            out.payout[row], out.cap[row] = _rounded(payout), _rounded(seats[seat, at.S_CAP])
            out.share[row], out.wins[row] = _rounded(share), seats[seat, at.S_WINS]
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
