/** Shift+Tab: signature and docstring of what the cursor stands on. */
import type { ISessionContext } from '@jupyterlab/apputils';
import { Text } from '@jupyterlab/coreutils';
import type { Notebook } from '@jupyterlab/notebook';
import { Tooltip } from '@jupyterlab/tooltip';
import type { JSONObject } from '@lumino/coreutils';
import { Widget } from '@lumino/widgets';

export class Tooltips {
  private shown: Tooltip | null = null;
  private asked = 0;

  constructor(private readonly notebook: Notebook) {}

  get isOpen(): boolean {
    return this.shown !== null;
  }

  close(): void {
    this.asked += 1;
    this.shown?.dispose();
    this.shown = null;
  }

  async show(context: ISessionContext | null): Promise<void> {
    this.close();
    const editor = this.notebook.activeCell?.editor;
    const kernel = context?.session?.kernel;
    if (!editor || !kernel) return;
    const mine = this.asked;
    const code = editor.model.sharedModel.getSource();
    const position = editor.getCursorPosition();
    // The kernel counts code points, the editor UTF-16 units.
    const offset = Text.jsIndexToCharIndex(editor.getOffsetAt(position), code);
    const reply = await kernel.requestInspect({ code, cursor_pos: offset, detail_level: 0 });
    if (mine !== this.asked || reply.content.status !== 'ok' || !reply.content.found) return;
    const tooltip = new Tooltip({
      anchor: this.notebook,
      bundle: reply.content.data as JSONObject,
      editor,
      rendermime: this.notebook.rendermime,
    });
    this.shown = tooltip;
    tooltip.disposed.connect(() => {
      if (this.shown === tooltip) this.shown = null;
    });
    Widget.attach(tooltip, document.body);
  }
}
