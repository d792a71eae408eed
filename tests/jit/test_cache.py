"""Compiled code: kept between runs, and never older than its sources."""

import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from conftest import ROOT
from numba import config

from railbird.jit import cache, compile

pytestmark = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")

LEAST = (
    "parsers/__init__.py",
    "jit/compile.py",
    "jit/cache.py",
    "jit/passes.py",
    "jit/startup.py",
    "jit/bundles.py",
    "jit/interpreted.py",
    "replay/__init__.py",
)
KERNEL = """
from ..jit.compile import kernel
from .probe_part import plus


@kernel
def probe(x):
    return plus(x)
"""
PART = """
from ..jit.compile import part


@part
def plus(x):
    return x + {}
"""
RUN = """
from railbird.jit import startup
startup.compiling.append(print)
from railbird.replay.probe import probe
from railbird.replay.probe_part import plus
print(probe(1), plus(1))
"""
# Numba code that is not railbird's calls a kernel that another kernel contains.
FOREIGN = """
import numpy as np
from numba import njit
from ..jit.compile import kernel
from .evaluator import strength_of


@kernel
def probe(cards, n, m):
    return max(strength_of(cards, n), strength_of(cards, m)) + strength_of(cards, 5)


@njit
def foreign(hands):
    out = np.empty(len(hands), np.int64)
    for k in range(len(hands)):
        out[k] = strength_of(hands[k], 7) + strength_of(hands[k], 5)
    return out
"""
RUN_FOREIGN = """
import numpy as np
from railbird.jit import startup
startup.compiling.append(print)
from railbird.replay.evaluator import strength_of
from railbird.replay.probe import foreign, probe
hands = np.random.default_rng(1).random((50, 52)).argsort(axis=1)[:, :7].astype(np.int8)
probe(hands[0], 7, 6)
due = [strength_of(hand, 7) + strength_of(hand, 5) for hand in hands]
print(foreign(hands).tolist() == due)
"""
# No file may grow beyond a KB, as on a disk without room.
RUN_FULL = f"""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
{RUN}
"""
COMPILED = "compiling the rules"
FINISHED = "first use of these rules on this machine"
DECORATED = re.compile(r"^@(kernel|part|rare|step|bundle)$", re.MULTILINE)
IMPORTED = re.compile(r"^from (\.+)([\w.]*) import", re.MULTILINE)


def own_files() -> dict[str, str]:
    """The text of each file of the package, by its name."""
    folders = [folder for folder in ROOT.iterdir() if (folder / "__init__.py").exists()]
    found = [*ROOT.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in found}


def is_source(name: str) -> bool:
    return any(name == source or name.startswith(f"{source}/") for source in cache.SOURCES)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the least of the package that compiles a kernel."""
    root = tmp_path / "railbird"
    for name in LEAST:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    (root / "__init__.py").touch()
    (root / "replay" / "probe.py").write_text(KERNEL)
    return root


def run(package: Path, machine: str = "cache", script: str = RUN, **more: str) -> list[str]:
    """The lines that a process prints, whose cache is a folder of the package's."""
    environment = os.environ | {
        "PYTHONPATH": str(package.parent),
        "RAILBIRD_CACHE": str(package.parent / machine),
        **more,
    }
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def told(lines: list[str]) -> list[str]:
    """What each line begins with, of those about compiling."""
    return [words for line in lines for words in (COMPILED, FINISHED) if line.startswith(words)]


def compiled(package: Path) -> dict[str, int]:
    files = (package.parent / "cache").rglob("*.nbc")
    return {path.as_posix(): path.stat().st_mtime_ns for path in files}


def test_machine_code_is_kept_until_a_part_of_it_is_edited(package: Path) -> None:
    part = package / "replay" / "probe_part.py"
    part.write_text(PART.format(1))
    assert run(package)[-1] == "2 2"
    first = compiled(package)
    assert len(first) == 1
    assert run(package) == ["2 2"]
    assert compiled(package) == first
    part.write_text(PART.format(10))
    assert run(package)[-1] == "11 11"
    assert len(compiled(package)) == 2


