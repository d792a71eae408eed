from pathlib import Path
from typing import Any

import duckdb
import pytest

from regress.compare import ROWS, Compared, Difference, compare_folders, read_expected
from regress.dump import page_rows, rows_of

NOTHING = read_expected("")


def write(folder: Path, name: str, query: str) -> None:
    folder.mkdir(exist_ok=True)
    duckdb.execute(f"copy ({query}) to '{folder / name}.parquet' (format parquet)")


def compared(folder: Path, old: str, new: str, listed: str = "") -> tuple[dict[str, int], list[str]]:
    write(folder / "old", "hands", old)
    write(folder / "new", "hands", new)
    expected = read_expected(listed)
    found = compare_folders(folder / "old", folder / "new", expected)
    return {each.column: each.rows for each in found}, [str(entry) for entry in expected.stale]


@pytest.mark.parametrize(
    ("old", "new", "differing"),
    [
        ("values (1, 'a'), (2, 'b')", "values (2, 'b'), (1, 'a')", {}),
        ("values (1, 'a'), (2, 'b')", "values (1, 'a'), (2, 'c')", {"col1": 1}),
        ("values (1, 'a'), (2, 'b')", "values (1, 'a')", {ROWS: 1}),
        ("values (1, 'a')", "values (1, 'a'), (2, 'b')", {ROWS: 1}),
        ("values (1, 'a')", "values (1, null)", {"col1": 1}),
        ("values (1, null)", "values (1, null)", {}),
        ("values (1, 1e6::double)", "values (1, 1e6::double + 1e-4)", {}),
        ("values (1, 1e6::double)", "values (1, 1e6::double + 1e-2)", {"col1": 1}),
        ("values (1, 0.5::double)", "values (1, 'nan'::double)", {"col1": 1}),
        ("values (1, 'nan'::double)", "values (1, 'nan'::double)", {}),
        ("values (1, 0.5::double)", "values (1, null::double)", {"col1": 1}),
        ("values (1, 'inf'::double)", "values (1, 1::double)", {"col1": 1}),
        # A number of one side may be a float, or a text, of the other.
        ("values (1, 5)", "values (1, 5.0::double)", {}),
        ("values (18446744073709551615::ubigint, 5)", "values ('18446744073709551615', 5)", {}),
        ("values (18446744073709551615::ubigint, 5)", "values ('18446744073709551614', 5)", {ROWS: 2}),
        ("values (1, [0.5::double, 1])", "values (1, [0.5::double + 1e-12, 1])", {}),
        ("values (1, [0.5::double, 1])", "values (1, [0.5::double, 2])", {"col1": 1}),
        ("values (1, [0.5::double, 1])", "values (1, [0.5::double])", {"col1": 1}),
        ("values (1, []::double[])", "values (1, []::double[])", {}),
        ("values (1, null::double[])", "values (1, []::double[])", {"col1": 1}),
        ("values (1, ['Ah', 'Kd'])", "values (1, ['Ah', 'Kc'])", {"col1": 1}),
        (
            "values (1, {'kk': 0.5::double, 'n': 1})",
            "values (1, {'kk': 0.6::double, 'n': 1})",
            {"col1.kk": 1},
        ),
        # No columns tell these rows apart.
        ("values ('a', 1::double), ('a', 2::double)", "values ('a', 2::double), ('a', 1 + 1e-12)", {}),
        (
            "values ('a', 1::double), ('a', 2::double)",
            "values ('a', 2::double), ('a', 3::double)",
            {"col1": 2},
        ),
        ("values ('a'), ('a')", "values ('a')", {ROWS: 1}),
        ("values (0.5::double)", "values (0.7::double)", {"col0": 1}),
    ],
)
def test_rows_are_compared_whatever_their_order(
    old: str, new: str, differing: dict[str, int], tmp_path: Path
) -> None:
    assert compared(tmp_path, f"from ({old})", f"from ({new})") == (differing, [])


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("61.2 46.1 10", "61.3 46.1 10", True),
        ("\u22121,061.25", "\u22121,061.24", True),
        ("61.2 46.1 10", "61.4 46.1 10", False),
        ("61.2 46.1 10", "61.3 46.1 11", False),
        ("61.2 46.1", "61.2 46.1 10", False),
        ("61.2", "61.25", False),
        ("61.2", "61", False),
        ("61.2", "\u221261.2", False),
        ("10", "11", False),
    ],
)
def test_a_printed_number_may_be_rounded_otherwise(old: str, new: str, same: bool, tmp_path: Path) -> None:
    was, now = (f"select 'a.html' as page, '{text}' as numbers" for text in (old, new))
    assert compared(tmp_path, was, now) == ({} if same else {"numbers": 1}, [])


