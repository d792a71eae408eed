"""Inputs that cost more than they look: what `ingest` makes of them, in which memory and time.

`python tests/hammer/bombs.py` prints a row for each kind; `--scale 0.05` makes small ones, `--only KIND` one kind.
"""

import argparse
import bz2
import gzip
import lzma
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import IO, Final

import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hammer.running import Ran, ran

MOST_MB: Final = 700
"""Resident memory that an ingest may take, whatever it is given."""
_UNIT: Final = 1 << 20
_SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_logs"
_HEADER: Final = b"2026-03-07 12:00:00 Heron vs Otter\n\n"
_ACPC: Final = b"# name/game/hands/seed %d holdem.limit.2p.reverse_blinds.game 100 1\n"

_PACKERS: Final[dict[str, tuple[str, Callable[[bytes], bytes]]]] = {
    "gzip": (".gz", lambda data: gzip.compress(data, 9)),
    "zstd": (".zst", lambda data: zstandard.ZstdCompressor(level=19).compress(data)),
    "bz2": (".bz2", bz2.compress),
    "xz": (".xz", lzma.compress),
}


def _packed(kind: str, unit: bytes, folder: Path, scale: float) -> None:
    """A compressed file of 2 GB of a repeated MB, in frames of 64 of them."""
    size = int(2048 * scale)
    ending, pack = _PACKERS[kind]
    most = min(size, 64)
    frame = pack(unit * most)
    (folder / f"bomb.txt{ending}").write_bytes(frame * (size // most))


def _repeated(out: IO[bytes], unit: bytes, size: int) -> None:
    for _ in range(size):
        out.write(unit)


def _game() -> bytes:
    return sorted((_SAMPLES / "holdem-mit").glob("*.txt"))[0].read_bytes()


def long_line(folder: Path, scale: float) -> None:
    """A file that is one line of 1 GB."""
    with (folder / "line.txt").open("wb") as out:
        _repeated(out, b"x" * _UNIT, int(1000 * scale))


def line_in_a_log(folder: Path, scale: float) -> None:
    """A line of 200 MB between a log's hands."""
    text = _game()
    half = text.index(b"\nRound #2,") + 1
    with (folder / "log.txt").open("wb") as out:
        out.write(text[:half])
        _repeated(out, b"x" * _UNIT, int(200 * scale))
        out.write(b"\n" + text[half:])


def line_after_header(folder: Path, scale: float) -> None:
    """A line of 200 MB after a header."""
    with (folder / "log.txt").open("wb") as out:
        out.write(_HEADER)
        _repeated(out, b"x" * _UNIT, int(200 * scale))


def sidecar(folder: Path, scale: float) -> None:
    """A log of the ACPC dealer, and its `.err` with a line of 800 MB."""
    shutil.copy(_SAMPLES / "acpc" / "crashed.log", folder)
    with (folder / "crashed.err").open("wb") as out:
        out.write((_SAMPLES / "acpc" / "crashed.err").read_bytes())
        _repeated(out, b"x" * _UNIT, int(800 * scale))


def headers(folder: Path, scale: float) -> None:
    """A million headers of MIT's engines, without hands."""
    (folder / "log.txt").write_bytes(_HEADER * int(1_000_000 * scale))


def acpc_headers(folder: Path, scale: float) -> None:
    """A million headers of the ACPC dealer, without hands."""
    (folder / "log.log").write_bytes(b"".join(_ACPC % k for k in range(int(1_000_000 * scale))))


def acpc_matches(folder: Path, scale: float) -> None:
    """200,000 matches of the ACPC dealer of a hand each."""
    hand = b"STATE:0:rrf:Qs8d|2h7c:-10|10:Heron|Otter\n"
    (folder / "log.log").write_bytes(b"".join((_ACPC % k) + hand for k in range(int(200_000 * scale))))


def _season(count: int) -> Iterator[bytes]:
    """So many matches of the ACPC dealer, no two alike, of 40 players in pairs; the cards are not those of the seed."""
    dice = Random(1)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    for number in range(count):
        one, other = (b"P%02d" % k for k in dice.sample(range(40), 2))
        match = [_ACPC % number]
        for hand, names in enumerate((one + b"|" + other, other + b"|" + one)):
            cards = "{}{}|{}{}".format(*dice.sample(deck, 4)).encode()
            match.append(b"STATE:%d:rrf:%b:-10|10:%b\n" % (hand, cards, names))
        yield b"".join(match)


def season(folder: Path, scale: float) -> None:
    """200,000 different matches of two hands in one file."""
    with (folder / "log.log").open("wb") as out:
        out.writelines(_season(int(200_000 * scale)))


def season_files(folder: Path, scale: float) -> None:
    """100,000 different matches of two hands in a file each."""
    for number, match in enumerate(_season(int(100_000 * scale))):
        (folder / f"{number:06}.log").write_bytes(match)


def _acpc_match(folder: Path, scale: float, sample: str, game: bytes, seats: int) -> None:
    """One match of the ACPC dealer of 30 MB, which is read: the hands of another, numbered on."""
    text = (_SAMPLES / "acpc" / sample).read_bytes()
    lines = [line for line in text.splitlines(keepends=True) if line.startswith(b"STATE:")]
    with (folder / "log.log").open("wb") as out:
        size = out.write(b"# name/game/hands/seed long %s 900000 77\n" % game)
        number = 0
        while size < 30 * _UNIT * scale:
            # Players change seats with every hand.
            line = lines[number % (len(lines) // seats * seats)]
            size += out.write(b"STATE:%d:%s" % (number, line.split(b":", 2)[2]))
            number += 1


def dense_match(folder: Path, scale: float) -> None:
    """One match of 30 MB of the ACPC dealer whose hands have as many bets as fixed limits allow."""
    hands = (
        b"crrrc/rrrrc/rrrrc/rrrrc:9d7c|8h6s/2c3h5d/Js/Qh:240|-240:A|B",
        b"crrrc/rrrrc/rrrrc/rrrrc:8h6s|9d7c/2c3h5d/Js/Qh:-240|240:B|A",
    )
    with (folder / "log.log").open("wb") as out:
        size = out.write(b"# name/game/hands/seed long holdem.limit.2p.reverse_blinds.game 900000 77\n")
        number = 0
        while size < 30 * _UNIT * scale:
            size += out.write(b"STATE:%d:%s\n" % (number, hands[number % 2]))
            number += 1


def _long_match(folder: Path, scale: float, game: str) -> None:
    """One match of 30 MB of an engine of MIT's: the hands of another, numbered on."""
    text = max((_SAMPLES / game).glob("20*.txt"), key=lambda path: path.stat().st_size).read_bytes()
    head, *hands = re.split(rb"(?m)^(?=Round #)", text)
    # The last one ends with the match.
    hands.pop()
    with (folder / "log.txt").open("wb") as out:
        size, number = out.write(head), 0
        while size < 30 * _UNIT * scale:
            number += 1
            hand = hands[(number - 1) % len(hands)]
            size += out.write(re.sub(rb"^Round #\d+", b"Round #%d" % number, hand))


def equal_beginnings(folder: Path, scale: float) -> None:
    """100,000 matches of two hands of the ACPC dealer, of which all first hands are equal."""
    with (folder / "log.log").open("wb") as out:
        for k in range(int(100_000 * scale)):
            first, second = divmod(k, 1128)
            cards = [b"%c%c" % (rank, suit) for suit in b"cdhs" for rank in b"23456789TJKQ"]
            pair = next(islice(combinations(cards, 2), second, None))
            out.write((_ACPC % k) + b"STATE:0:rrf:AsAd|AhAc:-10|10:Heron|Otter\n")
            out.write(b"STATE:%d:rrf:%s|AsAd:-10|10:Otter|Heron\n" % (1 + first, b"".join(pair)))


def first_hands(folder: Path, scale: float) -> None:
    """A match of MIT's engines that begins again after its first hand, 100,000 times."""
    text = _game()
    hand = text[text.index(b"Round #1,") : text.index(b"Round #2,")]
    (folder / "log.txt").write_bytes((_HEADER + hand) * int(100_000 * scale))


def one_match(folder: Path, scale: float) -> None:
    """One match of 500 MB: its hands are those of a match of MIT's engine, numbered on."""
    text = _game()
    hand = text[text.index(b"Round #1,") : text.index(b"Round #2,")]
    with (folder / "log.txt").open("wb") as out:
        out.write(_HEADER)
        size = number = 0
        while size < 500 * _UNIT * scale:
            number += 1
            size += out.write(hand.replace(b"#1,", b"#%d," % number, 1))


def blank_lines(folder: Path, scale: float) -> None:
    """A log whose first hand is followed by 500 MB of short lines."""
    text = _game()
    with (folder / "log.txt").open("wb") as out:
        out.write(text[: text.index(b"\nRound #2,") + 1])
        _repeated(out, b"x\n" * (_UNIT // 2), int(500 * scale))


def deep(folder: Path, scale: float) -> None:
    """Folders in folders, 1,200 deep, with a log at the bottom."""
    # Paths have at most 4,096 bytes.
    for _ in range(int(1200 * scale)):
        folder /= "d"
        folder.mkdir()
    (folder / "log.txt").write_bytes(_game())


def document(folder: Path, scale: float) -> None:
    """A JSON document of 800 MB."""
    with (folder / "game.json").open("wb") as out:
        out.write(b'{"rounds": [')
        _repeated(out, b"[[[[0]]]]," * (_UNIT // 10), int(800 * scale))
        out.write(b"0]}")


BOMBS: Final[dict[str, Callable[[Path, float], None]]] = {
    **{
        f"{kind}-{name}": partial(_packed, kind, unit)
        for kind in _PACKERS
        for name, unit in (("zeros", bytes(_UNIT)), ("lines", b"x\n" * (_UNIT // 2)))
    },
    "line": long_line,
    "line-in-log": line_in_a_log,
    "line-after-header": line_after_header,
    "sidecar": sidecar,
    "headers": headers,
    "acpc-headers": acpc_headers,
    "acpc-matches": acpc_matches,
    "acpc-match": partial(
        _acpc_match, sample="limit.log", game=b"holdem.limit.2p.reverse_blinds.game", seats=2
    ),
    "acpc-six": partial(_acpc_match, sample="six-max.log", game=b"holdem.nolimit.6p.game", seats=6),
    "acpc-dense": dense_match,
    "bounty-match": partial(_long_match, game="bounty"),
    "blotto-match": partial(_long_match, game="blotto"),
    "equal-beginnings": equal_beginnings,
    "first-hands": first_hands,
    "season": season,
    "season-files": season_files,
    "one-match": one_match,
    "blank-lines": blank_lines,
    "deep": deep,
    "document": document,
}
"""The kinds: each writes a folder of logs, of which `scale` says how large; 1 is as large as an attacker's."""


def dropped(kind: str, scale: float, folder: Path, *options: str) -> Ran:
    """An ingest of a bomb, made in a folder that is empty."""
    logs = folder / "logs"
    logs.mkdir()
    BOMBS[kind](logs, scale)
    return ran("ingest", str(logs), "--store", str(folder / "store"), *options, folder=folder)


def removed(folder: Path) -> None:
    """Remove a folder whose folders are nested deeper than Python's own removal can follow."""
    subprocess.run(["rm", "-rf", str(folder)], check=True)


def main() -> None:
    """Print a row for each kind."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--scale", type=float, default=1.0)
    asked.add_argument("--only", nargs="*", default=list(BOMBS))
    given = asked.parse_args()
    for kind in given.only:
        folder = Path(tempfile.mkdtemp(prefix="bombs-"))
        try:
            found = dropped(kind, given.scale, folder)
        finally:
            removed(folder)
        lines = found.err.splitlines()
        cost = f"{found.peak:6.0f} MB {found.seconds:6.1f} s"
        print(f"{kind:18} {found.code!s:>4} {cost}  {len(lines)} lines", flush=True)
        for line in [*lines[:3], *found.out.splitlines()[:4]]:
            print(f"    {line[:200]}", flush=True)


if __name__ == "__main__":
    main()
