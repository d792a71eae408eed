"""Redraws: when the log prints a replaced card, which player sees it, and showdowns whose board is not printed."""

from pathlib import Path

import pytest
from support.replayed import replay_text

from railbird.analytics.hand_arrays import read
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers import events
from railbird.parsers.grammar import Grammar, Template
from railbird.parsers.mit import GRAMMAR
from railbird.variants.tacs import GRAMMAR as TACS

LOG = """\
TACS Pokerbots - A vs B

Round #1, A (0), B (0)
A posts blind 2
B posts blind 5
A dealt [As Kd]
B dealt [7c 2h]
Redraw reveal for 1: WH0 XAs
A redraws hole card 0 and calls
B checks
Flop [2c 9d Jh], A (5), B (5)
B checks
A checks
Turn [2c 9d Jh 4s], A (5), B (5)
B checks
A checks
River [2c 9d Jh 4s 8c], A (5), B (5)
B checks
A checks
A shows [Ts Kd]
B shows [7c 2h]
A awarded -5
B awarded 5

Round #2, B (5), A (-5)
B posts blind 2
A posts blind 5
B dealt [Ac Ad]
A dealt [Kc Kh]
B calls
A checks
Flop [2s 7h 9d], B (5), A (5)
Redraw reveal for 0: WB0 X2s
A redraws board card 0 and bets 5
Redraw reveal for 1: WB0 X9s
B redraws board card 0 and raises to 20
A calls
Turn [3c 7h 9d 4s], B (25), A (25)
A checks
B checks
River [3c 7h 9d 4s 2c], B (25), A (25)
A checks
B checks
B shows [Ac Ad]
A shows [Kc Kh]
B awarded 25
A awarded -25

Round #3, A (-30), B (30)
A posts blind 2
B posts blind 5
A dealt [Qs Qd]
B dealt [8c 8d]
A raises to 20
Redraw reveal for 0: WH1 X8d
B redraws hole card 1 and folds
A awarded 5
B awarded -5

Round #4, B (25), A (-25)
B posts blind 2
A posts blind 5
B dealt [Ac Ad]
A dealt [Kc Kd]
B calls
A checks
Flop [2s 7h 9d], B (5), A (5)
Redraw reveal for 0: WB1 X7h
A redraws board card 1 and bets 245
B calls
B shows [Ac Ad]
A shows [Kc Kd]
B awarded 250
A awarded -250

Round #5, A (-275), B (275)
A posts blind 2
B posts blind 5
A dealt [6s 6d]
B dealt [Tc Td]
A folds
A awarded -2
B awarded 2

Final, B (277), A (-277)"""

DEAD = """\
TACS Pokerbots - A vs B

Round #1, A (0), B (0)
A posts blind 2
B posts blind 5
A dealt [As Ah]
B dealt [Kc 3d]
A calls
B checks
Flop [Ac Ad 9h], A (5), B (5)
B checks
A checks
Turn [Ac Ad 9h 8s], A (5), B (5)
B bets 245
A calls
A shows [As Ah]
B shows [Kc 3d]
A awarded 250
B awarded -250

Final, B (-250), A (250)"""


def test_a_log_as_the_engine_writes_it_has_no_violation() -> None:
    found = replay_text(LOG)
    assert found.game == "tacs"
    assert [hand.verdict for hand in found.hands] == ["ok", "ok", "ok", "unverified", "ok"]
    assert [finding.rule for finding in found.findings] == ["hidden-runout"]
    assert found.odd_lines == 0
    assert [hand.deltas for hand in found.hands] == [[-5, 5], [-25, 25], [5, -5], [-250, 250], [-2, 2]]


