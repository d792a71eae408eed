"""Heads-up no-limit matches of the arena: plain hold'em and Bounty, under the rules that replay reads by."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.analytics.collusion import material as m
from railbird.jit.bundles import bundle, new_record, words_of
from railbird.jit.compile import kernel, part, step
from railbird.replay import betting as b
from railbird.replay import showdowns
from railbird.replay.evaluator import strength_of
from railbird.replay.games import BOUNTIES, HOLDEM_BOARDS
from railbird.replay.heads_up import settling
from railbird.replay.heads_up.state import PAY
from railbird.replay.records import BET, CALL, CHECK, FOLD, RAISE, fill

from . import policy as p
from . import state as a
from .state import Players, Record

CARDS: Final = 9
STACK, SMALL_BLIND, BIG_BLIND = range(3)
_STRENGTH, _TOLD = range(2)
_DECK: Final = 52


@bundle
class Table(NamedTuple):
    """A hand in progress, and the stakes.

    stakes       (3,) stack, small and big blind
    hand         `betting.BETTING`
    cards        (9,) of seat 0, seat 1 and the board
    known        (2, 2) the strength of each seat's hand and its share of showdowns, on this street; -1 not asked yet
    deck, made   (52,), (16,) scratch
    facts        `heads_up.state.PAY`
    hand_words   the memory of hand
    """

    stakes: NDArray[np.float64]
    hand: np.void
    cards: NDArray[np.int64]
    known: NDArray[np.float64]
    deck: NDArray[np.int64]
    made: NDArray[np.int64]
    facts: np.void
    hand_words: NDArray[np.int64]


def new_table(stack: float, small_blind: float, big_blind: float) -> Table:
    """Room for one hand."""
    hand = new_record(b.BETTING)
    return Table(
        stakes=np.array([stack, small_blind, big_blind], np.float64),
        hand=hand,
        cards=np.zeros(CARDS, np.int64),
        known=np.zeros((2, 2)),
        deck=np.zeros(_DECK, np.int64),
        made=np.zeros(16, np.int64),
        facts=new_record(PAY),
        hand_words=words_of(hand),
    )


@step
def _deal(draws: NDArray[np.float64], deck: NDArray[np.int64], cards: NDArray[np.int64]) -> None:
    """The top of a shuffled deck, as `simulate.drawn` takes it from the same numbers."""
    for k in range(_DECK):
        deck[k] = k
    for k in range(CARDS):
        other = k + int(draws[k] * (_DECK - k))
        deck[k], deck[other] = deck[other], deck[k]
        cards[k] = deck[k]


@step
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
                card = int(showdowns.uniform(generator) * _DECK)
                while taken >> card & 1:
                    card = int(showdowns.uniform(generator) * _DECK)
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


@step
def _strength_of(
    cards: NDArray[np.int64],
    scratch: NDArray[np.int64],
    chart: NDArray[np.float64],
    seat: int,
    size: int,
    generator: NDArray[np.int64],
) -> float:
    if size == 0:
        return float(chart[showdowns.class_of(cards[2 * seat], cards[2 * seat + 1])])
    for k in range(size):
        scratch[k] = cards[4 + k]
    scratch[size], scratch[size + 1] = cards[2 * seat], cards[2 * seat + 1]
    return showdowns.sampled(scratch, size + 2, 1, p.SAMPLES, generator)


@step
def _begin_hand(players: Players, table: Table, record: Record, number: int) -> None:
    """Hand out the cards and post the blinds."""
    hand, stakes = table.hand, table.stakes
    dealer = 1 - (number + 1) % 2
    record.dealers[number] = dealer
    fill(table.hand_words, 0)
    b.begin(hand, 2, 1)
    hand["dealer"], hand["level"][0] = dealer, 1
    for seat in range(2):
        p.begin_hand(players.persons[seat], players.minds[seat], players.generators[seat])
        for k in range(2):
            record.holes[number, seat, k] = table.cards[2 * seat + k]
    b.put(hand, 0, dealer, stakes[SMALL_BLIND])
    b.put(hand, 0, 1 - dealer, stakes[BIG_BLIND])


@step
def _ask(table: Table, seat: int, number: int, spot: NDArray[np.float64]) -> None:
    """Tell a player what he is to answer."""
    hand, stack = table.hand, table.stakes[STACK]
    own, other = stack - hand["spent"][seat], stack - hand["spent"][1 - seat]
    spot[p.NUMBER], spot[p.STREET], spot[p.LEVEL] = number, hand["street"], hand["level"][0]
    spot[p.TO_CALL], spot[p.POT] = b.to_call(hand, 0, seat), b.pot(hand, 0)
    spot[p.PIP], spot[p.OTHER_PIP] = hand["pip"][0, seat], hand["pip"][0, 1 - seat]
    spot[p.LOW] = spot[p.HIGH] = 0.0
    if b.may_raise(hand, 0, seat, own, other):
        spot[p.LOW] = b.smallest_raise(hand, 0, seat, own, other, table.stakes[BIG_BLIND])
        spot[p.HIGH] = b.largest_raise(hand, 0, seat, own, other)


@step
def _note(spot: NDArray[np.float64], seat: int, aggressor: int, row: NDArray[np.int32]) -> None:
    """Write down what a player is asked."""
    row[m.HAND], row[m.SEAT], row[m.STREET] = int(spot[p.NUMBER]), seat, int(spot[p.STREET])
    row[m.TO_CALL], row[m.POT], row[m.PIP] = int(spot[p.TO_CALL]), int(spot[p.POT]), int(spot[p.PIP])
    row[m.LEVEL], row[m.HIGHEST], row[m.AGGRESSOR] = int(spot[p.LEVEL]), int(spot[p.HIGH]), aggressor
    row[m.LIVE], row[m.RAISE_TO] = 3, 0


@step
def _look(players: Players, table: Table, seat: int, who: int, rank: int) -> None:
    """A player looks at his cards, once a street; one who shares cards knows his partner's too."""
    cards, known, size = table.cards, table.known, HOLDEM_BOARDS[table.hand["street"]]
    generator = players.generators[seat]
    if known[_STRENGTH, seat] < 0:
        strength = _strength_of(cards, table.made, players.charts[who], seat, size, generator)
        if rank >= 0 and _holds(cards, seat, size, rank):
            strength += players.persons[who, p.HUNTS]
        known[_STRENGTH, seat] = strength
    shares = players.persons[seat, p.PLAN] == p.SHARED and players.minds[seat, p.PARTNERED] > 0
    if shares and known[_TOLD, seat] < 0:
        known[_TOLD, seat] = _told(cards, table.made, seat, size, generator)
    players.spot[p.STRENGTH], players.spot[p.TOLD] = known[_STRENGTH, seat], known[_TOLD, seat]


