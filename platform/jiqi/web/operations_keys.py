"""Operations on the keys of an account: logged-in browsers and API tokens."""

from jiqi.domain.accounts import ApiToken
from jiqi.domain.errors import BadInputError, NotFoundError
from jiqi.domain.ids import SessionId, TokenId
from jiqi.web import schemas_accounts as schemas
from jiqi.web.call import Auth, Call, Operation


def list_sessions(call: Call) -> schemas.SessionList:
    """List my logged-in browsers."""
    found = call.services.accounts.sessions(call.who)
    return schemas.SessionList(
        sessions=[
            schemas.Session(
                id=s.id,
                agent=s.agent,
                created=s.created,
                expires=s.expires,
                current=s.id == call.who.session_id,
            )
            for s in found
        ]
    )


def end_session(call: Call) -> None:
    """Log one of my browsers out."""
    call.services.accounts.end_session(call.who, SessionId(call.path["session"]))


def list_tokens(call: Call) -> schemas.TokenList:
    """List my API tokens."""
    return schemas.TokenList(tokens=[_token(t) for t in call.services.tokens.list(call.who.user.id)])


def create_token(call: Call, body: schemas.TokenRequest) -> schemas.NewToken:
    """Make an API token; its secret is shown this once."""
    token, secret = call.services.tokens.create(call.who.user, label=body.label, days=body.days)
    url = f"{call.services.site.notebook_url}/user/{call.who.user.id}/"
    return schemas.NewToken(token=_token(token), secret=secret, jupyter_url=url)


def revoke_token(call: Call) -> None:
    """Revoke an API token: programs that use it lose access within five seconds."""
    call.services.tokens.revoke(call.who.user.id, TokenId(call.path["token"]))


def _token(token: ApiToken) -> schemas.Token:
    return schemas.Token(
        id=token.id,
        label=token.label,
        created=token.created,
        expires=token.expires,
        last_used=token.last_used,
    )


KEYS = (
    Operation(
        id="listSessions", method="GET", path="/sessions", auth=Auth.PORTAL, tag="account", run=list_sessions
    ),
    Operation(
        id="endSession",
        method="DELETE",
        path="/sessions/{session}",
        auth=Auth.PORTAL,
        tag="account",
        run=end_session,
        errors=(NotFoundError,),
    ),
    Operation(id="listTokens", method="GET", path="/tokens", auth=Auth.PORTAL, tag="tokens", run=list_tokens),
    Operation(
        id="createToken",
        method="POST",
        path="/tokens",
        auth=Auth.PORTAL,
        tag="tokens",
        run=create_token,
        status=201,
        errors=(BadInputError,),
    ),
    Operation(
        id="revokeToken",
        method="DELETE",
        path="/tokens/{token}",
        auth=Auth.PORTAL,
        tag="tokens",
        run=revoke_token,
        errors=(NotFoundError,),
    ),
)
