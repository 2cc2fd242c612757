/** The state chip: one word, a dot, and on demand what is behind it. */
import './kernel.css';

import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { Boot } from '../../core/boot.ts';
import type { KernelLink } from '../../core/kernelLink.ts';
import { chipTone, chipWord } from '../../core/kernelState.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useStore, useT } from '../../ui/words.tsx';

export function KernelChip({ link, boot, restart }: { link: KernelLink; boot: Boot; restart: () => void }): ReactNode {
  const t = useT();
  const { facts, kernel, problem } = useStore(link.state);
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  // At the limit nothing went wrong: it has only not been started here.
  const word = problem?.code === 'kernel.limit' ? 'none' : chipWord(facts);
  const state = t(`kernel.${word}`);
  const environment = environmentName(boot, kernel?.environment ?? boot.project.environment);

  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside, true);
    return () => document.removeEventListener('pointerdown', outside, true);
  }, [open]);

  const live = ['ready', 'busy', 'input', 'reconnecting', 'blocked'].includes(word);
  return (
    <div className="jq-chip-root" ref={root} onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}>
      <button
        type="button"
        className={`jq-chip jq-chip--${chipTone(word)}`}
        aria-expanded={open}
        aria-label={t('kernel.label', { state })}
        title={t('kernel.tip')}
        data-state={word}
        onClick={() => setOpen(!open)}
      >
        <span className="jq-chip-dot" />
        <span className="jq-chip-word">{state}</span>
        {facts.queued > 0 && <span className="jq-chip-count">{facts.queued}</span>}
        <Icon name="chevron" size={12} />
      </button>
      {open && (
        <div className="jq-chip-panel">
          <dl>
            <dt>{t('kernel.environment')}</dt>
            <dd>{environment}</dd>
            {kernel?.network && (
              <>
                <dt>{t('kernel.network')}</dt>
                <dd>{networkText(kernel.network, t)}</dd>
              </>
            )}
            {facts.queued > 0 && (
              <>
                <dt>{state}</dt>
                <dd>{t('kernel.queued', { n: facts.queued })}</dd>
              </>
            )}
          </dl>
          <p>{t('kernel.tip')}</p>
          <div className="jq-chip-actions">
            <Button kind="plain" icon="restart" onClick={() => (setOpen(false), restart())}>
              {t(live ? 'run.restart' : 'kernel.again')}
            </Button>
            {live && kernel && (
              <Button kind="plain" icon="stop" onClick={() => (setOpen(false), void link.stop())}>
                {t('run.stop')}
              </Button>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** The environment's display name, else its own name. */
export function environmentName(boot: Boot, name: string | null | undefined): string {
  const id = name ?? boot.session?.kernel?.name ?? boot.kernelspecs?.default ?? '';
  const spec = boot.kernelspecs?.kernelspecs[id]?.spec;
  return typeof spec?.['display_name'] === 'string' ? spec['display_name'] : id;
}

export function networkText(network: string, t: ReturnType<typeof useT>): string {
  return t(network === 'none' ? 'kernel.network.none' : 'kernel.network.egress');
}
