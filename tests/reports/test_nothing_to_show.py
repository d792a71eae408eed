"""A table without a row says why; `same-state` and `drift` fit a narrow screen."""

import csv
import io
import json
import re

import pytest
from conftest import Run

from railbird.analytics.settings import Kind
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import Format, Show, UserError
from railbird.reports.audit import print_audit
from railbird.reports.stats import print_stats
from railbird.reports.stats_tables import TABLES

LIMIT = "acpc/holdem.limit.2p.reverse_blinds"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A match of limit hold'em of two hundred hands and one of Blotto of one."""
    root = tmp_path_factory.mktemp("nothing")
    for game, hands in ((LIMIT, 200), ("blotto", 1)):
        text = simulate(game, [("Ann", "maniac"), ("Bob", "calling-station")], hands, 1)
        (root / f"{hands}.log").write_text(text, newline="")
        ingest([root / f"{hands}.log"], root / "store", event="long" if hands > 1 else "short")
    return open_store(root / "store")


def why(store: Store, show: Show, event: str | None = None, before_lock: bool = False) -> str:
    with pytest.raises(UserError, match="nothing to show: ") as raised:
        print_stats(store, None, False, Format.TABLE, show, before_lock, event)
    return str(raised.value).removeprefix("nothing to show: ")


def test_a_table_of_a_game_that_is_not_there_says_which_are(store: Store) -> None:
    said = f"the store has {LIMIT}, blotto"
    assert why(store, Show.BOUNTY) == f"--show bounty is only for games with bounties; {said}"
    assert why(store, Show.FOLDS) == f"--show koper-folds is only for games in which all bet at once; {said}"


def test_a_filter_that_leaves_nothing_is_named(store: Store) -> None:
    said = "--show boards has no rows for the event 'long', only for others"
    assert why(store, Show.BOARDS, event="long") == said


def test_what_logs_do_not_say_is_said(store: Store) -> None:
    assert why(store, Show.TIMES) == "no log here says how long a decision took"
    assert why(store, Show.CLAIMS) == "no player here says what it holds"
    assert why(store, Show.BELIEFS).startswith("no chance to win is noted beside a decision; `ingest --join`")


def test_too_few_hands_are_said(store: Store) -> None:
    said = (
        "in no match has a player 20 opportunities of one statistic; left out: games in which all bet at once"
    )
    assert why(store, Show.DRIFT, event="short") == said
    assert why(store, Show.SAME, event="short").startswith("no player chose twice in the same state")


def test_hands_after_the_lock_point_are_named_where_no_other_is(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = store.execute

    def none_before_lock(query: str, **parameters: object) -> object:
        emptied = f"select * from ({query}) where false" if "_before_lock" in query else query
        return execute(emptied, **parameters)

    monkeypatch.setattr(store, "execute", none_before_lock)
    assert why(store, Show.STREETS, before_lock=True) == "--before-lock leaves out every hand that counts"


def test_what_a_table_is_about_is_a_property_of_games(store: Store) -> None:
    conditions = {table.about[1] for table in TABLES.values() if table.about}
    assert len(conditions) > 3
    for condition in conditions:
        assert {held for (held,) in store.execute(f"select {condition} from games").fetchall()} <= {
            True,
            False,
        }


def test_an_audit_without_a_row_says_of_how_much(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert print_audit(store, Kind.FINDINGS, None, False, Format.TABLE) == 0
    assert capsys.readouterr().out == "Findings\nNone in 201 hands of 2 matches.\n"
    assert print_audit(store, Kind.DEALS, None, False, Format.TABLE) == 0
    assert capsys.readouterr().out == "The same cards dealt twice\nNone in 201 hands of 2 matches.\n"


@pytest.mark.parametrize("show", [Show.SAME, Show.DRIFT])
def test_steadiness_is_a_table_with_an_interval(
    show: Show, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    print_stats(store, None, False, Format.TABLE, show, event="long")
    said = capsys.readouterr().out
    assert not re.search(r"\b(low|high|match_id|change_p)\b", said)
    print_stats(store, None, False, Format.CSV, show, event="long")
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    row = next(row for row in rows if row["low"])
    low, high = (f"{100 * float(row[end]):.1f}".replace("-", "−") for end in ("low", "high"))
    assert f"{low} to {high}%" in said or f"{low}–{high}%" in said
    if show is Show.DRIFT:
        assert f"{row['player']}, seat {row['seat']} of match {row['match_id']} (" in said


def test_all_tables_of_a_game_are_those_that_have_rows(store: Store, run: Run) -> None:
    place = store.place
    code, out, err = run("stats", "--store", place, "--game", LIMIT, "--all")
    assert (code, err) == (0, "")
    assert TABLES[Show.LIMIT].title in out and "Does a player repeat its action in the same state?" in out
    assert not re.search(r"^.*blotto.*$", out, re.MULTILINE) and TABLES[Show.BOARDS].title not in out

    code, out, err = run("stats", "--store", place, "--game", "blotto", "--all", "--format", "json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert [*told] == [*Show]
    assert {row.get("game", "blotto") for rows in told.values() for row in rows} == {"blotto"}
    assert told["boards"] and not told["limit"]
    _, every, _ = run("stats", "--store", place, "--show", "boards", "--format", "json")
    assert told["boards"] == json.loads(every)

    _, out, _ = run("stats", "--store", place, "--game", LIMIT, "--all", "--by-opponent", "--format", "json")
    assert "size-tells" not in json.loads(out) and "streets" in json.loads(out)


@pytest.mark.parametrize("show", [Show.OVERVIEW, Show.STREETS, Show.DRIFT])
def test_a_game_chooses_the_rows_of_a_table(show: Show, store: Store, run: Run) -> None:
    def rows(*words: str) -> list[dict[str, object]]:
        code, out, err = run("stats", "--store", store.place, "--show", show, "--format", "json", *words)
        assert (code, err) == (0, "")
        found: list[dict[str, object]] = json.loads(out)
        return found

    assert rows("--game", LIMIT) == [row for row in rows() if row["game"] == LIMIT] != []


@pytest.mark.parametrize("command", ["stats", "bankroll", "standings"])
def test_options_of_a_picture_that_is_not_drawn_are_refused(store: Store, run: Run, command: str) -> None:
    for option, value in (("--title", "Spring cup"), ("--style", "paper")):
        assert run(command, "--store", store.place, option, value) == (
            2,
            "",
            f"railbird: {option} is for a picture: add --plot FILE\n",
        )


def test_what_stats_all_cannot_do_is_one_line(store: Store, run: Run) -> None:
    for words, said in (
        (
            ("--all", "--format", "csv"),
            "--all: CSV holds one table; choose one with --show, or --format json",
        ),
        (("--all", "--show", "bids"), "--all shows every table: leave out --show"),
        (("--all", "--game", "blotta"), "no match is of the game 'blotta'; most like it: 'blotto'"),
        (
            ("--all", "--game", "blotto", "--event", "long", "--by-opponent"),
            "nothing to show: no decisions in these hands",
        ),
        (
            ("--show", "limit", "--game", "blotto"),
            "nothing to show: --show limit has no rows for the game 'blotto', only for others",
        ),
    ):
        assert run("stats", "--store", store.place, *words) == (2, "", f"railbird: {said}\n")
