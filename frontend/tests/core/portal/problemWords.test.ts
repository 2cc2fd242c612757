/** Every error reads as a sentence in the reader's language. */
import { expect, test } from 'vitest';

import { fill, tell } from '../../../src/core/portal/problemWords.ts';
import { ProblemError, problemOf, UnreachableError } from '../../../src/core/problems.ts';
import { isPortalKey, portalWords } from '../../../src/i18n/portal.ts';

const template = (language: 'zh-CN' | 'en') => (code: string) => {
  const key = `error.${code}`;
  return isPortalKey(key) ? portalWords(language)(key) : null;
};
const refused = (status: number, code: string, params: Record<string, unknown> = {}): ProblemError =>
  new ProblemError({ title: 'T', detail: 'the server’s own words', status, code, params, request_id: 'r1' });

test('a known code is said in both languages with its parameters', () => {
  const error = refused(429, 'login.throttled', { minutes: 15 });
  expect(tell(error, template('zh-CN')).text).toBe('这个账号尝试次数过多，15 分钟后再试');
  expect(tell(error, template('en')).text).toBe('Too many tries for this account; wait 15 min');
  expect(tell(refused(401, 'login.failed'), template('zh-CN')).text).toBe('用户名或密码不对');
});

test('an unknown code, or one whose parameter is missing, is said in the server’s words', () => {
  expect(tell(refused(409, 'something.new'), template('zh-CN')).text).toBe('the server’s own words');
  expect(tell(refused(429, 'login.throttled'), template('zh-CN')).text).toBe('the server’s own words');
});

test('code and number are kept, and only what may help is offered again', () => {
  expect(tell(refused(400, 'password.weak', { least: 8 }), template('en'))).toMatchObject({ code: 'password.weak', requestId: 'r1', again: false });
  expect(tell(refused(503, 'docker.down'), template('en')).again).toBe(true);
});

test('no answer at all says that the action may not have arrived', () => {
  const told = tell(new UnreachableError('Failed to fetch'), template('zh-CN'));
  expect(told).toMatchObject({ code: 'network.down', requestId: null, again: true });
  expect(told.text).toContain('连不上服务器');
});

test('a page of a proxy while the server restarts is not shown as it is', async () => {
  const page = new Response('<html><h1>502 Bad Gateway</h1></html>', { status: 502, statusText: 'Bad Gateway' });
  const told = tell(new ProblemError(await problemOf(page)), template('zh-CN'));
  expect(told.text).toBe(portalWords('zh-CN')('error.unavailable'));
});

test('a fault of this page itself is owned up to', () => {
  expect(tell(new TypeError('x is undefined'), template('en')).text).toBe(portalWords('en')('error.internal'));
});

test('a sentence with a hole is no sentence', () => {
  expect(fill('wait {minutes} min', { minutes: 3 })).toBe('wait 3 min');
  expect(fill('wait {minutes} min', {})).toBeNull();
  expect(fill('at {x}', { x: { toString: () => 'object' } })).toBeNull();
});
