"""The table of decisions: what each player could see when it bet, checked, called or folded, and what it did.

The columns are those of `railbird_model.SPOT`, counted for all decisions of some matches at once;
`railbird_model.spot_of` makes the same of one decision as a program describes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...progress import Progress
from ...replay.cards import RANKS, SUITS
from ...replay.equity import preflop
from ...schema.words import AUCTION, DISCARD, PASS, SWAP
from ...variants.properties import Properties
from ..hand_arrays import card_codes
from ..players import Asked, chunks
from ..views import queries
from . import railbird_model as spots
from .railbird_model import CALL, CHECK, FOLD, RAISE, SPOT

Array = NDArray[Any]
Floats = NDArray[np.float64]

_HANDS: Final = 40_000
"""Hands read at a time."""
_ACTION: Final = {"fold": FOLD, "check": CHECK, "call": CALL, "bet": RAISE, "raise": RAISE}
_OTHER: Final = 9
_CARDS: Final = 12
"""More cards than any hand has at once."""
_BOARD: Final = 40
_DECK: Final = len(RANKS) * len(SUITS)
_SEATS: Final = 64
_KNOWN: Final = 0.98
"""Share of a player's decisions in a match with known cards, below which cards count as shown afterwards."""


@dataclass
class Decisions:
    """n decisions in the order of matches, hands and actions.

    match    (n) place of the match in the list that was read; hand: hand_index; seq, seat: as in `actions`
    spot     the columns SPOT, each (n)
    action   (n) FOLD, CHECK, CALL or RAISE
    size     (n) the bin of a raise's size, 0 for other actions
    amount   (n) the player's total of the street after a raise, NaN for other actions
    positions  the names that `spot["position"]` numbers
    """

    match: NDArray[np.int64]
    hand: NDArray[np.int64]
    seq: NDArray[np.int64]
    seat: NDArray[np.int64]
    spot: dict[str, Array]
    action: NDArray[np.int64]
    size: NDArray[np.int64]
    amount: Floats
    positions: tuple[str, ...]

    def __len__(self) -> int:
        """The number of decisions."""
        return len(self.action)

    def take(self, rows: Array) -> "Decisions":
        """Some of them, as a mask or as places."""
        return Decisions(
            self.match[rows],
            self.hand[rows],
            self.seq[rows],
            self.seat[rows],
            {name: column[rows] for name, column in self.spot.items()},
            self.action[rows],
            self.size[rows],
            self.amount[rows],
            self.positions,
        )


def deck_of(rules: Properties) -> NDArray[np.int32]:
    """(4) sets of ranks by suit that the deck of a game has; all where it is not known."""
    ranks, suits = rules.ranks or len(RANKS), rules.suits or len(SUITS)
    of_suit = ((1 << ranks) - 1) << (len(RANKS) - ranks)
    return np.array([of_suit if suit >= len(SUITS) - suits else 0 for suit in range(len(SUITS))], np.int32)


def preflop_equities() -> Floats:
    """(13, 13) equities of two cards against two unseen ones: suited where row < column by rank."""
    found: Floats = preflop.sums().unseen.T
    return found


def read_decisions(
    store: Asked,
    rules: Properties,
    match_ids: Sequence[int],
    hands: Sequence[int],
    progress: Progress | None = None,
) -> Decisions:
    """The decisions of some matches of one game, of all their players; those that the rules forbid are left out.

    There are none where all players bet at once.

    progress  called with the hands read and their total
    """
    place = {match: k for k, match in enumerate(match_ids)}
    parts: list[Decisions] = []
    names: dict[str, int] = {}
    done = 0
    size = dict(zip(match_ids, hands, strict=True))
    for ids in () if rules.simultaneous else chunks(match_ids, hands, _HANDS):
        parts.append(_read(store, rules, ids, place, names))
        done += sum(size[one] for one in ids)
        if progress is not None:
            progress(done, sum(hands))
    positions = tuple(names)
    if not parts:
        nothing = np.zeros(0, np.int64)
        spot: dict[str, Array] = {name: np.zeros(0) for name in SPOT}
        spot |= {name: np.zeros(0, np.uint64) for name in ("hole", "board", "seen")}
        return Decisions(nothing, nothing, nothing, nothing, spot, nothing, nothing, np.zeros(0), positions)
    columns = ("match", "hand", "seq", "seat", "action", "size", "amount")
    found = Decisions(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in columns},
        spot={name: np.concatenate([part.spot[name] for part in parts]) for name in SPOT},
        positions=positions,
    )
    order = np.lexsort((found.seq, found.hand, found.match))
    return found.take(order)


