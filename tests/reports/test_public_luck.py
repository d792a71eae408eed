"""What a public report says of luck: sums over whole blocks of at least 100 hidden hands, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.pages import swapped, texts, unpacked

from railbird.analytics import luck
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import plots
from railbird.reports.event_plots import event_curves
from railbird.reports.matches import all_matches
from railbird.reports.pages.build import write_report
from railbird.reports.public_luck import LEAST, block_ends, ends_of

HANDS = (280, 40, 140)
"""Of three matches: two blocks, none, one; of six hands one came to a showdown."""


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 400), st.sampled_from((1, 1, 1, 2, 7))),
        min_size=1,
        max_size=5,
    )
)
def test_every_player_has_enough_hands_in_each_block_or_none(spans: list[tuple[int, int, int]]) -> None:
    seats = [np.arange(first, last, step) for first, last, step in spans]
    ends = block_ends(seats, 20)
    assert np.all(np.diff(ends) >= 20)
    listed = np.unique(np.concatenate(seats))
    if len(ends):
        assert ends[-1] == listed[-1]
    for seat in seats:
        counts = np.diff(np.searchsorted(seat, ends, "right"), prepend=0)
        assert np.all((counts == 0) | (counts >= 20))
        # Nothing is left over.
        assert not len(ends) or counts.sum() == len(seat)


def test_blocks_are_as_short_as_they_may_be() -> None:
    both = [np.arange(1000)] * 2
    assert block_ends(both).tolist() == [*range(99, 999, 100), 999]
    assert block_ends([np.arange(250)] * 2).tolist() == [99, 249]
    assert block_ends([np.arange(99)] * 2).tolist() == []
    # The third player was out after 130 hands: what it lost in the last 30 would be what the others won.
    assert block_ends([np.arange(1000), np.arange(1000), np.arange(130)]).tolist() == [999]
    assert block_ends([np.arange(1000), np.arange(1000), np.arange(200)])[:3].tolist() == [99, 199, 299]
    assert block_ends([]).tolist() == block_ends([np.arange(0)]).tolist() == []


def made(folder: Path, logs: list[str]) -> tuple[Path, Path]:
    """A store of some logs, and the folder of its public report."""
    folder.mkdir()
    for k, text in enumerate(logs):
        (folder / f"{k}.txt").write_text(text, newline="")
    ingest([folder], folder / "store", event="Open cup")
    with open_store(folder / "store") as store:
        return folder / "store", write_report(store, folder / "report", public=True).parent


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Path, Path]]:
    """A store, its public report, and that on the same matches with other hidden cards."""
    players = [("Hawk", "loose-aggressive"), ("Dove", "faulty")]
    logs = [simulate("holdem-mit", players, hands, 8 + k) for k, hands in enumerate(HANDS)]
    folder = tmp_path_factory.mktemp("blocks")
    store, report = made(folder / "one", logs)
    _, other = made(folder / "other", [swapped(text) for text in logs])
    with open_store(store) as opened:
        yield opened, report, other


def endings(store: Store, match_id: int) -> list[str]:
    """How each hand of a match ended."""
    query = "select ended_by from hands where match_id = $match order by hand_index"
    return [by for (by,) in store.execute(query, match=match_id).fetchall()]


def curve(report: Path, name: str) -> dict[str, dict[int, float]]:
    """By player and kind the values of a curve's file by hand."""
    read = unpacked((report / "plots" / f"{name}.js").read_text())
    hands = np.cumsum(read["x"])
    found = {}
    for player in read["players"]:
        for kind, (digits, steps) in player["curves"].items():
            at = 0
            values = {}
            for hand, step in zip(hands.tolist(), steps, strict=True):
                at += step or 0
                if step is not None:
                    values[hand] = at / 10**digits
            found[f"{player['name']} {kind}"] = values
    return found


def test_points_are_blocks_apart_and_exact(both: tuple[Store, Path, Path]) -> None:
    store, report, _ = both
    for number, match in enumerate(all_matches(store), 1):
        told = curve(report, str(number))
        whole = luck.curve(store, match.match_id)
        for seat, name in enumerate(match.players):
            if match.hands < LEAST:
                assert f"{name} adjusted" not in told and f"{name} half" not in told
                continue
            points = told[f"{name} adjusted"]
            folded = [hand for hand, by in enumerate(endings(store, match.match_id)) if by == "fold"]
            # After the hundredth hand that ended by a fold, and at the end.
            first = [folded[LEAST - 1] + 1] if match.hands == HANDS[0] else []
            assert [*points] == [0, *first, match.hands] and len(folded) < match.hands - 10
            mine = whole.filter(whole["seat"] == seat)
            for hand, value in list(points.items())[1:]:
                (row,) = mine.filter(mine["hand_index"] == hand - 1).to_dicts()
                assert value == pytest.approx(row["chance_adjusted"], abs=0.01)
                assert told[f"{name} half"][hand] == pytest.approx(
                    row["high"] - row["chance_adjusted"], abs=0.01
                )
    (name,) = {path.stem for path in (report / "plots").glob("event-*.js")}
    for kind, points in curve(report, name).items():
        if kind.endswith(("adjusted", "half")):
            hands = [*points]
            assert len(hands) > 2 and min(np.diff(hands)) >= LEAST


