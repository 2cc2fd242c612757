/** The frame of a page: its title for the tab and the heading, its sections, its empty states. */
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';

import styles from './page.module.css';

interface PageProps {
  /** The tab's title; the product's name follows it. */
  tab: string;
  product: string;
  narrow?: boolean;
  children: ReactNode;
}

export function Page({ tab, product, narrow = false, children }: PageProps): ReactElement {
  useEffect(() => {
    document.title = tab === product ? product : `${tab} · ${product}`;
  }, [tab, product]);
  return <div className={narrow ? `${styles.page} ${styles.narrow}` : styles.page}>{children}</div>;
}

export function PageHead({ title, sub, action }: { title: string; sub?: string; action?: ReactNode }): ReactElement {
  return (
    <div className={styles.head}>
      <div>
        <h1 className={styles.title}>{title}</h1>
        {sub && <p className={styles.sub}>{sub}</p>}
      </div>
      {action}
    </div>
  );
}

interface SectionProps {
  id: string;
  title: string;
  more?: { to: string; label: string };
  children: ReactNode;
}

export function Section({ id, title, more, children }: SectionProps): ReactElement {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.sectionHead}>
        <h2 id={id} className={styles.sectionTitle}>
          {title}
        </h2>
        {more && (
          <Link className={styles.more} to={more.to}>
            {more.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

export function Empty({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.empty}>{children}</div>;
}
