"""From rows to columns: what Arrow wants of the kernel's rows of seats and actions, in one compiled pass each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import kernel, part
from .. import records
from ..action_columns import ActionColumns, fill_action, fill_pot_of_two
from . import state as s


@bundle
class SeatColumns(NamedTuple):
    """The columns of `seats` by their names, as `columns.filled` takes them, codes of names, and the match's place."""

    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    seat: NDArray[np.int8]
    player: NDArray[np.int32]
    position: NDArray[np.int32]
    card_count: NDArray[np.int32]
    stack_start: NDArray[np.float64]
    contribution: NDArray[np.float64]
    delta: NDArray[np.float64]
    written_off: NDArray[np.float64]
    engine_off: NDArray[np.float64]
    bankroll_before: NDArray[np.float64]
    shown: NDArray[np.bool_]
    flags: NDArray[np.uint64]
    match: NDArray[np.int32]


@part
def _bounds_follow(game: np.void, row: NDArray[np.void], follows: bool) -> bool:
    """True where `relations/actions.sql` derives a row's legal bounds from its match.

    follows  so does its stack
    """
    pip, to_call, street = row["pip"], row["to_call"], row["street"]
    lowest = highest = s.NONE
    if not game["nolimit"]:
        if row["level"] < game["raise_cap"][street]:
            lowest = highest = pip + to_call + game["raise_size"][street]
    elif game["has_stacks"]:
        left = game["stack"][0] - row["spent"]
        if not follows:
            return False
        if left > to_call:
            highest = pip + left
            lowest = min(pip + to_call + max(to_call, game["big_blind"]), highest)
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
    games: NDArray[np.void],
    out: ActionColumns,
) -> None:
    """Fill the columns.

    rows           (actions,) `state.ACTION`
    hands          (hands,) `state.HAND`
    index          (hands,) the hand's number in its match
    ids, bases     (matches,) the match's id, the line above its body
    game_of        (matches,) row of games
    games          `state.DEFINITION`
    """
    for hand in range(len(hands)):
        match = hands[hand]["match"]
        game = games[max(game_of[match], 0)]
        limited, nolimit = game["has_stacks"] != 0, game["nolimit"] != 0
        even = game["even_stacks"] != 0
        line = hands[hand]["line"] + bases[match]
        last = hands[hand + 1]["first_act"] if hand + 1 < len(hands) else len(rows)
        for k in range(hands[hand]["first_act"], last):
            row = rows[k]
            out.match_id[k] = ids[match]
            out.hand_index[k] = index[hand]
            out.line[k] = line
            fill_action(out, k, row)
            names_amount = row["raise_to"] != s.NONE
            out.raise_to[k] = row["raise_to"] if names_amount else np.nan
            out.pip_before[k] = row["pip"]
            out.to_call[k] = row["to_call"]
            start = float(game["stack"][row["position"]]) if limited else np.nan
            if game["players"] == 2 and (even or not limited):
                fill_pot_of_two(out, k, row, start, float(row["spent"]))
            else:
                out.street_pot[k], out.pot_before[k], out.stack_before[k] = (
                    np.nan,
                    row["pot"],
                    start - row["spent"],
                )
            out.active_players[k] = row["active"]
            out.match[k] = match
            # As `relations/actions.sql` derives it: two players who have put in as much, but for what is to call.
            follows = not limited or (even and 2 * row["spent"] == row["pot"] - row["to_call"])
            told = row["action"] != records.POST and not _bounds_follow(game, row, follows)
            out.has_bounds[k] = told
            raises = told and row["highest"] != s.NONE
            out.min_raise_to[k] = row["lowest"] if raises else np.nan
            out.max_raise_to[k] = row["highest"] if raises else np.nan
            printed = nolimit and not (limited and even) and names_amount
            out.amount_printed[k] = row["raise_to"] + row["spent"] - row["pip"] if printed else np.nan


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
        out.stack_start[k] = row["stack"]
        out.contribution[k] = row["put"]
        out.delta[k] = row["delta"]
        out.written_off[k] = out.engine_off[k] = row["written"] - row["delta"] + 0.0
        out.bankroll_before[k] = row["bank"]
        out.shown[k] = row["shown"] > 0
        out.flags[k] = row["flags"]
        out.match[k] = match
