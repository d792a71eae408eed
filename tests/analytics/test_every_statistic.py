"""Every statistic of every game against a second derivation: plain Python that walks the decoded hands."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from support.walking import Decoded, decoded

from oracles import walked
from railbird.analytics.store import Store, open_store
from railbird.analytics.views import REQUIRED
from railbird.ingest import ingest
from railbird.replay.payouts import with_bounties as payout

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
GAMES = ("acpc", "auction", "blotto", "bounty", "holdem-mit", "permutation", "river-of-blood", "swap", "toss")
# A few logs of each kind: the rest of the corpus says nothing new and takes minutes.
CORPUS = {
    "acpc-2p-limit": "acpc/engine/2p_limit/*.log",
    "acpc-3p-limit": "acpc/engine/3p_limit/*.log",
    "acpc-3p-nolimit": "acpc/engine/3p_nolimit/*.log",
    "acpc-custom": "acpc/engine/custom/*.log",
    "auction": "auction-2024/real/*.txt",
    "blotto": "blotto-2021/real/*.txt",
    "bounty": "bounty-2025/real/*.txt",
    "river-of-blood": "river-of-blood-2023/real/*.txt",
}
FEW = 3
RESULTS = ("wtsd", "w$sd", "tied_showdown", "wwsf")
NEVER = 2**31 - 1


@dataclass(frozen=True)
class Logs:
    """A store, its hands as decoded, and before which hand of each match a lead is locked."""

    store: Store
    hands: list[Decoded]
    locks: dict[int, int]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each game of the sample logs, and some logs of the corpus."""
    if "logs" not in metafunc.fixturenames:
        return
    params = [pytest.param([SAMPLES / game], id=game) for game in GAMES]
    root = os.environ.get("RAILBIRD_CORPUS")
    for name, pattern in CORPUS.items():
        paths = sorted(Path(root).glob(pattern))[:FEW] if root else []
        skip = pytest.mark.skipif(not paths, reason="RAILBIRD_CORPUS is not set, or has no such logs")
        params.append(pytest.param(paths, id=f"corpus-{name}", marks=skip))
    metafunc.parametrize("logs", params, indirect=True, scope="module")


@pytest.fixture(scope="module")
def logs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logs]:
    folder = tmp_path_factory.mktemp("every")
    ingest(request.param, folder)
    with open_store(folder) as store:
        hands = decoded(store)
        yield Logs(store, hands, locked(store))


def locked(store: Store) -> dict[int, int]:
    """The oracle's lock points."""
    found = {}
    for match, game, blinds in store.execute(
        "select match_id, game, blinds from matches where complete and len(players) = 2 and game not like 'acpc/%'"
    ).fetchall():
        rows = store.execute(
            "select bankroll_before, dealer_seat from seats join hands using (match_id, hand_index) "
            "where match_id = $match order by hand_index, seat",
            match=match,
        ).fetchall()
        banks = [(rows[k][0], rows[k + 1][0]) for k in range(0, len(rows), 2)]
        dealers = [row[1] for row in rows[::2]]
        three = game == "blotto"
        costs = tuple(blinds[k] for k in (0, -1))
        if game == "bounty":
            costs = tuple(
                abs(payout(0, sign, blind, True, True, 0)) for sign, blind in zip((-1, 1), costs, strict=True)
            )
        at = walked.lock_point(banks, dealers, costs, 3 if three else 1, 12 if three else 0)
        if at:
            found[match] = at[0]
    return found


def rows(logs: Logs | Store, query: str) -> list[tuple[Any, ...]]:
    store = logs if isinstance(logs, Store) else logs.store
    return store.execute(query).fetchall()


def kept(logs: Logs, suffix: str) -> list[Decoded]:
    """The hands that a view with this suffix counts."""
    return [each for each in logs.hands if not suffix or each.index < logs.locks.get(each.match_id, NEVER)]


def test_lock_points(logs: Logs) -> None:
    found = rows(logs, "select match_id, hand_index from lock_points where hand_index is not null")
    assert dict(found) == logs.locks


Counts = dict[tuple[Any, ...], dict[Any, list[int]]]


def counted(logs: Logs, suffix: str) -> tuple[Counts, Counts]:
    """(n, k) by cluster: of each match, seat and statistic; of each match, seat, street and statistic."""
    once: Counts = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    streets: Counts = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for each in kept(logs, suffix):
        for (name, _, seat, street), taken in walked.tendencies(each.hand).items():
            if name in RESULTS and not each.knows_winner:
                continue
            key = (each.match_id, seat, name) if street < 0 else (each.match_id, seat, street, name)
            cell = (once if street < 0 else streets)[key][each.cluster]
            cell[0] += 1
            cell[1] += taken
    return once, streets


