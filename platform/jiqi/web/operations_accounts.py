"""Operations on accounts: who I am, guest, register, log in and out, the administrator's link."""

from jiqi.domain.accounts import (
    AlreadyRegisteredError,
    GuestWorkError,
    LoginFailedError,
    LoginThrottledError,
    NameTakenError,
    PasswordWeakError,
    RegistrationClosedError,
    TicketError,
    User,
)
from jiqi.domain.errors import BadInputError
from jiqi.domain.limits import FRESH_PASSWORD, LIMITS
from jiqi.services.accounts import Login
from jiqi.web import schemas_accounts as schemas
from jiqi.web.call import Auth, Call, Lane, Operation


def get_me(call: Call) -> schemas.Me:
    """Who I am and what I may use; `user` is null when nobody is logged in."""
    return _me(call, call.principal.user if call.principal is not None else None)


def get_site(call: Call) -> schemas.Site:
    """What this installation is, and whether kernels can start and are isolated."""
    site, state = call.services.site, call.services.hosts.state()
    return schemas.Site(
        name=site.name,
        version=site.version,
        portal_url=site.portal_url,
        notebook_url=site.notebook_url,
        registration=site.registration,
        isolated=state.isolated,
        has_admin=call.services.links.has_admin(),
        problem=state.problem,
    )


def begin_guest(call: Call, body: schemas.GuestRequest) -> schemas.Me:
    """Begin as a guest; whoever is logged in stays who he is."""
    if call.principal is not None:
        return _me(call, call.principal.user)
    return _logged_in(
        call, call.services.accounts.guest(language=body.lang or call.language, agent=call.agent)
    )


def register(call: Call, body: schemas.RegisterRequest) -> schemas.Me:
    """Make an account; a guest keeps id, files, kernels and open pages."""
    login = call.services.accounts.register(
        name=body.name,
        password=body.password,
        language=body.lang or call.language,
        agent=call.agent,
        guest=call.principal,
    )
    return _logged_in(call, login)


def log_in(call: Call, body: schemas.LoginRequest) -> schemas.Me:
    """Log in by name and password; ten wrong passwords close an account to tries for fifteen minutes."""
    before = call.principal
    login = call.services.accounts.log_in(
        name=body.name,
        password=body.password,
        agent=call.agent,
        guest=before,
        ask=body.guest_work == "ask",
    )
    if body.guest_work == "bring" and before is not None:
        call.services.bringing.bring(before.user, login.principal.user)
    return _logged_in(call, login)


def log_out(call: Call) -> None:
    """Log out here: portal and notebook pages of this browser end within five seconds."""
    if call.principal is not None and call.principal.session_id is not None:
        call.services.accounts.log_out(call.principal)
    call.log_out()


def change_me(call: Call, body: schemas.ChangeMe) -> schemas.Me:
    """Change my name or language."""
    return _me(call, call.services.accounts.change(call.who, name=body.name, language=body.language))


def change_password(call: Call, body: schemas.PasswordChange) -> schemas.Me:
    """Change my password; other browsers and API tokens of mine are logged out."""
    return _logged_in(call, call.services.accounts.change_password(call.who, old=body.old, new=body.new))


def confirm_password(call: Call, body: schemas.PasswordConfirm) -> schemas.Me:
    """Prove my password again; administrator's writes are open for ten minutes."""
    call.services.accounts.confirm_password(call.who, password=body.password)
    return _me(call, call.who.user)


def check_link(call: Call, body: schemas.LinkSecret) -> schemas.LinkState:
    """Say what an administrator's link will do, without using it."""
    admin = call.services.links.check(body.secret)
    return schemas.LinkState(kind="login" if admin else "setup", name=admin.name if admin else None)


def redeem_link(call: Call, body: schemas.LinkRedeem) -> schemas.Me:
    """Use an administrator's link: makes the first administrator, later logs the administrator in."""
    login = call.services.links.redeem(
        body.secret, name=body.name, password=body.password, language=call.language, agent=call.agent
    )
    return _logged_in(call, login)


