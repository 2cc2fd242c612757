/** Builds the notebook widget from the boot data; no request is made. */
import './styles.ts';

import { Notebook, NotebookModel, StaticNotebook } from '@jupyterlab/notebook';
import type { RenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { ITranslator } from '@jupyterlab/translation';
import type { INotebookContent } from '@jupyterlab/nbformat';

import { StudioContentFactory } from './content.ts';
import { makeEditors } from './editors.ts';
import { makeRendermime } from './rendering.ts';
import { LazyWidgets } from './widgets.ts';

export interface NotebookParts {
  notebook: Notebook;
  model: NotebookModel;
  rendermime: RenderMimeRegistry;
  widgets: LazyWidgets;
}

const editor = { lineNumbers: false, codeFolding: false, autoClosingBrackets: true, matchBrackets: true };

export function buildNotebook(options: {
  content: INotebookContent;
  resolver: IRenderMime.IResolver;
  translator: ITranslator;
  readOnly?: boolean;
}): NotebookParts {
  const { content, resolver, translator, readOnly = false } = options;
  const { factory, languages, mimeTypes } = makeEditors(translator);
  const rendermime = makeRendermime({ languages, resolver, translator });
  const model = new NotebookModel({ translator, disableDocumentWideUndoRedo: true });
  model.fromJSON(content);
  model.readOnly = readOnly;
  model.dirty = false;
  const notebook = new Notebook({
    rendermime,
    contentFactory: new StudioContentFactory({ editorFactory: factory.newInlineEditor }),
    mimeTypeService: mimeTypes,
    languagePreference: 'python',
    translator,
    editorConfig: {
      code: { ...editor, lineWrap: false, readOnly },
      markdown: { ...editor, lineWrap: true, matchBrackets: false, readOnly },
      raw: { ...editor, lineWrap: true, matchBrackets: false, readOnly },
    },
    notebookConfig: {
      ...StaticNotebook.defaultNotebookConfig,
      windowingMode: 'full',
      overscanCount: 2,
      scrollPastEnd: true,
      showInputPlaceholder: false,
      autoRenderMarkdownCells: true,
      accessKernelHistory: false,
    },
  });
  notebook.model = model;
  const widgets = new LazyWidgets({ rendermime, resolver, model });
  return { notebook, model, rendermime, widgets };
}
