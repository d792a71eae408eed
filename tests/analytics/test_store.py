"""Opening stores: what is there at once, what errors say."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

import duckdb
import pytest
from scipy import stats

from oracles.handmade import hand_text
from railbird.analytics import views
from railbird.analytics.opponent import opponent_file
from railbird.analytics.players import Player, find_player
from railbird.analytics.store import Store, open_store
from railbird.analytics.views import (
    MOST,
    REQUIRED,
    SQL,
    TALLIES,
    View,
    all_views,
    macros,
    parse_view,
    seen_views,
)
from railbird.cli import main
from railbird.ingest import ingest
from railbird.schema.words import FLAGS
from railbird.storage.manifest import StoreError
from railbird.tools.schema_doc import statistics_page

MakeStore = Callable[..., Store]
LOG = "\n\n".join(
    [
        "6.176 MIT Pokerbots - X vs Y",
        hand_text(1, ("X", "Y"), "{0} folds", "{0} awarded -1", "{1} awarded 1"),
        "Final, Y (1), X (-1)\n",
    ]
)


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store of LOG, opened once; only to be read."""
    folder = tmp_path_factory.mktemp("folded")
    (folder / "log.txt").write_text(LOG)
    ingest([folder / "log.txt"], folder / "store", event="cup")
    with open_store(folder / "store") as store:
        yield store


def test_a_view_that_is_kept_is_what_later_views_read(store_of: MakeStore) -> None:
    query = "select player, folds from ranges order by all"
    whole = store_of([LOG])
    assert whole.execute(query).fetchall() == [("X", 1)]
    with open_store(whole.path) as store:
        store.keep("situations", "player = $name", name="Y")
        assert store.execute(query).fetchall() == []
        with pytest.raises(ValueError, match="the view situations has been made"):
            store.keep("situations", "true")
    with open_store(whole.path) as store:
        store.keep("situations", "player = $name", name="X")
        assert store.execute(query).fetchall() == [("X", 1)]
        assert store.sql("select player from situations").fetchall() == [("X",)]


def tables(store: Store) -> set[str]:
    """The views that were made tables; asking for them makes no table of a small store's."""
    found = store.execute("select table_name from duckdb_tables() where schema_name = 'main'").fetchall()
    return {name for (name,) in found}


def test_small_views_are_tables_where_many_queries_read_them(store_of: MakeStore) -> None:
    in_all = {"players", "positions", "match_starts", "statistics", "street_statistics"}
    whole = store_of([LOG])
    assert tables(whole) == in_all
    player = find_player(whole, "X")
    for limited in (whole.matches_of(player), whole.as_seen_by(player)):
        with limited as store:
            of_one = {"renumbered", "lock_points", "match_starts_before_lock"}
            assert tables(store) == in_all | of_one


