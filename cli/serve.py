"""The command that shows a store as a live page."""

import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from ..reports import UserError
from .opening import complain, opened_store
from .options import NAMING, STORE, How, LogsEvent, StoreDir, Tagged, follows_logs


@follows_logs
def serve(
    store: StoreDir = STORE,
    watch: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also keep reading the new and grown logs of this folder."),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port of the page; 0 takes a free one.")
    ] = 0,
    event: LogsEvent = None,
    tag: Tagged = None,
    every: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="Seconds between two looks for new hands.")
    ] = 1.0,
    how: How | None = None,
) -> None:
    """Show a store as a live page, on this machine only.

    Prints the page's address. It has the scoreboard, curves, the last faults and the report, follows new hands, and
    takes SQL that only reads (docs/serve.md). Ctrl-C ends it.
    """
    if watch is None and (event is not None or tag):
        raise UserError("--event and --tag are for the logs of --watch")
    if watch is not None and not watch.is_dir():
        raise UserError(f"{watch} is not a folder")
    if watch is not None:
        from ..jit.startup import prepare_process

        prepare_process()
    from ..analytics.store import AS_LOGGED
    from ..reports import server
    from ..reports.bounded_sql import BoundedSql, clean_up, warm_up
    from ..reports.following import Following, Pages
    from ..storage.locations import place_of, temporary_folder
    from ..storage.tags import tags_of
    from ..watch import Watcher

    how = dict(how or {})
    naming = how.get(NAMING, AS_LOGGED)
    with ExitStack() as stack:
        watcher = None
        if watch is None:
            place = stack.enter_context(opened_store(store, how)).place
        else:
            how.pop(NAMING, None)
            place = place_of(store)
            watcher = Watcher(watch, place, event, **how, **({"tags": tags_of(tag)} if tag else {}))
        listening = stack.enter_context(server.listen(port))
        following = Following(place, naming, watcher, every, complain)
        folder = stack.enter_context(temporary_folder())
        pages = Pages(following, folder, _options(naming.rename, naming.split))
        sql = BoundedSql(str(place), naming)
        for ending in (clean_up, sql.stop, pages.stop, following.stop):
            stack.callback(ending)
        # Ended by another program it tidies up as after Ctrl-C.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        warm_up(folder)
        following.start()
        number = listening.getsockname()[1]
        print(f"http://{server.LOOPBACK}:{number}/", flush=True)
        server.run(server.application(following, pages, sql, number), listening, sql.stop)


def _options(rename: str, split: tuple[str, ...]) -> list[str]:
    """The options of `railbird report` that name players as this command does."""
    return [f"--rename={rename}"] * bool(rename) + [f"--split={column}" for column in split]
