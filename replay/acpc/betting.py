"""The dealer's rules of betting: who acts, what is legal, when a round and a hand end."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from .. import findings, records
from ..records import Sheets
from . import state as s
from .state import Hand, Report, find

_SLASH: Final = 47
_LONGEST: Final = 10
"""Digits of an amount that are read."""
_MOST_ACTIONS: Final = 64
"""Actions of a round: after a raise, each player must have room to answer it."""


@part
def _can_act(game: np.void, hand: Hand, player: int) -> bool:
    may: bool = hand.folded[player] == 0 and hand.spent[player] < game["stack"][player]
    return may


@part
def acting_players(game: np.void, hand: Hand) -> int:
    """How many have neither folded nor put in everything."""
    count = 0
    for player in range(game["players"]):
        count += _can_act(game, hand, player)
    return count


@part
def next_to_act(game: np.void, hand: Hand, player: int) -> int:
    """The first who can act, from a position on; -1 where nobody can."""
    players = game["players"]
    for k in range(players):
        other = player + k
        if other >= players:
            other -= players
        if _can_act(game, hand, other):
            return other
    return s.NONE


@part
def takes_raises(game: np.void, round_: int, raises: int, actions: int, acting: int) -> bool:
    """True while a round takes another raise; raises, actions: of the round so far; acting: players who can act."""
    room: bool = actions + game["players"] <= _MOST_ACTIONS
    return raises < game["max_raises"][round_] and acting > 1 and room


@part
def legal_raise(game: np.void, round_: int, stack: int, most: int, minimum: int) -> tuple[bool, int, int]:
    """Whether a player's chips allow a raise in a round that takes one, its least and its most, as totals for the hand.

    stack: his, with what he has put in; most: that anybody has put in; minimum: no-limit, the least but for an all-in.
    """
    if not game["nolimit"]:
        fixed = min(most + game["raise_size"][round_], stack)
        return True, fixed, fixed
    if minimum > stack:
        return most < stack, stack, stack
    return True, minimum, stack


@part
def least_of_hand(most: int) -> int:
    """The least total of the first raise of a no-limit hand, after its blinds."""
    return 2 * most if most > 0 else 1


@part
def least_of_round(game: np.void, most: int) -> int:
    """The least total of the first bet of a later round."""
    least: int = most + max(game["big_blind"], 1)
    return least


@part
def least_after_raise(minimum: int, most: int, to: int) -> int:
    """The least total of the next raise: it raises by as much as this one, and is no less than the least before."""
    return max(minimum, 2 * to - most)


@part
def _to_call(game: np.void, hand: Hand, player: int) -> int:
    """What a call costs: as much as anybody has put in, or all that is left."""
    chips: int = min(hand.progress["most"], game["stack"][player]) - hand.spent[player]
    return chips


@part
def _write_action(game: np.void, hand: Hand, sheets: Sheets, player: int, action: int) -> None:
    """Append the row of an action as it stands before it is carried out; its amount is still to be filled in."""
    progress = hand.progress
    row = sheets.actions[records.next_row(sheets.used, records.ACTS, len(sheets.actions))]
    spent = hand.spent[player]
    place = sheets.used[records.HANDS]
    row["hand"], row["line"] = place, sheets.hands[place]["line"]
    row["seq"], row["street"], row["board"] = progress["seq"], progress["round"], 0
    row["seat"] = _seat_of(game, hand, player)
    row["action"] = action
    row["origin"] = records.FORCED if action == records.POST else records.CHOICE
    row["level"], row["aggressor"] = progress["level"], progress["aggressor"]
    row["active"] = game["players"] - progress["folded"]
    row["own"], row["pip"], row["pot"] = spent, spent - hand.begun[player], progress["pot"]
    row["to_call"] = _to_call(game, hand, player)
    row["raise_to"] = np.nan


@part
def _bounds_follow(game: np.void, row: NDArray[np.void], lowest: float, highest: float) -> bool:
    """True where `relations/actions.sql` derives an action's legal bounds, NaN for none, from its match."""
    pip, to_call, street = row["pip"], row["to_call"], row["street"]
    low = high = np.nan
    if not game["nolimit"]:
        if row["level"] < game["raise_cap"][street]:
            low = high = pip + to_call + game["raise_size"][street]
    elif game["has_stacks"]:
        # The stack is derived as well, where both players have put in as much but for the chips to call.
        if not game["even_stacks"] or 2 * row["own"] != row["pot"] - to_call:
            return False
        left = game["stack"][0] - row["own"]
        if left > to_call:
            high = pip + left
            low = min(pip + to_call + max(to_call, float(game["big_blind"])), high)
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
def _seat_of(game: np.void, hand: Hand, player: int) -> int:
    """The seat of a position."""
    seat: int = player + hand.progress["first_seat"]
    return seat - game["players"] if seat >= game["players"] else seat


