/** The notebook of the page as one object: widget, kernel, saving and commands together. */
import type { Cell, CodeCell } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';
import { type KernelError, NotebookActions } from '@jupyterlab/notebook';
import type { ICodeCell, INotebookContent } from '@jupyterlab/nbformat';

import type { Lang, NotebookFile } from '../../core/boot.ts';
import type { Contents } from '../../core/contents.ts';
import type { KernelLink } from '../../core/kernelLink.ts';
import { Saver } from '../../core/saver.ts';
import type { Drafts } from '../../core/drafts.ts';
import type { Command } from '../../core/shortcuts.ts';
import { Store } from '../../core/store.ts';
import { studioWords } from '../../i18n/studio.ts';
import { labelEditors } from './a11y.ts';
import { buildNotebook, type NotebookParts } from './build.ts';
import { type CommandHost, perform, runAll } from './commands.ts';
import { Completion } from './completion.ts';
import { installExecutor } from './execution.ts';
import { updateHint } from './fullwidthHint.ts';
import { listenKeys } from './keyboard.ts';
import { Tooltips } from './tooltip.ts';
import { studioTranslator } from './translator.ts';

const HTML = 'text/html';

export interface NotebookUi {
  /** The type of the active cell, and whether anything is selected at all. */
  cellType: 'code' | 'markdown' | 'raw';
  asksRestart: 'no' | 'restart' | 'run-all';
  showsHelp: boolean;
  /** What the live region says. */
  live: string;
}

export class NotebookController {
  readonly parts: NotebookParts;
  readonly saver: Saver;
  readonly ui = new Store<NotebookUi>({ cellType: 'code', asksRestart: 'no', showsHelp: false, live: '' });
  readonly readOnly: boolean;
  private readonly host: CommandHost;

  constructor(
    file: NotebookFile,
    readonly link: KernelLink,
    private readonly contents: Contents,
    drafts: Drafts,
    private readonly lang: Store<Lang>,
  ) {
    this.readOnly = file.writable === false;
    const translator = studioTranslator(() => lang.get());
    this.parts = buildNotebook({ content: file.content, resolver: this.resolver(file.path), translator, readOnly: this.readOnly });
    const { notebook, model, widgets } = this.parts;
    this.saver = new Saver(
      {
        path: file.path,
        content: () => model.toJSON(),
        head: (path) => contents.head(path),
        put: (path, content) => contents.saveNotebook(path, content),
        drafts,
        now: () => Date.now(),
      },
      file.hash ?? null,
      file.last_modified ?? null,
    );
    const completion = new Completion(notebook);
    const tooltips = new Tooltips(notebook);
    this.host = {
      notebook,
      link,
      completion,
      tooltips,
      save: () => void this.saver.save(),
      restart: () => this.askRestart(),
      help: () => this.ui.patch({ showsHelp: true }),
    };
    installExecutor(link);
    link.onContext((context) => {
      completion.use(context);
      widgets.use(context);
    });
    if (!this.readOnly) model.contentChanged.connect(() => this.saver.changed());
    notebook.activeCellChanged.connect(() => this.showCellType());
    const label = labelEditors(notebook, () => studioWords(lang.get()));
    lang.subscribe(label);
    NotebookActions.executed.connect((_, run) => {
      if (run.notebook === notebook) this.executed(run.cell, run.success, run.error ?? null);
    });
    listenKeys(notebook.node, { completion, tooltips, perform: (command) => this.do(command) });
    this.showCellType();
  }

  get notebook(): Notebook {
    return this.parts.notebook;
  }

  /** Outputs from elsewhere whose scripts were held back. */
  get hasForeignOutputs(): boolean {
    return [...this.parts.model.cells].some((cell) => {
      if (cell.type !== 'code' || cell.trusted) return false;
      const outputs = (cell.toJSON() as ICodeCell).outputs;
      return outputs.some((output) => 'data' in output && typeof output.data === 'object' && HTML in (output.data as object));
    });
  }

  do(command: Command): void {
    perform(command, this.host);
    this.showCellType();
  }

  /** A command from the toolbar; the focus goes back to the notebook, so that the keyboard goes on working. */
  press(command: Command): void {
    this.do(command);
    if (command !== 'help' && command !== 'restart') this.notebook.activate();
  }

