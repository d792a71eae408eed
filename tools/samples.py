"""The logs of `sample_logs` except those of ACPC and Koper."""

import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..replay.simulate import LATEST, simulate
from ..variants import registry  # noqa: F401 - makes the games known


def write_texts(samples: Iterable[Mapping[str, str]], folder: Path) -> list[Path]:
    """Write each sample's texts, by path below `folder`; returns the files."""
    written = []
    for texts in samples:
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            written.append(path)
    return written


def tell(write_samples: Callable[[Path], list[Path]], arguments: Sequence[str]) -> None:
    """Write the samples to the given folder, else to `sample_logs`, and print the files."""
    for path in write_samples(Path(arguments[0] if arguments else "sample_logs")):
        sys.stdout.write(f"{path}\n")


@dataclass(frozen=True)
class Sample:
    """One log: its path below the folder, the arguments of `simulate`, and what it shows."""

    path: str
    game: str
    players: tuple[tuple[str, str], ...]
    hands: int
    seed: int
    shows: str
    profile: str = LATEST
    course: str = ""

    def text(self) -> str:
        """The log."""
        return simulate(self.game, self.players, self.hands, self.seed, self.profile, self.course)


def listed(script: str) -> list[dict[str, Any]]:
    """The samples of the TOML file next to a script, its path given; players are pairs of a name and a style."""
    samples: list[dict[str, Any]] = tomllib.loads(
        Path(script).with_suffix(".toml").read_text(encoding="utf-8")
    )["sample"]
    return [one | {"players": tuple(map(tuple, one["players"]))} for one in samples]


SAMPLES: Final = tuple(Sample(game=one["path"].partition("/")[0], **one) for one in listed(__file__))
"""Every sample log, of `samples.toml`."""


def write_samples(folder: Path) -> list[Path]:
    """Write every sample below `folder`; returns the files."""
    return write_texts(({sample.path: sample.text()} for sample in SAMPLES), folder)


def main(arguments: list[str]) -> None:
    """Write the samples to the folder named, else to `sample_logs`."""
    tell(write_samples, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
