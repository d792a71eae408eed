"""The commands. Each imports what it needs when it runs, so that `--help` is quick."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from .analytics.standings import DRAWS
from .command_parts import (
    STORE,
    Event,
    Form,
    Game,
    Match,
    Seat,
    StoreDir,
    complain,
    opened_store,
    progress_bar,
    users_query,
)
from .reports import LISTED, Format, Show, UserError

MOST = 2**32 - 1
"""The largest seed."""

app = typer.Typer(
    help="Read poker-bot logs into Parquet, replay every hand through the rules, answer questions.",
    epilog="Exit codes: 0 done, 1 found what was asked for, 2 the input or the options are wrong, 130 "
    "interrupted, 141 who read the output left before its end.",
    add_completion=False,
    # Both would import Rich for every command.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Logs, folders, globs; .gz .zst .zip .tar.gz too.")
    ],
    store: StoreDir = STORE,
    event: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="What tells players of one name apart [default: the log's folder]."
        ),
    ] = None,
    dialect: Annotated[
        str | None, typer.Option(metavar="NAME", help="How the logs are written [default: by content].")
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="NAME", help="The rules [default: the dialect's].")
    ] = None,
    game_def: Annotated[
        Path | None, typer.Option("--game-def", metavar="FILE", help="Definition (.game) of ACPC matches.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Threads [default: one a core].")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Work on a Dask cluster: tcp://HOST:PORT.")
    ] = None,
) -> None:
    """Read logs, verify every hand, and keep both in the store."""
    from .parsers.lean import go_lean

    go_lean()
    from .ingest import ingest as run
    from .parsers.sources import WishError
    from .reports.terminal import printable

    try:
        with progress_bar("Reading") as progress:
            how: Any = {"dialect": dialect, "game": game, "game_definition": game_def, "progress": progress}
            if scheduler is not None:
                from .cluster import ingest_on_cluster

                summary = ingest_on_cluster(paths, store, scheduler, event=event, **how)
            else:
                summary = run(paths, store, event=event, workers=workers, **how)
    except WishError as error:
        raise UserError(str(error)) from None
    for line in summary.complaints:
        complain(line)
    if summary.nothing_read:
        if not summary.complaints:
            raise UserError("nothing to read")
        raise typer.Exit(2)
    for line in summary.lines():
        print(printable(line))


@app.command()
def watch(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that logs are written to.")],
    store: StoreDir = STORE,
    event: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="What tells players of one name apart [default: the log's folder]."
        ),
    ] = None,
    every: Annotated[float, typer.Option(metavar="SECONDS", min=0.1, help="Between two passes.")] = 10.0,
    once: Annotated[bool, typer.Option("--once", help="One pass, then stop.")] = False,
) -> None:
    """Ingest what is new in a folder, again and again."""
    import time

    from .parsers.lean import go_lean

    go_lean()
    from .reports.terminal import printable
    from .storage.manifest import StoreError
    from .watching import Watcher

    if not folder.is_dir():
        raise UserError(f"{folder} is not a folder")
    watcher = Watcher(folder, store, event)
    first = True
    while True:
        try:
            summary = watcher.look(complain)
        except (StoreError, OSError) as error:
            if first or once:
                raise
            complain(str(error))
            summary = None
        if summary is not None:
            for line in summary.complaints:
                complain(line)
            print(printable(f"{time.strftime('%H:%M:%S')}  {summary.line()}"), flush=True)
        if once:
            return
        first = False
        time.sleep(every)


@app.command()
def compact(store: StoreDir = STORE) -> None:
    """Merge the store's small parts; others may read meanwhile."""
    from .storage.compacting import compact as run

    done = run(store)
    if not done.batches:
        print("nothing to merge: the parts are of a useful size")
        return
    before, after = done.bytes_before / 1e6, done.bytes_after / 1e6
    print(f"merged {done.parts_before:,} parts, {before:.1f} MB, into {done.parts_after:,}, {after:.1f} MB")


@app.command()
def verify(
    store: StoreDir = STORE,
    match: Match = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all", help=f"Every violation, not the first {LISTED}; as csv or json nothing but these."
        ),
    ] = False,
    form: Form = Format.TABLE,
) -> None:
    """Check pay and play against the rules; exit 1 on a violation."""
    from .reports import verifying

    with opened_store(store) as opened:
        violations = verifying.print_verdicts(opened, match, every, form)
    raise typer.Exit(1 if violations else 0)


