"""Played forward, written, read and replayed: equal, and nothing found but what the engine is known for."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.replayed import ReplayedMatch, replay_text

from oracles import cmu_tables, four_cards
from oracles.engine_2025 import engine_payout, ev_lines, strengths_of
from oracles.holdem import bounty_payout, normal_payout
from oracles.kuhn import kuhn_hands
from oracles.mit_reader import parse_match
from oracles.relatives import read_rounds
from oracles.retelling import Anaconda, Auction, Retelling, SneakPeek, Toss
from railbird.parsers.dialects import dialects
from railbird.replay.bots import GARBAGE, STYLES
from railbird.replay.games import Game
from railbird.replay.records import BID, FOLD
from railbird.replay.replaying import game_named, heads_up
from railbird.replay.simulate import LATEST, WRITTEN, Played, PlayedHand, play, profile_named, simulate
from railbird.variants.registry import VARIANTS

# The others have tests of their own.
GAMES = sorted(
    variant.game.name
    for variant in VARIANTS
    if variant.game.family is heads_up and variant.game.forward is not None
)
"""Two-player games that can be simulated."""
NAMES = st.sampled_from(
    ["A", "B", "A B", "A checks", "A vs B", "[Ah Kd]", "Dr. K, Jr. (0)", "A awarded 5", "Ü", "B (2), A (3)"]
)
# What a log of a game says that a plain one does not, in those that need not say it.
SIGNS = {"river-of-blood": ("\nRun [", "\nFlop\n"), "swap": ("'s hand: [",)}
PLAYERS = st.lists(st.tuples(NAMES, st.sampled_from(sorted(STYLES))), min_size=2, max_size=2)


def profiles(game: str) -> list[str]:
    return [*(profile.name for profile in game_named(game).profiles), WRITTEN]


CASES = st.sampled_from(GAMES).flatmap(
    lambda game: st.tuples(
        st.just(game),
        PLAYERS,
        st.integers(1, 60),
        st.integers(0, 2**32),
        st.sampled_from(profiles(game)),
    )
)


def deviations_allowed(game: Game, profile: str) -> set[str]:
    return set(profile_named(game, profile).deviations)


# The games of which an oracle tells every line again.
RELATIVES = ("build4good", "hpi", "husky", "permutation", "river-of-blood", "swap", "tacs")
RETOLD: dict[str, type[Retelling]] = {
    "anaconda": Anaconda,
    "auction": Auction,
    "sneak-peek": SneakPeek,
    "toss": Toss,
}


def says_result(game: Game) -> bool:
    """True for a game whose logs have a line of the last bankrolls; tables end with their last action."""
    grammar = next(dialect.grammar for dialect in dialects() if dialect.game == game.name)
    return any(template.event in ("final", "bankroll") for template in grammar.templates)


def held(holes: list[tuple[int, ...]], finals: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return [final or hole for hole, final in zip(holes, finals or [(), ()], strict=True)]


def known_finals(played: Played, truth: PlayedHand) -> list[tuple[int, ...]]:
    """Hole cards at the end, as far as a line tells them: an early Auction engine only shows what it dealt."""
    acts = {action for _, _, action, _, _ in truth.actions}
    untold = {FOLD, BID} <= acts and " won the auction " not in played.text
    return truth.holes if untold else truth.finals


def assert_same(played: Played, back: ReplayedMatch, profile: str) -> None:
    game = game_named(back.game)
    # `Played.unpaid` has the lines of a last hand whose result the log does not give.
    assert back.odd_lines == played.unpaid
    assert back.names == played.names
    assert len(back.hands) == len(played.hands)
    twins = back.names[0] == back.names[1]
    for truth, hand in zip(played.hands, back.hands, strict=True):
        assert (hand.number, hand.dealer) == (truth.number, truth.dealer)
        assert hand.holes == truth.holes
        # A street whose line is the bare word tells no cards, until one of the run prints the whole board.
        bare = "bare" in profile_named(game, profile).prints
        assert hand.board == truth.board or (bare and hand.board == [])
        assert held(hand.holes, hand.finals) == held(truth.holes, known_finals(played, truth))
        # Of two players of one name no line says whose acknowledgement failed, nor for whom the engine acts.
        told = slice(None) if not twins else slice(3)
        assert [action[told] for action in hand.actions] == [action[told] for action in truth.actions]
        assert [action[4] for action in hand.actions] == [action.raise_to for action in truth.actions]
        assert (hand.before, hand.put, hand.deltas) == (truth.before, truth.put, truth.deltas)
        # No engine keeps to the rules, so none explains what is written.
        if hand.verdict != "unverified":
            assert (hand.written if profile == WRITTEN else hand.engine) == truth.deltas
        if truth.ranks:
            assert (hand.ranks, hand.hits) == (truth.ranks, truth.hits)
        if not twins:
            assert hand.faults == truth.faults
    totals = tuple(sum(hand.deltas[seat] for hand in played.hands) for seat in (0, 1))
    assert back.final == (totals if says_result(game) else None)
    allowed = deviations_allowed(game, profile)
    for finding in back.findings:
        if finding.rule == "hidden-runout":
            assert game.hides_runouts
            continue
        if finding.rule == "unknown-board":
            assert "bare" in profile_named(game, profile).prints
            continue
        assert finding.verdict == "engine_deviation", finding
        assert set(finding.deviations) <= allowed, finding


@settings(max_examples=150)
@given(CASES)
def test_what_is_simulated_reads_back_equal_and_unblamed(
    case: tuple[str, list[tuple[str, str]], int, int, str],
) -> None:
    game, players, hands, seed, profile = case
    played = play(game, players, hands, seed, profile)
    back = replay_text(played.text)
    if back.game != game:
        # Without a round in which something of its own is said a log is plain.
        assert back.game == "holdem-mit"
        assert not any(sign in played.text for sign in SIGNS[game])
        return
    assert_same(played, back, profile)


@settings(max_examples=60)
@given(CASES)
def test_the_oracle_reads_and_pays_it_alike(
    case: tuple[str, list[tuple[str, str]], int, int, str],
) -> None:
    game, players, hands, seed, profile = case
    # The oracle reads a line at a time: it needs names that are apart.
    players = [(name, style) for name, (_, style) in zip(("Wren", "Rook"), players, strict=True)]
    played = play(game, players, hands, seed, profile)
    if game in RETOLD:
        again = RETOLD[game](played.text)
        again.written = profile == WRITTEN
        for truth, told in zip(played.hands, again.tell().hands, strict=True):
            assert [truth.deltas[seat] for seat in told.seats] == told.awards
            assert [truth.put[seat] for seat in told.seats] == told.put
        return
    if game == "poker-camp":
        for truth, (awards, put) in zip(played.hands, kuhn_hands(played.text), strict=True):
            assert [truth.deltas[seat] for seat in (truth.dealer, 1 - truth.dealer)] == awards
            assert [truth.put[seat] for seat in (truth.dealer, 1 - truth.dealer)] == put
        return
    if game in ("cmu-2025", "cmu-2026"):
        told_hands = cmu_tables.told(played.text)
        assert len(told_hands) - len(played.hands) == (played.unpaid > 0)
        by_engine = "cmu-2025.hand-order" in profile_named(game_named(game), profile).deviations
        for truth, row in zip(played.hands, told_hands, strict=False):
            assert (truth.before, truth.put) == (row.before, row.put)
            assert truth.deltas == row.awards(not by_engine)
        return
    if game.startswith("cmu-2024"):
        for truth, (awards, put) in zip(
            played.hands, four_cards.told(played.text, profile != WRITTEN), strict=True
        ):
            assert [truth.deltas[seat] for seat in (truth.dealer, 1 - truth.dealer)] == awards
            assert [truth.put[seat] for seat in (truth.dealer, 1 - truth.dealer)] == put
        return
    if game in RELATIVES:
        for truth, seen in zip(played.hands, read_rounds(played.text), strict=True):
            awards = [truth.deltas[seat] for seat in (truth.dealer, 1 - truth.dealer)]
            assert seen.awards == awards
            # Of two flushes the engine may see one; the bare word hides the board.
            exact = game not in ("river-of-blood", "hpi") or profile == WRITTEN or len(seen.board) < 8
            if game == "tacs" and seen.is_shown_down:
                # An all-in ends what is printed of the board; the winner is paid what the loser put in all the same.
                exact = len(seen.board) == 5
                assert exact or (max(seen.put) == min(seen.put) and abs(awards[0]) in (0, seen.put[0]))
            if exact and (not seen.is_shown_down or seen.board):
                due = seen.payout()
                if game == "build4good" and profile != WRITTEN and due == [0, 0] and seen.is_shown_down:
                    due = [seen.put[0], -seen.put[0]]
                assert due == awards
        return
    match = parse_match(played.text)
    assert not match["unknown"]
    deviations = profile_named(game_named(game), profile).deviations
    for truth, hand in zip(played.hands, match["hands"], strict=True):
        assert not hand["unknown"]
        strengths = strengths_of(hand)
        awards = [truth.deltas[seat] for seat in hand["seats"]]
        assert hand["awards"] == awards
        hits = [truth.hits[seat] for seat in hand["seats"]] if truth.hits else [False, False]
        if game == "holdem-mit":
            assert awards == normal_payout(hand["contributions"], hand["folded_by"], strengths)
        elif profile == WRITTEN:
            assert awards == bounty_payout(hand["contributions"], hand["folded_by"], strengths, hits, 0)
        else:
            assert awards == engine_payout(hand, "bounty.split-paid-to-dealer" in deviations)
    if "ev" in profile_named(game_named(game), profile).prints:
        assert match["evs"] == ev_lines(match)


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_fixes_the_text(game: str) -> None:
    players = [("A", "random"), ("B", "faulty")]
    one, same, other = (simulate(game, players, 30, seed) for seed in (5, 5, 6))
    assert one == same
    assert one != other


@pytest.mark.parametrize("game", GAMES)
def test_cards_and_bounties_do_not_depend_on_who_plays(game: str) -> None:
    one = play(game, [("A", "random"), ("B", "maniac")], 60, 3)
    two = play(game, [("C", "tight-passive"), ("D", "all-in")], 60, 3)
    assert [hand.holes for hand in one.hands] == [hand.holes for hand in two.hands]
    assert [hand.ranks for hand in one.hands] == [hand.ranks for hand in two.hands]
    for first, second in zip(one.hands, two.hands, strict=True):
        # A card that a player gives to the board is his choice.
        boards = [
            [card for card in hand.board if card not in (*hand.holes[0], *hand.holes[1])]
            for hand in (first, second)
        ]
        size = min(map(len, boards))
        assert boards[0][:size] == boards[1][:size]


def test_the_latest_profile_is_the_default() -> None:
    players = [("A", "random"), ("B", "maniac")]
    latest = game_named("bounty").profiles[-1].name
    assert simulate("bounty", players, 20, 1) == simulate("bounty", players, 20, 1, latest)
    assert simulate("bounty", players, 20, 1) == simulate("bounty", players, 20, 1, LATEST)


def test_the_text_has_the_frame_of_an_engine_log() -> None:
    lines = simulate("bounty", [("A", "random"), ("B", "maniac")], 26, 1).split("\n")
    assert lines[0] == "6.9630 MIT Pokerbots - A vs B"
    assert lines[1:3] == ["", "Round #1, A (0), B (0)"]
    assert lines[-8] == ""
    assert re.fullmatch(r"Final, A \(-?\d+\), B \(-?\d+\)", lines[-7])
    assert re.fullmatch(r"B turn bets EV: -?\d+", lines[-1])
    assert sum(line.startswith("Bounties reset") for line in lines) == 2


def test_an_odd_number_of_hands_ends_in_the_order_of_the_hand_that_would_follow() -> None:
    lines = simulate("holdem-mit", [("A", "random"), ("B", "maniac")], 3, 1).split("\n")
    assert re.fullmatch(r"Final, B \(-?\d+\), A \(-?\d+\)", lines[-1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("whist", [("A", "random"), ("B", "random")], 1, 0), "no game called 'whist' can be simulated"),
        (("bounty", [("A", "random"), ("B", "timid")], 1, 0), "no style of play is called 'timid'"),
        (("bounty", [("A", "random"), ("", "random")], 1, 0), "not a player's name: ''"),
        (("bounty", [("A", "random"), ("B\nC", "random")], 1, 0), "not a player's name: 'B\\nC'"),
        (("bounty", [("A", "random")], 1, 0), "bounty is a game of 2 players, not 1"),
        (("bounty", [("A", "random"), ("B", "random")], 0, 0), "a match has at least one hand, not 0"),
        (
            ("bounty", [("A", "random"), ("B", "random")], 1, 0, "1999"),
            "bounty has no engine profile '1999'; there are latest, written, 2025-01-05",
        ),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        simulate(*arguments)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


# The shape of the engine's own logs

KINDS = {
    "misformatted": r".* response misformatted: .*",
    "header": r".* Pokerbots - .* vs .*",
    "blank": "",
    "round": r"Round #\d+, .* \(-?\d+\), .* \(-?\d+\)",
    "bounties": r"Bounties reset to . for player .* and . for player .*",
    "illegal": r".* attempted illegal (?:Fold|Call|Check|Raise)Action",
    "late": r".* ran out of time",
    "gone": r".* disconnected",
    "small blind": r".* posts the blind of 1",
    "big blind": r".* posts the blind of 2",
    "dealt": r".* dealt \[.. ..\]",
    "fold": r".* folds",
    "call": r".* calls",
    "check": r".* checks",
    "bet": r".* bets \d+",
    "raise": r".* raises to \d+",
    "flop": r"Flop \[..( ..){2}\], .* \(\d+\), .* \(\d+\)",
    "turn": r"Turn \[..( ..){3}\], .* \(\d+\), .* \(\d+\)",
    "river": r"River \[..( ..){4}\], .* \(\d+\), .* \(\d+\)",
    "stacks": r"Current stacks: \d+, \d+",
    "show": r".* shows \[.. ..\]",
    "award": r".* awarded -?\d+",
    "hit": r".* hits their bounty",
    "counts": r"Winning counts at the end of the round: , .* \(-?\d+\), .* \(-?\d+\)",
    "final": r"Final, .* \(-?\d+\), .* \(-?\d+\)",
    "preflop EV": r".* preflop bets EV: -?\d+",
    "flop EV": r".* flop bets EV: -?\d+",
    "turn EV": r".* turn bets EV: -?\d+",
}
FAULTS = {"misformatted", "illegal", "late", "gone"}


def kinds(text: str) -> Iterator[str]:
    """The kind of each line, and the end of the text."""
    for line in text.split("\n"):
        yield next(kind for kind, pattern in KINDS.items() if re.fullmatch(pattern, line, re.DOTALL))
    yield "end"


def steps(text: str) -> set[tuple[str, str]]:
    """Which kind of line follows which; a fault counts as one kind."""
    return set(pairwise("fault" if kind in FAULTS else kind for kind in kinds(text)))


@pytest.mark.parametrize(("game", "folder"), [("bounty", "bounty-2025"), ("holdem-mit", "holdem-mit")])
def test_lines_follow_one_another_as_in_the_logs_of_the_engine_itself(
    game: str, folder: str, corpus: Path
) -> None:
    # The engine's own logs with faults are few, so what follows a fault is compared apart.
    paths = sorted((corpus / folder / "engine").glob("[ms]*.txt"))
    real = set().union(*(steps(path.read_bytes().decode()) for path in paths))
    profile = LATEST if game == "bounty" else "base"
    ours: set[tuple[str, str]] = set()
    for seed, style in enumerate(sorted(STYLES)):
        ours |= steps(simulate(game, [("A", style), ("B", "random")], 300, seed, profile))
        ours |= steps(simulate(game, [("A", style), ("B", "calling-station")], 300, seed, profile))
    without_faults = {step for step in ours if "fault" not in step}
    assert without_faults <= real
    assert {step for step in real if "fault" not in step} - ours <= {("fold", "fold")}
    followed = {before for before, after in ours if after == "fault"}
    assert followed <= {before for before, after in real if after == "fault"} | {
        "dealt",
        "fault",
        "award",
        "hit",
    }


def test_some_garbage_imitates_lines_and_none_holds_a_line_end() -> None:
    assert not any("\n" in text or text != text.strip() for text in GARBAGE)
    imitations = [text for text in GARBAGE if any(re.fullmatch(p, text) for p in KINDS.values() if p)]
    assert len(imitations) >= 4
