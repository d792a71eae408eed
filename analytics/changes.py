"""When a player's play changed from one match to the next, such as by a new version of a bot (docs/opponent.md).

Decisions are compared in cells. A cell holds decisions after the same public line, with as many players, about the same
stack, and in Bounty the same own rank. Cards are not part of it: they are dealt alike in all matches. Before the board
comes, a line is who did what, with bets rounded to 5% of the pot. Later what others do says something about the board,
so from then on decisions are compared with the same opponents only; their lines have words without sizes, and the
size that is faced. If the player's strategy stays the same, the actions in a cell are draws of constant, unknown
chances, whoever the opponents are. (Neglected: what a bet of others says about the cards left in the deck, opponents
that learn, and on later streets opponents that change.)

The evidence against that compares the decisions before and after the start of a match. Given how many decisions of a
cell lie on each side and how many of all were, say, folds, the number of folds after it is hypergeometric, whatever
the chances are. A change tilts it (Fisher's noncentral hypergeometric distribution), in all cells of a group alike; a
group holds the folds, the raises or the sizes of raises of a street. The likelihood ratio, mixed over groups, tilts and
starts, is an e-value: its mean is at most 1 under equal play (Grünwald, de Heide and Koolen, Journal of the Royal
Statistical Society B 86 (2024) 1091-1128). So by Markov's inequality it reaches 1 / alpha with a chance of at most
alpha. The look after match k of a stretch that begins with match s has the share v(s) w(k - s) of alpha; v and w sum to
1. So a user may look after every match: the chance that anything is ever found under equal play is at most alpha.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from math import log
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from .intervals import ALPHA, newcombe, wilson
from .model import railbird_model as spots
from .model.decisions import (
    Acts,
    before_in_group,
    numbers,
    read_acts,
    words_of,
)
from .model.railbird_model import CHECK, FOLD, RAISE
from .players import Asked, Player, chunks, matches_in_order, rules_of
from .settings import FEW
from .views import queries

if TYPE_CHECKING:
    from ..variants.properties import Properties

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SHARES: Final = (0.03, 0.25)
"""The shares of the groups that a change may affect, with equal weights."""
TILTS: Final = (-3.0, -1.6, -0.8, -0.3, 0.3, 0.8, 1.6, 3.0)
"""Log odds ratios of a change, with equal weights."""
SLOTS: Final = 64
"""The most matches that are tested singly. Beyond that several in a row count as one, which only delays detection."""
GROWTH: Final = 1.25
"""Each look has so many times the matches of the look before."""
SURE: Final = 3.0
"""Standard errors by which a rate that is listed differs at least, but for the first one."""
SHOWN: Final = 8
"""Rates of a change that are listed."""
_HANDS: Final = 40_000
_SIZE_STEP: Final = 0.05
_LARGEST: Final = 20.0
_MOST_LOG: Final = 690.0
"""The largest logarithm of an e-value; a larger value is not a float."""
_CELLS: Final = 4_000_000
"""Numbers of an array at most."""
_OTHER: Final = 4
"""`Acts.kind` of what is no betting is no smaller."""
_FOLDS, _RAISES, _SIZES = range(3)
_KEPT: Final = {
    **dict.fromkeys(("match", "who", "hand", "seq"), np.int32),
    **dict.fromkeys(("cell", "line"), np.uint64),
    **dict.fromkeys(("choice", "options", "spot", "faced"), np.int8),
    **dict.fromkeys(("is_size", "faces"), np.bool_),
}
"""The types of the columns of `History.choices`, of which a million hands have five million rows."""


@dataclass
class Choices:
    """n decisions of players in the order of play.

    match   (n) place of the match; who: (n) number of the player; hand, seq: as in `actions`
    cell    (n) of decisions that are compared; line: (n) of the public line, which cells share
    choice  (n) what was chosen among `options` (n): an action, or of a raise the bin of its size
    is_size (n) whether it is the size of a raise; faces: (n) whether there is something to call
    spot    (n) street, and how many raises of the street are faced, as a number
    faced   (n) the bin of the size of the bet that is faced, from 1; 0 for none
    """

    match: Ints
    who: Ints
    hand: Ints
    seq: Ints
    cell: NDArray[np.uint64]
    line: NDArray[np.uint64]
    choice: Ints
    options: Ints
    is_size: NDArray[np.bool_]
    faces: NDArray[np.bool_]
    spot: Ints
    faced: Ints

    def take(self, rows: Array) -> "Choices":
        """Some of them."""
        return Choices(*(getattr(self, each.name)[rows] for each in fields(self)))


@dataclass(frozen=True)
class Played:
    """A match: its players by seat, numbered by `History.people`."""

    match_id: int
    path: str
    hands: int
    players: tuple[int, ...]


@dataclass
class History:
    """The matches of an event and game in the order of play, and what players chose in them, in narrow columns."""

    matches: Sequence[Played]
    people: Sequence[tuple[str, int | None]]
    choices: Choices


@dataclass(frozen=True)
class Rate:
    """A rate before and after a change, of decisions after the line before act `seq` of a hand.

    before, after: (opportunities, successes)
    """

    match_id: int
    hand: int
    seq: int
    word: str
    size: int | None
    faced: int | None
    before: tuple[int, int]
    after: tuple[int, int]


@dataclass(frozen=True)
class Change:
    """A change of play.

    start      place of the first match with the new play, among the player's matches
    noticed    place of the match after which the evidence sufficed
    evidence   the e-value then times the look's share of alpha, 1 / alpha or more
    since, until  places of the first match of the play before, and of the one after the last match of the new play
    """

    start: int
    noticed: int
    evidence: float
    since: int
    until: int
    rates: Sequence[Rate] = ()


def does_not_apply(rules: "Properties") -> str | None:
    """Why changes cannot be found in a game; None where they can."""
    if rules.simultaneous:
        return f"all players bet at once in {rules.title}, so decisions have no line"
    if rules.boards > 1:
        return f"in {rules.title} a decision depends on the other boards"
    return None


def read_history(store: Asked, event: str, game: str, player: Player | None = None) -> History:
    """The matches of an event and game and what players chose; player: its matches and its decisions only."""
    rules = rules_of(store, game)
    people: dict[tuple[str, int | None], int] = {}
    if player is not None:
        people[player.name, player.seat] = 0
    seats: dict[int, list[int]] = {}
    sizes: dict[int, int] = {}
    paths: dict[int, str] = {}
    for match_id, hands, path, _, _, name, namesake, _ in matches_in_order(store, event, game):
        seats.setdefault(match_id, []).append(people.setdefault((name, namesake), len(people)))
        sizes[match_id], paths[match_id] = hands, path or ""
    ids = [one for one in seats if player is None or 0 in seats[one]]
    matches = [Played(one, paths[one], sizes[one], tuple(seats[one])) for one in ids]
    place = {one: k for k, one in enumerate(ids)}
    table = np.full((len(ids), max((len(one.players) for one in matches), default=1)), -1)
    others = np.zeros(table.shape, np.uint64)
    names = list(people)
    for k, one in enumerate(matches):
        for seat, number in enumerate(one.players):
            table[k, seat] = number
            rivals = sorted(str(names[other]) for at, other in enumerate(one.players) if at != seat)
            others[k, seat] = crc32("\0".join(rivals).encode())
    safe = np.full(len(ids), np.iinfo(np.int64).max)
    for match_id, hand in store.sql(queries("changes")["locks"], ids=ids).fetchall():
        safe[place[match_id]] = hand
    parts = []
    for some in chunks(ids, [one.hands for one in matches], _HANDS):
        made = _read(store, rules, some, place, others)
        made.who = table[made.match, made.who]
        keep = made.hand < safe[made.match]
        made = made.take(keep if player is None else keep & (made.who == 0))
        parts.append(_narrowed(made.take(np.lexsort((made.is_size, made.seq, made.hand, made.match)))))
    return History(matches, names, _joined(parts))


def _narrowed(choices: Choices) -> Choices:
    """The same in a third of the memory."""
    return replace(
        choices, **{name: getattr(choices, name).astype(kind, copy=False) for name, kind in _KEPT.items()}
    )


def _widened(choices: Choices) -> Choices:
    """The same with numbers that sums and products fit into."""
    wide = {name: np.int64 for name, kind in _KEPT.items() if kind in (np.int32, np.int8)}
    return replace(choices, **{name: getattr(choices, name).astype(kind) for name, kind in wide.items()})


def _joined(parts: list[Choices]) -> Choices:
    """Choices one behind the other; the parts are emptied column by column, so that memory holds one copy."""
    nothing = np.zeros(0, np.int64)
    columns: dict[str, Any] = {each.name: nothing for each in fields(Choices)}
    empty, made = _narrowed(Choices(**columns)), dict[str, Any]()
    for each in fields(Choices):
        made[each.name] = np.concatenate([getattr(part, each.name) for part in [empty, *parts]])
        for part in parts:
            setattr(part, each.name, nothing)
    return Choices(**made)


def _mixed(value: Array) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    x = value.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: NDArray[np.uint64] = x ^ (x >> np.uint64(31))
    return found


def _hashed(*columns: Array) -> NDArray[np.uint64]:
    """A number for each combination of whole numbers."""
    found = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        found = _mixed(found ^ _mixed(np.asarray(column).astype(np.int64).view(np.uint64)))
    return found


def _texts(codes: Array, words: Sequence[str]) -> Ints:
    """Numbers of coded texts that are the same whatever else was read."""
    return np.array([crc32(str(word).encode()) for word in [*words, ""]], np.int64)[codes]


def _read(
    store: Asked, rules: "Properties", ids: Sequence[int], place: dict[int, int], others: Array
) -> Choices:
    """The choices of all players of some matches; `who` is the seat."""
    table, acts = read_acts(store, ids, place)
    spot = {
        name: numbers(table[name])
        for name in (
            "pot_before",
            "to_call",
            "pip_before",
            "stack_before",
            "max_raise_to",
            "big_blind",
            "players",
        )
    }
    unit = np.maximum(spot["big_blind"], 1e-9)
    size = np.nan_to_num(spots.sizes_of(numbers(table["amount_to"]), spot))
    position = _texts(acts.places, acts.position_names)
    exact, words = (_lines(acts, each) for each in _tokens(table, acts, position, size, unit))
    betting = acts.kind < _OTHER
    order = np.lexsort((acts.seq, acts.key))
    mine, of_street = _hashed(acts.key, acts.seat), _hashed(acts.key, acts.street)
    told = (acts.street > acts.street.min(initial=0)) | ~betting
    heard = before_in_group(told, acts.key, order)
    heard = heard > before_in_group(told, mine, np.lexsort((acts.seq, mine)))
    level = before_in_group(acts.raises, of_street, np.lexsort((acts.seq, of_street)))
    faces, can_raise = spot["to_call"] > 0, ~np.isnan(spot["max_raise_to"])
    legal = np.where(acts.kind == RAISE, can_raise, (acts.kind == CHECK) != faces)
    options = 1 + faces.astype(np.int64) + can_raise
    faced = spots.bins_of(spot["to_call"] / np.maximum(spot["pot_before"] - spot["to_call"], 1e-9))
    faced = np.where(faces & (level > 0), faced + 1, 0)
    acted = np.where(heard, words, exact).view(np.int64)
    line = _hashed(acted, heard, faced, position, acts.street, spot["players"], faces, can_raise)
    _, first, at = np.unique(mine[order], return_index=True, return_inverse=True)
    stack = np.empty(len(order))
    stack[order] = (spot["stack_before"] + spot["pip_before"])[order][first][at.reshape(-1)]
    stack = np.round(2 * np.log2(np.maximum(np.nan_to_num(stack) / unit, 0.1)))
    rank = np.nan_to_num(numbers(table["bounty_rank"]), nan=-1.0)
    rival = np.where(heard, others[acts.match, acts.seat].astype(np.int64), 0)
    cell = _hashed(line.view(np.int64), stack, rank, rival)
    # If the log does not show a bounty, the 25 hands of its block share one.
    known = (rank >= 0) | (not rules.bounties)
    rows = np.flatnonzero(acts.own & betting & legal & (options > 1) & known)
    choice = np.where(
        acts.kind == RAISE, options - 1, np.where(acts.kind == FOLD, 0, options - 1 - can_raise)
    )
    raised = rows[acts.kind[rows] == RAISE]
    both, is_size = np.r_[rows, raised], np.r_[np.zeros(len(rows), bool), np.ones(len(raised), bool)]
    return Choices(
        acts.match[both],
        acts.seat[both],
        acts.hand[both],
        acts.seq[both],
        np.where(is_size, _mixed(cell[both]), cell[both]),
        np.where(is_size, _mixed(line[both]), line[both]),
        np.where(is_size, spots.bins_of(size[both]), choice[both]),
        np.where(is_size, len(spots.SIZES) + 1, options[both]),
        is_size,
        faces[both],
        (np.clip(acts.street, 0, 3) * 4 + np.where(faces, 1 + np.minimum(level, 2), 0))[both],
        np.where(is_size, 0, faced[both]),
    )


def _tokens(
    table: Any, acts: Acts, position: Ints, size: Floats, unit: Floats
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """What each act was, as a number: with its size, rounded, and without it."""
    kinds, words = words_of(table["action"])
    bid = np.round(2 * np.log2(1 + np.maximum(np.nan_to_num(numbers(table["amount_logged"])), 0) / unit))
    amount = np.round(np.clip(size, 0, _LARGEST) / _SIZE_STEP)
    amount = np.where(acts.raises, amount, np.where(acts.bids, bid, 0))
    word = np.where(acts.raises, crc32(b"raise"), _texts(kinds, words))
    return _hashed(acts.street, position, word, amount), _hashed(acts.street, position, word)


def _lines(acts: Acts, tokens: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """(n) a number for the acts of the hand before each act."""
    order = np.lexsort((acts.seq, acts.key))
    key = acts.key[order]
    starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]]) if len(key) else np.zeros(0, np.int64)
    lengths = np.diff(np.r_[starts, len(key)])
    found = np.zeros(len(key), np.uint64)
    state = np.zeros(len(starts), np.uint64)
    for step in range(int(lengths.max(initial=0))):
        some = np.flatnonzero(lengths > step)
        at = order[starts[some] + step]
        found[at] = state[some]
        state[some] = _mixed(state[some] ^ tokens[at])
    return found


@dataclass
class Tallies:
    """The two-way choices of one player by cell and slot of matches: a fold, a raise or a larger size, or not.

    taken, all  (cells, slots + 1) successes and opportunities before each slot
    group       (cells) the group that a cell belongs to
    line, kind  (cells) the public line, and what the choice is about
    """

    taken: Ints
    all: Ints
    group: Ints
    line: NDArray[np.uint64]
    kind: Ints


def _two_way(choices: Choices) -> tuple[Array, Ints, NDArray[np.bool_]]:
    """Choices as choices between two: the row of each, what it is about, and whether it was taken.

    Folds, then raises of what was not folded; of sizes, each bin against all above. So given the cell they are
    independent.
    """
    faces = choices.faces & ~choices.is_size
    can_raise = ~choices.is_size & (choices.options > 1 + choices.faces)
    is_raise = choices.choice == choices.options - 1
    stays = ~faces | (choices.choice > 0)
    folding, raising = np.flatnonzero(faces), np.flatnonzero(can_raise & stays)
    parts = [
        (folding, _FOLDS, choices.choice[folding] == 0),
        (raising, _RAISES, is_raise[raising]),
    ]
    for size in range(len(spots.SIZES)):
        rows = np.flatnonzero(choices.is_size & (choices.choice >= size))
        parts.append((rows, _SIZES + size, choices.choice[rows] > size))
    kind = np.repeat(np.array([kind for _, kind, _ in parts], np.int64), [len(rows) for rows, _, _ in parts])
    return (
        np.concatenate([rows for rows, _, _ in parts]),
        kind,
        np.concatenate([taken for _, _, taken in parts]),
    )


def tallied(choices: Choices, ends: Ints) -> Tallies:
    """The tallies of one player's choices; ends: the place after the last match of each slot."""
    rows, kind, taken = _two_way(choices)
    cell = _hashed(choices.cell[rows].view(np.int64), kind)
    names, first, at, number = np.unique(cell, return_index=True, return_inverse=True, return_counts=True)
    at = at.reshape(-1)
    won = np.bincount(at, taken, len(names))
    # Of cells in which always the same was done, every order is alike.
    kept = np.flatnonzero((won > 0) & (won < number))
    name = np.full(len(names), -1)
    name[kept] = np.arange(len(kept))
    slot = np.searchsorted(ends, choices.match[rows], side="right")
    use = name[at] >= 0
    sums = np.zeros((2, len(kept), len(ends) + 1), np.int64)
    np.add.at(sums[1], (name[at[use]], slot[use] + 1), 1)
    np.add.at(sums[0], (name[at[use]], slot[use] + 1), taken[use])
    sums = sums.cumsum(axis=2)
    row = rows[first[kept]]
    group = choices.spot[row] * (_SIZES + 1) + np.minimum(kind[first[kept]], _SIZES)
    return Tallies(sums[0], sums[1], group, choices.line[row], kind[first[kept]])


