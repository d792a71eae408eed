"""From the sheets of an ACPC replay to the store's Arrow tables."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...parsers.acpc_game import Definition
from ...schema.columns import WORD, assembled
from ...schema.words import ENDINGS, FAULT_KINDS, VERDICTS
from .. import columns
from ..action_columns import ActionColumns
from ..findings import UNKNOWN_GAME
from ..games import Game
from ..outcome import MatchInfo, Tables
from . import state as s
from .choosing import Chosen
from .complaints import Fault
from .definitions import positions_of
from .spread import SeatColumns, spread_actions, spread_seats
from .state import Sheets


class Assembler:
    """The tables of some matches replayed together.

    A table has the schema of its name in `schema.columns`.
    """

    def __init__(
        self,
        game: Game,
        chosen: Sequence[Chosen],
        sheets: Sheets,
        faults: Sequence[Sequence[Fault]],
        infos: Sequence[MatchInfo],
    ) -> None:
        """Gather what all tables share; chosen, faults and infos have an entry a match."""
        self.game, self.chosen, self.sheets, self.faults, self.infos = game, chosen, sheets, faults, infos
        self.hand_rows = sheets.hands[: sheets.used[s.HANDS]]
        self.match_of = np.ascontiguousarray(self.hand_rows["match"])
        definitions: dict[Definition, int] = {}
        self.game_of = np.array(
            [
                s.NONE if c.definition is None else definitions.setdefault(c.definition, len(definitions))
                for c in chosen
            ],
            np.int64,
        )
        self.games = s.rows_of(tuple(definitions))
        self.ids = np.array([info.match_id for info in infos], np.uint64)
        self.files = np.array([info.file_id for info in infos], np.uint64)
        self.bases = np.array([info.line_base for info in infos], np.int64)
        first = sheets.matches["first_hand"].astype(np.int32)
        self.index = np.arange(len(self.hand_rows), dtype=np.int32) - first[self.match_of]
        self._match_rows: dict[str, NDArray[np.int32]] = {}
        self.names = sorted({name for info in infos for name in info.players})
        code = {name: k for k, name in enumerate(self.names)}
        self.name_codes = np.array([code[name] for info in infos for name in info.players], np.int32)
        sizes = [len(info.players) for info in infos]
        self.first_name = np.cumsum([0, *sizes[:-1]])

    def _keys(self, hand: NDArray[Any]) -> list[pa.Array]:
        return [pa.array(self.ids[self.match_of[hand]]), pa.array(self.index[hand])]

    def _lines(self, hand: NDArray[Any], line: NDArray[Any]) -> pa.Array:
        return pa.array(line.astype(np.int64) + self.bases[self.match_of[hand]])

    def _players(self, match: NDArray[Any], seat: NDArray[Any]) -> pa.Array:
        codes = self.name_codes[self.first_name[match] + np.maximum(seat, 0)]
        return columns.words(codes, self.names, seat < 0)

    def _table(self, name: str, hand: NDArray[Any], filled: dict[str, pa.Array]) -> pa.Table:
        self._match_rows[name] = self.match_of[hand]
        keys = dict(zip(("match_id", "hand_index"), self._keys(hand), strict=True))
        return assembled(name, keys | filled)

    def all(self) -> Tables:
        """Every table, and for each of its rows the match's place."""
        found = {
            "hands": self.hands(),
            "seats": self.seats(),
            "actions": self.actions(),
            "faults": self.fault_rows(),
            "findings": self.findings(),
        }
        return {name: (table, self._match_rows[name]) for name, table in found.items()}

    def _games(self) -> pa.Array:
        names = [choice.name for choice in self.chosen]
        vocabulary = sorted(set(names))
        codes = np.array([vocabulary.index(name) for name in names], np.int32)
        return columns.words(codes[self.match_of], vocabulary)

    def hands(self) -> pa.Table:
        """One row a hand."""
        rows, sheets = self.hand_rows, self.sheets
        every = np.arange(len(rows))
        return self._table(
            "hands",
            every,
            {
                "hand_no": pa.array(np.ascontiguousarray(rows["number"])),
                "line": self._lines(every, rows["line"]),
                "game": self._games(),
                "dealer_seat": pa.array(np.ascontiguousarray(rows["dealer"])),
                "n_players": pa.array(np.ascontiguousarray(rows["players"])),
                "streets": pa.array(np.ascontiguousarray(rows["streets"])),
                "ended_by": columns.few(rows["ended_by"], ENDINGS),
                "board": columns.card_lists(rows["board_count"], sheets.board),
                "undealt": columns.card_lists(rows["undealt_count"], sheets.undealt),
                "verdict": columns.few(rows["verdict"], VERDICTS),
                "deviations": columns.sets_of_deviations(self.game, np.zeros(len(rows), np.int64)),
            },
        )

    def _positions(self) -> tuple[list[str], NDArray[np.int32]]:
        """The names of positions, and their codes for each match: as `name_codes`, by position."""
        by_match = [
            positions_of(choice.definition, len(info.players))
            for choice, info in zip(self.chosen, self.infos, strict=True)
        ]
        vocabulary = sorted({name for names in by_match for name in names})
        code = {name: k for k, name in enumerate(vocabulary)}
        return vocabulary, np.array([code[name] for names in by_match for name in names], np.int32)

    def seats(self) -> pa.Table:
        """One row a hand and player."""
        sheets = self.sheets
        rows = sheets.seats[: sheets.used[s.SEAT_ROWS]]
        vocabulary, positions = self._positions()
        out = columns.columns_room(SeatColumns, len(rows))
        spread_seats(
            rows, self.hand_rows, self.index, self.ids, self.first_name, self.name_codes, positions, out
        )
        self._match_rows["seats"] = out.match
        told = {
            "player": columns.coded(pa.array(out.player), self.names),
            "position": columns.coded(pa.array(out.position), vocabulary),
            "hole": columns.card_lists(out.card_count, sheets.holes),
        }
        return assembled("seats", columns.filled("seats", out._asdict()) | told)

    def actions(self) -> pa.Table:
        """One row a forced post or a decision."""
        rows = self.sheets.actions[: self.sheets.used[s.ACTS]]
        out = columns.columns_room(ActionColumns, len(rows), ("board_no", "opponent_stack", "win_prob"))
        spread_actions(rows, self.hand_rows, self.index, self.ids, self.bases, self.game_of, self.games, out)
        self._match_rows["actions"] = out.match
        return assembled("actions", columns.filled("actions", out._asdict()))

    def fault_rows(self) -> pa.Table:
        """One row a complaint of an error log; a hand never finished has the index that follows the last."""
        match = np.repeat(np.arange(len(self.faults)), [len(faults) for faults in self.faults]).astype(
            np.int32
        )
        rows = np.array([fault.row for faults in self.faults for fault in faults], np.int64)
        said = [fault.complaint for faults in self.faults for fault in faults]
        players = [len(info.players) for info in self.infos]
        seat = np.array(
            [
                c.seat if c.seat is not None and c.seat < players[m] else -1
                for c, m in zip(said, match.tolist(), strict=True)
            ],
            np.int8,
        )
        self._match_rows["faults"] = match
        index = self.sheets.matches["hands"][match].astype(np.int64)
        index[rows >= 0] = self.index[rows[rows >= 0]]
        return assembled(
            "faults",
            {
                "match_id": pa.array(self.ids[match]),
                "hand_index": pa.array(index.astype(np.int32)),
                "file_id": pa.array(np.array([c.file_id for c in said], np.uint64)),
                "line": pa.array(np.array([c.line for c in said], np.int64)),
                "seat": columns.seats(seat),
                "player": self._players(match, seat),
                "kind": columns.few(
                    np.array([FAULT_KINDS.index(c.kind) for c in said], np.int8), FAULT_KINDS
                ),
                "text": columns.words(np.arange(len(said)), [columns.clean(c.text) for c in said]),
            },
        )

    def _reasons(self, rows: NDArray[np.void], messages: pa.Array) -> pa.Array:
        """The messages, where the game is not known why it is not."""
        matches = self.match_of[rows["hand"]].tolist()
        unknown = (rows["rule"] == UNKNOWN_GAME).tolist()
        said = zip(messages.to_pylist(), unknown, matches, strict=True)
        texts = [self.chosen[m].reason if is_it else text for text, is_it, m in said]
        return pa.array(texts, pa.string()).dictionary_encode().cast(WORD)

    def findings(self) -> pa.Table:
        """One row a finding, in the order of the hands."""
        sheets = self.sheets
        rows = sheets.findings[: sheets.used[s.FINDINGS]]
        rows = rows[np.argsort(rows["hand"], kind="stable")]
        hand = rows["hand"]
        first = np.searchsorted(hand, hand, side="left")
        rule = columns.judgements(rows, self.game)
        if (rows["rule"] == UNKNOWN_GAME).any():
            rule["message"] = self._reasons(rows, rule["message"])
        return self._table(
            "findings",
            hand,
            {
                "seq": pa.array((np.arange(len(rows)) - first).astype(np.int16)),
                "file_id": pa.array(self.files[self.match_of[hand]]),
                "line": self._lines(hand, rows["line"]),
                "seat": columns.seats(np.ascontiguousarray(rows["seat"])),
                "player": self._players(self.match_of[hand], rows["seat"]),
                **rule,
            },
        )
