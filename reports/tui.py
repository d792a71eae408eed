"""The replayer in the terminal, full screen: `railbird replay`, with the keys of the replayer in the report.

It needs Textual (the extra `tui`). All text of a log is set as text, never as markup, and control characters are shown
as escapes.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.timer import Timer
from textual.widgets import Footer, Input, OptionList, Static

from ..analytics.players import UnknownName
from ..parsers.sources import WishError
from . import UserError
from .matches import hand_name
from .replayer import Hand, Step, bounty, load_hand, stage_name
from .terminal import chips, plain, printable, signed, with_suits, words

if TYPE_CHECKING:
    from ..analytics.store import Store

Named = tuple[int, int]
"""A hand: its match_id and hand_index."""
Find = Callable[[str], Sequence[Named]]
"""The hands that options of `railbird hands` ask for, as one line; UserError if they cannot be read."""

_PLAYS_EVERY: Final = 0.7
"""Seconds between two steps while it plays, as in the report."""
_CARDS: Final = ("post", "fault", "action")
"""Kinds of steps that deal no cards."""


class Course:
    """The hands that are shown one after the other, of a match or chosen; odd: places of those with a finding."""

    def __init__(self, store: "Store", hands: Sequence[Named], asked: str = "") -> None:
        self.hands, self.asked = list(hands), asked
        matches = sorted({match for match, _ in self.hands})
        odd = set(
            store.execute(
                "select match_id, hand_index from hands where verdict <> 'ok' and among(match_id, $ids)",
                ids=matches,
            ).fetchall()
        )
        self.odd = [at for at, hand in enumerate(self.hands) if hand in odd]

    def next_odd(self, at: int, by: int) -> int | None:
        """The place of the next hand with a finding after or before a place; round at the ends; None without any."""
        if not self.odd:
            return None
        place = bisect_right(self.odd, at) if by > 0 else bisect_left(self.odd, at) - 1
        return self.odd[place % len(self.odd)]


def of_match(store: "Store", match_id: int) -> Course:
    """All hands of a match."""
    ((hands,),) = store.execute("select hands from matches where match_id = $id", id=match_id).fetchall()
    return Course(store, [(match_id, index) for index in range(hands)])


def seat_lines(hand: Hand, at: int) -> list[Text]:
    """A line a seat after a number of steps: name, position, chips behind, cards so far, what it said last.

    After the last step also what it won.
    """
    lines = []
    widest = min(20, max(len(printable(name)) for name in hand.match.labels))
    played, ended = hand.steps[:at], at > len(hand.steps)
    street = played[-1].street if played else 0
    acting = played[-1].seat if played and not ended else None
    for row in hand.seats:
        own = [step for step in played if step.seat == row["seat"]]
        put = sum(step.chips_added or 0 for step in own)
        folded = any(step.kind == "action" and step.text.endswith("folds") for step in own)
        said = next((s.text for s in reversed(own) if s.kind == "action" and s.street == street), "")
        cards = "; ".join(step.text.removeprefix("is dealt ") for step in own if step.kind not in _CARDS)
        name = printable(hand.match.labels[row["seat"]])
        line = Text(style="dim" if folded else "")
        line.append("▶ " if row["seat"] == acting else "  ")
        line.append(name[:widest].ljust(widest), style="bold")
        line.append(f" {printable(str(row['position'] or '')):<4}")
        if row["seat"] == hand.row["dealer_seat"]:
            line.append("D ", style="bold yellow")
        else:
            line.append("  ")
        if row["stack_start"] is not None:
            line.append(f"{chips(row['stack_start'] - (row['contribution'] if ended else put)):>7}  ")
        line.append(with_suits(cards))
        if row["bounty_rank"]:
            line.append(f"  bounty {bounty(row) if ended else row['bounty_rank']}")
        if ended and row["stack_start"] != 0:
            # A player without chips is out and has no result.
            line.append(
                f"  {signed(row['delta'])}" if row["delta"] is not None else "  not in the log", style="bold"
            )
        elif said:
            line.append("  ").append(Text(style="italic").append(with_suits(said)))
        lines.append(line)
    return lines


def board_line(hand: Hand, at: int) -> Text:
    """The board and the pot after a number of steps; of several boards each has a line."""
    played = hand.steps[:at]
    boards: dict[str, list[str]] = {}
    for step in played:
        if step.seat is None and step.kind not in _CARDS:
            board, colon, cards = step.text.partition(": ")
            boards.setdefault(f"{board}  " if colon else "", []).append(cards if colon else step.text)
    pots = [step.pot for step in played if step.pot is not None]
    pot = hand.row["pot"] if at > len(hand.steps) else pots[-1] if pots else None
    dealt = [with_suits(board + "  ".join(cards)) for board, cards in boards.items()]
    line = Text("\n").join(dealt or [Text("no cards on the board")])
    return line.append(f"   pot {chips(pot)}" if pot is not None else "")


def step_line(hand: Hand, step: Step) -> Text:
    """A step in the list: who, what, in which street."""
    name = "" if step.seat is None and step.player is None else step.player or ""
    if step.seat is not None:
        name = hand.match.labels[step.seat]
    street = stage_name(hand.match.rules, step.street)
    line = Text(f"{street:<8} ", style="dim" if step.note else "")
    if name:
        line.append(f"{printable(name)} ", style="bold")
    # The street's name stands at the head of the line already.
    return line.append(with_suits(step.text.removeprefix(f"{street} ") if not name else step.text))


def now_lines(hand: Hand, at: int) -> Text:
    """The text on the last step: what the player faced, notes, the line; at the end the verdict."""
    if at == 0:
        return Text("The hand begins.")
    if at > len(hand.steps):
        found = [
            f"line {row['line']}: {row['message']}" if row["line"] is not None else row["message"]
            for row in hand.findings
        ]
        text = Text(f"Result. Verdict: {words(hand.row['verdict'])}.")
        return text.append("".join(f"\n{printable(' '.join(line.split()))}" for line in found))
    step = hand.steps[at - 1]
    said = [f"line {step.line}"]
    if step.to_call:
        pot = (step.pot or 0) - (step.chips_added or 0)
        said.append(f"faced {chips(step.to_call)} to call into a pot of {chips(pot)}")
    if step.min_raise_to is not None and step.max_raise_to is not None:
        low, high = plain(step.min_raise_to), plain(step.max_raise_to)
        said.append(f"could bet or raise to {low}" + ("" if low == high else f"–{high}"))
    if step.note:
        said.append(printable(step.note))
    return Text("; ".join(said))


class _Steps(OptionList):
    """The list of steps. A list has ← and → for scrolling, which would hide the keys of the whole screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "app.step(-1)", "Step", key_display="← →"),
        Binding("right", "app.step(1)", "Step", show=False),
    ]

    def on_resize(self) -> None:
        """Keep the step in sight where the part above became larger."""
        self.scroll_to_highlight()


