"""Ids are text wherever a program reads them: a 64-bit number survives neither JavaScript nor a spreadsheet."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Run

from railbird.analytics.settings import Kind
from railbird.analytics.store import Store
from railbird.reports import Format, terminal

SAFE = 2**53
COMMANDS = (
    ("bankroll",),
    ("verify",),
    ("stats", "--show", "drift"),
    ("stats", "--show", "winnings"),
    ("opponent", "Rook", "--event", "bounty"),
    *(("audit", kind) for kind in (Kind.FINDINGS, Kind.DEALS, Kind.WINNERS, Kind.GAINS)),
)


def numbers(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every number of a JSON document, and the name it goes by."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from numbers(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from numbers(item, name)
    elif isinstance(value, int | float):
        yield name, value


def held(text: str) -> list[Any]:
    """The numbers of a JSON text that are ids, or that JavaScript would round."""
    document = json.loads(text)
    assert document
    return [
        (name, number)
        for name, number in numbers(document)
        if name.endswith(("_id", "_ids", "_hash")) or abs(number) > SAFE
    ]


@pytest.mark.parametrize("relation", ["files", "matches", "hands", "seats", "actions", "findings"])
def test_ids_of_relations_are_text_and_all_digits_are_there(
    run: Run, sample_store: Store, relation: str
) -> None:
    query = f"select * from {relation} order by all limit 50"
    code, out, err = run("sql", query, "--store", sample_store.path, "--format", "json")
    assert (code, err) == (0, "")
    assert held(out) == []
    key = "file_id" if relation == "files" else "match_id"
    stored = [str(row[0]) for row in sample_store.execute(f"select {key} from ({query})").fetchall()]
    assert [row[key] for row in json.loads(out)] == stored
    assert max(map(int, stored)) > SAFE
    _, out, _ = run("sql", query, "--store", sample_store.path, "--format", "csv")
    assert [row[key] for row in csv.DictReader(io.StringIO(out))] == stored
    assert all(f'"{number}"' in out for number in stored)
    _, out, _ = run("sql", query, "--store", sample_store.path)
    assert all(number in out for number in stored)


@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
def test_no_command_writes_an_id_as_a_number(run: Run, sample_store: Store, command: tuple[str, ...]) -> None:
    code, out, _ = run(*command, "--store", sample_store.path, "--format", "json")
    assert code in (0, 1)
    assert held(out) == []


NESTED = """
    select match_id, [match_id] as listed, {'match': match_id, 'n': 2} as pair, (match_id, 3) as tuple,
        [{'of': [match_id], 'n': 2}] as deep, map {'a': [match_id]} as mapped, array_value(match_id) as fixed,
        match_id::hugeint as huge, match_id::decimal(20, 0) as dec, null::ubigint as none, null::ubigint[] as nones,
        {'match': null::ubigint} as null_within, histogram(5::ubigint) as counts, 7 as number
    from matches group by match_id order by match_id desc limit 1
"""


def test_ids_inside_lists_structs_and_maps_are_text(run: Run, sample_store: Store) -> None:
    ((match_id,),) = sample_store.execute("select max(match_id) from matches").fetchall()
    number = str(match_id)
    expected = {
        "match_id": number,
        "listed": [number],
        "pair": {"match": number, "n": 2},
        "tuple": [number, 3],
        "deep": [{"of": [number], "n": 2}],
        "mapped": {"a": [number]},
        "fixed": [number],
        "huge": number,
        "dec": number,
        "none": None,
        "nones": None,
        "null_within": {"match": None},
        "counts": {"5": 1},
        "number": 7,
    }
    _, out, _ = run("sql", NESTED, "--store", sample_store.path, "--format", "json")
    assert json.loads(out) == [expected]
    _, out, _ = run("sql", NESTED, "--store", sample_store.path, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["match_id"] == row["huge"] == row["dec"] == number
    assert (row["none"], row["nones"], row["number"]) == ("", "", "7")
    for name in ("listed", "pair", "tuple", "deep", "mapped", "fixed"):
        assert json.loads(row[name]) == expected[name]
    _, out, _ = run("sql", NESTED, "--store", sample_store.path)
    assert out.count(number) >= 9


def test_a_small_id_is_text_too() -> None:
    for form, text in (
        (Format.JSON, '[\n{"match_id": "7", "n": 7}\n]\n'),
        (Format.CSV, 'match_id,n\n"7",7\n'),
    ):
        out = io.StringIO()
        terminal.write(terminal.composed(["match_id", "n"], [(7, 7)]), form, out)
        assert out.getvalue() == text


def test_what_is_no_id_is_quoted_where_csv_asks_for_it_alone() -> None:
    rows = [["plain", 'say "hi", all', "two\nlines", "cr\r", True, 1.5, 0.1 + 0.2, None, float("nan"), -3]]
    out = io.StringIO()
    terminal.write(terminal.Answer(list("abcdefghij"), rows), Format.CSV, out)
    assert out.getvalue() == (
        'a,b,c,d,e,f,g,h,i,j\nplain,"say ""hi"", all","two\nlines","cr\r",True,1.5,0.3,,,-3\n'
    )
    out = io.StringIO()
    terminal.write(terminal.Answer(["one"], [[None], ["x"]]), Format.CSV, out)
    assert out.getvalue() == 'one\n""\nx\n'
