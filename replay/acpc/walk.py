"""Re-executes every hand of some matches: from lines to rows and findings."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel, part, step
from ...parsers import events as ev
from ...parsers.reading import Events
from .. import findings, records
from ..outcome import LINE_LOST, LINE_REJECTED, LINE_STRAY, LINE_UNKNOWN
from ..payouts import endings, pay_side_pots
from ..records import Sheets, keep
from ..verdicts import give_verdicts
from . import betting, cards, lines
from . import state as s
from .definitions import HANDS_COMPARED
from .state import Hand, Report, find

TOLERANCE: Final = 1.1e-6
"""Values are printed with six decimals."""

MOST_SKIPPED: Final = 1 << 20
"""The most missing hands before a hand whose cards are still dealt from the seed: each takes time."""


@kernel
def count_actions(found: Events, last: int) -> int:
    """An upper bound of the actions in some events' hands."""
    count = 0
    for k in range(last):
        if found.codes[k] == ev.STATE:
            at = found.values[found.args[k] + 1]
            while at < len(found.text) and found.text[at] != 58 and found.text[at] != 10:
                count += found.text[at] > 57
                at += 1
    return count


@part
def _begin_match(hand: Hand, match: np.void, sheets: Sheets, number: int) -> None:
    record = sheets.matches[number]
    record["first_hand"], record["hands"], record["end"] = sheets.used[records.HANDS], 0, -1
    record["rejected"] = record["final"] = 0
    for k in range(len(hand.banks)):
        hand.banks[k] = hand.exact[k] = 0.0
        hand.sums[0, k] = hand.sums[1, k] = hand.sums[2, k] = 0.0
        record["finals"][k] = np.nan
    hand.at["restated"], hand.at["owned"] = match["restated"], match["owners"] > 0
    hand.so_far["finished"] = 0
    if match["seed"] >= 0:
        cards.start(hand.generator, match["seed"])
    so_far = hand.so_far
    so_far["last_number"] = s.NONE
    so_far["hands_dealt"] = so_far["hands_skipped"] = 0
    so_far["gap"] = so_far["marker_line"] = so_far["checks_after"] = 0


@part
def _read(found: Events, k: int, hand: Hand, players: int) -> bool:
    """Read a hand's line into scratch; False if it is invalid."""
    text, at = found.text, found.values[found.args[k] + 1]
    if not lines.split(text, at, at + found.values[found.args[k] + 2], hand.at):
        return False
    if lines.read_cards(text, hand) != players:
        return False
    at = hand.at
    for k in range(len(hand.more)):
        hand.more[k] = np.nan
    if at["more"] < at["more_end"] and not lines.read_numbers(text, at["more"], at["more_end"], 3, hand.more):
        return False
    if at["restated"] and at["results"] == at["results_end"]:
        for player in range(players):
            hand.logged[player] = np.nan
        return True
    return lines.read_numbers(text, at["results"], at["results_end"], players, hand.logged)


@step
def _check_more(hand: Hand, report: Report, match: np.void) -> None:
    """Check the extra fields of translated lines: checks after an all-in, luck-adjusted results, notes."""
    if hand.so_far["checks_after"]:
        find(report, s.NONE, findings.ALL_IN_CHECKS, np.nan, np.nan, match["all_in_checks"])
        hand.so_far["checks_after"] = 0
    if abs(hand.more[0] - hand.more[1]) > 2 * TOLERANCE:
        find(report, s.NONE, findings.PUBLISHED, hand.more[1], hand.more[0])
    if hand.more[2] > 0:
        find(report, s.NONE, findings.NOTED, np.nan, np.nan, match["noted"])


@step
def _check_awards(hand: Hand, report: Report, players: int, turn: int, known: bool) -> None:
    total = 0.0
    if known and np.isnan(hand.logged[0]):
        # Without printed results, those of the rules count.
        rule = findings.LAST_STATE if np.isnan(hand.payout[0]) else findings.NO_RESULT
        find(report, s.NONE, rule, np.nan, np.nan)
        for player in range(players):
            hand.logged[player] = hand.payout[player]
        return
    for player in range(players):
        total += hand.logged[player]
        if known and abs(hand.logged[player] - hand.payout[player]) > TOLERANCE:
            seat = (player + turn) % players
            find(report, seat, findings.AWARD, hand.payout[player], hand.logged[player])
    if not known and abs(total) > TOLERANCE * players:
        find(report, s.NONE, findings.ZERO_SUM, 0.0, total)


