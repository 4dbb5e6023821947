"""Makes API calls: authentication, timeout, and retries that cannot do anything twice. Standard library only."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Mapping

# Kinds of 429 that are not recorded under the idempotency key, a proxy's own included: any other is the same each time.
_UNRECORDED_429 = {"rate-limited", "unknown"}
# A proxy got no response from the service, which may nevertheless have executed the request.
_GATEWAY = {502, 504}
# Longest Retry-After to wait for; beyond it the problem is raised.
_MAX_RETRY_WAIT_SECONDS = 30.0


class LikenessProblem(Exception):
    """The service refused (RFC 9457). Decide by `kind` and by the `code` of each of `faults`; the rest is for people."""

    def __init__(
        self,
        status: int,
        problem: Any,
        retry_after_seconds: float | None = None,
        request_id: str | None = None,
    ) -> None:
        # Kept as given, so that the exception can be pickled: queues and process pools pass exceptions on.
        self._arguments = (status, problem, retry_after_seconds, request_id)
        self.status = status
        # Last part of the problem's `type`. A later version of the service may return kinds that are not documented
        # yet.
        self.kind: str = (_text(problem, "type") or "unknown").rsplit("/", 1)[-1]
        self.detail: str | None = _text(problem, "detail")
        # Id of the request, for support questions.
        self.request_id: str | None = _text(problem, "instance") or request_id
        # Every fault of the request: {"pointer": …, "code": …, "detail": …}.
        self.faults: list[dict[str, str]] = _faults(problem)
        self.retry_after_seconds = retry_after_seconds
        faults = "; ".join(f"{fault['pointer'] or 'body'} {fault['detail']}" for fault in self.faults)
        said = [_text(problem, "title") or f"HTTP {status}", self.detail, faults]
        super().__init__(": ".join(part for part in said if part))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._arguments)


class LikenessUnreachable(Exception):
    """The service did not respond (address, network or timeout, see `__cause__`), or something else answered instead."""

    _is_final = False


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, which would send the API key to someone else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Calls one service with one API key. Safe to share between threads."""

    def __init__(self, base_url: str, api_key: str, timeout: float, max_retries: int) -> None:
        base_url = base_url.strip() if isinstance(base_url, str) else ""
        if not base_url.startswith(("https://", "http://")):
            raise ValueError("base_url must begin with https:// or http://")
        self._base_url = base_url.rstrip("/")
        # Checked here, because the standard library's error about an invalid header would contain the key.
        self._api_key = api_key.strip() if isinstance(api_key, str) else ""
        if not re.fullmatch("[!-~]+", self._api_key):
            raise ValueError("api_key must be an API key, such as lk_live_… or lk_test_…")
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
        """Returns the response: parsed JSON, other text as str, None if there is no content."""
        headers = {"authorization": f"Basic {self._api_key}", "accept": "application/json"}
        if method == "POST":
            key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
            if not re.fullmatch("[!-~]{1,255}", key):
                raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters")
            headers["idempotency-key"] = key
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
                status = failure.status if isinstance(failure, LikenessProblem) else None
                if may_be_done and method == "DELETE" and status == 404:
                    # An earlier attempt that got no response has already erased it.
                    return None
                may_be_done = may_be_done or status is None or status in _GATEWAY
                wait = _wait_seconds(failure, attempt)
                if wait is None or attempt >= self._max_retries or wait > _MAX_RETRY_WAIT_SECONDS:
                    raise
            time.sleep(wait)
            attempt += 1

    def _attempt(self, request: urllib.request.Request) -> Any:
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                status = answer.status
                content = answer.read()
                kind = answer.headers.get_content_type()
        except urllib.error.HTTPError as refused:
            with refused:
                if 300 <= refused.code < 400:
                    raise self._not_ours(refused.code, "a redirect; set base_url to the exact address of the service") from None
                raise _problem_of(refused) from None
        except (OSError, http.client.HTTPException) as cause:
            raise LikenessUnreachable(f"no answer from {self._base_url}: {cause}") from cause
        if status == 204:
            return None
        try:
            text: str = content.decode()
            return text if kind == "application/jose" else json.loads(text)
        except ValueError:
            raise self._not_ours(status, "the body is not JSON; something in between may be answering for the service") from None

    def _not_ours(self, status: int, why: str) -> LikenessUnreachable:
        """Something else answered in the service's place; a retry would get the same response."""
        failure = LikenessUnreachable(f"no answer from {self._base_url}: HTTP {status}, {why}")
        failure._is_final = True
        return failure


def _problem_of(refused: urllib.error.HTTPError) -> LikenessProblem:
    try:
        problem = json.loads(refused.read())
    except (ValueError, OSError, http.client.HTTPException):
        problem = {}
    after = _seconds_of(refused.headers.get("retry-after", ""))
    return LikenessProblem(refused.code, problem, after, refused.headers.get("x-request-id"))


def _seconds_of(retry_after: str) -> float | None:
    """Retry-After in seconds. Proxies send seconds or a date (RFC 9110 §10.2.3)."""
    if retry_after.isascii() and retry_after.isdecimal():
        return float(retry_after)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return None


def _text(problem: Any, name: str) -> str | None:
    """A text field of the problem, or None: a proxy's own errors may have any form."""
    value = problem.get(name) if isinstance(problem, dict) else None
    return value if isinstance(value, str) else None


def _faults(problem: Any) -> list[dict[str, str]]:
    errors = problem.get("errors") if isinstance(problem, dict) else None
    named = ("pointer", "code", "detail")
    return [
        fault
        for fault in (errors if isinstance(errors, list) else [])
        if all(_text(fault, name) is not None for name in named)
    ]


def _wait_seconds(failure: LikenessProblem | LikenessUnreachable, attempt: int) -> float | None:
    """Seconds to wait before the next try; None if it would get the same response."""
    # Half a second, doubled each time, plus up to half of that at random, so that clients do not retry in step.
    pause = 0.5 * 2**attempt * (1 + random.random() / 2)
    if isinstance(failure, LikenessUnreachable):
        return None if failure._is_final else pause
    # The first attempt, which got no response, is still being processed.
    in_flight = failure.kind == "idempotency-in-flight"
    again = failure.status in {408, 503, *_GATEWAY}
    if in_flight or again or (failure.status == 429 and failure.kind in _UNRECORDED_429):
        return pause if failure.retry_after_seconds is None else failure.retry_after_seconds
    return None


def quote(value: str) -> str:
    """Encodes one segment of a path."""
    return urllib.parse.quote(value, safe="")


def picture_type(picture: bytes) -> str:
    """A media type that the service accepts; the service itself decides by the bytes."""
    return {0x89: "image/png", 0x52: "image/webp", 0x42: "image/bmp"}.get(picture[0] if picture else 0, "image/jpeg")
