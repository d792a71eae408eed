"""Which engine explains a log: by what it pays and by the lines it prints."""

from pathlib import Path

import pytest
from support.checking import check

from railbird.replay.heads_up.chunk import engines_of
from railbird.replay.heads_up.judging import BITS
from railbird.variants.bounty import GAME

PROFILES = [profile.name for profile in GAME.profiles]
# Without a fold for free nothing in a log tells these two; the later is named.
LATER = {"2025-01-07": "2025-01-08"}


@pytest.mark.parametrize("name", PROFILES)
def test_every_revision_is_told_by_its_sample(name: str, sample_logs: Path) -> None:
    found = check((sample_logs / "bounty" / f"{name}.txt").read_bytes())
    assert found.is_clean
    assert found.profiles == [LATER.get(name, name)]


def test_an_engine_that_shows_no_cards_explains_no_log_that_does(sample_logs: Path) -> None:
    shows = engines_of(GAME).prints & BITS["shows"] > 0
    assert [name for name, does in zip(PROFILES, shows, strict=True) if not does] == ["2025-01-08a"]
    hidden = check((sample_logs / "bounty" / "2025-01-08a.txt").read_bytes())
    assert {rule for _, rule, _ in hidden.deviating} >= {"show-missing"}


def test_one_hidden_showdown_among_shown_ones_is_a_violation(sample_logs: Path) -> None:
    text = (sample_logs / "bounty" / "2025-01-08.txt").read_bytes()
    lines = text.split(b"\n")
    at = next(number for number, line in enumerate(lines) if b" shows [" in line)
    found = check(b"\n".join(lines[:at] + lines[at + 2 :]))
    assert dict(found.rules) == {"show-missing": 1}
    assert found.verdicts.count("violation") == 1