@part
def _put_in(hand: Hand, player: int, total: int) -> None:
    """Bring the chips that a player has put in over the hand to a total."""
    hand.progress["pot"] += total - hand.spent[player]
    hand.spent[player] = total


@part
def post(game: np.void, hand: Hand, sheets: Sheets, turn: int) -> None:
    """Begin a hand and put in the blinds.

    turn: the seat of the first position
    """
    progress, most = hand.progress, 0
    progress["round"] = progress["seq"] = progress["pot"] = progress["most"] = progress["minimum"] = 0
    progress["level"] = progress["raises"] = progress["actions"] = progress["called"] = 0
    progress["acting"] = progress["folded"] = progress["shown_down"] = progress["broken"] = 0
    progress["first_seat"], progress["aggressor"] = turn, s.NONE
    for player in range(game["players"]):
        blind = game["blind"][player]
        hand.spent[player] = hand.begun[player] = hand.folded[player] = 0
        if blind > 0:
            _write_action(game, hand, sheets, player, records.POST)
            sheets.actions[sheets.used[records.ACTS] - 1]["raise_to"] = blind
        progress["seq"] += blind > 0
        _put_in(hand, player, blind)
        most = max(most, blind)
    progress["most"], progress["minimum"], progress["level"] = most, least_of_hand(most), game["bet_level"]
    progress["acting"] = acting_players(game, hand)


@step
def play(text: NDArray[np.uint8], game: np.void, hand: Hand, sheets: Sheets, report: Report) -> None:
    """Play the betting of a hand whose blinds are posted, and write its actions; `Hand.progress` says how
    it ended.

    An action that the rules do not allow is found and carried out; betting that does not fit the rounds is found
    as such and not followed further.
    """
    at, progress = hand.at, hand.progress
    player = next_to_act(game, hand, game["first_to_act"][0])
    progress["shown_down"] = player < 0
    while at["bets"] < at["bets_end"] and not progress["broken"]:
        action, amount = _read_action(text, game, at)
        can_follow = action != s.NONE and player >= 0 and progress["seq"] < records.MOST_ACTIONS
        if can_follow and _carry_out(game, hand, sheets, report, player, action, amount):
            player = _go_on(text, game, hand, player)
        else:
            progress["broken"] = 1
    if player >= 0:
        progress["broken"] = 1
    if progress["broken"]:
        find(report, s.NONE, findings.BETTING, np.nan, np.nan)


@step
def _read_action(text: NDArray[np.uint8], game: np.void, at: np.void) -> tuple[int, int]:
    """The next of the betting: FOLD, CALL or RAISE with its amount, which only no-limit has; NONE for anything else."""
    mark = int(text[at["bets"]]) | 32
    at["bets"] += 1
    if mark == 102:
        return records.FOLD, 0
    if mark == 99 or mark == 107:
        return records.CALL, 0
    if mark != 114 and mark != 98:
        return s.NONE, 0
    if not game["nolimit"]:
        return records.RAISE, 0
    first = place = at["bets"]
    amount = 0
    while place < at["bets_end"] and 48 <= text[place] <= 57 and place - first < _LONGEST:
        amount = amount * 10 + int(text[place]) - 48
        place += 1
    at["bets"] = place
    return records.RAISE if place > first else s.NONE, amount


