"""The relation `equities`: counted on first need, kept, and right for every game of the sample logs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from support.cards import parse_cards

from oracles import equity as oracle
from oracles.holdem import best_five, bounty_payout, hits_bounty
from railbird.analytics import equities, hand_values
from railbird.analytics.players import Player
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.cards import CARD_TEXT, RANKS
from railbird.replay.equity import counting
from railbird.replay.payouts import pay_side_pots
from railbird.storage.compacting import compact
from railbird.storage.manifest import read_manifest

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
NAMES = (
    "bounty/2025-01-30.txt",
    "holdem-mit/base.txt",
    "acpc/Ash.Birch.Cedar.0.log",
    "acpc/side-pots.log",
    "acpc/kuhn.log",
    "acpc/leduc.log",
    "acpc/limit.log",
    "auction/2024-01-30.txt",
    "blotto/2021-01-27.txt",
    "koper/v1-mixed.txt",
    "koper/v2-one-class.all_games.txt",
    "permutation/2020-01-29.txt",
    "river-of-blood/as-written.txt",
    "swap/2022-01-27.txt",
    "toss/2026.txt",
    "toss/faults.txt",
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of a log of every game; equities are counted once for all tests."""
    folder = tmp_path_factory.mktemp("equities") / "store"
    ingest([SAMPLES / name for name in NAMES], folder)
    with open_store(folder) as store:
        store.count_equities()
    return folder


@pytest.fixture(scope="module")
def store(logs: Path) -> Iterator[Store]:
    with open_store(logs) as opened:
        yield opened


def test_every_match_has_its_rows(store: Store) -> None:
    missing = store.execute("""
        select game from matches where match_id not in (select match_id from equities)""").fetchall()
    assert missing == []


def test_hands_have_their_rows_wherever_they_end(store: Store) -> None:
    """Toss hands end between two discards, too. What is left out by the cards that players fold with is no sample."""
    found = store.execute("""
        select game, len(board), count(*), count(*) filter (where (match_id, hand_index) not in (
          select (match_id, hand_index) from equities))
        from hands where verdict <> 'damaged' and game <> 'koper' group by all""").fetchall()
    assert {size for game, size, *_ in found if game == "toss"} == {0, 2, 3, 4, 5, 6}
    assert [(game, size, lacking) for game, size, _, lacking in found if lacking] == []


@pytest.mark.parametrize("table", ["seats", "actions", "equities"])
def test_nothing_is_stored_as_minus_nothing(store: Store, table: str) -> None:
    stored = store.sql(f"select * from stored.{table}")
    numbers = [name for name, kind in zip(stored.columns, stored.types, strict=True) if str(kind) == "DOUBLE"]
    assert numbers
    for name in numbers:
        minus = f"select count(*) from stored.{table} where {name} = 0 and signbit({name})"
        assert store.execute(minus).fetchall() == [(0,)], name


def test_the_shares_of_a_pot_sum_to_one(store: Store) -> None:
    wrong = store.execute("""
        select match_id, hand_index, street, board_no, sum(equity_actual) from equities
        group by all having abs(sum(equity_actual) - 1) > 1e-9""").fetchall()
    assert wrong == []


def test_chips_gained_sum_to_nothing_where_nobody_has_folded(store: Store) -> None:
    wrong = store.execute("""
        select m.game, e.* from (
          select match_id, hand_index, street, sum(value) as after, sum(value_before) as before, count(*) as n
          from equities where board_no is null and value is not null group by all) as e
        join matches m using (match_id) join hands h using (match_id, hand_index)
        where e.n = h.n_players and (abs(after) > 1e-6 or abs(before) > 1e-6)""").fetchall()
    assert wrong == []


def test_all_of_a_hand_that_nobody_bets_in_any_more_is_known(store: Store) -> None:
    """A board that lies whole pays what the hand paid, by the written rules."""
    wrong = store.execute("""
        select m.game, s.match_id, s.hand_index, s.seat, s.delta_written, e.value
        from (
          select * from equities qualify street = max(street) over (partition by match_id, hand_index)
        ) as e
        join seats s using (match_id, hand_index, seat)
        join hands h using (match_id, hand_index)
        join matches m using (match_id)
        where h.ended_by = 'showdown' and e.street > 0 and e.board_no is null and m.game <> 'koper'
          and e.stake = s.contribution and abs(e.value - s.delta_written) > if(m.game = 'bounty', 0.51, 1e-6)
        """).fetchall()
    assert wrong == []
    count = store.execute("""
        select count(distinct m.game) from equities e join matches m using (match_id)
        join seats s using (match_id, hand_index, seat) where e.stake = s.contribution and e.street > 0""").fetchall()
    assert count[0][0] >= 11


