"""Matches of the arena for three and more players: the ACPC's limit games, from their definitions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel, part, step
from ..acpc import betting, deck, pots
from ..acpc import state as s
from ..evaluator import strength_of
from ..records import BET, CALL, CHECK, FOLD, RAISE
from . import policy as p
from . import state as a
from .state import Players, Record

_BETTER, _WORSE = 0.15, 0.05

# How far a hand has come: int64.
(
    TURN,  # seat of position 0
    PLAYER,  # position of who is to act
    ROUND,
    LEVEL,
    RAISES,  # of the round; the blinds are none
    CALLED,  # players who have answered the last raise
    FOLDED,
    MOST,  # chips of a player in the pot
    HIGHEST,  # what a raise brings them to, 0 where none is legal
    AGGRESSOR,  # seat, -1 none
    BOARD_SIZE,
    LIVE,  # who has not folded, a bit a seat
) = range(12)


@bundle
class Table(NamedTuple):
    """A hand in progress.

    game       `acpc.state.DEFINITION`
    hand       by position
    now        (12,) indexed by the names above
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
        now=np.zeros(12, np.int64),
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
        return float(chart[p.class_of(first, second)])
    for k in range(size):
        cards[k] = drawn[2 * game["players"] + k]
    cards[size], cards[size + 1] = first, second
    return p.sampled(cards, size + 2, others, p.SAMPLES, generator)


@part
def _begin_round(table: Table, level: int) -> None:
    """Nobody has answered, and all look at their cards anew."""
    game, now = table.game, table.now
    now[LEVEL], now[RAISES], now[CALLED] = level, 0, 0
    for k in range(game["players"]):
        table.strengths[k] = -1.0
    now[PLAYER] = betting.next_to_act(game, table.hand, game["first_to_act"][now[ROUND]])


@step
def _begin_hand(players: Players, table: Table, record: Record, number: int) -> None:
    """Deal, hand out the cards and post the blinds."""
    game, hand, now = table.game, table.hand, table.now
    count = game["players"]
    deck.deal(hand.generator, game, hand.deck, hand.drawn)
    turn = number % count
    record.dealers[number] = (count - 1 + turn) % count
    now[TURN], now[ROUND], now[FOLDED], now[AGGRESSOR], now[BOARD_SIZE] = turn, 0, 0, -1, 0
    most = 0
    for position in range(count):
        seat = (position + turn) % count
        hand.spent[position] = game["blind"][position]
        hand.begun[position] = hand.folded[position] = 0
        most = max(most, hand.spent[position])
        players.minds[seat, p.PARTNERED] = 1.0 if players.partners[seat] >= 0 else 0.0
        p.begin_hand(players.persons[seat], players.minds[seat], players.generators[seat])
        for k in range(2):
            card = -1
            if k < game["hole_cards"]:
                card = hand.drawn[game["hole_cards"] * position + k]
            record.holes[number, seat, k] = card
    now[MOST] = most
    _begin_round(table, game["bet_level"])


@step
def _ask(table: Table, number: int, seat: int, spot: NDArray[np.float64], row: NDArray[np.int32]) -> None:
    """Tell a player what he is to answer, and write it down."""
    game, hand, now = table.game, table.hand, table.now
    count, turn, player, round_, most = game["players"], now[TURN], now[PLAYER], now[ROUND], now[MOST]
    spent, begun, level = hand.spent[player], hand.begun[player], now[LEVEL]
    pot = live = highest = 0
    for k in range(count):
        pot += hand.spent[k]
        if hand.folded[k] == 0:
            live |= 1 << ((k + turn) % count)
    if now[RAISES] < game["max_raises"][round_] and betting.acting_players(game, hand) > 1:
        highest = most + game["raise_size"][round_]
    low = highest - begun if highest else 0
    now[LIVE], now[HIGHEST] = live, highest
    spot[p.NUMBER], spot[p.STREET], spot[p.LEVEL] = number, round_, level
    spot[p.TO_CALL], spot[p.POT], spot[p.PIP], spot[p.OTHER_PIP] = most - spent, pot, spent - begun, 0.0
    spot[p.LOW] = spot[p.HIGH] = low
    row[a.HAND], row[a.SEAT], row[a.STREET], row[a.RAISE_TO] = number, seat, round_, 0
    row[a.TO_CALL], row[a.POT], row[a.PIP] = most - spent, pot, spent - begun
    row[a.LEVEL], row[a.HIGHEST], row[a.AGGRESSOR], row[a.LIVE] = level, low, now[AGGRESSOR], live


