"""One compiled pass over the events of matches; it fills their tables and gives every hand its verdict."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part, rare, step
from ...parsers import events as ev
from ...parsers.reading import Events
from .. import findings, records
from ..match_lines import begins_another, leave_out, mark, note_markers
from ..outcome import LINE_BEHEADED, LINE_LOST, LINE_STRAY, LINE_UNKNOWN
from ..records import Sheets, rows_in_use
from . import (
    bets_ev,
    exchanges,
    framing,
    judging,
    redraws,
    settling,
    stakes,
    steps,
    streets,
    table_rows,
    third_cards,
)
from . import lines as read
from . import state as s
from .rows import stray
from .state import ADDS_UP, END_OF_TEXT, Engines, Play, find, runs_unseen, seat_in_order
from .streets import owed


@rare
def _straights(play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """Showdowns won with a straight, in the order of the round that would come next."""
    for k in range(2):
        seat = seat_in_order(play.hand, 1 - k)
        due, said = play.chips["straights"][seat], float(values[at + k])
        if said != due and play.match["whole"]:
            find(play.report, line, seat, findings.STRAIGHTS, due, said)


@part
def _meet(found: Events, k: int, last: int, engines: Engines, play: Play, line: int) -> None:
    """A showdown or an award, before which betting and board should be complete."""
    hand = play.hand
    if play.match["runs"]:
        streets.stops_run(play, line)
    if not hand["on_last_street"] and runs_unseen(play.match, hand):
        redraws.ends_unseen(play)
    if not hand["closed"] and read.is_last_street(play):
        streets.ends_betting(found, k, last, play, engines.streets, line)


@step
def _pay_hand(
    sheets: Sheets, play: Play, engines: Engines, awards: NDArray[np.float64], line: int, ends: bool
) -> None:
    """Settle the open hand after its awards, and close it at its end; the match continues at `line`."""
    hand, match = play.hand, play.match
    if ends and (hand["stacks_due"] or hand["holes_due"]):
        owed(play.report)
    if ends and hand["awarded"] < 2:
        find(play.report, line, -1, findings.INCOMPLETE, 2.0, float(hand["awarded"]))
        hand["broken"] += 1
    elif ends and match["prints"][s.COUNT_LINES] and not hand["counted"]:
        find(play.report, line, -1, findings.COUNTS_MISSING, 0.0, 0.0)
    elif ends and match["bids_told"] and not hand["summed"]:
        find(play.report, line, -1, findings.BIDS_MISSING, 0.0, 0.0)
    if not hand["paid"] and (ends or hand["awarded"] == 2):
        settling.settle(sheets, play, engines, awards)
    if ends:
        framing.close_hand(play)


@rare
def _is_whole(play: Play, last_code: int) -> bool:
    """True if the last lines of the text may be those of a whole hand."""
    hand, match, chips = play.hand, play.match, play.chips
    whole: bool = hand["awarded"] == 2 and (hand["counted"] or not match["prints"][s.COUNT_LINES])
    whole = whole and (hand["summed"] or not match["bids_told"])
    if match["cut"] and last_code == ev.BIDS:
        whole = whole and hand["summed"] < third_cards.CUT_SHORT
    if match["prints"][s.RUN_LINES] and hand["street"] > match["last_street"]:
        all_in = chips["before_run"][0] == match["stack"] and not match["tells_all_ins"]
        whole = whole and (hand["run_lines"] == s.RUN_LINES_DUE or (all_in and not hand["run_lines"]))
    # The last digits may be missing from a truncated line.
    if match["cut"] and (last_code == ev.AWARD or last_code == ev.SWAP_AWARD):
        whole = whole and chips["award"][0] + chips["award"][1] == 0
    if match["cut"] and last_code == ev.COUNTS and match["bare_rounds"]:
        whole = whole and hand["counted"] == ADDS_UP
    if match["cut"] and last_code == ev.RUN_WON:
        whole = whole and chips["run_won"][0] + chips["run_won"][1] == 0
    return whole


@kernel
def walk(
    found: Events,
    first_event: NDArray[np.int64],
    settings: NDArray[np.int64],
    engines: Engines,
    play: Play,
    sheets: Sheets,
    awards: NDArray[np.float64],
    notes: NDArray[np.uint8],
) -> None:
    """Re-execute the hands of some matches of one game.

    found, first_event  the scanner's events and where each match's begin
    settings            (matches, its words) `state.MATCH` as each match begins
    play                scratch for one match
    sheets, awards      out: tables; (hands, MOST_PROFILES) the dealer's award by engine profile
    notes               (events,) out: LINE_UNKNOWN, LINE_STRAY (in no hand), LINE_REJECTED (hand left out) and
                        LINE_BEHEADED (a hand without its first line)

    The last hand of a match is left out where its lines stop before it is paid.
    """
    match, hand, values = play.match, play.hand, found.values
    kept = rows_in_use(sheets.used)
    for number in range(len(settings)):
        framing.begin_match(play, settings, number, sheets)
        first, last = first_event[number], first_event[number + 1]
        judging.survey(match, found.codes, first, last)
        if match["prints"][s.SHORT_LINES]:
            judging.spell_out(found.codes, first, last)
        if not match["prints"][s.EV_LINES]:
            match["ev_rule"] = bets_ev.NONE
        stakes.fit(found, first, last, match, engines)
        record = sheets.matches[number]
        record["small_blind"], record["big_blind"] = match["small_blind"], match["big_blind"]
        record["stack"] = match["stack"]
        last_line, hand_event = -1, first
        match["event"] = first
        while match["event"] <= last:
            # In memory: with a loop's own counter LLVM keeps a pointer a table in step with it, line by line.
            k = match["event"] + 0
            match["event"] = k + 1
            if k == last:
                if not hand["open"] or not _is_whole(play, found.codes[last - 1] + 0):
                    break
                # No line has this code; the last hand is paid where all are.
                code, line, at = END_OF_TEXT, 0, 0
            else:
                # Sums are int64: parts called with other integers would be compiled again.
                code, line, at = found.codes[k] + 0, found.lines[k] + 0, found.args[k] + 0
                notes[k] = 0
            # Most lines are of these kinds, with one meaning while a hand is open.
            if hand["open"] and ev.BLIND <= code <= ev.RAISE:
                if code <= ev.DEALT and hand["awarded"] == 2 and begins_another(found, k, last):
                    notes[k] = LINE_BEHEADED
                if code >= ev.FOLD:
                    read.decide(found, k, last, engines, sheets, play, line, at, code)
                elif code == ev.DEALT:
                    if match["prints"][s.SHORT_LINES] and hand["posted"] == 0:
                        read.post_unsaid(sheets, play, line)
                    read.dealt(play, line, values[at], values, at + 1)
                else:
                    read.blind(found, k, last, sheets, play, line, values[at], values[at + 1])
                continue
            ends = code == ev.ROUND or code == ev.FINAL or code == END_OF_TEXT
            if hand["open"] and (ends or code == ev.COUNTS or code == ev.STRAIGHTS):
                _pay_hand(sheets, play, engines, awards, line, ends)
                if play.facts["failed"]:
                    # A function of a user's file: the facts stay those of the hand in which it failed.
                    return
                if ends:
                    last_line = k - 1
            if code == END_OF_TEXT:
                break
            if code == ev.ROUND:
                kept = rows_in_use(sheets.used)
                hand_event = k
                if not match["rows"]:
                    stakes.rise(found, k, last, match, engines)
                read.begin(sheets, play, values, at, line)
            elif code == ev.UNKNOWN:
                notes[k] = LINE_UNKNOWN
            elif code == ev.CONTRADICTS and values[at + 1] == table_rows.LOST_HAND:
                notes[k] = LINE_LOST
                table_rows.lost_hand(match, values[at + 2] + 0)
            elif code == ev.SEPARATOR and framing.is_between_hands(play):
                continue
            elif code == ev.MARKER and framing.is_between_hands(play):
                mark(match, line, notes, k)
            elif code == ev.FINAL and last_line == k - 1 and framing.is_cut(match, values, at, k == last - 1):
                continue
            elif code == ev.BANKROLL and (k == last - 1 or (match["cut"] and k == last - 2)):
                # The other player's line is still to be written, at least in part.
                continue
            elif code == ev.FINAL and last_line == k - 1 and not match["finished"]:
                framing.final(sheets, play, line, values, at)
            elif match["finished"] and ev.EV_PREFLOP <= code <= ev.EV_TURN:
                cut = match["cut"] > 0 and k == last - 1
                bets_ev.check(play, line, code, values[at], float(values[at + 1]), cut)
            elif code == ev.STRAIGHTS and hand["awarded"] == 2:
                _straights(play, line, values, at)
            elif not hand["open"] and match["last_number"] == 0 and code == ev.PERMUTATION:
                streets.permutation(play, values, at)
            elif not hand["open"] and match["last_number"] == 0 and code == ev.FRAME:
                continue
            elif not hand["open"]:
                # The action on a redraw's line has the note for that line.
                notes[k] = LINE_STRAY if code != ev.REDRAW_HOLE and code != ev.REDRAW_BOARD else 0
            elif code == ev.STACKS:
                streets.stacks(play, line, values, at)
            elif code == ev.FLOP and third_cards.flop_due(play):
                third_cards.flop_again(play, line, values, at)
            elif engines.streets[code] > 0:
                bare = code >= ev.BARE_FLOP and code <= ev.BARE_RIVER
                named = engines.streets[code] + 0
                streets.street(found, k, last, engines, sheets, play, line, named, bare, at)
            elif code == ev.HOLE:
                streets.hole(sheets, play, line, values[at], values, at + 1)
            elif code == ev.AWARD and values[at + 1] == ev.NOT_SAID:
                table_rows.unsaid(play, line)
            elif code == ev.AWARD or code == ev.SWAP_AWARD:
                _meet(found, k, last, engines, play, line)
                read.award(play, line, values[at], values[at + 1], code == ev.SWAP_AWARD)
            elif code == ev.SHOW or ev.SHOW_HIGH_CARD <= code <= ev.SHOW_STRAIGHT_FLUSH:
                _meet(found, k, last, engines, play, line)
                read.show(sheets, play, line, code, values[at], values, at + 1)
            elif code == ev.PASSES:
                exchanges.passes(sheets, play, line, values[at] + 0, values, at + 1)
            elif code == ev.PASS_PLACES:
                text_at, size = values[at + 1] + 0, values[at + 2] + 0
                exchanges.pass_places(sheets, play, line, values[at] + 0, found.text, text_at, size)
            elif ev.BETTING_1 <= code <= ev.BETTING_3:
                exchanges.opens_betting(play, line, code - ev.BETTING_1, values, at)
            elif code == ev.RAISE_BY:
                # As the raise that it is, by the bets so far.
                values[at + 1] = table_rows.raise_to(play, values[at] + 0, values[at + 1] + 0)
                found.codes[k] = read.named_by_amount(play, values[at] + 0, -1)
                match["event"] = k
            elif code == ev.CONTRADICTS:
                table_rows.contradicts(play, line, values, at)
            elif code == ev.AMOUNT_ONLY:
                # The same line once more, as the decision that it is.
                found.codes[k] = read.named_by_amount(play, values[at] + 0, values[at + 1] + 0)
                match["event"] = k
            elif code == ev.HIT:
                read.hit(play, line, values[at])
            elif code == ev.COUNTS:
                read.counts(play, line, values, at)
            elif code == ev.RUN_REACHED:
                streets.run_line(play, line, True, -1, 0)
            elif code == ev.RUN_WON:
                streets.run_line(play, line, False, values[at] + 0, values[at + 1] + 0)
            elif code == ev.BOUNTIES:
                read.bounties(play, line, values, at)
            elif ev.FIRST_FAULT <= code <= ev.LAST_FAULT:
                before = found.codes[k - 1] + 0 if k > first else -1
                following = found.codes[k + 1] + 0 if k + 1 < last else -1
                read.fault(sheets, play, line, code, found.text, values, at, before, following)
            elif code == ev.BID:
                third_cards.bid(sheets, play, line, values[at], values[at + 1])
            elif code == ev.AUCTION_WON:
                third_cards.won(sheets, play, line, values[at], values, at + 1)
            elif code == ev.REVEALED:
                third_cards.revealed(sheets, play, line, values[at], values, at + 1)
            elif code == ev.BIDS or code == ev.NO_AUCTION:
                third_cards.summary(play, line, code == ev.BIDS, values, at)
            elif code == ev.DISCARD and match["rows"]:
                table_rows.discard(found, k, last, sheets, play, line, values, at)
            elif code == ev.DISCARD:
                third_cards.discard(sheets, play, line, values[at], values, at + 1)
            elif ev.FIRST_OWN <= code < ev.FIRST_OWN + ev.MOST_OWN:
                if engines.handlers[code, 0] >= 0:
                    # Where the next event's values begin, these end.
                    count = found.args[k + 1] - at if k + 1 < last else 0
                    steps.handled(play, engines, line, code, values, at, count)
                    if play.facts["failed"]:
                        return
                else:
                    steps.step_line(sheets, play, engines, line, code, values, at)
            elif code == ev.STREET_NOTE:
                following = found.codes[k + 1] + 0 if k + 1 < last else -1
                third_cards.street_note(play, line, values[at], following)
            elif code == ev.REVEAL_HOLE or code == ev.REVEAL_BOARD:
                redraws.reveal(found, k, last, play, line)
            elif code == ev.REDRAW_HOLE or code == ev.REDRAW_BOARD:
                redraws.redraw(found, k, first, sheets, play, line, code)
            elif (code == ev.KEY_ERROR or code == ev.VALUE_ERROR) and found.codes[k - 1] == ev.MISFORMATTED:
                continue
            elif code == ev.NOTE and k > first and ev.FIRST_FAULT <= found.codes[k - 1] <= ev.LAST_FAULT:
                # An engine's remark about a refused answer.
                continue
            else:
                stray(play, line, code)
        if hand["open"]:
            leave_out(sheets, match, hand, kept, hand_event, last, notes)
        if match["marker_line"]:
            note_markers(found, hand_event, last, notes)
        sheets.matches[number]["end"] = last_line  # event whose line closes the last complete hand
        sheets.matches[number]["hands"] = sheets.used[records.HANDS] - match["first_hand"]
        for rank in range(len(play.ranks)):
            sheets.ranks[number, rank] = play.ranks[rank]
        judging.close_match(sheets, play, engines, awards)
