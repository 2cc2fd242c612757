/** At the limit of running kernels: the page stays usable, and one click stops another kernel and runs here. */
import { type ReactNode, useState } from 'react';

import type { KernelLink } from '../../core/kernelLink.ts';
import { asProblem } from '../../core/problems.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { useStore, useT } from '../../ui/words.tsx';

interface Running {
  id: string;
  document: string;
}

export function LimitNotice({ link }: { link: KernelLink }): ReactNode {
  const t = useT();
  const { problem } = useStore(link.state);
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  if (problem?.code !== 'kernel.limit') return null;
  const listed = problem.params?.['kernels'];
  const kernels = Array.isArray(listed) ? (listed as Running[]) : [];
  const stop = async (id: string): Promise<void> => {
    setBusy(id);
    setFault(null);
    try {
      await link.stopOther(id);
    } catch (error) {
      setFault(asProblem(error, 'kernel.stop').title);
    } finally {
      setBusy(null);
    }
  };
  return (
    <Banner
      tone="info"
      title={t('limit.title')}
      code={problem.code}
      actions={kernels.map(({ id, document }) => (
        <Button key={id} kind="plain" disabled={busy !== null} title={document} onClick={() => void stop(id)}>
          {t('limit.stop', { name: shortName(document) })}
        </Button>
      ))}
    >
      {fault ? t('toast.failed', { why: fault }) : t(kernels.length > 0 ? 'limit.body' : 'limit.empty')}
    </Banner>
  );
}

function shortName(document: string): string {
  return (document.split('/').pop() ?? document).replace(/\.ipynb$/, '');
}
