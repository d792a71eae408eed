"""The formats by the name that `railbird export --to` knows them by."""

from collections.abc import Callable, Mapping
from typing import Final

from .acpc import Acpc
from .hands import Format, Options
from .jsonl import Jsonl
from .ohh import Ohh
from .phh import Phh, Phhs
from .pokerstars import Pokerstars

_ALL: Final[tuple[type[Format], ...]] = (Jsonl, Phh, Phhs, Acpc, Ohh, Pokerstars)
FORMATS: Final[Mapping[str, Callable[[Options], Format]]] = {form.__name__.lower(): form for form in _ALL}
"""Each is called like its class."""
