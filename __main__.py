"""`python -m railbird` is the command `railbird`."""

import sys

from .cli import main

sys.exit(main())
