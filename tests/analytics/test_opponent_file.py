"""The opponent file: it fits the schema of its page, agrees with the views, and a bot can load it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
from support.rounding import close

from railbird.analytics.opponent import ACTIONS, ASSUMES, DOES, LEFT_OUT, NO_BOUNTIES, opponent_file
from railbird.analytics.players import Player, find_opponent
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "opponent.md").read_text()
# A player and an opponent of every game.
PAIRS = [
    (Player("bounty", "bounty", "Otter"), "Heron"),
    (Player("bounty", "bounty", "Gemini", 0), "Gemini"),
    (Player("bounty", "bounty", "Mr. X, Esq. (0)"), "X (2) vs Y"),
    (Player("holdem-mit", "holdem-mit", "[Ah Kd]"), "Ünal ♠"),
    (Player("blotto", "blotto", "Magpie"), "Otter"),
    (Player("auction", "auction", "Otter"), "Magpie"),
    (Player("toss", "toss", "Rook"), "Magpie"),
    (Player("swap", "swap", "Otter"), "Heron"),
    (Player("permutation", "permutation", "Rook"), "Magpie"),
    (Player("river-of-blood", "river-of-blood", "Otter"), "Delta"),
    (Player("koper", "koper", "Max"), "Coin"),
    (Player("acpc", "acpc/holdem.limit.3p", "Birch"), "Cedar"),
    (Player("acpc", "acpc/holdem.nolimit.2p.reverse_blinds", "Otter"), "Heron"),
    (Player("acpc", "acpc/kuhn.limit.3p", "Ash"), "Birch"),
    (Player("acpc", "acpc/leduc.limit.2p", "Rook"), "Crow"),
]


# What a game has of its own that takes ranks or the cards that were sent to a board.
# The chance of a black card is counted from the cards that the player sees.
OF_CARDS = {
    *("bounty_hits", "bounty_shift", "rank_given_away", "rank_learnt", "rank_used"),
    *("blotto_allocation", "run_tendencies", "exchanges", "discards", "permuted_showdowns", "claims_by_kind"),
}


@pytest.fixture(scope="module")
def fits() -> Callable[[Any], Any]:
    """The schema of the page as a function that raises where a document does not fit."""
    (schema,) = re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL)
    made: Callable[[Any], Any] = fastjsonschema.compile(json.loads(schema))
    return made


Documents = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def document_of(samples: Store) -> Documents:
    """The document about a player, or about it against an opponent, made once; only to be read."""

    @cache
    def made(player: Player, against: Player | None = None) -> dict[str, Any]:
        return opponent_file(samples, player, against)

    return made


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0].game}-{pair[0].name}", scope="module")
def both(
    request: pytest.FixtureRequest, samples: Store, document_of: Documents
) -> tuple[Player, Player, dict[str, Any]]:
    player, name = request.param
    viewer = find_opponent(samples, player, name)
    return player, viewer, document_of(player, viewer)


def test_a_document_fits_the_schema_of_its_page(
    both: tuple[Player, Player, dict[str, Any]], fits: Callable[[Any], Any]
) -> None:
    document = both[2]
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    fits(document)
    assert document["views"].keys() - {"full_before_lock", "as_seen_before_lock"} == {"full", "as_seen"}
    assert document["views"]["full"]["hands"] > 0
    for name in set(document["does_not_apply"]) & document["views"]["full"].keys() - {"exploits"}:
        assert document["views"]["full"][name] == []


@pytest.mark.parametrize("game", ["holdem-mit", "bounty"])
def test_a_player_none_of_whose_hands_counts_has_a_document(
    game: str, tmp_path: Path, fits: Callable[[Any], Any]
) -> None:
    text = simulate(game, [("Ann", "random"), ("Bo", "random")], hands=1, seed=1)
    log = tmp_path / "damaged" / "log.txt"
    log.parent.mkdir()
    log.write_text(text.replace("\nBo posts", "\n<<<<<<< HEAD\nBo posts"))
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select verdict from hands").fetchall() == [("damaged",)]
        player, other = Player("damaged", game, "Ann"), Player("damaged", game, "Bo")
        for document in (opponent_file(store, player), opponent_file(store, player, other)):
            fits(document)
            assert {(view["hands"], view["chips_per_bb"]) for view in document["views"].values()} == {
                (0, 2.0)
            }


def test_the_schema_refuses_what_is_not_in_it(document_of: Documents, fits: Callable[[Any], Any]) -> None:
    document = deepcopy(document_of(PAIRS[0][0]))
    fits(document)
    assert document["against"] is None and list(document["views"]) == ["full", "full_before_lock"]
    del document["views"]["full"]["ranges"]
    with pytest.raises(fastjsonschema.JsonSchemaValueException):
        fits(document)


def test_actions_agree_in_both_views_and_cards_do_not(
    both: tuple[Player, Player, dict[str, Any]], samples: Store
) -> None:
    player, viewer, document = both
    full, seen = document["views"]["full"], document["views"]["as_seen"]
    for key in ("hands", "matches"):
        assert full[key] == seen[key], key
    for key in full["game"].keys() - OF_CARDS:
        assert close(full["game"][key]) == seen["game"][key], key
    assert full["hands_with_cards"] >= seen["hands_with_cards"]
    if player.game == "koper":
        # Who is in a game is told everybody's cards.
        with closing(samples.matches_of(viewer)) as theirs:
            told = """
                select count(*) from seats join (select match_id, hand_index from seats where player = $viewer)
                using (match_id, hand_index) where player = $player and hole is not null"""
            assert theirs.execute(told, viewer=viewer.name, player=player.name).fetchall() == [
                (seen["hands_with_cards"],)
            ]
    if player.game in ("swap", "acpc/holdem.limit.3p", "blotto"):
        assert full["hands_with_cards"] > seen["hands_with_cards"]
    for whole, part in zip(full["ranges"], seen["ranges"], strict=True):
        assert [whole[key] for key in ("position", "bet_level", "decisions")] == [
            part[key] for key in ("position", "bet_level", "decisions")
        ]
        for name, counts in part["cells"].items():
            assert all(k <= n for k, n in zip(counts, whole["cells"][name], strict=True))
        totals = [
            [
                sum(counts[k] for counts in side["cells"].values()) + side["not_seen"][k]
                for k in range(len(ACTIONS))
            ]
            for side in (whole, part)
        ]
        assert totals[0] == totals[1]
        assert sum(totals[0]) == whole["decisions"]


@pytest.mark.parametrize("both", [PAIRS[0], PAIRS[-1]], indirect=True, ids=["bounty", "leduc"])
def test_a_document_holds_what_the_views_hold(
    both: tuple[Player, Player, dict[str, Any]], samples: Store
) -> None:
    player, viewer, document = both
    for name, made in (("full", samples.matches_of(viewer)), ("as_seen", samples.as_seen_by(viewer))):
        view = document["views"][name]
        with closing(made) as store:
            for key in (
                "bets_faced",
                "bets_made",
                "defences",
                "bets_by_size",
                "size_tells",
                "actions_by_strength",
                "holdings",
            ):
                if key in document["does_not_apply"]:
                    continue
                ((count,),) = store.execute(
                    f"select count(*) from {key} where player = $name and seat is not distinct from $seat",
                    name=player.name,
                    seat=player.seat,
                ).fetchall()
                assert len(view[key]) == count, (name, key)


def test_exploits_are_ranked_explained_and_marked_as_models(document_of: Documents) -> None:
    document = document_of(Player("bounty", "bounty", "Rook"))
    exploits = document["views"]["full"]["exploits"]
    won = [(row["exploit"] in LEFT_OUT, -row["bb_per_100"]) for row in exploits["winning"]]
    assert won == sorted(won) and all(gain < 0 for _, gain in won)
    assert {left_out for left_out, _ in won} == {False, True}
    assert exploits["compared"] > len(won) > 3
    for row in exploits["winning"]:
        assert (row["does"], row["assumes"]) == (DOES[row["exploit"]], ASSUMES[row["exploit"]] + NO_BOUNTIES)
        assert row["model"] is True
        assert row["certain"] is (row["bb_low"] > 0)
        assert row["few"] is (row["opportunities"] < document["few_below"])


def test_against_one_opponent_only_their_matches_count(document_of: Documents) -> None:
    otter = Player("bounty", "bounty", "Otter")
    whole = document_of(otter)["views"]["full"]
    met = [
        document_of(otter, Player("bounty", "bounty", name))["views"]["full"]
        for name in ("Heron", "Magpie", "Avalanche")
    ]
    assert whole["matches"] == sum(view["matches"] for view in met) == 3
    assert whole["hands"] == sum(view["hands"] for view in met)


def test_the_bot_of_the_page_runs(
    document_of: Documents, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)\n```", PAGE, re.DOTALL)
    document = document_of(Player("bounty", "bounty", "Rook"))
    path = tmp_path / "otter.json"
    path.write_text(json.dumps(document))
    names: dict[str, Any] = {}
    exec(code.replace("otter.json", str(path)), names)
    assert capsys.readouterr().out in ("", "bet\n")
    bot = names["opponent"]
    assert [bot.size_bin(chips, 8) for chips in (1, 2, 2.1, 4, 6, 8, 16, 17)] == [1, 1, 2, 2, 3, 4, 5, 6]
    defences = document["views"]["full"]["defences"]
    assert {row["few"] for row in defences} == {True, False}
    for row in defences:
        chips = {1: 0.2, 2: 0.4, 3: 0.6, 4: 0.9, 5: 1.5, 6: 3}[row["size"]]
        pays = row["low"] > chips / (1 + chips) and not row["few"]
        assert bot.bluff_pays(row["street"], chips, 1) is pays
    assert bot.raises_with("AA", "SB", 9) == pytest.approx(1 / 3)
