"""Random hands of PokerKit as PHH: it and railbird allow the same bets and raises in every decision, and pay the same.

`make fuzz PYTEST_ARGS=tests/replay/test_tables_against_pokerkit.py` plays other thousands of hands. What the two hold
differently is said by `allowed` and by `stacks_of`.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pokerkit import FixedLimitOmahaHoldemHighLowSplitEightOrBetter, HandHistory, State
from pokerkit.games import FixedLimitPokerMixin
from support.pokerkit import DONE_BY_ITSELF

from railbird.analytics.store import open_store
from railbird.ingest import ingest

HANDS: Final = 30
"""Of an example."""
UNIT: Final = 100
"""The largest blind."""
Bounds = tuple[int | None, int | None]


def stacks_of(draw: Random, players: int, owed: Sequence[int]) -> list[int]:
    """Stacks from a few blinds to many; everybody can pay what it posts.

    A call costs the whole big blind where the big blind is short. PokerKit lets players call what it has.
    """
    some = draw.choice(([UNIT, 20 * UNIT], [3 * UNIT, 12 * UNIT], [50 * UNIT, 50 * UNIT]))
    return [max(draw.randint(*some), chips + draw.choice((0, 1, UNIT))) for chips in owed[:players]]


class HiLo(FixedLimitPokerMixin, FixedLimitOmahaHoldemHighLowSplitEightOrBetter):
    """PokerKit's class has the bets of pot limit, against its name."""


class History(HandHistory):
    """Hands whose Omaha hi-lo has fixed bets."""

    game_types: ClassVar = {**HandHistory.game_types, "FO/8": HiLo}


class _SharedOtherwise(Exception):
    """PokerKit shares chips that do not divide in its own way."""


class Sharing:
    """PokerKit's way to share a pot. It pays all chips that do not divide to one player, here they are one at most."""

    shared = False

    def __call__(self, chips: int, parts: int) -> tuple[int, int]:
        each, odd = divmod(chips, parts)
        if odd > 1:
            raise _SharedOtherwise
        self.shared = self.shared or parts > 1
        return each, odd


