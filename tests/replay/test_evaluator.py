"""Hand strength against a classifier that counts, brute force over subsets, known counts and eval7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, combinations_with_replacement, pairwise, permutations

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray
from support.cards import parse_cards

from railbird.replay import evaluator
from railbird.replay.cards import CARD_TEXT, NO_CARD
from railbird.replay.evaluator import category, strength, strength_of

COMPILED = hasattr(strength, "py_func")
compiled_only = pytest.mark.skipif(not COMPILED, reason="millions of hands: only with the JIT")

# https://en.wikipedia.org/wiki/Poker_probability: hands of five cards by category, and how many differ.
FIVE_CARD_HANDS = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
FIVE_CARD_STRENGTHS = 7462

CATEGORY_NAMES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)

Reference = tuple[int, list[int]]


def classify(cards: Iterable[int]) -> Reference:
    """Five cards as (category, ranks by importance), by counting; compares as poker hands do."""
    ranks = [card // 4 for card in cards]
    counts = Counter(ranks)
    ordered = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card % 4 for card in cards}) == 1
    straight = len(counts) == 5 and max(ranks) - min(ranks) == 4
    if ordered == [12, 3, 2, 1, 0]:
        straight, ordered = True, [3]
    if straight:
        ordered = ordered[:1]
    if straight and flush:
        name = "straight flush"
    elif shape == [4, 1]:
        name = "four of a kind"
    elif shape == [3, 2]:
        name = "full house"
    elif flush:
        name = "flush"
    elif straight:
        name = "straight"
    else:
        name = {(3, 1, 1): "three of a kind", (2, 2, 1): "two pair", (2, 1, 1, 1): "pair"}.get(
            tuple(shape), "high card"
        )
    return CATEGORY_NAMES.index(name), ordered


def decoded(value: int) -> Reference:
    """A strength in the classifier's terms: its category, then the ranks of its two fields, highest first."""
    fields = [value >> 13 & 8191, value & 8191]
    return value >> 26, [rank for field in fields for rank in range(12, -1, -1) if field >> rank & 1]


def codes(cards: Sequence[int] | str) -> NDArray[np.int8]:
    return np.array(parse_cards(cards) if isinstance(cards, str) else cards, dtype=np.int8)


def value(cards: Sequence[int] | str) -> int:
    array = codes(cards)
    return int(strength_of(array, len(array)))


def name(cards: Sequence[int] | str) -> str:
    return CATEGORY_NAMES[category(value(cards))]


def deal(seed: int, hands: int, n: int) -> NDArray[np.int8]:
    """`hands` random hands of `n` cards, shape (hands, n)."""
    rng = np.random.default_rng(seed)
    return rng.random((hands, 52)).argsort(axis=1)[:, :n].astype(np.int8)


@njit()
def strengths(hands: NDArray[np.int8]) -> NDArray[np.int64]:
    out = np.empty(hands.shape[0], dtype=np.int64)
    for i in range(hands.shape[0]):
        out[i] = strength_of(hands[i], hands.shape[1])
    return out


@njit()
def all_five_card_strengths(deck: NDArray[np.int8]) -> NDArray[np.int64]:
    """Strengths of all five-card subsets of `deck`."""
    n = len(deck)
    out = np.empty(n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120, dtype=np.int64)
    hand = np.empty(5, dtype=deck.dtype)
    at = 0
    for a in range(n):
        hand[0] = deck[a]
        for b in range(a + 1, n):
            hand[1] = deck[b]
            for c in range(b + 1, n):
                hand[2] = deck[c]
                for d in range(c + 1, n):
                    hand[3] = deck[d]
                    for e in range(d + 1, n):
                        hand[4] = deck[e]
                        out[at] = strength_of(hand, 5)
                        at += 1
    return out


# Five cards: the whole space, by two routes.


def test_every_kind_of_five_card_hand_is_ordered_as_counted() -> None:
    kinds = []
    for ranks in combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) > 4:
            continue
        # Ranks ascend, so equal ones are neighbours and get different suits.
        kinds.append([rank * 4 + place % 4 for place, rank in enumerate(ranks)])
        if len(set(ranks)) == 5:
            kinds.append([rank * 4 for rank in ranks])
    assert len(kinds) == FIVE_CARD_STRENGTHS
    kinds.sort(key=classify)
    values = [value(kind) for kind in kinds]
    assert all(worse < better for worse, better in pairwise(values))
    assert [category(v) for v in values] == [classify(kind)[0] for kind in kinds]


@compiled_only
def test_counts_over_all_five_card_hands() -> None:
    values = all_five_card_strengths(np.arange(52, dtype=np.int8))
    assert len(values) == 2_598_960
    assert np.bincount(values >> 26).tolist() == FIVE_CARD_HANDS
    assert len(np.unique(values)) == FIVE_CARD_STRENGTHS


# More cards: the best of all subsets of five.