def log_mean_exp(total: Ints, taken: Ints, drawn: Ints, tilts: Floats) -> Floats:
    """(n, tilts) log E exp(tilt x) of hypergeometric x.

    Of `total`, `taken` are of a kind, and `drawn` are drawn, all (n).
    """
    # `scipy.special` takes long to import.
    from scipy.special import gammaln

    triples, inverse = np.unique(np.stack([total, taken, drawn]), axis=1, return_inverse=True)
    total, taken, drawn = triples
    factorials = gammaln(np.arange(int(total.max(initial=0)) + 2) + 1.0)

    def choose(n: Ints, k: Ints) -> Floats:
        inside = (k >= 0) & (k <= n)
        k = np.where(inside, k, 0)
        found: Floats = np.where(inside, factorials[n] - factorials[k] - factorials[n - k], -np.inf)
        return found

    found = np.zeros((triples.shape[1], len(tilts)))
    most = np.minimum(taken, drawn)
    order = np.argsort(most)
    start = 0
    while start < len(order):
        # Rows of like length together.
        width = max(int(most[order[start]]) * 3 // 2, 16)
        stop = int(np.searchsorted(most[order], width, side="right"))
        stop = max(min(stop, start + max(_CELLS // ((width + 1) * len(tilts)), 1)), start + 1)
        rows = order[start:stop]
        x = np.arange(int(most[rows].max(initial=0)) + 1)
        n, k, m = (each[rows, None] for each in (total, taken, drawn))
        chance = choose(k, x + 0 * k) + choose(n - k, m - x) - choose(n, m)
        with_tilt = chance[:, :, None] + tilts * x[:, None]
        found[rows] = np.logaddexp.reduce(with_tilt, axis=1)
        start = stop
    every: Floats = found[inverse.reshape(-1)]
    return every


def evidence(tallies: Tallies, start: int, stop: int) -> Floats:
    """Log e-values that play changed between slots `start` and `stop`: before each of the slots after the first."""
    tilts = np.array(TILTS)
    places = np.arange(start + 1, stop)
    total = tallies.all[:, stop] - tallies.all[:, start]
    taken = tallies.taken[:, stop] - tallies.taken[:, start]
    cells = np.flatnonzero((taken > 0) & (taken < total))
    drawn = tallies.all[cells, stop, None] - tallies.all[cells][:, places]
    after = tallies.taken[cells, stop, None] - tallies.taken[cells][:, places]
    row, column = np.nonzero((drawn > 0) & (drawn < total[cells, None]))
    ratio = tilts * after[row, column, None]
    ratio -= log_mean_exp(total[cells[row]], taken[cells[row]], drawn[row, column], tilts)
    groups, group = np.unique(tallies.group[cells], return_inverse=True)
    sums = np.zeros((len(groups), len(places), len(tilts)))
    np.add.at(sums, (group.reshape(-1)[row], column), ratio)
    each = np.logaddexp.reduce(sums, axis=2) - log(len(tilts))
    mixed = [np.logaddexp(log(1 - share), log(share) + each).sum(axis=0) for share in SHARES]
    found: Floats = np.logaddexp.reduce(mixed, axis=0) - log(len(SHARES))
    return found


def _weight(number: int) -> float:
    """Weights of the numbers from 1, which sum to 1."""
    return 1 / (number * (number + 1))


def _slots(matches: int) -> Ints:
    """The places after the last match of each slot."""
    size = -(-matches // SLOTS)
    return np.unique(np.r_[np.arange(size, matches + 1, size), matches]).astype(np.int64)


def _looks(start: int, slots: int) -> list[int]:
    """The slots after which is looked for a change since a slot: at first after each, then after so many more."""
    found = []
    length = 2
    while start + length < slots:
        found.append(start + length)
        length = max(length + 1, int(length * GROWTH))
    return [*found, slots] if start + 1 < slots else found


def find_changes(choices: Choices, matches: int, alpha: float = ALPHA) -> list[Change]:
    """The changes of one player's play over so many matches; `Choices.match` are their places."""
    ends = _slots(matches)
    tallies = tallied(choices, ends)
    firsts = np.r_[0, ends]
    found: list[tuple[int, int, float]] = []
    start = 0
    while True:
        share = 0.5 if start == 0 else 0.5 * _weight(int(firsts[start]))
        for stop in _looks(start, len(ends)):
            values = evidence(tallies, start, stop)
            value = float(np.logaddexp.reduce(values)) - log(len(values))
            spent = share * _weight(int(firsts[stop] - firsts[start]) - 1)
            if value >= -log(alpha * spent):
                break
        else:
            break
        start = start + 1 + int(values.argmax())
        found.append((start, stop, value + log(spent)))
    places = [0, *(one[0] for one in found), len(ends)]
    for k in range(1, len(places) - 1):
        # Where all matches put the start that are of these two ways to play.
        places[k] = places[k - 1] + 1 + int(evidence(tallies, places[k - 1], places[k + 1]).argmax())
    return [
        Change(
            int(firsts[places[k]]),
            int(firsts[max(seen, places[k] + 1)]) - 1,
            float(np.exp(min(value, _MOST_LOG))),
            int(firsts[places[k - 1]]),
            int(firsts[places[k + 1]]),
        )
        for k, (_, seen, value) in enumerate(found, 1)
    ]


def rates_of(choices: Choices, change: Change, ids: Sequence[int]) -> list[Rate]:
    """What changed most, with both rates, a line of play a row; ids: match_id by place.

    Lines are in the order of the z of Cochran, Mantel and Haenszel over their cells.
    """
    some = choices.take((choices.match >= change.since) & (choices.match < change.until))
    tallies = tallied(some, np.array([change.start, change.until]))
    total, taken = tallies.all[:, 2].astype(np.float64), tallies.taken[:, 2].astype(np.float64)
    drawn, after = total - tallies.all[:, 1], taken - tallies.taken[:, 1]
    excess = after - drawn * taken / total
    spread = drawn * (total - drawn) * taken * (total - taken) / (total**2 * np.maximum(total - 1, 1))
    # By line and kind, then the kind of each line that differs most.
    both, which = np.unique(
        np.stack([tallies.line, np.minimum(tallies.kind, _SIZES).astype(np.uint64)]),
        axis=1,
        return_inverse=True,
    )
    sums = [np.bincount(which.reshape(-1), each, both.shape[1]) for each in (excess, spread)]
    z = np.where(sums[1] > 0, np.abs(sums[0]) / np.sqrt(np.maximum(sums[1], 1e-12)), 0.0)
    found: dict[int, Rate] = {}
    for k in np.argsort(-z, kind="stable").tolist():
        if z[k] <= (SURE if found else 0) or len(found) == SHOWN:
            break
        line = int(both[0, k])
        if line not in found:
            found[line] = _rate(some, change, ids, both[0, k])
    return list(found.values())


def _rate(some: Choices, change: Change, ids: Sequence[int], line: np.uint64) -> Rate:
    """The choice of a line whose rates differ most."""
    here = np.flatnonzero(some.line == line)
    row = int(here[0])
    chosen, late = some.choice[here], some.match[here] >= change.start
    options = int(some.options[row])
    counts = np.array([np.bincount(chosen[late == side], minlength=options) for side in (False, True)])
    n = counts.sum(axis=1)
    shift = np.abs(counts[1] / n[1] - counts[0] / n[0])
    is_size = bool(some.is_size[row])
    words = ("fold", "call", "raise") if some.faces[row] else ("check", "raise")
    if not is_size:
        # Calls and checks are what is left.
        shift[[word in ("call", "check") for word in words[:options]]] = -1
    what = int(shift.argmax())
    return Rate(
        ids[int(some.match[row])],
        int(some.hand[row]),
        int(some.seq[row]),
        "raise" if is_size else words[what],
        what + 1 if is_size else None,
        int(some.faced[row]) or None,
        (int(counts[0, what]), int(n[0])),
        (int(counts[1, what]), int(n[1])),
    )


def changes_of(history: History, number: int, alpha: float = ALPHA) -> tuple[list[Played], list[Change]]:
    """The matches of a player, numbered as in `History.people`, and the changes of its play between them."""
    own = [k for k, one in enumerate(history.matches) if number in one.players]
    place = np.full(len(history.matches), -1)
    place[own] = np.arange(len(own))
    mine = _widened(history.choices.take(history.choices.who == number))
    mine.match = place[mine.match]
    matches = [history.matches[k] for k in own]
    ids = [one.match_id for one in matches]
    found = find_changes(mine, len(matches), alpha)
    return matches, [replace(one, rates=rates_of(mine, one, ids)) for one in found]


def changes_document(
    store: Asked, player: Player, rules: "Properties", history: History | None = None
) -> dict[str, Any]:
    """What the opponent file says of changes; history: of the player's event and game, if it was read already."""
    if does_not_apply(rules):
        return {"matches": 0, "false_alarm": ALPHA, "found": []}
    history = read_history(store, player.event, player.game, player) if history is None else history
    who = (player.name, player.seat)
    number = history.people.index(who)
    matches, found = changes_of(history, number)
    return {
        "matches": len(matches),
        "false_alarm": ALPHA,
        "found": _described(store, history, number, matches, found),
    }


def _described(
    store: Asked, history: History, number: int, matches: Sequence[Played], found: Sequence[Change]
) -> list[dict[str, Any]]:
    rates = iter(_rate_documents(store, [rate for one in found for rate in one.rates]))
    return [
        _sides(history, number, matches, one) | {"rates": [*islice(rates, len(one.rates))]} for one in found
    ]


def _sides(history: History, number: int, matches: Sequence[Played], change: Change) -> dict[str, Any]:
    sides = (matches[change.since : change.start], matches[change.start : change.until])
    first, noticed = matches[change.start], matches[change.noticed]
    made: dict[str, Any] = {
        "match_id": str(first.match_id),
        "path": first.path,
        "hand_index": 0,
        "noticed_match_id": str(noticed.match_id),
        "noticed_path": noticed.path,
        "evidence": change.evidence,
    }
    for name, side in zip(("before", "after"), sides, strict=True):
        met = {other for one in side for other in one.players if other != number}
        made |= {
            f"matches_{name}": len(side),
            f"hands_{name}": sum(one.hands for one in side),
            f"opponents_{name}": sorted({str(history.people[other][0]) for other in met}),
        }
    return made


def _rate_documents(store: Asked, rates: Sequence[Rate]) -> list[dict[str, Any]]:
    if not rates:
        return []
    asked = {
        "matches": [one.match_id for one in rates],
        "hands": [one.hand for one in rates],
        "seqs": [one.seq for one in rates],
    }
    lines: list[list[tuple[Any, ...]]] = [[] for _ in rates]
    for place, *act in store.sql(queries("changes")["line"], **asked).fetchall():
        lines[place].append(tuple(act))
    spots_of = store.sql(queries("changes")["spot"], **asked).fetchall()
    return [_rate_document(*each) for each in zip(rates, lines, spots_of, strict=True)]


def _rate_document(rate: Rate, line: Sequence[tuple[Any, ...]], spot: tuple[int, str]) -> dict[str, Any]:
    street, position = spot
    # Behind what others did on the board, lines are compared without sizes.
    heard = any(at > 0 and who != position for at, who, _, _ in line)
    made: dict[str, Any] = {
        "street": street,
        "position": position,
        "line": [[at, who, act, None if heard else to_bb] for at, who, act, to_bb in line],
        "action": rate.word,
        "size": rate.size,
        "faced": rate.faced,
    }
    sides = []
    for name, (k, n) in (("before", rate.before), ("after", rate.after)):
        sides.append((k / n, *wilson(k / n, n)))
        figures = (n, k, *sides[-1])
        made |= dict(
            zip(
                [f"{name}_{word}" for word in ("opportunities", "successes", "rate", "low", "high")],
                figures,
                strict=True,
            )
        )
    shift = newcombe(sides[1], sides[0])
    made |= dict(zip(("shift", "shift_low", "shift_high"), shift, strict=True))
    return made | {"few": min(rate.before[1], rate.after[1]) < FEW}
