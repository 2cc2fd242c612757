/** Entry of the studio page: reads the boot data, makes the notebook editable, then the kernel. */
import '../ui/tokens.css';
import '../ui/ui.css';

import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';

import { type Boot, type Lang, parseBoot } from '../core/boot.ts';
import { Contents } from '../core/contents.ts';
import { IndexedDrafts } from '../core/drafts.ts';
import { KernelLink } from '../core/kernelLink.ts';
import { Platform } from '../core/platform.ts';
import { Store } from '../core/store.ts';
import { ProblemPage } from '../features/document/ProblemPage.tsx';
import { NotebookController } from '../features/notebook/controller.ts';
import { WordsProvider } from '../ui/words.tsx';
import { Studio } from './studio/Studio.tsx';

const root = createRoot(document.getElementById('root') as HTMLElement);

function open(boot: Boot): void {
  const lang = new Store<Lang>(boot.lang);
  document.documentElement.lang = boot.lang;
  const contents = new Contents(boot);
  const platform = new Platform(boot);
  const drafts = new IndexedDrafts(boot.user.id);
  const link = boot.notebook ? new KernelLink(boot, platform) : null;
  const controller = link && boot.notebook ? new NotebookController(boot.notebook, link, contents, drafts, lang) : null;
  // At once: the notebook is editable before anything asks the server.
  flushSync(() =>
    root.render(
      <WordsProvider lang={lang}>
        <Studio boot={boot} lang={lang} contents={contents} platform={platform} drafts={drafts} controller={controller} />
      </WordsProvider>,
    ),
  );
  if (!controller || !link) return;
  link.begin();
  const { saver } = controller;
  addEventListener('beforeunload', (event) => {
    if (!saver.hasUnsaved || controller.readOnly) return;
    void saver.keepDraft();
    event.preventDefault();
  });
  addEventListener('visibilitychange', () => {
    if (document.hidden && saver.machine.get().state.kind === 'dirty') void saver.save();
  });
}

try {
  open(parseBoot(document.getElementById('jiqi-boot')?.textContent ?? ''));
} catch (error) {
  console.error(error);
  const problem = { title: '', status: 500, code: (error as { code?: string }).code ?? 'page.broken' };
  root.render(<ProblemPage problem={problem} boot={{ portal_url: '' }} />);
}
