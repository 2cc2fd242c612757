/** The state chip: one word from everything known. */
import { expect, test } from 'vitest';

import { canRun, type ChipWord, chipTone, chipWord, initialFacts, type KernelFacts } from '../../src/core/kernelState.ts';

const ready: KernelFacts = { ...initialFacts, platform: 'ready', connection: 'connected', execution: 'idle' };

test.each<[string, Partial<KernelFacts>, ChipWord]>([
  ['a connected idle kernel', {}, 'ready'],
  ['a busy kernel', { execution: 'busy' }, 'busy'],
  ['input() waits', { execution: 'busy', pendingInput: true }, 'input'],
  ['a document without kernel', { platform: null, connection: 'none' }, 'none'],
  ['a requested kernel', { platform: 'requested', connection: 'none' }, 'preparing'],
  ['a starting kernel whose socket waits', { platform: 'starting', connection: 'connecting' }, 'preparing'],
  ['a ready kernel whose socket is not open yet', { connection: 'connecting' }, 'preparing'],
  ['a cut connection', { connection: 'lost', execution: 'unknown' }, 'reconnecting'],
  ['a restart asked for here', { restarting: true, connection: 'lost' }, 'restarting'],
  ['a restart by the platform', { platform: 'restarting' }, 'restarting'],
  ['a restart told by the kernel', { execution: 'autorestarting' }, 'restarting'],
  ['a stop on its way', { platform: 'stopping' }, 'stopping'],
  ['a stopped kernel', { platform: 'stopped', connection: 'none' }, 'stopped'],
  ['a death that only the websocket told', { execution: 'dead' }, 'stopped'],
  ['a failed start', { platform: 'failed', connection: 'none' }, 'failed'],
  ['a blocked websocket', { connection: 'connecting', blocked: true }, 'blocked'],
])('%s', (_, change, word) => {
  expect(chipWord({ ...ready, ...change })).toBe(word);
});

test('a run may be asked for while the kernel is on its way, not while nothing can reach it', () => {
  expect(['preparing', 'restarting', 'reconnecting', 'stopped', 'failed', 'none'].every((word) => canRun(word as ChipWord))).toBe(true);
  expect(canRun('blocked')).toBe(false);
});

test('what needs a person is never shown in the colour of rest', () => {
  expect(chipTone('failed')).toBe('danger');
  expect(chipTone('blocked')).toBe('danger');
  expect(chipTone('input')).toBe('warn');
});
