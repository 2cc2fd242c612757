/** A button that opens a small panel of links; Esc, a click outside or leaving it by Tab closes it. */
import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react';

import styles from './menu.module.css';

interface DisclosureProps {
  label: string;
  trigger: ReactNode;
  children: ReactNode;
}

export function Disclosure({ label, trigger, children }: DisclosureProps): ReactElement {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open]);

  return (
    <div
      ref={root}
      className={styles.root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        className={styles.trigger}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open && (
        <div id={id} className={styles.panel} onClick={() => setOpen(false)}>
          {children}
        </div>
      )}
    </div>
  );
}
