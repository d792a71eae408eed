"""The commands that look for broken rules and for collusion."""

from functools import partial
from typing import Annotated

import typer

from ..analytics.settings import Kind
from ..reports import LISTED, Format
from .opening import opened_store, progress_bar
from .options import STORE, Form, How, Match, OneEvent, OneGame, StoreDir, reads_logs, seed_option


@reads_logs
def verify(
    store: StoreDir = STORE,
    match: Match = None,
    event: OneEvent = None,
    game: OneGame = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help=f"List all violations, not only {LISTED}; csv and json then list violations instead of the summary.",
        ),
    ] = False,
    integrity: Annotated[
        bool,
        typer.Option(
            "--store-integrity",
            help="Check the store itself instead: whether its files are what was written; exit 1 if one is not.",
        ),
    ] = False,
    other_games: Annotated[
        bool,
        typer.Option(
            "--allow-other-games",
            help="Exit 0 even if a match of an unknown game pays differently.",
        ),
    ] = False,
    form: Form = Format.TABLE,
    how: How | None = None,
) -> None:
    """Check deals, turns and pay of each hand; exit 1 if wrong."""
    from ..reports import audit as printed

    if integrity:
        from ..storage.integrity import checked_parts
        from ..storage.locations import place_of

        damaged = printed.print_integrity(checked_parts(place_of(store)), form)
        raise typer.Exit(1 if damaged else 0)
    with opened_store(store, how) as opened:
        wrong = printed.print_verdicts(opened, match, every, form, other_games, event, game)
    raise typer.Exit(1 if wrong else 0)


@reads_logs
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
    event: OneEvent = None,
    game: OneGame = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help=f"List all rows, not only {LISTED}; csv and json always do, checks and standings too.",
        ),
    ] = False,
    form: Form = Format.TABLE,
    how: How | None = None,
) -> None:
    """Show what broke the rules and what it cost; exit 1 if any.

    \b
    checks     how many hands break the rules: cards, blinds, button, turns,
               bet sizes, pay, sums of chips
    findings   what is wrong in them, line by line
    deals      the same cards dealt twice, in a match or in two
    balance    whether the dealer is fair: cards, hands, secret ranks, repeats
    failures   which bots failed, when first, what it cost, what the engine did
    faults     illegal, misformatted and late answers by hundreds of hands
    gains      who gained where the engine paid differently from the rules
    winners    matches whose winner changes if every hand is paid as written
    standings  places that would change then; always of all matches
    information  whether a player's choices depend on what the rules hide

    \b
    Exit 1 means a row of concern: in checks and findings a violation, in
    deals a repeat without a stated reason, in balance q < 0.05, in failures
    and faults a fault, in gains chips moved, in winners and standings a
    change, in information a flag. Without KIND only the checks decide.
    """
    from ..reports import audit as printed

    if kind is Kind.INFORMATION:
        from ..reports import information

        with opened_store(store, how) as opened:
            looking = partial(progress_bar, "Looking")
            flagged = information.print_rows(opened, match, every, form, looking, event, game)
        raise typer.Exit(1 if flagged else 0)
    with opened_store(store, how) as opened:
        concerns = printed.print_audit(opened, kind, match, every, form, event, game)
    raise typer.Exit(1 if concerns else 0)


@reads_logs
def collusion(
    store: StoreDir = STORE,
    event: OneEvent = None,
    game: OneGame = None,
    every: Annotated[
        bool, typer.Option("--all", help="List all pairs, not only those beyond chance.")
    ] = False,
    seed: Annotated[int, seed_option("the permutations; the same seed repeats p and q")] = 0,
    form: Form = Format.TABLE,
    how: How | None = None,
) -> None:
    """Look for pairs that collude or run one bot; exit 1 if any.

    Evidence, never a verdict: what was seen, how often honest play would show it, in which hands, and what else
    would explain it.
    """
    from ..jit.startup import prepare_process

    prepare_process()
    from ..reports import collusion as printed

    looking = partial(progress_bar, "Looking")
    with opened_store(store, how) as opened:
        flagged = printed.print_evidence(opened, event, every, seed, form, looking, game)
    raise typer.Exit(1 if flagged else 0)
