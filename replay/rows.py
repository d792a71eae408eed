"""Assembles the tables of `schema.columns` from the rows that kernels write (`records`), for all games."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..jit.bundles import bundle
from ..jit.compile import kernel, part
from ..parsers import events
from ..parsers.reading import Scanned
from ..schema.columns import WORD, assembled
from ..schema.words import CARD_CHANGES, ENDINGS, FAULT_KINDS, STREETS_AND_RUNS, VERDICTS
from . import columns, records
from .cards import RANKS
from .findings import NOT_CHECKED, UNKNOWN_GAME
from .games import Game
from .outcome import MatchInfo, Tables
from .records import MOST_SEATS, Sheets

WINDOW: Final = 1 << 18
"""Rows of actions and seats per window, in whole hands: as columns, Arrow arrays and row groups they take many times
the memory of rows. Chunks of most logs have fewer, so their tables are made in one window."""

_FAULT_TEXTS: Final = tuple(events.FAULT_TEXTS.get(code, "") for code in range(events.LAST_FAULT + 1))
_FAULT_KINDS: Final = np.full(int(events.LAST_FAULT) + 1, -1, np.int32)
for _code, _kind in events.FAULT_KINDS.items():
    _FAULT_KINDS[_code] = FAULT_KINDS.index(_kind)


@bundle
class SeatColumns(NamedTuple):
    """Columns of `seats` by their names, as `columns.filled` takes them, codes of names, and the match's place.

    Those of `records.SEAT_COLUMNS` are taken from the rows as they are.
    """

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seat: NDArray[np.int8]
    player: NDArray[np.int32]
    position: NDArray[np.int32]
    stack_start: NDArray[np.float64]
    contribution: NDArray[np.float64]
    written_off: NDArray[np.float64]
    engine_off: NDArray[np.float64]
    bounty_rank: NDArray[np.int32]
    bounty_hit: NDArray[np.bool_]
    bankroll_before: NDArray[np.float64]
    flags: NDArray[np.uint64]
    match: NDArray[np.int32]


@bundle
class ActionColumns(NamedTuple):
    """The columns of `actions` by their names, as `columns.filled` takes them, and the match's place.

    Words are places in their vocabulary; a number below 0 is null, of chips NaN.
    """

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seq: NDArray[np.int16]
    line: NDArray[np.int64]
    board_no: NDArray[np.int8]
    street: NDArray[np.int8]
    seat: NDArray[np.int8]
    action: NDArray[np.int8]
    origin: NDArray[np.int8]
    amount_printed: NDArray[np.float64]
    raise_to: NDArray[np.float64]
    pip_before: NDArray[np.float64]
    to_call: NDArray[np.float64]
    street_pot: NDArray[np.float64]
    pot_before: NDArray[np.float64]
    stack_before: NDArray[np.float64]
    opponent_stack: NDArray[np.float64]
    has_bounds: NDArray[np.bool_]
    min_raise_to: NDArray[np.float64]
    max_raise_to: NDArray[np.float64]
    bet_level: NDArray[np.int16]
    active_players: NDArray[np.int8]
    win_prob: NDArray[np.float64]
    match: NDArray[np.int32]


@bundle
class MatchColumns(NamedTuple):
    """Values that rows copy from their match: one entry per match, except players and positions.

    first_name  where each match's names begin in players and positions: codes of names by seat, and by position
    base        the line above its body
    pots_of_two, totals  as in `MatchFacts`
    even        pots of two in which stacks follow from pots (`find_uneven`)
    """

    match_id: NDArray[np.uint64]
    base: NDArray[np.int64]
    stack: NDArray[np.float64]
    pots_of_two: NDArray[np.bool_]
    even: NDArray[np.bool_]
    totals: NDArray[np.bool_]
    first_name: NDArray[np.int64]
    players: NDArray[np.int32]
    positions: NDArray[np.int32]


@part
def _even(row: np.void) -> float:
    """The contribution of each of two players before an action if their earlier streets were equal."""
    # As `relations/actions.sql` derives it.
    even: float = 0.0 if row["action"] == records.POST else 0.5 * (row["pot"] - row["to_call"])
    return even


@kernel
def find_uneven(rows: NDArray[np.void], hands: NDArray[np.void], even: NDArray[np.bool_]) -> None:
    """Set `even` to False for matches in which two players put in different amounts on earlier streets of a hand."""
    for k in range(len(rows)):
        row = rows[k]
        if row["own"] != _even(row):
            even[hands[row["hand"]]["match"]] = False


@kernel
def spread_actions(
    rows: NDArray[np.void],
    limits: NDArray[np.void],
    hands: NDArray[np.void],
    seats: NDArray[np.void],
    index: NDArray[np.int32],
    matches: MatchColumns,
    starts: NDArray[np.float64],
    first_row: int,
    out: ActionColumns,
) -> None:
    """Fill the columns; those of no rows are left out.

    rows, limits, hands, seats  `records`; rows, limits: some of all, in order
    first_row                   how many rows there are before them
    index                       (hands,) the hand's number in its match
    starts                      (MOST_SEATS,) scratch
    """
    has_boards, has_others = len(out.board_no) > 0, len(out.opponent_stack) > 0
    has_bounds, has_chances = len(out.min_raise_to) > 0, len(out.win_prob) > 0
    before, limit, match = -1, 0, 0
    for k in range(len(rows)):
        row = rows[k]
        hand = row["hand"]
        if hand != before:
            before, match = hand, hands[hand]["match"]
            first = hands[hand]["first_seat"]
            for place in range(first, first + hands[hand]["players"]):
                stack = seats[place]["stack"]
                starts[seats[place]["seat"]] = matches.stack[match] if np.isnan(stack) else stack
        seat, amount, bids = row["seat"], row["raise_to"], row["action"] == records.BID
        out.match_id[k], out.hand_index[k] = matches.match_id[match], index[hand]
        out.line[k], out.match[k] = row["line"] + matches.base[match], match
        out.seq[k], out.street[k], out.seat[k] = row["seq"], row["street"], seat
        out.action[k], out.origin[k] = row["action"], row["origin"]
        out.bet_level[k], out.active_players[k] = row["level"], row["active"]
        pip, to_call, pot = row["pip"], row["to_call"], row["pot"]
        out.pip_before[k], out.to_call[k] = pip, to_call
        printed = amount if bids else np.nan
        if matches.totals[match]:
            printed = amount + row["own"] - row["pip"]
        out.amount_printed[k] = printed
        out.raise_to[k] = np.nan if bids else amount
        out.street_pot[k] = pot - 2 * pip - to_call if matches.pots_of_two[match] else np.nan
        out.pot_before[k] = np.nan if matches.pots_of_two[match] else pot
        # A game without stacks has NaN.
        out.stack_before[k] = np.nan if matches.even[match] else starts[seat] - row["own"]
        out.has_bounds[k] = False
        if has_boards:
            out.board_no[k] = row["board"] if row["board"] > 0 else -1
        if has_others:
            out.opponent_stack[k] = np.nan
        if has_bounds:
            out.min_raise_to[k] = out.max_raise_to[k] = np.nan
        if has_chances:
            out.win_prob[k] = np.nan
        if limit < len(limits) and limits[limit]["act"] == first_row + k:
            more = limits[limit]
            limit += 1
            if not np.isnan(more["stack"]):
                out.stack_before[k] = more["stack"]
            if has_others:
                out.opponent_stack[k] = more["other"]
            if has_bounds:
                out.has_bounds[k] = more["told"] > 0
                out.min_raise_to[k], out.max_raise_to[k] = more["lowest"], more["highest"]
            if has_chances:
                out.win_prob[k] = more["chance"]


@kernel
def spread_seats(
    hands: NDArray[np.void],
    rows: NDArray[np.void],
    index: NDArray[np.int32],
    matches: MatchColumns,
    first_row: int,
    out: SeatColumns,
) -> None:
    """Fill the columns, of `records.SEAT`; those of no rows are left out. As for `spread_actions`.

    hands, index  of the rows' hands alone
    """
    has_bounties = len(out.bounty_rank) > 0
    for hand in range(len(hands)):
        match, first = hands[hand]["match"], hands[hand]["first_seat"] - first_row
        name = matches.first_name[match]
        for k in range(first, first + hands[hand]["players"]):
            row = rows[k]
            stack, delta = row["stack"], row["delta"]
            out.match_id[k], out.hand_index[k], out.match[k] = matches.match_id[match], index[hand], match
            out.seat[k] = row["seat"]
            out.player[k] = matches.players[name + row["seat"]]
            out.position[k] = matches.positions[name + row["position"]]
            out.stack_start[k] = matches.stack[match] if np.isnan(stack) else stack
            out.contribution[k] = row["put"]
            # Adding 0.0 turns -0.0 into 0.0.
            out.written_off[k], out.engine_off[k] = row["written"] - delta + 0.0, row["engine"] - delta + 0.0
            if has_bounties:
                out.bounty_rank[k], out.bounty_hit[k] = row["rank"], row["hit"] > 0
            out.bankroll_before[k] = row["bank"]
            out.flags[k] = row["flags"]


@dataclass(frozen=True)
class MatchFacts:
    """Facts about a match that the tables need and its rows lack.

    game         its name
    positions    the names of the positions, one a player
    stack        each player's stack at the start of a hand, if the row has none; NaN: no stacks, or unknown
    pots_of_two  two players at one board, of even stacks: `relations/actions.sql` derives pots and stacks
    even         of pots of two: False if other rows of the match than those given are uneven (`find_uneven`)
    totals       the log prints the chips of the whole hand, and the player's stack is unknown
    unknown      why the game is unknown, "" if it is known
    hidden       hole cards that the log does not print were not seen: they are null
    answers      the file with the players' answers, if it is another file: negative lines of faults refer to it
    """

    game: str
    positions: Sequence[str]
    stack: float
    pots_of_two: bool = True
    totals: bool = False
    unknown: str = ""
    hidden: bool = False
    answers: int = 0
    even: bool = True


class Faults(NamedTuple):
    """Columns of `faults`: rows of hands by their place, -1 for one that the log lacks; text: places in texts."""

    match: NDArray[np.int32]
    hand: NDArray[np.int64]
    file_id: NDArray[np.uint64]
    line: NDArray[np.int64]
    seat: NDArray[np.int8]
    kind: NDArray[np.int32]
    text: NDArray[np.int32]
    texts: Sequence[str]

    def taken(self, rows: slice | NDArray[np.intp]) -> "Faults":
        """Some of the rows."""
        arrays = {name: column[rows] for name, column in self._asdict().items() if name != "texts"}
        return self._replace(**arrays)


class Assembler:
    """The tables of some matches replayed together, of some hands after the others (`windows`).

    A table has the schema of its name in `schema.columns`.
    """

    def __init__(
        self,
        game: Game,
        sheets: Sheets,
        infos: Sequence[MatchInfo],
        facts: Sequence[MatchFacts],
        scanned: Scanned,
        lacks: Collection[str] = ("undealt", "rake"),
        faults: Faults | None = None,
    ) -> None:
        """Gather what all tables share; infos and facts have an entry a match.

        scanned what fault rows point into, and its pool
        lacks   columns of `hands` that the game has not
        faults  those from outside the log, if any
        """
        self.game, self.sheets, self.facts, self.lacks = game, sheets, facts, lacks
        self.text, self.pool = scanned.events.text, scanned.pool
        self.hand_rows = sheets.hands[: sheets.used[records.HANDS]]
        players = int(self.hand_rows["players"].sum(dtype=np.int64))
        if players != sheets.used[records.SEATS]:
            # The kernels below would access memory outside their arrays.
            raise records.RoomError(
                f"{game.name}: {sheets.used[records.SEATS]} rows of players for hands of {players}"
            )
        self.match_of = np.ascontiguousarray(self.hand_rows["match"])
        first = sheets.matches["first_hand"]
        self.index = np.arange(len(self.hand_rows), dtype=np.int32) - first[self.match_of]
        self.files = np.array([info.file_id for info in infos], np.uint64)
        self.names = sorted({name for info in infos for name in info.players})
        self.positions = sorted({name for one in facts for name in one.positions})
        name, position = ({word: k for k, word in enumerate(words)} for words in (self.names, self.positions))
        sizes = [len(info.players) for info in infos]
        self.matches = MatchColumns(
            np.array([info.match_id for info in infos], np.uint64),
            np.array([info.line_base for info in infos], np.int64),
            np.array([one.stack for one in facts], np.float64),
            np.array([one.pots_of_two for one in facts], np.bool_),
            np.array([one.pots_of_two and one.even for one in facts], np.bool_),
            np.array([one.totals for one in facts], np.bool_),
            np.cumsum([0, *sizes[:-1]]),
            np.array([name[word] for info in infos for word in info.players], np.int32),
            np.array([position[word] for one in facts for word in one.positions], np.int32),
        )
        self._match_rows: dict[str, NDArray[np.int32]] = {}
        if self.matches.even.any():
            find_uneven(sheets.actions[: sheets.used[records.ACTS]], self.hand_rows, self.matches.even)
        found = self._faults_of_log() if faults is None else faults
        # A fault of a hand that the log lacks is stored with the last hand of the match.
        last = np.clip(first + sheets.matches["hands"] - 1, 0, max(len(self.hand_rows) - 1, 0))
        hands = np.where(found.hand < 0, last[found.match], found.hand)
        order = np.argsort(hands, kind="stable")
        self._faults, self._fault_hands = found.taken(order), hands[order]
        self._findings = sheets.findings[: sheets.used[records.FINDINGS]]
        if (self._findings["hand"][1:] < self._findings["hand"][:-1]).any():
            self._findings = self._findings[np.argsort(self._findings["hand"], kind="stable")]

    def windows(self) -> Iterator[Tables]:
        """Every table, of some hands after the others (WINDOW); for each row the match's place."""
        self._cards = Counter[str]()
        for first, last in pairwise(self._bounds()):
            self._first, self._last = first, last
            found = {
                "hands": self.hands(),
                "seats": self.seats(),
                "actions": self.actions(),
                "faults": self.faults(),
                "findings": self.findings(),
            }
            if self.sheets.used[records.CHANGES]:
                found["changes"] = self.changes()
            if self.sheets.used[records.POTS]:
                found["boards"] = self.boards()
            yield {name: (table, self._match_rows[name]) for name, table in found.items()} | self.more()

    def more(self) -> Tables:
        """A family's further tables, for the hands from row `_first` up to, not including, row `_last`."""
        return {}

    def _bounds(self) -> list[int]:
        """The first hand of each window, and the end of the last; windows are about equally large."""
        if not len(self.hand_rows):
            return [0, 0]
        before = self.hand_rows["first_act"].astype(np.int64) + self.hand_rows["first_seat"]
        count = -(-int(self.sheets.used[records.ACTS] + self.sheets.used[records.SEATS]) // WINDOW)
        cuts = np.searchsorted(before, np.arange(1, count) * (int(before[-1]) / count), side="left")
        return [0, *np.unique(cuts[cuts > 0]).tolist(), len(before)]

    def _of_hands(self, name: str, table: int) -> NDArray[np.void]:
        """The window's rows of a table that is sorted by hand."""
        rows: NDArray[np.void] = getattr(self.sheets, name)[: self.sheets.used[table]]
        # NumPy's search would copy all hands.
        first, last = (bisect_left(rows["hand"], hand) for hand in (self._first, self._last))
        return rows[first:last]

    def _pool(self, name: str, counts: NDArray[Any]) -> NDArray[Any]:
        """The next elements of a pool, which rows with these counts own, after those of earlier windows."""
        at = self._cards[name]
        self._cards[name] += int(counts.sum(dtype=np.int64))
        pool: NDArray[Any] = getattr(self.sheets, name)
        return pool[at : self._cards[name]]

    def _card_lists(self, counts: NDArray[Any], name: str) -> pa.Array:
        """Lists of the cards that follow in a pool."""
        return columns.card_lists(counts, self._pool(name, counts))

    def _nulls_where_empty(self, counts: NDArray[Any], name: str) -> pa.Array:
        """The same, null where they have none, or of which a card is not known."""
        lists = columns.changed_lists(counts, self._pool(name, counts))
        return pa.ListArray.from_arrays(lists.offsets, lists.values, mask=pa.array(counts == 0))

    def _lines(self, hand: NDArray[Any], line: NDArray[Any]) -> pa.Array:
        return pa.array(line.astype(np.int64) + self.matches.base[self.match_of[hand]])

    def _players(self, match: NDArray[Any], seat: NDArray[Any]) -> pa.Array:
        codes = self.matches.players[self.matches.first_name[match] + np.maximum(seat, 0)]
        return columns.words(codes, self.names, seat < 0)

    def _table(self, name: str, hand: NDArray[Any], given: Mapping[str, pa.Array]) -> pa.Table:
        self._match_rows[name] = self.match_of[hand]
        keys = {
            "match_id": pa.array(self.matches.match_id[self.match_of[hand]]),
            "hand_index": pa.array(self.index[hand]),
        }
        return assembled(name, keys | dict(given))

    def _games(self) -> pa.Array:
        names = [one.game for one in self.facts]
        vocabulary = sorted(set(names))
        if len(vocabulary) == 1:
            return columns.constant(vocabulary[0], self._last - self._first, WORD)
        codes = np.array([vocabulary.index(name) for name in names], np.int32)
        return columns.words(codes[self.match_of[self._first : self._last]], vocabulary)

    def hands(self) -> pa.Table:
        """One row a hand."""
        rows, sheets = self.hand_rows[self._first : self._last], self.sheets
        every = np.arange(self._first, self._last)
        given = {
            "hand_no": pa.array(rows["number"]),
            "line": self._lines(every, rows["line"]),
            "game": self._games(),
            "dealer_seat": columns.seats(rows["dealer"]),
            "n_players": pa.array(rows["players"]),
            "streets": pa.array(rows["streets"]),
            "ended_by": columns.few(rows["ended_by"], ENDINGS),
            "board": self._card_lists(rows["board_count"], "board"),
            "verdict": columns.few(rows["verdict"], VERDICTS),
            "deviations": columns.sets_of_deviations(self.game, rows["deviations"]),
        }
        if "card_lines" not in self.lacks:
            given["card_lines"] = columns.card_lines(
                rows["line_count"], self._pool("card_lines", rows["line_count"])
            )
        if "rake" not in self.lacks:
            given["rake"] = columns.known(rows["rake"])
        if "undealt" not in self.lacks:
            given["undealt"] = self._card_lists(rows["undealt_count"], "undealt")
        if sheets.used[records.BOARD_FINALS]:
            given["board_changed"] = self._nulls_where_empty(rows["board_final_count"], "board_finals")
        return self._table("hands", every, given)

    def seats(self) -> pa.Table:
        """One row a hand and player."""
        sheets = self.sheets
        hands, index = self.hand_rows[self._first : self._last], self.index[self._first : self._last]
        first = int(hands["first_seat"][0]) if len(hands) else 0
        rows = sheets.seats[first : first + int(hands["players"].sum(dtype=np.int64))]
        has_bounties = bool((rows["rank"] >= 0).any())
        without = () if has_bounties else ("bounty_rank", "bounty_hit")
        out = columns.columns_room(SeatColumns, len(rows), self.pool, without)
        spread_seats(hands, rows, index, self.matches, first, out)
        self._match_rows["seats"] = out.match
        told = {
            "player": columns.coded(pa.array(out.player), self.names),
            "position": columns.coded(pa.array(out.position), self.positions),
            "hole": self._card_lists(rows["hole_count"], "holes"),
        }
        hidden = np.array([one.hidden for one in self.facts])[out.match] & (rows["hole_count"] == 0)
        if hidden.any():
            lists = told["hole"]
            told["hole"] = pa.ListArray.from_arrays(lists.offsets, lists.values, mask=pa.array(hidden))
        if has_bounties:
            no_rank = out.bounty_rank < 0
            told["bounty_rank"] = columns.coded(pa.array(out.bounty_rank, mask=no_rank), RANKS)
            told["bounty_hit"] = pa.array(out.bounty_hit, mask=no_rank)
        if sheets.used[records.FINALS]:
            told["hole_changed"] = self._nulls_where_empty(rows["final_count"], "finals")
        prizes = sheets.prizes[: sheets.used[records.PRIZES]][first : first + len(rows)]
        given = out._asdict() | {
            column.name: np.ascontiguousarray(rows[column.name]) for column in records.SEAT_COLUMNS
        }
        given |= {name: prizes[name] for name in prizes.dtype.names or () if len(prizes)}
        return assembled("seats", columns.filled("seats", given) | told)

    def actions(self) -> pa.Table:
        """One row a forced post or a decision, of games with several boards one a board."""
        sheets = self.sheets
        rows = self._of_hands("actions", records.ACTS)
        before = int(self.hand_rows["first_act"][self._first]) if len(rows) else 0
        limits = sheets.limits[: sheets.used[records.LIMITS]]
        limits = limits[slice(*(bisect_left(limits["act"], at) for at in (before, before + len(rows))))]
        without = [] if sheets.used[records.POTS] else ["board_no", "opponent_stack"]
        if not limits["told"].any():
            without += ["min_raise_to", "max_raise_to"]
        if not sheets.used[records.PRIZES]:
            without.append("win_prob")
        out = columns.columns_room(ActionColumns, len(rows), self.pool, without)
        starts = np.zeros(MOST_SEATS)
        spread_actions(
            rows, limits, self.hand_rows, sheets.seats, self.index, self.matches, starts, before, out
        )
        self._match_rows["actions"] = out.match
        return assembled("actions", columns.filled("actions", out._asdict()))

    def changes(self) -> pa.Table:
        """One row a player whose hole cards changed, each time."""
        rows = self._of_hands("changes", records.CHANGES)
        return self._table(
            "changes",
            rows["hand"],
            {
                "line": self._lines(rows["hand"], rows["line"]),
                "street": columns.few(rows["street"], STREETS_AND_RUNS),
                "seat": columns.seats(rows["seat"]),
                "kind": columns.few(rows["kind"], CARD_CHANGES),
                "cards": columns.changed_lists(rows["count"], self._pool("changed", rows["count"])),
            },
        )

    def boards(self) -> pa.Table:
        """One row a hand and board, of games with several."""
        rows = self._of_hands("pots", records.POTS)
        two = np.full(len(rows), 2, np.int32)

        def pairs(first: str, second: str) -> NDArray[Any]:
            return np.stack((rows[first], rows[second]), axis=1).ravel()

        sent = self._nulls_where_empty(pairs("hole_0", "hole_1"), "pot_holes")
        return self._table(
            "boards",
            rows["hand"],
            {
                "board_no": pa.array(rows["board"]),
                "cards": self._card_lists(rows["cards"], "pot_cards"),
                "pot": pa.array(rows["pot"]),
                "pot_inflation": pa.array(rows["free"]),
                "ended_by": columns.few(rows["ended_by"], ENDINGS),
                "hole": columns.lists(two, sent),
                "contribution": columns.lists(two, columns.known(pairs("put_0", "put_1"))),
                "payout": columns.lists(two, columns.known(pairs("paid_0", "paid_1"))),
            },
        )

    def cards_of_boards(
        self, hands: NDArray[np.int64], cards: NDArray[np.int8]
    ) -> tuple[pa.Table, NDArray[np.int32]]:
        """As `boards`, of hands with two boards that share each pot: the cards alone, which follow one another."""
        rows = self.hand_rows[hands]
        numbers = np.tile(np.array([1, 2], np.int8), len(hands))
        table = self._table(
            "boards",
            np.repeat(hands, 2),
            {
                "board_no": pa.array(numbers),
                "cards": columns.card_lists(np.repeat(rows["board_count"], 2), cards),
                "ended_by": columns.few(np.repeat(rows["ended_by"], 2), ENDINGS),
            },
        )
        return table, self._match_rows["boards"]

    def _faults_of_log(self) -> Faults:
        """The faults in the sheets; the text is the bot's own words, or the kind and amount of its answer."""
        rows = self.sheets.faults[: self.sheets.used[records.FAULTS]]
        texts, which = list(_FAULT_TEXTS), rows["code"].astype(np.int32)
        own = (rows["text_size"] > 0) | np.isin(rows["code"], events.FAULTS_WITH_AMOUNTS)
        for k in np.flatnonzero(own).tolist():
            at, size = int(rows["text_at"][k]), int(rows["text_size"][k])
            said = self.text[at : at + size].tobytes()
            texts.append(columns.clean(said) if size else f"{_FAULT_TEXTS[which[k]]} {at}")
            which[k] = len(texts) - 1
        match = self.match_of[rows["hand"]]
        elsewhere = rows["line"] < 0
        others = np.array([one.answers for one in self.facts], np.uint64)
        return Faults(
            match,
            rows["hand"].astype(np.int64),
            np.where(elsewhere, others[match], self.files[match]),
            np.where(elsewhere, -rows["line"], rows["line"] + self.matches.base[match]),
            rows["seat"],
            _FAULT_KINDS[rows["code"]],
            which,
            texts,
        )

    def faults(self) -> pa.Table:
        """One row a fault; a hand that the log lacks has the index that follows the last."""
        some = slice(*np.searchsorted(self._fault_hands, (self._first, self._last)).tolist())
        rows = self._faults.taken(some)
        said, text = np.unique(rows.text, return_inverse=True)
        texts = [rows.texts[k] for k in said.tolist()]
        self._match_rows["faults"] = rows.match
        index = self.sheets.matches["hands"][rows.match].astype(np.int32)
        index[rows.hand >= 0] = self.index[rows.hand[rows.hand >= 0]]
        return assembled(
            "faults",
            {
                "match_id": pa.array(self.matches.match_id[rows.match]),
                "hand_index": pa.array(index),
                "file_id": pa.array(rows.file_id),
                "line": pa.array(rows.line),
                "seat": columns.seats(rows.seat),
                "player": self._players(rows.match, rows.seat),
                "kind": columns.few(rows.kind, FAULT_KINDS),
                "text": columns.words(text, texts),
            },
        )

    def _reasons(self, rows: NDArray[np.void], messages: pa.Array) -> pa.Array:
        """The messages; for unknown games, the reason instead."""
        matches = self.match_of[rows["hand"]].tolist()
        unknown = (rows["rule"] == UNKNOWN_GAME).tolist()
        said = zip(messages.to_pylist(), unknown, matches, strict=True)
        texts = [self.facts[m].unknown if is_it else text for text, is_it, m in said]
        return pa.array(texts, pa.string()).dictionary_encode().cast(WORD)

    def _own_reasons(
        self, own: NDArray[np.bool_], at: NDArray[np.float64], sizes: NDArray[np.float64], messages: pa.Array
    ) -> pa.Array:
        """The messages, replaced by a line of the hand if there is one. at, sizes: offset and length of that text."""
        texts = messages.to_pylist()
        whole, clean = self.text.data, lru_cache(64)(columns.clean)
        where = np.flatnonzero(own)
        firsts = at[where].astype(np.int64)
        lasts = firsts + sizes[where].astype(np.int64)
        # Many hands have the same reason.
        for k, first, last in zip(where.tolist(), firsts.tolist(), lasts.tolist(), strict=True):
            texts[k] = clean(whole[first:last].tobytes())
        return pa.array(texts, pa.string()).dictionary_encode().cast(WORD)

    def findings(self) -> pa.Table:
        """One row a finding, in the order of the hands."""
        rows = self._findings
        rows = rows[slice(*(bisect_left(rows["hand"], at) for at in (self._first, self._last)))]
        hand = rows["hand"]
        first, match = np.searchsorted(hand, hand, side="left"), self.match_of[hand]
        reasons = rows["rule"] == NOT_CHECKED
        where = rows["expected"].copy(), rows["logged"].copy()
        if reasons.any():
            # Its figures are the offset and length of its text.
            rows = rows.copy()
            rows["expected"][reasons] = rows["logged"][reasons] = 0.0
        rule = columns.judgements(rows, self.game, self.matches.stack[match])
        if reasons.any():
            rule["message"] = self._own_reasons(reasons, *where, rule["message"])
        if (rows["rule"] == UNKNOWN_GAME).any():
            rule["message"] = self._reasons(rows, rule["message"])
        return self._table(
            "findings",
            hand,
            {
                "seq": pa.array((np.arange(len(rows)) - first).astype(np.int16)),
                "file_id": pa.array(self.files[match]),
                "line": self._lines(hand, rows["line"]),
                "seat": columns.seats(rows["seat"]),
                "player": self._players(match, rows["seat"]),
                **rule,
            },
        )
