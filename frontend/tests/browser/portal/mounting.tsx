/** Mounts the portal in the test's own page, with the API in memory at the far end of `fetch`. */
import '../../../src/ui/tokens.css';

import { QueryClientProvider } from '@tanstack/react-query';
import axe from 'axe-core';
import { createRoot, type Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect } from 'vitest';
import { cdp } from 'vitest/browser';

import { MemoryPortal, type MemoryOptions } from '../../../dev/memoryPortal.ts';
import { portalQueries } from '../../../src/api/queries.ts';
import { App } from '../../../src/app/portal/App.tsx';
import type { Lang } from '../../../src/core/boot.ts';
import { WordsProvider } from '../../../src/ui/portal/Words.tsx';

const network = globalThis.fetch;
let root: Root | null = null;

export interface Mounted {
  server: MemoryPortal;
  /** What the server was asked to change. */
  writes: () => string[];
}

export interface MountOptions extends MemoryOptions {
  language?: Lang;
  /** Comes before the API: an answer here is the answer. */
  before?: (request: Request) => Promise<Response> | null;
}

export function mount(path: string, { language = 'zh-CN', before, ...options }: MountOptions = {}): Mounted {
  const server = new MemoryPortal(options);
  document.cookie = `jiqi_lang=${language}; Path=/`;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    if (!new URL(request.url).pathname.startsWith('/api/')) return network(input, init);
    return before?.(request) ?? server.handle(request);
  };
  const place = document.createElement('div');
  document.body.append(place);
  root = createRoot(place);
  root.render(
    <QueryClientProvider client={portalQueries()}>
      <WordsProvider initial={language}>
        <MemoryRouter initialEntries={[path]}>
          <App />
        </MemoryRouter>
      </WordsProvider>
    </QueryClientProvider>,
  );
  return { server, writes: () => server.asked.filter((line) => !line.startsWith('GET')) };
}

beforeEach(() => scheme('light'));

afterEach(() => {
  root?.unmount();
  root = null;
  globalThis.fetch = network;
  document.body.replaceChildren();
  localStorage.clear();
});

/** Light or dark, as the reader's system asks for. */
export async function scheme(value: 'light' | 'dark'): Promise<void> {
  const session = cdp() as unknown as { send: (method: string, params: object) => Promise<unknown> };
  const features = [
    { name: 'prefers-color-scheme', value },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ];
  await session.send('Emulation.setEmulatedMedia', { features });
  // The page follows with its next picture.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}

/** No breach of WCAG 2.1 A or AA in what is drawn now. */
export async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
    // The test's own page around the portal has no title of ours.
    rules: { 'document-title': { enabled: false } },
  });
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join(' | ')}`);
  expect(told).toEqual([]);
}
