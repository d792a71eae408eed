"""Part files as a stranger opens them, with Arrow, Polars and DuckDB alone, held against docs/schema.md."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

from railbird.analytics.store import open_store

ROOT = Path(__file__).resolve().parents[2]
ARROW = {
    "TINYINT": "int8",
    "SMALLINT": "int16",
    "INTEGER": "int32",
    "BIGINT": "int64",
    "UBIGINT": "uint64",
    "DOUBLE": "double",
    "BOOLEAN": "bool",
    "VARCHAR": "string",
}
CARDS = {
    "hands": ("board", "undealt"),
    "seats": ("hole", "hole_changed"),
    "changes": ("cards",),
    "boards": ("cards",),
}
# A column of words whose meaning in docs/schema.md ends with all it may hold.
VOCABULARIES = {
    "hands": ("ended_by", "verdict"),
    "actions": ("action", "origin"),
    "faults": ("kind",),
    "findings": ("kind", "verdict"),
    "changes": ("kind",),
    "boards": ("ended_by",),
}
CARD = re.compile(r"[2-9TJQKA][cdhs]")


def documented() -> dict[str, list[tuple[str, str, bool, str]]]:
    """By table the columns of its files: name, type, whether it is never null, meaning."""
    found: dict[str, list[tuple[str, str, bool, str]]] = {}
    for section in (ROOT / "docs" / "schema.md").read_text().split("\n## ")[1:]:
        name = section.split("\n", 1)[0]
        rows = re.findall(
            r"^\| (`.*`) \| ([A-Z]+(?:\[\])*)(?:, chips)? \| (never)? ?\| (.*) \|$", section, re.M
        )
        if rows:
            found[name] = [
                (column, kind, never == "never", meaning)
                for names, kind, never, meaning in rows
                for column in re.findall(r"`(\w+)`", names)
            ]
    return found


@pytest.fixture(scope="module")
def tables(samples_folder: Path) -> dict[str, list[Path]]:
    """The part files by table."""
    folders = [path for path in samples_folder.iterdir() if path.is_dir()]
    return {path.name: parts for path in folders if (parts := sorted(path.glob("*.parquet")))}


def test_every_game_of_the_samples_is_in_the_files(tables: dict[str, list[Path]]) -> None:
    games = set(pl.read_parquet(tables["hands"])["game"].to_list())
    folders = {path.name for path in (ROOT / "sample_logs").iterdir() if path.is_dir()}
    assert {game.partition("/")[0] for game in games} == folders


def test_all_parts_have_the_columns_and_types_that_the_page_gives(tables: dict[str, list[Path]]) -> None:
    page = documented()
    assert {name for name, parts in tables.items() if parts} <= page.keys()
    for name, parts in tables.items():
        wanted = [
            (column, f"list<element: {ARROW[kind[:-2]]}>" if kind.count("[") == 1 else ARROW.get(kind))
            for column, kind, _, _ in page[name]
        ]
        for part in parts:
            held = pq.read_schema(part)
            for (column, kind), field in zip(wanted, held, strict=True):
                assert field.name == column
                assert kind in (None, str(field.type)), (name, column)


def rows(parts: list[Path], columns: str) -> list[tuple[Any, ...]]:
    return duckdb.execute(
        f"select distinct {columns} from read_parquet({[str(part) for part in parts]})"
    ).fetchall()


def test_what_is_never_null_is_not_and_nothing_stands_for_null(tables: dict[str, list[Path]]) -> None:
    # Equities are counted when a query asks for them, no game of the samples has notes, and users tag.
    assert {name for name in documented() if not tables.get(name)} <= {"equities", "counted", "notes", "tags"}
    for name, columns in documented().items():
        if not tables.get(name):
            continue
        frame = pl.read_parquet(tables[name])
        for column, kind, never, _ in columns:
            assert not (never and frame[column].null_count()), (name, column)
            if kind == "DOUBLE":
                assert frame[column].is_nan().sum() == 0, (name, column)
            if kind == "VARCHAR" and column != "text":  # a bot may say nothing
                assert "" not in frame[column].drop_nulls().unique().to_list(), (name, column)
            if column in (
                "seat",
                "board_no",
                "aggressor_seat",
                "dealer_seat",
                "seq",
                "bet_level",
                "hand_index",
            ):
                assert not (frame[column] < 0).any(), (name, column)


def test_the_pot_stands_in_a_row_or_follows_from_it(
    tables: dict[str, list[Path]], samples_folder: Path
) -> None:
    """And a stack that does not stand there is what the relation derives."""
    files = pl.read_parquet(tables["actions"])
    rest, pot = files["street_pot"], files["pot_before"]
    assert 0 < rest.null_count() < len(files)
    assert (rest.is_null() != pot.is_null()).all()
    order = ["match_id", "hand_index", "seq", "board_no"]
    told = files.select(
        *order,
        "to_call",
        pot_before=pl.coalesce(
            "pot_before", pl.col("street_pot") + 2 * pl.col("pip_before") + pl.col("to_call")
        ),
    ).sort(order)
    # A column is left to the relation in all rows of a match or in none.
    whole = files.group_by("match_id").agg(pl.col("pot_before", "stack_before").is_null().mean())
    assert set(whole["pot_before"]) == {0.0, 1.0}
    assert set(whole["stack_before"]) == {0.0, 1.0}
    with open_store(samples_folder) as store:
        for relation in ("stored.actions", "actions"):
            shown = (
                store.sql(f"select {', '.join(order)}, to_call, pot_before from {relation}").pl().sort(order)
            )
            assert shown.equals(told)
        unlike = """
            select count(*) filter (left_over is not null), count(*) filter (left_over is distinct from a.stack_before)
            from actions as a
            join (
              select match_id, hand_index, seat, seq, board_no, pot_before, street,
                stack_start - coalesce(sum(chips_added) over (
                  partition by match_id, hand_index, seat order by seq rows between unbounded preceding and 1 preceding
                ), 0) as left_over
              from actions join seats using (match_id, hand_index, seat)
              where match_id in (select match_id from matches where game in ('bounty', 'holdem-mit', 'toss'))
            ) as w using (match_id, hand_index, seat, seq)
        """
        seen, wrong = store.execute(unlike).fetchall()[0]
    assert seen > 100
    assert not wrong


def test_what_the_files_leave_out_is_in_the_relations(
    tables: dict[str, list[Path]], samples_folder: Path
) -> None:
    """The last bettor and two flags; contributions, chips to call and stored bounds stand in every row."""
    key = ["match_id", "hand_index", "seat"]
    seats = pl.read_parquet(tables["seats"]).sort(key)
    actions = pl.read_parquet(tables["actions"]).sort("match_id", "hand_index", "board_no", "seq")
    bettor: dict[tuple[int, int, int | None], int] = {}
    last = []
    for row in actions.iter_rows(named=True):
        hand = row["match_id"], row["hand_index"], row["board_no"]
        last.append(bettor.get(hand))
        if row["action"] in ("bet", "raise"):
            bettor[hand] = row["seat"]
    with open_store(samples_folder) as store:
        pots = store.sql("select match_id, hand_index, pot from hands where pot is not null").pl()
        found = store.sql("select * from seats").pl().sort(key)
        made = store.sql("select * from actions").pl().sort("match_id", "hand_index", "board_no", "seq")
    assert found["won_showdown"].equals(seats["went_to_showdown"] & seats["won_hand"])
    assert found["fold_to_3bet_chance"].equals(seats["fourbet_chance"])
    assert found["won_showdown"].sum() > 100
    assert made["aggressor_seat"].to_list() == last
    assert seats.filter(pl.col("written_off").is_not_null())["contribution"].null_count() == 0
    summed = seats.group_by("match_id", "hand_index").agg(pl.col("contribution").sum())
    both = pots.join(summed, on=["match_id", "hand_index"])
    assert len(both) == len(pots) > 1000
    assert (both["contribution"] - both["pot"]).abs().max() < 1e-6
    assert actions["to_call"].null_count() == 0
    bounds = actions.filter(pl.col("has_bounds"))
    assert len(bounds) > 100
    assert (bounds["min_raise_to"].is_null() == bounds["max_raise_to"].is_null()).all()


def test_cards_are_words_in_lists(tables: dict[str, list[Path]]) -> None:
    for name, columns in CARDS.items():
        frame = pl.read_parquet(tables[name])
        for column in columns:
            seen = frame[column].drop_nulls().explode().drop_nulls().unique().to_list()
            assert seen, (name, column)
            assert [card for card in seen if not CARD.fullmatch(card)] == []


def _words(meaning: str) -> set[str]:
    return set(meaning.rpartition(": ")[2].split(", "))


def test_words_are_those_that_the_page_lists(tables: dict[str, list[Path]]) -> None:
    page = documented()
    for name, columns in VOCABULARIES.items():
        for column in columns:
            (meaning,) = [said for named, _, _, said in page[name] if named == column]
            held = {word for (word,) in rows(tables[name], column) if word is not None}
            assert held, (name, column)
            assert held <= _words(meaning), (name, column)
    streets = {word for (word,) in rows(tables["actions"], "street")}
    assert {"preflop", "flop", "turn", "river", "run 1"} <= streets
    assert {
        street for street in streets if not re.fullmatch(r"preflop|flop|turn|river|run \d+", street)
    } == set()


def _posts(tables: dict[str, list[Path]]) -> Iterator[tuple[Any, ...]]:
    acts, hands = ([str(part) for part in tables[name]] for name in ("actions", "hands"))
    return iter(
        duckdb.execute(
            f"""
            select h.game, count(*) filter (where a.posts > 0), count(*)
            from read_parquet({hands}) as h
            left join (
              select match_id, hand_index, count(*) filter (where action = 'post' and origin = 'post') as posts
              from read_parquet({acts}) group by all
            ) as a using (match_id, hand_index)
            where h.verdict <> 'damaged'
            group by all
            """
        ).fetchall()
    )


def test_posts_are_rows(tables: dict[str, list[Path]]) -> None:
    games = list(_posts(tables))
    assert len(games) > 10
    for game, posted, hands in games:
        assert posted == hands, game


def test_a_raise_names_its_chips_and_a_fold_none(tables: dict[str, list[Path]]) -> None:
    frame = pl.read_parquet(tables["actions"])
    for action in ("bet", "raise", "post"):
        assert frame.filter(action=action)["raise_to"].null_count() == 0, action
    for action in ("fold", "check", "call"):
        some = frame.filter(action=action)
        assert len(some)
        assert some["raise_to"].null_count() == len(some), action


def test_the_flags_of_a_file_are_those_of_the_relation(
    samples_folder: Path, tables: dict[str, list[Path]]
) -> None:
    page = documented()
    flags = [
        name
        for name, kind, _, meaning in page["seats"]
        if kind == "BOOLEAN" and meaning.startswith("statistic")
    ]
    counted = ", ".join(f"count(*) filter ({flag})" for flag in flags)
    with open_store(samples_folder) as store:
        told = store.execute(f"select {counted} from seats").fetchone()
    parts = [str(part) for part in tables["seats"]]
    held = duckdb.execute(f"select {counted} from read_parquet({parts})").fetchone()
    assert held == told
    assert told is not None
    assert max(told) > 100
