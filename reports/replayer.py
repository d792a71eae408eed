"""One hand step by step, as `railbird replay MATCH#HAND` prints it."""

from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from ..analytics.views import queries
from ..schema.words import AUCTION, BOARD_REDRAW, BOUGHT, DISCARD, PASS, REDRAW, REVEAL, REVEAL_BOARD, SWAP
from ..variants.properties import Properties
from . import Format, UserError, terminal
from .matches import MatchName, hand_called, one_match, rows_of
from .terminal import Answer, chips, plain, signed, with_suits, words

if TYPE_CHECKING:
    from ..analytics.store import Store

RUN: Final = "run"
UNKNOWN_CARD: Final = "?"
"""A card that the log does not show."""
_ORIGINS: Final = {
    "allin": "not a choice: all-in",
    "substitute": "the engine acts for a bot at fault",
    "dummy": "a filler of the log",
}


def street_name(rules: Properties, street: int) -> str:
    """The name of a street, as the SQL macro of the same name gives it."""
    streets = rules.streets
    return streets[street] if street < len(streets) else f"{RUN} {street - len(streets) + 1}"


def stage_name(rules: Properties, street: int) -> str:
    """The name of a street within one hand, where the whole run is one stage."""
    name = street_name(rules, street)
    return RUN if name.startswith(RUN) else name


def ended_on(rules: Properties, street: int) -> str:
    """Where a hand ended: preflop, on the flop, in the first round."""
    said = stage_name(rules, street)
    return said if said == "preflop" else f"{'in' if said.endswith(('round', 'run')) else 'on'} the {said}"


@dataclass(frozen=True)
class Step:
    """A line of a hand: cards dealt, a post, a decision, a fault.

    pot is what lies in it afterwards; to_call, min_raise_to and max_raise_to are what a player faced; chips_added is
    what the player put in. Chips. is_choice: a decision that was the player's own.
    """

    line: int
    street: int
    kind: str
    seat: int | None
    player: str | None
    text: str
    pot: float | None = None
    to_call: float | None = None
    min_raise_to: float | None = None
    max_raise_to: float | None = None
    note: str = ""
    chips_added: float | None = None
    is_choice: bool = False


@dataclass(frozen=True)
class Hand:
    """A hand of a store: its rows of `hands`, `seats` and `findings`, and its steps in the log's order.

    second: the cards of the second board of a hand whose two boards share each pot, else None
    """

    match: MatchName
    row: dict[str, Any]
    seats: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    steps: list[Step] = field(default_factory=list)
    second: list[str] | None = None


def parse_name(text: str) -> tuple[str, int]:
    """Match and hand_index of MATCH#HAND; UserError if it is not of that form."""
    match, sign, hand = text.rpartition("#")
    if not sign or not match or not (hand.isascii() and hand.isdigit()):
        raise UserError(f"a hand is named MATCH#HAND, such as 1234567#0, not {text!r}")
    return match, int(hand)


# The word for a change of cards; else they are dealt.
_DEALT: Final = {
    SWAP: "now holds",
    AUCTION: "wins",
    "assign": "sends",
    REVEAL: "sees",
    REVEAL_BOARD: "sees the board's next card,",
    BOUGHT: "is dealt",
    PASS: "is passed",
}
# Cards of an action, which are one step with it.
_GIVEN: Final = {DISCARD: "discards {}", SWAP: "discards a card for {}", PASS: "passes {}"}
_REDRAWS: Final = {REDRAW: "draws {} for {}", BOARD_REDRAW: "the board has {} for {}"}


def _action_text(row: dict[str, Any]) -> str:
    action, to = row["action"], plain(row["amount_to"])
    if row["out"]:
        left = row["chips_added"]
        return f"is eliminated and leaves {plain(left)} in the pot" if left else "is eliminated"
    if action == "bet":
        return f"bets {to}"
    if action == "bid":
        return f"bids {plain(row['amount_logged'])}"
    if action == "raise":
        return f"raises to {to}"
    if action == "accept":
        return f"pays {plain(row['chips_added'])}" if row["chips_added"] else "accepts"
    if action == "play":
        return f"puts in {to}"
    if action in ("post", "call"):
        return f"{action}s {plain(row['chips_added'])}"
    return f"{action}es" if action.endswith("ss") else f"{action}s"


def _board(row: dict[str, Any]) -> str:
    return "" if row["board_no"] is None else f"board {row['board_no']}: "


def _step_of_action(row: dict[str, Any]) -> Step:
    chosen = row["action"] != "post"
    notes = [_ORIGINS.get(row["origin"], "")]
    if row["win_prob"] is not None:
        notes.append(f"engine equity {terminal.percent(row['win_prob'])}")
    return Step(
        row["line"],
        row["street"],
        "action",
        row["seat"],
        row["player"],
        _board(row) + _action_text(row),
        row["pot_before"] + (row["chips_added"] or 0),
        row["to_call"] if chosen else None,
        row["min_raise_to"] if chosen else None,
        row["max_raise_to"] if chosen else None,
        "; ".join(filter(None, notes)),
        row["chips_added"],
        row["origin"] == "choice" and chosen,
    )


