"""Standings and crosstables from first principles: a few lines of regular expressions and arithmetic over the logs."""

from __future__ import annotations

import json
import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

from railbird.analytics.rankings import SCARCE
from railbird.analytics.standings import Competition, competitions
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import Format, terminal, winnings
from railbird.reports.pages.build import write_report
from railbird.reports.winnings import _draw_crosstable, cell_text

Cells = dict[tuple[str, str], dict[Any, float]]
"""Of (player, opponent) the bb won by what is dealt the same cards, or by block."""

BIG_BLIND = 100


def interval(units: dict[Any, float], hands: int) -> tuple[float, float, float]:
    """Mean mbb per hand of units of one size, and the ends of Student's interval."""
    values = list(units.values())
    mean = 1000 * math.fsum(values) / hands
    se = 1000 * statistics.stdev(values) * math.sqrt(len(values)) / hands
    half = stats.t.ppf(0.975, len(values) - 1) * se
    return mean, mean - half, mean + half


def only(store: Store, **named: Any) -> Competition:
    (found,) = competitions(store, **named)
    return found


def acpc_cells(paths: list[Path]) -> tuple[Cells, dict[str, dict[Any, float]], dict[str, int]]:
    """Results by pair and (seed, hand), by player and (seed, hand), and chips by SCORE line."""
    cells: Cells = defaultdict(lambda: defaultdict(float))
    totals: dict[str, dict[Any, float]] = defaultdict(lambda: defaultdict(float))
    scores: dict[str, int] = defaultdict(int)
    for path in paths:
        text = path.read_text()
        seed = re.search(r"^# name/game/hands/seed .* (\d+)$", text, re.MULTILINE)[1]  # type: ignore[index]
        for number, left, right, one, other in re.findall(
            r"^STATE:(\d+):[^:]*:[^:]*:(-?[\d.]+)\|(-?[\d.]+):(\w+)\|(\w+)$", text, re.MULTILINE
        ):
            for me, you, chips in ((one, other, left), (other, one, right)):
                cells[me, you][seed, number] += float(chips) / BIG_BLIND
                totals[me][seed, number] += float(chips) / BIG_BLIND
        (score,) = re.findall(r"^SCORE:(-?[\d.]+)\|(-?[\d.]+):(\w+)\|(\w+)$", text, re.MULTILINE)
        scores[score[2]] += int(score[0])
        scores[score[3]] += int(score[1])
    return cells, totals, scores


@pytest.fixture(scope="module")
def round_robin(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Path], Store]]:
    """The 40 logs of five players, each pair in both seatings on the same two seeds, and their store."""
    paths = sorted((corpus / "acpc/engine/rr_2p_nolimit").glob("*.log"))
    root = tmp_path_factory.mktemp("rr") / "store"
    ingest(paths, root)
    with open_store(root) as store:
        yield paths, store


def test_the_acpc_round_robin_is_what_its_lines_say(round_robin: tuple[list[Path], Store]) -> None:
    paths, store = round_robin
    assert len(paths) == 40
    cells, totals, scores = acpc_cells(paths)
    found = only(store)
    assert {row["player"]: row["chips"] for row in found.standings.to_dicts()} == scores
    assert [row["rank"] for row in found.standings.to_dicts()] == [1, 2, 3, 4, 5]
    assert [row["player"] for row in found.standings.to_dicts()] == sorted(
        scores, key=lambda name: -scores[name]
    )
    for row in found.standings.to_dicts():
        # Every unit is the eight hands of one number and seed: four opponents, two seatings, the same cards.
        own = totals[row["player"]]
        assert row["chips"] == pytest.approx(BIG_BLIND * math.fsum(own.values()))
        assert (row["hands"], row["units"], row["resets"]) == (16_000, 2000, 2)
        wanted = interval(own, row["hands"])
        assert (row["mbb_per_hand"], row["low"], row["high"]) == pytest.approx(wanted, abs=1e-3, rel=1e-6)
    for row in found.crosstable.to_dicts():
        wanted = interval(cells[row["player"], row["opponent"]], row["hands"])
        assert (row["mbb_per_hand"], row["low"], row["high"]) == pytest.approx(wanted, abs=1e-3, rel=1e-6)
        assert (row["matches"], row["hands"], row["units"]) == (4, 4000, 2000)
        assert row["evidence"] == ("strong" if wanted[1] > 0 or wanted[2] < 0 else "light")


