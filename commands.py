"""The commands. Each imports what it needs when it runs, so that `--help` is quick."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from .analytics.settings import DRAWS, FileKind, Grouping, Kind
from .command_parts import (
    STORE,
    DocumentForm,
    Form,
    KeptStore,
    LogsEvent,
    Match,
    OneEvent,
    PlayerEvent,
    PlayerGame,
    PlayerSeat,
    StoreDir,
    StyledCommand,
    check_query,
    check_targets,
    complain,
    opened_store,
    patience,
    progress_bar,
    seed_option,
    users_query,
)
from .commands_of_games import games, simulate
from .reports import LISTED, Format, Show, UserError

app = typer.Typer(
    help="Read poker-bot logs into Parquet, replay every hand through the rules, answer questions.",
    epilog="Exit codes: 0 done, 1 found what was asked for, 2 the input or the options are wrong, 130 "
    "interrupted, 141 the output was closed early (e.g. `| head`).",
    add_completion=False,
    # Both would import Rich for every command.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Logs, folders or globs; .gz .zst .zip .tar.gz too.")
    ],
    store: KeptStore = STORE,
    event: LogsEvent = None,
    dialect: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Dialect of these logs [default: detected from the content]."),
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="NAME", help="Game of these logs [default: the dialect's].")
    ] = None,
    game_def: Annotated[
        Path | None, typer.Option("--game-def", metavar="FILE", help="Game definition (.game) of ACPC logs.")
    ] = None,
    stack: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Chips in front of each player as a hand begins, in heads-up logs of MIT's engines "
            "[default: what the hands tell].",
        ),
    ] = None,
    blinds: Annotated[
        str | None,
        typer.Option(metavar="SMALL/BIG", help="Blinds of such logs [default: what the hands tell]."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Number of threads [default: one per core].")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Dask cluster that does the work: tcp://HOST:PORT.")
    ] = None,
) -> None:
    """Read logs into the store and verify every hand."""
    from .jit.startup import prepare_process

    prepare_process()
    from .ingest import ingest as run
    from .parsers.sources import WishError
    from .replay.stakes import blinds_of
    from .reports.terminal import printable

    try:
        both = None if blinds is None else blinds_of(blinds)
    except ValueError as error:
        raise UserError(str(error)) from None
    try:
        with progress_bar("Reading") as progress:
            how: Any = {"dialect": dialect, "game": game, "game_definition": game_def, "progress": progress}
            how |= {"stack": stack, "blinds": both}
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
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that logs are written to.")],
    store: KeptStore = STORE,
    event: LogsEvent = None,
    every: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="Seconds between two passes.")
    ] = 10.0,
    once: Annotated[bool, typer.Option("--once", help="Stop after one pass.")] = False,
) -> None:
    """Keep ingesting the new and grown logs of a folder."""
    import time

    from .jit.startup import prepare_process

    prepare_process()
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
def compact(store: KeptStore = STORE) -> None:
    """Merge the store's small files; others can read it meanwhile."""
    from .storage.compacting import compact as run

    done = run(store)
    if not done.batches:
        print("nothing to merge: the parts are large enough")
        return
    before, after = done.bytes_before / 1e6, done.bytes_after / 1e6
    batches = f"{done.batches:,} batches ({done.parts_before:,} parts, {before:.1f} MB)"
    print(f"merged {batches} into {done.parts_after:,} parts, {after:.1f} MB")


@app.command()
def verify(
    store: StoreDir = STORE,
    match: Match = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help=f"List all violations, not only {LISTED}; csv and json then list violations instead of the summary.",
        ),
    ] = False,
    other_games: Annotated[
        bool,
        typer.Option(
            "--allow-other-games",
            help="Exit 0 though a match of a game that railbird does not know pays otherwise.",
        ),
    ] = False,
    form: Form = Format.TABLE,
) -> None:
    """Check each hand against the rules; exit 1 on a violation."""
    from .reports import audit as printed

    with opened_store(store) as opened:
        wrong = printed.print_verdicts(opened, match, every, form, other_games)
    raise typer.Exit(1 if wrong else 0)


