"""The pages written from the view files and table definitions, held against them and against a store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from railbird.analytics.store import Store
from railbird.analytics.views import SQL, all_views, seen_views
from railbird.schema.columns import TABLES, sql_type
from railbird.schema.words import FLAGS, FLAGS_OF_FLAGS
from railbird.storage.manifest import read_manifest
from railbird.tools.schema_doc import main, schema_page, statistics_page

ROOT = Path(__file__).resolve().parents[2]
# FLAGS stands for the columns of `schema.words.FLAGS`.
CONTRACT = {
    "files": """
        file_id path bytes dialect revision matches hands_seen hands_stored hands_damaged
        hands_rejected lines_seen lines_unknown status reason
    """,
    "unknown_lines": """
        file_id line text reason
    """,
    "matches": """
        match_id file_id match_no event game dialect engine_profile players hands starting_stacks
        blinds buy_in unit seed card_set seating duplicate_group complete logged_final
    """,
    "hands": """
        match_id hand_index hand_no line game dealer_seat n_players streets ended_by pot board
        verdict deviations
    """,
    "boards": """
        match_id hand_index board_no cards pot pot_inflation ended_by hole contribution payout
    """,
    "seats": """
        match_id hand_index seat player position hole hole_final stack_start contribution delta
        delta_written delta_engine bounty_rank bounty_hit bankroll_before bankroll_after shown
        FLAGS hand_score payout win_cap redistributed win_share eliminated
    """,
    "deals": """
        match_id hand_index seq line seat board_no street kind cards cards_effective
    """,
    "actions": """
        match_id hand_index seq line board_no decision_no street seat player action origin
        amount_logged amount_to chips_added to_call pot_before stack_before min_raise_to
        max_raise_to bet_level aggressor_seat active_players win_prob
    """,
    "faults": """
        match_id hand_index file_id line seat player kind text
    """,
    "findings": """
        match_id hand_index seq file_id line seat player rule kind verdict deviation expected
        logged chips message
    """,
}


@pytest.mark.parametrize(("name", "page"), [("schema.md", schema_page), ("statistics.md", statistics_page)])
def test_a_page_is_as_it_would_be_written_now(name: str, page: Callable[[], str]) -> None:
    assert (ROOT / "docs" / name).read_text() == page(), "run python -m railbird.tools.schema_doc"


def test_the_command_writes_both_pages(tmp_path: Path) -> None:
    main(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "schema.md": schema_page(),
        "statistics.md": statistics_page(),
    }


@pytest.mark.parametrize("name", CONTRACT)
def test_a_relation_has_the_columns_of_the_contract_first(name: str) -> None:
    view = next(view for view in all_views() if view.relation and view.name == name)
    columns = [column.name for column in view.columns]
    wanted = CONTRACT[name].replace("FLAGS", " ".join(FLAGS)).split()
    assert columns[: len(wanted)] == wanted


def test_what_a_relation_calls_stored_is_on_disk_with_that_type() -> None:
    for view in all_views():
        if not view.relation:
            continue
        kept = {column.name: sql_type(column.type) for column in TABLES.get(view.name, ())}
        for column in view.columns:
            how = column.meaning.partition(":")
            assert how[0] in ("stored", "derived"), (view.name, column.name)
            assert how[2] or how[0] == "stored", (view.name, column.name)
            if column.meaning == "stored":
                assert kept[column.name] == column.type


def test_the_files_of_a_store_are_as_documented(reading: Any) -> None:
    store: Store = reading.store
    manifest = read_manifest(store.path)
    for table, columns in TABLES.items():
        for part in manifest.parts(table):
            assert pq.read_schema(part.path(store.path)).names == [column.name for column in columns]
        described = [
            tuple(row[:2]) for row in store.execute(f"describe select * from stored.{table}").fetchall()
        ]
        fields = [(c.name, "TINYINT" if c.name == "street" else sql_type(c.type)) for c in columns]
        derived = {
            "seats": [*((flag, "BOOLEAN") for flag in FLAGS_OF_FLAGS), ("flags", "UBIGINT")],
            "actions": [("aggressor_seat", "TINYINT")],
        }
        assert described == fields + derived.get(table, [])


def test_a_view_file_bears_the_name_of_its_view() -> None:
    seen = {path.stem for path in (SQL / "seen").glob("*.sql")}
    assert {view.name for view in seen_views()} == seen
    names = {path.stem for folder in (".", "audit", "relations") for path in (SQL / folder).glob("*.sql")}
    names -= {"macros"}
    assert {view.base for view in all_views()} == names
    assert {view.name for view in all_views() if not view.suffixes} == names


def test_every_statistic_counts_flags_that_exist() -> None:
    query = next(view.query for view in all_views() if view.name == "statistics")
    boards = (SQL / "blotto_flags.sql").read_text()
    assert [flag for flag in FLAGS if f"flag_bit('{flag}')" not in boards] == []
    flags = {word for word in query.replace("'", " ").replace(",", " ").split() if word in FLAGS}
    uncounted = {flag for flag in FLAGS if flag not in flags}
    assert not uncounted
