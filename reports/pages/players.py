"""The pages of players: standings, habits, ranges, bets by size, and changes over a match."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import xxhash

from ...analytics.changes import History, changes_document, does_not_apply, read_history
from ...analytics.intervals import wilson
from ...analytics.players import Player
from ...analytics.settings import FEW
from ...analytics.views import queries
from ...variants.properties import Properties
from ..matches import MatchName, Row, ids, rows_of
from ..starting_hands import Grid, grid_of, strength_boxes, winnings_of_hands
from ..stats import GameRates, game_rates
from ..terminal import Answer, brief_interval, chips, percent, plain, steady
from .answers import leaks_of_players, losses, sure_of

if TYPE_CHECKING:
    from ...analytics.store import Store


def key_of(*names: str) -> str:
    """A key of 16 characters for some names, for addresses and file names."""
    return xxhash.xxh3_64_hexdigest("\0".join(names).encode())


class Person(NamedTuple):
    """A player: (event, game, name), and the seat if one match has the name twice."""

    event: str
    game: str
    player: str
    seat: int | None

    @property
    def key(self) -> str:
        """A key of 16 characters for the player, for addresses; the name cannot be read from it."""
        return key_of(self.event, self.game, self.player, "" if self.seat is None else str(self.seat))

    @property
    def page(self) -> str:
        """The file name of the player's page."""
        return f"player-{self.key}.html"


def person(row: Row) -> Person:
    """The player of a row that has event, game, player and seat or namesake_seat."""
    return Person(row["event"], row["game"], row["player"], row.get("namesake_seat", row.get("seat")))


Group = tuple[str, str]
SIZES: Final = 6
"""The number of bins that `size_name` names."""


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
        """Its key in addresses."""
        return key_of(self.event, self.game)


_OF_CARDS: Final = frozenset({"repeated cards", "common seeds", "different cards"})
"""Kinds of doubts that rest on the cards of all players."""


