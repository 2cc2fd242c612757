/** The dialogs of the files panel: a name, a deletion, a replacement. */
import { type FormEvent, type ReactNode, useState } from 'react';

import { nameFault } from '../../core/contents.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useT } from '../../ui/words.tsx';

export type Asked =
  | { kind: 'name'; title: string; first: string; done: string; act: (name: string) => Promise<void> }
  | { kind: 'sure'; title: string; body: string; done: string; danger: boolean; act: () => Promise<void> };

export function AskDialog({ asked, close }: { asked: Asked; close: () => void }): ReactNode {
  return asked.kind === 'name' ? <NameDialog asked={asked} close={close} /> : <SureDialog asked={asked} close={close} />;
}

function NameDialog({ asked, close }: { asked: Extract<Asked, { kind: 'name' }>; close: () => void }): ReactNode {
  const t = useT();
  const [name, setName] = useState(asked.first);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = nameFault(name);
    if (wrong) return setFault(t(`files.fault.${wrong}`));
    setBusy(true);
    try {
      await asked.act(name.trim());
      close();
    } catch (error) {
      setFault((error as Error).message);
      setBusy(false);
    }
  };
  // The whole base name is selected, so that typing replaces it and the extension stays.
  const select = (input: HTMLInputElement | null): void => {
    if (!input || input.dataset['seen']) return;
    input.dataset['seen'] = '1';
    const dot = asked.first.lastIndexOf('.');
    input.focus();
    input.setSelectionRange(0, dot > 0 ? dot : asked.first.length);
  };
  return (
    <Dialog
      title={asked.title}
      onClose={close}
      actions={
        <>
          <Button kind="plain" onClick={close}>
            {t('studio.cancel')}
          </Button>
          <Button kind="primary" type="submit" form="jq-name" disabled={busy}>
            {asked.done}
          </Button>
        </>
      }
    >
      <form id="jq-name" onSubmit={(event) => void submit(event)}>
        <label className="jq-field">
          {t('files.name')}
          <input
            ref={select}
            className="jq-input"
            value={name}
            aria-invalid={fault !== null}
            onChange={(event) => (setName(event.target.value), setFault(null))}
            onKeyDown={(event) => event.nativeEvent.isComposing && event.key === 'Enter' && event.preventDefault()}
          />
        </label>
        {fault && (
          <p className="jq-fault" role="alert">
            {fault}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function SureDialog({ asked, close }: { asked: Extract<Asked, { kind: 'sure' }>; close: () => void }): ReactNode {
  const t = useT();
  const [fault, setFault] = useState<string | null>(null);
  const act = async (): Promise<void> => {
    try {
      await asked.act();
      close();
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <Dialog
      title={asked.title}
      onClose={close}
      actions={
        <>
          <Button kind="plain" onClick={close}>
            {t('studio.cancel')}
          </Button>
          <Button kind={asked.danger ? 'danger' : 'primary'} onClick={() => void act()}>
            {asked.done}
          </Button>
        </>
      }
    >
      {asked.body}
      {fault && (
        <p className="jq-fault" role="alert">
          {fault}
        </p>
      )}
    </Dialog>
  );
}
