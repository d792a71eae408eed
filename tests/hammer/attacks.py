"""Four attacks on the command line of a package, and what each did: planted compiled rules, a hostile store, a bomb,
a writer of a bucket that is halted while another writes.

`python tests/hammer/attacks.py --commit 09b225e` tries them on an older version, without `--commit` on this one.
"""

import argparse
import json
import os
import pickle
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from regress.run import BUILD, commit_of, package_of  # noqa: E402
from support.s3 import BUCKET, environment, serving  # noqa: E402

from hammer.bombs import BOMBS, MOST_MB  # noqa: E402 - the tests' folder comes first
from hammer.running import Ran, ran  # noqa: E402

ROOT: Final = HERE.parents[1]
_LOGS: Final = ROOT / "sample_logs" / "holdem-mit"
_KILLED_ABOVE: Final = 2000
_PATIENCE: Final = 200
_COMPILED: Final = (".nbi", ".nbc", ".kernel")


class Attack:
    """One attack on one package: `run` is its command line, in a folder of its own."""

    def __init__(self, package: Path, folder: Path, scale: float) -> None:
        """package: the folder `railbird` that is imported; scale: how large a bomb is, 1 is an attacker's"""
        self.folder, self.scale = folder, scale
        self.environment = {"PYTHONPATH": str(package.parent)}

    def run(self, *words: object, most_mb: float = 4000, **more: str) -> Ran:
        """A command in a process of its own."""
        environment = self.environment | more
        return ran(*map(str, words), folder=self.folder, most_mb=most_mb, most_seconds=300, **environment)

    def stored(self, store: object, query: str) -> Any:
        """The rows of a query, as JSON has them; what the command says where it fails."""
        found = self.run("sql", query, "--store", store, "--format", "json")
        return json.loads(found.out) if found.code == 0 else found.said.strip()


