"""`make audit` finds advisories, licences and code that runs code; without network it says so and passes."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from conftest import ROOT

from railbird.tools import audit

NOWHERE = "http://127.0.0.1:9/"


class _Service(BaseHTTPRequestHandler):
    """Knows an advisory of numpy."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        known = [{"vulns": [{"id": "X-1"}]} if one["package"]["name"] == "numpy" else {} for one in asked]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"results": known}).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_without_network_the_rest_is_checked_and_nothing_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAILBIRD_ADVISORIES", NOWHERE)
    assert audit.main() == 0
    out = capsys.readouterr().out
    assert out.startswith("advisories  not checked: no answer\n")
    assert " packages, 0 to look at\n" in out
    assert out.endswith(" and are expected, 0 others\n")


def test_an_advisory_is_found(
    service: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAILBIRD_ADVISORIES", service)
    assert audit.main() == 1
    version = audit.pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))["numpy"]
    assert f"  numpy {version}: X-1\n" in capsys.readouterr().out


def test_licences() -> None:
    assert audit.is_free("BSD-3-Clause")
    assert audit.is_free("License :: OSI Approved :: MIT License")
    assert not audit.is_free("GPL-3.0-or-later")
    assert not audit.is_free("AGPL-3.0; MIT")
    assert not audit.is_free("")
    assert {"numpy", "duckdb"} <= set(audit.dependencies())


def test_code_that_runs_code_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import pickle, os\nfrom marshal import loads\neval('1')\nexec('2')\nos.system('x')\n"
        "run('x', shell=True)\nrun('x', shell=False)\nmodel.eval()\nconnection.system()\n",
        encoding="utf-8",
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "b.py").write_text("eval('1')\n", encoding="utf-8")
    assert list(audit.running(tmp_path)) == [
        ("a.py", 1, "pickle"),
        ("a.py", 2, "marshal"),
        ("a.py", 3, "eval"),
        ("a.py", 4, "exec"),
        ("a.py", 5, "system"),
        ("a.py", 6, "shell"),
    ]


def test_what_is_expected_is_there() -> None:
    there = {(file, word) for file, _, word in audit.running(ROOT)}
    assert there >= audit.EXPECTED.keys()
