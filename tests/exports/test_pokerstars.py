"""Text for trackers: a reader that knows nothing but its lines finds the chips that were paid."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import Run
from support.exported import Key, hands_of, in_turn

from railbird.analytics import exported_hands
from railbird.analytics.exported_hands import Written
from railbird.analytics.store import Store
from railbird.exports.hands import CHANGED, Options
from railbird.exports.pokerstars import Pokerstars

CARD = "[2-9TJQKA][cdhs]"
N = r"(\d+(?:\.\d\d?)?)"
HEAD = re.compile(
    r"PokerStars Hand #(\d+): (?:Hold'em|Omaha(?: Hi/Lo)?) (No Limit|Pot Limit|Limit) "
    rf"\({N}/{N}\) - \d{{4}}/\d\d/\d\d \d\d:\d\d:\d\d ET"
)
TABLE = re.compile(r"Table '(\d+)' (\d+)-max \(Play Money\) Seat #(\d+) is the button")
SEAT = re.compile(rf"Seat (\d+): (.+) \({N} in chips\)")


class Read(NamedTuple):
    """A hand as a tracker reads it; players by name."""

    number: int
    button: int
    seats: dict[int, str]
    stacks: dict[str, float]
    dealt: dict[str, list[str]]
    shown: dict[str, list[str]]
    moves: list[tuple[int, str, str]]
    board: list[str]
    won: dict[str, float]


def cards(text: str) -> list[str]:
    assert re.fullmatch(rf"{CARD}( {CARD})*", text), text
    return text.split()


def read(text: str) -> Read:
    """One hand. Every line must be of a known form."""
    lines = text.splitlines()
    head, table = HEAD.fullmatch(lines[0]), TABLE.fullmatch(lines[1])
    assert head and table
    hand = Read(int(head[1]), int(table[3]), {}, {}, {}, {}, [], [], defaultdict(float))
    put: dict[str, float] = defaultdict(float)
    at = 2
    while seat := SEAT.fullmatch(lines[at]):
        hand.seats[int(seat[1])] = seat[2]
        hand.stacks[seat[2]] = float(seat[3])
        at += 1
    who = "|".join(re.escape(name) for name in hand.stacks)
    forms = {
        "post": rf"({who}): posts (?:small|big) blind {N}",
        "dealt": rf"Dealt to ({who}) \[(.*)\]",
        "move": rf"({who}): (folds|checks)",
        "call": rf"({who}): (calls|bets) {N}( and is all-in)?",
        "raise": rf"({who}): raises {N} to {N}( and is all-in)?",
        "street": r"\*\*\* (FLOP|TURN|RIVER) \*\*\* (?:\[(.*)\] )?\[(.*)\]",
        "back": rf"Uncalled bet \({N}\) returned to ({who})",
        "won": rf"({who}) collected {N} from (?:pot|main pot|side pot(?:-\d)?)",
        "shows": rf"({who}): shows \[(.*)\]",
        "mark": rf"\*\*\* (HOLE CARDS|SHOW DOWN|SUMMARY) \*\*\*|({who}): doesn't show hand",
    }
    pip: dict[str, float] = defaultdict(float)
    street, bet = 0, 0.0
    for line in lines[at : lines.index("*** SUMMARY ***") + 1]:
        found = [(kind, m) for kind, form in forms.items() if (m := re.fullmatch(form, line))]
        assert len(found) == 1, line
        kind, m = found[0]
        if kind == "dealt":
            hand.dealt[m[1]] = cards(m[2])
        elif kind == "shows":
            hand.shown[m[1]] = cards(m[2])
        elif kind == "street":
            assert cards(m[2]) == hand.board if m[2] else not hand.board
            hand.board.extend(cards(m[3]))
            street, bet = street + 1, 0.0
            pip.clear()
        elif kind == "back":
            put[m[2]] -= float(m[1])
        elif kind == "won":
            hand.won[m[1]] += float(m[2])
        elif kind in ("post", "call"):
            chips = float(m[2] if kind == "post" else m[3])
            put[m[1]] += chips
            pip[m[1]] += chips
            if kind == "call":
                hand.moves.append((street, m[1], {"calls": "call", "bets": "bet"}[m[2]]))
            bet = max(bet, pip[m[1]])
            if kind == "call" and m[4]:
                assert put[m[1]] == hand.stacks[m[1]]
        elif kind == "raise":
            by, to = float(m[2]), float(m[3])
            assert to == pytest.approx(bet + by)
            put[m[1]] += to - pip[m[1]]
            pip[m[1]], bet = to, to
            hand.moves.append((street, m[1], "raise"))
        elif kind == "move":
            hand.moves.append((street, m[1], m[2].removesuffix("s")))
    for name, chips in put.items():
        hand.won[name] -= chips
    summary = lines[lines.index("*** SUMMARY ***") + 1 :]
    assert re.match(rf"Total pot {N}( Main pot {N}\.( Side pot(-\d)? {N}\.)+)? \| Rake 0$", summary[0])
    return hand


@pytest.fixture(scope="module")
def written(samples: Store, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return samples.export_hands(tmp_path_factory.mktemp("pokerstars") / "new", "pokerstars")


def texts(folder: Path) -> dict[Key, str]:
    found = {}
    for path in folder.glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert text.endswith("\n\n\n")
        for said in text.removesuffix("\n\n\n").split("\n\n\n"):
            number = int(said.split(":")[0].removeprefix("PokerStars Hand #"))
            found[int(path.stem), number % 10**7] = said
    return found


@pytest.fixture(scope="module")
def truth(samples: Store) -> Mapping[Key, dict[str, Any]]:
    return hands_of(samples)


def test_every_line_is_known_and_the_chips_are_those_paid(
    written: Written, truth: Mapping[Key, dict[str, Any]]
) -> None:
    found = texts(written.folder)
    assert len(found) == written.hands > 900
    numbers = set()
    for key, text in found.items():
        hand, row = read(text), truth[key]
        numbers.add(hand.number)
        called = {seat["seat"]: hand.seats[seat["seat"] + 1] for seat in row["seats"]}
        assert hand.button == row["dealer_seat"] + 1
        for seat in row["seats"]:
            name = called[seat["seat"]]
            assert hand.won.get(name, 0.0) == pytest.approx(seat["delta"], abs=0.006)
            assert hand.stacks[name] == seat["stack_start"]
            assert hand.dealt[name] == seat["hole"]
            assert hand.shown.get(name, seat["hole"]) == seat["hole"]
        moves = [(a["street"], called[a["seat"]], a["action"]) for a in row["actions"]]
        assert hand.moves == moves
        assert hand.board == row["board"][: len(hand.board)]
        assert len(hand.shown) > 1 or row["ended_by"] == "fold"
        assert [*hand.dealt] == [called[seat["seat"]] for seat in in_turn(row)]
    assert len(numbers) == len(found)


def test_names_that_break_lines_are_changed_and_counted(few: Store) -> None:
    matches = exported_hands._matches(few)
    names = [
        ("a: folds", "[Ah Kd] (button)"),
        ("line\nbreak", "q\"uo'te"),
        ("Ü, é 🂡", "plain"),
        ("same", "same"),
        ("x_2", "x:2"),
        ("  ", "\u2028"),
    ]
    for match, of_match in exported_hands._by_match(few, matches, False):
        hands = [*of_match][:6]
        for pair in names:
            other = replace(match, players=pair)
            form = Pokerstars(Options())
            form.begin(other)
            for hand in hands:
                seats = tuple(seat._replace(player=pair[seat.seat]) for seat in hand.seats)
                for text in form.write(replace(hand, match=other, seats=seats)):
                    said = read(text.text.rstrip("\n"))
                    assert len({*said.seats.values()}) == 2
                    assert sum(said.won.values()) == 0
                    kept = tuple(said.seats[k] for k in (1, 2)) == pair
                    assert (text.notes == ()) is kept is (pair in (("Ü, é 🂡", "plain"),))
                    assert kept or text.notes == (CHANGED,)


def test_of_a_hero_alone_cards_are_seen_before_the_showdown(run: Run, few: Store, tmp_path: Path) -> None:
    out = tmp_path / "new"
    code, said, err = run("export", out, "--to", "pokerstars", "--hero", "Lantern", "--store", few.path)
    assert (code, err) == (0, "")
    assert "60 without the hero" in said
    hands = [read(text) for text in texts(out).values()]
    assert len(hands) == 40
    assert {tuple(hand.dealt) for hand in hands} == {("Lantern",)}
    assert any(len(hand.shown) == 2 for hand in hands)
