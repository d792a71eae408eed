"""The command line. Each command imports what it needs when it runs, so that `railbird --help` is quick."""

import gc as _gc
import os as _os
import signal as _signal
import sys as _sys

_ends_at_once = (
    _os.path.basename((_sys.argv or [""])[0]) in ("railbird", "-m", "__main__.py")
    and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
)
if _ends_at_once:
    # Nothing is to be tidied up yet, and an exception in an import would be a traceback.
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    # Garbage collection during imports takes a tenth of a short command's time.
    _gc.set_threshold(200_000, 20, 20)

from .app import app as app  # noqa: E402
from .app import main as main  # noqa: E402
from .app import run as run  # noqa: E402

if _ends_at_once:
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
