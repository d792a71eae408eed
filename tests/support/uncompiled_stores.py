"""Ingests logs where nothing is compiled, each into a store of its own: `python uncompiled_stores.py STORES LOG ...`

It ends in an error where a kernel does not run as plain Python.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from railbird.ingest import ingest
from railbird.parsers import uncompiled


def _nothing(*_: Any) -> NoReturn:
    assert uncompiled.is_allowed()
    raise uncompiled.UncompiledError


def _raising(error: BaseException) -> str:
    raise error


if __name__ == "__main__":
    vars(import_module("railbird.parsers.kernels"))["KernelCache"].load_overload = _nothing
    for name in ("railbird.ingest", "railbird.storage.filling"):
        vars(import_module(name))["failure"] = _raising
    vars(import_module("railbird.storage.filling"))["or_compiled"] = lambda work, size: work()
    for number, log in enumerate(sys.argv[2:]):
        uncompiled._left = uncompiled.LITTLE
        ingest([log], Path(sys.argv[1]) / str(number), workers=1)
