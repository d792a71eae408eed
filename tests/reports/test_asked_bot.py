"""`railbird replay MATCH#HAND --as SEAT --bot DIR`: the engine's messages to a seat, and a bot's answers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import pytest
from conftest import Run
from support.commands import railbird

import railbird as rb
from railbird.analytics.store import Store, open_store
from railbird.analytics.views import queries
from railbird.ingest import ingest
from railbird.replay.bots import STYLES, Answer, View
from railbird.replay.simulate import Player, play_bots
from railbird.reports.asked_bot import turns
from railbird.reports.matches import rows_of
from railbird.reports.replayer import load_hand
from railbird.variants.mit_bots import Listener

HANDS = 15


class Hearing(Listener):
    """Plays a style and keeps the messages that it was sent, one for each answer."""

    def __init__(self, style: str, seed: int) -> None:
        super().__init__(Random(seed))
        self.style = STYLES[style](self.rng)
        self.clauses: list[str] = []
        self.messages: list[tuple[str, ...]] = []

    def open(self, hands: int) -> bool:
        return True

    def told(self, *clauses: str) -> None:
        self.clauses += clauses

    def _sent(self) -> None:
        self.messages.append(tuple(self.clauses))
        self.clauses = []

    def act(self, view: View) -> Answer:
        self._sent()
        return self.style.act(view)

    def acknowledge(self) -> Answer:
        self._sent()
        return super().acknowledge()


@pytest.mark.parametrize("game", ["holdem-mit", "bounty", "river-of-blood"])
def test_the_messages_are_those_that_the_engine_sent(game: str, tmp_path: Path) -> None:
    bots = [Hearing(style, seed) for seed, style in enumerate(("loose-aggressive", "random"))]
    text = play_bots(game, [Player(f"P{seat}", bot) for seat, bot in enumerate(bots)], HANDS, 5).text
    (tmp_path / "a.log").write_text(text, encoding="utf-8")
    ingest([tmp_path / "a.log"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        for seat, bot in enumerate(bots):
            found: list[tuple[str, ...]] = []
            for index in range(HANDS):
                hand = load_hand(store, f"a.log#{index}")
                rows = rows_of(store, queries("replay")["actions"], match=hand.match.match_id, hand=index)
                found += [turn.clauses for turn in turns(hand, rows, seat)]
            assert found == bot.messages


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a match of Ann and Bob in Bounty."""
    from railbird.replay.simulate import simulate

    folder = tmp_path_factory.mktemp("asked")
    log = simulate("bounty", [("Ann", "loose-aggressive"), ("Bob", "calling-station")], HANDS, 2)
    (folder / "a.log").write_text(log, encoding="utf-8")
    ingest([folder / "a.log"], folder / "store")
    return folder / "store"


@pytest.fixture(scope="module")
def longest(store: Path) -> int:
    """The hand with the most decisions of Ann's."""
    with open_store(store) as opened:
        ((index,),) = opened.execute(
            "select hand_index from actions where seat = 0 and origin = 'choice' group by all "
            "order by count(*) desc, hand_index limit 1"
        ).fetchall()
    return int(index)


def bot(folder: Path, answers: list[str], after: str = "") -> Path:
    """A bot that gives these answers and then ends."""
    folder.mkdir()
    text = (
        "import socket, sys\n"
        "with socket.create_connection(('localhost', int(sys.argv[1]))) as s, s.makefile('rw') as f:\n"
        f"    for answer in {answers!r}:\n"
        "        if 'Q' in f.readline().split():\n"
        "            break\n"
        "        f.write(answer + '\\n')\n"
        "        f.flush()\n"
        f"{after}\n"
    )
    (folder / "player.py").write_text(text, encoding="utf-8")
    (folder / "commands.json").write_text(json.dumps({"build": [], "run": [sys.executable, "player.py"]}))
    return folder


