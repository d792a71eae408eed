"""What stands before a table of `railbird stats`: the sentences that its rows carry, made from its rows alone.

Each takes the rows by the table's headings. A sentence has its n and its 95% interval, and says so where
the interval does not carry it. Where it is about the most telling of several rows, its interval is wider than the
table's, so that all rows looked at hold together with 95% (Bonferroni).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Any, Final

from ..analytics.intervals import wilson
from ..analytics.settings import FEW
from . import Show
from .terminal import chance, chips, counted, interval, percent, rate, signed, won_chips

Record = Mapping[str, Any]
Span = tuple[float, float]

_TOLD: Final = 6
"""The most players of whom a table has sentences."""
_WHO: Final = ("event", "game", "player", "opponent")


def _by_player(rows: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """For each player, in each event and game, what to call it, and its rows."""
    places = {(row["event"], row.get("game")) for row in rows}
    owned: dict[tuple[Any, ...], list[Record]] = {}
    for row in rows:
        owned.setdefault(tuple(map(row.get, _WHO)), []).append(row)
    for (event, game, player, opponent), own in owned.items():
        against = f" against {opponent}" if opponent is not None else ""
        of = f"event {event}" if game is None else f"{game}, event {event}"
        yield f"{player}{against}{f' ({of})' if len(places) > 1 else ''}", own


def _first(said: Sequence[str], what: str, nothing: Sequence[str] = (), not_so: str = "") -> Iterator[str]:
    """Sentences of so many players as can be read at once, and how many more there are; then those without one."""
    yield from said[:_TOLD]
    if len(said) > _TOLD:
        yield f"{counted(len(said) - _TOLD, 'more player')}: {what}."
    if nothing:
        who = nothing[0] if len(nothing) == 1 else counted(len(nothing), "player")
        yield f"{who}: {not_so}."


def _wider(middle: float, ends: Sequence[float], rows: int) -> Span:
    """The ends of a 95% interval if so many are to hold together."""
    times = NormalDist().inv_cdf(1 - 0.025 / rows) / NormalDist().inv_cdf(0.975)
    return middle + times * (ends[0] - middle), middle + times * (ends[1] - middle)


def _shares(span: Span) -> str:
    return interval(max(span[0], 0.0), min(span[1], 1.0))


def _shifts(span: Span) -> str:
    return interval(max(span[0], -1.0), min(span[1], 1.0))


def _rates(span: Span) -> str:
    return f"{rate(span[0])} to {rate(span[1])}"


@dataclass(frozen=True)
class _Column:
    """A figure of the rows.

    middle, ends   headings of the figure and of its interval
    written        the ends in words
    each           what a row is called
    counts         headings of n; rows with less than `FEW` in one are not looked at
    share          heading of the share of n that the figure is the mean of; rows in which that is less than `FEW`
                   are not looked at: two hands that won the same have an interval without width
    """

    middle: str = "rate"
    ends: str = "95% interval"
    written: Callable[[Span], str] = _shares
    each: str = "row"
    counts: tuple[str, ...] = ("n",)
    share: str | None = None

    def _held(self, row: Record) -> float:
        least: float = min(row[name] for name in self.counts)
        return least if self.share is None else round(least * row[self.share])

    def spans(self, rows: Sequence[Record]) -> list[tuple[Record, Span]]:
        """The rows looked at, each with the ends of the interval that all of them hold together."""
        known = [
            row
            for row in rows
            if self._held(row) >= FEW and row[self.middle] is not None and None not in row[self.ends]
        ]
        return [(row, _wider(row[self.middle], row[self.ends], len(known))) for row in known]

    def together(self, looked: int) -> str:
        """Of how many rows an interval holds."""
        return "" if looked == 1 else f", 95% for all {looked:,} {self.each}s together"


_RATE: Final = _Column()


@dataclass(frozen=True)
class _Sure:
    """The row of a player that surely says most.

    strength   of a row and its span; only rows above 0 are said, of each player the one with the most
    say        the sentence: the player, the row, its interval in words
    not_so     what holds of a player without such a row
    among      which rows are looked at
    often      whether to say how many rows are sure
    """

    strength: Callable[[Record, Span], float]
    say: Callable[[str, Record, str], str]
    not_so: str
    column: _Column = _RATE
    among: Callable[[Record], bool] = lambda row: True
    often: bool = False

    def __call__(self, rows: Sequence[Record]) -> Iterator[str]:
        said, nothing = list[tuple[float, str]](), list[str]()
        for who, own in _by_player(rows):
            looked = self.column.spans([row for row in own if self.among(row)])
            sure = [(self.strength(row, span), row, span) for row, span in looked]
            sure = [one for one in sure if one[0] > 0]
            if not sure:
                nothing.append(who)
                continue
            strength, row, span = max(sure, key=lambda one: one[0])
            text = self.say(who, row, f"{self.column.written(span)}{self.column.together(len(looked))}")
            if self.often:
                of = counted(len(looked), self.column.each)
                text = f"{text} The same holds in {len(sure)} of {of} with n {FEW} or more."
            said.append((strength, text))
        said.sort(key=lambda one: -one[0])
        yield from _first([text for _, text in said], "see the table", nothing, self.not_so)


@dataclass(frozen=True)
class _Gap:
    """The two rows of a player that surely differ most.

    alike   only rows with the same are compared
    say     the sentence: the player, the row with more and its interval in words, the other and its interval, and
            for how many rows they hold
    """

    alike: Callable[[Record], Any]
    say: Callable[[str, Record, str, Record, str, str], str]
    not_so: str
    column: _Column = _RATE

    def __call__(self, rows: Sequence[Record]) -> Iterator[str]:
        said, nothing = list[tuple[float, str]](), list[str]()
        written = self.column.written
        for who, own in _by_player(rows):
            looked = self.column.spans(own)
            same: dict[Any, list[tuple[Record, Span]]] = {}
            for one in looked:
                same.setdefault(self.alike(one[0]), []).append(one)
            gaps = [
                (more[1][0] - less[1][1], more, less)
                for some in same.values()
                for one, other in combinations(some, 2)
                for more, less in ((one, other), (other, one))
            ]
            gaps = [gap for gap in gaps if gap[0] > 0]
            if not gaps:
                nothing.append(who)
                continue
            gap, (more, most), (less, least) = max(gaps, key=lambda one: one[0])
            of = self.column.together(len(looked)).removeprefix(", ")
            said.append((gap, self.say(who, more, written(most), less, written(least), of)))
        said.sort(key=lambda one: -one[0])
        yield from _first([text for _, text in said], "see the table", nothing, self.not_so)


def winnings_said(rows: Sequence[Record]) -> Iterator[str]:
    """What each player won, the winners first, and whether that is more than chance."""
    said = []
    won = sorted(_by_player(rows), key=lambda one: -one[1][0]["chips"])
    for who, (row, *_) in won:
        low, high = row["95%, bb/100"]
        hands = counted(row["n"], "hand")
        did = f"{who} {won_chips(row['chips'])} in {hands}"
        if row["bb/100"] is None or low is None:
            said.append(f"{did}, too few for an interval.")
            continue
        verdict = "more than chance" if low > 0 or high < 0 else "which may be luck"
        if row["n"] < FEW:
            verdict = f"of fewer than {FEW} hands an interval says little"
        said.append(f"{did}: {rate(row['bb/100'])} bb/100 ({rate(low)} to {rate(high)}), {verdict}.")
    yield from _first(said, "see the table")


def _loses(call: Callable[[Record], str], what: str) -> _Sure:
    """Which part of its hands costs each player most, of those whose whole interval is below 0."""
    return _Sure(
        lambda row, span: -row["bb/100"] * row["n"] if span[1] < 0 else 0.0,
        lambda who, row, ends: (
            f"{who} loses most {call(row)}: {rate(row['bb/100'])} bb/100 ({ends}) in {counted(row['n'], 'hand')}."
        ),
        f"no {what} of {FEW} hands or more loses beyond chance",
        _Column("bb/100", "95%, bb/100", _rates, what),
    )


_PARTS: Final[Mapping[str, Callable[[str], str]]] = {
    "position": lambda value: f"in position {value}",
    "street": lambda value: f"with its last choice {_on([value])}",
    "kind": lambda value: f"with hole cards of the kind {value}",
}
"""Parts of which a sentence is made. Hands that one folds lose by themselves, and a seat is nobody's choice."""


