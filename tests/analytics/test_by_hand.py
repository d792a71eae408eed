"""Small cases counted by hand, among them those in which trackers are known to be wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from oracles.handmade import hand_text
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

MakeStore = Callable[..., Store]

FLOP, TURN, RIVER = (
    "Flop [2c 7d 8h], {0} ({n}), {1} ({n})",
    "Turn [2c 7d 8h Jc], {0} ({n}), {1} ({n})",
    "River [2c 7d 8h Jc 3s], {0} ({n}), {1} ({n})",
)
CHECKS = ("{1} checks", "{0} checks")
SHOW = ("{0} shows [Ah Kd]", "{1} shows [Qs 9s]")


def street(text: str, chips: int) -> str:
    return text.replace("{n}", str(chips))


def awards(chips: int) -> tuple[str, str]:
    """The dealer's award first."""
    return f"{{0}} awarded {chips}", f"{{1}} awarded {-chips}"


def log(*hands: tuple[int, Sequence[str]], final: bool = True) -> str:
    """A match of X and Y, X dealing first; of each hand what the dealer wins, and its lines."""
    rounds, bank = ["6.176 MIT Pokerbots - X vs Y"], 0
    for number, (won, body) in enumerate(hands, 1):
        sign = 1 if number % 2 else -1
        names = ("X", "Y") if sign == 1 else ("Y", "X")
        rounds.append(hand_text(number, names, *body, *awards(won), bank=sign * bank))
        bank += sign * won
    last = (("Y", -bank), ("X", bank)) if len(hands) % 2 else (("X", bank), ("Y", -bank))
    if final:
        rounds.append("Final, " + ", ".join(f"{name} ({chips})" for name, chips in last))
    return "\n\n".join(rounds) + "\n"


def counts(store: Store, view: str, player: str, statistic: str, **more: object) -> list[tuple[Any, ...]]:
    narrowed = " ".join(f"and {name} = {value!r}" for name, value in more.items())
    return store.execute(
        f"select opportunities, successes from {view} where player = $player and statistic = $statistic {narrowed}",
        player=player,
        statistic=statistic,
    ).fetchall()


OPEN_FOLD = (2, ("{0} raises to 6", "{1} folds"))
SB_FOLDS = (-1, ("{0} folds",))


def test_a_small_blind_that_folds_is_in_the_denominator_of_vpip(store_of: MakeStore) -> None:
    """Four hands: X folds both small blinds and never acts in Y's; a tracker says VPIP 0 of 0, or leaves him out."""
    store = store_of([log(SB_FOLDS, SB_FOLDS, SB_FOLDS, OPEN_FOLD)])
    assert counts(store, "tendencies", "X", "vpip") == [(3, 0)]
    # Y's small blinds: a fold and a raise; of X's he had two walks.
    assert counts(store, "tendencies", "Y", "vpip") == [(2, 1)]
    assert counts(store, "tendencies", "Y", "rfi") == [(2, 1)]
    assert counts(store, "street_tendencies", "X", "fold_to_steal") == [(1, 1)]


def test_a_donk_takes_the_chance_of_a_cbet_away(store_of: MakeStore) -> None:
    """X raises, Y donks: X never faced an unbet flop, although he was the last raiser and saw it."""
    donk = ("{0} raises to 6", "{1} calls", street(FLOP, 6), "{1} bets 6", "{0} folds")
    cbet = ("{0} raises to 6", "{1} calls", street(FLOP, 6), "{1} checks", "{0} bets 6", "{1} folds")
    store = store_of([log((-6, donk), SB_FOLDS, (6, cbet))])
    assert counts(store, "tendencies", "X", "cbet_flop") == [(1, 1)]
    assert counts(store, "street_tendencies", "X", "cbet", street=1) == [(1, 1)]
    assert counts(store, "tendencies", "Y", "donk") == [(2, 1)]
    assert counts(store, "street_tendencies", "Y", "fold_to_cbet", street=1) == [(1, 1)]
    assert counts(store, "street_tendencies", "X", "fold_to_cbet", street=1) == []


