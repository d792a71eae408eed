"""Do the plays that `railbird exploit` lists from the first halves of a player's matches win as much in the second?

Of each player with 2,000 hands in matches of two: the plays that are listed from the first half of each of its matches
are priced again on the second halves alone, whose fits know nothing of the first. The two sums should differ by no more
than their errors: the 95% interval of the difference holds 0 for 95% of players if the prices are forecasts.
`--write FILE` puts the figures into a page of the docs. `make second-half`
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from math import hypot, sqrt
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from scipy.special import stdtrit

from railbird.analytics.exploit.material import GROUPS, NoLeaks, Spots, priced_matches, read_spots
from railbird.analytics.exploit.plays import (
    Change,
    Play,
    Priced,
    jackknife,
    judged,
    looked_at,
    price,
    spots_named,
)
from railbird.analytics.exploit.pricing import Prices
from railbird.analytics.players import Player
from railbird.analytics.store import Store, open_store

LEAST_HANDS: Final = 2000
_MARKS: Final = re.compile(r"(<!-- second half -->\n).*?(<!-- end -->)", re.DOTALL)


class Sum(NamedTuple):
    """What some plays win, in bb per 100 hands.

    error    its standard error: by leaving out groups, and what one hand more of each play could change
    freedom  its degrees of freedom, fewer where a few groups have most of the pots
    """

    gain: float
    error: float
    freedom: float

    @property
    def half(self) -> float:
        """Half the length of its 95% interval."""
        return float(stdtrit(self.freedom, 0.975)) * self.error


class Half(NamedTuple):
    """What a player's plays win in two halves; hands: of both."""

    player: Player
    hands: int
    plays: int
    first: Sum
    second: Sum

    @property
    def agrees(self) -> bool:
        """Whether the 95% interval of the difference holds 0 (degrees of freedom by Welch and Satterthwaite)."""
        variances = [each.error**2 for each in (self.first, self.second)]
        parts = zip(variances, (self.first.freedom, self.second.freedom), strict=True)
        freedom = sum(variances) ** 2 / sum(variance**2 / each for variance, each in parts)
        half = float(stdtrit(freedom, 0.975)) * sqrt(sum(variances))
        return abs(self.first.gain - self.second.gain) <= half


def players_of(store: Store) -> list[Player]:
    """The players that are judged."""
    rows = store.sql(
        """
        select p.event, p.game, p.player
        from players as p
        join matches as m on m.match_id = p.match_id
        where p.namesake_seat is null and (select count(*) from players as q where q.match_id = p.match_id) = 2
        group by all
        having sum(m.hands) >= $least
        order by all
        """,
        least=LEAST_HANDS,
    ).fetchall()
    return [Player(event, game, name, None) for event, game, name in rows]


def half_of(spots: Spots, hands: list[int], second: bool) -> Spots:
    """The decisions of the first or the second half of each match, their hands in GROUPS groups; hands: of each match.

    Each opponent is met as often in both halves, since what a play wins depends on what opponents do now.
    """
    cut = np.array(hands) // 2
    keep = (spots.hand >= cut[spots.match]) == second
    sizes = np.array(hands) - cut if second else cut
    begin = np.cumsum(sizes) - sizes
    number = begin[spots.match] + spots.hand - (cut[spots.match] if second else 0)
    group = np.minimum(number * GROUPS // sizes.sum(), GROUPS - 1)
    fixed = ("rules", "hands", "ids")
    found = {name: value if name in fixed else value[keep] for name, value in vars(spots).items()}
    every = np.bincount(np.arange(sizes.sum()) * GROUPS // sizes.sum(), minlength=GROUPS)
    return Spots(**found | {"group": group[keep], "hands": every})


def sum_of(plays: Sequence[Priced[Change]], gain: float) -> Sum:
    """The sum of some plays with its error.

    Leaving out groups tells of all together. Each has its degrees of freedom (Welch and Satterthwaite).
    """
    unseen = [one.unseen * float(one.pots[0]) for one in plays]
    variances = [hypot(one.error, more) ** 2 for one, more in zip(plays, unseen, strict=True)]
    parts = sum(each**2 / one.freedom for each, one in zip(variances, plays, strict=True))
    together = jackknife(np.sum([one.kept for one in plays], axis=0))
    return Sum(gain, hypot(together, *unseen), sum(variances) ** 2 / parts)


def judge(store: Store, player: Player) -> Half | None:
    """A player's plays of the first half, priced on both; None if none is listed."""
    matches = priced_matches(store, player)
    whole = read_spots(store, player, matches)
    spots, rest = (half_of(whole, matches.hands, second) for second in (False, True))
    # Plays of the general kind alone: bids and facts are priced from other material.
    listed = judged(looked_at(spots, Prices(spots)))
    if not listed:
        return None
    prices, names = Prices(rest), spots_named(rest)
    again = [price(one.play, rest, prices, names) for one in listed if isinstance(one.play, Play)]
    return Half(
        player,
        sum(matches.hands),
        len(listed),
        sum_of(listed, sum(one.shrunk for one in listed)),
        sum_of(again, sum(one.gain for one in again)),
    )


def lines_of(found: list[Half]) -> Iterator[str]:
    """The figures as a table of the docs."""
    yield "| event | game | player | hands | plays | first half, bb/100 | second half, bb/100 | 0 in the interval |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | --- |"
    for one in found:
        yield (
            f"| {one.player.event} | {one.player.game} | {one.player.name} | {one.hands:,} | {one.plays} "
            f"| {one.first.gain:+.1f} ± {one.first.half:.1f} | {one.second.gain:+.1f} ± {one.second.half:.1f} "
            f"| {'yes' if one.agrees else 'no'} |"
        )
    yield ""
    yield f"The interval of the difference holds 0 for {sum(one.agrees for one in found)} of {len(found)} players."


def main() -> None:
    """Judge the players of a store."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("store", type=Path)
    asked.add_argument("--write", type=Path)
    given = asked.parse_args()
    found = []
    with open_store(given.store) as store:
        store.count_equities()
        for player in players_of(store):
            try:
                one = judge(store, player)
            except NoLeaks:
                continue
            if one is not None:
                found.append(one)
                print(one, one.agrees, flush=True)
    table = "\n".join(lines_of(found))
    if given.write:
        page = given.write.read_text(encoding="utf-8")
        given.write.write_text(
            _MARKS.sub(lambda mark: f"{mark[1]}{table}\n{mark[2]}", page), encoding="utf-8"
        )
    else:
        print(table)


if __name__ == "__main__":
    main()
