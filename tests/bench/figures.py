"""The table that a run of the benchmarks fills, line by line, and how a line's seconds are taken."""

import gc
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

MB: Final = 1e6
PEAK: Final = (
    r'int(__import__("re").search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1]) * 1024 / 1e6'
)
"""A process's own resident memory at the peak, in MB, as an expression that it evaluates; `getrusage` would begin
with that of the process that started it."""


@dataclass(frozen=True)
class Figure:
    """One line of the table: what, railbird's figure, the baseline's, the ratio or value, and its goal."""

    what: str
    ours: str
    baseline: str
    value: float
    goal: str
    holds: bool

    @property
    def row(self) -> str:
        """As a row of Markdown."""
        holds = "yes" if self.holds else "**no**"
        return f"| {self.what} | {self.ours} | {self.baseline} | {self.value:.2f} | {self.goal} | {holds} |"


class Figures:
    """The lines of a run; each is printed as it comes, and the page so far is written to a file."""

    def __init__(self, write: Path | None, page: Callable[[str], str]) -> None:
        """`page` makes the page of the rows; None: nothing is written."""
        self._write, self._page = write, page
        self._found: list[Figure] = []

    def add(self, what: str, ours: str, baseline: str, value: float, goal: float, least: bool = True) -> None:
        """Note a figure; `least`: the value is to be at least the goal, else at most."""
        holds = value >= goal if least else value <= goal
        sign = "≥" if least else "≤"
        self._found.append(Figure(what, ours, baseline, value, f"{sign} {goal:g}", holds))
        print(
            f"{'ok  ' if holds else 'SHORT'} {what}: {value:.2f} (goal {sign} {goal:g}); {ours}; {baseline}",
            flush=True,
        )
        if self._write:
            self._write.write_text(self._page("\n".join(figure.row for figure in self._found)))

    @property
    def hold(self) -> bool:
        """True where every goal is reached."""
        return all(figure.holds for figure in self._found)


Clock = Callable[[], float]


def seconds(work: Callable[[], object], times: int = 3, clock: Clock = perf_counter) -> float:
    """The least of several runs."""
    best = float("inf")
    for _ in range(times):
        before = clock()
        work()
        best = min(best, clock() - before)
    return best


def by_turns(*works: Callable[[], object], times: int = 5, clock: Clock = perf_counter) -> list[float]:
    """The least seconds of each of some works, which take turns: the machine is not as fast at all times."""
    return [
        min(took)
        for took in zip(*([seconds(work, 1, clock) for work in works] for _ in range(times)), strict=True)
    ]


def alone() -> None:
    """What other figures left behind is no part of an ingest, whose process is its own; it freezes what it finds."""
    os.sync()
    gc.unfreeze()
    gc.collect()
