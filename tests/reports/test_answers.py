"""Which match is meant, how a hand is stepped, what the rates printed are."""

import csv
import io
import json
from collections import Counter, defaultdict

import pytest

from railbird.analytics.players import UnknownPlayer
from railbird.analytics.store import Store
from railbird.reports import Format, UserError, replayer, stats, terminal
from railbird.reports.matches import all_matches, find_matches, one_match, some_at_a_time
from railbird.reports.terminal import Answer
from railbird.reports.winnings import results

GIVE_BACK = ("holdem-2017", "omaha-2016", "pineapple-2013", "redraw-2017")


def test_a_match_is_found_by_id_beginning_path_and_file(sample_store: Store) -> None:
    everything = all_matches(sample_store)
    for match in everything:
        for text in (str(match.match_id), str(match.match_id)[:12]):
            assert [found.match_id for found in find_matches(sample_store, text)] == [match.match_id]
        same_file = [one.match_id for one in everything if one.path == match.path]
        folder = match.path.split("/")[-2]
        for text in (match.path, f"{folder}/{match.file}", f"{folder}/{match.file.rpartition('.')[0]}"):
            assert [found.match_id for found in find_matches(sample_store, text)] == same_file
    assert {match.file for match in find_matches(sample_store, "one-name")} == {
        "one-name.log",
        "one-name.txt",
    }
    assert {match.file for match in find_matches(sample_store, "one-name.txt")} == {"one-name.txt"}
    assert [match.event for match in find_matches(sample_store, "bounty/one-name")] == ["bounty"]


@pytest.mark.parametrize("text", ["", "0x", "one-nam", "%", "/", "ounty/one-name", "bounty"])
def test_nothing_else_finds_one(sample_store: Store, text: str) -> None:
    with pytest.raises(UserError):
        find_matches(sample_store, text)


def test_several_are_listed(sample_store: Store) -> None:
    with pytest.raises(UserError) as error:
        one_match(sample_store, "faults", "--plot draws one match")
    fitting = [match.file for match in all_matches(sample_store) if match.file.rpartition(".")[0] == "faults"]
    assert len(fitting) > 5
    assert str(error.value).startswith(f"--plot draws one match, but 'faults' matches {len(fitting)}: ")
    assert str(error.value).count("(faults.") == 5
    assert str(error.value).endswith(f" and {len(fitting) - 5} more; give a match_id")
    with pytest.raises(UserError, match=r"the store has \d+: .* and \d+ more; give a match_id"):
        one_match(sample_store, None, "--plot draws one match")


@pytest.mark.parametrize("text", ["", "#", "1", "#1", "a#", "a#-1", "a#x", "a#²"])
def test_a_hand_has_a_name_of_one_form(text: str) -> None:
    with pytest.raises(UserError, match="a hand is named MATCH#HAND, such as 1234567#0, not "):
        replayer.parse_name(text)


def test_a_hand_out_of_range(sample_store: Store) -> None:
    match = all_matches(sample_store)[0]
    with pytest.raises(UserError) as error:
        replayer.load_hand(sample_store, f"{match.match_id}#{match.hands}")
    last = match.hands - 1
    assert str(error.value) == f"match {match.match_id} has hands 0 to {last}, not {match.hands}"


