/** A value with listeners: the bridge between the core's classes and whatever draws them. */

export class Store<T> {
  private listeners = new Set<() => void>();

  constructor(private current: T) {}

  get(): T {
    return this.current;
  }

  set(next: T): void {
    if (Object.is(next, this.current)) return;
    this.current = next;
    for (const listener of [...this.listeners]) listener();
  }

  patch(change: Partial<T>): void {
    const current = this.current;
    const differs = (Object.keys(change) as (keyof T)[]).some((key) => !Object.is(current[key], change[key]));
    if (differs) this.set({ ...current, ...change });
  }

  /** Calls back after each change; the answer ends it. Bound, so that React can take it as it is. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getSnapshot = (): T => this.current;
}
