"""The games of MIT's engines of 2012 to 2019, Java archives whose logs print whole pots.

Neither the engines nor their rules are published: the rules here are those that hold in the logs.
"""

import re
from collections.abc import Callable
from typing import Final

from ..parsers.dialect import Dialect
from ..replay.games import HOLDEM_STREETS, Deviation, Game, Profile
from ..replay.replaying import whole_pots
from .jar_engine import FINAL, play
from .properties import DECISIONS, Properties, Variant

_SOURCE: Final = "logs of MIT's engine of {}"
_DEALT: Final = rb"Dealt to (.+) \[..(?: ..){%d}\].*\s*"
_ACTS: Final = rb"(?:checks|folds|calls|bets \d+|raises to \d+)"

_NOTES: Final = """
    dealt  Dealt to {p} [{c}]
    fold   {p} folds
    call   {p} calls
    check  {p} checks
    bet    {p} bets {n}
    raise  {p} raises to {n}
    dealt  Dealt to {p} [{c}] (hEq: {*}
    fold   {p} folds (bEq: {*}
    call   {p} calls (bEq: {*}
    check  {p} checks (bEq: {*}
    bet    {p} bets {n} (bEq: {*}
    raise  {p} raises to {n} (bEq: {*}
    note   tEq: {*}
    note   True equities: {*}
"""
"""Lines with notes that one team added to copies of its logs; the plain lines come first, `write` takes those."""

_KINDS: Final = {
    "show_high_card": "High Card",
    "show_pair": "Pair",
    "show_two_pair": "Two Pair",
    "show_trips": "Three of a Kind",
    "show_straight": "Straight",
    "show_flush": "Flush",
    "show_full_house": "Full House",
    "show_quads": "Four of a Kind",
}
"""By event: what the engine of 2012 calls a hand that is shown. No known log shows a straight flush."""

Signs = tuple[tuple[bytes, re.Pattern[bytes]], ...]


def _dialect(
    name: str, game: str, table: str = "", signs: Signs = (), base: str = "TWO"
) -> Callable[[], tuple[Dialect, ...]]:
    """A function that makes a dialect: its grammar is compiled only if a log of no base engine is read."""

    def load() -> tuple[Dialect, ...]:
        from ..parsers import mit_jar as jar
        from ..parsers.grammar import Grammar

        grammar = Grammar(table, base=getattr(jar, base))
        return (Dialect(name, game, grammar, jar.cut, opens=jar.HAND_LINE, closes=jar.CLOSES, signs=signs),)

    return load


HOLDEM: Final = Game(
    name="holdem-2017",
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source=_SOURCE.format("2017-01-16"),
    profiles=(Profile("2017-01-16", prints=frozenset({FINAL})),),
    family=whole_pots,
    forward=play,
)

REDRAW: Final = Game(
    name="redraw-2017",
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source=_SOURCE.format("2017-01-18"),
    profiles=(Profile("2017-01-18", prints=frozenset({FINAL})),),
    replaces=(1, 2),
    family=whole_pots,
    forward=play,
)

PINEAPPLE: Final = Game(
    name="pineapple-2013",
    stack=400,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source=_SOURCE.format("2013"),
    profiles=(Profile("2013-01"),),
    hole_cards=3,
    drops_after=1,
    family=whole_pots,
    forward=play,
)

OMAHA: Final = Game(
    name="omaha-2016",
    stack=400,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source=_SOURCE.format("2016"),
    profiles=(Profile("2016-01"),),
    hole_cards=4,
    holes_used=2,
    pot_limit=True,
    family=whole_pots,
    forward=play,
)

SEATS: Final = Game(
    name="seats-2012",
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source=_SOURCE.format("2012"),
    players=(3, 3),
    deviations=(
        Deviation(
            "seats-2012.turn-order",
            "legality",
            "after",
            "",
            "after some bets and raises the next two players answer in the wrong order",
        ),
    ),
    profiles=(
        Profile("before", prints=frozenset({"seats"})),
        Profile("after", ("seats-2012.turn-order",), frozenset({"seats", "after"})),
    ),
    deals_from=1,
    family=whole_pots,
)

