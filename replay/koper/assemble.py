"""From the rows of a Koper replay to the store's Arrow tables."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...parsers import tables
from .. import columns, records
from ..games import Game
from ..outcome import MatchInfo, Tables
from . import game as rule
from . import layout as at

Floats = NDArray[np.float64]

_POSITIONS: Final = tuple("01234")
_ENDING_OF: Final = np.array([-1, -1, records.BY_FOLD, records.BY_FOLD, records.BY_SHOWDOWN], np.int32)
_DIGITS: Final = 6
_CENTS_SHOWN: Final = 3


class Assembler:
    """The tables of some matches replayed together; a table has the schema of its name in `parsers.tables`."""

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
        # Seats that are in the game, and the place of each among them.
        states = seats[:, at.S_STATE].reshape(-1, at.PLAYERS)
        self.present = states != at.ABSENT
        self.places = np.cumsum(self.present, axis=1) - 1

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
        return columns.filled_table(name, keys | dict(given)), self.match_of[hand]

    def hands(self) -> tuple[pa.Table, NDArray[np.int32]]:
        """One row a game."""
        rows, hand = self.games, np.arange(len(self.games))
        board = rows[:, at.G_BOARD : at.G_BOARD + 5]
        known = board >= 0
        events = np.concatenate(
            [
                self.seat_rows[:, at.S_LINE_DEAL].reshape(-1, at.PLAYERS),
                rows[:, at.G_LINE_1 : at.G_LINE_3 + 1],
            ],
            axis=1,
        )
        events[:, at.PLAYERS :][np.arange(3)[None, :] >= rows[:, [at.G_STREETS]] - 1] = np.nan
        said = ~np.isnan(events)
        lines = (events - rows[:, [at.G_LINE]])[said].astype(np.int16)
        return self._table(
            "hands",
            hand,
            {
                "hand_no": pa.array(rows[:, at.G_NUMBER].astype(np.int64)),
                "line": self._lines(hand, rows[:, at.G_LINE]),
                "game": columns.constant(self.game.name, len(rows), tables.WORD),
                "dealer_seat": pa.nulls(len(rows), pa.int8()),
                "n_players": pa.array(self.present.sum(axis=1).astype(np.int8)),
                "streets": pa.array(rows[:, at.G_STREETS].astype(np.int8)),
                "ended_by": columns.words(_ENDING_OF[rows[:, at.G_END].astype(np.int32)], records.ENDINGS),
                "board": columns.card_lists(known.sum(axis=1), board[known].astype(np.int8)),
                "card_lines": columns.lists(said.sum(axis=1), pa.array(lines)),
                "verdict": columns.words(rows[:, at.G_VERDICT], records.VERDICTS),
                "deviations": columns.sets_of_deviations(
                    self.game, rows[:, at.G_DEVIATIONS].astype(np.int64)
                ),
            },
        )

    def _won(self, rows: Floats, hand: NDArray[Any]) -> tuple[Floats, Floats]:
        """(payout, share of what was left) of each seat: as printed where the log prints them, else as computed."""
        paid = self.games[hand, at.G_PAID]
        printed = (rows[:, at.S_WINS] == 1) & ~np.isnan(paid)
        payout = rows[:, at.S_PAYOUT].copy()
        payout[printed] = paid[printed]
        told = rows[:, at.S_WON] > 1
        payout[told] = rows[told, at.S_WON]
        share: Floats = rows[:, at.S_SHARE].copy()
        return payout.round(_DIGITS), share.round(_DIGITS)

    def seats(self) -> tuple[pa.Table, NDArray[np.int32]]:
        """One row a game and player still in the match."""
        kept = self.present.ravel()
        rows = self.seat_rows[kept]
        numbers = np.nonzero(kept)[0]
        hand, seat = numbers // at.PLAYERS, (numbers % at.PLAYERS).astype(np.int8)
        state = rows[:, at.S_STATE]
        holes = rows[:, at.S_HOLE : at.S_HOLE + 2]
        dealt = holes >= 0
        start = np.round(rows[:, at.S_START], _DIGITS)
        gained = np.round(rows[:, at.S_AFTER] - rows[:, at.S_START], _DIGITS)
        computed = np.round(rows[:, at.S_PAYOUT] + rows[:, at.S_SHARE] - rows[:, at.S_PUT], _DIGITS)
        damaged = self.games[hand, at.G_DAMAGED] > 0
        payout, share = self._won(rows, hand)
        unknown = np.where(damaged, np.nan, 0.0)
        return self._table(
            "seats",
            hand,
            {
                "seat": pa.array(seat),
                "player": self._players(hand, seat),
                "position": columns.words(self.places.ravel()[kept], _POSITIONS),
                "hole": columns.card_lists(dealt.sum(axis=1), holes[dealt].astype(np.int8)),
                "stack_start": columns.known(start),
                "contribution": pa.array(np.round(rows[:, at.S_PUT], _DIGITS)),
                "delta": columns.known(np.where(np.isnan(gained) & ~damaged, computed, gained)),
                "written_off": columns.known(
                    np.round(rows[:, at.S_ADJUST] + rows[:, at.S_OFF], _DIGITS) + unknown
                ),
                "engine_off": columns.known(np.round(rows[:, at.S_OFF], _DIGITS) + unknown),
                "bankroll_before": columns.known(start),
                "shown": columns.constant(False, len(rows), pa.bool_()),
                "flags": pa.array(np.zeros(len(rows), np.uint64)),
                "hand_score": pa.array(
                    np.nan_to_num(rows[:, at.S_SCORE]).astype(np.int16), mask=np.isnan(rows[:, at.S_SCORE])
                ),
                "payout": pa.array(payout),
                "win_cap": columns.known(np.round(rows[:, at.S_CAP], _DIGITS)),
                "redistributed": pa.array(share),
                "win_share": pa.array(rows[:, at.S_WINS]),
                "eliminated": pa.array((state == at.OUT_AT_BUY_IN) | (state == at.OUT_AT_FLOP)),
            },
        )

    def _acts(self) -> dict[str, NDArray[Any]]:
        """Buy-ins, stubs lost, and decisions, in the order of their lines; a column each."""
        rows = self.seat_rows
        state = rows[:, at.S_STATE]
        parts = []
        paid = (state == at.IN) | (state == at.FOLDED) | (state == at.OUT_AT_FLOP)
        nothing = np.full(len(rows), np.nan)
        buy_in = np.full(len(rows), rule.BUY_IN)
        deal, out = rows[:, at.S_LINE_DEAL], rows[:, at.S_LINE_OUT]
        parts.append((paid, 0, deal, records.POST, buy_in, nothing, nothing, nothing))
        stub = rows[:, at.S_STUB]
        parts.append((state == at.OUT_AT_BUY_IN, 0, out, records.POST, stub, nothing, nothing, nothing))
        parts.append((state == at.OUT_AT_FLOP, 1, out, records.POST, stub, nothing, nothing, nothing))
        before = np.ones(len(rows))
        has = rows[:, at.S_START] - rule.BUY_IN
        for street in (1, 2, 3):
            prob, bet = rows[:, at.S_PROB_1 + street - 1], rows[:, at.S_BET_1 + street - 1]
            line = rows[:, at.S_LINE_1 + street - 1]
            chance = np.round(prob / 100, _DIGITS)
            low, high = rule.LIMITS[street - 1]
            least, most = np.fmin(low * before, has), np.fmin(high * before, has)
            bets = ~np.isnan(bet)
            parts.append((bets, street, line, records.PLAY, bet, chance, least, most))
            if street == 1:
                folds = ~np.isnan(prob) & (state == at.FOLDED)
                parts.append((folds, street, line, records.FOLD, nothing, chance, least, most))
            before, has = bet, has - np.nan_to_num(bet)
        picked = [np.nonzero(mask)[0] for mask, *_ in parts]
        sizes = [len(rows) for rows in picked]
        found: dict[str, NDArray[Any]] = {
            "row": np.concatenate(picked),
            "street": np.repeat([part[1] for part in parts], sizes).astype(np.int8),
            "action": np.repeat([part[3] for part in parts], sizes),
        }
        for name, k in (("line", 2), ("amount", 4), ("win_prob", 5), ("least", 6), ("most", 7)):
            found[name] = np.concatenate([part[k][at_] for part, at_ in zip(parts, picked, strict=True)])  # type: ignore[index]
        order = np.lexsort((found["line"], found["row"] // at.PLAYERS))
        return {name: values[order] for name, values in found.items()}

    def actions(self) -> tuple[pa.Table, NDArray[np.int32]]:
        """One row a post or decision."""
        acts = self._acts()
        row = acts["row"]
        hand, size = row // at.PLAYERS, len(row)
        first = np.searchsorted(hand, hand, side="left")
        chips = np.nan_to_num(acts["amount"])
        before = np.cumsum(chips) - chips
        start = np.round(self.seat_rows[row, at.S_START], _DIGITS)
        # Chips of the player's own earlier rows of the game.
        order = np.lexsort((np.arange(size), row))
        own = np.cumsum(chips[order]) - chips[order]
        begins = np.searchsorted(row[order], row[order], side="left")
        spent = np.empty(size)
        spent[order] = own - own[begins]
        leaves = (acts["action"] == records.FOLD) | (acts["line"] == self.seat_rows[row, at.S_LINE_OUT])
        gone = np.cumsum(leaves) - leaves
        dealt = self.present.sum(axis=1)[hand]
        post = acts["action"] == records.POST
        return self._table(
            "actions",
            hand,
            {
                "line": self._lines(hand, acts["line"]),
                "act": columns.acts(
                    action=acts["action"],
                    origin=np.where(post, records.FORCED, records.CHOICE),
                    street=acts["street"],
                    seat=row % at.PLAYERS,
                    aggressor_seat=-1,
                    seq=np.arange(size) - first,
                    bet_level=0,
                    active_players=dealt - (gone - gone[first]),
                    board_no=-1,
                ),
                "raise_to": columns.known(np.round(acts["amount"], _DIGITS)),
                "pip_before": columns.constant(0.0, size, pa.float64()),
                "to_call": columns.constant(0.0, size, pa.float64()),
                "pot_before": pa.array(np.round(before - before[first], _DIGITS)),
                "stack_start": columns.known(start),
                "big_blind": columns.constant(rule.BUY_IN, size, pa.float64()),
                "stack_before": columns.known(np.round(start - spent, _DIGITS)),
                "min_raise_to": columns.known(np.round(acts["least"], _DIGITS)),
                "max_raise_to": columns.known(np.round(acts["most"], _DIGITS)),
                "win_prob": columns.known(acts["win_prob"]),
            },
        )

    def findings(self) -> tuple[pa.Table, NDArray[np.int32]]:
        """One row a finding."""
        rows = self.finds.copy()
        for figure in ("expected", "logged", "chips"):
            rows[figure] = np.round(rows[figure], _CENTS_SHOWN)
        hand = rows["hand"]
        first = np.searchsorted(hand, hand, side="left")
        names = ("rule", "kind", "verdict", "deviation", "expected", "logged", "chips", "message")
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
            | dict(zip(names, columns.judgements(rows, self.game), strict=True)),
        )
