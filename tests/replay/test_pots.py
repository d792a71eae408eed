"""Games whose logs print whole pots: played forward and read back, and what an edit of a line is found as."""

import re
from collections.abc import Callable
from itertools import product

import pytest
from support.replayed import ReplayedMatch, replay_text

from railbird.replay.bots import STYLES
from railbird.replay.replaying import whole_pots
from railbird.replay.simulate import play
from railbird.variants.registry import VARIANTS

GAMES = sorted(
    variant.game.name
    for variant in VARIANTS
    if variant.game.family is whole_pots and variant.game.forward is not None
)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_simulated_reads_back_equal_and_unblamed(game: str) -> None:
    seen = set()
    for seed, (one, two) in enumerate(product(sorted(STYLES), repeat=2)):
        if seed % 5:
            continue
        played = play(game, [("Ann", one), ("B.ob)", two)], 25, seed)
        back = replay_text(played.text)
        seen.add(back.game)
        if back.game != game:
            # Nobody saw a flop: nothing of the game is in the log.
            assert "*** FLOP" not in played.text
            continue
        assert (back.names, back.odd_lines, back.findings) == (played.names, 0, [])
        for truth, hand in zip(played.hands, back.hands, strict=True):
            assert (hand.number, hand.dealer, hand.verdict) == (truth.number, truth.dealer, "ok")
            assert (hand.holes, hand.board) == (truth.holes, truth.board)
            assert (hand.before, hand.put, hand.deltas) == (truth.before, truth.put, truth.deltas)
            assert (hand.written, hand.engine) == (truth.deltas, truth.deltas)
            assert hand.actions == [tuple(action) for action in truth.actions]
            assert hand.faults == truth.faults
            finals = [final or hole for final, hole in zip(hand.finals, hand.holes, strict=True)]
            assert finals == (truth.finals or truth.holes)
    assert game in seen


def log_of(game: str) -> str:
    return play(game, [("Ann", "maniac"), ("Bob", "calling-station")], 40, 3).text


def more(found: re.Match[str]) -> str:
    """A number that is one larger."""
    return f"{found[1]}{int(found[2]) + 1}{found[3]}"


def other(found: re.Match[str]) -> str:
    """Another card."""
    return f"{found[1]}{'2c' if found[2] != '2c' else '3c'}{found[3]}"


def twice_dealt(found: re.Match[str]) -> str:
    """The first card twice."""
    return f"{found[1]}{found[2]} {found[2]}{found[3]}"


EDITS: list[tuple[str, str, Callable[[re.Match[str]], str], str]] = [
    ("pineapple-2013", r"(wins the pot \()(\d+)(\))", more, "award"),
    ("pineapple-2013", r"(Uncalled bet of )(\d+)( returned)", more, "uncalled"),
    ("pineapple-2013", r"(\*\*\* TURN \*\*\* \()(\d+)(\))", more, "pot"),
    ("pineapple-2013", r"(Dealt to \w+ \[)(\S\S) \S\S(.*\])", twice_dealt, "deck"),
    ("pineapple-2013", r"(\w+ discards \[)(\S\S)(\])", other, "discard"),
    ("pineapple-2013", r"\w+ discards .*\n", lambda m: "", "card-due"),
    ("pineapple-2013", r"(shows \[)(\S\S) (\S\S)\]", lambda m: f"{m[1]}{m[3]} {m[2]}]", "show"),
    ("pineapple-2013", r"(\n.* shows \[.*\])\n", lambda m: "\n", "show-missing"),
    ("pineapple-2013", r"(posts the blind of )(\d+)()", more, "blind"),
    ("pineapple-2013", r"Ann posts the blind of 1", lambda m: "Bob posts the blind of 1", "blind-order"),
    ("pineapple-2013", r"(Hand #7, \w+ \()(-?\d+)(\))", more, "bankroll"),
    ("pineapple-2013", r"Hand #7,", lambda m: "Hand #8,", "sequence"),
    ("pineapple-2013", r"raises to \d+", lambda m: "raises to 3", "too-small"),
    ("pineapple-2013", r"raises to \d+", lambda m: "raises to 401", "too-large"),
    ("pineapple-2013", r"(\*\*\* FLOP .*\n\w+ )checks", lambda m: f"{m[1]}calls", "call"),
    ("pineapple-2013", r"(\*\*\* FLOP .*\n\w+ )bets", lambda m: f"{m[1]}raises to", "wording"),
    ("pineapple-2013", r"(raises to \d+\n\w+ )calls", lambda m: f"{m[1]}checks", "check"),
    ("omaha-2016", r"raises to \d+", lambda m: "raises to 7", "too-large"),
    ("omaha-2016", r"(wins the pot \()(\d+)(\))", more, "award"),
    ("redraw-2017", r"(discards )(\S\S)( for)", other, "discard"),
    ("redraw-2017", r"(discards \S\S for )(\S\S)(\n)", other, "show"),
    ("redraw-2017", r"\w+ discards .*\n", lambda m: "", "turn"),
    ("redraw-2017", r"(FINAL: \w+ \()(-?\d+)(\))", more, "final"),
    ("holdem-2017", r"(ties for the pot \()(\d+)(\))", more, "award"),
    ("holdem-2017", r"(\*\*\* RIVER \*\*\* \(\d+\) \[)(\S\S)( )", other, "board"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "pattern", "edit", "rule"),
    EDITS,
    ids=[f"{game}-{number}-{rule}" for number, (game, _, _, rule) in enumerate(EDITS)],
)
def test_an_edited_line_is_found(
    game: str, pattern: str, edit: Callable[[re.Match[str]], str], rule: str
) -> None:
    text = log_of(game)
    if "ties for" in pattern:
        text = next(t for seed in range(99) if "ties for" in (t := tied(game, seed)))
    found = re.search(pattern, text)
    assert found is not None
    edited = text[: found.start()] + edit(found) + text[found.end() :]
    assert edited != text
    assert replay_text(text).findings == []
    back = replay_text(edited)
    assert rule in {finding.rule for finding in back.findings}
    # The first finding is about the hand that was edited.
    hand = text[: found.start()].count("Hand #") + pattern.startswith("(Hand") + pattern.startswith("Hand")
    assert back.findings[0].hand == hand - 1
    assert verdict_of(back, back.findings[0].hand) in ("violation", "damaged")


