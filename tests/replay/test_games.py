"""How much a game may be, and that what is written in few bits fits there."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.checking import check

from railbird.parsers import events
from railbird.replay import findings, flags, records
from railbird.replay.findings import NO_EXPLANATION
from railbird.replay.games import MOST_DEVIATIONS, MOST_PROFILES, UNEXPLAINED, Deviation, Profile
from railbird.replay.heads_up.state import END_OF_TEXT
from railbird.replay.verdicts import byte_of
from railbird.schema.words import FLAGS
from railbird.variants.bounty import GAME as BOUNTY


def profiles(count: int) -> tuple[Profile, ...]:
    """Those of Bounty, then more that print what no log has."""
    more = tuple(Profile(f"new-{k}", prints=frozenset({"runs"})) for k in range(count))
    return (*BOUNTY.profiles, *more)[:count]


def deviations(count: int) -> tuple[Deviation, ...]:
    """Those of Bounty, then more that no engine has."""
    more = tuple(Deviation(f"bounty.new-{k}", "pay", "", "", "") for k in range(count))
    return (*BOUNTY.deviations, *more)[:count]


def test_a_game_says_of_what_it_has_more_than_there_is_room_for() -> None:
    with pytest.raises(ValueError, match=r"^bounty has 9 engine profiles, there is room for 8$"):
        replace(BOUNTY, profiles=profiles(9))
    with pytest.raises(ValueError, match=r"^bounty has 8 deviations, there is room for 7$"):
        replace(BOUNTY, deviations=deviations(8))
    with pytest.raises(ValueError, match=r"^bounty has 9 streets, there is room for 8$"):
        replace(BOUNTY, boards=tuple(range(9)))
    with pytest.raises(ValueError, match=r"^bounty has 8 hole cards, there is room for 7$"):
        replace(BOUNTY, hole_cards=7, auctions=True)
    with pytest.raises(ValueError, match=r"^bounty has 4 boards, there is room for 3$"):
        replace(BOUNTY, free_chips=(0.0,) * 4)


@pytest.mark.parametrize("name", [profile.name for profile in BOUNTY.profiles])
def test_a_game_that_has_all_there_is_room_for_is_judged_as_the_smaller(
    name: str, sample_logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (sample_logs / "bounty" / f"{name}.txt").read_bytes()
    found = check(text)
    full = replace(BOUNTY, profiles=profiles(MOST_PROFILES), deviations=deviations(MOST_DEVIATIONS))
    monkeypatch.setattr("support.checking.game_named", lambda _: full)
    assert check(text) == found


def test_what_a_deviation_explains_is_a_byte_a_profile() -> None:
    last = "bounty.new-1"
    of_last = (*profiles(MOST_PROFILES - 1), Profile("last", (last,)))
    game = replace(BOUNTY, profiles=of_last, deviations=deviations(MOST_DEVIATIONS))
    explained = game.explained_by(last)
    assert np.int64(explained) == explained
    told = [byte_of(explained, place) for place in range(MOST_PROFILES)]
    assert told == [UNEXPLAINED] * (MOST_PROFILES - 1) + [1 << MOST_DEVIATIONS - 1]
    assert game.explained_by("bounty.none-has-it") == NO_EXPLANATION


def test_the_codes_fit_the_columns_they_are_written_to() -> None:
    def most(kind: np.dtype[np.void], column: str) -> int:
        return int(np.iinfo(kind[column]).max)

    assert 1 << MOST_DEVIATIONS <= UNEXPLAINED
    assert (
        min(most(records.HAND, "deviations"), most(records.FINDING, "deviation"))
        >= (1 << MOST_DEVIATIONS) - 1
    )
    assert most(records.MATCH, "ties") >= (1 << MOST_PROFILES) - 1
    assert records.FINDING["explained"].itemsize == MOST_PROFILES
    assert len(findings.RULES) - 1 <= most(records.FINDING, "rule")
    assert most(records.FAULT, "code") >= events.LAST_FAULT
    assert max(events.CODES.values()) < END_OF_TEXT - 1
    assert (1 << len(FLAGS)) - 1 <= most(records.SEAT, "flags")
    assert [getattr(flags, flag.upper()) for flag in FLAGS] == [1 << bit for bit in range(len(FLAGS))]
