"""Is the dealer fair? Cards, ranks and suits by where they came, what they gave each player, secret ranks, repeats.

Decks are pooled over the matches of an event; of matches that were dealt the same cards one counts, and no match in
which some players' hole cards are unknown, for what is shown at showdowns is no fair sample.

A card that is dealt is as likely to be any that the hand has not shown yet, whatever the players do: the expected
counts follow from the cards seen before (`Counts`). The statistic is Pearson's; it is at most a hundredth too small,
since those chances differ a little from hand to hand. p is twice the less of its chi-square's and of that of the
farthest kind by itself (Poisson, times twice the number of kinds). What a player gains by its cards is 0 on average
(`sql/queries/dealer/equities.sql`); the square of the sum over the sum of squares is chi-square with one degree of
freedom.

The tests of single matches are one family, all others are another. Each has a share of LEVEL, the pooled tests, which
see far smaller faults, the larger one (`_SHARE`); the rest is a margin, since several p are approximations.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..schema.words import RANKS
from .settings import LEVEL
from .store import Store
from .views import queries

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_ALL: Final = "all cards"
_HOLES: Final = "hole cards"
_RANKED: Final = "high cards"
_OF_MATCH: Final = "hole cards of a match"
_BATCH: Final = 200
"""Matches whose cards are held at a time."""
_LEAST: Final = 5
"""Expected of each kind: below that a count is not close enough to normal."""
_FEWEST: Final = 100
"""Hands of a test of what the cards gave."""
_POWER: Final = 0.8
_EQUAL: Final = 1e-6
"""Sums of gains that differ by less are equal: sums are added in any order."""
_SHARE: Final = {False: 0.6, True: 0.25}
"""Of LEVEL, which bounds how often an honest dealer has a row of concern: the pooled tests' and single matches'."""


class DealerTest(NamedTuple):
    """A test of a dealer: a row of `railbird audit balance`.

    test       cards, ranks, suits, secret ranks, exchanges, permutations, repeats, or what the cards gave a player,
               position or seat: best hand, high cards, equity, winnings; place: which cards; who: to whom
    deck       cards of the deck; dealt: draws counted; hands: that they come from
    expected   of each kind on average; of repeats their number
    rarest, commonest  the kinds farthest below and above what is expected, and how often they came
    effect     of best hand: its share of hands above a fair one; of high cards: ranks above the mean of the players;
               of equity: the mean above a half; of winnings: the gain of a hand as a share of the chips at stake
    seen_from  the least deviation of one kind, as a share of its chance, or the least effect, or number of repeats,
               that would have been found four times of five
    q          p corrected for all tests
    match_id, hand_index  a hand: the first one of the matches, or of what was found
    """

    event: str | None
    game: str
    test: str
    place: str
    who: str | None = None
    matches: int = 1
    hands: int | None = None
    deck: int | None = None
    dealt: int = 0
    statistic: float | None = None
    df: int | None = None
    expected: float | None = None
    rarest: str | None = None
    rarest_dealt: int | None = None
    commonest: str | None = None
    commonest_dealt: int | None = None
    effect: float | None = None
    seen_from: float | None = None
    p: float = 1.0
    q: float = 1.0
    match_id: int = 0
    hand_index: int = 0
    concern: bool = False

    @property
    def is_of_match(self) -> bool:
        """Whether it is the test of one match's cards."""
        return self.place == _OF_MATCH

    @property
    def sentence(self) -> str:
        """What it found, in words."""
        if self.effect is not None:
            what, _, kind = self.test.partition(" by ")
            gain = f"{self.effect:+.2f} ranks" if what == _RANKED else f"{self.effect:+.1%}"
            return (
                f"{what} of the {kind} {self.who} by the {self.place}: {gain} on average of {self.hands:,} hands, "
                "where 0 is fair"
            )
        if self.statistic is None:
            pairs = f"{self.dealt:,} pairs of hands had the same {self.place}"
            return f"{pairs}, where honest shuffles give {self.expected:.2g}"
        return (
            f"{self.test}, {self.place}: {self.rarest} came {self.rarest_dealt:,} times and {self.commonest} "
            f"{self.commonest_dealt:,} times, where {self.expected:,.1f} are fair"
        )


