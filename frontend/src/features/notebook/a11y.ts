/** Names for screen readers: each editor is 代码单元 n, whatever is moved or inserted. */
import type { CodeMirrorEditor } from '@jupyterlab/codemirror';
import type { Notebook } from '@jupyterlab/notebook';

import type { StudioT } from '../../i18n/studio.ts';

export function labelEditors(notebook: Notebook, t: () => StudioT): () => void {
  let planned = 0;
  const label = (): void => {
    planned = 0;
    notebook.widgets.forEach((cell, index) => {
      const { type } = cell.model;
      const name = t()(type === 'code' ? 'cell.code' : type === 'markdown' ? 'cell.markdown' : 'cell.raw', { n: index + 1 });
      // JupyterLab's list is a feed, and a feed holds articles.
      cell.node.setAttribute('role', 'article');
      cell.node.setAttribute('aria-label', name);
      const editor = cell.editor as CodeMirrorEditor | null;
      editor?.editor.contentDOM.setAttribute('aria-label', name);
    });
  };
  const plan = (): void => {
    planned ||= requestAnimationFrame(label);
  };
  notebook.model?.cells.changed.connect(plan);
  notebook.cellInViewportChanged.connect(plan);
  notebook.activeCellChanged.connect(plan);
  notebook.disposed.connect(() => cancelAnimationFrame(planned));
  plan();
  return plan;
}
