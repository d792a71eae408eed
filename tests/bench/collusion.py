"""How well the detectors of collusion tell: tournaments of the arena whose truth is known. `make collusion`.

Results are kept line by line (`--results FILE`), so that a run that was stopped goes on; `--minutes N` of processor
time stop it, `--write FILE` puts the tables into a page. Players, seeds and styles are not those of the tests.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any, Final

# The tests' folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import numpy as np
from arena.tournaments import FIGURES, LOOK_ALIKES, tournament

from bench import koper_tournaments
from bench.kept import Kept, write_between
from railbird.analytics.collusion import clones, detectors
from railbird.analytics.settings import LEVEL

PLANS: Final = ("dump", "soft-play", "shared-cards", "signal", "trigger", "clone")
RING_PLANS: Final = ("dump", "soft-play", "shared-cards")
KOPER_PLANS: Final = ("dump", "soft-play", "shared-cards")
KOPER, KOPER_GAMES = "koper", 750
TABLES_OF_A_PAIR: Final = 3
INTENSITIES: Final = (0.05, 0.1, 0.25, 0.5, 1.0)
GAMES: Final = ("holdem-mit", "bounty", "acpc/holdem.limit.3p", "acpc/kuhn.limit.3p")
FIRST_SEED: Final = 120_000
JUDGED_BY: Final = ("analytics/collusion", "tests/arena", "tests/bench/koper_tournaments.py")
"""The code that makes a result what it is."""
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
_FEW: Final = (200, 500, 1000, 2000)
_HONEST: Final = 25
PLAYERS: Final = 5


def _order(
    game: str, plan: str, intensity: float, alike: str, seed: int, hands: int = 3000
) -> dict[str, Any]:
    return {"game": game, "plan": plan, "intensity": intensity, "alike": alike, "seed": seed, "hands": hands}


def orders(rounds: int) -> Iterator[dict[str, Any]]:
    """What is played: rounds over everything, so that a run that is stopped has some of each."""
    for number in range(rounds):
        for k in range(_HONEST):
            seed = number * _HONEST + k
            game = GAMES[(0, 3, 1, 0, 3, 1, 0, 2)[k % 8]]
            yield _order(game, "none", 0.0, LOOK_ALIKES[k // 2 % len(LOOK_ALIKES)], seed)
        for plan in PLANS:
            for intensity in INTENSITIES:
                game = "bounty" if number % 4 == 3 else "holdem-mit"
                yield _order(game, plan, intensity, LOOK_ALIKES[number % len(LOOK_ALIKES)], number)
        if number % 3 == 2:
            for plan in PLANS:
                for hands in _FEW:
                    yield _order("holdem-mit", plan, 0.5, "none", number, hands)
        for intensity in (0.25, 0.5, 1.0):
            for plan in RING_PLANS:
                yield _order(GAMES[2 + number % 2], plan, intensity, "none", number)
            for plan in KOPER_PLANS:
                yield _order(KOPER, plan, intensity, "none", number, KOPER_GAMES)
        for k in range(2):
            yield _order(KOPER, "none", 0.0, "none", number * 2 + k, KOPER_GAMES)


def played(order: dict[str, Any]) -> dict[str, Any]:
    """One tournament looked at: the flags, the least p of each pair, what the players won."""
    seed, plan, intensity = FIRST_SEED + order["seed"], order["plan"], order["intensity"]
    planted: tuple[str, str] | None
    if order["game"] == KOPER:
        material = koper_tournaments.event(seed, plan, intensity, order["hands"])
        planted = koper_tournaments.NAMES[-2:] if plan != "none" else None
    else:
        hands = order["hands"] // TABLES_OF_A_PAIR if order["game"].startswith("acpc/") else order["hands"]
        truth = tournament(
            order["game"], seed, plan, intensity, order["alike"], FIGURES, players=PLAYERS, hands=hands
        )
        material, planted = truth.material, truth.planted
    names = material.players
    found = detectors.look(material, order["seed"])
    least: dict[str, float] = {}
    flags = []
    for row in found:
        both = "+".join(sorted((names[row.one], names[row.other])))
        least[both] = min(least.get(both, 1.0), row.p)
        if row.flag:
            flags.append([row.detector, both])
    won = np.zeros(len(names))
    hands = np.zeros(len(names))
    np.add.at(won, material.seats, material.results)
    np.add.at(hands, material.seats, np.broadcast_to(material.hands[:, None], material.seats.shape))
    pair = "+".join(sorted(planted)) if planted else None
    results = {name: round(float(w / h), 3) for name, w, h in zip(names, won, hands, strict=True)}
    return {"order": order, "least": least, "flags": flags, "pair": pair, "won": results}


def area(planted: Sequence[float], honest: Sequence[float]) -> tuple[float, float]:
    """The area under the curve of small p for planted pairs, and its standard error (Hanley and McNeil 1982)."""
    one, two = np.asarray(planted), np.sort(np.asarray(honest))
    below, upto = np.searchsorted(two, one, "left"), np.searchsorted(two, one, "right")
    value = float((1 - (below + upto) / 2 / len(two)).mean())
    n, m = len(one), len(two)
    first, second = value / (2 - value), 2 * value**2 / (1 + value)
    variance = value * (1 - value) + (n - 1) * (first - value**2) + (m - 1) * (second - value**2)
    return value, float(np.sqrt(max(variance, 0.0) / (n * m)))


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The 95% interval of a share."""
    z = 1.96
    centre, half = (successes + z * z / 2) / (n + z * z), z / (n + z * z)
    half *= float(np.sqrt(successes * (n - successes) / n + z * z / 4))
    return max(centre - half, 0.0), min(centre + half, 1.0)


