"""A log of `sample_logs`: what is simulated, and where it lies."""

from dataclasses import dataclass

from ..replay.simulate import COURSE, LATEST, simulate


@dataclass(frozen=True)
class Sample:
    """One log: where it lies in the folder, the arguments of `simulate`, and what it is there for."""

    path: str
    game: str
    players: tuple[tuple[str, str], tuple[str, str]]
    hands: int
    seed: int
    shows: str
    profile: str = LATEST
    course: str = COURSE

    def text(self) -> str:
        """The log."""
        return simulate(self.game, self.players, self.hands, self.seed, self.profile, self.course)
