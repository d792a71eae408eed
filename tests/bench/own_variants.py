"""A user's variant of a game that comes with railbird, against that game: the same hands in other words."""

from pathlib import Path

from bench import roads
from bench.figures import by_turns
from railbird.variants.registry import add_file

WORDS = '''
from railbird.variants import holdem_mit

def usual(hand):
    return hand.usual

VARIANT = holdem_mit.VARIANT.in_words("NAME", """
    round  ROUND #{n}, {p} ({n}), {p} ({n})
    fold   {p} mucks
    raise  {p} makes it {n}
"""RULES)
'''
GAMES = {"words": "", "payout": ", payout=usual"}
"""By kind, what the file says of the rules."""


def speeds(folder: Path, paths: list[Path]) -> dict[str, float]:
    """The speed of verifying logs of plain hold'em by a user's file, over that by railbird's own game."""
    own: dict[str, list[Path]] = {}
    for kind, rules in GAMES.items():
        word = f"{kind.title()} hand"
        place = folder / kind
        place.mkdir(parents=True)
        text = WORDS.replace("NAME", f"own-{kind}").replace("ROUND", word).replace("RULES", rules)
        (place / f"{kind}.py").write_text(text)
        add_file(place / f"{kind}.py")
        own[kind] = [place / path.name for path in paths]
        for path, other in zip(paths, own[kind], strict=True):
            said = path.read_text().replace("Round #", f"{word} #").replace(" folds\n", " mucks\n")
            other.write_text(said.replace(" raises to ", " makes it "))
    hands = {roads.verify_each(some) for some in (paths, *own.values())}
    assert len(hands) == 1, hands
    size = [sum(path.stat().st_size for path in some) for some in (paths, *own.values())]
    spent = by_turns(*(lambda some=some: roads.verify_each(some) for some in (paths, *own.values())))
    built_in, *others = (mb / took for mb, took in zip(size, spent, strict=True))
    return {kind: speed / built_in for kind, speed in zip(GAMES, others, strict=True)}
