"""The relation `games`: a row a game, from one place of data."""

from dataclasses import fields, replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.acpc.definitions import GAME as ACPC
from railbird.replay.blotto import game as blotto
from railbird.replay.games import ALL_INS_BY_EQUITY, Game
from railbird.replay.koper import game as koper
from railbird.replay.orders import USUAL
from railbird.replay.replaying import game_named
from railbird.schema.columns import TABLES
from railbird.storage.compacting import compact
from railbird.storage.manifest import read_manifest
from railbird.variants.blotto import GAME as BLOTTO
from railbird.variants.koper import GAME as KOPER
from railbird.variants.properties import Properties, shared_by_name
from railbird.variants.registry import GAMES, KNOWN


def test_the_columns_of_games_are_the_properties() -> None:
    assert [column.name for column in TABLES["games"]] == [field.name for field in fields(Properties)]


def test_files_of_one_game_share_its_properties() -> None:
    """Each match has properties of its own at first: a KB and a half, of each of a hundred thousand files."""
    one, other = (replace(KNOWN[0], streets=tuple([*KNOWN[0].streets])) for _ in range(2))
    assert one is not other
    assert shared_by_name(one) is shared_by_name(other)
    assert shared_by_name(one, other) is shared_by_name(other, one)
    assert shared_by_name(one, KNOWN[1]) == {game.game: game for game in KNOWN[:2]}


def test_every_game_has_properties() -> None:
    assert sorted([*(known.game for known in KNOWN), ACPC.name]) == sorted(game.name for game in GAMES)


@pytest.mark.parametrize(("game", "names"), [(BLOTTO, blotto.DEVIATIONS), (KOPER, koper.DEVIATIONS)])
def test_kernels_know_the_deviations_by_their_order(game: Game, names: tuple[str, ...]) -> None:
    assert [deviation.name for deviation in game.deviations] == [f"{game.name}.{name}" for name in names]


def test_properties_are_those_of_the_rules() -> None:
    for known in KNOWN:
        rules = game_named(known.game)
        assert known.runs is rules.runs
        assert (known.permutes, known.swaps) == (rules.permutes, rules.changes or bool(rules.replaces))
        assert (known.throws, known.holes_used or 0) == (bool(rules.drops_after), rules.holes_used)
        assert (known.auctions, known.discards) == (rules.auctions, rules.discards)
        assert known.passes is (len(rules.passes) > 0)
        assert known.own_order is (rules.order != USUAL)
        assert known.all_in_equity is (rules.payout == ALL_INS_BY_EQUITY)
        if known.boards == 1:
            assert known.hole_cards == rules.hole_cards
        if not known.discards:
            assert known.board_cards == rules.boards
        if known.win_cap is not None:
            assert known.win_cap == koper.CAP_FACTOR


def test_a_store_has_one_row_a_game_on_disk_as_well(sample_logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    kuhn, toss = sample_logs / "acpc" / "kuhn.log", sample_logs / "toss" / "2026.txt"
    for paths in ([kuhn], [kuhn, toss], [sample_logs / "acpc" / "leduc.log", toss]):
        ingest(paths, store)
    expected = [
        ("acpc/kuhn.limit.3p", 3, ["first round"], [0], 1, 1, 4, "antes", True, True),
        ("acpc/leduc.limit.2p", 2, ["first round", "second round"], [0, 1], 1, 2, 3, "antes", True, True),
        ("toss", 2, ["preflop", "flop", "turn", "river"], [0, 4, 5, 6], 3, 4, 13, "blinds", False, False),
    ]
    columns = (
        "game, players, streets, board_cards, hole_cards, suits, ranks, forced, fixed_sizes, shared_cards"
    )
    for _ in range(2):
        with open_store(store) as opened:
            assert opened.execute(f"select {columns} from games order by game").fetchall() == expected
        parts = [part.path(store) for part in read_manifest(store).parts("games")]
        kept = [name for path in parts for name in pq.read_table(path)["game"].to_pylist()]
        assert sorted(kept) == [row[0] for row in expected]
        compact(store)
