"""The live page's server: the pages and the answers that they ask for, on loopback only.

Pages of other sites must learn nothing: requests with another Host or Origin are refused, or that a browser says are
of another site (Sec-Fetch-Site), and no page may load or send anything beyond this server.
"""

import json
import socket
from asyncio import CancelledError, Semaphore, create_task, sleep
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from . import UserError
from .bounded_sql import BoundedSql
from .following import Following, Pages
from .pages.build import INDEX
from .pages.markup import ASSETS, LOADERS, TEMPLATES, hash_of

if TYPE_CHECKING:
    from types import FrameType

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK: Final = "127.0.0.1"
_MOST_BODY: Final = 1_000_000
"""Bytes of a query as JSON."""
_LOOK: Final = 0.2
"""Seconds between two looks whether a viewer left."""
_AT_ONCE: Final = 2
"""Queries that run at once; others wait."""
_MOST_ASKED: Final = 50
"""Queries that run and wait; others are refused."""
_FILES: Final = {
    name: {"js": "text/javascript", "css": "text/css"}[name.rpartition(".")[2]]
    for name in (
        "live.js",
        "live.css",
        "style.css",
        "page.js",
        "words.js",
        "curves.js",
        "curves.css",
        "uplot.js",
        "uplot.css",
    )
}
_COMMON: Final = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " + _COMMON
)
_REPORT_POLICY: Final = (
    f"default-src 'none'; script-src {' '.join(map(hash_of, LOADERS.values()))} 'strict-dynamic'; "
    "style-src 'self'; img-src 'self'; " + _COMMON
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_WAIT: Final = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">{refresh}<title>The report · railbird</title>
<link rel="stylesheet" href="/assets/style.css"></head>
<body><main><h1>{title}</h1><p class="lead">{text}</p><p><a href="/">The live page</a></p></main></body></html>
"""

_OWN_SITES: Final = frozenset(("same-origin", "none"))
"""What a browser says of a request by a page of this server, or by the user: an address typed, a bookmark."""


class OwnOnly:
    """Refuses requests that are not of this server's own pages, and adds the headers of all answers."""

    def __init__(self, app: "ASGIApp", port: int) -> None:
        """port: of the server."""
        self._app = app
        self._hosts = {f"{LOOPBACK}:{port}", f"localhost:{port}"}
        if port == 80:
            self._hosts |= {LOOPBACK, "localhost"}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        names = (b"host", b"origin", b"sec-fetch-site", b"sec-fetch-mode", b"sec-fetch-dest")
        named: dict[bytes, list[str]] = {name: [] for name in names}
        for name, value in scope["headers"]:
            if name in named:
                named[name].append(value.decode("latin-1").lower())
        hosts, origins = named[b"host"], named[b"origin"]
        # Browsers say it also where they leave out the origin: of an image or a frame in a page of another site. A link
        # that the user follows from there is the user's.
        is_link = (named[b"sec-fetch-mode"], named[b"sec-fetch-dest"]) == (["navigate"], ["document"])
        is_foreign = not _OWN_SITES.issuperset(named[b"sec-fetch-site"]) and not is_link
        if (
            len(hosts) != 1
            or hosts[0] not in self._hosts
            or not self._origins.issuperset(origins)
            or is_foreign
        ):
            await _refused(403, "this server answers only its own pages")(scope, receive, send)
            return

        started = False

        async def send_with_headers(message: "Message") -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                there = {name for name, _ in message["headers"]}
                own = {"Content-Security-Policy": _POLICY, **_HEADERS}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.lower().encode(), value.encode())
                        for name, value in own.items()
                        if name.lower().encode() not in there
                    ),
                ]
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except CancelledError:
            # The server ends while it answers.
            if not started:
                await _refused(503, "the server ends")(scope, receive, send_with_headers)


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, media_type="application/json")


def _refused(status: int, why: str) -> Response:
    return _json(json.dumps({"error": why}).encode(), status)


