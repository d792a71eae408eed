"""What a game of Koper pays: by the engine, and how much more by the written rules. Scores of hands, stacks carried."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from ..evaluator import strength, strength_of
from . import game as rule
from . import layout as at

Floats = NDArray[np.float64]
_RANKS: Final = 13


@cache
def ranking() -> NDArray[np.int64]:
    """Every strength that five cards can have, best first: a hand score is the place in it, from 1 to 7,462."""
    found = set()
    for ranks in combinations_with_replacement(range(_RANKS), 5):
        if max(Counter(ranks).values()) == 5:
            continue
        suits = [0, 0, 0, 0]
        for place, rank in enumerate(ranks):
            suits[ranks[:place].count(rank)] |= 1 << rank
        if len(set(ranks)) == 5:
            found.add(strength(suits[0], 0, 0, 0))
            suits = [suits[0] & ~(1 << ranks[0]), 1 << ranks[0], 0, 0]
        found.add(strength(*suits))
    return np.array(sorted(found, reverse=True), np.int64)


@part
def score_of(value: int, best_first: NDArray[np.int64]) -> int:
    """The place of a strength in `ranking`, from 1."""
    low, high = 0, len(best_first)
    while low < high:
        middle = (low + high) // 2
        if best_first[middle] > value:
            low = middle + 1
        else:
            high = middle
    return low + 1


@part
def count_of(seats: Floats, base: int, state: int) -> int:
    """Seats in a state."""
    count = 0
    for seat in range(base, base + at.PLAYERS):
        count += seats[seat, at.S_STATE] == state
    return count


@part
def bets_of(seats: Floats, seat: int) -> float:
    """What a seat has bet."""
    total = 0.0
    for column in range(at.S_BET_1, at.S_BET_3 + 1):
        if not np.isnan(seats[seat, column]):
            total += seats[seat, column]
    return total


@part
def contribute(seats: Floats, base: int) -> tuple[float, int]:
    """Write what each seat put in; (the pot, how many of its amounts are rounded to the cent)."""
    pot = 0.0
    rounded = 0
    for seat in range(base, base + at.PLAYERS):
        state, put = seats[seat, at.S_STATE], 0.0
        if state == at.IN or state == at.FOLDED or state == at.OUT_AT_FLOP:
            put = rule.BUY_IN + bets_of(seats, seat)
        if state == at.OUT_AT_BUY_IN or state == at.OUT_AT_FLOP:
            put += seats[seat, at.S_STUB]
            rounded += 1
        for column in range(at.S_BET_1, at.S_BET_3 + 1):
            rounded += not np.isnan(seats[seat, column])
        seats[seat, at.S_PUT] = put
        pot += put
    return pot, rounded


@part
def best_score(seats: Floats, base: int, written: bool) -> float:
    """The best hand score of who can win: those who did not fold, by the written rules without the eliminated."""
    best = 10_000.0
    for seat in range(base, base + at.PLAYERS):
        state = seats[seat, at.S_STATE]
        if state == at.IN or (state == at.OUT_AT_FLOP and not written):
            best = min(best, seats[seat, at.S_SCORE])
    return best


@part
def divide(seats: Floats, base: int, pot: float, written: bool, into: Floats) -> tuple[int, float, int]:
    """Pay a showdown: prizes into[0], shares into[1], by seat; (winners, chips left, who share them)."""
    best = best_score(seats, base, written)
    winners = 0
    sharers = 0
    for seat in range(base, base + at.PLAYERS):
        state = seats[seat, at.S_STATE]
        can_win = state == at.IN or (state == at.OUT_AT_FLOP and not written)
        winners += can_win and seats[seat, at.S_SCORE] == best
        sharers += state == at.IN
    left = pot
    for k in range(at.PLAYERS):
        state = seats[base + k, at.S_STATE]
        can_win = state == at.IN or (state == at.OUT_AT_FLOP and not written)
        into[0, k] = 0.0
        if can_win and seats[base + k, at.S_SCORE] == best:
            into[0, k] = rule.prize(pot, winners, seats[base + k, at.S_CAP])
        left -= into[0, k]
    for k in range(at.PLAYERS):
        into[1, k] = left / sharers if seats[base + k, at.S_STATE] == at.IN and sharers > 0 else 0.0
    return winners, left, sharers


@part
def pay(
    games: Floats,
    seats: Floats,
    game: int,
    version: int,
    best_first: NDArray[np.int64],
    cards: NDArray[np.int64],
    into: Floats,
) -> tuple[float, int, float, int]:
    """Settle a game: what each seat put, is paid and has won; (pot, rounded amounts in it, chips left, who share).

    into (4, 5) is scratch. S_ADJUST is what the written rules pay a seat more than the engine does.
    """
    base = game * at.PLAYERS
    end = games[game, at.G_END]
    pot, rounded = contribute(seats, base)
    left = 0.0
    sharers = 0
    for seat in range(base, base + at.PLAYERS):
        state = seats[seat, at.S_STATE]
        seats[seat, at.S_PAYOUT] = seats[seat, at.S_SHARE] = seats[seat, at.S_WINS] = 0.0
        seats[seat, at.S_ADJUST] = seats[seat, at.S_OFF] = 0.0
        stub = seats[seat, at.S_STUB] if state == at.OUT_AT_FLOP else 0.0
        if state == at.IN or state == at.OUT_AT_FLOP:
            seats[seat, at.S_CAP] = rule.win_cap(seats[seat, at.S_PUT] - stub)
        if end == at.SHOWDOWN and (state == at.IN or state == at.OUT_AT_FLOP):
            for k in range(2):
                cards[k] = int(seats[seat, at.S_HOLE + k])
            for k in range(5):
                cards[2 + k] = int(games[game, at.G_BOARD + k])
            seats[seat, at.S_SCORE] = score_of(strength_of(cards, 7), best_first)
    if end == at.SHOWDOWN:
        divide(seats, base, pot, True, into[2:])
        winners, left, sharers = divide(seats, base, pot, False, into)
        best = best_score(seats, base, False)
        for k in range(at.PLAYERS):
            state = seats[base + k, at.S_STATE]
            seats[base + k, at.S_PAYOUT], seats[base + k, at.S_SHARE] = into[0, k], into[1, k]
            seats[base + k, at.S_ADJUST] = into[2, k] + into[3, k] - into[0, k] - into[1, k]
            if (state == at.IN or state == at.OUT_AT_FLOP) and seats[base + k, at.S_SCORE] == best:
                seats[base + k, at.S_WINS] = 1.0 / winners
    elif end == at.EARLY:
        for seat in range(base, base + at.PLAYERS):
            if seats[seat, at.S_STATE] == at.IN:
                paid = min(pot, seats[seat, at.S_CAP]) if version == 1 else pot
                seats[seat, at.S_PAYOUT], seats[seat, at.S_WINS] = paid, 1.0
                seats[seat, at.S_ADJUST] = pot - paid
    elif end == at.ALL_FOLD:
        asked = count_of(seats, base, at.FOLDED)
        for seat in range(base, base + at.PLAYERS):
            if seats[seat, at.S_STATE] == at.FOLDED:
                seats[seat, at.S_PAYOUT] = pot / asked if version == 2 else 0.0
                seats[seat, at.S_WINS] = 1.0 / asked if version == 2 else 0.0
                seats[seat, at.S_ADJUST] = pot / asked if version == 1 else 0.0
    elif end == at.ABORTED:
        for seat in range(base, base + at.PLAYERS):
            if seats[seat, at.S_STATE] == at.IN:
                seats[seat, at.S_ADJUST] = pot / count_of(seats, base, at.IN)
    return pot, rounded, left, sharers


@part
def net(seats: Floats, seat: int) -> float:
    """What a seat wins in a game, by the engine's rules and the printed bets."""
    won: float = seats[seat, at.S_PAYOUT] + seats[seat, at.S_SHARE] - seats[seat, at.S_PUT]
    return won


