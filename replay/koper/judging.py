"""Every line of a game against the rules: what is printed, bet and paid."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import kernel, part
from .. import findings as rules
from ..records import DAMAGED, DEVIATION, VIOLATION
from . import game as rule
from . import layout as at
from . import settle
from .picking import find

Floats = NDArray[np.float64]
Finds = NDArray[np.void]
Counts = NDArray[np.int64]
_LAST_GAME: Final = 0.1
"""How far a stack may be off after a game for which no stacks are printed."""


@part
def explained(
    finds: Finds,
    used: Counts,
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
    find(finds, used, game, line, seat, check, due, said, DEVIATION)
    row = finds[used[at.U_FINDINGS] - 1]
    row["chips"], row["deviation"] = chips, deviation


@part
def expect(
    finds: Finds,
    used: Counts,
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
        find(finds, used, game, line, seat, check, due, said, VIOLATION)
        finds[used[at.U_FINDINGS] - 1]["chips"] = said - due
        return False
    return True


@part
def judge_cards(games: Floats, seats: Floats, game: int, finds: Finds, used: Counts) -> None:
    """No card twice."""
    dealt = 0
    for k in range(5):
        card = int(games[game, at.G_BOARD + k]) if games[game, at.G_BOARD] >= 0 else -1
        if card >= 0:
            if dealt >> card & 1:
                find(finds, used, game, games[game, at.G_LINE], -1, rules.DECK, np.nan, card, VIOLATION)
            dealt |= 1 << card
    for k in range(at.PLAYERS):
        seat = game * at.PLAYERS + k
        for hole in range(2):
            card = int(seats[seat, at.S_HOLE + hole]) if seats[seat, at.S_HOLE] >= 0 else -1
            if card >= 0:
                if dealt >> card & 1:
                    find(
                        finds, used, game, seats[seat, at.S_LINE_DEAL], k, rules.DECK, np.nan, card, VIOLATION
                    )
                dealt |= 1 << card


@part
def judge_bets(games: Floats, seats: Floats, game: int, finds: Finds, used: Counts) -> None:
    """Who is out, who must decide, how much each may bet."""
    streets = int(games[game, at.G_STREETS])
    for k in range(at.PLAYERS):
        seat = game * at.PLAYERS + k
        state, start, error = seats[seat, at.S_STATE], seats[seat, at.S_START], seats[seat, at.S_ERROR]
        near = error + at.HALF_CENT
        if state == at.ABSENT:
            continue
        if state == at.OUT_AT_BUY_IN or state == at.OUT_AT_FLOP:
            line, stub = seats[seat, at.S_LINE_OUT], seats[seat, at.S_STUB]
            had = start if state == at.OUT_AT_BUY_IN else start - rule.BUY_IN
            if (
                expect(finds, used, game, line, k, rules.ELIMINATED, had, stub, near)
                and stub - at.HALF_CENT >= rule.LEAST_STACK
            ):
                find(finds, used, game, line, k, rules.ELIMINATED, rule.LEAST_STACK, stub, VIOLATION)
            continue
        line = seats[seat, at.S_LINE_DEAL]
        needed = rule.BUY_IN + (rule.LEAST_STACK if streets > 1 else 0.0)
        if start < needed - near:
            find(finds, used, game, line, k, rules.PLAYS_ON, needed, start, VIOLATION)
        before, lacking = 0.0, settle.undecided(seats, seat, streets)
        has = start - rule.BUY_IN
        for street in range(1, streets):
            bet, line = seats[seat, at.S_BET_1 + street - 1], seats[seat, at.S_LINE_1 + street - 1]
            prob = seats[seat, at.S_PROB_1 + street - 1]
            if street == lacking:
                find(
                    finds,
                    used,
                    game,
                    games[game, at.G_LAST_LINE],
                    k,
                    rules.UNDECIDED,
                    street,
                    np.nan,
                    DAMAGED,
                )
                break
            if prob < 0 or prob > 100 or abs(prob * 10 - np.floor(prob * 10 + 0.5)) > 1e-6:
                find(finds, used, game, line, k, rules.WIN_PROB, np.nan, prob, VIOLATION)
            if state == at.FOLDED:
                break
            least, most = rule.least_bet(street, before), rule.most_bet(street, before)
            slack = 1e-6 if street == 1 else 2.5 * at.HALF_CENT
            if bet > has + near or bet > most + slack:
                find(
                    finds,
                    used,
                    game,
                    line,
                    k,
                    rules.BET_HIGH,
                    most if has != has else min(most, has),
                    bet,
                    VIOLATION,
                )
            elif bet < least - slack:
                if abs(bet - has) > near:
                    find(finds, used, game, line, k, rules.BET_LOW, least, bet, VIOLATION)
                else:
                    explained(finds, used, game, line, k, rules.BET_LOW, least, bet, 0.0, rule.SHORT_BET)
            before = bet
            has -= bet
            near += at.HALF_CENT


@part
def judge_ending(games: Floats, seats: Floats, game: int, finds: Finds, used: Counts) -> bool:
    """True where a game ends as its players' decisions make it."""
    base = game * at.PLAYERS
    remain = paid = 0
    for seat in range(base, base + at.PLAYERS):
        remain += seats[seat, at.S_STATE] == at.IN
        paid += at.IN <= seats[seat, at.S_STATE] <= at.FOLDED or seats[seat, at.S_STATE] == at.OUT_AT_FLOP
    due = at.SHOWDOWN if remain > 1 else at.EARLY if remain == 1 else at.ALL_FOLD
    if paid < 2:
        due = at.ABORTED
    elif games[game, at.G_END] == at.ABORTED:
        due = at.RUNNING
    if games[game, at.G_END] != due:
        line = games[game, at.G_LAST_LINE]
        find(finds, used, game, line, -1, rules.ENDING, due, remain, VIOLATION)
        return False
    return True


