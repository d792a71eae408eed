"""The dialects of Koper: v1, one match on the console, and v2, a tournament of five matches in `all_games.txt`."""

import re
from typing import Final

from .dialect import Dialect, MatchText, Text, line_at
from .grammar import Grammar

SEATS: Final = 5
LETTERS: Final = tuple(b"Player %c" % letter for letter in b"ABCDE")

_SHARED: Final = Grammar(
    """
    community      The community cards are: [{q}]
    too_few        Not enough players to continue match.
    visible        Visible Community Cards for Round {n} (Flop): [{q}]
    out            {p} eliminated! Stack ({d}) < 100.
    said           Equity: {d}%, {p} {*}
    later_bet      Equity: {d}%, {p} bet {d} in round {n}
    heading        *** EARLY WINNER (Fold Equity) ***
    early_win      {p} wins by fold! Pot: ${d}. Payout: ${d}
    marker         <<<<<<<{*}
    marker         |||||||{*}
    marker         =======
    marker         >>>>>>>{*}
    """
)

V1: Final = Grammar(
    """
    round          --- Starting Game {n} ---
    heading        " "
    buy_in         " Round 0 starting: Buy-ins and Dealing"
    dealt          {p} is dealt: [{q}]
    flop_betting   " Round 1 starting: Flop Betting"
    turn_betting   " Round 2 starting: Turn Betting"
    river_betting  " Round 3 starting: River Betting"
    visible        Visible Community Cards for Round {n} (Turn): [{q}]
    visible        Visible Community Cards for Round {n} (River): [{q}]
    fold           Equity: {d}%, {p}  chose to fold.
    bet            Equity: {d}%, {p}  chose to bet ${d}.
    closing_fold   " chose to fold."
    closing_bet    " chose to bet ${d}."
    nobody         No players remain in Round {n}.
    showdown       " Showdown & Pot Allocation"
    winner         Winner: {p} with Hand Score {n}
    draw_2         **DRAW!** Winners: {p}, {p} all share Hand Score {n}
    draw_3         **DRAW!** Winners: {p}, {p}, {p} all share Hand Score {n}
    draw_4         **DRAW!** Winners: {p}, {p}, {p}, {p} all share Hand Score {n}
    draw_5         **DRAW!** Winners: {p}, {p}, {p}, {p}, {p} all share Hand Score {n}
    total          Total Pot: {d}, Total Win Amount Distributed: {d}
    redistributed  Redistributing {d} ({d} each) to {n} late-round players.
    heading        Game End Stacks:
    stack          {p}: ${d}
    match_over     --- Match Over ---
    standings      Final Standings:
    heading        Total Fractional Wins per Player:
    wins           {p}: {d} wins
    heading        Note: {*}
    """,
    base=_SHARED,
)

V2: Final = Grammar(
    """
    round          --- Match {n} | Game {n} ---
    heading        TOURNAMENT LOG
    heading        ====================
    buy_in         Round 0 starting: Buy-ins and Dealing
    dealt          [{q}] dealt to {p}
    flop_betting   Round 1 starting: Flop Betting
    turn_betting   Round 2 starting: Turn Betting
    river_betting  Round 3 starting: River Betting
    fold           Equity: {d}%, {p} chose to fold.
    bet            Equity: {d}%, {p} chose to bet ${d}.
    closing_fold   chose to fold.
    closing_bet    chose to bet ${d}.
    all_folded     All players folded! Pot redistributes.
    receives       {p} receives ${d}
    showdown       *** SHOWDOWN RESULTS ***
    win_count      Total number of winners: {n}
    prize          {p} won ${d}. Winning Cap was ${d}. Pot was ${d}
    stack          {p} final stack: ${d}
    left           Distributing remaining pot ${d} among {n} active players.
    """,
    base=_SHARED,
)

_OPENS_V1: Final = b"--- Starting Game "
_OPENS_V2: Final = b"--- Match "
_ROUND_V1: Final = V1.template("round").regex
_ROUND_V2: Final = V2.template("round").regex
_OVER: Final = b"\n--- Match Over ---"
_DEALT: Final = re.compile(rb"\['..', '..'\] dealt to ([^\r\n]+?)\r?\n")
_FINALS: Final = re.compile(rb"(?:^[^\r\n]+ final stack: \$-?\d+\.\d\d\r?\n){5}", re.MULTILINE)
_FINAL: Final = re.compile(rb"^([^\r\n]+) final stack: ", re.MULTILINE)


def _headings(text: Text, opens: bytes, form: re.Pattern[bytes]) -> list[tuple[int, tuple[int, ...]]]:
    """Offset and numbers of the lines with which games begin."""
    found = []
    at = 0 if text.startswith(opens) else text.find(b"\n" + opens) + 1
    while at > 0 or (at == 0 and text.startswith(opens)):
        if said := form.match(text, at):
            found.append((at, tuple(int(number) for number in said.groups())))
        at = text.find(b"\n" + opens, at) + 1
        if at == 0:
            break
    return found


def _matches(text: Text, starts: list[int], names: list[tuple[bytes, ...]], aliased: bool) -> list[MatchText]:
    found = []
    for k, start in enumerate(starts):
        end = starts[k + 1] if k + 1 < len(starts) else len(text)
        start = 0 if k == 0 else start
        cut_short = end == len(text) and not text.endswith(b"\n")
        aliases = LETTERS if aliased and names[k] else ()
        found.append(MatchText(start, start, end, names[k], True, cut_short, aliases))
    return found


def cut_v1(text: Text) -> list[MatchText]:
    """A match begins with game 1, and with the first game after the end of another."""
    starts: list[int] = []
    for at, (number,) in _headings(text, _OPENS_V1, _ROUND_V1):
        if not starts or number == 1 or text.find(_OVER, starts[-1], at) >= 0:
            starts.append(at)
    return _matches(text, starts, [LETTERS] * len(starts), False)


def _names(text: Text, start: int, end: int) -> tuple[bytes, ...]:
    """The players by seat: those of the first stacks printed, else those dealt cards in the first game; () if neither."""
    if block := _FINALS.search(text, start, end):
        return tuple(_FINAL.findall(block[0]))
    following = text.find(b"\n" + _OPENS_V2, start + 1, end)
    dealt = tuple(_DEALT.findall(text, start, following if following >= 0 else end))
    return dealt if len(dealt) == SEATS else ()


def cut_v2(text: Text) -> list[MatchText]:
    """A match begins where its number changes, and with game 1."""
    starts: list[int] = []
    before = -1
    for at, (match, game) in _headings(text, _OPENS_V2, _ROUND_V2):
        if match != before or game == 1:
            starts.append(at)
        before = match
    ends = [*starts[1:], len(text)]
    names = [_names(text, start, end) for start, end in zip(starts, ends, strict=True)]
    return _matches(text, starts, names, True)


DIALECT_V1: Final = Dialect("koper-v1", "koper", V1, cut_v1, markers=(_OPENS_V1,), opens=_OPENS_V1)
DIALECT_V2: Final = Dialect(
    "koper-v2", "koper", V2, cut_v2, markers=(b"Round 0 starting: Buy-ins and Dealing",), opens=_OPENS_V2
)


def seat_number(text: Text) -> int:
    """The number of the match that a v2 text begins with, from 1; 0 where it begins with none."""
    said = _ROUND_V2.match(line_at(text, 0))
    return int(said[1]) if said else 0