def numbers(column: Any) -> Floats:
    """A column of numbers, NaN for null."""
    found: Floats = column.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(np.float64)
    return found


def _table(store: Asked, name: str, ids: Sequence[int]) -> Any:
    return store.sql(queries("model")[name], ids=list(ids)).to_arrow_table().combine_chunks()


def words_of(column: Any) -> tuple[Array, list[str]]:
    """A column of texts as numbers, and the texts."""
    coded = pa.chunked_array([column]) if isinstance(column, pa.Array) else column
    one = coded.cast(pa.string()).combine_chunks().dictionary_encode()
    return one.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(
        np.int64
    ), one.dictionary.to_pylist()


class Acts:
    """The acts of some matches, in the order of the query; columns as there."""

    def __init__(self, found: Any, place: dict[int, int]) -> None:
        self.match = _matches(found, place)
        kinds, words = words_of(found["action"])
        self.kind = np.array([_ACTION.get(word, _OTHER) for word in words], np.int64)[kinds]
        self.raises = self.kind == RAISE
        self.bids = np.array([word == "bid" for word in words], np.bool_)[kinds]
        self.places, self.position_names = words_of(found["position"])
        names = ("hand_index", "seq", "board_no", "street", "seat")
        self.hand, self.seq, self.board, self.street, self.seat = (
            numbers(found[name]).astype(np.int64) for name in names
        )
        self.own = found["own"].to_numpy(zero_copy_only=False).astype(np.bool_)
        self.key = hand_key(self.match, self.hand)


def hand_key(match: Array, hand: Array) -> Array:
    """A number for each hand of the matches read."""
    return match << 32 | hand


def before_in_group(flag: Array, group: Array, order: Array) -> Array:
    """For each row how many rows with the flag come before it in its group; order: sorts rows by group and time."""
    counted = flag[order].astype(np.int64)
    total = np.cumsum(counted) - counted
    key = group[order]
    first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]]) if len(key) else np.zeros(0, np.int64)
    base = np.repeat(total[first], np.diff(np.r_[first, len(key)]))
    found = np.empty(len(flag), np.int64)
    found[order] = total - base
    return found


def _last(flag: Array, group: Array, order: Array) -> Array:
    """For each row the last row before it in its group that has the flag, or -1."""
    key = group[order]
    places = np.where(flag[order], np.arange(len(key)), -1)
    last = np.r_[-1, np.maximum.accumulate(places)[:-1]] if len(key) else places
    first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]]) if len(key) else np.zeros(0, np.int64)
    start = np.repeat(first, np.diff(np.r_[first, len(key)]))
    found = np.empty(len(flag), np.int64)
    found[order] = np.where(last >= start, order[last], -1)
    return found


def _groups(*columns: Array) -> Array:
    """A number for each combination of values."""
    found = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        _, codes = np.unique(column, return_inverse=True)
        found = found * (int(codes.max(initial=0)) + 1) + codes.reshape(-1)
    return found


