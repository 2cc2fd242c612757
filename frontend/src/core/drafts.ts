/** Unsaved notebooks kept in this browser (IndexedDB) while the server does not take them. */

export interface Draft {
  path: string;
  content: unknown;
  /** The hash of the file that the draft was made from. */
  base: string | null;
  at: number;
}

export interface Drafts {
  put(draft: Draft): Promise<void>;
  get(path: string): Promise<Draft | null>;
  remove(path: string): Promise<void>;
}

const STORE = 'drafts';

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'));
  });
}

/** Drafts of one person: the database carries the user's id, since people share browsers in class. */
export class IndexedDrafts implements Drafts {
  private opening: Promise<IDBDatabase> | null = null;

  constructor(private readonly user: string) {}

  async put(draft: Draft): Promise<void> {
    await settled((await this.store('readwrite')).put(draft));
  }

  async get(path: string): Promise<Draft | null> {
    return ((await settled((await this.store('readonly')).get(path))) as Draft | undefined) ?? null;
  }

  async remove(path: string): Promise<void> {
    await settled((await this.store('readwrite')).delete(path));
  }

  private async store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    this.opening ??= this.open();
    return (await this.opening).transaction(STORE, mode).objectStore(STORE);
  }

  private open(): Promise<IDBDatabase> {
    const request = indexedDB.open(`jiqi-${this.user}`, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'path' });
    return settled(request);
  }
}
