"""Matches of the arena for three and more players: the ACPC's limit games, from their definitions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.analytics.collusion import material as m
from railbird.jit.bundles import bundle
from railbird.jit.compile import kernel, part, step
from railbird.replay import betting as b
from railbird.replay import showdowns
from railbird.replay.acpc import state as s
from railbird.replay.acpc.betting import begin
from railbird.replay.acpc.cards import deal, start
from railbird.replay.evaluator import strength_of
from railbird.replay.payouts import pay_side_pots
from railbird.replay.records import BET, CALL, CHECK, FOLD, RAISE

from . import policy as p
from . import state as a
from .state import Players, Record

_BETTER, _WORSE = 0.15, 0.05

# What a hand's betting does not say: int64.
(
    PLAYER,  # position of who is to act
    HIGHEST,  # what a raise brings them to in chips of the hand, 0 where none is legal
    BOARD_SIZE,
    LIVE,  # who has not folded, a bit a seat
) = range(4)


@bundle
class Table(NamedTuple):
    """A hand in progress.

    game       `acpc.state.DEFINITION`
    hand       by position
    now        (4,) indexed by the names above
    strengths  (N,) by seat, of the round; -1 not asked yet
    cards      (16,) scratch
    """

    game: np.void
    hand: s.Hand
    now: NDArray[np.int64]
    strengths: NDArray[np.float64]
    cards: NDArray[np.int64]


def new_table(game: np.void) -> Table:
    """Room for one hand of a definition."""
    return Table(
        game=game,
        hand=s.new_hand(),
        now=np.zeros(4, np.int64),
        strengths=np.zeros(int(game["players"])),
        cards=np.zeros(16, np.int64),
    )


@step
def _strength_of(
    game: np.void,
    hand: s.Hand,
    cards: NDArray[np.int64],
    chart: NDArray[np.float64],
    position: int,
    size: int,
    others: int,
    generator: NDArray[np.int64],
) -> float:
    """Of a position's hand as its player sees it."""
    drawn, holes = hand.drawn, game["hole_cards"]
    if holes == 1:
        low = game["first_rank"]
        beaten = float(drawn[position] // 4 - low) / float(12 - low)
        return beaten**others if others > 0 else beaten
    first, second = drawn[2 * position], drawn[2 * position + 1]
    if size == 0:
        return float(chart[showdowns.class_of(first, second)])
    for k in range(size):
        cards[k] = drawn[2 * game["players"] + k]
    cards[size], cards[size + 1] = first, second
    return showdowns.sampled(cards, size + 2, others, p.SAMPLES, generator)


@part
def _begin_round(table: Table) -> None:
    """All look at their cards anew."""
    bets = table.hand.bets
    for k in range(bets["players"]):
        table.strengths[k] = -1.0
    table.now[PLAYER] = b.next_to_act(bets, table.game["first_to_act"][bets["street"]])


@step
def _begin_hand(players: Players, table: Table, record: Record, number: int) -> None:
    """Deal, hand out the cards and post the blinds."""
    game, hand, bets = table.game, table.hand, table.hand.bets
    count = game["players"]
    deal(hand.generator, game, hand.deck, hand.drawn)
    turn = number % count
    record.dealers[number] = (count - 1 + turn) % count
    table.now[BOARD_SIZE] = 0
    begin(game, hand, turn)
    for position in range(count):
        seat = (position + turn) % count
        b.put(bets, 0, position, game["blind"][position])
        players.minds[seat, p.PARTNERED] = 1.0 if players.partners[seat] >= 0 else 0.0
        p.begin_hand(players.persons[seat], players.minds[seat], players.generators[seat])
        for k in range(2):
            card = -1
            if k < game["hole_cards"]:
                card = hand.drawn[game["hole_cards"] * position + k]
            record.holes[number, seat, k] = card
    b.begin_bets(game, bets)
    _begin_round(table)


@step
def _ask(table: Table, number: int, seat: int, spot: NDArray[np.float64], row: NDArray[np.int32]) -> None:
    """Tell a player what he is to answer, and write it down."""
    game, now, bets = table.game, table.now, table.hand.bets
    count, player, street, level = game["players"], now[PLAYER], bets["street"], bets["level"][0]
    aggressor, live = bets["aggressor"][0], 0
    for k in range(count):
        if bets["out"][0, k] == 0:
            live |= 1 << ((k + bets["first_seat"]) % count)
    may, highest, _ = b.legal_raise(game, bets, player)
    now[LIVE], now[HIGHEST] = live, int(highest) if may else 0
    call, pot, pip = b.price_of_call(bets, player), b.pot(bets, 0), bets["pip"][0, player]
    low = b.pip_of(bets, player, highest) if may else 0.0
    spot[p.NUMBER], spot[p.STREET], spot[p.LEVEL] = number, street, level
    spot[p.TO_CALL], spot[p.POT], spot[p.PIP], spot[p.OTHER_PIP] = call, pot, pip, 0.0
    spot[p.LOW] = spot[p.HIGH] = low
    row[m.HAND], row[m.SEAT], row[m.STREET], row[m.RAISE_TO] = number, seat, street, 0
    row[m.TO_CALL], row[m.POT], row[m.PIP] = int(call), int(pot), int(pip)
    row[m.LEVEL], row[m.HIGHEST], row[m.LIVE] = level, int(low), live
    row[m.AGGRESSOR] = aggressor if aggressor < 0 else (aggressor + bets["first_seat"]) % count


@step
def _look(players: Players, table: Table, seat: int) -> None:
    """A player looks at his cards once a round, and at his partner's while both are in the hand."""
    game, now, strengths, friend = table.game, table.now, table.strengths, players.partners[seat]
    together = friend >= 0 and now[LIVE] >> friend & 1 == 1
    bets = table.hand.bets
    count, turn = game["players"], bets["first_seat"]
    others = bets["active"][0] - 1
    for k in range(count):
        at = (k + turn) % count
        if strengths[at] < 0 and (at == seat or (together and at == friend)):
            strengths[at] = _strength_of(
                game,
                table.hand,
                table.cards,
                players.charts[at],
                k,
                now[BOARD_SIZE],
                others,
                players.generators[seat],
            )
    told = strengths[seat]
    if together:
        told += _BETTER
        if others > 1 and strengths[friend] > strengths[seat]:
            told = _WORSE
    players.minds[seat, p.PARTNERED] = 1.0 if together else 0.0
    players.spot[p.STRENGTH], players.spot[p.TOLD] = strengths[seat], told


@step
def _act(table: Table, seat: int, action: int, row: NDArray[np.int32]) -> None:
    """Carry out a player's answer, and write it down."""
    bets, player = table.hand.bets, table.now[PLAYER]
    row[m.ACTION] = action
    bets["acted"] += 1
    if action == FOLD:
        b.fold(bets, 0, player)
    elif action == RAISE:
        row[m.ACTION] = RAISE if bets["level"][0] > 0 else BET
        row[m.RAISE_TO] = row[m.HIGHEST]
        b.raise_total(bets, player, float(table.now[HIGHEST]))
    else:
        row[m.ACTION] = CALL if row[m.TO_CALL] > 0 else CHECK
        b.match_most(bets, player)


@step
def _goes_on(table: Table) -> bool:
    """Find who acts next, in this round or the next; False where the hand is over."""
    game, bets, now = table.game, table.hand.bets, table.now
    if bets["folded"] >= 0:
        return False
    if not b.is_answered(bets):
        now[PLAYER] = b.next_to_act(bets, now[PLAYER] + 1)
        return True
    if bets["street"] + 1 >= game["rounds"]:
        return False
    b.begin_street(game, bets)
    now[BOARD_SIZE] += game["board_cards"][bets["street"]]
    _begin_round(table)
    return True


@step
def _bet(players: Players, table: Table, record: Record, number: int, used: int) -> int:
    """Ask the players in turn until the hand is over; returns the decisions made, or FULL."""
    now, spot, count = table.now, players.spot, table.game["players"]
    while True:
        if used == len(record.acts):
            return a.FULL
        seat = (now[PLAYER] + table.hand.bets["first_seat"]) % count
        row = record.acts[used]
        _ask(table, number, seat, spot, row)
        _look(players, table, seat)
        action, _ = p.decide(players.persons[seat], players.minds[seat], spot, players.generators[seat])
        live, faced = now[LIVE], p.faces_bet(spot)
        for k in range(count):
            if k != seat and live >> k & 1:
                p.watch(players.minds[k], faced, action)
        _act(table, seat, action, row)
        used += 1
        if not _goes_on(table):
            return used


@step
def _settle(players: Players, table: Table, record: Record, number: int) -> None:
    """Pay the hand as the dealer does."""
    game, hand, cards, now = table.game, table.hand, table.cards, table.now
    bets = hand.bets
    count, held, size, turn = game["players"], game["hole_cards"], now[BOARD_SIZE], bets["first_seat"]
    for k in range(5):
        record.boards[number, k] = hand.drawn[held * count + k] if k < size else -1
    for position in range(count):
        for k in range(size):
            cards[k] = hand.drawn[held * count + k]
        for k in range(held):
            cards[size + k] = hand.drawn[held * position + k]
        hand.strength[position] = strength_of(cards, size + held)
    pay_side_pots(count, bets["spent"], bets["out"][0], hand.strength, hand.payout)
    for position in range(count):
        seat, won = (position + turn) % count, hand.payout[position]
        record.puts[number, seat], record.deltas[number, seat] = bets["spent"][position], won
        p.end_hand(players.persons[seat], players.minds[seat], won / float(game["big_blind"]))


@kernel
def play_ring(seed: int, bot_seed: int, players: Players, table: Table, record: Record) -> int:
    """Play a limit match of N; returns the decisions made, FULL where there is no room for them.

    seed  of the cards, as the dealer deals them; bot_seed: of the players
    """
    used = 0
    start(table.hand.generator, seed)
    a.sit_down(players, bot_seed * 16, len(record.dealers))
    for number in range(len(record.dealers)):
        _begin_hand(players, table, record, number)
        used = _bet(players, table, record, number, used)
        if used == a.FULL:
            return used
        _settle(players, table, record, number)
    return used
