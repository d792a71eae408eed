"""Checks every line of a game against the rules: printed figures, bets and payouts."""

from typing import Final

import numpy as np

from ...jit.compile import kernel, part
from .. import findings as rules
from .. import records
from ..verdicts import give_verdicts
from . import game as rule
from . import state as s
from .game import PLAYERS
from .settling import bets_before, lacking_decision
from .state import HALF_CENT, Table, find, row_of

_LAST_GAME: Final = 0.1
"""The tolerance of a stack after a game that prints no stacks."""
_ANY_PROFILE: Final = 0
"""The lines of a log show its version, so findings note their explanation under the first profile only."""
_CAPPED: Final = HALF_CENT * 14
"""The tolerance of a cap, which is four times a sum of printed bets."""
_EXACT: Final = 1e-6
_DEPARTURES: Final = np.array(
    [0, rule.LAST_POT_LOST, rule.EARLY_WIN_CAPPED, rule.ALL_FOLD_LOST, rule.ELIMINATED_WINS]
)
"""The deviation by which an engine pays otherwise than the written rules, by how the game ended."""


@part
def _explained(
    table: Table, line: int, seat: int, check: int, due: float, said: float, gained: float, deviation: int
) -> None:
    """Write a finding that a deviation explains, by which the player gained chips."""
    row = table.sheets.findings[find(table, line, seat, check, due, said)]
    row["chips"], row["explained"] = gained, deviation


@part
def _expect(table: Table, line: int, seat: int, check: int, due: float, said: float, near: float) -> bool:
    """True if an amount is as it should be, or one of the two is not known; else a violation is written."""
    if abs(due - said) > near:
        row = find(table, line, seat, check, due, said)
        table.sheets.findings[row]["chips"] = said - due
        return False
    return True


# Cards and bets


@part
def _seen(table: Table, line: int, seat: int, card: int, dealt: int) -> int:
    """The cards dealt, a bit each, with one more where it is known."""
    if card < 0:
        return dealt
    if dealt >> card & 1:
        find(table, line, seat, rules.DECK, np.nan, float(card))
    return dealt | 1 << card


@part
def _judge_cards(table: Table, hand: int) -> None:
    """Check that no card is dealt twice."""
    game, line, dealt = table.games[hand], table.sheets.hands[hand]["line"] + 0, 0
    for k in range(5):
        dealt = _seen(table, line, -1, game["board"][k], dealt)
    for k in range(PLAYERS):
        seat = table.seats[row_of(table, k)]
        for hole in range(2):
            dealt = _seen(table, seat["deal_line"], k, seat["hole"][hole], dealt)


@part
def _judge_stub(table: Table, seat: np.void, k: int) -> None:
    """Check an elimination: the remaining chips must be too few to play on."""
    line, stub = seat["out_line"], seat["stub"]
    had = seat["start"] if seat["state"] == s.OUT_AT_BUY_IN else seat["start"] - rule.BUY_IN
    told = _expect(table, line, k, rules.ELIMINATED, had, stub, seat["error"] + HALF_CENT)
    if told and stub - HALF_CENT >= rule.LEAST_STACK:
        find(table, line, k, rules.ELIMINATED, rule.LEAST_STACK, stub)


@part
def _judge_bet(table: Table, seat: np.void, k: int, street: int) -> None:
    """Check that a bet is within the round's limits and the player's chips."""
    line, bet = seat["bet_line"][street - 1], seat["bet"][street - 1]
    before, spent, _ = bets_before(seat, street)
    has, near = seat["start"] - rule.BUY_IN - spent, seat["error"] + street * HALF_CENT
    least, most = rule.least_bet(street, before), rule.most_bet(street, before)
    slack = _EXACT if street == 1 else 2.5 * HALF_CENT
    if bet > has + near or bet > most + slack:
        find(table, line, k, rules.BET_HIGH, most if np.isnan(has) else min(most, has), bet)
    elif bet < least - slack:
        if abs(bet - has) > near:
            find(table, line, k, rules.BET_LOW, least, bet)
        else:
            _explained(table, line, k, rules.BET_LOW, least, bet, 0.0, rule.SHORT_BET)


@part
def _judge_player(table: Table, seat: np.void, k: int, streets: int, last_line: int) -> None:
    """Check that a player has the chips to play on, and decides in every round until a fold."""
    near = seat["error"] + HALF_CENT
    needed = rule.BUY_IN + (rule.LEAST_STACK if streets > 1 else 0.0)
    if seat["start"] < needed - near:
        find(table, seat["deal_line"], k, rules.PLAYS_ON, needed, seat["start"])
    lacking = lacking_decision(seat, streets)
    for street in range(1, streets):
        if street == lacking:
            find(table, last_line, k, rules.UNDECIDED, float(street), np.nan)
            break
        line, chance = seat["bet_line"][street - 1], seat["chance"][street - 1]
        if chance < 0 or chance > 100 or abs(chance * 10 - np.floor(chance * 10 + 0.5)) > _EXACT:
            find(table, line, k, rules.WIN_PROB, np.nan, chance)
        if seat["state"] == s.FOLDED:
            break
        _judge_bet(table, seat, k, street)


