/** Which language a reader gets. */
import { expect, test } from 'vitest';

import { cookieValue, languageCookie, languageOf, negotiateLanguage } from '../../../src/core/portal/language.ts';

test('a choice in the address beats the cookie, the cookie beats the page, the page beats the browser', () => {
  const sources = { query: 'en', cookie: 'zh-CN', boot: 'zh-CN', preferred: ['zh-TW'] };
  expect(negotiateLanguage(sources)).toBe('en');
  expect(negotiateLanguage({ ...sources, query: null })).toBe('zh-CN');
  expect(negotiateLanguage({ boot: 'en', preferred: ['zh-CN'] })).toBe('en');
  expect(negotiateLanguage({ preferred: ['fr-FR', 'en-GB', 'zh-CN'] })).toBe('en');
});

test('whoever asks for neither language reads Chinese', () => {
  expect(negotiateLanguage({})).toBe('zh-CN');
  expect(negotiateLanguage({ query: 'klingon', cookie: '', preferred: ['fr', 'de-CH'] })).toBe('zh-CN');
});

test('every Chinese and every English tag is one of ours', () => {
  expect(['zh', 'zh-Hant-TW', 'ZH_cn'].map(languageOf)).toEqual(['zh-CN', 'zh-CN', 'zh-CN']);
  expect(['en', 'en-US', ' EN-gb '].map(languageOf)).toEqual(['en', 'en', 'en']);
  expect(['', null, undefined, 'enx', 'zho'].map(languageOf)).toEqual([null, null, null, null, null]);
});

test('a cookie is found by its whole name, and a broken one is taken as it is', () => {
  expect(cookieValue('a=1; jiqi_lang=en; b=2', 'jiqi_lang')).toBe('en');
  expect(cookieValue('xjiqi_lang=en', 'jiqi_lang')).toBeNull();
  expect(cookieValue('jiqi_xsrf=2|ab=cd', 'jiqi_xsrf')).toBe('2|ab=cd');
  expect(cookieValue('bad=%E0%A4', 'bad')).toBe('%E0%A4');
});

test('the choice is kept for a year, and only over https where the page is', () => {
  expect(languageCookie('en', { secure: false })).toBe('jiqi_lang=en; Path=/; Max-Age=31536000; SameSite=Lax');
  expect(languageCookie('zh-CN', { secure: true })).toContain('; Secure');
});