def test_a_sentence_is_compared_for_being_there(tmp_path: Path) -> None:
    old = "select 1 as match_id, 'so' as message"
    assert compared(tmp_path, old, "select 1 as match_id, 'otherwise' as message") == ({}, [])
    assert compared(tmp_path, old, "select 1 as match_id, '' as message") == ({"message": 1}, [])


def test_what_is_gone_is_told_and_what_is_new_is_not(tmp_path: Path) -> None:
    assert compared(tmp_path, "select 1 as a, 2 as b", "select 1 as a, 3 as c") == ({"b": 0}, [])
    write(tmp_path / "was", "seats", "select 1 as a")
    write(tmp_path / "now", "chairs", "select 1 as a")
    found = compare_folders(tmp_path / "was", tmp_path / "now", NOTHING)
    assert [str(each) for each in found] == ["seats.(rows): 0 rows differ\n    new: it is not there"]


def test_a_view_that_fails_in_the_new_version_is_told(tmp_path: Path) -> None:
    write(tmp_path / "old", "seats", "select 1 as a")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "seats.failed").write_text("Binder Error: no such column\nmore")
    (found,) = compare_folders(tmp_path / "old", tmp_path / "new", NOTHING)
    assert found == Difference("seats", ROWS, 0, ["new: Binder Error: no such column"])


OLD = "select * from (values (1, 'ok', 5), (2, 'damaged', 6), (3, 'damaged', 7)) as t (hand, verdict, pot)"
NEW = "select * from (values (1, 'ok', 5), (2, 'violation', 6), (3, 'ok', 8)) as t (hand, verdict, pot)"


def listed(**entry: str) -> str:
    return "[[expected]]\n" + "\n".join(f'{key} = "{value}"' for key, value in entry.items())


CHANGING = "[[changing]]\nlogs = 'koper/*'\ndiffer = ['hands.*']\nreason = 'meant'"


@pytest.mark.parametrize(
    ("entry", "differing", "stale"),
    [
        ({}, {"verdict": 2, "pot": 1}, 0),
        ({"column": "verdict"}, {"pot": 1}, 0),
        ({"column": "verdict", "rows": "new.verdict = 'violation'"}, {"verdict": 1, "pot": 1}, 0),
        ({"column": "verdict", "rows": "old.pot = 6 and new.pot = 6"}, {"verdict": 1, "pot": 1}, 0),
        ({"column": "v*"}, {"pot": 1}, 0),
        ({"column": "*"}, {}, 0),
        ({"column": "hand"}, {"verdict": 2, "pot": 1}, 1),
        ({"column": "verdict", "rows": "old.verdict = 'unverified'"}, {"verdict": 2, "pot": 1}, 1),
        # A condition that is null covers nothing.
        ({"column": "verdict", "rows": "null"}, {"verdict": 2, "pot": 1}, 1),
    ],
)
def test_the_list_covers_what_it_says_and_an_entry_that_covers_nothing_is_told(
    entry: dict[str, str], differing: dict[str, int], stale: int, tmp_path: Path
) -> None:
    text = listed(relation="hands", reason="meant", **entry) if entry else ""
    found, told = compared(tmp_path, OLD, NEW, text)
    assert (found, len(told)) == (differing, stale)


def test_an_entry_about_another_relation_covers_nothing_and_is_not_told(tmp_path: Path) -> None:
    found, told = compared(tmp_path, OLD, NEW, listed(relation="seats", reason="meant"))
    assert (found, told) == ({"verdict": 2, "pot": 1}, [])


