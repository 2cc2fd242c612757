"""Bringing a guest's projects into the account that he logs in to: copies, so that nothing can be lost."""

from dataclasses import replace

from jiqi.domain.accounts import Role, User
from jiqi.domain.files import FileMissingError
from jiqi.domain.ids import ProjectId, random_id
from jiqi.domain.projects import Project, free_folder
from jiqi.services.disk import Disk
from jiqi.services.ports import Clock, Database, Transaction
from jiqi.services.ports_homes import Homes


class Bringing:
    """Copies projects between two homes; the guest's own stay until the guest expires."""

    def __init__(self, *, database: Database, homes: Homes, disk: Disk, clock: Clock) -> None:
        self._database = database
        self._homes = homes
        self._disk = disk
        self._clock = clock

    def bring(self, guest: User, member: User) -> int:
        """Copy the guest's projects to the member and return how many. Raises DiskQuotaError, FileError.

        A lesson that both have is kept twice: the member's goes on, the guest's comes as a plain project.
        """
        if guest.role is not Role.GUEST or guest.id == member.id:
            return 0
        self._disk.require(member, size=self._disk.usage(guest).used)
        files = self._homes.made(member.id)
        count = 0
        for project in self._database.read(lambda tx: tx.projects.of_user(guest.id)):
            present = frozenset(entry.name for entry in files.entries("").entries)
            copy = self._database.write(lambda tx, p=project, there=present: self._row(tx, p, member, there))  # type: ignore[misc]
            try:
                files.import_folder(self._homes.folder(guest.id) / project.folder, copy.folder)
            except FileMissingError:
                self._database.write(lambda tx, gone=copy.id: tx.projects.delete(gone))  # type: ignore[misc]
                continue
            count += 1
        self._disk.forget(member.id)
        return count

    def _row(self, tx: Transaction, project: Project, member: User, present: frozenset[str]) -> Project:
        has_lesson = (
            project.lesson is not None and tx.projects.of_lesson(member.id, project.lesson) is not None
        )
        taken = present | {mine.folder for mine in tx.projects.of_user(member.id)}
        copy = replace(
            project,
            id=ProjectId(random_id()),
            user_id=member.id,
            folder=free_folder(project.folder, taken=taken),
            lesson=None if has_lesson else project.lesson,
            last_opened=self._clock(),
        )
        tx.projects.add(copy)
        return copy
