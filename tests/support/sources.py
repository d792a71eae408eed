"""The package's sources alone: a place where nothing is compiled yet."""

import shutil
from pathlib import Path

from railbird.jit.cache import PACKAGE


def copy_sources(home: Path) -> None:
    """Copy the package to `home`, a folder of PYTHONPATH, without kernels, tests and what was built."""
    left_out = shutil.ignore_patterns(".*", "build", "dist", "docs", "kernels", "tests", "__pycache__")
    shutil.copytree(PACKAGE, home / "railbird", ignore=left_out)
