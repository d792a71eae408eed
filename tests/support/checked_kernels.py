"""Kernels as plain Python over arrays that refuse a negative index, on small inputs of every kind.

    NUMBA_DISABLE_JIT=1 python tests/support/checked_kernels.py JOB [ARGUMENT ...]

It prints the kernels that ran, and ends in an error where an index is negative or railbird fails on a log.
"""

import re
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from railbird.jit import compile as jit

sys.path.append(str(Path(__file__).resolve().parents[1]))

ran: Final[set[str]] = set()
# The names of modules of kernels and parts: kernels read arrays there as well.
_modules: Final[list[dict[str, Any]]] = []


class Checked(np.ndarray[Any, Any]):
    """An array that refuses an index below 0; what is taken out of it does so, too."""

    def __getitem__(self, key: Any) -> Any:
        """As of any array; a record is an array without dimensions, so that its fields are checked."""
        _check(self, key)
        found: Any = _get(self, key)
        if isinstance(found, np.void):
            return _get(self, (*key, ...) if isinstance(key, tuple) else (key, ...))
        is_number = isinstance(found, np.ndarray) and not found.ndim and found.dtype.names is None
        return found[()] if is_number else found

    def __setitem__(self, key: Any, value: Any) -> None:
        _check(self, key)
        _set(self, key, value)


_get, _set, _number = np.ndarray.__getitem__, np.ndarray.__setitem__, (int, np.integer)


def _check(array: Checked, key: Any) -> None:
    """IndexError for an index below 0. A kernel asks often, so this makes no tuple of the one index."""
    if isinstance(key, tuple):
        for index in key:
            if isinstance(index, _number) and index < 0:
                raise IndexError(f"{index} of {array.shape}")
    elif isinstance(key, _number) and key < 0:
        raise IndexError(f"{key} of {array.shape}")


