"""The lines of a hand before it is paid: each is checked against the state that the rules give, then applied to it."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from ...parsers import events
from .. import betting as b
from .. import findings, records
from ..records import Sheets, fill
from . import betting
from . import state as s
from .state import Play, check_named, find, find_known, following, misplaced, note_line, see

# The first lines


@step
def begin(sheets: Sheets, play: Play, values: NDArray[np.int64], at: int, line: int) -> None:
    """A hand's first line: its number and, in most logs, the players in order with their bankrolls."""
    match, hand = play.match, play.hand
    row = records.next_row(sheets.used, records.HANDS, len(sheets.hands))
    number = values[at]
    fill(play.hand_words, 0)
    b.begin(hand, match["players"], 1)
    hand["open"], hand["row"], hand["number"], hand["line"] = 1, row, number, line
    hand["pending"] = hand["raiser"] = hand["first_tied"] = b.NOBODY
    hand["holders"] = match["players"]
    play.lines[0] = 0
    for seat in range(match["players"]):
        # Of a player whose line of cards is lost, the hand's own.
        play.lines[seat + 1] = line
        player = play.players[seat]
        player["award"] = player["returned"] = player["owed"] = 0.0
        player["holes"][0] = 0
        player["out"] = match["reserves"]
        hand["stack"][seat] = 0.0 if match["reserves"] else match["stack"]
        if match["reserves"]:
            player["bank"] = player["carry"]
    last_number = match["last_number"]
    if row == match["first_hand"]:
        match["whole"] = number == 1
    if last_number and number != last_number + 1:
        find(play.report, line, -1, findings.SEQUENCE, float(last_number), float(number))
        match["carried"] = 0
    match["last_number"] = number
    if not match["header_fits"]:
        find(play.report, 1, -1, findings.HEADER, 0.0, 0.0)
        match["header_fits"] = 1
    if match["marker_line"]:
        find(play.report, match["marker_line"], -1, findings.MARKER, 0.0, 0.0)
        match["marker_line"] = 0
    record = sheets.hands[row]
    record["match"], record["line"] = match["number"], line
    record["number"] = number
    record["first_act"], record["first_card"] = sheets.used[records.ACTS], sheets.used[records.HOLES]
    if match["reserves"]:
        _seat_all(play, line, values, at + 1)
        return
    for k in range(match["names_first"]):
        seat_line(play, line, k, values[at + 1 + 2 * k] + 0, values[at + 2 + 2 * k] + 0)


