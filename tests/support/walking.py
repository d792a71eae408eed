"""The hands of a store as the oracle `walked` takes them, read row by row."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from oracles.holdem import RANKS, best_five
from oracles.walked import Hand, Move
from railbird.analytics.store import Store

KINDS = ("fold", "check", "call", "bet", "raise")
# Ranks that count as others, and boards too long to try every five.
BY_CHIPS = ("permutation", "river-of-blood", "hpi")
NO_WINNER = ("acpc/kuhn", "acpc/leduc", "bounty")


@dataclass(frozen=True)
class Decoded:
    """A hand and where it stands; `knows_winner`: the oracle can tell who won it."""

    match_id: int
    index: int
    game: str
    cluster: int | None
    dealer: int
    hand: Hand
    knows_winner: bool


def _moves(store: Store) -> dict[tuple[int, int], list[Move]]:
    found: dict[tuple[int, int], list[Move]] = defaultdict(list)
    columns = (
        "match_id, hand_index, coalesce(board_no, 0), street, seat, action, origin, to_call, pot_before, "
        "chips_added, amount_to, stack_before"
    )
    for match, index, board, street, seat, kind, origin, *chips in store.execute(
        f"select {columns} from actions where origin <> 'dummy' order by match_id, hand_index, seq"
    ).fetchall():
        if kind in KINDS:
            found[match, index].append(Move(board, street, seat, kind, origin == "choice", *chips))
    return found


def _strength(game: str, hole: list[str], board: list[str]) -> tuple[int, ...]:
    if game == "poker-camp":
        return (RANKS.index(hole[0][0]),)
    if game == "omaha-2016":
        return max(
            best_five([*own, *common]) for own in combinations(hole, 2) for common in combinations(board, 3)
        )
    return best_five([*hole, *board])


def _best(hand: dict[str, Any], seats: dict[int, dict[str, Any]], stay: set[int]) -> set[int]:
    if len(stay) == 1:
        return stay
    if hand["game"] in BY_CHIPS or hand["verdict"] == "unverified":
        # Where the board was not printed what was paid is all that tells.
        paid = {k: seats[k]["delta" if seats[k]["delta_written"] is None else "delta_written"] for k in stay}
        return {k for k in stay if paid[k] == max(paid.values())}
    hands = {k: _strength(hand["game"], seats[k]["hole_final"], hand["board"] or []) for k in stay}
    return {k for k in stay if hands[k] == max(hands.values())}


def _knows(hand: dict[str, Any]) -> bool:
    """Whether the oracle can tell the winner: of a hand that is unverified although its board is printed nobody can."""
    known = hand["ended_by"] is not None and (hand["verdict"] != "unverified" or not hand["board"])
    return known and not hand["game"].startswith(NO_WINNER)


def _rows(store: Store, query: str) -> list[dict[str, Any]]:
    relation = store.sql(query)
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def decoded(store: Store) -> list[Decoded]:
    """Every hand that is not damaged, Koper apart, in order."""
    moves = _moves(store)
    seats: dict[tuple[int, int], dict[int, dict[str, Any]]] = defaultdict(dict)
    for row in _rows(
        store, "select match_id, hand_index, seat, position, hole_final, delta, delta_written from seats"
    ):
        seats[row["match_id"], row["hand_index"]][row["seat"]] = row
    boards: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(store, "select * from boards order by match_id, hand_index, board_no"):
        boards[row["match_id"], row["hand_index"]].append(row)
    found = []
    hands = _rows(
        store,
        "select match_id, hand_index, hand_no, game, dealer_seat, streets, ended_by, verdict, "
        "coalesce(board_changed, board) as board from hands "
        "where verdict <> 'damaged' and game <> 'koper' order by match_id, hand_index",
    )
    for row in hands:
        key = row["match_id"], row["hand_index"]
        positions = {seat: each["position"] for seat, each in seats[key].items()}
        played = moves[key]
        if row["game"] == "blotto":
            ends = {}
            for board in boards[key]:
                paid = board["payout"]
                best = {k for k in (0, 1) if paid[k] == max(paid)}
                shown = board["ended_by"] == "showdown"
                alone = best if len(best) == 1 else set()
                ends[board["board_no"]] = (len(board["cards"]), shown, alone, best - alone)
        else:
            stay = set(positions) - {move.seat for move in played if move.kind == "fold"}
            knows = _knows(row)
            best = _best(row, seats[key], stay) if knows else set()
            alone = best if len(best) == 1 else set()
            ends = {0: (row["streets"] - 1, len(stay) > 1, alone, best - alone)}
        cluster = {"bounty": (row["hand_no"] - 1) // 25, "blotto": row["hand_index"]}.get(row["game"])
        hand = Hand(positions, played, ends, not any(name.isdigit() for name in positions.values()))
        found.append(
            Decoded(
                *key, row["game"], cluster, row["dealer_seat"], hand, row["game"] == "blotto" or _knows(row)
            )
        )
    return found
