"""What a hand is worth at any point: each player's share of the pots, and the chips that makes if all only check.

Payouts follow the written rules of the game. `decision_values` compares the value before and after each decision with
all cards and hands known (docs/luck.md). Cards change the value between streets, decisions within one: a fold gives the
pot away, a call puts more of it at stake.
"""

import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..replay import payouts
from ..replay.equity import counting, preflop
from ..replay.equity.runouts import NO_RUN, Found
from ..replay.koper import game as koper
from .hand_arrays import Dealt, groups_of, read
from .players import Asked, rules_of

if TYPE_CHECKING:
    import polars as pl

Floats = NDArray[np.float64]

_FLOP: Final = 3
_TURNS_AND_RIVERS: Final = comb(45, 2)
"""Pairs of turn and river cards after the flop, in any order."""


def pots(put: Floats, inside: NDArray[np.bool_]) -> tuple[NDArray[np.int64], Floats]:
    """The players who can win each pot, and its chips.

    put     (n, p) chips put in by all players; inside: (n, p) players who have not folded
    Returns (n, pots) sets of players, a bit each among those inside in the order of seats, 0 after the last pot; and
    (n, pots) chips. Each level of chips reached by players inside makes a pot, with the folded players' chips in it.
    """
    n, p = put.shape
    members = inside.sum(axis=1)
    bit = np.where(inside, np.cumsum(inside, axis=1) - 1, 0)
    levels = np.sort(np.where(inside, put, np.inf), axis=1)
    found, chips = np.zeros((n, p), np.int64), np.zeros((n, p))
    below, used = np.zeros(n), np.zeros(n, np.int64)
    for k in range(p):
        level = levels[:, k]
        last = members == k + 1
        more = np.isfinite(level) & ((level > below) | (last & (used == 0)))
        # Chips of folded players beyond the last level belong to the last pot.
        top = np.where(last, np.inf, level)
        size = (np.minimum(put, top[:, None]) - np.minimum(put, below[:, None])).sum(axis=1)
        reach = inside & (put >= level[:, None])
        rows = np.flatnonzero(more)
        found[rows, used[rows]] = (reach[rows] << bit[rows]).sum(axis=1)
        chips[rows, used[rows]] = size[rows]
        used[rows] += 1
        below = np.where(more, level, below)
    width = max(int(used.max(initial=1)), 1)
    return found[:, :width], chips[:, :width]


def pot_value(shares: Floats, chips: Floats, put: Floats) -> Floats:
    """Chips gained: (n, pots, p) shares of pots, (n, pots) their chips, (n, p) what each player put in."""
    found: Floats = (shares * chips[:, :, None]).sum(axis=1) - put
    return found


@lru_cache(1 << 14)
def _bounty_awards(chips: float) -> tuple[float, float, float, float]:
    """The dealer's gain: a win with its bounty hit, a win without; a split with only its own, only the other's hit."""
    return (
        payouts.with_bounties(0, 1, chips, True, False, 0),
        payouts.with_bounties(0, 1, chips, False, False, 0),
        payouts.with_bounties(0, 0, chips, True, False, 0),
        payouts.with_bounties(0, 0, chips, False, True, 0),
    )


@lru_cache(1 << 14)
def _bounty_losses(chips: float) -> tuple[float, float]:
    """The dealer's gain (negative) when the opponent wins with its bounty hit, and without."""
    return payouts.with_bounties(0, -1, chips, False, True, 0), payouts.with_bounties(
        0, -1, chips, False, False, 0
    )


def bounty_value(
    wins: Floats, hit: Floats, tie_hit: Floats, both: Floats, chips: Floats, dealer: NDArray[np.int64]
) -> Floats:
    """(n, 2) chips gained in Bounty, under the payout of the written rules.

    wins      (n, 4) probabilities of the sets of winners; hit: (n, 2) of a win with the seat's bounty hit
    tie_hit   (n, 2) of a split with the seat's bounty hit; both: (n) of a split with both hit, which pays nothing
    chips     (n) chips that each player put in; dealer: (n) seat
    """
    rows = np.arange(len(wins))
    places, inverse = np.unique(chips, return_inverse=True)
    gains = np.array([(*_bounty_awards(x), *_bounty_losses(x)) for x in places.tolist()])[inverse]
    mine, other = dealer, 1 - dealer
    win, lose = wins[rows, 1 << mine], wins[rows, 1 << other]
    value = (
        hit[rows, mine] * gains[:, 0]
        + (win - hit[rows, mine]) * gains[:, 1]
        + (tie_hit[rows, mine] - both) * gains[:, 2]
        + (tie_hit[rows, other] - both) * gains[:, 3]
        + hit[rows, other] * gains[:, 4]
        + (lose - hit[rows, other]) * gains[:, 5]
    )
    found = np.stack([value, -value], axis=1)
    return np.where(dealer[:, None] == 0, found, -found)


