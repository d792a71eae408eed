"""How a player of the arena decides: a row of numbers, what he remembers, and one compiled function.

The honest part is that of `bots.Styled`: a player goes by the share of unseen hands that his hand beats, rough
before the flop and sampled after it. On top lie habits that honest players have (tilt, adaptation, a chart of his own)
and the plans that partners may follow. A plan is followed in a share of the hands, the intensity.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from railbird.jit.compile import part
from railbird.replay.records import CALL, CHECK, FOLD, RAISE
from railbird.replay.showdowns import uniform

# A player: float64. The first nine are those of `bots.Style`.
(
    ENTER,
    OPENS,
    STAY,
    VALUE,
    ATTACK,
    BLUFF,
    SIZE,
    ODDS,
    HUNTS,
    STEP,  # what every raise of the street adds to the strength asked for
    NOISE,  # width of a uniform error of his strength
    OTHER_SIZE,  # a second bet size, and how often it is the one
    OTHER_SIZE_CHANCE,
    TILT_LOSS,  # a recent loss in bb that puts him on tilt; 0 never
    TILT_HANDS,
    TILT_DROP,  # what tilt takes off the strength he asks for
    ADAPT,  # how far he follows the opponent's habits
    PLAN,
    INTENSITY,
    GIVES,  # 1: he gives, 0: he is given to
    PAYS,  # share of the dumped hands in which he pays with bad hands instead of folding good ones
) = range(21)
PERSON_SIZE: Final = 24

NONE, DUMP, SOFT, SHARED, SIGNAL, TRIGGER, CLONE, MODEL = range(8)
PLANS: Final = ("none", "dump", "soft-play", "shared-cards", "signal", "trigger", "clone", "model")
"""The plans by number. A model is an honest player's knowledge of one opponent from the first hand on."""

# What he remembers in a match: float64.
(
    TILTED,  # hands left
    SWING,
    FOLDS,  # the opponent's habits: folds to bets, bets when nobody has
    BETS,
    FOLLOWS,  # 1: the plan is on in this hand
    PAYING,
    TRIGGERED,
    CUE_HAND,  # the hand in which the trigger is pulled
    PARTNERED,  # 1: the partner is at the table
) = range(9)
MIND_SIZE: Final = 12

# What he is told when he is to act: float64.
(
    STRENGTH,  # of his hand as he sees it
    TOLD,  # what a partner who shares cards knows: his share of the showdowns against the hand really held
    STREET,
    TO_CALL,
    POT,
    PIP,
    OTHER_PIP,
    LOW,  # the legal raise-to, 0 where there is none
    HIGH,
    LEVEL,  # bets and raises of the street, the blinds are one
    NUMBER,  # hands played in the match
) = range(11)
SPOT_SIZE: Final = 11

CHARTS: Final = 169
CUE: Final = 7
"""Last digit of a raise that is a signal."""
TRIGGER_RAISE: Final = 13.0
"""The raise before the flop that is a trigger."""
SAMPLES: Final = 16

# How fast habits are learned, and what they are before anything is known.
_LEARN: Final = 0.03
_USUAL_FOLDS: Final = 0.4
_USUAL_BETS: Final = 0.35


@part
def begin_hand(person: NDArray[np.float64], mind: NDArray[np.float64], generator: NDArray[np.int64]) -> None:
    """Draw whether the plan is on; the same numbers are drawn whether there is one or not."""
    on, pays = uniform(generator), uniform(generator)
    mind[FOLLOWS] = 1.0 if on < person[INTENSITY] and mind[PARTNERED] > 0 else 0.0
    mind[PAYING] = 1.0 if pays < person[PAYS] else 0.0


@part
def end_hand(person: NDArray[np.float64], mind: NDArray[np.float64], won: float) -> None:
    """Remember a result in bb: who lost much of late is on tilt for a while."""
    mind[TILTED] = max(mind[TILTED] - 1, 0.0)
    mind[SWING] = 0.95 * mind[SWING] + won
    if person[TILT_LOSS] > 0 and mind[SWING] < -person[TILT_LOSS]:
        mind[TILTED], mind[SWING] = person[TILT_HANDS], 0.0


@part
def faces_bet(spot: NDArray[np.float64]) -> bool:
    """True where he has to call or fold, and more than the blinds was bet."""
    faces: bool = spot[TO_CALL] > 0 and spot[LEVEL] + spot[STREET] > 1
    return faces


@part
def watch(mind: NDArray[np.float64], faced: bool, action: int) -> None:
    """Learn from an opponent's action; faced: he had to call or fold."""
    if faced:
        mind[FOLDS] += _LEARN * ((1.0 if action == FOLD else 0.0) - mind[FOLDS])
    else:
        mind[BETS] += _LEARN * ((1.0 if action == RAISE else 0.0) - mind[BETS])