@step
def _act(table: Table, seat: int, action: int, raise_to: float, row: NDArray[np.int32]) -> None:
    """Carry out a player's answer, and write it down."""
    hand = table.hand
    row[m.ACTION] = action
    if action == RAISE:
        opens = hand["pip"][0, seat] == 0 and hand["pip"][0, 1 - seat] == 0
        row[m.RAISE_TO] = int(raise_to)
        row[m.ACTION] = BET if opens else RAISE
        b.bet_or_raise(hand, 0, seat, raise_to)
    elif action == FOLD:
        b.fold(hand, 0, seat)
    elif action == CALL:
        b.call(hand, 0, seat)
    else:
        b.check(hand, 0)
    b.after_turn(hand, action in (FOLD, CHECK))


@step
def _betting_round(players: Players, table: Table, record: Record, number: int, used: int) -> int:
    """Ask the players in turn until the street's betting is over; returns the decisions made, or FULL."""
    hand, spot = table.hand, players.spot
    for seat in range(2):
        table.known[_STRENGTH, seat] = table.known[_TOLD, seat] = -1.0
    while hand["closed"] == 0 and hand["folded"] < 0:
        if used == len(record.acts):
            return a.FULL
        seat = b.actor(hand)
        row = record.acts[used]
        _ask(table, seat, number, spot)
        _note(spot, seat, hand["aggressor"][0], row)
        if spot[p.TO_CALL] == 0 and spot[p.POT] == 2 * table.stakes[STACK]:
            # Nobody has chips left: the engine asks, and the answer changes nothing.
            row[m.ACTION] = CHECK
            b.check(hand, 0)
            b.after_turn(hand, True)
            continue
        mind = players.minds[seat]
        is_twin = players.persons[seat, p.PLAN] == p.CLONE and mind[p.FOLLOWS] > 0
        who = seat + 2 if is_twin else seat
        _look(players, table, seat, who, record.ranks[number, seat])
        action, raise_to = p.decide(players.persons[who], mind, spot, players.generators[seat])
        p.watch(players.minds[1 - seat], p.faces_bet(spot), action)
        _act(table, seat, action, raise_to, row)
        used += 1
    return used


