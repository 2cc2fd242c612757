/** Jupyter's contents API for one user: notebooks and the files panel. */
import type { Boot } from './boot.ts';
import { requestJson } from './problems.ts';

export interface FileEntry {
  name: string;
  path: string;
  type: 'directory' | 'file' | 'notebook';
  size: number | null;
  last_modified: string | null;
  mimetype?: string | null;
  format?: 'text' | 'base64' | 'json' | null;
  content?: unknown;
  hash?: string | null;
}

const encode = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export class Contents {
  constructor(private readonly boot: Pick<Boot, 'base_url' | 'xsrf'>) {}

  async list(folder: string): Promise<FileEntry[]> {
    const model = await this.call<FileEntry>('GET', `${encode(folder)}?content=1&type=directory`);
    const entries = (model.content as FileEntry[] | null) ?? [];
    return entries.sort(
      (a, b) => Number(b.type === 'directory') - Number(a.type === 'directory') || a.name.localeCompare(b.name, 'zh-CN', { numeric: true }),
    );
  }

  /** What the file is now, without its content. */
  head(path: string): Promise<FileEntry> {
    return this.call('GET', `${encode(path)}?content=0&hash=1`);
  }

  get(path: string): Promise<FileEntry> {
    return this.call('GET', `${encode(path)}?content=1&hash=1`);
  }

  saveNotebook(path: string, content: unknown): Promise<FileEntry> {
    return this.call('PUT', encode(path), { type: 'notebook', format: 'json', content });
  }

  async newFolder(parent: string, name: string): Promise<void> {
    await this.call('PUT', encode(parent ? `${parent}/${name}` : name), { type: 'directory' });
  }

  newNotebook(parent: string): Promise<FileEntry> {
    return this.call('POST', encode(parent), { type: 'notebook' });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.call('PATCH', encode(from), { path: to });
  }

  async remove(path: string): Promise<void> {
    await this.call('DELETE', encode(path));
  }

  downloadUrl(path: string): string {
    return `${this.boot.base_url}files/${encode(path)}?download=1`;
  }

  fileUrl(path: string): string {
    return `${this.boot.base_url}files/${encode(path)}`;
  }

  private call<T>(method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
    const headers = { 'X-XSRFToken': this.boot.xsrf.jupyter };
    return requestJson<T>(`${this.boot.base_url}api/contents/${path}`, { method, headers, body });
  }
}

/** The reason why a name cannot be a file's, or null. */
export function nameFault(name: string): 'empty' | 'slash' | 'dots' | 'long' | null {
  const trimmed = name.trim();
  if (!trimmed) return 'empty';
  if (/[/\\\0]/.test(trimmed)) return 'slash';
  if (trimmed === '.' || trimmed === '..') return 'dots';
  return new TextEncoder().encode(trimmed).length > 240 ? 'long' : null;
}
