"""The page of a match, and the files of its hands for the replayer, with their lines from the log.

The lines are read again from the log, and are shown only if the file is unchanged.
"""

import base64
import json
import os
import tempfile
import zlib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from weakref import finalize

import numpy as np
import xxhash
from numpy.typing import NDArray

from ...parsers.sources import Source, sources
from .. import plots
from ..matches import MatchName, Row, ids, rows_of, side_by_side
from ..plots import Curve

if TYPE_CHECKING:
    from ...analytics.store import Store

SHOWN_POTS: Final = 10
SHOWN_FINDINGS: Final = 25


def _mean(value: str, most: int | None = None) -> str:
    """SQL for n, the mean of a value over the games of one match, and its 95% interval within 0 and `most`."""
    half = (
        f"mean_half(sum({value}), count({value}), sum(({value}) ** 2),"
        " {'clusters': 0, 'kk': 0.0, 'nn': 0.0, 'kn': 0.0})"
    )
    return (
        f"{{'n': count({value}), 'mean': avg({value}), 'low': low_end(avg({value}) - {half}),"
        f" 'high': high_end(avg({value}) + {half}, {'null' if most is None else most})}}"
    )


_BY_MATCH: Final = {
    "results": """
        select r.*, namesake_seat from results r join players p using (match_id, seat)
        where list_contains($ids, match_id) order by match_id, seat
    """,
    "tendencies": """
        select t.*, label from tendencies_by_match t join statistics using (statistic)
        where list_contains($ids, match_id) order by match_id, place, seat
    """,
    "aggression": """
        select * from aggression_by_match where list_contains($ids, match_id) order by match_id, seat
    """,
    "folds": """
        select *, street_name(street, game) as street_name from fold_frequency_by_match
        where list_contains($ids, match_id) order by match_id, street, position_place(position), position, seat
    """,
    "equities": f"""
        select match_id, seat, player, count(*) as opportunities, count(*) filter (where folded) as folds,
            rate_of(folds, opportunities) as rate, wilson_low(folds, opportunities) as low,
            wilson_high(folds, opportunities) as high,
            {_mean("if(folded, win_prob, null)", 1)} as when_folding,
            {_mean("if(folded, null, win_prob)", 1)} as when_betting,
            {_mean("if(folded, null, chips_added)")} as bet
        from (
            select *, action = 'fold' as folded from actions anti join damaged_hands using (match_id, hand_index)
            where list_contains($ids, match_id) and street = 1 and origin = 'choice' and win_prob is not null
        )
        group by all order by match_id, seat
    """,
    "bounties": """
        select * from bounty_hits_by_match where list_contains($ids, match_id) order by match_id, seat
    """,
    "won_by": """
        select s.match_id, s.seat, s.position, position_place(s.position) as place, h.ended_by,
            least(h.streets, 5) as streets, count(*) as hands,
            sum(s.delta) as chips
        from seats s join hands h using (match_id, hand_index)
        where list_contains($ids, s.match_id) and s.delta is not null and h.verdict <> 'damaged'
        group by all order by s.match_id, streets, ended_by, place, position, seat
    """,
    "lock": """
        select * from lock_points where list_contains($ids, match_id) and hand_index is not null
    """,
    "origins": """
        select * from origins where list_contains($ids, match_id) order by match_id, seat
    """,
    "verdicts": """
        select * from verdicts where list_contains($ids, match_id) order by match_id, hands desc
    """,
    "deviations": """
        select d.*, first_hand from deviations d join (
            select match_id, seat, deviation, min(hand_index) as first_hand from findings group by all
        ) f on f.match_id = d.match_id and f.seat is not distinct from d.seat and f.deviation = d.deviation
        where list_contains($ids, d.match_id) order by d.match_id, hands desc, d.deviation, d.seat
    """,
    "faults": """
        select x.match_id, seat, kind, count(*) as lines, min(x.line) as line,
            min(hand_index) filter (where hand_index < m.hands) as first_hand
        from faults x join matches m using (match_id)
        where list_contains($ids, x.match_id) group by all order by x.match_id, seat, kind
    """,
    "gaps": """
        select * from final_gaps where list_contains($ids, match_id) order by match_id, seat
    """,
    "pots": f"""
        select * from (
            select h.match_id, h.hand_index, h.hand_no, h.line, h.pot, h.board, h.ended_by, h.verdict,
                list({{'seat': s.seat, 'hole': s.hole_final, 'delta': s.delta}} order by s.seat) as seats,
                max(abs(s.delta)) as most
            from (select * from hands where list_contains($ids, match_id) and verdict <> 'damaged'
                qualify rank() over (partition by match_id order by pot desc) <= {SHOWN_POTS}) h
            join seats s using (match_id, hand_index)
            group by all
        )
        qualify row_number() over (partition by match_id order by pot desc, most desc, hand_index) <= {SHOWN_POTS}
        order by match_id, pot desc, most desc, hand_index
    """,
    "findings": f"""
        select *, count(*) over (partition by match_id) as total
        from findings where list_contains($ids, match_id) and verdict <> 'engine_deviation'
        qualify row_number() over (partition by match_id order by verdict = 'violation' desc, hand_index, seq)
            <= {SHOWN_FINDINGS}
        order by match_id, verdict = 'violation' desc, hand_index, seq
    """,
}


