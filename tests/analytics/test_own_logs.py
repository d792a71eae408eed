"""A bot's own lines become notes of its decisions, of no others."""

import json
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run

import railbird as rb
from railbird.analytics.own_logs import read_lines
from railbird.replay.simulate import simulate

Said = list[dict[str, Any]]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of two bots, one of which breaks rules."""
    folder = tmp_path_factory.mktemp("own")
    text = simulate("toss", [("Ann", "loose-aggressive"), ("Bob", "faulty")], 12, 1)
    (folder / "a.txt").write_text(text, newline="")
    return folder


@pytest.fixture
def store(logs: Path, tmp_path: Path) -> Path:
    rb.ingest([logs / "a.txt"], tmp_path / "store", event="cup")
    return tmp_path / "store"


@pytest.fixture
def join(run: Run, logs: Path, store: Path, tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    """Writes lines into a file and ingests with it."""

    def call(lines: "Said | str", *more: Path) -> tuple[int, str, str]:
        text = lines if isinstance(lines, str) else "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / "bot.jsonl").write_text(text, encoding="utf-8")
        return run("ingest", logs / "a.txt", *more, "--store", store, "--join", tmp_path / "bot.jsonl")

    return call


def rows(store: Path, query: str) -> list[tuple[Any, ...]]:
    with rb.open(store) as opened:
        return list(opened.execute(query).fetchall())


def decisions(store: Path, player: str) -> list[tuple[int, int, int, int]]:
    """(hand_no, hand_index, seq, place among the player's own) counted here, hand by hand."""
    found: list[tuple[int, int, int, int]] = []
    asked = rows(
        store,
        "select h.hand_no, a.hand_index, a.seq from actions a join hands h using (match_id, hand_index)"
        f" join players p using (match_id, seat) where p.player = '{player}'"
        " and a.origin not in ('post', 'allin', 'dummy') order by a.hand_index, a.seq",
    )
    for number, hand, seq in asked:
        place = sum(one[1] == hand for one in found)
        found.append((number, hand, seq, place))
    return found


def beliefs(store: Path, player: str, first: int = 0) -> Said:
    return [
        {"round": number, "order": place + first, "equity": ((7 * hand + place) % 100) / 100}
        for number, hand, _, place in decisions(store, player)
    ]


NOTES = "select hand_index, seq, seat, probability, seconds, claim, text, status from notes order by all"


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("player", ["Ann", "Bob"])
def test_each_line_is_tied_to_its_decision(store: Path, join: Any, player: str, first: int) -> None:
    code, out, err = join(beliefs(store, player, first))
    mine = decisions(store, player)
    seat = ["Ann", "Bob"].index(player)
    assert (code, err) == (0, "")
    assert f"{len(mine)} of {len(mine)} lines of " in out.splitlines()[-1]
    assert out.endswith(f"to decisions: {len(mine)} of {player}\n")
    assert rows(store, NOTES) == [
        (hand, seq, seat, ((7 * hand + place) % 100) / 100, None, None, None, None)
        for _, hand, seq, place in mine
    ]
    # The rest of the store is as it was.
    assert rows(store, "select count(*) from hands where verdict <> 'violation'") == [(12,)]


def test_values_of_another_file_are_added_and_replace(store: Path, join: Any) -> None:
    number, hand, seq, place = decisions(store, "Ann")[3]
    line = {"player": "Ann", "round": number, "order": place}
    zero = {"player": "Ann", "round": decisions(store, "Ann")[0][0], "order": 0}
    assert join([zero, line | {"probability": 0.5, "time": 2, "range": ["AA", "KK"]}])[0] == 0
    code, out, _ = join([zero, line | {"equity": 0.25, "reason": "value", "bid": 14, "none": None}])
    assert code == 0
    assert "2 of 2 lines" in out
    found = [row for row in rows(store, NOTES) if row[:2] == (hand, seq)]
    assert found == [(hand, seq, 0, 0.25, 2.0, '["AA", "KK"]', 'value {"bid": 14}', None)]


def test_lines_that_no_decision_has_are_told(store: Path, join: Any) -> None:
    code, out, err = join(
        [
            {"player": "Ann", "round": 1, "order": 0},
            {"player": "Ann", "round": 99, "order": 0},
            {"player": "Ann", "round": 1, "order": -1},
            {"player": "Ann", "round": "1", "order": 0},
            {"player": "Ann", "round": 1, "order": True},
            {"player": "Ann", "round": 1, "order": 0, "equity": 1.5},
            {"player": 7, "round": 1, "order": 0},
            {"player": "Ann", "round": 1, "order": 0, "seconds": float("nan")},
        ]
    )
    assert code == 0
    assert "1 of 8 lines" in out
    said = err.splitlines()
    assert len(said) == 6
    assert "line 3: order is no whole number" in said[0]
    assert said[-1] == "railbird: and 2 more lines that no decision has"


def test_hostile_lines_do_no_harm(store: Path, join: Any) -> None:
    lines = [
        "a bot prints {\n",
        "{" * 100_000 + "\n",
        '{"other": 1}\n',
        '{"player": "Ann", "round": 1, "order": 0, "text": "\\ud800 \\u202e", "claim": {"a": [1]}}\n',
        '{"player": "Ann", "round": 1, "order": 0, "text": "' + "x" * 2_000_000 + '"}\n',
        '{"player": "Ann", "round": 123456789012345678901234567890, "order": 0}\n',
    ]
    code, out, _ = join("".join(lines))
    assert code == 0
    assert "1 of " in out
    ((text, claim),) = rows(store, "select text, claim from notes")
    assert (text, claim) == ("? \u202e", '{"a": [1]}')


def test_a_file_of_nobody_changes_nothing(store: Path, join: Any, run: Run, logs: Path) -> None:
    first = {"round": 1, "order": 0}
    for lines, said in (
        ([first | {"player": "Nobody"}], "no decision of player 'Nobody'"),
        ([first | {"player": "Ann", "match": "b.txt"}], "no decision of player 'Ann' and match 'b.txt'"),
        ([{"round": 99, "order": 0}], "are not all about decisions of one of 'Ann' in a.txt, 'Bob' in a.txt"),
        ("no line\n", "no line is JSON with round and order"),
        ([], "no line is JSON with round and order"),
    ):
        code, _, err = join(lines)
        assert code == 2
        assert said in err
        assert len(err.splitlines()) == 1
    code, _, err = run("ingest", logs / "a.txt", "--store", store, "--join", logs / "absent")
    assert (code, len(err.splitlines())) == (2, 1)
    assert rows(store, NOTES) == []


def test_a_match_is_named_where_there_are_several(store: Path, join: Any, logs: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.txt"
    other.write_text(simulate("toss", [("Ann", "loose-aggressive"), ("Bob", "faulty")], 12, 2), newline="")
    line = {"round": 1, "order": 0, "player": "Ann"}
    code, _, err = join([line], other)
    assert code == 2
    assert "may be about 'Ann' in a.txt, 'Ann' in b.txt" in err
    code, out, _ = join([line | {"match": "b.txt"}], other)
    assert code == 0
    assert "1 of 1 lines" in out
    assert rows(
        store, "select f.path from notes join matches using (match_id) join files f using (file_id)"
    ) == [(str(other),)]


def test_forgotten_matches_take_their_notes_along(store: Path, join: Any) -> None:
    join([{"round": 1, "order": 0, "player": "Ann", "text": "x"}])
    assert len(rows(store, NOTES)) == 1
    # A file that is no log keeps the store from being empty.
    rb.ingest([store.parent / "bot.jsonl"], store)
    rb.forget(store, ["a.txt"])
    assert rows(store, NOTES) == []


def test_a_grown_log_is_joined_again(run: Run, logs: Path, tmp_path: Path) -> None:
    text = (logs / "a.txt").read_text()
    half = "\nRound #".join(text.split("\nRound #")[:7])
    log, own, store = tmp_path / "grown.txt", tmp_path / "bot.jsonl", tmp_path / "store"
    for part in (half, text):
        log.write_text(part, newline="")
        rb.ingest([log], store)
        own.write_text("".join(json.dumps(line) + "\n" for line in beliefs(store, "Ann")))
        code, _, err = run("ingest", log, "--store", store, "--join", own)
        assert (code, err) == (0, "")
        assert len(rows(store, NOTES)) == len(decisions(store, "Ann"))


def test_the_query_of_the_page_runs(store: Path, join: Any) -> None:
    join(beliefs(store, "Ann"))
    (query,) = re.findall(r"```sql\n(.*?)```", (ROOT / "docs" / "own-logs.md").read_text(), re.DOTALL)
    found = rows(store, query)
    assert len(found) == min(20, len(decisions(store, "Ann")))
    gaps = [abs(row[3] - (row[4] > 0)) * abs(row[4]) for row in found]
    assert gaps == sorted(gaps, reverse=True)


WORDS = ("round ---- hand {n} ----", "equity%+range equity {d}% against {*}")


def in_words(store: Path, player: str) -> str:
    """A bot's log in words: a line a hand, a line a decision, and others."""
    text, shown = "started\n", None
    for number, hand, _, place in decisions(store, player):
        if number != shown:
            text += f"---- hand {number} ----\nthinking about hand {number}\n"
            shown = number
        text += f"equity {(7 * hand + place) % 100}.50% against TT+, {place}\r\n"
    return text


def test_a_log_in_words_is_tied_as_json_is(store: Path, run: Run, logs: Path, tmp_path: Path) -> None:
    (tmp_path / "bot.log").write_text(in_words(store, "Bob"), newline="")
    forms = [word for form in WORDS for word in ("--join-line", form)]
    code, out, err = run("ingest", logs / "a.txt", "--store", store, "--join", tmp_path / "bot.log", *forms)
    mine = decisions(store, "Bob")
    assert (code, err) == (0, "")
    assert out.endswith(f"to decisions: {len(mine)} of Bob\n")
    assert rows(store, NOTES) == [
        (
            hand,
            seq,
            1,
            pytest.approx(((7 * hand + place) % 100 + 0.5) / 100),
            None,
            f"TT+, {place}",
            None,
            None,
        )
        for _, hand, seq, place in mine
    ]


def test_a_line_in_words_may_have_its_order_and_its_player(
    store: Path, run: Run, logs: Path, tmp_path: Path
) -> None:
    number, hand, seq, place = decisions(store, "Ann")[0]
    (tmp_path / "bot.log").write_text(
        f"Ann R{number} d{place}: bids -3 with 2h 2d\nAnn R{number} dx: bids 3\n"
    )
    form = "player+round+order+bid+held {p} R{n} d{n}: bids {n} with {c}"
    code, _, err = run(
        "ingest", logs / "a.txt", "--store", store, "--join", tmp_path / "bot.log", "--join-line", form
    )
    assert (code, err) == (0, "")
    said = json.dumps({"bid": -3, "held": "2h 2d"})
    assert rows(store, NOTES) == [(hand, seq, 0, None, None, None, said, None)]


@pytest.mark.parametrize(
    ("forms", "said"),
    [
        (["round R{y}"], "no field {y} in 'R{y}'"),
        (["round+equity R{n}"], "2 keys for 1 fields"),
        (["round+round R{n} {n}"], "1 keys for 2 fields"),
        (["Round R{n}"], "'Round' is no name of a key"),
        (["equity {d}"], "no line has the key round"),
        (["round+equity R{n} {d}"], "no line fits --join-line"),
    ],
)
def test_a_wrong_form_is_one_line(
    forms: list[str], said: str, store: Path, run: Run, logs: Path, tmp_path: Path
) -> None:
    (tmp_path / "bot.log").write_text("nothing\n" + "x" * 100_000 + "\n")
    options = [word for form in forms for word in ("--join-line", form)]
    code, _, err = run("ingest", logs / "a.txt", "--store", store, "--join", tmp_path / "bot.log", *options)
    assert (code, len(err.splitlines())) == (2, 1)
    assert said in err
    assert run("ingest", logs / "a.txt", "--store", store, *options)[0] == 2


def test_hands_are_ordered_by_how_wrong_the_belief_was(store: Path, join: Any, run: Run) -> None:
    said = beliefs(store, "Ann")
    command = ("hands", "--sort", "belief", "--player", "Bob", "--store", store)
    nothing = "No hand meets these conditions.\n"
    without = "No hand has a belief: `railbird ingest --join` adds them (docs/own-logs.md).\n"
    assert run(*command)[1] == nothing + without
    join(said)
    gaps: dict[int, float] = {}
    won = dict(rows(store, "select hand_index, delta from seats where player = 'Ann'"))
    for (_, hand, _, _), line in zip(decisions(store, "Ann"), said, strict=True):
        gap = abs(line["equity"] - (won[hand] > 0)) * abs(won[hand])
        gaps[hand] = max(gaps.get(hand, 0.0), gap)
    code, out, _ = run("hands", "--sort", "belief", "--player", "Ann", "--store", store, "--format", "json")
    listed = [row["hand_index"] for row in json.loads(out)]
    assert code == 0 and sorted(listed) == sorted(gaps)
    assert [gaps[hand] for hand in listed] == pytest.approx(sorted(gaps.values(), reverse=True))
    code, out, _ = run("hands", "--sort", "belief", "--player", "Ann", "--store", store, "--limit", "1")
    furthest = [
        line["equity"]
        for (_, hand, _, _), line in zip(decisions(store, "Ann"), said, strict=True)
        if hand == listed[0]
    ]
    worst = max(furthest, key=lambda belief: abs(belief - (won[listed[0]] > 0)))
    assert "believed" in out and f" {100 * worst:.1f}%" in out
    assert run(*command)[1] == nothing


def test_beliefs_stand_beside_what_was_true(store: Path, join: Any, run: Run) -> None:
    """Counted here from the decisions, the results and the exact equities."""
    assert join(beliefs(store, "Ann"))[0] == 0
    won = dict(rows(store, "select hand_index, delta > 0 from seats where seat = 0"))
    exact = {
        (hand, seq): equity
        for hand, seq, equity in rows(
            store,
            "select a.hand_index, a.seq, e.equity_actual from actions a "
            "left join equities e using (match_id, hand_index, street, seat) where seat = 0",
        )
    }
    played = {
        (hand, seq)
        for hand, seq in rows(
            store,
            "select hand_index, seq from actions where seat = 0 and origin = 'choice' "
            "and action in ('fold', 'check', 'call', 'bet', 'raise')",
        )
    }
    said = [
        (hand, ((7 * hand + place) % 100) / 100, exact[hand, seq])
        for _, hand, seq, place in decisions(store, "Ann")
        if (hand, seq) in played
    ]
    assert len(said) > 20
    found = rows(
        store,
        "select tenth, opportunities, hands, believed, successes, n_exact, equity, off, error from beliefs "
        "order by tenth",
    )
    groups: dict[int | None, list[tuple[int, float, float | None]]] = {None: said}
    for one in said:
        groups.setdefault(int(one[1] * 10) + 1, []).append(one)
    assert [row[0] for row in found] == [*sorted(key for key in groups if key is not None), None]
    for tenth, n, hands, believed, k, n_exact, equity, off, error in found:
        mine = groups[tenth]
        known = [(p, e) for _, p, e in mine if e is not None]
        assert (n, hands, n_exact) == (len(mine), len({hand for hand, *_ in mine}), len(known))
        assert k == sum(won[hand] for hand, *_ in mine)
        assert believed == pytest.approx(sum(p for _, p, _ in mine) / n)
        means = [
            sum(some) / len(known) for some in zip(*((e, p - e, abs(p - e)) for p, e in known), strict=True)
        ]
        assert [equity, off, error] == (pytest.approx(means) if known else [None] * 3)
    ((low, mean, high, rate_low, rate, rate_high),) = rows(
        store, "select off_low, off, off_high, low, rate, high from beliefs where tenth is null"
    )
    assert low < mean < high and rate_low < rate < rate_high
    code, out, err = run("stats", "--show", "beliefs", "--store", store)
    assert (code, err) == (0, "")
    assert re.search(rf"\ball +{len(said)}\b", out)
    # The answer comes first, and says a difference only where the interval has one sign.
    verdict = "points too" if low * high > 0 else "no difference beyond chance"
    first = " ".join(out[: out.index("Chances to win")].split())
    assert first.startswith(f"Ann: in {len(said)} decisions it noted ") and verdict in first


def test_a_line_without_end_takes_no_memory(tmp_path: Path) -> None:
    """Of a long line the beginning is read, and the lines after it keep their numbers."""
    path = tmp_path / "own.jsonl"
    with path.open("wb") as out:
        out.write(b'{"round": 1, "order": 0, "x": "')
        out.truncate(300_000_000)
        out.seek(0, 2)
        out.write(b'"}\n{"round": 2, "order": 0}\n')
    tracemalloc.start()
    try:
        long, after = read_lines(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert long == "line 1: longer than 1,000,000 bytes"
    assert not isinstance(after, str)
    assert after.number == 2
    assert peak < 10_000_000
