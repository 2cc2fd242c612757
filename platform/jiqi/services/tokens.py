"""API tokens: keys for programs, shown once and stored as a hash."""

import builtins
from datetime import timedelta

from jiqi.domain.accounts import ApiToken, User
from jiqi.domain.errors import BadInputError, NotFoundError
from jiqi.domain.files import shown
from jiqi.domain.ids import TokenId, UserId, is_id, random_id
from jiqi.services.authentication import new_secret, secret_hash
from jiqi.services.ports import Clock, Database, Transaction

# A prefix lets scanners of published code recognise a leaked token.
PREFIX = "jq_"
MOST = 50


class Tokens:
    """Tokens of one person at a time."""

    def __init__(self, *, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def create(self, user: User, *, label: str, days: int | None) -> tuple[ApiToken, str]:
        """Return a new token and its secret, which is kept nowhere. Raises BadInputError."""
        text = label.strip()
        if not text or not text.isprintable():
            raise BadInputError(where="label", limit=100)
        now = self._clock()
        secret = PREFIX + new_secret()
        token = ApiToken(
            id=TokenId(random_id()),
            user_id=user.id,
            label=text,
            secret_hash=secret_hash(secret),
            created=now,
            expires=now + timedelta(days=days) if days is not None else None,
        )

        def work(tx: Transaction) -> None:
            if len(tx.tokens.of_user(user.id)) >= MOST:
                raise BadInputError(where="tokens", limit=MOST)
            tx.tokens.add(token)

        self._database.write(work)
        return token, secret

    def list(self, user_id: UserId) -> "builtins.list[ApiToken]":
        """Return the person's tokens, newest first."""
        return self._database.read(lambda tx: tx.tokens.of_user(user_id))

    def revoke(self, user_id: UserId, token_id: TokenId) -> None:
        """Remove a token. Raises NotFoundError."""
        if not is_id(token_id) or not self._database.write(lambda tx: tx.tokens.revoke(user_id, token_id)):
            raise NotFoundError(token=shown(token_id[:26]))
