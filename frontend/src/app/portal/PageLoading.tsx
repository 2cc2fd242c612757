/** What stands while a page's code is on its way. */
import type { ReactElement } from 'react';

import { Page } from '../../ui/portal/Page.tsx';
import { Skeleton } from '../../ui/portal/Skeleton.tsx';
import { useWords } from '../../ui/portal/Words.tsx';

export function PageLoading(): ReactElement {
  const { t } = useWords();
  return (
    <Page tab={t('common.loading')} product={t('app.name')}>
      <div role="status" aria-label={t('common.loading')} style={{ display: 'grid', gap: 16 }}>
        <Skeleton width={220} height={32} />
        <Skeleton width="60%" />
        <Skeleton height={120} />
      </div>
    </Page>
  );
}
