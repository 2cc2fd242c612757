/** 中文 or English; each language names itself. */
import type { ReactElement } from 'react';

import type { Lang } from '../../core/boot.ts';
import styles from './languageswitch.module.css';

const NAMES: Record<Lang, string> = { 'zh-CN': '中文', en: 'English' };

interface LanguageSwitchProps {
  language: Lang;
  label: string;
  onChange: (language: Lang) => void;
}

export function LanguageSwitch({ language, label, onChange }: LanguageSwitchProps): ReactElement {
  return (
    <div className={styles.switch} role="group" aria-label={label}>
      {(Object.keys(NAMES) as Lang[]).map((one) => (
        <button
          key={one}
          type="button"
          lang={one}
          className={styles.choice}
          aria-pressed={one === language}
          onClick={() => onChange(one)}
        >
          {NAMES[one]}
        </button>
      ))}
    </div>
  );
}
