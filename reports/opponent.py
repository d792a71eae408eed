"""The output of `railbird opponent`: what wins against a player, then tables; as JSON the opponent file itself."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from operator import itemgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from ..analytics.settings import FEW_IN_CELL
from ..progress import Progress
from ..schema.words import LOWEST, RANKS
from . import Format, UserError
from .compare import check_form
from .matches import MatchName, all_matches, ended, latest, name_of, short_hand, short_names
from .replayer import street_name
from .stats import game_rates
from .terminal import (
    Answer,
    brief_interval,
    chips,
    counted,
    json_value,
    minus,
    percent,
    printable,
    small,
    steady,
    tied,
    unbroken,
    wrapped,
    write,
)

if TYPE_CHECKING:
    from ..analytics.players import Player
    from ..analytics.store import Store
    from ..variants.properties import Properties

Row = dict[str, Any]
Cell = Callable[[Row], Any]
"""A cell of a table from a row of the document."""

_HIGH_FIRST: Final = RANKS[::-1]
_FIRST: Final = 2
"""Leaks that are shown first."""
_HANDS: Final = 3
"""Hands of each."""
_FEW_POSITIONS: Final = 2
"""Positions up to which the short table has folds to bets, a row for each street and position."""
_MINOR: Final = ("saw_flop", "tied_showdown", "cbet_turn", "cbet_river")
"""Statistics that the short table leaves out."""
_FACING: Final = {0: "no bet", 1: "the blinds", 2: "a raise", 3: "a 3-bet", 4: "a 4-bet"}


_BRIEF: Final = 12
"""Rows of a table of what makes the game that is printed without --all; of longer ones only the sentence is."""


def print_opponent(
    store: "Store",
    name: str,
    against: str | None,
    event: str | None,
    game: str | None,
    seat: int | None,
    against_seat: int | None,
    form: Format,
    as_of: str | None = None,
    every: bool = False,
    progress: Progress | None = None,
    most: int | None = None,
) -> None:
    """Print a player's opponent file; as text what wins against it and a short table, every: all tables.

    as_of: names the last match that is used
    most: how many of the player's last matches are used; None: all

    UserError for CSV: it is not a table, and for the match; UnknownPlayer for the names.
    """
    from ..analytics.players import rules_of

    check_form(form, "the opponent file")
    asked = name, against, event, game, seat, against_seat
    with opponent_as_of(store, *asked, as_of=as_of, most=most) as (opened, last, player, viewer, made):
        if form is Format.JSON:
            json.dump(json_value(made), sys.stdout)
            print()
            return
        made |= {"rules": rules_of(opened, player.game)}
        _print_head(made, None if last is None else short_names(all_matches(opened))[last], most)
        print()
        for line in _answers(opened, player, viewer, made["rules"], progress):
            print(line)
        print()
        with opened.matches_of(viewer or player) as met:
            own = [one for who, one in game_rates(met, player.name, player.event) if who == who_is(player)]
        for line in (said for one in own for said in one.said):
            print("\n".join(wrapped(printable(line), later="  ")).replace("\u00a0", " "))
        if own:
            print()
        more = [one.table for one in own if every or len(list(one.table.rows)) <= _BRIEF]
        if every:
            _print_tables(made, more)
        else:
            _print_short(made, more)


@contextmanager
def opponent_as_of(
    store: "Store",
    name: str,
    against: str | None = None,
    event: str | None = None,
    game: str | None = None,
    seat: int | None = None,
    against_seat: int | None = None,
    as_of: str | None = None,
    most: int | None = None,
) -> "Iterator[tuple[Store, int | None, Player, Player | None, Row]]":
    """The store up to the match that `--as-of` names, that match_id, both players and the opponent file.

    most  how many of the player's last matches up to there, of those with the other; None: all

    Raises UnknownPlayer for the names, UserError for the match.
    """
    from ..analytics.opponent import opponent_file
    from ..analytics.players import UnknownMatch, find_opponent, find_player, matches_in_order

    with ended(store, as_of) as (whole, last):
        player = find_player(whole, name, event, game, seat, met=against)
        viewer = None if against is None else find_opponent(whole, player, against, against_seat)
        try:
            matches_in_order(whole, player.event, player.game, last)
        except UnknownMatch as error:
            raise UserError(printable(str(error))) from None
        labels = {name_of(one.name, one.seat) for one in (player, viewer) if one is not None}

        def is_asked(match: MatchName) -> bool:
            return (match.event, match.game) == (player.event, player.game) and labels <= {*match.labels}

        with latest(whole, most, is_asked) as opened:
            yield opened, last, player, viewer, opponent_file(opened, player, viewer)


def _print_head(made: Row, last: str | None, most: int | None = None) -> None:
    """The player and how much was read; last: the name of the last match, if not all were; most: as --last says."""
    who, met = made["player"], made["against"]
    full = made["views"]["full"]
    seen = made["views"].get("as_seen")
    seat = "" if who["seat"] is None else f" (seat {who['seat']})"
    print(printable(f"{who['name']}{seat}: {who['game']}, event {who['event']}"))
    print(f"hands {full['hands']:,}, matches {full['matches']:,}", end="")
    until = "" if most is None else f" (--last {most})"
    until += "" if last is None else f", up to {last}"
    print(printable((f", against {met['name']}" if met else "") + until))
    if seen:
        print(printable(f"{met['name']} saw the cards of {seen['hands_with_cards']:,} of these hands."))


def _answers(
    store: "Store", player: "Player", against: "Player | None", rules: "Properties", progress: Progress | None
) -> Iterator[str]:
    """What wins against the player: the leaks with the largest gains, each with hands, or why none is known."""
    from ..analytics.exploit.material import NoLeaks, priced_matches
    from ..analytics.exploit.search import find_leaks
    from .exploit import habits, sentence
    from .why import reason_said, shortened

    name = shortened(player.name)
    try:
        priced_matches(store, player, against=against)
        store.count_equities()
        found = find_leaks(store, player, progress=progress, against=against)
    except NoLeaks as error:
        yield from wrapped(f"What wins against it is not known. {reason_said(str(error))}")
        return
    if not found.leaks:
        looked = counted(found.looked, "change")
        why = f"none of {looked} of play has its whole interval above 0" if found.looked else "too few hands"
        yield from wrapped(f"What wins against it ({counted(found.hands, 'hand')}): nothing certain; {why}.")
        return
    leaks = habits(found.leaks)
    more = f"; {_FIRST} of {len(leaks)}, `railbird exploit` has all" if len(leaks) > _FIRST else ""
    yield f"What wins against it ({counted(found.hands, 'hand')}{more}):"
    shown = [leak.hands[:_HANDS] for leak in leaks[:_FIRST]]
    names = short_names(all_matches(store))
    for place, (leak, some) in enumerate(zip(leaks, shown, strict=False), 1):
        hands = ", ".join(unbroken(short_hand(names, *one)) for one in some)
        said = f"{leak.kind}: {sentence(leak, name, rules)}. Hands {hands}."
        yield from (line.replace("\u00a0", " ") for line in wrapped(said, f"{place}. ", "   "))


def who_is(player: "Player") -> tuple[str, str, str, int | None]:
    """The key of a player in `game_rates`."""
    return player.event, player.game, player.name, player.seat


def _print_short(made: Row, more: Sequence[Answer]) -> None:
    """The last change of play, and the tendencies over all streets; more: tables of what makes the game."""

    changes = made["changes"]["found"]
    if changes:
        before = f"; before, it changed {_times(len(changes) - 1)}" if len(changes) > 1 else ""
        for line in wrapped(printable(f"{_changed(made, changes[-1])}{before}.")):
            print(line)
        print()
    full = made["views"]["full"]
    positions = {row["position"] for row in full["tendencies"] if row["position"]}
    rows = [
        row
        for row in full["tendencies"]
        if (row["street"] is None and row["statistic"] not in _MINOR)
        or (row["statistic"] == "fold_to_bet" and len(positions) <= _FEW_POSITIONS)
    ]
    table = _tendencies(made, full | {"tendencies": rows})
    for one in (table, *more):
        if one.rows:
            write(one)
    print("Intervals are 95%. --all shows every table. Definitions: docs/opponent.md")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _print_tables(made: Row, more: Sequence[Answer]) -> None:
    """Every table of the document, and those of what makes the game."""
    met = made["against"]
    full = made["views"]["full"]
    seen = made["views"].get("as_seen")
    tables = [
        *_changes(made),
        _tendencies(made, full),
        *more,
        *_exploits(made, full, "by a model"),
        _defences(made, full),
        *_strengths(made, full, "" if seen is None else ", everything known"),
        *_ranks(made, full, "" if seen is None else ", everything known"),
    ]
    if seen:
        bluffs = f"by the cards that {met['name']} saw"
        tables += [*_strengths(made, seen, ", as seen"), *_exploits(made, seen, bluffs, ("call", "fold"))]
        tables += _ranks(made, seen, ", as seen")
    for answer in [*tables, *_grids(made, full)]:
        if answer.rows:
            write(answer)
    for what, why in made["does_not_apply"].items():
        print(f"Left out: {what.replace('_', ' ')} ({why}).")
    print(
        f"Intervals are 95%; figures with n below {made['few_below']} are faint. Definitions: docs/opponent.md"
    )


def _span(low: str = "low", high: str = "high") -> Cell:
    """The cell of an interval."""
    return lambda row: brief_interval(row[low], row[high])


def _share(name: str = "rate") -> Cell:
    return lambda row: percent(row[name])


def _either(low: str, high: str, written: Callable[[float], str], dash: str = " to ") -> Cell:
    """The cell of an interval in other units than percent."""
    return lambda row: "" if row[low] is None else f"{written(row[low])}{dash}{written(row[high])}"


def _answer(
    title: str,
    columns: Mapping[str, Cell],
    rows: Iterable[Row],
    is_faint: Cell = itemgetter("few"),
) -> Answer:
    """A table with a cell a column; rows with few cases are faint."""
    listed = [(bool(is_faint(row)), tuple(cell(row) for cell in columns.values())) for row in rows]
    few = {id(row) for is_few, row in listed if is_few}
    counts = {"n": chips} if "n" in columns else {}
    return Answer(list(columns), [row for _, row in listed], title, counts, faint=lambda row: id(row) in few)


def _street_of(made: Row) -> Cell:
    return lambda row: street_name(made["rules"], row["street"])


def _bet_of(made: Row) -> Cell:
    return lambda row: made["sizes"][row["size"] - 1]


def _is_repeated(row: Row, tendencies: Sequence[Row]) -> bool:
    """True for a tendency over all streets that repeats one street's: a c-bet on the flop is that street's."""
    told = ("rate", "low", "high", "opportunities")
    return row["street"] is None and any(
        other["street"] is not None
        and row["label"].startswith(other["label"])
        and all(row[name] == other[name] for name in told)
        for other in tendencies
    )


def _tendencies(made: Row, view: Row) -> Answer:
    street = _street_of(made)
    rows = [
        row
        for row in view["tendencies"]
        if row["opportunities"]
        and (row["position"] is None or row["statistic"] == "fold_to_bet")
        and not _is_repeated(row, view["tendencies"])
    ]
    columns: dict[str, Cell] = {
        "statistic": itemgetter("label"),
        "street": lambda row: "" if row["street"] is None else street(row),
        "position": lambda row: row["position"] or "",
        "rate": _share(),
        "interval": _span(),
        "n": itemgetter("opportunities"),
    }
    return _answer("Tendencies", columns, rows)


_DONE: Final = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets", "raise": "raises"}


def line_of(rules: "Properties", row: Row) -> str:
    """What was done in a hand before a decision, in words; row: of the document's `changes`."""
    parts: list[str] = []
    street = None
    for at, who, act, to_bb in row["line"]:
        amount = (
            ""
            if to_bb is None
            else f" {'to ' if act == 'raise' else ''}{f'{steady(to_bb):,.1f}'.removesuffix('.0')} bb"
        )
        said = f"{who} {_DONE.get(act, act)}{amount}"
        parts.append(said if at == street else f"{street_name(rules, at)}: {said}")
        street = at
    said = ", ".join(parts) or "first to act"
    return said if row["street"] in (street, 0) else f"{said}, {street_name(rules, row['street'])}"


