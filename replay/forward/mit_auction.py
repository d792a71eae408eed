"""Auction (2024) run forward, as its engine of a given revision prints it."""

from .. import auction
from ..bots import Answer, View
from ..cards import card_texts
from ..heads_up import betting as b
from ..records import BID, CHOICE, RAISE, SUBSTITUTE
from . import bets_ev
from .mit import BOARD_CARDS, HeadsUp
from .orders import Acted, Order, Played


class Auction(HeadsUp):
    """What 2024 changes: a second-price auction of one more card before the betting on the flop."""

    largest_board = BOARD_CARDS[-1] + 2

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.prints_won = "won" in order.profile.prints
        self.bids_end_flop = auction.NO_FLOP_BETTING in order.profile.deviations
        self.prints_ev = "ev" in order.profile.prints
        self.notes = bets_ev.Notes(self.names)
        self.bids: list[int] = []

    def open_hand(self) -> None:
        """No bids yet; the notes begin anew with every hand."""
        self.bids = []
        self.notes.clear()

    def before_query(self) -> None:
        """Note the chips of a street: preflop's on the flop, the flop's on the turn, else the rest."""
        street = int(self.hand[b.STREET])
        kinds = {1: bets_ev.PREFLOP, 2: bets_ev.FLOP}
        self.notes.note(kinds.get(street, bets_ev.TURN), self.put())

    def after_street(self) -> None:
        """The auction follows the flop line, which is then printed again with what was paid.

        In the first revision it is not, and the bids end the street.
        """
        if self.hand[b.STREET] != 1:
            return
        dealer, other = self.pair
        bids = [0, 0]
        for seat in (other, dealer):
            bids[seat] = self._bid(seat)
        self.now.finals = list(self.now.holes)
        extras = self.coming[BOARD_CARDS[-1] :]
        for seat in self.pair:
            price = auction.price(bids[seat], bids[1 - seat])
            if price == price:
                self.chips[b.PUT, seat] += price
                card = extras.pop(0)
                self.now.finals[seat] = (*self.now.holes[seat], card)
                if self.prints_won:
                    self.say("auction_won", self.names[seat], card_texts([card]))
        self.bids = [bids[dealer], bids[other]]
        if self.bids_end_flop:
            self.hand[b.CLOSED] = 1
            return
        self.say_both("flop", self.pair, self.put(), card_texts(self.board))

    def _bid(self, seat: int) -> int:
        self.before_query()
        view = self._view(seat)._replace(low=0, high=self.stack - self.put()[seat])
        answer = self._ask(seat, view, "bid")
        legal = answer is not None and answer.action == BID and 0 <= answer.raise_to <= view.high
        if answer is not None and not legal:
            self.refuse(seat, answer, view)
        bid = answer.raise_to if answer is not None and legal else 0
        self.say("bid", self.names[seat], bid)
        self.now.actions.append(Acted(1, seat, BID, CHOICE if legal else SUBSTITUTE, bid))
        return bid

    def refuse(self, seat: int, answer: Answer, view: View | None) -> None:
        """Amounts are told."""
        if answer.action in (RAISE, BID):
            self._fault(seat, "illegal_bid" if answer.action == BID else "illegal_raise_to", answer.raise_to)
        else:
            super().refuse(seat, answer, view)

    def _fault(self, seat: int, event: str, *values: int | str) -> None:
        super()._fault(seat, event, *values)
        if event == "misformatted":
            said = str(values[0])
            # What reading the answer raises: no first letter, no number after one, no such letter.
            self.say("index_error" if not said else "value_error" if said[0] in "RA" else "key_error")

    def award(self, wins: int, loser_chips: int) -> int:
        """The loser's chips, in a split pot half the difference."""
        put = self.put()
        dealer, other = self.pair
        return int(auction.payout(wins, put[dealer], put[other]))

    def after_awards(self) -> None:
        """Whether there was an auction."""
        self.notes.add(self.now.deltas)
        if self.bids:
            self.say("bids", *self.bids)
        else:
            self.say("no_auction")

    def after_final(self) -> None:
        """Chips won and lost by street, in the order of the final line."""
        if self.prints_ev:
            for line in self.notes.lines(self.pair[::-1]):
                self.say(*line)


def play(order: Order) -> Played:
    """A match of the Auction engine."""
    return Auction(order).play()
