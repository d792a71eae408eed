"""A log's text scanned and replayed, as plain Python objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from railbird.parsers import dialects, events
from railbird.parsers.dialect import Dialect, MatchText
from railbird.parsers.reading import Pool, read_events
from railbird.replay import records
from railbird.replay.findings import RULES
from railbird.replay.heads_up.chunk import HeadsUpReplayed
from railbird.replay.outcome import Tables, Windows
from railbird.replay.pots.chunk import PotsReplayed
from railbird.replay.replaying import game_named, recognise, replay
from railbird.replay.stakes import TOLD_BY_HANDS, Stakes
from railbird.schema.words import VERDICTS

_EVENTS = {code: name for name, code in events.CODES.items()}
_POOL = Pool()

Action = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class Found:
    """A finding: `hand` counts from 0, chips are signed, deviations are names."""

    hand: int
    seat: int
    rule: str
    verdict: str
    deviations: tuple[str, ...]
    chips: int


@dataclass(frozen=True)
class ReplayedHand:
    """Lists by seat. actions: (street, seat, action, origin, raise-to or -1), posts left out.

    finals: hole cards at the end, none where they stayed as dealt; folded: somebody did.
    """

    number: int
    dealer: int
    verdict: str
    deviations: tuple[str, ...]
    streets: int
    holes: list[tuple[int, ...]]
    finals: list[tuple[int, ...]]
    folded: bool
    board: list[int]
    ranks: list[int]
    hits: list[bool]
    before: list[int]
    put: list[int]
    deltas: list[int]
    written: list[float]
    engine: list[float]
    actions: list[Action]
    faults: list[tuple[int, str]]


@dataclass(frozen=True)
class ReplayedMatch:
    """A match of a text; `odd_lines` counts unknown, stray and rejected lines."""

    game: str
    names: tuple[str, ...]
    profile: str
    final: tuple[int, int] | None
    hands: list[ReplayedHand]
    findings: list[Found]
    odd_lines: int
    blinds: tuple[float, ...]
    stack: float


def dialect_of(text: bytes, match: MatchText) -> Dialect:
    """The dialect of a match, as an ingest chooses it."""
    among = dialects.likely(text, match.start, match.end, match.names, match.engine)
    return among[0] if len(among) == 1 or not match.names else recognise(text, match, among, _POOL)


def replay_text(text: str, given: Stakes = TOLD_BY_HANDS) -> ReplayedMatch:
    """Replay a text that holds one match."""
    data = text.encode()
    (match,) = dialects.likely(data, 0, len(data))[0].cut(data)
    dialect = dialect_of(data, match)
    scanned = read_events(np.frombuffer(data, np.uint8), [match], dialect.grammar, _POOL)
    done = replay(scanned, [match], game_named(dialect.game), _POOL, given)
    assert isinstance(done, HeadsUpReplayed | PotsReplayed)
    record = done.sheets.matches[0]
    last = int(scanned.first_event[-1])
    return ReplayedMatch(
        dialect.game,
        tuple(name.decode() for name in match.names),
        done.game.profiles[record["profile"]].name,
        (int(record["finals"][0]), int(record["finals"][1])) if record["final"] else None,
        _hands(done),
        _findings(done),
        len(np.unique(scanned.events.lines[:last][done.notes[:last] != 0])),
        tuple(done.outcome(0).columns["blinds"]),
        done.outcome(0).columns["starting_stacks"][0],
    )


def _names(done: HeadsUpReplayed | PotsReplayed, mask: int) -> tuple[str, ...]:
    return tuple(d.name for bit, d in enumerate(done.game.deviations) if mask >> bit & 1)


def _hands(done: HeadsUpReplayed | PotsReplayed) -> list[ReplayedHand]:
    sheets, used = done.sheets, done.sheets.used
    actions: dict[int, list[Action]] = {}
    for act in sheets.actions[: used[records.ACTS]]:
        if act["action"] != records.POST:
            raise_to = -1 if np.isnan(act["raise_to"]) else int(act["raise_to"])
            done_so = (int(act["street"]), int(act["seat"]), int(act["action"]), int(act["origin"]), raise_to)
            actions.setdefault(int(act["hand"]), []).append(done_so)
    faults: dict[int, list[tuple[int, str]]] = {}
    for fault in sheets.faults[: used[records.FAULTS]]:
        faults.setdefault(int(fault["hand"]), []).append((int(fault["seat"]), _EVENTS[int(fault["code"])]))
    found = []
    hole_at = final_at = board_at = 0
    for row, hand in enumerate(sheets.hands[: used[records.HANDS]]):
        seats = sheets.seats[2 * row : 2 * row + 2]
        holes = []
        for count in seats["hole_count"].tolist():
            holes.append(tuple(sheets.holes[hole_at : hole_at + count].tolist()))
            hole_at += count
        finals = []
        for count in seats["final_count"].tolist():
            finals.append(tuple(sheets.finals[final_at : final_at + count].tolist()))
            final_at += count
        size = int(hand["board_count"])
        board = sheets.board[board_at : board_at + size].tolist()
        board_at += size
        found.append(
            ReplayedHand(
                number=int(hand["number"]),
                dealer=int(hand["dealer"]),
                verdict=VERDICTS[hand["verdict"]],
                deviations=_names(done, int(hand["deviations"])),
                streets=int(hand["streets"]),
                holes=holes,
                finals=finals,
                folded=bool(hand["ended_by"] == records.BY_FOLD),
                board=board,
                ranks=seats["rank"].tolist(),
                hits=[bool(hit) for hit in seats["hit"]],
                before=[int(chips) for chips in seats["bank"]],
                put=[int(chips) for chips in seats["put"]],
                deltas=[int(chips) for chips in seats["delta"]],
                written=seats["written"].tolist(),
                engine=seats["engine"].tolist(),
                actions=actions.get(row, []),
                faults=faults.get(row, []),
            )
        )
    return found


def _findings(done: HeadsUpReplayed | PotsReplayed) -> list[Found]:
    return [
        Found(
            int(row["hand"]),
            int(row["seat"]),
            RULES[row["rule"]].name,
            VERDICTS[row["verdict"]],
            _names(done, int(row["deviation"])),
            int(row["chips"]),
        )
        for row in done.sheets.findings[: done.sheets.used[records.FINDINGS]]
    ]


def joined_windows(rows: Windows) -> Tables:
    """All rows of each table, and for each the match's place."""
    found: dict[str, list[tuple[pa.Table, np.ndarray]]] = {}
    for window in rows.windows():
        for name, (table, match_of) in window.items():
            # Tables point into the pool, until the next ones are made.
            kept = table.take(pa.array(np.arange(table.num_rows)))
            found.setdefault(name, []).append((kept, match_of.copy()))
    return {
        name: (
            pa.concat_tables([table for table, _ in some]).unify_dictionaries().combine_chunks(),
            np.concatenate([match_of for _, match_of in some]),
        )
        for name, some in found.items()
    }
