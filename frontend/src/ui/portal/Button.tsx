/** Buttons and links that look like buttons. */
import type { ButtonHTMLAttributes, ReactElement, ReactNode } from 'react';
import { Link } from 'react-router';

import styles from './button.module.css';

export interface ButtonLook {
  kind?: 'plain' | 'primary' | 'ghost';
  size?: 'small' | 'normal' | 'large';
  wide?: boolean;
}

function look({ kind = 'plain', size = 'normal', wide = false }: ButtonLook): string {
  return [styles.button, kind !== 'plain' && styles[kind], size !== 'normal' && styles[size], wide && styles.wide]
    .filter(Boolean)
    .join(' ');
}

type ButtonProps = ButtonLook & { busy?: boolean } & ButtonHTMLAttributes<HTMLButtonElement>;

/** A busy button keeps focus and says so; it takes no second click. */
export function Button({ kind, size, wide, busy = false, onClick, type = 'button', ...rest }: ButtonProps): ReactElement {
  return (
    <button
      {...rest}
      type={type}
      className={look({ kind, size, wide })}
      aria-disabled={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    />
  );
}

interface LinkProps extends ButtonLook {
  to: string;
  children: ReactNode;
  label?: string;
  /** The server draws this address: leave the portal's own pages. */
  outside?: boolean;
}

export function ButtonLink({ to, children, label, outside = false, ...rest }: LinkProps): ReactElement {
  return outside ? (
    <a className={look(rest)} href={to} aria-label={label}>
      {children}
    </a>
  ) : (
    <Link className={look(rest)} to={to} aria-label={label}>
      {children}
    </Link>
  );
}
