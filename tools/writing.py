"""Sample logs on disk."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path


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
    """Write the samples to the folder named, else to `sample_logs`, and say which files they are."""
    for path in write_samples(Path(arguments[0] if arguments else "sample_logs")):
        sys.stdout.write(f"{path}\n")