class _Site:
    """The answers to requests."""

    def __init__(self, following: Following, pages: Pages, sql: BoundedSql) -> None:
        self._following, self._pages, self._sql = following, pages, sql
        self._running = Semaphore(_AT_ONCE)
        self._asked = 0

    async def live(self, request: Request) -> Response:
        """The page's figures; 204 if the viewer has the newest."""
        asked = request.query_params
        if asked.get("since") == str(self._following.version):
            return Response(status_code=204)
        return _json(await run_in_threadpool(self._following.page, asked.get("event"), asked.get("game")))

    async def scoreboard(self, _: Request) -> Response:
        """Chips and hands of every player."""
        return _json(await run_in_threadpool(self._following.scoreboard))

    async def sql(self, request: Request) -> Response:
        """A query that reads the store."""
        try:
            query = _query(await _body(request))
            if self._asked >= _MOST_ASKED:
                raise UserError("too many queries are waiting")
            self._asked += 1
            try:
                async with self._running:
                    return _json(await self._answer(request, query))
            finally:
                self._asked -= 1
        except UserError as error:
            return _refused(400, str(error))
        except ClientDisconnect:
            return _refused(400, "the request ended early")

    async def _answer(self, request: Request, query: str) -> bytes:
        """The answer to a query; the query is stopped if the viewer leaves."""
        left = Event()

        async def watch() -> None:
            while not await request.is_disconnected():
                await sleep(_LOOK)
            left.set()

        watching = create_task(watch())
        try:
            return await run_in_threadpool(self._sql.answer, query, left)
        finally:
            watching.cancel()

    async def report(self, request: Request) -> Response:
        """A page of the report; a request of the first page starts a new report."""
        name = request.path_params["name"]
        # The first page begins another report; the others stay those of the one that is shown.
        folder = self._pages.ask() if name in ("", INDEX) else self._pages.folder() or self._pages.ask()
        if folder is None:
            if self._following.version == 0:
                return _waiting("No hands yet", "The report can be written once the store has hands.")
            if trouble := self._pages.trouble:
                from markupsafe import escape

                return _waiting("The report was not written", str(escape(trouble)))
            return _waiting("The report is being written", "This page shows it once it is there.")
        path = _page_of(folder, name or INDEX)
        if path is None:
            return _refused(404, "no such page")
        return FileResponse(path, headers={"Content-Security-Policy": _REPORT_POLICY})


def _page_of(folder: Path, name: str) -> Path | None:
    """A file of a folder by its name in an address; None if it has no such file."""
    try:
        path = (folder / name).resolve()
        return path if path.is_relative_to(folder.resolve()) and path.is_file() else None
    except (OSError, ValueError):
        # Too long, or with a zero byte.
        return None


def _waiting(title: str, text: str) -> Response:
    again = '<meta http-equiv="refresh" content="1">'
    return HTMLResponse(_WAIT.format(title=title, text=text, refresh=again))


async def _body(request: Request) -> bytes:
    held = bytearray()
    async for piece in request.stream():
        held += piece
        if len(held) > _MOST_BODY:
            raise UserError(f"a request has at most {_MOST_BODY:,} bytes")
    return bytes(held)


def _query(body: bytes) -> str:
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict) or not isinstance(asked.get("query"), str):
        raise UserError('give JSON such as {"query": "select * from hands"}')
    return str(asked["query"])


async def _first(_: Request) -> Response:
    return FileResponse(TEMPLATES / "live.html", media_type="text/html")


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        return _refused(404, "no such file")
    return FileResponse(TEMPLATES / ASSETS.get(name, name), media_type=_FILES[name])


async def _no_icon(_: Request) -> Response:
    return Response(status_code=204)


async def _to_report(_: Request) -> Response:
    return RedirectResponse(f"/report/{INDEX}")


def application(following: Following, pages: Pages, sql: BoundedSql, port: int) -> "ASGIApp":
    """The ASGI application of a followed store.

    Addresses: / the live page, /report/ the report's pages, /api/live and /api/scoreboard the page's figures, and
    POST /api/sql {query}, which answers {columns, rows, truncated}.
    """
    site = _Site(following, pages, sql)
    routes = [
        Route("/", _first),
        Route("/assets/{name}", _asset),
        Route("/favicon.ico", _no_icon),
        Route("/api/live", site.live),
        Route("/api/scoreboard", site.scoreboard),
        Route("/api/sql", site.sql, methods=["POST"]),
        Route("/report", _to_report),
        Route("/report/{name:path}", site.report),
    ]
    return OwnOnly(Starlette(routes=routes), port)


def listen(port: int) -> socket.socket:
    """A socket that listens on loopback; 0 is a free port. UserError if the port is taken or not allowed."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((LOOPBACK, port))
        made.listen(256)
    except OSError as error:
        made.close()
        raise UserError(f"--port {port}: {error.strerror}; 0 takes a free port") from None
    return made


def run(app: "ASGIApp", listening: socket.socket, ending: Callable[[], None]) -> None:
    """Serve until an interrupt, which is raised again as KeyboardInterrupt.

    ending: called at the interrupt, before the server waits for its last answers
    """
    import uvicorn

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: "FrameType | None") -> None:
            ending()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    Server(config).run(sockets=[listening])
