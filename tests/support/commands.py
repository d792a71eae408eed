"""The command line, as a user calls it: in a folder, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from railbird.analytics.store import open_store

STORE = "railbird-store"
"""The store that commands use in a folder where none is named."""


def railbird(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder; more: of the environment."""
    command = [sys.executable, "-m", "railbird", *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=os.environ | more, check=False
    )


def rows(folder: Path, query: str) -> list[list[Any]]:
    """What a query says of the store of a folder: asked in this process, which has read no file of a user's game."""
    with open_store(folder / STORE) as store:
        return [list(row) for row in store.execute(query).fetchall()]
