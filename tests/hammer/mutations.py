"""Small logs of every engine with edits at random, read by an ingest's own code, most of them in memory.

Of each log: railbird fails on nothing; every line and hand is accounted for; every hand that ended before the first
edit is stored as it is without the edits. A sample goes into stores, whose ledgers add up, with one thread and with
two: their rows are equal.

A log that makes railbird say something new is edited further. Of a hand that earlier edits damaged (its verdict is
`damaged`) it may depend on what follows what it was: it is stored as damaged again, or the ledger says what was left
out. How many logs have such a hand is printed. A hand may also be left out, and the ledger says so, if no rules fit its
match, because earlier edits damaged other hands of it: without results nobody knows whether the hand has ended.

`python tests/hammer/mutations.py --logs 2000 --seed 1` prints how many were read, by dialect, and what failed; the text
of each log that failed is kept in `build/mutations`, and `--only FILE BEFORE` reads one again. `make boundscheck` runs
it with kernels that check their indices.
"""

import argparse
import logging
import os
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from support.failures import Failures
from support.stores import adds_up, everything

from hammer.in_memory import Hand, Read, Reader
from hammer.mutants import Base, bases, first_edited_line, mutated
from railbird.ingest import ingest
from railbird.storage.ledger import KNOWN, Account

_TOGETHER: Final = 300
"""Logs that are read together."""
_STORED: Final = 40
"""One group in so many goes into stores as well."""
_CHUNK: Final = 1 << 16
"""Bytes of a chunk where two threads read small logs."""
_SORTED: Final = ("pokernow", "pokernow-omaha")
"""Dialects whose lines are read in the order of a column: an edited number takes its line elsewhere."""
_KEPT: Final = Path("build", "mutations")
_IN_MEMORY: Final = Path("/dev/shm")
"""On disk, to remove the logs takes longer than to read them."""
_MOST_GROWN: Final = 5_000
_FAULTS: Final = 100_000_000
_HEAD: Final = 200
"""Bytes of a log's first lines."""
_DAMAGED: Final = "damaged"


class Mutant(NamedTuple):
    """An edited log: what it was made of, and its text."""

    seed: int
    base: Base
    text: bytes


class Wrong(NamedTuple):
    """A log of which a property does not hold."""

    mutant: Mutant
    why: str


@contextmanager
def seen() -> Iterator[list[str]]:
    """The tracebacks of what railbird failed on, logged or raised."""
    found, logger = Failures(), logging.getLogger("railbird")
    level = logger.level
    logger.addHandler(found)
    logger.setLevel(logging.DEBUG)
    try:
        yield found.texts
    except Exception as error:
        found.texts.append("".join(traceback.format_exception(error)[-3:]))
    finally:
        logger.removeHandler(found)
        logger.setLevel(level)


