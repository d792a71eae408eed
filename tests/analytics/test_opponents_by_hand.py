"""Ranges, answers to bets and plans on hands one can count with a pencil, and on every game's own decisions."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oracles.handmade import hand_text
from oracles.opponents import size_bin
from oracles.walked import effective_n
from railbird.analytics.players import Player
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

MakeStore = Callable[..., Store]
SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"

# The dealer {0} has [Ah Kd], {1} [Qs 9s]. X deals the first and the third hand.
STEAL = ("{0} raises to 6", "{1} folds", "{0} awarded 2", "{1} awarded -2")
CHECK_RAISE = (
    *("{0} calls", "{1} checks", "Flop [2c 7d 8h], {0} (2), {1} (2)"),
    *("{1} checks", "{0} bets 4", "{1} raises to 12", "{0} folds", "{0} awarded -6", "{1} awarded 6"),
)
ALL_IN = (
    *("{0} raises to 400", "{1} calls", "Flop [2c 7d 8h], {0} (400), {1} (400)", "{1} checks", "{0} checks"),
    *("Turn [2c 7d 8h Jc], {0} (400), {1} (400)", "{1} checks", "{0} checks"),
    *("River [2c 7d 8h Jc 3s], {0} (400), {1} (400)", "{1} checks", "{0} checks"),
    *("{0} shows [Ah Kd]", "{1} shows [Qs 9s]", "{0} awarded 400", "{1} awarded -400"),
)
LOG = "\n\n".join(
    (
        "6.176 MIT Pokerbots - X vs Y",
        hand_text(1, ("X", "Y"), *STEAL),
        hand_text(2, ("Y", "X"), *CHECK_RAISE, bank=-2),
        hand_text(3, ("X", "Y"), *ALL_IN, bank=8),
        "Final, Y (-408), X (408)\n",
    )
)
X, Y = Player("cup", "holdem-mit", "X"), Player("cup", "holdem-mit", "Y")


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    return store.execute(query).fetchall()


RANGES = """
    select player, position, bet_level, hole_class, grid_row, grid_column, folds, checks, calls, raises
    from ranges order by all