def choice_of(sizes: Sequence[str], row: Row) -> str:
    """What a row of `changes` counts: an action, or the size of a raise."""
    if row["size"] is not None:
        return f"raises, of size {sizes[row['size'] - 1]}"
    faced = "" if row["faced"] is None else f"; faces a bet {sizes[row['faced'] - 1]}"
    return f"{row['action']}{faced}"


def _changes(made: Row) -> list[Answer]:
    """A table for each change of play: what changed, before and after."""
    tables = []
    for one in made["changes"]["found"]:
        rules = made["rules"]

        def line(row: Row, rules: "Properties" = rules) -> str:
            return line_of(rules, row)

        columns: dict[str, Cell] = {
            "in": itemgetter("position"),
            "after": line,
            "does": lambda row: choice_of(made["sizes"], row),
            "before": _share("before_rate"),
            "interval": _span("before_low", "before_high"),
            "n": itemgetter("before_opportunities"),
            "since": _share("after_rate"),
            "95%": _span("after_low", "after_high"),
            "n since": itemgetter("after_opportunities"),
        }
        title = _changed(made, one)
        new = sorted(set(one["opponents_after"]) - set(one["opponents_before"]))
        notes = [f"Only met since: {', '.join(new)}."] if new else []
        tables.append(replace(_answer(title, columns, one["rates"]), notes=notes))
    return tables


