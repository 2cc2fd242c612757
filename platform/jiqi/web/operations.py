"""The one table of the portal API: handlers, docs/openapi.json and the frontend's types come from it."""

from jiqi.web.call import Operation
from jiqi.web.operations_accounts import ACCOUNTS
from jiqi.web.operations_admin import ADMIN
from jiqi.web.operations_kernels import KERNELS
from jiqi.web.operations_keys import KEYS
from jiqi.web.operations_work import WORK

PREFIX = "/api/v1"
OPERATIONS: tuple[Operation, ...] = (*ACCOUNTS, *KEYS, *WORK, *KERNELS, *ADMIN)
