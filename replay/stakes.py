"""Stakes: the blinds and the stack of a match, which MIT's engines take from a configuration that organisers edit."""

from typing import Final

from ..jit.compile import part
from .games import Deviation

ENOUGH: Final = 5
"""Hands, or lines that print stacks, that tell of other stakes than the rules': one edit or two make none."""
FOR_ONE: Final = 9
"""How many must say so for each that says otherwise."""

BLIND_LIMIT: Final = 2**16
STACK_LIMIT: Final = 2**20
"""Stakes are below these, so that a finding has room for all three."""


def own_stakes(game: str) -> Deviation:
    """A game's deviation: none of its engines, but any of them with another configuration."""
    return Deviation(
        f"{game}.stakes",
        "legality",
        "",
        "",
        "the blinds or the stacks of the match are not those of the rules",
    )


@part
def believed(agree: int, differ: int) -> bool:
    """True where nearly all say the same."""
    return agree >= ENOUGH and agree >= FOR_ONE * differ


@part
def packed(small_blind: int, big_blind: int, stack: int) -> int:
    """The stakes as one number, as a finding has them."""
    return (small_blind * BLIND_LIMIT + big_blind) * STACK_LIMIT + stack


def said(stakes: float) -> str:
    """The stakes of a finding as text: blinds and stack."""
    blinds, stack = divmod(int(stakes), STACK_LIMIT)
    small_blind, big_blind = divmod(blinds, BLIND_LIMIT)
    return f"{small_blind}/{big_blind}/{stack}"
