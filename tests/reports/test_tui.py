"""The replayer in the terminal, driven by keys as a user drives it; and when it starts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from textual.pilot import Pilot
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets._footer import FooterKey

from railbird.analytics.players import UnknownName
from railbird.analytics.store import Store, open_store
from railbird.cli import show
from railbird.cli.hands import hands_asked
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import UserError
from railbird.reports.replayer import load_hand
from railbird.reports.tui import Replayer

HANDS = 60
HOSTILE = "[red]x[/red]\x1b[31m"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("tui")
    text = simulate("bounty", [("Ann", "loose-aggressive"), ("Bob", "calling-station")], HANDS, 1)
    # A hand that pays a chip more than the rules say has a finding.
    hands = text.split("\nRound #")
    for k in (20, 40):
        hands[k] = re.sub(r"awarded (\d+)", lambda found: f"awarded {int(found[1]) + 1}", hands[k], count=1)
    (folder / "a.txt").write_text("\nRound #".join(hands), newline="")
    ingest([folder / "a.txt"], folder / "store")
    with open_store(folder / "store") as opened:
        yield opened


def drive(
    store: Store, hand: int, keys: Callable[[Pilot[None], Replayer], Coroutine[Any, Any, None]]
) -> None:
    """Open the replayer on a hand at 80x24 and run a test's keys."""
    ((match,),) = store.execute("select match_id from matches").fetchall()

    async def run() -> None:
        app = Replayer(store, (match, hand), lambda line: hands_asked(store, line))
        async with app.run_test(size=(80, 24)) as pilot:
            await keys(pilot, app)

    # The browser's tests may have a loop running in this thread.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, run()).result()


def text_of(app: Replayer, part: str) -> str:
    return str(app.query_one(f"#{part}", Static).content)


def test_the_keys_are_those_of_the_report(store: Store) -> None:
    ((match,),) = store.execute("select match_id from matches").fetchall()
    ((index,),) = store.execute(
        "select min(hand_index) from hands where streets >= 3 and hand_index > 0"
    ).fetchall()
    hand = load_hand(store, f"{match}#{index}")
    last = len(hand.steps) + 1
    choices = [at for at, step in enumerate(hand.steps, 1) if step.is_choice]
    boards = [at for at, step in enumerate(hand.steps, 1) if step.kind == "board"]

    async def keys(pilot: Pilot[None], app: Replayer) -> None:
        assert app.query_one(OptionList).option_count == last + 1
        for key, step in (
            ("right", 1),
            ("left", 0),
            ("d", choices[0]),
            ("d", choices[1]),
            ("D", choices[0]),
            ("right_square_bracket", boards[0]),
            ("right_square_bracket", boards[1]),
            ("left_square_bracket", boards[0]),
            ("down", boards[0] + 1),
            ("end", last),
            ("right", last),
            ("home", 0),
        ):
            await pilot.press(key)
            assert (app.step, app.query_one(OptionList).highlighted) == (step, step), key
        await pilot.press("n")
        assert (app.at, app.step) == (index + 1, 0)
        await pilot.press("p", "p")
        assert app.at == index - 1
        shown = app.query_one(Footer).query(FooterKey)
        assert [key.key_display for key in shown] == ["← →", "[ ]", "D d", "p n", "F f", "␣", "/", "q"]
        assert all(key.region.height == 1 and key.region.right <= 80 for key in shown)

    drive(store, index, keys)


def test_the_screen_adds_up_the_hand(store: Store) -> None:
    query = "select player, stack_start, contribution, delta from seats where hand_index = 2 order by seat"
    seats = store.execute(query).fetchall()

    async def keys(pilot: Pilot[None], app: Replayer) -> None:
        assert text_of(app, "board") == "no cards on the board"
        await pilot.press("end", "left")
        for player, stack, put, _ in seats:
            assert re.search(rf"{player} .* {stack - put:.0f}  .*bounty", text_of(app, "seats"))
        await pilot.press("end")
        for player, _, _, won in seats:
            assert re.search(
                rf"{player} .*{'[+]' if won > 0 else '−' if won else ''}{abs(won):.0f}$",
                text_of(app, "seats"),
                re.M,
            )
        assert text_of(app, "now").startswith("Result. Verdict: ok.")

    drive(store, 2, keys)


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("boards")
    bots = [("Ann", "calling-station"), ("Bob", "calling-station")]
    (folder / "a.txt").write_text(simulate("blotto", bots, 3, 1), newline="")
    ingest([folder / "a.txt"], folder / "store")
    with open_store(folder / "store") as opened:
        yield opened


def test_each_board_has_a_line_and_the_result_is_in_sight(boards: Store) -> None:
    async def keys(pilot: Pilot[None], app: Replayer) -> None:
        await pilot.press("end")
        await pilot.pause()
        lines = text_of(app, "board").splitlines()
        card = r"[2-9TJQKA][♣♦♥♠]"
        for number, line in enumerate(lines, 1):
            later = rf"(  turn {card}(  river {card})?)?( +pot [\d,]+)?"
            assert re.fullmatch(rf"board {number}  flop {card} {card} {card}{later}", line)
        assert len(lines) == 3
        steps = app.query_one("#steps", OptionList)
        assert steps.highlighted == steps.option_count - 1
        # A line for each step.
        assert steps.scroll_offset.y + steps.scrollable_content_region.height == steps.option_count

    drive(boards, 0, keys)


