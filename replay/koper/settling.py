"""Payouts of Koper: by the engine, and the difference to the written rules; hand scores and carried stacks."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from ..evaluator import strength, strength_of
from . import game as rule
from . import state as s
from .game import PLAYERS
from .state import HALF_CENT, STREETS, Table

_RANKS: Final = 13
_WORST: Final = 10_000.0
"""A hand score behind all others."""
_MOST_ROUNDED: Final = 3 * PLAYERS
"""Bets of a game at most."""


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
def _score_of(cards: NDArray[np.int64], best_first: NDArray[np.int64]) -> int:
    """The place of seven cards' strength in `ranking`, from 1."""
    value = strength_of(cards, 7)
    low, high = 0, len(best_first)
    while low < high:
        middle = (low + high) // 2
        if best_first[middle] > value:
            low = middle + 1
        else:
            high = middle
    return low + 1


@part
def bets_before(seat: np.void, street: int) -> tuple[float, float, int]:
    """A player's bets before a round, 1 to 4: the last one, their sum, and how many there are."""
    last, total, count = 0.0, 0.0, 0
    for k in range(street - 1):
        last = seat["bet"][k]
        if not np.isnan(last):
            total += last
            count += 1
    return last, total, count


@part
def lacking_decision(seat: np.void, streets: int) -> int:
    """The first round of betting, from 1, without a decision of a player; 0 if no decision is missing."""
    state = seat["state"]
    if state != s.IN and state != s.FOLDED:
        return 0
    for street in range(streets - 1):
        lacks_bet = np.isnan(seat["bet"][street]) and state != s.FOLDED
        if lacks_bet or np.isnan(seat["chance"][street]):
            return street + 1
        if state == s.FOLDED:
            return 0
    return 0


@part
def _can_win(seat: np.void, written: bool) -> bool:
    """By the written rules a player who is eliminated before the flop betting cannot win."""
    can: bool = seat["state"] == s.IN or (seat["state"] == s.OUT_AT_FLOP and not written)
    return can


@part
def _divide(table: Table, first: int, pot: float, written: bool) -> tuple[float, int]:
    """Pay a showdown to the seats from row `first` on: by the written rules, and then as the engine does.

    Returns the chips that no winner is paid, and how many share them.
    """
    best, winners, sharers = _WORST, 0, 0
    for row in range(first, first + PLAYERS):
        seat = table.seats[row]
        sharers += seat["state"] == s.IN
        if _can_win(seat, written):
            if seat["score"] < best:
                best, winners = seat["score"], 0
            winners += seat["score"] == best
    left = pot
    for row in range(first, first + PLAYERS):
        seat = table.seats[row]
        seat["payout"] = seat["wins"] = 0.0
        if _can_win(seat, written) and seat["score"] == best:
            seat["payout"], seat["wins"] = rule.prize(pot, winners, seat["cap"]), 1.0 / winners
        left -= seat["payout"]
    for row in range(first, first + PLAYERS):
        seat = table.seats[row]
        seat["share"] = left / sharers if seat["state"] == s.IN else 0.0
        paid = seat["payout"] + seat["share"]
        seat["written_off"] = paid if written else seat["written_off"] - paid
    return left, sharers


@part
def _put_in(table: Table, game: np.void, first: int, best_first: NDArray[np.int64]) -> tuple[int, int]:
    """Write what each seat put in, its winning cap and score, and the pot; returns who is in, and who folded."""
    game["pot_due"], game["rounded"], playing, folded = 0.0, 0, 0, 0
    for row in range(first, first + PLAYERS):
        seat = table.seats[row]
        state = seat["state"]
        _, bets, count = bets_before(seat, STREETS + 1)
        playing += state == s.IN
        folded += state == s.FOLDED
        paid = rule.BUY_IN + bets if state != s.ABSENT and state != s.OUT_AT_BUY_IN else 0.0
        is_out = state == s.OUT_AT_BUY_IN or state == s.OUT_AT_FLOP
        seat["put"] = paid + seat["stub"] if is_out else paid
        game["pot_due"] += seat["put"]
        game["rounded"] += count + is_out
        seat["engine_off"] = 0.0
        if _can_win(seat, False):
            seat["cap"] = rule.win_cap(paid)
            if game["end"] == s.SHOWDOWN:
                for k in range(2):
                    table.cards[k] = seat["hole"][k]
                for k in range(5):
                    table.cards[2 + k] = game["board"][k]
                seat["score"] = _score_of(table.cards, best_first)
    return playing, folded


@part
def _pay(table: Table, hand: int, version: int, best_first: NDArray[np.int64]) -> None:
    """Settle a game: what each seat put in, is paid and has won."""
    game, first = table.games[hand], hand * PLAYERS
    playing, folded = _put_in(table, game, first, best_first)
    pot, end = game["pot_due"], game["end"]
    if end == s.SHOWDOWN:
        _divide(table, first, pot, True)
        game["left_due"], game["sharers_due"] = _divide(table, first, pot, False)
        return
    for row in range(first, first + PLAYERS):
        seat = table.seats[row]
        due = paid = wins = 0.0
        if end == s.EARLY and seat["state"] == s.IN:
            due, wins = pot, 1.0
            paid = min(pot, seat["cap"]) if version == 1 else pot
        elif end == s.ALL_FOLD and seat["state"] == s.FOLDED:
            due = pot / folded
            if version == 2:
                paid, wins = due, 1.0 / folded
        elif end == s.ABORTED and seat["state"] == s.IN:
            due = pot / playing
        seat["payout"], seat["share"], seat["wins"], seat["written_off"] = paid, 0.0, wins, due - paid


@part
def _net(seat: np.void) -> float:
    """A player's result in a game, by the engine's rules and the printed bets."""
    won: float = seat["payout"] + seat["share"] - seat["put"]
    return won


