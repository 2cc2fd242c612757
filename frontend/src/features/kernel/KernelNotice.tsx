/** The banner of a kernel that is stopped, failed, cut off or blocked: what happened, what became of the work, what to do. */
import { type ReactNode, useState } from 'react';

import type { KernelLink } from '../../core/kernelLink.ts';
import { chipWord } from '../../core/kernelState.ts';
import type { StudioT } from '../../i18n/studio.ts';
import { isStudioKey } from '../../i18n/studio.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { useStore, useT } from '../../ui/words.tsx';
import { LimitNotice } from './LimitNotice.tsx';

export function KernelNotice({ link }: { link: KernelLink }): ReactNode {
  const t = useT();
  const { facts, kernel, problem, attempt } = useStore(link.state);
  const word = chipWord(facts);
  if (word === 'blocked') return <BlockedNotice />;
  if (word === 'reconnecting' || facts.offline) {
    return (
      <Banner tone="warn" icon="cloudOff">
        {attempt > 0 ? t('offline', { n: attempt }) : t('reconnecting')}
      </Banner>
    );
  }
  if (word === 'failed' && problem?.code === 'kernel.limit') return <LimitNotice link={link} />;
  if (word === 'failed') {
    const told = problem?.detail ?? kernel?.message;
    const why = told ?? `${problem?.title ?? reasonText(kernel?.reason ?? null, t)} ${t('kernel.failed.body')}`;
    return (
      <Banner tone="danger" title={told ? undefined : t('kernel.failed.title')} code={problem?.code ?? kernel?.reason ?? undefined} actions={<Again link={link} safe={problem === null} />}>
        {why}
      </Banner>
    );
  }
  if (word === 'stopped') {
    const why = reasonText(kernel?.reason ?? null, t);
    const told = kernel?.message;
    return (
      <Banner tone="warn" title={told ? undefined : t('kernel.stopped.title')} code={kernel?.reason ?? undefined} actions={<Again link={link} />}>
        {told ?? (why ? t('kernel.stopped.why', { why }) : t('kernel.stopped.body'))}
      </Banner>
    );
  }
  if (kernel?.cold && kernel.shadowed?.length) {
    return <Banner tone="info">{t('kernel.shadowed', { names: kernel.shadowed.join('、') })}</Banner>;
  }
  return null;
}

/** The safe mode is offered where the person's own packages may be the cause, not where the platform refused. */
function Again({ link, safe = true }: { link: KernelLink; safe?: boolean }): ReactNode {
  const t = useT();
  return (
    <>
      <Button kind="primary" icon="restart" onClick={() => void link.ensure()}>
        {t('kernel.again')}
      </Button>
      {safe && (
        <Button kind="plain" title={t('kernel.safe.tip')} onClick={() => void link.ensure({ safe: true })}>
          {t('kernel.safe')}
        </Button>
      )}
    </>
  );
}

/** A reason is a code of ours, or a sentence that the server wrote in the reader's language. */
export function reasonText(reason: string | null, t: StudioT): string {
  if (!reason) return '';
  const key = `reason.${reason.toLowerCase()}`;
  if (isStudioKey(key)) return t(key);
  return /^[a-z_.-]+$/i.test(reason) ? '' : reason;
}

function BlockedNotice(): ReactNode {
  const t = useT();
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    const text = t('ws.text', { host: location.host });
    void navigator.clipboard?.writeText(text).then(() => setCopied(true));
  };
  return (
    <Banner
      tone="danger"
      icon="cloudOff"
      code="ws.blocked"
      actions={
        <Button kind="plain" onClick={copy}>
          {t(copied ? 'ws.copied' : 'ws.copy')}
        </Button>
      }
    >
      {t('ws.blocked')}
    </Banner>
  );
}
