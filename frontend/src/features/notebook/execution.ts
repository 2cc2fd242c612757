/** Every run passes here: it waits until the kernel is there, shown as "*" at its cell. */
import type { ISessionContext } from '@jupyterlab/apputils';
import type { CodeCell } from '@jupyterlab/cells';
import { type INotebookCellExecutor, runCell, setCellExecutor } from '@jupyterlab/notebook';

import { type Gate, GateClosedError } from '../../core/gate.ts';

export interface Runner {
  gate: Gate;
  context: ISessionContext | null;
  ensure(): Promise<void>;
}

let current: Runner | null = null;
let installed = false;

/** JupyterLab takes an executor once per page; it asks for the runner of the moment. */
export function installExecutor(runner: Runner): void {
  current = runner;
  if (installed) return;
  installed = true;
  setCellExecutor({ runCell: (options) => runWhenReady(options) });
}

async function runWhenReady(options: INotebookCellExecutor.IRunCellOptions): Promise<boolean> {
  if (options.cell.model.type !== 'code' || !current) return runCell(options);
  const cell = options.cell as CodeCell;
  const { gate } = current;
  if (!gate.isOpen) {
    cell.model.executionState = 'running';
    void current.ensure();
    try {
      await gate.pass();
    } catch (error) {
      if (!(error instanceof GateClosedError)) throw error;
      if (!cell.isDisposed) cell.model.executionState = 'idle';
      return false;
    }
    if (cell.isDisposed) return false;
  }
  const sessionContext = current.context;
  return runCell(sessionContext ? { ...options, sessionContext } : options);
}
