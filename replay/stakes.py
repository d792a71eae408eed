"""Stakes: the blinds and the stack of a match, which MIT's engines read from a configuration that organisers edit."""

import re
from dataclasses import dataclass
from typing import Final

from ..jit.compile import part

ENOUGH: Final = 5
"""Hands, or lines with stacks, that establish stakes other than the rules': one or two edits do not."""
FOR_ONE: Final = 9
"""The number that must agree for each one that differs."""

BLIND_LIMIT: Final = 2**26
"""Blinds are below this, so that one number of a finding has room for both."""
LARGEST_STACK: Final = 2**53
"""Above it a number of chips may be none that a float64 holds."""

_BLINDS: Final = re.compile(r"(\d{1,20})/(\d{1,20})", re.ASCII)


@dataclass(frozen=True)
class Stakes:
    """The stakes that a user gives for some matches; None: found from their hands.

    Raises ValueError, one line, for stakes that no match can have.
    """

    stack: int | None = None
    blinds: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.stack is not None and not 0 < self.stack <= LARGEST_STACK:
            raise ValueError(f"a stack of {self.stack}: it must be from 1 to {LARGEST_STACK}")
        if self.blinds is None:
            return
        small, big = self.blinds
        if not 0 <= small <= big or not 0 < big < BLIND_LIMIT:
            raise ValueError(
                f"blinds of {small}/{big}: the small blind must be at most the big one, "
                f"and the big one from 1 to {BLIND_LIMIT - 1}"
            )
        if self.stack is not None and self.stack < big:
            raise ValueError(f"a stack of {self.stack} does not hold the big blind of {big}")

    @property
    def any(self) -> bool:
        """Whether the user gives any."""
        return self.stack is not None or self.blinds is not None


TOLD_BY_HANDS: Final = Stakes()


def blinds_of(text: str) -> tuple[int, int]:
    """The blinds written as SMALL/BIG; ValueError, one line, where that is something else."""
    if not (said := _BLINDS.fullmatch(text.strip())):
        raise ValueError(f"blinds of {text!r}: they are two whole numbers, as in 1/2")
    return int(said[1]), int(said[2])


@part
def believed(agree: int, differ: int) -> bool:
    """True if nearly all agree."""
    return agree >= ENOUGH and agree >= FOR_ONE * differ


@part
def packed(small_blind: int, big_blind: int) -> int:
    """Both blinds as one number, as a finding has them."""
    return small_blind * BLIND_LIMIT + big_blind


def said(blinds: float, stack: float) -> str:
    """The stakes of a finding as text: blinds and stack."""
    small_blind, big_blind = divmod(int(blinds), BLIND_LIMIT)
    return f"{small_blind}/{big_blind}/{int(stack)}"
