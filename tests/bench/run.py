"""The benchmarks: railbird beside named baselines in one run. `make bench`, `BENCH_ARGS="--quick"` for a short one.

`--write FILE` puts the table into a page of the docs. Figures are ratios; a machine's own speed falls out of them.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from railbird.jit.startup import choose_allocator  # noqa: E402 - the tests' folder comes first

choose_allocator()

import numpy as np  # noqa: E402
import poker_equity  # noqa: E402

from bench import (  # noqa: E402
    ingests,
    many_hands,
    material,
    naive,
    own_variants,
    pages,
    phh_road,
    pokerkit_road,
    records,
    roads,
    scaling,
)
from bench.figures import MB, Figures, seconds  # noqa: E402
from railbird.analytics.store import Store, open_store  # noqa: E402
from railbird.replay.cards import CARD_TEXT  # noqa: E402
from railbird.replay.equity import counting  # noqa: E402

SLOWEST: Final = 10
"""Views that are listed of those that are timed."""

FULL_STORE: Final = {
    "river-of-blood": 6.5,
    "blotto": 6.1,
    "koper": 5.2,
    "acpc": 3.1,
    "auction": 7.4,
    "toss": 9.6,
    "swap": 9.1,
    "permutation": 10.9,
}
"""Text to full store against naive.py, at least: 0.6 of the ratio of packed columns, in ACPC the same ratio."""


class Bench:
    """All figures, taken one after the other on the same logs."""

    def __init__(self, folder: Path, quick: bool, write: Path | None) -> None:
        self.folder, self.quick = folder, quick
        texts = material.logs("bounty")
        size = 20 if quick else 120
        self.paths = material.copies(folder / "logs", texts, int(size * MB))
        self.size = sum(path.stat().st_size for path in self.paths)
        self.figures = Figures(write, self.page)
        self.plain = material.copies(folder / "plain", material.logs("holdem-mit"), int(4 * MB))
        self.texts = texts

    def ingests(self) -> None:
        """Speed, memory and the store's size, of Bounty Hold'em."""
        ingests.speed(self.figures, self.folder, self.paths)
        ingests.threads(self.figures, self.folder, self.paths, self.texts, 60 if self.quick else 500)
        ingests.sizes(self.figures, self.folder, self.texts)
        ingests.memory(self.figures, self.folder, self.texts, (1, 60) if self.quick else (1, 500, 5000))
        ingests.memory_of_games(self.figures, self.folder, 30 if self.quick else 120)
        records.memory(self.figures, self.folder, 60 if self.quick else 5000)
        ingests.growth(self.figures, self.folder, (1, 10, 100) if self.quick else (1, 100, 1000))
        ingests.first_use(self.figures, self.folder, self.paths[0])

    def run(self) -> None:
        """Take every figure."""
        self.ingests()
        self.against_pokerkit()
        phh_road.speeds(self.figures, self.folder, 10_000 if self.quick else 100_000)
        self.against_eval7()
        self.commands()
        self.games()
        self.own_variants()
        self.against_poker_equity()
        self.many_hands()
        self.report(20 if self.quick else 60)
        self.collusion()

    def own_variants(self) -> None:
        """A user's file of a game that railbird has: other words, and a payout of its own."""
        for kind, ratio in own_variants.speeds(self.folder / "own", self.plain).items():
            self.figures.add(
                f"a user's variant of hold'em ({kind}), verified",
                f"{ratio:.2f} of its speed",
                "the game that comes with railbird",
                ratio,
                0.8,
            )

    def report(self, matches: int) -> None:
        """The report over a tournament of many matches of 1,000 hands; goals are for 1,000 of them."""
        found = pages.measure(self.folder / "reported", matches)
        of = f"{found.matches} matches of 1,000 hands"
        each, size = found.seconds / matches, 1e6 * found.size / found.hands
        self.figures.add("report: seconds a match", f"{found.seconds:.1f} s", of, each, 0.5, least=False)
        self.figures.add("report: bytes a hand", f"{found.size:.1f} MB", of, size, 600, least=False)
        self.figures.add("report: peak memory", f"{found.peak:.0f} MB", of, found.peak, 900, least=False)
        if found.load is not None:
            said = "from navigation to load, headless Chromium"
            self.figures.add(
                "report: first page, seconds", f"{found.load:.2f} s", said, found.load, 1, least=False
            )

    def many_hands(self) -> None:
        """VPIP and bankroll by player from what is stored, against the same from the actions, and every view.

        400 MB of disk. docs/scale-measured.md has the views over ten million hands.
        """
        hands = 1_000_000 if self.quick else 10_000_000
        few = many_hands.simulated(self.folder / "simulated", "bounty", 24)
        with open_store(many_hands.replicated(few, self.folder / "simulated" / "many", hands)) as store:
            stored, counted = (
                seconds(partial(_rows, store, query)) for query in (many_hands.STORED, many_hands.COUNTED)
            )
            assert _rows(store, many_hands.STORED) == _rows(store, many_hands.COUNTED)
        self.figures.add(
            f"VPIP and bankroll over {hands // 1_000_000} million simulated hands",
            f"{stored:.2f} s",
            f"from the actions {counted:.2f} s",
            stored / counted,
            0.1,
            least=False,
        )
        found = scaling.questions(many_hands.replicated(few, self.folder / "simulated" / "hundred", 100_000))
        slowest, used = max(((row[0], row[4]) for row in found), key=lambda row: row[1])
        for name, _, rows, clock, spent in sorted(found, key=lambda row: -row[4])[:SLOWEST]:
            print(f"     {name}: {spent:.2f} processor seconds, {clock:.2f} s, {rows:,} rows", flush=True)
        self.figures.add(
            f"each of {len(found)} views over 100,000 simulated hands, processor seconds at most",
            f"{used:.2f} s",
            slowest,
            used,
            2,
            least=False,
        )
        shutil.rmtree(self.folder / "simulated")

    def against_pokerkit(self) -> None:
        """The same plain no-limit hands through both rules."""
        hands, taken = pokerkit_road.play(self.plain, 400 if self.quick else 1500)
        ours, spent = roads.replay_only(self.plain, 5)
        ratio = (ours / spent) / (hands / taken)
        self.figures.add(
            "replay against PokerKit",
            f"{ours / spent:,.0f} hands/s",
            f"PokerKit {hands / taken:,.0f} hands/s",
            ratio,
            5000,
        )

    def against_eval7(self) -> None:
        """Seven-card hands."""
        import eval7

        cards = roads.seven_cards(200_000)
        theirs = roads.eval7_hands(cards)
        out = np.zeros(len(cards), np.int64)
        roads.strengths(cards, out)
        ours = len(cards) / seconds(lambda: roads.strengths(cards, out))
        other = len(cards) / seconds(lambda: [eval7.evaluate(hand) for hand in theirs])
        self.figures.add(
            "evaluator against eval7", f"{ours:,.0f}/s", f"eval7 {other:,.0f}/s", ours / other, 4
        )

    def against_poker_equity(self) -> None:
        """Exact equities of two hands before the flop (counted, not looked up) and on it, one core each."""
        counting.count(counting.situations(np.array([[[0, 5], [10, 15]]], np.int8)))
        for name, on_board, ours, theirs in (("before the flop", 0, 200, 5), ("on the flop", 3, 4000, 400)):
            rng = Random(1)
            deals = [rng.sample(range(52), 4 + on_board) for _ in range(ours)]
            cards = np.array(deals, np.int8)
            given = counting.situations(cards[:, :4].reshape(-1, 2, 2), cards[:, 4:])
            words = ["".join(map(CARD_TEXT.__getitem__, deal)) for deal in deals[:theirs]]

            def walk(words: list[str] = words) -> None:
                for text in words:
                    poker_equity.exact_from_text("holdem", [text[:4], text[4:8]], text[8:])

            fast = ours / seconds(partial(counting.count, given))
            slow = theirs / seconds(walk)
            self.figures.add(
                f"exact all-in equity {name} against poker-equity",
                f"{fast:,.0f}/s",
                f"poker-equity {slow:,.0f}/s",
                fast / slow,
                3,
            )

    def commands(self) -> None:
        """Whole commands, warm."""
        script = Path(sys.executable).parent / "railbird"
        railbird = [script] if script.exists() else [sys.executable, "-m", "railbird"]
        log = min(self.paths, key=lambda path: abs(path.stat().st_size - 480_000))

        def once() -> None:
            target = self.folder / "warm"
            shutil.rmtree(target, ignore_errors=True)
            _quiet([*railbird, "ingest", log, "--store", target])

        once()
        warm = seconds(once, 5)
        self.figures.add(
            "ingest of one 1,000-hand log, seconds", f"{warm:.2f} s", "whole command", warm, 0.6, least=False
        )
        shown = seconds(lambda: _quiet([*railbird, "--help"]), 7)
        typer = seconds(lambda: _quiet([sys.executable, "-c", "import typer"]), 7)
        self.figures.add(
            "railbird --help against importing Typer",
            f"{shown:.3f} s",
            f"import typer {typer:.3f} s",
            shown / typer,
            1.2,
            least=False,
        )

    def games(self) -> None:
        """Each game of the corpus beside the same baseline on the same files."""
        # The gigabytes of other figures would still be on their way to the disk.
        os.sync()
        for game, paths in material.corpus().items():
            if not paths:
                continue
            paths = self._enough(game, paths)
            size = sum(path.stat().st_size for path in paths) / MB
            roads.verify_each(paths[:1])
            slow = size / seconds(partial(_parse_all, paths), 2)
            verify = size / seconds(partial(roads.verify_each, paths), 3)
            says = f"naive.py {slow:.2f} MB/s"
            self.figures.add(f"{game}: verification, one core", f"{verify:.0f} MB/s", says, verify / slow, 20)
            full = size / ingests.stored(paths, self.folder / game, 1, 5)
            self.figures.add(
                f"{game}: full store, one core", f"{full:.0f} MB/s", says, full / slow, FULL_STORE[game]
            )
        records.speeds(self.figures, self.folder, 20 if self.quick else 100)
        ingests.tables(self.figures, self.folder, 10 if self.quick else 100)
        for folder, paths in material.engines().items():
            size = sum(path.stat().st_size for path in paths) / MB
            roads.verify_each(paths[:1])
            slow = size / seconds(partial(_parse_all, paths), 2)
            verify = size / seconds(partial(roads.verify_each, paths), 3)
            says = f"naive.py {slow:.2f} MB/s"
            self.figures.add(
                f"{folder}: verification, one core", f"{verify:.0f} MB/s", says, verify / slow, 15
            )
        logs = material.acpc_duel()
        if logs:
            hands = 40 if self.quick else 200
            theirs = hands / pokerkit_road.read_acpc(logs[0], hands)
            mine: list[int] = []
            spent = seconds(lambda: mine.append(roads.verify_each(logs)), 3)
            ours = mine[0] / spent
            what = "ACPC heads-up no-limit, read and replayed, against PokerKit"
            self.figures.add(
                what, f"{ours:,.0f} hands/s", f"PokerKit {theirs:,.0f} hands/s", ours / theirs, 500
            )

    def _enough(self, game: str, paths: list[Path]) -> list[Path]:
        """Some 30 MB of a game's logs where copies can be other matches: 10 ms of every ingest are a commit's."""
        texts = [text for text in (path.read_bytes() for path in paths) if material.can_be_copied(text)]
        if not texts:
            return paths
        folder = self.folder / f"logs of {game}"
        folder.mkdir()
        for definition in {one for path in paths for one in path.parent.glob("*.game")}:
            shutil.copy(definition, folder)
        return material.copies(folder, texts, int((5 if self.quick else 30) * MB))

    def collusion(self) -> None:
        """All detectors over a tournament of plain no-limit hands, and the arena that plays it."""
        from arena.tournaments import tournament

        from railbird.analytics.collusion import detectors

        pair = 600 if self.quick else 3000
        tournament("holdem-mit", 1, hands=30)
        truth = tournament("holdem-mit", 2, hands=pair)
        hands = int(truth.material.hands.sum())
        looked = seconds(lambda: detectors.look(truth.material), 1 if self.quick else 2)
        played = seconds(lambda: tournament("holdem-mit", 2, hands=pair), 1)
        self.figures.add(
            "collusion, all detectors, one core",
            f"{hands / looked:,.0f} hands/s",
            "-",
            hands / looked,
            10_000,
        )
        self.figures.add(
            "the arena, played and valued", f"{hands / played:,.0f} hands/s", "-", hands / played, 10_000
        )
        self.collusion_in_a_store(50_000 if self.quick else 1_000_000)

    def collusion_in_a_store(self, hands: int) -> None:
        """The whole command over a store of many hands: its time and its peak."""
        few = many_hands.simulated(self.folder / "crowd", "holdem-mit", 28)
        store = many_hands.replicated(few, self.folder / "crowd" / "many", hands)
        began = perf_counter()
        peak = roads.peak_of_command(["collusion", "--store", str(store)])
        spent = perf_counter() - began
        says = f"{hands:,} hands of 12 players"
        self.figures.add(
            "`railbird collusion` over a store", f"{hands / spent:,.0f} hands/s", says, hands / spent, 10_000
        )
        self.figures.add("peak memory of it, MB", f"{peak:.0f} MB", says, peak, 1000, least=False)
        shutil.rmtree(self.folder / "crowd")

    def page(self, rows: str) -> str:
        """The table as a page in Markdown."""
        return PAGE.format(rows=rows, cores=os.cpu_count(), size=self.size / MB, logs=len(self.paths))


