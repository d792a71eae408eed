"""All tables of a competition in one object: what `railbird standings` prints and a report draws."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from ...storage.ledger import UNSURE
from . import DRAWS, bootstrap, removal, run_off
from .doubts import Doubt, doubts
from .table import MOST_UNITS, Floats, Table, read_tables

if TYPE_CHECKING:
    from ..store import Store

_WORK: Final = 100_000_000
_FEWEST_UNITS: Final = 100
_KEY: Final = ["player", "seat"]
_VIEWS: Final = {
    "standings": "select * from standings",
    "crosstable": "select * from crosstable",
    "duplicates": "select * from duplicates",
    "card_reuse": "select * exclude (match_ids) from card_reuse",
    "duplicate_deals": "select * from duplicate_deals",
    "entrants": "select event, game, reset from entrants",
    "matches": f"""
        select event, game, complete, unit, coalesce(reason like '%{UNSURE.format("%")}%', false) as unsure
        from matches left join (select file_id, reason from stored.files) using (file_id)
    """,
    "final_gaps": "select event, game, match_id, is_whole, abs(delta_logged - delta) as chips from final_gaps",
    "koper_wins": """
        select event, game, player, seat, wins,
            rank() over (partition by event, game order by wins desc, chips desc) as rank_by_wins
        from (
            select e.event, e.game, e.player, e.namesake_seat as seat, round(sum(s.win_share), 9) as wins,
                chips_of(s.delta) as chips
            from entrants e join stored.seats s on s.match_id = e.match_id and s.seat = e.seat
            join games as g on g.game = e.game and g.win_cap is not null group by all
        )
    """,
}


@dataclass(frozen=True)
class Competition:
    """The matches of one event and game; chips are in the log's unit, intervals at 95%.

    standings   view `standings`, then the columns of `bootstrap.ranks`, and: run_off_place (from 1), p_run_off (share
                of draws that the player wins the run-off in), rank_without_low and rank_without_high (best and worst
                rank when one opponent is left out), and for Koper wins, rank_by_wins (null elsewhere)
    crosstable  view `crosstable`, a row for every two players, with place and opponent_place (rows of the standings,
                from 1), p_beats: P(more total bankroll than the opponent), and scarce: one of the two is (standings);
                evidence 'grey' and nulls where they never met
    run_off     `run_off.run_off`
    without     `removal.without_one`
    decisive    `removal.decisive_pairs`
    duplicates  view `duplicates`
    doubts      what to know before it is believed
    """

    event: str
    game: str
    standings: pl.DataFrame
    crosstable: pl.DataFrame
    run_off: pl.DataFrame
    without: pl.DataFrame
    decisive: pl.DataFrame
    duplicates: pl.DataFrame
    doubts: tuple[Doubt, ...]


def competitions(
    store: "Store",
    event: str | None = None,
    game: str | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Iterator[Competition]:
    """The competitions of a store, or those of one event or game, ordered by both names.

    draws, seed: of the bootstrap; the same seed, the same figures.
    """
    tables = read_tables(store, event, game)
    units = _WORK // (draws * max((len(table.strata) for table in tables), default=1))
    if units < MOST_UNITS:
        tables = read_tables(store, event, game, max(_FEWEST_UNITS, units))
    views = {name: store.sql(query).pl() for name, query in _VIEWS.items()}
    for table in tables:
        own = (pl.col("event") == table.event) & (pl.col("game") == table.game)
        yield competition(table, {name: frame.filter(own) for name, frame in views.items()}, draws, seed)


def competition(
    table: Table, views: Mapping[str, pl.DataFrame], draws: int = DRAWS, seed: int = 0
) -> Competition:
    """The competition of a table; views: the rows of `_VIEWS` that are its own."""
    drawn = bootstrap.draw(table, draws, seed)
    without = removal.without_one(table)
    out, _ = run_off.eliminate(table, table.chips[None])
    places = pl.DataFrame(
        {
            "player": [name for name, _ in table.players],
            "seat": [seat for _, seat in table.players],
            "run_off_place": run_off.places(out)[0],
        },
        schema_overrides={"seat": pl.Int8},
    )
    if drawn is not None:
        winners = run_off.places(run_off.eliminate(table, drawn)[0]) == 1
        places = places.with_columns(pl.Series("p_run_off", winners.mean(axis=0)))
    else:
        places = places.with_columns(pl.lit(None, dtype=pl.Float64).alias("p_run_off"))
    spans = without.group_by(_KEY).agg(
        pl.col("rank").min().alias("rank_without_low"), pl.col("rank").max().alias("rank_without_high")
    )
    standings = views["standings"]
    for more in (bootstrap.ranks(table, drawn), places, spans, views["koper_wins"].drop("event", "game")):
        standings = standings.join(more, on=_KEY, how="left", nulls_equal=True)
    standings = standings.sort("rank", "player", "seat")
    return Competition(
        table.event,
        table.game,
        standings,
        _crosstable(table, views["crosstable"], bootstrap.beats(table, drawn)),
        run_off.run_off(table, drawn),
        without,
        removal.decisive_pairs(table),
        views["duplicates"].sort("opponent", "player", "seat"),
        tuple(doubts(table, views)),
    )


def _crosstable(table: Table, cells: pl.DataFrame, beats: Floats) -> pl.DataFrame:
    """The view's rows in the order of the standings, with rows for those who never met."""
    size = len(table.players)
    schema = {
        "place": pl.Int64,
        "opponent_place": pl.Int64,
        "player": pl.String,
        "seat": pl.Int8,
        "opponent": pl.String,
        "opponent_seat": pl.Int8,
        "p_beats": pl.Float64,
        "scarce": pl.Boolean,
    }
    scarce = bootstrap.scarce(table)
    both = (scarce[:, None] | scarce).tolist()
    rows = [
        (
            one + 1,
            other + 1,
            *table.players[one],
            *table.players[other],
            float(beats[one, other]),
            both[one][other],
        )
        for one in range(size)
        for other in range(size)
        if one != other
    ]
    pairs = pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col("p_beats").fill_nan(None))
    cells = cells.drop("event", "game")
    last = ("p_beats", "scarce")
    key = ["player", "seat", "opponent", "opponent_seat"]
    return (
        pairs.join(cells, on=key, how="left", nulls_equal=True)
        .with_columns(pl.col("evidence").fill_null("grey"))
        .select(*[name for name in schema if name not in last], *cells.columns[len(key) :], *last)
        .sort("place", "opponent_place")
    )
