"""Decisions of engines that write records, and of people: no card that the player had not seen, and all of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import MadeOnce
from support.exported import Key, cards_in, rows_by_hand

from railbird.analytics.exported_hands import Written
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

GROUPS: Final = ("json-arenas", "other-engines", "people", "phh")
BOARDS: Final = (0, 3, 4, 5)
"""All of these games are hold'em, short deck or Omaha: cards of the board by street."""

Rows = list[dict[str, Any]]
Truth = Mapping[Key, list[dict[str, Any]]]


@pytest.fixture(scope="module", params=GROUPS)
def group(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def store(group: str, corpus: Path, made_once: MadeOnce) -> Iterator[Store]:
    made = made_once(f"trips-{group}", lambda fresh: ingest([corpus / group], fresh))
    with open_store(made) as opened:
        yield opened


@pytest.fixture(scope="module")
def truth(store: Store) -> Truth:
    """The seats by hand, as they lie on disk, each with the hand's board and the game."""
    return rows_by_hand(
        store,
        "select s.match_id, s.hand_index, s.seat, s.hole, h.board, h.game from stored.seats as s "
        "join stored.hands as h using (match_id, hand_index) order by all",
    )


@pytest.fixture(scope="module")
def written(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return store.export_hands(tmp_path_factory.mktemp("jsonl") / "decisions", "jsonl")


@pytest.fixture(scope="module")
def rows(written: Written) -> Rows:
    files = sorted(written.folder.glob("*/*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]


def known(truth: Truth, row: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The player's own cards and the board so far."""
    (seat,) = [s for s in truth[int(row["match_id"]), row["hand_index"]] if s["seat"] == row["seat"]]
    return seat["hole"] or [], (seat["board"] or [])[: BOARDS[row["state"]["street"]]]


def hidden(truth: Truth, row: Mapping[str, Any]) -> set[str]:
    """Cards anywhere in a row that its player had not seen."""
    hole, board = known(truth, row)
    return cards_in(row) - {*hole, *board}


def test_a_row_holds_the_players_own_cards_and_the_board_so_far(truth: Truth, rows: Rows) -> None:
    assert len(rows) > 2000
    for row in rows:
        hole, board = known(truth, row)
        assert not hidden(truth, row), row
        assert row["state"]["hole"] == hole, row
        # Where the log leaves out the board after an all-in, nobody decides anything on it.
        assert row["state"]["board"] == board, row
        assert row["state"]["seen"] == []
    # A test of rows without cards would not fail: in each group some players' cards are known.
    assert sum(len(row["state"]["hole"]) > 0 for row in rows) > 300


def test_the_search_finds_a_card_of_another_player_and_one_that_comes(truth: Truth, rows: Rows) -> None:
    planted = 0
    for row in rows[::20]:
        hole, board = known(truth, row)
        seats = truth[int(row["match_id"]), row["hand_index"]]
        others = [card for s in seats if s["seat"] != row["seat"] for card in s["hole"] or ()]
        for card in {*others[:1], *(seats[0]["board"] or ())[len(board) :][:1]} - {*hole, *board}:
            leak = deepcopy(row)
            leak["state"]["line"] = [*leak["state"]["line"], [0, "BTN", card, None]]
            assert hidden(truth, leak) == {card}
            planted += 1
    assert planted > 20


def test_hands_of_games_without_rules_are_left_out(written: Written, store: Store, group: str) -> None:
    """Stud and draw: the store has the cards of all streets, and not when they came."""
    ((count,),) = store.execute(
        "select count(distinct (match_id, hand_index)) from findings where starts_with(message, 'no rules for ')"
    ).fetchall()
    reason = "no rules for the game: nobody knows which card came when"
    assert written.left_out.get(reason, 0) == count
    assert (count > 40) == (group == "phh")


def test_deals_are_of_the_players_whose_cards_are_known(store: Store) -> None:
    """A card event for each hand of known cards, also where the cards of players between them are not."""
    query = (
        "select match_id, hand_index, seat, cards from deals where kind = 'deal' "
        "{} (select match_id, hand_index, seat, hole from stored.seats where len(hole) > 0)"
    )
    assert store.execute(query.format("except all")).fetchall() == []
    swapped = (
        "select match_id, hand_index, seat, hole from stored.seats where len(hole) > 0 "
        "except all select match_id, hand_index, seat, cards from deals where kind = 'deal'"
    )
    assert store.execute(swapped).fetchall() == []


def pdb_cards(folder: Path) -> dict[tuple[str, int], list[str]]:
    """The cards of each player and hand in the files of the IRC poker database, read as its description says."""
    found = {}
    for path in sorted((folder / "pdb").iterdir()):
        for line in path.read_text(encoding="latin-1").splitlines():
            words = line.split()
            if len(words) == 13:
                found[words[0], int(words[1])] = words[11:]
    return found


@pytest.mark.parametrize("group", ["people"], indirect=True)
def test_cards_in_irc_rows_are_those_of_the_players_own_file(corpus: Path, store: Store, rows: Rows) -> None:
    told = pdb_cards(corpus / "people/real/irc_199504")
    numbers = {
        key: hand["hand_no"]
        for key, (hand,) in rows_by_hand(store, "select match_id, hand_index, hand_no from hands").items()
    }
    mine = [row for row in rows if row["event"] == "irc_199504"]
    with_cards = 0
    for row in mine:
        number = numbers[int(row["match_id"]), row["hand_index"]]
        assert row["state"]["hole"] == told.get((row["player"], number), []), row
        with_cards += bool(row["state"]["hole"])
    assert with_cards > 3000