PLANTED = [
    ("XAs\nA", "XAh\nA", 0, "reveal"),
    ("shows [Ts Kd]", "shows [Ts Qd]", 0, "show"),
    ("shows [Ts Kd]", "shows [8c Kd]", 0, "deck"),
    ("B awarded 5\n\nRound #2", "B awarded 6\n\nRound #2", 0, "award"),
    ("River [2c", "Redraw reveal for 0: WH0 X7c\nRiver [2c", 0, "misplaced"),
    ("reveal for 0: WB0 X2s", "reveal for 1: WB0 X2s", 1, "reveal-seat"),
    ("WB0 X2s", "WB2 X9d", 1, "reveal-place"),
    ("WB0 X2s", "WH0 XKc", 1, "reveal-place"),
    ("Redraw reveal for 1: WB0 X9s\n", "", 1, "reveal-missing"),
    ("WB0 X9s", "WB0 X7h", 1, "deck"),
    ("Turn [3c 7h", "Turn [3c 7s", 1, "board"),
    ("River [3c 7h", "River [3d 7h", 1, "board"),
    (
        "Turn [3c 7h 9d 4s], B (25), A (25)\nA checks",
        "Turn [3c 7h 9d 4s], B (25), A (25)\nRedraw reveal for 0: WH0 XKc\nA redraws hole card 0 and checks",
        1,
        "redraw",
    ),
    ("WH1 X8d\nB redraws hole card 1", "WH2 X8d\nB redraws hole card 2", 2, "redraw"),
    ("B awarded 250\nA awarded -250", "B awarded 200\nA awarded -200", 3, "award"),
    ("B awarded 250\nA awarded -250", "B awarded -250\nA awarded 250", 3, "award"),
    ("B awarded 250\nA awarded -250", "B awarded 250\nA awarded -249", 3, "zero-sum"),
    ("B calls\nB shows", "B calls\nTurn [2s 8h 9d 3h], B (250), A (250)\nB shows", 3, "misplaced"),
    ("bets 245\nB calls\nB", "bets 240\nB calls\nB", 3, "show-unasked"),
    (
        "A folds",
        "A ran out of time\nRedraw reveal for 1: WH0 X6s\nA redraws hole card 0 and folds",
        4,
        "substitute",
    ),
]


@pytest.mark.parametrize(("old", "new", "hand", "rule"), PLANTED)
def test_an_error_is_a_finding_of_its_hand(old: str, new: str, hand: int, rule: str) -> None:
    assert LOG.count(old) == 1
    found = replay_text(LOG.replace(old, new))
    assert (hand, rule) in {(finding.hand, finding.rule) for finding in found.findings}
    assert found.hands[hand].verdict in ("violation", "damaged")
    # The next hand may say that its bankrolls are others.
    assert all(
        one.verdict in ("ok", "unverified")
        for number, one in enumerate(found.hands)
        if number not in (hand, hand + 1)
    )


def test_one_redraw_on_the_river_replaces_nothing() -> None:
    river = "River [2c 9d Jh 4s 8c], A (5), B (5)\nB checks"
    late = river.replace("B checks", "Redraw reveal for 0: WH0 X7c\nB redraws hole card 0 and checks")
    found = replay_text(LOG.replace(river, late))
    assert [finding.rule for finding in found.findings if finding.hand == 0] == ["redraw"]


def test_a_winner_whom_no_board_makes_is_a_violation() -> None:
    assert [finding.rule for finding in replay_text(DEAD).findings] == ["hidden-runout"]
    wrong = DEAD.replace("A awarded 250\nB awarded -250", "A awarded -250\nB awarded 250")
    found = replay_text(wrong.replace("B (-250), A (250)", "B (250), A (-250)"))
    assert {finding.rule for finding in found.findings} == {"hidden-runout", "runout"}
    assert found.hands[0].verdict == "violation"


@pytest.mark.parametrize("stack", [100, 250, 400])
def test_the_stack_is_what_a_hidden_showdown_takes(stack: int) -> None:
    text = DEAD.replace("245", str(stack - 5)).replace("250", str(stack))
    own_blinds = text.replace("(5)", "(2)").replace(str(stack - 5), str(stack - 2))
    own_blinds = own_blinds.replace("blind 2", "blind 1").replace("blind 5", "blind 2")
    again = f"""Round #2, B (-{stack}), A ({stack})
B posts blind 2
A posts blind 5
B dealt [Kc 3d]
A dealt [2s 2h]
B raises to {stack}
A calls
B shows [Kc 3d]
A shows [2s 2h]
B awarded 0
A awarded 0
"""
    twice = text.replace("\nFinal, B", f"\n{again}\nFinal, A").replace(
        f"Final, A (-{stack}), A ({stack})", f"Final, A ({stack}), B (-{stack})"
    )
    for log in (own_blinds, twice):
        found = replay_text(log)
        assert found.stack == stack
        assert [f.rule for f in found.findings if f.verdict == "violation"] == []
    alone = replay_text(text)
    assert alone.stack == 250
    assert (alone.hands[0].verdict != "unverified") == (stack != 250)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("redraws")
    (folder / "log.txt").write_text(LOG)
    ingest([folder / "log.txt"], folder / "store")
    return folder / "store"


def test_unknown_cards_are_null(stored: Path) -> None:
    with open_store(stored) as store:
        boards = "select hand_index, board, board_changed from hands where board_changed is not null"
        assert store.execute(boards).fetchall() == [
            (1, ["2s", "7h", "9d", "4s", "2c"], ["3c", "7h", "9d", "4s", "2c"]),
            (3, ["2s", "7h", "9d"], ["2s", None, "9d"]),
        ]  # fmt: skip
        assert store.execute(
            "select hand_index, seat, hole, hole_changed from stored.seats where hole_changed is not null order by all"
        ).fetchall() == [(0, 0, ["As", "Kd"], ["Ts", "Kd"]), (2, 1, ["8c", "8d"], ["8c", None])]
        changes = "select hand_index, line, seat, kind, cards from stored.changes order by line"
        assert store.execute(changes).fetchall() == [
            (0, 9, 0, "redraw", ["As", "Ts"]),
            (1, 34, 0, "board_redraw", ["2s", "9s"]),
            (1, 36, 1, "board_redraw", ["9s", "3c"]),
            (2, 56, 1, "redraw", ["8d", None]),
            (3, 69, 0, "board_redraw", ["7h", None]),
        ]  # fmt: skip


