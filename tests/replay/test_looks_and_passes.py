"""An auction for a look at a card, cards that players pass to each other, bad answers that are a fold by the rules."""

from pathlib import Path

import pytest
from support.replayed import replay_text
from support.short_logs import ANACONDA, SNEAK_PEEK

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.games import FaultPolicy, Game, Profile
from railbird.replay.replaying import game_named
from railbird.replay.simulate import simulate

BOTH = {"sneak-peek": SNEAK_PEEK, "anaconda": ANACONDA}


def rules_of(text: str) -> list[str]:
    return [finding.rule for finding in replay_text(text).findings if finding.verdict == "violation"]


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, text.count(old)
    return text.replace(old, new)


@pytest.mark.parametrize("game", BOTH)
def test_a_log_as_the_rules_have_it_has_no_finding(game: str) -> None:
    match = replay_text(BOTH[game])
    assert (match.game, match.findings) == (game, [])
    assert [hand.verdict for hand in match.hands] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("revealed [4d]", "revealed [2c]", "look"),
        ("revealed [4d]", "revealed [9s]", "look"),
        ("revealed [4d]", "revealed [4d 5d]", "deal"),
        ("A won the auction and was revealed [4d]\n", "", "look-missing"),
        ("A won the auction", "B won the auction", "card-won"),
        ("Flop [Ah Kh Qh], A (27)", "Flop [Ah Kh Qh], A (120)", "contribution"),
        ("A bids 100", "A bids 5000", "bid"),
        ("A awarded -4\nB awarded 4", "A awarded -3\nB awarded 3", "award"),
    ],
)
def test_what_is_wrong_with_an_auction_for_a_look(old: str, new: str, rule: str) -> None:
    assert rule in rules_of(changed(SNEAK_PEEK, old, new))


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("A passes [4s 3d 2c]", "A passes [4s 3d 5c]", "not-held"),
        ("A passes [7h 5c]", "A passes [7h 4s]", "not-held"),
        ("A passes [7h 5c]", "A passes [7h Qh]", "not-held"),
        # Both hands are passed from at once.
        ("B passes [8s 6d 5c]", "B passes [8s 6d 2c]", "not-held"),
        ("A passes [4s 3d 2c]", "A passes [3d 4s 2c]", "pass-order"),
        ("A passes [4s 3d 2c]", "A passes [7h 4s 3d 2c]", "pass-count"),
        ("A passes [2c]\n", "", "pass-missing"),
        ("Betting#2, A (60)", "Betting#2, A (80)", "contribution"),
        ("DoublePass, A (60)", "DoublePass, A (80)", "contribution"),
        ("B shows [Qh Qd Jc Jh 7h 5c 2c] -> Two Pair", "B shows [Qh Qd Jc Jh 7h 5c 2c] -> Pair", "hand-kind"),
        ("B shows [Qh Qd Jc Jh 7h 5c 2c]", "B shows [Qh Qd Jc Jh 7h 5c 4s]", "show"),
        ("B shows [Qh Qd Jc Jh 7h 5c 2c]", "B shows [Qh Qd Jc Jh 7h 5c 9s]", "show"),
        ("B shows [Qh Qd Jc Jh 7h 5c 2c]", "B shows [Qd Qh Jc Jh 7h 5c 2c]", "show"),
        ("B shows [Qh Qd Jc Jh 7h 5c 2c]", "B shows [Qh Qd Jc Jh 7h 5c]", "deal"),
        ("A awarded -100\nB awarded 100", "A awarded 100\nB awarded -100", "award"),
        ("B passes [Qh Qd Jc]", "A passes [Qh Qd Jc]", "turn"),
    ],
)
def test_what_is_wrong_with_a_pass(old: str, new: str, rule: str) -> None:
    assert rule in rules_of(changed(ANACONDA, old, new))


def test_received_cards_are_in_any_order_where_several_came_at_once() -> None:
    # A has been passed 8s 6d 5c at once, of which it passes 5c on.
    text = changed(ANACONDA, "A shows [As Ad Kc 8s 6d 3d 4s]", "A shows [As Ad Kc 6d 8s 3d 4s]")
    assert replay_text(text).findings == []


REPEATED = changed(ANACONDA, "A passes [4s 3d 2c]", "A passes [4s 3d]")
"""The engine draws the third card from A's hand and does not print it; it may be 2c, as it is."""


def test_a_pass_that_names_too_few_cards_leaves_hands_unknown_until_they_are_shown() -> None:
    match = replay_text(REPEATED)
    assert match.findings == []
    assert [sorted(hand) for hand in match.hands[0].finals] == [
        sorted(hand) for hand in replay_text(ANACONDA).hands[0].finals
    ]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("B shows [Qh Qd Jc Jh 7h 5c 2c]", "B shows [Qh Qd Jc Jh 7h 5c 9s]", "show"),
        ("A passes [7h 5c]", "A passes [7h Qh]", "not-held"),
        ("A passes [7h 5c]", "A passes [7h 9s]", "not-held"),
    ],
)
def test_unknown_hands_are_of_the_cards_that_were_dealt(old: str, new: str, rule: str) -> None:
    assert rule in rules_of(changed(REPEATED, old, new))


