"""Round trips at size (`make round-trips`): 10,000 simulated hands of every game, and all hands of the corpus's PHH.

Every exporter writes them; railbird reads PHH and ACPC again, second programs read OHH and PokerStars' text. If a hand
comes back otherwise, the exit code is 1. Writes the tables of docs/export.md.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from support.exported import Key  # noqa: E402
from support.simulated import store_of  # noqa: E402
from support.trips import Hand, Trip, acpc_trip, hands_in, history_trip, phh_trip  # noqa: E402

import railbird.variants.registry  # noqa: E402, F401 - makes the games known
from railbird.analytics.exported_hands import Written  # noqa: E402
from railbird.analytics.store import Store, open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402
from railbird.replay.simulate import playable  # noqa: E402

HANDS: Final = 10_000
FORMATS: Final = ("phh", "phhs", "acpc", "ohh", "pokerstars", "jsonl")
READERS: Final = {
    "phh": "railbird",
    "phhs": "railbird",
    "acpc": "railbird",
    "ohh": "`tests/oracles/histories.py`",
    "pokerstars": "`tests/oracles/histories.py`",
}
HEAD: Final = (
    "| hands | `--to` | written | left out | read by | equal | different | not read |\n"
    "|---|---|---|---|---|---|---|---|\n"
)
REASONS: Final = "\nLeft out, by reason:\n\n| hands | reason | `--to` |\n|---|---|---|\n"


def simulated(folder: Path, hands: int) -> None:
    """A store of at least so many hands: about as many of each game, a match each; more where matches end early."""
    games = playable()
    missing, seed = hands, 0
    (folder / "store").mkdir()
    while missing > 0:
        each = -(-missing // len(games))
        matches = [(game, each, seed + number) for number, game in enumerate(games)]
        store_of(folder / f"logs-{seed}", matches, folder / "store")
        seed += len(games)
        with open_store(folder / "store") as store:
            ((found,),) = store.execute("select count(*) from hands").fetchall()
        missing = hands - found


def trip(form: str, written: Written, store: Store, truth: Mapping[Key, Hand], into: Path) -> Trip | None:
    """What came back; None for a format that nothing reads."""
    if form in ("phh", "phhs"):
        return phh_trip(written, truth, into)
    if form == "acpc":
        return acpc_trip(written, store, into)
    return history_trip(written, truth) if form in READERS else None


def measured(what: str, store: Store, folder: Path) -> tuple[list[str], dict[str, Counter[str]], int]:
    """The rows of a store, its reasons by format, and how many hands came back otherwise."""
    truth = hands_in(store)
    rows: list[str] = []
    reasons: dict[str, Counter[str]] = {}
    wrong = 0
    for form in FORMATS:
        written = store.export_hands(folder / form, form)
        reasons[form] = Counter(written.left_out)
        left = sum(written.left_out.values())
        assert written.hands + left == len(truth), form
        said = f"| {len(truth):,} {what} | `{form}` | {written.hands:,} | {left:,} "
        found = trip(form, written, store, truth, folder / f"{form}-again") if written.hands else None
        if found is None:
            rows.append(f"{said}| | | | |")
        else:
            lost = ", ".join(f"{count} {why}" for why, count in found.lost.items() if count)
            said += f"| {READERS[form]} | {found.equal:,} | {len(found.different):,} | {lost or '0'} |"
            rows.append(said)
            wrong += len(found.different) + found.lost.get("not read", 0)
            assert found.equal + len(found.different) + sum(found.lost.values()) == written.hands, form
            for key, there, back in found.different[:3]:
                print(f"{form} {key}\n  store {there}\n  back  {back}", file=sys.stderr)
        print(rows[-1], flush=True)
    return rows, reasons, wrong


def reasons_table(found: Mapping[str, Counter[str]]) -> list[str]:
    """A line a reason: how many hands, and of which formats."""
    by: dict[str, dict[str, int]] = {}
    for form, counts in found.items():
        for why, count in counts.items():
            by.setdefault(why, {})[form] = count
    order = sorted(by.items(), key=lambda one: (-max(one[1].values()), one[0]))
    lines = []
    for why, by_form in order:
        groups: dict[int, list[str]] = {}
        for form, count in by_form.items():
            groups.setdefault(count, []).append(f"`{form}`")
        lines += [f"| {count:,} | {why} | {' '.join(forms)} |" for count, forms in groups.items()]
    return lines


def main() -> int:
    """Make the stores, take the trips, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=HANDS, help="simulated ones, over all games")
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    rows: list[str] = []
    total: dict[str, Counter[str]] = {form: Counter() for form in FORMATS}
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        simulated(folder, asked.hands)
        stores = {"simulated, all games": folder / "store"}
        if root := os.environ.get("RAILBIRD_CORPUS"):
            ingest([Path(root) / "phh"], folder / "phh-store")
            stores["of the corpus's PHH"] = folder / "phh-store"
        for number, (what, place) in enumerate(stores.items()):
            out = folder / f"trips-{number}"
            out.mkdir()
            with open_store(place) as store:
                found, reasons, otherwise = measured(what, store, out)
            rows += found
            wrong += otherwise
            for form, counts in reasons.items():
                total[form].update(counts)
    said = HEAD + "\n".join(rows) + "\n" + REASONS + "\n".join(reasons_table(total))
    if asked.write:
        page = asked.write.read_text()
        marked = r"(<!-- round-trips -->\n).*?(<!-- end -->\n)"
        asked.write.write_text(re.sub(marked, lambda m: f"{m[1]}{said}\n{m[2]}", page, flags=re.DOTALL))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
