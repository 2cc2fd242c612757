/** The page's one connection to the document's kernel: prepares it, follows it, and says what it knows. */
import { type ISessionContext, SessionContext } from '@jupyterlab/apputils';

import { type Boot, isLive, type PlatformKernel, type Problem } from './boot.ts';
import { makeServices, type Services } from './bootClients.ts';
import { Gate } from './gate.ts';
import { chipWord, initialFacts, type KernelFacts } from './kernelState.ts';
import type { Platform } from './platform.ts';
import { ProblemError } from './problems.ts';
import { Store } from './store.ts';

export interface LinkState {
  facts: KernelFacts;
  kernel: PlatformKernel | null;
  /** Why the last start or restart did not work. */
  problem: Problem | null;
  /** The count of attempts to reach the server again; 0 while it answers. */
  attempt: number;
}

const BLOCKED_AFTER_MS = 5000;
const POLL_MS = 1000;

export class KernelLink {
  readonly state: Store<LinkState>;
  readonly gate: Gate;
  readonly services: Services;
  private current: SessionContext | null = null;
  private readonly contextListeners = new Set<(context: ISessionContext) => void>();
  private following = false;
  private disposed = false;

  constructor(
    private readonly boot: Boot,
    private readonly platform: Platform,
  ) {
    this.state = new Store<LinkState>({ facts: initialFacts, kernel: boot.kernel, problem: null, attempt: 0 });
    this.gate = new Gate(() => this.fact({ queued: this.gate.waiting }));
    this.services = makeServices(boot, (attempt) => this.state.patch({ attempt }));
  }

  get context(): ISessionContext | null {
    return this.current;
  }

  /** Calls back for the present and for every later session context; each kernel life has its own. */
  onContext(listener: (context: ISessionContext) => void): void {
    this.contextListeners.add(listener);
    if (this.current) listener(this.current);
  }

  /** Takes up what the boot data holds. No request is sent for a kernel that is ready. */
  begin(): void {
    const { kernel, session } = this.boot;
    this.fact({ platform: kernel?.status ?? (session?.kernel ? 'ready' : null) });
    if (session?.kernel && isLive(kernel?.status ?? 'ready')) void this.attach();
    if (kernel && isLive(kernel.status) && (kernel.status !== 'ready' || !session?.kernel)) void this.follow(kernel.id);
    if (!kernel && !session?.kernel) void this.ensure();
  }

  /** Makes sure that a kernel is on its way: before a run, and for 重新启动 of a stopped one. */
  async ensure(options: { safe?: boolean } = {}): Promise<void> {
    const word = chipWord(this.state.get().facts);
    if (this.following || !['none', 'stopped', 'failed'].includes(word)) return;
    this.state.patch({ problem: null });
    this.fact({ ...initialFacts, platform: 'requested', queued: this.gate.waiting });
    try {
      const kernel = await this.platform.startKernel(options);
      this.take(kernel);
      await this.follow(kernel.id);
    } catch (error) {
      this.fail(error);
    }
  }

  async restart(): Promise<void> {
    const word = chipWord(this.state.get().facts);
    const context = this.current;
    if (['none', 'stopped', 'failed'].includes(word) || !context?.session?.kernel) return this.ensure();
    this.gate.close();
    this.gate.abandon('restart');
    this.fact({ restarting: true, pendingInput: false });
    try {
      await context.restartKernel();
    } finally {
      this.fact({ restarting: false });
    }
    if (context.session?.kernel?.connectionStatus === 'connected') this.gate.open();
    void this.refresh();
  }

  async interrupt(): Promise<void> {
    this.gate.abandon('interrupt');
    // Without an answer the cell is seen to go on running, and the button is still there.
    await this.current?.session?.kernel?.interrupt().catch((error: unknown) => console.warn('interrupt', error));
  }

  /** Stops another kernel of this person, then starts this document's. */
  async stopOther(id: string): Promise<void> {
    await this.platform.stopKernel(id);
    await this.ensure();
  }

  async stop(): Promise<void> {
    const kernel = this.state.get().kernel;
    if (!kernel) return;
    this.fact({ platform: 'stopping' });
    await this.platform.stopKernel(kernel.id);
    await this.follow(kernel.id);
  }

  dispose(): void {
    this.disposed = true;
    this.gate.abandon('closed');
    this.current?.dispose();
  }

  private fact(change: Partial<KernelFacts>): void {
    const { facts } = this.state.get();
    const next = { ...facts, ...change };
    if ((Object.keys(change) as (keyof KernelFacts)[]).some((key) => facts[key] !== next[key])) this.state.patch({ facts: next });
  }

  private take(kernel: PlatformKernel): void {
    this.state.patch({ kernel });
    this.fact({ platform: kernel.status });
  }

  private fail(error: unknown): void {
    const problem: Problem =
      error instanceof ProblemError
        ? error.problem
        : { title: String(error), status: 0, code: (error as { code?: string }).code ?? 'kernel.start' };
    this.state.patch({ problem });
    this.fact({ platform: 'failed' });
    this.gate.abandon(problem.code);
  }

