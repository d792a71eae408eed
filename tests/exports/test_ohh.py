"""Open Hand Histories: their chips add up to what was paid."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from support.exported import Key, hands_of

from railbird.analytics.exported_hands import Written
from railbird.analytics.players import UnknownPlayer
from railbird.analytics.store import Store

STREETS = ["Preflop", "Flop", "Turn", "River", "Showdown"]


@pytest.fixture(scope="module")
def written(samples: Store, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return samples.export_hands(tmp_path_factory.mktemp("ohh") / "new", "ohh")


def read(folder: Path) -> dict[Key, dict[str, Any]]:
    """The objects of all files, by hand."""
    found = {}
    for path in folder.glob("*.ohh"):
        text = path.read_text(encoding="utf-8")
        assert text.endswith("}\n\n")
        for said in text.removesuffix("\n\n").split("\n\n"):
            hand = json.loads(said)["ohh"]
            match_id, _, index = hand["game_number"].partition("#")
            assert match_id == path.stem
            found[int(match_id), int(index)] = hand
    return found


@pytest.fixture(scope="module")
def hands(written: Written) -> dict[Key, dict[str, Any]]:
    return read(written.folder)


@pytest.fixture(scope="module")
def truth(samples: Store) -> Mapping[Key, dict[str, Any]]:
    return hands_of(samples)


def added(hand: dict[str, Any]) -> Counter[int]:
    """The chips that each player puts in."""
    put: Counter[int] = Counter()
    for street in hand["rounds"]:
        for action in street["actions"]:
            put[action["player_id"]] += action.get("amount", 0)
    return put


def test_what_players_put_in_and_win_is_what_the_store_has(
    hands: Mapping[Key, dict[str, Any]], truth: Mapping[Key, dict[str, Any]], written: Written
) -> None:
    assert len(hands) == written.hands > 900
    for key, hand in hands.items():
        put = added(hand)
        second = sorted([*put.values(), 0])[-2]
        won: Counter[int] = Counter()
        for pot in hand["pots"]:
            assert sum(win["win_amount"] for win in pot["player_wins"]) == pytest.approx(pot["amount"])
            for win in pot["player_wins"]:
                won[win["player_id"]] += win["win_amount"]
        for seat in truth[key]["seats"]:
            matched = min(put[seat["seat"]], second)
            assert won[seat["seat"]] - matched == pytest.approx(seat["delta"], abs=1e-5)


def test_players_cards_and_actions_are_those_of_the_store(
    hands: Mapping[Key, dict[str, Any]], truth: Mapping[Key, dict[str, Any]]
) -> None:
    for key, hand in hands.items():
        row = truth[key]
        named = [(s["seat"], s["player"], s["stack_start"]) for s in row["seats"]]
        assert [(p["id"], p["name"], p["starting_stack"]) for p in hand["players"]] == named
        assert hand["dealer_seat"] == row["dealer_seat"] + 1
        actions = [a for street in hand["rounds"] for a in street["actions"]]
        assert [a["action_number"] for a in actions] == list(range(1, len(actions) + 1))
        dealt = {a["player_id"]: a["cards"] for a in actions if a["action"] == "Dealt Cards"}
        assert dealt == {s["seat"]: s["hole"] for s in row["seats"]}
        board = [card for street in hand["rounds"] for card in street["cards"]]
        assert board == row["board"][: len(board)]
        assert [street["street"] for street in hand["rounds"]] == [
            name for name in STREETS if name in {street["street"] for street in hand["rounds"]}
        ]
        moves = [
            (STREETS.index(street["street"]), a["player_id"], a["action"].lower(), a.get("amount", 0))
            for street in hand["rounds"]
            for a in street["actions"]
            if a["action"] in ("Fold", "Check", "Call", "Bet", "Raise")
        ]
        assert moves == [(a["street"], a["seat"], a["action"], a["chips_added"]) for a in row["actions"]]
        for a in actions:
            if a.get("is_allin"):
                (stack,) = [p["starting_stack"] for p in hand["players"] if p["id"] == a["player_id"]]
                assert added(hand)[a["player_id"]] == stack


def test_of_a_hero_alone_cards_are_dealt(run: Run, few: Store, tmp_path: Path) -> None:
    out = tmp_path / "new"
    assert run("export", out, "--to", "ohh", "--hero", "Lantern", "--store", few.path)[0] == 0
    hands = read(out)
    # The other match has other players.
    assert len(hands) == 40
    for hand in hands.values():
        (hero,) = [p["id"] for p in hand["players"] if p["name"] == "Lantern"]
        assert hand["hero_player_id"] == hero
        dealt = [a["player_id"] for a in hand["rounds"][0]["actions"] if a["action"] == "Dealt Cards"]
        assert dealt == [hero]


def test_a_hero_is_a_player_and_the_format_has_one(run: Run, few: Store, tmp_path: Path) -> None:
    with pytest.raises(UnknownPlayer, match="no player is called 'Lanter'; most like it: 'Lantern'"):
        few.export_hands(tmp_path / "new", "ohh", hero="Lanter")
    assert run("export", tmp_path / "new", "--to", "phh", "--hero", "Lantern", "--store", few.path) == (
        2,
        "",
        "railbird: --hero: phh has no point of view; ohh and pokerstars have one\n",
    )
    assert not (tmp_path / "new").exists()
