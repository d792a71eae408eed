"""Games with an order of hands of their own, decks with ones, all-ins paid by equity, and round lines without names."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from support.replayed import replay_text

from oracles import four_cards
from railbird.analytics.hand_arrays import is_counted
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers.grammar import Grammar
from railbird.replay.evaluator import strength_of_suits, suits_of
from railbird.replay.games import Game
from railbird.replay.hand_order import strength_by
from railbird.replay.heads_up.runouts import next_choice
from railbird.replay.orders import MOST_CLASSES, HandClass, HandOrder, deck_mask
from railbird.replay.payouts import expected
from railbird.schema.words import CARDS
from railbird.variants.cmu_2024 import GAME, OLD, VARIANTS
from railbird.variants.registry import add_file

CODES = {text: code for code, text in enumerate(CARDS)}
HAND_ORDER = f"{GAME.name}.hand-order"


def suits(cards: str) -> int:
    codes = [CODES[card] for card in cards.split()]
    return int(suits_of(np.array(codes, np.int8), len(codes)))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4s 5s 6s 7s", "9d 9h 9s 8s"),
        ("2d 2h 2s 1d", "9d 9h 8d 8h"),
        ("2d 2h 1d 1h", "1s 3s 5s 9s"),
        ("1s 2s 4s 6s", "6d 7d 8d 9h"),
        ("1d 2d 3d 4h", "7d 8d 9d 1s"),
        ("1d 2d 3h 9s", "9d 9h 8s 6d"),
        ("1d 1h 3d 4d", "9d 8d 6d 5h"),
        ("9d 8d 6d 2h", "9h 8h 6h 1s"),
        # The group first, then the rest
        ("3d 3h 1d 2s", "2d 2h 9d 8s"),
        # The highest three in a row, a pair in it or not
        ("4d 5d 6h 6s", "3d 4d 5h 9s"),
    ],
)
def test_hands_of_four_cards_are_in_the_order_of_their_classes(better: str, worse: str) -> None:
    order = GAME.order.table()
    assert strength_by(order, suits(better)) > strength_by(order, suits(worse))


def test_a_row_has_no_kicker_and_the_engine_misreads_one_with_a_paired_middle() -> None:
    written, engine = GAME.order.table(), GAME.engine_order.table()
    paired, plain = suits("4d 5d 5h 6s"), suits("4h 5s 6d 1s")
    assert strength_by(written, paired) == strength_by(written, plain)
    assert (
        strength_by(engine, suits("3d 4d 5s 9h")) < strength_by(engine, paired) < strength_by(engine, plain)
    )
    # No other hand is another to the engine.
    for same in ("4d 4h 5d 6s", "4d 5d 6h 6s", "4d 5d 6h 7s", "5d 5h 4d 9s"):
        assert strength_by(written, suits(same)) == strength_by(engine, suits(same))


def test_all_hands_of_four_cards_compare_as_another_program_compares_them() -> None:
    rng = np.random.default_rng(7)
    for engine, order in ((False, GAME.order.table()), (True, GAME.engine_order.table())):
        hands = [list(rng.choice(four_cards.DECK, 4, replace=False)) for _ in range(400)]
        ours = [strength_by(order, suits(" ".join(hand))) for hand in hands]
        theirs = [four_cards.score(hand, engine) for hand in hands]
        for k in range(1, len(hands)):
            assert (ours[k] > ours[k - 1], ours[k] == ours[k - 1]) == (
                theirs[k] > theirs[k - 1],
                theirs[k] == theirs[k - 1],
            ), hands[k - 1 : k + 1]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("1d 1h 1s", "4s 5s 6s"),
        ("1s 2s 3s", "4s 6s 1s"),
        ("1s 3s 4s", "4d 5d 6h"),
        ("1d 2d 3h", "6d 6h 5d"),
        ("2d 2h 1d", "3d 5d 6h"),
        # The lowest card weighs most.
        ("2d 3h 5d", "1d 5h 6d"),
        ("3d 3h 4d", "1d 6h 6d"),
    ],
)
def test_hands_of_three_cards_are_in_the_order_of_their_classes(better: str, worse: str) -> None:
    order = OLD.order.table()
    assert strength_by(order, suits(better)) > strength_by(order, suits(worse))


def test_without_classes_hands_compare_as_in_holdem() -> None:
    hand = suits("Ad Kd Qh Js Td 2c 3c")
    assert strength_by(HandOrder().table(), hand) == strength_of_suits(hand)


def test_an_order_has_no_more_classes_than_there_is_room_for() -> None:
    with pytest.raises(ValueError, match=f"^11 classes of hands, there is room for {MOST_CLASSES}$"):
        HandOrder((HandClass(),) * 11)


def test_half_chips_are_rounded_to_the_even_number() -> None:
    assert [expected(share / 1600, 800.0, 400.0) for share in (1, 3, 5, 802)] == [-400.0, -398.0, -398.0, 1.0]


def test_a_deck_is_a_bit_a_card() -> None:
    assert deck_mask("12", "ds") == sum(1 << CODES[card] for card in ("1d", "1s", "2d", "2s"))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_choice_of_unseen_cards_comes_once(count: int) -> None:
    unseen = [CODES[card] for card in ("1c", "2d", "9h", "As", "1s")]
    seen = sum(1 << code for code in range(len(CODES)) if code not in unseen)
    chosen, found = np.full(8, -1, np.int64), []
    while next_choice(chosen, count, seen):
        found.append(tuple(chosen[:count].tolist()))
    assert found == list(combinations(sorted(unseen), count))


@pytest.mark.parametrize("seed", [0, 1])
def test_a_match_is_paid_as_another_program_says(seed: int) -> None:
    text, paid = four_cards.log(60, seed)
    found = replay_text(text)
    assert found.game == GAME.name
    assert found.odd_lines == 0
    assert [hand.deltas[0] for hand in found.hands] == [award for award, _ in paid]
    assert [hand.written[0] for hand in found.hands] == [right for _, right in paid]
    deviates = [award != right for award, right in paid]
    assert any(deviates)
    assert [hand.deviations for hand in found.hands] == [(HAND_ORDER,) if one else () for one in deviates]
    assert {finding.rule for finding in found.findings} == {"award"}
    bank = sum(award for award, _ in paid)
    assert found.final is not None
    assert sorted(found.final) == sorted((bank, -bank))


def test_players_of_one_name_are_told_apart_by_their_places() -> None:
    text, paid = four_cards.log(60, 1, ("Ann", "Ann"))
    found = replay_text(text)
    assert [hand.deltas[0] for hand in found.hands] == [award for award, _ in paid]
    assert {hand.verdict for hand in found.hands} == {"ok", "engine_deviation"}


LOG = """\
CMU Poker Bot Game - Ann vs Bob

