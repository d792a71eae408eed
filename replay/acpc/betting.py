"""The dealer's rules of betting: who acts, what is legal, when a round and a hand end."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from .. import findings, records
from ..records import Sheets, fill
from . import state as s
from .report import Report, find
from .state import Hand

_SLASH: Final = 47
_LONGEST: Final = 10
"""Digits of an amount that are read."""
_MOST_ACTIONS: Final = 64
"""Of a round: who may act after a raise must have room to answer it."""


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
def takes_raises(game: NDArray[np.int64], round_: int, raises: int, actions: int, acting: int) -> bool:
    """True while a round takes another raise, after so many raises and actions, of those who can still act."""
    room: bool = actions + game[s.PLAYERS] <= _MOST_ACTIONS
    return raises < game[s.MAX_RAISES + round_] and acting > 1 and room


@part
def legal_raise(
    game: NDArray[np.int64], round_: int, stack: int, most: int, minimum: int
) -> tuple[bool, int, int]:
    """Whether a player's chips allow a raise in a round that takes one, its least and its most, as totals for the hand.

    stack: his, with what he has put in; most: that anybody has put in; minimum: no-limit, the least but for an all-in.
    """
    if not game[s.NOLIMIT]:
        fixed = min(most + game[s.RAISE_SIZE + round_], stack)
        return True, fixed, fixed
    if minimum > stack:
        return most < stack, stack, stack
    return True, minimum, stack


@part
def least_of_hand(most: int) -> int:
    """The least total of a no-limit hand's first raise, after its blinds."""
    return 2 * most if most > 0 else 1


@part
def least_of_round(game: NDArray[np.int64], most: int) -> int:
    """That of a later round's first bet."""
    least: int = most + max(game[s.BIG_BLIND], 1)
    return least


@part
def least_after_raise(minimum: int, most: int, to: int) -> int:
    """That of the next raise: by as much as this one, and no less than was due before."""
    return max(minimum, 2 * to - most)


@part
def _to_call(game: NDArray[np.int64], hand: Hand, player: int) -> int:
    """What a call costs: as much as anybody has put in, or all that is left."""
    chips: int = min(hand.facts[s.MOST], game[s.STACK + player]) - hand.spent[player]
    return chips


@part
def _write_action(game: NDArray[np.int64], hand: Hand, sheets: Sheets, player: int, action: int) -> None:
    """Append the row of an action, with what is known before it: no amount is named yet."""
    facts = hand.facts
    row = sheets.actions[records.next_row(sheets.used, records.ACTS, len(sheets.actions))]
    spent = hand.spent[player]
    place = sheets.used[records.HANDS]
    row["hand"], row["line"] = place, sheets.hands[place]["line"]
    row["seq"], row["street"], row["board"] = facts[s.SEQ], facts[s.ROUND], 0
    row["seat"] = _seat_of(game, hand, player)
    row["action"] = action
    row["origin"] = records.FORCED if action == records.POST else records.CHOICE
    row["level"], row["aggressor"] = facts[s.LEVEL], facts[s.AGGRESSOR]
    row["active"] = game[s.PLAYERS] - facts[s.FOLDED_COUNT]
    row["own"], row["pip"], row["pot"] = spent, spent - hand.begun[player], facts[s.POT]
    row["to_call"] = _to_call(game, hand, player)
    row["raise_to"] = np.nan


@part
def _bounds_follow(game: NDArray[np.int64], row: NDArray[np.void], lowest: float, highest: float) -> bool:
    """True where `relations/actions.sql` derives an action's legal bounds, NaN for none, from its match."""
    pip, to_call, street = row["pip"], row["to_call"], row["street"]
    low = high = np.nan
    if not game[s.NOLIMIT]:
        if row["level"] < game[s.RAISE_CAP + street]:
            low = high = pip + to_call + game[s.RAISE_SIZE + street]
    elif game[s.HAS_STACKS]:
        # And so the stack: two players who have put in as much, but for what is to call.
        if not game[s.EVEN] or 2 * row["own"] != row["pot"] - to_call:
            return False
        left = game[s.STACK] - row["own"]
        if left > to_call:
            high = pip + left
            low = min(pip + to_call + max(to_call, float(game[s.BIG_BLIND])), high)
    same: bool = (lowest == low and highest == high) or (np.isnan(lowest) and np.isnan(low))
    return same


