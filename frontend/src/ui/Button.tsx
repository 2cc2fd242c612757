/** Buttons of the studio page. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';

import { Icon, type IconName } from './icons.tsx';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon?: IconName;
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** Names the button where it shows its icon only. */
  label?: string;
  /** The shortcut, shown with the tooltip. */
  keys?: string;
}

export function Button({ icon, kind = 'quiet', label, keys, title, children, className = '', ...rest }: Props): ReactNode {
  const hint = title ?? label;
  return (
    <button
      type="button"
      className={`jq-button jq-button--${kind} ${children ? '' : 'jq-button--icon'} ${className}`}
      aria-label={children ? undefined : label}
      title={hint && keys ? `${hint}  ${keys}` : hint}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children && <span className="jq-button-text">{children}</span>}
    </button>
  );
}
