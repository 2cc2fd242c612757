/** A message in the page: a sentence, small print, at most one action. */
import type { ReactElement, ReactNode } from 'react';

import { Icon } from './icons.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  tone: 'info' | 'warn' | 'danger' | 'ok';
  children: ReactNode;
  code?: string;
  action?: ReactNode;
}

/** Danger speaks at once to a screen reader; the others wait their turn. */
export function Notice({ tone, children, code, action }: NoticeProps): ReactElement {
  const icon = tone === 'ok' ? 'check' : tone === 'info' ? 'info' : 'warning';
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <div className={styles.body}>
        {children}
        {code && <p className={styles.code}>{code}</p>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