def tied(game: str, seed: int) -> str:
    return play(game, [("Ann", "calling-station"), ("Bob", "calling-station")], 40, seed).text


def verdict_of(back: ReplayedMatch, hand: int) -> str:
    return back.hands[hand].verdict


def test_a_pot_limit_is_the_pot_after_a_call() -> None:
    """6 is the most before the flop; on the flop the pot."""
    lines = """6.176 MIT Pokerbots - A vs B (stack=400, bb=2)
Hand #1, A (0), B (0)
A posts the blind of 1
B posts the blind of 2
Dealt to A [2c 3c 4c 5c]
Dealt to B [2d 3d 4d 5d]
A raises to 6
B raises to 18
A calls
*** FLOP *** (36) [Ks Qs 9s]
B bets 36
A raises to 144
B folds
Uncalled bet of 108 returned to A
A wins the pot (108)

"""
    back = replay_text(lines)
    assert (back.game, back.findings, back.hands[0].deltas) == ("omaha-2016", [], [54, -54])
    for most in ("to 6", "to 18", "bets 36", "to 144"):
        word, number = most.split()
        rules = {f.rule for f in replay_text(lines.replace(most, f"{word} {int(number) + 1}")).findings}
        assert "too-large" in rules, most


def test_omaha_hands_have_two_hole_cards_and_three_of_the_board() -> None:
    """Four spades on the board and one in the hand are no flush; B's pair of nines beats A's ace high."""
    lines = """6.176 MIT Pokerbots - A vs B (stack=400, bb=2)
Hand #1, A (0), B (0)
A posts the blind of 1
B posts the blind of 2
Dealt to A [As Kd Jc 4h]
Dealt to B [9h 8d 3c 2d]
A calls
B checks
*** FLOP *** (4) [Qs 9s 7s]
B checks
A checks
*** TURN *** (4) [Qs 9s 7s] [5s]
B checks
A checks
*** RIVER *** (4) [Qs 9s 7s 5s] [6d]
B checks
A checks
A shows [As Kd Jc 4h]
B shows [9h 8d 3c 2d]
B wins the pot (4)

"""
    back = replay_text(lines)
    # 9 8 7 6 5: two of the hand, three of the board.
    assert (back.game, back.findings, back.hands[0].deltas) == ("omaha-2016", [], [-2, 2])
    assert {f.rule for f in replay_text(lines.replace("B wins", "A wins")).findings} == {"award"}


def test_an_odd_chip_goes_to_the_first_line() -> None:
    lines = """6.S912 MIT Pokerbots - A vs B (stack=200, bb=3)
Hand #1, A (0), B (0)
A posts the blind of 1
B posts the blind of 3
Dealt to A [2c 7d]
Dealt to B [2d 7c]
A folds
B wins the pot (4)

"""
    back = replay_text(lines)
    assert (back.findings, back.blinds, back.stack) == ([], (1.0, 3.0), 200.0)


@pytest.mark.parametrize("end", ["Ann discards", "shows [", " wins the pot ("])
def test_a_hand_that_is_cut_off_is_left_out(end: str) -> None:
    text = log_of("pineapple-2013")
    whole = text.rindex(end)
    back = replay_text(text[: text.index("\n", whole) + 1] if end.startswith(" wins") else text[:whole])
    cut = text[:whole].count("Hand #")
    assert len(back.hands) == cut - (not end.startswith(" wins"))
    assert back.findings == []


def test_a_team_s_notes_are_read_over() -> None:
    text = log_of("pineapple-2013")
    noted = re.sub(r"^(Dealt to .*)$", r"\1 (hEq: 0.4)", text, flags=re.MULTILINE)
    noted = re.sub(
        r"^(\w+ (?:checks|calls|folds|bets \d+|raises to \d+))$",
        r"\1 (bEq: 0.4[1])",
        noted,
        flags=re.MULTILINE,
    )
    noted = re.sub(
        r"^(\*\*\* .*)$", r"\1\nTrue equities: 4d5d (0.5) vs. 2c3c (0.5)", noted, flags=re.MULTILINE
    )
    assert noted.count("Eq") > 100
    plain, read = replay_text(text), replay_text(noted)
    assert (read.odd_lines, read.findings) == (0, [])
    assert [hand.actions for hand in read.hands] == [hand.actions for hand in plain.hands]


def test_two_players_of_one_name_are_told_apart_by_their_turns() -> None:
    text = log_of("holdem-2017")
    back = replay_text(text.replace("Bob", "Ann").replace("FINAL", "\nFINAL"))
    plain = replay_text(text)
    assert [hand.actions for hand in back.hands] == [hand.actions for hand in plain.hands]