class Hammer:
    """Reads edited logs and keeps those that made railbird say something new."""

    def __init__(self, given: Sequence[Base], folder: Path) -> None:
        """Read the logs without edits. folder: an empty one, for what is read."""
        self.given, self.folder = list(given), folder
        self.first = len(self.given)
        self.dialects = Counter[str]()
        self.said = set[str]()
        self.read_so_far = self.shifted = 0
        (folder / "nothing").mkdir(parents=True)
        self.reader = Reader(folder / "nothing")
        self.plain: dict[Base, list[Hand]] = {}
        for at in range(0, len(self.given), _TOGETHER):
            some = [Mutant(at + k, base, base.text) for k, base in enumerate(self.given[at : at + _TOGETHER])]
            read, paths = self._read(some)
            for mutant, path in zip(some, paths, strict=True):
                self.plain[mutant.base] = _of_one_engine(read, path)
                self.said |= _said(read, path)
        self.dialects.clear()

    def mutants(self, seeds: Sequence[int]) -> list[Mutant]:
        """Edited logs; two of one text are one."""
        found: dict[bytes, Mutant] = {}
        for seed in seeds:
            base, text = mutated(self.given, seed)
            if text:
                found.setdefault(text, Mutant(seed, base, text))
        return list(found.values())

    def wrong(self, mutants: Sequence[Mutant]) -> list[Wrong]:
        """Those of which a property does not hold."""
        with seen() as failed:
            read, paths = self._read(mutants)
        self.read_so_far += len(mutants)
        if failed:
            if len(mutants) == 1:
                return [Wrong(mutants[0], failed[0])]
            found = [wrong for mutant in mutants for wrong in self.wrong([mutant])]
            return found or [Wrong(mutants[0], f"with {len(mutants) - 1} others: {failed[0]}")]
        found = []
        for mutant, path in zip(mutants, paths, strict=True):
            if why := unaccounted(read, path, mutant) or lost(read, path, mutant, self.plain[mutant.base]):
                found.append(Wrong(mutant, why))
                continue
            self.shifted += shifted(read, path, mutant, self.plain[mutant.base])
            if len(self.given) - self.first < _MOST_GROWN and (said := _said(read, path) - self.said):
                self.said |= said
                grown = Base(mutant.base.name, mutant.text)
                if len(mutant.text) <= 1 << 14 and grown not in self.plain:
                    self.given.append(grown)
                    self.plain[grown] = _of_one_engine(read, path)
        return found

    def stored(self, mutants: Sequence[Mutant]) -> str:
        """Why the stores of these logs, of one thread and two, are not as they should be; "" where they are."""
        with tempfile.TemporaryDirectory(prefix="mutations-", dir=self.folder) as held, seen() as failed:
            self._write(mutants, Path(held, "logs"))
            module = sys.modules[ingest.__module__]
            with mock.patch.multiple(module, SMALL_CHUNK=_CHUNK, CHUNK_BYTES=2 * _CHUNK):
                for threads in (1, 2):
                    ingest([Path(held, "logs")], Path(held, f"store-{threads}"), workers=threads)
                    adds_up(Path(held, f"store-{threads}"))
            one, two = (everything(Path(held, f"store-{threads}")) for threads in (1, 2))
            if one != two:
                return "the rows of two threads differ: " + ", ".join(t for t in one if one[t] != two[t])
        return failed[0] if failed else ""

    def _write(self, mutants: Sequence[Mutant], folder: Path) -> list[Path]:
        paths = [folder / f"{mutant.seed:012}" / mutant.base.name for mutant in mutants]
        for path, mutant in zip(paths, mutants, strict=True):
            path.parent.mkdir(parents=True)
            path.write_bytes(mutant.text)
        return paths

    def _read(self, mutants: Sequence[Mutant]) -> tuple[Read, list[str]]:
        with tempfile.TemporaryDirectory(prefix="mutations-", dir=self.folder) as held:
            paths = self._write(mutants, Path(held))
            read = self.reader.read(paths)
        for account in read.accounts.values():
            self.dialects.update([name for name, _ in account.dialects] or ["no dialect"])
        return read, [str(path) for path in paths]


def _of_one_engine(read: Read, path: str) -> list[Hand]:
    """The hands of a log; none where lines of several engines stand in it: which one quotes the other may change."""
    account = read.accounts.get(path)
    names = [name for name, _ in account.dialects] if account is not None else []
    return read.hands.get(path, []) if len(names) == 1 and names[0] not in _SORTED else []


def _said(read: Read, path: str) -> set[str]:
    """What railbird says of a log, without its numbers and names: dialects with reasons, rules and verdicts."""
    account = read.accounts.get(path)
    if account is None:
        return set()
    dialects = ",".join(sorted(name for name, _ in account.dialects))
    reasons = [*account.rejected, account.problem, account.sidecar, account.taken_off, *account.fits]
    told = [re.sub(r"'.*|\d+", "", reason)[:60] for reason in reasons if reason]
    return {f"{dialects}: {one}" for one in (*told, *read.rules.get(path, ()))}


def unaccounted(read: Read, path: str, mutant: Mutant) -> str:
    """Why a log's ledger does not add up; "" where it does."""
    account = read.accounts.get(path)
    if account is None:
        return "no account"
    hands = read.hands.get(path, [])
    if account.hands_stored != len(hands):
        return f"{account.hands_stored} hands in the ledger, {len(hands)} in the table"
    held = read.matches.get(path, [])
    if sum(count for _, count in held) != len(hands) or account.matches != len(held):
        return f"matches of {held}, {account.matches} in the ledger, {len(hands)} hands"
    if len({(hand.match, hand.line, hand.number) for hand in hands}) != len(hands):
        return "a hand is there twice"
    if lack := [hand.played for hand in hands if " rows" in hand.played]:
        return f"a hand has {lack[0]}"
    if account.hands_rejected < 0 or min(account.rejected.values(), default=1) < 0:
        return f"rejected {account.rejected}"
    if account.status != "ok" and not account.reason:
        return f"{account.status} without a reason"
    return _uncounted(account, mutant.text)