def test_unknown_hands_that_are_not_shown_are_unverified() -> None:
    lines = [line for line in REPEATED.split("\n") if " shows [" not in line]
    match = replay_text("\n".join(lines))
    assert [(finding.rule, finding.verdict) for finding in match.findings] == [
        ("show-missing", "violation"),
        ("unknown-hands", "unverified"),
    ]


@pytest.mark.parametrize("again", ["A checks", "A raises to 80\nB calls"])
def test_a_third_turn_after_a_limp_is_a_deviation(again: str) -> None:
    text = changed(ANACONDA, "A raises to 60\nB calls\n", f"A calls\nB checks\n{again}\n")
    if again == "A checks":
        text = text.replace("A (60), B (60)", "A (20), B (20)").replace("A (100), B (100)", "A (60), B (60)")
        text = text.replace("awarded -100\nB awarded 100", "awarded -60\nB awarded 60")
        text = text.replace("B (100), A (-100)", "B (60), A (-60)").replace(
            "A (-90), B (90)", "A (-50), B (50)"
        )
    else:
        text = text.replace("A (60), B (60)", "A (80), B (80)").replace(
            "A (100), B (100)", "A (120), B (120)"
        )
        text = text.replace("awarded -100\nB awarded 100", "awarded -120\nB awarded 120")
        text = text.replace("B (100), A (-100)", "B (120), A (-120)").replace(
            "A (-90), B (90)", "A (-110), B (110)"
        )
    (finding,) = replay_text(text).findings
    assert (finding.rule, finding.verdict) == ("third-turn", "engine_deviation")
    assert list(finding.deviations) == ["anaconda.limp-third-turn"]


def short(text: str) -> str:
    """The same match as a small log prints it."""
    kept = [line for line in text.split("\n") if " posts blind: " not in line]
    for said, instead in (
        (" received [", ": ["),
        (" folds", " F"),
        (" calls", " C"),
        (" checks", " K"),
        (" bets ", " R"),
        (" raises to ", " R"),
        (" bids ", " A"),
        (" awarded ", ": "),
    ):
        kept = [line.replace(said, instead) for line in kept]
    return "\n".join(kept)


def test_a_small_log_says_the_same() -> None:
    text = simulate("sneak-peek", [("Ann", "faulty"), ("Bea", "random")], 60, 3)
    assert " posts " not in short(text)
    long, small = replay_text(text), replay_text(short(text))
    assert small.game == "sneak-peek"
    for one, other in zip(long.hands, small.hands, strict=True):
        assert (one.actions, one.deltas, one.written) == (other.actions, other.deltas, other.written)
    assert [f.rule for f in long.findings] == [f.rule for f in small.findings]


def test_a_small_log_passes_by_places() -> None:
    text = short(ANACONDA)
    for said, instead in (
        *(
            ("A passes [4s 3d 2c]", "A Z456"),
            ("B passes [8s 6d 5c]", "B Z456"),
            ("B passes [3d 2c]", "B Z56"),
        ),
        *(("A passes [7h 5c]", "A Z36"), ("B passes [4s]", "B Z4"), ("A passes [2c]", "A Z6")),
        *(("B passes [Qh Qd Jc]", "B Z012"), ("A passes [As Ad Kc]", "A Z012")),
    ):
        text = changed(text, said, instead)
    match = replay_text(text)
    assert match.findings == []
    assert match.hands[0].finals == replay_text(ANACONDA).hands[0].finals
    # Here the order of the received cards is known, too.
    text = changed(text, "A shows [As Ad Kc 8s 6d 3d 4s]", "A shows [As Ad Kc 6d 8s 3d 4s]")
    assert rules_of(text) == ["show", "show"]


BAD_BID = changed(
    SNEAK_PEEK,
    "B bids 7\nA bids 100\nA won the auction and was revealed [4d]\nFlop [Ah Kh Qh], A (27)",
    "B attempted illegal ActionBid with amount 5001\nB bids 0\nA bids 100\n"
    "A won the auction and was revealed [4d]\nFlop [Ah Kh Qh], A (20)",
)
BAD_BID = BAD_BID.replace("A (27), B (20)", "A (20), B (20)").replace(
    "A awarded -4\nB awarded 4", "A awarded 0\nB awarded 0"
)
BAD_BID = BAD_BID.replace("B (4), A (-4)", "B (0), A (0)").replace("A (36), B (-36)", "A (40), B (-40)")


