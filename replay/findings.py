"""The rules that a hand is checked against: the name, kind and message of each finding.

A finding of a `structure` rule means that the lines contradict each other (lost, doubled or spliced lines);
the hand is then damaged rather than in violation. Every other finding is a violation unless a deviation
explains it.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.bundles import bundle
from ..jit.compile import part
from . import records

NO_EXPLANATION: Final = -1
"""`explained` of a finding that no engine profile explains."""


@dataclass(frozen=True)
class Rule:
    """One check: its name, its kind, its message, and whether it is structural.

    kind is one of pay, legality, log, deck, carry, order, damage, unverified.
    """

    name: str
    kind: str
    message: str
    structure: bool = False


RULES: Final[list[Rule]] = []


def _rule(name: str, kind: str, message: str, structure: bool = False) -> int:
    RULES.append(Rule(name, kind, message, structure))
    return len(RULES) - 1


AWARD: Final = _rule("award", "pay", "award {logged}, the written rules pay {expected}")
ZERO_SUM: Final = _rule("zero-sum", "pay", "awards sum to {logged}")
FREE_FOLD: Final = _rule("free-fold", "legality", "fold although a check is free")
CHECK: Final = _rule("check", "legality", "check facing a bet of {expected}")
CALL: Final = _rule("call", "legality", "call with nothing to call")
RAISE: Final = _rule("raise", "legality", "bet or raise where none is allowed")
TOO_SMALL: Final = _rule("too-small", "legality", "raise to {logged}, the minimum is {expected}")
TOO_LARGE: Final = _rule("too-large", "legality", "raise to {logged}, the maximum is {expected}")
WORDING: Final = _rule("wording", "log", "a first bet is a bet, every other a raise")
TURN: Final = _rule("turn", "order", "seat {logged} acts, it is the turn of seat {expected}")
BLIND: Final = _rule("blind", "legality", "blind of {logged}, {expected} is due")
BLIND_ORDER: Final = _rule("blind-order", "order", "seat {logged} posts, seat {expected} is due")
DEAL_ORDER: Final = _rule("deal-order", "order", "seat {logged} is dealt cards, seat {expected} is due")
DEAL: Final = _rule("deal", "deck", "{logged} cards dealt, {expected} are due")
DECK: Final = _rule("deck", "deck", "card {logged} appears twice")
BOARD: Final = _rule("board", "deck", "the board changes a card: {expected} becomes {logged}")
BOARD_SIZE: Final = _rule("board-size", "deck", "board of {logged} cards, {expected} are due")
SEATS: Final = _rule("seats", "log", "the line names seat {logged} first, seat {expected} is due")
CONTRIBUTION: Final = _rule(
    "contribution", "log", "the log prints {logged} chips in the pot, {expected} were put in"
)
STACKS: Final = _rule("stacks", "log", "the log prints a stack of {logged}, {expected} are left")
SHOW: Final = _rule("show", "deck", "shows {logged}, was dealt {expected}")
SHOW_MISSING: Final = _rule("show-missing", "log", "no cards shown at a showdown")
SHOW_UNASKED: Final = _rule("show-unasked", "log", "cards shown without a showdown")
BANKROLL: Final = _rule("bankroll", "carry", "bankroll of {logged}, {expected} carried from the hand before")
COUNTS: Final = _rule("counts", "carry", "winning count of {logged}, {expected} by bankroll and award")
FINAL: Final = _rule("final", "carry", "final of {logged}, {expected} carried from the last hand")
BETS_EV: Final = _rule("bets-ev", "log", "bets EV of {logged}, {expected} by the awards")
HIT: Final = _rule("hit", "log", "bounty hit printed, no card of the rank is in play")
HIT_MISSING: Final = _rule("hit-missing", "log", "no bounty hit printed, a card of the rank is in play")
HIT_ORDER: Final = _rule("hit-order", "log", "bounty hits are printed once each, the dealer's first")
BOUNTIES: Final = _rule(
    "bounties", "log", "bounties are reset in round {logged}, due in every 25th from the first"
)
SUBSTITUTE: Final = _rule(
    "substitute",
    "legality",
    "after a fault the engine acts for the player, by another action than the rules say",
)
FAULT: Final = _rule("fault", "log", "a fault that could not happen: the action is legal here")
ROTATION: Final = _rule("rotation", "order", "seat {logged} deals, seat {expected} is due")
HEADER: Final = _rule("header", "log", "the header's names are not those of the rounds")
STACKS_MISSING: Final = _rule("stacks-missing", "log", "no stacks printed after the street")
COUNTS_MISSING: Final = _rule("counts-missing", "log", "no winning counts printed after the hand")
SEQUENCE: Final = _rule("sequence", "order", "hand {logged} follows hand {expected}", structure=True)
MARKER: Final = _rule("marker", "damage", "a merge marker stands in the log", structure=True)
MISPLACED: Final = _rule("misplaced", "order", "a line that cannot occur here", structure=True)
STREET: Final = _rule("street", "order", "the street is dealt before the betting is over", structure=True)
INCOMPLETE: Final = _rule(
    "incomplete", "damage", "the next hand begins before this one is paid", structure=True
)
UNKNOWN_BOUNTY: Final = _rule(
    "unknown-bounty", "unverified", "the bounty ranks are not in the log, the pay cannot be checked"
)

NAMES: Final = _rule("names", "log", "the names of the hand are not those of the match in turn")
SEED: Final = _rule("seed", "deck", "card {logged}, the header's seed deals {expected}")
SEED_WRONG: Final = _rule(
    "seed-wrong", "deck", "no hand of the match is dealt from the header's seed, {logged}"
)
NOT_IN_DECK: Final = _rule("not-in-deck", "deck", "card {logged} is not in the game's deck")
SCORE: Final = _rule("score", "carry", "score of {logged}, {expected} by the hands")
HANDS: Final = _rule("hands", "log", "the score comes after {logged} hands, the header says {expected}")
BETTING: Final = _rule("betting", "order", "the betting does not fit the rounds of the game", structure=True)
UNKNOWN_GAME: Final = _rule("unknown-game", "unverified", "no definition of the game is at hand")
ALL_IN_CHECKS: Final = _rule("all-in-checks", "log", "checks are printed after a called all-in")
PUBLISHED: Final = _rule("published", "log", "luck-adjusted result of {logged}, {expected} by its parts")
SUMS: Final = _rule("sums", "carry", "the log prints a sum of {logged}, the hands add up to {expected}")
NOTED: Final = _rule("noted", "log", "a note says that the system failed in this hand")
NO_RESULT: Final = _rule("no-result", "unverified", "no result is written")
LAST_STATE: Final = _rule("last-state", "unverified", "the last state is missing")

# Blotto
DUMMY: Final = _rule("dummy", "order", "an action other than a check on a settled or folded board")
SPENT: Final = _rule("spent", "legality", "the actions cost {logged} in all, the stack is {expected}")
UNMATCHED: Final = _rule(
    "unmatched", "legality", "raises by {logged} in all, the opponent can match {expected}"
)
ASSIGNMENT: Final = _rule(
    "assignment", "legality", "the assignment does not send two of the six cards to each board"
)
POT: Final = _rule("pot", "log", "the log prints a pot of {logged}, there are {expected} chips in it")
ALL_IN: Final = _rule("all-in", "log", "an all-in is printed, the player has {expected} chips left")
ALL_IN_MISSING: Final = _rule("all-in-missing", "log", "no all-in is printed, the player has no chips left")
SWEEP: Final = _rule("sweep", "log", "a sweep is printed, the opponent won {expected} chips")
SWEEP_MISSING: Final = _rule("sweep-missing", "log", "no sweep is printed, the opponent won nothing")
TABLE: Final = _rule("table", "carry", "total of {logged} on a board, {expected} by its pots")
TABLE_MISSING: Final = _rule("table-missing", "log", "{logged} lines of totals, {expected} are due")
BOARD_RESULT: Final = _rule(
    "board-result", "log", "seat {logged} is said to win the board, seat {expected} does"
)
BOARD_WINNINGS: Final = _rule(
    "board-winnings", "log", "winnings of {logged}, the pot without the winner's river bets is {expected}"
)
# Koper
UNDEALT: Final = _rule("undealt", "damage", "a player is neither dealt cards nor eliminated", structure=True)
UNDECIDED: Final = _rule("undecided", "damage", "a player's decision is missing", structure=True)
WIN_CAP: Final = _rule("win-cap", "log", "winning cap of {logged}, {expected} by the chips put in")
PAID: Final = _rule("paid", "pay", "{logged} are paid, {expected} are due")
LEFT: Final = _rule("left", "pay", "{logged} are redistributed, {expected} are left in the pot")
SHARE: Final = _rule("share", "pay", "a share of {logged}, {expected} are due")
SHARERS: Final = _rule("sharers", "pay", "{logged} players share, {expected} are due")
WINNER: Final = _rule("winner", "pay", "wins with a hand score of {logged}, the best is {expected}")
WINNERS: Final = _rule("winners", "pay", "{logged} players win, {expected} have the best hand")
HAND_SCORE: Final = _rule("hand-score", "log", "hand score of {logged}, {expected} by the cards")
ENDING: Final = _rule("ending", "order", "the hand cannot end in this way with {logged} players left")
ELIMINATED: Final = _rule("eliminated", "legality", "eliminated with {logged} chips, {expected} are left")
PLAYS_ON: Final = _rule("plays-on", "legality", "plays on with {logged} chips, {expected} are needed")
BET_LOW: Final = _rule("bet-low", "legality", "bet of {logged}, the minimum is {expected}")
BET_HIGH: Final = _rule("bet-high", "legality", "bet of {logged}, the maximum is {expected}")
WIN_PROB: Final = _rule("win-prob", "log", "win probability of {logged}%, which is no multiple of 0.1%")
WINS: Final = _rule("wins", "carry", "{logged} wins, {expected} by the hands")

# MIT's engines
STAKES: Final = _rule(
    "stakes", "legality", "played with blinds and stacks of {logged}, the rules have {expected}"
)

# River of Blood, Swap, Permutation
BARE: Final = _rule("bare-street", "log", "the street's line names neither the board nor the chips")
RUN: Final = _rule("run", "deck", "a card is run after {logged}, which ends a run")
RUN_STOPS: Final = _rule("run-stops", "deck", "no card is run after {logged}, after which a run goes on")
RUN_MISSING: Final = _rule("run-missing", "log", "no line says that a run was reached")
RUN_UNASKED: Final = _rule("run-unasked", "log", "a line speaks of a run, none was reached")
RUN_WON: Final = _rule("run-won", "log", "the log says {logged} won in the run, {expected} by the award")
HOLE_MISSING: Final = _rule(
    "hole-missing", "log", "{logged} players' hole cards printed after the street, {expected} are due"
)
SWAPPED: Final = _rule("swapped", "log", "the award calls the player swapped, its cards stayed as dealt")
UNSWAPPED: Final = _rule(
    "unswapped", "log", "the award does not call the player swapped, one of its cards was"
)
PERMUTED: Final = _rule("permuted", "deck", "card printed as {logged}, the permutation makes it {expected}")
STRAIGHTS: Final = _rule("straights", "log", "{logged} straights printed, {expected} won by the hands")
SPLICED: Final = _rule(
    "spliced",
    "damage",
    "bankroll of {logged} where {expected} is carried, and later bankrolls continue from it",
    structure=True,
)
UNKNOWN_BOARD: Final = _rule(
    "unknown-board", "unverified", "the board is not in the log, the pay cannot be checked"
)

# Auction, Toss
BID: Final = _rule("bid", "legality", "bid of {logged}, the player has {expected}")
CARD_WON: Final = _rule("card-won", "log", "seat {logged} is said to win the auction, seat {expected} does")
CARD_WON_MISSING: Final = _rule("card-won-missing", "log", "no line names the card won in the auction")
BIDS: Final = _rule("bids", "log", "the log says that {logged} was bid, {expected} was")
AUCTION_TOLD: Final = _rule("auction", "log", "the log speaks of {logged} bids, there were {expected}")
BIDS_MISSING: Final = _rule("bids-missing", "log", "no line after the awards speaks of the auction")
EXCEPTION: Final = _rule("exception", "log", "the line below is not the exception that the answer raises")
AGAIN: Final = _rule("again", "order", "seat {logged} acts again, the betting of the street is over")
STREET_EARLY: Final = _rule(
    "street-early", "order", "the street or the showdown comes before the betting is over"
)
OTHER_GAME: Final = _rule(
    "other-game",
    "unverified",
    "another game than railbird's: the rule {expected} is broken in {logged} hands",
)
NO_FLOP_BETTING: Final = _rule(
    "no-flop-betting", "legality", "the turn follows the bids, nobody was asked to bet on the flop"
)
DISCARD: Final = _rule("discard", "deck", "discards {logged}, which the player does not hold")
STREET_NOTE: Final = _rule(
    "street-note", "log", "the engine's number of the street is {expected}, not {logged}"
)
STREET_NOTE_MISSING: Final = _rule(
    "street-note-missing", "log", "no line names the street before the refused answer"
)

# Whole pots
NOT_ASKED: Final = _rule("not-asked", "order", "seat {expected} has not acted and is not asked")
CALL_AMOUNT: Final = _rule("call-amount", "log", "call of {logged} in all on the street, {expected} are due")
UNCALLED: Final = _rule("uncalled", "pay", "{logged} chips returned, {expected} were not matched")
CARD_DUE: Final = _rule(
    "card-due",
    "order",
    "{logged} players threw away, changed or kept a card, {expected} are to",
    structure=True,
)
AWARD_LINES: Final = _rule(
    "award-lines", "log", "the pots are printed as {logged} lines of winners, {expected} are due"
)

CHIPS_AFTER: Final = _rule(
    "chips-after", "carry", "the log prints {logged} chips in all, the hand leaves {expected}"
)
ASKED_FOR_NOTHING: Final = _rule(
    "asked-for-nothing", "legality", "asked although all others are all-in and there is nothing to call"
)
ASKED_ALL_IN: Final = _rule("asked-all-in", "legality", "asked although the player has no chips left")
NOT_REOPENED: Final = _rule(
    "not-reopened", "legality", "raises again, though no full raise came since the player acted"
)

# Tables
BOARD_AFTER_END: Final = _rule("board-after-end", "log", "cards are dealt after a fold has ended the hand")
CHIPS_GONE: Final = _rule("chips-gone", "carry", "a player with {expected} chips does not play the hand")
NOT_CHECKED: Final = _rule("not-checked", "unverified", "the rules of the hand are not railbird's")
HIDDEN_HANDS: Final = _rule("hidden-hands", "unverified", "a player at the showdown does not show")

# Redraws and hidden runouts
REDRAW: Final = _rule(
    "redraw", "legality", "a redraw where the rules allow none, or of a card that is not there"
)
REVEAL: Final = _rule("reveal", "deck", "the replaced card is shown as {logged}, it was {expected}")
REVEAL_SEAT: Final = _rule(
    "reveal-seat", "log", "the replaced card is shown to position {logged}, the opponent has {expected}"
)
REVEAL_PLACE: Final = _rule(
    "reveal-place", "log", "the line above shows another card than the redraw replaces"
)
REVEAL_MISSING: Final = _rule("reveal-missing", "log", "no line shows the card that the redraw replaces")
HIDDEN_RUNOUT: Final = _rule(
    "hidden-runout", "unverified", "the rest of the board is not in the log, the winner cannot be checked"
)
RUNOUT: Final = _rule("runout", "pay", "award {logged}, no board that can come pays it")

# Blinds that rise above the stack
MORE_THAN_STACK: Final = _rule(
    "more-than-stack", "legality", "{logged} chips are put in, the stack is {expected}"
)
CALL_BACK: Final = _rule("call-back", "legality", "a call that takes {logged} chips back from the pot")

# Sneak Peek
LOOK: Final = _rule("look", "deck", "sees {logged}, which the opponent does not hold")
LOOK_MISSING: Final = _rule(
    "look-missing", "log", "no line names the opponent's card that the auction's winner sees"
)
NOT_FOLDED: Final = _rule(
    "not-folded", "legality", "the rules count the player's answer as a fold, the engine does not"
)
FOLD_SHOWN: Final = _rule("fold-shown", "log", "cards shown after a fold at the auction")

# Anaconda
NOT_HELD: Final = _rule("not-held", "deck", "passes {logged}, which the player does not hold")
PASS_ORDER: Final = _rule("pass-order", "log", "{logged} is not printed in the order of the hand")
PASS_COUNT: Final = _rule("pass-count", "legality", "passes {logged} cards, {expected} are due")
PASS_MISSING: Final = _rule("pass-missing", "log", "{logged} players passed cards, {expected} are to")
THIRD_TURN: Final = _rule(
    "third-turn",
    "legality",
    "the dealer is asked again after a limp and a check, by the rules the street is over",
)
UNKNOWN_HANDS: Final = _rule(
    "unknown-hands", "unverified", "cards that were passed are not in the log, the pay cannot be checked"
)

# Showdowns whose lines name the hand
HAND_KIND: Final = _rule("hand-kind", "log", "the log calls the hand {logged}, it is {expected}")

# Steps and lines of users' games
AHEAD: Final = _rule(
    "ahead", "deck", "a player sees {logged} before the street, its first card is {expected}"
)
TOLD_MISSING: Final = _rule("told-missing", "log", "no line has the cards that the player sees or takes")
UNASKED: Final = _rule("unasked", "log", "{logged} players answer before the street, {expected} are asked")
DECLINED: Final = _rule("declined", "legality", "the player declines what nobody may decline")
OWN_LINE: Final = _rule(
    "own-line", "legality", "the function for this line in the game's file says that it may not stand here"
)

# Tables whose rows are actions
BANK_CHANGES: Final = _rule(
    "bank-changes", "carry", "bankroll of {logged} in a hand that began with {expected}"
)
REPEATED: Final = _rule("repeated-end", "log", "the end of the hand is printed again as hand {logged}")
ROW_UNREAD: Final = _rule(
    "row-unread", "damage", "a row of the hand cannot be read: an action is missing", structure=True
)
DOUBLED: Final = _rule(
    "doubled-minimum",
    "legality",
    "a legal raise by {logged} counts as a fold: the engine asks for {expected}",
)
LAST_CHIP: Final = _rule("last-chip", "legality", "a legal bet of the last chip counts as a fold")
STREET_OPEN: Final = _rule(
    "street-open",
    "legality",
    "the big blind is asked again after the small blind's call, which ends the street",
)
NO_OPTION: Final = _rule("no-option", "legality", "the big blind is not asked after a limp")

# A byte of `records.FINDING`.
assert len(RULES) <= 255

_VERDICTS: Final = tuple(
    records.DAMAGED
    if rule.structure
    else records.UNVERIFIED
    if rule.kind == "unverified"
    else records.VIOLATION
    for rule in RULES
)
"""The verdict of unexplained findings, by rule."""

STRUCTURE: Final = tuple(rule.structure for rule in RULES)

BREAKS: Final = tuple(
    (rule.structure and rule.name != "sequence") or rule.name == "permuted" for rule in RULES
)
"""Rules whose findings, where they are damage, leave nothing certain in their hand.

Another log's permutation hides the winner; a hand after a wrong number is intact.
"""


@bundle
class Report(NamedTuple):
    """Where findings about a hand of several lines go: findings and used as for `find`, the hand, its match."""

    findings: NDArray[np.void]
    used: NDArray[np.int64]
    hand: np.void
    match: np.void


@part
def find(
    found: NDArray[np.void],
    used: NDArray[np.int64],
    hand: int,
    line: int,
    seat: int,
    rule: int,
    expected: float,
    logged: float,
) -> int:
    """Append a finding to the rows of `records.FINDING` found; returns its row.

    used: of `records.Sheets`. The finding has the rule's verdict, unexplained, until the match is judged (`verdicts`).
    """
    row = records.next_row(used, records.FINDINGS, len(found))
    finding = found[row]
    finding["hand"], finding["line"], finding["seat"], finding["rule"] = hand, line, seat, rule
    finding["verdict"], finding["deviation"], finding["explained"] = _VERDICTS[rule], 0, NO_EXPLANATION
    finding["expected"], finding["logged"], finding["chips"] = expected, logged, 0
    return row
