"""Columns of Arrow tables out of what kernels filled: the helpers that every family of games shares."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from . import records
from .cards import CARD_TEXT
from .findings import RULES
from .games import Game

TEXT_CUT: Final = 200
CARD_WORDS: Final = pa.array(CARD_TEXT)
RANKS: Final = tuple("23456789TJQKA")

# Rules whose figures are cards.
_CARD_RULES: Final = frozenset({"deck", "board", "show", "seed", "not-in-deck"})


def words(
    codes: NDArray[Any], vocabulary: Sequence[str], missing: NDArray[np.bool_] | None = None
) -> pa.Array:
    """Codes into a vocabulary as a dictionary array; null where missing, or where the code is negative."""
    codes = codes.astype(np.int32)
    mask = codes < 0 if missing is None else missing
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=mask), pa.array(list(vocabulary), pa.string()))


def lists(counts: NDArray[Any], values: pa.Array) -> pa.Array:
    """Lists of the given lengths over values that follow each other."""
    offsets = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def card_lists(counts: NDArray[Any], pool: NDArray[np.int8]) -> pa.Array:
    """Lists of cards of the given lengths over a pool of codes."""
    return lists(counts, pa.DictionaryArray.from_arrays(pooled(pool, int(counts.sum())), CARD_WORDS))


def pooled(pool: NDArray[Any], used: int) -> pa.Array:
    """The part of a pool's array that is in use, copied: the pool goes on while Arrow would still point into it."""
    return pa.array(pool[:used].copy())


def known(values: NDArray[Any]) -> pa.Array:
    """Numbers, null where they are NaN."""
    return pa.array(values, mask=np.isnan(values))


def seats(codes: NDArray[Any]) -> pa.Array:
    """Seats, null where negative."""
    return pa.array(codes, mask=codes < 0)


def constant(value: object, size: int, kind: pa.DataType) -> pa.Array:
    """One value for all rows."""
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(
            pa.array(np.zeros(size, np.int32)), pa.array([value], pa.string())
        )
    return pa.repeat(pa.scalar(value, kind), size)


def sets_of_deviations(game: Game, masks: NDArray[Any]) -> pa.Array:
    """Bit masks over a game's deviations as lists of their names."""
    names = [deviation.name for deviation in game.deviations]
    if not names:
        return lists(np.zeros(len(masks), np.int32), constant("", 0, pa.dictionary(pa.int32(), pa.string())))
    bits = (masks[:, None] >> np.arange(len(names))[None, :]) & 1
    found = pa.DictionaryArray.from_arrays(
        pa.array(np.nonzero(bits)[1].astype(np.int32)), pa.array(names, pa.string())
    )
    return lists(bits.sum(axis=1), found)


def clean(text: bytes) -> str:
    """A log's bytes as text: cut, bytes that are no UTF-8 written as escapes."""
    return text[:TEXT_CUT].decode("utf-8", "backslashreplace")


def said(rule: str, value: float) -> str:
    """A finding's figure as text: a card, a whole number, or as many digits as it has."""
    if np.isnan(value):
        return "?"
    if rule in _CARD_RULES and value >= 0:
        return CARD_TEXT[int(value)]
    return str(int(value)) if value == int(value) else repr(float(value))


def judgements(rows: NDArray[np.void], game: Game) -> list[pa.Array]:
    """The columns rule to message of `findings`, from rows of `records.FINDING`."""
    deviations = [d.name for d in game.deviations]
    sets = {
        m: "+".join(n for k, n in enumerate(deviations) if m >> k & 1)
        for m in set(rows["deviation"].tolist())
    }
    masks = [m for m in sets if m]
    place = {mask: k for k, mask in enumerate(masks)} | {0: -1}
    rules = [RULES[code] for code in rows["rule"].tolist()]
    expected = [said(r.name, v) for r, v in zip(rules, rows["expected"].tolist(), strict=True)]
    logged = [said(r.name, v) for r, v in zip(rules, rows["logged"].tolist(), strict=True)]
    messages = [
        r.message.format(expected=e, logged=v) for r, e, v in zip(rules, expected, logged, strict=True)
    ]
    kinds = sorted({rule.kind for rule in RULES})
    kind_of = np.array([kinds.index(rule.kind) for rule in RULES], np.int32)
    return [
        words(rows["rule"], [rule.name for rule in RULES]),
        words(kind_of[rows["rule"]], kinds),
        words(rows["verdict"], records.VERDICTS),
        words(np.array([place[m] for m in rows["deviation"].tolist()], np.int32), [sets[m] for m in masks]),
        pa.array(expected, pa.string()),
        pa.array(logged, pa.string()),
        pa.array(np.ascontiguousarray(rows["chips"])),
        pa.array(messages, pa.string()),
    ]
