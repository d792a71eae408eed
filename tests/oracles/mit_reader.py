"""Reads a Bounty (2025) or plain hold'em log of the MIT engine with regular expressions, one line at a time.

Players are named by *position* in a hand: 0 is the dealer (small blind), 1 the big blind. `seats` gives their
fixed place in the match (order of the header). Chips are whole numbers. Lines count from 1.

Origin of an action, first that applies:

* `substitute`: the engine acted for the player. It is the action next after a fault line of that player in
  the same hand, or any action after that player's `ran out of time` or `disconnected`, in that hand or a
  later one. A fault after the awards belongs to the acknowledgement of the round; a lasting one makes the
  player's later actions substitutes.
* `allin`: the pips are level and at least one player has no chips left, so no bet is possible: the engine
  still asks for a check, and still takes a fold. A call or fold against an all-in bet is a `choice`.
* `choice`: every other.
"""

from __future__ import annotations

import re
from pathlib import Path

from .decoded import Action, Fault, Hand, Match, StreetLine

CARD = r"[2-9TJQKA][cdhs]"
CARDS = rf"\[({CARD}(?: {CARD})*)\]"
STREETS = ("Preflop", "Flop", "Turn", "River")

ACTIONS = (
    ("fold", re.compile(r" folds")),
    ("call", re.compile(r" calls")),
    ("check", re.compile(r" checks")),
    ("bet", re.compile(r" bets (\d+)")),
    ("raise", re.compile(r" raises to (\d+)")),
)
FAULTS = (
    ("illegal", re.compile(r" attempted illegal (\w+)")),
    ("misformatted", re.compile(r" response misformatted(?:: ?(.*))?", re.DOTALL)),
    ("late", re.compile(r" ran out of time()")),
    ("disconnected", re.compile(r" disconnected()")),
)
LASTING_FAULTS = ("late", "disconnected")
BLIND = re.compile(r" posts the blind of (\d+)")
DEALT = re.compile(rf" dealt {CARDS}")
SHOWS = re.compile(rf" shows {CARDS}")
AWARDED = re.compile(r" awarded (-?\d+)")
HITS = re.compile(r" hits their bounty()")


def read_match(path: Path, stack: int = 400) -> Match:
    """Read the log at `path`; each player starts a round with `stack`. Unfit lines are kept as `unknown`."""
    text = path.read_bytes().decode("utf-8", errors="surrogateescape")
    return parse_match(text, stack)


def parse_match(text: str, stack: int = 400) -> Match:
    """`read_match` on the text of a log. Raises ValueError where no round posts its blinds."""
    lines = text.replace("\r\n", "\n").split("\n")
    blocks = _blocks(lines)
    rounds = [block for block in blocks if block[0][1].startswith("Round #")]
    names = _names(rounds)
    header = lines[0]
    if header.endswith(f" - {names[1]} vs {names[0]}"):
        names = names[::-1]
    match = Match(header=header, names=names, hands=[], final=None, evs=[], unknown=[])
    ranks: list[str | None] = [None, None]
    gone = [False, False]
    for block in rounds:
        match["hands"].append(_Round(block, names, ranks, gone, stack).hand)
    for block in blocks:
        if block[0][1].startswith("Final, "):
            _read_end(block, match)
        elif block not in rounds and block[0][0] != 1:
            match["unknown"].extend(block)
    return match


def _blocks(lines: list[str]) -> list[list[tuple[int, str]]]:
    """Runs of lines between blank lines, each line with its number."""
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(lines, start=1):
        if line:
            blocks[-1].append((number, line))
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def _names(rounds: list[list[tuple[int, str]]]) -> list[str]:
    """The dealer's and the other's name of the first round: they post the blinds, and no name finds that."""
    for block in rounds:
        texts = [text for _, text in block]
        small = [
            text.removesuffix(" posts the blind of 1")
            for text in texts
            if text.endswith(" posts the blind of 1")
        ]
        big = [
            text.removesuffix(" posts the blind of 2")
            for text in texts
            if text.endswith(" posts the blind of 2")
        ]
        if small and big:
            return [small[0], big[0]]
    raise ValueError("no round posts its blinds")


