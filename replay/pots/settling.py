"""The end of a hand: hands shown, pots paid by the rules, compared with the lines, and the rows of the hand."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from .. import betting as b
from .. import findings, records
from ..evaluator import STRAIGHT_FLUSH, strength_of
from ..payouts import endings, share_pots
from ..records import Sheets, keep
from . import state as s
from .lines import betting_ends
from .state import Play, credited, find, find_known, misplaced

_CATEGORY: Final = 26
"""The bits of a strength below its category."""


@part
def is_showdown(play: Play) -> bool:
    """True on the last street while nobody has won by folds."""
    hand = play.hand
    on_it: bool = hand["street"] == play.match["last_street"] and hand["folded"] < 0
    return on_it


@part
def strength_at(play: Play, seat: int) -> int:
    """The strength of a player's hand with the board; with so many hole cards and the rest of the board if the
    game says so."""
    hand, holes, cards = play.hand, play.players[seat]["holes"], play.cards
    size, count, used = hand["board_size"], holes[0], play.match["holes_used"]
    if used == 0:
        for k in range(size):
            cards[k] = play.board[k]
        for k in range(count):
            cards[size + k] = holes[1 + k]
        return strength_of(cards, size + count)
    best = 0
    for own in range(1 << count):
        if _bits(own) == used:
            for others in range(1 << size):
                if _bits(others) == 5 - used:
                    at = _chosen(holes, 1, own, cards, 0)
                    at = _chosen(play.board, 0, others, cards, at)
                    best = max(best, strength_of(cards, at))
    return best


@part
def _bits(number: int) -> int:
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@part
def _chosen(given: NDArray[np.int64], first: int, which: int, cards: NDArray[np.int64], at: int) -> int:
    """Append the cards of a set to scratch; returns how many are there."""
    k = 0
    while which >> k:
        if which >> k & 1:
            cards[at] = given[first + k]
            at += 1
        k += 1
    return at


@part
def _next_shown(play: Play) -> int:
    """Who is to show next, in the order of the hand's first lines; NOBODY once all have."""
    hand = play.hand
    for k in range(play.match["players"]):
        seat: int = hand["in_order"][k]
        if not hand["out"][0, seat] and not hand["shown"] >> seat & 1:
            return seat
    return b.NOBODY


@step
def show(play: Play, line: int, named: int, values: NDArray[np.int64], at: int, category: int) -> None:
    """A hand is shown. category: what the line calls it, -1 for nothing."""
    hand = play.hand
    if not is_showdown(play) or hand["wins"] or hand["ties"]:
        find(play.report, line, named, findings.SHOW_UNASKED, 0.0, 0.0)
        return
    if not hand["shown"]:
        betting_ends(play, line)
    due = _next_shown(play)
    if due < 0:
        find(play.report, line, named, findings.SHOW_UNASKED, 0.0, 0.0)
        return
    seat = due
    if hand["live"] == play.match["players"]:
        credited(play.report, line, named, due, findings.SEATS)
    elif not hand["out"][0, named]:
        seat = named
    holes = play.players[seat]["holes"]
    count = values[at]
    if count != holes[0]:
        find(play.report, line, seat, findings.DEAL, float(holes[0]), float(count))
    for k in range(1, min(count, holes[0]) + 1):
        if values[at + k] != holes[k]:
            find(play.report, line, seat, findings.SHOW, float(holes[k]), float(values[at + k]))
    hand["shown"] |= 1 << seat
    if category >= 0 and hand["board_size"] == play.match["boards"][play.match["last_street"]]:
        kind = strength_at(play, seat) >> _CATEGORY
        # Nobody has seen what a straight flush is called.
        if kind != category and kind < STRAIGHT_FLUSH:
            find(play.report, line, seat, findings.HAND_NAME, float(kind), float(category))


@rare
def _of_one_name(play: Play, named: int) -> int:
    """Of players of one name the one whom the rules pay, in a shared pot in turn."""
    hand, best, seat = play.hand, -1, named
    for k in range(play.match["players"]):
        other = hand["in_order"][k] + 0
        if not hand["out"][0, other] and play.players[other]["award"] == 0:
            strength = strength_at(play, other) if hand["folded"] < 0 else 0
            if strength > best:
                best, seat = strength, other
    return seat


@step
def award(play: Play, line: int, named: int, amount: int, shared: bool) -> None:
    """A pot, or a share of one."""
    hand = play.hand
    first = hand["wins"] == 0 and hand["ties"] == 0
    if hand["dealt"] < play.match["players"] or (hand["folded"] < 0 and not is_showdown(play)):
        misplaced(play.report, line, named)
        return
    if first:
        betting_ends(play, line)
    if play.match["same_names"]:
        named = _of_one_name(play, named)
    if shared:
        hand["ties"] += 1
        if hand["first_tied"] < 0:
            hand["first_tied"] = named
    else:
        hand["wins"] += 1
    play.players[named]["award"] += amount
    hand["award_line"] = line


