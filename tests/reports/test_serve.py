"""The live page: what it answers, whom it refuses, and that it follows a log."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from support.axe import complaints

import railbird as rb
from railbird.replay.simulate import simulate
from railbird.reports import UserError
from railbird.reports.bounded_sql import MOST_ROWS, BoundedSql
from railbird.reports.following import Following
from railbird.reports.live import Competition, Leaders
from railbird.storage.editing import forget
from railbird.storage.locations import place_of

HOSTILE = ("<img src=x onerror=alert(1)>", "\u202egnp.$x^{2}$ \x1b[31m\"'&</title>")
SECONDS = 5.0
"""In which new hands must be there."""


@dataclass
class Served:
    """A server that watches a folder, and its answers."""

    folder: Path
    port: int
    process: "subprocess.Popen[str]"

    def ask(self, path: str, body: str | None = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET" if body is None else "POST", path, body, headers)
            answer = connection.getresponse()
            return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def head(self, body: str) -> str:
        """The head of a request with a query."""
        host = f"Host: 127.0.0.1:{self.port}"
        return f"POST /api/sql HTTP/1.1\r\n{host}\r\nContent-Length: {len(body)}\r\n\r\n"

    def json(self, path: str) -> Any:
        status, _, body = self.ask(path)
        assert status == 200
        return json.loads(body)

    def sql(self, query: str) -> tuple[int, Any]:
        status, _, body = self.ask("/api/sql", json.dumps({"query": query}))
        return status, json.loads(body)

    def hands(self) -> int:
        return max((row["hands"] for row in self.json("/api/scoreboard")["players"]), default=0)

    def wait_for(self, hands: int) -> float:
        """Seconds until a player has so many hands."""
        began = time.monotonic()
        while self.hands() != hands:
            assert time.monotonic() - began < 60
            time.sleep(0.05)
        return time.monotonic() - began

    @property
    def log(self) -> Path:
        return self.folder / "logs" / "match.txt"

    @property
    def store(self) -> Path:
        return self.folder / "store"


def begin(folder: Path, *words: object) -> Served:
    command = [sys.executable, "-m", "railbird", "serve", "--port", "0", *map(str, words)]
    (folder / "temporary").mkdir()
    more = {"TMPDIR": str(folder / "temporary")}
    with (folder / "said").open("w") as said:
        process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=said, text=True, env=os.environ | more
        )
    assert process.stdout is not None
    address = process.stdout.readline()
    assert address.startswith("http://127.0.0.1:")
    assert address.endswith("/\n")
    return Served(folder, int(address.rsplit(":", 1)[1].strip("/\n")), process)


@pytest.fixture(scope="module")
def whole_log() -> list[str]:
    """A match of hostile names, a hand an item."""
    text = simulate("bounty", [(HOSTILE[0], "loose-aggressive"), (HOSTILE[1], "faulty")], 60, 3)
    head, *hands = text.split("\nRound #")
    return [head, *(f"\nRound #{hand}" for hand in hands)]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, whole_log: list[str]) -> Iterator[Served]:
    """A server that watches the first 20 hands of a match; tests may let the log grow."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "logs").mkdir()
    (folder / "logs" / "match.txt").write_text("".join(whole_log[:21]), newline="")
    found = begin(folder, "--watch", "logs", "--store", "store", "--event", "cup")
    try:
        found.wait_for(20)
        yield found
        # An interrupt ends the server while a query runs, and no process or file is left.
        with socket.create_connection(("127.0.0.1", found.port)) as made:
            query = '{"query": "select count(*) from range(100000000000000)"}'
            made.sendall(found.head(query).encode() + query.encode())
            time.sleep(0.3)
            found.process.send_signal(signal.SIGINT)
            ended = made.recv(100)
        assert ended.startswith(b"HTTP/1.1 400 ")
        assert found.process.wait(timeout=20) in (0, 130)
        assert list((folder / "temporary").iterdir()) == []
        assert not re.search("Traceback|ERROR", (folder / "said").read_text())
    finally:
        found.process.kill()
        found.process.communicate()