ADVERSARIAL = {
    "two trips are a full house": ("AhAdAc KhKdKc 2s", "full house", [12, 11]),
    "three trips: the best two": ("2h2d2c AhAdAc KhKdKc", "full house", [12, 11]),
    "best pair beside trips": ("5h5d5c 2s2h KdKc 9s9h", "full house", [3, 11]),
    "low trips over high pairs": ("2h2d2c AhAd KdKc", "full house", [0, 12]),
    "pair of the better trips is not its own": ("AhAdAc 2s2h 9c", "full house", [12, 0]),
    "three pairs: the third is a kicker": ("AhAd KhKd QhQc 2s", "two pair", [12, 11, 10]),
    "three pairs: a better single kicker": ("JhJd 9h9c 5s5d Ac", "two pair", [9, 7, 12]),
    "four pairs": ("2c2d 4h4s 7c7d 9h9s", "two pair", [7, 5, 2]),
    "quads with a single kicker": ("7h7d7c7s 2h3d Ac", "four of a kind", [5, 12]),
    "quads with a kicker from a pair": ("7h7d7c7s AhAd Kc", "four of a kind", [5, 12]),
    "quads with a kicker from trips": ("7h7d7c7s 9h9d9c 8c", "four of a kind", [5, 7]),
    "two quads": ("7h7d7c7s 9h9d9c9s", "four of a kind", [7, 5]),
    "two quads and a kicker between": ("3h3d3c3s 9h9d9c9s 5c", "four of a kind", [7, 3]),
    "quads beat a full house of better ranks": ("2h2d2c2s AhAdAc KcKd", "four of a kind", [0, 12]),
    "six of a suit": ("AhQh9h7h5h3h", "flush", [12, 10, 7, 5, 3]),
    "wheel": ("Ah2d3c4s5h KdKc", "straight", [3]),
    "six-high beats the wheel": ("Ah2d3c4s5h6d", "straight", [4]),
    "no straight round the corner": ("QhKdAc2s3h 8d", "high card", [12, 11, 10, 6, 1]),
    "two straights apart": ("2h3d4c5s6h 9d TcJsQhKd", "straight", [11]),
    "straight through pairs": ("2h2d3c3s4h4d5c6s", "straight", [4]),
    "straight beats trips": ("5h5d5c 6s7h8d9c", "straight", [7]),
    "flush beats straight": ("2h9hThJhQh Kd 8c", "flush", [10, 9, 8, 7, 0]),
    "full house beats flush": ("2h9hThJhQh 9d9c 2c", "full house", [7, 0]),
    "quads beat flush": ("2h9hThJhQh 9d9c9s", "four of a kind", [7, 10]),
    "straight and flush of other cards": ("2h9hThJhQh 8c", "flush", [10, 9, 8, 7, 0]),
    "straight flush under a higher straight": ("5h6h7h8h9h TdJc", "straight flush", [7]),
    "straight flush under a higher flush card": ("5h6h7h8h9h Ah", "straight flush", [7]),
    "steel wheel": ("Ah2h3h4h5h 6d", "straight flush", [3]),
    "straight flush beats quads": ("Ah2h3h4h5h AdAcAs", "straight flush", [3]),
    "two flushes, the later suit better": ("KcTc8c6c2c AsTs8s6s3s", "flush", [12, 8, 6, 4, 1]),
    "two flushes, the earlier suit better": ("AcTc8c6c3c KsTs8s6s2s", "flush", [12, 8, 6, 4, 1]),
    "two flushes differing in the fifth card": ("AdTd8d6d2d AhTh8h6h3h", "flush", [12, 8, 6, 4, 1]),
    "two straight flushes": ("2d3d4d5d6d 9h8h7h6h5h", "straight flush", [7]),
    "straight flush in the worse flush": ("2d3d4d5d6d AhKhQhJh9h", "straight flush", [4]),
    "three flushes": ("2c4c6c8cTc 3d5d7d9dJd 2h4h6h8hQh", "flush", [10, 6, 4, 2, 0]),
    "four flushes": ("2c4c6c8cTc 3d5d7d9dJd 2h4h6h8hQh 3s5s7s9sKs", "flush", [11, 7, 5, 3, 1]),
}


