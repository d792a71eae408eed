"""axe-core on a page: what keeps people who hear it, enlarge it, or do not tell its colours apart from reading it."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final

Screens = Sequence[tuple[int, str]]
"""Widths of the window and colour schemes."""
SCREENS: Final = ((1400, "light"), (1400, "dark"), (390, "light"), (390, "dark"))
TWO: Final = (SCREENS[0], SCREENS[3])
"""Enough for pages whose parts others have, too: no rule of axe's asks for both the width and the scheme."""
_THIN = """() => {
  for (const node of document.querySelectorAll(".closed")) node.classList.remove("closed");
  for (const body of document.querySelectorAll("tbody")) {
    const seen = new Map();
    for (const row of [...body.rows]) {
      const cells = [...row.querySelectorAll("*")].map((node) => `${node.tagName}.${node.getAttribute("class") ?? ""}`);
      const look = `${row.className} ${[...new Set(cells)].sort().join(" ")}`;
      seen.set(look, (seen.get(look) ?? 0) + 1);
      if (seen.get(look) > 1 && body.rows.length > 8) row.remove();
    }
  }
  const cells = new Set();
  for (const cell of document.querySelectorAll(".grid td")) {
    if (cells.has(cell.className)) cell.remove();
    cells.add(cell.className);
  }
}"""
"""Opens all tabs; of rows and cells that are made of the same elements one is enough, for each costs milliseconds."""
_RUN = """() => axe.run(document, { resultTypes: ["violations"], preload: false }).then((found) => found.violations
  .filter((one) => ["serious", "critical"].includes(one.impact)).flatMap((one) => one.nodes.map((node) =>
    `${one.id}: ${node.target.join(" ")}: ${[...node.any, ...node.all].map((each) => each.message).join("; ")}`)))"""


def complaints(page: Any, screens: Screens = SCREENS) -> list[str]:
    """What axe-core calls serious or critical in a page as it is, on each screen; rows of tables are taken away."""
    page.evaluate(_THIN)
    # Curves come in place of their pictures.
    page.locator("figure[data-curves]:not(.charted)").wait_for(state="detached")
    # As the debugger, past the content policy of the page.
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = []
    for width, scheme in screens:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        found += [f"{width} {scheme}: {said}" for said in page.evaluate(_RUN)]
    return found
