"""A log that stops inside its first hand, at any line, is taken for what it is: no hand is whole before it is paid."""

from pathlib import Path

import pytest

from railbird.ingest import ingest
from railbird.replay.acpc.definitions import PREFIX, shipped
from railbird.replay.bots import STYLES
from railbird.replay.koper.game import PLAYERS
from railbird.replay.simulate import playable, simulate

# What the line begins or goes on with by which the first hand is paid, and which of these lines it is.
JAR = dict.fromkeys(("holdem-2017", "redraw-2017", "pineapple-2013", "omaha-2016"), (" wins the pot (", 0))
# That of a table has no line of its result: it ends with a fold.
TABLES = dict.fromkeys(("cmu-2025", "cmu-2026"), (",FOLD,", 0))
PAID = (
    JAR | TABLES | {"koper": ("Distributing remaining pot ", 0), PREFIX: ("STATE:", 0), "": (" awarded ", 1)}
)
SEATS = {"koper": PLAYERS} | {PREFIX + definition.name: definition.players for definition in shipped()}
LINES = 60


@pytest.mark.parametrize("game", playable())
def test_a_log_may_stop_at_any_line_of_its_first_hand(game: str, tmp_path: Path) -> None:
    players = list(zip("ABCDEFGHIJ", [*STYLES] * 10, strict=False))[: SEATS.get(game, 2)]
    lines = simulate(game, players, hands=1, seed=3).split("\n")
    mark, place = PAID[next(start for start in PAID if game.startswith(start))]
    paid = [number for number, line in enumerate(lines, 1) if mark in line][place]
    # Such a line ends in names: without its line end they may not be whole.
    paid += game.startswith(PREFIX)
    for count in range(1, min(LINES, len(lines))):
        log = tmp_path / str(count) / "log.txt"
        log.parent.mkdir()
        log.write_text("\n".join(lines[:count]))
        (account,) = ingest([log], log.parent / "store", workers=1).files
        said = log.read_text()
        assert account.lines_seen == said.count("\n") + (not said.endswith("\n"))
        assert account.hands_stored == (count >= paid)
    assert paid < min(LINES, len(lines))
