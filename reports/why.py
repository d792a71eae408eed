"""The output of `railbird why`: who won, where the chips went, what both give away, and the hands to look at."""

import json
from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from ..analytics.exploit.leaks import Leak
from ..analytics.exploit.plays import (
    BY_ACTION,
    BY_SIZE,
    CALLS,
    CONSTANT,
    FOLDS,
    IGNORES,
    TOO_LITTLE,
    TOO_MUCH,
)
from ..analytics.exploit.search import Weakness
from ..analytics.players import UnknownMatch, find_opponent, find_player, rules_of
from ..analytics.why import ENOUGH, LEAST_SHOWN, Loss, Part, Weaknesses, Why, WhyError, why
from ..progress import Progress
from . import Format, UserError
from .compare import check_form
from .exploit import document, habits, sentence
from .matches import all_matches, ended, hand_name, short_hand, short_names
from .replayer import stage_name
from .terminal import (
    WIDTH,
    Answer,
    counted,
    json_value,
    minus,
    percent,
    printable,
    signed,
    steady,
    table,
    tied,
    unbroken,
    wrapped,
)

if TYPE_CHECKING:
    from ..analytics.intervals import Estimate
    from ..analytics.store import Store
    from ..variants.properties import Properties

LINES: Final = 45
_NAME: Final = 20
_SHOWN: Final = (
    *((5, 2, 3, False), (4, 2, 3, False), (3, 2, 3, False), (3, 1, 3, False), (3, 1, 2, False)),
    *((3, 1, 1, False), (3, 1, 1, True), (3, 0, 1, False), (2, 1, 1, False), (2, 1, 1, True)),
    *((2, 0, 1, False), (1, 1, 1, True), (1, 0, 1, False), (0, 0, 1, False)),
)
"""How many leaks of the player, leaks of the other and hands the text has, and whether the other's leaks are shortened.
The first row that fits LINES is taken."""
_AHEAD, _BEHIND = 0.55, 0.45

ADVICE: Final = {
    FOLDS: "fold less there",
    CALLS: "fold more there",
    TOO_LITTLE: "bluff more there",
    TOO_MUCH: "bluff less there",
    BY_SIZE: "size all hands alike",
    BY_ACTION: "mix in other hands",
    IGNORES: "use it",
    CONSTANT: "bid by the hand",
}
"""What to change, by the kind of a leak."""

PARTS: Final = {
    "street": "last choice",
    "position": "position",
    "hole": "hole cards",
    "ended": "ended by",
}


def print_why(
    store: "Store",
    name: str,
    against: str,
    form: Format,
    event: str | None = None,
    game: str | None = None,
    seat: int | None = None,
    against_seat: int | None = None,
    as_of: str | None = None,
    every: bool = False,
    progress: Progress | None = None,
) -> None:
    """Print why a player loses to another."""
    check_form(form, "an answer to why")
    with ended(store, as_of) as (opened, last):
        found = found_why(opened, name, against, event, game, seat, against_seat, last, progress)
        rules = rules_of(opened, found.player.game)
        if form is Format.JSON:
            print(json.dumps(json_value(answer(found, rules))))
            return
        for line in _Text(found, rules, short_names(all_matches(opened))).lines(every):
            print(line)


def found_why(
    store: "Store",
    name: str,
    against: str,
    event: str | None = None,
    game: str | None = None,
    seat: int | None = None,
    against_seat: int | None = None,
    last: int | None = None,
    progress: Progress | None = None,
) -> Why:
    """`analytics.why.why` of two players by name, in the store of `ended`; UserError where it cannot be answered."""
    player = find_player(store, name, event, game, seat, met=against)
    other = find_opponent(store, player, against, against_seat)
    try:
        return why(store, player, other, last, progress)
    except (UnknownMatch, WhyError) as error:
        raise UserError(printable(str(error))) from None


def answer(found: Why, rules: "Properties") -> dict[str, Any]:
    """What `why` found as programs read it."""
    outcome, names = found.outcome, (found.player.name, found.against.name)
    own = [_leak(one, names[0], rules) for one in found.own.found]
    return {
        "player": names[0],
        "against": names[1],
        "event": found.player.event,
        "game": found.player.game,
        "matches": outcome.matches,
        "hands": outcome.hands,
        "bb": outcome.bb,
        **_ends("bb_per_100", outcome.won),
        "cards": outcome.cards,
        **_ends("adjusted", outcome.adjusted),
        "where": [
            {
                "part": part.breakdown,
                "value": _value(part, rules),
                "hands": part.hands,
                "bb": part.bb,
                **_ends("bb_per_100", part.won),
            }
            for part in found.parts
        ],
        "leaks": own,
        "leaks_from": _source(found.own),
        "uses": [document(one.leak, names[1], rules) | _of_others(one) for one in found.of_other.found],
        "uses_from": _source(found.of_other),
        "look_at": [
            {
                "hand": hand_name(loss.match_id, loss.hand_index),
                "won": loss.won,
                "pot": loss.pot,
                "sentence": loss_said(loss, rules),
            }
            for loss in found.losses
        ],
    }


