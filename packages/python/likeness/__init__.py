"""Client of Likeness for Python 3.11 and newer, without dependencies."""

from . import api
from .api import *  # noqa: F403
from .transport import LikenessProblem, LikenessUnreachable
from .webhook import ReceivedWebhook, WebhookVerificationError, verify_webhook

__all__ = [
    "LikenessProblem",
    "LikenessUnreachable",
    "ReceivedWebhook",
    "WebhookVerificationError",
    "verify_webhook",
]
# Type checkers understand this form.
__all__ += api.__all__
