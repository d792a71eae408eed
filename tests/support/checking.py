"""Reads and replays a text in memory, and says what was found: what several tests of the parts compare."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from railbird.parsers import dialects
from railbird.parsers.reading import Pool, read_events
from railbird.replay import findings, records
from railbird.replay.heads_up.chunk import HeadsUpReplayed
from railbird.replay.outcome import LINE_REJECTED, LINE_STRAY, LINE_UNKNOWN
from railbird.replay.replaying import game_named, replay
from railbird.schema.words import VERDICTS

from .replayed import dialect_of

_POOL = Pool()


@dataclass
class Found:
    """One finding: of which hand of the text (from 0), line of the text (from 1), what."""

    hand: int
    line: int
    rule: str
    verdict: str
    deviation: int


@dataclass
class Checked:
    """What reading a text yields; lines count from 1."""

    matches: int = 0
    games: list[str] = field(default_factory=list)
    names: list[tuple[bytes, ...]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    awards: list[tuple[float, float]] = field(default_factory=list)
    finals: list[tuple[float, float] | None] = field(default_factory=list)
    profiles: list[str] = field(default_factory=list)
    findings: list[Found] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    stray: list[int] = field(default_factory=list)
    rejected: list[int] = field(default_factory=list)
    nameless: int = 0

    @property
    def rules(self) -> Counter[str]:
        """How many findings there are of each rule, named deviations left out."""
        return Counter(f.rule for f in self.findings if f.verdict != "engine_deviation")

    @property
    def is_clean(self) -> bool:
        """True where nothing is wrong but named deviations."""
        return not (self.rules or self.unknown or self.stray or self.rejected or self.nameless)

    @property
    def deviating(self) -> list[tuple[int, str, int]]:
        """The named deviations: hand, rule, mask."""
        return [(f.hand, f.rule, f.deviation) for f in self.findings if f.verdict == "engine_deviation"]


def check(text: bytes) -> Checked:
    """Cut, scan and replay a text."""
    out = Checked()
    data = np.frombuffer(text, np.uint8)
    for match in dialects.likely(text, 0, len(text))[0].cut(text):
        out.matches += 1
        if not match.names:
            out.nameless += 1
            continue
        dialect = dialect_of(text, match)
        game = game_named(dialect.game)
        scanned = read_events(data, [match], dialect.grammar, _POOL)
        replayed = replay(scanned, [match], game, _POOL)
        assert isinstance(replayed, HeadsUpReplayed)
        sheets, used = replayed.sheets, replayed.sheets.used
        base = text.count(b"\n", 0, match.body)
        first = len(out.numbers)
        hands = sheets.hands[: used[records.HANDS]]
        seats = sheets.seats[: 2 * len(hands)]["delta"].tolist()
        out.games.append(game.name)
        out.names.append(match.names)
        out.numbers += hands["number"].tolist()
        out.verdicts += [VERDICTS[v] for v in hands["verdict"].tolist()]
        out.awards += list(zip(seats[::2], seats[1::2], strict=True))
        row = sheets.matches[0]
        out.finals.append((float(row["finals"][0]), float(row["finals"][1])) if row["final"] else None)
        out.profiles.append(game.profiles[row["profile"]].name)
        for finding in sheets.findings[: used[records.FINDINGS]]:
            verdict = VERDICTS[finding["verdict"]]
            rule = findings.RULES[finding["rule"]].name
            place, line = first + int(finding["hand"]), base + int(finding["line"])
            out.findings.append(Found(place, line, rule, verdict, int(finding["deviation"])))
        events = int(scanned.first_event[-1])
        lines = scanned.events.lines[:events] + base
        notes = replayed.notes[:events]
        out.unknown += lines[notes == LINE_UNKNOWN].tolist()
        out.stray += lines[notes == LINE_STRAY].tolist()
        out.rejected += lines[notes == LINE_REJECTED].tolist()
    return out