@step
def _winner(table: Table) -> int:
    """The seat that wins the hand, -1 where the pot is split."""
    folded, cards, made = table.hand["folded"], table.cards, table.made
    if folded >= 0:
        return 1 - int(folded)
    for k in range(5):
        made[k] = cards[4 + k]
    made[5], made[6] = cards[0], cards[1]
    one = strength_of(made, 7)
    made[5], made[6] = cards[2], cards[3]
    two = strength_of(made, 7)
    if one == two:
        return -1
    return 0 if one > two else 1


@step
def _settle(payout: int, players: Players, table: Table, record: Record, number: int) -> None:
    """Pay the hand by the written rules."""
    hand, cards, facts = table.hand, table.cards, table.facts
    dealer, size, ranks = hand["dealer"], HOLDEM_BOARDS[hand["street"]], record.ranks[number]
    for k in range(5):
        record.boards[number, k] = cards[4 + k] if k < size else -1
    winner = _winner(table)
    facts["wins"] = 0 if winner < 0 else 1 if winner == dealer else -1
    facts["loser_put"] = hand["spent"][dealer] if winner < 0 else hand["spent"][1 - winner]
    facts["other_put"] = hand["spent"][1 - dealer]
    facts["hit"] = facts["other_hit"] = 0.0
    if payout == BOUNTIES:
        facts["hit"] = _holds(cards, dealer, size, ranks[dealer])
        facts["other_hit"] = _holds(cards, 1 - dealer, size, ranks[1 - dealer])
    facts["actions"] = hand["turn"]
    award = settling.dealer_award(payout, 0, facts)
    for seat in range(2):
        won = award if seat == dealer else -award
        record.puts[number, seat], record.deltas[number, seat] = hand["spent"][seat], won
        p.end_hand(players.persons[seat], players.minds[seat], won / table.stakes[BIG_BLIND])


@kernel
def play_heads_up(
    payout: int, seed: int, draws: NDArray[np.float64], players: Players, table: Table, record: Record
) -> int:
    """Play a match of two; returns the decisions made, FULL where there is no room for them.

    payout  what a hand pays (`games`)
    seed    of the players' own random numbers
    draws   (hands, CARDS) numbers from 0 to 1, the deck of each hand
    """
    used, hand = 0, table.hand
    a.sit_down(players, seed * 2, len(draws))
    for seat in range(2):
        is_clone = players.persons[seat, p.PLAN] == p.CLONE
        players.minds[seat, p.PARTNERED] = 1.0 if is_clone or players.partners[seat] >= 0 else 0.0
    for number in range(len(draws)):
        _deal(draws[number], table.deck, table.cards)
        _begin_hand(players, table, record, number)
        while True:
            used = _betting_round(players, table, record, number, used)
            if used == a.FULL:
                return used
            if hand["folded"] >= 0 or hand["street"] == 3:
                break
            b.next_street(hand)
        _settle(payout, players, table, record, number)
    return used
