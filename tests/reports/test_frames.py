"""The Python API: each question is the frame that its page documents, with the figures of the command."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from conftest import ROOT, Run
from typer.main import get_command

import railbird as rb
from oracles.handmade import hand_text
from railbird.analytics.players import UnknownPlayer
from railbird.analytics.settings import Grouping, Kind
from railbird.analytics.store import Store
from railbird.cli.app import app
from railbird.replay.simulate import simulate
from railbird.reports import Show, UserError, frames

PAGE = ROOT / "docs" / "python.md"
NOTEBOOK = ROOT / "docs" / "notebooks" / "first-questions.ipynb"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two short matches."""
    made = tmp_path_factory.mktemp("frames")
    bots = [("Ann", "loose-aggressive"), ("Bob", "faulty")]
    for number in range(2):
        (made / f"{number}.txt").write_text(simulate("bounty", bots, 30, number), newline="")
    rb.ingest([made], made / "store", event="cup")
    return made / "store"


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with rb.open(folder) as opened:
        yield opened


def told(run: Run, folder: Path, *words: str) -> Any:
    """What the command prints as JSON."""
    return json.loads(run(*words, "--store", folder, "--format", "json")[1])


def documented(section: str) -> list[str]:
    """The columns in the table of a section of the page."""
    text = PAGE.read_text().partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def view_columns(store: Store, view: str) -> list[str]:
    return store.sql(f"select * from {view} limit 0").columns


def same(frame: pl.DataFrame, rows: list[dict[str, Any]]) -> None:
    """The frame has the command's rows; its JSON has ids as text and twelve digits."""
    assert frame.height == len(rows)
    assert not rows or frame.columns == list(rows[0])
    for mine, theirs in zip(frame.iter_rows(named=True), rows, strict=True):
        for name, value in mine.items():
            expected = theirs[name]
            if isinstance(value, float) and isinstance(expected, int | float):
                assert value == pytest.approx(expected, rel=1e-9), name
            elif isinstance(expected, str) and isinstance(value, int):
                assert str(value) == expected, name
            elif not isinstance(value, float):
                assert value == expected, name


def test_every_question_is_exported_and_documented() -> None:
    page = PAGE.read_text()
    for name in frames.QUESTIONS:
        assert getattr(rb, name) is getattr(frames, name)
        assert name in rb.__all__
        assert f"| `{name}(store" in page
        assert getattr(frames, name).__doc__


FUNCTIONS = {
    **{
        name: (name,)
        for name in ("ingest", "tag", "forget", "verify", "audit", "bankroll", "luck", "stats", "standings")
    },
    **{name: (name,) for name in ("collusion", "opponent", "exploit", "why", "hands", "sql", "games")},
    "compare": ("compare", "league"),
    "replay": ("hand", "turns"),
}
"""The functions that answer as each command does."""
WITHOUT = {
    "watch": "keeps running: call ingest again",
    "compact": "rewrites a store's files and answers nothing",
    "report": "writes pages",
    "serve": "keeps running: a page in the browser",
    "mcp": "keeps running: an assistant asks it",
    "export": "writes files; frames write themselves",
    "simulate": "writes a log",
    "model": "writes files that need no railbird",
    "variant": "writes and checks a file of code",
}
"""Commands that have none, and why."""


def test_every_command_has_its_function_or_a_reason() -> None:
    commands = set(get_command(app).commands)  # type: ignore[attr-defined]  # a group has commands
    assert commands == {*FUNCTIONS, *WITHOUT} and not FUNCTIONS.keys() & WITHOUT.keys()
    assert {name for names in FUNCTIONS.values() for name in names} == {*rb.__all__} - {"__version__", "open"}
    (said,) = re.findall(r"keep running have none: ([^.]*)\.", PAGE.read_text())
    assert re.findall(r"`(\w+)`", said) == [*WITHOUT]


def test_games(run: Run) -> None:
    frame = rb.games()
    same(frame, json.loads(run("games", "--format", "json")[1]))
    assert frame.columns == documented("games")
    assert frame.schema["blinds"] == pl.List(pl.Float64)


def test_a_league(run: Run, folder: Path, store: Store) -> None:
    frame = rb.league(store, "Ann|Bob", margin=5.0)
    rows = told(run, folder, "compare", "--league", "Ann|Bob", "--margin", "5")["league"]
    assert frame.height == 2 and frame["before"].to_list() == [None, frame["player"][0]]
    same(frame, rows)
    assert frame.columns == documented("league")
    with pytest.raises(UserError):
        rb.league(store, "(")


