"""The tools of `railbird mcp`, called over the protocol by the client of its own SDK."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.server.mcpserver.exceptions import ToolError

import railbird as rb
from railbird.analytics.players import Player, UnknownMatch
from railbird.replay.simulate import simulate
from railbird.reports import assistant
from railbird.storage.locations import place_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of three short matches."""
    made = tmp_path_factory.mktemp("assistant")
    for number in range(3):
        bots = [("Ann", "loose-aggressive"), ("Bob", "calling-station")]
        (made / f"{number}.txt").write_text(simulate("toss", bots, 20, number), newline="")
    rb.ingest([made], made / "store", event="cup")
    return made / "store"


FIRST = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "a", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def questions(folder: Path) -> assistant.Questions:
    return assistant.Questions(place_of(folder))


@pytest.mark.parametrize(("number", "name"), [(signal.SIGINT, "t"), (signal.SIGTERM, "long" * 20)])
def test_an_interrupt_ends_it_though_its_input_is_open(
    folder: Path, tmp_path: Path, number: int, name: str
) -> None:
    # A socket's path has about 100 bytes.
    temporary = tmp_path / name
    temporary.mkdir()
    command = [sys.executable, "-m", "railbird", "mcp", "--store", str(folder)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(temporary)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(FIRST).encode() + b"\n")
        process.stdin.flush()
        assert b'"railbird"' in process.stdout.readline()
        process.send_signal(number)
        assert process.wait(timeout=60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert list(temporary.iterdir()) == []


def test_a_client_that_no_longer_reads_ends_it(folder: Path) -> None:
    command = [sys.executable, "-m", "railbird", "mcp", "--store", str(folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(json.dumps(FIRST).encode() + b"\n")
        process.stdin.flush()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == b""


def counts(found: dict[str, Any]) -> dict[tuple[Any, ...], int]:
    return {
        (row["statistic"], row["street"], row["position"]): row["opportunities"]
        for row in found["tendencies"]
        if row["opportunities"]
    }


def alone(answers: Coroutine[Any, Any, list[Any]]) -> list[Any]:
    """Run in a thread of its own: a browser of other tests keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, answers).result()


def test_over_the_protocol(folder: Path) -> None:
    async def talk() -> list[Any]:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "railbird", "mcp", "--store", str(folder)]
        )
        async with Client(command) as client:
            tools = (await client.list_tools()).tools
            matches = await client.call_tool("list_matches", {})
            answer = await client.call_tool("sql", {"query": "select count(*) as n from hands"})
            wrong = await client.call_tool("tendencies", {"player": "Nobody"})
            hostile = await client.call_tool("sql", {"query": "copy (select 1) to 'x'"})
            return [tools, matches, answer, wrong, hostile]

    tools, matches, answer, wrong, hostile = alone(talk())
    assert [tool.name for tool in tools] == ["list_matches", "tendencies", "find_hands", "show_hand", "sql"]
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
    assert matches.structured_content["total"] == 3
    assert answer.structured_content == {"columns": ["n"], "rows": [[60]], "truncated": False}
    assert wrong.is_error
    assert "no player is called 'Nobody'" in wrong.content[0].text
    assert hostile.is_error
    assert "only reads" in hostile.content[0].text


def test_matches(questions: assistant.Questions) -> None:
    found = questions.list_matches(event="cup", player="Ann", offset=1)
    assert found["total"] == 3
    assert [row["file"] for row in found["matches"]] == ["1.txt", "2.txt"]
    assert questions.list_matches(game="none") == {"total": 0, "matches": []}


def test_tendencies_as_of_a_hand_know_nothing_later(questions: assistant.Questions, folder: Path) -> None:
    matches = [row["match_id"] for row in questions.list_matches()["matches"]]
    with rb.open(folder) as store:
        ann = Player("cup", "toss", "Ann")
        for place, match in enumerate(matches):
            for hand in (0, 7, 99):
                with store.before(ann, int(match), hand) as limited:
                    ((seen,),) = limited.execute("select count(*) from stored.hands").fetchall()
                    assert seen == 20 * place + min(hand, 20)
        with pytest.raises(UnknownMatch):
            store.before(ann, 1, 0)
    so_far = questions.tendencies("Ann", f"{matches[1]}#7")
    assert (so_far["event"], so_far["game"]) == ("cup", "toss")
    # The same from a store of the logs as they were then.
    logs = folder.parent / "then"
    logs.mkdir()
    (logs / "0.txt").write_bytes((folder.parent / "0.txt").read_bytes())
    text = (folder.parent / "1.txt").read_text()
    cut = text.split("\nRound #")
    (logs / "1.txt").write_text("\nRound #".join(cut[:8]), newline="")
    rb.ingest([logs], logs / "store", event="cup")
    then = assistant.Questions(place_of(logs / "store")).tendencies("Ann")
    assert counts(so_far) == counts(then)
    rates = {row["statistic"]: row["rate"] for row in so_far["tendencies"]}
    assert rates["vpip"] == {row["statistic"]: row["rate"] for row in then["tendencies"]}["vpip"]
    assert sum(counts(so_far).values()) > 100


def test_the_hand_says_which_player_of_a_name_is_meant(tmp_path: Path) -> None:
    for game in ("bounty", "holdem-mit"):
        log = tmp_path / f"{game}.txt"
        log.write_text(simulate(game, [("Ann", "random"), ("Bob", "random")], 5, 1), newline="")
        rb.ingest([log], tmp_path / "store", event="cup")
    asked = assistant.Questions(place_of(tmp_path / "store"))
    with pytest.raises(ToolError) as told:
        assistant._told(asked.tendencies)("Ann")
    assert str(told.value) == '\'Ann\' is several players; choose one: game="bounty"; game="holdem-mit"'
    for match in asked.list_matches()["matches"]:
        assert asked.tendencies("Ann", f"{match['match_id']}#3")["game"] == match["game"]


def test_hands(questions: assistant.Questions) -> None:
    found = questions.find_hands(player="Ann", sort="pot", limit=3)["hands"]
    assert len(found) == 3
    shown = questions.show_hand(found[0]["hand"])
    assert found[0]["hand"] in shown["about"][0]
    assert {step["kind"] for step in shown["steps"]} >= {"action", "deal"}


def test_sql_is_short(questions: assistant.Questions) -> None:
    found = questions.sql("select range from range(1000)")
    assert (len(found["rows"]), found["truncated"]) == (200, True)


def test_an_error_is_one_line(questions: assistant.Questions) -> None:
    for ask, words in (
        (questions.show_hand, ("nothing",)),
        (questions.tendencies, ("Ann", "x#1")),
        (questions.find_hands, ("Nobody",)),
        (questions.sql, ("select * from\nnothing",)),
    ):
        with pytest.raises(ToolError) as told:
            assistant._told(ask)(*words)
        assert "\n" not in str(told.value)
    for name, word, said in (
        ("did", "fly", "fly"),
        ("street", "shore", "shore"),
        ("situation", "odd", "odd"),
        ("pot", [">x"], ">x"),
        ("sort", "size", "size"),
    ):
        with pytest.raises(ToolError) as told:
            assistant._told(questions.find_hands)(**{name: word})
        assert said in str(told.value) and "\n" not in str(told.value)


def test_the_tables_are_listed_in_few_words(questions: assistant.Questions) -> None:
    query = re.search(r"`(select .*?)`\s+the tables", questions.sql.__doc__ or "")
    assert query is not None
    found = questions.sql(query[1])
    ((names,),) = found["rows"]
    assert {"hands", "seats", "tendencies_by_opponent"} <= set(names.split())
    assert len(json.dumps(found)) < 10_000