@step
def _look(players: Players, table: Table, seat: int) -> None:
    """A player looks at his cards once a round, and at his partner's while both are in the hand."""
    game, now, strengths, friend = table.game, table.now, table.strengths, players.partners[seat]
    together = friend >= 0 and now[LIVE] >> friend & 1 == 1
    count, turn = game["players"], now[TURN]
    others = count - now[FOLDED] - 1
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
    hand, now = table.hand, table.now
    player = now[PLAYER]
    row[a.ACTION] = action
    if action == FOLD:
        hand.folded[player] = 1
        now[FOLDED] += 1
    elif action == RAISE:
        row[a.ACTION] = RAISE if now[LEVEL] > 0 else BET
        row[a.RAISE_TO] = row[a.HIGHEST]
        hand.spent[player] = now[MOST] = now[HIGHEST]
        now[RAISES] += 1
        now[LEVEL] += 1
        now[CALLED], now[AGGRESSOR] = 1, seat
    else:
        row[a.ACTION] = CALL if now[MOST] > hand.spent[player] else CHECK
        hand.spent[player] = now[MOST]
        now[CALLED] += 1


@step
def _goes_on(table: Table) -> bool:
    """Find who acts next, in this round or the next; False where the hand is over."""
    game, hand, now = table.game, table.hand, table.now
    count = game["players"]
    if now[FOLDED] + 1 >= count:
        return False
    if now[CALLED] < betting.acting_players(game, hand):
        following = now[PLAYER] + 1 if now[PLAYER] + 1 < count else 0
        now[PLAYER] = betting.next_to_act(game, hand, following)
        return True
    if now[ROUND] + 1 >= game["rounds"]:
        return False
    now[ROUND] += 1
    now[BOARD_SIZE] += game["board_cards"][now[ROUND]]
    for k in range(count):
        hand.begun[k] = hand.spent[k]
    _begin_round(table, 0)
    return True


@step
def _bet(players: Players, table: Table, record: Record, number: int, used: int) -> int:
    """Ask the players in turn until the hand is over; returns the decisions made, or FULL."""
    now, spot, count = table.now, players.spot, table.game["players"]
    while True:
        if used == len(record.acts):
            return a.FULL
        seat = (now[PLAYER] + now[TURN]) % count
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
    count, held, size, turn = game["players"], game["hole_cards"], now[BOARD_SIZE], now[TURN]
    for k in range(5):
        record.boards[number, k] = hand.drawn[held * count + k] if k < size else -1
    for position in range(count):
        for k in range(size):
            cards[k] = hand.drawn[held * count + k]
        for k in range(held):
            cards[size + k] = hand.drawn[held * position + k]
        hand.strength[position] = strength_of(cards, size + held)
    pots.pay(count, hand.spent, hand.folded, hand.strength, hand.payout)
    for position in range(count):
        seat, won = (position + turn) % count, hand.payout[position]
        record.puts[number, seat], record.deltas[number, seat] = float(hand.spent[position]), won
        p.end_hand(players.persons[seat], players.minds[seat], won / float(game["big_blind"]))


@kernel
def play_ring(seed: int, bot_seed: int, players: Players, table: Table, record: Record) -> int:
    """Play a limit match of N; returns the decisions made, FULL where there is no room for them.

    seed  of the cards, as the dealer deals them; bot_seed: of the players
    """
    used = 0
    deck.start(table.hand.generator, seed)
    a.sit_down(players, bot_seed * 16, len(record.dealers))
    for number in range(len(record.dealers)):
        _begin_hand(players, table, record, number)
        used = _bet(players, table, record, number, used)
        if used == a.FULL:
            return used
        _settle(players, table, record, number)
    return used