@part
def start_mind(mind: NDArray[np.float64], hands: int, generator: NDArray[np.int64]) -> None:
    """Know nothing yet; the hand of the trigger lies between a tenth and a half of the match."""
    for k in range(len(mind)):
        mind[k] = 0.0
    mind[FOLDS], mind[BETS] = _USUAL_FOLDS, _USUAL_BETS
    mind[CUE_HAND] = float(int(hands * (0.1 + 0.4 * uniform(generator))))


@part
def _give(mind: NDArray[np.float64], strength: float, to_call: float, level: float, high: float) -> int:
    """How chips are dumped: pay with bad hands and give up good ones, or just give up."""
    if mind[PAYING] > 0:
        if to_call > 0:
            return CALL if strength < 0.5 or level < 2 else FOLD
        return RAISE if high > 0 and strength < 0.4 else CHECK
    if to_call == 0:
        return CHECK
    return FOLD


@part
def decide(
    person: NDArray[np.float64],
    mind: NDArray[np.float64],
    spot: NDArray[np.float64],
    generator: NDArray[np.int64],
) -> tuple[int, float]:
    """FOLD, CALL, CHECK or RAISE, and the raise-to. spot: (SPOT_SIZE,) what the player is told."""
    strength, street, level, to_call = spot[STRENGTH], spot[STREET], spot[LEVEL], spot[TO_CALL]
    pot, low, high = spot[POT], spot[LOW], spot[HIGH]
    plan = int(person[PLAN]) if mind[PARTNERED] > 0 else NONE
    on = mind[FOLLOWS] > 0
    passive = CHECK if to_call == 0 else CALL
    gives = person[GIVES] > 0
    if plan == TRIGGER and gives and street == 0 and spot[OTHER_PIP] == TRIGGER_RAISE:
        mind[TRIGGERED] = 1.0
    size_error = uniform(generator)
    strength += person[NOISE] * (size_error - 0.5)
    which, attacks, bluffs = uniform(generator), uniform(generator), uniform(generator)
    size = person[OTHER_SIZE] if which < person[OTHER_SIZE_CHANCE] else person[SIZE]
    raise_to = spot[PIP] + to_call + np.floor(size * (pot + to_call) + 0.5)
    shares = plan == SHARED and on
    if gives and on and (plan == DUMP or (plan == TRIGGER and mind[TRIGGERED] > 0)):
        action = _give(mind, strength, to_call, level, high)
        return action, max(low, min(raise_to, high))
    if gives and plan == SIGNAL and faces_bet(spot) and int(spot[OTHER_PIP]) % 10 == CUE:
        return FOLD, 0.0
    pulls = plan == TRIGGER and not gives and mind[CUE_HAND] <= spot[NUMBER] and mind[TRIGGERED] == 0
    if pulls and street == 0 and level == 1 and low <= TRIGGER_RAISE <= high:
        mind[TRIGGERED] = 1.0
        return RAISE, TRIGGER_RAISE
    loosen = person[TILT_DROP] if mind[TILTED] > 0 else 0.0
    bluff, stay, enter = person[BLUFF] + loosen, person[STAY] - loosen, person[ENTER] - loosen
    bluff += person[ADAPT] * (mind[FOLDS] - _USUAL_FOLDS)
    stay -= person[ADAPT] * (mind[BETS] - _USUAL_BETS)
    floor = (person[VALUE] if street > 0 else person[OPENS]) + person[STEP] * max(level - 1, 0)
    if shares:
        strength, floor, bluff, attacks = spot[TOLD], 0.6, 0.0, 0.0
    wants = strength >= floor and attacks < person[ATTACK]
    signals = plan == SIGNAL and not gives
    if signals and on:
        wants = True
    if plan == SOFT and on:
        wants, bluff = False, 0.0
    if high > 0 and (wants or bluffs < bluff / (1 + level)):
        raise_to = max(low, min(raise_to, high))
        if signals and high > low:
            raise_to = _signalled(raise_to, low, high, on)
        return RAISE, raise_to
    if to_call == 0:
        return CHECK, 0.0
    floor = stay if street > 0 else enter
    if person[ODDS] > 0 or shares:
        floor = to_call / (pot + to_call)
    return (passive if strength >= floor else FOLD), 0.0


@part
def _signalled(raise_to: float, low: float, high: float, on: bool) -> float:
    """A raise whose last digit is the cue, or is not."""
    is_cue = int(raise_to) % 10 == CUE
    if on and not is_cue:
        up = float((CUE - int(raise_to)) % 10)
        if raise_to + up <= high:
            return raise_to + up
        if raise_to + up - 10 >= low:
            return raise_to + up - 10
    if is_cue and not on:
        return raise_to + 1 if raise_to + 1 <= high else raise_to - 1
    return raise_to


def person(style: Sequence[float], **habits: float) -> NDArray[np.float64]:
    """A player of (enter, opens, stay, value, attack, bluff, size); habits by the names above, in small letters."""
    row = np.zeros(PERSON_SIZE)
    row[: len(style)] = style
    row[STEP] = 0.05
    places = globals()
    for name, value in habits.items():
        row[places[name.upper()]] = value
    return row
