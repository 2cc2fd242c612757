/** axe (WCAG 2.1 A and AA) finds nothing on the studio page: notebook, files panel, dialogs, problem. */
import '../../../src/ui/tokens.css';
import '../../../src/ui/ui.css';

import axe from 'axe-core';
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';

import { Studio } from '../../../src/app/studio/Studio.tsx';
import { type Boot, type Lang, parseBoot } from '../../../src/core/boot.ts';
import { Contents } from '../../../src/core/contents.ts';
import { IndexedDrafts } from '../../../src/core/drafts.ts';
import { KernelLink } from '../../../src/core/kernelLink.ts';
import { Platform } from '../../../src/core/platform.ts';
import { Store } from '../../../src/core/store.ts';
import { NotebookController } from '../../../src/features/notebook/controller.ts';
import { WordsProvider } from '../../../src/ui/words.tsx';

const content = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: [
    { id: 'a', cell_type: 'markdown', source: '# 标题\n\n一段话，[链接](https://example.org)，`代码`。', metadata: {} },
    {
      id: 'b',
      cell_type: 'code',
      source: '# 注释\nimport math\ndef f(x):\n    return "字" + str(x) + 1.5',
      metadata: {},
      execution_count: 1,
      outputs: [{ output_type: 'stream', name: 'stdout', text: '好\n' }],
    },
  ],
};

/** Lets React draw what the step changed. */
async function act(step: () => unknown): Promise<void> {
  await step();
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

let root: Root | null = null;
let link: KernelLink | null = null;

async function show(change: Partial<Boot> = {}): Promise<NotebookController | null> {
  document.documentElement.lang = 'zh-CN';
  document.title = '工作台';
  document.body.className = 'jp-ThemedContainer';
  const host = document.createElement('div');
  document.body.append(host);
  const boot = parseBoot(
    JSON.stringify({
      lang: 'zh-CN',
      user: { id: 'u1', name: '小林', role: 'guest' },
      base_url: '/user/u1/',
      portal_url: '',
      project: { id: 'p1', name: '实验', folder: '实验', environment: 'torch-cpu' },
      path: '实验/a.ipynb',
      notebook: { name: 'a.ipynb', path: '实验/a.ipynb', content, hash: 'h' },
      isolated: false,
      ...change,
    }),
  );
  const lang = new Store<Lang>(boot.lang);
  const contents = new Contents(boot);
  const platform = new Platform(boot);
  const drafts = new IndexedDrafts('u1');
  link = new KernelLink(boot, platform);
  const controller = boot.notebook && !boot.problem ? new NotebookController(boot.notebook, link, contents, drafts, lang) : null;
  root = createRoot(host);
  const page: ReactNode = (
    <WordsProvider lang={lang}>
      <Studio boot={boot} lang={lang} contents={contents} platform={platform} drafts={drafts} controller={controller} />
    </WordsProvider>
  );
  await act(async () => root?.render(page));
  return controller;
}

async function violations(): Promise<string[]> {
  const result = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] });
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`).join(' | ')}`);
}

afterEach(async () => {
  await act(async () => root?.unmount());
  link?.dispose();
  document.body.replaceChildren();
});

/** Waits for what a busy machine does late. */
const soon = (check: () => unknown): Promise<unknown> => vi.waitFor(check, 30_000);

test('the notebook with its banners', async () => {
  await show();
  await soon(() => expect(document.querySelector('.jp-CodeCell .cm-content')).not.toBeNull());
  await soon(() => expect(document.querySelector('.jp-MarkdownOutput h1')).not.toBeNull());
  await soon(() => expect(document.querySelector('.cm-content[aria-label="代码单元 2"]')).not.toBeNull());
  expect(await violations()).toEqual([]);
});

test('the files panel, the menu and the state panel', async () => {
  await show({ isolated: true });
  const press = async (selector: string): Promise<void> => act(async () => (document.querySelector(selector) as HTMLElement).click());
  await press('[aria-label="打开文件面板"]');
  await press('.jq-toolbar .jq-menu > button');
  expect(await violations()).toEqual([]);
  await press('.jq-chip');
  expect(await violations()).toEqual([]);
});

test('the dialog before a restart and the list of shortcuts', async () => {
  const controller = await show();
  await act(async () => controller?.ui.patch({ asksRestart: 'restart' }));
  expect(await violations()).toEqual([]);
  await act(async () => controller?.ui.patch({ asksRestart: 'no', showsHelp: true }));
  expect(await violations()).toEqual([]);
});

test('the page of a problem', async () => {
  await show({ problem: { title: '', status: 404, code: 'document.missing' } });
  expect(await violations()).toEqual([]);
});
