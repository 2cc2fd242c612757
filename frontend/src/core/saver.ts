/** Saves the notebook by itself: soon after a change, again after a failure, never over someone else's change. */
import type { Drafts } from './drafts.ts';
import type { FileEntry } from './contents.ts';
import { ProblemError } from './problems.ts';
import { advanceSave, freshSave, retryDelay, type SaveEvent, type SaveMachine } from './saveState.ts';
import { Store } from './store.ts';

export interface SaverPort {
  path: string;
  content(): unknown;
  head(path: string): Promise<Pick<FileEntry, 'hash' | 'last_modified'>>;
  put(path: string, content: unknown): Promise<Pick<FileEntry, 'hash' | 'last_modified'>>;
  drafts: Drafts;
  now(): number;
}

const QUIET_MS = 1500;
/** Outputs change the notebook all the time while a cell runs: a save is made in between all the same. */
const LATEST_MS = 15_000;

export class Saver {
  readonly machine = new Store<SaveMachine>(freshSave);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private dirtySince: number | null = null;
  private running: Promise<boolean> | null = null;

  constructor(
    private readonly port: SaverPort,
    private hash: string | null,
    private modified: string | null = null,
  ) {}

  changed(): void {
    this.step({ type: 'changed' });
    const { kind } = this.machine.get().state;
    if (kind === 'conflict' || kind === 'failed') return;
    const now = this.port.now();
    this.dirtySince ??= now;
    this.schedule(Math.max(0, Math.min(QUIET_MS, this.dirtySince + LATEST_MS - now)));
  }

  /** Saves now; true when the file holds what the page shows. `force` writes over another's change. */
  save(options: { force?: boolean } = {}): Promise<boolean> {
    clearTimeout(this.timer);
    this.running ??= this.write(options.force ?? false).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** After a conflict was decided for the other version: what is shown now is the file. */
  adopt(hash: string | null, modified: string | null): void {
    this.hash = hash;
    this.modified = modified;
    clearTimeout(this.timer);
    this.machine.set({ ...this.machine.get(), retries: 0, state: { kind: 'saved', at: this.port.now() } });
  }

  get hasUnsaved(): boolean {
    const { state } = this.machine.get();
    return state.kind !== 'saved';
  }

  /** Keeps the content in this browser; the page calls it also when it is closed with unsaved changes. */
  async keepDraft(): Promise<void> {
    const { path, drafts } = this.port;
    await drafts.put({ path, content: this.port.content(), base: this.hash, at: this.port.now() });
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private step(event: SaveEvent): void {
    this.machine.set(advanceSave(this.machine.get(), event));
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), ms);
  }

  private async write(force: boolean): Promise<boolean> {
    const { port } = this;
    this.step({ type: 'started' });
    this.dirtySince = null;
    const content = port.content();
    try {
      const before = force ? null : await port.head(port.path);
      if (before && this.differs(before)) {
        await this.keepDraft().catch(() => undefined);
        this.step({ type: 'conflict', at: before.last_modified ?? null });
        return false;
      }
      const after = await port.put(port.path, content);
      const known = after.hash ? after : await port.head(port.path);
      this.hash = known.hash ?? null;
      this.modified = known.last_modified ?? null;
      this.step({ type: 'saved', at: port.now() });
      await port.drafts.remove(port.path).catch(() => undefined);
    } catch (error) {
      await this.keepDraft().catch(() => undefined);
      const problem = error instanceof ProblemError ? error.problem : null;
      const code = problem?.code ?? 'net.unreachable';
      this.step({ type: 'failed', code, why: problem?.title ?? '' });
      this.schedule(retryDelay(this.machine.get().retries) * 1000);
      return false;
    }
    if (this.machine.get().state.kind === 'dirty') {
      this.dirtySince = port.now();
      this.schedule(QUIET_MS);
    }
    return true;
  }

  private differs(now: Pick<FileEntry, 'hash' | 'last_modified'>): boolean {
    if (this.hash && now.hash) return this.hash !== now.hash;
    return Boolean(this.modified && now.last_modified && this.modified !== now.last_modified);
  }
}
