/** A lesson as a card; a grid of them. */
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'react-router';

import styles from './lessoncard.module.css';
import { Skeleton } from './Skeleton.tsx';

export interface LessonCardProps {
  to: string;
  number: number;
  title: string;
  summary: string;
  facts: string[];
  action: ReactNode;
}

export function LessonCard({ to, number, title, summary, facts, action }: LessonCardProps): ReactElement {
  return (
    <article className={styles.card}>
      <h3 className={styles.title}>
        <span className={styles.number} aria-hidden="true">
          {String(number).padStart(2, '0')}
        </span>
        <Link to={to}>{title}</Link>
      </h3>
      <p className={styles.summary}>{summary}</p>
      <div className={styles.foot}>
        <ul className={styles.facts}>
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <span className={styles.action}>{action}</span>
      </div>
    </article>
  );
}

export function CardGrid({ children }: { children: ReactNode[] }): ReactElement {
  return (
    <ul className={styles.grid}>
      {children.map((child, index) => (
        <li key={index}>{child}</li>
      ))}
    </ul>
  );
}

export function LessonCardSkeleton(): ReactElement {
  return (
    <div className={styles.card}>
      <Skeleton width="60%" height={20} />
      <Skeleton width="90%" />
      <Skeleton width="40%" height={14} />
    </div>
  );
}