def _counts(acts: Acts) -> dict[str, Array]:
    """The columns `railbird_model.COUNTS` of all acts."""
    hand = _groups(acts.key, acts.board)
    mine = _groups(hand, acts.seat)
    by_street, mine_by_street = _groups(hand, acts.street), _groups(mine, acts.street)

    def order(group: Array) -> Array:
        return np.lexsort((acts.seq, group))

    of_hand, of_mine, of_street, of_both = map(order, (hand, mine, by_street, mine_by_street))
    betting = acts.kind != _OTHER
    found = {
        "raises": before_in_group(acts.raises, by_street, of_street),
        "own_raises": before_in_group(acts.raises, mine_by_street, of_both),
        "own_acts": before_in_group(betting, mine_by_street, of_both),
        "acts": before_in_group(betting, by_street, of_street),
        "checks": before_in_group(acts.kind == CHECK, by_street, of_street),
        "calls": before_in_group(acts.kind == CALL, by_street, of_street),
        "folds": before_in_group(acts.kind == FOLD, hand, of_hand),
        "own_other_acts": before_in_group(~betting, mine, of_mine),
    }
    every, own = before_in_group(acts.raises, hand, of_hand), before_in_group(acts.raises, mine, of_mine)
    found["raises_before"] = every - found["raises"]
    found["own_raises_before"] = own - found["own_raises"]
    found["other_acts"] = before_in_group(~betting, hand, of_hand) - found["own_other_acts"]
    last = _last(acts.raises, hand, of_hand)
    found["last_raiser"] = np.where(last < 0, 0, np.where(acts.seat[last] == acts.seat, 1, 2))
    earlier = _last_of_street_before(acts, hand)
    at = np.maximum(earlier, 0)
    found["last_street_raiser"] = np.where(earlier < 0, 0, np.where(acts.seat[at] == acts.seat, 1, 2))
    found["raises_last_street"] = np.where(earlier < 0, 0, found["raises"][at] + 1)
    return found


def _last_of_street_before(acts: Acts, hand: Array) -> Array:
    """For each act the last raise of the street before in its hand, or -1."""
    rows = np.flatnonzero(acts.raises)
    keys = hand * _SEATS + acts.street
    order = rows[np.lexsort((acts.seq[rows], keys[rows]))]
    place = np.searchsorted(keys[order], keys - 1, side="right") - 1
    found = order[np.maximum(place, 0)] if len(order) else np.full(len(keys), -1)
    is_there = (place >= 0) & (acts.street > 0)
    is_there[is_there] = keys[found[is_there]] == keys[is_there] - 1
    return np.where(is_there, found, -1)


def read_acts(store: Asked, ids: Sequence[int], place: dict[int, int]) -> tuple[Any, Acts]:
    """The acts of some matches as the query has them, and as numbers; place: of each match."""
    found = _table(store, "acts", ids)
    return found, Acts(found, place)


def _read(
    store: Asked, rules: Properties, ids: Sequence[int], place: dict[int, int], names: dict[str, int]
) -> Decisions:
    found, acts = read_acts(store, ids, place)
    counts = _counts(acts)
    rows = np.flatnonzero(acts.own & (acts.kind != _OTHER))
    spot: dict[str, Array] = {name: counts[name][rows].astype(np.float64) for name in counts}
    spot |= {"street": acts.street[rows].astype(np.float64), "board_no": acts.board[rows].astype(np.float64)}
    for name in ("players", "big_blind", "pot_before", "to_call", "pip_before", "stack_before"):
        spot[name] = numbers(found[name])[rows]
    for name in ("min_raise_to", "max_raise_to", "win_prob"):
        spot[name] = numbers(found[name])[rows]
    spot["bounty_rank"] = np.nan_to_num(numbers(found["bounty_rank"])[rows], nan=-1.0)
    known = np.array([names.setdefault(name, len(names)) for name in acts.position_names], np.int64)
    spot["position"] = known[acts.places[rows]].astype(np.float64)
    spot["own_bid"], spot["other_bid"] = _bids(acts, numbers(found["amount_logged"]), rows)
    spot |= _cards(store, rules, ids, place, acts, rows)
    amount = numbers(found["amount_to"])[rows]
    action = acts.kind[rows]
    legal = spots.legal_of(spot)[np.arange(len(rows)), action]
    size = np.where(action == RAISE, spots.bins_of(np.nan_to_num(spots.sizes_of(amount, spot))), 0)
    amount = np.where(action == RAISE, amount, np.nan)
    made = Decisions(
        acts.match[rows], acts.hand[rows], acts.seq[rows], acts.seat[rows], spot, action, size, amount, ()
    )
    return made.take(legal)