def start(variant: str, draw: Random, sharing: Sharing) -> tuple[dict[str, Any], State]:
    """The fields of a hand and its state before the deal."""
    players = draw.randint(2, 6 if variant in ("FO/8", "PO") else 10 if variant != "NS" else 8)
    blinds = [UNIT // 2, UNIT] + [0] * (players - 2)
    antes = [draw.choice((0, 0, 10))] * players
    if variant == "NS":
        blinds, antes = [0] * (players - 1) + [UNIT], [UNIT] * players
        if players == 2:
            blinds = [UNIT, 0]
    elif players > 2:
        posted = draw.choice(("", "", "straddle", "two straddles", "new", "late", "button ante"))
        if "straddle" in posted:
            blinds[2] = 2 * UNIT
        if posted == "two straddles" and players > 3:
            blinds[3] = 4 * UNIT
        if posted in ("new", "late") and players > 3:
            blinds[draw.randrange(3, players)] = UNIT if posted == "new" else -UNIT
        if posted == "button ante":
            antes = [0] * (players - 1) + [UNIT]
    owed = [abs(blind) + ante for blind, ante in zip(blinds, antes, strict=True)]
    if players == 2:
        owed = [max(owed)] * 2
    fields: dict[str, Any] = {
        "variant": variant,
        "ante_trimming_status": draw.random() < 0.5 or antes[0] != antes[-1],
        "antes": antes,
        "blinds_or_straddles": blinds,
        "starting_stacks": stacks_of(draw, players, owed),
    }
    if antes[0] != antes[-1]:
        fields["ante_trimming_status"] = False
    fields |= {"small_bet": UNIT, "big_bet": 2 * UNIT} if variant[0] == "F" else {"min_bet": UNIT}
    game = History(**fields, actions=[]).create_game()
    game.automations = DONE_BY_ITSELF
    game.divmod = sharing
    return fields, game(fields["starting_stacks"], players)


def deal(state: State, deck: list[str], actions: list[str]) -> None:
    """Deal what is due."""
    while state.can_deal_hole():
        place = state.hole_dealee_index
        assert place is not None
        cards = "".join(deck.pop() for _ in range(len(state.hole_dealing_statuses[place]) or 1))
        state.deal_hole(cards)
        actions.append(f"d dh p{place + 1} {cards}")
    while state.can_burn_card():
        state.burn_card("??")
    if state.can_deal_board():
        cards = "".join(deck.pop() for _ in range(state.board_dealing_counts[0]))
        state.deal_board(cards)
        actions.append(f"d db {cards}")


def allowed(state: State, fields: dict[str, Any], acted: set[int]) -> Bounds:
    """The least and the most to raise to by PokerKit, and where the rules of rooms say otherwise, by these."""
    low = state.min_completion_betting_or_raising_to_amount
    high = state.max_completion_betting_or_raising_to_amount
    place, bet = state.actor_index, max(state.bets)
    assert place is not None
    own = state.bets[place] + state.stacks[place]
    fixed = "small_bet" in fields
    size = UNIT * (1 + (fixed and (state.street_index or 0) > 1))
    straddle = max(fields["blinds_or_straddles"])
    if not fixed and state.street_index == 0 and straddle > UNIT:
        size = straddle
    size = max(size, state.completion_betting_or_raising_amount)
    if place in acted and bet - state.bets[place] < size:
        # A first bet of the street that is an all-in below the least is no full bet. PokerKit takes it for one.
        return None, None
    if low is None or high is None or fixed:
        return low, high
    # The first raise after a straddle is to twice its size. PokerKit asks for the least bet above it.
    low = min(own, bet + size)
    # What no opponent can match comes back, so that a raise of all that the others have is large enough.
    others = [
        state.bets[k] + state.stacks[k] for k in state.player_indices if k != place and state.statuses[k]
    ]
    return min(low, max(others), high), high


def play(variant: str, draw: Random) -> tuple[str, list[Bounds], list[int]]:
    """A random hand as PHH, what could be raised in each decision, and what each place gained."""
    sharing = Sharing()
    fields, state = start(variant, draw, sharing)
    deck = [rank + suit for rank in ("" if variant == "NS" else "2345") + "6789TJQKA" for suit in "cdhs"]
    draw.shuffle(deck)
    actions: list[str] = []
    told: list[Bounds] = []
    left, acted, street = {*state.player_indices}, set[int](), None
    all_in = {chips for chips, rest in zip(fields["starting_stacks"], state.stacks, strict=True) if not rest}
    bold = draw.choice((0.2, 0.5, 0.9))
    while state.status:
        deal(state, deck, actions)
        place = state.actor_index
        if place is None:
            continue
        if state.street_index != street:
            street, acted = state.street_index, set()
        low, high = allowed(state, fields, acted)
        told.append((low, high))
        acted.add(place)
        if low is not None and high is not None and draw.random() < bold:
            # What PokerKit does not take is a raise that no opponent can match.
            low = max(low, state.min_completion_betting_or_raising_to_amount or 0)
            to = draw.choice((low, low, high, draw.randint(low, high), min(low + 1, high)))
            if to == state.bets[place] + state.stacks[place]:
                all_in.add(fields["starting_stacks"][place])
            state.complete_bet_or_raise_to(to)
            actions.append(f"p{place + 1} cbr {to}")
        elif state.checking_or_calling_amount and draw.random() < 0.3:
            state.fold()
            left.discard(place)
            actions.append(f"p{place + 1} f")
        else:
            if state.checking_or_calling_amount == state.stacks[place]:
                all_in.add(fields["starting_stacks"][place])
            state.check_or_call()
            actions.append(f"p{place + 1} cc")
    if sharing.shared and len(all_in) > 1:
        # It joins the pots that only losers' stacks part.
        raise _SharedOtherwise
    if len(left) > 1:
        actions += [f"p{place + 1} sm -" for place in sorted(left)]
    fields |= {"actions": actions, "finishing_stacks": list(state.stacks)}
    text = "\n".join(
        f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}"
        for key, value in fields.items()
    )
    return text, told, list(state.payoffs)


def hands_of(variant: str, draw: Random) -> Iterator[tuple[str, list[Bounds], list[int]]]:
    """Random hands; those in which PokerKit shares the chips that do not divide otherwise are left out."""
    while True:
        with suppress(_SharedOtherwise):
            yield play(variant, draw)


@pytest.mark.parametrize("variant", ["NT", "FT", "PO", "FO/8", "NS"])
@settings(max_examples=2, phases=[Phase.generate])
@given(st.integers(0, 1 << 32))
def test_random_hands_are_pokerkits(variant: str, seed: int) -> None:
    draw = Random(seed)
    hands = list(islice(hands_of(variant, draw), HANDS))
    with TemporaryDirectory() as folder:
        log = Path(folder) / "hands.phhs"
        # A match each: its seats are the places.
        log.write_text("".join(f"[{n}]\n{text}\ntable = '{n}'\n\n" for n, (text, *_) in enumerate(hands)))
        ingest([log], Path(folder) / "store")
        with open_store(Path(folder) / "store") as store:
            rows = store.execute("""
                select line, verdict, (select list(delta order by seat) from seats
                    where seats.match_id = hands.match_id and seats.hand_index = hands.hand_index),
                    (select list((min_raise_to, max_raise_to) order by seq) from actions
                    where actions.match_id = hands.match_id and actions.hand_index = hands.hand_index
                        and origin <> 'post')
                from hands order by line""").fetchall()
            found = store.execute("select line, message from findings").fetchall()
    assert not found, (found, hands)
    assert len(rows) == HANDS
    for (_, verdict, gained, bounds), (text, told, paid) in zip(rows, hands, strict=True):
        assert verdict == "ok", text
        assert gained == paid, text
        assert [tuple(pair) for pair in bounds] == told, (text, list(zip(bounds, told, strict=True)))
