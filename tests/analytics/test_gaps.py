"""Logs from which hands are missing: blocks, and what is left to play, go by the numbers that are printed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable

import pytest

from railbird.analytics.hidden_ranks import leaks
from railbird.analytics.store import Store
from railbird.replay.simulate import simulate

MakeStore = Callable[..., Store]
GONE = range(5, 15)


@pytest.fixture
def store(store_of: MakeStore) -> Store:
    """A Bounty match of 120 rounds without some early ones."""
    text = simulate("bounty", [("Ann", "maniac"), ("Bea", "calling-station")], hands=120, seed=4)
    head, *rounds = re.split(r"(?m)^(?=Round #)", text)
    kept = [one for number, one in enumerate(rounds, 1) if number not in GONE]
    return store_of([head + "".join(kept)])


def block_of(number: int) -> int:
    """Of 25 rounds, from one deal of bounty ranks to the next (rules, 2025)."""
    return (number - 1) // 25


def test_blocks_of_bounty_go_by_the_round(store: Store) -> None:
    hands = store.execute(
        "select h.hand_no, c.cluster from hands h left join counted_hands c using (match_id, hand_index)"
    ).fetchall()
    assert len(hands) == 120 - len(GONE)
    assert all(cluster in (None, block_of(number)) for number, cluster in hands)
    sizes = Counter(block_of(number) for number, _ in hands)
    for seat in (0, 1):
        parts = store.execute("select part, hands from unit_results where seat = $seat", seat=seat).fetchall()
        assert dict(parts) == sizes
        terms = store.execute(
            "select cluster, count(*) from luck_terms where seat = $seat group by 1", seat=seat
        ).fetchall()
        assert dict(terms) == sizes
    assert set(store.execute("select blocks from winnings_by_match").fetchall()) == {(len(sizes),)}
    assert set(leaks(store)["blocks"]) <= {len(sizes)}


def test_rates_are_clustered_by_the_round(store: Store) -> None:
    counted: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    for seat, number, statistic, n, k in store.execute(
        "select c.seat, h.hand_no, c.statistic, c.opportunities, c.successes from chances c "
        "join hands h using (match_id, hand_index) where c.statistic = 'vpip'"
    ).fetchall():
        counted[seat, block_of(number)].update({"n": n, "k": k, statistic: 0})
    for seat in (0, 1):
        blocks = [block for (whose, _), block in counted.items() if whose == seat]
        ((spread,),) = store.execute(
            "select spread from tendencies_by_match where statistic = 'vpip' and seat = $seat", seat=seat
        ).fetchall()
        assert spread == {
            "clusters": len(blocks),
            "kk": sum(block["k"] ** 2 for block in blocks),
            "nn": sum(block["n"] ** 2 for block in blocks),
            "kn": sum(block["k"] * block["n"] for block in blocks),
        }


def test_hands_that_are_missing_are_left_to_play(store_of: MakeStore) -> None:
    text = simulate("bounty", [("Ann", "calling-station"), ("Bea", "maniac")], hands=1000, seed=3)
    head, *rounds = re.split(r"(?m)^(?=Round #)", text)
    rounds[-1], *final = re.split(r"(?m)^(?=Final)", rounds[-1])
    whole = store_of([text], name="whole")
    ((at, left),) = whole.execute("select hand_index, hands_left from lock_points").fetchall()
    assert at is not None and at + left == 1000
    gap = rounds[: at + 1] + rounds[-20:]
    store = store_of(["".join([head, *gap, *final])], event="gap", name="gap")
    assert store.execute("select complete, hands from matches").fetchall() == [(True, at + 21)]
    assert store.execute("select hand_index, hands_left from lock_points").fetchall() == [(at, left)]


def test_chips_of_matches_with_other_stakes_are_in_their_own_big_blinds(store_of: MakeStore) -> None:
    from railbird.analytics.collusion.detectors import materials

    text = simulate("holdem-mit", [("Ann", "tight-passive"), ("Bea", "maniac")], hands=40, seed=1)
    chips = r"(?<=\()-?\d+(?=\))|(?<=blind of )\d+|(?<=raises to )\d+|(?<=bets )\d+|(?<=awarded )-?\d+"
    larger = re.sub(chips, lambda found: str(5 * int(found[0])), text)
    store = store_of([text, larger])
    assert sorted(store.execute("select unit from matches").fetchall()) == [(2.0,), (10.0,)]
    (material,) = materials(store)
    assert material.results[0].tolist() == material.results[1].tolist()
    d = material.decisions
    one, other = (d.pot[d.match == match].tolist() for match in (0, 1))
    assert one == other and max(one) > 10
