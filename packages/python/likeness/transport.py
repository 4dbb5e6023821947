"""One call of the API: authentication, time limit, retries that cannot do a thing twice. Standard library only."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Mapping

# Recorded under the idempotency key: sent again with it they are answered alike, however long one waits.
_RECORDED_429 = {"featid-paused", "storage-quota"}
# Longest that one Retry-After is waited for; beyond it the problem is raised.
_MAX_RETRY_WAIT_SECONDS = 30.0


class LikenessProblem(Exception):
    """The service refused (RFC 9457). Decide by `kind`, and by `code` of each of `faults`; the rest is for people."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after_seconds: float | None) -> None:
        self.status = status
        # Last part of the problem's `type`. A later service may answer with kinds that are not documented yet.
        self.kind: str = str(problem.get("type", "unknown")).rsplit("/", 1)[-1]
        self.detail: str | None = problem.get("detail")
        # Id of the request, for a support question.
        self.request_id: str | None = problem.get("instance")
        # Every fault of the body: {"pointer": …, "code": …, "detail": …}.
        self.faults: list[dict[str, str]] = problem.get("errors", [])
        self.retry_after_seconds = retry_after_seconds
        faults = "; ".join(f"{fault.get('pointer') or 'body'} {fault.get('detail')}" for fault in self.faults)
        said = [problem.get("title") or f"HTTP {status}", self.detail, faults]
        super().__init__(": ".join(part for part in said if part))


class LikenessUnreachable(Exception):
    """No answer came: the address, the network or the time limit. `__cause__` says which."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the API key to somebody else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Calls one service with one API key. Safe to share between threads."""

    def __init__(self, base_url: str, api_key: str, timeout: float, max_retries: int) -> None:
        if not base_url.startswith(("https://", "http://")):
            raise ValueError("base_url must begin with https:// or http://")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._opener = urllib.request.build_opener(_NoRedirect)

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content: bytes | None = None,
        content_type: str | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """The answer: JSON as it is, another text as str, None where there is none."""
        headers = {"authorization": f"Basic {self._api_key}", "accept": "application/json"}
        if method == "POST":
            headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        if body is not None:
            content, content_type = json.dumps(body).encode(), "application/json"
        if content is not None and content_type:
            headers["content-type"] = content_type
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + (f"?{urllib.parse.urlencode(given)}" if given else "")
        attempt = 0
        may_be_done = False
        while True:
            try:
                return self._attempt(urllib.request.Request(url, content, headers, method=method))
            except (LikenessProblem, LikenessUnreachable) as failure:
                if may_be_done and method == "DELETE" and getattr(failure, "status", None) == 404:
                    # An attempt without an answer has erased what this one does not find.
                    return None
                may_be_done = may_be_done or isinstance(failure, LikenessUnreachable)
                wait = _wait_seconds(failure, attempt)
                if wait is None or attempt >= self._max_retries or wait > _MAX_RETRY_WAIT_SECONDS:
                    raise
            time.sleep(wait)
            attempt += 1

    def _attempt(self, request: urllib.request.Request) -> Any:
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                text = answer.read().decode()
                kind = answer.headers.get_content_type()
        except urllib.error.HTTPError as refused:
            with refused:
                raise _problem_of(refused) from None
        except (OSError, http.client.HTTPException) as cause:
            raise LikenessUnreachable(f"no answer from {self._base_url}") from cause
        if not text:
            return None
        return json.loads(text) if kind == "application/json" else text


def _problem_of(refused: urllib.error.HTTPError) -> LikenessProblem:
    try:
        problem = json.loads(refused.read())
    except (ValueError, OSError, http.client.HTTPException):
        problem = {}
    after = refused.headers.get("retry-after", "")
    seconds = float(after) if after.isdecimal() else None
    return LikenessProblem(refused.code, problem if isinstance(problem, dict) else {}, seconds)


def _wait_seconds(failure: LikenessProblem | LikenessUnreachable, attempt: int) -> float | None:
    """None: another try would be answered alike."""
    # Half a second, doubled each time, with up to half of it at random so that clients do not come back in step.
    pause = 0.5 * 2**attempt * (1 + random.random() / 2)
    if isinstance(failure, LikenessUnreachable):
        return pause
    # In flight: its own first attempt, of which no answer came, is still being worked on.
    in_flight = failure.kind == "idempotency-in-flight"
    if in_flight or failure.status == 503 or (failure.status == 429 and failure.kind not in _RECORDED_429):
        return pause if failure.retry_after_seconds is None else failure.retry_after_seconds
    return None


def quote(value: str) -> str:
    """A part of a path."""
    return urllib.parse.quote(value, safe="")


def picture_type(picture: bytes) -> str:
    """The service looks for itself; it only has to be one of those that it takes."""
    return {0x89: "image/png", 0x52: "image/webp", 0x42: "image/bmp"}.get(picture[0] if picture else 0, "image/jpeg")
