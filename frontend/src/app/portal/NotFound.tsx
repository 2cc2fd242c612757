/** The page for an address that leads nowhere. */
import type { ReactElement } from 'react';

import { ButtonLink } from '../../ui/portal/Button.tsx';
import { Page, PageHead } from '../../ui/portal/Page.tsx';
import { useWords } from '../../ui/portal/Words.tsx';

export function NotFound(): ReactElement {
  const { t } = useWords();
  return (
    <Page tab={t('missing.title')} product={t('app.name')} narrow>
      <PageHead title={t('missing.title')} sub={t('missing.text')} />
      <p style={{ display: 'flex', gap: 12, margin: 0 }}>
        <ButtonLink to="/" kind="primary">
          {t('missing.home')}
        </ButtonLink>
        <ButtonLink to="/lessons">{t('home.lessons.all')}</ButtonLink>
      </p>
    </Page>
  );
}
