"""Several commands on one store at once: readers, writers and a server; and commands of two versions of Python.

At the end the store has the rows that it has if the same writers come one after the other.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from hammer.forks import Command
from hammer.processes import Ground, damaged, ended_well, left_in, visited
from hammer.rows import rows_of
from hammer.stores import SAMPLES
from hammer.words import FRESH

_LOGS: Final = (*FRESH, "omaha-2016", "anaconda", "husky")
"""Logs that the writers of a round share among them."""
_READERS: Final = (
    ("verify",),
    ("verify", "--store-integrity"),
    ("bankroll",),
    ("standings",),
    ("luck",),
    ("hands", "--pot", ">1"),
    ("sql", "from actions join hands using (match_id, hand_index)"),
    ("export", "./out/phh", "--to", "phh"),
    ("stats",),
)
_SLOW: Final = 0.02
_VISITS: Final = 2.0


def _words(words: Sequence[str]) -> list[str]:
    return [*words, "--store", "./store"]


def _expected(ground: Ground) -> dict[str, list[str]]:
    """The rows after all logs, the tag and the compaction, one after the other; made once."""
    key = "rounds"
    if key not in ground.rows:
        with ground.folder() as folder:
            for words in (
                *(["ingest", str(SAMPLES / log)] for log in _LOGS),
                ["tag", "2025-01-05", "try=1"],
                ["compact"],
            ):
                command = Command(_words(words), str(folder))
                ended = ground.server.run(command)
                if found := list(ended_well(command, ended)):
                    raise AssertionError(found)
            ground.rows[key] = rows_of(folder / "store")
    return ground.rows[key]


def concurrent(ground: Ground, dice: random.Random) -> Iterator[str]:
    """Writers of different logs, a compaction, readers and a server, all at once; sometimes with clocks that jump."""
    yield from _round(ground, dice, [""])


def two_pythons(ground: Ground, dice: random.Random) -> Iterator[str]:
    """The same, where each command runs in one of several versions of Python."""
    yield from _round(ground, dice, ground.pythons)


def _round(ground: Ground, dice: random.Random, pythons: Sequence[str]) -> Iterator[str]:
    expected = _expected(ground)
    with ground.folder() as folder:
        logs = [str(SAMPLES / log) for log in _LOGS]
        dice.shuffle(logs)
        at = dice.randrange(1, len(logs))
        # A log in both: each hand is stored once.
        writers = [
            ["ingest", *logs[: at + 1]],
            ["ingest", *logs[at:]],
            ["compact"],
            ["tag", "2025-01-05", "try=1"],
        ]
        readers = [list(words) for words in dice.sample(_READERS, 3)]
        is_slow, is_back = dice.random() < 0.5, dice.random() < 0.3
        commands = [
            Command(
                _words(words),
                str(folder),
                slow=_SLOW * is_slow,
                clock=dice.randrange(1, 1 << 30) * (is_back and dice.random() < 0.5),
                output=str(folder / f"said-{number}"),
                python=dice.choice(pythons),
            )
            for number, words in enumerate([*writers, *readers])
        ]
        dice.shuffle(commands)
        server = Command(
            _words(["serve", "--every", "0.1"]), str(folder), is_endless=True, python=dice.choice(pythons)
        )
        ground.server.begin([*commands, server])
        visited(server, _VISITS)
        for command, ended in zip([*commands, server], ground.server.ended(), strict=True):
            yield from ended_well(command, ended)
            allowed = (0, 130) if command == server else (0,)
            if ended.code not in allowed:
                yield f"{' '.join(command.words[:3])}: exit {ended.code}: {ended.err[-200:]}"
        yield from damaged(folder)
        # A compaction that began first left small parts, a reader of before its files.
        last = Command(_words(["compact"]), str(folder), python=dice.choice(pythons))
        yield from ended_well(last, ground.server.run(last))
        found = rows_of(folder / "store")
        yield from (
            f"{table}: other rows than one after the other"
            for table in found
            if found[table] != expected[table]
        )
        if left := left_in(folder):
            yield f"left after a round: {left[:3]}"


def killed_in_turn(ground: Ground, dice: random.Random) -> Iterator[str]:
    """Writers of one store that are killed at random while others write; in the end all logs are stored, once."""
    expected = _expected(ground)
    with ground.folder() as folder:
        for _ in range(2):
            commands = [
                Command(
                    _words(["ingest", *(str(SAMPLES / log) for log in dice.sample(_LOGS, 3))]),
                    str(folder),
                    stop=dice.choice((0, 9, 9, 2)),
                    after=dice.random() * 1.5,
                    slow=_SLOW,
                    output=str(folder / f"said-{number}"),
                )
                for number in range(3)
            ]
            ground.server.begin(commands)
            for command, ended in zip(commands, ground.server.ended(), strict=True):
                yield from ended_well(command, ended)
        yield from damaged(folder)
        logs = [str(SAMPLES / log) for log in _LOGS]
        for words in (["ingest", *logs], ["tag", "2025-01-05", "try=1"]):
            command = Command(_words(words), str(folder))
            ended = ground.server.run(command)
            yield from ended_well(command, ended)
        found = rows_of(folder / "store")
        yield from (
            f"{table}: other rows than undisturbed" for table in found if found[table] != expected[table]
        )
        if left := left_in(folder):
            yield f"left after the next run: {left[:3]}"


KINDS: Final[Mapping[str, Callable[[Ground, random.Random], Iterator[str]]]] = {
    kind.__name__.replace("_", "-"): kind for kind in (concurrent, killed_in_turn, two_pythons)
}
