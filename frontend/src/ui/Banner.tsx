/** One line across the page: what happened, and what to do now. */
import type { ReactNode } from 'react';

import { Icon, type IconName } from './icons.tsx';

interface Props {
  tone: 'info' | 'warn' | 'danger';
  icon?: IconName;
  title?: string | undefined;
  children: ReactNode;
  /** A stable code in small type, for asking someone about it. */
  code?: string | undefined;
  actions?: ReactNode;
}

export function Banner({ tone, icon = tone === 'info' ? 'info' : 'warn', title, children, code, actions }: Props): ReactNode {
  return (
    <div className={`jq-banner jq-banner--${tone}`} role={tone === 'info' ? 'note' : 'alert'}>
      <Icon name={icon} />
      <div className="jq-banner-text">
        {title && <strong>{title}</strong>}
        <span>{children}</span>
        {code && <code className="jq-code">{code}</code>}
      </div>
      {actions && <div className="jq-banner-actions">{actions}</div>}
    </div>
  );
}
