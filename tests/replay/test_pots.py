"""Games whose logs print whole pots: played forward and read back, and what an edit of a line is found as."""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.failures import no_failure
from support.replayed import ReplayedMatch, replay_text
from support.stores import rows

from railbird.ingest import ingest
from railbird.parsers.dialects import cut_for
from railbird.replay.bots import STYLES
from railbird.replay.payouts import share_pots
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
            # No hand saw a flop, and no other line shows which game it is.
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


def test_the_header_gives_the_blinds() -> None:
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


TIED_BY_TWO_OF_THREE = """6.S912 MIT Pokerbots - Ann vs. Bob vs. Cy
Hand #1
Seat 1 (Button): Ann 0
Seat 2 (SB): Bob 0
Seat 3 (BB): Cy 0
Bob posts the blind of 1
Cy posts the blind of 2
Dealt to Bob [2c 7d]
Dealt to Cy [Ah 8s]
Dealt to Ann [Ad 8h]
Ann calls
Bob folds
Cy checks
*** FLOP *** [Ks Qs 9d]
Cy checks
Ann checks
*** TURN *** [Ks Qs 9d] [4c]
Cy checks
Ann checks
*** RIVER *** [Ks Qs 9d 4c] [3h]
Cy checks
Ann checks
Ann shows Ad 8h (High Card)
Cy shows Ah 8s (High Card)
Ann ties for the pot (3)
Cy ties for the pot (2)

"""


def edited(text: str, *changes: tuple[str, str]) -> str:
    """The text with lines replaced, each of which it has once."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def test_an_odd_chip_goes_to_the_first_line() -> None:
    assert replay_text(TIED_BY_TWO_OF_THREE).findings == []
    turned = edited(
        TIED_BY_TWO_OF_THREE,
        ("Ann ties for the pot (3)", "Ann ties for the pot (2)"),
        ("Cy ties for the pot (2)", "Cy ties for the pot (3)"),
    )
    found = replay_text(turned).findings
    assert [(f.rule, f.seat, f.chips) for f in found] == [("award", 0, -1), ("award", 2, 1)]


@pytest.mark.parametrize(("kind", "rules"), [("Pair", ["hand-kind"]), ("Straight Flush", []), ("Pairs", [])])
def test_a_shown_hand_is_called_what_it_is(kind: str, rules: list[str]) -> None:
    """Names that no known log has are read over."""
    back = replay_text(edited(TIED_BY_TWO_OF_THREE, ("Ad 8h (High Card)", f"Ad 8h ({kind})")))
    assert ([f.rule for f in back.findings], back.odd_lines) == (rules, 0)


def walks(after: bool) -> str:
    """Six hands of three in which all fold to the big blind; bankrolls printed before each hand or after it."""
    names, banks = ["Ann", "Bob", "Cy"], [0, 0, 0]
    lines = ["6.S912 MIT Pokerbots - Ann vs. Bob vs. Cy"]
    for number in range(1, 7):
        button, small, big = ((k - number + 1) % 3 for k in range(3))
        paid = [bank + (seat == big) - (seat == small) for seat, bank in enumerate(banks)]
        printed = paid if after else banks
        lines += [
            f"Hand #{number}",
            f"Seat 1 (Button): {names[button]} {printed[button]}",
            f"Seat 2 (SB): {names[small]} {printed[small]}",
            f"Seat 3 (BB): {names[big]} {printed[big]}",
            f"{names[small]} posts the blind of 1",
            f"{names[big]} posts the blind of 2",
            f"Dealt to {names[small]} [2c 7d]",
            f"Dealt to {names[big]} [Ah 8s]",
            f"Dealt to {names[button]} [Ad 8h]",
            f"{names[button]} folds",
            f"{names[small]} folds",
            f"{names[big]} wins the pot (3)",
            "",
        ]
        banks = paid
    return "\n".join([*lines, ""])


@pytest.mark.parametrize("after", [False, True])
def test_bankrolls_are_checked_whether_printed_before_or_after_the_hand(after: bool) -> None:
    text = walks(after)
    plain = replay_text(text)
    assert (plain.profile, plain.findings) == ("after" if after else "before", [])
    start = text.index("Hand #4")
    line = re.compile(r"(Seat 2 \(SB\): \w+ )(-?\d+)")
    wrong = replay_text(text[:start] + line.sub(lambda m: f"{m[1]}{int(m[2]) + 5}", text[start:], count=1))
    assert wrong.profile == plain.profile
    # The next hand's bankroll is what it should be, and does not follow from the wrong one.
    found = [(f.hand, f.rule, f.chips, f.verdict) for f in wrong.findings]
    assert found == [(3, "bankroll", 5, "violation"), (4, "bankroll", -5, "violation")]
    misprinted = replay_text(text[:start] + text[start:].replace("pot (3)", "pot (8)", 1))
    assert [(f.hand, f.rule, f.chips) for f in misprinted.findings] == [(3, "award", 5)]


SIDE_POT = """6.S912 MIT Pokerbots - Ann vs Bob vs Cy (stack=20, bb=2)
Hand #1, Ann (5), Bob (20), Cy (20)
Bob posts the blind of 1
Cy posts the blind of 2
Dealt to Ann [As Ad]
Dealt to Bob [Ks Kd]
Dealt to Cy [Qs Qd]
Ann raises to 5
Bob calls 5
Cy calls 5
*** FLOP *** (15) [2c 7d 9h]
Bob bets 10
Cy calls 10
*** TURN *** (20) [2c 7d 9h] [3c]
Bob checks
Cy checks
*** RIVER *** (20) [2c 7d 9h 3c] [4h]
Bob checks
Cy checks
Ann shows [As Ad]
Bob shows [Ks Kd]
Cy shows [Qs Qd]
Ann wins the pot (15)
Bob wins the pot (20)

