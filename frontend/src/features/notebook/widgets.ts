/** ipywidgets: nothing of it loads before the kernel opens a widget or a saved output shows one. */
import type { ISessionContext } from '@jupyterlab/apputils';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { Widget } from '@lumino/widgets';

import type { WidgetHost, WidgetsOfContext } from './widgetManager.ts';

const MIME = 'application/vnd.jupyter.widget-view+json';
const TARGET = 'jupyter.widget';

export class LazyWidgets {
  private context: ISessionContext | null = null;
  private loading: Promise<WidgetsOfContext> | null = null;

  constructor(private readonly host: WidgetHost & { rendermime: IRenderMimeRegistry }) {
    host.rendermime.addFactory(
      { safe: false, mimeTypes: [MIME], createRenderer: (options) => new LazyWidgetView(options, () => this.load()) },
      -10,
    );
  }

  /** Each kernel life has its own widgets. */
  use(context: ISessionContext): void {
    this.context = context;
    this.loading = null;
    const register = (kernel: Kernel.IKernelConnection | null | undefined): void => {
      if (!this.loading) kernel?.registerCommTarget(TARGET, (comm, message) => this.opened(comm, message));
    };
    register(context.session?.kernel);
    context.kernelChanged.connect((_, { newValue }) => register(newValue));
  }

  /** The kernel's message handling waits for this promise, so no message of the widget is lost while the chunk loads. */
  private async opened(comm: Kernel.IComm, message: KernelMessage.ICommOpenMsg): Promise<void> {
    await (await this.load()).opened(comm, message);
  }

  private load(): Promise<WidgetsOfContext> {
    const { context } = this;
    if (!context) return Promise.reject(new Error('no kernel'));
    this.loading ??= import('./widgetManager.ts').then((module) => module.widgetsOf(context, this.host));
    return this.loading;
  }
}

class LazyWidgetView extends Widget implements IRenderMime.IRenderer {
  constructor(
    private readonly options: IRenderMime.IRendererOptions,
    private readonly load: () => Promise<WidgetsOfContext>,
  ) {
    super();
    this.addClass('jq-LazyOutput');
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    try {
      const view = (await this.load()).view(this.options);
      if (this.isDisposed) return;
      if (this.isAttached) Widget.attach(view, this.node);
      else this.node.appendChild(view.node);
      this.disposed.connect(() => view.dispose());
      await view.renderModel(model);
    } catch (error) {
      console.warn('widget view', error);
    }
  }
}
