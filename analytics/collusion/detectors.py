"""Reads the decisions of each event from a store and runs every detector on them."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...progress import Progress
from ..players import chunks, names_of, order_of_play, rules_of
from ..views import queries
from . import clones, counted, koper, multiway
from . import material as betting
from .clones import NAME as CLONES
from .evidence import Evidence, judged
from .heads_up import (
    ADVANCE_KNOWLEDGE,
    EARLY,
    HIDDEN_CARDS,
    IRRATIONAL_FOLDS,
    KINGMAKING,
    SIGNALS,
    SOFT_PLAY,
    TRANSFER,
    TRIGGER,
    advance_knowledge,
    hidden_cards,
    irrational_folds,
    kingmaking,
    signals,
    soft_play,
    transfer,
    trigger,
)
from .material import Group, Material
from .multiway import COALITION, SQUEEZE
from .study import Study, valued

if TYPE_CHECKING:
    from ..store import Store

COMPARES: Final = {
    TRANSFER: "bb a hand that PLAYER loses to WITH (three and more at a table: to anybody while WITH is in) by worse "
    "decisions than its usual ones, beyond what it loses this way to all, and all to WITH",
    SOFT_PLAY: "bb a hand (three and more at a table: bets a hand; Koper: steps of size a game) that both "
    "forgo against each other by missing bets and raises, beyond what they forgo against all",
    HIDDEN_CARDS: "bets less folds a hand that follow cards of WITH that PLAYER cannot see, beyond other opponents and "
    "other cards in the same situation",
    IRRATIONAL_FOLDS: "bb a hand given up by folding strong hands at good odds, beyond PLAYER's folds to all and all "
    "players' folds to WITH",
    KINGMAKING: "bb a hand that PLAYER loses to WITH, who wins the event, beyond what it loses to the second",
    SIGNALS: "the share by which PLAYER folds more to raises of WITH that end in one digit, beyond WITH's other raises "
    "in the same situation",
    TRIGGER: "bb a hand that PLAYER loses to WITH from some hand of a match on, beyond its losses to others and the "
    "same hands in random order",
    ADVANCE_KNOWLEDGE: f"bb a hand that PLAYER gains in the first {EARLY} hands of a match beyond its usual play, and "
    "beyond those with others",
    CLONES: "the share of their hands, 0 to 1, in which either could be playing as the other; against all other "
    "pairs",
    SQUEEZE: "bets a hand that both make more while a third player is in, and fewer once the two are alone, than "
    "beside others",
    COALITION: "bb a hand that PLAYER's decisions do for WITH, beyond what they do for all and all do for WITH (Koper: "
    "buy-ins a game)",
}
"""What each detector compares, PLAYER with WITH, and the unit of its effect."""

HEADS_UP: Final = {
    TRANSFER: transfer,
    SOFT_PLAY: soft_play,
    HIDDEN_CARDS: hidden_cards,
    IRRATIONAL_FOLDS: irrational_folds,
    KINGMAKING: kingmaking,
    SIGNALS: signals,
    TRIGGER: trigger,
    ADVANCE_KNOWLEDGE: advance_knowledge,
}
"""The detectors of heads-up games, besides clones."""


def look(material: Material, seed: int = 0, progress: Progress | None = None) -> list[Evidence]:
    """All evidence about one event and game, the strongest first; seed: seed of the permutations.

    Rows of likeness (`same_program`) come last and are corrected by themselves: two names that play alike are no sign
    of help.
    """
    found: dict[str, list[Evidence]] = {}
    steps = len(HEADS_UP) + 1 if material.heads_up else 2
    for done, some in enumerate(_steps(material, seed), 1):
        found |= some
        if progress:
            progress(done, steps)
    if progress:
        progress(steps, steps)
    alike = found.pop(CLONES, [])
    tested = {name: [row for row in rows if not math.isnan(row.margin)] for name, rows in found.items()}
    return judged(tested) + judged({CLONES: alike})


def same_program(row: Evidence) -> bool:
    """True if a row says that two names play alike, which is no sign of help."""
    return row.detector == CLONES


class Untestable(NamedTuple):
    """What could not be tested, and why."""

    who: str
    why: str


_ALWAYS: Final = "every player is at every table: play without one of them is unknown"
_ONE_OPPONENT: Final = "one of the two meets nobody else: its play against others is unknown"
_TOO_FEW: Final = (
    "too few hands, or too few tables without one of the two, to tell what each explains by itself"
)


def untestable(material: Material, rows: Sequence[Evidence]) -> list[Untestable]:
    """The pairs that no detector could test, and the matches that are compared with nothing."""
    names = material.players
    found = [
        Untestable(
            f"{player}, match {match}", "it failed in this match: its play there is compared with nothing"
        )
        for match, player in material.failed
    ]
    tested = {tuple(sorted((row.one, row.other))) for row in rows if not same_program(row)}
    missing = sorted({pair for pair in material.hands_of_pair if pair[0] < pair[1]} - tested)
    met: dict[int, set[int]] = {}
    for one, other in material.hands_of_pair:
        met.setdefault(one, set()).add(other)
    always = not material.heads_up and len(names) == material.seats.shape[1]
    if not tested and len(missing) > 1:
        return [*found, Untestable("all pairs", _ALWAYS if always else _TOO_FEW)]
    for one, other in missing:
        alone = material.heads_up and min(len(met[one]), len(met[other])) < 2
        why = _ALWAYS if always else _ONE_OPPONENT if alone else _TOO_FEW
        found.append(Untestable(f"{names[one]} and {names[other]}", why))
    return found


def _steps(material: Material, seed: int) -> Iterator[dict[str, list[Evidence]]]:
    """Evidence by detector, as each detector finishes; empty without decisions."""
    if not len(material.decisions):
        return
    if isinstance(material, koper.KoperMaterial):
        yield koper.look(material, seed)
        return
    if material.heads_up:
        study = Study(material, valued(material), len(HEADS_UP) + 1, seed)
        for name, detector in HEADS_UP.items():
            yield {name: list(detector(study))}
    else:
        yield multiway.look(material, seed)
    yield {CLONES: clones.look(material)}


_COUNTED: Final = "counted"
_READERS: Final[dict[str, Any]] = {"simultaneous": koper, "betting": betting, _COUNTED: counted}
"""The module that reads a game's decisions, by the word of the query."""

