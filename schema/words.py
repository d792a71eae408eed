"""The vocabularies of the store: the values of its columns of words."""

from typing import Final

FLAGS: Final = (
    "acted_preflop",
    "vpip",
    "pfr",
    "rfi_chance",
    "rfi",
    "limp_chance",
    "limp",
    "threebet_chance",
    "threebet",
    "fourbet_chance",
    "fourbet",
    "fold_to_3bet_chance",
    "fold_to_3bet",
    "cbet_flop_chance",
    "cbet_flop",
    "cbet_turn_chance",
    "cbet_turn",
    "cbet_river_chance",
    "cbet_river",
    "fold_to_cbet_chance",
    "fold_to_cbet",
    "saw_flop",
    "went_to_showdown",
    "won_showdown",
    "tied_showdown",
    "won_hand",
    "check_raise_chance",
    "check_raise",
    "donk_chance",
    "donk",
    "probe_chance",
    "probe",
    "delayed_cbet_chance",
    "delayed_cbet",
)
"""The statistic flags of a seat in a hand, a column each (docs/statistics.md); in replay a bit each, in this order."""
FLAGS_OF_FLAGS: Final = {
    "fold_to_3bet_chance": "fourbet_chance",
    "won_showdown": "went_to_showdown and won_hand",
}
"""Flags that follow from others of the seat, in SQL: they are not stored."""
FLAG: Final = "statistic flag (docs/statistics.md)"

ACTIONS: Final = (
    *("fold", "call", "check", "bet", "raise", "post", "bid", "assign", "discard", "play", "pass"),
    *("accept", "decline"),
)
ORIGINS: Final = ("choice", "post", "substitute", "allin", "dummy")

VERDICTS: Final = ("ok", "engine_deviation", "unverified", "violation", "damaged")
ENDINGS: Final = ("fold", "showdown", "mixed")
CARD_CHANGES: Final = (
    *("swap", "auction", "discard", "redraw", "board_redraw", "reveal", "pass"),
    *("reveal_board", "bought"),
)
SWAP, AUCTION, DISCARD, REDRAW, BOARD_REDRAW, REVEAL, PASS, REVEAL_BOARD, BOUGHT = CARD_CHANGES
FAULT_KINDS: Final = ("illegal", "misformatted", "late", "disconnected")
FINDING_KINDS: Final = ("pay", "legality", "log", "deck", "carry", "order", "damage", "unverified")
REJECTED, REOPENED = "rejected", "reopened"
FILE_STATUSES: Final = ("ok", "partial", "sidecar", "ignored", REJECTED, REOPENED)
READ_AGAIN: Final = (REJECTED, REOPENED)
"""Of files that are read again when they are given again."""
DEALER_FIRST: Final = ("SB", "BB")
"""Positions heads-up: the dealer posts the small blind."""
NUMBERED: Final = tuple("0123456789")
"""Positions of games without blinds."""
STREETS: Final = ("preflop", "flop", "turn", "river")
STREETS_AND_RUNS: Final = (*STREETS, *(f"run {k}" for k in range(1, 61)))
"""By number; the run of River of Blood deals one card a street."""

RANKS: Final = "23456789TJQKA"
LOWEST: Final = "1"
"""A rank below the deuce, which some decks have; its number follows those of RANKS."""
SUITS: Final = "cdhs"
CARDS: Final = tuple(rank + suit for rank in RANKS + LOWEST for suit in SUITS)
"""The text of each card code: 52 cards, then those of rank LOWEST."""
WITHOUT_RULES: Final = "no rules for "
"""How the reason begins that leaves a hand of a game without rules unverified."""
