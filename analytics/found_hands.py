"""The hands that meet some conditions: what a player did, on which street, in which situation, for how large a pot."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from ..schema.words import ACTIONS
from ..variants.properties import DECISIONS
from .players import UnknownName, all_rules, check_named, check_player, unknown
from .settings import HandOrder
from .views import named, queries

if TYPE_CHECKING:
    from ..variants.properties import Properties
    from .store import Store

SITUATIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("limped-pot", "raised-pot", "3bet-pot", "4bet-pot", "squeezed", "all-in-before-river"),
        "betting_situations",
    ),
    **dict.fromkeys(("folded-the-best", "called-the-worst", "bet-the-worst"), "equity_situations"),
    "missed-draw": "draw_situations",
}
"""The view that has each situation."""
MOVES: Final = (*DECISIONS, "check-raise", "3bet", "limp", "cbet")
"""What a player can do in any game; a game's own actions come on top."""
RUN: Final = "run"
"""The streets after the last one that has a name."""
_ACTION: Final = "action"
_CHOICES: Final = tuple(word for word in ACTIONS if word != "post")
_GAMES: Final = 5
"""So many games are named in a message."""
_VIEW: Final = "situations_of"
_CONDITION: Final = re.compile(r"/\*(\w+)\s(.*?)\*/", re.DOTALL)
_COMPARISON: Final = re.compile(r"\s*(>=|<=|>|<)\s*(\d+(?:\.\d+)?|\.\d+)\s*(bb)?\s*", re.IGNORECASE)
_MARKS: Final = re.compile(r"[-_ ]")


@dataclass(frozen=True)
class Comparison:
    """A condition on the pot: a sign, and a number of chips or of big blinds; the other is None."""

    sign: str
    chips: float | None
    bb: float | None

    @property
    def text(self) -> str:
        """The condition as `comparison` takes it."""
        if self.chips is not None:
            return f"{self.sign}{_digits(self.chips)}"
        return f"{self.sign}{_digits(self.bb or 0)}bb"


@dataclass(frozen=True)
class Conditions:
    """What a hand must meet; None is no condition.

    player      a player in the hand, of whom did, situation, won and lost are asked
    did         a word of `moves.move`, with `street` on that street
    street      the name of a street that the hand reached
    situation   a word of SITUATIONS
    showdown    the hand came to a showdown
    """

    player: str | None = None
    against: str | None = None
    did: str | None = None
    street: str | None = None
    situation: str | None = None
    pots: tuple[Comparison, ...] = ()
    showdown: bool = False


def _digits(value: float) -> str:
    """All digits of a number, without an exponent."""
    return f"{Decimal(repr(value)).normalize():f}"


def comparison(text: str) -> Comparison:
    """A condition such as `>100` or `<=2.5bb`; UnknownName for another text."""
    if not (found := _COMPARISON.fullmatch(text)):
        raise UnknownName(f"a pot is compared with a number, as in '>100' or '<=20bb', not {text!r}")
    sign, number, in_bb = found[1], float(found[2]), found[3]
    return Comparison(sign, None, number) if in_bb else Comparison(sign, number, None)


def known_moves(store: "Store") -> list[str]:
    """The words for what a player can do in the games of a store."""
    own = {word for rules in all_rules(store).values() for word in rules.decisions}
    return [*MOVES, *sorted(own - {*MOVES})]


def known_streets(store: "Store") -> list[str]:
    """The names of the streets of the games of a store."""
    rules = all_rules(store).values()
    names = (street for game in rules for street in game.streets)
    return [*dict.fromkeys((*names, *(RUN for game in rules if game.runs)))]


def _streets(game: "Properties") -> list[str]:
    """The names of a game's streets."""
    return [*game.streets, *([RUN] if game.runs else [])]


def _plain(word: str) -> str:
    return _MARKS.sub("", word.casefold())


def known_word(
    what: str,
    text: str,
    known: Iterable[str],
    of_game: "Callable[[Properties], Iterable[str]] | None" = None,
) -> str:
    """The known word that a text means, whatever its capitals and hyphens; UnknownName with the choices.

    of_game: the words that a game brings; UnknownName names the games of a word that no game of the store has
    """
    words = list(known)
    if text in words:
        return text
    for word in words:
        if _plain(word) == _plain(text):
            return word
    if of_game is not None and (elsewhere := _of_other_games(what, text, of_game)):
        raise UnknownName(elsewhere)
    said = unknown(f"no {what} is called", text, words)
    raise UnknownName(said if ";" in said else f"{said}; there is {', '.join(words)}")


def _of_other_games(what: str, text: str, of_game: "Callable[[Properties], Iterable[str]]") -> str:
    """The message about a word of games that the store does not hold; empty for a word of no game."""
    from ..variants.registry import fixed_properties  # here, because it loads the rules of all games

    games = [game.game for game in fixed_properties() if _plain(text) in map(_plain, of_game(game))]
    begin = f"no game of the store has the {what} {text!r}"
    if games:
        more = f" and {len(games) - _GAMES} more" if len(games) > _GAMES else ""
        return f"{begin}; these games have it: {', '.join(games[:_GAMES])}{more}"
    if what == _ACTION and _plain(text) in map(_plain, _CHOICES):
        return f"{begin}; games of your own with steps have it (docs/add-a-variant.md)"
    return ""


def checked(
    store: "Store", wanted: Conditions, event: str | None = None, game: str | None = None
) -> Conditions:
    """Conditions in the words of the store; UnknownName if it has none such."""
    check_named(store, event, game)
    for name in (wanted.player, wanted.against):
        if name is not None:
            check_player(store, name, event)
    return Conditions(
        wanted.player,
        wanted.against,
        None
        if wanted.did is None
        else known_word(_ACTION, wanted.did, known_moves(store), lambda game: game.decisions),
        None
        if wanted.street is None
        else known_word("street", wanted.street, known_streets(store), _streets),
        None if wanted.situation is None else known_word("situation", wanted.situation, SITUATIONS),
        wanted.pots,
        wanted.showdown,
    )


def found_hands(
    store: "Store",
    wanted: Conditions,
    matches: Sequence[int],
    sort: HandOrder = HandOrder.PLAY,
    most: int | None = None,
) -> list[dict[str, Any]]:
    """The hands that meet conditions, as rows by the columns of the query `hands/found`.

    wanted   conditions as `checked` has them
    matches  match_ids in the order of play
    most     how many hands at most; `total` of each row has the number of all

    Pots are `pots.played_for`, without the part of the last bet that nobody called. Chips are not rounded.
    """
    given = {name for name, value in vars(wanted).items() if value}
    if sort is HandOrder.BELIEF:
        given.add(HandOrder.BELIEF.value)
    text = _CONDITION.sub(lambda found: found[2] if found[1] in given else "", queries("hands")["found"])
    if wanted.situation is not None:
        text = text.replace(_VIEW, SITUATIONS[wanted.situation])
    asked = vars(wanted) | {"pots": [vars(one) for one in wanted.pots]}
    answer = store.execute(text, **named(text, **asked, ids=list(matches), sort=sort.value, most=most))
    names = [column[0] for column in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
