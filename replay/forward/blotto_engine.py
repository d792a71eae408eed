"""How the Blotto engine judges a player's three answers: board by board, then their sums, by revision."""

from collections.abc import Callable, Collection

import numpy as np

from .. import betting as b
from ..blotto.game import BOARDS, DEVIATIONS, OVERSPENT, UNMATCHED, WAIVED
from ..bots import Answer
from ..records import CALL, CHECK, CHOICE, FOLD, RAISE, SUBSTITUTE
from .orders import ILLEGAL

Fault = Callable[..., None]
_OVERSPENT, _UNMATCHED, _WAIVED = (DEVIATIONS[k] for k in (OVERSPENT, UNMATCHED, WAIVED))


class Triple:
    """Three answers on their way to actions: (action, raise-to, origin) a board; a bet is a raise here."""

    def __init__(self, hand: np.void, seat: int, own: int, other: int, big_blind: int) -> None:
        """own and other are the stacks before."""
        self.hand, self.seat = hand, seat
        self.own, self.other, self.big_blind = own, other, big_blind
        self.actions: list[tuple[int, int, int]] = []
        self.all_in = False

    def is_active(self, board: int) -> bool:
        """True where the player has a choice."""
        return bool(b.is_active(self.hand, board))

    def to_call(self, board: int) -> int:
        """Chips to call."""
        return int(b.to_call(self.hand, board, self.seat))

    def pip(self, board: int, seat: int) -> int:
        """A player's chips of the street."""
        return int(self.hand["pip"][board, seat])

    def bounds(self, board: int) -> tuple[int, int]:
        """The smallest and largest raise-to of one board."""
        given = (self.hand, board, self.seat, self.own, self.other)
        return int(b.smallest_raise(*given, self.big_blind)), int(b.largest_raise(*given))

    def substitute(self, board: int) -> tuple[int, int, int]:
        """A check if it is legal, else a fold."""
        faces_bet = self.is_active(board) and self.to_call(board) != 0
        return FOLD if faces_bet else CHECK, -1, SUBSTITUTE

    def fail(self) -> None:
        """All three are replaced."""
        self.actions = [self.substitute(board) for board in range(BOARDS)]

    @property
    def spent(self) -> int:
        """Chips that the three cost."""
        return sum(
            self.to_call(k) if action == CALL else raise_to - self.pip(k, self.seat)
            for k, (action, raise_to, _) in enumerate(self.actions)
            if action in (CALL, RAISE)
        )

    @property
    def raised(self) -> int:
        """Chips that the opponent needs to call all raises."""
        return sum(
            raise_to - self.pip(k, 1 - self.seat)
            for k, (action, raise_to, _) in enumerate(self.actions)
            if action == RAISE
        )


def _one(triple: Triple, board: int, answer: Answer, checks_minimum: bool, fault: Fault) -> None:
    """One board's answer, replaced where it is not legal there."""
    call, active = triple.to_call(board), triple.is_active(board)
    legal = {CHECK}
    if active:
        raises = call != triple.own and triple.other != 0 if call else triple.own != 0 and triple.other != 0
        legal = {FOLD, CALL} if call else {CHECK}
        legal |= {RAISE} if raises else set()
    if answer.action in legal:
        if answer.action != RAISE:
            triple.actions.append((answer.action, -1, CHOICE))
            return
        low, high = triple.bounds(board)
        faced = triple.pip(board, 1 - triple.seat)
        if (low if checks_minimum else faced + 1) <= answer.raise_to <= high:
            triple.actions.append((RAISE, answer.raise_to, CHOICE))
            return
        if not checks_minimum and answer.raise_to == faced:
            triple.actions.append((CALL, -1, CHOICE))
            return
    fault(ILLEGAL[answer.action])
    triple.actions.append(triple.substitute(board))


def _early(triple: Triple, deviations: Collection[str], fault: Fault) -> None:
    """Until 2021-01-07: first only the sum of the raises is looked at, then what the three cost."""
    if _OVERSPENT in deviations:
        open_boards = [k for k in range(BOARDS) if triple.is_active(k)]
        named = sum(raise_to for action, raise_to, _ in triple.actions if action == RAISE)
        calls = sum(triple.to_call(k) for k in open_boards)
        pips = sum(triple.pip(k, triple.seat) for k in open_boards)
        if not 0 <= named <= pips + min(triple.own, triple.other + calls):
            fault("net_raises")
            triple.fail()
    elif not 0 <= triple.spent <= triple.own:
        fault("net_sums")
        triple.fail()


def _late(triple: Triple, waives: bool, fault: Fault) -> None:
    """From 2021-01-07; `waives`: an all-in has no minimum, and unmatchable raises are cut down."""
    if not 0 <= triple.spent <= triple.own or (not waives and triple.raised > triple.other):
        fault("combination")
        triple.fail()
        return
    raised = triple.raised
    triple.all_in = triple.spent == triple.own and triple.spent > 0
    for board, (action, raise_to, _) in enumerate(triple.actions):
        if action != RAISE or (waives and triple.all_in) or raise_to >= triple.bounds(board)[0]:
            continue
        fault("below_minimum", board + 1)
        triple.actions[board] = (CALL if triple.to_call(board) else CHECK, -1, SUBSTITUTE)
    if not waives:
        triple.all_in = triple.spent == triple.own and triple.spent > 0
    if raised <= triple.other:
        return
    fault("unmatchable")
    left = triple.other
    for board, (action, raise_to, origin) in enumerate(triple.actions):
        if action != RAISE:
            continue
        faced = triple.pip(board, 1 - triple.seat)
        if left == 0:
            triple.actions[board] = (CALL, -1, SUBSTITUTE)
        elif raise_to - faced > left:
            triple.actions[board] = (RAISE, faced + left, SUBSTITUTE)
            left = 0
        else:
            triple.actions[board] = (RAISE, raise_to, origin)
            left -= raise_to - faced


def judge(triple: Triple, answers: list[Answer] | None, deviations: Collection[str], fault: Fault) -> None:
    """Turn answers into actions; None: there are none that could be read. Fault lines go to `fault`."""
    if answers is None:
        triple.fail()
        return
    early = _OVERSPENT in deviations or _UNMATCHED in deviations
    waives = _WAIVED in deviations
    for board, answer in enumerate(answers):
        _one(triple, board, answer, not waives, fault)
    if early:
        _early(triple, deviations, fault)
    else:
        _late(triple, waives, fault)
