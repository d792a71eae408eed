"""Statistics of heads-up hands in plain Python, each one small function over a hand: what railbird's SQL is
checked against.

A statistic takes a hand of `mit_reader` and a player (0 dealer, 1 big blind) and returns None where the
player had no opportunity, else whether the player took it: at most one opportunity a hand. A decision counts
only where its `origin` is `choice`; what happened before it counts whoever did it. `TENDENCIES` lists them
all by name. The dealer is SB, the other BB, who acts first from the flop on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .decoded import Action, Hand, Match
from .holdem import best_five, winner_of

PREFLOP, FLOP, TURN, RIVER = 0, 1, 2, 3
AGGRESSIVE = ("bet", "raise")

Statistic = Callable[[Hand, int], "bool | None"]


class Player(NamedTuple):
    """Who a rate is of. `seat` is given only where both players of a match bear one name."""

    name: str
    seat: int | None


class Response(NamedTuple):
    """A choice while facing a bet. `size` is the bet over the pot before it; of a raise, over the pot after
    its call part.
    """

    street: int
    position: str
    kind: str
    size: float


def decisions(hand: Hand, player: int, street: int) -> list[tuple[int, Action]]:
    """The player's own choices on a street, each with its index among the actions of the hand."""
    return [
        (index, action)
        for index, action in enumerate(hand["actions"])
        if (action["player"], action["street"], action["origin"]) == (player, street, "choice")
    ]


def bet_level(hand: Hand, index: int) -> int:
    """Bets and raises on the street before action `index`; the blinds count one preflop."""
    street = hand["actions"][index]["street"]
    earlier = hand["actions"][:index]
    return (street == PREFLOP) + sum(a["street"] == street and a["kind"] in AGGRESSIVE for a in earlier)


def last_raiser(hand: Hand) -> int | None:
    """Who made the last raise before the flop; None in a limped pot."""
    raisers = [a["player"] for a in hand["actions"] if a["street"] == PREFLOP and a["kind"] == "raise"]
    return raisers[-1] if raisers else None


def unbet_decision(hand: Hand, player: int, street: int) -> Action | None:
    """The player's choice on a street with no bet before it; there is at most one, since a second check ends
    the street.
    """
    found = [a for index, a in decisions(hand, player, street) if bet_level(hand, index) == 0]
    return found[0] if found else None


def checked_through(hand: Hand, street: int) -> bool:
    """Whether everybody checked on a street and the next one was dealt."""
    kinds = [a["kind"] for a in hand["actions"] if a["street"] == street]
    return len(hand["streets"]) > street and kinds == ["check", "check"]


def _bets(decision: Action | None) -> bool | None:
    return None if decision is None else decision["kind"] == "bet"


def _raises_at_level(hand: Hand, player: int, level: int, answer: str = "raise") -> bool | None:
    found = [a for index, a in decisions(hand, player, PREFLOP) if bet_level(hand, index) == level]
    return found[0]["kind"] == answer if found else None


def vpip(hand: Hand, player: int) -> bool | None:
    """Of hands in which the player acted preflop (walks excluded): a voluntary call or raise."""
    kinds = [a["kind"] for _, a in decisions(hand, player, PREFLOP)]
    return any(kind in ("call", "raise") for kind in kinds) if kinds else None


def pfr(hand: Hand, player: int) -> bool | None:
    """Of hands in which the player acted preflop: at least one raise."""
    kinds = [a["kind"] for _, a in decisions(hand, player, PREFLOP)]
    return "raise" in kinds if kinds else None


def rfi(hand: Hand, player: int) -> bool | None:
    """The pot is unopened when the player acts, which heads-up is the small blind's first action: a raise."""
    return _raises_at_level(hand, player, 1) if player == 0 else None


def limp(hand: Hand, player: int) -> bool | None:
    """The small blind's first action in an unopened pot: a call."""
    return _raises_at_level(hand, player, 1, "call") if player == 0 else None


def two_bet(hand: Hand, player: int) -> bool | None:
    """Acts facing bet level 1, the blinds (the big blind after a limp, too): a raise."""
    return _raises_at_level(hand, player, 1)


