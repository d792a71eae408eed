"""Luck-adjusted winnings: fair, fitted on other matches, refused where they would mislead."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

from railbird.analytics import luck
from railbird.analytics import slopes as slopes_module
from railbird.analytics.hand_values import decision_values
from railbird.analytics.settings import Grouping
from railbird.analytics.slopes import NO_OTHERS, TERMS, OfOthers, Slopes, fit
from railbird.analytics.store import Store, open_store
from railbird.cli import main
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
HEADS_UP = ("holdem-mit", "bounty", "river-of-blood", "acpc/holdem.limit.2p.reverse_blinds")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches each of some games, simulated, and sample logs of others."""
    root = tmp_path_factory.mktemp("luck")
    for game in ("holdem-mit", "bounty", "acpc/holdem.limit.2p.reverse_blinds"):
        for seed in range(3):
            players = [
                ("Ann", "loose-aggressive"),
                ("Bob" if seed else "Cid", "all-in" if "acpc" not in game else "tight-passive"),
            ]
            log = root / "logs" / game.replace("/", "-") / f"{seed}.txt"
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text(simulate(game, players, 60, seed))
    names = (
        "blotto/2021-01-27.txt",
        "river-of-blood/as-written.txt",
        "koper/v1-mixed.txt",
        "acpc/side-pots.log",
    )
    ingest([root / "logs", *(SAMPLES / name for name in names)], root / "store")
    return root / "store"


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with open_store(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def hands(store: Store) -> pl.DataFrame:
    return luck.hands(store)


def test_every_hand_with_an_award_is_there_once(store: Store, hands: pl.DataFrame) -> None:
    (count,) = store.execute("select count(*) from seats where delta is not null").fetchall()[0]
    assert len(hands) == count == len(hands.unique(["match_id", "hand_index", "seat"]))


@pytest.mark.parametrize("name", luck.ESTIMATES)
def test_adjusted_winnings_are_still_won_from_the_others(hands: pl.DataFrame, name: str) -> None:
    sums = (
        hands.filter(pl.col("game").is_in(HEADS_UP))
        .group_by("match_id", "hand_index")
        .agg(pl.col(name).sum().alias("sum"))
    )
    assert np.abs(sums["sum"].to_numpy()).max() < 1e-6


def test_an_all_in_before_the_flop_is_worth_its_equity(store: Store, hands: pl.DataFrame) -> None:
    rows = store.sql("""
        select match_id, hand_index, seat, value_before from equities e join matches m using (match_id)
        where m.game = 'holdem-mit' and e.street = 1 and e.all_in""").pl()
    both = rows.join(hands, on=["match_id", "hand_index", "seat"])
    assert len(both) > 20
    assert both["all_in_adjusted"].to_numpy() == pytest.approx(both["value_before"].to_numpy(), abs=1e-9)


def test_a_hand_without_cards_after_the_deal_changes_by_the_deal_alone(
    store: Store, hands: pl.DataFrame
) -> None:
    folded = store.sql("""
        select match_id, hand_index from hands where game = 'holdem-mit' and streets = 1 and ended_by = 'fold'""").pl()
    both = hands.join(folded, on=["match_id", "hand_index"])
    assert len(both) and (both["all_in_adjusted"] == both["delta"]).all()


def test_what_other_matches_say_of_slopes_does_not_depend_on_the_match(store: Store) -> None:
    terms = luck._terms(store).filter(pl.col("game") == "holdem-mit")
    first = terms["match_id"][0]
    changed = terms.with_columns(
        delta=pl.when(pl.col("match_id") == first).then(pl.col("delta") * 3 + 7).otherwise(pl.col("delta"))
    )
    before, after = fit(terms), fit(changed)
    for key, others in before.by_group.items():
        same = np.allclose(others.slopes, after.by_group[key].slopes)
        assert same is (key == ("holdem-mit", terms["dealt_alike"][0]))
    assert before.digest != after.digest
    assert fit(terms).digest == before.digest


def test_terms_kept_some_matches_at_a_time_are_those_of_the_view(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million hands at once need more memory than a report's queries may use."""
    asked = []
    monkeypatch.setattr(luck, "_READ", 2)
    of_store = Store.sql

    def sql(self: Store, query: str, **params: object) -> object:
        asked.append(params)
        return of_store(self, query, **params)

    monkeypatch.setattr(Store, "sql", sql)
    rows = "select * from {}luck_terms order by match_id, hand_index, seat"
    view = store.sql(rows.format("main.")).pl()
    with luck.kept_terms(store):
        # Sums of doubles depend on the order of their terms.
        assert_frame_equal(store.sql(rows.format("temp.")).pl(), view)
    matches = [match for (match,) in store.sql("select match_id from matches order by match_id").fetchall()]
    ranges = [(one["low"], one["high"]) for one in asked if "low" in one]
    assert len(matches) > 2
    assert ranges == [(matches[k], matches[min(k + 1, len(matches) - 1)]) for k in range(0, len(matches), 2)]


def test_slopes_of_earlier_matches_alone_do_not_see_later_ones(store: Store) -> None:
    terms = luck._terms(store).filter(pl.col("game") == "bounty")
    order = terms["match_id"].unique(maintain_order=True).to_list()
    changed = terms.with_columns(
        delta=pl.when(pl.col("match_id") == order[-1])
        .then(pl.col("delta") * 3 + 7)
        .otherwise(pl.col("delta"))
    )
    before, after = fit(terms, earlier=True), fit(changed, earlier=True)
    assert len(order) == 3
    assert {key: others.slopes.tolist() for key, others in before.by_group.items()} == {
        key: others.slopes.tolist() for key, others in after.by_group.items()
    }
    assert before.by_group["bounty", order[0]] is NO_OTHERS
    apart = fit(terms.filter(pl.col("match_id") != order[-1]))
    assert before.by_group["bounty", order[1]].slopes == pytest.approx(
        apart.by_group["bounty", order[1]].slopes
    )
    turned = luck.fit_store(store, order[::-1])
    assert turned.by_group["bounty", order[-1]] is NO_OTHERS
    assert luck.fit_store(store, order).by_group["bounty", order[2]].slopes == pytest.approx(
        before.by_group["bounty", order[2]].slopes
    )


def test_slopes_read_some_matches_at_a_time_are_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luck, "_READ", 2)
    whole, parts = fit(luck._terms(store)), luck.fit_store(store)
    assert whole.digest == parts.digest
    assert whole.by_group.keys() == parts.by_group.keys()
    assert len(whole.by_group) > 2


def _hand_by_hand(rows: pl.DataFrame, others: OfOthers) -> list[float]:
    """The luck of each row of one match, a hand at a time: four estimates, weighted by their errors so far."""
    unit = rows["unit"][0]
    terms, rest = rows.select(TERMS).to_numpy() / unit, (rows["delta"] - rows["all_in"]).to_numpy() / unit
    hand = rows["hand_index"].to_list()
    luck: list[float] = []
    errors, largest, own = np.zeros(4), 0.0, [others.slopes, others.slopes]
    for place, index in enumerate(dict.fromkeys(hand)):
        before = np.array([h < index for h in hand])
        now = np.array([h == index for h in hand])
        if place < 40 or place % 10 == 0:
            own = []
            for bound in (50, 500):
                # A prior is rows of its own: each term alone, with the square root of its weight.
                of_prior = np.diag(np.sqrt(bound * others.scale))
                known = np.concatenate([terms[before], of_prior])
                wanted = np.concatenate([rest[before], of_prior @ others.slopes])
                own.append(np.linalg.lstsq(known, wanted, rcond=None)[0])
        each = np.stack([terms[now] @ slopes for slopes in (0 * others.slopes, others.slopes, *own)])
        weights = np.exp(-(errors - errors.min()) / max(largest, 1e-9))
        luck += (weights @ each / weights.sum() * unit).tolist()
        errors = errors + ((rest[now] - each) ** 2).sum(axis=1)
        largest = max(largest, *rest[now] ** 2)
    return luck


def test_every_hand_counts_by_hands_before_it_and_by_other_matches(
    store: Store, hands: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = luck._terms(store)
    slopes = fit(terms)
    taken = hands["all_in_adjusted"].to_numpy() - hands["chance_adjusted"].to_numpy()
    wanted = []
    for rows in terms.partition_by("match_id", maintain_order=True):
        others = slopes.by_group[rows["game"][0], rows["dealt_alike"][0]]
        wanted += _hand_by_hand(rows, others)
    assert len(slopes.by_group) > 5
    assert np.abs(taken).max() > 10
    assert taken == pytest.approx(np.array(wanted), abs=1e-6)
    monkeypatch.setattr(slopes_module, "_HANDS", 70)
    assert slopes_module.brought(terms, slopes) == pytest.approx(taken, abs=1e-9)
    # A match that nothing is known of has the slopes of one without others.
    blotto = terms.filter(pl.col("game") == "blotto")
    unknown = slopes_module.brought(blotto, Slopes({}, ""))
    assert unknown == pytest.approx(np.array(_hand_by_hand(blotto, NO_OTHERS)), abs=1e-6)
    assert slopes_module.brought(terms.clear(), fit(terms.clear())).tolist() == []


def test_the_luck_of_a_hand_does_not_depend_on_what_was_won_in_it_or_later(store: Store) -> None:
    terms = luck._terms(store).filter(pl.col("game") == "bounty")
    slopes = fit(terms)
    before = slopes_module.brought(terms, slopes)
    rng = np.random.default_rng(3)
    later = (pl.col("hand_index") >= 30) & pl.Series(np.ones(len(terms), bool))
    noise = pl.Series(rng.permutation(terms["delta"].to_numpy()) * 5)
    changed = terms.with_columns(delta=pl.when(later).then(noise).otherwise(pl.col("delta")))
    after = slopes_module.brought(changed, slopes)
    known = (terms["hand_index"] <= 30).to_numpy()
    assert before[known].tolist() == after[known].tolist()
    assert np.abs(before[~known] - after[~known]).max() > 0.1


def test_a_player_unlike_all_others_is_soon_adjusted_by_his_own_hands_or_not_at_all() -> None:
    rng = np.random.default_rng(0)

    def match(number: int, slope: float, hands: int) -> pl.DataFrame:
        terms = {name: rng.normal(size=hands) for name in TERMS}
        won = slope * (terms["flop"] + 5 * terms["river"]) + rng.normal(size=hands)
        head = {"game": ["g"] * hands, "delta": won, "all_in": np.zeros(hands), "unit": np.ones(hands)}
        keys = {name: pl.Series([number] * hands, dtype=pl.UInt64) for name in ("match_id", "dealt_alike")}
        return pl.DataFrame(head | keys | {"hand_index": range(hands), "seat": [0] * hands} | terms)

    usual = [match(number, 1.0, 500) for number in range(4)]
    for slope, kept in ((-0.5, 0.75), (0.0, 1.05), (4.0, 0.5)):
        terms = pl.concat([*usual, match(9, slope, 1000)])
        taken = slopes_module.brought(terms, fit(terms))
        mine = (terms["match_id"] == 9).to_numpy()
        raw = terms["delta"].to_numpy()
        assert np.std((raw - taken)[mine]) < kept * np.std(raw[mine]), slope
        # By the slopes of others alone he would be worse off than without any.
        known = fit(terms).by_group["g", 9].slopes
        if slope <= 0:
            assert np.std(raw[mine] - terms.select(TERMS).to_numpy()[mine] @ known) > 1.5 * np.std(raw[mine])


def test_a_match_without_others_begins_with_the_cards_as_they_are(store: Store) -> None:
    terms = luck._terms(store).filter(pl.col("game") == "blotto")
    assert [others.slopes.tolist() for others in fit(terms).by_group.values()] == [[1.0] * 4 + [0.0] * 6]


def test_winnings_and_intervals_are_those_of_plain_arithmetic(store: Store, hands: pl.DataFrame) -> None:
    found = luck.winnings(store, "player").filter((pl.col("game") == "bounty") & (pl.col("player") == "Ann"))
    assert len(found) == 1
    row = found.row(0, named=True)
    mine = hands.filter((pl.col("game") == "bounty") & (pl.col("seat") == 0))
    blocks = defaultdict(list)
    for match, index, value in mine.select("match_id", "hand_index", "chance_adjusted").iter_rows():
        blocks[match, index // 25].append(value / 2)
    sums, sizes = [sum(block) for block in blocks.values()], [len(block) for block in blocks.values()]
    n, b = sum(sizes), len(sums)
    mean = sum(sums) / n
    se = math.sqrt(b / (b - 1) * sum((s - mean * k) ** 2 for s, k in zip(sums, sizes, strict=True))) / n
    half = float(stats.t.ppf(0.975, b - 1)) * se
    assert (row["hands"], row["clusters"], row["matches"]) == (n, b, 3)
    assert row["chance_adjusted"] == pytest.approx(100 * mean)
    assert row["chance_adjusted_low"] == pytest.approx(100 * (mean - half))
    assert row["chance_adjusted_high"] == pytest.approx(100 * (mean + half))
    raw = mine["delta"].to_numpy() / 2
    assert row["delta_sd"] == pytest.approx(np.std(raw, ddof=1))
    assert row["variance_removed"] == pytest.approx(1 - (row["chance_adjusted_sd"] / row["delta_sd"]) ** 2)


@pytest.mark.parametrize("by", luck.GROUPINGS)
def test_every_grouping_adds_up_to_the_same_chips(store: Store, by: str) -> None:
    found = luck.winnings(store, by)
    whole = luck.winnings(store, "player")
    for game in ("holdem-mit", "koper", "blotto"):
        chips = [
            (
                frame.filter(pl.col("game") == game)["hands"] * frame.filter(pl.col("game") == game)["delta"]
            ).sum()
            for frame in (found, whole)
        ]
        assert chips[0] == pytest.approx(chips[1], abs=1e-6)


@pytest.mark.parametrize("by", ["showdown", "went_to_showdown", "ended_by", "board", "Streets"])
def test_groupings_chosen_by_what_came_later_are_refused(by: str) -> None:
    with pytest.raises(luck.GroupingError, match=f"by {by} would be biased"):
        luck.check_grouping(by)


def test_the_command_refuses_in_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["luck", "--store", str(folder), "--by", "went_to_showdown"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("railbird: Invalid value for '--by': 'went_to_showdown' is not one of 'player', ")
    assert said.count("\n") == 1
    assert list(luck.GROUPINGS) == list(Grouping)


def test_the_command_shows_one_event_as_among_all(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def rows(*options: str) -> list[str]:
        assert main(["luck", "--store", str(folder), "--format", "csv", *options]) == 0
        return capsys.readouterr().out.splitlines()

    head, *every = rows()
    assert rows("--event", "bounty") == [head, *(row for row in every if row.startswith("bounty,"))]
    assert main(["luck", "--store", str(folder), "--event", "x"]) == 2
    assert capsys.readouterr().err == "railbird: no match is of the event 'x'\n"


def test_the_command_shows_the_three_side_by_side(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["luck", "--store", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "raw" in said and "all-in-adjusted" in said and "chance-adjusted" in said and "slopes " in said
    # A table an event and game, in the order of the CSV, with half of each interval.
    assert main(["luck", "--store", str(folder), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    heads = [line for line in said.splitlines() if "all-in-adjusted" in line and "chance-adjusted" in line]
    assert len(heads) == len({(row["event"], row["game"]) for row in rows})
    assert any(row["delta_high"] for row in rows)
    for row in rows:
        if not row["delta_high"]:
            continue
        mean, high = float(row["delta"]), float(row["delta_high"])
        shown = f"{mean:+,.1f} ±{high - mean:,.1f}".replace("-", "−")
        assert shown in said.partition(f"{row['game']}, event {row['event']}")[2]
    assert main(["luck", "--store", str(folder), "--by", "match", "--format", "csv"]) == 0
    head = capsys.readouterr().out.splitlines()[0].split(",")
    assert {"match_id", "delta_low", "chance_adjusted_high", "variance_removed", "slopes"} <= set(head)


def test_a_curve_ends_at_the_matchs_sums_with_its_interval(store: Store, hands: pl.DataFrame) -> None:
    (match_id,) = store.execute("select min(match_id) from matches where game = 'bounty'").fetchall()[0]
    found = luck.curve(store, match_id)
    last = found.filter(pl.col("seat") == 0).row(-1, named=True)
    mine = hands.filter((pl.col("match_id") == match_id) & (pl.col("seat") == 0))
    assert last["raw"] == pytest.approx(mine["delta"].sum())
    assert last["chance_adjusted"] == pytest.approx(mine["chance_adjusted"].sum())
    row = luck.winnings(store, "match").filter((pl.col("match_id") == match_id) & (pl.col("seat") == 0))
    unit = 2.0
    for end in ("low", "high"):
        assert last[end] == pytest.approx(row[f"chance_adjusted_{end}"][0] * unit * len(mine) / 100)


@pytest.mark.parametrize("game", [game for game in HEADS_UP if game != "river-of-blood"])
def test_decisions_and_cards_together_make_the_result(store: Store, game: str) -> None:
    """Where every action is a choice: value at first + what decisions and cards change = what is paid."""
    ids = [
        row[0]
        for row in store.execute("select match_id from matches where game = $game", game=game).fetchall()
    ]
    values = decision_values(store, ids)
    key = ["match_id", "hand_index", "seat"]
    values = values.rename({"seat": "actor", "valued_seat": "seat"})
    made = values.group_by(key).agg(
        pl.col("before").sort_by("seq").first().alias("start"),
        (pl.col("after") - pl.col("before")).sum().alias("made"),
    )
    cards = store.sql("""
        select match_id, hand_index, seat, sum(value - value_before) as luck
        from equities where street > 0 group by all""").pl()
    due = store.sql("""
        select s.match_id, s.hand_index, s.seat, s.delta_written
        from seats s join hands h using (match_id, hand_index)
        where not exists (
          select 1 from actions a where a.match_id = s.match_id and a.hand_index = s.hand_index
            and a.origin not in ('choice', 'post', 'allin'))""").pl()
    both = due.join(made, on=key).join(cards, on=key, how="left").with_columns(pl.col("luck").fill_null(0.0))
    off = both["start"] + both["made"] + both["luck"] - both["delta_written"]
    assert len(both) > 40
    assert np.abs(off.to_numpy()).max() < (0.51 if game == "bounty" else 1e-6)


@pytest.mark.parametrize("game", ["koper", "blotto", "river-of-blood", "acpc/side.nolimit.3p", "holdem-mit"])
def test_decisions_of_other_games_have_values(store: Store, game: str) -> None:
    ids = [
        row[0]
        for row in store.execute("select match_id from matches where game = $game", game=game).fetchall()
    ]
    values = decision_values(store, ids)
    if not ids:
        assert values.is_empty()
        return
    assert len(values) > 20
    sums = values.group_by("match_id", "hand_index", "seq", "board_no").agg(pl.col("before", "after").sum())
    # Nobody wins or loses chips to the table but in Blotto, whose pots begin with 2, 4 and 6.
    due = {1: 2.0, 2: 4.0, 3: 6.0}
    for number, before, after in sums.select("board_no", "before", "after").iter_rows():
        most = due.get(number, 0.0)
        assert before == pytest.approx(most, abs=1.0 if number else 1e-6)
        assert after == pytest.approx(most, abs=1.0 if number else 1e-6)


def test_a_hand_of_duplicate_matches_is_one_unit_of_sampling(tmp_path: Path) -> None:
    """Clusters of a player are the hands of the deck, as in standings: its seatings had the same cards."""
    logs = sorted((SAMPLES / "acpc").glob("Ash.Birch.Cedar.*.log"))
    ingest(logs, tmp_path)
    with open_store(tmp_path) as store:
        rows = store.execute(
            "select p.player, hand_index, s.delta / p.unit as bb from seats s join players p using (match_id, seat)"
        ).fetchall()
        found = {row["player"]: row for row in luck.winnings(store).iter_rows(named=True)}
        told = {
            row[0]: row[1:]
            for row in store.execute(
                "select player, blocks, bb_per_100, bb_per_100_low, bb_per_100_high from winnings"
            ).fetchall()
        }
    assert found.keys() == told.keys() == {"Ash", "Birch", "Cedar"}
    for player, row in found.items():
        hands = defaultdict(list)
        for name, index, bb in rows:
            if name == player:
                hands[index].append(bb)
        assert {len(each) for each in hands.values()} == {len(logs)}
        means = [sum(each) / len(each) for each in hands.values()]
        half = (
            float(stats.t.ppf(0.975, len(means) - 1)) * float(np.std(means, ddof=1)) / math.sqrt(len(means))
        )
        mean = sum(means) / len(means)
        wanted = tuple(pytest.approx(100 * figure) for figure in (mean, mean - half, mean + half))
        assert (row["clusters"], row["hands"]) == (len(means), len(means) * len(logs))
        assert (row["delta"], row["delta_low"], row["delta_high"]) == wanted
        # SQL's t quantile is an approximation.
        assert told[player] == pytest.approx((len(means), *(each.expected for each in wanted)), rel=1e-4)


def test_the_units_of_a_duplicate_pair_are_its_hands_against_each_opponent_too(tmp_path: Path) -> None:
    """Two matches of the same cards with seats exchanged, and a third of others."""
    ingest([*(SAMPLES / "acpc").glob("Heron.Otter.*.log"), SAMPLES / "acpc" / "limit.log"], tmp_path)
    with open_store(tmp_path) as store:
        query = "select distinct hands from matches where duplicate_group is not null"
        ((hands,),) = store.execute(query).fetchall()
        for view in ("winnings", "winnings_by_opponent"):
            found = store.execute(
                f"select player, matches, hands, blocks from {view} order by hands, player"
            ).fetchall()
            assert [row[1:] for row in found if row[0] in ("Heron", "Otter")] == [(2, 2 * hands, hands)] * 2
            others = [row[1:] for row in found if row[0] not in ("Heron", "Otter")]
            assert len(others) == 2
            assert all(matches == 1 and played == blocks for matches, played, blocks in others)
