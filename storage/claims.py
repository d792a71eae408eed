"""Which matches of an ingest are new: a match is stored once, and only its own longer version replaces it."""

import threading
from dataclasses import dataclass
from enum import Enum

import xxhash

from .identity import BLANKS, blanks_in
from .index import Index, StoredMatch

_BEFORE = (b"", b"\n", b"\r\n")
"""What may stand before a match, as before Koper's first, or not where logs were joined."""


class Claim(Enum):
    """What becomes of a match that an ingest has read."""

    NEW = "new"
    KNOWN = "known"
    LATER = "later"


@dataclass(frozen=True)
class Answer:
    """The claim's outcome; `known` is the stored match that holds these hands, `replaced` what it replaces.

    LATER: another version may have been read by the same ingest and must reach the store first.
    """

    claim: Claim
    known: StoredMatch | None = None
    replaced: tuple[StoredMatch, ...] = ()


class Claims:
    """The matches of a store and of the ingest under way; safe to ask from several threads."""

    def __init__(self, index: Index) -> None:
        """Start from what the store holds."""
        self.index = index
        self._lock = threading.Lock()

    def claim(
        self,
        match: StoredMatch,
        text: memoryview,
        anew: bool = False,
    ) -> Answer:
        """Enter a match unless the store holds its hands.

        text       the match's whole text
        anew       more is known of it than its text says: it replaces itself, too
        """
        with self._lock:
            same = self.index.match(match.match_id)
            shorter = [m for m in self.index.relatives(match.head_hash) if _grew(m, match, text)]
            if anew and same is not None and same.batch and same not in shorter:
                shorter.append(same)
            if any(not m.batch for m in shorter):
                return Answer(Claim.LATER)
            if same is not None and same not in shorter:
                return Answer(Claim.KNOWN, same)
            for old in shorter:
                self.index.remove(old)
            self.index.add(match)
            return Answer(Claim.NEW, replaced=tuple(shorter))


def _grew(old: StoredMatch, new: StoredMatch, text: memoryview) -> bool:
    """True where the new version says more than the old one and begins with its whole text."""
    if new.text_hash == old.text_hash or (end := _end_of(old, text)) is None:
        return False
    more = new.hands > old.hands or (new.complete and not old.complete)
    # What follows the end, such as final bankrolls, says something of all hands.
    return more or (new.hands == old.hands and new.complete and bool(bytes(text[end:]).strip()))


def _end_of(old: StoredMatch, text: memoryview) -> int | None:
    """Where an older version's text ends in one that begins with all of it, whatever blank lines each has before it."""
    blank = blanks_in(bytes(text[:BLANKS]))
    for before in {bytes(text[:blank]), *_BEFORE}:
        size = blank + old.text_bytes - len(before)
        if blank <= size <= len(text):
            hashed = xxhash.xxh3_64(before)
            hashed.update(text[blank:size])
            if hashed.intdigest() == old.text_hash:
                return size
    return None