def test_the_scoreboard_is_that_of_the_store(served: Served) -> None:
    with rb.open(served.store) as store:
        wanted = store.execute("select player, sum(delta), count(*) from seats group by 1 order by 2 desc")
        expected = wanted.fetchall()
    told = served.json("/api/scoreboard")["players"]
    assert [(row["player"], row["chips"], row["hands"]) for row in told] == expected
    page = served.json("/api/live")
    assert [curve["chips"][-1] for curve in page["curves"]] == [row[1] for row in expected]
    assert [curve["hands"][-1] for curve in page["curves"]] == [row[2] for row in expected]
    assert (page["event"], page["game"], page["watches"]) == ("cup", "bounty", True)
    assert len(page["passes"]) >= 1
    assert {row["kind"] for row in page["faults"]}
    assert all(row["file"] == "match.txt" for row in page["faults"])


def test_a_viewer_who_has_the_newest_gets_nothing(served: Served) -> None:
    version = served.json("/api/live")["version"]
    assert served.ask(f"/api/live?since={version}")[0] == 204
    assert served.json("/api/live?since=-1&event=no&game=such")["event"] == "cup"


def test_sql_answers_with_ids_as_text(served: Served) -> None:
    status, told = served.sql("select match_id, count(*) as hands, 0.5 as x from hands group by 1")
    assert status == 200
    assert told["columns"] == ["match_id", "hands", "x"]
    ((match, hands, half),) = told["rows"]
    assert match.isdecimal()
    assert (hands, half, told["truncated"]) == (served.hands(), 0.5, False)


def test_sql_stops_at_its_rows(served: Served) -> None:
    status, told = served.sql(f"select 1 from range({MOST_ROWS})")
    assert (status, len(told["rows"]), told["truncated"]) == (200, MOST_ROWS, False)
    status, told = served.sql(f"select 1 from range({MOST_ROWS + 1})")
    assert (status, len(told["rows"]), told["truncated"]) == (200, MOST_ROWS, True)


def test_sql_only_reads_the_store(served: Served, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n1\n")
    outside, inside = tmp_path / "out.csv", served.store / "new.csv"
    before = {path: path.stat().st_mtime_ns for path in served.store.rglob("*.parquet")}
    hostile = (
        f"select * from read_csv('{tmp_path}/x.csv')",
        f"select * from '{tmp_path}/x.csv'",
        f"select * from read_text('{served.log}')",
        "select * from read_text('/proc/self/environ')",
        f"select * from glob('{served.store}/*')",
        "from parquet_metadata('/etc/passwd')",
        "select * from 'https://127.0.0.1/x.parquet'",
        "select * from sqlite_scan('a', 'b')",
        "select * from duckdb_secrets()",
        f"select * from enable_logging(storage='file', storage_config={{'path': '{outside}'}})",
        f"select * from enable_profiling(save_location='{outside}')",
        f"select * from query('copy (select 1) to ''{outside}''')",
        f"copy (select 1) to '{outside}'",
        f"copy (select 1) to '{inside}'",
        f"explain analyze copy (select 1) to '{outside}'",
        f"export database '{outside}'",
        f"attach '{outside}'",
        "install httpfs",
        "load httpfs",
        "set memory_limit = '100GB'",
        "set allowed_directories = ['/']",
        "reset enable_external_access",
        "pragma threads = 64",
        "create table t as select 1",
        "drop view seats",
        "delete from stored.games",
        "update stored.games set title = 'x'",
        "call pragma_version()",
        "prepare p as select 1",
        "select 1; select 2",
        "select 1; copy (select 1) to 'x'",
        "selec",
        "select * from nothing",
        "",
        ";",
        "select '\ud800'",
        "select " + "1 + " * 60_000 + "1",
    )
    for query in hostile:
        status, told = served.sql(query)
        assert (status, list(told)) == (400, ["error"]), query
        assert "\n" not in told["error"]
    assert not outside.exists()
    assert {path: path.stat().st_mtime_ns for path in served.store.rglob("*.parquet")} == before
    assert not inside.exists()
    assert served.sql("select count(*) from stored.games")[1]["rows"] == [[1]]


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"query": 1}', "[" * 100_000, "\x00", '{"query": "x"'])
def test_what_is_no_query_is_refused(served: Served, body: str) -> None:
    assert served.ask("/api/sql", body)[0] == 400


def test_a_body_without_end_is_refused(served: Served) -> None:
    assert served.ask("/api/sql", json.dumps({"query": "x" * 2_000_000}))[0] == 400


def test_a_request_that_ends_early_is_no_error(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port)) as made:
        made.sendall(served.head("{   }").encode() + b"{")
    # What the server says of it stands in its file, which is read at the end.
    assert served.sql("select 1")[0] == 200