Round #1
Ann posts the blind of 1
Bob posts the blind of 2
Ann dealt ['4s', '5h']
Bob dealt ['3d', '7h']
Ann calls
Bob bets 4
Ann attempted illegal RaiseAction with amount 3
Ann calls
Flop Board: ['5d'] Pot: 8
Bob raised an exception.
Bob attempted illegal FoldAction
Bob checks
Ann bets 6
Bob attempted illegal NoneType
Bob folds
Ann awarded 4
Bob awarded -4
Ann Bankroll: 4
Bob Bankroll: -4

Round #2
Bob posts the blind of 1
Ann posts the blind of 2
Bob dealt ['1s', '2s']
Ann dealt ['9d', '9h']
Bob raised an exception.
Bob folds
Bob awarded -1
Ann awarded 1
Bob Bankroll: -5
Ann Bankroll: 5

Round #3
Ann posts the blind of 1
Bob posts the blind of 2
Ann dealt ['1s', '2s']
Bob dealt ['9d', '9h']
Ann bets 10
Bob calls
Flop Board: ['3s'] Pot: 20
Bob bets 390
Ann calls
Ann shows ['1s', '2s']
Bob shows ['9d', '9h']
Ann awarded 291
Bob awarded -291
Ann Bankroll: 296
Bob Bankroll: -296

