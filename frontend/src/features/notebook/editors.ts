/** CodeMirror for cells: languages, theme, keys and the binding to the shared notebook. */
import { LanguageSupport } from '@codemirror/language';
import { pythonLanguage } from '@codemirror/lang-python';
import type { IYText } from '@jupyter/ydoc';
import {
  CodeMirrorEditorFactory,
  CodeMirrorMimeTypeService,
  EditorExtensionRegistry,
  EditorLanguageRegistry,
  EditorThemeRegistry,
  pythonBuiltin,
  ybinding,
} from '@jupyterlab/codemirror';
import type { ITranslator } from '@jupyterlab/translation';

export interface Editors {
  factory: CodeMirrorEditorFactory;
  languages: EditorLanguageRegistry;
  mimeTypes: CodeMirrorMimeTypeService;
}

/** What fences in lessons are written in; looking through all hundred of JupyterLab's took 50 ms of the start. */
const KEPT = new Set([
  'python', 'ipython', 'javascript', 'typescript', 'json', 'html', 'css', 'c', 'c++', 'java', 'rust', 'go', 'r', 'julia', 'sql',
  'shell', 'yaml', 'toml', 'xml', 'diff', 'dockerfile', 'latex', 'stex',
]);

/** Python comes with the page, since every cell needs it; other languages load when a fence asks. */
function makeLanguages(): EditorLanguageRegistry {
  const languages = new EditorLanguageRegistry();
  const python = new LanguageSupport(pythonLanguage, pythonBuiltin(pythonLanguage));
  for (const language of EditorLanguageRegistry.getDefaultLanguages()) {
    if (!KEPT.has(language.name.toLowerCase())) continue;
    const isPython = language.name === 'Python' || language.name === 'ipython';
    const { load: _load, ...rest } = language;
    languages.addLanguage(isPython ? { ...rest, support: python } : language);
  }
  languages.addLanguage({
    name: 'ipythongfm',
    mime: 'text/x-ipythongfm',
    load: async () => {
      // Text cells show rendered text: their editors can wait until the page has come to rest.
      await idle();
      return (await import('@codemirror/lang-markdown')).markdown();
    },
  });
  return languages;
}

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 3000 });
    else setTimeout(resolve, 1000);
  });

export function makeEditors(translator: ITranslator): Editors {
  const languages = makeLanguages();
  const themes = new EditorThemeRegistry();
  for (const theme of EditorThemeRegistry.getDefaultThemes(translator)) themes.addTheme(theme);
  const extensions = new EditorExtensionRegistry();
  for (const extension of EditorExtensionRegistry.getDefaultExtensions({ themes, translator })) extensions.addExtension(extension);
  extensions.addExtension({
    name: 'shared-model',
    factory: (options) => {
      const shared = options.model.sharedModel as IYText;
      const undoManager = shared.undoManager ?? undefined;
      return EditorExtensionRegistry.createImmutableExtension(ybinding({ ytext: shared.ysource, undoManager }));
    },
  });
  const factory = new CodeMirrorEditorFactory({ extensions, languages, translator });
  return { factory, languages, mimeTypes: new CodeMirrorMimeTypeService(languages) };
}