_OF_SIDE_POTS: Final = tuple(
    Deviation(f"sidepots-2015.{name}", kind, "2015-01", "", effect)
    for name, kind, effect in (
        (
            "option-not-asked",
            "legality",
            "after an all-in call the only player with chips left, whose bet is matched, is not asked any more",
        ),
        (
            "betting-stops",
            "legality",
            "a player with chips in the pot folds to a bet of all that it has: nobody is asked on later streets",
        ),
        (
            "low-raise",
            "legality",
            "a bet or raise is accepted that is below the minimum, or not above the bet",
        ),
        ("free-fold", "legality", "a fold, or a call of nothing, is accepted although a check is free"),
        (
            "returned-too-much",
            "pay",
            "a bet is returned down to what an all-in player put in, although a player who folded put in more, or to "
            "that player",
        ),
        (
            "side-pot-missing",
            "pay",
            "several are all-in with different amounts, and pots are paid as one, or a side pot only to those with "
            "chips left",
        ),
        (
            "pots-printed",
            "log",
            "the printed pots differ from those that follow from the players' contributions",
        ),
    )
)
SIDE_POTS: Final = Game(
    name="sidepots-2015",
    stack=200,
    blinds=(1, 2),
    streets=HOLDEM_STREETS,
    source=_SOURCE.format("2015"),
    players=(3, 3),
    deviations=_OF_SIDE_POTS,
    profiles=(Profile("2015-01", tuple(d.name for d in _OF_SIDE_POTS)),),
    pot_limit=True,
    returns="going on",
    carries=True,
    family=whole_pots,
)

VARIANTS: Final = (
    Variant(
        HOLDEM,
        Properties(game=HOLDEM.name, title="Hold'em (2017)"),
        # `mit_jar.NAME`: the dialect without signs.
        _dialect("mit-jar", HOLDEM.name),
    ),
    Variant(
        REDRAW,
        Properties(game=REDRAW.name, title="Redraw (2017)", decisions=(*DECISIONS, "discard"), swaps=True),
        _dialect(
            "mit-2017",
            REDRAW.name,
            "exchange {p} discards {c} for {c}",
            (
                (b" discards ", re.compile(rb"(.+) discards .. for ..\s*")),
                # Two players keep their cards, then one acts.
                *(
                    (
                        b"\n*** %s ***" % street,
                        re.compile(
                            rb"\*\*\* %s \*\*\* .+\n(.+) checks\s*\n.+ checks\s*\n.+ %s\s*" % (street, _ACTS)
                        ),
                    )
                    for street in (b"FLOP", b"TURN")
                ),
            ),
        ),
    ),
    Variant(
        PINEAPPLE,
        Properties(
            game=PINEAPPLE.name,
            title="Pineapple (2013)",
            hole_cards=3,
            decisions=(*DECISIONS, "discard"),
            throws=True,
        ),
        _dialect(
            "mit-2013",
            PINEAPPLE.name,
            "discard {p} discards [{c}]" + _NOTES,
            ((b"Dealt to ", re.compile(_DEALT % 2)),),
        ),
    ),
    Variant(
        OMAHA,
        Properties(game=OMAHA.name, title="Omaha (2016)", hole_cards=4, holes_used=2),
        _dialect("mit-2016", OMAHA.name, "", ((b"Dealt to ", re.compile(_DEALT % 3)),)),
    ),
    Variant(
        SEATS,
        Properties(game=SEATS.name, title="Three players (2012)", players=3),
        _dialect(
            "mit-2012",
            SEATS.name,
            """
            header      {*} Pokerbots - {*} vs. {*}
            round       Hand #{n}
            seat_1      Seat 1 (Button): {p} {n}
            seat_2      Seat 2 (SB): {p} {n}
            seat_3      Seat 3 (BB): {p} {n}
            call        {p} calls
            flop        *** FLOP *** [{c}]
            turn        *** TURN *** [{c}] [{c}]
            river       *** RIVER *** [{c}] [{c}]
            show        {p} shows {c} ({*}
            """
            + "".join(f"\n{event}  {{p}} shows {{c}} ({kind})" for event, kind in _KINDS.items()),
            ((b"Seat 1 (Button): ", re.compile(rb"Seat 1 \(Button\): (\S+) -?\d+\s*")),),
            "SHARED",
        ),
    ),
    Variant(
        SIDE_POTS,
        Properties(
            game=SIDE_POTS.name,
            title="Side pots (2015)",
            players=3,
            most_chips_win=False,
            final_is_delta=False,
            bankrolls=False,
        ),
        _dialect(
            "mit-2015",
            SIDE_POTS.name,
            """
            round    Hand #{n}, {p} ({n}), {p} ({n}), {p} ({n})
            call_to  {p} calls {n}
            """,
            ((b"Hand #", re.compile(rb"Hand #\d+, (\S+) \(\d+\), \S+ \(\d+\), \S+ \(\d+\)\s*")),),
            "CHIPS",
        ),
    ),
)
