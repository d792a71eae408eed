"""The pages of the docs site: `docs/`, and the README and its neighbours, with links as they are on the site.

`make docs` runs three steps. `python -m railbird.tools.site pages FOLDER` writes them into a new folder, MkDocs builds
the site, and `python -m railbird.tools.site finish SITE` takes out what a browser would fetch from elsewhere.
"""

import re
import sys
from pathlib import Path
from shutil import copytree, rmtree
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TOP: Final = {"README.md": "index.md", "CONTRIBUTING.md": "", "CHANGELOG.md": "", "SECURITY.md": ""}
"""Pages of the root, and their names on the site where they are others."""
WORKER: Final = re.compile(r"https?://[^\s\"'<>]+/iframe-worker/shim")
"""What Material's search loads in pages opened from a folder; tools/vendored has it, version 1.0.4 of npm's package."""
_FETCHED: Final = re.compile(
    r'<(?:script|img|iframe)[^>]* src="?https?://|<link[^>]* rel="?stylesheet[^>]*https?://'
)
_LINK: Final = re.compile(r"\[([^\][]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
_FENCED: Final = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def _target(link: str, of_root: bool) -> str | None:
    """A link of a page as it is on the site; None if it leads to a file that is no page."""
    if "://" in link:
        return link
    path = link if of_root else link.removeprefix("../") if link.startswith("../") else f"docs/{link}"
    if path in TOP:
        return TOP[path] or path
    return path.removeprefix("docs/") if path.startswith("docs/") else None


def page(text: str, of_root: bool) -> str:
    """A page's text with the site's links. A link to a file that is no page becomes its text."""

    def moved(found: re.Match[str]) -> str:
        text, link, rest = found[1], found[2], found[3] or ""
        target = _target(link, of_root)
        return text if target is None else f"[{text}]({target}{rest})"

    parts = _FENCED.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(moved, part) for part in parts)


def write(folder: Path) -> None:
    """Write all pages and pictures into a folder, which is made anew."""
    rmtree(folder, ignore_errors=True)
    copytree(ROOT / "docs", folder)
    for path in folder.glob("*.md"):
        path.write_text(page(path.read_text(encoding="utf-8"), of_root=False), encoding="utf-8")
    for name, other in TOP.items():
        text = page((ROOT / name).read_text(encoding="utf-8"), of_root=True)
        (folder / (other or name)).write_text(text, encoding="utf-8")


def finish(site: Path) -> None:
    """Let the pages of a built site load nothing from elsewhere; ValueError if one still would."""
    own = ROOT / "tools" / "vendored" / "iframe-worker"
    copytree(own, site / "assets" / "iframe-worker", dirs_exist_ok=True)
    for path in site.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        text = WORKER.sub("assets/iframe-worker/shim.js", text)
        if found := _FETCHED.search(text):
            raise ValueError(f"{path.name} fetches {found[0]}")
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    {"pages": write, "finish": finish}[sys.argv[1]](Path(sys.argv[2]))