def test_aggression_counts_actions_not_hands(store_of: MakeStore) -> None:
    """X bets every street of one hand and calls once: AF 3, where a flag a hand says 1."""
    barrels = (
        *("{0} raises to 6", "{1} calls", street(FLOP, 6), "{1} checks", "{0} bets 4", "{1} calls"),
        *(street(TURN, 10), "{1} checks", "{0} bets 10", "{1} raises to 30", "{0} calls"),
        *(street(RIVER, 40), "{1} checks", "{0} bets 40", "{1} folds"),
    )
    store = store_of([log((40, barrels))])
    found = store.execute("select player, bets, raises, calls, af from aggression order by player").fetchall()
    assert found == [("X", 3, 0, 1, 3.0), ("Y", 0, 1, 1, 1.0)]
    # Who was raised on the turn has still made the first bet of each street.
    assert counts(store, "street_tendencies", "X", "cbet", street=3) == [(1, 1)]
    assert counts(store, "street_tendencies", "Y", "check_raise", street=2) == [(1, 1)]
    assert counts(store, "street_tendencies", "Y", "fold_to_cbet", street=3) == [(1, 1)]


def test_probes_and_late_cbets_have_their_own_histories(store_of: MakeStore) -> None:
    """Limped and checked down is no probe; a turn bet after the raiser's check is; so is a river's."""
    limped = (
        *(
            "{0} calls",
            "{1} checks",
            street(FLOP, 2),
            "{1} checks",
            "{0} checks",
            street(TURN, 2),
            "{1} bets 2",
        ),
        "{0} folds",
    )
    probed = (
        *("{0} raises to 6", "{1} calls", street(FLOP, 6), "{1} checks", "{0} checks", street(TURN, 6)),
        *("{1} bets 6", "{0} folds"),
    )
    late = (
        *("{0} raises to 6", "{1} calls", street(FLOP, 6), "{1} checks", "{0} checks", street(TURN, 6)),
        *("{1} checks", "{0} checks", street(RIVER, 6), "{1} checks", "{0} bets 6", "{1} folds"),
    )
    store = store_of([log((-2, limped), SB_FOLDS, (-6, probed), SB_FOLDS, (6, late))])
    assert counts(store, "tendencies", "Y", "probe") == [(2, 1)]
    assert counts(store, "street_tendencies", "Y", "probe", street=3) == [(1, 0)]
    assert counts(store, "tendencies", "X", "delayed_cbet") == [(1, 0)]
    assert counts(store, "street_tendencies", "X", "delayed_cbet", street=3) == [(1, 1)]


def test_a_raiser_who_is_not_seen_to_check_the_flop_missed_no_cbet(store_of: MakeStore) -> None:
    called = (
        *("{0} raises to 6", "{1} calls", street(FLOP, 6), "{1} checks", "{0} calls", street(TURN, 6)),
        *("{1} bets 6", "{0} folds"),
    )
    store = store_of([log((-6, called))])
    assert store.execute("select verdict from hands").fetchall() == [("violation",)]
    for view in ("tendencies", "street_tendencies"):
        assert counts(store, view, "Y", "probe") == []


def test_who_is_all_in_before_the_flop_saw_it(store_of: MakeStore) -> None:
    shove = (
        *("{0} raises to 400", "{1} calls", street(FLOP, 400), *CHECKS, street(TURN, 400), *CHECKS),
        *(street(RIVER, 400), *CHECKS, *SHOW),
    )
    store = store_of([log((400, shove))])
    for player in "XY":
        assert counts(store, "tendencies", player, "saw_flop") == [(1, 1)]
        assert counts(store, "tendencies", player, "wtsd") == [(1, 1)]
    made = store.execute("select size_bin, all_in, mean_to_bb, mean_size from bets_made").fetchall()
    # 398 beyond the call of 1 into a pot of 4.
    assert made == [(6, 1, 200.0, pytest.approx(398 / 4))]


