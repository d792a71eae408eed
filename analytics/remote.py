"""Parts that lie in a bucket, for DuckDB: an Arrow dataset over them.

DuckDB's own reader of buckets is an extension that is downloaded when first used. It hands a dataset the columns
that a query reads and the rows it wants, so that row groups without these are not fetched.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyarrow import dataset, fs

from ..schema.columns import plain
from ..storage.locations import Place
from ..storage.manifest import Part

if TYPE_CHECKING:
    from ..storage.locations import Bucket


class _Parts(fs.FileSystemHandler):  # type: ignore[misc]
    """A store's parts by name, to be read alone, wherever each lies when it is opened: writers move them."""

    def __init__(self, place: "Bucket") -> None:
        self.place = place

    def open_input_file(self, path: str) -> Any:
        """A part."""
        return self.place.open(path)

    def open_input_stream(self, path: str) -> Any:
        """A part."""
        return self.place.open(path)

    def get_type_name(self) -> str:
        """What Arrow calls it."""
        return "railbird"

    def normalize_path(self, path: str) -> str:
        """The name of a part is its only one."""
        return path

    def get_file_info(self, paths: list[str]) -> list[Any]:
        """That they are files."""
        return [fs.FileInfo(path, fs.FileType.File) for path in paths]

    def _unasked(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("parts are only read here")

    copy_file = create_dir = delete_dir = delete_dir_contents = delete_file = delete_root_dir_contents = (
        _unasked
    )
    get_file_info_selector = move = open_append_stream = open_output_stream = _unasked


def dataset_of(place: Place, parts: Sequence[Part]) -> dataset.Dataset:
    """Parts of one table as a dataset; nothing is read yet."""
    from ..storage.locations import Bucket

    assert isinstance(place, Bucket)
    ahead = dataset.ParquetFragmentScanOptions(pre_buffer=True)
    return dataset.FileSystemDataset.from_paths(
        [part.name for part in parts],
        schema=plain(parts[0].table),
        format=dataset.ParquetFileFormat(default_fragment_scan_options=ahead),
        filesystem=fs.PyFileSystem(_Parts(place)),
    )
