"""What a store holds is of one schema version, which its manifest names, with a hash of each part."""

import json
import re
import tomllib
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from shutil import copytree
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from railbird.analytics.store import open_store
from railbird.cli import main
from railbird.ingest import ingest
from railbird.schema import columns
from railbird.schema.columns import TABLES
from railbird.storage.compacting import compact
from railbird.storage.manifest import FORMAT, read_manifest


@pytest.mark.parametrize(
    "change",
    [{"name": "chips_won"}, {"type": pa.int8()}, {"words": ("few", "many")}],
    ids=["name", "type", "words"],
)
def test_another_column_in_files_is_another_schema_version(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {columns.digest.__wrapped__()}
    *others, last = TABLES["seats"]
    for seats in ((*others, replace(last, **change)), (*others, last, last), tuple(others), (last, *others)):
        monkeypatch.setitem(TABLES, "seats", seats)
        found.add(columns.digest.__wrapped__())
    assert len(found) == 5
    assert FORMAT.endswith(columns.digest())


def test_the_manifest_has_the_schema_version_and_a_hash_of_each_part(
    tmp_path: Path, sample_logs: Path
) -> None:
    store = tmp_path / "store"
    ingest([sample_logs / "holdem-mit" / "base.txt"], store)
    ingest([sample_logs / "toss" / "2026.txt"], store)
    compact(store)
    with open_store(store) as opened:
        opened.count_equities()
    assert json.loads((store / "manifest.json").read_text())["schema_version"] == FORMAT
    parts = [part for batch in read_manifest(store).batches for part in batch.parts]
    assert {"hands", "equities"} <= {part.table for part in parts}
    for part in parts:
        assert part.digest == blake2b(part.path(store).read_bytes(), digest_size=16).hexdigest()


def test_a_changed_byte_of_a_page_is_found_by_its_checksum(tmp_path: Path, sample_logs: Path) -> None:
    ingest([sample_logs / "holdem-mit" / "base.txt"], tmp_path)
    parts = [part for batch in read_manifest(tmp_path).batches for part in batch.parts]
    assert {part.table for part in parts} >= {"matches", "hands", "seats", "actions"}
    for part in parts:
        path = part.path(tmp_path)
        pq.ParquetFile(path, page_checksum_verification=True).read()
        data = bytearray(path.read_bytes())
        column = pq.read_metadata(path).row_group(0).column(0)
        # The last byte of the column's last page.
        first = column.dictionary_page_offset or column.data_page_offset
        data[first + column.total_compressed_size - 1] ^= 1
        path.write_bytes(data)
        with pytest.raises(OSError, match="CRC"):
            pq.ParquetFile(path, page_checksum_verification=True).read()


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ({"format": 5}, "no schema version"),
        ({"schema_version": 8}, "schema version 8"),
        ({"schema_version": "9-00000000"}, "schema version 9-00000000"),
    ],
)
def test_a_store_of_another_railbird_is_refused_in_one_line(
    version: dict[str, object],
    said: str,
    tmp_path: Path,
    sample_logs: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    store, log = tmp_path / "store", sample_logs / "holdem-mit" / "base.txt"
    ingest([log], store)
    path = store / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["schema_version"]
    path.write_text(json.dumps(version | manifest))
    before = {file: file.read_bytes() for file in store.rglob("*") if file.is_file()}
    for command in (["ingest", str(log)], ["compact"], ["verify"], ["sql", "select 1"]):
        assert main([*command, "--store", str(store)]) == 2
        assert capsys.readouterr().err == (
            f"railbird: {store} has {said}, this railbird reads {FORMAT}: ingest the logs again\n"
        )
    assert {file: file.read_bytes() for file in store.rglob("*") if file.is_file()} == before


LOG = Path(__file__).parents[1] / "fixtures" / "one-hand-extract" / "holdem-mit.txt"
STORES = Path(__file__).parent / "stores"
"""A store of each released version, and an early one, all of the log tests/fixtures/one-hand-extract/holdem-mit.txt."""


@pytest.mark.parametrize("name", sorted(path.name for path in STORES.iterdir()))
def test_a_store_of_a_released_version_is_read_or_refused_in_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Path(copytree(STORES / name, tmp_path / name))
    data = json.loads((store / "manifest.json").read_text())
    code = main(["sql", "select player, delta from seats", "--store", str(store), "--format", "json"])
    said = capsys.readouterr()
    if data.get("schema_version") == FORMAT:
        awarded = dict(re.findall(r"^(\w+) awarded (-?\d+)", LOG.read_text(), re.MULTILINE))
        assert code == 0, said.err
        assert {row["player"]: f"{row['delta']:.0f}" for row in json.loads(said.out)} == awarded
    else:
        assert (code, said.out) == (2, "")
        assert said.err.endswith(f", this railbird reads {FORMAT}: ingest the logs again\n")
        assert len(said.err.splitlines()) == 1


def test_there_is_a_store_of_this_version() -> None:
    project = tomllib.loads((STORES.parents[2] / "pyproject.toml").read_text())["project"]
    assert project["version"] in {path.name for path in STORES.iterdir()}