@part
def _judge_seats(table: Table, hand: int) -> None:
    """Check eliminations, due decisions, and the size of bets."""
    streets, last_line = table.sheets.hands[hand]["streets"] + 0, table.games[hand]["last_line"]
    for k in range(PLAYERS):
        seat = table.seats[row_of(table, k)]
        if seat["state"] == s.OUT_AT_BUY_IN or seat["state"] == s.OUT_AT_FLOP:
            _judge_stub(table, seat, k)
        elif seat["state"] != s.ABSENT:
            _judge_player(table, seat, k, streets, last_line)


# Pay


@part
def _judge_ending(table: Table, game: np.void) -> bool:
    """True if a game ends as its players' decisions make it."""
    remain = paid = 0
    for k in range(PLAYERS):
        state = table.seats[row_of(table, k)]["state"]
        remain += state == s.IN
        paid += state != s.ABSENT and state != s.OUT_AT_BUY_IN
    due = s.SHOWDOWN if remain > 1 else s.EARLY if remain == 1 else s.ALL_FOLD
    if paid < 2:
        due = s.ABORTED
    elif game["end"] == s.ABORTED:
        due = s.RUNNING
    if game["end"] != due:
        find(table, game["last_line"], -1, rules.ENDING, float(due), float(remain))
        return False
    return True


@part
def _judge_prize(table: Table, game: np.void, k: int, place: int, near: float) -> None:
    """Version 2 prints a prize for each winner: whose, limited by which cap, how much."""
    seat = table.seats[row_of(table, k)]
    line, cap, won = game["prize_line"][place], game["prize_cap"][place], game["prize"][place]
    if not game["prize_seats"][place] >> k & 1:
        find(table, line, k, rules.WINNER, seat["score"], np.nan)
    _expect(table, line, k, rules.WIN_CAP, seat["cap"], cap, _CAPPED)
    exact = min(game["pot"] / game["prizes"], cap)
    if _expect(table, line, k, rules.PAID, exact, won, 2 * HALF_CENT):
        _expect(table, line, k, rules.PAID, seat["payout"], won, near + _CAPPED)
    seat["won"] = won


@part
def _judge_marks(table: Table, line: int, best: float) -> None:
    """Check that version 1 marks exactly the winners."""
    for k in range(PLAYERS):
        seat = table.seats[row_of(table, k)]
        if (seat["won"] == 1) != (seat["wins"] > 0):
            find(table, line, k, rules.WINNER, best, seat["score"])


@part
def _judge_left(table: Table, game: np.void, line: int, left: float, winners: int) -> None:
    """Check the rest of the pot after the prizes, and its shares."""
    said, near = game["left"], (3 + winners) * HALF_CENT
    _expect(table, line, -1, rules.LEFT, left, 0.0 if np.isnan(said) else said, near)
    if not np.isnan(said):
        _expect(table, line, -1, rules.SHARERS, float(game["sharers_due"]), game["sharers"], 0.0)
        share = said / game["sharers"] if game["sharers"] > 0 else np.nan
        _expect(table, line, -1, rules.SHARE, share, game["share"], 2 * HALF_CENT)


@part
def _judge_showdown(table: Table, game: np.void, line: int, version: int, near: float) -> None:
    """Winners, hand score, prizes, and the rest of the pot with its sharers."""
    winners, paid, best = 0, 0.0, 0.0
    for k in range(PLAYERS):
        seat = table.seats[row_of(table, k)]
        paid += seat["payout"]
        if seat["wins"] > 0:
            best = seat["score"]
            if version == 2 and winners < game["prizes"]:
                _judge_prize(table, game, k, winners, near)
            winners += 1
    if version == 1:
        _judge_marks(table, line, best)
    said = game["winners"] if version == 1 else float(game["prizes"])
    _expect(table, line, -1, rules.WINNERS, float(winners), said, 0.0)
    _expect(table, line, -1, rules.POT, paid + game["left_due"], game["pot"], near)
    left = game["pot"]
    if version == 1:
        _expect(table, line, -1, rules.HAND_SCORE, best, game["score"], 0.0)
        line = game["left_line"] if game["left_line"] else game["last_line"]
        _expect(table, line, -1, rules.PAID, paid, game["paid"], near + _CAPPED * winners)
        left -= game["paid"]
    else:
        # One winner is not counted.
        said = 1.0 if np.isnan(game["winners"]) and winners > 1 else game["winners"]
        _expect(table, line, -1, rules.WINNERS, float(winners), said, 0.0)
        for k in range(game["prizes"]):
            left -= game["prize"][k]
        line = game["left_line"] if game["left"] >= 0 else line
    _judge_left(table, game, line, left, winners)