@dataclass
class Counts:
    """Draws from a deck of which some cards have been seen, added up.

    seen, fair  how often each card came, and how often it was expected to (cards of the deck,)
    draws       cards drawn; spread: the same, each times the share of the variance that is left where several are drawn
                at once without putting back: (u - m) / (u - 1) of m from u unseen ones
    """

    seen: Floats
    fair: Floats
    draws: float = 0.0
    spread: float = 0.0

    def add(self, other: "Counts") -> None:
        """Add the draws of another pool."""
        self.seen += other.seen
        self.fair += other.fair
        self.draws += other.draws
        self.spread += other.spread


def counted(hands: Ints, events: Ints, cards: Ints, places: Ints, size: int, deck: int) -> list[Counts]:
    """Counts by place of cards in the order of the deal.

    hands, events  (n,) numbers of the hand and of what is dealt at once, ascending
    cards          (n,) the cards' places in the deck, -1 unknown: what follows it in the hand does not count
    places         (n,) numbers below `size`: where the cards go
    deck           cards of the deck
    """
    starts = np.flatnonzero(np.diff(hands, prepend=-1))
    unknown = np.cumsum(cards < 0)
    above: Ints = np.repeat(unknown[starts] - (cards[starts] < 0), np.diff(starts, append=len(cards)))
    is_draw = np.zeros(len(cards), np.bool_)
    # A card that the hand has shown before (passed, given up, sent to a board) is no draw.
    is_draw[np.unique(hands * (deck + 1) + cards, return_index=True)[1]] = True
    is_draw &= unknown == above
    hands, events, cards, places = hands[is_draw], events[is_draw], cards[is_draw], places[is_draw]
    fair = np.zeros((size, deck))
    if not len(cards):
        return [Counts(row.copy(), row) for row in fair]
    starts = np.flatnonzero(np.diff(hands, prepend=-1))
    lengths = np.diff(starts, append=len(cards))
    rows = np.repeat(np.arange(len(starts)), lengths)
    at = np.arange(len(cards)) - np.repeat(starts, lengths)
    opens, together = np.unique(events, return_index=True, return_counts=True)[1:]
    # Drawn before all that are dealt at once.
    before = np.repeat(at[opens], together)
    together = np.repeat(together, together)
    left = deck - before
    chance = 1.0 / left
    held = np.full((len(starts), int(lengths.max())), -1)
    held[rows, at] = cards
    fair += np.bincount(places, chance, minlength=size)[:, None]
    for k in range(int(before.max())):
        later = np.flatnonzero(before > k)
        keys = places[later] * deck + held[rows[later], k]
        fair -= np.bincount(keys, chance[later], minlength=size * deck).reshape(size, deck)
    seen = np.bincount(places * deck + cards, minlength=size * deck).reshape(size, deck).astype(np.float64)
    draws = np.bincount(places, minlength=size)
    spreads = np.bincount(places, (left - together) / np.maximum(left - 1, 1), minlength=size)
    return [Counts(seen[k], fair[k], float(draws[k]), float(spreads[k])) for k in range(size)]


def least_shift(df: int, draws: float, spread: float, kinds: int, tests: float) -> float:
    """By how much of its chance one of some equally likely kinds must deviate to be found four times of five.

    draws, spread  as in `Counts`
    tests          how many there are: each is judged at LEVEL / tests, half of which is the statistic's
    """
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    bound = chi2.isf(LEVEL / tests / 2, df)
    noncentral = brentq(lambda nc: float(ncx2.sf(bound, df, nc)) - _POWER, 1e-6, 1e5)
    # A share p that is d x p too large adds draws x d^2 x p / (1 - p) to the statistic.
    return float(np.sqrt(noncentral * (kinds - 1) * spread / draws))


@dataclass(frozen=True)
class _Pool:
    """Matches of one event, game and deck."""

    event: str | None
    game: str
    deck: tuple[str, ...]
    boards: int
    matches: tuple[int, ...]


def _pools(store: Store, matches: Sequence[int]) -> list[_Pool]:
    rows = store.execute(queries("dealer")["pools"], ids=list(matches)).fetchall()
    return [
        _Pool(event, game, tuple(deck), boards, tuple(row[0] for row in found))
        for (event, game, deck, boards), found in (
            (key, list(rows)) for key, rows in groupby(rows, key=lambda row: (row[1], row[2], row[3], row[4]))
        )
    ]


