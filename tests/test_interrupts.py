"""An interrupt at any time ends a command without a traceback. At random, in every command: `make hammer`."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hammer.processes import problem_of

IMPORTING = """
import os, signal, sys
class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "railbird.cli.app":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupted())
sys.argv = ["railbird", "--version"]
import railbird.cli
"""
ENDING = """
import os, signal, sys
import railbird.cli
app = sys.modules["railbird.cli.app"]
def ended():
    os.kill(os.getpid(), signal.SIGINT)
    return 0
app.main = ended
app.run()
"""

# DuckDB raises such an error where an interrupt meets it.
INSTEAD = """
import os, signal, sys
import railbird.cli
app = sys.modules["railbird.cli.app"]
@app.app.command()
def asking():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        raise RuntimeError("Query interrupted") from None
sys.argv = ["railbird", "asking"]
app.run()
"""

# Python prints what a callback or a finaliser raises, and goes on.
CALLED_BACK = """
import ctypes, os, signal, sys, time
import railbird.cli
app = sys.modules["railbird.cli.app"]
def back():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
@app.app.command()
def calling():
    ctypes.CFUNCTYPE(None)(back)()
    time.sleep(30)
sys.argv = ["railbird", "calling"]
app.run()
"""
# The compiled part of DuckDB makes its enums as it starts, and aborts where that raises.
STARTING = """
import enum, os, signal, sys, time
import railbird.cli
app = sys.modules["railbird.cli.app"]
usual = enum.EnumMeta._create_
def made(*words, **more):
    if "duckdb" in sys.modules:
        os.kill(os.getpid(), signal.SIGINT)
    return usual(*words, **more)
enum.EnumMeta._create_ = made
@app.app.command()
def starting():
    import duckdb
    time.sleep(30)
sys.argv = ["railbird", "starting"]
app.run()
"""
AT_THE_LAST_STEP = """
import os, signal, sys
import railbird.cli
app = sys.modules["railbird.cli.app"]
usual = signal.signal
def late(number, handler):
    if handler is signal.SIG_IGN:
        os.kill(os.getpid(), signal.SIGINT)
    return usual(number, handler)
signal.signal = late
app.main = lambda: 0
app.run()
"""


def ran(code: str, folder: Path) -> tuple[int, str]:
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False
    )
    return found.returncode, found.stderr


def test_while_the_command_line_is_imported(tmp_path: Path) -> None:
    assert ran(IMPORTING, tmp_path) == (-signal.SIGINT, "")


def test_after_the_command(tmp_path: Path) -> None:
    assert ran(ENDING, tmp_path) == (130, "")


def test_when_the_exit_code_is_known(tmp_path: Path) -> None:
    assert ran(AT_THE_LAST_STEP, tmp_path) == (0, "")


def test_in_a_callback(tmp_path: Path) -> None:
    assert ran(CALLED_BACK, tmp_path) == (130, "")


def test_while_duckdb_starts(tmp_path: Path) -> None:
    assert ran(STARTING, tmp_path) == (130, "")


def test_a_library_that_makes_an_error_of_it(tmp_path: Path) -> None:
    assert ran(INSTEAD, tmp_path) == (130, "")


def test_who_imports_the_command_line_keeps_its_own_handling(tmp_path: Path) -> None:
    code = "import signal, railbird.cli\nassert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    assert ran(code, tmp_path) == (0, "")


@pytest.mark.parametrize(
    ("code", "out", "err", "said"),
    [
        (0, "fine", "", ""),
        (2, "", "railbird: no store is there\n", ""),
        (2, "", "", "exit 2 without a line"),
        (1, "", "Traceback (most recent call last):\n", "a traceback"),
        (70, "", "railbird: x\n", "exit 70"),
        (1, "", 'Traceback ...\n  File "<frozen site>", line 1\nKeyboardInterrupt\n', ""),
    ],
)
def test_the_hammer_knows_what_is_wrong(code: int, out: str, err: str, said: str) -> None:
    found = problem_of(["verify"], code, out, err)
    assert said in found
    assert bool(found) == bool(said)
