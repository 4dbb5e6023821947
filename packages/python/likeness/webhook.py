"""The receiver's side of a webhook (Standard Webhooks): verifies signature and age, and parses the result."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, NamedTuple, cast

from .api import ChallengeResult

_TOLERANCE_SECONDS = 5 * 60


class WebhookVerificationError(Exception):
    """A header is missing, the signature is wrong, or the message is too old. Respond with 4xx."""


class ReceivedWebhook(NamedTuple):
    # The same for every attempt of a delivery. Store it, and ignore deliveries that you have already seen.
    delivery_id: str
    result: ChallengeResult


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> ReceivedWebhook:
    """Verifies the signature and age (5 minutes) of a webhook and parses its result.

    `body` is the raw body, byte for byte as received, or its text if the platform provides only that. `secret` is the
    account's `whsec_…`.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        delivery_id = given["webhook-id"]
        timestamp = given["webhook-timestamp"]
        signatures = given["webhook-signature"]
    except KeyError as missing:
        raise WebhookVerificationError(f"missing header {missing}") from None
    if not timestamp.isascii() or not timestamp.isdecimal() or len(timestamp) > 12:
        raise WebhookVerificationError("the timestamp is not a number")
    if abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookVerificationError("the message is too old, or a clock is wrong")
    signed = f"{delivery_id}.{timestamp}.".encode() + (body.encode() if isinstance(body, str) else body)
    expected = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    if not any([_matches(signature, expected) for signature in signatures.split(" ")]):
        raise WebhookVerificationError("no matching signature")
    try:
        return ReceivedWebhook(delivery_id, cast(ChallengeResult, json.loads(body)))
    except ValueError:
        raise WebhookVerificationError("the body is not JSON") from None


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("the secret must be whsec_ followed by base64")
    return key


def _matches(signature: str, expected: bytes) -> bool:
    version, _, text = signature.partition(",")
    if version != "v1":
        return False
    try:
        return hmac.compare_digest(base64.b64decode(text, validate=True), expected)
    except (binascii.Error, ValueError):
        return False
