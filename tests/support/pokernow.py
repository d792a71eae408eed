"""Small tables of PokerNow, of invented players."""

import csv
import io
from collections.abc import Sequence
from typing import Final

A, B, C = '"Ann @ AAAAAAAAAA"', '"Ben @ BBBBBBBBBB"', '"Cy @ CCCCCCCCCC"'
START: Final = "-- starting hand #{} (id: a1b2c3d4e5f6)  (No Limit Texas Hold'em) (dealer: {}) --"
OMAHA: Final = "-- starting hand #{} (id: a1b2c3d4e5f7)  (Pot Limit Omaha Hi) (dealer: {}) --"
STACKS: Final = f"Player stacks: #1 {A} (100) | #4 {B} (90) | #7 {C} (80)"
END: Final = "-- ending hand #{} --"


def export(lines: Sequence[str]) -> list[str]:
    """The rows of a file with these lines of a log, the newest first."""
    rows = []
    for k, line in enumerate(lines):
        text = io.StringIO()
        csv.writer(text, lineterminator="").writerow([line, "2025-01-07T05:59:42.159Z", 173622958215900 + k])
        rows.append(text.getvalue())
    return ["entry,at,order", *reversed(rows)]


BLINDS: Final = (f"{B} posts a small blind of 1", f"{C} posts a big blind of 2")
RUN_TWICE: Final = (
    START.format(1, A),
    STACKS,
    *BLINDS,
    f"{A} raises to 100 and go all in",
    f"{B} calls 90 and go all in",
    f"{C} folds",
    f"Uncalled bet of 10 returned to {A}",
    f"{A} shows a A♠, A♥.",
    f"{B} shows a K♠, K♥.",
    "Flop:  [9♦, 8♥, 2♣]",
    "Turn: 9♦, 8♥, 2♣ [3♦]",
    "River: 9♦, 8♥, 2♣, 3♦ [4♠]",
    "Turn (second run): 9♦, 8♥, 2♣ [K♦]",
    "River (second run): 9♦, 8♥, 2♣, K♦ [5♠]",
    f"{A} collected 91 from pot with Pair (combination: A♠, A♥, 9♦, 8♥, 4♠)",
    f"{B} collected 91 from pot with Three on the second run  (combination: K♠, K♥, K♦, 9♦, 8♥)",
    END.format(1),
)


def run_twice() -> str:
    """The file of a table with one hand, at whose showdown each pot has two boards."""
    return "\n".join(export(RUN_TWICE)) + "\n"
