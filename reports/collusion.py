"""The output of `railbird collusion`: pairs whose play shows signs of collusion, and the hands to look at."""

import json
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import starmap
from typing import TYPE_CHECKING, Final

from ..analytics.players import check_named
from ..analytics.settings import LEVEL
from ..progress import Progress
from . import Format, terminal
from .matches import all_matches, hand_name, short_hand, short_names
from .terminal import Answer

if TYPE_CHECKING:
    from ..analytics.collusion.detectors import Untestable
    from ..analytics.collusion.evidence import Evidence
    from ..analytics.collusion.material import Material
    from ..analytics.store import Store

_COLUMNS: Final = (
    "event",
    "game",
    "detector",
    "player",
    "other",
    "effect",
    "effect_low",
    "effect_high",
    "p",
    "q",
    "flag",
)
"""The columns as CSV where there is no row."""

_HANDS: Final = 2
"""Hands, or pairs of hands, that a table row names."""


class _Course:
    """One progress bar for reading and testing hands, event after event; each hand counts once for each."""

    def __init__(self) -> None:
        self.progress: Progress | None = None
        self.read, self.looked, self.all = 0, 0, 0

    def reading(self, done: int, total: int) -> None:
        """Report hands that were read."""
        self.read, self.all = done, total
        self._tell(0)

    def looking(self, done: int, total: int) -> None:
        """Report detectors that are done with the hands read last."""
        self._tell((self.read - self.looked) * done // total)
        if done == total:
            self.looked = self.read

    def _tell(self, looked: int) -> None:
        if self.progress:
            self.progress(self.read + self.looked + looked, 2 * self.all)


def _pair(material: "Material", found: "Evidence") -> dict[str, object]:
    """Which test of whom, as programs read it."""
    names = material.players
    return {
        "event": material.event,
        "game": material.game,
        "detector": found.detector,
        "player": names[found.one],
        "other": names[found.other],
    }


def _row(material: "Material", found: "Evidence") -> dict[str, object]:
    """A row of `pairs` as programs read it."""
    explained, measures = (
        [f"{what}: {terminal.digits(value)}" for what, value in said]
        for said in (found.explanations, found.measures)
    )
    return _pair(material, found) | {
        "effect": found.effect,
        "effect_low": found.effect - found.margin,
        "effect_high": found.effect + found.margin,
        "p": found.p,
        "q": found.q_all,
        "q_within": found.q,
        "flag": found.flag,
        "since": None if found.since is None else _hand(material, found.since),
        "score": found.score,
        "hands": found.hands,
        "measures": measures,
        "evidence": [_hand(material, hand) for hand in found.carrying],
        "said": list(found.said),
        "explained_by": explained,
        "note": found.note,
    }


def _alike_row(material: "Material", found: "Evidence") -> dict[str, object]:
    """A row of `same_program` as programs read it."""
    from ..analytics.collusion.clones import INDEPENDENT

    said = dict(found.explanations)
    return _pair(material, found) | {
        "alike": found.effect,
        "independent": said[INDEPENDENT],
        "p": found.p,
        "q": found.q_all,
        "flag": found.flag,
        "hands": found.hands,
        "evidence": [[*(_hand(material, hand) for hand in pair[:2]), pair.did] for pair in found.alike],
    }


def _hand(material: "Material", hand: tuple[int, int]) -> str:
    return hand_name(material.matches[hand[0]], hand[1])


def _said(material: "Material") -> str:
    seats = material.seats.shape[1]
    tables = "" if seats == 2 else f", {seats} at a table"
    players = terminal.counted(len(material.players), "player")
    return f"{terminal.printable(material.event)}, {material.game}: {players}{tables}"


def why_untested(material: "Material") -> str:
    """Why no pair can be tested."""
    if not len(material.decisions):
        return "no decisions in these hands"
    if material.seats.shape[1] == 2:
        return "each player meets only one other, so its play against others is unknown"
    return (
        "all players always sit together, so play without one of them is unknown; detectors need at least four "
        "players who are not all at every table"
    )


def pairs_of(
    store: "Store", event: str | None = None, seed: int = 0, game: str | None = None
) -> list[dict[str, object]]:
    """The rows of `pairs` as programs read them, of an event and a game or of all."""
    from ..analytics.collusion.detectors import look, materials, same_program

    check_named(store, event, game)
    return [
        _row(material, found)
        for material in materials(store, event, None, game)
        for found in look(material, seed)
        if not same_program(found)
    ]


def print_evidence(
    store: "Store",
    event: str | None,
    every: bool,
    seed: int,
    form: Format,
    looking: Callable[[], AbstractContextManager[Progress]],
    game: str | None = None,
) -> int:
    """Print the evidence for each event and game; returns the number of pairs beyond chance.

    every: all pairs of all detectors, not only those and the next strongest. CSV and JSON have every row anyway.
    looking: shows the progress; it is closed before a line is printed.
    """
    from ..analytics.collusion.detectors import look, materials, same_program, untestable

    check_named(store, event, game)
    flagged = 0
    pairs: list[dict[str, object]] = []
    alike: list[dict[str, object]] = []
    untested: list[dict[str, object]] = []
    course = _Course()
    detectors: set[str] = set()
    read = materials(store, event, course.reading, game)
    seen: set[tuple[str, str]] = set()
    waiting: dict[str, list[str]] = {}
    names = short_names(all_matches(store)) if form is Format.TABLE else {}
    while True:
        with looking() as course.progress:
            material = next(read, None)
            if material is None:
                break
            evidence = look(material, seed, course.looking)
        seen.add((material.event, material.game))
        same = [found for found in evidence if same_program(found)]
        tested = [found for found in evidence if not same_program(found)]
        missing = untestable(material, tested)
        strong = [found for found in tested if found.flag]
        flagged += len(strong)
        if form is not Format.TABLE:
            pairs += [_row(material, found) for found in tested]
            alike += [_alike_row(material, found) for found in same]
            untested += [
                {"event": material.event, "game": material.game, "who": who, "why": why}
                for who, why in missing
            ]
            continue
        if tested:
            shown = tested if every else strong or tested[:1]
            detectors |= {found.detector for found in shown}
            carded = cards(material, tested)
            _print_table(material, shown, len(tested), len(strong), [id(card.row) for card in carded], names)
            for card in carded:
                _print_card(card, names)
        else:
            waiting.setdefault(why_untested(material), []).append(_said(material))
        shown = [found for found in same if every or found.flag]
        if shown:
            _print_same_program(material, shown, names)
        # Where no pair was tested, one reason below has all.
        if tested or every:
            _print_missing(missing, every)
    for why, events in waiting.items():
        terminal.say(f"{'; '.join(events)}: no pair tested: {why}.")
    games = store.execute(
        "select distinct event, game from matches "
        "where ($event is null or event = $event) and ($game is null or game = $game) order by all",
        event=event,
        game=game,
    ).fetchall()
    unread = [one for one in games if one not in seen]
    if form is not Format.TABLE:
        untested += [
            {"event": name, "game": rules, "who": "all players", "why": _NO_DETECTOR}
            for name, rules in unread
        ]
        _write(pairs, alike, untested, form)
    elif not seen:
        terminal.say(
            "The detectors read none of the games here. They read games with one board and hole cards that stay "
            "as dealt, other games of two players whose luck is counted, and games in which all bet at once. "
            "The store holds "
            f"{', '.join(sorted({name for _, name in games})) or 'no match'}."
        )
    else:
        for name, rules in unread:
            terminal.say(f"{terminal.printable(name)}, {rules}: {_NO_DETECTOR}.")
        _print_legend(detectors)
    return flagged


@dataclass(frozen=True)
class Card:
    """The card of a pair that is beyond chance: all a person needs to weigh it.

    names    the two, the one who acts first; row: its strongest row; title: which test; compares: what its effect is
    strength the effect with its interval; chance: how often honest play shows as much; since: (match_id, hand_index)
    hands    (match_id, hand_index, what was done there), three at most
    note     what was seen, if the detector says more; tried: innocent explanations with their results
    others   the pair's other rows beyond chance
    """

    names: tuple[str, str]
    row: "Evidence"
    compares: str
    strength: str
    chance: str
    since: tuple[int, int] | None
    hands: tuple[tuple[int, int, str], ...]
    note: str
    tried: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def title(self) -> str:
        """The pair and the test."""
        return f"{self.names[0]} with {self.names[1]}: {self.row.detector}"

    def among(self, known: Collection[int]) -> "Card":
        """The card with the hands of some matches alone, by match_id."""
        since = self.since if self.since and self.since[0] in known else None
        return replace(self, since=since, hands=tuple(hand for hand in self.hands if hand[0] in known))


_SHOWN: Final = 3
_SELDOM: Final = 1e-6
"""A smaller p is not shown: it is that of a fitted distribution far out in its tail."""
_PLACES: Final = re.compile("PLAYER|WITH")


def cards(material: "Material", tested: "Sequence[Evidence]") -> list[Card]:
    """A card for each pair beyond chance, the strongest first."""
    from ..analytics.collusion.detectors import COMPARES

    names, found = material.players, []
    by_pair: dict[frozenset[int], list[Evidence]] = {}
    for row in tested:
        if row.flag:
            by_pair.setdefault(frozenset((row.one, row.other)), []).append(row)
    for first, *rest in by_pair.values():
        hands = zip(first.carrying[:_SHOWN], first.said, strict=False)
        tried = starmap(explained, first.explanations)
        found.append(
            Card(
                (names[first.one], names[first.other]),
                first,
                _named(COMPARES[first.detector], names[first.one], names[first.other]),
                f"{_strength(first)} in {terminal.counted(first.hands, 'hand')}",
                f"{_seldom(first.p)}; of {terminal.counted(len(tested), 'test')} in the event, "
                f"q {terminal.chance(first.q_all)}: the share of false alarms to expect among rows with such a q",
                None if first.since is None else (material.matches[first.since[0]], first.since[1]),
                tuple((material.matches[match], hand, said) for (match, hand), said in hands),
                first.note,
                tuple(tried),
                tuple(
                    f"{row.detector}, {names[row.one]} with {names[row.other]}: {_strength(row)}, "
                    f"q {terminal.chance(row.q_all)}"
                    for row in rest
                ),
            )
        )
    return found


def _seldom(p: float) -> str:
    """How often honest play shows as much, in words; of a p below `_SELDOM` only that it is less often."""
    often = f"once in {1 / p:,.0f}" if p > _SELDOM else f"less than once in {1 / _SELDOM:,.0f}"
    return f"a pair of honest players shows as much {often}"


def _named(compares: str, one: str, other: str) -> str:
    """What a detector compares, with the names of a pair."""
    return _PLACES.sub(lambda found: one if found[0] == "PLAYER" else other, compares)


def _strength(row: "Evidence") -> str:
    """The effect and its interval."""
    return f"{effect(row.effect)} ({interval(row)})"


def _print_card(card: Card, names: Mapping[int, str]) -> None:
    """What a person weighs, a fact a line; names: `short_names` of the matches."""
    lines = [card.title, f"what: {card.compares}", f"how strong: {card.strength}"]
    if card.since is not None:
        lines.append(f"since: {short_hand(names, *card.since)}")
    if card.note:
        lines.append(f"seen: {card.note}")
    lines.append(f"how often by honest play: {card.chance}")
    lines += [f"{short_hand(names, match, hand)}: {said}" for match, hand, said in card.hands]
    lines += [f"other explanation: {said}" for said in card.tried]
    lines += [f"also beyond chance: {said}" for said in card.others]
    for k, line in enumerate(lines):
        terminal.say(terminal.printable(line), "  " * bool(k), " " * 4)
    print()


_NO_DETECTOR: Final = "no detector reads this game"
_LISTED: Final = 5


def _write(
    pairs: list[dict[str, object]],
    alike: list[dict[str, object]],
    untested: list[dict[str, object]],
    form: Format,
) -> None:
    """Write an object of three lists as JSON; as CSV the rows of pairs."""
    if form is Format.JSON:
        said = {"pairs": pairs, "same_program": alike, "untestable": untested}
        print(json.dumps(terminal.json_value(said, exact=False)))
        return
    columns = tuple(pairs[0]) if pairs else _COLUMNS
    terminal.write(Answer(columns, [tuple(row.values()) for row in pairs]), form)


def _print_same_program(material: "Material", shown: "list[Evidence]", short: Mapping[int, str]) -> None:
    """The table of names that play alike; short: `short_names` of the matches."""
    from ..analytics.collusion.clones import INDEPENDENT

    names = material.players
    rows = [
        (
            names[found.one],
            names[found.other],
            found.effect,
            dict(found.explanations)[INDEPENDENT],
            found.q_all,
            found.hands,
        )
        for found in shown
    ]
    formats: dict[str, Callable[[float], str]] = {
        "alike": _likeness,
        "two others": _likeness,
        "q": terminal.chance,
        "hands": terminal.chips,
    }
    title = f"{_said(material)}: names that play alike, as one program under two names does; no sign of help"
    columns = ("player", "other", "alike", "two others", "q", "hands")
    terminal.write(Answer(columns, rows, title, formats, lambda row: row[4] >= LEVEL))
    for found in shown:
        for line in _details(material, found, short)[:_HANDS]:
            terminal.say(terminal.printable(line), later="  ")
    print()


def _likeness(value: float) -> str:
    return f"{value:.2f}"


def _print_missing(missing: "list[Untestable]", every: bool) -> None:
    """What could not be tested, a line each."""
    shown = missing if every else missing[:_LISTED]
    for who, why in shown:
        terminal.say(f"untestable: {terminal.printable(who)}: {why}.")
    if len(missing) > len(shown):
        terminal.say(f"{len(missing) - len(shown)} more are untestable; --all lists them.")


_FOOT: Final = (
    "Evidence, not a verdict. p: how often honest play would show as much, by permutation. q: the share of false "
    "alarms to expect among rows with such a q, over all detectors and pairs. effect: beyond what the two players "
    "explain by themselves. 95%: of this pair's effect, by chance and by honest differences between opponents; it "
    "does not allow for the pair being picked, q does. A pair is beyond chance if q < 0.05 and the 95% lie above "
    "0. Hands: those in which the two met.",
    "docs/collusion.md says what each detector compares and how reliable it is; `railbird replay HAND` opens a hand.",
)


def _print_legend(detectors: set[str]) -> None:
    from ..analytics.collusion.detectors import COMPARES

    for name, said in COMPARES.items():
        if name in detectors:
            terminal.say(f"{name}: {said}.", later="  ")
    for line in _FOOT:
        terminal.say(line)


def explained(what: str, value: float) -> str:
    """An innocent explanation with the result of its test."""
    return f"{what}: {terminal.minus(terminal.digits(value))}"


def _details(material: "Material", found: "Evidence", short: Mapping[int, str]) -> list[str]:
    """The lines below the table that explain one of its rows; short: `short_names` of the matches."""

    def named(hand: tuple[int, int]) -> str:
        return short_hand(short, material.matches[hand[0]], hand[1])

    lines = [
        f"{named(pair.one)} and {named(pair.other)}: each {pair.did}, as few others there"
        for pair in found.alike[:_HANDS]
    ]
    if not found.alike and found.carrying:
        lines.append(f"strongest hands: {', '.join(map(named, found.carrying[:_HANDS]))}")
    if found.note:
        lines.append(found.note)
    if found.explanations:
        lines.append(f"other explanations: {'; '.join(starmap(explained, found.explanations))}")
    return lines


def _print_table(
    material: "Material",
    shown: "list[Evidence]",
    tests: int,
    strong: int,
    carded: Collection[int],
    short: Mapping[int, str],
) -> None:
    """A game's rows, with lines below that explain those without a card.

    carded: the ids of the rows with one; short: `short_names` of the matches.
    """
    title = f"{_said(material)}, {tests} tests, {strong} beyond chance"
    looked, played = int(material.hands.sum()), int(material.played.sum())
    if looked < played:
        title += f"; {looked:,} of {played:,} hands analysed"
    names = material.players
    rows = [
        (
            place,
            found.detector,
            names[found.one],
            names[found.other],
            found.q_all,
            found.p,
            found.effect,
            interval(found),
            found.hands,
        )
        for place, found in enumerate(shown, 1)
    ]
    columns = ("row", "detector", "player", "with", "q", "p", "effect", "95%", "hands")
    formats: dict[str, Callable[[float], str]] = {
        **dict.fromkeys(("q", "p"), terminal.chance),
        "effect": effect,
        "hands": terminal.chips,
    }
    faint = columns.index("q")
    terminal.write(Answer(columns, rows, title, formats, lambda row: row[faint] >= LEVEL))
    if not strong and shown:
        print("Nothing beyond chance; strongest row first.")
    for place, found in enumerate(shown, 1):
        if id(found) in carded:
            continue
        for line in _details(material, found, short):
            terminal.say(terminal.printable(line), f"{place}: ", " " * (len(str(place)) + 2))
    print()


def effect(value: float) -> str:
    """The effect of a row: +0.366."""
    return terminal.minus(f"{value:+.3f}")


def interval(found: "Evidence") -> str:
    """The 95% interval of the effect: +0.290 to +0.441; empty if it has none."""
    if math.isnan(found.margin):
        return ""
    return f"{effect(found.effect - found.margin)} to {effect(found.effect + found.margin)}"
