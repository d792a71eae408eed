"""The first block of a match's page and of a player's page: answers in words, with figures, intervals and hands."""

import re
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from railbird.analytics.exploit.search import find_leaks
from railbird.analytics.players import Player, rules_of
from railbird.analytics.store import Store, open_store
from railbird.analytics.views import queries
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports.exploit import sentence
from railbird.reports.matches import all_matches, rows_of
from railbird.reports.pages import answers
from railbird.reports.pages.answers import leaks_of_players, sure_of, winner
from railbird.reports.pages.build import write_report
from railbird.reports.pages.players import Dossiers, Person, standings
from railbird.reports.plots import Curve, Line
from railbird.reports.terminal import chips, signed

HANDS = 400


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Path]]:
    """A match of a player that calls too much, and the folder of the report on it."""
    folder = tmp_path_factory.mktemp("first block")
    players = [("Calls <all>", "calling-station"), ("Tag", "tight-aggressive")]
    (folder / "log.txt").write_text(simulate("holdem-mit", players, HANDS, 5), newline="")
    ingest([folder / "log.txt"], folder / "store", event="cup")
    with open_store(folder / "store") as store:
        yield store, write_report(store, folder / "report").parent


def block(page: Path) -> str:
    """The first block of a page."""
    text = page.read_text()
    found = re.search(r'<section class="answer">(.*?)</section>', text, re.DOTALL)
    assert found and text.count('<section class="answer">') == 1 and found.end() < text.index('class="tile')
    return found[1]


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).replace("\u00a0", " ").split())


def linked(html: str) -> list[tuple[int, int]]:
    """The hands that a block links to."""
    return [(int(match), int(hand)) for match, hand in re.findall(r'href="replay\.html#(\d+)/(\d+)"', html)]


def test_a_match_page_begins_with_who_won_and_where_the_chips_came_from(two: tuple[Store, Path]) -> None:
    store, folder = two
    (match,) = all_matches(store)
    found = block(folder / f"match-{match.match_id}.html")
    said = plain(found)
    results = rows_of(store, "select * from results")
    won = max(results, key=lambda row: row["delta"])
    assert f"{won['player']} won {chips(won['delta'])} chips in {HANDS} hands: " in said
    assert sure_of(won["bb_per_100_low"], won["bb_per_100_high"]) in said
    assert re.search(
        r"Without the luck of the cards it (won|lost) [\d,]+ chips, 95% [+−][\d,]+ to [+−][\d,]+", said
    )
    parts = rows_of(store, queries("match")["parts"], ids=[match.match_id])
    own = [row for row in parts if row["seat"] == won["seat"]]
    best = max((row for row in own if row["part"] == "end"), key=lambda row: row["chips"])
    assert f"{signed(best['chips'])} chips in {best['hands']} hands " in said
    largest = store.execute(
        "select match_id, hand_index from pots order by played_for desc, hand_index"
    ).fetchall()
    assert len(linked(found)) == 3 and {match.match_id} == {one for one, _ in linked(found)}
    pots = dict(store.execute("select hand_index, played_for from pots").fetchall())
    assert [pots[hand] for _, hand in linked(found)] == [pots[hand] for _, hand in largest[:3]]
    deltas = dict(
        store.execute("select hand_index, delta from seats where seat = $seat", seat=won["seat"]).fetchall()
    )
    for hand in (hand for _, hand in linked(found)):
        assert f"#{hand} ({chips(pots[hand])} chips, {signed(deltas[hand])} for {won['player']})" in said


def test_chips_held_before_the_first_hand_are_not_won_without_luck(two: tuple[Store, Path]) -> None:
    """The stacks of these players carry over from 10,000 chips, which they did not win."""
    (match,) = all_matches(two[0])
    won, lost = np.array([10.0, 125.0]), np.array([-10.0, -125.0])
    lines = [
        Line(
            name,
            None,
            np.array([1, 2]),
            10_000 + own,
            10_000 + own,
            own,
            0 * own,
            10_000 + own / 5,
            0 * own + 50,
        )
        for name, own in zip(match.players, (won, lost), strict=True)
    ]
    curve = Curve(match, np.array([1, 2]), (*lines,), np.array([], dtype=np.int64))
    row = {"bb_per_100_low": None, "bb_per_100_high": None}
    results = [row | {"seat": seat, "delta": line.showdown[-1]} for seat, line in enumerate(lines)]
    found = answers.match_answer(match, {"results": results, "parts": [], "pots": []}, curve)
    assert found.luck == pytest.approx((25, -25, 75))


