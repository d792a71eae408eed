"""The lines of a table's hand before it is paid (`parsers.table_lines`): each is checked, then applied to the state.

Players have places, from the player after the dealer on, in the order of the hand's `seat` lines; findings and rows
name their seats. A hand has the players that it names: `state.MATCH`'s `players` is their number.
"""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from ...parsers import events
from .. import betting as b
from .. import findings, records
from ..findings import NO_EXPLANATION
from ..records import Sheets, fill
from . import betting
from . import state as s
from .state import Play, find, find_known, following, misplaced, note_line, see

UNKNOWN_STACK = -1

SECOND_AT = 8
"""The index of a second board in `Play.board`."""
_STRADDLE = 2
"""Big blinds of a post from which it is a straddle."""


@part
def seat_of(play: Play, place: int) -> int:
    """The seat of a place, -1 for none."""
    seat: int = play.players[place]["seat"] if place >= 0 else -1
    return seat


@part
def place_of(play: Play, seat: int) -> int:
    """The place of a seat, -1 if it is not in the hand."""
    for place in range(play.match["players"]):
        if play.players[place]["seat"] == seat:
            return place
    return b.NOBODY


# The first lines


@step
def begin(sheets: Sheets, play: Play, number: int, button: int, line: int) -> None:
    """A hand's first line."""
    match, hand = play.match, play.hand
    row = records.next_row(sheets.used, records.HANDS, len(sheets.hands))
    fill(play.hand_words, 0)
    match["players"] = 0
    b.begin(hand, 0, 1)
    hand["open"], hand["row"], hand["number"], hand["line"] = 1, row, number, line
    hand["first_finding"] = sheets.used[records.FINDINGS]
    hand["pending"] = hand["raiser"] = hand["opener"] = hand["last_post"] = b.NOBODY
    hand["dealer"] = b.NOBODY
    hand["rake"] = np.nan
    hand["button"], hand["step"], hand["low"] = button, match["big_blind"], match["big_blind"]
    play.lines[0] = 0
    if match["marker_line"]:
        find(play.report, match["marker_line"], -1, findings.MARKER, 0.0, 0.0)
        match["marker_line"] = 0
    record = sheets.hands[row]
    record["match"], record["line"] = match["number"], line
    record["number"] = number
    record["first_act"], record["first_card"] = sheets.used[records.ACTS], sheets.used[records.HOLES]


@step
def seated(play: Play, line: int, seat: int, stack: int) -> None:
    """A player of the hand, and the chips before any post."""
    match, hand = play.match, play.hand
    place = match["players"] + 0
    if hand["begun"] or place >= len(play.players) or place_of(play, seat) >= 0 or seat >= match["names"]:
        misplaced(play.report, line, seat)
        return
    player = play.players[place]
    player["seat"], player["out"], player["hidden"] = seat, 0, 0
    player["award"] = player["returned"] = player["owed"] = player["share"] = player["dead"] = 0.0
    player["net"] = player["after"] = np.nan
    player["holes"][0] = 0
    player["bank"] = np.inf if stack == UNKNOWN_STACK else float(stack)
    before = play.stacks[seat]
    if match["carries"] and not np.isnan(before) and player["bank"] < np.inf and before != stack:
        deviation = s.DEAD_MONEY if match["explains"][s.DEAD_MONEY] != NO_EXPLANATION else s.TAKEN
        row = find_known(play.report, line, seat, findings.STACKS, before, float(stack), deviation)
        play.report.findings[row]["chips"] = stack - before
    match["players"] = place + 1
    if seat == hand["button"]:
        hand["dealer"] = place


@part
def ready(play: Play, line: int) -> None:
    """The first line after those of the players."""
    if not play.hand["begun"]:
        _all_seated(play, line)


@step
def _all_seated(play: Play, line: int) -> None:
    match, hand = play.match, play.hand
    players = match["players"] + 0
    dealer = hand["dealer"] + 0
    b.begin(hand, players, 1)
    hand["begun"], hand["dealer"], hand["live"] = 1, dealer, players
    if dealer < 0:
        # A dealer who plays no hand: the first to act is at place 0.
        hand["dealer"] = max(players - 1, 0)
    for place in range(players):
        hand["stack"][place] = play.players[place]["bank"]
        hand["asked"][place] = 0
    if players == 0:
        misplaced(play.report, line, -1)
    hand["next"] = following(match, hand["dealer"], 1) if players else 0
    if match["explains"][s.TAKEN] != NO_EXPLANATION:
        _find_gone(play, line)


