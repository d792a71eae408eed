"""Matches of the arena for three and more players: the ACPC's limit games, from their definitions."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import kernel, part
from ..acpc import betting, deck, pots
from ..acpc import state as s
from ..evaluator import strength_of
from ..records import BET, CALL, CHECK, FOLD, RAISE
from . import policy as p
from .heads_up import ACTION, AGGRESSOR, HAND, HIGHEST, LEVEL, LIVE, PIP, POT, RAISE_TO, SEAT, STREET, TO_CALL

_FULL: Final = -1
_BETTER, _WORSE = 0.15, 0.05


@part
def _strength(
    game: NDArray[np.int64],
    hand: s.Hand,
    cards: NDArray[np.int64],
    chart: NDArray[np.float64],
    position: int,
    size: int,
    others: int,
    generator: NDArray[np.int64],
) -> float:
    """Of a position's hand as its player sees it."""
    drawn, holes = hand.drawn, game[s.HOLES]
    if holes == 1:
        low = game[s.FIRST_RANK]
        beaten = float(drawn[position] // 4 - low) / float(12 - low)
        return beaten**others if others > 0 else beaten
    first, second = drawn[2 * position], drawn[2 * position + 1]
    if size == 0:
        return float(chart[p.class_of(first, second)])
    for k in range(size):
        cards[k] = drawn[2 * game[s.PLAYERS] + k]
    cards[size], cards[size + 1] = first, second
    return p.sampled(cards, size + 2, others, p.SAMPLES, generator)


@kernel
def play_ring(
    game: NDArray[np.int64],
    persons: NDArray[np.float64],
    charts: NDArray[np.float64],
    partner: NDArray[np.int64],
    seed: int,
    bot_seed: int,
    holes: NDArray[np.int8],
    boards: NDArray[np.int8],
    dealers: NDArray[np.int8],
    puts: NDArray[np.float64],
    deltas: NDArray[np.float64],
    acts: NDArray[np.int32],
    minds: NDArray[np.float64],
    hand: s.Hand,
    generators: NDArray[np.int64],
    cards: NDArray[np.int64],
    strengths: NDArray[np.float64],
) -> int:
    """Play a limit match of N; returns the decisions made, -1 where `acts` is too small.

    game      a row of `acpc.state.rows_of`
    partner   (N,) the seat of each seat's partner, -1 for none
    seed      of the cards, as the dealer deals them; bot_seed: of the players
    holes (hands, N, 2), boards (hands, 5), dealers (hands,), puts and deltas (hands, N): out, by seat; -1: no card
    acts      (n, heads_up.COLUMNS) out
    The rest is scratch: minds (N, MIND_SIZE), generators (N, 625), cards (16,), strengths (N,).
    """
    players, used = game[s.PLAYERS], 0
    deck.start(hand.generator, seed)
    for seat in range(players):
        deck.start(generators[seat], bot_seed * 16 + seat)
        p.start_mind(minds[seat], len(dealers), generators[seat])
    for number in range(len(dealers)):
        deck.deal(hand.generator, game, hand.deck, hand.drawn)
        turn = number % players
        dealers[number] = (players - 1 + turn) % players
        most = 0
        for position in range(players):
            seat = (position + turn) % players
            hand.spent[position] = game[s.BLIND + position]
            hand.begun[position] = hand.folded[position] = 0
            most = max(most, hand.spent[position])
            minds[seat, p.PARTNERED] = 1.0 if partner[seat] >= 0 else 0.0
            p.begin_hand(persons[seat], minds[seat], generators[seat])
            for k in range(2):
                card = -1
                if k < game[s.HOLES]:
                    card = hand.drawn[game[s.HOLES] * position + k]
                holes[number, seat, k] = card
        round_, level, raises, called, folded, aggressor, size = 0, game[s.BET_LEVEL], 0, 0, 0, -1, 0
        for k in range(players):
            strengths[k] = -1.0
        player = betting.next_to_act(game, hand, game[s.FIRST])
        over = False
        while not over:
            if used == len(acts):
                return _FULL
            seat = (player + turn) % players
            to_call, pot = most - hand.spent[player], 0
            live = 0
            for k in range(players):
                pot += hand.spent[k]
                if hand.folded[k] == 0:
                    live |= 1 << ((k + turn) % players)
            begun = hand.begun[player]
            highest = 0
            if raises < game[s.MAX_RAISES + round_] and betting.acting_players(game, hand) > 1:
                highest = most + game[s.RAISE_SIZE + round_]
            friend = partner[seat]
            together = friend >= 0 and live >> friend & 1 == 1
            others = players - folded - 1
            for k in range(players):
                at = (k + turn) % players
                if strengths[at] < 0 and (k == player or (together and at == friend)):
                    strengths[at] = _strength(
                        game, hand, cards, charts[at], k, size, others, generators[seat]
                    )
            told = strengths[seat]
            if together:
                told += _BETTER
                if others > 1 and strengths[friend] > strengths[seat]:
                    told = _WORSE
            minds[seat, p.PARTNERED] = 1.0 if together else 0.0
            low = float(highest - begun) if highest else 0.0
            action, _ = p.decide(
                persons[seat],
                minds[seat],
                strengths[seat],
                told,
                round_,
                float(to_call),
                float(pot),
                float(hand.spent[player] - begun),
                0.0,
                low,
                low,
                level,
                number,
                generators[seat],
            )
            for k in range(players):
                if k != seat and live >> k & 1:
                    p.watch(minds[k], to_call > 0 and level + round_ > 1, action)
            row = acts[used]
            used += 1
            row[HAND], row[SEAT], row[STREET], row[ACTION] = number, seat, round_, action
            row[TO_CALL], row[POT], row[PIP], row[RAISE_TO] = to_call, pot, hand.spent[player] - begun, 0
            row[LEVEL], row[HIGHEST], row[AGGRESSOR], row[LIVE] = level, int(low), aggressor, live
            if action == FOLD:
                hand.folded[player] = 1
                folded += 1
            elif action == RAISE:
                row[ACTION] = RAISE if level > 0 else BET
                row[RAISE_TO] = int(low)
                most = highest
                hand.spent[player] = most
                raises += 1
                level += 1
                called = 1
                aggressor = seat
            else:
                row[ACTION] = CALL if to_call > 0 else CHECK
                hand.spent[player] = most
                called += 1
            if folded + 1 >= players:
                over = True
            elif called >= betting.acting_players(game, hand):
                if round_ + 1 >= game[s.ROUNDS]:
                    over = True
                else:
                    round_ += 1
                    level = raises = called = 0
                    size += game[s.BOARD + round_]
                    for k in range(players):
                        hand.begun[k] = hand.spent[k]
                        strengths[k] = -1.0
                    player = betting.next_to_act(game, hand, game[s.FIRST + round_])
            else:
                player = betting.next_to_act(game, hand, player + 1 if player + 1 < players else 0)
        for k in range(5):
            boards[number, k] = hand.drawn[game[s.HOLES] * players + k] if k < size else -1
        for position in range(players):
            for k in range(size):
                cards[k] = hand.drawn[game[s.HOLES] * players + k]
            for k in range(game[s.HOLES]):
                cards[size + k] = hand.drawn[game[s.HOLES] * position + k]
            hand.strength[position] = strength_of(cards, size + game[s.HOLES])
        pots.pay(players, hand.spent, hand.folded, hand.strength, hand.payout)
        for position in range(players):
            seat = (position + turn) % players
            puts[number, seat], deltas[number, seat] = float(hand.spent[position]), hand.payout[position]
            p.end_hand(persons[seat], minds[seat], hand.payout[position] / float(game[s.BIG_BLIND]))
    return used
