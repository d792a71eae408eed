"""Rules that a user's file may say: what follows from them in replay, simulation and properties, and their errors."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.commands import railbird

from railbird.replay.games import UNEVEN, Game, Step
from railbird.variants import auction, cmu_2024, holdem_mit, mit_2012_2019
from railbird.variants.properties import Properties, Variant

FILE = '''
from dataclasses import replace

from railbird.parsers import mit
from railbird.parsers.dialect import Dialect
from railbird.parsers.grammar import Grammar
from railbird.replay.games import Step
from railbird.replay.orders import HandClass, HandOrder
from railbird.variants import holdem_mit
from railbird.variants.properties import Properties, Variant

GRAMMAR = Grammar("""LINES""", base=mit.GRAMMAR, own="OWN")


def says(hand):
    """A number, once in a hand."""
    if hand.memory[0] > 0 or hand.wins != 0 or hand.usual != 0:
        return False
    hand.memory[0] = 1
    return True


def fails(hand):
    raise ValueError("no such pot")


def nothing(hand):
    return float("nan")


GAME = replace(holdem_mit.GAME.renamed("own"), until_red="", RULES)

VARIANT = Variant(GAME, Properties.of(GAME), (Dialect("own", "own", GRAMMAR),))
'''
NAMED = ("--variant", "own.py")
TOLL = 'steps=(Step(before="flop", does="tolls", price=3),), deck=("23456", "dhs")'
GIFT = (
    'steps=(Step(before="turn", does="gives", gives=1, goes_to="board", must=True),), hole_cards=3, '
    "boards=(0, 3, 6, 7)"
)
ORDER = (
    'order=HandOrder((HandClass(groups=(3,)), HandClass(in_a_row=4), HandClass())), deck=("23456789", "dhs"), '
    'boards=(0, 1, 2), streets=("preflop", "flop", "turn")'
)


LINES = {
    "tolls": "{p} pays the toll",
    "gives": "{p} gives [{c}] to the board",
    "says": "{p} says {n}",
    "fold": "{p} mucks",
}


def write(folder: Path, rules: str) -> None:
    """The file of a game with some rules and the lines that they name."""
    named = [event for event in LINES if f'"{event}"' in rules]
    lines = "\n".join(f"{event} {LINES[event]}" for event in (*named, "fold"))
    text = FILE.replace("LINES", lines).replace("OWN", " ".join(named)).replace("RULES", rules)
    (folder / "own.py").write_text(text)


def simulated(folder: Path, rules: str, hands: int = 60) -> str:
    write(folder, rules)
    players = ("--player", "Ann=calling-station", "--player", "Bea=loose-aggressive")
    done = railbird(folder, "simulate", "own", *NAMED, *players, "--hands", str(hands), "--out", "own.log")
    assert done.returncode == 0, done.stderr
    return (folder / "own.log").read_text()


def rows(folder: Path, query: str) -> list[list[Any]]:
    done = railbird(folder, "sql", query, "--format", "json")
    assert done.returncode == 0, done.stderr
    return [list(row.values()) for row in json.loads(done.stdout)]


def ingested(folder: Path) -> None:
    done = railbird(folder, "ingest", "own.log", *NAMED)
    assert done.returncode == 0, done.stderr


def test_what_a_function_notes_of_a_line_is_forgotten_as_the_next_hand_begins(tmp_path: Path) -> None:
    text = simulated(tmp_path, 'lines={"says": says}', 3)
    hands = re.split(r"(?=Round #)", text)
    dealt = re.compile(r"(.+) dealt \[.*\]\n")
    for number, times in ((1, 1), (2, 2), (3, 1)):
        said = dealt.search(hands[number])
        assert said is not None
        # The line stands below that of the second player's cards.
        at = [found.end() for found in dealt.finditer(hands[number])][-1]
        hands[number] = hands[number][:at] + f"{said[1]} says 7\n" * times + hands[number][at:]
    (tmp_path / "own.log").write_text("".join(hands))
    ingested(tmp_path)
    found = "select hand_no, rule from findings join hands using (match_id, hand_index) order by 1, 2"
    assert rows(tmp_path, found) == [[2, "own-line"]]


def test_a_price_makes_the_shares_of_a_pot_uneven(tmp_path: Path) -> None:
    simulated(tmp_path, TOLL, 300)
    ingested(tmp_path)
    assert rows(tmp_path, "select distinct verdict from hands") == [["ok"]]
    split = """
        select count(*), count(*) filter (d.delta <> floor((o.contribution - d.contribution) / 2))
        from seats as d
        join hands as h on h.match_id = d.match_id and h.hand_index = d.hand_index and h.dealer_seat = d.seat
        join seats as o on o.match_id = d.match_id and o.hand_index = d.hand_index and o.seat <> d.seat
        where d.contribution <> o.contribution and d.delta not in (o.contribution, -d.contribution)"""
    ((count, wrong),) = rows(tmp_path, split)
    assert count > 0
    assert wrong == 0
    cards = "select distinct unnest(hole)[1] from seats union select distinct unnest(board)[1] from hands order by 1"
    assert rows(tmp_path, cards) == [["2"], ["3"], ["4"], ["5"], ["6"]]


@pytest.mark.parametrize("rules", [GIFT, ORDER])
def test_what_the_simulator_plays_by_such_rules_is_explained_by_them(rules: str, tmp_path: Path) -> None:
    text = simulated(tmp_path, rules)
    ingested(tmp_path)
    assert rows(tmp_path, "select verdict, count(*) from hands group by all") == [["ok", 60]]
    assert rows(tmp_path, "select count(*) from unknown_lines") == [[0]]
    longest = max(len(board.split()) for board in re.findall(r"\n(?:Turn|River) \[(.*?)\]", text))
    assert longest == (7 if rules == GIFT else 2)
    if rules == GIFT:
        given = re.findall(r" gives \[(..)\] to the board\n(?:.*\n)?Turn \[(.*?)\]", text)
        assert len(given) > 5
        assert all(card in board.split() for card, board in given)
        assert {len(hole) for (hole,) in rows(tmp_path, "select hole from seats")} == {3}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("fails", "ValueError: no such pot"),
        ("nothing", "nothing returns nan, which is no number of chips"),
    ],
)
def test_simulate_says_in_one_line_where_a_function_fails(name: str, says: str, tmp_path: Path) -> None:
    write(tmp_path, f"payout={name}")
    done = railbird(tmp_path, "simulate", "own", *NAMED, "--hands", "5")
    assert done.returncode != 0
    lines = FILE.splitlines()
    line = lines.index(f"def {name}(hand):") + (2 if name == "fails" else 1)
    assert done.stdout == ""
    # Above it may stand that compiled rules are made ready.
    assert done.stderr.splitlines()[-1] == f"railbird: {tmp_path / 'own.py'}:{line}: {says}"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"most_bets": 4}, "own has most_bets, but no bets: give the size of a bet by street"),
        (
            {"steps": (Step(before="flop", does="takes", takes=6),)},
            "own has 8 hole cards, there is room for 7",
        ),
        (
            {"steps": (Step(before="flop", does="a", takes=3), Step(before="turn", does="b", takes=3))},
            "own has 8 hole cards, there is room for 7",
        ),
    ],
)
def test_rules_that_cannot_be_are_refused(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        replace(holdem_mit.GAME.renamed("own"), **rules)
    assert str(caught.value) == message


def test_cards_that_are_exchanged_take_no_more_room() -> None:
    swap = Step(before="flop", does="swaps", gives=2, takes=2)
    assert replace(holdem_mit.GAME.renamed("own"), hole_cards=7, steps=(swap,)).hole_cards == 7


def test_a_pot_is_paid_unevenly_where_a_player_may_pay_a_price() -> None:
    game = holdem_mit.GAME.renamed("own")
    look = Step(before="flop", does="looks", sees="board")
    assert replace(game, steps=(look,)).payout_kind == game.payout_kind != UNEVEN
    assert replace(game, steps=(replace(look, price=1),)).payout_kind == UNEVEN
    assert replace(game, auctions=True).payout_kind == UNEVEN == auction.GAME.payout_kind


def _named(name: str) -> Variant:
    return next(v for v in (*mit_2012_2019.VARIANTS, *cmu_2024.VARIANTS) if v.game.name == name)


@pytest.mark.parametrize("name", ["omaha-2016", "pineapple-2013", "cmu-2024", "cmu-2024-three-card"])
def test_properties_follow_from_the_rules(name: str) -> None:
    game, known, *_ = _named(name)
    assert isinstance(known, Properties)
    derived = Properties.of(game)
    for field in ("holes_used", "throws", "suits", "ranks", "own_order", "hole_cards", "board_cards"):
        assert getattr(derived, field) == getattr(known, field), field
    assert (derived.holes_used, derived.throws, derived.ranks) == {
        "omaha-2016": (2, False, 13),
        "pineapple-2013": (None, True, 13),
    }.get(name, (None, False, None))


@pytest.mark.parametrize(
    ("deck", "suits", "ranks"),
    [(("QKA", "hs"), 2, 3), (("6789TJQKA", "cdhs"), 4, 9), (("23456", "dhs"), None, None)],
)
def test_a_deck_is_known_by_its_highest_cards(
    deck: tuple[str, str], suits: int | None, ranks: int | None
) -> None:
    found = Properties.of(replace(holdem_mit.GAME, deck=deck))
    assert (found.suits, found.ranks) == (suits, ranks)


def test_properties_in_other_words_follow_from_the_rules_that_differ() -> None:
    def usual(hand: Any) -> float:
        chips: float = hand.usual
        return chips

    base = holdem_mit.VARIANT
    own = base.in_words("own", "fold {p} mucks", payout=usual, bets=(2, 2, 4, 4), blinds=(1, 1), hole_cards=3)
    assert isinstance(own.properties, Properties)
    assert isinstance(base.properties, Properties)
    assert own.properties == replace(
        base.properties,
        game="own",
        title="own",
        own_rules=True,
        fixed_sizes=True,
        forced="antes",
        unit="ante",
        hole_cards=3,
    )
    assert isinstance(own.game, Game)