def test_only_sums_over_whole_blocks_matter(both: tuple[Store, Path, Path]) -> None:
    """What the cards brought may be dealt out otherwise among the hands of a block: the curve is the same."""
    store, _, _ = both
    (match,) = (one for one in all_matches(store) if one.hands == HANDS[0])
    known = plots.luck_of(store, [match])
    with store.as_spectators_saw() as seen:
        blocks = ends_of(seen, {seat: hands for seat, (hands, _, _) in known.items()})
    end, last = blocks[match.match_id].tolist()
    chance = np.random.default_rng(3)

    def dealt_otherwise(brought: plots.Brought) -> plots.Brought:
        indices, chips, half = brought
        mixed = chips.copy()
        for low, high in ((0, end), (end + 1, last)):
            part = (indices >= low) & (indices <= high)
            mixed[part] = chance.permutation(mixed[part])
        assert not np.array_equal(mixed, chips)
        return indices, mixed, half

    other = {key: dealt_otherwise(brought) for key, brought in known.items()}
    one, two = (plots.of_matches(store, [match], {}, each, blocks)[match.match_id] for each in (known, other))
    for line, same in zip(one.lines, two.lines, strict=True):
        assert np.flatnonzero(~np.isnan(line.adjusted)).tolist() == [end, last]
        np.testing.assert_allclose(line.adjusted, same.adjusted)
    free = [plots.of_matches(store, [match], {}, each)[match.match_id] for each in (known, other)]
    assert not np.allclose(free[0].lines[0].adjusted, free[1].lines[0].adjusted)


def test_an_event_leaves_out_the_luck_of_matches_without_a_block(both: tuple[Store, Path, Path]) -> None:
    store, _, _ = both
    matches = all_matches(store)
    with store.as_spectators_saw() as seen:
        (told,) = event_curves(seen, matches, behind=store)
    brought: dict[str, float] = {}
    for match in matches:
        frame = luck.hands(store, matches=[match.match_id])
        for seat, name in enumerate(match.players):
            mine = frame.filter(frame["seat"] == seat)
            if match.hands >= LEAST:
                off = float((mine["delta"] - mine["chance_adjusted"]).sum())
                brought[name] = brought.get(name, 0.0) + off
    for total in told.totals:
        assert total.adjusted is not None
        last = int(np.flatnonzero(~np.isnan(total.adjusted))[-1])
        assert total.bankroll[last] - total.adjusted[last] == pytest.approx(brought[total.player])


def test_other_hidden_cards_change_nothing_but_these_curves(both: tuple[Store, Path, Path]) -> None:
    store, report, other = both
    one, two = texts(report), texts(other)
    assert one.keys() == two.keys()
    # Not even an order, or what is drawn at random; match_ids, which are hashes of the logs, have another order.
    asked = "select path.parse_filename() from matches join files using (file_id) order by match_id"
    with open_store(other.parent / "store") as swapped_store:
        order = swapped_store.execute(asked).fetchall()
    assert order != store.execute(asked).fetchall()
    assert "of draws of the same hands" in one["index.html"] and ">a hand</a>" in one["integrity.html"]
    different = {name for name in one if one[name] != two[name]}
    assert {"plots/1.js", "plots/1.svg"} <= different or {"plots/3.js", "plots/3.svg"} <= different
    short = next(str(k) for k in (1, 2, 3) if "Hawk adjusted" not in curve(report, str(k)))
    assert not any(name.startswith(f"plots/{short}.") for name in different)
    assert all(name.startswith("plots/") for name in different), different
    for name in ("1", "2", "3"):
        mine, theirs = curve(report, name), curve(other, name)
        assert mine.keys() == theirs.keys()
        for kind in mine:
            assert mine[kind].keys() == theirs[kind].keys()
            if not kind.endswith(("adjusted", "half")):
                assert mine[kind] == theirs[kind]