@app.command()
def audit(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="checks, findings, deals, balance, faults, gains, winners; standings, of all matches only.",
        ),
    ] = "checks",
    store: StoreDir = STORE,
    match: Match = None,
    every: Annotated[
        bool, typer.Option("--all", help=f"Every row, not {LISTED}; csv and json always have all.")
    ] = False,
    form: Form = Format.TABLE,
) -> None:
    """Ask what an auditor asks; exit 1 on a concern."""
    from .reports import auditing

    with opened_store(store) as opened:
        concerns = auditing.print_audit(opened, kind, match, every, form)
    raise typer.Exit(1 if concerns else 0)


@app.command()
def bankroll(
    store: StoreDir = STORE,
    match: Match = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the match's curve: FILE.png or FILE.svg.")
    ] = None,
    form: Form = Format.TABLE,
) -> None:
    """Show who won what, match by match."""
    from .reports import answers, terminal

    with opened_store(store) as opened:
        if plot:
            from .reports import plots

            plots.save_match(opened, answers.one_match(opened, match, "--plot draws one match"), plot)
        terminal.write(answers.results(opened, match, form), form)


@app.command()
def luck(
    store: StoreDir = STORE,
    by: Annotated[str, typer.Option(metavar="WHAT", help="player, opponent, match or position.")] = "player",
    form: Form = Format.TABLE,
) -> None:
    """Show winnings raw, all-in-adjusted and chance-adjusted.

    In bb per 100 hands with 95% intervals, and how much of the standard deviation is gone. docs/luck.md says how.
    """
    from .reports import lucky, terminal

    with opened_store(store) as opened:
        terminal.write(lucky.answer(opened, by, form), form)


@app.command()
def stats(
    store: StoreDir = STORE,
    player: Annotated[str | None, typer.Option(metavar="NAME", help="This player only.")] = None,
    by_opponent: Annotated[bool, typer.Option("--by-opponent", help="Apart for each opponent.")] = False,
    before_lock: Annotated[
        bool,
        typer.Option("--before-lock", help="Without the hands after a lead could no longer be lost."),
    ] = False,
    show: Annotated[
        Show, typer.Option(metavar="TABLE", help=f"Another table: {', '.join(Show)}.", case_sensitive=False)
    ] = Show.OVERVIEW,
    form: Form = Format.TABLE,
) -> None:
    """Show how players play, with n and 95% intervals.

    VPIP, PFR, 3-bet, c-bet, WTSD and others, aggression, and folds by street and position. Other tables, by
    --show: statistics by street, answers to bets and sizes made, winnings, those of a game, and whether a player does
    the same in the same state or drifts.
    """
    from .reports import styles

    with opened_store(store) as opened:
        styles.print_stats(opened, player, by_opponent, form, show, before_lock)


@app.command()
def standings(
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="A store or a folder of logs, instead of --store.")
    ] = None,
    store: StoreDir = STORE,
    event: Annotated[str | None, typer.Option(metavar="NAME", help="This event only.")] = None,
    crosstable: Annotated[
        bool, typer.Option("--crosstable", help="Who won what from whom, in mbb/h, with 95% intervals.")
    ] = False,
    run_off: Annotated[
        bool, typer.Option("--run-off", help="The bankroll instant run-off, round by round.")
    ] = False,
    draws: Annotated[int, typer.Option(metavar="N", min=100, max=100_000, help="Bootstrap draws.")] = DRAWS,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST, help="Of the draws: the same seed, the same P.")
    ] = 0,
    form: Form = Format.TABLE,
) -> None:
    """Rank a competition by total bankroll.

    Every event and game apart: totals in mbb/h with 95% intervals, P(first), rank intervals, run-off places. As CSV or
    JSON --crosstable and --run-off come out instead of the standings.
    """
    from .reports import competing

    shown = [competing.Shown.CROSSTABLE] * crosstable + [competing.Shown.RUN_OFF] * run_off
    with opened_store(path or store) as opened:
        competing.print_standings(opened, event, shown, draws, seed, form)


