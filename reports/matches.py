"""Matches, players and hands by the names that users give them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from ..analytics.players import all_rules, check_named, matches_played, unknown
from ..analytics.views import named
from ..storage.names import expanded, expanded_match, matches_beginning, matches_called, remember
from ..variants.properties import Properties
from . import UserError
from .terminal import Answer

if TYPE_CHECKING:
    from ..analytics.store import Store

_NAMED: Final = 5
_LONGEST: Final = 16
"""A longer file name makes way for the beginning of the match's id."""
_FEWEST: Final = 4
"""Digits of such a beginning at least."""


def name_of(player: str, seat: int | None) -> str:
    """A player's name, with the seat if one match has the name twice."""
    return player if seat is None else f"{player} (seat {seat})"


@dataclass(frozen=True)
class MatchName:
    """A match, with the names that people use for it."""

    match_id: int
    event: str
    game: str
    players: tuple[str, ...]
    hands: int
    path: str
    match_no: int
    profile: str
    namesakes: tuple[int | None, ...]
    """By seat its `namesake_seat` (view `players`)."""
    rules: Properties
    """The properties of its game."""
    number: int | None = None
    """Its number in a report for everybody. Its match_id is a hash that guesses of hidden cards can be tested with."""

    @property
    def address(self) -> str:
        """The match in the names of a report's files and in their addresses."""
        return str(self.match_id if self.number is None else self.number)

    @property
    def file(self) -> str:
        """The name of its file without the folder."""
        return PurePath(self.path).name

    @property
    def labels(self) -> tuple[str, ...]:
        """By seat, a name that identifies the player."""
        return tuple(map(name_of, self.players, self.namesakes))


def all_matches(store: "Store") -> list[MatchName]:
    """Every match, by event, path and place in the file."""
    rows = store.execute("""
        select match_id, m.event, m.game, players, hands, coalesce(path, ''), match_no, engine_profile, namesakes
        from matches m left join files f using (file_id)
        join (select match_id, list(namesake_seat order by seat) as namesakes from players group by match_id)
            using (match_id)
        order by m.event, path, match_no, match_id
    """).fetchall()
    rules = all_rules(store)
    return [
        MatchName(
            match, event, game, tuple(players), hands, path, number, profile, tuple(namesakes), rules[game]
        )
        for match, event, game, players, hands, path, number, profile, namesakes in rows
    ]


def short_names(matches: Sequence[MatchName]) -> dict[int, str]:
    """For each match of a store a short name that commands take: its file, or the beginning of its id."""
    called = Counter(
        name for match in matches for name in {PurePath(match.path).name, PurePath(match.path).stem}
    )
    # A beginning must not be that of a file's name either.
    texts = sorted({*called, *(str(match.match_id) for match in matches)} - {""})
    around = {
        text: (before, after)
        for before, text, after in zip(["", *texts], texts, [*texts[1:], ""], strict=False)
    }

    def beginning(text: str) -> str:
        same = max(_common(text, other) for other in around[text])
        return text[: max(same + 1, _FEWEST)]

    return {
        match.match_id: match.file
        if called[match.file] == 1
        and len(match.file) <= _LONGEST
        and match.file.isprintable()
        # Others would be read as an option or as the row of a table.
        and match.file[:1].isalnum()
        else beginning(str(match.match_id))
        for match in matches
    }


def _common(text: str, other: str) -> int:
    """How many first characters two texts share."""
    return next((k for k, (one, two) in enumerate(zip(text, other, strict=False)) if one != two), len(other))


def find_matches(store: "Store", text: str | None) -> list[MatchName]:
    """The matches named by a match_id, a file's name, the beginning of one of these, @last or @3; all for None.

    UserError for none, and for the beginning of several; WishError for a row that cannot be known.
    """
    every = all_matches(store)
    if text is None:
        found = every
    else:
        text = expanded_match(store.place, text)
        found, is_clear = matches_called(every, text), True
        if not found:
            found, is_clear = matches_beginning(every, text)
        if found and not is_clear:
            raise UserError(f"{text!r} matches {_some(found)}; give a match_id")
    if not found:
        known = [name for match in every for name in (match.file, str(match.match_id))]
        what = "the store has no matches" if text is None else unknown("no match is called", text, known)
        raise UserError(f"{what}; `railbird bankroll` lists them")
    return found


def chosen_matches(
    store: "Store",
    text: str | None,
    event: str | None = None,
    game: str | None = None,
    player: str | None = None,
) -> list[MatchName]:
    """The matches of `find_matches` that are of an event, a game and a player; None for any.

    UnknownPlayer for an event or game that the store does not have; UserError for such a player, or if no match is of
    all.
    """
    found = find_matches(store, text)
    check_named(store, event, game)
    found = [match for match in found if event in (None, match.event) and game in (None, match.game)]
    if player is not None:
        names = {name for match in find_matches(store, None) for name in match.players}
        if player not in names:
            raise UserError(unknown("no player is called", player, names))
        found = [match for match in found if player in match.players]
    if not found:
        raise UserError("no match is of all that --match, --event, --game and --player say")
    return found


def one_match(store: "Store", text: str | None, purpose: str) -> MatchName:
    """The one match that is named; UserError lists the candidates if there are several."""
    found = find_matches(store, text)
    if len(found) == 1:
        return found[0]
    meant = f"{text!r} matches" if text else "the store has"
    raise UserError(f"{purpose}, but {meant} {_some(found)}; give a match_id")


