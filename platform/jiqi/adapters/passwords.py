"""Password hashes with argon2id, at the library's current defaults (RFC 9106, low-memory profile)."""

import argon2
from argon2.exceptions import InvalidHashError, VerificationError


class Argon2Passwords:
    """Each call costs about 50 ms of CPU: call it from a bounded pool, never from the event loop."""

    def __init__(self) -> None:
        self._hasher = argon2.PasswordHasher()
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
