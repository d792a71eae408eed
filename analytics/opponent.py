"""The opponent file: one document about a player that a bot can load at its start (docs/opponent.md).

Every number is a count, or a rate with its counts and a 95% interval; an exploit states its assumption. The document
has a view `full`; with a second player also `as_seen`, limited to what that player was shown, both over the matches of
the two. If a match has a lock point, each view is repeated for the hands before it. Changes of play are looked for in
all matches of the player, whatever the views hold.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from ..variants.properties import Properties
from .changes import changes_document
from .changes import does_not_apply as no_changes
from .hand_arrays import is_counted
from .players import Player, rules_of
from .settings import FEW
from .store import Store
from .views import all_views

if TYPE_CHECKING:
    import polars as pl

FORMAT: Final = "railbird.opponent/1"

ACTIONS: Final = ("fold", "check", "call", "raise")
"""The four counts of a cell of a range; `raise` includes bets, `call` Koper's plays."""

DOES: Final[Mapping[str, str]] = {
    "bluff": "bet this size with any hand",
    "never_bluff": "do not bluff with this size",
    "call": "call this size with every hand that beats a bluff",
    "fold": "fold every hand to this size that beats only a bluff",
}
ASSUMES: Final[Mapping[str, str]] = {
    "bluff": "the hand always loses when called and no more chips go in; the player keeps folding as often",
    "never_bluff": "compared with bluffing as often as pot odds allow; bluffs always lose when called",
    "call": "the hand beats every bluff (worse than average) and loses to the rest; the player keeps bluffing as often",
    "fold": "compared with calling at the minimum defence frequency; the player keeps bluffing as rarely",
}

NO_BOUNTIES: Final = "; bounties are left out"
"""The additional assumption of every exploit of Bounty."""

CLAIMS: Final = "claims_by_kind"
"""The list of a player's statements about its cards; players without statements lack it."""

LEFT_OUT: Final = ("never_bluff", "fold")
"""Exploits whose gain is relative to a theoretical plan, not to doing nothing; they are listed last."""

_LOCK: Final = "_before_lock"
_AT_ONCE: Final = 2
"""Views of the document."""
_WHO: Final = "event = $event and game = $game and player = $player and seat is not distinct from $seat"
_RATE: Final = "opportunities, successes, rate, low, high"
# Each kind of tendency: the view, then label, street and position in SQL, and the source of the labels.
_TENDENCIES: Final = (
    ("tendencies", "label", "null::tinyint", "null::varchar", "statistics"),
    ("tendencies_by_position", "label", "null::tinyint", "position", "statistics"),
    ("street_tendencies", "label", "street", "null::varchar", "street_statistics"),
    ("street_tendencies_by_position", "label", "street", "position", "street_statistics"),
    ("fold_frequency", "'fold to a bet'", "street", "position", None),
)


def _of_rules(rules: Properties) -> tuple[str, ...]:
    """The views about features of some games."""
    views: list[str] = []
    if rules.fixed_sizes:
        views.append("limit_tendencies")
    if rules.bounties:
        views += ("bounty_hits", "bounty_shift")
    if rules.runs:
        views.append("run_tendencies")
    if rules.boards > 1:
        views += ("blotto_tendencies", "blotto_triggers", "blotto_allocation")
    if rules.simultaneous:
        views += ("koper_tendencies", "koper_folds")
    if rules.auctions:
        views.append("bids")
    gives = "discard" in rules.decisions
    if rules.swaps or rules.redraws or gives:
        views.append("exchanges")
    if gives:
        views.append("discards")
    if rules.permutes:
        views.append("permuted_showdowns")
    return tuple(views)


