"""Verdicts of findings and hands, and the choice of a profile, from rows written by hand."""

import numpy as np

from railbird.replay import findings, records
from railbird.replay.games import UNEXPLAINED
from railbird.replay.records import DAMAGED, DEVIATION, OK, UNVERIFIED, VIOLATION
from railbird.replay.verdicts import choose_profile, count_missed, give_verdicts


def judged(
    *found: tuple[int, int, int], explained: dict[int, int] | None = None, many_lines: bool = True
) -> tuple[list[int], list[int], list[int]]:
    """Verdicts of hands that begin at lines 10, 20, 30 and of findings (hand, line, rule); the hands' deviations."""
    hands, rows, used = (
        np.zeros(3, records.HAND),
        np.zeros(len(found), records.FINDING),
        np.zeros(records.USED_SIZE, np.int64),
    )
    hands["line"], hands["verdict"], hands["deviations"] = (10, 20, 30), DAMAGED, 9
    for place, (hand, line, rule) in enumerate(found):
        row = findings.find(rows, used, hand, line, -1, rule, 0.0, 0.0)
        rows["explained"][row] = (explained or {}).get(place, findings.NO_EXPLANATION)
    give_verdicts(hands, 0, 3, rows, 0, len(found), 1, many_lines)
    return hands["verdict"].tolist(), rows["verdict"].tolist(), hands["deviations"].tolist()


def test_a_rule_says_what_its_findings_are() -> None:
    hands, rows, _ = judged(
        (0, 11, findings.AWARD), (1, 21, findings.UNKNOWN_GAME), (2, 31, findings.MISPLACED)
    )
    assert hands == rows == [VIOLATION, UNVERIFIED, DAMAGED]
    assert judged()[0] == [OK, OK, OK]


def test_damage_explains_what_else_is_found_in_its_hand() -> None:
    hands, rows, _ = judged((0, 11, findings.AWARD), (0, 12, findings.MISPLACED), (1, 21, findings.AWARD))
    assert hands == [DAMAGED, VIOLATION, OK]
    assert rows == [DAMAGED, DAMAGED, VIOLATION]


def test_a_marker_above_a_hand_excuses_nothing_in_it() -> None:
    hands, rows, _ = judged((1, 19, findings.MARKER), (1, 21, findings.AWARD), (2, 29, findings.MARKER))
    assert hands == [OK, VIOLATION, DAMAGED]
    assert rows == [DAMAGED, VIOLATION, DAMAGED]


def test_lines_of_another_log_may_begin_in_the_hand_before() -> None:
    found = (0, 11, findings.AWARD), (1, 20, findings.SEQUENCE)
    assert judged(*found)[:2] == ([DAMAGED, DAMAGED, OK], [DAMAGED, DAMAGED])
    assert judged(*found, many_lines=False)[:2] == ([VIOLATION, DAMAGED, OK], [VIOLATION, DAMAGED])
    assert judged((0, 10, findings.SEQUENCE))[0] == [DAMAGED, OK, OK]


def test_what_the_chosen_profile_explains_is_its_deviation() -> None:
    by_second, by_first = UNEXPLAINED | 5 << 8, 5 | UNEXPLAINED << 8
    hands, rows, deviations = judged(
        (0, 11, findings.AWARD), (1, 21, findings.AWARD), explained={0: by_second, 1: by_first}
    )
    assert hands == [*rows, OK] == [DEVIATION, VIOLATION, OK]
    assert deviations == [5, 0, 0]


def test_the_latest_profile_that_leaves_fewest_unexplained_is_chosen() -> None:
    match = np.zeros(1, records.MATCH)[0]
    missed = np.zeros(3, np.int64)
    rows = np.zeros(3, records.FINDING)
    rows["explained"] = (UNEXPLAINED, UNEXPLAINED, findings.NO_EXPLANATION)
    rows["rule"] = (findings.RUN_WON, findings.AWARD, findings.AWARD)
    count_missed(rows, 0, 3, 3, findings.AWARD, missed)
    assert missed.tolist() == [1, 0, 0]
    assert choose_profile(missed, 3, 0, match) == 2
    assert match["ties"] == 0b110
    # Those whose logs have other lines than this one are passed over, as long as one fits.
    assert choose_profile(missed, 3, 0b001, match) == 0
    assert match["ties"] == 0b001
