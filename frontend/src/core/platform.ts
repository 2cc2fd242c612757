/** The part of the platform's API that the studio page uses. */
import type { Boot, PlatformKernel } from './boot.ts';
import { type ApiOptions, requestJson } from './problems.ts';

export class Platform {
  constructor(private readonly boot: Boot) {}

  kernel(id: string): Promise<PlatformKernel> {
    return this.call(`kernels/${encodeURIComponent(id)}`);
  }

  /** Starts the document's kernel, or answers the one that lives already. */
  startKernel(options: { safe?: boolean } = {}): Promise<PlatformKernel> {
    const { project, path } = this.boot;
    const body = { project: project.id, path, environment: project.environment ?? undefined, ...options };
    return this.call('kernels', { method: 'POST', body });
  }

  stopKernel(id: string): Promise<unknown> {
    return this.call(`kernels/${encodeURIComponent(id)}/stop`, { method: 'POST', body: {} });
  }

  uploadUrl(path: string): string {
    const inside = this.pathInProject(path).split('/').map(encodeURIComponent).join('/');
    return `/api/v1/projects/${encodeURIComponent(this.boot.project.id)}/files/${inside}`;
  }

  get xsrfHeaders(): Record<string, string> {
    return { 'X-Jiqi-XSRF': this.boot.xsrf.portal };
  }

  /** Contents and kernels name files below the home, with the project's folder; uploads count from inside it. */
  pathInProject(path: string): string {
    const { folder } = this.boot.project;
    return folder && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
  }

  private call<T>(path: string, options: ApiOptions = {}): Promise<T> {
    return requestJson<T>(`/api/v1/${path}`, { ...options, headers: this.xsrfHeaders });
  }
}
