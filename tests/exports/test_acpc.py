"""ACPC logs: read again they make the same hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import Run
from support.exported import Key, hands_of
from support.trips import Trip, acpc_trip

from railbird.analytics import exported_hands
from railbird.analytics.exported_hands import Written
from railbird.analytics.settings import FileKind
from railbird.analytics.store import Store
from railbird.exports.acpc import NEW_RUN, Acpc
from railbird.exports.hands import CHANGED, CannotHold, Hand, Options

STORES = ("samples", "everything", "many")


class Back(NamedTuple):
    """An export: what was written, from what, and what was read of it."""

    written: Written
    truth: Mapping[Key, dict[str, Any]]
    trip: Trip


@pytest.fixture(scope="module", params=STORES)
def back(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Back:
    store: Store = request.getfixturevalue(request.param)
    folder = tmp_path_factory.mktemp("acpc")
    written = store.export_hands(folder / "logs", "acpc")
    return Back(written, hands_of(store), acpc_trip(written, store, folder / "store"))


def test_every_hand_comes_back_with_its_chips_actions_and_cards(back: Back) -> None:
    assert not back.trip.different
    assert back.trip.equal == back.written.hands > 150


def test_the_rules_of_what_is_read_are_kept(back: Back) -> None:
    assert {*back.trip.verdicts} == {"ok"}


def test_all_of_acpc_and_all_sound_hands_of_hold_em_are_there(back: Back) -> None:
    left = sum(back.written.left_out.values())
    assert back.written.hands + left == len(back.truth)
    theirs = [hand for hand in back.truth.values() if hand["game"].startswith("acpc")]
    assert back.written.hands >= len(theirs)
    if len(back.truth) >= 10_000:
        assert len(back.truth) == 10_000
        assert back.written.hands > 9_000


def test_a_name_that_a_line_cannot_hold_is_changed_and_counted(few: Store, tmp_path: Path) -> None:
    matches = exported_hands._matches(few)
    _, of_match = next(exported_hands._by_match(few, matches, False))
    hand = next(of_match)
    form = Acpc(Options())

    def line(*players: str) -> tuple[str, tuple[str, ...]]:
        match = replace(hand.match, players=players)
        form.begin(match)
        (text,) = form.write(replace(hand, match=match))
        return text.text.rsplit(":", 1)[1].strip(), text.notes

    seats = [seat.seat for seat in in_order(hand)]
    for players, called in (
        (("Ann", "Bea"), ("Ann", "Bea")),
        (("A:B|C", "A_B_C"), ("A_B_C_1", "A_B_C")),
        (("#\n", ' "q", é '), ("_ _".replace(" ", ""), '"q", é')),
        (("same", "same"), ("same", "same")),
        ((" ", "\t"), ("player", "_")),
    ):
        said, notes = line(*players)
        assert said == "|".join(called[seat] for seat in seats)
        assert (CHANGED in notes) is (called != players)


def in_order(hand: Hand) -> list[Any]:
    return sorted(hand.seats, key=lambda seat: (seat.seat - (hand.dealer_seat or 0) - 1) % 2)


def test_a_gap_and_other_stakes_begin_a_log(few: Store) -> None:
    matches = exported_hands._matches(few)
    match, of_match = next(exported_hands._by_match(few, matches, False))
    form = Acpc(Options())
    form.begin(match)
    logs, notes = [], 0
    for hand in of_match:
        other = hand
        if hand.hand_index == 7:
            continue
        if hand.hand_index == 20:
            other = replace(hand, seats=tuple(s._replace(stack_start=5000.0) for s in hand.seats))
        try:
            texts = list(form.write(other))
        except CannotHold:
            continue
        logs += [text.path for text in texts if text.path.endswith(".log")]
        notes += sum(NEW_RUN in text.notes for text in texts)
    assert notes == len({*logs}) - 1 >= 3


def test_the_command_says_how_many_files_there_are(run: Run, few: Store, tmp_path: Path) -> None:
    out = tmp_path / "new"
    assert run("export", out, "--to", "acpc", "--store", few.path) == (
        0,
        f"wrote 100 of 100 hands to {out} as acpc, 4 files\n",
        "",
    )
    assert sorted(path.suffix for path in out.glob("*/*")) == [".game", ".game", ".log", ".log"]


def test_the_sentence_counts_what_was_changed_and_left_out(tmp_path: Path) -> None:
    written = Written(tmp_path, FileKind.ACPC, 1, 1, {"x": 1, "a": 1234, "b": 1}, {CHANGED: 2, NEW_RUN: 3})
    assert written.sentence == (
        f"wrote 1 of 1,237 hands to {tmp_path} as acpc, 1 file; left out 1,236: 1,234 a, 1 b, 1 x; "
        f"changed 5: 3 {NEW_RUN}, 2 {CHANGED}"
    )
