"""The command that answers an assistant's questions."""

from contextlib import ExitStack

from ..reports import UserError
from .opening import opened_store
from .options import NAMING, STORE, How, StoreDir, reads_logs


@reads_logs
def mcp(store: StoreDir = STORE, how: How | None = None) -> None:
    """Answer an assistant's questions (MCP); only reads.

    Speaks the Model Context Protocol on standard input and output, for a program that starts it: matches, tendencies
    as of a hand, hands, one hand, SQL with limits (docs/python.md). Needs railbird[mcp].
    """
    from .. import __version__
    from ..analytics.store import AS_LOGGED
    from ..reports.bounded_sql import clean_up, warm_up

    try:
        from ..reports import assistant
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "mcp":
            raise
        raise UserError("this command needs MCP: pip install 'railbird[mcp]'") from None
    how = how or {}
    with ExitStack() as stack:
        place = stack.enter_context(opened_store(store, how)).place
        questions = assistant.Questions(place, how.get(NAMING, AS_LOGGED))
        stack.callback(clean_up)
        stack.callback(questions.stop)
        warm_up()
        assistant.server(questions, __version__).run("stdio")
