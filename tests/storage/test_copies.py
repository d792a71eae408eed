"""Copies of parts of matches: their hands are stored once, whatever the order in which logs are read."""

import gzip
import logging
import re
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

import railbird as rb
from railbird.ingest import ingest
from railbird.storage import copies
from railbird.storage.copies import OVERLAP
from railbird.storage.index import StoredMatch

LOGS = [
    ("bounty/2025-01-07.txt", b"Round #"),
    ("bounty/one-name.txt", b"Round #"),
    ("toss/2026.txt", b"Round #"),
    ("auction/2024-01-30.txt", b"Round #"),
    ("blotto/2021-01-27.txt", b"Round #"),
    ("koper/v1-mixed.txt", b"--- Starting Game"),
    ("acpc/limit.log", b"STATE:"),
    ("acpc/Ash.Birch.Cedar.0.log", b"STATE:"),
]

HANDS = "select hand_no, player, delta from seats join hands using (match_id, hand_index) order by all"
MATCHES = """
select regexp_extract(path, '[^/]*$'), m.hands, (select count(*) from hands where match_id = m.match_id)
from matches m join files using (file_id) order by all
"""
FILES = """
select regexp_extract(path, '[^/]*$'), hands_stored, hands_rejected, hands_seen, matches from files order by all
"""

Hand = tuple[object, ...]


def asked(store: Path, query: str) -> list[tuple[object, ...]]:
    with rb.open(store) as opened:
        return opened.execute(query).fetchall()