@app.command()
def collusion(
    store: StoreDir = STORE,
    event: Annotated[str | None, typer.Option(metavar="NAME", help="This event only.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every pair, not only those beyond chance.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=MOST, help="Of the permutations.")] = 0,
    form: Form = Format.TABLE,
) -> None:
    """Find players who share more than a table; exit 1 on any pair.

    Evidence, never a verdict: what was seen, how often honest play would show it, in which hands, and what else
    would explain it.
    """
    from .parsers.lean import go_lean

    go_lean()
    from .reports import suspicion

    with opened_store(store) as opened, progress_bar("Looking") as progress:
        flagged = suspicion.print_evidence(opened, event, every, seed, form, progress)
    raise typer.Exit(1 if flagged else 0)


@app.command()
def opponent(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whom it is about.")],
    store: StoreDir = STORE,
    against: Annotated[
        str | None,
        typer.Option(metavar="ME", help="The matches against this player, in full and as ME saw them."),
    ] = None,
    event: Event = None,
    game: Game = None,
    seat: Seat = None,
    against_seat: Annotated[
        int | None, typer.Option("--against-seat", metavar="N", help="The seat of ME, likewise.")
    ] = None,
    form: Form = Format.TABLE,
) -> None:
    """Show all about one player, for a bot to load.

    Tendencies, ranges, strength by bet size, answers to bets and exploits; docs/opponent.md describes the JSON.
    """
    from .reports import dossier

    with opened_store(store) as opened:
        dossier.print_opponent(opened, name, against, event, game, seat, against_seat, form)


@app.command()
def replay(
    hand: Annotated[
        str, typer.Argument(metavar="MATCH#HAND", help="match_id (or file name) and hand_index.")
    ],
    store: StoreDir = STORE,
    form: Form = Format.TABLE,
) -> None:
    """Step through one hand.

    Shows cards, decisions with what else was allowed, awards, verdict and findings, with the log's lines.
    """
    from .reports import stepping

    with opened_store(store) as opened:
        stepping.print_hand(opened, hand, form)


@app.command()
def report(
    store: StoreDir = STORE,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the pages go.")] = Path("railbird-report"),
    match: Match = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Look for collusion too, which takes minutes.")
    ] = False,
) -> None:
    """Write pages and plots to publish; says where."""
    if evidence:
        from .parsers.lean import go_lean

        go_lean()
    from .reports.site import build
    from .storage.place import MANIFEST

    if (out / MANIFEST).exists():
        raise UserError(f"{out} is a store: the pages go into a folder of their own")
    with opened_store(store) as opened, progress_bar("Writing pages") as progress:
        first = build.write_report(opened, out, match, progress, evidence)
    print(first)


@app.command()
def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help='Such as "select * from findings".')],
    store: StoreDir = STORE,
    as_seen_by: Annotated[
        str | None,
        typer.Option(
            "--as-seen-by", metavar="ME", help="Of ME's matches, what ME was told (docs/visibility.md)."
        ),
    ] = None,
    event: Event = None,
    game: Game = None,
    seat: Seat = None,
    form: Form = Format.TABLE,
) -> None:
    """Ask the store in SQL.

    The dialect is DuckDB's; docs/schema.md lists the tables, docs/statistics.md the views.
    """
    import duckdb

    from .analytics.people import find_player
    from .reports import terminal

    with users_query():
        statements = duckdb.extract_statements(query)
    if not statements:
        raise UserError("the query is empty")
    if any(s.type == duckdb.StatementType.SELECT for s in statements[:-1]):
        raise UserError("one query is wanted, and nothing behind it")
    if statements[-1].expected_result_type == [duckdb.ExpectedResultType.NOTHING]:
        raise UserError("a query is wanted: nothing comes of this statement")
    with ExitStack() as stack:
        opened = stack.enter_context(opened_store(store))
        if as_seen_by is not None:
            opened = stack.enter_context(
                opened.as_seen_by(find_player(opened, as_seen_by, event, game, seat))
            )
        cursor = opened.cursor(query)  # makes railbird's own views: what is wrong there is not the query
        with users_query():
            terminal.write(terminal.answered(cursor.execute(query)), form)


@app.command()
def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game of `railbird games`.")],
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=STYLE",
            help="Once a seat: the players; STYLE+PLAN@PERCENT for one with a plan, in Koper with :PARTNER behind.",
        ),
    ] = None,
    hands: Annotated[int, typer.Option(metavar="N", min=1, help="How many.")] = 1000,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Of cards and bots: the same seed, the same log.")
    ] = 0,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Engine profile of `railbird games`, or written [default: the latest]."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The log's file [default: standard output].")
    ] = None,
) -> None:
    """Let bots play each other; write the engine's log."""
    from .reports import playing

    text = playing.log_text(game, player or [], hands, seed, profile)
    # A name may have come as bytes that the locale does not know.
    log = text.encode("utf-8", "surrogateescape")
    if out:
        out.write_bytes(log)
    else:
        sys.stdout.buffer.write(log)


@app.command()
def games(form: Form = Format.TABLE) -> None:
    """List the games, log dialects and engine deviations known."""
    from .reports import playing, terminal

    for answer in playing.known_games(form):
        terminal.write(answer, form)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version.")] = False,
) -> None:
    if version:
        from . import __version__

        print(f"railbird {__version__}")
        raise typer.Exit
