"""Clones in the arena: what they see is what the store says, they play by the rules and as their player does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from conftest import Run

from railbird.analytics.model import clone, fitting
from railbird.analytics.model import railbird_model as module
from railbird.analytics.players import all_rules, find_player
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay import simulate
from railbird.replay.bots import STYLES, Answer, Bot, View
from railbird.replay.replaying import game_named
from railbird.replay.simulate import Player
from railbird.reports.simulate import seated

GAMES = (
    *("holdem-mit", "bounty", "river-of-blood", "swap", "build4good", "poker-camp"),
    *("husky", "holdem-2017", "omaha-2016", "cmu-2024", "cmu-2024-three-card"),
    *("acpc/holdem.nolimit.2p.reverse_blinds", "acpc/holdem.limit.3p", "acpc/kuhn.limit.3p"),
)
"""Of the games that the arena plays and in which players do nothing but bet, one of each way to be seen."""
KEYS = (
    *("street", "position", "board", "big_blind", "players", "pot_before", "to_call", "pip_before"),
    *("stack_before", "min_raise_to", "max_raise_to", "line", "facts"),
)


class Watching(Bot):
    """Plays a style and notes each state as a clone sees it, where there is a choice."""

    def __init__(self, style: str, seed: int, seen: list[dict[str, Any]]) -> None:
        """seen: the list of all players."""
        super().__init__(Random(seed))
        self.honest, self.seen = STYLES[style](self.rng), seen

    def act(self, view: View) -> Answer:
        """As the style does."""
        answer = self.honest.act(view)
        self.seen.append(clone.state_of(view))
        return answer


@pytest.mark.parametrize("game", GAMES)
def test_what_a_clone_sees_is_what_the_store_says(game: str, tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []
    count = game_named(game).players[0]
    styles = ("random", "loose-aggressive", "maniac", "pot-odds", "tight-passive", "random")
    bots = [Player(f"P{k}", Watching(styles[k], k, seen)) for k in range(count)]
    (tmp_path / "a.log").write_text(simulate.play_bots(game, bots, 60, 3).text + "\n", encoding="utf-8")
    ingest([tmp_path / "a.log"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        store.export_hands(tmp_path / "out", "jsonl")
    (path,) = (tmp_path / "out").glob("*/*.jsonl")
    rows = [json.loads(line)["state"] for line in path.read_text("utf-8").splitlines()]
    seen = [one for one in seen if one["to_call"] or one["max_raise_to"]]
    rows = [one for one in rows if one["to_call"] or one["max_raise_to"]]
    assert len(seen) == len(rows) > 60
    for mine, told in zip(seen, rows, strict=True):
        assert {*mine["hole"]} == {*told["hole"]}
        assert {key: mine[key] for key in KEYS} == {key: told[key] for key in KEYS}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four matches of Bounty; Tess and Lou also meet in another event."""
    folder = tmp_path_factory.mktemp("clones")
    for event, seeds in (("cup", range(3)), ("other", range(3, 4))):
        (folder / "logs" / event).mkdir(parents=True)
        for seed in seeds:
            players = [("Tess", "tight-aggressive"), ("Lou" if event == "cup" else "Meg", "loose-aggressive")]
            log = simulate.simulate("bounty", players, 250, seed)
            (folder / "logs" / event / f"{seed}.log").write_text(log, encoding="utf-8")
    ingest([folder / "logs"], folder / "store")
    return folder / "store"


@pytest.fixture(scope="module")
def opened(store: Path) -> Iterator[Store]:
    """The same, opened."""
    with open_store(store) as made:
        yield made


@pytest.fixture(scope="module")
def lou(opened: Store) -> module.Model:
    """A model of a player who raises often."""
    return fitting.fit_player(opened, find_player(opened, "Lou")).loaded()


def simulated(run: Run, store: Path, *more: object, game: str = "bounty") -> tuple[int, str, str]:
    return run("simulate", game, "--store", store, "--hands", 40, "--seed", 2, *more)


def test_a_clone_plays_by_the_rules_and_by_the_seed(run: Run, store: Path, tmp_path: Path) -> None:
    players = ("--player", "me=pot-odds", "--player", "Lou=2=clone:Lou", "--profile", "written")
    code, log, err = simulated(run, store, *players)
    assert (code, err) == (0, "")
    assert "Lou=2 raises to" in log
    assert simulated(run, store, *players)[1] == log
    assert simulated(run, store, *players, "--seed", 3)[1] != log
    (tmp_path / "a.log").write_text(log, encoding="utf-8")
    ingest([tmp_path / "a.log"], tmp_path / "store")
    with open_store(tmp_path / "store") as played:
        assert played.execute("select distinct verdict from hands").fetchall() == [("ok",)]
        assert played.execute("select count(*) from faults").fetchall() == [(0,)]