@part
def _judge_early_win(table: Table, game: np.void, line: int, k: int, is_whole: bool, near: float) -> None:
    """The log names the last player in as the winner, who is paid; is_whole: all of the pot."""
    seat = table.seats[row_of(table, k)]
    if np.isnan(seat["won"]):
        find(table, line, k, rules.WINNER, np.nan, np.nan)
    _expect(table, line, k, rules.PAID, seat["payout"], game["paid"], near + HALF_CENT * 4)
    if is_whole:
        _expect(table, line, k, rules.PAID, game["pot"], game["paid"], _EXACT)


@part
def _judge_departure(table: Table, seat: np.void, line: int, k: int, end: int, near: float) -> None:
    """The written rules pay more or less than the engine did: a deviation, unless rounding explains it."""
    more = seat["written_off"]
    if abs(more) > near:
        paid = seat["payout"] + seat["share"]
        _explained(table, line, k, rules.AWARD, paid + more, paid, -more, _DEPARTURES[end])
    else:
        seat["written_off"] = 0.0


@part
def _judge_pay(table: Table, game: np.void, version: int) -> None:
    """Check the printed pot and payouts, and how far the engine departs from the written rules."""
    line = game["pot_line"] if game["pot_line"] else game["last_line"]
    pot, end, near = game["pot_due"], game["end"], (game["rounded"] + 1) * HALF_CENT
    if end == s.SHOWDOWN:
        _judge_showdown(table, game, line, version, near)
    elif end == s.EARLY:
        _expect(table, line, -1, rules.POT, pot, game["pot"], near)
    for k in range(PLAYERS):
        seat = table.seats[row_of(table, k)]
        if end == s.EARLY and seat["state"] == s.IN:
            _judge_early_win(table, game, line, k, version == 2 or seat["cap"] > pot, near)
        if end == s.ALL_FOLD and version == 2 and seat["state"] == s.FOLDED:
            _expect(table, seat["stack_line"], k, rules.PAID, seat["payout"], seat["received"], near)
        _judge_departure(table, seat, line, k, end, near)


@part
def _judge_stacks(table: Table, game: np.void, version: int) -> None:
    """Compare the stacks printed after a game with those carried."""
    for k in range(PLAYERS):
        seat = table.seats[row_of(table, k)]
        paid = seat["payout"] + seat["share"]
        due = seat["start"] + paid - seat["put"]
        if version == 2:
            due -= seat["share"]
        near = seat["error"] + 2 * HALF_CENT
        if seat["state"] != s.ABSENT and seat["state"] != s.FOLDED:
            near += HALF_CENT * (3.0 + (game["rounded"] + 13.0 if paid > 0 else 0.0))
        if not _expect(table, seat["stack_line"], k, rules.STACKS, due, seat["stack"], near):
            seat["engine_off"] = due - seat["stack"]


@part
def _judge_end(table: Table, match: np.void, first: int, last: int) -> None:
    """The final stacks and the counts of wins; what they show is a finding of the last game."""
    # The wins of a damaged game are not known.
    whole = table.sheets.hands[first]["number"] == 1
    for hand in range(first, last + 1):
        whole = whole and not table.games[hand]["damaged"]
    for k in range(PLAYERS):
        seat, wins, near = table.seats[row_of(table, k)], 0.0, 2 * HALF_CENT
        for hand in range(first, last + 1):
            wins += table.seats[hand * PLAYERS + k]["wins"]
        if match["version"] == 2:
            near += seat["error"] + _LAST_GAME
        _expect(table, match["final_line"][k], k, rules.FINAL, seat["after"], match["final"][k], near)
        if whole:
            _expect(table, match["wins_line"][k], k, rules.WINS, wins, match["wins"][k], 0.005)


@kernel
def judge(table: Table) -> None:
    """Judge every game; findings of damaged games are damage, since no stack of such a game is sure."""
    sheets, games = table.sheets, table.games
    for place in range(len(table.matches)):
        match, record = table.matches[place], sheets.matches[place]
        version, first, last = (
            match["version"],
            record["first_hand"] + 0,
            record["first_hand"] + record["hands"],
        )
        for hand in range(first, last):
            table.now["game"] = hand
            _judge_cards(table, hand)
            _judge_seats(table, hand)
            if _judge_ending(table, games[hand]):
                _judge_pay(table, games[hand], version)
                _judge_stacks(table, games[hand], version)
        if last > first:
            _judge_end(table, match, first, last - 1)
    last = sheets.used[records.FINDINGS] + 0
    for k in range(last):
        row = sheets.findings[k]
        if games[row["hand"]]["damaged"] and row["verdict"] == records.VIOLATION:
            row["verdict"] = records.DAMAGED
    give_verdicts(
        sheets.hands, 0, sheets.used[records.HANDS] + 0, sheets.findings, 0, last, _ANY_PROFILE, False
    )
