"""Every stored table and column: name, type, unit, Parquet encoding and meaning.

All parts of a table have exactly these columns. The relations of docs/schema.md are views over them
(`analytics/sql/relations`). A column that follows from others is computed by its view; no column is encoded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from hashlib import blake2b
from typing import Final

import numpy as np
import pyarrow as pa

from . import words
from .words import FLAGS

WORD: Final = pa.dictionary(pa.int32(), pa.string())
FEW: Final = pa.dictionary(pa.int8(), pa.string())
"""Words of a vocabulary in `words`."""
CARDS: Final = pa.list_(pa.dictionary(pa.int16(), pa.string()))
WORDS: Final = pa.list_(pa.string())
_BYTE_CODES: Final = 129
"""The fewest words of which Parquet's codes take a whole byte."""
CARD_WORDS: Final = pa.array((*words.CARDS, *(f"?{k}" for k in range(len(words.CARDS), _BYTE_CODES))))
"""The text of each card code. No card has the words that follow `words.CARDS`: they make each code a byte, and zstd
makes boards an eighth smaller of bytes than of codes of six bits."""


class Packing(Enum):
    """Parquet's encoding of a column, chosen by measurement; all pages are compressed by zstd.

    Line numbers as dictionaries would double the store. Amounts of chips differ by game: in some there are few, which
    fit a dictionary, in others thousands, which are smaller with their bytes split by position, or plain.
    """

    DICTIONARY = "dictionary"
    DELTA = "DELTA_BINARY_PACKED"
    SPLIT = "BYTE_STREAM_SPLIT"
    PLAIN = "PLAIN"
    LEAST = "the dictionary, BYTE_STREAM_SPLIT or PLAIN, whichever makes the first rows of a part smallest"


CHIPS: Final = "chips"
ROW_GROUP: Final = 20_000
"""The least rows of a row group; as many are written at once."""
LEVEL: Final = 3
"""The default level of zstd: higher levels cost more time than they save space in most columns."""


