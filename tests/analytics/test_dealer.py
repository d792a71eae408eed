"""Tests of dealers: expected counts by enumeration, faults that are planted, honest decks, logs that hide cards."""

from __future__ import annotations

import math
import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2
from support.dealers import write_event

from railbird.analytics import dealer
from railbird.analytics.dealer import DealerTest, _by_concern, counted, least_shift
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.simulate import play


def judged(folder: Path, logs: Path) -> list[dealer.DealerTest]:
    ingest([logs], folder / "store", event="cup")
    with open_store(folder / "store") as store:
        return dealer.tests(
            store, [match for (match,) in store.execute("select match_id from matches").fetchall()]
        )


def test_expected_counts_are_those_of_all_orders_of_a_small_deck() -> None:
    """Five cards: two, then one each; the card after the first two is turned up only if they hold card 0.

    Over all orders, each as likely, expected and seen counts agree card by card, though what comes depends on them.
    """
    hands, events, cards, places = [], [], [], []
    for hand, order in enumerate(permutations(range(5))):
        shown = 4 if 0 in order[:2] else 2
        for k in range(shown):
            hands.append(hand)
            events.append(3 * hand + (0 if k < 2 else k - 1))
            cards.append(order[k])
            places.append(0 if k < 2 else 1)
    found = counted(np.array(hands), np.array(events), np.array(cards), np.array(places), 2, 5)
    for counts in found:
        assert counts.seen == pytest.approx(counts.fair)
    holes, board = found
    assert holes.fair == pytest.approx(np.full(5, 48.0))
    assert board.fair[0] == pytest.approx(0) and board.draws == 2 * 48
    # Two of five at once: their counts vary 3/4 as much as those of single draws.
    assert holes.spread / holes.draws == pytest.approx(3 / 4)


def test_a_card_that_was_shown_before_is_no_draw_and_an_unknown_one_ends_the_hand() -> None:
    hands = np.array([0, 0, 0, 1, 1, 1])
    events = np.array([0, 1, 2, 3, 4, 5])
    cards = np.array([3, 3, 2, 1, -1, 0])
    (counts,) = counted(hands, events, cards, np.zeros(6, np.int64), 1, 5)
    assert counts.seen.tolist() == [0, 1, 1, 1, 0] and counts.draws == 3
    assert counts.fair == pytest.approx([0.65, 0.65, 0.65, 0.4, 0.65])


def test_the_least_shift_is_found_four_times_of_five() -> None:
    draws, kinds, of = 20_000, 4, 8
    shift = least_shift(kinds - 1, draws, 1.0, kinds, of)
    chances = np.full(kinds, (1 - (1 + shift) / kinds) / (kinds - 1))
    chances[0] = (1 + shift) / kinds
    drawn = np.random.default_rng(3).multinomial(draws, chances, 4000)
    statistic = ((drawn - draws / kinds) ** 2 / (draws / kinds)).sum(axis=1)
    assert np.mean(chi2.sf(statistic, kinds - 1) < 0.05 / of / 2) == pytest.approx(0.8, abs=0.02)


def test_rows_of_one_p_have_one_order_whatever_its_last_digits() -> None:
    rows = [DealerTest("cup", "holdem-mit", "equity by seat", "all cards", str(k), p=0.3) for k in range(4)]
    other = [row._replace(p=math.nextafter(0.3, k % 2)) for k, row in enumerate(rows)]
    last = DealerTest(None, "holdem-mit", "repeats", "all cards", p=0.4)
    for found in (rows, other):
        assert [row.who for row in sorted([last, *reversed(found)], key=_by_concern)] == [*"0123", None]


