"""The files of a report, read back."""

import base64
import json
import zlib
from typing import Any


def unpacked(text: str) -> Any:
    """What a chunk file of `reports.pages.matches` holds."""
    inner = text.rpartition(',"')[2].removesuffix('");\n')
    return json.loads(zlib.decompress(base64.b64decode(inner), -zlib.MAX_WBITS))