def test_a_street_begins_with_the_value_that_the_last_one_ended_with(store: Store) -> None:
    """Heads-up, where nobody bets in between: what the next card is expected to do is nothing."""
    wrong = store.execute("""
        select m.game, a.match_id, a.hand_index, a.street, a.value, b.value_before
        from equities a
        join equities b on b.match_id = a.match_id and b.hand_index = a.hand_index and b.seat = a.seat
          and b.street = a.street + 1 and b.board_no is not distinct from a.board_no and b.stake = a.stake
        join matches m on m.match_id = a.match_id
        where m.game in ('bounty', 'holdem-mit', 'permutation', 'blotto', 'acpc/holdem.limit.2p.reverse_blinds')
          and a.street > 0 and abs(a.value - b.value_before) > 1e-9""").fetchall()
    assert wrong == []


@pytest.mark.parametrize("game", ["bounty", "holdem-mit", "blotto", "acpc/holdem.limit.2p.reverse_blinds"])
def test_rivers_and_turns_agree_with_plain_enumeration(store: Store, game: str) -> None:
    rows = store.execute(
        """
        select e.street, e.seat, e.equity_actual, e.equity_own,
          coalesce(b.cards, h.board) as board, coalesce(b.hole, d.holes) as holes, flatten(d.holes) as every
        from equities e join hands h using (match_id, hand_index)
        join (
          select match_id, hand_index, list(hole order by seat) as holes from seats group by all
        ) as d using (match_id, hand_index)
        left join boards b on b.match_id = e.match_id and b.hand_index = e.hand_index and b.board_no = e.board_no
        where h.game = $game and e.street in (2, 3) and e.equity_actual is not null
        order by e.match_id, e.hand_index, e.street, e.board_no, e.seat""",
        game=game,
    ).fetchall()
    assert len(rows) > 20
    for street, seat, actual, own, board, holes, every in Random(game).sample(rows, 12):
        seen = list(board[: street + 2])
        left = [card for card in oracle.DECK if card not in {*every, *seen}]
        assert actual == pytest.approx(float(oracle.shares(holes, seen, left)[seat]), abs=1e-12)
        if street == 3:
            unseen = [card for card in oracle.DECK if card not in {*holes[seat], *seen}]
            assert own == pytest.approx(float(oracle.against_unseen(holes[seat], seen, unseen)), abs=1e-12)


def test_of_cards_given_up_in_swap_their_player_knows(store: Store) -> None:
    rows = store.execute("""
        select e.street, e.seat, e.equity_actual, e.equity_own, h.board, d.holes, d.own[e.seat + 1] as own
        from equities e join hands h using (match_id, hand_index)
        join (
          select match_id, hand_index, list(hole_final order by seat) as holes, list(cards order by seat) as own
          from seats join (
            select match_id, hand_index, seat, flatten(list(cards)) as cards
            from deals where kind in ('deal', 'swap') group by all
          ) using (match_id, hand_index, seat)
          group by all
        ) as d using (match_id, hand_index)
        where h.game = 'swap' and e.street = 3 and len(d.own[1]) + len(d.own[2]) > 4
        order by e.match_id, e.hand_index, e.seat""").fetchall()
    assert len(rows) > 20
    for _, seat, actual, own, board, holes, held in rows:
        assert actual == pytest.approx(float(oracle.shares(holes, list(board), [])[seat]), abs=1e-12)
        unseen = [card for card in oracle.DECK if card not in {*held, *board}]
        assert own == pytest.approx(float(oracle.against_unseen(holes[seat], list(board), unseen)), abs=1e-12)


def test_the_share_of_a_whole_board_is_what_the_rules_pay_of_the_pot(store: Store) -> None:
    """Side pots, one pot of unequal shares in Auction; to the odd chip."""
    found = store.execute("""
        select m.game, count(*), count(*) filter (where e.stake < h.pot / h.n_players - 1e-6), max(abs(
          e.equity_actual * h.pot - (s.delta_written + s.contribution)))
        from equities as e
        join seats s using (match_id, hand_index, seat)
        join hands h using (match_id, hand_index)
        join matches m using (match_id)
        where h.ended_by = 'showdown' and h.game not in ('bounty', 'blotto', 'toss') and len(h.board) >= 5
          and e.street = h.streets - 1
        group by m.game, e.match_id, e.hand_index having bool_and(e.stake = s.contribution)
        """).fetchall()
    games = {game for game, *_ in found}
    assert {"auction", "holdem-mit", "swap", "acpc/unequal.nolimit.4p"} <= games
    assert any(game == "auction" and less for game, _, less, _ in found)
    assert all(off <= 0.5 + 1e-6 for *_, off in found), found


