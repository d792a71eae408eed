"""Directed transfer: value that one player gives to one other beyond what he gives to the rest."""

from .evidence import Evidence, margin_of
from .study import Study

NAME = "directed transfer"


def look(study: Study) -> list[Evidence]:
    """What a player's decisions lose against one opponent's real cards, beside his own usual play in the same spots.

    Statistic: Welch's t of the loss by block. Null: the blocks are permuted among his opponents. A weak player loses to
    everybody and stays inside it; so does one on tilt.
    """
    lost = -study.worth.sense
    blocks = study.per_opponent(lost)
    tested = study.apart(blocks, absolute=False, salt=1)
    found = []
    for (one, other), test in tested.items():
        rest = [values.mean() for name, values in blocks[one].items() if name != other]
        effect = float(blocks[one][other].mean())
        usual = float(sum(rest) / len(rest))
        explained = (("a weak player: bb a hand that it loses this way to the others", usual),)
        margin = margin_of(blocks[one][other])
        found.append(
            study.evidence(NAME, (one, other), test, effect, lost, explanations=explained, margin=margin)
        )
    return found
