"""Out and in again: what the exporters write of any game and of any engine's records is read as the same hands."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import MadeOnce
from pokerkit import HandHistory
from support.exported import rows_by_hand

from oracles.histories import read_ohh, read_pokerstars
from railbird.analytics.exported_hands import Written
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

FORMATS: Final = ("phh", "phhs", "acpc", "ohh", "pokerstars", "jsonl")
GROUPS: Final = ("phh", "people", "json-arenas", "other-engines")
SAME: Final = 1e-6

HANDS = """
    select h.match_id, h.hand_index, h.hand_no, h.dealer_seat, h.ended_by, h.board, h.streets
    from hands h order by h.match_id, h.line, h.hand_index
"""
SEATS = """
    select match_id, hand_index, player, seat, hole, stack_start, contribution, delta
    from seats order by match_id, hand_index, seat
"""
ACTIONS = """
    select
      a.match_id, a.hand_index, a.street, s.player, a.action, a.amount_to, a.chips_added, a.to_call, a.pot_before,
      a.stack_before, a.origin
    from actions a join seats s using (match_id, hand_index, seat)
    where a.origin = 'choice'
      or (a.origin = 'substitute' and (a.action <> 'check' or a.stack_before is distinct from 0))
    order by a.match_id, a.hand_index, a.seq
"""
POSTS = """
    select a.match_id, a.hand_index, s.player, a.chips_added
    from actions a join seats s using (match_id, hand_index, seat)
    where a.action = 'post' and a.chips_added > 0 order by a.match_id, a.hand_index, a.seq
