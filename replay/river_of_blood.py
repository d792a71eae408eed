"""River of Blood Hold'em (2023), by its rules document: after a red river card more streets follow."""

from typing import Final

from ..jit.compile import part
from .cards import SUITS
from .games import HOLDEM_STREETS, Deviation, Game, Profile
from .stakes import own_stakes

CODE: Final = 2

DIAMONDS, HEARTS = RED_SUITS = SUITS.index("d"), SUITS.index("h")

_EVAL7: Final = "river-of-blood.eval7-flush"
_BARE: Final = "river-of-blood.bare-streets"
_UNREPORTED: Final = "river-of-blood.run-unreported"
_TIE: Final = "river-of-blood.tie-won"

GAME: Final = Game(
    name="river-of-blood",
    code=CODE,
    stack=400,
    blinds=(1, 2),
    streets=(*HOLDEM_STREETS, "run"),
    source="rules document of River of Blood Hold'em, 2023",
    deviations=(
        Deviation(
            _EVAL7,
            "pay",
            "2023-01-02",
            "",
            "where two suits hold five cards or more only the first of spades, clubs, diamonds, hearts is "
            "looked at for a flush",
        ),
        Deviation(
            _BARE,
            "log",
            "2023-01-02",
            "2023-01-02",
            "flop, turn and river are printed as the bare word, without cards and chips",
        ),
        Deviation(
            _UNREPORTED,
            "log",
            "2023-02-01",
            "",
            "no line says that a run was reached where both players were all-in before it",
        ),
        Deviation(
            _TIE,
            "log",
            "2023-02-01",
            "",
            "in a split pot the dealer is said to have won in the run what he put in before it, and the "
            "opponent to have lost it",
        ),
        own_stakes("river-of-blood"),
    ),
    profiles=(
        Profile("2023-01-02a", (_EVAL7, _BARE), frozenset({"bare"})),
        Profile("2023-01-02", (_EVAL7,)),
        Profile("2023-02-01", (_EVAL7, _UNREPORTED, _TIE), frozenset({"runs"})),
    ),
    runs=True,
)

EVAL7: Final = GAME.mask((_EVAL7,))
RUN_UNREPORTED: Final = GAME.mask((_UNREPORTED,))
TIE_WON: Final = GAME.mask((_TIE,))


@part
def is_red(card: int) -> bool:
    """True for a card after which a run goes on."""
    return card % 4 == DIAMONDS or card % 4 == HEARTS
