"""The commands that show hands, pages and tables: replay, report, export and sql."""

import os
import sys
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from ..analytics.settings import FileKind
from ..reports import Format, UserError
from .hands import hands_asked
from .opening import check_query, complain, is_inside, opened_store, progress_bar, targets_of, users_query
from .options import (
    STORE,
    Form,
    How,
    Match,
    OneEvent,
    OneGame,
    PlayerEvent,
    PlayerGame,
    PlayerSeat,
    StoreDir,
    reads_logs,
)


@reads_logs
def replay(
    hand: Annotated[
        str,
        typer.Argument(
            metavar="MATCH#HAND",
            help="A match (file, match_id or the beginning of one) and hand_index: 07.txt#0; or @1.",
        ),
    ],
    store: StoreDir = STORE,
    as_seat: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="SEAT",
            help="Show what the engine told a seat (number, position or name) before each decision.",
        ),
    ] = None,
    bot: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="With --as: what this bot of MIT's skeleton answers (docs/spar.md)."
        ),
    ] = None,
    screen: Annotated[
        bool | None,
        typer.Option(
            "--screen/--text",
            help="Full screen with keys, or as text [default: full screen in a terminal, with railbird[tui]].",
            show_default=False,
        ),
    ] = None,
    form: Form = Format.TABLE,
    how: How | None = None,
) -> None:
    """Show one hand step by step, or what your bot would do.

    Cards, decisions and what else was allowed, awards, verdict and findings, each with its line of the log. As CSV or
    JSON its steps alone: what a seat won is in the table seats, the verdict in hands. Full screen: docs/replay.md.
    """
    from ..reports import replayer

    if bot is not None and as_seat is None:
        raise UserError("--bot: --as SEAT says in whose place it is asked")
    if screen and (as_seat is not None or form is not Format.TABLE):
        raise UserError("--screen shows the hand itself: leave out --as and --format")
    is_full = as_seat is None and form is Format.TABLE and _is_on_screen(screen)
    with opened_store(store, how) as opened:
        if is_full:
            from ..reports import tui

            tui.run(opened, hand, lambda line: hands_asked(opened, line))
            return
        if as_seat is None:
            replayer.print_hand(opened, hand, form)
            return
        from ..reports import asked_bot

        trouble = asked_bot.print_turns(opened, hand, as_seat, bot, form)
    if trouble:
        complain(trouble)


def _is_on_screen(asked: bool | None) -> bool:
    """Whether a hand is shown on the full screen: as requested, else in a terminal if Textual is installed.

    UserError if it was asked for and cannot be.
    """
    if asked is False:
        return False
    has_terminal = all(each.isatty() for each in (sys.stdin, sys.stdout, sys.stderr))
    has_terminal = has_terminal and os.environ.get("TERM") != "dumb"
    if asked is None and not has_terminal:
        return False
    try:
        has_extra = find_spec("textual") is not None
    except ValueError:
        has_extra = False
    if asked and not has_extra:
        raise UserError("--screen needs the extra tui: pip install 'railbird[tui]'")
    if asked and not has_terminal:
        raise UserError("--screen needs a terminal: standard input, output and error are none")
    return has_extra


@reads_logs
def report(
    store: StoreDir = STORE,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the pages.")] = Path("railbird-report"),
    match: Match = None,
    event: OneEvent = None,
    game: OneGame = None,
    evidence: Annotated[
        bool,
        typer.Option("--evidence", help="Also look for collusion and hidden facts, which takes minutes."),
    ] = False,
    public: Annotated[
        bool,
        typer.Option("--public", help="For everybody: nothing that a spectator at the table could not see."),
    ] = False,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="Title of the first page.")] = "",
    open_it: Annotated[bool, typer.Option("--open", help="Open the first page in the browser.")] = False,
    how: How | None = None,
) -> None:
    """Write the HTML report; print the path of its first page.

    An older report in the folder is replaced as a whole. A folder with anything else in it is left as it is.
    """
    if public and evidence:
        raise UserError("--evidence rests on hidden cards: a --public report has none")
    if evidence:
        from ..jit.startup import prepare_process

        prepare_process()
    from ..reports.pages import build
    from ..reports.pages.folder import check_folder

    # Before logs are read, which may take long.
    check_folder(out)
    with opened_store(store, how) as opened:
        if is_inside(out, opened.place):
            raise UserError(f"{out} lies in the store: choose another folder for the pages")
        with progress_bar("Writing pages") as progress:
            first = build.write_report(
                opened, out, match, progress, evidence, public, " ".join(title.split()), event, game
            )
    print(first)
    if open_it and not _opened(first):
        complain(f"no browser could be started: open {first} yourself")