def share(successes: int, n: int) -> str:
    """A share with its interval and n."""
    if not n:
        return "-"
    low, high = wilson(successes, n)
    return f"{100 * successes / n:.0f}% ({100 * low:.0f} to {100 * high:.0f}, n = {n})"


def _table(row: dict[str, Any]) -> str:
    """The kind of table."""
    game = str(row["order"]["game"])
    return "koper" if game == KOPER else "three" if game.startswith("acpc/") else "heads-up"


def _planted(
    rows: list[dict[str, Any]], plan: str, intensity: float, hands: int = 3000, table: str = "heads-up"
) -> list[dict[str, Any]]:
    asked = {"plan": plan, "intensity": intensity, "hands": hands}
    return [row for row in rows if asked.items() <= row["order"].items() and _table(row) == table]


def _flagged(rows: list[dict[str, Any]]) -> int:
    """In how many tournaments the planted pair is flagged."""
    return sum(any(flag[1] == row["pair"] for flag in row["flags"]) for row in rows)


def _area(rows: list[dict[str, Any]], honest: list[float]) -> tuple[float, float]:
    return area([row["least"][row["pair"]] for row in rows], honest)


def _lines_of(
    rows: list[dict[str, Any]], honest: list[float], plans: Sequence[str], hands: int, table: str
) -> Iterator[str]:
    threshold = float(np.quantile(honest, 0.01))
    yield "| plan | intensity | AUC | found at 1% false alarms | the pair flagged at q < 0.05 | tournaments |"
    yield "|---|---|---|---|---|---|"
    for plan in plans:
        for intensity in INTENSITIES:
            mine = _planted(rows, plan, intensity, hands, table)
            if not mine:
                continue
            value, error = _area(mine, honest)
            found = sum(row["least"][row["pair"]] < threshold for row in mine)
            yield (
                f"| {plan} | {intensity:.0%} | {value:.3f} ± {1.96 * error:.3f} | {share(found, len(mine))} "
                f"| {share(_flagged(mine), len(mine))} | {len(mine)} |"
            )


def _is_flagged(row: dict[str, Any]) -> bool:
    """Whether a pair is suspected; two names that play alike are not."""
    return any(flag[0] != clones.NAME for flag in row["flags"])


def _goal_lines(
    honest: list[dict[str, Any]], planted: list[dict[str, Any]], least: list[float]
) -> Iterator[str]:
    """The figures beside what the suite is meant to reach, heads-up; a share holds where its interval reaches it."""
    yield "| goal | figure | holds |"
    yield "|---|---|---|"
    flagged = sum(_is_flagged(row) for row in honest)
    holds = wilson(flagged, len(honest))[0] <= LEVEL
    said = f"at most {LEVEL:.0%} of honest tournaments with a flag"
    yield f"| {said}, within its error | {share(flagged, len(honest))} | {_word(holds)} |"
    half = [row for plan in PLANS for row in _planted(planted, plan, 0.5)]
    holds = _flagged(half) >= 0.8 * len(half)
    yield f"| at 50% the pair flagged in at least 80% | {share(_flagged(half), len(half))} | {_word(holds)} |"
    for intensity, due, plans in ((0.25, 0.95, ("dump", "shared-cards", "clone")), (1.0, 0.99, PLANS)):
        for plan in plans:
            mine = _planted(planted, plan, intensity)
            if mine:
                value, error = _area(mine, least)
                said = f"{value:.3f} ± {1.96 * error:.3f} (n = {len(mine)})"
                yield f"| {plan} at {intensity:.0%}: AUC at least {due} | {said} | {_word(value >= due)} |"


def _word(holds: bool) -> str:
    return "yes" if holds else "**no**"


def _honest_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "| honest tournaments | with any flag at q < 0.05 |"
    yield "|---|---|"
    groups = [("all", rows)]
    groups += [(game, [row for row in rows if row["order"]["game"] == game]) for game in (*GAMES, KOPER)]
    groups += [
        (f"with look-alikes: {a}", [row for row in rows if row["order"]["alike"] == a])
        for a in LOOK_ALIKES[1:]
    ]
    for name, mine in groups:
        yield f"| {name} | {share(sum(map(_is_flagged, mine)), len(mine))} |"


