/** Changes the password; every other browser and every token is cut off with it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';

import { api, body } from '../../api/client.ts';
import { keys, meQuery } from '../../api/queries.ts';
import { checkFilled, checkPassword, type Refusal } from '../../core/portal/forms.ts';
import { Button } from '../../ui/portal/Button.tsx';
import { Field } from '../../ui/portal/Field.tsx';
import { Notice } from '../../ui/portal/Notice.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import { Block } from './Block.tsx';
import styles from './tokens.module.css';

const EMPTY = { old: '', new: '' };

export function Password({ name }: { name: string }): ReactElement {
  const { t } = useWords();
  const queries = useQueryClient();
  const [values, setValues] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const refusals = { old: checkFilled(values.old), new: checkPassword(values.new) };
  const say = (refusal: Refusal | null): string | null => (tried && refusal ? t(refusal.key, refusal.params) : null);

  const change = useMutation({
    mutationFn: () => body(api.POST('/api/v1/password', { body: values })),
    onSuccess: (me) => {
      queries.setQueryData(meQuery.queryKey, me);
      for (const queryKey of [keys.sessions, keys.tokens]) void queries.invalidateQueries({ queryKey });
      setValues(EMPTY);
      setTried(false);
    },
  });

  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!refusals.old && !refusals.new && !change.isPending) change.mutate();
  };

  const reveal = { show: t('password.show'), hide: t('password.hide') };
  return (
    <Block id="password" title={t('password.title')} sub={t('password.sub')}>
      <form className={styles.password} onSubmit={send} noValidate>
        {/* Password managers want to know whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
        <Field
          label={t('password.old')}
          type="password"
          autoComplete="current-password"
          value={values.old}
          error={say(refusals.old)}
          reveal={reveal}
          onValue={(old) => setValues({ ...values, old })}
        />
        <Field
          label={t('password.new')}
          type="password"
          autoComplete="new-password"
          value={values.new}
          hint={t('register.password.hint')}
          error={say(refusals.new)}
          reveal={reveal}
          onValue={(next) => setValues({ ...values, new: next })}
        />
        <Button type="submit" busy={change.isPending}>
          {t('password.submit')}
        </Button>
        <div className={styles.wide}>
          {change.error && <Problem error={change.error} />}
          {change.isSuccess && !tried && (
            <Notice tone="ok">
              <p>{t('password.done')}</p>
            </Notice>
          )}
        </div>
      </form>
    </Block>
  );
}