def test_koper_shares_its_prize_and_the_rest_among_who_is_not_out(store: Store) -> None:
    hands = store.execute("""
        select h.match_id, h.hand_index, bool_or(s.eliminated),
          list({'put': coalesce(e.stake, s.contribution), 'share': e.equity_actual, 'score': s.hand_score})
        from hands h join seats s using (match_id, hand_index)
        left join (from equities where street = 3) as e
          on e.match_id = s.match_id and e.hand_index = s.hand_index and e.seat = s.seat
        where h.game = 'koper' and h.streets = 4 group by all having count(e.stake) > 1""").fetchall()
    assert len(hands) > 50 and sum(bool(eliminated) for *_, eliminated, _ in hands) > 5
    for _, _, _, seats in hands:
        pot = sum(seat["put"] for seat in seats)
        inside = [seat for seat in seats if seat["share"] is not None]
        best = min(seat["score"] for seat in inside)
        winners = sum(seat["score"] == best for seat in inside)
        prizes = [min(pot / winners, 4 * seat["put"]) if seat["score"] == best else 0.0 for seat in inside]
        rest = (pot - sum(prizes)) / len(inside)
        for seat, prize in zip(inside, prizes, strict=True):
            assert seat["share"] * pot == pytest.approx(prize + rest, abs=0.02)
    out = store.sql("""
        select count(*) from equities join seats using (match_id, hand_index, seat) where eliminated and street > 1""")
    assert out.fetchall() == [(0,)]


def test_no_cards_are_counted_for_hands_that_contradict_themselves(store: Store) -> None:
    assert (
        store.execute(
            "select * from equities e join hands h using (match_id, hand_index) where h.verdict = 'damaged'"
        ).fetchall()
        == []
    )


