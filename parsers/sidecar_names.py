"""Sidecars by file name: the possible kind of a file, and the logs that it may belong to."""

import re
from typing import Final

from .unpacking import plain_name

DEFINITION: Final = ".game"
ERROR_LOGS: Final = (".err", ".actions.log")
_LOG: Final = re.compile(r"(.*?)[._-]?all_games\.txt$")
OPENS_LOG: Final = b"===VERSION "
"""The beginning of a server's log of a game."""
OPENS_STATE: Final = b"MATCHSTATE:"
"""The beginning of a state in a player's own log."""
_REPLAY: Final = re.compile("replay")
_SERVER_LOG: Final = re.compile(r"(?<![A-Za-z.])log(?=[^A-Za-z].*\.\w+$|\.\w+$)")
_CONSOLE: Final = re.compile(r"(.*?)[._-]?(?:stdout|console)\.txt$")

IRC_PART: Final = "the players of a month of the IRC poker database"
IRC_HANDS: Final = "hdb"
IRC_ROSTER: Final = "hroster"
IRC_PLAYERS: Final = "pdb"
"""A month of the IRC poker database is a folder with the first two, and a folder of players' files."""

Key = tuple[str, str]
"""A kind of sidecar, and a folder or the stem of a log's path."""


def split(path: str) -> tuple[str, str]:
    """A file's folder, and its name without the extension of a compression."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    return folder, plain_name(name)


def stem(name: str) -> str:
    """The name without its extension, which an ACPC log shares with the dealer's other files of the same match."""
    for ending in (".actions.log", ".err", ".tlog", ".log"):
        if name.endswith(ending):
            return name[: -len(ending)]
    return name.rsplit(".", 1)[0]


def console_stem(path: str) -> str | None:
    """The part of a Koper console's path that its log shares; None for other names."""
    return _stem(path, _CONSOLE)


def tournament_stem(path: str) -> str | None:
    """The part of a Koper log's path that its console shares; None for other names."""
    return _stem(path, _LOG)


def log_beside(path: str) -> str:
    """The path of the server's log of a replay; empty if the file's name is not a replay's."""
    return _renamed(path, _REPLAY, "log")


def replay_beside(path: str) -> str:
    """The path of the replay of a server's log; empty if the file's name is not a log's."""
    return _renamed(path, _SERVER_LOG, "replay")


def _renamed(path: str, form: re.Pattern[str], other: str) -> str:
    begin = max(path.rfind("/"), path.rfind("\\")) + 1
    said = form.search(path, begin)
    return f"{path[: said.start()]}{other}{path[said.end() :]}" if said else ""


def _stem(path: str, form: re.Pattern[str]) -> str | None:
    folder, name = split(path)
    said = form.match(name)
    return None if said is None else f"{folder}/{said[1]}"


def month_of(path: str) -> str | None:
    """The folder of a month of the IRC poker database to which a file belongs, from its path; else None."""
    if IRC_ROSTER not in path and IRC_PLAYERS not in path:
        return None
    folder, name = split(path)
    above, _, last = folder.rpartition("/")
    if name == IRC_ROSTER:
        return folder
    return above if last == IRC_PLAYERS and name.startswith(f"{IRC_PLAYERS}.") else None


def informs(path: str) -> Key | None:
    """The key of a sidecar, from its file name, else None; `informed_by` returns the same key for its logs."""
    folder, name = split(path)
    if name.endswith(DEFINITION):
        return "game", folder
    if name.endswith(ERROR_LOGS):
        return "errors", f"{folder}/{stem(name)}"
    console = console_stem(path)
    return None if console is None else ("console", console)


def informed_by(path: str) -> set[Key]:
    """The keys of the sidecars that a log may have, from its name; empty for a file named like a sidecar."""
    if informs(path):
        return set()
    folder, name = split(path)
    return {
        ("game", folder),
        ("errors", f"{folder}/{stem(name)}"),
        ("console", tournament_stem(path) or ""),
        ("answers", path),
    }
