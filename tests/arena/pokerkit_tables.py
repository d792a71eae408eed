"""No-limit hold'em at tables of two to six, dealt, judged and paid by PokerKit; matches are written in its PHH."""

from collections.abc import Sequence
from random import Random
from typing import Final

from pokerkit import HandHistory, NoLimitTexasHoldem, State
from support.pokerkit import DONE_BY_ITSELF

from railbird.replay.bots import View
from railbird.replay.cards import CARD_TEXT
from railbird.replay.records import FOLD, RAISE
from railbird.replay.simulate import Player

from .stranger_bots import introduce

_BLINDS: Final = (1, 2)
_STACK: Final = 200
_DECK: Final = 52
GAME: Final = NoLimitTexasHoldem(DONE_BY_ITSELF, True, 0, _BLINDS, _BLINDS[1])


class Tables:
    """A match of one table; `banks` and `hands` as strangers read them."""

    def __init__(self, players: Sequence[Player], seed: int) -> None:
        """Players by seat."""
        self.players, self.rng = players, Random(f"{seed}/pokerkit")
        self.banks = [0] * len(players)
        self.hands: list[HandHistory] = []
        for seat, player in enumerate(players):
            introduce(player.bot, seat, self)

    def play(self, hands: int) -> str:
        """Play, and return the match as PokerKit writes it."""
        for _ in range(hands):
            self._hand()
        lines = []
        for number, history in enumerate(self.hands, 1):
            lines += [f"[{number}]", history.dumps().strip(), ""]
        return "\n".join(lines)

    def _hand(self) -> None:
        count = len(self.players)
        turn = len(self.hands) % count
        # PokerKit lists players from the small blind, of two from the big blind.
        seats = [(k + turn) % count for k in range(count)]
        deck = list(range(_DECK))
        self.rng.shuffle(deck)
        state = GAME([_STACK] * count, count)
        board: list[int] = []
        holes = [[deck.pop(), deck.pop()] for _ in seats]
        for hole in holes:
            state.deal_hole("".join(CARD_TEXT[card] for card in hole))
        street, level = 0, 1
        while state.status:
            if state.can_burn_card():
                state.burn_card("??")
                drawn = [deck.pop() for _ in range(state.board_dealing_count or 0)]
                board += drawn
                state.deal_board("".join(CARD_TEXT[card] for card in drawn))
                street, level = street + 1, 0
            else:
                level += self._decide(state, seats, holes, board, street, level)
        for place, seat in enumerate(seats):
            self.banks[seat] += int(state.stacks[place]) - _STACK
        history = HandHistory.from_game_state(GAME, state)
        history.players = [self.players[seat].name for seat in seats]
        history.finishing_stacks = list(state.stacks)
        history.hand = len(self.hands) + 1
        self.hands.append(history)

    def _decide(
        self,
        state: State,
        seats: Sequence[int],
        holes: Sequence[Sequence[int]],
        board: Sequence[int],
        street: int,
        level: int,
    ) -> bool:
        """Ask who is to act; True for a bet or raise."""
        place = state.actor_index
        assert place is not None
        may = state.can_complete_bet_or_raise_to()
        low = int(state.min_completion_betting_or_raising_to_amount or 0) if may else 0
        high = int(state.max_completion_betting_or_raising_to_amount or 0) if may else 0
        to_call = int(state.checking_or_calling_amount or 0)
        view = View(
            hole=holes[place],
            board=board,
            street=street,
            pot=int(state.total_pot_amount),
            pip=int(state.bets[place]),
            to_call=to_call,
            low=low,
            high=high,
            level=level,
            big_blind=_BLINDS[1],
            may_fold=False,
            others=[holes[k] for k, live in enumerate(state.statuses) if live and k != place],
        )
        answer = self.players[seats[place]].bot.act(view)
        if answer.action == RAISE and high:
            state.complete_bet_or_raise_to(max(low, min(answer.raise_to, high)))
            return True
        if answer.action == FOLD and to_call:
            state.fold()
        else:
            state.check_or_call()
        return False