def parts_said(rows: Sequence[Record]) -> Iterator[str]:
    """As `_loses`, of positions, streets of the last choice and kinds of hole cards.

    Hands without a choice are not play: of a player that never had one is said what they cost.
    """
    idle, some = list[str](), list[Record]()
    for who, own in _by_player(rows):
        streets = [row for row in own if row["part"] == "street"]
        if streets and all(row["value"] == "none" for row in streets):
            hands, lost = (sum(row[name] for row in streets) for name in ("n", "chips"))
            idle.append(
                f"{who} {won_chips(lost)} in {counted(hands, 'hand')} and had no choice in any (all-in from a blind, "
                "or everybody else folded): they say nothing of its play."
            )
            continue
        some += [
            row for row in own if row["part"] in _PARTS and (row["part"], row["value"]) != ("street", "none")
        ]
    yield from _loses(lambda row: _PARTS[row["part"]](row["value"]), "part")(some)
    yield from _first(idle, "see the table")


starting_hands_said: Final = _loses(lambda row: f"with {row['cards']}", "starting hand")

folds_said: Final = _Sure(
    lambda row, span: span[0] - 1 + row["MDF"],
    lambda who, row, ends: (
        f"Bluff {who} {_on([row['street']])} in {row['position']}: it folds to {percent(row['rate'])} ({ends}) of "
        f"{row['n']:,} bets {row['size']}, and above {percent(1 - row['MDF'])} any bluff wins."
    ),
    "no fold is surely more frequent than 1 − MDF",
    among=lambda row: row["answer"] == "fold" and row["MDF"] is not None,
    often=True,
)
"""Where each player surely folds more often than a bluff needs."""


