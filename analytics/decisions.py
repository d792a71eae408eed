"""What each decision did to what every seat could expect, the luck of the cards left out.

The value of a state is the chips gained if from there on everybody only checked, with all cards that have come and all
hands known, under the payout of the written rules (docs/luck.md). Cards change it between streets, decisions within
one: a fold gives the pot away, a call puts more of it at stake.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..replay.equity.runouts import NO_RUN
from . import payoffs
from .chances import Point, outcome
from .dealt import Dealt, groups_of, read
from .people import Asked
from .rules import rules_of

if TYPE_CHECKING:
    import polars as pl

_LOOK: Final = 2
_GROUP: Final = 8_000


def decision_values(store: Asked, match_ids: Sequence[int]) -> "pl.DataFrame":
    """The change of value that each decision makes for each seat; a Polars frame.

    Columns: match_id, hand_index, seq, board_no (Blotto, else null), seat (who acts), valued_seat, before, after: chips
    that the valued seat gains if from here on everybody only checks. Only own choices (`origin = 'choice'`) are in it.
    A bet or raise changes nothing until it is called; a fold and a call do. Hands whose cards are not sound, those of
    verdict damaged, all of Auction and Toss, and bids and discards are left out.
    """
    import polars as pl

    parts: list[pl.DataFrame] = []
    for game, group in groups_of(store, match_ids, _GROUP):
        rules = rules_of(store, game)
        # Where cards are bid for or discarded, hands before the flop are not those that are played with.
        dealt = None if rules.auctions or rules.discards else read(store, game, list(group))
        if dealt is not None:
            parts += [pl.DataFrame(columns) for columns in _values(store, dealt)]
    kinds = pl.Schema({
        "match_id": pl.UInt64, "hand_index": pl.Int32, "seq": pl.Int16, "board_no": pl.Int8, "seat": pl.Int8,
        "valued_seat": pl.Int8, "before": pl.Float64, "after": pl.Float64,
    })  # fmt: skip
    found = pl.concat([part.cast(kinds) for part in parts]) if parts else pl.DataFrame(schema=kinds)
    return found.sort("match_id", "hand_index", "seq", "valued_seat")


def _values(store: Asked, dealt: Dealt) -> Iterator[dict[str, NDArray[Any]]]:
    acts = store.sql("""
        select r.row, a.seq, coalesce(a.board_no, 1) - 1 as board, a.street, a.seat, a.action, a.origin, a.chips_added
        from _rows r join actions a using (match_id, hand_index)
        order by r.row, a.seq""").pl()
    row, board = acts["row"].to_numpy(), acts["board"].to_numpy()
    seat, street = acts["seat"].to_numpy().astype(np.int64), acts["street"].to_numpy().astype(np.int64)
    n, p = len(acts), dealt.present.shape[1]
    added, gone = np.zeros((n, p)), np.zeros((n, p), np.bool_)
    added[np.arange(n), seat] = acts["chips_added"].to_numpy()
    gone[np.arange(n), seat] = (acts["action"] == "fold").to_numpy()
    key = row * 4 + board
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    put, left = np.empty((n, p)), np.empty((n, p), np.bool_)
    for into, what in ((put, added), (left, gone)):
        run = np.cumsum(what[order], axis=0, dtype=np.float64)
        base = np.repeat(run[starts] - what[order][starts], np.diff(starts, append=n), axis=0)
        into[order] = run - base
    after_in = dealt.present[row] & ~left
    before_in = after_in | (gone & dealt.present[row])
    mine = (
        (acts["origin"] == "choice") & acts["action"].is_in(["fold", "call", "check", "bet", "raise", "play"])
    ).to_numpy()
    mine &= dealt.sound[board, row] & before_in[np.arange(n), seat]
    mine &= (
        dealt.on_board[board, row]
        >= np.array(dealt.shape.boards)[np.minimum(street, len(dealt.shape.boards) - 1)]
    )
    at = np.flatnonzero(mine)
    if not len(at):
        return
    states = (
        (put - added, before_in),
        (put, after_in),
    )
    before, after = (
        _state_values(dealt, row[at], board[at], street[at], chips[at], inside[at])
        for chips, inside in states
    )
    which, valued = np.nonzero(dealt.present[row[at]] & np.isfinite(before) & np.isfinite(after))
    picked = at[which]
    several = len(dealt.board) > 1
    yield {
        "match_id": dealt.match_id[row[picked]],
        "hand_index": dealt.hand_index[row[picked]],
        "seq": acts["seq"].to_numpy()[picked],
        "board_no": board[picked] + 1 if several else np.full(len(picked), None, object),
        "seat": seat[picked],
        "valued_seat": valued,
        "before": before[which, valued],
        "after": after[which, valued],
    }


def _state_values(
    dealt: Dealt,
    row: NDArray[np.int64],
    board: NDArray[np.int64],
    street: NDArray[np.int64],
    put: NDArray[np.float64],
    inside: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """(n, p) the value of states: of those that one player has to himself, the pot; where all folded, a part each."""
    value = np.where(dealt.present[row], -put, np.nan)
    alone = inside.sum(axis=1) == 1
    free = np.array(dealt.game.free_chips or [0.0] * len(dealt.board))
    pot = put.sum(axis=1) + free[board] * dealt.unit[row]
    value[alone] += np.where(inside[alone], pot[alone][:, None], 0.0)
    nobody = ~inside.any(axis=1)
    value[nobody] += (pot[nobody] / dealt.present[row[nobody]].sum(axis=1))[:, None]
    alone |= nobody
    if dealt.game.bounties and alone.any():
        value[alone] = _bounty_alone(dealt, row[alone], street[alone], put[alone], inside[alone])
    for each in np.unique(street[~alone]).tolist():
        size = dealt.shape.boards[each]
        run = max(size - 5, 0) + _LOOK if dealt.game.runs and size else NO_RUN
        for table in range(len(dealt.board)):
            at = np.flatnonzero(~alone & (street == each) & (board == table))
            if len(at):
                point = Point(table, row[at], min(each, len(dealt.held) - 1), size, inside[at], put[at], run)
                value[at] = np.where(inside[at], outcome(dealt, point).value, value[at])
    return value


def _bounty_alone(
    dealt: Dealt,
    row: NDArray[np.int64],
    street: NDArray[np.int64],
    put: NDArray[np.float64],
    inside: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """(n, 2) what a fold pays in Bounty: the winner's rank counts among his cards and the board dealt so far."""
    winner = inside.argmax(axis=1)
    every = np.arange(len(row))
    lying = np.arange(dealt.board.shape[2]) < np.array(dealt.shape.boards)[street][:, None]
    board = np.where(lying, dealt.board[0][row], -1)
    cards = np.concatenate([dealt.held[0][0][row, winner], board], axis=1)
    rank = dealt.ranks[row, winner]
    hit = ((cards >= 0) & (cards >> 2 == rank[:, None])).any(axis=1)
    wins, hits = np.zeros((len(row), 4)), np.zeros((len(row), 2))
    wins[every, 1 << winner] = 1.0
    hits[every, winner] = hit
    no_split = np.zeros_like(hits)
    value = payoffs.bounty_value(
        wins, hits, no_split, no_split[:, 0], put[every, 1 - winner], dealt.dealer[row]
    )
    value[rank < 0] = np.nan
    return value
