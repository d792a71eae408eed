"""All tables of a competition in one object, as `railbird standings` prints them and a report draws them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from ..storage.ledger import UNSURE
from . import rankings
from .rankings import HELD, MOST_UNITS, SCARCE, Floats, Table, held_share, read_tables
from .settings import DRAWS
from .views import named, queries

if TYPE_CHECKING:
    from .store import Store

_PARTS_OF_A_CHIP: Final = 0.01


@dataclass(frozen=True)
class Doubt:
    """A reason to doubt the order of a competition.

    kind  final line, another game, scarce, reset once, repeated cards, common seeds, different cards, schedule,
          unfinished, blinds or leak
    text  one sentence for the reader
    """

    kind: str
    text: str


_WORK: Final = 100_000_000
_FEWEST_UNITS: Final = 100
_KEY: Final = ["player", "seat"]


@dataclass(frozen=True)
class Competition:
    """The matches of one event and game; chips are in the log's unit, intervals at 95%.

    standings   view `standings`, then the columns of `rankings.ranks`, and: run_off_place (from 1), p_run_off (share of
                draws in which the player wins the run-off), rank_without_low and rank_without_high (best and worst rank
                without one opponent), and for Koper wins, rank_by_wins (null elsewhere)
    crosstable  view `crosstable` with a row for each ordered pair of players, place and opponent_place (from 1),
                p_beats: P(more total bankroll than the opponent), and scarce: one of the two is; evidence 'grey' and
                nulls if they never met
    run_off     `rankings.run_off`
    without     `rankings.without_one`
    decisive    `rankings.decisive_pairs`
    duplicates  view `duplicates`
    doubts      reasons to doubt the order
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
    store: "Store", event: str | None = None, game: str | None = None, draws: int = DRAWS, seed: int = 0
) -> Iterator[Competition]:
    """The competitions of a store, or those of one event or game, ordered by both names.

    draws, seed: of the bootstrap; the same seed gives the same figures.
    """
    tables = read_tables(store, event, game)
    units = _WORK // (draws * max((len(table.strata) for table in tables), default=1))
    if units < MOST_UNITS:
        tables = read_tables(store, event, game, max(_FEWEST_UNITS, units))
    unsure = f"%{UNSURE.format('%')}%"
    views = {
        name: store.sql(query, **named(query, unsure=unsure)).pl()
        for name, query in queries("standings").items()
    }
    for table in tables:
        own = (pl.col("event") == table.event) & (pl.col("game") == table.game)
        yield competition(table, {name: frame.filter(own) for name, frame in views.items()}, draws, seed)


def competition(
    table: Table, views: Mapping[str, pl.DataFrame], draws: int = DRAWS, seed: int = 0
) -> Competition:
    """The competition of a table; views: its rows of the queries in `standings`."""
    drawn = rankings.draw(table, draws, seed)
    without = rankings.without_one(table)
    out, _ = rankings.eliminate(table, table.chips[None])
    places = pl.DataFrame(
        {
            "player": [name for name, _ in table.players],
            "seat": [seat for _, seat in table.players],
            "run_off_place": rankings.places(out)[0],
        },
        schema_overrides={"seat": pl.Int8},
    )
    if drawn is not None:
        winners = rankings.places(rankings.eliminate(table, drawn)[0]) == 1
        places = places.with_columns(pl.Series("p_run_off", winners.mean(axis=0)))
    else:
        places = places.with_columns(pl.lit(None, dtype=pl.Float64).alias("p_run_off"))
    spans = without.group_by(_KEY).agg(
        pl.col("rank").min().alias("rank_without_low"), pl.col("rank").max().alias("rank_without_high")
    )
    standings = views["standings"]
    for more in (rankings.ranks(table, drawn), places, spans, views["koper_wins"].drop("event", "game")):
        standings = standings.join(more, on=_KEY, how="left", nulls_equal=True)
    standings = standings.sort("rank", "player", "seat")
    return Competition(
        table.event,
        table.game,
        standings,
        _crosstable(table, views["crosstable"], rankings.beats(table, drawn)),
        rankings.run_off(table, drawn),
        without,
        rankings.decisive_pairs(table),
        views["duplicates"].sort("opponent", "player", "seat"),
        tuple(doubts(table, views)),
    )


def _crosstable(table: Table, cells: pl.DataFrame, beats: Floats) -> pl.DataFrame:
    """The rows of the view in the order of the standings, with rows for pairs that never met."""
    size = len(table.players)
    scarce = rankings.scarce(table)
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
    pairs = rankings.framed(
        rows,
        "place:int opponent_place:int player:text seat:seat opponent:text opponent_seat:seat p_beats:float scarce:bool",
    ).with_columns(pl.col("p_beats").fill_nan(None))
    cells = cells.drop("event", "game")
    last = ("p_beats", "scarce")
    key = ["player", "seat", "opponent", "opponent_seat"]
    return (
        pairs.join(cells, on=key, how="left", nulls_equal=True)
        .with_columns(pl.col("evidence").fill_null("grey"))
        .select(*[name for name in pairs.columns if name not in last], *cells.columns[len(key) :], *last)
        .sort("place", "opponent_place")
    )