def by_match(store: "Store", matches: Sequence[MatchName]) -> dict[int, dict[str, list[Row]]]:
    """The rows that the page of each match shows, by match_id and the keys of `_BY_MATCH`."""
    found: dict[int, dict[str, list[Row]]] = {m.match_id: {key: [] for key in _BY_MATCH} for m in matches}
    for key, query in _BY_MATCH.items():
        for row in rows_of(store, query, ids=ids(matches)):
            found[row["match_id"]][key].append(row)
    return found


def context(match: MatchName, rows: dict[str, list[Row]], curve: Curve) -> dict[str, Any]:
    """The context of a match's page: its rows from `by_match`, and the rest."""
    return {
        **rows,
        "match": match,
        "tendencies": side_by_side(rows["tendencies"], "statistic"),
        "folds": side_by_side(rows["folds"], "street", "position"),
        "won_by": side_by_side(rows["won_by"], "streets", "ended_by", "position"),
        "plot": f"plots/{match.match_id}",
        "plot_height": plots.height(curve),
        "luck": plots.has_luck(curve),
        "band": plots.has_band(curve),
        "seats": range(len(match.players)),
    }


@dataclass(frozen=True)
class _Place:
    """The place of a match: its file, its first line, its length and the hash of its text."""

    path: str
    line: int
    size: int
    digest: int


class Logs:
    """The texts of a store's matches.

    A file is looked for where the store says it was read (its path as given, from the current folder). A match that is
    not there any more, or no longer the same to the byte, has no lines; text after it changes nothing.
    """

    def __init__(self, store: "Store", matches: Sequence[int]) -> None:
        """Nothing is read yet."""
        rows = store.sql(
            "select match_id, path, line, text_bytes, text_hash from stored.matches join stored.files"
            " using (file_id) where list_contains($ids, match_id)",
            ids=list(matches),
        ).fetchall()
        self._places = {row[0]: _Place(*row[1:]) for row in rows}
        self._kept: tuple[str, bytes, NDArray[np.int64]] = ("", b"", np.zeros(0, np.int64))
        self._paths = {place.path for place in self._places.values()}
        # Packed texts as they were decoded: matches come in another order than they lie in, and to decode takes time.
        self._decoded = tempfile.TemporaryFile()  # noqa: SIM115 - it is read as long as this is there
        finalize(self, self._decoded.close)
        self._spans: dict[str, tuple[int, int]] = {}
        self._unpacked: set[Path] = set()

    def lines(self, match_id: int) -> list[str] | None:
        """The lines of a match, beginning with line `matches.line`; None if the file is gone or has changed."""
        place = self._places.get(match_id)
        if place is None:
            return None
        if self._kept[0] != place.path:
            self._kept = (place.path, *_indexed(self._read(place.path)))
        _, text, starts = self._kept
        if place.line > len(starts):
            return None
        start = int(starts[place.line - 1])
        found = text[start : start + place.size]
        if xxhash.xxh3_64_intdigest(found) != place.digest:
            return None
        # As the scanner has lines: what a bot prints may hold a lone CR.
        lines = found.removesuffix(b"\n").split(b"\n")
        return [line.rstrip(b"\r")[:_WIDEST].decode("utf-8", "replace") for line in lines]

    def _read(self, path: str) -> bytes:
        """The text of a log, also from an archive; empty if it cannot be read."""
        found = Path(path)
        file = next((parent for parent in (found, *found.parents) if parent.is_file()), None)
        if file is None:
            return b""
        if file not in self._unpacked:
            for source in sources([file], lambda _: None):
                if source.path == path and not source.packed:
                    return _text(source)
                if source.path in self._paths:
                    self._lay_away(source)
            self._unpacked.add(file)
        start, size = self._spans.get(path, (0, 0))
        self._decoded.seek(start)
        return self._decoded.read(size)

    def _lay_away(self, source: Source) -> None:
        text = _text(source)
        self._spans[source.path] = self._decoded.seek(0, os.SEEK_END), len(text)
        self._decoded.write(text)