def _ends(name: str, figures: "Estimate") -> dict[str, float | None]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), figures, strict=True))


def _source(found: Weaknesses) -> dict[str, Any]:
    return {
        "hands": found.hands,
        "matches": found.matches,
        "of_the_two": found.of_the_two,
        "looked": found.looked,
        "reason": found.reason,
    }


def _leak(one: Weakness, name: str, rules: "Properties") -> dict[str, Any]:
    """A leak of the player: what `exploit` calls gain is its cost."""
    said = document(one.leak, name, rules)
    costs = {key.replace("gain", "cost"): said.pop(key) for key in ("gain", "gain_low", "gain_high")}
    del said["listed"]
    more = {"certain": one.leak.listed, "change": ADVICE.get(one.leak.kind)}
    return said | costs | more | _of_others(one)


def _of_others(one: Weakness) -> dict[str, Any]:
    """What the opponents in the same matches do, and what the same play would win from them."""
    return {
        "from_others": one.other,
        **_ends("others", one.theirs or (None, None, None)),
        "own_habit": one.is_own,
    }


def loss_said(loss: Loss, rules: "Properties") -> str:
    """What a lost hand cost, and whether the player was behind when it chose last."""
    said = f"{minus(f'{loss.won:,.0f}')} bb of a {loss.pot:,.0f} bb pot"
    if loss.street is None or loss.action is None:
        return f"{said}, without a choice"
    does = f"{stage_name(rules, loss.street)} {loss.action}"
    if loss.equity is None:
        return f"{said}; last a {does}"
    does = f"{does} with {100 * steady(loss.equity):.0f}% to expect"
    if loss.players != 2:
        return f"{said}; {does}"
    where = "even"
    if loss.equity > _AHEAD:
        where = "folded the best" if loss.action == "fold" else "bad luck"
    elif loss.equity < _BEHIND:
        where = "behind"
    return f"{said}; {does}: {where}"


def _value(part: Part, rules: "Properties") -> str:
    return stage_name(rules, part.value) if isinstance(part.value, int) else part.value


def _signed(value: float | None) -> str:
    if value is None:
        return ""
    rounded = tied(value, 1)
    return minus(f"{rounded:+.1f}") if rounded else "0.0"


def _span(figures: "Estimate") -> str:
    return "" if figures[1] is None else f"{_signed(figures[1])} to {_signed(figures[2])}"


def _figure(figures: "Estimate") -> str:
    span = _span(figures)
    return f"{_signed(figures[0])}{f' ({span})' if span else ''}"


def shortened(name: str) -> str:
    """A name of at most _NAME cells, its middle left out."""
    from rich.cells import cell_len, set_cell_size

    name = unbroken(printable(name))
    if cell_len(name) <= _NAME:
        return name
    tail = ""
    while cell_len(name[len(name) - len(tail) - 1] + tail) <= _NAME // 3:
        tail = name[len(name) - len(tail) - 1] + tail
    return f"{set_cell_size(name, _NAME - 1 - cell_len(tail)).rstrip()}…{tail}"


