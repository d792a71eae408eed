"""Cards that players pass to each other before a street's betting (Anaconda), and the turn that an engine adds there.

Both passes of an exchange are taken from the hands before it. A log that prints the passed cards does not say in
which order they join the other hand, so hands are known as sets; the order of the first cards of each is known
(`firm`). Where a pass names fewer cards than are due, the engine drew the others and prints them nowhere: they are
unknown until a hand is shown (`hazy`).
"""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare
from ...parsers import events
from .. import betting as b
from .. import findings, records
from ..evaluator import category, strength_of_suits, suit_bit
from ..games import MOST_PASSED
from ..records import Sheets
from .rows import (
    begin_change,
    changed_card,
    choose,
    is_a_fold,
    keep_dealt,
    lapse,
    misplaced,
    place_of,
    take_card,
)
from .state import A_PASS, Play, find, misnamed
from .streets import check_contributions

_ZERO = 48


@part
def due(play: Play) -> bool:
    """True before the line that opens a street's betting."""
    hand = play.hand
    waits: bool = play.match["exchanges"] > 0 and hand["dealt"] == 2 and not hand["betting"]
    return waits and hand["folded"] < 0 and hand["awarded"] == 0


@part
def pass_due(play: Play) -> bool:
    """True while a player is to pass cards."""
    return due(play) and play.hand["passed"] < 2


@part
def _count_due(play: Play) -> int:
    cards: int = play.match["passes"][play.hand["street"]]
    return cards


@part
def _first(play: Play) -> int:
    """The offset in `play.passing` of the cards of the next player to pass."""
    first: int = MOST_PASSED * play.hand["passed"]
    return first


@part
def _part_with(play: Play, seat: int, first: int, count: int, unknown: int) -> None:
    """Remove cards from a hand: `count` of `play.passing` from `first` on, and `unknown` ones."""
    holes, hand = play.holes[seat], play.hand
    for k in range(first, first + count):
        place = place_of(play, seat, play.passing[k])
        if place:
            take_card(play, seat, place)
    if unknown:
        # They may be any of the remaining cards.
        hand["hazy"][seat] += holes[0] - unknown
        holes[0] = hand["firm"][seat] = 0


@part
def _give(play: Play, seat: int, first: int, count: int, unknown: int, in_order: bool) -> None:
    """Add the cards of `_part_with` to a hand. in_order: the engine has them in the same order."""
    holes, hand = play.holes[seat], play.hand
    if in_order and hand["firm"][seat] == holes[0] and not hand["hazy"][seat]:
        hand["firm"][seat] += count
    for k in range(first, first + count):
        holes[0] += 1
        holes[holes[0]] = play.passing[k]
    hand["hazy"][seat] += unknown
    if hand["hazy"][seat]:
        hand["firm"][seat] = 0


@part
def _begin(sheets: Sheets, play: Play, line: int, named: int) -> int:
    """Write the row of a pass; returns the seat that passes, -1 if no pass is due."""
    hand = play.hand
    if not pass_due(play):
        misplaced(play.report, line, named)
        return -1
    seat = b.actor(hand)
    if named != seat:
        misnamed(play.report, line, named, seat, findings.TURN)
    stands_in = hand["pending"] >= 0 or play.match["gone"][seat] > 0
    hand["substituted"] = stands_in
    if stands_in:
        lapse(play, line, seat, A_PASS)
    hand["pending"] = -1
    origin = records.SUBSTITUTE if stands_in else records.CHOICE
    choose(sheets, play, line, seat, records.PASS, origin, np.nan)
    keep_dealt(play, 0)
    keep_dealt(play, 1)
    return seat


@rare
def folds_pass(play: Play) -> bool:
    """True if a fold may replace a pass, as rules may require for a bad answer."""
    return pass_due(play) and is_a_fold(play, b.actor(play.hand), A_PASS)


@part
def _leaves(play: Play, line: int, seat: int, card: int, before: int) -> int:
    """Check a card that is passed; returns its place in the hand. before: that of the card passed before it, or 0."""
    hand = play.hand
    place = place_of(play, seat, card)
    if place == 0:
        known = hand["hazy"][seat] > 0 and hand["seen"] >> card & 1 and not place_of(play, 1 - seat, card)
        if known:
            hand["hazy"][seat] -= 1
        else:
            find(play.report, line, seat, findings.NOT_HELD, 0.0, float(card))
        return 0
    if place < before and (place <= hand["firm"][seat] or before <= hand["firm"][seat]):
        find(play.report, line, seat, findings.PASS_ORDER, 0.0, float(card))
    return place


@rare
def _finish(sheets: Sheets, play: Play, line: int, seat: int, count: int, in_order: bool) -> None:
    """Note the cards that a player passes; once both have passed, the cards change hands.

    The engine drew the cards that the line does not name from the rest of the giver's hand.
    """
    hand, first = play.hand, _first(play)
    missing = max(_count_due(play) - count, 0)
    begin_change(sheets, play, line, 1 - seat, records.PASSED)
    for k in range(first, first + count):
        changed_card(sheets, play.passing[k])
    hand["passed"] += 1
    hand["turn"] += 1
    if hand["passed"] == 1:
        hand["aside_count"], hand["aside_missing"], hand["aside_in_order"] = count, missing, in_order
        return
    other, others, unknown = 1 - seat, hand["aside_count"] + 0, hand["aside_missing"] + 0
    _part_with(play, seat, first, count, missing)
    _part_with(play, other, 0, others, unknown)
    _give(play, other, first, count, missing, in_order)
    _give(play, seat, 0, others, unknown, hand["aside_in_order"] > 0)


