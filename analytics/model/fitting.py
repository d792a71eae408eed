"""The model of one player: fitted to its decisions and those of its event, and written for a bot."""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...progress import Progress
from ...storage.fresh import replacing
from ...variants.properties import Properties
from ..players import Asked, Player, UnknownMatch, matches_in_order, rules_of
from . import railbird_model
from .decisions import Decisions, deck_of, preflop_equities, read_decisions
from .learning import Layers, Sample, fit_layers, forest_of, population_of, samples, size_classes
from .railbird_model import ACTIONS, FORMAT, RAISE, features

Array = NDArray[Any]

MODEL: Final = "model.npz"
MODULE: Final = "railbird_model.py"
_BLOCK: Final = 10
"""Hands in a row that are fitted, or predicted, together."""
_RAISES: Final = 4000
"""The player's last raises, by which the model sizes its own."""


class NothingToFit(LookupError):
    """A player without decisions that a model describes; the message is one line."""


@dataclass
class Material:
    """The decisions of an event and game up to some match.

    x        (n, features) of `railbird_model.features`
    own      (n) whether the decision is the player's; player: (n) a number of whose it is
    present  by match, whether the player is in it
    people   by number, names with `namesake_seat`; table: (matches, seats) numbers, -1 for no seat
    """

    rules: Properties
    decisions: Decisions
    x: NDArray[np.float32]
    own: NDArray[np.bool_]
    player: NDArray[np.int64]
    present: NDArray[np.bool_]
    people: tuple[tuple[str, int | None], ...]
    table: NDArray[np.int64]

    def of(self, player: Player) -> "Material":
        """The same decisions, as the material of another player of the event and game."""
        who = (player.name, player.seat)
        number = self.people.index(who) if who in self.people else -2
        present = (self.table == number).any(axis=1)
        return replace(self, own=self.player == number, present=present)

    def samples(self, rows: Array) -> tuple[Sample, Sample]:
        """Some decisions as samples of the action and of a raise's size."""
        some = self.decisions.take(rows)
        block = some.match * (1 << 32) + some.hand // _BLOCK
        block = np.unique(block, return_inverse=True)[1].reshape(-1)
        whose = (some.match, block, self.player[rows])
        return samples(some.spot, self.x[rows], (some.action, some.size), whose)


def read_material(
    store: Asked, player: Player, as_of: int | None = None, progress: Progress | None = None
) -> Material:
    """The decisions of a player's event and game; as_of: the match_id of the last match that is read, in their order.

    Raises NothingToFit for a match that is not of the event and game.
    """
    rules = rules_of(store, player.game)
    try:
        rows = matches_in_order(store, player.event, player.game, as_of)
    except UnknownMatch as error:
        raise NothingToFit(str(error)) from None
    seats: dict[int, list[tuple[str, int | None]]] = {}
    size: dict[int, int] = {}
    for match_id, hands, _, _, _, name, namesake, _ in rows:
        seats.setdefault(match_id, []).append((name, namesake))
        size[match_id] = hands
    ids = list(seats)
    people: dict[tuple[str, int | None], int] = {(player.name, player.seat): 0}
    table = np.full((len(ids), max(map(len, seats.values()), default=1)), -1)
    for k, match_id in enumerate(ids):
        for seat, who in enumerate(seats[match_id]):
            table[k, seat] = people.setdefault(who, len(people))
    hands = tuple(size[one] for one in ids)
    decisions = read_decisions(store, rules, ids, hands, progress)
    whose = table[decisions.match, decisions.seat] if len(decisions) else np.zeros(0, np.int64)
    x = features(decisions.spot, deck_of(rules), preflop_equities())
    present = (table == 0).any(axis=1)
    return Material(rules, decisions, x, whose == 0, whose, present, tuple(people), table)


@dataclass
class Fitted:
    """The model of a player.

    raises                     those of the player that its sizes are taken from
    hands, decisions, matches  of the player that it is fitted to; others: decisions of other players
    """

    player: Player
    rules: Properties
    positions: tuple[str, ...]
    actions: Layers
    sizes: Layers
    raises: railbird_model.Raises
    hands: int
    decisions: int
    matches: int
    others: int

    def arrays(self) -> dict[str, Array]:
        """The arrays of the file."""
        found: dict[str, Array] = {
            "format": np.array(FORMAT),
            "player": np.array(self.player.name),
            "game": np.array(self.player.game),
            "event": np.array(self.player.event),
            "hands": np.array(self.hands),
            "decisions": np.array(self.decisions),
            "positions": np.array(self.positions or ("",)),
            "deck": deck_of(self.rules),
            "preflop": preflop_equities(),
            "actions": self.actions.frequencies.table,
            "sizes": self.sizes.frequencies.table,
        }
        for kind, layers, classes in (
            ("action", self.actions, len(ACTIONS)),
            ("size", self.sizes, size_classes()),
        ):
            forest = forest_of([(layers.common, layers.share), (layers.own, 1.0)], classes)
            found |= {f"{kind}_{name}": value for name, value in forest._asdict().items()}
        found |= {f"raises_{name}": value for name, value in self.raises._asdict().items()}
        return found

    def loaded(self) -> railbird_model.Model:
        """The model as a bot has it."""
        return railbird_model.Model({name: np.asarray(value) for name, value in self.arrays().items()})

    @property
    def files(self) -> tuple[str, str]:
        """The names of the files of `write`."""
        return MODEL, MODULE

    def write(self, folder: Path) -> None:
        """Write the model and the module that reads it into a folder, over those that are there."""
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / MODEL) as file:
            np.savez_compressed(file, **dict[str, Any](self.arrays()))
        shutil.copyfile(Path(railbird_model.__file__), folder / MODULE)


def fit(material: Material, player: Player, rows: Array | None = None, others: Array | None = None) -> Fitted:
    """Fit the model of the player of some material; rows, others: its decisions and those of others, if not all.

    Raises NothingToFit for a player without decisions that a model describes.
    """
    own = np.flatnonzero(material.own) if rows is None else rows
    rest = np.flatnonzero(~material.own) if others is None else others
    if not len(own):
        raise NothingToFit(f"no decisions of {player} to fold, check, call, bet or raise")
    of_actions, of_sizes = material.samples(rest)
    actions, sizes = material.samples(own)
    found = material.decisions.take(own)
    made = found.take(np.flatnonzero(found.action == RAISE)[-_RAISES:])
    return Fitted(
        player,
        material.rules,
        material.decisions.positions,
        fit_layers(actions, population_of(of_actions, len(ACTIONS))),
        fit_layers(sizes, population_of(of_sizes, size_classes())),
        railbird_model.Raises.of(made.spot, made.amount),
        hands=len(np.unique(found.match * (1 << 32) + found.hand)),
        decisions=len(own),
        matches=len(np.unique(found.match)),
        others=len(rest),
    )


def fit_player(
    store: Asked, player: Player, as_of: int | None = None, progress: Progress | None = None
) -> Fitted:
    """The model of a player as of a match (`read_material`), of all its matches by default."""
    return fit(read_material(store, player, as_of, progress), player)
