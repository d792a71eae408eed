"""What players say of their own cards, beside what they hold: the view `claims`."""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from railbird.analytics.store import open_store
from railbird.cli import main
from railbird.ingest import ingest

RANKS: Final = "23456789TJQKA"
DECK: Final = [rank + suit for rank in RANKS for suit in "cdhs"]
STREETS: Final = ("preflop", "flop", "turn", "river")
Said = Sequence[str]


def session(folder: Path, hands: Sequence[tuple[str, str, Said]]) -> Path:
    """A session of two players: of each hand the first one's cards, the board, and its words on each street."""
    lines, thoughts = [], []
    for number, (hole, board, said) in enumerate(hands):
        own, shared = hole.split(), board.split()
        other = [card for card in DECK if card not in own + shared][:2]
        actions: list[dict[str, Any]] = []
        for street, name in enumerate(STREETS):
            # Before the flop the dealer begins and has the small blind; afterwards the other one begins.
            for turn, seat in enumerate((0, 1) if street == 0 else (1, 0)):
                kind = "call" if street == 0 and seat == 0 else "check"
                actions.append(
                    {"seat": seat, "street": name, "action_type": kind, "amount": None, "turn_index": turn}
                )
                if seat == 0 and street < len(said) and said[street]:
                    snapshot = {"seat": 0, "turn_id": f"{number}-{name}-{turn}", "wall_time_ms": 1.0}
                    thoughts.append(snapshot | {"iterations": [{"text_content": said[street]}]})
        line = {
            "hand_id": number,
            "button_seat": 0,
            "sb_seat": 0,
            "bb_seat": 1,
            "starting_stacks": {"0": 10000, "1": 10000},
            "hole_cards": {"0": own, "1": other},
            "community": shared,
            "actions": actions,
            "result": {"showdown": False, "winners": [], "side_pots": [], "final_invested": {}}
            | {"net_pnl": {"0": 0, "1": 0}},
        }
        lines.append(line)
    path = folder / "x.canonical_private.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    beside = folder / "x.agent_view_snapshots.jsonl"
    beside.write_text("".join(json.dumps(thought) + "\n" for thought in thoughts))
    return path


