"""The provisioner of a kernel that somebody else owns: it says "running" from memory and touches nothing.

It is built here and not by jupyter_client's factory, a singleton that would pin the first user's manager.
"""

from typing import Any

from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase


class FollowedProvisioner(KernelProvisionerBase):
    """Launch, kill, terminate and signal never reach the kernel: only its host's agent may."""

    @property
    def has_process(self) -> bool:
        """There is a process, on its host."""
        return True

    async def poll(self) -> int | None:
        """Running, as far as this web process was told."""
        return None

    async def wait(self) -> int | None:
        """Nothing to wait for."""
        return None

    async def send_signal(self, signum: int) -> None:
        """Interrupts go through SQL."""

    async def kill(self, restart: bool = False) -> None:  # noqa: FBT001, FBT002  (the base class's signature)
        """Stops go through SQL."""

    async def terminate(self, restart: bool = False) -> None:  # noqa: FBT001, FBT002
        """Stops go through SQL."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Starts go through SQL."""
        raise NotImplementedError

    async def cleanup(self, restart: bool = False) -> None:  # noqa: FBT001, FBT002
        """Nothing is held."""

    def resolve_path(self, path: str) -> str | None:
        """Paths of a kernel are not this process's business."""
        del path
        return None