@part
def blur(seats: Floats, seat: int, rounded: int) -> float:
    """How far `net` may be off, the amounts being printed to the cent."""
    own = 0.0
    for column in range(at.S_BET_1, at.S_BET_3 + 1):
        own += not np.isnan(seats[seat, column])
    own *= at.HALF_CENT
    if seats[seat, at.S_PAYOUT] == 0 and seats[seat, at.S_SHARE] == 0:
        return own
    return own * 5.0 + at.HALF_CENT * rounded


@part
def agree(into: Floats, least: int) -> bool:
    """One stack for all from what the seats' own amounts say it was, into[0], and how far each may be off, into[1].

    A whole number where there is one. Of several that do not agree most count, and the nearest of as many; False, and
    nothing is said, where no `least` of them do. NaN: that seat has no say.
    """
    common, error, most = np.nan, 0.0, least - 1
    for seat in range(at.PLAYERS):
        start, near = np.floor(into[0, seat] + 0.5), 0.0
        if abs(start - into[0, seat]) > into[1, seat]:
            start, near = into[0, seat], into[1, seat]
        count = 0
        for other in range(at.PLAYERS):
            count += abs(into[0, other] - start) <= into[1, other] + near
        if count > most or (count == most and near < error):
            common, error, most = start, near, count
    if np.isnan(common):
        return False
    all_begin_with(common, error, into)
    return True


@part
def all_begin_with(stack: float, error: float, into: Floats) -> None:
    """Note in into[0] and into[1] that every seat begins with one stack."""
    for seat in range(at.PLAYERS):
        into[0, seat], into[1, seat] = stack, error


@part
def undecided(seats: Floats, seat: int, streets: int) -> int:
    """The first round of betting without a decision of a seat that plays, 0 if it has all."""
    state = seats[seat, at.S_STATE]
    if state != at.IN and state != at.FOLDED:
        return 0
    for street in range(1, streets):
        lacks_bet = np.isnan(seats[seat, at.S_BET_1 + street - 1]) and state != at.FOLDED
        if lacks_bet or np.isnan(seats[seat, at.S_PROB_1 + street - 1]):
            return street
        if state == at.FOLDED:
            return 0
    return 0


