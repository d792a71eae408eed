"""Collusion at tables of three and more: partners are found, honest players are not."""

from dataclasses import replace

import numpy as np
import pytest
from arena.tournaments import LOOK_ALIKES, tournament

from railbird.analytics.collusion import detectors, heads_up, multiway
from railbird.analytics.collusion.evidence import carrying_hands
from railbird.analytics.collusion.material import Decisions, Material
from railbird.analytics.settings import LEVEL


def flags(material: Material) -> set[tuple[str, ...]]:
    names = material.players
    return {
        (row.detector, *sorted((names[row.one], names[row.other])))
        for row in detectors.look(material, 1)
        if row.q_all < LEVEL
    }


RING = ("acpc/holdem.limit.3p", "acpc/kuhn.limit.3p")


@pytest.mark.parametrize("game", RING)
@pytest.mark.parametrize(
    ("plan", "detector"),
    [
        ("dump", multiway.COALITION),
        ("dump", heads_up.TRANSFER),
        ("soft-play", heads_up.SOFT_PLAY),
        ("shared-cards", heads_up.HIDDEN_CARDS),
    ],
)
def test_partners_at_a_table_of_three_are_found(plan: str, detector: str, game: str) -> None:
    truth = tournament(game, 3, plan, 1.0, hands=600, players=5)
    assert truth.planted is not None
    found = flags(truth.material)
    assert (detector, *sorted(truth.planted)) in found
    assert {tuple(row[1:]) for row in found} == {tuple(sorted(truth.planted))}


@pytest.mark.parametrize("alike", LOOK_ALIKES)
def test_honest_players_at_a_table_of_three_are_not_flagged(alike: str) -> None:
    assert not flags(tournament("acpc/kuhn.limit.3p", 33, "none", 0.0, alike, players=5, hands=600).material)


def test_every_card_of_kuhn_is_a_strength_of_its_own() -> None:
    # The two highest lie in one tenth of the scale.
    study = multiway.Ring(tournament("acpc/kuhn.limit.3p", 3, hands=60, players=4).material, 5)
    strength = study.material.decisions.own[np.arange(len(study.strength)), study.material.decisions.seat]
    pairs = set(zip(strength.tolist(), study.strength.tolist(), strict=True))
    assert len(pairs) == len(set(strength.tolist())) == len(set(study.strength.tolist())) == 4


def test_hands_that_show_nothing_are_not_shown() -> None:
    material = tournament("acpc/kuhn.limit.3p", 3, hands=60, players=4).material
    where = np.arange(8)
    weight = np.array([0.0, 3.0, -np.inf, 1.0, 0.0, -1.0, 0.0, 2.0])
    d = material.decisions
    wanted = dict.fromkeys((int(d.match[k]), int(d.hand[k])) for k in (1, 7, 3))
    assert carrying_hands(material, where, weight) == tuple(wanted)
    assert carrying_hands(material, where, np.zeros(8)) == ()


def test_who_always_meets_is_compared_within_the_table() -> None:
    # Five at every table, so nobody's tables are without anybody.
    rng = np.random.default_rng(7)
    material = tournament("acpc/kuhn.limit.3p", 3, hands=60, players=5).material
    seats = np.array([rng.permutation(5) for _ in range(20)], np.int16)
    d = material.decisions
    fields = {name: getattr(d, name)[:2000] for name in Decisions.__annotations__}
    match = np.repeat(np.arange(20), 100).astype(np.int32)
    count = len(match)
    seat = rng.integers(0, 5, count).astype(np.int8)
    place = np.tile(np.arange(100), 20).astype(np.int32)
    fields |= {"match": match, "hand": place, "place": place, "seat": seat}
    fields |= {"others": seats[match], "player": seats[match, seat], "live": np.full(count, 31, np.int32)}
    fields |= {name: np.full((count, 5), 0.2, np.float32) for name in ("own", "shares", "after")}
    whole = replace(
        material,
        seats=seats,
        matches=tuple(range(20)),
        hands=np.full(20, 100, np.int64),
        played=np.full(20, 100, np.int64),
        decisions=Decisions(**fields),
    )
    study = multiway.Ring(whole, 5)
    gift = rng.normal(size=(count, 5))
    gift[(fields["player"] == 3)[:, None] & (fields["others"] == 1)] += 3.0
    tests = study.apart(gift, 1)
    assert tests[3, 1].p < 0.001
    assert min(test.p for pair, test in tests.items() if pair != (3, 1)) > 0.001
