"""The rows of hands, seats, actions and cards (`records`) of games that are judged."""

from typing import Any, Final

import numpy as np

from ...jit.compile import kernel, part
from .. import records
from ..records import keep, next_row
from . import game as rule
from . import state as s
from .game import PLAYERS
from .settling import bets_before
from .state import MOST_ACTS, Table

_MILLION: Final = 1e6
_ENDED_BY: Final = np.array([-1, -1, records.BY_FOLD, records.BY_FOLD, records.BY_SHOWDOWN])
"""By `GAME.end`."""
_BUY_IN, _STUB, _FLOP_BET = range(3)
"""Kinds of acts; the bets of turn and river follow."""


@part
def _rounded(value: float) -> Any:
    """To six digits, never -0.0: without what sums of floats add to an amount."""
    return np.rint(value * _MILLION) / _MILLION + 0.0


@part
def _line_of(seat: np.void, kind: int) -> int:
    """The line of an act of a player, 0 where there is none."""
    line: int = seat["deal_line"]
    if kind == _STUB:
        line = seat["out_line"]
    elif kind >= _FLOP_BET:
        street = kind - _FLOP_BET
        acts = not np.isnan(seat["bet"][street]) or (street == 0 and seat["state"] == s.FOLDED)
        line = seat["bet_line"][street] if acts else 0
    return line


