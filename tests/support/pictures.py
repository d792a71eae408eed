"""`make pictures`: the pictures of the README, taken in Chromium of a report on simulated matches and sample logs."""

import sys
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from PIL import Image  # noqa: E402 - the tests' folder comes first

from railbird.analytics.store import Store, open_store  # noqa: E402
from railbird.ingest import ingest  # noqa: E402
from railbird.replay.simulate import simulate  # noqa: E402
from railbird.reports.matches import all_matches  # noqa: E402
from railbird.reports.pages.build import write_report  # noqa: E402
from railbird.reports.pages.markup import match_page  # noqa: E402
from railbird.reports.pages.players import standings  # noqa: E402
from support.browser import chromium, chromium_path, tab  # noqa: E402

SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_logs"
EVENT: Final = "spring-cup"
BOTS: Final = {
    "Heron": "pot-odds",
    "Otter": "tight-passive",
    "Crow": "loose-aggressive",
    "Ferry": "calling-station",
    "Magpie": "maniac",
}
COLOURS: Final = 128


def logs(folder: Path) -> Path:
    """Everybody against everybody at Bounty Hold'em, and a match of each of three other games."""
    event = folder / EVENT
    event.mkdir()
    for number, (one, other) in enumerate(combinations(BOTS, 2)):
        text = simulate("bounty", [(one, BOTS[one]), (other, BOTS[other])], 500, number)
        (event / f"{one}-{other}.txt").write_text(text, encoding="utf-8", newline="")
    for name in ("blotto/2021-01-02.txt", "river-of-blood/two-flushes.txt", "koper/v1-mixed.txt"):
        path = folder / name
        path.parent.mkdir()
        path.write_bytes((SAMPLES / name).read_bytes())
    return folder


def _hand(store: Store, game: str, order: str) -> str:
    """The address of the first hand of a game in some order."""
    query = f"select match_id, hand_index from hands where game = $game order by {order}, match_id limit 1"
    match, index = store.execute(query, game=game).fetchall()[0]
    return f"{match}/{index}"


class Camera:
    """Takes pictures of pages into a folder."""

    def __init__(self, browser: Any, report: Path, out: Path) -> None:
        """Of the pages of one report."""
        self.browser, self.report, self.out = browser, report, out

    def take(
        self,
        name: str,
        page: str,
        size: tuple[int, int],
        *,
        click: str = "",
        keys: str = "",
        dark: bool = False,
    ) -> None:
        """The page's top, as large as said, after a click on a tab and some keys."""
        path, _, address = page.partition("#")
        options = {"viewport": {"width": size[0], "height": size[1]}}
        with tab(self.browser, color_scheme="dark" if dark else "light", **options) as opened:
            shown = opened.open(self.report / path, f"#{address}" if address else "")
            if address:
                shown.wait_for_selector("body[data-ready]")
            if click:
                shown.get_by_role("tab", name=click).first.click()
            for key in keys:
                shown.keyboard.press(key)
            target = self.out / f"{name}.png"
            shown.screenshot(path=target)
        with Image.open(target) as picture:
            small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        small.save(target, optimize=True)
        print(f"{target} {target.stat().st_size // 1000} kB")


def main() -> None:
    """Make them all; the folder is the only argument."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    if chromium_path() is None:
        sys.exit("no Chromium on this machine (Debian: apt-get install chromium)")
    with TemporaryDirectory(prefix="railbird-pictures-") as name:
        folder = Path(name)
        (folder / "logs").mkdir()
        ingest([logs(folder / "logs")], folder / "store")
        with open_store(folder / "store") as store:
            report = write_report(store, folder / "report").parent
            best = next(table for table in standings(store, all_matches(store)) if table.event == EVENT)
            duel = next(match for match in all_matches(store) if set(match.players) == {"Heron", "Magpie"})
            hands = {
                "blotto": _hand(store, "blotto", "verdict = 'ok', streets desc"),
                "river-of-blood": _hand(store, "river-of-blood", "len(board) desc"),
                "bounty": _hand(store, "bounty", "verdict = 'ok', streets desc, pot desc"),
            }
        with chromium() as browser:
            camera = Camera(browser, report, out)
            camera.take("overview", "index.html", (1150, 760), click="Who beat whom")
            camera.take("match", match_page(duel.match_id), (1150, 900))
            camera.take("dossier", best.players[0]["person"].page, (1150, 900), click="Ranges")
            camera.take("replayer", f"replay.html#{hands['bounty']}/12", (1400, 820))
            camera.take("replayer-blotto", f"replay.html#{hands['blotto']}/40", (1400, 820))
            camera.take("replayer-river", f"replay.html#{hands['river-of-blood']}/30", (1400, 820), dark=True)


if __name__ == "__main__":
    main()
