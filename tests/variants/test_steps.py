"""Steps of a hand as data, and lines of a game's own with a function: a game of a user's file that has both."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import railbird, rows

TRADE = '''
"""Trade: hold'em in which cards are exchanged for a price to the other player, and the dealer sees one of its cards.

Before the flop each may exchange a hole card for 3 chips, which the other player gets. Before the river the dealer must
look at a hole card of the other player. Players may say a number; at a showdown the loser pays as many chips more.
"""

from dataclasses import replace

from railbird.parsers import mit
from railbird.parsers.dialect import Dialect
from railbird.parsers.grammar import Grammar
from railbird.replay.games import Step
from railbird.variants import holdem_mit
from railbird.variants.properties import Properties, Variant

GRAMMAR = Grammar(
    """
    trades  {p} trades [{c}] for [{c}]
    looks   {p} looks at [{c}]
    says    {p} says {n}
    """,
    base=mit.GRAMMAR,
    own="trades looks says",
)


def says(hand):
    """A number from 0 to 9, said once by each."""
    place = 0 if hand.by_dealer else 1
    number = hand.values[0]
    if number < 0 or number > 9 or hand.memory[2 + place] > 0:
        return False
    hand.memory[place] = number
    hand.memory[2 + place] = 1
    return True


def pay(hand):
    """The pot, and what the loser said."""
    if not hand.showdown or hand.wins == 0:
        return hand.usual
    more = hand.memory[1] if hand.wins > 0 else hand.memory[0]
    return hand.usual + hand.wins * more


GAME = replace(
    holdem_mit.GAME.renamed("trade"),
    until_red="",
    stack=100,
    payout=pay,
    lines={"says": says},
    steps=(
        Step(before="flop", does="trades", price=3, to="other", gives=1, takes=1),
        Step(before="river", does="looks", asked=("dealer",), must=True, sees="other"),
    ),
)

VARIANT = Variant(GAME, Properties.of(GAME), (Dialect("trade", "trade", GRAMMAR),))
'''
NAMED = ("--variant", "trade.py")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("trade")
    (folder / "trade.py").write_text(TRADE)
    done = railbird(folder, "simulate", "trade", *NAMED, "--hands", "120", "--out", "trade.log")
    assert done.returncode == 0, done.stderr
    return (folder / "trade.log").read_text()


def read(text: str, folder: Path) -> None:
    (folder / "trade.py").write_text(TRADE)
    (folder / "trade.log").write_text(text)
    done = railbird(folder, "ingest", "trade.log", *NAMED)
    assert done.returncode == 0, done.stderr


def test_cards_change_hands_for_a_price_that_the_other_player_gets(log: str, tmp_path: Path) -> None:
    read(log, tmp_path)
    assert rows(tmp_path, "select distinct verdict from hands") == [["ok"]]
    trades, looks = log.count(" trades ["), log.count(" looks at [")
    assert min(trades, looks) > 10
    assert rows(tmp_path, "select kind, count(*) from stored.changes group by 1 order by 1") == [
        ["reveal", looks],
        ["swap", trades],
    ]
    # A player's contribution has the prices that it paid, less those that it was paid.
    put = """
        with made as (
            select match_id, hand_index, seat, sum(chips_added) as chips,
                count(*) filter (where action = 'discard') as trades
            from actions group by all
        )
        select sum(o.trades), count(*) filter (where s.contribution <> m.chips - 3 * o.trades)
        from seats as s
        join made as m using (match_id, hand_index, seat)
        join made as o on o.match_id = s.match_id and o.hand_index = s.hand_index and o.seat = 1 - s.seat"""
    assert rows(tmp_path, put) == [[trades, 0]]
    prices = "select count(*) from actions where action = 'discard' and chips_added = 3"
    assert rows(tmp_path, prices) == [[trades]]
    seen = """select count(*) from visible v join seats s using (match_id, hand_index, seat)
        where v.item = 'reveal' and v.viewer_seat <> v.seat
        and list_contains(s.hole_final, v.cards[1]) and v.from_seq > 0"""
    assert rows(tmp_path, seen) == [[looks]]
    assert (
        "Not adjusted, because the cards to come are not counted: trade" in railbird(tmp_path, "luck").stdout
    )


def in_hand(log: str, number: int, edit: Callable[[str], str]) -> str:
    """The log with one of its hands edited."""
    hands = re.split(r"(?=Round #)", log)
    hands[number] = edit(hands[number])
    return "".join(hands)


def hand_with(log: str, *forms: str) -> int:
    hands = re.split(r"(?=Round #)", log)
    return next(k for k, hand in enumerate(hands) if k and all(re.search(form, hand) for form in forms))


@pytest.mark.parametrize(
    ("needs", "old", "new", "rule"),
    [
        (r" looks at \[", r"(.+) looks at \[..\]", r"\1 looks at [{board}]", "look"),
        (r" looks at \[", r".+ looks at \[..\]\n", "", "unasked"),
        (r" trades \[", r"(.+) trades \[..\]", r"\1 trades [{board}]", "discard"),
        (r" trades \[", r"(.+ trades \[..\] for) \[..\]", r"\1 [{board}]", "deck"),
        (r" trades \[", r".+ trades \[..\] for \[..\]\n", "", "contribution"),
    ],
)
def test_a_step_that_is_not_as_the_file_says_is_found(
    needs: str, old: str, new: str, rule: str, log: str, tmp_path: Path
) -> None:
    number = hand_with(log, needs, r"\nRiver ", r" shows \[")

    def edit(hand: str) -> str:
        board = re.search(r"Flop \[(..)", hand)
        assert board is not None
        return re.sub(old, new.replace("{board}", board[1]), hand, count=1)

    read(in_hand(log, number, edit), tmp_path)
    found = rows(tmp_path, "select distinct rule from findings join hands using (match_id, hand_index)")
    assert [rule] in found
    wrong = rows(tmp_path, "select hand_no from hands where verdict <> 'ok'")
    assert wrong == [[number]]


def test_a_function_says_which_lines_may_stand_and_the_payout_knows_what_they_said(
    log: str, tmp_path: Path
) -> None:
    number = hand_with(log, r"\nFlop ", r" shows \[", r" awarded [1-9]")

    def with_words(said: int, paid: int) -> str:
        def edit(hand: str) -> str:
            won = re.search(r"(.+) awarded ([1-9]\d*)\n", hand)
            lost = re.search(r"(.+) awarded -(\d+)\n", hand)
            assert won is not None
            assert lost is not None
            edited = hand.replace("\nFlop ", f"\n{lost[1]} says {said}\nFlop ", 1)
            edited = edited.replace(won[0], f"{won[1]} awarded {int(won[2]) + paid}\n")
            return edited.replace(lost[0], f"{lost[1]} awarded -{int(lost[2]) + paid}\n")

        return in_hand(log, number, edit)

    def found(text: str, name: str) -> list[list[str]]:
        folder = tmp_path / name
        folder.mkdir()
        read(text, folder)
        return rows(
            folder,
            f"select rule from findings join hands using (match_id, hand_index) where hand_no = {number}",
        )

    assert found(with_words(4, 4), "right") == []
    assert found(with_words(4, 3), "paid wrongly") == [["award"]]
    assert found(with_words(12, 0), "not to be said") == [["own-line"]]