"""


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ([], []),
        (
            [("Bob wins the pot (20)", "Cy wins the pot (20)")],
            [("award", 1, -20, "violation"), ("award", 2, 20, "violation")],
        ),
        (
            [("Ann wins the pot (15)\nBob wins the pot (20)", "Ann wins the pot (35)")],
            [
                ("award", 0, 20, "engine_deviation"),
                ("award", 1, -20, "engine_deviation"),
                ("award-lines", -1, 0, "engine_deviation"),
            ],
        ),
        ([("TURN *** (20)", "TURN *** (35)")], [("pot", -1, 0, "engine_deviation")]),
    ],
    ids=["by the rules", "to the third best", "one pot", "another pot printed"],
)
def test_an_all_in_makes_a_side_pot(
    changes: list[tuple[str, str]], found: list[tuple[str, int, int, str]]
) -> None:
    back = replay_text(edited(SIDE_POT, *changes))
    assert back.game == "sidepots-2015"
    assert [(f.rule, f.seat, f.chips, f.verdict) for f in back.findings] == found


def shared_chip_by_chip(first: int, spent: list[int], folded: list[bool], strength: list[int]) -> list[int]:
    """What each is paid: every layer of one chip belongs to the players still in it, or to those of the layer below."""
    pots: dict[tuple[int, ...], int] = {}
    claims: tuple[int, ...] = ()
    for layer in range(1, max(spent) + 1):
        claims = tuple(k for k in range(len(spent)) if spent[k] >= layer and not folded[k]) or claims
        pots[claims] = pots.get(claims, 0) + sum(chips >= layer for chips in spent)
    paid = [0] * len(spent)
    for claims, size in pots.items():
        best = max(strength[k] for k in claims)
        winners = sorted((k for k in claims if strength[k] == best), key=lambda k: (k - first) % len(spent))
        for place, winner in enumerate(winners):
            paid[winner] += size // len(winners) + (place < size % len(winners))
    return paid


@given(st.data())
def test_pots_are_shared_as_chips_are_layer_by_layer(data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 6))
    folded = data.draw(
        st.lists(st.booleans(), min_size=players, max_size=players).filter(lambda f: not all(f))
    )
    # Who has not folded has put something in.
    spent = [data.draw(st.integers(0 if out else 1, 12)) for out in folded]
    strength = data.draw(st.lists(st.integers(0, 3), min_size=players, max_size=players))
    first = data.draw(st.integers(0, players - 1))
    shares = np.zeros(players)
    chips, own = np.array(spent, float), np.array(strength)
    share_pots(players, first, chips, 0, np.array(folded, int), own, own, False, shares)
    assert shares.tolist() == shared_chip_by_chip(first, spent, folded, strength)
    assert shares.sum() == sum(spent)


@given(st.data())
def test_a_pot_is_paid_in_halves_where_a_hand_has_part_in_the_second(data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 6))
    folded = data.draw(
        st.lists(st.booleans(), min_size=players, max_size=players).filter(lambda f: f.count(False) > 1)
    )
    spent = [data.draw(st.integers(0 if out else 1, 12)) for out in folded]
    # Of two boards every hand has part in both halves; a hand without a low has part in one.
    strengths = [
        data.draw(st.lists(st.integers(least, 3), min_size=players, max_size=players))
        for least in (0, data.draw(st.sampled_from([0, -1])))
    ]
    first, dead = data.draw(st.integers(0, players - 1)), data.draw(st.integers(0, 3))
    shares = np.zeros(players)
    chips = np.array(spent, float)
    own, second = (np.array(strength) for strength in strengths)
    share_pots(players, first, chips, dead, np.array(folded, int), own, second, True, shares)
    paid, below = [0] * players, 0
    levels = sorted({spent[k] for k in range(players) if not folded[k]})
    for level in levels:
        top = max(spent) if level == levels[-1] else level
        size = sum(min(put, top) - min(put, below) for put in spent) + (dead if below == 0 else 0)
        able = [k for k in range(players) if not folded[k] and spent[k] >= level]
        has_low = any(strengths[1][k] >= 0 for k in able)
        halves = (size - size // 2, size // 2) if has_low else (size,)
        for part, strength in zip(halves, strengths, strict=False):
            best = max(strength[k] for k in able)
            winners = sorted((k for k in able if strength[k] == best), key=lambda k: (k - first) % players)
            for place, winner in enumerate(winners):
                paid[winner] += part // len(winners) + (place < part % len(winners))
        below = level
    assert shares.tolist() == paid


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


def test_turns_tell_players_of_one_name_apart() -> None:
    text = log_of("holdem-2017")
    back, plain = replay_text(text.replace("Bob", "Ann")), replay_text(text)
    assert (back.findings, back.odd_lines) == ([], 0)
    assert [hand.actions for hand in back.hands] == [hand.actions for hand in plain.hands]


def test_a_hand_of_the_base_engine_that_is_cut_off_hides_no_log_of_whole_pots() -> None:
    cut_off = "6.9630 MIT Pokerbots - Cy vs Dee\n\nRound #1, Cy (0), Dee (0)\nCy posts the blind of 1\n"
    for text in (cut_off + log_of("pineapple-2013"), log_of("pineapple-2013") + cut_off):
        found = cut_for(text.encode())
        assert found is not None
        assert [m.engine for m in found[1] if m.names == (b"Ann", b"Bob")] == ["mit-jar"]


@pytest.mark.parametrize("lost", ["Seat 1 (Button): ", "Seat 2 (SB): ", "Seat 3 (BB): ", "Seat "])
def test_players_of_a_hand_without_some_lines_of_seats_have_rows(lost: str, tmp_path: Path) -> None:
    """Such a hand was said to have no players, and those of the hands after it were read beside the table."""
    before, third, after = re.split(r"(Hand #3\n[^#]*)", walks(False))
    lines = [line for line in third.splitlines(keepends=True) if not line.startswith(lost)]
    stored = []
    for name, text in (("whole", walks(False)), ("edited", before + "".join(lines) + after)):
        (tmp_path / name).write_text(text)
        with no_failure():
            ingest([tmp_path / name], tmp_path / f"{name}-store", workers=1)
        hands, seats = (rows(tmp_path / f"{name}-store", table) for table in ("hands", "seats"))
        assert [hand["n_players"] for hand in hands] == [3] * 6
        verdicts = [hand["verdict"] for hand in hands]
        # The bankrolls after the hand are not known either.
        assert verdicts[:2] + verdicts[4:] == ["ok"] * 4
        assert verdicts[2] == ("damaged" if name == "edited" else "ok")
        stored.append([(seat["hand_index"], seat["player"], seat["delta"], seat["hole"]) for seat in seats])
    whole, edited = stored
    assert [row[:2] for row in edited] == [row[:2] for row in whole]
    assert [row for row in edited if row[0] != 2] == [row for row in whole if row[0] != 2]


def test_a_line_of_cards_that_is_lost_has_no_line_of_the_match_before(tmp_path: Path) -> None:
    """Its place in `card_lines` is the hand's own line, whatever was read before."""
    whole = log_of("pineapple-2013")
    first, *others = re.split(r"(?=^Hand #)", whole, flags=re.MULTILINE)
    dealt = re.findall(r"^Dealt to .*\n", others[0], re.MULTILINE)
    assert len(dealt) == 2
    text = "".join([first, others[0].replace(dealt[1], "\n"), *others[1:]])
    found = []
    for name, above in (("alone", ""), ("below", "\n" * 90)):
        folder = tmp_path / name
        folder.mkdir()
        if above:
            (folder / "a.txt").write_text(above.join([first, "".join(others[5:])]))
        (folder / "b.txt").write_text(text)
        ingest([folder], tmp_path / f"{name}.store", workers=1)
        kept = rows(tmp_path / f"{name}.store", "hands")
        found += [hand["card_lines"] for hand in kept if hand["hand_no"] == 1]
    assert len(found) == 2
    assert found[0] == found[1]
    assert sorted(found[0])[0] == 0