class Touch:
    """Reading its pickle makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return open, (str(self.path), "w")


def cache(attack: Attack) -> tuple[bool, str]:
    """Compiled rules in a folder that others can write to are replaced by pickles that make a file."""
    shared, trap = attack.folder / "shared", attack.folder / "trap"
    shared.mkdir(mode=0o700)
    words = ("ingest", _LOGS / "base.txt", "--store", attack.folder / "store")
    attack.run(*words, RAILBIRD_CACHE=str(shared), RAILBIRD_COMPILE="1")
    kept = [path for path in shared.rglob("*") if path.suffix in _COMPILED]
    for path in kept:
        path.write_bytes(pickle.dumps(Touch(trap)) * 2)
    shared.chmod(0o777)
    shutil.rmtree(attack.folder / "store")
    again = attack.run(*words, RAILBIRD_CACHE=str(shared), RAILBIRD_COMPILE="1")
    if not kept:
        return False, "nothing was compiled"
    if again.code and not trap.exists():
        return False, f"exit {again.code}: {again.err.strip()[-200:]}"
    return not trap.exists(), "the planted pickle ran" if trap.exists() else "the planted pickle did not run"


def store(attack: Attack) -> tuple[bool, str]:
    """Parts and folders of a store are links to what is elsewhere, or its manifest names what is outside."""
    made = attack.folder / "made"
    attack.run("ingest", _LOGS / "base.txt", "--store", made)
    followed = []
    for name in ("hands", "staging", ".lock", "manifest.json", "a name in the manifest"):
        root, there = attack.folder / "store", attack.folder / "elsewhere"
        shutil.copytree(made, root)
        if name.startswith("a name"):
            (part,) = (root / "hands").iterdir()
            shutil.copy(part, attack.folder / "elsewhere.parquet")
            text = (root / "manifest.json").read_text()
            (root / "manifest.json").write_text(text.replace(part.name, "../../elsewhere.parquet"))
            part.unlink()
        else:
            if (root / name).exists():
                (root / name).rename(there)
            elif name == ".lock":
                there.write_bytes(b"")
            else:
                there.mkdir()
            (root / name).symlink_to(there)
        codes = [
            attack.run(*words, "--store", root).code
            for words in (("bankroll",), ("ingest", _LOGS / "base.txt"))
        ]
        if 0 in codes:
            followed.append(name)
        for path in (root, there):
            shutil.rmtree(path, ignore_errors=True)
        for path in (there, attack.folder / "elsewhere.parquet"):
            path.unlink(missing_ok=True)
    if not followed:
        return True, "five stores with links, or names outside, refused"
    return False, f"followed: {', '.join(followed)}"


def bomb(attack: Attack) -> tuple[bool, str]:
    """A log with a sidecar that is a line of 800 MB."""
    logs = attack.folder / "logs"
    logs.mkdir()
    BOMBS["sidecar"](logs, attack.scale)
    found = attack.run("ingest", logs, "--store", attack.folder / "store", most_mb=_KILLED_ABOVE)
    said = f"killed above {_KILLED_ABOVE:,} MB" if found.code is None else f"{found.peak:,.0f} MB"
    if found.code not in (None, 0):
        return False, f"exit {found.code}: {found.err.strip()[-200:]}"
    return found.peak <= MOST_MB, said


class Held:
    """A way to a server on which the request that replaces a manifest waits, and with it the process that sends it."""

    def __init__(self, endpoint: str) -> None:
        host, port = endpoint.removeprefix("http://").split(":")
        self.server, self.process = (host, int(port)), 0
        self.reached, self.go = threading.Event(), threading.Event()
        self.door = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def endpoint(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.door.getsockname()[1]}"

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.door.accept()
            except OSError:
                return
            server = socket.create_connection(self.server)
            for one, other, is_asked in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._carry, args=(one, other, is_asked), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, is_asked: bool) -> None:
        # An end that is closed ends the connection.
        with one, other, suppress(OSError):
            while data := one.recv(1 << 16):
                if is_asked and re.match(rb"PUT /\S*/manifest\.json[ ?]", data) and not self.reached.is_set():
                    os.kill(self.process, signal.SIGSTOP)
                    self.reached.set()
                    self.go.wait()
                other.sendall(data)


def writers(attack: Attack) -> tuple[bool, str]:
    """A writer of a bucket is halted as it replaces the manifest; another commits; the first goes on."""
    paths = sorted(_LOGS.glob("*.txt"))[:3]
    with serving(attack.folder) as endpoint:
        root = f"s3://{BUCKET}/store"
        attack.environment |= environment(endpoint)
        attack.run("ingest", paths[0], "--store", root)
        held = Held(endpoint)
        command = [sys.executable, "-m", "railbird", "ingest", str(paths[1]), "--store", root]
        more = {"AWS_ENDPOINT_URL": held.endpoint}
        first = subprocess.Popen(
            command,
            cwd=attack.folder,
            env=os.environ | attack.environment | more,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        held.process = first.pid
        try:
            if not held.reached.wait(_PATIENCE):
                return False, "the first writer did not come to its manifest"
            second = attack.run("ingest", paths[2], "--store", root)
            held.go.set()
            first.send_signal(signal.SIGCONT)
            said = first.communicate(timeout=_PATIENCE)[1].strip()
        finally:
            if first.poll() is None:
                first.kill()
                first.wait()
            held.door.close()
        rows = attack.stored(root, "select path from files")
    if isinstance(rows, str):
        return False, f"the store cannot be read any more: {rows}"
    names = {Path(row["path"]).name for row in rows}
    ended = {paths[2].name: second.code, paths[1].name: first.returncode}
    lost = [name for name, code in ended.items() if code == 0 and name not in names]
    if second.code != 0:
        return False, f"the second could not write: {second.said.strip()}"
    if lost:
        return False, f"both ended with 0, and what was read of {', '.join(lost)} is gone"
    return True, f"the second's log is there; the first said: {said or 'nothing, its log is there too'}"


ATTACKS: Final[dict[str, Callable[[Attack], tuple[bool, str]]]] = {
    "kernel cache": cache,
    "hostile store": store,
    "bomb": bomb,
    "two writers": writers,
}


def tried(package: Path, only: Sequence[str] = (), scale: float = 1) -> dict[str, tuple[bool, str]]:
    """What each attack did to a package: True if it was in vain, and what was seen."""
    found = {}
    for name, attack in ATTACKS.items():
        if not only or name in only:
            folder = Path(tempfile.mkdtemp(prefix="attack-"))
            try:
                found[name] = attack(Attack(package, folder, scale))
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    return found


def main() -> int:
    """Print a line for each attack; 1 if one did what it should not."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--commit", help="try an older version, which is built first")
    asked.add_argument("--build", type=Path, default=BUILD)
    asked.add_argument("--only", nargs="*", default=(), choices=list(ATTACKS))
    given = asked.parse_args()
    if given.commit:
        found = tried(package_of(commit_of(given.commit), given.build.absolute()), given.only)
    else:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "railbird").symlink_to(ROOT)
            found = tried(Path(folder) / "railbird", given.only)
    for name, (is_in_vain, said) in found.items():
        print(f"{name:14} {'in vain' if is_in_vain else 'SUCCEEDED'}: {said}", flush=True)
    return int(not all(is_in_vain for is_in_vain, _ in found.values()))


if __name__ == "__main__":
    sys.exit(main())
