"""The sample logs: as the command writes them, and together they show all there is."""

from collections import Counter
from pathlib import Path

import pytest
from support.replayed import ReplayedMatch, replay_text

from railbird.parsers import mit
from railbird.parsers.events import CODES, FAULT_KINDS
from railbird.replay.bots import GARBAGE
from railbird.replay.records import ALLIN, POST
from railbird.replay.replaying import game_named
from railbird.schema.words import ORIGINS
from railbird.tools import samples
from railbird.tools.samples import SAMPLES, Sample
from railbird.variants.registry import GAMES

FAULTS = {"illegal_fold", "illegal_call", "illegal_check", "illegal_raise", "misformatted", "late", "gone"}


@pytest.fixture(scope="module")
def replayed() -> dict[str, ReplayedMatch]:
    return {sample.path: replay_text(sample.text()) for sample in SAMPLES}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.path)
def test_a_sample_is_what_the_command_writes(sample: Sample, sample_logs: Path) -> None:
    assert (sample_logs / sample.path).read_bytes() == sample.text().encode()


def test_no_other_log_lies_among_them(sample_logs: Path) -> None:
    simulated = {sample_logs / sample.game for sample in SAMPLES}
    there = {path for path in sample_logs.rglob("*") if path.is_file() and path.parent in simulated}
    assert there == {sample_logs / sample.path for sample in SAMPLES}


def test_the_command_writes_them_below_the_folder_it_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples.main([str(tmp_path / "logs")])
    written = capsys.readouterr().out.splitlines()
    assert written == [str(tmp_path / "logs" / sample.path) for sample in SAMPLES]
    assert Path(written[0]).read_bytes() == SAMPLES[0].text().encode()


def test_samples_are_small_and_each_says_what_it_shows() -> None:
    assert all(sample.hands <= 60 for sample in SAMPLES)
    assert len({sample.path for sample in SAMPLES}) == len(SAMPLES)
    assert all(sample.shows and sample.path.startswith(f"{sample.game}/") for sample in SAMPLES)


def test_every_line_of_a_sample_is_read_and_no_hand_is_a_violation(
    replayed: dict[str, ReplayedMatch],
) -> None:
    for sample in SAMPLES:
        match = replayed[sample.path]
        assert match.game == sample.game
        assert match.names == tuple(name for name, _ in sample.players)
        assert match.odd_lines == 0
        # Streets of the bare word hide the board.
        hides = sample.profile == "2023-01-02a" or game_named(sample.game).hides_runouts
        unverified = {"unverified"} if hides else set()
        assert {hand.verdict for hand in match.hands} <= {"ok", "engine_deviation"} | unverified


# Two flushes in a run that hardly ever goes on; blinds that pass the stack with hand 4,200, see variants/test_forks.py.
NOT_IN_60_HANDS = {"hpi.eval7-flush", "husky.more-than-the-stack", "husky.call-takes-back"}


@pytest.mark.parametrize("game", sorted({sample.game for sample in SAMPLES}))
def test_samples_show_every_profile_and_every_deviation_of_a_game(
    game: str, replayed: dict[str, ReplayedMatch]
) -> None:
    rules = next(g for g in GAMES if g.name == game)
    assert {profile.name for profile in rules.profiles} <= {
        rules.profiles[-1].name if sample.profile == "latest" else sample.profile
        for sample in SAMPLES
        if sample.game == game
    }
    shown = {
        name
        for sample in SAMPLES
        if sample.game == game
        for hand in replayed[sample.path].hands
        for name in hand.deviations
    }
    # Those without a date are of no engine's making.
    assert shown == {deviation.name for deviation in rules.deviations if deviation.since} - NOT_IN_60_HANDS


def test_what_is_written_is_paid_so_and_the_rest_is_not_always(replayed: dict[str, ReplayedMatch]) -> None:
    as_written = replayed["bounty/as-written.txt"]
    assert all(hand.deltas == hand.written for hand in as_written.hands)
    first = replayed["bounty/2025-01-05.txt"]
    assert any(hand.deltas != hand.written for hand in first.hands)


def test_one_sample_holds_every_garbage_a_bot_may_say(sample_logs: Path) -> None:
    text = (sample_logs / "bounty/faults.txt").read_bytes().decode()
    assert not [said for said in GARBAGE if f" response misformatted: {said}\n" not in text]


def test_samples_show_faults_ties_all_ins_and_every_ending(replayed: dict[str, ReplayedMatch]) -> None:
    seen: Counter[str] = Counter()
    for match in replayed.values():
        for hand in match.hands:
            seen["tie"] += hand.streets == 4 and hand.put[0] == hand.put[1] and hand.deltas == [0, 0]
            seen["hit by both"] += all(hand.hits)
            seen["hit by one"] += sum(hand.hits) == 1
            seen.update(kind for _, kind in hand.faults)
            seen.update(ORIGINS[origin] for _, _, _, origin, _ in hand.actions)
            seen.update(f"ends on street {hand.streets}" for _ in range(1))
            seen["all-in before the flop"] += any(
                origin == ALLIN and street == 1 for street, _, _, origin, _ in hand.actions
            )
            seen["post"] += any(action == POST for _, _, action, _, _ in hand.actions)
    due = FAULTS | {f"ends on street {number}" for number in (1, 2, 3, 4)}
    due |= {"tie", "hit by both", "hit by one", "choice", "substitute", "allin", "all-in before the flop"}
    assert not {what for what in due if not seen[what]}
    # No bounty engine leaves an illegible answer out.
    assert {t.event for t in mit.GRAMMAR.templates if CODES[t.event] in FAULT_KINDS} == FAULTS | {"illegible"}
    assert not seen["post"]
