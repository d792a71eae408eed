"""The end of a hand: hands shown, pots paid by the rules, compared with the lines, and the rows of the hand."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from .. import betting as b
from .. import findings, records
from ..evaluator import STRAIGHT_FLUSH, category, strength_of, without_low_kicker
from ..payouts import endings, next_level, share_pots
from ..positions import OF_SMALLER
from ..records import Sheets, keep, write_card_lines
from . import state as s
from .betting import due_actor
from .lines import betting_ends, check_banks
from .state import Play, check_named, find, find_known, following, misplaced


@part
def is_showdown(play: Play) -> bool:
    """True on the last street if at least two players have not folded."""
    hand = play.hand
    on_it: bool = hand["street"] == play.match["last_street"] and hand["folded"] < 0
    return on_it


@part
def strength_at(play: Play, seat: int) -> int:
    """The strength of a player's best five of hole cards and board, with exactly `holes_used` hole cards if not 0."""
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
        if count_bits(own) == used:
            for others in range(1 << size):
                if count_bits(others) == 5 - used:
                    at = _chosen(holes, 1, own, cards, 0)
                    at = _chosen(play.board, 0, others, cards, at)
                    best = max(best, strength_of(cards, at))
    return best


@part
def count_bits(number: int) -> int:
    """The number of set bits."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@part
def _chosen(given: NDArray[np.int64], first: int, which: int, cards: NDArray[np.int64], at: int) -> int:
    """Append the cards given[first + k] to `cards` for every bit k of `which`; returns how many cards are there."""
    k = 0
    while which >> k:
        if which >> k & 1:
            cards[at] = given[first + k]
            at += 1
        k += 1
    return at


@part
def _next_shown(play: Play) -> int:
    """The seat that shows next, in the order of the hand's first lines; NOBODY once all have shown."""
    hand = play.hand
    for k in range(hand["seated"]):
        seat: int = hand["in_order"][k]
        if not hand["out"][0, seat] and not hand["shown"] >> seat & 1:
            return seat
    return b.NOBODY


@step
def show(play: Play, line: int, named: int, values: NDArray[np.int64], at: int, kind: int) -> None:
    """A hand is shown. kind: the category that the line names, -1 for none."""
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
    if play.match["totals"]:
        seat = due if hand["out"][0, named] or hand["shown"] >> named & 1 else named
        check_named(play.report, line, named, seat, findings.SEATS)
    elif hand["live"] == play.match["players"]:
        check_named(play.report, line, named, due, findings.SEATS)
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
    if kind >= 0 and hand["board_size"] == play.match["boards"][play.match["last_street"]]:
        made = category(strength_at(play, seat))
        # No known log shows a straight flush, so its name is not checked.
        if kind != made and made < STRAIGHT_FLUSH:
            find(play.report, line, seat, findings.HAND_KIND, float(made), float(kind))


@rare
def _of_one_name(play: Play, named: int) -> int:
    """The player whom a pot's line pays where two have its name: the best hand that has no award so far."""
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
    if play.match["all_may_fold"] and hand["folded"] < 0 and hand["active"][0] == 1:
        due = due_actor(play)
        find(play.report, line, due, findings.NOT_ASKED, float(due), 0.0)
        hand["folded"] = hand["folder"][0]
    if hand["dealt"] < hand["holders"] or (hand["folded"] < 0 and not is_showdown(play)):
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
    if match["banks_after"]:
        _check_banks_after(play, decided)
    for seat in range(players):
        player = play.players[seat]
        player["due"] = player["bank"] + _due_gain(play, seat, decided)
        player["carry"] = player["bank"] + _gain(play, seat)
        if not player["out"]:
            player["left"] = hand["stack"][seat] + _gain(play, seat)
        if not player["out"]:
            _write_seat(sheets, play, seat, decided)
    match["carried"] = 1
    record["board_count"] = keep(
        sheets.board, sheets.used, records.BOARD, play.board, 0, hand["board_size"] + 0
    )
    write_card_lines(sheets, hand, play.lines)


@part
def _put(play: Play, seat: int) -> float:
    """Chips that a player has put in, including those returned."""
    chips: float = play.hand["spent"][seat] + play.players[seat]["returned"]
    return chips


@part
def _gain(play: Play, seat: int) -> float:
    """A player's result by the lines of a hand."""
    chips: float = play.players[seat]["award"] - play.hand["spent"][seat]
    return chips


@part
def _due_gain(play: Play, seat: int, decided: bool) -> float:
    """A player's result by the rules; if they do not decide, by the lines."""
    if not decided:
        return _gain(play, seat)
    chips: float = play.players[seat]["share"] - _put(play, seat)
    return chips


