"""Game definitions of the ACPC dealer: `.game` files."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from .grammar import TOO_LONG, number_in

MAX_PLAYERS: Final = 10
MAX_ROUNDS: Final = 4
MOST_RAISES: Final = 4096
"""More raises than any hand that is replayed has."""
NO_STACK: Final = 2**31 - 1
"""The dealer's stack if a definition names none: no limit. Its integers are not larger."""

_RAISES: Final = 255
_BEGIN, _END = "gamedef", "end gamedef"
OPENS: Final = _BEGIN.encode()
"""Every definition contains it, in lower case."""
# The beginning of a line is the key, in any case.
_KEYS: Final = (
    "stack",
    "blind",
    "raisesize",
    "firstplayer",
    "maxraises",
    "numplayers",
    "numrounds",
    "numsuits",
    "numranks",
    "numholecards",
    "numboardcards",
)


@dataclass(frozen=True)
class Definition:
    """The rules of a game, as the dealer reads them.

    name          the file's, without `.game`
    nolimit       False: raises have a fixed size
    stacks        chips at the start of every hand by position, NO_STACK if they have no limit
    blinds        by position; antes too
    raise_sizes   by round, of limit games
    first         who acts first in each round: position from 0
    max_raises    by round
    suits, ranks  of the deck: the last suits of cdhs, the top ranks
    board_cards   dealt at the beginning of each round
    """

    name: str
    nolimit: bool
    players: int
    rounds: int
    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    raise_sizes: tuple[int, ...]
    first: tuple[int, ...]
    max_raises: tuple[int, ...]
    suits: int
    ranks: int
    hole_cards: int
    board_cards: tuple[int, ...]

    @property
    def boards(self) -> tuple[int, ...]:
        """Cards on the board, by round."""
        return tuple(accumulate(self.board_cards[: self.rounds]))

    @property
    def big_blind(self) -> int:
        """The largest blind, or the ante."""
        return max(self.blinds)

    @property
    def antes(self) -> bool:
        """True if all players post the same: no player faces a bet when the first round begins."""
        return min(self.blinds) == self.big_blind

    @property
    def has_stacks(self) -> bool:
        """True if the definition limits what a player can put in."""
        return NO_STACK not in self.stacks

    @property
    def even_stacks(self) -> bool:
        """True if all positions begin a hand with equal stacks, or without a limit."""
        return len(set(self.stacks)) == 1

    @property
    def raise_caps(self) -> tuple[int, ...]:
        """By round, the number of bets at which raising ends; the blinds count as one."""
        first, *others = (min(most, MOST_RAISES) for most in self.max_raises)
        return (first + (not self.antes), *others)

    @property
    def is_holdem(self) -> bool:
        """True for two hole cards, a flop of three, a turn, a river, and blinds."""
        return self.hole_cards == 2 and self.board_cards == (0, 3, 1, 1) and not self.antes

    @property
    def reverse_blinds(self) -> bool:
        """True heads-up where the last position, the dealer, posts the smaller blind."""
        return self.players == 2 and self.blinds[0] > self.blinds[1]


