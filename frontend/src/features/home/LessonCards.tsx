/** The lessons on the home page, with their loading, empty and broken states. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';

import { lessonsQuery } from '../../api/queries.ts';
import { lessonFacts } from '../../ui/portal/lessonFacts.ts';
import { ButtonLink } from '../../ui/portal/Button.tsx';
import { CardGrid, LessonCard, LessonCardSkeleton } from '../../ui/portal/LessonCard.tsx';
import { Empty } from '../../ui/portal/Page.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { useWords } from '../../ui/portal/Words.tsx';

/** Home shows the first few; the list has all. */
const SHOWN = 6;

export function LessonCards(): ReactElement {
  const { t, language } = useWords();
  const lessons = useQuery(lessonsQuery(language));
  if (lessons.error) return <Problem error={lessons.error} onRetry={() => void lessons.refetch()} />;
  if (!lessons.data) return <CardGrid>{[0, 1].map((index) => <LessonCardSkeleton key={index} />)}</CardGrid>;
  if (lessons.data.length === 0) {
    return (
      <Empty>
        <p>{t('empty.lessons')}</p>
      </Empty>
    );
  }
  return (
    <CardGrid>
      {lessons.data.slice(0, SHOWN).map((lesson, index) => (
        <LessonCard
          key={lesson.id}
          to={`/lessons/${lesson.id}`}
          number={index + 1}
          title={lesson.title}
          summary={lesson.summary}
          facts={lessonFacts(lesson, t)}
          action={
            <ButtonLink outside size="small" to={`/open/${lesson.id}?lang=${language}`} label={t('lesson.open.label', { title: lesson.title })}>
              {t('lesson.open.short')}
            </ButtonLink>
          }
        />
      ))}
    </CardGrid>
  );
}