def opponent_file(store: Store, player: Player, against: Player | None = None) -> dict[str, Any]:
    """The document about a player, plain dicts and lists; docs/opponent.md has its schema.

    against: an opponent; then only common matches count, and the view `as_seen` is added. analytics.players finds both
    """
    with closing(store.matches_of(against or player)) as full:
        locks = ["", _LOCK] if _of(full, player, _LOCKED) else [""]
    rules = rules_of(store, player.game)
    if _has_strengths(rules):
        # Computed once, before several threads need them.
        store.count_equities()

    def count(view: tuple[Player | None, str]) -> dict[str, Any]:
        viewer, lock = view
        with closing(store.as_seen_by(viewer) if viewer else store.matches_of(against or player)) as opened:
            _keep(opened, player, lock)
            made = _private(opened, player, lock)
            # Public facts are the same for the viewer; tests check that.
            return made if viewer else _public(opened, player, lock) | made

    asked = [(viewer, lock) for viewer in ((None,) if against is None else (None, against)) for lock in locks]
    # Most time is query planning, which DuckDB does with one thread.
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = list(pool.map(count, asked))
    views = {"full" + lock: found[place] for place, lock in enumerate(locks)}
    for place, lock in enumerate(locks if against else (), len(locks)):
        views["as_seen" + lock] = views["full" + lock] | found[place]
    return {
        "format": FORMAT,
        "player": _named(player),
        "against": None if against is None else _named(against),
        "few_below": FEW,
        "sizes": [
            row["name"]
            for row in _rows(store, "select size_name(n) as name from range(1, 7) t(n) order by n")
        ],
        "actions": list(ACTIONS),
        "does_not_apply": _missing(rules),
        "changes": changes_document(store, player, rules),
        "views": views,
    }


def _has_strengths(rules: Properties) -> bool:
    return "exploits" not in _missing(rules)


def _keep(store: Store, player: Player, lock: str) -> None:
    """Make tables of the player's decisions, from which most lists are counted."""
    has_strengths = _has_strengths(rules_of(store, player.game))
    for name in ("situations", "strengths") if has_strengths else ("situations",):
        store.keep(
            name + lock,
            "event = $event and game = $game and player = $player and namesake_seat is not distinct from $seat",
            event=player.event,
            game=player.game,
            player=player.name,
            seat=player.seat,
        )


def _named(player: Player) -> dict[str, Any]:
    return {"event": player.event, "game": player.game, "name": player.name, "seat": player.seat}


_STRENGTHS: Final = ("bets_by_size", "size_tells", "actions_by_strength", "holdings")
"""The lists that need equities."""


def _missing(rules: Properties) -> dict[str, str]:
    """The lists that the game does not have, and why."""
    if rules.simultaneous:
        bets = f"all players bet at once in {rules.title}, so no player responds to a bet"
        missing = dict.fromkeys((*_PUBLIC_LISTS, *_LISTS, "exploits"), bets)
        return missing | {"changes": no_changes(rules) or bets}
    found = {}
    if why := no_changes(rules):
        found["changes"] = why
    if rules.hole_cards is not None and rules.hole_cards != 2 * rules.boards:
        named = (
            "hands of more than three cards have no cells"
            if rules.hole_cards > 3 * rules.boards
            else "cells are named by ranks"
        )
        found["grid"] = f"the 13 x 13 grid has room for two hole cards only; {named}"
    if not is_counted(rules):
        found |= dict.fromkeys(
            _STRENGTHS, f"in {rules.title} no equities are counted, so bets have no strength"
        )
    if rules.runs:
        found["optimum"] = "no street is known to be the last, so pot odds alone say nothing about bluffs"
    if rules.fixed_sizes:
        found["size_tells"] = "the rules fix the size of a bet"
    if len(rules.streets) == 1 and rules.players != 2:
        found["defences"] = "with a third player in the pot no single player has a minimum defence"
    return found


