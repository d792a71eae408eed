"""The words of every command, for a folder that has a store, logs, a bot's own log and a game of a user's.

The list of commands is the command line's own: one without words here is an error.
"""

import io
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final, NamedTuple

from typer.main import get_command

from hammer.stores import SAMPLES
from railbird.cli import main as railbird
from railbird.cli.app import app

STORED: Final = ("bounty/2025-01-05.txt", "acpc/kuhn.log", "swap/faults.txt")
"""The logs of the store: short ones of two players, of three, and one with faults."""
FRESH: Final = ("holdem-mit/base.txt", "blotto/late.txt")
"""Logs that it does not have."""
_MATCH: Final = "2025-01-05"
_PLAYER: Final = "{player}"
_OTHER: Final = "{other}"
_LOGS: Final = tuple(str(SAMPLES / name) for name in STORED)
_NEW: Final = tuple(str(SAMPLES / name) for name in FRESH)
_OWN: Final = [
    {"round": number, "order": 0, "player": "Harbour", "equity": 0.25 + number / 100}
    for number in range(1, 20)
]
_QUERY: Final = "from actions join hands using (match_id, hand_index) order by all limit 50"
_ASKED: Final = (
    {
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-03-26",
            "capabilities": {},
            "clientInfo": {"name": "hammer", "version": "1"},
        },
    },
    {"method": "tools/list", "params": {}},
    {"method": "tools/call", "params": {"name": "sql", "arguments": {"query": _QUERY}}},
)
_SAID: Final = "".join(
    json.dumps({"jsonrpc": "2.0", "id": number, **one})
    + "\n"
    + ('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n' if not number else "")
    for number, one in enumerate(_ASKED)
)
"""What an assistant says on the standard input of `mcp`."""


class Case(NamedTuple):
    """A way to call a command. Paths that begin with ./ lie in the folder of the try.

    is_endless: it goes on until it is interrupted
    said: on its standard input
    """

    words: Sequence[str]
    is_endless: bool = False
    said: str = ""

    def named(self, player: str, other: str) -> "Case":
        """With the names of two players."""
        names = {_PLAYER: player, _OTHER: other}
        return self._replace(words=[names.get(word, word) for word in self.words])

    def absolute(self, folder: Path) -> "Case":
        """With whole paths."""
        return self._replace(
            words=[f"{folder}/{word[2:]}" if word.startswith("./") else word for word in self.words]
        )


def _of(words: str, *more: str, store: bool = True, **named: Any) -> Case:
    return Case([*words.split(), *more, *(("--store", "./store") if store else ())], **named)


CASES: Final[Mapping[str, Sequence[Case]]] = {
    "ingest": (
        _of("ingest", *_NEW),
        _of("ingest", *_LOGS, *_NEW, "--store", "./fresh", store=False),
        _of("ingest --join ./own.jsonl", _LOGS[0]),
    ),
    "watch": (_of("watch ./watched --every 0.1", is_endless=True), _of("watch ./watched --once")),
    "compact": (_of("compact"),),
    "tag": (_of("tag", _MATCH, "version=v1", "try=2"),),
    "forget": (_of("forget", _MATCH),),
    "verify": (_of("verify"), _of("verify --store-integrity")),
    "audit": (_of("audit"), _of("audit faults"), _of("audit information")),
    "bankroll": (_of("bankroll"),),
    "luck": (_of("luck"), _of("luck --store ./watched", store=False)),
    "stats": (_of("stats"),),
    "standings": (_of("standings"),),
    "compare": (_of("compare", _PLAYER, _OTHER),),
    "collusion": (_of("collusion"),),
    "opponent": (_of("opponent", _PLAYER),),
    "exploit": (_of("exploit", _PLAYER),),
    "why": (_of("why", _PLAYER, "--against", _OTHER),),
    "hands": (_of("hands --pot >1"),),
    "replay": (_of("replay", f"{_MATCH}#1"), _of("replay --as 0", f"{_MATCH}#3")),
    "report": (_of("report --out ./out/report"),),
    "serve": (_of("serve", is_endless=True), _of("serve --watch ./watched --every 0.1", is_endless=True)),
    "mcp": (_of("mcp", is_endless=True, said=_SAID),),
    "export": tuple(_of(f"export ./out/{kind} --to {kind}") for kind in ("csv", "parquet", "phh", "jsonl")),
    "sql": (_of("sql", _QUERY),),
    "simulate": (
        _of("simulate bounty --hands 200 --out ./out/log.txt", store=False),
        _of("simulate my-game --variant ./my_game.py --hands 50 --out ./out/own.txt", store=False),
    ),
    "games": (_of("games", store=False),),
    "model fit": (_of("model fit --out ./out/model", _PLAYER),),
    "model export": (_of("model export --out ./out/player", _PLAYER),),
    "variant new": (_of("variant new some-game --out ./out", store=False),),
    "variant check": (_of("variant check ./my_game.py ./my_game.txt", store=False),),
}
"""Ways to call each command, by its name."""


def commands() -> list[str]:
    """The names of all commands, as the command line has them."""

    def walked(command: Any, name: str) -> Iterator[str]:
        below = getattr(command, "commands", {})
        if not below:
            yield name
        for word, one in below.items():
            yield from walked(one, f"{name} {word}".strip())

    return list(walked(get_command(app), ""))


def cases() -> list[tuple[str, Case]]:
    """Each way to call each command, with the command's name. KeyError for a command without words."""
    return [(name, case) for name in commands() for case in CASES[name]]


def made(folder: Path) -> tuple[str, str]:
    """Write what the cases need into a new folder; returns the names of two players of a match of two."""
    from hammer.stores import names_in

    for name in ("out", "watched"):
        (folder / name).mkdir(parents=True)
    store, game = folder / "store", folder / "my_game.py"
    said = io.StringIO()
    with redirect_stdout(said):
        for words in (
            ["ingest", *_LOGS, "--store", str(store)],
            ["luck", "--store", str(store)],
            ["variant", "new", "my-game", "--out", str(folder)],
            [
                "simulate",
                "my-game",
                "--variant",
                str(game),
                "--hands",
                "20",
                "--out",
                str(game.with_suffix(".txt")),
            ],
        ):
            assert railbird(words) == 0, (words, said.getvalue())
    for log in _NEW:
        shutil.copy(log, folder / "watched")
    (folder / "own.jsonl").write_text("".join(json.dumps(line) + "\n" for line in _OWN))
    _, (player, other) = names_in(store)
    return player, other
