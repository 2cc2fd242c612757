/** The notebook's own dialogs: before a restart, and the list of shortcuts. */
import type { ReactNode } from 'react';

import type { StudioKey } from '../../i18n/studio.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useStore, useT } from '../../ui/words.tsx';
import type { NotebookController } from './controller.ts';

export function NotebookDialogs({ controller }: { controller: NotebookController }): ReactNode {
  const { asksRestart, showsHelp } = useStore(controller.ui);
  if (asksRestart !== 'no') return <RestartDialog controller={controller} then={asksRestart} />;
  return showsHelp ? <HelpDialog close={() => controller.ui.patch({ showsHelp: false })} /> : null;
}

function RestartDialog({ controller, then }: { controller: NotebookController; then: 'restart' | 'run-all' }): ReactNode {
  const t = useT();
  const close = (): void => controller.ui.patch({ asksRestart: 'no' });
  return (
    <Dialog
      title={t('restart.title')}
      onClose={close}
      actions={
        <>
          <Button kind="plain" onClick={close}>
            {t('studio.cancel')}
          </Button>
          <Button kind="primary" onClick={() => void controller.restart(then)}>
            {t(then === 'run-all' ? 'restart.all' : 'restart.do')}
          </Button>
        </>
      }
    >
      {t('restart.body')}
    </Dialog>
  );
}

const editKeys: [string, StudioKey][] = [
  ['Shift+Enter', 'help.run'],
  ['Ctrl+Enter', 'help.stay'],
  ['Alt+Enter', 'help.insert'],
  ['Tab', 'help.complete'],
  ['Shift+Tab', 'help.tooltip'],
  ['Ctrl+S', 'help.save'],
  ['Ctrl+Shift+-', 'help.split'],
  ['Esc', 'help.leave'],
];

const commandKeys: [string, StudioKey][] = [
  ['Enter', 'help.enter'],
  ['A · B', 'help.above'],
  ['D D', 'help.delete'],
  ['Z', 'help.undo'],
  ['X · C · V', 'help.copy'],
  ['Y · M · R', 'help.types'],
  ['Ctrl+Shift+↑ ↓', 'help.move'],
  ['Shift+M', 'help.merge'],
  ['I I', 'help.interrupt'],
  ['0 0', 'help.restart'],
];

function HelpDialog({ close }: { close: () => void }): ReactNode {
  const t = useT();
  const list = (title: StudioKey, keys: [string, StudioKey][]): ReactNode => (
    <section>
      <h3>{t(title)}</h3>
      <dl className="jq-keys">
        {keys.map(([press, key]) => (
          <div key={key}>
            <dt>
              <kbd>{press}</kbd>
            </dt>
            <dd>{t(key)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
  return (
    <Dialog
      wide
      title={t('help.title')}
      onClose={close}
      actions={
        <Button kind="primary" onClick={close}>
          {t('studio.close')}
        </Button>
      }
    >
      <div className="jq-help">
        {list('help.edit', editKeys)}
        {list('help.command', commandKeys)}
      </div>
    </Dialog>
  );
}
