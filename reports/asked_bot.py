"""The engine's messages to a seat of a logged hand, and a bot's answers: `railbird replay MATCH#HAND --as SEAT`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..analytics.views import queries
from ..replay.bots import GARBLED, GONE, LATE, Answer
from ..replay.records import CALL, CHECK, FOLD, RAISE
from ..replay.replaying import game_named
from ..replay.simulate import LATEST, profile_named
from ..variants import registry  # noqa: F401  # makes the games known
from ..variants.mit_bots import CLAUSES, BotError, SocketBot, check_spoken
from ..variants.mit_engine import folds_free
from ..variants.properties import Properties
from . import Format, UserError, terminal
from .matches import rows_of
from .replayer import Hand, headline, load_hand, stage_name

if TYPE_CHECKING:
    from ..analytics.store import Store

_WORDS: Final = {FOLD: "fold", CALL: "call", CHECK: "check"}
_CLAUSES: Final = {word: CLAUSES[action] for action, word in _WORDS.items()}
_SAID: Final = {LATE: "no answer in time", GONE: "the connection is closed"}


@dataclass(frozen=True)
class Turn:
    """An answer that the engine wanted of a seat.

    clauses  what it had said since the last one
    logged   the row of `actions` with what was done; None at the end of the hand
    """

    street: int
    clauses: tuple[str, ...]
    logged: dict[str, Any] | None


def turns(hand: Hand, actions: Sequence[dict[str, Any]], seat: int) -> Iterator[Turn]:
    """The engine's messages to a seat, one for each answer; actions: the rows of the hand, in order."""
    rows = {row["seat"]: row for row in hand.seats}
    me, other = rows[seat], rows[1 - seat]
    clauses = [f"P{int(hand.row['dealer_seat'] != seat)}", _cards("H", me["hole"])]
    clauses += [f"G{me['bounty_rank']}"] if me["bounty_rank"] else []
    street = 0
    for row in actions:
        if row["action"] == "post":
            continue
        while street < row["street"]:
            street += 1
            board = hand.row["board"] or ()
            clauses.append(_cards("B", board[: board_size(hand.match.rules, street)]))
        if row["seat"] == seat:
            yield Turn(street, tuple(clauses), row)
            clauses = []
        clauses.append(_clause(row))
    clauses += [_cards("O", other["hole"])] if hand.row["ended_by"] == "showdown" else []
    clauses.append(f"D{me['delta']:.0f}")
    if me["bounty_rank"]:
        clauses.append(f"Y{int(bool(me['bounty_hit']))}{int(bool(other['bounty_hit']))}")
    yield Turn(street, tuple(clauses), None)


def board_size(rules: Properties, street: int) -> int:
    """Cards on the board in a street; each street of a run has one more."""
    sizes = rules.board_cards or (0,)
    return sizes[street] if street < len(sizes) else sizes[-1] + street - len(sizes) + 1


def _cards(letter: str, cards: Sequence[str | None]) -> str:
    return letter + ",".join(card or "??" for card in cards)


def _clause(row: dict[str, Any]) -> str:
    return _CLAUSES.get(row["action"]) or f"R{row['amount_to']:.0f}"


def _is_legal(answer: Answer, row: dict[str, Any], free_fold: bool) -> bool:
    """Whether the engine would take an answer in place of the logged one; free_fold: a fold where a check is free."""
    if answer.action == RAISE:
        most = row["max_raise_to"]
        return most is not None and row["min_raise_to"] <= answer.raise_to <= most
    if answer.action == CHECK:
        return not row["to_call"]
    return bool(row["to_call"]) or (free_fold and answer.action == FOLD)


def _answered(answer: Answer, row: dict[str, Any], free_fold: bool) -> str:
    """An answer in words; free_fold as in `_is_legal`."""
    if answer.action in _SAID:
        return _SAID[answer.action]
    if answer.action == GARBLED:
        return f"unreadable: {answer.text!r}"
    if answer.action != RAISE:
        said = _WORDS[answer.action]
    else:
        said = (
            f"raise to {answer.raise_to}" if row["to_call"] or row["pip_before"] else f"bet {answer.raise_to}"
        )
    return said if _is_legal(answer, row, free_fold) else f"{said}, which is not legal"


