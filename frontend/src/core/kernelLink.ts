/** The page's one connection to the document's kernel: prepares it, follows it, and says what it knows. */
import type { ISessionContext, SessionContext } from '@jupyterlab/apputils';

import { type Boot, isLive, type PlatformKernel, type Problem } from './boot.ts';
import { makeServices, type Services } from './bootClients.ts';
import { Gate } from './gate.ts';
import { chipWord, initialFacts, type KernelFacts } from './kernelState.ts';
import type { Platform } from './platform.ts';
import { asProblem, ProblemError } from './problems.ts';
import { sessionContextOf } from './sessionContext.ts';
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
const ASK_AGAIN_MS = 10_000;

export class KernelLink {
  readonly state: Store<LinkState>;
  readonly gate: Gate;
  readonly services: Services;
  private current: SessionContext | null = null;
  private readonly contextListeners = new Set<(context: ISessionContext) => void>();
  private following: Promise<void> | null = null;
  private disposed = false;
  private later: ReturnType<typeof setTimeout> | undefined;

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
    if (!this.atRest) return;
    // A stop that is still being watched has to be over, else its end would be taken for the new kernel's.
    await this.following;
    if (!this.atRest) return;
    this.state.patch({ problem: null });
    this.fact({ ...initialFacts, platform: 'requested', queued: this.gate.waiting });
    await this.start(options);
  }

  private async start(options: { safe?: boolean }): Promise<void> {
    try {
      const kernel = await this.platform.startKernel(options);
      this.state.patch({ problem: null });
      this.take(kernel);
      await this.follow(kernel.id);
    } catch (error) {
      this.fail(error);
    }
  }

  /** No kernel lives and none is on its way. */
  private get atRest(): boolean {
    return ['none', 'stopped', 'failed'].includes(chipWord(this.state.get().facts));
  }

  async restart(): Promise<void> {
    const context = this.current;
    if (this.atRest || !context?.session?.kernel) return this.ensure();
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
    await this.follow(kernel.id, { ending: true });
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.later);
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
    const problem = asProblem(error, 'kernel.start');
    this.state.patch({ problem });
    this.fact({ platform: 'failed' });
    this.gate.abandon(problem.code);
    if (problem.status === 503) this.askLater();
  }

  /** A full or absent host comes back by itself: asked again without a word until it does, or somebody presses 启动. */
  private askLater(): void {
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      if (this.disposed || this.state.get().facts.platform !== 'failed') return;
      if (document.hidden) this.askLater();
      else void this.start({});
    }, ASK_AGAIN_MS);
  }

  /** Asks each second until the kernel has come to rest, then connects or gives the waiting runs up. */
  private follow(id: string, { ending = false } = {}): Promise<void> {
    this.following ??= this.poll(id, ending).finally(() => {
      this.following = null;
    });
    return this.following;
  }

  private async poll(id: string, ending: boolean): Promise<void> {
    try {
      for (let asked = 1; ; asked += 1) {
        const kernel = await this.platform.kernel(id).catch((error: unknown) => {
          if (error instanceof ProblemError) throw error;
          return null;
        });
        if (this.disposed) return;
        this.fact({ offline: kernel === null });
        // A stop that was asked for takes a moment to be seen; until then the old word is no news.
        if (kernel && !(ending && kernel.status === 'ready')) {
          this.take(kernel);
          if (kernel.status === 'ready') break;
          if (kernel.status === 'failed' || kernel.status === 'stopped') {
            this.end();
            return;
          }
        }
        // A warm kernel is there in a moment, a cold one in seconds.
        const wait = asked <= 8 ? POLL_MS / 4 : POLL_MS;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
      await this.attach();
    } catch (error) {
      this.fail(error);
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
    const kernel = this.state.get().kernel ?? (this.boot.session?.kernel as unknown as PlatformKernel | null);
    const live = this.current?.session?.kernel;
    if (!kernel || (live && live.id === kernel.id && live.status !== 'dead')) return;
    const environment = kernel.environment ?? this.boot.kernelspecs?.default ?? '';
    const context = await sessionContextOf(this.services, this.boot.path, { id: kernel.id, name: environment });
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
      const known = this.state.get().kernel;
      if (kernel?.status === 'dead' && (!known || known.id === kernel.id)) {
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

