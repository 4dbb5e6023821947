"""Calls and types of the Likeness API, generated from its OpenAPI document by packages/python/generate.ts: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NotRequired, TypedDict

from .transport import Transport, picture_type, quote


__all__ = [
    "ChallengeResult",
    "ChallengeResultAssetsLink",
    "ChallengeResultDeviceResultOfStatus",
    "ChallengeResultDiagnostics",
    "ChallengeResultDiagnosticsComparedSource",
    "ChallengeResultEvent",
    "ChallengeResultLivenessResultOfFace",
    "ChallengeResultMatchResultOfComparedToFeatids",
    "ChallengeResultMatchResultOfComparedToFeatidsComparedToFeatid",
    "ChallengeResultMatchResultOfComparedToFeatidsComparedToFeatidLikenessFeatures",
    "ChallengeResultMatchResultOfLivenessFeatid",
    "ChallengeSummary",
    "CreateChallengeRequest",
    "CreateChallengeRequestFlowBehaviour",
    "CreateChallengeRequestFlowStyle",
    "CreateChallengeRequestNotifications",
    "CreateChallengeResponse",
    "CreateChallengeResponseWarning",
    "Delivery",
    "DeliveryAttempt",
    "DeliveryList",
    "Device",
    "Likeness",
    "ListChallengesAnswer",
    "ListDevicesAnswer",
    "ListDevicesBody",
    "NotificationConfiguration",
    "NotificationConfigurationProperties",
    "NotificationConfigurationPropertiesAuthentication",
    "NotificationConfigurationPropertiesAuthenticationProperties",
    "PictureFeatid",
    "PictureFeatidQuality",
    "Problem",
    "ProblemError",
    "RevokeFeatidBody",
    "TestDelivery",
    "TestDeliveryAttempt",
    "UnlockFeatidBody",
]


class ChallengeResult(TypedDict):
    challenge_id: str
    customer_reference: str | None
    created_at: str
    initiated_at: str | None
    expires_at: str
    status: Literal["created", "initiated", "processing", "completed", "expired", "cancelled"]
    closed_reason: Literal["completed", "expired", "cancelled", None]
    liveness_level: Literal["quick", "standard", "high"]
    consent_required: bool
    consent_given_at: str | None
    events: list[ChallengeResultEvent]
    overall_result: Literal["pass", "fail", None]
    liveness_result: ChallengeResultLivenessResultOfFace | None
    match_result: ChallengeResultMatchResultOfLivenessFeatid | ChallengeResultMatchResultOfComparedToFeatids | None
    # Null until judged, and without `device_binding`.
    device_result: ChallengeResultDeviceResultOfStatus | None
    assets_links: list[ChallengeResultAssetsLink]
    diagnostics: ChallengeResultDiagnostics
    # Present, and true, only for challenges of a sandbox key: nobody was checked.
    sandbox: NotRequired[Literal[True]]


class ChallengeResultAssetsLink(TypedDict):
    asset_type: Literal["liveness_video", "best_frame"]
    mime_type: str
    size_kb: int
    presigned_url: str
    presigned_url_valid_until: str


class ChallengeResultDeviceResultOfStatus(TypedDict):
    # `bound`: a passkey of the FeatureID signed this recording; in an enrolment, one was made for it. `new`: the face matches a FeatureID, and none of the passkeys that it had signed: the person declined, the device is another one, or it was added now. `none`: there was nothing to sign for, or the person declined to make a passkey. `failed`: an answer did not hold, or a passkey could not be added. `unavailable`: the browser has no passkeys.
    status: Literal["bound", "new", "none", "failed", "unavailable"]
    # Whether the passkey may be synchronised to other devices of its owner, as the device says; null without one.
    backed_up: bool | None
    credential_since: str | None


class ChallengeResultDiagnostics(TypedDict):
    # Stable codes for what was not met or could not be evaluated.
    reasons: list[str]
    # What the person said they cannot do, and was not asked for in the judged recording. Absent if nothing was left out.
    accessible_way: NotRequired[Literal["without_turns", "without_smile", "passive"]]
    # What each compared FeatureID was made from, in the order of `compared_to_featids`.
    compared_sources: NotRequired[list[ChallengeResultDiagnosticsComparedSource]]


class ChallengeResultDiagnosticsComparedSource(TypedDict):
    featid: str
    # `image`: there is no proof that a living person was present.
    source: Literal["liveness_video", "image"]


class ChallengeResultEvent(TypedDict):
    name: Literal["challenge_opened", "consent_given", "consent_declined", "camera_granted", "camera_denied", "capture_started", "capture_submitted", "capture_rejected", "evaluation_completed", "device_added", "challenge_expired", "challenge_cancelled"]
    timestamp: str
    # What denied the camera, as the browser tells: its settings, its question closed without an answer, the settings of the device, the page that embeds the check, or the headers with which the check arrived. Only with `camera_denied`, and absent if the page did not say.
    cause: NotRequired[Literal["blocked", "dismissed", "by_device", "by_frame", "by_site"]]


class ChallengeResultLivenessResultOfFace(TypedDict):
    # Exactly one face, usable, the same person throughout.
    face: bool
    # All liveness checks together.
    overall: bool
    # Neutral first, then a smile when prompted.
    smile: bool
    # Presentation attack detection: true when no attack was found.
    spoof_result: bool
    liveness_featid: str | None


class ChallengeResultMatchResultOfComparedToFeatids(TypedDict):
    compared_to_featids: list[ChallengeResultMatchResultOfComparedToFeatidsComparedToFeatid]


class ChallengeResultMatchResultOfComparedToFeatidsComparedToFeatid(TypedDict):
    featid: str
    # The same value under the other spelling of the specification.
    feat_id: str
    # Rounded to two decimals; 0.5 at the operating point.
    score: float
    result: Literal["pass", "fail"]
    # Per region of the face, to be read together with `result`; regions that could not be seen are left out. With `pass`, `Fail` marks a region less alike than in 95 of 100 comparisons of the same person; with `fail`, `Pass` marks one more alike than in 95 of 100 comparisons of different people. A hint for human readers: decide by `result`.
    likeness_features: ChallengeResultMatchResultOfComparedToFeatidsComparedToFeatidLikenessFeatures


class ChallengeResultMatchResultOfComparedToFeatidsComparedToFeatidLikenessFeatures(TypedDict):
    forehead: NotRequired[Literal["Pass", "Fail"]]
    middle_forehead: NotRequired[Literal["Pass", "Fail"]]
    left_brow: NotRequired[Literal["Pass", "Fail"]]
    right_brow: NotRequired[Literal["Pass", "Fail"]]
    left_eye: NotRequired[Literal["Pass", "Fail"]]
    right_eye: NotRequired[Literal["Pass", "Fail"]]
    left_cheek: NotRequired[Literal["Pass", "Fail"]]
    right_cheek: NotRequired[Literal["Pass", "Fail"]]
    nose: NotRequired[Literal["Pass", "Fail"]]
    philtrum: NotRequired[Literal["Pass", "Fail"]]
    mouth: NotRequired[Literal["Pass", "Fail"]]
    jaw: NotRequired[Literal["Pass", "Fail"]]


class ChallengeResultMatchResultOfLivenessFeatid(TypedDict):
    liveness_featid: str | None


class ChallengeSummary(TypedDict):
    challenge_id: str
    customer_reference: str | None
    created_at: str
    expires_at: str
    status: Literal["created", "initiated", "processing", "completed", "expired", "cancelled"]
    closed_reason: Literal["completed", "expired", "cancelled", None]
    liveness_only: bool
    overall_result: Literal["pass", "fail", None]
    # Present, and true, only for challenges of a sandbox key: nobody was checked.
    sandbox: NotRequired[Literal[True]]


class CreateChallengeRequest(TypedDict):
    # Your own value; echoed in the result.
    customer_reference: NotRequired[str | None]
    # true: liveness only. false: also compare with `compare_to_featids`.
    liveness_only: bool
    # FeatureIDs to compare with: 1–100 when `liveness_only` is false, otherwise absent, null or empty.
    compare_to_featids: NotRequired[list[str] | None]
    expires_in_seconds: NotRequired[int | None]
    # Whether the privacy screen is shown.
    require_consent: NotRequired[bool | None]
    # How much is asked of the person. Default: what the operator has set.
    liveness_level: NotRequired[Literal["quick", "standard", "high", None]]
    # Whether the person's device signs the recording with a passkey: made for a new FeatureID when `liveness_only` is true, otherwise one of the compared FeatureIDs. `offer` passes without, `require` does not.
    device_binding: NotRequired[Literal["off", "offer", "require", None]]
    # Whether a person whose face matches may add the passkey of a new device. Only with `device_binding` `offer` and a comparison.
    allow_new_device: NotRequired[bool | None]
    # How much is asked instead where a compared FeatureID has passkeys. If none of them signs, the person is asked again at `liveness_level`. Only with `device_binding` and a comparison.
    liveness_level_when_bound: NotRequired[Literal["quick", "standard", "high", None]]
    flow_behaviour: NotRequired[CreateChallengeRequestFlowBehaviour | None]
    flow_style: NotRequired[CreateChallengeRequestFlowStyle | None]
    notifications: NotRequired[CreateChallengeRequestNotifications | None]


class CreateChallengeRequestFlowBehaviour(TypedDict):
    # Where the person is sent when done: https, http, or a scheme of your own app: a name (`myapp://done`) or a reversed domain name (`com.example.app:/done`). Registered schemes and those of operating systems, browsers, stores and tools are refused, and so is a second scheme after the first. Used exactly as given.
    exit_redirect_url: NotRequired[str | None]
    # Page of your own site where the person can do something else instead: an https URL. Offered on the privacy screen, at every retry, and at every end without a result.
    alternative_url: NotRequired[str | None]
    # What a person who cannot do it may leave out: nothing (`none`), either the turns of the head or the smile (`one_kind`), or both (`passive`: the face is only looked at). Default `one_kind`; `none` at level `high`. Each is easier to attack than the whole script.
    accessible_way: NotRequired[Literal["none", "one_kind", "passive", None]]


class CreateChallengeRequestFlowStyle(TypedDict):
    # Primary colour
    primary_colour_hex: NotRequired[str | None]
    # Header text colour
    header_text_colour_hex: NotRequired[str | None]
    # Body text colour
    body_text_colour_hex: NotRequired[str | None]
    # Public URL of the logo (PNG, JPEG, WebP, GIF, AVIF or SVG of at most 1 MB); fetched by the server and served from its own origin. No private address.
    logo_public_url: NotRequired[str | None]
    # URL of the terms of service
    terms_of_service_url: NotRequired[str | None]
    # Whether a consent checkbox is shown on the privacy screen.
    show_consent_checkbox: NotRequired[bool | None]


class CreateChallengeRequestNotifications(TypedDict):
    complete: NotRequired[list[NotificationConfiguration] | None]
    expired: NotRequired[list[NotificationConfiguration] | None]


class CreateChallengeResponse(TypedDict):
    challenge_id: str
    # Give it only to the person: it carries a secret.
    challenge_url: str
    expires_at: str
    # What the person will not see as you want it. Absent if there is nothing to warn of, or it is not known yet.
    warnings: NotRequired[list[CreateChallengeResponseWarning]]


class CreateChallengeResponseWarning(TypedDict):
    # JSON Pointer to the value in the body.
    pointer: str
    code: Literal["logo_unreachable", "logo_unusable", "logo_invisible"]
    detail: str


class Delivery(TypedDict):
    # Also the `webhook-id` header: the same for every attempt.
    delivery_id: str
    challenge_id: str | None
    event: Literal["complete", "expired", "test"]
    endpoint_url: str
    status: Literal["pending", "delivered", "failed", "cancelled"]
    created_at: str
    next_attempt_at: str | None
    finished_at: str | None
    # Oldest first; the latest 50.
    attempts: list[DeliveryAttempt]


class DeliveryAttempt(TypedDict):
    at: str
    duration_ms: int
    # `oauth_…`: no access token was obtained, so the receiver was not called.
    outcome: Literal["delivered", "http_status", "redirect_refused", "gone", "invalid_url", "https_required", "refused_address", "refused_port", "dns_failed", "connect_failed", "tls_failed", "timeout", "connection_lost", "malformed_response", "oauth_invalid_url", "oauth_https_required", "oauth_refused_address", "oauth_refused_port", "oauth_dns_failed", "oauth_connect_failed", "oauth_tls_failed", "oauth_timeout", "oauth_connection_lost", "oauth_malformed_response", "oauth_rejected"]
    # HTTP status of the receiver, or of the OAuth server when `outcome` is `oauth_rejected`.
    response_status: int | None
    # Beginning of the response (at most 1 kB), with secrets redacted.
    excerpt: str | None


class DeliveryList(TypedDict):
    data: list[Delivery]
    next_cursor: str | None


class Device(TypedDict):
    device_id: str
    since: str
    backed_up: bool
    # How the device is reached, as it said itself: `internal` for the device that is used.
    transports: list[str]


class ListChallengesAnswer(TypedDict):
    data: list[ChallengeSummary]
    next_cursor: str | None


class ListDevicesAnswer(TypedDict):
    data: list[Device]


class ListDevicesBody(TypedDict):
    featid: str


class NotificationConfiguration(TypedDict):
    # `https` requires an https endpoint_url, `http` accepts either.
    type: Literal["http", "https"]
    properties: NotificationConfigurationProperties


class NotificationConfigurationProperties(TypedDict):
    # Webhook URL. A private address in the URL is refused here, and a name that resolves to one when it is called, unless the operator allows it.
    endpoint_url: str
    authentication: NotRequired[NotificationConfigurationPropertiesAuthentication | None]


class NotificationConfigurationPropertiesAuthentication(TypedDict):
    type: Literal["oauth"]
    properties: NotificationConfigurationPropertiesAuthenticationProperties


class NotificationConfigurationPropertiesAuthenticationProperties(TypedDict):
    # Token endpoint of the OAuth server; https in production. No private address.
    oauth_endpoint_url: str
    grant: NotRequired[Literal["client_credentials", None]]
    client_id: str
    # Stored encrypted, never returned.
    client_secret: str
    scope: NotRequired[str | None]
    audience: NotRequired[str | None]


class PictureFeatid(TypedDict):
    # Store it: it is returned only once and cannot be recreated.
    featid: str
    # It was made from a picture: there is no proof that a living person was present.
    source: Literal["image"]
    quality: PictureFeatidQuality
    # Present, and true, only for a sandbox key: the picture was not examined.
    sandbox: NotRequired[Literal[True]]


class PictureFeatidQuality(TypedDict):
    # What may make false rejections of this person more likely: `dark`, `burnt_out` (part of the face has no detail), `blurred` (somewhat), `turned` (somewhat), `occluded` (something covers the lower face). Empty if there is nothing of the kind.
    flaws: list[Literal["dark", "burnt_out", "blurred", "turned", "occluded"]]
    # Distance between the eyes in pixels, with the longer side of the picture reduced to at most 1,600.
    eye_distance_px: int


class Problem(TypedDict):
    # Stable URI of the kind of error; it is also the address of its documentation.
    type: str
    title: str
    status: int
    # Why it happened, for human readers.
    detail: str
    # The request id, also in X-Request-Id.
    instance: str
    # All faults of the request.
    errors: NotRequired[list[ProblemError]]


class ProblemError(TypedDict):
    # JSON Pointer to the faulty value.
    pointer: str
    code: Literal["unknown_field", "required", "wrong_type", "too_short", "too_long", "too_small", "too_large", "too_few", "too_many", "not_allowed_value", "invalid_format", "invalid_url", "url_scheme_not_allowed", "https_required", "address_not_allowed", "port_not_allowed", "must_be_absent", "duplicate", "featid_invalid", "featid_revoked", "featid_unknown", "featid_pack_retired", "featid_paused", "picture_empty", "picture_not_supported", "picture_too_large", "picture_damaged", "no_face", "several_faces", "face_too_small", "face_turned", "face_cut_off", "blurred"]
    detail: str


class RevokeFeatidBody(TypedDict):
    featid: str


class TestDelivery(TypedDict):
    delivery_id: str
    delivered: bool
    attempt: TestDeliveryAttempt


class TestDeliveryAttempt(TypedDict):
    at: str
    duration_ms: int
    # `oauth_…`: no access token was obtained, so the receiver was not called.
    outcome: Literal["delivered", "http_status", "redirect_refused", "gone", "invalid_url", "https_required", "refused_address", "refused_port", "dns_failed", "connect_failed", "tls_failed", "timeout", "connection_lost", "malformed_response", "oauth_invalid_url", "oauth_https_required", "oauth_refused_address", "oauth_refused_port", "oauth_dns_failed", "oauth_connect_failed", "oauth_tls_failed", "oauth_timeout", "oauth_connection_lost", "oauth_malformed_response", "oauth_rejected"]
    # HTTP status of the receiver, or of the OAuth server when `outcome` is `oauth_rejected`.
    response_status: int | None
    # Beginning of the response (at most 1 kB), with secrets redacted.
    excerpt: str | None


class UnlockFeatidBody(TypedDict):
    featid: str


class Likeness:
    """A client for one region and one account. Raises LikenessProblem and LikenessUnreachable."""

    def __init__(self, base_url: str, api_key: str, *, timeout: float = 30.0, max_retries: int = 2) -> None:
        self._transport = Transport(base_url, api_key, timeout, max_retries)

    def cancel_challenge(
        self,
        challenge_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> ChallengeResult:
        """Cancel an open challenge. The link stops working and no notification is sent. Cancelling twice is not an error."""
        result: ChallengeResult = self._transport.call(
            "POST",
            f"/v1/challenges/{quote(challenge_id)}/cancel",
            idempotency_key=idempotency_key,
        )
        return result

    def create_challenge(
        self,
        body: CreateChallengeRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreateChallengeResponse:
        """Create a challenge. Give `challenge_url` to the person. FeatureIDs are checked at creation. A refusal lists every fault of the body at once."""
        result: CreateChallengeResponse = self._transport.call(
            "POST",
            "/v1/create-challenge",
            body=body,
            idempotency_key=idempotency_key,
        )
        return result

    def create_featid(
        self,
        picture: bytes,
        *,
        idempotency_key: str | None = None,
    ) -> PictureFeatid:
        """Make a FeatureID from a picture. For faces that you already have: a portrait from a document, an HR system or another vendor. The body is the picture itself (JPEG, PNG, WebP or BMP, at most 10 MB unless configured otherwise), of one person who looks straight ahead. The response contains a FeatureID to compare challenges with. It has `source: image`: **there is no proof that a living person was present**, and every result that compares with it says so in `diagnostics.compared_sources`. The picture is not stored. Error rates: [recognition](/docs/guides/pictures)."""
        result: PictureFeatid = self._transport.call(
            "POST",
            "/v1/featids",
            content=picture,
            content_type=picture_type(picture),
            idempotency_key=idempotency_key,
        )
        return result

    def each_challenge(
        self,
        *,
        status: Literal["created", "initiated", "processing", "completed", "expired", "cancelled"] | None = None,
        customer_reference: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[ChallengeSummary]:
        """Every item of `list_challenges`, page after page; `limit` is the page size."""
        while True:
            page = self.list_challenges(
                status=status,
                customer_reference=customer_reference,
                created_after=created_after,
                created_before=created_before,
                limit=limit,
                cursor=cursor,
            )
            yield from page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def erase_challenge(
        self,
        challenge_id: str,
    ) -> None:
        """Erase a challenge. Erases video, frames, result and biometric data at once, makes its FeatureID worthless and cancels deliveries. From the response on, nothing can be read any more; the bytes of its keys are in no file of the database within 60 seconds. An audit record without biometric content remains."""
        self._transport.call(
            "DELETE",
            f"/v1/challenges/{quote(challenge_id)}",
        )

    def get_challenge(
        self,
        challenge_id: str,
    ) -> ChallengeResult:
        """Read a challenge with its result. The same object that webhooks carry, with fresh asset links."""
        result: ChallengeResult = self._transport.call(
            "GET",
            f"/v1/challenges/{quote(challenge_id)}",
        )
        return result

    def get_receipt(
        self,
        challenge_id: str,
    ) -> str:
        """Read the signed receipt of a result. A compact JWS (EdDSA, Ed25519) with the hash of the video, the script, every check with its value and threshold, the hashes of the networks and the calibration, and the version. It has no template, picture or FeatureID. `likeness verify` uses it to judge the video again; the public keys are at `/.well-known/jwks.json`. The receipt is deleted with its challenge, so keep a copy."""
        result: str = self._transport.call(
            "GET",
            f"/v1/challenges/{quote(challenge_id)}/receipt",
        )
        return result

    def list_challenges(
        self,
        *,
        status: Literal["created", "initiated", "processing", "completed", "expired", "cancelled"] | None = None,
        customer_reference: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListChallengesAnswer:
        """List challenges, newest first"""
        result: ListChallengesAnswer = self._transport.call(
            "GET",
            "/v1/challenges",
            query={"status": status, "customer_reference": customer_reference, "created_after": created_after, "created_before": created_before, "limit": limit, "cursor": cursor},
        )
        return result

    def list_deliveries(
        self,
        challenge_id: str,
    ) -> DeliveryList:
        """Deliveries of a challenge with their attempts"""
        result: DeliveryList = self._transport.call(
            "GET",
            f"/v1/challenges/{quote(challenge_id)}/deliveries",
        )
        return result

    def list_devices(
        self,
        body: ListDevicesBody,
        *,
        idempotency_key: str | None = None,
    ) -> ListDevicesAnswer:
        """List the devices of a FeatureID. The passkeys that can sign for this FeatureID (`device_binding`), oldest first, five at most. A POST, so that the FeatureID is in no log of addresses."""
        result: ListDevicesAnswer = self._transport.call(
            "POST",
            "/v1/featids/devices",
            body=body,
            idempotency_key=idempotency_key,
        )
        return result

    def redeliver(
        self,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Delivery:
        """Send a delivery again. Makes the delivery due at once, whether or not it succeeded before, with a new run of the retry schedule and the same `webhook-id`."""
        result: Delivery = self._transport.call(
            "POST",
            f"/v1/deliveries/{quote(delivery_id)}/redeliver",
            idempotency_key=idempotency_key,
        )
        return result

    def revoke_device(
        self,
        device_id: str,
    ) -> None:
        """Revoke a device of a FeatureID. Destroys the public key of the passkey: this device signs for the FeatureID no more. The face and other devices stay."""
        self._transport.call(
            "DELETE",
            f"/v1/featids/devices/{quote(device_id)}",
        )

    def revoke_featid(
        self,
        body: RevokeFeatidBody,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Revoke a FeatureID. Destroys the template, which makes the string worthless. This cannot be undone. The bytes of its key are in no file of the database within 60 seconds of the response."""
        self._transport.call(
            "POST",
            "/v1/featids/revoke",
            body=body,
            idempotency_key=idempotency_key,
        )

    def test_webhook(
        self,
        body: NotificationConfiguration,
        *,
        idempotency_key: str | None = None,
    ) -> TestDelivery:
        """Send a signed sample to an endpoint. Sends one attempt immediately, within 15 s including OAuth. At most five run at a time. The response reports what came back; 200 does not mean delivered."""
        result: TestDelivery = self._transport.call(
            "POST",
            "/v1/webhooks/test",
            body=body,
            idempotency_key=idempotency_key,
        )
        return result

    def unlock_featid(
        self,
        body: UnlockFeatidBody,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Unlock a FeatureID. Ends the pause that follows failed comparisons (429 `featid-paused`) at once, and forgets the failures. Does nothing if the FeatureID is not paused. Use it for a person whose identity you have verified in another way."""
        self._transport.call(
            "POST",
            "/v1/featids/unlock",
            body=body,
            idempotency_key=idempotency_key,
        )
