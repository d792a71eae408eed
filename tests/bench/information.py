"""How well `railbird audit information` tells: planted leaks, and the same bots without one. `make information`.

Results are kept line by line in `--results FILE`, so that a run that was stopped goes on; `--write FILE` puts the table
into a page. Seeds are not those of the tests.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

# The tests' folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import numpy as np
from arena.leaks import LEAKS, leaking

from bench.kept import Kept, write_between
from railbird.analytics.information.evidence import look
from railbird.analytics.information.material import materials
from railbird.analytics.store import open_store
from railbird.ingest import ingest

SHARES: Final = (0.25, 0.0, 1.0, 0.05)
"""Of decisions with the leak; 0: honest."""
HANDS: Final = 3000
FIRST_SEED: Final = 4_000
JUDGED_BY: Final = ("analytics/information", "tests/arena/leaks.py")
"""The code that makes a result what it is."""
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


def played(fact: str, share: float, seed: int) -> dict[str, Any]:
    """The rows of one match, those of the leaking bot first."""
    with TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        logs.mkdir()
        (logs / "match.txt").write_text(leaking(fact, share, seed, HANDS), newline="")
        ingest([logs], Path(folder) / "store")
        with open_store(Path(folder) / "store") as store:
            rows = [
                (material.players[row.player], row.fact.name, row.p, row.flag)
                for material in materials(store)
                for row in look(material)
            ]
    return {"fact": fact, "share": share, "seed": seed, "rows": rows}


def least(result: dict[str, Any], player: str | None) -> float:
    """The smallest p over all facts, of one player or of both."""
    return min((p for name, _, p, _ in result["rows"] if player in (None, name)), default=1.0)


def auc(planted: Sequence[float], honest: Sequence[float]) -> float:
    """The chance that the smallest p of a leaking bot is below that of an honest one; equal ones count half."""
    one, other = np.array(planted)[:, None], np.array(honest)[None, :]
    return float(((one < other) + 0.5 * (one == other)).mean())


def table(results: Sequence[dict[str, Any]]) -> str:
    """The page's table."""
    lines = [
        "| fact | game | leak at | matches | AUC | flagged | leak named | honest bot flagged |",
        "|---|---|---|---|---|---|---|---|",
    ]
    honest = [result for result in results if result["share"] == 0]
    for fact, game in LEAKS.items():
        calm = [
            least(result, name)
            for result in honest
            if LEAKS[result["fact"]] == game
            for name in ("Leaky", "Honest")
        ]
        for share in sorted(SHARES):
            found = [result for result in results if (result["fact"], result["share"]) == (fact, share)]
            if not found or not share:
                continue
            flags = [{(name, what) for name, what, _, flag in result["rows"] if flag} for result in found]
            told = sum(any(name == "Leaky" for name, _ in one) for one in flags)
            named = sum(("Leaky", fact) in one for one in flags)
            others = sum(any(name == "Honest" for name, _ in one) for one in flags)
            value = auc([least(result, "Leaky") for result in found], calm)
            lines.append(
                f"| {fact} | {game} | {share:.0%} | {len(found)} | {value:.3f} | {told} | {named} | {others} |"
            )
    flagged = sum(any(flag for *_, flag in result["rows"]) for result in honest)
    lines += ["", f"Honest matches with a flag: {flagged} of {len(honest)}."]
    return "\n".join(lines)


def main() -> None:
    """Play what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("build/information.jsonl"))
    parser.add_argument("--matches", type=int, default=40, help="matches of each fact and share")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    kept = Kept(given.results, JUDGED_BY)
    done = {(one["fact"], one["share"], one["seed"]) for one in kept.rows}
    for number in range(given.matches):
        for share in SHARES:
            for fact in LEAKS:
                seed = FIRST_SEED + number + round(1000 * share) * 100
                if (fact, share, seed) not in done:
                    kept.add(played(fact, share, seed))
    text = table(kept.rows)
    print(text)
    if given.write:
        write_between(given.write, BEGIN, END, text)


if __name__ == "__main__":
    main()