def _changed(made: Row, one: Row) -> str:
    before, after = one["matches_before"], one["matches_after"]
    return (
        f"Its play changed with {PurePath(one['path']).name or 'match ' + one['match_id']}: "
        f"{before:,} {'match' if before == 1 else 'matches'} before, {after:,} since "
        f"(false alarm: at most {percent(made['changes']['false_alarm'])})"
    )


def _defences(made: Row, view: Row) -> Answer:
    columns: dict[str, Cell] = {
        "street": _street_of(made),
        "bet": _bet_of(made),
        "folds": _share(),
        "interval": _span(),
        "break-even": _share("break_even"),
        "over-fold": lambda row: _points(row["over_fold"]),
        "n": itemgetter("opportunities"),
    }
    return _answer(
        "Folds to bets; break-even: the share of folds from which any bluff wins; over-fold: folds − break-even",
        columns,
        view["defences"],
    )


def _strengths(made: Row, view: Row, which: str) -> list[Answer]:
    sizes: dict[str, Cell] = {
        "street": _street_of(made),
        "bet": _bet_of(made),
        "bets": itemgetter("bets"),
        "n": itemgetter("seen"),
        "equity": _share("equity"),
        "interval": _span("equity_low", "equity_high"),
        "bluffs": _share("bluff_share"),
        "bluffs interval": _span(),
        "optimum": _share("optimum"),
    }
    tells: dict[str, Cell] = {
        "street": _street_of(made),
        "AUC": lambda row: "" if row["auc"] is None else f"{row['auc']:.2f}",
        "interval": _either("low", "high", "{:.2f}".format, "–"),
        "n value": itemgetter("bets_for_value"),
        "n bluffs": itemgetter("bluffs"),
    }
    return [
        _holdings(made, view, which),
        _answer(
            f"Strength by own bet size{which} (equity against a random hand; bluffs: below 50%; optimum: by pot odds)",
            sizes,
            view["bets_by_size"],
        ),
        _answer(
            f"Size tells{which} (AUC: P(a bet for value is larger than a bluff); 0.5 tells nothing)",
            tells,
            view["size_tells"],
        ),
    ]


