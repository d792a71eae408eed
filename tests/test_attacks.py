"""The attacks of `hammer.attacks` are in vain. Each is tried in full by `make attacks`; here the one that is quick."""

from pathlib import Path

import pytest
from conftest import ROOT
from hammer import attacks
from hammer.attacks import tried


def test_an_attack_on_this_package_is_in_vain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "railbird").symlink_to(ROOT)
    ((name, (is_in_vain, said)),) = tried(tmp_path / "railbird", ["bomb"], 0.02).items()
    assert name == "bomb"
    assert is_in_vain, said
    assert said.endswith(" MB")
    monkeypatch.setattr(attacks, "MOST_MB", 1)
    assert not tried(tmp_path / "railbird", ["bomb"], 0.001)["bomb"][0], "more memory than is allowed"
