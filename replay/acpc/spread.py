"""From rows to columns: what Arrow wants of the kernel's rows of seats and actions, in one compiled pass each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel, part
from ...parsers.reading import room
from .. import act_bits, records
from ..action_columns import ActionColumns
from . import state as s

STACK, BOUNDS, AMOUNT = 1, 2, 4
"""What of an action does not follow from its match: a bit each."""


@bundle
class ToldColumns(NamedTuple):
    """The columns of `actions` for what does not follow from the match, and where one is null."""

    printed: NDArray[np.float64]
    no_printed: NDArray[np.bool_]
    stack: NDArray[np.float64]
    no_stack: NDArray[np.bool_]
    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    no_raise: NDArray[np.bool_]
    follows: NDArray[np.bool_]


@bundle
class SeatColumns(NamedTuple):
    """The columns of `seats`, NaN for null, and the match's place."""

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seat: NDArray[np.int8]
    player: NDArray[np.int32]
    position: NDArray[np.int32]
    card_count: NDArray[np.int32]
    stack: NDArray[np.float64]
    put: NDArray[np.float64]
    delta: NDArray[np.float64]
    off: NDArray[np.float64]
    bank: NDArray[np.float64]
    shown: NDArray[np.bool_]
    flags: NDArray[np.uint64]
    match: NDArray[np.int32]


# Arrow takes the arrays over, so they are made anew each time.


def told_columns(size: int) -> ToldColumns:
    """Room for so many rows."""
    kinds = ("f8", "?", "f8", "?", "f8", "f8", "?", "?")
    return ToldColumns(*room((size, kind) for kind in kinds))


def seat_columns(size: int) -> SeatColumns:
    """Room for so many rows."""
    kinds = ("u8", "i4", "i1", "i4", "i4", "i4", *5 * ("f8",), "?", "u8", "i4")
    return SeatColumns(*room((size, kind) for kind in kinds))


@part
def _bounds_follow(game: NDArray[np.int64], row: NDArray[np.void], follows: bool) -> bool:
    """True where `relations/actions.sql` derives a row's legal bounds from its match.

    follows  so does its stack
    """
    pip, to_call, street = row["pip"], row["to_call"], row["street"]
    lowest = highest = s.NONE
    if not game[s.NOLIMIT]:
        if row["level"] < game[s.RAISE_CAP + street]:
            lowest = highest = pip + to_call + game[s.RAISE_SIZE + street]
    elif game[s.HAS_STACKS]:
        left = game[s.STACK] - row["spent"]
        if not follows:
            return False
        if left > to_call:
            highest = pip + left
            lowest = min(pip + to_call + max(to_call, game[s.BIG_BLIND]), highest)
    same: bool = row["lowest"] == lowest and row["highest"] == highest
    return same


@kernel
def spread_actions(
    rows: NDArray[np.void],
    hands: NDArray[np.void],
    index: NDArray[np.int32],
    ids: NDArray[np.uint64],
    bases: NDArray[np.int64],
    game_of: NDArray[np.int64],
    games: NDArray[np.int64],
    out: ActionColumns,
    told: NDArray[np.uint8],
) -> int:
    """Fill the columns; returns the bits that any row has in told.

    rows           (actions,) `state.ACTION`
    hands          (hands,) `state.HAND`
    index          (hands,) the hand's number in its match
    ids, bases     (matches,) the match's id, the line above its body
    game_of        (matches,) row of games
    games          (games, DEFINITION_SIZE) definitions
    told           (actions,) out: what of the action does not follow from its match (STACK, BOUNDS, AMOUNT)
    """
    any_told = 0
    for hand in range(len(hands)):
        match = hands[hand]["match"]
        game = games[max(game_of[match], 0)]
        limited, nolimit = game[s.HAS_STACKS] != 0, game[s.NOLIMIT] != 0
        even = game[s.EVEN] != 0
        line = hands[hand]["line"] + bases[match]
        last = hands[hand + 1]["first_act"] if hand + 1 < len(hands) else len(rows)
        for k in range(hands[hand]["first_act"], last):
            row = rows[k]
            out.match_id[k] = ids[match]
            out.hand_index[k] = index[hand]
            out.line[k] = line
            out.act[k] = act_bits.of_row(row, row["active"])
            out.raise_to[k] = row["raise_to"]
            out.no_raise[k] = row["raise_to"] == s.NONE
            out.pip[k] = row["pip"]
            out.to_call[k] = row["to_call"]
            out.pot[k] = row["pot"]
            out.match[k] = match
            # As `relations/actions.sql` derives it: two players who have put in as much, but for what is to call.
            follows = not limited or (even and 2 * row["spent"] == row["pot"] - row["to_call"])
            bits = 0 if follows else STACK
            if row["action"] != records.POST and not _bounds_follow(game, row, follows):
                bits |= BOUNDS
            if nolimit and not (limited and even) and row["raise_to"] != s.NONE:
                bits |= AMOUNT
            told[k] = bits
            any_told |= bits
    return any_told


@kernel
def spread_told(
    rows: NDArray[np.void],
    hands: NDArray[np.void],
    game_of: NDArray[np.int64],
    games: NDArray[np.int64],
    told: NDArray[np.uint8],
    out: ToldColumns,
) -> None:
    """Fill the columns; as for `spread_actions`, told being what that filled."""
    for k in range(len(rows)):
        row, bits = rows[k], told[k]
        out.no_printed[k] = not bits & AMOUNT
        out.no_stack[k] = not bits & STACK
        out.follows[k] = not bits & BOUNDS
        out.no_raise[k] = out.follows[k] or row["highest"] == s.NONE
        if bits == 0:
            # What lies under nulls is looked at as well where chips are to be whole (`storage.whole`).
            out.printed[k] = out.stack[k] = out.lowest[k] = out.highest[k] = 0.0
            continue
        out.printed[k] = row["raise_to"] + row["spent"] - row["pip"]
        out.stack[k] = games[game_of[hands[row["hand"]]["match"]], s.STACK + row["position"]] - row["spent"]
        out.lowest[k] = row["lowest"]
        out.highest[k] = row["highest"]


@kernel
def spread_seats(
    rows: NDArray[np.void],
    hands: NDArray[np.void],
    index: NDArray[np.int32],
    ids: NDArray[np.uint64],
    first_name: NDArray[np.int64],
    players: NDArray[np.int32],
    positions: NDArray[np.int32],
    out: SeatColumns,
) -> None:
    """Fill the columns.

    rows           (seats,) `state.SEAT`
    hands, index, ids  as for `spread_actions`
    first_name     (matches,) where each match's names begin in players and positions
    players        codes of the names by seat; positions: of the positions' names
    """
    for k in range(len(rows)):
        row = rows[k]
        hand = row["hand"]
        match = hands[hand]["match"]
        first = first_name[match]
        out.match_id[k] = ids[match]
        out.hand_index[k] = index[hand]
        out.seat[k] = row["seat"]
        out.player[k] = players[first + row["seat"]]
        out.position[k] = positions[first + row["position"]]
        out.card_count[k] = row["hole_count"]
        out.stack[k] = row["stack"]
        out.put[k] = row["put"]
        out.delta[k] = row["delta"]
        out.off[k] = row["written"] - row["delta"] + 0.0
        out.bank[k] = row["bank"]
        out.shown[k] = row["shown"] > 0
        out.flags[k] = row["flags"]
        out.match[k] = match
