"""Models of players: the table of decisions, what is fitted to it, and the module that a bot loads."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from conftest import Run
from support import mit_skeleton

from railbird.analytics.model import fitting
from railbird.analytics.model import railbird_model as module
from railbird.analytics.model.decisions import Decisions, deck_of, read_decisions
from railbird.analytics.players import all_rules, find_player
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.evaluator import strength_of
from railbird.replay.simulate import simulate

BETTING = ("fold", "check", "call", "bet", "raise")
FULL = np.full(4, 8191, np.int32)
GAMES = ("anaconda", "auction", "blotto", "bounty", "river-of-blood", "swap", "toss")
"""Games whose cards change in different ways, which the samples must hold."""


def bits(cards: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.array([sum(1 << card for card in cards)], np.uint64)


@pytest.fixture(scope="module")
def states(samples: Store, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The decisions of all samples as `railbird export --to jsonl` writes them."""
    folder = tmp_path_factory.mktemp("states") / "jsonl"
    samples.export_hands(folder, "jsonl")
    lines = (
        line for path in sorted(folder.glob("*/*.jsonl")) for line in path.read_text("utf-8").splitlines()
    )
    return [row for row in map(json.loads, lines) if row["action"] in BETTING]


def test_a_state_and_the_table_give_the_same_columns(samples: Store, states: list[dict[str, Any]]) -> None:
    rules = all_rules(samples)
    matches = samples.sql(
        "select game, list(match_id), list(hands) from stored.matches group by game"
    ).fetchall()
    tables: dict[str, Decisions] = {}
    row_of: dict[tuple[int, int, int], int] = {}
    for game, ids, hands in matches:
        table = tables[game] = read_decisions(samples, rules[game], ids, hands)
        keys = zip([ids[k] for k in table.match], table.hand.tolist(), table.seq.tolist(), strict=True)
        row_of |= {key: row for row, key in enumerate(keys)}
    checked = dict.fromkeys(rules, 0)
    for one in states:
        if "play" in one["legal"]:
            # All bet at once: no decisions of a model.
            continue
        table = tables[one["state"]["game"]]
        row = row_of.get((int(one["match_id"]), one["hand_index"], one["seq"]))
        if row is None:
            # A fold where a check is free, a raise where none is legal.
            assert one["action"] not in one["legal"]
            continue
        spot = module.spot_of(one["state"], {name: k for k, name in enumerate(table.positions)})
        for name in module.SPOT:
            expected, found = spot[name][0], table.spot[name][row]
            assert found == expected or (np.isnan(found) and np.isnan(expected)), (one, name, found, expected)
        assert module.ACTIONS[table.action[row]] == {"bet": "raise"}.get(one["action"], one["action"])
        if one["action"] in ("bet", "raise"):
            size = module.sizes_of(np.array([one["amount_to"]], np.float64), spot)
            assert table.size[row] == module.bins_of(size)[0]
        checked[one["state"]["game"]] += 1
    assert all(checked[game] > 20 for game in GAMES), checked


def test_strengths_compare_as_the_evaluator_does() -> None:
    rng = Random(1)
    hands = [tuple(rng.sample(range(52), rng.choice((2, 5, 6, 7, 9)))) for _ in range(3000)]
    # Flushes and straights are rare among random cards.
    hands += [tuple(rng.sample(range(0, 52, 4), 5)) for _ in range(200)]
    hands += [
        tuple(4 * (low + k) % 52 + rng.randrange(4) for k in range(5)) for low in range(13) for _ in range(20)
    ]
    found = module.strengths(module.suits_of(np.concatenate([bits(hand) for hand in hands]))).tolist()
    truth = [strength_of(np.array(hand, np.int8), len(hand)) for hand in hands]
    order = sorted(range(len(hands)), key=lambda k: truth[k])
    for before, after in pairwise(order):
        assert (found[before] < found[after]) == (truth[before] < truth[after])


