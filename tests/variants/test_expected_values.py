"""Logs of engines found in the wild, each in a store of its own, against what another program counted in them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

DEVIATIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "build4good-2025": {"split pot paid to the dealer": "build4good.tie-paid-to-dealer"},
    "mit-forks": {"no flop betting after the auction": "auction.no-flop-betting"},
}
"""By folder of the corpus: what its `expected.json` calls a deviation, and what railbird does."""

READ: Final[Mapping[str, tuple[str, ...]]] = {"mit-forks": ("auction-early-2024", "cambridge-2022")}
"""The engines of a folder that railbird reads, where it does not read all."""

BY_DEVIATION = """
    with hands_of as (select match_id, hand_index, unnest(deviations) as deviation from hands)
    select deviation, player, count(*), sum(delta - delta_written)
    from hands_of join seats using (match_id, hand_index)
    group by all
"""


def expected_values() -> list[Any]:
    """The files of each folder of the corpus that has expected values; one that says so where there is no corpus."""
    from conftest import corpus_root

    root = corpus_root()
    if root is None:
        return [pytest.param("", "", {}, id="no corpus")]
    return [
        pytest.param(group, name, wanted, id=f"{group}/{name}")
        for group in DEVIATIONS
        for name, wanted in json.loads((root / group / "expected.json").read_text()).items()
        if (root / group / name).exists() and (group not in READ or wanted["variant"] in READ[group])
    ]


def one(store: Store, query: str) -> Any:
    ((value,),) = store.execute(query).fetchall()
    return value


@pytest.mark.parametrize(("group", "name", "wanted"), expected_values())
def test_a_log_holds_what_was_counted_in_it(
    group: str, name: str, wanted: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    ingest([corpus / group / name], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert one(store, "select sum(hands_seen) from files") == wanted["hands"]
        if not wanted["damaged"]:
            assert one(store, "select sum(lines_unknown) from files") == len(wanted["unknown_lines"])
        found: dict[str, dict[str, float]] = {}
        hands: dict[str, int] = {}
        for deviation, player, count, chips in store.execute(BY_DEVIATION).fetchall():
            found.setdefault(deviation, {})[player] = chips
            hands[deviation] = max(count, hands.get(deviation, 0))
        due = {DEVIATIONS[group][what]: said for what, said in wanted["deviations"].items()}
        assert {what: chips for what, chips in found.items() if what in due} == {
            what: pytest.approx(said["chips"] or dict.fromkeys(found[what], 0.0))
            for what, said in due.items()
        }
        known = set(DEVIATIONS[group].values())
        assert {what for what in found if what in known} == set(due)
        same_names = len(set(dict(wanted["final"]))) == 1 if wanted["final"] else False
        for what, said in due.items():
            assert hands[what] == said["hands"] * (2 if same_names else 1)
        wrong = one(store, "select count(*) from hands where verdict in ('violation', 'damaged')")
        assert (wrong > 0) == any(each["why"] for each in wanted["damaged"] if not is_cut(store, each))
        final = store.execute("select players, logged_final from matches").fetchall()
        if wanted["final_agrees"]:
            ((players, banks),) = final
            assert sorted(zip(players, banks, strict=True)) == sorted(map(tuple, wanted["final"]))


def is_cut(store: Store, damage: Mapping[str, Any]) -> bool:
    """True for damage that is the log's end: railbird leaves that hand out."""
    return one(store, "select coalesce(sum(hands_rejected), 0) from files") > 0 and damage["round"] > one(
        store, "select max(hand_no) from hands"
    )
