/** Hands the websocket that the page's inline script opened to JupyterLab's kernel connection. */

export interface Early {
  socket: WebSocket;
  kernel: string;
  session: string;
  messages: unknown[];
}

declare global {
  interface Window {
    __jiqiEarly?: Early | undefined;
  }
}

type Handler = ((event: never) => unknown) | null;

/**
 * Looks like the socket it wraps. `open` is delivered before what arrived meanwhile: a message before it would leave
 * JupyterLab's connection waiting for a 3 s fail-safe timer.
 */
export class AdoptedSocket {
  onopen: Handler = null;
  onmessage: Handler = null;
  onclose: Handler = null;
  onerror: Handler = null;
  private flushed = false;

  constructor(private readonly early: Early) {
    const { socket } = early;
    socket.onmessage = (event) => {
      if (this.flushed) this.emit('onmessage', event);
      else early.messages.push(event.data);
    };
    socket.onclose = (event) => this.emit('onclose', event);
    socket.onerror = (event) => this.emit('onerror', event);
    // The caller sets its handlers right after the constructor returns.
    if (socket.readyState === WebSocket.OPEN) queueMicrotask(() => this.begin());
    else socket.onopen = () => this.begin();
  }

  get readyState(): number {
    return this.early.socket.readyState;
  }

  get protocol(): string {
    return this.early.socket.protocol;
  }

  get url(): string {
    return this.early.socket.url;
  }

  set binaryType(kind: BinaryType) {
    this.early.socket.binaryType = kind;
  }

  send(data: string | ArrayBuffer): void {
    this.early.socket.send(data);
  }

  close(code?: number, reason?: string): void {
    this.early.socket.close(code, reason);
  }

  private begin(): void {
    if (this.flushed) return;
    this.emit('onopen', new Event('open'));
    this.flushed = true;
    for (const data of this.early.messages.splice(0)) this.emit('onmessage', new MessageEvent('message', { data }));
  }

  private emit(name: 'onopen' | 'onmessage' | 'onclose' | 'onerror', event: Event): void {
    (this[name] as ((event: Event) => unknown) | null)?.(event);
  }
}

/** The WebSocket constructor for JupyterLab's settings: the early socket once, for its kernel, then plain ones. */
export function socketConstructor(take: () => Early | undefined): typeof WebSocket {
  return class EarlyOrPlain {
    constructor(url: string | URL, protocols?: string | string[]) {
      const early = take();
      const usable = early && early.socket.readyState <= WebSocket.OPEN && String(url).includes(`/kernels/${early.kernel}/`);
      return (usable ? new AdoptedSocket(early) : new WebSocket(url, protocols)) as unknown as EarlyOrPlain;
    }
  } as unknown as typeof WebSocket;
}

/** Takes the page's early socket; a second call gets none. */
export function takeEarly(): Early | undefined {
  const early = window.__jiqiEarly;
  window.__jiqiEarly = undefined;
  return early;
}
