/** Log in; a guest who has work is asked what becomes of it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Link, useLocation } from 'react-router';

import { api, body, type Schemas } from '../../api/client.ts';
import { meQuery, siteQuery } from '../../api/queries.ts';
import { checkFilled, checkName } from '../../core/portal/forms.ts';
import { nextPage } from '../../core/portal/nextPage.ts';
import { ProblemError } from '../../core/problems.ts';
import { useWords } from '../../ui/portal/Words.tsx';
import { Card } from './Card.tsx';
import { CredentialsForm } from './CredentialsForm.tsx';
import { GuestWork, type WorkChoice } from './GuestWork.tsx';
import { useEntry } from './useEntry.ts';

const asksAboutWork = (error: unknown): error is ProblemError => error instanceof ProblemError && error.code === 'login.guest_work';

export function Login(): ReactElement {
  const { t, language } = useWords();
  const { search } = useLocation();
  const enter = useEntry();
  const site = useQuery(siteQuery);
  const me = useQuery(meQuery);
  const [work, setWork] = useState<WorkChoice>('bring');
  const [asked, setAsked] = useState<number | null>(null);

  const login = useMutation({
    mutationFn: (given: Omit<Schemas['LoginRequest'], 'guest_work'>) =>
      body(api.POST('/api/v1/login', { body: { ...given, guest_work: asked === null ? 'ask' : work } })),
    onSuccess: enter,
    onError: (error) => {
      if (asksAboutWork(error)) setAsked(Number(error.problem.params?.['projects'] ?? 1));
    },
  });

  const sent = nextPage(search) !== '/';
  const anonymous = me.data?.user === null;
  return (
    <Card
      title={t('login.title')}
      sub={sent ? t('login.needed') : undefined}
      foot={
        <>
          <p>{t('login.forgot')}</p>
          {site.data?.registration !== false && (
            <p>
              {t('login.none')} <Link to={{ pathname: '/register', search }}>{t('nav.register')}</Link>
            </p>
          )}
          {anonymous && (
            <p>
              <a href={`/open/first-minute?lang=${language}`}>{t('login.guest')}</a>
            </p>
          )}
        </>
      }
    >
      <CredentialsForm
        checkName={checkName}
        checkPassword={checkFilled}
        fresh={false}
        submit={t('login.submit')}
        busyWord={t('login.busy')}
        busy={login.isPending}
        error={asksAboutWork(login.error) ? null : login.error}
        onSubmit={(given) => login.mutate(given)}
      >
        {asked !== null && <GuestWork projects={asked} value={work} onChange={setWork} />}
      </CredentialsForm>
    </Card>
  );
}
