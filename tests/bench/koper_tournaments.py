"""Events of Koper whose truth is known, out of `simulate`, for the figures on collusion."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
from arena import policy as p
from arena.tournaments import FIGURES, honest

from railbird.analytics.collusion import detectors
from railbird.analytics.collusion.material import Material
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.bots import Style, Styled
from railbird.replay.colluders import Colluder
from railbird.replay.simulate import Player, play_bots

GAMES_A_TOURNAMENT: Final = 250
NAMES: Final = ("bot00", "bot01", "bot02", "bot03", "bot04")
_SIZE: Final = 0.3
"""Of the size of bets in hold'em: five buy-ins are in the pot before the first bet."""


def event(seed: int, plan: str, intensity: float, games: int) -> Material:
    """Tournaments of the same five, in other seats each; with a plan bot03 gives and bot04 is given to.

    Soft play is a plan of both.

    The players are drawn from `FIGURES`.
    """
    rng = np.random.default_rng([seed, len(plan), int(100 * intensity)])
    rows = [honest(FIGURES, rng) for _ in NAMES]
    with TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        logs.mkdir()
        for number in range(games // GAMES_A_TOURNAMENT):
            players = []
            for k in rng.permutation(len(NAMES)).tolist():
                own, row = Random(f"{seed}/{number}/{k}"), rows[k]
                stay, value, attack, bluff = (float(row[n]) for n in (p.STAY, p.VALUE, p.ATTACK, p.BLUFF))
                size, odds = _SIZE * float(row[p.SIZE]), bool(row[p.ODDS])
                # Nothing is decided before the flop.
                style = Style(0.0, 0.0, stay, value, attack, bluff, size, odds)
                bot = Styled(own, style)
                giver, receiver = len(NAMES) - 2, len(NAMES) - 1
                if plan != "none" and (k == giver or (k == receiver and plan == "soft-play")):
                    partner = NAMES[giver + receiver - k]
                    players.append(Player(NAMES[k], Colluder(own, bot, plan, intensity, bot, partner)))
                else:
                    players.append(Player(NAMES[k], bot))
            text = play_bots("koper", players, 50, seed * 100 + number).text
            (logs / f"{number}.all_games.txt").write_text(text)
        ingest([logs], Path(folder) / "store")
        with open_store(Path(folder) / "store") as store:
            (material,) = detectors.materials(store)
    return material
