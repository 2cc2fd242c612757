/** Changes the language here at once, and in the account of whoever is logged in. */
import { useMutation, useQueryClient } from '@tanstack/react-query';

import { api, body } from '../../api/client.ts';
import { keys, meQuery } from '../../api/queries.ts';
import type { Lang } from '../../core/boot.ts';
import { useWords } from '../../ui/portal/Words.tsx';

export function useLanguageChange(): (language: Lang) => void {
  const { setLanguage } = useWords();
  const queries = useQueryClient();
  const remember = useMutation({
    mutationFn: (language: Lang) => body(api.PATCH('/api/v1/me', { body: { language } })),
    // The cookie holds the choice in this browser; the account learns it the next time.
    onSuccess: (me) => queries.setQueryData(keys.me, me),
  });
  return (language) => {
    setLanguage(language);
    if (queries.getQueryData(meQuery.queryKey)?.user) remember.mutate(language);
  };
}
