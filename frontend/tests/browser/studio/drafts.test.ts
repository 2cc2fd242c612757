/** Drafts in this browser's IndexedDB. */
import { expect, test } from 'vitest';

import { IndexedDrafts } from '../../../src/core/drafts.ts';

test('a draft is kept per path and person, replaced, and removed', async () => {
  const mine = new IndexedDrafts(`u-${crypto.randomUUID()}`);
  const other = new IndexedDrafts(`u-${crypto.randomUUID()}`);
  expect(await mine.get('a.ipynb')).toBeNull();
  await mine.put({ path: 'a.ipynb', content: { cells: [] }, base: 'h', at: 1 });
  await mine.put({ path: 'a.ipynb', content: { cells: ['新'] }, base: 'h', at: 2 });
  expect(await mine.get('a.ipynb')).toEqual({ path: 'a.ipynb', content: { cells: ['新'] }, base: 'h', at: 2 });
  expect(await other.get('a.ipynb')).toBeNull();
  await mine.remove('a.ipynb');
  expect(await mine.get('a.ipynb')).toBeNull();
});
