"""Changes of play between matches: none is found where there is none, a planted one where it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from conftest import Run
from scipy import special, stats

from railbird.analytics import changes
from railbird.analytics.changes import Choices, changes_document, does_not_apply, find_changes, read_history
from railbird.analytics.opponent import opponent_file
from railbird.analytics.players import Player, all_rules, find_player, rules_of
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.bots import Style, Styled
from railbird.replay.simulate import Player as Seated
from railbird.replay.simulate import play_bots
from railbird.reports.opponent import choice_of, line_of
from railbird.reports.pages.build import write_report

STYLE = Style(0.45, 0.55, 0.5, 0.75, 0.7, 0.1, 0.6)
RIVALS = (
    Style(0.45, 0.5, 0.5, 0.7, 0.8, 0.1, 0.7),
    Style(0.35, 0.45, 0.35, 0.6, 0.9, 0.3, 1.0),
    Style(0.3, 0.9, 0.2, 0.95, 0.2, 0.0, 0.3),
)
TIGHTER = replace(STYLE, enter=0.55, stay=0.6)


def play(
    folder: Path, plan: list[tuple[Style, int]], seed: int, game: str = "holdem-mit", hands: int = 150
) -> None:
    """X's matches in order: its style, and which rival it meets."""
    folder.mkdir(parents=True)
    for number, (style, rival) in enumerate(plan):
        rng = Random(f"{seed}/{number}")
        pair = (
            Seated("X", Styled(Random(rng.random()), style)),
            Seated(f"Rival {rival}", Styled(Random(rng.random()), RIVALS[rival])),
        )
        log = play_bots(game, pair[:: 1 if number % 2 else -1], hands, 1000 * seed + number).text
        (folder / f"match-{number}.txt").write_text(log, encoding="utf-8")