def _bids(acts: Acts, amounts: Floats, rows: Array) -> tuple[Floats, Floats]:
    """The bid of the player, and the largest of others, before some acts; NaN for none."""
    own, other = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    at = np.flatnonzero(acts.bids)
    if not len(at):
        return own, other
    order = np.argsort(acts.key[at], kind="stable")
    at = at[order]
    start = np.searchsorted(acts.key[at], acts.key[rows])
    end = np.searchsorted(acts.key[at], acts.key[rows], side="right")
    for k in range(int((end - start).max(initial=0))):
        bid = at[np.minimum(start + k, len(at) - 1)]
        told = (start + k < end) & (acts.seq[bid] < acts.seq[rows])
        mine = acts.seat[bid] == acts.seat[rows]
        own = np.where(told & mine, amounts[bid], own)
        other = np.where(told & ~mine, np.fmax(amounts[bid], other), other)
    return own, other


def card_bits(lists: Any, width: int = _CARDS) -> NDArray[np.uint64]:
    """(n) cards of lists as bits; cards that are not known, and more than `width`, are left out."""
    codes = card_codes(lists, width)
    found = np.zeros(len(codes), np.uint64)
    for column in codes.T:
        known = (column >= 0) & (column < _DECK)
        found |= np.where(known, np.uint64(1) << np.where(known, column, 0).astype(np.uint64), np.uint64(0))
    return found


def _matches(found: Any, place: dict[int, int]) -> Array:
    """The place of each row's match."""
    ids, at = np.unique(found["match_id"].to_numpy(), return_inverse=True)
    return np.array([place[int(one)] for one in ids.tolist()], np.int64)[at.reshape(-1)]


def _keys(found: Any, place: dict[int, int]) -> Array:
    return hand_key(_matches(found, place), numbers(found["hand_index"]).astype(np.int64))


def _seat_key(key: Array, seat: Array) -> Array:
    return key * _SEATS + seat


def _cards(
    store: Asked, rules: Properties, ids: Sequence[int], place: dict[int, int], acts: Acts, rows: Array
) -> dict[str, Array]:
    """The columns `hole`, `board` and `seen` of some acts."""
    seats = _table(store, "holes", ids)
    keys = _seat_key(_keys(seats, place), numbers(seats["seat"]).astype(np.int64))
    order = np.argsort(keys)
    mine = _seat_key(acts.key[rows], acts.seat[rows])
    at = order[np.searchsorted(keys[order], mine)]
    dealt, final = card_bits(seats["hole"])[at], card_bits(seats["final"])[at]
    hidden = _are_hidden(acts, rows, dealt)
    if _is_plain(rules):
        boards = _table(store, "boards", ids)
        keys = _keys(boards, place)
        order = np.argsort(keys)
        at = order[np.searchsorted(keys[order], acts.key[rows])]
        board = _dealt_by(rules, boards["board"], at, acts.street[rows])
        found = {"hole": dealt, "board": board, "seen": np.zeros_like(dealt)}
    else:
        found = _changing(rules, _table(store, "seen", ids), place, acts, rows, mine, final)
    found["hole"][hidden] = 0
    return found


def _are_hidden(acts: Acts, rows: Array, dealt: Array) -> NDArray[np.bool_]:
    """Whether the log gives a player's cards in some hands only: those shown at the end, which betrays the end."""
    _, seat = np.unique(_seat_key(acts.match[rows], acts.seat[rows]), return_inverse=True)
    share = np.bincount(seat, dealt > 0) / np.maximum(np.bincount(seat), 1)
    found: NDArray[np.bool_] = share[seat] < _KNOWN
    return found


def _is_plain(rules: Properties) -> bool:
    """Whether a player's cards stay, and the board has so many cards on each street."""
    changes = rules.swaps or rules.auctions or rules.discards or rules.redraws or rules.passes or rules.throws
    steps = rules.own_rules or {"accept", "decline", "assign"} & {*rules.decisions}
    sized = rules.board_cards is not None and not rules.runs and rules.boards == 1
    return sized and not changes and not steps


