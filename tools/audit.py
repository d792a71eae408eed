"""`make audit`: known advisories against the pinned dependencies, their licences, and code that runs code.

Advisories are asked from OSV (osv.dev), one request for all pins; without an answer this says `not checked`. The exit
code is 1 if an advisory, a licence or a line of code is found that is not expected, else 0.
"""

import ast
import json
import os
import re
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from http.client import HTTPException
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SERVICE: Final = "https://api.osv.dev/v1/querybatch"
"""RAILBIRD_ADVISORIES names another address."""
_SECONDS: Final = 20

_FREE: Final = re.compile(
    r"\b(MIT|BSD|Apache|PSF|Python Software Foundation|ISC|Zlib|0BSD|CC0|HPND|MPL|Unlicense)\b", re.IGNORECASE
)
_CLOSED: Final = re.compile(r"\b(A?GPL|proprietary|commercial)\b", re.IGNORECASE)
_FOR_TESTS: Final = re.compile(r"extra == ['\"](test|lint|dev)['\"]")

EXPECTED: Final[Mapping[tuple[str, str], str]] = {
    ("jit/cache.py", "pickle"): "the kernel cache: from a folder of the user's only (SECURITY.md)",
    ("reports/plots.py", "pickle"): "to the command's own process that draws",
    ("variants/registry.py", "exec"): "a file of a game that the user named",
}
"""What runs code or could: the file and the word, and why it may."""
_WORDS: Final = frozenset(("system", "popen"))
_MODULES: Final = frozenset(("pickle", "marshal", "shelve", "dill", "cloudpickle", "runpy"))
_NOT_SHIPPED: Final = frozenset(("tests", "tools", "build", "dist", "docs"))


def pins(text: str) -> dict[str, str]:
    """The versions of packages by name."""
    return dict(line.split("==") for line in text.split() if "==" in line)


def advisories(versions: Mapping[str, str], service: str) -> list[str] | None:
    """A line for each advisory; None without an answer."""
    queries = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": version}
        for name, version in versions.items()
    ]
    request = urllib.request.Request(
        service, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
            found = json.loads(answer.read())["results"]
        return [
            f"{name} {version}: {one['id']}"
            for (name, version), told in zip(versions.items(), found, strict=True)
            for one in (told or {}).get("vulns", ())
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, HTTPException):
        return None


def dependencies(name: str = "railbird") -> list[str]:
    """The packages that users install, with all extras of railbird but those of its tests."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        one = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if one in seen:
            continue
        try:
            asked = requires(one) or []
        except PackageNotFoundError:
            # For another system or Python.
            continue
        seen.add(one)
        of_ours = one == name
        for line in asked:
            if _FOR_TESTS.search(line) or ("extra ==" in line and not of_ours):
                continue
            waiting.append(re.split(r"[ ;<>=!~\[(]", line)[0])
    return sorted(seen - {name})


def licence(name: str) -> str:
    """What a package says of its licence, in a line."""
    said = metadata(name)
    classifiers = [line for line in said.get_all("Classifier") or [] if line.startswith("License ::")]
    first = [line.partition("\n")[0] for line in said.get_all("License") or []]
    return "; ".join(filter(None, [*(said.get_all("License-Expression") or []), *first, *classifiers]))


def is_free(said: str) -> bool:
    """True for a licence that lets users do with railbird what they like."""
    return bool(_FREE.search(said)) and not _CLOSED.search(said)


def running(root: Path) -> Iterator[tuple[str, int, str]]:
    """File, line and word of code in the package that runs code, or reads objects that can."""
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root)
        if name.parts[0].startswith(".") or name.parts[0] in _NOT_SHIPPED:
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            for word in _words(node):
                yield name.as_posix(), getattr(node, "lineno", 0), word


def _words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] in _MODULES)
    elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in _MODULES:
        yield str(node.module)
    elif isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Name) and called.id in ("eval", "exec"):
            yield called.id
        elif isinstance(called, ast.Attribute) and called.attr in _WORDS and _is_os(called.value):
            yield called.attr
        if any(word.arg == "shell" and not _is_false(word.value) for word in node.keywords):
            yield "shell"


def _is_os(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id == "os"


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False


def main(arguments: Sequence[str] = ()) -> int:
    """Print the three checks; returns the exit code."""
    root = Path(arguments[0]) if arguments else ROOT
    wrong = 0
    versions = pins((root / "constraints.txt").read_text(encoding="utf-8"))
    found = advisories(versions, os.environ.get("RAILBIRD_ADVISORIES") or SERVICE)
    if found is None:
        print("advisories  not checked: no answer")
    else:
        print(f"advisories  {len(found)} against {len(versions)} pinned packages")
        wrong += len(found)
        for line in found:
            print(f"  {line}")
    said = {name: licence(name) for name in dependencies()}
    odd = {name: line for name, line in said.items() if not is_free(line)}
    print(f"licences    {len(said)} packages, {len(odd)} to look at")
    wrong += len(odd)
    for name, line in odd.items():
        print(f"  {name}: {line or 'none named'}")
    lines = [one for one in running(root) if (one[0], one[2]) not in EXPECTED]
    print(f"code        {len(EXPECTED)} places that run code and are expected, {len(lines)} others")
    wrong += len(lines)
    for file, number, word in lines:
        print(f"  {file}:{number}: {word}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
