"""Ingests logs where nothing is compiled: `python uncompiled_stores.py KERNEL STORES LOG ...`, each into its own store.

It ends in an error where a kernel does not run as plain Python. KERNEL fails at its end, so that the work on a log is
done again, by compiled kernels; "none" does.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from railbird.ingest import ingest
from railbird.jit import compile as jit
from railbird.jit import interpreted
from railbird.jit.cache import KernelCache

_load = KernelCache.load_overload
_plain = interpreted.plain
_failing = sys.argv[1]
_failed: list[str] = []


def _nothing(cache: Any, *types: Any) -> Any:
    if interpreted.is_allowed():
        raise interpreted.UncompiledError
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
    vars(jit)["plain"] = _plain_but
    for number, log in enumerate(sys.argv[3:]):
        interpreted._left = interpreted.LITTLE
        ingest([log], Path(sys.argv[2]) / str(number), workers=1)
    assert _failing == "none" or _failed
