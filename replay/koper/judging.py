"""Every line of a game against the rules: printed figures, bets and pay."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from .. import findings as rules
from .. import records
from ..records import DAMAGED, VIOLATION
from ..verdicts import give_verdicts
from . import game as rule
from . import layout as at
from . import settle
from .reading import Reading, find

Floats = NDArray[np.float64]
_LAST_GAME: Final = 0.1
"""How far a stack may be off after a game that prints no stacks."""
_ANY_PROFILE: Final = 0
"""The lines of a log show its version, so findings note their explanation under the first profile only."""
_CAPPED: Final = at.HALF_CENT * 14
"""How far a cap may be off: it is four times a sum of printed bets."""


@part
def explained(
    reading: Reading,
    game: int,
    line: float,
    seat: int,
    check: int,
    due: float,
    said: float,
    chips: float,
    deviation: int,
) -> None:
    """Write a finding that a deviation explains; chips are what the seat gained by it."""
    row = reading.finds[find(reading, game, line, seat, check, due, said)]
    row["chips"], row["explained"] = chips, deviation


@part
def expect(
    reading: Reading,
    game: int,
    line: float,
    seat: int,
    check: int,
    due: float,
    said: float,
    tolerance: float,
) -> bool:
    """True where an amount is as it should be, or one of the two is not known; else a violation is written."""
    if abs(due - said) > tolerance:
        row = find(reading, game, line, seat, check, due, said)
        reading.finds[row]["chips"] = said - due
        return False
    return True


@part
def _seen(reading: Reading, game: int, line: float, seat: int, card: int, dealt: int) -> int:
    """The cards dealt, a bit each, with one more where it is known."""
    if card < 0:
        return dealt
    if dealt >> card & 1:
        find(reading, game, line, seat, rules.DECK, np.nan, card)
    return dealt | 1 << card


@part
def judge_cards(reading: Reading, game: int) -> None:
    """No card twice."""
    games, seats = reading.games, reading.seats
    dealt = 0
    if games[game, at.G_BOARD] >= 0:
        for k in range(5):
            card = int(games[game, at.G_BOARD + k])
            dealt = _seen(reading, game, games[game, at.G_LINE], -1, card, dealt)
    for k in range(at.PLAYERS):
        seat = game * at.PLAYERS + k
        if seats[seat, at.S_HOLE] >= 0:
            for hole in range(2):
                card = int(seats[seat, at.S_HOLE + hole])
                dealt = _seen(reading, game, seats[seat, at.S_LINE_DEAL], k, card, dealt)


@part
def judge_seats(reading: Reading, game: int) -> None:
    """Eliminations, decisions that are due, and the size of bets."""
    for k in range(at.PLAYERS):
        state = reading.seats[game * at.PLAYERS + k, at.S_STATE]
        if state == at.OUT_AT_BUY_IN or state == at.OUT_AT_FLOP:
            _judge_stub(reading, game, k)
        elif state != at.ABSENT:
            _judge_player(reading, game, k)


@part
def _judge_stub(reading: Reading, game: int, k: int) -> None:
    """A player is out with all that he had, which is too little to play on."""
    row = reading.seats[game * at.PLAYERS + k]
    line, stub = row[at.S_LINE_OUT], row[at.S_STUB]
    had = row[at.S_START] if row[at.S_STATE] == at.OUT_AT_BUY_IN else row[at.S_START] - rule.BUY_IN
    near = row[at.S_ERROR] + at.HALF_CENT
    told = expect(reading, game, line, k, rules.ELIMINATED, had, stub, near)
    if told and stub - at.HALF_CENT >= rule.LEAST_STACK:
        find(reading, game, line, k, rules.ELIMINATED, rule.LEAST_STACK, stub)


@part
def _judge_player(reading: Reading, game: int, k: int) -> None:
    """A player has the chips to play on, and decides in every round until he folds."""
    seat, streets = game * at.PLAYERS + k, int(reading.games[game, at.G_STREETS])
    row = reading.seats[seat]
    near = row[at.S_ERROR] + at.HALF_CENT
    needed = rule.BUY_IN + (rule.LEAST_STACK if streets > 1 else 0.0)
    if row[at.S_START] < needed - near:
        find(reading, game, row[at.S_LINE_DEAL], k, rules.PLAYS_ON, needed, row[at.S_START])
    lacking = settle.undecided(reading.seats, seat, streets)
    before, has = 0.0, row[at.S_START] - rule.BUY_IN
    for street in range(1, streets):
        if street == lacking:
            line = reading.games[game, at.G_LAST_LINE]
            find(reading, game, line, k, rules.UNDECIDED, float(street), np.nan)
            break
        line, prob = row[at.S_LINE_1 + street - 1], row[at.S_PROB_1 + street - 1]
        if prob < 0 or prob > 100 or abs(prob * 10 - np.floor(prob * 10 + 0.5)) > 1e-6:
            find(reading, game, line, k, rules.WIN_PROB, np.nan, prob)
        if row[at.S_STATE] == at.FOLDED:
            break
        bet = row[at.S_BET_1 + street - 1]
        _judge_bet(reading, game, k, street, bet, before, has, near)
        before = bet
        has -= bet
        near += at.HALF_CENT


@part
def _judge_bet(
    reading: Reading, game: int, k: int, street: int, bet: float, before: float, has: float, near: float
) -> None:
    """A bet within the round's limits and the player's chips.

    before: his bet of the round before; has: his chips, printed amounts being off by no more than near
    """
    line = reading.seats[game * at.PLAYERS + k, at.S_LINE_1 + street - 1]
    least, most = rule.least_bet(street, before), rule.most_bet(street, before)
    slack = 1e-6 if street == 1 else 2.5 * at.HALF_CENT
    if bet > has + near or bet > most + slack:
        find(reading, game, line, k, rules.BET_HIGH, most if has != has else min(most, has), bet)
    elif bet < least - slack:
        if abs(bet - has) > near:
            find(reading, game, line, k, rules.BET_LOW, least, bet)
        else:
            explained(reading, game, line, k, rules.BET_LOW, least, bet, 0.0, rule.SHORT_BET)


@part
def judge_ending(reading: Reading, game: int) -> bool:
    """True where a game ends as its players' decisions make it."""
    base, end, seats = game * at.PLAYERS, reading.games[game, at.G_END], reading.seats
    remain = paid = 0
    for seat in range(base, base + at.PLAYERS):
        remain += seats[seat, at.S_STATE] == at.IN
        paid += at.IN <= seats[seat, at.S_STATE] <= at.FOLDED or seats[seat, at.S_STATE] == at.OUT_AT_FLOP
    due = at.SHOWDOWN if remain > 1 else at.EARLY if remain == 1 else at.ALL_FOLD
    if paid < 2:
        due = at.ABORTED
    elif end == at.ABORTED:
        due = at.RUNNING
    if end != due:
        find(reading, game, reading.games[game, at.G_LAST_LINE], -1, rules.ENDING, due, remain)
        return False
    return True


