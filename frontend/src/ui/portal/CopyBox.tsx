/** A text to take away, with a button that copies it. */
import { type ReactElement, useEffect, useRef, useState } from 'react';

import styles from './copybox.module.css';
import { Icon } from './icons.tsx';

export interface CopyWords {
  copy: string;
  copied: string;
  manual: string;
}

interface CopyBoxProps {
  text: string;
  label: string;
  words: CopyWords;
}

/** Without the clipboard (plain http on another host has none) the text is selected for the reader's own Ctrl+C. */
export function CopyBox({ text, label, words }: CopyBoxProps): ReactElement {
  const shown = useRef<HTMLPreElement>(null);
  const [state, setState] = useState<'idle' | 'copied' | 'manual'>('idle');

  useEffect(() => {
    if (state !== 'copied') return undefined;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setState('manual');
    }
  };

  return (
    <div>
      <div className={styles.box}>
        <pre className={styles.text} ref={shown} tabIndex={0} role="group" aria-label={label}>
          {text}
        </pre>
        <button type="button" className={styles.copy} onClick={() => void copy()} aria-label={`${words.copy}: ${label}`}>
          <Icon name={state === 'copied' ? 'check' : 'copy'} />
          {state === 'copied' ? words.copied : words.copy}
        </button>
      </div>
      <p role="status" className={state === 'manual' ? styles.manual : undefined} hidden={state === 'idle'}>
        {state === 'manual' ? words.manual : ''}
      </p>
    </div>
  );
}