def sums(counts: Counts) -> dict[tuple[Any, ...], tuple[int, int]]:
    return {
        key: (sum(n for n, _ in some.values()), sum(k for _, k in some.values()))
        for key, some in counts.items()
    }


@pytest.mark.parametrize("suffix", ["", "_before_lock"])
def test_tendencies(logs: Logs, suffix: str) -> None:
    once, streets = counted(logs, suffix)
    unknown = {each.match_id for each in logs.hands if not each.knows_winner}
    found = rows(
        logs, f"select match_id, seat, statistic, opportunities, successes from tendencies_by_match{suffix}"
    )
    told = {row[:3]: row[3:] for row in found if row[0] not in unknown or row[2] not in RESULTS}
    assert told == {
        key: value for key, value in sums(once).items() if key[0] not in unknown or key[2] not in RESULTS
    }
    found = rows(
        logs,
        "select match_id, match_seat, street, statistic, opportunities, successes "
        f"from street_tendencies_by_match{suffix}",
    )
    assert {row[:4]: row[4:] for row in found} == sums(streets)


def test_effective_n_and_its_interval(logs: Logs) -> None:
    once, streets = counted(logs, "")
    unknown = {each.match_id for each in logs.hands if not each.knows_winner}
    found = [
        *rows(
            logs, "select match_id, seat, statistic, rate, low, high, effective_n from tendencies_by_match"
        ),
        *rows(
            logs,
            "select match_id, match_seat, street, statistic, rate, low, high, effective_n "
            "from street_tendencies_by_match",
        ),
    ]
    assert found
    for *key, rate, low, high, effective in found:
        clusters = (streets if len(key) == 4 else once)[tuple(key)]
        if key[-1] in RESULTS and key[0] in unknown:
            continue
        alone = None in clusters
        n = sum(n for n, _ in clusters.values())
        expected = n if alone else walked.effective_n((a, b) for a, b in clusters.values())
        assert isclose(effective, expected, rel_tol=0.01), key
        assert effective <= n
        ends = walked.wilson(rate, effective)
        assert (low, high) == pytest.approx((max(ends[0], 0), min(ends[1], 1)), abs=1e-9)


@pytest.mark.parametrize("suffix", ["", "_before_lock"])
def test_bets_faced(logs: Logs, suffix: str) -> None:
    faced: dict[tuple[Any, ...], list[walked.Answer]] = defaultdict(list)
    for each in kept(logs, suffix):
        for answer in walked.answers(each.hand):
            place = each.hand.positions[answer.seat]
            key = (each.match_id, answer.seat, answer.street, place, walked.size_bin(answer.size))
            faced[key].append(answer)
    found = rows(
        logs,
        "select match_id, match_seat, street, position, size_bin, answer, opportunities, successes, mean_size, mdf "
        f"from bets_faced_by_match{suffix}",
    )
    assert {row[:5] for row in found} == set(faced)
    for row in found:
        some = faced[row[:5]]
        kinds = Counter(answer.kind for answer in some)
        assert row[6:8] == (len(some), kinds[row[5]])
        sizes = [answer.size for answer in some if answer.size is not None]
        assert row[8] == (pytest.approx(sum(sizes) / len(some)) if row[4] else None)
        assert len(sizes) == (len(some) if row[4] else 0)
        assert row[9] == (None if mdf(some) is None else pytest.approx(mdf(some)))


def mdf(some: Sequence[walked.Answer]) -> float | None:
    """The mean; None where a blind is faced among them."""
    known = [answer.mdf for answer in some if answer.mdf is not None]
    return sum(known) / len(known) if len(known) == len(some) else None