@part
def _net_error(seat: np.void) -> float:
    """The tolerance of `_net`, because amounts are printed to the cent."""
    _, _, count = bets_before(seat, STREETS + 1)
    own = count * HALF_CENT
    if seat["payout"] == 0 and seat["share"] == 0:
        return own
    return own * 5.0 + HALF_CENT * _MOST_ROUNDED


# Stacks


@part
def _all_begin_with(stack: float, error: float, carried: np.void) -> None:
    """Let every player begin with one stack."""
    for k in range(PLAYERS):
        carried["stack"][k], carried["error"][k] = stack, error


@part
def _agree(carried: np.void, least: int) -> bool:
    """One stack for all from what each seat's amounts say it was, NaN for nothing, and how far that may be off.

    A whole number where there is one. Of several stacks the one with which most seats agree counts, and of these the
    one that is least off; False, with nothing changed, where fewer than `least` seats agree.
    """
    common, error, most = np.nan, 0.0, least - 1
    for k in range(PLAYERS):
        said, off = carried["stack"][k], carried["error"][k]
        start, near = np.floor(said + 0.5), 0.0
        if abs(start - said) > off:
            start, near = said, off
        count = 0
        for other in range(PLAYERS):
            count += abs(carried["stack"][other] - start) <= carried["error"][other] + near
        if count > most or (count == most and near < error):
            common, error, most = start, near, count
    if np.isnan(common):
        return False
    _all_begin_with(common, error, carried)
    return True


@part
def _start_by_stubs(table: Table, first: int) -> bool:
    """One stack for all from what players have when they are eliminated in a game, if any are (`_agree`)."""
    carried = table.carried
    for k in range(PLAYERS):
        seat = table.seats[first + k]
        carried["stack"][k], carried["error"][k] = np.nan, carried["won_error"][k] + HALF_CENT
        if seat["state"] == s.OUT_AT_BUY_IN or seat["state"] == s.OUT_AT_FLOP:
            had = seat["stub"] + (rule.BUY_IN if seat["state"] == s.OUT_AT_FLOP else 0.0)
            carried["stack"][k] = had - carried["won"][k]
    return _agree(carried, 1)


@part
def _first_stacks(table: Table, first: int, last: int, match: np.void, begins: bool) -> bool:
    """Infer the stacks at a match's start, backwards from the first printed ones: True if they determine it.

    All begin with the same stack: what most of the printed ones agree on. Without one it is the match's, else what the
    eliminated have says it, else (False) it is the rules' 10,000. Where the log begins later, each player has its own
    stack, or NaN.
    """
    carried, told = table.carried, not np.isnan(match["start"])
    start = match["start"] if told else rule.STACK
    for k in range(PLAYERS):
        carried["won"][k] = carried["won_error"][k] = 0.0
    for hand in range(first, last):
        if table.games[hand]["damaged"]:
            break
        if begins and not told and _start_by_stubs(table, hand * PLAYERS):
            return True
        printed = 0
        for k in range(PLAYERS):
            seat = table.seats[hand * PLAYERS + k]
            printed += not np.isnan(seat["stack"])
            carried["won"][k] += _net(seat)
            carried["won_error"][k] += _net_error(seat)
        if printed == PLAYERS:
            for k in range(PLAYERS):
                seat = table.seats[hand * PLAYERS + k]
                if match["version"] == 2:
                    carried["won"][k] -= seat["share"]
                carried["stack"][k] = seat["stack"] - carried["won"][k]
                carried["error"][k] = carried["won_error"][k] + HALF_CENT
            if begins and not _agree(carried, PLAYERS // 2 + 1):
                _all_begin_with(start, 0.0, carried)
            return True
    _all_begin_with(start if begins else np.nan, 0.0, carried)
    return False


@part
def _carry(table: Table, hand: int, version: int) -> None:
    """Write a game's stacks before and after it, and carry them: the printed ones, else by what was paid."""
    game, stacks, errors = table.games[hand], table.carried["stack"], table.carried["error"]
    for k in range(PLAYERS):
        seat = table.seats[hand * PLAYERS + k]
        seat["start"], seat["error"] = stacks[k], errors[k]
        printed = seat["stack"]
        if game["damaged"] and (version == 2 or np.isnan(printed)):
            # In version 2 a share is added; its line may be missing.
            stacks[k], errors[k] = np.nan, 0.0
        elif not np.isnan(printed):
            share, error = 0.0, HALF_CENT
            if version == 2 and seat["share"] > 0:
                share, error = seat["share"], 2 * HALF_CENT
                if game["sharers"] > 0:
                    share = game["left"] / game["sharers"]
            stacks[k], errors[k] = printed + share, error
        else:
            stacks[k] += _net(seat)
            if game["end"] != s.EARLY:
                errors[k] += _net_error(seat)
        seat["after"] = stacks[k]


@kernel
def settle(table: Table, best_first: NDArray[np.int64]) -> None:
    """Settle every game and carry the stacks; best_first is the `ranking`."""
    hands = table.sheets.hands
    for place in range(len(table.matches)):
        match, record = table.matches[place], table.sheets.matches[place]
        first, last = record["first_hand"] + 0, record["first_hand"] + record["hands"]
        for hand in range(first, last):
            for row in range(hand * PLAYERS, (hand + 1) * PLAYERS):
                if lacking_decision(table.seats[row], hands[hand]["streets"] + 0):
                    table.games[hand]["damaged"] = 1
            _pay(table, hand, match["version"], best_first)
        if last > first:
            match["shown"] = _first_stacks(table, first, last, match, hands[first]["number"] == 1)
            for hand in range(first, last):
                _carry(table, hand, match["version"])
