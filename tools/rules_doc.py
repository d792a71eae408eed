"""The generated tables of docs/rules-and-deviations.md: the deviations of engines, and the checks.

`python -m railbird.tools.rules_doc` writes them between the marks of the page; a test compares them with the code.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import duckdb

from .. import replay
from ..analytics.views import all_views
from ..replay import findings
from ..replay.findings import RULES, Rule
from ..replay.games import Deviation
from ..variants.mit_engine import own_stakes
from ..variants.registry import GAMES
from .schema_doc import between, table

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "rules-and-deviations.md"
DEVIATIONS: Final = (
    "<!-- Deviations: written by `python -m railbird.tools.rules_doc`. -->",
    "<!-- End of the deviations. -->",
)
CHECKS: Final = (
    "<!-- Checks: written by `python -m railbird.tools.rules_doc`. -->",
    "<!-- End of the checks. -->",
)

_ANY: Final = "GAME"
_SHARED: Final = {".", "heads_up"}
"""Folders of replay/ that several games replay by: a rule that another folder alone names is its game's own."""


def deviations() -> str:
    """The table of engines' deviations from the written rules; deviations shared by games are one row."""
    rows: dict[Deviation, None] = {}
    for game in GAMES:
        for each in game.deviations:
            rows[own_stakes(_ANY) if each == own_stakes(game.name) else each] = None
    cells = ((f"`{d.name}`", d.kind, d.since, d.until, d.effect) for d in sorted(rows, key=lambda d: d.name))
    return table(("deviation", "kind", "from", "until", "effect"), cells)


def checks() -> str:
    """The table of all rules, by aspect."""
    aspects = _aspects()
    order = list(dict.fromkeys(aspects.values()))
    rows = (
        (
            aspects[rule.name],
            f"`{rule.name}`",
            f"{rule.kind}, structure" if rule.structure else rule.kind,
            _only(rule),
            rule.message.format(logged="`logged`", expected="`expected`"),
        )
        for rule in sorted(RULES, key=lambda rule: order.index(aspects[rule.name]))
    )
    return table(("aspect", "rule", "kind", "only in", "what it says"), rows)


def page(text: str) -> str:
    """The page with both tables up to date."""
    return between(between(text, *DEVIATIONS, deviations()), *CHECKS, checks())


def _aspects() -> dict[str, str]:
    """The aspect of each rule, in the order of the view `audit_rules`."""
    query = next(view.query for view in all_views() if view.name == "audit_rules")
    with duckdb.connect() as connection:
        return dict(connection.execute(f"select rule, aspect from ({query})").fetchall())


def _only(rule: Rule) -> str:
    """The only family of games with the rule; "" if several have it."""
    number = RULES.index(rule)
    name = next(name for name, value in vars(findings).items() if type(value) is int and value == number)
    users = {part for part, used in _used().items() if name in used}
    return users.pop() if len(users) == 1 and not users & _SHARED else ""


@cache
def _used() -> dict[str, set[str]]:
    """The names of replay/findings.py that each folder of replay/ uses; "." for the files outside folders."""
    root = Path(replay.__path__[0])
    used: dict[str, set[str]] = {}
    for path in root.rglob("*.py"):
        folder = path.relative_to(root).parent.as_posix().partition("/")[0]
        used.setdefault(folder, set()).update(_names(ast.parse(path.read_bytes())))
    return used


def _names(module: ast.Module) -> Iterator[str]:
    """The names that a module imports from `findings` or uses as `findings.NAME`."""
    called: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom):
            called.update(alias.asname or alias.name for alias in node.names if alias.name == "findings")
            if (node.module or "").rpartition(".")[2] == "findings":
                yield from (alias.name for alias in node.names)
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in called:
            yield node.attr


def main(path: Path = PAGE) -> None:
    """Write the page's tables."""
    path.write_text(page(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
