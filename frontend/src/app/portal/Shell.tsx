/** What stands around every page: the bar above, the warning of a host that does not isolate, the foot. */
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router';

import { meQuery, siteQuery } from '../../api/queries.ts';
import type { Lang } from '../../core/boot.ts';
import { ButtonLink } from '../../ui/portal/Button.tsx';
import { Mark } from '../../ui/portal/icons.tsx';
import { LanguageSwitch } from '../../ui/portal/LanguageSwitch.tsx';
import { Notice } from '../../ui/portal/Notice.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import styles from './shell.module.css';
import { useLanguageChange } from './useLanguageChange.ts';

export function Shell({ children }: { children: ReactNode }): ReactElement {
  const { t, language } = useWords();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const changeLanguage = useLanguageChange();

  // A new page is read from its top, by eyes and by screen readers.
  useEffect(() => {
    if (!first.current) {
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    first.current = false;
  }, [pathname]);

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        {t('nav.skip')}
      </a>
      <Header language={language} onLanguage={changeLanguage} />
      <IsolationNotice />
      <HostNotice />
      <main id="main" ref={main} className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Footer language={language} onLanguage={changeLanguage} />
    </div>
  );
}

interface LanguageProps {
  language: Lang;
  onLanguage: (language: Lang) => void;
}

function Header({ language, onLanguage }: LanguageProps): ReactElement {
  const { t } = useWords();
  const me = useQuery(meQuery);
  const user = me.data?.user ?? null;
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link className={styles.brand} to="/" aria-label={`${t('app.name')} · ${t('nav.home')}`}>
          <Mark />
          <span className={styles.brandName}>{t('app.name')}</span>
        </Link>
        <nav className={styles.nav} aria-label={t('nav.label')}>
          <NavLink to="/lessons">{t('nav.lessons')}</NavLink>
          {user && <NavLink to="/projects">{t('nav.projects')}</NavLink>}
        </nav>
        <div className={styles.side}>
          {user ? (
            <AccountMenu user={user} language={language} onLanguage={onLanguage} />
          ) : (
            me.isFetched && (
              <>
                <ButtonLink to="/login" kind="ghost" size="small">
                  {t('nav.login')}
                </ButtonLink>
                <ButtonLink to="/register" size="small">
                  {t('nav.register')}
                </ButtonLink>
              </>
            )
          )}
        </div>
      </div>
    </header>
  );
}

/** Said on every page, as long as it is so: whoever shares this machine must know. */
function IsolationNotice(): ReactElement | null {
  const { t } = useWords();
  const site = useQuery(siteQuery);
  if (site.data?.isolated !== false) return null;
  return (
    <div className={styles.strip}>
      <Notice tone="warn">
        <div className={styles.isolate}>
          <p>{t('isolate.warn')}</p>
          <details>
            <summary>{t('isolate.how')}</summary>
            <p>{t('isolate.steps')}</p>
          </details>
        </div>
      </Notice>
    </div>
  );
}

/** Why nothing can start just now; what can be read and written stays so. */
function HostNotice(): ReactElement | null {
  const { t } = useWords();
  const site = useQuery(siteQuery);
  if (!site.data?.problem) return null;
  return (
    <div className={styles.strip}>
      <Notice tone="warn" code={t('common.details', { code: site.data.problem })}>
        <p>{t('host.problem')}</p>
      </Notice>
    </div>
  );
}

function Footer({ language, onLanguage }: LanguageProps): ReactElement {
  const { t } = useWords();
  const site = useQuery(siteQuery);
  return (
    <footer className={styles.footer}>
      <div className={styles.foot}>
        <div className={styles.colophon}>
          <span>{t('footer.about')}</span>
          {site.data && <span>{t('footer.version', { version: site.data.version })}</span>}
          <span>{t('footer.license')}</span>
        </div>
        <LanguageSwitch language={language} label={t('language.label')} onChange={onLanguage} />
      </div>
    </footer>
  );
}
