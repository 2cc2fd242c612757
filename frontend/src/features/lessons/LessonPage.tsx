/** One lesson: what it is, the way in, and its badge for other sites. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useParams } from 'react-router';

import type { Schemas } from '../../api/client.ts';
import { environmentsQuery, lessonsQuery } from '../../api/queries.ts';
import { ProblemError } from '../../core/problems.ts';
import { ButtonLink } from '../../ui/portal/Button.tsx';
import { Icon } from '../../ui/portal/icons.tsx';
import { levelWord } from '../../ui/portal/lessonFacts.ts';
import { Page, PageHead, Section } from '../../ui/portal/Page.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { Skeleton } from '../../ui/portal/Skeleton.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import { Badge } from './Badge.tsx';
import styles from './lessons.module.css';

export function LessonPage(): ReactElement {
  const { t, language } = useWords();
  const { lesson: id = '' } = useParams();
  const lessons = useQuery(lessonsQuery(language));
  const lesson = lessons.data?.find((one) => one.id === id);
  return (
    <Page tab={lesson?.title ?? t('lessons.title')} product={t('app.name')} narrow>
      <p className={styles.crumb}>
        <Link to="/lessons">← {t('home.lessons.all')}</Link>
      </p>
      {lesson ? (
        <Lesson lesson={lesson} />
      ) : lessons.error ? (
        <Problem error={lessons.error} onRetry={() => void lessons.refetch()} />
      ) : lessons.data ? (
        <Unknown />
      ) : (
        <div style={{ display: 'grid', gap: 12 }} role="status" aria-label={t('common.loading')}>
          <Skeleton width="50%" height={32} />
          <Skeleton width="75%" />
        </div>
      )}
    </Page>
  );
}

function Unknown(): ReactElement {
  const { t } = useWords();
  const unknown = new ProblemError({ title: '', status: 404, code: 'lesson.unknown' });
  return (
    <>
      <PageHead title={t('missing.title')} />
      <Problem error={unknown} />
    </>
  );
}

function Lesson({ lesson }: { lesson: Schemas['Lesson'] }): ReactElement {
  const { t, language } = useWords();
  const environments = useQuery(environmentsQuery(language));
  const environment = environments.data?.environments.find((one) => one.name === lesson.environment)?.title ?? lesson.environment;
  const specs = [
    [t('lesson.time'), t('lesson.minutes', { n: lesson.minutes })],
    [t('lesson.level'), levelWord(lesson.level, t)],
    [t('lesson.environment'), environment],
    [t('lesson.version'), lesson.version],
  ];
  return (
    <>
      <article>
        <PageHead title={lesson.title} />
        <p className={styles.lead} style={{ marginTop: -16 }}>
          {lesson.summary}
        </p>
        <dl className={styles.specs}>
          {specs.map(([term, text]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.open}>
          <ButtonLink outside kind="primary" size="large" to={`/open/${lesson.id}?lang=${language}`}>
            {t('lesson.open')}
            <Icon name="arrow" />
          </ButtonLink>
          <p className={styles.note}>{lesson.project ? t('lesson.open.again') : t('lesson.open.note')}</p>
        </div>
      </article>
      <Section id="badge" title={t('lesson.badge.title')}>
        <Badge openUrl={lesson.open_url} badgeUrl={lesson.badge_url} />
      </Section>
    </>
  );
}
