"""Tags and forgetting: commits like any other, and what was left out as a copy can be read again."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import railbird as rb
from railbird.ingest import ingest
from railbird.parsers.sources import WishError
from railbird.storage.compacting import compact
from railbird.storage.editing import Chosen, forget, tag
from railbird.storage.manifest import StoreError

TAGS = """
select regexp_extract(path, '[^/]*$') as file, tag, value
from tags join matches using (match_id) join files using (file_id) order by all
"""
FILES = "select regexp_extract(path, '[^/]*$'), status, hands_stored, hands_rejected from files order by all"
HANDS = (
    "select match_id, hand_no, player, delta from seats join hands using (match_id, hand_index) order by all"
)


def asked(store: Path, query: str) -> list[tuple[object, ...]]:
    with rb.open(store) as opened:
        return opened.execute(query).fetchall()


@pytest.fixture
def logs(tmp_path: Path, sample_logs: Path) -> Path:
    """Two logs in a folder; two halves of the first in another, with other names."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("base.txt", "ties.txt"):
        (folder / name).write_bytes((sample_logs / "holdem-mit" / name).read_bytes())
    return folder


def test_ingest_tags_the_matches_that_it_reads_and_those_of_unchanged_files(
    logs: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    ingest([logs / "base.txt"], store, tags={"version": "v6"})
    assert asked(store, TAGS) == [("base.txt", "version", "v6")]
    ingest([logs], store, tags={"version": "v7", "server": "a"})
    both = [("server", "a"), ("version", "v7")]
    assert asked(store, TAGS) == [(name, *one) for name in ("base.txt", "ties.txt") for one in both]


def test_the_last_tag_counts_also_after_compacting(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    ingest([logs], store)
    with rb.open(store) as opened:
        hands = opened.execute("select sum(hands), max(hands) from matches").fetchall()[0]
    assert tag(store, [], {"version": "v1"}, event="logs") == Chosen(2, int(hands[0]))
    tag(store, ["base"], {"version": "v2"})
    compact(store)
    assert asked(store, TAGS) == [("base.txt", "version", "v2"), ("ties.txt", "version", "v1")]
    tag(store, ["logs"], {"version": None, "server": "b"})
    assert asked(store, TAGS) == [("base.txt", "server", "b"), ("ties.txt", "server", "b")]


def test_a_longer_version_of_a_log_keeps_the_tags(logs: Path, tmp_path: Path) -> None:
    store, log = tmp_path / "store", logs / "base.txt"
    text = log.read_bytes()
    log.write_bytes(text[: text.rindex(b"Hand #")] if b"Hand #" in text else text[: len(text) // 2])
    ingest([log], store)
    tag(store, ["base.txt"], {"version": "v1"})
    (before,) = asked(store, "select match_id, hands from matches")
    log.write_bytes(text)
    ingest([log], store)
    (after,) = asked(store, "select match_id, hands from matches")
    assert after[0] != before[0]
    assert asked(store, "select match_id, tag, value from tags") == [(after[0], "version", "v1")]


def test_of_two_logs_that_begin_alike_each_keeps_its_own_tags(sample_logs: Path, tmp_path: Path) -> None:
    """The same deck again: the first hands are equal, the others have other suits."""
    store, logs = tmp_path / "store", tmp_path / "logs"
    logs.mkdir()
    rounds = re.split(
        r"(?=^Round #)", (sample_logs / "holdem-mit" / "base.txt").read_text(), flags=re.MULTILINE
    )
    suits = str.maketrans("cdhs", "dcsh")
    others = [re.sub(r"\[[^\]]*\]", lambda cards: cards[0].translate(suits), one) for one in rounds]
    texts = {"one.txt": rounds, "two.txt": [*rounds[:2], *others[2:]]}
    for whole in (False, True):
        for name, said in texts.items():
            (logs / name).write_text("".join(said if whole else said[:5]))
        ingest([logs], store)
        if not whole:
            for name in texts:
                tag(store, [name], {"version": name})
    assert asked(store, TAGS) == [(name, "version", name) for name in texts]
    assert len(asked(store, "select distinct head_hash from stored.matches")) == 1


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["nowhere"], "no match, file or folder is called 'nowhere'; `railbird bankroll` lists them"),
        ([], "name a match, a file or a folder, or give --event"),
    ],
)
def test_what_no_match_is_called_is_an_error(names: list[str], said: str, logs: Path, tmp_path: Path) -> None:
    ingest([logs], tmp_path / "store")
    changes: list[Callable[[], Chosen]] = [
        lambda: tag(tmp_path / "store", names, {"version": "v1"}),
        lambda: forget(tmp_path / "store", names),
    ]
    for change in changes:
        with pytest.raises(WishError) as raised:
            change()
        assert str(raised.value) == said


@pytest.mark.parametrize("name", ["hands", "Version", "opponent", ""])
def test_names_that_no_tag_can_have(name: str, logs: Path, tmp_path: Path) -> None:
    with pytest.raises(WishError, match="cannot be a tag"):
        ingest([logs], tmp_path / "store", tags={name: "x"})


def test_a_new_place_has_nothing_to_forget(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        forget(tmp_path / "store", ["base.txt"])
    assert not (tmp_path / "store").exists()


def test_a_forgotten_file_leaves_nothing_and_can_be_read_again(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    ingest([logs / "ties.txt"], store)
    alone = asked(store, HANDS)
    ingest([logs], store, tags={"version": "v1"})
    whole, files = asked(store, HANDS), asked(store, FILES)
    done = forget(store, ["base.txt"])
    assert (done.matches, done.files) == (1, 1)
    assert asked(store, HANDS) == alone
    assert [row[0] for row in asked(store, FILES)] == ["ties.txt"]
    assert asked(store, TAGS) == [("ties.txt", "version", "v1")]
    assert ingest([logs], store).unchanged == [str(logs / "ties.txt")]
    assert asked(store, HANDS) == whole
    assert asked(store, FILES) == files
    assert asked(store, TAGS) == [("ties.txt", "version", "v1")]


def test_one_match_of_a_file_is_forgotten_and_the_file_is_not_read_again(logs: Path, tmp_path: Path) -> None:
    store, both = tmp_path / "store", tmp_path / "both.txt"
    both.write_bytes((logs / "base.txt").read_bytes() + (logs / "ties.txt").read_bytes())
    ingest([both], store)
    (first, hands), (second, _) = asked(store, "select match_id, hands from matches order by match_no")
    assert forget(store, [str(first)]) == Chosen(1, int(str(hands)))
    assert asked(store, "select match_id from matches") == [(second,)]
    ((_, status, stored, rejected),) = asked(store, FILES)
    assert (status, rejected) == ("partial", hands)
    assert asked(store, "select count(*) from hands") == [(stored,)]
    assert asked(store, "select reason from files") == [(f"{hands} hands: forgotten",)]
    assert ingest([both], store).unchanged == [str(both)]
    # The rest of it makes the file leave too.
    assert forget(store, ["both"]).files == 1


def test_what_a_forgotten_file_held_as_well_can_be_read_again(logs: Path, tmp_path: Path) -> None:
    """A log with other line ends, the first half of a log, and a log whose end is the beginning of another."""
    store = tmp_path / "store"
    text = (logs / "base.txt").read_bytes()
    (logs / "ties.txt").unlink()
    ingest([logs / "base.txt"], store)
    whole = asked(store, HANDS)
    copy = tmp_path / "copies" / "crlf.txt"
    copy.parent.mkdir()
    copy.write_bytes(text.replace(b"\n", b"\r\n"))
    ingest([copy], store)
    assert [row[:2] for row in asked(store, FILES)] == [("base.txt", "ok"), ("crlf.txt", "ignored")]
    forget(store, ["base.txt"])
    assert [row[:2] for row in asked(store, FILES)] == [("crlf.txt", "reopened")]
    ingest([copy], store)
    assert [row[:2] for row in asked(store, FILES)] == [("crlf.txt", "ok")]
    assert asked(store, HANDS) == whole


def test_hands_taken_out_as_the_beginning_of_a_forgotten_log_come_back(
    sample_logs: Path, tmp_path: Path
) -> None:
    store, folder = tmp_path / "store", tmp_path / "logs"
    folder.mkdir()
    text = (sample_logs / "toss" / "2026.txt").read_bytes()
    starts = [found.start() for found in re.finditer(b"^Round #", text, re.MULTILINE)]
    hands = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    first, second = folder / "first.txt", folder / "second.txt"
    first.write_bytes(b"".join(hands[: len(hands) * 2 // 3]))
    second.write_bytes(b"".join(hands[len(hands) // 3 :]))
    ingest([first], tmp_path / "alone")
    ingest([folder], store)
    cut = asked(store, "select hands from matches join files using (file_id) where path like '%first%'")
    assert cut == [(len(hands) // 3,)]
    forget(store, ["second.txt"])
    assert [row[:2] for row in asked(store, FILES)] == [("first.txt", "reopened")]
    ingest([first], store)
    assert asked(store, HANDS) == asked(tmp_path / "alone", HANDS)
    assert [row[1] for row in asked(store, FILES)] == ["ok"]


def test_two_writers_take_turns(logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    ingest([logs], store)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: tag(store, ["base.txt"], {f"t{k}": str(k)}), range(8)))
    assert asked(store, TAGS) == [("base.txt", f"t{k}", str(k)) for k in range(8)]
