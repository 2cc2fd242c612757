/** A section of the page of keys: heading, a sentence, an action beside them. */
import type { ReactElement, ReactNode } from 'react';

import styles from './tokens.module.css';

interface BlockProps {
  id: string;
  title: string;
  sub: string;
  action?: ReactNode;
  children: ReactNode;
}

export function Block({ id, title, sub, action, children }: BlockProps): ReactElement {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <div>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <p className={styles.sub}>{sub}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