@step
def _play_hand(
    found: Events,
    hand: Hand,
    game: np.void,
    sheets: Sheets,
    report: Report,
    turn: int,
    seeded: bool,
    owners: int,
) -> int:
    """Play a hand by its game's rules and check its cards; returns the number of undealt cards of the board."""
    players = game["players"]
    for k in range(players):
        hand.ended[k] = hand.strength[k] = 0
    betting.post(game, hand, sheets, turn)
    betting.play(found.text, game, hand, sheets, report)
    dealt = _board_size(hand)
    complete = cards.check_counts(game, hand, report, turn, owners)
    cards.check_deck(game, hand, report, players, turn, dealt)
    if seeded:
        cards.check_seed(game, hand, report, turn, dealt)
    broken = hand.bets["broken"] > 0 or hand.bets["open"] > 0
    if hand.bets["shown_down"]:
        cards.compare(hand, players, dealt)
    if broken or (hand.bets["shown_down"] and not complete):
        for player in range(players):
            hand.payout[player] = np.nan
    else:
        pay_side_pots(players, hand.bets["spent"], hand.bets["out"][0], hand.strength, hand.payout)
        endings(players, hand.bets["out"][0], hand.bets["shown_down"] > 0, hand.strength, hand.ended)
    undealt = 0
    if seeded:
        known = players * game["hole_cards"] + dealt
        count = max(game["cards_dealt"] - known, 0)
        undealt = keep(sheets.undealt, sheets.used, records.UNDEALT, hand.drawn, known, count)
    return undealt


@part
def _score(
    found: Events,
    k: int,
    hand: Hand,
    record: np.void,
    report: Report,
    match: np.void,
    whole: bool,
    cut: bool,
    names: NDArray[np.uint8],
    name_at: NDArray[np.int64],
) -> bool:
    """Read the score and compare it with the hands; False if the line is not a score.

    whole: the match has all its hands from the first, so their sum must be the score; cut: the line may lack its end.
    """
    players, text = match["players"], found.text
    at = found.values[found.args[k]]
    end = lines.trimmed(text, at, at + found.values[found.args[k] + 1])
    stop = at
    while stop < end and text[stop] != 58:
        stop += 1
    if stop >= end or not lines.read_numbers(text, at, stop, players, hand.logged):
        return False
    turn = _turn_of(text, stop + 1, end, names, name_at, match) if match["restated"] else 0
    named = lines.names_fit(text, stop + 1, end, names, name_at, match["first_name"], players, turn)
    if cut and not named:
        return False
    record["final"] = 1
    for k in range(players):
        seat = (k + turn) % players
        record["finals"][seat] = hand.logged[k]
        off = abs(hand.logged[k] - hand.exact[seat])
        if whole and off > 2 * TOLERANCE + 1e-12 * abs(hand.exact[seat]):
            find(report, seat, findings.SCORE, hand.exact[seat], hand.logged[k])
    if not named:
        find(report, s.NONE, findings.NAMES, np.nan, np.nan)
    return True


@part
def _turn_of(
    text: NDArray[np.uint8],
    place: int,
    end: int,
    names: NDArray[np.uint8],
    name_at: NDArray[np.int64],
    match: np.void,
) -> int:
    """The seat of the first name in a list of the match's names; 0 for other names."""
    players = match["players"]
    for turn in range(players):
        if lines.names_fit(text, place, end, names, name_at, match["first_name"], players, turn):
            return turn
    return 0


