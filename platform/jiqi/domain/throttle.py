"""Slowing down guesses at a password: by account, never by address (a class shares one address)."""

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from jiqi.domain.accounts import LoginThrottledError

TRIES = 10
WINDOW = timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """Tries at one account since `window_start` that have not succeeded; the last one allowed moves the start."""

    name_key: str
    count: int
    window_start: datetime


def admit_try(failures: Failures | None, *, key: str, now: datetime) -> Failures:
    """Return the failures with one more try counted. Raises LoginThrottledError with the minutes to wait.

    A try is counted before the password is looked at, so that many at once cannot slip through; success clears.
    """
    if failures is None or now - failures.window_start >= WINDOW:
        return Failures(name_key=key, count=1, window_start=now)
    if failures.count >= TRIES:
        left = failures.window_start + WINDOW - now
        raise LoginThrottledError(minutes=max(1, math.ceil(left.total_seconds() / 60)))
    count = failures.count + 1
    start = now if count == TRIES else failures.window_start
    return replace(failures, count=count, window_start=start)
