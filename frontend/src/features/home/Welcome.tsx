/** Home for a newcomer: one sentence, one button, the lessons, and three facts. */
import type { ReactElement } from 'react';

import { ButtonLink } from '../../ui/portal/Button.tsx';
import { Icon } from '../../ui/portal/icons.tsx';
import { Section } from '../../ui/portal/Page.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './home.module.css';
import { LessonCards } from './LessonCards.tsx';
import { NotebookFigure } from './NotebookFigure.tsx';

const FIRST_LESSON = 'first-minute';
const FACTS = ['loaded', 'later', 'tools'] as const;

export function Welcome(): ReactElement {
  const { t, language } = useWords();
  return (
    <>
      <section className={styles.hero} aria-labelledby="headline">
        <div className={styles.paper} aria-hidden="true" />
        <div className={styles.columns}>
          <div>
            <h1 id="headline" className={styles.title}>
              {t('home.title')}
            </h1>
            <p className={styles.sub}>
              {t('home.sub')
                .split(/(?<=：|: )/)
                .map((part) => (
                  <span key={part}>{part}</span>
                ))}
            </p>
            <div className={styles.actions}>
              <ButtonLink outside to={`/open/${FIRST_LESSON}?lang=${language}`} kind="primary" size="large">
                {t('home.start')}
                <Icon name="arrow" />
              </ButtonLink>
            </div>
            <p className={styles.note}>{t('home.start.note')}</p>
          </div>
          <NotebookFigure />
        </div>
      </section>
      <div className={styles.body}>
        <Section id="lessons" title={t('home.lessons')} more={{ to: '/lessons', label: t('home.lessons.all') }}>
          <LessonCards />
        </Section>
        <Section id="facts" title={t('home.facts')}>
          <dl className={styles.facts}>
            {FACTS.map((fact) => (
              <div key={fact}>
                <dt>{t(`home.fact.${fact}.title`)}</dt>
                <dd>{t(`home.fact.${fact}.text`)}</dd>
              </div>
            ))}
          </dl>
        </Section>
      </div>
    </>
  );
}
