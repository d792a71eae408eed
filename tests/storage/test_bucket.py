"""A store in a bucket of a real S3 server: everything that a store in a folder does."""

import re
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import railbird as rb
from railbird.analytics.views import all_views, with_sources
from railbird.cli import main
from railbird.ingest import writing
from railbird.storage import locations as buckets
from railbird.storage.integrity import CHANGED, MISSING, checked_parts
from railbird.storage.lease import LEASE, NAME
from railbird.storage.locations import RETIRED, Bucket, place_of
from railbird.storage.manifest import StoreError, begun, commit, locked, read_manifest, staging


@pytest.fixture
def bucket(s3: str) -> Bucket:
    place = place_of(s3)
    assert isinstance(place, Bucket)
    return place


def answers(store: str | Path) -> dict[str, list[str]]:
    """Rows in no order, sums of floats taken in any; of views that differ in what they group by, the first."""
    suffixes = re.compile("_by_|_before_lock$")
    views = [v for v in all_views() if not suffixes.search(v.name) and not needs_equities(v.name)]
    with rb.open(store) as opened:
        return {
            view.name: sorted(
                repr(tuple(map(near, row))) for row in opened.execute(f"from {view.name}").fetchall()
            )
            for view in views
        }


def needs_equities(name: str) -> bool:
    """Their count takes longer than all else together."""
    return "equities" in {view.name for view in with_sources({name})}


def near(value: object) -> object:
    return float(f"{round(value, 6):.9g}") + 0.0 if isinstance(value, float) else value


def test_every_view_says_the_same_from_a_bucket_and_a_folder(
    sample_logs: Path, s3: str, tmp_path: Path
) -> None:
    names = (
        "bounty/2025-01-05.txt",
        "koper/v2-one-class*",
        "blotto/2021-01-27.txt",
        "permutation/2020-01-29.txt",
    )
    games = [str(sample_logs / name) for name in names]
    rb.ingest(games, s3)
    rb.ingest(games, tmp_path / "store")
    assert answers(s3) == answers(tmp_path / "store")


COMMANDS = [
    ["verify"],
    ["bankroll"],
    ["stats"],
    ["standings"],
    ["stats", "--player", "Harbour"],
    ["sql", "select count(*) as n from actions where origin = 'choice'"],
    [
        "sql",
        "select match_id, hand_index, board, verdict from hands where verdict <> 'ok' order by all limit 5",
    ],
]