def document_of(store: Store, name: str = "X", event: str | None = None) -> dict[str, Any]:
    player = find_player(store, name, event)
    return changes_document(store, player, rules_of(store, player.game))


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Eight matches, from the fifth on with a tighter X."""
    folder = tmp_path_factory.mktemp("updated")
    play(folder / "cup", [(STYLE if k < 4 else TIGHTER, k % 3) for k in range(8)], 1)
    ingest([folder / "cup"], folder / "store")
    with open_store(folder / "store") as store:
        yield store


def made(rng: np.random.Generator, chances: list[np.ndarray[Any, Any]], matches: int, each: int) -> Choices:
    """Choices in cells with constant chances, so many in a match, the cells by chance."""
    n = matches * each
    cell = rng.integers(len(chances), size=n)
    choice = np.array([rng.choice(len(chances[k]), p=chances[k]) for k in cell])
    options = np.array([len(chances[k]) for k in cell])
    place, nothing = np.repeat(np.arange(matches), each), np.zeros(n, np.int64)
    return Choices(
        place,
        nothing,
        np.arange(n),
        nothing,
        cell.astype(np.uint64),
        cell.astype(np.uint64),
        choice,
        options,
        options == 6,
        options == 3,
        cell % 4 * 4 + (options == 3),
        nothing,
    )


def test_the_mean_of_a_tilted_hypergeometric_is_the_sum_over_its_values() -> None:
    rng = np.random.default_rng(1)
    total = rng.integers(1, 400, 200)
    taken, drawn = rng.integers(0, total + 1), rng.integers(0, total + 1)
    tilts = np.array([-2.0, 0.5, 3.0])
    found = changes.log_mean_exp(total, taken, drawn, tilts)
    for row, (n, k, m) in enumerate(zip(total.tolist(), taken.tolist(), drawn.tolist(), strict=True)):
        x = np.arange(m + 1)
        chance = stats.hypergeom(n, k, m).pmf(x)
        for column, tilt in enumerate(tilts.tolist()):
            assert found[row, column] == pytest.approx(special.logsumexp(tilt * x, b=chance), abs=1e-7)


def test_under_equal_play_the_evidence_has_a_mean_of_one_at_most_and_nothing_is_found() -> None:
    """Of 200 series of ten matches each, with every look: 5% found would be 10."""
    rng = np.random.default_rng(2)
    values, alarms = [], 0
    for _ in range(200):
        sizes = rng.choice([2, 3, 6], 12, p=[0.4, 0.4, 0.2])
        chances = [rng.dirichlet(np.full(size, 0.7)) for size in sizes]
        choices = made(rng, chances, 10, 60)
        tallies = changes.tallied(choices, np.arange(1, 11))
        values.append(np.exp(changes.evidence(tallies, 0, 10)).mean())
        alarms += bool(find_changes(choices, 10))
    assert np.mean(values) <= 1 + 3 * np.std(values) / np.sqrt(len(values))
    assert np.mean(values) > 0.3, "the e-values have no chance to find anything"
    assert alarms <= stats.binom(200, 0.05).ppf(0.999)


def test_shares_of_alpha_sum_to_one_over_all_starts_and_looks() -> None:
    over_lengths = sum(changes._weight(k) for k in range(1, 100_000))
    assert over_lengths == pytest.approx(1, abs=1e-4)
    assert 0.5 + 0.5 * over_lengths <= 1


@pytest.mark.parametrize("matches", [1, 2, 3, 64, 65, 1000])
def test_looks_are_after_one_match_at_first_and_after_the_last(matches: int) -> None:
    ends = changes._slots(matches)
    assert ends[-1] == matches and len(ends) <= changes.SLOTS and (np.diff(ends) > 0).all()
    looks = changes._looks(0, len(ends))
    assert looks == sorted(set(looks)) and looks[-1:] == ([len(ends)] if len(ends) > 1 else [])


def test_many_matches_of_which_several_are_taken_as_one() -> None:
    rng = np.random.default_rng(3)
    before, after = (
        made(rng, [np.array([0.2, 0.8])] * 4, 70, 20),
        made(rng, [np.array([0.8, 0.2])] * 4, 70, 20),
    )
    after.match = after.match + 70
    both = Choices(
        *(np.concatenate([getattr(part, each) for part in (before, after)]) for each in vars(before))
    )
    (found,) = find_changes(both, 140)
    assert 66 <= found.start <= 72 and found.since == 0 and found.until == 140


def test_a_change_and_the_next_one_are_found_where_they_are() -> None:
    rng = np.random.default_rng(4)
    parts = []
    for number, share in enumerate((0.3, 0.6, 0.2)):
        part = made(rng, [np.array([share, 1 - share])] * 6, 6, 100)
        part.match = part.match + 6 * number
        parts.append(part)
    whole = Choices(*(np.concatenate([getattr(part, each) for part in parts]) for each in vars(parts[0])))
    found = find_changes(whole, 18)
    assert [(one.since, one.start, one.until) for one in found] == [(0, 6, 12), (6, 12, 18)]
    assert all(one.start <= one.noticed < one.until for one in found)
    # What was found does not depend on what is played later.
    early = find_changes(whole.take(whole.match <= found[0].noticed), found[0].noticed + 1)
    assert [(one.start, one.noticed) for one in early] == [(found[0].start, found[0].noticed)]


def test_a_planted_version_is_found_with_its_rates(updated: Store) -> None:
    document = document_of(updated)
    (found,) = document["found"]
    assert document["matches"] == 8
    assert found["path"].endswith("match-4.txt") and found["hand_index"] == 0
    assert (found["matches_before"], found["matches_after"]) == (4, 4)
    assert (found["hands_before"], found["hands_after"]) == (600, 600)
    assert found["opponents_before"] == found["opponents_after"] == ["Rival 0", "Rival 1", "Rival 2"]
    assert found["evidence"] >= 20
    row = found["rates"][0]
    # The small blind folds what it entered with before; counted again from the views.
    assert (row["street"], row["position"], row["line"], row["action"]) == (0, "SB", [], "fold")
    order = {f"match-{k}.txt": k for k in range(8)}
    counts = {False: [0, 0], True: [0, 0]}
    for path, action in updated.execute("""
        select f.path, s.action
        from situations_before_lock as s
        join stored.matches as m using (match_id)
        join files as f on f.file_id = m.file_id
        where s.player = 'X' and s.street = 0 and s.position = 'SB' and s.bet_level = 1
          and s.seq = (select min(a.seq) from actions as a where a.match_id = s.match_id
            and a.hand_index = s.hand_index and a.origin = 'choice')
    """).fetchall():
        side = counts[order[Path(path).name] >= 4]
        side[0] += action == "fold"
        side[1] += 1
    assert [row["before_successes"], row["before_opportunities"]] == counts[False]
    assert [row["after_successes"], row["after_opportunities"]] == counts[True]
    assert row["shift_low"] > 0


def test_a_rival_does_not_change_because_x_does(updated: Store) -> None:
    for name in ("Rival 0", "Rival 1", "Rival 2"):
        assert document_of(updated, name)["found"] == []


@pytest.mark.parametrize(("game", "hunts"), [("holdem-mit", 0.0), ("bounty", 0.3)])
def test_who_meets_others_later_does_not_change(game: str, hunts: float, tmp_path: Path) -> None:
    """X hunts bounties, whose ranks stay for 25 hands; its rivals come one after the other."""
    play(tmp_path / "cup", [(replace(STYLE, hunts=hunts), k // 3) for k in range(9)], 2, game)
    ingest([tmp_path / "cup"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        document = document_of(store)
    assert document == {"matches": 9, "false_alarm": 0.05, "found": []}


def test_the_history_of_an_event_and_that_of_a_player_say_the_same(updated: Store) -> None:
    player = find_player(updated, "X")
    history = read_history(updated, player.event, player.game)
    assert changes_document(updated, player, rules_of(updated, player.game), history) == document_of(updated)


def test_games_without_lines_say_so(samples: Store) -> None:
    rules = all_rules(samples)
    for game in ("koper", "blotto"):
        assert does_not_apply(rules[game])
        rows = samples.execute(
            "select event, game, player, namesake_seat from players where game = $game order by all limit 1",
            game=game,
        )
        player = Player(*rows.fetchall()[0])
        document = opponent_file(samples, player)
        assert document["changes"]["found"] == [] and "changes" in document["does_not_apply"]
    assert not does_not_apply(rules["bounty"])


def test_every_game_of_the_samples_is_read(samples: Store) -> None:
    """Lines of play of all kinds: bids, swaps, discards, runs, tables of several players."""
    for game, rules in all_rules(samples).items():
        if does_not_apply(rules):
            continue
        for (event,) in samples.execute(
            "select distinct event from matches where game = $game", game=game
        ).fetchall():
            history = read_history(samples, event, game)
            choices = history.choices
            assert len(choices.match), game
            assert ((choices.choice >= 0) & (choices.choice < choices.options)).all(), game
            for number in range(len(history.people)):
                matches, found = changes.changes_of(history, number)
                assert len(matches), (game, number)
                # The samples' bots keep to one style.
                assert found == [], (game, number)


def test_the_table_and_the_page_say_it(updated: Store, run: Run, tmp_path: Path) -> None:
    store = str(updated.place)
    code, said, _ = run("opponent", "X", "--all", "--store", store)
    assert code == 0
    assert "Its play changed with" in said and "4 matches before, 4 since" in said
    assert "first to act" in said
    assert "What it holds" in said and "more with n below 5" in said
    loaded = json.loads(run("opponent", "X", "--store", store, "--format", "json")[1])
    assert loaded["changes"]["found"][0]["matches_before"] == 4
    first = write_report(updated, tmp_path / "report")
    pages = [path.read_text("utf-8") for path in first.parent.glob("player-*.html")]
    (mine,) = [text for text in pages if "New play from" in text]
    assert "first to act" in mine and "4 matches before (600 hands)" in mine
    assert sum("No change of play was found" in text for text in pages) == 3


def test_lines_in_words(updated: Store) -> None:
    rules = rules_of(updated, "holdem-mit")
    line = [[0, "SB", "raise", 2.5], [0, "BB", "call", None], [1, "BB", "check", None]]
    row = {"line": line, "street": 1, "action": "fold", "size": None, "faced": 3}
    assert line_of(rules, row) == "preflop: SB raises to 2.5 bb, BB calls, flop: BB checks"
    assert line_of(rules, row | {"line": line[:2]}) == "preflop: SB raises to 2.5 bb, BB calls, flop"
    assert line_of(rules, row | {"line": [], "street": 0}) == "first to act"
    sizes = [f"size {k}" for k in range(1, 7)]
    assert choice_of(sizes, row) == "fold; faces a bet size 3"
    assert choice_of(sizes, row | {"faced": None}) == "fold"
    assert choice_of(sizes, row | {"size": 2}) == "raises, of size size 2"