def _rows(store: Store, query: str, **params: object) -> list[dict[str, Any]]:
    answer = store.execute(query, **params)
    names = [column[0] for column in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def _of(store: Store, player: Player, query: str, lock: str = "") -> list[dict[str, Any]]:
    """The rows of a query with `{who}` for the condition on the player and `{lock}` for the suffix of its views."""
    return _rows(
        store,
        query.format(who=_WHO, rate=_RATE, lock=lock),
        event=player.event,
        game=player.game,
        player=player.name,
        seat=player.seat,
    )


def _public(store: Store, player: Player, lock: str) -> dict[str, Any]:
    """The lists that need only actions."""
    made: dict[str, Any] = {"tendencies": list(_tendencies(store, player, lock))}
    return made | _lists(store, player, lock, _PUBLIC_LISTS)


def _private(store: Store, player: Player, lock: str) -> dict[str, Any]:
    """The lists that need cards, or the ranks of Bounty."""
    made: dict[str, Any] = _of(store, player, _KNOWN, lock)[0]
    made["ranges"] = _ranges(_of(store, player, _RANGES, lock))
    made |= _lists(store, player, lock, _LISTS)
    rules = rules_of(store, player.game)
    more = NO_BOUNTIES if rules.bounties else ""
    made["exploits"] = _exploits(_of(store, player, _EXPLOITS, lock) if _has_strengths(rules) else [], more)
    made["game"] = _of_game(store, player, lock)
    return made


def _lists(store: Store, player: Player, lock: str, queries: Mapping[str, str]) -> dict[str, Any]:
    missing = _missing(rules_of(store, player.game))
    return {
        name: [] if name in missing else _with_few(_of(store, player, query, lock))
        for name, query in queries.items()
    }


def without_rows(store: Store, names: Collection[str]) -> dict[str, "pl.DataFrame"]:
    """The columns of some lists of a document, as frames without rows; names that are of no such list are left out."""
    import polars as pl
    import polars.selectors as cs

    known = {**_PUBLIC_LISTS, **_LISTS, "exploits_winning": _EXPLOITS}
    added = {"exploits_winning": "'' as does, '' as assumes, true as model, false as certain, "}
    ranges = {
        "position": pl.String(),
        "bet_level": pl.Int64(),
        "decisions": pl.Int64(),
        "not_seen": pl.List(pl.Int64),
        "cells": pl.Struct({}),
    }
    found = {"ranges": pl.DataFrame(schema=ranges)} if "ranges" in names else {}
    return found | {
        name: store.sql(
            f"select *, {added.get(name, '')}false as few "
            f"from ({known[name].format(who='false', rate=_RATE, lock='')})"
        )
        .pl()
        .cast({cs.integer(): pl.Int64})
        for name in names
        if name in known
    }


def _with_few(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "few": _cases(row) < FEW} for row in rows]


def _cases(row: Mapping[str, Any]) -> int:
    """The number of cases of a row's figure; for an AUC or a shift that of the rarer kind."""
    for counts in (
        ("bets_for_value", "bluffs"),
        ("live_opportunities", "opportunities"),
        ("hands",),
        ("seen",),
    ):
        if all(name in row for name in counts) and "bb_per_100" not in row:
            return min(int(row[name]) for name in counts)
    return int(row["opportunities"])


def _tendencies(store: Store, player: Player, lock: str) -> Iterable[dict[str, Any]]:
    for view, label, street, position, names in _TENDENCIES:
        statistic = "statistic" if names else "'fold_to_bet'"
        listed = f"join {names} using (statistic)" if names else ""
        query = (
            f"select {statistic} as statistic, {label} as label, {street} as street, {position} as position, {{rate}} "
            f"from {view}{{lock}} {listed} where {{who}} "
            f"order by {'place, ' if names else ''}street, position_place(position)"
        )
        yield from _with_few(_of(store, player, query, lock))