@pytest.mark.parametrize(("cards", "expected", "ranks"), ADVERSARIAL.values(), ids=ADVERSARIAL.keys())
def test_adversarial_hand(cards: str, expected: str, ranks: list[int]) -> None:
    hand = parse_cards(cards)
    best = max(classify(five) for five in combinations(hand, 5))
    assert CATEGORY_NAMES[best[0]] == name(hand) == expected
    assert decoded(value(hand))[1] == ranks
    for suits in permutations(range(4)):
        renamed = [card // 4 * 4 + suits[card % 4] for card in hand]
        assert value(renamed) == value(renamed[::-1]) == value(hand)


@pytest.mark.parametrize("n", range(5, 13))
def test_best_of_all_five_card_subsets(n: int) -> None:
    hands = deal(n, {10: 60, 11: 40, 12: 25}.get(n, 200), n)
    for hand in hands.tolist():
        best = max(combinations(hand, 5), key=classify)
        assert value(hand) == value(best), [CARD_TEXT[card] for card in hand]
        assert category(value(hand)) == classify(best)[0], [CARD_TEXT[card] for card in hand]


@compiled_only
@pytest.mark.parametrize(("n", "hands"), [(10, 2000), (12, 1000), (15, 300), (20, 100), (33, 20), (45, 3)])
def test_long_hand_is_its_best_five(n: int, hands: int) -> None:
    for hand in deal(1000 + n, hands, n):
        assert strength_of(hand, n) == all_five_card_strengths(hand).max(), [CARD_TEXT[card] for card in hand]


@compiled_only
def test_long_hand_of_few_ranks_is_its_best_five() -> None:
    # Random long hands nearly always hold quads or a straight flush; few ranks, with gaps, bring the others.
    rng = np.random.default_rng(4)
    seen = set()
    for ranks in ("23579TQA", "24579TQK", "2345678", "2345689J", "468TQ"):
        deck = codes("".join(rank + suit for rank in ranks for suit in "cdhs"))
        for n in range(8, len(deck) + 1):
            for _ in range(20):
                hand = rng.permutation(deck)[:n]
                assert strength_of(hand, n) == all_five_card_strengths(hand).max()
                seen.add(name(hand.tolist()))
    assert seen >= {"full house", "flush", "straight", "four of a kind", "straight flush"}


def test_whole_deck_is_a_royal_flush() -> None:
    assert value(range(52)) == value("AhKhQhJhTh") == max(value(f"A{s}K{s}Q{s}J{s}T{s}") for s in "cdhs")


def test_four_of_each_of_two_suits_are_no_flush() -> None:
    four_and_four = "2d4d6d8d 2h4h6h8h Tc"
    assert name(four_and_four) == "two pair"
    assert name(four_and_four + "Qd") == name(four_and_four + "Qh") == "flush"


# Fewer than five cards.


def test_one_card_is_its_rank() -> None:
    values = [value([card]) for card in range(52)]
    assert [values.index(v) // 4 for v in values] == [card // 4 for card in range(52)]
    assert values == sorted(values)


def test_two_cards_as_in_leduc() -> None:
    ordered = ["JhQh", "JhKd", "QhKh", "JhJs", "QhQs", "KhKs"]
    assert [value(cards) for cards in ordered] == sorted({value(cards) for cards in ordered})
    assert value("JhKd") == value("KhJd")


def test_three_and_four_cards_make_no_straight_or_flush() -> None:
    assert name("AhKhQh") == name("AhKhQhJh") == "high card"
    assert (name("AhAdAc"), name("AhAdKc"), name("AhAdKcKd")) == ("three of a kind", "pair", "two pair")
    assert name("AhAdAcAs") == "four of a kind"


def test_a_missing_kicker_is_the_lowest() -> None:
    assert 0 == value([]) < value("Kh") < value("AhKh") < value("AhKh2d") < value("KdKh") < value("KdKh2c")


# How it is called.


def test_only_the_first_n_cards_count_and_no_card_counts_for_nothing() -> None:
    hand = codes("AhAd2c")
    assert strength_of(hand, 2) == value("AhAd")
    padded = np.array([NO_CARD, *hand, NO_CARD], dtype=np.int8)
    assert strength_of(padded, 5) == value("AhAd2c")


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64])
def test_any_integer_array(dtype: type[np.integer]) -> None:
    for hand in deal(9, 20, 9):
        result = strength_of(hand.astype(dtype), 9)
        assert isinstance(result, int)
        assert result == value(hand.tolist())


def test_suit_masks_and_codes_agree() -> None:
    for hand in deal(10, 300, 8).tolist():
        masks = [sum(1 << card // 4 for card in hand if card % 4 == suit) for suit in range(4)]
        assert strength(*masks) == value(hand)


def plain(function: Callable[..., int]) -> Callable[..., int]:
    """The Python function under a compiled one."""
    return getattr(function, "py_func", function)


def test_plain_python_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = [hand for n in (1, 2, 4, 5, 6, 7, 9, 11, 16, 33) for hand in deal(n, 150, n)]
    hands += [codes(cards) for cards, _, _ in ADVERSARIAL.values()]
    compiled = [strength_of(hand, len(hand)) for hand in hands]
    categories = [category(v) for v in compiled]
    monkeypatch.setattr(evaluator, "strength", plain(strength))  # what the plain strength_of calls
    assert [plain(strength_of)(hand, len(hand)) for hand in hands] == compiled
    assert [plain(category)(v) for v in compiled] == categories
    assert set(categories) == set(range(9))


# An independent evaluator.


@pytest.mark.parametrize("n", [5, 6, 7])
def test_order_and_ties_are_those_of_eval7(n: int) -> None:
    eval7 = pytest.importorskip("eval7")
    deck = [eval7.Card(text) for text in CARD_TEXT]
    hands = deal(7000 + n, 60_000 if COMPILED else 2_000, n)
    theirs = np.array([eval7.evaluate([deck[card] for card in hand]) for hand in hands.tolist()])
    ours = strengths(hands)
    both: NDArray[np.int64] = np.unique(np.array([theirs, ours]).T, axis=0)
    # One strength for each of theirs, and the same order.
    assert (np.diff(both[:, 0]) > 0).all()
    assert (np.diff(both[:, 1]) > 0).all()
