"""The answers on logs made for the purpose, with numbers one can check by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl
import pytest

from oracles.handmade import hand_text
from railbird.analytics import luck
from railbird.analytics.store import Store

MakeStore = Callable[..., Store]

# {0} is the dealer with [Ah Kd], {1} the big blind with [Qs 9s].
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


def log(players: tuple[str, str], *bodies: Sequence[str]) -> str:
    """A finished match of the base engine; the first player deals first."""
    rounds = [f"6.176 MIT Pokerbots - {players[0]} vs {players[1]}"]
    other_way = (players[1], players[0])
    bank = 0  # of the first player
    for number, body in enumerate(bodies, 1):
        sign = 1 if number % 2 else -1
        rounds.append(hand_text(number, players if sign == 1 else other_way, *body, bank=sign * bank))
        awarded = next(re.fullmatch(r"\{0\} awarded (-?\d+)", line) for line in body if "{0} awarded" in line)
        bank += sign * int(awarded[1] if awarded else 0)
    last, banks = (other_way, (-bank, bank)) if len(bodies) % 2 else (players, (bank, -bank))
    rounds.append(f"Final, {last[0]} ({banks[0]}), {last[1]} ({banks[1]})")
    return "\n\n".join(rounds) + "\n"


def rows(store: Store, query: str, **params: object) -> list[tuple[Any, ...]]:
    return store.execute(query, **params).fetchall()


def test_a_match_of_three_hands(store_of: MakeStore) -> None:
    store = store_of([log(("X", "Y"), STEAL, CHECK_RAISE, ALL_IN)])
    assert rows(store, "select verdict, hands from verdicts") == [("ok", 3)]
    assert rows(
        store, "select player, opponent, hands, delta, bb_per_100, complete from results order by seat"
    ) == [
        ("X", "Y", 3, 408, pytest.approx(6800), True),
        ("Y", "X", 3, -408, pytest.approx(-6800), True),
    ]
    assert rows(
        store, "select bankroll, showdown, non_showdown from bankroll_curve order by seat, hand_index"
    ) == [
        *((2, 0, 2), (8, 0, 8), (408, 400, 8)),
        *((-2, 0, -2), (-8, 0, -8), (-408, -400, -8)),
    ]
    counts = {
        (player, name): (n, k)
        for player, name, n, k in rows(
            store, "select player, statistic, opportunities, successes from tendencies"
        )
    }
    # X deals hands 1 and 3; Y limps hand 2, after which X checks and check-raises.
    assert counts["X", "vpip"] == (3, 2) and counts["Y", "vpip"] == (3, 2)
    assert counts["X", "rfi"] == (2, 2) and counts["Y", "rfi"] == (1, 0) and counts["Y", "limp"] == (1, 1)
    assert counts["X", "check_raise"] == (1, 1) and ("Y", "check_raise") not in counts
    assert counts["X", "wtsd"] == (2, 1) and counts["X", "w$sd"] == (1, 1) and counts["Y", "w$sd"] == (1, 0)
    assert counts["X", "wwsf"] == (2, 2) and counts["X", "saw_flop"] == (3, 2)
    assert rows(
        store, "select player, bets, raises, calls, checks, folds, af from aggression order by player"
    ) == [
        ("X", 0, 1, 0, 1, 0, None),
        ("Y", 1, 0, 0, 0, 1, None),
    ]
    assert rows(
        store,
        "select player, street_name(street), position, opportunities, successes "
        "from fold_frequency order by all",
    ) == [
        ("X", "flop", "BB", 1, 0),
        ("X", "preflop", "SB", 2, 0),
        ("Y", "flop", "SB", 1, 1),
        ("Y", "preflop", "BB", 2, 1),
        ("Y", "preflop", "SB", 1, 0),
    ]
    assert rows(store, "select player, choices, allin from origins order by player") == [
        ("X", 5, 3),
        ("Y", 5, 3),
    ]


def test_answers_add_up_over_matches_and_stay_apart_by_opponent_and_event(store_of: MakeStore) -> None:
    store_of([log(("X", "Y"), STEAL), log(("Z", "X"), STEAL, STEAL)])
    store = store_of([log(("X", "Y"), ALL_IN, CHECK_RAISE)], event="league")  # no hand of the cup's matches
    found = rows(
        store,
        "select event, opponent, opportunities, successes from tendencies_by_opponent "
        "where player = 'X' and statistic = 'rfi' order by all",
    )
    assert found == [("cup", "Y", 1, 1), ("cup", "Z", 1, 1), ("league", "Y", 1, 1)]
    assert rows(
        store,
        "select event, opportunities, low, high from tendencies where player = 'X' and statistic = 'rfi' "
        "order by all",
    ) == [
        ("cup", 2, pytest.approx(0.34238, abs=1e-5), 1),
        ("league", 1, pytest.approx(0.20655, abs=1e-5), 1),
    ]


def test_two_players_of_one_name_are_told_apart_by_seat(store_of: MakeStore) -> None:
    store = store_of([log(("T", "T"), STEAL, STEAL, STEAL), log(("T", "U"), STEAL)])
    found = rows(
        store,
        "select player, seat, opportunities from tendencies where statistic = 'rfi' and player = 'T' "
        "order by seat nulls first",
    )
    assert found == [("T", None, 1), ("T", 0, 2), ("T", 1, 1)]
    assert rows(
        store, "select distinct opponent, namesake_seat from players where player = 'T' order by 2"
    ) == [
        *(("T", 0), ("T", 1), ("U", None)),
    ]


def test_a_wrong_award_is_a_violation_with_its_chips(store_of: MakeStore) -> None:
    wrong = (*STEAL[:2], "{0} awarded 5", "{1} awarded -5")
    store = store_of([log(("X", "Y"), wrong, STEAL)])
    assert rows(store, "select verdict, hands from verdicts order by 1") == [("ok", 1), ("violation", 1)]
    assert rows(store, "select rule, kind, verdict, findings, hands, chips_moved from findings_summary") == [
        ("award", "pay", "violation", 1, 1, 3)
    ]
    assert rows(store, "select player, delta, delta_written from results order by player") == [
        ("X", 3, 0),
        ("Y", -3, 0),
    ]
    assert rows(store, "select * from deviations") == []


def test_damaged_hands_are_in_no_rate_but_in_the_bankroll(store_of: MakeStore) -> None:
    spliced = ("{0} raises to 6", "<<<<<<< HEAD", *STEAL[1:])
    store = store_of([log(("X", "Y"), spliced, STEAL)])
    assert rows(store, "select verdict, hands from verdicts order by 1") == [("damaged", 1), ("ok", 1)]
    assert rows(store, "select sum(opportunities) from tendencies where statistic = 'saw_flop'") == [(2,)]
    assert rows(store, "select sum(opportunities) from chances where statistic = 'vpip'") == [(2,)]
    assert rows(store, "select sum(opportunities) from fold_frequency") == [(2,)]
    assert rows(store, "select hands, delta, unpriced_hands from results order by seat") == [
        *((2, 0, 1), (2, 0, 1)),
    ]


def test_a_fold_after_an_all_in_is_worth_no_more_than_the_stacks(store_of: MakeStore) -> None:
    """Some engines ask bots that are all-in, and take their folds: here of a hand that came to lead."""
    folded = (*ALL_IN[:2], "Flop [2c Qd Qh], {0} (400), {1} (400)", "{1} folds", *ALL_IN[-2:])
    store = store_of([log(("X", "Y"), ALL_IN, folded)])
    hands = luck.hands(store).sort("hand_index", "seat")
    stacks = hands.filter(pl.col("hand_index") == 1)["all_in_adjusted"].to_list()
    assert stacks == [-400, 400]
    # The flop is worth to Y, who folds, what a showdown before it would have cost.
    (behind,) = rows(store, "select all_in from luck_terms where hand_index = 1 and delta < 0")[0]
    assert behind > 400
    # A hand that was shown down is worth its equity before the flop.
    assert -400 < hands["all_in_adjusted"][1] < 400 and hands["all_in_adjusted"][1] > -200


def test_free_folds_are_deviations_of_the_player_who_folds(store_of: MakeStore) -> None:
    free = (
        *("{0} calls", "{1} checks", "Flop [2c 7d 8h], {0} (2), {1} (2)", "{1} folds"),
        *("{0} awarded 2", "{1} awarded -2"),
    )
    store = store_of([log(("X", "Y"), free, STEAL)])
    assert rows(store, "select deviation, kind, player, findings, hands, chips from deviations") == [
        ("holdem-mit.free-fold", "legality", "Y", 1, 1, 0)
    ]
    assert rows(store, "select player, free_folds from origins order by 1") == [("X", 0), ("Y", 1)]
    # The fold faced no bet; Y's other decision opened the second hand.
    assert rows(store, "select sum(successes) from fold_frequency where player = 'Y' and street > 0") == [
        (None,)
    ]


def test_the_ledger_adds_up_the_files(store_of: MakeStore) -> None:
    store = store_of([log(("X", "Y"), STEAL), log(("X", "Z"), STEAL, STEAL)])
    found = rows(
        store,
        "select files, matches, hands_seen, hands_stored, hands_rejected from ledger where status = 'ok'",
    )
    assert found == [(2, 2, 3, 3, 0)]
