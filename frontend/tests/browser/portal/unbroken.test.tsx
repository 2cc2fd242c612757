/** A page whose code does not arrive says so, and leaves the rest alone. */
import { lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import { Unbroken } from '../../../src/app/portal/Unbroken.tsx';
import { WordsProvider } from '../../../src/ui/portal/Words.tsx';

test('a chunk that is gone after an update ends in a way to reload, not in a blank page', async () => {
  const Gone = lazy(() => Promise.reject<{ default: () => null }>(new TypeError('Failed to fetch dynamically imported module')));
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(
    <WordsProvider initial="zh-CN">
      <Unbroken>
        <Suspense fallback="…">
          <Gone />
        </Suspense>
      </Unbroken>
    </WordsProvider>,
  );
  await expect.element(page.getByRole('alert')).toHaveTextContent('这一页没有画出来');
  await expect.element(page.getByRole('button', { name: '刷新页面' })).toBeVisible();
  root.unmount();
});
