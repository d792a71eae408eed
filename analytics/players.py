"""Which player a name means: a player is (event, game, name), and the seat if one match holds a name twice."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from ..variants.properties import Properties

_LISTED: Final = 8
_ALIKE: Final = 3
_LONG: Final = 60


class Asked(Protocol):
    """An open store, which answers queries."""

    def sql(self, query: str, **params: object) -> "DuckDBPyRelation":
        """The relation of a query."""


class UnknownMatch(LookupError):
    """A match is not of the requested event and game; the message is one line."""


class UnknownName(LookupError):
    """What a user named is not in the store; the message is one line with what is most like it."""


class UnknownPlayer(UnknownName):
    """A name matches no player or several; the message is one line that lists the choices."""


class SeveralPlayers(UnknownPlayer):
    """A name matches several players; the message lists the options of a command that tell them apart.

    choices  for each player the fewest of game, event and seat that tell it from the others, with their values
    """

    def __init__(self, name: str, choices: "list[dict[str, str | int]]") -> None:
        self.name, self.choices = name, choices
        super().__init__(self.said(lambda option, value: f"--{option} {_quoted(value)}"))

    def said(self, written: Callable[[str, str | int], str]) -> str:
        """The message, with each option and its value as they are written where the question was asked."""
        ways = [" ".join(written(option, value) for option, value in one.items()) for one in self.choices]
        return f"{self.name!r} is several players; choose one: {_listed(ways)}"


@dataclass(frozen=True)
class Player:
    """A player; `seat` is set only for matches that hold the name twice, and then means only those matches."""

    event: str
    game: str
    name: str
    seat: int | None = None

    def __str__(self) -> str:
        seat = "" if self.seat is None else f" seat {self.seat}"
        return f"{self.name!r} of event {self.event!r}, game {self.game!r}{seat}"


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name, with the most similar known names."""
    said = repr(name if len(name) <= _LONG else name[: _LONG - 1] + "…")
    found = alike(name, known)
    return f"{what} {said}" + (f"; most like it: {', '.join(map(repr, found))}" if found else "")


def alike(text: str, known: Iterable[str]) -> list[str]:
    """The words most like a text, at most three, whatever their capitals: those that one slip makes of it first."""
    from difflib import get_close_matches

    typed, words = text.casefold()[:_LONG], {each.casefold(): each for each in known}
    near = get_close_matches(typed, words, len(words)) if words else []
    swapped = [word for word in words if sorted(word) == sorted(typed) and word not in near]
    # The sort keeps the order of words that are equal in this.
    found = sorted((*swapped, *near), key=lambda word: not _is_slip(typed, word))
    return [words[word] for word in found[:_ALIKE]]


def _is_slip(typed: str, word: str) -> bool:
    """True if one letter is wrong, missing or too much, or all letters are there in another order."""
    if sorted(typed) == sorted(word):
        return True
    begin = _common(typed, word)
    end = _common(typed[begin:][::-1], word[begin:][::-1])
    return max(len(typed), len(word)) - begin - end <= 1


