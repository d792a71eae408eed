"""The end of a table's hand: what its lines say that is paid, the pots by the rules, and the rows of the hand."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from ...parsers.acpc_game import MAX_PLAYERS
from .. import findings, records
from ..evaluator import category
from ..payouts import endings, share_pots
from ..positions import OF_SMALLER
from ..records import Sheets, keep, write_card_lines
from . import state as s
from .hand_orders import low_of, order_of
from .settling import other_pay, strength_at
from .state import Play, find, find_known, following, misplaced, see
from .table_hand import betting_ends, is_open, place_of, seat_of, swap_boards, uncalled

WIN, TOTAL, NET, LEFT = 1, 2, 4, 8
"""Bits of `state.HAND`'s `told`."""
_MOST_RAKE = 0.1
"""The largest rake, as a share of the pots."""
_MOST_POSITIONS = len(OF_SMALLER) - 1


@step
def show(play: Play, line: int, seat: int, values: NDArray[np.int64], at: int) -> None:
    """Hole cards are shown; those not known before become known."""
    place = place_of(play, seat)
    if place < 0:
        misplaced(play.report, line, seat)
        return
    holes = play.players[place]["holes"]
    # Only one of several cards may be known.
    known = holes[0] > 0 and not play.players[place]["hidden"]
    first = holes[1] + 0 if holes[0] > 0 else -1
    for k in range(1, values[at] + 1):
        if not known and k < len(holes):
            if values[at + k] != first:
                see(play.report, line, seat, values[at + k])
            holes[k] = values[at + k]
            holes[0] = k
        elif known and not _holds(holes, values[at + k]):
            due = holes[min(k, holes[0])]
            find(play.report, line, seat, findings.SHOW, float(due), float(values[at + k]))
    if not known:
        play.players[place]["hidden"] = max(play.match["hole_cards"] - holes[0], 0)
    play.hand["shown"] |= 1 << place


@part
def _holds(holes: NDArray[np.int64], card: int) -> bool:
    held = False
    for k in range(1, holes[0] + 1):
        held = held or holes[k] == card
    return held


@part
def throw(play: Play, line: int, seat: int) -> None:
    """A player throws its cards away at the showdown."""
    place = place_of(play, seat)
    if place < 0:
        misplaced(play.report, line, seat)
        return
    play.hand["lost"] |= 1 << place


@rare
def called(play: Play, line: int, seat: int, kind: int) -> None:
    """Check the file's name of a shown hand."""
    place = place_of(play, seat)
    if place < 0:
        misplaced(play.report, line, seat)
        return
    if play.hand["board_size"] == play.match["boards"][play.match["last_street"]]:
        made = category(strength_at(play, place))
        if kind != made:
            find_known(play.report, line, seat, findings.HAND_KIND, float(made), float(kind), s.HAND_NAMED)


@step
def result(play: Play, line: int, seat: int, chips: float, kind: int) -> None:
    """Read a line with a player's winnings, or chips after the hand. kind: a bit of `told`."""
    hand, place = play.hand, place_of(play, seat)
    if place < 0:
        misplaced(play.report, line, seat)
        return
    player = play.players[place]
    hand["told"] |= kind
    if kind == NET:
        player["net"] = chips
    elif kind == LEFT:
        player["after"] = chips
    else:
        player["award"] += chips
    hand["award_line"] = line


@part
def _complete_awards(play: Play) -> None:
    """Set each player's award to its payout, including the unmatched part of its bet, from the lines."""
    hand = play.hand
    chips, which = uncalled(play)
    for place in range(play.match["players"]):
        player = play.players[place]
        if hand["told"] & TOTAL:
            continue
        if hand["told"] & WIN:
            if place == which:
                player["award"] += player["returned"] if player["returned"] > 0 else chips
        elif hand["told"] & NET and not np.isnan(player["net"]):
            player["award"] = player["net"] + hand["spent"][place]
        elif hand["told"] & LEFT and not np.isnan(player["after"]):
            player["award"] = player["after"] - hand["stack"][place] + hand["spent"][place]


@part
def _gain(play: Play, place: int) -> float:
    """A player's result by the lines of the hand."""
    chips: float = play.players[place]["award"] - play.hand["spent"][place]
    return chips


