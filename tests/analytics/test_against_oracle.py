"""Every answer against the oracle's second derivation, log by log."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any, Protocol

import numpy as np
import pytest
from scipy import stats

from oracles import tendencies
from oracles.decoded import Action, Hand, Match
from oracles.engine_2025 import hits_of, strengths_of
from oracles.holdem import bounty_payout, normal_payout, winner_of
from railbird.analytics.store import Store

STACK, BIG_BLIND, BLOCK = 400, 2, 25
NAMES = {"threebet": "3bet", "fourbet": "4bet", "won_showdown": "w$sd"}


class Reading(Protocol):
    """One log, read by the oracle and by railbird (conftest)."""

    match: Match
    store: Store


def rows(store: Store, query: str, **params: object) -> list[tuple[Any, ...]]:
    return store.execute(query, **params).fetchall()


def is_bounty(match: Match) -> bool:
    return any(rank is not None for hand in match["hands"] for rank in hand["bounties"])


def by_seat(hand: Hand, values: list[Any]) -> list[Any]:
    """What is by position, by seat."""
    return [values[hand["seats"].index(seat)] for seat in (0, 1)]


def test_every_hand_is_there_and_none_is_a_violation(reading: Reading) -> None:
    numbers = [hand["number"] for hand in reading.match["hands"]]
    found = rows(reading.store, "select hand_no, line, verdict from hands order by match_id, hand_index")
    assert [row[0] for row in found] == numbers
    assert [row[1] for row in found] == [hand["line"] for hand in reading.match["hands"]]
    assert {row[2] for row in found} <= {"ok", "engine_deviation", "unverified"}


def test_tendencies(reading: Reading) -> None:
    expected = {
        (player.name, player.seat, opponent.name, NAMES.get(name, name)): counts
        for (player, opponent, name), counts in tendencies.rates([reading.match]).items()
        if name != "twobet"
    }
    found = rows(
        reading.store,
        "select player, seat, opponent, statistic, opportunities, successes from tendencies_by_opponent",
    )
    assert {row[:4]: row[4:] for row in found} == expected


def test_chances_add_up_to_the_tendencies(reading: Reading) -> None:
    assert not rows(
        reading.store,
        """
        with summed as (
          select match_id, seat, statistic, sum(opportunities) as n, sum(successes) as k
          from chances
          group by all
        )
        select * from summed full join tendencies_by_match as t using (match_id, seat, statistic)
        where n is distinct from opportunities or k is distinct from successes
        """,
    )


def test_folds_to_bets(reading: Reading) -> None:
    expected = {
        (player.name, player.seat, opponent.name, street, position): counts
        for (player, opponent, street, position), counts in tendencies.folds_to_bets([reading.match]).items()
    }
    found = rows(
        reading.store,
        "select player, seat, opponent, street, position, opportunities, successes "
        "from fold_frequency_by_opponent",
    )
    assert {row[:5]: row[5:] for row in found} == expected


def test_aggression(reading: Reading) -> None:
    expected = {
        (player.name, player.seat, opponent.name): tuple(
            counts[kind] for kind in ("bet", "raise", "call", "check", "fold")
        )
        for (player, opponent), counts in tendencies.aggression_counts([reading.match]).items()
        if counts
    }
    found = rows(
        reading.store,
        "select player, seat, opponent, bets, raises, calls, checks, folds, af, afq, aggression_pct "
        "from aggression_by_opponent",
    )
    assert {row[:3]: row[3:8] for row in found} == expected
    for *_, bets, raises, calls, checks, folds, af, afq, pct in found:
        bold = bets + raises
        assert af == (bold / calls if calls else None)
        assert afq == (pytest.approx(bold / (bold + calls + folds)) if bold + calls + folds else None)
        assert pct == (pytest.approx(bold / (bold + calls + checks)) if bold + calls + checks else None)


def paid_as_written(match: Match, hand: Hand) -> list[int]:
    """Chips by seat; as logged where the ranks are unknown."""
    strengths = strengths_of(hand)
    if not is_bounty(match):
        return by_seat(hand, normal_payout(hand["contributions"], hand["folded_by"], strengths))
    if None in hand["bounties"]:
        return by_seat(hand, hand["awards"])
    return by_seat(hand, bounty_payout(hand["contributions"], hand["folded_by"], strengths, hits_of(hand), 0))


def test_results_and_their_intervals(reading: Reading) -> None:
    hands = reading.match["hands"]
    unit = 1 if not is_bounty(reading.match) else BLOCK
    found = rows(
        reading.store,
        "select hands, delta, delta_written, bb_per_100, bb_per_100_low, bb_per_100_high, sd_per_100 "
        "from results order by seat",
    )
    for seat in (0, 1):
        deltas = np.array([by_seat(hand, hand["awards"])[seat] for hand in hands], float)
        count, delta, written, bb, low, high, sd = found[seat]
        assert (count, delta) == (len(hands), deltas.sum())
        assert written == sum(paid_as_written(reading.match, hand)[seat] for hand in hands)
        mean = deltas.mean()
        assert bb == pytest.approx(100 * mean / BIG_BLIND)
        assert sd == pytest.approx(10 * deltas.std(ddof=1) / BIG_BLIND)
        blocks: dict[int, list[float]] = {}
        for hand, value in zip(hands, deltas, strict=True):
            blocks.setdefault((hand["number"] - 1) // unit, []).append(value)
        if len(blocks) < 2:
            assert low is None and high is None
            continue
        squares = sum((sum(block) - len(block) * mean) ** 2 for block in blocks.values())
        se = sqrt(len(blocks) / (len(blocks) - 1) * squares) / len(hands)
        half = stats.t.ppf(0.975, len(blocks) - 1) * se * 100 / BIG_BLIND
        assert (high - low) / 2 == pytest.approx(half, rel=2e-3, abs=1e-9)
        assert (high + low) / 2 == pytest.approx(bb)


def test_bankroll_curve(reading: Reading) -> None:
    hands = reading.match["hands"]
    found = rows(
        reading.store,
        "select seat, hand_no, bankroll, bankroll_written, showdown, non_showdown from bankroll_curve "
        "order by seat, hand_index",
    )
    assert len(found) == 2 * len(hands)
    for seat in (0, 1):
        bank = written = by_seat(hands[0], hands[0]["bankrolls"])[seat]
        split = Counter[bool]()
        for hand, row in zip(hands, found[seat * len(hands) :], strict=False):
            award = by_seat(hand, hand["awards"])[seat]
            bank += award
            written += paid_as_written(reading.match, hand)[seat]
            split[hand["folded_by"] is None] += award
            assert row == (seat, hand["number"], bank, written, split[True], split[False])
        if reading.match["final"]:
            assert bank == reading.match["final"][seat]


def test_showdown_and_non_showdown_winnings_add_up_to_the_net(reading: Reading) -> None:
    assert not rows(
        reading.store,
        """
        select * from bankroll_curve join seats using (match_id, hand_index, seat)
        where bankroll <> bankroll_after
        or showdown + non_showdown <> bankroll - (
            select first.bankroll_before from seats as first
            where first.match_id = seats.match_id and first.seat = seats.seat and first.hand_index = 0)
        """,
    )
    assert not rows(
        reading.store, "select match_id, hand_index from seats group by all having sum(delta) <> 0"
    )


def test_bounty_hits(reading: Reading) -> None:
    """A log without ranks has none."""
    found = rows(
        reading.store,
        "select hands, hits, wins, hits_when_winning, chips_brought, chips_cost, hit_rate, rate_when_winning "
        "from bounty_hits_by_match order by seat",
    )
    known = [hand for hand in reading.match["hands"] if None not in hand["bounties"]]
    assert len(found) == (2 if known else 0)
    for seat, row in enumerate(found):
        hits = wins = hits_when_winning = 0
        beyond = []
        for hand in known:
            position = hand["seats"].index(seat)
            strengths = strengths_of(hand)
            hit, won = hits_of(hand)[position], winner_of(hand["folded_by"], strengths) == position
            hits, wins, hits_when_winning = hits + hit, wins + won, hits_when_winning + (hit and won)
            plain = normal_payout(hand["contributions"], hand["folded_by"], strengths)[position]
            beyond.append((hand["awards"][position] or 0) - plain)
        brought, cost = sum(max(chips, 0) for chips in beyond), -sum(min(chips, 0) for chips in beyond)
        assert row[:6] == (len(known), hits, wins, hits_when_winning, brought, cost)
        assert row[6] == pytest.approx(hits / len(known))
        assert row[7] == (pytest.approx(hits_when_winning / wins) if wins else None)


def test_deals(reading: Reading) -> None:
    expected: list[tuple[Any, ...]] = []
    streets = []
    for index, hand in enumerate(reading.match["hands"]):
        for position, seat in enumerate(hand["seats"]):
            expected.append((index, seat, 0, "deal", hand["hole"][position]))
        for street in hand["streets"]:
            known = 0 if street["street"] == 1 else street["street"] + 1
            expected.append((index, None, street["street"], "board", street["board"][known:]))
            streets.append((index, street["line"]))
    found = rows(
        reading.store, "select hand_index, seat, street, kind, cards from deals order by hand_index, seq"
    )
    assert found == expected
    lines = rows(reading.store, "select hand_index, line, kind from deals order by hand_index, seq")
    assert [line[:2] for line in lines if line[2] == "board"] == streets
    assert lines == sorted(lines)


def legal_raises(action: Action) -> tuple[int, int] | tuple[None, None]:
    """Smallest and largest legal raise-to before an action."""
    own, other = action["stack"], 2 * STACK - action["pot"] - action["stack"]
    if own <= action["to_call"] or other <= 0:
        return None, None
    most = action["pip"] + min(own, other + action["to_call"])
    return min(action["pip"] + action["to_call"] + max(action["to_call"], BIG_BLIND), most), most


def test_actions_and_their_context(reading: Reading) -> None:
    expected = []
    for index, hand in enumerate(reading.match["hands"]):
        for place, action in enumerate(hand["actions"]):
            added = {"call": action["to_call"]}.get(action["kind"], 0)
            total = action["pip"] + added if action["amount"] is None else action["amount"]
            expected.append(
                (
                    *(index, action["line"], action["street"], hand["seats"][action["player"]]),
                    *(action["kind"], action["origin"], action["amount"], total, total - action["pip"]),
                    *(action["to_call"], action["pot"], action["stack"], *legal_raises(action)),
                    tendencies.bet_level(hand, place),
                )
            )
    columns = (
        "hand_index, line, street, seat, action, origin, amount_logged, amount_to, chips_added, to_call, "
        "pot_before, stack_before, min_raise_to, max_raise_to, bet_level"
    )
    found = rows(
        reading.store, f"select {columns} from actions where action <> 'post' order by hand_index, seq"
    )
    assert found == expected
    posts = rows(
        reading.store,
        "select distinct amount_logged, amount_to, chips_added, stack_before, max_raise_to from actions "
        "where action = 'post' order by 1",
    )
    assert posts == [(1, 1, 1, STACK, None), (2, 2, 2, STACK, None)]


def test_actions_name_their_players(reading: Reading) -> None:
    found = dict(rows(reading.store, "select distinct seat, player from actions"))
    assert [found[seat] for seat in (0, 1)] == reading.match["names"]


def test_origins(reading: Reading) -> None:
    expected = [Counter[str](), Counter[str]()]
    for hand in reading.match["hands"]:
        for action in hand["actions"]:
            seat = hand["seats"][action["player"]]
            expected[seat][action["origin"]] += 1
            free = action["origin"] == "choice" and action["kind"] == "fold" and action["to_call"] == 0
            expected[seat]["free"] += free
    found = rows(
        reading.store, "select choices, free_folds, substitutes, allin, dummies from origins order by seat"
    )
    assert found == [(*(c[k] for k in ("choice", "free", "substitute", "allin")), 0) for c in expected]


def test_deviations_of_pay_say_who_gained_what(reading: Reading) -> None:
    """A gain is told once, of the player who has it."""
    gained = Counter[int]()
    for hand in reading.match["hands"]:
        written, paid = paid_as_written(reading.match, hand), by_seat(hand, hand["awards"])
        for seat in (0, 1):
            gained[seat] += max(paid[seat] - written[seat], 0)
    found = rows(reading.store, "select seat, sum(chips) from deviations where kind = 'pay' group by seat")
    assert dict(found) == {seat: chips for seat, chips in gained.items() if chips}


def test_free_folds_are_findings(reading: Reading) -> None:
    free = Counter(
        hand["seats"][action["player"]]
        for hand in reading.match["hands"]
        for action in hand["actions"]
        if action["kind"] == "fold" and action["to_call"] == 0
    )
    found = rows(
        reading.store, "select seat, sum(findings) from deviations where kind = 'legality' group by seat"
    )
    assert dict(found) == dict(free)
