"""What logs call their hands: pages say that number, addresses of the replayer and MATCH#HAND count from 0."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ..answers import MatchName, ids

if TYPE_CHECKING:
    from ...analytics.store import Store

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
    """The log's own number of each hand of some matches, by runs of hands that count on by one."""

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
        """(hand_index, number) of each hand that does not follow the one before it by one, the first among them."""
        return self._runs[match_id]
