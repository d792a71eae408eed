"""The properties by which statistics and reports know a game: a row of the relation `games`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import pyarrow as pa

from ..parsers.dialect import Dialect, by_words, signs_of
from ..parsers.grammar import Grammar
from ..replay.games import ALL_INS_BY_EQUITY, HOLDEM_BOARDS, HOLDEM_STREETS, Game
from ..replay.orders import USUAL
from ..schema.columns import schema
from ..schema.words import RANKS, SUITS

DECISIONS: Final = ("fold", "check", "call", "bet", "raise")


@dataclass(frozen=True)
class Properties:
    """A row of the table `games`; `schema.columns` says what each column means.

    A property states a rule that any game may have. None: unknown, or not fixed by the game.
    """

    game: str
    title: str
    players: int | None = 2
    streets: tuple[str, ...] = HOLDEM_STREETS
    first_street: int = 0
    runs: bool = False
    run_after: str | None = None
    board_cards: tuple[int, ...] | None = HOLDEM_BOARDS
    boards: int = 1
    hole_cards: int | None = 2
    suits: int | None = 4
    ranks: int | None = 13
    decisions: tuple[str, ...] = DECISIONS
    forced: str = "blinds"
    unit: str = "big blind"
    fixed_sizes: bool = False
    simultaneous: bool = False
    button: bool = True
    swaps: bool = False
    auctions: bool = False
    discards: bool = False
    redraws: bool = False
    hidden_runouts: bool = False
    passes: bool = False
    permutes: bool = False
    swap_chances: tuple[float, ...] | None = None
    permutation_stay: float | None = None
    bounties: bool = False
    bounty_factor: float | None = None
    bounty_bonus: float | None = None
    free_chips: tuple[float, ...] | None = None
    win_cap: float | None = None
    cluster: str | None = None
    cluster_hands: int | None = None
    shared_cards: bool = False
    seats_rotate: bool = False
    first_hand_no: int = 1
    most_chips_win: bool = True
    final_is_delta: bool = True
    bankrolls: bool = True
    shows_folded: bool = False
    throws: bool = False
    holes_used: int | None = None
    own_order: bool = False
    all_in_equity: bool = False
    own_rules: bool = False

    @classmethod
    def of(cls, game: Game, title: str = "", **more: Any) -> Properties:
        """The properties that follow from a game's rules; more: others, or what is not so."""
        kinds = {"auctions": "bid", "discards": "discard", "passes": "pass"}
        decisions = [*DECISIONS, *(word for rule, word in kinds.items() if getattr(game, rule))]
        decisions += ["accept", "decline"] if game.steps else []
        suits, ranks = _deck(game)
        found: dict[str, Any] = {
            "streets": game.streets,
            "runs": game.runs,
            "run_after": game.run_after if game.runs else None,
            "board_cards": game.boards,
            "hole_cards": game.hole_cards,
            "decisions": tuple(decisions),
            "forced": "antes" if game.has_antes else "blinds",
            "unit": "ante" if game.has_antes else "big blind",
            "fixed_sizes": bool(game.bets),
            "swaps": game.changes,
            "auctions": game.auctions,
            "discards": game.discards,
            "redraws": game.redraws > 0,
            "hidden_runouts": game.hides_runouts,
            "passes": bool(game.passes),
            "permutes": game.permutes,
            "throws": game.drops_after > 0
            or any(step.gives and step.goes_to == "out" for step in game.steps),
            "holes_used": game.holes_used or None,
            "suits": suits,
            "ranks": ranks,
            "own_order": game.order != USUAL,
            "all_in_equity": game.payout_kind == ALL_INS_BY_EQUITY,
            "own_rules": callable(game.payout)
            or any(step.gives or step.takes or step.price for step in game.steps),
        }
        return cls(game.name, title or game.name, **found | more)

    @property
    def showdown_cards(self) -> int:
        """Board cards below which a hand that was not folded is paid by equity; 0 if none is."""
        return max(self.board_cards or (0,)) if self.all_in_equity else 0

    @property
    def known(self) -> int:
        """How many properties are known; of two rows of one game, the one with more is right."""
        return sum(value is not None for value in vars(self).values())


