"""The house rules that a machine can check: what is tracked, what is pinned, who imports whom."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

import pytest
import yaml

from railbird.parsers import dialects

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = ROOT / "pyproject.toml"
# Each part may import those before it, and itself.
ORDER = (
    "progress",
    "schema",
    "jit",
    "parsers",
    "replay",
    "variants",
    "storage",
    "ingest",
    "watch",
    "cluster",
    "exports",
    "analytics",
    "reports",
    "cli",
    "__main__",
    "tools",
)
# Where users come in: the command line, the API, and what docs/luck.md has them import.
ENTRIES = {"railbird", "railbird.__main__", "railbird.cli", "railbird.analytics.hand_values"}
# What only a command needs that asks for the extra `dask`, `mcp` or `tui`.
OF_EXTRAS = {
    "railbird.cluster",
    "railbird.reports.assistant",
    "railbird.reports.tui",
    "railbird.storage.lease",
}
# In pieces, so that this file does not hold what it forbids.
HOSTS = ("pypi" + ".org", "python" + "hosted.org", "registry." + "npmjs", "deb." + "debian.org")
FORBIDDEN = {
    "a package registry's host": re.compile("|".join(map(re.escape, HOSTS)), re.IGNORECASE),
    "a path of one machine": re.compile(r"(?<![\w.~/-])/(?:home|root|Users|work|mnt)" + r"/\w"),
}


@cache
def files() -> tuple[Path, ...]:
    """The files git tracks or would add; without git, all that are not hidden or built."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout.decode()
        paths = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [
            path
            for path in ROOT.rglob("*")
            if not re.search(
                r"(^|/)(\.(?!ci/)[^/]*/|build/|dist/|[^/]*\.egg-info/|__pycache__/)",
                path.relative_to(ROOT).as_posix(),
            )
        ]
    found = tuple(sorted(path for path in paths if path.is_file() and not path.is_symlink()))
    assert PYPROJECT in found
    return found


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def project() -> dict[str, Any]:
    return tomllib.loads(PYPROJECT.read_text())


def requirements() -> list[str]:
    """Every requirement of the project and its extras, as written."""
    table = project()["project"]
    extras: dict[str, list[str]] = table["optional-dependencies"]
    return [*table["dependencies"], *(line for extra in extras.values() for line in extra)]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_no_file_names_a_registry_host_or_a_path_of_one_machine() -> None:
    found = []
    for path in files():
        data = path.read_bytes()
        if b"\0" in data:
            continue
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
            found += [
                f"{relative(path)}:{number}: {what}" for what, rx in FORBIDDEN.items() if rx.search(line)
            ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("line", "caught"),
    [
        ("see https://pypi" + ".org/project/x", True),
        ("open('/home" + "/ann/logs')", True),
        ("#!/usr/bin/env bash", False),
        ("https://example.invalid/home/x and ../work/x", False),
    ],
)
def test_the_search_for_forbidden_text_finds_it(line: str, caught: bool) -> None:
    assert any(rx.search(line) for rx in FORBIDDEN.values()) is caught


def test_text_is_read_and_written_as_utf8_whatever_the_locale() -> None:
    wrong = []
    for path in files():
        if path.suffix == ".py" and not relative(path).startswith("tests/"):
            calls = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call)]
            wrong += [
                f"{relative(path)}:{call.lineno}"
                for call in calls
                if getattr(call.func, "attr", "") in ("read_text", "write_text")
                and "encoding" not in {keyword.arg for keyword in call.keywords}
            ]
    assert not wrong


def test_constraints_hold_nothing_but_pins() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    wrong = [line for line in lines if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.+!]+", line)]
    assert not wrong
    names = [normal(line.partition("==")[0]) for line in lines]
    assert len(names) == len(set(names))


def test_every_requirement_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {normal(line.partition("==")[0]) for line in lines}
    wanted = {normal(re.split(r"[^\w.-]", line)[0]) for line in requirements()} - {"railbird"}
    assert wanted <= pinned


def test_every_requirement_says_why() -> None:
    text = PYPROJECT.read_text()
    silent = [
        r for r in requirements() if not re.search(rf'^\s*"{re.escape(r)}",\s+# \S', text, re.MULTILINE)
    ]
    assert not silent


