"""What every test may count on: a quiet environment, and the corpus of logs where there is one."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from support.failures import no_failure

import railbird.variants.registry  # noqa: F401 - makes the games known

if TYPE_CHECKING:
    from railbird.analytics.store import Store

Run = Callable[..., tuple[int, str, str]]
MadeOnce = Callable[[str, Callable[[Path], object]], Path]
ROOT = Path(__file__).resolve().parent.parent
NO_CORPUS = "RAILBIRD_CORPUS is not set: it names a folder of logs (CONTRIBUTING.md)"
SKIPPED = pytest.param(None, id="no-corpus", marks=pytest.mark.skip(reason=NO_CORPUS))
"""The one case of a test over files of the corpus where there is none."""

# Before matplotlib and Rich are imported: no window, no colours, one width, no store of the user's own.
os.environ.update(MPLBACKEND="Agg", NO_COLOR="1", COLUMNS="120")
# What users' large logs are read by, not what stands in for it where nothing is compiled yet.
os.environ.setdefault("RAILBIRD_COMPILE", "1")
for name in ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "RAILBIRD_STORE"):
    os.environ.pop(name, None)

# A first example may compile a kernel. The suite is the same in every run; `make fuzz` looks for what is new.
settings.register_profile("suite", settings(), deadline=None, derandomize=True, database=None)
settings.register_profile("fuzz", deadline=None, derandomize=False, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def corpus_root() -> Path | None:
    """The corpus folder, or None where the variable is not set."""
    value = os.environ.get("RAILBIRD_CORPUS")
    if not value:
        return None
    root = Path(value).absolute()
    if not root.is_dir():
        raise pytest.UsageError(f"RAILBIRD_CORPUS={value} is not a folder")
    return root


def corpus_folders(root: Path, named_by: str = "corpus.txt") -> list[Path]:
    """The folders of a corpus that a file of tests names; others may stand beside.

    corpus.txt has those whose answers are compared with an older version's, engines.txt those of engines read since.
    """
    return [root / name for name in (ROOT / "tests" / named_by).read_text().split()]


@pytest.fixture(autouse=True)
def no_unseen_failure(request: pytest.FixtureRequest) -> Iterator[None]:
    """An ingest lives on where railbird fails on a match or a file; the test fails then, unless marked `may_fail`."""
    if request.node.get_closest_marker("may_fail") is not None:
        yield
        return
    with no_failure():
        yield


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The numbers of the last tables are not those of the user who runs the tests."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command: its exit code, and what it wrote on standard output and standard error."""
    from railbird import cli

    def call(*arguments: object) -> tuple[int, str, str]:
        code = cli.main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of logs that RAILBIRD_CORPUS names; the test is skipped without it."""
    root = corpus_root()
    if root is None:
        pytest.skip(NO_CORPUS)
    return root


@pytest.fixture(scope="session")
def sample_logs() -> Path:
    """The repository's own logs, one folder a game."""
    return ROOT / "sample_logs"


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """Makes a folder of a name once for all workers: made_once(name, make) calls make(folder) where none has yet."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent

    def call(name: str, make: Callable[[Path], object]) -> Path:
        made, fresh = root / name, root / f"{name} fresh"
        with (root / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                # What another worker left of it when it failed.
                shutil.rmtree(fresh, ignore_errors=True)
                make(fresh)
                fresh.rename(made)
        return made

    return call


@pytest.fixture(scope="session")
def samples_folder(sample_logs: Path, made_once: MadeOnce) -> Path:
    """A store of all sample logs with their equities, made once for all workers; only to be read."""
    from railbird.analytics.store import open_store
    from railbird.ingest import ingest

    def make(fresh: Path) -> None:
        ingest([sample_logs], fresh)
        with open_store(fresh) as store:
            store.count_equities()

    return made_once("samples-store", make)


@pytest.fixture(scope="session")
def samples(samples_folder: Path) -> Iterator["Store"]:
    """All sample logs in one store, opened once; only to be read."""
    from railbird.analytics.store import open_store

    with open_store(samples_folder) as store:
        yield store


SLOW_FILES = (
    "analytics/",
    "exports/",
    "reports/",
    "replay/test_damage_is_local.py::test_damage_elsewhere",
    "replay/test_edits.py",
    "replay/test_engine_edits.py",
    "replay/test_relatives.py",
    "replay/test_third_card_edits.py",
    "oracles/test_oracles.py::test_counts_of_the_corpus",
    "test_ingest.py::test_corpus_logs_are_stored_whole",
    # Seconds each, of which nothing else in the quick half takes so many: all but the roads.
    "oracles/test_retelling.py::test_every_line_of_every_log_is_told_again",
    "parsers/test_hostile.py::test_a_log_cut_anywhere_loses_at_most_its_last_hand",
    "replay/test_acpc_simulate.py",
    "replay/test_bots.py::test_styles_differ_as_their_names_say",
    "replay/test_colluders.py::test_in_koper_a_plan_is_followed_while_the_partner_is_in",
    "replay/test_cut_logs.py::test_a_log_that_ends_anywhere",
    "replay/test_koper.py::test_what_is_simulated_comes_back",
    "replay/test_koper_answers.py::test_matches_on_the_same_cards_are_one_unit",
    "replay/test_simulate.py::test_lines_follow_one_another",
    "replay/test_simulate.py::test_what_is_simulated_reads_back_equal_and_unblamed",
    "replay/test_stakes.py::test_a_match_of_any_stakes_is_read_as_it_was_played",
    "storage/test_bucket.py",
    "storage/test_bucket_lock.py::test_a_writer_halted_at_any_step_loses_nobodys_batch",
    "storage/test_compacting.py",
    "storage/test_copies.py::test_any_cuts_of_a_log_in_any_order_make_one_store",
    "storage/test_filling.py",
    "storage/test_moves.py::test_a_killed_edit_has_changed_everything_or_nothing",
    "storage/test_views.py::test_exports_of_a_table_on_several_days_are_one_match_in_any_order",
    "test_auditing.py",
    "test_bombs.py::test_many_matches_take_little_memory_each",
    "test_cases_memory.py::test_a_line_of_another_engine_costs_itself",
    "test_cli.py::test_bankroll_draws",
    "test_cli.py::test_json_is_one_array_and_nothing_else",
    "test_cli.py::test_report_says_where_it_is",
    "test_cli.py::test_stats_of_one_event_are_those_of_its_rows",
    "test_encodings.py::test_tables_come_out_where_only_ascii_does",
    "test_ingest.py::test_a_killed_ingest_leaves_a_store_that_can_be_completed",
    "test_many_matches.py",
    "test_questions.py",
    "test_threads.py::test_a_store_does_not_hang_on_threads_and_commits",
    "variants/test_peek.py",
    "variants/test_user_files.py",
)
QUICK_FILES = ("analytics/test_against_oracle.py", "analytics/test_equities.py", "reports/test_terminal.py")
MARKS = {
    **dict.fromkeys(SLOW_FILES, "slow"),
    "jit/": "compile",
    "storage/test_cluster.py": "cluster",
}
"""What marks tests get by their place below tests: the beginning of `folder/file.py::test`."""
FIXTURE_MARKS = {"corpus": "corpus", "browser": "browser", "page_of": "browser"}


# Those that take longest, by processor time. Begun first, none is left to one core at the end. The second makes nothing
# that the first makes: what workers share is made by one while others wait.
SLOWEST_FIRST = (
    "reports/test_browser.py",
    "variants/test_expected_values.py",
    "jit/test_indices.py",
    "analytics/test_opponent_file.py",
    "test_roads.py",
    "jit/test_cache.py",
    "variants/test_peek.py",
    "analytics/test_seen.py",
    "replay/test_edits.py",
    "reports/test_site.py",
    "analytics/test_every_statistic.py",
    "analytics/test_collusion.py",
    "test_cli.py",
    "variants/test_user_files.py",
    "reports/test_plots.py",
    "storage/test_cluster.py",
    "analytics/test_opponents.py",
    "analytics/test_store.py",
    "analytics/test_corpus_pages.py",
    "analytics/test_information.py",
    "jit/test_interpreted.py",
    "reports/test_answers.py",
    "analytics/test_model.py",
    "test_auditing.py",
    "parsers/test_hostile.py",
    "analytics/test_naming.py",
    "reports/test_dossier.py",
    "storage/test_bucket.py",
    "reports/test_words.py",
    "test_cases_memory.py",
    "replay/test_acpc_simulate.py",
    "analytics/test_against_oracle.py",
    "parsers/test_phh_scan.py",
    "replay/test_third_card_edits.py",
    "parsers/test_damaged_records.py",
    "exports/test_round_trips.py",
    "analytics/test_collusion_games.py",
    "replay/test_acpc_pokerkit.py",
    "storage/test_copies.py",
    "analytics/test_collusion_koper.py",
    "storage/test_compacting.py",
    "analytics/test_standings.py",
    "storage/test_moves.py",
    "analytics/test_dealer.py",
    "analytics/test_collusion_additive.py",
    "test_ingest.py",
    "replay/test_damage_is_local.py",
    "replay/test_simulate.py",
    "variants/test_steps.py",
    "variants/test_other_words.py",
    "analytics/test_strangers.py",
    "variants/test_own_rules.py",
    "analytics/test_hidden_ranks.py",
    "analytics/test_steadiness.py",
    "test_first_hand.py",
    "test_ingest_growing.py",
)


def _in_corpus(value: object, root: Path | None) -> bool:
    return root is not None and isinstance(value, Path) and value.is_relative_to(root)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest files first, and the marks that follow from a test's place and from its fixtures."""
    place_of = {ROOT / "tests" / file: number for number, file in enumerate(SLOWEST_FIRST)}
    items.sort(key=lambda item: place_of.get(item.path, len(SLOWEST_FIRST)))
    root = corpus_root()
    for item in items:
        place = f"{item.path.relative_to(ROOT / 'tests').as_posix()}::{item.name}"
        names = {mark for beginning, mark in MARKS.items() if place.startswith(beginning)}
        names -= {"slow"} if place.startswith(QUICK_FILES) else set()
        names |= {FIXTURE_MARKS[name] for name in getattr(item, "fixturenames", ()) if name in FIXTURE_MARKS}
        params = (
            item.callspec.params.values()
            if isinstance(item, pytest.Function) and hasattr(item, "callspec")
            else ()
        )
        if item.get_closest_marker("corpus_files") or any(_in_corpus(value, root) for value in params):
            names.add("corpus")
        for name in sorted(names):
            item.add_marker(name)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test marked `corpus_files("bounty-2025/engine/*.txt")` once per file, as its `corpus_file`."""
    marker = metafunc.definition.get_closest_marker("corpus_files")
    if marker is None:
        return
    root = corpus_root()
    if root is None:
        params = [SKIPPED]
    else:
        files = sorted({path for glob in marker.args for path in root.glob(glob) if path.is_file()})
        if not files:
            raise pytest.UsageError(f"no file of the corpus matches {marker.args}")
        params = [pytest.param(path, id=path.relative_to(root).as_posix()) for path in files]
    metafunc.parametrize("corpus_file", params)
