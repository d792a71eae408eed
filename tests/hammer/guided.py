"""Small logs and archives, changed where coverage guides: an input that reaches new code of the readers is kept.

`make guided MINUTES=10` installs atheris (extra `guided`). Inputs are kept in `build/guided`, where the next run goes
on; those that railbird fails on are written to `build/guided-found`, and `tests/hammer/guided.py FILE` reads one again.
The first byte of an input says what kind of file the rest becomes: text of some ending, text that is packed, or the
bytes of an archive. Modules with kernels are not instrumented; those that open, cut, detect, read records and keep the
ledger are.
"""

import argparse
import bz2
import gzip
import hashlib
import io
import logging
import lzma
import os
import random
import re
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

import atheris
import zstandard

_TESTS: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(_TESTS))

_KERNEL: Final = re.compile(r"^@(?:\w+\.)?(?:kernel|part|rare|step|bundle)\b", re.MULTILINE)


def _with_kernels() -> Iterator[str]:
    """The modules with functions for the compiler, which could not read instrumented ones."""
    package = _TESTS.parent
    for room in sorted(package.iterdir()):
        for path in sorted(room.rglob("*.py")) if (room / "__init__.py").exists() else []:
            if _KERNEL.search(path.read_text("utf-8")):
                name = ".".join(path.relative_to(package).with_suffix("").parts).removesuffix(".__init__")
                yield f"railbird.{name}"


with atheris.instrument_imports(include=["railbird"], exclude=list(_with_kernels())):
    import railbird.ingest  # noqa: F401

from support.failures import Failures  # noqa: E402

from hammer.in_memory import Read, Reader  # noqa: E402
from hammer.mutants import bases, edited  # noqa: E402

KEPT: Final = Path("build", "guided")
FOUND: Final = Path("build", "guided-found")
_LARGEST: Final = 8_000


def _as_it_is(text: bytes) -> bytes:
    return text


