"""Named tuples of arrays and records, which kernels take by address.

Where this Numba cannot, it passes them word by word.
"""

from typing import Any, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])

try:
    from .bundle_types import bundle
except (ImportError, AttributeError):
    # Numba promises none of what that file takes from it. It knows named tuples by itself; compiling takes longer.
    def bundle(kind: type[T]) -> type[T]:
        """Leave the tuple to Numba."""
        return kind


__all__ = ["bundle"]
