"""What a store tells of bids, of cards won in an auction, and of discards."""

from pathlib import Path

import pytest

from oracles.retelling import STACK, Auction, Retelling, Told, Toss
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
LOGS = {"auction": "2024-01-30.txt", "toss": "2026.txt"}
YEARS: dict[str, type[Retelling]] = {"auction": Auction, "toss": Toss}


@pytest.fixture(scope="module", params=LOGS)
def read(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, list[Told], Store]:
    game: str = request.param
    path, folder = SAMPLES / game / LOGS[game], tmp_path_factory.mktemp(game)
    ingest([path], folder)
    return game, YEARS[game](path.read_bytes().decode()).tell().hands, open_store(folder)


def deals(store: Store, kind: str) -> list[tuple[int, int | None, int, list[str]]]:
    """(hand, seat, street, cards) in the order of the log."""
    query = "select hand_index, seat, street, cards from deals where kind = $kind order by hand_index, seq"
    return store.execute(query, kind=kind).fetchall()


def test_every_card_event_has_its_row(read: tuple[str, list[Told], Store]) -> None:
    game, told, store = read
    extras, discards, boards = [], [], []
    for index, hand in enumerate(told):
        extras += [(index, hand.seats[k], 1, [hand.extra[k]]) for k in (0, 1) if hand.extra[k]]
        discards += [(index, hand.seats[k], 1, [hand.discards[k]]) for k in (1, 0) if hand.discards[k]]
        board = [card for card in hand.board if card not in hand.discards]
        flop = 2 if game == "toss" else 3
        cuts = [board[:flop], *([card] for card in board[flop:])]
        boards += [(index, None, street, cards) for street, cards in enumerate(cuts, 1) if cards]
    assert deals(store, "auction") == extras
    assert deals(store, "discard") == discards
    assert deals(store, "board") == boards
    orders = store.sql("select count(*) from deals group by match_id, hand_index, seq having count(*) > 1")
    assert orders.fetchall() == []


def test_hole_cards_are_kept_as_dealt_and_as_held_at_the_end(read: tuple[str, list[Told], Store]) -> None:
    _, told, store = read
    query = "select hand_index, seat, hole, hole_final from seats order by hand_index, seat"
    rows = store.execute(query).fetchall()
    assert len(rows) == 2 * len(told)
    for index, seat, hole, final in rows:
        hand = told[index]
        position = hand.seats.index(seat)
        extra, discard = hand.extra[position], hand.discards[position]
        held = [*hand.hole[position], *([extra] if extra else [])]
        assert final == held
        assert set(hole) == {*hand.hole[position], *([discard] if discard else [])}


def test_bids_are_actions_that_put_nothing_on_the_street(read: tuple[str, list[Told], Store]) -> None:
    _, told, store = read
    columns = "hand_index, seat, amount_logged, amount_to, chips_added, stack_before, max_raise_to"
    query = f"select {columns} from actions where action = 'bid' order by hand_index, seq"
    rows = store.execute(query).fetchall()
    due = [
        (index, hand.seats[k], float(hand.bids[k]), 0.0, 0.0)
        for index, hand in enumerate(told)
        for k in (1, 0)
        if hand.bids
    ]
    assert [row[:5] for row in rows] == due
    assert all(row[5] >= row[2] and row[6] is None for row in rows)


def test_what_a_player_has_and_may_raise_to_counts_the_price_of_a_card(
    read: tuple[str, list[Told], Store],
) -> None:
    _, _, store = read
    rows = store.execute(
        "select min_raise_to, amount_to, max_raise_to, stack_before, pip_before from actions "
        "where action in ('bet', 'raise') and origin = 'choice'"
    ).fetchall()
    assert rows
    for low, amount, high, stack, pip in rows:
        assert low <= amount <= high <= pip + stack <= STACK
    spent = store.execute(
        "select max(put - contribution) from (select match_id, hand_index, seat, "
        "$stack - min(stack_before) as put from actions group by all) "
        "join seats using (match_id, hand_index, seat)",
        stack=STACK,
    ).fetchall()
    assert spent == [(0,)]


def test_only_decisions_count(read: tuple[str, list[Told], Store]) -> None:
    game, told, store = read
    dummies = store.execute("select count(*) from actions where origin = 'dummy'").fetchall()
    discards = sum(card is not None for hand in told for card in hand.discards)
    assert dummies == [(discards,)]
    counted = store.execute(
        "select sum(checks + bets + raises + calls + folds) from aggression_by_match"
    ).fetchall()
    chosen = store.execute(
        "select count(*) from actions "
        "where origin = 'choice' and street > 0 and action not in ('bid', 'discard')"
    ).fetchall()
    assert counted == chosen
    assert game in LOGS
