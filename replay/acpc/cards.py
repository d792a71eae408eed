"""The cards of a hand checked: as many as the rules deal, of the game's deck, each once, and from the seed."""

import numpy as np

from ...jit.compile import part
from .. import findings
from ..evaluator import strength_of_suits, suit_bit
from . import state as s
from .state import Hand, Report, find


@part
def check_counts(game: np.void, hand: Hand, report: Report, turn: int) -> bool:
    """Find wrong numbers of cards; True where all are right. The rounds played are known."""
    right = True
    players = game["players"]
    for player in range(players):
        if hand.hole_count[player] != game["hole_cards"]:
            find(
                report,
                (player + turn) % players,
                findings.DEAL,
                float(game["hole_cards"]),
                float(hand.hole_count[player]),
            )
            right = False
    if hand.bets["broken"]:
        return right
    sections = hand.sections[0]
    due = dealt = 0
    fits = sections == hand.bets["street"]
    for k in range(1, 8):
        if k <= sections:
            dealt += hand.sections[k]
        if k <= hand.bets["street"]:
            due += game["board_cards"][k]
            fits = fits and hand.sections[k] == game["board_cards"][k]
    if not fits:
        find(report, s.NONE, findings.BOARD_SIZE, float(due), float(dealt))
    return right and fits


@part
def _seen(game: np.void, report: Report, seat: int, card: int, seen: int) -> int:
    if seen >> card & 1:
        find(report, seat, findings.DECK, np.nan, float(card))
    elif card & 3 < game["first_suit"] or card >> 2 < game["first_rank"]:
        find(report, seat, findings.NOT_IN_DECK, np.nan, float(card))
    return seen | 1 << card


@part
def check_deck(game: np.void, hand: Hand, report: Report, players: int, turn: int, dealt: int) -> None:
    """Find cards that are dealt twice or are none of the game's."""
    seen = 0
    for player in range(players):
        for k in range(hand.hole_count[player]):
            seen = _seen(game, report, (player + turn) % players, hand.hole[player, k], seen)
    for k in range(dealt):
        seen = _seen(game, report, s.NONE, hand.board[k], seen)


@part
def check_seed(game: np.void, hand: Hand, report: Report, turn: int, dealt: int) -> None:
    """Find, of each player and of the board, the first card that the seed does not deal."""
    players, holes = game["players"], game["hole_cards"]
    for player in range(players):
        for k in range(min(holes, hand.hole_count[player])):
            due = hand.drawn[player * holes + k]
            if hand.hole[player, k] != due:
                find(
                    report, (player + turn) % players, findings.SEED, float(due), float(hand.hole[player, k])
                )
                break
    for k in range(min(dealt, game["cards_dealt"] - players * holes)):
        due = hand.drawn[players * holes + k]
        if hand.board[k] != due:
            find(report, s.NONE, findings.SEED, float(due), float(hand.board[k]))
            break


@part
def compare(hand: Hand, players: int, dealt: int) -> None:
    """Fill `hand.strength` for those who have not folded."""
    common = 0
    for k in range(dealt):
        common |= suit_bit(hand.board[k])
    for player in range(players):
        if hand.bets["out"][0, player]:
            continue
        suits = common
        for k in range(hand.hole_count[player]):
            suits |= suit_bit(hand.hole[player, k])
        hand.strength[player] = strength_of_suits(suits)
