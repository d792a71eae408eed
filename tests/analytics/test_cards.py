"""Cards that several matches were dealt: duplicates, common seeds, repeats, and groups whose cards differ."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from railbird.analytics.standings import competitions
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

MakeStore = Callable[..., Store]
SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
NOLIMIT = "acpc/holdem.nolimit.2p.reverse_blinds"
SEATED = [("Ann", "tight-passive"), ("Bob", "maniac")]


def doubts_of(store: Store) -> set[str]:
    (found,) = competitions(store)
    return {doubt.kind for doubt in found.doubts}


def test_the_same_players_in_the_same_seats_on_the_same_cards_are_a_repeat(store_of: MakeStore) -> None:
    others = [("Ann", "calling-station"), ("Bob", "tight-aggressive")]
    texts = [simulate(NOLIMIT, players, 30, 7) for players in (SEATED, others)]
    store = store_of([*texts, simulate(NOLIMIT, SEATED[::-1], 30, 7), simulate(NOLIMIT, SEATED, 30, 8)])
    rows = store.execute("select matches, lineups, seatings, repeated from card_reuse").fetchall()
    assert rows == [(3, 1, 2, 1)]
    assert "repeated cards" in doubts_of(store)


def test_a_log_that_differs_in_play_alone_is_a_repeat_in_any_game(store_of: MakeStore) -> None:
    others = [("Ann", "calling-station"), ("Bob", "tight-aggressive")]
    store = store_of([simulate("holdem-mit", players, 20, 7) for players in (SEATED, others)])
    assert store.execute("select repeated from card_reuse").fetchall() == [(1,)]


def test_common_seeds_are_one_stratum_and_a_duplicate_is_one_unit(store_of: MakeStore) -> None:
    pairs = [SEATED, [SEATED[0], ("Cid", "calling-station")], [SEATED[1], ("Cid", "calling-station")]]
    texts = [
        simulate(NOLIMIT, seats, 30, seed) for p in pairs for seats in (p, p[::-1]) for seed in (1, 2, 3)
    ]
    store = store_of(texts)
    assert store.execute("select distinct reset, stratum from entrants").fetchall() == [("card set", 0)]
    assert store.execute(
        "select count(distinct pair_unit), count(distinct table_unit) from entrants"
    ).fetchall() == [(9, 3)]
    (found,) = competitions(store)
    assert found.standings["units"].to_list() == [90] * 3
    assert found.standings["resets"].to_list() == [3] * 3
    assert {doubt.kind for doubt in found.doubts} == {"scarce", "common seeds"}
    assert found.crosstable["units"].to_list() == [90] * 6


def test_separate_seeds_are_a_stratum_a_pair(store_of: MakeStore) -> None:
    texts = [simulate(NOLIMIT, seats, 30, seed) for seats in (SEATED, SEATED[::-1]) for seed in (1, 2)]
    store = store_of(texts)
    assert store.execute("select distinct reset from entrants").fetchall() == [("duplicate match",)]
    (found,) = competitions(store)
    assert found.standings["resets"].to_list() == [2, 2]


def test_a_hand_that_one_half_lacks_stands_alone(store_of: MakeStore) -> None:
    whole, half = simulate(NOLIMIT, SEATED, 30, 1), simulate(NOLIMIT, SEATED[::-1], 30, 1)
    cut = half[: half.index("STATE:20:")]
    store = store_of([whole, cut])
    rows = store.execute("select sets, left_out, seatings from duplicates").fetchall()
    assert rows == [(20, 10, 2)] * 2
    assert store.execute("select distinct units from crosstable").fetchall() == [(30,)]
    (found,) = competitions(store)
    assert {doubt.kind for doubt in found.doubts} == {"reset once", "unfinished"}


def test_self_play_is_no_duplicate(store_of: MakeStore) -> None:
    twins = [("Ann", "tight-passive"), ("Ann", "maniac")]
    store = store_of([simulate(NOLIMIT, seats, 20, 1) for seats in (twins, twins[::-1])])
    assert store.execute("select count(*) from duplicates").fetchall() == [(0,)]
    assert store.execute("select distinct reset from entrants").fetchall() == [("match",)]
    (found,) = competitions(store)
    assert found.standings.select("player", "seat").rows() in (
        [("Ann", 0), ("Ann", 1)],
        [("Ann", 1), ("Ann", 0)],
    )
    assert found.standings["chips"].sum() == 0


def test_six_seatings_are_a_mean_over_each_set_of_cards(sample_logs: Path, tmp_path: Path) -> None:
    paths = sorted((sample_logs / "acpc").glob("Ash.Birch.Cedar.*.log"))
    ingest(paths, tmp_path / "store")
    won: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for path in paths:
        for line in re.findall(r"^STATE:(.*)$", path.read_text(), re.MULTILINE):
            number, *_, values, names = line.split(":")
            for name, chips in zip(names.split("|"), values.split("|"), strict=True):
                won[name][number].append(float(chips) / 10)
    with open_store(tmp_path / "store") as store:
        found = store.sql("select * from duplicates").pl().to_dicts()
    assert len(found) == 3
    for row in found:
        sets = list(won[row["player"]].values())
        assert {len(values) for values in sets} == {6}
        means = [statistics.fmean(values) for values in sets]
        assert row["mbb_per_hand"] == pytest.approx(1000 * statistics.fmean(means))
        square = statistics.fmean([statistics.variance(column) for column in zip(*sets, strict=True)])
        columns = list(zip(*sets, strict=True))
        shared = statistics.fmean(
            [statistics.covariance(columns[a], columns[b]) for a in range(6) for b in range(6) if a != b]
        )
        assert row["sd"] ** 2 == pytest.approx(square)
        assert row["rho"] == pytest.approx(shared / square)
        assert row["variance_ratio"] == pytest.approx(6 * statistics.variance(means) / square)
        assert (row["seatings"], row["sets"]) == (6, len(sets))


@pytest.mark.parametrize("name", ["v2-mixed", "v2-one-class"])
def test_the_matches_of_a_koper_tournament_share_their_deals(name: str, tmp_path: Path) -> None:
    ingest([SAMPLES / f"koper/{name}.all_games.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        (row,) = store.sql("select * from duplicate_deals").pl().to_dicts()
        assert (row["matches"], row["seatings"], row["hands_differing"]) == (5, 5, 0)
        assert row["hands_compared"] > 5
        assert store.execute("select count(distinct duplicate_group), count(*) from matches").fetchall() == [
            (1, 5)
        ]
        (found,) = competitions(store)
        koper = store.execute("select player, entrant, wins, profit from koper_standings").fetchall()
        rows = {(row["player"], row["seat"]): row for row in found.standings.to_dicts()}
        for player, entrant, wins, profit in koper:
            row = rows.get((player, None)) or rows[player, entrant]
            assert row["wins"] == pytest.approx(wins)
            assert row["chips"] == pytest.approx(profit, abs=1e-6)
        order = sorted(koper, key=lambda row: (-row[2], -row[3]))
        by_wins = sorted(rows.values(), key=lambda row: row["rank_by_wins"])
        assert [row["player"] for row in by_wins] == [row[0] for row in order]
        assert "reset once" in {doubt.kind for doubt in found.doubts}


def test_a_card_that_differs_between_the_matches_of_a_tournament_is_seen(tmp_path: Path) -> None:
    text = (SAMPLES / "koper/v2-mixed.all_games.txt").read_text()
    game = text.index("--- Match 3 | Game 2 ---")
    dealt = re.compile(r"\['(\w\w)', '(\w\w)'\] dealt to").search(text, game)
    assert dealt is not None
    shown = text[game : text.index("--- Match 3 | Game 3 ---")]
    free = next(card for card in (r + s for r in "23456789" for s in "cdhs") if card not in shown)
    (tmp_path / "edited.txt").write_text(text[: dealt.start(1)] + free + text[dealt.end(1) :], newline="")
    ingest([tmp_path / "edited.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select hands_differing from duplicate_deals").fetchall() == [(1,)]
        assert "different cards" in doubts_of(store)


def test_duplicates_of_the_corpus_share_their_cards(corpus: Path, tmp_path: Path) -> None:
    folders = ["koper/v2/*.all_games.txt", "acpc/engine/3p_*/*.log", "acpc/engine/2p_*/*.log"]
    ingest([path for glob in folders for path in sorted(corpus.glob(glob))], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        compared, differing = store.execute(
            "select sum(hands_compared), sum(hands_differing) from duplicate_deals"
        ).fetchall()[0]
    assert compared > 5000
    assert differing == 0