def _power_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "| plan at 50% | " + " | ".join(f"{hands} hands" for hands in (*_FEW, 3000)) + " | 80% from |"
    yield "|---|" + "---|" * (len(_FEW) + 2)
    for plan in PLANS:
        cells, enough = [], "more than 3000"
        for hands in (*_FEW, 3000):
            mine = _planted(rows, plan, 0.5, hands)
            right = _flagged(mine)
            cells.append(f"{right} of {len(mine)}")
            if mine and right >= 0.8 * len(mine) and enough.startswith("more"):
                enough = f"{hands} hands"
        yield f"| {plan} | " + " | ".join(cells) + f" | {enough} |"


def _false_share(rows: list[dict[str, Any]]) -> str:
    """Of all flags in planted tournaments those on another pair; a clone's twin is the pair itself."""
    flags = [(flag[1], row["pair"]) for row in rows for flag in row["flags"]]
    wrong = sum(not set(said.split("+")) & set(pair.split("+")) for said, pair in flags)
    beside = sum(said != pair for said, pair in flags)
    return (
        f"Of {len(flags)} flags in planted tournaments {share(len(flags) - beside, len(flags))} are on the planted "
        f"pair; {beside - wrong} name one of the two with somebody else, {wrong} neither."
    )


def _losses(rows: list[dict[str, Any]]) -> Iterator[str]:
    """What look-alikes lose beside what colluders lose."""
    yield "| who | bb a hand won over the whole tournament, mean of the tournaments |"
    yield "|---|---|"
    for alike in ("weak", "tilted"):
        lost = [
            min(row["won"].values())
            for row in rows
            if row["order"]["alike"] == alike and _table(row) == "heads-up"
        ]
        if lost:
            yield f"| the worst player beside look-alikes: {alike} | {np.mean(lost):+.2f} (n = {len(lost)}) |"
    for intensity in (0.25, 0.5, 1.0):
        giver = [
            row["won"][f"bot{PLAYERS - 2:02d}"]
            for row in rows
            if row["order"]["plan"] == "dump"
            and row["order"]["intensity"] == intensity
            and _table(row) == "heads-up"
        ]
        if giver:
            yield f"| the one who dumps, {intensity:.0%} | {np.mean(giver):+.2f} (n = {len(giver)}) |"


_TITLES: Final = {
    "three": ("three at a table", RING_PLANS, 3000),
    KOPER: ("five at a table of Koper", KOPER_PLANS, KOPER_GAMES),
}
"""The tables of more than two: how they are called, the plans, and the hands of a tournament."""


def _of_table(planted: list[dict[str, Any]], least: list[float], table: str) -> list[str]:
    """The part of the page about partners at one kind of table."""
    title, plans, hands = _TITLES[table]
    lines = _lines_of(planted, least, plans, hands, table)
    return [f"### Partners, {title}", "", *lines, ""]


def page_of(rows: list[dict[str, Any]], table: str) -> str:
    """What is said of one kind of table of more than two."""
    mine = [row for row in rows if _table(row) == table]
    honest = [row for row in mine if row["order"]["plan"] == "none"]
    planted = [row for row in mine if row["order"]["plan"] != "none"]
    least = [p for row in honest for p in row["least"].values()]
    flagged = sum(bool(row["flags"]) for row in honest)
    lines = [f"Honest tournaments with any flag: {share(flagged, len(honest))}", ""]
    return "\n".join([*lines, *_of_table(planted, least, table), _false_share(planted)])


def page(rows: list[dict[str, Any]]) -> str:
    """The tables."""
    honest = [row for row in rows if row["order"]["plan"] == "none"]
    planted = [row for row in rows if row["order"]["plan"] != "none"]
    least = {
        table: [p for row in honest if _table(row) == table for p in row["least"].values()]
        for table in ("heads-up", "three", "koper")
    }
    two = least["heads-up"]
    lines = ["### Goals", "", *_goal_lines(honest, planted, two), ""]
    lines += ["### Honest tournaments", "", *_honest_lines(honest), "", "### Partners, heads-up", ""]
    lines += [*_lines_of(planted, two, PLANS, 3000, "heads-up"), ""]
    for table in _TITLES:
        if least[table]:
            lines += _of_table(planted, least[table], table)
    lines += [
        "### Hands",
        "",
        *_power_lines(planted),
        "",
        "### Whom the flags name",
        "",
        _false_share(planted),
        "",
    ]
    lines += ["### What they lose", "", *_losses(rows)]
    return "\n".join(lines)


def main() -> None:
    """Play what is missing, then write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("build/collusion.jsonl"))
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--rounds", type=int, default=16)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--only", choices=sorted(_TITLES), help="play and print this kind of table alone")
    asked = parser.parse_args()
    if asked.only and asked.write:
        parser.error("--write writes all tables, --only prints one")
    kept = Kept(asked.results, JUDGED_BY)
    done = {json.dumps(row["order"], sort_keys=True) for row in kept.rows}
    end = process_time() + 60 * asked.minutes
    for order in orders(asked.rounds):
        if process_time() > end:
            break
        if json.dumps(order, sort_keys=True) in done or asked.only not in (None, _table({"order": order})):
            continue
        kept.add(played(order))
    text = page_of(kept.rows, asked.only) if asked.only else page(kept.rows)
    if asked.write:
        write_between(asked.write, BEGIN, END, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
