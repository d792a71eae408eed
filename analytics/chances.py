"""Who wins how often from a point of a hand on, and the chips that makes: arrays of hands through the kernels."""

import os
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..replay.equity import counting, preflop
from ..replay.equity.runouts import NO_RUN, Found
from . import payoffs
from .dealt import Dealt

_CHUNK: Final = 128
_FULL: Final = 52

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass
class Point:
    """Hands of one group at one moment, on one board.

    rows      of the group; stage: the street whose hole cards are held; size: cards on the board
    inside    (m, p) who has not folded; put: (m, p) chips put in
    run       River of Blood: cards of the board beyond the fifth that are followed, NO_RUN elsewhere
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
    """Of each hand of a point and each seat, NaN for who has folded: (m, p) each.

    share   of the pot, 0 to 1; value: chips gained if everybody only checks
    unseen  equity against two unseen cards, NaN where it was not asked for
    """

    share: Floats
    value: Floats
    unseen: Floats


def outcome(dealt: Dealt, point: Point, unseen: bool = False) -> Outcome:
    """Count what may follow."""
    shape = point.inside.shape
    found = Outcome(*(np.full(shape, np.nan) for _ in range(3)))
    for members, at in _groups(point.inside):
        _fill(dealt, point, members, at, found, unseen)
    return found


def _groups(inside: NDArray[np.bool_]) -> Iterator[tuple[list[int], Rows]]:
    """Hands with the same players inside: their seats, and the places of the hands."""
    sets = (inside << np.arange(inside.shape[1])).sum(axis=1)
    for each in np.unique(sets).tolist():
        yield [k for k in range(inside.shape[1]) if each >> k & 1], np.flatnonzero(sets == each)


def _fill(dealt: Dealt, point: Point, members: list[int], at: Rows, found: Outcome, unseen: bool) -> None:
    rows, put, inside = point.rows[at], point.put[at], point.inside[at]
    cards = dealt.held[point.stage][point.board][rows][:, members]
    who, chips = payoffs.pots(put, inside)
    bounty = dealt.game.bounties
    # A pot that one player alone can win needs no counting.
    pots = who[:, :1] if len(members) == 2 else who

    def count(some: Rows) -> list[Floats]:
        return _count(dealt, point, rows[some], members, pots[some], bounty, unseen)

    if pots.shape[1] == 1:
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
        won, tied = payoffs.bounty_hits(cards, ranks, wins[:, 0], hits)
        lying = dealt.board[point.board][rows][:, : point.size]
        both = payoffs.both_hit(cards, lying, ranks, wins[:, 0], tied)
        value = payoffs.bounty_value(wins[:, 0], won, tied, both, put.min(axis=1), dealer)
        value[(ranks < 0).any(axis=1)] = np.nan
    elif dealt.game.auctions:
        value = payoffs.auction_value(wins[:, 0], put, dealer)
        # Shares may differ, and the winner has the whole pot.
        share = shares[:, 0] * total[:, None]
    elif dealt.game.free_chips is not None:
        free = dealt.game.free_chips[point.board] * float(dealt.unit[0])
        value = payoffs.blotto_value(wins[:, 0], put, free)
    elif dealt.game.win_cap is not None:
        value = payoffs.koper_value(wins[:, 0], put, inside)[:, members]
        share = value + put[:, members]
    else:
        value = payoffs.pot_value(shares, chips, put[:, members])
    found.value[place] = value
    with np.errstate(invalid="ignore"):
        found.share[place] = share / total[:, None]


def _remembered(
    dealt: Dealt, key: Hashable, rows: Rows, count: Callable[[Rows], list[Floats]]
) -> list[Floats]:
    """What is counted of some rows, each row of one key once: a street's end is the next one's beginning."""
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
    """Hole cards that somebody has seen and nobody inside holds: who folded keeps his, exchanged ones stay away."""
    seen = [dealt.dealt_to[rows].reshape(len(rows), -1)]
    if dealt.game.swaps or dealt.game.auctions:
        seen += [held[point.board][rows].reshape(len(rows), -1) for held in dealt.held[: point.stage + 1]]
    every = np.concatenate(seen, axis=1)
    dead = np.where((every[:, :, None] == known[:, None, :]).any(axis=2), -1, every)
    dead = -np.sort(-dead, axis=1)
    most = int((dead >= 0).sum(axis=1).max(initial=0))
    return dead[:, : max(most, 1)]


def _given_up(dealt: Dealt, point: Point, rows: Rows, members: list[int]) -> NDArray[np.int8] | None:
    """Swap: (n, players, cards) codes of what each held before and holds no more."""
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
    """[wins, hits, unseen] of the kernels; of two players before the flop from the table of matchups."""
    n, players = len(rows), len(members)
    cards = dealt.held[point.stage][point.board][rows][:, members]
    board = dealt.board[point.board][rows][:, : point.size]
    dead = _dead(dealt, point, rows, np.concatenate([cards.reshape(n, -1), board], axis=1))
    due = 5 if dealt.game.runs else max(dealt.shape.boards)
    standard = len(dealt.shape.deck) == _FULL and dealt.shape.hole_cards in (2, 6) and due == 5
    unseen = unseen and dealt.shape.hole_cards >= 2
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
