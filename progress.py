"""Progress reports of long work."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with (done, total), in the unit of the work."""