"""


def test_a_range_holds_what_was_folded_and_each_decision_once(store_of: MakeStore) -> None:
    assert rows(store_of([LOG]), RANGES) == [
        ("X", "BB", 1, "Q9s", 2, 5, 0, 1, 0, 0),
        ("X", "SB", 1, "AKo", 1, 0, 0, 0, 0, 2),
        ("Y", "BB", 2, "Q9s", 2, 5, 1, 0, 1, 0),
        ("Y", "SB", 1, "AKo", 1, 0, 0, 0, 1, 0),
    ]


def test_who_did_not_see_the_cards_counts_them_apart(store_of: MakeStore) -> None:
    with closing(store_of([LOG]).as_seen_by(X)) as seen:
        assert rows(seen, RANGES) == [
            ("X", "BB", 1, "Q9s", 2, 5, 0, 1, 0, 0),
            ("X", "SB", 1, "AKo", 1, 0, 0, 0, 0, 2),
            # The fold was not shown; the all-in was.
            ("Y", "BB", 2, "Q9s", 2, 5, 0, 0, 1, 0),
            ("Y", "BB", 2, None, None, None, 1, 0, 0, 0),
            ("Y", "SB", 1, None, None, None, 0, 0, 1, 0),
        ]


def test_strength_that_was_not_seen_is_of_no_decile(store_of: MakeStore) -> None:
    query = (
        "select street, decile is null, sum(opportunities) from actions_by_strength "
        "where player = 'Y' and action = 'fold' group by all order by all"
    )
    store = store_of([LOG])
    assert rows(store, query) == [(0, False, 3), (1, False, 2)]
    with closing(store.as_seen_by(X)) as seen:
        # Of Y's decisions only the call of the all-in came to a showdown.
        assert rows(seen, query) == [(0, False, 1), (0, True, 2), (1, True, 2)]


def test_a_cluster_without_an_opportunity_is_none(store_of: MakeStore) -> None:
    spread = "spread_of(n, k, cluster)"
    query = f"select effective_n(sum(k), sum(n), {spread}), ({spread}).clusters from (values {{}}) as t (cluster, n, k)"
    some = "(0, 4, 1), (1, 5, 4), (2, 3, 0)"
    store = store_of([LOG])
    assert rows(store, query.format(some + ", (3, 0, 0), (4, 0, 0)")) == rows(store, query.format(some))
    ((effective, clusters),) = rows(store, query.format(some))
    assert clusters == 3 and effective == pytest.approx(effective_n([(4, 1), (5, 4), (3, 0)]), rel=0.01)
    # Counts of many million hands: their products are no whole numbers of 64 bits.
    many = "{'clusters': 600000::bigint, 'kk': 3.2e8, 'nn': 1e9, 'kn': 5e8}"
    ((large,),) = rows(store, f"select effective_n(5000000::bigint, 10000000::bigint, {many})")
    assert 0 < large <= 10_000_000


def test_a_bet_is_what_it_risked_over_the_pot_before_it(store_of: MakeStore) -> None:
    found = rows(
        store_of([LOG]),
        "select player, street, faced, opportunities, folds, calls, raises, break_even, mdf, over_fold "
        "from defences order by all",
    )
    assert [row[:7] for row in found] == [
        ("X", 1, 4, 1, 0, 0, 1),  # 4 into 4
        ("Y", 0, 4, 1, 1, 0, 0),  # to 6 of 1 into 3: 4 more over the 4 there after the call
        ("Y", 0, 6, 1, 0, 1, 0),  # to 400
        ("Y", 1, 3, 1, 1, 0, 0),  # to 12 into 8: 8 more over 12
    ]
    assert [row[7:] for row in found] == [
        pytest.approx((4 / 8, 4 / 8, -4 / 8)),
        pytest.approx((5 / 8, 3 / 8, 3 / 8)),
        pytest.approx((399 / 402, 3 / 402, -399 / 402)),
        pytest.approx((12 / 20, 8 / 20, 8 / 20)),
    ]


def test_plans_win_the_pot_where_it_is_folded_and_lose_the_bet_elsewhere(store_of: MakeStore) -> None:
    found = rows(
        store_of([LOG]),
        "select player, exploit, street, size, opportunities, successes, hands, bb_per_100 from exploits order by all",
    )
    assert [row[:7] for row in found] == [
        (player, exploit, street, size, 1, folds, 3)
        for player, exploit, street, size, folds in (
            ("X", "bluff", 1, 4, 0),
            ("X", "never_bluff", 1, 4, 0),
            ("Y", "bluff", 0, 4, 1),
            ("Y", "bluff", 0, 6, 0),
            ("Y", "bluff", 1, 3, 1),
            ("Y", "never_bluff", 0, 4, 1),
            ("Y", "never_bluff", 0, 6, 0),
            ("Y", "never_bluff", 1, 3, 1),
        )
    ]
    # In chips: 100 / 3 hands, 2 a big blind. A balanced bettor bluffs with call / (pot + call).
    gains = [-4, 4 * 4 / 12, 3, -399, 8, -3 * 4 / 12, 399 * 398 / 800, -8 * 8 / 28]
    assert [row[7] for row in found] == pytest.approx([gain * 100 / 3 / 2 for gain in gains])


def test_blinds_alone_are_no_bet_and_checks_after_an_all_in_no_decision(store_of: MakeStore) -> None:
    found = rows(
        store_of([LOG]),
        "select hand_index, player, street, action, to_call, bet_faced, pot_faced, faced, price, made_bin "
        "from situations order by hand_index, seq",
    )
    assert found == [
        (0, "X", 0, "raise", 1, None, None, None, 4, 4),
        (0, "Y", 0, "fold", 4, 5, 3, 4, None, None),
        (1, "Y", 0, "call", 1, None, None, None, None, None),
        (1, "X", 0, "check", 0, None, None, None, None, None),
        (1, "X", 1, "check", 0, None, None, None, None, None),
        (1, "Y", 1, "bet", 0, None, None, None, 4, 4),
        (1, "X", 1, "raise", 4, 4, 4, 4, 8, 3),
        (1, "Y", 1, "fold", 8, 12, 8, 3, None, None),
        (2, "X", 0, "raise", 1, None, None, None, 398, 6),
        (2, "Y", 0, "call", 398, 399, 3, 6, None, None),
    ]


def richest(actions: list[tuple[Any, ...]]) -> float:
    """What a player who answers the first action has for the street, of several the most."""
    hand, _, _, street, seat, *_ = actions[0]
    others: dict[int, float] = {}
    for row in actions[1:]:
        if (row[0], row[3]) == (hand, street) and row[4] != seat:
            others.setdefault(row[4], row[11] - row[9] + row[10])
    return max(others.values(), default=float("inf"))


def told(actions: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """What `situations` says of a match's decisions, followed action by action."""
    bets: dict[tuple[Any, ...], tuple[float, float, float, float]] = {}
    found = []
    for at, (hand, seq, board, street, seat, action, origin, to_call, pot, added, stack, total) in enumerate(
        actions
    ):
        where = (hand, board, street)
        if stack is None:
            stack = float("inf")  # ACPC limit has none
        if origin == "choice":
            can_call = min(to_call, stack)
            risk = before = size = None
            if to_call > 0 and where in bets:
                risk, before, called, level = bets[where]
                beyond = level - (total - added) - can_call
                size = size_bin(Fraction(risk - called - beyond) / Fraction(before + called))
                risk = max(risk - beyond, 0)
            price = added - to_call if action in ("bet", "raise") else None
            made = None if price is None else size_bin(Fraction(price) / Fraction(pot + to_call))
            if price is not None and board is None and stack < float("inf"):
                price = min(price, richest(actions[at : at + 20]) - (total - added + to_call))
            found.append((hand, seq, board, street, seat, action, can_call, risk, before, size, price, made))
        if action in ("bet", "raise"):
            bets[where] = (added, pot, to_call, total)
    return found