def test_deals_tell_what_replaced_what(stored: Path) -> None:
    with open_store(stored) as store:
        query = "select seat, kind, cards, replaced from deals where hand_index = 1 order by seq"
        assert store.execute(query).fetchall() == [
            (1, "deal", ["Ac", "Ad"], None),
            (0, "deal", ["Kc", "Kh"], None),
            (None, "board", ["2s", "7h", "9d"], None),
            (None, "board_redraw", ["9s"], "2s"),
            (None, "board_redraw", ["3c"], "9s"),
            (None, "board", ["4s"], None),
            (None, "board", ["2c"], None),
        ]


def test_the_opponent_sees_the_old_card_and_the_player_never_the_new_one(stored: Path) -> None:
    query = """
        select viewer_seat, item, from_street, cards from visible
        where hand_index = $hand and (list_contains(cards, $old) or list_contains(cards, $new)) order by all"""
    with open_store(stored) as store:
        assert store.execute(query, hand=0, old="As", new="Ts").fetchall() == [
            (0, "hole", 0, ["As", "Kd"]),
            (1, "replaced", 0, ["As"]),
            (1, "shown", 99, ["Ts", "Kd"]),
        ]
        # The second card of the place was there between two actions; the player who replaced the first is shown it.
        assert store.execute(query, hand=1, old="9s", new="3c").fetchall() == [
            (0, "board", 2, ["3c"]),
            (0, "replaced", 1, ["9s"]),
            (1, "board", 2, ["3c"]),
        ]


def test_a_store_as_one_player_saw_it_holds_no_card_that_it_was_not_shown(stored: Path) -> None:
    import railbird as rb
    from railbird.analytics.players import Player

    store = rb.open(stored)
    (event,) = store.sql("select distinct event from matches").pl()["event"]
    for name, own, other in (("A", ["?", "Kd"], None), ("B", None, ["Ts", "Kd"])):
        seen = store.as_seen_by(Player(event=event, game="tacs", name=name))
        final = "select list_transform(hole_final, lambda card: coalesce(card, '?')) from seats"
        ((cards,),) = seen.sql(f"{final} where hand_index = 0 and player = 'A'").pl().rows()
        assert cards == (own or other)
        kinds = seen.sql("select cards from stored.changes where hand_index = 0").pl()["cards"].to_list()
        assert kinds == [["As", None if own else "Ts"]]


def test_hands_with_redraws_or_hidden_boards_have_no_equities(stored: Path) -> None:
    with open_store(stored) as store:
        ((match,),) = store.execute("select match_id from matches").fetchall()
        dealt = read(store, "tacs", [match])
        assert dealt is not None
        assert dealt.sound.tolist() == [[False, False, False, False, True]]
        store.execute("update stored.games set redraws = false where game = 'tacs'")
        dealt = read(store, "tacs", [match])
        assert dealt is not None
        assert dealt.sound.tolist() == [[True, True, True, False, True]]
        store.execute("update stored.games set hidden_runouts = false where game = 'tacs'")
        dealt = read(store, "tacs", [match])
        assert dealt is not None
        assert dealt.sound.all()


def test_a_line_of_two_events_is_written_and_split() -> None:
    line = "A redraws hole card 1 and raises to 20"
    assert TACS.write("redraw_hole+raise", "A", 1, 20) == line
    (joint,) = Grammar("redraw_hole+raise {p} redraws hole card {n} and raises to {n}").joints
    assert joint == (events.REDRAW_HOLE, events.RAISE, 1)
    assert GRAMMAR.joints == ()


@pytest.mark.parametrize(
    ("event", "pattern", "message"),
    [
        ("redraw_hole+show", "{p} shows [{c}]", "a line may be one event and then a decision"),
        ("redraw_hole+fold+call", "{p} folds", "a line may be one event and then a decision"),
        ("redraw_hole+raise", "{p} raises", "must have a player"),
        ("redraw_hole+fold", "{n} {p} folds", "must have a player"),
        ("redraw_hole+hop", "{p} hops", "no event is called 'hop'"),
    ],
)
def test_a_line_that_cannot_be_split_is_refused(event: str, pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Template(event, pattern)