def test_all_that_kernels_are_made_of_is_among_the_sources() -> None:
    files = own_files()
    decorated = {name for name, text in files.items() if DECORATED.search(text)}
    assert {name.partition("/")[0] for name in decorated} == {"analytics", "parsers", "replay"}
    assert len(decorated) > 40
    assert {name for name in decorated if not is_source(name)} == set()
    for name in decorated:
        for dots, module in IMPORTED.findall(files[name]):
            imported = (ROOT / name).parents[len(dots) - 1].joinpath(*module.split(".")).relative_to(ROOT)
            assert is_source(imported.as_posix()) or is_source(f"{imported.as_posix()}.py"), (name, module)


@pytest.mark.parametrize("source", cache.SOURCES)
def test_an_edit_of_any_source_is_another_hash(source: str, tmp_path: Path) -> None:
    path = tmp_path / source if source.endswith(".py") else tmp_path / source / "some.py"
    path.parent.mkdir(parents=True)
    hashes = {cache.sources_hash(tmp_path)}
    for text in ("one", "two"):
        path.write_text(text)
        hashes.add(cache.sources_hash(tmp_path))
    assert len(hashes) == 3


def test_old_machine_code_is_swept_away(package: Path) -> None:
    for number in range(6):
        (package / "replay" / "probe_part.py").write_text(PART.format(number))
        assert run(package)[-1] == f"{1 + number} {1 + number}"
    assert len(list((package.parent / "cache").glob("kernels-*"))) <= 4
    assert len(list((package / "kernels").iterdir())) <= 4


@pytest.fixture
def compiled_elsewhere(package: Path) -> Path:
    """The package with the bitcode of its kernel, as a wheel has it."""
    (package / "replay" / "probe_part.py").write_text(PART.format(1))
    assert told(run(package, "elsewhere")) == [COMPILED]
    assert len(list((package / "kernels").rglob("*.kernel"))) == 1
    return package


# "generic" has none of this machine's newer instructions.
@pytest.mark.parametrize("processor", ["", "generic"])
def test_bitcode_is_finished_for_a_machine_once(compiled_elsewhere: Path, processor: str) -> None:
    options = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""} if processor else {}
    first = run(compiled_elsewhere, **options)
    assert told(first) == [FINISHED]
    assert first[-1] == "2 2"
    assert run(compiled_elsewhere, **options) == ["2 2"]


def test_a_kernel_inside_another_stays_what_it_is_for_others(package: Path) -> None:
    (package / "schema").mkdir()
    for name in ("replay/evaluator.py", "replay/cards.py", "schema/__init__.py", "schema/words.py"):
        shutil.copy(ROOT / name, package / name)
    (package / "replay" / "probe.py").write_text(FOREIGN)
    for machine, said in (("elsewhere", COMPILED), ("cache", FINISHED)):
        lines = run(package, machine, RUN_FOREIGN)
        assert said in told(lines)
        assert lines[-1] == "True"


def test_a_disk_without_room_costs_the_cache_alone(compiled_elsewhere: Path) -> None:
    lines = run(compiled_elsewhere, "full", RUN_FULL)
    assert told(lines)[-1] == COMPILED
    assert lines[-1] == "2 2"
    assert told(run(compiled_elsewhere, "full")) == [FINISHED]


