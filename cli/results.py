"""The commands for results and for how players play."""

from pathlib import Path
from typing import Annotated

import typer

from ..analytics.settings import DRAWS, Grouping
from ..reports import Format, PlotStyle, Show, UserError
from .opening import opened_store, patience, progress_bar
from .options import (
    STORE,
    AsOf,
    DocumentForm,
    Form,
    How,
    Last,
    Match,
    OneEvent,
    OneGame,
    PictureStyle,
    PictureTitle,
    PlayerEvent,
    PlayerGame,
    PlayerName,
    PlayerSeat,
    StoreDir,
    check_picture,
    player_option,
    reads_logs,
    say_picture,
    seed_option,
)


@reads_logs
def bankroll(
    store: StoreDir = STORE,
    match: Match = None,
    event: OneEvent = None,
    game: OneGame = None,
    player: Annotated[
        str | None,
        player_option("Only this player's matches."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw the bankrolls of all players: FILE.png or FILE.svg."),
    ] = None,
    title: PictureTitle = "",
    style: PictureStyle = PlotStyle.PAGE,
    form: Form = Format.TABLE,
    how: How | None = None,
) -> None:
    """Show who won how much, match by match.

    --plot draws the players of each event and game in one picture, match after match, with the winner's luck-adjusted
    curve and its 95% band; of a single match it also draws what each player won with and without showdown. With
    --player it draws a line for each of the player's matches, with their mean.
    """
    from ..reports import terminal, winnings

    check_picture(plot, title, style)
    with opened_store(store, how) as opened:
        if plot:
            from ..reports import event_plots, plots
            from ..reports.matches import chosen_matches

            matches = chosen_matches(opened, match, event, game, player)
            if player is not None and len(matches) > 1:
                from ..reports.run_plots import save_runs

                save_runs(opened, matches, player, plot, title, style)
            elif len(matches) == 1 and style is PlotStyle.PAGE:
                plots.save_match(opened, matches[0], plot, title)
            else:
                with patience("Drawing"):
                    event_plots.save_events(opened, matches, plot, title, style)
        terminal.write(winnings.results(opened, match, form, event, game, player), form)
        say_picture(plot, form)


@reads_logs
def luck(
    store: StoreDir = STORE,
    by: Annotated[
        Grouping, typer.Option(metavar="WHAT", help=f"One of {', '.join(Grouping)}.", case_sensitive=False)
    ] = Grouping.PLAYER,
    event: OneEvent = None,
    game: OneGame = None,
    form: Form = Format.TABLE,
    how: How | None = None,
) -> None:
    """Show winnings raw and without luck; by match or position.

    In bb per 100 hands with 95% intervals, and how much of the standard deviation the adjustment removes. docs/luck.md
    explains how.
    """
    from ..reports import winnings

    with opened_store(store, how) as opened:
        winnings.print_luck(opened, by, form, event, game)


@reads_logs
def stats(
    store: StoreDir = STORE,
    player: Annotated[str | None, player_option("Only this player.")] = None,
    event: OneEvent = None,
    game: OneGame = None,
    by_opponent: Annotated[bool, typer.Option("--by-opponent", help="Show a row for each opponent.")] = False,
    last: Last = None,
    before_lock: Annotated[
        bool,
        typer.Option(
            "--before-lock",
            help="Leave out hands after the lock point, from which the leader can fold every hand and still win.",
        ),
    ] = False,
    show: Annotated[
        Show, typer.Option(metavar="TABLE", help="Table to show, listed above.", case_sensitive=False)
    ] = Show.OVERVIEW,
    every: Annotated[
        bool, typer.Option("--all", help="Show every table that has rows; with --format json one document.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also draw --show hands or size-tells, a panel a player: FILE.png or FILE.svg.",
        ),
    ] = None,
    title: PictureTitle = "",
    style: PictureStyle = PlotStyle.PAGE,
    form: Form = Format.TABLE,
    how: How | None = None,
) -> None:
    """Show how players play, with n and 95% intervals.

    The tables of --show:

    \b
    overview     VPIP, PFR, 3-bet, c-bet, WTSD ...; n counts only chances to
    streets      statistics street by street
    faced        answers to bets, by size
    made         sizes of own bets and raises
    size-tells   whether the size of a bet tells how strong the hand is
    ranges       which hands a player folds, opens, calls, re-raises preflop
    actions      what a player does on each street in each position
    strength     how often each action with each strength of hand
    winnings     chips with and without showdown, bb/100, mbb/h
    where        bb/100 by position, seat, street, end and kind of hand
    hands        chips by starting hand
    bounty       bounty hits, and the chips that they brought and cost
    shift        bounties: play while the own bounty is live, and otherwise
    run          play on the river and in the run after it
    boards       several boards: statistics board by board
    allocation   several boards: the one that gets the strongest pair
    triggers     several boards: answers to a bet of an opponent all-in
    koper        all bet at once: bets, steps and caps
    koper-folds  all bet at once: folds and bets of round 1
    bids         auctions: bids, what they cost, and the hands after
    exchanges    swaps and redraws, and the hands with and without
    discards     which cards a player gives up
    permuted     secret ranks: showdowns that their order decided
    times        seconds a decision, where the log has them
    claims       what players say of their own cards, and how often it is wrong
    beliefs      chances to win that a bot noted, beside what was true
    limit        bets of fixed sizes: answers by round and bets faced
    same-state   does a player repeat its action in the same state
    drift        does a player change its play during a match
    """
    from ..reports import stats as printed

    if every and show is not Show.OVERVIEW:
        raise UserError("--all shows every table: leave out --show")
    if plot and (show not in (Show.HANDS, Show.TELLS) or by_opponent or before_lock):
        raise UserError("--plot draws --show hands or size-tells, without --by-opponent and --before-lock")
    check_picture(plot, title, style)
    with (
        opened_store(store, how) as whole,
        patience("Counting"),
        printed.latest_named(whole, last, player, event, game) as opened,
    ):
        if plot:
            from ..reports import hand_plots

            draw = hand_plots.save_hands if show is Show.HANDS else hand_plots.save_boxes
            draw(opened, plot, title, style, player, event, game)
        if every:
            printed.print_every(opened, player, by_opponent, form, before_lock, event, game)
        else:
            printed.print_stats(opened, player, by_opponent, form, show, before_lock, event, game)
        say_picture(plot, form)


@reads_logs
def standings(
    context: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="The store or folder of logs; not together with --store."),
    ] = None,
    store: StoreDir = STORE,
    event: OneEvent = None,
    game: OneGame = None,
    crosstable: Annotated[
        bool, typer.Option("--crosstable", help="Show what each won from whom, in mbb/h, with 95% intervals.")
    ] = False,
    run_off: Annotated[
        bool, typer.Option("--run-off", help="Show an instant run-off by bankroll, round by round.")
    ] = False,
    adjusted: Annotated[
        bool,
        typer.Option(
            "--adjusted", help="Show ranks with all-ins settled by equity, and adjusted for all cards."
        ),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw who beat whom, all players: FILE.png or FILE.svg."),
    ] = None,
    title: PictureTitle = "",
    style: PictureStyle = PlotStyle.PAGE,
    draws: Annotated[
        int, typer.Option(metavar="N", min=100, max=100_000, help="Number of bootstrap draws.")
    ] = DRAWS,
    seed: Annotated[int, seed_option("the bootstrap; the same seed repeats its probabilities")] = 0,
    form: Form = Format.TABLE,
    how: How | None = None,
) -> None:
    """Rank players, with how sure it is, and who beat whom.

    Each event and game separately: totals in mbb/h with 95% intervals, P(first), rank intervals, run-off places. As CSV
    or JSON, --crosstable, --run-off or --adjusted is written instead of the standings. --plot draws a cell for each two
    players, shaded by who won and whether the interval excludes an even result.
    """
    from ..reports import winnings

    source = context.get_parameter_source("store")
    if path is not None and source is not None and source.name == "COMMANDLINE":
        raise UserError("standings takes PATH or --store, not both")
    shown = [winnings.Shown.CROSSTABLE] * crosstable + [winnings.Shown.RUN_OFF] * run_off
    shown += [winnings.Shown.ADJUSTED] * adjusted
    check_picture(plot, title, style)
    picture = winnings.Picture(plot, title, style) if plot else None
    with opened_store(path or store, how) as opened, patience("Ranking"):
        winnings.print_standings(opened, event, shown, draws, seed, form, picture, game)
        say_picture(plot, form)


@reads_logs
def opponent(
    name: PlayerName,
    store: StoreDir = STORE,
    against: Annotated[
        str | None,
        player_option("Only matches against player ME, both in full and as ME saw them.", metavar="ME"),
    ] = None,
    event: PlayerEvent = None,
    game: PlayerGame = None,
    seat: PlayerSeat = None,
    against_seat: Annotated[
        int | None,
        typer.Option("--against-seat", metavar="N", help="The seat of ME, if a match holds ME twice."),
    ] = None,
    as_of: AsOf = None,
    last: Last = None,
    every: Annotated[bool, typer.Option("--all", help="Show every table.")] = False,
    form: DocumentForm = Format.TABLE,
    how: How | None = None,
) -> None:
    """Profile a player: habits, ranges, bet sizes, what wins.

    First the changes of play that win most, each with its gain and hands, then a short table. With --all tendencies,
    ranges, strength by bet size, answers to bets and exploits; docs/opponent.md describes the JSON.
    """
    from ..reports import opponent as printed

    with opened_store(store, how) as opened, progress_bar("Reading decisions") as progress:
        printed.print_opponent(
            opened, name, against, event, game, seat, against_seat, form, as_of, every, progress, last
        )