@rare
def _find_gone(play: Play, line: int) -> None:
    """Players who had chips after the hand before and do not play this one."""
    for seat in range(play.match["names"]):
        chips = play.stacks[seat]
        if chips > 0 and place_of(play, seat) < 0:
            row = find_known(play.report, line, seat, findings.CHIPS_GONE, chips, 0.0, s.TAKEN)
            play.report.findings[row]["chips"] = -chips
            play.stacks[seat] = 0.0


@step
def limit(play: Play, kind: int, low: int, high: int) -> None:
    """Set the limits of bets."""
    hand, match = play.hand, play.match
    hand["limit"], hand["low"], hand["high"] = kind, float(low), float(high)
    match["pot_limit"] = kind == 1
    match["big_blind"] = low
    hand["step"] = float(low)


@step
def post(sheets: Sheets, play: Play, line: int, seat: int, amount: int, live: bool) -> None:
    """An ante, a blind or a straddle. live: it counts towards what a bet of the street is to."""
    hand = play.hand
    place = place_of(play, seat)
    if place < 0 or hand["street"] or hand["acted"]:
        misplaced(play.report, line, seat)
        return
    # Chips that are not a bet are added to the bet that the player posted before.
    to = hand["pip"][0, place] + amount
    _write_action(sheets, play, line, place, records.POST, records.FORCED, to)
    if not live:
        b.pay(hand, 0, place, float(amount))
        return
    b.put(hand, 0, place, to)
    if hand["pip"][0, place] > hand["bet"] or hand["last_post"] < 0:
        hand["bet"] = hand["pip"][0, place]
        hand["last_post"] = place
        hand["level"][0] = 1


@step
def dead(sheets: Sheets, play: Play, line: int, seat: int, amount: int) -> None:
    """Chips that a player pays into the first pot, and that are no bet."""
    post(sheets, play, line, seat, amount, False)
    place = place_of(play, seat)
    if place >= 0:
        play.players[place]["dead"] += amount
        play.hand["dead"] += amount


@step
def skip(play: Play) -> None:
    """Nobody bets before the flop."""
    play.hand["closed"] = 1


@step
def price(play: Play, chips: int) -> None:
    """Set the least cost of a call."""
    match, hand = play.match, play.hand
    if chips > hand["bet"]:
        hand["bet"] = float(chips)
        hand["short"] = 1
    if match["straddles"] and hand["limit"] != betting.FIXED and chips >= _STRADDLE * hand["low"]:
        hand["step"] = max(hand["step"], float(chips))


@step
def opens(play: Play, line: int, seat: int) -> None:
    """Set the first player to act before the flop."""
    place = place_of(play, seat)
    if place < 0:
        misplaced(play.report, line, seat)
    play.hand["opener"] = place


@step
def dealt(play: Play, line: int, seat: int, values: NDArray[np.int64], at: int) -> None:
    """Add hole cards of a player."""
    place = place_of(play, seat)
    if place < 0:
        misplaced(play.report, line, seat)
        return
    holes = play.players[place]["holes"]
    for k in range(1, values[at] + 1):
        if holes[0] < len(holes) - 1:
            see(play.report, line, seat, values[at + k])
            holes[0] += 1
            holes[holes[0]] = values[at + k]
    if holes[0] > play.match["hole_cards"]:
        find(play.report, line, seat, findings.DEAL, float(play.match["hole_cards"]), float(holes[0]))
    note_line(play, line)


@step
def hidden(play: Play, line: int, seat: int, count: int) -> None:
    """Hole cards that are not known."""
    place = place_of(play, seat)
    if place < 0:
        misplaced(play.report, line, seat)
        return
    play.players[place]["hidden"] += count


# Betting