def last_match(store: "Store", text: str | None) -> int | None:
    """The match_id of the match that `--as-of` names; None without one."""
    return None if text is None else one_match(store, text, "--as-of names one match").match_id


@contextmanager
def ended(store: "Store", text: str | None) -> "Iterator[tuple[Store, int | None]]":
    """The store as if it ended with the match that `--as-of` names, and that match_id; the store itself without one.

    Names of players and short names of matches then follow from what was played until then, too.
    """
    last = last_match(store, text)
    if last is None:
        yield store, None
        return
    with store.until(last) as limited:
        yield limited, last


@contextmanager
def latest(store: "Store", most: int | None, is_asked: Callable[[MatchName], bool]) -> "Iterator[Store]":
    """The store with the last matches alone of each event and game, `most` of each; the store itself for None.

    Those are the last in the order of play, of the matches that are asked for. UserError for less than one.
    """
    if most is None:
        yield store
        return
    if most < 1:
        raise UserError(f"last={most}: 1 or more matches")
    of_group: dict[tuple[str, str], list[int]] = {}
    found = {match.match_id: match for match in all_matches(store)}
    in_order = matches_played(store)
    for match in map(found.__getitem__, in_order):
        if is_asked(match):
            of_group.setdefault((match.event, match.game), []).append(match.match_id)
    kept = {match_id for group in of_group.values() for match_id in group[-most:]}
    if len(kept) in (0, len(found)):
        # None: the question says itself that it has no rows for these names.
        yield store
        return
    with store.only([match_id for match_id in in_order if match_id in kept]) as limited:
        yield limited


def _some(found: Sequence[MatchName]) -> str:
    some = ", ".join(f"{match.match_id} ({match.file})" for match in found[:_NAMED])
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return f"{len(found)}: {some}{more}"


def ids(matches: Sequence[MatchName]) -> list[int]:
    """The match_ids, for the parameter of `among(match_id, $ids)`."""
    return [match.match_id for match in matches]


READ_TOGETHER: Final = 128
"""Matches that one query of a whole report reads: the actions of a million hands need more memory than it may use."""


def some_at_a_time(matches: Sequence[MatchName], most: int | None = None) -> Iterator[list[MatchName]]:
    """The matches, neighbours in a store together: lists of at most `most` (READ_TOGETHER), each in the given order."""
    place = {match.match_id: k for k, match in enumerate(matches)}
    in_store = sorted(matches, key=lambda match: match.match_id)
    step = most or READ_TOGETHER
    for start in range(0, len(in_store), step):
        yield sorted(in_store[start : start + step], key=lambda match: place[match.match_id])


def rows_of(store: "Store", query: str, **params: object) -> list[dict[str, Any]]:
    """The rows of a query by column name; parameters that it does not name are left out."""
    answer = store.execute(query, **named(query, **params))
    names = [column[0] for column in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


Target = tuple[int, int | None] | None
"""What a row of a table is about: a match_id, and the hand_index or None; None for neither."""


def numbered(store: "Store", answer: Answer, rows: Sequence[Target]) -> Answer:
    """A table whose rows users can name @1, @2 ... in a next command; rows with one target share the number.

    rows  the target of each row; one without a target has no number
    """
    (made,) = numbered_together(store, [(answer, rows)])
    return made


def numbered_together(store: "Store", tables: Sequence[tuple[Answer, Sequence[Target]]]) -> list[Answer]:
    """The same for tables that a command prints one after the other: the numbers go on from table to table."""
    targets = list(dict.fromkeys(row for _, rows in tables for row in rows if row is not None))
    if not targets:
        return [answer for answer, _ in tables]
    if store.is_kept:
        remember(store.place, targets)
    numbers = {target: f"@{k}" for k, target in enumerate(targets, 1)}
    return [_with_numbers(answer, rows, numbers) for answer, rows in tables]


def _with_numbers(
    answer: Answer, rows: Sequence[Target], numbers: Mapping[tuple[int, int | None], str]
) -> Answer:
    shown = ["" if row is None or (k and rows[k - 1] == row) else numbers[row] for k, row in enumerate(rows)]
    listed = [[number, *row] for number, row in zip(shown, answer.rows, strict=True)]
    # What is asked of a row counts its columns.
    faint, part = answer.faint, answer.part
    return replace(
        answer,
        columns=("@", *answer.columns),
        rows=listed,
        faint=faint and (lambda row: faint(row[1:])),
        part=part and (lambda row: part(row[1:])),
    )


def hand_called(store: "Store", text: str) -> str:
    """MATCH#HAND of a hand's name, which may be @3 or @last#0; UserError for a row that is no hand."""
    found = expanded(store.place, text)
    if text.startswith("@") and "#" not in found:
        raise UserError(f"{text} is a match: a hand of it is {text}#0")
    return found


def hand_name(match_id: int, hand_index: int) -> str:
    """MATCH#HAND, as `railbird replay` takes it."""
    return f"{match_id}#{hand_index}"


def short_hand(names: Mapping[int, str], match_id: int, hand_index: int) -> str:
    """The same by the `short_names` of matches."""
    return f"{names.get(match_id, match_id)}#{hand_index}"


Row = dict[str, Any]


def side_by_side(rows: Sequence[Row], *keys: str) -> list[tuple[Row, dict[int, Row]]]:
    """Rows of several seats, grouped by keys: for each group one example row, and all rows by seat."""
    grouped: dict[Any, dict[int, Row]] = {}
    for row in rows:
        grouped.setdefault(tuple(row[key] for key in keys), {})[row["seat"]] = row
    return [(next(iter(seats.values())), seats) for seats in grouped.values()]