@dataclass(frozen=True)
class Column:
    """A column of a table: its name, Arrow type, meaning, encoding, and the unit of a number.

    key      Parquet statistics are kept for it
    null     it may be null: unknown, or it does not exist in the game
    words    the vocabulary of a column of words
    follows  the value of a null, in SQL of the row's other columns: such values are not stored
    level    the level of zstd, if not `LEVEL`
    row      of `seats`: a field of the row that rules write (`replay.records.SEAT`), with nothing else to add
    own      of `seats`: during a match each player knows only its own value; `analytics/sql/seen` has the columns that
             others know in part
    later    of `seats`: follows from all cards, so no player knows it during a match
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
    row: bool = False
    own: bool = False
    later: bool = False


_D, _S, _P, _L = Packing.DELTA, Packing.SPLIT, Packing.PLAIN, Packing.LEAST
_LESS: Final = 1
"""The level of zstd for flags: a higher one takes longer and makes them no smaller."""
_MORE: Final = 5
_MOST: Final = 7
"""The levels of zstd for columns that it makes smaller for little time."""
_MATCH: Final = Column(
    "match_id",
    pa.uint64(),
    "identity of the match: 64-bit hash of its text up to the last complete hand",
    key=True,
    null=False,
)
_HAND: Final = Column(
    "hand_index", pa.int32(), "number of the hand within the match, from 0", _D, key=True, null=False
)
_FILE: Final = Column(
    "file_id",
    pa.uint64(),
    "identity of the file: 64-bit hash of its decompressed content",
    key=True,
    null=False,
)
_LINE: Final = Column("line", pa.int64(), "line number in the file, from 1", _D, null=False)
_SEAT: Final = Column("seat", pa.int8(), "seat in the match, from 0; null if the line names no player")
_ACTOR: Final = Column("seat", pa.int8(), "seat in the match, from 0", null=False)
_SEQ: Final = Column("seq", pa.int16(), "order within the hand, from 0", _D, null=False)


def _chips(
    name: str,
    meaning: str,
    packing: Packing = Packing.DICTIONARY,
    null: bool = True,
    row: bool = False,
    level: int = LEVEL,
    follows: str = "",
    later: bool = False,
) -> Column:
    return Column(
        name,
        pa.float64(),
        meaning,
        packing,
        null=null,
        unit=CHIPS,
        follows=follows,
        level=level,
        row=row,
        later=later,
    )


def _word(name: str, vocabulary: tuple[str, ...], meaning: str = "", null: bool = True) -> Column:
    said = ", ".join(vocabulary)
    return Column(name, FEW, f"{meaning}: {said}" if meaning else said, null=null, words=vocabulary)


_STREET: Final = Column(
    "street",
    FEW,
    "preflop, flop, turn, river, then run 1, run 2, ...",
    null=False,
    words=words.STREETS_AND_RUNS,
    level=_MORE,
)


# One column a line: the formatter would give most of them five.
# fmt: off
TABLES: Final[dict[str, tuple[Column, ...]]] = {
    "files": (
        _FILE,
        Column("path", pa.string(), "path as given; if the file could not be opened, file_id is a hash of the path"),
        Column("bytes", pa.int64(), "size of the decompressed content", _D),
        Column("dialect", pa.string(), "log dialect; null if not recognised"),
        Column("revision", pa.string(), "date of the first engine version whose logs look like this"),
        Column("matches", pa.int64(), "matches stored from this file", _D),
        Column("hands_seen", pa.int64(), "hands_stored + hands_rejected", _D),
        Column("hands_stored", pa.int64(), "hands stored from this file", _D),
        Column("hands_damaged", pa.int64(), "stored hands with the verdict damaged", _D),
        Column("hands_rejected", pa.int64(), "hands not stored; unknown_lines has the reason of each", _D),
        Column("lines_seen", pa.int64(), "lines of the file, blank lines included", _D),
        Column("lines_unknown", pa.int64(), "lines that match no known format", _D),
        Column("status", pa.string(), ", ".join(words.FILE_STATUSES)),
        Column("reason", pa.string(), "why the status is not ok, or which other game the matches may be"),
        Column("variants", pa.string(), "games of the user's own that were known as it was read: NAME HASH, ..."),
    ),
    "unknown_lines": (
        _FILE,
        _LINE,
        Column("text", pa.string(), "the line, truncated to 200 characters"),
        Column("reason", pa.string(), "why the line or hand was not stored"),
    ),
    "matches": (
        _MATCH,
        _FILE,
        Column("match_no", pa.int32(), "number of the match within the file, from 1", _D),
        Column("line", pa.int64(), "first line of the match in the file", _D),
        Column("event", pa.string(),
            "tournament or event: --event, else the log's folder; equal names in different events are different "
            "players"),
        Column("game", pa.string(), "the game that was played"),
        Column("dialect", pa.string(), "log dialect"),
        Column("engine_profile", pa.string(), "the engine profile that explains most hands"),
        Column("engine_profiles", WORDS, "all engine profiles that explain as many hands"),
        Column("players", WORDS, "player names by seat"),
        Column("played_at", pa.string(),
            "when the match's first hand began, YYYY-MM-DD HH:MM:SS, in UTC where the log tells the zone, otherwise by "
            "the engine's clock; shorter where the log tells only the day, month or year; null if it tells nothing"),
        Column("hands", pa.int32(), "hands stored", _D),
        Column("starting_stacks", pa.list_(pa.float64()), "starting stacks by seat"),
        Column("blinds", pa.list_(pa.float64()), "small blind and big blind"),
        Column("blinds_by_position", pa.list_(pa.float64()),
            "blinds by position, from the position after the dealer"),
        Column("raise_sizes", pa.list_(pa.float64()),
            "games of a definition: size of a raise in chips, by street; null in no-limit games"),
        Column("raise_caps", pa.list_(pa.int16()), "games of a definition: bet_level at which raising ends, by street"),
        Column("suits", pa.int8(), "games of a definition: number of suits in the deck, the last of c, d, h, s"),
        Column("ranks", pa.int8(), "games of a definition: number of ranks in the deck, the highest"),
        Column("hole_cards", pa.int8(), "games of a definition: hole cards dealt to each player"),
        Column("board_cards", pa.list_(pa.int16()), "games of a definition: board cards by street"),
        Column("buy_in", pa.float64(), "chips that each player pays to enter a hand, where all do"),
        Column("unit", pa.float64(), "chips in one unit of `games.unit`, mostly the big blind"),
        Column("seed", pa.int64(), "seed of the deck; null if the log does not print it", _D),
        Column("card_set", pa.uint64(), "hash of the cards by position; null if the match cannot be a duplicate"),
        Column("seating", pa.int16(), "number of the match among those with the same card set", _D),
        Column("duplicate_group", pa.uint64(),
            "number shared by matches with the same players, game and cards; null for other matches"),
        Column("complete", pa.bool_(), "the log ends like that of a finished match", _P),
        Column("permutation", WORDS,
            "Permutation: the rank that each rank from 2 to A counts as; null if the log does not say"),
        Column("logged_final", pa.list_(pa.float64()), "bankrolls in the final line, by seat"),
        Column("head_hash", pa.uint64(), "hash of the text up to the fifth line of the first hand, or to its end"),
        Column("text_bytes", pa.int64(), "length of the text in bytes, without blank lines at the end", _D),
        Column("text_hash", pa.uint64(), "hash of the first text_bytes bytes"),
        Column("players_hash", pa.uint64(), "hash of the player names, independent of their order"),
        Column("first_hand_no", pa.int64(), "printed number of the first hand of the log", _D),
        Column("last_hand_no", pa.int64(), "printed number of the last hand of the log", _D),
        Column("first_hand_hash", pa.uint64(),
               "hash of the number, players, cards and awards of the first hand; without players and hole cards where "
               "files of one match know different ones"),
        Column("hand_marks", pa.binary(),
            "two bits of the hash of each hand of the log, stored or not, four hands a byte"),
        Column("log_hands", pa.int32(),
            "hands in the log; more than `hands` if its last hands are the first of another match", _D),
    ),
    "games": (
        Column("game", pa.string(), "name of the game, as in `matches.game`", null=False),
        Column("title", pa.string(), "name of the game in reports"),
        Column("players", pa.int8(), "players in a match"),
        Column("streets", WORDS, "names of the betting streets, from street 0"),
        Column("first_street", pa.int8(), "the first street with decisions", null=False),
        Column("runs", pa.bool_(),
            "more streets of one card follow the last one as long as that card is of `run_after`", _P, null=False),
        Column("run_after", pa.string(), "suits or ranks of the cards after which a run goes on; null if none does"),
        Column("board_cards", pa.list_(pa.int16()), "board cards by street; null if unknown"),
        Column("boards", pa.int8(), "boards in a hand, each with its own pot", null=False),
        Column("hole_cards", pa.int8(), "hole cards dealt to each player at the start; null if unknown"),
        Column("suits", pa.int8(), "number of suits in the deck, the last of c, d, h, s; null if unknown"),
        Column("ranks", pa.int8(), "number of ranks in the deck, the highest; null if unknown, or not the highest"),
        Column("decisions", WORDS, "actions that players choose"),
        Column("forced", pa.string(), "chips paid before the first decision: blinds, antes or buy-in"),
        Column("unit", pa.string(), "unit of results, worth `matches.unit` chips"),
        Column("fixed_sizes", pa.bool_(), "the rules fix the size of every bet and raise", _P, null=False),
        Column("simultaneous", pa.bool_(), "all players bet at once: no player responds to a bet", _P, null=False),
        Column("button", pa.bool_(), "a dealer button moves from hand to hand", _P, null=False),
        Column("swaps", pa.bool_(), "hole cards may be exchanged after flop and turn", _P, null=False),
        Column("auctions", pa.bool_(),
            "players bid after the flop, for one more card or for a look at one of the opponent's", _P, null=False),
        Column("discards", pa.bool_(), "each player gives a hole card to the board after the flop", _P, null=False),
        Column("redraws", pa.bool_(),
            "with an action, a player may replace a card by another, which it is not shown", _P, null=False),
        Column("hidden_runouts", pa.bool_(),
            "logs leave out the board cards that come after an all-in", _P, null=False),
        Column("passes", pa.bool_(),
            "players pass hole cards to each other before the betting of each street", _P, null=False),
        Column("permutes", pa.bool_(),
            "ranks count as other ranks by a permutation hidden from the players", _P, null=False),
        Column("swap_chances", pa.list_(pa.float64()),
            "how likely each hole card is exchanged after the cards of a street, by street from 0; null where none is, "
            "or players choose"),
        Column("permutation_stay", pa.float64(),
            "the permutation takes the next rank up of those left with this chance, else passes on to the one after; "
            "null where it is drawn otherwise"),
        Column("bounties", pa.bool_(), "each player has a secret rank that raises a win", _P, null=False),
        Column("bounty_factor", pa.float64(), "a win of x chips with that rank in play is multiplied by this"),
        Column("bounty_bonus", pa.float64(), "chips added to such a win"),
        Column("free_chips", pa.list_(pa.float64()),
            "big blinds in the pot at the start that no player put in, by board; null if none"),
        Column("win_cap", pa.float64(),
            "the most that a winner is paid, as a multiple of its contribution; null if unlimited"),
        Column("cluster", pa.string(),
            "group of hands whose opportunities depend on each other: numbers (hands with consecutive printed "
            "numbers), hand or match; null if hands are independent"),
        Column("cluster_hands", pa.int16(), "hands in a cluster of numbers; the first begins with number 1"),
        Column("shared_cards", pa.bool_(),
            "matches may be dealt the same cards in hands of the same number", _P, null=False),
        Column("seats_rotate", pa.bool_(), "players change seats between the matches of a tournament", _P, null=False),
        Column("first_hand_no", pa.int8(), "printed number of the first hand of a match", null=False),
        Column("most_chips_win", pa.bool_(), "the player with most chips at the end wins the match", _P, null=False),
        Column("final_is_delta", pa.bool_(),
            "the final line of a log gives each player's winnings, not its bankroll", _P, null=False),
        Column("bankrolls", pa.bool_(), "logs print each player's winnings so far", _P, null=False),
        Column("shows_folded", pa.bool_(),
            "after a hand every player still in the match is shown all cards; if false, only the cards of players who "
            "reach showdown", null=False),
        Column("throws", pa.bool_(),
            "each player throws away a hole card after the betting of the flop", _P, null=False),
        Column("holes_used", pa.int8(),
            "hole cards that a hand has at the showdown; null for as many as make it best"),
        Column("own_order", pa.bool_(), "hands are compared by another order than in hold'em", _P, null=False),
        Column("all_in_equity", pa.bool_(),
            "a hand that is all-in before its last street is paid by equity; no more cards are dealt", _P, null=False),
        Column("own_rules", pa.bool_(),
            "a function of the game's own says what a hand pays, or a step costs chips or changes hands: values of "
            "hands and luck are not counted", _P, null=False),
    ),
    "hands": (
        _MATCH,
        _HAND,
        Column("hand_no", pa.int64(), "printed number of the hand; numbers may repeat", _D),
        replace(_LINE, level=_MORE),
        Column("game", WORD, "the game that was played", null=False),
        Column("dealer_seat", pa.int8(), "seat of the dealer", _S),
        Column("n_players", pa.int8(), "players at the table", _S, null=False),
        Column("streets", pa.int8(), "betting streets reached; 1 if the hand ended preflop", null=False),
        _word("ended_by", words.ENDINGS),
        Column("board", CARDS, "board cards; null in games of several boards"),
        Column("card_lines", pa.list_(pa.int16()),
            "for each card event, deals first, then streets, its line number minus `line`, less than 0 where the log "
            "has the newest line first; an element is null if that exceeds 32,767 either way; the list is null if all "
            "cards are printed on `line`", _S, level=_MORE),
        _word("verdict", words.VERDICTS, null=False),
        Column("deviations", pa.list_(WORD), "known engine deviations that explain the verdict engine_deviation"),
        Column("undealt", CARDS, "board cards that the seed would have dealt next"),
        Column("board_changed", CARDS,
            "Redraw: board cards at the end of the hand, null where the log does not tell the card; the list is null "
            "if no card was replaced"),
        _chips("rake", "chips that the house took from the pots; null if the log does not tell it"),
    ),
    "seats": (
        _MATCH,
        _HAND,
        replace(_ACTOR, packing=_S),
        Column("player", WORD, "name of the player in the log", null=False),
        Column("position", WORD,
            "SB, BB, ..., BTN; heads-up the dealer is SB, BTN if it posts nothing; in Koper, Kuhn and Leduc a number",
            null=False),
        Column("hole", CARDS, "hole cards as dealt"),
        Column("hole_changed", CARDS,
            "hole cards at the end of the hand, null where the log does not tell the card; the list is null if they "
            "did not change"),
        _chips("stack_start", "stack before the hand", _P),
        _chips("contribution", "chips put into the pot over the hand; null if the rules are unknown", _L,
            level=_MORE),
        _chips("delta",
            "change in chips over the hand, as logged; in a log without results by the rules; null if unknown",
            _L, row=True),
        _chips("written_off",
            "result by the written rules minus delta: 0 if the hand was paid as written; null if the rules cannot be "
            "applied"),
        _chips("engine_off",
            "result by the rules of `matches.engine_profile` minus delta: 0 if that engine explains the payout"),
        Column("bounty_rank", WORD, "the player's bounty rank, 2 to A", own=True),
        Column("bounty_hit", pa.bool_(),
            "the bounty rank is among the player's hole cards or on the board", _P),
        _chips("bankroll_before", "bankroll before the hand, as printed; stack_start where stacks carry over", _L),
        Column("shown", pa.bool_(), "the log shows the hole cards at showdown", _P, null=False, row=True),
        *(
            Column(flag, pa.bool_(), words.FLAG, _P, null=False, level=_LESS)
            for flag in FLAGS
            if flag not in words.FLAGS_OF_FLAGS
        ),
        Column("hand_score", pa.int16(),
            "strength of the hand, from 1, the best, to 7,462; null without a showdown", _P),
        _chips("payout", "where pay is capped: chips paid to a winner, or returned if all players fold", _P),
        _chips("win_cap", "where pay is capped: the most that the player can be paid; null after a fold", _P),
        _chips("redistributed", "where pay is capped: the player's share of what the winners left in the pot", _P),
        Column("win_share", pa.float64(), "share of a win credited by the engine"),
        Column("eliminated", pa.bool_(), "out of the match for lack of chips", _P),
        _chips("published_adjusted",
            "luck-adjusted result of the hand as the log itself prints it; null if it prints none", _L, row=True,
            later=True),
    ),
    "actions": (
        replace(_MATCH, packing=_P),
        _HAND,
        replace(_SEQ, packing=_S, level=_MORE),
        replace(_LINE, level=_MOST),
        Column("board_no", pa.int8(), "number of the board, from 1; null in games of one board", _S),
        _STREET,
        _ACTOR,
        replace(_word("action", words.ACTIONS, null=False), level=_MORE),
        replace(
            _word("origin", words.ORIGINS, "cause of the action; only choice is the player's own decision", null=False),
            level=_MORE),
        _chips("amount_printed", "amount printed in the log, if not raise_to"),
        _chips("raise_to", "chips on the street in total after a bet, raise or post", _L, level=_MORE),
        _chips("pip_before",
            "chips that the player had put in on the street before the action", null=False, level=_MORE),
        _chips("to_call", "chips to call", _L, null=False, level=_MORE),
        _chips("street_pot",
            "in matches of two players at one board: chips in the pot from earlier streets, before a post all chips; "
            "null in others", level=_MORE),
        Column("pot_before", pa.float64(),
            "chips in the pot before the action, of this board; null in matches of two players at one board: there it "
            "is street_pot + 2 * pip_before + to_call", _L, unit=CHIPS,
            follows="street_pot + 2 * pip_before + to_call", level=_MORE),
        _chips("stack_before",
            "chips left to the player before the action; null in games without stacks, and in matches of two players "
            "at one board who always put in the same on earlier streets: there it is the starting stack, before a "
            "decision less (pot_before - to_call) / 2", _L, level=_MOST),
        _chips("opponent_stack", "several boards: chips left to the opponent", level=_MORE),
        Column("has_bounds", pa.bool_(),
            "true if min_raise_to and max_raise_to are stored here; else they follow from the match", _P, null=False),
        _chips("min_raise_to", "with has_bounds: the smallest legal bet or raise; null if none is legal", _L),
        _chips("max_raise_to", "with has_bounds: the largest legal bet or raise; null if none is legal", _L),
        Column("bet_level", pa.int16(),
            "bets and raises on the street before the action; the blinds count as one", _S, null=False,
            level=_MOST),
        Column("active_players", pa.int8(), "players who have not folded, of several boards on this one", null=False),
        Column("win_prob", pa.float64(), "the equity that the engine gave the player, 0 to 1"),
    ),
    "faults": (
        _MATCH,
        _HAND,
        _FILE,
        _LINE,
        _SEAT,
        Column("player", WORD, "name of the player in the log"),
        _word("kind", words.FAULT_KINDS),
        Column("text", WORD,
            "the answer as the log gives it, or the illegal action with its amount, truncated to 200 characters; empty "
            "if the log gives neither, as for late and disconnected"),
    ),
    "findings": (
        _MATCH,
        _HAND,
        _SEQ,
        _FILE,
        _LINE,
        _SEAT,
        Column("player", WORD, "player that the finding concerns"),
        Column("rule", WORD, "the rule that was checked"),
        _word("kind", words.FINDING_KINDS),
        _word("verdict", words.VERDICTS),
        Column("deviation", WORD, "known deviations that explain the finding, joined by +; null if none does"),
        Column("expected", WORD, "the value that the rules require"),
        Column("logged", WORD, "the value in the log"),
        Column("chips", pa.float64(), "chips that the seat gained compared with the written rules"),
        Column("message", WORD, "the finding in one sentence"),
    ),
    "changes": (
        _MATCH,
        _HAND,
        _LINE,
        _STREET,
        _SEAT,
        _word("kind", words.CARD_CHANGES),
        Column("cards", CARDS,
            "the new cards of a swap or auction; the cards given up in a discard; the old and the new card of a "
            "redraw, null if the log does not tell it; the opponent's card that a reveal shows the seat; the cards "
            "that a pass brings it"),
    ),
    "boards": (
        _MATCH,
        _HAND,
        Column("board_no", pa.int8(), "number of the board, from 1"),
        Column("cards", CARDS, "cards of the board"),
        _chips("pot", "chips in the pot of this board; null where two boards share each pot"),
        _chips("pot_inflation", "chips of the pot that no player put in"),
        _word("ended_by", words.ENDINGS),
        Column("hole", pa.list_(CARDS), "hole cards assigned to this board, by seat"),
        Column("contribution", pa.list_(pa.float64()), "chips put into this pot, by seat"),
        Column("payout", pa.list_(pa.float64()), "chips paid from this pot, by seat"),
    ),
    "notes": (
        _MATCH,
        _HAND,
        Column("seq", pa.int16(), "the decision, as in `actions.seq`", _D, null=False),
        _ACTOR,
        Column("seconds", pa.float64(), "time that the decision took, in seconds", _S),
        Column("status", pa.string(), "what became of the player's answer, in the engine's words"),
        Column("text", pa.string(), "what the player thought or said"),
        Column("probability", pa.float64(), "chance of winning that the player claimed, 0 to 1", _S),
        Column("claim", pa.string(), "what the player claimed about its hand"),
    ),
    "tags": (
        _MATCH,
        Column("tag", pa.string(), "name of the tag, which is the name of its column too", null=False),
        Column("value", pa.string(), "the match's value; null if the tag was taken away"),
        Column("tagged_at", pa.int64(), "nanoseconds since 1970; of two rows of one match and tag the later counts",
            _D, null=False),
    ),
    "equities": (
        _MATCH,
        _HAND,
        _STREET,
        Column("board_no", pa.int8(),
            "number of the board, from 1; null for the deal as a whole and in games of one board"),
        _ACTOR,
        Column("equity_own", pa.float64(), "equity of own cards and board against two random unseen cards, 0 to 1", _S),
        Column("equity_actual", pa.float64(), "equity against the hands really held, 0 to 1", _S),
        Column("stake", pa.float64(),
            "chips that the seat had put in when the cards were dealt; for hole cards a big blind"),
        Column("value_before", pa.float64(),
            "chips gained if all players only check from here, just before the cards are dealt", _S),
        Column("value", pa.float64(), "the same just after the cards are dealt", _S),
        Column("all_in", pa.bool_(), "no player could bet any more when the cards were dealt", _P, null=False),
    ),
    "counted": (
        _MATCH,
        Column("rows", pa.int64(), "rows in equities for the match", null=False),
    ),
}
# fmt: on


@cache
def schema(table: str) -> pa.Schema:
    """The Arrow schema of a table in memory."""
    return pa.schema([pa.field(column.name, column.type, column.null) for column in TABLES[table]])


@cache
def plain(table: str) -> pa.Schema:
    """The Arrow schema of a part's file: there dictionaries are an encoding, not a type."""
    return pa.schema([(column.name, _plain(column.type)) for column in TABLES[table]])