def bounty_hits(
    holes: NDArray[np.int8], ranks: NDArray[np.int64], wins: Floats, hits: Floats
) -> tuple[Floats, Floats]:
    """(n, 2) probabilities of a win, and of a split, with the seat's bounty among its cards or the board.

    hits  (n, 4, 13) of each set of winners with each rank on the board; holes: (n, 2, cards) codes; ranks: (n, 2)
    """
    rows = np.arange(len(wins))
    won: list[Floats] = []
    tied: list[Floats] = []
    for seat in range(2):
        rank = ranks[:, seat]
        own = (holes[:, seat] >> 2 == rank[:, None]).any(axis=1)
        for places, into in ((1 << seat, won), (3, tied)):
            into.append(np.where(own, wins[:, places], hits[rows, places, np.maximum(rank, 0)]))
    return np.stack(won, axis=1), np.stack(tied, axis=1)


def both_hit(
    holes: NDArray[np.int8], board: NDArray[np.int8], ranks: NDArray[np.int64], wins: Floats, tied: Floats
) -> Floats:
    """(n) probabilities of a split with both bounties hit.

    holes   (n, 2, cards) codes; board: (n, cards) codes dealt so far; ranks: (n, 2)
    wins    (n, 4) probabilities of the sets of winners; tied: (n, 2) of a split with the seat's bounty hit

    Exact from the flop on. Before the flop, splits in which both ranks come with the board and no player holds one are
    left out: less than a hundredth of all hands.
    """
    lying = np.concatenate([holes, np.repeat(board[:, None], 2, axis=1)], axis=2)
    one, other = ((lying >> 2 == ranks[:, :, None]) & (lying >= 0)).any(axis=2).T
    same = ranks[:, 0] == ranks[:, 1]
    found = np.where(one, tied[:, 1], np.where(other | same, tied[:, 0], 0.0))
    if board.shape[1] == _FLOP:
        open_ = np.flatnonzero(~one & ~other & ~same & (wins[:, 3] > 0) & (ranks >= 0).all(axis=1))
        found[open_] = _both_come(holes[open_], board[open_], ranks[open_])
    return found


def _both_come(holes: NDArray[np.int8], flop: NDArray[np.int8], ranks: NDArray[np.int64]) -> Floats:
    """(n) probabilities that turn and river bring both ranks, neither on the flop, and the pot is split."""
    suits = np.arange(4)
    one = (4 * ranks[:, 0, None] + np.repeat(suits, 4)).astype(np.int8)
    other = (4 * ranks[:, 1, None] + np.tile(suits, 4)).astype(np.int8)
    row = np.repeat(np.arange(len(ranks)), 16)
    boards = np.concatenate([flop[row], one.reshape(-1, 1), other.reshape(-1, 1)], axis=1)
    tied = counting.count(counting.situations(holes[row], boards)).wins[:, 0, 3]
    chances: Floats = tied.reshape(-1, 16).sum(axis=1) / _TURNS_AND_RIVERS
    return chances


def bounty_before_deal(ranks: NDArray[np.int64], chips: Floats, dealer: NDArray[np.int64]) -> Floats:
    """(n, 2) chips gained in Bounty before the deal, with known ranks: the mean over all deals.

    Splits with both bounties hit are counted as paid, because their frequency is unknown: an error of 0.01 chips.
    """
    means = preflop.sums()
    tie = preflop.tie_chance()
    wins = np.tile([0.0, (1 - tie) / 2, (1 - tie) / 2, tie], (len(ranks), 1))
    both = np.zeros(len(ranks))
    return bounty_value(wins, means.win_hit[ranks], means.tie_hit[ranks], both, chips, dealer)