def test_foreign_hosts_and_origins_are_refused(served: Served) -> None:
    own = f"127.0.0.1:{served.port}"
    for foreign in (
        {"Host": "evil.example"},
        {"Host": f"evil.example:{served.port}"},
        {"Host": f"{own}.evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1"},
        {"Host": f"[::1]:{served.port}"},
        {"Host": f"127.1:{served.port}"},
        {"Host": f"0.0.0.0:{served.port}"},
        {"Host": f"localhost.:{served.port}"},
        {"Host": f"{own},evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": f"http://[::1]:{served.port}"},
        {"Origin": f"http://{own}/"},
        {"Origin": f"https://{own}"},
        {"Origin": f"http://{own}.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    ):
        for path, body in (("/", None), ("/api/scoreboard", None), ("/api/sql", '{"query": "select 1"}')):
            assert 400 <= served.ask(path, body, **foreign)[0] < 500, foreign
    for ours in (
        {"Origin": f"http://{own}"},
        {"Host": f"LOCALHOST:{served.port}"},
        {"Origin": f"http://{own}", "Sec-Fetch-Site": "same-origin"},
    ):
        assert served.ask("/api/sql", '{"query": "select 1"}', **ours)[0] == 200
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    for followed in (link, {"Sec-Fetch-Site": "none"}):
        assert served.ask("/", None, **followed)[0] == 200


def test_queries_of_viewers_who_left_keep_nobody_waiting(served: Served) -> None:
    """Only two queries run at once; each of these would run for the whole 30 seconds."""
    body = json.dumps(
        {"query": "select count(*) from range(1000000) a, range(1000000) b where a.range <> b.range"}
    )
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", served.port)) as made:
            made.sendall(served.head(body).encode() + body.encode())
            time.sleep(0.3)
    before = time.monotonic()
    assert served.sql("select 1")[0] == 200
    assert time.monotonic() - before < 15


def test_every_answer_says_what_a_page_may_load(served: Served) -> None:
    for path, status in (("/", 200), ("/assets/live.js", 200), ("/api/live", 200), ("/nothing", 404)):
        found, headers, _ = served.ask(path)
        assert found == status
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; ")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers
    assert served.ask("/api/scoreboard", "{}")[0] == 405
    for path in ("/assets/../server.py", "/assets/..%2fserver.py", "/assets/base.html", "/report/../../x"):
        assert served.ask(path)[0] in (200, 404)
        assert b"starlette" not in served.ask(path)[2]


def test_only_loopback_listens(served: Served) -> None:
    line = f"0100007F:{served.port:04X}"
    table = Path("/proc/net/tcp")
    if not table.exists():
        pytest.skip("the system does not list its sockets")
    listening = [row.split()[1] for row in table.read_text().splitlines()[1:] if row.split()[3] == "0A"]
    assert [place for place in listening if place.endswith(line[8:])] == [line]


def test_the_report_stands_behind_the_page(served: Served) -> None:
    began = time.monotonic()
    while b"being written" in (page := served.ask("/report/index.html"))[2]:
        assert page[0] == 200
        assert time.monotonic() - began < 120
        time.sleep(0.2)
    status, sent, body = page
    assert (status, b"Standings" in body) == (200, True)
    assert "strict-dynamic" in sent["content-security-policy"]
    assert served.ask("/report/assets/page.js")[0] == 200
    assert served.ask("/report/%2e%2e/%2e%2e/etc/passwd")[0] == 404
    assert served.ask("/report/..%2f..%2fstore/manifest.json")[0] == 404
    for odd in ("%00", "a%00b", "%c3%28", "a" * 5000, "assets", "assets/"):
        assert served.ask(f"/report/{odd}")[0] == 404


def test_the_page_follows_a_growing_log(served: Served, whole_log: list[str], browser: Any) -> None:
    context = browser.new_context()
    try:
        page = context.new_page()
        said: list[str] = []
        asked: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"http://127.0.0.1:{served.port}/")
        page.wait_for_selector("html[data-version]", state="attached")
        there = served.hands()
        with served.log.open("a", newline="") as log:
            log.write("".join(whole_log[there + 1 : there + 11]))
        began = time.monotonic()
        page.wait_for_selector(f"#players td:nth-child(4) >> text='{there + 10}'", timeout=60_000)
        assert time.monotonic() - began < SECONDS
        names = page.locator("#players th").all_inner_texts()
        assert HOSTILE[0] in names
        assert any("\\u202e" in name for name in names)
        assert page.locator("#chart canvas").count() == 1
        assert page.locator("#chart bdi").all_inner_texts() == names
        page.focus("#chart .curve-plot")
        page.keyboard.press("End")
        target = page.locator("#chart .curve-value a").first.get_attribute("href")
        assert re.fullmatch(rf"/report/replay\.html#\d+/{there + 9}", target)
        assert page.locator("#faults tr").count() > 0
        page.click("#run")
        page.wait_for_selector("#rows td")
        assert page.locator("#rows tr").count() == 2
        page.fill("#query", "select 'a' as \"<b>\" from nothing")
        page.click("#run")
        page.wait_for_selector("#answered >> text=/Catalog Error/")
        assert complaints(page) == []
        # The browser itself tells of the answer 400.
        assert [line for line in said if "400" not in line] == []
        assert {url.split("/")[2] for url in asked} == {f"127.0.0.1:{served.port}"}
    finally:
        context.close()


def test_on_a_phone_the_page_shows_every_column_while_the_log_grows(
    served: Served, whole_log: list[str], browser: Any
) -> None:
    hidden = """() => [...document.querySelectorAll(".scroll")]
        .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.innerText)"""
    context = browser.new_context(viewport={"width": 390, "height": 800})
    try:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{served.port}/")
        page.wait_for_selector("html[data-version]", state="attached")
        there = served.hands()
        with served.log.open("a", newline="") as log:
            log.write("".join(whole_log[there + 1 : there + 4]))
        page.wait_for_selector(f"#players td[data-label=Hands] >> text='{there + 3}'", timeout=60_000)
        assert page.evaluate(hidden) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        said = "(one) => getComputedStyle(one, '::before').content"
        assert page.locator("#faults td").nth(1).evaluate(said) == '"Kind"'
        # Another query has other columns: a row of many is a block, a row of one stays a row.
        for query, blocks in (("select * from hands", 1), ("select 1 as one", 0), ("select * from seats", 1)):
            page.fill("#query", query)
            page.click("#run")
            page.wait_for_selector("#run:enabled")
            assert page.locator("#answer.stacked").count() == blocks, query
            assert page.evaluate(hidden) == []
        assert page.locator("#rows td").nth(1).evaluate(said) == '"hand_index"'
        assert complaints(page) == []
    finally:
        context.close()


def test_fifty_viewers_see_a_log_grow(served: Served, whole_log: list[str]) -> None:
    there = served.hands()
    began = time.monotonic()

    def view(viewer: int) -> float:
        """Ask as a page does, until the new hands are there: the longest wait for an answer."""
        version, longest = -1, 0.0
        while True:
            asked = time.monotonic()
            status, _, body = served.ask(f"/api/live?since={version}")
            longest = max(longest, time.monotonic() - asked)
            assert status in (200, 204)
            if status == 200:
                told = json.loads(body)
                version = told["version"]
                if told["players"][0]["hands"] == there + 10:
                    return longest
            assert time.monotonic() - began < 60
            time.sleep(0.3)

    with ThreadPoolExecutor(50) as viewers:
        waits = viewers.map(view, range(50))
        with served.log.open("a", newline="") as log:
            log.write("".join(whole_log[there + 1 : there + 11]))
        assert max(waits) < SECONDS
    assert time.monotonic() - began < SECONDS


def test_a_store_that_others_write_is_followed(tmp_path: Path, whole_log: list[str]) -> None:
    log = tmp_path / "match.txt"
    log.write_text("".join(whole_log[:6]), newline="")
    rb.ingest([log], tmp_path / "store")
    complaints: list[str] = []
    following = Following(place_of(tmp_path / "store"), every=0.05, complain=complaints.append)
    following.start()
    try:
        assert {row["hands"] for row in json.loads(following.scoreboard())["players"]} == {5}
        log.write_text("".join(whole_log[:9]), newline="")
        rb.ingest([log], tmp_path / "store")
        began = time.monotonic()
        while {row["hands"] for row in json.loads(following.scoreboard())["players"]} != {8}:
            assert time.monotonic() - began < 60
            time.sleep(0.05)
        # Emptied, it has nobody; the page waits for hands again.
        forget(tmp_path / "store", ["match.txt"])
        while json.loads(following.scoreboard())["players"]:
            assert time.monotonic() - began < 60
            time.sleep(0.05)
        assert "players" not in json.loads(following.page(None, None))
    finally:
        following.stop()
    assert complaints == []


def test_wrong_options_are_one_line(run: Run, tmp_path: Path, served: Served) -> None:
    for words, said in (
        (("--store", tmp_path / "none"), "no store is there"),
        (("--store", served.store, "--watch", tmp_path / "none"), "is not a folder"),
        (("--store", served.store, "--event", "x"), "--event and --tag are for the logs of --watch"),
        (("--store", served.store, "--port", served.port), "0 takes a free port"),
        (("--store", served.store, "--port", "70000"), "less than or equal to 65535"),
    ):
        code, out, err = run("serve", *words)
        assert (code, out, len(err.splitlines())) == (2, "", 1), words
        assert said in err


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select count(*) from range(100000000000000)", "longer than 1 s"),
        # Parsing it takes all memory that there is.
        ("from " + "(" * 3000 + "hands" + ")" * 3000, "longer than 1 s|more than 2 GB"),
        ("select repeat('x', 1500000000)", "more than 2 GB"),
        ("select list(range) from range(300000000)", "more than 2 GB"),
        ("select repeat('x', 1000) from range(90000)", "longer than 64 MB"),
    ],
)
def test_a_query_has_limits(served: Served, query: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        BoundedSql(str(served.store), seconds=1 if "1 s" in said else 30).answer(query)


def test_leaders_are_named_once() -> None:
    def player(name: str, chips: float, hands: int) -> dict[str, Any]:
        return {"player": name, "seat": None, "chips": chips, "hands": hands}

    cup = Competition("cup", "bounty", [player("Ann", 30, 10), player("Bob", -30, 10)])
    tie = Competition("cup", "toss", [player("Ann", 0, 1), player("B\x1b", 0, 1)])
    leaders = Leaders()
    assert list(leaders.lines([cup, tie])) == [
        "bounty, event cup: Ann leads, +30 chips in 10 hands; Bob −30",
        "toss, event cup: Ann and B\\x1b lead, 0 chips each",
    ]
    assert list(leaders.lines([cup, tie])) == []
    grown = Competition("cup", "toss", [player("Ann", 2, 2), player("Bob", -2, 2)])
    assert list(leaders.lines([cup, grown])) == ["toss, event cup: Ann leads, +2 chips in 2 hands; Bob −2"]
    many = [Competition(f"e{k}", "toss", [player("Ann", 1, 1)]) for k in range(7)]
    assert list(Leaders().lines(many))[-1] == "and 2 more; `railbird standings` has all"
    assert list(Leaders().lines([])) == []