def test_they_are_counted_when_a_query_needs_them_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest([SAMPLES / "holdem-mit" / "base.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as first:
        first.execute("select * from hands").fetchall()
        assert not read_manifest(tmp_path / "store").parts("equities")
        rows = first.execute("select * from equities order by all").fetchall()
    assert len(rows) > 100
    assert len(read_manifest(tmp_path / "store").parts("equities")) == 1
    monkeypatch.setattr(equities, "read", lambda *_: pytest.fail("counted again"))
    with open_store(tmp_path / "store") as second:
        assert second.execute("select * from equities order by all").fetchall() == rows


def test_only_what_a_later_ingest_adds_is_counted(tmp_path: Path) -> None:
    target = tmp_path / "store"
    ingest([SAMPLES / "holdem-mit" / "base.txt"], target)
    seen: list[tuple[int, int]] = []
    with open_store(target) as store:
        store.count_equities()
    ingest([SAMPLES / "acpc" / "limit.log"], target)
    with open_store(target) as store:
        assert equities.ensure(store, store.place, lambda done, total: seen.append((done, total))) == 1
        (hands,) = store.execute("select hands from matches where game like 'acpc%'").fetchall()[0]
        assert seen == [(hands, hands)]
        assert equities.ensure(store, store.place) == 0


def test_a_log_that_grew_leaves_no_rows_of_its_shorter_version(tmp_path: Path) -> None:
    text = (SAMPLES / "holdem-mit" / "base.txt").read_bytes()
    blocks = text.split(b"\n\n")
    log = tmp_path / "a" / "log.txt"
    log.parent.mkdir()
    log.write_bytes(b"\n\n".join(blocks[:20]) + b"\n\n")
    target = tmp_path / "store"
    ingest([log, SAMPLES / "acpc" / "limit.log"], target)
    with open_store(target) as store:
        before = store.execute("select count(*) from equities").fetchall()
    log.write_bytes(text)
    ingest([log], target)
    with open_store(target) as store:
        strays = "select count(*) from stored.equities where match_id not in (select match_id from matches)"
        assert store.execute(strays).fetchall() == [(0,)]
        after = store.execute("select count(*) from equities").fetchall()
    assert after[0][0] > before[0][0]


def test_killed_between_two_commits_a_store_stays_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "store"
    ingest([SAMPLES / "holdem-mit" / "base.txt"], target)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, open_store(target) as store:
        patch.setattr(equities, "extend", die)
        with pytest.raises(KeyboardInterrupt):
            store.count_equities()
    with open_store(target) as store:
        assert len(store.execute("select * from equities").fetchall()) > 100
    assert not list((target / "staging").iterdir())


def _rows(store: Store) -> list[tuple[object, ...]]:
    return store.execute("select * from equities order by all").fetchall()


def _two_matches(target: Path) -> list[tuple[object, ...]]:
    """A store of two batches, and what its equities are."""
    for name in ("holdem-mit/base.txt", "acpc/kuhn.log"):
        ingest([SAMPLES / name], target)
    shutil.copytree(target, target.parent / "apart")
    with open_store(target.parent / "apart") as store:
        return _rows(store)


def test_two_who_count_at_once_keep_each_row_once(tmp_path: Path) -> None:
    target = tmp_path / "store"
    rows = _two_matches(target)
    with open_store(target) as first, open_store(target) as second:
        assert equities.ensure(first, first.place, lambda done, total: second.count_equities()) == 2
        assert _rows(first) == _rows(second) == rows
    assert len(read_manifest(target).parts("equities")) == 2


def test_a_batch_that_is_merged_meanwhile_is_counted_all_the_same(tmp_path: Path) -> None:
    target = tmp_path / "store"
    rows = _two_matches(target)
    merged: list[object] = []

    def merge(done: int, total: int) -> None:
        if not merged:
            merged.append(compact(target))

    with open_store(target) as store:
        equities.ensure(store, store.place, merge)
        assert _rows(store) == rows
    assert len(read_manifest(target).batches) == 1


def _in_the_way(target: Path) -> None:
    """Nobody can make parts there any more, whatever he may."""
    shutil.rmtree(target / "staging", ignore_errors=True)
    (target / "staging").write_text("in the way")


def test_beside_a_store_that_cannot_be_written_they_are_counted_for_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "store"
    rows = _two_matches(target)
    _in_the_way(target)
    with open_store(target) as store:
        assert _rows(store) == rows
        monkeypatch.setattr(equities, "read", lambda *_: pytest.fail("counted again"))
        with store.as_seen_by(Player("holdem-mit", "holdem-mit", "Rook")) as seen:
            assert 0 < len(_rows(seen)) < len(rows)
        with open_store(target) as again:
            assert _rows(again) == rows
    assert not read_manifest(target).parts("equities")


def test_what_lies_beside_a_store_is_counted_anew_when_the_store_has_grown(tmp_path: Path) -> None:
    target = tmp_path / "store"
    ingest([SAMPLES / "acpc" / "kuhn.log"], target)
    _in_the_way(target)
    with open_store(target) as early:
        assert len(rows := _rows(early)) > 100
        (target / "staging").unlink()
        ingest([SAMPLES / "holdem-mit" / "base.txt"], target)
        _in_the_way(target)
        with open_store(target) as late:
            assert len(_rows(late)) > len(rows)
        assert _rows(early) == rows


@pytest.mark.parametrize("seed", range(30))
def test_pots_are_paid_as_the_dealer_pays_them(seed: int) -> None:
    rng = Random(seed)
    players = rng.randint(2, 6)
    spent = [rng.choice([50, 100, 100, 200, 300]) for _ in range(players)]
    folded = [rng.random() < 0.3 for _ in range(players)]
    top = max(spent)
    # Who folds has not put in more than somebody who stays.
    for k in range(players):
        folded[k] = folded[k] and spent[k] < top
    strength = [rng.randint(1, 3) for _ in range(players)]
    due = np.zeros(players)
    pay_side_pots(players, np.array(spent), np.array(folded, np.int64), np.array(strength), due)
    inside = ~np.array([folded])
    if inside.sum() < 2:
        return
    who, chips = hand_values.pots(np.array([spent], float), inside)
    members = np.flatnonzero(inside[0])
    shares = np.zeros((1, who.shape[1], len(members)))
    for pot in range(who.shape[1]):
        able = [k for k in range(len(members)) if who[0, pot] >> k & 1]
        best = max((strength[members[k]] for k in able), default=0)
        won = [k for k in able if strength[members[k]] == best]
        for k in won:
            shares[0, pot, k] = 1 / len(won)
    value = hand_values.pot_value(shares, chips, np.array([spent], float)[:, members])
    assert value[0] == pytest.approx(due[members])


def test_a_bounty_is_paid_inside_the_runout() -> None:
    """Three rivers: a win with the bounty hit, a loss to it, a split that the dealer alone hits."""
    wins = np.array([[0.0, 1 / 3, 1 / 3, 1 / 3]])
    hit = np.array([[1 / 3, 1 / 3]])
    tie_hit = np.array([[1 / 3, 0.0]])
    both = np.zeros(1)
    value = hand_values.bounty_value(wins, hit, tie_hit, both, np.array([400.0]), np.array([0]))
    # 610 for the win, -610 for the loss, 110 for the split.
    assert value[0].tolist() == pytest.approx([110 / 3, -110 / 3])
    other = hand_values.bounty_value(wins, hit, tie_hit, both, np.array([400.0]), np.array([1]))
    assert other[0].tolist() == pytest.approx([110 / 3, -110 / 3])
    # One chip each: 11.5 is rounded down for the dealer, up for his opponent.
    small = hand_values.bounty_value(
        np.array([[0.0, 1.0, 0.0, 0.0]]),
        np.array([[1.0, 0.0]]),
        np.zeros((1, 2)),
        both,
        np.ones(1),
        np.array([0]),
    )
    assert small[0].tolist() == [11.0, -11.0]
    opposite = hand_values.bounty_value(
        np.array([[0.0, 1.0, 0.0, 0.0]]),
        np.array([[1.0, 0.0]]),
        np.zeros((1, 2)),
        both,
        np.ones(1),
        np.array([1]),
    )
    assert opposite[0].tolist() == [12.0, -12.0]


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize(
    "ours, theirs, board, ranks",
    [
        ("Ts5s", "Th3h", "5dAhJcAsJs", "5T"),
        ("9s8h", "9d8c", "5dThAhAsJs", "5T"),
        ("9s8h", "9d8c", "2dKhAhTsJs", "TJ"),
        ("9s8h", "9d8c", "2dThAhTsJs", "KK"),
        ("Ks8h", "9d8c", "2dThAhTsJs", "JK"),
    ],
)
def test_a_split_with_both_bounties_hit_pays_nothing(
    ours: str, theirs: str, board: str, ranks: str, size: int
) -> None:
    """Every run-out, evaluated and paid by the oracles; five chips each, of which a fourth is no whole number."""
    holes = np.array([[parse_cards(ours), parse_cards(theirs)]], np.int8)
    lying = np.array([parse_cards(board)[:size]], np.int8)
    bounties = np.array([[RANKS.index(rank) for rank in ranks]])
    found = counting.count(counting.situations(holes, lying), hits=True)
    won, tied = hand_values.bounty_hits(holes, bounties, found.wins[:, 0], found.hits)
    both = hand_values.both_hit(holes, lying, bounties, found.wins[:, 0], tied)
    hands = [[CARD_TEXT[code] for code in hole] for hole in holes[0].tolist()]
    there = [CARD_TEXT[code] for code in lying[0].tolist()]
    deck = [card for card in CARD_TEXT if card not in {*hands[0], *hands[1], *there}]
    paid = []
    for coming in combinations(deck, 5 - size):
        whole = [*there, *coming]
        strengths = [best_five([*hand, *whole]) for hand in hands]
        hits = [hits_bounty(rank, hand, whole) for rank, hand in zip(ranks, hands, strict=True)]
        paid.append(bounty_payout([5, 5], None, strengths, hits, dealer=0)[0])
    value = hand_values.bounty_value(found.wins[:, 0], won, tied, both, np.array([5.0]), np.array([0]))
    assert value[0].tolist() == pytest.approx([sum(paid) / len(paid), -sum(paid) / len(paid)], abs=1e-9)


def test_kopers_prize_is_capped_and_the_rest_is_shared() -> None:
    # Pot 1,500: seat 0 put in 100 and folded; seat 1 wins with 200 in, so 800 at most; 700 left for four.
    put = np.array([[100.0, 200.0, 300.0, 400.0, 500.0]])
    inside = np.array([[False, True, True, True, True]])
    wins = np.zeros((1, 16))
    wins[0, 0b0001] = 1.0
    assert hand_values.koper_value(wins, put, inside)[0].tolist() == [-100.0, 775.0, -125.0, -225.0, -325.0]


def test_blottos_winner_takes_the_inflated_pot_and_an_odd_chip_is_nobodys() -> None:
    wins = np.array([[0.0, 0.5, 0.0, 0.5]])
    assert hand_values.blotto_value(wins, np.array([[4.0, 5.0]]), 2.0)[0].tolist() == [5.5 + 2.5 - 4, 2.5 - 5]
