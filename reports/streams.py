"""Standard output and error that take any text: what their encoding lacks comes out as ASCII."""

import codecs
from io import TextIOWrapper
from typing import Final, TextIO

from ..schema.words import SUITS

SUIT_SIGNS: Final = dict(zip(SUITS, "♣♦♥♠", strict=True))

_HANDLER: Final = "railbird-ascii"
_ASCII: Final = str.maketrans(
    {
        **dict(zip("−–’·±²√…", ("-", "-", "'", ".", "+-", "2", "sqrt ", "..."), strict=True)),
        "\N{NO-BREAK SPACE}": " ",
        **{sign: suit for suit, sign in SUIT_SIGNS.items()},
        **dict(zip("▁▂▃▄▅▆▇█", "_.-=+*%#", strict=True)),
    }
)
"""The signs that railbird itself prints."""


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode(), error.end


codecs.register_error(_HANDLER, _in_ascii)


def take_any_text(stream: TextIO) -> None:
    """Let a stream write signs in ASCII, and other characters as escapes, where its encoding lacks them."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors=_HANDLER)


def take_exact_text(stream: TextIO) -> None:
    """Let a stream that is no screen write UTF-8, as all files of railbird are."""
    if isinstance(stream, TextIOWrapper) and not stream.isatty():
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
