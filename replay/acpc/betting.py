"""The dealer's rules of betting: who acts, what is legal, when a round and a hand end."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import part, step
from .. import findings, records
from . import state as s
from .report import Report, find
from .state import Hand, Sheets

_SLASH: Final = 47
_MOST_ACTIONS: Final = 64
"""The dealer's limit for a round; close to it no raise is allowed."""
_LONGEST: Final = 10


@part
def _can_act(game: NDArray[np.int64], hand: Hand, player: int) -> bool:
    may: bool = hand.folded[player] == 0 and hand.spent[player] < game[s.STACK + player]
    return may


@part
def acting_players(game: NDArray[np.int64], hand: Hand) -> int:
    """How many have neither folded nor put in everything."""
    count = 0
    for player in range(game[s.PLAYERS]):
        count += _can_act(game, hand, player)
    return count


@part
def next_to_act(game: NDArray[np.int64], hand: Hand, player: int) -> int:
    """The first who can act, from a position on; -1 where nobody can."""
    players = game[s.PLAYERS]
    for k in range(players):
        other = player + k
        if other >= players:
            other -= players
        if _can_act(game, hand, other):
            return other
    return s.NONE


@part
def post(game: NDArray[np.int64], hand: Hand, sheets: Sheets, row: int, turn: int) -> int:
    """Put in the blinds; how many posts there are. Where stacks are even they follow from the game and are no rows."""
    pot, count = 0, 0
    players = game[s.PLAYERS]
    for player in range(players):
        blind = game[s.BLIND + player]
        hand.spent[player] = blind
        hand.begun[player] = hand.folded[player] = 0
        if blind > 0 and not game[s.EVEN]:
            action = sheets.actions[sheets.used[s.ACTS]]
            action["hand"], action["seq"], action["street"] = row, count, 0
            action["seat"], action["position"] = (player + turn) % players, player
            action["action"], action["origin"] = records.POST, records.FORCED
            action["level"], action["aggressor"], action["active"] = 0, -1, players
            action["raise_to"], action["spent"] = blind, 0
            action["pip"], action["to_call"], action["pot"] = 0, 0, pot
            action["lowest"] = action["highest"] = s.NONE
            sheets.used[s.ACTS] += 1
        pot += blind
        count += blind > 0
    return count


@step
def play(
    text: NDArray[np.uint8],
    game: NDArray[np.int64],
    hand: Hand,
    sheets: Sheets,
    report: Report,
    row: int,
    turn: int,
    seq: int,
) -> None:
    """Play the betting of a hand whose blinds are posted, and write its actions; `state.ROUND` and so on say how
    it ended.

    row   the hand's; turn: the seat of the first position; seq: actions already written

    An action that the rules do not allow is found and carried out; betting that does not fit the rounds is found
    as such and not followed further.
    """
    place, end = hand.at[s.BETS], hand.at[s.BETS_END]
    players, nolimit = game[s.PLAYERS], game[s.NOLIMIT]
    facts = hand.facts
    round_, level, raises, actions, called = 0, game[s.BET_LEVEL], 0, 0, 0
    folded, aggressor, pot, most = 0, -1, 0, 0
    for player in range(players):
        pot += hand.spent[player]
        most = max(most, hand.spent[player])
    minimum = 2 * most if most > 0 else 1
    player, acting = next_to_act(game, hand, game[s.FIRST]), acting_players(game, hand)
    over = player < 0
    shown_down = over
    broken = False
    while place < end and not broken:
        mark = int(text[place]) | 32
        place += 1
        if over or player < 0 or seq >= records.MOST_ACTIONS:
            broken = True
            continue
        is_fold = mark == 102
        is_call = mark == 99 or mark == 107
        is_raise = mark == 114 or mark == 98
        if not (is_fold or is_call or is_raise):
            broken = True
            continue
        seat = player + turn
        if seat >= players:
            seat -= players
        stack, spent, begun = game[s.STACK + player], hand.spent[player], hand.begun[player]
        to_call = min(most, stack) - spent
        may_raise = raises < game[s.MAX_RAISES + round_] and acting > 1 and actions + players <= _MOST_ACTIONS
        lowest = highest = 0
        if nolimit:
            lowest, highest = minimum, stack
            if lowest > stack:
                may_raise = may_raise and most < stack
                lowest = stack
        else:
            lowest = highest = min(most + game[s.RAISE_SIZE + round_], stack)
        amount = -1
        if is_raise and nolimit:
            first, amount = place, 0
            while place < end and 48 <= text[place] <= 57 and place - first < _LONGEST:
                amount = amount * 10 + int(text[place]) - 48
                place += 1
            if place == first:
                broken = True
                continue
        action = sheets.actions[sheets.used[s.ACTS]]
        sheets.used[s.ACTS] += 1
        action["hand"], action["seq"], action["street"] = row, seq, round_
        action["seat"], action["position"], action["origin"] = seat, player, records.CHOICE
        action["level"], action["aggressor"], action["active"] = level, aggressor, players - folded
        action["raise_to"], action["spent"] = s.NONE, spent
        action["pip"], action["to_call"], action["pot"] = spent - begun, to_call, pot
        action["lowest"] = lowest - begun if may_raise else s.NONE
        action["highest"] = highest - begun if may_raise else s.NONE
        seq += 1
        actions += 1
        if is_fold:
            action["action"] = records.FOLD
            if to_call <= 0:
                find(report, seat, findings.FREE_FOLD, 0.0, 0.0)
            hand.folded[player] = 1
            folded += 1
        elif is_call:
            action["action"] = records.CALL if to_call > 0 else records.CHECK
            hand.spent[player] += to_call
            pot += to_call
            called += hand.spent[player] < stack
        else:
            action["action"] = records.RAISE if level > 0 else records.BET
            goal = amount if nolimit else lowest
            if not may_raise:
                find(report, seat, findings.RAISE, 0.0, float(goal))
            elif goal < lowest:
                find(report, seat, findings.TOO_SMALL, float(lowest), float(goal))
            elif goal > highest:
                find(report, seat, findings.TOO_LARGE, float(highest), float(goal))
            if goal <= spent or goal > stack:
                # No such chips: what follows cannot be told.
                broken = True
                continue
            if nolimit:
                minimum = max(minimum, 2 * goal - most)
            action["raise_to"] = goal - begun
            pot += goal - spent
            hand.spent[player] = goal
            most = max(most, goal)
            raises += 1
            level += 1
            aggressor = seat
            called = int(goal < stack)
        acting -= is_fold or hand.spent[player] >= stack
        if folded + 1 >= players:
            over = True
        elif called >= acting:
            last_round = round_ + 1 >= game[s.ROUNDS]
            if acting <= 1 or last_round:
                over = shown_down = True
                while round_ + 1 < game[s.ROUNDS]:
                    if place >= end or text[place] != _SLASH:
                        broken = True
                        break
                    place += 1
                    round_ += 1
            elif place >= end or text[place] != _SLASH:
                broken = True
            else:
                place += 1
                round_ += 1
                level = raises = actions = called = 0
                for other in range(players):
                    hand.begun[other] = hand.spent[other]
                minimum = most + max(game[s.BIG_BLIND], 1)
                player = next_to_act(game, hand, game[s.FIRST + round_])
                continue
        player = next_to_act(game, hand, player + 1 if player + 1 < players else 0)
    if broken or not over:
        find(report, s.NONE, findings.BETTING, np.nan, np.nan)
    facts[s.ROUND], facts[s.SHOWN_DOWN], facts[s.BROKEN] = round_, shown_down, broken or not over
    facts[s.FOLDED_COUNT], facts[s.MAX_SPENT] = folded, most
