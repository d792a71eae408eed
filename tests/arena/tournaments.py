"""Simulated tournaments with a known truth: honest players, look-alikes, and partners with a plan."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from railbird.analytics.collusion.material import Material, Rows, decisions_of, joined
from railbird.replay.acpc.definitions import PREFIX, named, shipped
from railbird.replay.games import HOLDEM_BOARDS
from railbird.variants import registry  # noqa: F401 - makes the games known

from . import policy as p
from .matches import Match, Person, own_chart, play, plays_heads_up

_UNITS: Final = {"holdem-mit": 2.0, "bounty": 2.0, "acpc/holdem.limit.3p": 10.0, "acpc/kuhn.limit.3p": 1.0}
LOOK_ALIKES: Final = ("none", "weak", "tilted", "starter", "neighbour", "adapting")


def of_matches(matches: Sequence[Match], unit: float, event: str = "arena") -> Material:
    """The material of simulated matches of one game."""
    names = tuple(sorted({name for match in matches for name in match.names}))
    code = {name: k for k, name in enumerate(names)}
    seats = np.array([[code[name] for name in match.names] for match in matches], np.int16)
    definition = named(matches[0].game.removeprefix(PREFIX), shipped())
    sizes = definition.boards if definition else HOLDEM_BOARDS
    parts = []
    for number, match in enumerate(matches):
        hands = len(match.dealers)
        rows = Rows(
            np.full(hands, number, np.int32),
            np.arange(hands, dtype=np.int32),
            np.arange(hands, dtype=np.int32),
            match.holes,
            match.boards,
            match.dealers,
            match.acts.astype(np.float32),
        )
        parts.append(decisions_of(rows, seats, np.full(len(matches), unit), sizes))
    return Material(
        event,
        matches[0].game,
        names,
        tuple(range(len(matches))),
        seats,
        np.array([len(match.dealers) for match in matches], np.int64),
        np.array([len(match.dealers) for match in matches], np.int64),
        np.array([match.deltas.sum(0) / unit for match in matches]),
        joined(parts),
    )


@dataclass(frozen=True)
class Styles:
    """The distribution of honest players: low and high ends of the numbers of `policy.person`.

    `BUILT` was used to build the detectors, `FIGURES` is used for the published figures.
    """

    enter: tuple[float, float]
    opens: tuple[float, float]
    stay: tuple[float, float]
    value: tuple[float, float]
    attack: tuple[float, float]
    bluff: tuple[float, float]
    size: tuple[float, float]
    pays: tuple[float, float]
    noise: float
    chart: float
    odds: float


BUILT: Final = Styles(
    (0.34, 0.52),
    (0.45, 0.7),
    (0.3, 0.62),
    (0.55, 0.85),
    (0.5, 0.9),
    (0.0, 0.2),
    (0.4, 1.2),
    (0.0, 0.5),
    0.04,
    0.02,
    0.2,
)
FIGURES: Final = Styles(
    (0.30, 0.50),
    (0.48, 0.78),
    (0.25, 0.66),
    (0.6, 0.9),
    (0.6, 1.0),
    (0.02, 0.3),
    (0.3, 1.6),
    (0.2, 0.8),
    0.08,
    0.03,
    0.35,
)


@dataclass(frozen=True)
class Truth:
    """A tournament and the roles in it.

    planted   (giver, receiver) by name, none in an honest tournament; plan and intensity from 0 to 1
    alike     the look-alikes among the honest players
    """

    material: Material
    matches: tuple[Match, ...]
    plan: str
    intensity: float
    planted: tuple[str, str] | None
    alike: str


def honest(styles: Styles, rng: np.random.Generator, **habits: float) -> np.ndarray:
    """A player drawn from the styles."""
    ends = (styles.enter, styles.opens, styles.stay, styles.value, styles.attack, styles.bluff, styles.size)
    style = [float(rng.uniform(*end)) for end in ends]
    odds = float(rng.random() < styles.odds)
    return p.person(style, odds=odds, noise=styles.noise, **habits)


def _alike(kind: str, rows: list[np.ndarray], rng: np.random.Generator) -> None:
    """Turn some of the players into look-alikes, in place."""
    if kind == "weak":
        rows[0][p.STAY], rows[0][p.ENTER] = 0.12, 0.2
        rows[1][p.STAY], rows[1][p.VALUE] = 0.8, 0.95
    elif kind == "tilted":
        for row in rows[:2]:
            row[p.TILT_LOSS], row[p.TILT_HANDS] = 60.0, 40.0
            row[p.TILT_DROP] = float(rng.uniform(0.2, 0.35))
    elif kind == "starter":
        for row in rows[1:3]:
            kept = row.copy()
            row[:] = rows[0]
            for place, width in ((p.ENTER, 0.05), (p.OPENS, 0.06), (p.STAY, 0.06), (p.VALUE, 0.06)):
                row[place] += float(rng.normal(0, width))
            row[p.BLUFF] = kept[p.BLUFF]
    elif kind == "adapting":
        for row in rows[:3]:
            row[p.ADAPT] = float(rng.uniform(0.3, 0.8))


def _with_plan(
    rows: list[np.ndarray], plan: str, intensity: float, styles: Styles, rng: np.random.Generator
) -> None:
    """The last player but one gives, the last one receives."""
    number = p.PLANS.index(plan)
    for place, gives in ((-2, 1.0), (-1, 0.0)):
        row = rows[place]
        row[p.PLAN], row[p.GIVES], row[p.INTENSITY] = number, gives, intensity
        row[p.PAYS] = float(rng.uniform(*styles.pays))
    if plan in ("shared-cards", "clone"):
        # One of them follows the plan or copies the other; the other plays as itself.
        rows[-1][p.PLAN] = p.NONE


def tournament(
    game: str,
    seed: int,
    plan: str = "none",
    intensity: float = 0.0,
    alike: str = "none",
    styles: Styles = BUILT,
    players: int = 6,
    hands: int = 3000,
    matches: int = 3,
) -> Truth:
    """A round robin: `hands` for each pair (heads-up) or table of three, in so many matches.

    plan       a plan of `policy.PLANS` for the last two players; alike: LOOK_ALIKES among the first
    The same arguments give the same tournament. ValueError for an unknown plan or look-alike.
    """
    if plan not in p.PLANS or alike not in LOOK_ALIKES:
        raise ValueError(f"there is no plan {plan!r} or no look-alike {alike!r}")
    rng = np.random.default_rng([seed, p.PLANS.index(plan), LOOK_ALIKES.index(alike), len(game)])
    heads_up = plays_heads_up(game)
    rows = [honest(styles, rng) for _ in range(players)]
    if game == "bounty":
        for row in rows:
            row[p.HUNTS] = float(rng.uniform(0.0, 0.2))
    _alike(alike, rows, rng)
    if plan != "none":
        _with_plan(rows, plan, intensity, styles, rng)
    people = [
        Person(f"bot{k:02d}", row, own_chart(int(rng.integers(2**31)), styles.chart))
        for k, row in enumerate(rows)
    ]
    order = rng.permutation(players)
    if alike == "neighbour":
        order = np.arange(players)
    played = _round_robin(game, [people[k] for k in order], people, plan, hands, matches, heads_up, seed)
    pair = (people[-2].name, people[-1].name) if plan != "none" else None
    material = of_matches(played, _UNITS[game])
    return Truth(material, tuple(played), plan, intensity, pair, alike)


def _round_robin(
    game: str,
    seated: Sequence[Person],
    people: Sequence[Person],
    plan: str,
    hands: int,
    matches: int,
    heads_up: bool,
    seed: int,
) -> list[Match]:
    giver, receiver = people[-2].name, people[-1].name
    played: list[Match] = []
    for table in combinations(seated, 2 if heads_up else 3):
        names = [person.name for person in table]
        both = plan != "none" and giver in names and receiver in names
        friends = [-1] * len(table)
        if both:
            friends[names.index(giver)], friends[names.index(receiver)] = (
                names.index(receiver),
                names.index(giver),
            )
        twins = [people[-1] if name == giver else person for name, person in zip(names, table, strict=True)]
        for number in range(matches):
            sub = seed * 100_003 + len(played)
            if not heads_up:
                # Seatings rotate with the matches, so that every order of players occurs.
                turn = number % len(table)
                table_now = [*table[turn:], *table[:turn]]
                friends_now = [
                    -1 if f < 0 else (f - turn) % len(table) for f in [*friends[turn:], *friends[:turn]]
                ]
                played.append(play(game, table_now, hands // matches, sub, friends_now))
            else:
                played.append(play(game, table, hands // matches, sub, friends if both else (), twins))
    return played
