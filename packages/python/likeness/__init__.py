"""Client of Likeness for Python 3.11 and newer, without dependencies."""

from .api import *  # noqa: F403
from .transport import LikenessProblem, LikenessUnreachable
from .webhook import ReceivedWebhook, WebhookVerificationError, verify_webhook

__all__ = [  # noqa: PLE0604
    *api.__all__,  # type: ignore[name-defined]  # noqa: F405
    "LikenessProblem",
    "LikenessUnreachable",
    "ReceivedWebhook",
    "WebhookVerificationError",
    "verify_webhook",
]
