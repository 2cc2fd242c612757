"""The kernel images that this installation knows: kernels/images/<name>/image.toml."""

import tomllib
from pathlib import Path

import msgspec
import structlog

from jiqi.domain.kernels import Environment

log = structlog.get_logger()
TAG = "jiqi/{name}:{version}"


class ImageFile(msgspec.Struct, frozen=True, kw_only=True):
    """What an image.toml says; sizes in MiB. One without a framework is a layer, not an environment."""

    name: str
    version: str
    framework: str = ""
    preload: tuple[str, ...] = ()
    accelerator: str = "cpu"
    display: dict[str, str] = {}
    language: str = "python"
    memory_mb: int = 2048
    shm_mb: int = 64
    cpus: float = 1.0

    @property
    def tag(self) -> str:
        """The image's name in Docker."""
        return TAG.format(name=self.name, version=self.version)

    def environment(self, *, digest: str, preload: tuple[str, ...] | None = None) -> Environment:
        """Return the environment that an image of this digest gives."""
        return Environment(
            name=self.name,
            version=self.version,
            digest=digest,
            framework=self.framework,
            accelerator=self.accelerator,
            display=self.display,
            memory_mb=self.memory_mb,
            shm_mb=self.shm_mb,
            cpus=self.cpus,
            preload=self.preload if preload is None else preload,
        )


def image_files(folder: Path) -> list[ImageFile]:
    """Return the described environments by name; a file that cannot be read is reported and left out."""
    found = []
    for path in sorted(folder.glob("*/image.toml")):
        try:
            image = msgspec.convert(tomllib.loads(path.read_text()), ImageFile, strict=False)
        except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            log.error("image_file_unreadable", path=str(path), error=str(error))  # noqa: TRY400  (one line)
            continue
        if image.framework:
            found.append(image)
    return found
