"""What the kernels of Koper work on: rows of float64, one a game, one a seat of a game, one a match.

Chips are in the log's own unit, lines count in the match's body from 1, cards are codes; NaN means not said.
"""

from typing import Final

from ...parsers.scanner import DECIMALS

PLAYERS: Final = 5

# A game.
(
    G_MATCH,
    G_NUMBER,
    G_LINE,
    G_LAST,
    G_LAST_LINE,
    G_STREETS,
    G_END,
    G_DAMAGED,
    G_BOARD,
    _BOARD_1,
    _BOARD_2,
    _BOARD_3,
    _BOARD_4,
    G_LINE_1,
    G_LINE_2,
    G_LINE_3,
    G_LINE_POT,
    G_LINE_LEFT,
    G_POT,
    G_PAID,
    G_LEFT,
    G_EACH,
    G_AMONG,
    G_SCORE,
    G_COUNT,
    G_PRIZES,
    G_PRIZE_MASK,
) = range(27)
"""match, number, lines, last event, streets reached, how it ended, board; printed: pot, paid, left over
and shared among whom, hand score, count of winners, prizes (v2) with the seats that the name of each can mean."""
G_PRIZE_WON: Final = G_PRIZE_MASK + PLAYERS
G_PRIZE_CAP: Final = G_PRIZE_WON + PLAYERS
G_PRIZE_LINE: Final = G_PRIZE_CAP + PLAYERS
GAME_SIZE: Final = G_PRIZE_LINE + PLAYERS

# How a game ended.
RUNNING, ABORTED, EARLY, ALL_FOLD, SHOWDOWN = range(5)

# A seat of a game.
(
    S_STATE,
    S_HOLE,
    _HOLE_1,
    S_PROB_1,
    S_PROB_2,
    S_PROB_3,
    S_BET_1,
    S_BET_2,
    S_BET_3,
    S_STUB,
    S_PRINTED,
    S_WON,
    S_RECEIVED,
    S_LINE_DEAL,
    S_LINE_OUT,
    S_LINE_1,
    S_LINE_2,
    S_LINE_3,
    S_LINE_STACK,
    S_START,
    S_ERROR,
    S_PUT,
    S_PAYOUT,
    S_SHARE,
    S_CAP,
    S_SCORE,
    S_WINS,
    S_AFTER,
    S_ADJUST,
    S_OFF,
    SEAT_SIZE,
) = range(31)
"""state, cards, win probability and bet by round, stub lost when eliminated; printed: stack, marked winner, received;
lines; then what settling finds: stack at the start and how far it may be off, chips put in, payout, share of what is
left, cap, score, wins, stack afterwards, what the written rules and the engine pay more than was paid."""

# The state of a seat.
ABSENT, IN, FOLDED, OUT_AT_BUY_IN, OUT_AT_FLOP = range(5)

# A match.
(
    M_FIRST,
    M_GAMES,
    M_VERSION,
    M_NUMBER,
    M_REJECTED,
    M_OVER,
    M_FINALS,
    M_WINS,
    M_START,
    M_SHOWN,
    M_CUT,
) = range(11)
"""first game, games, engine version, number printed, line of the game left out (0: none), whether its end is told,
how many final stacks and win counts are; the starting stack as the console or another match of the tournament tells it;
whether a stack is printed from which it follows; whether the last line lacks digits; final stacks and win counts, then
their lines, by seat."""
M_FINAL: Final = 11
M_WIN: Final = M_FINAL + PLAYERS
M_FINAL_LINE: Final = M_WIN + PLAYERS
M_WIN_LINE: Final = M_FINAL_LINE + PLAYERS
MATCH_SIZE: Final = M_WIN_LINE + PLAYERS

HALF_CENT: Final = 0.0051
"""How far a printed amount may be from the engine's, and a little."""
TEN_THOUSANDTHS: Final = 1 / 10**DECIMALS
"""What the scanner counts decimals in."""
