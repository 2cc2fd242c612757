/** The uploads at the foot of the files panel. */
import type { ReactNode } from 'react';

import { ProblemError, UnreachableError } from '../../core/problems.ts';
import { bytesText } from '../../core/upload.ts';
import type { StudioT } from '../../i18n/studio.ts';
import { Button } from '../../ui/Button.tsx';
import { useStore, useT } from '../../ui/words.tsx';
import type { Upload, Uploads } from './uploads.ts';

export function UploadList({ uploads }: { uploads: Uploads }): ReactNode {
  const t = useT();
  const list = useStore(uploads.list);
  if (list.length === 0) return null;
  return (
    <ul className="jq-uploads" aria-live="polite">
      {list.map((entry) => (
        <li key={entry.key} className={`is-${entry.state}`}>
          <div className="jq-upload-row">
            <span className="jq-upload-text" title={entry.name}>
              {textOf(entry, t)}
            </span>
            <Button
              icon="close"
              label={entry.state === 'running' ? t('files.upload.cancel', { name: entry.name }) : t('studio.close')}
              onClick={() => (entry.state === 'running' ? uploads.cancel(entry.key) : uploads.remove(entry.key))}
            />
          </div>
          {entry.state === 'running' && <progress max={Math.max(1, entry.total)} value={entry.sent} aria-label={entry.name} />}
        </li>
      ))}
    </ul>
  );
}

function textOf(entry: Upload, t: StudioT): string {
  const { name } = entry;
  if (entry.state === 'running') return t('files.uploading', { name, sent: bytesText(entry.sent), total: bytesText(entry.total) });
  if (entry.state === 'done') return `${name} · ${t('files.uploaded')}`;
  if (entry.state === 'cancelled') return `${name} · ${t('files.upload.cancelled')}`;
  return `${name} · ${t('files.upload.failed', { why: whyText(entry.error, t) })}`;
}

export function whyText(error: unknown, t: StudioT): string {
  if (error instanceof UnreachableError) return t('save.why.unreachable');
  if (error instanceof ProblemError) return error.problem.detail ?? error.problem.title;
  return String(error);
}
