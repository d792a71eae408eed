"""The games that railbird knows: those that come with it, which importing this module makes known, and users' own.

A user's game is a Python file whose VARIANT is a `Variant`. Files are named by `--variant` and by RAILBIRD_VARIANTS
(several apart as in PATH); installed packages name a Variant by the entry point `railbird.variants`. They are looked
for where logs are read and where a game is asked for that is not known: looking takes some hundredths of a second.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

from ..parsers import dialects, events
from ..parsers.grammar import PLAYER
from ..parsers.sources import WishError
from ..replay import replaying
from ..replay.games import Game
from . import (
    acpc,
    anaconda,
    auction,
    blotto,
    bounty,
    build4good,
    cmu_2024,
    cmu_2025,
    holdem_mit,
    hpi,
    huawei,
    husky,
    husky_bench,
    kaggle,
    koper,
    live_poker_bench,
    llm_poker_arena,
    mit_2012_2019,
    openspiel,
    people,
    permutation,
    phh,
    poker_camp,
    pypokerengine,
    river_of_blood,
    sneak_peek,
    swap,
    tacs,
    texasholdem,
    toss,
)
from .properties import Properties, Variant

VARIANTS: Final[tuple[Variant, ...]] = (
    holdem_mit.VARIANT,
    bounty.VARIANT,
    river_of_blood.VARIANT,
    permutation.VARIANT,
    swap.VARIANT,
    auction.VARIANT,
    toss.VARIANT,
    build4good.VARIANT,
    hpi.VARIANT,
    husky.VARIANT,
    poker_camp.VARIANT,
    tacs.VARIANT,
    sneak_peek.VARIANT,
    anaconda.VARIANT,
    blotto.VARIANT,
    acpc.VARIANT,
    koper.VARIANT,
    *mit_2012_2019.VARIANTS,
    *cmu_2024.VARIANTS,
    *cmu_2025.VARIANTS,
    huawei.VARIANT,
    kaggle.VARIANT,
    openspiel.VARIANT,
    llm_poker_arena.VARIANT,
    texasholdem.VARIANT,
    pypokerengine.VARIANT,
    live_poker_bench.VARIANT,
    husky_bench.VARIANT,
    *people.VARIANTS,
    *phh.VARIANTS,
)
"""The base of an engine's games before its other ones."""

GAMES: Final = tuple(variant.game for variant in VARIANTS)

KNOWN: Final = tuple(v.properties for v in VARIANTS if isinstance(v.properties, Properties))
"""The properties of games whose rules do not depend on the match."""

_ADDED: Final[list[Variant]] = []
"""Users' own."""


def _register(variant: Variant) -> None:
    """Make another game known."""
    dialects.register([variant.dialects_by_rules()], variant.hints)
    _ADDED.append(variant)
    _properties.cache_clear()
    replaying.register([variant.game])


def properties_of(match: Mapping[str, Any]) -> Properties:
    """The properties of a match's game, from its row of `matches`."""
    game: str = match["game"]
    properties = _properties(game)
    return properties if isinstance(properties, Properties) else properties(game, match)


@cache
def _properties(game: str) -> Properties | Callable[[str, Mapping[str, Any]], Properties]:
    """The properties of a game, or what makes those of one of its matches."""
    for variant in (*VARIANTS, *_ADDED):
        rules, properties = variant.game, variant.properties
        if game == rules.name if isinstance(properties, Properties) else game.split("/")[0] == rules.name:
            return properties
    raise KeyError(f"no game is called {game!r}")


def fixed_properties() -> Iterator[Properties]:
    """The properties of the games known, users' own included, whose rules do not depend on the match."""
    yield from KNOWN
    for variant in _ADDED:
        if isinstance(variant.properties, Properties):
            yield variant.properties


LISTED: Final = ("game", "dialects", "stack", "blinds", "streets", "profiles", "deviations", "source")
"""The columns of `listed`."""


