"""The command line. Each command imports what it needs when it runs, so that `railbird --help` is quick."""

from .app import app as app
from .app import main as main
from .app import run as run
