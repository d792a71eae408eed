"""The hands that meet some conditions, as `railbird hands` lists them."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..analytics.found_hands import Conditions, checked, found_hands
from ..analytics.players import order_of_play
from ..analytics.settings import HandOrder
from . import LISTED, Format, Listing, terminal
from .matches import MatchName, all_matches, find_matches, ids, numbered, short_names
from .terminal import Answer, Id, chips, counted, percent, plain, signed, with_suits, words

if TYPE_CHECKING:
    from ..analytics.store import Store

COLUMNS: Final = (
    *(
        "match_id",
        "hand_index",
        "hand",
        "event",
        "game",
        "path",
        "hand_no",
        "line",
        "players",
        "deltas",
        "holes",
    ),
    *("board", "streets", "ended_by", "pot", "pot_bb", "verdict"),
)
"""The columns in CSV and JSON."""
PLAYLIST: Final = "railbird-hands"
"""The folder of a playlist by default."""
IN_PLAYLIST: Final = 200
"""Hands of a playlist by default: a page of more is slow to look through."""
_WINNERS: Final = 2
"""Winners of a hand that are named in a row of the table."""


def matches_as_played(
    store: "Store", match: str | None, event: str | None, game: str | None
) -> tuple[list[MatchName], list[MatchName]]:
    """All matches of a store, and those of some options in the order of play; UserError if `match` names none."""
    every = all_matches(store)
    named = every if match is None else find_matches(store, match)
    chosen = [one for one in named if event in (None, one.event) and game in (None, one.game)]
    at = dict(store.execute("select match_id, played_at from matches").fetchall())
    chosen.sort(
        key=lambda one: order_of_play(at[one.match_id], one.event, one.path, one.match_no, one.match_id)
    )
    return every, chosen


def print_hands(
    store: "Store",
    wanted: Conditions,
    form: Listing,
    match: str | None = None,
    event: str | None = None,
    game: str | None = None,
    sort: HandOrder = HandOrder.PLAY,
    limit: int | None = None,
    out: Path | None = None,
) -> None:
    """Print the hands that meet conditions, or write the page that replays them.

    limit  how many; by default a table has LISTED, a playlist IN_PLAYLIST, CSV and JSON all
    out    the folder of the playlist
    """
    wanted = checked(store, wanted, event, game)
    every, chosen = matches_as_played(store, match, event, game)
    most = limit or {Listing.TABLE: LISTED, Listing.PLAYLIST: IN_PLAYLIST}.get(form)
    rows = found_hands(store, wanted, ids(chosen), sort, most)
    if form in (Listing.CSV, Listing.JSON):
        terminal.write(Answer(COLUMNS, [_values(row) for row in rows]), Format(form.value))
    elif not rows:
        print("No hand meets these conditions.")
        believed = "select 1 from notes where probability is not null limit 1"
        if sort is HandOrder.BELIEF and not store.execute(believed).fetchall():
            print("No hand has a belief: `railbird ingest --join` adds them (docs/own-logs.md).")
    elif form is Listing.TABLE:
        targets = [(row["match_id"], row["hand_index"]) for row in rows]
        terminal.write(numbered(store, _table(rows, wanted, short_names(every)), targets))
    else:
        from .pages.playlist import write_playlist

        for row in rows:
            row["winners"] = winners(row)
        asked = in_words(wanted, match, event, game, sort)
        print(write_playlist(store, out or Path(PLAYLIST), every, rows, asked))


def in_words(
    wanted: Conditions, match: str | None, event: str | None, game: str | None, sort: HandOrder
) -> str:
    """Conditions as the options that ask for them."""
    given = {
        "--game": game,
        "--event": event,
        "--match": match,
        "--player": wanted.player,
        "--against": wanted.against,
        "--did": wanted.did,
        "--street": wanted.street,
        "--situation": wanted.situation,
    }
    said = [f"{option} {shlex.quote(value)}" for option, value in given.items() if value is not None]
    said += [f"--pot {shlex.quote(one.text)}" for one in wanted.pots]
    said += ["--showdown"] * wanted.showdown + [f"--sort {sort}"] * (sort is not HandOrder.PLAY)
    return " ".join(said) or "all hands"


def _values(row: dict[str, Any]) -> list[Any]:
    return [Id(row[name]) if name == "match_id" else row[name] for name in COLUMNS]


def winners(row: dict[str, Any]) -> list[tuple[str, float]]:
    """Who won chips in a hand, and how many."""
    pairs = zip(row["players"], row["deltas"], strict=True)
    return [(name, delta) for name, delta in pairs if delta is not None and delta > 0]


def _won(row: dict[str, Any], player: str | None) -> str:
    """What the player won or lost, else who won what."""
    if player is None:
        most = sorted(winners(row), key=lambda won: -won[1])
        more = len(most) - _WINNERS
        if set(row["deltas"]) == {0}:
            return "split"
        named = ", ".join(f"{name} {signed(delta)}" for name, delta in most[:_WINNERS])
        return f"{named} and {more} more" if more > 0 else named
    pairs = zip(row["players"], row["deltas"], strict=True)
    return ", ".join("?" if delta is None else signed(delta) for name, delta in pairs if name == player)


def _cards(row: dict[str, Any], player: str | None) -> str:
    """The board, after the player's hole cards and a stroke if a player is given."""
    board = plain(row["board"]) if row["board"] else ""
    if player is None:
        return board
    held = (cards for name, cards in zip(row["players"], row["holes"], strict=True) if name == player)
    return " | ".join(filter(None, (*(plain(cards) if cards else "?" for cards in held), board)))


def _table(rows: Sequence[dict[str, Any]], wanted: Conditions, names: Mapping[int, str]) -> Answer:
    player = wanted.player
    odd = any(row["verdict"] != "ok" for row in rows)
    listed = [
        [
            f"{names[row['match_id']]}#{row['hand_index']}",
            chips(row["pot"]),
            _cards(row, player),
            row["ended_by"] or "",
            _won(row, player),
            *([percent(row["belief"])] if "belief" in row else []),
            *([words(row["verdict"]).removeprefix("engine ").removeprefix("ok")] if odd else []),
        ]
        for row in rows
    ]
    won = "won" if player is None else f"{player} won"
    columns = (
        "hand",
        "pot",
        "cards" if player is not None else "board",
        "ended by",
        won,
        *(["believed"] if "belief" in rows[0] else []),
        *(["verdict"] if odd else []),
    )
    total = rows[0]["total"]
    notes = (
        []
        if total == len(rows)
        else [f"The first {len(rows)} of {counted(total, 'hand')}; --limit N lists more."]
    )
    notes.append(f"`railbird replay @1`, or `railbird replay {listed[0][0]}`, shows a hand.")
    notes.append("With --format playlist they become a page that replays them.")
    return Answer(
        columns,
        listed,
        counted(total, "hand"),
        {"pot": str, "believed": str, columns[2]: with_suits},
        notes=notes,
    )
