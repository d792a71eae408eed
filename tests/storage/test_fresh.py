"""Files that take the place of others in one step, and what is left of those whose writer was killed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from railbird.storage.fresh import replacing

KILLED = """
import os, sys
from pathlib import Path
from railbird.storage.fresh import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os._exit(0)
"""


def test_what_a_killed_writer_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "rows[1].json")], check=True)
    (left,) = tmp_path.iterdir()
    assert left.read_bytes() == b"half"
    with replacing(tmp_path / "other.json") as file:
        file.write(b"other")
    assert left.exists()
    users = tmp_path / ".rows[1].json.mine.new"
    users.write_bytes(b"a user's")
    os.utime(users, (0, 0))
    with replacing(tmp_path / "rows[1].json", 0o600) as file, replacing(tmp_path / "rows[1].json") as second:
        second.write(b"second")
        file.write(b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [users.name, "other.json", "rows[1].json"]
    assert (tmp_path / "rows[1].json").read_bytes() == b"whole"
    assert (tmp_path / "rows[1].json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("has_links", [True, False])
def test_a_new_file_replaces_none(tmp_path: Path, has_links: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_links:

        def refused(*_: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refused)
    path = tmp_path / "game.py"
    with replacing(path, is_new=True) as file:
        file.write(b"mine")
    with pytest.raises(FileExistsError), replacing(path, is_new=True) as file:
        file.write(b"another")
    assert [one.name for one in tmp_path.iterdir()] == ["game.py"]
    assert path.read_bytes() == b"mine"


def test_a_writer_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "seen").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "seen") as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("seen", b"old")]
