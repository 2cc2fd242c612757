/** Every lesson, in the order in which they are meant. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'react-router';

import { lessonsQuery } from '../../api/queries.ts';
import { ButtonLink } from '../../ui/portal/Button.tsx';
import { lessonFacts } from '../../ui/portal/lessonFacts.ts';
import { Empty, Page, PageHead } from '../../ui/portal/Page.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { Skeleton } from '../../ui/portal/Skeleton.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './lessons.module.css';

export function LessonList(): ReactElement {
  const { t } = useWords();
  return (
    <Page tab={t('lessons.title')} product={t('app.name')} narrow>
      <PageHead title={t('lessons.title')} sub={t('lessons.sub')} />
      <Rows />
    </Page>
  );
}

function Rows(): ReactElement {
  const { t, language } = useWords();
  const lessons = useQuery(lessonsQuery(language));
  if (lessons.error) return <Problem error={lessons.error} onRetry={() => void lessons.refetch()} />;
  if (!lessons.data) return <Loading />;
  if (lessons.data.length === 0) {
    return (
      <Empty>
        <p>{t('empty.lessons')}</p>
      </Empty>
    );
  }
  return (
    <ol className={styles.rows}>
      {lessons.data.map((lesson, index) => (
        <li key={lesson.id} className={styles.row}>
          <span className={styles.number} aria-hidden="true">
            {String(index + 1).padStart(2, '0')}
          </span>
          <div>
            <h2 className={styles.name}>
              <Link to={`/lessons/${lesson.id}`}>{lesson.title}</Link>
            </h2>
            <p className={styles.summary}>{lesson.summary}</p>
            <ul className={styles.facts}>
              {lessonFacts(lesson, t).map((fact) => (
                <li key={fact}>{fact}</li>
              ))}
            </ul>
          </div>
          <span className={styles.action}>
            <ButtonLink outside to={`/open/${lesson.id}?lang=${language}`} label={t('lesson.open.label', { title: lesson.title })}>
              {t('lesson.open.short')}
            </ButtonLink>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Loading(): ReactElement {
  const { t } = useWords();
  return (
    <div className={styles.rows} role="status" aria-label={t('common.loading')}>
      {[58, 44, 51].map((width) => (
        <div key={width} className={styles.row}>
          <Skeleton width={24} />
          <div style={{ display: 'grid', gap: 8 }}>
            <Skeleton width={`${width}%`} height={20} />
            <Skeleton width="80%" />
          </div>
        </div>
      ))}
    </div>
  );
}
