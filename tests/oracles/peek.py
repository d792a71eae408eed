"""The engine of Peek, a game that railbird does not have: its own deck, its own hands, its own log.

Limit hold'em of two; each antes 1; before the turn each may pay 5 into the pot to see the turn card alone; if the loser
of a showdown holds a flush, it gets 40% of the pot, rounded down, and the winner the rest. `python peek.py HANDS SEED`
prints a log in which three payouts are wrong; their hands follow on stderr.
"""

import sys
from collections import Counter
from itertools import combinations
from random import Random

RANKS = "23456789TJQKA"
BETS = (2, 2, 4, 4)
MOST_BETS, ANTE, PRICE, STACK = 4, 1, 5, 200
NAMES = ("Mole", "Lynx Two")


def best_five(cards: list[str]) -> tuple[int, ...]:
    """The best of all hands of five: its class, then ranks in the order in which they count."""
    return max(map(_five, combinations(cards, 5)))


def _five(cards: tuple[str, ...]) -> tuple[int, ...]:
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    straight = len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4
    groups = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    order = [rank for rank, _ in groups]
    shape = tuple(count for _, count in groups)
    if straight or flush:
        kind = 8 if straight and flush else 5 if flush else 4
        return (kind, *ranks)
    kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 0)
    return (kind, *order)


def holds_flush(cards: list[str]) -> bool:
    return max(Counter(card[1] for card in cards).values()) >= 5


class Match:
    """One match; `planted` are the numbers of the hands whose payout is wrong."""

    def __init__(self, hands: int, seed: int, wrong: int = 3) -> None:
        self.rng = Random(seed)
        self.banks = [0, 0]
        self.lines = [f"Peek club: {NAMES[0]} against {NAMES[1]}"]
        self.flushes: list[int] = []
        self.planted: list[int] = []
        self.wrong = wrong
        self.hands = hands
        for number in range(1, hands + 1):
            self.hand(number)
        first = hands % 2
        self.lines += ["", f"Final, {self.both(first, self.banks)}"]
        self.text = "\n".join(self.lines)

    def both(self, first: int, chips: list[int]) -> str:
        return ", ".join(f"{NAMES[seat]} ({chips[seat]})" for seat in (first, 1 - first))

    def hand(self, number: int) -> None:
        dealer = 1 - number % 2
        pair = (dealer, 1 - dealer)
        deck = [rank + suit for rank in RANKS for suit in "cdhs"]
        self.rng.shuffle(deck)
        holes = [deck[:2], deck[2:4]]
        board = deck[4:9]
        put = [ANTE, ANTE]
        self.lines += ["", f"Deal #{number}, {self.both(dealer, self.banks)}"]
        self.lines += [f"{NAMES[seat]} antes {ANTE}" for seat in pair]
        self.lines += [f"{NAMES[seat]} received [{' '.join(holes[seat])}]" for seat in pair]
        folded = None
        for street, size in enumerate((0, 3, 4, 5)):
            if street == 2:
                self.peek(pair[::-1], put, board[3])
            if size:
                name = ("", "Flop", "Turn", "River")[street]
                self.lines.append(f"{name} [{' '.join(board[:size])}], {self.both(dealer, put)}")
            folded = self.bet(street, pair if street == 0 else pair[::-1], put)
            if folded is not None:
                break
        self.pay(number, dealer, holes, board, put, folded)

    def peek(self, order: tuple[int, int], put: list[int], card: str) -> None:
        for seat in order:
            if STACK - put[seat] >= PRICE and self.rng.random() < 0.4:
                put[seat] += PRICE
                self.lines += [f"{NAMES[seat]} pays {PRICE} to peek", f"{NAMES[seat]} sees [{card}]"]
            else:
                self.lines.append(f"{NAMES[seat]} keeps its chips")

    def bet(self, street: int, order: tuple[int, int], put: list[int]) -> int | None:
        """The betting of a street; the seat that folds, None for nobody."""
        pips, bets, acted, k = [0, 0], 0, 0, 0
        while True:
            seat, other = order[k % 2], order[1 - k % 2]
            owed = pips[other] - pips[seat]
            roll = self.rng.random()
            raises = bets < MOST_BETS and roll < 0.35
            if raises:
                pips[seat] = pips[other] + BETS[street]
                put[seat] += owed + BETS[street]
                self.lines.append(f"{NAMES[seat]} {'raises to' if bets else 'bets'} {pips[seat]}")
                bets += 1
            elif owed and roll > 0.93:
                self.lines.append(f"{NAMES[seat]} folds")
                return seat
            elif owed:
                put[seat] += owed
                pips[seat] += owed
                self.lines.append(f"{NAMES[seat]} calls")
            else:
                self.lines.append(f"{NAMES[seat]} checks")
            acted += 1
            k += 1
            if not raises and (owed or acted > 1):
                return None

    def pay(
        self,
        number: int,
        dealer: int,
        holes: list[list[str]],
        board: list[str],
        put: list[int],
        folded: int | None,
    ) -> None:
        pot = sum(put)
        if folded is not None:
            back = [0, 0]
            back[1 - folded] = pot
        else:
            self.lines += [f"{NAMES[seat]} shows [{' '.join(holes[seat])}]" for seat in (dealer, 1 - dealer)]
            values = [best_five(holes[seat] + board) for seat in range(2)]
            if values[0] == values[1]:
                # Half each; the odd chip goes to the player who does not deal.
                back = [pot // 2, pot // 2]
                back[1 - dealer] += pot % 2
            else:
                loser = 0 if values[0] < values[1] else 1
                share = pot * 40 // 100 if holds_flush(holes[loser] + board) else 0
                back = [pot - share, pot - share]
                back[loser] = share
                if share:
                    self.flushes.append(number)
                    if len(self.planted) < self.wrong and number > self.hands // 4:
                        # In turn: no share at all, a chip too many, a chip too few.
                        share = (0, share + 1, share - 1)[len(self.planted)]
                        back[loser], back[1 - loser] = share, pot - share
                        self.planted.append(number)
        gains = [back[seat] - put[seat] for seat in range(2)]
        for seat in (dealer, 1 - dealer):
            self.banks[seat] += gains[seat]
            self.lines.append(f"{NAMES[seat]} {'wins' if gains[seat] >= 0 else 'loses'} {abs(gains[seat])}")


if __name__ == "__main__":
    match = Match(int(sys.argv[1]), int(sys.argv[2]))
    print(match.text)
    print(*match.planted, file=sys.stderr)