  /** Asks each second until the kernel has come to rest, then connects or gives the waiting runs up. */
  private async follow(id: string): Promise<void> {
    if (this.following) return;
    this.following = true;
    try {
      for (;;) {
        const kernel = await this.platform.kernel(id).catch((error: unknown) => {
          if (error instanceof ProblemError) throw error;
          return null;
        });
        if (this.disposed) return;
        this.fact({ offline: kernel === null });
        if (kernel) {
          this.take(kernel);
          if (kernel.status === 'ready') break;
          if (kernel.status === 'failed' || kernel.status === 'stopped') {
            this.end();
            return;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      await this.attach();
    } catch (error) {
      this.fail(error);
    } finally {
      this.following = false;
    }
  }

  /** Reads the platform's word again: the reason of a death is there. */
  private async refresh(): Promise<void> {
    const { kernel } = this.state.get();
    if (!kernel) return;
    try {
      this.take(await this.platform.kernel(kernel.id));
    } catch (error) {
      if (!(error instanceof ProblemError)) return;
      if (error.status === 404) this.fact({ platform: 'stopped' });
      else this.fail(error);
    }
  }

  private end(): void {
    this.gate.close();
    this.gate.abandon('stopped');
    this.fact({ connection: 'none', pendingInput: false });
  }

  private async attach(): Promise<void> {
    const { sessionClient, sessions, kernels, specs } = this.services;
    const kernel = this.state.get().kernel ?? (this.boot.session?.kernel as unknown as PlatformKernel | null);
    const live = this.current?.session?.kernel;
    if (!kernel || (live && live.id === kernel.id && live.status !== 'dead')) return;
    const name = this.boot.path.split('/').pop() ?? '';
    const [known] = await sessionClient.listRunning();
    if (known?.kernel?.id !== kernel.id) {
      sessionClient.forget();
      const environment = kernel.environment ?? this.boot.kernelspecs?.default ?? '';
      await sessionClient.open({ path: this.boot.path, name }, { id: kernel.id, name: environment });
      await Promise.all([kernels.refreshRunning(), sessions.refreshRunning()]);
    }
    const context = new SessionContext({
      kernelManager: kernels,
      sessionManager: sessions,
      specsManager: specs,
      path: this.boot.path,
      name,
      type: 'notebook',
      // Kernels are started by the platform alone: a start from here would make a second one.
      kernelPreference: { canStart: false, shouldStart: false, autoStartDefault: false, shutdownOnDispose: false },
    });
    const old = this.current;
    this.current = context;
    this.fact({ connection: 'connecting' });
    this.watch(context);
    await context.initialize();
    for (const listener of this.contextListeners) listener(context);
    old?.dispose();
    setTimeout(() => void this.checkBlocked(context), BLOCKED_AFTER_MS);
  }

  private watch(context: SessionContext): void {
    let wasConnected = false;
    const connection = (): void => {
      if (context !== this.current) return;
      const kernel = context.session?.kernel;
      if (!kernel) return;
      if (kernel.connectionStatus === 'connected') {
        wasConnected = true;
        this.fact({ connection: 'connected', blocked: false, offline: false });
        this.state.patch({ attempt: 0 });
        // The reply proves that outputs arrive too; a busy kernel answers late, so the wait is short.
        const inTime = new Promise((resolve) => setTimeout(resolve, 1500));
        void Promise.race([kernel.info, inTime]).then(() => {
          if (context !== this.current || kernel.connectionStatus !== 'connected') return;
          if (this.state.get().facts.platform !== 'ready') void this.refresh();
          if (!this.state.get().facts.restarting) this.gate.open();
        });
        return;
      }
      this.gate.close();
      this.fact({ connection: wasConnected ? 'lost' : 'connecting' });
      if (kernel.connectionStatus === 'disconnected' && kernel.status !== 'dead') {
        setTimeout(() => void kernel.reconnect().catch(() => undefined), 3000);
      }
    };
    const status = (): void => {
      if (context !== this.current) return;
      const kernel = context.session?.kernel;
      this.fact({ execution: kernel?.status ?? 'unknown', pendingInput: kernel?.hasPendingInput ?? false });
      if (kernel?.status === 'dead') {
        this.end();
        this.fact({ execution: 'dead', platform: 'stopped' });
        void this.refresh();
      }
    };
    context.connectionStatusChanged.connect(connection);
    context.statusChanged.connect(status);
    context.sessionChanged.connect((_, { newValue }) => {
      newValue?.pendingInput.connect((_session, pendingInput) => this.fact({ pendingInput }));
      connection();
      status();
    });
  }

  /** HTTP answers that the kernel is ready and the websocket is still not open: the network blocks it. */
  private async checkBlocked(context: SessionContext): Promise<void> {
    if (context !== this.current || this.disposed || this.state.get().facts.connection !== 'connecting') return;
    const { kernel } = this.state.get();
    if (kernel?.status !== 'ready') {
      setTimeout(() => void this.checkBlocked(context), BLOCKED_AFTER_MS);
      return;
    }
    const asked = await this.platform.kernel(kernel.id).catch(() => null);
    const still = this.state.get().facts.connection === 'connecting';
    if (asked?.status === 'ready' && still && context === this.current) this.fact({ blocked: true });
  }
}