@pytest.mark.parametrize("suffix", ["", "_before_lock"])
def test_bet_answers(logs: Logs, suffix: str) -> None:
    faced: dict[tuple[Any, ...], list[walked.Answer]] = defaultdict(list)
    clusters: dict[tuple[Any, ...], dict[int | None, list[str]]] = defaultdict(lambda: defaultdict(list))
    for each in kept(logs, suffix):
        for answer in walked.answers(each.hand):
            key = (each.match_id, answer.seat, answer.street, walked.size_bin(answer.size))
            faced[key].append(answer)
            clusters[key][each.cluster].append(answer.kind)
    found = rows(
        logs,
        "select match_id, seat, street, size_bin, answer, opportunities, successes, mdf, effective_n "
        f"from bet_answers_by_match{suffix}",
    )
    assert {row[:4] for row in found} == set(faced)
    for row in found:
        some = faced[row[:4]]
        kinds = Counter(answer.kind for answer in some)
        assert row[5:7] == (len(some), kinds[row[4]])
        assert row[7] == (None if mdf(some) is None else pytest.approx(mdf(some)))
        each_cluster = clusters[row[:4]]
        drawn = ((len(answers), answers.count(row[4])) for answers in each_cluster.values())
        expected = len(some) if None in each_cluster else walked.effective_n(drawn)
        assert isclose(row[8], expected, rel_tol=0.01)


