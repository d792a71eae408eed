"""The tests' second arena: railbird verifies its tournaments, chips add up, and the plans are followed."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from arena.stranger_bots import (
    KINDS,
    Mimic,
    Network,
    RuleTable,
    Stranger,
    Thresholds,
    facing,
    given_up,
    grade,
    habits,
    passive,
    raised,
)
from arena.stranger_events import GAMES, HONEST, Event, matches, programs, write_event
from arena.stranger_plans import BEHIND, RIVERS, SEED, SIZES, SQUEEZE
from arena.tournaments import tournament
from bench import stranger_arena, stranger_pages
from bench.kept import Kept, write_between

from railbird.analytics.collusion import detectors, multiway
from railbird.analytics.collusion.heads_up import TRANSFER
from railbird.analytics.collusion.material import ATTACKS
from railbird.analytics.collusion.study import usual_raise
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.bots import Answer, View
from railbird.replay.cards import CARD_CODE
from railbird.replay.simulate import Player, play_bots

SEED_HERE = 31
"""Not among the seeds of the published figures, which begin at `stranger_arena.FIRST_SEED`."""

Ingested = Callable[[Path], Store]


@pytest.fixture
def ingested(tmp_path: Path) -> Iterator[Ingested]:
    """A function that reads the logs of a folder into a store."""
    opened: list[Store] = []

    def read(logs: Path) -> Store:
        ingest([logs], tmp_path / "store", event="cup")
        opened.append(open_store(tmp_path / "store"))
        return opened[-1]

    yield read
    for store in opened:
        store.close()


def part_of(game: str, hands: int) -> float:
    """The part of a tournament that has about so many hands at a table."""
    return hands / GAMES[game].hands


@pytest.mark.parametrize("game", GAMES)
def test_every_hand_of_a_tournament_is_verified(game: str, tmp_path: Path, ingested: Ingested) -> None:
    write_event(Event(game, HONEST, SEED_HERE, part=part_of(game, 12)), tmp_path / "logs")
    store = ingested(tmp_path / "logs")
    rows = store.sql(
        "select verdict, count(*), max(abs(won)) from (select h.match_id, h.hand_index, h.verdict, sum(s.delta) as won "
        "from hands as h join seats as s using (match_id, hand_index) group by all) group by all"
    ).fetchall()
    assert {verdict for verdict, *_ in rows} <= {"ok", "engine_deviation"}
    assert max(won for *_, won in rows) < 1e-6
    names = {name for (name,) in store.sql("select distinct player from players").fetchall()}
    assert names == set(Event(game, HONEST, 0).names)


def _actions(store: Store, where: str) -> list[Any]:
    rows = store.sql(f"select * from actions where origin = 'choice' and ({where})").pl()
    return list(rows.iter_rows(named=True))


def planted(game: str, plan: str, hands: int, folder: Path) -> int:
    """Write a tournament with a plan at all decisions; returns how many of them it changed."""
    return write_event(Event(game, plan, SEED_HERE, 1.0, part=part_of(game, hands)), folder)


def _together(store: Store, *names: str) -> set[int]:
    """The matches in which all of some players sit."""
    found = store.sql("select match_id, list(player) from players group by all").fetchall()
    return {match for match, players in found if set(names) <= set(players)}


def test_partners_neither_bet_nor_raise_a_river_against_each_other(
    tmp_path: Path, ingested: Ingested
) -> None:
    assert planted("holdem-mit", RIVERS, 150, tmp_path / "logs") > 5
    store = ingested(tmp_path / "logs")
    here = _together(store, "bot3", "bot4")
    rows = Counter(
        row["match_id"] in here for row in _actions(store, "street = 3 and action in ('bet', 'raise')")
    )
    assert rows[True] == 0 and rows[False] > 50


def test_sizes_tell_the_partner_how_strong_a_hand_is(tmp_path: Path, ingested: Ingested) -> None:
    assert planted("holdem-mit", SIZES, 150, tmp_path / "logs") > 20
    store = ingested(tmp_path / "logs")
    here = _together(store, "bot3", "bot4")
    rows = _actions(
        store, "action in ('bet', 'raise') and player = 'bot3' and max_raise_to - min_raise_to >= 14"
    )
    residues = {with_partner: Counter[int]() for with_partner in (True, False)}
    for row in rows:
        residues[row["match_id"] in here][int(row["amount_to"]) % 7] += 1
    assert set(residues[True]) == {3, 5} and len(residues[False]) > 2


def test_the_giver_dumps_only_while_its_partner_is_behind(tmp_path: Path, ingested: Ingested) -> None:
    assert planted("holdem-mit", BEHIND, 300, tmp_path / "logs") > 20
    store = ingested(tmp_path / "logs")
    here = _together(store, "bot3", "bot4")
    rows = store.sql(
        "select a.match_id, a.action, o.bankroll_before < 0 as behind from actions as a join seats as o "
        "on o.match_id = a.match_id and o.hand_index = a.hand_index and o.player = 'bot4' "
        "where a.player = 'bot3' and a.origin = 'choice'"
    ).fetchall()
    attacks = {
        behind: [action in ("bet", "raise") for match, action, now in rows if match in here and now == behind]
        for behind in (True, False)
    }
    assert len(attacks[True]) > 20 and not any(attacks[True])
    assert any(attacks[False])


def test_partners_raise_until_the_third_player_is_out(tmp_path: Path, ingested: Ingested) -> None:
    game = "acpc/holdem.limit.3p"
    assert planted(game, SQUEEZE, 150, tmp_path / "logs") > 50
    store = ingested(tmp_path / "logs")
    here = _together(store, "bot3", "bot4")
    rows = _actions(store, "player in ('bot3', 'bot4') and max_raise_to is not null and street = 0")
    share = {
        three: np.mean(
            [
                row["action"] in ("bet", "raise")
                for row in rows
                if row["match_id"] in here and (row["active_players"] == 3) == three
            ]
        )
        for three in (True, False)
    }
    assert share[True] == 1 and share[False] < 0.5
    (material,) = detectors.materials(store)
    flags = [row for row in detectors.look(material) if row.flag and row.detector == multiway.SQUEEZE]
    assert [[material.players[row.one], material.players[row.other]] for row in flags] == [["bot3", "bot4"]]


def test_who_reads_the_seed_wins_at_showdown(tmp_path: Path, ingested: Ingested) -> None:
    assert planted("holdem-mit", SEED, 100, tmp_path / "logs") > 50
    store = ingested(tmp_path / "logs")
    won = dict(store.sql("select player, sum(delta) from seats group by all").fetchall())
    assert max(won, key=lambda name: won[name]) == "bot3"
    lost = _actions(store, "player = 'bot3' and action in ('bet', 'raise')")
    hands = {(row["match_id"], row["hand_index"]) for row in lost}
    results = store.sql("select match_id, hand_index, delta from seats where player = 'bot3'").fetchall()
    assert hands and min(delta for match, hand, delta in results if (match, hand) in hands) >= 0


def test_the_same_event_is_the_same_text_and_another_seed_is_not() -> None:
    event = Event("holdem-mit", HONEST, SEED_HERE, part=part_of("holdem-mit", 6))
    other = Event("holdem-mit", HONEST, SEED_HERE + 1, part=part_of("holdem-mit", 6))
    texts = [[text for _, text, _ in matches(one)] for one in (event, event, other)]
    assert texts[0] == texts[1] and not set(texts[0]) & set(texts[2])


def test_two_names_of_one_program_answer_alike() -> None:
    twins = programs(Event("holdem-mit", HONEST, SEED_HERE, twins=True))
    assert twins[0] is twins[1] and twins[0] is not twins[2]


def test_an_event_without_a_plan_plays_none() -> None:
    for _, _, pacts in matches(Event("holdem-mit", HONEST, SEED_HERE, part=part_of("holdem-mit", 3))):
        assert not pacts


@pytest.mark.parametrize("kind", KINDS)
def test_players_of_a_kind_differ_from_each_other(kind: str) -> None:
    game = "holdem-mit"
    drawn = {RuleTable: "stays", Thresholds: "bets", Network: "sharp", Mimic: "habits"}
    made: list[Stranger] = [KINDS[kind](Random("1"), Random(f"{k}")) for k in range(6)]
    attribute = next(name for built, name in drawn.items() if isinstance(made[0], built))
    assert len({str(getattr(one, attribute)) for one in made}) > 3, game


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [
        ("2c7d", "", 0),
        ("AcAd", "", 5),
        ("2c7d", "KhQs9c", 0),
        ("AcKd", "Qh8s2c", 1),
        ("8c7d", "Qh8s2c", 2),
        ("Qc7d", "Qh8s2c", 3),
        ("AcAd", "Qh8s2c", 3),
        ("AcKd", "QhQs2c", 1),
        ("Qc8d", "Qh8s2c", 4),
        ("QcQd", "Qh8s2c", 5),
        ("Ac2c", "Kc8c4c", 5),
    ],
)
def test_a_hand_is_graded_by_what_it_is_made_of(hole: str, board: str, expected: int) -> None:
    def codes(text: str) -> list[int]:
        return [CARD_CODE[text[k : k + 2]] for k in range(0, len(text), 2)]

    assert grade(codes(hole), codes(board)) == expected


def test_mimics_have_habits_of_every_street() -> None:
    assert len(habits()) > 10
    for one in habits():
        assert {street for street, _ in one} == {0, 1, 2, 3}
        assert all(0 <= habit.folds + habit.raises <= 1.001 for habit in one.values())


def test_orders_have_each_game_and_cell_in_every_round_and_seeds_of_their_own() -> None:
    events = list(stranger_arena.orders(stranger_arena.ROUNDS, stranger_arena.FIRST_SEED))
    honest = [event for event in events if event.plan == HONEST]
    assert len(honest) >= 300 and sum(event.game.startswith("pokerkit") for event in honest) >= 20
    assert any(event.twins for event in honest)
    assert len(set(events)) == len(events) and min(event.seed for event in events) > SEED_HERE
    assert {(event.game, event.plan) for event in events if event.plan != HONEST} == set(stranger_arena.CELLS)


class Sized(Stranger):
    """Raises as often whatever it holds: a share of the pot, and another share after an overbet."""

    def __init__(self, rng: Random, usual: float, after: float) -> None:
        super().__init__(rng)
        self.usual, self.after = usual, after

    def act(self, view: View) -> Answer:
        if view.high and self.happens(0.4 if view.level < 3 else 0.05):
            return raised(view, self.after if facing(view) == 3 else self.usual)
        return passive(view) if self.strength(view) > 0.45 else given_up(view)


def test_who_raises_more_after_an_overbet_loses_to_nobody_by_it(tmp_path: Path, ingested: Ingested) -> None:
    """Only B overbets, so only against B does A raise by more than it usually does."""
    sizes = {"A": (0.4, 1.5), "B": (1.5, 1.5), "C": (0.5, 0.5), "D": (0.6, 0.6), "E": (0.4, 0.6)}
    (tmp_path / "logs").mkdir()
    for number, names in enumerate(combinations(sizes, 2)):
        players = [Player(name, Sized(Random(f"{number} {name}"), *sizes[name])) for name in names]
        text = play_bots("holdem-mit", players, 500, number).text
        (tmp_path / "logs" / f"{number}.txt").write_text(text, newline="")
    (found,) = detectors.materials(ingested(tmp_path / "logs"))
    rows = [row for row in detectors.look(found) if row.detector == TRANSFER]
    least = {(found.players[row.one], found.players[row.other]): row.p for row in rows}
    assert least["A", "B"] > 0.05 and min(least.values()) > 0.001


@pytest.mark.parametrize("game", ["acpc/kuhn.limit.3p", "acpc/holdem.limit.3p"])
def test_a_usual_raise_at_a_fixed_limit_is_the_bet_there_is(game: str) -> None:
    d = tournament(game, SEED_HERE, players=4, hands=60).material.decisions
    assert len(d) > 100 and np.array_equal(usual_raise(d), d.most)


def test_a_usual_raise_without_a_limit_is_what_the_player_adds_after_such_a_bet() -> None:
    d = tournament("holdem-mit", SEED_HERE, players=4, hands=150).material.decisions
    usual, attacks = usual_raise(d), d.kind == ATTACKS
    assert (usual <= d.most).all() and (usual[d.most == 0] == 0).all()
    for player in range(4):
        here = attacks & (d.player == player) & (d.street == 0) & (d.to_call > 0)
        assert here.sum() > 50 and usual[here].mean() == pytest.approx(d.added[here].mean(), rel=0.15)
        assert usual[here].mean() < 0.5 * d.most[here].mean()


def _row(plan: str, seed: int, least: dict[str, float], **more: Any) -> dict[str, Any]:
    event = {"game": "holdem-mit", "plan": plan, "seed": seed, "share": 0.5, "twins": False, "part": 1.0}
    row = {
        "event": event,
        "least": least,
        "tests": {"soft play": list(least.values())},
        "flags": [],
        "alike": [],
    }
    return row | {"informed": {}, "pair": "bot3+bot4", "followed": 9, "seconds": 1.0} | more


def test_the_area_of_a_cell_compares_the_planted_pair_with_honest_pairs_of_its_game() -> None:
    honest = [_row(HONEST, k, {"bot0+bot1": 0.2, "bot3+bot4": 0.6}) for k in range(3)]
    found = [_row(RIVERS, k, {"bot0+bot1": 0.01, "bot3+bot4": p}) for k, p in enumerate((0.1, 0.4, 0.9))]
    text = stranger_pages.page([*honest, *found])
    # Of three pairs one lies below both kinds of honest pairs, one below half of them, one above.
    assert "| rivers | holdem-mit | 0.500 " in text
    certain = [_row(RIVERS, k, {"bot3+bot4": 0.001}) for k in range(4)]
    # Four of four: half of one pair is not known to be found, the root of 1/8 * 7/8 / 4.
    assert "| rivers | holdem-mit | 1.000 ± 0.324 | 4 |" in stranger_pages.page([*honest, *certain])


def test_who_reads_a_seed_is_compared_with_honest_players_by_the_audit_of_information() -> None:
    honest = [_row(HONEST, 1, {"bot0+bot1": 0.5}, informed={"bot0": 0.3, "bot2": 0.4})]
    (reader,) = [_row(SEED, 1, {"bot0+bot3": 0.9}, informed={"bot3": 0.001}, pair="bot3")]
    assert stranger_pages.score(reader) == 0.001
    assert sorted(stranger_pages.scores(honest, SEED)) == [0.3, 0.4, 0.5]


def test_the_error_of_a_share_is_of_tournaments_not_of_pairs() -> None:
    apart = stranger_pages.clustered([(1, 10)] * 8)
    together = stranger_pages.clustered([(8, 10)] + [(0, 10)] * 7)
    assert apart[0] == together[0] == 0.1 and together[1] > 5 * apart[1]


def test_more_hands_are_needed_where_less_shows() -> None:
    rng = np.random.default_rng(1)
    honest = list(rng.random(400))
    some, less = list(rng.random(60) ** 4), list(rng.random(60) ** 2)
    needed = [stranger_pages.hands_for_power(planted, honest) for planted in (some, less)]
    assert needed[0] is not None and needed[1] is not None and 1000 < needed[0] < needed[1]
    assert stranger_pages.hands_for_power([1 - p for p in some], honest) is None


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.jsonl"
    monkeypatch.setattr(stranger_arena, "GAMES", {})
    monkeypatch.setattr(stranger_arena, "CELLS", ())
    assert stranger_arena.play(path, 3, 1, 1.0, 1) == []
    event = Event("acpc/kuhn.limit.3p", HONEST, 1, part=0.01)
    monkeypatch.setattr(stranger_arena, "orders", lambda rounds, first: [event])
    (row,) = stranger_arena.play(path, 1, 1, 10.0, 1)
    assert row["least"] and set(row["tests"]) >= {"coalition", "directed transfer"}
    kept = path.read_text()
    assert stranger_arena.play(path, 1, 1, 0.0, 1) == [row] and path.read_text() == kept
    # What other code found is not mixed with it.
    path.write_text(kept.replace(Kept(path, stranger_arena.JUDGED_BY).code, "0" * 12))
    assert stranger_arena.play(path, 1, 1, 0.0, 1) == []


def test_a_page_without_the_marks_is_left_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("no marks\n")
    with pytest.raises(ValueError, match="has no"):
        write_between(page, "<!-- one -->", "<!-- two -->", "text")
    assert page.read_text() == "no marks\n"


def test_pages_and_pictures_are_written_between_their_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{stranger_pages.BEGIN}\nstale\n{stranger_pages.END}\nafter\n")
    rows = [_row(HONEST, k, {"bot0+bot1": 0.2, "bot3+bot4": 0.6}) for k in range(3)]
    stranger_pages.write(rows, page)
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "stale" not in text
    assert "0% (0 to 56, n = 3)" in text
    assert (tmp_path / "pictures" / stranger_pages.PICTURE).stat().st_size > 1000
