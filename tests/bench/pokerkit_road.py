"""Plain no-limit hands through PokerKit, as fast as it goes: one state a hand, every action as logged."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

from oracles.decoded import Hand
from oracles.mit_reader import read_match

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)

ACPC_STACK = 20_000
ACPC_GAME = NoLimitTexasHoldem(AUTOMATIONS, True, 0, (50, 100), 100)


def playable(hand: Hand) -> bool:
    """PokerKit refuses folds where a check is free, and asks nobody once both are all-in."""
    return (
        all(a["kind"] != "fold" or a["to_call"] > 0 for a in hand["actions"]) and None not in hand["awards"]
    )


def play_hand(hand: Hand) -> list[int]:
    """The change of the dealer's and the other's stack."""
    state = NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (1, 2), 2, (400, 400), 2)
    # Heads-up PokerKit seats the big blind first.
    for cards in reversed(hand["hole"]):
        state.deal_hole("".join(cards))
    street = 0
    for action in hand["actions"]:
        while street < action["street"]:
            street = _deal(state, hand["board"], street)
        if action["origin"] == "allin":
            continue
        if action["kind"] == "fold":
            state.fold()
        elif action["kind"] in ("call", "check"):
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(action["amount"])
    while state.status and street < 3:
        street = _deal(state, hand["board"], street)
    return [int(state.stacks[1]) - 400, int(state.stacks[0]) - 400]


def _deal(state: object, board: Sequence[str], street: int) -> int:
    first, last = (0, 3) if street == 0 else (street + 2, street + 3)
    state.burn_card("??")  # type: ignore[attr-defined]
    state.deal_board("".join(board[first:last]))  # type: ignore[attr-defined]
    return street + 1


def play(paths: Sequence[Path], count: int) -> tuple[int, float]:
    """Hands played, and the seconds they took; reading is not counted. Raises AssertionError where a pay differs."""
    hands = [hand for path in paths[:12] for hand in read_match(path)["hands"] if playable(hand)][:count]
    before = perf_counter()
    results = [play_hand(hand) for hand in hands]
    taken = perf_counter() - before
    assert results == [hand["awards"] for hand in hands]
    return len(hands), taken


def read_acpc(path: Path, hands: int) -> float:
    """Seconds that PokerKit takes to read and replay the first hands of a heads-up no-limit ACPC log."""
    lines = [line for line in path.read_text().splitlines() if line.startswith("STATE:")][:hands]
    text = "\n".join(lines)
    before = perf_counter()
    played = 0
    for history in HandHistory.from_acpc_protocol(ACPC_GAME, ACPC_STACK, text):
        played += 1
        for _ in history:
            continue
    assert played == len(lines)
    return perf_counter() - before
