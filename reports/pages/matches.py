"""The page of a match, and the files of its hands for the replayer, with their lines from the log.

The lines are read again from the log, and are shown only if the file is unchanged.
"""

import base64
import json
import os
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final
from weakref import finalize

import numpy as np
import xxhash

from ...analytics.views import queries
from ...parsers.sources import Source, sources
from .. import plots
from ..matches import MatchName, Row, hand_name, ids, rows_of, side_by_side
from ..plots import Curve

if TYPE_CHECKING:
    from ...analytics.store import Store

SHOWN_POTS: Final = 10
SHOWN_FINDINGS: Final = 25
WON_BY_MOST: Final = 12
"""Rows on where the chips were won that are not folded."""


def by_match(store: "Store", matches: Sequence[MatchName]) -> dict[int, dict[str, list[Row]]]:
    """The rows that the page of each match shows, by match_id and the names of the queries in `match`."""
    asked = queries("match")
    found: dict[int, dict[str, list[Row]]] = {m.match_id: {key: [] for key in asked} for m in matches}
    for key, query in asked.items():
        for row in rows_of(
            store, query, ids=ids(matches), most_pots=SHOWN_POTS, most_findings=SHOWN_FINDINGS
        ):
            found[row["match_id"]][key].append(row)
    return found


def context(
    match: MatchName, rows: dict[str, list[Row]], curve: Curve, public: bool = False
) -> dict[str, Any]:
    """The context of a match's page: its rows from `by_match`, and the rest.

    public: without the bounty ledger, which rests on hidden cards
    """
    return {
        **rows,
        "bounties": [] if public else rows["bounties"],
        "match": match,
        "tendencies": side_by_side(rows["tendencies"], "statistic"),
        "folds": side_by_side(rows["folds"], "street", "position"),
        "won_by": side_by_side(rows["won_by"], "streets", "ended_by", "position"),
        "plot": f"plots/{match.address}",
        "plot_height": plots.height(curve),
        "luck": plots.has_luck(curve),
        "band": plots.has_band(curve),
        "seats": range(len(match.players)),
    }


@dataclass(frozen=True)
class _Place:
    """The place of a match: its file, its first line, its bytes and the hash of its text."""

    path: str
    line: int
    size: int
    digest: int


@dataclass(frozen=True)
class _Text:
    """Where a text is read again.

    file  where it lies as it is; None if it lies among decoded texts, from byte `start` on
    offsets  of the lines with which matches begin
    """

    file: str | None
    start: int
    offsets: dict[int, int]


class Logs:
    """The texts of a store's matches.

    A file is looked for where the store says it was read (its path as given, from the current folder). A match that is
    not there any more, or no longer the same to the byte, has no lines; text after it changes nothing.
    """

    def __init__(self, store: "Store", matches: Sequence[int]) -> None:
        """Nothing is read yet."""
        rows = store.execute(
            "select match_id, path, line, text_bytes, text_hash from stored.matches join stored.files"
            " using (file_id) where among(match_id, $ids)",
            ids=list(matches),
        ).fetchall()
        self._places = {row[0]: _Place(*row[1:]) for row in rows}
        self._lines: dict[str, set[int]] = defaultdict(set)
        for place in self._places.values():
            self._lines[place.path].add(place.line)
        # Packed texts as they were decoded: matches come in another order than they lie in, and to decode takes time.
        self._decoded = tempfile.TemporaryFile()  # noqa: SIM115 - it is read as long as this is there
        finalize(self, self._decoded.close)
        self._texts: dict[str, _Text] = {}
        self._looked: set[Path] = set()

    def lines(self, match_id: int) -> list[str] | None:
        """The lines of a match, beginning with line `matches.line`; None if the file is gone or has changed."""
        place = self._places.get(match_id)
        if place is None:
            return None
        text = self._text(place.path)
        if text is None or place.line not in text.offsets:
            return None
        found = self._read(text, text.offsets[place.line], place.size)
        if xxhash.xxh3_64_intdigest(found) != place.digest:
            return None
        # As the scanner has lines: what a bot prints may hold a lone CR.
        lines = found.removesuffix(b"\n").split(b"\n")
        return [line.rstrip(b"\r")[:_WIDEST].decode("utf-8", "replace") for line in lines]

    def _read(self, text: _Text, offset: int, size: int) -> bytes:
        if text.file is None:
            self._decoded.seek(text.start + offset)
            return self._decoded.read(size)
        try:
            with open(text.file, "rb") as stream:
                stream.seek(offset)
                return stream.read(size)
        except OSError:
            return b""

    def _text(self, path: str) -> _Text | None:
        """Where the text of a log is, also one from an archive; None if it cannot be read."""
        if path not in self._texts:
            found = Path(path)
            file = next((parent for parent in (found, *found.parents) if parent.is_file()), None)
            if file and file not in self._looked:
                self._looked.add(file)
                for source in sources([file], lambda _: None):
                    self._look_into(source)
        return self._texts.get(path)

    def _look_into(self, source: Source) -> None:
        """Find the matches of a log, and keep its text if it was packed."""
        lines = self._lines.get(source.path)
        if lines is None:
            return
        start = self._decoded.seek(0, os.SEEK_END)
        try:
            with source.open() as stream:
                offsets = _offsets(stream, sorted(lines), self._decoded if source.packed else None)
        # Each way of packing has errors of its own.
        except Exception:
            return
        self._texts[source.path] = _Text(source.name or None, start, offsets)


_CHUNK: Final = 1 << 20


