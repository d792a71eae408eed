"""Hand histories in PokerStars' text format, which trackers read: play money, one file per match."""

import re
from collections.abc import Iterator
from typing import Final

from ..schema.words import STREETS
from .hands import CannotHold, Cards, Chips, Format, Hand, Match, Names, Options, Text
from .holdem import Move, Played
from .posts import ANTE, BIG, EXTRA, SMALL, Post
from .pots import replay
from .rules import FIXED, NO_LIMIT, POT_LIMIT

_REPLACED: Final = re.compile(r"[\[\]():#\"'\x00-\x1f\x7f\u2028\u2029]")
"""What separates a name from what follows it, and quotes around a table's name."""
_GAMES: Final = {(2, False): "Hold'em", (4, False): "Omaha", (4, True): "Omaha Hi/Lo"}
"""By hole cards, and whether there is a low half."""
_LIMITS: Final = {NO_LIMIT: "No Limit", POT_LIMIT: "Pot Limit", FIXED: "Limit"}
_HANDS: Final = 10**7
"""Hands of a match that have numbers of their own."""
_MATCHES: Final = 10**11
"""The number of a hand fits into 63 bits."""


class Pokerstars(Format):
    """A file a match."""

    def __init__(self, options: Options) -> None:
        """For one export."""
        super().__init__(options)
        self.names = Names(_REPLACED, distinct=True)

    def begin(self, match: Match) -> None:
        """Players keep their names throughout a match."""
        self.called = self.names.of(match.players)

    def write(self, hand: Hand) -> Iterator[Text]:
        """The hand's paragraphs, and two empty lines."""
        played = replay(hand)
        if None in played.stacks:
            raise CannotHold("no stacks")
        played.require_result()
        if played.rules.short:
            raise CannotHold("no word for a short deck")
        heroes = {seat.seat for seat in hand.seats if seat.player == self.options.hero}
        if self.options.hero is not None and not heroes:
            raise CannotHold("without the hero")
        names = [self.called.names[seat.seat] for seat in played.seats]
        lines = _Lines(played, names, heroes or {seat.seat for seat in hand.seats}).all()
        notes = self.called.notes([seat.seat for seat in hand.seats])
        yield Text(f"{hand.match.match_id}.txt", "".join(f"{line}\n" for line in lines) + "\n\n", notes)