def times_said(rows: Sequence[Record]) -> Iterator[str]:
    """On which street each player takes longest, its share of the time bank, and whether its slow decisions lose."""
    said = []
    for who, own in _by_player(rows):
        slowest = max(own, key=lambda row: row["mean"])
        low, high = slowest["95%, seconds"]
        span = "" if low is None else f" ({low:.3g} to {high:.3g})"
        said.append(
            f"{who} takes longest {_on([slowest['street']])}: {slowest['mean']:.3g} s{span} on average of "
            f"{counted(slowest['n'], 'decision')}; its longest took {max(row['worst'] for row in own):.3g} s"
            f"{_bank(own)}."
        )
    yield from _first(said, "see the table")
    yield from _SLOW([row for row in rows if row.get("n slow") is not None])


def _bank(rows: Sequence[Record]) -> str:
    """What all of a player's decisions took from its time bank."""
    shares = [share for row in rows if (share := row.get("of bank")) is not None]
    return f", and {percent(sum(shares))} of its time bank was used" if shares else ""


_SLOW: Final = _Sure(
    lambda row, span: max(span[0], -span[1]),
    lambda who, row, ends: (
        f"{who} does {'worse' if row['slow − others'] < 0 else 'better'} in hands with a slow decision "
        f"{_on([row['street']])} (over {row['slow over, s']:.3g} s): {rate(row['slow, bb/100'])} bb/100 in "
        f"{counted(row['n slow'], 'hand')}, {rate(row['others, bb/100'])} in the {row['n others']:,} others "
        f"(difference {ends}), luck included."
    ),
    f"whether slow decisions lose is open: on no street with {FEW} such hands or more is the difference beyond chance",
    _Column("slow − others", "95%, difference", _rates, "street", ("n slow", "n others")),
)


def size_tells_said(rows: Sequence[Record]) -> Iterator[str]:
    """For each player whether the sizes of its bets tell its hand, from the rows of its table."""
    told, nothing = list[str](), list[str]()
    for name, streets in _by_player(rows):
        known = [(row["street"], *row["95% interval"]) for row in streets if None not in row["95% interval"]]
        bluffs = [street for street, _, high in known if high < 0.5]
        value = [street for street, low, _ in known if low > 0.5]
        said = [
            f"{one} are larger than {other} {_on(some)}"
            for some, one, other in (
                (bluffs, "bluffs", "bets for value"),
                (value, "bets for value", "bluffs"),
            )
            if some
        ]
        if said:
            told.append(f"{name}: {'; '.join(said)}.")
        else:
            nothing.append(name)
    yield from _first(
        told, "sizes tell something, see the table", nothing, "sizes tell nothing beyond chance"
    )


