"""Settings that railbird's own process makes before it imports Numba and Arrow; a library must not make them."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Final

compiling: Final[list[Callable[[str], None]]] = []
"""Listeners for one-line messages about the time that a first use takes."""

# They may be installed, but no command uses them: Numba only looks at SciPy's version.
_TRACER: Final = "coverage"
_UNUSED: Final = (_TRACER, "scipy")


def prepare_process() -> None:
    """Choose Arrow's allocator, and import Numba without what no command needs."""
    choose_allocator()
    _load_numba()


def choose_allocator() -> None:
    """Let Arrow use jemalloc: an ingest's peak is 70 MB lower than with mimalloc, which keeps freed memory.

    Arrow reads the choice once, and is sure to have jemalloc on Linux only.
    """
    if sys.platform == "linux":
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "jemalloc")


def _load_numba() -> None:
    """Import Numba so that it finds no coverage tracer and no SciPy, which it would import."""
    if _TRACER in sys.modules:
        return
    hidden = [name for name in _UNUSED if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # an import of it fails
    try:
        import_module("numba")
    finally:
        for name in hidden:
            del sys.modules[name]