def _pair(before: str, after: str, names: list[str]) -> re.Pattern[str]:
    """`before name (n), name (n) after`, names in the order given."""
    first, second = (re.escape(name) for name in names)
    return re.compile(rf"{before}{first} \((-?\d+)\), {second} \((-?\d+)\){after}")


def _read_end(block: list[tuple[int, str]], match: Match) -> None:
    """`Final` and the EV lines: three for each player, in the order of the names in `Final`."""
    names = match["names"]
    values: list[int] = []
    order = [0, 1]
    for number, text in block:
        if match["final"] is None:
            for order in ([0, 1], [1, 0]):
                found = _pair("Final, ", "", [names[seat] for seat in order]).fullmatch(text)
                if found:
                    final = [int(found[1]), int(found[2])]
                    match["final"] = [final[order.index(seat)] for seat in (0, 1)]
                    break
            else:
                match["unknown"].append((number, text))
            continue
        name = names[order[min(len(values) // 3, 1)]]
        street = ("preflop", "flop", "turn")[len(values) % 3]
        ev = re.fullmatch(rf"{re.escape(name)} {street} bets EV: (-?\d+)", text)
        if ev and len(values) < 6:
            values.append(int(ev[1]))
        else:
            match["unknown"].append((number, text))
    if len(values) == 6:
        halves = [values[:3], values[3:]]
        match["evs"] = [halves[order.index(seat)] for seat in (0, 1)]


class _Round:
    """Reads one block; `ranks` and `gone` (by seat) are carried from round to round and written here."""

    def __init__(
        self,
        block: list[tuple[int, str]],
        names: list[str],
        ranks: list[str | None],
        gone: list[bool],
        stack: int,
    ) -> None:
        first_line, first = block[0]
        for seats in ([0, 1], [1, 0]):
            found = _pair(r"Round #(\d+), ", "", [names[seat] for seat in seats]).fullmatch(first)
            if found:
                break
        else:
            raise ValueError(f"line {first_line}: {first!r} does not name the players {names}")
        number = int(found[1])
        if names[0] == names[1]:
            # Equal names: the first of the header deals the odd rounds.
            seats = [0, 1] if number % 2 else [1, 0]
        self.players = [names[seat] for seat in seats]
        self.ranks, self.gone, self.stack = ranks, gone, stack
        self.pips = [0, 0]
        self.turn = 0
        self.faulty = [False, False]
        self.hand = Hand(
            number=number,
            line=first_line,
            players=self.players,
            seats=seats,
            bankrolls=[int(found[2]), int(found[3])],
            bounties=[None, None],
            reset=False,
            hole=[[], []],
            board=[],
            streets=[],
            actions=[],
            contributions=[0, 0],
            folded_by=None,
            shows=[None, None],
            awards=[None, None],
            hit_lines=[False, False],
            counts=None,
            faults=[],
            unknown=[],
        )
        for line, text in block[1:]:
            if not self._read(line, text):
                self.hand["unknown"].append((line, text))
        self.hand["bounties"] = [ranks[seat] for seat in seats]

    def _read(self, line: int, text: str) -> bool:
        """Whether `text` was understood."""
        return self._named(line, text) or self._nameless(line, text)

    def _nameless(self, line: int, text: str) -> bool:
        hand = self.hand
        first, second = (re.escape(name) for name in self.players)
        reset = re.fullmatch(rf"Bounties reset to (\w) for player {first} and (\w) for player {second}", text)
        if reset:
            hand["reset"] = True
            for position, seat in enumerate(hand["seats"]):
                self.ranks[seat] = reset[position + 1]
            return True
        street = _pair(rf"(Flop|Turn|River) {CARDS}, ", "", self.players).fullmatch(text)
        if street:
            hand["board"] = street[2].split()
            hand["streets"].append(
                StreetLine(
                    line=line,
                    street=STREETS.index(street[1]),
                    board=hand["board"],
                    contributions=[int(street[3]), int(street[4])],
                    stacks=None,
                )
            )
            self.pips = [0, 0]
            self.turn = 1
            return True
        stacks = re.fullmatch(r"Current stacks: (\d+), (\d+)", text)
        if stacks and hand["streets"]:
            hand["streets"][-1]["stacks"] = [int(stacks[1]), int(stacks[2])]
            return True
        counts = _pair("Winning counts at the end of the round: , ", "", self.players).fullmatch(text)
        if counts:
            hand["counts"] = [int(counts[1]), int(counts[2])]
        return counts is not None

    def _match(self, pattern: re.Pattern[str], text: str, due: int) -> tuple[int, str] | None:
        """The player whose name stands before a text that is all of `pattern`, and its group; `due` where
        both fit.
        """
        fits: dict[int, str] = {}
        for position, name in enumerate(self.players):
            rest = text.removeprefix(name)
            found = pattern.fullmatch(rest) if text.startswith(name) else None
            if found:
                fits[position] = (found[1] or "") if pattern.groups else ""
        if not fits:
            return None
        position = due if due in fits else next(iter(fits))
        return position, fits[position]

    def _named(self, line: int, text: str) -> bool:
        hand = self.hand
        blind = self._match(BLIND, text, 0 if hand["contributions"][0] == 0 else 1)
        if blind:
            self._put(blind[0], int(blind[1]))
            return True
        dealt = self._match(DEALT, text, 1 if hand["hole"][0] else 0)
        if dealt:
            hand["hole"][dealt[0]] = dealt[1].split()
            return True
        shown = self._match(SHOWS, text, 1 if hand["shows"][0] else 0)
        if shown:
            hand["shows"][shown[0]] = shown[1].split()
            return True
        award = self._match(AWARDED, text, 0 if hand["awards"][0] is None else 1)
        if award:
            hand["awards"][award[0]] = int(award[1])
            return True
        hit = self._match(HITS, text, self._hit_due())
        if hit:
            hand["hit_lines"][hit[0]] = True
            return True
        return self._fault(line, text) or self._action(line, text)

    def _hit_due(self) -> int:
        """With equal names, a hit line is the dealer's if only the dealer can have hit, or both and it is the
        first.
        """
        hand = self.hand
        rank = self.ranks[hand["seats"][0]]
        able = rank is not None and any(card[0] == rank for card in (*hand["hole"][0], *hand["board"]))
        return 0 if able and not hand["hit_lines"][0] else 1

    def _fault(self, line: int, text: str) -> bool:
        acknowledging = self.hand["awards"] != [None, None]
        for kind, pattern in FAULTS:
            found = self._match(pattern, text, self.turn)
            if found:
                position, rest = found
                fault = Fault(line=line, player=position, kind=kind, text=rest, acknowledging=acknowledging)
                self.hand["faults"].append(fault)
                self.faulty[position] = not acknowledging
                if kind in LASTING_FAULTS:
                    self.gone[self.hand["seats"][position]] = True
                return True
        return False

    def _action(self, line: int, text: str) -> bool:
        for kind, pattern in ACTIONS:
            found = self._match(pattern, text, self.turn)
            if found:
                self._act(line, found[0], kind, int(found[1]) if found[1] else None)
                return True
        return False

    def _act(self, line: int, player: int, kind: str, amount: int | None) -> None:
        hand = self.hand
        put_in = hand["contributions"]
        stacks = [self.stack - chips for chips in put_in]
        to_call = self.pips[1 - player] - self.pips[player]
        substitute = self.faulty[player] or self.gone[hand["seats"][player]]
        no_bet_possible = to_call == 0 and min(stacks) == 0
        hand["actions"].append(
            Action(
                line=line,
                street=len(hand["streets"]),
                player=player,
                kind=kind,
                amount=amount,
                substitute=substitute,
                origin="substitute" if substitute else "allin" if no_bet_possible else "choice",
                to_call=to_call,
                pot=sum(put_in),
                pip=self.pips[player],
                stack=stacks[player],
            )
        )
        self.faulty[player] = False
        self.turn = 1 - player
        if kind == "fold":
            hand["folded_by"] = player
        elif kind == "call":
            self._put(player, to_call)
        elif amount is not None:
            self._put(player, amount - self.pips[player])

    def _put(self, player: int, chips: int) -> None:
        self.pips[player] += chips
        self.hand["contributions"][player] += chips
