"""Logs with lines of another engine, or more players than rules have room for: ../cases/memory beside the corpus."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.commands import railbird

from railbird.analytics.store import open_store


def _folder(corpus: Path) -> Path:
    folder = corpus.parent / "cases" / "memory"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return folder


def _ingest(store: Path, *arguments: object) -> tuple[int, str]:
    done = railbird(store.parent, "ingest", "--store", str(store), *map(str, arguments))
    return done.returncode, done.stdout + done.stderr


def _held(store: Path) -> dict[str, Any]:
    """What a store tells of hands and lines; nothing of one that was not made."""
    if not store.exists():
        return {"hands": 0, "ok": 0, "violations": 0, "damaged": 0, "games": [], "unknown": 0}
    with open_store(store) as opened:
        (row,) = (
            opened.sql(
                """
            select count(*) as hands,
                count(*) filter (verdict in ('ok', 'engine_deviation')) as ok,
                count(*) filter (verdict = 'violation') as violations,
                count(*) filter (verdict = 'damaged') as damaged,
                (select list(distinct game) from matches) as games,
                (select coalesce(sum(lines_unknown), 0) from files) as unknown
            from hands
            """
            )
            .pl()
            .rows(named=True)
        )
    return dict(row)


def _cases() -> list[str]:
    """The names of the cases where there is a folder of them, one name that is skipped where there is none."""
    import os

    root = os.environ.get("RAILBIRD_CORPUS")
    listed = Path(root).absolute().parent / "cases/memory/expected.json" if root else None
    return sorted(json.loads(listed.read_text())) if listed and listed.is_file() else ["none"]


@pytest.mark.parametrize("name", _cases())
def test_a_line_of_another_engine_costs_itself(name: str, corpus: Path, tmp_path: Path) -> None:
    folder = _folder(corpus)
    wanted = json.loads((folder / "expected.json").read_text())[name]
    code, said = _ingest(tmp_path / "store", folder / name, *wanted.get("options", ()))
    assert not re.search("Traceback|please report|IndexError", said)
    assert code in wanted["exit"], said
    held = _held(tmp_path / "store")
    assert held["hands"] == wanted["hands"], said
    assert held["ok"] >= wanted.get("ok", 0)
    for what in ("violations", "damaged"):
        assert held[what] == wanted.get(what, held[what])
    if "game" in wanted:
        assert {game.split("/")[0] for game in held["games"]} == {wanted["game"]}
    assert held["unknown"] + held["damaged"] + held["violations"] >= wanted.get("told", 0)
    assert wanted.get("says", "") in said
    if "same_after" in wanted:
        rows = [_row(tmp_path / "store", name)]
        for k, workers in enumerate((1, 2)):
            logs = tmp_path / f"logs{k}"
            logs.mkdir()
            (logs / "a.log").write_bytes(
                (folder / wanted["same_after"]).read_bytes() * (1 if k == 0 else 20_000)
            )
            _ingest(tmp_path / f"store{k}", logs / "a.log", folder / name, "--workers", workers)
            rows.append(_row(tmp_path / f"store{k}", name))
        assert rows[0] == rows[1] == rows[2]


def _row(store: Path, name: str) -> tuple[Any, ...]:
    with open_store(store) as opened:
        query = f"select dialect, revision, reason from files where ends_with(path, '{name}')"
        return tuple(opened.execute(query).fetchall())