@part
def _start(play: Play) -> None:
    """Before the first action: find who opens, and whether any player may act."""
    hand = play.hand
    if hand["acted"] or hand["street"] or hand["level"][0] > 1:
        return
    opener = hand["opener"] + 0
    if opener < 0:
        opener = hand["dealer"] + 0
        if play.match["players"] > 2 or hand["last_post"] < 0:
            last = hand["last_post"] if hand["last_post"] >= 0 else hand["dealer"]
            opener = following(play.match, last, 1)
    hand["next"] = opener
    if b.acting_players(hand) < 2:
        hand["closed"] = betting.is_matched(play)


@step
def _write_action(
    sheets: Sheets, play: Play, line: int, place: int, action: int, origin: int, to: float
) -> None:
    """Append the row of an action as it stands before it is carried out."""
    hand = play.hand
    if hand["seq"] >= records.MOST_ACTIONS:
        misplaced(play.report, line, seat_of(play, place))
        return
    at = b.write_action(sheets, hand, 0, place, hand["street"], action, origin, hand["spent"][place])
    row = sheets.actions[at]
    row["seat"], row["aggressor"] = seat_of(play, place), seat_of(play, hand["aggressor"][0])
    row["line"], row["raise_to"] = line, to
    decides = action <= records.RAISE and origin != records.DUMMY
    row["to_call"] = 0.0
    if not decides:
        return
    row["to_call"] = max(min(max(hand["bet"] - hand["pip"][0, place], 0.0), b.left(hand, place)), 0.0)
    betting.write_bounds(sheets, play, place, at)


@rare
def _not_due(play: Play, line: int, place: int, due: int) -> bool:
    """Report an action of a player who is not due. True if the player is asked after the betting is over."""
    hand, seat = play.hand, seat_of(play, place)
    if b.left(hand, place) <= 0:
        find_known(play.report, line, seat, findings.ASKED_ALL_IN, 0.0, 0.0, s.ALL_IN_ASKED)
        return False
    if due >= 0:
        deviation = s.SHORT_BLIND if _is_short(play) else s.TURN
        find_known(play.report, line, seat, findings.TURN, float(seat_of(play, due)), float(seat), deviation)
        return False
    if b.acting_players(hand) < 2:
        find_known(play.report, line, seat, findings.ASKED_FOR_NOTHING, 0.0, 0.0, s.FOR_NOTHING)
        return False
    find_known(play.report, line, seat, findings.AGAIN, 0.0, float(seat), s.AFTER_END)
    return True


@part
def _is_short(play: Play) -> bool:
    """True before the flop where the big blind was short, of an engine that goes wrong then."""
    hand = play.hand
    short: bool = hand["short"] and hand["street"] == 0
    return short and play.match["explains"][s.SHORT_BLIND] != NO_EXPLANATION


@step
def decide(sheets: Sheets, play: Play, line: int, seat: int, code: int, amount: float) -> None:
    """A fold, call, check, bet or raise: check the turn, the action and the amount, and carry it out.

    amount: the player's chips on the street, NaN if the line names none.
    """
    match, hand = play.match, play.hand
    place = place_of(play, seat)
    if place < 0 or hand["told"]:
        misplaced(play.report, line, seat)
        return
    if hand["folded"] >= 0:
        # Any further bet is returned.
        find_known(play.report, line, seat, findings.AGAIN, 0.0, float(seat), s.AFTER_END)
        done = records.RAISE if code == events.RAISE and hand["bet"] > 0 else _kept(code)
        _write_action(sheets, play, line, place, done, records.DUMMY, amount)
        return
    if hand["out"][0, place]:
        misplaced(play.report, line, seat)
        return
    _start(play)
    due = betting.due_actor(play)
    again = due != place and _not_due(play, line, place, due)
    pip, left = hand["pip"][0, place], max(b.left(hand, place), 0.0)
    call = max(hand["bet"] - pip, 0.0)
    if code == events.ALL_IN:
        amount = pip + left
        code = events.RAISE if amount > hand["bet"] else events.CALL
    raises = code == events.RAISE
    calls = code == events.CALL_TO or (code == events.CALL and call > 0)
    action = _kept(code)
    if raises and hand["bet"] > 0:
        action = records.RAISE
    elif code == events.CALL and call <= 0:
        action = records.CHECK
    origin = records.SUBSTITUTE if hand["pending"] == place else records.CHOICE
    hand["pending"] = b.NOBODY
    _write_action(sheets, play, line, place, action, origin, amount if raises else np.nan)
    hand["asked"][place] = 1
    hand["next"] = following(match, place, 1)
    hand["acted"] += 1
    if code == events.FOLD:
        if call <= 0 and not match["free_folds"]:
            find_known(play.report, line, seat, findings.FREE_FOLD, 0.0, 0.0, s.FREE_FOLD)
        b.fold(hand, 0, place)
    elif code == events.CHECK:
        if call > 0:
            row = find(play.report, line, seat, findings.CHECK, call, 0.0)
            if _is_short(play):
                play.report.findings[row]["explained"] = match["explains"][s.SHORT_BLIND]
                hand["less"] |= 1 << place
    elif code == events.CALL_TO:
        _call_to(play, line, place, amount, call)
    elif calls:
        b.put(hand, 0, place, pip + min(call, left))
    elif raises:
        _raise_to(play, line, place, amount, again)
    hand["capped"] |= 1 << place


