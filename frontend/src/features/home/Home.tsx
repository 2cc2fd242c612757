/** The first page: the way in for a newcomer, the way on for somebody who was here. */
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';

import { meQuery } from '../../api/queries.ts';
import { useWords } from '../../ui/portal/Words.tsx';
import { Desk } from './Desk.tsx';
import { Welcome } from './Welcome.tsx';

export function Home(): ReactElement {
  const { t } = useWords();
  const me = useQuery(meQuery);
  useEffect(() => {
    document.title = `${t('app.name')} · ${t('home.title')}`;
  }, [t]);
  // Newcomers are the rule here, and their page needs no answer: it stands at once, and stays when none comes.
  const user = me.data?.user;
  return user ? <Desk user={user} /> : <Welcome />;
}