@part
def _check_sums(found: Events, k: int, hand: Hand, report: Report, played: int) -> None:
    """Compare a player's printed sums with the hands: their number, results, luck-adjusted results, squares of both."""
    at = found.args[k]
    seat, count = found.values[at], found.values[at + 1]
    if count != played:
        find(report, seat, findings.SUMS, float(played), float(count))
    for which in range(4):
        logged = found.values[at + 2 + which] / s.PARTS
        due = hand.exact[seat] if which == 0 else hand.sums[max(which - 1, 0), seat]
        # Each value is rounded to six decimals, and so the square of each is off by twice its size.
        size = 1.0 if which < 3 else 2.0 * np.sqrt(played * abs(due)) / max(played, 1)
        if abs(logged - due) > 2 / s.PARTS + TOLERANCE * played * size + 1e-12 * abs(due):
            find(report, seat, findings.SUMS, due, logged)


@part
def _find_marker(hand: Hand, report: Report) -> None:
    """Report the merge marker that was noted."""
    line = report.place["line"]
    report.place["line"] = hand.so_far["marker_line"]
    find(report, s.NONE, findings.MARKER, np.nan, np.nan)
    report.place["line"] = line
    hand.so_far["marker_line"] = 0


@step
def _opening_findings(
    hand: Hand, match: np.void, report: Report, hand_no: int, named: bool, opens: bool
) -> None:
    """Check a hand's number, its names and the line above it; opens: the hand is the match's first."""
    so_far = hand.so_far
    before = so_far["last_number"]
    if before >= 0 and hand_no != before + 1:
        if not match["gaps"]:
            find(report, s.NONE, findings.SEQUENCE, float(before), float(hand_no))
        so_far["gap"] = 1
    if before < 0 and hand_no != match["first_number"]:
        so_far["gap"] = 1
    so_far["last_number"] = hand_no
    if so_far["marker_line"]:
        _find_marker(hand, report)
    if not named:
        find(report, s.NONE, findings.NAMES, np.nan, np.nan)
    if match["wrong_seed"] >= 0 and opens:
        find(report, s.NONE, findings.SEED_WRONG, np.nan, float(match["wrong_seed"]))


@step
def _deal_from_seed(hand: Hand, match: np.void, game: np.void, hand_no: int) -> bool:
    """Deal a hand's cards as the dealer does (`Hand.drawn`); False without a seed, or if the hand is too far on."""
    skipped = hand_no - hand.so_far["hands_dealt"]
    if match["seed"] < 0 or skipped < 0 or skipped >= MOST_SKIPPED - hand.so_far["hands_skipped"]:
        return False
    hand.so_far["hands_skipped"] += skipped
    cards.skip(hand.generator, skipped * game["cards_dealt"])
    cards.deal(hand.generator, game, hand.deck, hand.drawn)
    hand.so_far["hands_dealt"] = hand_no + 1
    return True


@step
def _replay_hand(
    found: Events,
    k: int,
    hand: Hand,
    match: np.void,
    game: np.void,
    sheets: Sheets,
    report: Report,
    number: int,
    turn: int,
    named: bool,
) -> None:
    """Re-execute the hand whose line is read into scratch, and write its rows."""
    known, players = match["game"] >= 0, match["players"]
    record, hand_no = sheets.matches[number], found.values[found.args[k]]
    report.place["hand"] = sheets.used[records.HANDS]
    _opening_findings(hand, match, report, hand_no, named, record["hands"] == 0)
    _begin_row(sheets, number, hand_no, found.lines[k], players, turn)
    undealt = 0
    if known:
        seeded = _deal_from_seed(hand, match, game, hand_no)
        undealt = _play_hand(found, hand, game, sheets, report, turn, seeded, match["owners"])
    else:
        find(report, s.NONE, findings.UNKNOWN_GAME, np.nan, np.nan)
        for player in range(players):
            hand.payout[player] = np.nan
    if match["restated"]:
        _check_more(hand, report, match)
    _check_awards(hand, report, players, turn, known)
    _write_seats(sheets, hand, game, known, players, turn)
    _end_row(sheets, hand, known, undealt)
    record["hands"] += 1
    record["end"] = k


