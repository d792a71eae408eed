"""Hands as arrays: the cards in the order they came, and the chips in the pot at that moment.

The exact equities (`equities`) are counted from these. One group is of one game, by rows of `n` hands, `p` seats and
`b` boards (one but in Blotto). Card codes are those of `replay.cards`, -1 for no card.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..replay.cards import CARD_CODE, RANKS, SUITS
from ..replay.games import HOLDEM_BOARDS
from ..schema.words import AUCTION, SWAP
from ..variants.properties import Properties
from .players import Asked, rules_of

NEVER: Final = 99
"""The fold street of players who do not fold."""

_PLAYED: Final = 2
"""Hole cards on one board."""

_RULES: Final = (
    "if(suits is null, null, {'suits': suits, 'ranks': ranks, 'hole': hole_cards, 'boards': board_cards})"
)

Group = tuple[str, dict[int, int]]
"""A game, and the number of hands by match_id of some of its matches."""

_RUNS_COUNTED: Final = "dh"
"""Equities follow runs after red cards and no others."""

_LONGEST_RUN: Final = 31
"""Cards of the longest board: 26 red ones and a few more."""


@dataclass(frozen=True)
class Shape:
    """The cards of a game: board cards by street, hole cards, and the deck.

    ends: the possible numbers of board cards at the end of a hand.
    """

    boards: tuple[int, ...]
    hole_cards: int
    deck: tuple[int, ...]
    ends: tuple[int, ...]


@dataclass
class Dealt:
    """Some hands of one game.

    game      its properties
    match_id, hand_index  (n) their keys
    held      by street: (b, n, p, cards) hole cards while the street is played
    board     (b, n, cards) in order; on_board (b, n) how many
    put       by street: (b, n, p) chips put in before its cards are dealt; for the first street the blinds
    folded    (b, n, p) street of the fold, or NEVER
    stack     (n, p) chips at the start of the hand, NaN without a limit
    dealer    (n) seat; ranks (n, p) bounty ranks, -1 for none
    present   (n, p) whether the player is in the hand; sound: (b, n) whether all cards are known, none is repeated, and
              none was replaced by a redraw
    dealt_to  (n, p, cards) hole cards dealt at the start; known: results counted so far (`hand_values`)
    """

    game: Properties
    shape: Shape
    match_id: NDArray[np.uint64]
    hand_index: NDArray[np.int32]
    held: list[NDArray[np.int8]]
    board: NDArray[np.int8]
    on_board: NDArray[np.int64]
    put: NDArray[np.float64]
    folded: NDArray[np.int64]
    stack: NDArray[np.float64]
    unit: NDArray[np.float64]
    dealer: NDArray[np.int64]
    ranks: NDArray[np.int64]
    present: NDArray[np.bool_]
    sound: NDArray[np.bool_]
    dealt_to: NDArray[np.int8]
    known: dict[Hashable, tuple[NDArray[np.int64], list[NDArray[np.float64]]]] = field(default_factory=dict)

    @property
    def streets(self) -> int:
        """The number of streets of the longest hand."""
        return len(self.put)


Rules = tuple[int, int, int, Sequence[int]]
"""The cards in the match's own definition: suits and ranks, hole cards, board cards by street (`matches`)."""


