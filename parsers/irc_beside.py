"""The files beside a month's list of hands in the IRC poker database: who was dealt in, and what each player did."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from .grammar import number_in
from .irc import Month, Record, record_of
from .sidecar_names import IRC_HANDS, IRC_PLAYERS, IRC_ROSTER, month_of, split
from .sources import Source, SourceError, limits_among, sources
from .unpacking import plain_name


class Months:
    """The files beside lists of hands: among an ingest's inputs, or on disk."""

    def __init__(self, given: Sequence[Source], complain: Callable[[str], None]) -> None:
        """Look through the inputs once, by their paths."""
        self._complain = complain
        self._parts: dict[str, list[Source]] = {}
        self._limits = limits_among(given)
        self._lists = set()
        for source in given:
            folder, name = split(source.path)
            if name == IRC_HANDS:
                self._lists.add(folder)
            elif (month := month_of(source.path)) is not None:
                self._parts.setdefault(month, []).append(source)
        self.beside = lru_cache(1)(self._beside)

    def of(self, path: str) -> Month:
        """What lies beside a list of hands."""
        return self.beside(split(path)[0])

    def is_part(self, source: Source) -> bool:
        """True for a file that lies beside a list of hands, among the inputs or on disk."""
        month = month_of(source.path)
        return month is not None and (month in self._lists or (Path(month) / IRC_HANDS).is_file())

    def _sources(self, month: str) -> Iterator[Source]:
        given = self._parts.get(month, [])
        known = {split(source.path)[1] for source in given}
        yield from given
        folder = Path(month or ".")
        paths = [folder / IRC_ROSTER, *sorted((folder / IRC_PLAYERS).glob(f"{IRC_PLAYERS}.*"))]
        missing = [path for path in paths if path.is_file() and plain_name(path.name) not in known]
        yield from sources(missing, self._complain, self._limits)

    def _beside(self, month: str) -> Month:
        """The players of the hands of a folder, and what each did, by the time of the hand."""
        rosters: dict[int, tuple[str, ...]] = {}
        records: dict[int, dict[str, Record]] = {}
        for source in self._sources(month):
            is_roster = split(source.path)[1] == IRC_ROSTER
            try:
                text = source.whole().decode("utf-8", "surrogateescape")
            except SourceError as error:
                self._complain(f"{source.path}: line 1: {error}")
                continue
            for line in text.splitlines():
                words = line.split()
                if is_roster and len(words) > 1 and words[0].isdecimal():
                    rosters[number_in(words[0])] = tuple(words[2:])
                elif not is_roster and (found := record_of(line)) is not None:
                    time, one = found
                    records.setdefault(time, {})[one.name] = one
        return Month(rosters, records)
