"""Named tuples of arrays and records, which kernels take by address; a Numba that cannot passes them word by word."""

from typing import Any, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])

try:
    from .bundle_types import bundle
except (ImportError, AttributeError):
    # That file uses internals of Numba. Without them Numba passes named tuples itself; compiling takes longer.
    def bundle(kind: type[T]) -> type[T]:
        """Leave the tuple to Numba."""
        return kind


__all__ = ["bundle"]
