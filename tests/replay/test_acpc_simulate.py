"""ACPC games played forward, written, read and replayed: equal, and nothing found."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.acpc import Checked, check

from oracles import acpc as oracle
from railbird.parsers import acpc
from railbird.parsers.acpc_game import Definition, parse_definition, write_definition
from railbird.replay.acpc.dealer import AcpcPlayed, play, play_by
from railbird.replay.acpc.definitions import DEALER, game_of, shipped
from railbird.replay.bots import STYLES
from railbird.replay.cards import card_texts
from railbird.replay.simulate import Order, Player
from railbird.schema.words import ACTIONS, ORIGINS

NAMES = st.lists(
    st.sampled_from(["A", "B", "A:B", "x|y", "STATE:0", "Ü", "# 5", "A B", "-1", "c", "Bot.1"]),
    min_size=10,
    max_size=10,
    unique=True,
)
STYLE_LISTS = st.lists(st.sampled_from(sorted(STYLES)), min_size=10, max_size=10)


@st.composite
def definitions(draw: st.DrawFn) -> Definition:
    """Any game of two to ten players, with equal stacks, unequal ones or none."""
    players = draw(st.integers(2, 10))
    rounds = draw(st.integers(1, 4))
    nolimit = draw(st.booleans())
    small = draw(st.integers(1, 50))
    position = draw(st.integers(0, players - 1))
    blinds = [0] * players
    if draw(st.booleans()):
        blinds = [small] * players
    else:
        blinds[position], blinds[(position + 1) % players] = small, 2 * small
    chips = st.integers(2 * small + 1, 400 * small)
    stacks = draw(st.lists(chips, min_size=players, max_size=players))
    if not nolimit:
        # A fixed raise beyond a short stack is cut by the dealer to less than others bet: equal stacks only.
        stacks = [max(stacks)] * players if draw(st.booleans()) else []

    def per_round(low: int, high: int) -> st.SearchStrategy[list[int]]:
        return st.lists(st.integers(low, high), min_size=rounds, max_size=rounds)

    boards = draw(per_round(0, 3).filter(lambda b: sum(b[1:]) <= 7))
    boards[0] = 0
    holes = draw(st.integers(1, 3))
    needed = players * holes + sum(boards)
    suits = draw(st.integers(-(-needed // 13), 4))
    return parse_definition(
        "\n".join(
            [
                "GAMEDEF",
                "nolimit" if nolimit else "limit",
                f"numPlayers = {players}",
                f"numRounds {rounds}",
                *([f"stack = {' '.join(map(str, stacks))}"] if stacks else []),
                f"Blind = {' '.join(map(str, blinds))}",
                f"raiseSize = {' '.join(map(str, draw(per_round(1, 40))))}",
                f"firstPlayer = {' '.join(map(str, draw(per_round(1, players))))}",
                f"maxRaises = {' '.join(map(str, draw(per_round(0, 5))))}",
                f"numSuits = {suits}",
                f"numRanks = {draw(st.integers(-(-needed // suits), 13))}",
                f"numHoleCards = {holes}",
                f"numBoardCards = {' '.join(map(str, boards))}",
                "END GAMEDEF",
            ]
        ),
        "any.game.at.all",
    )


def played(
    game: Definition, names: list[str], styles: list[str], hands: int, seed: int, fixed: bool
) -> AcpcPlayed:
    bots = [STYLES[style](Random(f"{seed}/{k}")) for k, style in enumerate(styles)]
    players = tuple(Player(name, bot) for name, bot in zip(names[: game.players], bots, strict=False))
    order = Order(game_of(game), acpc.GRAMMAR, players, hands, seed, DEALER, "")
    return play_by(game, order, fixed)


def rows_of(rows: list[dict[str, Any]], index: int) -> list[dict[str, Any]]:
    return [row for row in rows if row["hand_index"] == index]


def assert_same(truth: AcpcPlayed, checked: Checked, game: Definition) -> None:
    assert checked.is_clean, checked.rows("findings")
    assert checked.hands == len(truth.hands)
    if not truth.hands:
        return
    assert ["|".join(names) for names in checked.names] == ["|".join(truth.names)]
    # A bar within a name is told from one between names only once every name has been first.
    if len(truth.hands) >= game.players and truth.hands[0].dealer != truth.hands[1].dealer:
        assert checked.names == [truth.names]
    hands, seats, actions = checked.rows("hands"), checked.rows("seats"), checked.actions()
    slow = oracle.read_game(write_definition(game))
    lines = [line for line in truth.text.splitlines() if line.startswith("STATE:")]
    for index, (hand, line) in enumerate(zip(truth.hands, lines, strict=True)):
        row, own = hands[index], rows_of(seats, index)
        assert (row["hand_no"], row["dealer_seat"]) == (hand.number, hand.dealer)
        assert row["board"] == card_texts(hand.board)
        assert row["undealt"] == card_texts(hand.undealt)
        assert [seat["hole"] for seat in own] == [card_texts(hole) for hole in hand.holes]
        assert [seat["contribution"] for seat in own] == hand.put
        for seat, gain in zip(own, hand.payouts, strict=True):
            assert abs(seat["delta"] - gain) <= 1e-6
            assert abs(seat["delta"] + seat["written_off"] - float(gain)) < 1e-9
        if not set("|:") & set("".join(truth.names)):
            read = oracle.read_line(line)
            turn = (hand.dealer + 1) % game.players
            due = oracle.pay(slow, read)
            assert [due[(k - turn) % game.players] for k in range(game.players)] == hand.payouts
        acts = [a for a in rows_of(actions, index) if a["action"] != "post"]
        assert [
            (a["street"], a["seat"], a["action"], a["amount_to"] if a["action"] in ("bet", "raise") else -1)
            for a in acts
        ] == [(a.street, a.seat, ACTIONS[a.action], a.raise_to) for a in hand.actions]
        assert [a["origin"] for a in acts] == [ORIGINS[a.origin] for a in hand.actions]
        assert_chips_add_up(game, hand.dealer, rows_of(actions, index))
        faults = [(f["seat"], f["kind"]) for f in rows_of(checked.rows("faults"), index)]
        assert faults == hand.faults


def assert_chips_add_up(game: Definition, dealer: int, acts: list[dict[str, Any]]) -> None:
    """What the relation derives of each action of a hand, from the chips put in before it."""
    positions = [(position, blind) for position, blind in enumerate(game.blinds) if blind]
    for seq, (position, blind) in enumerate(positions):
        post = acts[seq]
        assert (post["seq"], post["action"], post["origin"], post["street"]) == (seq, "post", "post", 0)
        assert post["seat"] == (dealer + 1 + position) % game.players
        assert (post["amount_to"], post["amount_logged"], post["chips_added"]) == (blind, blind, blind)
        assert (post["bet_level"], post["active_players"]) == (0, game.players)
        assert post["min_raise_to"] is None
        assert post["max_raise_to"] is None
    assert all(a["action"] != "post" for a in acts[len(positions) :])
    spent = dict.fromkeys(range(game.players), 0.0)
    for a in acts:
        seat, stack = a["seat"], game.stacks[(a["seat"] - dealer - 1) % game.players]
        assert a["pot_before"] == sum(spent.values())
        assert a["stack_before"] == (stack - spent[seat] if game.has_stacks else None)
        assert a["big_blind"] == game.big_blind
        if a["action"] in ("bet", "raise"):
            assert a["min_raise_to"] <= a["amount_to"] <= a["max_raise_to"]
            assert a["amount_logged"] == (spent[seat] + a["chips_added"] if game.nolimit else a["amount_to"])
        spent[seat] += a["chips_added"]


@given(definitions(), NAMES, STYLE_LISTS, st.integers(1, 25), st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=40)
def test_any_game_comes_back_as_it_was_played(
    game: Definition, names: list[str], styles: list[str], hands: int, seed: int, fixed: bool
) -> None:
    truth = played(game, names, styles, hands, seed, fixed)
    # Of one hand nobody can tell that seats are fixed, of an even turn neither.
    if fixed and len(truth.hands) < 2:
        return
    assert parse_definition(write_definition(game), game.name) == game
    errors = truth.errors.encode().splitlines(keepends=True)
    assert_same(truth, check(truth.text.encode(), [game], errors), game)


def test_a_bar_in_a_name_shows_once_every_name_was_first() -> None:
    kuhn = next(game for game in shipped() if game.name == "kuhn.limit.3p")
    game = replace(kuhn, name="nine", players=9, stacks=(9,) * 9, blinds=(1,) * 9, suits=4)
    names = [*"abcde", "f|g", "h", "i", "j:|"]
    truth = played(game, names, ["all-in"] * 9, 9, 0, False)
    assert_same(truth, check(truth.text.encode(), [game], []), game)


@pytest.mark.parametrize("game", shipped(), ids=lambda game: game.name)
@given(STYLE_LISTS, st.integers(1, 40), st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_shipped_games_come_back_as_they_were_played(
    game: Definition, styles: list[str], hands: int, seed: int
) -> None:
    truth = played(game, [f"P{k}" for k in range(10)], styles, hands, seed, False)
    errors = truth.errors.encode().splitlines(keepends=True)
    assert_same(truth, check(truth.text.encode(), (), errors), game)


def test_the_same_seed_plays_the_same_match() -> None:
    game = shipped()[3]
    arguments = (game, ["A", "B", "C"] * 4, ["random"] * 10, 12, 7, False)
    assert played(*arguments) == played(*arguments)


def test_only_shipped_definitions_are_played_by_name() -> None:
    game = parse_definition(write_definition(shipped()[0]), "mine")
    order = Order(game_of(game), acpc.GRAMMAR, (), 1, 1, DEALER, "")
    with pytest.raises(ValueError, match="acpc/mine has no definition that could be played"):
        play(order)
    with pytest.raises(ValueError, match="is for 2 players, not 0"):
        play(Order(game_of(shipped()[0]), acpc.GRAMMAR, (), 1, 1, DEALER, ""))