PAGE: Final = """# Benchmarks

Written by `make bench BENCH_ARGS="--write docs/bench.md"`: every figure is from one run, on {cores} cores, over
{size:.0f} MB of Bounty Hold'em logs in {logs} files. The baseline `naive.py` (tests/bench) is what teams write
after a match: regular expressions tried in order on every line, rows in a list, no replay and no store. *Value* is
the ratio of the two figures, or the figure itself where there is no baseline. The figures of other games
are for their logs in the corpus; logs of MIT and the ACPC are copied as new matches until they are 30 MB. Baseline
and railbird read the same files. Runs of two threads alternate with runs of two processes, each over half of the
logs: the processes show what the machine's two cores can do.

| what | railbird | baseline | value | goal | holds |
|---|---|---|---|---|---|
{rows}
"""


def _rows(store: Store, query: str) -> list[tuple[object, ...]]:
    return store.sql(query).fetchall()


def _parse_all(paths: list[Path]) -> None:
    for path in paths:
        naive.parse(path)


def _quiet(command: list[object]) -> None:
    subprocess.run([str(word) for word in command], check=True, capture_output=True)


def main() -> None:
    """Run, print, and exit with 1 where a goal is not reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less text, rougher figures")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="write the table there, as far as it is taken"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="railbird-bench-") as folder:
        bench = Bench(Path(folder), options.quick, options.write)
        bench.run()
    sys.exit(not bench.figures.hold)


if __name__ == "__main__":
    main()