def checked(value: Any) -> Any:
    """An array, or a named tuple's, checked; all else as it is."""
    if isinstance(value, np.ndarray):
        return value.view(Checked)
    if isinstance(value, tuple):
        parts = map(checked, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def _part(function: Callable[..., Any]) -> Callable[..., Any]:
    _modules.append(function.__globals__)
    return function


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Stands in for `jit.kernel`."""

    @wraps(function)
    def run(*arguments: Any) -> Any:
        while _modules:
            names = _modules.pop()
            names.update({name: checked(v) for name, v in names.items() if isinstance(v, np.ndarray)})
        ran.add(f"{function.__module__}.{function.__name__}")
        return function(*map(checked, arguments))

    _part(function)
    return run


def ingesting(store: str, *logs: str) -> None:
    """Each log into a store of its own, a folder into one."""
    from railbird.ingest import ingest

    _failing()
    for number, log in enumerate(logs):
        summary = ingest([log], Path(store) / str(number), workers=1)
        assert not summary.complaints, summary.complaints


def _failing() -> None:
    """Let an error of railbird's end an ingest, which otherwise notes it and goes on."""
    from importlib import import_module

    def raising(error: BaseException) -> str:
        raise error

    for name in ("railbird.ingest", "railbird.storage.filling"):
        vars(import_module(name))["failure"] = raising
    # Where kernels are plain, regular expressions stand in for one.
    vars(import_module("railbird.parsers.marks"))["is_allowed"] = lambda: False


def _edited(lines: list[bytes], rng: Random) -> list[bytes]:
    """Some lines of a log with a few of them lost, doubled, swapped, or with other cards and numbers."""
    begin = rng.randrange(max(len(lines) - 120, 1)) if rng.random() < 0.3 else 0
    lines = lines[begin : begin + rng.randint(60, 140)]
    for _ in range(rng.randint(1, 4)):
        k, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        line, number = lines[k], rng.choice([b"-1", b"0", b"2", b"400", b"999999999999"])
        lines[k : k + 1] = rng.choice(
            [
                [],
                [line, line],
                [lines[other], line],
                [re.sub(rb"\[[^\]]*\]", b"[]", line)],
                [re.sub(rb"\[(..)[^\]]*\]", rb"[\1]", line)],
                [re.sub(rb"\[([^\]]*)\]", rb"[\1 \1]", line)],
                [re.sub(rb"\d+", number, line)],
            ]
        ) or [b""]
    return lines


def editing(store: str, times: str, *logs: str) -> None:
    """Parts of logs with random edits: whatever a log says, no kernel reads or writes beside an array."""
    from railbird.ingest import ingest

    _failing()
    rng = Random(7)
    for number in range(int(times)):
        log = Path(rng.choice(logs))
        edited = Path(store) / log.name
        edited.write_bytes(b"\n".join(_edited(log.read_bytes().split(b"\n"), rng)))
        ingest([edited], Path(store) / f"edited-{number}", workers=1)


def simulating() -> None:
    """The arena under every plan, and an engine that asks for the strengths of a library."""
    from arena import policy
    from arena.matches import Person, own_chart, play

    from railbird.replay.simulate import play as simulate
    from railbird.variants import registry  # noqa: F401 - makes the games known

    for plan in (policy.DUMP, policy.SHARED, policy.SIGNAL, policy.TRIGGER):
        row = policy.person((0.5, 0.52, 0.6, 0.72, 0.8, 0.04, 0.75), plan=plan, intensity=0.5)
        for game, seats in (("holdem-mit", 2), ("bounty", 2), ("acpc/kuhn.limit.3p", 3)):
            people = [Person(f"P{k}", row, own_chart(k, 0.02)) for k in range(seats)]
            for partners in ((), (1, 0, -1)[:seats]):
                play(game, people, 8, 5, partners)
    simulate("river-of-blood", [("A", "calling-station"), ("B", "random")], 5, 1)


def counting() -> None:
    """Equities of every kind: boards of all sizes and games, two players and three, out of a few cards."""
    from railbird.replay.cards import CARD_CODE
    from railbird.replay.equity.counting import count, deck_mask, situations

    def cards(text: str) -> list[int]:
        return [CARD_CODE[text[at : at + 2]] for at in range(0, len(text), 2)]

    def codes(*texts: str) -> Any:
        return np.array([cards(text) for text in texts], np.int8)

    few = deck_mask(range(12, 30)) | deck_mask(range(48, 52))
    two, three = codes("2c3c", "AsKd"), codes("2c2d", "AsAd", "4c5c")
    for holes in (two, three):
        for board in ("", "6c7c8c", "6c7cAh8c", "6c7cAh8c9c"):
            held = deck_mask([*holes.ravel().tolist(), *cards(board)])
            at = situations(holes[None], codes(board), given_up=holes[None])
            count(at, hits=len(holes) == 2, unseen=bool(board), deck=few | held)
    for board in ("6c7cAh", "6c7cAh8c9h"):
        count(situations(two[None], codes(board), run=1), deck=few)
    count(situations(codes("2c3c4d", "AsKdKs")[None], codes("6c7cAh")), unseen=True, deck=few)
    count(situations(two[None], codes("6c7c8c9cAh"), due=6), unseen=True, deck=few)
    one = np.where([[True, True], [True, False]], two, -1)
    for board in ("6c7c8c", "6c7cAh8c9c"):
        count(situations(one[None], codes(board)), unseen=True, deck=few | deck_mask(cards(board)))


def looking() -> None:
    """What `railbird collusion` asks of its kernels."""
    from arena import policy
    from arena.matches import Person, own_chart, play
    from arena.tournaments import of_matches

    from railbird.analytics.collusion import nulls
    from railbird.variants import registry  # noqa: F401 - makes the games known

    row = policy.person((0.38, 0.45, 0.40, 0.58, 0.75, 0.18, 1.10))
    for game, seats in (("holdem-mit", 2), ("acpc/holdem.limit.3p", 3), ("acpc/kuhn.limit.3p", 3)):
        people = [Person(f"P{k}", row, own_chart(k, 0.02)) for k in range(seats)]
        of_matches([play(game, people, 8, 5)], 2.0)
    rng = np.random.default_rng(1)
    one, two, key = rng.normal(size=40), rng.normal(size=40), np.repeat(np.arange(4), 10)
    for shift in (0.0, 9.0):
        values = one + shift * (np.arange(40) < 9)
        nulls.stands_out(values, 9, 0.0, 99, 1)
        nulls.is_positive(values + shift, 99, 1)
        nulls.go_together(values, values if shift else two, key, 1)
        starts = nulls.starts_of(key)
        nulls.permute_order(values[::-1], starts, 99, 1, np.zeros(40), np.zeros(625, np.int64))
        nulls.answers_apart(rng.integers(0, 3, 40), values, key, 3, 1)


def failing(kind: str) -> None:
    """A kernel with a negative index, in an array, in a record of one, or in one of its module's."""
    records = np.zeros(2, [("inner", "i4", (3,))])
    wrong: dict[str, Callable[[Any, Any], Any]] = {
        "read": lambda array, _: array[np.int64(-1)],
        "write": lambda array, _: array.__setitem__((0, -2), 1),
        "row": lambda array, _: array[1][-3],
        "record": lambda _, records: records[1]["inner"][-4],
        "module": lambda _array, _records: TABLE[-5],
    }
    kernel(wrong[kind])(np.zeros((2, 3)), records)


TABLE = np.zeros(6)
JOBS: Final = {job.__name__: job for job in (ingesting, editing, simulating, counting, looking, failing)}

if __name__ == "__main__":
    jit.kernel, jit.part, jit.step = kernel, _part, _part  # type: ignore[assignment]
    JOBS[sys.argv[1]](*sys.argv[2:])
    print("\n".join(sorted(ran)))
