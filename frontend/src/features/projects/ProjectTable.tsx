/** The projects as a table: what each is, where it runs, when it was last open, what can be done with it. */
import { Dropdown } from 'antd';
import type { ReactElement } from 'react';

import type { Schemas } from '../../api/client.ts';
import { ago, moment } from '../../core/portal/moments.ts';
import { Button } from '../../ui/portal/Button.tsx';
import { Icon } from '../../ui/portal/icons.tsx';
import { environmentWord } from '../../ui/portal/lessonFacts.ts';
import { actions, muted, small, Table } from '../../ui/portal/Table.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './projects.module.css';

type Project = Schemas['Project'];

interface ProjectTableProps {
  projects: Project[] | undefined;
  opening: string | null;
  onOpen: (project: Project) => void;
  onRename: (project: Project) => void;
  onDelete: (project: Project) => void;
}

export function ProjectTable({ projects, opening, onOpen, onRename, onDelete }: ProjectTableProps): ReactElement {
  const { t, language } = useWords();
  const now = new Date();
  return (
    <Table
      label={t('projects.title')}
      loading={t('common.loading')}
      rows={projects}
      rowKey={(project) => project.id}
      columns={[
        { key: 'name', title: t('projects.name'), head: true, cell: (project) => <Name project={project} /> },
        {
          key: 'environment',
          title: t('projects.environment'),
          width: '200px',
          cell: (project) => <span className={muted}>{environmentWord(project.environment, t)}</span>,
        },
        {
          key: 'opened',
          title: t('projects.opened'),
          width: '150px',
          cell: (project) => (
            <time className={muted} dateTime={project.last_opened} title={moment(project.last_opened, language)}>
              {ago(project.last_opened, language, now)}
            </time>
          ),
        },
        {
          key: 'actions',
          title: t('projects.actions'),
          width: '170px',
          actions: true,
          cell: (project) => (
            <span className={actions}>
              <Button size="small" busy={opening === project.id} onClick={() => onOpen(project)} aria-label={`${t('projects.open')}: ${project.name}`}>
                {opening === project.id ? t('projects.opening') : t('projects.open')}
              </Button>
              <More project={project} onRename={onRename} onDelete={onDelete} />
            </span>
          ),
        },
      ]}
    />
  );
}

function Name({ project }: { project: Project }): ReactElement {
  const { t } = useWords();
  // The folder is named after the project until one of them is renamed.
  const facts = [project.folder !== project.name && project.folder, project.lesson && t('projects.lesson')].filter(Boolean);
  return (
    <>
      <span className={styles.name} title={project.name}>
        {project.name}
        {project.kernels > 0 && <span className={styles.running}>{t('projects.running')}</span>}
      </span>
      {facts.length > 0 && <span className={small}>{facts.join(' · ')}</span>}
    </>
  );
}

type MoreProps = Pick<ProjectTableProps, 'onRename' | 'onDelete'> & { project: Project };

function More({ project, onRename, onDelete }: MoreProps): ReactElement {
  const { t } = useWords();
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: [
          { key: 'rename', label: t('projects.rename') },
          { type: 'divider' },
          { key: 'delete', label: t('projects.delete'), danger: true },
        ],
        onClick: ({ key }) => (key === 'rename' ? onRename(project) : onDelete(project)),
      }}
    >
      <Button size="small" kind="ghost" aria-haspopup="menu" aria-label={t('projects.more', { name: project.name })}>
        <Icon name="more" />
      </Button>
    </Dropdown>
  );
}