def beliefs_said(rows: Sequence[Record]) -> Iterator[str]:
    """For each player whether the chances that it noted were too high or too low, from the rows of its table."""
    for row in rows:
        low, high = row["95%, off by"]
        if row["noted"] != "all" or low is None:
            continue
        points = f"{100 * abs(row['off by']):.1f} points too {'high' if low > 0 else 'low'}"
        ends = sorted((abs(low), abs(high)))
        is_sure = low > 0 or high < 0
        verdict = (
            f"{points}, {100 * ends[0]:.1f} to {100 * ends[1]:.1f}"
            if is_sure
            else "no difference beyond chance"
        )
        noted, held, unseen = (
            percent(row[heading]) for heading in ("noted on average", "against held", "against unseen")
        )
        yield (
            f"{row['player']}: in {row['n']:,} decisions it noted {noted} on average; against the hands "
            f"really held it had {held} ({verdict}), against unseen cards {unseen}."
        )


def _habit(call: Callable[[Record], str], what: str = "decision") -> _Sure:
    """What each player surely does more often than not."""
    return _Sure(
        lambda row, span: span[0] - 0.5,
        lambda who, row, ends: (
            f"Expect {who} to {call(row)}: it does so in {percent(row['rate'])} ({ends}) of "
            f"{counted(row['n'], what)}."
        ),
        f"nothing in {FEW} {what}s or more is surely done more often than not",
    )


_FACING: Final = {"nothing": " with nothing to call", "blind": " facing the blind", "bet": " facing a bet"}

actions_said: Final = _habit(
    lambda row: f"{row['action']} {_on([row['street']])} in {row['position']}{_FACING[row['facing']]}"
)
limits_said: Final = _habit(
    lambda row: (
        f"{row['answer']} {_on([row['street']])} with {counted(row['bets faced'], 'bet')} in the round"
    )
)
"""Preflop the blinds are one bet. A cap is the last raise allowed."""


_STRENGTHS: Final = _Gap(
    lambda row: (row["street"], row["facing"], row["action"]),
    lambda who, more, most, less, least, of: (
        f"{who} shows its strength {_on([more['street']])}{_FACING[more['facing']]}: {more['action']} in "
        f"{percent(more['rate'])} ({most}) of {counted(more['n'], 'decision')} with an equity of {more['equity']}, in "
        f"{percent(less['rate'])} ({least}) of {less['n']:,} with {less['equity']} ({of})."
    ),
    "no action surely depends on the strength of the hand",
)


def strengths_said(rows: Sequence[Record]) -> Iterator[str]:
    """The action of each player whose rate differs most between hands of two strengths."""
    yield from _STRENGTHS([row for row in rows if row["equity"] != _UNKNOWN])
    unknown = [who for who, own in _by_player(rows) if all(row["equity"] == _UNKNOWN for row in own)]
    yield from _first([], "see the table", unknown, "the equity of its hands is not known")


_UNKNOWN: Final = "not known"
"""The equity of cards that were not seen, or in a game in which it is not counted."""


def _run(row: Record) -> str:
    deep = f"{row['depth']} deep in the run" if row["depth"] else "on the river"
    black = f" (next black: {row['black next']})" if row["black next"] else ""
    return f"{row['answer']} {deep} after a {row['last card']} card{black}"


runs_said: Final = _habit(_run)
_TRIGGERS: Final = {
    "none": "while the opponent has chips left",
    "here": "once the opponent is all-in on this board",
    "elsewhere": "once the opponent is all-in on another board",
}
triggers_said: Final = _habit(lambda row: f"{row['answer']} a bet {_TRIGGERS[row['all-in']]}", "bet")

sizes_said: Final = _Sure(
    lambda row, span: span[0] - 0.5,
    lambda who, row, ends: (
        f"When {who} {row['action']}s {_on([row['street']])} in {row['position']}, expect {row['size']}: "
        f"{percent(row['rate'])} ({ends}) of {counted(row['n'], row['action'])}."
    ),
    f"no size of {FEW} bets or more is surely chosen more often than not",
)


def _constant(
    say: Callable[[str, Record, str], str], among: Callable[[Record], bool] = lambda row: True
) -> _Sure:
    """Which named statistic of each player is surely furthest from one half, and so can be counted on."""
    return _Sure(
        lambda row, span: max(span[0] - 0.5, 0.5 - span[1]),
        lambda who, row, ends: say(
            who, row, f"{percent(row['rate'])} ({ends}) of {counted(row['n'], 'chance')}"
        ),
        f"no statistic of n {FEW} or more is surely on one side of 50%",
        among=among,
    )