@part
def _kept(code: int) -> int:
    """The action of a line that names no bet before it."""
    if code == events.FOLD:
        return records.FOLD
    if code == events.CHECK:
        return records.CHECK
    return records.BET if code == events.RAISE else records.CALL


@rare
def _call_to(play: Play, line: int, place: int, amount: float, call: float) -> None:
    """A call whose line names the chips on the street, which are put in whatever was due."""
    hand, seat = play.hand, seat_of(play, place)
    pip, left = hand["pip"][0, place], max(b.left(hand, place), 0.0)
    due = pip + min(call, left)
    if call <= 0:
        find_known(play.report, line, seat, findings.CALL, 0.0, 0.0, s.FOR_FREE)
    elif amount - pip > left:
        _more_than_stack(play, line, place, amount)
    elif amount != due:
        find_known(play.report, line, seat, findings.CALL_AMOUNT, due, amount, s.FOR_LESS)
        hand["less"] |= int(amount < due) << place
    b.put(hand, 0, place, max(amount, pip))


@step
def _raise_to(play: Play, line: int, place: int, amount: float, again: bool) -> None:
    hand, seat = play.hand, seat_of(play, place)
    if amount - hand["pip"][0, place] > max(b.left(hand, place), 0.0):
        if not again and not betting.is_reopened(play, place):
            find_known(play.report, line, seat, findings.NOT_REOPENED, 0.0, 0.0, s.REOPENED)
        _more_than_stack(play, line, place, amount)
    else:
        betting.check_raise(play, line, place, seat, amount, again)
    betting.raise_to(play, place, max(amount, hand["pip"][0, place]))
    hand["less"] = 0


@rare
def _more_than_stack(play: Play, line: int, place: int, amount: float) -> None:
    """Chips are put in that the player does not have."""
    hand, seat = play.hand, seat_of(play, place)
    put = hand["spent"][place] + amount - hand["pip"][0, place]
    stack = hand["stack"][place] + 0.0
    row = find_known(play.report, line, seat, findings.MORE_THAN_STACK, stack, put, s.MORE_CHIPS)
    play.report.findings[row]["chips"] = put - stack


@step
def leave(sheets: Sheets, play: Play, line: int, seat: int) -> None:
    """A player leaves: it has folded, also before it is its turn."""
    hand, place = play.hand, place_of(play, seat)
    if place < 0 or hand["told"] or hand["out"][0, place]:
        misplaced(play.report, line, seat)
        return
    _start(play)
    _write_action(sheets, play, line, place, records.FOLD, records.CHOICE, np.nan)
    hand["acted"] += 1
    b.fold(hand, 0, place)


@rare
def fault(sheets: Sheets, play: Play, line: int, code: int, seat: int, amount: int) -> None:
    """A fault line; the action that the engine takes instead follows."""
    place = place_of(play, seat)
    if place < 0:
        misplaced(play.report, line, seat)
        return
    row = sheets.faults[records.next_row(sheets.used, records.FAULTS, len(sheets.faults))]
    row["hand"], row["line"], row["seat"], row["code"] = play.hand["row"], line, seat, code
    row["text_at"], row["text_size"] = records.storable(amount), 0
    play.hand["pending"] = place


# Streets


