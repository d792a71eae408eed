"""Forks of an engine: a run after other cards, blinds that rise above the stack, cards by numbers."""

import pytest
from support.replayed import replay_text

from railbird.parsers import dialects
from railbird.replay.games import Game
from railbird.replay.records import BET, CALL, CHECK, FOLD
from railbird.replay.replaying import game_named
from railbird.replay.simulate import simulate

RUN = """\
0.02 HPI Pokerbots - a vs b
===
Round #1, a (0), b (0)
a posts the blind of 1
b posts the blind of 2
a dealt [Ad 4d]
b dealt [7h 7s]
a calls
b checks
Flop [3s 9d 3c], a (2), b (2)
b checks
a checks
Turn [3s 9d 3c Kd], a (2), b (2)
b checks
a checks
River [3s 9d 3c Kd Jh], a (2), b (2)
b checks
a checks
Run [3s 9d 3c Kd Jh 4h], a (2), b (2)
b bets 6
a calls
a shows [Ad 4d]
b shows [7h 7s]
a awarded -8
b awarded 8
Run reached
a won -6
b won 6

Final, b (8), a (-8)"""

HEADER = "HUSKY HOLD`EM - A vs B"
ABOVE = """
Round #4201, A (0), B (0)
A posts the blind of 525
B posts the blind of 1050
A dealt [As Ad]
B dealt [7c 2h]
A raises to 1000
B calls
Flop [5s 5d 9c], A (1000), B (1000)
B checks
A checks
Turn [5s 5d 9c Jd], A (1000), B (1000)
B checks
A checks
River [5s 5d 9c Jd Qd], A (1000), B (1000)
B checks
A checks
A shows [As Ad]
B shows [7c 2h]
A awarded 1000
B awarded -1000

Round #4202, B (-1000), A (1000)
B posts the blind of 525
A posts the blind of 1050
B dealt [Ks Kd]
A dealt [7c 2h]
B calls
A checks
Flop [5s 5d 9c], B (1050), A (1050)
A bets -50
B folds
B awarded -1050
A awarded 1050

Round #4203, A (2050), B (-2050)
A posts the blind of 525
B posts the blind of 1050
A dealt [As Ad]
B dealt [7c 2h]
A folds
A awarded -525
B awarded 525

Final, B (-1525), A (1525)"""


KUHN = """\
Poker Camp Game Engine - A vs B

Round #1, A (+0), B (+0)
A posts the ante of 1
B posts the ante of 1
A dealt [1]
B dealt [0]
A down
B up
A up
A shows [1]
B shows [0]
A awarded +2
B awarded -2

Round #2, B (-2), A (+2)
B posts the ante of 1
A posts the ante of 1
B dealt [2]
A dealt [1]
Response from B misformatted: \x20
B down
A did not respond
A down
B shows [2]
A shows [1]
B awarded +1
A awarded -1

Round #3, A (+1), B (-1)
A posts the ante of 1
B posts the ante of 1
A dealt [0]
B dealt [2]
A up
B down
A awarded +1
B awarded -1

Final, B (-2), A (+2)"""


def test_the_run_goes_on_after_jacks_queens_and_kings() -> None:
    found = replay_text(RUN)
    assert (found.game, found.hands[0].verdict, found.odd_lines) == ("hpi", "ok", 0)
    # A red card of another rank ends it.
    for card, rule in (("Tc", "run"), ("Qc", None), ("Kh", None), ("8h", "run")):
        rules = [f.rule for f in replay_text(RUN.replace("Jh", card)).findings]
        assert rules == ([rule] if rule else [])
    ends = RUN.replace("4h], a (2)", "Qh], a (2)")
    assert [f.rule for f in replay_text(ends).findings] == ["run-stops"]


def test_lines_between_the_hands_tell_the_game_under_another_header() -> None:
    text = simulate("hpi", (("A", "random"), ("B", "random")), 12, 3, course="A Showdown")
    assert replay_text(text).game == "hpi"
    without = text.replace("\n===\n", "\n\n")
    assert replay_text(without).game != "hpi"


def test_blinds_above_the_stack_are_deviations() -> None:
    found = replay_text(f"{HEADER}\n{ABOVE}")
    assert (found.game, found.stack, found.odd_lines) == ("husky", 1000, 0)
    assert [hand.verdict for hand in found.hands] == ["engine_deviation"] * 3
    assert [hand.deviations for hand in found.hands] == [
        ("husky.call-takes-back",),
        ("husky.more-than-the-stack",),
        ("husky.more-than-the-stack",),
    ]
    assert [hand.deltas for hand in found.hands] == [[1000, -1000], [1050, -1050], [-525, 525]]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("A awarded 1000\nB awarded -1000", "A awarded 1050\nB awarded -1050", "award"),
        ("raises to 1000\nB calls", "raises to 1000\nB checks", "check"),
        ("bets -50", "bets -40", "too-large"),
        ("A bets -50\nB folds", "A attempted illegal CheckAction\nA checks\nB bets -50\nA folds", "fault"),
        ("B posts the blind of 1050\nA dealt [As Ad]\nB dealt [7c 2h]\nA folds", None, "blind"),
    ],
)
def test_errors_above_the_stack_are_found(old: str, new: str | None, rule: str) -> None:
    assert ABOVE.count(old) == 1
    text = ABOVE.replace(old, old.replace("1050", "1000") if new is None else new)
    found = replay_text(f"{HEADER}\n{text}")
    assert rule in {f.rule for f in found.findings if f.verdict == "violation"}


