"""Plots drawn by processes of their own: matplotlib takes longer over a picture than all else over its page.

`python -m railbird.reports.site.drawing` reads (curve, folder) pairs, pickled, from its standard input until that
ends, and writes FOLDER/MATCH.svg and .png. A pool that forks would hang once Polars is imported, and one that spawns
would run the caller's script again.
"""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Final

from .. import plots
from ..curves import Curve

FORMS: Final = ("svg", "png")
DRAWN_ALONE: Final = 16
"""Up to so many plots are drawn in the process itself: a new one takes a second to begin."""


def draw(curve: Curve, folder: Path) -> None:
    """Write the pictures of a match."""
    for form, picture in plots.pictures(curve, FORMS).items():
        (folder / f"{curve.match.match_id}.{form}").write_bytes(picture)


class Painters:
    """Draws curves into a folder, with help where there are many; all are there when the block ends.

    OSError where the pictures cannot be written.
    """

    def __init__(self, folder: Path, count: int) -> None:
        """For about so many plots."""
        self.folder = folder
        self._workers: list[subprocess.Popen[bytes]] = []
        if count > DRAWN_ALONE:
            command = [sys.executable, "-m", __name__]
            self._workers = [
                subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(min(os.cpu_count() or 1, 8))
            ]
        self._given = 0

    def draw(self, curve: Curve) -> None:
        """Draw a match, now or soon; waits while the helpers are far behind."""
        if not self._workers:
            draw(curve, self.folder)
            return
        worker = self._workers[self._given % len(self._workers)]
        self._given += 1
        assert worker.stdin is not None
        try:
            pickle.dump((curve, self.folder), worker.stdin)
        except BrokenPipeError:
            self._end()

    def __enter__(self) -> "Painters":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(raised=kind is not None)

    def _end(self, raised: bool = False) -> None:
        workers, self._workers = self._workers, []
        for worker in workers:
            assert worker.stdin is not None
            try:
                worker.stdin.close()
            except BrokenPipeError:
                continue
        if any([worker.wait() for worker in workers]) and not raised:
            raise OSError(f"the plots could not be drawn into {self.folder}")


def main() -> None:
    """Draw what comes."""
    while True:
        try:
            curve, folder = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        draw(curve, folder)


if __name__ == "__main__":
    main()
