"""Decisions other than betting before a street (`games.Step` as data), and lines of a game's own.

A step shows a card to one player, takes cards from a hand or deals some to it, for a price or for none.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare
from ...jit.hooks import call
from .. import betting as b
from .. import findings, records
from ..games import MOST_STEPS
from ..hooks import MEMORY, MOST_BOARD, MOST_HOLES, MOST_VALUES
from ..records import Sheets
from .rows import begin_change, changed_card, changes, choose, look, misplaced, place_of, see, take_card
from .state import Engines, Play, betting_street, find, misnamed

STEP: Final = np.dtype(
    [
        ("before", "i8"),  # the street, 0 for no step
        ("does", "i8"),  # codes of events, 0 for none
        ("declines", "i8"),
        ("told", "i8"),
        ("asked", "i8", (2,)),  # 0 the dealer, 1 the other player, -1 nobody
        ("must", "i8"),
        ("price", "f8"),
        ("to_other", "i8"),
        ("sees_board", "i8"),
        ("sees_other", "i8"),
        ("gives", "i8"),
        ("to_board", "i8"),
        ("takes", "i8"),
    ]
)
"""`games.Step` as kernels read it."""


@part
def _seat_asked(play: Play, engines: Engines, step: int) -> int:
    """The seat to ask next in a step, -1 for none; a player who cannot pay is not asked."""
    hand, one = play.hand, engines.steps[step]
    while hand["asked"] < 2 and one["asked"][hand["asked"]] >= 0:
        seat: int = hand["dealer"] if one["asked"][hand["asked"]] == 0 else 1 - hand["dealer"]
        if b.left(hand, seat) >= one["price"]:
            return seat
        hand["asked"] += 1
    return -1


@part
def _due(play: Play, engines: Engines) -> int:
    """The step in which a line is due, -1 for none."""
    hand = play.hand
    waits = hand["closed"] and hand["folded"] < 0 and hand["dealt"] == 2 and not hand["awarded"]
    while waits and hand["step"] < MOST_STEPS:
        before = engines.steps[hand["step"]]["before"]
        if before == 0 or before > hand["street"] + 1:
            return -1
        is_now = before == hand["street"] + 1
        if is_now and (hand["telling"] > 0 or _seat_asked(play, engines, hand["step"] + 0) >= 0):
            return int(hand["step"])
        hand["step"] += 1
        hand["asked"] = hand["answered"] = hand["telling"] = 0
    return -1


@part
def _show(
    sheets: Sheets,
    play: Play,
    engines: Engines,
    step: int,
    line: int,
    seat: int,
    values: NDArray[np.int64],
    at: int,
) -> None:
    """The cards that a player sees, or is dealt."""
    hand, one = play.hand, engines.steps[step]
    count, due = values[at] + 0, max(one["takes"], 1)
    if count != due:
        find(play.report, line, seat, findings.DEAL, float(due), float(count))
    if count < 1:
        return
    if one["takes"] > 0:
        if one["gives"] == 0:
            changes(sheets, play, line, seat, records.BOUGHT)
        for k in range(min(count, due)):
            card = values[at + 1 + k] + 0
            see(play.report, line, seat, card)
            holes = play.holes[seat]
            if holes[0] < play.holes.shape[1] - 1:
                holes[0] += 1
                holes[holes[0]] = card
            changed_card(sheets, card)
        return
    card = values[at + 1] + 0
    if one["sees_board"]:
        known = hand["ahead"] - 1
        if known >= 0 and card != known:
            find(play.report, line, seat, findings.AHEAD, float(known), float(card))
        elif known < 0 and hand["seen"] >> card & 1:
            find(play.report, line, seat, findings.DECK, -1.0, float(card))
        hand["ahead"] = card + 1 if known < 0 else hand["ahead"] + 0
        begin_change(sheets, play, line, seat, records.REVEAL_BOARD)
        changed_card(sheets, card)
    else:
        look(sheets, play, line, seat, card)


@part
def _give(
    sheets: Sheets,
    play: Play,
    engines: Engines,
    step: int,
    line: int,
    seat: int,
    values: NDArray[np.int64],
    at: int,
) -> None:
    """The cards that a player gives up."""
    hand, one = play.hand, engines.steps[step]
    count = values[at] + 0
    if count != one["gives"]:
        find(play.report, line, seat, findings.DEAL, float(one["gives"]), float(count))
    swaps = one["takes"] > 0
    changes(sheets, play, line, seat, records.SWAP if swaps else records.DISCARDED)
    for k in range(min(count, one["gives"])):
        card = values[at + 1 + k] + 0
        place = place_of(play, seat, card)
        if place == 0:
            find(play.report, line, seat, findings.DISCARD, 0.0, float(card))
            continue
        take_card(play, seat, place)
        if not swaps:
            changed_card(sheets, card)
        if one["to_board"]:
            play.board[hand["board_size"]] = card
            hand["board_size"] += 1


@part
def _does(
    sheets: Sheets,
    play: Play,
    engines: Engines,
    step: int,
    line: int,
    seat: int,
    values: NDArray[np.int64],
    at: int,
) -> None:
    """Carry out a step for a player, who pays its price."""
    hand, one = play.hand, engines.steps[step]
    price = one["price"] + 0.0
    action = records.DISCARD if one["gives"] > 0 else records.ACCEPT
    amount = hand["pip"][0, seat] + price if price > 0 else np.nan
    choose(sheets, play, line, seat, action, records.CHOICE, amount)
    b.pay(hand, 0, seat, price)
    if one["to_other"]:
        b.pay(hand, 0, 1 - seat, -price)
    hand["did"][seat] |= 1 << step
    at += 1
    if one["gives"] > 0:
        _give(sheets, play, engines, step, line, seat, values, at)
        at += values[at] + 1
    if one["takes"] == 0 and not one["sees_board"] and not one["sees_other"]:
        return
    if one["told"]:
        hand["telling"] = seat + 1
    else:
        _show(sheets, play, engines, step, line, seat, values, at)


@rare
def step_line(
    sheets: Sheets, play: Play, engines: Engines, line: int, code: int, values: NDArray[np.int64], at: int
) -> None:
    """Check and apply a line of a step: turn, price and cards."""
    hand, step, named = play.hand, _due(play, engines), values[at] + 0
    if step < 0:
        misplaced(play.report, line, named)
        return
    one = engines.steps[step]
    if hand["telling"] > 0:
        seat = hand["telling"] - 1
        hand["telling"] = 0
        if code == one["told"]:
            if named != seat:
                misnamed(play.report, line, named, seat, findings.SEATS)
            _show(sheets, play, engines, step, line, seat, values, at + 1)
            return
        find(play.report, line, seat, findings.TOLD_MISSING, 0.0, 0.0)
    seat = _seat_asked(play, engines, step)
    optional = one["declines"] == 0 and not one["must"]
    if optional and seat >= 0 and seat != named and not play.match["same_names"]:
        # The log has no line for a player who declines.
        hand["asked"] += 1
        seat = _seat_asked(play, engines, step)
    if seat < 0 or (code != one["does"] and code != one["declines"]):
        misplaced(play.report, line, named)
        return
    if named != seat:
        misnamed(play.report, line, named, seat, findings.TURN)
    hand["asked"] += 1
    hand["answered"] += 1
    if code == one["does"]:
        _does(sheets, play, engines, step, line, seat, values, at)
        return
    choose(sheets, play, line, seat, records.DECLINE, records.CHOICE, np.nan)
    if one["must"]:
        find(play.report, line, seat, findings.DECLINED, 0.0, 0.0)


@rare
def finish(play: Play, engines: Engines, line: int, street: int) -> None:
    """End the steps before a street when its line comes."""
    hand = play.hand
    step = _due(play, engines)
    while step >= 0 and engines.steps[step]["before"] == street:
        one = engines.steps[step]
        if hand["telling"] > 0:
            find(play.report, line, hand["telling"] - 1, findings.TOLD_MISSING, 0.0, 0.0)
            hand["telling"] = 0
        answered = hand["answered"] + 0
        wanted = answered
        while _seat_asked(play, engines, step) >= 0:
            hand["asked"] += 1
            wanted += 1
        if (one["declines"] or one["must"]) and wanted > answered:
            find(play.report, line, -1, findings.UNASKED, float(wanted), float(answered))
        step = _due(play, engines)


@rare
def check_ahead(play: Play, line: int, size: int) -> None:
    """Check that the card a player saw ahead is the street's first; size: board cards before the street."""
    hand = play.hand
    card = hand["ahead"] - 1
    hand["ahead"] = 0
    if hand["board_size"] > size and play.board[size] != card:
        find(play.report, line, -1, findings.AHEAD, float(play.board[size]), float(card))


