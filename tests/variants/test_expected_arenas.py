"""Hands of language models' arenas and of OpenSpiel, a file a store, against another program's counts."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

GROUP: Final = "json-arenas"
GAMES: Final[Mapping[str, str]] = {
    "kaggle-repeated-poker": "kaggle-arena",
    "openspiel-acpc-lines": "openspiel",
    "openspiel-state-print": "openspiel",
    "llm-poker-arena-private": "llm-poker-arena",
    "llm-poker-arena-public": "llm-poker-arena",
    "texasholdem-json": "texasholdem",
}
"""By dialect the game."""
DEVIATIONS: Final[Mapping[str, str]] = {
    "legality postflop-order-by-seat": "turn-order",
    "log showdown-flag-missing": "showdown-flag-missing",
    "log rewards-differ": "rewards-differ",
    "log phantom-hand": "phantom-hand",
    "log half-chip-cut-off": "half-chip-cut-off",
    "legality fold-free": "free-fold",
}
"""By the name of a deviation there: railbird's, without the game."""
NO_HAND: Final = "log phantom-hand"
"""The end of a session that the engine repeats under another number: railbird says so at the hand before."""
OF_A_FILE: Final = "log rewards-differ"
FINISHED: Final = """
    from hands where (match_id, hand_index) not in (
        select (match_id, hand_index) from seats where delta is null)"""
"""Hands that have a result: one in which a session ended has none."""


def files() -> list[Any]:
    """The files, with their expected values; one that says so where there is no corpus."""
    from conftest import SKIPPED, corpus_root

    root = corpus_root()
    if root is None:
        return [pytest.param("", {}, id="no-corpus", marks=SKIPPED.marks)]
    expected = json.loads((root / GROUP / "expected.json").read_text())
    return [
        pytest.param(place, wanted, id=name)
        for name, wanted in expected.items()
        if wanted["dialect"] in GAMES
        for place in (root / GROUP).glob(f"*/{name}")
    ]


def one(store: Store, query: str, **values: Any) -> Any:
    ((value,),) = store.execute(query, **values).fetchall()
    return value


@pytest.mark.parametrize(("place", "wanted"), files())
def test_a_file_holds_what_was_counted_in_it(place: Path, wanted: dict[str, Any], tmp_path: Path) -> None:
    game = GAMES[wanted["dialect"]]
    ingest([place], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select distinct dialect, game from matches").fetchall() == [
            (wanted["dialect"], game)
        ]
        assert one(store, f"select count(*) {FINISHED}") == wanted["hands"]
        unfinished = one(store, "select count(*) from hands") - wanted["hands"]
        assert unfinished == len(wanted.get("incomplete_hands", ()))
        assert one(store, "select sum(lines_unknown) from files") == wanted["unknown_lines"]
        assert one(store, "select sum(hands_rejected) from files") == len(wanted["damaged_hands"])
        assert one(store, "select count(*) from hands where verdict = 'damaged'") == 0

        due = dict(wanted["deviations"])
        if NO_HAND in due:
            due[NO_HAND] = due[NO_HAND] | {"where": [number - 1 for number in due[NO_HAND]["where"]]}
        paid = due.pop("pay", {"hands": 0, "chips": 0, "where": []})
        of_file = due.pop(OF_A_FILE, None)
        found = store.execute("""
            with hands_of as (select hand_no, unnest(deviations) as name from hands)
            select name, count(*), list(hand_no order by hand_no) from hands_of group by all""").fetchall()
        known = {name: (hands, where[:5]) for name, hands, where in found}
        assert (f"{game}.{DEVIATIONS[OF_A_FILE]}" in known) == (of_file is not None)
        known.pop(f"{game}.{DEVIATIONS[OF_A_FILE]}", None)
        assert known == {
            f"{game}.{DEVIATIONS[what]}": (said["hands"], said["where"] if game != "texasholdem" else [1])
            for what, said in due.items()
        }
        # A share that is cut off is no other pay.
        cut = f"list_contains(deviations, '{game}.half-chip-cut-off')"
        moved = f"""
            select coalesce(sum(abs(delta - delta_written)), 0)
            from hands join seats using (match_id, hand_index) where {{}} {cut}"""
        assert one(store, moved.format("not")) / 2 == paid["chips"]
        assert one(store, moved.format("")) == due.get("log half-chip-cut-off", {"chips": 0})["chips"]
        wrong = store.execute("select hand_no from hands where verdict = 'violation'").fetchall()
        assert len(wrong) == paid["hands"]
        if game != "texasholdem":
            assert [number for (number,) in wrong] == paid["where"]
        verified = one(store, "select count(*) from hands where verdict in ('ok', 'engine_deviation')")
        assert verified == wanted["paid_as_rules"]

        won = dict(store.execute("select player, sum(delta) from seats group by player").fetchall())
        assert won == wanted["final_bankroll"]
        if None not in wanted.get("rewards", [None]):
            assert one(store, "select logged_final from matches") == wanted["rewards"]
        if "decisions_with_thoughts" in wanted:
            thoughts = one(store, "select count(*) from notes where text <> ''")
            assert thoughts == wanted["decisions_with_thoughts"]
        if "showdowns" in wanted:
            assert (
                one(store, "select count(distinct hand_index) from seats where shown") == wanted["showdowns"]
            )
