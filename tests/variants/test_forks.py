"""Forks of an engine: a run after other cards, blinds that rise above the stack."""

import pytest
from support.replayed import replay_text

from railbird.parsers import dialects
from railbird.replay.games import Game
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


def test_the_run_goes_on_after_jacks_queens_and_kings() -> None:
    found = replay_text(RUN)
    assert (found.game, found.hands[0].verdict, found.odd_lines) == ("hpi", "ok", 0)
    # A red card of another rank ends it.
    for card, rule in (("Tc", "run"), ("Qc", None), ("Kh", None), ("8h", "run")):
        rules = [f.rule for f in replay_text(RUN.replace("Jh", card)).findings]
        assert rules == ([rule] if rule else [])
    ends = RUN.replace("4h], a (2)", "Qh], a (2)")
    assert [f.rule for f in replay_text(ends).findings] == ["run-stops"]


def test_another_header_is_told_by_the_lines_between_the_hands() -> None:
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
    plain = ABOVE.replace("Round #420", "Round #").replace("Final", "Final")
    text = f"HUSKY HOLD`EM - A vs B\n{plain}".encode()
    assert [d.name for d in dialects.likely(text, 0, len(text))] == ["mit-husky"]
    later = f"6.9630 MIT Pokerbots - A vs B\n{plain}\nA response misformatted: {HEADER}".encode()
    assert [d.name for d in dialects.likely(later, 0, len(later))] == ["mit"]


def test_the_cards_of_a_run_are_data() -> None:
    game: Game = game_named("hpi")
    assert game.run_mask.bit_count() == 12
    assert game_named("river-of-blood").run_mask.bit_count() == 26
    assert game_named("holdem-mit").run_mask == 0