def test_hands_of_every_match_can_be_stepped(sample_store: Store) -> None:
    """Every stored action, deal and fault is one step, in the order of lines and streets; pots never shrink.

    Cards that an action gives away, and those of a Blotto card set, are one step with it. A street's cards come before
    what is done on it, in a game without a board those that are passed.
    Blotto's boards have a pot each and begin with 2, 4 and 6 chips that no player puts in.
    MIT's engines of 2012 to 2017 give back the part of a bet that nobody called: the pot of the hand is without it.
    """
    counts = Counter[tuple[int, int]]()
    alone = """
        deals as d where kind like '%redraw' or not exists (
            from actions as a where a.match_id = d.match_id and a.hand_index = d.hand_index and a.line = d.line
                and a.action in ('discard', 'assign', 'pass'))
    """
    for table in ("actions", alone, "faults"):
        for number, index, rows in sample_store.execute(
            f"select match_id, hand_index, count(*) from (from {table}) where hand_index is not null group by all"
        ).fetchall():
            counts[number, index] += rows
    games = set[str]()
    for match in all_matches(sample_store):
        # The second hand, with the other dealer, of one match a game.
        twice = match.game not in games
        games.add(match.game)
        for index in range(min(match.hands, 1 + twice)):
            hand = replayer.load_hand(sample_store, f"{match.match_id}#{index}")
            assert len(hand.steps) == counts[match.match_id, index]
            assert [step.line for step in hand.steps] == sorted(step.line for step in hand.steps)
            streets = [step.street for step in hand.steps if step.kind in ("board", "action")]
            assert streets == sorted(streets) or match.game == "blotto"
            if match.game != "blotto":
                for street in set(streets) - {0}:
                    kinds = [
                        step.kind for step in hand.steps if step.street == street and step.kind != "fault"
                    ]
                    if match.rules.passes:
                        assert {*kinds} == {"action"}
                        told = [step.text for step in hand.steps if step.street == street]
                        assert all(text.startswith("passes") for text in told[:2])
                    else:
                        assert kinds.index("board") == 0
            boards: dict[str, list[float]] = {}
            put: defaultdict[int | None, float] = defaultdict(float)
            before = 0.0
            last = ""
            for step in hand.steps:
                if step.pot is not None:
                    put[step.seat] += step.pot - before
                    last = step.text if step.pot > before else last
                    before = step.pot
                    boards.setdefault(
                        step.text[: len("board 1")] if match.game == "blotto" else "", []
                    ).append(round(step.pot, 6))
            assert all(pots == sorted(pots) for pots in boards.values())
            given = 12.0 if match.game == "blotto" else 0.0
            if match.game in GIVE_BACK and not last.startswith("posts"):
                most, second = sorted(put.values())[-2:][::-1]
                given = most - second
            assert sum(pots[-1] for pots in boards.values()) == pytest.approx(hand.row["pot"] + given)


def test_hostile_names_are_stepped_as_escapes(
    hostile_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    match = all_matches(hostile_store)[0]
    replayer.print_hand(hostile_store, f"{match.match_id}#0", Format.TABLE)
    shown = capsys.readouterr().out
    assert "\\x1b[31m" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def read(answer: Answer) -> list[dict[str, object]]:
    out = io.StringIO()
    terminal.write(answer, Format.JSON, out)
    rows: list[dict[str, object]] = json.loads(out.getvalue())
    return rows


def test_results_are_the_view_in_full_for_programs(sample_store: Store) -> None:
    rows = read(results(sample_store, None, Format.JSON))
    assert [(row["match_id"], row["seat"]) for row in rows] == [
        (str(match.match_id), seat)
        for match in all_matches(sample_store)
        for seat in range(len(match.players))
    ]
    columns = [name for name, *_ in sample_store.execute("describe results").fetchall()]
    assert list(rows[0]) == [*columns, "path"]


@pytest.mark.parametrize("by_opponent", [False, True])
def test_every_rate_has_its_counts(sample_store: Store, by_opponent: bool) -> None:
    rows = read(
        terminal.answer(sample_store, stats.long_query(by_opponent), player=None, event=None, game=None)
    )
    names = {row["statistic"] for row in rows}
    assert {"vpip", "pfr", "3bet", "wtsd", "w$sd", "afq", "aggression_pct", "fold_to_bet"} <= names
    assert ("opponent" in rows[0]) is by_opponent
    for row in rows:
        n, k = row["opportunities"], row["successes"]
        assert isinstance(n, int)
        assert isinstance(k, int)
        assert row["rate"] == (pytest.approx(k / n) if n else None)


def test_stats_of_one_player(sample_store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    stats.print_stats(sample_store, "Gemini", False, Format.CSV)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {(row["player"], row["seat"]) for row in rows} == {("Gemini", "0"), ("Gemini", "1")}
    with pytest.raises(UnknownPlayer, match=r"^no player is called 'gemini'; most like it: 'Gemini'$"):
        stats.print_stats(sample_store, "gemini", False, Format.TABLE)


def test_matches_are_taken_together_with_their_neighbours_in_the_store(sample_store: Store) -> None:
    everything = all_matches(sample_store)
    assert len(everything) > 5
    taken = list(some_at_a_time(everything, 3))
    assert [len(some) for some in taken[:-1]] == [3] * (len(taken) - 1)
    assert sorted(match.match_id for match in everything) == [
        match for some in taken for match in sorted(one.match_id for one in some)
    ]
    for some in taken:
        assert some == [match for match in everything if match in some]