_HANDS: Final = 10_000
"""Hands read at a time, of those that are analysed: each query has a cost of its own, whatever it finds."""


def materials(
    store: "Store", event: str | None = None, progress: Progress | None = None, game: str | None = None
) -> Iterator[Material]:
    """The material of each event and game that the detectors can analyse; event, game: only this one.

    progress  called with the hands read and their total
    """
    rows = store.execute(queries("collusion")["matches"], event=event).fetchall()
    rows = [row for row in rows if game in (None, row[2])]
    rows = [row for row in rows if row[8] != _COUNTED or counted.reads(store, row[2], len(row[3]))]
    total, done = sum(row[4] for row in rows), 0
    groups: dict[tuple[str, str, int], list[tuple[Any, ...]]] = {}
    for row in rows:
        groups.setdefault((row[1], row[2], len(row[3])), []).append(row)
    for (name, game, _), found in groups.items():
        failed = [row for row in found if row[9] is not None]
        # Where all failed in some match there is nothing else to compare with.
        found = [row for row in found if row[9] is None] or found[:1]
        ids, hands = [int(row[0]) for row in found], [int(row[4]) for row in found]
        reader = _READERS[found[0][8]]
        by_match = [names_of(row[3], row[6]) for row in found]
        players = tuple(sorted({player for match in by_match for player in match}))
        code = {player: k for k, player in enumerate(players)}
        seats = np.array([[code[player] for player in match] for match in by_match], np.int16)
        every = max(1, -(-sum(hands) // reader.MOST))
        units = np.array([float(row[5] or 1.0) for row in found])
        group = Group(game, tuple(ids), seats, np.array(hands), units, every)
        parts: list[Any] = []
        results = np.zeros(seats.shape)
        for chunk in chunks(ids, hands, _HANDS * every):
            parts.append(reader.part_of(store, group, chunk))
            for match, seat, won in store.execute(queries("collusion")["results"], ids=chunk).fetchall():
                results[group.place[int(match)], seat] = (won or 0.0) / units[group.place[int(match)]]
            done += sum(hands[group.place[match]] for match in chunk)
            if progress:
                progress(done, total)
        yield reader.joined_parts(
            parts,
            event=name,
            game=game,
            players=players,
            matches=group.matches,
            seats=seats,
            hands=reader.looked_at(np.array(hands), every).astype(np.int64),
            played=np.array([row[7] for row in found], np.int64),
            results=results,
            failed=tuple((int(row[0]), names_of(row[3], row[6])[row[9]]) for row in failed),
            streets=rules_of(store, game).streets,
            order=np.argsort(
                sorted(
                    range(len(found)),
                    key=lambda k: order_of_play(found[k][12], name, found[k][10], found[k][11], found[k][0]),
                )
            ),
        )