@rare
def _check_banks_after(play: Play, decided: bool) -> None:
    """The bankrolls printed have the hand's own result in them: check them, and make them those before the hand."""
    for seat in range(play.match["players"]):
        player = play.players[seat]
        player["due"] = player["carry"] + _due_gain(play, seat, decided)
        player["carry"] += _gain(play, seat)
    check_banks(play)
    for seat in range(play.match["players"]):
        play.players[seat]["bank"] -= _gain(play, seat)


@step
def _pay(sheets: Sheets, play: Play) -> None:
    """Each player's share of the pots by the rules, and where the log pays otherwise."""
    match, hand = play.match, play.hand
    players = match["players"]
    # The betting is over: its pips make room for the shares.
    shares, spent = hand["pip"][0], hand["spent"]
    for seat in range(players):
        spent[seat] += play.players[seat]["returned"]
    first = max(hand["first_tied"], 0)
    if match["totals"]:
        # No line shows who ties.
        first = following(match, hand["dealer"], 1)
    share_pots(players, first, spent, 0.0, play.folded, play.strength, play.strength, False, shares)
    for seat in range(players):
        player = play.players[seat]
        spent[seat] -= player["returned"]
        player["share"] = shares[seat]
    wrong = False
    for seat in range(players):
        player = play.players[seat]
        due = player["share"] - player["owed"]
        wrong = wrong or (player["award"] != due and player["award"] != player["share"] - player["returned"])
    if not wrong:
        if hand["folded"] < 0 and not match["totals"] and hand["wins"] + hand["ties"] != _award_lines(play):
            _find_award_lines(play)
        return
    explained = _is_other_pots(play)
    deviation = s.SIDE_POT if explained else other_pay(play)
    for seat in range(players):
        player = play.players[seat]
        due = player["share"] - (
            player["returned"] if hand["folded"] < 0 and not match["returns_always"] else player["owed"]
        )
        if player["award"] != due:
            row = find(play.report, hand["award_line"], seat, findings.AWARD, due, player["award"] + 0.0)
            sheets.findings[row]["chips"] = player["award"] - due
            if deviation >= 0:
                sheets.findings[row]["explained"] = match["explains"][deviation]
    if explained:
        _find_award_lines(play)


@rare
def _find_award_lines(play: Play) -> None:
    """The lines print other pots than the rules make."""
    hand = play.hand
    line, lines = hand["award_line"] + 0, float(hand["wins"] + hand["ties"])
    due = float(_award_lines(play))
    find_known(play.report, line, -1, findings.AWARD_LINES, due, lines, s.POTS_PRINTED)


@part
def _best(play: Play, level: float) -> tuple[int, int]:
    """The strength of the best hand among those that put in so much and did not fold, and how many have it."""
    best, winners = -1, 0
    for seat in range(play.match["players"]):
        if not play.folded[seat] and play.hand["spent"][seat] >= level:
            if play.strength[seat] > best:
                best, winners = play.strength[seat] + 0, 0
            winners += play.strength[seat] == best
    return best, winners


@part
def _award_lines(play: Play) -> int:
    """The number of winner lines due: in each pot one for each player with the best hand."""
    match, hand, lines, below = play.match, play.hand, 0, 0.0
    players = match["players"]
    while True:
        level = next_level(players, hand["spent"], play.folded, below)
        if level == np.inf:
            return lines
        _, winners = _best(play, level)
        lines += winners
        below = level


@rare
def _is_other_pots(play: Play) -> bool:
    """True if the lines pay as if some pots were one, or as if only players with chips left could win a side pot.

    An engine that does not open the pot of an all-in level leaves its chips in the pot below.
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
    """True if the lines pay by such pots. merged: a bit for each level whose pot is one with the pot above."""
    match, hand, shares = play.match, play.hand, play.hand["pip"][0]
    players = match["players"]
    for seat in range(players):
        shares[seat] = 0.0
    below, opened, number = 0.0, 0.0, 0
    while True:
        level = next_level(players, hand["spent"], play.folded, below)
        if level == np.inf:
            break
        above = next_level(players, hand["spent"], play.folded, level)
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
    """True if a player can win the pot that begins above so many chips."""
    hand = play.hand
    inside: bool = not play.folded[seat] and hand["spent"][seat] > opened
    return inside and (opened <= 0 or not with_chips or b.left(hand, seat) > 0)


@rare
def other_pay(play: Play) -> int:
    """The deviation that pays what the lines say: odd chips, or folded players' chips, otherwise; -1 for none."""
    explains = play.match["explains"]
    if play.hand["folded"] >= 0:
        return -1
    if explains[s.KICKERS] != findings.NO_EXPLANATION and _is_paid_without_kickers(play):
        return s.KICKERS
    if explains[s.ONE_POT] != findings.NO_EXPLANATION and _is_paid_as_one(play):
        return s.ONE_POT
    for deviation in (s.ODD_TO_LAST, s.ODD_DROPPED, s.FOLDED_MONEY):
        if explains[deviation] == findings.NO_EXPLANATION:
            continue
        if _is_paid_by(play, deviation, False) or (
            deviation == s.FOLDED_MONEY and _is_paid_by(play, deviation, True)
        ):
            return deviation
    return -1


