"""Hands in PHH: hold'em and Omaha of any stakes, at tables of two to ten, as rooms and researchers publish them."""

import re
from functools import partial
from typing import Final

from ..parsers.dialect import Dialect, Records, no_cut
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import tables
from .properties import Properties, Variant

_SOURCE: Final = "the PHH standard (uoftcprg/phh-std) and PokerKit's rules"
_HINTS: Final = (b"starting_stacks", b"blinds_or_straddles")
_REQUIRED: Final = (b"variant", b"actions", b"starting_stacks")
_KEYS: Final = (b"variant", b"actions", b"starting_stacks", b"blinds_or_straddles")
_KEY: Final = re.compile(rb"^(" + b"|".join(_KEYS) + rb")[ \t]*=", re.MULTILINE)
_BEGINS: Final = re.compile(rb"\s*[^<\s]")
"""A name may have any character: pages of marks begin a line with one."""

_UNLIKE: Final = (b"\n{", b"\n<")
"""Lines of JSON and of pages of marks begin so."""


class _Keys:
    """The form of a file whose first hand may lack one of the required keys (`dialect.Form`)."""

    def match(self, head: bytes) -> bool:
        """True if the head has all required words, or lines that begin with two keys of a hand."""
        # Far sooner known than what the expression finds: heads of other records are long lines.
        has_key = any(head.startswith(key) or b"\n" + key in head for key in _KEYS)
        first = _KEY.search(head) if has_key else None
        above = head if first is None else head[: first.start()]
        # Below a hand's first key such a line is damage.
        if _BEGINS.match(head) is None or any(sign in above for sign in _UNLIKE):
            return False
        return all(word in head for word in _REQUIRED) or (has_key and len({*_KEY.findall(head)}) > 1)


_FORM: Final = Records("toml", (), "phh", begins=_Keys())


def _dialects(name: str, game: str) -> tuple[Dialect, ...]:
    """The dialect of a game, loaded when a file of records is read; that of no-limit hold'em recognises all."""
    from ..parsers import table_lines

    return (
        Dialect(
            name,
            game,
            table_lines.GRAMMAR,
            no_cut,
            opens=table_lines.OPENS,
            closes=table_lines.CLOSES,
            records=_FORM if game == HOLDEM.name else None,
        ),
    )


def _game(name: str, **rules: object) -> Game:
    deviations = (
        Deviation(
            f"{name}.odd-chip", "pay", "", "", "a pot that does not divide is shared in fractions of a chip"
        ),
        Deviation(
            f"{name}.winnings-not-pot",
            "pay",
            "",
            "",
            "more than the pot is paid, or less than the pot minus a rake of at most a tenth: posts of the room "
            "are missing in the file",
        ),
    )
    return Game(
        name=name,
        stack=0,
        blinds=(0, 0),
        streets=HOLDEM_STREETS,
        source=_SOURCE,
        players=(2, 10),
        deviations=deviations,
        profiles=(Profile("written", tuple(one.name for one in deviations)),),
        free_folds=True,
        returns="never",
        full_raises_reopen=True,
        straddles_raise=True,
        raked=True,
        family=tables,
        **rules,  # type: ignore[arg-type]  # each is checked by Game
    )


HOLDEM: Final = _game("phh-holdem")
_MOST_RAISES: Final = 4
"""The most bets and raises on a street with fixed bets; blinds do not count."""
LIMIT: Final = _game("phh-limit-holdem", most_raises=_MOST_RAISES)
OMAHA: Final = _game("phh-omaha", hole_cards=4, holes_used=2)
HI_LO: Final = _game("phh-omaha-hi-lo", hole_cards=4, holes_used=2, low_half=True, most_raises=_MOST_RAISES)
SHORT_DECK: Final = _game("phh-short-deck", short_deck=True)
OTHER: Final = _game("phh-other", hole_cards=7)


def _properties(game: Game, title: str, **more: object) -> Properties:
    return Properties(
        game=game.name,
        title=title,
        players=None,
        most_chips_win=False,
        final_is_delta=False,
        bankrolls=False,
        **more,  # type: ignore[arg-type]
    )


VARIANTS: Final = tuple(
    Variant(game, properties, partial(_dialects, name, game.name), _HINTS if game is HOLDEM else ())
    for name, game, properties in (
        ("phh", HOLDEM, _properties(HOLDEM, "No-limit hold'em (PHH)")),
        ("phh-limit", LIMIT, _properties(LIMIT, "Limit hold'em (PHH)")),
        ("phh-omaha", OMAHA, _properties(OMAHA, "Pot-limit Omaha (PHH)", hole_cards=4, holes_used=2)),
        ("phh-omaha-hi-lo", HI_LO, _properties(HI_LO, "Limit Omaha hi-lo (PHH)", hole_cards=4, holes_used=2)),
        ("phh-short-deck", SHORT_DECK, _properties(SHORT_DECK, "Short deck (PHH)")),
        ("phh-other", OTHER, _properties(OTHER, "Other games (PHH)", hole_cards=7)),
    )
)