@rare
def _check_left(play: Play, line: int) -> None:
    """Chips after the hand are those before it and its result."""
    hand, match = play.hand, play.match
    if hand["told"] & (WIN | TOTAL | NET) == 0:
        return
    for place in range(match["players"]):
        player, stack = play.players[place], hand["stack"][place] + 0.0
        due = stack + _gain(play, place)
        if not np.isnan(player["after"]) and stack < np.inf and player["after"] != due:
            row = find_known(
                play.report,
                line,
                seat_of(play, place),
                findings.CHIPS_AFTER,
                due,
                player["after"] + 0.0,
                s.DEAD_MONEY,
            )
            play.report.findings[row]["chips"] = player["after"] - due
        if (
            not np.isnan(player["net"])
            and hand["told"] & (WIN | TOTAL)
            and player["net"] != _gain(play, place)
        ):
            find(
                play.report,
                line,
                seat_of(play, place),
                findings.AWARD,
                player["net"] + 0.0,
                _gain(play, place),
            )


@step
def settle(sheets: Sheets, play: Play, line: int) -> None:
    """Pay the hand by the rules, compare with its lines, and complete its rows."""
    match, hand = play.match, play.hand
    players = match["players"] + 0
    record = sheets.hands[hand["row"]]
    played = hand["seq"] > 0
    if played and not hand["told"] and not hand["reason"] and is_open(play):
        # It stops there.
        find(play.report, line, -1, findings.STREET, 0.0, 0.0)
        hand["closed"] = 1
    if played:
        betting_ends(play, line)
    showdown = (played or hand["shown"] > 0) and hand["folded"] < 0
    full = hand["board_size"] >= match["boards"][match["last_street"]]
    known, left = True, 0
    for place in range(players):
        play.strength[place] = 0
        play.folded[place] = hand["out"][0, place]
        if not hand["out"][0, place]:
            holes = play.players[place]["holes"][0]
            lost = hand["lost"] >> place & 1 > 0
            known = known and (lost or (holes >= match["hole_cards"] and not play.players[place]["hidden"]))
            left += not lost
    known = known and left > 0
    if showdown and hand["silent"] and not hand["reason"]:
        find_known(play.report, line, -1, findings.SHOW_MISSING, 0.0, 0.0, s.NOT_SHOWN)
    decided = hand["broken"] == 0 and not hand["reason"] and (not showdown or (full and known))
    _complete_awards(play)
    if hand["reason"]:
        sheets.used[records.FINDINGS] = hand["first_finding"]
        where, size = float(hand["reason_at"]), float(hand["reason_size"])
        find(play.report, hand["line"] + 0, -1, findings.NOT_CHECKED, where, size)
    elif showdown and not full and hand["broken"] == 0:
        find(play.report, line, -1, findings.UNKNOWN_BOARD, 0.0, 0.0)
    elif showdown and not known and hand["broken"] == 0:
        find(play.report, line, -1, findings.HIDDEN_HANDS, 0.0, 0.0)
    if played and not hand["told"] and not hand["reason"] and (known or not showdown):
        find(play.report, line, -1, findings.NO_RESULT, 0.0, 0.0)
    if decided:
        for place in range(players):
            if showdown and not hand["out"][0, place] and not hand["lost"] >> place & 1:
                play.strength[place] = (
                    order_of(play, place) if match["short_deck"] else strength_at(play, place)
                )
        if showdown and match["low"]:
            _look_at_low(play)
        if showdown and hand["second"]:
            _look_at_second(play)
        if played:
            _pay(play)
    if not hand["reason"]:
        _check_left(play, line)
    endings(players, play.folded, showdown, play.strength, play.ended)
    record["streets"] = hand["street"] + 1
    record["ended_by"] = records.BY_SHOWDOWN if showdown else records.BY_FOLD
    record["players"] = players
    record["dealer"] = hand["button"]
    record["rake"] = hand["rake"]
    record["first_seat"] = sheets.used[records.SEATS]
    below = -1
    for _ in range(players):
        place = _next_seat(play, below)
        below = play.players[place]["seat"] + 0
        _write_seat(sheets, play, place, decided)
        _carry(play, place, below)
    match["carried"] = 1
    record["board_count"] = keep(
        sheets.board, sheets.used, records.BOARD, play.board, 0, hand["board_size"] + 0
    )
    write_card_lines(sheets, hand, play.lines)
    hand["open"] = 0


@rare
def _look_at_low(play: Play) -> None:
    """The strength by which each hand wins the low half, -1 of one that has no low."""
    for place in range(play.match["players"]):
        low = low_of(play, place) if play.strength[place] else 0
        play.second[place] = low if low else -1


