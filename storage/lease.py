"""The lock of a bucket, and the one object that a commit replaces, by conditional writes (If-None-Match, If-Match).

The lock is the object NAME. A writer takes it by a write that the server refuses if anybody wrote since the writer
looked. It renews it every `LEASE / 4` seconds and marks it free at the end. Others wait while it changes. A lock that a
waiting writer saw unchanged for LEASE seconds, by its own clock, belongs to a dead writer, and is taken.

The writer taken for dead may be halted only. It cannot commit any more: whoever takes its lock replaces the manifest
at once (`manifest.locked`), and each write of the manifest is refused if anybody else wrote it since the writer took
the lock. Nor can it remove what others wrote, for it renews the lock between its look at what is there and the removal.
"""

import configparser
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from random import uniform
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from obstore.store import S3Config

LEASE: Final = 8.0
"""Seconds without a change after which a lock belongs to a dead writer; with a turn of waiting at most 10."""
NAME: Final = "lock/writer.json"
KEEPER: Final = "railbird-lock"
"""The name of the thread that renews the lock."""

_WAIT: Final = 0.5
"""The least seconds between two looks at a lock that another holds; at most twice as many."""
_RETRIES: Final = 3


class Version(NamedTuple):
    """An object's bytes and the server's tag of them."""

    data: bytes
    tag: str


class Objects(Protocol):
    """Objects with conditional writes. Methods raise OSError if the server does not answer or refuses."""

    def get(self, name: str) -> Version | None:
        """An object; None if it does not exist."""

    def put(self, name: str, data: bytes, was: str | None) -> str | None:
        """Write if the tag is `was`, or for None if there is no object: its tag, or None if there is another."""

    def remove(self, name: str) -> None:
        """Remove an object that may be gone already."""


class Unconditional(OSError):
    """A server that ignores conditions."""


class Conditional:
    """Objects of a bucket, below a prefix."""

    def __init__(self, path: str, region: str | None, endpoint: str) -> None:
        """path: bucket/prefix; endpoint: the address of a server, "" for Amazon's. ImportError without obstore."""
        from obstore.store import S3Store

        bucket, _, prefix = path.partition("/")
        config = _keys_of_profile()
        config["region"] = region or "us-east-1"
        if endpoint:
            config["endpoint"] = endpoint
        self._store = S3Store(
            bucket,
            prefix=prefix or None,
            config=config,
            client_options={"allow_http": True},
            retry_config={"max_retries": _RETRIES, "retry_timeout": timedelta(seconds=LEASE)},
        )

    def get(self, name: str) -> Version | None:
        """An object; None if it does not exist."""
        import obstore

        with _as_os_errors():
            try:
                found = obstore.get(self._store, name)
            except FileNotFoundError:
                return None
            return Version(bytes(found.bytes()), found.meta["e_tag"] or "")

    def put(self, name: str, data: bytes, was: str | None) -> str | None:
        """Write if the tag is `was`, or for None if there is no object: its tag, or None if there is another."""
        import obstore
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        with _as_os_errors(), suppress(AlreadyExistsError, PreconditionError):
            done = obstore.put(self._store, name, data, mode="create" if was is None else {"e_tag": was})
            return done["e_tag"] or ""
        # The first of two tries of a request may have done it, and only its answer was lost.
        there = self.get(name)
        return there.tag if there is not None and there.data == data else None

    def remove(self, name: str) -> None:
        """Remove an object that may be gone already."""
        import obstore

        with _as_os_errors(), suppress(FileNotFoundError):
            obstore.delete(self._store, name)


@contextmanager
def _as_os_errors() -> Iterator[None]:
    from obstore.exceptions import BaseError

    try:
        yield
    except BaseError as error:
        raise OSError(str(error).partition("\n")[0]) from None


