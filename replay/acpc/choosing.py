"""Chooses the definition of a match, and the seed of its cards."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import log2
from typing import Final

import numpy as np

from ...parsers import events as ev
from ...parsers.acpc import AcpcMatch
from ...parsers.acpc_game import Definition
from ...parsers.reading import Scanned
from ..cards import CARD_CODE
from . import state as s
from .cards import find_seed, hands_dealt
from .definitions import GAME, HANDS_DEALT, PREFIX, named, playable, shipped
from .state import Hand

SEEDS_TRIED: Final = 1000
"""For a match without a header: seeds from 0, because publishers number their matches so."""

_LOOKED_AT: Final = 8
_TRIED_EARLY: Final = 256
_TRIED_PER_LINE: Final = 64
"""For a match without a header, seeds are tried up to this hand number per line, so that the time is proportional to
the length of the log; in short ones up to _TRIED_EARLY."""
_ENOUGH_BITS: Final = 30
_FITS: Final = 0.9
_CODES: Final = {text.lower(): code for text, code in CARD_CODE.items()}
_HOLES: Final = re.compile(rb"[^:]*:([0-9A-Za-z|]*)[/:]")

Misfits = Callable[[Definition], tuple[int, int]]
"""The number of hands of a match that break a rule of a definition, and the number of hands."""


@dataclass(frozen=True)
class Chosen:
    """The choice for a match: its definition, None if none fits, with the reason; the seed of its cards, None if
    unknown; wrong_seed: the header's seed if it deals none of the hands.
    """

    definition: Definition | None
    name: str
    reason: str = ""
    seed: int | None = None
    wrong_seed: int | None = None


def choose_definition(
    match: AcpcMatch, game_name: str, misfits: Misfits, playable_by: Callable[[Definition], bool]
) -> Chosen:
    """The definition that the user gives or names, or that the header names; else the one that fits the hands best.

    The user's definition applies to every match with its number of players, unless no hand can be played by it. Of
    definitions with one name, the user's comes before the log's sidecar, and that before the one in railbird.
    """
    if game_name == GAME.name:
        for given in match.beside.given:
            if given.players == len(match.names):
                if playable_by(given):
                    return Chosen(given, PREFIX + given.name)
                said = f"no hand can be played by {given.name}, the definition that was given"
                return Chosen(None, PREFIX + given.name, said)
    definitions = (*match.beside.definitions, *shipped())
    asked = game_name.removeprefix(PREFIX) if game_name != GAME.name else match.game_file
    if asked is not None:
        definition = named(asked, definitions)
        if definition is None:
            return Chosen(None, PREFIX + asked, f"no definition of {asked} is at hand")
        if definition.players != len(match.names):
            said = f"{asked} is for {definition.players} players, the hands have {len(match.names)}"
            return Chosen(None, PREFIX + asked, said)
        return Chosen(definition, PREFIX + asked)
    best: tuple[int, Definition] | None = None
    for definition in playable(len(match.names), definitions):
        bad, hands = misfits(definition)
        if bad <= (1 - _FITS) * hands and (best is None or bad < best[0]):
            best = bad, definition
    if best is None:
        return Chosen(None, GAME.name, "the log names no game, and no definition at hand fits its hands")
    return Chosen(best[1], PREFIX + best[1].name)


def first_holes(scanned: Scanned, place: int, definition: Definition) -> Iterator[tuple[int, list[int]]]:
    """Numbers and hole cards, in the order dealt, of a match's first hands whose lines can be read."""
    found = 0
    events = scanned.events
    for k in range(int(scanned.first_event[place]), int(scanned.first_event[place + 1])):
        if events.codes[k] != ev.STATE:
            continue
        at = int(events.args[k])
        number, begin, size = events.values[at : at + 3].tolist()
        text = _HOLES.match(events.text[begin : begin + size].tobytes())
        if text is not None and number < HANDS_DEALT:
            cards = text[1].decode().lower().replace("|", "")
            codes = [_CODES.get(cards[i : i + 2], -1) for i in range(0, len(cards), 2)]
            if len(codes) == definition.players * definition.hole_cards and -1 not in codes:
                yield number, codes
                found += 1
        if found == _LOOKED_AT:
            break


def _fitting(game: np.void, seed: int, holes: Iterable[tuple[int, list[int]]], hand: Hand) -> Iterator[bool]:
    """For each hand, whether it is dealt from a seed."""
    out = np.zeros((1, int(game["cards_dealt"])), np.int64)
    for number, cards in holes:
        hands_dealt(game, seed, number, out, hand)
        same: bool = out[0, : len(cards)].tolist() == cards
        yield same


def _tells(definition: Definition, hands: int) -> bool:
    """True if so many hands cannot fit one of the tried seeds by chance."""
    cards, deck = definition.players * definition.hole_cards, definition.suits * definition.ranks
    return hands > 1 and hands * sum(log2(deck - k) for k in range(cards)) > _ENOUGH_BITS


def choose_seed(
    scanned: Scanned, place: int, match: AcpcMatch, definition: Definition, hand: Hand
) -> tuple[int | None, int | None]:
    """(the seed of the cards, the header's if it is wrong); without a header small seeds are tried."""
    if match.restated:
        return None, None
    game = s.row_of(definition)
    hands = first_holes(scanned, place, definition)
    if match.seed is not None:
        readable = False
        for fits in _fitting(game, match.seed, hands, hand):
            if fits:
                return match.seed, None
            readable = True
        return (None, match.seed) if readable else (match.seed, None)
    holes = list(hands)
    if not holes or not _tells(definition, len(holes)):
        return None, None
    number, cards = holes[0]
    lines = int(scanned.first_event[place + 1] - scanned.first_event[place])
    if number >= max(_TRIED_EARLY, _TRIED_PER_LINE * lines):
        return None, None
    seed = -1
    while True:
        seed = find_seed(game, number, np.array(cards, np.int64), seed + 1, SEEDS_TRIED, hand)
        if seed < 0:
            return None, None
        if all(_fitting(game, seed, holes, hand)):
            return seed, None