def test_sizes_faced_and_made(store_of: MakeStore) -> None:
    """Half the pot, and a raise of the pot: 6 into 12; the raise to 30 is 24 beyond the call into 24, 30 into 18."""
    hand = (
        *("{0} raises to 6", "{1} calls", street(FLOP, 6), "{1} bets 6", "{0} raises to 30", "{1} folds"),
    )
    store = store_of([log((12, hand))])
    faced = store.execute(
        "select player, position, size_bin, opportunities, mean_size, mdf from bets_faced "
        "where street = 1 and answer = 'fold' order by player"
    ).fetchall()
    assert faced == [
        ("X", "SB", 2, 1, 0.5, pytest.approx(2 / 3)),
        ("Y", "BB", 4, 1, 1.0, pytest.approx(18 / 48)),
    ]
    single = "select mdf from decisions where street = 1 and size_faced is not null order by player"
    assert store.execute(single).fetchall() == [(pytest.approx(2 / 3),), (pytest.approx(18 / 48),)]
    blinds = "select distinct size_bin, mdf from bets_faced where street = 0 and player = 'X'"
    assert store.execute(blinds).fetchall() == [(None, None)]
    made = store.sql(
        "select player, action, size_bin, mean_size from bets_made where street = 1 order by player"
    )
    assert made.fetchall() == [("X", "raise", 4, 1.0), ("Y", "bet", 2, 0.5)]
    spr = store.execute(
        "select spr from decisions where street = 1 and player = 'Y' order by seq limit 1"
    ).fetchall()
    assert spr == [(pytest.approx(394 / 12),)]


def test_the_lock_point_is_the_first_hand_whose_lead_the_blinds_cannot_take(store_of: MakeStore) -> None:
    """Six hands of 3 chips a rotation; each fold costs the leader a blind and brings the opponent the same.

    Before the fifth hand X is 6 ahead and still posts a small and a big blind: 2 x 3 = 6 would be a tie. Before the
    sixth he is 10 ahead and posts a big blind: 4.
    """
    store = store_of([log(OPEN_FOLD, SB_FOLDS, SB_FOLDS, SB_FOLDS, OPEN_FOLD, SB_FOLDS)])
    # X: +2, +1, -1, +1, +2: before the hands 0 2 3 2 3 5; ahead 0 4 6 4 6 10.
    found = store.execute(
        "select hand_index, seat, player, lead, cost, hands_left from lock_points"
    ).fetchall()
    assert found == [(5, 0, "X", 10.0, 4.0, 1)]
    assert store.execute(
        "select sum(opportunities) from tendencies where statistic = 'saw_flop'"
    ).fetchall() == [(12,)]
    assert store.execute(
        "select sum(opportunities) from tendencies_before_lock where statistic = 'saw_flop'"
    ).fetchall() == [(10,)]


def test_a_match_whose_end_is_missing_has_no_lock_point(store_of: MakeStore) -> None:
    store = store_of([log(*[OPEN_FOLD, SB_FOLDS] * 6, final=False)])
    assert store.execute("select hand_index from lock_points").fetchall() == [(None,)]
    both = "select * from tendencies{} order by all"
    assert store.execute(both.format("_before_lock")).fetchall() == store.execute(both.format("")).fetchall()


def test_winnings_in_every_unit(store_of: MakeStore) -> None:
    store = store_of([log(OPEN_FOLD, SB_FOLDS, OPEN_FOLD, SB_FOLDS)])
    found = store.execute(
        "select hands, delta, showdown, non_showdown, bb_per_100, mbb_per_hand, sd_per_100 from winnings "
        "where player = 'X'"
    ).fetchall()
    # 2, 1, 2, 1 chips of bb 2.
    assert found == [(4, 6.0, 0.0, 6.0, 75.0, 750.0, pytest.approx(10 * (1 / 12) ** 0.5))]


