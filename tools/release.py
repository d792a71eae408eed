"""Build a release from a clean clone, and test it as a new user installs it.

`python -m railbird.tools.release --python python3.11 --python python3.12 LOG ...` (`make release`) clones the last
commit, compiles the rules with each Python, packs them all into one wheel, and builds the source archive. It then
installs both into a clean environment of each Python, runs the README's first commands on the logs, and has
`mypy --strict` check a script that imports railbird. The table of what it found is printed; exit 1 if a step failed.
"""

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, rmtree
from time import perf_counter
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
OUTSIDE: Final = "tests/outside.py"
"""The script that uses railbird's API as code of somebody else does."""
FIRST: Final = (
    "ingest {logs} --store store",
    "verify --store store",
    "bankroll --store store",
    "standings --store store",
    "stats --store store",
    "report --store store --out report",
)
"""The README's first commands."""
FINDS: Final = (0, 1)
"""Exit codes of commands that worked: `verify` exits with 1 if it finds something."""
COMPILED: Final = "finishing them for its processor"
"""What the first ingest says if it uses the rules of the wheel."""


class StepError(Exception):
    """A step that failed."""


@dataclass(frozen=True)
class Tried:
    """One archive in one environment: seconds of the installation, of the first ingest and of the second."""

    python: str
    archive: str
    install: float
    first: float
    again: float
    rules: str


def run(*command: object, cwd: Path, codes: Sequence[int] = (0,), own: Mapping[str, str] = {}) -> str:
    """Run a command in a small environment; what it printed. StepError with its last lines if it fails."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**kept, **own},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode not in codes:
        last = "\n".join(done.stdout.splitlines()[-15:])
        raise StepError(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{last}")
    return done.stdout


def timed(step: Callable[[], str]) -> tuple[float, str]:
    """Seconds that a step took, and what it printed."""
    begun = perf_counter()
    said = step()
    return perf_counter() - begun, said


def version(python: str) -> str:
    """Python's version, such as 3.12.1."""
    return run(python, "-c", "import platform; print(platform.python_version())", cwd=ROOT).strip()


def build(work: Path, pythons: Sequence[str]) -> tuple[Path, Path]:
    """A wheel with the rules compiled by each Python, and a source archive, both of a clean clone."""
    clone = work / "clone"
    run("git", "clone", "-q", ROOT, clone, cwd=work)
    for python in pythons:
        other = work / f"clone-{version(python)}"
        run("git", "clone", "-q", ROOT, other, cwd=work)
        run("make", "--no-print-directory", f"PYTHON={python}", ".venv/.railbird", cwd=other)
    builder = other / ".venv" / "bin" / "python"
    # The source archive comes first: it would take compiled rules along.
    for kind in ("sdist", "wheel"):
        code = f"from setuptools import build_meta; build_meta.build_{kind}({str(work / 'dist')!r})"
        run(builder, "-c", code, cwd=clone)
        for python in pythons if kind == "sdist" else ():
            copytree(work / f"clone-{version(python)}" / "kernels", clone / "kernels", dirs_exist_ok=True)
    (wheel,), (source,) = (sorted((work / "dist").glob(glob)) for glob in ("*.whl", "*.tar.gz"))
    return wheel, source