def _dealt_by(rules: Properties, boards: Any, at: Array, street: Array) -> Array:
    codes = card_codes(boards, _BOARD)
    sizes = np.array(rules.board_cards or ())
    shown = sizes[np.minimum(street, len(sizes) - 1)]
    found = np.zeros(len(at), np.uint64)
    for k in range(int(sizes.max(initial=0))):
        card = codes[at, k]
        known = (card >= 0) & (card < _DECK) & (shown > k)
        found |= np.where(known, np.uint64(1) << np.where(known, card, 0).astype(np.uint64), np.uint64(0))
    return found


def _changing(
    rules: Properties, seen: Any, place: dict[int, int], acts: Acts, rows: Array, mine: Array, final: Array
) -> dict[str, Array]:
    """The cards of games in which they change: each fact in the order in which the player learned it."""
    key = _seat_key(_keys(seen, place), numbers(seen["viewer_seat"]).astype(np.int64))
    at_street, at_seq = numbers(seen["from_street"]), numbers(seen["from_seq"])
    order = np.lexsort((at_seq, at_street, key))
    key, at_street, at_seq = key[order], at_street[order], at_seq[order]
    cards = card_bits(seen["cards"])[order]
    kinds, words = words_of(seen["item"])
    kind, whose = kinds[order], np.nan_to_num(numbers(seen["seat"]), nan=-1.0).astype(np.int64)[order]
    board_no = np.nan_to_num(numbers(seen["board_no"])).astype(np.int64)[order]
    start, end = np.searchsorted(key, mine), np.searchsorted(key, mine, side="right")
    nothing = np.zeros(len(rows), np.uint64)
    hole, board, other, assigned = nothing, nothing.copy(), nothing.copy(), nothing.copy()
    held = np.zeros(len(rows), np.int64)
    swaps = np.zeros(len(key) + 1, np.int64)
    is_swap = np.array([word == SWAP for word in words], np.bool_)[kind] if words else np.zeros(0, np.bool_)
    swaps[1:] = np.cumsum(is_swap)
    for k in range(int((end - start).max(initial=0))):
        fact = np.minimum(start + k, len(key) - 1)
        known = (start + k < end) & (at_street[fact] <= acts.street[rows]) & (at_seq[fact] < acts.seq[rows])
        own = whose[fact] == acts.seat[rows]
        for code, word in enumerate(words):
            told = known & (kind[fact] == code)
            if not told.any():
                continue
            new = cards[fact]
            if word == "hole":
                hole, held = np.where(told, new, hole), np.where(told, _size(new), held)
            elif word in (AUCTION, PASS):
                hole = np.where(told & own, hole | new, np.where(told & (word == PASS), hole & ~new, hole))
            elif word == SWAP:
                later = swaps[end] > swaps[fact + 1]
                hole = np.where(told, _swapped(hole, new, final, later, held), hole)
            elif word == "assign":
                assigned = np.where(told & (board_no[fact] == acts.board[rows]), new, assigned)
            elif word == DISCARD:
                hole = np.where(told & own, hole & ~new, hole)
                board = board if rules.throws else np.where(told, board | new, board)
            elif word == "replaced":
                hole, board = np.where(told & own, hole & ~new, hole), np.where(told, board & ~new, board)
                other = np.where(told & ~own, other | new, other)
            elif word == "board":
                here = told & (board_no[fact] == acts.board[rows])
                board = np.where(here, board | new, board)
            else:
                other = np.where(told, other | new, other)
    return {"hole": np.where(assigned > 0, assigned, hole), "board": board, "seen": other}


def _size(cards: Array) -> Array:
    return np.bitwise_count(cards).astype(np.int64)


def _swapped(hole: Array, new: Array, final: Array, later: Array, held: Array) -> Array:
    """Cards known after some of `held` were exchanged for new ones: `exports.jsonl.swapped`, with cards as bits."""
    places = held - _size(new)
    kept = np.where(places > 0, hole & final, np.uint64(0))
    wrong = (_size(kept) > places) | ((_size(kept) < places) & ~later)
    return np.where(wrong, np.uint64(0), kept) | new
