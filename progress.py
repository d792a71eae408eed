"""How long work says how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Takes (done, of how many), in whatever the work counts."""
