"""The bankrolls of all players of an event in one picture, for a page, a paper or a slide.

Each event and game of the matches has a panel of its own, since chips of two games do not add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ..analytics import luck
from ..analytics.players import order_of_play
from ..analytics.views import queries
from . import PlotStyle, UserError
from .matches import MatchName, ids
from .plots import (
    BAND_FROM,
    FAINT,
    GRID,
    INK,
    PLAYERS,
    Series,
    at_ends,
    downsample,
    encoded,
    ignored_glyphs,
    own_ends,
    picture_form,
    short,
    style_of,
    width,
)
from .public_luck import ends_of
from .terminal import chips, counted, printable, signed

if TYPE_CHECKING:
    from ..analytics.slopes import Slopes
    from ..analytics.store import Store

MOST_PANELS: Final = 6
"""The most events in one picture."""
MOST_NAMED: Final = 40
"""The most matches of a player that are all named."""
DASHES: Final[tuple[Any, ...]] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1)),
    (0, (6, 1.5, 1, 1.5)),
    (0, (6, 1, 1, 1, 1, 1)),
)
"""Players beyond the number of colours have a colour again, with another kind of line."""
_POINTS: Final = 72
_CELLS: Final = 200
_KEY: Final = 2.6
"""The length of a piece of line before a label, in the label's height."""
_READ: Final = 128
"""Matches whose luck is read at a time."""
_CAPTION: Final = "Chips won after each of the player’s hands, match after match in the order of play."


@dataclass(frozen=True)
class Look:
    """The measures of a style: inches, points, and dots per inch of a PNG."""

    width: float
    least_height: float
    text: float
    label: float
    line: float
    dots: int


LOOKS: Final = {
    PlotStyle.PAGE: Look(10.0, 4.6, 12.0, 11.0, 2.0, 100),
    PlotStyle.PAPER: Look(6.5, 3.4, 8.0, 7.5, 1.1, 300),
    PlotStyle.SLIDE: Look(13.333, 7.5, 20.0, 16.0, 3.0, 144),
}


@dataclass(frozen=True)
class Total:
    """A player's chips over an event, after each of its hands.

    namesake  the seat if a match has the name twice
    bankroll  chips won so far
    adjusted  the same without the luck of the cards; None where no cards are known
    half      half of the 95% band of adjusted, over independent units; NaN for the first few
    played    by match_id, in the order of play, the hand_index of each of its hands
    """

    player: str
    namesake: int | None
    bankroll: Series
    adjusted: Series | None = None
    half: Series | None = None
    played: dict[int, NDArray[np.int64]] = field(default_factory=dict)

    @property
    def chips(self) -> float:
        """What the player won in all."""
        return float(self.bankroll[-1]) if len(self.bankroll) else 0.0


