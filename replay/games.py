"""The description of a game for replay: data from its rules document, its deviations and engine profiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from numbers import Real
from typing import Any, Final

from ..schema.words import RANKS, STREETS, SUITS
from .cards import CARD_TEXT
from .orders import USUAL, HandOrder

HOLDEM_STREETS: Final = STREETS
HOLDEM_BOARDS: Final = (0, 3, 4, 5)

UNEXPLAINED: Final = 255
"""A byte of `records.FINDING`'s `explained`: the profile does not explain it."""

# Limits of the kernels' arrays.
MOST_PROFILES: Final = 8
"""A finding's `explained` has one byte per profile."""
MOST_DEVIATIONS: Final = 7
"""Bits of such a byte for deviations; UNEXPLAINED has one more."""
MOST_STREETS: Final = 8
"""Streets of the deal."""
MOST_BOARDS: Final = 3
"""Played at once."""
MOST_HOLE_CARDS: Final = 7
"""With one that is won in an auction."""
MOST_PASSED: Final = 4
"""Cards at once."""
MOST_STEPS: Final = 4
"""Steps of a hand."""

BY_FUNCTION: Final = 99
"""The payout is computed by a function of the game (`hooks`)."""
POT, POT_BY_LIBRARY, BOUNTIES, UNEVEN, POT_TIES_TO_DEALER, ALL_INS_BY_EQUITY, POT_BY_ORDER = range(7)
"""Payouts (`payouts`): the pot; the pot, by an engine whose library may find another winner; more for a winner whose
secret rank is in play; a pot with unequal contributions; the pot, by an engine that may pay a split pot to the dealer;
the pot, but after an all-in before the last street each player's expectation; the pot, by an engine that may have
another order of hands."""
PAY_DEVIATIONS: Final = {
    POT_BY_LIBRARY: ("eval7-flush",),
    BOUNTIES: ("rounding-by-turn", "split-paid-to-dealer"),
    POT_TIES_TO_DEALER: ("tie-paid-to-dealer",),
    ALL_INS_BY_EQUITY: ("hand-order",),
    POT_BY_ORDER: ("hand-order",),
}
"""The names, without the game's, of the deviations of such a payout: a game lists them first, in this order."""

ROUNDS_PER_BOUNTY: Final = 25
"""Bounty ranks are drawn again after so many rounds."""

STAKES: Final = ".stakes"
"""Suffix of the deviation for stakes that differ from the rules."""


def are_antes(posted: Sequence[float]) -> bool:
    """True if all players post the same: antes, not blinds."""
    return len(set(posted)) == 1


@dataclass(frozen=True)
class Deviation:
    """A behaviour of an engine that differs from the written rules.

    name     `game.what`
    kind     pay, legality or log
    since    date of the first engine with it, "" for any engine
    until    date of the first engine without it, "" if all later engines have it
    effect   one sentence
    """

    name: str
    kind: str
    since: str
    until: str
    effect: str


@dataclass(frozen=True)
class FaultPolicy:
    """Bad answers that are a fold by the rules, although the engine checks, bids nothing or passes for the player.

    Each field names the game's deviation for such an answer, "" if the rules agree with the engine:

    bid      any bad answer to the question for a bid
    amount   a bet or raise of a wrong size, or when none is possible
    passing  any bad answer to the question which cards to pass
    fold     a fold where a check is free, which the engine refuses though the rules allow it
    other    any other bad answer: of another kind, or illegible
    silence  a late or missing answer, and all later ones
    """

    bid: str = ""
    amount: str = ""
    passing: str = ""
    fold: str = ""
    other: str = ""
    silence: str = ""


@dataclass(frozen=True)
class Profile:
    """An engine revision: its date, its deviations, and the optional lines of its logs.

    stack: 0 for the game's stack.
    """

    name: str
    deviations: tuple[str, ...] = ()
    prints: frozenset[str] = frozenset()
    stack: float = 0


