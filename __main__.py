"""`python -m railbird` is the command `railbird`."""

from .cli import run

run()
