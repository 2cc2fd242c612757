/** Contracts with JupyterLab: each private or undocumented thing that the page leans on, so that an upgrade fails here. */
import { KernelAPIClient } from '@jupyterlab/services/lib/kernel/restapi';
import { KernelSpecAPIClient } from '@jupyterlab/services/lib/kernelspec/restapi';
import { SessionAPIClient } from '@jupyterlab/services/lib/session/restapi';
import { ServerConnection } from '@jupyterlab/services';
import { NotebookModel } from '@jupyterlab/notebook';
import { RenderMimeRegistry, standardRendererFactories } from '@jupyterlab/rendermime';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { expect, test, vi } from 'vitest';

import { AdoptedSocket, type Early, socketConstructor } from '../../../src/core/earlySocket.ts';
import { ImeStdin } from '../../../src/features/notebook/content.ts';
import { withNonce } from '../../../src/features/notebook/rendering.ts';
import { widgetsOf } from '../../../src/features/notebook/widgetManager.ts';

/** The parts of a session context that ipywidgets' manager listens to; no kernel is connected. */
function quietContext(): object {
  const signal = (): Signal<object, unknown> => new Signal({});
  return {
    kernelChanged: signal(),
    statusChanged: signal(),
    connectionStatusChanged: signal(),
    ready: new Promise(() => undefined),
    session: null,
  };
}

/** Waits for what a busy machine does late. */
const soon = (check: () => unknown): Promise<unknown> => vi.waitFor(check, 30_000);

test('WidgetManager._handleCommOpen makes the model of a comm that came before the manager', async () => {
  const rendermime = new RenderMimeRegistry({ initialFactories: standardRendererFactories });
  const resolver = { resolveUrl: (url: string) => Promise.resolve(url), getDownloadUrl: (url: string) => Promise.resolve(url) };
  const widgets = widgetsOf(quietContext() as never, { rendermime, resolver, model: new NotebookModel() });
  const comm = { commId: 'm1', targetName: 'jupyter.widget', onMsg: null, onClose: null, send: () => ({ done: Promise.resolve() }), close: () => ({}) };
  const state = { _model_module: '@jupyter-widgets/base', _model_module_version: '2.0.0', _model_name: 'LayoutModel' };
  const message = {
    content: { comm_id: 'm1', target_name: 'jupyter.widget', data: { state, buffer_paths: [] } },
    metadata: { version: '2.1.0' },
    buffers: [],
  };
  await widgets.opened(comm as never, message as never);
  expect(comm.onMsg).not.toBeNull();
});

test('the API clients stand where the deep imports look, with the methods that are overridden', () => {
  const serverSettings = ServerConnection.makeSettings({ baseUrl: 'http://127.0.0.1:9/' });
  expect(new KernelAPIClient({ serverSettings }).getModel).toBeTypeOf('function');
  expect(new KernelAPIClient({ serverSettings }).listRunning).toBeTypeOf('function');
  expect(new SessionAPIClient({ serverSettings }).listRunning).toBeTypeOf('function');
  expect(new SessionAPIClient({ serverSettings }).startNew).toBeTypeOf('function');
  expect(new KernelSpecAPIClient({ serverSettings }).get).toBeTypeOf('function');
});

test("input(): the Enter that confirms an input method's candidate does not send, the next one does", async () => {
  const sent: string[] = [];
  const future = { sendInputReply: (content: { value: string }) => sent.push(content.value) };
  const stdin = new ImeStdin({ prompt: '名字：', password: false, future, parent_header: { session: 's' } } as never);
  Widget.attach(stdin, document.body);
  const input = stdin.node.querySelector('input') as HTMLInputElement;
  input.value = '小明';
  const enter = (isComposing: boolean): boolean => input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing, bubbles: true }));
  enter(true);
  expect(sent).toEqual([]);
  enter(false);
  expect(sent).toEqual(['小明']);
  expect(await stdin.value).toContain('小明');
  stdin.dispose();
});

/** A socket in the page's hand, without a server. */
class HeldSocket {
  readyState: number = WebSocket.CONNECTING;
  protocol = 'v1.kernel.websocket.jupyter.org';
  url = 'ws://x/api/kernels/k1/channels';
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  send = vi.fn();
  close = vi.fn();
}

const early = (socket: HeldSocket, messages: unknown[] = []): Early => ({ socket: socket as unknown as WebSocket, kernel: 'k1', session: 's1', messages });

test('the early socket tells "open" before the messages that came meanwhile', async () => {
  const held = new HeldSocket();
  held.readyState = WebSocket.OPEN;
  const heard: unknown[] = [];
  const socket = new AdoptedSocket(early(held, ['first', 'second']));
  socket.onopen = () => heard.push('open');
  socket.onmessage = ((event: MessageEvent) => heard.push(event.data)) as never;
  await soon(() => expect(heard).toEqual(['open', 'first', 'second']));
  held.onmessage?.(new MessageEvent('message', { data: 'third' }));
  expect(heard.at(-1)).toBe('third');
});

test('an early socket that opens later is told then', () => {
  const held = new HeldSocket();
  const opened = vi.fn();
  const socket = new AdoptedSocket(early(held));
  socket.onopen = opened;
  expect(opened).not.toHaveBeenCalled();
  held.readyState = WebSocket.OPEN;
  held.onopen?.(new Event('open'));
  expect(opened).toHaveBeenCalledOnce();
});

test('the constructor hands the early socket over once, for its own kernel, and never a closed one', () => {
  const held = new HeldSocket();
  held.readyState = WebSocket.OPEN;
  const given: (Early | undefined)[] = [early(held)];
  const Socket = socketConstructor(() => given.shift());
  expect(new Socket('ws://127.0.0.1:9/api/kernels/k1/channels')).toBeInstanceOf(AdoptedSocket);
  expect(new Socket('ws://127.0.0.1:9/api/kernels/k1/channels')).toBeInstanceOf(WebSocket);
  const closed = new HeldSocket();
  closed.readyState = WebSocket.CLOSED;
  const Late = socketConstructor(() => early(closed));
  expect(new Late('ws://127.0.0.1:9/api/kernels/k1/channels')).toBeInstanceOf(WebSocket);
  const Other = socketConstructor(() => early(held));
  expect(new Other('ws://127.0.0.1:9/api/kernels/k2/channels')).toBeInstanceOf(WebSocket);
});

test('the nonce goes to script tags only', () => {
  expect(withNonce('<script>a</script><scripty><p>&lt;script></p>', 'N')).toBe('<script nonce="N">a</script><scripty><p>&lt;script></p>');
  expect(withNonce('<SCRIPT src=x></SCRIPT>', 'N')).toBe('<script nonce="N" src=x></SCRIPT>');
});