def listed() -> list[tuple[Any, ...]]:
    """The games known, a row each, as `railbird games` lists them."""
    add_all()
    return [
        (
            game.name,
            [dialect.name for dialect in dialects.dialects() if dialect.game == game.name],
            # Each ACPC definition has its own stack.
            game.stack or None,
            [blind for blind in game.blinds if blind],
            list(game.streets),
            [profile.name for profile in game.profiles],
            [deviation.name for deviation in game.deviations],
            game.source,
        )
        for game in replaying.known_games()
    ]


VARIABLE: Final = "RAILBIRD_VARIANTS"
ENTRY_POINTS: Final = "railbird.variants"

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_lock: Final = Lock()
_files: Final[dict[Path, tuple[Variant, bytes]]] = {}
_installed: Final[dict[str, str]] = {}
"""By the name of a game of an installed package, a hash of the package's name and version."""


class VariantFile(NamedTuple):
    """A file that defines a game."""

    path: str
    text: bytes

    def add(self) -> None:
        """Register the game in this process; the file need not be here."""
        _add_text(Path(self.path), self.text, self.path)


class VariantError(WishError):
    """A file, or a package's entry point, that is no game; the message says where and why in one line."""


def add_file(path: str | Path) -> Variant:
    """Register the game of a file, once; raises VariantError, with the line of the file where there is one."""
    place = Path(path).absolute()
    if place in _files:
        return _files[place][0]
    try:
        text = place.read_bytes()
    except OSError as error:
        raise VariantError(f"{path}: {error.strerror or error}") from None
    return _add_text(place, text, str(path))


def add_all() -> None:
    """Register the games that RAILBIRD_VARIANTS and installed packages name; raises VariantError."""
    for path in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        add_file(path)
    _add_installed()


def all_files(named: Sequence[str | Path]) -> tuple[VariantFile, ...]:
    """Register the games of some files, and all that `add_all` does; the files, for another process."""
    add_all()
    for path in named:
        add_file(path)
    return tuple(VariantFile(str(place), text) for place, (_, text) in _files.items())


def signature() -> str:
    """The user's games that are known, as `files.variants` has them: NAME HASH, in the order of names."""
    hashes = {variant.game.name: _hash(text) for variant, text in _files.values()} | _installed
    return ", ".join(f"{name} {digest}" for name, digest in sorted(hashes.items()))


def needs_reading(variants: str) -> bool:
    """True for a file that was read without a game that is known now, or with another version of its file.

    Not where a game that it was read with is not known now: its hands would be lost.
    """
    now = signature()
    if variants == now:
        return False
    then = [one.split()[0] for one in variants.split(", ") if one]
    return {one.split()[0] for one in now.split(", ") if one}.issuperset(then)


def _add_text(place: Path, text: bytes, said: str) -> Variant:
    # Threads of a cluster's worker begin at once.
    with _lock:
        if place not in _files:
            variant = _completed(_checked(_run(place, text), said))
            _add(variant, said, text)
            _files[place] = variant, text
        return _files[place][0]


def _hash(text: bytes) -> str:
    return blake2b(text, digest_size=16).hexdigest()


@cache
def _add_installed() -> None:
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS):
        said = f"{point.value} (entry point {point.name})"
        try:
            found = point.load()
        except Exception as error:
            raise VariantError(f"{said}: {type(error).__name__}: {error}") from None
        variant = _completed(_checked(found, said))
        _add(variant, said)
        package = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        _installed[variant.game.name] = _hash(package.encode())


def _run(place: Path, text: bytes) -> object:
    """What a file calls VARIANT, None if nothing."""
    name = f"railbird_variant_{blake2b(os.fsencode(place), digest_size=8).hexdigest()}"
    spec = spec_from_file_location(name, place)
    if spec is None:
        raise VariantError(f"{place}: the name of a file that defines a game ends in .py")
    module = module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[name] = module
    try:
        exec(compile(text, str(place), "exec"), vars(module))
    except SyntaxError as error:
        raise VariantError(f"{place}:{error.lineno}: {error.msg}") from None
    except Exception as error:
        import traceback

        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == str(place)
        ]
        raise VariantError(f"{place}:{lines[-1] if lines else 1}: {_said(error)}") from None
    return vars(module).get("VARIANT")


