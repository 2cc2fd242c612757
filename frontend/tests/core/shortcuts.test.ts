/** Key presses: what they mean in each mode, and that an input method's presses mean nothing. */
import { expect, test } from 'vitest';

import { type Command, commandFor, type Mode, type Press } from '../../src/core/shortcuts.ts';

const press = (key: string, change: Partial<Press> = {}): Press => ({
  key,
  ctrl: false,
  meta: false,
  alt: false,
  shift: false,
  composing: false,
  ...change,
});

test.each<[string, Partial<Press>, Mode, Command | null]>([
  ['Enter', { shift: true }, 'edit', 'run-advance'],
  ['Enter', { ctrl: true }, 'edit', 'run-stay'],
  ['Enter', { meta: true }, 'edit', 'run-stay'],
  ['Enter', { alt: true }, 'edit', 'run-insert'],
  ['Enter', {}, 'edit', null],
  ['Enter', {}, 'command', 'edit-mode'],
  ['Escape', {}, 'edit', 'command-mode'],
  ['Tab', { shift: true }, 'edit', 'tooltip'],
  ['Tab', {}, 'edit', null],
  ['a', {}, 'edit', null],
  ['a', {}, 'command', 'insert-above'],
  ['B', { shift: false }, 'command', 'insert-below'],
  ['s', { ctrl: true }, 'edit', 'save'],
  ['s', { meta: true }, 'command', 'save'],
  ['c', { ctrl: true }, 'command', null],
  ['v', { meta: true }, 'command', null],
  ['M', { shift: true }, 'command', 'merge-cells'],
  ['Z', { shift: true }, 'command', 'redo-cell'],
  ['ArrowUp', { ctrl: true, shift: true }, 'command', 'move-up'],
  ['_', { ctrl: true, shift: true }, 'edit', 'split-cell'],
])('%s %o in %s mode means %s', (key, change, mode, command) => {
  expect(commandFor(press(key, change), mode)).toBe(command);
});

test.each<[string, Command]>([
  ['d', 'delete-cell'],
  ['i', 'interrupt'],
  ['0', 'restart'],
])('%s acts on the second press only', (key, command) => {
  expect(commandFor(press(key), 'command', null)).toBeNull();
  expect(commandFor(press(key), 'command', 'x')).toBeNull();
  expect(commandFor(press(key), 'command', key)).toBe(command);
});

test.each<Mode>(['edit', 'command'])('while an input method composes nothing is a command in %s mode', (mode) => {
  for (const key of ['Enter', 'Escape', 'a', 'Tab']) {
    expect(commandFor(press(key, { composing: true, shift: true }), mode)).toBeNull();
  }
  expect(commandFor(press('Process'), mode)).toBeNull();
});
