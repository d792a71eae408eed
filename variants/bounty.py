"""Bounty Hold'em (2025), by its rules document: a winner whose secret rank is in play wins more."""

from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay.cards import RANKS
from ..replay.games import BOUNTIES, HOLDEM_STREETS, ROUNDS_PER_BOUNTY, Deviation, Game, Profile
from ..replay.payouts import BONUS, WIN_FACTOR, with_bounties
from ..replay.replaying import heads_up
from ..replay.simulate import Order, Played
from .mit_engine import HeadsUp, own_stakes
from .properties import Properties, Variant

_ROUNDING: Final = "bounty.rounding-by-turn"
_SPLIT: Final = "bounty.split-paid-to-dealer"
_FOLD: Final = "bounty.free-fold"
_SHOWS: Final = "bounty.no-shows"

GRAMMAR: Final = Grammar(
    """
    bounties     Bounties reset to {r} for player {p} and {r} for player {p}
    stacks       Current stacks: {n}, {n}
    hit          {p} hits their bounty
    counts       Winning counts at the end of the round: , {p} ({n}), {p} ({n})
    ev_preflop   {p} preflop bets EV: {n}
    ev_flop      {p} flop bets EV: {n}
    ev_turn      {p} turn bets EV: {n}
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect(
    "mit-bounty",
    "bounty",
    GRAMMAR,
    mit.cut,
    signs=(
        (b"\nBounties reset to ", "bounties"),
        (b"\nWinning counts at the end of the round: , ", "counts"),
    ),
)


class Bounty(HeadsUp):
    """What the rules of 2025 change: a rank for each player, more pay for a winner who hits it."""

    sockets = True

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.ranks_drawn = order.random("bounties")
        self.ranks = [-1, -1]
        self.prints_hits = "hits" in order.profile.prints
        self.mask = order.game.mask(order.profile.deviations)
        self.prints_shows = _SHOWS not in order.profile.deviations

    def open_hand(self) -> None:
        """New bounties in every 25th hand from the first."""
        if (self.now.number - 1) % ROUNDS_PER_BOUNTY == 0:
            # Two random numbers per reset, whoever deals, so that the ranks depend only on the seed.
            self.ranks = [int(self.ranks_drawn.random() * len(RANKS)) for _ in range(2)]
            one, two = self.pair
            said = [RANKS[rank] for rank in self.ranks]
            self.say("bounties", said[one], self.names[one], said[two], self.names[two])
        self.now.ranks = list(self.ranks)

    def rank(self, seat: int) -> int:
        """The player's secret rank."""
        return self.ranks[seat]

    def own_facts(self, seat: int) -> tuple[str, ...]:
        """The rank."""
        return (f"G{RANKS[self.ranks[seat]]}",)

    def outcome(self, seat: int) -> tuple[str, ...]:
        """Whether its own rank is in play, and whether the other player's is."""
        return ("Y" + "".join(str(int(self.now.hits[k])) for k in (seat, 1 - seat)),)

    def before_query(self) -> None:
        """Note the chips of the street."""
        self.note_street()

    def after_street(self) -> None:
        """The line of the stacks."""
        self.say_stacks()

    def shows(self) -> bool:
        """One revision shows no cards."""
        return self.prints_shows

    def award(self, wins: int, loser_chips: int) -> int:
        """By the rules' payout, with the engine's deviations."""
        dealer, other = self.pair
        self.now.hits = hits = [self._hits(seat) for seat in range(2)]
        return int(
            with_bounties(self.mask, wins, loser_chips, hits[dealer], hits[other], int(self.hand["turn"]))
        )

    def _hits(self, seat: int) -> bool:
        return any(card // 4 == self.ranks[seat] for card in (*self.now.holes[seat], *self.board))

    def after_awards(self) -> None:
        """A line for each player whose rank is in play, winner or not."""
        self.notes.add(self.now.deltas)
        for seat in self.pair:
            if self.prints_hits and self.now.hits[seat]:
                self.say("hit", self.names[seat])

    def close_hand(self) -> None:
        """Bankrolls after the hand."""
        self.say_both("counts", self.pair, self.banks)


def play(order: Order) -> Played:
    """A match of the Bounty engine."""
    return Bounty(order).play()


GAME: Final = Game(
    name="bounty",
    stack=400,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="rules document of Bounty Hold'em, 2025",
    deviations=(
        Deviation(
            _ROUNDING,
            "pay",
            "2025-01-05",
            "",
            "a fraction of the dealer's award is rounded down if the number of actions is even, up if it is odd; "
            "the rules round it down for the dealer, up for the other player",
        ),
        Deviation(
            _SPLIT,
            "pay",
            "2025-01-05",
            "2025-01-07",
            "if only the dealer's opponent hits its bounty in a split pot, the dealer is paid the bonus",
        ),
        Deviation(_FOLD, "legality", "2025-01-08", "", "a fold is accepted although a check is free"),
        Deviation(_SHOWS, "log", "2025-01-08", "2025-01-08", "no cards are shown at a showdown"),
        own_stakes("bounty"),
    ),
    profiles=(
        Profile("2025-01-05", (_ROUNDING, _SPLIT)),
        Profile("2025-01-07", (_ROUNDING,)),
        Profile("2025-01-08a", (_ROUNDING, _FOLD, _SHOWS)),
        Profile("2025-01-08", (_ROUNDING, _FOLD)),
        Profile("2025-01-27", (_ROUNDING, _FOLD), frozenset({"hits"})),
        Profile("2025-01-30", (_ROUNDING, _FOLD), frozenset({"hits", "ev"})),
    ),
    payout=BOUNTIES,
    bets_ev="query",
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(
    game="bounty",
    title="Bounty Hold'em",
    bounties=True,
    bounty_factor=WIN_FACTOR,
    bounty_bonus=BONUS,
    cluster="numbers",
    cluster_hands=ROUNDS_PER_BOUNTY,
)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
