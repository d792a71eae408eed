"""The lines of a game and of a match's end: each is noted if it fits the lines before it.

Only the order is checked here. `here` is the offset of a line's values. Functions return whether the line fits; `walk`
calls them in the stage that is due.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from ...parsers import events
from .. import findings as rules
from .. import records
from . import game as rule
from . import state as s
from .game import PLAYERS
from .state import Table, chips, find, row_of

_FOLD: Final = np.frombuffer(b"chose to fold.", np.uint8)
_BET: Final = np.frombuffer(b"chose to bet $", np.uint8)
_FOLDS: Final = -1.0
_DOLLAR, _DOT, _ZERO, _NINE = b"$.09"
_SOME_CENTS: Final = 0.05
"""The tolerance of rough chips."""


@part
def differs(table: Table, seat: int, check: int, expected: float, logged: float) -> None:
    """Report that the line contradicts the rules."""
    find(table, table.now["line"], seat, check, expected, logged)


@part
def damage(table: Table, check: int, expected: float, logged: float) -> None:
    """Report that lines of the game contradict each other."""
    differs(table, -1, check, expected, logged)
    table.games[table.now["game"]]["damaged"] = 1


@part
def _named(table: Table, name: int, state: int, without: int) -> int:
    """The seat that a name means, -1 for none: the first one in a state from the turn on, else the first one.

    without: seats that it cannot mean, a bit each
    """
    now, found = table.now, -1
    seats = table.same[now["match"], table.values[name]] & ~without
    for seat in range(PLAYERS):
        if seats >> seat & 1 and table.seats[row_of(table, seat)]["state"] == state:
            if seat >= now["turn"]:
                return seat
            if found < 0:
                found = seat
    return found


@part
def _in_turn(table: Table, seat: int, check: int) -> None:
    """Lines name seats in ascending order."""
    if seat < table.now["turn"]:
        differs(table, seat, check, float(table.now["turn"]), float(seat))
    table.now["turn"] = seat + 1


# A game from its heading to the board


@part
def _count_roughly(table: Table) -> None:
    """Carry the rough chips over the game at hand."""
    now, game = table.now, table.games[table.now["game"]]
    share = game["left"] / max(game["sharers"], 1.0)
    for k in range(PLAYERS):
        seat = table.seats[row_of(table, k)]
        state = seat["state"]
        if not np.isnan(seat["stack"]):
            now["rough"][k] = seat["stack"] + (share if state == s.IN and share > 0 else 0.0)
        elif state == s.IN or state == s.FOLDED:
            now["rough"][k] -= rule.BUY_IN
            for street in range(s.STREETS):
                if not np.isnan(seat["bet"][street]):
                    now["rough"][k] -= seat["bet"][street]
            if not np.isnan(seat["received"]):
                now["rough"][k] += seat["received"]
            if seat["won"] > 1:
                now["rough"][k] += seat["won"]


@step
def begin(table: Table, here: int) -> None:
    """Read a heading: the next game."""
    now, sheets = table.now, table.sheets
    number = table.values[here] if now["version"] == 1 else table.values[here + 1]
    before, ended = number - 1, False
    if now["game"] >= 0:
        if now["stage"] != s.CLOSED and now["stage"] < s.AFTER:
            damage(table, rules.INCOMPLETE, np.nan, np.nan)
        _count_roughly(table)
        before = sheets.hands[now["game"]]["number"]
        ended = now["stage"] >= s.OVER or table.games[now["game"]]["end"] == s.ABORTED
    now["first_event"], now["first_finding"] = now["event"], sheets.used[records.FINDINGS]
    now["game"] = records.next_row(sheets.used, records.HANDS, len(sheets.hands))
    hand, game = sheets.hands[now["game"]], table.games[now["game"]]
    hand["match"], hand["number"], hand["line"], hand["streets"] = now["match"], number, now["line"], 1
    table.games[now["game"]] = table.new_game
    game["last_event"], game["last_line"] = now["event"], now["line"]
    for k in range(PLAYERS):
        table.seats[row_of(table, k)] = table.new_seat
    if number != before + 1:
        damage(table, rules.SEQUENCE, float(before), float(number))
    if ended:
        damage(table, rules.MISPLACED, np.nan, np.nan)
    now["stage"], now["turn"], now["shown"], now["open_seat"] = s.OPENED, 0, 0, -1


@part
def dealt(table: Table, here: int) -> bool:
    """Read hole cards."""
    now, values = table.now, table.values
    # Version 1 has the name before the cards, version 2 after them.
    cards = here + 1 if now["version"] == 1 else here
    count = values[cards]
    seat = _named(table, here if now["version"] == 1 else here + 1 + count, s.ABSENT, now["lost"])
    if seat < 0:
        return False
    if count == 2:
        _in_turn(table, seat, rules.DEAL_ORDER)
    else:
        differs(table, seat, rules.DEAL, 2.0, float(count))
        now["turn"] = seat + 1
    now["missed"] &= ~(1 << seat)
    row = table.seats[row_of(table, seat)]
    row["state"], row["deal_line"] = s.IN, now["line"]
    for k in range(min(count, 2)):
        row["hole"][k] = values[cards + 1 + k]
    return True


@part
def _with_chips(table: Table, name: int, stack: float) -> int:
    """The seat of a name, still in the game, whose rough chips are nearest to a printed stack; -1: none.

    Of those as near to some cents the first: players go out in the order of seats.
    """
    seats = table.same[table.now["match"], table.values[name]]
    best, nearest = -1, np.inf
    for seat in range(PLAYERS):
        if seats >> seat & 1 and table.seats[row_of(table, seat)]["state"] == s.IN:
            off = abs(table.now["rough"][seat] - stack)
            if off < nearest - _SOME_CENTS:
                best, nearest = seat, off
    return best


@part
def out(table: Table, here: int) -> bool:
    """Read an elimination: the player cannot pay the buy-in or the flop's stake."""
    now, stub = table.now, chips(table, here + 1)
    at_flop = now["stage"] == s.FLOP and not now["done"]
    if not at_flop and now["stage"] != s.DEALING:
        return False
    had = stub + rule.BUY_IN
    seat = _with_chips(table, here, had) if at_flop else _named(table, here, s.ABSENT, now["lost"])
    if seat < 0:
        return False
    _in_turn(table, seat, rules.TURN)
    now["lost"] |= 1 << seat
    row = table.seats[row_of(table, seat)]
    row["state"] = s.OUT_AT_FLOP if at_flop else s.OUT_AT_BUY_IN
    row["stub"], row["out_line"] = stub, now["line"]
    return True