@pytest.mark.parametrize(
    ("logs", "kind", "text", "differing", "stale"),
    [
        ("koper", "steady", listed(relation="hands", logs="koper", reason="meant"), 0, 0),
        ("acpc", "steady", listed(relation="hands", logs="koper", reason="meant"), 2, 0),
        ("koper", "steady", listed(relation="hands", logs="k*", column="pot", reason="meant"), 1, 0),
        ("koper", "changing", CHANGING, 0, 0),
        ("koper", "steady", CHANGING, 2, 0),
        ("acpc", "changing", CHANGING, 2, 0),
    ],
)
def test_the_list_speaks_of_the_logs_that_it_names(
    logs: str, kind: str, text: str, differing: int, stale: int, tmp_path: Path
) -> None:
    write(tmp_path / "old", "hands", OLD)
    write(tmp_path / "new", "hands", NEW)
    expected = read_expected(text)
    found = compare_folders(tmp_path / "old", tmp_path / "new", expected, logs, kind)
    assert (len(found), len(expected.stale)) == (differing, stale)


def test_what_was_compared_is_counted(tmp_path: Path) -> None:
    write(tmp_path / "old", "hands", OLD)
    write(tmp_path / "new", "hands", "select 1 as hand, 'ok' as verdict, true as fresh")
    write(tmp_path / "old", "seats", "select 1 as a")
    write(tmp_path / "new", "seats", "select 1 as a")
    compared = Compared()
    for _ in range(2):
        compare_folders(tmp_path / "old", tmp_path / "new", NOTHING, compared=compared)
    assert str(compared) == "0 logs, 2 relations, views and commands, 3 columns of them, 8 rows, 14 values"


def test_a_difference_is_told_with_its_rows(tmp_path: Path) -> None:
    write(tmp_path / "old", "hands", OLD)
    write(tmp_path / "new", "hands", NEW)
    found = compare_folders(tmp_path / "old", tmp_path / "new", NOTHING)
    assert str(found[0]) == (
        "hands.verdict: 2 rows differ\n    hand=2: damaged -> violation\n    hand=3: damaged -> ok"
    )


@pytest.mark.parametrize(
    "text",
    [
        listed(relation="hands"),
        listed(relation="hands", reason=""),
        listed(relation="hands", reason="meant", colum="verdict"),
        listed(column="verdict", reason="meant"),
        "[[changing]]\nlogs = 'acpc/*'",
        "[[expect]]\nrelation = 'hands'",
    ],
)
def test_a_list_that_lacks_a_reason_or_has_other_words_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_expected(text)


def test_logs_that_change_are_known_by_their_paths() -> None:
    expected = read_expected("[[changing]]\nlogs = 'acpc/made/*'\nreason = 'their stakes are found'")
    assert expected.is_changing("acpc/made/deep/a.log")
    assert not expected.is_changing("acpc/real/a.log")


def test_the_list_of_the_repository_can_be_read() -> None:
    read_expected((Path(__file__).parent / "expected.toml").read_text())


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ([{"a": 1, "b": [2, 3]}], [{"a": 1, "b": "[2, 3]"}]),
        ([{"match_id": 2**63, "n": 5}], [{"match_id": str(2**63), "n": 5}]),
        ({"a": {"b": [0.5, "x"]}}, [(".a.b[0]", None, 0.5), (".a.b[1]", "x", None)]),
    ],
)
def test_the_json_of_a_command_becomes_rows(value: Any, rows: list[Any]) -> None:
    named = [
        dict(zip(("way", "text", "number"), row, strict=True)) if isinstance(row, tuple) else row
        for row in rows
    ]
    assert rows_of(value) == named


def test_the_numbers_of_a_page_are_those_of_its_tables_cells(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        "<p>7</p><table><tr><th>Hands</th><th>VPIP</th></tr>"
        "<tr><td>1,200</td><td>34.5% <i>± 2.1</i></td></tr></table><table><tr><td>Ann</td><td>−5</td></tr></table>"
    )
    assert [tuple(row.values()) for row in page_rows(tmp_path)] == [
        ("index.html", 0, 1, 0, "1,200"),
        ("index.html", 0, 1, 1, "34.5 2.1"),
        ("index.html", 1, 0, 1, "−5"),
    ]