@pytest.mark.parametrize("suited", [2, 3, 4, 5])
def test_percentiles_count_every_hand_of_two_unseen_cards(suited: int) -> None:
    rng = Random(suited)
    for _ in range(12):
        size = rng.choice([k for k in (3, 4, 5) if k >= suited])
        of_suit = rng.sample(range(0, 52, 4), suited)
        others = [card for card in range(52) if card % 4]
        board = tuple(of_suit + rng.sample(others, size - suited))
        hole = tuple(rng.sample([card for card in range(52) if card not in board], 2))
        unseen = [card for card in range(52) if card not in board + hole]

        def strength(cards: tuple[int, ...], board: tuple[int, ...] = board) -> int:
            return strength_of(np.array(cards + board, np.int8), len(cards + board))

        own = strength(hole)
        scores = [(own > other) + (own == other) / 2 for other in map(strength, combinations(unseen, 2))]
        found = module.percentiles(module.suits_of(bits(hole)), module.suits_of(bits(board)), FULL)
        assert found[0] == pytest.approx(sum(scores) / len(scores), abs=1e-12)


def test_one_card_is_measured_against_every_unseen_card() -> None:
    rng = Random(1)
    leduc = np.array([0, 0, 0b0111 << 10, 0b0111 << 10], np.int32)
    for deck, cards in (
        (FULL, range(52)),
        (leduc, [4 * rank + suit for rank in (10, 11, 12) for suit in (2, 3)]),
    ):
        for on_board in (0, 1, 1, 3):
            if on_board > 1 and len(cards) < 52:
                continue
            card, *board = rng.sample(list(cards), 1 + on_board)
            own = strength_of(np.array([card, *board], np.int8), 1 + on_board)
            others = [
                strength_of(np.array([other, *board], np.int8), 1 + on_board)
                for other in cards
                if other not in (card, *board)
            ]
            truth = sum((own > other) + (own == other) / 2 for other in others) / len(others)
            found = module.one_card_percentiles(
                module.suits_of(bits((card,))), module.suits_of(bits(tuple(board))), deck
            )
            assert found[0] == pytest.approx(truth, abs=1e-12)


STYLE = {"Tess": "tight-aggressive", "Lou": "loose-aggressive", "Rex": "random", "Ann": "calling-station"}


