"""What the report says of players over all their matches: standings, crosstables, how each of them plays."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import xxhash

from ...analytics.intervals import wilson
from ...analytics.views import over_matches
from ...variants.properties import Properties
from .. import koper
from ..answers import MatchName, ids, rows_of
from . import tells
from .rows import Row

if TYPE_CHECKING:
    from ...analytics.store import Store


def key_of(*names: str) -> str:
    """16 signs that stand for some names in addresses and file names."""
    return xxhash.xxh3_64_hexdigest("\0".join(names).encode())


class Person(NamedTuple):
    """A player: (event, game, name), and the seat as well where one match holds the name twice."""

    event: str
    game: str
    player: str
    seat: int | None

    @property
    def key(self) -> str:
        """16 signs that stand for the player in addresses; of the name itself nothing goes into them."""
        return key_of(self.event, self.game, self.player, "" if self.seat is None else str(self.seat))

    @property
    def page(self) -> str:
        """The file name of the player's page."""
        return f"player-{self.key}.html"


def person(row: Row) -> Person:
    """Of a row that has event, game, player and seat or namesake_seat."""
    return Person(row["event"], row["game"], row["player"], row.get("namesake_seat", row.get("seat")))


Group = tuple[str, str]
SIZES: Final = 6
"""Bins that `size_name` names."""


def pooled(results: Sequence[Row]) -> Row:
    """Matches of one player added up, as `results` has them.

    The interval pools the matches as independent: half-width^2 = sum((hands * half-width)^2) / hands^2.
    """
    hands = sum(row["hands"] for row in results)
    spans = [
        row["hands"] * (row["bb_per_100_high"] - row["bb_per_100_low"]) / 2
        for row in results
        if row["bb_per_100_high"] is not None
    ]
    rate = sum(row["hands"] * (row["bb_per_100"] or 0) for row in results) / hands if hands else None
    half = sum(span * span for span in spans) ** 0.5 / hands if hands and len(spans) == len(results) else None
    return {
        "person": person(results[0]),
        "player": results[0]["player"],
        "seat": results[0]["namesake_seat"],
        "matches": len(results),
        "won": sum(bool(row["won"]) for row in results),
        "hands": hands,
        "delta": sum(row["delta"] or 0 for row in results),
        "off": sum((row["delta"] or 0) - (row["delta_written"] or 0) for row in results),
        "bb_per_100": rate,
        "low": None if rate is None or half is None else rate - half,
        "high": None if rate is None or half is None else rate + half,
    }


_RESULTS: Final = """
    select r.*, p.namesake_seat, len(m.players) as at_table,
        delta > 0 and delta = max(delta) over (partition by match_id) as won
    from results r join players p using (match_id, seat) join matches m using (match_id)
    where list_contains($ids, match_id) order by match_id, seat
"""
_PLACES: Final = """
    select event, game, player, seat, place_of(chips, event, game) as rank from (
        select r.event, r.game, r.player, p.namesake_seat as seat, coalesce(chips_of(r.delta), 0) as chips
        from results r join players p using (match_id, seat) where list_contains($ids, match_id) group by all
    )
"""


@dataclass
class Standing:
    """The players of an (event, game) by what they won, and who won how much from whom.

    players: rows of `pooled` with rank, the winner first
    against: for two-player games, by the pages of a player and an opponent, a row of `pooled`
    run_off: its rounds, each with the players still in it; only of all matches of a store, as are the next
    doubts: what to know before the ranks are believed
    """

    event: str
    game: str
    rules: Properties
    players: list[Row] = field(default_factory=list)
    against: dict[tuple[str, str], Row] = field(default_factory=dict)
    matches: int = 0
    run_off: list[list[Row]] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        """What stands for it in addresses."""
        return key_of(self.event, self.game)