_NO_HABITS: Final = frozenset(
    ("aggression %", "aggression frequency", "saw flop", "WTSD", "W$SD", "tied at showdown", "WWSF")
)
"""Statistics of the overview that are more than one decision, or what came of some."""

tendencies_said: Final = _constant(
    lambda who, row, figures: f"Count on {who}: {row['statistic']} {figures}.",
    lambda row: row["statistic"] not in _NO_HABITS,
)
discards_said: Final = _constant(
    lambda who, row, figures: (
        f"{'Expect' if row['rate'] > 0.5 else 'Do not expect'} that {who} {row['statistic']}: {figures}."
    )
)

_CBETS: Final = _Sure(
    lambda row, span: span[0] - 0.5,
    lambda who, row, ends: (
        f"Bluff {who} {_on([row['street']])}: it folds to {percent(row['rate'])} ({ends}) of {row['n']:,} c-bets, and "
        "one up to the size of the pot wins above 50%."
    ),
    "no fold to a c-bet is surely above 50%",
    among=lambda row: row["statistic"] == "fold to c-bet",
)

_STREETS: Final = _constant(
    lambda who, row, figures: f"Count on {who}: {row['statistic']} {_on([row['street']])} {figures}.",
    lambda row: row["statistic"] != "fold to c-bet",
)


def streets_said(rows: Sequence[Record]) -> Iterator[str]:
    """Which c-bets of the pot or less win at once; then what each player surely does or leaves."""
    yield from _CBETS(rows)
    yield from _STREETS(rows)


def ranges_said(rows: Sequence[Record]) -> Iterator[str]:
    """Where each player plays on with the most and with the fewest of its hands; the rows of a spot are added up.

    Spots in which players may check are left out: playing on is free there.
    """
    free = {(row["game"], row["position"], row["faced"]) for row in rows if row["checks"]}
    spots: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        if (row["game"], row["position"], row["faced"]) in free:
            continue
        key = *map(row.get, _WHO), row["position"], row["faced"]
        spot = spots.setdefault(key, {**row, "n": 0, "folds": 0})
        spot["n"] += row["n"]
        spot["folds"] += row["folds"]
    for spot in spots.values():
        spot["rate"] = 1 - spot["folds"] / spot["n"]
        spot["95% interval"] = wilson(spot["rate"], spot["n"])
    yield from _RANGES([*spots.values()])


_FACED: Final = {0: "no bet", 1: "the blinds", 2: "a raise", 3: "a re-raise"}


def _spot(row: Record, ends: str) -> str:
    faced = _FACED.get(row["faced"], f"{row['faced']} bets")
    return f"{percent(row['rate'])} ({ends}) of {row['n']:,} hands in {row['position']} facing {faced}"


_RANGES: Final = _Gap(
    lambda row: None,
    lambda who, more, most, less, least, of: (
        f"Give {who} a wide range in {more['position']} and a narrow one in {less['position']}: it plays on with "
        f"{_spot(more, most)}, and with {_spot(less, least)} ({of})."
        if more["faced"] == less["faced"]
        else f"{who} plays on with {_spot(more, most)}, but with {_spot(less, least)} ({of})."
    ),
    "the share of hands it plays on with differs nowhere beyond chance",
    _Column(each="spot"),
)

boards_said: Final = _Gap(
    lambda row: row["statistic"],
    lambda who, more, most, less, least, of: (
        f"{who} does not play its boards alike: {more['statistic']} {percent(more['rate'])} ({most}) of "
        f"{more['n']:,} on board {more['board']}, {percent(less['rate'])} ({least}) of {less['n']:,} on board "
        f"{less['board']} ({of})."
    ),
    "no statistic differs between boards beyond chance",
)


def allocation_said(rows: Sequence[Record]) -> Iterator[str]:
    """Where each player's strongest pair surely goes more often than to any board by chance."""
    boards = len({row["board"] for row in rows})
    yield from _Sure(
        lambda row, span: span[0] - 1 / boards,
        lambda who, row, ends: (
            f"Expect the strongest pair of {who} on board {row['board']}: {percent(row['rate'])} ({ends}) of "
            f"{row['n']:,} hands; an even spread is {percent(1 / boards)}."
        ),
        "its strongest pair goes to no board beyond chance",
        _Column(each="board"),
    )(rows)