@pytest.mark.parametrize("garbage", [b"", b"\0" * 99, b"not a pickle\n"])
def test_damaged_bitcode_is_made_again(compiled_elsewhere: Path, garbage: bytes) -> None:
    [path] = (compiled_elsewhere / "kernels").rglob("*.kernel")
    whole = path.read_bytes()
    for damaged in (garbage, whole[: len(whole) // 2]):
        path.write_bytes(damaged)
        shutil.rmtree(compiled_elsewhere.parent / "cache", ignore_errors=True)
        lines = run(compiled_elsewhere)
        assert f"{path} was changed or damaged: it is not loaded" in lines
        assert told(lines)[-1] == COMPILED
        assert lines[-1] == "2 2"
        assert len(path.read_bytes()) == len(whole)


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_damaged_machine_code_is_made_again(ending: str, package: Path) -> None:
    (package / "replay" / "probe_part.py").write_text(PART.format(1))
    assert run(package)[-1] == "2 2"
    (path,) = (package.parent / "cache").rglob(f"*{ending}")
    whole = path.read_bytes()
    for damaged in (b"", b"\0" * 99, whole[: len(whole) // 2]):
        path.write_bytes(damaged)
        lines = run(package)
        assert lines[0].startswith("compiled rules in ")
        assert lines[0].endswith(" are damaged: they are made again")
        assert told(lines) == [FINISHED]
        assert lines[-1] == "2 2"
        assert run(package) == ["2 2"]
        (path,) = (package.parent / "cache").rglob(f"*{ending}")


def test_a_wheel_takes_the_bitcode_along(compiled_elsewhere: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    taken = project["tool"]["setuptools"]["package-data"]["railbird"]
    [path] = (compiled_elsewhere / "kernels").rglob("*.kernel")
    for needed in (path, path.parent / cache.HASHES):
        assert needed.exists()
        assert any(needed.relative_to(compiled_elsewhere).match(pattern) for pattern in taken)


def test_a_command_says_that_a_first_use_takes_longer(tmp_path: Path, sample_logs: Path) -> None:
    log = min((sample_logs / "bounty").glob("*.txt"))
    command = [sys.executable, "-m", "railbird", "ingest", str(log), "--store", str(tmp_path / "store")]
    own = os.environ | {"RAILBIRD_CACHE": str(tmp_path / "cache")}
    first, again = (
        subprocess.run(command, env=own, check=True, capture_output=True, text=True).stderr for _ in range(2)
    )
    lines = first.splitlines()
    assert 1 <= len(lines) <= 2
    assert all(line.removeprefix("railbird: ").startswith((COMPILED, FINISHED)) for line in lines)
    assert again == ""


def test_bitcode_of_other_sources_is_not_used(compiled_elsewhere: Path) -> None:
    (compiled_elsewhere / "replay" / "probe_part.py").write_text(PART.format(10))
    lines = run(compiled_elsewhere)
    assert told(lines) == [COMPILED]
    assert lines[-1] == "11 11"


def test_a_kernel_outside_railbird_is_known_by_the_files_of_its_package(tmp_path: Path) -> None:
    kernel, part = tmp_path / "kernel.py", tmp_path / "part.py"
    kernel.write_text("kernel")
    part.write_text("part")

    def known() -> bytes:
        return cache._own_sources.__wrapped__(str(kernel))

    alone = known()
    part.write_text("another part")
    assert known() == alone
    (tmp_path / "__init__.py").touch()
    packed = known()
    part.write_text("part")
    assert len({alone, packed, known()}) == 3
    own = ROOT / "replay" / "evaluator.py"
    assert cache._own_sources.__wrapped__(str(own)) == own.read_bytes()


def test_bitcode_names_no_folder_of_the_machine(compiled_elsewhere: Path) -> None:
    [path] = (compiled_elsewhere / "kernels").rglob("*.kernel")
    assert str(compiled_elsewhere).encode() not in path.read_bytes()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's temporary folder of machine code is to be."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / f"railbird-{os.getuid()}"


def test_machine_code_in_a_temporary_folder_is_the_users_alone(temporary: Path) -> None:
    assert cache._temporary() == temporary
    assert temporary.stat().st_mode & 0o777 == 0o700
    assert cache._temporary() == temporary


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o755])
def test_a_temporary_folder_that_others_can_write_to_is_not_used(temporary: Path, mode: int) -> None:
    temporary.mkdir()
    temporary.chmod(mode)
    own = cache._temporary()
    assert own.is_dir()
    assert own != temporary


def test_nor_is_a_link(temporary: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    temporary.symlink_to(tmp_path / "elsewhere")
    assert cache._temporary() not in (temporary, tmp_path / "elsewhere")


def test_nor_is_another_users(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    taken = temporary.with_name(f"railbird-{other}")
    taken.mkdir(mode=0o700)
    assert cache._temporary() != taken


class Touch:
    """Reading its pickle makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return open, (str(self.path), "w")


def plant(folder: Path, trap: Path) -> list[Path]:
    """Put a pickle that makes the file `trap` in the place of everything that was compiled."""
    kept = [path for path in folder.rglob("*") if path.suffix in (".nbi", ".nbc", ".kernel")]
    for path in kept:
        # An index of Numba's begins with a pickle of its version.
        path.write_bytes(pickle.dumps(Touch(trap)) * 2)
    return kept


def ran(package: Path, trap: Path, temporary: Path, **more: str) -> list[str]:
    """The lines that a process prints; the trap did not go off."""
    temporary.mkdir(mode=0o700, exist_ok=True)
    lines = run(package, TMPDIR=str(temporary), **more)
    assert lines[-1] == "2 2"
    assert not trap.exists()
    return lines


NOT_TAKEN = re.compile(r"compiled rules in (.*) are not used: (.*); others are kept in (.*)")


@pytest.fixture
def planted(package: Path, tmp_path: Path) -> Path:
    """A cache whose entries make the file `trap` when they are read, and a package without bitcode."""
    (package / "replay" / "probe_part.py").write_text(PART.format(1))
    run(package)
    shutil.rmtree(package / "kernels")
    assert plant(tmp_path / "cache", tmp_path / "trap")
    return tmp_path / "cache"


def test_a_planted_entry_does_run_where_nothing_forbids_it(
    planted: Path, package: Path, tmp_path: Path
) -> None:
    """Else the tests below would show nothing."""
    environment = os.environ | {"PYTHONPATH": str(package.parent), "RAILBIRD_CACHE": str(planted)}
    subprocess.run([sys.executable, "-c", RUN], env=environment, check=False, capture_output=True)
    assert (tmp_path / "trap").exists()


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o755])
def test_nothing_is_taken_from_a_folder_that_others_share(
    mode: int, planted: Path, package: Path, tmp_path: Path
) -> None:
    planted.chmod(mode)
    lines = ran(package, tmp_path / "trap", tmp_path / "temporary")
    (said,) = (found for found in map(NOT_TAKEN.match, lines) if found)
    assert said[1] == str(planted)
    assert said[2] == f"its mode is {mode:04o}, not 0700"
    # What is compiled instead is kept, and the folder is named once a process.
    again = ran(package, tmp_path / "trap", tmp_path / "temporary")
    assert [bool(NOT_TAKEN.match(line)) for line in again] == [True, False]


def test_nor_from_one_in_a_folder_that_others_can_write_to(
    planted: Path, package: Path, tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    planted.rename(shared / "cache")
    shared.chmod(0o777)
    lines = ran(package, tmp_path / "trap", tmp_path / "temporary", RAILBIRD_CACHE=str(shared / "cache"))
    assert f"compiled rules in {shared / 'cache'} are not used: others can write to {shared}" in lines[0]
    # In a folder such as /tmp others cannot rename what is not theirs.
    shared.chmod(0o1777)
    shutil.rmtree(shared / "cache")
    (tmp_path / "temporary").rename(tmp_path / "unused")
    own = ran(package, tmp_path / "trap", tmp_path / "temporary", RAILBIRD_CACHE=str(shared / "cache"))
    assert not any(map(NOT_TAKEN.match, own))


@pytest.mark.parametrize("above", [False, True])
def test_nor_through_a_link(above: bool, planted: Path, package: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path if above else planted)
    chosen = link / "cache" if above else link
    lines = ran(package, tmp_path / "trap", tmp_path / "temporary", RAILBIRD_CACHE=str(chosen))
    assert lines[0].startswith(f"compiled rules in {chosen} are not used: {link} is a link; ")


def test_nor_through_a_link_within(planted: Path, package: Path, tmp_path: Path) -> None:
    (room,) = planted.iterdir()
    room.rename(tmp_path / "elsewhere")
    room.symlink_to(tmp_path / "elsewhere")
    lines = ran(package, tmp_path / "trap", tmp_path / "temporary")
    assert lines[0].startswith(f"compiled rules in {planted} are not used: {room} is a link; ")


def test_nor_from_another_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    assert cache._unsafe(folder) == ""
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    assert cache._unsafe(folder).endswith(" belongs to another user")


def test_the_users_own_cache_folder_is_closed_to_others(package: Path, tmp_path: Path) -> None:
    (package / "replay" / "probe_part.py").write_text(PART.format(1))
    own = tmp_path / "home" / "railbird"
    own.mkdir(parents=True)
    own.chmod(0o755)
    lines = run(package, RAILBIRD_CACHE="", XDG_CACHE_HOME=str(tmp_path / "home"))
    assert not any(map(NOT_TAKEN.match, lines))
    assert own.stat().st_mode & 0o777 == 0o700
    assert list(own.rglob("*.nbc"))


def test_bitcode_of_the_package_that_was_changed_is_compiled_anew(
    compiled_elsewhere: Path, tmp_path: Path
) -> None:
    trap = tmp_path / "trap"
    (path,) = plant(compiled_elsewhere / "kernels", trap)
    lines = ran(compiled_elsewhere, trap, tmp_path / "temporary")
    assert told(lines) == [COMPILED]
    # It was written again, with its hash, and is taken from then on.
    assert told(
        ran(compiled_elsewhere, trap, tmp_path / "temporary", RAILBIRD_CACHE=str(tmp_path / "b"))
    ) == [FINISHED]
    # One without a hash is none.
    (path.parent / cache.HASHES).unlink()
    plant(compiled_elsewhere / "kernels", trap)
    lines = ran(compiled_elsewhere, trap, tmp_path / "temporary", RAILBIRD_CACHE=str(tmp_path / "c"))
    assert told(lines) == [COMPILED]


def test_a_package_that_cannot_be_written_is_compiled_all_the_same(package: Path) -> None:
    (package / "replay" / "probe_part.py").write_text(PART.format(1))
    (package / "kernels").write_text("no folder")
    assert told(run(package)) == [COMPILED]
    assert run(package) == ["2 2"]


def test_two_threads_never_see_an_empty_cache_folder() -> None:
    """The end of one thread's choice took the folder from another's: its pickles went to the current folder."""
    inside, leave, seen = Event(), Event(), list[str]()

    def other() -> None:
        with compile._cache_here():
            inside.set()
            leave.wait(60)
            seen.append(str(vars(config)["CACHE_DIR"]))

    thread = Thread(target=other)
    with compile._cache_here():
        thread.start()
        inside.wait(0.2)
    leave.set()
    thread.join()
    assert seen == [str(cache.cache_folder())]


def test_kernels_that_check_their_indices_are_kept_apart(tmp_path: Path) -> None:
    told = "from railbird.jit import cache as c; print(c.sources_hash(), c.bitcode_folder())"
    tmp_path.chmod(0o700)
    environment = os.environ | {"RAILBIRD_CACHE": str(tmp_path), "NUMBA_BOUNDSCHECK": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", told], env=environment, capture_output=True, text=True, check=True
    )
    checked, folder = ran.stdout.split()
    assert checked != cache.sources_hash()
    assert folder == "None"
