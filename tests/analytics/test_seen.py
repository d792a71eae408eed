"""The store as a player saw it: what is hidden, what stays, against `visible` and against the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from railbird.analytics import luck
from railbird.analytics.players import Player, UnknownPlayer, find_opponent, find_player
from railbird.analytics.store import Store
from railbird.analytics.views import all_views, seen_views
from railbird.schema.columns import TABLES
from railbird.schema.words import FLAGS, FLAGS_OF_FLAGS
from railbird.storage.manifest import StoreError

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
# Columns that any player at the table may see, and columns that say nothing about the play. A new column must be put
# into one list or the other. `Column.own` and `later` in `schema.columns` do so for what rules write into seats' rows.
PUBLIC = {
    "matches": """
        match_id file_id match_no line event game dialect engine_profile engine_profiles players hands
        starting_stacks blinds buy_in unit card_set seating duplicate_group complete logged_final head_hash
        text_bytes text_hash players_hash first_hand_no last_hand_no first_hand_hash hand_marks log_hands
        blinds_by_position raise_sizes raise_caps suits ranks hole_cards board_cards played_at
    """,
    "hands": """
        match_id hand_index hand_no line game dealer_seat n_players streets ended_by card_lines verdict deviations
        board_changed rake
    """,
    "seats": """
        match_id hand_index seat player position stack_start contribution written_off engine_off
        bankroll_before FLAGS hand_score payout win_cap redistributed win_share eliminated
    """,
    "actions": """
        match_id hand_index seq line board_no street seat action origin amount_printed raise_to pip_before to_call
        street_pot pot_before stack_before opponent_stack has_bounds min_raise_to max_raise_to bet_level aggressor_seat
        active_players
    """,
    "counted": "match_id rows",
    "tags": "match_id tag value tagged_at",
    "equities": "match_id hand_index street board_no seat stake all_in",
    "boards": "match_id hand_index board_no cards pot pot_inflation ended_by contribution payout",
    "games": " ".join(column.name for column in TABLES["games"]),
}
PUBLIC["seats"] += " ".join(c.name for c in TABLES["seats"] if c.row and not (c.own or c.later))
# Tables of which rows are hidden, not columns.
ROWS = {"files", "unknown_lines", "faults", "findings", "changes", "notes"}
PUBLIC_ANSWERS = (
    "tendencies",
    "tendencies_by_opponent",
    "fold_frequency",
    "aggression",
    "koper_tendencies",
    "defences",
    "origins",
)


VIEWERS = [
    Player("bounty", "bounty", "Otter"),
    Player("bounty", "bounty", "Gemini", 1),
    Player("holdem-mit", "holdem-mit", "Magpie"),
    Player("blotto", "blotto", "Crow"),
    Player("auction", "auction", "Otter"),
    Player("toss", "toss", "Rook"),
    Player("swap", "swap", "Heron"),
    Player("tacs", "tacs", "Quarry"),
    Player("permutation", "permutation", "Magpie"),
    Player("river-of-blood", "river-of-blood", "Otter"),
    Player("koper", "koper", "Player A"),
    Player("acpc", "acpc/holdem.limit.3p", "Birch"),
    Player("acpc", "acpc/holdem.nolimit.2p.reverse_blinds", "Heron"),
    Player("acpc", "acpc/kuhn.limit.3p", "Ash"),
]


@pytest.fixture(scope="module", params=VIEWERS, ids=lambda viewer: f"{viewer.game}-{viewer.name}")
def pair(request: pytest.FixtureRequest, samples: Store) -> Iterator[tuple[Store, Store]]:
    """A viewer's matches with nothing hidden, and as the viewer saw them."""
    full, seen = samples.matches_of(request.param), samples.as_seen_by(request.param)
    with closing(full), closing(seen):
        yield full, seen


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    return store.execute(query).fetchall()