def _logged_in(call: Call, login: Login) -> schemas.Me:
    if login.secret is not None:
        call.log_in(login.secret, expires=login.session.expires)
    call.principal = login.principal
    return _me(call, login.principal.user)


def _me(call: Call, user: User | None) -> schemas.Me:
    if user is None:
        return schemas.Me(user=None, limits=None, session_expires=None, password_fresh_until=None)
    session = call.services.accounts.session(call.principal) if call.principal is not None else None
    fresh = session.password_at + FRESH_PASSWORD if session is not None and session.password_at else None
    return schemas.Me(
        user=schemas.Person(
            id=user.id,
            name=user.name,
            role=user.role.value,
            language="en" if user.language == "en" else "zh-CN",
            created=user.created,
        ),
        limits=_limits(user),
        session_expires=session.expires if session is not None else None,
        password_fresh_until=fresh,
    )


def _limits(user: User) -> schemas.RoleLimits:
    limits = LIMITS[user.role]
    return schemas.RoleLimits(
        kernels=limits.kernels,
        disk=limits.disk,
        kernel_session=int(limits.kernel_session.total_seconds()) if limits.kernel_session else None,
        kernel_idle=int(limits.kernel_idle.total_seconds()),
        files_kept=int(limits.files_kept.total_seconds()) if limits.files_kept else None,
        network="egress" if limits.egress else "none",
    )


_LOGIN = (LoginFailedError, LoginThrottledError)
ACCOUNTS = (
    Operation(id="getSite", method="GET", path="/site", auth=Auth.PUBLIC, tag="account", run=get_site),
    Operation(id="getMe", method="GET", path="/me", auth=Auth.PUBLIC, tag="account", run=get_me),
    Operation(
        id="changeMe",
        method="PATCH",
        path="/me",
        auth=Auth.PORTAL,
        tag="account",
        run=change_me,
        errors=(NameTakenError, BadInputError),
    ),
    Operation(
        id="beginGuest", method="POST", path="/guest", auth=Auth.PUBLIC, tag="account", run=begin_guest
    ),
    Operation(
        id="register",
        method="POST",
        path="/register",
        auth=Auth.PUBLIC,
        tag="account",
        run=register,
        lane=Lane.PASSWORDS,
        errors=(NameTakenError, PasswordWeakError, RegistrationClosedError, AlreadyRegisteredError),
    ),
    Operation(
        id="logIn",
        method="POST",
        path="/login",
        auth=Auth.PUBLIC,
        tag="account",
        run=log_in,
        lane=Lane.PASSWORDS,
        errors=(*_LOGIN, GuestWorkError),
    ),
    Operation(id="logOut", method="POST", path="/logout", auth=Auth.PUBLIC, tag="account", run=log_out),
    Operation(
        id="changePassword",
        method="POST",
        path="/password",
        auth=Auth.PORTAL,
        tag="account",
        run=change_password,
        lane=Lane.PASSWORDS,
        errors=(*_LOGIN, PasswordWeakError),
    ),
    Operation(
        id="confirmPassword",
        method="POST",
        path="/confirm",
        auth=Auth.PORTAL,
        tag="account",
        run=confirm_password,
        lane=Lane.PASSWORDS,
        errors=_LOGIN,
    ),
    Operation(
        id="checkLink",
        method="POST",
        path="/link/check",
        auth=Auth.PUBLIC,
        tag="account",
        run=check_link,
        errors=(TicketError,),
    ),
    Operation(
        id="redeemLink",
        method="POST",
        path="/link",
        auth=Auth.PUBLIC,
        tag="account",
        run=redeem_link,
        lane=Lane.PASSWORDS,
        errors=(TicketError, NameTakenError, PasswordWeakError, BadInputError),
    ),
)
