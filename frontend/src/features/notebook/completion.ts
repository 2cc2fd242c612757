/** Completion with Tab, from the kernel and from the words of the notebook. */
import type { ISessionContext } from '@jupyterlab/apputils';
import {
  Completer,
  CompleterModel,
  CompletionHandler,
  ContextCompleterProvider,
  KernelCompleterProvider,
  ProviderReconciliator,
} from '@jupyterlab/completer';
import type { Notebook } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';

export class Completion {
  private readonly completer: Completer;
  private readonly handler: CompletionHandler;
  private context: ISessionContext | null = null;

  constructor(private readonly notebook: Notebook) {
    this.completer = new Completer({ editor: null, model: new CompleterModel() });
    this.completer.hide();
    Widget.attach(this.completer, document.body);
    this.handler = new CompletionHandler({ completer: this.completer, reconciliator: this.reconciliator() });
    const follow = (): void => this.follow();
    notebook.activeCellChanged.connect(follow);
    notebook.disposed.connect(() => {
      this.handler.dispose();
      this.completer.dispose();
    });
    follow();
  }

  use(context: ISessionContext): void {
    this.context = context;
    this.follow();
  }

  get isOpen(): boolean {
    return this.completer.isVisible;
  }

  /** Opens the list; false when there is nothing before the cursor to complete. */
  invoke(): boolean {
    const host = this.handler.editor?.host;
    if (!host?.classList.contains('jp-mod-completer-enabled')) return false;
    this.handler.invoke();
    return true;
  }

  /** Takes the chosen entry; false when no list is open. */
  accept(): boolean {
    if (!this.handler.editor?.host.classList.contains('jp-mod-completer-active')) return false;
    this.completer.selectActive();
    return true;
  }

  private follow(): void {
    this.handler.reconciliator = this.reconciliator();
    const cell = this.notebook.activeCell;
    this.handler.editor = cell?.model.type === 'code' ? cell.editor : null;
    // Cells outside the view have no editor yet.
    if (cell && !cell.editor) void cell.ready.then(() => cell === this.notebook.activeCell && this.follow());
  }

  private reconciliator(): ProviderReconciliator {
    return new ProviderReconciliator({
      context: {
        widget: this.notebook,
        editor: this.notebook.activeCell?.editor ?? null,
        session: this.context?.session ?? null,
      },
      providers: [new KernelCompleterProvider(), new ContextCompleterProvider()],
      // The first answer of a fresh kernel takes seconds, while it loads its completer.
      timeout: 10_000,
    });
  }
}
