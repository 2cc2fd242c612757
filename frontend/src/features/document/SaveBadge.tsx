/** What became of the last change, in the words of product.md. */
import './document.css';

import type { ReactNode } from 'react';

import type { Saver } from '../../core/saver.ts';
import { Icon } from '../../ui/icons.tsx';
import { timeText, useLang, useStore, useT } from '../../ui/words.tsx';
import { saveReason } from './reasons.ts';

export function SaveBadge({ saver, readOnly }: { saver: Saver; readOnly: boolean }): ReactNode {
  const t = useT();
  const lang = useLang();
  const { state } = useStore(saver.machine);
  if (readOnly) return <span className="jq-save">{t('save.readonly')}</span>;
  switch (state.kind) {
    case 'saved':
      return (
        <span className="jq-save" data-save="saved">
          <Icon name="check" size={14} />
          <span className="jq-save-text">{state.at === null ? t('save.clean') : t('save.saved', { time: timeText(state.at, lang) })}</span>
        </span>
      );
    case 'saving':
      return <Plain kind="saving" text={t('save.saving')} />;
    case 'dirty':
      return <Plain kind="dirty" text={t('save.dirty')} />;
    case 'failed':
      return (
        <span className="jq-save is-danger" data-save="failed" role="status" title={t('save.failed', { why: saveReason(state.code, t) })}>
          <Icon name="cloudOff" size={14} />
          <span className="jq-save-text">{t('save.failed.short')}</span>
        </span>
      );
    case 'conflict':
      return <Plain kind="conflict" text={t('save.conflict.short')} />;
  }
}

function Plain({ kind, text }: { kind: string; text: string }): ReactNode {
  return (
    <span className={`jq-save is-${kind}`} data-save={kind} title={text}>
      <span className="jq-save-dot" />
      <span className="jq-save-text">{text}</span>
    </span>
  );
}