def test_every_command_reads_a_bucket_as_it_reads_a_folder(
    sample_logs: Path, s3: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {}
    for store in (s3, str(tmp_path / "store")):
        assert main(["ingest", str(sample_logs / "bounty/2025-01-05.txt"), "--store", store]) == 0
        said[store] = [capsys.readouterr().out.replace(store, "STORE")]
        commands = [*COMMANDS, ["replay", f"{_first_match(store)}#3"]]
        for command in commands:
            assert main([*command, "--store", store]) in (0, 1)
            said[store].append(capsys.readouterr().out)
    assert main(["report", "--store", s3, "--out", str(tmp_path / "report")]) == 0
    assert said[s3] == said[str(tmp_path / "store")]


def test_who_may_only_read_a_bucket_is_told_of_luck_too(
    sample_logs: Path,
    s3: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    only_read: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs = [sample_logs / "holdem-mit" / "base.txt", sample_logs / "acpc" / "kuhn.log"]
    rb.ingest(logs[:1], s3)
    with rb.open(s3) as store:
        store.count_equities()
    rb.ingest(logs[1:], s3)
    rb.ingest(logs, tmp_path / "store")
    only_read()
    before = place_of(s3).sizes()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    assert main(["luck", "--store", s3]) == 0
    said = capsys.readouterr()
    assert main(["luck", "--store", str(tmp_path / "store")]) == 0
    assert said.out == capsys.readouterr().out
    assert said.err.splitlines()[-1] == (
        f"railbird: {s3} cannot be written: equities were counted for this command only"
    )
    assert place_of(s3).sizes() == before
    assert not list((tmp_path / "temporary").iterdir())


def _first_match(store: str) -> int:
    with rb.open(store) as opened:
        ((found,),) = opened.execute("select min(match_id) from matches").fetchall()
    return int(found)


def test_the_same_again_changes_nothing_and_a_growing_log_is_replaced(
    sample_logs: Path, s3: str, tmp_path: Path
) -> None:
    whole = (sample_logs / "bounty" / "2025-01-05.txt").read_bytes()
    log = tmp_path / "log.txt"
    for cut in (len(whole) // 2, len(whole), len(whole)):
        log.write_bytes(whole[:cut])
        rb.ingest([log], s3)
    rb.ingest([log], tmp_path / "store", event=tmp_path.name)
    with rb.open(s3) as grown, rb.open(tmp_path / "store") as fresh:
        ask = "select count(*), count(distinct match_id), sum(delta * seat) from seats"
        assert grown.execute(ask).fetchall() == fresh.execute(ask).fetchall()
        assert grown.execute("select count(*) from files").fetchall() == [(2,)]


def test_what_is_replaced_stays_for_readers_and_is_removed_later(
    sample_logs: Path, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    rb.ingest([sample_logs / "bounty" / "2025-01-05.txt"], bucket)
    batches = read_manifest(bucket).batches
    with rb.open(bucket) as before:
        with locked(bucket), staging(bucket):
            commit(bucket, [], drop=[batch.name for batch in batches])
        assert before.execute("select count(*) from hands").fetchall() != [(0,)]
    assert set(bucket.sizes()) == {f"{RETIRED}/{part.name}" for batch in batches for part in batch.parts}
    monkeypatch.setattr("railbird.storage.manifest.GRACE", -1)
    with locked(bucket), staging(bucket):
        assert not bucket.sizes()


def test_two_writers_take_turns(bucket: Bucket) -> None:
    inside: list[int] = []
    most = []

    def write(number: int) -> None:
        place = Bucket(bucket.path)
        with place.locked():
            inside.append(number)
            most.append(len(inside))
            time.sleep(0.2)
            inside.remove(number)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert most == [1, 1, 1, 1]
    before = time.monotonic()
    with bucket.locked():
        assert time.monotonic() - before < LEASE / 4


def test_a_dead_writers_lock_is_taken(bucket: Bucket) -> None:
    bucket.replace(NAME, b'{"holder": "dead"}')
    before = time.monotonic()
    with bucket.locked():
        assert LEASE <= time.monotonic() - before <= 10
        assert b"dead" not in (bucket.read(NAME) or b"")


def test_a_writer_that_lost_its_lock_does_not_commit(bucket: Bucket, sample_logs: Path) -> None:
    rb.ingest([sample_logs / "bounty" / "2025-01-05.txt"], bucket)
    before = bucket.read("manifest.json")
    with locked(bucket), pytest.raises(StoreError, match="the lock was lost"):
        bucket.remove([NAME])
        commit(bucket, [], drop=[read_manifest(bucket).batches[0].name])
    assert bucket.read("manifest.json") == before


def test_errors_are_one_line(
    s3: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["verify", "--store", f"{s3}/nothing"]) == 2
    assert capsys.readouterr().err.startswith(f"railbird: {s3}/nothing: no store is there; ")
    assert main(["verify", "--store", "s3://"]) == 2
    assert capsys.readouterr().err == "railbird: s3:// needs a bucket: s3://BUCKET/PATH\n"
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    assert main(["verify", "--store", s3]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"railbird: {s3} cannot be read: AWS Error")
    assert said.count("\n") == 1


def test_a_bucket_that_does_not_exist_is_not_made(
    s3: str, sample_logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(sample_logs / "bounty" / "2025-01-05.txt")
    assert main(["ingest", log, "--store", "s3://lgos/a"]) == 2
    assert capsys.readouterr().err == "railbird: s3://lgos/a: no bucket is called 'lgos'\n"
    assert main(["verify", "--store", "s3://lgos/a"]) == 2
    assert capsys.readouterr().err.startswith("railbird: s3://lgos/a: no store is there; ")
    assert buckets.client().get_file_info("lgos").type.name == "NotFound"


def test_a_bucket_that_nothing_was_stored_in_is_left_empty(bucket: Bucket, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello\n")
    rb.ingest([tmp_path / "notes.txt"], bucket)
    assert not bucket._listed()


def test_a_writer_that_lost_its_lock_does_not_tidy_up(bucket: Bucket) -> None:
    with pytest.raises(StoreError, match="the lock was lost"), writing(bucket):
        bucket.remove([NAME])
        begun(bucket)
    assert bucket.read("manifest.json") is not None


def test_a_prefix_of_other_things_is_no_store(bucket: Bucket, sample_logs: Path) -> None:
    bucket.replace("papers/readme.md", b"mine")
    with pytest.raises(StoreError, match="is not a railbird store"):
        rb.ingest([sample_logs / "bounty" / "2025-01-05.txt"], bucket)


def test_integrity_hashes_the_parts_of_a_bucket(bucket: Bucket, sample_logs: Path) -> None:
    """A part that changed after the upload is named, one that is gone too, and the others are whole."""
    rb.ingest([sample_logs / "holdem-mit/base.txt"], str(bucket))
    assert {one.problem for one in checked_parts(bucket)} == {""}
    parts = {part.table: part for batch in read_manifest(bucket).batches for part in batch.parts}
    with bucket.open(parts["hands"].name) as file:
        text = bytearray(file.read())
    text[len(text) // 2] ^= 1
    bucket.replace(parts["hands"].name, bytes(text))
    bucket.remove([parts["seats"].name])
    found = {one.part.table: one.problem for one in checked_parts(bucket) if one.problem}
    assert found == {"hands": CHANGED, "seats": MISSING}