def _uncounted(account: Account, text: bytes) -> str:
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    if b"\0" in text or b"\r" in text or account.lines_seen == lines:
        # Of other encodings and line ends, lines are counted otherwise.
        return ""
    return f"{account.lines_seen} lines in the ledger, {lines} in the file"


def lost(read: Read, path: str, mutant: Mutant, plain: Sequence[Hand]) -> str:
    """Which hand that ended before the first edit is not stored as it is without the edits; "" where all are."""
    edited = first_edited_line(mutant.base.text, mutant.text)
    hands = {(hand.line, hand.number): hand for hand in read.hands.get(path, [])}
    account = read.accounts[path]
    for hand, after in pairwise(plain):
        if after.line >= edited:
            break
        found, was_damaged = hands.get((hand.line, hand.number)), hand.verdict == _DAMAGED
        may_be_open = was_damaged or not hand.paid
        if found is None and KNOWN not in account.rejected and not (may_be_open and _says_so(account)):
            return f"hand {hand.number} of line {hand.line} is lost, edited from {edited}: {account.reason}"
        if found is None or found.game != hand.game or found.played == hand.played:
            # What follows may rightly make the match one of another game.
            continue
        if not was_damaged or found.verdict != _DAMAGED:
            return f"hand {hand.number} of line {hand.line}: {found.played}, not {hand.played}"
    return ""


def _says_so(account: Account) -> bool:
    """True where the ledger says that hands of a file are left out, or why it is not read."""
    return bool(account.rejected or account.problem or account.sidecar)


def shifted(read: Read, path: str, mutant: Mutant, plain: Sequence[Hand]) -> bool:
    """True where a hand that ended before the first edit, and was damaged before, is not stored as it was."""
    edited = first_edited_line(mutant.base.text, mutant.text)
    hands = {(hand.line, hand.number): hand.played for hand in read.hands.get(path, [])}
    return any(
        hand.verdict == _DAMAGED
        and after.line < edited
        and hands.get((hand.line, hand.number)) != hand.played
        for hand, after in pairwise(plain)
    )


def _keep(wrong: Wrong) -> Path:
    """Write a log that failed, and what it was made of."""
    folder = _KEPT / str(wrong.mutant.seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / wrong.mutant.base.name).write_bytes(wrong.mutant.text)
    (folder / "before").write_bytes(wrong.mutant.base.text)
    return folder / wrong.mutant.base.name


def main() -> int:
    """Read mutated logs; the exit code is 1 where one failed."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--logs", type=int, default=2000)
    asked.add_argument("--seconds", type=float, default=1e9)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--of", default="", help="only logs with this in their name or their first lines")
    asked.add_argument("--only", nargs=2, type=Path, metavar=("FILE", "BEFORE"))
    wanted = asked.parse_args()
    began, used, failed = time.monotonic(), time.process_time(), 0
    with tempfile.TemporaryDirectory(
        prefix="mutations-", dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None
    ) as held:
        if wanted.only:
            path, before = wanted.only
            base = Base(path.name, before.read_bytes())
            hammer = Hammer([base], Path(held))
            again = hammer.wrong([Mutant(0, base, path.read_bytes())])
            print(*(one.why for one in again), sep="\n")
            return 1 if again else 0
        every, text = bases(os.environ.get("RAILBIRD_CORPUS")), wanted.of.encode()
        hammer = Hammer(
            [one for one in every if wanted.of in one.name or text in one.text[:_HEAD]], Path(held)
        )
        first = wanted.seed * _FAULTS
        for group, at in enumerate(range(0, wanted.logs, _TOGETHER)):
            if time.monotonic() - began > wanted.seconds:
                break
            some = hammer.mutants(range(first + at, first + min(at + _TOGETHER, wanted.logs)))
            for wrong in hammer.wrong(some):
                failed += 1
                print(f"{_keep(wrong)}: {wrong.why}", flush=True)
            if group % _STORED == 0 and (why := hammer.stored(some)):
                failed += 1
                folders = [_keep(Wrong(mutant, why)).parent.name for mutant in some]
                print(f"{_KEPT}: {folders[0]} to {folders[-1]} in a store: {why}", flush=True)
    spent = time.process_time() - used
    print(f"{hammer.read_so_far:,} mutated logs of {hammer.first:,}, {failed:,} failed, {spent:,.0f} s")
    print(f"{hammer.shifted:,} with a hand that earlier edits damaged, otherwise read or left out")
    print(f"edited further: {len(hammer.given) - hammer.first:,}; by dialect:")
    for name, count in sorted(hammer.dialects.items()):
        print(f"  {name:24}{count:>10,}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
