/** Saving: the machine's steps, and a saver over a server and drafts held in memory. */
import { beforeEach, expect, test, vi } from 'vitest';

import type { Draft, Drafts } from '../../src/core/drafts.ts';
import { ProblemError, UnreachableError } from '../../src/core/problems.ts';
import { Saver } from '../../src/core/saver.ts';
import { advanceSave, freshSave, retryDelay, type SaveEvent, type SaveMachine } from '../../src/core/saveState.ts';

const walk = (...events: SaveEvent[]): SaveMachine => events.reduce(advanceSave, freshSave);

test('a change makes it dirty, a save clean again', () => {
  expect(walk({ type: 'changed' }).state.kind).toBe('dirty');
  expect(walk({ type: 'changed' }, { type: 'started' }, { type: 'saved', at: 7 }).state).toEqual({ kind: 'saved', at: 7 });
});

test('a change during a save leaves it dirty', () => {
  expect(walk({ type: 'changed' }, { type: 'started' }, { type: 'changed' }, { type: 'saved', at: 7 }).state.kind).toBe('dirty');
});

test('a failure stays visible while more is typed, and a success forgets its retries', () => {
  const failed = walk({ type: 'changed' }, { type: 'started' }, { type: 'failed', code: 'x', why: '' }, { type: 'changed' });
  expect(failed.state.kind).toBe('failed');
  expect(advanceSave(advanceSave(failed, { type: 'started' }), { type: 'saved', at: 1 }).retries).toBe(0);
});

test('retries slow down to one a minute', () => {
  expect([1, 2, 3, 9].map(retryDelay)).toEqual([2, 4, 8, 60]);
});

class MemoryDrafts implements Drafts {
  kept = new Map<string, Draft>();
  put(draft: Draft): Promise<void> {
    this.kept.set(draft.path, draft);
    return Promise.resolve();
  }
  get(path: string): Promise<Draft | null> {
    return Promise.resolve(this.kept.get(path) ?? null);
  }
  remove(path: string): Promise<void> {
    this.kept.delete(path);
    return Promise.resolve();
  }
}

/** A server with one file; `down` makes it fail the way it says. */
class MemoryFile {
  content = 'old';
  hash = 'h1';
  down: Error | null = null;
  puts = 0;
  private check(): void {
    if (this.down) throw this.down;
  }
  async head(): Promise<{ hash: string; last_modified: null }> {
    this.check();
    return { hash: this.hash, last_modified: null };
  }
  async put(_path: string, content: unknown): Promise<{ hash: string; last_modified: null }> {
    this.check();
    this.puts += 1;
    this.content = content as string;
    this.hash = `h${this.puts + 1}`;
    return { hash: this.hash, last_modified: null };
  }
}

let file: MemoryFile;
let drafts: MemoryDrafts;
let shown: string;
let saver: Saver;

beforeEach(() => {
  vi.useFakeTimers();
  file = new MemoryFile();
  drafts = new MemoryDrafts();
  shown = 'old';
  saver = new Saver(
    { path: 'a.ipynb', content: () => shown, head: () => file.head(), put: (path, content) => file.put(path, content), drafts, now: () => Date.now() },
    'h1',
  );
  return () => {
    saver.dispose();
    vi.useRealTimers();
  };
});

const type = (text: string): void => {
  shown = text;
  saver.changed();
};

test('it saves by itself once the typing rests', async () => {
  type('new');
  await vi.advanceTimersByTimeAsync(1600);
  expect(file.content).toBe('new');
  expect(saver.hasUnsaved).toBe(false);
});

test('it saves in between while changes never rest', async () => {
  for (let second = 0; second < 20; second += 1) {
    type(`output ${second}`);
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(file.puts).toBeGreaterThanOrEqual(1);
});

test('an unreachable server: the content is kept here, tried again, and the draft goes when it is saved', async () => {
  file.down = new UnreachableError('down');
  type('precious');
  await vi.advanceTimersByTimeAsync(1600);
  expect(saver.machine.get().state).toMatchObject({ kind: 'failed', code: 'net.unreachable' });
  expect(drafts.kept.get('a.ipynb')?.content).toBe('precious');
  file.down = null;
  await vi.advanceTimersByTimeAsync(2100);
  expect(file.content).toBe('precious');
  expect(drafts.kept.size).toBe(0);
});

test('a refusal tells its code', async () => {
  file.down = new ProblemError({ title: 'full', status: 507, code: 'disk.full' });
  type('x');
  await vi.advanceTimersByTimeAsync(1600);
  expect(saver.machine.get().state).toMatchObject({ kind: 'failed', code: 'disk.full' });
});

test('it never writes over a change made elsewhere', async () => {
  file.content = 'theirs';
  file.hash = 'other';
  type('mine');
  await vi.advanceTimersByTimeAsync(1600);
  expect(saver.machine.get().state.kind).toBe('conflict');
  expect(file.content).toBe('theirs');
  expect(drafts.kept.get('a.ipynb')?.content).toBe('mine');
});

test('mine wins a conflict only when it was chosen', async () => {
  file.hash = 'other';
  type('mine');
  await vi.advanceTimersByTimeAsync(1600);
  expect(await saver.save({ force: true })).toBe(true);
  expect(file.content).toBe('mine');
  type('more');
  await vi.advanceTimersByTimeAsync(1600);
  expect(saver.hasUnsaved).toBe(false);
});

test('two saves at once are one', async () => {
  type('x');
  const [first, second] = await Promise.all([saver.save(), saver.save()]);
  expect([first, second, file.puts]).toEqual([true, true, 1]);
});
