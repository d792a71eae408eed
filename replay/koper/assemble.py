"""From the rows of a Koper replay to the store's Arrow tables."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schema.columns import WORD, assembled
from ...schema.words import ENDINGS, NUMBERED, VERDICTS
from .. import columns, records
from ..games import Game
from ..outcome import MatchInfo, Tables
from ..rows import ActionColumns
from . import layout as at
from .spread import MOST_ACTS, SeatColumns, first_rows, spread_actions, spread_cards, spread_seats

Floats = NDArray[np.float64]

_ENDING_OF: Final = np.array([-1, -1, records.BY_FOLD, records.BY_FOLD, records.BY_SHOWDOWN], np.int32)
_CENTS_SHOWN: Final = 3


class Assembler:
    """The tables of some matches replayed together; a table has the schema of its name in `schema.columns`."""

    def __init__(
        self, game: Game, games: Floats, seats: Floats, finds: NDArray[np.void], infos: Sequence[MatchInfo]
    ) -> None:
        """Gather what all tables share; infos has an entry a match."""
        self.game, self.games, self.seat_rows, self.finds = game, games, seats, finds
        self.match_of = games[:, at.G_MATCH].astype(np.int32)
        self.ids = np.array([info.match_id for info in infos], np.uint64)
        self.files = np.array([info.file_id for info in infos], np.uint64)
        self.bases = np.array([info.line_base for info in infos], np.int64)
        first = np.searchsorted(self.match_of, self.match_of, side="left")
        self.index = np.arange(len(games)) - first
        self.names = sorted({name for info in infos for name in info.players})
        code = {name: k for k, name in enumerate(self.names)}
        self.name_codes = np.array([[code[name] for name in info.players] for info in infos], np.int32)
        self.players = (seats[:, at.S_STATE].reshape(-1, at.PLAYERS) != at.ABSENT).sum(axis=1)

    def all(self) -> Tables:
        """Every table, and for each of its rows the match's place."""
        return {
            "hands": self.hands(),
            "seats": self.seats(),
            "actions": self.actions(),
            "findings": self.findings(),
        }

    def _lines(self, hand: NDArray[Any], line: NDArray[Any]) -> pa.Array:
        return pa.array(line.astype(np.int64) + self.bases[self.match_of[hand]])

    def _players(self, hand: NDArray[Any], seat: NDArray[Any]) -> pa.Array:
        codes = self.name_codes[self.match_of[hand], np.maximum(seat, 0)]
        return columns.words(codes, self.names, seat < 0)

    def _table(
        self, name: str, hand: NDArray[Any], given: Mapping[str, pa.Array]
    ) -> tuple[pa.Table, NDArray[np.int32]]:
        """A table of the columns given; the others are null."""
        keys = {
            "match_id": pa.array(self.ids[self.match_of[hand]]),
            "hand_index": pa.array(self.index[hand].astype(np.int32)),
        }
        return assembled(name, keys | dict(given)), self.match_of[hand]

    def hands(self) -> tuple[pa.Table, NDArray[np.int32]]:
        """One row a game."""
        rows, size = self.games, len(self.games)
        hand = np.arange(size)
        cards, events = np.empty(size, np.int32), np.empty(size, np.int32)
        board, lines = np.empty(5 * size, np.int8), np.empty((at.PLAYERS + 3) * size, np.int16)
        spread_cards(rows, self.seat_rows, cards, board, events, lines)
        return self._table(
            "hands",
            hand,
            {
                "hand_no": pa.array(rows[:, at.G_NUMBER].astype(np.int64)),
                "line": self._lines(hand, rows[:, at.G_LINE]),
                "game": columns.constant(self.game.name, size, WORD),
                "n_players": pa.array(self.players.astype(np.int8)),
                "streets": pa.array(rows[:, at.G_STREETS].astype(np.int8)),
                "ended_by": columns.few(_ENDING_OF[rows[:, at.G_END].astype(np.int32)], ENDINGS),
                "board": columns.card_lists(cards, board),
                "card_lines": columns.card_lines(events, lines),
                "verdict": columns.few(rows[:, at.G_VERDICT], VERDICTS),
                "deviations": columns.sets_of_deviations(
                    self.game, rows[:, at.G_DEVIATIONS].astype(np.int64)
                ),
            },
        )

    def seats(self) -> tuple[pa.Table, NDArray[np.int32]]:
        """One row a game and player still in the match."""
        size = int(self.players.sum())
        out, pool = columns.columns_room(SeatColumns, size), np.empty(2 * size, np.int8)
        spread_seats(self.games, self.seat_rows, self.index, self.ids, self.name_codes, pool, out)
        told = {
            "player": columns.coded(pa.array(out.player), self.names),
            "position": columns.coded(pa.array(out.position), NUMBERED),
            "hole": columns.card_lists(out.card_count, pool),
        }
        return assembled("seats", columns.filled("seats", out._asdict()) | told), out.match

    def actions(self) -> tuple[pa.Table, NDArray[np.int32]]:
        """One row a forced post or a decision."""
        acts = np.empty((MOST_ACTS, 4))
        without = ("board_no", "amount_printed", "street_pot", "opponent_stack", "aggressor_seat")
        room = columns.columns_room(ActionColumns, MOST_ACTS * len(self.games), without)
        size = spread_actions(
            self.games, self.seat_rows, self.index, self.ids, self.bases, acts, np.empty(at.PLAYERS), room
        )
        out = first_rows(room, size)
        return assembled("actions", columns.filled("actions", out._asdict())), out.match

    def findings(self) -> tuple[pa.Table, NDArray[np.int32]]:
        """One row a finding."""
        rows = self.finds.copy()
        for figure in ("expected", "logged", "chips"):
            rows[figure] = np.round(rows[figure], _CENTS_SHOWN)
        hand = rows["hand"]
        first = np.searchsorted(hand, hand, side="left")
        return self._table(
            "findings",
            hand,
            {
                "seq": pa.array((np.arange(len(rows)) - first).astype(np.int16)),
                "file_id": pa.array(self.files[self.match_of[hand]]),
                "line": self._lines(hand, rows["line"]),
                "seat": columns.seats(rows["seat"]),
                "player": self._players(hand, rows["seat"]),
            }
            | columns.judgements(rows, self.game),
        )
