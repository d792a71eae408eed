"""The files of a report, read back, and logs to compare reports on."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any


def unpacked(text: str) -> Any:
    """What a chunk file of `reports.pages.matches` holds."""
    inner = text.rpartition(',"')[2].removesuffix('");\n')
    return json.loads(zlib.decompress(base64.b64decode(inner), -zlib.MAX_WBITS))


def texts(folder: Path) -> dict[str, str]:
    """All files that a report writes as text, hands and curves decoded; PNGs show what SVGs say."""
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if path.suffix == ".png" or name.startswith("assets/"):
            continue
        found[name] = path.read_text(encoding="utf-8")
        if name.startswith("hands/") or name.endswith(".js"):
            found[name] = json.dumps(unpacked(found[name]), ensure_ascii=False)
    return found


def swapped(log: str) -> str:
    """The same match with the hole cards of the two players exchanged in each hand that ends by a fold."""

    def hand(text: str) -> str:
        dealt = re.findall(r"dealt (\[.*?\])", text)
        if "shows" in text or len(dealt) != 2:
            return text
        other = iter(reversed(dealt))
        return re.sub(r"dealt \[.*?\]", lambda _: f"dealt {next(other)}", text)

    return "\n\n".join(map(hand, log.split("\n\n")))
