"""What Bounty players could know of the opponent's rank, against Bayes' rule by counting cards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from oracles import bounty_belief as oracle
from oracles.decoded import Hand
from oracles.mit_reader import read_match
from oracles.tendencies import showdown
from railbird.analytics import hidden_ranks, intervals
from railbird.analytics.hidden_ranks import knowledge_of
from railbird.analytics.players import Player
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.payouts import with_bounties as payout
from railbird.replay.simulate import simulate

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
LOGS = ("2025-01-07", "2025-01-30", "all-in", "faults", "disconnected", "one-name", "as-written")
REAL = "bounty-2025/real/tjeverett1__pokerbot2025__5.txt"

MakeStore = Callable[..., Store]


@pytest.fixture(scope="module", params=LOGS)
def bounty(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Any, Store]]:
    """A Bounty log as the oracle reads it, and its store."""
    path = SAMPLES / f"bounty/{request.param}.txt"
    root = tmp_path_factory.mktemp("bounty")
    ingest([path], root)
    with open_store(root) as store:
        yield read_match(path)["hands"], store


def check_beliefs(hands: list[Hand], store: Store) -> int:
    """Compare every belief; says how many."""
    rows = {(row["hand_index"], row["seat"]): row for row in hidden_ranks.knowledge(store).to_dicts()}
    compared = 0
    for seat in (0, 1):
        for index, wanted in enumerate(oracle.beliefs(hands, seat)):
            if wanted is None:
                assert (index, seat) not in rows
                continue
            before, after = ([float(p) for p in belief.values()] for belief in wanted)
            row = rows.pop((index, seat))
            assert row["belief"] == pytest.approx(before, abs=1e-12)
            bits = [-math.fsum(p * math.log2(p) for p in belief if p) for belief in (before, after)]
            assert (row["bits"], row["leaked"]) == pytest.approx((bits[0], bits[0] - bits[1]), abs=1e-9)
            you = hands[index]["seats"].index(1 - seat)
            true = oracle.RANKS.index(hands[index]["bounties"][you] or "")
            assert row["p_true"] == pytest.approx(before[true])
            assert row["p_true"] > 0
            assert row["gained"] == pytest.approx(math.log2(after[true] / before[true]), abs=1e-9)
            assert row["p_top"] == pytest.approx(max(before))
            compared += 1
    assert not rows
    return compared


def test_beliefs_are_those_of_counting_cards(bounty: tuple[list[Hand], Store]) -> None:
    assert check_beliefs(*bounty) >= 2 * len(bounty[0]) - 10


def test_beliefs_of_a_published_log_are_those_of_counting_cards(corpus: Path, tmp_path: Path) -> None:
    ingest([corpus / REAL], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert check_beliefs(read_match(corpus / REAL)["hands"][:300], first_hands(store, 300)) == 600


def first_hands(store: Store, count: int) -> Any:
    """A store that shows the first hands only."""

    class First:
        def sql(self, query: str, **params: object) -> Any:
            return store.sql(
                f"select * from ({query}) where hand_index < {count} order by match_id, hand_index", **params
            )

    return First()


def test_players_are_told_what_the_view_visible_says(bounty: tuple[list[Hand], Store]) -> None:
    _, store = bounty
    seen = store.execute("select hand_index, viewer_seat, value from visible where item = 'hit'").fetchall()
    rows = hidden_ranks.knowledge(store).drop_nulls("told").select("hand_index", "seat", "told").rows()
    assert set(rows) == set(seen)


def test_live_in_belief_is_what_cards_and_beliefs_say(bounty: tuple[list[Hand], Store]) -> None:
    hands, store = bounty
    held = [oracle.beliefs(hands, seat) for seat in (0, 1)]
    rows = hidden_ranks.decisions(store).to_dicts()
    assert len(rows) > 20
    for row in rows[::7]:
        hand = hands[row["hand_index"]]
        me, you = hand["seats"].index(row["seat"]), hand["seats"].index(1 - row["seat"])
        board = hand["board"][: (0, 3, 4, 5)[row["street"]]]
        chance = oracle.chances(hand["hole"][me], board)
        wanted = held[row["seat"]][row["hand_index"]]
        assert wanted is not None
        assert row["belief"] == pytest.approx(float(sum(p * chance[r] for r, p in wanted[0].items())))
        assert row["ignorant"] == pytest.approx(float(sum(chance.values()) / 13))
        assert row["ignorant"] < hidden_ranks.LIVE
        rank = hand["bounties"][you]
        assert row["live"] == (rank in {card[0] for card in (*hand["hole"][you], *board)})
        action = hand["actions"][row["seq"] - 2]
        assert (action["kind"], action["player"], action["to_call"] > 0) == (
            row["action"],
            me,
            row["faces_bet"],
        )


def test_shifts_add_the_decisions_up(bounty: tuple[list[Hand], Store]) -> None:
    _, store = bounty
    rows = hidden_ranks.decisions(store).to_dicts()
    found = hidden_ranks.shifts(store).to_dicts()
    for row in found:
        own = [
            each
            for each in rows
            if (each["player"], each["namesake_seat"], each["street"])
            == (row["player"], row["seat"], row["street"])
            and (each["faces_bet"] or row["statistic"] == "aggression")
        ]
        kinds = ("fold",) if row["statistic"] == "fold" else ("bet", "raise")
        live = [each["action"] in kinds for each in own if each["belief"] >= 0.5]
        other = [each["action"] in kinds for each in own if each["belief"] < 0.5]
        assert (row["live_n"], row["live_k"]) == (len(live), sum(live))
        assert (row["other_n"], row["other_k"]) == (len(other), sum(other))
        if live and other:
            assert row["shift"] == pytest.approx(sum(live) / len(live) - sum(other) / len(other))
    assert sum(row["live_n"] + row["other_n"] for row in found if row["statistic"] == "aggression") == sum(
        row["street"] > 0 for row in rows
    )


def test_leaks_are_the_rank_owners_and_add_up(bounty: tuple[list[Hand], Store]) -> None:
    hands, store = bounty
    frame, found = hidden_ranks.knowledge(store), hidden_ranks.leaks(store).to_dicts()
    names = {hands[0]["seats"][k]: hands[0]["players"][k] for k in (0, 1)}
    assert len(found) == 2
    for row in found:
        knower = next(
            seat
            for seat in (0, 1)
            if (names[1 - seat], row["seat"]) in ((row["player"], None), (row["player"], 1 - seat))
        )
        own = frame.filter(seat=knower)
        assert row["hands"] == len(own)
        assert row["blocks"] == own["block"].n_unique()
        assert row["bits_per_hand"] == pytest.approx(own["gained"].mean())
        assert row["known"] == sum(p > 1 - 1e-9 for p in own["p_top"])
        assert row["likely"] == sum(p >= 0.9 for p in own["p_top"])


def test_a_leak_is_no_more_than_there_is_and_beliefs_are_honest(store_of: MakeStore) -> None:
    players = [("Ann", "calling-station"), ("Bob", "maniac")]
    store = store_of([simulate("bounty", players, 1000, seed) for seed in (1, 2)])
    frame = hidden_ranks.knowledge(store)
    assert frame["bits"].max() == pytest.approx(math.log2(13))
    blocks = frame.group_by("block", "seat", maintain_order=True)
    # Entropy lost and information gained about the truth are equal on average where the beliefs are right.
    gap = np.array([(group["leaked"] - group["gained"]).to_numpy().sum() for _, group in blocks])
    assert abs(gap.mean()) < 4 * gap.std() / math.sqrt(len(gap))
    assert gap.std() > 0
    told = frame.filter(frame["p_top"] > 1 - 1e-9)
    assert len(told) > 100
    assert told["p_true"].min() == pytest.approx(1)


def players_of(hands: list[Hand]) -> list[Player]:
    """Both players by seat; two of one name by the seat as well."""
    names = [hands[0]["players"][hands[0]["seats"].index(seat)] for seat in (0, 1)]
    alike = names[0] == names[1]
    return [Player("bounty", "bounty", name, seat if alike else None) for seat, name in enumerate(names)]


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_player_can_retell_what_he_was_told(bounty: tuple[list[Hand], Store], viewer: int) -> None:
    hands, store = bounty
    with closing(store.as_seen_by(players_of(hands)[viewer])) as seen:
        frame = hidden_ranks.knowledge(seen)
        made = hidden_ranks.decisions(seen)
    for seat in (0, 1):
        own = frame.filter(seat=seat)
        wanted = [
            (index, each)
            for index, each in enumerate(oracle.beliefs(hands, seat, told_other=seat != viewer))
            if each is not None
        ]
        assert own["hand_index"].to_list() == [index for index, _ in wanted]
        for row, (index, (before, after)) in zip(own.to_dicts(), wanted, strict=True):
            assert row["belief"] == pytest.approx([float(p) for p in before.values()], abs=1e-12)
            if seat == viewer:
                assert row["p_true"] is None and row["gained"] is None
                continue
            rank = hands[index]["bounties"][hands[index]["seats"].index(viewer)] or ""
            assert row["p_true"] == pytest.approx(float(before[rank]))
            assert row["gained"] == pytest.approx(math.log2(after[rank] / before[rank]), abs=1e-9)
    beliefs = {seat: oracle.beliefs(hands, seat, told_other=seat != viewer) for seat in (0, 1)}
    for row in made.to_dicts()[::5]:
        hand = hands[row["hand_index"]]
        own_cards = hand["hole"][hand["seats"].index(row["seat"])]
        shows = row["seat"] == viewer or showdown(hand)
        chance = oracle.chances(own_cards if shows else [], hand["board"][: (0, 3, 4, 5)[row["street"]]])
        belief = beliefs[row["seat"]][row["hand_index"]]
        assert belief is not None
        assert row["belief"] == pytest.approx(float(sum(p * chance[r] for r, p in belief[0].items())))
        assert (row["live"] is None) == (row["seat"] == viewer)


def test_the_opponent_file_has_the_ranks_of_both(bounty: tuple[list[Hand], Store]) -> None:
    hands, store = bounty
    me, you = players_of(hands)
    frame = hidden_ranks.knowledge(store)
    with closing(store.as_seen_by(you)) as seen:
        told = knowledge_of(seen, me, lock=False)
    found = knowledge_of(store, me, lock=False)
    for name, seat in (("rank_given_away", 1), ("rank_learnt", 0)):
        (row,) = found[name]
        knows = frame.filter(seat=seat)
        assert (row["opponent"], row["hands"]) == (you.name, len(knows))
        assert row["bits_per_hand"] == pytest.approx(knows["gained"].mean())
        assert row["lost_per_hand"] == pytest.approx(knows["leaked"].mean())
        assert row["known"] == sum(p > 1 - 1e-9 for p in knows["p_top"])
    # Who learns the rank knows what he knows; only the rank itself he is not told.
    (given,), (seen_given,) = found["rank_given_away"], told["rank_given_away"]
    assert seen_given == {
        name: None
        if name.startswith("bits_") and name != "bits_at_end"
        else pytest.approx(value, nan_ok=True)
        if isinstance(value, float)
        else value
        for name, value in given.items()
    }
    assert [row["hands"] for row in told["rank_learnt"]] == [row["hands"] for row in found["rank_learnt"]]
    counts = [
        {(row["street"], row["statistic"]): row["live_opportunities"] + row["opportunities"] for row in rows}
        for rows in (found["rank_used"], told["rank_used"])
    ]
    made = hidden_ranks.decisions(store).filter(player=me.name, seat=0).filter(pl.col("street") > 0)
    faced = made.filter("faces_bet")
    assert counts[0] == counts[1]
    assert sum(counts[0].values()) == len(made) + len(faced)


def test_before_the_lock_point_alone(bounty: tuple[list[Hand], Store]) -> None:
    _, store = bounty
    ((lock,),) = store.execute("select hand_index from lock_points").fetchall()
    frame = hidden_ranks.knowledge(store)
    first = frame if lock is None else frame.filter(frame["hand_index"] < lock)
    assert sum(hidden_ranks.leaks(store, lock=True)["hands"]) == len(first)
    made = hidden_ranks.decisions(store).filter(pl.col("street") > 0)
    kept = made if lock is None else made.filter(pl.col("hand_index") < lock)
    counted = hidden_ranks.shifts(store, lock=True).filter(statistic="aggression")
    assert sum(counted["live_n"].to_list() + counted["other_n"].to_list()) == len(kept)


def test_a_fold_costs_at_most_what_a_winner_who_hits_is_paid(store_of: MakeStore) -> None:
    store = store_of([simulate("bounty", [("Ann", "maniac"), ("Bob", "maniac")], 2, 1)])
    ((bounty, other),) = store.execute(
        "select fold_costs(bounty_factor, bounty_bonus, [1, 2]), fold_costs(null, null, [1, 2]) from games"
    ).fetchall()
    assert bounty == [-payout(0, -1, blind, False, True, 0) for blind in (1, 2)]
    assert other == [1, 2]


def test_no_bounty_no_rows(store_of: MakeStore) -> None:
    store = store_of([simulate("holdem-mit", [("Ann", "maniac"), ("Bob", "maniac")], 5, 1)])
    assert hidden_ranks.knowledge(store).is_empty()
    assert hidden_ranks.leaks(store).is_empty()
    assert hidden_ranks.shifts(store).is_empty()


# Rates of clusters


def test_a_clustered_rate_of_single_chances_is_wilsons() -> None:
    hits = np.array([1.0] * 30 + [0.0] * 70)
    p, low, high = intervals.rate(hits, np.ones(100))
    assert p == 0.3
    # 100 clusters of one: the variance is N / (N - 1) times the binomial one, and t stands for z.
    wanted = stats.binomtest(30, 100).proportion_ci(method="wilson")
    assert low == pytest.approx(wanted.low, abs=0.003)
    assert high == pytest.approx(wanted.high, abs=0.003)


def test_hands_that_repeat_within_a_cluster_are_no_new_evidence() -> None:
    random = np.random.default_rng(1)
    one = (random.random(60) < 0.4).astype(np.float64)
    assert intervals.rate(10 * one, np.full(60, 10.0)) == pytest.approx(intervals.rate(one, np.ones(60)))


@pytest.mark.parametrize("hits", [0.0, 5.0])
def test_a_rate_of_all_or_nothing_still_has_an_interval(hits: float) -> None:
    p, low, high = intervals.rate(np.full(8, hits), np.full(8, 5.0))
    assert p == hits / 5
    assert low is not None and high is not None
    assert high - low > 0.3
    assert 0 <= low <= p <= high <= 1


def test_clusters_without_a_chance_do_not_count() -> None:
    some = intervals.rate(np.array([1.0, 2.0, 0.0]), np.array([2.0, 3.0, 1.0]))
    assert intervals.rate(np.array([1.0, 2.0, 0.0, 0.0]), np.array([2.0, 3.0, 1.0, 0.0])) == some
    assert intervals.rate(np.zeros(3), np.zeros(3)) == (None, None, None)
    assert intervals.rate(np.array([1.0]), np.array([2.0])) == (0.5, None, None)
    assert intervals.difference(some, (None, None, None)) == (None, None, None)


def test_clustered_intervals_cover_the_truth() -> None:
    random = np.random.default_rng(5)
    held = means = 0
    for _ in range(1000):
        # Each cluster has a rate of its own: 40 clusters of 0 to 12 chances, 0.3 on average.
        sizes = random.integers(0, 13, 40).astype(np.float64)
        hits = random.binomial(sizes.astype(np.int64), random.beta(1.5, 3.5, 40)).astype(np.float64)
        _, low, high = intervals.rate(hits, sizes)
        held += low is not None and high is not None and low <= 0.3 <= high
        amounts = random.gamma(2.0, 1.5, 40)
        _, low, high = intervals.ratio(amounts, np.full(40, 25.0))
        means += low is not None and high is not None and low <= 3 / 25 <= high
    assert held / 1000 == pytest.approx(0.95, abs=0.025)
    assert means / 1000 == pytest.approx(0.95, abs=0.025)
