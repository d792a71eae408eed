"""PokerKit plays the replayed hands of plain no-limit hold'em again: same turns, same bounds, same pay."""

import warnings
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from pokerkit import Mode, NoLimitTexasHoldem, State
from support.pokerkit import DONE_BY_ITSELF
from support.replayed import ReplayedHand, replay_text

from railbird.parsers.dialects import dialect_named
from railbird.replay.bots import STYLES, Answer, Arbitrary, View
from railbird.replay.cards import card_text
from railbird.replay.records import BET, CALL, CHECK, FOLD, RAISE
from railbird.replay.replaying import game_named
from railbird.replay.simulate import Order, Player, profile_named, simulate
from railbird.tools.samples import SAMPLES, Sample
from railbird.variants.holdem_mit import play

STACK, SMALL, BIG = 400, 1, 2


def text_of(cards: Sequence[int]) -> str:
    return "".join(card_text(card) for card in cards)


def begin(hand: ReplayedHand) -> State:
    """PokerKit's heads-up players are the big blind, then the dealer."""
    state = NoLimitTexasHoldem.create_state(
        DONE_BY_ITSELF, True, 0, (SMALL, BIG), BIG, STACK, 2, mode=Mode.CASH_GAME
    )
    for seat in (1 - hand.dealer, hand.dealer):
        state.deal_hole(text_of(hand.holes[seat]))
    return state


def play_again(hand: ReplayedHand) -> list[int] | None:
    """What PokerKit pays by seat; asserts that it agrees with every action on the way.

    None where a player folds after both are all-in, as one engine allows: PokerKit then asks nobody any more.
    """
    state = begin(hand)
    players = (1 - hand.dealer, hand.dealer)
    dealt = 0
    for street, seat, action, _, raise_to in hand.actions:
        dealt = deal_board(state, hand, dealt, street)
        if state.actor_index is None:
            # Nobody can bet: the MIT engine goes on asking for checks, PokerKit does not.
            if action == FOLD:
                return None
            assert action == CHECK
            continue
        assert players[state.actor_index] == seat
        if action == FOLD:
            with warnings.catch_warnings():
                # A fold where a check is free is legal for one engine; it pays the other player all the same.
                warnings.simplefilter("ignore")
                state.fold()
        elif action in (CHECK, CALL):
            assert (state.checking_or_calling_amount == 0) == (action == CHECK)
            state.check_or_call()
        else:
            assert action in (BET, RAISE)
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            assert low is not None and high is not None and low <= raise_to <= high
            state.complete_bet_or_raise_to(raise_to)
    if hand.streets == 4 and state.status:
        deal_board(state, hand, dealt, 3)
    assert not state.status
    paid = dict(zip(players, state.payoffs, strict=True))
    return [int(paid[0]), int(paid[1])]


def deal_board(state: State, hand: ReplayedHand, dealt: int, street: int) -> int:
    """Deal up to a street; returns how many cards of the board are out."""
    due = street + 2 if street else 0
    while dealt < due:
        size = 3 if dealt == 0 else 1
        state.burn_card("??")
        state.deal_board(text_of(hand.board[dealt : dealt + size]))
        dealt += size
    return dealt


def paid_alike(text: str, hands: int | None = None) -> int:
    """Assert that the first hands of a log are paid as PokerKit pays them; returns how many were compared."""
    compared = 0
    for hand in islice(replay_text(text).hands, hands):
        again = play_again(hand)
        assert again is None or again == hand.written, hand
        compared += again is not None
    return compared


@pytest.mark.parametrize("style", sorted(STYLES))
def test_simulated_matches(style: str) -> None:
    for seed, profile in enumerate(("base", "2025-01-08")):
        text = simulate("holdem-mit", [("A", style), ("B", "random")], 40, seed, profile)
        assert paid_alike(text) >= 25


@pytest.mark.parametrize(
    "sample", [sample for sample in SAMPLES if sample.game == "holdem-mit"], ids=lambda s: s.path
)
def test_sample_logs(sample: Sample) -> None:
    assert paid_alike(sample.text()) > sample.hands // 2


@pytest.mark.corpus_files("holdem-mit/engine/*.txt", "holdem-mit/real/*.txt")
def test_logs_of_the_engine(corpus_file: Path) -> None:
    assert paid_alike(corpus_file.read_bytes().decode(), 100) > 0


def test_bounds_of_a_raise_are_pokerkits() -> None:
    """Every decision of a match in which anything may happen: the same lowest and highest raise-to."""
    seen: list[tuple[int | None, int | None]] = []
    told: list[tuple[int | None, int | None]] = []

    class Watching(Arbitrary):
        def act(self, view: View) -> Answer:
            seen.append((view.low, view.high) if view.high else (None, None))
            return super().act(view._replace(may_fold=False))

    game = game_named("holdem-mit")
    players = tuple(Player(name, Watching(Random(name))) for name in ("A", "B"))
    base = profile_named(game, "base")
    played = play(Order(game, dialect_named("mit").grammar, players, 200, 1, base, "6.9630 MIT"))
    for hand in replay_text(played.text).hands:
        state, dealt = begin(hand), 0
        for street, _, action, _, raise_to in hand.actions:
            dealt = deal_board(state, hand, dealt, street)
            if state.actor_index is None:
                told.append((None, None))
                continue
            low = state.min_completion_betting_or_raising_to_amount
            told.append((low, state.max_completion_betting_or_raising_to_amount))
            if action == FOLD:
                state.fold()
            elif action in (CHECK, CALL):
                state.check_or_call()
            else:
                state.complete_bet_or_raise_to(raise_to)
    assert seen == told
    assert len({bounds for bounds in seen}) > 100
