"""The study of `compare`: what it keeps of a run, and the figures that it makes of several."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench import compare_study as study

from railbird.analytics import equities, hand_values
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.evaluator import strength_of


def kept(kind: str, number: int, decided: tuple[int, str] | None) -> tuple[dict[str, object], np.ndarray]:
    """A run of made-up matches as the study keeps it, and A's raw results."""
    rng = np.random.default_rng(number)
    cards = np.repeat(rng.normal(0, 30, 40), 2) * np.tile([1, -1], 40)
    raw = 8 + cards + rng.normal(0, 20, 80)
    pairs = raw.reshape(-1, 2).mean(axis=1)
    row: dict[str, object] = {
        "kind": kind,
        "run": number,
        "decided": decided,
        "crossed": study.crossings(pairs, 200),
        "raw": study.sums(raw),
        "adjusted": study.sums(raw / 2),
        "pairs": study.sums(pairs),
        "first": study.sums(pairs),
        "seats": study.sums(raw[::2], raw[1::2]),
    }
    return row, raw


def test_sums_of_runs_say_what_their_matches_say() -> None:
    rows, raws = zip(*(kept("null", number, None) for number in range(3)), strict=True)
    every = np.concatenate(raws)
    assert study.spread_of(*study.added(rows, "raw").tolist()) == pytest.approx(every.std(ddof=1))
    together = np.corrcoef(every[::2], every[1::2])[0, 1]
    assert together < -0.3
    assert f"correlate by {together:+.2f}." in next(study.summary(rows))


def test_the_power_of_runs() -> None:
    made = [kept("pairs", number, (1000 * number, "better")) for number in range(1, 4)]
    rows, raws = zip(*made, strict=True)
    every = np.concatenate(raws)
    line = next(study.summary(rows))
    assert (
        f"leak is {every.mean():.1f} ± {1.96 * every.reshape(-1, 2).mean(axis=1).std(ddof=1) / 120**0.5:.1f}"
        in line
    )
    needed = study.POWER * (every.std(ddof=1) * 10 / every.mean()) ** 2
    assert f"needs {needed:,.0f} hands" in line
    assert f"in 3 runs: 2,000, {2000 / needed:.2f} of that" in line
    assert "wrong verdicts: 0. The luck adjustment removes 50%" in line


def test_a_deck_comes_again_with_its_estimates() -> None:
    one, same, other = (study.Deals([3, number, 0]) for number in (7, 7, 8))
    assert np.array_equal(one.decks, same.decks)
    assert not np.array_equal(one.decks, other.decks)
    assert all(sorted(deck) == list(range(52)) for deck in one.decks.tolist())
    places = [(hand, position, street) for hand in range(20) for position in (0, 1) for street in range(4)]
    assert [one.strength(*place) for place in places] == [
        same.strength(*place) for place in reversed(places)
    ][::-1]


def test_an_estimate_is_the_share_of_hands_that_are_beaten() -> None:
    deals = study.Deals([1, 1, 0])
    rng = np.random.default_rng(5)
    for street in (1, 2, 3):
        found, known = [], []
        for hand in range(study.HANDS):
            cards = deals.decks[hand]
            hole, board = cards[2:4], cards[4 : 6 + street]
            unseen = np.setdiff1d(np.arange(52, dtype=np.int8), np.concatenate([hole, board]))
            own = strength_of(np.concatenate([hole, board]), 4 + street)
            drawn = [rng.choice(unseen, 2, replace=False) for _ in range(200)]
            others = [strength_of(np.concatenate([pair, board]), 4 + street) for pair in drawn]
            known.append(np.mean([(own > one) + (own == one) / 2 for one in others]))
            found.append(deals.strength(hand, 1, street))
        # The standard error of 16 draws, and of 200, in a hundred hands.
        assert np.mean(found) == pytest.approx(np.mean(known), abs=4 * 0.5 * (1 / 1600 + 1 / 20000) ** 0.5)
        assert np.corrcoef(found, known)[0, 1] > 0.9


def test_the_study_changes_nothing_for_others(tmp_path: Path) -> None:
    study.write_logs(tmp_path / "logs", 5, 0, 2 * study.HANDS, False, True)
    ingest([tmp_path / "logs"], tmp_path / "store", workers=1)
    study.looks(tmp_path / "store")
    assert vars(equities)["outcome"] is hand_values.outcome


def test_the_logs_are_what_the_rules_say(tmp_path: Path) -> None:
    study.write_logs(tmp_path / "logs", 3, 0, 4 * study.HANDS, True, True)
    ingest([tmp_path / "logs"], tmp_path / "store", workers=1)
    steps, raw = study.looks(tmp_path / "store")
    assert len(raw) == 4
    assert len(steps.won) == 4
    with open_store(tmp_path / "store") as store:
        found = store.execute(
            "select game, sum(hands), count(*), count(distinct duplicate_group) from matches group by game"
        ).fetchall()
    assert found == [(study.GAME, 400, 4, 2)]
