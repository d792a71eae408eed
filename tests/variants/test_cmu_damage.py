"""Damaged tables of CMU: each damage loses its own hand and says so in one line; files that no reader can take are
refused with the reason."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from support.replayed import replay_text

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

GAMES: Final = ("cmu-2025", "cmu-2026")
HANDS: Final = 12
HURT: Final = 5
"""The hand that is damaged."""

Rows = list[str]


def table(game: str) -> Rows:
    return simulate(game, [("A", "random"), ("B", "calling-station")], HANDS, 5).split("\r\n")


def of_hand(rows: Rows, number: int) -> list[int]:
    return [place for place, row in enumerate(rows) if row.startswith(f"{number},")]


def with_cell(column: int, cell: str) -> Callable[[str], str]:
    """A row with another cell in one of its first columns, which hold no lists."""

    def damage(row: str) -> str:
        cells = row.split(",")
        cells[column] = cell
        return ",".join(cells)

    return damage


ROWS: Final[dict[str, Callable[[str], str]]] = {
    "a word for a number": with_cell(6, "ten"),
    "a fraction": with_cell(3, "1.5"),
    "a third player": with_cell(2, "7"),
    "a number without end": with_cell(3, "9" * 40),
    "an unknown action": with_cell(5, "BLUFF"),
    "an empty cell": with_cell(4, ""),
    "cells that are missing": lambda row: row.rsplit(",", 3)[0],
    "no card": lambda row: row.replace("['", "['1x', '", 1),
    "tabs": lambda row: row.replace(",", "\t"),
    "NUL": lambda row: "\0" * len(row),
}
"""What may become of a row that then cannot be read."""


def stored(rows: Rows, folder: Path) -> tuple[dict[int, Any], list[Any]]:
    """What is stored of each hand, and the lines that are listed."""
    folder.mkdir()
    log = folder / "match.csv"
    log.write_text("\r\n".join(rows), newline="")
    ingest([log], folder / "store")
    hands: dict[int, Any] = {}
    with open_store(folder / "store") as store:
        found = store.execute(
            "select hand_index, hand_no, verdict, board, list((hole, hole_final, contribution, delta) order by seat) "
            "from hands join seats using (match_id, hand_index) group by all order by 1"
        ).fetchall()
        for _, number, *rest in found:
            hands.setdefault(number, []).append(rest)
        lines = store.execute("select line, reason from unknown_lines order by line").fetchall()
    return hands, lines


@pytest.mark.parametrize("damage", ROWS.values(), ids=ROWS.keys())
@pytest.mark.parametrize("game", GAMES)
def test_a_row_that_cannot_be_read_loses_its_hand_alone(
    game: str, damage: Callable[[str], str], tmp_path: Path
) -> None:
    rows = table(game)
    plain, listed = stored(rows, tmp_path / "plain")
    assert not listed
    assert {verdict for hands in plain.values() for verdict, *_ in hands} == {"ok"}
    at = of_hand(rows, HURT)[1]
    rows[at] = damage(rows[at])
    hurt, listed = stored(rows, tmp_path / "hurt")
    assert [line for line, _ in listed] == [at + 2]
    assert listed[0][1].startswith("no template accepts it")
    assert hurt.pop(HURT)[0][0] == "damaged"
    plain.pop(HURT)
    assert hurt == plain


UNREAD: Final = {"an action that none is": ROWS["an unknown action"], "no number": ROWS["tabs"]}


@pytest.mark.parametrize("damage", UNREAD.values(), ids=UNREAD.keys())
@pytest.mark.parametrize("game", GAMES)
def test_whichever_row_cannot_be_read_no_other_hand_is_hurt(
    game: str, damage: Callable[[str], str], tmp_path: Path
) -> None:
    """Also the first row of a hand and the last one; and after either its hand is not said to be right."""
    whole = simulate(game, [("A", "random"), ("B", "random")], HANDS, 6).split("\r\n")
    plain, _ = stored(whole, tmp_path / "plain")
    for hurt_hand in (0, HURT, HANDS - 1):
        places = of_hand(whole, hurt_hand)
        for at in {places[0], places[len(places) // 2], places[-1]}:
            rows = [*whole[:at], damage(whole[at]), *whole[at + 1 :]]
            hurt, listed = stored(rows, tmp_path / f"{hurt_hand} {at}")
            lost = hurt.pop(hurt_hand, None)
            if lost is None:
                # Left out: no row of it can be read, or the log ends before the last hand is paid.
                assert len(places) == 1 or (hurt_hand == HANDS - 1 and at == places[-1])
            else:
                # Without its number a row may be of no hand at all.
                assert lost[0][0] == "damaged" or (damage is UNREAD["no number"] and len(places) > 1)
            assert hurt == {number: hands for number, hands in plain.items() if number != hurt_hand}
            assert at + 2 in [line for line, _ in listed]


@pytest.mark.parametrize("damage", UNREAD.values(), ids=UNREAD.keys())
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("game", GAMES)
def test_hands_without_any_row_that_can_be_read_are_counted_and_break_no_order(
    game: str, count: int, damage: Callable[[str], str], tmp_path: Path
) -> None:
    rows = table(game)
    plain, _ = stored(rows, tmp_path / "plain")
    lost = range(HURT, HURT + count)
    whole_number = damage is UNREAD["an action that none is"]
    first = [of_hand(rows, number)[0] for number in lost]
    kept = [row for row in rows if not any(row.startswith(f"{number},") for number in lost)]
    kept[first[0] : first[0]] = [damage(rows[place]) for place in first]
    hurt, listed = stored(kept, tmp_path / "hurt")
    assert [line for line, _ in listed] == [first[0] + 2 + k for k in range(count)]
    if whole_number or count == 1:
        assert {reason for _, reason in listed} == {"no template accepts it, and its hand has no other line"}
        assert hurt == {number: hands for number, hands in plain.items() if number not in lost}
    with open_store(tmp_path / "hurt/store") as store:
        found = store.execute("select hands_seen, hands_rejected, lines_unknown from files").fetchall()
    rejected = count if whole_number or count == 1 else 0
    assert found == [(HANDS - count + rejected, rejected, count)]


def test_a_hand_that_is_missing_with_all_its_rows_is_told_at_the_next_one(tmp_path: Path) -> None:
    rows = [row for row in table("cmu-2026") if not row.startswith(f"{HURT},")]
    hurt, listed = stored(rows, tmp_path / "hurt")
    assert not listed
    assert hurt[HURT + 1][0][0] == "damaged"


def test_a_table_of_rubbish_takes_no_time_for_each_pair_of_rows(tmp_path: Path) -> None:
    """What follows a run of rows that cannot be read is looked for once."""
    rows = table("cmu-2025")
    at = of_hand(rows, HURT)[0]
    rows[at:at] = ["x"] * 200_000
    started = time.process_time()
    hurt, listed = stored(rows, tmp_path / "hurt")
    assert time.process_time() - started < 20
    assert len(listed) == 200_000
    assert len(hurt) == HANDS


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("within", [True, False], ids=["in a row", "after a row"])
def test_a_table_that_is_cut_keeps_the_hands_before(game: str, within: bool, tmp_path: Path) -> None:
    rows = table(game)
    plain, _ = stored(rows, tmp_path / "plain")
    place = of_hand(rows, HURT)[1]
    hurt, listed = stored(
        [*rows[:place], *([rows[place][:20]] if within else [""])],
        tmp_path / "hurt",
    )
    assert (of_hand(rows, HURT)[0] + 2, "the log ends before the hand is paid") in listed
    assert len(listed) == 1 + within
    assert hurt == {number: hands for number, hands in plain.items() if number < HURT}


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_that_comes_twice_is_damaged_the_second_time(game: str, tmp_path: Path) -> None:
    rows = table(game)
    plain, _ = stored(rows, tmp_path / "plain")
    first, *_, last = of_hand(rows, HURT)
    hurt, listed = stored([*rows[: last + 1], *rows[first:]], tmp_path / "hurt")
    assert not listed
    assert [verdict for verdict, *_ in hurt.pop(HURT)] == ["ok", "damaged"]
    plain.pop(HURT)
    assert hurt == plain


@pytest.mark.parametrize("game", GAMES)
def test_a_byte_order_mark_hides_no_team(game: str, tmp_path: Path) -> None:
    rows = table(game)
    plain, _ = stored(rows, tmp_path / "plain")
    marked, listed = stored(["\ufeff" + rows[0], *rows[1:]], tmp_path / "marked")
    assert not listed
    assert marked == plain
    with open_store(tmp_path / "marked/store") as store:
        assert store.execute("select players from matches").fetchall() == [(["A", "B"],)]
    # The same match, with a mark or without, is one.
    ingest([tmp_path / "plain/match.csv"], tmp_path / "marked/store")
    with open_store(tmp_path / "marked/store") as store:
        assert store.execute("select count(*) from matches").fetchall() == [(1,)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda text: text.replace(",action_amount", "").encode(), "with other columns than those"),
        (lambda text: text.encode("utf-16"), "UTF-16"),
        (lambda text: text.replace(",", ";").encode(), "no known engine writes lines such as"),
    ],
    ids=["columns", "UTF-16", "semicolons"],
)
def test_a_file_of_another_form_is_refused_with_the_reason(
    game: str, damage: Callable[[str], bytes], why: str, tmp_path: Path
) -> None:
    log = tmp_path / "match.csv"
    log.write_bytes(damage("\r\n".join(table(game))))
    (account,) = ingest([log], tmp_path / "store").files
    assert account.status == "rejected"
    assert why in account.problem
    assert "\n" not in account.problem


def test_a_table_of_2024_is_no_match_without_its_text_log(tmp_path: Path) -> None:
    columns = "Round,Street,Team,Action,ActionAmt,Team1Cards,Team2Cards,AllCards,Bankroll\r\n"
    (tmp_path / "match.csv").write_text(f"{columns}1,0,A,posts blind,1,9h 1h,9s 3s,,0\r\n", newline="")
    (account,) = ingest([tmp_path], tmp_path / "store").files
    assert account.status == "rejected"
    assert account.problem.startswith(
        "a table of CMU's Poker AI 2024, of whose matches railbird reads the text log"
    )
    text = simulate("cmu-2024", [("A", "random"), ("B", "maniac")], 3, 1)
    (tmp_path / "match.txt").write_text(text)
    again = {
        account.path[-3:]: account
        for account in ingest([tmp_path / "match.csv", tmp_path / "match.txt"], tmp_path / "store").files
    }
    assert again["csv"].status == "sidecar"
    assert (again["txt"].status, again["txt"].hands_stored) == ("ok", 3)


@pytest.mark.parametrize("game", GAMES)
def test_rows_of_another_table_below_change_no_blinds_of_the_hands_above(game: str) -> None:
    """Most hands of a table decided, so that rows of another one behind them changed who had which stakes."""
    rows = table(game)
    above = "\r\n".join(rows[: of_hand(rows, HANDS - 1)[0]])
    others = simulate(game, [("A", "random"), ("B", "random")], 5 * HANDS, 6).split("\r\n")[2:]
    below = [
        re.sub(r",(1,1|2,2)$", lambda bets: {"1": ",5,5", "2": ",10,10"}[bets[1][0]], row) for row in others
    ]
    assert below != others
    assert replay_text("\r\n".join([*rows[:2], *below])).blinds == (5, 10)
    assert replay_text("\r\n".join([above, *below])).blinds == (1, 2)


@pytest.mark.parametrize("game", GAMES)
def test_copies_of_a_row_change_nothing_above(game: str, tmp_path: Path) -> None:
    rows = table(game)
    plain, _ = stored(rows, tmp_path / "plain")
    copied = [place for number in range(2, HANDS - 1) for place in of_hand(rows, number)]
    # Copies of a fold are hands of one row each.
    folds = [place for place in copied if ",FOLD," in rows[place] and "Pre-Flop" not in rows[place]]
    assert len(folds) >= 2
    for place in {*folds, *copied[::8]}:
        hurt, _ = stored([*rows[:place], *[rows[place]] * 60, *rows[place:]], tmp_path / f"{place}")
        above = int(rows[place].partition(",")[0])
        for number in range(above):
            assert hurt[number][0] == plain[number][0], rows[place]
