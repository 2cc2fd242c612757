/** The boot data that the server writes into the studio page, and how it is read. */
import type { INotebookContent } from '@jupyterlab/nbformat';

export type Lang = 'zh-CN' | 'en';

export type KernelStatus = 'requested' | 'starting' | 'ready' | 'restarting' | 'stopping' | 'stopped' | 'failed';

export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail?: string;
  code: string;
  params?: Record<string, unknown>;
  request_id?: string;
}

export interface PlatformKernel {
  id: string;
  status: KernelStatus;
  reason: string | null;
  /** The reason as a sentence in the reader's language: what happened, what became of the work, what to do. */
  message?: string | null;
  generation: number;
  network: string | null;
  environment: string | null;
  /** Filled after the first start: the user's own packages kept the preloaded ones out (`shadowed`). */
  cold?: boolean;
  shadowed?: string[];
}

export interface KernelModel {
  id: string;
  name: string;
  execution_state?: string;
  last_activity?: string;
  connections?: number;
}

export interface SessionModel {
  id: string;
  path: string;
  name: string;
  type: string;
  kernel: KernelModel | null;
}

export interface NotebookFile {
  name: string;
  path: string;
  content: INotebookContent;
  hash?: string | null;
  last_modified?: string;
  writable?: boolean;
}

export interface Kernelspecs {
  default: string;
  kernelspecs: Record<string, { name: string; spec: Record<string, unknown>; resources: Record<string, string> }>;
}

export interface Boot {
  lang: Lang;
  user: { id: string; name: string; role: 'guest' | 'member' | 'admin' };
  base_url: string;
  portal_url: string;
  project: { id: string; name: string; folder: string; environment: string | null };
  path: string;
  notebook: NotebookFile | null;
  problem: Problem | null;
  session: SessionModel | null;
  kernel: PlatformKernel | null;
  kernelspecs: Kernelspecs | null;
  lesson: { id: string; title: string } | null;
  xsrf: { jupyter: string; portal: string };
  isolated: boolean;
  version: string;
}

export class BootError extends Error {
  readonly code = 'boot.unreadable';
}

const text = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

/** Reads boot data; raises `BootError` when a part without which no page can be drawn is missing. */
export function parseBoot(source: string): Boot {
  let raw: Partial<Boot>;
  try {
    raw = JSON.parse(source) as Partial<Boot>;
  } catch {
    throw new BootError('the boot data is not JSON');
  }
  if (typeof raw !== 'object' || raw === null) throw new BootError('the boot data is not an object');
  const { user, project } = raw;
  const anonymous = { id: '', name: '', role: 'guest' as const };
  if (!raw.problem && (!user?.id || !project?.id || !raw.base_url || !raw.path)) {
    throw new BootError('the boot data names no user, project or path');
  }
  return {
    lang: raw.lang === 'en' ? 'en' : 'zh-CN',
    user: user ?? anonymous,
    base_url: withSlash(text(raw.base_url, '/')),
    portal_url: text(raw.portal_url, '/').replace(/\/$/, ''),
    project: project ?? { id: '', name: '', folder: '', environment: null },
    path: text(raw.path, ''),
    notebook: raw.notebook ?? null,
    problem: raw.problem ?? null,
    session: raw.session ?? null,
    kernel: raw.kernel ?? null,
    kernelspecs: raw.kernelspecs ?? null,
    lesson: raw.lesson ?? null,
    xsrf: { jupyter: raw.xsrf?.jupyter ?? '', portal: raw.xsrf?.portal ?? '' },
    isolated: raw.isolated ?? true,
    version: text(raw.version, ''),
  };
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);

/** A kernel on its way or alive: its websocket may be opened now. */
export function isLive(status: KernelStatus | null | undefined): boolean {
  return status === 'requested' || status === 'starting' || status === 'restarting' || status === 'ready';
}