class _Lines:
    """The lines of a hand.

    names    by place
    dealt    seats whose hole cards are printed as they are dealt
    """

    def __init__(self, played: Played, names: list[str], dealt: set[int]) -> None:
        self.played, self.names, self.dealt = played, names, dealt
        self.small, self.big = played.places

    def all(self) -> Iterator[str]:
        """Every line, without its end."""
        yield from self._head()
        yield "*** HOLE CARDS ***"
        for place, seat in enumerate(self.played.seats):
            if seat.seat in self.dealt and self.played.known(place):
                yield f"Dealt to {self.names[place]} {_cards(seat.hole)}"
        yield from self._moves(0)
        for street in range(1, len(self.played.dealt) + 1):
            yield self._street(street)
            if street < len(self.played.moves):
                yield from self._moves(street)
            yield from self._returned(street)
        yield from self._end()
        yield from self._summary()

    def _head(self) -> Iterator[str]:
        hand, match = self.played.hand, self.played.hand.match
        rules, limit = self.played.rules, self.played.limit
        game = f"{_GAMES[rules.holes, rules.low]} {_LIMITS[limit.kind]}"
        # Of a fixed limit the bets of the early and the late streets.
        stakes = [limit.small, limit.big] if limit.kind == FIXED else [*self.played.blinds]
        number = match.match_id % _MATCHES * _HANDS + hand.hand_index % _HANDS
        time = hand.begun.strftime("%Y/%m/%d %H:%M:%S")
        small, big = map(_number, stakes)
        yield f"PokerStars Hand #{number}: {game} ({small}/{big}) - {time} ET"
        table, button = self.played.table_size, self.played.chairs[-1]
        yield f"Table '{match.match_id}' {table}-max (Play Money) Seat #{button} is the button"
        for place in self._by_seat():
            seat = self.played.seats[place]
            yield f"Seat {self.played.chairs[place]}: {self.names[place]} ({_number(seat.stack_start or 0.0)} in chips)"
        for post in self.played.posts.all:
            all_in = " and is all-in" if post.all_in else ""
            yield f"{self.names[post.place]}: posts {self._post(post)} {_number(post.chips)}{all_in}"

    def _post(self, post: Post) -> str:
        """What is posted. There is no word for a straddle or an extra blind other than the blind's."""
        if post.kind == ANTE:
            return "small blind" if self.played.posts.has_dead_blinds else "the ante"
        return (
            "small blind" if post.kind == SMALL else "big blind" if post.kind in (BIG, EXTRA) else "straddle"
        )

    def _by_seat(self) -> list[int]:
        return sorted(range(len(self.names)), key=self.played.chairs.__getitem__)

    def _street(self, street: int) -> str:
        before = tuple(card for cards in self.played.dealt[: street - 1] for card in cards)
        earlier = f"{_cards(before)} " if before else ""
        return f"*** {STREETS[street].upper()} *** {earlier}{_cards(self.played.dealt[street - 1])}"

    def _moves(self, street: int) -> Iterator[str]:
        bet = max(self.played.posts.live) if street == 0 else 0.0
        for move in self.played.moves[street]:
            yield f"{self.names[move.place]}: {_said(move, bet)}{' and is all-in' if move.all_in else ''}"
            bet = max(bet, move.to)
        if street == 0:
            yield from self._returned(0)

    def _returned(self, street: int) -> Iterator[str]:
        if self.played.uncalled is not None and street == len(self.played.moves) - 1:
            place, chips = self.played.uncalled
            yield f"Uncalled bet ({_number(chips)}) returned to {self.names[place]}"

    def _end(self) -> Iterator[str]:
        if self.played.showdown:
            yield "*** SHOW DOWN ***"
            for place in self.played.showers():
                mucks = self.played.mucks(place)
                shown = "mucks hand" if mucks else f"shows {_cards(self.played.known(place))}"
                yield f"{self.names[place]}: {shown}"
        for number, pot in reversed([*enumerate(self.played.pots)]):
            for place, won in pot.paid.items():
                yield f"{self.names[place]} collected {_number(won)} from {self._pot(number)}"
        if not self.played.showdown:
            yield f"{self.names[self.played.live[0]]}: doesn't show hand"

    def _pot(self, number: int) -> str:
        pots = len(self.played.pots)
        if pots == 1:
            return "pot"
        return "main pot" if number == 0 else f"side pot-{number}" if pots > 2 else "side pot"

    def _summary(self) -> Iterator[str]:
        pots = [pot.chips for pot in self.played.pots]
        parts = ""
        if len(pots) > 1:
            names = [self._pot(number) for number in range(len(pots))]
            parts = "".join(f" {n[0].upper()}{n[1:]} {_number(c)}." for n, c in zip(names, pots, strict=True))
        yield "*** SUMMARY ***"
        rake = sum(pot.rake for pot in self.played.pots)
        yield f"Total pot {_number(sum(pots))}{parts} | Rake {_number(rake)}"
        if self.played.board:
            yield f"Board {_cards(self.played.board)}"
        won = [sum(pot.paid.get(place, 0.0) for pot in self.played.pots) for place in range(len(self.names))]
        for place in self._by_seat():
            seat = self.played.chairs[place]
            yield f"Seat {seat}: {self.names[place]}{self._role(place)} {self._fate(place, won[place])}"

    def _role(self, place: int) -> str:
        roles = {len(self.names) - 1: " (button)"}
        roles[self.small] = roles.get(self.small, "") + " (small blind)"
        roles[self.big] = roles.get(self.big, "") + " (big blind)"
        return roles.get(place, "")

    def _fate(self, place: int, won: float) -> str:
        if place not in self.played.live:
            street = next(
                k
                for k, moves in enumerate(self.played.moves)
                for m in moves
                if (m.place, m.kind) == (place, "fold")
            )
            if street == 0:
                acted = (
                    any(m.place == place and m.added for m in self.played.moves[0])
                    or self.played.posts.live[place]
                )
                return "folded before Flop" + ("" if acted else " (didn't bet)")
            return f"folded on the {STREETS[street].capitalize()}"
        if not self.played.showdown:
            return f"collected ({_number(won)})"
        if self.played.mucks(place):
            return "mucked"
        shown = f"showed {_cards(self.played.known(place))}"
        return f"{shown} and won ({_number(won)})" if won else f"{shown} and lost"


def _said(move: Move, bet: float) -> str:
    """A move; a raise says by how much and to what."""
    if move.kind == "call":
        return f"calls {_number(move.added)}"
    if move.kind == "bet":
        return f"bets {_number(move.to)}"
    if move.kind == "raise":
        return f"raises {_number(move.to - bet)} to {_number(move.to)}"
    return {"fold": "folds", "check": "checks"}[move.kind]


def _cards(cards: Cards) -> str:
    return f"[{' '.join(card or '' for card in cards)}]"


def _number(chips: float) -> Chips:
    """Whole chips, or two decimals: CannotHold for what they cannot say."""
    if float(chips).is_integer():
        return int(chips)
    if abs(round(chips, 2) - chips) > 1e-6:
        raise CannotHold("fractions of a hundredth")
    return round(chips, 2)
