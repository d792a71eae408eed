"""River of Blood (2023), Permutation (2020), Swap (2022), Redraw (2026) by brute force: their logs a line at a time.

Players are named by *position* in a hand: 0 is the dealer. Two players of one name cannot be told apart here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .holdem import best_five, normal_payout

_CARD = "[2-9TJQKA][cdhs]"
_CARDS = rf"{_CARD}(?: {_CARD})*"
# Permutation prints every list twice: as dealt, and in brackets as it counts.
_PRINTED = rf"(?:({_CARDS}) )?\[({_CARDS})\]"
_STREET = re.compile(rf"(?:Flop|Turn|River|Run) {_PRINTED}, .*")
# Its action follows in the same line.
_REDRAW = re.compile(r" redraws (hole|board) card (\d) and(?= )")
_BARE = ("Flop", "Turn", "River")
_TOLD = {
    "blind": re.compile(r" posts (?:the )?blind(?: of)? (\d+)"),
    "dealt": re.compile(rf" dealt {_PRINTED}"),
    "hole": re.compile(rf"'s hand: {_PRINTED}"),
    "shows": re.compile(rf" shows {_PRINTED}"),
    "folds": re.compile(r" folds()"),
    "calls": re.compile(r" calls()"),
    "checks": re.compile(r" checks()"),
    "raises": re.compile(r" (?:bets|raises to) (\d+)"),
    "award": re.compile(r"(?: \(swapped\))? awarded (-?\d+)"),
}


@dataclass
class Round:
    """One hand: lists by position; cards as they count, and the board as it was dealt."""

    number: int
    names: list[str] = field(default_factory=list)
    holes: list[list[str]] = field(default_factory=lambda: [[], []])
    board: list[str] = field(default_factory=list)
    dealt_board: list[str] = field(default_factory=list)
    put: list[int] = field(default_factory=lambda: [0, 0])
    folded_by: int | None = None
    awards: list[int] = field(default_factory=list)
    changed: list[bool] = field(default_factory=lambda: [False, False])
    streets: int = 1

    @property
    def is_shown_down(self) -> bool:
        """Nobody folded."""
        return self.folded_by is None

    def payout(self) -> list[int]:
        """What the rules pay: the winner has the best five of hole cards and the whole board."""
        strengths = None
        if self.is_shown_down:
            strengths = [best_five([*hole, *self.board]) for hole in self.holes]
        return normal_payout(self.put, self.folded_by, strengths)

    def run_is_due(self) -> bool:
        """River of Blood: the last card dealt is a diamond or heart, and nobody folded."""
        return self.is_shown_down and self.dealt_board[-1][1] in "dh"


def _told(line: str, names: list[str]) -> tuple[int, str, re.Match[str]] | None:
    for position, name in enumerate(names):
        if line.startswith(name):
            for kind, form in _TOLD.items():
                if found := form.fullmatch(line, len(name)):
                    return position, kind, found
    return None


def read_rounds(text: str) -> Iterator[Round]:
    """The hands of a log. Lines that say nothing about cards and chips are passed over."""
    for block in re.split(r"(?m)^(?=Round #\d+, )", text.replace("\r\n", "\n"))[1:]:
        lines = block.split("\n")
        found = re.match(r"Round #(\d+), ", lines[0])
        assert found is not None
        now = Round(int(found[1]))
        now.names = [re.split(r" posts (?:the )?blind ", line)[0] for line in lines[1:3]]
        pips = [0, 0]
        for line in lines[1:]:
            street = _STREET.fullmatch(line)
            if street or line in _BARE:
                now.streets += 1
                pips = [0, 0]
            if street:
                now.board = street[2].split()
                now.dealt_board = (street[1] or street[2]).split()
            redraw = _REDRAW.search(line)
            told = _told(_REDRAW.sub("", line), now.names)
            if told is None:
                continue
            seat, kind, said = told
            if redraw and redraw[1] == "hole":
                now.holes[seat][int(redraw[2])] = "?"
            to = pips[seat]
            if kind in ("blind", "raises"):
                to = int(said[1])
            elif kind == "calls":
                to = pips[1 - seat]
            elif kind == "folds":
                now.folded_by = seat
            elif kind in ("dealt", "hole"):
                cards = said[2].split()
                now.changed[seat] |= kind == "hole" and cards != now.holes[seat]
                now.holes[seat] = cards
            elif kind == "shows" and len(set(now.names)) == 2:
                shown = said[2].split()
                assert all(held in ("?", card) for held, card in zip(now.holes[seat], shown, strict=True))
                now.holes[seat] = shown
            elif kind == "award":
                now.awards.append(int(said[1]))
            now.put[seat] += to - pips[seat]
            pips[seat] = to
        yield now