@part
def _line_of(games: Floats, game: int, column: int) -> float:
    """The line that a column notes, the game's last where none says it."""
    line: float = games[game, column]
    return line if line == line else float(games[game, at.G_LAST_LINE])


@part
def judge_showdown(
    games: Floats,
    seats: Floats,
    game: int,
    version: int,
    near: float,
    left: float,
    sharers: int,
    finds: Finds,
    used: Counts,
) -> None:
    """Winners, hand score, prizes, what is left and who share it."""
    base = game * at.PLAYERS
    line = _line_of(games, game, at.G_LINE_POT)
    winners = place = 0
    paid = best = 0.0
    capped = at.HALF_CENT * 14
    for k in range(at.PLAYERS):
        seat = base + k
        wins = seats[seat, at.S_WINS] > 0
        winners += wins
        paid += seats[seat, at.S_PAYOUT]
        if wins:
            best = seats[seat, at.S_SCORE]
        if version == 2 and wins:
            if place < games[game, at.G_PRIZES]:
                row = games[game, at.G_PRIZE_LINE + place]
                if not int(games[game, at.G_PRIZE_MASK + place]) >> k & 1:
                    find(finds, used, game, row, k, rules.WINNER, seats[seat, at.S_SCORE], np.nan, VIOLATION)
                cap, won = games[game, at.G_PRIZE_CAP + place], games[game, at.G_PRIZE_WON + place]
                expect(finds, used, game, row, k, rules.WIN_CAP, seats[seat, at.S_CAP], cap, capped)
                exact = min(games[game, at.G_POT] / games[game, at.G_PRIZES], cap)
                if expect(finds, used, game, row, k, rules.PAID, exact, won, 2 * at.HALF_CENT):
                    expect(
                        finds, used, game, row, k, rules.PAID, seats[seat, at.S_PAYOUT], won, near + capped
                    )
                seats[seat, at.S_WON] = won
            place += 1
    for k in range(at.PLAYERS):
        seat = base + k
        if version == 1 and (seats[seat, at.S_WON] == 1) != (seats[seat, at.S_WINS] > 0):
            find(finds, used, game, line, k, rules.WINNER, best, seats[seat, at.S_SCORE], VIOLATION)
    printed = games[game, at.G_COUNT] if version == 1 else games[game, at.G_PRIZES]
    expect(finds, used, game, line, -1, rules.WINNERS, winners, printed, 0.0)
    expect(finds, used, game, line, -1, rules.POT, paid + left, games[game, at.G_POT], near)
    if version == 1:
        expect(finds, used, game, line, -1, rules.HAND_SCORE, best, games[game, at.G_SCORE], 0.0)
        line = _line_of(games, game, at.G_LINE_LEFT)
        expect(finds, used, game, line, -1, rules.PAID, paid, games[game, at.G_PAID], near + capped * winners)
        rest = games[game, at.G_POT] - games[game, at.G_PAID]
    else:
        told = games[game, at.G_COUNT]
        if told == told or winners > 1:
            expect(finds, used, game, line, -1, rules.WINNERS, winners, 1.0 if told != told else told, 0.0)
        rest = games[game, at.G_POT]
        for k in range(int(games[game, at.G_PRIZES])):
            rest -= games[game, at.G_PRIZE_WON + k]
        line = games[game, at.G_LINE_LEFT] if games[game, at.G_LEFT] >= 0 else line
    said = games[game, at.G_LEFT]
    expect(
        finds,
        used,
        game,
        line,
        -1,
        rules.LEFT,
        rest,
        0.0 if said != said else said,
        (3 + winners) * at.HALF_CENT,
    )
    if said == said:
        expect(finds, used, game, line, -1, rules.SHARERS, sharers, games[game, at.G_AMONG], 0.0)
        share = said / games[game, at.G_AMONG] if games[game, at.G_AMONG] > 0 else np.nan
        expect(finds, used, game, line, -1, rules.SHARE, share, games[game, at.G_EACH], 2 * at.HALF_CENT)


