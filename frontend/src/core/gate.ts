/** A gate that work waits at: every run command passes it, so that no run starts a second kernel. */

export class GateClosedError extends Error {
  // JupyterLab treats an error whose message starts with "Canceled" as a run that was given up, not as a crash.
  constructor(reason: string) {
    super(`Canceled: ${reason}`);
  }
}

interface Waiter {
  resolve: () => void;
  reject: (error: Error) => void;
}

export class Gate {
  private waiters: Waiter[] = [];
  private opened = false;

  constructor(private readonly changed: () => void = () => undefined) {}

  get isOpen(): boolean {
    return this.opened;
  }

  /** How many runs are waiting. */
  get waiting(): number {
    return this.waiters.length;
  }

  /** Fulfils when the gate is open; raises `GateClosedError` when the waiting runs are given up. */
  pass(): Promise<void> {
    if (this.opened) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiters.push({ resolve, reject });
      this.changed();
    });
  }

  open(): void {
    if (this.opened) return;
    this.opened = true;
    this.release((waiter) => waiter.resolve());
  }

  /** Runs that come from now on wait; those already through go on. */
  close(): void {
    this.opened = false;
  }

  /** Gives up every waiting run. */
  abandon(reason: string): void {
    this.release((waiter) => waiter.reject(new GateClosedError(reason)));
  }

  private release(finish: (waiter: Waiter) => void): void {
    const waiters = this.waiters;
    this.waiters = [];
    waiters.forEach(finish);
    this.changed();
  }
}