def _keys_of_profile() -> "S3Config":
    """The keys of ~/.aws, which obstore does not read, unless the environment has any."""
    if os.environ.get("AWS_ACCESS_KEY_ID"):
        return {}
    profile = os.environ.get("AWS_PROFILE", "default")
    places = (
        ("AWS_SHARED_CREDENTIALS_FILE", "credentials", profile),
        ("AWS_CONFIG_FILE", "config", profile if profile == "default" else f"profile {profile}"),
    )
    for variable, file, section in places:
        held = configparser.ConfigParser(interpolation=None)
        with suppress(OSError, configparser.Error, UnicodeError, RuntimeError):
            held.read(os.environ.get(variable) or Path.home() / ".aws" / file)
        if held.has_option(section, "aws_access_key_id"):
            keys: S3Config = {
                "access_key_id": held[section]["aws_access_key_id"],
                "secret_access_key": held[section].get("aws_secret_access_key", ""),
            }
            if held.has_option(section, "aws_session_token"):
                keys["session_token"] = held[section]["aws_session_token"]
            return keys
    return {}


class Lease:
    """The lock of one writer, and the manifest as it knows it."""

    def __init__(self, objects: Objects, manifest: str) -> None:
        """manifest: the name of the object that `exchange` replaces."""
        self._objects, self._manifest = objects, manifest
        self._tag: str | None = None
        self._known: str | None = None
        self._turn = 0
        self._busy = threading.Lock()
        self._taken_over = False
        self.inherited = False
        """True if the last holder may be halted: it did not give the lock back, or the lock was removed."""
        self.is_last = False
        """True to remove the lock in the end: nothing was stored."""

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock; others wait. OSError if the server has no conditional writes."""
        self._wait_for_it()
        done = threading.Event()
        keeper = threading.Thread(target=self._keep, args=(done,), name=KEEPER, daemon=True)
        keeper.start()
        try:
            self._expect_conditions()
            found = self._objects.get(self._manifest)
            self._known = found.tag if found else None
            # In a new place there was no lock before.
            self.inherited = self.inherited and (found is not None or self._taken_over)
            yield
        finally:
            done.set()
            keeper.join()
            self._give_back()

    def _give_back(self) -> None:
        # A lock that is not given back is taken from a dead writer after LEASE.
        with suppress(OSError):
            if self.is_last:
                if self.is_held():
                    self._objects.remove(NAME)
            elif self._tag is not None:
                self._objects.put(NAME, self._text(is_free=True), self._tag)
        self._tag = None

    def _wait_for_it(self) -> None:
        seen, since = "", 0.0
        while True:
            # The clock is read before the look: what is seen is no older.
            now = time.monotonic()
            found = self._objects.get(NAME)
            is_free = found is None or _is_free(found.data)
            if found is not None and not is_free and found.tag != seen:
                seen, since = found.tag, time.monotonic()
            elif is_free or now - since >= LEASE:
                self._tag = self._objects.put(NAME, self._text(), found.tag if found else None)
                self.inherited = found is None or not is_free
                self._taken_over = not is_free
                if self._tag is not None:
                    return
            time.sleep(uniform(_WAIT, 2 * _WAIT))

    def _text(self, is_free: bool = False) -> bytes:
        """The lock's text: none is written twice, so none has the tag of another."""
        self._turn += 1
        holder = None if is_free else f"{socket.gethostname()}, process {os.getpid()}"
        return json.dumps({"holder": holder, "turn": self._turn, "word": os.urandom(8).hex()}).encode()

    def _expect_conditions(self) -> None:
        """OSError if the server ignores a condition. Of two writers one would overwrite the other."""
        with self._busy:
            if self._tag is None:
                return
            word = self._text()
            for was in (None, '"0"'):
                if (tag := self._objects.put(NAME, word, was)) is not None:
                    self._tag = tag
                    raise Unconditional("the server has no conditional writes, which keep two writers apart")

    def _keep(self, done: threading.Event) -> None:
        while not done.wait(LEASE / 4):
            with suppress(OSError):
                if not self.is_held():
                    return

    def is_held(self) -> bool:
        """Renew the lock; False if another has taken it. OSError if the server does not answer."""
        with self._busy:
            if self._tag is not None:
                self._tag = self._objects.put(NAME, self._text(), self._tag)
            return self._tag is not None

    def exchange(self, data: bytes) -> bool:
        """Replace the manifest, unless another wrote it since the lock was taken; False if so."""
        tag = self._objects.put(self._manifest, data, self._known)
        self._known = tag if tag is not None else self._known
        return tag is not None


def _is_free(text: bytes) -> bool:
    with suppress(ValueError, KeyError, TypeError):
        return json.loads(text)["holder"] is None
    return False