def rounded(found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows with numbers to nine places: a sum depends on its order."""
    return [tuple(round(cell, 9) if isinstance(cell, float) else cell for cell in row) for row in found]


def test_every_column_of_the_store_is_public_or_hidden() -> None:
    hiding = {view.name: {column.name for column in view.columns} for view in seen_views()}
    assert hiding.keys() | PUBLIC.keys() == TABLES.keys()
    for table, columns in TABLES.items():
        if table not in ROWS:
            public = set(PUBLIC[table].replace("FLAGS", " ".join(FLAGS)).split())
            hidden = hiding.get(table, set())
            assert not public & hidden
            derived = {"seats": {*FLAGS_OF_FLAGS}, "actions": {"aggressor_seat"}}.get(table, set())
            assert public | hidden == {column.name for column in columns} | derived, table


def test_a_viewer_has_the_matches_of_the_viewer_alone(pair: tuple[Store, Store]) -> None:
    full, seen = pair
    matches = rows(full, "select match_id, seat from truth.viewer order by all")
    assert matches
    assert [row[0] for row in matches] == sorted(row[0] for row in rows(full, "select match_id from matches"))
    for table in ("matches", "hands", "seats", "actions", "boards"):
        count = f"select count(*) from stored.{table}"
        assert rows(full, count) == rows(seen, count)
    names = rows(
        seen, "select distinct players[v.seat + 1] from truth.viewer v join matches using (match_id)"
    )
    assert seen.viewer is not None
    assert names == [(seen.viewer.name,)]


def test_public_columns_are_untouched(pair: tuple[Store, Store]) -> None:
    full, seen = pair
    for table, columns in PUBLIC.items():
        listed = ", ".join(columns.replace("FLAGS", "flags").split())
        query = f"select {listed} from stored.{table} order by all"
        assert rows(full, query) == rows(seen, query), table


def test_of_the_cards_of_others_is_left_what_visible_says(pair: tuple[Store, Store]) -> None:
    full, seen = pair
    told = """
        select {key}, {item}
        from visible as v join truth.viewer as w on w.match_id = v.match_id and w.seat = v.viewer_seat
        where v.item = '{name}' and v.seat <> w.seat order by all
    """
    shown = rows(
        full, told.format(key="v.match_id, hand_index, v.seat, board_no", item="cards", name="shown")
    )
    left = rows(
        seen,
        """
        select s.match_id, hand_index, s.seat, null::tinyint as board_no, hole_final
        from seats as s join truth.viewer as v on v.match_id = s.match_id and v.seat <> s.seat
        where hole_final is not null
        union all
        select b.match_id, hand_index, b.seat, board_no, cards
        from (
          select match_id, hand_index, board_no, unnest(hole) as cards, unnest(range(len(hole))) as seat from boards
        ) as b join truth.viewer as v on v.match_id = b.match_id and v.seat <> b.seat
        where cards is not null
        order by all
        """,
    )
    assert left == shown
    # Koper's history tells the others' equities too.
    told_equities = rows(
        full, told.format(key="v.match_id, hand_index, v.seat", item="value", name="win_prob")
    )
    assert told_equities == rows(
        seen,
        """
        select a.match_id, hand_index, a.seat, cast(win_prob as varchar)
        from actions as a join truth.viewer as v on v.match_id = a.match_id and v.seat <> a.seat
        where win_prob is not null order by all
        """,
    )
    hits = rows(full, told.format(key="v.match_id, hand_index, v.seat", item="value", name="hit"))
    assert hits == rows(
        seen,
        """
        select s.match_id, hand_index, s.seat, if(bounty_hit, 'hit', 'no hit')
        from seats as s join truth.viewer as v on v.match_id = s.match_id and v.seat <> s.seat
        where bounty_hit is not null order by all
        """,
    )


def test_the_hand_as_dealt_is_known_where_nothing_secret_changed_it(samples: Store) -> None:
    for game, name, changed_is_known in (
        ("swap", "Heron", False),
        ("auction", "Otter", False),
        ("toss", "Rook", True),
    ):
        with closing(samples.as_seen_by(Player(game, game, name))) as seen:
            found = rows(
                seen,
                """
                select s.hole is not null, count(*)
                from seats as s join truth.viewer as v on v.match_id = s.match_id and v.seat <> s.seat
                join truth.seats as t on t.match_id = s.match_id and t.hand_index = s.hand_index and t.seat = s.seat
                where s.hole_final is not null and t.hole_changed is not null group by all
                """,
            )
            assert [known for known, _ in found] == [changed_is_known], game
            wrong = "select 1 from seats s join truth.seats t using (match_id, hand_index, seat) where s.hole <> t.hole"
            assert not rows(seen, wrong)


# Hands in which another player had cards that the log tells and the viewer was never shown: they cannot come.
_NEVER_SHOWN = """
    select d.match_id, d.hand_index
    from (
      select match_id, hand_index, seat, null::tinyint as board_no from seats
      where hole is not null and match_id not in (select match_id from matches where game = 'blotto')
      union all
      select match_id, hand_index, seat, board_no
      from (
        select match_id, hand_index, board_no, unnest(hole) as cards, unnest(range(len(hole))) as seat from boards
      )
      where cards is not null
    ) as d
    join truth.viewer as v on v.match_id = d.match_id and v.seat <> d.seat
    left join (select * from visible where item = 'shown') as s
      on s.match_id = d.match_id and s.hand_index = d.hand_index and s.seat = d.seat and s.viewer_seat = v.seat
        and s.board_no is not distinct from d.board_no
    where s.item is null
"""


def test_an_equity_of_another_is_known_where_the_cards_were_shown(pair: tuple[Store, Store]) -> None:
    full, seen = pair
    assert seen.viewer is not None
    if seen.viewer.game in ("auction", "swap"):
        pytest.skip("what was dealt and what was shown differ: the test below")
    strengths = """
        select e.match_id, e.hand_index, e.street, e.board_no, e.seat, e.equity_own, e.equity_actual,
          e.seat = v.seat or s.item is not null as shown
        from equities as e join truth.viewer as v on v.match_id = e.match_id
        left join (select * from visible where item = 'shown') as s
          on s.match_id = e.match_id and s.hand_index = e.hand_index and s.seat = e.seat and s.viewer_seat = v.seat
            and s.board_no is not distinct from e.board_no
        order by e.match_id, e.hand_index, e.street, e.board_no nulls first, e.seat
    """
    all_shown: dict[tuple[Any, ...], bool] = {}
    whole = rows(full, strengths)
    for *where, _, _, _, shown in whole:
        all_shown[tuple(where)] = all_shown.get(tuple(where), True) and shown
    secret = set(rows(full, _NEVER_SHOWN))
    # Nobody is told how Permutation's cards count.
    countable = seen.viewer.game != "permutation"
    last = {"acpc/kuhn.limit.3p": 0, "river-of-blood": None}.get(seen.viewer.game, 3)
    left = rows(
        seen,
        "select match_id, hand_index, street, board_no, seat, equity_own, equity_actual from equities "
        "order by match_id, hand_index, street, board_no nulls first, seat",
    )
    assert left == [
        (
            *where,
            seat,
            own if shown and countable else None,
            actual
            if countable and all_shown[tuple(where)] and (where[2] == last or tuple(where[:2]) not in secret)
            else None,
        )
        for *where, seat, own, actual, shown in whole
    ]
    assert seen.viewer.game == "koper" or len(left) > 20
    worth = (
        "select count(*) from equities where equity_actual is not null and value is null and street = $last"
    )
    if last is not None and seen.viewer.game != "bounty":
        assert seen.execute(worth, last=last).fetchall() == [(0,)]


@pytest.mark.parametrize(("game", "name", "first"), [("auction", "Otter", 1), ("swap", "Heron", 3)])
def test_a_changed_hand_has_an_equity_from_when_it_was_what_was_shown(
    samples: Store, game: str, name: str, first: int
) -> None:
    with closing(samples.as_seen_by(Player(game, game, name))) as seen:
        found = rows(
            seen,
            f"""
            select e.street >= {first}, e.equity_own is not null, count(*)
            from equities as e join truth.viewer as v on v.match_id = e.match_id and v.seat <> e.seat
            join truth.seats as t on t.match_id = e.match_id and t.hand_index = e.hand_index and t.seat = e.seat
            join seats as s on s.match_id = e.match_id and s.hand_index = e.hand_index and s.seat = e.seat
            where t.hole_changed is not null and s.hole_final is not null and e.street <> 2 group by all order by all
            """,
        )
        # What the hand was worth before it changed is the dealt cards' secret. An auction's stays as the flop left it;
        # of Swap the cards given up, which cannot come, are told to nobody: only on the river none is to come.
        worth = rows(
            seen,
            """
            select e.street < 2, count(e.value), count(e.value_before), count(e.equity_actual), count(*)
            from equities as e join truth.viewer as v on v.match_id = e.match_id
            join seats as s on s.match_id = e.match_id and s.hand_index = e.hand_index and s.seat = 1 - v.seat
            where s.hole is null and s.hole_final is not null group by all order by all
            """,
        )
    # The cards that Swap's players exchanged are out of the deck of their own equity, and would be told by it.
    assert [row[:2] for row in found] == [(False, False), (True, game == "auction")]
    (late, *known_late), (early, *known_early) = worth
    assert (late, early) == (False, True)
    assert known_early[:2] == [0, 0] and known_early[3] > 0
    assert known_late[:2] == ([known_late[3]] * 2 if game == "auction" else [known_late[2], 0])
    assert known_late[2] > 0


def test_in_swap_nobody_tells_whether_a_shown_card_was_dealt(samples: Store) -> None:
    with closing(samples.as_seen_by(Player("swap", "swap", "Heron"))) as seen:
        shown = rows(
            seen,
            """
            select t.hole_changed is null, count(s.hole), count(s.hole_final), count(s.stored_final)
            from (select *, (select q.hole_changed from stored.seats q where q.match_id = p.match_id
              and q.hand_index = p.hand_index and q.seat = p.seat) as stored_final from seats p) as s
            join truth.viewer as v on v.match_id = s.match_id and v.seat <> s.seat
            join truth.seats as t on t.match_id = s.match_id and t.hand_index = s.hand_index and t.seat = s.seat
            where s.hole_final is not null group by all
            """,
        )
    assert len(shown) == 2
    for _, dealt, final, stored in shown:
        assert (dealt, final) == (0, stored) and final > 0


def test_who_is_out_of_a_match_of_koper_is_shown_no_more_of_it(samples: Store) -> None:
    left_out = """
        select count(*), count(s.hole), count(s.hole_final), count(a.win_prob)
        from seats as s
        join truth.viewer as v on v.match_id = s.match_id
        left join (select match_id, hand_index, seat, any_value(win_prob) as win_prob from actions group by all) as a
          on a.match_id = s.match_id and a.hand_index = s.hand_index and a.seat = s.seat
        where not exists (
          select 1 from truth.seats as w
          where w.match_id = s.match_id and w.hand_index = s.hand_index and w.seat = v.seat
        )
    """
    viewer = Player("koper", "koper", "Coin")
    full, seen = samples.matches_of(viewer), samples.as_seen_by(viewer)
    with closing(full), closing(seen):
        (whole,), (told,) = rows(full, left_out), rows(seen, left_out)
        assert min(whole) > 0
        assert told == (whole[0], 0, 0, 0)


def test_cards_of_koper_that_no_round_showed_are_nobodys(samples: Store) -> None:
    sizes = "select streets, min(len(board)), max(len(board)) from hands group by all order by all"
    viewer = Player("koper", "koper", "Coin")
    with closing(samples.as_seen_by(viewer)) as seen:
        found = rows(seen, sizes)
    assert len(found) > 1
    assert all(low == high == (0, 3, 4, 5)[streets - 1] for streets, low, high in found)


def test_what_only_the_player_knows_is_gone(pair: tuple[Store, Store]) -> None:
    _, seen = pair
    other = "join truth.viewer as v on v.match_id = t.match_id and v.seat <> t.seat"
    assert rows(seen, f"select count(bounty_rank) from seats as t {other}") == [(0,)]
    assert not rows(seen, f"select 1 from faults as t {other}")
    assert not rows(seen, f"select 1 from deals as t {other} where kind in ('swap', 'auction')")
    assert rows(seen, "select count(permutation), count(seed) from matches") == [(0, 0)]
    assert not rows(seen, "select 1 from findings union all select 1 from unknown_lines")


@pytest.mark.parametrize(
    "pair",
    [
        viewer
        for viewer in VIEWERS
        if viewer.game in ("bounty", "blotto", "toss", "koper", "acpc/holdem.limit.3p")
    ],
    ids=lambda viewer: f"{viewer.game}-{viewer.name}",
    indirect=True,
)
def test_rates_over_public_actions_are_those_of_the_full_view(pair: tuple[Store, Store]) -> None:
    full, seen = pair
    found = 0
    for view in PUBLIC_ANSWERS:
        whole, part = (rounded(rows(store, f"select * from {view} order by all")) for store in pair)
        assert whole == part, view
        found += len(whole)
    assert found
    situations = "select * exclude (hole) from situations order by all"
    assert rows(full, situations) == rows(seen, situations)


def test_a_run_is_counted_whoever_saw_the_cards_and_its_chance_where_they_were_seen(samples: Store) -> None:
    counted = """
        select player, depth, last_card, answer, sum(opportunities), sum(successes)
        from run_tendencies group by all order by all
    """
    chances = (
        "select depth, black_bin, answer, mean_chance from run_tendencies where player = 'Otter' order by all"
    )
    of_unseen = (
        "select black_bin, mean_chance from run_tendencies where player = 'Delta' and last_card = 'red'"
    )
    viewer = Player("river-of-blood", "river-of-blood", "Otter")
    full, seen = samples.matches_of(viewer), samples.as_seen_by(viewer)
    with closing(full), closing(seen):
        assert rows(full, counted) == rows(seen, counted)
        assert rounded(rows(full, chances)) == rounded(rows(seen, chances))
        told = rows(seen, of_unseen)
    assert told and all(0 < chance < 1 for bin_, chance in told if bin_ is not None)
    assert all(chance is None for bin_, chance in told if bin_ is None)
    assert {bin_ is None for bin_, _ in told} == {True, False}


def test_every_view_can_be_asked_of_a_seen_store(samples: Store) -> None:
    with closing(samples.as_seen_by(VIEWERS[0])) as seen:
        for view in all_views():
            if not view.unseen:
                seen.execute(f"select * from {view.name} limit 1").fetchall()


def test_luck_is_refused_in_a_seen_store_and_is_there_where_nothing_is_hidden(samples: Store) -> None:
    """What the cards brought would count as 0 in hands whose cards are hidden."""
    why = "luck_terms does not exist in a store as a player saw it: luck is the effect of the cards on all hands"
    full, seen = samples.matches_of(VIEWERS[0]), samples.as_seen_by(VIEWERS[0])
    with closing(full), closing(seen):
        assert len(luck.winnings(full)) > 1
        for asked in (luck.winnings, luck.hands, luck.fit_store, lambda of: of.execute("from luck_terms")):
            with pytest.raises(StoreError, match=why):
                asked(seen)
        with pytest.raises(duckdb.CatalogException, match="luck_terms"):
            seen.connection.execute("from luck_terms")
        assert rows(seen, "select 'luck_terms'") == [("luck_terms",)]


def test_a_viewer_sees_cards_as_the_oracle_says(reading: Any) -> None:
    names = reading.match["names"]
    for viewer, name in enumerate(names):
        ((event, game),) = reading.store.execute("select event, game from matches").fetchall()
        seat = viewer if names[0] == names[1] else None
        wanted = []
        for index, hand in enumerate(reading.match["hands"]):
            for position, at in enumerate(hand["seats"]):
                open_hand = at == viewer or hand["folded_by"] is None
                wanted.append((index, at, hand["hole"][position] if open_hand else None))
        with closing(reading.store.as_seen_by(Player(event, game, name, seat))) as seen:
            assert rows(seen, "select hand_index, seat, hole from seats order by all") == sorted(
                wanted, key=lambda row: row[:2]
            )


@pytest.mark.parametrize(
    ("name", "chosen", "said"),
    [
        ("Nobody", {}, "no player is called 'Nobody'"),
        (
            "Otter",
            {"event": "nowhere"},
            "no player named 'Otter' with these options; players are 'Otter' of event 'acpc', game 'acpc/holdem",
        ),
        ("Gemini", {"event": "bounty"}, "'Gemini' is several players; choose one: --seat 0; --seat 1"),
        (
            "Magpie",
            {},
            "'Magpie' is several players; choose one: --game auction; --game ",
        ),
    ],
)
def test_a_name_that_is_nobody_or_several_is_told_in_one_line(
    samples: Store, name: str, chosen: dict[str, Any], said: str
) -> None:
    with pytest.raises(UnknownPlayer) as error:
        find_player(samples, name, **chosen)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_a_name_is_found_by_event_game_and_seat(samples: Store) -> None:
    assert find_player(samples, "Otter", event="bounty") == Player("bounty", "bounty", "Otter")
    assert find_player(samples, "Gemini", event="bounty", seat=1) == Player("bounty", "bounty", "Gemini", 1)
    # Alone of the name in one tournament, twice at a table of another.
    assert find_player(samples, "Max") == Player("koper", "koper", "Max")


def test_an_opponent_is_who_sat_at_the_same_table(samples: Store) -> None:
    otter = Player("bounty", "bounty", "Otter")
    assert find_opponent(samples, otter, "Heron") == Player("bounty", "bounty", "Heron")
    twin = Player("bounty", "bounty", "Gemini", 0)
    assert find_opponent(samples, twin, "Gemini") == Player("bounty", "bounty", "Gemini", 1)
    with pytest.raises(UnknownPlayer, match="'Otter' has not met 'Otter' of event 'bounty', game 'bounty'"):
        find_opponent(samples, otter, "Otter")
    with pytest.raises(UnknownPlayer, match="'Max' is several players; choose with --against-seat: 0, 1, 3"):
        find_opponent(samples, Player("koper", "koper", "Calm", 2), "Max")


@pytest.mark.parametrize("viewer", VIEWERS[:2], ids=lambda viewer: str(viewer.name))
def test_bounties_paid_are_public_and_ranks_are_not(viewer: Player, samples: Store) -> None:
    query = """
        select match_id, seat, chips_brought, chips_cost, hands, verified, hits, hit_rate, own_hits, board_hits
        from bounty_hits_by_match order by match_id, seat
    """
    with closing(samples.matches_of(viewer)) as full, closing(samples.as_seen_by(viewer)) as seen:
        own = set(
            seen.execute("select distinct match_id, seat from seats where bounty_rank is not null").fetchall()
        )
        pairs = list(zip(full.execute(query).fetchall(), seen.execute(query).fetchall(), strict=True))
    assert pairs and len(own) == len(pairs) / 2
    hidden = 0
    for true, told in pairs:
        assert told[:4] == true[:4]
        if true[:2] in own:
            assert told == true
            continue
        assert told[8:] == (None, None)
        assert told[4] <= true[4] == told[5]
        assert told[7] == (true[7] if told[4] == true[4] else None)
        hidden += told[4] < true[4]
    assert hidden
