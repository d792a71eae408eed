"""Parts that lie in a bucket, for DuckDB: an Arrow dataset over them.

DuckDB's own reader of buckets is an extension that is downloaded when first used. It hands a dataset the columns
that a query reads and the rows it wants, so that row groups without these are not fetched.
"""

from collections.abc import Sequence

from pyarrow import dataset

from ..schema.columns import plain
from ..storage.manifest import Part
from ..storage.place import Place


def dataset_of(place: Place, parts: Sequence[Part]) -> dataset.Dataset:
    """Parts of one table and kind as a dataset; nothing is read yet."""
    from ..storage.bucket import Bucket

    assert isinstance(place, Bucket)
    first = parts[0]
    ahead = dataset.ParquetFragmentScanOptions(pre_buffer=True)
    return dataset.FileSystemDataset.from_paths(
        [f"{place.path}/{part.name}" for part in parts],
        schema=plain(first.table, *first.kind),
        format=dataset.ParquetFileFormat(default_fragment_scan_options=ahead),
        filesystem=place.client,
    )
