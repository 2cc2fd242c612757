"""Operations of administrators: the accounts, and closing one."""

from jiqi.domain.accounts import LastAdminError, PasswordStaleError, User
from jiqi.domain.errors import ForbiddenError, NotFoundError
from jiqi.domain.ids import UserId
from jiqi.web import schemas_accounts as schemas
from jiqi.web.call import Auth, Call, Operation


def list_users(call: Call) -> schemas.AdminUserList:
    """List the accounts, last seen first."""
    return schemas.AdminUserList(users=[_user(user) for user in call.services.people.list()])


def change_user(call: Call, body: schemas.AdminUserChange) -> schemas.AdminUser:
    """Disable or enable an account: its pages close within five seconds, its files stay."""
    user = call.services.people.set_disabled(
        UserId(call.path["user"]), disabled=body.disabled, by=call.who.user
    )
    return _user(user)


def _user(user: User) -> schemas.AdminUser:
    return schemas.AdminUser(
        id=user.id,
        name=user.name,
        role=user.role.value,
        disabled=user.disabled,
        created=user.created,
        last_seen=user.last_seen,
    )


ADMIN = (
    Operation(
        id="listUsers",
        method="GET",
        path="/admin/users",
        auth=Auth.ADMIN,
        tag="admin",
        run=list_users,
        errors=(ForbiddenError,),
    ),
    Operation(
        id="changeUser",
        method="PATCH",
        path="/admin/users/{user}",
        auth=Auth.ADMIN_FRESH,
        tag="admin",
        run=change_user,
        errors=(ForbiddenError, PasswordStaleError, LastAdminError, NotFoundError),
    ),
)
