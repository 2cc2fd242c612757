/** The toolbar over the notebook. */
import type { ReactNode } from 'react';

import { canRun, chipWord } from '../../core/kernelState.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { useStore, useT } from '../../ui/words.tsx';
import type { NotebookController } from './controller.ts';

const MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const CTRL = MAC ? '⌘' : 'Ctrl+';

export function Toolbar({ controller, extra }: { controller: NotebookController; extra?: ReactNode }): ReactNode {
  const t = useT();
  const { facts } = useStore(controller.link.state);
  const { cellType } = useStore(controller.ui);
  const word = chipWord(facts);
  const runnable = canRun(word);
  const why = word === 'blocked' ? t('ws.blocked') : undefined;
  const busy = word === 'busy' || word === 'input' || facts.queued > 0;
  const readOnly = controller.readOnly;
  return (
    <div className="jq-toolbar" role="toolbar" aria-label={t('studio.toolbar')}>
      <Button kind="primary" icon="play" keys="Shift+Enter" title={why ?? t('run.run')} disabled={!runnable} onClick={() => controller.press('run-advance')}>
        {t('run.run')}
      </Button>
      <Button icon="stop" title={t('run.interrupt')} keys="I I" disabled={!busy} onClick={() => controller.press('interrupt')}>
        {t('run.interrupt')}
      </Button>
      <Button icon="restart" title={t('run.restart')} keys="0 0" onClick={() => controller.askRestart()}>
        {t('run.restart')}
      </Button>
      <Button icon="runAll" title={why ?? t('run.all')} disabled={!runnable} onClick={() => controller.runAll()}>
        {t('run.all')}
      </Button>
      <span className="jq-toolbar-rule" />
      <Button icon="plus" title={t('cell.add')} keys="B" disabled={readOnly} onClick={() => controller.insert('code')}>
        {t('cell.add.code')}
      </Button>
      <Button icon="plus" title={t('cell.add.text')} disabled={readOnly} className="jq-not-small" onClick={() => controller.insert('markdown')}>
        {t('cell.add.markdown')}
      </Button>
      <select
        className="jq-select jq-not-small"
        aria-label={t('cell.type')}
        value={cellType}
        disabled={readOnly}
        onChange={(event) => controller.press(`to-${event.target.value}` as 'to-code' | 'to-markdown' | 'to-raw')}
      >
        <option value="code">{t('cell.type.code')}</option>
        <option value="markdown">{t('cell.type.markdown')}</option>
        <option value="raw">{t('cell.type.raw')}</option>
      </select>
      <Button icon="save" label={t('save.now')} keys={`${CTRL}S`} disabled={readOnly} className="jq-not-small" onClick={() => controller.press('save')} />
      <Menu
        label={t('studio.menu')}
        items={[
          { text: t('run.restartAll'), icon: 'runAll', act: () => controller.askRestart('run-all') },
          null,
          { text: t('cell.add.text'), icon: 'plus', act: () => controller.insert('markdown'), disabled: readOnly },
          { text: t('cell.up'), icon: 'up', keys: `${CTRL}Shift+↑`, act: () => controller.press('move-up'), disabled: readOnly },
          { text: t('cell.down'), icon: 'chevron', keys: `${CTRL}Shift+↓`, act: () => controller.press('move-down'), disabled: readOnly },
          { text: t('cell.delete'), icon: 'trash', keys: 'D D', act: () => controller.press('delete-cell'), disabled: readOnly },
          { text: t('cell.undo'), icon: 'refresh', keys: 'Z', act: () => controller.press('undo-cell'), disabled: readOnly },
          { text: t('cell.clear'), icon: 'close', act: () => controller.clearOutputs(), disabled: readOnly },
          null,
          { text: t('save.now'), icon: 'save', keys: `${CTRL}S`, act: () => controller.press('save'), disabled: readOnly },
          { text: t('studio.help'), icon: 'keyboard', keys: 'H', act: () => controller.press('help') },
        ]}
      />
      {extra}
    </div>
  );
}
