"""PHH, the hand histories of the PokerKit project: TOML, amounts are totals of the street.

`.phh` has a hand, `.phhs` the hands of a match as tables. Players are listed from the one after the dealer.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from .hands import CannotHold, Cards, Format, Hand, Match, Text
from .holdem import Played, replay


class Phh(Format):
    """A file a hand."""

    def write(self, hand: Hand) -> Iterator[Text]:
        """The hand's file, in the folder of its match."""
        yield Text(f"{hand.match.match_id}/{hand.hand_index}.phh", table(replay(hand)))


class Phhs(Format):
    """A file a match."""

    def begin(self, match: Match) -> None:
        """Tables are numbered from 1 in each file."""
        self.number = 0

    def write(self, hand: Hand) -> Iterator[Text]:
        """A table of the match's file."""
        said = table(replay(hand))
        self.number += 1
        gap = "\n" if self.number > 1 else ""
        yield Text(f"{hand.match.match_id}.phhs", f"{gap}[{self.number}]\n{said}")


def table(played: Played) -> str:
    """A hand's fields, a line each."""
    played.require_legal()
    hand, match = played.hand, played.hand.match
    chips = _Chips(played.fractions)
    small, big = played.blinds
    n = len(played.seats)
    fields: dict[str, str] = {
        "variant": '"NT"' if match.raise_sizes is None else '"FT"',
        "ante_trimming_status": "true",
        "antes": chips.several([0.0] * n),
        # Of two players the first is the big blind, and the array is the other way round.
        "blinds_or_straddles": chips.several([small, big, *[0.0] * (n - 2)]),
    }
    if match.raise_sizes is None:
        fields["min_bet"] = chips.one(big)
    else:
        fields |= {"small_bet": chips.one(match.raise_sizes[0]), "big_bet": chips.one(match.raise_sizes[-1])}
    stacks = _stacks(played)
    fields["starting_stacks"] = chips.several(stacks)
    fields["actions"] = f"[{', '.join(map(_quoted, _actions(played, chips)))}]"
    if hand.hand_no is not None:
        fields["hand"] = str(hand.hand_no)
    fields |= {
        "event": _quoted(match.event or ""),
        "seats": f"[{', '.join(str(seat.seat + 1) for seat in played.seats)}]",
        "seat_count": str(len(match.players)),
        "players": f"[{', '.join(_quoted(seat.player) for seat in played.seats)}]",
        "finishing_stacks": chips.several(
            [stack + (seat.delta or 0.0) for stack, seat in zip(stacks, played.seats, strict=True)]
        ),
        "_match_id": _quoted(str(match.match_id)),
        "_hand_index": str(hand.hand_index),
    }
    if None in played.stacks:
        fields["_stacks"] = _quoted("without limit: as much as all bets of a hand together")
    return "".join(f"{name} = {value}\n" for name, value in fields.items())


def _stacks(played: Played) -> list[float]:
    """The stacks; of a game that limits nobody, more than all its bets together."""
    match = played.hand.match
    if None not in played.stacks:
        return [stack for stack in played.stacks if stack is not None]
    if match.raise_sizes is None or match.raise_caps is None:
        raise CannotHold("no stacks")
    return [sum(size * cap for size, cap in zip(match.raise_sizes, match.raise_caps, strict=True)) * 2] * len(
        played.stacks
    )


def _actions(played: Played, chips: "_Chips") -> Iterator[str]:
    for place, seat in enumerate(played.seats):
        yield f"d dh p{place + 1} {_cards(seat.hole) or '????'}"
    for street, moves in enumerate(played.moves):
        if street:
            yield f"d db {_cards(played.dealt[street - 1])}"
        for move in moves:
            if move.kind in ("bet", "raise"):
                yield f"p{move.place + 1} cbr {chips.one(move.to)}"
            else:
                yield f"p{move.place + 1} {'f' if move.kind == 'fold' else 'cc'}"
    if played.showdown:
        for place in played.showers():
            yield f"p{place + 1} sm {_cards(played.seats[place].hole)}"
        for cards in played.dealt[len(played.moves) - 1 :]:
            yield f"d db {_cards(cards)}"


def _cards(cards: Cards) -> str:
    return "".join("??" if card is None else card for card in cards)


def _quoted(text: str) -> str:
    """A string of TOML. Its escapes are JSON's, but for one control character more that must not stand there."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


class _Chips:
    """Chips as numbers: decimals throughout where a pot is split to fractions, which readers then split as well."""

    def __init__(self, fractions: bool) -> None:
        self.fractions = fractions

    def one(self, chips: float) -> str:
        """A number."""
        return repr(float(chips)) if self.fractions or not float(chips).is_integer() else str(int(chips))

    def several(self, chips: Sequence[Any]) -> str:
        """An array."""
        return f"[{', '.join(map(self.one, chips))}]"