@rare
def passes(sheets: Sheets, play: Play, line: int, named: int, values: NDArray[np.int64], at: int) -> None:
    """A player passes cards; the line prints them in the order of the hand."""
    seat = _begin(sheets, play, line, named)
    if seat < 0:
        return
    hand, count, wanted = play.hand, values[at], _count_due(play)
    if count < 1 or count > wanted or (hand["substituted"] and count < wanted):
        find(play.report, line, seat, findings.PASS_COUNT, float(wanted), float(count))
    count = min(count, wanted)
    before = 0
    for k in range(count):
        card = values[at + 1 + k]
        place = _leaves(play, line, seat, card, before)
        if hand["substituted"] and k < hand["firm"][seat] and place != k + 1:
            find(play.report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
            hand["substituted"] = 0
        before = place
    for k in range(count):
        play.passing[_first(play) + k] = values[at + 1 + k]
    _finish(sheets, play, line, seat, count, count == 1)


@rare
def pass_places(
    sheets: Sheets, play: Play, line: int, named: int, text: NDArray[np.uint8], at: int, size: int
) -> None:
    """A player passes cards by their places in the hand, a digit each; a repeated place passes nothing."""
    seat = _begin(sheets, play, line, named)
    if seat < 0:
        return
    hand, wanted = play.hand, _count_due(play)
    if size != wanted:
        find(play.report, line, seat, findings.PASS_COUNT, float(wanted), float(size))
    count = taken = 0
    known = hand["firm"][seat] == play.holes[seat, 0] and not hand["hazy"][seat]
    for k in range(min(size, wanted)):
        place = text[at + k] - _ZERO
        if place < 0 or place >= play.holes[seat, 0] + hand["hazy"][seat]:
            find(play.report, line, seat, findings.NOT_HELD, 0.0, -1.0)
            continue
        if hand["substituted"] and place != k:
            find(play.report, line, seat, findings.SUBSTITUTE, 0.0, 0.0)
            hand["substituted"] = 0
        if not known or taken >> place & 1:
            continue
        taken |= 1 << place
        play.passing[_first(play) + count] = play.holes[seat, 1 + place]
        count += 1
    _finish(sheets, play, line, seat, count, True)


@rare
def opens_betting(play: Play, line: int, number: int, values: NDArray[np.int64], at: int) -> None:
    """Read the line after both passes of a street, with each player's contribution; then the betting begins."""
    hand = play.hand
    if not due(play) or number != hand["street"]:
        misplaced(play.report, line, -1)
        return
    if hand["passed"] < 2:
        find(play.report, line, -1, findings.PASS_MISSING, 2.0, float(hand["passed"]))
    if values[at]:
        find(play.report, line, -1, findings.BOARD_SIZE, 0.0, float(values[at]))
    check_contributions(play, line, values, at + values[at] + 1)
    hand["betting"] = 1
    hand["turn"] = int(hand["street"] > 0)


@rare
def third_turn(play: Play, line: int, named: int) -> None:
    """An engine asks the dealer again after a limp and a check on the first street, which by the rules end it."""
    hand, dealer = play.hand, play.hand["dealer"]
    limped = hand["street"] == 0 and hand["turn"] == 1 and hand["aggressor"][0] == b.NOBODY
    if not limped or hand["folded"] >= 0 or hand["awarded"]:
        return
    if named != dealer and not play.match["same_names"]:
        return
    row = find(play.report, line, dealer, findings.THIRD_TURN, 0.0, 0.0)
    play.report.findings[row]["explained"] = play.match["explains_third_turn"]
    hand["closed"] = hand["settled"][0] = 0
    hand["turn"] = 2


@rare
def shown(play: Play, line: int, seat: int, kind: int, values: NDArray[np.int64], at: int) -> None:
    """Check a hand that is shown and its kind; the hand is known as a set, its first cards in order."""
    hand, count = play.hand, values[at]
    holes, held = play.holes[seat], play.match["hole_cards"]
    if count != held:
        find(play.report, line, seat, findings.DEAL, float(held), float(count))
    suits, unknown, again = 0, 0, 0
    for k in range(min(count, held)):
        card = values[at + 1 + k]
        place = place_of(play, seat, card)
        again |= suits & suit_bit(card)
        suits |= suit_bit(card)
        astray = k < hand["firm"][seat] and place != k + 1
        if place == 0:
            unknown += 1
            other = hand["seen"] >> card & 1 == 0 or place_of(play, 1 - seat, card) > 0
            astray = astray or other or unknown > hand["hazy"][seat]
        if astray:
            due_card = float(holes[1 + k]) if k < holes[0] else -1.0
            find(play.report, line, seat, findings.SHOW, due_card, float(card))
    if again:
        find(play.report, line, seat, findings.DECK, -1.0, float(values[at + 1]))
    if hand["hazy"][seat] or count == held:
        holes[0] = min(count, held)
        for k in range(holes[0]):
            holes[1 + k] = values[at + 1 + k]
        hand["hazy"][seat] = 0
    found = category(strength_of_suits(suits))
    if kind != found:
        find(play.report, line, seat, findings.HAND_KIND, float(found), float(kind))


@part
def is_refused(play: Play, code: int, wanted: int, got: int) -> bool:
    """True if the engine refuses such an answer to the question for a pass."""
    if code == events.ILLEGAL_PASS:
        return wanted == _count_due(play) and got != wanted
    return code != events.ILLEGAL_RAISE_TO