@dataclass(frozen=True)
class EventCurve:
    """The players of one event and game, the winner first; or the matches of one player.

    player  whose matches they are; "" for players
    mean    the mean of the matches, half of its 95% interval in `half`; None for players and a single match
    """

    event: str
    game: str
    matches: int
    totals: tuple[Total, ...]
    player: str = ""
    mean: Total | None = None

    @property
    def named(self) -> tuple[Total, ...]:
        """The curves with a label: all, or of very many matches the best and the worst."""
        if not self.player or len(self.totals) <= MOST_NAMED:
            return self.totals
        return self.totals[: MOST_NAMED // 4] + self.totals[-(MOST_NAMED // 4) :]


Key = tuple[str, str, str, int | None]


def event_curves(
    store: "Store",
    matches: Sequence[MatchName],
    slopes: "Slopes | None" = None,
    behind: "Store | None" = None,
) -> list[EventCurve]:
    """The curves of each event and game of the matches, by event and game.

    slopes  those of `analytics.luck.fit_store`, which are fitted where none are given
    behind  the store that luck is read from, if `store` is one as spectators saw it: luck is then told of whole blocks
            of matches alone (`public_luck`)
    Counts equities that are lacking.
    """
    order = _in_order(store, matches)
    place = {match: k for k, match in enumerate(order)}
    found: dict[str, Any] = store.sql(queries("pages")["deltas"], ids=order).fetchnumpy()
    numbers = np.asarray(found["match_id"])
    seats, hands = (
        np.asarray(found["seat"]).astype(np.int64),
        np.asarray(found["hand_index"]).astype(np.int64),
    )
    deltas = np.ma.filled(np.ma.asarray(found["delta"]).astype(np.float64), 0.0)
    brought, clusters = _brought(behind or store, order, slopes)
    blocks = None if behind is None else _blocks(store, brought)
    parts: dict[Key, list[tuple[int, slice]]] = {}
    by_id = {match.match_id: match for match in matches}
    edges = np.flatnonzero(np.diff(numbers.astype(np.uint64)) != 0) + 1 if len(numbers) else np.zeros(0, int)
    seat_edges = np.flatnonzero(np.diff(seats) != 0) + 1
    cuts = [0, *np.union1d(edges, seat_edges).tolist(), len(numbers)]
    for begin, end in pairwise(cuts):
        if begin == end:
            continue
        match, seat = by_id[int(numbers[begin])], int(seats[begin])
        key = (match.event, match.game, match.players[seat], match.namesakes[seat])
        parts.setdefault(key, []).append((match.match_id, slice(begin, end)))
    events: dict[tuple[str, str], list[Total]] = {}
    for (event, game, player, namesake), mine in parts.items():
        mine.sort(key=lambda part: place[part[0]])
        total = _total(player, namesake, mine, (seats, hands, deltas), brought, clusters, blocks)
        events.setdefault((event, game), []).append(total)
    counts: dict[tuple[str, str], int] = {}
    for one in matches:
        counts[one.event, one.game] = counts.get((one.event, one.game), 0) + 1
    return [
        EventCurve(
            *key,
            counts[key],
            tuple(sorted(totals, key=lambda one: (-one.chips, one.player, one.namesake or 0))),
        )
        for key, totals in sorted(events.items())
    ]


def _in_order(store: "Store", matches: Sequence[MatchName]) -> list[int]:
    """The match_ids in the order of play."""
    rows = store.execute(
        "select match_id, played_at from matches where among(match_id, $ids)", ids=ids(matches)
    ).fetchall()
    when = dict(rows)
    return [
        match.match_id
        for match in sorted(
            matches,
            key=lambda one: order_of_play(
                when[one.match_id], one.event, one.path, one.match_no, one.match_id
            ),
        )
    ]


_Luck = dict[tuple[int, int], tuple[NDArray[np.int64], Series]]


def _brought(
    store: "Store", order: Sequence[int], slopes: "Slopes | None" = None
) -> tuple[_Luck, dict[tuple[int, int], NDArray[np.int64]]]:
    """By match_id and seat: hands whose luck is known with the chips that the cards brought, and their clusters."""
    slopes = slopes or luck.fit_store(store)
    brought: _Luck = {}
    clusters: dict[tuple[int, int], NDArray[np.int64]] = {}
    for start in range(0, len(order), _READ):
        frame = luck.hands(store, slopes, list(order[start : start + _READ]))
        for (match, seat), rows in frame.partition_by(
            ["match_id", "seat"], as_dict=True, maintain_order=True
        ).items():
            values = rows["delta"].to_numpy() - rows["chance_adjusted"].to_numpy()
            key = int(match), int(seat)
            brought[key] = rows["hand_index"].to_numpy().astype(np.int64), values
            clusters[key] = rows["cluster"].to_numpy().astype(np.int64)
    return brought, clusters


def _blocks(seen: "Store", brought: _Luck) -> dict[int, NDArray[np.int64]]:
    """The ends of each match's blocks; the luck of matches without any is taken from `brought`."""
    found = ends_of(seen, {seat: hands for seat, (hands, _) in brought.items()})
    for key in [key for key in brought if not len(found[key[0]])]:
        del brought[key]
    return found


def _total(
    player: str,
    namesake: int | None,
    mine: Sequence[tuple[int, slice]],
    columns: tuple[NDArray[np.int64], NDArray[np.int64], Series],
    brought: _Luck,
    clusters: dict[tuple[int, int], NDArray[np.int64]],
    blocks: dict[int, NDArray[np.int64]] | None,
) -> Total:
    """One player's sums over its seats in some matches; blocks: of each match, if luck is shown only where they end."""
    seats, hands, deltas = columns
    won, off, units, known, at = [], [], [], [], 0
    played: dict[int, NDArray[np.int64]] = {}
    told: list[NDArray[np.intp]] = []
    done = 0
    for match, part in mine:
        own, key = hands[part], (match, int(seats[part.start]))
        played[match] = own
        if blocks is not None and key in brought:
            told.append(done + own_ends(blocks[match], own))
        done += len(own)
        by_cards, unit = np.zeros(len(own)), np.full(len(own), -1, np.int64)
        if key in brought:
            listed, values = brought[key]
            places = np.searchsorted(own, listed)
            fits = (places < len(own)) & (own[np.minimum(places, len(own) - 1)] == listed)
            by_cards[places[fits]] = values[fits]
            unit[places[fits]] = clusters[key][fits] + at
            at = int(unit.max(initial=at)) + 1
        won.append(deltas[part])
        off.append(by_cards)
        units.append(unit)
        known.append(unit >= 0)
    bankroll, luck_of = np.cumsum(np.concatenate(won)), np.concatenate(off)
    if not luck_of.any():
        return Total(player, namesake, bankroll, played=played)
    adjusted = bankroll - np.cumsum(luck_of)
    half, there = np.full(len(bankroll), np.nan), np.concatenate(known)
    steps = np.diff(adjusted, prepend=0.0)[there]
    half[there] = luck.half_band(np.cumsum(steps), np.concatenate(units)[there], BAND_FROM)
    if blocks is not None:
        places = np.concatenate(told)
        adjusted, half = at_ends(adjusted, places), at_ends(half, places)
    return Total(player, namesake, bankroll, adjusted, half, played)


def height_of(players: int, look: Look, least: float) -> float:
    """The height of a panel's curves in inches: each label has a line of its own."""
    return max(least, players * look.label * 1.32 / _POINTS)


def figure(curves: Sequence[EventCurve], title: str = "", style: PlotStyle = PlotStyle.PAGE) -> Figure:
    """The picture of some events: a panel each, a label each player at the end of its curve."""
    look = LOOKS[style]
    with rc_context(style_of() | {"font.size": look.text, "svg.fonttype": "none"}):
        unit = look.text / _POINTS
        heads, feet = 2.3 * unit, 2.2 * unit
        said = caption(curves)
        per_line = max(30, int(1.9 * look.width * _POINTS / (0.82 * look.text)))
        notes = fill(said, per_line)
        top = (2.4 if title else 0.5) * unit
        bottom = (1.2 * (notes.count("\n") + 1) * 0.82 + 1.6) * unit
        around = top + bottom + len(curves) * (heads + feet)
        least = look.least_height - around if len(curves) == 1 else 0.5 * look.least_height
        tall = [height_of(len(curve.named) + (curve.mean is not None), look, least) for curve in curves]
        high = around + sum(tall)
        drawn = Figure(figsize=(look.width, high), dpi=look.dots)
        if title:
            shown = short(title, None, look.width - 2 * unit, 1.25 * look.text, bold=True)
            drawn.text(
                unit / look.width,
                1 - 1.4 * unit / high,
                shown,
                fontsize=1.25 * look.text,
                fontweight="bold",
                va="center",
            )
        room = _room(curves, look)
        panels = [_panel(drawn.add_axes((0, 0, 1, 1)), curve, look) for curve in curves]
        left = _left([panel.axes for panel in panels], look)
        above = top
        for curve, panel, own in zip(curves, panels, tall, strict=True):
            above += heads
            box = (
                left / look.width,
                1 - (above + own) / high,
                1 - (left + room) / look.width,
                own / high,
            )
            panel.axes.set_position(box)
            _labels(panel, look, room)
            about = f"{curve.game}, event {curve.event}" if curve.event != curve.game else curve.game
            line = f"{printable(about)} · {counted(curve.matches, 'match')}"
            if curve.player:
                line = f"{printable(curve.player)}: {line}"
            else:
                line += f", {counted(len(curve.totals), 'player')}"
            heading = short(line, None, look.width - 2 * unit, look.text, bold=True)
            drawn.text(
                unit / look.width, 1 - (above - 0.9 * unit) / high, heading, fontweight="bold", va="center"
            )
            above += own + feet
        drawn.text(
            unit / look.width,
            0.6 * unit / high,
            notes,
            fontsize=0.82 * look.text,
            color=FAINT,
            va="bottom",
            linespacing=1.3,
        )
    return drawn


def _label(total: Total, look: Look, room: float) -> str:
    return f"{short(total.player, total.namesake, room, look.label)}  {signed(_shown(total.chips))}"


def _shown(chips: float) -> float:
    """Chips as a label has them: whole, where they are a mean of many."""
    return float(round(chips)) if abs(chips) >= 100 else round(chips, 2)


def _room(curves: Sequence[EventCurve], look: Look) -> float:
    """The inches right of the curves: the longest label, at most a third of the picture."""
    most = look.width / 3
    many = any(len(curve.totals) > len(PLAYERS) for curve in curves)
    pad = (2.4 + _KEY * many) * look.label / _POINTS
    widest = max(
        (
            width(_label(total, look, most), look.label)
            for curve in curves
            for total in (*curve.named, *([curve.mean] if curve.mean else ()))
        ),
        default=0.0,
    )
    return min(most, widest + pad)


def _left(panels: Sequence[Axes], look: Look) -> float:
    """The inches left of the curves: what the widest number there needs, at most a third of the picture."""
    unit = look.text / _POINTS
    widest = max(width(chips(tick), look.text) for axes in panels for tick in axes.get_yticks())
    return min(look.width / 3, max(5.2 * unit, widest + 0.8 * unit))


def kinds_of(players: int) -> list[tuple[str, Any]]:
    """A colour and a kind of line for each player; no two are the same for up to 30."""
    return [(PLAYERS[k % len(PLAYERS)], DASHES[k // len(PLAYERS) % len(DASHES)]) for k in range(players)]


@dataclass(frozen=True)
class _Panel:
    """The curves of an event, drawn without their labels.

    ends  of each curve with a label: its last hand, player, colour and kind of line
    last  the most hands of a player
    key   the width of a piece of the curve's kind of line before its label, where colours come again; 0 for none
    """

    axes: Axes
    ends: list[tuple[int, Total, str, Any]]
    last: int
    key: float


def _panel(axes: Axes, curve: EventCurve, look: Look) -> _Panel:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="y", color=GRID, linewidth=0.4 * look.line)
    axes.set_axisbelow(True)
    axes.axhline(0, color=FAINT, linewidth=0.45 * look.line)
    last = max((len(total.bankroll) for total in curve.totals), default=0)
    axes.set_xlim(0, max(last, 1))
    axes.tick_params(length=0)
    axes.yaxis.set_major_formatter(lambda value, _: chips(value))
    axes.xaxis.set_major_formatter(lambda value, _: chips(value) if value else "hand 0")
    axes.locator_params(axis="x", nbins=6, integer=True)
    axes.locator_params(axis="y", nbins=7, integer=True)
    many = len(curve.totals) > len(PLAYERS)
    thick = look.line * (0.7 if many else 1.0)
    kinds = kinds_of(len(curve.totals))
    ends: list[tuple[int, Total, str, Any]] = []
    # The winner lies above the others.
    for (colour, dashes), total in [*zip(kinds, curve.totals, strict=True)][::-1]:
        values = np.concatenate([[0.0], total.bankroll])
        kept = downsample(values, _CELLS)
        if curve.mean is not None:
            quiet = total not in curve.named
            axes.plot(
                kept,
                values[kept],
                color=FAINT if quiet else colour,
                linewidth=0.55 * look.line,
                linestyle=dashes,
                alpha=0.35 if quiet else 0.8,
            )
            if quiet:
                continue
        else:
            axes.plot(kept, values[kept], color=colour, linewidth=thick, linestyle=dashes)
        ends.append((len(values) - 1, total, colour, dashes))
    if curve.mean is not None:
        _mean(axes, curve.mean, look)
        ends.append((len(curve.mean.bankroll), curve.mean, INK, "-"))
    for (colour, _), total in zip(kinds, curve.totals, strict=True):
        if total.adjusted is not None and (total is curve.totals[0] or not many):
            _adjusted(axes, total, colour, look, with_band=total is curve.totals[0])
    return _Panel(axes, ends, last, thick if many else 0.0)


def _mean(axes: Axes, mean: Total, look: Look) -> None:
    assert mean.half is not None
    values, half = np.concatenate([[0.0], mean.bankroll]), np.concatenate([[0.0], mean.half])
    kept = downsample(values, _CELLS)
    axes.fill_between(
        kept, values[kept] - half[kept], values[kept] + half[kept], color=INK, alpha=0.13, linewidth=0
    )
    axes.plot(kept, values[kept], color=INK, linewidth=1.6 * look.line)


def _adjusted(axes: Axes, total: Total, colour: str, look: Look, with_band: bool) -> None:
    assert total.adjusted is not None and total.half is not None
    values = np.concatenate([[0.0], total.adjusted])
    known = np.flatnonzero(~np.isnan(values))
    kept = known[downsample(values[known], _CELLS)]
    axes.plot(kept, values[kept], color=colour, linewidth=0.5 * look.line, linestyle=(0, (1, 1)), alpha=0.9)
    if with_band:
        half = np.concatenate([[np.nan], total.half])
        axes.fill_between(
            kept, values[kept] - half[kept], values[kept] + half[kept], color=colour, alpha=0.13, linewidth=0
        )


def _labels(panel: _Panel, look: Look, room: float) -> None:
    """A label for each curve right of the panel, moved apart, with a thin line from the curve's end where it moved."""
    axes, ends, last, key = panel.axes, panel.ends, panel.last, panel.key
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    tall = axes.figure.get_size_inches()[1] * axes.get_position().height  # type: ignore[union-attr]
    gap = look.label * 1.3 / _POINTS / tall * (high - low)
    order = sorted(ends, key=lambda end: end[1].chips)
    places: list[float] = []
    for _, total, *_ in order:
        at = max(total.chips, low + gap / 2)
        places.append(at if not places else max(at, places[-1] + gap))
    ceiling = high - gap / 2
    for k in range(len(places) - 1, -1, -1):
        places[k] = min(places[k], ceiling)
        ceiling = places[k] - gap
    inner = room - (2.4 + _KEY * (key > 0)) * look.label / _POINTS
    # A thin line leads from the end of the curve to the label; where a player had fewer hands, it goes level first.
    step = look.label * last / (_POINTS * _wide(axes))
    for (end, total, colour, dashes), at in zip(order, places, strict=True):
        value = f"  {signed(_shown(total.chips))}"
        said = short(total.player, total.namesake, inner - width(value, look.label), look.label) + value
        axes.plot(
            [end, last, last + 1.3 * step],
            [total.chips, total.chips, at],
            color=colour,
            linewidth=0.3 * look.line,
            alpha=0.8,
            clip_on=False,
        )
        begin = last + 1.3 * step
        if key:
            until = begin + (_KEY - 0.3) * step
            axes.plot([begin, until], [at, at], color=colour, linewidth=key, linestyle=dashes, clip_on=False)
            begin += _KEY * step
        axes.text(begin + 0.3 * step, at, said, va="center", color=colour, fontsize=look.label)


def _wide(axes: Axes) -> float:
    """The width of a panel in inches."""
    return float(axes.figure.get_size_inches()[0] * axes.get_position().width)  # type: ignore[union-attr]


def caption(curves: Sequence[EventCurve]) -> str:
    """The meaning of the marks, one sentence each."""
    if any(curve.player for curve in curves):
        said = ["Chips won after each hand of a match; each line is a match."]
        if any(curve.mean for curve in curves):
            said.append(
                "Thick: their mean, while at least half of them go on, with its 95% interval hand by hand."
            )
        if any(len(curve.named) < len(curve.totals) for curve in curves):
            said.append(f"Named: the {MOST_NAMED // 4} best and the {MOST_NAMED // 4} worst.")
        return " ".join(said)
    said = [_CAPTION]
    if any(total.adjusted is not None for curve in curves for total in curve.totals):
        banded = any(
            curve.totals and curve.totals[0].half is not None and not np.isnan(curve.totals[0].half).all()
            for curve in curves
        )
        many = [len(curve.totals) > len(PLAYERS) for curve in curves]
        whose = "the winner’s" if all(many) else "each player’s"
        if any(many) and not all(many):
            whose += f" (where there are more than {len(PLAYERS)}, the winner’s)"
        band = ", with the winner’s 95% band" if banded else ""
        said.append(f"Thin dots: {whose} bankroll without the luck of the cards{band}.")
    return " ".join(said)


def pictures(curve: EventCurve, forms: Sequence[str]) -> dict[str, bytes]:
    """The picture's files of one event, `svg` and `png`, drawn once."""
    with ignored_glyphs(), rc_context(style_of()):
        drawn = figure([curve])
        return {form: encoded(drawn, form) for form in forms}


def save_events(
    store: "Store",
    matches: Sequence[MatchName],
    path: Path,
    title: str = "",
    style: PlotStyle = PlotStyle.PAGE,
) -> None:
    """Write the picture of the events of some matches to FILE.png or FILE.svg; UserError for any other ending.

    UserError too for more than `MOST_PANELS` events, or matches without hands.
    """
    picture_form(path)
    _check_panels(len({(match.event, match.game) for match in matches}))
    save_curves(event_curves(store, matches), path, title, style)


def _check_panels(panels: int) -> None:
    if panels > MOST_PANELS:
        raise UserError(
            f"--plot draws at most {MOST_PANELS} events and games, not {panels}; choose with --event or --game"
        )


def save_curves(
    found: Sequence[EventCurve], path: Path, title: str = "", style: PlotStyle = PlotStyle.PAGE
) -> None:
    """Write a picture of some curves; UserError for another ending, too many of them, or none with hands."""
    form = picture_form(path)
    _check_panels(len(found))
    curves = [curve for curve in found if any(len(one.bankroll) for one in curve.totals)]
    if not curves:
        raise UserError("these matches have no hands to draw")
    with ignored_glyphs(), rc_context(style_of()):
        path.write_bytes(encoded(figure(curves, title, style), form))