def _common(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return next(
        (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _listed(choices: list[str]) -> str:
    more = f" and {len(choices) - _LISTED} more" if len(choices) > _LISTED else ""
    return "; ".join(choices[:_LISTED]) + more


def _names(store: Asked, column: str, event: str | None = None) -> list[str]:
    query = f"select distinct {column} from players where $event is null or event = $event order by all"
    return [name for (name,) in store.sql(query, event=event).fetchall()]


def check_player(store: Asked, name: str, event: str | None = None) -> None:
    """Raise UnknownPlayer if no player of the store, or of an event, has the name."""
    if name not in (known := _names(store, "player", event)):
        which = "no player" if event is None else f"no player of the event {event!r}"
        raise UnknownPlayer(unknown(f"{which} is called", name, known))


def check_named(store: Asked, event: str | None, game: str | None = None) -> None:
    """Raise UnknownPlayer if no match is of the event, or of the game; None for any."""
    if event is not None and event not in (events := _names(store, "event")):
        raise UnknownPlayer(unknown("no match is of the event", event, events))
    if game is not None and game not in (games := all_rules(store)):
        raise UnknownPlayer(unknown("no match is of the game", game, games))


def find_player(
    store: Asked,
    name: str,
    event: str | None = None,
    game: str | None = None,
    seat: int | None = None,
    met: str | None = None,
) -> Player:
    """The only player of a name, optionally of an event, game and seat.

    met: the name of an opponent; if any of several players has met one of that name, only such are meant

    Raises UnknownPlayer if there is none, or several: then it lists them with the options that distinguish them. If
    only some matches hold a name twice and no seat is given, the player of the other matches is meant.
    """
    rows = store.sql(
        "select distinct event, game, namesake_seat from players where player = $name "
        "order by event, game, namesake_seat nulls first",
        name=name,
    ).fetchall()
    if not rows:
        check_player(store, name)
    found = [
        Player(at, rules, name, place)
        for at, rules, place in rows
        if event in (None, at) and game in (None, rules) and (seat is None or seat == place)
    ]
    if not found:
        known = _listed([str(Player(at, rules, name, place)) for at, rules, place in rows])
        raise UnknownPlayer(f"no player named {name!r} with these options; players are {known}")
    if met is not None and len(found) > 1:
        found = _who_met(store, found, met) or found
    if len({(one.event, one.game) for one in found}) == 1 and found[0].seat is None:
        return found[0]
    if len(found) > 1:
        raise SeveralPlayers(name, _choices(found))
    return found[0]


def _who_met(store: Asked, players: Sequence[Player], name: str) -> list[Player]:
    """Those of some players of one name who have met a player of another name."""
    rows = store.sql(
        """
        select distinct p.event, p.game, p.namesake_seat
        from players as p join players as o on o.match_id = p.match_id and o.seat <> p.seat
        where p.player = $name and o.player = $other
        """,
        name=players[0].name,
        other=name,
    ).fetchall()
    return [one for one in players if (one.event, one.game, one.seat) in rows]


def _choices(found: Sequence[Player]) -> list[dict[str, str | int]]:
    """The fewest options that tell the players apart, with their values."""
    ways = [
        [
            {option: value for option in options if (value := getattr(one, option)) is not None}
            for one in found
        ]
        for size in (1, 2, 3)
        for options in combinations(("game", "event", "seat"), size)
    ]
    return next(way for way in ways if all(way) and len({*map(str, way)}) == len(found))


def _quoted(value: object) -> str:
    """A value as a shell takes it."""
    from shlex import quote

    return quote(str(value))


def find_opponent(store: Asked, player: Player, name: str, seat: int | None = None) -> Player:
    """The player of a name who met another; raises UnknownPlayer if there is none, or several."""
    rows = store.sql(
        """
        select distinct o.namesake_seat
        from players as p join players as o on o.match_id = p.match_id and o.seat <> p.seat
        where p.event = $event and p.game = $game and p.player = $player and p.namesake_seat is not distinct from $at
          and o.player = $name
        order by 1 nulls first
        """,
        event=player.event,
        game=player.game,
        player=player.name,
        at=player.seat,
        name=name,
    ).fetchall()
    found = [place for (place,) in rows if seat is None or seat == place]
    if not found:
        raise UnknownPlayer(f"{name!r} has not met {player}")
    if len(found) > 1 and found[0] is not None:
        raise UnknownPlayer(
            f"{name!r} is several players; choose with --against-seat: {', '.join(map(str, found))}"
        )
    return Player(player.event, player.game, name, found[0])


def all_rules(store: Asked) -> dict[str, "Properties"]:
    """The rows of the relation `games`, by game."""
    # Imported here, because commands import this module before anything heavy.
    from ..variants.properties import Properties

    found = store.sql("select * from stored.games")
    made = (Properties(**dict(zip(found.columns, row, strict=True))) for row in found.fetchall())
    return {rules.game: rules for rules in made}


def rules_of(store: Asked, game: str) -> "Properties":
    """A game's row of the relation `games`; LookupError if the store has no such game."""
    rules = all_rules(store)
    if game not in rules:
        raise LookupError(f"the store holds no game {game!r}")
    return rules[game]


def names_of(players: Sequence[str], namesakes: Sequence[int | None]) -> tuple[str, ...]:
    """The names of a match by seat, with `namesake_seat` (view `players`) if it has one."""
    return tuple(
        name if seat is None else f"{name} (seat {seat})"
        for name, seat in zip(players, namesakes, strict=True)
    )


def order_of_play(
    played_at: str | None, event: str, path: str | None, match_no: int, match_id: int
) -> tuple[Any, ...]:
    """The key of the order in which matches were played, as far as logs tell it.

    First those with a time (`matches.played_at`), by it; then the others by event, path and number in the file.
    """
    # Imported here for the same reason.
    from ..storage.locations import natural_order

    return (
        played_at is None,
        played_at or "",
        natural_order(event),
        natural_order(path or ""),
        match_no,
        match_id,
    )


def matches_in_order(store: Asked, event: str, game: str, as_of: int | None = None) -> list[tuple[Any, ...]]:
    """The rows of query `model/matches`, a seat each, in the order of play.

    as_of  match_id of the last match; UnknownMatch if it is not of the event and game
    """
    from .views import queries

    rows = store.sql(queries("model")["matches"], event=event, game=game).fetchall()
    rows.sort(key=lambda row: (order_of_play(row[7], event, row[2], row[3], row[0]), row[4]))
    if as_of is None:
        return rows
    place = {row[0]: k for k, row in enumerate(rows)}
    if as_of not in place:
        raise UnknownMatch(f"match {as_of} is not of event {event!r} and game {game!r}")
    return rows[: place[as_of] + 1]


def matches_played(store: Asked) -> list[int]:
    """The match_ids of a store in the order of play."""
    rows = store.sql(
        "select m.played_at, m.event, f.path, m.match_no, m.match_id "
        "from stored.matches as m left join stored.files as f on f.file_id = m.file_id"
    ).fetchall()
    return [row[-1] for row in sorted(rows, key=lambda row: order_of_play(*row))]


def matches_up_to(store: Asked, match_id: int) -> list[int]:
    """The match_ids of a store up to a match, in the order of play; UnknownMatch if it does not hold the match."""
    found = matches_played(store)
    if match_id not in found:
        raise UnknownMatch(f"the store holds no match {match_id}")
    return found[: found.index(match_id) + 1]


def chunks(ids: Sequence[int], hands: Sequence[int], most: int) -> Iterator[list[int]]:
    """Matches, of so many hands each, in parts of at most `most` hands; a longer match is a part of its own."""
    chunk: list[int] = []
    held = 0
    for match, count in zip(ids, hands, strict=True):
        if chunk and held + count > most:
            yield chunk
            chunk, held = [], 0
        chunk.append(match)
        held += count
    if chunk:
        yield chunk
