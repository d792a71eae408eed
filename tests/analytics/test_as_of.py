"""`--as-of MATCH`: what is said of a player is what the store would say if it ended with that match."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from support.rounding import close

import railbird as rb
from railbird.analytics.opponent import opponent_file
from railbird.analytics.players import Player, UnknownMatch, UnknownPlayer
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import UserError

HANDS = 120
LAST = "g9.txt"
# In the order of play; what follows LAST changes every figure: Ann plays otherwise, meets others, and has a namesake.
PLAYED: list[tuple[str, str, tuple[tuple[str, str], ...]]] = [
    ("cup", "g2.txt", (("Ann", "calling-station"), ("Bea", "tight-aggressive"))),
    ("cup", LAST, (("Bea", "loose-aggressive"), ("Ann", "calling-station"))),
    ("cup", "g10.txt", (("Ann", "maniac"), ("Bea", "tight-aggressive"))),
    ("cup", "g11.txt", (("Cleo", "calling-station"), ("Ann", "maniac"))),
    ("later", LAST, (("Ann", "maniac"), ("Bea", "maniac"))),
]
ANN, BEA = Player("cup", "bounty", "Ann"), Player("cup", "bounty", "Bea")
UNTIL = [name for _, name, _ in PLAYED].index(LAST) + 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store `whole`, read in another order than was played, and `ended`, of the matches up to LAST."""
    root = tmp_path_factory.mktemp("as_of")
    logs = []
    for seed, (event, name, players) in enumerate(PLAYED):
        logs.append(root / event / name)
        logs[-1].parent.mkdir(exist_ok=True)
        logs[-1].write_text(simulate("bounty", players, HANDS, seed), newline="")
    for store, some in (("whole", [logs[k] for k in (3, 1, 4, 0, 2)]), ("ended", logs[:UNTIL])):
        for log in some:
            ingest([log], root / store)
    return root


@contextmanager
def both(folder: Path) -> Iterator[tuple[Store, Store, int]]:
    """The store of all, the one that ended, and the match that it ended with."""
    with open_store(folder / "whole") as whole, open_store(folder / "ended") as ended:
        query = (
            "select match_id from matches join files using (file_id) where event = 'cup' and path like $path"
        )
        ((last,),) = whole.execute(query, path=f"%/{LAST}").fetchall()
        yield whole, ended, last


@pytest.fixture(scope="module")
def then(folder: Path) -> dict[str, Any]:
    """The opponent file of Ann in the store that ended, against Bea."""
    with open_store(folder / "ended") as ended:
        return opponent_file(ended, ANN, BEA)


def test_an_opponent_file_has_nothing_later(folder: Path, then: dict[str, Any]) -> None:
    assert then["views"]["full"]["hands"] == UNTIL * HANDS
    assert then["views"]["as_seen"]["hands_with_cards"] > 0
    with both(folder) as (whole, _, last), whole.until(last) as until:
        assert opponent_file(until, ANN, BEA) == close(then)


TABLES = (
    "matches",
    "hands",
    "seats",
    "actions",
    "boards",
    "findings",
    "faults",
    "files",
    "players",
    "equities",
    "tags",
)


def test_a_store_until_a_match_has_the_rows_of_one_that_ended_there(folder: Path) -> None:
    with both(folder) as (whole, ended, last), whole.until(last) as until:
        assert until.is_kept
        for table in TABLES:
            query = f"select * from {table} order by all"
            assert until.execute(query).fetchall() == ended.execute(query).fetchall(), table
        with until.as_spectators_saw() as seen:
            assert seen.execute("select count(*) from seats").fetchall() == [(2 * UNTIL * HANDS,)]
        with until.before(ANN, last, 5) as before:
            assert before.execute("select count(*) from hands").fetchall() == [(HANDS + 5,)]
        with pytest.raises(UnknownMatch, match="the store holds no match 7"):
            whole.until(7)


ASKED = [
    ("opponent", "Ann", "--all"),
    ("why", "Ann", "--against", "Bea"),
    ("why", "Bea", "--against", "Ann", "--format", "json"),
    ("exploit", "Ann", "--all"),
]


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch, then: dict[str, Any]) -> None:
    """The opponent file, which takes seconds, is made once; each store for which it is asked holds two matches."""

    def document(store: Store, player: Player, against: Player | None) -> dict[str, Any]:
        assert player == ANN and store.execute("select count(*) from matches").fetchall() == [(UNTIL,)]
        return then | {"against": None, "views": {"full": then["views"]["full"]}}

    monkeypatch.setattr("railbird.analytics.opponent.opponent_file", document)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_commands_say_what_they_would_have_said_then(asked: tuple[str, ...], folder: Path, run: Run) -> None:
    """Without --event: that there is a second one became known later. LAST is a name twice only since then, too."""
    code, said, _ = run(*asked, "--store", folder / "ended")
    with both(folder) as (*_, last):
        asked_then = run(*asked, "--store", folder / "whole", "--as-of", last)
    until = f", up to {LAST}\n" if asked[0] == "opponent" else "\n"
    assert asked_then[:2] == (code, said.replace(f"matches {UNTIL}\n", f"matches {UNTIL}{until}"))
    assert len(said) > 500 and (f"{LAST}#" in said or asked != ASKED[1])
    if asked[0] != "opponent":
        assert run(*asked, "--store", folder / "whole", "--event", "cup")[1] != said


@pytest.mark.usefixtures("known")
def test_the_python_api_takes_it(folder: Path) -> None:
    with both(folder) as (whole, ended, last):
        until = rb.opponent(whole, "Ann", as_of=str(last))
        assert until["tendencies"].equals(rb.opponent(ended, "Ann")["tendencies"])
        with pytest.raises(UnknownPlayer, match="no player is called 'Cleo'"):
            rb.opponent(whole, "Cleo", as_of=str(last))
        with pytest.raises(UserError, match=f"'{LAST}' matches 2: "):
            rb.opponent(whole, "Ann", as_of=LAST)
        ((other,),) = whole.execute("select match_id from matches where event = 'later'").fetchall()
        with pytest.raises(UserError, match=f"match {other} is not of event 'cup' and game 'bounty'"):
            rb.opponent(whole, "Ann", event="cup", as_of=str(other))