Round #4
Bob posts the blind of 1
Ann posts the blind of 2
Bob dealt ['1s', '2s']
Ann dealt ['9d', '9h']
Bob calls
Ann checks
Flop Board: ['3s'] Pot: 4
Ann timed out.
Ann attempted illegal FoldAction
Ann checks
Bob checks
River Board: ['3s', '4s'] Pot: 4
Ann ran out of time.
Ann attempted illegal FoldAction
Ann checks
Bob checks
Bob shows ['1s', '2s']
Ann shows ['9d', '9h']
Bob awarded 2
Ann awarded -2
Bob Bankroll: -294
Ann Bankroll: 294
Ann Bankroll: 294
Bob Bankroll: -294"""


def test_faults_bankrolls_and_pots_are_read() -> None:
    found = replay_text(LOG)
    assert [hand.verdict for hand in found.hands] == ["ok"] * 4
    assert found.findings == []
    assert found.odd_lines == 0
    assert [hand.before for hand in found.hands] == [[0, 0], [4, -4], [5, -5], [296, -296]]
    assert [len(hand.faults) for hand in found.hands] == [4, 1, 0, 4]
    assert found.final is not None


PLANTED = [
    ("Bob dealt ['3d', '7h']", "Bob dealt ['5h', '7h']", 0, "deck"),
    ("Bob dealt ['3d', '7h']", "Bob dealt ['3d', 'Th']", 0, "not-in-deck"),
    ("Bob dealt ['3d', '7h']", "Bob dealt ['3d', '7c']", 0, "not-in-deck"),
    ("Ann calls\nFlop Board: ['5d'] Pot: 8", "Ann folds\nFlop Board: ['5d'] Pot: 8", 0, "substitute"),
    ("amount 3\nAnn calls\nFlop", "amount 1\nAnn calls\nFlop", 0, "substitute"),
    ("amount 3\nAnn calls\nFlop", "amount 6\nAnn calls\nFlop", 0, "fault"),
    ("Flop Board: ['5d'] Pot: 8", "Flop Board: ['5d'] Pot: 9", 0, "pot"),
    ("Bob checks\nAnn bets 6", "Bob checks\nAnn bets 1", 0, "too-small"),
    ("Bob attempted illegal FoldAction\nBob checks", "Bob folds", 0, "substitute"),
    ("Ann awarded 4\nBob awarded -4", "Ann awarded 6\nBob awarded -6", 0, "award"),
    ("Bob Bankroll: -5\nAnn Bankroll: 5", "Bob Bankroll: -6\nAnn Bankroll: 6", 1, "counts"),
    ("Bob Bankroll: -5\n", "", 1, "misplaced"),
    ("Bob Bankroll: -5\nAnn Bankroll: 5\n", "", 1, "counts-missing"),
    (
        "Ann posts the blind of 1\nBob posts the blind of 2\nAnn dealt ['1s'",
        "Bob posts the blind of 1\nAnn posts the blind of 2\nAnn dealt ['1s'",
        2,
        "rotation",
    ),
    ("Bob shows ['9d', '9h']\nAnn awarded 291", "Bob shows ['9d', '9s']\nAnn awarded 291", 2, "show"),
    ("Ann awarded 291\nBob awarded -291", "Ann awarded 290\nBob awarded -290", 2, "award"),
    ("Ann awarded 291\nBob awarded -291", "Ann awarded 400\nBob awarded -400", 2, "award"),
    ("Ann awarded 291\n", "Ann awarded 290\n", 2, "zero-sum"),
    ("River Board: ['3s', '4s']", "River Board: ['3h', '4s']", 3, "board"),
    ("Ann Bankroll: 294\nAnn Bankroll: 294\n", "Ann Bankroll: 294\nAnn Bankroll: 295\n", 3, "final"),
]


@pytest.mark.parametrize(("old", "new", "hand", "rule"), PLANTED)
def test_an_error_is_a_finding_of_its_hand_alone(old: str, new: str, hand: int, rule: str) -> None:
    assert LOG.count(old) == 1
    found = replay_text(LOG.replace(old, new))
    assert (hand, rule) in {(finding.hand, finding.rule) for finding in found.findings}
    assert found.hands[hand].verdict in ("violation", "damaged")
    assert all(one.verdict == "ok" for number, one in enumerate(found.hands) if number != hand)


def test_after_a_lost_hand_the_bankrolls_printed_are_believed() -> None:
    first, second = LOG.index("Round #2"), LOG.index("Round #3")
    found = replay_text(LOG[:first] + LOG[second:])
    assert [(finding.hand, finding.rule) for finding in found.findings] == [(1, "sequence")]
    assert [hand.before for hand in found.hands] == [[0, 0], [5, -5], [296, -296]]


def test_a_log_without_bankrolls_adds_them_up() -> None:
    text = "\n".join(line for line in LOG.split("\n") if "Bankroll" not in line)
    found = replay_text(text)
    assert found.findings == []
    assert [hand.before for hand in found.hands] == [[0, 0], [4, -4], [5, -5], [296, -296]]
    assert found.final is None


def test_a_log_cut_in_its_last_digits_is_no_violation() -> None:
    for size in range(len(LOG) - len("Bankroll: 294\nBob Bankroll: -294"), len(LOG)):
        found = replay_text(LOG[:size])
        assert {hand.verdict for hand in found.hands} == {"ok"}, LOG[size - 20 : size]


def test_raises_may_be_called_raises_and_streets_dealt_after_an_all_in() -> None:
    text = LOG.replace("bets", "raises to").replace(
        "Ann calls\nAnn shows ['1s', '2s']\nBob shows ['9d', '9h']\nAnn awarded 291\nBob awarded -291",
        "Ann calls\nRiver Board: ['3s', '4s'] Pot: 800\nBob checks\nAnn checks\n"
        "Ann shows ['1s', '2s']\nBob shows ['9d', '9h']\nAnn awarded 400\nBob awarded -400",
    )
    text = "\n".join(line for line in text.split("\n") if "Bankroll" not in line)
    found = replay_text(text)
    assert found.findings == []
    assert found.hands[2].deltas == [400, -400]


def test_a_refused_raise_of_the_price_may_be_folded_by_one_engine() -> None:
    text = LOG[: LOG.index("Round #2")].rstrip()
    text = text[: text.index("Ann attempted")] + (
        "Ann attempted illegal RaiseAction with amount 2\nAnn folds\nAnn awarded -2\nBob awarded 2\n"
        "Ann Bankroll: -2\nBob Bankroll: 2"
    )
    found = replay_text(text)
    assert [(one.rule, one.deviations) for one in found.findings] == [
        ("substitute", (f"{GAME.name}.raise-of-the-price",))
    ]
    assert found.profile == "2024-03-28"
    called = replay_text(text.replace("amount 2\nAnn folds", "amount 3\nAnn folds"))
    assert [hand.verdict for hand in called.hands] == ["violation"]


OLD_LOG = """\
CMU Poker Bot Game - Ann vs Bob

