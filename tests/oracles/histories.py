"""Readers of hand histories, written from the formats' documents: they play a hand from its text and pay it.

Hands are compared by PokerKit's lookups: no code of railbird is used.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pokerkit import OmahaEightOrBetterLowHand, OmahaHoldemHand, StandardHighHand

STREETS: Final = ("Preflop", "Flop", "Turn", "River")
_N: Final = r"(\d+(?:\.\d\d?)?)"
_HANDS: Final = 10**7


@dataclass
class Told:
    """A hand as its text tells it, players by the id or the name that the text has.

    put    chips put in, result: won less put in; dead: antes and dead blinds
    moves  street and action; shown: the hands shown; out: who folded or threw the cards away
    pots   of a format that tells them: chips, and what each player wins
    """

    omaha: bool = False
    low: bool = False
    stacks: dict[Any, float] = field(default_factory=dict)
    put: dict[Any, float] = field(default_factory=lambda: defaultdict(float))
    bets: dict[Any, float] = field(default_factory=lambda: defaultdict(float))
    won: dict[Any, float] = field(default_factory=lambda: defaultdict(float))
    moves: list[tuple[int, str]] = field(default_factory=list)
    board: list[str] = field(default_factory=list)
    dealt: dict[Any, list[str]] = field(default_factory=dict)
    shown: dict[Any, list[str]] = field(default_factory=dict)
    out: set[Any] = field(default_factory=set)
    uncalled: float = 0.0
    rake: float = 0.0

    @property
    def result(self) -> dict[Any, float]:
        """What each player wins or loses."""
        return {who: self.won[who] - self.put[who] for who in self.stacks}

    def return_uncalled(self) -> None:
        """Take out of the pot what nobody matched; antes are no bet."""
        most = max(self.bets.values())
        second = sorted([*self.bets.values(), 0.0])[-2]
        for who, chips in self.bets.items():
            if chips == most > second:
                self.put[who] -= most - second
                self.uncalled = most - second

    def check_winners(self) -> None:
        """Chips add up, nobody puts in more than it has, and in every layer of bets the best hands shown win."""
        assert abs(sum(self.won.values()) + self.rake - sum(self.put.values())) < 0.02
        for who, chips in self.put.items():
            assert chips <= self.stacks[who] + 0.006
        live = [who for who in self.stacks if who not in self.out]
        if len(live) == 1:
            assert {who for who, chips in self.won.items() if chips > 0} <= set(live)
            return
        assert len(self.board) == 5
        best: set[Any] = set()
        for level in {self.put[who] for who in live}:
            able = [who for who in live if self.put[who] >= level]
            high = {who: self._high(who) for who in able}
            best |= {who for who in able if high[who] == max(high.values())}
            if self.low:
                lows = {who: hand for who in able if (hand := self._low(who)) is not None}
                best |= {who for who in lows if lows[who] == max(lows.values())}
        assert {who for who, chips in self.won.items() if chips > 0} <= best

    def _high(self, who: Any) -> Any:
        hole, board = ("".join(cards) for cards in (self.shown[who], self.board))
        if self.omaha:
            return OmahaHoldemHand.from_game(hole, board)
        return StandardHighHand.from_game(hole, board)

    def _low(self, who: Any) -> Any:
        return OmahaEightOrBetterLowHand.from_game_or_none("".join(self.shown[who]), "".join(self.board))


_ROOT: Final[dict[str, Any]] = {
    "spec_version": str,
    "site_name": str,
    "network_name": str,
    "internal_version": str,
    "tournament": bool,
    "game_number": str,
    "start_date_utc": str,
    "table_name": str,
    "game_type": str,
    "bet_limit": dict,
    "table_size": int,
    "currency": str,
    "dealer_seat": int,
    "small_blind_amount": (int, float),
    "big_blind_amount": (int, float),
    "ante_amount": (int, float),
    "flags": list,
    "players": list,
    "rounds": list,
    "pots": list,
}
_BETS: Final = ("Post SB", "Post BB", "Straddle", "Post Extra Blind", "Bet", "Raise", "Call")
_DEAD: Final = ("Post Ante", "Post Dead")
_MOVES: Final = ("Fold", "Check", "Bet", "Raise", "Call")


def _check_schema(hand: dict[str, Any]) -> None:
    """The keys and types of the specification, and what its words may be."""
    for key, kind in _ROOT.items():
        assert isinstance(hand[key], kind), key
    assert not hand.keys() - _ROOT.keys() - {"table_handle", "hero_player_id"}
    assert hand["game_type"] in ("Holdem", "Omaha", "OmahaHiLo")
    assert hand["bet_limit"]["bet_type"] in ("NL", "PL", "FL")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", hand["start_date_utc"])
    seats = [player["seat"] for player in hand["players"]]
    assert len({*seats}) == len(seats) and hand["dealer_seat"] in seats
    assert all(1 <= seat <= hand["table_size"] <= max(10, len(seats)) for seat in seats)
    ids = {player["id"] for player in hand["players"]}
    assert len(ids) == len(seats)
    numbers = []
    for street in hand["rounds"]:
        assert street["street"] in (*STREETS, "Showdown")
        assert len(street["cards"]) == {"Flop": 3, "Turn": 1, "River": 1}.get(street["street"], 0)
        for action in street["actions"]:
            numbers.append(action["action_number"])
            assert action["player_id"] in ids
            assert action["action"] in (*_BETS, *_DEAD, *_MOVES, "Dealt Cards", "Shows Cards", "Mucks Cards")
            assert action["action"] != "Bet" or street["street"] != "Preflop"
    assert numbers == [*range(1, len(numbers) + 1)]


def read_ohh(text: str) -> Iterator[tuple[int, Told]]:
    """The hands of a file, each with its number within the match."""
    assert text.endswith("}\n\n")
    for said in text.removesuffix("\n\n").split("\n\n"):
        hand = json.loads(said)["ohh"]
        _check_schema(hand)
        told = Told(hand["game_type"] != "Holdem", hand["game_type"] == "OmahaHiLo")
        told.stacks = {player["id"]: player["starting_stack"] for player in hand["players"]}
        for street in hand["rounds"]:
            told.board += street["cards"]
            for action in street["actions"]:
                who, word, chips = action["player_id"], action["action"], action.get("amount", 0)
                if word in _BETS or word in _DEAD:
                    told.put[who] += chips
                    told.bets[who] += chips if word in _BETS else 0
                    assert action["is_allin"] == (abs(told.put[who] - told.stacks[who]) < 1e-4 and chips > 0)
                if word in _MOVES:
                    told.moves.append((STREETS.index(street["street"]), word.lower()))
                if word in ("Fold", "Mucks Cards"):
                    told.out.add(who)
                if word == "Shows Cards":
                    told.shown[who] = action["cards"]
                if word == "Dealt Cards":
                    told.dealt[who] = action["cards"]
        told.return_uncalled()
        for pot in hand["pots"]:
            told.rake += pot["rake"]
            wins = {win["player_id"]: win["win_amount"] for win in pot["player_wins"]}
            assert abs(sum(wins.values()) + pot["rake"] - pot["amount"]) < 1e-4
            for who, chips in wins.items():
                told.won[who] += chips
        yield int(hand["game_number"].partition("#")[2]), told


_HEAD: Final = re.compile(
    rf"PokerStars Hand #(\d+): (Hold'em|Omaha|Omaha Hi/Lo) (?:No Limit|Pot Limit|Limit) \({_N}/{_N}\) - "
    r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d ET"
)
_TABLE: Final = re.compile(r"Table '\d+' (\d+)-max \(Play Money\) Seat #(\d+) is the button")
_SEAT: Final = re.compile(rf"Seat (\d+): (.+) \({_N} in chips\)")
_WORDS: Final = {"folds": "fold", "checks": "check", "calls": "call", "bets": "bet", "raises": "raise"}


def read_pokerstars(text: str) -> Iterator[tuple[int, Told]]:
    """The hands of a file, each with its number within the match. Every line must be of a known form."""
    assert text.endswith("\n\n\n")
    for said in text.removesuffix("\n\n\n").split("\n\n\n"):
        lines = said.split("\n")
        head, table = _HEAD.fullmatch(lines[0]), _TABLE.fullmatch(lines[1])
        assert head and table, lines[:2]
        told = Told(head[2] != "Hold'em", head[2] == "Omaha Hi/Lo")
        at, chairs = 2, []
        while seat := _SEAT.fullmatch(lines[at]):
            told.stacks[seat[2]] = float(seat[3])
            chairs.append(int(seat[1]))
            at += 1
        assert chairs == sorted({*chairs}) and int(table[2]) in chairs and chairs[-1] <= int(table[1])
        end = lines.index("*** SUMMARY ***")
        _play(told, lines[at:end])
        summary = re.match(rf"Total pot {_N}.*\| Rake {_N}$", lines[end + 1])
        assert summary, lines[end + 1]
        told.rake = float(summary[2])
        assert abs(float(summary[1]) - sum(told.put.values())) < 0.02
        yield int(head[1]) % _HANDS, told


def _play(told: Told, lines: list[str]) -> None:
    """The lines between the seats and the summary."""
    street, bet = 0, 0.0
    pip: dict[str, float] = defaultdict(float)
    who_is = "|".join(re.escape(name) for name in sorted(told.stacks, key=len, reverse=True))
    act = re.compile(rf"({who_is}): (.*)")
    for line in lines:
        if found := re.fullmatch(r"\*\*\* (FLOP|TURN|RIVER) \*\*\* (?:\[.*\] )?\[(.*)\]", line):
            told.board += found[2].split()
            street, bet = street + 1, 0.0
            pip.clear()
        elif line in ("*** HOLE CARDS ***", "*** SHOW DOWN ***"):
            continue
        elif found := re.fullmatch(rf"Dealt to ({who_is}) \[(.*)\]", line):
            told.dealt[found[1]] = found[2].split()
        elif found := re.fullmatch(rf"Uncalled bet \({_N}\) returned to ({who_is})", line):
            told.put[found[2]] -= float(found[1])
        elif found := re.fullmatch(
            rf"({who_is}) collected {_N} from (?:pot|main pot|side pot(?:-\d)?)", line
        ):
            told.won[found[1]] += float(found[2])
        else:
            found = act.fullmatch(line)
            assert found, line
            who, said = found[1], found[2].removesuffix(" and is all-in")
            added = _added(told, who, said, street, bet, pip)
            told.put[who] += added
            if not said.startswith("posts the ante") and not _is_dead(said, who, pip, told):
                pip[who] += added
                bet = max(bet, pip[who])
            if said != found[2]:
                assert abs(told.put[who] - told.stacks[who]) < 0.006, line


def _is_dead(said: str, who: str, pip: dict[str, float], told: Told) -> bool:
    """A second small blind is a dead one."""
    if not said.startswith("posts small blind"):
        return False
    is_second = told.bets["small"] > 0
    told.bets["small"] = 1.0
    return is_second


def _added(told: Told, who: str, said: str, street: int, bet: float, pip: dict[str, float]) -> float:
    """The chips that a line puts in."""
    if found := re.fullmatch(rf"posts (?:the ante|small blind|big blind|straddle) {_N}", said):
        return float(found[1])
    if found := re.fullmatch(r"shows \[(.*)\]", said):
        told.shown[who] = found[1].split()
        return 0.0
    if said in ("mucks hand", "doesn't show hand"):
        if said == "mucks hand":
            told.out.add(who)
        return 0.0
    word = said.split(" ", 1)[0]
    told.moves.append((street, _WORDS[word]))
    if word == "folds":
        told.out.add(who)
    if found := re.fullmatch(rf"(?:calls|bets) {_N}", said):
        return float(found[1])
    if found := re.fullmatch(rf"raises {_N} to {_N}", said):
        assert abs(bet + float(found[1]) - float(found[2])) < 0.011
        return float(found[2]) - pip[who]
    assert said in ("folds", "checks"), said
    return 0.0
