"""The betting of a hand from its line, played by the rules of its definition."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from .. import betting as b
from .. import findings, records
from ..records import Sheets, fill
from . import state as s
from .state import Hand, Report, find

_SLASH: Final = 47
_PLUS: Final = 43
_CALL: Final = 99
_LONGEST: Final = 10
"""The most digits of an amount."""


@part
def _write_action(hand: Hand, sheets: Sheets, place: int, action: int) -> NDArray[np.void]:
    """Append the row of an action, with the state before it; the amount is filled in later."""
    bets = hand.bets
    origin = records.FORCED if action == records.POST else records.CHOICE
    at = b.write_action(sheets, bets, 0, place, bets["street"], action, origin, bets["spent"][place])
    row: NDArray[np.void] = sheets.actions[at]
    row["line"] = sheets.hands[bets["row"]]["line"]
    row["to_call"] = b.price_of_call(bets, place) if action != records.POST else 0.0
    return row


@part
def _bounds_follow(game: np.void, row: NDArray[np.void], lowest: float, highest: float) -> bool:
    """True if `relations/actions.sql` derives an action's legal bounds, NaN for none, from its match."""
    pip, to_call, street = row["pip"], row["to_call"], row["street"]
    low = high = np.nan
    if not game["nolimit"]:
        if row["level"] < game["raise_cap"][street]:
            low = high = pip + to_call + game["raise_size"][street]
    elif game["has_stacks"]:
        # The stack is derived too, if both players have put in the same apart from the chips to call.
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
def begin(game: np.void, hand: Hand, turn: int) -> None:
    """Begin a hand.

    turn: the seat of the first position
    """
    fill(hand.bets_words, 0)
    b.begin(hand.bets, game["players"], 1)
    hand.bets["first_seat"] = turn
    for place in range(game["players"]):
        hand.bets["stack"][place] = game["stack"][place]


@part
def post(game: np.void, hand: Hand, sheets: Sheets, turn: int) -> None:
    """Begin a hand, turn as in `begin`, and put in the blinds."""
    begin(game, hand, turn)
    bets = hand.bets
    bets["row"] = sheets.used[records.HANDS]
    for place in range(game["players"]):
        blind = float(game["blind"][place])
        if blind > 0:
            _write_action(hand, sheets, place, records.POST)["raise_to"] = blind
            b.put(bets, 0, place, blind)
    b.begin_bets(game, bets)


@step
def play(text: NDArray[np.uint8], game: np.void, hand: Hand, sheets: Sheets, report: Report) -> None:
    """Play the betting of a hand whose blinds are posted, and write its actions; `Hand.bets` has its end.

    An illegal action is a finding and is carried out; betting that does not fit the rounds is a finding and is
    not played further.
    """
    at, bets = hand.at, hand.bets
    player = b.next_to_act(bets, game["first_to_act"][0])
    bets["shown_down"] = player < 0
    while at["bets"] < at["bets_end"] and not bets["broken"]:
        action, amount = _read_action(text, game, at, bets)
        can_follow = action != s.NONE and player >= 0 and bets["seq"] < records.MOST_ACTIONS
        if can_follow and _carry_out(game, hand, sheets, report, player, action, amount):
            player = _go_on(text, game, hand, player)
        else:
            bets["broken"] = 1
    if player >= 0 and at["owned"] and not bets["broken"]:
        bets["open"] = 1
    elif player >= 0:
        bets["broken"] = 1
    if bets["broken"]:
        find(report, s.NONE, findings.BETTING, np.nan, np.nan)


@step
def _read_action(text: NDArray[np.uint8], game: np.void, at: np.void, bets: np.void) -> tuple[int, int]:
    """The next action: FOLD, CALL, or RAISE with its amount (no-limit only); NONE for anything else."""
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
    by = amount = 0
    if at["restated"] and at["bets"] < at["bets_end"] and text[at["bets"]] == _PLUS:
        at["bets"] += 1
        by = int(b.most_spent(bets))
    first = place = at["bets"]
    while place < at["bets_end"] and 48 <= text[place] <= 57 and place - first < _LONGEST:
        amount = amount * 10 + int(text[place]) - 48
        place += 1
    at["bets"] = place
    return records.RAISE if place > first else s.NONE, by + amount


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
    """Write an action and carry it out; False for a raise beyond the player's stack."""
    bets = hand.bets
    row = _write_action(hand, sheets, player, action)
    may, lowest, highest = b.legal_raise(game, bets, player)
    low, high = np.nan, np.nan
    if may:
        low, high = b.pip_of(bets, player, lowest), b.pip_of(bets, player, highest)
    if not _bounds_follow(game, row, low, high):
        _write_limits(sheets, low, high)
    to_call = row["to_call"]
    bets["acted"] += 1
    if action == records.FOLD:
        if to_call <= 0:
            find(report, b.seat_of(bets, player), findings.FREE_FOLD, 0.0, 0.0)
        b.fold(bets, 0, player)
    elif action == records.CALL:
        if to_call <= 0:
            row["action"] = records.CHECK
        b.match_most(bets, player)
    else:
        if bets["level"][0] == 0:
            row["action"] = records.BET
        goal = float(amount) if game["nolimit"] else lowest
        _check_raise(report, b.seat_of(bets, player), goal, may, lowest, highest)
        if goal <= bets["spent"][player] or goal > bets["stack"][player]:
            # The player has fewer chips: the rest of the hand is unknown.
            return False
        row["raise_to"] = b.pip_of(bets, player, goal)
        b.raise_total(bets, player, goal)
    return True


@step
def _check_raise(report: Report, seat: int, goal: float, may: bool, lowest: float, highest: float) -> None:
    if not may:
        find(report, seat, findings.RAISE, 0.0, goal)
    elif goal < lowest:
        find(report, seat, findings.TOO_SMALL, lowest, goal)
    elif goal > highest:
        find(report, seat, findings.TOO_LARGE, highest, goal)


@step
def _go_on(text: NDArray[np.uint8], game: np.void, hand: Hand, player: int) -> int:
    """The position that acts after another's action, in this round or the next; NONE if the hand is over."""
    bets, last = hand.bets, game["rounds"] - 1
    if bets["folded"] >= 0:
        return s.NONE
    if not b.is_answered(bets):
        return b.next_to_act(bets, player + 1)
    if b.acting_players(bets) <= 1 or bets["street"] >= last:
        bets["shown_down"] = 1
        while bets["street"] < last and not bets["broken"]:
            _next_round(text, game, hand)
            _pass_checks(text, hand)
        return s.NONE
    _next_round(text, game, hand)
    if bets["broken"]:
        return s.NONE
    return b.next_to_act(bets, game["first_to_act"][bets["street"]])


@part
def _next_round(text: NDArray[np.uint8], game: np.void, hand: Hand) -> None:
    """Begin the next round, which a slash precedes."""
    at = hand.at
    if at["bets"] < at["bets_end"] and text[at["bets"]] == _SLASH:
        at["bets"] += 1
        b.begin_street(game, hand.bets)
    else:
        hand.bets["broken"] = 1


@part
def _pass_checks(text: NDArray[np.uint8], hand: Hand) -> None:
    """Skip the checks that some programs print after all players who can act are all-in."""
    at, checks = hand.at, 0
    while at["bets"] + checks < at["bets_end"] and text[at["bets"] + checks] == _CALL:
        checks += 1
    if at["restated"] and checks == hand.bets["active"][0]:
        at["bets"] += checks
        hand.so_far["checks_after"] = 1