@app.command()
def audit(
    kind: Annotated[
        Kind | None,
        typer.Argument(
            metavar="KIND",
            help="[default: checks, and the concerns of each other kind]",
            case_sensitive=False,
        ),
    ] = None,
    store: StoreDir = STORE,
    match: Match = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help=f"List all rows, not only {LISTED}; csv and json always do, checks and standings too.",
        ),
    ] = False,
    form: Form = Format.TABLE,
) -> None:
    """Audit rules, deals, faults and gains; exit 1 on a concern.

    \b
    checks     how many hands break the rules, aspect by aspect
    findings   what is wrong in them, line by line
    deals      the same cards dealt twice, in a match or in two
    balance    whether all cards are dealt equally often (chi-square)
    faults     bots' illegal, misformatted and late answers, disconnections
    gains      who gained where the engine pays otherwise than written
    winners    matches whose winner changes if every hand is paid as written
    standings  places that change then; over all matches, without --match

    \b
    Exit 1 means a row of concern: in checks and findings a violation, in
    deals re-use that nothing announces, in balance q < 0.05, in faults a
    fault, in gains chips moved, in winners and standings a change. Without
    KIND only the checks decide.
    """
    from .reports import audit as printed

    with opened_store(store) as opened:
        concerns = printed.print_audit(opened, kind, match, every, form)
    raise typer.Exit(1 if concerns else 0)


@app.command()
def bankroll(
    store: StoreDir = STORE,
    match: Match = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw the bankrolls of one match: FILE.png or FILE.svg."),
    ] = None,
    form: Form = Format.TABLE,
) -> None:
    """Show who won how much, match by match."""
    from .reports import terminal, winnings

    with opened_store(store) as opened:
        if plot:
            from .reports import plots
            from .reports.matches import one_match

            plots.save_match(opened, one_match(opened, match, "--plot draws one match"), plot)
        terminal.write(winnings.results(opened, match, form), form)


@app.command()
def luck(
    store: StoreDir = STORE,
    by: Annotated[
        Grouping, typer.Option(metavar="WHAT", help=f"One of {', '.join(Grouping)}.", case_sensitive=False)
    ] = Grouping.PLAYER,
    event: OneEvent = None,
    form: Form = Format.TABLE,
) -> None:
    """Show winnings raw, all-in-adjusted and chance-adjusted.

    In bb per 100 hands with 95% intervals, and how much of the standard deviation the adjustment removes. docs/luck.md
    explains how.
    """
    from .reports import winnings

    with opened_store(store) as opened:
        winnings.print_luck(opened, by, form, event)


@app.command()
def stats(
    store: StoreDir = STORE,
    player: Annotated[str | None, typer.Option(metavar="NAME", help="Only this player.")] = None,
    event: OneEvent = None,
    by_opponent: Annotated[bool, typer.Option("--by-opponent", help="Show a row for each opponent.")] = False,
    before_lock: Annotated[
        bool,
        typer.Option(
            "--before-lock",
            help="Leave out hands after the lock point, from which the leader can fold every hand and still win.",
        ),
    ] = False,
    show: Annotated[
        Show, typer.Option(metavar="TABLE", help=f"Table to show: {', '.join(Show)}.", case_sensitive=False)
    ] = Show.OVERVIEW,
    form: Form = Format.TABLE,
) -> None:
    """Show how players play, with n and 95% intervals.

    VPIP, PFR, 3-bet, c-bet, WTSD and others, aggression, and folds by street and position. --show has other tables:
    statistics by street, answers to bets, sizes of bets, winnings, statistics that one game alone has, whether a player
    repeats an action in the same state, and whether play changes over a match.
    """
    from .reports import stats as printed

    with opened_store(store) as opened, patience("Counting"):
        printed.print_stats(opened, player, by_opponent, form, show, before_lock, event)


@app.command()
def standings(
    context: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="The store or folder of logs; not together with --store."),
    ] = None,
    store: StoreDir = STORE,
    event: OneEvent = None,
    crosstable: Annotated[
        bool, typer.Option("--crosstable", help="Show what each won from whom, in mbb/h, with 95% intervals.")
    ] = False,
    run_off: Annotated[
        bool, typer.Option("--run-off", help="Show an instant run-off by bankroll, round by round.")
    ] = False,
    draws: Annotated[
        int, typer.Option(metavar="N", min=100, max=100_000, help="Number of bootstrap draws.")
    ] = DRAWS,
    seed: Annotated[int, seed_option("the bootstrap; the same seed repeats its probabilities")] = 0,
    form: Form = Format.TABLE,
) -> None:
    """Rank a competition by total bankroll.

    Each event and game separately: totals in mbb/h with 95% intervals, P(first), rank intervals, run-off places. As CSV
    or JSON, --crosstable or --run-off is written instead of the standings.
    """
    from .reports import winnings

    source = context.get_parameter_source("store")
    if path is not None and source is not None and source.name == "COMMANDLINE":
        raise UserError("standings takes PATH or --store, not both")
    shown = [winnings.Shown.CROSSTABLE] * crosstable + [winnings.Shown.RUN_OFF] * run_off
    with opened_store(path or store) as opened, patience("Ranking"):
        winnings.print_standings(opened, event, shown, draws, seed, form)


