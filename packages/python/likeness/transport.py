"""One call of the API: authentication, time limit, retries that cannot do a thing twice. Standard library only."""

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

# Recorded under the idempotency key: sent again with it they are answered alike, however long one waits.
_RECORDED_429 = {"featid-paused", "storage-quota"}
# A proxy's word that no answer of the service came: it may have done what it was asked.
_GATEWAY = {502, 504}
# Longest that one Retry-After is waited for; beyond it the problem is raised.
_MAX_RETRY_WAIT_SECONDS = 30.0


class LikenessProblem(Exception):
    """The service refused (RFC 9457). Decide by `kind`, and by `code` of each of `faults`; the rest is for people."""

    def __init__(
        self,
        status: int,
        problem: Any,
        retry_after_seconds: float | None = None,
        request_id: str | None = None,
    ) -> None:
        # Kept as given, so that it can be pickled: queues and process pools hand exceptions on.
        self._arguments = (status, problem, retry_after_seconds, request_id)
        self.status = status
        # Last part of the problem's `type`. A later service may answer with kinds that are not documented yet.
        self.kind: str = (_text(problem, "type") or "unknown").rsplit("/", 1)[-1]
        self.detail: str | None = _text(problem, "detail")
        # Id of the request, for a support question.
        self.request_id: str | None = _text(problem, "instance") or request_id
        # Every fault of the body: {"pointer": …, "code": …, "detail": …}.
        self.faults: list[dict[str, str]] = _faults(problem)
        self.retry_after_seconds = retry_after_seconds
        faults = "; ".join(f"{fault['pointer'] or 'body'} {fault['detail']}" for fault in self.faults)
        said = [_text(problem, "title") or f"HTTP {status}", self.detail, faults]
        super().__init__(": ".join(part for part in said if part))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._arguments)


class LikenessUnreachable(Exception):
    """No answer of the service came: address, network, time limit (`__cause__` says which), or something in its place."""

    _is_final = False


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the API key to somebody else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Calls one service with one API key. Safe to share between threads."""

    def __init__(self, base_url: str, api_key: str, timeout: float, max_retries: int) -> None:
        base_url = base_url.strip() if isinstance(base_url, str) else ""
        if not base_url.startswith(("https://", "http://")):
            raise ValueError("base_url must begin with https:// or http://")
        self._base_url = base_url.rstrip("/")
        # Checked here: what the standard library says of a header that it does not take has the key in it.
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
        """The answer: JSON as it is, another text as str, None where there is none."""
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
                    # An attempt without an answer has erased what this one does not find.
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
        """Asked again, whatever stands in the service's place says the same."""
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
    """Seconds, or a date: proxies write both (RFC 9110 §10.2.3)."""
    if retry_after.isascii() and retry_after.isdecimal():
        return float(retry_after)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return None


def _text(problem: Any, name: str) -> str | None:
    """A proxy's own errors have any form."""
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
    """None: another try would be answered alike."""
    # Half a second, doubled each time, with up to half of it at random so that clients do not come back in step.
    pause = 0.5 * 2**attempt * (1 + random.random() / 2)
    if isinstance(failure, LikenessUnreachable):
        return None if failure._is_final else pause
    # In flight: its own first attempt, of which no answer came, is still being worked on.
    in_flight = failure.kind == "idempotency-in-flight"
    again = failure.status in {408, 503, *_GATEWAY}
    if in_flight or again or (failure.status == 429 and failure.kind not in _RECORDED_429):
        return pause if failure.retry_after_seconds is None else failure.retry_after_seconds
    return None


def quote(value: str) -> str:
    """A part of a path."""
    return urllib.parse.quote(value, safe="")


def picture_type(picture: bytes) -> str:
    """The service looks for itself; it only has to be one of those that it takes."""
    return {0x89: "image/png", 0x52: "image/webp", 0x42: "image/bmp"}.get(picture[0] if picture else 0, "image/jpeg")
