/** A modal dialog on the browser's own `<dialog>`: focus stays inside, Esc closes. */
import { type ReactNode, useEffect, useId, useRef } from 'react';

interface Props {
  title: string;
  children?: ReactNode;
  actions: ReactNode;
  onClose: () => void;
  wide?: boolean;
}

export function Dialog({ title, children, actions, onClose, wide = false }: Props): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement as HTMLElement | null;
    dialog?.showModal();
    // A field first, else the action that loses nothing; the browser would take whatever comes first.
    dialog?.querySelector<HTMLElement>('input, .jq-dialog-actions .jq-button--primary')?.focus();
    return () => {
      dialog?.close();
      before?.focus?.();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={`jq-dialog ${wide ? 'is-wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2 id={id}>{title}</h2>
      {children && <div className="jq-dialog-body">{children}</div>}
      <div className="jq-dialog-actions">{actions}</div>
    </dialog>
  );
}