"""
Hand = dict[str, Any]


def hands_in(store: Store) -> dict[tuple[int, int], Hand]:
    """Everything that a round trip keeps, by hand."""
    seats, actions, posts = (rows_by_hand(store, query) for query in (SEATS, ACTIONS, POSTS))
    found = {}
    for key, (row,) in rows_by_hand(store, HANDS).items():
        dealer = [seat["player"] for seat in seats[key] if seat["seat"] == row["dealer_seat"]]
        found[key] = {
            "number": row["hand_no"],
            "dealer": dealer,
            "ended": row["ended_by"],
            "board": row["board"] or [],
            "seats": sorted(
                (s["player"], s["hole"] or [], s["stack_start"], s["contribution"], s["delta"])
                for s in seats[key]
            ),
            "actions": [tuple(a.values())[2:-1] for a in actions.get(key, [])],
            "posts": sorted((p["player"], p["chips_added"]) for p in posts.get(key, [])),
        }
    return found


def nearly(one: Any, other: Any) -> bool:
    """Equal, numbers to a millionth."""
    if isinstance(one, float | int) and isinstance(other, float | int):
        return abs(one - other) < SAME
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(nearly, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(nearly(one[key], other[key]) for key in one)
    return bool(one == other)


def without_stacks(hand: Hand) -> Hand:
    """A hand without what players had in front of them."""
    return hand | {
        "seats": [(*seat[:2], *seat[3:]) for seat in hand["seats"]],
        "actions": [action[:-1] for action in hand["actions"]],
    }


def fields_of(folder: Path) -> Iterator[tuple[tuple[int, int], str]]:
    """The text of each hand of an export to PHHS, by its match and number."""
    for path in sorted(folder.glob("*.phhs")):
        for said in path.read_text(encoding="utf-8").split("\n\n"):
            body = said.partition("\n")[2]
            index = int(body.rsplit("_hand_index = ", 1)[1])
            yield (int(path.stem), index), body


@pytest.fixture(scope="module", params=["everything", *GROUPS])
def store(request: pytest.FixtureRequest, made_once: MadeOnce) -> Iterator[Store]:
    """All games that can be simulated; all records of a group of engines."""
    if request.param == "everything":
        yield request.getfixturevalue("everything")
        return
    corpus: Path = request.getfixturevalue("corpus")
    made = made_once(f"trips-{request.param}", lambda fresh: ingest([corpus / request.param], fresh))
    with open_store(made) as opened:
        yield opened


@pytest.fixture(scope="module")
def truth(store: Store) -> dict[tuple[int, int], Hand]:
    return hands_in(store)


@pytest.fixture(scope="module")
def written(store: Store, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Written]:
    folder = tmp_path_factory.mktemp("trips")
    return {name: store.export_hands(folder / name, name) for name in FORMATS}


def test_every_hand_is_written_or_counted_by_its_reason(
    written: Mapping[str, Written], truth: Mapping[tuple[int, int], Hand]
) -> None:
    for name, one in written.items():
        assert one.hands + sum(one.left_out.values()) == len(truth), name
        assert all(reason.strip() for reason in one.left_out)
    assert written["phh"].hands == written["phhs"].hands
    # What a reader may play again is no more than what may be told as text.
    assert written["phh"].hands > 0 < written["ohh"].hands
    assert written["jsonl"].hands >= written["ohh"].hands - written["jsonl"].left_out.get(
        "no player decided anything", 0
    )


def test_phhs_comes_back_as_the_same_hands(
    written: Mapping[str, Written], truth: Mapping[tuple[int, int], Hand], tmp_path: Path
) -> None:
    keys = [key for key, _ in fields_of(written["phhs"].folder)]
    assert len(keys) == written["phhs"].hands
    ingest([written["phhs"].folder], tmp_path / "again")
    with open_store(tmp_path / "again") as again:
        # Two matches of one player may begin alike: the shorter is taken for the beginning of the longer.
        longer = again.execute(
            "select f.path from unknown_lines u join files f using (file_id) "
            "where u.reason like '%replaced by a longer%'"
        ).fetchall()
        keys = [key for key in keys if str(key[0]) not in {Path(path).stem for (path,) in longer}]
        files = again.execute(
            "select f.path, h.match_id, h.hand_index from hands h join matches m using (match_id) "
            "join files f on f.file_id = m.file_id order by f.path, h.line"
        ).fetchall()
        back = hands_in(again)
        verdicts = Counter(v for (v,) in again.execute("select verdict from hands").fetchall())
    assert len(longer) <= 2
    assert len(files) == len(keys), "a hand of the export was not read"
    for (path, match_id, index), key in zip(files, keys, strict=True):
        assert Path(path).stem == str(key[0])
        one, other = back[match_id, index], truth[key]
        if None in [seat[2] for seat in other["seats"]]:
            # Stacks without limit are written as `inf`, of which the rows of a match of two have no word.
            one, other = without_stacks(one), without_stacks(other)
        assert nearly(one, other), (key, other, one)
    assert verdicts["violation"] == verdicts["damaged"] == 0


def test_pokerkit_pays_the_same_without_the_rake(
    written: Mapping[str, Written], truth: Mapping[tuple[int, int], Hand]
) -> None:
    texts = [*fields_of(written["phhs"].folder)]
    raked = 0
    for key, text in texts[:: 1 + len(texts) // 400]:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "There is no reason for this player to fold")
            *_, state = HandHistory.loads(text)
        assert not state.status, key
        paid = sorted(float(chips) for chips in state.payoffs)
        told = sorted(seat[4] if seat[4] is not None else float("nan") for seat in truth[key]["seats"])
        if any(chips != chips for chips in told):
            continue
        rake = -sum(told)
        raked += rake > SAME
        if rake <= SAME:
            assert paid == pytest.approx(told, abs=1e-4), key
        else:
            assert sum(abs(a - b) for a, b in zip(paid, told, strict=True)) == pytest.approx(
                rake, abs=1e-4
            ), key


def net(seats: Iterable[tuple[Any, ...]]) -> list[float]:
    return sorted(seat[4] for seat in seats)


@pytest.mark.parametrize("form", ["ohh", "pokerstars"])
def test_a_second_program_plays_the_histories_and_pays_what_was_paid(
    form: str, written: Mapping[str, Written], truth: Mapping[tuple[int, int], Hand]
) -> None:
    read = {"ohh": read_ohh, "pokerstars": read_pokerstars}[form]
    seen = 0
    for path in sorted(written[form].folder.iterdir()):
        for index, told in read(path.read_text(encoding="utf-8")):
            hand = truth[int(path.stem), index]
            seen += 1
            assert sorted(told.result.values()) == pytest.approx(net(hand["seats"]), abs=0.006), (path, index)
            stacks = sorted(seat[2] for seat in hand["seats"])
            assert sorted(told.stacks.values()) == pytest.approx(stacks), (path, index)
            assert told.board == hand["board"][: len(told.board)]
            moves = [(a[0], a[2]) for a in hand["actions"]]
            assert told.moves == moves, (path, index)
            # By the cards that are shown, and the chips that were put in.
            told.check_winners()
    assert seen == written[form].hands