def _ranges(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A range for each position and bet level: counts of ACTIONS by hole class, and with unseen cards."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for row in rows:
        made = found.setdefault(
            (row["position"], row["bet_level"]),
            {
                "position": row["position"],
                "bet_level": row["bet_level"],
                "decisions": 0,
                "not_seen": [0] * len(ACTIONS),
                "cells": {},
            },
        )
        counts = [row["folds"], row["checks"], row["calls"], row["raises"]]
        made["decisions"] += row["decisions"]
        if row["hole_class"] is None:
            made["not_seen"] = counts
        else:
            made["cells"][row["hole_class"]] = counts
    return list(found.values())


def _exploits(rows: Sequence[Mapping[str, Any]], more: str) -> dict[str, Any]:
    """The exploits that would have won, in order, and how many were tried; more: an assumption of each."""
    winning = [
        {
            **row,
            "does": DOES[row["exploit"]],
            "assumes": ASSUMES[row["exploit"]] + more,
            "model": True,
            "certain": row["bb_low"] is not None and row["bb_low"] > 0,
        }
        for row in rows
        if row["bb_per_100"] > 0
    ]
    return {"compared": len(rows), "winning": _with_few(winning)}


def _of_game(store: Store, player: Player, lock: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of the views that exist only for this game, by view."""
    views = {view.name: view for view in all_views()}
    found = {}
    rules = rules_of(store, player.game)
    # Whatever the game, some bots say what they hold.
    said = (CLAIMS,) if store.execute("select 1 from stored.notes limit 1").fetchall() else ()
    for name in (*_of_rules(rules), *said):
        view = views.get(name + lock, views[name])
        # Views of one game need no column for it.
        mine = {column.name for column in view.columns} & {"event", "game", "player", "seat"}
        who = _WHO if "game" in mine else _WHO.replace("game = $game", "$game is not null")
        query = f"select * exclude ({', '.join(sorted(mine))}) from {view.name} where {who} order by all"
        found[name] = _of(store, player, query)
    if not found.get(CLAIMS):
        found.pop(CLAIMS, None)
    if rules.bounties:
        from .hidden_ranks import knowledge_of

        found |= {name: _with_few(rows) for name, rows in knowledge_of(store, player, bool(lock)).items()}
    return found


_LOCKED: Final = """
    select 1
    from lock_points
    join (select match_id, event, game, player, namesake_seat as seat from players) as p using (match_id)
    where hand_index is not null and p.event = $event and p.game = $game and p.player = $player
      and p.seat is not distinct from $seat
    limit 1
"""
_KNOWN: Final = "select * exclude (event, game, player, seat) from cards_known{lock} where {who}"
_RANGES: Final = """
    select position, bet_level, hole_class, decisions, folds, checks, calls, raises
    from ranges{lock} where {who}
    order by position_place(position), bet_level, grid_row, grid_column, hole_class
"""
_PUBLIC_LISTS: Final = {
    "bets_faced": """
        select street, position, size_bin as size, answer, {rate}, mean_size, mdf
        from bets_faced{lock} where {who} order by street, position_place(position), size_bin, answer
    """,
    "bets_made": """
        select street, position, action, size_bin as size, {rate}, mean_size, all_in, mean_to_bb
        from bets_made{lock} where {who} order by street, position_place(position), action, size_bin
    """,
    "defences": """
        select street, faced as size, opportunities, folds, calls, raises, rate, low, high, break_even, mdf, over_fold
        from defences{lock} where {who} order by street, faced
    """,
}
_LISTS: Final = {
    "bets_by_size": """
        select street, size, bets, seen, equity, equity_low, equity_high, bluffs, bluff_share, low, high, optimum,
          excess
        from bets_by_size{lock} where {who} order by street, size
    """,
    "size_tells": """
        select street, bets as opportunities, bets_for_value, bluffs, value_size, bluff_size, auc, low, high
        from size_tells{lock} where {who} order by street
    """,
    "actions_by_strength": """
        select street, position, can_check, faced as size, decile, action, {rate}
        from actions_by_strength{lock} where {who}
        order by street, position_place(position), can_check, faced nulls first, decile nulls last, action
    """,
    "holdings": """
        select street, action, size, fifth, {rate}, usual
        from holdings{lock} where {who} order by street, action, size nulls first, fifth
    """,
}
_EXPLOITS: Final = f"""
    select exploit, street, size, {{rate}}, break_even, hands, bb_per_100, bb_low, bb_high
    from exploits{{lock}} where {{who}} order by exploit in {LEFT_OUT}, bb_per_100 desc, exploit, street, size
"""