def _indexed(text: bytes) -> tuple[bytes, NDArray[np.int64]]:
    """A text and the offsets of its lines."""
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
    return text, np.concatenate(([0], ends + 1))


def _text(source: Source) -> bytes:
    try:
        with source.open() as stream:
            return stream.read()
    # Each way of packing has errors of its own.
    except Exception:
        return b""


# Most logs number their hands without a gap; only those of the others are looked at one by one.
_RUNS: Final = """
    with shifts as (
        select match_id, min(hand_no - hand_index) as low, max(hand_no - hand_index) as high
        from hands where list_contains($ids, match_id) group by all
    )
    select match_id, 0 as hand_index, low as hand_no from shifts where low = high
    union all
    select match_id, hand_index, hand_no from (
        select h.match_id, h.hand_index, h.hand_no,
            lag(h.hand_no - h.hand_index) over (partition by h.match_id order by h.hand_index) as before
        from hands h join shifts using (match_id) where low < high
    ) where before is distinct from hand_no - hand_index
    order by match_id, hand_index
"""


class Numbers:
    """The log's own hand numbers of some matches, kept as runs of consecutive numbers."""

    def __init__(self, store: "Store", matches: Sequence[MatchName]) -> None:
        """Of all hands of the matches."""
        self._runs: dict[int, list[tuple[int, int]]] = {}
        for match, index, number in store.sql(_RUNS, ids=ids(matches)).fetchall():
            self._runs.setdefault(match, []).append((index, number))

    def of(self, match_id: int, hand_index: int) -> int:
        """The number of a hand."""
        runs = self._runs[match_id]
        first, number = runs[bisect_right(runs, hand_index, key=lambda run: run[0]) - 1]
        return number + hand_index - first

    def runs(self, match_id: int) -> list[tuple[int, int]]:
        """(hand_index, number) of the first hand of each run of consecutive numbers."""
        return self._runs[match_id]


TOGETHER: Final = 200
"""Hands a file holds."""
FOLDER: Final = "hands"
_LEVEL: Final = 6

# One JSON list a hand. The order of the columns is that of `FIELDS` in the page's script.
_PARTS: Final = {
    "seats": """
        select match_id, hand_index, list(json_array(seat, position, hole, hole_final, stack_start, contribution,
            delta, delta_written, delta_engine, bankroll_before, bounty_rank, bounty_hit, shown, eliminated)
            order by seat)
        from seats
    """,
    "actions": """
        select match_id, hand_index, list(json_array(line, street, seat, action, origin, amount_logged,
            amount_to, chips_added, to_call, pot_before, stack_before, min_raise_to, max_raise_to, board_no,
            win_prob) order by seq)
        from actions
    """,
    "deals": """
        select match_id, hand_index, list(json_array(line, street, seat, kind, cards, cards_effective, board_no)
            order by seq)
        from deals
    """,
    "faults": """
        select x.match_id, hand_index, list(json_array(if(x.file_id = m.file_id, x.line, null), seat, kind, text)
            order by x.line)
        from faults x join matches m using (match_id)
    """,
    "findings": """
        select match_id, hand_index, list(json_array(line, seat, rule, kind, verdict, deviation, expected, logged,
            chips, message) order by seq)
        from findings
    """,
    "equities": """
        select match_id, hand_index, list(json_array(street, board_no, seat, round(equity_own, 4),
            round(equity_actual, 4), round(value, 2), round(value - value_before, 2))
            order by street, board_no, seat)
        from equities
    """,
    "boards": """
        select match_id, hand_index, list(json_array(board_no, cards, pot, pot_inflation, ended_by, contribution,
            payout) order by board_no)
        from boards
    """,
}
_HANDS: Final = """
    select match_id, hand_index, line, verdict, to_json({'index': hand_index, 'no': hand_no, 'line': line,
        'dealer': dealer_seat, 'ended': ended_by, 'pot': pot, 'board': board, 'verdict': verdict,
        'deviations': deviations, 'undealt': undealt})
    from hands where list_contains($ids, match_id) order by match_id, hand_index
"""


