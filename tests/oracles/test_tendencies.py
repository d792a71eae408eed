"""The statistics of the oracle on hands made for the purpose."""

from __future__ import annotations

import pytest

from oracles import tendencies
from oracles.handmade import ALL_IN, FLOP, RIVER, TURN, hand_text, played
from oracles.mit_reader import parse_match

RAISED = ("{0} raises to 6", "{1} calls", FLOP)
THROUGH = (*RAISED, "{1} checks", "{0} checks", TURN)


@pytest.mark.parametrize(
    ("body", "player", "taken", "passed"),
    [
        (["{0} folds"], 0, "", "vpip pfr rfi limp twobet"),
        (["{0} folds"], 1, "", ""),
        (["{0} calls", "{1} checks"], 0, "vpip limp", "pfr rfi twobet"),
        (["{0} calls", "{1} checks"], 1, "", "vpip pfr twobet"),
        (["{0} calls", "{1} raises to 8", "{0} folds"], 1, "vpip pfr twobet", ""),
        (["{0} calls", "{1} raises to 8", "{0} folds"], 0, "vpip limp", "pfr rfi twobet threebet"),
        (["{0} raises to 6", "{1} raises to 20", "{0} folds"], 1, "vpip pfr threebet", ""),
        (["{0} raises to 6", "{1} raises to 20", "{0} folds"], 0,
         "vpip pfr rfi twobet fold_to_3bet", "limp fourbet"),
        (["{0} raises to 6", "{1} raises to 20", "{0} raises to 60", "{1} folds"], 0,
         "vpip pfr rfi twobet fourbet", "limp fold_to_3bet"),
        ([*RAISED, "{1} checks", "{0} bets 6", "{1} folds"], 0, "cbet_flop", ""),
        ([*RAISED, "{1} checks", "{0} bets 6", "{1} folds"], 1, "fold_to_cbet", "donk check_raise"),
        ([*RAISED, "{1} checks", "{0} bets 6", "{1} raises to 18", "{0} folds"], 1, "check_raise",
         "donk fold_to_cbet"),
        ([*RAISED, "{1} bets 4", "{0} folds"], 1, "donk", ""),
        ([*RAISED, "{1} bets 4", "{0} folds"], 0, "", "check_raise=None cbet_flop=None"),
        ([*RAISED, "{1} checks", "{0} bets 6", "{1} calls", TURN, "{1} checks", "{0} bets 9", "{1} calls",
          RIVER, "{1} checks", "{0} checks"], 0, "cbet_flop cbet_turn", "cbet_river"),
        ([*RAISED, "{1} checks", "{0} bets 6", "{1} calls", TURN, "{1} bets 9", "{0} folds"], 0, "cbet_flop",
         "cbet_turn=None delayed_cbet=None"),
        ([*THROUGH, "{1} bets 4", "{0} folds"], 1, "probe", "donk delayed_cbet=None"),
        ([*THROUGH, "{1} bets 4", "{0} folds"], 0, "", "cbet_flop delayed_cbet=None probe=None"),
        ([*THROUGH, "{1} checks", "{0} bets 4", "{1} folds"], 0, "delayed_cbet", "cbet_flop cbet_turn=None"),
        ([*ALL_IN, "{1} checks", "{0} folds"], 0, "vpip saw_flop", "cbet_flop=None delayed_cbet=None wtsd"),
        (["{0} attempted illegal RaiseAction", "{0} folds"], 0, "", "vpip=None pfr=None rfi=None"),
    ],
)  # fmt: skip
def test_statistics_of_hand_made_hands(body: list[str], player: int, taken: str, passed: str) -> None:
    """`taken`: chances taken; `passed`: chances not taken, or `=None` for no chance at all."""
    hand = played(*body)
    assert not hand["unknown"]
    found = {name: statistic(hand, player) for name, statistic in tendencies.TENDENCIES.items()}
    for name in taken.split():
        assert found[name] is True, name
    for name in passed.split():
        assert found[name.removesuffix("=None")] is (None if name.endswith("=None") else False), name


def test_showdown_statistics_keep_ties_apart() -> None:
    checks = ["{1} checks", "{0} checks"]
    body = [*RAISED, *checks, TURN, *checks, RIVER, *checks, "{0} shows [Ah Kd]", "{1} shows [Qs 9s]"]
    names = ("wtsd", "won_showdown", "tied_showdown", "wwsf")
    won = played(*body)
    assert [tendencies.TENDENCIES[name](won, 0) for name in names] == [True, True, False, True]
    assert [tendencies.TENDENCIES[name](won, 1) for name in names] == [True, False, False, False]
    tied = played(*[line.replace("2c 7d 8h Jc 3s", "Tc Js Qd Kh As") for line in body])
    assert [tendencies.TENDENCIES[name](tied, 1) for name in names] == [True, False, True, False]


def test_responses_and_aggression_count_every_decision() -> None:
    hand = played(*RAISED, "{1} bets 6", "{0} raises to 24", "{1} folds")
    assert tendencies.responses(hand, 0) == [(0, "SB", "raise", 0.5), (1, "SB", "raise", 0.5)]
    assert tendencies.responses(hand, 1) == [(0, "BB", "call", 1.0), (1, "BB", "fold", 0.75)]
    assert tendencies.aggression(hand, 0) == {"raise": 1}
    assert tendencies.aggression(hand, 1) == {"bet": 1, "fold": 1}


def test_rates_add_up_by_opponent_and_by_seat_of_equal_names() -> None:
    texts = [
        "\n\n".join(
            [f"6.176 MIT Pokerbots - {a} vs {b}", hand_text(1, (a, b), "{0} raises to 6", "{1} folds")]
        )
        for a, b in (("X", "Y"), ("X", "Y"), ("Z", "X"), ("T", "T"))
    ]
    matches = [parse_match(text) for text in texts]
    x, y, z = (tendencies.Player(name, None) for name in "XYZ")
    rates = tendencies.rates(matches)
    assert rates[x, y, "rfi"] == (2, 2)
    assert rates[x, z, "threebet"] == (1, 0)
    assert rates[tendencies.Player("T", 0), tendencies.Player("T", 1), "vpip"] == (1, 1)
    assert tendencies.folds_to_bets(matches)[y, x, 0, "BB"] == (2, 2)
    assert tendencies.aggression_counts(matches)[x, y] == {}
