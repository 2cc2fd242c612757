/** Home for somebody who was here before: where he stopped, his projects, the lessons. */
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';

import type { Schemas } from '../../api/client.ts';
import { enterProject, go } from '../../api/enter.ts';
import { projectsQuery } from '../../api/queries.ts';
import { ago } from '../../core/portal/moments.ts';
import { Button, ButtonLink } from '../../ui/portal/Button.tsx';
import { environmentWord } from '../../ui/portal/lessonFacts.ts';
import { Notice } from '../../ui/portal/Notice.tsx';
import { Empty, Section } from '../../ui/portal/Page.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { Skeleton } from '../../ui/portal/Skeleton.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './desk.module.css';
import { LessonCards } from './LessonCards.tsx';

const SHOWN = 5;

type Project = Schemas['Project'];

export function Desk({ user }: { user: Schemas['Person'] }): ReactElement {
  const { t } = useWords();
  const projects = useQuery(projectsQuery);
  const enter = useMutation({ mutationFn: (project: Project) => enterProject(project.id), onSuccess: (opened) => go(opened.enter) });
  const guest = user.role === 'guest';
  const last = projects.data?.[0];
  const opening = (project: Project): boolean => (enter.isPending || enter.isSuccess) && enter.variables.id === project.id;

  return (
    <div className={styles.desk}>
      <h1 className={styles.hello}>{guest ? t('home.hello.guest') : t('home.hello', { name: user.name })}</h1>
      {guest && (
        <div className={styles.banner}>
          <Notice
            tone="info"
            action={
              <ButtonLink to="/register" size="small" kind="primary">
                {t('home.guest.keep')}
              </ButtonLink>
            }
          >
            <p>{t('home.guest.banner')}</p>
          </Notice>
        </div>
      )}
      {last && <Continue project={last} busy={opening(last)} onOpen={() => enter.mutate(last)} />}
      {enter.error && (
        <div className={styles.problem}>
          <Problem error={enter.error} />
        </div>
      )}
      <Section id="projects" title={t('home.projects')} more={last && { to: '/projects', label: t('home.projects.all') }}>
        {projects.error ? (
          <Problem error={projects.error} onRetry={() => void projects.refetch()} />
        ) : (
          <Rows projects={projects.data} opening={opening} onOpen={(project) => enter.mutate(project)} />
        )}
      </Section>
      <Section id="lessons" title={t('home.lessons')} more={{ to: '/lessons', label: t('home.lessons.all') }}>
        <LessonCards />
      </Section>
    </div>
  );
}

export function DeskLoading(): ReactElement {
  const { t } = useWords();
  return (
    <div className={styles.desk} role="status" aria-label={t('common.loading')}>
      <div className={styles.hello}>
        <Skeleton width={180} height={36} />
      </div>
      <Skeleton height={116} />
    </div>
  );
}

function Continue({ project, busy, onOpen }: { project: Project; busy: boolean; onOpen: () => void }): ReactElement {
  const { t, language } = useWords();
  const file = project.path.replace(`${project.folder}/`, '');
  return (
    <section className={styles.continue} aria-labelledby="continue">
      <div className={styles.what}>
        <p className={styles.kicker}>{t('home.continue')}</p>
        <h2 id="continue">{project.name}</h2>
        <p className={styles.where}>
          {file && `${file} · `}
          {t('home.opened', { when: ago(project.last_opened, language, new Date()) })}
        </p>
      </div>
      <Button kind="primary" size="large" busy={busy} onClick={onOpen}>
        {busy ? t('projects.opening') : t('home.continue.open')}
      </Button>
    </section>
  );
}

interface RowsProps {
  projects: Project[] | undefined;
  opening: (project: Project) => boolean;
  onOpen: (project: Project) => void;
}

function Rows({ projects, opening, onOpen }: RowsProps): ReactElement {
  const { t, language } = useWords();
  if (!projects) {
    return (
      <div className={styles.rows} role="status" aria-label={t('common.loading')}>
        {[52, 38, 45].map((width) => (
          <div key={width} className={styles.row}>
            <Skeleton width={`${width}%`} />
          </div>
        ))}
      </div>
    );
  }
  if (projects.length === 0) {
    return (
      <Empty>
        <p>{t('empty.projects')}</p>
        <ButtonLink to="/projects?new">{t('empty.projects.new')}</ButtonLink>
      </Empty>
    );
  }
  return (
    <ul className={styles.rows}>
      {projects.slice(0, SHOWN).map((project) => (
        <li key={project.id} className={styles.row}>
          <span className={styles.name} title={project.name}>
            {project.name}
          </span>
          <span className={styles.meta}>{environmentWord(project.environment, t)}</span>
          <span className={styles.meta}>{ago(project.last_opened, language, new Date())}</span>
          <span className={styles.open}>
            <Button size="small" busy={opening(project)} onClick={() => onOpen(project)} aria-label={`${t('projects.open')}: ${project.name}`}>
              {opening(project) ? t('projects.opening') : t('projects.open')}
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}
