"""Engines run with other blinds or another stack: judged by the match's own stakes, and one finding says so."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.replayed import ReplayedMatch, replay_text
from typer.testing import CliRunner

from railbird.analytics.store import open_store
from railbird.cli import app
from railbird.ingest import ingest
from railbird.parsers.dialects import dialects
from railbird.replay import stakes
from railbird.replay.bots import STYLES
from railbird.replay.replaying import game_named, heads_up
from railbird.replay.simulate import Forward, Order, Played, Player, simulate
from railbird.replay.stakes import TOLD_BY_HANDS, Stakes
from railbird.storage.ledger import NO_STAKES
from railbird.variants.registry import VARIANTS

GAMES = sorted(
    variant.game.name
    for variant in VARIANTS
    if variant.game.family is heads_up and variant.game.forward is not None
)
"""Two-player games that can be simulated: CMU of 2025 and 2026 cannot."""
PRINT_STACKS = ("bounty", "toss")

BOARD = ["2c", "7d", "8h", "Jc", "3s"]
FOLD = ("{0} folds",)
OPEN = ("{0} raises to 20", "{1} folds")


def street(name: str, cards: int, dealer: int, other: int) -> str:
    return f"{name} [{' '.join(BOARD[:cards])}], {{0}} ({dealer}), {{1}} ({other})"


CHECKS = ("{1} checks", "{0} checks")
LIMP = ("{0} calls", "{1} checks", street("Flop", 3, 10, 10), "{1} bets 10", "{0} folds")
# What the dealer wins, his lines, what both put in: by blinds of 5 and 10.
FOLDED = (-5, FOLD, (5, 10))
OPENED = (10, OPEN, (20, 10))
LIMPED = (-10, LIMP, (10, 20))


SHOWS = ("{0} shows [Ah Kd]", "{1} shows [Qs 9s]")


def shoved(stack: int) -> tuple[int, Sequence[str], tuple[int, int]]:
    """All-in before the flop: ace high wins."""
    streets = (("Flop", 3), ("Turn", 4), ("River", 5))
    later = [line for name, cards in streets for line in (street(name, cards, stack, stack), *CHECKS)]
    return stack, (f"{{0}} raises to {stack}", "{1} calls", *later, *SHOWS), (stack, stack)


Told = tuple[int, Sequence[str], tuple[int, int]]


def log(
    hands: Sequence[Told], blinds: tuple[int, int] = (5, 10), first: str = "", last: Sequence[str] = ()
) -> str:
    """A match of X and Y, X dealing first; `first` above the first blinds, `last` by hand below the awards."""
    rounds, bank = ["6.9630 MIT Pokerbots - X vs Y"], 0
    for number, (won, body, _) in enumerate(hands, 1):
        sign = 1 if number % 2 else -1
        names = ("X", "Y") if sign == 1 else ("Y", "X")
        lines = [
            f"Round #{number}, {{0}} ({sign * bank}), {{1}} ({-sign * bank})",
            *([first] if first and number == 1 else []),
            f"{{0}} posts the blind of {blinds[0]}",
            f"{{1}} posts the blind of {blinds[1]}",
            "{0} dealt [Ah Kd]",
            "{1} dealt [Qs 9s]",
            *body,
            f"{{0}} awarded {won}",
            f"{{1}} awarded {-won}",
            *last[number - 1 : number],
        ]
        rounds.append("\n".join(lines).format(*names))
        bank += sign * won
    return "\n\n".join(rounds) + "\n"


def assert_books(match: ReplayedMatch, hands: Sequence[Told]) -> None:
    """Every hand is as told and right; the first alone says that the stakes are not those of the rules."""
    assert match.odd_lines == 0
    for k, ((won, _, (dealer, other)), hand) in enumerate(zip(hands, match.hands, strict=True)):
        order = slice(None) if k % 2 == 0 else slice(None, None, -1)
        assert hand.put == [dealer, other][order]
        assert hand.deltas == hand.written == [won, -won][order]
        assert hand.verdict == ("ok" if k else "engine_deviation")
    assert [(f.hand, f.rule, f.deviations) for f in match.findings] == [
        (0, "stakes", (f"{match.game}.stakes",))
    ]


def test_blinds_are_those_that_all_hands_post() -> None:
    hands = [FOLDED, OPENED, LIMPED, FOLDED, LIMPED, OPENED]
    match = replay_text(log(hands))
    assert_books(match, hands)
    assert (match.blinds, match.stack) == ((5, 10), 400)


def test_the_stack_is_the_most_that_players_put_in_where_no_engine_had_as_much() -> None:
    hands = [shoved(1000), FOLDED, shoved(1000), LIMPED, shoved(1000), shoved(1000), shoved(1000)]
    match = replay_text(log(hands))
    assert_books(match, hands)
    assert (match.blinds, match.stack) == ((5, 10), 1000)


def test_a_smaller_stack_shows_in_all_ins_below_the_minimum_raise() -> None:
    """With 30 in front of each a raise to 30 over 22 is all-in; with 400 it would have to be one to 34."""
    short = (-22, ("{0} raises to 22", "{1} raises to 30", "{0} folds"), (22, 30))
    hands = [FOLDED, short, short, short, short, short]
    match = replay_text(log(hands))
    assert_books(match, hands)
    assert match.stack == 30
    # Four hands are not enough.
    match = replay_text(log(hands[:-1]))
    assert [f.rule for f in match.findings] == ["stakes", "too-small", "too-small", "too-small", "too-small"]
    assert match.stack == 400


def pushed(before: int, to: int) -> Told:
    """The dealer raises to `before` before the flop; the other player bets what makes it `to` on the flop."""
    flop = street("Flop", 3, before, before)
    body = (f"{{0}} raises to {before}", "{1} calls", flop, f"{{1}} bets {to - before}", "{0} folds")
    return -before, body, (before, to)


def test_a_smaller_stack_shows_in_bets_of_many_sizes_that_come_to_the_same() -> None:
    """150 by a raise before the flop, by bets of 120 and 100 on it; nobody puts in more."""
    hands = [FOLDED, shoved(150), pushed(30, 150), pushed(50, 150), shoved(150), pushed(30, 150)]
    match = replay_text(log(hands))
    assert_books(match, hands)
    assert match.stack == 150
    # Bets of two sizes may be a habit, so may those of a player who goes no further where another does.
    habits = [FOLDED, *[pushed(30, 150), shoved(150)] * 3]
    for some in (habits, [*hands, *hands, pushed(30, 160)], hands[:-1]):
        assert replay_text(log(some)).stack == 400


def test_printed_stacks_tell_the_stack() -> None:
    """Bounty: nobody hits."""
    printed = "Current stacks: 90, 90"
    limped = (-10, (*LIMP[:3], printed, *LIMP[3:]), (10, 20))
    hands = [OPENED, limped, limped, limped, FOLDED, limped, limped]
    first = "Bounties reset to 5 for player {0} and 6 for player {1}"
    match = replay_text(log(hands, first=first))
    assert match.game == "bounty"
    assert_books(match, hands)
    assert (match.blinds, match.stack) == ((5, 10), 100)
    # By the rules' blinds as well.
    low = (
        -2,
        (
            "{0} calls",
            "{1} checks",
            street("Flop", 3, 2, 2),
            printed[:-6] + "98, 98",
            "{1} bets 2",
            "{0} folds",
        ),
    )
    hands = [(*low, (2, 4))] * 6
    match = replay_text(
        log(hands, (1, 2), first).replace("stacks: 98", "stacks: 148").replace(", 98", ", 148")
    )
    assert_books(match, hands)
    assert (match.blinds, match.stack) == ((1, 2), 150)


def test_the_price_of_a_card_is_paid_on_top_of_the_blinds() -> None:
    """Auction: the higher bid of 30 pays the lower one of 20."""
    bids = ("{1} bids 30", "{0} bids 20", "{1} won the auction and was dealt [4c]")
    body = (*LIMP[:3], *bids, street("Flop", 3, 10, 30), "{1} checks", "{0} bets 15", "{1} folds")
    sold, none = (30, body, (25, 30)), "Players did not reach flop. No auction occured."
    hands = [sold, FOLDED, sold, OPENED, sold, FOLDED]
    match = replay_text(log(hands, last=["Players submitted bids of 20 and 30", none] * 3))
    assert match.game == "auction"
    assert_books(match, hands)
    assert (match.blinds, match.stack) == ((5, 10), 400)


def test_few_hands_that_agree_tell_the_blinds() -> None:
    hands = [FOLDED, OPENED, FOLDED, FOLDED]
    assert len(hands) < stakes.ENOUGH
    match = replay_text(log(hands))
    assert_books(match, hands)
    assert match.blinds == (5, 10)
    match = replay_text(log(hands).replace("posts the blind of 5\n", "posts the blind of 7\n", 1))
    assert "violation" in [hand.verdict for hand in match.hands]


def test_a_fold_alone_tells_no_blinds() -> None:
    match = replay_text(log([FOLDED]))
    assert match.blinds == (1, 2)
    assert {f.rule for f in match.findings} >= {"blind"}
    assert [hand.verdict for hand in match.hands] == ["violation"]


@pytest.mark.parametrize("told", ["rules", "own"])
def test_one_wrong_blind_among_many_is_a_violation_of_its_hand(told: str) -> None:
    if told == "rules":
        text = simulate("holdem-mit", (("A", "calling-station"), ("B", "calling-station")), 30, 1)
    else:
        text = log([FOLDED, LIMPED] * 15)
    lines = text.split("\n")
    at = [k for k, line in enumerate(lines) if " posts the blind of " in line]
    for k in (at[0], at[1], at[31]):
        match = replay_text("\n".join([*lines[:k], lines[k] + "7", *lines[k + 1 :]]))
        assert [f.rule for f in match.findings if f.verdict == "violation"] == ["blind"]
        assert [hand.verdict for hand in match.hands].count("violation") == 1
        assert match.blinds == ((1, 2) if told == "rules" else (5, 10))


def test_blinds_of_every_other_hand_are_not_those_of_the_match() -> None:
    hands = log([FOLDED] * 18).split("\n\n")
    text = "\n\n".join(
        hand.replace("blind of 10", "blind of 14") if k % 2 else hand for k, hand in enumerate(hands)
    )
    match = replay_text(text)
    assert match.blinds == (1, 2)
    assert {hand.verdict for hand in match.hands} == {"violation"}


def test_blinds_that_the_flop_does_not_find_in_the_pot_are_violations() -> None:
    limp = (-2, ("{0} calls", "{1} checks", street("Flop", 3, 2, 2), "{1} bets 2", "{0} folds"), (2, 4))
    match = replay_text(log([limp] * 8, (5, 10)))
    assert match.blinds == (1, 2)
    assert [f.rule for f in match.findings] == ["blind", "blind"] * 8


@pytest.mark.parametrize("left", ["999", "390", "-10"])
def test_one_wrong_line_of_stacks_is_one_violation(left: str) -> None:
    """Also where it makes the stack that the engines have had, and is the first."""
    printed = "Current stacks: 990, 990"
    limped = (-10, (*LIMP[:3], printed, *LIMP[3:]), (10, 20))
    first = "Bounties reset to 5 for player {0} and 6 for player {1}"
    text = log([limped] * 12, first=first)
    for at in (text.rindex(printed), text.index(printed)):
        match = replay_text(f"{text[:at]}Current stacks: {left}, {left}{text[at + len(printed) :]}")
        assert match.stack == 1000
        assert {f.rule for f in match.findings if f.verdict == "violation"} == {"stacks"}
        assert [hand.verdict for hand in match.hands].count("violation") == 1


@pytest.mark.parametrize("at", [0, 1, 7])
def test_one_hand_by_the_rules_stakes_does_not_make_them_the_match_s(at: int) -> None:
    hands = [FOLDED, LIMPED] * 6
    parts = log(hands).split("Round #")
    for old, new in (("blind of 5", "blind of 1"), ("blind of 10", "blind of 2")):
        parts[at + 1] = parts[at + 1].replace(old, new)
    match = replay_text("Round #".join(parts))
    assert match.blinds == (5, 10)
    assert [hand.verdict for hand in match.hands].count("violation") == 1
    assert {(f.hand, f.rule) for f in match.findings if f.verdict == "violation"} == {(at, "blind")}


def test_blinds_that_folds_do_not_lose_are_violations() -> None:
    folded = (-1, FOLD, (1, 2))
    match = replay_text(log([folded] * 8, (5, 10)))
    assert match.blinds == (1, 2)
    assert [f.rule for f in match.findings] == ["blind", "blind"] * 8


@pytest.mark.parametrize("stack", [100, 1000])
@pytest.mark.parametrize("blinds", [(1, 2), (5, 10)])
@pytest.mark.parametrize("wrong", [(101,), (3000,), (3000, 2000)])
def test_one_raise_or_two_above_the_stack_are_violations_of_their_hands(
    stack: int, blinds: tuple[int, int], wrong: tuple[int, ...]
) -> None:
    over = [(10, (f"{{0}} raises to {stack + more}", "{1} folds"), (stack + more, 10)) for more in wrong]
    short = (20, (f"{{0}} raises to {stack - 1}", f"{{1}} raises to {stack}", "{0} folds"), (0, 0))
    hands = [*over, *[shoved(stack), short] * 10]
    text = log(hands, (5, 10))
    if blinds == (1, 2):
        for old, new in (("blind of 5", "blind of 1"), ("blind of 10", "blind of 2")):
            text = text.replace(old, new)
    match = replay_text(text)
    assert match.stack == stack
    assert match.blinds == blinds
    found = {(f.hand, f.rule) for f in match.findings if f.rule.startswith("too")}
    assert found == {(k, "too-large") for k in range(len(wrong))}


def test_raises_to_just_the_rules_stack_are_not_all_ins_of_a_larger_one() -> None:
    to_400 = (10, ("{0} raises to 400", "{1} folds"), (400, 10))
    hands = [*[to_400] * 20, *[shoved(1000)] * 6]
    match = replay_text(log(hands))
    assert_books(match, hands)
    assert match.stack == 1000


def test_blinds_of_its_own_make_a_match_s_larger_stack_easier_to_believe() -> None:
    """One hand beyond the rules' stack is a violation by their blinds, and none by others."""
    hands = [FOLDED, OPENED, shoved(1000), LIMPED, FOLDED, OPENED]
    match = replay_text(log(hands))
    assert_books(match, hands)
    assert match.stack == 1000
    by_rules = [(-1, FOLD, (1, 2)), (2, OPEN, (20, 2)), shoved(1000), *[(-1, FOLD, (1, 2))] * 3]
    match = replay_text(log(by_rules, (1, 2)))
    assert match.stack == 400
    assert "too-large" in {f.rule for f in match.findings}


