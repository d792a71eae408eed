"""Columns of Arrow tables from arrays that kernels filled: helpers for all families of games."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..jit.compile import kernel
from ..parsers.reading import Pool, room
from ..schema.columns import CARD_WORDS, ROW_GROUP, TABLES
from ..schema.words import FINDING_KINDS, FLAGS, FLAGS_OF_FLAGS, VERDICTS
from . import another_game, stakes
from .findings import OTHER_GAME, RULES, STAKES
from .games import Game
from .records import TOO_FAR

T = TypeVar("T", bound=tuple[Any, ...])

TEXT_CUT: Final = 200

# Rules whose figures are cards.
_CARD_RULES: Final = frozenset(
    {
        "deck",
        "board",
        "show",
        "seed",
        "not-in-deck",
        "run",
        "run-stops",
        "permuted",
        "discard",
        "reveal",
        "look",
        "not-held",
        "pass-order",
    }
)


def words(
    codes: NDArray[Any], vocabulary: Sequence[str], missing: NDArray[np.bool_] | None = None
) -> pa.Array:
    """Codes into a vocabulary as a dictionary array; null where missing, or where the code is negative."""
    codes = codes.astype(np.int32)
    mask = codes < 0 if missing is None else missing
    return coded(pa.array(codes, mask=mask), vocabulary)


def coded(codes: pa.Array, vocabulary: Sequence[str]) -> pa.Array:
    """Indices into a vocabulary, int32, as a dictionary array."""
    return pa.DictionaryArray.from_arrays(codes, _vocabulary(tuple(vocabulary)))


# Most repeat from chunk to chunk.
@lru_cache(maxsize=128)
def _vocabulary(words: tuple[str, ...]) -> pa.Array:
    return pa.array(words, pa.string())


def lists(counts: NDArray[Any], values: pa.Array) -> pa.Array:
    """Lists of the given lengths over values that follow each other."""
    offsets = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def card_lists(counts: NDArray[Any], pool: NDArray[np.int8]) -> pa.Array:
    """Lists of cards of the given lengths over a pool of codes."""
    return lists(counts, _cards(pool, counts))


def changed_lists(counts: NDArray[Any], pool: NDArray[np.int8]) -> pa.Array:
    """As `card_lists`, with null for a card that the log does not print."""
    unknown = pool[: int(counts.sum())] < 0
    return lists(counts, _cards(pool, counts, unknown if unknown.any() else None))


def _cards(
    pool: NDArray[np.int8], counts: NDArray[Any], unknown: NDArray[np.bool_] | None = None
) -> pa.Array:
    """The cards in the used part of a pool, copied, because the pool is overwritten while Arrow still refers to it."""
    codes = pool[: int(counts.sum())].astype(np.int16)
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=unknown), CARD_WORDS, safe=False)


def card_lines(counts: NDArray[Any], pool: NDArray[np.int16]) -> pa.Array:
    """`hands.card_lines` over a pool of numbers of lines, null where they are too many (`records.lines_below`)."""
    lines = pool[: int(counts.sum())].copy()
    far = lines == TOO_FAR
    return lists(counts, pa.array(lines, mask=far if far.any() else None))


def known(values: NDArray[Any], there: NDArray[np.bool_] | None = None) -> pa.Array:
    """Numbers, null where NaN; there: a mask of the others, if known."""
    there = values == values if there is None else there
    if there.all():
        return pa.array(values)
    bits, held = pa.py_buffer(np.packbits(there, bitorder="little")), np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [bits, pa.py_buffer(held)])


def seats(codes: NDArray[Any]) -> pa.Array:
    """Seats, null where negative."""
    return pa.array(codes, mask=codes < 0)


def constant(value: object, size: int, kind: pa.DataType) -> pa.Array:
    """One value for all rows."""
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(
            pa.array(np.zeros(size, np.int32)), pa.array([value], pa.string())
        )
    return pa.array(np.full(size, value, kind.to_pandas_dtype()), kind)


def columns_room(kind: type[T], size: int, pool: Pool, without: Collection[str] = ()) -> T:
    """Arrays for `size` rows of a bundle of columns; its class has the names and types.

    Arrow takes ownership. So small arrays, which wait to be written, are new each time; large ones belong to the
    pool. without: columns that the game lacks; they get no rows.
    """
    # The last word of NDArray[T] is T from NumPy 2.5 on, dtype[T] before.
    words = {name: get_args(hint)[-1] for name, hint in kind.__annotations__.items()}
    types = {name: (get_args(word) or (word,))[0] for name, word in words.items()}
    held = ((0 if name in without else size, np.dtype(one).str) for name, one in types.items())
    return kind(*(room(held) if size < ROW_GROUP else room(held, pool, kind.__name__)))


def filled(table: str, given: Mapping[str, NDArray[Any]]) -> dict[str, pa.Array]:
    """The columns of a table from arrays by name, in which NaN and negative numbers are null.

    A column with a vocabulary of the schema is given as indices into it; columns with other words are skipped. `flags`
    has all statistic flags as bits. Arrays with other names, and empty ones among nonempty ones, are ignored.
    """
    found: dict[str, pa.Array] = {}
    size = max(map(len, given.values()))
    if "flags" in given:
        found |= _flag_columns(given["flags"])
    for column in TABLES[table]:
        values = given.get(column.name)
        if values is None or len(values) < size or (pa.types.is_dictionary(column.type) and not column.words):
            continue
        if pa.types.is_floating(column.type):
            there = values == values
            if there.any() or not column.null:
                found[column.name] = known(values, there)
            continue
        is_number = values.dtype.kind == "i" and (column.null or column.words)
        mask = values < 0 if is_number and len(values) and values.min() < 0 else None
        if column.words:
            places = pa.array(values.astype(np.int8), mask=mask)
            vocabulary = _vocabulary(_first_of(column.words, int(values.max(initial=0)) + 1))
            found[column.name] = pa.DictionaryArray.from_arrays(places, vocabulary, safe=False)
        else:
            found[column.name] = pa.array(values.astype(column.type.to_pandas_dtype(), copy=False), mask=mask)
    return found


def _first_of(words: tuple[str, ...], count: int) -> tuple[str, ...]:
    """The first `count` words of a vocabulary, or more, so that Parquet's codes have 1, 2, 4 or 8 bits.

    Codes of 3 or 5 bits, which cross byte boundaries, are a third larger after compression.
    """
    return words[: 4 if count <= 4 else 16 if count <= 16 else len(words)]


@kernel
def _spread_bits(flags: NDArray[np.uint64], out: NDArray[np.uint8]) -> None:
    """Fill out, (flags, bytes), with a bitmap a flag, the lowest bit first."""
    for flag in range(out.shape[0]):
        bit = np.uint64(flag)
        for place in range(out.shape[1]):
            byte = np.uint64(0)
            first = 8 * place
            for k in range(min(8, len(flags) - first)):
                byte |= (flags[first + k] >> bit & np.uint64(1)) << np.uint64(k)
            out[flag, place] = byte


def _flag_columns(flags: NDArray[np.uint64]) -> dict[str, pa.Array]:
    out = np.empty((len(FLAGS), -(-len(flags) // 8)), np.uint8)
    _spread_bits(flags, out)
    return {
        flag: pa.Array.from_buffers(pa.bool_(), len(flags), [None, pa.py_buffer(bits)])
        for flag, bits in zip(FLAGS, out, strict=True)
        if flag not in FLAGS_OF_FLAGS
    }


def few(codes: NDArray[Any], vocabulary: tuple[str, ...]) -> pa.Array:
    """As `words`, of a vocabulary of the schema."""
    codes = codes.astype(np.int8)
    missing = codes < 0
    return pa.DictionaryArray.from_arrays(
        pa.array(codes, mask=missing if missing.any() else None), _vocabulary(vocabulary)
    )


def sets_of_deviations(game: Game, masks: NDArray[Any]) -> pa.Array:
    """Bit masks over a game's deviations as lists of their names."""
    names = [deviation.name for deviation in game.deviations]
    if not names:
        return lists(np.zeros(len(masks), np.int32), constant("", 0, pa.dictionary(pa.int32(), pa.string())))
    some = np.flatnonzero(masks)
    bits = (masks[some][:, None] >> np.arange(len(names))[None, :]) & 1
    counts = np.zeros(len(masks), np.int32)
    counts[some] = bits.sum(axis=1)
    found = pa.DictionaryArray.from_arrays(
        pa.array(np.nonzero(bits)[1].astype(np.int32)), pa.array(names, pa.string())
    )
    return lists(counts, found)


