/** At the limit of running kernels: which ones run, and one click to stop one and run here. */
import { type ReactNode, useState } from 'react';

import type { KernelLink } from '../../core/kernelLink.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useStore, useT } from '../../ui/words.tsx';

interface Running {
  id: string;
  document: string;
}

export function LimitDialog({ link }: { link: KernelLink }): ReactNode {
  const t = useT();
  const { problem } = useStore(link.state);
  const [closed, setClosed] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);
  if (problem?.code !== 'kernel.limit' || closed === problem) return null;
  const listed = problem.params?.['kernels'];
  const kernels = Array.isArray(listed) ? (listed as Running[]) : [];
  const stop = async (id: string): Promise<void> => {
    setBusy(id);
    await link.stopOther(id).catch(() => undefined);
    setBusy(null);
  };
  return (
    <Dialog
      title={t('limit.title')}
      onClose={() => setClosed(problem)}
      actions={
        <Button kind="plain" onClick={() => setClosed(problem)}>
          {t('studio.cancel')}
        </Button>
      }
    >
      <p>{kernels.length > 0 ? t('limit.body') : t('limit.empty')}</p>
      <ul className="jq-limit">
        {kernels.map(({ id, document }) => (
          <li key={id}>
            <span className="jq-limit-name" title={document}>
              {document}
            </span>
            <Button kind="plain" disabled={busy !== null} onClick={() => void stop(id)}>
              {t('limit.stop')}
            </Button>
          </li>
        ))}
      </ul>
      {problem.detail && <p className="jq-note">{problem.detail}</p>}
    </Dialog>
  );
}