def _plural(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def doubts(table: Table, views: Mapping[str, pl.DataFrame]) -> list[Doubt]:
    """The reasons to doubt the order of a competition, the most serious first.

    views: this competition's rows of entrants, card_reuse, duplicate_deals, matches and final_gaps, by name.
    """
    return [
        *_final(views["final_gaps"]),
        *_unsure(views["matches"]),
        *_scarce(table, views["entrants"]),
        *_cards(table, views),
        *_schedule(table, views["matches"]),
    ]


def _final(gaps: pl.DataFrame) -> list[Doubt]:
    found = []
    for is_whole, why in (
        (False, "awards of some hands are missing, and only the others count (view final_gaps)"),
        (True, "no hand is missing, so that line is wrong, and the hands count (railbird verify)"),
    ):
        some = gaps.filter(gaps["is_whole"] == is_whole)
        if len(some):
            most = float(np.max(some["chips"].to_numpy()))
            said = _plural(some["match_id"].n_unique(), "match says", "matches say")
            text = f"{said} another result in the final line, by up to {most:,.10g} chips: {why}"
            found.append(Doubt("final line", text))
    return found


def _unsure(matches: pl.DataFrame) -> list[Doubt]:
    count = int(matches["unsure"].sum())
    if not count:
        return []
    text = (
        f"{_plural(count, 'match is', 'matches are')} of a log that may be of another game, which then has standings "
        "of its own (its reason in files): ingest --game tells which, in a new store"
    )
    return [Doubt("another game", text)]


def _scarce(table: Table, entrants: pl.DataFrame) -> list[Doubt]:
    what = " or ".join(sorted(entrants["reset"].unique()))
    share, fewest = held_share(table), int(table.resets.min())
    once = f"some players met over one {what} only"
    if share > HELD:
        text = f"{once}, and one does not show how far results move by chance: no probabilities are given"
        return [Doubt("reset once", text)]
    found = []
    if share:
        text = (
            f"{once}, in {100 * share:.1f}% of all hands: these are the same in every draw, so probabilities look "
            "more certain than they are"
        )
        found.append(Doubt("reset once", text))
    if fewest < SCARCE:
        text = (
            f"the fewest independent units of a player (each a {what}) are {fewest}: so few units say little of "
            f"their own spread; below {SCARCE} units probabilities and rank intervals are only a hint"
        )
        found.append(Doubt("scarce", text))
    return found


def _cards(table: Table, views: Mapping[str, pl.DataFrame]) -> list[Doubt]:
    found = []
    reuse = views["card_reuse"]
    repeated, common = int(reuse["repeated"].sum()), int((reuse["lineups"] > 1).sum())
    if repeated:
        text = (
            f"{_plural(repeated, 'match repeats', 'matches repeat')} the cards of another with the same players in "
            "the same seats: no new evidence, but counted in the totals (view card_reuse)"
        )
        found.append(Doubt("repeated cards", text))
    if common:
        allowed = any(len(stratum.lineups) > 1 for stratum in table.strata)
        text = (
            f"{_plural(common, 'sequence of cards was', 'sequences of cards were')} dealt to several groups of "
            f"players: "
        ) + (
            "they are resampled over the whole table"
            if allowed
            else "results that share them are treated as independent"
        )
        found.append(Doubt("common seeds", text))
    wrong = int(views["duplicate_deals"]["hands_differing"].sum())
    if wrong:
        text = f"{_plural(wrong, 'hand', 'hands')} of duplicate matches differ in their cards (view duplicate_deals)"
        found.append(Doubt("different cards", text))
    return found


def _schedule(table: Table, matches: pl.DataFrame) -> list[Doubt]:
    found = []
    holds = table.holds()
    met = (holds.T.astype(int) @ holds.astype(int)) > 0
    size = len(table.players)
    apart = (size * size - int(met.sum())) // 2
    if apart:
        text = (
            f"{_plural(apart, 'pair of players', 'pairs of players')} never met: total bankroll compares different "
            "schedules"
        )
        found.append(Doubt("schedule", text))
    elif table.hands.min() != table.hands.max():
        text = (
            f"some players met over {int(table.hands.min()):,} hands, others over {int(table.hands.max()):,}: total "
            "bankroll weighs the latter more"
        )
        found.append(Doubt("schedule", text))
    unfinished, units = int((~matches["complete"].fill_null(False)).sum()), matches["unit"].n_unique()
    if unfinished:
        text = (
            f"{_plural(unfinished, 'match has', 'matches have')} no final line; the hands played are counted"
        )
        found.append(Doubt("unfinished", text))
    if units > 1:
        found.append(
            Doubt("blinds", "matches differ in the size of a bb: chips of several sizes are added up")
        )
    lost = float(table.chips.sum())
    if abs(lost) > _PARTS_OF_A_CHIP * max(1, len(table.members)):
        did = "won" if lost > 0 else "lost"
        amount = round(abs(lost), 2)
        chips = f"{amount:,.10g} chip{'s' * (amount != 1)}"
        text = f"the players together {did} {chips}: winnings and losses do not add up to 0"
        found.append(Doubt("leak", text))
    return found
