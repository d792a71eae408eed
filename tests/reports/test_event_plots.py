"""The picture of an event: what it draws is what the store says, and it can be read at 2 and at 30 players."""

import io
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from conftest import Run
from matplotlib.text import Text
from PIL import Image

from railbird.analytics import luck
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import PlotStyle, UserError, event_plots, plots
from railbird.reports.event_plots import EventCurve, Total
from railbird.reports.matches import all_matches, chosen_matches

NAMES = ("Hawk", "$x^2$ <b>", "Ow\u202el")


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of a cup of three, in which file 10 was played after file 2, and a match of another event."""
    folder = tmp_path_factory.mktemp("cup")
    for number, pair in zip((1, 2, 10), combinations(NAMES, 2), strict=True):
        players = [(name, "maniac") for name in pair]
        (folder / f"match{number}.txt").write_text(simulate("holdem-mit", players, 12, number), newline="")
    ingest([folder], folder / "store", event="cup")
    (folder / "bounty.log").write_text(
        simulate("bounty", [("Hawk", "maniac"), ("Jay", "random")], 5, 1), newline=""
    )
    ingest([folder / "bounty.log"], folder / "store", event="other")
    return folder / "store"


@pytest.fixture(scope="module")
def store(cup: Path) -> Iterator[Store]:
    with open_store(cup) as opened:
        yield opened


def test_curves_are_the_sums_over_matches_in_the_order_of_play(store: Store) -> None:
    cup, other = event_plots.event_curves(store, all_matches(store))
    assert (cup.event, cup.game, cup.matches) == ("cup", "holdem-mit", 3)
    assert (other.event, other.game, other.matches) == ("other", "bounty", 1)
    assert {total.player for total in cup.totals} == {*NAMES}
    assert [total.chips for total in cup.totals] == sorted(
        (total.chips for total in cup.totals), reverse=True
    )
    adjusted = luck.hands(store)
    for curve in (cup, other):
        for total in curve.totals:
            rows = store.execute(
                """
                select s.match_id, s.seat, s.hand_index, s.delta from seats s join matches m using (match_id)
                join files f using (file_id) where s.player = $player and m.event = $event
                order by length(f.path), f.path, s.hand_index
                """,
                player=total.player,
                event=curve.event,
            ).fetchall()
            assert total.bankroll == pytest.approx(np.cumsum([row[3] for row in rows]))
            frame = adjusted.filter(pl.col("match_id").is_in([row[0] for row in rows]))
            left = {
                (match, seat, hand): value
                for match, seat, hand, value in frame.select(
                    "match_id", "seat", "hand_index", "chance_adjusted"
                ).iter_rows()
            }
            expected = np.cumsum([left.get((match, seat, hand), delta) for match, seat, hand, delta in rows])
            assert total.adjusted is not None
            assert total.adjusted == pytest.approx(expected)


def test_the_band_is_that_of_one_run_over_all_matches(store: Store) -> None:
    cup = event_plots.event_curves(store, chosen_matches(store, None, "cup"))[0]
    for total in cup.totals:
        assert total.adjusted is not None and total.half is not None
        hands = np.arange(len(total.adjusted))
        assert total.half == pytest.approx(
            luck.half_band(total.adjusted, hands, plots.BAND_FROM), nan_ok=True
        )
        assert np.isnan(total.half).sum() == plots.BAND_FROM - 1


def made(players: int, hands: int = 50) -> EventCurve:
    """An event of players whose ends lie close together, the hardest case for labels."""
    random = np.random.default_rng(players)
    totals = []
    for player in range(players):
        steps = random.normal(0, 5, hands)
        steps[-1] += player - steps.sum()
        bankroll = np.cumsum(steps)
        totals.append(
            Total(f"A bot with a rather long name {player}", None, bankroll, bankroll, np.full(hands, 9.0))
        )
    return EventCurve("cup", "holdem-mit", players * (players - 1) // 2, tuple(totals[::-1]))


@pytest.mark.parametrize("style", PlotStyle)
@pytest.mark.parametrize("players", [1, 2, 30])
def test_labels_do_not_overlap_and_lie_inside(players: int, style: PlotStyle) -> None:
    drawn = event_plots.figure([made(players)], "A title of the picture", style)
    drawn.draw_without_rendering()
    boxes = [text.get_window_extent() for text in drawn.findobj(Text) if text.get_text()]
    whole = drawn.bbox
    assert all(whole.x0 <= box.x0 and box.x1 <= whole.x1 for box in boxes)
    assert all(whole.y0 <= box.y0 and box.y1 <= whole.y1 for box in boxes)
    (axes,) = drawn.axes
    labels = sorted((text.get_window_extent() for text in axes.texts), key=lambda box: box.y0)
    assert len(labels) == players
    assert all(below.y1 <= above.y0 + 1 for below, above in pairwise(labels))


@pytest.mark.parametrize("style", PlotStyle)
@pytest.mark.parametrize("least", [-144_828.0, -14_482_800.0])
def test_numbers_at_the_left_are_not_cut(style: PlotStyle, least: float) -> None:
    bankroll = np.linspace(0, least, 500)
    totals = tuple(
        Total(name, None, won, None, None) for name, won in (("Ash", -bankroll), ("Birch", bankroll))
    )
    drawn = event_plots.figure([EventCurve("cup", "holdem-mit", 1, totals), made(2)], style=style)
    drawn.draw_without_rendering()
    numbers = [text for axes in drawn.axes for text in axes.get_yticklabels()]
    assert any(text.get_text().startswith("−1") for text in numbers)
    # A number's box begins after the picture's edge, and the panels begin in one line.
    assert all(text.get_window_extent().x0 > 0 for text in numbers)
    assert len({axes.get_position().x0 for axes in drawn.axes}) == 1


def test_the_caption_says_whose_curves_have_dots() -> None:
    few, many = made(2), made(30)
    dots = "Thin dots: {} bankroll without the luck of the cards, with the winner’s 95% band."
    for curves, whose in (
        ([few], "each player’s"),
        ([many], "the winner’s"),
        ([few, many], "each player’s (where there are more than 6, the winner’s)"),
    ):
        assert event_plots.caption(curves).endswith(dots.format(whose))


def test_thirty_players_have_thirty_kinds_of_lines() -> None:
    kinds = event_plots.kinds_of(30)
    assert len({(colour, str(dashes)) for colour, dashes in kinds}) == 30


def test_a_slide_is_sixteen_to_nine_and_a_picture_is_the_same_each_time(store: Store, tmp_path: Path) -> None:
    matches = chosen_matches(store, None, "cup")
    for name in ("one.png", "two.png", "one.SVG", "two.svg"):
        event_plots.save_events(store, matches, tmp_path / name, "T", PlotStyle.SLIDE)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    assert (tmp_path / "one.SVG").read_bytes() == (tmp_path / "two.svg").read_bytes()
    width, height = Image.open(io.BytesIO((tmp_path / "one.png").read_bytes())).size
    assert width / height == pytest.approx(16 / 9, rel=0.01)
    texts = [each.text for each in ET.fromstring((tmp_path / "one.SVG").read_text()).iter() if each.text]
    assert "T" in texts and any(text.startswith("$x^2$ <b>") for text in texts)


def test_the_command_draws_a_store_an_event_and_a_match(run: Run, cup: Path, tmp_path: Path) -> None:
    def texts(name: str, *arguments: str) -> str:
        code, _, err = run("bankroll", "--store", cup, "--plot", tmp_path / name, *arguments)
        assert (code, err) == (0, "")
        return (tmp_path / name).read_text(encoding="utf-8")

    both = texts("both.svg", "--title", "Two\ncups")
    assert "Two cups" in both and "event cup" in both and "event other" in both
    one = texts("one.svg", "--event", "cup")
    assert "event cup" in one and "event other" not in one and "Jay" not in one
    assert "Jay" in texts("game.svg", "--game", "bounty", "--style", "paper")
    match = texts("match.svg", "--match", "match2.txt", "--title", "A match")
    assert "A match" in match and "no showdown" in match


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--plot", "x.pdf"), "--plot takes FILE.png or FILE.svg, not 'x.pdf'"),
        (("--event", "cups"), "no match is of the event 'cups'; most like it: 'cup'"),
        (("--game", "bountry"), "no match is of the game 'bountry'; most like it: 'bounty'"),
        (
            ("--event", "other", "--game", "holdem-mit"),
            "no match is of all that --match, --event, --game and --player say",
        ),
        (("--player", "Nobody"), "no player is called 'Nobody'"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_one_line(run: Run, cup: Path, arguments: tuple[str, ...], said: str) -> None:
    assert run("bankroll", "--store", cup, *arguments) == (2, "", f"railbird: {said}\n")


def test_too_many_events_are_refused(samples: Store, tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"draws at most 6 events and games, not 2[0-9]; choose with --event or --game"
    ):
        event_plots.save_events(samples, all_matches(samples), tmp_path / "x.png")
    assert not (tmp_path / "x.png").exists()
