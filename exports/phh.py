"""PHH, the hand histories of the PokerKit project: TOML, amounts are totals of the street.

`.phh` has a hand, `.phhs` the hands of a match as tables. Players are listed from the one after the dealer.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from .hands import CannotHold, Cards, Format, Hand, Match, Text
from .holdem import MOST_CHAIRS, Played, called_before
from .posts import BIG, EXTRA
from .pots import replay
from .rules import FIXED, NO_LIMIT, POT_LIMIT

_MOST_BETS: Final = 4
"""Bets and raises of a street of a fixed limit, without the blinds: readers allow no more."""


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
    if len(played.seats) > MOST_CHAIRS:
        raise CannotHold("more than ten players")
    if len(played.seats) == 2 and played.places == (0, 1):
        raise CannotHold("a dealer of two who posts the big blind")
    bets = max(sum(move.kind in ("bet", "raise") for move in moves) for moves in played.moves)
    if played.limit.kind == FIXED and bets > _MOST_BETS:
        raise CannotHold("more than four bets and raises of a fixed limit on a street")
    if played.shared:
        raise CannotHold("odd chips that are shared out")
    if played.showdown and all(map(played.mucks, played.live)):
        raise CannotHold("a showdown at which nobody shows")
    hand, match = played.hand, played.hand.match
    chips = _Chips(played.fractions)
    fields: dict[str, str] = {
        "variant": f'"{_variant(played)}"',
        "ante_trimming_status": "false" if played.dead else "true",
        "antes": chips.several(_turned(played.posts.antes)),
        "blinds_or_straddles": chips.several(_turned(_blinds(played))),
    }
    if played.limit.kind == FIXED:
        fields |= {"small_bet": chips.one(played.limit.small), "big_bet": chips.one(played.limit.big)}
    else:
        fields["min_bet"] = chips.one(played.big_blind)
    fields["starting_stacks"] = chips.several(played.stacks)
    fields["actions"] = f"[{', '.join(map(_quoted, _actions(played, chips)))}]"
    if hand.hand_no is not None:
        fields["hand"] = str(hand.hand_no)
    fields |= {
        "event": _quoted(match.event or ""),
        "seats": f"[{', '.join(map(str, played.chairs))}]",
        "seat_count": str(played.table_size),
        "players": f"[{', '.join(_quoted(seat.player) for seat in played.seats)}]",
    }
    fields |= _results(played, chips)
    fields |= {"_match_id": _quoted(str(match.match_id)), "_hand_index": str(hand.hand_index)}
    return "".join(f"{name} = {value}\n" for name, value in fields.items())


def _variant(played: Played) -> str:
    """The code of the game."""
    rules, kind = played.rules, played.limit.kind
    codes = {
        (2, False, False): {NO_LIMIT: "NT", FIXED: "FT"},
        (2, False, True): {NO_LIMIT: "NS"},
        (4, False, False): {POT_LIMIT: "PO"},
        (4, True, False): {FIXED: "FO/8"},
    }
    code = codes.get((rules.holes, rules.low, rules.short), {}).get(kind)
    if code is None:
        what = "short deck" if rules.short else "hold'em" if rules.holes == 2 else "Omaha"
        raise CannotHold(f"no code for {what}{' hi-lo' * rules.low}, {kind}")
    return code


def _turned(by_place: Sequence[float]) -> Sequence[float]:
    """Antes and blinds in the order of PHH: with two players the big blind is first, so the arrays are reversed."""
    return by_place[::-1] if len(by_place) == 2 else by_place


def _blinds(played: Played) -> list[float]:
    """The blinds by place: negative where they do not change who acts first, in full where the stack is smaller."""
    extra = {post.place for post in played.posts.all if post.kind == EXTRA}
    found = [-chips if place in extra else chips for place, chips in enumerate(played.posts.live)]
    _, big = played.places
    if any(post.place == big and post.kind == BIG and post.all_in for post in played.posts.all):
        found[big] = max(found[big], called_before(played.hand))
    return found


def _results(played: Played, chips: "_Chips") -> dict[str, str]:
    """What the log says of the results: stacks after the hand, of stacks without limit what was won."""
    deltas = [seat.delta for seat in played.seats]
    if None in deltas:
        return {}
    if None in played.stacks:
        won = [sum(pot.paid.get(place, 0.0) for pot in played.pots) for place in range(len(deltas))]
        return {"winnings": chips.several(won)}
    after = [(stack or 0.0) + (delta or 0.0) for stack, delta in zip(played.stacks, deltas, strict=True)]
    return {"finishing_stacks": chips.several(after)}


def _actions(played: Played, chips: "_Chips") -> Iterator[str]:
    for place, seat in enumerate(played.seats):
        yield f"d dh p{place + 1} {_cards((*seat.hole, *[None] * (played.rules.holes - len(seat.hole))))}"
    for street, moves in enumerate(played.moves):
        if street:
            yield f"d db {_cards(played.dealt[street - 1])}"
        for move in moves:
            if move.kind in ("bet", "raise"):
                yield f"p{move.place + 1} cbr {chips.one(move.to)}"
            else:
                yield f"p{move.place + 1} {'f' if move.kind == 'fold' else 'cc'}"
    if played.showdown:
        shows = [
            # Nothing behind it: the cards are thrown away.
            f"p{place + 1} sm {'' if played.mucks(place) else _cards(played.known(place))}".rstrip()
            for place in played.showers()
        ]
        rest = [f"d db {_cards(cards)}" for cards in played.dealt[len(played.moves) - 1 :]]
        # Hands are shown as soon as all are all-in; but where one is left, readers deal no more cards.
        yield from [*rest, *shows] if any(map(played.mucks, played.live)) else [*shows, *rest]


def _cards(cards: Cards) -> str:
    return "".join("??" if card is None else card for card in cards)


def _quoted(text: str) -> str:
    """A string of TOML. Its escapes are those of JSON, and one more control character must be escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


class _Chips:
    """Chips as numbers: decimals throughout where a pot is split to fractions, which readers then split as well."""

    def __init__(self, fractions: bool) -> None:
        self.fractions = fractions

    def one(self, chips: float | None) -> str:
        """A number; None is without limit."""
        if chips is None:
            return "inf"
        # A share of a pot may be a little off.
        chips = round(chips, 9)
        return repr(float(chips)) if self.fractions or not float(chips).is_integer() else str(int(chips))

    def several(self, chips: Sequence[Any]) -> str:
        """An array."""
        return f"[{', '.join(map(self.one, chips))}]"