@step
def settle(sheets: Sheets, play: Play) -> None:
    """Pay the hand by the rules, compare with its lines, and complete its rows."""
    match, hand = play.match, play.hand
    players = match["players"]
    record = sheets.hands[hand["row"]]
    showdown = is_showdown(play)
    record["streets"] = hand["street"] + 1
    record["ended_by"] = records.BY_SHOWDOWN if showdown else records.BY_FOLD
    record["players"], record["dealer"] = hand["live"], hand["dealer"]
    record["first_seat"] = sheets.used[records.SEATS]
    if showdown and hand["broken"] == 0 and _next_shown(play) >= 0:
        find(play.report, hand["award_line"], -1, findings.SHOW_MISSING, 0.0, 0.0)
    full = hand["board_size"] >= match["boards"][match["last_street"]]
    decided = hand["broken"] == 0 and (hand["folded"] >= 0 or (showdown and full))
    for seat in range(players):
        play.strength[seat] = 0
        play.folded[seat] = hand["out"][0, seat]
        if decided and showdown and not hand["out"][0, seat]:
            play.strength[seat] = strength_at(play, seat)
    if decided:
        _pay(sheets, play)
    endings(players, play.folded, showdown, play.strength, play.ended)
    for seat in range(players):
        if not play.players[seat]["out"]:
            _write_seat(sheets, play, seat, decided, showdown)
        player = play.players[seat]
        if match["banks_after"]:
            # What is printed has the hand's own result in it.
            player["bank"] -= _gain(play, seat)
        gain = _gain(play, seat)
        player["carry"] = player["bank"] + gain
        player["due"] = player["bank"] + (_due(play, seat) if decided else gain)
    match["carried"] = 1
    record["board_count"] = keep(
        sheets.board, sheets.used, records.BOARD, play.board, 0, hand["board_size"] + 0
    )
    _write_card_lines(sheets, play)


@part
def _put(play: Play, seat: int) -> float:
    """Chips that a player has put in, those returned among them."""
    chips: float = play.hand["spent"][seat] + play.players[seat]["returned"]
    return chips


@part
def _gain(play: Play, seat: int) -> float:
    """What the lines of a hand make a player win."""
    chips: float = play.players[seat]["award"] - play.hand["spent"][seat]
    return chips


@part
def _due(play: Play, seat: int) -> float:
    """What the rules make a player win."""
    chips: float = play.players[seat]["share"] - _put(play, seat)
    return chips


@step
def _pay(sheets: Sheets, play: Play) -> None:
    """Each player's share of the pots by the rules, and where the log pays otherwise."""
    match, hand = play.match, play.hand
    players = match["players"]
    shares, spent = hand["pip"][0], hand["spent"]
    for seat in range(players):
        spent[seat] += play.players[seat]["returned"]
    share_pots(players, max(hand["first_tied"], 0), spent, play.folded, play.strength, shares)
    for seat in range(players):
        player = play.players[seat]
        spent[seat] -= player["returned"]
        player["share"] = shares[seat]
    wrong = False
    for seat in range(players):
        player = play.players[seat]
        due = player["share"] - player["owed"]
        wrong = wrong or (player["award"] != due and player["award"] != player["share"] - player["returned"])
    lines = hand["wins"] + hand["ties"]
    if not wrong:
        due_lines = float(_award_lines(play))
        if hand["folded"] < 0 and lines != due_lines:
            find_known(
                play.report,
                hand["award_line"],
                -1,
                findings.AWARD_LINES,
                due_lines,
                float(lines),
                s.POTS_PRINTED,
            )
        return
    told = _is_other_pots(play)
    for seat in range(players):
        player = play.players[seat]
        due = player["share"] - (
            player["returned"] if hand["folded"] < 0 and not match["returns_always"] else player["owed"]
        )
        if player["award"] != due:
            row = find(play.report, hand["award_line"], seat, findings.AWARD, due, player["award"] + 0.0)
            sheets.findings[row]["chips"] = player["award"] - due
            if told:
                sheets.findings[row]["explained"] = match["explains"][s.SIDE_POT]
    if told:
        find_known(
            play.report,
            hand["award_line"],
            -1,
            findings.AWARD_LINES,
            float(_award_lines(play)),
            float(lines),
            s.POTS_PRINTED,
        )


