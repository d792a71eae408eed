"""`make hammer`: all kinds in turn for as long as it is given, from seeds that repeat a run; prints counts by kind.

Each kind holds one of these properties: after a kill, an interrupt or a full disk the next run does what an undisturbed
one does, row by row and file by file; a flipped bit is found and repaired; commands that run at once leave the rows
that they leave one after the other; whatever happens to a command, it prints no traceback, and ends with an exit code
of the docs, with one line where that is 2.
"""

import argparse
import json
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from hammer import processes, rounds, words
from hammer.forks import ForkServer
from hammer.processes import Ground
from hammer.rows import rows_of
from hammer.stores import LOGS, SAMPLES, made, tried
from hammer.words import Case
from railbird.ingest import ingest
from railbird.storage.integrity import checked_parts
from railbird.storage.locations import Folder
from railbird.storage.manifest import StoreError


class Stored:
    """A whole store and its rows, for kinds that damage a copy of it."""

    def __init__(self, folder: Path) -> None:
        """Make the store in a new folder."""
        folder.mkdir()
        self.store = made(folder)
        self.rows = rows_of(self.store)

    def same_after(self, store: Path) -> Iterator[str]:
        """After an ingest of its logs, a store has the rows of the whole one and nothing temporary."""
        ingest([str(SAMPLES / name) for name in LOGS], store)
        found = rows_of(store)
        yield from (
            f"{table}: other rows than undisturbed" for table in found if found[table] != self.rows[table]
        )
        left = [
            path.name
            for name in ("staging", "_pending")
            for path in (store / name).rglob("*")
            if path.is_file()
        ]
        if left:
            yield f"left in the store: {left[:3]}"


def flip(stored: Stored, folder: Path, dice: random.Random) -> Iterator[str]:
    """A bit flipped in a part: it is found, and an ingest of the same logs repairs it."""
    store = folder / "store"
    shutil.copytree(stored.store, store)
    part = dice.choice([path for path in sorted(store.rglob("*.parquet")) if "_retired" not in path.parts])
    data = bytearray(part.read_bytes())
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    part.write_bytes(data)
    bad = [one.part.name for one in checked_parts(Folder(store)) if one.problem]
    if bad != [part.relative_to(store).as_posix()]:
        yield f"{part.name}: a flipped bit was not found"
    yield from stored.same_after(store)


def crafted(stored: Stored, folder: Path, dice: random.Random) -> Iterator[str]:
    """Values that no railbird writes: an answer or a line."""
    for said, found in tried(stored.store, dice.randrange(1 << 32), 2):
        yield f"{said}: {' '.join(found.words[:3])}: {found.problem.strip().splitlines()[-1][:200]}"


OF_STORES: Final[Mapping[str, Callable[[Stored, Path, random.Random], Iterator[str]]]] = {
    kind.__name__: kind for kind in (flip, crafted)
}
KINDS: Final = (*processes.KINDS, *rounds.KINDS, *OF_STORES)
_IN_MEMORY: Final = Path("/dev/shm")
"""On disk, to remove a try's folders takes half of the try."""


