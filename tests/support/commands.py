"""The command line, as a user calls it: in a folder, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path


def railbird(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder; more: of the environment."""
    command = [sys.executable, "-m", "railbird", *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=os.environ | more, check=False
    )