def shape_of(game: Properties, rules: Rules | None = None) -> Shape:
    """The cards of a game, by the match's own definition if it has one; hold'em's if nothing is known."""
    if rules is None:
        # If that is wrong, the hands are not sound.
        rules = (
            game.suits or len(SUITS),
            game.ranks or len(RANKS),
            game.hole_cards or _PLAYED,
            game.board_cards or HOLDEM_BOARDS,
        )
    suits, ranks, hole_cards, boards = rules
    lowest, first = len(RANKS) - ranks, len(SUITS) - suits
    deck = range(len(RANKS) * len(SUITS))
    cards = tuple(c for c in deck if c // len(SUITS) >= lowest and c % len(SUITS) >= first)
    sizes = tuple(boards)
    ends = set(sizes)
    if game.runs:
        sizes = (*sizes, *range(sizes[-1] + 1, _LONGEST_RUN + 1))
        ends |= set(sizes)
    if game.discards:
        # A hand may end before both players have discarded to the flop.
        ends |= set(range(sizes[1] - (game.players or 0), sizes[1]))
    return Shape(sizes, hole_cards, cards, tuple(sorted(ends)))


def groups_of(store: Asked, match_ids: Sequence[int], most: int) -> Iterator[Group]:
    """Groups of matches with one game and deck for `read`, each up to so many hands."""
    found = store.sql(
        f"select game, {_RULES} as rules, match_id, hands from stored.matches where match_id in $ids"
        " order by game, rules, match_id",
        ids=sorted(match_ids),
    ).fetchall()
    for (game, _), rows in groupby(found, key=itemgetter(0, 1)):
        group: dict[int, int] = {}
        for *_, match_id, hands in rows:
            group[match_id] = hands
            if sum(group.values()) >= most:
                yield game, group
                group = {}
        if group:
            yield game, group


def card_codes(lists: Any, width: int) -> NDArray[np.int8]:
    """An Arrow array of lists of card texts as (n, width) codes; longer lists are truncated."""
    if isinstance(lists, pa.ChunkedArray):
        lists = lists.combine_chunks()
    n = len(lists)
    found = np.full((n, width), -1, np.int8)
    sizes = np.nan_to_num(np.array(pc.list_value_length(lists).to_pylist(), np.float64)).astype(np.int64)
    words = lists.flatten().dictionary_encode()
    known = np.array([CARD_CODE.get(word, -1) for word in words.dictionary.to_pylist()], np.int8)
    indices = words.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    flat = np.where(indices >= 0, known[indices], -1) if len(known) else np.zeros(0, np.int8)
    rows = np.repeat(np.arange(n), sizes)
    places = np.arange(len(flat)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    inside = places < width
    found[rows[inside], places[inside]] = flat[inside]
    return found


def _table(store: Asked, query: str, **params: object) -> Any:
    return store.sql(query, **params).to_arrow_table()


def _numpy(column: Any, kind: type, null: float = 0) -> NDArray[Any]:
    filled: NDArray[Any] = (
        column.cast(pa.float64() if kind is not np.uint64 else pa.uint64()).fill_null(null).to_numpy()
    )
    return filled.astype(kind)


def is_counted(game: Properties) -> bool:
    """True if the outcomes of a game's hands are counted.

    They are not where players pass or throw away hole cards, where only some hole cards are used, where hands have an
    order of their own, where the deck has other ranks than those from the ace down, where a game has a payout or a
    step of its own, and where a run goes on after other cards than `_RUNS_COUNTED`. If players pass cards, the value
    of a hand depends on what they choose.
    """
    follows_runs = not game.runs or game.run_after == _RUNS_COUNTED
    own = game.passes or game.throws or game.own_order or game.own_rules
    return follows_runs and not own and game.holes_used is None and game.ranks is not None


def read(store: Asked, game: str, match_ids: Sequence[int]) -> Dealt | None:
    """The hands of some matches of one game and deck (`groups_of`); None without hands, or if the game is not counted.

    Damaged hands are left out.
    """
    known = rules_of(store, game)
    if not is_counted(known):
        return None
    store.sql(
        "create or replace temp table _wanted as select unnest($ids)::ubigint as match_id",
        ids=list(match_ids),
    )
    ((rules,),) = store.sql(
        f"select any_value({_RULES}) from stored.matches join _wanted using (match_id)"
    ).fetchall()
    shape = shape_of(known, rules and tuple(rules.values()))
    store.sql("""
        create or replace temp table _rows as
        select match_id, hand_index, row_number() over (order by match_id, hand_index) - 1 as row
        from stored.hands join _wanted using (match_id) where verdict <> 'damaged'""")
    hands = _table(
        store,
        """
        select r.match_id, r.hand_index, h.dealer_seat, h.board, m.unit, m.permutation, len(m.players) as players
        from _rows r join stored.hands h using (match_id, hand_index) join stored.matches m using (match_id)
        order by r.row""",
    )
    n = hands.num_rows
    if not n:
        return None
    p = int(_numpy(hands["players"], np.int64).max())
    several = known.boards
    board = card_codes(hands["board"], max(shape.boards))[None]
    dealt = Dealt(
        known, shape,
        _numpy(hands["match_id"], np.uint64), _numpy(hands["hand_index"], np.int32),
        [], board, (board >= 0).sum(axis=2), np.zeros((0,)), np.full((several, n, p), NEVER, np.int64),
        np.full((n, p), np.nan), _numpy(hands["unit"], np.float64, np.nan), _numpy(hands["dealer_seat"], np.int64, -1),
        np.full((n, p), -1, np.int64), np.zeros((n, p), np.bool_), np.ones((several, n), np.bool_),
        np.full((n, p, shape.hole_cards), -1, np.int8),
    )  # fmt: skip
    holes, finals = _read_seats(store, dealt, shape.hole_cards)
    if several > 1:
        holes = _read_boards(store, dealt)
    dealt.put = _read_chips(store, dealt, several)
    dealt.held = _held(store, dealt, holes, finals)
    if known.permutes:
        _permute(dealt, hands["permutation"])
    dealt.sound &= _is_sound(dealt)
    if known.redraws or known.hidden_runouts:
        dealt.sound[:, _redrawn_or_hidden(store, known, max(shape.boards))] = False
    return dealt


def _read_seats(store: Asked, dealt: Dealt, width: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Hole cards as dealt and at the end, (1, n, p, width); other fields are set in `dealt`."""
    seats = _table(
        store,
        """
        select r.row, s.seat, s.hole, coalesce(s.hole_changed, s.hole) as final, s.bounty_rank,
          coalesce(s.stack_start, m.starting_stacks[s.seat + 1]) as stack, coalesce(s.eliminated, false) as eliminated
        from _rows r join stored.seats s using (match_id, hand_index) join stored.matches m using (match_id)""",
    )
    row, seat = _numpy(seats["row"], np.int64), _numpy(seats["seat"], np.int64)
    n, p = dealt.present.shape
    holes, finals = (np.full((1, n, p, max(width, 3)), -1, np.int8) for _ in range(2))
    holes[0, row, seat] = card_codes(seats["hole"], max(width, 3)) if width <= 3 else -1
    finals[0, row, seat] = card_codes(seats["final"], max(width, 3)) if width <= 3 else -1
    dealt.dealt_to[row, seat] = card_codes(seats["hole"], width)
    dealt.present[:] = (dealt.dealt_to >= 0).all(axis=2)
    dealt.stack[row, seat] = _numpy(seats["stack"], np.float64, np.nan)
    # Koper: an eliminated player is out before the bets of the flop, like one that folds there.
    out = _numpy(seats["eliminated"], np.int64) > 0
    dealt.folded[0, row[out], seat[out]] = 1
    words = seats["bounty_rank"].to_pylist()
    dealt.ranks[row, seat] = [RANKS.index(word) if word else -1 for word in words]
    return holes, finals


def _read_boards(store: Asked, dealt: Dealt) -> NDArray[np.int8]:
    """Games of several boards: set the boards in `dealt`; returns the cards assigned to each, (b, n, 2, 2)."""
    found = _table(
        store,
        """
        select r.row, b.board_no, b.cards, b.hole[1] as hole_0, b.hole[2] as hole_1
        from _rows r join stored.boards b using (match_id, hand_index)""",
    )
    row, board = _numpy(found["row"], np.int64), _numpy(found["board_no"], np.int64) - 1
    n = len(dealt.match_id)
    dealt.board = np.full((dealt.game.boards, n, max(dealt.shape.boards)), -1, np.int8)
    dealt.board[board, row] = card_codes(found["cards"], max(dealt.shape.boards))
    dealt.on_board = (dealt.board >= 0).sum(axis=2)
    holes = np.full((dealt.game.boards, n, 2, 3), -1, np.int8)
    for seat in range(2):
        holes[board, row, seat] = card_codes(found[f"hole_{seat}"], 3)
    return holes


def _read_chips(store: Asked, dealt: Dealt, several: int) -> NDArray[np.float64]:
    """(streets, boards, n, p) chips put in before the cards of each street; folds are set in `dealt`."""
    acts = _table(
        store,
        """
        select r.row, coalesce(a.board_no, 1) - 1 as board, a.seat, a.street, sum(a.chips_added) as chips,
          bool_or(a.action = 'fold') as folds, sum(a.chips_added) filter (where a.action = 'post') as posted
        from _rows r join actions a using (match_id, hand_index) group by all""",
    )
    where = [_numpy(acts[name], np.int64) for name in ("board", "row", "seat")]
    street = _numpy(acts["street"], np.int64)
    n, p = dealt.present.shape
    reached = dealt.on_board.max(initial=0)
    streets = 1 + sum(size <= reached for size in dealt.shape.boards[1:])
    into = np.zeros((max(streets, int(street.max(initial=0)) + 1) + 1, several, n, p))
    into[(street + 1, *where)] = _numpy(acts["chips"], np.float64)
    first = street == 0
    posted = np.zeros((several, n, p))
    posted[tuple(index[first] for index in where)] = _numpy(acts["posted"], np.float64)[first]
    folds = _numpy(acts["folds"], np.int64) > 0
    np.minimum.at(dealt.folded, tuple(index[folds] for index in where), street[folds])
    put = np.cumsum(into, axis=0)
    put[0] = posted
    if dealt.game.auctions:
        put[2:] += _prices(store, dealt, put)
    return put[:streets]


def _prices(store: Asked, dealt: Dealt, put: NDArray[np.float64]) -> NDArray[np.float64]:
    """Auction: what each player paid for a card, which no action gives."""
    seats = _table(
        store,
        "select r.row, s.seat, s.contribution from _rows r join stored.seats s using (match_id, hand_index)",
    )
    paid = np.zeros(dealt.present.shape)
    paid[_numpy(seats["row"], np.int64), _numpy(seats["seat"], np.int64)] = _numpy(
        seats["contribution"], np.float64
    )
    price: NDArray[np.float64] = paid - put[-1, 0]
    return price[None, None]


def _held(
    store: Asked, dealt: Dealt, holes: NDArray[np.int8], finals: NDArray[np.int8]
) -> list[NDArray[np.int8]]:
    """The hole cards held on each street."""
    streets = dealt.streets
    if dealt.game.discards:
        return [holes, *[finals] * (streets - 1)]
    if dealt.game.auctions:
        return [holes, *[_with_bought(store, holes)] * (streets - 1)]
    if dealt.game.swaps:
        between = _after_first_swap(store, dealt, holes, finals)
        return [holes, between, *[finals] * (streets - 2)][:streets]
    return [holes] * streets


def _changes(
    store: Asked, kind: str, street: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int8]]:
    found = _table(
        store,
        """
        select r.row, c.seat, c.cards from _rows r join stored.changes c using (match_id, hand_index)
        where c.kind = $kind and c.street = $street""",
        kind=kind, street=street,
    )  # fmt: skip
    return _numpy(found["row"], np.int64), _numpy(found["seat"], np.int64), card_codes(found["cards"], 2)


def _with_bought(store: Asked, holes: NDArray[np.int8]) -> NDArray[np.int8]:
    row, seat, cards = _changes(store, AUCTION, 1)
    more = holes.copy()
    more[0, row, seat, 2] = cards[:, 0]
    return more


def _after_first_swap(
    store: Asked, dealt: Dealt, holes: NDArray[np.int8], finals: NDArray[np.int8]
) -> NDArray[np.int8]:
    """Swap: the cards between the two exchanges; a hand in which they are ambiguous is not sound."""
    early, late = (np.full((*dealt.present.shape, 2), -1, np.int8) for _ in range(2))
    for street, into in ((1, early), (2, late)):
        row, seat, cards = _changes(store, SWAP, street)
        into[row, seat] = cards
    between = finals.copy()
    final = finals[0, :, :, :2]
    swapped_late = ((final[:, :, :, None] == late[:, :, None, :]) & (final[:, :, :, None] >= 0)).any(axis=3)
    between[0, :, :, :2] = np.where(swapped_late, holes[0, :, :, :2], final)
    # A card that was drawn and exchanged again was in a slot exchanged twice: known if all late slots were.
    gone = np.where((early[:, :, :, None] == final[:, :, None, :]).any(axis=3), -1, early)
    gone = -np.sort(-gone, axis=2)
    number, places = (gone >= 0).sum(axis=2), swapped_late.sum(axis=2)
    dealt.sound &= ((number == 0) | (number == places)).all(axis=1)
    nth = np.cumsum(swapped_late, axis=2) - 1
    came_back = np.take_along_axis(gone, np.maximum(nth, 0), axis=2)
    between[0, :, :, :2] = np.where(swapped_late & (came_back >= 0), came_back, between[0, :, :, :2])
    return between


def _permute(dealt: Dealt, words: Any) -> None:
    """Permutation: the cards that cards count as; hands of a match without its permutation are not sound."""
    orders: dict[tuple[str, ...] | None, NDArray[np.bool_]] = {}
    told = [None if word is None else tuple(word) for word in words.to_pylist()]
    for order in set(told):
        orders[order] = np.array([each == order for each in told], np.bool_)
    for order, rows in orders.items():
        if order is None or None in order:
            dealt.sound &= ~rows
            continue
        counts = np.array([RANKS.index(rank) for rank in order], np.int8)
        for cards in (dealt.board[0], dealt.held[0][0], dealt.dealt_to):
            mine = cards[rows]
            cards[rows] = np.where(mine >= 0, counts[mine >> 2] * 4 + (mine & 3), mine)


def _redrawn_or_hidden(store: Asked, game: Properties, whole: int) -> NDArray[np.int64]:
    """Rows of hands in which a redraw replaced a card, or whose log leaves out board cards before the showdown.

    whole  the cards of a complete board
    """
    rows = _table(
        store,
        """
        select r.row from _rows r join stored.hands h using (match_id, hand_index)
        where ($hidden and h.ended_by = 'showdown' and len(h.board) < $whole)
          or ($redraws and (match_id, hand_index) in (select (match_id, hand_index) from stored.changes))""",
        hidden=game.hidden_runouts, redraws=game.redraws, whole=whole,
    )  # fmt: skip
    return _numpy(rows["row"], np.int64)


def _is_sound(dealt: Dealt) -> NDArray[np.bool_]:
    """(b, n): all hole cards are known, the board has a legal number of cards, and no card is repeated."""
    n = len(dealt.match_id)
    sound = np.repeat((dealt.present.sum(axis=1) >= 2)[None], len(dealt.board), axis=0)
    for board in range(len(dealt.board)):
        sound[board] &= np.isin(dealt.on_board[board], (0, *dealt.shape.ends))
        for street, held in ((0, dealt.held[0]), (1, dealt.held[-1])):
            # Toss: discarded cards are on the board.
            alone = dealt.game.discards and street == 0
            cards = held[board].reshape(n, -1)
            if not alone:
                cards = np.concatenate([cards, dealt.board[board]], axis=1)
            cards = np.sort(cards, axis=1)
            twice = (cards[:, 1:] == cards[:, :-1]) & (cards[:, 1:] >= 0)
            alien = ~np.isin(cards, (-1, *dealt.shape.deck))
            sound[board] &= ~twice.any(axis=1) & ~alien.any(axis=1)
        if dealt.game.boards > 1:
            sound[board] &= ((dealt.held[0][board] >= 0).sum(axis=2) == 2).all(axis=1)
    return sound
