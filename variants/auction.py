"""Auction (2024), every revision: when the flop is dealt both players bid for one more card. The engine is the rule."""

from typing import Final

from ..parsers import mit
from ..parsers.dialect import Dialect
from ..parsers.grammar import Grammar
from ..replay import betting as b
from ..replay.bots import Answer, View
from ..replay.cards import card_texts
from ..replay.games import HOLDEM_BOARDS, HOLDEM_STREETS, UNEVEN, Deviation, Game, Profile
from ..replay.payouts import price
from ..replay.records import BID, CHOICE, FOLD, RAISE, SUBSTITUTE
from ..replay.replaying import heads_up
from ..replay.simulate import Acted, Order, Played
from .mit_engine import HeadsUp, own_stakes
from .properties import DECISIONS, Properties, Variant

_NO_FLOP_BETTING: Final = "auction.no-flop-betting"

GRAMMAR: Final = Grammar(
    """
    bid               {p} bids {n}
    auction_won       {p} won the auction and was dealt [{c}]
    bids              Players submitted bids of {n} and {n}
    no_auction        Players did not reach flop. No auction occured.
    illegal_raise_to  {p} attempted illegal RaiseAction with amount {n}
    illegal_bid       {p} attempted illegal BidAction with amount {n}
    index_error       IndexError
    key_error         KeyError
    value_error       ValueError
    note              pips were [{n}, {n}]
    ev_preflop        {p} preflop bets EV: {n}
    ev_flop           {p} flop bets EV: {n}
    ev_turn           {p} turn bets EV: {n}
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect(
    "mit-auction",
    "auction",
    GRAMMAR,
    mit.cut,
    # Every hand ends in one of the first two; bids come sooner.
    signs=(
        (b"\nPlayers did not reach flop. No auction occured.", "no_auction"),
        (b"\nPlayers submitted bids of ", "bids"),
        (b" bids ", "bid"),
    ),
)


class Auction(HeadsUp):
    """What 2024 changes: a second-price auction of one more card before the betting on the flop."""

    largest_board = HOLDEM_BOARDS[-1] + 2

    def __init__(self, order: Order) -> None:
        """As the base game."""
        super().__init__(order)
        self.prints_won = "won" in order.profile.prints
        self.bids_end_flop = _NO_FLOP_BETTING in order.profile.deviations
        self.bids: list[int] = []
        self.extras: list[int] = []

    def open_hand(self) -> None:
        """No bids yet; the notes begin anew with every hand."""
        self.bids = []
        self.notes.clear()

    def before_query(self) -> None:
        """Note the chips of the street."""
        self.note_street()

    def after_street(self) -> None:
        """Hold the auction after the flop line, then print that line again with what was paid.

        In the first revision the line is not printed again, and the bids end the street.
        """
        if self.hand["street"] != 1:
            return
        dealer, other = self.pair
        bids = [0, 0]
        for seat in (other, dealer):
            bids[seat] = self._bid(seat)
            if self.hand["folded"] >= 0:
                return
        self.now.finals = list(self.now.holes)
        self.extras = self.coming[HOLDEM_BOARDS[-1] :]
        for seat in self.pair:
            due = price(bids[seat], bids[1 - seat])
            if due == due:
                b.pay(self.hand, 0, seat, due)
                self.prize(seat)
        self.bids = [bids[dealer], bids[other]]
        if self.bids_end_flop:
            self.hand["closed"] = 1
            return
        self.say_both("flop", self.pair, self.put(), card_texts(self.board))

    def prize(self, seat: int) -> None:
        """Deal the winner another hole card."""
        card = self.extras.pop(0)
        self.now.finals[seat] = (*self.now.holes[seat], card)
        if self.prints_won:
            self.say("auction_won", self.names[seat], card_texts([card]))

    def _bid(self, seat: int) -> int:
        self.before_query()
        view = self._view(seat)._replace(low=0, high=self.stack - self.put()[seat])
        answer = self.ask(seat, view, "bid")
        legal = answer is not None and answer.action == BID and 0 <= answer.raise_to <= view.high
        if answer is not None and not legal:
            self.refuse(seat, answer, view)
        if not legal and self.folds_bid(seat):
            self.act(seat, Answer(FOLD), view, SUBSTITUTE)
            return 0
        bid = answer.raise_to if answer is not None and legal else 0
        self.say("bid", self.names[seat], bid)
        self.now.actions.append(Acted(1, seat, BID, CHOICE if legal else SUBSTITUTE, bid))
        return bid

    def folds_bid(self, seat: int) -> bool:
        """Whether the engine folds for a player whose bid is bad."""
        return self.is_a_fold("silence" if self.gone[seat] else "bid")

    def refuse(self, seat: int, answer: Answer, view: View | None) -> None:
        """The fault line of an illegal raise or bid names its amount."""
        if answer.action in (RAISE, BID):
            self.fault(seat, "illegal_bid" if answer.action == BID else "illegal_raise_to", answer.raise_to)
        else:
            super().refuse(seat, answer, view)

    def fault(self, seat: int, event: str, *values: int | str) -> None:
        """Below an answer that cannot be read, the exception that reading it raises."""
        super().fault(seat, event, *values)
        if event == "misformatted":
            said = str(values[0])
            # No first letter, no number after one, no such letter.
            self.say("index_error" if not said else "value_error" if said[0] in "RA" else "key_error")

    def after_awards(self) -> None:
        """The line of both bids, or the one that says that there was no auction."""
        self.notes.add(self.now.deltas)
        if self.bids:
            self.say("bids", *self.bids)
        else:
            self.say("no_auction")


def play(order: Order) -> Played:
    """A match of the Auction engine."""
    return Auction(order).play()


GAME: Final = Game(
    name="auction",
    stack=400,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source="the engine of 2024",
    deviations=(
        own_stakes("auction"),
        Deviation(
            _NO_FLOP_BETTING,
            "legality",
            "2024-01-05",
            "2024-01-09",
            "the turn is dealt directly after the bids, without betting on the flop",
        ),
    ),
    profiles=(
        Profile("2024-01-05", (_NO_FLOP_BETTING,)),
        Profile("2024-01-09"),
        Profile("2024-01-13", prints=frozenset({"won"})),
        Profile("2024-01-30", prints=frozenset({"won", "ev"})),
    ),
    bets_ev="query-anew",
    payout=UNEVEN,
    auctions=True,
    bids_told=True,
    family=heads_up,
    forward=play,
)

PROPERTIES: Final = Properties(game="auction", title="Auction", decisions=(*DECISIONS, "bid"), auctions=True)

VARIANT: Final = Variant(GAME, PROPERTIES, (DIALECT,))
