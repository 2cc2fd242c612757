/** The notebook widget as the page builds it, in a real browser. */
import '../../../src/ui/tokens.css';

import type { CodeCell } from '@jupyterlab/cells';
import type { CodeMirrorEditor } from '@jupyterlab/codemirror';
import { NotebookActions } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';
import { afterEach, expect, test, vi } from 'vitest';

import { Gate } from '../../../src/core/gate.ts';
import { labelEditors } from '../../../src/features/notebook/a11y.ts';
import { buildNotebook, type NotebookParts } from '../../../src/features/notebook/build.ts';
import { installExecutor } from '../../../src/features/notebook/execution.ts';
import { updateHint } from '../../../src/features/notebook/fullwidthHint.ts';
import { studioTranslator } from '../../../src/features/notebook/translator.ts';
import { studioWords } from '../../../src/i18n/studio.ts';

type RawCell = { cell_type: string; source: string; outputs?: unknown[]; metadata?: object };

let parts: NotebookParts | null = null;

function show(cells: RawCell[]): NotebookParts {
  document.body.classList.add('jp-ThemedContainer');
  const host = document.createElement('div');
  host.style.cssText = 'position:fixed;inset:0';
  document.body.append(host);
  const content = {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { name: 'python3', display_name: 'Python 3' }, language_info: { name: 'python' } },
    cells: cells.map((cell, index) => ({
      id: `c${index}`,
      metadata: {},
      ...(cell.cell_type === 'code' ? { outputs: [], execution_count: null } : {}),
      ...cell,
    })),
  };
  const resolver = { resolveUrl: (url: string) => Promise.resolve(url), getDownloadUrl: (url: string) => Promise.resolve(url) };
  parts = buildNotebook({ content: content as never, resolver, translator: studioTranslator(() => 'zh-CN') });
  Widget.attach(parts.notebook, host);
  return parts;
}

const code = (source: string, html?: string, metadata: object = {}): RawCell => ({
  cell_type: 'code',
  source,
  metadata,
  outputs: html ? [{ output_type: 'display_data', data: { 'text/html': html }, metadata: {} }] : [],
});

afterEach(() => {
  parts?.notebook.dispose();
  parts = null;
  document.body.replaceChildren();
});

const firstCell = (): CodeCell => parts?.notebook.widgets[0] as CodeCell;

/** Waits for what a busy machine does late. */
const soon = (check: () => unknown): Promise<unknown> => vi.waitFor(check, 30_000);

test('a cell is editable as soon as it is attached, and what is typed is in the notebook', async () => {
  const { notebook, model } = show([code('x = 1')]);
  await soon(() => expect(notebook.node.querySelector('.cm-content[contenteditable="true"]')).not.toBeNull());
  const { editor } = firstCell().editor as CodeMirrorEditor;
  editor.dispatch({ changes: { from: 0, insert: '# 注释\n' } });
  expect(model.toJSON()).toMatchObject({ cells: [{ source: '# 注释\nx = 1' }] });
});

test('start-up does not depend on the length: of 400 cells only those near the window are built', async () => {
  const { notebook } = show(Array.from({ length: 400 }, (_, index) => code(`print(${index})`)));
  await soon(() => expect(notebook.node.querySelectorAll('.cm-editor').length).toBeGreaterThan(3));
  expect(notebook.node.querySelectorAll('.cm-editor').length).toBeLessThan(120);
});

test('editors carry their number, also after a cell was put in front of them', async () => {
  const { notebook } = show([code('a'), { cell_type: 'markdown', source: 'b' }]);
  labelEditors(notebook, () => studioWords('zh-CN'));
  const names = (): (string | null)[] => notebook.widgets.map((cell) => cell.node.getAttribute('aria-label'));
  await soon(() => expect(names()).toEqual(['代码单元 1', '文本单元 2']));
  notebook.activeCellIndex = 0;
  NotebookActions.insertAbove(notebook);
  await soon(() => expect(names()).toEqual(['代码单元 1', '代码单元 2', '文本单元 3']));
  await soon(() => expect(notebook.node.querySelector('.cm-content[aria-label="代码单元 2"]')).not.toBeNull());
});

test('HTML of an untrusted notebook is shown without its scripts and handlers', async () => {
  const { notebook } = show([code('x', '<b onclick="window.hit=1">粗</b><script>window.hit=1</script><img src=x onerror="window.hit=1">')]);
  await soon(() => expect(notebook.node.querySelector('.jp-OutputArea b')?.textContent).toBe('粗'));
  const output = notebook.node.querySelector('.jp-OutputArea') as HTMLElement;
  expect(output.querySelector('script')).toBeNull();
  expect(output.innerHTML).not.toMatch(/onclick|onerror/);
  expect((window as { hit?: number }).hit).toBeUndefined();
});

test('scripts of a trusted output run', async () => {
  show([code('x', '<i id="own">i</i><script>document.getElementById("own").dataset.ran = "1"</script>', { trusted: true })]);
  await soon(() => expect(document.getElementById('own')?.dataset['ran']).toBe('1'));
});

test('markdown with a formula is typeset by our own MathJax', async () => {
  const { notebook } = show([{ cell_type: 'markdown', source: '# 标题\n\n损失 $\\frac{a}{b}$' }]);
  await soon(() => expect(notebook.node.querySelector('h1')?.textContent).toContain('标题'));
  await soon(() => expect(notebook.node.querySelector('mjx-container')).not.toBeNull());
});

test('a run before the kernel is there waits at its cell as "*" and starts one kernel; given up, the cell rests', async () => {
  const { notebook } = show([code('1 + 1')]);
  await firstCell().ready;
  const gate = new Gate();
  let started = 0;
  installExecutor({ gate, context: null, ensure: () => Promise.resolve(void (started += 1)) });
  notebook.activeCellIndex = 0;
  const run = NotebookActions.run(notebook);
  await soon(() => expect(gate.waiting).toBe(1));
  expect(firstCell().model.executionState).toBe('running');
  await soon(() => expect(firstCell().node.querySelector('.jp-InputPrompt')?.textContent).toContain('*'));
  gate.abandon('stopped');
  await run;
  expect(started).toBe(1);
  expect(firstCell().model.executionState).toBe('idle');
});

test('the hint of full-width marks names line and mark, and one click mends the cell', async () => {
  show([code('x = 1\nprint（x）')]);
  await firstCell().ready;
  updateHint(firstCell(), 'SyntaxError', studioWords('zh-CN'));
  const hint = document.querySelector('.jq-FullwidthHint') as HTMLElement;
  expect(hint.textContent).toContain('第 2 行有全角标点「（」');
  (hint.querySelector('button') as HTMLButtonElement).click();
  expect(firstCell().model.sharedModel.getSource()).toBe('x = 1\nprint(x)');
  expect(document.querySelector('.jq-FullwidthHint')).toBeNull();
});

test('another error brings no hint', async () => {
  show([code('print（x）')]);
  await firstCell().ready;
  updateHint(firstCell(), 'NameError', studioWords('zh-CN'));
  expect(document.querySelector('.jq-FullwidthHint')).toBeNull();
});
