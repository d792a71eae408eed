"""OHH, the Open Hand History: JSON objects with an empty line after each, amounts are chips added."""

import json
from collections.abc import Iterator
from typing import Any, Final

from .hands import CannotHold, Cards, Format, Hand, Text, plain
from .holdem import Move, Played, replay

VERSION: Final = "1.4.7"
_STREETS: Final = ("Preflop", "Flop", "Turn", "River")
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
    small, big = played.blinds
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
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL" if match.raise_sizes is None else "FL", "bet_cap": 0},
        "table_size": len(match.players),
        "currency": "XPM",
        "dealer_seat": (hand.dealer_seat or 0) + 1,
        "small_blind_amount": plain(small),
        "big_blind_amount": plain(big),
        "ante_amount": 0,
        **({"hero_player_id": heroes[0]} if heroes else {}),
        "flags": [],
        "players": [
            {
                "id": seat.seat,
                "seat": seat.seat + 1,
                "name": seat.player,
                "display": seat.player,
                "starting_stack": plain(seat.stack_start),
            }
            for seat in sorted(seats)
        ],
        "rounds": _rounds(played, hero),
        "pots": [
            {
                "number": number,
                "amount": plain(pot.chips),
                "rake": 0,
                "player_wins": [
                    {"player_id": seats[place].seat, "win_amount": plain(won)}
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
        if kind not in ("Dealt Cards", "Shows Cards", "Fold", "Check"):
            said |= {"amount": plain(amount), "is_allin": all_in}
        return said | ({"cards": list(cards)} if cards else {})

    def moved(move: Move) -> dict[str, Any]:
        return action(move.place, _ACTIONS[move.kind], move.added, move.all_in)

    known = [
        place
        for place, seat in enumerate(seats)
        if hero in (None, seat.player) and seat.hole and None not in seat.hole
    ]
    first = [action(place, "Dealt Cards", cards=seats[place].hole) for place in known]
    for kind, place, amount in zip(("Post SB", "Post BB"), played.places, played.blinds, strict=True):
        first.append(action(place, kind, amount))
    found = []
    for street, name in enumerate(_STREETS[: len(played.dealt) + 1]):
        moves = played.moves[street] if street < len(played.moves) else []
        cards = list(played.dealt[street - 1]) if street else []
        begins = [] if street else first
        found.append({"id": street, "street": name, "cards": cards, "actions": [*begins, *map(moved, moves)]})
    if played.showdown:
        shown = [action(place, "Shows Cards", cards=seats[place].hole) for place in played.showers()]
        found.append({"id": len(found), "street": "Showdown", "cards": [], "actions": shown})
    return found
