/** The two languages of the portal say the same things. */
import { expect, test } from 'vitest';

import { en } from '../../src/i18n/en.ts';
import { studioEn } from '../../src/i18n/studio.en.ts';
import { studioWords } from '../../src/i18n/studio.ts';
import { studioZh } from '../../src/i18n/studio.zh-CN.ts';
import { zhCN } from '../../src/i18n/zh-CN.ts';

const slots = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort();

test('every word of the portal has the same placeholders in both languages', () => {
  for (const [key, text] of Object.entries(zhCN)) expect(slots(en[key as keyof typeof zhCN]), key).toEqual(slots(text));
});

test('every word of the studio page has the same placeholders in both languages', () => {
  for (const [key, text] of Object.entries(studioZh)) expect(slots(studioEn[key as keyof typeof studioZh]), key).toEqual(slots(text));
});

test('the studio speaks as product.md asks: no 您, no ！, no 抱歉, no 请稍后再试', () => {
  for (const [key, text] of Object.entries(studioZh)) expect(text, key).not.toMatch(/您|！|抱歉|请稍后再试|非法/);
});

test('values are filled in, and what is not given stays visible', () => {
  const t = studioWords('zh-CN');
  expect(t('cell.code', { n: 3 })).toBe('代码单元 3');
  expect(t('cell.code')).toBe('代码单元 {n}');
});