@part
def community(table: Table, here: int) -> None:
    """Read the board, dealt as a whole; all players with the buy-in have cards by now."""
    now, values = table.now, table.values
    count = values[here]
    for k in range(min(count, 5)):
        table.games[now["game"]]["board"][k] = values[here + 1 + k]
    begins_late = (
        now["game"] == table.sheets.matches[now["match"]]["first_hand"]
        and table.sheets.hands[now["game"]]["number"] > 1
    )
    undealt = False
    for k in range(PLAYERS):
        if table.seats[row_of(table, k)]["state"] == s.ABSENT and not now["lost"] >> k & 1:
            if begins_late:
                now["lost"] |= 1 << k
            else:
                # Eliminated in a damaged game: reported once.
                undealt = undealt or not now["missed"] >> k & 1
                now["missed"] |= 1 << k
    if undealt:
        damage(table, rules.UNDEALT, np.nan, np.nan)
    elif count != 5:
        differs(table, -1, rules.BOARD_SIZE, 5.0, float(count))


# Betting


@part
def betting(table: Table) -> None:
    """Begin the bets of the flop, the turn or the river."""
    now, street = table.now, table.now["stage"] - s.FLOP
    now["turn"] = now["done"] = 0
    table.games[now["game"]]["street_line"][street] = now["line"]
    table.sheets.hands[now["game"]]["streets"] = 2 + street


@part
def visible(table: Table, here: int) -> bool:
    """Read the visible board cards."""
    now, values, board = table.now, table.values, table.games[table.now["game"]]["board"]
    street, count = values[here], values[here + 1]
    fits = s.FLOP <= now["stage"] <= s.RIVER and street == now["stage"] - s.FLOP + 1
    if not fits or now["shown"] != street - 1:
        return False
    now["shown"] = street
    if count != street + 2:
        differs(table, -1, rules.BOARD_SIZE, float(street + 2), float(count))
        return True
    other = -1
    for k in range(count):
        if values[here + 2 + k] != board[k]:
            other = k
    if other >= 0:
        differs(table, -1, rules.BOARD, float(board[other]), float(values[here + 2 + other]))
    return True


@part
def _decides(table: Table, here: int, street: int) -> int:
    """The seat of a line's decision, noting its chance to win; -1 if none is due."""
    now = table.now
    seat = _named(table, here + 1, s.IN, now["done"])
    if seat >= 0:
        _in_turn(table, seat, rules.TURN)
        now["done"] |= 1 << seat
        row = table.seats[row_of(table, seat)]
        row["chance"][street], row["bet_line"][street] = chips(table, here), now["line"]
    return seat


