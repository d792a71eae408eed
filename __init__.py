"""railbird reads poker-bot logs into Parquet, verifies every hand and answers questions about them.

    import railbird as rb

    rb.ingest(["logs/"], "railbird-store")
    store = rb.open("railbird-store")

open         a store for SQL: `analytics.store.open_store`
ingest       logs into a store: `ingest.ingest`
compare      is one player better than another: `analytics.compare.compare`
bankroll, luck, stats, standings, opponent, exploit, why, verify, audit, collusion, hands, hand, turns, league, games,
sql          the questions of the command line, as Polars frames: `reports.frames`, docs/python.md
tag, forget  columns of one's own, and mistakes taken out again: `storage.editing`
__version__  of the installed package

Names are loaded on first use, so that importing railbird costs nothing.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analytics.compare import compare
    from .analytics.store import open_store as open
    from .ingest import ingest
    from .reports.frames import (
        audit,
        bankroll,
        collusion,
        exploit,
        games,
        hand,
        hands,
        league,
        luck,
        opponent,
        sql,
        standings,
        stats,
        turns,
        verify,
        why,
    )
    from .storage.editing import forget, tag

    __version__: str

__all__ = [
    "__version__",
    "audit",
    "bankroll",
    "collusion",
    "compare",
    "exploit",
    "forget",
    "games",
    "hand",
    "hands",
    "ingest",
    "league",
    "luck",
    "open",
    "opponent",
    "sql",
    "standings",
    "stats",
    "tag",
    "turns",
    "verify",
    "why",
]

_FUNCTIONS = {
    "open": ("analytics.store", "open_store"),
    "ingest": ("ingest", "ingest"),
    "compare": ("analytics.compare", "compare"),
    "tag": ("storage.editing", "tag"),
    "forget": ("storage.editing", "forget"),
}
_FUNCTIONS.update(
    {name: ("reports.frames", name) for name in __all__ if name not in {*_FUNCTIONS, "__version__"}}
)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("railbird")
    except PackageNotFoundError:
        return "0+unknown"  # used from its folder, never installed


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name in _FUNCTIONS:
        from importlib import import_module

        module, function = _FUNCTIONS[name]
        return getattr(import_module(f".{module}", __name__), function)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Root(ModuleType):
    def __setattr__(self, name: str, value: object) -> None:
        # An import of the module railbird.ingest would bind it here, in the way of the function of that name.
        if not (name == "ingest" and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Root
