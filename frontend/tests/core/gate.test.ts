/** The gate: runs wait, go through, or are given up; none is lost without a word. */
import { expect, test } from 'vitest';

import { Gate, GateClosedError } from '../../src/core/gate.ts';

test('runs wait until the kernel is there, then go in their order', async () => {
  const gate = new Gate();
  const order: number[] = [];
  const runs = [1, 2, 3].map((n) => gate.pass().then(() => order.push(n)));
  expect(gate.waiting).toBe(3);
  gate.open();
  await Promise.all(runs);
  expect(order).toEqual([1, 2, 3]);
  expect(gate.waiting).toBe(0);
});

test('an open gate lets a run through at once, a closed one holds the next', async () => {
  const gate = new Gate();
  gate.open();
  await gate.pass();
  gate.close();
  void gate.pass();
  expect(gate.waiting).toBe(1);
});

test('a run that was given up says so in the word that JupyterLab knows', async () => {
  const gate = new Gate();
  const run = gate.pass();
  gate.abandon('stopped');
  await expect(run).rejects.toBeInstanceOf(GateClosedError);
  await expect(run).rejects.toThrow(/^Canceled/);
});

test('the count is told with each change', () => {
  const counts: number[] = [];
  const gate: Gate = new Gate(() => counts.push(gate.waiting));
  void gate.pass();
  void gate.pass();
  gate.open();
  expect(counts).toEqual([1, 2, 0]);
});