@rare
def _look_at_second(play: Play) -> None:
    """The strength of each hand with the second board."""
    swap_boards(play)
    for place in range(play.match["players"]):
        play.second[place] = 0
        if not play.hand["out"][0, place]:
            play.second[place] = strength_at(play, place)
    swap_boards(play)


@part
def _next_seat(play: Play, below: int) -> int:
    """The place of the lowest seat above another."""
    found = 0
    least = np.iinfo(np.int64).max
    for place in range(play.match["players"]):
        seat = play.players[place]["seat"]
        if below < seat < least:
            least, found = seat, place
    return found


@part
def _carry(play: Play, place: int, seat: int) -> None:
    """A player's chips after the hand."""
    player, stack = play.players[place], play.hand["stack"][place]
    if play.hand["told"]:
        play.sums[seat] += _gain(play, place)
    play.stacks[seat] = player["after"]
    if np.isnan(player["after"]):
        play.stacks[seat] = stack + _gain(play, place) if play.hand["told"] and stack < np.inf else np.nan


@step
def _pay(play: Play) -> None:
    """Each player's share of the pots by the rules, and where the lines pay otherwise."""
    match, hand = play.match, play.hand
    players = match["players"]
    # The betting is over: its pips make room for the shares.
    shares = hand["pip"][0]
    first = following(match, hand["dealer"], 1)
    _share(play, first, match["chip"] + 0.0)
    for place in range(players):
        play.players[place]["share"] = shares[place]
    if not hand["told"]:
        for place in range(players):
            play.players[place]["award"] = shares[place]
        return
    if hand["rake"] > 0:
        _take_rake(play)
    wrong = False
    for place in range(players):
        player = play.players[place]
        wrong = wrong or player["award"] != player["share"]
    if match["raked"]:
        wrong = not _is_raked(play) and wrong
    if not wrong:
        return
    deviation = -1
    if match["raked"] and hand["told"] & WIN and _has_winners_of_rules(play):
        deviation = s.WINNINGS
    elif match["chip"] > 1 and _are_fractions(play, first):
        deviation = s.ODD_CHIP
    else:
        deviation = s.CUT_OFF if _is_cut_off(play) else other_pay(play)
    line = hand["award_line"] + 0
    for place in range(players):
        player = play.players[place]
        if player["award"] != player["share"]:
            row = find(
                play.report,
                line,
                seat_of(play, place),
                findings.AWARD,
                player["share"] + 0.0,
                player["award"] + 0.0,
            )
            play.report.findings[row]["chips"] = player["award"] - player["share"]
            if deviation >= 0:
                play.report.findings[row]["explained"] = match["explains"][deviation]


@part
def _share(play: Play, first: int, chip: float) -> None:
    """Fill the pips with what each player is paid; chips that do not divide are so many units."""
    match, hand = play.match, play.hand
    players, spent, shares = match["players"] + 0, hand["spent"], hand["pip"][0]
    if chip > 1:
        _scale(play, 1 / chip)
    for place in range(players):
        spent[place] -= play.players[place]["dead"]
    in_halves = (hand["second"] > 0 or match["low"] > 0) and hand["folded"] < 0
    share_pots(
        players,
        first,
        spent,
        hand["dead"] + 0.0,
        play.folded,
        play.strength,
        play.second,
        in_halves,
        shares,
    )
    for place in range(players):
        spent[place] += play.players[place]["dead"]
    if chip > 1:
        _scale(play, chip)
        for place in range(players):
            shares[place] *= chip


@part
def _scale(play: Play, factor: float) -> None:
    """Count what players have put in otherwise; of whole numbers of chips it stays exact."""
    hand = play.hand
    hand["dead"] = np.round(hand["dead"] * factor)
    for place in range(play.match["players"]):
        hand["spent"][place] = np.round(hand["spent"][place] * factor)
        play.players[place]["dead"] = np.round(play.players[place]["dead"] * factor)


@rare
def _are_fractions(play: Play, first: int) -> bool:
    """True if the lines share pots in fractions of a chip, as far as a unit goes."""
    _share(play, first, 1.0)
    exact = True
    for place in range(play.match["players"]):
        exact = exact and abs(play.hand["pip"][0, place] - play.players[place]["award"]) <= 1
    return exact


