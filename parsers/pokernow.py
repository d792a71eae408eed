"""PokerNow's tables as players export them: a CSV file with one line of the log per row, the newest first.

IDs identify players: names change, and may contain anything. Amounts after a blind are totals of the street. The
exporter is the player who shows exactly the exporter's own cards in some hand.
"""

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from ..schema.words import WITHOUT_RULES
from .grammar import MOST_DIGITS, TOO_LONG, number_in
from .record_values import clock
from .records import Record
from .table_lines import Lines, in_matches

NAME: Final = "pokernow"
OMAHA: Final = "pokernow-omaha"
HEADING: Final = b"entry,at,order"
_HEADING: Final = HEADING.decode().split(",")
_COLUMNS: Final = len(_HEADING)

_GAMES: Final = {"No Limit Texas Hold'em": (NAME, 0, 2), "Pot Limit Omaha Hi": (OMAHA, 1, 4)}
"""By the name of a game: its dialect, its limit as table lines have it, how many hole cards it deals."""

_PLAYER: Final = r'"(?P<name>.*) @ (?P<id>[A-Za-z0-9_-]+)"'
_CHIPS: Final = r"(?P<chips>[0-9]+(?:\.[0-9]+)?)"
_STARTS: Final = re.compile(
    r"-- starting hand #(?P<number>[0-9]+) (?:\(id: (?P<hand>[^)]*)\) )? ?\((?P<game>[^()]*)\) "
    rf"\((?:dealer: {_PLAYER}|dead button)\) --"
)
_ENDS: Final = re.compile(r"-- ending hand #(?P<number>[0-9]+) --")
_STACK: Final = re.compile(
    r'#(?P<chair>[0-9]+) "(?P<name>(?:(?!" \([0-9.]+\) \| #[0-9]+ ").)*) @ (?P<id>[A-Za-z0-9_-]+)" '
    r"\((?P<chips>[0-9]+(?:\.[0-9]+)?)\)(?: \| |$)"
)
_POST: Final = re.compile(
    rf"{_PLAYER} posts an? (?P<what>small blind|big blind|straddle|missing small blind|missed big blind|ante|bet) "
    rf"of {_CHIPS}(?P<bomb> \(bomb pot bet\))?(?P<all_in> and go all in ?)?"
)
_ACTION: Final = re.compile(
    rf"{_PLAYER} (?P<what>folds|checks|calls|bets|raises to)(?: {_CHIPS})?"
    r"(?P<bomb> \(bomb pot bet\))?(?P<all_in> and go all in ?)?"
)
_CARD: Final = re.compile(r"(10|[2-9TJQKA])([♣♦♥♠])")
_CENTS: Final = 100
_SUIT: Final = dict(zip("♣♦♥♠", "cdhs", strict=True))
_BOARD: Final = re.compile(
    r"(?P<street>Flop|Turn|River)(?P<second> \(second (?:board|run)\))?: (?P<before>[^\[]*)\[(?P<new>[^\]]*)\]"
)
_RETURNED: Final = re.compile(rf"Uncalled bet of {_CHIPS} returned to {_PLAYER}")
_SHOWS: Final = re.compile(rf"{_PLAYER} shows an? (?P<cards>[^\"]*)\.")
_COLLECTED: Final = re.compile(
    rf"{_PLAYER} collected {_CHIPS} from pot(?P<how> with .*?)?(?P<second> on the second (?:board|run))?\s*"
    r"(?: ?\(combination: [^)]*\))?"
)
_OWN: Final = re.compile(r"Your hand is (?P<cards>.*)")
_TALK: Final = re.compile(
    r"(?:The (?:player|admin|game|game's|players|ownership|room) |WARNING: |IMPORTANT: |Undealt cards"
    r"|Remaining players |Some players |All players |Dead Small Blind$).*"
    rf"|{_PLAYER} chooses to +(?:not )?run it twice\."
)
"""Lines about the table, the choice to run it twice, and undealt cards: no chips move."""
_NEW_ID: Final = re.compile(
    r'The player ".*" changed the ID from (?P<old>[A-Za-z0-9_-]+) to (?P<new>[A-Za-z0-9_-]+)\b.*'
)
_BIG_BLIND: Final = re.compile(rf"The game's big blind was changed from [0-9.]+ to {_CHIPS}\.")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the log: its line in the file, its text, and its time."""

    line: int
    said: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """A parsed line of a hand.

    what   post of a kind, an action, a street, return, show, win
    player an ID, "" if there is none; chips: Decimal; cards: as in `de9h`, second: of the second board
    """

    line: int
    what: str
    player: str = ""
    chips: Decimal = Decimal(0)
    cards: tuple[str, ...] = ()
    second: bool = False


@dataclass(slots=True)
class Hand:
    """A hand of a table.

    dealer  its ID, "" for a dead button
    seats   of those dealt in: chair, ID, stack before any posting
    big     the big blind of the table, which a player may post only in part
    whole   its last line is in the log
    at      when it began, in ISO form
    """

    line: int
    number: int
    game: str
    dealer: str
    seats: list[tuple[int, str, Decimal]] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    own: tuple[str, ...] = ()
    big: Decimal = Decimal(0)
    whole: bool = False
    seats_line: int = 0
    at: str = ""


def rows(records: Iterable[Record], out: Lines) -> list[Row]:
    """The lines of a table, the oldest first; invalid rows are reported as unreadable."""
    found: list[tuple[int, Row]] = []
    for record in records:
        text = record.value.decode("utf-8", "backslashreplace")
        try:
            row = next(csv.reader((text,)), [])
        except csv.Error:
            # A carriage return within the row, or a cell that is too long.
            out.unread(text, record.number)
            continue
        order = number_in(row[2]) if len(row) == _COLUMNS and row[2].isdecimal() else TOO_LONG
        if order != TOO_LONG:
            found.append((order, Row(record.number, row[0], row[1])))
        elif row and row != _HEADING:
            out.unread(text, record.number)
    found.sort(key=lambda one: one[0])
    return [row for _, row in found]


def cards_in(text: str) -> tuple[str, ...]:
    """The cards in a line, in railbird's notation."""
    return tuple(("T" if rank == "10" else rank) + _SUIT[suit] for rank, suit in _CARD.findall(text))