@part
def _line_of(games: Floats, game: int, column: int) -> float:
    """The line that a column notes, the game's last where none says it."""
    line: float = games[game, column]
    return line if line == line else float(games[game, at.G_LAST_LINE])


@part
def judge_showdown(reading: Reading, game: int, version: int, near: float, figures: Floats) -> None:
    """Winners, hand score, prizes, and the rest of the pot with its sharers."""
    row, line = reading.games[game], _line_of(reading.games, game, at.G_LINE_POT)
    winners = 0
    paid = best = 0.0
    for k in range(at.PLAYERS):
        seat = reading.seats[game * at.PLAYERS + k]
        paid += seat[at.S_PAYOUT]
        if seat[at.S_WINS] > 0:
            best = seat[at.S_SCORE]
            if version == 2 and winners < row[at.G_PRIZES]:
                _judge_prize(reading, game, k, winners, near)
            winners += 1
    pot, left = row[at.G_POT], figures[game, 2]
    if version == 1:
        _judge_marks(reading, game, line, best)
        expect(reading, game, line, -1, rules.WINNERS, winners, row[at.G_COUNT], 0.0)
        expect(reading, game, line, -1, rules.POT, paid + left, pot, near)
        expect(reading, game, line, -1, rules.HAND_SCORE, best, row[at.G_SCORE], 0.0)
        line = _line_of(reading.games, game, at.G_LINE_LEFT)
        expect(reading, game, line, -1, rules.PAID, paid, row[at.G_PAID], near + _CAPPED * winners)
        rest = pot - row[at.G_PAID]
    else:
        expect(reading, game, line, -1, rules.WINNERS, winners, row[at.G_PRIZES], 0.0)
        expect(reading, game, line, -1, rules.POT, paid + left, pot, near)
        told = row[at.G_COUNT]
        if told == told or winners > 1:
            expect(reading, game, line, -1, rules.WINNERS, winners, 1.0 if told != told else told, 0.0)
        rest = pot
        for k in range(int(row[at.G_PRIZES])):
            rest -= row[at.G_PRIZE_WON + k]
        line = row[at.G_LINE_LEFT] if row[at.G_LEFT] >= 0 else line
    _judge_left(reading, game, line, rest, winners, int(figures[game, 3]))


