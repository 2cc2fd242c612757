/** Forms refuse what the server would, before it is asked. */
import { expect, test } from 'vitest';

import { checkFilled, checkName, checkPassword, checkProjectName, sameName } from '../../../src/core/portal/forms.ts';

const key = (refusal: { key: string } | null): string | null => refusal?.key ?? null;

test('a name is counted in characters, also those outside the first plane', () => {
  expect(checkName('李华')).toBeNull();
  expect(checkName('𠮷'.repeat(40))).toBeNull();
  expect(checkName('𠮷'.repeat(41))).toEqual({ key: 'form.name.long', params: { limit: 40 } });
});

test('an empty name and one with unseen characters are refused', () => {
  expect(key(checkName('   '))).toBe('form.required');
  expect(key(checkName('li\u200bhua'))).toBe('form.name.control');
  expect(key(checkName('li\u202ehua'))).toBe('form.name.control');
});

test('a new password has 8 to 200 characters; at login any will do', () => {
  expect(key(checkPassword(''))).toBe('form.required');
  expect(checkPassword('1234567')).toEqual({ key: 'form.password.short', params: { least: 8 } });
  expect(checkPassword('一二三四五六七八')).toBeNull();
  expect(key(checkPassword('a'.repeat(201)))).toBe('form.password.long');
  expect(checkFilled('x')).toBeNull();
});

test('a project’s name is a folder’s: no slash, no leading dot, at most 200 bytes', () => {
  expect(checkProjectName('文件 名 <\'&">')).toBeNull();
  expect(key(checkProjectName(' '))).toBe('form.required');
  expect(key(checkProjectName('../x'))).toBe('form.project.dot');
  expect(key(checkProjectName('a/b'))).toBe('form.project.slash');
  expect(key(checkProjectName('a\\b'))).toBe('form.project.slash');
  expect(key(checkProjectName('a\0b'))).toBe('form.name.control');
  expect(checkProjectName('验'.repeat(66))).toBeNull();
  expect(checkProjectName('验'.repeat(67))).toEqual({ key: 'form.project.long', params: { limit: 200 } });
});

test('what must be typed to delete is compared as names are stored', () => {
  expect(sameName(' cafe\u0301 ', 'café')).toBe(true);
  expect(sameName('Café', 'café')).toBe(false);
});