def test_logged_finals_are_the_sums_of_the_hands(round_robin: tuple[list[Path], Store]) -> None:
    _, store = round_robin
    wrong = store.execute("""
        select match_id from results r join matches m using (match_id)
        where abs(r.delta - m.logged_final[r.seat + 1]) > 1e-6 or m.logged_final is null
    """).fetchall()
    assert wrong == []


def test_duplicate_pairs_have_the_variance_of_the_mean_of_both_seatings(
    round_robin: tuple[list[Path], Store],
) -> None:
    paths, store = round_robin
    seatings: dict[tuple[str, str], dict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
    for path in paths:
        cells, _, _ = acpc_cells([path])
        for pair, units in cells.items():
            for key, value in units.items():
                seatings[pair][key].append(value)
    found = store.sql("select * from duplicates").pl().to_dicts()
    assert len(found) == 20
    for row in found:
        pairs = list(seatings[row["player"], row["opponent"]].values())
        first, second = ([pair[k] for pair in pairs] for k in (0, 1))
        square = (statistics.variance(first) + statistics.variance(second)) / 2
        rho = statistics.covariance(first, second) / square
        assert row["rho"] == pytest.approx(
            rho, abs=0.002
        )  # which seating a log is does not matter to the sum
        assert row["sd"] ** 2 == pytest.approx(square, rel=0.002)
        half = stats.t.ppf(0.975, len(pairs) - 1) * math.sqrt(square * (1 + rho) / 2 / len(pairs))
        assert row["high"] - row["low"] == pytest.approx(2000 * half, rel=1e-5)
        assert row["variance_ratio"] == pytest.approx(1 + row["rho"])
        assert (row["seatings"], row["sets"], row["left_out"]) == (2, 2000, 0)


def test_the_bounty_round_robin_is_what_its_lines_say(corpus: Path, tmp_path: Path) -> None:
    paths = sorted((corpus / "bounty-2025/engine").glob("rr_*.txt"))
    blocks: Cells = defaultdict(lambda: defaultdict(float))
    finals: dict[str, int] = defaultdict(int)
    for path in paths:
        text = path.read_text()
        one, other = re.match(r".* - (\w+) vs (\w+)\n", text).groups()  # type: ignore[union-attr]
        for block in re.split(r"^Round #", text, flags=re.MULTILINE)[1:]:
            number = int(block.split(",")[0])
            for name, chips in re.findall(r"^(\w+) awarded (-?\d+)$", block, re.MULTILINE):
                blocks[name, other if name == one else one][(number - 1) // 25] += int(chips) / 2
        (final,) = re.findall(r"^Final, (\w+) \((-?\d+)\), (\w+) \((-?\d+)\)$", text, re.MULTILINE)
        finals[final[0]] += int(final[1])
        finals[final[2]] += int(final[3])
    assert len(paths) == 15
    ingest(paths, tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        found = only(store)
    ranking = sorted(finals, key=lambda name: -finals[name])
    assert {row["player"]: row["chips"] for row in found.standings.to_dicts()} == finals
    assert found.standings["player"].to_list() == ranking
    for row in found.crosstable.to_dicts():
        wanted = interval(blocks[row["player"], row["opponent"]], 1000)
        assert (row["mbb_per_hand"], row["low"], row["high"]) == pytest.approx(wanted, rel=1e-4)
        assert (row["hands"], row["units"]) == (1000, 40)
    for row in found.standings.to_dicts():
        cells = [units for (name, _), units in blocks.items() if name == row["player"]]
        variances = [40 * statistics.variance(units.values()) for units in cells]
        df = sum(variances) ** 2 / sum(value**2 / 39 for value in variances)
        half = 1000 * stats.t.ppf(0.975, df) * math.sqrt(sum(variances)) / 5000
        assert (row["high"] - row["low"]) / 2 == pytest.approx(half, rel=1e-4)
    assert found.run_off.filter(dropped=True)["player"].to_list() == by_hand_run_off(blocks)


def by_hand_run_off(cells: Cells) -> list[str]:
    """Who leaves round by round; the totals are of pairs still in."""
    left = {name for pair in cells for name in pair}
    gone = []
    while len(left) > 1:
        totals = {
            name: math.fsum(math.fsum(cells[name, other].values()) for other in left - {name})
            for name in left
        }
        gone.append(min(totals, key=lambda name: totals[name]))
        left.discard(gone[-1])
    return gone


def test_the_acpc_run_off_is_the_one_done_by_hand(round_robin: tuple[list[Path], Store]) -> None:
    paths, store = round_robin
    cells, _, _ = acpc_cells(paths)
    found = only(store).run_off
    assert found.filter(dropped=True)["player"].to_list() == by_hand_run_off(cells)
    assert found["round"].max() == 4


# Small leagues, written by the simulator

STYLES = {"Ann": "tight-passive", "Bob": "maniac", "Cid": "calling-station", "Dot": "tight-aggressive"}


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Store]:
    """Four players, each pair one match of plain hold'em."""
    with open_store(league_of(tmp_path, "league", list(STYLES))) as store:
        yield store


def league_of(folder: Path, event: str, names: list[str], hands: int = 60) -> Path:
    """A store of one match of each pair of some players; the seed is the pair's."""
    logs = folder / event
    logs.mkdir()
    for seed, pair in enumerate(combinations(STYLES, 2)):
        if set(pair) <= set(names):
            text = simulate("holdem-mit", [(name, STYLES[name]) for name in pair], hands, seed)
            (logs / f"{'-'.join(pair)}.txt").write_text(text, newline="")
    ingest([logs], folder / f"{event}-store", event="league")
    return folder / f"{event}-store"


def test_totals_sum_to_zero_and_cells_mirror_each_other(league: Store) -> None:
    found = only(league)
    assert found.standings["chips"].sum() == 0
    assert found.standings["hands"].to_list() == [180] * 4
    cells = {(row["player"], row["opponent"]): row for row in found.crosstable.to_dicts()}
    assert set(cells) == set(permutations(STYLES, 2))
    for (one, other), row in cells.items():
        mirror = cells[other, one]
        assert (row["chips"], row["mbb_per_hand"]) == (-mirror["chips"], -mirror["mbb_per_hand"])
        assert (row["low"], row["high"]) == pytest.approx((-mirror["high"], -mirror["low"]))
        assert row["p_beats"] + mirror["p_beats"] == pytest.approx(1)
        resets = found.standings.filter(pl.col("player").is_in([one, other]))["resets"]
        assert row["scarce"] is (min(resets) < SCARCE)
        assert ("?" in cell_text(row)) is row["scarce"]
    for row in found.standings.to_dicts():
        own = [cell["chips"] for cell in cells.values() if cell["player"] == row["player"]]
        assert sum(own) == row["chips"]
    assert found.standings["p_first"].sum() == pytest.approx(1)
    assert found.standings["p_run_off"].sum() == pytest.approx(1)


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_a_crosstable_has_as_many_opponents_beside_each_other_as_fit(
    league: Store, width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_WIDE", width)
    found = only(league)
    _draw_crosstable(found)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= width
    heads = [line.split()[1:] for line in out.splitlines() if line.split()[:1] == ["mbb/h"]]
    assert [name for head in heads for name in head] == found.standings["player"].to_list()
    assert len(heads) == 1 or width < 80
    assert max(map(len, heads)) >= 2


def test_removing_a_player_is_recomputing_without_his_logs(league: Store, tmp_path: Path) -> None:
    whole = only(league)
    for gone in STYLES:
        rest = [name for name in STYLES if name != gone]
        with open_store(league_of(tmp_path, f"without-{gone}", rest)) as smaller:
            wanted = only(smaller).standings
        found = whole.without.filter(removed=gone)
        assert found["player"].to_list() == wanted["player"].to_list()
        assert found["chips"].to_list() == wanted["chips"].to_list()
        assert found["rank"].to_list() == wanted["rank"].to_list()
    last = whole.run_off.filter(round=1)["player"].to_list()[-1]
    second = whole.run_off.filter(round=2)
    assert last not in second["player"].to_list()
    assert second["chips"].to_list() == whole.without.filter(removed=last)["chips"].to_list()


def test_places_with_all_ins_settled_and_without_luck(
    league: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    winnings.print_standings(league, None, [winnings.Shown.ADJUSTED], 100, 0, Format.JSON)
    rows = json.loads(capsys.readouterr().out)
    assert [row["delta_rank"] for row in rows] == [1, 2, 3, 4]
    ranked = only(league).standings
    assert [row["player"] for row in rows] == ranked["player"].to_list()
    assert [row["delta_mbb_per_hand"] for row in rows] == pytest.approx(ranked["mbb_per_hand"].to_list())
    settled: Counter[str] = Counter()
    for player, chips in league.execute(
        "select player, sum(t.delta - t.all_in) from luck_terms as t join players using (match_id, seat) group by all"
    ).fetchall():
        settled[player] = chips
    assert settled.total() == pytest.approx(0)
    order = [player for player, _ in settled.most_common()]
    for row in rows:
        name = "all_in_adjusted"
        assert row[f"{name}_mbb_per_hand"] == pytest.approx(1000 * settled[row["player"]] / 2 / 180)
        assert row[f"{name}_rank"] == order.index(row["player"]) + 1
        assert (
            row[f"{name}_mbb_per_hand_low"] < row[f"{name}_mbb_per_hand"] < row[f"{name}_mbb_per_hand_high"]
        )
    moved = [row for row in rows if row["delta_rank"] != row["all_in_adjusted_rank"]]
    winnings.print_standings(league, None, [winnings.Shown.ADJUSTED], 100, 0, Format.TABLE)
    said = capsys.readouterr().out
    assert (f"{len(moved)} of 4 places change" in said) if moved else ("no place changes" in said)


def test_an_event_may_be_chosen_and_the_draws_repeat(league: Store) -> None:
    one, same = only(league, event="league"), only(league, event="league")
    assert_frame_equal(one.standings, same.standings)
    assert not list(competitions(league, event="nowhere"))
    other = only(league, event="league", seed=1)
    assert one.standings["chips"].equals(other.standings["chips"])
    assert not one.standings["p_first"].equals(other.standings["p_first"])


def test_every_game_adds_up(samples: Store) -> None:
    found = {(one.event, one.game): one for one in competitions(samples, draws=100)}
    assert set(found) == set(samples.execute("select distinct event, game from matches").fetchall())
    assert len({game for _, game in found}) >= 14
    rows = samples.execute("""
        select r.event, r.game, r.player, e.namesake_seat, sum(r.delta), sum(r.hands), count(*)
        from results r join entrants e using (match_id, seat) group by all
    """).fetchall()
    singles = {
        (event, game): len(p) == 2
        for event, game, p in samples.execute(
            "select event, game, any_value(players) from matches group by all"
        ).fetchall()
    }
    for event, game, player, seat, chips, hands, matches in rows:
        standings = found[event, game].standings
        row = next(r for r in standings.to_dicts() if (r["player"], r["seat"]) == (player, seat))
        assert row["chips"] == pytest.approx(chips, abs=1e-6)
        assert (row["hands"], row["matches"]) == (hands, matches)
        assert row["low"] is None or row["low"] <= row["mbb_per_hand"] <= row["high"]
        if singles[event, game]:
            cells = [
                r
                for r in found[event, game].crosstable.to_dicts()
                if (r["player"], r["seat"]) == (player, seat)
            ]
            assert math.fsum(r["chips"] or 0 for r in cells) == pytest.approx(chips, abs=1e-6)
            assert sum(r["hands"] or 0 for r in cells) == hands
    for one in found.values():
        assert sorted(one.standings["run_off_place"].to_list()) == list(range(1, len(one.standings) + 1))
        last = one.run_off.filter(round=one.run_off["round"].max())
        assert last["dropped"].sum() == 1 and len(last) >= 2
        # Koper's engines lose chips, early ones of Blotto make some.
        if one.game not in ("koper", "blotto"):
            assert one.standings["chips"].sum() == pytest.approx(0, abs=1e-6)


def test_a_final_line_that_says_another_result_is_a_doubt(sample_logs: Path, tmp_path: Path) -> None:
    text = (sample_logs / "bounty" / "2025-01-30.txt").read_text()
    lines = text.split("\n")
    awards = [number for number, line in enumerate(lines) if " awarded " in line]
    number = next(k for k in awards if not lines[k].endswith(" awarded 0") and k + 1 in awards)
    lost = abs(int(lines[number].rpartition(" ")[2]))
    folder = tmp_path / "cup"
    folder.mkdir()
    (folder / "whole.txt").write_text(text)
    (folder / "cut.txt").write_text("\n".join(lines[:number] + lines[number + 2 :]))
    ingest([folder / "cut.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        (found,) = competitions(store)
        assert found.doubts[0].kind == "final line"
        assert found.doubts[0].text.startswith(
            f"1 match says another result in the final line, by up to {lost:,} chips"
        )
        rows = store.execute(
            "select delta_logged - delta, hands_without_award from final_gaps order by seat"
        ).fetchall()
        assert sorted(rows) == [(-lost, 1), (lost, 1)]
        assert "the final lines of 1 match differ" in winnings.results(store, None, Format.TABLE).title
        write_report(store, tmp_path / "pages")
    (page,) = (tmp_path / "pages").glob("match-*.html")
    assert "Caution: the log’s final line says" in page.read_text()
    ingest([folder / "whole.txt"], tmp_path / "other")
    with open_store(tmp_path / "other") as store:
        (found,) = competitions(store)
        assert "final line" not in {doubt.kind for doubt in found.doubts}
        assert winnings.results(store, None, Format.TABLE).title == "Results"


def test_a_final_line_that_contradicts_whole_hands_is_told_so(sample_logs: Path, tmp_path: Path) -> None:
    text = (sample_logs / "holdem-mit" / "base.txt").read_text().rstrip()
    body, _, final = text.rpartition("\n")
    assert final.startswith("Final, ")
    wrong = re.sub(r"\((-?\d+)\)", lambda found: f"({2 * int(found[1]) + 14})", final)
    (tmp_path / "x.txt").write_text(f"{body}\n{wrong}")
    ingest([tmp_path / "x.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select distinct is_whole, hands_without_award from final_gaps").fetchall() == [
            (True, 0)
        ]
        (found,) = competitions(store)
        assert found.doubts[0].text.endswith(
            "no hand is missing, so that line is wrong, and the hands count (railbird verify)"
        )
        assert "though no hand is missing" in winnings.results(store, None, Format.TABLE).title
        write_report(store, tmp_path / "pages")
    (page,) = (tmp_path / "pages").glob("match-*.html")
    assert "No hand is missing: that line is wrong" in page.read_text()


def test_where_chips_come_from_nowhere_even_is_half_of_them(sample_logs: Path, tmp_path: Path) -> None:
    """In Blotto both may win; one of them is still behind."""
    ingest([sample_logs / "blotto"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        cells = store.sql("select * from crosstable where game = 'blotto'").pl().rows(named=True)
        others = {(row["player"], row["seat"], row["opponent"], row["opponent_seat"]): row for row in cells}
        duels = [row for row in cells if row["even"]]
        assert duels
        for row in duels:
            other = others[row["opponent"], row["opponent_seat"], row["player"], row["seat"]]
            assert row["even"] == pytest.approx((row["mbb_per_hand"] + other["mbb_per_hand"]) / 2)
            assert row["even"] == pytest.approx(other["even"])
            if row["low"] is not None:
                strong = not row["low"] <= row["even"] <= row["high"]
                assert row["evidence"] == ("strong" if strong else "light")
