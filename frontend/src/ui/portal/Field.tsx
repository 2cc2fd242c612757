/** A labelled text box with its hint and its error beside it. */
import { type InputHTMLAttributes, type ReactElement, useId, useState } from 'react';

import styles from './field.module.css';
import { Icon } from './icons.tsx';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: string;
  hint?: string;
  error?: string | null;
  onValue: (value: string) => void;
  /** For a password: the words of the button that shows it. */
  reveal?: { show: string; hide: string };
}

export function Field({ label, hint, error, onValue, reveal, type = 'text', ...rest }: FieldProps): ReactElement {
  const id = useId();
  const [shown, setShown] = useState(false);
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={reveal ? `${styles.box} ${styles.withToggle}` : styles.box}>
        <input
          {...rest}
          id={id}
          type={reveal && shown ? 'text' : type}
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={described}
          onChange={(event) => onValue(event.target.value)}
        />
        {reveal && (
          <button
            type="button"
            className={styles.toggle}
            aria-pressed={shown}
            aria-label={shown ? reveal.hide : reveal.show}
            onClick={() => setShown(!shown)}
          >
            <Icon name="eye" />
          </button>
        )}
      </div>
      {error ? (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}
