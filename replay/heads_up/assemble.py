"""From the sheets of a heads-up replay to the store's Arrow tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...parsers import events
from ...parsers.reading import Scanned
from ...schema.columns import WORD, assembled
from ...schema.words import CARD_CHANGES, DEALER_FIRST, ENDINGS, FAULT_KINDS, STREETS_AND_RUNS, VERDICTS
from .. import columns, records
from ..action_columns import ActionColumns
from ..cards import RANKS
from ..games import BOUNTIES, Game
from ..outcome import MatchInfo, Tables
from ..records import Sheets
from .spread import SeatColumns, spread_actions, spread_seats

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
        stacks = sheets.matches["stack"]
        self.stacks = np.where(stacks > 0, stacks, float(self.game.stack))
        self._match_rows: dict[str, NDArray[np.int32]] = {}
        self.names = sorted({name for info in infos for name in info.players})
        code = {name: k for k, name in enumerate(self.names)}
        self.name_codes = np.array([[code[name] for name in info.players] for info in infos], np.int32)

    def _lines(self, hand: NDArray[Any], line: NDArray[Any]) -> pa.Array:
        return pa.array(line.astype(np.int64) + self.bases[self.match_of[hand]])

    def _players(self, hand: NDArray[Any], seat: NDArray[Any]) -> pa.Array:
        codes = self.name_codes[self.match_of[hand], np.maximum(seat, 0)]
        return columns.words(codes, self.names, seat < 0)

    def _table(self, name: str, hand: NDArray[Any], filled: Mapping[str, pa.Array]) -> pa.Table:
        self._match_rows[name] = self.match_of[hand]
        keys = {
            "match_id": pa.array(self.ids[self.match_of[hand]]),
            "hand_index": pa.array(self.index[hand].astype(np.int32)),
        }
        return assembled(name, keys | dict(filled))

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
            {
                "line": self._lines(hand, rows["line"]),
                "street": columns.few(rows["street"], STREETS_AND_RUNS),
                "seat": columns.seats(rows["seat"]),
                "kind": columns.few(rows["kind"], CARD_CHANGES),
                "cards": columns.card_lists(rows["count"], sheets.changed),
            },
        )

    def hands(self) -> pa.Table:
        """One row a hand."""
        rows, sheets = self.hand_rows, self.sheets
        size = len(rows)
        return self._table(
            "hands",
            np.arange(size),
            {
                "hand_no": pa.array(rows["number"].astype(np.int64)),
                "line": self._lines(np.arange(size), rows["line"]),
                "game": columns.constant(self.game.name, size, WORD),
                "dealer_seat": pa.array(rows["dealer"]),
                "n_players": columns.constant(2, size, pa.int8()),
                "streets": pa.array(rows["streets"]),
                "ended_by": columns.few(rows["ended_by"], ENDINGS),
                "board": columns.card_lists(rows["board_count"], sheets.board),
                "card_lines": columns.card_lines(rows["line_count"], sheets.card_lines),
                "verdict": columns.few(rows["verdict"], VERDICTS),
                "deviations": columns.sets_of_deviations(self.game, rows["deviations"]),
            },
        )

    def seats(self) -> pa.Table:
        """One row a hand and player."""
        sheets = self.sheets
        rows = sheets.seats[: 2 * len(self.hand_rows)]
        without = () if self.game.payout == BOUNTIES else ("bounty_rank", "bounty_hit")
        out = columns.columns_room(SeatColumns, len(rows))
        spread_seats(rows, self.hand_rows, self.index, self.ids, self.name_codes, self.stacks, out)
        self._match_rows["seats"] = out.match
        given = out._asdict()
        no_rank = out.bounty_rank < 0
        told = {
            "player": columns.coded(pa.array(out.player), self.names),
            "position": columns.coded(pa.array(out.position), DEALER_FIRST),
            "hole": columns.card_lists(rows["hole_count"], sheets.holes),
            "bounty_rank": columns.coded(pa.array(out.bounty_rank, mask=no_rank), RANKS),
            "bounty_hit": pa.array(out.bounty_hit, mask=no_rank),
        }
        if sheets.used[records.FINALS]:
            told["hole_changed"] = self._finals(rows)
        found = columns.filled("seats", given) | told
        return assembled("seats", {name: values for name, values in found.items() if name not in without})

    def actions(self) -> pa.Table:
        """One row a forced post or a decision."""
        rows = self.sheets.actions[: self.sheets.used[records.ACTS]]
        without = ("board_no", "opponent_stack", "min_raise_to", "max_raise_to", "win_prob")
        out = columns.columns_room(ActionColumns, len(rows), without)
        spread_actions(rows, self.match_of, self.index, self.ids, self.bases, self.stacks, out)
        self._match_rows["actions"] = out.match
        return assembled("actions", columns.filled("actions", out._asdict()))

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
            {
                "file_id": pa.array(self.files[self.match_of[rows["hand"]]]),
                "line": self._lines(rows["hand"], rows["line"]),
                "seat": columns.seats(rows["seat"]),
                "player": self._players(rows["hand"], rows["seat"]),
                "kind": columns.few(places[rows["code"]], FAULT_KINDS),
                "text": self._texts(rows),
            },
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
            {
                "seq": pa.array((np.arange(len(rows)) - first).astype(np.int16)),
                "file_id": pa.array(self.files[self.match_of[hand]]),
                "line": self._lines(hand, rows["line"]),
                "seat": columns.seats(rows["seat"]),
                "player": self._players(hand, rows["seat"]),
                **columns.judgements(rows, self.game, self.stacks[self.match_of[hand]]),
            },
        )
