"""A log that fits two games is read as the more general one, and the ledger says so."""

import re
from pathlib import Path

import pytest
from support.stores import rows

from railbird.ingest import ingest
from railbird.replay.simulate import simulate

WHY = "may be river-of-blood as well, since no river card is red"


def _has_a_red_river(text: str) -> bool:
    rivers = re.findall(r"^River \[((?:\w\w ){4})(\w\w)\]", text, re.MULTILINE)
    return any(last[1] in "dh" for _, last in rivers)


@pytest.mark.parametrize("game", ["holdem-mit", "river-of-blood"])
def test_plain_logs_without_a_red_river_may_be_river_of_blood(game: str, tmp_path: Path) -> None:
    wanted = {}
    for seed in range(12):
        log = tmp_path / f"{seed:02}.txt"
        text = simulate(game, [("Ann", "random"), ("Bea", "calling-station")], hands=1 + seed // 3, seed=seed)
        log.write_text(text)
        wanted[str(log)] = None if _has_a_red_river(text) else f"{WHY}: 1 of 1"
    assert {None, f"{WHY}: 1 of 1"} == set(wanted.values())
    summary = ingest([tmp_path], tmp_path / "store")
    assert {file["path"]: file["reason"] for file in rows(tmp_path / "store", "files")} == wanted
    assert {account.status for account in summary.files} == {"ok"}
    unsure = sum(reason is not None for reason in wanted.values())
    assert f"unsure    {unsure} matches {WHY} (--game tells, in a new store)" in summary.lines()
    # What the user says is not in doubt.
    ingest([tmp_path], tmp_path / "told", game=game)
    assert {file["reason"] for file in rows(tmp_path / "told", "files")} == {None}