def auction_value(wins: Floats, put: Floats, dealer: NDArray[np.int64]) -> Floats:
    """(n, 2) chips gained in Auction, where players may put in different amounts; wins: (n, 4) as above."""
    rows = np.arange(len(wins))
    own, other = put[rows, dealer], put[rows, 1 - dealer]
    pairs, inverse = np.unique(np.stack([own, other], axis=1), axis=0, return_inverse=True)
    awards = [[payouts.uneven(sign, x, y) for sign in (1, -1, 0)] for x, y in pairs.tolist()]
    gains = np.array(awards).reshape(-1, 3)[inverse.reshape(-1)]
    value = (
        wins[rows, 1 << dealer] * gains[:, 0]
        + wins[rows, 2 >> dealer] * gains[:, 1]
        + wins[:, 3] * gains[:, 2]
    )
    found = np.stack([value, -value], axis=1)
    return np.where(dealer[:, None] == 0, found, -found)


def blotto_value(wins: Floats, put: Floats, inflation: float) -> Floats:
    """(n, 2) chips gained on a board of Blotto: the winner takes the pot; the odd chip of a split is lost."""
    pot = put.sum(axis=1) + inflation
    half = np.floor(pot / 2)
    found: Floats = wins[:, 1:3] * pot[:, None] + (wins[:, 3] * half)[:, None] - put
    return found


def koper_value(wins: Floats, put: Floats, inside: NDArray[np.bool_]) -> Floats:
    """(n, p) chips gained in Koper: prizes up to the cap; the rest is shared equally by all who did not fold.

    wins    (n, 2 ** members) probabilities of the sets of winners among those inside; put, inside: (n, p)
    Every row has the same players inside.
    """
    seats = np.flatnonzero(inside[0]) if len(inside) else np.zeros(0, np.int64)
    found = -put
    pot = put.sum(axis=1)
    for winners in range(1, wins.shape[1]):
        chance = wins[:, winners]
        rows = np.flatnonzero(chance)
        if not len(rows):
            continue
        members = [int(seat) for k, seat in enumerate(seats) if winners >> k & 1]
        left = pot[rows].copy()
        for seat in members:
            paid: Any = [
                koper.prize(pot[row], len(members), koper.win_cap(put[row, seat])) for row in rows.tolist()
            ]
            found[rows, seat] += chance[rows] * paid
            left -= paid
        found[np.ix_(rows, seats)] += (chance[rows] * left / len(seats))[:, None]
    return found


_CHUNK: Final = 128
_FULL: Final = 52

Rows = NDArray[np.int64]


@dataclass
class Point:
    """Hands of one group at one moment, on one board.

    rows      rows of the group; stage: the street whose hole cards are held; size: cards on the board
    inside    (m, p) players who have not folded; put: (m, p) chips put in
    run       River of Blood: run cards that are followed beyond the fifth board card; NO_RUN elsewhere
    """

    board: int
    rows: Rows
    stage: int
    size: int
    inside: NDArray[np.bool_]
    put: Floats
    run: int = NO_RUN


@dataclass
class Outcome:
    """The outcome of each hand of a point, (m, p) by seat, NaN for folded players.

    share   share of the pot, 0 to 1; value: chips gained if all players only check
    unseen  equity against two unseen cards, NaN if not requested
    """

    share: Floats
    value: Floats
    unseen: Floats


def outcome(dealt: Dealt, point: Point, unseen: bool = False) -> Outcome:
    """The outcomes of a point, by exact enumeration."""
    shape = point.inside.shape
    found = Outcome(*(np.full(shape, np.nan) for _ in range(3)))
    for members, at in _groups(point.inside):
        _fill(dealt, point, members, at, found, unseen)
    return found


def _groups(inside: NDArray[np.bool_]) -> Iterator[tuple[list[int], Rows]]:
    """Groups of hands with the same players inside: their seats, and the indices of the hands."""
    sets = (inside << np.arange(inside.shape[1])).sum(axis=1)
    for each in np.unique(sets).tolist():
        yield [k for k in range(inside.shape[1]) if each >> k & 1], np.flatnonzero(sets == each)


