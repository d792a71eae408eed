"""Bounty Hold'em (2025): a winner whose secret rank is in play wins more."""

from typing import Final

from ..replay.bounty_terms import BONUS, ROUNDS_PER_BOUNTY, WIN_FACTOR
from .properties import Properties

PROPERTIES: Final = Properties(
    game="bounty",
    title="Bounty Hold'em",
    bounties=True,
    bounty_factor=WIN_FACTOR,
    bounty_bonus=BONUS,
    cluster="numbers",
    cluster_hands=ROUNDS_PER_BOUNTY,
)
