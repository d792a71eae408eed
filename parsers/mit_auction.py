"""The dialect of Auction (MIT Pokerbots 2024), every revision."""

from typing import Final

from . import mit
from .dialect import Dialect
from .grammar import Grammar

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