@kernel
def walk(
    found: Events,
    first_event: NDArray[np.int64],
    settings: NDArray[np.void],
    games: NDArray[np.void],
    names: NDArray[np.uint8],
    name_at: NDArray[np.int64],
    hand: Hand,
    sheets: Sheets,
    report: Report,
    notes: NDArray[np.uint8],
    begin: NDArray[np.int64],
    most: int,
) -> None:
    """Re-execute the hands of some matches, from where an earlier call stopped.

    It left off with the hand and the sheets' matches as they are given.

    found, first_event  the scanner's events and where each match's begin
    settings            (matches,) `state.SETTINGS`
    games               `state.DEFINITION`
    names, name_at      the names of all matches by seat: bytes, and where each begins
    hand                scratch
    sheets, report      out: tables, findings
    notes               (events,) out: LINE_UNKNOWN, LINE_STRAY, LINE_REJECTED, LINE_LOST
    begin               (2,) the match and the event to begin with; out: the hand before which it stops, len(settings)
                        and any event at the end
    most                rows of actions and seats with which it stops before a hand that is not one of the first of its
                        match (HANDS_COMPARED)
    """
    so_far = hand.so_far
    for number in range(begin[0], len(settings)):
        match = settings[number]
        first_hand, first_finding = sheets.used[records.HANDS] + 0, sheets.used[records.FINDINGS] + 0
        record = sheets.matches[number]
        first, last = max(first_event[number], begin[1]), first_event[number + 1]
        if first > first_event[number]:
            record["first_hand"] = first_hand - record["hands"]
        else:
            _begin_match(hand, match, sheets, number)
        stopped = False
        before = last_state = 0
        unread = -1
        known, players = match["game"] >= 0, match["players"]
        game = games[max(match["game"], 0)]
        if match["last_event"] >= 0:
            last = min(last, match["last_event"])
        for k in range(first, last):
            code, line = found.codes[k], found.lines[k]
            notes[k] = 0
            cut = match["cut"] > 0 and k == first_event[number + 1] - 1
            report.place["line"] = line
            if code == ev.STATE:
                readable = _read(found, k, hand, players)
                turn = 0
                if match["seating"] == s.ROTATING:
                    turn = (found.values[found.args[k]] - match["first_number"]) % players
                elif readable and match["seating"] == s.NAMED:
                    turn = _turn_of(found.text, hand.at["names"], hand.at["line_end"], names, name_at, match)
                unnamed = match["restated"] and hand.at["names"] == hand.at["line_end"]
                named = readable and (
                    unnamed
                    or lines.names_fit(
                        found.text,
                        hand.at["names"],
                        hand.at["line_end"],
                        names,
                        name_at,
                        match["first_name"],
                        players,
                        turn,
                    )
                )
                if not readable or (cut and not named):
                    notes[k] = LINE_REJECTED
                    record["rejected"] += 1
                    so_far["gap"] = 1
                    continue
                rows = sheets.used[records.ACTS] + sheets.used[records.SEATS]
                if rows >= most and record["hands"] >= HANDS_COMPARED:
                    begin[0], begin[1], stopped = number, k, True
                    break
                before, last_state = record["end"], k
                if match["owners"]:
                    for place in range(len(hand.used)):
                        hand.used[place] = sheets.used[place]
                earlier = so_far["last_number"] + 0
                _replay_hand(found, k, hand, match, game, sheets, report, number, turn, named)
                if unread >= 0 and earlier >= 0 and so_far["last_number"] > earlier + 1:
                    # A hand is one line.
                    notes[unread] = LINE_LOST
                unread = -1
                so_far["finished"] |= known and not hand.bets["open"]
            elif code == ev.SCORE:
                report.place["hand"] = sheets.used[records.HANDS] - 1
                whole = known and not so_far["gap"]
                if (
                    record["hands"] == 0
                    or record["final"]
                    or not _score(found, k, hand, record, report, match, whole, cut, names, name_at)
                ):
                    notes[k] = LINE_STRAY
                    continue
                played = so_far["last_number"] + 1 - match["first_number"]
                if match["hands_due"] >= 0 and match["hands_due"] != played:
                    find(report, s.NONE, findings.HANDS, float(match["hands_due"]), float(played))
            elif code == ev.SUMS and record["hands"] > 0:
                report.place["hand"] = sheets.used[records.HANDS] - 1
                if known and not so_far["gap"]:
                    _check_sums(found, k, hand, report, record["hands"])
            elif code == ev.MARKER and so_far["marker_line"]:
                notes[k] = LINE_STRAY
            elif code == ev.MARKER:
                # The finding of the first marker belongs to the next hand, or to the last one.
                so_far["marker_line"] = line
            elif code == ev.UNKNOWN:
                notes[k] = LINE_UNKNOWN
                unread = k
            elif code not in (ev.HEADING, ev.TIMING):
                notes[k] = LINE_STRAY
        if (
            not stopped
            and known
            and match["owners"]
            and so_far["finished"]
            and hand.bets["open"]
            and record["hands"] > 0
        ):
            # Other hands of this log are complete, so the last one is cut off.
            for place in range(len(hand.used) - 1):
                sheets.used[place] = hand.used[place]
            record["hands"] -= 1
            record["rejected"] += 1
            record["end"] = before
            notes[last_state] = LINE_REJECTED
        if not stopped and so_far["marker_line"] and record["hands"] > 0:
            report.place["hand"] = sheets.used[records.HANDS] - 1
            _find_marker(hand, report)
        last_hand, last_finding = sheets.used[records.HANDS] + 0, sheets.used[records.FINDINGS] + 0
        give_verdicts(
            sheets.hands,
            first_hand,
            last_hand,
            sheets.findings,
            first_finding,
            last_finding,
            match["profile"],
            False,
        )
        if stopped:
            return
    begin[0] = len(settings)


