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