def _dealt(store: Store, pool: _Pool) -> tuple[int, dict[str, Counts]]:
    """The hands of a pool, and the counts of its cards by place."""
    found: dict[str, Counts] = {}
    hands = 0
    for k in range(0, len(pool.matches), _BATCH):
        table = store.sql(
            queries("dealer")["cards"],
            ids=list(pool.matches[k : k + _BATCH]),
            deck=list(pool.deck),
            boards=pool.boards,
            game=pool.game,
        ).to_arrow_table()
        if not table.num_rows:
            continue
        names = table["place"].combine_chunks().dictionary_encode()
        numbers = {name: table[name].to_numpy() for name in ("hand", "event", "card")}
        counts = counted(
            numbers["hand"],
            numbers["event"],
            numbers["card"],
            names.indices.to_numpy(),
            len(names.dictionary),
            len(pool.deck),
        )
        hands += int(numbers["hand"][-1]) + 1
        for name, one in zip(names.dictionary.to_pylist(), counts, strict=True):
            if name in found:
                found[name].add(one)
            else:
                found[name] = one
    return hands, found


Row = tuple[DealerTest, Callable[[float], float]]
"""A test, and what it would have found, as a function of the number of tests."""


def _chance(statistic: float, df: int, rarest: Any, commonest: Any, fair: Any) -> float:
    """p of counts of df + 1 kinds: twice the less of the statistic's and of the farthest kind's by itself.

    rarest, commonest: how often the kinds that are farthest off came, or any others too, of `fair`
    """
    from scipy.stats import chi2, poisson

    tail = min(np.min(poisson.cdf(rarest, fair)), np.min(poisson.sf(np.asarray(commonest) - 1, fair)))
    return float(min(1.0, 2 * chi2.sf(statistic, df), 4 * (df + 1) * tail))


def _of_counts(
    row: Mapping[str, Any], names: Sequence[str], seen: Floats, fair: Floats, spread: float = 1.0
) -> Row | None:
    """Pearson's chi-square of counts by kind, and the farthest kind by itself; None where too few of one are expected.

    row: the other columns; spread: the share of the variance of single draws
    """
    if len(names) < 2 or fair.min() < _LEAST or spread <= 0:
        return None
    off = (seen - fair) / np.sqrt(fair)
    low, high = int(off.argmin()), int(off.argmax())
    statistic, df, draws = float((off**2).sum() / spread), len(names) - 1, float(seen.sum())
    tested = DealerTest(
        **row,
        dealt=int(draws),
        statistic=statistic,
        df=df,
        expected=float(fair.mean()),
        rarest=names[low],
        rarest_dealt=int(seen[low]),
        commonest=names[high],
        commonest_dealt=int(seen[high]),
        p=_chance(statistic, df, seen, seen, fair),
    )
    return tested, partial(least_shift, df, draws, spread, len(names))


def _of_cards(pool: _Pool, hands: int, found: Mapping[str, Counts]) -> Iterator[Row | None]:
    """Tests of cards, ranks and suits at each place, and at all of them."""
    every = Counts(np.zeros(len(pool.deck)), np.zeros(len(pool.deck)))
    for counts in found.values():
        every.add(counts)
    for place, counts in (*found.items(), *([(_ALL, every)] if len(found) > 1 else [])):
        for test, of in (("cards", slice(None)), ("ranks", 0), ("suits", 1)):
            kinds, of_kind = np.unique([card[of] for card in pool.deck], return_inverse=True)
            row = {
                "event": pool.event,
                "game": pool.game,
                "test": test,
                "place": place,
                "matches": len(pool.matches),
                "hands": hands,
                "deck": len(pool.deck),
                "match_id": pool.matches[0],
            }
            if len(pool.matches) == 1 and (test, place) == ("cards", _HOLES):
                # The match has a row of its own.
                continue
            yield _of_counts(
                row,
                kinds.tolist(),
                np.bincount(of_kind, counts.seen).astype(np.float64),
                np.bincount(of_kind, counts.fair).astype(np.float64),
                counts.spread / max(counts.draws, 1.0),
            )