def test_in_a_small_store_views_that_many_read_are_tables(
    samples_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same rows, and none of equities before these are counted."""
    asked = (
        "select street, action, count(*), round(sum(equity_own), 6) from strengths group by all order by all"
    )
    with open_store(samples_folder) as store:
        small = store.execute(asked).fetchall()
        assert {"actions", "strengths"} <= tables(store)
    with open_store(samples_folder) as store:
        assert "strengths" not in tables(store)
        assert store.execute(asked).fetchall() == small
    monkeypatch.setattr("railbird.analytics.store._FEW_ACTIONS", 1000)
    with open_store(samples_folder) as store:
        assert store.execute(asked).fetchall() == small
        assert not {"actions", "strengths"} & tables(store)
        player = Player("koper", "koper", "Max")
        with store.matches_of(player) as limited:
            (count,) = limited.execute("select count(*) from actions").fetchall()
            assert 0 < count[0] <= 1000 and "actions" in tables(limited)


class Interrupted:
    """A connection that meets an interrupt when a table is made."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._real = connection

    def execute(self, query: str, *given: Any) -> duckdb.DuckDBPyConnection:
        if query.startswith("create table actions"):
            raise duckdb.InterruptException("INTERRUPT Error: Interrupted!")
        return self._real.execute(query, *given)


def test_an_interrupt_while_a_table_is_made_is_one(samples_folder: Path) -> None:
    """It ends the query, and leaves a store that answers the next."""
    with open_store(samples_folder) as store:
        real = store._connection
        store._connection = Interrupted(real)  # type: ignore[assignment]
        with pytest.raises(duckdb.InterruptException):
            store.execute("select count(*) from actions")
        store._connection = real
        assert "actions" not in tables(store)
        (found,) = store.execute("select count(*) from actions").fetchall()
        assert found[0] > 0


@pytest.mark.parametrize(
    ("query", "counts"),
    [
        ("select count(*) from players where player = 'equities'", False),
        ("select 'it''s', 'equities' -- of equities", False),
        ("select e'it\\'s', 'equities' /* no equities */, $$equities$$", False),
        ("select player from players -- 'equities", False),
        ("select 'it''s', stake from equities", True),
        ("select stake from 'equities'", True),
        ("from query_table('equities')", True),
        ("select * from who_gained", False),
        ("""select "a'b", stake from (select 1 as "a'b"), "equities" where '' = ''""", True),
    ],
)
def test_equities_are_counted_for_a_query_that_names_them(
    store_of: MakeStore, monkeypatch: pytest.MonkeyPatch, query: str, counts: bool
) -> None:
    counted: list[bool] = []
    with open_store(store_of([LOG]).path) as store:
        monkeypatch.setattr(store, "count_equities", lambda: counted.append(True))
        store.sql(query)
    assert counted == [True] * counts


def test_no_part_of_a_query_has_the_name_of_a_view() -> None:
    """What reads the part would be taken to need the view, and be planned with it, or wait for equities."""
    names = {view.name for view in all_views()}
    part = re.compile(
        r"(?:\bwith(?: recursive)?|,)\s*(\w+) as (?:not )?(?:materialized )?\(\s*(?:select|from|with)\b"
    )
    found = {view.name: set(part.findall(view.query)) & names for view in [*all_views(), *seen_views()]}
    assert {name: parts for name, parts in found.items() if parts} == {}


@pytest.mark.parametrize("view", ["situations", "decisions", "counted_hands", "deals", "visible"])
def test_a_question_of_one_match_reads_no_hand_of_another(
    samples_folder: Path, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of the parts alone: a store that is not small, and was just opened, has few tables.
    monkeypatch.setattr("railbird.analytics.store._FEW_ACTIONS", 0)
    with open_store(samples_folder) as store:
        rows = store.execute("select match_id from matches order by all limit 1").fetchall()
        told = store.execute(f"explain (format json) select * from {view} where match_id = {rows[0][0]}")
        waiting = json.loads(told.fetchall()[0][1])
    scans = []
    while waiting:
        step = waiting.pop()
        waiting += step["children"]
        if "PARQUET" in step["name"] and "hand_index" in step["extra_info"]["Projections"]:
            scans.append(str(step["extra_info"].get("Filters")))
    assert scans
    assert [filters for filters in scans if "match_id" not in filters] == []


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path / "absent")
    assert str(caught.value).startswith(f"{tmp_path / 'absent'}: no store is there; ")


def test_a_file_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("x")
    with pytest.raises(StoreError) as caught:
        open_store(path)
    assert str(caught.value) == f"{path} is not a folder"


def test_an_empty_folder_is_an_empty_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path)
    assert str(caught.value) == f"{tmp_path}: the store is empty"


def test_a_lost_or_broken_part_is_told_in_one_line(store_of: MakeStore) -> None:
    path = store_of([LOG]).path
    part = next((path / "hands").glob("*.parquet"))
    data = part.read_bytes()
    part.write_bytes(b"no Parquet")
    with pytest.raises(StoreError) as caught:
        open_store(path)
    assert str(caught.value) == (
        f"{part} is damaged: it is no Parquet file any more; `railbird ingest` of the same logs repairs it"
    )
    part.unlink()
    with pytest.raises(StoreError) as caught:
        open_store(path)
    assert str(caught.value) == f"{part} is missing, but the store's manifest names it"
    part.write_bytes(data)
    open_store(path).close()


def test_a_store_may_lie_in_a_folder_of_any_name(store_of: MakeStore) -> None:
    assert store_of([LOG], name="it's [a] *store*?").sql("select count(*) from hands").fetchall() == [(1,)]