def test_what_the_package_imports_is_a_dependency() -> None:
    asked = {normal(re.split(r"[^\w.-]", line)[0]) for line in project()["project"]["dependencies"]}
    provided = packages_distributions()
    undeclared = set()
    for name, path in modules().items():
        if name in OF_EXTRAS:
            continue
        for node in imports(path):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            tops = {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"railbird"}
            undeclared |= {top for top in tops if not {*map(normal, provided.get(top, [top]))} & asked}
    assert not undeclared


def test_ci_runs_every_python_that_the_classifiers_name() -> None:
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project()["project"]["classifiers"]))
    assert named[0] == project()["project"]["requires-python"].removeprefix(">=")
    github = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]
    gitlab = yaml.safe_load((ROOT / ".gitlab-ci.yml").read_text())["suite"]
    assert github["suite"]["strategy"]["matrix"]["python"] == named
    assert gitlab["parallel"]["matrix"] == [{"PYTHON_VERSION": named}]
    for steps in (github["suite"]["steps"], [{"run": line} for line in gitlab["script"]]):
        assert any("bash .ci/run" in step.get("run", "") for step in steps)
    assert set(re.findall(r"python(3\.\d+)", str(github["release"]))) == set(named)


def test_every_folder_of_code_but_the_tools_is_packaged() -> None:
    folders = {name for name, path in modules().items() if path.name == "__init__.py"}
    assert folders - {"railbird.tools"} == set(project()["tool"]["setuptools"]["packages"])


def test_what_is_packaged_is_reached_from_where_users_come_in() -> None:
    known = modules()
    # Translators of records are loaded by the names that their dialects have.
    named = {
        f"railbird.parsers.{one.records.module}" for one in dialects.dialects() if one.records is not None
    }
    reached, todo = set[str](), ENTRIES | named
    while todo:
        name = todo.pop()
        reached.add(name)
        targets = {target for _, target in imported(name, known[name], set(known))}
        todo |= (targets | ({name.rpartition(".")[0]} & known.keys())) - reached
    assert {name for name in known if part(name) != "tools"} == reached


def test_links_between_pages_lead_somewhere() -> None:
    broken = [
        f"{relative(page)}: {target}"
        for page in files()
        if page.suffix == ".md"
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text())
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not broken, "\n".join(broken)


def test_every_row_of_a_table_stands_below_its_head() -> None:
    astray = []
    for page in files():
        if page.suffix == ".md":
            lines = ["", *page.read_text().splitlines(), ""]
            astray += [
                f"{relative(page)}:{number}"
                for number, line in enumerate(lines[1:-1], 1)
                if line.startswith("|") and not lines[number - 1].startswith("|")
                if not re.fullmatch(r"\|( *:?-+:? *\|)+", lines[number + 1])
            ]
    assert not astray, "\n".join(astray)


@cache
def modules() -> dict[str, Path]:
    """Full dotted name to file, for every module of the package."""
    found = {}
    for path in files():
        parts = path.relative_to(ROOT).with_suffix("").parts
        if path.suffix == ".py" and parts[0] not in ("tests", "docs"):
            found[".".join(("railbird", *parts)).removesuffix(".__init__")] = path
    return found