@pytest.mark.parametrize("game", ["bounty", "holdem-mit", "blotto", "river-of-blood", "koper"])
def test_the_parts_of_a_match_add_up_and_have_the_intervals_of_its_units(
    sample_store: Store, game: str
) -> None:
    match = next(one for one in all_matches(sample_store) if one.game == game)
    parts = rows_of(sample_store, queries("match")["parts"], ids=[match.match_id])
    results = rows_of(sample_store, "select * from results where match_id = $one", one=match.match_id)
    every = match.rules.cluster_hands if match.rules.cluster == "numbers" else None
    for result in results:
        for kind in ("street", "end"):
            own = [row for row in parts if (row["seat"], row["part"]) == (result["seat"], kind)]
            assert sum(row["hands"] for row in own) == result["hands"]
            assert sum(row["chips"] for row in own) == pytest.approx(result["delta"])
            assert sum(row["bb"] for row in own) == pytest.approx(result["bb_per_100"])
        shown = next(row for row in own if row["ended"] == "showdown")
        if match.rules.cluster == "match":
            assert shown["low"] is None
            continue
        hands = sample_store.execute(
            "select s.hand_index, h.hand_no - 1, s.delta, h.ended_by is distinct from 'fold' from seats s "
            "join hands h using (match_id, hand_index) where match_id = $one and seat = $seat and delta is not null",
            one=match.match_id,
            seat=result["seat"],
        ).fetchall()
        sums: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for index, before, delta, is_shown in hands:
            unit = sums[before // every if every else index]
            unit[0] += delta * is_shown
            unit[1] += 1
        (k, n), count = np.array(list(sums.values())).T, len(sums)
        mean = k.sum() / n.sum()
        error = np.sqrt(count / (count - 1) * ((k - mean * n) ** 2).sum()) / n.sum()
        half = stats.t.ppf(0.975, count - 1) * error
        scale = shown["bb"] / mean if mean else 1.0
        assert shown["low"] == pytest.approx(scale * (mean - half), rel=1e-6)
        assert shown["high"] == pytest.approx(scale * (mean + half), rel=1e-6)


def test_a_player_page_begins_with_what_wins_against_it(two: tuple[Store, Path]) -> None:
    store, folder = two
    who = Person("cup", "holdem-mit", "Calls <all>", None)
    found = block(folder / who.page)
    said = plain(found)
    leaks = find_leaks(store, Player("cup", "holdem-mit", "Calls <all>")).leaks
    assert leaks and leaks[0].kind == "calls-too-much"
    rules = rules_of(store, "holdem-mit")
    for leak in leaks[: answers.SHOWN_LEAKS]:
        assert f"{leak.kind}: {sentence(leak, 'Calls <all>', rules)}. Hands: log.txt#" in said
    losses = store.execute(
        "select match_id, hand_index from seats where player = 'Calls <all>' order by delta, hand_index limit 3"
    ).fetchall()
    assert linked(found)[-3:] == losses
    hands = {(match, hand) for leak in leaks for match, hand in leak.hands}
    assert set(linked(found)[:-3]) <= hands
    assert re.search(r"Calls <all> (won|lost) [\d,]+ chips in 400 hands of 1 match: [+−]", said)


def test_only_so_many_players_are_priced(two: tuple[Store, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    store, _ = two
    matches = all_matches(store)
    tables = standings(store, matches)
    rows = [(row, table.rules) for table in tables for row in table.players]
    assert len(leaks_of_players(store, matches, rows)) == 2
    monkeypatch.setattr(answers, "LEAK_HANDS", 2 * HANDS - 1)
    assert len(leaks_of_players(store, matches, rows)) == 1
    monkeypatch.setattr(answers, "LEAKS_MOST", 0)
    assert leaks_of_players(store, matches, rows) == {}
    # Nor in a report of other matches.
    monkeypatch.undo()
    (none, _) = leaks_of_players(store, [], rows).values()
    assert none.reason == "None of these matches is one of two players."
    # Leaks rest on hidden cards.
    dossiers = Dossiers(store, matches, tables, public=True)
    assert dossiers.of(tables[0].players[0]["person"], tables[0])["leaks"] is None


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (None, None, "too few independent hands or matches"),
        (0.5, 2.0, "lies above 0"),
        (-2.0, -0.5, "lies below 0"),
        (-1.0, 1.0, "holds 0, so that may be luck"),
    ],
)
def test_how_sure_a_result_is(low: float | None, high: float | None, said: str) -> None:
    assert said in sure_of(low, high)


def test_a_draw_has_no_winner() -> None:
    assert winner([{"delta": 5.0, "seat": 0}, {"delta": 5.0, "seat": 1}]) is None
    won = winner([{"delta": -5.0, "seat": 0}, {"delta": 5.0, "seat": 1}])
    assert won is not None and won["seat"] == 1


def test_losses_found_some_matches_at_a_time_are_those_of_all(
    sample_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = all_matches(sample_store)
    every = answers.losses(sample_store, matches)
    monkeypatch.setattr("railbird.reports.matches.READ_TOGETHER", 7)
    some = answers.losses(sample_store, matches)
    assert len(every) == len(some) > 50
    assert all(row in every for row in some)
