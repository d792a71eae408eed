"""What a store holds is of one format, which its manifest names."""

from hashlib import blake2b

from railbird.schema.columns import TABLES
from railbird.schema.words import ACTIONS, FLAGS, ORIGINS
from railbird.storage.manifest import FORMAT


def test_what_lies_on_disk_is_of_the_format() -> None:
    """Whoever changes this changes what stores hold: FORMAT is to grow."""
    columns = [
        (table, [(column.name, str(column.type)) for column in TABLES[table]]) for table in sorted(TABLES)
    ]
    digest = blake2b(repr((columns, FLAGS, ACTIONS, ORIGINS)).encode(), digest_size=8).hexdigest()
    assert (FORMAT, digest) == (6, "4180265128951d6c")