@part
def choose(table: Table, here: int, code: int) -> bool:
    """Read a bet or fold on the flop, or a strategy's own text, which may end like one."""
    now = table.now
    if now["shown"] != 1:
        return False
    if not now["done"]:
        now["turn"] = 0
    seat = _decides(table, here, 0)
    if seat < 0:
        return False
    bet = _FOLDS
    if code == events.BET:
        bet = chips(table, here + 2)
    elif code == events.SAID:
        bet = _closing(table.text, table.values[here + 2], table.values[here + 3])
        now["open_seat"] = seat if np.isnan(bet) else -1
    _answer(table, seat, bet)
    return True


@part
def _answer(table: Table, seat: int, bet: float) -> None:
    row = table.seats[row_of(table, seat)]
    if bet == _FOLDS:
        row["state"] = s.FOLDED
    else:
        row["bet"][0] = bet


@part
def close(table: Table, here: int, folds: bool) -> bool:
    """The end of a line that a strategy wrote line breaks into."""
    now, seat = table.now, table.now["open_seat"]
    now["open_seat"] = -1
    if seat < 0:
        return False
    _answer(table, seat, _FOLDS if folds else chips(table, here))
    return True


@part
def _ends_with(text: NDArray[np.uint8], first: int, last: int, words: NDArray[np.uint8]) -> bool:
    size = len(words)
    ends = last - first >= size
    for k in range(size if ends else 0):
        ends = ends and text[last - size + k] == words[k]
    return ends


@part
def _closing(text: NDArray[np.uint8], first: int, size: int) -> float:
    """The end of a line with a strategy's own text: a bet, which may be 0, _FOLDS, or NaN for neither."""
    dot = first + size - 1
    if _ends_with(text, first, dot + 1, _FOLD):
        return _FOLDS
    start = dot
    while start > first and text[start - 1] != _DOLLAR:
        start -= 1
    is_bet = _ends_with(text, first, start, _BET) and text[dot] == _DOT
    if not is_bet or not _ZERO <= text[start] <= _NINE:
        return np.nan
    value, scale = 0.0, 0.0
    for k in range(start, dot):
        if _ZERO <= text[k] <= _NINE:
            value = value * 10.0 + (int(text[k]) - _ZERO)
            scale *= 10.0
        elif text[k] == _DOT and scale == 0:
            scale = 1.0
        else:
            return np.nan
    return value / scale if scale > 0 else value


@part
def later_bet(table: Table, here: int) -> bool:
    """Read a bet on the turn or the river, where no player folds."""
    now, street = table.now, table.values[here + 3] - 1
    if not 1 <= street <= 2 or now["stage"] != s.FLOP + street:
        return False
    if now["shown"] != (street + 1 if now["version"] == 1 else 1):
        return False
    seat = _decides(table, here, street)
    if seat < 0:
        return False
    table.seats[row_of(table, seat)]["bet"][street] = chips(table, here + 2)
    return True


# The end of a game


@part
def early_win(table: Table, here: int) -> bool:
    """Read that all others folded on the flop."""
    now, game = table.now, table.games[table.now["game"]]
    now["turn"] = 0
    seat = _named(table, here, s.IN, 0)
    if seat < 0:
        return False
    game["end"], game["pot_line"] = s.EARLY, now["line"]
    game["pot"] = chips(table, here + 1)
    game["paid"] = table.seats[row_of(table, seat)]["won"] = chips(table, here + 2)
    now["stage"], now["stacks"] = s.STACKS if now["version"] == 1 else s.AFTER, 0
    return True


@part
def nobody(table: Table, here: int) -> bool:
    """Version 1: read that all have folded, in the round of the turn."""
    now, game = table.now, table.games[table.now["game"]]
    if table.values[here] != 2 or now["shown"] != 2:
        return False
    game["end"], game["pot_line"] = s.ALL_FOLD, now["line"]
    table.sheets.hands[now["game"]]["streets"] = 2
    now["stage"], now["stacks"] = s.STACKS, 0
    return True


@part
def _await_shares(table: Table) -> None:
    """Wait until all who folded have received a share; those who were eliminated receive nothing."""
    now = table.now
    now["stage"] = s.AFTER
    for k in range(PLAYERS):
        if table.seats[row_of(table, k)]["state"] == s.FOLDED and not now["done"] >> k & 1:
            now["stage"] = s.RECEIVING


