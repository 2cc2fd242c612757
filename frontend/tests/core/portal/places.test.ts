/** Where the portal sends people, and what it fetches ahead. */
import { expect, test } from 'vitest';

import { isPortalPage, loginPage, nextPage } from '../../../src/core/portal/nextPage.ts';
import { sameSite } from '../../../src/core/portal/prefetch.ts';

test('after a login one goes on to a page of this site and nowhere else', () => {
  expect(nextPage('?next=%2Fprojects')).toBe('/projects');
  expect(nextPage(loginPage('/p/abc/文件 1.ipynb?x=1#y').slice('/login'.length))).toBe('/p/abc/文件 1.ipynb?x=1#y');
  for (const bad of ['https://evil.cn', '//evil.cn', '/\\evil.cn', 'javascript:alert(1)', '', '/\t/evil.cn']) {
    expect(nextPage(`?next=${encodeURIComponent(bad)}`), bad).toBe('/');
  }
});

test('only the portal’s own pages are drawn without asking the server', () => {
  expect(['/', '/projects', '/projects?new', '/lessons/autograd', '/tokens/'].every(isPortalPage)).toBe(true);
  expect(['/p/abc/x.ipynb', '/lab', '/open/autograd', '/projectsx'].some(isPortalPage)).toBe(false);
});

test('the studio is fetched ahead only where the browser’s cache will be the same', () => {
  expect(sameSite('http://localhost:8000', 'http://127.0.0.1:8000')).toBe(false);
  expect(sameSite('https://jiqi.example.cn', 'https://nb.jiqi.example.cn')).toBe(true);
  expect(sameSite('https://jiqi.pku.edu.cn', 'https://jiqi.thu.edu.cn')).toBe(false);
  expect(sameSite('https://jiqi.lab.pku.edu.cn', 'https://nb.pku.edu.cn')).toBe(true);
  expect(sameSite('http://a.example.cn', 'https://a.example.cn')).toBe(false);
  expect(sameSite('http://10.0.0.5:8000', 'http://10.0.0.5:9000')).toBe(true);
  expect(sameSite('http://10.0.0.5', 'http://20.0.0.5')).toBe(false);
});
