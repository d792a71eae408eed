"""The rows of a hand that is re-executed: the hand's own, its seats', its board."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from .. import records
from . import state as s
from .state import Hand, Sheets


@part
def board_size(hand: Hand) -> int:
    """How many cards the sections of the line's board have."""
    dealt = 0
    for section in range(1, hand.sections[0] + 1):
        dealt += hand.sections[section]
    return dealt


@step
def begin(sheets: Sheets, number: int, hand_no: int, line: int, players: int, turn: int) -> None:
    """Begin a hand's row: what is known before the hand is played."""
    out = sheets.hands[sheets.used[s.HANDS]]
    out["match"], out["number"], out["line"] = number, hand_no, line
    out["first_seat"], out["players"] = sheets.used[s.SEAT_ROWS], players
    out["first_card"], out["first_act"] = sheets.used[s.HOLE_CARDS], sheets.used[s.ACTS]
    out["dealer"] = (turn + players - 1) % players


@step
def end(sheets: Sheets, hand: Hand, known: bool, undealt: int, verdict: int) -> None:
    """Complete it once the hand is played; the next hand has the next row."""
    out = sheets.hands[sheets.used[s.HANDS]]
    out["streets"] = hand.sections[0] + 1
    shown_down = known and hand.facts[s.SHOWN_DOWN] > 0
    out["ended_by"] = records.BY_SHOWDOWN if shown_down else records.BY_FOLD
    if not known:
        out["ended_by"] = s.NONE
    out["board_count"], out["undealt_count"] = board_size(hand), undealt
    out["verdict"] = verdict
    records.next_row(sheets.used, s.HANDS, len(sheets.hands) - 1)


@part
def write_seats(
    sheets: Sheets, hand: Hand, game: NDArray[np.int64], known: bool, players: int, turn: int
) -> None:
    """Write the seats' rows, in the order of seats, and the board."""
    row = sheets.used[s.HANDS]
    for seat in range(players):
        player = seat - turn
        if player < 0:
            player += players
        place = sheets.seats[records.next_row(sheets.used, s.SEAT_ROWS, len(sheets.seats))]
        place["hand"], place["seat"], place["position"] = row, seat, player
        place["hole_count"] = hand.hole_count[player]
        for k in range(hand.hole_count[player]):
            sheets.holes[records.next_row(sheets.used, s.HOLE_CARDS, len(sheets.holes))] = hand.hole[
                player, k
            ]
        place["ended"] = hand.ended[player] if known else records.OUT
        place["shown"] = known and hand.facts[s.SHOWN_DOWN] > 0 and not hand.folded[player]
        place["stack"] = game[s.STACK + player] if known and game[s.HAS_STACKS] else np.nan
        place["put"] = hand.spent[player] if known else np.nan
        place["delta"], place["bank"] = hand.logged[player], hand.banks[seat]
        place["written"] = hand.payout[player]
        hand.banks[seat] += hand.logged[player]
        hand.exact[seat] += hand.payout[player]
    for k in range(board_size(hand)):
        sheets.board[records.next_row(sheets.used, s.BOARDS, len(sheets.board))] = hand.board[k]