@part
def _judge_marks(reading: Reading, game: int, line: float, best: float) -> None:
    """Version 1 marks the winners, and nobody else."""
    for k in range(at.PLAYERS):
        seat = reading.seats[game * at.PLAYERS + k]
        if (seat[at.S_WON] == 1) != (seat[at.S_WINS] > 0):
            find(reading, game, line, k, rules.WINNER, best, seat[at.S_SCORE])


@part
def _judge_prize(reading: Reading, game: int, k: int, place: int, near: float) -> None:
    """Version 2 prints a prize for each winner: whose, limited by which cap, how much."""
    row, seat = reading.games[game], reading.seats[game * at.PLAYERS + k]
    line = row[at.G_PRIZE_LINE + place]
    if not int(row[at.G_PRIZE_MASK + place]) >> k & 1:
        find(reading, game, line, k, rules.WINNER, seat[at.S_SCORE], np.nan)
    cap, won = row[at.G_PRIZE_CAP + place], row[at.G_PRIZE_WON + place]
    expect(reading, game, line, k, rules.WIN_CAP, seat[at.S_CAP], cap, _CAPPED)
    exact = min(row[at.G_POT] / row[at.G_PRIZES], cap)
    if expect(reading, game, line, k, rules.PAID, exact, won, 2 * at.HALF_CENT):
        expect(reading, game, line, k, rules.PAID, seat[at.S_PAYOUT], won, near + _CAPPED)
    seat[at.S_WON] = won


@part
def _judge_left(reading: Reading, game: int, line: float, rest: float, winners: int, sharers: int) -> None:
    """What the prizes leave of the pot, and how it is shared."""
    row = reading.games[game]
    said, among = row[at.G_LEFT], row[at.G_AMONG]
    near = (3 + winners) * at.HALF_CENT
    expect(reading, game, line, -1, rules.LEFT, rest, 0.0 if said != said else said, near)
    if said == said:
        expect(reading, game, line, -1, rules.SHARERS, sharers, among, 0.0)
        share = said / among if among > 0 else np.nan
        expect(reading, game, line, -1, rules.SHARE, share, row[at.G_EACH], 2 * at.HALF_CENT)


@part
def judge_pay(reading: Reading, game: int, version: int, figures: Floats) -> None:
    """The printed pot and pay, and how far the engine departs from the written rules."""
    row, line = reading.games[game], _line_of(reading.games, game, at.G_LINE_POT)
    pot, near = figures[game, 0], (figures[game, 1] + 1) * at.HALF_CENT
    if row[at.G_END] == at.SHOWDOWN:
        judge_showdown(reading, game, version, near, figures)
    elif row[at.G_END] == at.EARLY:
        expect(reading, game, line, -1, rules.POT, pot, row[at.G_POT], near)
    for k in range(at.PLAYERS):
        seat = reading.seats[game * at.PLAYERS + k]
        if row[at.G_END] == at.EARLY and seat[at.S_STATE] == at.IN:
            _judge_early_win(reading, game, line, k, version == 2 or seat[at.S_CAP] > pot, near)
        if row[at.G_END] == at.ALL_FOLD and version == 2 and seat[at.S_STATE] == at.FOLDED:
            due, received = seat[at.S_PAYOUT], seat[at.S_RECEIVED]
            expect(reading, game, seat[at.S_LINE_STACK], k, rules.PAID, due, received, near)
        _judge_departure(reading, game, line, k, near)


@part
def _judge_early_win(reading: Reading, game: int, line: float, k: int, is_whole: bool, near: float) -> None:
    """The log names the last player in as the winner and pays him; is_whole: all of the pot."""
    row, seat = reading.games[game], reading.seats[game * at.PLAYERS + k]
    if np.isnan(seat[at.S_WON]):
        find(reading, game, line, k, rules.WINNER, np.nan, np.nan)
    expect(reading, game, line, k, rules.PAID, seat[at.S_PAYOUT], row[at.G_PAID], near + at.HALF_CENT * 4)
    if is_whole:
        expect(reading, game, line, k, rules.PAID, row[at.G_POT], row[at.G_PAID], 1e-6)


