"""What the opponent file is made of (ranges, answers to bets), against the oracle's count over the same log."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

from oracles import facing, opponents
from oracles.decoded import Match
from railbird.analytics.store import Store

BIG_BLIND, BLOCK = 2, 25


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    return store.execute(query).fetchall()


def seat_of(match: Match, player: str, seat: int | None) -> int:
    return match["names"].index(player) if seat is None else seat


def block_of(match: Match) -> int:
    bounty = any(rank is not None for hand in match["hands"] for rank in hand["bounties"])
    return BLOCK if bounty else 1


def test_ranges(reading: Any) -> None:
    match = reading.match
    found = {
        (seat_of(match, player, seat), position, level, hole): (grid, counts)
        for player, seat, position, level, hole, *grid, counts in rows(
            reading.store,
            "select player, seat, position, bet_level, hole_class, grid_row, grid_column, "
            "{'fold': folds, 'check': checks, 'call': calls, 'raise': raises} from ranges",
        )
    }
    expected = {
        key: (
            list(opponents.grid_of(key[3])),
            {kind: counts[kind] for kind in ("fold", "check", "call", "raise")},
        )
        for key, counts in opponents.ranges(match).items()
    }
    assert found == expected
    assert len({key[3] for key in found}) > 20 or len(match["hands"]) < 30


def test_situations(reading: Any) -> None:
    match = reading.match
    found = Counter(
        (*row[:7], None if row[7] is None else round(row[7], 9), row[8])
        for row in rows(
            reading.store,
            "select seat, position, street, bet_level, action, bet_faced, pot_faced, made, faced from situations",
        )
    )
    expected = Counter(
        (
            *(one.seat, one.position, one.street, one.level, one.kind, one.risk, one.pot),
            None if one.made is None else round(float(one.made), 9),
            one.faced,
        )
        for hand in match["hands"]
        for one in opponents.decisions(hand)
    )
    assert found == expected


def test_defences(reading: Any) -> None:
    match = reading.match
    expected = opponents.defences(match, block_of(match))
    found = rows(
        reading.store,
        "select player, seat, street, faced, opportunities, folds, calls, raises, break_even, mdf, over_fold, rate, "
        "effective_n, low, high from defences",
    )
    assert len(found) == len(expected)
    for player, seat, street, faced, n, folds, calls, raises, even, mdf, over, rate, *spread in found:
        cell = expected[seat_of(match, player, seat), street, faced]
        assert spread == pytest.approx(rate_interval(match, cell.folds), rel=5e-3, abs=1e-4)
        assert (folds, calls, raises) == tuple(cell.answers[kind] for kind in ("fold", "call", "raise"))
        assert n == folds + calls + raises
        assert rate == pytest.approx(folds / n)
        assert even == pytest.approx(float(sum(cell.break_even) / n))
        assert mdf == pytest.approx(1 - even)
        assert over == pytest.approx(rate - even)


def equities_of(store: Store) -> opponents.Equity:
    return {
        (hand, street, seat): own
        for hand, street, seat, own in rows(
            store, "select hand_index, street, seat, equity_own from equities"
        )
    }


def wilson(share: float, n: float) -> tuple[float, float]:
    z = stats.norm.ppf(0.975)
    middle, half = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def rate_interval(match: Match, cases: list[tuple[int, bool]]) -> tuple[float, float, float]:
    """Effective n and the ends of the interval of a rate, of pairs (block, taken); blocks matter in Bounty alone."""
    n = opponents.effective_n(cases) if block_of(match) == BLOCK else len(cases)
    return n, *wilson(sum(taken for _, taken in cases) / len(cases), n)


def test_bets_by_size(reading: Any) -> None:
    match = reading.match
    cells: dict[tuple[int, int, int], list[opponents.Bet]] = {}
    for bet in opponents.bets(match, equities_of(reading.store), block_of(match)):
        cells.setdefault((bet.seat, bet.street, opponents.size_bin(bet.pots)), []).append(bet)
    found = rows(
        reading.store,
        "select player, seat, street, size, bets, seen, equity, equity_low, equity_high, bluffs, bluff_share, "
        "optimum, excess, effective_n, low, high from bets_by_size",
    )
    assert len(found) == len(cells)
    for player, seat, street, size, n, seen, mean, below, above, bluffs, share, *rest in found:
        optimum, excess, *spread = rest
        cell = cells[seat_of(match, player, seat), street, size]
        strengths = [bet.equity for bet in cell]
        assert n == seen == len(cell)
        assert mean == pytest.approx(sum(strengths) / n)
        drawn: dict[int, list[float]] = {}
        for place, bet in enumerate(cell):
            drawn.setdefault(bet.block if block_of(match) == BLOCK else place, []).append(bet.equity)
        half = facing.half_width([*map(sum, drawn.values())], [*map(len, drawn.values())])
        if half is None:
            assert below is None and above is None
        else:
            assert below == pytest.approx(max(mean - half, 0), abs=5e-3)
            assert above == pytest.approx(min(mean + half, 1), abs=5e-3)
        assert bluffs == sum(one < 0.5 for one in strengths)
        assert share == pytest.approx(bluffs / n)
        cases = [(bet.block, bet.equity < 0.5) for bet in cell]
        assert spread == pytest.approx(rate_interval(match, cases), rel=5e-3, abs=1e-4)
        if street < 3:
            assert optimum is None and excess is None
        else:
            # Of a bet b into p: b / (p + 2 b).
            assert optimum == pytest.approx(
                np.mean([bet.price / (bet.pot_after + bet.price) for bet in cell])
            )
            assert excess == pytest.approx(share - optimum)


def test_size_tells(reading: Any) -> None:
    match = reading.match
    cells: dict[tuple[int, int], tuple[list[Any], list[Any]]] = {}
    blocks: dict[tuple[int, int], dict[int, tuple[list[Any], list[Any]]]] = {}
    for bet in opponents.bets(match, equities_of(reading.store), block_of(match)):
        cells.setdefault((bet.seat, bet.street), ([], []))[bet.equity < 0.5].append(bet.pots)
        drawn = blocks.setdefault((bet.seat, bet.street), {}).setdefault(bet.block, ([], []))
        drawn[bet.equity < 0.5].append(bet.pots)
    found = rows(
        reading.store,
        "select player, seat, street, bets, bets_for_value, bluffs, value_size, bluff_size, auc, low, high "
        "from size_tells",
    )
    assert len(found) == len(cells)
    for player, seat, street, n, values_n, bluffs_n, value_size, bluff_size, auc, low, high in found:
        values, bluffs = cells[seat_of(match, player, seat), street]
        assert (n, values_n, bluffs_n) == (len(values) + len(bluffs), len(values), len(bluffs))
        assert value_size == (pytest.approx(float(sum(values) / values_n)) if values else None)
        assert bluff_size == (pytest.approx(float(sum(bluffs) / bluffs_n)) if bluffs else None)
        if not values or not bluffs:
            assert auc is None and low is None and high is None
            continue
        expected, variance = opponents.auc_with_variance(values, bluffs)
        assert auc == pytest.approx(expected)
        if variance and block_of(match) == BLOCK:
            variance = facing.wider_spread(
                variance, list(blocks[seat_of(match, player, seat), street].values())
            )
        size = auc * (1 - auc) / variance if variance else min(values_n, bluffs_n)
        assert (low, high) == pytest.approx(wilson(auc, size), abs=1e-6)


def test_actions_by_strength(reading: Any) -> None:
    match = reading.match
    block = block_of(match)
    equity = equities_of(reading.store)
    expected: dict[tuple[Any, ...], list[tuple[int, str]]] = {}
    for place, hand in enumerate(match["hands"]):
        chosen = (action for action in hand["actions"] if action["origin"] == "choice")
        for action, one in zip(chosen, opponents.decisions(hand), strict=True):
            decile = min(int(equity[place, one.street, one.seat] * 10), 9) + 1
            kind = "raise" if one.kind == "bet" else one.kind
            key = (one.seat, one.street, one.position, action["to_call"] == 0, one.faced, decile)
            expected.setdefault(key, []).append(((hand["number"] - 1) // block, kind))
    found = rows(
        reading.store,
        "select player, seat, street, position, can_check, faced, decile, action, successes, opportunities, rate, "
        "effective_n, low, high from actions_by_strength",
    )
    assert len(found) == 3 * len(expected)
    for player, seat, *where, action, successes, n, rate, effective, low, high in found:
        done = expected[seat_of(match, player, seat), *where]
        cases = [(at, kind == action) for at, kind in done]
        assert (successes, n) == (sum(taken for _, taken in cases), len(done))
        assert rate == pytest.approx(successes / n)
        assert (effective, low, high) == pytest.approx(rate_interval(match, cases), rel=5e-3, abs=1e-4)


def test_holdings(reading: Any) -> None:
    match = reading.match
    block = block_of(match)
    equity = equities_of(reading.store)
    expected: dict[tuple[Any, ...], list[tuple[int, int]]] = {}
    on_street: dict[tuple[int, int], list[int]] = {}
    for place, hand in enumerate(match["hands"]):
        for one in opponents.decisions(hand):
            fifth = min(int(equity[place, one.street, one.seat] * 10), 9) // 2 + 1
            own = opponents.size_bin(one.made) if one.made is not None else None
            size = own if one.kind in ("bet", "raise") else one.faced
            at = (hand["number"] - 1) // block
            expected.setdefault((one.seat, one.street, one.kind, size), []).append((at, fifth))
            on_street.setdefault((one.seat, one.street), []).append(fifth)
    found = rows(
        reading.store,
        "select player, seat, street, action, size, fifth, successes, opportunities, rate, effective_n, low, high, "
        "usual from holdings",
    )
    assert len(found) == 5 * len(expected)
    for player, seat, street, action, size, fifth, successes, n, rate, effective, low, high, usual in found:
        place = seat_of(match, player, seat)
        done = expected[place, street, action, size]
        cases = [(at, one == fifth) for at, one in done]
        assert (successes, n) == (sum(taken for _, taken in cases), len(done))
        assert rate == pytest.approx(successes / n)
        assert (effective, low, high) == pytest.approx(rate_interval(match, cases), rel=5e-3, abs=1e-4)
        assert usual == pytest.approx(on_street[place, street].count(fifth) / len(on_street[place, street]))


def test_exploits(reading: Any) -> None:
    match = reading.match
    block = block_of(match)
    sizes = Counter((hand["number"] - 1) // block for hand in match["hands"])
    expected = opponents.plans(match, equities_of(reading.store), block)
    found = rows(
        reading.store,
        "select player, seat, exploit, street, size, hands, bb_per_100, bb_low, bb_high from exploits",
    )
    assert len(found) == len(expected)
    for player, seat, exploit, street, size, hands, won, low, high in found:
        assert hands == len(match["hands"])
        cell = expected[seat_of(match, player, seat), exploit, street, size]
        mean, half = opponents.mean_and_half(cell, sizes)
        assert won == pytest.approx(100 * mean / BIG_BLIND)
        if half is None:
            assert low is None and high is None
        else:
            assert (high - low) / 2 == pytest.approx(100 * half / BIG_BLIND, rel=2e-3, abs=1e-9)
            assert (high + low) / 2 == pytest.approx(won)


def test_the_counts_of_exploits_are_those_of_answers_and_bets(reading: Any) -> None:
    differing = """
        select e.opportunities, e.successes, e.break_even, w.n, w.k, w.even
        from exploits as e
        full join (
          select player, seat, street, faced as size, opportunities as n, folds as k, break_even as even,
            unnest(['bluff', 'never_bluff']) as exploit from defences
          union all
          select player, seat, street, size, seen, bluffs, optimum, unnest(['call', 'fold']) from bets_by_size
          where street = 3
        ) as w
          on w.player = e.player and w.seat is not distinct from e.seat and w.street = e.street and w.size = e.size
          and w.exploit = e.exploit
        where (e.opportunities, e.successes) is distinct from (w.n, w.k) or abs(e.break_even - w.even) > 1e-9
    """
    assert not rows(reading.store, differing)
