"""Checks whether a store's rows could be railbird's own, after a command failed on a store with undamaged parts.

A stranger can write any values under hashes that fit. This looks for the first part that cannot be railbird's: other
columns or types, nulls where none may be, words of no vocabulary, numbers below zero, lists that are too long, hands
that do not add up. It reads everything, so it is asked only when something went wrong.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..schema.columns import TABLES, Column, plain
from .locations import Place, StoreError
from .manifest import Manifest, Part, read_manifest

_LONGEST: Final = 10_000
"""The most values of a list: no hand has as many cards, and no match as many players."""
_LARGEST: Final = 1e15
"""No sum of chips reaches this; from 9e15 on floats are no longer exact."""
_MAY_BE_BELOW: Final = frozenset(("tagged_at", "card_lines"))


def first_strange(place: Place) -> StoreError | None:
    """The error that names the first part with rows that no railbird writes; None if there is none."""
    manifest = read_manifest(place)
    for table in TABLES:
        for part in manifest.parts(table):
            try:
                said = next(_strange_in(place, part), "")
            except (OSError, pa.ArrowException, ValueError, LookupError, OverflowError, TypeError) as error:
                said = str(error).partition("\n")[0]
            if said:
                return _error(place, part, said)
    return _uncounted(place, manifest)


def _error(place: Place, part: Part, said: str) -> StoreError:
    return StoreError(f"{place}/{part.name} is not as railbird writes it: {said}")


def _strange_in(place: Place, part: Part) -> Iterator[str]:
    columns = {column.name: column for column in TABLES[part.table]}
    with pq.ParquetFile(place.open(part.name)) as file:
        names = file.schema_arrow.names
        for name in columns.keys() - set(names):
            yield f"column {name} is missing"
        for name in set(names) - columns.keys():
            yield f"it has a column {name[:40]!r}"
        wanted = plain(part.table)
        for name in names:
            kind = _plain(file.schema_arrow.field(name).type)
            if kind != _plain(wanted.field(name).type):
                yield f"column {name} is of type {str(kind)[:40]}"
        for rows in file.iter_batches():
            for name, column in columns.items():
                if said := _strange_column(column, rows[name]):
                    yield f"column {name} has {said}"


def _plain(kind: pa.DataType) -> pa.DataType:
    """A type without dictionaries; of lists the type of what is in them matters."""
    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    if pa.types.is_list(kind):
        return pa.list_(_plain(kind.value_type))
    return kind


def _strange_column(column: Column, values: pa.Array) -> str:
    if not column.null and values.null_count:
        return "a null"
    kind = values.type
    if pa.types.is_list(kind):
        longest = pc.max(pc.list_value_length(values)).as_py() or 0
        if longest > _LONGEST:
            return f"a list of {longest:,} values"
        return _strange_column(Column(column.name, column.type, "", words=column.words), values.flatten())
    if pa.types.is_dictionary(kind):
        values = values.dictionary_decode()
        kind = values.type
    if pa.types.is_floating(kind):
        odd = pc.or_(pc.invert(pc.is_finite(values)), pc.greater(pc.abs(values), _LARGEST))
        return "a number that no hand has" if pc.any(odd).as_py() else ""
    if pa.types.is_signed_integer(kind) and column.name not in _MAY_BE_BELOW:
        least, most = pc.min_max(values).as_py().values()
        if least is not None and (least < 0 or most > _LARGEST):
            return f"the number {least if least < 0 else most}"
    if column.words and pa.types.is_string(kind):
        for word in pc.unique(values).to_pylist():
            if word is not None and word not in column.words:
                return f"the word {word[:40]!r}"
    return ""


def _uncounted(place: Place, manifest: Manifest) -> StoreError | None:
    """The error for a match or hand that is there twice, hands without seats, matches of no file or other hands."""
    try:
        _once(place, manifest, "matches", ("match_id",), "a match")
        hands = _once(place, manifest, "hands", ("match_id", "hand_index"), "a hand")
        seated = _once(place, manifest, "seats", ("match_id", "hand_index", "seat"), "a seat of a hand")
        files = _once(place, manifest, "files", ("file_id",), "a file")
    except StoreError as error:
        return error
    counts = Counter(match_id for match_id, _ in hands)
    players: dict[int | None, int] = {}
    for part in manifest.parts("matches"):
        with pq.ParquetFile(place.open(part.name)) as file:
            rows = file.read(asked := ["match_id", "file_id", "hands", "players"])
        columns = (rows[name].to_pylist() for name in asked)
        for match_id, file_id, count, names in zip(*columns, strict=True):
            players[match_id] = len(names or ())
            if counts[match_id] != count:
                return _error(
                    place, part, f"match {match_id} has {counts[match_id]:,} hands, not {count or 0:,}"
                )
            if (file_id,) not in files:
                return _error(place, part, f"match {match_id} is of a file that the store does not have")
    for table in TABLES:
        if {"match_id", "seat"} <= {column.name for column in TABLES[table]}:
            for part in manifest.parts(table):
                if said := _no_seat(place, part, players):
                    return _error(place, part, said)
    if alone := hands - {(match_id, hand) for match_id, hand, _ in seated}:
        match_id, hand = min(alone)
        return StoreError(
            f"{place} is not as railbird writes it: hand {hand} of match {match_id} has no seats"
        )
    return None


def _once(
    place: Place, manifest: Manifest, table: str, key: Sequence[str], what: str
) -> set[tuple[int | None, ...]]:
    """The keys of a table; StoreError if one is there twice."""
    found: set[tuple[int | None, ...]] = set()
    for part in manifest.parts(table):
        with pq.ParquetFile(place.open(part.name)) as file:
            for rows in file.iter_batches(columns=list(key)):
                keys = list(zip(*(rows[name].to_pylist() for name in key), strict=True))
                if not found.isdisjoint(keys) or len(set(keys)) < len(keys):
                    raise _error(place, part, f"it has {what} twice")
                found.update(keys)
    return found


def _no_seat(place: Place, part: Part, players: Mapping[int | None, int]) -> str:
    """The seat of a row that its match does not have, "" if there is none; players: the number in each match."""
    with pq.ParquetFile(place.open(part.name)) as file:
        for rows in file.iter_batches(columns=["match_id", "seat"]):
            found = pa.TableGroupBy(pa.Table.from_batches([rows]), ["match_id"]).aggregate([("seat", "max")])
            for match_id, seat in zip(
                found["match_id"].to_pylist(), found["seat_max"].to_pylist(), strict=True
            ):
                if seat is not None and seat >= players.get(match_id, seat + 1):
                    return f"seat {seat} of match {match_id}, which has {players[match_id]} players"
    return ""
