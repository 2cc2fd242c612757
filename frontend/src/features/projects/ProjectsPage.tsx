/** My projects: open, make, rename, delete. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useSearchParams } from 'react-router';

import type { Schemas } from '../../api/client.ts';
import { enterProject, go } from '../../api/enter.ts';
import { meQuery, projectsQuery } from '../../api/queries.ts';
import { AntdRoot } from '../../ui/portal/antd/AntdRoot.tsx';
import { Button } from '../../ui/portal/Button.tsx';
import { Icon } from '../../ui/portal/icons.tsx';
import { LoginFirst } from '../../ui/portal/LoginFirst.tsx';
import { Empty, Page, PageHead } from '../../ui/portal/Page.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import { DeleteProject } from './DeleteProject.tsx';
import { NewProject } from './NewProject.tsx';
import { Filter, matching } from './Filter.tsx';
import { ProjectTable } from './ProjectTable.tsx';
import { RenameProject } from './RenameProject.tsx';

type Project = Schemas['Project'];

/** From here on a list is searched rather than read. */
const MANY = 9;

export function ProjectsPage(): ReactElement {
  const { t } = useWords();
  const me = useQuery(meQuery);
  const [search, setSearch] = useSearchParams();
  const user = me.data?.user ?? null;
  const setNew = (open: boolean): void => setSearch(open ? { new: '' } : {}, { replace: true });
  return (
    <AntdRoot>
      <Page tab={t('projects.title')} product={t('app.name')}>
        <PageHead
          title={t('projects.title')}
          sub={t('projects.sub')}
          action={
            user && (
              <Button kind="primary" onClick={() => setNew(true)}>
                <Icon name="plus" />
                {t('projects.new')}
              </Button>
            )
          }
        />
        <LoginFirst known={me.isFetched} loggedIn={user !== null} error={me.error} onRetry={() => void me.refetch()}>
          <List onNew={() => setNew(true)} />
          {search.has('new') && <NewProject onClose={() => setNew(false)} />}
        </LoginFirst>
      </Page>
    </AntdRoot>
  );
}

function List({ onNew }: { onNew: () => void }): ReactElement {
  const { t } = useWords();
  const projects = useQuery(projectsQuery);
  const [filter, setFilter] = useState('');
  const [renamed, setRenamed] = useState<Project | null>(null);
  const [deleted, setDeleted] = useState<Project | null>(null);
  const enter = useMutation({ mutationFn: (project: Project) => enterProject(project.id), onSuccess: (opened) => go(opened.enter) });

  if (projects.error && !projects.data) return <Problem error={projects.error} onRetry={() => void projects.refetch()} />;
  if (projects.data?.length === 0) {
    return (
      <Empty>
        <p>{t('empty.projects')}</p>
        <Button onClick={onNew}>{t('empty.projects.new')}</Button>
      </Empty>
    );
  }
  const shown = projects.data && matching(projects.data, filter);
  const opening = enter.isPending || enter.isSuccess ? enter.variables.id : null;
  return (
    <div style={{ display: 'grid', gap: 16 }}>
      {enter.error && <Problem error={enter.error} />}
      {projects.data && projects.data.length >= MANY && <Filter value={filter} count={projects.data.length} onChange={setFilter} />}
      {shown?.length === 0 ? (
        <Empty>
          <p>{t('projects.filter.none', { text: filter.trim() })}</p>
        </Empty>
      ) : (
        <ProjectTable projects={shown} opening={opening} onOpen={(project) => enter.mutate(project)} onRename={setRenamed} onDelete={setDeleted} />
      )}
      {renamed && <RenameProject project={renamed} onClose={() => setRenamed(null)} />}
      {deleted && <DeleteProject project={deleted} onClose={() => setDeleted(null)} />}
    </div>
  );
}
