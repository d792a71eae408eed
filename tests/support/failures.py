"""Seeing what railbird failed on: nothing of it is replaced, its log has the traceback."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class Failures(logging.Handler):
    """Keeps the tracebacks that are logged."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.texts.append(logging.Formatter().formatException(record.exc_info))


@contextmanager
def no_failure() -> Iterator[None]:
    """The test fails where railbird fails on a match or a file meanwhile, in any thread of this process."""
    seen, logger = Failures(), logging.getLogger("railbird")
    level = logger.level
    logger.addHandler(seen)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(seen)
        logger.setLevel(level)
    if seen.texts:
        pytest.fail("railbird failed on a match or a file:\n" + "\n".join(seen.texts), pytrace=False)
