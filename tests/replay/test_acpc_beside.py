"""What lies beside a log is found: on disk, in an archive, and nothing that belongs to another."""

import shutil
import zipfile
from pathlib import Path

import pytest

from railbird.parsers.acpc import AcpcMatch
from railbird.parsers.acpc_beside import Companions, has_acpc, read_definition, with_beside
from railbird.parsers.acpc_game import parse_definition
from railbird.parsers.chunks import examine, pieces
from railbird.parsers.sources import sources


@pytest.fixture
def folder(tmp_path: Path, sample_logs: Path) -> Path:
    return Path(shutil.copytree(sample_logs / "acpc", tmp_path / "logs"))


def companions(paths: list[Path]) -> tuple[Companions, dict[str, str], list[str]]:
    complaints: list[str] = []
    given = list(sources(paths, complaints.append))
    found = Companions(given, (), complaints.append)
    beside = {}
    for source in given:
        if source.path.endswith(".log"):
            got = found.beside(source)
            names = "+".join(definition.name for definition in got.definitions)
            beside[source.path.rsplit("/", 1)[-1]] = f"{names} {bool(got.complaints)}"
    return found, beside, complaints


def test_definitions_and_error_logs_of_a_folder(folder: Path) -> None:
    _, beside, complaints = companions([folder])
    assert not complaints
    assert set(beside.values()) == {"unequal.nolimit.4p False", "unequal.nolimit.4p True"}
    assert {name for name, said in beside.items() if said.endswith("True")} == {"faults.log", "crashed.log"}


def test_a_single_log_still_has_what_lies_beside_it(folder: Path) -> None:
    _, beside, _ = companions([folder / "faults.log"])
    assert beside == {"faults.log": "unequal.nolimit.4p True"}


def test_an_archive_is_a_folder_too(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"inside/{path.name}")
    _, beside, complaints = companions([tmp_path / "all.zip"])
    assert not complaints
    assert beside["faults.log"] == "unequal.nolimit.4p True"
    assert beside["kuhn.log"] == "unequal.nolimit.4p False"


def test_a_broken_definition_is_told_once_and_left_out(folder: Path) -> None:
    (folder / "broken.game").write_text("GAMEDEF\nnumPlayers = 99\nEND GAMEDEF\n")
    _, beside, complaints = companions([folder])
    assert set(said.split()[0] for said in beside.values()) == {"unequal.nolimit.4p"}
    path = folder / "broken.game"
    message = "no definition of a game (numplayers is one number from 2 to 10)"
    assert complaints == [f"{path}: line 1: {message}"]


def test_matches_of_a_piece_know_what_lies_beside_them(folder: Path, sample_logs: Path) -> None:
    found, _, _ = companions([folder])
    (source,) = sources([folder / "side-pots.log"], print)
    (piece,) = pieces(source, examine(source))
    assert has_acpc(piece)
    (match,) = with_beside(piece, found.beside(source)).matches
    assert isinstance(match, AcpcMatch)
    assert [definition.name for definition in match.beside.definitions] == ["unequal.nolimit.4p"]
    (other,) = sources([sample_logs / "bounty/faults.txt"], print)
    (piece,) = pieces(other, examine(other))
    assert not has_acpc(piece)


def test_a_definition_that_the_user_names(folder: Path, tmp_path: Path) -> None:
    path = folder / "unequal.nolimit.4p.game"
    definition = read_definition(path)
    assert definition == parse_definition(path.read_text(), "unequal.nolimit.4p")
    (source,) = sources([folder / "kuhn.log"], print)
    assert Companions([source], [definition], print).beside(source).definitions[0] is definition
    with pytest.raises(ValueError, match=r"nowhere\.game: not readable \(No such file or directory\)"):
        read_definition(tmp_path / "nowhere.game")
    with pytest.raises(ValueError, match=r"kuhn\.log: a definition begins with GAMEDEF"):
        read_definition(folder / "kuhn.log")