@part
def all_folded(table: Table) -> None:
    """Version 2: all have folded."""
    now, game = table.now, table.games[table.now["game"]]
    game["end"], game["pot_line"] = s.ALL_FOLD, now["line"]
    now["turn"] = now["done"] = 0
    _await_shares(table)


@part
def receives(table: Table, here: int) -> bool:
    """Read the share of a player after all have folded."""
    now = table.now
    seat = _named(table, here, s.FOLDED, now["done"])
    if seat < 0:
        return False
    now["turn"] = seat + 1
    now["done"] |= 1 << seat
    row = table.seats[row_of(table, seat)]
    row["received"], row["stack_line"] = chips(table, here + 1), now["line"]
    _await_shares(table)
    return True


@part
def winners(table: Table, here: int, count: int) -> bool:
    """Version 1: who has the best hand, and its score."""
    now, values, game = table.now, table.values, table.games[table.now["game"]]
    if not np.isnan(game["score"]):
        return False
    for k in range(count):
        table.seats[row_of(table, values[here + k])]["won"] = 1
    game["score"], game["winners"], game["pot_line"] = values[here + count], count, now["line"]
    return True


@part
def total(table: Table, here: int) -> bool:
    """Version 1: the pot, and the part of it that is paid."""
    now, game = table.now, table.games[table.now["game"]]
    if not np.isnan(game["pot"]):
        return False
    game["pot"], game["paid"], game["left_line"] = chips(table, here), chips(table, here + 1), now["line"]
    now["stage"], now["stacks"] = s.STACKS, 0
    return True


@part
def win_count(table: Table, here: int) -> bool:
    """Version 2: how many have the best hand."""
    game = table.games[table.now["game"]]
    if not np.isnan(game["winners"]):
        return False
    game["winners"] = table.values[here]
    return True


@part
def prize(table: Table, here: int) -> bool:
    """Version 2: what one of them wins, the cap and the pot."""
    now, game = table.now, table.games[table.now["game"]]
    k, pot = game["prizes"], chips(table, here + 3)
    if k >= PLAYERS:
        return False
    game["prizes"] = k + 1
    game["prize_seats"][k] = table.same[now["match"], table.values[here]]
    game["prize"][k], game["prize_cap"][k] = chips(table, here + 1), chips(table, here + 2)
    game["prize_line"][k] = game["pot_line"] = now["line"]
    if k and pot != game["pot"]:
        differs(table, -1, rules.POT, game["pot"], pot)
    game["pot"], now["stacks"] = pot, 0
    return True


@part
def left_over(table: Table, here: int) -> bool:
    """Read the shares of the rest of the pot, in the last line of a game in version 2."""
    now, game = table.now, table.games[table.now["game"]]
    due = s.STACKS if now["version"] == 1 else s.AFTER
    if now["stage"] != due or game["end"] != s.SHOWDOWN or not np.isnan(game["left"]):
        return False
    game["left"], game["left_line"] = chips(table, here), now["line"]
    if now["version"] == 1:
        game["share"], game["sharers"] = chips(table, here + 1), table.values[here + 2]
    else:
        game["sharers"], now["stage"] = table.values[here + 1], s.CLOSED
    game["last_event"], game["last_line"] = now["event"], now["line"]
    return True


@part
def stack(table: Table, here: int) -> bool:
    """Read a stack after a game, in the order of the seats."""
    now, k = table.now, table.now["stacks"]
    after_prizes = (
        now["stage"] == s.SHOWING and now["version"] == 2 and table.games[now["game"]]["prizes"] > 0
    )
    if now["stage"] != s.STACKS and not after_prizes:
        return False
    if not table.same[now["match"], table.values[here]] >> k & 1:
        return False
    row = table.seats[row_of(table, k)]
    row["stack"], row["stack_line"] = chips(table, here + 1), now["line"]
    now["stacks"] = k + 1
    now["stage"] = s.STACKS if k + 1 < PLAYERS else s.AFTER
    return True


# The end of a match of version 1


@part
def standing(table: Table, here: int, figures: NDArray[np.float64], lines: NDArray[np.int64]) -> bool:
    """Read a player's final stack or wins; the figure and its line are stored by seat."""
    seat = table.values[here]
    if table.now["stage"] != s.STANDINGS or not np.isnan(figures[seat]):
        return False
    figures[seat], lines[seat] = chips(table, here + 1), table.now["line"]
    return True