def test_turns(run: Run, folder: Path, store: Store) -> None:
    frame = rb.turns(store, "0.txt#3", "Ann")
    same(frame, told(run, folder, "replay", "0.txt#3", "--as", "Ann"))
    assert [*frame.columns, "bot"] == documented("turns")
    assert frame.height > 0 and frame["message"][0].startswith("P")
    with pytest.raises(UserError, match="--as takes a seat"):
        rb.turns(store, "0.txt#3", 7)
    with pytest.raises(UserError):
        rb.turns(store, "0.txt#3", 0, bot=folder / "none")


def test_bankroll(run: Run, folder: Path, store: Store) -> None:
    frame = rb.bankroll(store)
    assert frame.columns == [*view_columns(store, "results"), "path"]
    same(frame, told(run, folder, "bankroll"))
    assert rb.bankroll(store, "0.txt").height == 2
    with pytest.raises(UserError, match="no match is called"):
        rb.bankroll(store, "none")


def test_a_store_is_opened_by_its_place(folder: Path, store: Store) -> None:
    assert rb.bankroll(folder).equals(rb.bankroll(store))
    assert rb.bankroll(str(folder)).equals(rb.bankroll(store))


def test_luck(run: Run, folder: Path, store: Store) -> None:
    frame = rb.luck(store)
    assert frame.columns == documented("luck")
    same(frame, told(run, folder, "luck"))
    assert rb.luck(store, Grouping.POSITION, event="cup").height == 4
    with pytest.raises(UserError, match="by='hand': one of player"):
        rb.luck(store, "hand")
    with pytest.raises(UnknownPlayer):
        rb.luck(store, event="no")


def test_stats(run: Run, folder: Path, store: Store) -> None:
    assert rb.stats(store).columns == [n for n in view_columns(store, "all_rates") if n != "place"]
    same(
        rb.stats(store, "Ann", show="winnings", by_opponent=True),
        told(run, folder, "stats", "--player", "Ann", "--show", "winnings", "--by-opponent"),
    )
    assert set(rb.stats(store, "Bob", show=Show.SAME, event="cup")["player"]) == {"Bob"}
    with pytest.raises(UnknownPlayer):
        rb.stats(store, "Nobody")
    with pytest.raises(UserError, match="has neither"):
        rb.stats(store, show="drift", by_opponent=True)
    with pytest.raises(UserError, match="has no --before-lock"):
        rb.stats(store, show="winnings", before_lock=True)


def test_standings(run: Run, folder: Path, store: Store) -> None:
    frame = rb.standings(store, draws=100)
    assert frame.columns == documented("standings")
    same(frame, told(run, folder, "standings", "--draws", "100"))
    assert rb.standings(store, "cup", table="run-off", draws=100).columns[-1] == "final_place"
    same(
        rb.standings(store, table="adjusted", draws=100),
        told(run, folder, "standings", "--draws", "100", "--adjusted"),
    )
    with pytest.raises(UserError, match="table='x': one of standings, crosstable, run-off, adjusted"):
        rb.standings(store, table="x")


