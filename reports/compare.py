"""The output of `railbird compare`: the answer first, then where it comes from, then how it was found."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from ..analytics.compare import (
    BETTER,
    EQUAL,
    UNDECIDED,
    WORSE,
    CompareError,
    Comparison,
    Look,
    Version,
    compare,
    league,
)
from ..analytics.settings import FEW
from . import Format, UserError
from .matches import last_match, numbered
from .terminal import Answer, chips, counted, json_value, minus, printable, say, tied, write

if TYPE_CHECKING:
    from ..analytics.store import Store

EXITS: Final = {BETTER: 0, UNDECIDED: 1, WORSE: 3, EQUAL: 4}
"""The exit code of each verdict with `--until decided`."""


def print_comparison(
    store: "Store",
    one: str,
    other: str,
    form: Format,
    *,
    event: str | None = None,
    game: str | None = None,
    against: str | None = None,
    as_of: str | None = None,
    margin: float | None = None,
    path: bool = False,
) -> str:
    """Print how two players compare; the verdict."""
    check_form(form)
    last = last_match(store, as_of)
    try:
        found = compare(store, one, other, event=event, game=game, against=against, as_of=last, path=path)
    except CompareError as error:
        raise UserError(printable(str(error))) from None
    verdict = found.look.verdict(margin)
    if form is Format.JSON:
        print(json.dumps(json_value(_document(found, margin))))
        return verdict
    say(printable(answer(found, margin)))
    print()
    write(_known(_table(found)))
    if path:
        table = _known(_path_table(found, margin))
        write(numbered(store, table, [(match_id, None) for match_id, _ in found.path]))
    say(printable(" ".join(method(found))))
    return verdict


def print_league(
    store: "Store",
    pattern: str,
    form: Format,
    *,
    event: str | None = None,
    game: str | None = None,
    as_of: str | None = None,
    margin: float | None = None,
) -> None:
    """Print a row for each version of a bot, with the difference to the version before."""
    check_form(form)
    found = versions(store, pattern, event, game, as_of)
    if form is Format.JSON:
        print(json.dumps(json_value({"league": [version_row(version, margin) for version in found]})))
        return
    columns = ["version", "matches", "hands", "won", "before", "difference", "sequence", "verdict"]
    rows = []
    for version in found:
        against = version.against_before
        said: list[Any] = [""] * 3
        if against is not None:
            look = against.look
            said = [_signed(look.difference), _span(look), look.verdict(margin)]
        elif version.before is not None:
            said[2] = "no common opponent"
        rows.append(
            (
                version.player,
                version.matches,
                version.hands,
                _signed(version.winnings),
                version.before or "",
                *said,
            )
        )
    title = "Versions in the order of their first matches; bb/100, luck-adjusted"
    write(Answer(columns, rows, title, {"hands": chips, "won": str, "difference": str, "sequence": str}))


def versions(
    store: "Store", pattern: str, event: str | None, game: str | None, as_of: str | None
) -> list[Version]:
    """The versions whose names match a pattern; UserError if they cannot be compared."""
    last = last_match(store, as_of)
    try:
        return league(store, pattern, event=event, game=game, as_of=last)
    except CompareError as error:
        raise UserError(printable(str(error))) from None


def check_form(form: Format, what: str = "a comparison") -> None:
    """UserError for CSV, where the output is more than one table; what: the output."""
    if form is Format.CSV:
        raise UserError(f"{what} is not a table: use --format json or table")


def _document(found: Comparison, margin: float | None) -> dict[str, Any]:
    look = found.look
    return {
        "player": found.one,
        "other": found.other,
        "game": found.game,
        "head_to_head": found.head_to_head,
        "verdict": look.verdict(margin),
        "difference": look.difference,
        "low": look.low,
        "high": look.high,
        "hands": look.hands,
        "matches": found.matches,
        "same_cards": found.pairs,
        "hands_to_decide": look.hands_to_decide(margin),
        "by": [
            {
                "by": breakdown,
                "value": value,
                "difference": part.difference,
                "low": part.low,
                "high": part.high,
                "hands": part.hands,
            }
            for breakdown, value, part in found.by
        ],
        "path": [
            {
                "match_id": str(match_id),
                "hands": part.hands,
                "difference": part.difference,
                "low": part.low,
                "high": part.high,
                "verdict": part.verdict(margin),
            }
            for match_id, part in found.path
        ],
    }


def version_row(version: Version, margin: float | None) -> dict[str, Any]:
    """A version as the JSON of a league has it."""
    against = version.against_before
    row: dict[str, Any] = {
        "player": version.player,
        "matches": version.matches,
        "hands": version.hands,
        "winnings": version.winnings,
        "before": version.before,
    }
    kept = ("verdict", "difference", "low", "high", "hands_to_decide")
    made = {} if against is None else _document(against, margin)
    return row | {key: made.get(key) for key in kept}


def _signed(value: float) -> str:
    return minus(f"{tied(value, 1):+.1f}")


def _span(look: Look) -> str:
    """The sequence in words; empty before it is known."""
    if not look.is_bounded:
        return ""
    return f"{minus(f'{tied(look.low, 1):.1f}')} to {minus(f'{tied(look.high, 1):.1f}')}"


def answer(found: Comparison, margin: float | None) -> str:
    """The answer in a sentence or two."""
    look = found.look
    verdict = look.verdict(margin)
    sequence = f"95%: {_span(look)}" if look.is_bounded else "no 95% sequence yet"
    size = f"{_signed(look.difference)} bb/100 ({sequence}) after {counted(look.hands, 'hand')}"
    if verdict in (BETTER, WORSE):
        return f"{found.one} is {verdict} than {found.other}: {size}. You may stop."
    if verdict == EQUAL:
        return f"{found.one} and {found.other} are equal within {margin:g} bb/100: {size}. You may stop."
    further = look.hands_to_decide(margin)
    more = (
        "More hands may change that."
        if further is None
        else f"At this rate {further:,} further hands decide it."
    )
    return f"Undecided between {found.one} and {found.other}: {size}. {more}"


def _table(found: Comparison) -> Answer:
    rows = [
        (breakdown, value, part.hands, _signed(part.difference), _span(part))
        for breakdown, value, part in found.by
    ]
    title = f"Where it comes from: {found.one}, bb/100"
    if not found.head_to_head:
        title = f"Where it comes from: {found.one} less {found.other}, bb/100"
    return Answer(
        ["by", "value", "hands", "difference", _SEQUENCE],
        rows,
        title,
        {"hands": chips, "difference": str, _SEQUENCE: str},
        faint=lambda row: row[2] < FEW,
        part=lambda row: row[0],
    )


_SEQUENCE: Final = "95% sequence"


def _known(answer: Answer) -> Answer:
    """A table without the column of sequences, if none is known yet."""
    place = answer.columns.index(_SEQUENCE)
    if any(row[place] for row in answer.rows):
        return answer
    rows = [(*row[:place], *row[place + 1 :]) for row in answer.rows]
    return replace(answer, columns=[name for name in answer.columns if name != _SEQUENCE], rows=rows)


def _path_table(found: Comparison, margin: float | None) -> Answer:
    rows = [
        (str(match_id), part.hands, _signed(part.difference), _span(part), part.verdict(margin))
        for match_id, part in found.path
    ]
    return Answer(
        ["after match", "hands", "difference", _SEQUENCE, "verdict"],
        rows,
        "After each match",
        {"difference": str, _SEQUENCE: str},
    )


def method(found: Comparison) -> list[str]:
    """How it was found, in a few sentences."""
    what = (
        "their matches against each other" if found.head_to_head else "their matches against common opponents"
    )
    cards = f", {found.pairs:,} groups of them dealt the same cards" if found.pairs else ""
    parts = [found.look, *(part for _, _, part in found.by), *(part for _, part in found.path)]
    unknown = any(not part.is_bounded for part in parts)
    return [
        f"From {counted(found.matches, 'match')}: {what}{cards}.",
        "Results are adjusted for luck with what was known before each hand.",
        *(["The sequence holds however often you look."] if any(part.is_bounded for part in parts) else []),
        *(
            ["A sequence begins with about the seventh match; matches with the same cards count as one."]
            if unknown
            else []
        ),
        "docs/compare.md explains it.",
    ]