def _fill(dealt: Dealt, point: Point, members: list[int], at: Rows, found: Outcome, unseen: bool) -> None:
    rows, put, inside = point.rows[at], point.put[at], point.inside[at]
    cards = dealt.held[point.stage][point.board][rows][:, members]
    who, chips = pots(put, inside)
    bounty = dealt.game.bounties
    # A pot that only one player can win needs no enumeration.
    counted = who[:, :1] if len(members) == 2 else who

    def count(some: Rows) -> list[Floats]:
        return _count(dealt, point, rows[some], members, counted[some], bounty, unseen)

    if counted.shape[1] == 1:
        stage = next(k for k, held in enumerate(dealt.held) if held is dealt.held[point.stage])
        key = (point.board, stage, point.size, point.run, *members)
        wins, hits, own = _remembered(dealt, key, rows, count)
    else:
        wins, hits, own = count(np.arange(len(rows)))
    shares = np.zeros((len(rows), who.shape[1], len(members)))
    for pot in range(who.shape[1]):
        if pot < wins.shape[1]:
            shares[:, pot] = counting.shares(wins[:, pot])
        else:
            shares[:, pot] = who[:, pot, None] >> np.arange(len(members)) & 1
    total = chips.sum(axis=1)
    place = np.ix_(at, np.array(members))
    share = (shares * chips[:, :, None]).sum(axis=1)
    found.unseen[place] = own
    dealer = dealt.dealer[rows]
    if bounty:
        ranks = dealt.ranks[rows]
        won, tied = bounty_hits(cards, ranks, wins[:, 0], hits)
        lying = dealt.board[point.board][rows][:, : point.size]
        both = both_hit(cards, lying, ranks, wins[:, 0], tied)
        value = bounty_value(wins[:, 0], won, tied, both, put.min(axis=1), dealer)
        value[(ranks < 0).any(axis=1)] = np.nan
    elif dealt.game.auctions:
        value = auction_value(wins[:, 0], put, dealer)
        # Players may have put in different amounts; the winner takes the whole pot.
        share = shares[:, 0] * total[:, None]
    elif dealt.game.free_chips is not None:
        free = dealt.game.free_chips[point.board] * float(dealt.unit[0])
        value = blotto_value(wins[:, 0], put, free)
    elif dealt.game.win_cap is not None:
        value = koper_value(wins[:, 0], put, inside)[:, members]
        share = value + put[:, members]
    else:
        value = pot_value(shares, chips, put[:, members])
    found.value[place] = value
    with np.errstate(invalid="ignore"):
        found.share[place] = share / total[:, None]


def _remembered(
    dealt: Dealt, key: Hashable, rows: Rows, count: Callable[[Rows], list[Floats]]
) -> list[Floats]:
    """Counted results of some rows, each once per key: the end of a street is the start of the next."""
    place, kept = dealt.known.get(key, (np.full(len(dealt.match_id), -1), []))
    missing = np.flatnonzero(place[rows] < 0)
    missing = missing[np.unique(rows[missing], return_index=True)[1]]
    if len(missing) or not kept:
        fresh = count(missing)
        place[rows[missing]] = (len(kept[0]) if kept else 0) + np.arange(len(missing))
        kept = [np.concatenate(pair) for pair in zip(kept, fresh, strict=True)] if kept else fresh
        dealt.known[key] = place, kept
    return [figures[place[rows]] for figures in kept]


def _dead(dealt: Dealt, point: Point, rows: Rows, known: NDArray[np.int8]) -> NDArray[np.int8]:
    """Dealt hole cards that no player inside holds: those of folded players, and exchanged ones."""
    seen = [dealt.dealt_to[rows].reshape(len(rows), -1)]
    if dealt.game.swaps or dealt.game.auctions:
        seen += [held[point.board][rows].reshape(len(rows), -1) for held in dealt.held[: point.stage + 1]]
    every = np.concatenate(seen, axis=1)
    dead = np.where((every[:, :, None] == known[:, None, :]).any(axis=2), -1, every)
    dead = -np.sort(-dead, axis=1)
    most = int((dead >= 0).sum(axis=1).max(initial=0))
    return dead[:, : max(most, 1)]


def _given_up(dealt: Dealt, point: Point, rows: Rows, members: list[int]) -> NDArray[np.int8] | None:
    """Swap: (n, players, cards) codes of cards that a player held before and has exchanged."""
    if not dealt.game.swaps:
        return None
    stages = [held[point.board][rows][:, members] for held in dealt.held[: point.stage + 1]]
    before = np.concatenate(stages[:-1] or [stages[-1][:, :, :0]], axis=2)
    kept = (before[..., None] == stages[-1][:, :, None, :]).any(axis=3)
    return np.where(kept, np.int8(-1), before)