def _plain(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(_plain(kind.value_type))
    return kind.value_type if pa.types.is_dictionary(kind) else kind


_TYPES: Final = {
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "uint64": "UBIGINT",
    "double": "DOUBLE",
    "bool": "BOOLEAN",
    "string": "VARCHAR",
    "binary": "BLOB",
}


def sql_type(kind: pa.DataType) -> str:
    """The DuckDB type of a column's Arrow type."""
    name = str(kind)
    if name.startswith("list"):
        return f"{sql_type(kind.value_type)}[]"
    return sql_type(kind.value_type) if name.startswith("dictionary") else _TYPES[name]


@cache
def digest() -> str:
    """Eight digits that differ if a column of a part's file, its type or its vocabulary differs."""
    listed = [
        (table, [(column.name, sql_type(column.type), column.words) for column in columns])
        for table, columns in sorted(TABLES.items())
    ]
    return blake2b(repr(listed).encode(), digest_size=4).hexdigest()


class NotTheSchema(TypeError):
    """The columns are not those of the table: an internal error."""


def assembled(table: str, columns: Mapping[str, pa.Array]) -> pa.Table:
    """A table from its columns by name, each checked; nullable columns that are not given are null in every row.

    Raises NotTheSchema, which names a column that is missing, unknown, or of another type or length.
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


_nulls: Final[dict[pa.DataType, pa.Array]] = {}
"""The longest array of nulls of each type so far: columns that a game does not have are null in every chunk."""


def _nothing(kind: pa.DataType, size: int) -> pa.Array:
    """Nulls; lists of cards keep their vocabulary, because Arrow cannot concatenate lists over two."""
    there = _nulls.get(kind)
    if there is None or len(there) < size:
        there = _nulls[kind] = _nulls_of(kind, size + size // 8)
    return there.slice(0, size)


def _nulls_of(kind: pa.DataType, size: int) -> pa.Array:
    if kind != CARDS:
        return pa.nulls(size, kind)
    cards = pa.DictionaryArray.from_arrays(pa.array([], pa.int16()), CARD_WORDS)
    # `from_arrays` with a mask would import pyarrow.compute, which takes as long as a small log.
    none_valid, offsets = np.zeros(size // 8 + 1, np.uint8), np.zeros(size + 1, np.int32)
    buffers = [pa.py_buffer(none_valid), pa.py_buffer(offsets)]
    return pa.Array.from_buffers(kind, size, buffers, size, children=[cards])
