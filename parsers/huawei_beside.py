"""Server's logs that lie beside a replay of the same game: they add the players' answers, and no hands.

A log and a replay are of one game if their first hands have the same cards. Without its replay among the inputs a log
is read as a match of its own.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from . import events as ev
from .chunks import Piece, examine
from .dialect import Answers, MatchText, TableMatch
from .huawei import LOG, cut, cut_log
from .reading import Pool, read_events
from .sidecar_names import log_beside, replay_beside
from .sources import Source, SourceError, limits_among, sources

KIND: Final = "the server's log of a replay"

Games = dict[tuple[tuple[bytes, ...], ...], tuple[tuple[bytes, ...], Answers]]
"""Players and answers of games, by the cards of the first hand."""


class ServerLogs:
    """The logs beside the replays of an ingest: among its inputs, or on disk in a replay's folder."""

    def __init__(self, given: Sequence[Source], complain: Callable[[str], None]) -> None:
        """Nothing is read yet."""
        self._complain = complain
        self._given = {source.path: source for source in given}
        self._limits = limits_among(given)
        self._games = cache(self._read)

    def is_sidecar(self, source: Source, head: bytes) -> bool:
        """True for a server's log of a game whose replay is among the inputs."""
        partner = self._given.get(replay_beside(source.path))
        if partner is None:
            return False
        deals = {
            match.deal
            for match in cut(self._text(partner)[0])
            if isinstance(match, TableMatch) and match.deal
        }
        return any(match.deal in deals for match in cut_log(head) if isinstance(match, TableMatch))

    def _text(self, source: Source) -> tuple[bytes, int]:
        """A file's text, empty if it cannot be read, and its file_id."""
        try:
            with closing(examine(source)) as opened:
                if opened.whole:
                    return opened.head, opened.file_id
                return source.whole(), opened.file_id
        except SourceError as error:
            self._complain(f"{source.path}: line 1: {error}")
        return b"", 0

    def _read(self, path: str) -> Games:
        """The players and answers of a log's games, by the cards of the first hand."""
        source = self._given.get(path)
        if source is None:
            beside = sources([path], self._complain, self._limits) if Path(path).is_file() else ()
            source = next(iter(beside), None)
        text, file_id = self._text(source) if source is not None else (b"", 0)
        matches = [match for match in cut_log(text) if isinstance(match, TableMatch) and match.names]
        if not matches:
            return {}
        scanned = read_events(np.frombuffer(text, np.uint8), matches, LOG, Pool())
        found = {}
        for k, match in enumerate(matches):
            first, last = scanned.first_event[k : k + 2].tolist()
            codes, args = scanned.events.codes[first:last], scanned.events.args[first:last]
            values = scanned.events.values
            hands = codes == ev.ROUND
            numbers = np.append(0, values[args[hands]])[np.cumsum(hands)]
            rows = np.flatnonzero(codes == ev.ANSWER)
            lines = scanned.events.lines[first:last][rows] + text.count(b"\n", 0, match.body)
            at = args[rows]
            answers = np.stack((numbers[rows], values[at], values[at + 1], values[at + 2], lines), axis=1)
            found[match.deal] = match.names, Answers(file_id, answers.astype(np.int64))
        return found

    def inform(self, piece: Piece, source: Source) -> Piece:
        """A piece of a replay whose games know what the players answered."""
        if not any(isinstance(match, TableMatch) and match.deal for match in piece.matches):
            return piece
        path = log_beside(source.path)
        games = self._games(path) if path else {}
        if not games:
            return piece
        return replace(piece, matches=tuple(_informed(match, games) for match in piece.matches))


def _informed(match: MatchText, games: Games) -> MatchText:
    if not isinstance(match, TableMatch) or match.deal not in games:
        return match
    names, answers = games[match.deal]
    if set(names) != set(match.names):
        return match
    rows = answers.rows.copy()
    # Players who take part in no hand stand in another order in the log than in the replay.
    rows[:, 1] = np.array([match.names.index(name) for name in names])[rows[:, 1]]
    return replace(match, answers=Answers(answers.file_id, rows))
