"""From events to games: which line belongs to which game and seat, and what it says; only order is judged here."""

import numpy as np
from numpy.typing import NDArray

from ...parsers import events
from ...parsers.kernels import kernel
from .. import findings as rules
from ..outcome import LINE_REJECTED, LINE_STRAY, LINE_UNKNOWN
from ..records import VIOLATION
from . import layout as at
from .picking import closing, damage, find, follow, pick, poorest

Floats = NDArray[np.float64]

# How far a game has come.
CLOSED, OPENED, DEALING, DEALT, FLOP, TURN, RIVER, SHOWING, RECEIVING, STACKS, AFTER, OVER, STANDINGS = range(
    13
)


@kernel
def gather(
    text: NDArray[np.uint8],
    codes: NDArray[np.uint8],
    lines: NDArray[np.int32],
    args: NDArray[np.int32],
    values: NDArray[np.int64],
    first_event: NDArray[np.int64],
    same: NDArray[np.int64],
    games: Floats,
    seats: Floats,
    matches: Floats,
    finds: NDArray[np.void],
    used: NDArray[np.int64],
    rough: Floats,
    notes: NDArray[np.uint8],
) -> None:
    """Fill rows of games, seats and matches (`layout`) from the events of some matches.

    same (M, 10) int64: the seats that each name of a match can mean, the letters' after the names'; rough (5,) is
    scratch.
    """
    for match in range(len(matches)):
        matches[match, at.M_FIRST] = used[at.U_GAMES]
        version = int(matches[match, at.M_VERSION])
        stage = CLOSED
        game = base = -1
        lost = absent = cursor = counted = 0
        open_seat = -1
        decided = False
        visible = 0
        open_event = opened_finds = 0
        rough[:] = 0.0
        for event in range(first_event[match], first_event[match + 1]):
            code, line, a = int(codes[event]), float(lines[event]), int(args[event])
            notes[event] = 0
            fits = True
            if code == events.UNKNOWN:
                notes[event] = LINE_UNKNOWN
                continue
            if code == events.HEADING:
                continue
            if code == events.ROUND:
                if game >= 0:
                    if stage != CLOSED and stage < AFTER:
                        damage(finds, used, games, game, line, rules.INCOMPLETE, np.nan)
                    follow(rough, seats, base, games[game, at.G_LEFT] / max(games[game, at.G_AMONG], 1.0))
                number = values[a] if version == 1 else values[a + 1]
                if version == 2 and np.isnan(matches[match, at.M_NUMBER]):
                    matches[match, at.M_NUMBER] = values[a]
                before = games[game, at.G_NUMBER] if game >= 0 else number - 1.0
                ended = game >= 0 and (stage >= OVER or games[game, at.G_END] == at.ABORTED)
                game = int(used[at.U_GAMES])
                used[at.U_GAMES] += 1
                opened_finds, open_event = int(used[at.U_FINDINGS]), event
                base = game * at.PLAYERS
                games[game, :] = np.nan
                games[game, at.G_MATCH], games[game, at.G_NUMBER], games[game, at.G_LINE] = (
                    match,
                    number,
                    line,
                )
                games[game, at.G_DAMAGED] = games[game, at.G_PRIZES] = 0
                games[game, at.G_STREETS], games[game, at.G_END] = 1, at.RUNNING
                games[game, at.G_LAST], games[game, at.G_LAST_LINE] = event, line
                seats[base : base + at.PLAYERS, :] = np.nan
                for k in range(at.PLAYERS):
                    seats[base + k, at.S_STATE] = at.ABSENT
                if number != before + 1:
                    games[game, at.G_NUMBER] = before
                    damage(finds, used, games, game, line, rules.SEQUENCE, number)
                    games[game, at.G_NUMBER] = number
                if ended:
                    damage(finds, used, games, game, line, rules.MISPLACED, np.nan)
                stage, cursor, open_seat = OPENED, 0, -1
                continue
            if game < 0:
                notes[event] = LINE_STRAY
                continue
            if code == events.MARKER:
                damage(finds, used, games, game, line, rules.MARKER, np.nan)
                continue
            if stage < AFTER and stage != CLOSED:
                games[game, at.G_LAST], games[game, at.G_LAST_LINE] = event, line

            seat, wrong, expected, logged = -1, -1, np.nan, np.nan
            name, state, column, begin = -1, at.IN, at.S_HOLE, cursor
            if code == events.DEALT or code == events.OUT:
                state = at.ABSENT
                name = a + 1 + values[a] if code == events.DEALT and version == 2 else a
            elif code == events.FOLD or code == events.BET or code == events.SAID:
                name, column = a + 1, at.S_PROB_1
                cursor = begin = cursor if decided else 0
            elif code == events.LATER_BET:
                name, column = a + 1, at.S_PROB_1 + min(max(values[a + 3] - 1, 1), 2)
            elif code == events.EARLY_WIN:
                name, column, begin = a, at.S_WON, 0
            elif code == events.RECEIVES:
                name, state, column = a, at.FOLDED, at.S_RECEIVED
            if name >= 0:
                mask = same[match, values[name]] & (~lost if state == at.ABSENT else -1)
                seat = pick(seats, base, mask, begin, state, column)

            if code == events.BUY_IN:
                fits = stage == OPENED
                stage = DEALING if fits else stage
            elif code == events.DEALT:
                count = int(values[a + 1] if version == 1 else values[a])
                first = a + 2 if version == 1 else a + 1
                fits = stage == DEALING and seat >= 0
                if fits:
                    if seat < cursor:
                        wrong, expected, logged = rules.DEAL_ORDER, cursor, seat
                    cursor = seat + 1
                    seats[base + seat, at.S_STATE], seats[base + seat, at.S_LINE_DEAL] = at.IN, line
                    absent &= ~(1 << seat)
                    for k in range(2):
                        seats[base + seat, at.S_HOLE + k] = values[first + k] if k < count else -1
                    if count != 2:
                        wrong, expected, logged = rules.DEAL, 2.0, count
            elif code == events.OUT:
                eliminated = stage == FLOP and not decided
                if eliminated:
                    seat = poorest(seats, base, same[match, values[a]], rough)
                fits = seat >= 0 and (stage == DEALING or eliminated)
                if fits:
                    if seat < cursor:
                        wrong, expected, logged = rules.TURN, cursor, seat
                    cursor = seat + 1
                    lost |= 1 << seat
                    seats[base + seat, at.S_STATE] = at.OUT_AT_BUY_IN if stage == DEALING else at.OUT_AT_FLOP
                    seats[base + seat, at.S_STUB] = values[a + 1] * at.TEN_THOUSANDTHS
                    seats[base + seat, at.S_LINE_OUT] = line
            elif code == events.COMMUNITY:
                fits = stage == DEALING
                if fits:
                    stage = DEALT
                    for k in range(5):
                        games[game, at.G_BOARD + k] = values[a + 1 + k] if k < values[a] else -1
                    if values[a] != 5:
                        wrong, expected, logged = rules.BOARD_SIZE, 5.0, values[a]
                    for k in range(at.PLAYERS):
                        if seats[base + k, at.S_STATE] == at.ABSENT and not lost >> k & 1:
                            if game == matches[match, at.M_FIRST] and games[game, at.G_NUMBER] > 1:
                                lost |= 1 << k
                            else:
                                # Out since a game that is damaged: told once.
                                wrong = wrong if absent >> k & 1 else rules.UNDEALT
                                absent |= 1 << k
            elif code == events.TOO_FEW:
                fits = stage == DEALT
                if fits:
                    games[game, at.G_END], stage = at.ABORTED, AFTER
            elif code == events.FLOP_BETTING:
                fits = stage == DEALT
                if fits:
                    stage, cursor, decided, visible = FLOP, 0, False, 0
                    games[game, at.G_LINE_1], games[game, at.G_STREETS] = line, 2
            elif code == events.VISIBLE:
                street = int(values[a])
                fits = FLOP <= stage <= RIVER and street == stage - FLOP + 1 and visible == street - 1
                if fits:
                    visible = street
                    if values[a + 1] != street + 2:
                        wrong, expected, logged = rules.BOARD_SIZE, street + 2, values[a + 1]
                    else:
                        for k in range(street + 2):
                            card = games[game, at.G_BOARD + k]
                            if values[a + 2 + k] != card:
                                wrong, expected, logged = rules.BOARD, card, values[a + 2 + k]
            elif code == events.FOLD or code == events.BET or code == events.SAID:
                fits = stage == FLOP and seat >= 0 and visible == 1
                if fits:
                    decided = True
                    if seat < cursor:
                        wrong, expected, logged = rules.TURN, cursor, seat
                    cursor = seat + 1
                    seats[base + seat, at.S_PROB_1] = values[a] * at.TEN_THOUSANDTHS
                    seats[base + seat, at.S_LINE_1] = line
                    bet = 0.0
                    if code == events.BET:
                        bet = values[a + 2] * at.TEN_THOUSANDTHS
                    elif code == events.SAID:
                        bet = closing(text, values[a + 2], values[a + 3])
                        open_seat = seat if np.isnan(bet) else -1
                    if bet > 0 or code == events.BET:
                        seats[base + seat, at.S_BET_1] = bet
                    elif bet == 0:
                        seats[base + seat, at.S_STATE] = at.FOLDED
            elif code == events.CLOSING_FOLD or code == events.CLOSING_BET:
                fits = stage == FLOP and open_seat >= 0
                if fits and code == events.CLOSING_FOLD:
                    seats[base + open_seat, at.S_STATE] = at.FOLDED
                elif fits:
                    seats[base + open_seat, at.S_BET_1] = values[a] * at.TEN_THOUSANDTHS
                open_seat = -1
            elif code == events.TURN_BETTING or code == events.RIVER_BETTING:
                due = FLOP if code == events.TURN_BETTING else TURN
                fits = stage == due
                if fits:
                    stage, cursor = due + 1, 0
                    games[game, at.G_LINE_1 + stage - FLOP] = line
                    games[game, at.G_STREETS] = 2 + stage - FLOP
            elif code == events.LATER_BET:
                street = int(values[a + 3]) - 1
                fits = 1 <= street <= 2 and stage == FLOP + street and seat >= 0
                fits = fits and visible == (street + 1 if version == 1 else 1)
                if fits:
                    if seat < cursor:
                        wrong, expected, logged = rules.TURN, cursor, seat
                    cursor = seat + 1
                    seats[base + seat, at.S_PROB_1 + street] = values[a] * at.TEN_THOUSANDTHS
                    seats[base + seat, at.S_BET_1 + street] = values[a + 2] * at.TEN_THOUSANDTHS
                    seats[base + seat, at.S_LINE_1 + street] = line
            elif code == events.EARLY_WIN:
                fits = stage == FLOP and seat >= 0
                if fits:
                    games[game, at.G_END] = at.EARLY
                    games[game, at.G_POT] = values[a + 1] * at.TEN_THOUSANDTHS
                    games[game, at.G_PAID] = seats[base + seat, at.S_WON] = values[a + 2] * at.TEN_THOUSANDTHS
                    games[game, at.G_LINE_POT] = line
                    stage, counted = STACKS if version == 1 else AFTER, 0
            elif code == events.NOBODY:
                fits = stage == TURN and values[a] == 2 and visible == 2
                if fits:
                    games[game, at.G_END], games[game, at.G_LINE_POT] = at.ALL_FOLD, line
                    games[game, at.G_STREETS] = 2
                    stage, counted = STACKS, 0
            elif code == events.ALL_FOLDED:
                fits = stage == FLOP
                if fits:
                    games[game, at.G_END], games[game, at.G_LINE_POT] = at.ALL_FOLD, line
                    stage, cursor = RECEIVING, 0
            elif code == events.RECEIVES:
                fits = stage == RECEIVING and seat >= 0
                if fits:
                    cursor = seat + 1
                    seats[base + seat, at.S_RECEIVED] = values[a + 1] * at.TEN_THOUSANDTHS
                    seats[base + seat, at.S_LINE_STACK] = line
                    left = 0
                    for k in range(at.PLAYERS):
                        folded = seats[base + k, at.S_STATE] == at.FOLDED
                        left += folded and np.isnan(seats[base + k, at.S_RECEIVED])
                    stage = AFTER if left == 0 else stage
            elif code == events.SHOWDOWN:
                fits = stage == RIVER
                if fits:
                    games[game, at.G_END], stage = at.SHOWDOWN, SHOWING
            elif code == events.WINNER or events.DRAW_2 <= code <= events.DRAW_5:
                winners = 1 if code == events.WINNER else code - events.DRAW_2 + 2
                fits = stage == SHOWING and np.isnan(games[game, at.G_SCORE])
                if fits:
                    for k in range(winners):
                        seats[base + values[a + k], at.S_WON] = 1
                    games[game, at.G_SCORE], games[game, at.G_COUNT] = values[a + winners], winners
                    games[game, at.G_LINE_POT] = line
            elif code == events.TOTAL:
                fits = stage == SHOWING and np.isnan(games[game, at.G_POT])
                if fits:
                    games[game, at.G_POT] = values[a] * at.TEN_THOUSANDTHS
                    games[game, at.G_PAID] = values[a + 1] * at.TEN_THOUSANDTHS
                    games[game, at.G_LINE_LEFT] = line
                    stage, counted = STACKS, 0
            elif code == events.REDISTRIBUTED or code == events.LEFT:
                due = STACKS if version == 1 else AFTER
                fits = (
                    stage == due and games[game, at.G_END] == at.SHOWDOWN and np.isnan(games[game, at.G_LEFT])
                )
                if fits:
                    games[game, at.G_LEFT] = values[a] * at.TEN_THOUSANDTHS
                    games[game, at.G_LINE_LEFT] = line
                    if version == 1:
                        games[game, at.G_EACH] = values[a + 1] * at.TEN_THOUSANDTHS
                    games[game, at.G_AMONG] = values[a + 2 if version == 1 else a + 1]
                    games[game, at.G_LAST], games[game, at.G_LAST_LINE] = event, line
                    if version == 2:
                        stage = CLOSED
            elif code == events.WIN_COUNT:
                fits = stage == SHOWING and np.isnan(games[game, at.G_COUNT])
                if fits:
                    games[game, at.G_COUNT] = values[a]
            elif code == events.PRIZE:
                k = int(games[game, at.G_PRIZES])
                fits = stage == SHOWING and k < at.PLAYERS
                if fits:
                    games[game, at.G_PRIZES] = k + 1
                    games[game, at.G_PRIZE_MASK + k] = same[match, values[a]]
                    games[game, at.G_PRIZE_WON + k] = values[a + 1] * at.TEN_THOUSANDTHS
                    games[game, at.G_PRIZE_CAP + k] = values[a + 2] * at.TEN_THOUSANDTHS
                    games[game, at.G_PRIZE_LINE + k] = games[game, at.G_LINE_POT] = line
                    pot = values[a + 3] * at.TEN_THOUSANDTHS
                    if k and pot != games[game, at.G_POT]:
                        wrong, expected, logged = rules.POT, games[game, at.G_POT], pot
                    games[game, at.G_POT] = pot
                    counted = 0
            elif code == events.STACK and version == 1 and stage >= OVER:
                fits = stage == STANDINGS and np.isnan(matches[match, at.M_FINAL + values[a]])
                if fits:
                    matches[match, at.M_FINAL + values[a]] = values[a + 1] * at.TEN_THOUSANDTHS
                    matches[match, at.M_FINAL_LINE + values[a]] = line
                    matches[match, at.M_FINALS] += 1
            elif code == events.STACK:
                fits = stage == STACKS or (stage == SHOWING and version == 2 and games[game, at.G_PRIZES] > 0)
                fits = fits and bool(same[match, values[a]] >> counted & 1)
                if fits:
                    seats[base + counted, at.S_PRINTED] = values[a + 1] * at.TEN_THOUSANDTHS
                    seats[base + counted, at.S_LINE_STACK] = line
                    counted += 1
                    stage = STACKS if counted < at.PLAYERS else AFTER
            elif code == events.MATCH_OVER:
                fits = stage == AFTER and version == 1
                stage = OVER if fits else stage
            elif code == events.STANDINGS:
                fits = stage == OVER
                stage = STANDINGS if fits else stage
            elif code == events.WINS:
                fits = stage == STANDINGS and np.isnan(matches[match, at.M_WIN + values[a]])
                if fits:
                    matches[match, at.M_WIN + values[a]] = values[a + 1] * at.TEN_THOUSANDTHS
                    matches[match, at.M_WIN_LINE + values[a]] = line
                    matches[match, at.M_WINS] += 1
            else:
                fits = False
            if not fits or wrong == rules.UNDEALT:
                damage(finds, used, games, game, line, wrong if fits else rules.MISPLACED, np.nan)
            elif wrong >= 0:
                find(finds, used, game, line, seat, wrong, expected, logged, VIOLATION)

        waits = False
        if game >= 0 and version == 2 and stage == AFTER and games[game, at.G_END] == at.SHOWDOWN:
            paid = 0.0
            for k in range(int(games[game, at.G_PRIZES])):
                paid += games[game, at.G_PRIZE_WON + k]
            waits = games[game, at.G_POT] - paid > 0.05
        if game >= 0 and (waits or (stage < AFTER and stage != CLOSED)):
            matches[match, at.M_REJECTED] = games[game, at.G_LINE]
            used[at.U_GAMES] -= 1
            used[at.U_FINDINGS] = opened_finds
            for event in range(open_event, first_event[match + 1]):
                if notes[event] == 0:
                    notes[event] = LINE_REJECTED
        matches[match, at.M_GAMES] = used[at.U_GAMES] - matches[match, at.M_FIRST]
        matches[match, at.M_OVER] = stage >= OVER
