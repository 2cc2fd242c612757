/** The keys to my account: tokens for programs, browsers that are logged in, the password. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';

import { meQuery } from '../../api/queries.ts';
import { AntdRoot } from '../../ui/portal/antd/AntdRoot.tsx';
import { LoginFirst } from '../../ui/portal/LoginFirst.tsx';
import { Page, PageHead } from '../../ui/portal/Page.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import { Devices } from './Devices.tsx';
import { Password } from './Password.tsx';
import { Tokens } from './Tokens.tsx';

export function TokensPage(): ReactElement {
  const { t } = useWords();
  const me = useQuery(meQuery);
  const user = me.data?.user ?? null;
  return (
    <AntdRoot>
      <Page tab={t('tokens.page')} product={t('app.name')} narrow>
        <PageHead title={t('tokens.page')} />
        <LoginFirst known={me.isFetched} loggedIn={user !== null} error={me.error} onRetry={() => void me.refetch()}>
          <Tokens />
          <Devices />
          {user && user.role !== 'guest' && <Password name={user.name} />}
        </LoginFirst>
      </Page>
    </AntdRoot>
  );
}