@rare
def _is_paid_without_kickers(play: Play) -> bool:
    """True if the lines pay as if no kicker below both pairs counted; chips that do not divide may go to no player."""
    players, changed = play.match["players"], False
    for seat in range(players):
        # Room that is filled when the hand is paid.
        play.ended[seat] = play.strength[seat]
        play.strength[seat] = without_low_kicker(play.strength[seat])
        changed = changed or play.strength[seat] != play.ended[seat]
    paid = changed and (_is_paid_by(play, s.ODD_DROPPED, False) or _is_paid_by(play, s.KICKERS, False))
    for seat in range(players):
        play.strength[seat] = play.ended[seat]
    return paid


@rare
def _is_paid_as_one(play: Play) -> bool:
    """True if the lines divide all chips among the best hands, each share rounded down, whoever could win them."""
    hand, players = play.hand, play.match["players"]
    chips, best, winners = 0.0, -1, 0
    for seat in range(players):
        chips += hand["spent"][seat]
        if not play.folded[seat]:
            if play.strength[seat] > best:
                best, winners = play.strength[seat], 0
            winners += play.strength[seat] == best
    paid = True
    for seat in range(players):
        wins = not play.folded[seat] and play.strength[seat] == best
        paid = paid and play.players[seat]["award"] == (np.floor(chips / winners) if wins else 0.0)
    return paid


@part
def _is_paid_by(play: Play, deviation: int, by_level: bool) -> bool:
    """True if the lines pay by a deviation.

    FOLDED_MONEY  an all-in's pot has what folded players put in above that all-in, too: the lowest all-in's pot has all
                  of it or, by_level, each all-in's pot the part up to the next
    ODD_TO_LAST   chips that do not divide go to the pot's last winner after the dealer
    ODD_DROPPED   they go to no player
    """
    match, hand, shares = play.match, play.hand, play.hand["pip"][0]
    players, first = match["players"], following(match, hand["dealer"], 1)
    for seat in range(players):
        shares[seat] = 0.0
    below = 0.0
    while True:
        level = next_level(players, hand["spent"], play.folded, below)
        if level == np.inf:
            break
        above = next_level(players, hand["spent"], play.folded, level)
        top = np.inf if above == np.inf else level
        size = 0.0
        for seat in range(players):
            spent = hand["spent"][seat]
            if deviation != s.FOLDED_MONEY or not play.folded[seat]:
                size += max(min(spent, top) - below, 0.0)
            elif by_level:
                size += max(min(spent, above) - level, 0.0) + (min(spent, level) if below == 0 else 0.0)
            elif below == 0:
                size += spent
        best, winners = _best(play, level)
        each = np.floor(size / winners)
        odd, last = size - each * winners, b.NOBODY
        for k in range(players):
            seat = following(match, first, k)
            if not play.folded[seat] and hand["spent"][seat] >= level and play.strength[seat] == best:
                takes = 1.0 if deviation != s.ODD_TO_LAST and deviation != s.ODD_DROPPED and odd > 0 else 0.0
                shares[seat] += each + takes
                odd -= takes
                last = seat
        if deviation == s.ODD_TO_LAST:
            shares[last] += odd
        below = level
    paid = True
    for seat in range(players):
        paid = paid and shares[seat] == play.players[seat]["award"]
    return paid


@part
def _position(play: Play, seat: int) -> int:
    """The place of a seat's position among the names of the match's positions."""
    match, hand = play.match, play.hand
    players = match["players"]
    if hand["live"] == 2 and hand["posts"] == 2:
        place: int = seat != hand["dealer"]
        return place
    if hand["live"] == players:
        return int((seat - hand["dealer"] + players - 1) % players)
    place, other = 0, following(match, hand["dealer"], 1)
    while other != seat:
        place += not play.players[other]["out"]
        other = following(match, other, 1)
    return int(OF_SMALLER[players, hand["live"], place])


@part
def _write_seat(sheets: Sheets, play: Play, seat: int, decided: bool) -> None:
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
    out["position"] = _position(play, seat)
    out["ended"] = play.ended[seat] if decided else records.OUT
    out["shown"] = hand["shown"] >> seat & 1
    out["stack"] = hand["stack"][seat] if match["carries"] else np.nan
    out["put"] = hand["spent"][seat]
    out["delta"], out["bank"] = _gain(play, seat), player["bank"]
    out["written"] = _due_gain(play, seat, decided) if decided else np.nan
    out["engine"] = out["written"]
