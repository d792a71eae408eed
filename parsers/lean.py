"""Numba with less luggage, for a process of railbird's own: it saves 0.2 s at the start of a command."""

import sys
from importlib import import_module
from typing import Final

# Linear algebra and a coverage tracer: no kernel here uses the one, no command the other.
_LEFT_OUT: Final = ("scipy.linalg", "coverage")


def load_numba() -> None:
    """Import Numba so that it finds neither SciPy's linear algebra nor a coverage tracer.

    Not for a library: other Numba code of the process could no longer multiply matrices.
    """
    hidden = [name for name in _LEFT_OUT if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # an import of it fails
    try:
        import_module("numba.np.arraymath")
    finally:
        for name in hidden:
            del sys.modules[name]
