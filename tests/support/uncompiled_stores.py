"""Ingests logs where nothing is compiled: `python uncompiled_stores.py STORES LOG ...`, each into its own store.

It ends in an error where a kernel does not run as plain Python.
"""

import sys
from pathlib import Path
from typing import Any

from railbird.ingest import ingest
from railbird.jit import interpreted
from railbird.jit.cache import KernelCache


def _nothing(cache: Any, *types: Any) -> Any:
    assert interpreted.is_allowed()
    raise interpreted.UncompiledError


if __name__ == "__main__":
    setattr(KernelCache, "load_overload", _nothing)  # noqa: B010 - mypy
    for number, log in enumerate(sys.argv[2:]):
        interpreted._left = interpreted.LITTLE
        ingest([log], Path(sys.argv[1]) / str(number), workers=1)
