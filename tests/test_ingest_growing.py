"""Logs that grow, and copies of logs: a match is stored once, with all that was ever said of it."""

import sys
from pathlib import Path

import pytest

import railbird as rb
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.storage.copies import Copy

MATCHES = "select hands, complete from matches"


PLAYERS = [("Ann", "random"), ("Bo", "random")]


def asked(store: Path, query: str) -> list[tuple[object, ...]]:
    with rb.open(store) as opened:
        return opened.execute(query).fetchall()


@pytest.mark.parametrize("before", [1, 2, 4, 5, 7])
def test_an_acpc_log_replaces_its_shorter_version_however_short(
    before: int, sample_logs: Path, tmp_path: Path
) -> None:
    lines = (sample_logs / "acpc" / "limit.log").read_bytes().splitlines(keepends=True)
    first = next(k for k, line in enumerate(lines) if line.startswith(b"STATE:"))
    log = tmp_path / "event" / "log"
    log.parent.mkdir()
    for hands in (before, before + 3):
        log.write_bytes(b"".join(lines[: first + hands]))
        ingest([log], tmp_path / "store")
    assert asked(tmp_path / "store", MATCHES) == [(before + 3, False)]


@pytest.mark.parametrize("missing", range(1, 8))
def test_an_acpc_log_that_stops_within_its_first_names_is_no_match_of_its_own(
    missing: int, sample_logs: Path, tmp_path: Path
) -> None:
    whole = (sample_logs / "acpc" / "Heron.Otter.0.log").read_bytes()
    log = tmp_path / "log"
    first_end = whole.index(b"\n", whole.index(b"STATE:0:")) + 1
    log.write_bytes(whole[: first_end - missing])
    (account,) = ingest([log], tmp_path / "store").files
    assert (account.hands_stored, account.hands_rejected) == (0, 1)
    log.write_bytes(whole)
    ingest([log], tmp_path / "store")
    assert asked(tmp_path / "store", "select hands, players from matches") == [(40, ["Heron", "Otter"])]


