"""From filled sheets to the store's Arrow tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..parsers import events, tables
from ..parsers.reading import Scanned
from . import cards, records
from .findings import RULES
from .replaying import Replayed

TEXT_CUT = 200
_POSITIONS = ("SB", "BB")
_CARD_WORDS = pa.array(cards.CARD_TEXT)
_RANKS = tuple("23456789TJQKA")


@dataclass(frozen=True)
class MatchInfo:
    """What is known of a match outside its events: its id, its file's, its players, the line above its body."""

    match_id: int
    file_id: int
    players: tuple[str, ...]
    line_base: int


def _words(codes: NDArray[Any], words: Sequence[str], missing: NDArray[np.bool_] | None = None) -> pa.Array:
    """Codes into a vocabulary as a dictionary array; null where missing, or where the code is negative."""
    codes = codes.astype(np.int32)
    mask = codes < 0 if missing is None else missing
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=mask), pa.array(list(words), pa.string()))


def _lists(counts: NDArray[Any], values: pa.Array) -> pa.Array:
    offsets = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def _card_lists(counts: NDArray[Any], pool: NDArray[np.int8]) -> pa.Array:
    used = int(counts.sum())
    return _lists(counts, pa.DictionaryArray.from_arrays(pa.array(pool[:used]), _CARD_WORDS))


def _known(values: NDArray[Any]) -> pa.Array:
    return pa.array(values, mask=np.isnan(values))


def _constant(value: object, size: int, kind: pa.DataType) -> pa.Array:
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(pa.array(np.zeros(size, np.int32)), pa.array([value], pa.string()))
    return pa.repeat(pa.scalar(value, kind), size)


def clean(text: bytes) -> str:
    """A log's bytes as text: cut, bytes that are no UTF-8 written as escapes."""
    return text[:TEXT_CUT].decode("utf-8", "backslashreplace")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


_CARD_RULES = {"deck", "board", "show"}


def _said(rule: str, value: float) -> str:
    if np.isnan(value):
        return "?"
    return cards.CARD_TEXT[int(value)] if rule in _CARD_RULES and value >= 0 else _number(value)


