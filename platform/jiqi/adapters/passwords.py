"""Password hashes with argon2id: 19 MiB, two passes, one lane (the OWASP password storage recommendation).

The library's defaults (64 MiB, four lanes) took 245 ms of CPU on a busy machine with two cores against 32 ms, and a
class of 300 logs in at once.
"""

import argon2
from argon2.exceptions import InvalidHashError, VerificationError


class Argon2Passwords:
    """Each call costs about 50 ms of CPU: call it from a bounded pool, never from the event loop."""

    def __init__(self) -> None:
        self._hasher = argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        # An unknown name takes as long as a wrong password, so that names cannot be tried out.
        self._nobody = self._hasher.hash("nobody has this password")

    def hash(self, password: str) -> str:
        """Return a salted hash."""
        return self._hasher.hash(password)

    def matches(self, password: str, hashed: str | None) -> bool:
        """Say whether it fits; takes as long when there is no hash."""
        try:
            fits = self._hasher.verify(hashed or self._nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return fits and hashed is not None
