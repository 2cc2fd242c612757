/** The administrator's one-time link: makes the first administrator, later logs an administrator in. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';

import { api, body, type Schemas } from '../../api/client.ts';
import { checkName, checkPassword } from '../../core/portal/forms.ts';
import { ButtonLink } from '../../ui/portal/Button.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { Skeleton } from '../../ui/portal/Skeleton.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import { Card } from './Card.tsx';
import { type Credentials, CredentialsForm } from './CredentialsForm.tsx';
import { useEntry } from './useEntry.ts';

/** The secret stands behind `#`, so no server log has it; it leaves the address as soon as it is read. */
function useSecret(): string {
  const [secret, setSecret] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const read = (): void => {
      if (!location.hash) return;
      setSecret(location.hash.slice(1));
      history.replaceState(history.state, '', location.pathname);
    };
    read();
    // Another link pasted into this very tab changes nothing but what is behind `#`.
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return secret;
}

export function AdminLink(): ReactElement {
  const { t } = useWords();
  const secret = useSecret();
  const check = useQuery({
    queryKey: ['link', secret],
    queryFn: () => body(api.POST('/api/v1/link/check', { body: { secret } })),
    enabled: secret !== '',
    staleTime: Infinity,
  });

  if (!secret) return <Card title={t('link.empty.title')} sub={t('link.empty.text')} />;
  if (check.data) return <LinkForm secret={secret} state={check.data} />;
  return (
    <Card title={t('link.title')} sub={check.isPending ? t('link.checking') : undefined}>
      <div style={{ display: 'grid', gap: 16, marginTop: 24 }}>
        {check.error ? (
          <>
            <Problem error={check.error} onRetry={() => void check.refetch()} />
            <ButtonLink to="/">{t('missing.home')}</ButtonLink>
          </>
        ) : (
          <>
            <Skeleton height={40} />
            <Skeleton height={40} />
          </>
        )}
      </div>
    </Card>
  );
}

function LinkForm({ secret, state }: { secret: string; state: Schemas['LinkState'] }): ReactElement {
  const { t } = useWords();
  const enter = useEntry();
  const redeem = useMutation({
    mutationFn: ({ name, password }: Credentials) =>
      body(api.POST('/api/v1/link', { body: { secret, name: name || null, password: password || null } })),
    onSuccess: enter,
  });
  const form = { fresh: true, busyWord: t('link.busy'), busy: redeem.isPending, error: redeem.error, onSubmit: redeem.mutate };
  if (state.kind === 'login') {
    return (
      <Card title={t('link.login.title')} sub={t('link.login.sub', { name: state.name ?? '' })}>
        <CredentialsForm
          {...form}
          passwordLabel={t('link.login.password')}
          checkPassword={(text) => (text ? checkPassword(text) : null)}
          submit={t('link.login.submit')}
        />
      </Card>
    );
  }
  return (
    <Card title={t('link.title')} sub={t('link.sub')}>
      <CredentialsForm
        {...form}
        checkName={checkName}
        checkPassword={checkPassword}
        passwordHint={t('register.password.hint')}
        submit={t('link.submit')}
      />
    </Card>
  );
}