def test_a_hand_that_is_not_paid_says_nothing() -> None:
    """A log that is read while it grows: the same hands, the same stakes."""
    text = log([FOLDED, LIMPED, FOLDED, OPENED])
    more = log([FOLDED, LIMPED, FOLDED, OPENED, FOLDED])
    for end in ("X dealt [Ah Kd]", "X awarded -5"):
        half = more[: more.rindex(end) + len(end)] + "\n"
        some, again = replay_text(text), replay_text(half)
        assert (again.blinds, again.stack) == (some.blinds, some.stack) == ((5, 10), 400)
        assert again.hands == some.hands
    assert replay_text(more).blinds == (5, 10)


HUGE = [2**20, 2**31 + 1, 10**15 + 7, 2**53 - 1, 2**53]


@pytest.mark.parametrize("stack", HUGE)
def test_stacks_up_to_what_a_number_of_the_store_holds_are_exact(stack: int, tmp_path: Path) -> None:
    """Two all-ins of the first dealer bring the bankrolls to twice as much, and small gains follow."""
    hands = [shoved(stack), FOLDED, shoved(stack), *[FOLDED, shoved(stack), OPENED] * 3]
    assert_books(replay_text(log(hands)), hands)
    (tmp_path / "log.txt").write_text(log(hands))
    ingest([tmp_path / "log.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select starting_stacks from matches").fetchall() == [([stack, stack],)]
        assert store.execute("select distinct abs(delta) from seats where delta > 20").fetchall() == [
            (stack,)
        ]
        assert store.execute("select max(amount_to) from actions").fetchall() == [(stack,)]
        told = store.execute("select expected, logged from findings").fetchall()
    assert told == [("1/2/400", f"5/10/{stack}")]


def test_blinds_of_millions_are_those_that_all_hands_post() -> None:
    small, big = 30_000_001, stakes.BLIND_LIMIT - 1
    match = replay_text(log([(-small, FOLD, (small, big))] * 6, (small, big)))
    assert (match.blinds, {f.rule for f in match.findings}) == ((small, big), {"stakes"})


# Those that the user gives


def test_given_stakes_hold_where_the_hands_are_too_few_to_tell() -> None:
    raised = (-300, ("{0} raises to 300", "{1} raises to 320", "{0} folds"), (300, 320))
    alone = replay_text(log([raised]))
    assert alone.blinds == (1, 2) and {f.rule for f in alone.findings} >= {"blind", "too-small"}
    match = replay_text(log([raised]), Stakes(320, (5, 10)))
    assert_books(match, [raised])
    assert (match.blinds, match.stack) == ((5, 10), 320)


def test_each_of_both_is_given_or_told_by_the_hands() -> None:
    hands = [shoved(1000), FOLDED, shoved(1000), LIMPED, shoved(1000), shoved(1000), shoved(1000)]
    for given_stakes in (Stakes(1000), Stakes(None, (5, 10)), Stakes(1000, (5, 10))):
        match = replay_text(log(hands), given_stakes)
        assert_books(match, hands)
        assert (match.blinds, match.stack) == ((5, 10), 1000)


def test_the_stakes_of_the_rules_when_given_are_no_finding() -> None:
    limp = (-2, ("{0} calls", "{1} checks", street("Flop", 3, 2, 2), "{1} bets 2", "{0} folds"), (2, 4))
    match = replay_text(log([limp] * 6, (1, 2)), Stakes(400, (1, 2)))
    assert match.findings == []


def test_every_hand_that_contradicts_given_blinds_is_a_violation() -> None:
    """However many they are: it is the user's word, not another game, and not blinds that rise."""
    match = replay_text(log([FOLDED, OPENED] * 15), Stakes(None, (10, 20)))
    assert match.blinds == (10, 20)
    assert [hand.verdict for hand in match.hands] == ["violation"] * 30
    text = log([FOLDED] * 12)
    cut = text.index("Round #7,")
    risen = text[:cut] + text[cut:].replace("blind of 10\n", "blind of 20\n")
    assert [hand.verdict for hand in replay_text(risen).hands[6:]] == ["engine_deviation"] + ["ok"] * 5
    match = replay_text(risen, Stakes(None, (5, 10)))
    assert [hand.verdict for hand in match.hands[1:]] == ["ok"] * 5 + ["violation"] * 6


def test_every_hand_that_contradicts_a_given_stack_is_a_violation() -> None:
    match = replay_text(log([shoved(1000)] * 24), Stakes(900))
    assert match.stack == 900
    assert {hand.verdict for hand in match.hands} == {"violation"}
    assert "too-large" in {f.rule for f in match.findings}
    match = replay_text(log([shoved(1000), *[FOLDED] * 5]), Stakes(900))
    assert [hand.verdict for hand in match.hands] == ["violation"] + ["ok"] * 5


def test_another_game_is_named_though_its_stakes_are_given() -> None:
    """Thirty hands paid the wrong way round, with the blinds that are given."""
    won, body, put = shoved(20)
    text = log([(-won, body, put)] * 30)
    for given_stakes in (TOLD_BY_HANDS, Stakes(400, (5, 10))):
        verdicts = [hand.verdict for hand in replay_text(text, given_stakes).hands]
        assert verdicts == ["unverified"] * 30


@pytest.mark.parametrize("stack", [1, 2**53])
@pytest.mark.parametrize("blinds", [(0, 1), (5, 10), (7, stakes.BLIND_LIMIT - 1)])
@pytest.mark.parametrize("game", GAMES)
def test_any_given_stakes_are_those_of_the_match(game: str, blinds: tuple[int, int], stack: int) -> None:
    text = simulate(game, (("A", "random"), ("B", "random")), 12, 5)
    for given_stakes in (Stakes(stack), Stakes(None, blinds)):
        match = replay_text(text, given_stakes)
        assert match.blinds == (given_stakes.blinds or game_named(game).blinds)
        assert given_stakes.stack in (None, match.stack)
        assert len(match.hands) == 12


def test_stakes_are_given_to_ingest(tmp_path: Path) -> None:
    """The options say the same; a log with no such stakes is refused with the reason, and read without them."""
    (tmp_path / "log.txt").write_text(log([FOLDED]))
    (tmp_path / "blotto.txt").write_text(simulate("blotto", (("A", "random"), ("B", "random")), 3, 1))
    ingest([tmp_path / "log.txt"], tmp_path / "python", stack=700, blinds=(5, 10))
    command = ["ingest", str(tmp_path / "log.txt"), str(tmp_path / "blotto.txt")]
    options = ["--stack", "700", "--blinds", "5/10", "--store", str(tmp_path / "command")]
    assert CliRunner().invoke(app, [*command, *options]).exit_code == 0
    query = "select starting_stacks, blinds, unit from matches"
    for made in ("python", "command"):
        with open_store(tmp_path / made) as store:
            assert store.execute(query).fetchall() == [([700, 700], [5, 10], 10)]
            assert store.execute("select distinct verdict from hands").fetchall() == [("engine_deviation",)]
    with open_store(tmp_path / "command") as store:
        reasons = store.execute("select reason from files where status = 'rejected'").fetchall()
    assert reasons == [(NO_STAKES.format("mit-blotto"),)]
    again = ingest([tmp_path / "blotto.txt"], tmp_path / "command")
    assert [account.status for account in again.files] == ["ok"]


# Of every game, played forward


def known_stacks(game: str, blinds: tuple[int, int]) -> set[float]:
    """Those that make no stakes of a match's own, by its blinds."""
    rules = game_named(game)
    return {rules.stack_of(profile) for profile in rules.profiles} if blinds == (1, 2) else set()


def played(game: str, blinds: tuple[int, int], stack: int, styles: Sequence[str], seed: int) -> Played:
    rules = replace(game_named(game), blinds=blinds, stack=stack)
    grammar = next(dialect.grammar for dialect in dialects() if dialect.game == game)
    bots = (STYLES[style](Random(f"{seed}/{seat}")) for seat, style in enumerate(styles))
    players = tuple(Player(name, bot) for name, bot in zip("AB", bots, strict=True))
    forward: Forward | None = rules.forward
    assert forward is not None
    return forward(Order(rules, grammar, players, 60, seed, replace(rules.profiles[-1], stack=stack), ""))


# Where the rules let blinds rise, they fix the stakes.
OWN_STAKES = [game for game in GAMES if game_named(game).may_have_own_stakes]


@settings(deadline=None)
@given(
    st.sampled_from(OWN_STAKES),
    st.sampled_from([(1, 2), (5, 10), (2, 4), (3, 3)]),
    st.sampled_from([100, 400, 1000, 2000, 2**20, 2**31 + 1, 2**53]),
    st.lists(st.sampled_from(sorted(STYLES)), min_size=2, max_size=2),
    st.integers(0, 2**32),
)
def test_a_match_of_any_stakes_is_read_as_it_was_played(
    game: str, blinds: tuple[int, int], stack: int, styles: Sequence[str], seed: int
) -> None:
    truth = played(game, blinds, stack, styles, seed)
    back = replay_text(truth.text)
    assert back.blinds == blinds
    for hand, read in zip(truth.hands, back.hands, strict=True):
        assert read.put == hand.put
        assert read.deltas == hand.deltas
    if game in PRINT_STACKS and "Current stacks" in truth.text:
        lines = truth.text.count("Current stacks")
        assert back.stack == stack or lines < stakes.ENOUGH
    if back.stack == stack:
        hidden = {"unverified"} if game_named(game).hides_runouts else set()
        assert {hand.verdict for hand in back.hands} <= {"ok", "engine_deviation"} | hidden
        assert [f.rule for f in back.findings].count("stakes") == (stack not in known_stacks(game, blinds))


TACS_HAND = """\
Round #1, X (0), Y (0)
X posts blind 1
Y posts blind 2
X dealt [Ah Kd]
Y dealt [Qs 9s]
X raises to 4
Y calls
Flop [2c 7d 8h], X (4), Y (4)
Y checks
X bets 5
Y calls
Turn [2c 7d 8h Jc], X (9), Y (9)
Y checks
X bets 11
Y calls
River [2c 7d 8h Jc 3s], X (20), Y (20)
Y checks
X checks
X shows [Ah Kd]
Y shows [Qs 9s]
X awarded 20
Y awarded -20
"""


@pytest.mark.parametrize(
    "below",
    [
        # The cards of a showdown above the last street, or none below a fold, are no all-in.
        [
            "Flop [2c 7d 8h], Y (4), X (4)",
            "Y shows [Qs 9s]",
            "X shows [Ah Kd]",
            "Y awarded -4",
            "X awarded 4",
        ],
        ["X bets 8", "Y shows [Qs 9s]", "Y folds", "Y awarded -5", "X awarded 5"],
        ["X bets 8", "Y calls", "Y shows [Qs 9s]", "X shows [Ah Kd]", "Y awarded -2", "X awarded 2"],
    ],
)
def test_a_damaged_hand_below_makes_no_all_in_where_streets_end_with_one(below: list[str]) -> None:
    """Redraw hold'em prints no street after an all-in: with a stack of 8 the flop would be the last of hand 1."""
    damaged = [
        "Round #2, Y (-20), X (20)",
        "Y posts blind 1",
        "X posts blind 2",
        "Y dealt [Qs 9s]",
        "X dealt [Ah Kd]",
        "Y raises to 4",
        "X calls",
        *below,
    ]
    text = "TACS Pokerbots - X vs Y\n\n" + TACS_HAND + "\n" + "\n".join(damaged) + "\n"
    match = replay_text(text)
    assert match.game == "tacs"
    assert match.blinds == (1, 2)
    assert match.stack == 250
    assert match.hands[0].verdict == "engine_deviation"


def test_an_all_in_that_is_paid_tells_the_stack_where_streets_end_with_one() -> None:
    shoves = "X raises to 40\nY calls\nX shows [Ah Kd]\nY shows [Qs 9s]\nX awarded 40\nY awarded -40\n"
    second = TACS_HAND.replace("#1", "#3")[: TACS_HAND.index("X raises")] + shoves
    assert replay_text("TACS Pokerbots - X vs Y\n\n" + TACS_HAND + "\n" + second).stack == 40


def shoved_in_tacs(number: int, stack: int) -> str:
    """A hand of Redraw hold'em whose flop ends with an all-in: no street follows."""
    flop = "Flop [2c 7d 8h], X (4), Y (4)\nY checks\n"
    opened = TACS_HAND[: TACS_HAND.index("Flop")].replace("#1", f"#{number}")
    bets = f"X bets {stack - 4}\nY calls\nX shows [Ah Kd]\nY shows [Qs 9s]\n"
    return opened + flop + bets + f"X awarded {stack}\nY awarded -{stack}\n"


@pytest.mark.parametrize(("above", "stack"), [(5, 120), (4, 300)])
def test_hands_below_do_not_change_the_stack_that_all_ins_of_the_first_hands_tell(
    above: int, stack: int
) -> None:
    """Four could be errors of the log."""
    hands = [shoved_in_tacs(1 + k, 120 if k < above else 300) for k in range(above + 60)]
    match = replay_text("TACS Pokerbots - X vs Y\n\n" + "\n".join(hands))
    assert (match.game, match.stack) == ("tacs", stack)


def with_blinds(text: str, hands: range, old: tuple[int, int], new: tuple[int, int]) -> str:
    """A match in which these hands, from 0, post other blinds."""
    parts = text.split("Round #")
    for k in hands:
        for before, after in zip(old, new, strict=True):
            parts[k + 1] = parts[k + 1].replace(f"blind of {before}\n", f"blind of {after}\n")
    return "Round #".join(parts)


FOLDED_BY_RULES = (-1, FOLD, (1, 2))


@pytest.mark.parametrize("below", [8, 60])
def test_hands_below_do_not_change_the_blinds_of_the_first_hands(below: int) -> None:
    """Three hands by the rules' blinds, then a level of others; and the other way round."""
    text = with_blinds(log([FOLDED_BY_RULES] * 3 + [FOLDED] * below), range(3), (5, 10), (1, 2))
    match = replay_text(text)
    assert [hand.verdict for hand in match.hands if hand.verdict == "violation"] == []
    text = with_blinds(log([FOLDED] * 4 + [FOLDED_BY_RULES] * below), range(4, 4 + below), (5, 10), (1, 2))
    match = replay_text(text)
    assert [hand.verdict for hand in match.hands if hand.verdict == "violation"] == []


def test_hands_below_do_not_change_the_stack_that_called_all_ins_of_the_first_hands_tell() -> None:
    short = (-22, ("{0} raises to 22", "{1} raises to 30", "{0} folds"), (22, 30))
    above = [shoved(1000)] * 5
    match = replay_text(log([*above, *[short] * 60]))
    assert match.stack == 1000
    assert min(f.hand for f in match.findings if f.rule.startswith("too")) == 5
    # Nor do called bets of a larger one: five hands are enough.
    assert replay_text(log([*above, *[shoved(2000)] * 60])).stack == 1000
    assert replay_text(log([*above[:-1], *[shoved(2000)] * 60])).stack == 2000


def test_lines_of_stacks_below_do_not_change_the_stack_that_the_first_lines_tell() -> None:
    printed = "Current stacks: 90, 90"
    limped = (-10, (*LIMP[:3], printed, *LIMP[3:]), (10, 20))
    other = (-10, (*LIMP[:3], printed.replace("90", "140"), *LIMP[3:]), (10, 20))
    first = "Bounties reset to 5 for player {0} and 6 for player {1}"
    match = replay_text(log([limped] * 5 + [other] * 60, first=first))
    assert match.stack == 100
    assert "stacks" not in {f.rule for f in match.findings if f.hand < 5}
