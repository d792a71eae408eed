"""Sessions of OpenSpiel's repeated poker as PokerKit plays them: random decisions, a line a hand."""

from dataclasses import dataclass
from fractions import Fraction
from math import trunc
from random import Random
from typing import Any

from pokerkit import Mode, NoLimitTexasHoldem, State

from support.pokerkit import DONE_BY_ITSELF

RANKS, SUITS = "23456789TJQKA", "cdhs"


@dataclass
class Dealt:
    """A hand by seat, those out left out: the stacks before it, and what each won, exactly."""

    number: int
    dealer: int
    stacks: dict[int, Fraction]
    net: dict[int, Fraction]
    line: str


def exact(dividend: int, divisor: int) -> tuple[Any, int]:
    """A share of a pot."""
    return Fraction(dividend) / divisor, 0


def session(
    random: Random, players: int, stack: int, hands: int, *, carries: bool, blinds: tuple[int, int] = (1, 2)
) -> list[Dealt]:
    """Play a session. Where stacks are carried on, a player without chips is out."""
    stacks = {seat: Fraction(stack) for seat in range(players)}
    dealer, found = players - 1, list[Dealt]()
    for number in range(hands):
        if not carries:
            stacks = dict.fromkeys(range(players), Fraction(stack))
        if len(stacks) < 2:
            break
        if number:
            dealer = next((seat for seat in sorted(stacks) if seat > dealer), min(stacks))
        found.append(_hand(random, number, dealer, stacks, blinds))
        for seat, net in found[-1].net.items():
            # The engine's stacks are whole.
            stacks[seat] = Fraction(trunc(stacks[seat] + net))
        stacks = {seat: chips for seat, chips in stacks.items() if chips > 0}
    return found


def _hand(
    random: Random, number: int, dealer: int, stacks: dict[int, Fraction], blinds: tuple[int, int]
) -> Dealt:
    seats = sorted(stacks)
    at = seats.index(dealer) + 1
    order = seats[at:] + seats[:at]
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    random.shuffle(deck)
    own: list[Any] = [stacks[seat] for seat in order]
    state = NoLimitTexasHoldem.create_state(
        DONE_BY_ITSELF,
        True,
        0,
        blinds,
        blinds[1],
        own,
        len(order),
        mode=Mode.CASH_GAME,
        divmod=exact,
    )
    holes = {seat: deck.pop() + deck.pop() for seat in order}
    for seat in order:
        state.deal_hole(holes[seat])
    betting, board = "", list[str]()
    while state.status:
        if state.can_burn_card():
            state.burn_card("??")
            board.append("".join(deck.pop() for _ in range(3 if not board else 1)))
            state.deal_board(board[-1])
            betting += "/"
        else:
            betting += _decide(random, state)
    net = {seat: Fraction(state.stacks[k]) - stacks[seat] for k, seat in enumerate(order)}
    columns = "|".join(holes[seat] for seat in seats)
    results = "|".join(str(trunc(net[seat])) for seat in seats)
    names = "|".join(f"Player{seat}" for seat in seats)
    cards = "/".join((columns, *board))
    return Dealt(number, dealer, dict(stacks), net, f"STATE:{number}:{betting}:{cards}:{results}:{names}")


def _decide(random: Random, state: State) -> str:
    """Act for whoever is to, and return what OpenSpiel writes of it: raises to the chips of the hand."""
    assert state.actor_index is not None
    low = state.min_completion_betting_or_raising_to_amount
    high = state.max_completion_betting_or_raising_to_amount
    facing = state.checking_or_calling_amount
    able = sum(live and chips > 0 for live, chips in zip(state.statuses, state.stacks, strict=True))
    if not facing and able == 1:
        # OpenSpiel does not ask the last player with chips.
        state.check_or_call()
        return ""
    if low is not None and high is not None and random.random() < 0.2:
        amount: Any = random.choice((low, high, Fraction(random.randint(int(low), int(high)))))
        seat = state.actor_index
        before = state.starting_stacks[seat] - state.stacks[seat] - state.bets[seat]
        state.complete_bet_or_raise_to(amount)
        return f"r{int(before + amount)}"
    if facing and random.random() < 0.3:
        state.fold()
        return "f"
    state.check_or_call()
    return "c"
