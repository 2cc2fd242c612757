/** The session of a document on one kernel, as JupyterLab's session context. */
import { SessionContext } from '@jupyterlab/apputils';

import type { Services } from './bootClients.ts';

/** Asks the server only when the page was not born with this kernel's session. */
export async function sessionContextOf(services: Services, path: string, kernel: { id: string; name: string }): Promise<SessionContext> {
  const { sessionClient, sessions, kernels, specs } = services;
  const name = path.split('/').pop() ?? '';
  const [known] = await sessionClient.listRunning();
  if (known?.kernel?.id !== kernel.id) {
    sessionClient.forget();
    await sessionClient.open({ path, name }, kernel);
    await Promise.all([kernels.refreshRunning(), sessions.refreshRunning()]);
  }
  return new SessionContext({
    kernelManager: kernels,
    sessionManager: sessions,
    specsManager: specs,
    path,
    name,
    type: 'notebook',
    // Kernels are started by the platform alone: a start from here would make a second one.
    kernelPreference: { canStart: false, shouldStart: false, autoStartDefault: false, shutdownOnDispose: false },
  });
}
