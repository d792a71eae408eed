"""ACPC hands read and paid slowly, in the words of the dealer's protocol: what railbird's replay is checked against.

Nothing here is shared with the package. Money is exact (`Fraction`), pots are peeled off level by level, five
cards or more are compared by trying every five, and the deck comes from Python's own Mersenne twister.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .holdem import best_five

RANKS = "23456789TJQKA"
SUITS = "cdhs"
UNLIMITED = 2**31 - 1


@dataclass(frozen=True)
class Game:
    nolimit: bool
    stacks: list[int]
    blinds: list[int]
    sizes: list[int]
    first: list[int]
    suits: int
    ranks: int
    holes: int
    boards: list[int]


@dataclass(frozen=True)
class Line:
    """A hand's line, by position."""

    number: int
    betting: str
    holes: list[list[str]]
    board: list[list[str]]
    results: list[Fraction]
    names: list[str]


def read_game(text: str) -> Game:
    found: dict[str, list[int]] = {}
    nolimit = False
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        key = re.match(r"[A-Za-z]+", line.strip())
        nolimit = nolimit or line.strip().lower() == "nolimit"
        if key:
            found[key[0].lower()] = [int(word) for word in re.findall(r"\d+", line)]
    (players,), (rounds,) = found["numplayers"], found["numrounds"]
    return Game(
        nolimit=nolimit,
        stacks=found.get("stack", [UNLIMITED] * players),
        blinds=found["blind"],
        sizes=found.get("raisesize", [0] * rounds),
        first=[place - 1 for place in found.get("firstplayer", [1] * rounds)],
        suits=found["numsuits"][0],
        ranks=found["numranks"][0],
        holes=found["numholecards"][0],
        boards=found["numboardcards"],
    )


def cards(text: str) -> list[str]:
    return [text[k : k + 2] for k in range(0, len(text), 2)]


def read_line(line: str) -> Line:
    """Names must hold no bar."""
    _, number, betting, dealt, results, names = line.split(":", 5)
    holes, *board = dealt.split("/")
    return Line(
        int(number),
        betting,
        [cards(hole) for hole in holes.split("|")],
        [cards(part) for part in board],
        [Fraction(result) for result in results.split("|")],
        names.split(" # ")[0].split("|"),
    )


def read_log(text: str) -> Iterator[Line]:
    for line in text.splitlines():
        if line.startswith("STATE:"):
            yield read_line(line)


def strength(shown: list[str]) -> tuple[object, ...]:
    """Fewer than five cards: pairs, trips and quads before high cards."""
    if len(shown) >= 5:
        return best_five(shown)
    counts = Counter(RANKS.index(card[0]) for card in shown)
    ordered = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return (sorted(counts.values(), reverse=True), *ordered)


def spend(game: Game, betting: str) -> tuple[list[int], list[bool]]:
    """What each position put in and who folded: actions given in turn to whoever can act."""
    spent, folded = list(game.blinds), [False] * len(game.blinds)
    players = len(spent)
    for round_, actions in enumerate(betting.split("/")):
        turn = game.first[round_]
        for action in re.findall(r"f|c|r\d*", actions):
            while folded[turn] or spent[turn] >= game.stacks[turn]:
                turn = (turn + 1) % players
            most = max(spent)
            if action == "f":
                folded[turn] = True
            elif action == "c":
                spent[turn] = min(most, game.stacks[turn])
            elif game.nolimit:
                spent[turn] = int(action[1:])
            else:
                spent[turn] = min(most + game.sizes[round_], game.stacks[turn])
            turn = (turn + 1) % players
    return spent, folded


def pay(game: Game, line: Line) -> list[Fraction]:
    """What each position gains."""
    spent, folded = spend(game, line.betting)
    gains = [Fraction(-chips) for chips in spent]
    staying = [k for k, gone in enumerate(folded) if not gone]
    if len(staying) == 1:
        gains[staying[0]] += sum(spent)
        return gains
    board = [card for part in line.board for card in part]
    power = {k: strength(line.holes[k] + board) for k in staying}
    left = list(spent)
    while any(left):
        size = min(chips for chips in left if chips)
        inside = [k for k, chips in enumerate(left) if chips]
        rivals = [k for k in inside if not folded[k]]
        winners = [k for k in rivals if power[k] == max(power[r] for r in rivals)]
        for k in winners:
            gains[k] += Fraction(size * len(inside), len(winners))
        for k in inside:
            left[k] -= size
    return gains


def decks(game: Game, seed: int) -> Iterator[list[str]]:
    """The cards of hand after hand in the order dealt: every player's, then the whole board."""
    words = [seed & 0xFFFFFFFF]
    for k in range(1, 624):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + k) & 0xFFFFFFFF)
    source = random.Random()
    source.setstate((3, (*words, 624), None))
    fresh = [r + s for s in SUITS[4 - game.suits :] for r in RANKS[13 - game.ranks :]]
    while True:
        deck, dealt = list(fresh), []
        for _ in range(len(game.blinds) * game.holes + sum(game.boards)):
            place = source.getrandbits(32) % len(deck)
            deck[place], deck[-1] = deck[-1], deck[place]
            dealt.append(deck.pop())
        yield dealt
