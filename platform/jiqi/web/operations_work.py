"""Operations on work: lessons, projects, opening and entering, environments, disk."""

import posixpath

from jiqi.domain.errors import BadInputError, JiqiError, NotFoundError
from jiqi.domain.files import DiskQuotaError, FileError
from jiqi.domain.ids import LessonId, ProjectId
from jiqi.domain.kernels import EnvironmentUnknownError, Network
from jiqi.domain.limits import LIMITS
from jiqi.domain.projects import Project, ProjectLimitError
from jiqi.domain.tutorials import Lesson, LessonUnknownError
from jiqi.services.projects import ProjectView
from jiqi.web import schemas_work as schemas
from jiqi.web.call import Auth, Call, Operation
from jiqi.web.operations_kernels import kernel_json
from jiqi.web.problems import problem
from jiqi.web.site import studio_path


def list_lessons(call: Call) -> schemas.LessonList:
    """List the lessons in my language."""
    mine = _copies(call)
    return schemas.LessonList(lessons=[_lesson(call, found, mine) for found in call.services.lessons.all()])


def get_lesson(call: Call) -> schemas.Lesson:
    """Return one lesson in my language."""
    return _lesson(call, call.services.lessons.get(LessonId(call.path["lesson"])), _copies(call))


def open_lesson(call: Call, body: schemas.OpenRequest) -> schemas.Opened:
    """Open a lesson: makes guest, copy and kernel where they are missing, and returns the way in.

    Ten calls make one copy and one kernel. A kernel that cannot start does not close the page.
    """
    lesson = call.services.lessons.get(LessonId(body.lesson))
    language = body.lang or call.language
    if call.principal is None:
        login = call.services.accounts.guest(language=language, agent=call.agent)
        call.principal = login.principal
        assert login.secret is not None  # noqa: S101  (a new guest always gets one)
        call.log_in(login.secret, expires=login.session.expires)
    elif call.session_secret is not None and (renewed := call.services.accounts.renew(call.principal)):
        call.log_in(call.session_secret, expires=renewed.expires)
    view = call.services.projects.open_lesson(call.who.user, lesson, language=language)
    return _enter(call, view)


def enter(call: Call, body: schemas.EnterRequest) -> schemas.Opened:
    """Go to a file of a project in the studio, or to JupyterLab, with a one-time ticket."""
    if body.project is None:
        ticket = call.services.entering.ticket(call.who)
        return schemas.Opened(
            enter=schemas.Enter(
                action=f"{call.services.site.notebook_url}/enter", ticket=ticket, next="/lab"
            ),
            project=None,
            kernel=None,
            problem=None,
        )
    view = call.services.projects.visit(call.who.user, ProjectId(body.project), path=body.path)
    return _enter(call, view)


def list_projects(call: Call) -> schemas.ProjectList:
    """List my projects, last opened first."""
    return schemas.ProjectList(
        projects=[project_json(view) for view in call.services.projects.list(call.who.user)]
    )


def create_project(call: Call, body: schemas.ProjectRequest) -> schemas.Project:
    """Make a project with an empty notebook."""
    return project_json(
        call.services.projects.create(
            call.who.user, name=body.name, environment=body.environment, key=body.key, language=call.language
        )
    )


def get_project(call: Call) -> schemas.ProjectDetail:
    """Return a project of mine and what deleting it would lose."""
    view, contents = call.services.projects.detail(call.who.user, ProjectId(call.path["project"]))
    return schemas.ProjectDetail(
        project=project_json(view),
        contents=schemas.ProjectContents(
            files=contents.files, bytes=contents.bytes, kernels=contents.kernels
        ),
    )


def rename_project(call: Call, body: schemas.ProjectChange) -> schemas.Project:
    """Rename a project; its folder stays where it is."""
    return project_json(
        call.services.projects.rename(call.who.user, ProjectId(call.path["project"]), name=body.name)
    )


def delete_project(call: Call) -> schemas.ProjectContents:
    """Delete a project with its files and stop its kernels; the answer says what was lost."""
    lost = call.services.projects.delete(call.who.user, ProjectId(call.path["project"]))
    return schemas.ProjectContents(files=lost.files, bytes=lost.bytes, kernels=lost.kernels)


def list_environments(call: Call) -> schemas.EnvironmentList:
    """List the environments that the hosts report, with the network that I get there."""
    state = call.services.hosts.state()
    role = call.principal.user.role if call.principal is not None else None
    network = Network.EGRESS if role is not None and LIMITS[role].egress else Network.NONE
    listed = [
        schemas.Environment(
            name=found.environment.name,
            title=found.environment.display.get(
                "en" if call.language == "en" else "zh", found.environment.name
            ),
            framework=found.environment.framework,
            accelerator=found.environment.accelerator,
            memory_mb=found.environment.memory_mb,
            cpus=found.environment.cpus,
            network=network.value,
            isolated=found.isolated,
            available=found.available,
        )
        for found in state.environments
    ]
    return schemas.EnvironmentList(environments=listed, problem=state.problem)