def hands(table: Iterable[Row], out: Lines) -> list[Hand]:
    """The hands of a table in the order of play; unknown lines are reported as unreadable."""
    found: list[Hand] = []
    same: dict[str, str] = {}
    inside, big = False, Decimal(0)
    for row in table:
        if starts := _STARTS.fullmatch(row.said):
            number = number_in(starts["number"])
            found.append(Hand(row.line, number, starts["game"], starts["id"] or "", big=big, at=row.at))
            inside = True
        elif _ENDS.fullmatch(row.said):
            if inside:
                found[-1].whole = True
            else:
                out.unread(row.said, row.line)
            inside = False
        elif (changed := _BIG_BLIND.fullmatch(row.said)) and len(changed["chips"]) <= MOST_DIGITS:
            big = _chips(changed["chips"])
        elif moved := _NEW_ID.fullmatch(row.said):
            same[moved["old"]] = moved["new"]
        elif _TALK.fullmatch(row.said):
            continue
        elif found and not inside and (late := _SHOWS.fullmatch(row.said)):
            # Until the next hand begins.
            found[-1].moves.append(Move(row.line, "late", late["id"], cards=cards_in(late["cards"])))
        elif not inside or not _read(found[-1], row):
            out.unread(row.said, row.line)
        elif found[-1].moves and found[-1].moves[-1].what == "big":
            found[-1].big = big = max(big, found[-1].moves[-1].chips)
    return [_renamed(hand, same) for hand in found] if same else found


def _renamed(hand: Hand, same: Mapping[str, str]) -> Hand:
    """A hand with the players' latest IDs."""

    def last(player: str) -> str:
        for _ in same:
            player = same.get(player, player)
        return player

    hand.dealer = last(hand.dealer)
    hand.seats = [(chair, last(player), chips) for chair, player, chips in hand.seats]
    hand.moves = [replace(move, player=last(move.player)) for move in hand.moves]
    return hand


_POSTS: Final = {
    "small blind": "small",
    "big blind": "big",
    "straddle": "straddle",
    "missing small blind": "dead",
    "missed big blind": "missed",
    "ante": "ante",
    "bet": "bomb",
}
_OPENING: Final = ("small", "big", "check", "bet", "fold")
_ACTS: Final = {"folds": "fold", "checks": "check", "calls": "call", "bets": "bet", "raises to": "raise"}