def _of_matches(store: Store, matches: Sequence[int]) -> Iterator[Row]:
    """A test of the hole cards of each match."""
    rows = store.execute(queries("audit")["balance"], ids=list(matches)).fetchall()
    for event, game, hands, deck, dealt, statistic, df, *cards, match_id in rows:
        expected, rarest, rarest_dealt, commonest, commonest_dealt = cards
        yield (
            DealerTest(
                event=event,
                game=game,
                test="cards",
                place=_OF_MATCH,
                matches=1,
                hands=hands,
                deck=deck,
                dealt=dealt,
                statistic=statistic,
                df=df,
                expected=expected,
                rarest=rarest,
                rarest_dealt=rarest_dealt,
                commonest=commonest,
                commonest_dealt=commonest_dealt,
                p=_chance(statistic, df, rarest_dealt, commonest_dealt, expected),
                match_id=match_id,
            ),
            partial(least_shift, df, dealt, 1.0, df + 1),
        )


def _once(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Rows of the query equities; of two players, positions or seats that share every hand the one that gains."""
    for _, group in groupby(rows, key=lambda row: row[:5]):
        found = [*group]
        if len(found) == 2 and found[0][7] == found[1][7] and abs(found[0][8] + found[1][8]) < _EQUAL:
            found = [max(found, key=lambda row: float(row[8]))]
        yield from found


def _equities(store: Store, matches: Sequence[int]) -> Iterator[Row]:
    """Tests of what the cards gave each player, position and seat.

    Where there are two of a kind in every hand, what one gains the other loses: the gainer's row is the test of both.
    """
    from scipy.stats import chi2, norm

    rows = store.execute(queries("dealer")["equities"], ids=list(matches), ranks=RANKS).fetchall()
    for event, game, test, place, kind, who, count, hands, gained, squares, match_id in _once(rows):
        if hands < _FEWEST or not squares:
            continue
        statistic = gained**2 / squares

        def power(tests: float, error: float = squares**0.5 / hands) -> float:
            return error * float(norm.isf(LEVEL / tests / 2) + norm.ppf(_POWER))

        yield (
            DealerTest(
                event=event,
                game=game,
                test=f"{test} by {kind}",
                place=place,
                who=who,
                matches=count,
                hands=hands,
                dealt=hands,
                statistic=statistic,
                df=1,
                effect=gained / hands,
                p=float(chi2.sf(statistic, 1)),
                match_id=match_id,
            ),
            power,
        )


def _secret_ranks(store: Store, matches: Sequence[int]) -> Iterator[Row | None]:
    """A test of the ranks that players are given secretly, each as likely as the others."""
    rows = store.execute(queries("dealer")["secret_ranks"], ids=list(matches)).fetchall()
    for (event, game, ranks, count, match_id), drawn in groupby(rows, key=lambda row: row[:5]):
        times = {row[5]: row[6] for row in drawn}
        names = [*RANKS[-ranks:]]
        seen = np.array([times.get(name, 0) for name in names], np.float64)
        row = {
            "event": event,
            "game": game,
            "test": "secret ranks",
            "place": "secret ranks",
            "matches": count,
            "hands": None,
            "match_id": match_id,
        }
        yield _of_counts(row, names, seen, np.full(len(names), seen.sum() / len(names)))


def _exchanges(store: Store, matches: Sequence[int]) -> Iterator[Row]:
    """Tests of how often hole cards were exchanged by chance, in all and by player and position."""
    from scipy.stats import binom, norm

    for event, game, place, kind, who, chance, count, hands, could, changed, match_id in store.execute(
        queries("dealer")["exchanges"], ids=list(matches)
    ).fetchall():
        if could * chance < _LEAST:
            continue
        error = (could * chance * (1 - chance)) ** 0.5

        def power(tests: float, share: float = error / (could * chance)) -> float:
            return share * float(norm.isf(LEVEL / tests / 2) + norm.ppf(_POWER))

        yield (
            DealerTest(
                event=event,
                game=game,
                test=f"exchanges{kind}",
                place=place,
                who=who or None,
                matches=count,
                hands=hands,
                dealt=could,
                statistic=((changed - could * chance) / error) ** 2,
                df=1,
                expected=could * chance,
                rarest="kept",
                rarest_dealt=could - changed,
                commonest="exchanged",
                commonest_dealt=changed,
                p=min(
                    1.0,
                    2 * float(min(binom.cdf(changed, could, chance), binom.sf(changed - 1, could, chance))),
                ),
                match_id=match_id,
            ),
            power,
        )


_STEPS: Final = 4
"""Ranks passed over before one is taken that are counted one by one, and those that are counted together."""


def _permutations(store: Store, matches: Sequence[int]) -> Iterator[Row | None]:
    """A test of the permutations of ranks: how many of the ranks left were passed over before the next was taken.

    Of n left, k are passed over with chance stay x (1 - stay)^k / (1 - (1 - stay)^n): who passes all begins again.
    """
    rows = store.execute(queries("dealer")["permutations"], ids=list(matches)).fetchall()
    for event, game, stay, permutations, match_id in rows:
        seen, fair = np.zeros(_STEPS + 1), np.zeros(_STEPS + 1)
        for permutation in permutations:
            left = [*RANKS[-len(permutation) :]]
            if sorted(permutation, key=str) != sorted(left):
                # The log does not say all of it.
                continue
            for rank in permutation[:-1]:
                chances = stay * (1 - stay) ** np.arange(len(left)) / (1 - (1 - stay) ** len(left))
                passed = left.index(rank)
                del left[passed]
                seen[min(passed, _STEPS)] += 1
                np.add.at(fair, np.minimum(np.arange(len(chances)), _STEPS), chances)
        row = {
            "event": event,
            "game": game,
            "test": "permutations",
            "place": "ranks passed over",
            "matches": len(permutations),
            "hands": None,
            "match_id": match_id,
        }
        yield _of_counts(row, [*map(str, range(_STEPS)), f"{_STEPS} or more"], seen, fair)


def _repeats(store: Store, matches: Sequence[int]) -> Iterator[Row]:
    """A test of how many pairs of an event's hands were dealt the same hole cards and the same flop."""
    from scipy.stats import poisson

    for event, game, count, hands, pairs, fair, match_id, hand_index in store.execute(
        queries("dealer")["repeats"], ids=list(matches)
    ).fetchall():

        def power(tests: float, fair: float = fair) -> float:
            bound = int(poisson.isf(LEVEL / tests, fair)) + 1
            return next(n for n in range(bound, bound * 10 + 100) if poisson.sf(bound - 1, n) >= _POWER)

        yield (
            DealerTest(
                event=event,
                game=game,
                test="repeats",
                place="hole cards and flop",
                matches=count,
                hands=hands,
                dealt=pairs,
                expected=fair,
                p=float(poisson.sf(pairs - 1, fair)),
                match_id=match_id,
                hand_index=hand_index,
            ),
            power,
        )


def power(found: Sequence[DealerTest]) -> str:
    """What tests would have found four times of five, in words; empty where there are none of cards."""
    told = []
    for test, what in (("suits", "a suit"), ("ranks", "a rank"), ("cards", "a card")):
        least = [row.seen_from for row in found if row.test == test and row.seen_from is not None]
        if least:
            told.append(f"{what} that comes {min(least):.1%} too often")
    return f"Found four times of five: {', '.join(told)}." if told else ""


def tests(store: Store, matches: Sequence[int], gains: bool = True) -> list[DealerTest]:
    """Every test of the dealers of some matches, of each event and game; q is over all, and of concern below LEVEL.

    gains: those of what the cards gave players, too, for which the store counts the equities that it lacks.
    """
    from scipy.stats import false_discovery_control

    rows: list[Row | None] = []
    pools = _pools(store, matches)
    for pool in pools:
        rows += _of_cards(pool, *_dealt(store, pool))
    judged = [match_id for pool in pools for match_id in pool.matches]
    rows += _of_matches(store, matches)
    if gains:
        rows += _equities(store, judged)
    rows += _secret_ranks(store, judged)
    rows += _exchanges(store, judged)
    rows += _permutations(store, judged)
    rows += _repeats(store, judged)
    known = [row for row in rows if row is not None]
    found = []
    for is_of_match, share in _SHARE.items():
        family = [row for row in known if row[0].is_of_match is is_of_match]
        adjusted = false_discovery_control([tested.p for tested, _ in family]) if family else []
        for (tested, power), q in zip(
            family, np.minimum(1, np.asarray(adjusted) / share).tolist(), strict=True
        ):
            found.append(tested._replace(seen_from=power(len(family) / share), q=q, concern=q < LEVEL))
    return sorted(found, key=_by_concern)


def _by_concern(row: DealerTest) -> tuple[object, ...]:
    """Equal p differ in their last digits from run to run, as sums are added in any order: the names decide then."""
    where = row.event or "", row.game, row.test, row.place, row.who or "", row.match_id
    return not row.concern, row.is_of_match, float(f"{row.p:.9g}"), *where
