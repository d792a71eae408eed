"""From the sheets of a heads-up replay to the store's Arrow tables."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...parsers import events, tables
from ...parsers.reading import Scanned
from .. import columns, records
from ..games import Game
from ..outcome import MatchInfo, Tables
from ..records import Sheets

_POSITIONS = ("SB", "BB")


class Assembler:
    """The tables of some matches replayed together.

    A table has the schema of its name in `parsers.tables`.
    """

    def __init__(self, scanned: Scanned, game: Game, sheets: Sheets, infos: Sequence[MatchInfo]) -> None:
        """Gather what all tables share; infos has an entry a match."""
        self.sheets, self.infos, self.game = sheets, infos, game
        self.text = scanned.events.text
        self.hand_rows = sheets.hands[: sheets.used[records.HANDS]]
        self.match_of = self.hand_rows["match"]
        self.ids = np.array([info.match_id for info in infos], np.uint64)
        self.files = np.array([info.file_id for info in infos], np.uint64)
        self.bases = np.array([info.line_base for info in infos], np.int64)
        self.index = np.arange(len(self.hand_rows)) - sheets.matches["first_hand"][self.match_of]
        self._match_rows: dict[str, NDArray[np.int32]] = {}
        self.names = sorted({name for info in infos for name in info.players})
        code = {name: k for k, name in enumerate(self.names)}
        self.name_codes = np.array([[code[name] for name in info.players] for info in infos], np.int32)

    def _keys(self, hand: NDArray[Any]) -> list[pa.Array]:
        return [pa.array(self.ids[self.match_of[hand]]), pa.array(self.index[hand].astype(np.int32))]

    def _lines(self, hand: NDArray[Any], line: NDArray[Any]) -> pa.Array:
        return pa.array(line.astype(np.int64) + self.bases[self.match_of[hand]])

    def _players(self, hand: NDArray[Any], seat: NDArray[Any]) -> pa.Array:
        codes = self.name_codes[self.match_of[hand], np.maximum(seat, 0)]
        return columns.words(codes, self.names, seat < 0)

    def _table(self, name: str, hand: NDArray[Any], filled: Sequence[pa.Array]) -> pa.Table:
        self._match_rows[name] = self.match_of[hand]
        return pa.Table.from_arrays([*self._keys(hand), *filled], schema=tables.schema(name))

    def all(self) -> Tables:
        """Every table, and for each of its rows the match's place."""
        found = {
            "hands": self.hands(),
            "seats": self.seats(),
            "actions": self.actions(),
            "faults": self.faults(),
            "findings": self.findings(),
        }
        return {name: (table, self._match_rows[name]) for name, table in found.items()}

    def hands(self) -> pa.Table:
        """One row a hand."""
        rows, sheets = self.hand_rows, self.sheets
        size = len(rows)
        lines = columns.pooled(sheets.card_lines, int(rows["line_count"].sum()))
        return self._table(
            "hands",
            np.arange(size),
            [
                pa.array(rows["number"].astype(np.int64)),
                self._lines(np.arange(size), rows["line"]),
                columns.constant(self.game.name, size, tables.WORD),
                pa.array(rows["dealer"]),
                columns.constant(2, size, pa.int8()),
                pa.array(rows["streets"]),
                columns.words(rows["ended_by"], records.ENDINGS),
                columns.card_lists(rows["board_count"], sheets.board),
                columns.lists(rows["line_count"], lines),
                columns.words(rows["verdict"], records.VERDICTS),
                columns.sets_of_deviations(self.game, rows["deviations"]),
            ],
        )

    def seats(self) -> pa.Table:
        """One row a hand and player."""
        sheets = self.sheets
        rows = sheets.seats[: 2 * len(self.hand_rows)]
        hand = np.repeat(np.arange(len(self.hand_rows)), 2)
        seat = np.tile(np.array([0, 1], np.int8), len(self.hand_rows))
        is_dealer = seat == self.hand_rows["dealer"][hand]
        bounty = rows["rank"]
        no_list = pa.nulls(len(rows), tables.CARDS)
        return self._table(
            "seats",
            hand,
            [
                pa.array(seat),
                self._players(hand, seat),
                columns.words(np.where(is_dealer, 0, 1), _POSITIONS),
                columns.card_lists(rows["hole_count"], sheets.holes),
                no_list,
                columns.constant(self.game.stack, len(rows), pa.float64()),
                pa.array(np.ascontiguousarray(rows["put"])),
                columns.known(rows["delta"]),
                columns.known(rows["written"] - rows["delta"]),
                columns.known(rows["engine"] - rows["delta"]),
                columns.words(bounty, columns.RANKS),
                pa.array(rows["hit"] > 0, mask=bounty < 0),
                pa.array(np.ascontiguousarray(rows["bank"])),
                pa.array(rows["shown"] > 0),
                pa.array(rows["flags"].astype(np.uint64)),
            ],
        )

    def actions(self) -> pa.Table:
        """One row a post or decision."""
        sheets = self.sheets
        rows = sheets.actions[: sheets.used[records.ACTS]]
        size, hand = len(rows), rows["hand"]
        return self._table(
            "actions",
            hand,
            [
                pa.array(rows["seq"]),
                self._lines(hand, rows["line"]),
                pa.nulls(size, pa.int8()),
                pa.nulls(size, pa.int16()),
                pa.array(rows["street"]),
                pa.array(rows["seat"]),
                columns.words(rows["action"], records.ACTIONS),
                columns.words(rows["origin"], records.ORIGINS),
                pa.nulls(size, pa.float64()),
                columns.known(rows["raise_to"]),
                pa.array(np.ascontiguousarray(rows["pip"])),
                pa.array(np.ascontiguousarray(rows["to_call"])),
                pa.array(np.ascontiguousarray(rows["pot"])),
                columns.constant(self.game.stack, size, pa.float64()),
                columns.constant(self.game.blinds[-1], size, pa.float64()),
                pa.array(rows["level"]),
                columns.seats(rows["aggressor"]),
                columns.constant(2, size, pa.int8()),
            ],
        )

    def _texts(self, rows: NDArray[Any]) -> list[str]:
        return [
            columns.clean(self.text[at : at + size].tobytes())
            for at, size in zip(rows["text_at"].tolist(), rows["text_size"].tolist(), strict=True)
        ]

    def faults(self) -> pa.Table:
        """One row a fault line."""
        sheets = self.sheets
        rows = sheets.faults[: sheets.used[records.FAULTS]]
        kinds = sorted(set(events.FAULT_KINDS.values()))
        places = np.full(int(events.LAST_FAULT) + 1, -1, np.int32)
        for code, kind in events.FAULT_KINDS.items():
            places[code] = kinds.index(kind)
        said = [
            text or events.FAULT_TEXTS.get(code, "")
            for text, code in zip(self._texts(rows), rows["code"].tolist(), strict=True)
        ]
        return self._table(
            "faults",
            rows["hand"],
            [
                pa.array(self.files[self.match_of[rows["hand"]]]),
                self._lines(rows["hand"], rows["line"]),
                columns.seats(rows["seat"]),
                self._players(rows["hand"], rows["seat"]),
                columns.words(places[rows["code"]], kinds),
                pa.array(said, pa.string()),
            ],
        )

    def findings(self) -> pa.Table:
        """One row a finding, in the order of the hands."""
        sheets = self.sheets
        rows = sheets.findings[: sheets.used[records.FINDINGS]]
        rows = rows[np.argsort(rows["hand"], kind="stable")]
        hand = rows["hand"]
        first = np.searchsorted(hand, hand, side="left")
        return self._table(
            "findings",
            hand,
            [
                pa.array((np.arange(len(rows)) - first).astype(np.int16)),
                pa.array(self.files[self.match_of[hand]]),
                self._lines(hand, rows["line"]),
                columns.seats(rows["seat"]),
                self._players(hand, rows["seat"]),
                *columns.judgements(rows, self.game),
            ],
        )