def _read(hand: Hand, row: Row) -> bool:
    """Add a line of a hand; False if the line is unknown."""
    said, line = row.said, row.line
    if said.startswith("Player stacks: "):
        hand.seats_line = line
        rest, at = said.removeprefix("Player stacks: "), 0
        while at < len(rest) and (one := _STACK.match(rest, at)):
            hand.seats.append((number_in(one["chair"]), one["id"], _chips(one["chips"])))
            at = one.end()
        return at == len(rest)
    if post := _POST.fullmatch(said):
        hand.moves.append(Move(line, _POSTS[post["what"]], post["id"], _chips(post["chips"])))
    elif act := _ACTION.fullmatch(said):
        what = "bomb" if act["bomb"] else _ACTS[act["what"]]
        hand.moves.append(Move(line, what, act["id"], _chips(act["chips"] or "0")))
    elif board := _BOARD.fullmatch(said):
        hand.moves.append(
            Move(line, board["street"].lower(), cards=cards_in(board["new"]), second=bool(board["second"]))
        )
    elif back := _RETURNED.fullmatch(said):
        hand.moves.append(Move(line, "return", back["id"], _chips(back["chips"])))
    elif shown := _SHOWS.fullmatch(said):
        hand.moves.append(Move(line, "show", shown["id"], cards=cards_in(shown["cards"])))
    elif won := _COLLECTED.fullmatch(said):
        hand.moves.append(Move(line, "win", won["id"], _chips(won["chips"]), second=bool(won["second"])))
    elif own := _OWN.fullmatch(said):
        hand.own = cards_in(own["cards"])
    else:
        return False
    return True


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The table lines of a table: one match per game, because players change the game at the table."""
    found = hands(rows(records, out), out)
    has_cents = any(chips.as_tuple().exponent for hand in found for chips in _amounts(hand))
    unit = _CENTS if has_cents else 1
    owner = _owner(found)
    by_game: dict[str, list[Hand]] = {}
    for hand in found:
        by_game.setdefault(_GAMES.get(hand.game, (NAME, 0, 0))[0], []).append(hand)
    for engine, of_game in sorted(by_game.items()):
        for players, some in in_matches(of_game, _players):
            names = {player: seat for seat, player in enumerate(players)}
            big = next((hand.big for hand in some if hand.big), Decimal(0))
            opening = len(set(_players(some[0])))
            began = clock(some[0].at)
            out.match(players, engine, unit=unit, big=int(big * unit), opening=opening, played_at=began)
            for hand in some:
                _write(hand, names, unit, owner, out)
            yield


def _owner(found: Iterable[Hand]) -> str:
    """The player who exported the table, found by a shown hand with the exporter's own cards; "" if not exactly one."""
    owners = {
        player
        for hand in found
        if hand.own
        for player, cards in _cards_of(hand, "show", "late").items()
        if sorted(cards) == sorted(hand.own)
    }
    return owners.pop() if len(owners) == 1 else ""


def _amounts(hand: Hand) -> Iterator[Decimal]:
    yield from (chips for _, _, chips in hand.seats)
    yield from (move.chips for move in hand.moves)


def _players(hand: Hand) -> Iterator[str]:
    """All players in a hand, in its order."""
    yield from (player for _, player, _ in _in_order(hand))
    yield from (move.player for move in hand.moves if move.player)
    if hand.dealer:
        yield hand.dealer


def _in_order(hand: Hand) -> list[tuple[int, str, Decimal]]:
    """The players of a hand clockwise, the dealer last.

    A dead button is placed before the first player to post a blind; in a bomb pot, before the first to act on the flop.
    """
    seats = sorted(hand.seats)
    first = next((k + 1 for k, (_, player, _) in enumerate(seats) if player == hand.dealer), None)
    if first is None:
        opening = next((m.player for m in hand.moves if m.what in _OPENING), "")
        first = next((k for k, (_, player, _) in enumerate(seats) if player == opening), 0)
    first %= max(len(seats), 1)
    return seats[first:] + seats[:first]


def _cards_of(hand: Hand, *kinds: str) -> dict[str, tuple[str, ...]]:
    """The cards of each player that lines of some kinds show, in the order of the lines."""
    found: dict[str, tuple[str, ...]] = {}
    for move in hand.moves:
        if move.what in kinds:
            known = found.get(move.player, ())
            found[move.player] = known + tuple(card for card in move.cards if card not in known)
    return found


def _chips(said: str) -> Decimal:
    """An amount; TOO_LONG for one of more than 18 digits, decimals included, which makes its hand unreadable."""
    return Decimal(said if len(said) <= MOST_DIGITS else TOO_LONG)