def hits_said(rows: Sequence[Record]) -> Iterator[str]:
    """What each player's bounties brought and cost, the most first."""
    said = []
    for who, (row, *_) in sorted(_by_player(rows), key=lambda one: one[1][0]["cost"] - one[1][0]["brought"]):
        rest = row["brought"] - row["cost"]
        span = interval(*row["95% interval"])
        said.append(
            f"{who}: bounties brought {chips(row['brought'])} chips and cost {chips(row['cost'])} "
            f"({signed(rest)}, luck included); it hit in {percent(row['hit'])}{f' ({span})' if span else ''} of "
            f"{counted(row['n'], 'hand')}."
        )
    yield from _first(said, "see the table")


shifts_said: Final = _Sure(
    lambda row, span: max(span[0], -span[1]),
    lambda who, row, ends: (
        f"{who} {'shows' if row['shift'] > 0 else 'hides'} a live bounty {_on([row['street']])}: its answer is "
        f"{row['answer']} in {percent(row['live'])} of {row['n live']:,} decisions with one, {percent(row['else'])} of "
        f"{row['n']:,} without (shift {ends})."
    ),
    "no answer shifts with a live bounty beyond chance",
    _Column("shift", written=_shifts, counts=("n live", "n")),
)


def rounds_said(rows: Sequence[Record]) -> Iterator[str]:
    """How much each player bets where all bet at once, the highest first."""
    bets = [(who, row) for who, own in _by_player(rows) for row in own if row["mean of"] == FIRST_BET]
    said = []
    for who, row in sorted(bets, key=lambda one: -one[1]["mean"]):
        low, high = row["95% interval"]
        span = "too few matches for an interval" if low is None else f"{chips(low)} to {chips(high)}"
        said.append(
            f"{who} bets {chips(row['mean'])} chips in round 1 ({span}), mean of {counted(row['n'], 'game')}."
        )
    yield from _first(said, "see the table")


FIRST_BET: Final = "bet of round 1, chips"
"""How the view `koper_tendencies` calls it."""

round_folds_said: Final = _Sure(
    lambda row, span: span[0] - 0.5,
    lambda who, row, ends: (
        f"{who} gives up round 1 with an engine equity of {row['engine equity']}: {percent(row['rate'])} ({ends}) of "
        f"{counted(row['n'], 'game')}."
    ),
    f"no equity of {FEW} games or more is surely folded more often than not",
)

_OUTCOMES: Final = {"won": "an auction it won", "tied": "a tied auction", "lost": "an auction it lost"}

bids_said: Final = _Gap(
    lambda row: None,
    lambda who, more, most, less, least, of: (
        f"{'Outbid' if more['outcome'] == 'won' else 'Do not outbid'} {who}: after {_OUTCOMES[more['outcome']]} it "
        f"makes {rate(more['bb/100'])} bb/100 ({most}) in {_share(more)}, after {_OUTCOMES[less['outcome']]} "
        f"{rate(less['bb/100'])} ({least}) in {_share(less)}, prices included ({of})."
    ),
    "whether auctions won pay more than auctions lost is open",
    _Column("bb/100", "95%, bb/100", _rates, "outcome", share="rate"),
)


def _share(row: Record) -> str:
    """In how many of its hands: these are a share of n."""
    return f"{percent(row['rate'])} of {row['n']:,} hands"


exchanges_said: Final = _Gap(
    lambda row: (row["street"], row["kind"]),
    lambda who, more, most, less, least, of: (
        f"{who}: with {'' if more['done'] == 'yes' else 'no '}{more['kind']} {_on([more['street']])} "
        f"{rate(more['bb/100'])} bb/100 ({most}) in {_share(more)}, {'with' if less['done'] == 'yes' else 'without'} "
        f"one {rate(less['bb/100'])} ({least}) in {_share(less)} ({of})."
    ),
    "what an exchange brings or costs is not beyond chance",
    _Column("bb/100", "95%, bb/100", _rates, "part", share="rate"),
)

permuted_said: Final = _Gap(
    lambda row: row["result"] == "as printed",
    lambda who, more, most, less, least, of: (
        f"The secret order of the ranks {'helps' if more['result'] == 'helped' else 'hurts'} {who}: {more['result']} "
        f"in {percent(more['rate'])} ({most}) of {more['n']:,} showdowns, {less['result']} in {percent(less['rate'])} "
        f"({least}; {of}); {signed(more['moved, chips'] + less['moved, chips'])} chips moved."
    ),
    "the secret order helps and hurts alike, as far as the intervals tell",
)