Round #1
Ann posts the blind of 1
Bob posts the blind of 2
Ann dealt ['1d']
Bob dealt ['4h']
Ann raises to 10
Bob calls
Flop Board: ['1h'] Pot: 20
Bob checks
Ann checks
River Board: ['1h', '2s'] Pot: 20
Bob checks
Ann checks
Ann shows ['1d']
Bob shows ['4h']
Ann awarded 10
Bob awarded -10

Round #2
Bob posts the blind of 1
Ann posts the blind of 2
Bob dealt ['2d']
Ann dealt ['2s']
Bob attempted illegal CheckAction
Bob folds
Bob awarded -1
Ann awarded 1
"""


def test_one_card_is_the_sign_of_the_older_game() -> None:
    found = replay_text(OLD_LOG)
    assert (found.game, found.findings) == (OLD.name, [])
    assert [hand.deltas for hand in found.hands] == [[10, -10], [1, -1]]
    swapped = OLD_LOG.replace("Ann awarded 10\nBob awarded -10", "Ann awarded -10\nBob awarded 10")
    assert [hand.verdict for hand in replay_text(swapped).hands] == ["violation", "ok"]


def test_a_header_of_others_is_a_finding() -> None:
    found = replay_text(LOG.replace("Game - Ann vs Bob", "Game - Ann vs Eve"))
    assert {(one.hand, one.rule) for one in found.findings} == {(0, "header")}


def test_several_matches_of_a_text_are_cut_at_their_headers(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(LOG + "\n" + LOG.replace("Bob", "Eve") + "\n")
    ingest([tmp_path / "two.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select players, hands, complete from matches order by match_no").fetchall() == [
            (["Ann", "Bob"], 4, True),
            (["Ann", "Eve"], 4, True),
        ]
        assert store.execute("select status, lines_unknown from files").fetchall() == [("ok", 0)]


TABLE = (
    "Round,Street,Team,Action,ActionAmt,Team1Cards,Team2Cards,AllCards,Bankroll\r\n"
    "1,0,Ann,posts blind,1,4s 5h,3d 7h,,0\r\n"
)


def test_the_table_of_a_match_is_its_sidecar_and_later_tables_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LOG)
    (tmp_path / "a.csv").write_text(TABLE, newline="")
    (tmp_path / "b.csv").write_text("# Team 0: Ann, Team 1: Bob\nhand_number,street,active_team,x\r\n")
    done = ingest([tmp_path], tmp_path / "store")
    (complaint,) = done.complaints
    assert complaint.endswith(
        "b.csv: line 1: a table of CMU's Poker AI with other columns than those of 2025 and 2026"
    )
    with open_store(tmp_path / "store") as store:
        rows = store.execute("select path, status, hands_stored from files").fetchall()
        assert {Path(path).name: (status, hands) for path, status, hands in rows} == {
            "a.txt": ("ok", 4),
            "a.csv": ("sidecar", 0),
            "b.csv": ("rejected", 0),
        }
        assert store.execute("select count(*) from matches").fetchall() == [(1,)]
        dealt = store.execute(
            "select cards from deals where hand_index = 3 and street > 0 order by street"
        ).fetchall()
        # Streets of one card each, none after an all-in before the river
        assert dealt == [(["3s"],), (["4s"],)]
        assert store.execute("select hole_class(['1s', '9d'])").fetchall() == [("91o",)]


def test_the_replay_of_a_hand_says_that_equity_decided(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.txt").write_text(LOG)
    ingest([tmp_path / "a.txt"], tmp_path / "store")
    said = [run("replay", f"a.txt#{hand}", "--store", tmp_path / "store")[1] for hand in (2, 3)]
    assert "Pot 800, 3♠, ended by equity, verdict ok" in said[0]
    assert "ended by showdown" in said[1]
    assert "is dealt 1♠ 2♠" in said[0]


def test_outcomes_of_such_games_are_not_counted() -> None:
    assert not any(is_counted(variant.properties) for variant in VARIANTS)  # type: ignore[arg-type]


USER = """
from dataclasses import replace
from railbird.parsers import rounds
from railbird.parsers.dialect import Dialect
from railbird.parsers.grammar import Grammar
from railbird.replay.games import Profile
from railbird.replay.orders import HandClass, HandOrder
from railbird.variants import cmu_2024
from railbird.variants.properties import Variant

