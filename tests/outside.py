"""railbird as somebody else's code uses it: `mypy --strict` checks the types, and Python runs it on a store.

`make lint` checks it with the other tests; `make release` checks and runs it where only the wheel is installed.
"""

import sys
from typing import assert_type

import duckdb
import polars as pl

import railbird as rb


def main(place: str) -> None:
    """Ask a store the questions of the API that need no name."""
    assert_type(rb.__version__, str)
    store = rb.open(place)
    frames = [
        assert_type(rb.bankroll(store), pl.DataFrame),
        assert_type(rb.luck(store), pl.DataFrame),
        assert_type(rb.stats(store), pl.DataFrame),
        assert_type(rb.standings(store), pl.DataFrame),
        assert_type(rb.verify(store), pl.DataFrame),
        assert_type(rb.hands(store), pl.DataFrame),
        assert_type(rb.games(), pl.DataFrame),
        assert_type(rb.sql(store, "select * from hands"), pl.DataFrame),
    ]
    assert_type(store.sql("select count(*) from hands"), duckdb.DuckDBPyRelation)
    print(rb.__version__, [frame.height for frame in frames])


if __name__ == "__main__":
    main(sys.argv[1])
