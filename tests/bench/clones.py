"""How like its player a clone plays: `make clones` writes docs/clones.md.

Each style of the arena plays the others, by the same seeds twice: matches that a model is fitted to, and matches that
are held out. A clone of the fitted player plays what was held out again, against the same bots with the same cards.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from railbird.analytics.intervals import newcombe
from railbird.analytics.model import fitting, learning, railbird_model
from railbird.analytics.model.clone import Clone
from railbird.analytics.players import Player as Named
from railbird.analytics.players import find_player
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.bots import STYLES, bot_of
from railbird.replay.simulate import Player, play_bots

Array = Any

BOTS: Final = tuple(
    style for style in STYLES if style not in ("faulty", "fractions", "late", "disconnecting")
)
"""Styles whose answers are all legal."""
OPPONENTS: Final = 4
"""Of each bot that is judged."""
LEAST: Final = 200
"""A rate counts with more opportunities than these, of the player and of the clone."""
ORIGINAL, COPY = "original", "clone"
_FOLDS: Final = 5
_BLOCK: Final = 25
_ROUNDS: Final = 100


@dataclass
class Row:
    """One bot and its clone.

    hands, played  hands that the model was fitted to, and hands that the clone played
    agree, rates   rates that agree, and all that were compared; worst: those furthest apart
    auc            of a classifier that is shown single decisions, so many of them
    """

    style: str
    hands: int
    played: int
    agree: int
    rates: int
    auc: float
    decisions: int
    worst: list[tuple[str, float, float, int]]


def opponents_of(style: str) -> tuple[str, ...]:
    """The bots that it plays: those behind it in the list, which begins again."""
    at = BOTS.index(style)
    return tuple(BOTS[(at + 1 + k) % len(BOTS)] for k in range(OPPONENTS))


def match(path: Path, game: str, players: Sequence[Player], hands: int, seed: int) -> None:
    """Write the log of a match, unless it is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        text = play_bots(game, players, hands, seed).text
        path.with_suffix(".part").write_text(text, encoding="utf-8")
        path.with_suffix(".part").rename(path)


def bot(style: str, seed: int, seat: int) -> Player:
    """A bot of a style, under its name."""
    return Player(style, bot_of(style, Random(f"{seed}/bot {seat}")))