def test_blinds_rise_with_the_hands_and_not_with_the_last() -> None:
    players = (("A", "calling-station"), ("B", "calling-station"))
    whole = simulate("husky", players, 202, 1)
    assert whole.count("posts the blind of 10\n") == 199 and whole.count("posts the blind of 25\n") == 3
    assert {hand.verdict for hand in replay_text(whole).hands} == {"ok"}
    ends = simulate("husky", players, 200, 1)
    assert "posts the blind of 25\n" not in ends
    assert {hand.verdict for hand in replay_text(ends).hands} == {"ok"}
    early = whole.replace("of 25\n", "of 10\n", 1)
    assert {f.rule for f in replay_text(early).findings} == {"blind"}


def test_a_header_decides_and_only_above_the_first_hand() -> None:
    plain = ABOVE.replace("Round #420", "Round #")
    text = f"{HEADER}\n{plain}".encode()
    assert [d.name for d in dialects.likely(text, 0, len(text))] == ["mit-husky"]
    later = f"6.9630 MIT Pokerbots - A vs B\n{plain}\nA response misformatted: {HEADER}".encode()
    assert [d.name for d in dialects.likely(later, 0, len(later))] == ["mit"]


def test_the_cards_of_a_run_are_data() -> None:
    game: Game = game_named("hpi")
    assert game.run_mask.bit_count() == 12
    assert game_named("river-of-blood").run_mask.bit_count() == 26
    assert game_named("holdem-mit").run_mask == 0


def test_kuhn_of_numbers_is_read() -> None:
    found = replay_text(KUHN)
    assert (found.game, found.odd_lines, found.final) == ("poker-camp", 0, (2, -2))
    assert [hand.verdict for hand in found.hands] == ["ok"] * 3
    # Queen, king and ace of spades; after a bet up is a call and down a fold.
    assert [hand.holes for hand in found.hands] == [[(47,), (43,)], [(47,), (51,)], [(43,), (51,)]]
    kinds = [[(seat, action, to) for _, seat, action, _, to in hand.actions] for hand in found.hands]
    assert kinds == [
        [(0, CHECK, -1), (1, BET, 2), (0, CALL, -1)],
        [(1, CHECK, -1), (0, CHECK, -1)],
        [(0, BET, 2), (1, FOLD, -1)],
    ]
    assert [hand.faults for hand in found.hands] == [[], [(1, "illegible"), (0, "illegible")], []]


@pytest.mark.parametrize(
    ("old", "new", "hand", "rule"),
    [
        ("A awarded +2\nB awarded -2", "A awarded +1\nB awarded -1", 0, "award"),
        ("A shows [1]\nB shows [0]", "A shows [1]\nB shows [2]", 0, "show"),
        ("A dealt [0]\nB dealt [2]", "A dealt [2]\nB dealt [2]", 2, "deck"),
        ("A dealt [0]\nB dealt [2]", "A dealt [3]\nB dealt [2]", 2, "deal"),
        ("A up\nB down", "A up\nB up", 2, "show-missing"),
        ("A did not respond\nA down", "A did not respond\nA up", 1, "substitute"),
        ("B posts the ante of 1\nA dealt [0]", "B posts the ante of 2\nA dealt [0]", 2, "blind"),
    ],
)
def test_an_error_in_kuhn_is_a_finding_of_its_hand(old: str, new: str, hand: int, rule: str) -> None:
    assert KUHN.count(old) == 1
    found = replay_text(KUHN.replace(old, new))
    assert (hand, rule) in {(f.hand, f.rule) for f in found.findings}
    assert found.hands[hand].verdict in ("violation", "damaged")


def test_one_player_may_deal_every_hand() -> None:
    text = simulate("poker-camp", (("A", "random"), ("B", "random")), 41, 3)
    assert {hand.dealer for hand in replay_text(text).hands} == {0, 1}
    first = text.index("\nRound #2,")
    one = text[:first]
    again = "".join(one[one.index("\nRound #1,") :].replace("#1,", f"#{k},") for k in range(2, 9))
    fixed = replay_text(one + again)
    assert {hand.dealer for hand in fixed.hands} == {0}
    # Nothing but the bankrolls, which are those of the first hand.
    assert {f.rule for f in fixed.findings} <= {"bankroll"}
