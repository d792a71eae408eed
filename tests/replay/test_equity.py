"""Exact equities against plain enumeration on small decks, poker-equity, and the rules of the games."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random

import numpy as np
import poker_equity
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cards import parse_cards

from oracles import equity as oracle
from railbird.replay.cards import CARD_CODE, CARD_TEXT, RANKS
from railbird.replay.equity import counting, preflop
from railbird.replay.equity.counting import FULL_DECK, count, deck_mask, shares, situations


def codes(cards: Sequence[str]) -> list[int]:
    return [CARD_CODE[card] for card in cards]


def dealt(rng: Random, sizes: Sequence[int], deck: int, suits: str = "cdhs") -> list[list[str]]:
    """Some hands of cards, and last the deck that is left: all out of `deck` plus what the hands need."""
    every = [card for card in CARD_TEXT if card[1] in suits]
    drawn = rng.sample(every, sum(sizes) + deck)
    found = []
    for size in sizes:
        found.append(drawn[:size])
        drawn = drawn[size:]
    return [*found, drawn]


def counted(
    holes: Sequence[Sequence[str]], board: Sequence[str], deck: Sequence[str], due: int = 5, run: int = -1
) -> list[float]:
    width = max(map(len, holes))
    cards = np.full((1, len(holes), width), -1, np.int8)
    for k, hole in enumerate(holes):
        cards[0, k, : len(hole)] = codes(hole)
    every = deck_mask(codes([card for hole in holes for card in hole] + [*board, *deck]))
    given_ = situations(cards, np.array([codes(board)], np.int8).reshape(1, -1), due=due, run=run)
    return shares(count(given_, deck=every).wins[:, 0])[0].tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("suits", ["cdhs", "cd", "hs"])
@pytest.mark.parametrize(("on_board", "deck"), [(0, 9), (3, 10), (4, 12), (5, 3)])
@pytest.mark.parametrize("players", [2, 3])
def test_every_runout_is_counted(players: int, on_board: int, deck: int, suits: str) -> None:
    rng = Random(f"{players} {on_board} {suits}")
    for _ in range(4):
        *holes, board, left = dealt(rng, [*[2] * players, on_board], deck, suits)
        assert counted(holes, board, left) == pytest.approx(
            [float(x) for x in oracle.shares(holes, board, left)], abs=1e-14
        )


@pytest.mark.parametrize(
    ("holes", "on_board", "due"), [((3, 2), 3, 5), ((3, 3), 4, 5), ((2, 2), 4, 6), ((2, 2), 6, 6)]
)
def test_hands_of_three_cards_and_boards_of_six(holes: tuple[int, ...], on_board: int, due: int) -> None:
    rng = Random(f"{holes} {on_board}")
    for _ in range(4):
        *hands, board, left = dealt(rng, [*holes, on_board], 8)
        expected = [float(x) for x in oracle.shares(hands, board, left, due)]
        assert counted(hands, board, left, due) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    ("hole", "on_board", "due"), [(2, 3, 5), (2, 4, 5), (2, 5, 5), (3, 4, 5), (2, 5, 6), (2, 7, 5)]
)
@pytest.mark.parametrize("suits", ["cdhs", "cd"])
def test_a_hand_against_two_unseen_cards(hole: int, on_board: int, due: int, suits: str) -> None:
    rng = Random(f"{hole} {on_board} {suits}")
    for _ in range(3):
        mine, board, left = dealt(rng, [hole, on_board], 8, suits)
        cards = np.full((1, 2, 3), -1, np.int8)
        cards[0, 0, :hole] = codes(mine)
        given_ = situations(cards, np.array([codes(board)], np.int8), due=max(due, on_board))
        found = count(given_, unseen=True, deck=deck_mask(codes([*mine, *board, *left])))
        expected = oracle.against_unseen(mine, board, left, max(due, on_board))
        assert found.unseen[0, 0] == pytest.approx(float(expected), abs=1e-14)


@pytest.mark.parametrize("run", [0, 1, 2, 3])
@pytest.mark.parametrize("on_board", [3, 4, 5, 6])
def test_a_run_is_counted_card_by_card(on_board: int, run: int) -> None:
    rng = Random(f"{on_board} {run}")
    for _ in range(2):
        first, second, board, left = dealt(rng, [2, 2, on_board], 6)
        if any(card[1] not in oracle.RED for card in board[4:-1]):
            continue
        expected = oracle.bloody_shares([first, second], list(board), left, 5 + run)
        assert counted([first, second], board, left, run=run) == pytest.approx(
            [float(x) for x in expected], abs=1e-14
        )


@pytest.mark.parametrize("on_board", [0, 3, 4, 5])
def test_poker_equity_agrees(on_board: int) -> None:
    rng = Random(on_board)
    for _ in range(3 if on_board else 2):
        first, second, board = (dealt(rng, [2, 2, on_board], 0))[:3]
        theirs = poker_equity.exact_from_text("holdem", ["".join(first), "".join(second)], "".join(board))
        rest = [card for card in CARD_TEXT if card not in {*first, *second, *board}]
        assert counted([first, second], board, rest)[0] == pytest.approx(
            theirs["players"][0]["equity"], abs=1e-12
        )


def test_three_players_before_the_flop_agree_with_poker_equity() -> None:
    hands = [["As", "Kd"], ["7h", "7c"], ["Jh", "Th"]]
    theirs = poker_equity.exact_from_text("holdem", ["".join(hand) for hand in hands])
    rest = [card for card in CARD_TEXT if card not in {card for hand in hands for card in hand}]
    expected = [player["equity"] for player in theirs["players"]]
    assert counted(hands, [], rest) == pytest.approx(expected, abs=1e-12)


@given(st.randoms(use_true_random=False), st.sampled_from([(3, 4), (4, 5)]))
def test_the_mean_over_the_next_card_is_the_equity_before_it(rng: Random, sizes: tuple[int, int]) -> None:
    before, after = sizes
    first, second, board, left = dealt(rng, [2, 2, before], 52 - 4 - before)
    n = len(left)
    holes = np.repeat(np.array([[codes(first), codes(second)]], np.int8), n, axis=0)
    boards = np.array([codes([*board, card]) for card in left], np.int8)
    assert boards.shape == (n, after)
    each = shares(count(situations(holes, boards)).wins[:, 0])[:, 0]
    assert each.mean() == pytest.approx(counted([first, second], board, left)[0], abs=1e-13)


def test_ranks_on_the_board_are_counted_with_who_wins() -> None:
    first, second, board, left = dealt(Random(8), [2, 2, 3], 9)
    holes = np.array([[codes(first), codes(second)]], np.int8)
    every = deck_mask(codes([*first, *second, *board, *left]))
    found = count(situations(holes, np.array([codes(board)], np.int8)), hits=True, deck=every)
    for rank in range(13):
        expected = [Fraction(0)] * 4
        for whole in oracle.runouts(board, left, 5):
            if any(card[0] == RANKS[rank] for card in whole):
                won = oracle.winners([first, second], whole)
                expected[sum(1 << k for k in won)] += Fraction(1, comb(len(left), 2))
        assert found.hits[0, :, rank].tolist() == pytest.approx([float(x) for x in expected], abs=1e-14)


def test_a_dead_card_does_not_come() -> None:
    first, second, board, left = dealt(Random(2), [2, 2, 4], 44)
    holes = np.array([[codes(first), codes(second)]], np.int8)
    dead = np.array([codes(left[:3])], np.int8)
    found = count(situations(holes, np.array([codes(board)], np.int8), dead=dead))
    assert shares(found.wins[:, 0])[0, 0] == pytest.approx(
        float(oracle.shares([first, second], board, left[3:])[0])
    )


def test_side_pots_are_won_by_those_who_are_in_them() -> None:
    # On this board seat 0 has the best hand and is in the main pot alone; of the others seat 2 is better.
    holes = np.array([[parse_cards("AcAd"), parse_cards("2c7d"), parse_cards("KcKd")]], np.int8)
    board = np.array([parse_cards("As Kh 9c 5d 3s")], np.int8)
    found = count(situations(holes, board, pots=np.array([[0b111, 0b110]])))
    assert found.wins[0, 0].tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    assert found.wins[0, 1].tolist() == [0, 0, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("board", "sets"), [("2c 7d 9h Jc Qd", [0, 1, 0, 0]), ("As Ks Qs Js Ts", [0, 0, 0, 1])]
)
def test_a_player_without_cards_plays_the_board(board: str, sets: list[int]) -> None:
    holes = np.array([[parse_cards("3c3d"), [-1, -1]]], np.int8)
    whole = parse_cards(board)
    assert count(situations(holes, np.array([whole], np.int8))).wins[0, 0].tolist() == sets
    # Whichever river comes, on the turn as well.
    turn = count(situations(holes, np.array([whole[:4]], np.int8))).wins[0, 0]
    assert turn.sum() == pytest.approx(1)
    assert turn[2] == 0


def test_what_cannot_be_counted_is_not_a_number() -> None:
    cards = np.array([[parse_cards("AcAd5h"), [*parse_cards("2c7d"), -1]]], np.int8)
    assert np.isnan(count(situations(cards)).wins).all()


def test_matchups_are_the_same_in_every_suit_and_seat() -> None:
    pairs = ["AhKh 2c2d", "AsKs 2h2c", "2c2d AhKh"]
    holes = np.array([[parse_cards(hand) for hand in pair.split()] for pair in pairs], np.int8)
    found = preflop.matchups(holes)
    assert found.wins[0].tolist() == found.wins[1].tolist() == found.wins[2, [1, 0, 2]].tolist()
    assert found.hits[0].tolist() == found.hits[2, [1, 0, 2]].tolist()
    whole = count(situations(holes), hits=True)
    assert found.wins == pytest.approx(whole.wins[:, 0, 1:])
    assert found.hits == pytest.approx(whole.hits[:, 1:])


def test_matchups_are_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = [tmp_path / "kernels-1", tmp_path / "kernels-2"]
    for version in versions:
        version.mkdir()
    monkeypatch.setattr(preflop, "cache_folder", lambda: versions[0])
    preflop._kept.cache_clear()
    holes = np.array([[parse_cards("QhJh"), parse_cards("5c5d")]], np.int8)
    calls: list[tuple[int, int]] = []
    try:
        first = preflop.matchups(holes, lambda done, total: calls.append((done, total)))
        # The kernels of another version find them counted.
        assert [path.name for path in tmp_path.rglob("*.npz")] == [preflop._FILE]
        monkeypatch.setattr(preflop, "cache_folder", lambda: versions[1])
        preflop._kept.cache_clear()
        again = preflop.matchups(holes, lambda done, total: calls.append((done, total)))
        assert calls == [(1, 1)]
        assert again.wins.tolist() == first.wins.tolist()
        (tmp_path / preflop._FILE).write_bytes(b"cut short")
        preflop._kept.cache_clear()
        assert preflop.matchups(holes).wins.tolist() == first.wins.tolist()
    finally:
        preflop._kept.cache_clear()


@pytest.mark.parametrize("name", ["AA", "72o", "JTs"])
def test_the_equity_against_unseen_cards_is_the_mean_of_the_matchups(name: str) -> None:
    hand = codes([name[0] + "c", name[1] + ("c" if name[2:] == "s" else "d")])
    rest = [code for code in range(52) if code not in hand]
    pairs = [[hand, [a, b]] for k, a in enumerate(rest) for b in rest[k + 1 :]]
    some = preflop.matchups(np.array(pairs, np.int8))
    mean = (some.wins[:, 0] + some.wins[:, 2] / 2).mean()
    assert preflop.against_unseen(np.array([hand], np.int8))[0] == pytest.approx(mean, abs=1e-12)


def test_the_means_over_all_deals_are_those_of_random_ones() -> None:
    rng = Random(4)
    deals = np.array([rng.sample(range(52), 4) for _ in range(1500)], np.int8).reshape(-1, 2, 2)
    found = preflop.matchups(deals)
    sums = preflop.sums()
    tie = found.wins[:, 2]
    assert abs(tie.mean() - preflop.tie_chance()) < 4 * tie.std() / len(tie) ** 0.5
    for rank in (0, 6, 12):
        own = (deals[:, 0] >> 2 == rank).any(axis=1)
        for kind, known in ((0, sums.win_hit), (2, sums.tie_hit)):
            hit = np.where(own, found.wins[:, kind], found.hits[:, kind, rank])
            assert abs(hit.mean() - known[rank]) < 4 * hit.std() / len(hit) ** 0.5
    # Every card is as likely as any: a pair of unseen hands has equity one half.
    weights = np.where(np.eye(13) == 1, 6.0, np.where(np.tri(13, k=-1) == 1, 4.0, 12.0))
    assert (sums.unseen * weights).sum() / weights.sum() == pytest.approx(0.5, abs=1e-12)


def test_a_full_deck_has_52_cards() -> None:
    assert FULL_DECK.bit_count() == 52
    assert counting.deck_mask(range(52)) == FULL_DECK
