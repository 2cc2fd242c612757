/** Sign up; a guest keeps his projects, his files and the pages that he has open. */
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useLocation } from 'react-router';

import { api, body } from '../../api/client.ts';
import { meQuery, siteQuery } from '../../api/queries.ts';
import { checkName, checkPassword } from '../../core/portal/forms.ts';
import { Notice } from '../../ui/portal/Notice.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import { Card } from './Card.tsx';
import { CredentialsForm, type Credentials } from './CredentialsForm.tsx';
import { useEntry } from './useEntry.ts';

export function Register(): ReactElement {
  const { t, language } = useWords();
  const { search } = useLocation();
  const enter = useEntry();
  const me = useQuery(meQuery);
  const site = useQuery(siteQuery);
  const guest = me.data?.user?.role === 'guest';
  const closed = site.data?.registration === false;

  const register = useMutation({
    mutationFn: (given: Credentials) => body(api.POST('/api/v1/register', { body: { ...given, lang: language } })),
    onSuccess: enter,
  });

  return (
    <Card
      title={guest ? t('register.title.guest') : t('register.title')}
      sub={guest ? t('register.sub.guest') : t('register.sub')}
      foot={
        <p>
          {t('register.have')} <Link to={{ pathname: '/login', search }}>{t('nav.login')}</Link>
        </p>
      }
    >
      {closed ? (
        <div style={{ marginTop: 24 }}>
          <Notice tone="info">
            <p>{t('register.closed')}</p>
          </Notice>
        </div>
      ) : (
        <CredentialsForm
          checkName={checkName}
          checkPassword={checkPassword}
          nameHint={t('register.name.hint')}
          passwordHint={t('register.password.hint')}
          fresh
          submit={guest ? t('register.submit.guest') : t('register.submit')}
          busyWord={t('register.busy')}
          busy={register.isPending}
          error={register.error}
          onSubmit={(given) => register.mutate(given)}
        />
      )}
    </Card>
  );
}