def base_name(path: str) -> str:
    """The name of a game from its file's path, written with slashes or backslashes."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    return name[: -len(".game")] if name.lower().endswith(".game") else name


def is_definition(text: str) -> bool:
    """True if the first line that is not a comment opens a definition."""
    for line in text.splitlines():
        word = line.strip().lower()
        if word and not line.startswith("#"):
            return word == _BEGIN
    return False


def _numbers(line: str, key: str) -> tuple[int, ...]:
    words = line[len(key) :].replace("=", " ").split()
    try:
        numbers = tuple(number_in(word) for word in words)
    except ValueError:
        raise ValueError(f"not a line of numbers: {line.strip()!r}") from None
    if TOO_LONG in numbers:
        raise ValueError(f"a number with too many digits: {line.strip()[:40]!r}")
    return numbers


def _read(text: str) -> tuple[bool, dict[str, tuple[int, ...]]]:
    """(no limit, the numbers of each key)."""
    nolimit, opened = False, False
    found: dict[str, tuple[int, ...]] = {}
    for line in text.splitlines():
        said = line.strip().lower()
        if not said or line.startswith("#"):
            continue
        if said.startswith(_END):
            return nolimit, found
        if said.startswith(_BEGIN):
            opened = True
        elif not opened:
            raise ValueError("a definition begins with GAMEDEF")
        elif said.startswith("limit"):
            nolimit = False
        elif said.startswith("nolimit"):
            nolimit = True
        else:
            key = next((key for key in _KEYS if said.startswith(key)), None)
            if key is None:
                raise ValueError(f"not a line of a definition: {line.strip()!r}")
            found[key] = _numbers(said, key)
    raise ValueError("a definition ends with END GAMEDEF")


def parse_definition(text: str, name: str) -> Definition:
    """A definition from the text of a `.game` file; ValueError if it is invalid, with the reason in a few words."""
    nolimit, found = _read(text)

    def one(key: str, low: int, high: int) -> int:
        values = found.get(key, ())
        if len(values) != 1 or not low <= values[0] <= high:
            raise ValueError(f"{key} is one number from {low} to {high}")
        return values[0]

    def several(key: str, size: int, default: int | None = None) -> tuple[int, ...]:
        values = found.get(key, () if default is None else (default,) * size)
        if len(values) < size or min(values, default=0) < 0 or max(values, default=0) > NO_STACK:
            raise ValueError(f"{key} is {size} numbers up to {NO_STACK}")
        return values[:size]

    players, rounds = one("numplayers", 2, MAX_PLAYERS), one("numrounds", 1, MAX_ROUNDS)
    first = several("firstplayer", rounds, 1)
    if not all(1 <= place <= players for place in first):
        raise ValueError(f"firstplayer is from 1 to {players}")
    definition = Definition(
        name=name,
        nolimit=nolimit,
        players=players,
        rounds=rounds,
        stacks=several("stack", players, NO_STACK),
        blinds=several("blind", players),
        raise_sizes=(0,) * rounds if nolimit else several("raisesize", rounds),
        first=tuple(place - 1 for place in first),
        max_raises=several("maxraises", rounds, _RAISES),
        suits=one("numsuits", 1, 4),
        ranks=one("numranks", 1, 13),
        hole_cards=one("numholecards", 1, 3),
        board_cards=several("numboardcards", rounds),
    )
    dealt = players * definition.hole_cards + sum(definition.board_cards)
    if dealt > definition.suits * definition.ranks:
        raise ValueError(f"{dealt} cards are dealt from a deck of {definition.suits * definition.ranks}")
    if sum(definition.board_cards) > 7:
        raise ValueError("a board has at most 7 cards")
    return definition


def write_definition(definition: Definition) -> str:
    """The text of a `.game` file."""
    d = definition
    lines = [
        "GAMEDEF",
        "nolimit" if d.nolimit else "limit",
        f"numPlayers = {d.players}",
        f"numRounds = {d.rounds}",
    ]

    def row(key: str, values: tuple[int, ...]) -> str:
        return f"{key} = {' '.join(map(str, values))}"

    if d.has_stacks:
        lines.append(row("stack", d.stacks))
    lines.append(row("blind", d.blinds))
    if not d.nolimit:
        lines.append(row("raiseSize", d.raise_sizes))
    lines.append(row("firstPlayer", tuple(place + 1 for place in d.first)))
    if d.max_raises != (_RAISES,) * d.rounds:
        lines.append(row("maxRaises", d.max_raises))
    lines += [f"numSuits = {d.suits}", f"numRanks = {d.ranks}", f"numHoleCards = {d.hole_cards}"]
    lines += [row("numBoardCards", d.board_cards), "END GAMEDEF"]
    return "\n".join(lines) + "\n"