@part
def is_open(play: Play) -> bool:
    """True if a player is to act."""
    if play.hand["folded"] >= 0:
        return False
    _start(play)
    return betting.due_actor(play) >= 0


@part
def betting_ends(play: Play, line: int) -> None:
    """Before a street or the pay: the betting should be over."""
    hand = play.hand
    if hand["folded"] >= 0:
        return
    _start(play)
    due = betting.due_actor(play)
    if due >= 0:
        _ends_early(play, line, due)
        hand["closed"] = 1


@rare
def _ends_early(play: Play, line: int, due: int) -> None:
    """The betting ends though a player is to act."""
    hand, seat = play.hand, seat_of(play, due)
    if hand["pip"][0, due] >= hand["bet"]:
        # If no player can answer a bet, only some engines ask.
        if betting.most_matched(play, due) > hand["pip"][0, due]:
            find_known(play.report, line, seat, findings.NOT_ASKED, float(seat), 0.0, s.NOT_ASKED)
    else:
        find_known(play.report, line, seat, findings.STREET_EARLY, 0.0, 0.0, s.STOPS)


@step
def board(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The next cards of the board."""
    match, hand = play.match, play.hand
    number = hand["street"] + 1
    if hand["folded"] >= 0:
        find_known(play.report, line, -1, findings.BOARD_AFTER_END, 0.0, 0.0, s.BOARD_AFTER)
        return
    if number > match["last_street"] or hand["told"]:
        misplaced(play.report, line, -1)
        return
    betting_ends(play, line)
    betting.next_street(play)
    hand["less"] = 0
    if hand["limit"] == betting.FIXED:
        hand["step"] = betting.fixed_bet(hand)
    note_line(play, line)
    due = match["boards"][number] - match["boards"][number - 1]
    if values[at] != due:
        find(play.report, line, -1, findings.BOARD_SIZE, float(due), float(values[at]))
    for k in range(min(values[at], due)):
        see(play.report, line, -1, values[at + 1 + k])
        play.board[hand["board_size"]] = values[at + 1 + k]
        hand["board_size"] += 1


@rare
def next_round(play: Play, line: int) -> None:
    """The next betting of a game that has no board; the last street has all further ones."""
    match, hand = play.match, play.hand
    if hand["folded"] >= 0 or hand["told"]:
        misplaced(play.report, line, -1)
        return
    betting_ends(play, line)
    betting.next_street(play)
    hand["street"] = min(hand["street"], match["last_street"])
    hand["less"] = 0


@rare
def again(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The next cards of a second board, whose other cards are those of the first."""
    hand = play.hand
    if hand["told"] or hand["second"] + values[at] > hand["board_size"]:
        misplaced(play.report, line, -1)
        return
    note_line(play, line)
    for k in range(values[at]):
        see(play.report, line, -1, values[at + 1 + k])
        play.board[SECOND_AT + hand["second"]] = values[at + 1 + k]
        hand["second"] += 1


@part
def swap_boards(play: Play) -> None:
    """The last cards of the first board change places with those of the second."""
    size, count = play.hand["board_size"] + 0, play.hand["second"] + 0
    for k in range(count):
        card = play.board[size - count + k] + 0
        play.board[size - count + k] = play.board[SECOND_AT + k]
        play.board[SECOND_AT + k] = card


@step
def returned(play: Play, line: int, seat: int, amount: int) -> None:
    """Read the return of the unmatched chips of a bet."""
    place = place_of(play, seat)
    if place < 0:
        misplaced(play.report, line, seat)
        return
    chips = 0.0
    top, which = uncalled(play)
    if which == place:
        chips = top
    if amount != chips:
        row = find_known(play.report, line, seat, findings.UNCALLED, chips, float(amount), s.RETURNED)
        play.report.findings[row]["chips"] = amount - chips
    play.players[place]["returned"] += amount


@part
def uncalled(play: Play) -> tuple[float, int]:
    """The unmatched part of the largest contribution, and its place."""
    hand, most, second, which = play.hand, -1.0, 0.0, b.NOBODY
    for place in range(play.match["players"]):
        spent = hand["spent"][place] - play.players[place]["dead"]
        if spent > most:
            second = max(most, 0.0)
            most, which = spent, place
        elif spent > second:
            second = spent
    return max(most - second, 0.0), which
