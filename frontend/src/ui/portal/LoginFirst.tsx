/** For pages that belong to somebody: waits until it is known who reads, and shows the way to the login. */
import type { ReactElement, ReactNode } from 'react';
import { useLocation } from 'react-router';

import { loginPage } from '../../core/portal/nextPage.ts';
import { ButtonLink } from './Button.tsx';
import { Empty } from './Page.tsx';
import { Problem } from './Problem.tsx';
import { Skeleton } from './Skeleton.tsx';
import { useWords } from './Words.tsx';

interface LoginFirstProps {
  known: boolean;
  loggedIn: boolean;
  error: unknown;
  onRetry: () => void;
  children: ReactNode;
}

export function LoginFirst({ known, loggedIn, error, onRetry, children }: LoginFirstProps): ReactElement {
  const { t } = useWords();
  const { pathname } = useLocation();
  if (loggedIn) return <>{children}</>;
  if (error) return <Problem error={error} onRetry={onRetry} />;
  if (!known) {
    return (
      <div role="status" aria-label={t('common.loading')}>
        <Skeleton height={160} />
      </div>
    );
  }
  return (
    <Empty>
      <p>{t('login.needed')}</p>
      <span style={{ display: 'inline-flex', gap: 12 }}>
        <ButtonLink kind="primary" to={loginPage(pathname)}>
          {t('nav.login')}
        </ButtonLink>
        <ButtonLink to="/lessons">{t('home.lessons.all')}</ButtonLink>
      </span>
    </Empty>
  );
}
