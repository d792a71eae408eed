"""PokerKit plays replayed ACPC hands again: same turns, same bounds, same pay; splits are exact for both."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pokerkit import FixedLimitTexasHoldem, Mode, NoLimitTexasHoldem, State
from support.acpc import Checked, check, check_file, definitions_beside
from support.pokerkit import DONE_BY_ITSELF

from railbird.parsers import acpc
from railbird.parsers.acpc_game import Definition, parse_definition, write_definition
from railbird.replay.acpc.dealer import play_by
from railbird.replay.acpc.definitions import DEALER, PREFIX, game_of, named, shipped
from railbird.replay.bots import STYLES
from railbird.replay.simulate import Order, Player

PLENTY = 10_000
Row = dict[str, Any]


def exact(dividend: int, divisor: int) -> tuple[Any, int]:
    return Fraction(dividend) / divisor, 0


def begin(game: Definition) -> State:
    """PokerKit's players are in the order of positions, heads-up too: big blind, then dealer."""
    blinds = sorted(game.blinds[:2])
    if game.nolimit:
        return NoLimitTexasHoldem.create_state(
            DONE_BY_ITSELF,
            True,
            0,
            blinds,
            game.big_blind,
            game.stacks,
            game.players,
            mode=Mode.CASH_GAME,
            divmod=exact,
        )
    small, big = game.raise_sizes[0], game.raise_sizes[-1]
    return FixedLimitTexasHoldem.create_state(
        DONE_BY_ITSELF,
        True,
        0,
        blinds,
        small,
        big,
        PLENTY,
        game.players,
        mode=Mode.CASH_GAME,
        divmod=exact,
    )


def deal(state: State, board: list[str], dealt: int, street: int) -> int:
    while dealt < (street + 2 if street else 0):
        size = 3 if dealt == 0 else 1
        state.burn_card("??")
        state.deal_board("".join(board[dealt : dealt + size]))
        dealt += size
    return dealt


def play_again(game: Definition, hand: Row, seats: list[Row], actions: list[Row], bounds: bool) -> list[Any]:
    """What PokerKit pays by position; asserts that it agrees with every action on the way.

    ValueError for a raise that only the dealer allows: after an all-in below the minimum, which reopens the betting
    there and in no casino.
    """
    state = begin(game)
    for seat in seats:
        state.deal_hole("".join(seat["hole"]))
    dealt = 0
    for action in actions:
        dealt = deal(state, hand["board"], dealt, action["street"])
        assert state.actor_index == (action["seat"] - hand["dealer_seat"] - 1) % game.players
        assert state.checking_or_calling_amount == action["to_call"]
        low = state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        if bounds:
            assert (low, high) == (action["min_raise_to"], action["max_raise_to"])
        if action["action"] == "fold":
            state.fold()
        elif action["action"] in ("check", "call"):
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(int(action["amount_to"]))
    if hand["ended_by"] == "showdown":
        deal(state, hand["board"], dealt, 3)
    assert not state.status
    return list(state.payoffs)


def paid_alike(checked: Checked, game: Definition, bounds: bool, most: int = 400) -> int:
    """Assert that hands are paid as PokerKit pays them; returns how many were compared."""
    hands = checked.rows("hands")
    every = max(1, len(hands) // most)
    compared = 0
    for hand, seats, actions in rows(checked, hands):
        if hand["hand_index"] % every:
            continue
        turn = (hand["dealer_seat"] + 1) % game.players
        by_position = seats[turn:] + seats[:turn]
        try:
            again = play_again(game, hand, by_position, [a for a in actions if a["action"] != "post"], bounds)
        except ValueError:
            assert len(set(game.stacks)) > 1
            continue
        for seat, payoff in zip(by_position, again, strict=True):
            assert abs(seat["delta"] - payoff) <= 1e-6, hand
        compared += 1
    return compared


def rows(checked: Checked, hands: list[Row]) -> Iterator[tuple[Row, list[Row], list[Row]]]:
    def by_hand(rows: list[Row]) -> list[list[Row]]:
        return [list(group) for _, group in groupby(rows, lambda row: (row["match_id"], row["hand_index"]))]

    yield from zip(hands, by_hand(checked.rows("seats")), by_hand(checked.actions()), strict=True)


HOLDEM = [d for d in shipped() if d.is_holdem]
UNEQUAL = parse_definition(
    write_definition(HOLDEM[-1]).replace(" ".join(["10000"] * 6), "700 2000 1333 4001 999 10000"),
    "unequal.6p",
)


@pytest.mark.parametrize("game", [*HOLDEM, UNEQUAL], ids=lambda game: game.name)
@pytest.mark.parametrize("style", ["random", "maniac", "all-in", "calling-station"])
def test_simulated_matches(game: Definition, style: str) -> None:
    bots = [STYLES[style if k % 2 else "random"](Random(k)) for k in range(game.players)]
    players = tuple(Player(f"P{k}", bot) for k, bot in enumerate(bots))
    truth = play_by(game, Order(game_of(game), acpc.GRAMMAR, players, 60, 3, DEALER, ""))
    compared = paid_alike(check(truth.text.encode(), [game]), game, bounds=False)
    assert compared == 60 or (game is UNEQUAL and compared > 5)


@pytest.mark.corpus_files(
    "acpc/real/**/*[0-9b].log",
    "acpc/real/deepstack_ifp/*.log",
    "acpc/engine/2p_*/*.log",
    "acpc/engine/3p_limit/*.log",
    "acpc/engine/3p_nolimit/*.log",
    "acpc/engine/custom/six_max.log",
)
def test_logs_with_equal_stacks(corpus_file: Path) -> None:
    checked = check_file(corpus_file)
    name = checked.outcomes[0].columns["game"].removeprefix(PREFIX)
    game = named(name, (*definitions_beside(corpus_file), *shipped()))
    assert game is not None
    # In limit games PokerKit allows a fourth raise before the flop: it does not count the blind as a bet.
    assert paid_alike(checked, game, bounds=game.nolimit, most=30) > 0