class Assembler:
    """The tables of some matches replayed together.

    Every method returns an Arrow table of the schema of its name in `parsers.tables`; `keep` says of which matches.
    """

    def __init__(self, scanned: Scanned, replayed: Replayed, infos: Sequence[MatchInfo]) -> None:
        """Gather what all tables share."""
        self.replayed, self.infos, self.game = replayed, infos, replayed.game
        self.text = scanned.events.text
        sheets, used = replayed.sheets, replayed.sheets.used
        self.hand_rows = sheets.hands[: used[records.HANDS]]
        self.match_of = self.hand_rows["match"]
        self.ids = np.array([info.match_id for info in infos], np.uint64)
        self.files = np.array([info.file_id for info in infos], np.uint64)
        self.bases = np.array([info.line_base for info in infos], np.int64)
        self.index = np.arange(len(self.hand_rows)) - sheets.matches["first_hand"][self.match_of]
        self.names = sorted({name for info in infos for name in info.players})
        code = {name: k for k, name in enumerate(self.names)}
        self.name_codes = np.array([[code[name] for name in info.players] for info in infos], np.int32)

    def _keys(self, hand: NDArray[Any]) -> list[pa.Array]:
        return [pa.array(self.ids[self.match_of[hand]]), pa.array(self.index[hand].astype(np.int32))]

    def _lines(self, hand: NDArray[Any], line: NDArray[Any]) -> pa.Array:
        return pa.array(line.astype(np.int64) + self.bases[self.match_of[hand]])

    def _seat(self, seat: NDArray[Any]) -> pa.Array:
        return pa.array(seat, mask=seat < 0)

    def _players(self, hand: NDArray[Any], seat: NDArray[Any]) -> pa.Array:
        codes = self.name_codes[self.match_of[hand], np.maximum(seat, 0)]
        return _words(codes, self.names, seat < 0)

    def _table(self, name: str, columns: Sequence[pa.Array]) -> pa.Table:
        return pa.Table.from_arrays(list(columns), schema=tables.schema(name))

    def hands(self) -> pa.Table:
        """One row a hand."""
        rows, sheets = self.hand_rows, self.replayed.sheets
        size = len(rows)
        lines = pa.array(sheets.card_lines[: int(rows["line_count"].sum())])
        names = [d.name for d in self.game.deviations]
        masks = rows["deviations"]
        bits = (masks[:, None] >> np.arange(len(names))[None, :]) & 1 if names else np.zeros((size, 0), np.uint8)
        found = pa.DictionaryArray.from_arrays(
            pa.array(np.nonzero(bits)[1].astype(np.int32)), pa.array(names, pa.string())
        )
        return self._table(
            "hands",
            [
                *self._keys(np.arange(size)),
                pa.array(rows["number"].astype(np.int64)),
                self._lines(np.arange(size), rows["line"]),
                _constant(self.game.name, size, tables.WORD),
                pa.array(rows["dealer"]),
                _constant(2, size, pa.int8()),
                pa.array(rows["streets"]),
                _words(rows["ended_by"], records.ENDINGS),
                _card_lists(rows["board_count"], sheets.board),
                _lists(rows["line_count"], lines),
                _words(rows["verdict"], records.VERDICTS),
                _lists(bits.sum(axis=1), found),
            ],
        )

    def seats(self) -> pa.Table:
        """One row a hand and player."""
        sheets = self.replayed.sheets
        rows = sheets.seats[: 2 * len(self.hand_rows)]
        hand = np.repeat(np.arange(len(self.hand_rows)), 2)
        seat = np.tile(np.array([0, 1], np.int8), len(self.hand_rows))
        is_dealer = seat == self.hand_rows["dealer"][hand]
        bounty = rows["rank"]
        no_list = pa.nulls(len(rows), tables.CARDS)
        return self._table(
            "seats",
            [
                *self._keys(hand),
                pa.array(seat),
                self._players(hand, seat),
                _words(np.where(is_dealer, 0, 1), _POSITIONS),
                _card_lists(rows["hole_count"], sheets.holes),
                no_list,
                _constant(self.game.stack, len(rows), pa.float64()),
                pa.array(np.ascontiguousarray(rows["put"])),
                _known(rows["delta"]),
                _known(rows["written"] - rows["delta"]),
                _known(rows["engine"] - rows["delta"]),
                _words(bounty, _RANKS),
                pa.array(rows["hit"] > 0, mask=bounty < 0),
                pa.array(np.ascontiguousarray(rows["bank"])),
                pa.array(rows["shown"] > 0),
                pa.array(rows["flags"].astype(np.uint64)),
            ],
        )

    def actions(self) -> pa.Table:
        """One row a post or decision."""
        sheets = self.replayed.sheets
        rows = sheets.actions[: sheets.used[records.ACTS]]
        size, hand = len(rows), rows["hand"]
        return self._table(
            "actions",
            [
                *self._keys(hand),
                pa.array(rows["seq"]),
                self._lines(hand, rows["line"]),
                pa.nulls(size, pa.int8()),
                pa.nulls(size, pa.int16()),
                pa.array(rows["street"]),
                pa.array(rows["seat"]),
                _words(rows["action"], records.ACTIONS),
                _words(rows["origin"], records.ORIGINS),
                pa.nulls(size, pa.float64()),
                _known(rows["raise_to"]),
                pa.array(np.ascontiguousarray(rows["pip"])),
                pa.array(np.ascontiguousarray(rows["to_call"])),
                pa.array(np.ascontiguousarray(rows["pot"])),
                _constant(self.game.stack, size, pa.float64()),
                _constant(self.game.blinds[-1], size, pa.float64()),
                pa.array(rows["level"]),
                self._seat(rows["aggressor"]),
                _constant(2, size, pa.int8()),
            ],
        )

    def _texts(self, rows: NDArray[Any]) -> list[str]:
        return [
            clean(self.text[at : at + size].tobytes())
            for at, size in zip(rows["text_at"].tolist(), rows["text_size"].tolist(), strict=True)
        ]

    def faults(self) -> pa.Table:
        """One row a fault line."""
        sheets = self.replayed.sheets
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
            [
                *self._keys(rows["hand"]),
                pa.array(self.files[self.match_of[rows["hand"]]]),
                self._lines(rows["hand"], rows["line"]),
                self._seat(rows["seat"]),
                self._players(rows["hand"], rows["seat"]),
                _words(places[rows["code"]], kinds),
                pa.array(said, pa.string()),
            ],
        )

    def findings(self) -> pa.Table:
        """One row a finding, in the order of the hands."""
        sheets = self.replayed.sheets
        rows = sheets.findings[: sheets.used[records.FINDINGS]]
        rows = rows[np.argsort(rows["hand"], kind="stable")]
        hand = rows["hand"]
        first = np.searchsorted(hand, hand, side="left")
        deviations = [d.name for d in self.game.deviations]
        sets = {m: "+".join(n for k, n in enumerate(deviations) if m >> k & 1) for m in set(rows["deviation"].tolist())}
        masks = [m for m in sets if m]
        place = {mask: k for k, mask in enumerate(masks)} | {0: -1}
        rules = [RULES[code] for code in rows["rule"].tolist()]
        expected = [_said(r.name, v) for r, v in zip(rules, rows["expected"].tolist(), strict=True)]
        logged = [_said(r.name, v) for r, v in zip(rules, rows["logged"].tolist(), strict=True)]
        messages = [r.message.format(expected=e, logged=v) for r, e, v in zip(rules, expected, logged, strict=True)]
        kinds = sorted({rule.kind for rule in RULES})
        kind_of = np.array([kinds.index(rule.kind) for rule in RULES], np.int32)
        return self._table(
            "findings",
            [
                *self._keys(hand),
                pa.array((np.arange(len(rows)) - first).astype(np.int16)),
                pa.array(self.files[self.match_of[hand]]),
                self._lines(hand, rows["line"]),
                self._seat(rows["seat"]),
                self._players(hand, rows["seat"]),
                _words(rows["rule"], [rule.name for rule in RULES]),
                _words(kind_of[rows["rule"]], kinds),
                _words(rows["verdict"], records.VERDICTS),
                _words(np.array([place[m] for m in rows["deviation"].tolist()], np.int32), [sets[m] for m in masks]),
                pa.array(expected, pa.string()),
                pa.array(logged, pa.string()),
                pa.array(np.ascontiguousarray(rows["chips"])),
                pa.array(messages, pa.string()),
            ],
        )
