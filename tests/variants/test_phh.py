"""Hands of the poker hand history format: what winners may be paid, and hands that cannot be read."""

from pathlib import Path

import pytest

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.reports import Format
from railbird.reports.matches import all_matches
from railbird.reports.pages.overview import biggest_pots
from railbird.reports.winnings import results

HAND = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [5000, 5000]
winnings = [{winnings}]
players = ['a', 'b']
actions = ['d dh p1 AhKh', 'd dh p2 2c2d', 'p2 cc', 'p1 cc', 'd db 3s4s9d', 'p1 cc', 'p2 cc', 'd db Ts', \
'p1 cc', 'p2 cc', 'd db Jc', 'p1 cc', 'p2 cc', 'p1 sm AhKh', 'p2 sm 2c2d']
"""


@pytest.mark.parametrize(
    ("winnings", "verdict", "rake"),
    [
        ("0, 200", "ok", 0),
        ("0, 190", "ok", 10),
        ("0, 250", "engine_deviation", 0),
        ("0, 150", "engine_deviation", 0),
        ("200, 0", "violation", 0),
        ("190, 0", "violation", 0),
        ("100, 100", "violation", 0),
    ],
)
def test_a_room_may_take_a_tenth_but_not_pay_another(
    tmp_path: Path, winnings: str, verdict: str, rake: int
) -> None:
    log = tmp_path / "hand.phh"
    log.write_text(HAND.format(winnings=winnings))
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        rows = store.execute("select verdict, rake from hands").fetchall()
    assert [row[0] for row in rows] == [verdict]
    assert verdict != "ok" or rows[0][1] == rake


def test_a_file_that_is_refused_names_its_line_once(tmp_path: Path) -> None:
    log = tmp_path / "hand.phh"
    log.write_text(HAND.format(winnings="0, 200").replace("'NT'", "'KUHN'"))
    (complaint,) = ingest([log], tmp_path / "store").complaints
    assert complaint == f"{log}: line 1: unknown variant KUHN"


GOOD = HAND.format(winnings="0, 200")
LEFT_OUT = (
    ("'p2 cc', 'p1 cc', 'd db 3s", "'p2 xx', 'p1 cc', 'd db 3s", "unknown action 'p2 xx'"),
    ("'p2 cc', 'p1 cc', 'd db 3s", "'p2 cbr', 'p1 cc', 'd db 3s", "unknown action 'p2 cbr'"),
    ("'p2 cc', 'p1 cc', 'd db 3s", "'p2 cbr ten', 'p1 cc', 'd db 3s", "not an amount: 'ten'"),
    (
        "'p2 cc', 'p1 cc', 'd db 3s",
        "'p9 cc', 'p1 cc', 'd db 3s",
        "there is no player p9: the action 'p9 cc'",
    ),
    ("'d db 3s4s9d'", "'d db 3s4s9x'", "not cards: '3s4s9x' in the action 'd db 3s4s9x'"),
    ("'d db Ts'", "'d db ??'", "a board with unknown cards: 'd db ??'"),
    ("'d dh p1 AhKh'", "'d dh p1 AhK'", "not cards: 'AhK' in the action 'd dh p1 AhK'"),
    ("variant = 'NT'\n", "", "the key variant is missing"),
    ("starting_stacks = [5000, 5000]\n", "", "the key starting_stacks is missing"),
    ("actions = [", "acts = [", "the key actions is missing"),
    ("blinds_or_straddles = [50, 100]\n", "", "the key blinds_or_straddles is missing"),
    ("[5000, 5000]", "5000", "starting_stacks is not a list"),
    ("antes = [0, 0]", "antes = [0]", "antes is not a list of one number a player"),
    ("'NT'", "'KUHN'", "unknown variant KUHN"),
)


def test_a_hand_that_is_left_out_has_its_reason(tmp_path: Path) -> None:
    """By the line at which it begins; the hands around it are read."""
    log, blocks, due, line = tmp_path / "hands.phhs", list[str](), list[tuple[int, str]](), 1
    for number, (written, damaged, reason) in enumerate(LEFT_OUT):
        assert written in GOOD
        # Every good hand is another one.
        for text in (GOOD, GOOD.replace(written, damaged)):
            blocks.append(f"[{len(blocks) + 1}]\n{text.replace('5000', str(5000 + number))}\n")
            if text != GOOD:
                due.append((line, reason))
            line += blocks[-1].count("\n")
    log.write_text("".join(blocks))
    (account,) = ingest([log], tmp_path / "store").files
    with open_store(tmp_path / "store") as store:
        found = store.execute("select line, reason, text <> '' from unknown_lines order by line").fetchall()
        assert [(line, reason) for line, reason, _ in found] == due
        assert all(quoted for *_, quoted in found)
        assert store.execute("select count(*) from hands where verdict = 'ok'").fetchall() == [
            (len(LEFT_OUT),)
        ]
    assert (account.hands_stored, account.hands_rejected) == (len(LEFT_OUT), len(LEFT_OUT))


@pytest.mark.parametrize("header", ["", "[2", "[2] ?", "[2?]", "[2]\u4e00 of a file in another encoding"])
def test_a_hand_above_a_damaged_header_is_kept(header: str, tmp_path: Path) -> None:
    log = tmp_path / "hands.phhs"
    log.write_text(f"[1]\n{GOOD}\n{header}\n{GOOD}\n[3]\n{GOOD.replace('5000', '6000')}")
    (account,) = ingest([log], tmp_path / "store").files
    with open_store(tmp_path / "store") as store:
        lines = [line for (line,) in store.execute("select line from hands order by line").fetchall()]
    assert lines[0] == 1
    # A header that is lost costs none of the two hands.
    assert lines[1:] == ([21] if header else [12, 21])
    assert account.hands_rejected == bool(header)


def test_a_doubled_line_costs_its_hand(tmp_path: Path) -> None:
    twice = GOOD.replace("players = ['a', 'b']\n", "players = ['a', 'b']\n" * 2)
    log = tmp_path / "hands.phhs"
    log.write_text(f"[1]\n{twice}\n[2]\n{GOOD}")
    (account,) = ingest([log], tmp_path / "store").files
    assert (account.hands_stored, account.hands_rejected) == (1, 1)


@pytest.mark.parametrize("key", ["variant", "blinds_or_straddles", "starting_stacks", "actions"])
def test_a_file_of_one_hand_is_refused_for_the_key_that_it_lacks(tmp_path: Path, key: str) -> None:
    log = tmp_path / "hand.phh"
    log.write_text("".join(line for line in GOOD.splitlines(keepends=True) if not line.startswith(key)))
    (complaint,) = ingest([log], tmp_path / "store").complaints
    assert complaint == f"{log}: line 1: the key {key} is missing"


@pytest.mark.parametrize(
    "text", ["starting_stacks = [100]\n", "note = 'variant'\nblinds_or_straddles = [1, 2]\n"]
)
def test_one_key_of_a_hand_makes_no_phh(tmp_path: Path, text: str) -> None:
    log = tmp_path / "other.toml"
    log.write_text(text)
    (complaint,) = ingest([log], tmp_path / "store").complaints
    assert "no known engine writes lines such as" in complaint


RAISED = """\
variant = '{variant}'
antes = [0, 0, 0, 0]
blinds_or_straddles = [{blinds}]
{bets}
starting_stacks = [5000, 5000, 5000, 5000]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'd dh p4 ????', {actions}]
"""
NO_LIMIT, FIXED = "min_bet = 100", "small_bet = 100\nbig_bet = 200"
WAR = "'p3 cbr 200', 'p4 cbr 300', 'p1 cbr 400', 'p2 cbr 500', "


@pytest.mark.parametrize(
    ("variant", "blinds", "bets", "actions", "rules"),
    [
        ("NT", "50, 100, 200, 0", NO_LIMIT, "'p4 cbr 400', 'p1 f', 'p2 f', 'p3 f'", []),
        ("NT", "50, 100, 200, 0", NO_LIMIT, "'p4 cbr 300', 'p1 f', 'p2 f', 'p3 f'", ["too-small"]),
        # Another player who posts a big blind straddles nothing, and opens nothing where it stands below zero.
        ("NT", "50, 100, 0, -100", NO_LIMIT, "'p3 cbr 200', 'p4 f', 'p1 f', 'p2 f'", []),
        ("FT", "50, 100, 0, 0", FIXED, WAR + "'p3 f', 'p4 f', 'p1 f'", []),
        ("FT", "50, 100, 0, 0", FIXED, WAR + "'p3 cbr 600', 'p4 f', 'p1 f', 'p2 f'", ["raise"]),
    ],
)
def test_straddles_enlarge_the_least_raise_and_limits_have_a_cap(
    tmp_path: Path, variant: str, blinds: str, bets: str, actions: str, rules: list[str]
) -> None:
    log = tmp_path / "hand.phh"
    log.write_text(RAISED.format(variant=variant, blinds=blinds, bets=bets, actions=actions))
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        found = store.execute("select rule from findings where rule <> 'no-result' order by line").fetchall()
    assert [rule for (rule,) in found] == rules


def ask(tmp_path: Path, text: str, *queries: str) -> list[list[tuple[object, ...]]]:
    log = tmp_path / "hand.phh"
    log.write_text(text)
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        return [store.execute(query).fetchall() for query in queries]


STUD = """\
variant = 'F7S'
antes = [1, 1, 1]
bring_in = 2
small_bet = 4
big_bet = 8
starting_stacks = [100, 100, 100]
actions = ['d dh p1 AsKs2d', 'd dh p2 QdQc3d', 'd dh p3 4d5d9c', 'p1 pb', 'p2 cbr 4', 'p3 f', 'p1 cc', \
'd dh p1 2c', 'd dh p2 3c', 'p2 cbr 4', 'p1 f']
finishing_stacks = [95, 106, 99]
"""
DRAW = """\
variant = 'F2L3D'
antes = [0, 0]
blinds_or_straddles = [1, 2]
small_bet = 2
big_bet = 4
starting_stacks = [100, 100]
actions = ['d dh p1 AsKs2d5d6d', 'd dh p2 QdQc3d9d9c', 'p2 cbr 4', 'p1 cc', 'p1 sd AsKs', 'd dh p1 7c8c', 'p2 sd', \
'p1 cbr 2', 'p2 f']
finishing_stacks = [104, 96]
"""


@pytest.mark.parametrize(
    ("text", "seats", "acts"),
    [
        (
            STUD,
            [(5, -5), (9, 6), (1, -1)],
            [
                (0, "post", 2, 2),
                (0, "raise", 4, 4),
                (0, "fold", 0, 0),
                (0, "call", 4, 2),
                (1, "bet", 4, 4),
                (1, "fold", 0, 0),
            ],
        ),
        (
            DRAW,
            [(6, 4), (4, -4)],
            [(0, "raise", 4, 3), (0, "call", 4, 2), (1, "bet", 2, 2), (1, "fold", 0, 0)],
        ),
    ],
    ids=["stud", "draw"],
)
def test_a_game_without_a_board_has_its_bettings_in_streets(
    tmp_path: Path,
    text: str,
    seats: list[tuple[float, float]],
    acts: list[tuple[int, str, float, float]],
) -> None:
    """The bring-in counts, and what is bet on a street is bet on top of the streets before."""
    verdicts, put, done, pots = ask(
        tmp_path,
        text,
        "select verdict from hands",
        "select contribution, delta from seats order by seat",
        "select street, action, amount_to, chips_added from actions order by seq",
        "select max(pot_before) from actions",
    )
    assert verdicts == [("unverified",)]
    assert put == seats
    assert done[-len(acts) :] == acts
    assert pots == [(sum(chips for chips, _ in seats),)]


def test_a_bring_in_with_an_amount_is_no_phh(tmp_path: Path) -> None:
    text = STUD.replace("p1 pb", "p1 pb 2")
    hands, left_out = ask(tmp_path, text, "select count(*) from hands", "select hands_rejected from files")
    assert (hands, left_out) == ([(0,)], [(1,)])


@pytest.mark.parametrize(("stacks", "known"), [("inf, inf", [None, None]), ("100, inf", [100, None])])
def test_a_stack_that_is_not_known_is_null(tmp_path: Path, stacks: str, known: list[int | None]) -> None:
    text = DRAW.replace("F2L3D", "NT").replace("100, 100", stacks).split("actions")[0].replace("small", "min")
    text += "actions = ['d dh p1 AsKs', 'd dh p2 QdQc', 'p2 cbr 6', 'p1 f']\n"
    matches, seats, acts = ask(
        tmp_path,
        text,
        "select starting_stacks from matches",
        "select stack_start, bankroll_before, delta from seats order by seat",
        "select min_raise_to, max_raise_to, stack_before from actions where action <> 'post' order by seq",
    )
    assert matches == [(None,)]
    assert seats == [(stack, stack, chips) for stack, chips in zip(known, (-2, 2), strict=True)]
    assert acts[0] == (4, None, None)
    assert acts[1] == ((10, 100, 98) if known[0] else (10, None, None))


def test_hands_of_2_to_10_players_are_read(tmp_path: Path) -> None:
    log = tmp_path / "hand.phh"
    for players, said in (
        (1, "1 players: hands of 2 to 10 are read"),
        (11, "11 players: hands of 2 to 10 are read"),
    ):
        log.write_text(DRAW.replace("100, 100", ", ".join(["100"] * players)))
        (complaint,) = ingest([log], tmp_path / "store").complaints
        assert complaint == f"{log}: line 1: {said}"


@pytest.mark.parametrize(("blinds", "positions"), [("1, 2", ["BB", "SB"]), ("2, 1", ["SB", "BB"])])
def test_of_two_the_big_blind_is_who_posts_it(tmp_path: Path, blinds: str, positions: list[str]) -> None:
    (rows,) = ask(tmp_path, DRAW.replace("1, 2", blinds), "select position from seats order by seat")
    assert [position for (position,) in rows] == positions


def test_a_pot_without_a_low_is_not_halved(tmp_path: Path) -> None:
    """Two equal high hands share 15 chips: the first after the button has the odd one."""
    text = (
        "variant = 'FO/8'\nantes = [0, 0, 0]\nblinds_or_straddles = [5, 5, 0]\nsmall_bet = 5\nbig_bet = 10\n"
        "starting_stacks = [100, 100, 100]\nfinishing_stacks = [103, 102, 95]\n"
        "actions = ['d dh p1 AsKs2s3s', 'd dh p2 AcKc2c3c', 'd dh p3 4d4s5d6d', 'p3 cc', 'p1 cc', 'p2 cc', "
        "'d db KhKdQs', 'p1 cc', 'p2 cc', 'p3 cc', 'd db Jh', 'p1 cc', 'p2 cc', 'p3 cc', 'd db Jd', "
        "'p1 cc', 'p2 cc', 'p3 cc', 'p1 sm -', 'p2 sm -', 'p3 sm -']\n"
    )
    verdicts, results = ask(
        tmp_path, text, "select verdict from hands", "select delta, delta_written from seats order by seat"
    )
    assert verdicts == [("ok",)]
    assert results == [(3, 3), (2, 2), (-5, -5)]


@pytest.mark.parametrize(
    ("variant", "posts", "unit"),
    [
        ("'NS'", "antes = [4, 4]\nblinds_or_straddles = [0, 0]\nmin_bet = 5\n", 4),
        ("'F7S'", "antes = [5, 5]\nbring_in = 10\nsmall_bet = 20\nbig_bet = 40\n", 5),
        ("'NT'", "antes = [30, 30]\nblinds_or_straddles = [5, 10]\nmin_bet = 10\n", 10),
        ("'NT'", "antes = [0, 0]\nblinds_or_straddles = [0, 0]\nmin_bet = 10\n", 1),
    ],
)
def test_results_of_a_hand_without_blinds_are_in_antes(
    tmp_path: Path, variant: str, posts: str, unit: int
) -> None:
    log = tmp_path / "hand.phh"
    log.write_text(
        f"variant = {variant}\n{posts}starting_stacks = [500, 500]\nplayers = ['a', 'b']\n"
        "actions = ['d dh p1 AhKh', 'd dh p2 7c7d', 'p1 f']\nfinishing_stacks = [490, 510]\n"
    )
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select unit from matches").fetchall() == [(unit,)]
        (rate,) = store.execute("select bb_per_100 from winnings where player = 'b'").fetchone() or (None,)
    assert rate == 1000 / unit


def test_results_are_listed_where_stacks_are_not_known(tmp_path: Path) -> None:
    log = tmp_path / "hand.phh"
    log.write_text(GOOD.replace("[5000, 5000]", "[inf, inf]"))
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        answer = results(store, None, Format.TABLE)
    at = [answer.columns.index(name) for name in ("player", "chips", "bankroll")]
    assert [[row[place] for place in at] for row in answer.rows] == [["a", -100, ""], ["b", 100, ""]]


def test_a_hand_without_a_result_is_among_the_biggest_pots(tmp_path: Path) -> None:
    log = tmp_path / "hand.phh"
    log.write_text(
        "variant = 'FB'\nantes = [0, 0]\nblinds_or_straddles = [5, 10]\nsmall_bet = 10\nbig_bet = 20\n"
        "starting_stacks = [500, 500]\nplayers = ['a', 'b']\n"
        "actions = ['d dh p1 AhKhQh2d', 'd dh p2 7c7d8s9s', 'p2 cc', 'p1 f']\n"
    )
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select delta from seats").fetchall() == [(None,), (None,)]
        ((pot,),) = biggest_pots(store, all_matches(store)).values()
    assert pot["hand_index"] == 0