def test_situations_of_every_game_follow_from_its_actions(samples: Store) -> None:
    games = Counter[str]()
    for match_id, game in rows(samples, "select match_id, game from matches order by all"):
        actions = rows(
            samples,
            f"""
            select hand_index, seq, board_no, street, seat, action, origin, to_call, pot_before, chips_added,
              stack_before, amount_to
            from actions anti join damaged_hands using (match_id, hand_index)
            where match_id = {match_id} and action in ('fold', 'check', 'call', 'bet', 'raise', 'play')
            order by hand_index, seq
            """,
        )
        found = rows(
            samples,
            f"""
            select hand_index, seq, board_no, street, seat, action, to_call, bet_faced, pot_faced, faced, price,
              made_bin
            from situations where match_id = {match_id} order by hand_index, seq, board_no
            """,
        )
        assert found == told(actions), game
        games[game] += len(found)
    assert len(games) == 27 and min(games.values()) > 50


def test_every_game_has_ranges_of_all_its_first_decisions(samples: Store) -> None:
    assert not rows(
        samples,
        """
        select r.game, r.n, d.n from (
          select game, sum(decisions) as n, sum(folds + checks + calls + raises) as k from ranges group by all
        ) as r full join (
          select m.game, count(*) as n
          from actions join matches as m using (match_id) anti join damaged_hands using (match_id, hand_index)
          where origin = 'choice' and street = if(m.game = 'koper', 1, 0)
            and action in ('fold', 'check', 'call', 'bet', 'raise', 'play')
          group by all
        ) as d using (game)
        where r.n is distinct from d.n or r.k <> r.n
        """,
    )
    without = rows(
        samples,
        "select game, count(hole_class) = count(*) from ranges where grid_row is null group by all order by 1",
    )
    # One card, three cards, and in Blotto the boards to which another number was sent than two; four cards or seven
    # are not named.
    assert without == [
        ("acpc/kuhn.limit.3p", True),
        ("acpc/leduc.limit.2p", True),
        ("anaconda", False),
        ("blotto", True),
        ("build4good", True),
        ("omaha-2016", False),
        ("pineapple-2013", True),
        ("poker-camp", True),
        ("toss", True),
    ]


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("['Ah', 'Kd']", "AKo"),
        ("['2s', 'As']", "A2s"),
        ("['Td', 'Th']", "TT"),
        ("['Qs']", "Q"),
        ("['2c', 'Th', '3c']", "T32"),
        ("['2c', 'Th', '3c', '4c']", None),
        ("[]", None),
        ("null::varchar[]", None),
    ],
)
def test_hole_classes(samples: Store, cards: str, name: str | None) -> None:
    assert rows(samples, f"select hole_class({cards})") == [(name,)]