def _step_of_deal(row: dict[str, Any], rules: Properties, names: dict[int, str]) -> Step:
    cards, seat = plain(row["cards"]) or UNKNOWN_CARD, row["seat"]
    if row["kind"] in _REDRAWS:
        drawn, replaced = (
            UNKNOWN_CARD if card is None else plain([card]) for card in (row["cards"][0], row["replaced"])
        )
        said = _REDRAWS[row["kind"]].format(drawn, replaced)
        return Step(row["line"] or 0, row["street"], row["kind"], seat, names.get(seat), said)
    dealt = stage_name(rules, row["street"]) if seat is None else _DEALT.get(row["kind"], "is dealt")
    counts_as = f" as {plain(row['cards_effective'])}" if row["cards_effective"] else ""
    said = f"{_board(row)}{dealt} {cards}{counts_as}"
    return Step(row["line"] or 0, row["street"], row["kind"], seat, names.get(seat), said)


def _step_of_fault(row: dict[str, Any], hand: Hand) -> Step:
    line, note = row["line"], ""
    if row["elsewhere"]:
        # The fault is in a file next to the log, which has its own lines.
        line, note = hand.row["line"], f"line {line} of {PurePath(row['elsewhere']).name}"
    last = max((step.street for step in hand.steps), default=0)
    said = f"{row['kind']}: {row['text']}" if row["text"] else row["kind"]
    return Step(line, last, "fault", row["seat"], row["player"], said, note=note)


def _played(deals: list[dict[str, Any]], actions: list[dict[str, Any]], hand: Hand) -> list[Step]:
    """The steps of cards, then those of actions. A player's action with cards is two rows of the store and one step."""
    names = {row["seat"]: row["player"] for row in hand.seats}
    acted = {row["line"] for row in actions if row["action"] in ("discard", "pass")}
    given: dict[int, str] = {}
    steps: list[Step] = []
    sent: dict[tuple[int | None, ...], Step] = {}
    for row in deals:
        if row["kind"] == "discard" or (row["kind"] in _GIVEN and row["line"] in acted):
            given[row["line"]] = _GIVEN[row["kind"]].format(plain(row["cards"]))
            continue
        step = _step_of_deal(row, hand.match.rules, names)
        if row["kind"] == "assign":
            sent[row["line"], row["seat"], row["board_no"]] = step
        else:
            steps.append(step)
    for row in actions:
        step = _step_of_action(row)
        if row["line"] in acted:
            step = replace(step, text=given.get(row["line"], step.text))
        elif row["action"] == "assign":
            cards = sent.pop((row["line"], row["seat"], row["board_no"]), step)
            step = replace(step, text=cards.text)
        steps.append(step)
    return [*steps, *sent.values()]


def load_hand(store: "Store", text: str) -> Hand:
    """The hand that MATCH#HAND names; UserError if there is none."""
    name, index = parse_name(hand_called(store, text))
    match = one_match(store, name, "MATCH#HAND names one match")

    def rows(query: str) -> list[dict[str, Any]]:
        return rows_of(store, query, match=match.match_id, hand=index)

    asked = queries("replay")
    where = "where match_id = $match and hand_index = $hand"
    if not (found := rows(f"select * from hands {where}")):
        raise UserError(f"match {match.match_id} has hands 0 to {match.hands - 1}, not {index}")
    seats = rows(f"select * from seats {where} order by seat")
    findings = rows(f"select * from findings {where} order by seq")
    second = rows(f"select cards from boards {where} and pot is null and board_no = 2")
    hand = Hand(match, found[0], seats, findings, second=second[0]["cards"] if second else None)
    hand.steps.extend(
        _played(rows(f"select * from deals {where} order by seq"), rows(asked["actions"]), hand)
    )
    hand.steps.extend([_step_of_fault(row, hand) for row in rows(asked["faults"])])
    # A log of a line a hand has all steps on it; cards, then actions, then faults come from the store in order.
    acted = [step.line for step in hand.steps if step.kind == "action"]
    if acted == sorted(acted):
        hand.steps.sort(key=lambda step: (step.line, step.street))
    else:
        # In a log that is written backwards lines count the other way.
        hand.steps.sort(key=lambda step: step.street)
    # A fault bears no street in the log: that of the step before it.
    played = 0
    for at, step in enumerate(hand.steps):
        if step.kind == "fault":
            hand.steps[at] = replace(step, street=played)
        played = hand.steps[at].street
    return hand