def test_a_bad_answer_ends_the_hand_by_the_rules_where_it_was_given() -> None:
    match = replay_text(BAD_BID)
    assert [(f.rule, list(f.deviations)) for f in match.findings] == [
        ("not-folded", ["sneak-peek.bad-bid-is-zero"]),
        ("award", ["sneak-peek.bad-bid-is-zero"]),
    ]
    assert (match.hands[0].deltas, match.hands[0].written) == ([0, 0], [20, -20])


def test_a_fold_in_its_place_is_right() -> None:
    head, _, rest = BAD_BID.partition("B bids 0\n")
    body = rest[rest.index("A awarded 0") :].replace(
        "A awarded 0\nB awarded 0", "A awarded 20\nB awarded -20"
    )
    body = body.replace("B (0), A (0)", "B (-20), A (20)").replace("A (40), B (-40)", "A (60), B (-60)")
    match = replay_text(f"{head}B folds\n{body}")
    assert [hand.verdict for hand in match.hands] == ["ok", "ok"]


def test_hands_are_shown_after_a_fraction_is_bid() -> None:
    head, _, rest = BAD_BID.partition("B attempted illegal ActionBid with amount 5001\nB bids 0\n")
    body = rest[rest.index("A shows") :].replace("A awarded 0\nB awarded 0", "A awarded 20\nB awarded -20")
    body = body.replace("B (0), A (0)", "B (-20), A (20)").replace("A (40), B (-40)", "A (60), B (-60)")
    text = f"{head}B attempted illegal bid with decimal\nB folds\n{body}"
    (finding,) = replay_text(text).findings
    assert (finding.rule, list(finding.deviations)) == ("fold-shown", ["sneak-peek.fold-shown"])
    # A bid that stands in for a fraction, or a fold that stands in for nothing, is wrong.
    assert "substitute" in rules_of(BAD_BID.replace("ActionBid with amount 5001", "bid with decimal"))
    assert rules_of(text.replace("B attempted illegal bid with decimal\n", "")) == []
    assert (
        replay_text(text.replace("B attempted illegal bid with decimal\n", "")).hands[0].verdict == "damaged"
    )


@pytest.mark.parametrize(
    ("fault", "fits"),
    [
        ("attempted illegal ActionFold", True),
        ("attempted illegal ActionCheck", False),
        ("attempted illegal ActionRaise with amount 39", True),
        ("attempted illegal ActionRaise with amount 40", False),
        ("attempted illegal ActionRaise(40.5) with decimal", True),
        ("attempted illegal ActionBid with amount 5", True),
        ("attempted illegal bid with decimal", False),
    ],
)
def test_only_an_illegal_answer_is_refused(fault: str, fits: bool) -> None:
    text = changed(SNEAK_PEEK, "A calls\nB checks", f"A calls\nB {fault}\nB checks")
    assert ("fault" in rules_of(text)) is not fits


@pytest.mark.parametrize(
    ("fault", "fits"),
    [
        ("illegal pass: expected 3 indices, got 2", True),
        ("illegal pass: expected 3 indices, got 3", False),
        ("illegal pass: expected 2 indices, got 3", False),
        ("illegal pass: indices out of range [7, 8, 9]", True),
        ("attempted illegal <class '__main__.ActionFold'>", True),
        ("illegal raise amount 5", False),
    ],
)
def test_only_a_bad_pass_is_refused(fault: str, fits: bool) -> None:
    text = changed(ANACONDA, "B passes [Qh Qd Jc]", f"B {fault}\nB passes [Qh Qd Jc]")
    assert ("fault" in rules_of(text)) is not fits
    # The first cards of the hand stand in.
    text = changed(ANACONDA, "A passes [4s 3d 2c]", f"A {fault}\nA passes [4s 3d 2c]")
    assert "substitute" in rules_of(text)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"faults": FaultPolicy(bid="x")}, "names deviations that are not its own"),
        ({"passes": (1,)}, "passes cards on 1 streets of 4"),
        ({"passes": (5, 0, 0, 0)}, "5 cards passed at once"),
    ],
)
def test_a_game_that_is_none_is_refused(changes: dict[str, object], said: str) -> None:
    rules = {"name": "x", "stack": 1, "blinds": (1, 2), "streets": ("preflop",), "source": ""}
    with pytest.raises(ValueError, match=said):
        Game(**(rules | {"profiles": (Profile("x"),)} | changes))  # type: ignore[arg-type]


def test_the_rules_of_the_two_games_are_data() -> None:
    assert game_named("anaconda").passes == (3, 2, 1)
    assert game_named("sneak-peek").looks


def test_a_player_who_passes_cards_has_nothing_to_call(tmp_path: Path) -> None:
    (tmp_path / "match.txt").write_text(ANACONDA)
    ingest([tmp_path / "match.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        query = "select distinct to_call, pot_before from actions where action = 'pass' and street = 0"
        assert store.execute(query).fetchall() == [(0, 30)]
        query = "select distinct stack_before from actions where action = 'pass' and street = 0 order by all"
        assert store.execute(query).fetchall() == [(4980,), (4990,)]
