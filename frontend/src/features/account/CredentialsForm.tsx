/** Name and password: what both must be, what is wrong with them, and what the server said. */
import { type FormEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';

import type { Refusal } from '../../core/portal/forms.ts';
import { Button } from '../../ui/portal/Button.tsx';
import { Field } from '../../ui/portal/Field.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './account.module.css';

export interface Credentials {
  name: string;
  password: string;
}

type Check = (text: string) => Refusal | null;

interface CredentialsFormProps {
  /** Without a check there is no such field. */
  checkName?: Check;
  checkPassword: Check;
  nameHint?: string;
  passwordHint?: string;
  passwordLabel?: string;
  /** For password managers: an old password is filled in, a new one is proposed. */
  fresh: boolean;
  submit: string;
  busyWord: string;
  busy: boolean;
  error: unknown;
  children?: ReactNode;
  onSubmit: (credentials: Credentials) => void;
}

export function CredentialsForm(props: CredentialsFormProps): ReactElement {
  const { checkName, checkPassword, nameHint, passwordHint, passwordLabel, fresh, submit, busyWord, busy, error, children, onSubmit } = props;
  const { t } = useWords();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Credentials>({ name: '', password: '' });
  const [tried, setTried] = useState(false);

  const say = (refusal: Refusal | null | undefined): string | null => (tried && refusal ? t(refusal.key, refusal.params) : null);
  const refusals = { name: checkName?.(values.name), password: checkPassword(values.password) };

  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (busy) return;
    if (refusals.name || refusals.password) {
      // The first box that is wrong gets the cursor, so that its message is read out.
      form.current?.querySelector<HTMLInputElement>(`input[name="${refusals.name ? 'username' : 'password'}"]`)?.focus();
      return;
    }
    onSubmit(values);
  };

  return (
    <form className={styles.form} ref={form} onSubmit={send} noValidate>
      {error !== null && error !== undefined && <Problem error={error} />}
      {checkName && (
        <Field
          label={t('login.name')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={values.name}
          hint={nameHint}
          error={say(refusals.name)}
          onValue={(name) => setValues({ ...values, name })}
        />
      )}
      <Field
        label={passwordLabel ?? t('login.password')}
        name="password"
        type="password"
        autoComplete={fresh ? 'new-password' : 'current-password'}
        value={values.password}
        hint={passwordHint}
        error={say(refusals.password)}
        reveal={{ show: t('password.show'), hide: t('password.hide') }}
        onValue={(password) => setValues({ ...values, password })}
      />
      {children}
      <Button type="submit" kind="primary" wide busy={busy}>
        {busy ? busyWord : submit}
      </Button>
    </form>
  );
}