def _holdings(made: Row, view: Row, which: str) -> Answer:
    """A row for each action and size on a street, with the shares of the fifths of equity."""
    situations: dict[tuple[Any, ...], Row] = {}
    for row in view["holdings"]:
        key = (row["street"], row["action"], row["size"])
        situations.setdefault(key, row | {"fifths": {}})["fifths"][row["fifth"]] = row

    def share(fifth: int) -> Cell:
        def cell(row: Row) -> str:
            one = row["fifths"][fifth]
            return f"{percent(one['rate'])} ({brief_interval(one['low'], one['high'])})"

        return cell

    columns: dict[str, Cell] = {
        "street": _street_of(made),
        "does": itemgetter("action"),
        "bet": lambda row: "" if row["size"] is None else made["sizes"][row["size"] - 1],
        **{f"{20 * fifth - 20}–{20 * fifth}%": share(fifth) for fifth in range(1, 6)},
        "n": itemgetter("opportunities"),
    }
    title = f"What it holds{which}: hands by equity against a random one, after each action and size"
    shown = [row for row in situations.values() if row["opportunities"] >= FEW_IN_CELL]
    less = len(situations) - len(shown)
    notes = [f"{less} more with n below {FEW_IN_CELL} (--format json)."] if less else []
    return replace(_answer(title, columns, shown), notes=notes)


