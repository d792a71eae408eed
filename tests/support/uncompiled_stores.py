"""Ingests logs where nothing is compiled: `python uncompiled_stores.py KERNEL STORES LOG ...`, each into its own store.

It ends in an error where a kernel does not run as plain Python. KERNEL fails at its end, so that the work on a log is
done again, by compiled kernels; "none" does.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from railbird.ingest import ingest
from railbird.parsers import kernels, uncompiled
from railbird.parsers.kernel_cache import KernelCache

_load = KernelCache.load_overload
_plain = uncompiled.plain
_failing = sys.argv[1]
_failed: list[str] = []


def _nothing(cache: Any, *types: Any) -> Any:
    if uncompiled.is_allowed():
        raise uncompiled.UncompiledError
    assert _failed
    return _load(cache, *types)


def _plain_but(function: Callable[..., Any]) -> Callable[..., Any]:
    if function.__name__ != _failing:
        return _plain(function)

    def failing(*arguments: Any) -> None:
        _plain(function)(*arguments)
        _failed.append(_failing)
        raise OverflowError

    return failing


if __name__ == "__main__":
    setattr(KernelCache, "load_overload", _nothing)  # noqa: B010 - mypy
    vars(kernels)["plain"] = _plain_but
    for number, log in enumerate(sys.argv[3:]):
        uncompiled._left = uncompiled.LITTLE
        ingest([log], Path(sys.argv[2]) / str(number), workers=1)
    assert _failing == "none" or _failed
