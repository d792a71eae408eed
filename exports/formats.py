"""The formats by the name that `railbird export --to` knows them by."""

from collections.abc import Callable, Mapping
from typing import Final

from .hands import Format, Options
from .jsonl import Jsonl

FORMATS: Final[Mapping[str, Callable[[Options], Format]]] = {"jsonl": Jsonl}
