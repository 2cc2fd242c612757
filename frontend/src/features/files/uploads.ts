/** The uploads that run and have run: a small store with one place for progress, end and cancel. */
import type { Platform } from '../../core/platform.ts';
import { Store } from '../../core/store.ts';
import { upload, UploadCancelledError, type UploadTask } from '../../core/upload.ts';

export interface Upload {
  key: number;
  name: string;
  sent: number;
  total: number;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  error: unknown;
}

export class Uploads {
  readonly list = new Store<Upload[]>([]);
  private readonly tasks = new Map<number, UploadTask>();
  private next = 1;

  constructor(
    private readonly platform: Platform,
    private readonly finished: () => void,
  ) {}

  async add(folder: string, file: File): Promise<void> {
    const key = this.next++;
    const entry: Upload = { key, name: file.name, sent: 0, total: file.size, state: 'running', error: null };
    this.list.set([...this.list.get(), entry]);
    const url = this.platform.uploadUrl(folder ? `${folder}/${file.name}` : file.name);
    const task = upload(url, file, {
      headers: this.platform.xsrfHeaders,
      progress: (sent) => this.change(key, { sent }),
    });
    this.tasks.set(key, task);
    try {
      await task.done;
      this.change(key, { state: 'done', sent: file.size });
      setTimeout(() => this.remove(key), 4000);
      this.finished();
    } catch (error) {
      this.change(key, { state: error instanceof UploadCancelledError ? 'cancelled' : 'failed', error });
    } finally {
      this.tasks.delete(key);
    }
  }

  cancel(key: number): void {
    this.tasks.get(key)?.cancel();
  }

  remove(key: number): void {
    this.list.set(this.list.get().filter((entry) => entry.key !== key));
  }

  private change(key: number, change: Partial<Upload>): void {
    this.list.set(this.list.get().map((entry) => (entry.key === key ? { ...entry, ...change } : entry)));
  }
}