def standings(store: "Store", matches: Sequence[MatchName], public: bool = False) -> list[Standing]:
    """The standings of each (event, game) of the matches, the one with most hands first.

    public: without doubts that rest on cards, of which a store as spectators saw it has too few
    """
    people: defaultdict[Group, defaultdict[Person, list[Row]]] = defaultdict(lambda: defaultdict(list))
    pairs: defaultdict[Group, defaultdict[tuple[str, str], list[Row]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for _, sat in groupby(
        rows_of(store, queries("pages")["results"], ids=ids(matches)), key=lambda row: row["match_id"]
    ):
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
    places = {
        person(row): row["rank"] for row in rows_of(store, queries("pages")["places"], ids=ids(matches))
    }
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
        _judge(store, found, _OF_CARDS if public else frozenset())
    return sorted(found, key=lambda table: -sum(row["hands"] for row in table.players))


def _is_all(store: "Store", matches: Sequence[MatchName]) -> bool:
    """True if these are all matches of the store: some answers exist only for all of them."""
    return bool(len(matches) == store.execute("select count(*) from matches").fetchall()[0][0])


def _judge(store: "Store", tables: Sequence[Standing], left_out: frozenset[str]) -> None:
    """Replace the pooled intervals by those over resets; add ranks, run-off and doubts but those of some kinds.

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
        table.doubts = [doubt.text for doubt in found.doubts if doubt.kind not in left_out]


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
    """The class of a crosstable's cell: strong if the interval leaves out `even`, otherwise light."""
    if row is None or row["bb_per_100"] is None:
        return "heat-none"
    even = row.get("even", 0)
    side = "won" if row["bb_per_100"] > even else "lost"
    if row["low"] is None or row["low"] <= even <= row["high"]:
        return f"heat-{side}"
    return f"heat-{side}-sure"


def _by_person(rows: Iterable[Row]) -> dict[Person, list[Row]]:
    found: defaultdict[Person, list[Row]] = defaultdict(list)
    for row in rows:
        found[person(row)].append(row)
    return dict(found)


def habits(store: "Store", matches: Sequence[MatchName]) -> dict[Person, dict[str, Row]]:
    """For each player, the rate of each statistic over the matches, `afq`, and Koper's means."""
    chosen = ids(matches)
    found: defaultdict[Person, dict[str, Row]] = defaultdict(dict)
    asked = queries("player")
    for row in rows_of(store, asked["tendencies"], ids=chosen):
        found[person(row)][row["statistic"]] = row
    for row in rows_of(store, asked["aggression"], ids=chosen):
        found[person(row)]["afq"] = row
    for row in koper_means(store, matches):
        found[person(row)][row["statistic"]] = row
    return dict(found)


def _grids(rows: Sequence[Row]) -> list[Row]:
    """Ranges as grids of 13 x 13: one before any raise, one facing a raise."""
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
    """Strength by own bet size, one row per street with cells by size bin, and the size tells of the street."""
    streets: dict[int, Row] = {}
    for row in rows:
        street = streets.setdefault(
            row["street"], {"name": row["street_name"], "cells": {}, "tell": row["tell"]}
        )
        street["cells"][row["size"]] = row
    return list(streets.values())


def _as_text(table: Answer) -> dict[str, Any]:
    """A table of `game_rates` as a page shows it: title, columns, and rows of cells with whether they say little."""
    writers = [table.formats.get(column, plain) for column in table.columns]
    rows = [
        (
            bool(table.faint and table.faint(row)),
            [str(write(cell)) for write, cell in zip(writers, row, strict=True)],
        )
        for row in table.rows
    ]
    return {"title": table.title, "columns": table.columns, "rows": rows}


class Dossiers:
    """The content of the players' pages; each list is read once for all of them."""

    def __init__(
        self,
        store: "Store",
        matches: Sequence[MatchName],
        tables: Sequence[Standing],
        public: bool = False,
    ) -> None:
        """Read the lists for the players of some matches.

        public: without ranges and the hands behind bets, which showdowns alone would distort
        """
        chosen, asked, is_all = ids(matches), queries("player"), _is_all(store, matches)
        known = is_all and not public
        plain = ("tendencies", "folds", "answers", "sizes", "aggression", "faults")
        parts = {name: rows_of(store, asked[name], ids=chosen) for name in plain} | {
            "matches": rows_of(store, queries("pages")["results"], ids=chosen),
            "ranges": rows_of(store, asked["ranges"]) if known else [],
            "times": rows_of(store, asked["times"]) if is_all else [],
            "tells": bets_by_size(store, matches) if known else [],
            "by_hand": winnings_of_hands(store) if known else [],
            "halves": halves(store, matches),
            "means": koper_means(store, matches),
            "told": koper_folds(store, matches),
            "losses": losses(store, matches),
        }
        self._parts = {name: _by_person(rows) for name, rows in parts.items()}
        found = changes(store, matches)
        self._changes = None if found is None else _by_person(found)
        self._others = {
            (person(row), row["statistic"]): row for row in rows_of(store, asked["others"], ids=chosen)
        }
        self.tables = tables
        self._store = store
        self._histories: dict[Group, History] = {}
        self._is_compared = is_all and len(matches) <= COMPARED_MOST
        self._rates: dict[Person, list[GameRates]] = {}
        for who, one in game_rates(store) if known else ():
            self._rates.setdefault(Person(*who), []).append(one)
        priced = [] if public else [(row, table.rules) for table in tables for row in table.players]
        self._leaks = leaks_of_players(store, matches, priced)

    def _between(self, who: Person, rules: Properties) -> Row | None:
        """Changes between the player's matches, as in the opponent file; None if they were not searched."""
        if not self._is_compared or does_not_apply(rules):
            return None
        group = (who.event, who.game)
        if group not in self._histories:
            self._histories = {group: read_history(self._store, *group)}
        player = Player(who.event, who.game, who.player, who.seat)
        return changes_document(self._store, player, rules, self._histories[group])

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
        won: Grid | None = grid_of(parts.pop("by_hand"), parts["ranges"])
        parts["ranges"] = _grids(parts["ranges"])
        parts["answers"] = _matrix(parts["answers"])
        parts["sizes"] = _bars(parts["sizes"])
        parts["tells"] = _by_street(parts["tells"])
        row = next(row for row in table.players if row["person"] == who)
        return {
            **parts,
            "sure": sure_of(row["low"], row["high"]),
            "leaks": self._leaks.get(who),
            "won_with": won,
            "rates": [_as_text(one.table) for one in self._rates.get(who, ())],
            "rates_said": [line for one in self._rates.get(who, ()) for line in one.said],
            "who": who,
            "table": table,
            "row": row,
            "beaten": beaten,
            "field": field,
            "between": self._between(who, table.rules),
            "changes": None if self._changes is None else self._changes.get(who, []),
        }


COMPARED_MOST: Final = 1000
"""The most matches among which changes are searched, because the search takes long."""
SHUFFLED_MOST: Final = 60
"""The most matches for which changes are tested by shuffling, which takes long."""
SHOWN_CHANGES: Final = 10
RANKED_MOST: Final = 200
"""The most matches for which bets are ranked for `size_tells`; more do not fit into the memory."""


def bets_by_size(store: "Store", matches: Sequence[MatchName]) -> list[Row]:
    """Rows of `bets_by_size`, each with the `size_tells` of its street and its row of `strength_boxes`, if it has one.

    matches  all of the store; no `size_tells` for more than `RANKED_MOST`
    """
    ranked = rows_of(store, queries("player")["size_tells"]) if len(matches) <= RANKED_MOST else []
    tells = {street_of(row): row for row in ranked}
    boxes = {(*street_of(row), row["size"]): row for row in strength_boxes(store)}
    return [
        row | {"tell": tells.get(street_of(row)), "box": boxes.get((*street_of(row), row["size"]))}
        for row in rows_of(store, queries("player")["bets_by_size"])
    ]


def street_of(row: Row) -> tuple[Any, ...]:
    """The key of a player's bets on one street."""
    return tuple(row[key] for key in ("event", "game", "player", "seat", "street"))


def halves(store: "Store", matches: Sequence[MatchName]) -> list[Row]:
    """Rows of `halves` over some matches with the label of the statistic; no interval where n1 or n2 is below FEW."""
    rows = rows_of(store, queries("player")["halves"], ids=ids(matches))
    return [row if min(row["n1"], row["n2"]) >= FEW else row | {"low": None, "high": None} for row in rows]


def _sides(store: "Store", rows: Sequence[Row]) -> dict[tuple[Any, ...], Row]:
    """Rows of the query `sides` by match_id, seat, statistic and whether it is the side after the change."""
    cut = [row for row in rows if row["change_hand"] is not None]
    asked = {
        "matches": [row["match_id"] for row in cut],
        "seats": [row["seat"] for row in cut],
        "statistics": [row["statistic"] for row in cut],
        "cuts": [row["change_hand"] for row in cut],
    }
    found = rows_of(store, queries("player")["sides"], **asked) if cut else []
    return {(row["match_id"], row["seat"], row["statistic"], row["after"]): row for row in found}


def changes(store: "Store", matches: Sequence[MatchName]) -> list[Row] | None:
    """Rows of `steadiness.drift` with the label of the statistic, the least p first; None for too many matches.

    before_side, after_side: n and the ends of Wilson's interval of `before` and `after`, None if there is no cut.
    """
    if len(matches) > SHUFFLED_MOST:
        return None
    from ...analytics.steadiness import drift

    labels = dict(store.execute("select statistic, label from statistics").fetchall())
    seats = store.execute("select match_id, seat, namesake_seat from players").fetchall()
    named = {(match, seat): namesake for match, seat, namesake in seats}
    known = {match: place for place, match in enumerate(ids(matches))}
    found = [row for row in drift(store).iter_rows(named=True) if row["match_id"] in known]
    sides = _sides(store, found)
    rows = []
    for row in found:
        key = (row["match_id"], row["seat"], row["statistic"])
        more = {"before_side": sides.get((*key, False)), "after_side": sides.get((*key, True))}
        rows.append(row | more | {"seat": named[key[:2]], "label": labels[row["statistic"]]})
    return sorted(rows, key=lambda row: (row["change_p"], row["p"], known[row["match_id"]]))


_KOPER_SHARES: Final = frozenset({"win_prob_folded", "win_prob_bet", "cap_use"})
_KOPER_CHIPS: Final = frozenset({"bet_1", "redistributed"})
KOPER_KEY_MEANS: Final = {
    "bet_1": ("bet of round 1", "mean bet of round 1 where the player bet, chips"),
    "step_2": ("bet 2 / bet 1", "mean of bet 2 / bet 1, from 0.5 to 1.5 but for players out of chips"),
    "step_3": ("bet 3 / bet 2", "mean of bet 3 / bet 2, from 0.75 to 1.25 but for players out of chips"),
    "cap_use": ("cap use", "mean at a showdown of min(pot, winning cap) / pot"),
}
"""The means in the overview: heading and explanation."""


def koper_figure(statistic: str, value: float | None) -> str:
    """A mean of `koper_tendencies`: a share in percent, chips, else a ratio."""
    if value is None:
        return "–"
    if statistic in _KOPER_SHARES:
        return percent(value)
    return chips(value) if statistic in _KOPER_CHIPS else f"{steady(value):.2f}"


def koper_ends(statistic: str, low: float | None, high: float | None) -> str:
    """The 95% interval of such a mean; empty if there is none."""
    if low is None or high is None:
        return ""
    if statistic in _KOPER_SHARES:
        return brief_interval(low, high, 1)
    return f"{koper_figure(statistic, low)}–{koper_figure(statistic, high)}"


def koper_means(store: "Store", matches: Sequence[MatchName]) -> list[dict[str, Any]]:
    """Rows of `koper_tendencies` over some matches, with the game."""
    return _of_game(store, matches, "koper_means")


def koper_folds(store: "Store", matches: Sequence[MatchName]) -> list[dict[str, Any]]:
    """Rows of `koper_folds` over some matches, with the game and the bin's name, `chance`."""
    return _of_game(store, matches, "koper_folds")


def _of_game(store: "Store", matches: Sequence[MatchName], name: str) -> list[dict[str, Any]]:
    games: dict[str, list[MatchName]] = {}
    for match in matches:
        if match.rules.simultaneous:
            games.setdefault(match.game, []).append(match)
    return [
        row | {"game": game}
        for game, chosen in games.items()
        for row in rows_of(store, queries("player")[name], ids=ids(chosen))
    ]
