"""Results of long programmes, kept a line each, and tables written into a page between two marks.

A result is of the code that made it: with other code it is played again, so that a table is never of two.
"""

import json
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]


def code_of(folders: Iterable[str]) -> str:
    """Twelve digits that tell the Python and SQL files of folders (and single files) of the project as they are now."""
    digest = sha256()
    for folder in folders:
        place = ROOT / folder
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.suffix in {".py", ".sql"}:
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


class Kept:
    """The results in a file.

    rows  those of today's code, each without its mark of the code
    """

    def __init__(self, path: Path, folders: Iterable[str]) -> None:
        """Read a file if there is one; says how many of its results are of other code and are left out.

        folders  whose code makes a result what it is
        """
        self.path, self.code = path, code_of(folders)
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        self.rows: list[dict[str, Any]] = [
            {key: value for key, value in row.items() if key != "code"}
            for row in lines
            if row.get("code") == self.code
        ]
        if len(lines) > len(self.rows):
            print(f"{path}: {len(lines) - len(self.rows)} results are of other code", file=sys.stderr)

    def add(self, row: dict[str, Any]) -> None:
        """Keep one more result."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.rows.append(row)
        with self.path.open("a") as file:
            file.write(json.dumps(row | {"code": self.code}) + "\n")


def write_between(page: Path, begin: str, end: str, text: str) -> None:
    """Replace what stands between two marks of a page.

    ValueError  the page lacks a mark
    """
    whole = page.read_text()
    before, found, rest = whole.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{page} has no {begin} ... {end}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}")
