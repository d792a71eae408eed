"""What the faces ask a store: which match is meant, and the tables that several of them show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from ..analytics.players import rules_of, unknown
from ..variants.properties import Properties
from . import Format, UserError
from .terminal import Answer, answer, minus, signed, sparkline, tied

if TYPE_CHECKING:
    from ..analytics.store import Store

_NAMED: Final = 5
_BLOCKS: Final = 8


def name_of(player: str, seat: int | None) -> str:
    """A player's name, with the seat where one match holds the name twice."""
    return player if seat is None else f"{player} (seat {seat})"


@dataclass(frozen=True)
class MatchName:
    """A match as people name it."""

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
    """Of its game."""

    @property
    def file(self) -> str:
        """The name of its file without the folder."""
        return PurePath(self.path).name

    @property
    def labels(self) -> tuple[str, ...]:
        """By seat what tells its player from all others."""
        return tuple(map(name_of, self.players, self.namesakes))


def all_matches(store: "Store") -> list[MatchName]:
    """Every match, by event, path and place in the file."""
    rows = store.sql("""
        select match_id, m.event, m.game, players, hands, coalesce(path, ''), match_no, engine_profile, namesakes
        from matches m left join files f using (file_id)
        join (select match_id, list(namesake_seat order by seat) as namesakes from players group by match_id)
            using (match_id)
        order by m.event, path, match_no, match_id
    """).fetchall()
    rules = {game: rules_of(store, game) for game in {row[2] for row in rows}}
    return [
        MatchName(
            match, event, game, tuple(players), hands, path, number, profile, tuple(namesakes), rules[game]
        )
        for match, event, game, players, hands, path, number, profile, namesakes in rows
    ]


def _is_called(match: MatchName, text: str) -> bool:
    if text == match.path:
        return True
    path, said = PurePath(match.path), PurePath(text).parts
    return said in (path.parts[-len(said) :], path.with_suffix("").parts[-len(said) :])


def find_matches(store: "Store", text: str | None) -> list[MatchName]:
    """The matches that a match_id, its beginning or a file's name means, all for None.

    UserError for none, and for the beginning of several.
    """
    every = all_matches(store)
    found = [match for match in every if text is None or (text and _is_called(match, text))]
    if not found and text:
        found = [match for match in every if str(match.match_id).startswith(text)]
        if len(found) > 1:
            raise UserError(f"{text!r} matches {_some(found)}; give a match_id")
    if not found:
        known = [name for match in every for name in (match.file, str(match.match_id))]
        what = "the store has no matches" if text is None else unknown("no match is called", text, known)
        raise UserError(f"{what}; `railbird bankroll` lists them")
    return found


def one_match(store: "Store", text: str | None, purpose: str) -> MatchName:
    """The only match that is meant; UserError says which there are."""
    found = find_matches(store, text)
    if len(found) == 1:
        return found[0]
    meant = f"{text!r} matches" if text else "the store has"
    raise UserError(f"{purpose}, but {meant} {_some(found)}; give a match_id")


def _some(found: Sequence[MatchName]) -> str:
    some = ", ".join(f"{match.match_id} ({match.file})" for match in found[:_NAMED])
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return f"{len(found)}: {some}{more}"


def ids(matches: Sequence[MatchName]) -> list[int]:
    """Their match_ids, as a parameter of `list_contains($ids, match_id)`."""
    return [match.match_id for match in matches]


def rows_of(store: "Store", query: str, **params: object) -> list[dict[str, Any]]:
    """The rows of a query by column name."""
    answer = store.execute(query, **params)
    names = [column[0] for column in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def results(store: "Store", text: str | None, form: Format) -> Answer:
    """Who won what, a row a match and player; in a table with fewer columns, the ones people read.

    "against rules", there where it is not all the same, is what a player got beyond what the written rules pay.
    """
    matches = find_matches(store, text)
    chosen = ids(matches)
    named = """
        from results r join matches m using (match_id) left join files f using (file_id)
        where list_contains($ids, r.match_id) order by r.event, f.path, m.match_no, r.match_id, r.seat
    """
    if form is not Format.TABLE:
        return answer(store, "select r.*, f.path " + named, ids=chosen)
    found = store.sql(
        "select r.match_id, f.path, r.seat, r.hands, r.delta, r.delta - r.delta_written, "
        "r.bb_per_100, r.bb_per_100_low, r.bb_per_100_high " + named,
        ids=chosen,
    ).fetchall()
    curves = _curves(store, chosen)
    labels = {match.match_id: match.labels for match in matches}
    rows = [
        (
            *(
                f"{row[0]} {PurePath(row[1] or '').name}",
                labels[row[0]][row[2]],
                *row[3:5],
                curves.get((row[0], row[2]), ""),
            ),
            *(*row[5:7], _span(row[7], row[8])),
        )
        for row in found
    ]
    columns = ["match", "player", "hands", "chips", "bankroll", "against rules"]
    columns += ["bb/100", "95% interval"]
    if all(row[5] == 0 for row in rows):
        columns.remove("against rules")
        rows = [(*row[:5], *row[6:]) for row in rows]
    writers: dict[str, Callable[[Any], str]] = {
        "chips": signed,
        "against rules": _or_same,
        "bb/100": _tenth,
        "95% interval": str,
    }
    gaps = store.sql(
        "select is_whole, count(distinct match_id) from final_gaps where list_contains($ids, match_id) group by 1",
        ids=chosen,
    ).fetchall()
    title = "Results"
    for is_whole, count in sorted(gaps):
        why = "though no hand is missing" if is_whole else "for awards of hands are missing"
        title += f"; final lines of {count:,} say others, {why} (view final_gaps)"
    return Answer(columns, rows, title, writers)


def _curves(store: "Store", matches: Sequence[int]) -> dict[tuple[int, int], str]:
    """The bankroll by match_id and seat as a line of blocks, about `_BLOCKS` of them."""
    rows = store.sql(
        "select c.match_id, c.seat, list(c.bankroll order by c.hand_index)"
        " from bankroll_curve c join matches m using (match_id)"
        " where list_contains($ids, c.match_id) and (c.hand_index + 1) % greatest(m.hands // $blocks, 1) = 0"
        " group by all",
        ids=list(matches),
        blocks=_BLOCKS,
    ).fetchall()
    return {(match, seat): sparkline(values, _BLOCKS) for match, seat, values in rows}


def _tenth(value: float | None) -> str:
    return "" if value is None else minus(f"{tied(value, 1):.1f}")


def _span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{minus(f'{low:.0f}')} to {minus(f'{high:.0f}')}"


def _or_same(value: float | None) -> str:
    return "?" if value is None else signed(value) if value else "="


def hand_name(match_id: int, hand_index: int) -> str:
    """MATCH#HAND, as `railbird replay` takes it."""
    return f"{match_id}#{hand_index}"
