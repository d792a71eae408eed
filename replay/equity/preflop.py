"""Two hands before the flop: every matchup is counted once, up to suits and seats, and kept on disk.

`python -m railbird.replay.equity.preflop` counts all 47,008 of them and writes `preflop.csv`, their sums.
"""

import csv
import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.cache import cache_folder
from ...progress import Progress
from ..cards import RANKS
from .counting import count, situations

BOARDS: Final = comb(48, 5)
DEALS: Final = comb(52, 2) * comb(50, 2)
SUMS: Final = Path(__file__).with_name("preflop.csv")
_FILE: Final = "preflop-1.npz"
"""Its number goes up when the counts change: it outlives the kernels that counted it."""
_WINS, _HITS = slice(0, 3), slice(3, 42)
_CHUNK: Final = 128


class Matchups(NamedTuple):
    """Chances of pairs of hands: `wins` (n, 3) of player 0, player 1 and a split; `hits` (n, 3, 13) of these and a
    rank on the board."""

    wins: NDArray[np.float64]
    hits: NDArray[np.float64]


def _keys(holes: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The number of each matchup's class, the least over suits and seats; and whether that swaps the seats."""
    codes = holes.astype(np.int64).reshape(len(holes), 4)
    ranks, suits = codes >> 2, codes & 3
    best = np.full(len(codes), np.iinfo(np.int64).max)
    swapped = np.zeros(len(codes), np.bool_)
    for order in permutations(range(4)):
        named = ranks * 4 + np.array(order)[suits]
        first = np.sort(named[:, :2], axis=1)
        second = np.sort(named[:, 2:], axis=1)
        one, two = first[:, 1] * 52 + first[:, 0], second[:, 1] * 52 + second[:, 0]
        for key, swap in ((one * 2704 + two, False), (two * 2704 + one, True)):
            better = key < best
            best = np.where(better, key, best)
            swapped = np.where(better, swap, swapped)
    return best, swapped


def _cards(keys: NDArray[np.int64]) -> NDArray[np.int8]:
    """Two hands of each class."""
    one, two = keys // 2704, keys % 2704
    cards = np.stack([one // 52, one % 52, two // 52, two % 52], axis=1)
    return cards.reshape(-1, 2, 2).astype(np.int8)


class _Kept:
    """The matchups counted so far, as keys in order and their counts; a file above the folders of compiled kernels."""

    def __init__(self) -> None:
        self.path = cache_folder().parent / _FILE
        self.keys = np.zeros(0, np.int64)
        self.counts = np.zeros((0, 42), np.int32)
        self._read()

    def _read(self) -> None:
        try:
            with np.load(self.path) as data:
                self._merge(data["keys"], data["counts"])
        except (OSError, ValueError, KeyError):
            pass  # not there yet, or cut short: it is counted again

    def _merge(self, keys: NDArray[np.int64], counts: NDArray[np.int32]) -> None:
        fresh = ~np.isin(keys, self.keys)
        every = np.concatenate([self.keys, keys[fresh]])
        order = np.argsort(every, kind="stable")
        self.keys, self.counts = every[order], np.concatenate([self.counts, counts[fresh]])[order]

    def add(self, keys: NDArray[np.int64], counts: NDArray[np.int32]) -> None:
        """Keep more; what other processes kept meanwhile stays."""
        self._merge(keys, counts)
        self._read()
        # What is left of it when the process is killed goes with the kernels of this version.
        fresh = cache_folder() / f"{_FILE}.{os.getpid()}.npz"
        try:
            np.savez(fresh, keys=self.keys, counts=self.counts)
            fresh.replace(self.path)
        except OSError:
            fresh.unlink(missing_ok=True)  # a full disk: kept for this process


@cache
def _kept() -> _Kept:
    return _Kept()


def _count(keys: NDArray[np.int64]) -> NDArray[np.int32]:
    found = count(situations(_cards(keys)), hits=True)
    both = np.concatenate([found.wins[:, 0, 1:4], found.hits[:, 1:4].reshape(len(keys), 39)], axis=1)
    counts: NDArray[np.int32] = np.rint(both * BOARDS).astype(np.int32)
    return counts


def matchups(holes: NDArray[np.integer], progress: Progress | None = None, threads: int = 1) -> Matchups:
    """The chances of pairs of hands over all boards.

    holes     (n, 2, 2) codes of cards, no two alike within a pair
    progress  called with classes counted and to be counted; those that were counted before cost nothing
    """
    keys, swapped = _keys(holes)
    kept = _kept()
    missing = np.setdiff1d(keys, kept.keys)
    if len(missing):
        chunks = [missing[at : at + _CHUNK] for at in range(0, len(missing), _CHUNK)]
        done: list[NDArray[np.int32]] = []
        with ThreadPoolExecutor(threads) as pool:
            try:
                for counts in pool.map(_count, chunks):
                    done.append(counts)
                    if progress is not None:
                        progress(sum(map(len, done)), len(missing))
            finally:
                pool.shutdown(cancel_futures=True)
                if done:
                    counted = np.concatenate(done)
                    kept.add(missing[: len(counted)], counted)
    rows = kept.counts[np.searchsorted(kept.keys, keys)] / BOARDS
    wins, hits = rows[:, _WINS], rows[:, _HITS].reshape(-1, 3, 13)
    turned = [1, 0, 2]
    return Matchups(
        np.where(swapped[:, None], wins[:, turned], wins),
        np.where(swapped[:, None, None], hits[:, turned], hits),
    )


class Sums(NamedTuple):
    """Means over all deals.

    unseen    (13, 13) equity against two unseen cards: [high, low] suited, [low, high] offsuit, pairs on the diagonal
    win_hit   (13) chance that a player wins and a rank is among his cards and the board; tie_hit: that the pot is split
    """

    unseen: NDArray[np.float64]
    win_hit: NDArray[np.float64]
    tie_hit: NDArray[np.float64]


@cache
def sums() -> Sums:
    """The means of `preflop.csv`."""
    unseen, win_hit, tie_hit = np.zeros((13, 13)), np.zeros(13), np.zeros(13)
    with SUMS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            number = int(row["count"])
            if row["what"] == "unseen":
                first, second = (RANKS.index(rank) for rank in row["cards"][:2])
                place = (second, first) if row["cards"].endswith("o") else (first, second)
                unseen[place] = number / (2 * comb(50, 2) * BOARDS)
            elif row["what"] != "tie":
                into = win_hit if row["what"] == "win_hit" else tie_hit
                into[RANKS.index(row["cards"])] = number / (DEALS * BOARDS)
    return Sums(unseen, win_hit, tie_hit)


@cache
def tie_chance() -> float:
    """The chance that two hands split the pot, over all deals."""
    with SUMS.open(encoding="utf-8", newline="") as file:
        number = next(int(row["count"]) for row in csv.DictReader(file) if row["what"] == "tie")
    return number / (DEALS * BOARDS)


def against_unseen(holes: NDArray[np.integer]) -> NDArray[np.float64]:
    """The equity of pairs of hole cards, (n, 2) codes, against two unseen cards before the flop."""
    ranks, suited = holes >> 2, (holes[:, 0] & 3) == (holes[:, 1] & 3)
    high, low = ranks.max(axis=1), ranks.min(axis=1)
    found: NDArray[np.float64] = sums().unseen[np.where(suited, high, low), np.where(suited, low, high)]
    return found


def _write_sums() -> None:
    """Count everything and write `preflop.csv`: every class once, weighted by the deals in it."""
    hands = np.array(list(combinations(range(52), 2)), np.int8)
    names: dict[str, int] = {}
    win_hit, tie_hit, ties = np.zeros(13, np.int64), np.zeros(13, np.int64), 0
    for first in hands:
        second = hands[~np.isin(hands, first).any(axis=1)]
        pairs = np.stack([np.broadcast_to(first, second.shape), second], axis=1)
        low, high = sorted(int(code) for code in first)
        name = RANKS[high >> 2] + RANKS[low >> 2]
        if high >> 2 != low >> 2:
            name += "s" if high & 3 == low & 3 else "o"
        found = matchups(pairs, threads=os.cpu_count() or 1)
        wins = np.rint(found.wins * BOARDS).astype(np.int64).sum(axis=0)
        names.setdefault(name, int(2 * wins[0] + wins[2]))
        ties += int(wins[2])
        hits = np.rint(found.hits * BOARDS).astype(np.int64).sum(axis=0)
        for rank in range(13):
            own = rank in (low >> 2, high >> 2)
            win_hit[rank] += wins[0] if own else hits[0, rank]
            tie_hit[rank] += wins[2] if own else hits[2, rank]
    with SUMS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("what", "cards", "count"))
        writer.writerows(("unseen", name, number) for name, number in sorted(names.items()))
        writer.writerow(("tie", "", ties))
        writer.writerows(("win_hit", RANKS[rank], int(number)) for rank, number in enumerate(win_hit))
        writer.writerows(("tie_hit", RANKS[rank], int(number)) for rank, number in enumerate(tie_hit))


if __name__ == "__main__":
    _write_sums()
