/** JupyterLab's API clients with the boot data as their first answers: no request before the page is editable. */
import {
  type Kernel,
  KernelManager,
  type KernelSpec,
  KernelSpecManager,
  ServerConnection,
  type Session,
  SessionManager,
} from '@jupyterlab/services';
import { KernelAPIClient } from '@jupyterlab/services/lib/kernel/restapi';
import { KernelSpecAPIClient } from '@jupyterlab/services/lib/kernelspec/restapi';
import { SessionAPIClient } from '@jupyterlab/services/lib/session/restapi';

import type { Boot, Kernelspecs, SessionModel } from './boot.ts';
import { socketConstructor, takeEarly } from './earlySocket.ts';

/** Knows the sessions of this page only; nothing polls. `open` asks the server. */
export class PageSessions extends SessionAPIClient {
  private readonly models = new Map<string, Session.IModel>();

  constructor(settings: ServerConnection.ISettings, first: SessionModel | null) {
    super({ serverSettings: settings });
    if (first) this.remember(first as Session.IModel);
  }

  remember(model: Session.IModel): void {
    this.models.set(model.id, model);
  }

  forget(): void {
    this.models.clear();
  }

  override listRunning(): Promise<Session.IModel[]> {
    return Promise.resolve([...this.models.values()]);
  }

  /** The document's session on the server; made there if it has none, and then on the kernel with this id. */
  async open(document: { path: string; name: string }, kernel: { id: string; name: string }): Promise<Session.IModel> {
    const running = await super.listRunning();
    const found = running.find((model) => model.path === document.path && model.kernel?.id === kernel.id);
    const model = found ?? (await super.startNew({ ...document, type: 'notebook', kernel } as Session.ISessionOptions));
    this.remember(model);
    return model;
  }
}

/** Waits for an unreachable server itself (JupyterLab sleeps 10 to 30 s), and reports a missing kernel as dead. */
export class PageKernels extends KernelAPIClient {
  constructor(
    settings: ServerConnection.ISettings,
    private readonly sessions: PageSessions,
    private readonly onAttempt: (attempt: number) => void,
  ) {
    super({ serverSettings: settings });
  }

  override async listRunning(): Promise<Kernel.IModel[]> {
    const sessions = await this.sessions.listRunning();
    return sessions.flatMap((session) => (session.kernel ? [session.kernel] : []));
  }

  override async getModel(id: string): Promise<Kernel.IModel> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const model = await super.getModel(id);
        this.onAttempt(0);
        return model ?? ({ id, name: '', execution_state: 'dead' } as Kernel.IModel);
      } catch (error) {
        const status = (error as { response?: Response }).response?.status;
        // Gone, or no longer this person's: the platform's API says which.
        if (status && status < 500) return { id, name: '', execution_state: 'dead' } as Kernel.IModel;
        this.onAttempt(attempt);
        await pause(Math.min(1000 * attempt, 5000));
      }
    }
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      globalThis.removeEventListener?.('online', done);
      resolve();
    }
    globalThis.addEventListener?.('online', done);
  });

/** The shape that `KernelSpecAPIClient.get` makes of the server's answer. */
export function specModels(raw: Kernelspecs | null): KernelSpec.ISpecModels {
  const kernelspecs: Record<string, KernelSpec.ISpecModel> = {};
  for (const [name, entry] of Object.entries(raw?.kernelspecs ?? {})) {
    kernelspecs[name] = { ...entry.spec, name, resources: entry.resources } as unknown as KernelSpec.ISpecModel;
  }
  return { default: raw?.default ?? '', kernelspecs };
}

class PageSpecs extends KernelSpecAPIClient {
  constructor(
    settings: ServerConnection.ISettings,
    private readonly first: KernelSpec.ISpecModels,
  ) {
    super({ serverSettings: settings });
  }

  override get(): Promise<KernelSpec.ISpecModels> {
    return Promise.resolve(this.first);
  }
}

/** Gives every connection of the page the session id that its early websocket carries. */
class PageKernelManager extends KernelManager {
  constructor(
    options: KernelManager.IOptions,
    private readonly clientId: string | undefined,
  ) {
    super(options);
  }

  override connectTo(options: Omit<Kernel.IKernelConnection.IOptions, 'serverSettings'>): Kernel.IKernelConnection {
    // A reconnection with another session id would look like a second page to the server.
    return super.connectTo(this.clientId ? { ...options, clientId: this.clientId } : options);
  }
}

export interface Services {
  settings: ServerConnection.ISettings;
  sessionClient: PageSessions;
  kernels: KernelManager;
  sessions: SessionManager;
  specs: KernelSpecManager;
}

/** Settings for everything below `/user/<id>/`: the XSRF token comes from the boot data, its cookie is out of reach here. */
export function connectionSettings(boot: Boot): ServerConnection.ISettings {
  const base = new URL(boot.base_url, location.href).href;
  const early = { taken: takeEarly() };
  return ServerConnection.makeSettings({
    baseUrl: base,
    wsUrl: base.replace(/^http/, 'ws'),
    appendToken: false,
    WebSocket: socketConstructor(() => {
      const mine = early.taken;
      early.taken = undefined;
      return mine;
    }),
    fetch: (input: RequestInfo | URL, init?: RequestInit) => {
      if (input instanceof Request) input.headers.set('X-XSRFToken', boot.xsrf.jupyter);
      return fetch(input, init);
    },
  });
}

export function makeServices(boot: Boot, onAttempt: (attempt: number) => void): Services {
  const clientId = window.__jiqiEarly?.session;
  const settings = connectionSettings(boot);
  const specModel = specModels(boot.kernelspecs);
  const sessionClient = new PageSessions(settings, boot.session?.kernel ? boot.session : null);
  const kernelAPIClient = new PageKernels(settings, sessionClient, onAttempt);
  const kernelSpecAPIClient = new PageSpecs(settings, specModel);
  const kernels = new PageKernelManager({ serverSettings: settings, kernelAPIClient, kernelSpecAPIClient }, clientId);
  const sessions = new SessionManager({ serverSettings: settings, kernelManager: kernels, sessionAPIClient: sessionClient });
  const specs = new KernelSpecManager({ serverSettings: settings, kernelSpecAPIClient });
  return { settings, sessionClient, kernels, sessions, specs };
}