def _write(hand: Hand, names: Mapping[str, int], unit: int, owner: str, out: Lines) -> None:
    """The table lines of a hand."""
    _, limit, holes = _GAMES.get(hand.game, (NAME, 0, 0))
    order = [player for _, player, _ in _in_order(hand)]
    out.at(hand.line)
    if hand.number == TOO_LONG or Decimal(TOO_LONG) in _amounts(hand):
        text = f"hand {hand.number if hand.number != TOO_LONG else 'without one'}"
        out.unread(f"a number of more than {MOST_DIGITS} digits", hand.line, is_hand=True, text=text.encode())
        return
    if not order:
        out.unread(f"hand {hand.number} does not say who plays it", hand.line)
        return
    out.add(f"hand {hand.number} {names.get(hand.dealer, -1)}")
    if hand.game not in _GAMES:
        out.add(f"reason {WITHOUT_RULES}{hand.game}")
    out.add(f"limit {limit} {int(hand.big * unit)} 0")
    out.at(hand.seats_line or hand.line)
    for _, player, chips in _in_order(hand):
        out.add(f"seat {names[player]} {int(chips * unit)}")
    first = next(
        (k for k, move in enumerate(hand.moves) if move.what not in _POSTS.values()), len(hand.moves)
    )
    _write_posts(hand, hand.moves[:first], order, names, unit, out)
    known, within = _cards_of(hand, "show", "late"), _cards_of(hand, "show")
    folded = {move.player for move in hand.moves if move.what == "fold"}
    shows_down = len(order) - len(folded) > 1
    for player in order:
        # The payout is not checked if a player at the showdown shows no cards, or only after the hand.
        is_closed = shows_down and player not in folded
        cards = (within if is_closed else known).get(player, ())
        if cards:
            out.add(f"deal {names[player]} {' '.join(cards)}")
        if len(cards) < holes:
            own = hand.own if player == owner and not is_closed else ()
            out.hide(names[player], holes - len(cards), [card for card in own if card not in cards])
    left, is_shown = set(order), False
    for move in hand.moves[first:]:
        if move.what == "win" and not is_shown:
            _write_shown(hand, order, left if len(left) > 1 else set(), names, holes, out)
            is_shown = True
        out.at(move.line)
        _write_move(move, names, unit, out)
        if move.what == "fold":
            left.discard(move.player)
    out.add("end" if hand.whole else "unfinished")


def _write_posts(
    hand: Hand, posts: Sequence[Move], order: list[str], names: Mapping[str, int], unit: int, out: Lines
) -> None:
    """Write posts before the cards: totals of the street, except dead chips and antes."""
    put: dict[str, Decimal] = {}
    after = missed = ""
    for move in posts:
        player = move.player
        out.at(move.line)
        if move.what in ("dead", "ante", "bomb"):
            word, chips = "dead" if move.what == "dead" else "ante", move.chips
        else:
            word, chips = "big" if move.what == "missed" else move.what, move.chips - put.get(player, 0)
            put[player] = move.chips
        out.add(f"{word} {names[player]} {int(chips * unit)}")
        if move.what == "missed":
            missed = player
        elif move.what in ("big", "straddle"):
            after = player
    if not put:
        out.add("skip")
        return
    if hand.big > max(put.values()):
        out.add(f"price {int(hand.big * unit)}")
    if missed and after in order:
        out.add(f"first {names[order[(order.index(after) + 1) % len(order)]]}")


def _write_shown(
    hand: Hand, order: Sequence[str], left: Collection[str], names: Mapping[str, int], holes: int, out: Lines
) -> None:
    """Write shown hands, before the pots are won; people show at any time. left: the players at the showdown."""
    shown = _cards_of(hand, "show")
    lines = {move.player: move.line for move in hand.moves if move.what == "show"}
    for player in order:
        cards = shown.get(player, ())
        if cards and len(cards) == holes:
            out.at(lines[player])
            out.add(f"show {names[player]} {' '.join(cards)}")
        elif player in left:
            out.add(f"muck {names[player]}")


def _write_move(move: Move, names: Mapping[str, int], unit: int, out: Lines) -> None:
    """Write the line of an action, of a street, or of a payout."""
    seat, chips = names.get(move.player, -1), int(move.chips * unit)
    if move.what in ("fold", "check"):
        out.add(f"{move.what} {seat}")
    elif move.what == "call":
        out.add(f"call_to {seat} {chips}")
    elif move.what in ("bet", "raise"):
        out.add(f"raise {seat} {chips}")
    elif move.what in ("flop", "turn", "river"):
        out.add(f"{'again' if move.second else 'board'} {' '.join(move.cards)}")
    elif move.what == "return":
        out.add(f"back {seat} {chips}")
    elif move.what == "win":
        out.add(f"win {seat} {chips}")
