/** What follows a login: the new person is known everywhere, nothing of the old one is kept, and the reader goes on. */
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';

import type { Schemas } from '../../api/client.ts';
import { keys, meQuery } from '../../api/queries.ts';
import { isPortalPage, nextPage } from '../../core/portal/nextPage.ts';

const KEPT: readonly string[] = [keys.site[0], keys.me[0]];

export function useEntry(): (me: Schemas['Me']) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();
  return (me) => {
    queries.removeQueries({ predicate: ({ queryKey }) => !KEPT.includes(String(queryKey[0])) });
    queries.setQueryData(meQuery.queryKey, me);
    const next = nextPage(search);
    if (isPortalPage(next)) void navigate(next, { replace: true });
    else location.assign(next);
  };
}