@part
def _write_limits(sheets: Sheets, lowest: float, highest: float) -> None:
    """Append the legal bounds of the last action, NaN for none."""
    row = sheets.limits[records.next_row(sheets.used, records.LIMITS, len(sheets.limits))]
    row["act"], row["told"] = sheets.used[records.ACTS] - 1, 1
    row["lowest"], row["highest"] = lowest, highest
    row["stack"] = row["other"] = row["chance"] = np.nan


@part
def _seat_of(game: NDArray[np.int64], hand: Hand, player: int) -> int:
    """The seat of a position."""
    seat: int = player + hand.facts[s.TURN]
    return seat - game[s.PLAYERS] if seat >= game[s.PLAYERS] else seat


@part
def _put_in(hand: Hand, player: int, total: int) -> None:
    """A player has put in so much in all."""
    hand.facts[s.POT] += total - hand.spent[player]
    hand.spent[player] = total


@part
def post(game: NDArray[np.int64], hand: Hand, sheets: Sheets, turn: int) -> None:
    """Begin a hand and put in the blinds.

    turn: the seat of the first position
    """
    facts, most = hand.facts, 0
    fill(facts, 0)
    facts[s.TURN], facts[s.AGGRESSOR] = turn, s.NONE
    for player in range(game[s.PLAYERS]):
        blind = game[s.BLIND + player]
        hand.spent[player] = hand.begun[player] = hand.folded[player] = 0
        if blind > 0:
            _write_action(game, hand, sheets, player, records.POST)
            sheets.actions[sheets.used[records.ACTS] - 1]["raise_to"] = blind
        facts[s.SEQ] += blind > 0
        _put_in(hand, player, blind)
        most = max(most, blind)
    facts[s.MOST], facts[s.MINIMUM], facts[s.LEVEL] = most, least_of_hand(most), game[s.BET_LEVEL]
    facts[s.ACTING] = acting_players(game, hand)


@step
def play(
    text: NDArray[np.uint8], game: NDArray[np.int64], hand: Hand, sheets: Sheets, report: Report
) -> None:
    """Play the betting of a hand whose blinds are posted, and write its actions; `state.ROUND` and so on say how
    it ended.

    An action that the rules do not allow is found and carried out; betting that does not fit the rounds is found
    as such and not followed further.
    """
    at, facts = hand.at, hand.facts
    player = next_to_act(game, hand, game[s.FIRST])
    facts[s.SHOWN_DOWN] = player < 0
    while at[s.BETS] < at[s.BETS_END] and not facts[s.BROKEN]:
        action, amount = _read_action(text, game, at)
        can_follow = action != s.NONE and player >= 0 and facts[s.SEQ] < records.MOST_ACTIONS
        if can_follow and _carry_out(game, hand, sheets, report, player, action, amount):
            player = _go_on(text, game, hand, player)
        else:
            facts[s.BROKEN] = 1
    if player >= 0:
        facts[s.BROKEN] = 1
    if facts[s.BROKEN]:
        find(report, s.NONE, findings.BETTING, np.nan, np.nan)


@step
def _read_action(text: NDArray[np.uint8], game: NDArray[np.int64], at: NDArray[np.int64]) -> tuple[int, int]:
    """The next of the betting: FOLD, CALL or RAISE with its amount, which only no-limit has; NONE for anything else."""
    mark = int(text[at[s.BETS]]) | 32
    at[s.BETS] += 1
    if mark == 102:
        return records.FOLD, 0
    if mark == 99 or mark == 107:
        return records.CALL, 0
    if mark != 114 and mark != 98:
        return s.NONE, 0
    if not game[s.NOLIMIT]:
        return records.RAISE, 0
    first = place = at[s.BETS]
    amount = 0
    while place < at[s.BETS_END] and 48 <= text[place] <= 57 and place - first < _LONGEST:
        amount = amount * 10 + int(text[place]) - 48
        place += 1
    at[s.BETS] = place
    return records.RAISE if place > first else s.NONE, amount


