"""Koper's players of one name, whose seats rotate over a tournament: every answer means the same five players."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from railbird.analytics.collusion.detectors import materials
from railbird.analytics.opponent import opponent_file
from railbird.analytics.players import find_opponent, find_player
from railbird.analytics.settings import Kind
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.reports import Format, Show
from railbird.reports.audit import print_audit
from railbird.reports.matches import all_matches
from railbird.reports.pages.players import standings
from railbird.reports.stats import print_table

_PEOPLE = "select distinct player, namesake_seat from players"
_LABEL = re.compile(r"\w+ \(seat \d\)")


@pytest.fixture(scope="module")
def store(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    root = tmp_path_factory.mktemp("namesakes") / "store"
    ingest(sorted((sample_logs / "koper").glob("v2-one-class.*")), root)
    with open_store(root) as opened:
        yield opened


@pytest.fixture(scope="module")
def won(store: Store) -> dict[tuple[str, int], tuple[float, int]]:
    """By name and place in the first match: chips won, and hands."""
    found = store.execute("select player, entrant, profit, games from koper_standings").fetchall()
    return {(player, entrant): (chips, games) for player, entrant, chips, games in found}


def test_views_over_matches_follow_a_namesake_through_the_seats(
    store: Store, won: dict[tuple[str, int], tuple[float, int]]
) -> None:
    assert len(won) == 5
    for query in (
        "select player, seat, chips, hands from standings",
        "select player, seat, delta, hands from winnings",
    ):
        assert {(row[0], row[1]): row[2:] for row in store.execute(query).fetchall()} == won
    for view in ("players", "entrants"):
        named = store.execute(f"select player, namesake_seat, count(*) from {view} group by all").fetchall()
        assert {(player, place): matches for player, place, matches in named} == dict.fromkeys(won, 5)
    assert set(store.execute("select player, seat from koper_tendencies").fetchall()) == set(won)
    assert set(store.execute("select distinct player, seat from koper_folds").fetchall()) <= set(won)


def test_a_player_is_asked_for_by_the_seat_of_the_first_match(
    store: Store, won: dict[tuple[str, int], tuple[float, int]]
) -> None:
    calm = find_player(store, "Calm", seat=2)
    rival = find_opponent(store, calm, "Calm", seat=4)
    with closing(store.as_seen_by(calm)) as seen:
        assert seen.execute("select count(*) from matches").fetchall() == [(5,)]
        query = "select sum(delta) from seats join truth.viewer v using (match_id, seat)"
        assert seen.execute(query).fetchall() == [(won["Calm", 2][0],)]
    found = opponent_file(store, calm, rival)
    assert found["views"]["full"]["hands"] == won["Calm", 2][1]
    assert found["views"]["as_seen"]["hands"] == won["Calm", 2][1]


def test_collusion_looks_at_the_players_of_the_standings(
    store: Store, won: dict[tuple[str, int], tuple[float, int]]
) -> None:
    (material,) = materials(store)
    assert material.players == tuple(sorted(f"{player} (seat {place})" for player, place in won))
    assert all(len(set(seats)) == 5 for seats in material.seats.tolist())


def test_tables_tell_namesakes_apart(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """By the same seat, as do the rows of one match."""
    labels = {f"{name} (seat {place})" for name, place in store.execute(_PEOPLE).fetchall()}
    for show in (Show.WINNINGS, Show.KOPER):
        print_table(store, show, None, False, False, Format.TABLE)
        assert set(_LABEL.findall(capsys.readouterr().out)) == labels
    for kind in ("standings", "gains"):
        print_audit(store, Kind(kind), None, True, Format.TABLE)
        assert set(_LABEL.findall(capsys.readouterr().out)) == labels
    match = all_matches(store)[0]
    gained = store.sql(
        "select seat, player, round(gained, 2) from who_gained where match_id = $id", id=match.match_id
    )
    print_audit(store, Kind.GAINS, str(match.match_id), True, Format.TABLE)
    shown = capsys.readouterr().out
    seats = [seat for seat, _, _ in gained.fetchall()]
    assert seats and all(match.labels[seat] in shown for seat in seats)


def test_a_report_has_the_players_of_the_standings(
    store: Store, won: dict[tuple[str, int], tuple[float, int]]
) -> None:
    (table,) = standings(store, all_matches(store))
    assert {(row["player"], row["seat"]): (row["delta"], row["hands"]) for row in table.players} == won
    assert [row["rank"] for row in table.players] == [1, 2, 3, 4, 5]
    assert len(table.run_off) == 1