@part
def _judge_departure(reading: Reading, game: int, line: float, k: int, near: float) -> None:
    """The written rules pay more or less than the engine did: a deviation, unless rounding explains it."""
    seat, end = reading.seats[game * at.PLAYERS + k], reading.games[game, at.G_END]
    more = seat[at.S_ADJUST]
    if abs(more) > near:
        deviation = rule.ELIMINATED_WINS
        if end == at.EARLY:
            deviation = rule.EARLY_WIN_CAPPED
        elif end == at.ALL_FOLD:
            deviation = rule.ALL_FOLD_LOST
        elif end == at.ABORTED:
            deviation = rule.LAST_POT_LOST
        total = seat[at.S_PAYOUT] + seat[at.S_SHARE]
        explained(reading, game, line, k, rules.AWARD, total + more, total, -more, deviation)
    else:
        seat[at.S_ADJUST] = 0.0


@part
def judge_stacks(reading: Reading, game: int, version: int, rounded: float) -> None:
    """The stacks printed after a game against those carried."""
    for k in range(at.PLAYERS):
        seat = reading.seats[game * at.PLAYERS + k]
        printed, paid = seat[at.S_PRINTED], seat[at.S_PAYOUT] + seat[at.S_SHARE]
        if printed != printed or seat[at.S_START] != seat[at.S_START]:
            continue
        due = seat[at.S_START] + paid - seat[at.S_PUT]
        if version == 2:
            due -= seat[at.S_SHARE]
        near = seat[at.S_ERROR] + 2 * at.HALF_CENT
        if seat[at.S_STATE] != at.ABSENT and seat[at.S_STATE] != at.FOLDED:
            near += at.HALF_CENT * (3.0 + (rounded + 13.0 if paid > 0 else 0.0))
        if not expect(reading, game, seat[at.S_LINE_STACK], k, rules.STACKS, due, printed, near):
            seat[at.S_OFF] = due - printed


@part
def judge_end(reading: Reading, match: int) -> None:
    """The final stacks and the counts of wins; what they show is a finding of the last game."""
    games, seats, matches = reading.games, reading.seats, reading.matches
    first = int(matches[match, at.M_FIRST])
    last = first + int(matches[match, at.M_GAMES]) - 1
    # The wins of a damaged game are not known.
    whole = games[first, at.G_NUMBER] == 1
    for game in range(first, last + 1):
        whole = whole and not games[game, at.G_DAMAGED]
    for k in range(at.PLAYERS):
        wins = 0.0
        for game in range(first, last + 1):
            wins += seats[game * at.PLAYERS + k, at.S_WINS]
        seat = last * at.PLAYERS + k
        near = 2 * at.HALF_CENT
        if matches[match, at.M_VERSION] == 2:
            near += seats[seat, at.S_ERROR] + _LAST_GAME
        due, said = seats[seat, at.S_AFTER], matches[match, at.M_FINAL + k]
        expect(reading, last, matches[match, at.M_FINAL_LINE + k], k, rules.FINAL, due, said, near)
        if whole:
            said = matches[match, at.M_WIN + k]
            expect(reading, last, matches[match, at.M_WIN_LINE + k], k, rules.WINS, wins, said, 0.005)


@kernel
def judge(reading: Reading, figures: Floats, hands: NDArray[np.void]) -> None:
    """Judge every game; findings of damaged games are damage, since no stack of such a game is sure.

    figures: of `settle`; hands: (games,) `records.HAND` out, only lines and verdicts are written
    """
    games, matches, finds = reading.games, reading.matches, reading.finds
    for match in range(len(matches)):
        version = int(matches[match, at.M_VERSION])
        first = int(matches[match, at.M_FIRST])
        last = first + int(matches[match, at.M_GAMES])
        for game in range(first, last):
            judge_cards(reading, game)
            judge_seats(reading, game)
            if judge_ending(reading, game):
                judge_pay(reading, game, version, figures)
                judge_stacks(reading, game, version, figures[game, 1])
            hands[game]["line"] = int(games[game, at.G_LINE])
        if last > first:
            judge_end(reading, match)
    last = reading.used[records.FINDINGS] + 0
    for number in range(last):
        row = finds[number]
        if games[row["hand"], at.G_DAMAGED] and row["verdict"] == VIOLATION:
            row["verdict"] = DAMAGED
    give_verdicts(hands, 0, reading.used[records.HANDS] + 0, finds, 0, last, _ANY_PROFILE, False)
