"""What stands before a table of `railbird stats`: the sentences that its rows carry, made from its rows alone.

Each takes the rows by the table's headings. A sentence has its n and its 95% interval, and says so where
the interval does not carry it. Where it is about the worst of several rows, its interval is wider than the table's, so
that all rows looked at hold together with 95% (Bonferroni).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import NormalDist
from typing import Any, Final

from ..analytics.settings import FEW
from . import Show
from .terminal import counted, interval, percent, rate, won_chips

Record = Mapping[str, Any]

_TOLD: Final = 6
"""The most players of whom a table has sentences."""
_WHO: Final = ("event", "game", "player", "opponent")


def _by_player(rows: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """For each player, in each event and game, what to call it, and its rows."""
    places = {(row["event"], row["game"]) for row in rows}
    for (event, game, player, opponent), own in groupby(rows, lambda row: tuple(map(row.get, _WHO))):
        against = f" against {opponent}" if opponent is not None else ""
        where = f" ({game}, event {event})" if len(places) > 1 else ""
        yield f"{player}{against}{where}", [*own]


def _first(said: Sequence[str], what: str, nothing: Sequence[str] = (), not_so: str = "") -> Iterator[str]:
    """Sentences of so many players as can be read at once, and how many more there are; then those without one."""
    yield from said[:_TOLD]
    if len(said) > _TOLD:
        yield f"{counted(len(said) - _TOLD, 'more player')}: {what}."
    if nothing:
        who = nothing[0] if len(nothing) == 1 else counted(len(nothing), "player")
        yield f"{who}: {not_so}."


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
        said.append(f"{did}: {rate(row['bb/100'])} bb/100 ({rate(low)} to {rate(high)}), {verdict}.")
    yield from _first(said, "see the table")


def _wider(middle: float, ends: Sequence[float], rows: int) -> tuple[float, float]:
    """The ends of a 95% interval if so many are to hold together."""
    times = NormalDist().inv_cdf(1 - 0.025 / rows) / NormalDist().inv_cdf(0.975)
    return middle + times * (ends[0] - middle), middle + times * (ends[1] - middle)


def _costs_said(rows: Sequence[Record], call: Callable[[Record], str], what: str) -> Iterator[str]:
    """Which part of its hands costs each player most, of those whose whole interval is below 0."""
    said, nothing = list[str](), list[str]()
    for who, own in _by_player(rows):
        looked = [row for row in own if row["n"] >= FEW and row["95%, bb/100"][1] is not None]
        ends = [_wider(row["bb/100"], row["95%, bb/100"], len(looked)) for row in looked]
        losing = [(row, span) for row, span in zip(looked, ends, strict=True) if span[1] < 0]
        if not losing:
            nothing.append(who)
            continue
        worst, (low, high) = min(losing, key=lambda one: one[0]["chips"])
        of = "" if len(looked) == 1 else f", 95% for all {len(looked)} {what}s together"
        figures = f"{rate(worst['bb/100'])} bb/100 ({rate(low)} to {rate(high)}{of})"
        said.append(f"{who} loses most {call(worst)}: {figures} in {counted(worst['n'], 'hand')}.")
    yield from _first(said, "see the table", nothing, f"no {what} of {FEW} hands or more loses beyond chance")


_PARTS: Final[Mapping[str, Callable[[str], str]]] = {
    "position": lambda value: f"in position {value}",
    "street": lambda value: "without a choice" if value == "none" else f"with its last choice {_on([value])}",
    "kind": lambda value: f"with hole cards of the kind {value}",
}
"""Parts of which a sentence is made. Hands that one folds lose by themselves, and a seat is nobody's choice."""


def parts_said(rows: Sequence[Record]) -> Iterator[str]:
    """As `_costs_said`, of positions, streets of the last choice and kinds of hole cards."""
    some = [row for row in rows if row["part"] in _PARTS]
    return _costs_said(some, lambda row: _PARTS[row["part"]](row["value"]), "part")


def starting_hands_said(rows: Sequence[Record]) -> Iterator[str]:
    """As `_costs_said`, of starting hands."""
    return _costs_said(rows, lambda row: f"with {row['cards']}", "starting hand")


def folds_said(rows: Sequence[Record]) -> Iterator[str]:
    """Where each player surely folds more often than a bluff needs."""
    said, nothing = list[str](), list[str]()
    for who, own in _by_player(rows):
        folds = [row for row in own if row["answer"] == "fold" and row["MDF"] is not None and row["n"] >= FEW]
        ends = [_wider(row["rate"], row["95% interval"], len(folds)) for row in folds]
        often = [(row, span) for row, span in zip(folds, ends, strict=True) if span[0] > 1 - row["MDF"]]
        if not often:
            nothing.append(who)
            continue
        worst, (low, high) = max(often, key=lambda one: one[1][0] - 1 + one[0]["MDF"])
        of = "" if len(folds) == 1 else f", 95% for all {len(folds)} rows together"
        said.append(
            f"Bluff {who} {_on([worst['street']])} in {worst['position']}: it folds to {percent(worst['rate'])} "
            f"({interval(low, min(high, 1.0))}{of}) of {worst['n']:,} bets {worst['size']}, and above "
            f"{percent(1 - worst['MDF'])} any bluff wins. The same holds in {len(often)} of "
            f"{counted(len(folds), 'row')} with n {FEW} or more."
        )
    yield from _first(said, "see the table", nothing, "no fold is surely more frequent than 1 − MDF")


def times_said(rows: Sequence[Record]) -> Iterator[str]:
    """On which street each player takes longest."""
    said = []
    for who, own in _by_player(rows):
        slowest = max(own, key=lambda row: row["mean"])
        low, high = slowest["95%, seconds"]
        span = "" if low is None else f" ({low:.3g} to {high:.3g})"
        said.append(
            f"{who} takes longest {_on([slowest['street']])}: {slowest['mean']:.3g} s{span} on average of "
            f"{counted(slowest['n'], 'decision')}; its longest took {max(row['worst'] for row in own):.3g} s."
        )
    yield from _first(said, "see the table")


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


def _on(streets: Sequence[str]) -> str:
    """Streets in words: preflop and on the turn and river."""
    dealt = [street for street in streets if street != "preflop"]
    later = f"on the {', '.join(dealt[:-1])}{' and ' * (len(dealt) > 1)}{dealt[-1]}" if dealt else ""
    return " and ".join(filter(None, ("preflop" if len(dealt) < len(streets) else "", later)))


SAID: Final[Mapping[Show, Callable[[Sequence[Record]], Iterator[str]]]] = {
    Show.WINNINGS: winnings_said,
    Show.WHERE: parts_said,
    Show.HANDS: starting_hands_said,
    Show.FACED: folds_said,
    Show.TIMES: times_said,
    Show.TELLS: size_tells_said,
    Show.BELIEFS: beliefs_said,
}
"""The sentences of each table that has some."""