def _offsets(stream: IO[bytes], lines: Sequence[int], copy: IO[bytes] | None) -> dict[int, int]:
    """The offsets at which lines (from 1, ascending) begin; copy is given the whole text."""
    wanted = np.asarray(lines, np.int64)
    found = {1: 0}
    above = offset = 0
    while chunk := stream.read(_CHUNK):
        ends = np.flatnonzero(np.frombuffer(chunk, np.uint8) == ord("\n"))
        low, high = np.searchsorted(wanted, (above + 2, above + 2 + len(ends)))
        begun = wanted[low:high]
        found |= zip(begun.tolist(), (offset + 1 + ends[begun - above - 2]).tolist(), strict=True)
        above += len(ends)
        offset += len(chunk)
        if copy is not None:
            copy.write(chunk)
    return found


TOGETHER: Final = 200
"""Hands a file holds."""
FOLDER: Final = "hands"
_LEVEL: Final = 6


def packed(value: str) -> str:
    """JSON as the page's script unpacks it: deflated without a header, in base64."""
    squeeze = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(squeeze.compress(value.encode()) + squeeze.flush()).decode()


def _about(store: "Store", matches: Sequence[MatchName]) -> dict[int, dict[str, Any]]:
    """The description of each match in its file."""
    rows = store.execute(
        "select match_id, blinds, unit from matches where among(match_id, $ids)", ids=ids(matches)
    ).fetchall()
    more = {row[0]: {"blinds": row[1], "unit": row[2]} for row in rows}
    return {
        match.match_id: {
            "id": match.address,
            "game": match.game,
            "streets": match.rules.streets,
            "discards": match.rules.discards,
            "bankrolls": match.rules.bankrolls,
            "has_board": match.rules.board_cards is None or any(match.rules.board_cards),
            "showdown_cards": match.rules.showdown_cards,
            "event": match.event,
            "file": match.file,
            "players": match.players,
            "namesakes": match.namesakes,
            "hands": match.hands,
            "profile": match.profile,
            **more[match.match_id],
        }
        for match in matches
    }


def _lists(
    store: "Store", some: list[int], only: Collection[tuple[int, int]] | None
) -> dict[str, dict[tuple[int, int], str]]:
    """For each part, the JSON list of each hand that has rows; only: of some hands.

    The columns of the queries in `hand` are in the order of `FIELDS` in the page's script.
    """
    limit, hands = "", {}
    if only is not None:
        limit = "and list_contains($hands, match_id || '#' || hand_index)"
        hands = {"hands": [hand_name(*one) for one in only]}
    return {
        name: {
            (match, index): text
            for match, index, text in store.execute(
                f"select match_id, hand_index, to_json(rows)::varchar from ({query}"
                f" where among(match_id, $ids) and hand_index is not null {limit} group by all) t(match_id,"
                f" hand_index, rows)",
                ids=some,
                **hands,
            ).fetchall()
        }
        for name, query in queries("hand").items()
    }


def _text_of_hands(
    lines: list[str] | None, first: int, begins: Sequence[int]
) -> Iterator[tuple[int, list[str]]]:
    """For each hand, the number of its first line and its lines; None without a text."""
    if lines is None:
        yield from ((line, []) for line in begins)
        return
    ends = [*begins[1:], first + len(lines)]
    for start, end in zip(begins, ends, strict=True):
        # Hands that do not follow each other in the log reach to the match's end at most.
        upto = end if end > start else start + 1
        part = lines[start - first : min(upto - first, start - first + MOST_LINES)]
        while len(part) > 1 and not part[-1].strip():
            part.pop()
        yield start, part


def write_hands(
    store: "Store",
    matches: Sequence[MatchName],
    logs: Logs | None,
    out: Path,
    effects: dict[str, str],
    only: Collection[tuple[int, int]] | None = None,
) -> None:
    """Write the files of some matches below `out`.

    logs: where the hands' lines are; None leaves them out
    effects: what each engine deviation is, by name
    only: match_id and hand_index of the hands that are written; None for all
    """
    some = ids(matches)
    about = _about(store, matches)
    lists = _lists(store, some, only)
    first_line = dict(
        store.execute("select match_id, line from matches where among(match_id, $ids)", ids=some).fetchall()
    )
    hands: defaultdict[int, list[tuple[int, int, str, str]]] = defaultdict(list)
    for match, index, line, verdict, text in store.execute(queries("pages")["hands"], ids=some).fetchall():
        hands[match].append((index, line, verdict, text))
    for match_id, mine in hands.items():
        texts = _text_of_hands(
            logs.lines(match_id) if logs else None, first_line[match_id], [line for _, line, _, _ in mine]
        )
        odd = [index for index, _, verdict, _ in mine if verdict != "ok"]
        address = about[match_id]["id"]
        head = json.dumps(about[match_id] | {"odd": odd, "effects": effects})
        folder = out / FOLDER / address
        folder.mkdir(parents=True, exist_ok=True)
        made: dict[int, list[str]] = {}
        for (index, _, _, text), (start, lines) in zip(mine, texts, strict=True):
            if only is not None and (match_id, index) not in only:
                continue
            parts = "".join(
                f',"{name}":{found}'
                for name, part in lists.items()
                if (found := part.get((match_id, index))) is not None
            )
            said = f',"text":{json.dumps(lines)},"from":{start}' if lines else ""
            made.setdefault(index // TOGETHER, []).append(f"{text[:-1]}{parts}{said}}}")
        for number, hands_text in made.items():
            body = packed(f'{{"match":{head},"hands":[{",".join(hands_text)}]}}')
            (folder / f"{number}.js").write_text(
                f'railbird("{address}",{number},"{body}");\n', encoding="utf-8"
            )


MOST_LINES: Final = 400
"""The most lines of one hand that are kept, so that a bot that prints endlessly cannot fill the report."""
_WIDEST: Final = 500