def test_opponent(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def document(_: Store, *players: Any) -> dict[str, Any]:
        asked.append(players)
        some = {"tendencies": [{"rate": None}, {"rate": 0.5}], "hands": 3, "game": {"hits": [{"n": 1}]}}
        full = some | {"exploits": {"winning": [], "compared": 2}}
        exploits = {"winning": [{"gain": 2.5}], "compared": 1}
        seen = {"tendencies": [{"rate": 1.0}], "game": {}, "exploits": exploits}
        return {"views": {"full": full, "as_seen": seen}}

    # The document itself is looked at by tests of its own, and takes seconds.
    monkeypatch.setattr("railbird.analytics.opponent.opponent_file", document)
    found = rb.opponent(store, "Bob", "Ann")
    assert [player.name for player in asked[0]] == ["Bob", "Ann"]
    assert {name: frame.rows() for name, frame in found.items()} == {
        "tendencies": [("full", None), ("full", 0.5), ("as_seen", 1.0)],
        "hits": [("full", 1)],
        "exploits_winning": [("as_seen", 2.5)],
    }
    with pytest.raises(UnknownPlayer):
        rb.opponent(store, "Bob", "Nobody")


def test_lists_without_rows_have_the_columns_of_those_with_rows(folder: Path, tmp_path: Path) -> None:
    """A player whose opponent folded at once has faced no bet and made none."""
    hand = hand_text(1, ("Bob", "Ann"), "{0} folds", "{0} awarded -1", "{1} awarded 1")
    text = f"6.176 MIT Pokerbots - Bob vs Ann\n\n{hand}\n\nFinal, Ann (1), Bob (-1)\n"
    (tmp_path / "log.txt").write_text(text)
    rb.ingest([tmp_path / "log.txt"], tmp_path / "store")
    full, bare = rb.opponent(folder, "Ann"), rb.opponent(tmp_path / "store", "Ann")
    empty = {name for name, frame in bare.items() if not frame.height}
    assert {"bets_made", "defences", "bets_by_size", "exploits_winning"} <= empty
    for name in empty & {name for name, frame in full.items() if frame.height}:
        assert bare[name].columns == full[name].columns, name
        assert bare[name].filter(pl.col("view") == "full").is_empty()


def test_leaks_have_their_columns_with_and_without_rows(store: Store) -> None:
    common = documented("exploit and why")
    gains = ["gain", "gain_low", "gain_high"]
    costs = [name.replace("gain", "cost") for name in gains]
    assert rb.exploit(store, "Bob").columns == [n for n in common if n not in (*costs, "change")]
    assert sorted(rb.why(store, "Bob", "Ann").columns) == sorted(
        n for n in common if n not in (*gains, "listed")
    )


def test_verify_and_audit(run: Run, folder: Path, store: Store) -> None:
    frame = rb.verify(store)
    assert frame.columns == documented("verify")
    same(frame, told(run, folder, "verify"))
    assert rb.verify(store, every=True).columns[:4] == ["path", "line", "match_id", "hand_index"]
    found = rb.audit(store, Kind.FAULTS)
    same(found, told(run, folder, "audit", "faults"))
    assert found.schema["match_id"] == pl.UInt64
    with pytest.raises(UserError, match="leave out --match"):
        rb.audit(store, "standings", "0.txt")
    facts = rb.audit(store, "information", "0.txt")
    assert facts.columns[:4] == ["event", "game", "player", "fact"]


def test_collusion(run: Run, folder: Path, store: Store) -> None:
    frame = rb.collusion(store, "cup")
    assert frame.columns == documented("collusion")
    same(frame, told(run, folder, "collusion")["pairs"])


def test_a_match_may_be_given_by_its_id_as_frames_have_it(store: Store) -> None:
    match = rb.bankroll(store)["match_id"][-1]
    assert rb.bankroll(store, match).equals(rb.bankroll(store, str(match)))
    assert rb.hands(store, match=match)["match_id"].unique().to_list() == [match]
    assert rb.verify(store, match, every=True).equals(rb.verify(store, str(match), every=True))
    assert rb.opponent(store, "Ann", as_of=match)["tendencies"].height


def test_a_pot_may_be_one_comparison(store: Store) -> None:
    most = rb.hands(store, sort="pot", limit=1)["pot"][0]
    assert rb.hands(store, pot=f">={most}").equals(rb.hands(store, pot=[f">={most}"]))
    assert rb.hands(store, pot=f">{most}").is_empty()


def test_hands(run: Run, folder: Path, store: Store) -> None:
    found = rb.hands(store, player="Ann", did="raise", pot=[">10"], sort="pot", limit=5)
    assert found.columns == documented("hands")
    words = ("--player", "Ann", "--did", "raise", "--pot", ">10", "--sort", "pot", "--limit", "5")
    same(found, told(run, folder, "hands", *words))
    assert found["pot"].to_list() == sorted(found["pot"], reverse=True)
    none = rb.hands(store, pot=[">1000000"])
    assert (none.height, none.schema) == (0, found.schema)
    with pytest.raises(UserError, match="sort='x'"):
        rb.hands(store, sort="x")


def test_a_hand_and_sql(run: Run, folder: Path, store: Store) -> None:
    match = rb.bankroll(store)["match_id"][0]
    same(rb.hand(store, f"{match}#3"), told(run, folder, "replay", f"{match}#3"))
    assert rb.sql(store, "select $x + 1 as y", x=1)["y"].to_list() == [2]
    with pytest.raises(UserError, match="MATCH#HAND"):
        rb.hand(store, "3")


def test_the_notebook_runs() -> None:
    book = json.loads(NOTEBOOK.read_text())
    assert all(not cell.get("outputs") for cell in book["cells"])
    names: dict[str, Any] = {}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            *lines, last = ast.parse("".join(cell["source"]), cell["id"]).body
            shown = isinstance(last, ast.Expr)
            before = ast.Module(lines if shown else [*lines, last], [])
            exec(compile(before, cell["id"], "exec"), names)
            if isinstance(last, ast.Expr):
                # A notebook shows the value of a cell's last line.
                value = eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)
                assert getattr(value, "_repr_html_", value.__repr__)()
    assert names["luck"].height == 2
    assert names["rates"].height > 10
    assert names["biggest"].height == 3