def test_answers_stand_beside_what_was_done(run: Run, store: Path, longest: int, tmp_path: Path) -> None:
    asked = ("replay", f"a.log#{longest}", "--as", "Ann", "--store", store, "--format", "json")
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    plain = json.loads(out)
    assert "bot" not in plain[0]
    assert len(plain) > 3
    assert plain[-1]["logged"] == ""
    assert " D" in f" {plain[-1]['message']}"
    code, out, err = run(*asked, "--bot", bot(tmp_path / "b", ["F", "h\x1bm", "R99999", *["K"] * 20]))
    assert (code, err) == (0, "")
    rows = json.loads(out)
    assert [{key: row[key] for key in plain[0]} for row in rows] == plain
    assert rows[0]["bot"] in ("fold", "fold, which is not legal")
    assert rows[1]["bot"] == r"unreadable: 'h\x1bm'"
    assert rows[2]["bot"] in ("raise to 99999, which is not legal", "bet 99999, which is not legal")
    assert rows[-1]["bot"] == ""
    frame = rb.turns(store, f"a.log#{longest}", "Ann", bot=tmp_path / "b")
    assert frame.rows(named=True) == rows
    for name in ("0", "Ann"):
        assert run("replay", f"a.log#{longest}", "--as", name, "--store", store)[0] == 0


def test_a_bot_that_ends_is_named(run: Run, store: Path, longest: int, tmp_path: Path) -> None:
    folder = bot(tmp_path / "b", ["F"], "raise SystemExit('out of ideas')")
    code, out, err = run(
        "replay", f"a.log#{longest}", "--as", "0", "--bot", folder, "--store", store, "--format", "json"
    )
    assert code == 0
    assert err == f"railbird: {folder}: closed the connection; it printed: out of ideas\n"
    with pytest.warns(UserWarning, match="it printed: out of ideas"):
        assert rb.turns(store, f"a.log#{longest}", 0, folder).columns[-1] == "bot"
    said = [row["bot"] for row in json.loads(out)]
    assert said[1:4] in (
        ["unreadable: ''", "the connection is closed", ""],
        ["the connection is closed", "", ""],
    )


@pytest.mark.parametrize(
    ("profile", "said"), [("2025-01-05", "fold, which is not legal"), ("2025-01-08", "fold")]
)
def test_a_fold_where_a_check_is_free_is_legal_where_the_engine_takes_it(
    run: Run, tmp_path: Path, profile: str, said: str
) -> None:
    from railbird.replay.simulate import simulate

    players = [("Ann", "random"), ("Bob", "loose-aggressive")]
    (tmp_path / "a.log").write_text(simulate("bounty", players, 300, 2, profile), encoding="utf-8")
    ingest([tmp_path / "a.log"], tmp_path / "store")
    with open_store(tmp_path / "store") as opened:
        assert opened.execute("select distinct engine_profile from matches").fetchall() == [(profile,)]
        ((hand, seat),) = opened.execute(
            "select hand_index, seat from actions join hands using (match_id, hand_index) "
            "where action = 'check' and origin = 'choice' and verdict = 'ok' order by all limit 1"
        ).fetchall()
    asked = ("replay", f"a.log#{hand}", "--as", seat, "--bot", bot(tmp_path / "b", ["F"] * 20))
    code, out, err = run(*asked, "--store", tmp_path / "store", "--format", "json")
    assert (code, err) == (0, "")
    answers = [row["bot"] for row in json.loads(out) if row["logged"] == "check"]
    assert answers
    assert {*answers} == {said}


def test_a_new_process_knows_the_games(store: Path, tmp_path: Path) -> None:
    """Here another import may have made the games known."""
    done = railbird(tmp_path, "replay", "a.log#0", "--as", "Ann", "--store", str(store))
    assert (done.returncode, done.stderr) == (0, "")
    assert "D" in done.stdout


def test_what_cannot_be_asked_is_said_in_one_line(
    run: Run, store: Path, samples: Store, samples_folder: Path, tmp_path: Path
) -> None:
    def error(*arguments: object) -> str:
        code, out, err = run("replay", *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        return err

    assert "--as SEAT says in whose place" in error("a.log#0", "--store", store, "--bot", tmp_path)
    assert "--as takes a seat of the hand, its position or its player; there are 0 (" in error(
        "a.log#0", "--store", store, "--as", "Zoe"
    )
    assert "commands.json cannot be read" in error(
        "a.log#0", "--store", store, "--as", "0", "--bot", tmp_path
    )
    for game in ("toss", "omaha-2016"):
        ((match,),) = samples.execute(
            "select min(match_id) from stored.matches where game = $game", game=game
        ).fetchall()
        assert f"the messages of {game}'s engine to bots are not known" in error(
            f"{match}#0", "--store", samples_folder, "--as", "0"
        )