def test_other_stakes_than_the_rules_are_the_matchs_own_and_are_told_once(store_of: MakeStore) -> None:
    limped = ("{0} calls", "{1} checks", street(FLOP, 10), "{1} bets 10", "{0} folds")
    text = log((10, ("{0} raises to 20", "{1} folds")), *[(-5, ("{0} folds",)), (-10, limped)] * 3)
    text = text.replace("blind of 1\n", "blind of 5\n").replace("blind of 2\n", "blind of 10\n")
    store = store_of([text])
    assert store.execute("select blinds, unit, starting_stacks from matches").fetchall() == [
        ([5.0, 10.0], 10.0, [400.0, 400.0])
    ]
    assert store.execute("select pot from hands order by hand_index").fetchall() == [
        (30,),
        *[(15,), (30,)] * 3,
    ]
    # X deals the odd hands.
    assert store.execute(
        "select list(contribution order by hand_index) from seats where player = 'X'"
    ).fetchall() == [([20.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0],)]
    assert store.execute(
        "select amount_to, pot_before from actions where hand_index = 1 order by seq"
    ).fetchall() == [
        (5.0, 0.0),
        (10.0, 5.0),
        (5.0, 15.0),
    ]
    # X: 10, then three times 5 as the big blind and -10 as the dealer.
    assert store.execute("select hands, delta, bb_per_100 from winnings where player = 'X'").fetchall() == [
        (7, -5.0, pytest.approx(-100 * 0.5 / 7))
    ]
    assert store.execute(
        "select hand_index, verdict, deviation, expected, logged, message from findings"
    ).fetchall() == [
        (
            0,
            "engine_deviation",
            "holdem-mit.stakes",
            "1/2/400",
            "5/10/400",
            "played with blinds and stacks of 5/10/400, the rules have 1/2/400",
        )
    ]


def test_a_match_of_twenty_names_has_the_spots_of_two(tmp_path: Path) -> None:
    """A record of a table at which others sat down: the numbers of its seats are large."""

    def hand(number: int, names: Sequence[str], *actions: str) -> str:
        dealt = [f"d dh p{k} ????" for k in range(1, len(names) + 1)]
        return (
            f"[{number}]\nvariant = 'NT'\nantes = {[0] * len(names)}\n"
            f"blinds_or_straddles = {[1, 2] + [0] * (len(names) - 2)}\nmin_bet = 2\n"
            f"starting_stacks = {[100] * len(names)}\nplayers = {[*names]}\nactions = {[*dealt, *actions]}\n"
            "table = 'one'\n"
        )

    first = [f"P{k}" for k in range(10)]
    last = [f"Q{k}" for k in range(8)]
    boards = ("d db 2c7d8h", "p1 cc", "p2 cc", "d db Jc", "p1 cc", "p2 cc", "d db 3s")
    river = ("p2 cc", "p1 cc", *boards, "p1 cc", "p2 cbr 4", "p1 cbr 12", "p2 f")
    text = "\n".join(
        (
            hand(1, first, *(f"p{k} f" for k in (*range(3, 11), 1))),
            hand(2, last, *(f"p{k} f" for k in (*range(3, 9), 1))),
            hand(3, ["X", "Y"], *river),
        )
    )
    found = []
    for name, told in (("many", text), ("two", hand(3, ["X", "Y"], *river))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "one.phhs").write_text(told)
        ingest([tmp_path / name], tmp_path / f"{name}-store")
        with open_store(tmp_path / f"{name}-store") as store:
            ((size,),) = store.sql("select len(players) from matches").fetchall()
            rows = store.sql(
                "select player, street, statistic, opportunities, successes from street_tendencies "
                "where player in ('X', 'Y') and opportunities > 0 order by all"
            ).fetchall()
        found.append((size, rows))
    assert [size for size, _ in found] == [20, 2]
    assert found[0][1] == found[1][1]
    assert any(row[1:] == (3, "check_raise", 1, 1) for row in found[0][1])