def three_bet(hand: Hand, player: int) -> bool | None:
    """Acts facing bet level 2, one raise (a limper facing a raise, too): a raise."""
    return _raises_at_level(hand, player, 2)


def four_bet(hand: Hand, player: int) -> bool | None:
    """Faces bet level 3, a re-raise of the own raise: a raise. Heads-up, whoever faces it is the opener."""
    return _raises_at_level(hand, player, 3)


def fold_to_three_bet(hand: Hand, player: int) -> bool | None:
    """The opener faces a 3bet: a fold."""
    return _raises_at_level(hand, player, 3, "fold")


def cbet_flop(hand: Hand, player: int) -> bool | None:
    """The last preflop raiser acts on the flop with no bet before: a bet."""
    return _bets(unbet_decision(hand, player, FLOP)) if last_raiser(hand) == player else None


def cbet_turn(hand: Hand, player: int) -> bool | None:
    """The player c-bet the flop and acts on the turn with no bet before: a bet."""
    return _bets(unbet_decision(hand, player, TURN)) if cbet_flop(hand, player) else None


def cbet_river(hand: Hand, player: int) -> bool | None:
    """The player c-bet the turn and acts on the river with no bet before: a bet."""
    return _bets(unbet_decision(hand, player, RIVER)) if cbet_turn(hand, player) else None


def fold_to_cbet(hand: Hand, player: int) -> bool | None:
    """The first response to a c-bet on the flop: a fold."""
    if not cbet_flop(hand, 1 - player):
        return None
    answers = [a for index, a in decisions(hand, player, FLOP) if bet_level(hand, index) == 1]
    return answers[0]["kind"] == "fold" if answers else None


def delayed_cbet(hand: Hand, player: int) -> bool | None:
    """The last preflop raiser, the flop checked through, acts on the turn with no bet before: a bet."""
    if last_raiser(hand) != player or not checked_through(hand, FLOP):
        return None
    return _bets(unbet_decision(hand, player, TURN))


def probe(hand: Hand, player: int) -> bool | None:
    """The opponent of the last preflop raiser, the flop checked through, acts on the turn with no bet before:
    a bet.
    """
    if last_raiser(hand) != 1 - player or not checked_through(hand, FLOP):
        return None
    return _bets(unbet_decision(hand, player, TURN))


def donk(hand: Hand, player: int) -> bool | None:
    """Out of position on the flop, before the last preflop raiser acts: a bet."""
    return _bets(unbet_decision(hand, player, FLOP)) if (player, last_raiser(hand)) == (1, 0) else None


def check_raise_on(hand: Hand, player: int, street: int) -> bool | None:
    """Checked this street and faces a bet: a raise."""
    checks = [
        i
        for i, a in enumerate(hand["actions"])
        if (a["player"], a["street"], a["kind"]) == (player, street, "check")
    ]
    found = [
        a for index, a in decisions(hand, player, street) if checks and index > checks[0] and a["to_call"] > 0
    ]
    return found[0]["kind"] == "raise" if found else None


def check_raise(hand: Hand, player: int) -> bool | None:
    """`check_raise_on` any street from the flop on: a chance on one, a check-raise on one."""
    found = [
        taken for street in (FLOP, TURN, RIVER) if (taken := check_raise_on(hand, player, street)) is not None
    ]
    return any(found) if found else None


def showdown(hand: Hand) -> bool:
    """Whether nobody folded and the board is complete."""
    return hand["folded_by"] is None and len(hand["board"]) == 5


def winner(hand: Hand) -> int | None:
    """Who won by fold or by the better five cards, whatever was paid; None for a split."""
    strengths = [best_five([*hole, *hand["board"]]) for hole in hand["hole"]] if showdown(hand) else None
    return winner_of(hand["folded_by"], strengths)


def saw_flop(hand: Hand, player: int) -> bool | None:
    """Every hand: the flop was dealt."""
    return len(hand["streets"]) > 0


def went_to_showdown(hand: Hand, player: int) -> bool | None:
    """WTSD. The player saw the flop: showdown."""
    return showdown(hand) if saw_flop(hand, player) else None


def won_showdown(hand: Hand, player: int) -> bool | None:
    """W$SD. A showdown: won it; a tie is no win."""
    return winner(hand) == player if showdown(hand) else None