@step
def _carry_out(
    game: NDArray[np.int64],
    hand: Hand,
    sheets: Sheets,
    report: Report,
    player: int,
    action: int,
    amount: int,
) -> bool:
    """Write an action and carry it out; False for a raise to what the player does not have."""
    facts = hand.facts
    _write_action(game, hand, sheets, player, action)
    row = sheets.actions[sheets.used[records.ACTS] - 1]
    may, lowest, highest = legal_raise(
        game, facts[s.ROUND], game[s.STACK + player], facts[s.MOST], facts[s.MINIMUM]
    )
    may = may and takes_raises(game, facts[s.ROUND], facts[s.RAISES], facts[s.ACTIONS], facts[s.ACTING])
    low, high = np.nan, np.nan
    if may:
        low, high = float(lowest - hand.begun[player]), float(highest - hand.begun[player])
    if not _bounds_follow(game, row, low, high):
        _write_limits(sheets, low, high)
    to_call = _to_call(game, hand, player)
    facts[s.SEQ] += 1
    facts[s.ACTIONS] += 1
    if action == records.FOLD:
        if to_call <= 0:
            find(report, _seat_of(game, hand, player), findings.FREE_FOLD, 0.0, 0.0)
        hand.folded[player] = 1
        facts[s.FOLDED_COUNT] += 1
    elif action == records.CALL:
        if to_call <= 0:
            row["action"] = records.CHECK
        _put_in(hand, player, hand.spent[player] + to_call)
        facts[s.CALLED] += _can_act(game, hand, player)
    else:
        if facts[s.LEVEL] == 0:
            row["action"] = records.BET
        goal = amount if game[s.NOLIMIT] else lowest
        _check_raise(report, _seat_of(game, hand, player), goal, may, lowest, highest)
        if goal <= hand.spent[player] or goal > game[s.STACK + player]:
            # No such chips: what follows cannot be told.
            return False
        row["raise_to"] = goal - hand.begun[player]
        _raise(game, hand, player, goal)
    facts[s.ACTING] -= not _can_act(game, hand, player)
    return True


@step
def _check_raise(report: Report, seat: int, goal: int, may: bool, lowest: int, highest: int) -> None:
    if not may:
        find(report, seat, findings.RAISE, 0.0, float(goal))
    elif goal < lowest:
        find(report, seat, findings.TOO_SMALL, float(lowest), float(goal))
    elif goal > highest:
        find(report, seat, findings.TOO_LARGE, float(highest), float(goal))


@step
def _raise(game: NDArray[np.int64], hand: Hand, player: int, goal: int) -> None:
    facts = hand.facts
    facts[s.MINIMUM] = least_after_raise(facts[s.MINIMUM], facts[s.MOST], goal)
    _put_in(hand, player, goal)
    facts[s.MOST] = max(facts[s.MOST], goal)
    facts[s.RAISES] += 1
    facts[s.LEVEL] += 1
    facts[s.AGGRESSOR] = _seat_of(game, hand, player)
    facts[s.CALLED] = _can_act(game, hand, player)


@step
def _go_on(text: NDArray[np.uint8], game: NDArray[np.int64], hand: Hand, player: int) -> int:
    """The position that acts after another's action, in this round or the next; NONE where the hand is over."""
    facts, players = hand.facts, game[s.PLAYERS]
    if facts[s.FOLDED_COUNT] + 1 >= players:
        return s.NONE
    if facts[s.CALLED] >= facts[s.ACTING]:
        return _end_round(text, game, hand)
    return next_to_act(game, hand, player + 1 if player + 1 < players else 0)


@step
def _end_round(text: NDArray[np.uint8], game: NDArray[np.int64], hand: Hand) -> int:
    """The position that begins the next round; NONE after the last, and where nobody is left to bet against."""
    facts, last = hand.facts, game[s.ROUNDS] - 1
    if facts[s.ACTING] <= 1 or facts[s.ROUND] >= last:
        facts[s.SHOWN_DOWN] = 1
        while facts[s.ROUND] < last and not facts[s.BROKEN]:
            _next_round(text, hand)
        return s.NONE
    _next_round(text, hand)
    if facts[s.BROKEN]:
        return s.NONE
    facts[s.LEVEL] = facts[s.RAISES] = facts[s.ACTIONS] = facts[s.CALLED] = 0
    for player in range(game[s.PLAYERS]):
        hand.begun[player] = hand.spent[player]
    facts[s.MINIMUM] = least_of_round(game, facts[s.MOST])
    return next_to_act(game, hand, game[s.FIRST + facts[s.ROUND]])


@part
def _next_round(text: NDArray[np.uint8], hand: Hand) -> None:
    """A slash begins it."""
    at, facts = hand.at, hand.facts
    if at[s.BETS] < at[s.BETS_END] and text[at[s.BETS]] == _SLASH:
        at[s.BETS] += 1
        facts[s.ROUND] += 1
    else:
        facts[s.BROKEN] = 1