def test_an_answer_can_be_read_when_nothing_else_holds_the_store(store_of: MakeStore) -> None:
    path = store_of([LOG]).path
    rows = open_store(path).sql("select player, delta from seats order by delta")
    gc.collect()
    assert rows.fetchall() == [("X", -1.0), ("Y", 1.0)]


def test_queries_take_parameters(store_of: MakeStore) -> None:
    found = store_of([LOG]).sql("select delta from seats where player = $name", name="Y")
    assert found.columns == ["delta"] and found.fetchall() == [(1.0,)]


def test_a_query_is_answered_as_a_polars_frame(store_of: MakeStore) -> None:
    assert store_of([LOG]).sql("from results order by seat").pl()["delta"].to_list() == [-1.0, 1.0]


def test_every_view_is_there_for_whoever_asks(store_of: MakeStore) -> None:
    store = store_of([LOG])
    names = {view.name for view in all_views()}
    assert names <= {row[2] for row in store.sql("describe").fetchall()}
    assert {row[0] for row in store.sql("show tables").fetchall()} == names
    assert store.sql('select * from "RESULTS"').columns[0] == "match_id"
    assert names <= {
        row[0] for row in store.connection.execute("show all tables").fetchall() for row in [row[2:]]
    }


def test_a_view_and_a_macro_are_there_whose_name_no_query_has(store_of: MakeStore) -> None:
    whole = store_of([LOG])
    assert whole.execute("from query_table('han' || 'ds')").fetchone() is not None
    with open_store(whole.path) as store:
        listed = "select distinct function_name from duckdb_functions() where not internal"
        assert {*macros(), *TALLIES} <= {name for (name,) in store.execute(listed).fetchall()}
    with open_store(whole.path) as store:
        assert store.connection.execute("select t_975(3) > 0, tally_of(1::ubigint)").fetchone() is not None


def test_views_are_made_once_whatever_the_order(store_of: MakeStore) -> None:
    store = store_of([LOG])
    for view in reversed(all_views()):
        assert len(store.execute(f"describe {view.name}").fetchall()) == len(view.columns)
    for view in all_views():
        assert store.connection.execute(f"describe {view.name}").fetchone() is not None


def test_a_wrong_query_is_an_error_of_duckdb_and_the_store_goes_on(store_of: MakeStore) -> None:
    store = store_of([LOG])
    with pytest.raises(duckdb.Error):
        store.sql("select nothing from nowhere")
    # A name in Python is not a table.
    with pytest.raises(duckdb.CatalogException):
        store.sql("select * from params")
    assert store.sql("set threads = 1").fetchall() == []
    assert store.sql("select count(*) from matches").fetchall() == [(1,)]


