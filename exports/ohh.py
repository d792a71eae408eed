"""OHH, the Open Hand History: JSON objects with an empty line after each, amounts are chips added."""

import json
from collections.abc import Iterator
from typing import Any, Final

from .hands import CannotHold, Cards, Format, Hand, Text, plain
from .holdem import Move, Played
from .posts import ANTE, BIG, EXTRA, SMALL, STRADDLE
from .pots import replay
from .rules import FIXED, NO_LIMIT, POT_LIMIT

VERSION: Final = "1.4.7"
_STREETS: Final = ("Preflop", "Flop", "Turn", "River")
_GAMES: Final = {(2, False): "Holdem", (4, False): "Omaha", (4, True): "OmahaHiLo"}
"""By hole cards, and whether there is a low half."""
_LIMITS: Final = {NO_LIMIT: "NL", POT_LIMIT: "PL", FIXED: "FL"}
_POSTS: Final = {
    ANTE: "Post Ante",
    SMALL: "Post SB",
    BIG: "Post BB",
    STRADDLE: "Straddle",
    EXTRA: "Post Extra Blind",
}
_WITHOUT_AMOUNT: Final = ("Dealt Cards", "Shows Cards", "Mucks Cards", "Fold", "Check")
_ACTIONS: Final = {"fold": "Fold", "check": "Check", "call": "Call", "bet": "Bet", "raise": "Raise"}


class Ohh(Format):
    """A file a match."""

    def write(self, hand: Hand) -> Iterator[Text]:
        """The hand's object."""
        said = json.dumps({"ohh": history(replay(hand), self.options.hero)}, ensure_ascii=False, indent=1)
        yield Text(f"{hand.match.match_id}.ohh", f"{said}\n\n")


def history(played: Played, hero: str | None) -> dict[str, Any]:
    """A hand's object. Players' ids are their seats in the match."""
    hand, match, seats = played.hand, played.hand.match, played.seats
    if None in played.stacks:
        raise CannotHold("no stacks")
    played.require_result()
    if played.rules.short:
        raise CannotHold("no word for a short deck")
    small, big = played.blinds
    ante = 0.0 if played.posts.has_dead_blinds else max(played.posts.antes)
    heroes = [seat.seat for seat in seats if seat.player == hero]
    if hero is not None and not heroes:
        raise CannotHold("without the hero")
    return {
        "spec_version": VERSION,
        "site_name": "railbird",
        "network_name": "railbird",
        "internal_version": VERSION,
        "tournament": False,
        "game_number": hand.name,
        "start_date_utc": hand.begun.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "table_name": str(match.match_id),
        "table_handle": match.event or "",
        "game_type": _GAMES[played.rules.holes, played.rules.low],
        "bet_limit": {"bet_type": _LIMITS[played.limit.kind], "bet_cap": 0},
        "table_size": played.table_size,
        "currency": "XPM",
        "dealer_seat": played.chairs[-1],
        "small_blind_amount": plain(small),
        "big_blind_amount": plain(big),
        "ante_amount": plain(ante),
        **({"hero_player_id": heroes[0]} if heroes else {}),
        "flags": [],
        "players": [
            {
                "id": seat.seat,
                "seat": chair,
                "name": seat.player,
                "display": seat.player,
                "starting_stack": plain(seat.stack_start),
            }
            for chair, seat in sorted(zip(played.chairs, seats, strict=True))
        ],
        "rounds": _rounds(played, hero),
        "pots": [
            {
                "number": number,
                "amount": plain(pot.chips),
                "rake": plain(round(pot.rake, 6)),
                "player_wins": [
                    {"player_id": seats[place].seat, "win_amount": plain(round(won, 6))}
                    for place, won in pot.paid.items()
                ],
            }
            for number, pot in enumerate(played.pots)
        ],
    }


def _rounds(played: Played, hero: str | None) -> list[dict[str, Any]]:
    seats = played.seats
    numbers = iter(range(1, 1000))

    def action(
        place: int, kind: str, amount: float = 0, all_in: bool = False, cards: Cards = ()
    ) -> dict[str, Any]:
        said: dict[str, Any] = {
            "action_number": next(numbers),
            "player_id": seats[place].seat,
            "action": kind,
        }
        if kind not in _WITHOUT_AMOUNT:
            said |= {"amount": plain(amount), "is_allin": all_in}
        return said | ({"cards": list(cards)} if cards else {})

    def moved(move: Move) -> dict[str, Any]:
        return action(move.place, _ACTIONS[move.kind], move.added, move.all_in)

    known = [place for place, seat in enumerate(seats) if hero in (None, seat.player) and played.known(place)]
    first = [action(place, "Dealt Cards", cards=seats[place].hole) for place in known]
    for post in played.posts.all:
        is_dead = post.kind == ANTE and played.posts.has_dead_blinds
        first.append(
            action(post.place, "Post Dead" if is_dead else _POSTS[post.kind], post.chips, post.all_in)
        )
    found = []
    for street, name in enumerate(_STREETS[: len(played.dealt) + 1]):
        moves = played.moves[street] if street < len(played.moves) else []
        cards = list(played.dealt[street - 1]) if street else []
        begins = [] if street else first
        found.append({"id": street, "street": name, "cards": cards, "actions": [*begins, *map(moved, moves)]})
    if played.showdown:
        shown = [
            action(place, "Mucks Cards")
            if played.mucks(place)
            else action(place, "Shows Cards", cards=played.known(place))
            for place in played.showers()
        ]
        found.append({"id": len(found), "street": "Showdown", "cards": [], "actions": shown})
    return found
