"""Games of an own definition with another deck: what is counted of their cards goes by the match's own rules."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from oracles import equity as oracle
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers.acpc import GRAMMAR
from railbird.parsers.acpc_game import write_definition
from railbird.replay.acpc.dealer import play_by
from railbird.replay.acpc.definitions import DEALER, game_of, shipped
from railbird.replay.bots import STYLES
from railbird.replay.simulate import Order, Player

SHORT = replace(
    next(definition for definition in shipped() if definition.name == "holdem.nolimit.2p.reverse_blinds"),
    name="own.short.2p",
    ranks=9,
)


def _short_deck(folder: Path) -> Path:
    """A store of a match with 36 cards, its definition beside it, and one of a whole deck."""
    folder.mkdir()
    players = tuple(Player(name, STYLES["calling-station"](Random(name))) for name in ("Ann", "Bea"))
    for game in (SHORT, replace(SHORT, name="own.whole.2p", ranks=13)):
        order = Order(game_of(game), GRAMMAR, players, 80, 3, DEALER, "")
        (folder / f"{game.name}.log").write_text(play_by(game, order, title=game.name).text)
        (folder / f"{game.name}.game").write_text(write_definition(game))
    ingest([folder], folder / "store")
    return folder / "store"


def test_the_deck_is_that_of_the_match(tmp_path: Path) -> None:
    with open_store(_short_deck(tmp_path / "own")) as store:
        games = store.sql(
            "select game, count(*) from equities join matches using (match_id) group by all order by 1"
        )
        assert [game for game, _ in games.fetchall()] == ["acpc/own.short.2p", "acpc/own.whole.2p"]
        rows = store.execute("""
            select e.street, e.seat, e.equity_actual, e.equity_own, h.board, d.holes, flatten(d.holes) as every
            from equities e join hands h using (match_id, hand_index)
            join (select match_id, hand_index, list(hole order by seat) as holes from seats group by all) as d
              using (match_id, hand_index)
            where h.game = 'acpc/own.short.2p' and e.street in (2, 3)
            order by e.hand_index, e.street, e.seat""").fetchall()
        last = store.execute("select distinct street, is_last_street from strengths order by all").fetchall()
        balance = store.execute("select game, deck from deal_balance order by all").fetchall()
    assert last == [(0, False), (1, False), (2, False), (3, True)]
    assert balance == [("acpc/own.short.2p", 36), ("acpc/own.whole.2p", 52)]
    deck = [card for card in oracle.DECK if card[0] not in "2345"]
    assert len(rows) > 20
    for street, seat, actual, own, board, holes, every in Random(0).sample(rows, 12):
        seen = list(board[: street + 2])
        left = [card for card in deck if card not in {*every, *seen}]
        assert actual == pytest.approx(float(oracle.shares(holes, seen, left)[seat]), abs=1e-12)
        if street == 3:
            unseen = [card for card in deck if card not in {*holes[seat], *seen}]
            assert own == pytest.approx(float(oracle.against_unseen(holes[seat], seen, unseen)), abs=1e-12)
