"""Matches of the arena as an engine's logs."""

from random import Random

from arena.matches import Match, plays_heads_up

from railbird.analytics.collusion.material import ACTION, RAISE_TO, SEAT
from railbird.replay import simulate
from railbird.replay.bots import Answer, Bot, View
from railbird.replay.records import BET, CHECK, FOLD, RAISE
from railbird.replay.simulate import Player


class _Scripted(Bot):
    """Says what was said in the arena."""

    def __init__(self, script: list[tuple[int, int]]) -> None:
        super().__init__(Random(0))
        self.script = script

    def act(self, view: View) -> Answer:
        """The next answer; when all are all-in the engine asks for nothing that matters."""
        if view.to_call == 0 and view.high == 0:
            return Answer(CHECK)
        action, raise_to = self.script.pop(0)
        if action in (BET, RAISE):
            return Answer(RAISE, raise_to)
        return Answer(FOLD) if action == FOLD else Answer(action)


def log_text(match: Match) -> str:
    """The match as its engine would have written it, by the written rules."""
    acts = match.acts
    scripts = [
        [(int(row[ACTION]), int(row[RAISE_TO])) for row in acts[acts[:, SEAT] == seat]]
        for seat in range(len(match.names))
    ]
    bots = [_Scripted(script) for script in scripts]
    profile = simulate.WRITTEN if plays_heads_up(match.game) else simulate.LATEST
    return simulate.play_bots(
        match.game,
        [Player(name, bot) for name, bot in zip(match.names, bots, strict=True)],
        len(match.dealers),
        match.seed,
        profile,
    ).text