def test_what_one_of_two_gains_the_other_loses_and_is_tested_once(tmp_path: Path) -> None:
    write_event(tmp_path / "logs", (), 1, 1_000, 10)
    found = [row for row in judged(tmp_path, tmp_path / "logs") if row.effect is not None]
    for kind, rows in (("seat", 1), ("position", 1), ("player", 5)):
        assert sum(row.test == f"best hand by {kind}" for row in found) == rows
    assert all(row.effect >= 0 for row in found if row.effect is not None and " by player" not in row.test)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("faults", "named"),
    [
        (
            {"aces", "repeat", "rank"},
            (
                r"cards, all cards: A[hs] came 0 times",
                r"pairs of hands had the same hole cards and flop",
                r"secret ranks.* and A ",
            ),
        ),
        (
            {"suit", "seat"},
            (r"suits, all cards: c came", r"best hand of the seat 0 by the hole cards: \+"),
        ),
        ({"player"}, (r"best hand of the player Ann by the hole cards: \+",)),
    ],
)
def test_faults_of_a_dealer_are_named(tmp_path: Path, faults: set[str], named: tuple[str, ...]) -> None:
    """`make dealers` judges many events of one fault each, and of none."""
    write_event(tmp_path / "logs", faults, 1, 8_000, 80)
    concerns = [row.sentence for row in judged(tmp_path, tmp_path / "logs") if row.concern]
    for said in named:
        assert any(re.search(said, sentence) for sentence in concerns), said


def test_an_honest_dealer_is_of_no_concern(tmp_path: Path) -> None:
    write_event(tmp_path / "logs", (), 1, 2_000, 20)
    found = judged(tmp_path, tmp_path / "logs")
    assert {row.test.partition(" by ")[0] for row in found} >= {
        "cards",
        "suits",
        "best hand",
        "equity",
        "repeats",
    }
    assert not any(row.concern for row in found)


def test_high_cards_are_seen_where_hole_cards_have_no_equity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Toss a player gives one of three cards up later; the favourite has the better three in a third of hands."""
    monkeypatch.setattr("support.dealers.FAVOURED", 1 / 3)
    for faults in ((), ("seat",)):
        logs = tmp_path / "".join(faults) / "logs"
        write_event(logs, faults, 1, 2_000, 20, "toss", 3)
        found = judged(logs.parent, logs)
        assert not any(row.test.startswith("best hand") for row in found)
        concerns = [row.sentence for row in found if row.concern]
        said = re.compile(
            r"high cards of the seat 0 by the hole cards: \+\d\.\d\d ranks on average of 2,000 hands"
        )
        assert sum(said.match(one) is not None for one in concerns) == len(faults)
        assert faults or not concerns


def test_logs_that_show_cards_at_showdowns_alone_are_not_judged(tmp_path: Path) -> None:
    """Aces reach showdowns more often than other cards, so shown cards are no fair sample of the deck."""
    write_event(tmp_path / "logs", (), 1, 300, 3)
    for path in (tmp_path / "logs").iterdir():
        text = re.sub(r"(?ms)^(\w+) dealt \[.*?\]\n(?=(?:(?!^Round).)*?^\1 folds)", "", path.read_text())
        path.write_text(text)
    assert judged(tmp_path, tmp_path / "logs") == []


@pytest.mark.parametrize(
    ("game", "name", "wrong", "test"),
    [
        ("swap", "swap_chances", "[0.0, 0.2, 0.05]", "exchanges"),
        ("permutation", "permutation_stay", "0.6", "permutations"),
    ],
)
def test_chances_of_the_rules_are_tested(tmp_path: Path, game: str, name: str, wrong: str, test: str) -> None:
    """Engines that draw as the rules say are of no concern; by other rules they would be."""
    (tmp_path / "logs").mkdir()
    for seed in range(25):
        text = play(game, [("Ann", "calling-station"), ("Bob", "calling-station")], 40, seed).text
        (tmp_path / "logs" / f"{seed}.txt").write_text(text, newline="")
    ingest([tmp_path / "logs"], tmp_path / "store", event="cup")
    concerns = {}
    for given in (None, wrong):
        with open_store(tmp_path / "store") as store:
            if given:
                store.execute(f"update stored.games set {name} = {given}")
            matches = [match for (match,) in store.execute("select match_id from matches").fetchall()]
            found = [row for row in dealer.tests(store, matches) if row.test.startswith(test)]
        assert found
        concerns[given] = any(row.concern for row in found)
    assert concerns == {None: False, wrong: True}