def test_a_closed_store_answers_no_more(store_of: MakeStore) -> None:
    store = store_of([LOG])
    with store as opened:
        assert opened is store
    with pytest.raises(duckdb.ConnectionException):
        store.sql("select 1")


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("select 1", "name, grain, columns, definition"),
        ("-- name: x\n-- grain: y\n-- columns:\n-- definition: z\nselect 1", "columns"),
        ("-- name: x\n-- columns:\n--   a  INTEGER  one\n-- definition: z\nselect 1", "grain"),
    ],
)
def test_a_header_says_what_it_lacks(text: str, missing: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_view(text)
    assert str(caught.value) == f"the header lacks {missing}"


def test_a_header_says_in_which_stores_a_view_is_a_table() -> None:
    text = "-- name: x\n-- grain: y\n-- table: {}\n-- columns:\n--   a  INTEGER  one\n-- definition: z\nselect 1 as a"
    for limited, small in product((False, True), repeat=2):
        assert parse_view(text.format("in all stores")).is_table(limited, small)
        assert parse_view(text.format("in a store limited to one player")).is_table(limited, small) == limited
        assert parse_view(text.format("in a small store")).is_table(limited, small) == small
        assert not parse_view(text.replace("-- table: {}\n", "")).is_table(limited, small)
    with pytest.raises(ValueError) as caught:
        parse_view(text.format("in every store"))
    assert str(caught.value) == (
        "x.sql: the header has table: 'in every store'; "
        "it may be 'in all stores' or 'in a store limited to one player' or 'in a small store'"
    )


def test_a_view_of_games_that_a_store_lacks_is_empty() -> None:
    text = (
        "-- name: x\n-- grain: y\n-- only_if: games: boards > 1\n"
        "-- columns:\n--   a  INTEGER[]  one\n-- definition: z\n"
        "select [1] as a /*if boards: true*/union all select [2]/*end*/"
    )
    view, asked = parse_view(text), list[str]()

    def holds(condition: str) -> bool:
        asked.append(condition)
        return condition == "games: boards > 1"

    assert view.query_where(holds) == "select [1] as a "
    assert asked == ["games: boards > 1", "boards: true"]
    assert view.query_where(lambda _: True) == "select [1] as a union all select [2]"
    assert view.query_where(lambda _: False) == "select cast(null as INTEGER[]) as a where false"


def _conditional() -> list[View]:
    return [view for view in all_views() if view.only_if or "/*if " in view.query]


def test_views_are_the_same_with_and_without_what_a_store_lacks(
    folded: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a store of one game, where nearly all conditions are false."""
    conditional = [
        view.name for view in all_views() if not view.suffixes and (view.only_if or "/*if " in view.query)
    ]
    assert {"deals", "blotto_flags", "koper_chances", "bounty_hits_by_match"} <= {*conditional}

    def answers() -> dict[str, object]:
        with open_store(folded.path) as store:
            store.execute("from deals")
            made = {name: store.sql(f"from {name}") for name in conditional}
            rows = {name: sorted(found.fetchall(), key=repr) for name, found in made.items()}
            return {name: (found.columns, found.types, rows[name]) for name, found in made.items()}

    left_out = answers()
    monkeypatch.setattr(Store, "_holds", lambda *_: True)
    assert answers() == left_out


@pytest.mark.parametrize("view", all_views(), ids=lambda view: view.name)
def test_the_columns_of_a_view_are_those_of_its_header(view: View, folded: Store) -> None:
    described = folded.sql(f"describe select * from {view.name}").fetchall()
    assert [row[:2] for row in described] == [(column.name, column.type) for column in view.columns]
    assert all(column.meaning for column in view.columns)


@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (1, 1), (0, 30), (7, 30), (30, 30), (1, 10_000), (9_999, 10_000)]
)
def test_wilson_interval(k: int, n: int, folded: Store) -> None:
    low, high = folded.sql(f"select wilson_low({k}, {n}), wilson_high({k}, {n})").fetchall()[0]
    expected = stats.binomtest(k, n).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert 0 <= low <= k / n <= high <= 1


def test_macros_of_nothing_are_null(folded: Store) -> None:
    found = folded.sql("select wilson_low(0, 0), wilson_high(0, 0), rate_of(0, 0), t_975(0)").fetchall()
    assert found == [(None, None, None, None)]


def test_no_query_knows_the_ranks_or_the_decks_by_itself() -> None:
    paths = [*SQL.rglob("*.sql")]
    assert len(paths) > 50
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"23456789|98765432|'acpc/(holdem|kuhn|leduc)\.", text), path.name


def test_quantiles_of_t(folded: Store) -> None:
    found = folded.sql(
        "select df, t_975(df) from (from range(1, 200) union all select range / 7 from range(7, 200)) as t(df)"
    ).fetchall()
    assert len(found) == 199 + 193
    for df, quantile in found:
        assert quantile == pytest.approx(stats.t.ppf(0.975, df), rel=1e-7, abs=1e-6 if df >= 3 else 0)


def test_a_tally_counts_as_many_hands_as_a_byte_does(store_of: MakeStore) -> None:
    """Each statistic as if counted alone: of hands that have every flag, and of such that have any."""
    store = store_of([LOG])
    names = store.sql(
        "select statistic, opportunity_flag, success_flag from statistics where success_flag is not null"
    ).fetchall()
    rng = Random(1)
    for share in (1.0, 0.5):
        hands = [{flag for flag in FLAGS if rng.random() < share} for _ in range(MOST)]
        for _, chance, success in names:
            # A success comes with its opportunity, but for those of REQUIRED.
            for hand in hands:
                if chance and chance not in hand and success not in REQUIRED:
                    hand.discard(success)
        (found,) = store.sql(
            "select counts_of(tally, 0) from (select tally_of(flags) as tally "
            "from (select unnest($flags::ubigint[]) as flags))",
            flags=[sum(1 << FLAGS.index(flag) for flag in hand) for hand in hands],
        ).fetchall()
        counts = {each["statistic"]: (each["opportunities"], each["successes"]) for each in found[0]}
        for name, chance, success in names:
            had = [hand for hand in hands if chance is None or chance in hand]
            assert counts[name] == (len(had), sum(success in hand for hand in had)), name


COUNTED = """\
-- name: turn_bet
-- grain: decision on the turn with no bet before
-- statistics:
--   turn_bet  23  bet turn  a player's decision on the turn with no bet before  bets
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   seat  TINYINT  seat in the match, from 0
--   position  VARCHAR  place in this hand
--   statistic  VARCHAR  its name in statistics
--   successes  BIGINT  1 for a bet, else 0
-- definition: the share of decisions on the turn, before any bet there, in which the player bets.
select match_id, hand_index, seat, position, 'turn_bet' as statistic, cast(action = 'bet' as bigint) as successes
from decisions
where street = 2 and bet_level = 0
"""


def test_one_file_makes_a_statistic(
    tmp_path: Path, sample_logs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    queries = copytree(SQL, tmp_path / "sql")
    (queries / "turn_bet.sql").write_text(COUNTED)
    folder = tmp_path / "store"
    ingest([sample_logs / "bounty", sample_logs / "koper"], folder)
    monkeypatch.setattr(views, "SQL", queries)
    all_views.cache_clear()
    try:
        with open_store(folder) as store:
            counted = """
                select game, player, sum(opportunities), sum(successes), any_value(low), any_value(high)
                from {} where statistic = 'turn_bet' group by all order by all
            """
            due = store.sql("""
                select d.game, d.player, count(*), count(*) filter (where d.action = 'bet')
                from decisions d where d.street = 2 and d.bet_level = 0 group by all order by all
            """).fetchall()
            assert len(due) > 2
            for view in ("tendencies", "tendencies_by_match", "tendencies_by_position"):
                found = store.sql(counted.format(view)).fetchall()
                assert [row[:4] for row in found] == due
                assert all(0 <= low <= high <= 1 for *_, low, high in found)
            fewer = store.sql(
                "select sum(opportunities) from chances_before_lock where statistic = 'turn_bet'"
            )
            assert 0 < fewer.fetchall()[0][0] < sum(row[2] for row in due)
            player = find_player(store, due[0][1], game="bounty")
            labels = {row["label"] for row in opponent_file(store, player)["views"]["full"]["tendencies"]}
            assert "bet turn" in labels
        assert main(["stats", "--store", str(folder)]) == 0
        assert "bet turn" in capsys.readouterr().out
        assert "turn_bet | bet turn | a player's decision" in statistics_page().replace("`", "")
    finally:
        all_views.cache_clear()


def test_among_is_the_choice_of_a_list(folded: Store) -> None:
    matches = [row[0] for row in folded.sql("select match_id from matches order by match_id").fetchall()]
    for some in (matches[:1], matches[::2], matches[-2:], [], [matches[0], 3]):
        by_list, by_range = (
            folded.execute(f"select match_id from matches where {asked} order by all", ids=some).fetchall()
            for asked in ("list_contains($ids, match_id)", "among(match_id, $ids)")
        )
        assert by_list == by_range == [(one,) for one in sorted({*some} & {*matches})]


def test_questions_about_some_matches_tell_their_range() -> None:
    """A list alone is compared row by row, in the views of the whole store."""
    rooms = [SQL.parents[1] / name for name in ("analytics", "cli", "exports", "reports")]
    paths = [path for room in rooms for kind in ("*.sql", "*.py") for path in room.rglob(kind)]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    asking = [path for path, text in texts.items() if "among(" in text]
    assert len(asking) > 50
    assert not [path for path, text in texts.items() if "list_contains($ids" in text]