def _exploits(made: Row, view: Row, by: str, only: Sequence[str] = ()) -> list[Answer]:
    """Tables of the best exploits: things to do, and things to leave out.

    Chips weigh in what an exploit wins: a row whose own rate, where each case counts one, speaks against it is left to
    the document.
    """
    from ..analytics.opponent import LEFT_OUT

    found = view["exploits"]
    columns: dict[str, Cell] = {
        "do": itemgetter("does"),
        "street": _street_of(made),
        "bet": _bet_of(made),
        "bb/100": lambda row: small(row["bb_per_100"]),
        "interval": _either("bb_low", "bb_high", small),
        "rate": _share(),
        "break-even": _share("break_even"),
        "n": itemgetter("opportunities"),
    }
    tables = []
    for title, leaves_out in (("Exploits", False), ("What to leave out", True)):
        winning = [
            row
            for row in found["winning"]
            if (not only or row["exploit"] in only) and (row["exploit"] in LEFT_OUT) is leaves_out
        ]
        shown = [row for row in winning if (row["rate"] < row["break_even"]) is leaves_out]
        said = f"{title}, {by}; the best of {found['compared']} compared (grey: the interval includes 0, or few cases)"
        assumed = {row["does"]: row["assumes"] for row in shown}
        notes = [f"Assumptions of “{does}”: {assumes}." for does, assumes in assumed.items()]
        if less := len(winning) - len(shown):
            notes.append(
                f"{less} more would have won chips, although their rate is on the wrong side of break-even "
                "(--format json)."
            )
        table = _answer(said, columns, shown, lambda row: row["few"] or not row["certain"])
        tables.append(replace(table, notes=notes))
    return tables


def _ranks(made: Row, view: Row, which: str) -> list[Answer]:
    """Tables about Bounty's hidden ranks. Bits lost by the belief can be measured even if no rank is known."""
    known: dict[str, Cell] = {
        "bits a hand": lambda row: _bits(row["lost_per_hand"]),
        "interval": _either("lost_low", "lost_high", _bits),
        "rank known": _share("known_rate"),
        "interval of known": _span("known_low", "known_high"),
        "n": itemgetter("hands"),
        "draws of ranks": itemgetter("blocks"),
    }
    used: dict[str, Cell] = {
        "statistic": itemgetter("statistic"),
        "street": _street_of(made),
        "live": _share("live_rate"),
        "interval": _span("live_low", "live_high"),
        "n live": itemgetter("live_opportunities"),
        "else": _share(),
        "else interval": _span(),
        "n": itemgetter("opportunities"),
        "shift": lambda row: "" if row["shift"] is None else _points(row["shift"]),
        "95%": _either("shift_low", "shift_high", _points),
    }
    tables: tuple[tuple[str, Mapping[str, Cell], str], ...] = (
        (
            "How much of its bounty rank the opponent could know",
            {"to": itemgetter("opponent"), **known},
            "rank_given_away",
        ),
        (
            "How much of the opponent's bounty rank it could know",
            {"of": itemgetter("opponent"), **known},
            "rank_learnt",
        ),
        (
            "Play when, by what it could know, the opponent's bounty was live, and otherwise (else)",
            used,
            "rank_used",
        ),
    )
    return [_answer(title + which, columns, view["game"].get(name, ())) for title, columns, name in tables]


def _grids(made: Row, view: Row) -> list[Answer]:
    """One grid for each position and bet level with enough decisions; a cell is not folded / decisions."""
    if "grid" in made["does_not_apply"]:
        return []
    grids = []
    for situation in view["ranges"]:
        if situation["decisions"] < made["few_below"]:
            continue
        facing = _FACING.get(situation["bet_level"], f"bet level {situation['bet_level']}")
        cells = situation["cells"]
        has_ones = any(LOWEST in name for name in cells)
        letters = _HIGH_FIRST + LOWEST if has_ones else _HIGH_FIRST
        rows = [
            [rank, *(_cell(cells.get(_class(letters, row, column))) for column in range(len(letters)))]
            for row, rank in enumerate(letters)
        ]
        place = f"{situation['position']} facing {facing}"
        if made["rules"].simultaneous:
            # Places have numbers.
            place = f"place {situation['position']} after the dealer, round 1"
        title = f"Range in {place}: not folded / dealt, n {situation['decisions']:,}"
        grids.append(
            Answer(
                ["", *letters],
                rows,
                title,
            )
        )
    return grids


def _class(letters: str, row: int, column: int) -> str:
    if row == column:
        return letters[row] * 2
    high, low = letters[min(row, column)], letters[max(row, column)]
    return f"{high}{low}s" if row < column else f"{high}{low}o"


def _cell(counts: list[int] | None) -> str:
    return "" if counts is None else f"{sum(counts) - counts[0]}/{sum(counts)}"


def _bits(value: float) -> str:
    return minus(f"{tied(value, 3) or 0:.3f}")


def _points(value: float) -> str:
    return minus(f"{100 * value:+.1f}")