@step
def _carry_out(
    game: np.void,
    hand: Hand,
    sheets: Sheets,
    report: Report,
    player: int,
    action: int,
    amount: int,
) -> bool:
    """Write an action and carry it out; False for a raise to what the player does not have."""
    progress = hand.progress
    _write_action(game, hand, sheets, player, action)
    row = sheets.actions[sheets.used[records.ACTS] - 1]
    may, lowest, highest = legal_raise(
        game, progress["round"], game["stack"][player], progress["most"], progress["minimum"]
    )
    may = may and takes_raises(
        game, progress["round"], progress["raises"], progress["actions"], progress["acting"]
    )
    low, high = np.nan, np.nan
    if may:
        low, high = float(lowest - hand.begun[player]), float(highest - hand.begun[player])
    if not _bounds_follow(game, row, low, high):
        _write_limits(sheets, low, high)
    to_call = _to_call(game, hand, player)
    progress["seq"] += 1
    progress["actions"] += 1
    if action == records.FOLD:
        if to_call <= 0:
            find(report, _seat_of(game, hand, player), findings.FREE_FOLD, 0.0, 0.0)
        hand.folded[player] = 1
        progress["folded"] += 1
    elif action == records.CALL:
        if to_call <= 0:
            row["action"] = records.CHECK
        _put_in(hand, player, hand.spent[player] + to_call)
        progress["called"] += _can_act(game, hand, player)
    else:
        if progress["level"] == 0:
            row["action"] = records.BET
        goal = amount if game["nolimit"] else lowest
        _check_raise(report, _seat_of(game, hand, player), goal, may, lowest, highest)
        if goal <= hand.spent[player] or goal > game["stack"][player]:
            # The player has no such chips: what follows is unknown.
            return False
        row["raise_to"] = goal - hand.begun[player]
        _raise(game, hand, player, goal)
    progress["acting"] -= not _can_act(game, hand, player)
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
def _raise(game: np.void, hand: Hand, player: int, goal: int) -> None:
    progress = hand.progress
    progress["minimum"] = least_after_raise(progress["minimum"], progress["most"], goal)
    _put_in(hand, player, goal)
    progress["most"] = max(progress["most"], goal)
    progress["raises"] += 1
    progress["level"] += 1
    progress["aggressor"] = _seat_of(game, hand, player)
    progress["called"] = _can_act(game, hand, player)


@step
def _go_on(text: NDArray[np.uint8], game: np.void, hand: Hand, player: int) -> int:
    """The position that acts after another's action, in this round or the next; NONE where the hand is over."""
    progress, players = hand.progress, game["players"]
    if progress["folded"] + 1 >= players:
        return s.NONE
    if progress["called"] >= progress["acting"]:
        return _end_round(text, game, hand)
    return next_to_act(game, hand, player + 1 if player + 1 < players else 0)


@step
def _end_round(text: NDArray[np.uint8], game: np.void, hand: Hand) -> int:
    """The position that begins the next round; NONE after the last, and where nobody is left to bet against."""
    progress, last = hand.progress, game["rounds"] - 1
    if progress["acting"] <= 1 or progress["round"] >= last:
        progress["shown_down"] = 1
        while progress["round"] < last and not progress["broken"]:
            _next_round(text, hand)
        return s.NONE
    _next_round(text, hand)
    if progress["broken"]:
        return s.NONE
    progress["level"] = progress["raises"] = progress["actions"] = progress["called"] = 0
    for player in range(game["players"]):
        hand.begun[player] = hand.spent[player]
    progress["minimum"] = least_of_round(game, progress["most"])
    return next_to_act(game, hand, game["first_to_act"][progress["round"]])


@part
def _next_round(text: NDArray[np.uint8], hand: Hand) -> None:
    """A slash begins it."""
    at, progress = hand.at, hand.progress
    if at["bets"] < at["bets_end"] and text[at["bets"]] == _SLASH:
        at["bets"] += 1
        progress["round"] += 1
    else:
        progress["broken"] = 1
