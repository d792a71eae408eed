"""Heads-up no-limit matches of the arena: plain hold'em and Bounty, under the rules that replay reads by."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import kernel, part
from .. import bounty
from ..acpc.deck import start
from ..evaluator import strength_of
from ..heads_up import betting as b
from ..heads_up import settling
from ..records import BET, CALL, CHECK, FOLD, RAISE
from . import policy as p

# Columns of a decision: int32.
(
    HAND,
    SEAT,
    STREET,
    ACTION,
    TO_CALL,
    POT,
    PIP,
    RAISE_TO,  # 0 where none is named
    LEVEL,
    HIGHEST,  # legal raise-to, 0 where none is
    AGGRESSOR,
    LIVE,  # who has not folded, a bit a seat
) = range(12)
COLUMNS: Final = 12

CARDS: Final = 9
_BOARDS: Final = (0, 3, 4, 5)
_DECK: Final = 52
_FULL: Final = -1


@part
def _deal(draws: NDArray[np.float64], deck: NDArray[np.int64], cards: NDArray[np.int64]) -> None:
    """The top of a shuffled deck, as `forward.orders.drawn` takes it from the same numbers."""
    for k in range(_DECK):
        deck[k] = k
    for k in range(CARDS):
        other = k + int(draws[k] * (_DECK - k))
        deck[k], deck[other] = deck[other], deck[k]
        cards[k] = deck[k]


@part
def _told(
    cards: NDArray[np.int64],
    scratch: NDArray[np.int64],
    seat: int,
    size: int,
    generator: NDArray[np.int64],
) -> float:
    """A seat's share of the showdowns against the hand really held, over boards drawn at random."""
    seen = 0
    for k in range(4 + size):
        seen |= 1 << int(cards[k])
    score = 0.0
    rounds = 1 if size == 5 else 12
    for _ in range(rounds):
        taken = seen
        for k in range(5):
            card = cards[4 + k]
            if k >= size:
                card = int(p.uniform(generator) * _DECK)
                while taken >> card & 1:
                    card = int(p.uniform(generator) * _DECK)
                taken |= 1 << card
            scratch[k] = card
        scratch[5], scratch[6] = cards[2 * seat], cards[2 * seat + 1]
        own = strength_of(scratch, 7)
        scratch[5], scratch[6] = cards[2 - 2 * seat], cards[3 - 2 * seat]
        other = strength_of(scratch, 7)
        score += 1.0 if own > other else 0.5 if own == other else 0.0
    return score / rounds


@part
def _holds(cards: NDArray[np.int64], seat: int, size: int, rank: int) -> bool:
    found: bool = cards[2 * seat] // 4 == rank or cards[2 * seat + 1] // 4 == rank
    for k in range(size):
        found = found or cards[4 + k] // 4 == rank
    return found


@part
def _strength(
    cards: NDArray[np.int64],
    scratch: NDArray[np.int64],
    chart: NDArray[np.float64],
    seat: int,
    size: int,
    generator: NDArray[np.int64],
) -> float:
    if size == 0:
        return float(chart[p.class_of(cards[2 * seat], cards[2 * seat + 1])])
    for k in range(size):
        scratch[k] = cards[4 + k]
    scratch[size], scratch[size + 1] = cards[2 * seat], cards[2 * seat + 1]
    return p.sampled(scratch, size + 2, 1, p.SAMPLES, generator)