def claims(tmp_path: Path, hands: Sequence[tuple[str, str, Said]]) -> list[tuple[Any, ...]]:
    """Hand, street, kind, whether it is wrong, of all that the first player says."""
    ingest([session(tmp_path, hands)], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        return store.execute("select hand_index, street, kind, is_wrong from claims order by all").fetchall()


def straight(ranks: set[int]) -> bool:
    runs = [{*range(low, low + 5)} for low in range(9)] + [{12, 0, 1, 2, 3}]
    return any(run <= ranks for run in runs)


def truth(hole: list[str], board: list[str]) -> dict[str, bool]:
    """Which statements fit cards, by fives of cards where hands are made of five."""
    held = hole + board
    places = [RANKS.index(card[0]) for card in held]
    own, shared = places[:2], places[2:]
    shapes = set[str]()
    for five in combinations(held, 5):
        counts = sorted(Counter(card[0] for card in five).values(), reverse=True)
        suited = len({card[1] for card in five}) == 1
        runs = straight({RANKS.index(card[0]) for card in five})
        shapes |= {"flush"} if suited else set()
        shapes |= {"straight"} if runs else set()
        shapes |= {"straight flush"} if suited and runs else set()
        shapes |= {"four of a kind"} if counts[0] == 4 else set()
        shapes |= {"full house"} if counts == [3, 2] else set()
        shapes |= {"three of a kind"} if counts[0] >= 3 else set()
        shapes |= {"two pair"} if counts[:2] in ([2, 2], [3, 2]) else set()
        shapes |= {"pair"} if counts[0] >= 2 else set()
    open_suits = [suit for suit in "cdhs" if sum(card[1] == suit for card in held) == 4]
    outs = [rank for rank in range(13) if straight({*places, rank}) and not straight({*places})]
    can_come = len(board) < 5
    paired = own[0] == own[1] or bool({*own} & {*shared})
    return {
        **dict.fromkeys(("flush", "straight", "straight flush", "four of a kind", "full house"), False),
        **dict.fromkeys(("three of a kind", "two pair", "pair"), False),
        **dict.fromkeys(shapes, True),
        "top pair": max(shared) in own,
        "lower pair": any(rank in shared and rank < max(shared) for rank in own),
        "overpair": own[0] == own[1] > max(shared),
        "set": own[0] == own[1] in shared,
        "flush draw": can_come and any(suit in {card[1] for card in hole} for suit in open_suits),
        "straight draw": can_come and bool(outs),
        "high card": not paired and max(own) == RANKS.index("A") and not {"flush", "straight"} & shapes,
    }


ALL: Final = (
    "I have a flush. I have a straight. I have a straight flush. I have quads. I have a full house. I have trips. "
    "I have two pair. I have a pair. I have top pair. I have second pair. I have an overpair. I have a set. "
    "I have a flush draw. I have a gutshot. I have ace-high."
)


def dealt(random: Random) -> tuple[str, str]:
    """Cards of a few ranks, or of two suits, so that hands are made."""
    deck = random.choice(
        (DECK, [c for c in DECK if c[0] in "789TJQA"], [c for c in DECK if c[1] in "hs"], DECK[-20:])
    )
    cards = random.sample(deck, 7)
    return " ".join(cards[:2]), " ".join(cards[2:])


def test_statements_are_judged_as_fives_of_cards_are(tmp_path: Path) -> None:
    random = Random(5)
    hands = [(*dealt(random), ("", ALL, ALL, ALL)) for _ in range(80)]
    hands += [
        ("Ah Kh", "Qh Jh Th 2c 3d", ("", ALL, ALL, ALL)),
        ("5d 4d", "3d 2d Ad 9c 9h", ("", ALL, ALL, ALL)),
    ]
    hands += [
        ("9d 9s", "9h 9c 2h 3c 4d", ("", ALL, ALL, ALL)),
        ("9d 9s", "9h 2c 2h Kc Kd", ("", ALL, ALL, ALL)),
    ]
    found = claims(tmp_path, hands)
    expected = sorted(
        (number, street, kind, not is_so)
        for number, (hole, board, _) in enumerate(hands)
        for street in (1, 2, 3)
        for kind, is_so in truth(hole.split(), board.split()[: street + 2]).items()
    )
    assert found == expected
    right, wrong = (
        Counter(kind for _, _, kind, is_wrong in found if is_wrong is one) for one in (False, True)
    )
    # Every statement is right sometimes, and wrong sometimes.
    assert len(right) == len(wrong) == ALL.count(".")


def test_what_is_no_statement_about_the_own_cards_is_left_out(tmp_path: Path) -> None:
    said = (
        "If I have top pair I bet. I might have a flush. He thinks I have a set. I don't have a straight draw. "
        "When I flopped a set I won. I have a flush blocker. I have a straight possibility. I have no pair. "
        "I have the tools. I have 22 big blinds. I have Ah. My opponent has Kd Kc. I have a set mining hand. "
        "I have Ah Kd Qc. My range is AKs. The ace gives me a straight draw that didn't complete."
    )
    assert claims(tmp_path, [("Ah Kd", "Ad 2c 3c 4h 9h", ("", said))]) == []


FORMS: Final = (
    ("I have Ah Kd", "cards", False),
    ("I hold K♦A♥ here", "cards", False),
    ("My hand is **Kd, Ah**", "cards", False),
    ("I've got Ad Kh", "cards", True),
    ("I hold AKo (Ah Kd)", "cards", False),
    ("I’m holding AK offsuit", "starting hand", False),
    ("I have KAo", "starting hand", False),
    ("I have AKs", "starting hand", True),
    ("I have pocket aces", "pocket pair", True),
    ("I'm holding KK", "pocket pair", True),
    ("I have a pair of aces", "pair", False),
    ("giving me a pair of kings", "pair", True),
    ("I have top pair (Aces)", "top pair", False),
    ("I have top pair, kings", "top pair", False),
    ("I have just top pair", "top pair", False),
    ("I have two pair", "two pair", True),
    ("I have trip aces", "three of a kind", True),
    ("I have a backdoor flush draw", "flush draw", False),
    ("I have an open-ended straight draw", "straight draw", True),
    ("I have the nut flush", "flush", True),
    ("I have king-high", "high card", True),
)


def test_forms_of_statements(tmp_path: Path) -> None:
    hands = [("Ah Kd", "Ad 2d 9c 4h 5s", ("", f"{said}, so.")) for said, _, _ in FORMS]
    found: dict[int, dict[str, bool]] = {}
    for number, _, kind, is_wrong in claims(tmp_path, hands):
        found.setdefault(number, {})[kind] = is_wrong
    told = {said: found.get(number, {}) for number, (said, _, _) in enumerate(FORMS)}
    # Cards may stand behind the name of their starting hand, which is another statement.
    assert {said: (kind, told[said].get(kind)) for said, kind, _ in FORMS} == {
        said: (kind, is_wrong) for said, kind, is_wrong in FORMS
    }
    assert {said for said in told if len(told[said]) > 1} == {"I hold AKo (Ah Kd)"}


def test_the_share_that_is_wrong_has_its_n_and_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = [("Ah Kd", "Ad 2d 9c 4h 5s", ("", said)) for said in ("I have top pair.", "I have a flush.")]
    claims(tmp_path, [*hands, *hands, ("Ah Kd", "Ad 2d 9c 4h 5s", ("", "I have top pair. I have top pair."))])
    with open_store(tmp_path / "store") as store:
        rows = store.execute(
            "select player, kind, opportunities, successes, rate, low, high from claims_by_kind order by kind"
        ).fetchall()
    assert [row[:5] for row in rows] == [
        ("seat0", "all kinds", 5, 2, 0.4),
        ("seat0", "flush", 2, 2, 1.0),
        ("seat0", "top pair", 3, 0, 0.0),
    ]
    # Wilson's interval: z^2 / (n + z^2) is what a rate of 0 in 3 may be at most.
    assert rows[2][5:] == pytest.approx((0.0, 1.959964**2 / (3 + 1.959964**2)))
    assert main(["stats", "--show", "claims", "--store", str(tmp_path / "store")]) == 0
    assert "40.0%" in capsys.readouterr().out


def test_statements_of_one_hand_count_as_one(tmp_path: Path) -> None:
    board = "Ad 2d 9c 4h 5s"
    said = ("", "I have a flush. Giving me a flush.", "I have a flush.")
    claims(
        tmp_path, [("Ah Kd", board, said), ("Ah Kd", board, ("", "I have a flush.")), ("Ah 7d", board, said)]
    )
    with open_store(tmp_path / "store") as store:
        rows = store.execute(
            "select opportunities, hands, successes, rate, low, high, effective_n from claims_by_kind "
            "where kind = 'flush'"
        ).fetchall()
    # Hands of 3, 1 and 3 statements.
    worth, z = 7**2 / (3**2 + 1 + 3**2), 1.959964
    assert rows == [(7, 3, 7, 1.0, pytest.approx(worth / (worth + z**2)), 1.0, pytest.approx(worth))]


def test_damaged_hands_make_no_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ingest --join` gives words to hands of logs of which some are damaged."""
    # A view that is no table can be replaced.
    monkeypatch.setattr("railbird.analytics.store._FEW_ACTIONS", 0)
    said = ("", "I have top pair.")
    claims(tmp_path, [("Ah Kd", "Ad 2d 9c 4h 5s", said), ("Kh Kd", "Ad 2d 9c 4h 5s", said)])
    with open_store(tmp_path / "store") as store:
        store.execute(
            "create or replace view damaged_hands as select match_id, hand_index from hands where hand_index = 0"
        )
        assert store.execute("select hand_index, is_wrong from claims").fetchall() == [(1, True)]


def test_a_store_without_words_has_no_claims(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert claims(tmp_path, [("Ah Kd", "Ad 2d 9c 4h 5s", ())]) == []
    assert main(["stats", "--show", "claims", "--store", str(tmp_path / "store")]) == 2
    assert "nothing to show" in capsys.readouterr().err
