"""Logs of engines found in the wild, each in a store of its own, against what another program counted in them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

IIT: Final = (
    *(
        "bad-bid-is-zero",
        "late-not-folded",
        "bad-action-not-folded",
        "free-fold-refused",
        "bad-raise-not-folded",
    ),
    *("fold-shown", "limp-third-turn"),
)

DEVIATIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "build4good-2025": {"split pot paid to the dealer": "build4good.tie-paid-to-dealer"},
    "tacs-2026": {},
    "mit-forks": {
        "no flop betting after the auction": "auction.no-flop-betting",
        "more than the stack": "husky.more-than-the-stack",
        "call of nothing": "husky.call-takes-back",
    },
    "iit-2026": {f"{game}.{name}": f"{game}.{name}" for game in ("sneak-peek", "anaconda") for name in IIT},
}
"""By folder of the corpus: what its `expected.json` calls a deviation, and what railbird does."""

PLANTED: Final[Mapping[str, Mapping[str, str]]] = {
    "tacs-2026": {
        "award differs from the rules": "award",
        "redraw and reveal differ": "reveal-missing",
        "reveal names the wrong seat": "reveal-seat",
        "reveal shows another card": "reveal",
    }
}
"""Errors that no engine makes: what `expected.json` calls them, and the rule of railbird's finding."""

READ: Final[Mapping[str, tuple[str, ...]]] = {
    "mit-forks": ("auction-early-2024", "cambridge-2022", "hpi-2025", "husky-2024")
}
"""The engines of a folder that railbird reads, where it does not read all."""

BY_DEVIATION = """
    with hands_of as (select match_id, hand_index, unnest(deviations) as deviation from hands),
    paid as (select match_id, hand_index, deviation, true as moves from findings where rule = 'award')
    select deviation, player, count(*), sum(if(moves, delta - delta_written, 0))
    from hands_of join seats using (match_id, hand_index) left join paid using (match_id, hand_index, deviation)
    group by all
"""


def of_iit(folder: Path) -> dict[str, Any]:
    """The expected values of IIT's engines in the words of the other folders."""
    found: dict[str, Any] = {}
    for kind, files in json.loads((folder / "expected.json").read_text()).items():
        for name, said in files.items():
            lines = (folder / kind / name).read_text().splitlines()
            deviations: dict[str, dict[str, Any]] = {}
            for what, counted in said["deviations"].items():
                # The hands in which the bad answer changed no pay are counted apart.
                short = what.removesuffix(" (same pay)").replace(
                    "fold at auction shows both hands", "fold-shown"
                )
                both = deviations.setdefault(f"{said['game'].split()[0]}.{short}", {"hands": 0, "chips": {}})
                both["hands"] += counted["hands"]
                both["chips"] = counted["chips"] or both["chips"]
            found[f"{kind}/{name}"] = {
                "variant": said["game"],
                "hands": said["hands"],
                "deviations": deviations,
                "damaged": [
                    {"why": why, "round": int(lines[line - 1].split(",")[0].removeprefix("Round #"))}
                    for line, why in said["damaged"]
                ],
                "unknown_lines": said["unknown_lines"],
                "bank_carry_breaks": len(said["carry_breaks"]),
                "showdowns_board_hidden": 0,
                "counts": {},
                "final": list(said["final"].items()) if isinstance(said["final"], dict) else said["final"],
                "final_agrees": said["final_matches"],
            }
    return found


def expected_in(folder: Path) -> dict[str, Any]:
    """The expected values of a folder, by file."""
    if folder.name == "iit-2026":
        return of_iit(folder)
    values: dict[str, Any] = json.loads((folder / "expected.json").read_text())
    return values


def expected_values() -> list[Any]:
    """The files of each folder of the corpus that has expected values; one that says so where there is no corpus."""
    from conftest import corpus_root

    root = corpus_root()
    if root is None:
        return [pytest.param("", "", {}, id="no corpus")]
    return [
        pytest.param(group, name, wanted, id=f"{group}/{name}")
        for group in DEVIATIONS
        for name, wanted in expected_in(root / group).items()
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
        errors = PLANTED.get(group, {})
        for what, said in wanted["deviations"].items():
            if what in errors:
                assert lines_and_chips(store, errors[what]) == (said["first_lines"], said["chips"])
        due = {
            DEVIATIONS[group][what]: said for what, said in wanted["deviations"].items() if what not in errors
        }
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
        planted = any(what in errors for what in wanted["deviations"]) or any(
            each["why"] for each in wanted["damaged"] if not is_cut(store, each)
        )
        assert (wrong > 0) == (planted or wanted["bank_carry_breaks"] > 0)
        unverified = one(store, "select count(*) from hands where verdict = 'unverified'")
        hidden = wanted["showdowns_board_hidden"]
        # Of damage the other program stops at the first line, and a hand that is wrong otherwise is not unverified.
        assert hidden - wrong <= unverified <= hidden
        for target, kind in (("hole", "redraw"), ("board", "board_redraw")):
            redraws = one(store, f"select count(*) from stored.changes where kind = '{kind}'")
            assert wrong or redraws == wanted["counts"].get(f"redraw {target}", 0)
        of_rounds = {
            number
            for (number,) in store.execute(
                "select hand_no from hands where verdict in ('violation', 'damaged')"
            ).fetchall()
        }
        assert {
            each["round"] for each in wanted["damaged"] if each["why"] and not is_cut(store, each)
        } <= of_rounds
        final = store.execute("select players, logged_final from matches").fetchall()
        if wanted["final_agrees"]:
            ((players, banks),) = final
            assert sorted(zip(players, banks, strict=True)) == sorted(map(tuple, wanted["final"]))


def lines_and_chips(store: Store, rule: str) -> tuple[list[int], dict[str, float]]:
    """Where the hands begin in which a rule is broken; by player, what they were paid too much in them."""
    hands = "(select (match_id, hand_index) from findings where rule = $rule and verdict = 'violation')"
    query = f"select line from hands where (match_id, hand_index) in {hands} order by line"
    lines = [line for (line,) in store.execute(query, rule=rule).fetchall()]
    paid = store.execute(
        f"""
        select player, sum(delta - delta_written) as chips from seats
        where (match_id, hand_index) in {hands} group by player having chips <> 0""",
        rule=rule,
    )
    return lines, dict(paid.fetchall())


def is_cut(store: Store, damage: Mapping[str, Any]) -> bool:
    """True for damage that is the log's end: railbird leaves that hand out."""
    cut: bool = one(store, "select coalesce(sum(hands_rejected), 0) from files") > 0
    return cut and bool(damage["round"] > one(store, "select max(hand_no) from hands"))
