"""Every stored table and column: name, type, unit, how Parquet packs it, and one sentence of what it says.

All parts of a table have exactly these columns. The relations of the contract (docs/schema.md) are views over them
(`analytics/sql/relations`): a column that follows from others is left to its view, none is encoded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Final

import pyarrow as pa

from . import words
from .words import FLAGS

WORD: Final = pa.dictionary(pa.int32(), pa.string())
FEW: Final = pa.dictionary(pa.int8(), pa.string())
"""Words of a vocabulary in `words`."""
CARDS: Final = pa.list_(pa.dictionary(pa.int8(), pa.string()))
WORDS: Final = pa.list_(pa.string())
CARD_WORDS: Final = pa.array([rank + suit for rank in words.RANKS for suit in words.SUITS])
"""What the codes of cards stand for."""


class Packing(Enum):
    """How Parquet encodes a column, as measured; all pages are compressed by zstd.

    Line numbers as dictionaries would double the store. Bankrolls are all different:
    there the bytes of one place lie together.
    """

    DICTIONARY = "dictionary"
    DELTA = "DELTA_BINARY_PACKED"
    SPLIT = "BYTE_STREAM_SPLIT"
    PLAIN = "PLAIN"


CHIPS: Final = "chips"
LEVEL: Final = 3
"""Of zstd: what more costs is more than it saves in most columns."""


@dataclass(frozen=True)
class Column:
    """A column of a table: its name, Arrow type, what it says, how it is packed, and the unit of a number.

    key    statistics are kept of it
    null   it may be null: not known, or not a thing of the game
    words  the vocabulary of a column of words
    follows  what a null stands for, in SQL of the row's other columns: values that follow from them are left out
    level  of zstd, where more than `LEVEL` pays
    """

    name: str
    type: pa.DataType
    meaning: str
    packing: Packing = Packing.DICTIONARY
    key: bool = False
    null: bool = True
    unit: str = ""
    words: tuple[str, ...] = ()
    follows: str = ""
    level: int = LEVEL


_D, _S, _P = Packing.DELTA, Packing.SPLIT, Packing.PLAIN
_MORE: Final = 6
"""The level of zstd for columns of `actions` that repeat themselves hand by hand: a twentieth smaller."""
_MATCH: Final = Column(
    "match_id",
    pa.uint64(),
    "64-bit hash of the match's text up to its last complete hand",
    key=True,
    null=False,
)
_HAND: Final = Column("hand_index", pa.int32(), "the match's hands from 0", _D, key=True, null=False)
_FILE: Final = Column(
    "file_id", pa.uint64(), "64-bit hash of the file's decompressed content", key=True, null=False
)
_LINE: Final = Column("line", pa.int64(), "line of the file, from 1", _D, null=False)
_SEAT: Final = Column("seat", pa.int8(), "place in the match, from 0; null where the line names nobody")
_ACTOR: Final = Column("seat", pa.int8(), "place in the match, from 0", null=False)
_SEQ: Final = Column("seq", pa.int16(), "order within the hand, from 0", _D, null=False)


def _chips(
    name: str, meaning: str, packing: Packing = Packing.DICTIONARY, null: bool = True, level: int = LEVEL
) -> Column:
    return Column(name, pa.float64(), meaning, packing, null=null, unit=CHIPS, level=level)


def _word(name: str, vocabulary: tuple[str, ...], meaning: str = "", null: bool = True) -> Column:
    said = ", ".join(vocabulary)
    return Column(name, FEW, f"{meaning}: {said}" if meaning else said, null=null, words=vocabulary)


_STREET: Final = Column(
    "street", FEW, "preflop, flop, turn, river, run 1 and on", null=False, words=words.STREETS_AND_RUNS
)


TABLES: Final[dict[str, tuple[Column, ...]]] = {
    "files": (
        _FILE,
        Column("path", pa.string(), "as given; of a file that could not be opened file_id is a hash of it"),
        Column("bytes", pa.int64(), "decompressed", _D),
        Column("dialect", pa.string(), "how it is written; null where unknown"),
        Column("revision", pa.string(), "first engine date whose logs look so"),
        Column("matches", pa.int64(), "stored", _D),
        Column("hands_seen", pa.int64(), "hands_stored + hands_rejected", _D),
        Column("hands_stored", pa.int64(), "from this file", _D),
        Column("hands_damaged", pa.int64(), "among the stored", _D),
        Column("hands_rejected", pa.int64(), "each with its reason in unknown_lines", _D),
        Column("lines_seen", pa.int64(), "blank lines included", _D),
        Column("lines_unknown", pa.int64(), "lines that no template accepts", _D),
        Column("status", pa.string(), ", ".join(words.FILE_STATUSES)),
        Column("reason", pa.string(), "why not ok, or what other game its matches may be of"),
    ),
    "unknown_lines": (
        _FILE,
        _LINE,
        Column("text", pa.string(), "the line, cut after 200 characters"),
        Column("reason", pa.string(), "why it is here"),
    ),
    "matches": (
        _MATCH,
        _FILE,
        Column("match_no", pa.int32(), "within the file, from 1", _D),
        Column("line", pa.int64(), "line of the file at which the match begins", _D),
        Column("event", pa.string(), "what tells players of one name apart: --event, else the log's folder"),
        Column("game", pa.string(), "the rules"),
        Column("dialect", pa.string(), "how it is written"),
        Column("engine_profile", pa.string(), "the engine that leaves fewest hands unexplained"),
        Column("engine_profiles", WORDS, "all that leave as few"),
        Column("players", WORDS, "names by seat"),
        Column("hands", pa.int32(), "stored", _D),
        Column("starting_stacks", pa.list_(pa.float64()), "by seat"),
        Column("blinds", pa.list_(pa.float64()), "small blind, big blind"),
        Column("blinds_by_position", pa.list_(pa.float64()), "ACPC: from the position after the dealer"),
        Column(
            "raise_sizes", pa.list_(pa.float64()), "ACPC: chips that a raise adds, by street; null: no limit"
        ),
        Column("raise_caps", pa.list_(pa.int16()), "ACPC: bet_level from which nobody may raise, by street"),
        Column("suits", pa.int8(), "ACPC: of the deck, the last so many of c, d, h, s"),
        Column("ranks", pa.int8(), "ACPC: of the deck, the highest so many"),
        Column("hole_cards", pa.int8(), "ACPC: dealt to each player"),
        Column("board_cards", pa.list_(pa.int16()), "ACPC: on the board, by street"),
        Column("buy_in", pa.float64(), "Koper"),
        Column("unit", pa.float64(), "chips per bb"),
        Column("seed", pa.int64(), "of the deck, where the log prints it", _D),
        Column("card_set", pa.uint64(), "hash of the cards by position, of matches that can be duplicates"),
        Column("seating", pa.int16(), "number among the matches of one card set", _D),
        Column("duplicate_group", pa.uint64(), "matches of the same players, game and cards"),
        Column("complete", pa.bool_(), "the log ends as a finished match does", _P),
        Column(
            "permutation", WORDS, "Permutation: what each rank from 2 to A counts as; null where not told"
        ),
        Column("logged_final", pa.list_(pa.float64()), "bankrolls of the final line, by seat"),
        Column("head_hash", pa.uint64(), "hash of the text to its first hand's fifth line, or end"),
        Column("text_bytes", pa.int64(), "length of the whole text, less blank lines at its end", _D),
        Column("text_hash", pa.uint64(), "hash of so much of the text"),
        Column("players_hash", pa.uint64(), "hash of the players' names in any order"),
        Column("first_hand_no", pa.int64(), "number of the log's first hand", _D),
        Column("last_hand_no", pa.int64(), "number of the log's last hand", _D),
        Column("first_hand_hash", pa.uint64(), "hash of the first hand's number, players, cards and awards"),
        Column(
            "hand_marks",
            pa.binary(),
            "two bits of each hand's hash, four hands a byte, from the first hand of the log, stored or not",
        ),
        Column(
            "log_hands",
            pa.int32(),
            "hands of the log; more than `hands` where its last hands are the first of another match",
            _D,
        ),
    ),
    "games": (
        Column("game", pa.string(), "the rules, as `matches.game`", null=False),
        Column("title", pa.string(), "what reports call it"),
        Column("players", pa.int8(), "seats of a match"),
        Column("streets", WORDS, "names of the streets of betting, from street 0"),
        Column("first_street", pa.int8(), "the first street on which players decide", null=False),
        Column(
            "runs",
            pa.bool_(),
            "after the last street more follow, a card each, as long as it is red",
            _P,
            null=False,
        ),
        Column("board_cards", pa.list_(pa.int16()), "on the board, by street; null: not known"),
        Column("boards", pa.int8(), "boards of a hand, each a pot of its own", null=False),
        Column("hole_cards", pa.int8(), "dealt to each player at first; null: not known"),
        Column("suits", pa.int8(), "of the deck, the last so many of c, d, h, s; null: not known"),
        Column("ranks", pa.int8(), "of the deck, the highest so many; null: not known"),
        Column("decisions", WORDS, "kinds of actions that players choose"),
        Column("forced", pa.string(), "what is put in before anybody decides: blinds, antes, buy-in"),
        Column("unit", pa.string(), "what results are counted in, `matches.unit` chips"),
        Column("fixed_sizes", pa.bool_(), "the rules fix the size of every bet and raise", _P, null=False),
        Column("simultaneous", pa.bool_(), "all bet at once: nobody answers a bet", _P, null=False),
        Column("button", pa.bool_(), "a dealer's button moves from hand to hand", _P, null=False),
        Column("swaps", pa.bool_(), "hole cards may be exchanged after flop and turn", _P, null=False),
        Column("auctions", pa.bool_(), "players bid for one more card after the flop", _P, null=False),
        Column(
            "discards",
            pa.bool_(),
            "each player gives a hole card to the board after the flop",
            _P,
            null=False,
        ),
        Column("permutes", pa.bool_(), "ranks count as other ranks, which nobody is told", _P, null=False),
        Column("bounties", pa.bool_(), "each player has a secret rank that raises a win", _P, null=False),
        Column("bounty_factor", pa.float64(), "with that rank in play a win of x chips is this times x"),
        Column("bounty_bonus", pa.float64(), "and so many chips more"),
        Column(
            "free_chips",
            pa.list_(pa.float64()),
            "big blinds that nobody puts in and a pot begins with, by board; null: none",
        ),
        Column(
            "win_cap", pa.float64(), "the most that a winner is paid, times what he put in; null: no limit"
        ),
        Column(
            "cluster",
            pa.string(),
            "what is drawn together, so that opportunities in it are alike: numbers (hands with consecutive printed "
            "numbers), hand, match; null: each hand stands for itself",
        ),
        Column("cluster_hands", pa.int16(), "how many numbers; the first cluster begins with number 1"),
        Column(
            "shared_cards",
            pa.bool_(),
            "matches may be dealt the same cards under the same numbers",
            _P,
            null=False,
        ),
        Column(
            "seats_rotate", pa.bool_(), "the matches of a tournament seat its players in turn", _P, null=False
        ),
        Column("first_hand_no", pa.int8(), "the number that a match's first hand prints", null=False),
        Column(
            "most_chips_win", pa.bool_(), "a match is won by having more chips at its end", _P, null=False
        ),
        Column("final_is_delta", pa.bool_(), "a log's final line says what each player won", _P, null=False),
        Column("bankrolls", pa.bool_(), "logs print what each player has won so far", _P, null=False),
        Column(
            "shows_folded",
            pa.bool_(),
            "after a hand all who are still in the match are shown everybody's cards; else at a showdown those of who "
            "has not folded",
            null=False,
        ),
    ),
    "hands": (
        _MATCH,
        _HAND,
        Column("hand_no", pa.int64(), "as printed; may repeat", _D),
        _LINE,
        Column("game", WORD, "the rules", null=False),
        Column("dealer_seat", pa.int8(), "seat of the dealer"),
        Column("n_players", pa.int8(), "at the table", null=False),
        Column("streets", pa.int8(), "betting streets reached, preflop = 1", null=False),
        _word("ended_by", words.ENDINGS),
        Column("board", CARDS, "of single-board games"),
        Column(
            "card_lines",
            pa.list_(pa.int16()),
            "lines of the card events after the hand's line: deals, then streets, null beyond 32,767; null: all in it",
            _S,
        ),
        _word("verdict", words.VERDICTS, null=False),
        Column("deviations", pa.list_(WORD), "by which engine_deviation is explained"),
        Column("undealt", CARDS, "ACPC: cards of the board that the seed would have dealt next"),
    ),
    "seats": (
        _MATCH,
        _HAND,
        _ACTOR,
        Column("player", WORD, "the log's own name", null=False),
        Column(
            "position",
            WORD,
            "SB, BB, ..., BTN; heads-up the dealer is SB; its number in Koper, Kuhn and Leduc",
            null=False,
        ),
        Column("hole", CARDS, "as dealt"),
        Column(
            "hole_changed",
            CARDS,
            "at the end, of a player whose cards changed; null: they stayed as dealt",
        ),
        _chips("stack_start", "chips", _P),
        _chips("contribution", "chips put into the pot over the hand; null by unknown rules"),
        _chips("delta", "logged change in chips; null where the log does not say", _S),
        _chips("written_off", "what the written rules pay, less delta; null where they cannot be told"),
        _chips("engine_off", "what the explaining engine pays, less delta"),
        Column("bounty_rank", WORD, "Bounty: the rank, 2 to A"),
        Column("bounty_hit", pa.bool_(), "Bounty: the rank is among the player's cards or the board", _P),
        _chips("bankroll_before", "as printed; Koper: stack_start", _S),
        Column("shown", pa.bool_(), "the log shows the hand at a showdown", _P, null=False),
        *(Column(flag, pa.bool_(), words.FLAG, _P, null=False) for flag in FLAGS),
        Column("hand_score", pa.int16(), "Koper: 1 the best hand to 7,462; null without a showdown", _P),
        _chips("payout", "Koper: chips paid to a winner, or given back where all fold", _P),
        _chips("win_cap", "Koper: the most a winner is paid; null for who folded", _P),
        _chips("redistributed", "Koper: the share of what the prizes left in the pot", _P),
        Column("win_share", pa.float64(), "Koper: the part of a win that the engine counts"),
        Column("eliminated", pa.bool_(), "Koper: lost the match for want of chips", _P),
    ),
    "actions": (
        _MATCH,
        replace(_HAND, level=_MORE),
        replace(_SEQ, packing=_S, level=_MORE),
        replace(_LINE, level=_MORE),
        Column("board_no", pa.int8(), "board of games with several, from 1; null of one board"),
        replace(_STREET, level=_MORE),
        _ACTOR,
        replace(_word("action", words.ACTIONS, null=False), level=_MORE),
        replace(_word("origin", words.ORIGINS, "whose doing", null=False), level=_MORE),
        _chips("amount_printed", "where the log prints another amount than raise_to"),
        _chips("raise_to", "total on the street that a bet, raise or post names", level=_MORE),
        _chips("pip_before", "the player's chips on the street before", null=False, level=_MORE),
        _chips("to_call", "chips to call", null=False, level=_MORE),
        Column(
            "street_pot",
            pa.float64(),
            "two players at one board: chips in the pot besides the street's bets, before a post all; else null",
            unit=CHIPS,
            level=_MORE,
        ),
        Column(
            "pot_before",
            pa.float64(),
            "chips in the pot before; null where street_pot stands: street_pot + 2 * pip_before + to_call",
            unit=CHIPS,
            follows="street_pot + 2 * pip_before + to_call",
            level=_MORE,
        ),
        _chips(
            "stack_before",
            "chips that the player has left; null in games without stacks, and where both players have put in as much, "
            "but for what is to call: then the starting stack, before a decision less half of (pot_before - to_call)",
            level=_MORE,
        ),
        _chips("opponent_stack", "Blotto: chips that the opponent has left", level=_MORE),
        Column(
            "has_bounds",
            pa.bool_(),
            "whether the legal bounds stand here, or follow from the match",
            _P,
            null=False,
        ),
        _chips("min_raise_to", "where has_bounds: the smallest legal bet or raise; null where none is", _P),
        _chips("max_raise_to", "where has_bounds: the largest legal bet or raise; null where none is", _P),
        Column(
            "bet_level",
            pa.int16(),
            "bets and raises of the street before, the blinds are one",
            _S,
            null=False,
            level=_MORE,
        ),
        Column(
            "aggressor_seat", pa.int8(), "seat of the last bet or raise of the hand; null before the first"
        ),
        Column("active_players", pa.int8(), "who have not folded, of Blotto's board", null=False),
        Column("win_prob", pa.float64(), "Koper: the equity that the engine told the player, 0 to 1"),
    ),
    "faults": (
        _MATCH,
        _HAND,
        _FILE,
        _LINE,
        _SEAT,
        Column("player", WORD, "the log's own name"),
        _word("kind", words.FAULT_KINDS),
        Column("text", WORD, "what the log says of it, cut after 200 characters"),
    ),
    "findings": (
        _MATCH,
        _HAND,
        _SEQ,
        _FILE,
        _LINE,
        _SEAT,
        Column("player", WORD, "whom it concerns"),
        Column("rule", WORD, "the check"),
        _word("kind", words.FINDING_KINDS),
        _word("verdict", words.VERDICTS),
        Column("deviation", WORD, "names joined by +; null where none explains it"),
        Column("expected", WORD, "by the rules"),
        Column("logged", WORD, "by the log"),
        Column("chips", pa.float64(), "what the seat gained against the written rules"),
        Column("message", WORD, "one sentence"),
    ),
    "changes": (
        _MATCH,
        _HAND,
        _LINE,
        _STREET,
        _SEAT,
        _word("kind", words.CARD_CHANGES),
        Column("cards", CARDS, "swap, auction: the new cards; discard: those given up"),
    ),
    "boards": (
        _MATCH,
        _HAND,
        Column("board_no", pa.int8(), "from 1"),
        Column("cards", CARDS, "of the board"),
        _chips("pot", "chips"),
        _chips("pot_inflation", "chips nobody put in"),
        _word("ended_by", words.ENDINGS),
        Column("hole", pa.list_(CARDS), "by seat"),
        Column("contribution", pa.list_(pa.float64()), "by seat"),
        Column("payout", pa.list_(pa.float64()), "by seat"),
    ),
    "equities": (
        _MATCH,
        _HAND,
        _STREET,
        Column("board_no", pa.int8(), "board of games with several, from 1; null: of the whole deal"),
        _ACTOR,
        Column("equity_own", pa.float64(), "own cards and board against two unseen cards, 0 to 1", _S),
        Column("equity_actual", pa.float64(), "share of the pot with the hands really held, 0 to 1", _S),
        Column(
            "stake",
            pa.float64(),
            "chips that the seat had put in when the cards came; at the deal a big blind",
        ),
        Column(
            "value_before", pa.float64(), "chips gained if all only checked, just before the cards came", _S
        ),
        Column("value", pa.float64(), "the same just after them", _S),
        Column("all_in", pa.bool_(), "nobody could bet any more when the cards came", _P, null=False),
    ),
    "counted": (
        _MATCH,
        Column("rows", pa.int64(), "rows of equities that the match has", null=False),
    ),
}


@cache
def schema(table: str) -> pa.Schema:
    """The Arrow schema of a table in memory."""
    return pa.schema([pa.field(column.name, column.type, column.null) for column in TABLES[table]])


@cache
def plain(table: str) -> pa.Schema:
    """The Arrow schema that a part's file tells: dictionaries are an encoding there, not a type."""
    return pa.schema([(column.name, _plain(column.type)) for column in TABLES[table]])