def test_what_the_other_has_no_chips_for_is_neither_faced_nor_asked(tmp_path: Path) -> None:
    """Birch, of 2000 chips, puts Ash, who has 10 of 700 left, all-in on the river with a flush."""
    logs = tmp_path / "logs"
    logs.mkdir()
    shutil.copy(SAMPLES / "acpc" / "unequal.nolimit.4p.game", logs)
    (logs / "shove.log").write_text(
        "# name/game/hands/seed shove unequal.nolimit.4p.game 1 5\n"
        "#--t_response 600000\n#--t_hand 600000\n#--t_per_hand 7000\n"
        "STATE:0:ffr100r690c/cc/cc/cr2000c:3h7d|6dQc|Ah4s|6hTs/AcTh9c/Tc/Kc:-700|700|0|0:Ash|Birch|Cedar|Dogwood\n"
    )
    ingest([logs], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select verdict from hands").fetchall() == [("ok",)]
        river = "select action, pot_faced, bet_faced, uncallable, faced, price, made_bin from situations"
        assert store.execute(f"{river} where street = 3 order by seq").fetchall() == [
            ("check", None, None, None, None, None, None),
            ("bet", None, None, None, None, 10, 4),
            ("call", 1380, 10, 1300, 1, None, None),
        ]
        assert store.execute("select faced, break_even from defences where street = 3").fetchall() == [
            (1, pytest.approx(10 / 1390))
        ]
        assert store.execute("select optimum from bets_by_size where street = 3").fetchall() == [
            (pytest.approx(10 / 1400),)
        ]
        plans = "select exploit, size, break_even, gain from gains where street = 3 order by exploit"
        assert store.execute(plans).fetchall() == [
            ("bluff", 1, pytest.approx(10 / 1390), -1),
            ("call", 4, pytest.approx(10 / 1400), -1),
            ("fold", 4, pytest.approx(10 / 1400), pytest.approx(1380 / 1390)),
            ("never_bluff", 1, pytest.approx(10 / 1390), pytest.approx(10 / 1400)),
        ]


# A raise to 300 is 200 beyond the call into a pot of 250; a raise to 900 after it 600 into 750.
THREE = (
    "r300cc/ccc/ccc/ccc:2c7d|AsKh|9h9s/2d8hJd/3s/4c:-300|-300|600:Ash|Birch|Cedar",
    "r300r900ff:2c7d|AsKh|9h9s:400|-100|-300:Birch|Cedar|Ash",
    "ccc/ccc/ccc/ccc:2c7d|AsKh|9h9s/2d8hJd/3s/4c:-100|-100|200:Cedar|Ash|Birch",
    "r300fc/cr500c/cc/cc:2c7d|AsKh|9h9s/2d8hJd/3s/4c:-50|-500|550:Ash|Birch|Cedar",
)


def test_one_decision_has_one_size_in_every_list(store_of: MakeStore) -> None:
    store = store_of(["".join(f"STATE:{n}:{hand}\n" for n, hand in enumerate(THREE))])
    faced = dict(
        rows(
            store,
            "select (street, size_bin), sum(opportunities) from bets_faced where answer = 'fold' group by 1",
        )
    )
    by_strength = rows(
        store,
        "select (street, faced), sum(opportunities) from actions_by_strength "
        "where action = 'fold' and not can_check group by 1",
    )
    defences = rows(store, "select (street, faced), sum(opportunities) from defences group by 1")
    answers = rows(
        store,
        "select (street, size_bin), sum(opportunities) from bet_answers where answer = 'fold' group by 1",
    )
    # An open raise has one size for the player behind the caller, too; before it only blinds are faced.
    assert faced == {(0, None): 5, (0, 4): 7, (1, 2): 1}
    assert dict(by_strength) == dict(answers) == faced
    assert all(n <= faced[key] for key, n in defences)
    assert {key for key, _ in defences} == {(0, 4), (1, 2)}


def test_what_nobody_called_is_in_no_pot(store_of: MakeStore) -> None:
    store = store_of(
        [
            "".join(
                f"STATE:{n}:{hand}\n"
                for n, hand in enumerate(
                    (
                        "r20000ff:2c7d|AsKh|9h9s:-50|-100|150:Ash|Birch|Cedar",
                        "ccc/r600cf/cr900f:2c7d|AsKh|9h9s/2d8hJd/3s:-600|700|-100:Birch|Cedar|Ash",
                    )
                )
            )
        ]
    )
    assert rows(store, "select pot, uncalled, played_for from pots order by hand_index") == [
        (20150, 19900, 250),
        (1600, 300, 1300),
    ]