def test_cards_that_are_sent_have_their_suits(boards: Store) -> None:
    async def keys(pilot: Pilot[None], app: Replayer) -> None:
        await pilot.press("d")
        assert re.search(r"board 1: sends [2-9TJQKA][♣♦♥♠] [2-9TJQKA][♣♦♥♠]$", text_of(app, "seats"), re.M)

    drive(boards, 0, keys)


def test_a_street_stands_once_in_a_line(store: Store) -> None:
    async def keys(pilot: Pilot[None], app: Replayer) -> None:
        steps = app.query_one("#steps", OptionList)
        lines = [str(steps.get_option_at_index(k).prompt) for k in range(steps.option_count)]
        dealt = [line for line in lines if line.startswith("flop")]
        assert dealt and not any(re.match(r"(\w+) +\1 ", line) for line in lines)

    ((hand,),) = store.execute("select min(hand_index) from hands where streets > 1").fetchall()
    drive(store, hand, keys)


def test_f_goes_round_the_hands_with_findings(store: Store) -> None:
    odd = [
        index
        for (index,) in store.execute(
            "select hand_index from hands where verdict <> 'ok' order by 1"
        ).fetchall()
    ]
    assert len(odd) >= 2

    async def keys(pilot: Pilot[None], app: Replayer) -> None:
        seen = []
        for _ in range(len(odd) + 1):
            await pilot.press("f")
            seen.append(app.at)
        assert seen == [*odd, odd[0]]
        await pilot.press("F")
        assert app.at == odd[-1]
        await pilot.press("end")
        assert "the written rules pay" in text_of(app, "now")

    drive(store, 0, keys)


def test_a_filter_shows_the_hands_that_the_command_finds(store: Store, run: Run) -> None:
    wanted = store.execute("select hand_index from hands where ended_by = 'showdown' order by 1").fetchall()

    async def keys(pilot: Pilot[None], app: Replayer) -> None:
        async def ask(line: str) -> None:
            await pilot.press("slash")
            app.query_one(Input).value = line
            await pilot.press("enter")
            await pilot.pause()

        await ask("--showdown --match a.txt")
        assert [index for _, index in app.course.hands] == [index for (index,) in wanted]
        assert "Filter: --showdown --match a.txt" in text_of(app, "head")
        for line, said in (
            ("--did chek-raise", "no action is called 'chek-raise'"),
            ("--pot '>1000000'", "No hand meets these conditions."),
        ):
            await ask(line)
            assert any(said in note.message for note in app._notifications), line
            await pilot.press("escape")
            assert not app.query_one(Input).display and len(app.course.hands) == len(wanted)
        await ask("")
        assert len(app.course.hands) == HANDS

    drive(store, 0, keys)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--player Nobody", "no player is called 'Nobody'"),
        ("--format json", "--format does not choose hands"),
        ("--sho", "--sho"),
        ("'", "not options of `railbird hands`"),
    ],
)
def test_a_filter_that_cannot_be_read_says_why(store: Store, line: str, said: str) -> None:
    with pytest.raises((UserError, UnknownName), match=re.escape(said)):
        hands_asked(store, line)


def test_it_plays_by_itself_until_the_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.reports.tui._PLAYS_EVERY", 0.01)

    async def keys(pilot: Pilot[None], app: Replayer) -> None:
        await pilot.press("space")
        for _ in range(1000):
            await pilot.pause(0.02)
            if app.playing is None:
                break
        assert (app.playing, app.step) == (None, len(app.shown.steps) + 1)

    drive(store, 1, keys)


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    text = simulate("holdem-mit", [("Ann", "maniac"), ("Bob", "maniac")], 2, 1).replace("Ann", HOSTILE)
    (tmp_path / "b.txt").write_text(text, newline="")
    ingest([tmp_path / "b.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as opened:

        async def keys(pilot: Pilot[None], app: Replayer) -> None:
            await pilot.press("end")
            shown = "[red]x[/red]\\x1b[31m"
            lines = [str(app.query_one(OptionList).get_option_at_index(k).prompt) for k in range(3)]
            for part in (text_of(app, "head"), text_of(app, "seats"), "\n".join(lines)):
                assert shown[:12] in part and "\x1b" not in part
            assert shown in text_of(app, "head")

        drive(opened, 0, keys)


@pytest.mark.parametrize(
    ("asked", "has_terminal", "has_extra", "answer"),
    [
        (None, True, True, True),
        (None, True, False, False),
        (None, False, True, False),
        (False, True, True, False),
        (True, True, True, True),
        (True, True, False, "--screen needs the extra tui: pip install 'railbird[tui]'"),
        (True, False, True, "--screen needs a terminal: standard input, output and error are none"),
    ],
)
def test_it_starts_in_a_terminal_where_the_extra_is(
    asked: bool | None, has_terminal: bool, has_extra: bool, answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}.isatty", lambda: has_terminal)
    monkeypatch.setattr(show, "find_spec", lambda name: object() if has_extra else None)
    monkeypatch.setenv("TERM", "xterm")
    if isinstance(answer, str):
        with pytest.raises(UserError) as error:
            show._is_on_screen(asked)
        assert str(error.value) == answer
    else:
        assert show._is_on_screen(asked) is answer


def test_piped_output_is_the_text_of_ever(store: Store, run: Run) -> None:
    code, out, _ = run("replay", "a.txt#0", "--store", store.place)
    assert code == 0 and out.startswith("Hand ") and "Ann v Bob" in out
    assert run("replay", "a.txt#0", "--text", "--store", store.place)[1] == out
    code, _, err = run("replay", "a.txt#0", "--screen", "--format", "json", "--store", store.place)
    assert (code, err) == (2, "railbird: --screen shows the hand itself: leave out --as and --format\n")
