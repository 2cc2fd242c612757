"""Operations on kernels: start, look, interrupt, restart, stop."""

from jiqi.domain.errors import NotFoundError
from jiqi.domain.files import FileError
from jiqi.domain.ids import KernelId, ProjectId, is_kernel_id
from jiqi.domain.kernels import (
    EnvironmentUnknownError,
    HostDownError,
    HostFullError,
    Kernel,
    KernelGoneError,
    KernelLimitError,
)
from jiqi.domain.limits import LIMITS
from jiqi.web import schemas_work as schemas
from jiqi.web.call import Auth, Call, Operation
from jiqi.web.messages import reason_text


def list_kernels(call: Call) -> schemas.KernelList:
    """List my live kernels."""
    user = call.who.user
    listed = [kernel_json(call, kernel) for kernel in call.services.kernels.live(user.id)]
    return schemas.KernelList(kernels=listed, limit=LIMITS[user.role].kernels)


def start_kernel(call: Call, body: schemas.KernelRequest) -> schemas.Kernel:
    """Start the kernel of a file, or return the one that runs; three calls at once start one."""
    kernel = call.services.projects.start_kernel(
        call.who.user,
        ProjectId(body.project),
        path=body.path,
        environment=body.environment,
        safe=body.safe,
    )
    return kernel_json(call, kernel)


def get_kernel(call: Call) -> schemas.Kernel:
    """Return a kernel of mine, ended ones too."""
    return kernel_json(call, call.services.kernels.get(call.who.user.id, _id(call)))


def interrupt_kernel(call: Call) -> schemas.Kernel:
    """Ask for an interrupt of what runs."""
    return kernel_json(call, call.services.kernels.interrupt(call.who.user.id, _id(call)))


def restart_kernel(call: Call) -> schemas.Kernel:
    """Ask for a new process: variables go, files and outputs stay."""
    return kernel_json(call, call.services.kernels.restart(call.who.user.id, _id(call)))


def stop_kernel(call: Call) -> schemas.Kernel:
    """Ask for the end: variables go, files and outputs stay."""
    return kernel_json(call, call.services.kernels.stop(call.who.user.id, _id(call)))


def kernel_json(call: Call, kernel: Kernel) -> schemas.Kernel:
    """Return the wire form of a kernel, its reason in the reader's language."""
    return schemas.Kernel(
        id=kernel.id,
        status=kernel.status.value,
        reason=kernel.reason.value if kernel.reason is not None else None,
        message=reason_text(kernel.reason, kernel.reason_params, language=call.language),
        generation=kernel.generation,
        network=kernel.network.value,
        environment=kernel.environment,
        project=kernel.project_id,
        path=kernel.document,
        safe=kernel.safe,
        cold=kernel.cold,
        shadowed=list(kernel.shadowed),
        created=kernel.created,
        changed=kernel.changed,
    )


def _id(call: Call) -> KernelId:
    if not is_kernel_id(call.path["kernel"]):
        raise NotFoundError
    return KernelId(call.path["kernel"])


def _ask(name: str, verb: str, run: object) -> Operation:
    return Operation(
        id=name,
        method="POST",
        path=f"/kernels/{{kernel}}/{verb}",
        auth=Auth.WORK,
        tag="kernels",
        run=run,  # type: ignore[arg-type]
        errors=(NotFoundError, KernelGoneError),
    )


KERNELS = (
    Operation(
        id="listKernels", method="GET", path="/kernels", auth=Auth.WORK, tag="kernels", run=list_kernels
    ),
    Operation(
        id="startKernel",
        method="POST",
        path="/kernels",
        auth=Auth.WORK,
        tag="kernels",
        run=start_kernel,
        errors=(
            NotFoundError,
            FileError,
            EnvironmentUnknownError,
            KernelLimitError,
            HostFullError,
            HostDownError,
        ),
    ),
    Operation(
        id="getKernel",
        method="GET",
        path="/kernels/{kernel}",
        auth=Auth.WORK,
        tag="kernels",
        run=get_kernel,
        errors=(NotFoundError,),
    ),
    _ask("interruptKernel", "interrupt", interrupt_kernel),
    _ask("restartKernel", "restart", restart_kernel),
    _ask("stopKernel", "stop", stop_kernel),
)
