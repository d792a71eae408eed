"""Hands of the poker hand history format: what winners may be paid, and hands that cannot be read."""

from pathlib import Path

import pytest

from railbird.analytics.store import open_store
from railbird.ingest import ingest

HAND = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [5000, 5000]
winnings = [{winnings}]
players = ['a', 'b']
actions = ['d dh p1 AhKh', 'd dh p2 2c2d', 'p2 cc', 'p1 cc', 'd db 3s4s9d', 'p1 cc', 'p2 cc', 'd db Ts', \
'p1 cc', 'p2 cc', 'd db Jc', 'p1 cc', 'p2 cc', 'p1 sm AhKh', 'p2 sm 2c2d']
"""


@pytest.mark.parametrize(
    ("winnings", "verdict", "rake"),
    [
        ("0, 200", "ok", 0),
        ("0, 190", "ok", 10),
        ("0, 250", "engine_deviation", 0),
        ("0, 150", "engine_deviation", 0),
        ("200, 0", "violation", 0),
        ("190, 0", "violation", 0),
        ("100, 100", "violation", 0),
    ],
)
def test_a_room_may_take_a_tenth_but_not_pay_another(
    tmp_path: Path, winnings: str, verdict: str, rake: int
) -> None:
    log = tmp_path / "hand.phh"
    log.write_text(HAND.format(winnings=winnings))
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        rows = store.execute("select verdict, rake from hands").fetchall()
    assert [row[0] for row in rows] == [verdict]
    assert verdict != "ok" or rows[0][1] == rake


def test_a_file_that_is_refused_names_its_line_once(tmp_path: Path) -> None:
    log = tmp_path / "hand.phh"
    log.write_text(HAND.format(winnings="0, 200").replace("'NT'", "'KUHN'"))
    (complaint,) = ingest([log], tmp_path / "store").complaints
    assert complaint == f"{log}: line 1: variant KUHN"


RAISED = """\
variant = '{variant}'
antes = [0, 0, 0, 0]
blinds_or_straddles = [{blinds}]
{bets}
starting_stacks = [5000, 5000, 5000, 5000]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'd dh p4 ????', {actions}]
"""
NO_LIMIT, FIXED = "min_bet = 100", "small_bet = 100\nbig_bet = 200"
WAR = "'p3 cbr 200', 'p4 cbr 300', 'p1 cbr 400', 'p2 cbr 500', "


@pytest.mark.parametrize(
    ("variant", "blinds", "bets", "actions", "rules"),
    [
        ("NT", "50, 100, 200, 0", NO_LIMIT, "'p4 cbr 400', 'p1 f', 'p2 f', 'p3 f'", []),
        ("NT", "50, 100, 200, 0", NO_LIMIT, "'p4 cbr 300', 'p1 f', 'p2 f', 'p3 f'", ["too-small"]),
        # Another player who posts a big blind straddles nothing, and opens nothing where it stands below zero.
        ("NT", "50, 100, 0, -100", NO_LIMIT, "'p3 cbr 200', 'p4 f', 'p1 f', 'p2 f'", []),
        ("FT", "50, 100, 0, 0", FIXED, WAR + "'p3 f', 'p4 f', 'p1 f'", []),
        ("FT", "50, 100, 0, 0", FIXED, WAR + "'p3 cbr 600', 'p4 f', 'p1 f', 'p2 f'", ["raise"]),
    ],
)
def test_straddles_enlarge_the_least_raise_and_limits_have_a_cap(
    tmp_path: Path, variant: str, blinds: str, bets: str, actions: str, rules: list[str]
) -> None:
    log = tmp_path / "hand.phh"
    log.write_text(RAISED.format(variant=variant, blinds=blinds, bets=bets, actions=actions))
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        found = store.execute("select rule from findings where rule <> 'no-result' order by line").fetchall()
    assert [rule for (rule,) in found] == rules