@cache
def imports(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The import statements of a file, wherever in the file."""
    nodes = ast.walk(ast.parse(path.read_bytes()))
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def imported(name: str, path: Path, known: set[str]) -> Iterator[tuple[int, str]]:
    """Line and full name of each railbird module that a file imports, wherever in the file.

    `from .. import __version__` is not counted: the root is always there first, and its other names are lazy.
    """
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in imports(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if a.name.split(".")[0] == "railbird")
        else:
            base = resolve_name("." * node.level + (node.module or ""), package)
            if base.split(".")[0] == "railbird":
                for alias in node.names:
                    inner = f"{base}.{alias.name}"
                    if base != "railbird" or not alias.name.startswith("__"):
                        yield node.lineno, inner if inner in known else base


def part(name: str) -> str:
    """The folder or root module that a module belongs to; the root itself is the empty string."""
    return name.split(".")[1] if "." in name else ""


def test_every_part_of_the_package_has_its_place_in_the_order() -> None:
    assert {part(name) for name in modules()} - {""} <= set(ORDER)


def test_dependencies_point_one_way() -> None:
    upward, known = [], set(modules())
    for name, path in modules().items():
        if not part(name):
            continue
        lower = ORDER[: ORDER.index(part(name)) + 1]
        for line, target in imported(name, path, known):
            # The root's lazy names reach as high as the command line.
            if (part(target) or "cli") not in lower:
                upward.append(f"{relative(path)}:{line} imports {target}")
    assert not upward, "\n".join(upward)


# A game owns its differences: nothing asks for one by its name. What these lines hold are words that share one: columns
# and kinds of rows (`matches.permutation`, the actions `swap` and `auction`), a rule, an id of a page, tables of
# `stats --show`; and the ACPC dealer's dialect with the prefix of games that are defined by a file. The figures may
# only fall.
GAMES = "bounty|river-of-blood|blotto|auction|toss|swap|permutation|koper|kuhn|acpc|holdem-mit"
GAMES += "|build4good|tacs|hpi|husky|poker-camp"
# Also as the beginning of a name or of a pattern: `like 'acpc/%'`.
GAME_NAMES = re.compile(rf"""['"](?:{GAMES})(?:['"/]|%['"])""")
# The games' own room, and tools, which ship with nothing.
OF_A_GAME = re.compile(r"(variants|tools|tests|docs)/")
LANGUAGES = {".py": "Python", ".sql": "SQL", ".js": "JavaScript", ".html": "templates", ".css": "templates"}
MOST_GAME_NAMES = {
    ("analytics", "Python"): 1,
    ("analytics/sql", "SQL"): 2,
    ("analytics/sql/audit", "SQL"): 1,
    ("parsers", "Python"): 1,
    ("replay", "Python"): 1,
    ("replay/acpc", "Python"): 2,
    ("replay/heads_up", "Python"): 1,
    ("reports", "Python"): 3,
    ("reports/templates", "JavaScript"): 1,
    ("reports/templates", "templates"): 1,
    ("schema", "Python"): 2,
}


def lines_with_games() -> dict[tuple[str, str], list[str]]:
    """Lines that name a game outside the games' own modules, by folder and language."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in files():
        name = relative(path)
        if path.suffix in LANGUAGES and not OF_A_GAME.match(name):
            group = found.setdefault((name.rpartition("/")[0] or ".", LANGUAGES[path.suffix]), [])
            lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            group += [f"{name}:{number}: {line.strip()}" for number, line in lines if GAME_NAMES.search(line)]
    return found


def test_fewer_and_fewer_lines_ask_for_a_game_by_its_name() -> None:
    found = lines_with_games()
    assert {*MOST_GAME_NAMES} <= found.keys(), "a folder is gone: drop its figure"
    more = [
        line for place, lines in found.items() if len(lines) > MOST_GAME_NAMES.get(place, 0) for line in lines
    ]
    assert not more, "ask for a property, not for a game:\n" + "\n".join(more)
    fewer = {place: len(found[place]) for place, most in MOST_GAME_NAMES.items() if len(found[place]) < most}
    assert not fewer, f"lower the figures, so that they stay: {fewer}"


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        ("where game = 'blotto'", True),
        ("where game like 'acpc/%'", True),
        ("where game like 'acpc%'", True),
        ('if (hand.game === "holdem-mit") {', True),
        ("{% if game == 'koper' %}", True),
        ("from blotto_tendencies", False),
        ("'the auction of a hand'", False),
        ("'swapped'", False),
    ],
)
def test_the_search_for_games_names_finds_them(line: str, asks: bool) -> None:
    assert bool(GAME_NAMES.search(line)) is asks


def test_no_module_imports_itself_by_a_detour() -> None:
    known = set(modules())
    graph = {
        name: {target for _, target in imported(name, path, known)} - {name, "railbird"}
        for name, path in modules().items()
        if name != "railbird"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_the_package_imports_itself_relatively() -> None:
    absolute = [
        f"{relative(path)}:{node.lineno}"
        for path in modules().values()
        for node in imports(path)
        if (isinstance(node, ast.Import) and any(a.name.startswith("railbird") for a in node.names))
        or (isinstance(node, ast.ImportFrom) and not node.level and str(node.module).startswith("railbird"))
    ]
    assert not absolute