@kernel
def play_heads_up(
    game: int,
    stack: float,
    small_blind: float,
    big_blind: float,
    persons: NDArray[np.float64],
    charts: NDArray[np.float64],
    twins: NDArray[np.float64],
    twin_charts: NDArray[np.float64],
    partners: bool,
    seed: int,
    draws: NDArray[np.float64],
    ranks: NDArray[np.int64],
    holes: NDArray[np.int8],
    boards: NDArray[np.int8],
    dealers: NDArray[np.int8],
    puts: NDArray[np.float64],
    deltas: NDArray[np.float64],
    acts: NDArray[np.int32],
    minds: NDArray[np.float64],
    hand: NDArray[np.int64],
    chips: NDArray[np.float64],
    facts: NDArray[np.float64],
    generators: NDArray[np.int64],
    scratch: NDArray[np.int64],
) -> int:
    """Play a match of two; returns the decisions made, -1 where `acts` is too small.

    persons, charts  (2, PERSON_SIZE) and (2, 169) by seat; twins, twin_charts: whom a clone plays as
    partners         True: the plans of both are on
    draws            (hands, 9) numbers from 0 to 1, the deck of each hand
    ranks            (hands, 2) bounties, -1 for none
    holes (hands, 2, 2), boards (hands, 5), dealers (hands,), puts and deltas (hands, 2): out; -1: no card
    acts             (n, COLUMNS) out
    The rest is scratch: minds (2, MIND_SIZE), hand and chips of `betting`, facts (8,), generators (2, 625),
    scratch (96,).
    """
    deck, cards, made = scratch[:52], scratch[52:68], scratch[68:84]
    used = 0
    strengths_0 = strengths_1 = told_0 = told_1 = -1.0
    for seat in range(2):
        start(generators[seat], seed * 2 + seat)
        p.start_mind(minds[seat], len(draws), generators[seat])
        minds[seat, p.PARTNERED] = 1.0 if partners else 0.0
        if persons[seat, p.PLAN] == p.CLONE:
            minds[seat, p.PARTNERED] = 1.0
    for number in range(len(draws)):
        _deal(draws[number], deck, cards)
        dealer = 1 - (number + 1) % 2
        dealers[number] = dealer
        b.fill(hand, 0)
        hand[b.NUMBER], hand[b.DEALER], hand[b.LEVEL] = number + 1, dealer, 1
        hand[b.FOLDED] = hand[b.AGGRESSOR] = -1
        for seat in range(2):
            chips[b.PIP, seat] = chips[b.PUT, seat] = 0.0
            p.begin_hand(persons[seat], minds[seat], generators[seat])
            for k in range(2):
                holes[number, seat, k] = cards[2 * seat + k]
        b.put(chips, dealer, small_blind)
        b.put(chips, 1 - dealer, big_blind)
        size = 0
        while True:
            strengths_0 = strengths_1 = told_0 = told_1 = -1.0
            while hand[b.CLOSED] == 0 and hand[b.FOLDED] < 0:
                if used == len(acts):
                    return _FULL
                seat = b.actor(hand)
                other = 1 - seat
                street = hand[b.STREET]
                is_twin = persons[seat, p.PLAN] == p.CLONE and minds[seat, p.FOLLOWS] > 0
                who = twins[seat] if is_twin else persons[seat]
                chart = twin_charts[seat] if is_twin else charts[seat]
                to_call, pip = b.to_call(chips, seat), chips[b.PIP, seat]
                pot = chips[b.PUT, 0] + chips[b.PUT, 1]
                low = high = 0.0
                if b.may_raise(chips, seat, stack):
                    low = b.smallest_raise(chips, seat, stack, big_blind)
                    high = b.largest_raise(chips, seat, stack)
                row = acts[used]
                row[HAND], row[SEAT], row[STREET] = number, seat, street
                row[TO_CALL], row[POT], row[PIP] = int(to_call), int(pot), int(pip)
                row[LEVEL], row[HIGHEST], row[AGGRESSOR] = hand[b.LEVEL], int(high), hand[b.AGGRESSOR]
                row[LIVE], row[RAISE_TO] = 3, 0
                if to_call == 0 and pot == 2 * stack:
                    # Nobody has chips left: the engine asks, and the answer changes nothing.
                    row[ACTION] = CHECK
                    b.after_check(hand)
                    continue
                strength = strengths_0 if seat == 0 else strengths_1
                if strength < 0:
                    strength = _strength(cards, made, chart, seat, size, generators[seat])
                    rank = ranks[number, seat]
                    if rank >= 0 and _holds(cards, seat, size, rank):
                        strength += who[p.HUNTS]
                    if seat == 0:
                        strengths_0 = strength
                    else:
                        strengths_1 = strength
                told = told_0 if seat == 0 else told_1
                if persons[seat, p.PLAN] == p.SHARED and partners and told < 0:
                    told = _told(cards, made, seat, size, generators[seat])
                    if seat == 0:
                        told_0 = told
                    else:
                        told_1 = told
                action, raise_to = p.decide(
                    who,
                    minds[seat],
                    strength,
                    told,
                    street,
                    to_call,
                    pot,
                    pip,
                    chips[b.PIP, other],
                    low,
                    high,
                    hand[b.LEVEL],
                    number,
                    generators[seat],
                )
                p.watch(minds[other], to_call > 0 and street + hand[b.LEVEL] > 1, action)
                used += 1
                row[ACTION] = action
                if action == RAISE:
                    row[RAISE_TO] = int(raise_to)
                    row[ACTION] = BET if pip == 0 and to_call == 0 else RAISE
                    b.after_raise(hand, chips, seat, raise_to)
                elif action == FOLD:
                    hand[b.FOLDED] = seat
                elif action == CALL:
                    b.after_call(hand, chips, seat)
                else:
                    b.after_check(hand)
            if hand[b.FOLDED] >= 0 or hand[b.STREET] == 3:
                break
            b.next_street(hand, chips)
            size = _BOARDS[hand[b.STREET]]
        for k in range(5):
            boards[number, k] = cards[4 + k] if k < size else -1
        winner = 1 - hand[b.FOLDED]
        if hand[b.FOLDED] < 0:
            winner = -1
            for k in range(5):
                made[k] = cards[4 + k]
            made[5], made[6] = cards[0], cards[1]
            one = strength_of(made, 7)
            made[5], made[6] = cards[2], cards[3]
            two = strength_of(made, 7)
            if one != two:
                winner = 0 if one > two else 1
        facts[settling.WINS] = 0 if winner < 0 else 1 if winner == dealer else -1
        facts[settling.LOSER_PUT] = chips[b.PUT, dealer] if winner < 0 else chips[b.PUT, 1 - winner]
        facts[settling.OTHER_PUT] = chips[b.PUT, 1 - dealer]
        facts[settling.HIT] = facts[settling.OTHER_HIT] = 0.0
        if game == bounty.CODE:
            facts[settling.HIT] = _holds(cards, dealer, size, ranks[number, dealer])
            facts[settling.OTHER_HIT] = _holds(cards, 1 - dealer, size, ranks[number, 1 - dealer])
        facts[settling.ACTIONS] = hand[b.TURN]
        award = settling.dealer_award(game, 0, facts)
        for seat in range(2):
            won = award if seat == dealer else -award
            puts[number, seat], deltas[number, seat] = chips[b.PUT, seat], won
            p.end_hand(persons[seat], minds[seat], won / big_blind)
    return used
