/** What each command does to the notebook. */
import type { Notebook } from '@jupyterlab/notebook';
import { NotebookActions } from '@jupyterlab/notebook';

import type { Command } from '../../core/shortcuts.ts';
import type { KernelLink } from '../../core/kernelLink.ts';
import type { Completion } from './completion.ts';
import type { Tooltips } from './tooltip.ts';

export interface CommandHost {
  notebook: Notebook;
  link: KernelLink;
  completion: Completion;
  tooltips: Tooltips;
  save(): void;
  restart(): void;
  help(): void;
}

export function perform(command: Command, host: CommandHost): void {
  const { notebook, link } = host;
  const context = link.context ?? undefined;
  switch (command) {
    case 'run-advance':
      return void NotebookActions.runAndAdvance(notebook, context);
    case 'run-stay':
      return void NotebookActions.run(notebook, context);
    case 'run-insert':
      return void NotebookActions.runAndInsert(notebook, context);
    case 'save':
      return host.save();
    case 'interrupt':
      return void link.interrupt();
    case 'restart':
      return host.restart();
    case 'insert-above':
      return NotebookActions.insertAbove(notebook);
    case 'insert-below':
      return NotebookActions.insertBelow(notebook);
    case 'delete-cell':
      return NotebookActions.deleteCells(notebook);
    case 'undo-cell':
      return NotebookActions.undo(notebook);
    case 'redo-cell':
      return NotebookActions.redo(notebook);
    case 'to-code':
      return NotebookActions.changeCellType(notebook, 'code');
    case 'to-markdown':
      return NotebookActions.changeCellType(notebook, 'markdown');
    case 'to-raw':
      return NotebookActions.changeCellType(notebook, 'raw');
    case 'select-above':
      NotebookActions.selectAbove(notebook);
      return reveal(notebook);
    case 'select-below':
      NotebookActions.selectBelow(notebook);
      return reveal(notebook);
    case 'edit-mode':
      notebook.mode = 'edit';
      return;
    case 'command-mode':
      notebook.mode = 'command';
      notebook.activeCell?.node.focus();
      return;
    case 'copy-cell':
      return NotebookActions.copy(notebook);
    case 'cut-cell':
      return NotebookActions.cut(notebook);
    case 'paste-cell':
      return NotebookActions.paste(notebook);
    case 'move-up':
      return NotebookActions.moveUp(notebook);
    case 'move-down':
      return NotebookActions.moveDown(notebook);
    case 'merge-cells':
      return NotebookActions.mergeCells(notebook);
    case 'split-cell':
      return NotebookActions.splitCell(notebook);
    case 'toggle-output':
      return toggleOutput(notebook);
    case 'tooltip':
      return void host.tooltips.show(link.context);
    case 'help':
      return host.help();
  }
}

function reveal(notebook: Notebook): void {
  const { activeCell, activeCellIndex } = notebook;
  if (activeCell) void notebook.scrollToItem(activeCellIndex, 'smart');
}

function toggleOutput(notebook: Notebook): void {
  const cell = notebook.activeCell;
  if (cell && 'outputHidden' in cell && cell.outputHidden) NotebookActions.showOutput(notebook);
  else NotebookActions.hideOutput(notebook);
}

export function runAll(notebook: Notebook, link: KernelLink): void {
  void NotebookActions.runAll(notebook, link.context ?? undefined);
}
