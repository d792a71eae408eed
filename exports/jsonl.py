"""Decisions for training models: one JSON object per line, with what the player saw and what it did.

A decision holds nothing that the player had not seen: the rows of the view `visible`, and its own cards and chips.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final
from zlib import crc32

from ..schema.words import DISCARD, PASS, SWAP, WITHOUT_RULES
from ..variants.properties import DECISIONS, Properties
from .hands import DAMAGED, Action, CannotHold, Cards, Format, Hand, Match, Seen, Text, plain

NOTHING_CHOSEN: Final = "no player decided anything"
NO_RULES: Final = "no rules for the game: nobody knows which card came when"
TESTED: Final = 5
"""Every so many groups of matches with the same cards, one is for tests."""

_SIZED: Final = ("bet", "raise", "play")
_TO: Final = ("call", *_SIZED)
"""Actions whose total of the street is a number of the decision."""


class Jsonl(Format):
    """A file a match, in the folder `train` or `test`: matches on the same cards are in one of them."""

    sees = True

    def write(self, hand: Hand) -> Iterator[Text]:
        """A line a decision."""
        if hand.verdict == "damaged":
            raise CannotHold(DAMAGED)
        if any(why.startswith(WITHOUT_RULES) for why in hand.why_unverified):
            raise CannotHold(NO_RULES)
        lines = [
            json.dumps(decision(hand, action), ensure_ascii=False, separators=(",", ":")) + "\n"
            for action in hand.actions
            if action.origin == "choice"
        ]
        if not lines:
            raise CannotHold(NOTHING_CHOSEN)
        yield Text(f"{part_of(hand.match)}/{hand.match.match_id}.jsonl", "".join(lines))


def part_of(match: Match) -> str:
    """The part of a match, chosen by its cards, so that matches dealt the same cards are in the same part."""
    return "train" if crc32(match.cards.encode()) % TESTED else "test"


def decision(hand: Hand, action: Action) -> dict[str, Any]:
    """A decision as its player saw it, and what it did."""
    rules, seat = hand.match.rules, _seat_of(hand, action.seat)
    view = _View(hand, action)
    state: dict[str, Any] = {
        "game": rules.game,
        "street": action.street,
        "position": seat.position,
        "hole": view.hole,
        "board": view.board,
        "big_blind": plain(hand.match.blinds[-1] if hand.match.blinds else hand.match.unit),
        "players": len(hand.seats),
        "pot_before": plain(action.pot_before),
        "to_call": plain(action.to_call),
        "pip_before": plain(action.pip_before),
        "stack_before": plain(action.stack_before),
        "min_raise_to": plain(action.min_raise_to),
        "max_raise_to": plain(action.max_raise_to),
        "line": view.line,
        "facts": view.facts,
        "seen": view.seen,
    }
    if rules.auctions:
        state["bids"] = view.bids
    if action.board_no is not None:
        state |= {"board_no": action.board_no, "boards": view.boards, "assigned": view.assigned}
    found: dict[str, Any] = {
        "match_id": str(hand.match.match_id),
        "hand_index": hand.hand_index,
        "seq": action.seq,
        "event": hand.match.event,
        "player": seat.player,
        "seat": action.seat,
        "verdict": hand.verdict,
        "state": state,
        "legal": legal(rules, action),
        "action": action.action,
        "amount_to": plain(action.amount_to) if action.action in _TO else None,
    }
    if action.action == "bid":
        found["bid"] = plain(action.amount_logged)
    if (cards := view.given(action)) is not None:
        found["cards"] = cards
    if redrawn := [row.cards for row in view.own_redraws if row.from_seq == action.seq]:
        found["redraw"] = [card for cards in redrawn for card in cards or ()]
    return found


def legal(rules: Properties, action: Action) -> dict[str, list[Any] | None]:
    """What the player could do, each with its smallest and largest amount, or null where it has none."""
    bounds = [plain(action.min_raise_to), plain(action.max_raise_to)]
    if "play" in rules.decisions:
        # All bet at once: a fold is a hand that is not played.
        fold: dict[str, list[Any] | None] = {"fold": None} if action.street == rules.first_street else {}
        return fold | {"play": bounds}
    if action.action == "bid":
        return {"bid": [0, plain(action.stack_before)]}
    if action.action not in DECISIONS:
        return {action.action: None}
    found: dict[str, list[Any] | None] = (
        {"fold": None, "call": None} if action.to_call > 0 else {"check": None}
    )
    if action.max_raise_to is not None:
        found["raise" if action.bet_level else "bet"] = bounds
    return found


def _seat_of(hand: Hand, seat: int) -> Any:
    return next(row for row in hand.seats if row.seat == seat)


class _View:
    """What the player of a decision knew of the hand.

    hole, board, boards  cards; null for one that it does not know
    assigned     by board_no, its own cards there
    line         the decisions before: street, position, action, amount_to, of several boards the board_no
    bids         street, position, amount
    facts        what it alone knew
    seen         others' cards: how it saw them, whose, and which
    own_redraws  cards that it gives up with an action of its own
    """

    def __init__(self, hand: Hand, action: Action) -> None:
        me, street, seq = action.seat, action.street, action.seq
        self._hand, self._me = hand, me
        self._final = _seat_of(hand, me).hole_final
        self.hole: list[str | None] = []
        self.board: list[str | None] = []
        self.boards: dict[str, list[str | None]] = {}
        self.assigned: dict[str, list[str | None]] = {}
        self.line: list[list[Any]] = []
        self.bids: list[list[Any]] = []
        self.facts: dict[str, Any] = {}
        self.seen: list[dict[str, Any]] = []
        # What others see of an act of the player's own, it knows as well.
        self.own_redraws = [row for row in hand.seen if row.item == "replaced" and row.seat == me]
        own = [row for row in hand.seen if row.viewer_seat == me] + self.own_redraws
        self._passed = [row for row in hand.seen if row.item == PASS and row.seat != me]
        self._mine = own
        known = [row for row in own + self._passed if row.from_street <= street and row.from_seq < seq]
        for row in sorted(known, key=lambda row: (row.from_street, row.from_seq)):
            getattr(self, f"_{row.item}", self._note)(row)
        if action.board_no is not None:
            self.boards = {str(number): self.boards.get(str(number), []) for number in sorted(hand.boards)}
            self.board = self.boards.get(str(action.board_no), [])
            self.hole = self.assigned.get(str(action.board_no), self.hole)

    def _hole(self, row: Seen) -> None:
        self.hole = list(row.cards or ())

    def _auction(self, row: Seen) -> None:
        self.hole = [*self.hole, *(row.cards or ())]

    def _swap(self, row: Seen) -> None:
        later = [
            r
            for r in self._mine
            if r.item == SWAP and (r.from_street, r.from_seq) > (row.from_street, row.from_seq)
        ]
        self.hole = swapped(self.hole, row.cards or (), self._final, bool(later))

    def _pass(self, row: Seen) -> None:
        if row.seat == self._me:
            self.hole = [*self.hole, *(row.cards or ())]
        else:
            # What the other received is what the player gave.
            self.hole = [card for card in self.hole if card not in (row.cards or ())]

    def _assign(self, row: Seen) -> None:
        self.assigned[str(row.board_no)] = list(row.cards or ())

    def _discard(self, row: Seen) -> None:
        if row.seat == self._me:
            self.hole = [card for card in self.hole if card not in (row.cards or ())]
        if not self._hand.match.rules.throws:
            self.board = [*self.board, *(row.cards or ())]

    def _replaced(self, row: Seen) -> None:
        gone = row.cards or ()
        self.board = [None if card in gone else card for card in self.board]
        if row.seat == self._me:
            self.hole = [None if card in gone else card for card in self.hole]
        else:
            self._note(row)

    def _board(self, row: Seen) -> None:
        cards = list(row.cards or ())
        if row.board_no is not None:
            self.boards[str(row.board_no)] = [*self.boards.get(str(row.board_no), []), *cards]
        elif self._hand.board_changed and None in self.board and not {*cards} & {*(self._hand.board or ())}:
            # The card that came for one that was replaced.
            place = self.board.index(None)
            self.board = [*self.board[:place], *cards, *self.board[place + 1 :]]
        else:
            self.board = [*self.board, *cards]

    def _note(self, row: Seen) -> None:
        """A card of another player's."""
        position = next((seat.position for seat in self._hand.seats if seat.seat == row.seat), None)
        self.seen.append({"how": row.item, "position": position, "cards": list(row.cards or ())})

    def _bounty(self, row: Seen) -> None:
        self.facts["bounty_rank"] = row.value

    def _win_prob(self, row: Seen) -> None:
        self.facts["win_prob"] = float(row.value or "nan")

    def _action(self, row: Seen) -> None:
        act = next(
            a
            for a in reversed(self._hand.actions[: row.from_seq + 1])
            if (a.seat, a.board_no, a.street) == (row.seat, row.board_no, row.from_street)
        )
        if not act.played:
            return
        position = _seat_of(self._hand, act.seat).position
        if act.action == "bid":
            self.bids.append([act.street, position, plain(act.amount_logged)])
        entry = [act.street, position, act.action, plain(act.amount_to) if act.action in _TO else None]
        self.line.append(entry if act.board_no is None else [*entry, act.board_no])

    def given(self, action: Action) -> list[str | None] | None:
        """The cards that an action of the player's own gives up or assigns; None for an action without cards."""

        def first(rows: Sequence[Seen]) -> Cards | None:
            found = [r for r in rows if r.from_street >= action.street and r.from_seq >= action.seq]
            return found[0].cards if found else None

        if action.action == "assign":
            return list(
                first([r for r in self._mine if r.item == "assign" and r.board_no == action.board_no]) or ()
            )
        if action.action == "pass":
            return list(first(self._passed) or ())
        if action.action != "discard":
            return None
        thrown = first([r for r in self._mine if r.item == DISCARD and r.seat == self._me])
        if thrown is not None:
            return list(thrown)
        swaps = [r for r in self._mine if r.item == SWAP]
        new = first(swaps)
        if new is None:
            return []
        after = swapped(self.hole, new, self._final, swaps[-1].cards != new)
        return [None] * len(new) if None in after else [card for card in self.hole if card not in after]


def swapped(
    hole: Sequence[str | None], new: Sequence[str | None], final: Cards, again: bool
) -> list[str | None]:
    """Hole cards after some of them were exchanged; null for a new card that the log does not show.

    again  whether some are exchanged once more; else those held are those of the end
    """
    kept = [card for card in hole if card in final] if len(new) < len(hole) else []
    places = len(hole) - len(new)
    if len(kept) > places or (len(kept) < places and not again):
        kept = []
    return [*kept, *[None] * (places - len(kept)), *new]
