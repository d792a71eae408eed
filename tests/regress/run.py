"""Compare what this version answers with what an older one does: `make regress`, `make regress OLD=COMMIT`.

Both read the same logs: the folders of the corpus that tests/corpus.txt names, else sample_logs, each into a store of
its own. Differences that are meant stand in expected.toml; logs that are meant to be read otherwise are read into a
second store of their folder, of which the relations alone are compared.
"""

import argparse
import filecmp
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent
sys.path[:0] = [str(HERE.parent)]

from regress.compare import Compared, Expected, compare_folders, read_expected  # noqa: E402 - the tests' folder comes first
from regress.dump import REPORT  # noqa: E402

BUILD: Final = ROOT / "build" / "regress"
YARDSTICK: Final = "09b225e"
RELATIONS: Final = (
    "actions",
    "boards",
    "deals",
    "equities",
    "faults",
    "files",
    "findings",
    "hands",
    "matches",
    "seats",
    "unknown_lines",
)


def commit_of(name: str) -> str:
    return subprocess.run(
        ["git", "rev-parse", "--short=12", f"{name}^{{commit}}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def package_of(commit: str, build: Path) -> Path:
    """The package as a commit has it, below a folder that holds nothing else."""
    package = build / commit / "railbird"
    if not package.exists():
        packed = subprocess.run(
            ["git", "archive", "--format=tar", commit], cwd=ROOT, capture_output=True, check=True
        ).stdout
        fresh = package.with_name("fresh")
        shutil.rmtree(fresh, ignore_errors=True)
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(fresh, filter="data")
        fresh.rename(package)
    return package


def default_logs() -> list[Path]:
    if corpus := os.environ.get("RAILBIRD_CORPUS"):
        names = (ROOT / "tests" / "corpus.txt").read_text(encoding="utf-8").split()
        return [Path(corpus).absolute() / name for name in names]
    return [ROOT / "sample_logs"]


def sort_logs(logs: Iterable[Path], expected: Expected, folder: Path) -> dict[str, Path]:
    """Copy the logs into two folders, `steady` and `changing`; those that hold any. What is there already stays."""
    wanted = {}
    for top in logs:
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file():
                inside = Path(top.name) / path.relative_to(top) if top.is_dir() else Path(path.name)
                kind = "changing" if expected.is_changing(inside.as_posix()) else "steady"
                wanted[folder / kind / inside] = path
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and path not in wanted:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    for target, path in wanted.items():
        if not (target.exists() and filecmp.cmp(path, target, shallow=False)):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return {kind: folder / kind for kind in ("steady", "changing") if (folder / kind).exists()}


def fingerprint(folder: Path, *more: object) -> str:
    """A name for what is asked of some logs: paths, contents and the other words."""
    digest = hashlib.blake2b(json.dumps([str(each) for each in more]).encode(), digest_size=8)
    digest.update((HERE / "dump.py").read_bytes())
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def dump(package: Path, logs: Path, out: Path, options: Sequence[str]) -> None:
    """Have a version, in a process of its own, read logs and write its answers into a folder."""
    shutil.rmtree(out, ignore_errors=True)
    started = perf_counter()
    environment = {**os.environ, "RAILBIRD_COMPILE": "1"}
    environment.pop("RAILBIRD_STORE", None)
    if package != ROOT:
        environment |= {"PYTHONPATH": str(package.parent), "RAILBIRD_CACHE": str(package.parent / "cache")}
        (package.parent / "cache").mkdir(mode=0o700, exist_ok=True)
    words = [
        str(HERE / "dump.py"),
        "--package",
        str(package),
        "--store",
        str(out / "store"),
        "--out",
        str(out),
    ]
    done = subprocess.run(
        [sys.executable, *words, *options, "--", *map(str, sorted(logs.iterdir()))],
        cwd=logs,
        env=environment,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{package} could not answer")
    (out / "done").touch()
    print(
        f"{package.parent.name}: {logs.name} logs read and asked in {perf_counter() - started:.0f} s",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", default=YARDSTICK, metavar="COMMIT")
    parser.add_argument("--only", nargs="+", type=Path, metavar="PATH", help="read these logs instead")
    parser.add_argument("--together", action="store_true", help="read all logs into one store")
    parser.add_argument("--views", nargs="+", metavar="NAME", help="compare these relations and views alone")
    parser.add_argument(
        "--report", action="store_true", help="also the report's pages; takes long on many logs"
    )
    parser.add_argument(
        "--list", type=Path, default=HERE / "expected.toml", help="the differences that are meant"
    )
    parser.add_argument(
        "--build",
        type=Path,
        default=BUILD,
        help="where the older version, its answers and copies of logs are",
    )
    given = parser.parse_args()
    build: Path = given.build.absolute()
    commit = commit_of(given.old)
    expected = read_expected(given.list.read_text(encoding="utf-8"))
    logs = [path.absolute() for path in given.only] if given.only else default_logs()
    groups = {"all": logs} if given.together else {path.name: [path] for path in logs}
    compared = Compared()
    differences = 0
    for group, tops in groups.items():
        for kind, folder in sort_logs(tops, expected, build / "logs" / group).items():
            views = given.views or (["*"] if kind == "steady" else list(RELATIONS))
            options = ["--views", *views]
            options += ["--commands"] if kind == "steady" else []
            options += ["--report"] if kind == "steady" and (given.report or REPORT in views) else []
            old = build / commit / "answers" / fingerprint(folder, *options)
            if not (old / "done").exists():
                dump(package_of(commit, build), folder, old, options)
            new = BUILD / "answers" / group / kind
            dump(ROOT, folder, new, options)
            compared.logs += sum(path.is_file() for path in folder.rglob("*"))
            for difference in compare_folders(old, new, expected, group, kind, compared):
                print(f"{group}, {kind}: {difference}", flush=True)
                differences += 1
    for entry in expected.entries:
        if entry.found:
            print(f"expected, {entry.found} rows: {entry}")
    for entry in expected.stale:
        print(f"on the list, but nothing differs so: {entry}")
    print(f"compared: {compared}")
    print(f"{differences} differences that are not on the list")
    return 1 if differences or expected.stale else 0


if __name__ == "__main__":
    sys.exit(main())
