"""What a match is known by: hashes of its text as far as its first lines, to its last complete hand, and whole."""

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..parsers import events
from ..parsers.dialect import MatchText
from ..parsers.reading import Scanned
from ..replay.outcome import Outcome
from .index import StoredMatch

_HEAD_LINES = 4
"""Lines after the one that opens the first hand; no hand of several lines is shorter."""
_CR = 13
_BLANK = b" \t\r\n\v\f\xef\xbb\xbf"
BLANKS = 64
"""Bytes of a match in which blank lines before it are looked for."""
_OPENS_BY = 64
"""Events by which the first hand of a match has mostly begun."""


def path_id(path: str) -> int:
    """What a file goes by that could not be opened: a hash of its path, as shown."""
    return xxhash.xxh3_64_intdigest(f"unopened {path}".encode())


def blanks_in(opening: bytes) -> int:
    """Bytes before the first line with something in it of a match's first BLANKS: blank lines, a byte order mark."""
    return len(opening) - len(opening.lstrip(_BLANK))


def line_end(text: bytes, at: int, last: int) -> int:
    """Where a line ends; `last` is its match's end: the next file's text follows at once."""
    end = text.find(b"\n", at, last)
    return last if end < 0 else end


def identify(
    text: bytes, match: MatchText, scanned: Scanned, place: int, outcome: Outcome, file_id: int
) -> StoredMatch:
    """The keys of a match (docs/schema.md); its id is 0 where no hand is complete."""
    # A note or a merge marker above a match is none of it.
    start, found = max(match.start, match.opening), scanned.events
    whole = memoryview(text)[start : match.end]
    # A copy with other line ends, with other blank lines before it, or a byte order mark, is the same match.
    blank = blanks_in(text[start : start + BLANKS])
    # One byte is found eighty times as fast as two.
    by_crlf = text.find(b"\r", start, match.end) >= 0
    match_id = head = 0
    hashed, at = xxhash.xxh3_64(), blank
    if outcome.hands:
        first = int(scanned.first_event[place])
        # Each of the three texts begins with the one before.
        digests = []
        for k in (_head(found.codes, first, outcome.last_event), outcome.last_event):
            end = line_end(text, int(found.starts[k]), match.end) - start
            if by_crlf:
                end -= whole[end - 1] == _CR
                hashed.update(bytes(whole[at:end]).replace(b"\r\n", b"\n"))
            else:
                hashed.update(whole[at:end])
            digests.append(hashed.intdigest())
            at = end
        head, match_id = digests
    size = len(whole)
    # A shorter version may end in blank lines that the longer one does not have there.
    while size and whole[size - 1] in _BLANK:
        size -= 1
    if by_crlf or blank or size < at:
        hashed, at = xxhash.xxh3_64(), 0
    hashed.update(whole[at:size])
    return StoredMatch(
        match_id=match_id,
        file_id=file_id,
        hands=outcome.hands,
        complete=outcome.complete,
        head_hash=head,
        text_bytes=size,
        text_hash=hashed.intdigest(),
    )


def _head(codes: NDArray[np.uint8], first: int, last: int) -> int:
    """The event in whose line the head of a match ends, however many hands follow."""
    opening = first + _opening(codes[first : last + 1])
    if codes[opening] in events.HAND_IN_A_LINE:
        return opening
    return min(opening + _HEAD_LINES, last)


def _opening(codes: NDArray[np.uint8]) -> int:
    """The event that opens a match's first hand: among its first, or somewhere."""
    for some in (codes[:_OPENS_BY].tobytes(), codes.tobytes()):
        found = [at for at in map(some.find, events.OPENS_HAND) if at >= 0]
        if found:
            break
    return min(found)
