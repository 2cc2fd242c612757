/** The portal's words keep to the product's tone. */
import { expect, test } from 'vitest';

import { zhCN } from '../../../src/i18n/zh-CN.ts';

const words = Object.entries(zhCN);

test('people are 你, nobody shouts, nothing is 失败 or 非法, nobody is 抱歉', () => {
  const banned = /您|！|失败|非法|抱歉/;
  expect(words.filter(([, text]) => banned.test(text))).toEqual([]);
});

test('请稍后再试 never stands alone: every error says what to do or what became of the work', () => {
  expect(words.filter(([, text]) => text.includes('稍后再试'))).toEqual([]);
});

test('Han and Latin letters or digits are a space apart', () => {
  const tight = /[\p{Script=Han}][A-Za-z0-9]|[A-Za-z0-9][\p{Script=Han}]/u;
  expect(words.filter(([, text]) => tight.test(text))).toEqual([]);
});

test('marks in Chinese prose are full-width', () => {
  const half = /[\p{Script=Han}][,;:?!]/u;
  expect(words.filter(([, text]) => half.test(text))).toEqual([]);
});