@part
def _is_raked(play: Play) -> bool:
    """True if the winners are those of the rules, and what they are paid less can be a rake: it is noted as one."""
    hand = play.hand
    rest, top = uncalled(play)
    taken, pots = 0.0, -rest
    for place in range(play.match["players"]):
        player = play.players[place]
        taken += player["share"] - player["award"]
        pots += hand["spent"][place]
    hand["rake"] = taken
    if taken < 0 or taken > _MOST_RAKE * pots:
        return False
    for place in range(play.match["players"]):
        player = play.players[place]
        won = player["share"] - (rest if place == top else 0.0)
        less = player["share"] - player["award"]
        if less < 0 or less > taken or (won <= 0 and less > 0):
            return False
    for place in range(play.match["players"]):
        play.players[place]["share"] = play.players[place]["award"]
    return True


@rare
def _has_winners_of_rules(play: Play) -> bool:
    """True if those who are paid more than comes back to them are those whom the rules pay."""
    rest, top = uncalled(play)
    for place in range(play.match["players"]):
        player = play.players[place]
        back = rest if place == top else 0.0
        if (player["share"] > back) != (player["award"] > back):
            return False
    return True


@rare
def _is_cut_off(play: Play) -> bool:
    """True if the lines have each result in whole chips, cut towards zero, of an engine that prints it so."""
    match, hand, unit = play.match, play.hand, play.match["unit"]
    if match["explains"][s.CUT_OFF] == findings.NO_EXPLANATION:
        return False
    for place in range(match["players"]):
        player = play.players[place]
        due = np.trunc((player["share"] - hand["spent"][place]) / unit) * unit
        if player["award"] - hand["spent"][place] != due:
            return False
    return True


@rare
def outcome(sheets: Sheets, play: Play, line: int, seat: int, chips: float) -> None:
    """Check a player's printed result of the match."""
    record = sheets.matches[play.match["number"]]
    if not 0 <= seat < min(play.match["names"], MAX_PLAYERS):
        return
    record["finals"][seat] = chips
    record["final"] = 1
    if chips != play.sums[seat]:
        row = find_known(play.report, line, seat, findings.FINAL, play.sums[seat] + 0.0, chips, s.OTHER_SUM)
        play.report.findings[row]["chips"] = 0.0


@rare
def repeated(play: Play, line: int, number: int) -> None:
    """The file repeats the end of the hand under a number of its own."""
    find_known(play.report, line, -1, findings.REPEATED, np.nan, float(number), s.PHANTOM)


@rare
def _take_rake(play: Play) -> None:
    """Accept shares reduced by the rake: winners are paid less, and the rake is the difference."""
    hand, lacking = play.hand, 0.0
    for place in range(play.match["players"]):
        player = play.players[place]
        if player["award"] > player["share"]:
            return
        lacking += player["share"] - player["award"]
    if lacking == hand["rake"]:
        for place in range(play.match["players"]):
            play.players[place]["share"] = play.players[place]["award"]


@part
def _position(play: Play, place: int) -> int:
    """The place of a player's position among the names of the match's positions."""
    match, hand = play.match, play.hand
    players, names = match["players"] + 0, min(match["names"], _MOST_POSITIONS)
    if names == 2:
        # Some engines let the dealer post the big blind; of a single blind it is the dealer's as well.
        has_big = hand["last_post"] == hand["dealer"] and not match["short_deck"]
        return int((place == hand["dealer"]) == has_big)
    if players == 2 and play.hand["last_post"] != hand["dealer"]:
        # The dealer posts the small blind.
        return int(place != hand["dealer"])
    after = (place - hand["dealer"] + players - 1) % players
    return int(OF_SMALLER[names, max(players, 2), after])


@part
def _write_seat(sheets: Sheets, play: Play, place: int, decided: bool) -> None:
    """Write a player's row."""
    hand, player = play.hand, play.players[place]
    out = sheets.seats[records.next_row(sheets.used, records.SEATS, len(sheets.seats))]
    holes = player["holes"]
    out["hole_count"] = keep(sheets.holes, sheets.used, records.HOLES, holes, 1, int(holes[0]))
    out["final_count"] = 0
    out["seat"], out["rank"], out["hit"] = player["seat"], -1, 0
    out["position"] = _position(play, place)
    out["ended"] = play.ended[place] if decided else records.OUT
    out["shown"] = hand["shown"] >> place & 1
    stack = hand["stack"][place] + 0.0
    out["stack"] = stack if stack < np.inf else np.nan
    out["put"] = hand["spent"][place]
    out["bank"] = out["stack"]
    out["delta"] = _gain(play, place)
    out["written"] = np.nan
    if decided:
        out["written"] = player["share"] - hand["spent"][place]
    elif not hand["told"]:
        out["delta"] = np.nan
    out["engine"] = out["written"]