class Replayer(App[None]):
    """Shows one hand, step by step, and the hands around it."""

    CSS = """
    #head { height: auto; background: $panel; padding: 0 1; }
    #board { height: auto; padding: 0 1; margin-top: 1; }
    #seats { height: auto; padding: 0 1; }
    #now { height: auto; max-height: 5; padding: 0 1; color: $text-muted; }
    #steps { height: 1fr; border: none; border-top: solid $panel; }
    /* Red cards can be read on it, which they cannot on the theme's blue. */
    #steps > .option-list--option-highlighted { color: $text; background: #00264d; text-style: bold; }
    #table { height: auto; max-height: 50%; }
    #filter { display: none; }
    """
    TITLE = "railbird replay"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        # A pair of keys has one place in the footer.
        Binding("home", "first", "First", show=False),
        Binding("end", "last", "Last", show=False),
        Binding("left_square_bracket", "street(-1)", "Street", key_display="[ ]"),
        Binding("right_square_bracket", "street(1)", "Street", show=False),
        Binding("D", "decision(-1)", "Decision", show=False),
        Binding("d", "decision(1)", "Decision", key_display="D d"),
        Binding("p", "hand(-1)", "Hand", key_display="p n"),
        Binding("n", "hand(1)", "Hand", show=False),
        Binding("F", "finding(-1)", "Finding", show=False),
        Binding("f", "finding(1)", "Finding", key_display="F f"),
        Binding("space", "play", "Play", key_display="␣"),
        Binding("slash", "filter", "Filter", key_display="/"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, store: "Store", first: Named, find: Find) -> None:
        super().__init__()
        self.store, self.find = store, find
        self.course = of_match(store, first[0])
        self.at = self.course.hands.index(first)
        self.step = 0
        self.shown: Hand = load_hand(store, hand_name(*first))
        self.playing: Timer | None = None

    def compose(self) -> ComposeResult:
        """The parts of the screen, from top to bottom."""
        yield Static(id="head", markup=False)
        with VerticalScroll(id="table", can_focus=False):
            yield Static(id="board", markup=False)
            yield Static(id="seats", markup=False)
        yield Static(id="now", markup=False)
        yield _Steps(id="steps", markup=False)
        yield Input(
            id="filter",
            placeholder="options of `railbird hands`, such as --did check-raise; empty: the match",
        )
        # All keys fit 80 columns.
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Show the first hand."""
        self.open(self.at)

    def open(self, at: int) -> None:
        """Show a hand of the course from its beginning."""
        self.at, self.step = at, 0
        self.shown = load_hand(self.store, hand_name(*self.course.hands[at]))
        steps = self.query_one("#steps", OptionList)
        steps.clear_options()
        lines = [
            Text("The hand begins"),
            *(step_line(self.shown, step) for step in self.shown.steps),
            Text("Result"),
        ]
        with self.prevent(OptionList.OptionHighlighted):
            steps.add_options(lines)
            steps.highlighted = 0
        steps.focus()
        self.draw()

    def draw(self) -> None:
        """Draw the step that is shown."""
        hand, course = self.shown, self.course
        match = hand.match
        chosen = " chosen" if course.asked else ""
        odd = f", {len(course.odd):,} with findings" if course.odd else ""
        lines = [
            f"{' v '.join(match.labels)}, {match.game}, event {match.event}",
            f"{match.file or match.match_id}#{hand.row['hand_index']}, line {hand.row['line']}"
            f" ({self.at + 1:,} of {len(course.hands):,}{chosen}{odd}), step {self.step} of {len(hand.steps) + 1}",
            *([f"Filter: {course.asked}"] if course.asked else []),
        ]
        self.query_one("#head", Static).update(Text("\n".join(map(printable, lines))))
        self.query_one("#board", Static).update(board_line(hand, self.step))
        self.query_one("#seats", Static).update(Text("\n").join(seat_lines(hand, self.step)))
        self.query_one("#now", Static).update(now_lines(hand, self.step))

    def go(self, step: int) -> None:
        """Show a step of the hand, at its ends the first or the last."""
        self.step = max(0, min(step, len(self.shown.steps) + 1))
        steps = self.query_one("#steps", OptionList)
        with self.prevent(OptionList.OptionHighlighted):
            steps.highlighted = self.step
        self.draw()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Follow the arrow keys and the mouse in the list."""
        # A message may come when the list has moved on.
        if event.option_list.highlighted == event.option_index != self.step:
            self.go(event.option_index)

    def action_step(self, by: int) -> None:
        """One step back or on."""
        self.go(self.step + by)

    def action_first(self) -> None:
        """The beginning of the hand."""
        self.go(0)

    def action_last(self) -> None:
        """The result of the hand."""
        self.go(len(self.shown.steps) + 1)

    def _seek(self, by: int, fits: Callable[[int], bool]) -> None:
        last = len(self.shown.steps) + 1
        found = self.step + by
        while 0 < found < last and not fits(found):
            found += by
        self.go(found)

    def action_street(self, by: int) -> None:
        """The next cards on the board, or those before."""
        steps = self.shown.steps
        self._seek(by, lambda at: at > 1 and steps[at - 1].street > steps[at - 2].street)

    def action_decision(self, by: int) -> None:
        """The next choice of a player, or the one before."""
        steps = self.shown.steps
        self._seek(by, lambda at: steps[at - 1].is_choice)

    def action_hand(self, by: int) -> None:
        """The next hand, or the one before."""
        if 0 <= self.at + by < len(self.course.hands):
            self.open(self.at + by)

    def action_finding(self, by: int) -> None:
        """The next hand with a finding, or the one before."""
        found = self.course.next_odd(self.at, by)
        if found is None:
            self.notify("no hand with a finding", markup=False)
        else:
            self.open(found)

    def action_play(self) -> None:
        """Go on by itself, or stop."""
        if self.playing is not None:
            self.playing.stop()
            self.playing = None
            return
        if self.step > len(self.shown.steps):
            self.go(0)
        self.playing = self.set_interval(_PLAYS_EVERY, self._play_on)

    def _play_on(self) -> None:
        # A last tick may come while the screen is taken down.
        if not self.query("#steps"):
            return
        if self.step > len(self.shown.steps):
            self.action_play()
        else:
            self.go(self.step + 1)

    def action_filter(self) -> None:
        """Ask which hands are shown."""
        box = self.query_one("#filter", Input)
        box.value = self.course.asked
        box.display = True
        box.focus()

    def on_key(self, event: object) -> None:
        """Leave the filter by Escape."""
        if getattr(event, "key", "") == "escape" and self.query_one("#filter", Input).display:
            self._close_filter()

    def _close_filter(self) -> None:
        self.query_one("#filter", Input).display = False
        self.query_one("#steps", OptionList).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Show the hands that the filter finds; say why if there are none."""
        asked = " ".join(event.value.split())
        try:
            hands = self.find(asked) if asked else of_match(self.store, self.shown.match.match_id).hands
        except (UserError, UnknownName, WishError) as error:
            self.notify(printable(str(error)), severity="error", markup=False)
            return
        if not hands:
            self.notify("No hand meets these conditions.", severity="warning", markup=False)
            return
        now = self.course.hands[self.at]
        self.course = Course(self.store, hands, asked)
        self._close_filter()
        self.open(self.course.hands.index(now) if now in self.course.hands else 0)


def run(store: "Store", text: str, find: Find) -> None:
    """Show the hand that MATCH#HAND names, and let the user go on from there."""
    hand = load_hand(store, text)
    Replayer(store, (hand.match.match_id, hand.row["hand_index"]), find).run()