@pytest.mark.parametrize("suffix", ["", "_before_lock"])
def test_bets_made(logs: Logs, suffix: str) -> None:
    made: dict[tuple[Any, ...], list[walked.Bet]] = defaultdict(list)
    clusters: dict[tuple[Any, ...], dict[int | None, list[int | None]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for each in kept(logs, suffix):
        for bet in walked.bets(each.hand):
            place = each.hand.positions[bet.seat]
            key = (each.match_id, bet.seat, bet.street, place, bet.kind)
            made[key].append(bet)
            clusters[key][each.cluster].append(walked.size_bin(bet.size))
    found = rows(
        logs,
        "select match_id, match_seat, street, position, action, size_bin, opportunities, successes, mean_size, all_in, "
        f"effective_n, rate, low, high from bets_made_by_match{suffix}",
    )
    assert {row[:5] for row in found} == set(made)
    for row in found:
        some = [bet for bet in made[row[:5]] if walked.size_bin(bet.size) == row[5]]
        assert row[6:8] == (len(made[row[:5]]), len(some))
        assert row[8] == (pytest.approx(sum(bet.size for bet in some) / len(some)) if some else None)
        assert row[9] == sum(bet.all_in for bet in some)
        drawn = ((len(bins), bins.count(row[5])) for bins in clusters[row[:5]].values())
        wanted = row[6] if None in clusters[row[:5]] else walked.effective_n(drawn)
        assert isclose(row[10], wanted, rel_tol=0.01)
        assert row[12:] == pytest.approx(walked.wilson(row[11], row[10]), abs=1e-9)


@pytest.mark.parametrize("suffix", ["", "_before_lock"])
def test_aggression_by_street(logs: Logs, suffix: str) -> None:
    total: Counter[tuple[int, int, int, str]] = Counter()
    for each in kept(logs, suffix):
        for (seat, street, kind), count in walked.aggression(each.hand).items():
            total[each.match_id, seat, street, kind] += count
    found = rows(
        logs,
        "select match_id, seat, street, bets, raises, calls, checks, folds "
        f"from aggression_by_match_by_street{suffix}",
    )
    told = {
        (*row[:3], kind): count
        for row in found
        for kind, count in zip(("bet", "raise", "call", "check", "fold"), row[3:], strict=True)
        if count
    }
    assert told == total


@pytest.mark.parametrize("view", ["chances", "chances_before_lock"])
def test_chances_add_up_to_the_tendencies(logs: Logs, view: str) -> None:
    suffix = view.removeprefix("chances")
    assert not rows(
        logs,
        f"""
        with summed as (
          select match_id, seat, statistic, sum(opportunities) as n, sum(successes) as k from {view} group by all
        )
        select * from summed full join tendencies_by_match{suffix} as t using (match_id, seat, statistic)
        where n is distinct from opportunities or k is distinct from successes
        """,
    )


@pytest.mark.parametrize(
    ("view", "key", "finer"),
    [
        ("tendencies", "statistic", ("by_opponent", "by_position", "by_match")),
        ("street_tendencies", "street, statistic", ("by_opponent", "by_position", "by_match")),
        ("bets_faced", "street, position, size_bin, answer", ("by_opponent", "by_match")),
        ("bets_made", "street, position, action, size_bin", ("by_opponent", "by_match")),
        ("fold_frequency", "street, position", ("by_opponent", "by_match")),
    ],
)
def test_a_view_is_the_sum_of_its_twins(samples: Store, view: str, key: str, finer: tuple[str, ...]) -> None:
    """Of all sample logs at once: an event holds one game."""
    added = "sum(opportunities), sum(successes)"
    for lock in ("", "_before_lock"):
        whole = rows(
            samples,
            f"select event, game, player, {key}, {added} from {view}{lock} group by all order by all",
        )
        assert {row[0] for row in whole} >= set(GAMES)
        for suffix in finer:
            parts = f"select event, game, player, {key}, {added} from {view}_{suffix}{lock} group by all order by all"
            assert rows(samples, parts) == whole


def test_the_sizes_and_streets_add_up_to_what_has_neither(samples: Store) -> None:
    """Folds by size to folds by street; answers to decisions; c-bets of the flop to the flags."""
    counts = "sum(opportunities), sum(successes)"
    folds = f"select event, game, player, street, position, {counts} from {{}} group by all order by all"
    by_size = "(select * from bets_faced where answer = 'fold')"
    by_street = rows(samples, folds.format("fold_frequency"))
    assert {row[0] for row in by_street} >= set(GAMES)
    assert rows(samples, folds.format(by_size)) == by_street
    assert not rows(
        samples,
        "select * from (select sum(successes) as answered, any_value(opportunities) as n from bets_faced_by_match "
        "group by match_id, match_seat, street, position, size_bin) where answered <> n",
    )
    # The names of the same flags in the views without streets and by street.
    same = (
        ("cbet_flop", 1, "cbet"),
        ("cbet_turn", 2, "cbet"),
        ("donk", 1, "donk"),
        ("probe", 2, "probe"),
        ("delayed_cbet", 2, "delayed_cbet"),
        ("fold_to_cbet", 1, "fold_to_cbet"),
    )
    summed = "select event, game, player, {} as name, sum(opportunities), sum(successes) from {} group by all"
    streets = " ".join(
        f"when statistic = '{name}' and street = {street} then '{flag}'" for flag, street, name in same
    )
    by_flag, by_walk = (
        rows(samples, f"select * from ({summed.format(name, view)}) where name is not null order by all")
        for name, view in (
            (f"if(statistic in {tuple(flag for flag, *_ in same)}, statistic, null)", "tendencies"),
            (f"case {streets} end", "street_tendencies"),
        )
    )
    assert {row[3] for row in by_flag} == {flag for flag, *_ in same}
    assert by_flag == by_walk


def test_winnings_are_red_and_blue_and_nobody_else_pays(logs: Logs) -> None:
    assert not rows(
        logs,
        "select * from winnings where abs(showdown + non_showdown - delta) > 1e-6 * greatest(1, abs(delta))",
    )
    # Blotto's boards hold chips that nobody put in.
    assert not rows(
        logs,
        """
        select match_id, hand_index from seats
        join (
          select match_id, hand_index, coalesce(sum(pot_inflation), 0) as gift
          from hands left join boards using (match_id, hand_index)
          where verdict in ('ok', 'engine_deviation') group by all
        ) using (match_id, hand_index)
        group by match_id, hand_index, gift
        having count(delta) = count(*) and abs(sum(delta_written) - gift) > 1e-6
        """,
    )


def test_who_took_an_opportunity_had_it(logs: Logs) -> None:
    """What one tally of all flags rests on: a success implies its opportunity, but where tallies.REQUIRED says so."""
    pairs = rows(
        logs, "select opportunity_flag, success_flag from statistics where opportunity_flag is not null"
    )
    assert pairs
    for view in ("stored.seats", "blotto_flags"):
        # The hands of each success without its opportunity.
        alone = ", ".join(
            f"count(*) filter (s.flags & flag_bit('{success}') <> 0 and s.flags & flag_bit('{chance}') = 0)"
            for chance, success in pairs
        )
        (counts,) = rows(
            logs,
            f"select {alone} from {view} as s join match_starts as m on m.match_id = s.match_id where m.is_holdem",
        )
        for count, (chance, success) in zip(counts, pairs, strict=True):
            assert count == 0 or REQUIRED.get(success) == chance, (view, chance, success)


def test_what_a_bet_is_raised_to_in_big_blinds(logs: Logs) -> None:
    found = rows(
        logs,
        """
        select street, action, sum(successes), round(sum(mean_to_bb * successes), 6)
        from bets_made group by all order by all
        """,
    )
    assert found == rows(
        logs,
        """
        select street, action, count(*), round(sum(raise_to_bb), 6)
        from decisions where action in ('bet', 'raise') group by all order by all
        """,
    )