  runAll(): void {
    runAll(this.notebook, this.link);
    this.notebook.activate();
  }

  clearOutputs(): void {
    NotebookActions.clearAllOutputs(this.notebook);
  }

  insert(type: 'code' | 'markdown'): void {
    NotebookActions.insertBelow(this.notebook);
    if (type === 'markdown') NotebookActions.changeCellType(this.notebook, 'markdown');
    this.notebook.mode = 'edit';
    this.showCellType();
  }

  /** Asks first only when a kernel lives: a start of a stopped one loses nothing. */
  askRestart(then: 'restart' | 'run-all' = 'restart'): void {
    if (this.link.gate.isOpen) this.ui.patch({ asksRestart: then });
    else void this.restart(then);
  }

  async restart(then: 'restart' | 'run-all'): Promise<void> {
    this.ui.patch({ asksRestart: 'no' });
    await this.link.restart();
    if (then === 'run-all') this.runAll();
  }

  /** The cursor goes into the first code cell, unless that would scroll or open a phone's keyboard. */
  focusFirst(): void {
    const { notebook } = this;
    const index = notebook.widgets.findIndex((cell) => cell.model.type === 'code');
    if (index < 0) return;
    notebook.activeCellIndex = index;
    const cell = notebook.widgets[index];
    if (!cell || !matchMedia('(min-width: 768px) and (hover: hover)').matches) return;
    void cell.ready.then(() => {
      if (notebook.activeCellIndex !== index || cell.node.getBoundingClientRect().bottom > innerHeight) return;
      notebook.mode = 'edit';
      // The widget moves the focus inside itself only; here it is still at the page.
      if (document.activeElement === document.body) cell.editor?.focus();
    });
  }

  replaceContent(content: unknown): void {
    this.parts.model.fromJSON(content as INotebookContent);
  }

  readonly choices = {
    mine: () => this.saver.save({ force: true }),
    theirs: async (): Promise<void> => {
      const file = await this.contents.get(this.path);
      this.replaceContent(file.content);
      this.saver.adopt(file.hash ?? null, file.last_modified);
    },
    copy: async (): Promise<string> => {
      const name = copyName(this.path, new Date());
      await this.contents.saveNotebook(name, this.parts.model.toJSON());
      await this.choices.theirs();
      return name;
    },
  };

  private get path(): string {
    return this.resolverPath;
  }

  private resolverPath = '';

  private resolver(path: string): { resolveUrl(url: string): Promise<string>; getDownloadUrl(url: string): Promise<string> } {
    this.resolverPath = path;
    const folder = path.split('/').slice(0, -1).join('/');
    const local = (url: string): boolean => !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url);
    return {
      resolveUrl: (url) => Promise.resolve(local(url) ? joinPath(folder, decodeURIComponentSafely(url)) : url),
      getDownloadUrl: (path) => Promise.resolve(local(path) ? this.contents.fileUrl(path) : path),
    };
  }

  private showCellType(): void {
    const type = this.notebook.activeCell?.model.type;
    if (type === 'code' || type === 'markdown' || type === 'raw') this.ui.patch({ cellType: type });
  }

  private executed(cell: Cell, success: boolean, error: KernelError | null): void {
    if (cell.model.type !== 'code') return;
    const t = studioWords(this.lang.get());
    const name = error?.errorName ?? '';
    // A space more or less makes the same words news to a screen reader.
    const live = success ? t('live.done') : t('live.failed', { name });
    this.ui.patch({ live: this.ui.get().live === live ? `${live} ` : live });
    updateHint(cell as CodeCell, success ? null : name, t);
  }
}

function joinPath(folder: string, url: string): string {
  const parts = folder ? folder.split('/') : [];
  for (const step of url.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.' && step !== '') parts.push(step);
  }
  return parts.join('/');
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `a.ipynb` → `a-副本-1405.ipynb`, in the same folder. */
export function copyName(path: string, now: Date): string {
  const stamp = `${String(now.getHours()).padStart(2, '0')}${String(now.getMinutes()).padStart(2, '0')}${String(now.getSeconds()).padStart(2, '0')}`;
  return path.replace(/(\.ipynb)?$/, `-副本-${stamp}.ipynb`);
}