class _Text:
    """The answer as lines of text."""

    def __init__(self, found: Why, rules: "Properties", match: dict[int, str]) -> None:
        self.found, self.rules, self.match = found, rules, match
        self.name, self.other = shortened(found.player.name), shortened(found.against.name)
        if self.name == self.other:
            self.name, self.other = f"{self.name}\u00a0(1)", f"{self.other}\u00a0(2)"

    def lines(self, every: bool) -> list[str]:
        """The lines; every: all that was found, else at most LINES of WIDTH."""
        if every:
            most = max(len(self.found.own.found), len(self.found.of_other.found), len(self.found.losses))
            return [line.replace("\u00a0", " ") for line in self._lines(most, most, most)]
        for own, other, losses, brief in _SHOWN:
            said = [line.replace("\u00a0", " ") for line in self._lines(own, other, losses, brief)]
            if len(said) <= LINES:
                break
        return said

    def _lines(self, own: int, other: int, losses: int, brief: bool = False) -> list[str]:
        return [
            *self._outcome(),
            "",
            *self._where(),
            "",
            *self._weaknesses(self.found.own, self.name, self.other, own),
            "",
            *self._weaknesses(self.found.of_other, self.other, self.name, other, brief),
            "",
            *self._losses(losses),
            *wrapped("`railbird replay MATCH#HAND` shows a hand; docs/why.md explains the figures."),
        ]

    def _outcome(self) -> Iterator[str]:
        outcome = self.found.outcome
        did = "won" if outcome.bb > 0 else "lost" if outcome.bb < 0 else "neither won nor lost"
        amount = f" {abs(outcome.bb):,.0f} bb" if outcome.bb else ""
        who = f"{did}{amount} {'from' if outcome.bb > 0 else 'to' if outcome.bb < 0 else 'against'} {self.other}"
        if self.found.met.larger:
            who = f"{did}{amount} with {self.other} at the table"
        played = f"{counted(outcome.hands, 'hand')} of {counted(outcome.matches, 'match')}"
        yield from wrapped(f"{self.name} {who} in {played}: {_figure(outcome.won)} bb/100.")
        kept, low, high = outcome.adjusted
        if kept is None or low is None or high is None:
            yield from wrapped("These are too few hands for an interval.")
            return
        verdict = "so who is better is not known"
        if low > 0 or high < 0:
            verdict = f"so {'it wins' if low > 0 else 'it loses'} by more than chance"
        yield from wrapped(
            f"The cards brought it {_signed(outcome.cards)}; without their luck {_figure(outcome.adjusted)}, {verdict}."
        )

    def _where(self) -> Iterator[str]:
        """The table of parts."""
        from rich.console import Console

        last = None
        rows = []
        for part in self.found.parts:
            title = PARTS[part.breakdown] if part.breakdown != last else ""
            last = part.breakdown
            rows.append(
                (
                    title,
                    _value(part, self.rules),
                    f"{part.hands:,}",
                    signed(float(round(part.bb))),
                    _signed(part.won[0]),
                    _span(part.won),
                )
            )
        names = [f"{self.name} by", "", "hands", "bb", "bb/100", "95%"]
        right = dict.fromkeys(names[2:], str)
        out = StringIO()
        Console(file=out, width=WIDTH, highlight=False, markup=False, emoji=False, no_color=True).print(
            table(Answer(names, rows, "", right), WIDTH)
        )
        yield from (line.rstrip() for line in out.getvalue().splitlines() if line.strip())

    def _weaknesses(
        self, found: Weaknesses, name: str, other: str, most: int, brief: bool = False
    ) -> Iterator[str]:
        if found.reason is not None:
            yield from wrapped(f"What {name} gives away is not known. {reason_said(found.reason)}")
            return
        read = f"{counted(found.hands, 'hand')}"
        source = f"{read} against {other}"
        if not found.of_the_two:
            source = f"all its {read}; those against {other} are fewer than {ENOUGH:,}"
        if not found.found:
            why_none = (
                f"none of {counted(found.looked, 'change')} of play has its whole interval above 0"
                if found.looked
                else "these are too few to price a change of play"
            )
            yield from wrapped(f"What {name} gives away ({source}): nothing that is certain; {why_none}.")
            return
        once = {id(leak) for leak in habits(one.leak for one in found.found)}
        shown = [one for one in found.found if id(one.leak) in once]
        if len(shown) > most:
            source += f"; {most} of {len(shown)}, --all shows the rest" if most else "; --all shows it"
        yield from wrapped(f"What {name} gives away ({source}):")
        for place, one in enumerate(shown[:most], 1):
            if brief:
                # The change of play alone, which follows what the player does.
                change = sentence(one.leak, name, self.rules).rpartition("; ")[2]
                yield from wrapped(f"{one.leak.kind}: {change}.", f"{place}. ", "   ")
                continue
            yield from self._weakness(place, one, name, other, found is self.found.own)

    def _weakness(self, place: int, one: Weakness, name: str, other: str, is_own: bool) -> Iterator[str]:
        leak: Leak = one.leak
        said = f"{leak.kind}: {sentence(leak, name, self.rules)}"
        if one.rate_of_others is not None:
            said += f" ({other}: {percent(one.rate_of_others)})"
        if not leak.listed:
            said += ", a price that is not certain"
        shown = ", ".join(self._hand(*key) for key in leak.hands[:LEAST_SHOWN])
        more = f" of {len(leak.hands):,}" if len(leak.hands) > LEAST_SHOWN else ""
        yield from wrapped(f"{said}.", f"{place}. ", "   ")
        change = ADVICE.get(leak.kind) if is_own else None
        advice = f"{change[:1].upper()}{change[1:]}. " if change else ""
        yield from wrapped(f"{advice}Hands {shown}{more}.", "   ", "   ")

    def _hand(self, match_id: int, hand_index: int) -> str:
        return unbroken(short_hand(self.match, match_id, hand_index))

    def _losses(self, most: int) -> Iterator[str]:
        if not self.found.losses:
            return
        yield f"Hands that {self.name} lost most in (pots without uncalled bets):"
        for loss in self.found.losses[:most]:
            said = f"{self._hand(loss.match_id, loss.hand_index)} {loss_said(loss, self.rules)}"
            yield from wrapped(said, "", "  ")


def reason_said(reason: str) -> str:
    """A reason as a sentence of at most three lines: its names may be long."""
    text = printable(reason)
    text = text if len(text) <= 3 * WIDTH else f"{text[: 3 * WIDTH - 1]}…"
    return f"{text[:1].upper()}{text[1:]}."