def standings(store: "Store", matches: Sequence[MatchName]) -> list[Standing]:
    """One for each (event, game) of the matches, that with most hands first."""
    people: defaultdict[Group, defaultdict[Person, list[Row]]] = defaultdict(lambda: defaultdict(list))
    pairs: defaultdict[Group, defaultdict[tuple[str, str], list[Row]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for _, sat in groupby(rows_of(store, _RESULTS, ids=ids(matches)), key=lambda row: row["match_id"]):
        rows = list(sat)
        for row in rows:
            people[row["event"], row["game"]][person(row)].append(row)
        if len(rows) == 2 and rows[0]["at_table"] == 2:
            for row, other in (rows, rows[::-1]):
                key = (person(row).page, person(other).page)
                pairs[row["event"], row["game"]][key].append(row)
    counts: defaultdict[Group, int] = defaultdict(int)
    rules = {(match.event, match.game): match.rules for match in matches}
    for match in matches:
        counts[match.event, match.game] += 1
    places = {person(row): row["rank"] for row in rows_of(store, _PLACES, ids=ids(matches))}
    found = [
        Standing(
            *key,
            rules[key],
            sorted(
                (pooled(rows) | {"rank": places[who]} for who, rows in named.items()),
                key=lambda row: (row["rank"], row["player"], row["seat"] or 0),
            ),
            {pair: pooled(rows) for pair, rows in pairs[key].items()},
            counts[key],
        )
        for key, named in sorted(people.items())
    ]
    if _is_all(store, matches):
        _judge(store, found)
    return sorted(found, key=lambda table: -sum(row["hands"] for row in table.players))


def _is_all(store: "Store", matches: Sequence[MatchName]) -> bool:
    """True where these are all matches of the store: some answers are about all of them only."""
    return bool(len(matches) == store.sql("select count(*) from matches").fetchall()[0][0])


def _judge(store: "Store", tables: Sequence[Standing]) -> None:
    """Put intervals over what was reset in the place of those that pool matches; add ranks, run-off and doubts.

    Of `analytics.standings`; 1,000 mbb/h are 100 bb/100.
    """
    from ...analytics.standings import competitions

    named = {(table.event, table.game): table for table in tables}
    for found in competitions(store):
        table = named[found.event, found.game]

        def whom(row: Row, player: str = "player", seat: str = "seat", table: Standing = table) -> Person:
            return Person(table.event, table.game, row[player], row[seat])

        judged = {whom(row): row for row in found.standings.iter_rows(named=True)}
        for row in table.players:
            row.update(_in_bb(judged[row["person"]]))
        for cell in found.crosstable.iter_rows(named=True):
            pair = table.against.get((whom(cell).page, whom(cell, "opponent", "opponent_seat").page))
            if pair is not None and cell["mbb_per_hand"] is not None:
                pair.update(_in_bb(cell))
        rounds: dict[int, list[Row]] = {}
        for row in found.run_off.iter_rows(named=True):
            rounds.setdefault(row["round"], []).append(row | {"person": whom(row)})
        table.run_off = list(rounds.values())
        table.doubts = [doubt.text for doubt in found.doubts]


def _in_bb(row: Row) -> Row:
    """A row of a competition by bb/100."""
    names = {"bb_per_100": "mbb_per_hand", "low": "low", "high": "high"} | (
        {"even": "even"} if "even" in row else {}
    )
    # Without a big blind, of an ACPC game whose definition is not known, there is none.
    figures = {name: None if row[of] is None else row[of] / 10 for name, of in names.items()}
    keys = ("units", "p_first", "scarce", "rank_low", "rank_high", "run_off_place", "p_beats")
    return figures | {key: row[key] for key in keys if key in row}


def heat(row: Row | None) -> str:
    """The class of a crosstable's cell: strong where the interval leaves out `even`, light where it does not."""
    if row is None or row["bb_per_100"] is None:
        return "heat-none"
    even = row.get("even", 0)
    side = "won" if row["bb_per_100"] > even else "lost"
    if row["low"] is None or row["low"] <= even <= row["high"]:
        return f"heat-{side}"
    return f"heat-{side}-sure"


_TENDENCIES: Final = f"""
    select t.*, label from ({over_matches("tendencies")}) t join statistics using (statistic) order by place
"""
_OTHERS: Final = over_matches("tendencies_of_others")
_FOLDS: Final = f"""
    select *, street_name(street, game) as street_name from ({over_matches("fold_frequency")})
    order by street, position_place(position), position
"""
_AGGRESSION: Final = f"""
    select *, bets + raises + calls + folds as opportunities, afq as rate, afq_low as low, afq_high as high
    from ({over_matches("aggression")})
"""
_ANSWERS: Final = f"""
    select *, street_name(street, game) as street_name from ({over_matches("bet_answers")}) order by street, size_bin
"""
_SIZES: Final = """
    select event, game, player, seat, street, street_name(street, game) as street_name, size_bin,
        size_name(size_bin) as size_name, sum(successes)::bigint as bets, sum(all_in)::bigint as all_in
    from bets_made_by_match where list_contains($ids, match_id) and successes > 0
    group by event, game, player, seat, street, size_bin order by street, size_bin
"""
_RANGES: Final = """
    select event, game, player, seat, least(bet_level, 2) as level, hole_class, grid_row, grid_column,
        sum(decisions)::bigint as n, sum(folds)::bigint as folds, sum(checks + calls)::bigint as calls,
        sum(raises)::bigint as raises
    from ranges where grid_row is not null and bet_level >= 1 group by all
"""
_FAULTS: Final = """
    select p.event, p.game, p.player, p.namesake_seat as seat, x.kind, count(*) as lines,
        arg_min(x.match_id, (x.match_id, x.hand_index)) as match_id
    from faults x join players p on p.match_id = x.match_id and p.seat = x.seat
    where list_contains($ids, x.match_id) group by all order by lines desc
"""


def _by_person(rows: Iterable[Row]) -> dict[Person, list[Row]]:
    found: defaultdict[Person, list[Row]] = defaultdict(list)
    for row in rows:
        found[person(row)].append(row)
    return dict(found)


def habits(store: "Store", matches: Sequence[MatchName]) -> dict[Person, dict[str, Row]]:
    """For each player by statistic its rate over the matches, and `afq`; of Koper means, too."""
    chosen = ids(matches)
    found: defaultdict[Person, dict[str, Row]] = defaultdict(dict)
    for row in rows_of(store, _TENDENCIES, ids=chosen):
        found[person(row)][row["statistic"]] = row
    for row in rows_of(store, _AGGRESSION, ids=chosen):
        found[person(row)]["afq"] = row
    for row in koper.means(store, matches):
        found[person(row)][row["statistic"]] = row
    return dict(found)


def _grids(rows: Sequence[Row]) -> list[Row]:
    """Ranges as grids of 13 x 13, one where nobody has raised, one facing a raise."""
    levels: dict[int, Row] = {}
    for row in sorted(rows, key=lambda row: row["level"]):
        grid = levels.setdefault(row["level"], {"level": row["level"], "n": 0, "cells": {}})
        grid["n"] += row["n"]
        grid["cells"][row["grid_row"], row["grid_column"]] = row
    return list(levels.values())


def _matrix(rows: Sequence[Row]) -> list[Row]:
    """Answers to bets, a row a street with its cells by size bin; a cell has each answer's row."""
    streets: dict[int, Row] = {}
    for row in rows:
        street = streets.setdefault(row["street"], {"name": row["street_name"], "cells": {}})
        street["cells"].setdefault(row["size_bin"], {})[row["answer"]] = row
    return list(streets.values())


def _bars(rows: Sequence[Row]) -> list[Row]:
    """Sizes of bets and raises, a row a street: by size bin count, share and its Wilson interval; and n."""
    streets: dict[int, Row] = {}
    for row in rows:
        street = streets.setdefault(
            row["street"], {"name": row["street_name"], "n": 0, "all_in": 0, "bins": {}}
        )
        street["n"] += row["bets"]
        street["all_in"] += row["all_in"]
        street["bins"][row["size_bin"]] = row["bets"]
    for street in streets.values():
        n = street["n"]
        counts = {size: street["bins"].get(size, 0) for size in range(1, SIZES + 1)} if n else {}
        street["shares"] = {
            size: {"bets": bets, "share": bets / n, "ends": wilson(bets / n, n)}
            for size, bets in counts.items()
        }
    return [street for street in streets.values() if street["n"]]


def _by_street(rows: Sequence[Row]) -> list[Row]:
    """Strength by own bet size, a row a street with its cells by size bin, and what sizes tell there."""
    streets: dict[int, Row] = {}
    for row in rows:
        street = streets.setdefault(
            row["street"], {"name": row["street_name"], "cells": {}, "tell": row["tell"]}
        )
        street["cells"][row["size"]] = row
    return list(streets.values())


class Dossiers:
    """What the pages of players show; each list is read once for all of them."""

    def __init__(self, store: "Store", matches: Sequence[MatchName], tables: Sequence[Standing]) -> None:
        """Of the players of some matches."""
        chosen = ids(matches)
        self._parts: dict[str, dict[Person, list[Row]]] = {
            "tendencies": _by_person(rows_of(store, _TENDENCIES, ids=chosen)),
            "folds": _by_person(rows_of(store, _FOLDS, ids=chosen)),
            "answers": _by_person(rows_of(store, _ANSWERS, ids=chosen)),
            "sizes": _by_person(rows_of(store, _SIZES, ids=chosen)),
            "ranges": _by_person(rows_of(store, _RANGES)) if _is_all(store, matches) else {},
            "aggression": _by_person(rows_of(store, _AGGRESSION, ids=chosen)),
            "faults": _by_person(rows_of(store, _FAULTS, ids=chosen)),
            "matches": _by_person(rows_of(store, _RESULTS, ids=chosen)),
            "tells": _by_person(tells.by_size(store, matches)) if _is_all(store, matches) else {},
            "halves": _by_person(tells.halves(store, matches)),
            "means": _by_person(koper.means(store, matches)),
            "told": _by_person(koper.folds(store, matches)),
        }
        found = tells.changes(store, matches)
        self._changes = None if found is None else _by_person(found)
        self._others = {(person(row), row["statistic"]): row for row in rows_of(store, _OTHERS, ids=chosen)}
        self.tables = tables

    def of(self, who: Person, table: Standing) -> dict[str, Any]:
        """The context of one player's page."""
        parts = {name: rows.get(who, []) for name, rows in self._parts.items()}
        beaten = [
            (row, table.against[who.page, row["person"].page])
            for row in table.players
            if (who.page, row["person"].page) in table.against
        ]
        field = {
            row["statistic"]: self._others[who, row["statistic"]]
            for row in parts["tendencies"]
            if len(table.players) > 1
        }
        parts["ranges"] = _grids(parts["ranges"])
        parts["answers"] = _matrix(parts["answers"])
        parts["sizes"] = _bars(parts["sizes"])
        parts["tells"] = _by_street(parts["tells"])
        row = next(row for row in table.players if row["person"] == who)
        return {
            **parts,
            "who": who,
            "table": table,
            "row": row,
            "beaten": beaten,
            "field": field,
            "changes": None if self._changes is None else self._changes.get(who, []),
        }