def tied_showdown(hand: Hand, player: int) -> bool | None:
    """A showdown: tied."""
    return winner(hand) is None if showdown(hand) else None


def won_when_saw_flop(hand: Hand, player: int) -> bool | None:
    """WWSF. The player saw the flop: won the hand, by fold or showdown; a tie is no win."""
    return winner(hand) == player if saw_flop(hand, player) else None


TENDENCIES: dict[str, Statistic] = {
    "vpip": vpip,
    "pfr": pfr,
    "rfi": rfi,
    "limp": limp,
    "twobet": two_bet,
    "threebet": three_bet,
    "fourbet": four_bet,
    "fold_to_3bet": fold_to_three_bet,
    "cbet_flop": cbet_flop,
    "cbet_turn": cbet_turn,
    "cbet_river": cbet_river,
    "fold_to_cbet": fold_to_cbet,
    "delayed_cbet": delayed_cbet,
    "probe": probe,
    "donk": donk,
    "check_raise": check_raise,
    "saw_flop": saw_flop,
    "wtsd": went_to_showdown,
    "won_showdown": won_showdown,
    "tied_showdown": tied_showdown,
    "wwsf": won_when_saw_flop,
}


def responses(hand: Hand, player: int) -> list[Response]:
    """Every choice of the player that faces a bet (preflop: the blinds or a raise), in order."""
    return [
        Response(a["street"], ("SB", "BB")[player], a["kind"], a["to_call"] / (a["pot"] - a["to_call"]))
        for a in hand["actions"]
        if a["player"] == player and a["origin"] == "choice" and a["to_call"] > 0
    ]


def aggression(hand: Hand, player: int) -> Counter[str]:
    """How often the player bet, raised, called, checked, folded by choice from the flop on (a fold of a free
    check counts).
    """
    return Counter(a["kind"] for street in (FLOP, TURN, RIVER) for _, a in decisions(hand, player, street))


def _players(match: Match) -> list[Player]:
    twice = match["names"][0] == match["names"][1]
    return [Player(name, seat if twice else None) for seat, name in enumerate(match["names"])]


def rates(matches: Iterable[Match]) -> dict[tuple[Player, Player, str], tuple[int, int]]:
    """(opportunities, successes) by player, opponent and name of the statistic."""
    opportunities: Counter[tuple[Player, Player, str]] = Counter()
    successes: Counter[tuple[Player, Player, str]] = Counter()
    for match in matches:
        players = _players(match)
        for hand in match["hands"]:
            for position, seat in enumerate(hand["seats"]):
                for name, statistic in TENDENCIES.items():
                    taken = statistic(hand, position)
                    if taken is not None:
                        opportunities[players[seat], players[1 - seat], name] += 1
                        successes[players[seat], players[1 - seat], name] += taken
    return {key: (count, successes[key]) for key, count in opportunities.items()}


def folds_to_bets(matches: Iterable[Match]) -> dict[tuple[Player, Player, int, str], tuple[int, int]]:
    """(bets faced, folds) by player, opponent, street and position."""
    faced: Counter[tuple[Player, Player, int, str]] = Counter()
    folds: Counter[tuple[Player, Player, int, str]] = Counter()
    for match in matches:
        players = _players(match)
        for hand in match["hands"]:
            for position, seat in enumerate(hand["seats"]):
                for response in responses(hand, position):
                    key = (players[seat], players[1 - seat], response.street, response.position)
                    faced[key] += 1
                    folds[key] += response.kind == "fold"
    return {key: (count, folds[key]) for key, count in faced.items()}


def aggression_counts(matches: Iterable[Match]) -> dict[tuple[Player, Player], Counter[str]]:
    """`aggression` added up by player and opponent: AF = (bet + raise) / call, AFq and aggression % follow
    from it.
    """
    total: dict[tuple[Player, Player], Counter[str]] = {}
    for match in matches:
        players = _players(match)
        for hand in match["hands"]:
            for position, seat in enumerate(hand["seats"]):
                pair = (players[seat], players[1 - seat])
                total.setdefault(pair, Counter()).update(aggression(hand, position))
    return total