def _who(hand: Hand, seat: int | None, player: str | None) -> str | None:
    return player if seat is None else hand.match.labels[seat]


def _raises(step: Step) -> str:
    if step.min_raise_to is None or step.max_raise_to is None:
        return ""
    low, high = plain(step.min_raise_to), plain(step.max_raise_to)
    return low if low == high else f"{low}–{high}"


def bounty(row: dict[str, Any]) -> str:
    """A seat's bounty rank, and whether it was hit."""
    return f"{row['bounty_rank'] or '?'}{' hit' if row['bounty_hit'] else ''}"


def _seats(hand: Hand) -> Answer:
    game_has_bounty = any(row["bounty_rank"] for row in hand.seats)
    # Elsewhere what a player has won is in the stack.
    game_has_bankrolls = hand.match.rules.bankrolls
    rows = [
        {
            "seat": row["seat"],
            "player": _who(hand, row["seat"], row["player"]),
            "position": row["position"],
            "cards": plain(row["hole"]) if row["hole"] else "?",
            **({"bounty": bounty(row)} if game_has_bounty else {}),
            **({"bankroll": signed(row["bankroll_before"])} if game_has_bankrolls else {}),
            "stack": chips(row["stack_start"]),
            "put in": chips(row["contribution"]),
            "won": signed(row["delta"]),
            "written rules": signed(row["delta_written"]) if row["delta_written"] is not None else "?",
        }
        for row in hand.seats
    ]
    columns = list(rows[0])
    right = dict.fromkeys(("bankroll", "stack", "put in", "won", "written rules"), str)
    return Answer(columns, [list(row.values()) for row in rows], formats={**right, "cards": with_suits})


def _steps(hand: Hand) -> Answer:
    rows = [
        (
            step.line,
            stage_name(hand.match.rules, step.street),
            _who(hand, step.seat, step.player),
            step.text,
            chips(step.pot),
            chips(step.to_call) if step.to_call else "",
            _raises(step),
            step.note,
        )
        for step in hand.steps
    ]
    right = dict.fromkeys(("pot", "to call", "may raise to"), str)
    columns = ("line", "street", "player", "", "pot", "to call", "may raise to", "note")
    # A line between streets; the run of River of Blood is one.
    return Answer(columns, rows, formats={**right, "": with_suits}, part=lambda row: row[1])


def _findings(hand: Hand) -> Answer:
    rows = [
        (
            row["line"],
            _who(hand, row["seat"], row["player"]),
            row["deviation"] or words(row["verdict"]),
            row["rule"],
            row["message"],
            row["chips"],
        )
        for row in hand.findings
    ]
    columns = ("line", "player", "verdict or deviation", "rule", "finding", "chips gained")
    return Answer(columns, rows, "Findings", {"chips gained": lambda value: signed(value) if value else ""})


def _printed_number(row: dict[str, Any]) -> str:
    """The number that the log prints for a hand, in the words of the report, if it is not the hand's own."""
    printed = row["hand_no"]
    return "" if printed in (None, row["hand_index"]) else f"; in the log hand {printed}"


def headline(hand: Hand) -> list[str]:
    """The lines above the steps: where the hand is in its log, its result and verdict."""
    match, row = hand.match, hand.row
    by = f" ({', '.join(row['deviations'])})" if row["deviations"] else ""
    boards = match.rules.boards
    none = f"{boards} boards" if boards > 1 else "no board"
    board = plain(row["board_changed"] or row["board"]) if row["board"] else none
    if hand.second:
        board += f" and {plain(hand.second)}"
    by_equity = row["ended_by"] == "showdown" and len(row["board"] or ()) < match.rules.showdown_cards
    ended = f", ended by {'equity' if by_equity else row['ended_by']}" if row["ended_by"] else ""
    return [
        f"Hand {match.match_id}#{row['hand_index']}: {' v '.join(match.labels)}, {match.game}, "
        f"event {match.event}",
        f"In {match.path}, from line {row['line']}{_printed_number(row)}",
        f"Pot {chips(row['pot'])}, {board}{ended}, verdict {words(row['verdict'])}{by}",
    ]


def rows_of_steps(hand: Hand) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """The columns and rows of a hand's steps, as programs read them."""
    columns = tuple(Step.__dataclass_fields__)
    return columns, [tuple(getattr(step, name) for name in columns) for step in hand.steps]


def print_hand(store: "Store", text: str, form: Format) -> None:
    """Print the hand that MATCH#HAND names; as CSV or JSON its steps."""
    hand = load_hand(store, text)
    if form is not Format.TABLE:
        terminal.write(Answer(*rows_of_steps(hand)), form)
        return
    for line in headline(hand):
        terminal.console().print(with_suits(line), soft_wrap=True)
    for answer in (_seats(hand), _steps(hand), *((_findings(hand),) if hand.findings else ())):
        terminal.write(answer)
