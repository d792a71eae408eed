"""The index of a store against plain lists of what was stored, claimed and taken out."""

import sys
import tracemalloc
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
import xxhash

from railbird.schema.columns import schema
from railbird.storage.index import Claim, Claims, Index, StoredMatch
from railbird.storage.locations import Place, place_of
from railbird.storage.manifest import Batch, commit, read_manifest
from railbird.storage.writer import BatchWriter

HUGE = 2**64 - 3
"""Keys from here on differ by less than a float can tell."""


def table(name: str, rows: list[dict[str, object]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema(name))


def batch_of(folder: Path, matches: Iterable[StoredMatch], files: dict[int, str]) -> Batch:
    writer = BatchWriter(folder)
    rows = [{name: value for name, value in asdict(match).items() if name != "batch"} for match in matches]
    for kind, some in (("matches", rows), ("files", [{"file_id": f, "status": s} for f, s in files.items()])):
        if some:
            writer.add(kind, table(kind, some))
    made = writer.close()
    assert made is not None
    return made


def match_of(random: Random, match_id: int) -> StoredMatch:
    head = HUGE + random.randrange(3) if random.random() < 0.5 else random.randrange(6)
    sizes = random.randrange(9), random.random() < 0.5
    return StoredMatch(match_id, random.randrange(9), *sizes, head, random.randrange(2**40), HUGE)


def same(
    index: Index, stored: list[StoredMatch], claimed: list[StoredMatch], files: dict[int, tuple[str, str]]
) -> None:
    alive = {match.match_id: match for match in [*stored, *claimed]}
    for match_id in [*range(40), *range(HUGE, HUGE + 3)]:
        assert index.match(match_id) == alive.get(match_id)
    for head in [*range(7), *range(HUGE, HUGE + 3)]:
        found = sorted(index.relatives(head), key=lambda match: match.match_id)
        assert found == sorted(
            (m for m in alive.values() if m.head_hash == head), key=lambda match: match.match_id
        )
    for file_id in [*range(12), HUGE]:
        file = index.file(file_id)
        told = files.get(file_id)
        assert (file and (file.batch, file.rejected)) == (told and (told[0], told[1] == "rejected"))
    assert sorted(index.claimed, key=lambda match: match.match_id) == sorted(
        claimed, key=lambda match: match.match_id
    )


@pytest.mark.parametrize("seed", range(12))
def test_it_knows_what_was_stored_claimed_and_taken_out(seed: int, tmp_path: Path) -> None:
    random, index = Random(seed), Index()
    root = tmp_path / "store"
    root.mkdir()
    place: Place = place_of(root)
    held: dict[str, tuple[list[StoredMatch], dict[int, str]]] = {}
    ids = iter(random.sample([*range(40), *range(HUGE, HUGE + 3)], 43))
    file_ids = iter(random.sample([*range(12), HUGE], 13))
    for _ in range(6):
        stored = [match for matches, _ in held.values() for match in matches]
        files = {f: (name, status) for name, (_, some) in held.items() for f, status in some.items()}
        claimed = [match_of(random, next(ids)) for _ in range(random.randrange(4))]
        for match in claimed:
            index.add(match)
        same(index, stored, claimed, files)
        gone = random.sample([*stored, *claimed], min(2, len(stored) + len(claimed)))
        for match in gone:
            index.remove(match)
        same(index, [m for m in stored if m not in gone], [m for m in claimed if m not in gone], files)
        if random.random() < 0.3:
            index.restore()
            same(index, stored, [], files)
            continue
        # The batches that held what is gone are written anew without it.
        dropped = {match.batch for match in gone if match.batch}
        matches = [m for m in [*stored, *claimed] if m not in gone and (m.batch in dropped or not m.batch)]
        rows = {f: status for f, (name, status) in files.items() if name in dropped}
        rows |= {f: random.choice(["ok", "rejected", "partial"]) for f in (next(file_ids), next(file_ids))}
        made = batch_of(tmp_path, matches, rows)
        commit(root, [(tmp_path, made)], drop=list(dropped))
        for name in dropped:
            del held[name]
        held[made.name] = [replace(match, batch=made.name) for match in matches], rows
        index.forget(dropped)
        index.read(place, read_manifest(place))
        fresh = Index()
        fresh.read(place, read_manifest(place))
        for one in (index, fresh):
            files = {f: (name, status) for name, (_, some) in held.items() for f, status in some.items()}
            same(one, [match for kept, _ in held.values() for match in kept], [], files)
            assert one.matches == sum(len(kept) for kept, _ in held.values())


def test_a_match_and_its_file_take_few_bytes(tmp_path: Path) -> None:
    root, random, count = tmp_path / "store", Random(1), 50_000
    root.mkdir()
    matches = [match_of(random, number) for number in range(count)]
    commit(root, [(tmp_path, batch_of(tmp_path, matches, dict.fromkeys(range(count), "ok")))])
    place = place_of(root)
    manifest = read_manifest(place)
    index = Index()
    tracemalloc.start()
    try:
        index.read(place, manifest)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert index.matches == count
    assert held / count < 112


HEAD = "table of two\n"


def made(hands: list[str], complete: bool = False) -> tuple[StoredMatch, memoryview]:
    """A match of hands of several lines, and its text, as `identify` has them."""
    body = HEAD + "".join(f"hand {hand}\nend\n" for hand in hands)
    ended = f"{body}final\n" if complete else body
    keys = [xxhash.xxh3_64_intdigest(part.strip().encode()) for part in (HEAD, body, ended)]
    match = StoredMatch(
        match_id=keys[1],
        file_id=1,
        hands=len(hands),
        complete=complete,
        head_hash=keys[0],
        text_bytes=len(ended.strip()),
        text_hash=keys[2],
    )
    return match, memoryview(ended.encode())


@pytest.mark.parametrize("by_lines", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_a_claim_replaces_what_its_text_begins_with(seed: int, by_lines: bool, tmp_path: Path) -> None:
    random, index = Random(seed), Index()
    root = tmp_path / "store"
    root.mkdir()
    place = place_of(root)
    alive: dict[int, tuple[StoredMatch, str]] = {}
    seen = dict.fromkeys(Claim, 0)
    for commits in range(4):
        claims = Claims(index)
        added: set[int] = set()
        for _ in range(60):
            hands = [random.choice("ab") for _ in range(random.randrange(1, 7))]
            match, text = made(hands, random.random() < 0.3)
            said = bytes(text).decode().strip()
            older = {
                key
                for key, (old, its) in alive.items()
                if said != its
                and said.startswith(its)
                and (old.hands < match.hands or (match.complete and not old.complete))
            }
            answer = claims.claim(match, text, by_lines=by_lines)
            seen[answer.claim] += 1
            if older & added:
                assert answer.claim is Claim.LATER
            elif match.match_id in alive and match.match_id not in older:
                assert answer.claim is Claim.KNOWN
            else:
                assert answer.claim is Claim.NEW
                assert {old.match_id for old in answer.replaced} == older
                for key in older:
                    del alive[key]
                alive[match.match_id] = match, said
                added.add(match.match_id)
        name = batch_of(tmp_path, [match for match, _ in alive.values()], {commits: "ok"})
        before = [batch.name for batch in read_manifest(place).batches]
        commit(root, [(tmp_path, name)], drop=before)
        index.forget(before)
        index.read(place, read_manifest(place))
    assert all(seen.values())


@pytest.mark.parametrize("by_lines", [True, False])
@pytest.mark.parametrize("hands", [1, 3])
def test_matches_that_begin_alike_cost_no_more_where_there_are_more(hands: int, by_lines: bool) -> None:
    def calls(count: int) -> int:
        """Functions called to claim so many matches of the same players."""
        claims, called = Claims(Index()), 0

        def count_one(_frame: object, event: str, _arg: object) -> None:
            nonlocal called
            called += event.endswith("call")

        some = [made([f"{number} {k}" for k in range(hands)]) for number in range(count)]
        sys.setprofile(count_one)
        try:
            answers = [claims.claim(match, text, by_lines=by_lines) for match, text in some]
        finally:
            sys.setprofile(None)
        assert {answer.claim for answer in answers} == {Claim.NEW}
        return called

    assert calls(800) < 2.2 * calls(400)
