/** Notices of saving: a failure that is retried, a conflict to decide, and changes found in this browser. */
import { type ReactNode, useState } from 'react';

import type { Draft } from '../../core/drafts.ts';
import type { Saver } from '../../core/saver.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { timeText, useLang, useStore, useT } from '../../ui/words.tsx';
import { saveReason } from './reasons.ts';

export interface ConflictChoices {
  mine(): Promise<unknown>;
  theirs(): Promise<unknown>;
  copy(): Promise<unknown>;
}

export function SaveNotices({ saver, choices }: { saver: Saver; choices: ConflictChoices }): ReactNode {
  const t = useT();
  const { state } = useStore(saver.machine);
  if (state.kind === 'conflict') return <Conflict at={state.at} choices={choices} />;
  if (state.kind !== 'failed') return null;
  return (
    <Banner
      tone="danger"
      icon="cloudOff"
      code={state.code}
      actions={
        <Button kind="plain" icon="save" onClick={() => void saver.save()}>
          {t('save.now')}
        </Button>
      }
    >
      {t('save.failed', { why: saveReason(state.code, t) })}
    </Banner>
  );
}

function Conflict({ at, choices }: { at: string | null; choices: ConflictChoices }): ReactNode {
  const t = useT();
  const lang = useLang();
  const [busy, setBusy] = useState(false);
  const choose = (choice: () => Promise<unknown>) => async () => {
    setBusy(true);
    await choice().finally(() => setBusy(false));
  };
  return (
    <Dialog
      title={t('save.conflict.title')}
      onClose={() => void choose(choices.copy)()}
      actions={
        <>
          <Button kind="plain" disabled={busy} onClick={() => void choose(choices.theirs)()}>
            {t('save.conflict.theirs')}
          </Button>
          <Button kind="plain" disabled={busy} onClick={() => void choose(choices.mine)()}>
            {t('save.conflict.mine')}
          </Button>
          <Button kind="primary" disabled={busy} onClick={() => void choose(choices.copy)()}>
            {t('save.conflict.copy')}
          </Button>
        </>
      }
    >
      {t('save.conflict.body', { time: timeText(at, lang) })}
    </Dialog>
  );
}

export function DraftNotice({ draft, use, drop }: { draft: Draft; use: () => void; drop: () => void }): ReactNode {
  const t = useT();
  const lang = useLang();
  return (
    <Banner
      tone="info"
      title={t('save.draft.title')}
      actions={
        <>
          <Button kind="primary" onClick={use}>
            {t('save.draft.use')}
          </Button>
          <Button kind="plain" onClick={drop}>
            {t('save.draft.drop')}
          </Button>
        </>
      }
    >
      {t('save.draft.body', { time: timeText(draft.at, lang) })}
    </Banner>
  );
}