def get_disk(call: Call) -> schemas.Disk:
    """Return how much of my disk is used."""
    usage = call.services.disk.usage(call.who.user)
    return schemas.Disk(used=usage.used, limit=usage.limit, complete=usage.complete)


def project_json(view: ProjectView) -> schemas.Project:
    """Return the wire form of a project."""
    project: Project = view.project
    return schemas.Project(
        id=project.id,
        name=project.name,
        folder=project.folder,
        environment=project.environment,
        lesson=project.lesson,
        path=view.path,
        kernels=view.kernels,
        created=project.created,
        last_opened=project.last_opened,
    )


def _enter(call: Call, view: ProjectView) -> schemas.Opened:
    kernel, why = None, None
    try:
        found = call.services.projects.request_kernel(call.who.user, view)
        kernel = kernel_json(call, found) if found is not None else None
    except JiqiError as error:
        # No room, no host: the person reads and writes meanwhile, and the page says why.
        why = problem(error, language=call.language, request_id=call.request_id)
    ticket = call.services.entering.ticket(call.who)
    return schemas.Opened(
        enter=schemas.Enter(
            action=f"{call.services.site.notebook_url}/enter",
            ticket=ticket,
            next=studio_path(view.project.id, view.path or view.project.folder),
        ),
        project=project_json(view),
        kernel=kernel,
        problem=why,
    )


def _copies(call: Call) -> dict[str, str]:
    if call.principal is None:
        return {}
    views = call.services.projects.list(call.principal.user)
    return {view.project.lesson: view.project.id for view in views if view.project.lesson is not None}


def _lesson(call: Call, lesson: Lesson, mine: dict[str, str]) -> schemas.Lesson:
    site = call.services.site
    return schemas.Lesson(
        id=lesson.id,
        path=posixpath.basename(lesson.path),
        version=lesson.version,
        title=lesson.text(lesson.title, language=call.language),
        summary=lesson.text(lesson.summary, language=call.language),
        minutes=lesson.minutes,
        level=lesson.level,
        environment=lesson.environment,
        open_url=site.open_url(lesson.id),
        badge_url=site.badge_url(lesson.id),
        project=mine.get(lesson.id),
    )


WORK = (
    Operation(
        id="listLessons", method="GET", path="/lessons", auth=Auth.PUBLIC, tag="lessons", run=list_lessons
    ),
    Operation(
        id="getLesson",
        method="GET",
        path="/lessons/{lesson}",
        auth=Auth.PUBLIC,
        tag="lessons",
        run=get_lesson,
        errors=(LessonUnknownError,),
    ),
    Operation(
        id="openLesson",
        method="POST",
        path="/open",
        auth=Auth.PUBLIC,
        tag="lessons",
        run=open_lesson,
        errors=(LessonUnknownError, DiskQuotaError, FileError, ProjectLimitError),
    ),
    Operation(
        id="enter",
        method="POST",
        path="/enter",
        auth=Auth.PORTAL,
        tag="projects",
        run=enter,
        errors=(NotFoundError, FileError),
    ),
    Operation(
        id="listProjects", method="GET", path="/projects", auth=Auth.WORK, tag="projects", run=list_projects
    ),
    Operation(
        id="createProject",
        method="POST",
        path="/projects",
        auth=Auth.WORK,
        tag="projects",
        run=create_project,
        status=201,
        errors=(BadInputError, EnvironmentUnknownError, DiskQuotaError, FileError, ProjectLimitError),
    ),
    Operation(
        id="getProject",
        method="GET",
        path="/projects/{project}",
        auth=Auth.WORK,
        tag="projects",
        run=get_project,
        errors=(NotFoundError,),
    ),
    Operation(
        id="renameProject",
        method="PATCH",
        path="/projects/{project}",
        auth=Auth.WORK,
        tag="projects",
        run=rename_project,
        errors=(NotFoundError, BadInputError),
    ),
    Operation(
        id="deleteProject",
        method="DELETE",
        path="/projects/{project}",
        auth=Auth.WORK,
        tag="projects",
        run=delete_project,
        errors=(NotFoundError, FileError),
    ),
    Operation(
        id="listEnvironments",
        method="GET",
        path="/environments",
        auth=Auth.PUBLIC,
        tag="kernels",
        run=list_environments,
    ),
    Operation(id="getDisk", method="GET", path="/disk", auth=Auth.WORK, tag="projects", run=get_disk),
)
