/** The card that login, sign-up and the administrator's link stand in. */
import { type ReactElement, type ReactNode, useEffect } from 'react';

import { useWords } from '../../ui/portal/Words.tsx';
import styles from './account.module.css';

interface CardProps {
  title: string;
  sub?: string;
  children?: ReactNode;
  foot?: ReactNode;
}

export function Card({ title, sub, children, foot }: CardProps): ReactElement {
  const { t } = useWords();
  useEffect(() => {
    document.title = `${title} · ${t('app.name')}`;
  }, [title, t]);
  return (
    <div className={styles.wrap}>
      <div className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        {sub && <p className={styles.sub}>{sub}</p>}
        {children}
        {foot && <div className={styles.foot}>{foot}</div>}
      </div>
    </div>
  );
}
