"""From the sheets of a Blotto replay to the store's Arrow tables: the heads-up ones, with boards."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...parsers.reading import Scanned
from ...schema.columns import assembled
from ...schema.words import ENDINGS
from .. import columns, records
from ..action_columns import ActionColumns
from ..games import Game
from ..heads_up.assemble import Assembler
from ..outcome import MatchInfo, Tables
from ..records import Sheets
from .game import BOARDS
from .rows import spread_boards
from .state import Table


def _pairs(one: NDArray[Any], two: NDArray[Any]) -> pa.Array:
    """Lists of two, by seat."""
    values = np.stack((one, two), axis=1).ravel()
    return columns.lists(np.full(len(one), 2, np.int32), columns.known(values))


class BlottoAssembler(Assembler):
    """The tables of some Blotto matches replayed together."""

    def __init__(
        self, scanned: Scanned, game: Game, sheets: Sheets, table: Table, infos: Sequence[MatchInfo]
    ) -> None:
        """As for heads-up games; table has the rows of the boards."""
        super().__init__(scanned, game, sheets, infos)
        self.table = table

    def all(self) -> Tables:
        """Every table, and for each of its rows the match's place."""
        found = super().all()
        boards = self.boards()
        found["boards"] = boards, self._match_rows["boards"]
        return found

    def boards(self) -> pa.Table:
        """One row a hand and board."""
        size = BOARDS * len(self.hand_rows)
        rows = self.table.rows[:size]
        hand = np.repeat(np.arange(len(self.hand_rows)), BOARDS)
        number = np.tile(np.arange(1, BOARDS + 1, dtype=np.int8), len(self.hand_rows))
        return self._table(
            "boards",
            hand,
            {
                "board_no": pa.array(number),
                "cards": self._sent_cards(rows["cards"], self.table.row_cards[:size]),
                "pot": pa.array(np.ascontiguousarray(rows["pot"])),
                "pot_inflation": pa.array(number * float(self.game.blinds[-1])),
                "ended_by": columns.few(rows["ended_by"], ENDINGS),
                "hole": self._holes(rows, size),
                "contribution": _pairs(rows["put_0"], rows["put_1"]),
                "payout": _pairs(rows["paid_0"], rows["paid_1"]),
            },
        )

    def _sent_cards(self, counts: NDArray[np.int8], cards: NDArray[np.int8]) -> pa.Array:
        """Lists of cards; each row of `cards` begins with as many as its count."""
        kept = np.arange(cards.shape[1])[None, :] < counts[:, None]
        return columns.card_lists(counts.astype(np.int32), cards[kept])

    def _holes(self, rows: NDArray[np.void], size: int) -> pa.Array:
        """By seat the cards sent to the board, null where none were."""
        counts = np.stack((rows["hole_0"], rows["hole_1"]), axis=1).ravel()
        sent = self.table.row_holes[:size]
        cards = sent.reshape(2 * size, sent.shape[-1])
        lists = self._sent_cards(counts, cards)
        offsets = np.zeros(len(counts) + 1, np.int32)
        np.cumsum(counts, out=offsets[1:])
        by_seat = pa.ListArray.from_arrays(pa.array(offsets), lists.values, mask=pa.array(counts == 0))
        return columns.lists(np.full(size, 2, np.int32), by_seat)

    def actions(self) -> pa.Table:
        """One row a board of a post or of a decision."""
        rows = self.sheets.actions[: self.sheets.used[records.ACTS]]
        without = ("street_pot", "amount_printed", "min_raise_to", "max_raise_to", "win_prob")
        out = columns.columns_room(ActionColumns, len(rows), without)
        spread_boards(rows, self.match_of, self.index, self.ids, self.bases, out)
        self._match_rows["actions"] = out.match
        return assembled("actions", columns.filled("actions", out._asdict()))
