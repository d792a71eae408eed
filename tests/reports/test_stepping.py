"""A hand step by step: boards that go on, cards that change and that count as others."""

from pathlib import Path

import pytest

from railbird.analytics.players import rules_of
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.reports.replayer import load_hand, street_name

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"


@pytest.mark.parametrize(
    ("game", "which", "said"),
    [
        ("river-of-blood", "street > 5", "run ["),
        ("permutation", "cards_effective <> cards", "] as ["),
        ("swap", "kind = 'swap'", "now holds ["),
        ("redraw-2017", "kind = 'swap'", "discards a card for ["),
        ("pineapple-2013", "kind = 'discard'", "discards ["),
        ("anaconda", "kind = 'pass'", "passes ["),
        ("sneak-peek", "kind = 'reveal'", "sees ["),
        ("tacs", "kind = 'redraw' and cards[1] is null", "draws ? for ["),
    ],
)
def test_what_is_dealt_is_told_in_the_order_of_the_log(
    game: str, which: str, said: str, tmp_path: Path
) -> None:
    ingest([SAMPLES / game], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        query = f"select match_id, hand_index from deals where {which} order by all limit 1"
        ((match, index),) = store.execute(query).fetchall()
        hand = load_hand(store, f"{match}#{index}")
    lines = [step.line for step in hand.steps]
    assert lines == sorted(lines)
    (told, *_) = (step for step in hand.steps if said in step.text)
    # An action and its cards are one step; a redraw comes with an action of its own.
    assert lines.count(told.line) == 1 + (game == "tacs")


def test_a_fault_stands_in_the_street_that_was_played(tmp_path: Path) -> None:
    ingest([SAMPLES / "blotto" / "assignments.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        hand = load_hand(store, "blotto/assignments#9")
    played = {step.line: step.street for step in hand.steps if step.kind != "fault"}
    faults = [step for step in hand.steps if step.kind == "fault"]
    assert len({step.street for step in faults}) > 1
    for step in faults:
        assert step.street == played[max(line for line in played if line < step.line)]


@pytest.mark.parametrize(
    ("game", "streets"),
    [("holdem-mit", 4), ("river-of-blood", 7), ("acpc/kuhn.limit.3p", 1), ("acpc/leduc.limit.2p", 2)],
)
def test_streets_are_called_as_the_macro_calls_them(game: str, streets: int, samples_folder: Path) -> None:
    with open_store(samples_folder) as store:
        said = store.sql(
            "select list(street_name(s, $game) order by s) from range($streets) as r (s)",
            game=game,
            streets=streets,
        )
        assert said.fetchall() == [
            ([street_name(rules_of(store, game), street) for street in range(streets)],)
        ]
