"""The figures of Bounty Hold'em's rules document, 2025: here for those who need no kernel."""

from typing import Final

ROUNDS_PER_BOUNTY: Final = 25
"""From one deal of bounty ranks to the next."""

WIN_FACTOR: Final = 1.5
SPLIT_FACTOR: Final = 0.25
BONUS: Final = 10.0
"""A winner who hits wins 1.5 x and 10 more; of a split pot one who alone hits wins x / 4 and 10 more."""
