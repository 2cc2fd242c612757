/** A button with a menu below it, usable by keyboard. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

import { Button } from './Button.tsx';
import { Icon, type IconName } from './icons.tsx';

export interface MenuItem {
  text: string;
  icon?: IconName;
  keys?: string;
  danger?: boolean;
  href?: string;
  /** Opens in the same page by default; `_blank` for another view. */
  target?: string;
  download?: boolean;
  disabled?: boolean;
  act?: () => void;
}

export function Menu({ label, icon = 'more', items }: { label: string; icon?: IconName; items: (MenuItem | null)[] }): ReactNode {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (!open) return undefined;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside, true);
    return () => document.removeEventListener('pointerdown', outside, true);
  }, [open]);

  const close = (): void => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };

  const keys = (event: KeyboardEvent): void => {
    if (!open) return;
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) all[(at + step + all.length) % all.length]?.focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="jq-menu" ref={root} onKeyDown={keys}>
      <Button icon={icon} label={label} aria-haspopup="menu" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)} />
      {open && (
        <div className="jq-menu-list" role="menu" id={id} aria-label={label}>
          {items.map((item, index) => (item ? <Row key={item.text} item={item} close={close} /> : <hr key={`rule-${index}`} />))}
        </div>
      )}
    </div>
  );
}

function Row({ item, close }: { item: MenuItem; close: () => void }): ReactNode {
  const inner = (
    <>
      <span className="jq-menu-icon">{item.icon && <Icon name={item.icon} />}</span>
      <span className="jq-menu-text">{item.text}</span>
      {item.keys && <kbd>{item.keys}</kbd>}
    </>
  );
  const className = `jq-menu-item ${item.danger ? 'is-danger' : ''}`;
  if (item.href) {
    return (
      <a className={className} role="menuitem" href={item.href} target={item.target} download={item.download || undefined} rel="noreferrer" onClick={close}>
        {inner}
      </a>
    );
  }
  const act = (): void => {
    close();
    item.act?.();
  };
  return (
    <button type="button" className={className} role="menuitem" disabled={item.disabled} onClick={act}>
      {inner}
    </button>
  );
}