@part
def _order_acts(table: Table, hand: int) -> int:
    """Fill `Table.acts` with a game's acts, by line, kind and seat, in the order of their lines; returns how many."""
    acts, count = table.acts, 0
    for kind in range(MOST_ACTS // PLAYERS):
        for k in range(PLAYERS):
            line = _line_of(table.seats[hand * PLAYERS + k], kind)
            if line:
                act = line * MOST_ACTS + kind * PLAYERS + k
                # Nearly always its place is the last.
                place = count
                while place > 0 and acts[place - 1] > act:
                    acts[place] = acts[place - 1]
                    place -= 1
                acts[place] = act
                count += 1
    return count


@part
def _write_actions(table: Table, hand: int) -> None:
    """The rows of a game's actions, with what each seat has put in and may bet."""
    sheets, active, pot = table.sheets, table.sheets.hands[hand]["players"] + 0, 0.0
    for seq in range(_order_acts(table, hand)):
        line, act = table.acts[seq] // MOST_ACTS, table.acts[seq] % MOST_ACTS
        kind, k = act // PLAYERS, act % PLAYERS
        seat = table.seats[hand * PLAYERS + k]
        action, origin, street, amount, own = records.POST, records.FORCED, 0, rule.BUY_IN, 0.0
        least, most, chance = np.nan, np.nan, np.nan
        if kind == _STUB:
            amount = seat["stub"]
            if seat["state"] == s.OUT_AT_FLOP:
                street, own = 1, rule.BUY_IN
        elif kind >= _FLOP_BET:
            street = kind - _STUB
            origin, amount, chance = records.CHOICE, seat["bet"][street - 1], seat["chance"][street - 1] / 100
            action = records.FOLD if np.isnan(amount) else records.PLAY
            before, spent, _ = bets_before(seat, street)
            own = rule.BUY_IN + spent
            least = np.fmin(rule.least_bet(street, before), seat["start"] - own)
            most = np.fmin(rule.most_bet(street, before), seat["start"] - own)
        place = next_row(sheets.used, records.ACTS, len(sheets.actions))
        row = sheets.actions[place]
        row["hand"], row["line"], row["seq"], row["street"], row["seat"] = hand, line, seq, street, k
        row["action"], row["origin"], row["level"], row["aggressor"] = action, origin, 0, -1
        row["board"], row["active"], row["raise_to"], row["own"] = 0, active, _rounded(amount), own
        row["pip"], row["to_call"], row["pot"] = 0.0, 0.0, _rounded(pot)
        limit = sheets.limits[next_row(sheets.used, records.LIMITS, len(sheets.limits))]
        limit["act"], limit["told"] = place, 1
        limit["lowest"], limit["highest"] = _rounded(least), _rounded(most)
        limit["stack"] = _rounded(_rounded(seat["start"]) - own)
        limit["other"], limit["chance"] = np.nan, _rounded(chance)
        if action != records.FOLD:
            pot += amount
        active -= action == records.FOLD or kind == _STUB


@part
def _write_seat(table: Table, hand: int, k: int, position: int) -> None:
    """The row of a seat that is still in its match, and what it is paid."""
    sheets, game, seat = table.sheets, table.games[hand], table.seats[hand * PLAYERS + k]
    unknown = np.nan if game["damaged"] else 0.0
    out = sheets.seats[next_row(sheets.used, records.SEATS, len(sheets.seats))]
    out["seat"], out["position"], out["rank"] = k, position, -1
    out["final_count"] = out["hit"] = out["shown"] = out["flags"] = 0
    dealt = 2 if seat["hole"][1] >= 0 else 1 if seat["hole"][0] >= 0 else 0
    out["hole_count"] = keep(sheets.holes, sheets.used, records.HOLES, seat["hole"], 0, dealt)
    payout, share, put = seat["payout"], seat["share"], seat["put"]
    gained = seat["after"] - seat["start"]
    if np.isnan(gained):
        gained = payout + share - put + unknown
    # As printed where the log prints it, else as computed.
    if seat["won"] > 1:
        payout = seat["won"]
    elif seat["wins"] == 1 and not np.isnan(game["paid"]):
        payout = game["paid"]
    out["stack"] = out["bank"] = _rounded(seat["start"])
    out["put"], out["delta"] = _rounded(put), _rounded(gained)
    out["written"] = out["engine"] = np.nan
    prize = sheets.prizes[next_row(sheets.used, records.PRIZES, len(sheets.prizes))]
    prize["written_off"] = _rounded(seat["written_off"] + seat["engine_off"]) + unknown
    prize["engine_off"] = _rounded(seat["engine_off"]) + unknown
    prize["hand_score"] = -1 if np.isnan(seat["score"]) else int(seat["score"])
    prize["payout"], prize["win_cap"] = _rounded(payout), _rounded(seat["cap"])
    prize["redistributed"], prize["win_share"] = _rounded(share), seat["wins"]
    prize["eliminated"] = seat["state"] == s.OUT_AT_BUY_IN or seat["state"] == s.OUT_AT_FLOP


@part
def _note_line(table: Table, hand: int, line: int) -> None:
    """Append the line of a card event to those of its game, if the log has it."""
    sheets = table.sheets
    if line:
        place = next_row(sheets.used, records.LINES, len(sheets.card_lines))
        sheets.card_lines[place] = records.lines_below(sheets.hands[hand]["line"] + 0, line)
        sheets.hands[hand]["line_count"] += 1


@kernel
def write_rows(table: Table) -> None:
    """Write the rows of all games."""
    sheets, used = table.sheets, table.sheets.used
    for hand in range(used[records.HANDS]):
        row, game = sheets.hands[hand], table.games[hand]
        row["first_seat"], row["first_act"] = used[records.SEATS], used[records.ACTS]
        row["first_card"], row["dealer"] = used[records.HOLES], -1
        row["ended_by"] = _ENDED_BY[game["end"]]
        row["players"] = row["undealt_count"] = row["line_count"] = known = 0
        while known < 5 and game["board"][known] >= 0:
            known += 1
        row["board_count"] = keep(sheets.board, used, records.BOARD, game["board"], 0, known)
        for k in range(PLAYERS):
            seat = table.seats[hand * PLAYERS + k]
            if seat["state"] != s.ABSENT:
                _write_seat(table, hand, k, row["players"] + 0)
                row["players"] += 1
                _note_line(table, hand, seat["deal_line"])
        for street in range(row["streets"] - 1):
            _note_line(table, hand, game["street_line"][street])
        _write_actions(table, hand)
