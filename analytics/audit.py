"""What an audit asks of a store: the views of sql/audit, and the p of evenly dealt cards, which SQL cannot express.

Every answer ends with the columns match_id and hand_index, a hand that shows what the row says (null where there is
none), and concern: true where an auditor should look, since neither a known engine nor a damaged line nor an
announced re-use of cards explains it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from .settings import LEVEL, Kind
from .store import Store


class Audited(NamedTuple):
    """Rows and the names of their columns."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    @property
    def concerns(self) -> int:
        """Rows that an auditor should check."""
        return sum(bool(row[-1]) for row in self.rows)


_CHECKS: Final = """
    select c.game, c.aspect, c.hands, c.violation, c.damaged, c.engine_deviation, c.unverified,
      rate_of(c.violation, c.hands) as rate, wilson_low(c.violation, c.hands) as rate_low,
      wilson_high(c.violation, c.hands) as rate_high, f.match_id, f.hand_index, c.violation > 0 as concern
    from (
      select game, aspect, cast(sum(hands) as bigint) as hands, cast(sum(violation) as bigint) as violation,
        cast(sum(damaged) as bigint) as damaged, cast(sum(engine_deviation) as bigint) as engine_deviation,
        cast(sum(unverified) as bigint) as unverified
      from integrity_checks_by_match
      where match_id in (select unnest($ids))
      group by game, aspect
    ) as c
    left join (
      select game, aspect, (min((verdict <> 'violation', verdict, match_id, hand_index))) as first,
        first[3] as match_id, first[4] as hand_index
      from integrity_findings
      where match_id in (select unnest($ids))
      group by game, aspect
    ) as f on f.game = c.game and f.aspect = c.aspect
    order by c.game, c.aspect
"""
_FINDINGS: Final = """
    select x.event, x.game, x.aspect, x.rule, x.verdict, x.deviation, x.player, x.seat, x.chips, x.message,
      f.path, x.line, x.match_id, x.hand_index, x.verdict = 'violation' as concern
    from integrity_findings as x
    left join files as f on f.file_id = x.file_id
    where list_contains($ids, x.match_id)
    order by concern desc, x.verdict desc, f.path, x.line, x.match_id, x.hand_index, x.rule, x.seat
"""
_DEALS: Final = """
    select game, reuse, shared, hands, share, expected, p, other_match_id, other_hand_index,
      match_id, hand_index, reuse is null as concern
    from repeated_deals
    where list_contains($ids, match_id) or list_contains($ids, other_match_id)
    order by concern desc, game, reuse, share desc, match_id, other_match_id
"""
_BALANCE: Final = """
    select event, game, hands, deck, dealt, statistic, df, rarest, commonest, match_id
    from deal_balance
    order by game, match_id
"""
_FAULTS: Final = """
    select event, game, player, seat, kind, block, hands, faulty, faults, rate, rate_low, rate_high,
      match_id, hand_index, faults > 0 as concern
    from fault_rates
    order by event, game, player, seat, kind, block
"""
_FAULTS_OF_MATCHES: Final = """
    select event, game, player, seat, kind, block, hands, faulty, faults, rate, rate_low, rate_high,
      match_id, hand_index, faults > 0 as concern
    from fault_rates_by_match
    where match_id in (select unnest($ids))
    order by event, game, match_id, player, seat, kind, block
"""
_GAINS: Final = """
    select event, game, deviation, player, seat, hands, gained, moved, match_id, hand_index, gained <> 0 as concern
    from who_gained
    where list_contains($ids, match_id)
    order by abs(gained) desc, match_id, seat, deviation
"""
_WINNERS: Final = """
    select event, game, winners, winner_seats, winners_written, winner_seats_written, margin, margin_written, moved,
      unpriced_hands,
      match_id, hand_index, changes as concern
    from winners_as_written
    where list_contains($ids, match_id) and moved >= 0.01
    order by changes desc, moved desc, match_id
"""
_STANDINGS: Final = """
    select event, game, player, seat, matches, hands, chips, chips_written, place, place_written,
      match_id, hand_index, changes as concern
    from standings_as_written
    order by event, game, place, player, seat
"""


def _asked(query: str) -> Callable[[Store, Sequence[int]], Audited]:
    def ask(store: Store, matches: Sequence[int]) -> Audited:
        relation = store.sql(query, ids=list(matches)) if "$ids" in query else store.sql(query)
        return Audited(tuple(relation.columns), relation.fetchall())

    return ask


def faults(store: Store, matches: Sequence[int]) -> Audited:
    """Faults of each player by blocks of hands: over all matches of the store, or for some matches one by one."""
    ((held,),) = store.execute("select count(*) from stored.matches").fetchall()
    return _asked(_FAULTS_OF_MATCHES if len(matches) < held else _FAULTS)(store, matches)


def balance(store: Store, matches: Sequence[int]) -> Audited:
    """Whether hole cards are dealt evenly: `deal_balance` with p (chi-square) and q over all matches of the store.

    The row of a match links to its first hand.
    """
    from scipy.stats import chi2, false_discovery_control

    relation = store.sql(_BALANCE)
    names, rows = list(relation.columns), relation.fetchall()
    statistic, df = names.index("statistic"), names.index("df")
    chances = [float(chi2.sf(row[statistic], row[df])) for row in rows]
    adjusted = false_discovery_control(chances).tolist() if chances else []
    wanted = set(matches)
    found = [
        (*row[:-1], p, q, row[-1], 0, q < LEVEL)
        for row, p, q in zip(rows, chances, adjusted, strict=True)
        if row[-1] in wanted
    ]
    found.sort(key=lambda row: row[names.index("match_id")])
    return Audited((*names[:-1], "p", "q", "match_id", "hand_index", "concern"), found)


KINDS: Final[dict[str, Callable[[Store, Sequence[int]], Audited]]] = {
    Kind.CHECKS: _asked(_CHECKS),
    Kind.FINDINGS: _asked(_FINDINGS),
    Kind.DEALS: _asked(_DEALS),
    Kind.BALANCE: balance,
    Kind.FAULTS: faults,
    Kind.GAINS: _asked(_GAINS),
    Kind.WINNERS: _asked(_WINNERS),
    Kind.STANDINGS: _asked(_STANDINGS),
}
"""The query of each kind; it takes the matches, except for standings, which cover all."""

WHOLE: Final = frozenset({Kind.STANDINGS})
"""Kinds that cover all matches of the store."""
