"""The material of a store, one event and game after the other."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...progress import Progress
from . import betting_reading, koper_reading
from .material import Group, Material

if TYPE_CHECKING:
    from ..store import Store

_HANDS: Final = 25_000
"""Hands that are read together."""

# Of games with one board and hole cards that stay as dealt, and of those in which all bet at once.
# A match of betting is looked at as far as its last hand before a bot is gone: the engine plays on for it.
_MATCHES: Final = """
    with gone as (
        select match_id, min(chosen) + 1 as hand_index
        from (
            select match_id, seat,
                coalesce(max(hand_index) filter (where origin = 'choice'), -1) as chosen,
                max(hand_index) filter (where origin = 'substitute') as replaced
            from stored.actions
            group by all
        )
        where replaced > chosen
        group by match_id
    )
    select m.match_id, m.event, m.game, m.players, if(r.simultaneous, m.hands, coalesce(g.hand_index, m.hands)),
        m.unit, p.namesakes, m.hands, r.simultaneous
    from matches as m
    join games as r on r.game = m.game and (
        r.simultaneous or r.boards = 1 and not (r.runs or r.permutes or r.swaps or r.auctions or r.discards)
    )
    left join gone as g on g.match_id = m.match_id
    join (select match_id, list(namesake_seat order by seat) as namesakes from players group by match_id) as p
        on p.match_id = m.match_id
    where $event is null or m.event = $event
    order by m.event, m.game, m.match_id
"""
_RESULTS: Final = (
    "select match_id, seat, sum(delta) from seats where list_contains($ids, match_id) group by all"
)


def _names(players: Sequence[str], namesakes: Sequence[int | None]) -> tuple[str, ...]:
    """The names of a match by seat; with `namesake_seat` (view `players`) where it has one."""
    return tuple(
        name if seat is None else f"{name} (seat {seat})"
        for name, seat in zip(players, namesakes, strict=True)
    )


def _chunks(ids: list[int], hands: list[int]) -> Iterator[list[int]]:
    chunk: list[int] = []
    held = 0
    for match, count in zip(ids, hands, strict=True):
        if chunk and held + count > _HANDS:
            yield chunk
            chunk, held = [], 0
        chunk.append(match)
        held += count
    if chunk:
        yield chunk


def materials(
    store: "Store", event: str | None = None, progress: Progress | None = None
) -> Iterator[Material]:
    """The material of each event and game that is looked at; event: of one only.

    progress  called with hands read and hands there are
    """
    rows = store.sql(_MATCHES, event=event).fetchall()
    total, done = sum(row[4] for row in rows), 0
    groups: dict[tuple[str, str, int], list[tuple[Any, ...]]] = {}
    for row in rows:
        groups.setdefault((row[1], row[2], len(row[3])), []).append(row)
    for (name, game, _), found in groups.items():
        ids, hands = [int(row[0]) for row in found], [int(row[4]) for row in found]
        reader = koper_reading if found[0][8] else betting_reading
        by_match = [_names(row[3], row[6]) for row in found]
        players = tuple(sorted({player for match in by_match for player in match}))
        code = {player: k for k, player in enumerate(players)}
        seats = np.array([[code[player] for player in match] for match in by_match], np.int16)
        every = -(-sum(hands) // reader.MOST)
        units = np.array([float(row[5] or 1.0) for row in found])
        group = Group(game, tuple(ids), seats, np.array(hands), units, every)
        parts: list[Any] = []
        results = np.zeros(seats.shape)
        for chunk in _chunks(ids, hands):
            parts.append(reader.part_of(store, group, chunk))
            for match, seat, won in store.sql(_RESULTS, ids=chunk).fetchall():
                results[group.place[int(match)], seat] = (won or 0.0) / units[group.place[int(match)]]
            done += sum(hands[group.place[match]] for match in chunk)
            if progress:
                progress(done, total)
        yield reader.joined_parts(
            parts,
            event=name,
            game=game,
            players=players,
            matches=group.matches,
            seats=seats,
            hands=reader.looked_at(np.array(hands), every).astype(np.int64),
            played=np.array([row[7] for row in found], np.int64),
            results=results,
        )
