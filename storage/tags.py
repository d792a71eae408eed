"""Tags: what the user says of a match, such as the version of a bot; rows of the table `tags`.

A row is never changed: of the rows of one match and tag the latest counts, and a null value takes the tag away. So a
tag is a commit of a few rows, and a match keeps its tags when its log is read again.
"""

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from ..parsers.sources import WishError
from ..schema.columns import TABLES, schema
from .locations import Place
from .manifest import Batch
from .writer import rows_in

if TYPE_CHECKING:
    from .index import StoredMatch

Tags = Mapping[str, str | None]
"""Values by the names of tags; None takes a tag away."""

TAGS: Final = "tags"
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]*")
_MORE: Final = (
    *("opponent", "namesake_seat", "hole_final", "delta_written", "delta_engine", "bankroll_after"),
    *("aggressor_seat", "deviations", "decision_no", "cards_effective"),
    *("bb_per_100", "bb_per_100_low", "bb_per_100_high", "sd_per_100", "unpriced_hands"),
)
"""Columns of relations, and of `results`, that no table has."""
_TAKEN: Final = frozenset((*_MORE, *(column.name for columns in TABLES.values() for column in columns)))


def tags_of(texts: Iterable[str]) -> dict[str, str | None]:
    """The tags of texts NAME=VALUE; an empty value takes a tag away. WishError for other texts, and names in use."""
    found: dict[str, str | None] = {}
    for text in texts:
        name, is_set, value = text.partition("=")
        check_tag(name if is_set else text, text if not is_set else "")
        found[name] = value or None
    return found


def check_tag(name: str, text: str = "") -> None:
    """WishError if a tag cannot have the name; text: what was given instead of NAME=VALUE."""
    if text:
        raise WishError(f"{text!r} is no tag: give NAME=VALUE, such as version=v7")
    if not _NAME.fullmatch(name):
        raise WishError(f"{name!r} cannot be a tag: use lower-case letters, digits and _")
    if name in _TAKEN:
        raise WishError(f"{name!r} cannot be a tag: a relation has a column of that name")


def tags_table(rows: Iterable[tuple[int, str, str | None]], tagged_at: int) -> pa.Table:
    """Rows (match_id, tag, value) of the table `tags`."""
    made = [
        {"match_id": match_id, "tag": tag, "value": value, "tagged_at": tagged_at}
        for match_id, tag, value in rows
    ]
    return pa.Table.from_pylist(made, schema(TAGS))


def _rows(place: Place, live: Sequence[Batch]) -> Iterator[tuple[int, str, str | None, int]]:
    for batch in live:
        for part in batch.of(TAGS):
            for rows in rows_in(place, part):
                names = ("match_id", "tag", "value", "tagged_at")
                yield from zip(*(rows[name].to_pylist() for name in names), strict=True)


def next_time(place: Place, live: Sequence[Batch]) -> int:
    """The `tagged_at` of rows that are to count: now, but later than every row of the store; clocks differ."""
    return max(time.time_ns(), 1 + max((row[3] for row in _rows(place, live)), default=0))


def added_rows(
    place: Place,
    live: Sequence[Batch],
    tags: Tags,
    tagged: Iterable[int],
    claimed: Sequence["StoredMatch"],
    replaced: Sequence["StoredMatch"],
) -> pa.Table:
    """The rows that a commit adds: the user's tags of some matches, and those of matches that longer ones replace.

    tagged    match_ids that get `tags`
    claimed   new matches
    replaced  stored matches; the new one that replaces one takes its tags over. Of a file that is read anew by a user's
              game that is the one with the same first lines
    """
    rows = [(match_id, tag, value) for match_id in tagged for tag, value in tags.items()]
    carried: list[tuple[int, str, str | None]] = []
    heads = {match.head_hash: match.match_id for match in claimed}
    longer = {old.match_id: old.replaced_by or heads.get(old.head_hash, old.match_id) for old in replaced}
    longer = {old: new for old, new in longer.items() if new != old}
    if not rows and not longer:
        return tags_table((), 0)
    latest = {(match, tag): value for match, tag, value, _ in sorted(_rows(place, live), key=lambda r: r[3])}
    for (match_id, tag), value in latest.items():
        if match_id in longer and tag not in tags:
            carried.append((longer[match_id], tag, value))
    return tags_table([*carried, *rows], next_time(place, live))
