"""Answers follow the properties of a game, whatever its name: each is set to another value in a store."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from railbird.analytics.hand_arrays import read, shape_of
from railbird.analytics.opponent import _missing, _of_rules
from railbird.analytics.players import rules_of
from railbird.analytics.store import open_store
from railbird.variants.holdem_mit import PROPERTIES as HOLDEM
from railbird.variants.properties import Properties

# Property, another value, the game, and a query of it whose answer changes.
ALTERED = [
    ("bounties", "false", "bounty", "select count(*) from bounty_hits where game = $game"),
    ("bounties", "true", "holdem-mit", "select count(*) from bounty_hits where game = $game"),
    (
        "bounty_factor",
        "9",
        "bounty",
        "select sum(cost) from lock_points join matches using (match_id) where game = $game",
    ),
    (
        "bounty_bonus",
        "99",
        "bounty",
        "select sum(cost) from lock_points join matches using (match_id) where game = $game",
    ),
    (
        "free_chips",
        "[9.0]",
        "blotto",
        "select sum(cost) from lock_points join matches using (match_id) where game = $game",
    ),
    (
        "most_chips_win",
        "false",
        "holdem-mit",
        "select count(*) from lock_points join matches using (match_id) where game = $game",
    ),
    (
        "cluster",
        "null",
        "bounty",
        "select count(*) from unit_results join matches using (match_id) where game = $game",
    ),
    (
        "cluster",
        "'match'",
        "holdem-mit",
        "select count(*) from unit_results join matches using (match_id) where game = $game",
    ),
    (
        "cluster_hands",
        "5",
        "bounty",
        "select count(*) from unit_results join matches using (match_id) where game = $game",
    ),
    (
        "shared_cards",
        "true",
        "holdem-mit",
        "select sum(part) from unit_results join matches using (match_id) where game = $game",
    ),
    ("boards", "1", "blotto", "select count(*) from chances where game = $game and board_no is not null"),
    ("runs", "false", "river-of-blood", "select count(*) from run_tendencies where game = $game"),
    ("simultaneous", "true", "holdem-mit", "select count(*) from fold_frequency where game = $game"),
    ("win_cap", "null", "koper", "select count(*) from koper_results"),
    (
        "seats_rotate",
        "false",
        "koper",
        "select list(entrant order by all) from (select match_id, seat, entrant from koper_results)",
    ),
    (
        "button",
        "true",
        "koper",
        "select count(seat) from deals join hands using (match_id, hand_index) where game = $game",
    ),
    (
        "discards",
        "false",
        "toss",
        "select max(len(cards)) from deals join hands using (match_id, hand_index) where street = 1 and game = $game",
    ),
    (
        "passes",
        "false",
        "anaconda",
        "select count(*) from deals join hands using (match_id, hand_index) where kind = 'board' and game = $game",
    ),
    ("suits", "3", "holdem-mit", "select max(deck) from deal_balance where game = $game"),
    ("ranks", "9", "holdem-mit", "select max(deck) from deal_balance where game = $game"),
    (
        "shows_folded",
        "true",
        "holdem-mit",
        "select count(*) from visible join hands using (match_id, hand_index) where game = $game and item = 'shown'",
    ),
    ("first_street", "1", "holdem-mit", "select sum(decisions) from ranges where game = $game"),
    ("streets", "['one', 'two']", "holdem-mit", "select street_name(1, $game)"),
    (
        "throws",
        "false",
        "pineapple-2013",
        "select count(*) from visible join hands using (match_id, hand_index) where game = $game and item = 'discard'",
    ),
    ("final_is_delta", "true", "koper", "select count(*) from final_gaps where game = $game"),
]


@pytest.mark.parametrize(("name", "value", "game", "query"), ALTERED, ids=lambda case: str(case)[:24])
def test_answers_follow_a_property(
    name: str, value: str, game: str, query: str, samples_folder: Path
) -> None:
    with open_store(samples_folder) as store:
        params: dict[str, Any] = {"game": game} if "$game" in query else {}
        before = store.execute(query, **params).fetchall()
        assert store.execute(
            f"select {name} is distinct from {value} from games where game = '{game}'"
        ).fetchall() == [(True,)]
    # Some views are tables once a query has read them.
    with open_store(samples_folder) as store:
        store.execute(f"update stored.games set {name} = {value} where game = '{game}'")
        assert store.execute(query, **params).fetchall() != before


@pytest.mark.parametrize("rule", ["throws = true", "holes_used = 2", "own_order = true", "own_rules = true"])
def test_outcomes_are_not_counted_where_best_fives_do_not_decide(rule: str, samples_folder: Path) -> None:
    with open_store(samples_folder) as store:
        ((match_id,),) = store.execute(
            "select min(match_id) from matches where game = 'holdem-mit'"
        ).fetchall()
        assert read(store, "holdem-mit", [match_id]) is not None
        store.execute(f"update stored.games set {rule} where game = 'holdem-mit'")
        assert read(store, "holdem-mit", [match_id]) is None


def test_a_renamed_game_is_answered_alike(samples_folder: Path) -> None:
    """A game whose name nobody has heard of has its answers by its properties alone."""
    query = "select * exclude (game) from bounty_hits where game = $game order by all"
    with open_store(samples_folder) as store:
        known = store.execute(query, game="bounty").fetchall()
        assert known
    with open_store(samples_folder) as store:
        for table in ("matches", "hands"):
            store.execute(f"create or replace table copied as select * from stored.{table}")
            store.execute("update copied set game = 'unheard-of' where game = 'bounty'")
            store.execute(f"create or replace table {table}_copy as select * from copied")
            store.execute(f"create or replace view stored.{table} as select * from main.{table}_copy")
        store.execute("update stored.games set game = 'unheard-of' where game = 'bounty'")
        assert store.execute(query, game="unheard-of").fetchall() == known
        assert rules_of(store, "unheard-of").bounties
        with pytest.raises(LookupError, match="the store holds no game 'bounty'"):
            rules_of(store, "bounty")


@pytest.mark.parametrize(
    ("changed", "absent"),
    [
        (replace(HOLDEM, fixed_sizes=True), {"size_tells"}),
        (replace(HOLDEM, hole_cards=3), {"grid"}),
        (replace(HOLDEM, runs=True, run_after="dh"), {"optimum"}),
        (
            replace(HOLDEM, runs=True, run_after="cs"),
            {"optimum", "bets_by_size", "size_tells", "actions_by_strength", "holdings"},
        ),
        (replace(HOLDEM, streets=("first round",), players=3), {"defences"}),
        (HOLDEM, set()),
    ],
)
def test_what_an_opponent_file_has_not_follows_from_the_rules(changed: Properties, absent: set[str]) -> None:
    assert _missing(changed).keys() == absent
    assert "exploits" in _missing(replace(HOLDEM, simultaneous=True))


def test_views_of_an_opponent_file_follow_from_the_rules() -> None:
    assert _of_rules(HOLDEM) == ()
    assert _of_rules(replace(HOLDEM, runs=True, bounties=True)) == (
        "bounty_hits",
        "bounty_shift",
        "run_tendencies",
    )
    assert _of_rules(replace(HOLDEM, fixed_sizes=True)) == ("limit_tendencies",)
    assert _of_rules(replace(HOLDEM, auctions=True, permutes=True)) == ("bids", "permuted_showdowns")
    assert (
        _of_rules(replace(HOLDEM, swaps=True)) == _of_rules(replace(HOLDEM, redraws=True)) == ("exchanges",)
    )
    gives = replace(HOLDEM, decisions=(*HOLDEM.decisions, "discard"))
    assert _of_rules(gives) == ("exchanges", "discards")


def test_the_cards_of_a_game_follow_from_the_rules() -> None:
    shape = shape_of(replace(HOLDEM, suits=3, ranks=9, hole_cards=4, board_cards=(0, 2, 3)))
    assert (len(shape.deck), shape.hole_cards, shape.boards, shape.ends) == (27, 4, (0, 2, 3), (0, 2, 3))
    assert shape_of(replace(HOLDEM, runs=True)).boards[:6] == (0, 3, 4, 5, 6, 7)
    assert shape_of(replace(HOLDEM, discards=True, board_cards=(0, 4, 5, 6))).ends == (0, 2, 3, 4, 5, 6)