# Functions of a user's file


@part
def describe(play: Play) -> None:
    """Fill the fields that a function may read (`hooks.FIELDS`), except those that say how the hand ends."""
    hand, match, facts = play.hand, play.match, play.facts
    dealer, other = hand["dealer"] + 0, 1 - hand["dealer"]
    facts["number"], facts["street"] = hand["number"], betting_street(match, hand["street"])
    facts["dealer_put"], facts["other_put"] = hand["spent"][dealer], hand["spent"][other]
    facts["pot"] = hand["spent"][0] + hand["spent"][1]
    facts["small_blind"], facts["big_blind"] = match["small_blind"], match["big_blind"]
    facts["dealer_steps"], facts["other_steps"] = hand["did"][dealer], hand["did"][other]
    for k in range(MOST_HOLES):
        facts["dealer_hole"][k] = play.holes[dealer, 1 + k] if k < play.holes[dealer, 0] else -1
        facts["other_hole"][k] = play.holes[other, 1 + k] if k < play.holes[other, 0] else -1
    for k in range(MOST_BOARD):
        facts["board"][k] = play.board[k] if k < hand["board_size"] else -1
    facts["dealer_kind"] = facts["other_kind"] = -1
    facts["dealer_strength"] = facts["other_strength"] = -1
    facts["showdown"] = facts["deviations"] = 0


