/** Boot data: what the page accepts, and what it refuses to guess. */
import { expect, test } from 'vitest';

import { BootError, isLive, parseBoot } from '../../src/core/boot.ts';
import { Platform } from '../../src/core/platform.ts';
import { nameFault } from '../../src/core/contents.ts';
import { bytesText } from '../../src/core/upload.ts';

const whole = {
  lang: 'zh-CN',
  user: { id: 'u1', name: '小林', role: 'guest' },
  base_url: '/user/u1',
  portal_url: 'http://localhost:8000/',
  project: { id: 'p1', name: '实验', folder: '实验', environment: 'torch-cpu' },
  path: '实验/a b.ipynb',
  xsrf: { jupyter: 'x', portal: 'y' },
};

test('a base url ends with a slash and the portal url without one', () => {
  const boot = parseBoot(JSON.stringify(whole));
  expect([boot.base_url, boot.portal_url]).toEqual(['/user/u1/', 'http://localhost:8000']);
});

test('what is missing has a quiet default', () => {
  const boot = parseBoot(JSON.stringify({ ...whole, lang: 'fr' }));
  expect(boot).toMatchObject({ lang: 'zh-CN', kernel: null, session: null, notebook: null, isolated: true });
});

test.each(['', 'nonsense', 'null', '{}', '{"user":{"id":"u"}}'])('%j is refused', (source) => {
  expect(() => parseBoot(source)).toThrow(BootError);
});

test('a problem needs nothing else', () => {
  expect(parseBoot('{"problem":{"title":"","status":404,"code":"document.missing"}}').problem?.code).toBe('document.missing');
});

test('a path is counted from inside the project and encoded once', () => {
  const platform = new Platform(parseBoot(JSON.stringify(whole)));
  expect(platform.uploadUrl('实验/文件 名 <&">.csv')).toBe(`/api/v1/projects/p1/files/${encodeURIComponent('文件 名 <&">.csv')}`);
});

test('only a kernel that lives or comes is connected to', () => {
  expect(['requested', 'starting', 'restarting', 'ready'].every((word) => isLive(word as never))).toBe(true);
  expect(['stopping', 'stopped', 'failed', null].some((word) => isLive(word as never))).toBe(false);
});

test.each([
  ['', 'empty'],
  ['  ', 'empty'],
  ['a/b', 'slash'],
  ['..', 'dots'],
  ['好'.repeat(100), 'long'],
  ['文件 名 <\'&">.ipynb', null],
])('the name %j is judged %s', (name, fault) => {
  expect(nameFault(name)).toBe(fault);
});

test('sizes are short', () => {
  expect([0, 900, 1536, 5 * 1024 ** 2, 2 * 1024 ** 3].map(bytesText)).toEqual(['0 B', '900 B', '1.5 KB', '5.0 MB', '2.0 GB']);
});
