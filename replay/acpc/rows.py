"""The rows of a hand that is re-executed: the hand's own, its seats', its board."""

import numpy as np

from ...jit.compile import part, step
from .. import records
from ..records import Sheets, keep
from . import state as s
from .state import Hand


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
    out = sheets.hands[sheets.used[records.HANDS]]
    out["match"], out["number"], out["line"] = number, hand_no, line
    out["first_seat"], out["players"] = sheets.used[records.SEATS], players
    out["first_card"], out["first_act"] = sheets.used[records.HOLES], sheets.used[records.ACTS]
    out["dealer"] = (turn + players - 1) % players
    out["line_count"], out["deviations"] = 0, 0


@step
def end(sheets: Sheets, hand: Hand, known: bool, undealt: int) -> None:
    """Complete it once the hand is played; the next hand has the next row."""
    out = sheets.hands[sheets.used[records.HANDS]]
    out["streets"] = hand.sections[0] + 1
    shown_down = known and hand.bets["shown_down"] > 0
    out["ended_by"] = records.BY_SHOWDOWN if shown_down else records.BY_FOLD
    if not known:
        out["ended_by"] = s.NONE
    out["board_count"], out["undealt_count"] = board_size(hand), undealt
    records.next_row(sheets.used, records.HANDS, len(sheets.hands) - 1)


@part
def write_seats(sheets: Sheets, hand: Hand, game: np.void, known: bool, players: int, turn: int) -> None:
    """Write the seats' rows, in the order of seats, and the board."""
    for seat in range(players):
        player = seat - turn
        if player < 0:
            player += players
        place = sheets.seats[records.next_row(sheets.used, records.SEATS, len(sheets.seats))]
        place["seat"], place["position"] = seat, player
        count = hand.hole_count[player] + 0
        place["hole_count"] = keep(sheets.holes, sheets.used, records.HOLES, hand.hole[player], 0, count)
        place["final_count"], place["rank"], place["hit"] = 0, s.NONE, 0
        place["ended"] = hand.ended[player] if known else records.OUT
        place["shown"] = known and hand.bets["shown_down"] > 0 and not hand.bets["out"][0, player]
        place["stack"] = game["stack"][player] if known and game["has_stacks"] else np.nan
        place["put"] = hand.bets["spent"][player] if known else np.nan
        place["delta"], place["bank"] = hand.logged[player], hand.banks[seat]
        place["written"] = place["engine"] = hand.payout[player]
        hand.banks[seat] += hand.logged[player]
        hand.exact[seat] += hand.payout[player]
    keep(sheets.board, sheets.used, records.BOARD, hand.board, 0, board_size(hand))
