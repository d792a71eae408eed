"""Stores of simulated matches."""

from collections.abc import Sequence
from pathlib import Path

from railbird.ingest import ingest
from railbird.replay.replaying import game_named
from railbird.replay.simulate import simulate

STYLES = (
    "tight-aggressive",
    "loose-aggressive",
    "calling-station",
    "fractions",
    "faulty",
    "maniac",
    "random",
)


def players_of(game: str) -> list[tuple[str, str]]:
    """The players of a simulated match of a game, each of another style."""
    count = game_named(game).players[0]
    if game == "koper":
        count = 5
    return [(f"P{seat} {style}", style) for seat, style in zip(range(count), STYLES, strict=False)]


def store_of(logs: Path, matches: Sequence[tuple[str, int, int]], into: Path, quick: int = 0) -> None:
    """A store of simulated matches: game, hands, seed; the first `quick` are played by bots that decide little."""
    logs.mkdir()
    for number, (game, hands, seed) in enumerate(matches):
        players = players_of(game) if number >= quick else [("Bold", "all-in"), ("Calm", "tight-passive")]
        text = simulate(game, players, hands, seed)
        (logs / f"{number}.log").write_text(text + "\n", encoding="utf-8")
    ingest([logs], into)