def check_contents(wheel: Path, source: Path, pythons: int) -> None:
    """StepError if an archive lacks what it must hold, or the version is not the project's."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
    kernels = {name.split("/")[2] for name in names if name.startswith("railbird/kernels/")}
    if len(kernels) != pythons:
        raise StepError(f"{wheel.name} has {len(kernels)} sets of rules of {pythons} Pythons")
    with tarfile.open(source) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    if any(name.startswith("kernels/") for name in held):
        raise StepError(f"{source.name} has compiled rules")
    for wanted, found in (
        ("railbird/py.typed", names),
        (OUTSIDE, held),
        ("docs/schema.md", held),
        ("Makefile", held),
    ):
        if wanted not in found:
            raise StepError(f"{wanted} is missing")
    for path in (wheel, source):
        if not path.name.startswith(f"railbird-{project['version']}"):
            raise StepError(f"{path.name} is not of version {project['version']}")


def try_out(work: Path, python: str, archive: Path, logs: Sequence[Path]) -> Tried:
    """Install an archive into a clean environment and use it."""
    number, is_wheel = version(python), archive.suffix == ".whl"
    place = work / f"{number}-{'wheel' if is_wheel else 'sdist'}"
    place.mkdir()
    run(python, "-m", "venv", "venv", cwd=place)
    bin_ = place / "venv" / "bin"
    pip = (bin_ / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    install, _ = timed(lambda: run(*pip, archive, cwd=place))
    own = {"RAILBIRD_CACHE": str(place / "cache"), "XDG_STATE_HOME": str(place / "state")}
    (place / "cache").mkdir(mode=0o700)

    def railbird(words: str) -> str:
        asked = [str(path) for path in logs]
        given = [part for word in words.split() for part in (asked if word == "{logs}" else [word])]
        return run(bin_ / "railbird", *given, cwd=place, codes=FINDS, own=own)

    if railbird("--version").split()[-1] != archive.name.removeprefix("railbird-").split("-")[0].removesuffix(
        ".tar.gz"
    ):
        raise StepError(f"{archive.name}: another version is installed")
    first, said = timed(lambda: railbird(FIRST[0]))
    if not re.search(r"^stored +[1-9]", said, re.MULTILINE) or "rejected" in said:
        raise StepError(f"{archive.name} with Python {number}: the logs are not read\n{said}")
    if is_wheel and (COMPILED not in said or "uncompiled" in said):
        raise StepError(
            f"{archive.name} with Python {number}: the first ingest does not use its rules\n{said}"
        )
    again, repeated = timed(lambda: railbird(FIRST[0].replace(" store", " again")))
    if is_wheel and "rules" in repeated:
        raise StepError(
            f"{archive.name} with Python {number}: the second ingest finishes rules again\n{repeated}"
        )
    for command in FIRST[1:]:
        if not railbird(command).strip():
            raise StepError(f"railbird {command}: nothing is printed")
    if not (place / "report" / "index.html").is_file():
        raise StepError("no report was written")
    pinned = next(
        line
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if line.startswith("mypy==")
    )
    run(*pip, pinned, cwd=place)
    (place / "outside.py").write_bytes((work / "clone" / OUTSIDE).read_bytes())
    run(bin_ / "python", "-m", "mypy", "--strict", "outside.py", cwd=place)
    run(bin_ / "python", "outside.py", "store", cwd=place, own=own)
    rules = "of the wheel" if is_wheel else "uncompiled" if "uncompiled" in said else "compiled once"
    return Tried(number, archive.name, install, first, again, rules)


def main() -> int:
    """Build, try, print a table; 1 if a step failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("logs", nargs="*", type=Path, help="logs to read [default: sample_logs]")
    parser.add_argument("--python", action="append", help="a Python to build and try with; may be repeated")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "release", help="folder, made anew")
    asked = parser.parse_args()
    pythons: list[str] = asked.python or [sys.executable]
    logs = [path.resolve() for path in asked.logs] or [ROOT / "sample_logs"]
    rmtree(asked.out, ignore_errors=True)
    asked.out.mkdir(parents=True)
    try:
        wheel, source = build(asked.out, pythons)
        check_contents(wheel, source, len(pythons))
        print(
            "| Python | installed | pip install | first ingest | again | rules |\n|---|---|---|---|---|---|"
        )
        for python in pythons:
            for archive in (wheel, source):
                it = try_out(asked.out, python, archive, logs)
                print(
                    f"| {it.python} | {it.archive} | {it.install:.0f} s | {it.first:.1f} s | {it.again:.1f} s "
                    f"| {it.rules} |",
                    flush=True,
                )
    except StepError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"\n{wheel}\n{source}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
