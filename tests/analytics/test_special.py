"""The statistics of one game alone against a second derivation in plain Python."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from math import comb, log2, prod
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from support.walking import decoded

from oracles import koper, special, walked
from oracles.special import Seen
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
LOGS = {
    "bounty": ("bounty/2025-01-30.txt", "bounty-2025/real"),
    "river-of-blood": ("river-of-blood/2023-02-01.txt", "river-of-blood-2023/real"),
    "limit": ("acpc/limit.log", "acpc/engine/2p_limit"),
    "blotto": ("blotto/2021-01-27.txt", "blotto-2021/real"),
}
Stores = dict[str, list[Store]]
RATES = [
    *(
        (a / 20, b / 20, (20 - a - b) / 20)
        for a in range(7, 21)
        for b in range(a + 1)
        if 0 <= 20 - a - b <= b
    ),
    *((1 - 3 * rare, 2 * rare, rare) for rare in (0.001, 0.003, 0.01, 0.02)),
    *(((1 - rare) / 2, (1 - rare) / 2, rare) for rare in (0.001, 0.003, 0.01, 0.02)),
    (1 / 3, 1 / 3, 1 / 3),
]
"""How often each of three boards may be chosen."""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    """Of each game a store of one sample log, and one of a log of the corpus where there is one."""
    root, found = os.environ.get("RAILBIRD_CORPUS"), defaultdict(list)
    for game, (sample, folder) in LOGS.items():
        paths = [SAMPLES / sample]
        if root:
            paths += sorted(p for p in (Path(root) / folder).glob("*.*") if p.suffix in (".txt", ".log"))[:1]
        for path in paths:
            target = tmp_path_factory.mktemp(game)
            ingest([path], target)
            found[game].append(open_store(target))
    # With a plain dict no game without stores is looked over in silence.
    yield dict(found)
    for some in found.values():
        for store in some:
            store.close()


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    return store.execute(query).fetchall()


def seen(store: Store) -> list[Seen]:
    """The hands with the cards that lay open to each seat."""
    cards: dict[tuple[int, int], dict[int, tuple[list[str], str | None]]] = defaultdict(dict)
    for match, index, seat, hole, rank in rows(
        store, "select match_id, hand_index, seat, hole, bounty_rank from seats"
    ):
        cards[match, index][seat] = hole, rank
    boards = {row[:2]: row[2] or [] for row in rows(store, "select match_id, hand_index, board from hands")}
    return [
        Seen(
            each.hand,
            {seat: hole for seat, (hole, _) in cards[each.match_id, each.index].items()},
            boards[each.match_id, each.index],
            {seat: rank for seat, (_, rank) in cards[each.match_id, each.index].items()},
        )
        for each in decoded(store)
    ]


def by_seat(store: Store) -> dict[str, int]:
    """The seat of each name; the names of these logs differ."""
    return dict(rows(store, "select player, seat from players"))


def test_what_a_live_bounty_changes(stores: Stores) -> None:
    for store in stores["bounty"]:
        expected, seats = special.live_bounties(seen(store)), by_seat(store)
        found: special.Rates = {}
        for player, street, answer, n, k, m, j in rows(
            store,
            "select player, street, answer, live_opportunities, live_successes, opportunities, successes "
            "from bounty_shift",
        ):
            found[seats[player], street, answer, True] = n, k
            found[seats[player], street, answer, False] = m, j
        assert {key: value for key, value in found.items() if value[0]} == expected
        shifts = rows(store, "select shift, shift_low, shift_high from bounty_shift where shift is not null")
        assert shifts and all(-1 <= low <= shift <= high <= 1 for shift, low, high in shifts)


def test_hits_with_own_cards_and_board(stores: Stores) -> None:
    for store in stores["bounty"]:
        expected: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for _, hole, board, ranks in seen(store):
            for seat, rank in ranks.items():
                if rank is not None:
                    expected[seat][0] += any(card[0] == rank for card in hole[seat])
                    expected[seat][1] += any(card[0] == rank for card in board)
        found = rows(store, "select seat, own_hits, board_hits from bounty_hits_by_match")
        assert any(own and board for own, board in expected.values())
        assert {row[0]: list(row[1:]) for row in found} == expected


def test_hits_before_the_lock_point(stores: Stores) -> None:
    query = "select match_id, seat, hands, hits, chips_brought from bounty_hits_by_match{} order by match_id, seat"
    fewer = 0
    for store in stores["bounty"]:
        whole = {row[:2]: row[2:] for row in rows(store, query.format(""))}
        counted = rows(store, query.format("_before_lock"))
        last = "coalesce((select hand_index from lock_points as l where l.match_id = m.match_id), hands)"
        locks = dict(rows(store, f"select match_id, {last} from matches as m"))
        assert {row[:2] for row in counted} == set(whole)
        for match_id, seat, hands, hits, brought in counted:
            assert hands <= locks[match_id]
            assert all(
                part <= all_ for part, all_ in zip((hands, hits, brought), whole[match_id, seat], strict=True)
            )
            fewer += hands < whole[match_id, seat][0]
    assert fewer


def test_the_run_by_depth_and_chance(stores: Stores) -> None:
    for store in stores["river-of-blood"]:
        seats = by_seat(store)
        found = rows(
            store,
            "select player, depth, black_bin, answer, opportunities, successes, mean_chance from run_tendencies",
        )
        hands = seen(store)
        assert {(seats[row[0]], *row[1:4]): row[4:6] for row in found} == special.runs(hands)
        means = {(seats[row[0]], *row[1:4]): row[6] for row in found}
        assert means == pytest.approx(special.run_chances(hands))
        assert {row[1] for row in found} > {1, 2}


def test_the_run_on_boards_that_are_not_printed(tmp_path: Path) -> None:
    ingest([SAMPLES / "river-of-blood/2023-01-02a.txt"], tmp_path)
    with open_store(tmp_path) as store:
        printed = dict(
            rows(
                store,
                """
                select len(board) > 0, count(*)
                from hands join actions using (match_id, hand_index)
                where street >= 3 and origin = 'choice' and to_call = 0
                group by all
                """,
            )
        )
        told = rows(
            store,
            """
            select last_card is not null, cast(sum(opportunities) as bigint), count(black_bin), count(mean_chance)
            from run_tendencies where answer = 'bet' group by all
            """,
        )
    assert {row[0]: row[1] for row in told} == printed
    assert min(printed.values()) > 0
    assert [row[2:] for row in told if not row[0]] == [(0, 0)]


def test_limit_by_bets_faced_and_cap(stores: Stores) -> None:
    """The reverse-blinds definition allows three raises before the flop and four bets after it: four bets each."""
    for store in stores["limit"]:
        seats = by_seat(store)
        expected = special.limit_answers((each.hand for each in decoded(store)), dict.fromkeys(range(4), 4))
        found = rows(
            store, "select player, street, bets_faced, answer, opportunities, successes from limit_tendencies"
        )
        told = {(seats[row[0]], *row[1:4]): row[4:] for row in found}
        assert told
        capped = {row[0] for row in rows(store, "select distinct street from actions where bet_level = 4")}
        assert told == {key: value for key, value in expected.items() if key[3] != "cap" or key[1] in capped}


def test_blotto_where_strength_goes(stores: Stores) -> None:
    for store in stores["blotto"]:
        seats = by_seat(store)
        own = {
            row
            for row in rows(
                store,
                "select match_id, hand_index, seat from actions where action = 'assign' and origin = 'choice' "
                "and board_no = 1",
            )
        }
        sent: dict[tuple[int, int, int], list[list[str]]] = defaultdict(list)
        for match, index, hole in rows(
            store,
            "select match_id, hand_index, hole from boards join hands using (match_id, hand_index) "
            "where verdict <> 'damaged' order by match_id, hand_index, board_no",
        ):
            for seat in (0, 1):
                if (match, index, seat) in own:
                    sent[match, index, seat].append(hole[seat])
        whole = [(key[2], pairs) for key, pairs in sent.items() if all(len(pair) == 2 for pair in pairs)]
        found = rows(
            store, "select player, board_no, opportunities, successes, rounds, points from blotto_allocation"
        )
        assert found
        assert {(seats[row[0]], row[1]): row[2:4] for row in found} == special.strongest_boards(whole)
        for player, board, _, _, rounds, points in found:
            some = [special.chen(*pairs[board - 1]) for seat, pairs in whole if seat == seats[player]]
            assert (rounds, points) == (len(some), pytest.approx(mean(some)))
        for player, n, entropy, low, high in rows(
            store,
            "select distinct player, opportunities, entropy, entropy_low, entropy_high from blotto_allocation",
        ):
            counts = [row[3] for row in found if row[0] == player]
            assert sum(counts) == n
            assert [entropy, low, high] == pytest.approx(special.entropy(counts), abs=1e-9)


def test_the_interval_of_an_entropy_holds_the_truth_as_often_as_is_said() -> None:
    for n in (10, 30, 100):
        held: defaultdict[tuple[float, ...], float] = defaultdict(float)
        for counts in product(range(n + 1), repeat=3):
            if sum(counts) != n:
                continue
            estimate, low, high = special.entropy(counts)
            assert 0 <= low <= estimate <= high <= log2(3)
            for rates in RATES:
                truth = -sum(p * log2(p) for p in rates if p)
                if low - 1e-12 <= truth <= high + 1e-12:
                    ways = comb(n, counts[0]) * comb(n - counts[0], counts[1])
                    held[rates] += ways * prod(p**k for p, k in zip(rates, counts, strict=True))
        assert min(held[rates] for rates in RATES) >= 0.91, n


def test_blotto_boards_and_triggers(stores: Stores) -> None:
    for store in stores["blotto"]:
        seats = by_seat(store)
        hands = [each.hand for each in decoded(store)]
        n: dict[tuple[int, int, str], list[int]] = defaultdict(lambda: [0, 0])
        for hand in hands:
            for (name, board, seat, street), taken in walked.tendencies(hand).items():
                if street < 0:
                    n[seat, board, name][0] += 1
                    n[seat, board, name][1] += taken
        found = rows(
            store, "select player, board_no, statistic, opportunities, successes from blotto_tendencies"
        )
        assert n
        assert {(seats[row[0]], *row[1:3]): list(row[3:]) for row in found} == n
        triggers = rows(
            store, "select player, trigger, answer, opportunities, successes from blotto_triggers"
        )
        expected = special.all_in_triggers(hands, 200)
        assert {(seats[row[0]], *row[1:3]): row[3:] for row in triggers} == expected


def test_last_chips_split_equally_went_to_each_of_those_boards(tmp_path: Path) -> None:
    text = (SAMPLES / "blotto/all-in.txt").read_text().split("\n\nRound #2")[0]
    answers = [f"{name} on board {board}" for name in ("Avalanche calls", "Otter checks") for board in (2, 3)]
    assert all(answer in text for answer in answers)
    for old, new in (
        ("Avalanche raises to 196", "Avalanche raises to 66"),
        *((answer, answer.replace("calls", "raises to 67").replace("checks", "calls")) for answer in answers),
    ):
        text = text.replace(old, new, 1)
    (tmp_path / "log.txt").write_text(text + "\n")
    ingest([tmp_path / "log.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert rows(store, "select verdict <> 'damaged' from hands") == [(True,)]
        assert rows(
            store,
            "select player, trigger, opportunities, successes from blotto_triggers "
            "where answer = 'call' and trigger <> 'none' order by all",
        ) == [("Otter", "elsewhere", 1, 1), ("Otter", "here", 2, 2)]


@pytest.mark.parametrize("log", ["v1-mixed.txt", "v1-folds.txt"])
def test_koper_from_its_console_text(log: str, tmp_path: Path) -> None:
    path = SAMPLES / "koper" / log
    games = [game for match in koper.read(path.read_text()) for game in match]
    ingest([path], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        seats = by_seat(store)
        asked: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        steps: dict[int, list[float]] = defaultdict(list)
        for game in games:
            for seat, player in game.seats.items():
                if player.probs:
                    cell = asked[seat, min(int(round(player.probs[0] * 10) // 100), 9)]
                    cell[0] += 1
                    cell[1] += player.folded
                if len(player.bets) > 1:
                    steps[seat].append(player.bets[1] / player.bets[0])
        found = rows(store, "select player, chance_bin, opportunities, successes from koper_folds")
        assert {(seats[row[0]], row[1]): list(row[2:]) for row in found} == asked
        total: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for (seat, _), (n, k) in asked.items():
            total[seat][0] += n
            total[seat][1] += k
        tendency = rows(
            store,
            "select seat, opportunities, successes from tendencies_by_match where statistic = 'koper_fold'",
        )
        assert {row[0]: list(row[1:]) for row in tendency} == total
        ends = {
            (name, statistic): (low, high)
            for name, statistic, low, high in rows(
                store, "select player, statistic, low, high from koper_tendencies"
            )
        }
        assert not rows(store, "select * from koper_folds where bets = 1 and bet_1_low is not null")
        assert not rows(store, "select * from koper_tendencies where (low is null) <> (high is null)")
        means = {
            (name, statistic): (n, value)
            for name, statistic, n, value in rows(
                store, "select player, statistic, n, mean from koper_tendencies"
            )
        }
        for name, place in seats.items():
            uses = [
                min(game.pot, 4 * game.seats[place].contribution) / game.pot
                for game in games
                if sum(each.plays for each in game.seats.values()) > 1
                and place in game.seats
                and game.seats[place].plays
            ]
            for statistic, values in (("step_2", steps[place]), ("cap_use", uses)):
                n, value = means.get((name, statistic), (0, 0.0))
                assert n == len(values)
                assert n != 1 or ends[name, statistic] == (None, None)
                assert value == pytest.approx(mean(values) if values else 0, abs=1e-3)
        assert not rows(store, "select * from tendencies where statistic = 'saw_flop'")