def _zip(text: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/log.txt", text)
    return packed.getvalue()


def _tar(text: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo("a/log.txt")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    return packed.getvalue()


class Kind(NamedTuple):
    """What an input becomes: a file of a name, with the text packed or the bytes as they are."""

    name: str
    packed: Callable[[bytes], bytes]


_PACKED: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "log.txt.gz": gzip.compress,
    "log.txt.bz2": bz2.compress,
    "log.txt.xz": lzma.compress,
    "log.txt.zst": zstandard.ZstdCompressor().compress,
    "logs.zip": _zip,
    "logs.tar.gz": _tar,
}
_TEXTS: Final = ("log.txt", "log.log", "log.json", "log.jsonl", "log.csv", "log.phh", "log.phhs", "log.err")
KINDS: Final = (
    *(Kind(name, _as_it_is) for name in (*_TEXTS, *_PACKED)),
    *(Kind(name, packed) for name, packed in _PACKED.items()),
)


def seeds(corpus: str | None) -> Iterator[bytes]:
    """The first inputs: logs with their own ending, some packed, some archives as bytes."""
    for k, base in enumerate(bases(corpus)):
        same = [at for at, name in enumerate(_TEXTS) if base.name.endswith(name.removeprefix("log"))]
        yield bytes(same[:1] or [0]) + base.text[:_LARGEST]
        at = len(_TEXTS) + k % (len(KINDS) - len(_TEXTS))
        is_packed = KINDS[at].packed is not _as_it_is
        text = base.text[:_LARGEST] if is_packed else _PACKED[KINDS[at].name](base.text[:_LARGEST])
        yield bytes([at]) + text[:_LARGEST]


def unaccounted(read: Read) -> str:
    """What does not add up in the ledger of any file; "" where all does."""
    for path, account in read.accounts.items():
        hands = read.hands.get(path, [])
        held = read.matches.get(path, [])
        if not account.hands_stored == len(hands) == sum(count for _, count in held):
            return f"{path}: {account.hands_stored} hands in the ledger, {len(hands)} in the table, matches {held}"
        if account.hands_rejected < 0 or min(account.rejected.values(), default=1) < 0:
            return f"{path}: rejected {account.rejected}"
        if account.status != "ok" and not account.reason:
            return f"{path}: {account.status} without a reason"
        if lack := [hand.played for hand in hands if " rows" in hand.played]:
            return f"{path}: a hand has {lack[0]}"
    return ""


class Guided:
    """Reads inputs; raises for one that railbird fails on."""

    def __init__(self, folder: Path) -> None:
        """folder: an empty one, in memory if possible"""
        (folder / "nothing").mkdir()
        self._folder, self._failed = folder, Failures()
        self._reader = Reader(folder / "nothing")
        self._others = [base.text for base in bases(os.environ.get("RAILBIRD_CORPUS"))]
        logging.getLogger("railbird").addHandler(self._failed)
        self.read_so_far = 0

    def read(self, data: bytes) -> None:
        """AssertionError with what railbird failed on, or what does not add up."""
        if not data:
            return
        kind = KINDS[data[0] % len(KINDS)]
        path = self._folder / kind.name
        path.write_bytes(kind.packed(data[1:]))
        self._failed.texts.clear()
        try:
            why = unaccounted(self._reader.read([path]))
        finally:
            path.unlink()
        self.read_so_far += 1
        if why := why or "".join(self._failed.texts[:1]):
            raise AssertionError(why)

    def changed(self, data: bytes, most: int, seed: int) -> bytes:
        """An input after one edit: of lines, as in `make mutations`, or of bytes, as libFuzzer makes them."""
        dice = random.Random(seed)
        if dice.random() < 0.4 or len(data) < 2:
            return bytes(atheris.Mutate(data, most))
        lines = data[1:].split(b"\n")
        at = dice.randrange(len(lines))
        lines[at : at + 1] = edited(lines, at, dice.choice(self._others), dice)
        kind = dice.randrange(len(KINDS)) if dice.random() < 0.05 else data[0]
        return (bytes([kind]) + b"\n".join(lines))[:most]


def main() -> NoReturn:
    """Read one input again, or inputs for some minutes."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("file", nargs="?", type=Path)
    asked.add_argument("--minutes", type=float, default=10.0)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    in_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(
        prefix="guided-", dir=in_memory if in_memory.is_dir() else None
    ) as folder:
        guided = Guided(Path(folder))
        if given.file:
            guided.read(given.file.read_bytes())
            sys.exit(0)
        for made in (KEPT, FOUND):
            made.mkdir(parents=True, exist_ok=True)
        for k, data in enumerate(seeds(os.environ.get("RAILBIRD_CORPUS"))):
            (KEPT / f"seed-{k:05}").write_bytes(data)
        began, whys = time.monotonic(), set[str]()

        def one(data: bytes) -> None:
            try:
                guided.read(data)
            except AssertionError as error:
                # One is kept of those that end alike.
                why = str(error).rstrip().splitlines()[-1]
                if (kind := re.sub(r"\d+", "", why)) not in whys:
                    whys.add(kind)
                    path = FOUND / hashlib.sha256(data).hexdigest()[:16]
                    path.write_bytes(data)
                    print(f"{path}: {why}", flush=True)
            if time.monotonic() - began > 60 * given.minutes:
                kept = len(list(KEPT.iterdir()))
                print(f"{guided.read_so_far:,} inputs read, {kept:,} kept, {len(whys)} found", flush=True)
                # libFuzzer ends the process without leaving this function.
                for path in sorted(Path(folder).rglob("*"), reverse=True):
                    path.rmdir() if path.is_dir() else path.unlink()
                Path(folder).rmdir()
                os._exit(1 if whys else 0)

        options = [
            f"-max_len={_LARGEST + 1}", f"-seed={given.seed}", "-timeout=60", "-rss_limit_mb=2000",
            f"-artifact_prefix={FOUND}/", "-reload=0", "-print_final_stats=1",
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *options, str(KEPT)], one, custom_mutator=guided.changed)
        atheris.Fuzz()
    sys.exit(0)


if __name__ == "__main__":
    main()
