"""Out and in again: what the exporters write of any game and of any engine's records is read as the same hands."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest
from conftest import MadeOnce
from pokerkit import HandHistory
from support.exported import Key
from support.trips import SAME, Hand, acpc_trip, fields_of, hands_in, history_trip, phh_trip

from railbird.analytics.exported_hands import Written
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

FORMATS: Final = ("phh", "phhs", "acpc", "ohh", "pokerstars", "jsonl")
GROUPS: Final = ("phh", "people", "json-arenas", "other-engines")


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
def truth(store: Store) -> dict[Key, Hand]:
    return hands_in(store)


@pytest.fixture(scope="module")
def written(store: Store, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Written]:
    folder = tmp_path_factory.mktemp("trips")
    return {name: store.export_hands(folder / name, name) for name in FORMATS}


def test_every_hand_is_written_or_counted_by_its_reason(
    written: Mapping[str, Written], truth: Mapping[Key, Hand]
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
    written: Mapping[str, Written], truth: Mapping[Key, Hand], tmp_path: Path
) -> None:
    trip = phh_trip(written["phhs"], truth, tmp_path / "again")
    assert not trip.different
    assert trip.equal + sum(trip.lost.values()) == written["phhs"].hands
    # Two matches of one player may begin alike.
    assert sum(trip.lost.values()) <= 2
    assert trip.verdicts["violation"] == trip.verdicts["damaged"] == 0


def test_acpc_logs_come_back_as_the_same_hands(
    written: Mapping[str, Written], store: Store, tmp_path: Path
) -> None:
    trip = acpc_trip(written["acpc"], store, tmp_path / "again")
    assert not trip.different
    assert trip.equal + sum(trip.lost.values()) == written["acpc"].hands
    # Logs of a hand or two may be alike; every log of people lacks a player of the match, or cards.
    assert sum(trip.lost.values()) <= 5
    assert {*trip.verdicts} <= {"ok"}
    assert trip.equal > 200 or "not all players of the match are in the hand" in written["acpc"].left_out


def test_pokerkit_pays_the_same_without_the_rake(
    written: Mapping[str, Written], truth: Mapping[Key, Hand]
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


@pytest.mark.parametrize("form", ["ohh", "pokerstars"])
def test_a_second_program_plays_the_histories_and_pays_what_was_paid(
    form: str, written: Mapping[str, Written], truth: Mapping[Key, Hand]
) -> None:
    trip = history_trip(written[form], truth)
    assert not trip.different
    assert trip.equal == written[form].hands
