/** The Markdown parser. */
import type { EditorLanguageRegistry } from '@jupyterlab/codemirror';
import { createMarkdownParser } from '@jupyterlab/markedparser-extension';
import type { IMarkdownParser } from '@jupyterlab/rendermime';

export const makeParser = (languages: EditorLanguageRegistry): IMarkdownParser => createMarkdownParser(languages);
