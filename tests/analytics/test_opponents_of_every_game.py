"""What the opponent file is made of, of every game, against plain Python that follows the moves of decoded hands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isclose
from typing import Any, NamedTuple

import pytest
from support.walking import Decoded, decoded

from oracles import facing, walked
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

SUFFIXES = ("", "_before_lock")
NEVER = 2**31 - 1
# Tables at which bets are answered with one other player left: in the sample logs of six players they shove.
TABLES = ("acpc/holdem.nolimit.3p", "acpc/holdem.nolimit.6p")
HANDS = 60


class Who(NamedTuple):
    """A player as the views tell players apart."""

    event: str
    game: str
    player: str
    seat: int | None


@dataclass(frozen=True)
class Case:
    """A decision and what is known of it; `block` is what its hand is drawn with, `clustered` if that is not itself."""

    choice: facing.Choice
    who: Who
    position: str
    unit: float
    block: tuple[int, int]
    clustered: bool
    index: int
    match_id: int
    hole: list[str] | None
    equity: float | None


@dataclass(frozen=True)
class Played:
    """The cases of a store, its hands, who sat where, and from which hand of a match on a lead is safe."""

    store: Store
    cases: list[Case]
    hands: list[Decoded]
    who: dict[tuple[int, int], Who]
    locks: dict[int, int]
    shared: dict[tuple[int, int], tuple[int, int]]


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    return store.execute(query).fetchall()


def block_of(each: Decoded, shared: dict[tuple[int, int], tuple[int, int]]) -> tuple[int, int]:
    """What is drawn anew; of the ACPC's hands those of the same cards are one."""
    at = (each.match_id, each.index)
    return shared.get(at, at if each.cluster is None else (each.match_id, each.cluster))


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Simulated matches of three and of six players."""
    root = tmp_path_factory.mktemp("tables")
    for game in TABLES:
        players = [(f"P{k}", "tight-aggressive") for k in range(int(game[-2]))]
        (root / f"{game[-2]}.log").write_text(simulate(game, players, HANDS, 1))
    ingest([root], root / "store")
    with open_store(root / "store") as store:
        yield store


@pytest.fixture(scope="module", params=["samples", "tables"])
def played(request: pytest.FixtureRequest) -> Played:
    samples: Store = request.getfixturevalue(request.param)
    hands = decoded(samples)
    units, who = {}, {}
    for match, event, game, names, unit, rotated in rows(
        samples, "select match_id, event, game, players, unit, seating from matches"
    ):
        units[match] = unit
        for seat, name in enumerate(names):
            # The seats of a Koper tournament rotate from match to match: a namesake is who sat there in its first.
            first = (seat + (rotated or 0)) % 5 if game == "koper" else seat
            who[match, seat] = Who(event, game, name, first if names.count(name) > 1 else None)
    holes = {
        (match, hand, 0, seat): cards
        for match, hand, seat, cards in rows(samples, "select match_id, hand_index, seat, hole from seats")
    }
    for match, hand, board, sent in rows(samples, "select match_id, hand_index, board_no, hole from boards"):
        holes.update({(match, hand, board, seat): cards for seat, cards in enumerate(sent)})
    equity = {
        row[:5]: row[5]
        for row in rows(
            samples,
            "select match_id, hand_index, coalesce(board_no, 0), street, seat, equity_own from equities",
        )
    }
    shared = {
        (match, hand): (cards, number)
        for match, hand, cards, number in rows(
            samples,
            "select match_id, hand_index, m.card_set, h.hand_no from hands as h join matches as m using (match_id) "
            "where m.game like 'acpc/%' and m.card_set is not null",
        )
    }
    cases = []
    for each in hands:
        at = (each.match_id, each.index)
        for choice in facing.choices(each.hand):
            move = choice.move
            cases.append(
                Case(
                    choice,
                    who[each.match_id, move.seat],
                    each.hand.positions[move.seat],
                    units[each.match_id],
                    block_of(each, shared),
                    each.cluster is not None,
                    each.index,
                    each.match_id,
                    holes.get((*at, move.board, move.seat)),
                    equity.get((*at, move.board, move.street, move.seat)),
                )
            )
    locks = dict(rows(samples, "select match_id, hand_index from lock_points where hand_index is not null"))
    return Played(samples, cases, hands, who, locks, shared)


def kept(played: Played, suffix: str) -> list[Case]:
    """What a view with this suffix counts; the lock points themselves are checked in test_every_statistic."""
    return [
        case for case in played.cases if not suffix or case.index < played.locks.get(case.match_id, NEVER)
    ]


def grouped(cases: Iterable[tuple[Any, Case]]) -> dict[Any, list[Case]]:
    found: dict[Any, list[Case]] = defaultdict(list)
    for key, case in cases:
        found[key].append(case)
    return found


def check_rate(told: tuple[Any, ...], cases: list[tuple[Case, bool]]) -> None:
    """(rate, effective n, low, high) of cases and whether each was taken."""
    rate, effective, low, high = told
    n = len(cases)
    assert rate == pytest.approx(sum(taken for _, taken in cases) / n)
    wanted: float = n
    if cases[0][0].clustered:
        blocks: dict[Any, list[bool]] = defaultdict(list)
        for case, taken in cases:
            blocks[case.block].append(taken)
        wanted = walked.effective_n((len(some), sum(some)) for some in blocks.values())
    assert isclose(effective, wanted, rel_tol=0.01)
    ends = walked.wilson(rate, effective)
    assert (low, high) == pytest.approx((max(ends[0], 0), min(ends[1], 1)), abs=1e-9)


def test_there_are_cases_of_every_game(played: Played) -> None:
    alone = {case.who.game for case in played.cases if case.choice.faced and case.choice.left == 2}
    made = Counter(case.who.game for case in played.cases if case.choice.made is not None)
    assert min(made.values()) >= 10
    assert sum(case.choice.left > 2 for case in played.cases) > 100
    if "bounty" not in made:
        assert alone == made.keys() == set(TABLES)
    else:
        assert len(made) == 26
        assert made.keys() - alone == {
            "acpc/kuhn.limit.3p",
            "acpc/holdem.nolimit.6p",
            "acpc/unequal.nolimit.4p",
        }


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_ranges(played: Played, suffix: str) -> None:
    expected: dict[Any, Counter[str]] = defaultdict(Counter)
    for case in kept(played, suffix):
        if case.choice.move.street == 0:
            key = (*case.who, case.position, case.choice.level, facing.hole_class(case.hole))
            kind = case.choice.move.kind
            expected[key]["raise" if kind == "bet" else kind] += 1
    found = rows(
        played.store,
        "select event, game, player, seat, position, bet_level, hole_class, folds, checks, calls, raises "
        f"from ranges{suffix} where game <> 'koper'",
    )
    assert {row[:7]: row[7:] for row in found} == {
        key: tuple(counts[kind] for kind in ("fold", "check", "call", "raise"))
        for key, counts in expected.items()
    }


def test_ranges_of_koper(played: Played) -> None:
    expected: dict[Any, Counter[str]] = defaultdict(Counter)
    for match, seat, position, cards, action in rows(
        played.store,
        "select a.match_id, a.seat, s.position, s.hole, a.action from actions as a "
        "join seats as s using (match_id, hand_index, seat) anti join damaged_hands using (match_id, hand_index) "
        "join matches as m using (match_id) "
        "where m.game = 'koper' and a.street = 1 and a.origin = 'choice' and a.action in ('fold', 'play')",
    ):
        who = played.who[match, seat]
        expected[(*who, position, facing.hole_class(cards))][action] += 1
    found = rows(
        played.store,
        "select event, game, player, seat, position, hole_class, sum(folds), sum(calls), sum(checks + raises) "
        "from ranges where game = 'koper' group by all",
    )
    assert {row[:6]: row[6:] for row in found} == {
        key: (counts["fold"], counts["play"], 0) for key, counts in expected.items()
    }
    assert len(found) > 100 or "koper" not in {who.game for who in played.who.values()}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_defences(played: Played, suffix: str) -> None:
    expected = grouped(
        ((*case.who, case.choice.move.street, case.choice.faced), case)
        for case in kept(played, suffix)
        if case.choice.faced is not None and case.choice.left == 2
    )
    found = rows(
        played.store,
        "select event, game, player, seat, street, faced, opportunities, folds, calls, raises, break_even, mdf, "
        f"over_fold, rate, effective_n, low, high from defences{suffix}",
    )
    assert {row[:6] for row in found} == set(expected)
    for row in found:
        cases = expected[row[:6]]
        kinds = Counter(case.choice.move.kind for case in cases)
        assert row[6:10] == (len(cases), kinds["fold"], kinds["call"], kinds["raise"])
        pairs = [(case.choice.risk or 0.0, case.choice.pot or 0.0) for case in cases]
        even = sum(risk / (pot + risk) for risk, pot in pairs) / len(cases)
        assert row[10:13] == pytest.approx((even, 1 - even, kinds["fold"] / len(cases) - even))
        check_rate(row[13:], [(case, case.choice.move.kind == "fold") for case in cases])


def in_blocks(cases: list[Case]) -> list[list[float]]:
    """The equities of cases by what they are drawn with."""
    blocks: dict[Any, list[float]] = defaultdict(list)
    for case in cases:
        blocks[case.block].append(case.equity or 0)
    return list(blocks.values())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_bets_by_size(played: Played, suffix: str) -> None:
    expected = grouped(
        ((*case.who, case.choice.move.street, walked.size_bin(case.choice.made)), case)
        for case in kept(played, suffix)
        if case.choice.made is not None
    )
    found = rows(
        played.store,
        "select event, game, player, seat, street, size, bets, seen, bluffs, equity, equity_low, equity_high, "
        f"optimum, excess, bluff_share, effective_n, low, high from bets_by_size{suffix}",
    )
    assert {row[:6] for row in found} == set(expected)
    for row in found:
        cases = [case for case in expected[row[:6]] if case.equity is not None]
        held = [case.equity for case in cases if case.equity is not None]
        assert row[6:9] == (len(expected[row[:6]]), len(cases), sum(own < 0.5 for own in held))
        if not cases:
            assert row[9:] == (None, None, None, None, None, None, 0, None, None)
            continue
        mean = sum(held) / len(held)
        assert row[9] == pytest.approx(mean)
        blocks = in_blocks(cases) if cases[0].clustered else [[own] for own in held]
        half = facing.half_width([*map(sum, blocks)], [*map(len, blocks)])
        if half is None:
            assert row[10:12] == (None, None)
        else:
            assert row[10:12] == pytest.approx((max(mean - half, 0), min(mean + half, 1)), abs=5e-3)
        alone = [case.choice for case in cases if case.choice.left == 2]
        if row[4] == facing.last_street(row[1]) and alone:
            # Of a bet b into p: b / (p + 2 b).
            shares = [
                (one.price or 0) / (one.move.pot + one.move.to_call + 2 * (one.price or 0)) for one in alone
            ]
            optimum = sum(shares) / len(shares)
            assert row[12:14] == pytest.approx((optimum, row[8] / len(held) - optimum))
        else:
            assert row[12:14] == (None, None)
        check_rate(row[14:], [(case, (case.equity or 0) < 0.5) for case in cases])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_size_tells(played: Played, suffix: str) -> None:
    expected: dict[Any, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    bets: dict[Any, list[Case]] = defaultdict(list)
    for case in kept(played, suffix):
        if case.choice.made is not None and case.equity is not None:
            expected[*case.who, case.choice.move.street][case.equity < 0.5].append(case.choice.made)
            bets[*case.who, case.choice.move.street].append(case)
    found = rows(
        played.store,
        "select event, game, player, seat, street, bets, bets_for_value, bluffs, value_size, bluff_size, auc, low, "
        f"high from size_tells{suffix}",
    )
    assert {row[:5] for row in found} == set(expected)
    for row in found:
        values, bluffs = expected[row[:5]]
        assert row[5:8] == (len(values) + len(bluffs), len(values), len(bluffs))
        assert row[8:10] == tuple(pytest.approx(sum(k) / len(k)) if k else None for k in (values, bluffs))
        if not values or not bluffs:
            assert row[10:] == (None, None, None)
            continue
        share, spread = facing.auc(values, bluffs)
        assert row[10] == pytest.approx(share)
        # Sizes that differ in their last bits are as good as equal: a spread of rounding is none.
        if not spread or spread <= 1e-15:
            n: float = min(len(values), len(bluffs))
        elif not bets[row[:5]][0].clustered:
            n = share * (1 - share) / spread
        else:
            blocks: dict[Any, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
            for case in bets[row[:5]]:
                blocks[case.block][(case.equity or 0) < 0.5].append(case.choice.made or 0)
            n = share * (1 - share) / facing.wider_spread(spread, list(blocks.values()))
        assert row[11:] == pytest.approx(walked.wilson(share, n), abs=1e-6)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_actions_by_strength(played: Played, suffix: str) -> None:
    def key(case: Case) -> tuple[Any, ...]:
        move = case.choice.move
        decile = None if case.equity is None else min(int(case.equity * 10), 9) + 1
        return (*case.who, move.street, case.position, move.to_call == 0, case.choice.faced, decile)

    expected = grouped((key(case), case) for case in kept(played, suffix))
    found = rows(
        played.store,
        "select event, game, player, seat, street, position, can_check, faced, decile, action, opportunities, "
        f"successes, rate, effective_n, low, high from actions_by_strength{suffix}",
    )
    free = {True: ("fold", "check", "raise"), False: ("fold", "call", "raise")}
    assert {row[:10] for row in found} == {(*key, kind) for key in expected for kind in free[key[6]]}
    for row in found:
        # Some bot of Blotto calls nothing: what is not a fold or a raise is a check there.
        same = {"bet": "raise"} | ({"call": "check"} if row[6] else {})
        cases = [
            (case, same.get(case.choice.move.kind, case.choice.move.kind) == row[9])
            for case in expected[row[:9]]
        ]
        assert row[10:12] == (len(cases), sum(taken for _, taken in cases))
        check_rate(row[12:], cases)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_strength_rates(played: Played, suffix: str) -> None:
    def key(case: Case) -> tuple[Any, ...]:
        move = case.choice.move
        facing_what = "nothing" if move.to_call == 0 else "blind" if case.choice.faced is None else "bet"
        decile = None if case.equity is None else min(int(case.equity * 10), 9) + 1
        return (*case.who, move.street, facing_what, decile)

    expected = grouped((key(case), case) for case in kept(played, suffix))
    found = rows(
        played.store,
        "select event, game, player, seat, street, facing, decile, action, opportunities, successes, rate, "
        f"effective_n, low, high from strength_rates{suffix}",
    )
    free = {"nothing": "check", "blind": "call", "bet": "call"}
    assert {row[:8] for row in found} == {
        (*key, kind) for key in expected for kind in ("fold", "raise", free[key[5]])
    }
    for row in found:
        # Some bot of Blotto calls nothing: what is not a fold or a raise is a check there.
        same = {"bet": "raise"} | ({"call": "check"} if row[5] == "nothing" else {})
        kinds = [(case, same.get(case.choice.move.kind, case.choice.move.kind)) for case in expected[row[:7]]]
        taken = [(case, kind == row[7]) for case, kind in kinds]
        assert row[8:10] == (len(taken), sum(is_it for _, is_it in taken))
        check_rate(row[10:], taken)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_exploits(played: Played, suffix: str) -> None:
    hands: dict[Who, Counter[Any]] = defaultdict(Counter)
    for each in played.hands:
        if not suffix or each.index < played.locks.get(each.match_id, NEVER):
            for seat in each.hand.positions:
                hands[played.who[each.match_id, seat]][block_of(each, played.shared)] += 1
    gains: dict[Any, list[tuple[Case, float, bool]]] = defaultdict(list)
    for case in kept(played, suffix):
        choice, street = case.choice, case.choice.move.street
        for plan, won in facing.answers_plans(choice, case.unit).items():
            gains[*case.who, plan, street, choice.faced].append((case, won, choice.move.kind == "fold"))
        if street == facing.last_street(case.who.game) and choice.made is not None:
            for plan, won in facing.bets_plans(choice, case.equity, case.unit).items():
                bluffs = case.equity is not None and case.equity < 0.5
                gains[*case.who, plan, street, walked.size_bin(choice.made)].append((case, won, bluffs))
    found = rows(
        played.store,
        "select event, game, player, seat, exploit, street, size, opportunities, successes, hands, bb_per_100, bb_low, "
        f"bb_high from exploits{suffix}",
    )
    assert {row[:7] for row in found} == set(gains)
    for row in found:
        some, blocks = gains[row[:7]], hands[Who(*row[:4])]
        total = sum(blocks.values())
        assert row[7:10] == (len(some), sum(taken for *_, taken in some), total)
        sums: Counter[Any] = Counter()
        for case, won, _ in some:
            sums[case.block] += won  # type: ignore[assignment]  # chips come in parts
        mean = sum(sums.values()) / total
        half = facing.half_width([sums[block] for block in blocks], list(blocks.values()))
        assert row[10] == pytest.approx(100 * mean, abs=1e-9)
        if half is None:
            assert row[11:] == (None, None)
        else:
            assert (row[12] - row[11]) / 2 == pytest.approx(100 * half, rel=5e-3, abs=1e-9)
            assert (row[12] + row[11]) / 2 == pytest.approx(100 * mean, abs=1e-6)