@part
def judge_pay(
    games: Floats, seats: Floats, game: int, version: int, figures: Floats, finds: Finds, used: Counts
) -> None:
    """What is printed of the pot and the pay, and how far the engine departs from the written rules."""
    base, end = game * at.PLAYERS, games[game, at.G_END]
    pot, near = figures[game, 0], (figures[game, 1] + 1) * at.HALF_CENT
    line = _line_of(games, game, at.G_LINE_POT)
    if end == at.SHOWDOWN:
        judge_showdown(
            games, seats, game, version, near, figures[game, 2], int(figures[game, 3]), finds, used
        )
    elif end == at.EARLY:
        expect(finds, used, game, line, -1, rules.POT, pot, games[game, at.G_POT], near)
    for k in range(at.PLAYERS):
        seat = base + k
        paid = seats[seat, at.S_PAYOUT]
        if end == at.EARLY and seats[seat, at.S_STATE] == at.IN:
            if np.isnan(seats[seat, at.S_WON]):
                find(finds, used, game, line, k, rules.WINNER, np.nan, np.nan, VIOLATION)
            expect(
                finds, used, game, line, k, rules.PAID, paid, games[game, at.G_PAID], near + at.HALF_CENT * 4
            )
            if version == 2 or seats[seat, at.S_CAP] > pot:
                expect(
                    finds,
                    used,
                    game,
                    line,
                    k,
                    rules.PAID,
                    games[game, at.G_POT],
                    games[game, at.G_PAID],
                    1e-6,
                )
        if end == at.ALL_FOLD and version == 2 and seats[seat, at.S_STATE] == at.FOLDED:
            received = seats[seat, at.S_RECEIVED]
            expect(finds, used, game, seats[seat, at.S_LINE_STACK], k, rules.PAID, paid, received, near)
        more = seats[seat, at.S_ADJUST]
        if abs(more) > near:
            deviation = rule.ELIMINATED_WINS
            if end == at.EARLY:
                deviation = rule.EARLY_WIN_CAPPED
            elif end == at.ALL_FOLD:
                deviation = rule.ALL_FOLD_LOST
            elif end == at.ABORTED:
                deviation = rule.LAST_POT_LOST
            total = paid + seats[seat, at.S_SHARE]
            explained(finds, used, game, line, k, rules.AWARD, total + more, total, -more, deviation)
        else:
            seats[seat, at.S_ADJUST] = 0.0


@part
def judge_stacks(seats: Floats, game: int, version: int, rounded: float, finds: Finds, used: Counts) -> None:
    """The stacks printed after a game against those carried."""
    for k in range(at.PLAYERS):
        seat = game * at.PLAYERS + k
        printed, paid = seats[seat, at.S_PRINTED], seats[seat, at.S_PAYOUT] + seats[seat, at.S_SHARE]
        if printed != printed or seats[seat, at.S_START] != seats[seat, at.S_START]:
            continue
        due = seats[seat, at.S_START] + paid - seats[seat, at.S_PUT]
        if version == 2:
            due -= seats[seat, at.S_SHARE]
        near = seats[seat, at.S_ERROR] + 2 * at.HALF_CENT
        if seats[seat, at.S_STATE] != at.ABSENT and seats[seat, at.S_STATE] != at.FOLDED:
            near += at.HALF_CENT * (3.0 + (rounded + 13.0 if paid > 0 else 0.0))
        if not expect(finds, used, game, seats[seat, at.S_LINE_STACK], k, rules.STACKS, due, printed, near):
            seats[seat, at.S_OFF] = due - printed


@part
def judge_end(games: Floats, seats: Floats, matches: Floats, match: int, finds: Finds, used: Counts) -> None:
    """The final stacks and the counts of wins; what they show is a finding of the last game."""
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
        expect(finds, used, last, matches[match, at.M_FINAL_LINE + k], k, rules.FINAL, due, said, near)
        if whole:
            said = matches[match, at.M_WIN + k]
            expect(finds, used, last, matches[match, at.M_WIN_LINE + k], k, rules.WINS, wins, said, 0.005)


@kernel
def judge(games: Floats, seats: Floats, matches: Floats, figures: Floats, finds: Finds, used: Counts) -> None:
    """Judge every game; verdicts and deviations go to the games' rows, findings of damaged games are damage."""
    for match in range(len(matches)):
        version = int(matches[match, at.M_VERSION])
        first = int(matches[match, at.M_FIRST])
        last = first + int(matches[match, at.M_GAMES])
        for game in range(first, last):
            judge_cards(games, seats, game, finds, used)
            judge_bets(games, seats, game, finds, used)
            if judge_ending(games, seats, game, finds, used):
                judge_pay(games, seats, game, version, figures, finds, used)
                judge_stacks(seats, game, version, figures[game, 1], finds, used)
            games[game, at.G_VERDICT] = games[game, at.G_DEVIATIONS] = 0
        if last > first:
            judge_end(games, seats, matches, match, finds, used)
    for number in range(used[at.U_FINDINGS]):
        row = finds[number]
        game = row["hand"]
        if games[game, at.G_DAMAGED] and row["verdict"] == VIOLATION:
            row["verdict"] = DAMAGED
        games[game, at.G_VERDICT] = max(games[game, at.G_VERDICT], row["verdict"])
        if row["verdict"] == DEVIATION:
            games[game, at.G_DEVIATIONS] = int(games[game, at.G_DEVIATIONS]) | row["deviation"]
