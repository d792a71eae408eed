"""What players faced and did, and what simple plans would have won: from the moves of decoded hands, for any game.

Written from docs/definitions.md and docs/opponent.md. A bet is followed from the move that made it; nothing of the
package's SQL or kernels is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from scipy import stats

from .walked import Hand, Move, size_bin

RANKS = "AKQJT98765432"


class Choice(NamedTuple):
    """An own decision.

    level    bets and raises of the street before; blinds are one
    left     who have not folded
    risk     chips of the bet faced that the player can call, with the call it held; pot: chips before it; faced: the
             bin of its size. None without a bet
    beyond   chips of the bet faced that the player cannot call
    price    chips that the own bet or raise asks of the other, no more than that one has; made: its size in pots. None
             for other moves
    """

    move: Move
    level: int
    left: int
    risk: float | None
    pot: float | None
    faced: int | None
    beyond: float
    price: float | None
    made: float | None


def _size(move: Move, beyond: float = 0.0) -> float:
    """A bet over the pot before it; a raise over the pot after its call."""
    return (move.added - move.to_call - beyond) / (move.pot + move.to_call)


def _callable(move: Move) -> float:
    return move.to_call if move.stack is None else min(move.to_call, move.stack)


def _answered(moves: Sequence[Move]) -> float:
    """Chips beyond the call of a bet, the first move, that the richest who answers it has: of one board."""
    bet = moves[0]
    left: dict[int, float] = {}
    for move in moves[1:]:
        if (move.street, move.board) == (bet.street, 0) and move.seat != bet.seat and move.stack is not None:
            left.setdefault(move.seat, move.total - move.added + move.stack)
    return max(left.values()) - (bet.total - bet.added + bet.to_call) if left else inf


def choices(hand: Hand) -> Iterator[Choice]:
    """Every own decision of a hand, board by board."""
    for board in sorted(hand.ends):
        folded: set[int] = set()
        bet: Move | None = None
        street, level = 0, int(hand.holdem)
        moves = [move for move in hand.moves if move.board == board]
        for at, move in enumerate(moves):
            if move.street != street:
                street, level, bet = move.street, 0, None
            bold = move.kind in ("bet", "raise")
            if move.own:
                faces = bet if move.to_call > 0 else None
                # What of a bet the player has no chips for is not risked.
                beyond = max(faces.total - move.total + move.added - _callable(move), 0) if faces else 0.0
                yield Choice(
                    move=move,
                    level=level,
                    left=len(hand.positions) - len(folded),
                    risk=max(faces.added - beyond, 0) if faces else None,
                    pot=faces.pot if faces else None,
                    faced=size_bin(_size(faces, beyond)) if faces else None,
                    beyond=beyond,
                    price=min(move.added - move.to_call, _answered(moves[at:])) if bold else None,
                    made=_size(move) if bold else None,
                )
            if bold:
                bet, level = move, level + 1
            if move.kind == "fold":
                folded.add(move.seat)


def hole_class(cards: Sequence[str] | None) -> str | None:
    """AKs, AKo, AA of two cards; the ranks of one or three, the highest first; None of others."""
    if cards is None or len(cards) not in (1, 2, 3):
        return None
    ranks = "".join(sorted((card[0] for card in cards), key=RANKS.index))
    if len(cards) != 2 or ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if cards[0][1] == cards[1][1] else "o")


def last_street(game: str) -> int | None:
    """The street after which no other can follow; None where that is never known."""
    if game == "river-of-blood":
        return None
    return 0 if "kuhn" in game else 1 if "leduc" in game else 3


def answers_plans(choice: Choice, unit: float) -> dict[str, float]:
    """In bb what bluffing into a decision, and never doing so, would have won there; nothing without a bet."""
    if choice.risk is None or choice.pot is None or choice.left != 2:
        return {}
    won = choice.pot if choice.move.kind == "fold" else -choice.risk
    call = _callable(choice.move)
    # Pot odds: call / (pot + bet + call), the bet being in the pot already.
    return {"bluff": won / unit, "never_bluff": -won / unit * call / (choice.move.pot - choice.beyond + call)}


def bets_plans(choice: Choice, equity: float | None, unit: float) -> dict[str, float]:
    """In bb what calling a bet of the last street with a hand that beats bluffs alone, and folding it, would win."""
    if choice.price is None or equity is None or choice.left != 2:
        return {}
    after = choice.move.pot + choice.move.to_call + choice.price
    won = after if equity < 0.5 else -choice.price
    return {"call": won / unit, "fold": -won / unit * choice.move.pot / after}


def auc(values: Sequence[float], bluffs: Sequence[float]) -> tuple[float, float | None]:
    """P(a value bet is larger) + P(as large) / 2 over all pairs, and DeLong's variance; None with one of a kind."""
    v, b = np.array(values)[:, None], np.array(bluffs)[None, :]
    wins = (v > b) + (v == b) / 2
    if len(values) < 2 or len(bluffs) < 2:
        return float(wins.mean()), None
    spread = wins.mean(axis=1).var(ddof=1) / len(values) + wins.mean(axis=0).var(ddof=1) / len(bluffs)
    return float(wins.mean()), float(spread)


def wider_spread(spread: float, blocks: Sequence[tuple[Sequence[float], Sequence[float]]]) -> float:
    """The variance of an AUC over blocks of (values, bluffs), no less than `spread`, for an interval of 1.96 of it."""
    if len(blocks) < 2:
        return spread
    # Ranks compare as the sizes do, and much sooner where these are fractions.
    rank = {
        size: place
        for place, size in enumerate(sorted({size for both in blocks for some in both for size in some}))
    }
    values = [(block, rank[size]) for block, (some, _) in enumerate(blocks) for size in some]
    bluffs = [(block, rank[size]) for block, (_, some) in enumerate(blocks) for size in some]
    share, _ = auc([size for _, size in values], [size for _, size in bluffs])
    pulls = [0.0] * len(blocks)
    for block, size in values:
        pulls[block] += (auc([size], [other for _, other in bluffs])[0] - share) / len(values)
    for block, size in bluffs:
        pulls[block] += (auc([other for _, other in values], [size])[0] - share) / len(bluffs)
    squares = len(blocks) / (len(blocks) - 1) * sum(pull * pull for pull in pulls)
    factor = float(stats.t.ppf(0.975, len(blocks) - 1) / stats.norm.ppf(0.975))
    return max(spread, squares) * factor**2


def half_width(sums: Sequence[float], sizes: Sequence[float]) -> float | None:
    """Half the 95% interval of sum(sums) / sum(sizes) over clusters; None with one alone."""
    count, total = len(sizes), sum(sizes)
    if count < 2:
        return None
    mean = sum(sums) / total
    squares = sum((s - mean * n) ** 2 for s, n in zip(sums, sizes, strict=True))
    return float(stats.t.ppf(0.975, count - 1)) * sqrt(count / (count - 1) * squares) / total