def packed(value: str) -> str:
    """JSON as the page's script unpacks it: deflated without a header, in base64."""
    squeeze = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(squeeze.compress(value.encode()) + squeeze.flush()).decode()


def _about(store: "Store", matches: Sequence[MatchName]) -> dict[int, dict[str, Any]]:
    """The description of each match in its file."""
    rows = store.sql(
        "select match_id, blinds, unit from matches where list_contains($ids, match_id)", ids=ids(matches)
    ).fetchall()
    more = {row[0]: {"blinds": row[1], "unit": row[2]} for row in rows}
    return {
        match.match_id: {
            "id": str(match.match_id),
            "game": match.game,
            "streets": match.rules.streets,
            "discards": match.rules.discards,
            "bankrolls": match.rules.bankrolls,
            "event": match.event,
            "file": match.file,
            "players": match.players,
            "namesakes": match.namesakes,
            "hands": match.hands,
            "profile": match.profile,
            **more[match.match_id],
        }
        for match in matches
    }


def _lists(store: "Store", some: list[int]) -> dict[str, dict[tuple[int, int], str]]:
    """For each part, the JSON list of each hand that has rows."""
    return {
        name: {
            (match, index): text
            for match, index, text in store.sql(
                f"select match_id, hand_index, to_json(rows)::varchar from ({query}"
                f" where list_contains($ids, match_id) and hand_index is not null group by all) t(match_id,"
                f" hand_index, rows)",
                ids=some,
            ).fetchall()
        }
        for name, query in _PARTS.items()
    }


def _text_of_hands(
    lines: list[str] | None, first: int, begins: Sequence[int]
) -> Iterator[tuple[int, list[str]]]:
    """For each hand, the number of its first line and its lines; None without a text."""
    if lines is None:
        yield from ((line, []) for line in begins)
        return
    ends = [*begins[1:], first + len(lines)]
    for start, end in zip(begins, ends, strict=True):
        # Hands that do not follow each other in the log reach to the match's end at most.
        upto = end if end > start else start + 1
        part = lines[start - first : min(upto - first, start - first + MOST_LINES)]
        while len(part) > 1 and not part[-1].strip():
            part.pop()
        yield start, part


def write_hands(
    store: "Store",
    matches: Sequence[MatchName],
    logs: Logs,
    out: Path,
    effects: dict[str, str],
    numbers: Numbers,
) -> None:
    """Write the files of some matches below `out`.

    effects: what each engine deviation is, by name
    numbers: what the logs call the hands; a file holds the runs of its match
    """
    some = ids(matches)
    about = _about(store, matches)
    lists = _lists(store, some)
    first_line = dict(
        store.sql(
            "select match_id, line from matches where list_contains($ids, match_id)", ids=some
        ).fetchall()
    )
    hands: defaultdict[int, list[tuple[int, int, str, str]]] = defaultdict(list)
    for match, index, line, verdict, text in store.sql(_HANDS, ids=some).fetchall():
        hands[match].append((index, line, verdict, text))
    for match_id, mine in hands.items():
        texts = _text_of_hands(logs.lines(match_id), first_line[match_id], [line for _, line, _, _ in mine])
        odd = [index for index, _, verdict, _ in mine if verdict != "ok"]
        head = json.dumps(
            about[match_id] | {"odd": odd, "effects": effects, "numbers": numbers.runs(match_id)}
        )
        folder = out / FOLDER / str(match_id)
        folder.mkdir(parents=True, exist_ok=True)
        made = []
        for (index, _, _, text), (start, lines) in zip(mine, texts, strict=True):
            parts = "".join(
                f',"{name}":{found}'
                for name, part in lists.items()
                if (found := part.get((match_id, index))) is not None
            )
            said = f',"text":{json.dumps(lines)},"from":{start}' if lines else ""
            made.append(f"{text[:-1]}{parts}{said}}}")
        for number, at in enumerate(range(0, len(made), TOGETHER)):
            body = packed(f'{{"match":{head},"hands":[{",".join(made[at : at + TOGETHER])}]}}')
            (folder / f"{number}.js").write_text(
                f'railbird("{match_id}",{number},"{body}");\n', encoding="utf-8"
            )


MOST_LINES: Final = 400
"""The most lines of one hand that are kept, so that a bot that prints endlessly cannot fill the report."""
_WIDEST: Final = 500
