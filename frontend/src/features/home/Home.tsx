/** The first page: the way in for a newcomer, the way on for somebody who was here. */
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';

import { meQuery } from '../../api/queries.ts';
import { useWords } from '../../ui/portal/Words.tsx';
import { Desk, DeskLoading } from './Desk.tsx';
import { Welcome } from './Welcome.tsx';

export function Home(): ReactElement {
  const { t } = useWords();
  const me = useQuery(meQuery);
  useEffect(() => {
    document.title = `${t('app.name')} · ${t('home.title')}`;
  }, [t]);
  const user = me.data?.user ?? null;
  useEffect(() => {
    if (me.data) remember(user !== null);
  }, [me.data, user]);
  if (user) return <Desk user={user} />;
  // Newcomers' page needs no answer: it stands at once, and stays when none comes.
  return me.isPending && wasHere() ? <DeskLoading /> : <Welcome />;
}

const HINT = 'jiqi.here';

/** Whether this browser was logged in the last time; only decides what is drawn until the server has said who reads. */
function wasHere(): boolean {
  try {
    return localStorage.getItem(HINT) === '1';
  } catch {
    return false;
  }
}

function remember(here: boolean): void {
  try {
    if (here) localStorage.setItem(HINT, '1');
    else localStorage.removeItem(HINT);
  } catch {
    // Storage is closed in some private windows; then the newcomer's page is drawn first.
  }
}
