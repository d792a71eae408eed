"""Stores of the format before are read, added to and merged as they are."""

import json
from hashlib import blake2b
from pathlib import Path

import pyarrow.parquet as pq

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.schema.columns import TABLES
from railbird.schema.words import ACTIONS, FLAGS, ORIGINS
from railbird.storage.compacting import compact
from railbird.storage.manifest import FORMAT, read_manifest

ADDED = ["suits", "ranks", "hole_cards", "board_cards"]
GAMES = "select game, board_cards, count(*) from stored.matches group by all order by all"


def _made_before(store: Path) -> None:
    """Take away what a store of format 4 lacks."""
    path = store / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["format"] = 4
    for batch in manifest["batches"]:
        for part in batch["parts"]:
            part[2] = [name for name in part[2] if name not in ADDED]
            if part[0] == "matches":
                file = store / part[0] / part[1]
                held = pq.read_table(file)
                pq.write_table(held.drop([name for name in ADDED if name in held.column_names]), file)
    path.write_text(json.dumps(manifest))


def test_what_lies_on_disk_is_of_the_format() -> None:
    """Whoever changes this changes what stores hold: FORMAT is to grow, and `_ADDED` to say what older parts lack."""
    columns = [
        (table, [(column.name, str(column.type)) for column in TABLES[table]]) for table in sorted(TABLES)
    ]
    digest = blake2b(repr((columns, FLAGS, ACTIONS, ORIGINS)).encode(), digest_size=8).hexdigest()
    assert (FORMAT, digest) == (5, "4e86f3897a32922c")


def test_a_store_of_format_4_is_read_added_to_and_merged(sample_logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    ingest([sample_logs / "acpc" / "leduc.log", sample_logs / "toss" / "2026.txt"], store)
    _made_before(store)
    with open_store(store) as opened:
        assert opened.sql(GAMES).fetchall() == [("acpc/leduc.limit.2p", None, 1), ("toss", None, 1)]
    ingest([sample_logs / "acpc" / "kuhn.log"], store)
    compact(store)
    assert json.loads((store / "manifest.json").read_text())["format"] == FORMAT
    assert len(read_manifest(store).batches) == 1
    with open_store(store) as opened:
        assert opened.sql(GAMES).fetchall() == [
            ("acpc/kuhn.limit.3p", [0], 1),
            ("acpc/leduc.limit.2p", None, 1),
            ("toss", None, 1),
        ]
        assert opened.sql("select count(*) > 0 from strengths").fetchall() == [(True,)]