@part
def start_by_stubs(seats: Floats, base: int, into: Floats) -> bool:
    """One stack for all from what players have when they are eliminated, if any are, as `agree` says it.

    into[2], into[3]: what each has won before, how far that is off.
    """
    for k in range(at.PLAYERS):
        state = seats[base + k, at.S_STATE]
        into[0, k], into[1, k] = np.nan, into[3, k] + at.HALF_CENT
        if state == at.OUT_AT_BUY_IN or state == at.OUT_AT_FLOP:
            had = seats[base + k, at.S_STUB] + (rule.BUY_IN if state == at.OUT_AT_FLOP else 0.0)
            into[0, k] = had - into[2, k]
    return agree(into, 1)


@part
def first_stacks(
    games: Floats, seats: Floats, first: int, last: int, version: int, told: float, into: Floats
) -> bool:
    """Infer the stacks at a match's start backwards from the first printed ones: into[0], how far off: into[1].

    All begin with the same stack: what most of the printed ones agree on. Without one it is the one `told`, else what
    the eliminated have says it, else (False) it is the rules' 10,000; where the log begins later each seat has its own,
    or NaN.
    """
    whole = games[first, at.G_NUMBER] == 1
    start = rule.STACK if np.isnan(told) else told
    for k in range(at.PLAYERS):
        into[2, k], into[3, k] = 0.0, 0.0
    for game in range(first, last):
        base = game * at.PLAYERS
        if games[game, at.G_DAMAGED]:
            break
        if whole and np.isnan(told) and start_by_stubs(seats, base, into):
            return True
        anchored = True
        for k in range(at.PLAYERS):
            anchored = anchored and not np.isnan(seats[base + k, at.S_PRINTED])
            into[2, k] += net(seats, base + k)
            into[3, k] += blur(seats, base + k, 15)
        if anchored:
            for k in range(at.PLAYERS):
                if version == 2:
                    into[2, k] -= seats[base + k, at.S_SHARE]
                into[0, k] = seats[base + k, at.S_PRINTED] - into[2, k]
                into[1, k] = into[3, k] + at.HALF_CENT
            if whole and not agree(into, at.PLAYERS // 2 + 1):
                all_begin_with(start, 0.0, into)
            return True
    all_begin_with(start if whole else np.nan, 0.0, into)
    return False


@part
def carry(games: Floats, seats: Floats, game: int, version: int, into: Floats) -> None:
    """Write a game's stacks before and after it, and carry them: the printed ones, else by what was paid."""
    base = game * at.PLAYERS
    for k in range(at.PLAYERS):
        seat = base + k
        seats[seat, at.S_START], seats[seat, at.S_ERROR] = into[0, k], into[1, k]
        printed = seats[seat, at.S_PRINTED]
        if games[game, at.G_DAMAGED] and (version == 2 or np.isnan(printed)):
            # Of version 2 a share comes on top, whose line may be the one that is lost.
            into[0, k], into[1, k] = np.nan, 0.0
        elif not np.isnan(printed):
            share = 0.0
            error = at.HALF_CENT
            if version == 2 and seats[seat, at.S_SHARE] > 0:
                share, error = seats[seat, at.S_SHARE], 2 * at.HALF_CENT
                if games[game, at.G_AMONG] > 0:
                    share = games[game, at.G_LEFT] / games[game, at.G_AMONG]
            into[0, k], into[1, k] = printed + share, error
        else:
            into[0, k] += net(seats, seat)
            if games[game, at.G_END] != at.EARLY:
                into[1, k] += blur(seats, seat, 15)
        seats[seat, at.S_AFTER] = into[0, k]


@kernel
def settle(
    games: Floats,
    seats: Floats,
    matches: Floats,
    best_first: NDArray[np.int64],
    figures: Floats,
    into: Floats,
    cards: NDArray[np.int64],
) -> None:
    """Settle every game and carry the stacks; figures (games, 4): pot, rounded amounts in it, chips left, who share."""
    for match in range(len(matches)):
        version = int(matches[match, at.M_VERSION])
        first = int(matches[match, at.M_FIRST])
        last = first + int(matches[match, at.M_GAMES])
        for game in range(first, last):
            for seat in range(game * at.PLAYERS, (game + 1) * at.PLAYERS):
                if undecided(seats, seat, int(games[game, at.G_STREETS])):
                    games[game, at.G_DAMAGED] = 1
            pot, rounded, left, sharers = pay(games, seats, game, version, best_first, cards, into)
            figures[game, 0], figures[game, 1], figures[game, 2], figures[game, 3] = (
                pot,
                rounded,
                left,
                sharers,
            )
        if last > first:
            told = matches[match, at.M_START]
            matches[match, at.M_SHOWN] = first_stacks(games, seats, first, last, version, told, into)
            for game in range(first, last):
                carry(games, seats, game, version, into)