@part
def _board_size(hand: Hand) -> int:
    """The number of cards in the sections of the line's board."""
    dealt = 0
    for section in range(1, hand.sections[0] + 1):
        dealt += hand.sections[section]
    return dealt


@step
def _begin_row(sheets: Sheets, number: int, hand_no: int, line: int, players: int, turn: int) -> None:
    """Write the hand's number, line, players and dealer into a new row."""
    out = sheets.hands[sheets.used[records.HANDS]]
    out["match"], out["number"], out["line"] = number, hand_no, line
    out["first_seat"], out["players"] = sheets.used[records.SEATS], players
    out["first_card"], out["first_act"] = sheets.used[records.HOLES], sheets.used[records.ACTS]
    out["dealer"] = (turn + players - 1) % players
    out["line_count"], out["deviations"] = 0, 0


@step
def _end_row(sheets: Sheets, hand: Hand, known: bool, undealt: int) -> None:
    """Complete the hand's row after the hand is played; the next hand gets the next row."""
    out = sheets.hands[sheets.used[records.HANDS]]
    out["streets"] = hand.sections[0] + 1
    shown_down = known and hand.bets["shown_down"] > 0
    out["ended_by"] = records.BY_SHOWDOWN if shown_down else records.BY_FOLD
    if not known or hand.bets["open"]:
        out["ended_by"] = s.NONE
    out["board_count"], out["undealt_count"] = _board_size(hand), undealt
    records.next_row(sheets.used, records.HANDS, len(sheets.hands) - 1)


@part
def _write_seats(sheets: Sheets, hand: Hand, game: np.void, known: bool, players: int, turn: int) -> None:
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
        place["shown"] = (
            known and hand.bets["shown_down"] > 0 and not hand.bets["out"][0, player] and count > 0
        )
        place["published_adjusted"] = hand.more[0] if player == 0 else 0.0 - hand.more[0]
        if players > 2 and player > 0:
            place["published_adjusted"] = np.nan
        place["stack"] = game["stack"][player] if known and game["has_stacks"] else np.nan
        place["put"] = hand.bets["spent"][player] if known else np.nan
        place["delta"], place["bank"] = hand.logged[player], hand.banks[seat]
        place["written"] = place["engine"] = hand.payout[player]
        if not np.isnan(hand.logged[player]):
            hand.banks[seat] += hand.logged[player]
        hand.exact[seat] += hand.payout[player]
        if not np.isnan(place["published_adjusted"]):
            hand.sums[0, seat] += hand.payout[player] ** 2
            hand.sums[1, seat] += place["published_adjusted"]
            hand.sums[2, seat] += place["published_adjusted"] ** 2
    keep(sheets.board, sheets.used, records.BOARD, hand.board, 0, _board_size(hand))