def clean(text: bytes) -> str:
    """A log's bytes as text: truncated, with escapes for bytes that are not UTF-8."""
    return text[:TEXT_CUT].decode("utf-8", "backslashreplace")


def said(rule: str, value: float) -> str:
    """A finding's figure as text: a card, a whole number, or as many digits as it has."""
    if np.isnan(value):
        return "?"
    if rule in _CARD_RULES and value >= 0:
        return str(CARD_WORDS[int(value)])
    return str(int(value)) if value == int(value) else repr(float(value))


_RULE_NAMES: Final = tuple(rule.name for rule in RULES)
_KIND_OF_RULE: Final = np.array([FINDING_KINDS.index(rule.kind) for rule in RULES], np.int32)


def judgements(
    rows: NDArray[np.void], game: Game, stacks: NDArray[np.float64] | None = None
) -> dict[str, pa.Array]:
    """The columns rule to message of `findings`, from rows of `records.FINDING`.

    stacks: of the matches of the rows, where a finding may be about the stakes.
    """
    masks, deviation = np.unique(rows["deviation"], return_inverse=True)
    explained = [
        "+".join(d.name for k, d in enumerate(game.deviations) if m >> k & 1) for m in masks.tolist()
    ]
    # Findings repeat: each text is made once. Compared by bits, because NaN is not equal to itself.
    which = rows["rule"].astype(np.int64)
    figures = [np.ascontiguousarray(rows[name]) for name in ("expected", "logged")]
    of_stakes = which == STAKES
    if stacks is not None and of_stakes.any():
        known = [game.stack_of(profile) for profile in game.profiles]
        figures += [
            np.where(of_stakes, np.where(np.isin(stacks, known), stacks, game.stack), 0.0),
            np.where(of_stakes, stacks, 0.0),
        ]
    for values in figures:
        _, codes = np.unique(values.view(np.int64), return_inverse=True)
        which = which * (int(codes.max(initial=0)) + 1) + codes
    _, first, which = np.unique(which, return_index=True, return_inverse=True)
    different = [rows["rule"][first].tolist(), *(values[first].tolist() for values in figures)]
    texts = [_texts(*key) for key in zip(*different, strict=True)]
    expected, logged, messages = (
        (list(words) for words in zip(*texts, strict=True)) if texts else ([], [], [])
    )
    return {
        "rule": words(rows["rule"], _RULE_NAMES),
        "kind": few(_KIND_OF_RULE[rows["rule"]], FINDING_KINDS),
        "verdict": few(rows["verdict"], VERDICTS),
        "deviation": words(deviation, explained, rows["deviation"] == 0),
        "expected": _figures(which, expected),
        "logged": _figures(which, logged),
        "chips": pa.array(np.ascontiguousarray(rows["chips"])),
        "message": words(which, messages),
    }


def _figures(codes: NDArray[Any], figures: Sequence[str | None]) -> pa.Array:
    """As `words`, null for rules without a figure: vocabularies of tables that are concatenated contain no null."""
    lacking = np.array([figure is None for figure in figures], np.bool_)
    return words(codes, [figure or "" for figure in figures], lacking[codes] if lacking.any() else None)


# The same few differences repeat from chunk to chunk.
@lru_cache(maxsize=4096)
def _texts(
    code: int, expected: float, logged: float, written_stack: float = 0, stack: float = 0
) -> tuple[str | None, str | None, str]:
    rule = RULES[code]
    if expected == logged == 0 and "{" not in rule.message:
        # For rules without a figure
        return None, None, rule.message
    due, found = said(rule.name, expected), said(rule.name, logged)
    if code == STAKES:
        due, found = stakes.said(expected, written_stack), stakes.said(logged, stack)
    elif code == OTHER_GAME:
        due, found = RULES[int(expected)].name, another_game.figure_text(logged)
    return due, found, rule.message.format(expected=due, logged=found)