def _count(
    dealt: Dealt,
    point: Point,
    rows: Rows,
    members: list[int],
    pots: NDArray[np.int64],
    hits: bool,
    unseen: bool,
) -> list[Floats]:
    """[wins, hits, unseen] from the kernels; for two players before the flop from the table of matchups."""
    n, players = len(rows), len(members)
    cards = dealt.held[point.stage][point.board][rows][:, members]
    board = dealt.board[point.board][rows][:, : point.size]
    dead = _dead(dealt, point, rows, np.concatenate([cards.reshape(n, -1), board], axis=1))
    due = 5 if dealt.game.runs else max(dealt.shape.boards)
    standard = len(dealt.shape.deck) == _FULL and dealt.shape.hole_cards in (2, 6) and due == 5
    # Unseen hands are of two cards.
    held = (cards >= 0).sum(axis=2).max(initial=0)
    unseen = unseen and dealt.shape.hole_cards >= 2 and (held <= 2 or dealt.game.auctions)
    own = np.full((n, players), np.nan)
    if not point.size and standard and unseen:
        own = preflop.against_unseen(cards[:, :, :2].reshape(-1, 2)).reshape(n, players)
    if not point.size and standard and players == 2 and (dead < 0).all():
        table = preflop.matchups(cards[:, :, :2], threads=os.cpu_count() or 1)
        wins = np.pad(table.wins, ((0, 0), (1, 0)))[:, None]
        return [wins, np.pad(table.hits, ((0, 0), (1, 0), (0, 0))) if hits else np.zeros((n, 0, 13)), own]
    deck = counting.deck_mask(dealt.shape.deck)
    given_up = _given_up(dealt, point, rows, members)

    def part(first: int) -> Found:
        some = slice(first, first + _CHUNK)
        given = counting.situations(
            cards[some],
            board[some],
            dead=dead[some],
            given_up=None if given_up is None else given_up[some],
            due=max(due, point.size),
            run=point.run,
            pots=pots[some],
        )
        return counting.count(given, hits=hits, unseen=unseen and bool(point.size), deck=deck)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        try:
            parts = list(pool.map(part, range(0, max(n, 1), _CHUNK)))
        finally:
            pool.shutdown(cancel_futures=True)
    wins = np.concatenate([one.wins for one in parts])
    counted = np.concatenate([one.hits for one in parts]) if hits else np.zeros((n, 0, 13))
    if unseen and point.size:
        own = np.concatenate([one.unseen for one in parts])
    return [wins, counted, own]


_LOOK: Final = 2


def point_of(dealt: Dealt, board: int, rows: Rows, stage: int, size: int) -> Point:
    """Hands at one moment on one board, with both players in for one chip each."""
    shape = (len(rows), dealt.present.shape[1])
    run = max(size - 5, 0) + _LOOK if dealt.game.runs and size else NO_RUN
    return Point(board, rows, stage, size, np.ones(shape, np.bool_), np.ones(shape), run)


_GROUP: Final = 8_000


def decision_values(store: Asked, match_ids: Sequence[int]) -> "pl.DataFrame":
    """The change of value that each decision makes for each seat; a Polars frame.

    Columns: match_id, hand_index, seq, board_no (Blotto, else null), seat (the actor), valued_seat, before, after:
    chips that the valued seat gains if all players only check from here. Only own decisions (`origin = 'choice'`) are
    listed. A bet or raise changes no value until it is called; folds and calls do. Hands with unknown or repeated
    cards, damaged hands, all hands of Auction, Toss and Anaconda, and bids, discards and passes are left out.
    """
    import polars as pl

    parts: list[pl.DataFrame] = []
    for game, group in groups_of(store, match_ids, _GROUP):
        rules = rules_of(store, game)
        # With auctions or discards, the hands before the flop are not the final ones.
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
    states = ((put - added, before_in), (put, after_in))
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
    """(n, p) the value of states; a player left alone has the pot, and if all folded each has an equal share."""
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
    """(n, 2) the payout of a fold in Bounty: the winner's rank counts among its cards and the board dealt so far."""
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
    value = bounty_value(wins, hits, no_split, no_split[:, 0], put[every, 1 - winner], dealt.dealer[row])
    value[rank < 0] = np.nan
    return value
