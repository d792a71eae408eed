"""An edited log is noticed: random single edits to clean logs, engine-written, published and simulated."""

from functools import cache
from pathlib import Path

import pytest
from conftest import NO_CORPUS, ROOT, corpus_root
from support.edits import ALWAYS, SOMETIMES, Log, clean_logs, measure

SEED = 2025
# Logs by the folders they lie in, and how many edits of a kind are made.
GROUPS = {
    "bounty": (("bounty*", "holdem-mit"), 200),
    "river-of-blood": (("river-of-blood*",), 60),
    "permutation": (("permutation*",), 60),
    "swap": (("swap*",), 60),
}
# What only some of the games print.
SOME_PRINT = {
    "current stacks": ("bounty",),
    "winning counts": ("bounty",),
    "bounty hit dropped": ("bounty",),
    "bounty hit added": ("bounty",),
    "bounty rank": ("bounty",),
    "bets EV": ("bounty", "swap"),
    "won in the run": ("river-of-blood",),
    "swapped or not": ("swap",),
    "hole card after a street": ("swap",),
    "permutation": ("permutation",),
    "straights": ("permutation",),
}
# What is seen of the others in any of the folders below, less a margin; docs/edits.md has the table.
FLOORS = {
    "action kind": 0.98,
    "amount": 0.60,
    "dealt hole card": 0.40,
    "board card": 0.84,
    "hole card after a street": 0.60,
    "bounty rank": 0.93,
    "bets EV": 1.0,
    "round number": 1.0,
    "line dropped": 1.0,
}
LOWER_FLOORS = {
    ("river-of-blood", "action kind"): 0.93,
    ("river-of-blood", "amount"): 0.40,
    ("river-of-blood", "dealt hole card"): 0.20,
    ("river-of-blood", "board card"): 0.65,
    # With one name a check before a bet.
    ("river-of-blood", "line dropped"): 0.95,
    ("permutation", "amount"): 0.45,
    ("swap", "amount"): 0.45,
    ("swap", "board card"): 0.50,
    ("swap", "hole card after a street"): 0.45,
    # What is dealt otherwise is, in the line after the flop, a card that was swapped.
    ("swap", "dealt hole card"): 0.10,
}


@cache
def logs(folder: Path, group: str) -> list[Log]:
    paths = [path for game in GROUPS[group][0] for path in folder.glob(f"{game}/**/*.txt")]
    return clean_logs(sorted(path for path in paths if path.is_file()))


@pytest.fixture(params=["sample_logs", "corpus"])
def folder(request: pytest.FixtureRequest) -> Path:
    if request.param == "sample_logs":
        return ROOT / "sample_logs"
    root = corpus_root()
    if root is None:
        pytest.skip(NO_CORPUS)
    return root


def kinds(edits: dict[str, object]) -> list[tuple[str, str]]:
    return [(group, kind) for group in GROUPS for kind in edits if group in SOME_PRINT.get(kind, GROUPS)]


@pytest.mark.parametrize(("group", "kind"), kinds({**ALWAYS}))
def test_edits_of_what_a_log_repeats_are_all_noticed(group: str, kind: str, folder: Path) -> None:
    edits = GROUPS[group][1]
    tally = measure(logs(folder, group), ALWAYS[kind], edits, SEED)
    assert tally.made == edits
    assert not tally.unseen
    assert tally.flagged == edits


@pytest.mark.parametrize(("group", "kind"), kinds({**SOMETIMES}))
def test_a_share_of_the_other_edits_is_noticed(group: str, kind: str, folder: Path) -> None:
    edits = GROUPS[group][1]
    tally = measure(logs(folder, group), SOMETIMES[kind], edits, SEED)
    assert tally.made == edits
    assert tally.share >= LOWER_FLOORS.get((group, kind), FLOORS[kind])


def test_there_are_at_least_2000_edits_that_must_all_be_noticed() -> None:
    assert sum(GROUPS[group][1] for group, _ in kinds({**ALWAYS})) >= 2000