GRAMMAR = Grammar("header Club - {*} vs {*}", base=cmu_2024.GRAMMAR, without="header", translate=rounds.translate)
ORDER = HandOrder((HandClass(groups=(2,)), HandClass()))
GAME = replace(cmu_2024.GAME, name="pairs", order=ORDER, engine_order=HandOrder(), profiles=(Profile("club"),),
               deviations=tuple(replace(d, name=d.name.replace("cmu-2024", "pairs")) for d in cmu_2024.GAME.deviations))
PROPERTIES = replace(cmu_2024.VARIANTS[0].properties, game="pairs", title="Pairs")
VARIANT = Variant(GAME, PROPERTIES, (Dialect("pairs", "pairs", GRAMMAR, rounds.cut, header=b"Club - "),))
"""


def test_a_users_file_says_the_same_of_a_game_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "pairs.py").write_text(USER)
    text = LOG.replace("CMU Poker Bot Game", "Club")
    add_file(tmp_path / "pairs.py")
    found = replay_text(text)
    assert found.game == "pairs"
    assert [(one.hand, one.rule) for one in found.findings] == [(2, "award"), (3, "award")]
    # No river makes a better pair.
    assert found.hands[2].written == [-400.0, 400.0]
    assert replay_text(LOG).game == GAME.name


def test_quoted_cards_with_ones_are_a_field_of_their_own() -> None:
    grammar = Grammar("dealt {p} dealt [{l}]")
    assert grammar.accepts(b"Ann dealt ['1s', '10h', 'Ad']")
    assert not grammar.accepts(b"Ann dealt ['0s']")
    assert not Grammar("dealt {p} dealt [{q}]").accepts(b"Ann dealt ['1s']")
    assert grammar.write("dealt", "Ann", ["1s", "9d"]) == "Ann dealt ['1s', '9d']"


def test_a_game_names_the_deviation_of_its_engines_order_first() -> None:
    with pytest.raises(ValueError, match=r"must be those of its payout: x\.hand-order$"):
        Game("x", 1, (1, 2), ("preflop",), "", payout=GAME.payout)