@rare
def _seat_all(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """The players of a hand, the dealer first: of each the seat, the chips at the table and in reserve."""
    match, hand = play.match, play.hand
    count = values[at]
    for k in range(count):
        seat = values[at + 1 + 3 * k]
        chips, reserve = float(values[at + 2 + 3 * k]), float(values[at + 3 + 3 * k])
        player = play.players[seat]
        if not player["out"] or count > match["players"]:
            misplaced(play.report, line, seat)
            continue
        player["out"], player["played"] = 0, 1
        hand["in_order"][hand["seated"]] = seat
        hand["seated"] += 1
        bought = chips - player["left"]
        kept = match["carried"] and not player["gone"]
        if kept and player["left"] >= match["big_blind"] and bought != 0:
            find(play.report, line, seat, findings.STACKS, player["left"] + 0.0, chips)
        elif kept and player["left"] < match["big_blind"]:
            due = min(float(match["stack"]), player["left"] + player["reserve"])
            if chips != due and match["whole"]:
                find(play.report, line, seat, findings.STACKS, due, chips)
        hand["stack"][seat] = chips
        player["bank"], player["reserve"] = chips + reserve, reserve
    hand["banks_line"] = line
    if hand["seated"] < 2:
        misplaced(play.report, line, -1)
    _all_seated(play, line)


@part
def seat_line(play: Play, line: int, place: int, named: int, bank: int) -> None:
    """A player of the hand, the dealer first, and the bankroll."""
    match, hand = play.match, play.hand
    if place != hand["seated"] or hand["posted"]:
        misplaced(play.report, line, named)
        return
    seat = named
    if match["same_names"]:
        # Only their order distinguishes players with one name.
        seat = following(match, _first_by_number(play), place)
    for k in range(place):
        if hand["in_order"][k] == named:
            # Two of one name, or a name printed twice.
            seat = following(match, hand["in_order"][0], place)
            if not match["same_names"]:
                find(play.report, line, named, findings.SEATS, float(seat), float(named))
    hand["in_order"][place] = seat
    hand["seated"] += 1
    play.players[seat]["bank"] = float(bank)
    if match["carries"]:
        hand["stack"][seat] = float(bank)
        play.players[seat]["out"] = bank <= 0
    if hand["seated"] == match["players"]:
        hand["banks_line"] = line
        _all_seated(play, line)


@part
def _first_by_number(play: Play) -> int:
    """The seat that is first in a hand of its number: that of hand 1 is 0."""
    match = play.match
    first: int = (match["turned"] + match["direction"] * (play.hand["number"] - 1)) % match["players"]
    return first


@step
def _all_seated(play: Play, line: int) -> None:
    """Note the dealer; check the order of the players, and the bankrolls if they are those before the hand."""
    match, hand = play.match, play.hand
    players = match["players"]
    hand["live"] = players
    for seat in range(players):
        if play.players[seat]["out"]:
            hand["live"] -= 1
            hand["out"][0, seat] = 1
            hand["active"][0] -= 1
    first = hand["in_order"][0] + 0
    hand["posts"] = match["blinds_of_two"] if hand["live"] == 2 else 2
    hand["holders"] = hand["live"] if match["reserves"] else players
    due = _first_by_number(play)
    # Once a player is out, only the hand's first line says who deals.
    if match["reserves"]:
        _check_order(play, line)
    elif first != due and hand["live"] == players:
        if hand["row"] > match["first_hand"]:
            find(play.report, line, first, findings.ROTATION, float(due), float(first))
        match["turned"] = (match["turned"] + first - due) % players
    hand["dealer"] = match["dealer"] = first
    if hand["live"] == players and not match["reserves"]:
        for k in range(1, players):
            seat = following(match, first, k)
            if hand["in_order"][k] != seat:
                find(
                    play.report,
                    line,
                    hand["in_order"][k] + 0,
                    findings.SEATS,
                    float(seat),
                    float(hand["in_order"][k]),
                )
    hand["next"] = first
    if not match["banks_after"]:
        check_banks(play)


@rare
def seat_all_others(play: Play) -> None:
    """Seat the players of a hand whose seat lines are missing: all who are not known to be eliminated.

    Where a hand's lines name its players, these are the ones with chips left, or all of them if none has any.
    """
    match, hand, left = play.match, play.hand, 0.0
    hand["dealer"] = hand["in_order"][0] if hand["seated"] else _first_by_number(play)
    for seat in range(match["players"]):
        left += play.players[seat]["left"]
    for seat in range(match["players"]):
        player, named = play.players[seat], 0
        for k in range(hand["seated"]):
            named += hand["in_order"][k] == seat
        if match["reserves"]:
            player["out"] = left > 0 and player["left"] <= 0
            hand["out"][0, seat], hand["stack"][seat] = player["out"], player["left"]
            hand["active"][0] += not player["out"]
        elif not named:
            player["bank"] = player["carry"]
        hand["live"] += not player["out"]
        hand["out"][0, seat] |= player["out"]


@rare
def _check_order(play: Play, line: int) -> None:
    """Among those who play the hand, the dealer is the next after the last one, and all are named in order."""
    match, hand = play.match, play.hand
    first = hand["in_order"][0] + 0
    due = _next_with_chips(play, match["dealer"])
    if match["carried"] and first != due:
        find(play.report, line, first, findings.ROTATION, float(due), float(first))
    for k in range(1, hand["seated"]):
        due = _next_with_chips(play, hand["in_order"][k - 1])
        named = hand["in_order"][k] + 0
        if named != due:
            find(play.report, line, named, findings.SEATS, float(due), float(named))


@part
def check_banks(play: Play) -> None:
    """The bankrolls printed are those carried on, or sum to 0 if none are."""
    match, line, total = play.match, play.hand["banks_line"] + 0, 0.0
    for seat in range(match["players"]):
        player = play.players[seat]
        total += player["bank"]
        kept = match["carried"] and not player["gone"]
        if kept and player["bank"] != player["carry"] and player["bank"] != player["due"]:
            row = find(play.report, line, seat, findings.BANKROLL, player["carry"], player["bank"])
            play.report.findings[row]["chips"] = player["bank"] - player["carry"]
            moved = -match["moved"] if seat == match["moved_from"] else match["moved"]
            if moved and player["bank"] == player["carry"] + moved:
                play.report.findings[row]["explained"] = match["explains"][s.RETURNED]
            if match["damage"] and match["damage"] == play.hand["row"]:
                play.report.findings[row]["verdict"] = records.DAMAGED
    match["moved"] = 0
    if not match["carried"] and not match["carries"] and total != 0:
        find(play.report, line, -1, findings.BANKROLL, 0.0, total)


@part
def _poster(play: Play, place: int) -> int:
    """The seat that posts the small blind (place 0) or the big one (1): of two who both post, the dealer first."""
    hand = play.hand
    seat: int = hand["dealer"] + 0
    for _ in range(place if hand["live"] == 2 and hand["posts"] == 2 else place + 1):
        seat = _next_with_chips(play, seat)
    return seat


@part
def _next_with_chips(play: Play, seat: int) -> int:
    """The next player after a seat that is not out; the seat itself if all are."""
    for k in range(1, play.match["players"] + 1):
        other = following(play.match, seat, k)
        if not play.players[other]["out"]:
            return other
    return seat


@part
def _write_action(
    sheets: Sheets, play: Play, line: int, seat: int, action: int, origin: int, to: float
) -> None:
    """Append the row of an action as it stands before it is carried out."""
    hand = play.hand
    if hand["seq"] >= records.MOST_ACTIONS:
        misplaced(play.report, line, seat)
        return
    at = b.write_action(sheets, hand, 0, seat, hand["street"], action, origin, hand["spent"][seat])
    row = sheets.actions[at]
    row["line"], row["raise_to"] = line, to
    decides = action <= records.RAISE and origin != records.DUMMY
    row["to_call"] = 0.0
    if decides:
        row["to_call"] = min(max(hand["bet"] - hand["pip"][0, seat], 0.0), b.left(hand, seat))
    if decides and (play.match["pot_limit"] or play.match["players"] > 2 or play.match["reserves"]):
        betting.write_bounds(sheets, play, seat, at)


@step
def blind(sheets: Sheets, play: Play, line: int, named: int, amount: int) -> None:
    """The small blind, then the big one. A player with less posts all; the price of a call stays the blind."""
    match, hand = play.match, play.hand
    if hand["posted"] >= hand["posts"] or hand["dealt"]:
        misplaced(play.report, line, named)
        return
    seat = _poster(play, hand["posted"])
    check_named(play.report, line, named, seat, findings.BLIND_ORDER)
    size = float(match["big_blind"] if hand["posted"] else match["small_blind"])
    due = min(size, hand["stack"][seat])
    if amount != due:
        find(play.report, line, seat, findings.BLIND, due, float(amount))
    _write_action(sheets, play, line, seat, records.POST, records.FORCED, due)
    b.put(hand, 0, seat, due)
    hand["posted"] += 1
    hand["level"][0] = hand["posted"] + 1 - hand["posts"]
    hand["bet"], hand["step"] = size, float(match["big_blind"])
    if hand["posted"] == hand["posts"]:
        hand["closed"] = betting.is_matched(play)
        hand["next"] = hand["dealer"] if hand["live"] == 2 else following(match, seat, 1)


@part
def _dealt_to(play: Play, place: int) -> int:
    """The seat that is dealt cards at a place; players who are out are dealt cards, too."""
    match, hand = play.match, play.hand
    first = hand["dealer"] + 0
    if hand["holders"] < match["players"]:
        seat = _next_with_chips(play, first)
        for _ in range(place):
            seat = _next_with_chips(play, seat)
        return seat
    if hand["live"] < match["players"]:
        first = _first_by_number(play)
    return following(match, following(match, first, match["deals_from"]), place)


@part
def _note_deal(play: Play, line: int, seat: int) -> None:
    """Note the line of a player's hole cards, by its place after the dealer among players that are not out."""
    match, hand = play.match, play.hand
    place, other = 1, hand["dealer"] + 0
    while other != seat and place < match["players"]:
        place += not play.players[other]["out"]
        other = following(match, other, 1)
    play.lines[place] = line
    play.lines[0] = hand["live"]


@step
def dealt(play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """A player's hole cards."""
    match, hand = play.match, play.hand
    if (
        hand["posted"] < max(hand["posts"], 1)
        or hand["dealt"] >= hand["holders"]
        or hand["seq"] > hand["posts"]
    ):
        misplaced(play.report, line, named)
        return
    due = _dealt_to(play, hand["dealt"])
    check_named(play.report, line, named, due, findings.DEAL_ORDER)
    seat = due if match["same_names"] else named
    holes = play.players[seat]["holes"]
    if holes[0]:
        # The player named has cards: these go to the seat that is due.
        holes = play.players[due]["holes"]
    hand["dealt"] += 1
    if not play.players[seat]["out"]:
        _note_deal(play, line, seat)
    count = values[at]
    if count != match["hole_cards"]:
        find(play.report, line, seat, findings.DEAL, float(match["hole_cards"]), float(count))
    for k in range(1, min(count, match["hole_cards"]) + 1):
        see(play.report, line, seat, values[at + k])
        holes[k] = values[at + k]
        holes[0] = k


# Betting


@rare
def _out_of_turn(play: Play, line: int, named: int, due: int) -> int:
    """Another player than the next to act is named; returns the seat that the action counts for.

    That is the named player's if some engine asks in another order; else the name may be misprinted.
    """
    if play.match["same_names"]:
        return due
    find_known(play.report, line, named, findings.TURN, float(due), float(named), s.TURN)
    if play.match["explains"][s.TURN] != findings.NO_EXPLANATION and b.may_act(play.hand, named):
        return named
    return due


@rare
def _keep(sheets: Sheets, play: Play, line: int, named: int, due: int) -> None:
    """A check before the betting of the street: the player keeps its hole cards. It is no check of the betting."""
    check_named(play.report, line, named, due, findings.TURN)
    _write_action(sheets, play, line, due, records.CHECK, records.DUMMY, np.nan)
    play.hand["chose"] |= 1 << due
    play.hand["pending"] = b.NOBODY


@rare
def _card_due(play: Play, line: int) -> None:
    """Report that the hand continues although a player must throw away, change or keep a card."""
    hand, done, due = play.hand, 0, 0
    for seat in range(play.match["players"]):
        if not hand["out"][0, seat]:
            due += 1
            done += hand["chose"] >> seat & 1
            hand["chose"] |= 1 << seat
    find(play.report, line, -1, findings.CARD_DUE, float(due), float(done))


@rare
def _asked_still(play: Play, line: int, named: int) -> bool:
    """True if a player acts whom the rules do not ask, but some engine may; else its line is judged as any other."""
    hand = play.hand
    if not betting.is_asked_still(play, named):
        return False
    if b.left(hand, named) <= 0:
        find_known(play.report, line, named, findings.ASKED_ALL_IN, 0.0, 0.0, s.ALL_IN_ASKED)
        return True
    if betting.due_actor(play) >= 0:
        return False
    if hand["active"][0] > 1:
        find_known(play.report, line, named, findings.ASKED_FOR_NOTHING, 0.0, 0.0, s.FOR_NOTHING)
    return True


@part
def _in_words(play: Play, code: int, named: int, amount: float) -> tuple[int, float]:
    """The action and the chips on the street, of a log whose amounts are those of the hand and who has one word less.

    A raise is a bet where there is none; an all-in is what it amounts to.
    """
    hand = play.hand
    pip = hand["pip"][0, named]
    if code == events.ALL_IN:
        amount = pip + b.left(hand, named)
        if amount <= hand["bet"]:
            return events.CALL if hand["bet"] > pip else events.CHECK, np.nan
    elif code == events.RAISE:
        amount -= hand["spent"][named] - pip
    else:
        return code, np.nan
    return events.RAISE if hand["bet"] > 0 else events.BET, amount


@rare
def answer(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """Note a player's answer, printed in this log or in another, whose lines are negative."""
    hand = play.hand
    hand["answered"], hand["said"] = 1, values[at + 1]
    hand["said_at"], hand["said_size"] = values[at + 2], values[at + 3]
    hand["said_line"] = -values[at + 4] if values[at + 4] else line


@part
def _as_said(play: Play, seat: int) -> tuple[int, float]:
    """The action, and the chips on the street, that the engine makes of an answer if no line prints its action.

    A check that faces a bet is a call, a call of nothing a check, a raise is by at least the minimum and at most all
    that the player has; anything else is a fold.
    """
    hand = play.hand
    said, pip, bet = hand["said"], hand["pip"][0, seat], hand["bet"]
    if said == events.CHECK or said == events.CALL:
        return events.CALL if bet > pip else events.CHECK, np.nan
    if said != events.RAISE and said != events.ALL_IN:
        return events.FOLD, np.nan
    own, to = pip + b.left(hand, seat), bet + hand["said_at"]
    to = own if said == events.ALL_IN else max(to, bet + betting.full_raise(play))
    if own <= bet:
        return events.CALL if bet > pip else events.CHECK, np.nan
    return events.RAISE if bet > 0 else events.BET, min(to, own)


@part
def _answered(sheets: Sheets, play: Play, seat: int, code: int, amount: float) -> None:
    """Write a fault if the engine does not do what the player answered."""
    hand = play.hand
    said, at, size, fault = hand["said"] + 0, hand["said_at"] + 0, 0, 0
    hand["answered"] = 0
    if said < 0:
        fault = events.LATE
    elif said == events.UNKNOWN:
        fault, size = events.MISFORMATTED, hand["said_size"] + 0
    elif code == events.FOLD and said != events.FOLD:
        # The answer came too late.
        fault = events.LATE
    elif said == events.CALL and code == events.CHECK:
        fault = events.ILLEGAL_CALL
    elif said == events.CHECK and code != events.CHECK:
        fault = events.ILLEGAL_CHECK
    elif said == events.RAISE and amount != hand["bet"] + at:
        fault = events.ILLEGAL_RAISE_BY
    if fault:
        _write_fault(sheets, play, hand["said_line"] + 0, seat, fault, at, size)
        if code == events.FOLD:
            hand["pending"] = seat


@step
def decide(sheets: Sheets, play: Play, line: int, named: int, code: int, amount: float) -> None:
    """A fold, call, check, bet or raise: check the turn, the action and the amount, and carry it out.

    amount: the player's chips on the street, NaN if the line names none.
    """
    match, hand = play.match, play.hand
    alone = match["all_may_fold"] and hand["active"][0] == 1 and not hand["asked"][named]
    if hand["dealt"] < hand["holders"] or (hand["folded"] >= 0 and not alone) or hand["wins"] or hand["ties"]:
        misplaced(play.report, line, named)
        return
    declares = code == events.ALL_IN or (code == events.AS_SAID and hand["said"] == events.ALL_IN)
    if code == events.AS_SAID:
        code, amount = _as_said(play, named)
    elif match["totals"]:
        code, amount = _in_words(play, code, named, amount)
    if hand["answered"]:
        _answered(sheets, play, named, code, amount)
    due = betting.redraw_due(play)
    if due >= 0:
        if code == events.CHECK:
            _keep(sheets, play, line, named, due)
            return
        _card_due(play, line)
    seat = betting.due_actor(play)
    if named != seat and match["all_may_fold"] and _asked_still(play, line, named):
        seat = named
    if seat < 0:
        misplaced(play.report, line, named)
        return
    if named != seat:
        seat = _out_of_turn(play, line, named, seat)
    pip, left = hand["pip"][0, seat], b.left(hand, seat)
    call = max(hand["bet"] - pip, 0.0)
    stands_in = hand["pending"] >= 0
    raises = code == events.BET or code == events.RAISE
    calls = code == events.CALL or code == events.CALL_TO
    folds = call > 0 or match["fault_folds"] > 0
    if stands_in and (raises or calls or (code == events.FOLD) != folds):
        find(play.report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
    hand["pending"] = b.NOBODY
    action = records.CALL if calls else code - events.FOLD + records.FOLD
    origin = records.SUBSTITUTE if stands_in else records.CHOICE
    _write_action(sheets, play, line, seat, action, origin, amount if raises else np.nan)
    hand["asked"][seat] = 1
    hand["next"] = following(match, seat, 1)
    hand["acted"] += 1
    if code == events.FOLD:
        if call > 0 and call >= left and hand["spent"][seat] > 0:
            hand["stops"] = 1
        if call <= 0 and not match["free_folds"]:
            find_known(play.report, line, seat, findings.FREE_FOLD, 0.0, 0.0, s.FREE_FOLD)
        b.fold(hand, 0, seat)
    elif code == events.CHECK:
        if call > 0:
            find(play.report, line, seat, findings.CHECK, call, 0.0)
    elif calls:
        if call <= 0:
            find_known(play.report, line, seat, findings.CALL, 0.0, 0.0, s.FREE_FOLD)
        to = pip + min(call, left)
        if code == events.CALL_TO and amount != to:
            find(play.report, line, seat, findings.CALL_AMOUNT, to, amount)
        b.put(hand, 0, seat, to)
    else:
        if (hand["bet"] == 0) != (code == events.BET):
            find(play.report, line, seat, findings.WORDING, 0.0, 0.0)
        betting.check_raise(play, line, seat, seat, amount, False)
        betting.raise_to(play, seat, amount)
    hand["capped"] |= 1 << seat
    hand["declared"] |= int(declares) << seat
    if match["all_may_fold"]:
        betting.end_if_alone(play)


@rare
def chips(play: Play, line: int, named: int, put: int, left: int) -> None:
    """After an action: the player's chips in the pot and at the table."""
    hand = play.hand
    if not hand["seq"] or (hand["out"][0, named] and not hand["spent"][named] and not hand["stack"][named]):
        misplaced(play.report, line, named)
    elif put != hand["spent"][named]:
        find(play.report, line, named, findings.CONTRIBUTION, hand["spent"][named] + 0.0, float(put))
    elif left != b.left(hand, named):
        find(play.report, line, named, findings.STACKS, b.left(hand, named), float(left))


@rare
def pot_sum(play: Play, line: int, pot: int, bet: int) -> None:
    """After an action: check the chips in the pot, and the most that a player has put in."""
    hand = play.hand
    if pot != b.pot(hand, 0):
        find(play.report, line, -1, findings.POT, b.pot(hand, 0), float(pot))
    elif bet != b.most_spent(hand):
        find(play.report, line, -1, findings.CONTRIBUTION, b.most_spent(hand), float(bet))


@rare
def score(play: Play, line: int, named: int, chips: float) -> None:
    """Check a player's chips, at the table and in reserve, before the blinds or after the payout."""
    hand, player = play.hand, play.players[named]
    due = player["bank"] + 0.0
    if hand["posted"]:
        hand["scored"] += 1
        due += player["award"] - hand["spent"][named]
    if chips != due and not player["gone"]:
        find(play.report, line, named, findings.CHIPS_AFTER, due, chips)


@rare
def gone(sheets: Sheets, play: Play, line: int, named: int) -> None:
    """Read that a player disconnected between two answers: the engine takes its chips in reserve."""
    play.players[named]["gone"] = 1
    _write_fault(sheets, play, line, named, events.GONE, 0, 0)


@part
def _write_fault(sheets: Sheets, play: Play, line: int, seat: int, code: int, amount: int, size: int) -> None:
    """Append the row of a fault."""
    row = sheets.faults[records.next_row(sheets.used, records.FAULTS, len(sheets.faults))]
    row["hand"], row["line"], row["seat"], row["code"] = play.hand["row"], line, seat, code
    row["text_at"], row["text_size"] = records.storable(amount), size


@rare
def fault(sheets: Sheets, play: Play, line: int, code: int, named: int, amount: int) -> None:
    """A fault line; the action or card that the engine takes instead follows."""
    hand = play.hand
    if code == events.GONE:
        play.players[named]["gone"] = 1
    if hand["dealt"] < hand["holders"] or hand["folded"] >= 0 or hand["wins"] or hand["ties"]:
        misplaced(play.report, line, named)
    due = betting.redraw_due(play)
    if due < 0:
        due = betting.drop_due(play)
    if due < 0:
        due = betting.due_actor(play)
    seat = due if play.match["same_names"] else named
    if due >= 0 and seat != due:
        find_known(play.report, line, seat, findings.TURN, float(due), float(seat), s.TURN)
    if due < 0:
        misplaced(play.report, line, named)
    _write_fault(sheets, play, line, seat, code, amount, 0)
    hand["pending"] = seat


# Cards


@part
def _change(sheets: Sheets, play: Play, line: int, seat: int, kind: int, card: int) -> None:
    """Write the row of a change of a hole card, and keep the cards as they were dealt. card: the row's."""
    hand, player = play.hand, play.players[seat]
    if not hand["changed"] >> seat & 1:
        for k in range(len(player["holes"])):
            player["dealt"][k] = player["placed"][k] = player["holes"][k]
    hand["changed"] |= 1 << seat
    row = sheets.changes[records.next_row(sheets.used, records.CHANGES, len(sheets.changes))]
    row["hand"], row["line"], row["seat"], row["street"] = hand["row"], line, seat, hand["street"]
    row["kind"], row["count"] = kind, 1
    sheets.changed[records.next_row(sheets.used, records.CHANGED, len(sheets.changed))] = card


@step
def give_up(sheets: Sheets, play: Play, line: int, named: int, card: int, count: int, new: int) -> None:
    """A player throws away a hole card, or changes it for another one, new; new is -1 for a card thrown away.

    count: how many cards the line prints
    """
    hand = play.hand
    due = betting.redraw_due(play) if new >= 0 else betting.drop_due(play)
    if due < 0 or hand["dealt"] < hand["holders"] or hand["wins"] or hand["ties"] or count < 1:
        misplaced(play.report, line, named)
        return
    check_named(play.report, line, named, due, findings.TURN)
    seat, holes = due, play.players[due]["holes"]
    if holes[0] < 1:
        misplaced(play.report, line, named)
        return
    origin = records.SUBSTITUTE if hand["pending"] >= 0 else records.CHOICE
    hand["pending"] = b.NOBODY
    if count != 1:
        find(play.report, line, seat, findings.DEAL, 1.0, float(count))
    _write_action(sheets, play, line, seat, records.DISCARD, origin, np.nan)
    _change(
        sheets, play, line, seat, records.SWAP if new >= 0 else records.DISCARDED, new if new >= 0 else card
    )
    hand["chose"] |= 1 << seat
    place = 1
    while place <= holes[0] and holes[place] != card:
        place += 1
    if place > holes[0]:
        find(play.report, line, seat, findings.DISCARD, 0.0, float(card))
        place = 1
        card = holes[1]
    placed = play.players[due]["placed"]
    if new >= 0:
        see(play.report, line, seat, new)
        for k in range(1, placed[0] + 1):
            if placed[k] == card:
                placed[k] = new
    for k in range(place, holes[0]):
        holes[k] = holes[k + 1]
    if new >= 0:
        # Showdown lines print it last.
        holes[holes[0]] = new
    else:
        holes[0] -= 1
        for k in range(holes[0] + 1):
            placed[k] = holes[k]


@part
def betting_ends(play: Play, line: int) -> None:
    """Before a street or the pay: the betting should be over, and every card given up that is due."""
    hand = play.hand
    if hand["folded"] >= 0:
        _owe(play, line)
        return
    if betting.redraw_due(play) >= 0:
        _card_due(play, line)
    seat = betting.due_actor(play)
    if seat >= 0:
        _ends_early(play, line, seat)
        hand["closed"] = 1
    if betting.drop_due(play) >= 0:
        _card_due(play, line)
    _owe(play, line)


@rare
def _ends_early(play: Play, line: int, seat: int) -> None:
    """The betting ends though a player is to act; deviations explain some of these ends."""
    hand, match = play.hand, play.match
    others = 0
    for other in range(match["players"]):
        others += other != seat and b.may_act(hand, other)
    if hand["pip"][0, seat] >= hand["bet"] and others == 0:
        find_known(play.report, line, seat, findings.NOT_ASKED, float(seat), 0.0, s.NOT_ASKED)
    elif hand["stops"] and hand["acted"] == 0 and hand["street"] > 0:
        find_known(play.report, line, -1, findings.STREET_EARLY, 0.0, 0.0, s.STOPS)
        hand["loose"] = 1
    else:
        find(play.report, line, -1, findings.STREET, 0.0, 0.0)


@part
def _owe(play: Play, line: int) -> None:
    """Report that the unmatched part of a bet was not returned before this line."""
    if play.match["returns_always"]:
        seat, chips = betting.unmatched(play)
        if chips > 0:
            row = find(play.report, line, seat, findings.UNCALLED, chips, 0.0)
            play.report.findings[row]["chips"] = -chips
            play.players[seat]["owed"] += chips
            play.hand["raiser"] = b.NOBODY


@rare
def returned(play: Play, line: int, named: int, amount: int) -> None:
    """Read the return of the unmatched part of a bet."""
    hand = play.hand
    if (hand["folded"] < 0 and betting.due_actor(play) >= 0) or hand["wins"] or hand["ties"]:
        misplaced(play.report, line, named)
        return
    due, chips = betting.unmatched(play)
    seat = named
    if due >= 0:
        check_named(play.report, line, named, due, findings.SEATS)
        seat = due
    if amount != chips:
        row = find_known(play.report, line, seat, findings.UNCALLED, chips, float(amount), s.RETURNED)
        play.report.findings[row]["chips"] = amount - chips
    play.players[seat]["returned"] += amount
    play.players[seat]["owed"] += chips
    b.put(hand, 0, seat, hand["pip"][0, seat] - amount)
    # No other return is due.
    hand["raiser"] = b.NOBODY
    hand["closed"] = 1
    if amount != chips:
        play.match["moved"], play.match["moved_from"] = amount, seat


@step
def street(play: Play, line: int, number: int, pot: int, values: NDArray[np.int64], at: int) -> None:
    """A street's line: after the flop the board so far, then the new cards. pot: the chips printed, -1 for none."""
    match, hand = play.match, play.hand
    fits = number == hand["street"] + 1 and number <= match["last_street"]
    if hand["folded"] >= 0 or hand["dealt"] < hand["holders"] or hand["wins"] or hand["ties"] or not fits:
        misplaced(play.report, line, -1)
        return
    betting_ends(play, line)
    if pot >= 0 and pot != betting.open_pot(play):
        find_known(play.report, line, -1, findings.POT, betting.open_pot(play), float(pot), s.POTS_PRINTED)
    betting.next_street(play)
    note_line(play, line)
    known = 0
    if number > 1:
        known = values[at]
        alike = known == hand["board_size"]
        if not alike:
            find(play.report, line, -1, findings.BOARD_SIZE, float(hand["board_size"]), float(known))
        for k in range(min(known, hand["board_size"])):
            if alike and values[at + 1 + k] != play.board[k]:
                alike = False
                find(play.report, line, -1, findings.BOARD, float(play.board[k]), float(values[at + 1 + k]))
        at += known + 1
    due = match["boards"][number] - match["boards"][number - 1]
    if values[at] != due:
        find(play.report, line, -1, findings.BOARD_SIZE, float(due), float(values[at]))
    for k in range(min(values[at], due)):
        see(play.report, line, -1, values[at + 1 + k])
        play.board[hand["board_size"]] = values[at + 1 + k]
        hand["board_size"] += 1