@part
def forget(play: Play) -> None:
    """Clear what functions noted of the hand before, and how it ended."""
    facts = play.facts
    facts["wins"] = 0
    facts["usual"] = 0.0
    for k in range(MEMORY):
        facts["memory"][k] = 0.0


@rare
def by_function(facts: np.void, deviations: int) -> float:
    """The payout by the user's function; the usual payout if it has failed: the replay of the match then stops."""
    usual: float = facts["usual"]
    if facts["failed"]:
        return usual
    facts["deviations"] = deviations
    paid: float = call(facts["pay_place"] + 0, facts["pay_address"] + 0, facts)
    if not math.isfinite(paid):
        facts["failed"] = facts["pay_place"] + 1
        return usual
    return paid


@rare
def handled(
    play: Play, engines: Engines, line: int, code: int, values: NDArray[np.int64], at: int, count: int
) -> None:
    """A line for which the game has a function; count: how many values it has, the player's first."""
    facts, named = play.facts, values[at] + 0
    describe(play)
    facts["by_dealer"] = named == play.hand["dealer"]
    for k in range(MOST_VALUES):
        facts["values"][k] = float(values[at + 1 + k]) if k + 1 < count else 0.0
    said = call(engines.handlers[code, 0] + 0, engines.handlers[code, 1] + 0, facts)
    if not math.isfinite(said):
        facts["failed"] = engines.handlers[code, 0] + 1
    elif said == 0:
        find(play.report, line, named, findings.OWN_LINE, 0.0, 0.0)
