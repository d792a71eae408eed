"""Several ACPC tables in one log, by time: each is one match, its lines those of the log."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import stores

from railbird.ingest import ingest
from railbird.parsers import acpc, chunks
from railbird.parsers.acpc import tables_apart
from railbird.replay.acpc.dealer import play_by
from railbird.replay.acpc.definitions import DEALER, game_of, named, shipped
from railbird.replay.bots import STYLES
from railbird.replay.simulate import Order, Player

Stamped = tuple[float, bytes]
NAMES = (("gaia.1", "Deep|Stack"), ("gaia.2", "Deep|Stack"), ("joe.1", "Deep|Stack"))


def table(names: tuple[str, str], hands: int, seed: int) -> list[Stamped]:
    """The hands of a table and when each was played."""
    rules = named("holdem.nolimit.2p.reverse_blinds", shipped())
    assert rules is not None
    players = tuple(Player(name, STYLES["random"](Random(f"{seed}/{name}"))) for name in names)
    played = play_by(rules, Order(game_of(rules), acpc.GRAMMAR, players, hands, seed, DEALER, ""), False)
    rng, time, found = Random(seed), 1.4797e9, []
    for line in played.text.encode().splitlines():
        if line.startswith(b"STATE:"):
            time += rng.randrange(1, 60) + 0.25
            found.append((time, line + b" # %.2f\n" % time))
    return found


@pytest.fixture(scope="module")
def tables() -> list[list[Stamped]]:
    return [table(names, 40 + 5 * k, k + 1) for k, names in enumerate(NAMES)]


def by_time(tables: list[list[Stamped]]) -> list[bytes]:
    return [line for _, line in sorted(line for table in tables for line in table)]


def stored(folder: Path, **logs: bytes) -> tuple[Path, list[dict[str, Any]]]:
    """A store of logs, and its matches by their players."""
    folder.mkdir()
    for name, text in logs.items():
        (folder / name).write_bytes(text)
    ingest([folder], folder.parent / f"{folder.name}.store")
    store = folder.parent / f"{folder.name}.store"
    stores.holds_together(store)
    return store, sorted(stores.rows(store, "matches"), key=lambda match: match["players"])


def values(store: Path, table: str, without: tuple[str, ...]) -> list[str]:
    """Rows of a store as they are whatever file they came from."""
    return sorted(
        repr({k: v for k, v in row.items() if k not in without}) for row in stores.rows(store, table)
    )


@pytest.mark.parametrize("streamed", [False, True])
def test_each_table_is_the_match_that_it_is_alone(
    tables: list[list[Stamped]], streamed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if streamed:
        monkeypatch.setattr(chunks, "WHOLE_BYTES", 4000)
    lines = by_time(tables)
    apart, alone = stored(
        tmp_path / "apart",
        **{f"{k}.log": b"".join(line for _, line in table) for k, table in enumerate(tables)},
    )
    mixed, found = stored(tmp_path / "mixed", log=b"".join(lines))
    assert [(match["players"], match["hands"], match["match_id"]) for match in found] == [
        (list(names), len(table), match["match_id"])
        for names, table, match in zip(NAMES, tables, alone, strict=True)
    ]
    assert [match["line"] for match in found] == [lines.index(table[0][1]) + 1 for table in tables]
    where = ("line", "file_id", "event")
    for name in ("hands", "seats", "actions"):
        assert values(mixed, name, where) == values(apart, name, where)
    first = {match["match_id"]: table for match, table in zip(found, tables, strict=True)}
    assert all(
        lines[hand["line"] - 1] == first[hand["match_id"]][hand["hand_index"]][1]
        for hand in stores.rows(mixed, "hands")
    )


def test_lines_that_are_no_hands_are_told_where_they_stand(
    tables: list[list[Stamped]], tmp_path: Path
) -> None:
    lines = by_time(tables)
    lines[30:30] = [b"nobody knows this\n"]
    broken = next(k for k in range(60, 90) if lines[k].count(b":") == 5)
    lines[broken] = lines[broken].replace(b"STATE:", b"STATE:x", 1)
    store, found = stored(tmp_path / "logs", log=b"".join(lines))
    assert sum(match["hands"] for match in found) == len(lines) - 2
    assert {(row["line"], row["text"]) for row in stores.rows(store, "unknown_lines")} >= {
        (31, "nobody knows this"),
        (broken + 1, lines[broken].decode().rstrip()),
    }
    assert stores.rows(store, "files")[0]["lines_seen"] == len(lines)


def test_a_log_that_grows_is_read_again_as_the_same_matches(
    tables: list[list[Stamped]], tmp_path: Path
) -> None:
    text = b"".join(by_time(tables))
    (tmp_path / "log").write_bytes(text[: len(text) // 2])
    ingest([tmp_path / "log"], tmp_path / "store")
    assert len(stores.rows(tmp_path / "store", "matches")) == len(tables)
    (tmp_path / "log").write_bytes(text)
    ingest([tmp_path / "log"], tmp_path / "store")
    stores.holds_together(tmp_path / "store")
    matches = stores.rows(tmp_path / "store", "matches")
    assert sorted(match["hands"] for match in matches) == [len(table) for table in tables]


def test_logs_whose_tables_do_not_mix_stay_as_they_are(tables: list[list[Stamped]]) -> None:
    one, other, _ = ([line for _, line in table] for table in tables)
    assert tables_apart(b"".join(one)) is None
    assert tables_apart(b"".join([*one, *other, *one])) is None
    assert tables_apart(b"".join(line.split(b" # ")[0] + b"\n" for line in by_time(tables))) is None
    assert tables_apart(b"# name/game/hands/seed a b 1 2\n" + b"".join(by_time(tables))) is None
    assert tables_apart(b"") is None


def test_the_line_that_is_being_written_stays_the_last(tables: list[list[Stamped]]) -> None:
    text = b"".join(by_time(tables))[:-30]
    found = tables_apart(text)
    assert found is not None
    assert found[0].split(b"\n")[-1] == text.split(b"\n")[-1]
    assert sorted(found[0].split(b"\n")) == sorted(text.split(b"\n"))
    assert [text.split(b"\n")[line - 1] for line in found[1]] == found[0].split(b"\n")