def _opened(page: Path) -> bool:
    """Open a page in the user's browser; False if there is none."""
    import webbrowser

    return webbrowser.open(page.absolute().as_uri())


@reads_logs
def export(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the files.")],
    store: StoreDir = STORE,
    to: Annotated[
        FileKind, typer.Option("--to", help="Format of the files.", case_sensitive=False)
    ] = FileKind.PARQUET,
    match: Match = None,
    hero: Annotated[
        str | None,
        typer.Option(
            "--hero",
            metavar="NAME",
            help="In ohh and pokerstars: the player whose hole cards alone are seen before a showdown.",
        ),
    ] = None,
    how: How | None = None,
) -> None:
    """Write the store for trackers, PokerKit, Parquet, training.

    parquet and csv hold each table whole, derived columns included. The others hold hands: jsonl has a line a decision,
    as the player saw it, for training models; phh, phhs (PokerKit), ohh, acpc and pokerstars (trackers) are hand
    histories. Hands that a format cannot hold are left out and counted by reason; docs/export.md says what each can
    hold.
    """
    if hero is not None and not to.has_hero:
        raise UserError(f"--hero: {to} has no point of view; ohh and pokerstars have one")
    from ..reports.matches import find_matches, ids

    with opened_store(store, how) as opened, progress_bar("Exporting") as progress:
        if is_inside(out, opened.place):
            raise UserError(f"{out} lies in the store: export writes into a folder of its own")
        only = None if match is None else ids(find_matches(opened, match))
        if to.of_tables:
            opened.export(out, to, progress, only)
            said = str(out)
        else:
            said = opened.export_hands(out, to, hero, progress, only).sentence
    print(said)


@reads_logs
def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help='A query such as "select * from findings".')],
    store: StoreDir = STORE,
    as_seen_by: Annotated[
        str | None,
        typer.Option(
            "--as-seen-by",
            metavar="ME",
            help="Only ME's matches, and only what ME could see (docs/visibility.md).",
        ),
    ] = None,
    event: PlayerEvent = None,
    game: PlayerGame = None,
    seat: PlayerSeat = None,
    files: Annotated[
        bool,
        typer.Option(
            "--files", help="Let the query read other files and addresses, too, and change settings."
        ),
    ] = False,
    form: Form = Format.TABLE,
    how: How | None = None,
) -> None:
    """Query the store in SQL.

    The SQL is DuckDB's; docs/schema.md lists the tables, docs/statistics.md the views. It reads the store only, and
    writes only the file of a `copy ... to 'FILE'`. hands.pot counts all chips that were put in, pots.played_for those
    that could be won: without a last bet that nobody called.
    """
    from ..analytics.players import find_player
    from ..reports import terminal

    check_query(query)
    if as_seen_by is None and (event or game or seat is not None):
        raise UserError(
            "--event, --game and --seat choose the player of --as-seen-by; otherwise filter in the query"
        )
    with ExitStack() as stack:
        opened = stack.enter_context(opened_store(store, how))
        if as_seen_by is not None:
            opened = stack.enter_context(
                opened.as_seen_by(find_player(opened, as_seen_by, event, game, seat))
            )
        targets = targets_of(query, opened.place)
        cursor = opened.cursor(query)
        if not files:
            opened.seal(targets=targets)
        with users_query(opened, query):
            terminal.write(terminal.answered(cursor.execute(query), exact=True), form)