class Hammer:
    """Tries of all kinds, and how many of each were made; a context."""

    def __init__(self, home: Path, pythons: list[str], only: list[str], nice: int = 0) -> None:
        """home: an empty folder; only: names of commands, none for all; nice: of tries"""
        self.done, self.wrong = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        self.before = Counter[tuple[str, str]]()
        self._home = home
        self._stored: Stored | None = None
        self.ground = Ground(ForkServer(nice), home / "whole", home, pythons=pythons)
        names = words.made(home / "whole")
        self.cases: dict[str, Sequence[Case]] = {}
        for name, case in words.cases():
            if name in (only or [name]):
                self.cases[name] = [*self.cases.get(name, ()), case.named(*names)]

    def case(self, kind: str, seed: int) -> tuple[str, Case | None]:
        """A command and a way to call it: each seed takes the next command, each round of them the next ways.

        "" and None for a kind that takes no command.
        """
        if kind not in processes.KINDS:
            return "", None
        turn, at = divmod(seed, len(self.cases))
        name = list(self.cases)[at]
        return name, self.cases[name][turn % len(self.cases[name])]

    def lacking(self, kinds: Sequence[str], most: int) -> set[tuple[str, str]]:
        """Kinds with a command ("" where a kind has none) that were tried less often, earlier runs included."""
        every = [
            (kind, name) for kind in kinds for name in (self.cases if kind in processes.KINDS else ("",))
        ]
        return {one for one in every if self.before[one] + self.done[one] < most}

    def tried(self, kind: str, seed: int) -> list[str]:
        """What a kind found, from a seed."""
        command, case = self.case(kind, seed)
        found = list[str]()
        try:
            found += self._found(kind, random.Random(f"{kind} {seed}"), case)
        except (OSError, StoreError) as error:
            # A try reads the store as it was left.
            found.append(f"{command or kind}: {type(error).__name__}: {error}")
        self.done[kind, command] += 1
        self.wrong[kind, command] += bool(found)
        return found

    def _found(self, kind: str, dice: random.Random, case: Case | None) -> Iterator[str]:
        if case is not None:
            yield from processes.KINDS[kind](self.ground, case, dice)
        elif kind in rounds.KINDS:
            yield from rounds.KINDS[kind](self.ground, dice)
        else:
            self._stored = self._stored or Stored(self._home / "stored")
            with tempfile.TemporaryDirectory(dir=self._home) as folder:
                yield from OF_STORES[kind](self._stored, Path(folder), dice)

    def counts(self) -> Iterator[str]:
        """A line for each kind."""
        for kind in dict.fromkeys(kind for kind, _ in self.done):
            by_command = {command: count for (of, command), count in self.done.items() if of == kind}
            wrong = sum(count for (of, _), count in self.wrong.items() if of == kind)
            line = f"{kind:15} {sum(by_command.values()):6,} tried {wrong:4,} found"
            if "" not in by_command:
                least = min(by_command, key=lambda command: by_command[command])
                line += f"  {len(by_command)} commands, the least {by_command[least]:,} ({least})"
            yield line


def counted(tally: Path) -> Counter[tuple[str, str]]:
    """How often each kind was tried with each command, by the lines of a file of counts."""
    found = Counter[tuple[str, str]]()
    for line in tally.read_text(encoding="utf-8").splitlines() if tally.exists() else ():
        for kind, command, count, _ in json.loads(line)["tried"]:
            found[kind, command] += count
    return found


def main() -> int:
    """Try all kinds in turn until the time is over; exit code 1 if anything was found."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=10.0)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--tries", type=int, default=0, help="of each kind, instead of a time")
    asked.add_argument("--only", nargs="*", default=list(KINDS), choices=list(KINDS), help="kinds")
    asked.add_argument("--command", nargs="*", default=[], choices=words.commands(), help="commands")
    asked.add_argument("--python", nargs="*", default=[], help="interpreters with railbird, for two-pythons")
    asked.add_argument(
        "--nice", type=int, default=19, help="of the tries, which leave the processor to others"
    )
    asked.add_argument("--disk", action="store_true", help="stores lie in TMPDIR, not in memory")
    asked.add_argument("--tally", type=Path, help="a file that gets a line of JSON: what was tried")
    asked.add_argument(
        "--up-to", type=int, default=0, help="tries of each kind and command, those in the tally included"
    )
    given = asked.parse_args()
    kinds = [kind for kind in given.only if kind != "two-pythons" or len(given.python) > 1]
    until, seed = time.monotonic() + 60 * given.minutes, given.seed
    home = None if given.disk or not _IN_MEMORY.is_dir() else _IN_MEMORY
    with tempfile.TemporaryDirectory(prefix="hammer-", dir=home) as folder:
        hammer = Hammer(Path(folder), given.python, given.command, given.nice)
        hammer.before = counted(given.tally) if given.tally else hammer.before
        # SIGTERM ends the run, and the counts so far are printed.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with hammer.ground.server, suppress(KeyboardInterrupt):
            while seed < given.seed + given.tries if given.tries else time.monotonic() < until:
                lacking = hammer.lacking(kinds, given.up_to or sys.maxsize)
                if not lacking:
                    break
                for kind in kinds:
                    if time.monotonic() > until and not given.tries:
                        break
                    if (kind, hammer.case(kind, seed)[0]) not in lacking:
                        continue
                    for line in hammer.tried(kind, seed):
                        print(f"{kind} --seed {seed}: {line}", flush=True)
                seed += 1
    for line in hammer.counts():
        print(line)
    if given.tally:
        tried = [[*key, count, hammer.wrong[key]] for key, count in hammer.done.items()]
        with given.tally.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"seed": given.seed, "until": seed, "tried": tried}) + "\n")
    return 1 if hammer.wrong.total() else 0


if __name__ == "__main__":
    sys.exit(main())
