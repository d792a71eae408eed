"""The command line, as a user calls it: in a folder, in a process of its own."""

import atexit
import os
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hammer.forks import Command, ForkServer

from railbird.analytics.store import open_store

STORE = "railbird-store"
"""The store that commands use in a folder where none is named."""


@cache
def _forks() -> ForkServer:
    """The process that the commands are forked from. To start Python and import railbird takes as long as a command."""
    server = ForkServer()
    atexit.register(server.__exit__, None, None, None)
    return server


def railbird(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder; more: of the environment. No command sees what another one read or imported."""
    with TemporaryDirectory() as home:
        ended = _forks().run(Command(words, str(folder), home=home, environment=os.environ | more))
    assert ended.code is not None, f"{words} did not end: {ended.err}"
    return subprocess.CompletedProcess(words, ended.code, ended.out, ended.err)


def rows(folder: Path, query: str) -> list[list[Any]]:
    """What a query says of the store of a folder: asked in this process, which has read no file of a user's game."""
    with open_store(folder / STORE) as store:
        return [list(row) for row in store.execute(query).fetchall()]
