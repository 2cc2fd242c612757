/** What becomes of a guest's projects when he logs in to an account. */
import { type ReactElement, useEffect, useRef } from 'react';

import { useWords } from '../../ui/portal/Words.tsx';
import styles from './account.module.css';

export type WorkChoice = 'bring' | 'leave';

const CHOICES: WorkChoice[] = ['bring', 'leave'];

interface GuestWorkProps {
  projects: number;
  value: WorkChoice;
  onChange: (choice: WorkChoice) => void;
}

export function GuestWork({ projects, value, onChange }: GuestWorkProps): ReactElement {
  const { t } = useWords();
  const chosen = useRef<HTMLInputElement>(null);
  // The question comes after the button was pressed: take the reader to it.
  useEffect(() => chosen.current?.focus(), []);
  return (
    <fieldset className={styles.choices}>
      <legend>{t('work.ask', { projects })}</legend>
      {CHOICES.map((choice) => (
        <label key={choice} className={styles.choice}>
          <input
            ref={choice === value ? chosen : undefined}
            type="radio"
            name="work"
            checked={choice === value}
            onChange={() => onChange(choice)}
          />
          {t(`work.${choice}`)}
          <small>{t(`work.${choice}.note`)}</small>
        </label>
      ))}
    </fieldset>
  );
}
