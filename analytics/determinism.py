"""Does a bot in the same state do the same again? Pairs of its decisions in one state, street by street.

A state is what the player knew of the hand: game, position, own cards and board up to a renaming of the suits, and
every action so far with its amount; in Bounty the own rank, too. The matches before it are not in it, so a bot that
learns, plays by the score or folds once its lead is safe is found to vary, as is one that draws lots.
"""

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

from .clustered import wilson

if TYPE_CHECKING:
    import polars as pl

    from .store import Store

_KINDS: Final = ("fold", "check", "call", "bet", "raise")
_MOVES: Final = """
    select a.match_id, a.hand_index, a.street, a.seat, a.action, a.origin, a.amount_to, h.game, h.board,
        (a.seat - h.dealer_seat + h.n_players) % h.n_players as place
    from actions as a
    join hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
    join games as g on g.game = h.game and g.boards = 1
        and not (g.simultaneous or g.auctions or g.swaps or g.discards)
    where h.verdict <> 'damaged' and a.origin <> 'dummy' and ($player is null or exists (
            select 1 from players as p where p.match_id = a.match_id and p.player = $player))
    order by a.match_id, a.hand_index, a.seq
"""


def canonical(hole: list[str], board: list[str]) -> tuple[str, ...]:
    """Cards with suits named in the order in which they come; the hole cards and the flop are sets.

    Cards that differ only by names of suits become equal, but for some with pairs, which then count as two states.
    """
    names: dict[str, str] = {}
    ordered = [*sorted(hole, reverse=True), *sorted(board[:3], reverse=True), *board[3:]]
    return tuple(card[0] + names.setdefault(card[1], str(len(names))) for card in ordered)


def agreement(counts: list[Counter[Any]]) -> tuple[int, int, float, float, float]:
    """(pairs, equal pairs, share, low, high) of decisions in the same state; each counter is a state's actions.

    share = sum over states of equal pairs / sum of pairs. Its variance is the ratio estimator's with the state as the
    unit; the interval is Wilson's for the n with that variance. Raises ZeroDivisionError where no state came twice.
    """
    drawn = [
        (n * (n - 1) // 2, sum(k * (k - 1) // 2 for k in c.values())) for c in counts if (n := c.total()) > 1
    ]
    pairs, equal = sum(n for n, _ in drawn), sum(k for _, k in drawn)
    share = equal / pairs
    squares = sum((k - share * n) ** 2 for n, k in drawn)
    units = len(drawn)
    effective = float(units)
    if squares > 0 and units > 1:
        effective = min(pairs, share * (1 - share) * pairs**2 * (units - 1) / (units * squares))
    return pairs, equal, share, *wilson(share, effective)


def determinism(store: "Store", player: str | None = None) -> "pl.DataFrame":
    """How often a player does the same in the same state; a row for each player and street with such states.

    Columns: event, game, player, seat (namesake_seat of view players), street, states (met at least twice), decisions
    (in them), pairs (of decisions in one state), equal (of those, with the same action), rate (equal / pairs), low,
    high (95%, states as the unit), always (states whose decisions are all equal). A bet or raise is the same where its
    amount is. Only choices are compared. Games whose cards change or whose boards share a stack are left out.
    """
    import polars as pl

    seats = {
        row[:3]: row[3:]
        for row in store.sql("select match_id, hand_index, seat, hole, bounty_rank from seats").fetchall()
    }
    people = {
        row[:2]: row[2:]
        for row in store.sql("select match_id, seat, event, player, namesake_seat from players").fetchall()
    }
    tallies: dict[Any, dict[Any, Counter[Any]]] = defaultdict(lambda: defaultdict(Counter))
    hand: tuple[int, int] | None = None
    history: list[tuple[int, str, float | None]] = []
    for match, index, street, seat, kind, origin, amount, game, board, place in store.sql(
        _MOVES, player=player
    ).fetchall():
        if (match, index) != hand:
            hand, history = (match, index), []
        event, name, namesake = people[match, seat]
        if origin == "choice" and kind in _KINDS and player in (None, name):
            hole, rank = seats[match, index, seat]
            dealt = board[: street + 2] if street and board else []
            state = (place, rank, canonical(hole, dealt), tuple(history))
            done = (kind, amount if kind in ("bet", "raise") else None)
            tallies[event, game, name, namesake, street][state][done] += 1
        history.append((street, kind, amount))
    rows = []
    for key in sorted(tallies, key=lambda key: (*key[:3], -1 if key[3] is None else key[3], key[4])):
        again = [counts for counts in tallies[key].values() if counts.total() > 1]
        if again:
            pairs, equal, share, low, high = agreement(again)
            decisions, always = sum(c.total() for c in again), sum(len(c) == 1 for c in again)
            rows.append((*key, len(again), decisions, pairs, equal, share, low, high, always))
    columns = (
        "event",
        "game",
        "player",
        "seat",
        "street",
        "states",
        "decisions",
        "pairs",
        "equal",
        "rate",
        "low",
        "high",
    )
    kinds = [pl.String, pl.String, pl.String, pl.Int8, pl.Int8, *[pl.Int64] * 4, *[pl.Float64] * 3, pl.Int64]
    return pl.DataFrame(rows, dict(zip((*columns, "always"), kinds, strict=True)), orient="row")