def test_who_cannot_be_cloned_is_said_in_one_line(run: Run, store: Path, samples_folder: Path) -> None:
    code, out, err = simulated(run, store, "--player", "a=clone:Lu", "--player", "b=random")
    assert (code, out) == (2, "")
    assert err == "railbird: no player is called 'Lu'; most like it: 'Lou'\n"
    code, out, err = simulated(run, store, "--player", "a=clone:Lou", "--player", "b=random", game="swap")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no player named 'Lou' with these options; players are 'Lou' of event 'cup'" in err
    code, out, err = simulated(run, store, "--player", "a=clone:Tess", "--player", "b=random")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "'Tess' is several players; choose one: --event " in err
    event = ("--event", "other", "--as-of", "3.log")
    assert simulated(run, store, "--player", "a=clone:Tess", "--player", "b=random", *event)[0] == 0
    with open_store(samples_folder) as samples:
        ((name, at),) = samples.execute(
            "select player, event from players where game = 'auction' order by all limit 1"
        ).fetchall()
    bids = ("--player", f"a=clone:{name}", "--player", "b=random", "--event", at)
    code, out, err = simulated(run, samples_folder, *bids, game="auction")
    assert (code, out) == (2, "")
    assert err == (
        "railbird: no clone plays auction: players decide more than to bet (bid), and a model does not say how\n"
    )
    code, out, err = simulated(run, store, "--player", "a=clone:Lou", "--player", "b=random", game="whist")
    assert (code, out) == (2, "")
    assert err.startswith("railbird: no game called 'whist' can be simulated")
    nothing = simulated(run, store / "no", "--player", "a=clone:Lou", "--player", "b=random")
    assert (nothing[0], nothing[1], nothing[2].count("\n")) == (2, "", 1)


def test_games_without_a_clone_are_those_whose_decisions_no_model_has(samples: Store) -> None:
    refused = set()
    for game, rules in all_rules(samples).items():
        try:
            clone.check_game(rules)
        except clone.NoClone as error:
            assert f"no clone plays {game}: " in str(error)
            refused.add(game)
    assert {"auction", "toss", "blotto", "koper", "anaconda"} <= refused
    assert not refused & {*GAMES}


@pytest.mark.parametrize(
    ("text", "name", "style"),
    [
        ("a=b=maniac", "a=b", "maniac"),
        ("a=clone:x=y", "a", "clone:x=y"),
        ("a=b=clone:x", "a=b", "clone:x"),
        ("x=clone:a=maniac", "x", "clone:a=maniac"),
        ("a=tight-aggressive+dump@50:B=b", "a", "tight-aggressive+dump@50:B=b"),
        ("a=b=nothing", "a=b", "nothing"),
    ],
)
def test_names_may_hold_what_separates_them_from_styles(text: str, name: str, style: str) -> None:
    assert seated(text) == (name, style)


def test_raises_are_sized_as_the_player_sized_them(opened: Store, lou: module.Model) -> None:
    material = fitting.read_material(opened, find_player(opened, "Lou"))
    table = material.decisions.take(material.own & (material.decisions.action == module.RAISE))
    whole = table.amount.astype(np.int64)
    spots = [{name: column[k : k + 1] for name, column in table.spot.items()} for k in range(len(table))]
    rng = Random(1)
    made = [lou._amount(spot, int(bin_), rng.random()) for spot, bin_ in zip(spots, table.size, strict=True)]
    low, high = table.spot["min_raise_to"], table.spot["max_raise_to"]
    assert len(made) > 200
    assert ((low <= made) & (made <= high)).all()
    sized = module.sizes_of(np.array(made, np.float64), table.spot)
    assert (module.bins_of(sized) == table.size).mean() > 0.99
    # Lou raises by 0.8 of the pot wherever that is legal: nearly all amounts are the very one.
    assert (np.array(made) == whole).mean() > 0.8


def test_drawn_by_chance_and_never_without_one(lou: module.Model) -> None:
    assert module._drawn(np.array([0.0, 0.4, 0.0, 0.6]), 0.0) == 1
    assert module._drawn(np.array([0.0, 0.4, 0.0, 0.6]), 0.4) == 3
    assert module._drawn(np.array([0.5, 0.5, 0.0, 0.0]), 1 - 2**-53) == 1
    state = {
        "street": 0, "position": "SB", "hole": ["Ah", "Ad"], "board": [], "big_blind": 2, "players": 2,
        "pot_before": 3, "to_call": 1, "pip_before": 1, "stack_before": 399, "min_raise_to": 4,
        "max_raise_to": 400, "line": [], "facts": {"bounty_rank": "A"},
    }  # fmt: skip
    rng = Random(5)
    seen = [lou.choose(state, rng.random) for _ in range(400)]
    chances = lou.predict(state)
    for action in module.ACTIONS:
        share = sum(one == action for one, _ in seen) / len(seen)
        assert share == pytest.approx(chances[action], abs=0.08)
    amounts = {amount for action, amount in seen if action == "raise"}
    assert all(amount is not None and 4 <= amount <= 400 for amount in amounts)
    assert all(amount is None for action, amount in seen if action != "raise")
    # With one legal size there is nothing to draw.
    only = state | {"min_raise_to": 6, "max_raise_to": 6}
    assert {amount for action, amount in (lou.choose(only, rng.random) for _ in range(50)) if amount} == {6}