def _logged(row: dict[str, Any]) -> str:
    amount = f" {row['amount_to']:.0f}" if row["action"] in ("bet", "raise") else ""
    said = f"{row['action']}{' to' if row['action'] == 'raise' else ''}{amount}"
    return f"{said} (by the engine)" if row["origin"] == "substitute" else said


def seat_of(hand: Hand, text: str) -> int:
    """The seat that a number, a position or a player's name means; UserError for another text."""
    found = [row["seat"] for row in hand.seats if text in (row["player"], str(row["seat"]), row["position"])]
    if len(found) != 1:
        names = ", ".join(f"{row['seat']} ({row['position']}, {row['player']})" for row in hand.seats)
        raise UserError(f"--as takes a seat of the hand, its position or its player; there are {names}")
    return int(found[0])


def print_turns(store: "Store", text: str, seat_text: str, folder: Path | None, form: Format) -> str:
    """Print the messages of the engine to a seat of the hand MATCH#HAND, and the answers of the bot of a folder.

    Returns what is to be said of the program, "" for nothing; errors as of `asked`.
    """
    found = asked(store, text, seat_text, folder)
    if form is Format.TABLE:
        for line in headline(found.hand):
            terminal.console().print(line, soft_wrap=True)
    terminal.write(terminal.Answer(found.columns, found.rows), form)
    return found.trouble


@dataclass(frozen=True)
class Asked:
    """The messages of the engine to a seat of a hand, a row for each answer that it wanted.

    columns  street, message and logged, and with a bot `bot`, its answers
    trouble  what is to be said of the bot's program, "" for nothing
    """

    hand: Hand
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    trouble: str = ""


def asked(store: "Store", text: str, seat_text: str, folder: Path | None) -> Asked:
    """What the engine said to a seat of the hand MATCH#HAND, and what the bot of a folder answers.

    UserError for a game whose engine's messages are not known, for a hand whose log lacks the seat's cards, and for a
    folder without a bot.
    """
    hand = load_hand(store, text)
    seat = seat_of(hand, seat_text)
    try:
        check_spoken(hand.match.game)
        bot = SocketBot(folder) if folder else None
    except BotError as error:
        raise UserError(str(error)) from None
    if hand.row["verdict"] == "damaged" or any(not row["hole"] or row["delta"] is None for row in hand.seats):
        raise UserError(f"the log lacks cards or the result of the hand {text}")
    actions = rows_of(
        store, queries("replay")["actions"], match=hand.match.match_id, hand=hand.row["hand_index"]
    )
    try:
        rows = list(_rows(hand, list(turns(hand, actions, seat)), bot))
    except BotError as error:
        raise UserError(str(error)) from None
    finally:
        if bot is not None:
            bot.stop()
    columns = ("street", "message", "logged", *(("bot",) if bot else ()))
    trouble = bot.trouble if bot is not None else ""
    return Asked(hand, columns, [row[: len(columns)] for row in rows], trouble)


def _rows(hand: Hand, found: Sequence[Turn], bot: SocketBot | None) -> Iterator[tuple[str, str, str, str]]:
    game = game_named(hand.match.game)
    free_fold = folds_free(game, profile_named(game, hand.match.profile or LATEST))
    there = bot is not None and bot.open(1)
    for turn in found:
        answer = ""
        if bot is not None and there:
            bot.told(*turn.clauses)
            given = (
                bot.acknowledge()
                if turn.logged is None
                else bot.answer(turn.logged["max_raise_to"] is not None)
            )
            answer = "" if turn.logged is None else _answered(given, turn.logged, free_fold)
            there = given.action not in (LATE, GONE)
        logged = "" if turn.logged is None else _logged(turn.logged)
        yield stage_name(hand.match.rules, turn.street), " ".join(turn.clauses), logged, answer
