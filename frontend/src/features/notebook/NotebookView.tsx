/** Where the notebook widget sits in the page. */
import { MessageLoop } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

import { useStore } from '../../ui/words.tsx';
import type { NotebookController } from './controller.ts';

export function NotebookView({ controller }: { controller: NotebookController }): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const { live } = useStore(controller.ui);

  useLayoutEffect(() => {
    const node = host.current;
    if (!node) return undefined;
    const { notebook } = controller;
    Widget.attach(notebook, node);
    const resized = (): void => MessageLoop.sendMessage(notebook, Widget.ResizeMessage.UnknownSize);
    const observer = new ResizeObserver(resized);
    observer.observe(node);
    controller.focusFirst();
    // The page shows one notebook for its whole life; the widget goes with the page.
    return () => observer.disconnect();
  }, [controller]);

  return (
    <main className="jq-notebook" id="jq-notebook" tabIndex={-1}>
      {/* The class is where JupyterLab looks for the room that its hover boxes may take. */}
      <div className="jq-notebook-host jp-MainAreaWidget" ref={host} />
      <div className="jq-visually-hidden" role="status" aria-live="polite">
        {live}
      </div>
    </main>
  );
}