def half_of(log: Path, opens: bytes) -> bytes:
    """A log to the end of the hand in its middle."""
    text = log.read_bytes()
    return text[: text.index(opens, len(text) // 2)]


LOGS = [
    ("bounty/2025-01-07.txt", b"Round #"),
    ("toss/2026.txt", b"Round #"),
    ("auction/2024-01-30.txt", b"Round #"),
    ("holdem-mit/base.txt", b"Round #"),
    ("koper/v1-mixed.txt", b"--- Starting Game"),
    ("acpc/Heron.Otter.0.log", b"STATE:"),
]


@pytest.mark.parametrize(("name", "opens"), LOGS)
def test_a_log_that_holds_its_own_beginning_too_is_stored_once(
    name: str, opens: bytes, sample_logs: Path, tmp_path: Path
) -> None:
    """The file with both is read to its end in two commits, and has one row that tells of both."""
    log, folder = sample_logs / name, tmp_path / "logs"
    folder.mkdir()
    (folder / "both.txt").write_bytes(half_of(log, opens) + log.read_bytes())
    (folder / "other.txt").write_text(simulate("swap", PLAYERS, 20, 1), newline="")
    (whole,) = ingest([log], tmp_path / "alone").files
    for _ in range(2):
        ingest([folder], tmp_path / "store")
        kept = asked(tmp_path / "store", "select hands from matches where game <> 'swap'")
        assert kept == [(whole.hands_stored,)]
        rows = asked(
            tmp_path / "store",
            "select matches, hands_stored, hands_seen, status, reason like '%longer version%' from files"
            " where path like '%both%'",
        )
        assert len(rows) == 1
        matches, stored, seen, status, said = rows[0]
        assert (matches, stored, status, said) == (1, whole.hands_stored, "partial", True)
        assert int(str(seen)) > whole.hands_stored
        assert asked(tmp_path / "store", "select count(*) from matches anti join files using (file_id)") == [
            (0,)
        ]


@pytest.mark.parametrize(("name", "opens"), LOGS)
def test_who_is_killed_between_the_commits_of_a_log_reads_it_again(
    name: str, opens: bytes, sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, both = sample_logs / name, tmp_path / "both.txt"
    both.write_bytes(half_of(log, opens) + log.read_bytes())
    module, commits = sys.modules["railbird.ingest"], [0]
    publish = module.publish

    def killed(*arguments: object, **named: object) -> list[Copy]:
        commits[0] += 1
        if commits[0] == 2:
            raise KeyboardInterrupt
        copies: list[Copy] = publish(*arguments, **named)
        return copies

    monkeypatch.setattr(module, "publish", killed)
    with pytest.raises(KeyboardInterrupt):
        ingest([both], tmp_path / "store")
    assert asked(tmp_path / "store", "select status, reason from files") == [
        ("rejected", "not read to its end yet")
    ]
    monkeypatch.setattr(module, "publish", publish)
    ingest([both], tmp_path / "store")
    ingest([log], tmp_path / "alone")
    hands = "select hands from matches"
    assert asked(tmp_path / "store", hands) == asked(tmp_path / "alone", hands)
    stored = asked(tmp_path / "store", "select matches, hands_stored, status from files")
    assert stored == [(1, *asked(tmp_path / "alone", hands)[0], "partial")]


@pytest.mark.parametrize("blank", [b"\n", b"\n \n\r\n"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize(("name", "opens"), LOGS)
def test_blank_lines_at_the_end_of_a_shorter_version_are_not_its_text(
    name: str, opens: bytes, order: tuple[int, int], blank: bytes, sample_logs: Path, tmp_path: Path
) -> None:
    log = sample_logs / name
    versions = (half_of(log, opens) + blank, log.read_bytes())
    for place in order:
        (tmp_path / f"{place}.txt").write_bytes(versions[place])
        ingest([tmp_path / f"{place}.txt"], tmp_path / "store")
    ingest([log], tmp_path / "alone")
    hands = "select hands from matches"
    assert asked(tmp_path / "store", hands) == asked(tmp_path / "alone", hands)


@pytest.mark.parametrize("order", [(3, 12), (12, 3)])
def test_few_hands_of_other_blinds_are_known_as_those_of_the_whole_log(
    order: tuple[int, int], tmp_path: Path
) -> None:
    """Three hands do not tell the blinds of their match; twelve do."""
    text = "6.176 MIT Pokerbots - X vs Y\n\n"
    rounds = [
        f"Round #{n}, {a} ({(1 - n) % 2 * 5}), {b} ({(n - 1) % 2 * -5})\n{a} posts the blind of 5\n"
        f"{b} posts the blind of 10\n{a} dealt [Ah Kd]\n{b} dealt [Qs 9s]\n{a} folds\n{a} awarded -5\n{b} awarded 5\n"
        for n in range(1, 13)
        for a, b in [("X", "Y") if n % 2 else ("Y", "X")]
    ]
    for hands in order:
        log = tmp_path / "event" / f"{hands}.txt"
        log.parent.mkdir(exist_ok=True)
        log.write_text(text + "\n".join(rounds[:hands]), newline="")
        ingest([log], tmp_path / "store")
    assert asked(tmp_path / "store", "select hands, blinds from matches") == [(12, [5.0, 10.0])]
    verdicts = "select verdict, count(*) from hands group by all order by all"
    assert asked(tmp_path / "store", verdicts) == [("engine_deviation", 1), ("ok", 11)]


def _bounty() -> tuple[bytes, bytes]:
    """A log as far as its final line, and what follows it."""
    text = simulate("bounty", PLAYERS, hands=6, seed=1).encode()
    at = text.index(b"\n", text.index(b"\nFinal, ") + 1)
    return text[:at], text[at:]


def test_what_is_said_after_the_end_is_checked_though_the_match_was_stored_before(tmp_path: Path) -> None:
    whole, after = _bounty()
    log = tmp_path / "event" / "log.txt"
    log.parent.mkdir()
    wrong = after[: after.rindex(b" ") + 1] + b"99999"
    for text, found in ((whole, 0), (whole + b"\n", 0), (whole + wrong, 1)):
        log.write_bytes(text)
        ingest([log], tmp_path / "store")
        assert asked(tmp_path / "store", MATCHES) == [(6, True)]
        assert asked(tmp_path / "store", "select count(*) from findings where rule = 'bets-ev'") == [(found,)]


@pytest.mark.parametrize(
    "name", ["bounty/2025-01-30.txt", "acpc/limit.log", "koper/v1-mixed.txt", "blotto/2021-01-27.txt"]
)
def test_a_copy_with_other_line_ends_or_blank_lines_before_it_is_the_same_match(
    name: str, sample_logs: Path, tmp_path: Path
) -> None:
    text = (sample_logs / name).read_bytes()
    copies = {"a": text, "b": text.replace(b"\n", b"\r\n"), "c": b"\n \n" + text.lstrip(), "d": text + b"\n"}
    copies["e"] = b"\xef\xbb\xbf" + text
    for folder, copy in copies.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / Path(name).name).write_bytes(copy)
    for order in ("abcde", "edcba"):
        for folder in order:
            ingest([tmp_path / folder], tmp_path / order)
        assert len(asked(tmp_path / order, MATCHES)) == 1
        # The first stays: a copy says no more.
        assert asked(tmp_path / order, "select event from matches") == [(order[0],)]


def test_logs_joined_without_a_line_end_between_them_are_both_read(tmp_path: Path) -> None:
    first, after = _bounty()
    second = simulate("holdem-mit", PLAYERS, hands=6, seed=2).encode()
    assert not (first + after).endswith(b"\n")
    for name, text in {"ends-at-final": first, "ends-at-evs": first + after}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "log.txt").write_bytes(text + second)
        ingest([tmp_path / name], tmp_path / name / "store")
        assert asked(tmp_path / name / "store", f"{MATCHES} order by match_no") == [(6, True), (6, True)]
        assert asked(
            tmp_path / name / "store", "select count(*) from findings where verdict = 'violation'"
        ) == [(0,)]
        assert asked(tmp_path / name / "store", "select sum(lines_unknown) from files") == [(0,)]


@pytest.mark.parametrize(
    ("name", "more"),
    [("bounty/2025-01-30.txt", 4), ("blotto/2021-01-27.txt", 4), ("koper/v2-mixed.all_games.txt", 0)],
)
def test_unknown_lines_of_a_hand_that_is_not_paid_are_told(
    name: str, more: int, sample_logs: Path, tmp_path: Path
) -> None:
    """Three lines that nobody writes within a last hand whose end is missing; of what is cut short nothing is told."""
    lines = (sample_logs / name).read_bytes().splitlines(keepends=True)
    strange = [*lines[:-12], *[b"hello world\n"] * 3, lines[-12], lines[-11][:more]]
    (tmp_path / "log").write_bytes(b"".join(strange))
    (account,) = ingest([tmp_path / "log"], tmp_path / "store").files
    assert account.hands_rejected == 1
    told = "select count(*) filter (where text = 'hello world'), count(*) from unknown_lines"
    assert asked(tmp_path / "store", told) == [(3, 4)]
    assert asked(tmp_path / "store", "select lines_unknown, status from files") == [(3, "partial")]


def test_a_hand_whose_first_line_cannot_be_read_is_left_out_and_told(
    sample_logs: Path, tmp_path: Path
) -> None:
    text = (sample_logs / "bounty" / "2025-01-30.txt").read_bytes()
    (tmp_path / "log").write_bytes(text.replace(b"Round #40,", b"Round #forty,"))
    ingest([tmp_path / "log"], tmp_path / "store")
    told = "select hands_seen, hands_stored, lines_unknown, status, reason from files"
    why = "no template accepts it, and a hand begins with it"
    assert asked(tmp_path / "store", told) == [(60, 59, 1, "partial", f"1 hand: {why}")]
    assert asked(tmp_path / "store", "select reason from unknown_lines") == [(why,)]


@pytest.mark.parametrize("first", [b"\n", b"\r\n"])
def test_a_copy_with_line_ends_of_two_kinds_is_the_same_match(
    first: bytes, sample_logs: Path, tmp_path: Path
) -> None:
    text = (sample_logs / "bounty" / "2025-01-30.txt").read_bytes()
    head, _, rest = text.partition(b"\n")
    (tmp_path / "one").write_bytes(text)
    (tmp_path / "two").write_bytes(head + first + rest.replace(b"\n", b"\r\n"))
    ingest([tmp_path / "one", tmp_path / "two"], tmp_path / "store")
    assert asked(tmp_path / "store", MATCHES) == [(60, True)]