def claims_said(rows: Sequence[Record]) -> Iterator[str]:
    """How often each player's statements are wrong, the most first."""
    said = []
    everything = [(who, row) for who, own in _by_player(rows) for row in own if row["kind"] == "all kinds"]
    for who, row in sorted(everything, key=lambda one: -one[1]["rate"]):
        low, high = row["95% interval"]
        verdict = "it is open whether they can be believed"
        if low is not None and (high < 0.5 or low > 0.5):
            verdict = "more often true than not" if high < 0.5 else "more often wrong than true"
        span = f" ({interval(low, high)})" if low is not None else ""
        said.append(
            f"{who}: {percent(row['rate'])}{span} of {counted(row['n'], 'statement')} about its own cards are wrong; "
            f"{verdict}."
        )
    yield from _first(said, "see the table")


REPEATED: Final = 0.9
"""Of a player that surely repeats so many of its actions a table of its answers is a good guess."""

repeats_said: Final = _Sure(
    lambda row, span: span[0] - REPEATED,
    lambda who, row, ends: (
        f"{who} does {_on([row['street']])} what it did before in the same state: {percent(row['rate'])} ({ends}) of "
        f"{counted(row['n'], 'pair')} of such decisions."
    ),
    f"on no street does it surely repeat {percent(REPEATED)} of its actions",
    _Column(each="street"),
)


def drift_said(rows: Sequence[Record]) -> Iterator[str]:
    """Which statistic of each player changed in a match beyond chance.

    The interval of the difference is without 0, and p times the player's rows is below 0.05.
    """
    said, nothing = list[tuple[float, str]](), list[str]()
    for who, own in _by_player(rows):
        known = [row for row in own if None not in row["95%"]]
        changed = [row for row in known if row["95%"][0] > 0 or row["95%"][1] < 0]
        least = min(changed, key=lambda row: row["p"], default=None)
        if least is None or least["p"] * len(own) >= 0.05:
            nothing.append(who)
            continue
        p = least["p"] * len(own)
        text = (
            f"{who} changed in match {least['match']}: {least['statistic']} {percent(least['first'])} in its first "
            f"half, {percent(least['second'])} in its second, n {least['n']:,}, difference "
            f"{interval(*least['95%'])} (p {chance(p)} for all {counted(len(own), 'row')} together)."
        )
        said.append((p, text))
    said.sort(key=lambda one: one[0])
    yield from _first(
        [text for _, text in said], "see the table", nothing, "nothing changed within a match beyond chance"
    )


def _on(streets: Sequence[str]) -> str:
    """Streets in words: preflop and on the turn and river."""
    dealt = [street for street in streets if street != "preflop"]
    later = f"on the {', '.join(dealt[:-1])}{' and ' * (len(dealt) > 1)}{dealt[-1]}" if dealt else ""
    return " and ".join(filter(None, ("preflop" if len(dealt) < len(streets) else "", later)))


SAID: Final[Mapping[Show, Callable[[Sequence[Record]], Iterator[str]]]] = {
    Show.OVERVIEW: tendencies_said,
    Show.STREETS: streets_said,
    Show.FACED: folds_said,
    Show.MADE: sizes_said,
    Show.TELLS: size_tells_said,
    Show.RANGES: ranges_said,
    Show.ACTIONS: actions_said,
    Show.STRENGTH: strengths_said,
    Show.WINNINGS: winnings_said,
    Show.WHERE: parts_said,
    Show.HANDS: starting_hands_said,
    Show.BOUNTY: hits_said,
    Show.SHIFT: shifts_said,
    Show.RUN: runs_said,
    Show.BOARDS: boards_said,
    Show.ALLOCATION: allocation_said,
    Show.TRIGGERS: triggers_said,
    Show.KOPER: rounds_said,
    Show.FOLDS: round_folds_said,
    Show.BIDS: bids_said,
    Show.EXCHANGES: exchanges_said,
    Show.DISCARDS: discards_said,
    Show.PERMUTED: permuted_said,
    Show.LIMIT: limits_said,
    Show.TIMES: times_said,
    Show.CLAIMS: claims_said,
    Show.BELIEFS: beliefs_said,
    Show.SAME: repeats_said,
    Show.DRIFT: drift_said,
}
"""The sentences of each table."""
