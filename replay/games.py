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
"""Bits of such a byte; all of them set is not UNEXPLAINED."""
MOST_STREETS: Final = 8
"""Of the deal."""
MOST_BOARDS: Final = 3
"""Played at once."""
MOST_HOLE_CARDS: Final = 7
"""With one that is won in an auction."""
MOST_PASSED: Final = 4
"""Cards at once."""
MOST_STEPS: Final = 4
"""Of a hand."""

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
    since    date of the first engine that does it, "" if any may
    until    date of the first that no longer does, "" if all do
    effect   one sentence
    """

    name: str
    kind: str
    since: str
    until: str
    effect: str


@dataclass(frozen=True)
class FaultPolicy:
    """Which bad answers the rules count as a fold, where the engine checks, bids nothing or passes for the player.

    Each names the game's deviation that such an answer is, "" if the rules say the same as the engine:

    bid      any bad answer to the question for a bid
    amount   a bet or raise of a wrong size, or where none is possible
    passing  any bad answer to the question which cards to pass
    fold     a fold where a check is free, which the engine refuses though the rules allow it
    other    any other answer that is bad: of another kind, or illegible
    silence  an answer that comes too late, or none, and all after it
    """

    bid: str = ""
    amount: str = ""
    passing: str = ""
    fold: str = ""
    other: str = ""
    silence: str = ""


@dataclass(frozen=True)
class Profile:
    """An engine revision: its date, the deviations in force, which optional lines its logs have.

    stack is that of the game where it is 0.
    """

    name: str
    deviations: tuple[str, ...] = ()
    prints: frozenset[str] = frozenset()
    stack: float = 0


@dataclass(frozen=True)
class Step:
    """What players are asked besides betting, when the betting before a street is over and the street is to come.

    before    the street
    does      the event of the line of a player who does it: `{p}`, then the cards that it gives up, then those that it
              sees or takes, as far as no other line has them
    declines  the event of the line of a player who does not; "" if the log has no such line
    asked     who is asked, in this order: the dealer, the other player
    must      nobody may decline
    price     chips; a player who has fewer is not asked
    to        who is paid: pot, or other: the other player
    sees      board: the player alone sees the board's next card; other: a hole card of the other player; "" nothing
    gives     hole cards that the player gives up
    goes_to   where these go: out of play, or board
    takes     cards that the player is dealt
    told      the event of the line directly below that has the cards seen or taken, "" if the line itself has them
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
    """What makes several games of one: each is named by it, a slash, and a definition.

    names  of those that come with railbird
    named  the game of such a name; of a definition that is not known nothing but the name is
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
    source             the rules document, or where the behaviour is taken from
    family             replays matches of it (`replaying.Family`)
    deviations         at most MOST_DEVIATIONS; a deviation's bit is its place
    profiles           oldest first, at most MOST_PROFILES
    forward            plays a match of it (`simulate.Forward`), None if none can be simulated
    partners           bots of it may have partners
    definitions        of games that definitions make

    Of the heads-up family:

    payout             what a hand pays: POT or another of its kind; or a function of a hand (`hooks`) that returns what
                       the dealer gains; players may have put in different amounts. POT is paid as UNEVEN if a
                       player may pay a price
    steps              what players are asked besides betting, in this order
    lines              functions of a hand (`hooks`) by the events of the game's own lines; a function returns whether
                       the line may stand there
    bets               the size of every bet and raise by street; () for no limit
    most_bets          bets and raises of a street, the blinds are one; 0 for any number. It needs `bets`
    boards             cards on the board by street
    runs               after the last street go on, a card a street, as long as the last card is one of `run_after`
    run_after          the suits or the ranks of these cards
    hole_cards         dealt to each player
    free_chips         by board, each a pot of its own, the big blinds in it that nobody puts in
    permutes           cards are printed twice, as dealt and as they count
    changes            the hole cards may change after flop and turn, where they are printed again
    auctions           both players bid when the flop is dealt, for one more card
    looks              the auction's winner is dealt no card but sees one of the opponent's hole cards
    bids_told          a line after the awards names both bids, or says that there was no auction
    discards           when the flop is dealt first the dealer's opponent, then the dealer discards a hole card to it
    passes             cards that each player passes to the other before the betting of a street, by street
    free_folds         a fold is legal where a check is free
    antes              what is posted is no bet: nobody faces one as the first round begins
    dead_antes         nor does it count towards what a bet or raise of the first round is to
    seats_may_stay     an engine may have one player deal every hand: as nearly all hands of a match say
    blind_levels       hands, small and big blind: after every so many hands the blinds rise, to as many times these as
                       there were such steps; the engine does not stop where they are above the stack
    redraws            streets, from the first, on which an action may come with a redraw: once in a hand a player
                       replaces a card of its own or of the board by the deck's next, which is shown to nobody at once
    hides_runouts      when the betting is over and somebody is all-in, the rest of the board is dealt without a line
    order              the order of hands; the usual one if it has no classes
    engine_order       by which an engine compares hands, under the deviation hand-order of ALL_INS_BY_EQUITY
                       and POT_BY_ORDER
    deck               the ranks and the suits of the cards
    bare_rounds        the line of a round has no bankrolls: they are carried on from the hand before
    calls_raises       a raise that is refused is a call if it names at least the chips to call
    faults             which bad answers are a fold by the rules, and not by the engine
    rows               logs are tables whose rows are actions: an illegal answer is a hand's last row and a fold; only
                       bankrolls tell results
    dealer_leads       the dealer acts first on every street, unless most streets of a log say otherwise
    keeps              hole cards that each player keeps as the flop is dealt, before the betting; 0 for all
    until_red          a game whose logs are the same until a river card is red, "" for none
    bets_ev            how the engine gets the sums that it prints as bets EV (`heads_up.bets_ev`), "" for none

    Of the family whose logs print whole pots, boards and hole cards as above, and:

    holes_used         hole cards that a hand at the showdown has; 0 for as many as make it best
    pot_limit          a bet or raise is at most the pot
    drops_after        the street after whose betting each player throws away a hole card, 0 for none
    replaces           streets before whose betting each player may replace a hole card
    returns            when a bet that nobody matched is returned by a line: always, or only where the hand goes on
                       (going on); never where it stays in the pot that the player wins
    carries            stacks are carried from hand to hand; a player without chips is out
    deals_from         who is dealt cards first: 0 the dealer, 1 the next player
    reserves           players have chips in reserve, of which they buy some before a hand if they have less than a big
                       blind: as many as a player has at the table at most. Who then has less leaves. Each hand names
                       who plays it
    blinds_of_two      blinds that are posted when two are left: 2, or only the one that the dealer does not post
    all_may_fold       the last player is asked, too, if it has not acted on the street when all others have folded; if
                       it folds, nobody wins the pot
    fault_folds        a bad or late answer counts as a fold, also where a check is free
    full_raises_reopen players who have acted on a street may raise again only if they face a full raise
    most_raises        fixed bets and raises of a street, the blinds are none; 0 for any number
    straddles_raise    the first raise is by as much as the largest straddle at least
    covers             names that the family has for deviations, each with the one of the game's own, without its name,
                       that it is a part of; others are deviations by themselves
    raked              the house may take up to a tenth of the pots, of which the file says nothing
    low_half           half of each pot goes to the lowest hand of five different ranks up to eight, if there is one
    short_deck         a flush beats a full house, and an ace is also below a six

    Raises ValueError if it has more of something than kernels have room for, a profile a deviation that the game
    has not, or the deviations of its payout are not its first.
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
        """The same rules under another name, which is in the names of its deviations, too."""

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
        """What a hand pays: POT or another of its kind, BY_FUNCTION if a function says it.

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
        """The cards after which a run goes on, a bit each by code; 0 if none is dealt."""
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
        """The deviation, with the game's name, that a name of the family's deviations is a part of."""
        return f"{self.name}.{self.covers.get(known, known)}"

    def place(self, deviation: str) -> int:
        """Where a deviation stands in the list."""
        return [d.name for d in self.deviations].index(deviation)

    def mask(self, names: tuple[str, ...]) -> int:
        """The bit mask of some of the game's deviations."""
        return sum(1 << self.place(name) for name in names)

    @property
    def has_antes(self) -> bool:
        """True if what players post is antes, not blinds."""
        return are_antes(self.blinds)

    def explained_by(self, deviation: str) -> int:
        """What `records.FINDING` holds for a finding that one deviation explains: a byte a profile."""
        masks = (self.mask((deviation,)) if deviation in p.deviations else UNEXPLAINED for p in self.profiles)
        return int.from_bytes(bytes(masks), "little", signed=True)
