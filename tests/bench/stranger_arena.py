"""Tournaments of the tests' second arena, and what the detectors of collusion say of them: played, kept, judged.

A run that was stopped goes on. The seeds begin at `FIRST_SEED`: those below it were
used while the arena was built, and the tests have others.
"""

import json
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any, Final

from arena.stranger_events import GAMES, HONEST, Event, write_event
from arena.stranger_plans import BEHIND, RIVERS, SEED, SIZES, SQUEEZE

from bench.kept import Kept
from railbird.analytics.collusion import detectors
from railbird.analytics.information import evidence, material
from railbird.analytics.store import open_store
from railbird.ingest import ingest

FIRST_SEED: Final = 700_000
ROUNDS: Final = 18
"""Each plays every game once with honest players (306 tournaments in all), and every cell once."""
SHARE: Final = 0.5
CELLS: Final = tuple(
    (game, plan)
    for plan, games in (
        (BEHIND, ("holdem-mit", "bounty", "river-of-blood", "acpc/holdem.nolimit.3p")),
        (SIZES, ("holdem-mit", "auction", "toss", "acpc/holdem.nolimit.2p.reverse_blinds")),
        (RIVERS, ("holdem-mit", "acpc/holdem.limit.2p.reverse_blinds", "swap", "permutation")),
        (SQUEEZE, ("acpc/holdem.limit.3p", "acpc/holdem.nolimit.3p")),
        (SEED, ("holdem-mit", "bounty")),
    )
    for game in games
)
"""The planted plans, by game."""
INFORMED: Final = tuple(game for game, plan in CELLS if plan == SEED)
"""Games in which `railbird audit information` is asked, too: a bot that reads the seed has no partner."""
_TWINS: Final = 3
"""In one of so many rounds two names of the honest tournaments are one program."""


def orders(rounds: int, first: int) -> Iterator[Event]:
    """What is played, some of each in every round."""
    for number in range(rounds):
        twins = number % _TWINS == 1
        for game in GAMES:
            yield Event(game, HONEST, first + number, SHARE, twins)
        for game, plan in CELLS:
            yield Event(game, plan, first + number, SHARE)


def pair_of(event: Event) -> str | None:
    """The names of the planted pair; the name alone of a bot that reads the seed."""
    if event.plan == HONEST:
        return None
    return event.names[-2] if event.plan == SEED else "+".join(event.names[-2:])


def judged(event: Event) -> dict[str, Any]:
    """The p values and flags of one tournament.

    tests     p of every test by detector; flags: detector, pair, q and effect; alike: pairs named as one program
    least     the smallest p of each pair; informed: the smallest p of each player in the audit of information
    """
    begun = process_time()
    tests: dict[str, list[float]] = {}
    least: dict[str, float] = {}
    flags, alike, informed = [], [], dict[str, float]()
    with TemporaryDirectory() as folder:
        logs, place = Path(folder) / "logs", Path(folder) / "store"
        followed = write_event(event, logs)
        ingest([logs], place, event="strangers")
        with open_store(place) as store:
            for found in detectors.materials(store):
                for row in detectors.look(found, event.seed):
                    both = "+".join(sorted((found.players[row.one], found.players[row.other])))
                    if detectors.same_program(row):
                        alike += [both] if row.flag else []
                        continue
                    least[both] = min(least.get(both, 1.0), row.p)
                    tests.setdefault(row.detector, []).append(float(f"{row.p:.4g}"))
                    if row.flag:
                        flags.append([row.detector, both, row.q_all, row.effect])
            if event.game in INFORMED and event.plan in (SEED, HONEST):
                for asked in material.materials(store):
                    for one in evidence.look(asked):
                        name = asked.players[one.player]
                        informed[name] = min(informed.get(name, 1.0), one.p)
                        if one.flag:
                            flags.append([f"information: {one.fact.name}", name, one.q, None])
    return {
        "event": asdict(event),
        "followed": followed,
        "pair": pair_of(event),
        "least": least,
        "tests": tests,
        "flags": flags,
        "alike": alike,
        "informed": informed,
        "seconds": round(process_time() - begun, 1),
    }


def key(event: dict[str, Any]) -> str:
    """What makes a result that of an event."""
    return json.dumps(event, sort_keys=True)


JUDGED_BY: Final = (
    "analytics/collusion",
    "analytics/information",
    "tests/arena/pokerkit_tables.py",
    "tests/arena/stranger_bots.py",
    "tests/arena/stranger_events.py",
    "tests/arena/stranger_plans.py",
    "tests/bench/stranger_arena.py",
)
"""The code that makes a result what it is."""


def play(path: Path, rounds: int, first: int, minutes: float, workers: int) -> list[dict[str, Any]]:
    """Play what the file lacks, until the minutes are over; returns all results of these rounds."""
    wanted = list(orders(rounds, first))
    kept = Kept(path, JUDGED_BY)
    done = {key(row["event"]) for row in kept.rows}
    missing = iter([event for event in wanted if key(asdict(event)) not in done])
    end = monotonic() + 60 * minutes
    # A process that is forked after Polars was imported hangs.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        running: set[Future[dict[str, Any]]] = set()
        while True:
            while len(running) < workers and monotonic() < end and (event := next(missing, None)):
                running.add(pool.submit(judged, event))
            if not running:
                break
            one = next(as_completed(running))
            running.remove(one)
            kept.add(one.result())
    asked = {key(asdict(event)) for event in wanted}
    return [row for row in kept.rows if key(row["event"]) in asked]