@rare
def _award_lines(play: Play) -> int:
    """How many lines name the winners: one for each who has the best hand of a pot."""
    match, hand, lines, below = play.match, play.hand, 0, 0.0
    players = match["players"]
    while True:
        level = np.inf
        for seat in range(players):
            if not play.folded[seat] and hand["spent"][seat] > below:
                level = min(level, hand["spent"][seat])
        if level == np.inf:
            return lines
        best, winners = -1, 0
        for seat in range(players):
            if not play.folded[seat] and hand["spent"][seat] >= level:
                if play.strength[seat] > best:
                    best, winners = play.strength[seat], 0
                winners += play.strength[seat] == best
        lines += winners
        below = level


@rare
def _is_other_pots(play: Play) -> bool:
    """True where the lines pay as if some pots were one, or a side pot only of players with chips left.

    A pot by all-in levels may be missing: an engine that does not open one leaves its chips in the pot below.
    """
    match, hand = play.match, play.hand
    if match["explains"][s.SIDE_POT] == findings.NO_EXPLANATION or hand["folded"] >= 0:
        return False
    for merged in range(4):
        for with_chips in range(2):
            if _pays(play, merged, with_chips > 0):
                return True
    return False


@part
def _pays(play: Play, merged: int, with_chips: bool) -> bool:
    """True where the lines pay by such pots. merged: a bit for each level whose pot is one with that above."""
    match, hand, shares = play.match, play.hand, play.hand["pip"][0]
    players = match["players"]
    for seat in range(players):
        shares[seat] = 0.0
    below, opened, number = 0.0, 0.0, 0
    while True:
        level = np.inf
        for seat in range(players):
            if not play.folded[seat] and hand["spent"][seat] > below:
                level = min(level, hand["spent"][seat])
        if level == np.inf:
            break
        above = np.inf
        for seat in range(players):
            if not play.folded[seat] and hand["spent"][seat] > level:
                above = min(above, hand["spent"][seat])
        below = level
        if above < np.inf and merged >> number & 1:
            number += 1
            continue
        top = np.inf if above == np.inf else level
        size, winners, best = 0.0, 0, -1
        for seat in range(players):
            size += max(min(hand["spent"][seat], top) - opened, 0.0)
        for seat in range(players):
            if _is_in(play, seat, opened, with_chips) and play.strength[seat] > best:
                best = play.strength[seat]
        for seat in range(players):
            winners += _is_in(play, seat, opened, with_chips) and play.strength[seat] == best
        if winners == 0:
            return False
        for seat in range(players):
            if _is_in(play, seat, opened, with_chips) and play.strength[seat] == best:
                shares[seat] += size / winners
        opened, number = level, number + 1
    paid = True
    for seat in range(players):
        paid = paid and abs(shares[seat] - play.players[seat]["award"]) < 1
    return paid


@part
def _is_in(play: Play, seat: int, opened: float, with_chips: bool) -> bool:
    """True for who can win a pot that begins above so many chips."""
    hand = play.hand
    inside: bool = not play.folded[seat] and hand["spent"][seat] > opened
    return inside and (opened <= 0 or not with_chips or b.left(hand, seat) > 0)


@part
def _write_seat(sheets: Sheets, play: Play, seat: int, decided: bool, showdown: bool) -> None:
    """Write a player's row."""
    match, hand, player = play.match, play.hand, play.players[seat]
    out = sheets.seats[records.next_row(sheets.used, records.SEATS, len(sheets.seats))]
    used, holes = sheets.used, player["holes"]
    changed = hand["changed"] >> seat & 1
    given = player["dealt"] if changed else holes
    out["hole_count"] = keep(sheets.holes, used, records.HOLES, given, 1, int(given[0]))
    out["final_count"] = 0
    if changed:
        out["final_count"] = keep(sheets.finals, used, records.FINALS, player["placed"], 1, int(holes[0]))
    out["seat"], out["rank"], out["hit"] = seat, -1, 0
    if hand["live"] == 2:
        out["position"] = seat != hand["dealer"]
    else:
        out["position"] = (seat - hand["dealer"] + match["players"] - 1) % match["players"]
    out["ended"] = play.ended[seat] if decided else records.OUT
    out["shown"] = hand["shown"] >> seat & 1
    out["stack"] = hand["stack"][seat] if match["carries"] else np.nan
    out["put"] = hand["spent"][seat]
    gain = _gain(play, seat)
    out["delta"], out["bank"] = gain, player["bank"] - (gain if match["banks_after"] else 0.0)
    out["written"] = _due(play, seat) if decided else np.nan
    out["engine"] = out["written"]


@part
def _write_card_lines(sheets: Sheets, play: Play) -> None:
    """Write the lines of the hand's card events, counted from its first line."""
    record = sheets.hands[play.hand["row"]]
    count = play.lines[0]
    at = records.next_rows(sheets.used, records.LINES, count, len(sheets.card_lines))
    if at < 0:
        count = 0
    record["line_count"] = count
    for k in range(count):
        sheets.card_lines[at + k] = records.lines_below(record["line"], play.lines[1 + k])
