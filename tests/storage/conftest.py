"""A real S3 server on loopback, and the environment that leads to it."""

from collections.abc import Callable, Iterator

import pytest
from support.s3 import BUCKET, READER, NoServer, environment, serving


@pytest.fixture(scope="session")
def s3_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that holds one empty bucket; it ends with the tests."""
    try:
        with serving(tmp_path_factory.mktemp("s3")) as endpoint:
            yield endpoint
    except NoServer as error:
        pytest.skip(str(error))


@pytest.fixture
def s3(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A new prefix of the bucket; the environment leads to the server."""
    for name, value in environment(s3_endpoint).items():
        monkeypatch.setenv(name, value)
    return f"s3://{BUCKET}/{request.node.name.replace('[', '-').replace(']', '')}"


@pytest.fixture
def only_read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on the server lets the test read, and nothing else."""
    return lambda: monkeypatch.setenv("AWS_ACCESS_KEY_ID", READER)
