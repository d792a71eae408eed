"""The replayer's data: every hand of a match, in files of `TOGETHER` hands that load as scripts.

A page opened from the file system may not fetch, but may load a script. `hands/MATCH/N.js` calls the function
`railbird` with the match_id, N, and its hands N * TOGETHER and on: JSON, deflated, in base64, so that no sign of
a log stands in a script. DuckDB writes the JSON; a hand takes about a tenth of its log's text.
"""

import base64
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..answers import MatchName, ids
from .logs import MOST_LINES, Logs
from .numbers import Numbers

if TYPE_CHECKING:
    from ...analytics.store import Store

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
    """What each file says of its match."""
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
    """Of each part the JSON list of each hand that has any."""
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
    """For each hand the number of its text's first line and its lines; none where there is no text."""
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


def write(
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
