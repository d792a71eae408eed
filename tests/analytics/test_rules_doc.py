"""The tables of docs/rules-and-deviations.md that the code knows, held against it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from railbird.replay.findings import RULES
from railbird.tools import corpus_pages, rules_doc
from railbird.tools.schema_doc import between, table
from railbird.variants.registry import GAMES

TEXT = rules_doc.PAGE.read_text()
DEVIATIONS = {deviation.name: deviation for game in GAMES for deviation in game.deviations}


def cells(marks: tuple[str, str]) -> list[list[str]]:
    """The rows of the table between two marks of the page, names without their backquotes."""
    lines = TEXT.partition(marks[0])[2].partition(marks[1])[0].strip().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_page_is_as_it_would_be_written_now() -> None:
    assert rules_doc.page(TEXT) == TEXT, "run python -m railbird.tools.rules_doc"


def test_every_rule_has_one_row_with_its_kind_and_its_words() -> None:
    told = {
        name.strip("`"): (kind, words.replace("`", "")) for _, name, kind, _, words in cells(rules_doc.CHECKS)
    }
    assert len(cells(rules_doc.CHECKS)) == len(told)
    assert told == {
        rule.name: (
            rule.kind + ", structure" * rule.structure,
            rule.message.replace("{", "").replace("}", ""),
        )
        for rule in RULES
    }


def test_every_deviation_has_one_row_with_what_the_game_says_of_it() -> None:
    rows = cells(rules_doc.DEVIATIONS)
    told = {name.strip("`"): rest for name, *rest in rows}
    assert len(rows) == len(told)
    for name, deviation in DEVIATIONS.items():
        row = told.get(name) or told[f"GAME.{name.partition('.')[2]}"]
        assert row == [deviation.kind, deviation.since, deviation.until, deviation.effect]
    assert told.keys() <= {*DEVIATIONS, "GAME.stakes"}


def test_a_rule_is_marked_where_one_family_alone_has_it() -> None:
    only = {name.strip("`"): family for _, name, _, family, _ in cells(rules_doc.CHECKS)}
    assert (only["paid"], only["spent"], only["score"]) == ("koper", "blotto", "acpc")
    # Of several families; of the heads-up games; of Blotto, which calls what the heads-up games do, too.
    assert {only["award"], only["hit-order"], only["rotation"]} == {""}


def test_what_the_page_calls_a_deviation_is_one() -> None:
    games = "|".join(re.escape(game.name) for game in GAMES)
    assert {*re.findall(rf"`((?:{games})\.[\w-]+)`", TEXT)} <= DEVIATIONS.keys()


def test_the_counts_give_each_deviation_the_kind_it_has() -> None:
    counted = cells((corpus_pages.BEGIN, corpus_pages.END))
    assert len(counted) > 10
    assert len({names for names, *_ in counted}) == len(counted)
    for names, kind, *_ in counted:
        assert {DEVIATIONS[name].kind for name in names.replace("`", "").split(" + ")} == {kind}


def test_what_was_altered_by_hand_is_put_right(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(
        TEXT.replace("bet of `logged`, the minimum", "bet").replace("| a bet below", "| A bet below")
    )
    assert path.read_text() != TEXT
    rules_doc.main(path)
    assert path.read_text() == TEXT


@pytest.mark.parametrize("text", ["Nothing here.", "<!-- begin -->", "<!-- end --> <!-- begin -->"])
def test_a_page_without_marks_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no marks"):
        between(text, "<!-- begin -->", "<!-- end -->", "| a |")


def test_a_bar_in_a_cell_ends_no_column() -> None:
    assert table(("a",), [("x|y",)]) == "| a |\n| --- |\n| x\\|y |"