def _plain(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(_plain(kind.value_type))
    return kind.value_type if pa.types.is_dictionary(kind) else kind


class NotTheSchema(TypeError):
    """Columns that are not those of their table: a fault of railbird's own."""


def assembled(table: str, columns: Mapping[str, pa.Array]) -> pa.Table:
    """A table of its columns by name, each checked; those not given that may be null are null in every row.

    Raises NotTheSchema, which names the column: it is missing, not the table's, or of another type or length.
    """
    names = {column.name for column in TABLES[table]}
    if strange := sorted(columns.keys() - names):
        raise NotTheSchema(f"{table} has no column {strange[0]}")
    size = len(next(iter(columns.values())))
    arrays = []
    for column in TABLES[table]:
        values = columns.get(column.name)
        if values is None:
            if not column.null:
                raise NotTheSchema(f"{table}.{column.name} is missing")
            values = _nothing(column.type, size)
        if values.type != column.type:
            raise NotTheSchema(f"{table}.{column.name} is of type {values.type}, not {column.type}")
        if len(values) != size:
            raise NotTheSchema(f"{table}.{column.name} has {len(values)} rows, not {size}")
        if values.null_count and not column.null:
            raise NotTheSchema(f"{table}.{column.name} is null in {values.null_count} rows")
        arrays.append(values)
    return pa.Table.from_arrays(arrays, schema=schema(table))


def _nothing(kind: pa.DataType, size: int) -> pa.Array:
    """Nulls; of lists of cards over their vocabulary, for Arrow joins no lists over two."""
    if kind != CARDS:
        return pa.nulls(size, kind)
    cards = pa.DictionaryArray.from_arrays(pa.array([], pa.int8()), CARD_WORDS)
    return pa.ListArray.from_arrays(
        pa.array([0] * (size + 1), pa.int32()), cards, mask=pa.array([True] * size, pa.bool_())
    )
