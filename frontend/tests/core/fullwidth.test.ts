/** Full-width punctuation: found outside strings and comments only, and mended in place. */
import { expect, test } from 'vitest';

import { findFullwidth, mendFullwidth } from '../../src/core/fullwidth.ts';

const marks = (source: string): string => findFullwidth(source).map((found) => found.mark).join('');

test('a call written with Chinese marks becomes Python, its text stays as it was', () => {
  expect(mendFullwidth('print（“你好，世界！”）')).toBe('print("你好，世界！")');
});

test.each([
  ['x = [1，2，3]', 'x = [1,2,3]'],
  ['if x：\n    y ＝ x；', 'if x:\n    y = x;'],
  ['for i in range（１０）：', 'for i in range(10):'],
  ['x\u3000= 1', 'x = 1'],
  ["s = ‘好’", "s = '好'"],
  ['a 《 b', 'a < b'],
])('%s is mended', (source, mended) => {
  expect(mendFullwidth(source)).toBe(mended);
});

test.each([
  '# 注释，里面有标点。',
  "print('你好，世界。')",
  '"""文档：\n第一行，第二行。\n"""',
  "x = f'{a}，{b}'",
  "s = 'it\\'s，'",
  'r"\\d，"',
])('%s has nothing to mend', (source) => {
  expect(findFullwidth(source)).toEqual([]);
  expect(mendFullwidth(source)).toBe(source);
});

test('the line and the place of a mark are told', () => {
  expect(findFullwidth('a = 1\n\nb = （a）')).toEqual([
    { at: 11, line: 3, mark: '（', instead: '(' },
    { at: 13, line: 3, mark: '）', instead: ')' },
  ]);
});

test('a quote that was never closed ends with its line', () => {
  expect(marks("s = 'abc，\nx = 1，2")).toBe('，');
});

test('an opening mark without a partner does not swallow the rest', () => {
  expect(marks('print(“你好)\nx = 1，2')).toBe('“，');
});

test('mending keeps the length, so that the cursor stays where it was', () => {
  const source = 'f（“a”，［1］）';
  expect(mendFullwidth(source)).toHaveLength(source.length);
});

test('Chinese names and plain code are left alone', () => {
  expect(findFullwidth('学习率 = 0.1\n损失 = 学习率 * 2')).toEqual([]);
});