@dataclass(frozen=True)
class Step:
    """A decision other than betting, after the betting of one street and before the next street.

    before    the street
    does      the event of the line of a player who accepts: `{p}`, then the cards given up, then the cards seen or
              taken, unless another line has them
    declines  the event of the line of a player who declines; "" if the log has no such line
    asked     the players to ask, in this order: the dealer, the other player
    must      declining is not allowed
    price     chips; a player who has fewer is not asked
    to        the receiver of the price: pot, or other: the other player
    sees      board: the player alone sees the board's next card; other: a hole card of the other player; "" nothing
    gives     hole cards that the player gives up
    goes_to   their destination: out of play, or board
    takes     cards that the player is dealt
    told      the event of the next line, with the cards seen or taken; "" if the line itself has them
    """

    before: str
    does: str
    declines: str = ""
    asked: tuple[str, ...] = ("other", "dealer")
    must: bool = False
    price: float = 0
    to: str = "pot"
    sees: str = ""
    gives: int = 0
    goes_to: str = "out"
    takes: int = 0
    told: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError for a word that is none of the above."""
        for name, known in (
            ("to", ("pot", "other")),
            ("sees", ("", "board", "other")),
            ("goes_to", ("out", "board")),
        ):
            if getattr(self, name) not in known:
                raise ValueError(f"the step {self.does!r}: {name} is one of {', '.join(filter(None, known))}")
        if not self.asked or set(self.asked) - {"dealer", "other"}:
            raise ValueError(f"the step {self.does!r}: asked names the dealer, the other player, or both")
        if self.sees and self.takes:
            raise ValueError(f"the step {self.does!r} shows cards or deals them, not both")

    @property
    def events(self) -> tuple[str, ...]:
        """The events of its lines."""
        return tuple(filter(None, (self.does, self.declines, self.told)))


@dataclass(frozen=True)
class Definitions:
    """A family of games from definitions: a game's name is the family's, a slash, and the definition's.

    names  of those that come with railbird
    named  the game of such a name; for an unknown definition only the name is set
    """

    names: Callable[[], tuple[str, ...]]
    named: Callable[[str], Game]


@dataclass(frozen=True)
class Game:
    """A set of rules.

    name               as in the store
    stack, blinds      chips
    streets            names by street number
    players            the fewest and the most that play
    source             the rules document, or the source of its behaviour
    family             the function that replays its matches (`replaying.Family`)
    deviations         at most MOST_DEVIATIONS; a deviation's bit is its place
    profiles           oldest first, at most MOST_PROFILES
    forward            the function that simulates a match (`simulate.Forward`), None if there is none
    partners           bots of it may have partners
    definitions        for games made from definitions

    Of the heads-up family:

    payout             what a hand pays: POT or another of its kind; or a function of a hand (`hooks`) that returns what
                       the dealer gains; players may have put in different amounts. POT is paid as UNEVEN if a
                       player may pay a price
    steps              decisions other than betting, in this order
    lines              functions of a hand (`hooks`) by the events of the game's own lines; a function returns whether
                       the line is legal there
    bets               the size of every bet and raise by street; () for no limit
    most_bets          bets and raises of a street, the blinds count as one; 0 for any number. It needs `bets`
    boards             cards on the board by street
    runs               further streets of one card follow the last one while the last card is one of `run_after`
    run_after          the suits or the ranks of these cards
    hole_cards         dealt to each player
    free_chips         by board, each with its own pot, the big blinds in it that no player put in
    permutes           cards are printed twice, as dealt and as they count
    changes            the hole cards may change after flop and turn, and are printed again there
    auctions           both players bid when the flop is dealt, for one more card
    looks              the auction's winner sees one of the opponent's hole cards instead of being dealt a card
    bids_told          a line after the awards has both bids, or reports that there was no auction
    discards           on the flop, first the dealer's opponent, then the dealer discards a hole card to the board
    passes             cards that each player passes to the other before the betting of a street, by street
    free_folds         a fold is legal even if a check is free
    antes              posts are not bets: no player faces a bet when the first round begins
    dead_antes         posts also do not count towards the raise-to of the first round
    seats_may_stay     an engine may let one player deal every hand; nearly all hands of the match decide
    blind_levels       hands, small and big blind: after every so many hands the blinds rise, to as many times these as
                       there were such steps; the engine does not stop where they are above the stack
    redraws            streets, from the first, on which an action may come with a redraw: once in a hand a player
                       replaces a card of its own or of the board by the deck's next, which no player sees at once
    hides_runouts      after an all-in ends the betting, the rest of the board is dealt without a line
    order              the order of hands; the usual one if it has no classes
    engine_order       an engine's order of hands, under the deviation hand-order of ALL_INS_BY_EQUITY
                       and POT_BY_ORDER
    deck               the ranks and the suits of the cards
    bare_rounds        round lines have no bankrolls: they are carried over from the previous hand
    calls_raises       a refused raise is a call if its amount is at least the chips to call
    faults             bad answers that are a fold by the rules, but not by the engine
    rows               logs are tables whose rows are actions: an illegal answer is a hand's last row and a fold; only
                       bankrolls show results
    dealer_leads       the dealer acts first on every street, unless most streets of a log say otherwise
    keeps              hole cards that each player keeps as the flop is dealt, before the betting; 0 for all
    until_red          a game whose logs are identical until a river card is red, "" for none
    bets_ev            how the engine computes the printed sums "bets EV" (`heads_up.bets_ev`), "" for none

    Of the family whose logs print whole pots: boards and hole_cards as above, and:

    holes_used         hole cards that a hand at the showdown has; 0 for as many as make it best
    pot_limit          a bet or raise is at most the pot
    drops_after        the street after whose betting each player throws away a hole card, 0 for none
    replaces           streets; before the betting of each, a player may replace a hole card
    returns            when a line returns the unmatched part of a bet: always, only if the hand continues (going on),
                       or never: it stays in the pot that the player wins
    carries            stacks carry over from hand to hand; a player without chips is eliminated
    deals_from         the first player to be dealt cards: 0 the dealer, 1 the next player
    reserves           players have chips in reserve, of which they buy some before a hand if they have less than a big
                       blind: as many as a player has at the table at most. Who then has less leaves. Each hand names
                       who plays it
    blinds_of_two      blinds that are posted when two are left: 2, or only the one that the dealer does not post
    all_may_fold       a last player that has not acted on the street is asked even if all others have folded; if it
                       folds, no player wins the pot
    fault_folds        a bad or late answer counts as a fold, even if a check is free
    full_raises_reopen players who have acted on a street may raise again only if they face a full raise
    most_raises        fixed bets and raises of a street, not counting blinds; 0 for any number
    straddles_raise    the first raise is by as much as the largest straddle at least
    covers             the family's names of deviations, each with the game's deviation that includes it (without the
                       game's name); other names are deviations by themselves
    raked              the house may take up to a tenth of the pots without a line in the file
    low_half           half of each pot goes to the lowest hand of five different ranks up to eight, if there is one
    short_deck         a flush beats a full house, and an ace also counts below a six

    Raises ValueError if it exceeds a limit of the kernels, if a profile has a deviation that the game lacks, or if the
    deviations of its payout are not its first.
    """

    name: str
    stack: float
    blinds: tuple[float, ...]
    streets: tuple[str, ...]
    source: str
    family: Callable[..., Any] | None = None
    deviations: tuple[Deviation, ...] = ()
    profiles: tuple[Profile, ...] = field(default=(Profile("written"),))
    players: tuple[int, int] = (2, 2)
    forward: Callable[..., Any] | None = None
    partners: bool = False
    definitions: Definitions | None = None
    payout: int | Callable[[Any], float] = POT
    boards: tuple[int, ...] = HOLDEM_BOARDS
    runs: bool = False
    run_after: str = "dh"
    hole_cards: int = 2
    free_chips: tuple[float, ...] = (0.0,)
    permutes: bool = False
    changes: bool = False
    bets_ev: str = ""
    auctions: bool = False
    looks: bool = False
    bids_told: bool = False
    discards: bool = False
    passes: tuple[int, ...] = ()
    free_folds: bool = False
    antes: bool = False
    dead_antes: bool = False
    steps: tuple[Step, ...] = ()
    lines: Mapping[str, Callable[[Any], float]] = field(default_factory=dict, hash=False)
    bets: tuple[float, ...] = ()
    most_bets: int = 0
    seats_may_stay: bool = False
    blind_levels: tuple[int, float, float] | None = None
    redraws: int = 0
    hides_runouts: bool = False
    order: HandOrder = USUAL
    engine_order: HandOrder = USUAL
    deck: tuple[str, str] = (RANKS, SUITS)
    bare_rounds: bool = False
    calls_raises: bool = False
    faults: FaultPolicy = FaultPolicy()
    rows: bool = False
    dealer_leads: bool = False
    keeps: int = 0
    until_red: str = ""
    holes_used: int = 0
    pot_limit: bool = False
    drops_after: int = 0
    replaces: tuple[int, ...] = ()
    returns: str = "always"
    carries: bool = False
    deals_from: int = 0
    reserves: bool = False
    blinds_of_two: int = 2
    all_may_fold: bool = False
    fault_folds: bool = False
    full_raises_reopen: bool = False
    most_raises: int = 0
    straddles_raise: bool = False
    covers: Mapping[str, str] = field(default_factory=dict, hash=False)
    raked: bool = False
    low_half: bool = False
    short_deck: bool = False

    def __post_init__(self) -> None:
        for count, most, what in (
            (len(self.profiles), MOST_PROFILES, "engine profiles"),
            (len(self.deviations), MOST_DEVIATIONS, "deviations"),
            (len(self.boards), MOST_STREETS, "streets"),
            (self.pots, MOST_BOARDS, "boards"),
            (max(self.passes, default=0), MOST_PASSED, "cards passed at once"),
            (len(self.steps), MOST_STEPS, "steps"),
            (self._most_held, MOST_HOLE_CARDS, "hole cards"),
        ):
            if count > most:
                raise ValueError(f"{self.name} has {count} {what}, there is room for {most}")
        for amount, what in ((self.stack, "stack"), *((blind, "blind") for blind in self.blinds)):
            if not isinstance(amount, Real) or not 0 <= amount < inf:
                raise ValueError(f"{self.name} has a {what} of {amount!r}; it is a number of chips")
        if any(later < sooner for sooner, later in pairwise((0, *self.boards))):
            raise ValueError(f"{self.name} has boards of {self.boards}; no street takes cards away")
        if max(self.boards, default=0) > len(RANKS) * len(SUITS):
            raise ValueError(f"{self.name} has {max(self.boards)} cards on the board, more than a deck")
        for step in self.steps:
            if step.before not in self.streets[1:]:
                raise ValueError(
                    f"the step {step.does!r} comes before a street after the first, not {step.before!r}"
                )
        if self.most_bets and not self.bets:
            raise ValueError(f"{self.name} has most_bets, but no bets: give the size of a bet by street")
        if self.bets and len(self.bets) != len(self.boards):
            raise ValueError(f"{self.name} has bets for {len(self.bets)} streets of {len(self.boards)}")
        if self.passes and len(self.passes) != len(self.boards):
            raise ValueError(f"{self.name} passes cards on {len(self.passes)} streets of {len(self.boards)}")
        names = {deviation.name for deviation in self.deviations}
        if unknown := sorted({name for name in vars(self.faults).values() if name} - names):
            raise ValueError(
                f"the fault policy of {self.name} names deviations that are not its own: {unknown}"
            )
        if unknown := sorted({f"{self.name}.{name}" for name in self.covers.values()} - names):
            raise ValueError(f"{self.name} covers by deviations that are not its own: {unknown}")
        if unknown := sorted({name for profile in self.profiles for name in profile.deviations} - names):
            raise ValueError(f"a profile of {self.name} has deviations that are not among its own: {unknown}")
        due = tuple(f"{self.name}.{name}" for name in PAY_DEVIATIONS.get(self.payout_kind, ()))
        if tuple(d.name for d in self.deviations[: len(due)]) != due:
            raise ValueError(
                f"the first deviations of {self.name} must be those of its payout: {', '.join(due)}"
            )

    def renamed(self, name: str) -> Game:
        """The same rules under another name, also in the names of its deviations."""

        def new(of: str) -> str:
            return f"{name}.{of.split('.', 1)[1]}" if of.startswith(f"{self.name}.") else of

        return replace(
            self,
            name=name,
            deviations=tuple(replace(one, name=new(one.name)) for one in self.deviations),
            profiles=tuple(replace(p, deviations=tuple(map(new, p.deviations))) for p in self.profiles),
            faults=FaultPolicy(**{kind: new(of) for kind, of in vars(self.faults).items()}),
        )

    @property
    def payout_kind(self) -> int:
        """The payout: POT or another constant, BY_FUNCTION if a function computes it.

        UNEVEN for a pot into which one player may have paid a price: for a step, or a card won in an auction.
        """
        if callable(self.payout):
            return BY_FUNCTION
        pays_prices = self.auctions or any(step.price for step in self.steps)
        return UNEVEN if self.payout == POT and pays_prices else self.payout

    @property
    def _most_held(self) -> int:
        """The most hole cards that a player may hold."""
        won = self.auctions and not self.looks
        return self.hole_cards + won + sum(max(step.takes - step.gives, 0) for step in self.steps)

    @property
    def own_events(self) -> tuple[str, ...]:
        """The events of the lines that only this game has."""
        return tuple(dict.fromkeys((*(name for step in self.steps for name in step.events), *self.lines)))

    @property
    def pots(self) -> int:
        """Boards that are played at once."""
        return len(self.free_chips)

    @property
    def run_mask(self) -> int:
        """The cards after which a run continues, a bit each by code; 0 for games without runs."""
        wanted = set(self.run_after) if self.runs else set()
        return sum(1 << code for code, text in enumerate(CARD_TEXT) if wanted & set(text))

    @property
    def may_have_own_stakes(self) -> bool:
        """True for a game whose matches may have other stakes than its rules."""
        return any(deviation.name == self.name + STAKES for deviation in self.deviations)

    def stack_of(self, profile: Profile) -> float:
        """Chips in front of each player as a hand begins, under an engine profile."""
        return profile.stack or self.stack

    def covering(self, known: str) -> str:
        """The game's deviation, with the game's name, that includes a deviation of the family."""
        return f"{self.name}.{self.covers.get(known, known)}"

    def place(self, deviation: str) -> int:
        """The index of a deviation in the list."""
        return [d.name for d in self.deviations].index(deviation)

    def mask(self, names: tuple[str, ...]) -> int:
        """The bit mask of some of the game's deviations."""
        return sum(1 << self.place(name) for name in names)

    @property
    def has_antes(self) -> bool:
        """True if what players post is antes, not blinds."""
        return are_antes(self.blinds)

    def explained_by(self, deviation: str) -> int:
        """The `explained` of `records.FINDING` for one deviation: one byte per profile."""
        masks = (self.mask((deviation,)) if deviation in p.deviations else UNEXPLAINED for p in self.profiles)
        return int.from_bytes(bytes(masks), "little", signed=True)
