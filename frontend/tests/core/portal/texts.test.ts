/** Times, sizes, browsers and snippets as people read and copy them. */
import { expect, test } from 'vitest';

import { agentName } from '../../../src/core/portal/agents.ts';
import { ago, moment } from '../../../src/core/portal/moments.ts';
import { size } from '../../../src/core/portal/sizes.ts';
import { badgeTexts, pythonExample, serverUrl } from '../../../src/core/portal/snippets.ts';

const now = new Date('2026-11-30T14:05:00');

test('a moment reads 2026年11月30日 14:05, also after midnight', () => {
  expect(moment('2026-11-30T14:05:00', 'zh-CN')).toBe('2026年11月30日 14:05');
  expect(moment('2026-11-30T00:05:00', 'zh-CN')).toBe('2026年11月30日 00:05');
  expect(moment('2026-11-30T14:05:00', 'en')).toBe('30 Nov 2026, 14:05');
  expect(moment('not a time', 'en')).toBe('not a time');
});

test('how long ago is said in the largest whole unit, with a space after the digits', () => {
  expect(ago('2026-11-30T12:05:00', 'zh-CN', now)).toBe('2 小时前');
  expect(ago('2026-11-29T13:05:00', 'en', now)).toBe('1 day ago');
  expect(ago('2026-11-30T14:04:30', 'zh-CN', now)).toBe('刚刚');
});

test('a clock that is ahead of the server’s shows no time from the future', () => {
  expect(ago('2026-11-30T14:07:00', 'zh-CN', now)).toBe('刚刚');
});

test('bytes are short', () => {
  expect([0, 1023, 3_565_158, 2_147_483_648, 21_474_836_480].map(size)).toEqual(['0 B', '1023 B', '3.4 MB', '2 GB', '20 GB']);
});

test('a browser is called by its name, not by those it pretends to be', () => {
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
  expect(agentName(windows)).toBe('Chrome · Windows');
  expect(agentName(`${windows} Edg/140.0`)).toBe('Edge · Windows');
  expect(agentName('Mozilla/5.0 (Linux; Android 15) Chrome/130 Safari/537 MicroMessenger/8.0')).toBe('微信 WeChat · Android');
  expect(agentName('curl/8.5')).toBeNull();
});

test('a badge links its picture to the lesson, and no title breaks out of it', () => {
  const texts = badgeTexts({ link: 'https://x.cn/open/a', image: 'https://x.cn/badge/a.svg', alt: '打开 [第 1 课] "<b>"' });
  expect(texts.markdown).toBe('[![打开 \\[第 1 课\\] "<b>"](https://x.cn/badge/a.svg)](https://x.cn/open/a)');
  expect(texts.html).toBe('<a href="https://x.cn/open/a"><img src="https://x.cn/badge/a.svg" alt="打开 [第 1 课] &#34;&#60;b&#62;&#34;"></a>');
});

test('the address for Jupyter clients carries the token behind one slash', () => {
  expect(serverUrl('http://127.0.0.1:8000/user/u1', 'a+b')).toBe('http://127.0.0.1:8000/user/u1/?token=a%2Bb');
  expect(serverUrl('http://127.0.0.1:8000/user/u1/', 't')).toBe('http://127.0.0.1:8000/user/u1/?token=t');
  expect(pythonExample('http://127.0.0.1:8000/user/u1/', 't')).toContain('server_url="http://127.0.0.1:8000/user/u1", token="t"');
});
