/** The two languages of the portal say the same things. */
import { expect, test } from 'vitest';

import { en } from '../../src/i18n/en.ts';
import { zhCN } from '../../src/i18n/zh-CN.ts';

const slots = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort();

test('every word of the portal has the same placeholders in both languages', () => {
  for (const [key, text] of Object.entries(zhCN)) expect(slots(en[key as keyof typeof zhCN]), key).toEqual(slots(text));
});