def fitted_store(folder: Path, game: str, hands: int) -> Path:
    """A store of the matches that models are fitted to: each pair, so that each bot has so many hands."""
    store = folder / "fit"
    if not store.exists():
        each = -(-hands // (len(BOTS) - 1))
        for seed, pair in enumerate(combinations(BOTS, 2)):
            players = [bot(style, seed, seat) for seat, style in enumerate(pair)]
            match(folder / "logs" / "fit" / f"{seed}.log", game, players, each, seed)
        ingest([folder / "logs" / "fit"], folder / "fit.part")
        (folder / "fit.part").rename(store)
    return store


@cache
def fitted_to(folder: Path, game: str, hands: int) -> tuple[fitting.Material, dict[str, Named]]:
    """The decisions of those matches, and the players by name."""
    with open_store(fitted_store(folder, game, hands)) as store:
        players = {style: find_player(store, style) for style in BOTS}
        return fitting.read_material(store, players[BOTS[0]]), players


def compared_store(folder: Path, game: str, style: str, model: railbird_model.Model, hands: int) -> Path:
    """A store of two events: what was held out, and the clone in the place of the bot."""
    logs, store = folder / "logs" / style, folder / style
    shutil.rmtree(store, ignore_errors=True)
    for number, other in enumerate(opponents_of(style)):
        seed = 1_000_000 + 100 * BOTS.index(style) + number
        each = -(-hands // OPPONENTS)
        copy = Player(style, Clone(Random(f"{seed}/clone"), model))
        match(logs / ORIGINAL / f"{seed}.log", game, [bot(style, seed, 0), bot(other, seed, 1)], each, seed)
        match(logs / COPY / f"{seed}.log", game, [copy, bot(other, seed, 1)], each, seed)
    ingest([logs], store)
    return store


def rates_of(store: Any, style: str) -> Iterator[tuple[str, float, float, int]]:
    """The rates of `stats` with enough opportunities: name, clone's less bot's, least difference, opportunities.

    The least difference is 0 for rates that agree: the 95% interval of the difference holds 0.
    """
    rows = store.execute(
        f"""
        select one.label, one.rate, one.low, one.high, other.rate, other.low, other.high, one.opportunities
        from all_rates as one
        join all_rates as other on one.statistic = other.statistic
          and one.street is not distinct from other.street and one.position is not distinct from other.position
        where one.event = '{COPY}' and other.event = '{ORIGINAL}' and one.player = $style and other.player = $style
          and least(one.opportunities, other.opportunities) > {LEAST}
        order by one.place
        """,
        style=style,
    ).fetchall()
    for label, *six, number in rows:
        value, low, high = newcombe(six[:3], six[3:])
        yield label, value, low if low > 0 else high if high < 0 else 0.0, int(number)


def told_apart(store: Any, style: str) -> tuple[float, int]:
    """The area under the curve of a classifier of single decisions, each judged by others' folds; their number."""
    parts: list[Array] = []
    labels: list[Array] = []
    blocks: list[Array] = []
    for label, event in enumerate((ORIGINAL, COPY)):
        player = find_player(store, style, event)
        material = fitting.read_material(store, player)
        table = material.decisions.take(material.own)
        raises = table.action == railbird_model.RAISE
        size = np.where(raises, railbird_model.sizes_of(table.amount, table.spot), -1.0)
        chips = np.where(raises, table.amount / table.spot["big_blind"], -1.0)
        parts.append(np.column_stack([material.x[material.own], table.action, size, chips]))
        labels.append(np.full(len(table), label))
        # The same hands of both are in one fold.
        blocks.append(table.match * 100_000 + table.hand // _BLOCK)
    x, y, block = np.concatenate(parts), np.concatenate(labels), np.concatenate(blocks)
    names, place = np.unique(block, return_inverse=True)
    fold = np.random.default_rng(0).permutation(len(names))[place.reshape(-1)] % _FOLDS
    score = np.zeros(len(y))
    settings = {"objective": "binary", "verbosity": -1, "num_threads": 1, "seed": 0, "deterministic": True}
    for k in range(_FOLDS):
        train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        data = learning.learner().Dataset(x[train], y[train])
        score[test] = learning.learner().train(settings, data, _ROUNDS).predict(x[test])
    return auc(score, y), len(y)


def auc(score: Array, y: Array) -> float:
    """The chance that a decision of class 1 has the higher score than one of class 0, ties half."""
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[place.reshape(-1)]
    ones = int(y.sum())
    others = len(y) - ones
    return float((rank[y == 1].sum() - ones * (ones + 1) / 2) / max(ones * others, 1))


def judge(folder: Path, game: str, style: str, hands: int, played: int) -> Row:
    """Fit, play and compare one bot."""
    material, players = fitted_to(folder, game, hands)
    model = fitting.fit(material.of(players[style]), players[style]).loaded()
    with open_store(compared_store(folder, game, style, model, played)) as store:
        rates = list(rates_of(store, style))
        area, decisions = told_apart(store, style)
    apart = sorted((row for row in rates if row[2]), key=lambda row: -abs(row[2]))
    return Row(style, model.hands, played, len(rates) - len(apart), len(rates), area, decisions, apart[:3])


def report(rows: Sequence[Row], game: str) -> str:
    """docs/clones.md."""
    agree, rates = sum(row.agree for row in rows), sum(row.rates for row in rows)
    missing = [style for style in BOTS if style not in {row.style for row in rows}]
    lines = [
        "# How like its player a clone plays",
        "",
        "Written by `make clones`; `--played` says how many hands each clone plays. What a clone is: "
        "[playing against a model](spar.md).",
        "",
        f"Bots of the arena play {game} against each other; a model is fitted to each (*hands fitted*: in which it",
        f"decided). A clone then plays {OPPONENTS} of the same opponents, with cards that the bot itself played.",
        f"*Rates* are those of `railbird stats` with more than {LEAST} opportunities on both sides; they agree if the",
        "95% interval of their difference holds 0 (of two equal players some 95% do). *AUC*: LightGBM is shown single",
        "decisions, all that the model sees of them and what was done, to the chip, and tells clone from bot; each is",
        "judged by trees fitted to other hands. 0.5 is chance, 1 certainty. *Furthest apart*: the clone's rate less",
        "the bot's.",
        "",
        "| bot | hands fitted | hands played | rates that agree | AUC a decision | decisions | furthest apart |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        worst = ", ".join(f"{label} {100 * value:+.1f} points" for label, value, _, _ in row.worst[:2])
        lines.append(
            f"| {row.style} | {row.hands:,} | {row.played:,} | {row.agree} of {row.rates} | {row.auc:.3f} | "
            f"{row.decisions:,} | {worst} |"
        )
    share = f"{agree / rates:.1%}" if rates else "none"
    lines += [
        "",
        f"Of all rates {agree} of {rates} agree ({share}); the largest AUC is {max(row.auc for row in rows):.3f}. The",
        "goals are 90% and 0.65.",
    ]
    if missing:
        lines += ["", f"Not played yet: {', '.join(missing)}."]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Play what has not been played, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="bounty")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path("build/clones"),
        help="folder for what is made, one in it for each game and numbers of hands",
    )
    parser.add_argument(
        "--hands", type=int, default=10_000, help="hands of each bot that its model is fitted to"
    )
    parser.add_argument("--played", type=int, default=10_000, help="hands that each clone plays")
    parser.add_argument("--only", nargs="+", default=BOTS, choices=BOTS, metavar="STYLE")
    parser.add_argument("--out", type=Path, default=Path("docs/clones.md"))
    asked = parser.parse_args()
    # What was made with other settings is not taken for what is asked.
    folder = asked.work / f"{asked.game}-{asked.hands}-{asked.played}".replace("/", "-")
    results = folder / "results.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    done = results.read_text("utf-8").splitlines() if results.exists() else []
    rows = {row.style: row for row in (Row(**json.loads(line)) for line in done)}
    for style in asked.only:
        if style not in rows:
            rows[style] = judge(folder, asked.game, style, asked.hands, asked.played)
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(rows[style])) + "\n")
            print(rows[style], file=sys.stderr, flush=True)
    asked.out.write_text(
        report([rows[style] for style in BOTS if style in rows], asked.game), encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
