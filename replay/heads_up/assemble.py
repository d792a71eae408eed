"""From the sheets of a heads-up replay to the store's Arrow tables."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...parsers import events
from ...parsers.reading import Scanned
from ...schema.columns import TABLES, WORD
from ...schema.words import CARD_CHANGES, DEALER_FIRST, ENDINGS, FAULT_KINDS, VERDICTS
from .. import columns, records
from ..action_columns import action_columns, filled_by
from ..cards import RANKS
from ..games import Game
from ..outcome import MatchInfo, Tables
from ..records import Sheets
from .spread import seat_columns, spread_actions, spread_seats

_FAULT_TEXTS = tuple(events.FAULT_TEXTS.get(code, "") for code in range(events.LAST_FAULT + 1))


class Assembler:
    """The tables of some matches replayed together.

    A table has the schema of its name in `schema.columns`.
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

    def _table(self, name: str, hand: NDArray[Any], filled: Sequence[pa.Array | None]) -> pa.Table:
        self._match_rows[name] = self.match_of[hand]
        given = [*self._keys(hand), *filled]
        names = [column.name for column in TABLES[name][: len(given)]]
        return columns.filled_table(
            name, {name: values for name, values in zip(names, given, strict=True) if values is not None}
        )

    def all(self) -> Tables:
        """Every table, and for each of its rows the match's place."""
        found = {
            "hands": self.hands(),
            "seats": self.seats(),
            "actions": self.actions(),
            "faults": self.faults(),
            "findings": self.findings(),
        }
        if self.sheets.used[records.CHANGES]:
            found["changes"] = self.changes()
        return {name: (table, self._match_rows[name]) for name, table in found.items()}

    def _finals(self, rows: NDArray[np.void]) -> pa.Array:
        """Hole cards at the end of players who hold others than they were dealt, else null."""
        counts = rows["final_count"]
        cards = columns.card_lists(counts, self.sheets.finals)
        offsets = np.zeros(len(counts) + 1, np.int32)
        np.cumsum(counts, out=offsets[1:])
        return pa.ListArray.from_arrays(pa.array(offsets), cards.values, mask=pa.array(counts == 0))

    def changes(self) -> pa.Table:
        """One row a player whose hole cards changed, each time."""
        sheets = self.sheets
        rows = sheets.changes[: sheets.used[records.CHANGES]]
        hand = rows["hand"]
        return self._table(
            "changes",
            hand,
            [
                self._lines(hand, rows["line"]),
                pa.array(np.ascontiguousarray(rows["street"])),
                columns.seats(rows["seat"]),
                columns.words(rows["kind"], CARD_CHANGES),
                columns.card_lists(rows["count"], sheets.changed),
            ],
        )

    def hands(self) -> pa.Table:
        """One row a hand."""
        rows, sheets = self.hand_rows, self.sheets
        size = len(rows)
        return self._table(
            "hands",
            np.arange(size),
            [
                pa.array(rows["number"].astype(np.int64)),
                self._lines(np.arange(size), rows["line"]),
                columns.constant(self.game.name, size, WORD),
                pa.array(rows["dealer"]),
                columns.constant(2, size, pa.int8()),
                pa.array(rows["streets"]),
                columns.words(rows["ended_by"], ENDINGS),
                columns.card_lists(rows["board_count"], sheets.board),
                columns.card_lines(rows["line_count"], sheets.card_lines),
                columns.words(rows["verdict"], VERDICTS),
                columns.sets_of_deviations(self.game, rows["deviations"]),
                pa.array(rows["posts"], mask=rows["posts"] == 0),
            ],
        )

    def seats(self) -> pa.Table:
        """One row a hand and player."""
        sheets = self.sheets
        rows = sheets.seats[: 2 * len(self.hand_rows)]
        stacks = sheets.matches["stack"]
        stacks = np.where(stacks > 0, stacks, float(self.game.stack))
        for whole in (True, False):
            out = seat_columns(len(rows), whole)
            off = spread_seats(rows, self.hand_rows, self.index, self.ids, self.name_codes, stacks, out)
            if not off:
                break
        self._match_rows["seats"] = out.match
        filled = {
            "match_id": pa.array(out.match_id),
            "hand_index": pa.array(out.hand_index),
            "seat": pa.array(out.seat),
            "player": columns.coded(pa.array(out.player), self.names),
            "position": columns.coded(pa.array(out.position), DEALER_FIRST),
            "hole": columns.card_lists(rows["hole_count"], sheets.holes),
            "stack_start": pa.array(out.stack),
            "contribution": pa.array(out.put),
            "delta": pa.array(out.delta, mask=out.no_delta),
            "written_off": pa.array(out.written_off, mask=out.no_written),
            "engine_off": pa.array(out.engine_off, mask=out.no_engine),
            "bankroll_before": pa.array(out.bank),
            "shown": pa.array(out.shown),
            "flags": pa.array(out.flags),
        }
        if sheets.used[records.FINALS]:
            filled["hole_final"] = self._finals(rows)
        if self.game.name == "bounty":
            filled["bounty_rank"] = columns.coded(pa.array(out.rank, mask=out.no_rank), RANKS)
            filled["bounty_hit"] = pa.array(out.hit, mask=out.no_rank)
        return columns.filled_table("seats", filled, whole)

    def actions(self) -> pa.Table:
        """One row a decision, or post that is not as all are; what is the same in every row follows from `matches`."""
        sheets = self.sheets
        rows = sheets.actions[: sheets.used[records.ACTS]]
        posted = self.hand_rows["posts"] > 0
        size = len(rows) - 2 * int(posted.sum())
        # Bids are told from raises below.
        for whole in (False,) if self.game.auctions else (True, False):
            out = action_columns(size, whole)
            if not spread_actions(rows, posted, self.match_of, self.index, self.ids, self.bases, out):
                break
        self._match_rows["actions"] = out.match
        filled = filled_by(out)
        if self.game.auctions:
            kept = (rows["action"] != records.POST) | ~posted[rows["hand"]]
            bids = rows["action"][kept] == records.BID
            filled["amount_printed"] = pa.array(out.raise_to, mask=out.no_raise | ~bids)
            filled["raise_to"] = pa.array(out.raise_to, mask=out.no_raise | bids)
            filled["stack_before"] = pa.array(sheets.matches["stack"][out.match] - rows["own"][kept])
        return columns.filled_table("actions", filled, whole)

    def _texts(self, rows: NDArray[Any]) -> pa.Array:
        """What the log says of faults: a bot's own words, or the kind of its answer and the amount."""
        texts, which = list(_FAULT_TEXTS), rows["code"].astype(np.int32)
        own = (rows["text_size"] > 0) | np.isin(rows["code"], events.FAULTS_WITH_AMOUNTS)
        for k in np.flatnonzero(own).tolist():
            at, size = int(rows["text_at"][k]), int(rows["text_size"][k])
            said = self.text[at : at + size].tobytes()
            texts.append(columns.clean(said) if size else f"{_FAULT_TEXTS[which[k]]} {at}")
            which[k] = len(texts) - 1
        return columns.words(which, texts)

    def faults(self) -> pa.Table:
        """One row a fault line."""
        sheets = self.sheets
        rows = sheets.faults[: sheets.used[records.FAULTS]]
        places = np.full(int(events.LAST_FAULT) + 1, -1, np.int32)
        for code, kind in events.FAULT_KINDS.items():
            places[code] = FAULT_KINDS.index(kind)
        return self._table(
            "faults",
            rows["hand"],
            [
                pa.array(self.files[self.match_of[rows["hand"]]]),
                self._lines(rows["hand"], rows["line"]),
                columns.seats(rows["seat"]),
                self._players(rows["hand"], rows["seat"]),
                columns.words(places[rows["code"]], FAULT_KINDS),
                self._texts(rows),
            ],
        )

    def findings(self) -> pa.Table:
        """One row a finding, in the order of the hands."""
        sheets = self.sheets
        rows = sheets.findings[: sheets.used[records.FINDINGS]]
        hand = rows["hand"]
        if (hand[1:] < hand[:-1]).any():
            rows = rows[np.argsort(hand, kind="stable")]
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
