"""A few of the edited logs of `hammer.mutations`, of which `make boundscheck` reads thousands."""

from pathlib import Path

from hammer.mutations import failures, mutated


def test_nothing_fails_on_edited_logs_and_the_ledger_adds_up(sample_logs: Path, tmp_path: Path) -> None:
    logs = [path for path in sorted(sample_logs.rglob("*")) if path.is_file()]
    assert failures(logs, range(40), tmp_path / "some") == []


def test_an_edited_log_is_made_again_of_its_seed(sample_logs: Path) -> None:
    logs = sorted(sample_logs.rglob("*.txt"))
    made = [mutated(logs, seed) for seed in range(20)]
    assert made == [mutated(logs, seed) for seed in range(20)]
    assert len(set(made)) == 20