def _deck(game: Game) -> tuple[int | None, int | None]:
    """How many suits and ranks a deck has, counted from the highest; None for a deck that lacks some of these."""
    ranks, suits = map(set, game.deck)
    is_high = ranks == set(RANKS[-len(ranks) :]) and suits == set(SUITS[-len(suits) :])
    return (len(suits), len(ranks)) if is_high else (None, None)


class Variant(NamedTuple):
    """All that railbird knows of a game: rules, properties, and how its logs are written.

    properties  for games that definitions make, a function of a match's game and its row of `matches`
    dialects    a function if they are loaded late
    hints       of a dialect of records that does not begin as JSON does: bytes of which its files have one at the start
    """

    game: Game
    properties: Properties | Callable[[str, Mapping[str, Any]], Properties]
    dialects: tuple[Dialect, ...] | Callable[[], tuple[Dialect, ...]]
    hints: tuple[bytes, ...] = ()

    def dialects_by_rules(self) -> tuple[Dialect, ...] | Callable[[], tuple[Dialect, ...]]:
        """Its dialects, with the number of players and of hole cards by which logs of other games differ."""
        game, given = self.game, self.dialects

        def load() -> tuple[Dialect, ...]:
            known = given() if callable(given) else given
            return tuple(replace(one, players=game.players, holes=game.hole_cards) for one in known)

        return load if callable(given) else load()

    def in_words(self, name: str, table: str, title: str = "", **rules: Any) -> Variant:
        """This game as another engine writes it.

        table  the grammar's table of the lines that differ
        rules  fields of `Game` that differ; the properties that follow from them differ, too

        Raises ValueError for a game that definitions make, or whose dialects are loaded late.
        """
        if callable(self.dialects) or not isinstance(self.properties, Properties):
            raise ValueError(
                f"in_words does not work for {self.game.name}: its engine has a parser of its own"
            )
        base = self.dialects[0]
        game = replace(self.game.renamed(name), until_red="", **rules)
        if "stack" in rules:
            game = replace(game, profiles=tuple(replace(one, stack=0) for one in game.profiles))
        before, after = vars(Properties.of(self.game)), vars(Properties.of(game))
        changed = {field: value for field, value in after.items() if value != before[field]}
        properties = replace(self.properties, **changed | {"game": name, "title": title or name})
        grammar = Grammar(table, base=base.grammar, translate=base.grammar.translate)
        new = [template for template in grammar.templates if template not in base.grammar.templates]
        same_hands = grammar.hand_word == base.grammar.hand_word
        dialect = Dialect(
            name,
            name,
            grammar,
            base.cut if same_hands else by_words,
            signs=signs_of(new) if same_hands else (),
            header=base.header if grammar.template("header") is base.grammar.template("header") else b"",
        )
        return Variant(game, properties, (dialect,))


def by_name(games: Iterable[Properties]) -> dict[str, Properties]:
    """Games by name; of several rows of one game, the first with the most known properties."""
    found: dict[str, Properties] = {}
    for game in games:
        other = found.get(game.game)
        if other is None or (game is not other and game.known > other.known):
            found[game.game] = game
    return found


@lru_cache(maxsize=256)
def shared_by_name(*games: Properties) -> Mapping[str, Properties]:
    """As `by_name`, not to be changed: equal results are one object, because each of many files has one."""
    return by_name(games)


def games_table(games: Iterable[Properties]) -> pa.Table:
    """Rows of the table `games`."""
    names = [field.name for field in fields(Properties)]
    rows = [{name: getattr(game, name) for name in names} for game in games]
    return pa.Table.from_pylist(rows, schema("games"))