def play(folder: Path, names: tuple[str, str], seed: int, hands: int = 250, **styles: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    seated = [(name, (STYLE | styles)[name]) for name in names]
    log = simulate("bounty", seated, hands, seed)
    (folder / f"match-{seed}.txt").write_text(log, encoding="utf-8")


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Six matches of three bots of different styles."""
    folder = tmp_path_factory.mktemp("arena")
    logs = folder / "cup"
    for seed in range(4):
        play(logs, ("Tess", "Lou"), seed)
    play(logs, ("Rex", "Lou"), 4)
    play(logs, ("Rex", "Tess"), 5)
    ingest([logs], folder / "store")
    with open_store(folder / "store") as store:
        yield store


@pytest.fixture(scope="module")
def material(arena: Store) -> fitting.Material:
    return fitting.read_material(arena, find_player(arena, "Tess"))


@pytest.fixture(scope="module")
def fitted(arena: Store, material: fitting.Material) -> fitting.Fitted:
    return fitting.fit(material, find_player(arena, "Tess"))


def loss(chances: Any, action: Any) -> float:
    return float(-np.log(np.maximum(chances[np.arange(len(action)), action], 1e-6)).mean())


def test_it_predicts_matches_that_it_was_not_fitted_to(arena: Store, material: fitting.Material) -> None:
    player = find_player(arena, "Tess")
    held_out = material.decisions.match == material.decisions.match[np.flatnonzero(material.own)].max()
    tested = np.flatnonzero(material.own & held_out)
    made = fitting.fit(
        material,
        player,
        np.flatnonzero(material.own & ~held_out),
        np.flatnonzero(~material.own & ~held_out),
    )
    table = material.decisions.take(tested)
    chances, _ = made.loaded().chances(table.spot)
    frequencies = made.actions.frequencies.table[module.cells_of(table.spot)[:, -1]]
    plain = module.softmax(np.where(module.legal_of(table.spot), frequencies, module.IMPOSSIBLE))
    assert len(tested) > 300
    assert loss(chances, table.action) < 0.9 * loss(plain, table.action)


def test_a_file_says_what_was_fitted(
    fitted: fitting.Fitted, material: fitting.Material, tmp_path: Path
) -> None:
    fitted.write(tmp_path)
    loaded = module.load(tmp_path / fitting.MODEL)
    rows = np.flatnonzero(material.own)[:400]
    table = material.decisions.take(rows)
    x, cells, legal = material.x[rows], module.cells_of(table.spot), module.legal_of(table.spot)
    chances, sizes = loaded.chances(table.spot)
    expected = module.softmax(np.where(legal, fitted.actions.scores(x, cells), module.IMPOSSIBLE))
    assert fitted.actions.rounds or fitted.actions.share
    assert np.allclose(chances, np.where(legal, expected, 0), atol=1e-9)
    assert np.allclose(chances.sum(axis=1), 1)
    assert not chances[~legal].any()
    assert sizes.shape == (400, 6)
    assert np.allclose(sizes.sum(axis=1), 1)


def test_over_hands_is_predict_hand_by_hand(fitted: fitting.Fitted, arena: Store, tmp_path: Path) -> None:
    arena.export_hands(tmp_path / "jsonl", "jsonl")
    lines = next((tmp_path / "jsonl").glob("*/*.jsonl")).read_text("utf-8").splitlines()
    states = [row["state"] for row in map(json.loads, lines) if row["state"]["board"]]
    model = fitted.loaded()
    holes = [["Ah", "Kh"], ["2c", "7d"], ["9s", "9c"]]
    chances, sizes = model.over(states[0], holes)
    for hole, row, size in zip(holes, chances, sizes, strict=True):
        one = model.predict(states[0] | {"hole": hole})
        assert [one[name] for name in module.ACTIONS] == pytest.approx(row.tolist())
        assert one["sizes"] == pytest.approx(size.tolist())
        assert sum(one["sizes"]) == pytest.approx(1)


def test_the_module_needs_numpy_only(fitted: fitting.Fitted, arena: Store, tmp_path: Path) -> None:
    fitted.write(tmp_path)
    arena.export_hands(tmp_path / "jsonl", "jsonl")
    line = next((tmp_path / "jsonl").glob("*/*.jsonl")).read_text("utf-8").splitlines()[0]
    (tmp_path / "state.json").write_text(line, encoding="utf-8")
    script = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); import numpy; before = set(sys.modules)\n"
        "import railbird_model\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "assert new - sys.stdlib_module_names <= {'numpy', 'railbird_model'}, new\n"
        "model = railbird_model.load(sys.argv[1] + '/model.npz')\n"
        "print(json.dumps(model.predict(json.load(open(sys.argv[1] + '/state.json'))['state'])))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    found = json.loads(done.stdout)
    assert set(found) == {*module.ACTIONS, "sizes"}
    assert sum(found[name] for name in module.ACTIONS) == pytest.approx(1)


def test_the_bot_of_the_page_plays(
    fitted: fitting.Fitted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted.write(tmp_path)
    page = (Path(__file__).resolve().parents[2] / "docs" / "model.md").read_text("utf-8")
    (code,) = (
        block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "class Player" in block
    )
    for name, made in mit_skeleton.modules(object).items():
        monkeypatch.setitem(sys.modules, name, made)
    monkeypatch.setitem(sys.modules, "railbird_model", module)
    space: dict[str, Any] = {"__name__": "player"}
    exec(compile(code, "player.py", "exec"), space)
    seen: list[tuple[str, str]] = []
    decided, loaded = space["decisions"], fitted.loaded()

    def noted(state: Any) -> Any:
        found = decided(state)
        seen.extend((one["position"], action) for _, one, action in found[0])
        for _, one, action in found[0]:
            if len(seen) < 60:
                assert loaded.predict(one)[action] > 0
        return found

    space["decisions"] = noted
    bot = space["Player"](tmp_path / "model.npz")
    results = mit_skeleton.serve(150, 1, bot)
    assert len(results) == 150
    assert bot.asked > 10
    assert {action for _, action in seen} == {"check", "call", "raise"}
    assert {position for position, _ in seen} == {"SB", "BB"}


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    np.savez(other, format=np.array("something"))
    whole = other.read_bytes()
    with (tmp_path / "array").open("wb") as file:
        np.save(file, np.zeros(3))
    for content in (whole, whole[:-30], b"", b"text", (tmp_path / "array").read_bytes()):
        other.write_bytes(content)
        with pytest.raises(ValueError, match=r"other\.npz is not a model$"):
            module.load(other)


def test_a_model_of_an_older_version_must_be_fitted_again(tmp_path: Path) -> None:
    np.savez(tmp_path / "old.npz", format=np.array("railbird.model/1"))
    with pytest.raises(
        ValueError, match=r"^.*old\.npz has the format railbird\.model/1, .*: fit the model again"
    ) as error:
        module.load(tmp_path / "old.npz")
    assert "\n" not in str(error.value)


def test_as_of_a_match_nothing_later_counts(tmp_path: Path) -> None:
    arrays = []
    for future in (100, 200):
        logs = tmp_path / str(future) / "cup"
        for seed in range(2):
            play(logs, ("Tess", "Lou"), seed, 120)
        # The later matches differ in hands, players and styles.
        if future == 100:
            play(logs, ("Tess", "Lou"), 100, 60, Tess="random")
            play(logs, ("Ann", "Tess"), 101, 80)
        else:
            play(logs, ("Lou", "Tess"), 200, 150, Lou="maniac")
        ingest([logs], tmp_path / str(future) / "store")
        with open_store(tmp_path / str(future) / "store") as store:
            ((last,),) = store.sql(
                "select match_id from matches join files using (file_id) where path like '%match-1.txt'"
            ).fetchall()
            player = find_player(store, "Tess")
            arrays.append(fitting.fit_player(store, player, last).arrays())
            whole = fitting.fit_player(store, player).arrays()
            assert whole["decisions"] > arrays[-1]["decisions"]
    for name, value in arrays[0].items():
        assert np.array_equal(value, arrays[1][name]), name


def test_the_command_writes_a_model(arena: Store, run: Run, tmp_path: Path) -> None:
    asked = ("model", "fit", "Tess", "--store", str(arena.path), "--out", str(tmp_path / "out"))
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    assert out.startswith("Tess: bounty, event cup\nfitted to ")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["model.npz", "railbird_model.py"]
    code, out, _ = run(*asked, "--as-of", "match-0.txt")
    assert code == 0
    assert "of 1 match," in out
    assert run("model", "fit", "Nobody", "--store", str(arena.path), "--out", str(tmp_path / "no"))[0] == 2
    assert not (tmp_path / "no").exists()


def test_a_game_in_which_all_bet_at_once_has_no_model(samples: Store) -> None:
    ((name, event),) = samples.sql(
        "select player, event from players where game = 'koper' limit 1"
    ).fetchall()
    with pytest.raises(fitting.NothingToFit, match="no decisions of"):
        fitting.fit_player(samples, find_player(samples, name, event, "koper"))


def test_a_deck_is_that_of_the_game(samples: Store) -> None:
    for rules in all_rules(samples).values():
        deck = deck_of(rules)
        cards = sum(int(suit).bit_count() for suit in deck)
        assert cards == (rules.suits or 4) * (rules.ranks or 13)