def hands_of(log: Path, opens: bytes) -> list[bytes]:
    """The hands of a log, each with the lines up to the next."""
    text = log.read_bytes()
    starts = [found.start() for found in re.finditer(b"^" + opens, text, re.MULTILINE)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def written(folder: Path, name: str, hands: list[bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(b"".join(hands))
    return path


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "opens"), LOGS)
def test_any_cuts_of_a_log_in_any_order_make_one_store(
    name: str, opens: bytes, seed: int, sample_logs: Path, tmp_path: Path
) -> None:
    random = Random(f"{name} {seed}")
    hands = hands_of(sample_logs / name, opens)
    cuts: set[tuple[int, int]] = set()
    while len(cuts) < 4:
        first = random.choice([0, random.randrange(len(hands))])
        cuts.add((first, min(first + random.choice([1, 3, 8, len(hands) // 2]), len(hands))))
    logs = [written(tmp_path / "logs", f"{a}-{b}.txt", hands[a:b]) for a, b in sorted(cuts)]
    log = random.choice(logs)
    log.write_bytes(log.read_bytes().replace(b"\n", b"\r\n"))
    found = []
    for order in ("together", "one by one"):
        random.shuffle(logs)
        for some in [logs] if order == "together" else [[log] for log in logs]:
            ingest(some, tmp_path / order)
        found.append([asked(tmp_path / order, query) for query in (HANDS, MATCHES, FILES)])
    assert found[0] == found[1]
    # Overlaps of fewer hands than that are counted twice.
    short = any(
        0 < min(b, d) - max(a, c) < OVERLAP and not (a <= c and d <= b) and not (c <= a and b <= d)
        for a, b in cuts
        for c, d in cuts
    )
    most = max(Counter((hand[0], hand[1]) for hand in found[0][0]).values())
    names = max(Counter(hand[0] for hand in asked_whole(sample_logs / name, tmp_path)).values())
    assert short or most <= names


def asked_whole(log: Path, folder: Path) -> list[Hand]:
    ingest([log], folder / "whole")
    return asked(folder / "whole", HANDS)


HALVES = [
    ("halves", (0, 14), (9, 20), (9, 11)),
    ("tail", (0, 20), (12, 20), (20, 0)),
    ("one", (0, 20), (7, 8), (20, 0)),
]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("what", "one", "other", "stored"), HALVES, ids=[h[0] for h in HALVES])
def test_the_ledger_says_which_file_holds_copied_hands(
    what: str,
    one: tuple[int, int],
    other: tuple[int, int],
    stored: tuple[int, int],
    turned: bool,
    packed: bool,
    sample_logs: Path,
    tmp_path: Path,
) -> None:
    hands = hands_of(sample_logs / "toss/2026.txt", b"Round #")
    a, b = (written(tmp_path, name, hands[slice(*cut)]) for name, cut in (("a.txt", one), ("b.txt", other)))
    if packed:
        a.write_bytes(gzip.compress(a.read_bytes()))
        a = a.rename(tmp_path / "a.txt.gz")
    both = [a, b][:: -1 if turned else 1]
    summary = ingest([both[0]], tmp_path / "store")
    summary = ingest([both[1]], tmp_path / "store")
    copied = one[1] - one[0] + other[1] - other[0] - sum(stored)
    loser, holder = (a, b) if what == "halves" else (b, a)
    said = f"{copied} {'hand' if copied == 1 else 'hands'}: part of {holder}"
    assert any(str(loser) in line and said in line for line in summary.lines())
    rows = asked(tmp_path / "store", "select hands_stored, hands_rejected, status from files order by path")
    left = {a: stored[0], b: stored[1]}
    assert rows == [
        (left[f], copied * (f == loser), "ok" if f != loser else "partial" if left[f] else "ignored")
        for f in (a, b)
    ]
    assert asked(tmp_path / "store", "select reason from unknown_lines where reason like '%part of%'") == [
        (said,)
    ]
    assert asked(tmp_path / "store", "select count(*), count(distinct hand_no) from hands") == [(20, 20)]
    assert not ingest([a, b], tmp_path / "store").files


def test_two_runs_of_one_seed_that_differ_both_count(tmp_path: Path) -> None:
    """They begin alike, and one is longer; one hand has other actions with the same cards and awards."""
    hands = [
        b"Round #%d, A (0), B (0)\nA posts the blind of 1\nB posts the blind of 2\nA dealt [Ah Kd]\nB dealt [As Ks]\n"
        b"A calls\nB checks\nFlop [2c 3d %s], A (2), B (2)\nB checks\nA checks\nTurn [2c 3d %s 8h], A (2), B (2)\n"
        b"B checks\nA checks\nRiver [2c 3d %s 8h 9c], A (2), B (2)\nB checks\nA checks\nA shows [Ah Kd]\n"
        b"B shows [As Ks]\nA awarded 0\nB awarded 0\n\n" % (n, card, card, card)
        for n, card in enumerate((b"Jd", b"Qs", b"Td", b"Js", b"Qd", b"7c", b"7d", b"6s"), 1)
    ]
    other = [
        hands[k].replace(b"calls\nB checks", b"raises to 4\nB calls").replace(b"(2)", b"(4)")
        if k == 5
        else hands[k]
        for k in range(7)
    ]
    for name, some in (("a.txt", hands), ("b.txt", other)):
        written(tmp_path / "logs", name, [b"6.176 MIT Pokerbots - A vs B\n\n", *some])
    ingest([tmp_path / "logs"], tmp_path / "store")
    assert asked(tmp_path / "store", "select hands from matches order by all") == [(7,), (8,)]


def test_equal_hands_within_matches_that_differ_are_no_copies(sample_logs: Path, tmp_path: Path) -> None:
    """The last hand has other cards: the end of neither is the beginning of the other."""
    hands = hands_of(sample_logs / "acpc/limit.log", b"STATE:")
    changed = re.sub(rb":(\w{4})\|(\w{4})", rb":\2|\1", hands[9])
    assert changed != hands[9]
    written(tmp_path / "logs", "a.log", hands[:10])
    written(tmp_path / "logs", "b.log", [*hands[4:9], changed])
    summary = ingest([tmp_path / "logs"], tmp_path / "store")
    assert [account.hands_stored for account in summary.files] == [10, 6]


def test_many_equal_matches_become_what_pairs_of_them_become(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal ones, one with another action, one with another result, and a longer one that begins like them."""
    hand = b"STATE:%d:%s:Qs8d|2h7c:%s:Heron|Otter\n"
    kinds = [
        [hand % (0, b"rrf", b"-10|10")],
        [hand % (0, b"rrrf", b"-10|10")],
        [hand % (0, b"rf", b"-20|20")],
        [hand % (0, b"rrf", b"-10|10"), hand % (1, b"rf", b"5|-5")],
    ]
    header = b"# name/game/hands/seed %d holdem.limit.2p.reverse_blinds.game 100 1\n"
    for name, times in (("a.log", (0, 0, 1, 1, 2)), ("b.log", (3, 3, 1, 2, 0, 0)), ("c.log", (0, 2, 2))):
        texts = [header % (k + 10 * len(times)) + b"".join(kinds[kind]) for k, kind in enumerate(times)]
        written(tmp_path / "logs", name, texts)
    stored = """
        select path, line, hands, (select count(*) from actions where match_id = m.match_id)
        from matches m join files using (file_id) order by all
    """
    left_out = "select path, line, u.reason from unknown_lines u join files using (file_id) order by all"
    found = {}
    for most in (2, 1000):
        monkeypatch.setattr(copies, "_MANY", most)
        store = tmp_path / f"store-{most}"
        ingest([tmp_path / "logs" / "b.log"], store)
        ingest([tmp_path / "logs"], store)
        found[most] = [asked(store, query) for query in (stored, left_out, FILES)]
    assert found[2] == found[1000]
    # One of each kind but the first, which the longer one holds.
    assert [row[2] for row in found[2][0]] == [1, 2, 1]


def test_equal_matches_are_verified_together(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Rows of their seats agree in match_id and hand_index; the match's place in the chunk tells whose they are."""
    hand = b"# name/game/hands/seed 1 holdem.limit.2p.reverse_blinds.game 100 1\nSTATE:0:rrf:Qs8d|2h7c:-10|10:A|B\n"
    log = written(tmp_path, "log.log", [hand] * 5)
    with caplog.at_level(logging.DEBUG, "railbird"):
        (account,) = ingest([log], tmp_path / "store").files
    assert not caplog.records
    assert (account.hands_stored, dict(account.rejected)) == (1, {"already in the store": 4})


def test_a_longer_version_of_a_log_takes_its_part_out_again(sample_logs: Path, tmp_path: Path) -> None:
    """The tail was read first; the log then grows past its end, and holds all of it."""
    hands = hands_of(sample_logs / "toss/2026.txt", b"Round #")
    written(tmp_path, "tail.txt", hands[8:14])
    ingest([tmp_path / "tail.txt"], tmp_path / "store")
    for size, kept in ((6, [6, 6]), (15, [15]), (20, [20])):
        log = written(tmp_path, "log.txt", hands[:size])
        ingest([log], tmp_path / "store")
        assert asked(tmp_path / "store", "select hands from matches") == [(n,) for n in kept]


def test_a_log_that_grows_after_its_end_was_taken_out_is_whole_again(
    sample_logs: Path, tmp_path: Path
) -> None:
    hands = hands_of(sample_logs / "toss/2026.txt", b"Round #")
    log = written(tmp_path, "log.txt", hands[:12])
    ingest([log, written(tmp_path, "next.txt", hands[6:16])], tmp_path / "store")
    query = (
        "select regexp_extract(path, '[^/]*$'), hands from matches join files using (file_id) order by all"
    )
    assert asked(tmp_path / "store", query) == [("log.txt", 6), ("next.txt", 10)]
    written(tmp_path, "log.txt", hands[:18])
    ingest([log], tmp_path / "store")
    assert asked(tmp_path / "store", query) == [("log.txt", 18)]


def _log(number: int, hands: tuple[int, ...], known: int, first: int = 1, gap: int = 0) -> copies._Log:
    """A log of such hands, of which so many are stored."""
    match = StoredMatch(
        number, number, known, False, 0, 0, 0, first_hand_no=first, last_hand_no=first + len(hands) - 1 + gap
    )
    hashes = np.array([*hands[:known], *[0] * (len(hands) - known)], np.uint64)
    marks = np.array([hand & 3 for hand in hands], np.uint8)
    return copies._Log(match, len(hands), marks, ("a", "b"), number, 1, False, hashes)


@pytest.mark.parametrize("seed", range(20))
def test_logs_with_one_first_hand_become_what_pairs_of_them_become(seed: int) -> None:
    random = Random(seed)
    logs = []
    for number in range(1, 30):
        hands = (1, *random.choices((1, 2, 5, 6), (6, 2, 1, 1), k=random.randrange(6)))
        # Of some the last hands are stored no more; some have gaps.
        known = len(hands) if random.random() < 0.8 or seed % 2 else random.randrange(1, len(hands) + 1)
        logs.append(_log(number, hands, known, gap=int(seed % 4 == 1 and random.random() < 0.1)))
    both = [(one, other) for one in logs for other in logs if one is not other]
    whole = copies._judged([pair for pair in both if any(copies._meets(*pair, by_marks=True))])
    few = copies._judged(list(copies._opened(copies._begun(logs))))
    assert {k: (kept, of.match.match_id) for k, (_, kept, of) in few.items()} == {
        k: (kept, of.match.match_id) for k, (_, kept, of) in whole.items()
    }
    assert whole


@pytest.mark.parametrize("gap", [0, 3])
@pytest.mark.parametrize("longest", [1, 12])
def test_the_number_of_pairs_grows_with_that_of_logs(longest: int, gap: int) -> None:
    # Nested, equal, and unlike from the second hand on.
    logs = [
        _log(k, (1, *range(2, 2 + k % longest), 5 + k % 50), 2 + k % longest, gap=gap) for k in range(1, 2001)
    ]
    assert len(list(copies._opened(copies._begun(logs)))) < len(logs)


def logged(match_id: int, marks: list[int], first: int, last: int, players: int) -> copies._Log:
    match = StoredMatch(match_id, match_id, len(marks), False, 0, 0, 0, "", players, first, last)
    return copies._Log(match, len(marks), np.array(marks, np.uint8), (), match_id, 1, False)


def meets(one: copies._Log, other: copies._Log) -> bool:
    return next(copies._meets(one, other, by_marks=True), None) is not None


@pytest.mark.parametrize("seed", range(40))
def test_first_hands_are_found_within_others_as_by_comparing_each_with_each(seed: int) -> None:
    """Short logs, long ones, some with gaps; few marks, so that many are equal by chance."""
    random = Random(seed)
    logs = []
    for match_id in range(1, 40):
        marks = [random.choice((0, 0, 1)) for _ in range(random.choice((1, 2, 4, 5, 6, 12, 30)))]
        first = random.randrange(1, 25)
        last = first + len(marks) - 1 + random.choice((0, 0, 0, 3))
        logs.append(logged(match_id, marks, first, last, random.choice((7, 8))))
    compared = {
        (one.match.match_id, other.match.match_id)
        for one in logs
        for other in logs
        if one.match.players_hash == other.match.players_hash
        and one.match.first_hand_no != other.match.first_hand_no
        and one.match.first_hand_no <= other.match.last_hand_no
        and other.match.first_hand_no <= one.match.last_hand_no
        and meets(one, other)
    }
    found = list(copies._begin_within(logs))
    assert {
        (one.match.match_id, other.match.match_id) for one, other in found if meets(one, other)
    } == compared
    assert compared


def test_many_logs_of_the_same_players_that_overlap_are_not_compared_in_pairs() -> None:
    random = Random(1)
    logs = [
        logged(k, [random.randrange(4) for _ in range(60)], first := k % 59, first + 59, 7)
        for k in range(1000)
    ]
    assert sum(1 for _ in copies._begin_within(logs)) < 10_000
