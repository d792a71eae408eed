"""Every hand of people's logs, as table lines, against a second reading by the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from oracles.table_hands import hands_in, told
from railbird.parsers import irc, pokernow
from railbird.parsers.irc import Months
from railbird.parsers.records import Record
from railbird.parsers.table_lines import Lines, Table


def tables(path: Path) -> list[Table]:
    """The matches of a table's file, or of a month's list of hands."""
    out = Lines()
    text = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    records = (Record(number, line, str(path)) for number, line in enumerate(text.splitlines(True), 1))
    is_table = path.suffix == ".csv"
    found = (
        pokernow.translate(records, out)
        if is_table
        else irc.translate(records, out, Months((), pytest.fail).of)
    )
    for _ in found:
        continue
    return out.tables


def cases() -> list[Any]:
    from conftest import corpus_root

    root = corpus_root()
    if root is None:
        return [pytest.param("", {}, id="no corpus")]
    said = json.loads((root / "people" / "expected.json").read_text())
    return [pytest.param(name, wanted, id=name) for name, wanted in said.items()]


@pytest.mark.parametrize(("name", "wanted"), cases())
def test_lines_are_legal_and_paid_as_another_program_says(
    name: str, wanted: dict[str, Any], corpus: Path
) -> None:
    hands = paid = hidden = problems = 0
    wrong = []
    for table in tables(corpus / "people" / name):
        for lines in hands_in(table.lines):
            hand = told(lines, 2 if "omaha" in table.engine else 0)
            if not hand.whole:
                continue
            hands += 1
            if hand.reason:
                hidden += 1
                continue
            problems += len(hand.problems)
            if hand.put.total() + hand.dead == hand.paid.total() and len(hand.alive) > 1 and hand.hidden:
                hidden += 1
            elif +hand.shares() == +hand.paid:
                paid += 1
            else:
                wrong.append(int(lines[0][1]))
    assert hands == wanted["hands"]
    assert problems == 0
    assert paid == wanted["paid_as_rules"]
    assert hidden == sum(wanted["unverified"].values())
    assert sorted(wrong) == sorted(hand for said in wanted["deviations"].values() for hand in said["where"])
