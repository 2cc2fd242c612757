/** The chunk with ipywidgets' manager, models and views. */
import '@jupyter-widgets/base/css/index.css';
import '@jupyter-widgets/controls/css/widgets-base.css';

import * as base from '@jupyter-widgets/base';
import * as controls from '@jupyter-widgets/controls';
import { JUPYTER_CONTROLS_VERSION } from '@jupyter-widgets/controls/lib/version';
import { WidgetManager } from '@jupyter-widgets/jupyterlab-manager/lib/manager';
import { OUTPUT_WIDGET_VERSION, OutputModel, OutputView } from '@jupyter-widgets/jupyterlab-manager/lib/output';
import { WidgetRenderer } from '@jupyter-widgets/jupyterlab-manager/lib/renderer';
import type { ISessionContext } from '@jupyterlab/apputils';
import type { INotebookModel } from '@jupyterlab/notebook';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Widget } from '@lumino/widgets';

export interface WidgetHost {
  rendermime: IRenderMimeRegistry;
  resolver: IRenderMime.IResolver;
  model: INotebookModel;
}

export interface WidgetsOfContext {
  opened(comm: Kernel.IComm, message: KernelMessage.ICommOpenMsg): Promise<void>;
  view(options: IRenderMime.IRendererOptions): Widget & IRenderMime.IRenderer;
}

/** The parts of a document context that the manager reads; a whole one would bring JupyterLab's document manager. */
interface ContextParts {
  sessionContext: ISessionContext;
  model: INotebookModel;
  urlResolver: IRenderMime.IResolver;
  saveState: ISignal<unknown, string>;
}

type ManagerContext = ConstructorParameters<typeof WidgetManager>[0];

/** `_handleCommOpen` is private: the first comm arrived before the manager was there to be its target. */
interface PrivateManager {
  _handleCommOpen(comm: Kernel.IComm, message: KernelMessage.ICommOpenMsg): Promise<void>;
}

export function widgetsOf(sessionContext: ISessionContext, host: WidgetHost): WidgetsOfContext {
  const parts: ContextParts = {
    sessionContext,
    model: host.model,
    urlResolver: host.resolver,
    saveState: new Signal<object, string>({}),
  };
  const manager = new WidgetManager(parts as unknown as ManagerContext, host.rendermime, { saveState: false });
  const register = (name: string, version: string, exports: object): void =>
    manager.register({ name, version, exports: exports as never });
  register('@jupyter-widgets/base', base.JUPYTER_WIDGETS_VERSION, base);
  register('@jupyter-widgets/controls', JUPYTER_CONTROLS_VERSION, controls);
  register('@jupyter-widgets/output', OUTPUT_WIDGET_VERSION, { OutputModel, OutputView });
  return {
    opened: (comm, message) => (manager as unknown as PrivateManager)._handleCommOpen(comm, message),
    view: (options) => new WidgetRenderer(options, manager),
  };
}