@app.command()
def collusion(
    store: StoreDir = STORE,
    event: OneEvent = None,
    every: Annotated[
        bool, typer.Option("--all", help="List all pairs, not only those beyond chance.")
    ] = False,
    seed: Annotated[int, seed_option("the permutations; the same seed repeats p and q")] = 0,
    form: Form = Format.TABLE,
) -> None:
    """Look for signs of collusion; exit 1 if a pair shows any.

    Evidence, never a verdict: what was seen, how often honest play would show it, in which hands, and what else
    would explain it.
    """
    from .jit.startup import prepare_process

    prepare_process()
    from .reports import collusion as printed

    with opened_store(store) as opened:
        flagged = printed.print_evidence(opened, event, every, seed, form, partial(progress_bar, "Looking"))
    raise typer.Exit(1 if flagged else 0)


@app.command()
def opponent(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The player's name.")],
    store: StoreDir = STORE,
    against: Annotated[
        str | None,
        typer.Option(metavar="ME", help="Only matches against player ME, both in full and as ME saw them."),
    ] = None,
    event: PlayerEvent = None,
    game: PlayerGame = None,
    seat: PlayerSeat = None,
    against_seat: Annotated[
        int | None,
        typer.Option("--against-seat", metavar="N", help="The seat of ME, if a match holds ME twice."),
    ] = None,
    form: DocumentForm = Format.TABLE,
) -> None:
    """Show what the logs say of one player; JSON is for bots.

    Tendencies, ranges, strength by bet size, answers to bets and exploits; docs/opponent.md describes the JSON.
    """
    from .reports import opponent as printed

    with opened_store(store) as opened:
        printed.print_opponent(opened, name, against, event, game, seat, against_seat, form)


@app.command()
def replay(
    hand: Annotated[
        str,
        typer.Argument(metavar="MATCH#HAND", help="Match (match_id or file name) and hand_index: 1234567#0."),
    ],
    store: StoreDir = STORE,
    form: Form = Format.TABLE,
) -> None:
    """Show one hand step by step.

    Cards, decisions and what else was allowed, awards, verdict and findings, each with its line of the log. As CSV or
    JSON its steps alone: what a seat won is in the table seats, the verdict in hands.
    """
    from .reports import replayer

    with opened_store(store) as opened:
        replayer.print_hand(opened, hand, form)


@app.command()
def report(
    store: StoreDir = STORE,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the pages.")] = Path("railbird-report"),
    match: Match = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Also look for collusion, which takes minutes.")
    ] = False,
) -> None:
    """Write the HTML report; print the path of its first page."""
    if evidence:
        from .jit.startup import prepare_process

        prepare_process()
    from .reports.pages import build
    from .storage.locations import MANIFEST

    if (out / MANIFEST).exists():
        raise UserError(f"{out} is a store: choose another folder for the pages")
    with opened_store(store) as opened, progress_bar("Writing pages") as progress:
        first = build.write_report(opened, out, match, progress, evidence)
    print(first)


@app.command()
def export(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the files.")],
    store: StoreDir = STORE,
    to: Annotated[
        FileKind, typer.Option("--to", help="Kind of the files: parquet or csv.", case_sensitive=False)
    ] = FileKind.PARQUET,
) -> None:
    """Write each table whole into one Parquet or CSV file.

    Derived columns are included. For pandas, Polars, DuckDB or a spreadsheet; docs/export.md says how CSV holds ids and
    lists.
    """
    from .storage.locations import Folder

    with opened_store(store) as opened, progress_bar("Exporting") as progress:
        if isinstance(opened.place, Folder) and opened.place.root in (
            out.absolute(),
            *out.absolute().parents,
        ):
            raise UserError(f"{out} lies in the store: export writes into a folder of its own")
        opened.export(out, to, progress)
    print(out)


@app.command()
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
    form: Form = Format.TABLE,
) -> None:
    """Query the store in SQL.

    The SQL is DuckDB's; docs/schema.md lists the tables, docs/statistics.md the views.
    """
    from .analytics.players import find_player
    from .reports import terminal

    check_query(query)
    if as_seen_by is None and (event or game or seat is not None):
        raise UserError(
            "--event, --game and --seat choose the player of --as-seen-by; otherwise filter in the query"
        )
    with ExitStack() as stack:
        opened = stack.enter_context(opened_store(store))
        if as_seen_by is not None:
            opened = stack.enter_context(
                opened.as_seen_by(find_player(opened, as_seen_by, event, game, seat))
            )
        check_targets(query, opened.place)
        cursor = opened.cursor(query)
        with users_query(opened, query):
            terminal.write(terminal.answered(cursor.execute(query), exact=True), form)


app.command(cls=StyledCommand)(simulate)
app.command()(games)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version.")] = False,
) -> None:
    if version:
        from . import __version__

        print(f"railbird {__version__}")
        raise typer.Exit
