"""Bounty Hold'em (2025) run forward, as its engine of a given revision pays and prints it."""

from .. import bounty
from ..bounty_terms import ROUNDS_PER_BOUNTY
from ..cards import RANKS
from ..heads_up import betting as b
from . import bets_ev
from .mit import HeadsUp
from .orders import Order, Played


class Bounty(HeadsUp):
    """What the rules of 2025 change: a rank for each player, more pay for a winner who hits it."""

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.ranks_drawn = order.random("bounties")
        self.ranks = [-1, -1]
        prints = order.profile.prints
        self.prints_hits, self.prints_ev = "hits" in prints, "ev" in prints
        self.prints_shows = f"{order.game.name}.no-shows" not in order.profile.deviations
        self.notes = bets_ev.Notes(self.names)

    def open_hand(self) -> None:
        """New bounties in every 25th hand from the first."""
        if (self.now.number - 1) % ROUNDS_PER_BOUNTY == 0:
            # Two numbers a reset whoever deals, so that the ranks depend on the seed alone.
            self.ranks = [int(self.ranks_drawn.random() * len(RANKS)) for _ in range(2)]
            one, two = self.pair
            said = [RANKS[rank] for rank in self.ranks]
            self.say("bounties", said[one], self.names[one], said[two], self.names[two])
        self.now.ranks = list(self.ranks)

    def rank(self, seat: int) -> int:
        """Known to the player alone."""
        return self.ranks[seat]

    def before_query(self) -> None:
        """Note the chips of a street: preflop's on the flop, the flop's on the turn, else the rest."""
        kinds = {1: bets_ev.PREFLOP, 2: bets_ev.FLOP}
        self.notes.note(kinds.get(int(self.hand[b.STREET]), bets_ev.TURN), self.put())

    def after_street(self) -> None:
        """What is left in front of the players."""
        left = [self.stack - chips for chips in self.put()]
        one, two = self.pair
        self.say("stacks", left[one], left[two])

    def shows(self) -> bool:
        """One revision shows no cards."""
        return self.prints_shows

    def award(self, wins: int, loser_chips: int) -> int:
        """By the rules' payout, with the engine's deviations."""
        dealer, other = self.pair
        self.now.hits = hits = [self._hits(seat) for seat in range(2)]
        return int(
            bounty.payout(self.mask, wins, loser_chips, hits[dealer], hits[other], int(self.hand[b.TURN]))
        )

    def _hits(self, seat: int) -> bool:
        return any(card // 4 == self.ranks[seat] for card in (*self.now.holes[seat], *self.board))

    def after_awards(self) -> None:
        """Whoever has his rank in play, winner or not."""
        self.notes.add(self.now.deltas)
        for seat in self.pair:
            if self.prints_hits and self.now.hits[seat]:
                self.say("hit", self.names[seat])

    def close_hand(self) -> None:
        """Bankrolls after the hand."""
        self.say_both("counts", self.pair, self.banks)

    def after_final(self) -> None:
        """Chips won and lost by street, in the order of the final line."""
        if self.prints_ev:
            for line in self.notes.lines(self.pair[::-1]):
                self.say(*line)


def play(order: Order) -> Played:
    """A match of the Bounty engine."""
    return Bounty(order).play()
