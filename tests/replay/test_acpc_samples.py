"""The ACPC sample logs: as the command writes them, every hand ok, and together they show all there is."""

from collections import Counter
from pathlib import Path

import pytest
from support.acpc import check_file

from railbird.parsers.acpc_game import is_definition, parse_definition
from railbird.replay.acpc.definitions import shipped
from railbird.tools import acpc_samples
from railbird.tools.acpc_samples import ACPC_SAMPLES, AcpcSample


@pytest.mark.parametrize("sample", ACPC_SAMPLES, ids=lambda sample: sample.path)
def test_a_sample_is_what_the_command_writes(sample: AcpcSample, sample_logs: Path) -> None:
    for name, text in sample.texts().items():
        assert (sample_logs / name).read_bytes() == text.encode()


def test_no_other_file_lies_among_them(sample_logs: Path, tmp_path: Path) -> None:
    written = {path.relative_to(tmp_path) for path in acpc_samples.write_samples(tmp_path)}
    assert written == {path.relative_to(sample_logs) for path in (sample_logs / "acpc").iterdir()}


def test_the_command_names_what_it_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    acpc_samples.main([str(tmp_path)])
    assert len(capsys.readouterr().out.splitlines()) >= len(ACPC_SAMPLES)


@pytest.mark.parametrize("sample", ACPC_SAMPLES, ids=lambda sample: sample.path)
def test_every_hand_of_a_sample_is_ok(sample: AcpcSample, sample_logs: Path) -> None:
    assert sample.hands <= 60
    assert sample.shows
    checked = check_file(sample_logs / f"{sample.path}.log")
    assert set(checked.verdicts) == {"ok"}
    assert not checked.rules
    assert not checked.unknown + checked.stray
    assert len(checked.rejected) == (sample.path == "acpc/cut-short")
    assert checked.names == [tuple(name for name, _ in sample.players)]
    (outcome,) = checked.outcomes
    assert outcome.columns["game"] == f"acpc/{sample.game}"
    assert outcome.columns["seed"] == sample.seed


def test_together_they_show_all_there_is(sample_logs: Path) -> None:
    checked = {s.path: check_file(sample_logs / f"{s.path}.log") for s in ACPC_SAMPLES}
    seats = [row for one in checked.values() for row in one.rows("seats")]
    actions = [row for one in checked.values() for row in one.rows("actions")]
    faults = Counter(row["kind"] for one in checked.values() for row in one.rows("faults"))
    assert any(row["delta"] != round(row["delta"]) for row in seats)
    assert {row["action"] for row in actions} == {"post", "fold", "check", "call", "bet", "raise"}
    assert {row["origin"] for row in actions} == {"post", "choice", "substitute"}
    assert set(faults) == {"illegal", "misformatted", "disconnected"}
    assert any(row["undealt"] for one in checked.values() for row in one.rows("hands"))
    groups = Counter(one.outcomes[0].columns["duplicate_group"] for one in checked.values())
    assert sorted(groups.values())[-2:] == [2, 6]


def test_shipped_definitions_are_what_the_dealer_has() -> None:
    names = {definition.name: definition for definition in shipped()}
    assert {d.players for d in names.values()} == {2, 3, 6}
    assert names["holdem.limit.3p"].max_raises == (3, 4, 4, 4)
    assert names["holdem.nolimit.6p"].stacks == (10000,) * 6
    assert names["kuhn.limit.3p"].blinds == (1, 1, 1)


@pytest.mark.corpus_files("acpc/engine/**/*.game")
def test_shipped_definitions_are_those_beside_logs(corpus_file: Path) -> None:
    text = corpus_file.read_text()
    assert is_definition(text)
    name = corpus_file.name.removesuffix(".game")
    for definition in shipped():
        assert definition.name != name or definition == parse_definition(text, name)
