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
    # What takes most processor time for each test, but the roads. `make check` is to take two minutes on two cores,
    # and keeps half of all tests.
    "oracles/test_oracles.py::test_engine_model_explains_every_award_and_every_line_is_read",
    "oracles/test_retelling.py::test_every_line_of_every_log_is_told_again",
    "parsers/test_damaged_records.py",
    "parsers/test_hostile.py::test_a_log_cut_anywhere_loses_at_most_its_last_hand",
    "parsers/test_peoples_hands.py::test_lines_are_legal_and_paid_as_another_program_says",
    "parsers/test_record_fuzz.py::test_damage_costs_what_is_damaged",
    "replay/test_acpc_pokerkit.py",
    "replay/test_acpc_simulate.py",
    "replay/test_arena.py::test_its_log_is_paid_and_allowed_by_the_written_rules",
    "replay/test_auction.py::test_every_hand_of_the_corpus_is_as_the_oracle_tells_it",
    "replay/test_blotto_corpus.py::test_awards_are_what_the_oracle_pays_and_sum_to_twelve",
    "replay/test_bots.py::test_styles_differ_as_their_names_say",
    "replay/test_colluders.py::test_in_koper_a_plan_is_followed_while_the_partner_is_in",
    "replay/test_cut_logs.py::test_a_log_that_ends_anywhere",
    "replay/test_koper.py::test_what_is_simulated_comes_back",
    "replay/test_koper_answers.py::test_matches_on_the_same_cards_are_one_unit",
    "replay/test_simulate.py::test_lines_follow_one_another",
    "replay/test_simulate.py::test_the_oracle_reads_and_pays_it_alike",
    "replay/test_simulate.py::test_what_is_simulated_reads_back_equal_and_unblamed",
    "replay/test_stakes.py::test_a_match_of_any_stakes_is_read_as_it_was_played",
    "replay/test_tables_against_pokerkit.py::test_random_hands_are_pokerkits",
    "replay/test_toss.py::test_every_hand_of_the_corpus_is_as_the_oracle_tells_it",
    "storage/test_bucket.py",
    "storage/test_bucket_lock.py::test_a_writer_halted_at_any_step_loses_nobodys_batch",
    "storage/test_compacting.py",
    "storage/test_copies.py::test_any_cuts_of_a_log_in_any_order_make_one_store",
    "storage/test_copies.py::test_the_ledger_says_which_file_holds_copied_hands",
    "storage/test_crafted.py::test_no_command_ends_in_a_traceback",
    "storage/test_filling.py",
    "storage/test_moves.py::test_a_killed_edit_has_changed_everything_or_nothing",
    "storage/test_repair.py::test_a_flipped_bit_in_any_table_is_repaired",
    "storage/test_repair.py::test_a_query_that_fails_names_the_damaged_part",
    "storage/test_repair.py::test_what_is_missing_and_what_is_changed_are_both_told",
    "storage/test_views.py::test_exports_of_a_table_on_several_days_are_one_match_in_any_order",
    "test_attacks.py",
    "test_audit.py",
    "test_auditing.py",
    "test_bombs.py::test_a_bomb_is_refused_before_it_is_unpacked",
    "test_bombs.py::test_many_matches_take_little_memory_each",
    "test_bombs.py::test_memory_is_bounded_even_where_the_ratio_is_not",
    "test_cases_memory.py::test_a_line_of_another_engine_costs_itself",
    "test_cli.py::test_a_table_says_where_its_picture_is",
    "test_cli.py::test_a_reader_that_leaves_ends_it_quietly",
    "test_cli.py::test_bankroll_draws",
    "test_cli.py::test_json_is_one_array_and_nothing_else",
    "test_cli.py::test_report_says_where_it_is",
    "test_cli.py::test_stats_of_one_event_are_those_of_its_rows",
    "test_cli_errors.py::test_of_several_players_of_a_name_the_one_is_meant_who_met_the_other",
    "test_cli_words.py::test_the_shell_completes_names_of_the_store",
    "test_encodings.py::test_tables_come_out_where_only_ascii_does",
    "test_encodings.py::test_what_another_program_reads_is_utf_8",
    "test_first_hand.py::test_a_log_may_stop_at_any_line_of_its_first_hand",
    "test_ingest.py::test_a_full_disk_leaves_a_readable_store",
    "test_ingest.py::test_a_killed_ingest_leaves_a_store_that_can_be_completed",
    "test_ingest.py::test_two_ingests_at_once_are_safe",
    "test_ingest_growing.py::test_a_log_that_holds_its_own_beginning_too_is_stored_once",
    "test_ingest_growing.py::test_blank_lines_at_the_end_of_a_shorter_version_are_not_its_text",
    "test_ingest_growing.py::test_who_is_killed_between_the_commits_of_a_log_reads_it_again",
    "test_many_matches.py",
    "test_one_event.py",
    "test_questions.py",
    "test_threads.py::test_a_store_does_not_hang_on_threads_and_commits",
    "variants/test_altered_properties.py::test_answers_follow_a_property",
    "variants/test_cmu_damage.py::test_hands_without_any_row_that_can_be_read_are_counted_and_break_no_order",
    "variants/test_cmu_damage.py::test_whichever_row_cannot_be_read_no_other_hand_is_hurt",
    "variants/test_expected_arenas.py",
    "variants/test_expected_values.py::test_a_log_holds_what_was_counted_in_it",
    "variants/test_expected_values.py::test_a_log_of_people_holds_what_was_counted_in_it",
    "variants/test_expected_values.py::test_a_log_of_whole_pots_holds_what_was_counted_in_it",
    "variants/test_expected_values.py::test_a_published_hand_holds_what_was_counted_in_it",
    "variants/test_expected_values.py::test_a_record_of_a_table_holds_what_was_counted_in_it",
    "variants/test_expected_values.py::test_a_table_of_actions_holds_what_was_counted_in_it",
    "variants/test_other_words.py::test_every_game_of_mits_engines_can_be_told_in_other_words",
    "variants/test_peek.py",
    "variants/test_user_files.py",
)
QUICK_FILES = (
    "analytics/test_against_oracle.py",
    "analytics/test_equities.py",
    "analytics/test_rules_doc.py",
    "analytics/test_sequences.py",
    "analytics/test_third_card.py",
    "reports/test_figures.py",
    "reports/test_summary.py",
    "reports/test_terminal.py",
)
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
