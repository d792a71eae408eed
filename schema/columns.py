"""Every stored table and column: name, type, unit, how Parquet packs it, and one sentence of what it says.

The relations of the contract (docs/schema.md) are views over these (`analytics/sql/relations`): a column that
costs more to keep than to derive is not kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

import pyarrow as pa

from . import words
from .words import ACTIONS, ORIGINS

WORD: Final = pa.dictionary(pa.int32(), pa.string())
PLACE: Final = pa.dictionary(pa.int8(), pa.string())
BYTES: Final = pa.uint64()
CARDS: Final = pa.list_(pa.dictionary(pa.int8(), pa.string()))
WORDS: Final = pa.list_(pa.string())

NO_CHIPS: Final = 0
"""Whole chips that stand for null, in the columns that say so."""

MOST_CHIPS: Final = 2**31 - 1
"""The most whole chips, won or lost, that lie on disk as such."""

NO_WORD: Final = ""
"""What stands in the places behind the end of a short list of words."""


@dataclass(frozen=True)
class Bits:
    """Some bits of an integer column, which DuckDB reads as a column of their own.

    words: what 0, 1, 2, ... stand for. none: 0 is null, and 1 stands for 0.
    """

    name: str
    shift: int
    width: int
    type: pa.DataType
    meaning: str
    words: tuple[str, ...] = ()
    none: bool = False


DICTIONARY: Final = "dictionary"


class Packing(Enum):
    """How Parquet packs a column, as measured: its encoding, and by what the pages are compressed.

    Line numbers as dictionaries would double the store. LZ4 begins a page in no time: few values are as small by it,
    and in tables of few rows to begin costs more than to compress. Of whole numbers those of one sign are smallest
    by their bytes, those of both signs as differences.
    """

    WORDS = DICTIONARY, "lz4"
    NUMBERS = DICTIONARY, "zstd"
    COUNTED = "DELTA_BINARY_PACKED", "lz4"
    DELTA = "DELTA_BINARY_PACKED", "zstd"
    SPLIT = "BYTE_STREAM_SPLIT", "zstd"
    SMALL = "PLAIN", "lz4"
    PLAIN = "PLAIN", "zstd"

    @property
    def encoding(self) -> str:
        """As Parquet names it."""
        return self.value[0]

    @property
    def codec(self) -> str:
        """As Parquet names it."""
        return self.value[1]


@dataclass(frozen=True)
class Column:
    """A column on disk; Parquet packs one that is never null faster, and lists slower than anything else.

    whole  of chips: their packing as int32, in parts where all chips are whole (`on_disk`), as they are in most games
    none   of whole chips: NO_CHIPS stands for null
    short  of lists: how many elements the columns that take its place have room for, in parts where no list is longer
    """

    name: str
    type: pa.DataType
    meaning: str
    packing: Packing = Packing.WORDS
    key: bool = False
    null: bool = True
    bits: tuple[Bits, ...] = ()
    whole: Packing | None = None
    none: bool = False
    short: int = 0

    @property
    def places(self) -> list[str]:
        """The columns of a short list of words: a word each, no word behind its end."""
        return [f"{self.name}_{place}" for place in range(1, self.short + 1)]

    @property
    def bytes(self) -> str:
        """The column of a short list of small numbers: the bytes of one, 0 behind its end."""
        return f"{self.name}_bytes"


class Form(NamedTuple):
    """How a part's columns lie.

    whole  its chips are whole numbers, all of them
    short  its lists are no longer than `Column.short`, all of them, and none is null
    """

    whole: bool = False
    short: bool = False


AS_IT_IS: Final = Form()


def on_disk(column: Column, form: Form) -> list[Column]:
    """The columns of a part of such a form in which a column of its table lies."""
    if form.short and column.short and column.type == CARDS:
        return [
            Column(name, PLACE, f"{column.meaning}: one, or no word", null=False) for name in column.places
        ]
    if form.short and column.short:
        return [
            Column(column.bytes, BYTES, f"{column.meaning}: a byte each, or 0", Packing.NUMBERS, null=False)
        ]
    if form.whole and column.whole:
        kind = pa.list_(pa.int32()) if pa.types.is_list(column.type) else pa.int32()
        return [replace(column, type=kind, packing=column.whole, null=column.null and not column.none)]
    return [column]


ACT: Final = (
    Bits("action", 0, 4, pa.string(), "in this order: " + " ".join(ACTIONS), ACTIONS),
    Bits("origin", 4, 3, pa.string(), "in this order: " + " ".join(ORIGINS), ORIGINS),
    Bits("street", 7, 6, pa.int8(), "0 preflop"),
    Bits("seat", 13, 4, pa.int8(), "place in the match, from 0"),
    Bits(
        "aggressor_seat",
        17,
        4,
        pa.int8(),
        "1 + the seat of the last bet or raise of the hand, 0 none",
        none=True,
    ),
    Bits("seq", 21, 12, pa.int16(), "order within the hand, from 0"),
    Bits("bet_level", 33, 12, pa.int16(), "bets and raises of the street before, the blinds are one"),
    Bits("active_players", 45, 4, pa.int8(), "who have not folded, of Blotto's board"),
    Bits("board_no", 49, 3, pa.int8(), "1 + the board of games with several, from 1; 0 none", none=True),
)
"""What `actions.act` holds: one column is written in far less time and fewer bytes than nine."""


_N, _C, _D, _S = Packing.NUMBERS, Packing.COUNTED, Packing.DELTA, Packing.SPLIT
_P, _L = Packing.PLAIN, Packing.SMALL
_MATCH: Final = Column(
    "match_id",
    pa.uint64(),
    "64-bit hash of the match's text up to its last complete hand",
    key=True,
    null=False,
)
_HAND: Final = Column("hand_index", pa.int32(), "the match's hands from 0", _C, key=True, null=False)
_FILE: Final = Column(
    "file_id", pa.uint64(), "64-bit hash of the file's decompressed content", key=True, null=False
)
_LINE: Final = Column("line", pa.int64(), "line of the file, from 1", _D, null=False)
_SEAT: Final = Column("seat", pa.int8(), "place in the match, from 0; null where the line names nobody")
_ACTOR: Final = Column("seat", pa.int8(), "place in the match, from 0", _L, null=False)
_SEQ: Final = Column("seq", pa.int16(), "order within the hand, from 0", _D, null=False)


def _chips(
    name: str,
    meaning: str,
    packing: Packing = Packing.WORDS,
    null: bool = True,
    whole: Packing = Packing.SPLIT,
    none: bool = False,
) -> Column:
    return Column(name, pa.float64(), meaning, packing, null=null, whole=whole, none=none)


TABLES: Final[dict[str, tuple[Column, ...]]] = {
    "files": (
        _FILE,
        Column(
            "path", pa.string(), "as given; of a file that could not be opened file_id is a hash of it", _L
        ),
        Column("bytes", pa.int64(), "decompressed", _C),
        Column("dialect", pa.string(), "how it is written; null where unknown"),
        Column("revision", pa.string(), "first engine date whose logs look so"),
        Column("matches", pa.int64(), "stored", _C),
        Column("hands_seen", pa.int64(), "hands_stored + hands_rejected", _C),
        Column("hands_stored", pa.int64(), "from this file", _C),
        Column("hands_damaged", pa.int64(), "among the stored", _C),
        Column("hands_rejected", pa.int64(), "each with its reason in unknown_lines", _C),
        Column("lines_seen", pa.int64(), "blank lines included", _C),
        Column("lines_unknown", pa.int64(), "lines that no template accepts", _C),
        Column("status", pa.string(), ", ".join(words.FILE_STATUSES)),
        Column("reason", pa.string(), "why not ok, or what other game its matches may be of", _L),
    ),
    "unknown_lines": (
        _FILE,
        _LINE,
        Column("text", pa.string(), "the line, cut after 200 characters", _L),
        Column("reason", pa.string(), "why it is here"),
    ),
    "matches": (
        _MATCH,
        _FILE,
        Column("match_no", pa.int32(), "within the file, from 1", _C),
        Column("line", pa.int64(), "line of the file at which the match begins", _C),
        Column("event", pa.string(), "what tells players of one name apart: --event, else the log's folder"),
        Column("game", pa.string(), "the rules"),
        Column("dialect", pa.string(), "how it is written"),
        Column("engine_profile", pa.string(), "the engine that leaves fewest hands unexplained"),
        Column("engine_profiles", WORDS, "all that leave as few"),
        Column("players", WORDS, "names by seat", _L),
        Column("hands", pa.int32(), "stored", _C),
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
        Column("seed", pa.int64(), "of the deck, where the log prints it", _C),
        Column("card_set", pa.uint64(), "hash of the cards by position, of matches that can be duplicates"),
        Column("seating", pa.int16(), "number among the matches of one card set", _C),
        Column("duplicate_group", pa.uint64(), "matches of the same players, game and cards"),
        Column("complete", pa.bool_(), "the log ends as a finished match does", _L),
        Column(
            "permutation", WORDS, "Permutation: what each rank from 2 to A counts as; null where not told"
        ),
        Column("logged_final", pa.list_(pa.float64()), "bankrolls of the final line, by seat"),
        Column("head_hash", pa.uint64(), "hash of the text to its first hand's fifth line, or end", _L),
        Column("text_bytes", pa.int64(), "length of the whole text, less blank lines at its end", _C),
        Column("text_hash", pa.uint64(), "hash of so much of the text", _L),
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
            _L,
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
        Column("fixed_sizes", pa.bool_(), "the rules fix the size of every bet and raise", _L, null=False),
        Column("simultaneous", pa.bool_(), "all bet at once: nobody answers a bet", _L, null=False),
        Column("button", pa.bool_(), "a dealer's button moves from hand to hand", _L, null=False),
        Column("swaps", pa.bool_(), "hole cards may be exchanged after flop and turn", _L, null=False),
        Column("auctions", pa.bool_(), "players bid for one more card after the flop", _L, null=False),
        Column(
            "discards",
            pa.bool_(),
            "each player gives a hole card to the board after the flop",
            _L,
            null=False,
        ),
        Column("permutes", pa.bool_(), "ranks count as other ranks, which nobody is told", _L, null=False),
        Column("bounties", pa.bool_(), "each player has a secret rank that raises a win", _L, null=False),
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
            _L,
            null=False,
        ),
        Column(
            "seats_rotate", pa.bool_(), "the matches of a tournament seat its players in turn", _L, null=False
        ),
        Column("first_hand_no", pa.int8(), "the number that a match's first hand prints", null=False),
        Column(
            "most_chips_win", pa.bool_(), "a match is won by having more chips at its end", _L, null=False
        ),
        Column("final_is_delta", pa.bool_(), "a log's final line says what each player won", _L, null=False),
        Column("bankrolls", pa.bool_(), "logs print what each player has won so far", _L, null=False),
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
        Column("hand_no", pa.int64(), "as printed; may repeat", _C),
        _LINE,
        Column("game", WORD, "the rules", null=False),
        Column("dealer_seat", pa.int8(), "seat of the dealer", _L),
        Column("n_players", pa.int8(), "at the table", _L, null=False),
        Column("streets", pa.int8(), "betting streets reached, preflop = 1", null=False),
        Column("ended_by", WORD, ", ".join(words.ENDINGS)),
        Column("board", CARDS, "of single-board games", short=5),
        Column(
            "card_lines",
            pa.list_(pa.int16()),
            "lines of the card events after the hand's line: deals, then streets, null beyond 32,767; null: all in it",
            _S,
            short=8,
        ),
        Column("verdict", WORD, ", ".join(words.VERDICTS), null=False),
        Column("deviations", pa.list_(WORD), "by which engine_deviation is explained"),
        Column(
            "posts", pa.int8(), "lines from the hand's to its first post; null: posts are rows of actions"
        ),
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
        Column("hole", CARDS, "as dealt", short=2),
        Column("hole_final", CARDS, "at the end, where it differs from hole"),
        _chips("stack_start", "chips", _P),
        _chips("contribution", "chips put into the pot over the hand; null by unknown rules"),
        _chips("delta", "logged change in chips; null where the log does not say", _S, whole=_D),
        _chips("written_off", "what the written rules pay, less delta; null where they cannot be told"),
        _chips("engine_off", "what the explaining engine pays, less delta"),
        Column("bounty_rank", WORD, "Bounty: the rank, 2 to A"),
        Column("bounty_hit", pa.bool_(), "Bounty: the rank is among the player's cards or the board", _P),
        _chips("bankroll_before", "as printed; null: stack_start", _S, null=False),
        Column("shown", pa.bool_(), "the log shows the hand at a showdown", _P, null=False),
        Column("flags", pa.uint64(), "statistic flags, a bit each", null=False),
        Column("hand_score", pa.int16(), "Koper: 1 the best hand to 7,462; null without a showdown", _P),
        _chips("payout", "Koper: chips paid to a winner, or given back where all fold", _P),
        _chips("win_cap", "Koper: the most a winner is paid; null for who folded", _P),
        _chips("redistributed", "Koper: the share of what the prizes left in the pot", _P),
        Column("win_share", pa.float64(), "Koper: the part of a win that the engine counts", _N),
        Column("eliminated", pa.bool_(), "Koper: lost the match for want of chips", _P),
    ),
    "actions": (
        _MATCH,
        _HAND,
        _LINE,
        Column(
            "act",
            pa.int64(),
            "bits: who did what as whose doing, when, and the bets before it",
            _N,
            null=False,
            bits=ACT,
        ),
        _chips("amount_printed", "where the log prints another amount than raise_to", _N),
        _chips("raise_to", "total on the street that a bet, raise or post names", none=True),
        _chips("pip_before", "the player's chips on the street before", _N, null=False),
        _chips("to_call", "chips to call", _N, null=False),
        _chips("pot_before", "chips in the pot before", _S, null=False),
        _chips(
            "stack_before",
            "chips left; null: two players who have put in as much, but for what is to call",
            _S,
        ),
        Column("bounds", pa.bool_(), "ACPC: the bounds are stored; null: they follow from the match", _P),
        _chips("opponent_stack", "Blotto: chips that the opponent has left", _N),
        _chips("min_raise_to", "ACPC, Koper: the smallest legal bet or raise; null where none is", _N),
        _chips("max_raise_to", "ACPC, Koper: the largest legal bet or raise; null where none is", _N),
        Column("win_prob", pa.float64(), "Koper: the equity that the engine told the player, 0 to 1", _N),
    ),
    "faults": (
        _MATCH,
        _HAND,
        _FILE,
        _LINE,
        _SEAT,
        Column("player", WORD, "the log's own name"),
        Column("kind", WORD, ", ".join(words.FAULT_KINDS)),
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
        Column("kind", WORD, ", ".join(words.FINDING_KINDS)),
        Column("verdict", WORD, "engine_deviation, violation, damaged, unverified"),
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
        Column("street", pa.int8(), "after whose deal"),
        _SEAT,
        Column("kind", WORD, ", ".join(words.CARD_CHANGES)),
        Column("cards", CARDS, "swap, auction: the new cards; discard: those given up"),
    ),
    "boards": (
        _MATCH,
        _HAND,
        Column("board_no", pa.int8(), "from 1"),
        Column("cards", CARDS, "of the board"),
        _chips("pot", "chips", _N),
        _chips("pot_inflation", "chips nobody put in"),
        Column("ended_by", WORD, "fold, showdown"),
        Column("hole", pa.list_(CARDS), "by seat"),
        Column("contribution", pa.list_(pa.float64()), "by seat", _N, whole=_S),
        Column("payout", pa.list_(pa.float64()), "by seat", _N, whole=_S),
    ),
    "equities": (
        _MATCH,
        _HAND,
        Column("street", pa.int8(), "whose cards have come, 0 preflop", null=False),
        Column("board_no", pa.int8(), "board of games with several, from 1; null: of the whole deal"),
        _ACTOR,
        Column("equity_own", pa.float64(), "own cards and board against two unseen cards, 0 to 1", _S),
        Column("equity_actual", pa.float64(), "share of the pot with the hands really held, 0 to 1", _S),
        Column(
            "stake",
            pa.float64(),
            "chips that the seat had put in when the cards came; at the deal a big blind",
            _N,
        ),
        Column(
            "value_before", pa.float64(), "chips gained if all only checked, just before the cards came", _S
        ),
        Column("value", pa.float64(), "the same just after them", _S),
        Column("all_in", pa.bool_(), "nobody could bet any more when the cards came", _P, null=False),
    ),
}


@cache
def schema(table: str) -> pa.Schema:
    """The Arrow schema of a table on disk."""
    return pa.schema([pa.field(column.name, column.type, column.null) for column in TABLES[table]])


def plain(table: str, without: Sequence[str] = (), form: Form = AS_IT_IS) -> pa.Schema:
    """The Arrow schema that a part's file tells: dictionaries are an encoding there, not a type."""
    held = (column for column in TABLES[table] if column.name not in without)
    return pa.schema([(c.name, _plain(c.type)) for column in held for c in on_disk(column, form)])


def _plain(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(_plain(kind.value_type))
    return kind.value_type if pa.types.is_dictionary(kind) else kind