def _said(error: Exception) -> str:
    first = str(error).partition("\n")[0]
    return first if isinstance(error, ValueError) and first else f"{type(error).__name__}: {first}"


def _checked(found: object, said: str) -> Variant:
    if not isinstance(found, Variant):
        what = "nothing is called VARIANT" if found is None else f"VARIANT is a {type(found).__name__}"
        raise VariantError(f"{said}: {what}; it must be a railbird.variants.properties.Variant")
    if (
        not isinstance(found.game, Game)
        or not isinstance(found.properties, Properties)
        or callable(found.dialects)
    ):
        raise VariantError(f"{said}: VARIANT must hold a Game, Properties and a tuple of Dialects")
    return found


def _completed(variant: Variant) -> Variant:
    """A game that does not say how it is replayed and played is one of two players in turn."""
    game = variant.game
    if game.family is None:
        game = replace(game, family=replaying.heads_up)
    if game.forward is None and game.family is replaying.heads_up:
        game = replace(game, forward=holdem_mit.play)
    return variant._replace(game=game)


def _add(variant: Variant, said: str, text: bytes = b"") -> None:
    for problem in _problems(variant):
        raise VariantError(f"{said}: {problem}")
    for problem, word in _unfit_lines(variant):
        at = next((k for k, line in enumerate(text.decode().splitlines(), 1) if word in line), 0)
        raise VariantError(f"{said}:{at}: {problem}" if at else f"{said}: {problem}")
    try:
        _register(variant)
    except ValueError as error:
        raise VariantError(f"{said}: {error}") from None


def _problems(variant: Variant) -> Iterator[str]:
    """Why a game conflicts with those that are known."""
    name = variant.game.name
    if not _NAME.fullmatch(name):
        yield f"the game is called {name!r}; a name has small letters, digits and hyphens"
    if name in {game.name for game in replaying.known_games()}:
        yield f"another game is called {name!r}"
    assert isinstance(variant.properties, Properties)
    if variant.properties.game != name:
        yield f"the properties are those of {variant.properties.game!r}, the game is {name!r}"
    assert not callable(variant.dialects)
    if not variant.dialects:
        yield "it has no dialect"
    known = {dialect.name for dialect in dialects.dialects()}
    for dialect in variant.dialects:
        if not _NAME.fullmatch(dialect.name):
            yield f"a dialect is called {dialect.name!r}; a name has small letters, digits and hyphens"
        if dialect.name in known:
            yield f"another dialect is called {dialect.name!r}"
        if dialect.game != name:
            yield f"the dialect {dialect.name!r} is of the game {dialect.game!r}, not of {name!r}"


def _unfit_lines(variant: Variant) -> Iterator[tuple[str, str]]:
    """Why a game's own lines cannot be read, each with a word of the file at which to look."""
    own = variant.game.own_events
    assert not callable(variant.dialects)
    for dialect in variant.dialects:
        templates = dialect.grammar.templates
        known = {template.event for template in templates}
        for event in own:
            if event not in known:
                yield f"the dialect {dialect.name!r} has no line {event!r}", event
        for template in templates:
            is_own = events.is_own(template.event)
            if is_own and template.event not in own:
                yield f"no step and no function of the game has the line {template.event!r}", template.pattern
            elif is_own and template.fields[:1] != [PLAYER]:
                yield f"the line {template.pattern!r} must begin with the player, {{p}}", template.pattern
            elif template.event in own and not is_own:
                yield (
                    f"{template.event!r} is an event that railbird has; a step needs one of its own",
                    template.pattern,
                )


dialects.register(
    (variant.dialects_by_rules() for variant in VARIANTS),
    (hint for variant in VARIANTS for hint in variant.hints),
)
replaying.register(GAMES, add_all)
